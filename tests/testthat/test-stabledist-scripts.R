# Features that users of the package stabledist rely on: its calls, its argument names, and the
# properties that its own checks test, tested here by our own code and to more digits.
# bench/stabledist-scripts.R runs the scripts themselves.

test_that("tuning arguments of stabledist are accepted and have no effect", {
  expect_identical(dstable(0.3, 1.5, 0.5, tol = 1e-3, zeta.tol = 1, subdivisions = 5),
                   dstable(0.3, 1.5, 0.5))
  expect_identical(pstable(0.3, 1.5, 0.5, silent = TRUE, tol = 1, subdivisions = 5),
                   pstable(0.3, 1.5, 0.5))
  expect_identical(qstable(0.3, 1.5, 0.5, tol = 1, maxiter = 3, trace = 0, integ.tol = 1e-7,
                           subdivisions = 200), qstable(0.3, 1.5, 0.5))
  positions <- function(f) head(names(formals(f)), 6)
  expect_identical(positions(dstable), c("x", "alpha", "beta", "gamma", "delta", "pm"))
  expect_identical(positions(pstable), c("q", "alpha", "beta", "gamma", "delta", "pm"))
  expect_identical(positions(qstable), c("p", "alpha", "beta", "gamma", "delta", "pm"))
  expect_identical(positions(rstable), c("n", "alpha", "beta", "gamma", "delta", "pm"))
})

test_that("alpha = 2 in S2 is the normal distribution with standard deviation gamma", {
  x <- 2^seq(-10, 10, length.out = 64)
  expect_equal(dstable(x, 2, 0, 1.1, 2, pm = 2), dnorm(x, 2, 1.1), tolerance = 1e-13)
  expect_equal(dstable(x, 2, 0, 1.1, 2, pm = 2, log = TRUE), dnorm(x, 2, 1.1, log = TRUE),
               tolerance = 1e-13)
})

# In the tail, the slope of log f with respect to log x tends to -(1 + alpha).
test_that("the slope in the tail tends smoothly to that of the power law", {
  x <- 2^seq(0, 20, length.out = 200)
  step <- log(2) * 20 / 199
  log_f <- dstable(x, 1.0001, 0.6, log = TRUE)
  slope <- diff(log_f) / step
  expect_true(all(slope < 0))
  expect_lt(max(abs(slope[x[-1] > 1000] / -2.0001 - 1)), 0.01)
  expect_true(all(diff(slope[x[-1] > 1000]) > -1e-9))
})

test_that("values are positive at points where numerical integration used to fail", {
  expect_silent(f <- c(dstable(4000, 1.00001, 0.6), dstable(6366.197, 1.00001, 0.1),
                       dstable(-50929.58, 1.00001, -0.8), pstable(-4.5, 1, 0.01),
                       dstable(1, 1.2, 1 - 1e-7), dstable(1, 1.2, 1), dstable(0, 13 / 16, 1 - 2^-52)))
  expect_true(all(is.finite(f) & f > 0))
  zeta <- 0.8 * tan(pi / 2 * 1.00001)
  near <- dstable(zeta + seq(-3, 7, 0.1), 1.00001, -0.8)
  expect_true(all(near > 2.1e-10 & near < 2.3e-10))
  expect_lt(max(abs(diff(near, differences = 2))), 1e-17)
})

test_that("the mode of a skewed distribution, and the density there, are right", {
  mode <- stable_mode(0.75, -0.5)
  expect_equal(mode, 0.35810298366, tolerance = 1e-7)
  expect_equal(dstable(mode, 0.75, -0.5), 0.355466404303350295, tolerance = 1e-12)
})

# Reference values with 30 digits: f(x; 0.1, 0) at x = 0, 1/16e6, ...
test_that("densities for small alpha and a large scale are right", {
  x <- (-16:16) / 256
  f <- dstable(x, 0.1, 0, gamma = 1e6)
  expect_equal(f[17], gamma(11) / pi * 1e-6, tolerance = 1e-13)
  expect_equal(f[1], 0.0291042073653602135, tolerance = 1e-13)
  expect_identical(f, rev(f))
  expect_equal(range(diff(f[1:8])), c(0.0011871409, 0.0025179435), tolerance = 1e-6)
})

test_that("probabilities at the ends of the support and at the centre of symmetry are exact", {
  alpha <- rep((1:32) / 16, each = 33)
  beta <- rep((-16:16) / 16, 32)
  expect_silent({
    expect_true(all(pstable(Inf, alpha, beta) == 1))
    expect_true(all(pstable(-Inf, alpha, beta, log.p = TRUE) == -Inf))
    expect_true(all(pstable(0, (1:32) / 16, 0) == 0.5))
  })
  expect_identical(pstable(-1.1, 0.5, 1), 0)
  expect_identical(pstable(-2.1, 0.6, 1), 0)
})

# Returns the integral by Simpson's rule, given values f with spacing h.
simpson <- function(f, h) {
  n <- length(f) - 1
  h / 3 * sum(f * c(1, rep(c(4, 2), length.out = n - 1), 1))
}

test_that("the integral of the density is the distribution function", {
  ranges <- list(c(0.75, -0.5, -1, 1.5), c(0.95, 0.6, -1, 1.5), c(0.95, 0.9, -3, 15),
                 c(0.999, -0.9, -20, 5), c(1, 0.99, -6, 50), c(1.001, 0.95, -10, 30),
                 c(1, 0.8, -6, 500), c(1.2, -0.2, -40, 30), c(1.5, -0.999, -40, 30))
  for (r in ranges) {
    n <- 8192
    x <- seq(r[3], r[4], length.out = n + 1)
    expect_silent(f <- dstable(x, r[1], r[2]))
    mass <- pstable(r[4], r[1], r[2]) - pstable(r[3], r[1], r[2])
    expect_lt(abs(simpson(f, (r[4] - r[3]) / n) / mass - 1), 1e-6, label = paste(r, collapse = " "))
  }
})

test_that("the right half of a symmetric distribution has probability 1/2", {
  half <- integrate(dstable, 0, Inf, alpha = 0.998, beta = 0, subdivisions = 1000)
  expect_lt(abs(half$value - 0.5), 1e-4)
})

test_that("at alpha = 1, F is convex left of the mode and concave right of it", {
  x <- seq(-6, 8, by = 1 / 16)
  bend <- diff(pstable(x, 1, 0.01), differences = 2)
  middle <- x[-c(1, length(x))]
  expect_true(all(bend[middle < 0] > 0))
  expect_true(all(bend[middle > 0] < 0))
})

# 2 (1 - Phi(1/sqrt(y))) = 0.6 at y = 3.636417882085816, and S0 = S1 - 1.
test_that("quantiles of skewed and symmetric distributions are right", {
  expect_equal(qstable(0.6, 0.5, 1), 2.63641788208581634, tolerance = 1e-13)
  expect_equal(qstable(0.5, 1.5, 0, gamma = 2, delta = 1.5), 1.5, tolerance = 1e-14)
  expect_equal(qstable(0.5, 0.6, 0, gamma = 0.2, delta = 1.5), 1.5, tolerance = 1e-14)
})

test_that("the Levy distribution is right for random scales and locations", {
  set.seed(101)
  for (k in 1:32) {
    z <- rnorm(2)
    mu <- sign(z[1]) * exp(z[1])
    scale <- exp(z[2])
    y <- seq(0, 100 * rchisq(1, 3), length.out = 64)[-1]
    # the effect of rounding x = mu + scale y on y
    sensitivity <- .Machine$double.eps * (abs(mu) / scale + y) / y * (1 + 1 / y)
    x <- mu + scale * y
    p <- pchisq(1 / y, 1, lower.tail = FALSE)
    f <- exp(-1.5 * log(y) - 0.5 / y) / sqrt(2 * pi) / scale
    expect_true(all(abs(pstable(x, 0.5, 1, scale, mu, pm = 1) / p - 1) < 1e-13 + 4 * sensitivity))
    expect_true(all(abs(dstable(x, 0.5, 1, scale, mu, pm = 1) / f - 1) < 1e-13 + 4 * sensitivity))
  }
})

test_that("tails approach the power law at the right rate", {
  shapes <- list(c(1, 0.5), c(1.1, 0.25), c(0.99, 0.992), c(1.2, 0.5), c(0.7, 0.9), c(1.7, 0.6))
  for (s in shapes) {
    x <- 10^seq(8, 30, 2)
    tail <- pstable(x, s[1], s[2], lower.tail = FALSE)
    power <- (1 + s[2]) * gamma(s[1]) * sin(pi * s[1] / 2) / pi * x^-s[1]
    gap <- abs(tail / power - 1)
    expect_true(all(gap <= 100 * log(x) * pmax(x^-s[1], 1 / x) + 1e-12), info = paste(s, collapse = " "))
  }
})
