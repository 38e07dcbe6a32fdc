# Adaptive Simpson quadrature.

simpson <- function(...) gintegrate(..., method = "simpson")

test_that("polynomials of degree 5 are exact with the smallest number of points", {
  r <- simpson(function(x) 1 + x^3 - 2 * x^5, -1, 2)
  expect_equal(r$value, 3 + 15 / 4 - 21, tolerance = 1e-14)
  expect_equal(simpson(function(x) 1 + x, 0, 1)$evaluations, 7 * 5 + 14 * 2)
})

test_that("bisection reuses the values of the whole interval, so that no point is evaluated twice", {
  seen <- double()
  f <- function(x) {
    seen <<- c(seen, x)
    as.numeric(format(sqrt(x), digits = 17))
  }
  r <- suppressMessages(simpson(f, 0, 1, rel.tol = 1e-6))
  expect_equal(length(seen), r$evaluations)
  expect_equal(sum(duplicated(signif(seen, 12))), 6)            # common ends of the first intervals
})

test_that("infinite limits, breaks and singular ends are handled", {
  expect_equal(simpson(function(x) exp(-x^2), -Inf, Inf)$value, sqrt(pi), tolerance = 1e-8)
  expect_equal(simpson(function(x) exp(x), -Inf, 1)$value, exp(1), tolerance = 1e-8)
  expect_equal(simpson(function(x) exp(-abs(x - 2)), -Inf, Inf, breaks = c(-1, 2))$value, 2, tolerance = 1e-8)
  cut <- simpson(function(x) if (x > 1/3) exp(x) else 0, 0, 1, breaks = 1/3)
  expect_equal(cut$value, exp(1) - exp(1/3), tolerance = 1e-8)
  expect_equal(simpson(function(x) 1 / sqrt(abs(x - 0.3)), 0, 1, breaks = 0.3)$value, 2 * (sqrt(0.3) + sqrt(0.7)),
               tolerance = 1e-7)
  expect_warning(r <- simpson(function(x) 1 / x, 0, 1), class = "gintegrate_warning_status")
  expect_warning(simpson(function(x) sqrt(x), -1, 1), "not finite")
  expect_error(gintegrate(function(x) x, 0, 1, breaks = 0.5, method = "tanhsinh"), "`breaks` are supported",
               class = "stablecl_error_argument")
})

test_that("each integral of a batch is identical to the single integral, for any number of threads", {
  set.seed(2)
  k <- runif(3000, 0.02, 0.5)
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  by_threads <- lapply(1:2, function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    simpson(f, 0, 1, params = data.frame(k = k))
  })
  for (part in c("value", "abs.error", "evaluations"))
    expect_identical(by_threads[[1]][[part]], by_threads[[2]][[part]])
  expect_identical(simpson(f, 0, 1, k = k[17])$value, by_threads[[1]]$value[17])
  expect_equal(by_threads[[1]]$value, gintegrate(f, 0, 1, params = data.frame(k = k))$value, tolerance = 1e-8)
})
