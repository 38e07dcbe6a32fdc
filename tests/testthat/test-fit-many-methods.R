# Fits of many data sets by the estimators written in R (results_in_r() in R/fit-estimate.R).

other_methods <- c("ecf", "logmoment", "mle2d", "grid")

mixed_samples <- function() {
  list(fit_sample_of(90, 0.3, 0.4), fit_sample_of(150, 0.9, -0.6, 3, 1e4), fit_sample_of(121, 1.5, 0.5, seed = 2),
       fit_sample_of(100, 1.2, 1, seed = 3), fit_sample_of(200, 2, 0, 1e-5, seed = 4))
}

# Expects fits that are identical to single fits except for the call.
expect_same_fits <- function(fits, samples, ...) {
  for (i in seq_along(samples)) {
    alone <- suppressWarnings(stablefit(samples[[i]], ...))
    alone$call <- fits[[i]]$call
    expect_identical(fits[[i]], alone)
  }
}

test_that("each fit of a batch is identical to the single fit, by each method", {
  samples <- mixed_samples()
  for (method in other_methods) {
    fits <- suppressWarnings(stablefit(samples, method))
    expect_same_fits(fits, samples, method)
    expect_identical(unname(coef(fits)[2, ]), unname(coef(fits[[2]])))
    table <- as.data.frame(fits)
    for (i in seq_along(samples)) {
      expect_identical(table$loglik[i], fits[[i]]$loglik)
      expect_identical(table$converged[i], fits[[i]]$convergence$converged)
      expect_identical(table$note[i], paste(fits[[i]]$notes, collapse = " "))
      expect_equal(unlist(table[i, 7:10]), sqrt(diag(vcov(fits[[i]]))), ignore_attr = TRUE)
    }
  }
})

test_that("fits of a batch respect the options of single fits", {
  samples <- mixed_samples()
  options <- list(list("ecf", fixed = list(beta = 0.2), pm = 1), list("ecf", se = FALSE, start = "mle2d"),
                  list("logmoment", fixed = list(alpha = 1.3, delta = 0)), list("logmoment", pm = 2),
                  list("mle2d", start = list(alpha = 1.1), control = list(maxit = 2)),
                  list("mle2d", start = "ecf", fixed = list(beta = 0.3)),
                  list("grid", control = list(grid = 2), se = FALSE), list("mle", start = "ecf"))
  for (option in options) {
    fits <- suppressWarnings(do.call(stablefit, c(list(samples), option)))
    do.call(expect_same_fits, c(list(fits, samples), option))
  }
})

test_that("mle2d and grids over four parameters report convergence, and other methods NA", {
  samples <- mixed_samples()[2:3]
  expect_identical(as.data.frame(stablefit(samples, "grid"))$converged, c(TRUE, TRUE))
  for (args in list(list("ecf"), list("logmoment"), list("grid", control = list(grid = 2))))
    expect_identical(as.data.frame(do.call(stablefit, c(list(samples), args)))$converged, c(NA, NA))
})

test_that("bad data sets do not affect the others, by any method", {
  good <- fit_sample_of(80, 1.5, 0.2)
  sets <- list(a = good, tied = rep(1, 20), letters = letters, b = -good, short = 1:3)
  for (method in other_methods) {
    fits <- stablefit(sets, method)
    error <- as.data.frame(fits)$error
    expect_identical(error == "", c(TRUE, FALSE, FALSE, TRUE, FALSE))
    expect_match(error[-c(1, 4)], "are equal|not character|at least 8")
    expect_same_fits(fits[c("a", "b")], sets[c("a", "b")], method)
    expect_error(fits[["tied"]], "are equal", class = "stablecl_error_data")
    expect_match(capture.output(print(fits)), "to 5 data sets", all = FALSE)
  }
})

test_that("the error of a method for one data set is stored in its row", {
  good <- fit_sample_of(80, 0.6, 1)
  sets <- list(good, c(-1e3, good), good)
  one_sided <- list(alpha = 0.6, beta = 1, gamma = 1, delta = 0)
  for (method in c("mle2d", "grid")) {
    fits <- stablefit(sets, method, fixed = one_sided)
    expect_identical(nzchar(fits$error), c(FALSE, TRUE, FALSE))
    expect_match(fits$error[2], "a support that contains all")
    expect_error(stablefit(sets[[2]], method, fixed = one_sided), fits$error[[2]], class = "stablecl_error_data",
                 fixed = TRUE)
  }
  beyond <- c(-1e308, 1e308, fit_sample_of(20, 1, 0))              # the range overflows
  fits <- suppressWarnings(stablefit(list(good, beyond, good), "ecf"))
  expect_identical(nzchar(fits$error), c(FALSE, TRUE, FALSE))
  expect_match(fits$error[2], "\"ecf\" failed for this sample")
})

test_that("if the method for starting values fails, quantile estimates are used", {
  x <- c(-1e3, fit_sample_of(80, 0.6, 0.8))
  sided <- list(beta = 1, alpha = 0.6, delta = -2e3)
  expect_error(stablefit(x, "mle2d", fixed = replace(sided, "delta", 0)), "support", class = "stablecl_error_data")
  fixed <- list(alpha = 0.6, beta = 1)
  fits <- suppressWarnings(stablefit(list(x, rep(2, 30)), "mle", start = "mle2d", fixed = fixed))
  expect_identical(nzchar(fits$error), c(FALSE, TRUE))
  expect_match(fits$error[2], "are equal")
})

test_that("a batch without any valid data set has tables", {
  for (method in c("mle", "ecf")) {
    fits <- stablefit(list(letters, 1:3), method)
    expect_identical(dim(as.data.frame(fits)), dim(as.data.frame(stablefit(list(1:3, 1:3)))))
    expect_true(all(is.na(coef(fits))))
    expect_identical(dim(coef(stablefit(list(), method))), c(0L, 4L))
  }
})

test_that("invalid options of a method are errors for batches as for single fits", {
  samples <- mixed_samples()
  expect_error(stablefit(samples, "logmoment", fixed = list(beta = 0.5)), "symmetric distributions",
               class = "stablecl_error_argument")
  for (method in other_methods)
    expect_error(stablefit(samples, method, weights = rep(1, 90)), "several samples", class = "stablecl_error_argument")
  expect_error(stablefit(samples, "grid", control = list(grid = 3)), "must be 2 or 4",
               class = "stablecl_error_argument")
})

test_that("after an interrupt the finished fits are returned", {
  skip_on_cran()
  skip_on_os("windows")
  samples <- rep(mixed_samples(), 100)
  interrupt_in_call("fit_chunk", 2)
  expect_warning(fits <- using_threads(1L, stablefit(samples, "ecf")), "Interrupted",
                 class = "stablecl_warning_interrupted")
  done <- sum(!nzchar(fits$error))
  expect_gt(done, 0)
  expect_lt(done, length(samples))
  expect_identical(as.data.frame(fits)$error[length(samples)], "Interrupted before this data set was fitted.")
  expect_same_fits(fits[1:2], samples[1:2], "ecf")
})

test_that("all methods accept a selection of no data sets", {
  none <- stablefit(list(a = fit_sample_of(40, 1.6, 0.3)), "quantile")[0]
  expect_length(none, 0L)
  expect_output(print(none), "0 data sets")
  expect_identical(dim(coef(none)), c(0L, 4L))
  expect_identical(dim(as.data.frame(none)), c(0L, ncol(as.data.frame(stablefit(list(rep(1, 9)), "quantile")))))
  expect_output(print(summary(none)), "0 fitted")
  expect_identical(as.list(none), stats::setNames(list(), character()))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(none))
})

test_that("glance() of many fits has the row of each fit", {
  skip_if_not_installed("generics")
  samples <- list(a = fit_sample_of(60, 1.6, 0.4), b = fit_sample_of(90, 1.3, 0), bad = rep(1, 60))
  fits <- suppressWarnings(stablefit(samples, fixed = list(beta = 0)))
  table <- generics::glance(fits)
  expect_identical(table$name, names(samples))
  expect_true(is.na(table$logLik[3]))
  for (k in 1:2) expect_equal(table[k, -1], generics::glance(fits[[k]]), ignore_attr = TRUE)
  normal <- stablefit(samples[1:2], fixed = list(alpha = 2))
  expect_identical(generics::glance(normal)$df, c(2L, 2L))
  expect_equal(generics::glance(normal)$AIC, c(AIC(normal[["a"]]), AIC(normal[["b"]])))
})

test_that("predict() of many fits has the predictions of each fit in its row, also for alpha = 2", {
  set.seed(4)
  fits <- stablefit(list(a = fit_sample_of(60, 1.6, 0.4), normal = qnorm(ppoints(40)), bad = rep(1, 60)))
  expect_identical(coef(fits)[["normal", "alpha"]], 2)
  calls <- list(quote(predict(f, c(0.01, 0.5))), quote(predict(f, 0.01, type = "es")),
                quote(predict(f, type = "density", at = c(u = -1, v = 2))), quote(quantile(f)),
                quote(predict(f, 0.1, type = "var", lower.tail = FALSE)), quote(predict(f, at = 0:1, type = "prob")))
  for (call in calls) {
    all <- eval(call, list(f = fits))
    expect_identical(rownames(all), c("a", "normal", "bad"))
    for (i in 1:2) {
      alone <- eval(call, list(f = fits[[i]]))
      expect_identical(as.vector(all[i, ]), unname(alone))
      expect_identical(colnames(all), names(alone))
    }
    expect_true(all(is.na(all["bad", ])))
  }
  options <- list(list(), list(method = "profile"), list(method = "bootstrap", R = 5, seed = 1, block = 4))
  for (option in options) {
    band <- function(f) do.call(predict, c(list(f, c(0.05, 0.5), interval = "confidence", se.fit = TRUE), option))
    all <- band(fits)
    expect_identical(dim(all$fit), c(3L, 2L, 3L))
    for (i in 1:2) {
      alone <- band(fits[[i]])
      expect_identical(all$fit[i, , ], alone$fit[, ], ignore_attr = "reasons")
      expect_identical(all$se.fit[i, ], alone$se.fit)
    }
  }
  expect_error(predict(fits, type = "density"), "`at` must be given", class = "stablecl_error_argument")
  expect_message(predict(fits[1:2], 0.9, type = "es"), "lower tail")
  expect_identical(dim(predict(fits[integer()], 0.01)), c(0L, 1L))
  windows <- stablefit(fits[["a"]]$data, width = 30, by = 15)
  expect_identical(rownames(predict(windows, 0.01)), names(windows))
})

test_that("statistics of many fits are those of each fit", {
  fits <- stablefit(list(a = fit_sample_of(60, 1.6, 0.4), b = fit_sample_of(90, 0.9, 0.5), bad = rep(1, 60)), pm = 1)
  for (f in list(nobs, sigma, mean, median)) {
    expect_identical(names(f(fits)), names(fits))
    expect_identical(unname(f(fits))[1:2], c(f(fits[["a"]]), f(fits[["b"]])))
    expect_true(is.na(f(fits)[[3]]))
  }
})

test_that("update() of many fits, and of one of them, repeats the call with other arguments", {
  x <- fit_sample_of(120, 1.6, 0.3)
  fits <- stablefit(x, "quantile", width = 50, by = 25)
  expect_identical(names(update(fits, by = 30)), c("1:50", "31:80", "61:110"))
  beta <- 0
  refit <- function(fit) {
    held <- 0.2
    update(fit, fixed = list(beta = held))
  }
  new <- refit(fits[["26:75"]])
  expect_identical(coef(new), coef(stablefit(x[26:75], "quantile", fixed = list(beta = 0.2))))
  expect_identical(new$data, x[26:75])
  expect_identical(update(fits[[1]], by = 30, evaluate = FALSE),
                   quote(stablefit(x = x, method = "quantile", width = 50, by = 30)[["1:50"]]))
  expect_error(update(fits[["26:75"]], by = 30), "no data set \"26:75\"", class = "stablecl_error_argument")
  least <- stablefit(list(a = x), control = list(alpha.min = 0.5))[["a"]]
  expect_identical(least$control$alpha.min, 0.5)
  single <- stablefit(x, "quantile")
  expect_error(update(single, no_such_argument = 1), "no_such_argument", class = "stablecl_error_argument")
  expect_identical(coef(update(single, method = "ecf")), coef(stablefit(x, "ecf")))
})

test_that("titles count one data set or window", {
  x <- fit_sample_of(60, 1.6, 0.4)
  expect_match(capture.output(print(stablefit(list(x)))), "to 1 data set,", all = FALSE)
  expect_match(capture.output(print(stablefit(x, width = 60))), "to 1 window,", all = FALSE)
})

test_that("predict() of many fits states methods and reasons for each fit, and prints each reason once", {
  set.seed(5)
  fits <- stablefit(list(a = rstable(600, 1.5, 0), b = rnorm(600), c = rnorm(600), d = rep(1, 20)))
  band <- predict(fits, c(0.01, 0.05), interval = "confidence", method = "auto")
  single <- predict(fits[["b"]], c(0.01, 0.05), interval = "confidence", method = "auto")
  expect_identical(attr(band, "method"), c(a = "wald", b = "profile", c = "profile"))
  expect_identical(attr(band, "because")$b, attr(single, "because"))
  expect_identical(dim(band), c(4L, 2L, 3L))
  expect_equal(band["b", , ], single, ignore_attr = TRUE)
  printed <- capture.output(print(band))
  expect_match(printed, "Method \"wald\", chosen automatically: a.", fixed = TRUE, all = FALSE)
  expect_match(printed, "* b, c: The estimate of alpha is close to 2.", fixed = TRUE, all = FALSE)
  expect_null(attr(predict(fits, 0.01), "method"))
  wald <- predict(fits, 0, interval = "confidence")
  expect_match(attr(wald, "reasons")$a, "infinite")
})

test_that("intervals and likelihoods of many fits are those of each", {
  x <- fit_sample_of(120, 1.6, 0.2)
  fits <- stablefit(list(a = x, constant = rep(1, 20), b = x[1:60]), pm = 1)
  for (method in c("wald", "profile", "auto")) {
    all <- confint(fits, c("delta", "alpha"), level = 0.9, method = method)
    expect_identical(dimnames(all), list(names(fits), c("delta", "alpha"), c("5 %", "95 %")))
    for (name in c("a", "b")) {
      own <- confint(fits[[name]], c("delta", "alpha"), level = 0.9, method = method)
      expect_equal(all[name, , ], own[, ])
      expect_identical(attr(all, "because")[[name]], attr(own, "because"))
    }
    expect_true(all(is.na(all["constant", , ])))
  }
  expect_equal(as.vector(logLik(fits)[c("a", "b")]), c(logLik(fits[["a"]]), logLik(fits[["b"]])))
  expect_equal(AIC(fits), c(AIC(fits[["a"]]), NA, AIC(fits[["b"]])))
  expect_equal(BIC(fits), c(a = BIC(fits[["a"]]), constant = NA, b = BIC(fits[["b"]])))
  windows <- stablefit(x, width = 60, by = 30)
  expect_identical(dimnames(confint(windows))[[1L]], names(windows))
  expect_error(confint(fits, what = 1), "unused argument", class = "stablecl_error_argument")
  expect_error(confint(fits, level = 2), "`level` must be", class = "stablecl_error_argument")
  expect_error(confint(fits, "zeta"), "must contain names or indices", class = "stablecl_error_argument")
})

test_that("methods work for no data sets at all", {
  none <- stablefit(list())
  expect_identical(dim(generics::glance(none)), c(0L, 9L))
  expect_identical(dim(generics::tidy(none)), c(0L, 4L))
  expect_identical(dim(confint(none)), c(0L, 4L, 2L))
  expect_identical(dim(predict(none, 0.5)), c(0L, 1L))
  expect_identical(AIC(none), numeric())
})

test_that("a column without any value is missing, not of the wrong type", {
  fits <- stablefit(data.frame(a = fit_sample_of(50, 1.6, 0), b = NA))
  expect_match(as.data.frame(fits)$error[2L], "All 50 elements of `x` are missing")
  expect_error(stablefit(rep(NA, 9)), "All 9 elements of `x` are missing", class = "stablecl_error_data")
})

test_that("update() of a fit names the arguments that it needs", {
  fit <- stablefit(fit_sample_of(50, 1.6, 0))
  for (call in expression(update(fit, "ecf"), update(fit, . ~ .), update(fit, pm = 1, "ecf")))
    expect_error(eval(call), "requires names of the arguments", class = "stablecl_error_argument")
  expect_identical(update(fit), fit)
})
