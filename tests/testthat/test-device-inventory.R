# With a device selected by name, every exported function, method of a generic, estimator, parametrisation and method of
# integration either computes on the device, which the number of OpenCL calls proves, or fails with an error of class
# "stablecl_error_unsupported", or is listed here as a computation of the CPU: book-keeping, output, and closed forms.

# Returns the class of the error, or the number of OpenCL calls.
outcome_on_device <- function(code) {
  tryCatch(opencl_calls_of(suppressWarnings(code)), error = function(e) class(e)[1L])
}

with_device <- function(code) {
  skip_without_device()
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  code
}

expect_on_device <- function(expressions, env = parent.frame()) {
  for (name in names(expressions)) {
    calls <- outcome_on_device(eval(expressions[[name]], env))
    expect(is.numeric(calls) && calls > 10, sprintf("%s: not on the device (%s)", name, calls))
  }
}

remedy <- paste0("^Devices do not compute .*; select the CPU by stable_backend\\(\"cpu\"\\), or use ",
                 "stable_backend\\(\"auto\"\\)[.]$")

expect_refused <- function(expressions, env = parent.frame()) {
  for (name in names(expressions)) {
    failure <- tryCatch(eval(expressions[[name]], env), error = identity)
    expect(inherits(failure, "stablecl_error_unsupported"), sprintf("%s is not an error", name))
    if (!inherits(failure, "error")) next
    expect_match(conditionMessage(failure), remedy)
  }
}

expect_on_cpu <- function(expressions, env = parent.frame()) {
  for (name in names(expressions)) {
    calls <- outcome_on_device(eval(expressions[[name]], env))
    expect(identical(calls, 0), sprintf("%s: %s", name, calls))
  }
}

inventory_x <- function() fit_sample_of(60, 1.6, 0.2, 2, 1, seed = 4)
inventory_shapes <- list(alpha = seq(0.4, 1.9, length.out = 30), beta = seq(-0.9, 0.9, length.out = 30))
plotted <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  code
}

# Returns those calls whose package is installed.
installed <- function(calls) {
  if (!requireNamespace("distributional", quietly = TRUE)) calls <- calls[!grepl("(^|[.])dist_stable$", names(calls))]
  Filter(function(code) all(vapply(intersect(c("emmeans", "generics", "ggplot2", "sandwich"), all.names(code)),
                                   requireNamespace, NA, quietly = TRUE)), calls)
}

# --- exported functions ---------------------------------------------------------------------------

functions_on_device <- list(
  dstable = quote(dstable(1:3, 1.5, 0.5)), pstable = quote(pstable(1:3, 1.5, 0.5)),
  qstable = quote(qstable(0.3, 1.5, 0.5)), rstable = quote(rstable(5, 1.5, 0.5)),
  stable_eval = quote(stable_eval(1:3, 1.5, 0.5)), stable_es = quote(stable_es(0.1, 1.5, 0.5)),
  stable_gof = quote(stable_gof(inventory_x(), 1.6, 0.2, 2, 1)),
  stable_compare = quote(stable_compare(stablefit(inventory_x()), "t")),
  stable_lm = quote(stable_lm(dist ~ speed, cars)),
  stable_loglik = quote(stable_loglik(inventory_x(), 1.6, 0.2)),
  stable_mode = quote(stable_mode(1.5, 0.5)), stableMode = quote(suppressWarnings(stableMode(1.5, 0.5))),
  stable_score = quote(stable_score(1:3, 1.5, 0.5)), stable_quick = quote(stable_quick(1:3, 1.5, 0.5)),
  dmvstable = quote(dmvstable(c(1, 0), 1.2345, diag(2))), rmvstable = quote(rmvstable(5, 1.5, diag(2))),
  pmvstable = quote(pmvstable(-1, 1, 1.5, diag(2), rel.tol = 1e-2)),
  mvstablefit = quote(mvstablefit(cbind(inventory_x(), rev(inventory_x())), "projection")),
  mvspectralfit = quote(mvspectralfit(cbind(inventory_x(), rev(inventory_x())), 8)),
  stablefit = quote(stablefit(inventory_x())), gintegrate = quote(gintegrate(exp, 0, 1)))
functions_on_cpu <- list(
  mvstable_projection = quote(mvstable_projection(1, 1.5, 1)),
  mvstable_spectral = quote(mvstable_spectral(1.5, 1:3, 1)),
  stable_chunks = quote(stable_chunks(function(reset) NULL)),
  stable_each = quote(stable_each(stable_chunks(function(reset) NULL), length)),
  gtranslate = quote(gtranslate(function(x) x^2)), stable_cache = quote(stable_cache()),
  dist_stable = quote(dist_stable(1.5, 0.5)),
  stable_cf = quote(stable_cf(1:3, 1.5, 0.5)), stable_convert = quote(stable_convert(1.5, 0.5, 1, 0, 0, 1)),
  stable_data = quote(stable_data(1:9)), stable_threads = quote(stable_threads()),
  stable_backend = quote(stable_backend("opencl")), local_stable_backend = quote(local_stable_backend("opencl")))
functions_about_devices <- c("stable_devices", "stable_sitrep")   # describe or test devices

test_that("every exported function is in the inventory", {
  listed <- c(names(functions_on_device), names(functions_on_cpu), functions_about_devices)
  expect_setequal(listed, getNamespaceExports("stablecl"))
})

test_that("every exported function computes on the device, fails with a class, or is book-keeping", {
  with_device({
    expect_on_device(functions_on_device)
    expect_on_cpu(installed(functions_on_cpu))
  })
})

# --- parametrisations ---------------------------------------------------------------------------------

test_that("every parametrisation is computed on the device, with one shape and with many", {
  with_device({
    a <- inventory_shapes$alpha
    b <- inventory_shapes$beta
    one <- list(density = quote(dstable(1:30, 1.5, 0.5, 2, 1, pm)),
                distribution = quote(pstable(1:30, 1.5, 0.5, 2, 1, pm)),
                quantile = quote(qstable(0.3, 1.5, 0.5, 2, 1, pm)), random = quote(rstable(30, 1.5, 0.5, 2, 1, pm)),
                mode = quote(stable_mode(1.5, 0.5, 2, 1, pm)), score = quote(stable_score(1:3, 1.5, 0.5, 2, 1, pm)),
                quick = quote(stable_quick(1:3, 1.5, 0.5, 2, 1, pm)),
                values = quote(stable_eval(1:30, 1.5, 0.5, 2, 1, pm)))
    many <- list(density = quote(dstable(1:30, a, b, 2, 1, pm)), distribution = quote(pstable(1:30, a, b, 2, 1, pm)),
                 quantile = quote(qstable(0.3, a, b, 2, 1, pm)), random = quote(rstable(30, a, b, 2, 1, pm)),
                 mode = quote(stable_mode(a, b, 2, 1, pm)), score = quote(stable_score(1, a[1:2], b[1:2], 2, 1, pm)),
                 values = quote(stable_eval(1:30, a, b, 2, 1, pm)))
    for (pm in 0:2) expect_on_device(c(one = one, many = many))
  })
})

# --- precision -----------------------------------------------------------------------------------------

test_that("every function with an argument `precision` computes on the device in single precision", {
  expressions <- list(dstable = quote(dstable(1:3, 1.5, 0.5, precision = "single")),
                      pstable = quote(pstable(1:3, 1.5, 0.5, precision = "single")),
                      qstable = quote(qstable(0.3, 1.5, 0.5, precision = "single")),
                      rstable = quote(rstable(5, 1.5, 0.5, precision = "single")),
                      stable_loglik = quote(stable_loglik(inventory_x(), 1.6, 0.2, precision = "single")))
  able <- Filter(function(name) "precision" %in% names(formals(getExportedValue("stablecl", name))),
                 getNamespaceExports("stablecl"))
  expect_setequal(names(expressions), able)
  with_device(expect_on_device(expressions))
})

# --- estimators -----------------------------------------------------------------------------------------

estimators_on_device <- c("mle", "quantile", "mle2d", "grid")
estimators_refused <- c("ecf", "logmoment")

test_that("every estimator is in the inventory", {
  expect_setequal(c(estimators_on_device, estimators_refused), eval(formals(stablefit)$method))
})

test_that("every estimator computes its sums on the device, or fails with a class", {
  with_device({
    x <- inventory_x()
    few <- list(a = x, b = -x)
    weights <- rep(1:2, 30)
    for (method in estimators_on_device)
      expect_on_device(list(one = quote(stablefit(x, method)), many = quote(stablefit(few, method))))
    for (method in estimators_refused)
      expect_refused(list(one = quote(stablefit(x, method)), many = quote(stablefit(few, method))))
    expect_on_device(list(weights = quote(stablefit(x, weights = weights)), kept = quote(stablefit(stable_data(x))),
                          regression = quote(stablefit(dist ~ speed, cars)),
                          rounded = quote(stable_lm(dist ~ speed, cars, rounding = 1))))
  })
})

test_that("starting values may be computed by the CPU", {
  with_device({
    x <- inventory_x()
    for (method in eval(formals(stablefit)$method))
      expect_on_device(list(start = quote(stablefit(x, start = method))))
  })
})

# --- methods of generics ----------------------------------------------------------------------------------

# Methods of fits; `fit` is one sample's, `fits` two samples', `line` a regression.  Those in the second list evaluate
# densities, probabilities, quantiles or further fits.
methods_on_cpu <- list(
  anova.stablefit_lm = quote(anova(line, shorter)), augment.stablefit_lm = quote(generics::augment(line)),
  plot.stablefits = quote(plotted(plot(fits))), summary.stablefit = quote(summary(fit)),
  "[.stablefits" = quote(fits[1]), "[[.stablefits" = quote(fits[[1]]),
  as.data.frame.stablefits = quote(as.data.frame(fits)), as.list.stablefits = quote(as.list(fits)),
  coef.stablefit = quote(coef(fit)), coef.stablefits = quote(coef(fits)), confint.stablefit = quote(confint(fit)),
  recover_data.stablefit_lm = quote(emmeans::recover_data(line)),
  emm_basis.stablefit_lm = quote(emmeans::emm_basis(line, delete.response(terms(line)), NULL, cars[1:2, ])),
  coef.stablefit_lm = quote(coef(line)), fitted.stablefit_lm = quote(fitted(line)),
  format.stablefit = quote(format(fit)),
  formula.stablefit_lm = quote(formula(line)), glance.stablefit = quote(generics::glance(fit)),
  deviance.stablefit = quote(deviance(fit)), df.residual.stablefit = quote(df.residual(fit)),
  extractAIC.stablefit = quote(extractAIC(fit)), sigma.stablefit = quote(sigma(fit)), mean.stablefit = quote(mean(fit)),
  bread.stablefit = quote(sandwich::bread(fit)), vcovHC.stablefit = quote(try(sandwich::vcovHC(fit), silent = TRUE)),
  glance.stablefits = quote(generics::glance(fits)),
  as.data.frame.stablefit = quote(as.data.frame(fit)), getCall.stablefits = quote(getCall(fits)),
  nobs.stablefits = quote(nobs(fits)), sigma.stablefits = quote(sigma(fits)), mean.stablefits = quote(mean(fits)),
  length.stablefits = quote(length(fits)), logLik.stablefit = quote(logLik(fit)),
  model.frame.stablefit_lm = quote(model.frame(line)), model.matrix.stablefit_lm = quote(model.matrix(line)),
  names.stablefits = quote(names(fits)), nobs.stablefit = quote(nobs(fit)),
  print.stablefit = quote(capture.output(print(fit))), print.stablefits = quote(capture.output(print(fits))),
  print.summary.stablefit = quote(capture.output(print(known))),
  print.summary.stablefits = quote(capture.output(print(summary(fits)))),
  residuals.stablefit_censored = quote(try(residuals(censored), silent = TRUE)),
  augment.stablefit_censored = quote(try(generics::augment(censored), silent = TRUE)),
  summary.stablefits = quote(summary(fits)), tidy.stablefit = quote(generics::tidy(fit)),
  covariance.dist_stable = quote(distributional::covariance(laws)), format.dist_stable = quote(format(laws)),
  mean.dist_stable = quote(mean(laws)),
  tidy.stablefits = quote(generics::tidy(fits)), vcov.stablefit = quote(vcov(fit)),
  length.stable_data = quote(length(kept)), print.stable_data = quote(capture.output(print(kept))),
  print.stable_chunks = quote(capture.output(print(stable_chunks(function(reset) NULL)))),
  stable_gof.stablefits = quote(try(stable_gof(fits), silent = TRUE)),
  stable_gof.mvstablefit = quote(try(stable_gof(several), silent = TRUE)),
  print.stable_gof = quote(capture.output(print(test))), plot.stable_gof = quote(plotted(plot(test))),
  confint.stable_profile = quote(confint(curve)),
  plot.stable_profile = quote(plotted(plot(curve))), autoplot.stable_profile = quote(ggplot2::autoplot(curve)),
  print.stable_comparison = quote(capture.output(print(others))),
  autoplot.stable_gof = quote(ggplot2::autoplot(test)), autoplot.stablefits = quote(ggplot2::autoplot(fits)))
methods_on_device <- list(
  anova.stablefit = quote(anova(fit)),
  profile = quote(confint(fit, "beta", method = "profile")),
  profile.stablefit = quote(profile(fit, "delta", points = 1)),
  augment.stablefit = quote(generics::augment(fit)),
  plot.stablefit = quote(plotted(plot(fit))), plot.stablefit_lm = quote(plotted(plot(line))),
  autoplot.stablefit = quote(ggplot2::autoplot(fit)), autoplot.stable_comparison = quote(ggplot2::autoplot(others)),
  plot.stable_comparison = quote(plotted(plot(others))),
  autoplot.stablefit_lm = quote(ggplot2::autoplot(line)),
  predict.stablefits = quote(predict(fits, 0.1)), quantile.stablefits = quote(quantile(fits, 0.1)),
  median.stablefits = quote(median(fits)), update.stablefit = quote(update(fit, method = "mle")),
  predict.stablefit = quote(predict(fit, 0.1)), predict_se = quote(predict(fit, 1, type = "density", se.fit = TRUE)),
  predict.stablefit_lm = quote(predict(line, cars[1:2, ], probs = 0.1)),
  estfun.stablefit = quote(sandwich::estfun(fit)), median.stablefit = quote(median(fit)),
  quantile.stablefit = quote(quantile(fit, 0.1)), residuals.stablefit = quote(residuals(fit)),
  residuals.stablefit_lm = quote(residuals(line, "quantile")),
  density.dist_stable = quote(density(laws, 1)), cdf.dist_stable = quote(distributional::cdf(laws, 1)),
  quantile.dist_stable = quote(quantile(laws, 0.1)), generate.dist_stable = quote(distributional::generate(laws, 2)),
  simulate.stablefit = quote(simulate(fit, 1)), simulate.stablefit_lm = quote(simulate(line, 1)),
  plot.stablefit_censored = quote(plotted(plot(censored))),
  autoplot.stablefit_censored = quote(ggplot2::autoplot(censored)),
  simulate.stablefit_censored = quote(simulate(censored, 1)),
  stable_gof.default = quote(stable_gof(inventory_x(), 1.6, 0.2, 2, 1)),
  stable_gof.stablefit = quote(stable_gof(fit, R = 19)))

# Methods of objects that hold numbers, text or the state of the package.
methods_of_results <- paste0(c("gintegral", "gtranslation", "stable_backend", "stable_cache", "stable_devices",
                               "stable_numbers", "stable_sitrep"), "$", collapse = "|")

test_that("every method of a generic is in the inventory", {
  registered <- ls(asNamespace("stablecl")[[".__S3MethodsTable__."]])
  registered <- grep(methods_of_results, registered, value = TRUE, invert = TRUE)
  expect_setequal(setdiff(registered, c(names(methods_on_cpu), names(methods_on_device))), character())
})

test_that("no method of a fit fails because a device is selected", {
  with_device({
    fit <- stablefit(inventory_x())
    fits <- stablefit(list(a = inventory_x(), b = -inventory_x()))
    line <- stable_lm(dist ~ speed, cars)
    shorter <- stable_lm(dist ~ 1, cars)
    kept <- stable_data(inventory_x())
    known <- summary(fit)
    test <- stable_gof(inventory_x(), 1.6, 0.2, 2, 1)
    others <- stable_compare(fit, "t")
    several <- mvstablefit(cbind(inventory_x(), rev(inventory_x())), "projection")
    curve <- profile(fit, "delta", points = 1)
    if (requireNamespace("distributional", quietly = TRUE)) laws <- dist_stable(1.5, 0.5)
    censored <- stablefit(data.frame(left = inventory_x(), right = inventory_x() + 1))
    expect_on_cpu(installed(methods_on_cpu))
    expect_on_device(installed(methods_on_device))
  })
})

# --- without a device ---------------------------------------------------------------------------------------

test_that("\"auto\", \"cpu\" and forked processes compute everything without a condition", {
  for (backend in c("auto", "cpu")) {
    local_stable_backend(backend)
    expect_silent(suppressMessages({    # a message reports a build that takes long
      for (code in functions_on_device[c("stable_mode", "stable_score", "stable_quick")]) eval(code)
      for (method in estimators_refused) stablefit(inventory_x(), method)
    }))
  }
})
