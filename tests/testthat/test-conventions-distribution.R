test_that("pstable() follows the conventions of pnorm()", {
  expect_conventions(pstable, pnorm, convention_cases())
  expect_conventions(pstable, pnorm, convention_cases(), lower.tail = FALSE, log.p = TRUE)
})

test_that("pstable() treats scale 0 and infinite arguments as pnorm() does", {
  x <- rep(c(-Inf, -1, 0, 2, Inf), each = 20)
  delta <- rep(rep(c(-Inf, 0, 2, Inf), each = 5), 5)
  gamma <- rep(c(0, 1, 3, Inf, -1), 20)
  for (lower in c(FALSE, TRUE)) {
    ours <- outcome(pstable(x, 1, 0, gamma, delta, lower.tail = lower))
    base <- outcome(pnorm(x, delta, gamma, lower.tail = lower))
    expect_identical(ours$value %in% c(0, 1, NaN), base$value %in% c(0, 1, NaN))
    known <- base$value %in% c(0, 0.5, 1, NaN)
    expect_identical(ours$value[known], base$value[known])
    expect_identical(ours$warnings, "NaNs produced")
  }
})

test_that("both tails and their logarithms are accurate", {
  x <- c(-1e300, -1e10, -1, 0, 1, 1e10, 1e300)
  for (lower in c(TRUE, FALSE)) for (log in c(TRUE, FALSE)) {
    expect_equal(pstable(x, 1, 0, lower.tail = lower, log.p = log),
                 pcauchy(x, lower.tail = lower, log.p = log), tolerance = 1e-14)
  }
  expect_equal(pstable(1, 1, 0, lower.tail = NA), pcauchy(1))
  expect_equal(pstable(1, 1, 0, lower.tail = c(FALSE, TRUE)), pcauchy(1, lower.tail = FALSE))
})

test_that("S1 at alpha = 1 and beta = 0 avoids 0 times infinity", {
  expect_equal(pstable(3, 1, 0, gamma = Inf, pm = 1), 0.5)
  expect_equal(pstable(3, 1, c(-0.5, 0.5), gamma = Inf, pm = 1), c(1, 0))
})
