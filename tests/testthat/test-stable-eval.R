test_that("stable_eval() returns the values of the single functions", {
  x <- c(-Inf, -3, 0, 0.5, 1e10, Inf, NA, NaN)
  for (log in c(FALSE, TRUE)) {
    e <- stable_eval(x, 1, 0, 2, 1, log = log)
    expect_identical(e$pdf, dstable(x, 1, 0, 2, 1, log = log))
    expect_identical(e$cdf, pstable(x, 1, 0, 2, 1, log.p = log))
    expect_identical(e$sf, pstable(x, 1, 0, 2, 1, lower.tail = FALSE, log.p = log))
  }
  expect_true(all(e$error[1:6] >= 0))
})

test_that("stable_eval() returns the requested columns in the requested order", {
  expect_named(stable_eval(1:2, 1, 0, what = c("sf", "pdf")), c("sf", "pdf"))
  expect_named(stable_eval(1, 1, 0, what = "error"), "error")
  expect_named(stable_eval(1, 1, 0, what = c("pdf", "pdf")), "pdf")
  expect_s3_class(stable_eval(1, 1, 0), "data.frame")
  expect_error(stable_eval(1, 1, 0, what = "density"), "`what` must be one or more of",
               class = "stablecl_error_argument")
})

test_that("stable_eval() recycles and warns like the other functions", {
  expect_identical(dim(stable_eval(1:4, c(1, 1), 0)), c(4L, 4L))
  expect_identical(dim(stable_eval(numeric(0), 1, 0)), c(0L, 4L))
  y <- outcome(stable_eval(1, c(1, 3), 0))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(is.nan(unlist(y$value[2, ], use.names = FALSE)), rep(TRUE, 4))
})
