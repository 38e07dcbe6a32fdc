# Distributions with alpha down to 1e-5, whose values have scales such as Gamma(1 + 1/alpha), far outside the range of
# doubles; and arguments for which the value is known exactly.

# data/small-alpha*.csv: 34 values and 7 quantiles of the standard distribution in S0, by ball arithmetic: Nolan's
# integral and inversion of the characteristic function agree to 35 digits (data-raw/small-alpha-reference.R).
expect_log_scale <- function(got, log_got, right, tolerance) {
  expect_lt(max(abs(log_got - right) / pmax(1, abs(right))), tolerance)
  fits <- abs(right) < 690
  expect_lt(max(abs(log(got[fits]) - right[fits]) / pmax(1, abs(right[fits]))), tolerance)
}

test_that("values for small alpha agree with ball arithmetic", {
  r <- read.csv(test_path("data", "small-alpha.csv"), comment.char = "#")
  expect_log_scale(dstable(r$x, r$alpha, r$beta), dstable(r$x, r$alpha, r$beta, log = TRUE), r$logpdf, 1e-12)
  for (lower in c(TRUE, FALSE))
    expect_log_scale(pstable(r$x, r$alpha, r$beta, lower.tail = lower),
                     pstable(r$x, r$alpha, r$beta, lower.tail = lower, log.p = TRUE),
                     log(if (lower) r$cdf else r$sf), 1e-12)
})

# The relative error of a quantile is that of p, about 1e-16, divided by alpha.
test_that("quantiles for small alpha agree with ball arithmetic", {
  r <- read.csv(test_path("data", "small-alpha-quantiles.csv"), comment.char = "#")
  expect_lt(max(abs(qstable(r$p, r$alpha, r$beta) / r$q - 1) * r$alpha), 1e-13)
})

# As alpha decreases to 0, |X - zeta|^-alpha tends to an exponential variable, and its sign is positive with probability
# (1 + beta)/2.
test_that("values for alpha next to 0 are those of the limit", {
  for (alpha in c(1e-20, 1e-155, 1e-290)) for (beta in c(-0.5, 0, 1e-10, 0.5, 1)) {
    right <- (1 + beta) / 2
    expect_equal(pstable(1, alpha, beta), 1 - right + right * exp(-1), tolerance = 1e-14)
    expect_equal(pstable(1, alpha, beta, lower.tail = FALSE), right * (1 - exp(-1)), tolerance = 1e-14)
    expect_equal(pstable(-1, alpha, beta), (1 - right) * (1 - exp(-1)), tolerance = 1e-14)
    expect_equal(dstable(1, alpha, beta) / alpha, right * exp(-1), tolerance = 1e-14)
  }
})

test_that("quantiles beyond the largest double are infinite", {
  p <- c(1e-300, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-5)
  for (alpha in c(1e-8, 1e-4, 0.001, 0.01, 0.02)) for (beta in c(-1, -0.5, 0, 1e-10, 0.99)) for (pm in 0:1) {
    q <- qstable(p, alpha, beta, pm = pm)
    expect_identical(q == Inf, p > pstable(1.6e308, alpha, beta, pm = pm))
    expect_identical(q == -Inf, p < pstable(-1.6e308, alpha, beta, pm = pm))
    expect_identical(qstable(log(p), alpha, -beta, pm = pm, lower.tail = FALSE, log.p = TRUE) == -Inf, q == Inf)
  }
  p <- seq(0.999, 1 - 1e-5, length.out = 10000)
  expect_identical(qstable(p, 0.01, 0.3) == Inf, p > pstable(1.65e308, 0.01, 0.3))
})

tiny <- c(1e-5, 1e-4, 0.001, 0.005, 0.0075, 0.01, 0.1, 0.5, 0.9, 0.99)

test_that("the density is 0 at the end of the support for every alpha", {
  for (side in c(1, -1)) {
    expect_identical(dstable(0, tiny, side, pm = 1), 0 * tiny)
    expect_identical(dstable(0, tiny, side, pm = 1, log = TRUE), -Inf + 0 * tiny)
    expect_identical(dstable(3, tiny, side, 2, 3, pm = 1), 0 * tiny)
    expect_identical(pstable(0, tiny, side, pm = 1), 0 * tiny + (side < 0))
    expect_identical(pstable(0, tiny, side, pm = 1, lower.tail = FALSE), 0 * tiny + (side > 0))
    expect_identical(stable_eval(0, 0.001, side, pm = 1, what = "pdf")$pdf, 0)
  }
})

test_that("the density at zeta agrees with its closed form, whose logarithm is finite even if the density overflows", {
  expected <- function(alpha, beta) {
    t <- beta * tanpi(alpha / 2)
    lgamma(1 + 1 / alpha) + log(cos(atan(t) / alpha)) - log1p(t^2) / (2 * alpha) - log(pi)
  }
  for (alpha in c(1e-5, 0.001, 0.005, 0.006, 0.01, 0.3, 0.7)) for (beta in c(-0.9, 0, 0.4))
    expect_equal(dstable(0, alpha, beta, pm = 1, log = TRUE), expected(alpha, beta), tolerance = 1e-12)
  expect_identical(dstable(0, 0.001, 0.3), dstable(0, 0.001, 0.3))
  expect_identical(dstable(0, 0.001, 0), Inf)
})

test_that("the median of a symmetric distribution is exactly delta", {
  alpha <- c(tiny, 1, 1.3, 2)
  for (pm in 0:2) {
    expect_identical(qstable(0.5, alpha, 0, pm = pm), 0 * alpha)
    expect_identical(qstable(0.5, alpha, 0, 2, 0.3, pm, lower.tail = FALSE), 0.3 + 0 * alpha)
    expect_identical(qstable(log(0.5), alpha, 0, 1e10, -7, pm, log.p = TRUE), -7 + 0 * alpha)
  }
  expect_identical(qstable(rep(0.5, 6000), 0.5, 0), numeric(6000))
})

test_that("the quantile of the probability at zeta is zeta", {
  for (alpha in c(0.001, 0.01, 0.2, 0.5, 0.94)) for (beta in c(-1, -0.7, 0.2, 1)) for (lower in c(TRUE, FALSE))
    for (log in c(TRUE, FALSE)) {
      p <- pstable(0, alpha, beta, 2, 0, 1, lower, log)
      expect_identical(qstable(p, alpha, beta, 2, 0, 1, lower, log), 0)
    }
})

test_that("S2 has quantiles and random numbers even if its scale factor alpha^(-1/alpha) overflows", {
  for (alpha in c(1e-5, 0.001, 0.005, 0.0075)) for (beta in c(-1, -0.45, 0, 0.3, 1)) {
    p <- c(0, 0.1, 0.3, 0.6, 0.9, 1)
    q <- qstable(p, alpha, beta, pm = 2)
    expect_false(anyNA(q))
    expect_false(is.unsorted(q))
    expect_identical(sign(q[2:5]), sign(qstable(p[2:5], alpha, beta, pm = 1)))
    set.seed(4)
    y <- rstable(400, alpha, beta, pm = 2)
    expect_false(anyNA(y))
    expect_lt(abs(mean(y > 0) - pstable(0, alpha, beta, pm = 1, lower.tail = FALSE)), 0.1)
    expect_equal(pstable(0, alpha, beta, pm = 2), pstable(0, alpha, beta, pm = 1), tolerance = 1e-12)
    expect_identical(abs(stable_es(0.05, alpha, beta, pm = 2, lower.tail = beta < 1)), Inf)
  }
  # the product of the scale and the distance from zeta is finite although the scale overflows
  expect_equal(log(qstable(0.5001, 0.005, 0, pm = 2)), log(qstable(0.5001, 0.005, 0)) - log(0.005) / 0.005,
               tolerance = 1e-11)
  expect_equal(pstable(1e300, 0.005, 0, pm = 2), pstable(exp(log(1e300) + log(0.005) / 0.005), 0.005, 0),
               tolerance = 1e-11)
})

test_that("probabilities 0 and 1 give the ends of the support", {
  for (alpha in c(0.001, 0.3, 0.9)) {
    expect_identical(qstable(c(0, 1), alpha, 1, 2, 5, pm = 1), c(5, Inf))
    expect_identical(qstable(c(0, 1), alpha, -1, 2, 5, pm = 1), c(-Inf, 5))
    expect_identical(qstable(c(-Inf, 0), alpha, 1, 2, 5, pm = 1, log.p = TRUE), c(5, Inf))
    expect_identical(dstable(c(-Inf, Inf), alpha, 0.3, pm = 1), c(0, 0))
  }
})

test_that("the location of S2 is the mode, however close it is to zeta", {
  for (alpha in c(0.0075, 0.01, 0.02, 0.05, 0.1, 0.3)) for (beta in c(-1, -0.9, 0.3, 1)) {
    mode <- stable_mode(alpha, beta, pm = 1)
    expect_equal(pstable(0, alpha, beta, pm = 2), pstable(mode, alpha, beta, pm = 1), tolerance = 1e-12)
    if (mode != 0)
      expect_equal(dstable(0, alpha, beta, pm = 2, log = TRUE),
                   dstable(mode, alpha, beta, pm = 1, log = TRUE) + log(alpha) / alpha, tolerance = 1e-12)
    q <- qstable(c(0.2, 0.8), alpha, beta, pm = 2)
    fits <- is.finite(q)
    expect_equal(pstable(q, alpha, beta, pm = 2)[fits], c(0.2, 0.8)[fits], tolerance = 1e-11)
  }
})
