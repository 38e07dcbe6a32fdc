# An object of every class for which the package has methods.

method_objects <- function() {
  set.seed(4)
  x <- rstable(120, 1.6, 0.3)
  fit <- stablefit(x)
  d <- data.frame(x = 1:60)
  d$y <- d$x + rstable(60, 1.6, 0)
  many <- stablefit(list(a = x, b = x[1:60]))
  windows <- stablefit(x, width = 100, by = 20)
  integral <- gintegrate(function(x) exp(-x), 0, 1)
  elliptical <- mvstablefit(cbind(x, rev(x)))
  list(mvstable_spectral = mvstable_spectral(1.5, 1:3, 1), mvstablefit = elliptical,
       summary.mvstablefit = summary(elliptical),
       summary.mvstable_spectral = summary(mvspectralfit(cbind(x, rev(x)), directions = 8)), stablefit = fit,
       stablefit_censored = stablefit(data.frame(left = pmin(x, 1), right = ifelse(x < 1, x, Inf)), se = FALSE),
       stablefit_lm = stable_lm(y ~ x, d), stablefits = many, stablewindows = windows,
       series_windows = windows$data, gintegral = integral,
       summary.stablefit = summary(fit), summary.stablefits = summary(many), summary.gintegral = summary(integral),
       stable_gof = stable_gof(x, 1.6, 0.3), stable_comparison = stable_compare(fit, "t"), stable_data = stable_data(x),
       stable_numbers = confint(fit, method = "auto"),
       stable_profile = profile(fit, "delta", points = 1),
       stable_chunks = stable_chunks(function(reset) NULL), stable_cache = stable_cache(),
       stable_backend = stable_backend(), stable_devices = stable_devices(), stable_sitrep = stable_sitrep(),
       gtranslation = gtranslate(function(x) x^2), default = x)
}

# Returns the registered methods that users call: a matrix with a generic function and a class in each row.  Those for
# packages emmeans and distributional are called by their functions.
registered_methods <- function() {
  methods <- parseNamespaceFile("stablecl", dirname(system.file(package = "stablecl")))$S3methods[, 1:2]
  methods[, 1L] <- sub(".*::", "", methods[, 1L])
  methods[!methods[, 1L] %in% c("recover_data", "emm_basis") & methods[, 2L] != "dist_stable", ]
}

# Expects that the call of a condition is `call`, as it is or with the names of its arguments; the function may be a
# method of that in `call`, as in R's own errors.
expect_call <- function(condition, call, where) {
  fun <- eval(call[[1L]], where)
  named <- function(call) {
    arguments <- if (is.primitive(fun)) as.list(call)[-1L] else as.list(match.call(fun, call))[-1L]
    arguments[!vapply(arguments, identical, NA, quote(expr = ))]
  }
  text <- paste(deparse(call), collapse = " ")
  expect_identical(named(conditionCall(condition)), named(call), info = text)
  expect_match(deparse(conditionCall(condition)[[1L]], backtick = FALSE), deparse(call[[1L]], backtick = FALSE),
               fixed = TRUE, info = text)
}
