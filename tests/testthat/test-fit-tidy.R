# Methods for the generics of package generics.

skip_if_not_installed("generics")

test_that("tidy() returns a row per parameter, and intervals by every method", {
  fit <- stablefit(fit_sample_of(200, 1.5, 0.5, 2, 3))
  table <- generics::tidy(fit)
  expect_identical(names(table), c("term", "estimate", "std.error", "statistic", "p.value"))
  expect_identical(table$term, names(coef(fit)))
  expect_identical(table$std.error, unname(sqrt(diag(vcov(fit)))))
  for (method in c("wald", "profile")) {
    ci <- generics::tidy(fit, conf.int = TRUE, conf.level = 0.8, conf.method = method)
    expect_identical(unname(as.matrix(ci[c("conf.low", "conf.high")])),
                     unname(confint(fit, level = 0.8, method = method)))
  }
  boot <- generics::tidy(fit, conf.int = TRUE, conf.method = "bootstrap", R = 9, seed = 3)
  expect_identical(boot$conf.low, unname(confint(fit, method = "bootstrap", R = 9, seed = 3)[, 1]))
})

test_that("glance() returns one row that agrees with the generics of stats", {
  fit <- stablefit(fit_sample_of(200, 1.5, 0.5), fixed = list(beta = 0.5), pm = 1)
  row <- generics::glance(fit)
  expect_identical(nrow(row), 1L)
  expect_identical(row$AIC, AIC(fit))
  expect_identical(row$BIC, BIC(fit))
  expect_identical(c(row$df, row$nobs, row$pm), c(3L, 200L, 1L))
  expect_true(row$converged)
  expect_identical(generics::glance(stablefit(fit$data, "quantile"))$converged, NA)
})

test_that("augment() keeps the order and the missing values of the data", {
  x <- replace(fit_sample_of(60, 1.5, 0.5), 5, NA)
  plain <- generics::augment(stablefit(x))
  expect_identical(plain$x, x[-5])
  fit <- stablefit(x, na.action = na.exclude)
  padded <- generics::augment(fit)
  expect_identical(padded$x, x)
  expect_identical(which(is.na(padded$.resid)), 5L)
  expect_equal(pnorm(padded$.resid), padded$.probability)
  expect_equal(sum(log(padded$.density), na.rm = TRUE), as.numeric(logLik(fit)))
  own <- generics::augment(fit, data.frame(day = 1:60))
  expect_identical(names(own), c("day", ".density", ".probability", ".resid"))
  expect_error(generics::augment(fit, data.frame(day = 1:59)), "60 rows", class = "stablecl_error_argument")
})
