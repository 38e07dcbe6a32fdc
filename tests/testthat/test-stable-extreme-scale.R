# Standardised arguments and densities outside the range of doubles whose logarithms are inside.

test_that("a standardised argument beyond the range of doubles follows the power law", {
  expect_equal(dstable(1e300, 1, 0, gamma = 1e-300, log = TRUE),
               -log(pi) - 900 * log(10), tolerance = 1e-14)
  expect_equal(pstable(1e300, 1, 0, gamma = 1e-300, lower.tail = FALSE, log.p = TRUE),
               -log(pi) - 600 * log(10), tolerance = 1e-14)
  # scaling: log f(c x; c gamma) = log f(x; gamma) - log c, at any distance
  for (alpha in c(0.3, 0.9, 1.5)) {
    expect_equal(dstable(-1e200, alpha, 0.5, gamma = 1e-200, log = TRUE),
                 dstable(-1e250, alpha, 0.5, gamma = 1e-150, log = TRUE) + 50 * log(10),
                 tolerance = 1e-13)
  }
})

test_that("the error estimate is large where the power law is inaccurate", {
  far <- stable_eval(1e300, c(0.002, 1.5), 0, gamma = 1e-300)
  expect_gt(far$error[1], 1e-2)
  expect_lt(far$error[2], 1e-12)
})

test_that("densities that underflow are 0 with a scale next to 0, too", {
  expect_identical(dstable(2.50882825953496e-300, 0.501732466253452, -1, 2.49521051202453e-300), 0)
  expect_lt(dstable(2.50882825953496e-300, 0.501732466253452, -1, 2.49521051202453e-300, log = TRUE), -700)
})
