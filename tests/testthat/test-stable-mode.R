test_that("symmetric and normal distributions have their mode at delta", {
  expect_identical(stable_mode(c(0.3, 1, 1.7, 2), 0), c(0, 0, 0, 0))
  expect_identical(stable_mode(2, c(-1, 0.5)), c(0, 0))
  expect_identical(stable_mode(1.5, 0, gamma = 3, delta = 2), 2)
})

test_that("the mode of the Levy distribution is 1/3", {
  expect_equal(stable_mode(0.5, 1, pm = 1), 1 / 3, tolerance = 1e-14)
  expect_equal(stable_mode(0.5, 1), 1 / 3 - 1, tolerance = 1e-14)
  expect_equal(stable_mode(0.5, -1, gamma = 2, delta = 1), 1 + 2 * 2 / 3, tolerance = 1e-14)
})

test_that("modes agree with the zeros of slopes in ball arithmetic", {
  right <- utils::read.csv(test_path("data", "modes.csv"), comment.char = "#")
  expect_gt(nrow(right), 30)
  apart <- abs(stable_mode(right$alpha, right$beta) - right$mode)
  expect_lte(max(apart), 1e-14)
  expect_lte(max(apart[right$beta < 0.1]), 1e-16)
})

test_that("modes are linear in beta as beta tends to 0", {
  alpha <- c(0.3, 0.5, 0.7, 0.94, 0.95, 0.999, 1.001, 1.2, 1.5, 1.8, 1.99)
  slope <- tan(pi / 2 * alpha) * expm1(lgamma(1 + 2 / alpha) - lgamma(3 / alpha))
  for (beta in c(1e-300, 1e-12, -1e-8)) expect_equal(stable_mode(alpha, beta) / beta, slope, tolerance = 1e-11)
  expect_equal(stable_mode(1, 1e-9) / 1e-9, -2 / pi * digamma(3), tolerance = 1e-14)
})

test_that("modes are continuous where their method changes", {
  mode <- function(alpha, beta) stable_mode(alpha + 1e-15 * c(-1, 1), beta)
  for (alpha in c(0.95, 1)) for (beta in c(0.001, 0.1)) expect_equal(diff(mode(alpha, beta)), 0, tolerance = 1e-13)
  limit <- c(0.05 * (2 * 0.4)^4, 0.1, 0.1, 0.1, 0.3 / -tan(pi / 2 * c(1.4, 1.6)))
  for (k in 1:6) {
    beta <- limit[k] * (1 + 1e-14 * c(-1, 1))
    expect_lt(abs(diff(stable_mode(c(0.4, 0.7, 1, 1.2, 1.4, 1.6)[k], beta))), 3e-14)
  }
})

test_that("modes agree with values of stabledist", {
  # stabledist's own test suite (tests/dstab-ex.R)
  expect_equal(stable_mode(0.3, 0.5), -0.2505743952946, tolerance = 1e-8)
  expect_equal(stable_mode(0.1, 0.5), -0.079193, tolerance = 1e-4)
})

test_that("the density is lower on both sides of the mode, and modes are reflected", {
  for (alpha in c(0.4, 0.8, 1, 1.1, 1.5, 1.9)) for (beta in c(-1, -0.3, 0.6)) {
    m <- stable_mode(alpha, beta)
    step <- 1e-3 * c(-1, 1)
    expect_true(all(dstable(m + step, alpha, beta) < dstable(m, alpha, beta)))
    expect_identical(stable_mode(alpha, -beta), -m)
  }
})

test_that("modes respect location, scale and parametrisation", {
  expect_equal(stable_mode(1.5, 0.5, 3, 2), 2 + 3 * stable_mode(1.5, 0.5))
  expect_equal(stable_mode(1.5, 0.5, 3, 2, pm = 1),
               2 + 3 * (stable_mode(1.5, 0.5) + 0.5 * tan(pi * 0.75)))
  expect_equal(stable_mode(1, 0.5, 3, 2, pm = 1),
               2 + 3 * stable_mode(1, 0.5) + 0.5 * 3 * 2 / pi * log(3))
  expect_identical(stable_mode(1.5, 0.5, 3, 2, pm = 2), 2)
})

test_that("stable_mode() follows the conventions of R's distribution functions", {
  y <- outcome(stable_mode(c(a = 1.5, b = 3, c = NA, d = NaN), 0))
  expect_identical(kind(y$value), c("number", "NaN", "NA", "NaN"))
  expect_named(y$value, c("a", "b", "c", "d"))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(stable_mode(numeric(0), 0), numeric(0))
  expect_identical(stable_mode(1.5, 0, gamma = 0, delta = 4), 4)
  expect_error(stable_mode("1", 0), "Non-numeric argument to mathematical function")
})

test_that("stableMode(), which scripts for stabledist use, warns and returns the same mode", {
  alpha <- c(0.3, 0.9, 1, 1.5, 2)
  expect_warning(mode <- stableMode(alpha, 0.5), class = "stablecl_warning_deprecated")
  expect_identical(mode, stable_mode(alpha, 0.5))
  expect_warning(mode <- stableMode(1.5, 1, beta.max = 1 - 1e-11, tol = 1e-3), "stable_mode", fixed = TRUE)
  expect_identical(mode, stable_mode(1.5, 1))
  expect_identical(names(formals(stableMode)), c("alpha", "beta", "beta.max", "tol"))
})
