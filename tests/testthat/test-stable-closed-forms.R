# Stable distributions with a density or distribution function in closed form.

expect_close <- function(ours, exact, tolerance = 1e-13) {
  gap <- ifelse(ours == exact, 0, abs(ours - exact) / pmax(abs(exact), .Machine$double.xmin))
  gap[is.na(gap)] <- Inf
  worst <- which.max(gap / tolerance)
  expect(all(gap <= tolerance),
         sprintf("off by %.3g: %s where %s is right", gap[worst], format(ours[worst], digits = 17),
                 format(exact[worst], digits = 17)))
}

# Compares all six forms of a distribution with exact ones, which take the arguments of R's distribution functions.
expect_law <- function(x, p, alpha, beta, gamma, delta, pm, density, distribution, quantile) {
  d <- function(...) dstable(x, alpha, beta, gamma, delta, pm, ...)
  P <- function(...) pstable(x, alpha, beta, gamma, delta, pm, ...)
  q <- function(p, ...) qstable(p, alpha, beta, gamma, delta, pm, ...)
  log_f <- density(x, TRUE)
  # rounding (x - delta)/gamma changes exp(-y^2/4) by up to |log f| times the relative error
  allowed <- 1e-13 * pmax(1, abs(log_f) / 100)
  expect_close(d(), density(x, FALSE), allowed)
  expect_close(d(log = TRUE), log_f)
  for (lower in c(TRUE, FALSE)) for (log in c(TRUE, FALSE)) {
    expect_close(P(lower.tail = lower, log.p = log), distribution(x, lower, log), 2 * allowed)
    given <- if (log) log(p) else p
    expect_close(q(given, lower.tail = lower, log.p = log), quantile(given, lower, log), 1e-12)
  }
}

probabilities <- c(1e-300, 1e-100, 1e-10, 0.01, 0.3, 0.6, 0.99, 1 - 1e-10)

test_that("alpha = 2 is the normal distribution with variance 2 gamma^2 for every beta", {
  x <- c(-60, -9, -2, -0.3, 0, 1e-8, 0.7, 4, 30)
  for (beta in c(-1, 0, 0.4, 1)) for (pm in 0:1)
    expect_law(x, probabilities, 2, beta, 1.7, -0.4, pm,
               function(x, log) dnorm(x, -0.4, 1.7 * sqrt(2), log),
               function(x, lower, log) pnorm(x, -0.4, 1.7 * sqrt(2), lower, log),
               function(p, lower, log) qnorm(p, -0.4, 1.7 * sqrt(2), lower, log))
  # S2: gamma is the standard deviation
  expect_close(dstable(x, 2, 0, 1.1, 2, 2), dnorm(x, 2, 1.1))
})

test_that("alpha = 1, beta = 0 is the Cauchy distribution", {
  x <- c(-1e150, -1e10, -3, -1e-9, 0, 0.2, 1, 40, 1e20)
  for (pm in 0:2)
    expect_law(x, probabilities, 1, 0, 2.5, 0.75, pm,
               function(x, log) dcauchy(x, 0.75, 2.5, log),
               function(x, lower, log) pcauchy(x, 0.75, 2.5, lower, log),
               function(p, lower, log) qcauchy(p, 0.75, 2.5, lower, log))
})

# P(X <= x) = 2 (1 - Phi(1/sqrt(x))) for x > 0: the first passage time of a Brownian motion to 1.
levy_density <- function(x, log) {
  log_f <- ifelse(x > 0, -0.5 * log(2 * pi) - 1.5 * log(pmax(x, 0)) - 0.5 / pmax(x, 0), -Inf)
  if (log) log_f else exp(log_f)
}
levy_distribution <- function(x, lower, log) {
  z <- 1 / sqrt(pmax(x, 0))
  # the complement is 2 Phi(z) - 1 = P(chi^2_1 < z^2): no cancellation for large x
  pchisq(z^2, 1, lower.tail = !lower, log.p = log)
}
levy_quantile <- function(p, lower, log) 1 / qchisq(p, 1, lower.tail = !lower, log.p = log)

test_that("alpha = 1/2, beta = 1 is the Levy distribution, and beta = -1 its reflection", {
  y <- c(-1, -1e-9, 1e-3, 0.02, 0.1, 1 / 3, 1, 7, 1e4, 1e10, 1e100)
  p <- c(1e-100, 1e-10, 0.01, 0.3, 0.6, 0.99)
  expect_close(dstable(y, 0.5, 1, pm = 1), levy_density(y, FALSE), 1e-12)
  expect_close(dstable(y[y > 0], 0.5, 1, pm = 1, log = TRUE), levy_density(y[y > 0], TRUE))
  expect_close(dstable(-y, 0.5, -1, pm = 1), levy_density(y, FALSE), 1e-12)
  for (lower in c(TRUE, FALSE)) for (log in c(TRUE, FALSE)) {
    exact <- levy_distribution(y, lower, log)
    expect_close(pstable(y, 0.5, 1, pm = 1, lower.tail = lower, log.p = log), exact, 1e-12)
    expect_close(pstable(-y, 0.5, -1, pm = 1, lower.tail = !lower, log.p = log), exact, 1e-12)
    given <- if (log) log(p) else p
    expect_close(qstable(given, 0.5, 1, pm = 1, lower.tail = lower, log.p = log),
                 levy_quantile(given, lower, log), 1e-12)
  }
  # S0 is shifted to the left by one scale unit
  expect_close(dstable(c(0, 2, 9), 0.5, 1), levy_density(c(1, 3, 10), FALSE))
})

# alpha = 1/3, beta = 1: Laplace transform exp(-s^(1/3)) for gamma = cos(pi/6)^3, and
#     f(x) = x^(-3/2) K_{1/3}(2/sqrt(27 x)) / (3 pi)      (Zolotarev 1986, section 2.8)
test_that("the density at alpha = 1/3, beta = 1 agrees with its Bessel function formula", {
  x <- c(1e-3, 0.01, 0.1, 0.5, 1, 8, 1e3, 1e8)
  z <- 2 / sqrt(27 * x)
  exact <- besselK(z, 1 / 3, expon.scaled = TRUE) * exp(-z) * x^-1.5 / (3 * pi)
  expect_close(dstable(x, 1 / 3, 1, cos(pi / 6)^3, 0, 1), exact, 1e-12)
})

# At zeta = -beta tan(pi alpha/2), theta0 = atan(beta tan(pi alpha/2))/alpha (Nolan 1997):
#     f = Gamma(1 + 1/alpha) cos(theta0) / (pi (1 + zeta^2)^(1/(2 alpha))),  F = 1/2 - theta0/pi
test_that("density and distribution function at zeta agree with their closed forms", {
  for (alpha in c(0.1, 0.3, 0.5, 0.8, 0.95, 1.05, 1.3, 1.5, 1.9, 1.999))
    for (beta in c(-0.9, 0, 0.3, 0.999)) {
      zeta <- -beta * tan(pi / 2 * alpha)
      theta0 <- atan(-zeta) / alpha
      f <- gamma(1 + 1 / alpha) * cos(theta0) / (pi * (1 + zeta^2)^(1 / (2 * alpha)))
      expect_close(dstable(0, alpha, beta, pm = 1), f, 1e-12)
      lower <- 0.5 - theta0 / pi
      expect_close(pstable(0, alpha, beta, pm = 1), lower, 1e-13 + 1e-15 / lower)
      expect_close(pstable(0, alpha, beta, pm = 1, lower.tail = FALSE), 0.5 + theta0 / pi, 1e-12)
    }
})

# P(X > x) -> (1 + beta) Gamma(alpha) sin(pi alpha/2)/pi x^-alpha; the next term is
# smaller by x^-alpha (by log(x)/x at alpha = 1), so it is negligible at 1e100.
test_that("heavy tails approach the Pareto tail", {
  x <- c(1e100, 1e150)
  for (alpha in c(0.3, 0.75, 1, 1 + 1e-9, 1.25, 1.9)) for (beta in c(-0.5, 0, 0.999)) {
    weight <- (1 + beta) * gamma(alpha) * sin(pi * alpha / 2) / pi
    expect_close(pstable(x, alpha, beta, lower.tail = FALSE, log.p = TRUE),
                 log(weight) - alpha * log(x), 1e-12)
    expect_close(dstable(x, alpha, beta, log = TRUE),
                 log(alpha * weight) - (1 + alpha) * log(x), 1e-12)
  }
})

# The integral of the density against exp(i t x) is the characteristic function.
test_that("the Fourier transform of the density is the characteristic function", {
  for (shape in list(c(1.5, 0.5), c(1, -0.7), c(1.8, -0.3))) {
    t <- 0.7
    re <- function(x) cos(t * x) * dstable(x, shape[1], shape[2])
    im <- function(x) sin(t * x) * dstable(x, shape[1], shape[2])
    # integrate over whole periods, so that the omitted tails cancel to the next order
    step <- 2 * pi / t / 16
    starts <- (-1600:1599) * step
    rule <- gauss_legendre(10)
    x <- as.vector(outer(rule$x * step, starts, `+`))
    w <- rep(rule$w * step, length(starts))
    value <- complex(real = sum(w * re(x)), imaginary = sum(w * im(x)))
    expect_lt(Mod(value - stable_cf(t, shape[1], shape[2])), 1e-6)
  }
})
