# Large samples, which are first fitted in part, and samples that are too large to be sorted.

# Returns the largest difference of estimates, in standard errors of the second fit.
gap_of <- function(a, b) max(abs(coef(a) - coef(b)) / sqrt(diag(vcov(b))))

test_that("an unsorted sample has the same fit as the sorted one", {
  skip_on_cran()
  set.seed(2)
  x <- 3 - 2 * rstable(4.2e6, 1.4, 0.6)
  free <- stablefit(x)
  sorted <- stablefit(x, weights = rep(1, length(x)))           # a sample with weights is always sorted
  expect_lt(gap_of(free, sorted), 1e-6)
  expect_equal(free$loglik, sorted$loglik, tolerance = 1e-12)
  expect_equal(vcov(free), vcov(sorted), tolerance = 1e-6)
  expect_lt(gap_of(stablefit(sort(x)), sorted), 1e-6)           # also if values are in order
})

test_that("a large sample has the same maximum as a search that starts at the true parameters", {
  set.seed(3)
  x <- rstable(2e5, 1.7, -0.4)
  fit <- stablefit(x)
  near <- stablefit(x, start = c(alpha = 1.7, beta = -0.4, gamma = 1, delta = 0))
  expect_lt(gap_of(fit, near), 1e-6)
})

test_that("a stable_data() object has the same fit as its sample", {
  set.seed(4)
  x <- rstable(500, 1.5, 0.5)
  kept <- stable_data(x)
  same <- c("coefficients", "vcov", "loglik", "nobs", "convergence", "data")
  expect_identical(stablefit(kept)[same], stablefit(x)[same])
  expect_identical(stablefit(kept, fixed = list(beta = 0))[same], stablefit(x, fixed = list(beta = 0))[same])
  w <- rep(1:2, 250)
  expect_identical(coef(stablefit(kept, weights = w)), coef(stablefit(x, weights = w)))
  expect_identical(coef(stablefit(unserialize(serialize(kept, NULL)))), coef(stablefit(x)))
  expect_length(kept, 500)
  expect_output(print(kept), "Sample of 500 values")
  expect_error(stable_data(c(x, NA)), "missing values")
  expect_error(stable_data(c(x, Inf)), "element 501 is Inf", class = "stablecl_error_data")
  expect_error(stablefit(kept, weights = rep(0:1, 250)), "must be positive", class = "stablecl_error_argument")
})

test_that("a stable_data() object has the same fit on a device", {
  skip_without_device()
  set.seed(5)
  x <- rstable(2e5, 1.3, 0.2)
  kept <- stable_data(x)
  stable_backend("opencl")
  on.exit(stable_backend("default"))
  twice <- list(stablefit(kept), stablefit(kept))
  expect_identical(coef(twice[[1]]), coef(twice[[2]]))
  stable_backend("cpu")
  expect_lt(gap_of(twice[[1]], stablefit(x)), 1e-6)
})
