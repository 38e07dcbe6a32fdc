# Weights of observations.

test_that("an integer weight is equivalent to repeating the observation", {
  for (case in list(c(1.5, 0.3), c(0.45, 0.5), c(0.25, 0), c(1.95, 0))) {
    x <- fit_sample_of(150, case[1], case[2], 2, 3)
    w <- rep(c(1, 2, 1, 3, 1), 30)
    weighted <- stablefit(x, weights = w)
    repeated <- stablefit(rep(x, w))
    expect_equal(coef(weighted), coef(repeated), tolerance = 1e-7)
    expect_equal(vcov(weighted), vcov(repeated), tolerance = 1e-5)
    expect_equal(logLik(weighted), logLik(repeated), tolerance = 1e-10)
    expect_equal(BIC(weighted), BIC(repeated), tolerance = 1e-10)
  }
})

test_that("two observations with weight 1/2 count as one, and observations with weight 0 are ignored", {
  x <- fit_sample_of(200, 1.4, 0.2)
  plain <- stablefit(x)
  expect_equal(coef(stablefit(c(x, x), weights = rep(0.5, 400))), coef(plain), tolerance = 1e-7)
  expect_identical(coef(stablefit(c(1e9, x, -5), weights = c(0, rep(1, 200), 0))), coef(plain))
  expect_identical(coef(stablefit(c(x, NA), weights = rep(1, 201))), coef(plain))
  expect_equal(coef(stablefit(rev(x), weights = rep(1, 200))), coef(plain), tolerance = 1e-9)
})

test_that("normal fits use weighted moments", {
  set.seed(2)
  x <- rnorm(300)
  w <- runif(300)
  fit <- stablefit(x, weights = w, fixed = list(alpha = 2))
  m <- weighted.mean(x, w)
  expect_equal(coef(fit)[["delta"]], m, tolerance = 1e-12)
  expect_equal(coef(fit)[["gamma"]], sqrt(sum(w * (x - m)^2) / sum(w) / 2), tolerance = 1e-12)
  expect_equal(as.numeric(logLik(fit)), sum(w * dstable(x, 2, 0, coef(fit)[["gamma"]], m, log = TRUE)),
               tolerance = 1e-12)
})

test_that("bad weights are errors", {
  x <- fit_sample_of(20, 1.5, 0)
  refused <- function(weights, words, ...)
    expect_error(stablefit(x, weights = weights, ...), words, class = "stablecl_error_argument")
  refused(1:3, "must be 20 numbers")
  refused(rep("a", 20), "must be 20 numbers")
  refused(replace(rep(1, 20), 4, -1), "element 4 is -1")
  refused(replace(rep(1, 20), 5, NA), "element 5 is NA")
  refused(rep(1, 20), "require method = \"mle\"", method = "quantile")
  expect_error(stablefit(x, weights = rep(0, 20)), "at least 8", class = "stablecl_error_data")
  expect_error(stablefit(list(x), weights = rep(1, 20)), "several samples", class = "stablecl_error_argument")
  expect_error(stablefit(x, weights = c(100, rep(1, 19))), "of the weight of `x` is at one value",
               class = "stablecl_error_data")
})
