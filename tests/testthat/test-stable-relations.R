# Relations that hold for every stable distribution, tested with the registry of helper-registry.R.

over_registry <- function(relation) {
  for (backend in test_backends())
    using_backend(backend, for (case in stable_cases()) relation(case))
}

test_that("values are finite, in range, and F is monotone", {
  over_registry(expect_sane_values)
})

test_that("logarithms agree with values", {
  over_registry(expect_log_consistent)
})

test_that("reflection of x, beta and tail gives the same values", {
  over_registry(expect_reflects)
})

test_that("the quantile inverts the distribution function", {
  over_registry(expect_pq_inverse)
})

test_that("the density is the derivative of the distribution function", {
  over_registry(expect_slope)
})

test_that("the density has one mode", {
  over_registry(expect_unimodal)
})

test_that("location and scale have the right effect", {
  over_registry(expect_location_scale)
})

test_that("S1 is S0 shifted by zeta", {
  over_registry(expect_S1_agrees)
})

test_that("S2 is S0 shifted to its mode", {
  over_registry(expect_S2_agrees)
})

test_that("values do not depend on the number of threads", {
  for (case in stable_cases()) expect_same_for_threads(case)
})

# Returns random shapes and probabilities, which are in no table.
scattered_quantiles <- function(n) {
  set.seed(1)
  pick <- function(...) list(...)[[sample(...length(), 1)]]()
  power <- function(from, to) 10^runif(1, from, to)
  side <- function() sample(c(-1, 1), 1)
  data.frame(
    alpha = replicate(n, pick(function() runif(1, 0.02, 0.98), function() 1 - power(-13, -1.5),
                              function() 1 + power(-13, -1), function() runif(1, 1.02, 1.95),
                              function() 2 - power(-12, -1.3), function() 1, function() 1.05)),
    beta = replicate(n, pick(function() runif(1, -1, 1), function() side() * (1 - power(-15, -1.5)),
                             function() side() * power(-12, -1), side, function() 0)),
    p = replicate(n, pick(function() runif(1), function() power(-20, -1),
                          function() power(-300, -20), function() sample(c(0.01, 0.1, 0.5), 1))))
}

test_that("F crosses p at the quantiles of random shapes", {
  s <- scattered_quantiles(3000)
  zeta <- ifelse(s$alpha == 1, 0, abs(s$beta * tan(pi / 2 * s$alpha)))
  for (lower in c(TRUE, FALSE)) {
    q <- qstable(s$p, s$alpha, s$beta, lower.tail = lower)
    room <- 1e-13 * abs(q) + 8 * EPS * pmin(zeta, 10)
    tail_at <- function(x) pstable(x, s$alpha, s$beta, lower.tail = lower, log.p = TRUE)
    around <- cbind(tail_at(q - room), tail_at(q + room))
    if (!lower) around <- around[, 2:1]
    slack <- 1e-13 * pmax(1, -log(s$p))
    bad <- is.na(q) | (is.finite(q) & (around[, 1] > log(s$p) + slack | around[, 2] < log(s$p) - slack))
    worst <- utils::head(which(bad), 8)
    expect(!any(bad), paste(c(sprintf("%d of 3000 are not:", sum(bad)),
                              sprintf("qstable(%.17g, %.17g, %.17g, lower.tail = %s) = %.17g", s$p[worst],
                                      s$alpha[worst], s$beta[worst], lower, q[worst])), collapse = "\n"))
  }
})

# The density is the derivative of F also locally: over a short interval, 8 nodes are
# practically exact where the density is smooth.
test_that("the density of random shapes is the derivative of F", {
  n <- 3000
  s <- scattered_quantiles(n)
  zeta <- ifelse(s$alpha == 1, 0, -s$beta * tan(pi / 2 * s$alpha))
  x <- ifelse(seq_len(n) %% 3 == 0, rnorm(n), sign(rnorm(n)) * 10^runif(n, 0, 60))
  # an interval that is short relative to x and, unless alpha is close to 1, to the distance from zeta
  h <- 0.01 * pmin(pmax(0.05, abs(x)), ifelse(abs(zeta) < 50, abs(x - zeta), Inf))
  rule <- gauss_legendre(8)
  mass <- 0
  for (k in 1:8) mass <- mass + rule$w[k] * h * dstable(x + h * rule$x[k], s$alpha, s$beta)
  lower <- pstable(x, s$alpha, s$beta)
  upper <- pstable(x, s$alpha, s$beta, lower.tail = FALSE)
  step <- ifelse(lower < upper, pstable(x + h, s$alpha, s$beta) - lower,
                 upper - pstable(x + h, s$alpha, s$beta, lower.tail = FALSE))
  # in a steep light tail 8 nodes are too few
  steep <- abs(dstable(x, s$alpha, s$beta, log = TRUE) - dstable(x + h, s$alpha, s$beta, log = TRUE)) > 4
  judged <- (mass > SMALLEST | step > SMALLEST) & !steep
  judged[is.na(judged)] <- FALSE                                 # -Inf - -Inf: outside the support
  bad <- is.nan(mass) | is.nan(step) | judged & !(abs(mass - step) <= 1e-8 * mass + 1e-13 * pmin(lower, upper))
  worst <- utils::head(which(bad), 8)
  expect(!length(worst), paste(c(sprintf("%d of %d are not:", sum(bad), n), sprintf(
    "at %.17g; %.17g, %.17g: density gives %.6g, F gives %.6g", x[worst], s$alpha[worst],
    s$beta[worst], mass[worst], step[worst])), collapse = "\n"))
})

# Tails at alpha = 1 (the next term of the tail is log(x)/x times the first).
test_that("tails at alpha = 1 agree with the Pareto tail from 1e16 on", {
  x <- 10^seq(16, 300, by = 4)
  for (beta in c(0.989, 0.999, 1 - 1e-9, -0.3)) for (side in c(-1, 1)) {
    weight <- (1 + side * beta) / pi
    f <- dstable(side * x, 1, beta, log = TRUE)
    F <- pstable(side * x, 1, beta, lower.tail = side < 0, log.p = TRUE)
    near <- 1e-12 + 20 * log(x) / x / (1 - abs(beta))
    expect_true(all(abs(f - log(weight) + 2 * log(x)) < near * pmax(1, abs(f))),
                info = sprintf("density, beta %g side %g", beta, side))
    expect_true(all(abs(F - log(weight) + log(x)) < near * pmax(1, abs(F))),
                info = sprintf("tail, beta %g side %g", beta, side))
  }
})

test_that("values are continuous at alpha = 1, alpha = 2 and beta = 0", {
  x <- c(-30, -2, -0.5, 0, 0.3, 1, 10, 200)
  for (beta in c(0.001, 0.5, -0.95)) for (e in 10^-(4:15)) for (side in c(-1, 1)) {
    at <- dstable(x, 1 + side * e, beta)
    limit <- dstable(x, 1, beta)
    # the derivative in alpha grows like (log|x|)^2 in S0
    expect_true(all(abs(at / limit - 1) < 60 * e + 1e-12), info = sprintf("%g %g", 1 + side * e, beta))
  }
  for (e in 10^-(6:15))
    expect_lt(max(abs(dstable(c(-1, 0, 2), 2 - e, 0.4) / dstable(c(-1, 0, 2), 2, 0) - 1)), 3 * e + 1e-12)
  for (alpha in c(0.3, 1, 1.5))
    expect_lt(max(abs(pstable(x, alpha, 1e-12) - pstable(x, alpha, 0))), 1e-11)
})

# Zolotarev's duality: for 1 < alpha <= 2, x > 0 and rho = P(X > 0) of the strictly stable distribution,
#     f(x; alpha, rho) = x^(-1-alpha) f(x^-alpha; 1/alpha, alpha rho),
# where the distributions have characteristic function exp(-|t|^alpha exp(-i pi alpha (rho - 1/2) sgn t)).
# It relates every distribution with alpha > 1 to one with alpha < 1 (Zolotarev 1986, section 2.3).
zolotarev_density <- function(x, alpha, rho) {
  angle <- pi * alpha * (rho - 0.5)
  beta <- tan(angle) / tan(pi / 2 * alpha)
  dstable(x, alpha, max(-1, min(1, beta)), cos(angle)^(1 / alpha), 0, pm = 1)
}

test_that("Zolotarev's duality between alpha and 1/alpha holds", {
  x <- c(0.05, 0.4, 1, 1.7, 5, 40)
  for (alpha in c(1.1, 1.35, 1.5, 1.75, 1.95)) for (share in c(0.25, 0.5, 0.8)) {
    rho <- 1 - 1 / alpha + share * (2 / alpha - 1)
    f <- zolotarev_density(x, alpha, rho)
    dual <- x^(-1 - alpha) * zolotarev_density(x^-alpha, 1 / alpha, alpha * rho)
    # the rounding of beta has a larger effect the closer alpha is to 1, where zeta has a pole
    expect_lt(max(abs(f / dual - 1)), 1e-12)
  }
})

# ---- random numbers -----------------------------------------------------------

# Samples use S1 for small alpha, because in S0 most values would be rounded to zeta, and S0 for alpha
# close to 1.
sample_pm <- function(case) if (case$alpha < 0.6) 1 else 0

test_sample <- function(case, n, seed = 20231) {
  set.seed(seed)
  rstable(n, case$alpha, case$beta, pm = sample_pm(case))
}

# Returns the p-value of the Kolmogorov-Smirnov test of u against the uniform distribution.
uniform_p_value <- function(u) suppressWarnings(stats::ks.test(u, "punif")$p.value)

RANDOM_CASES <- list(
  stable_case(0.02, 0.5), stable_case(0.3, 0.9), stable_case(0.5, 1), stable_case(0.9, -0.4),
  stable_case(1 - 1e-9, 0.7), stable_case(1, 0.5), stable_case(1, -1), stable_case(1 + 1e-6, 0.7),
  stable_case(1.01, -0.9), stable_case(1.5, 0.5), stable_case(1.9, 0), stable_case(2 - 1e-6, 1),
  stable_case(2, 0))

test_that("samples follow the distribution function in the centre and in both tails", {
  n <- 20000
  for (case in RANDOM_CASES) {
    x <- test_sample(case, n)
    # both tails, so that extreme values keep their precision
    u <- pstable(x, case$alpha, case$beta, pm = sample_pm(case))
    v <- pstable(x, case$alpha, case$beta, pm = sample_pm(case), lower.tail = FALSE)
    expect_gt(uniform_p_value(u), 1e-4)
    for (tail in list(u, v)) {
      in_tail <- tail[tail < 0.01]
      expect_gt(stats::binom.test(length(in_tail), n, 0.01)$p.value, 1e-4)
      expect_gt(uniform_p_value(in_tail / 0.01), 1e-4)
    }
  }
})

test_that("the test of samples detects wrong parameters", {
  x <- test_sample(stable_case(1.5, 0.5), 1e5)
  expect_gt(uniform_p_value(pstable(x, 1.5, 0.5)), 1e-4)
  expect_lt(uniform_p_value(pstable(x, 1.5, 0.4)), 1e-4)
  expect_lt(uniform_p_value(pstable(x, 1.4, 0.5)), 1e-4)
  expect_lt(uniform_p_value(pstable(x, 1.5, 0.5, 1.05)), 1e-4)
  expect_lt(uniform_p_value(pstable(x, 1.5, 0.5, 1, 0.05)), 1e-4)
})

test_that("a sample depends only on the seed", {
  for (case in RANDOM_CASES) {
    samples <- lapply(test_threads(), function(threads) {
      using_threads(threads, x <- test_sample(case, 5000))
      x
    })
    expect_identical(samples[[1]], samples[[2]], info = case$name)
  }
  set.seed(1); a <- rstable(10, 1.5, 0.5)
  b <- rstable(10, 1.5, 0.5)
  set.seed(1)
  expect_identical(rstable(10, 1.5, 0.5), a)
  expect_false(any(a %in% b))
})

test_that("samples are continuous in alpha at alpha = 1", {
  at_one <- test_sample(stable_case(1, 0.5), 1000)
  for (e in c(-1e-6, -1e-12, 1e-15, 1e-9)) {
    near <- test_sample(stable_case(1 + e, 0.5), 1000)
    expect_lt(max(abs(near - at_one) / (1 + abs(at_one) * (1 + log1p(abs(at_one))))), 100 * abs(e) + 1e-11)
  }
  expect_true(any(at_one != round(at_one)))
})
