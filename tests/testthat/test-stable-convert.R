test_that("S0 and S1 differ by the shift in their definitions", {
  s1 <- stable_convert(c(0.5, 1, 1.5), 0.4, 3, 2, from = 0, to = 1)
  expect_equal(s1$delta, 2 - 0.4 * 3 * c(tan(pi * 0.25), 2 / pi * log(3), tan(pi * 0.75)))
  expect_identical(s1$gamma, c(3, 3, 3))
  # alpha = 1 with a scale other than 1, which S1 users rely on
  expect_equal(stable_convert(1, 0.5, 3, 1, from = 1, to = 0)$delta, 1 + 0.5 * 3 * 2 / pi * log(3))
})

test_that("conversions between parametrisations are inverses", {
  for (from in 0:2) for (to in c("S0", "S1", "S2")) {
    there <- stable_convert(c(0.6, 1, 1.4, 2), c(-0.5, 0.9), 2, 1, from, to)
    back <- stable_convert(there$alpha, there$beta, there$gamma, there$delta, to, from)
    expect_equal(back$gamma, rep(2, 4))
    expect_equal(back$delta, rep(1, 4))
  }
})

test_that("the S2 scale is the standard deviation and the Cauchy scale, and its mode is delta", {
  s2 <- stable_convert(c(1, 2), 0, gamma = c(3, 3), delta = 5, from = 0, to = 2)
  expect_equal(s2$gamma, c(3, 3 * sqrt(2)))
  expect_equal(s2$delta, c(5, 5))
  for (alpha in c(0.7, 1.2, 1.8)) {
    s0 <- stable_convert(alpha, 0.5, 2, 7, from = 2, to = 0)
    expect_equal(stable_mode(alpha, 0.5, s0$gamma, s0$delta), 7)
    x <- c(5, 7, 9)
    expect_equal(dstable(x, alpha, 0.5, 2, 7, pm = 2), dstable(x, alpha, 0.5, s0$gamma, s0$delta))
  }
})

test_that("stable_convert() handles empty, invalid and missing arguments", {
  expect_identical(dim(stable_convert(numeric(0), 0)), c(0L, 4L))
  y <- outcome(stable_convert(c(1.5, 2.5, NA), 0.5))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(is.na(y$value$delta), c(FALSE, TRUE, TRUE))
  expect_true(is.nan(y$value$alpha[2]) && !is.nan(y$value$alpha[3]))
  expect_error(stable_convert(1.5, 0, from = 3), "`from` must be 0, 1 or 2")
  expect_error(stable_convert(1.5, 0, to = "s1"), "`to` must be 0, 1 or 2")
  # gamma = 0 and beta = 0 do not produce infinite tangents or logarithms
  expect_identical(stable_convert(1, c(0, 0.5), gamma = 0, delta = 4)$delta, c(4, 4))
})
