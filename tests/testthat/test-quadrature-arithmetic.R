# Integrals as operands: arithmetic, mathematical functions and conversion to numbers.

half <- gintegrate(function(x) x, 0, 1)
powers <- gintegrate(function(x, k) x^k, 0, 1, params = data.frame(k = 3:1))
values <- c(0.25, 1 / 3, 0.5)

test_that("as.numeric() returns the values as plain numbers", {
  expect_identical(as.numeric(half), half$value)
  expect_identical(as.double(powers), powers$value)
  expect_equal(as.numeric(powers), values)
})

test_that("operators combine integrals with numbers and with each other", {
  expect_identical(2 * half, 2 * half$value)
  expect_identical(half / 4, half$value / 4)
  expect_identical(-half, -half$value)
  expect_identical(half - half, 0)
  expect_identical(powers + half, powers$value + half$value)
  expect_identical(powers^2, powers$value^2)
  expect_identical(half %/% 0.2, half$value %/% 0.2)
  expect_identical(1:3 * powers, 1:3 * powers$value)
  expect_equal(powers < 0.4, c(TRUE, TRUE, FALSE))
  expect_true(half == half$value && half != 0 && !(half > 0.6))
})

test_that("mathematical functions and summaries use the values", {
  expect_identical(sqrt(powers), sqrt(powers$value))
  expect_identical(exp(half), exp(half$value))
  expect_identical(round(powers, 1), c(0.2, 0.3, 0.5))
  expect_identical(signif(powers, digits = 1), c(0.2, 0.3, 0.5))
  expect_identical(log(powers, base = 2), log(powers$value, 2))
  expect_identical(cumsum(powers), cumsum(powers$value))
  expect_identical(sum(powers), sum(powers$value))
  expect_identical(sum(half, powers, 1), sum(half$value, powers$value, 1))
  expect_identical(range(powers, 2), range(powers$value, 2))
  expect_identical(mean(powers), mean(powers$value))
  expect_identical(do.call(max, lapply(c(a = 1, b = 2), function(to) gintegrate(function(x) x, 0, to))), 2)
  broken <- suppressWarnings(gintegrate(function(x, p) x^p, 0, 1, params = data.frame(p = c(1, -2))))
  expect_true(is.nan(sum(broken)))
  expect_equal(sum(broken, na.rm = TRUE), 0.5)
  expect_identical(is.na(broken), c(FALSE, TRUE))
})

test_that("integrals are ordered by their values", {
  expect_identical(order(powers), 1:3)
  expect_identical(sort(powers, decreasing = TRUE)$value, rev(powers$value))
})

test_that("operations without a meaning for numbers are errors", {
  expect_error(half + "a", "non-numeric")
  expect_error(sqrt(half, digits = 3))
  expect_error(round(half, tolerance = 3), "tolerance", class = "stablecl_error_argument")
})
