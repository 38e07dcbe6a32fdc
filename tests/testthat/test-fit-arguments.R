# Arguments that stablefit() rejects or accepts, and its error messages.

test_that("bad data are classed errors that name the element", {
  refused <- function(x, words) {
    err <- expect_error(stablefit(x), words, class = "stablecl_error_data")
    expect_identical(conditionCall(err)[[1]], quote(stablefit))
  }
  refused(rep(1, 10), "All values of `x` are equal \\(1\\)")
  refused(c(rep(0, 8), 1:3), "8 of 11 values of `x` are equal \\(0\\)")
  refused(numeric(0), "at least 8")
  refused(1:7, "`x` has 7")
  refused(rep(NA_real_, 10), "All 10 elements")
  refused(c(1:10, Inf, -Inf), "element 11 is Inf \\(non-finite elements: 2\\)")
  refused(letters, "not character")
  refused(factor(1:10), "not factor")
  refused(1i * 1:10, "not complex")
  refused(NULL, "not NULL")
  refused(rep(TRUE, 10), "not logical")
  refused(array(rnorm(40), c(5, 4, 2)), "not an array of 3 dimensions")
})

test_that("missing values are handled as na.action specifies", {
  x <- fit_sample_of(60, 1.5, 0)
  holed <- c(NA, x, NaN)
  expect_identical(coef(stablefit(holed)), coef(stablefit(x)))
  expect_identical(nobs(stablefit(holed)), 60L)
  expect_error(stablefit(holed, na.action = na.fail), "missing values")
  expect_error(stablefit(holed, na.action = na.pass), class = "stablecl_error_data")
  expect_identical(coef(stablefit(holed, na.action = "na.omit")), coef(stablefit(x)))
  for (odd in list(strrep("long", 1e5), "no such function", 5, c("na.omit", "na.omit"), quote(x))) {
    expect_error(stablefit(holed, na.action = odd), "`na.action` must be", class = "stablecl_error_argument")
    expect_error(stable_lm(x ~ 1, na.action = odd), "`na.action` must be", class = "stablecl_error_argument")
  }
})

test_that("time series, one-column matrices and integers are valid samples", {
  x <- round(1e5 * fit_sample_of(80, 1.5, 0))
  plain <- coef(stablefit(x))
  expect_identical(coef(stablefit(ts(x, start = 2000, frequency = 12))), plain)
  expect_identical(coef(stablefit(matrix(x))), plain)
  expect_identical(coef(stablefit(as.integer(x))), plain)
})

test_that("bad parameters are errors that name the parameter", {
  x <- fit_sample_of(50, 1.5, 0)
  refused <- function(words, ...)
    expect_error(stablefit(x, ...), words, class = "stablecl_error_argument")
  refused("`fixed\\$alpha` must be one number in \\(0, 2\\], not 2.5", fixed = list(alpha = 2.5))
  refused("`fixed\\$beta` must be one number in \\[-1, 1\\]", fixed = c(beta = -2))
  refused("`fixed\\$gamma` must be one positive number, not 0", fixed = list(gamma = 0))
  refused("`fixed\\$delta`", fixed = list(delta = NA))
  refused("`start\\$alpha`.*c\\(1, 2\\)", start = list(alpha = 1:2))
  refused("'sigma' is not one of them", fixed = list(sigma = 1))
  refused("must have unique names among alpha, beta, gamma, delta", fixed = list(1, 2))
  refused("requires pm = 0", fixed = list(delta = 0), pm = 1)
  refused("`fixed\\$alpha` must be at least `control\\$alpha.min`, 0.01, not 0.005", fixed = list(alpha = 0.005))
  refused("alpha.min", control = list(alpha.min = 3))
  refused("'foo'", control = list(foo = 1))
  refused("control\\$maxit", control = list(maxit = 0))
  refused("control\\$tol", control = list(tol = NA_real_))
  expect_error(stablefit(x, pm = 3), "must be 0, 1 or 2")
  expect_error(stablefit(x, nonsense = 1), "unused argument")
  expect_error(stablefit(x, "moments"), "`method` must be one of", class = "stablecl_error_argument")
})

test_that("starting values do not change the estimate", {
  x <- fit_sample_of(200, 1.4, 0.3)
  plain <- stablefit(x)
  far <- stablefit(x, start = list(alpha = 1.8, beta = -0.5))
  expect_equal(coef(far), coef(plain), tolerance = 1e-7)
  given <- stablefit(x, start = coef(stablefit(x, "quantile", pm = 1)), pm = 1)
  expect_equal(given$theta, plain$theta, tolerance = 1e-7)
  gaussian <- stablefit(x, start = coef(stablefit(x, fixed = list(alpha = 2))))
  expect_equal(gaussian$theta, plain$theta, tolerance = 1e-7)
})

test_that("with every parameter fixed the fit is the log-likelihood", {
  x <- fit_sample_of(50, 1.5, 0)
  p <- c(alpha = 1.4, beta = 0.1, gamma = 1.2, delta = 0.3)
  fit <- stablefit(x, fixed = p)
  expect_equal(coef(fit), p, tolerance = 1e-12)
  expect_equal(as.numeric(logLik(fit)), loglik_at(x, p), tolerance = 1e-10)
  expect_identical(attr(logLik(fit), "df"), 0L)
})

test_that("a fixed support that excludes data is an error", {
  x <- fit_sample_of(50, 1.5, 0)
  expect_error(stablefit(x, fixed = list(alpha = 0.5, beta = 1, delta = 1e3, gamma = 1)),
               "a support that contains all", class = "stablecl_error_data")
})

test_that("se = FALSE omits only the standard errors", {
  x <- fit_sample_of(100, 1.5, 0)
  quick <- stablefit(x, se = FALSE)
  expect_identical(coef(quick), coef(stablefit(x)))
  expect_true(all(is.na(vcov(quick))))
})

test_that("fits of small samples do not fail", {
  for (seed in 1:4) for (alpha in c(0.4, 1, 1.7)) {
    fit <- suppressWarnings(stablefit(fit_sample_of(10, alpha, 0.5, seed = seed)))
    expect_true(is.finite(logLik(fit)), label = paste(seed, alpha))
  }
})
