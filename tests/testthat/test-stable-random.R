# Properties of random numbers that do not involve the distribution function.

draws <- function(n, ..., seed = 20) {
  set.seed(seed)
  rstable(n, ...)
}

test_that("random numbers are continuous in alpha, especially at alpha = 1", {
  n <- 2000
  for (beta in c(-1, -0.4, 0, 1e-9, 0.7, 1)) {
    at_one <- draws(n, 1, beta)
    for (e in c(1e-15, 1e-12, 1e-9, 1e-6)) for (side in c(-1, 1)) {
      near <- draws(n, 1 + side * e, beta)
      # d X/d alpha is about log(Z)^2 X/2, far below 1e3 (1 + |X|)
      expect_lt(max(abs(near - at_one) / (1 + abs(at_one))), 1e3 * e + 1e-14)
    }
  }
})

test_that("difference quotients at alpha = 1 agree for different step sizes", {
  slope <- function(e) (draws(500, 1 + e, 0.8) - draws(500, 1 - e, 0.8)) / (2 * e)
  coarse <- slope(1e-5)
  fine <- slope(1e-7)                # an error of 1e-13 in a draw would appear as 1e-6
  expect_lt(max(abs(coarse - fine) / (1 + abs(coarse) + draws(500, 1, 0.8)^2)), 1e-6)
})

test_that("alpha = 1, beta = 0 gives Cauchy variates, and alpha = 2 normal ones", {
  x <- draws(5000, 1, 0)
  expect_gt(ks.test(x, pcauchy)$p.value, 1e-4)
  y <- draws(5000, 2, 0.9)
  expect_gt(ks.test(y, pnorm, 0, sqrt(2))$p.value, 1e-4)
  expect_equal(y, draws(5000, 2, -0.3))                  # beta has no effect
})

test_that("Levy variates follow their closed form on both sides", {
  levy <- function(x) ifelse(x <= 0, 0, 2 * pnorm(-1 / sqrt(pmax(x, 0))))
  expect_gt(ks.test(draws(5000, 0.5, 1, pm = 1), levy)$p.value, 1e-4)
  expect_gt(ks.test(-draws(5000, 0.5, -1, pm = 1, seed = 21), levy)$p.value, 1e-4)
  expect_gt(ks.test(draws(5000, 0.5, 1), function(x) levy(x + 1))$p.value, 1e-4)
})

test_that("one-sided distributions stay inside their support", {
  for (alpha in c(0.05, 0.3, 0.7, 0.99)) {
    expect_true(all(draws(1e5, alpha, 1, pm = 1) >= 0))
    expect_true(all(draws(1e5, alpha, -1, pm = 1) <= 0))
    expect_true(all(draws(1e5, alpha, 1) >= -tan(pi * alpha / 2) * (1 + 1e-15)))
  }
})

test_that("the logarithm of |X| has its known mean and variance", {
  # Zolotarev (1986), section 3.6, for S1 and alpha != 1, scale 1:
  # E log|X| = C (1/alpha - 1) - log(cos(theta))/alpha,  theta = atan(beta tan(pi alpha/2))
  # Var log|X| = pi^2 (1/(6 alpha^2) + 1/12) - (theta/alpha)^2
  euler <- -digamma(1)
  n <- 40000
  for (alpha in c(0.03, 0.1, 0.5, 0.9, 1.2, 1.9)) for (beta in c(-1, -0.5, 0, 0.9)) {
    theta <- atan(beta * tan(pi * alpha / 2))
    l <- log(abs(draws(n, alpha, beta, pm = 1)))
    mean_log <- euler * (1 / alpha - 1) - log(cos(theta)) / alpha
    var_log <- pi^2 * (1 / (6 * alpha^2) + 1 / 12) - (theta / alpha)^2
    expect_lt(abs(mean(l) - mean_log) / sqrt(var_log / n), 4.5)
    expect_lt(abs(var(l) / var_log - 1), 0.12)
    # P(X > 0) = 1/2 + theta/(pi alpha)
    positive <- mean(draws(n, alpha, beta, pm = 1) > 0)
    p <- 0.5 + theta / (pi * alpha)
    expect_lte(abs(positive - p), 4.5 * sqrt(p * (1 - p) / n) + 1e-12)
  }
})

test_that("samples have the right characteristic function", {
  n <- 40000
  t <- c(0.1, 0.5, 1, 2, -1.3)
  for (alpha in c(0.4, 0.95, 1, 1 + 1e-8, 1.3, 1.8)) for (beta in c(-1, 0.6)) for (pm in 0:1) {
    if (pm == 1 && abs(alpha - 1) == 1e-8) next          # there S1 is shifted from S0 by about 1e8
    x <- draws(n, alpha, beta, gamma = 1.5, delta = -0.5, pm = pm, seed = 23)
    for (at in t) {
      empirical <- mean(exp(1i * at * x))
      expect_lt(Mod(empirical - stable_cf(at, alpha, beta, 1.5, -0.5, pm)) * sqrt(n), 4.5)
    }
  }
})

test_that("at alpha = 0.01 random numbers overflow only where the value does", {
  n <- 50000
  plain <- draws(n, 0.01, 0.3, pm = 1)
  small <- draws(n, 0.01, 0.3, gamma = 1e-300, pm = 1)
  expect_false(anyNA(plain))
  expect_false(anyNA(small))
  rescued <- is.infinite(plain) & is.finite(small)
  expect_gt(sum(rescued), 10)
  both <- is.finite(plain) & abs(small) > 1e-290
  expect_equal(log(abs(small[both])), log(abs(plain[both])) + log(1e-300), tolerance = 1e-13)
  # also in S0; and a huge scale does not destroy small values
  expect_equal(draws(n, 0.01, 0.3, gamma = 1e-300)[rescued], small[rescued], tolerance = 1e-12)
  large <- draws(n, 0.01, 0.3, gamma = 1e300, pm = 1)
  tiny <- plain == 0 & large != 0
  expect_gt(sum(tiny), -1)
  expect_true(all(sign(small[rescued]) == sign(plain[rescued])))
})

test_that("random numbers are finite and distinct over the range of alpha", {
  for (alpha in c(0.1, 0.5, 0.999999, 1, 1.000001, 1.5, 1.999999, 2)) for (beta in c(-1, 0, 1)) {
    x <- draws(50000, alpha, beta)
    expect_true(all(is.finite(x)))
    expect_identical(anyDuplicated(x[abs(x) > 1e-3]), 0L)
  }
})

test_that("S1 variates are S0 variates less zeta, and at alpha = 1 shifted by the logarithm of the scale", {
  for (alpha in c(0.4, 1.6)) {
    zeta <- -0.7 * tan(pi * alpha / 2)
    expect_equal(draws(100, alpha, 0.7, 2, 1, pm = 1),
                 draws(100, alpha, 0.7, 2, 1, pm = 0) - 2 * zeta, tolerance = 1e-12)
  }
  expect_equal(draws(100, 1, 0.7, 3, 1, pm = 1),
               draws(100, 1, 0.7, 3, 1, pm = 0) + 0.7 * 3 * 2 / pi * log(3), tolerance = 1e-12)
})

test_that("S1 variates keep their digits close to alpha = 1", {
  for (alpha in 1 + c(-1e-3, -1e-9, -1e-15, 1e-15, 1e-9, 1e-3)) {
    expect_identical(draws(500, alpha, 0, pm = 1), draws(500, alpha, 0))     # zeta = 0
    zeta <- -1e-16 / tan(pi / 2 * (1 - alpha))
    expect_equal(draws(500, alpha, 1e-16, pm = 1), draws(500, alpha, 1e-16) - zeta,
                 tolerance = 1e-14)
  }
})
