# Worked examples: the data of bench/series.R, with the methods for fits.

dax <- as.vector(diff(log(EuStockMarkets[, "DAX"])))

# nlminb() finds no higher exact log-likelihood, starting at the estimate or at the ecf estimate.
expect_top <- function(fit) {
  x <- fit$data
  unit <- c(1, 1, fit$theta[["gamma"]], fit$theta[["gamma"]])
  objective <- function(y) {
    value <- -loglik_at(x, y * unit)
    if (is.finite(value)) value else 1e10
  }
  for (start in list(fit$theta, coef(stablefit(x, "ecf")))) {
    start <- pmin(pmax(start / unit, c(0.1, -0.99, 1e-3, -Inf)), c(1.99, 0.99, Inf, Inf))
    found <- nlminb(start, objective, lower = c(0.1, -1, 1e-6, -Inf), upper = c(2, 1, Inf, Inf))
    expect_lt(-found$objective - fit$loglik, 1e-6)
  }
}

test_that("DAX returns are stable rather than normal, and symmetric", {
  fit <- stablefit(dax)
  expect_top(fit)
  expect_true(fit$convergence$converged)
  wald <- confint(fit)
  profile <- confint(fit, c("alpha", "beta"), method = "profile")
  expect_true(wald["alpha", 2] < 1.9 && wald["alpha", 1] > 1.6)
  expect_true(wald["beta", 1] < 0 && wald["beta", 2] > 0)
  expect_lt(max(abs(profile - wald[c("alpha", "beta"), ])), 0.01)
  tests <- anova(fit)
  expect_lt(tests["normal", "Pr(>Chisq)"], 1e-10)
  expect_gt(tests["symmetric", "Pr(>Chisq)"], 0.05)
  # the 1% quantile
  loss <- quantile(dax, 0.01)
  expect_lt(abs(predict(fit, 0.01) - loss), abs(qnorm(0.01, mean(dax), sd(dax)) - loss))
})

test_that("counts with a heavy right tail have a one-sided fit, which goodness-of-fit tests reject", {
  fit <- stablefit(quakes$stations)
  expect_top(fit)
  expect_identical(coef(fit)[["beta"]], 1)
  expect_match(fit$notes, "beta is at its bound 1", all = FALSE)
  expect_true(is.na(confint(fit)["beta", 1]))
  expect_gt(confint(fit, "beta", method = "profile")[1], 0.95)
  expect_identical(stable_gof(fit, tests = "ad", R = 19, seed = 1)["ad", "p.value"], 1 / 20)
})

test_that("areas over four orders of magnitude have alpha below one half", {
  expect_warning(fit <- stablefit(as.numeric(islands)), "occur more than once")
  expect_top(fit)
  expect_lt(coef(fit)[["alpha"]], 0.5)
  expect_lt(AIC(fit), anova(fit)["Cauchy", "AIC"] - 50)
  expect_gt(stable_gof(fit, tests = "ad", R = 19, seed = 1)["ad", "p.value"], 0.1)
  # a change of units and a reflection give the same fit
  expect_warning(moved <- stablefit(5 - 2.59 * islands), "occur more than once")
  expect_equal(coef(moved)[["alpha"]], coef(fit)[["alpha"]], tolerance = 1e-8)
  expect_identical(coef(moved)[["beta"]], -coef(fit)[["beta"]])
})

test_that("a regression with stable errors has a higher likelihood for skewed, heavy-tailed residuals", {
  normal <- lm(Ozone ~ Wind + Temp + Solar.R, airquality)
  fit <- stablefit(residuals(normal))
  expect_top(fit)
  robust <- stable_lm(Ozone ~ Wind + Temp + Solar.R, airquality)
  expect_gt(as.numeric(logLik(robust)), fit$loglik)
  expect_gt(fit$loglik, as.numeric(logLik(normal)) + 5)
  expect_lt(max(abs(coef(robust)[2:4] - coef(normal)[2:4]) / sqrt(diag(vcov(normal)))[2:4]), 3)
})

test_that("fitdistrplus finds the same fit, starting at the quantile estimate", {
  skip_if_not_installed("fitdistrplus")
  start <- as.list(coef(stablefit(dax, "quantile")))
  general <- fitdistrplus::fitdist(dax, "stable", start = start, fix.arg = list(pm = 0, precision = "double"),
                                   lower = c(0.1, -1, 1e-6, -Inf), upper = c(2, 1, Inf, Inf))
  fit <- stablefit(dax)
  expect_named(general$estimate, names(coef(fit)))
  expect_lt(max(abs(general$estimate - coef(fit)) / sqrt(diag(vcov(fit)))), 0.2)
  expect_lt(abs(general$loglik - fit$loglik), 0.05)
})
