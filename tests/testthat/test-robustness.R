# Calls for which other packages fail, return wrong values or crash.

test_that("parameters that crash other packages give NaN", {
  y <- outcome(dstable(1, c(0, 1.5), 0, gamma = c(1, NA)))
  expect_identical(kind(y$value), c("NaN", "NA"))
  expect_identical(pstable(1, 1.5, 0, delta = Inf), 0)
  y <- outcome(qstable(c(0.5, NA), 1, 0))
  expect_identical(kind(y$value), c("number", "NA"))
  expect_identical(suppressWarnings(rstable(3, 0, 0)), c(NaN, NaN, NaN))
})

test_that("missing values are not an error", {
  expect_identical(dstable(NA, 1.5, 0.5), NA_real_)
  expect_identical(qstable(NA, 1.5, 0.5), NA_real_)
  expect_identical(is.na(pstable(c(1, NA), 1.5, 0.5)), c(FALSE, TRUE))
  expect_identical(suppressWarnings(qstable(-0.1, 1.5, 0.5)), NaN)
})

test_that("a bad element does not affect the others", {
  y <- suppressWarnings(qstable(c(0.75, 1.2), 1, 0))
  expect_identical(kind(y), c("number", "NaN"))
  expect_equal(y[1], 1)
})

test_that("infinite points give no warning", {
  y <- outcome(dstable(c(Inf, -Inf), 1.5, 0.5))
  expect_identical(y$value, c(0, 0))
  expect_length(y$warnings, 0)
  y <- outcome(pstable(c(-Inf, Inf), 0.5, 1))
  expect_identical(y$value, c(0, 1))
})

test_that("S1 at alpha = 1 is shifted by the logarithm of the scale", {
  expect_equal(dstable(0.5, 1, 0.5, 3, 1, pm = 1), 0.0968181671450856, tolerance = 1e-12)
})

test_that("calls print nothing", {
  expect_silent(dstable(1, 1.5, 0.5))
  expect_silent(qstable(0.5, 1.5, 0.5))
  expect_silent(rstable(10, 1.5, 0.5))
})

test_that("d, p and q functions pass the checks of packages that use them", {
  for (f in list(dstable, pstable, qstable)) {
    expect_identical(f(numeric(0), 1.5, 0.5), numeric(0))
    expect_length(suppressWarnings(f(c(0, 1, Inf, NaN, -1), 1.5, 0.5)), 5)
    expect_length(suppressWarnings(f(c(0, 1, NA), 1.5, 0.5)), 3)
    expect_length(suppressWarnings(f(c(0, 1), -1.5, -0.5, -1, 0)), 2)
    expect_error(f(0.5, 1.5, 0.5, gama = 2), "unused argument")
    expect_error(f(0.5, 1.5), "missing")
  }
  expect_identical(names(formals(rstable)), c("n", "alpha", "beta", "gamma", "delta", "pm", "precision"))
})
