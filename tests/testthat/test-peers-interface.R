# Calls for which other packages crash, or lose data, names or warnings
# (test-peers-values.R compares values).

expect_nan_with_one_warning <- function(code) {
  y <- outcome(code)
  expect_true(any(is.nan(y$value)))
  expect_identical(y$warnings, "NaNs produced")
  invisible(y$value)
}

test_that("parameters outside the domain give NaN and one warning", {
  for (f in list(dstable, pstable, qstable)) {
    expect_nan_with_one_warning(f(0.5, 0, 0))
    expect_nan_with_one_warning(f(0.5, 2.5, 0))
    expect_nan_with_one_warning(f(0.5, -1, 0))
    expect_nan_with_one_warning(f(0.5, 1.5, 1.1))
    expect_nan_with_one_warning(f(0.5, 1.5, 0, -1))
    expect_nan_with_one_warning(f(0.5, Inf, 0))
    expect_nan_with_one_warning(f(rep(0.5, 1000), 2.5, 0))
    partly <- expect_nan_with_one_warning(f(0.5, c(1.5, 2.5, 0.7), 0))
    expect_identical(is.nan(partly), c(FALSE, TRUE, FALSE))
  }
})

test_that("only missing values give missing results", {
  expect_silent({
    expect_identical(dstable(NA, 1.5, 0.5), NA_real_)
    expect_identical(pstable(c(0, NA), 1.5, 0.5)[2], NA_real_)
    expect_identical(qstable(c(NA, 0.5), 1.5, 0.5)[1], NA_real_)
    expect_identical(dstable(1, NA, 0.5), NA_real_)
    expect_identical(dstable(1, 1.5, 0, 1, NA), NA_real_)
    expect_identical(dstable(1, 1.5, 0, NA), NA_real_)
  })
  expect_true(is.nan(dstable(NaN, 1.5, 0.5)))
  expect_false(is.na(pstable(c(0, NA), 1.5, 0.5)[1]))
})

test_that("infinite parameters do not crash", {
  expect_type(suppressWarnings(pstable(1, 1.5, 0, c(1, Inf), c(Inf, 0))), "double")
  expect_type(suppressWarnings(qstable(0.5, 1.5, Inf)), "double")
})

test_that("random numbers with invalid parameters are NaN with a warning", {
  expect_warning(x <- rstable(3, 0, 0), "NAs produced")
  expect_identical(is.na(x), rep(TRUE, 3))
})

test_that("only probabilities outside [0, 1] give NaN", {
  q <- expect_nan_with_one_warning(qstable(c(0.5, 1.2), 1.5, 0.5))
  expect_equal(q[1], qstable(0.5, 1.5, 0.5))
  expect_nan_with_one_warning(qstable(-0.1, 1.5, 0.5))
  expect_nan_with_one_warning(qstable(0.1, 1.5, 0.5, log.p = TRUE))
})

test_that("shapes are recycled like other arguments", {
  alpha <- c(1.5, 1.6, 1.7)
  one_by_one <- function(f) vapply(1:3, function(k) f(c(0.1, 0.2, 0.3)[k], alpha[k], 0), 0)
  for (f in list(dstable, pstable, qstable)) {
    expect_silent(all <- f(c(0.1, 0.2, 0.3), alpha, 0))
    expect_identical(all, one_by_one(f))
  }
})

test_that("dim and names are kept", {
  x <- matrix(1:4, 2, dimnames = list(c("a", "b"), NULL))
  expect_identical(dim(dstable(x, 1.5, 0)), c(2L, 2L))
  expect_identical(dimnames(pstable(x, 1, 0.2)), dimnames(x))
  expect_named(qstable(c(low = 0.1, high = 0.9), 0.7, 0), c("low", "high"))
  expect_named(dstable(c(low = 0.1, high = 0.9), 2, 0), c("low", "high"))
})

test_that("scale 0 is a point mass", {
  expect_silent({
    expect_identical(dstable(c(0, 1), 1.5, 0, gamma = 0), c(Inf, 0))
    expect_identical(pstable(c(-1, 0, 1), 1.5, 0, gamma = 0), c(0, 1, 1))
    expect_identical(qstable(c(0.2, 0.9), 1.5, 0, gamma = 0, delta = 3), c(3, 3))
  })
})

test_that("infinite x gives no warning", {
  expect_silent({
    expect_identical(dstable(c(Inf, -Inf), 1.5, 0.5), c(0, 0))
    expect_identical(dstable(c(Inf, -Inf), 1.5, 0.5, log = TRUE), c(-Inf, -Inf))
    expect_identical(pstable(c(Inf, -Inf), 1.5, 0.5), c(1, 0))
    expect_identical(pstable(c(Inf, -Inf), 1, 0.5, lower.tail = FALSE), c(0, 1))
  })
})

test_that("samples depend on the parametrisation", {
  set.seed(5); s0 <- rstable(2000, 1.5, 0.5, pm = 0)
  set.seed(5); s1 <- rstable(2000, 1.5, 0.5, pm = 1)
  expect_length(s1, 2000)
  expect_equal(s1, s0 - (-0.5 * tan(pi / 2 * 1.5)), tolerance = 1e-12)
})

test_that("values at two points are those at each point", {
  expect_identical(dstable(c(5, 6), 1.5, 0.5), c(dstable(5, 1.5, 0.5), dstable(6, 1.5, 0.5)))
})

test_that("the density at the centre depends on the scale, and symmetric distributions on alpha", {
  expect_equal(dstable(0, 1.5, 0, 4), dstable(0, 1.5, 0) / 4, tolerance = 1e-14)
  expect_equal(dstable(0, 1.5, 0), gamma(5 / 3) / pi, tolerance = 1e-14)
  expect_gt(abs(pstable(2, 1.5, 0) - pcauchy(2)), 0.01)
})

test_that("a call does not affect the next one", {
  before <- dstable(0.3, 1.5, 0.5)
  dstable(0.3, 1.5, 0.5, pm = 1)
  pstable(0.3, 1.5, 0.5, pm = 2)
  expect_identical(dstable(0.3, 1.5, 0.5), before)
})

# Standardised argument in S0: (0.5 - 1)/3 - 2/pi beta log 3; value there by ball arithmetic.
test_that("S1 at alpha = 1 is shifted by the logarithm of the scale", {
  expect_equal(dstable(0.5, 1, 0.5, 3, 1, pm = 1), 0.0968181671450856, tolerance = 1e-13)
  expect_equal(dstable(0.5, 1, 0.5, 3, 1, pm = 1),
               dstable((0.5 - 1) / 3 - 2 / pi * 0.5 * log(3), 1, 0.5) / 3, tolerance = 1e-13)
})
