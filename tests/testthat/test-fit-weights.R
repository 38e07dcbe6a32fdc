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

test_that("tests of fit count each observation as often as its weight states", {
  x <- fit_sample_of(120, 1.6, 0.3, 2, 3)
  w <- rep(c(1, 2, 0, 3, 1), 24)
  weighted <- stable_gof(stablefit(x, weights = w), R = 19, seed = 1)
  repeated <- stable_gof(stablefit(rep(x, w)), R = 19, seed = 1)
  expect_equal(weighted$statistic, repeated$statistic, tolerance = 1e-6)
  expect_identical(weighted$p.value, repeated$p.value)
  halves <- stable_gof(stablefit(c(x, x), weights = rep(0.5, 240)), R = 2, seed = 1)
  expect_equal(halves$statistic, stable_gof(stablefit(x), R = 2, seed = 1)$statistic, tolerance = 1e-6)
})

test_that("methods for samples without weights refuse weights whose sum is the number of observations", {
  x <- fit_sample_of(100, 1.6, 0.3)
  fit <- stablefit(x, weights = rep(c(0.5, 1.5), 50))
  expect_identical(nobs(fit), 100)
  refused <- function(call) expect_error(call, "without weights", class = "stablecl_error_argument")
  refused(stable_compare(fit))
  refused(vcov(fit, type = "HAC"))
  refused(confint(fit, method = "HAC"))
  refused(predict(fit, 0.1, interval = "confidence", method = "HAC"))
})

test_that("plots show the observations without weights", {
  x <- fit_sample_of(100, 1.8, 0)
  fit <- stablefit(x, weights = rep(c(1, 3), 50))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (which in rownames(fit_plots)) expect_no_error(plot(fit, which = which))
  skip_if_not_installed("ggplot2")
  for (type in rownames(fit_plots)) expect_no_warning(ggplot2::ggplot_build(ggplot2::autoplot(fit, type)))
  bars <- ggplot2::ggplot_build(ggplot2::autoplot(fit, "density"))$data[[1L]]
  inside <- x >= min(bars$xmin) & x <= max(bars$xmax)
  expect_equal(sum(bars$y * (bars$xmax - bars$xmin)), mean(inside))
})

# `fit` is a function of weights.  The covariance matrix is computed by differences, whose steps are shorter for larger
# weights.
expect_factor_of_weights <- function(fit, w) {
  plain <- fit(w)
  for (k in c(2^-40, 2^40, 1e-8, 1e200)) {
    scaled <- expect_no_warning(fit(k * w))
    expect_equal(coef(scaled), coef(plain), tolerance = 1e-6)
    expect_equal(as.numeric(logLik(scaled)) / k, as.numeric(logLik(plain)), tolerance = 1e-10)
    expect_equal(vcov(scaled) * k, vcov(plain), tolerance = 1e-3)
    expect_equal(nobs(scaled) / k, nobs(plain))
    expect_true(scaled$convergence$converged)
  }
}

test_that("a common factor of the weights multiplies the log-likelihood and divides the covariance matrix", {
  set.seed(4)
  w <- rexp(150)
  for (case in list(c(1.5, 0.3), c(0.4, 0.5), c(1.95, 0), c(2, 0))) {
    x <- fit_sample_of(150, case[1], case[2])
    expect_factor_of_weights(function(w) stablefit(x, weights = w), w)
  }
  y <- fit_sample_of(150, 1.6, 0.2)
  z <- rnorm(150)
  expect_factor_of_weights(function(w) stable_lm(y ~ z, weights = w), w)
  expect_factor_of_weights(function(w) stable_lm(y ~ z, weights = w, fixed = list(alpha = 2)), w)
  left <- floor(2 * y) / 2
  expect_factor_of_weights(function(w) stablefit(data.frame(left = left, right = left + 0.5), weights = w), w)
})

test_that("profiles do not depend on a common factor of the weights", {
  x <- fit_sample_of(100, 1.5, 0.3)
  w <- rep(c(1, 2), 50)
  half_width <- function(k, level) confint(stablefit(x, weights = k * w), "alpha", level, method = "profile")
  level_for <- function(k) stats::pchisq(stats::qchisq(0.95, 1) * k, 1)        # of the same difference
  expect_equal(unname(half_width(2^-12, level_for(2^-12))), unname(half_width(1, 0.95)), tolerance = 1e-4)
})

test_that("observations of weight 0 are left out like missing values", {
  x <- replace(fit_sample_of(60, 1.6, 0.2), 7, NA)
  w <- replace(rep(1:2, 30), c(1, 9), 0)
  used <- setdiff(1:60, c(1, 7, 9))
  plain <- stablefit(x[used], weights = w[used])
  for (y in list(x, replace(x, 7, 0))) {
    omitted <- stablefit(y, weights = replace(w, 7, if (is.na(y[7])) 1 else 0))
    excluded <- update(omitted, na.action = na.exclude)
    expect_identical(coef(omitted), coef(plain))
    expect_equal(residuals(omitted), residuals(plain))
    expect_equal(which(!is.na(residuals(excluded))), used)
    expect_equal(residuals(excluded)[used], residuals(plain))
    expect_equal(generics::augment(omitted, data.frame(row = 1:60))$row, used)
    expect_equal(which(!is.na(generics::augment(excluded, data.frame(row = 1:60))$.density)), used)
  }
  bins <- data.frame(left = floor(x), right = floor(x) + 1)
  expect_equal(as.vector(stablefit(bins, weights = w)$na.action), c(1, 7, 9))
})
