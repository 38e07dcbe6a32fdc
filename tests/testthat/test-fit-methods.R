fit_for_methods <- function() stablefit(fit_sample_of(300, 1.5, 0.5, 2, 3))

test_that("logLik(), nobs(), AIC() and BIC() are consistent", {
  fit <- fit_for_methods()
  ll <- logLik(fit)
  expect_identical(nobs(fit), 300L)
  expect_identical(attr(ll, "df"), 4L)
  expect_equal(AIC(fit), -2 * as.numeric(ll) + 8)
  expect_equal(BIC(fit), -2 * as.numeric(ll) + 4 * log(300))
})

test_that("coefficients have Nolan's names and order", {
  expect_named(coef(fit_for_methods()), c("alpha", "beta", "gamma", "delta"))
})

test_that("confint() gives Wald intervals, stays inside the parameter space, and depends on level", {
  fit <- fit_for_methods()
  ci <- confint(fit)
  sd <- sqrt(diag(vcov(fit)))
  expect_identical(dimnames(ci), list(names(coef(fit)), c("2.5 %", "97.5 %")))
  reach <- c(-1, 1) * qnorm(0.975) * sd[["delta"]]
  expect_equal(unname(ci["delta", ]), coef(fit)[["delta"]] + reach)
  expect_equal(unname(sqrt(prod(ci["gamma", ]))), coef(fit)[["gamma"]])
  narrow <- confint(fit, c("alpha", "delta"), level = 0.5)
  expect_identical(rownames(narrow), c("alpha", "delta"))
  expect_true(all(narrow[, 1] > ci[c(1, 4), 1] & narrow[, 2] < ci[c(1, 4), 2]))
  expect_identical(confint(fit, 2:1)[, 1], ci[2:1, 1])
  wild <- stablefit(fit_sample_of(40, 1.9, 0.9))
  ends <- confint(wild, level = 0.9999)
  expect_true(all(ends["alpha", ] <= 2 & ends["alpha", ] >= 0, na.rm = TRUE))
  expect_true(all(abs(ends["beta", ]) <= 1, na.rm = TRUE))
})

test_that("print() and summary() show the essential results and open no graphics device", {
  fit <- stablefit(fit_sample_of(300, 1.5, 0.5, 2, 3), fixed = list(beta = 0.5))
  before <- grDevices::dev.list()
  printed <- capture.output(out <- withVisible(print(fit)))
  expect_identical(grDevices::dev.list(), before)
  expect_false(out$visible)
  expect_identical(printed, format(fit))
  expect_match(printed, "maximum likelihood, parametrisation S0, 300 observations", all = FALSE)
  expect_match(printed, "std. error", all = FALSE)
  expect_match(printed, "converged", all = FALSE)
  summarised <- capture.output(print(summary(fit)))
  expect_match(summarised, "Estimate +Std. Error +z value +2.5 % +97.5 %", all = FALSE)
  expect_match(summarised, "beta held fixed", all = FALSE)
  expect_match(summarised, sprintf("AIC %.2f", AIC(fit)), all = FALSE)
  expect_equal(coef(summary(fit))[, "Estimate"], coef(fit))
})

test_that("summary() and tidy() test only parameters that can be 0", {
  fit <- fit_for_methods()
  z <- coef(summary(fit))[, "z value"]
  expect_identical(is.na(z), c(alpha = TRUE, beta = FALSE, gamma = TRUE, delta = FALSE))
  expect_equal(z[["beta"]], coef(fit)[["beta"]] / sqrt(vcov(fit)["beta", "beta"]))
  expect_match(capture.output(print(summary(fit))), "^alpha +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ *$", all = FALSE)
  skip_if_not_installed("generics")
  table <- generics::tidy(fit)
  expect_equal(table$statistic, unname(z))
  expect_equal(table$p.value[2], 2 * pnorm(-abs(z[["beta"]])))
})

test_that("deviance, degrees of freedom, criteria, scale, mean and median are those of the fitted distribution", {
  x <- fit_sample_of(200, 1.6, 0.4, 2, 3)
  for (pm in 0:2) {
    fit <- stablefit(x, pm = pm)
    expect_equal(deviance(fit), -2 * as.numeric(logLik(fit)))
    expect_identical(df.residual(fit), 196L)
    expect_equal(extractAIC(fit), c(4, AIC(fit)))
    expect_equal(extractAIC(fit, k = log(200))[2], BIC(fit))
    expect_equal(extractAIC(fit, k = .Machine$integer.max)[2], deviance(fit) + 4 * .Machine$integer.max)
    expect_identical(sigma(fit), coef(fit)[["gamma"]])
    p <- coef(stablefit(x))
    expect_equal(mean(fit), p[["delta"]] - p[["beta"]] * p[["gamma"]] * tan(pi * p[["alpha"]] / 2), tolerance = 1e-6)
    expect_equal(median(fit), quantile(fit, 0.5)[[1]])
    expect_equal(pstable(median(fit), p[[1]], p[[2]], p[[3]], p[[4]]), 0.5, tolerance = 1e-6)
  }
  expect_identical(mean(stablefit(x, fixed = list(alpha = 0.9))), NaN)
  for (alpha in c(0.5, 1)) {
    expect_identical(mean(suppressWarnings(stablefit(abs(x), fixed = list(alpha = alpha, beta = 1)))), Inf)
    expect_identical(mean(suppressWarnings(stablefit(-abs(x), fixed = list(alpha = alpha, beta = -1)))), -Inf)
  }
  expect_error(extractAIC(fit, k = "2"), class = "stablecl_error_argument")
})

test_that("predict() returns quantiles of the fitted distribution", {
  fit <- fit_for_methods()
  p <- c(0.001, 0.3, 0.99)
  q <- predict(fit, p)
  est <- as.list(coef(fit))
  expect_equal(pstable(q, est$alpha, est$beta, est$gamma, est$delta), p, tolerance = 1e-9,
               ignore_attr = TRUE)
  expect_named(q, c("0.1%", "30%", "99%"))
  expect_identical(predict(stablefit(fit$data, pm = 1), p), q)
  expect_identical(quantile(fit, 0.5), predict(fit, 0.5))
  expect_length(quantile(fit), 5)
})

test_that("standard errors of quantiles agree with the delta method", {
  fit <- fit_for_methods()
  p <- c(0.001, 0.05, 0.5, 0.95, 0.999)
  at <- function(theta) qstable(p, theta[[1]], theta[[2]], theta[[3]], theta[[4]])
  theta <- coef(fit)
  J <- vapply(1:4, function(j) {
    h <- 1e-3 * sqrt(vcov(fit)[j, j]) * (1:4 == j)
    (at(theta + h) - at(theta - h)) / (2 * h[j])
  }, numeric(5))
  out <- predict(fit, p, se.fit = TRUE)
  expect_equal(unname(out$se.fit), sqrt(diag(J %*% vcov(fit) %*% t(J))), tolerance = 1e-5)
  expect_identical(out$fit, predict(fit, p))
  # standard errors of infinite quantiles are NA
  normal <- predict(stablefit(fit$data, fixed = list(alpha = 2)), c(0, 0.975), se.fit = TRUE)
  expect_identical(is.na(normal$se.fit), c("0%" = TRUE, "97.5%" = FALSE))
})

test_that("residuals are normal scores of the fitted distribution, accurate in both tails", {
  fit <- stablefit(c(fit_sample_of(200, 1.3, 0), 1e12, -1e12))
  r <- residuals(fit)
  u <- residuals(fit, "pit")
  middle <- abs(r) < 2
  expect_equal(qnorm(u[middle]), r[middle], tolerance = 1e-9)
  expect_true(all(is.finite(r)))
  expect_equal(r[201], -r[202], tolerance = 0.1)
})

test_that("residuals() respects na.action", {
  x <- replace(fit_sample_of(50, 1.5, 0), 3, NA)
  expect_length(residuals(stablefit(x)), 49)
  padded <- residuals(stablefit(x, na.action = na.exclude))
  expect_length(padded, 50)
  expect_identical(which(is.na(padded)), 3L)
})

test_that("simulate() is reproducible and preserves the random number generator", {
  fit <- fit_for_methods()
  set.seed(5)
  before <- .Random.seed
  s <- simulate(fit, nsim = 2, seed = 42)
  expect_identical(.Random.seed, before)
  expect_identical(dim(s), c(300L, 2L))
  expect_identical(s, simulate(fit, nsim = 2, seed = 42))
  expect_false(identical(s[[1]], s[[2]]))
  expect_lt(abs(median(s[[1]]) - predict(fit, 0.5)), 1)
})

test_that("update() repeats the call with changes", {
  x <- fit_sample_of(200, 1.5, 0)
  fit <- stablefit(x)
  expect_identical(coef(update(fit, method = "quantile")), coef(stablefit(x, "quantile")))
})

test_that("plot() draws every plot of a fit", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({ grDevices::dev.off(); unlink(file) })
  fit <- fit_for_methods()
  expect_invisible(plot(fit, ask = FALSE))
  expect_identical(plot(fit, 2, normal = TRUE, main = "both"), fit)
  expect_silent(plot(stablefit(fit_sample_of(300, 0.3, 0.5)), ask = FALSE, normal = TRUE))
  expect_error(plot(fit, "nonsense"), "`which` must be one or more of", class = "stablecl_error_argument")
})

test_that("as.data.frame() of a fit is a row of estimates and standard errors", {
  fits <- stablefit(list(a = fit_sample_of(60, 1.6, 0.4)), fixed = list(beta = 0.5))
  row <- as.data.frame(fits[[1]])
  expect_identical(row, as.data.frame(fits)[names(row)])
  expect_identical(setdiff(names(as.data.frame(fits)), names(row)), c("name", "error"))
  line <- stable_lm(dist ~ speed, cars)
  expect_identical(unlist(as.data.frame(line)[names(coef(line))]), coef(line))
  expect_identical(row.names(as.data.frame(line, row.names = "cars")), "cars")
})

test_that("methods for samples refuse regressions, and state what to use", {
  line <- stable_lm(dist ~ speed, cars)
  refused <- function(code, message) {
    failure <- expect_error(code, message, class = "stablecl_error_argument")
    expect_match(deparse(conditionCall(failure)), "line", fixed = TRUE)
  }
  refused(mean(line), "no common distribution: use predict")
  refused(median(line), "no common distribution: use predict")
  refused(stable_gof(line), "not available for regressions")
  expect_error(profile(stablefit(cars$dist, "ecf")), "method = \"mle\", not \"ecf\"", class = "stablecl_error_argument")
  expect_error(profile(stablefit(fit_sample_of(60, 1.6, 0.4)), "zz"), "`which` must contain names",
               class = "stablecl_error_argument")
})

test_that("predictions at named points keep the names", {
  fit <- stablefit(fit_sample_of(60, 1.6, 0.4))
  at <- c(a = 10, b = 20)
  for (type in c("density", "probability")) {
    expect_named(predict(fit, type = type, at = at), names(at))
    expect_identical(rownames(predict(fit, type = type, at = at, interval = "confidence")), names(at))
    expect_null(names(predict(fit, type = type)))
  }
  expect_named(predict(fit, c(a = 0.1)), "10%")
})

test_that("augment() accepts the data with and without the rows that were left out", {
  skip_if_not_installed("generics")
  d <- replace(cars, cbind(3, 2), NA)
  line <- stable_lm(dist ~ speed, d)
  own <- generics::augment(line)
  expect_identical(nrow(own), 49L)
  expect_identical(generics::augment(line, d)$speed, d$speed[-3])
  expect_identical(generics::augment(line, d[-3, ])$.resid, own$.resid)
  expect_error(generics::augment(line, d[1:9, ]), "49 rows, one per observation, not 9 rows",
               class = "stablecl_error_argument")
  kept <- stable_lm(dist ~ speed, d, na.action = na.exclude)
  expect_identical(which(is.na(generics::augment(kept, d)$.resid)), 3L)
  expect_error(generics::augment(kept), "na.exclude keeps rows", class = "stablecl_error_argument")
  sample <- generics::augment(stablefit(d$dist, "ecf"), d)
  expect_identical(sample$dist, cars$dist[-3])
})

test_that("methods that fit again use the control of the fit, wherever it was fitted", {
  x <- fit_sample_of(60, 0.6, 0.3)
  here <- stablefit(x, control = list(alpha.min = 0.5))
  there <- local({
    least <- list(alpha.min = 0.5)
    stablefit(x, control = least)
  })
  least <- list(alpha.min = 0.9)
  of_both <- function(method) expect_identical(method(there), method(here))
  of_both(function(fit) confint(fit, "alpha", method = "profile")[])
  of_both(function(fit) confint(fit, method = "bootstrap", R = 5, seed = 1)[])
  of_both(function(fit) predict(fit, 0.1, interval = "confidence", method = "profile")[])
  of_both(function(fit) stable_gof(fit, R = 5, seed = 1)$p.value)
  of_both(function(fit) profile(fit, "alpha", points = 5)$deviance)
  of_both(function(fit) anova(fit)$logLik)
  fits <- lapply(1:2, function(i) stablefit(list(x), control = list(alpha.min = i / 4))[[1L]])
  expect_identical(confint(fits[[2L]], "alpha", method = "profile")[], confint(here, "alpha", method = "profile")[])
})
