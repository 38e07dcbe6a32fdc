# Invalid arguments are errors with messages for users, of class "stablecl_error_argument" or "_data", and not internal
# errors of other functions.  tools/fuzz-arguments.R searches for more of them.

refused <- function(code, class = "stablecl_error_argument", regexp = NULL) {
  expect_error(suppressWarnings(code), regexp, class = class)
}

sample_of_40 <- {
  set.seed(20)
  rstable(40, 1.6, 0.3)
}

test_that("digits must be one number in every print and format method", {
  fit <- stablefit(sample_of_40, "quantile", se = FALSE)
  many <- stablefit(list(sample_of_40, -sample_of_40), "quantile", se = FALSE)
  integral <- gintegrate(function(x) x^2, 0, 1)
  gof <- stable_gof(sample_of_40, 1.6, 0.3)
  for (digits in list(integer(), 1:2, NA, "3", -1, 23, list(3), factor(3))) {
    refused(format(fit, digits = digits))
    refused(print(fit, digits = digits))
    refused(print(summary(fit), digits = digits))
    refused(print(many, digits = digits))
    refused(print(summary(many), digits = digits))
    refused(format(integral, digits = digits))
    refused(print(integral, digits = digits))
    refused(print(gof, digits = digits))
  }
  for (digits in list(NULL, 0, 1, 22L, 7.5)) {
    expect_output(print(fit, digits = digits))
    expect_output(print(summary(fit), digits = digits))
    expect_output(print(gof, digits = digits))
    expect_output(print(integral, digits = digits))
  }
})

test_that("flags, counts and row names are checked", {
  many <- stablefit(list(a = sample_of_40, b = -sample_of_40), "quantile", se = FALSE)
  integrals <- gintegrate(function(x) x^2, 0, 1:2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- stablefit(sample_of_40, "quantile", se = FALSE)
  for (flag in list(NULL, NA, c(TRUE, FALSE), "a", list(TRUE), emptyenv())) {
    refused(plot(many, se = flag), regexp = "`se`")
    refused(plot(fit, ask = flag), regexp = "`ask`")
    refused(plot(fit, normal = flag), regexp = "`normal`")
    if (!is.null(flag)) refused(as.data.frame(integrals, inputs = flag), regexp = "`inputs`")
    refused(stable_es(0.1, 1.5, 0, lower.tail = flag), regexp = "`lower.tail`")
  }
  expect_identical(stable_es(0.1, 1.5, 0, lower.tail = 0), stable_es(0.1, 1.5, 0, lower.tail = FALSE))
  for (n in list(NULL, NA, -1, "2", 1:2, globalenv())) refused(print(many, n = n), regexp = "`n`")
  for (rows in list("a", c("a", NA), c("a", "a"), 1:3, sum, list(1, 2), factor(1:2), NA_complex_)) {
    refused(as.data.frame(integrals, row.names = rows), regexp = "`row.names`")
    refused(as.data.frame(many, row.names = rows), regexp = "`row.names`")
  }
  expect_identical(rownames(as.data.frame(integrals, row.names = c("u", "v"))), c("u", "v"))
  expect_identical(rownames(as.data.frame(many, row.names = 5:6)), c("5", "6"))
})

test_that("objects that is.na() does not support are invalid parametrisations", {
  methods::setClass("odd_class", representation(slot = "numeric"), where = globalenv())
  on.exit(methods::removeClass("odd_class", where = globalenv()))
  for (pm in list(methods::new("odd_class", slot = 1), stats:::C_rnorm$address, sum, quote(a), data.frame(1),
                  list(0))) {
    expect_no_warning(expect_error(dstable(0, 1, 0, pm = pm), class = "stablecl_error_argument"))
    expect_no_warning(expect_error(stable_convert(1, 0, from = pm), class = "stablecl_error_argument"))
    expect_no_warning(expect_error(stable_cf(0, 1, 0, pm = pm), class = "stablecl_error_argument"))
  }
})

test_that("lists of parameters and flags of fits may not be other objects", {
  methods::setClass("odd_class", representation(slot = "numeric"), where = globalenv())
  on.exit(methods::removeClass("odd_class", where = globalenv()))
  data <- data.frame(y = sample_of_40, z = seq(-1, 1, length.out = 40))
  for (odd in list(methods::new("odd_class", slot = 1), stats:::C_rnorm$address, sum, quote(f(x)), globalenv())) {
    refused(stablefit(sample_of_40, fixed = odd), regexp = "`fixed`")
    refused(stablefit(sample_of_40, start = odd), regexp = "`start`")
    refused(stablefit(sample_of_40, control = odd), regexp = "`control`")
    refused(stable_lm(y ~ z, data, control = odd), regexp = "`control`")
  }
  for (flag in list(c(-Inf, 1:20), quote(f(x)), NA, NULL, "TRUE"))
    refused(stable_lm(y ~ z, data, se = flag), regexp = "`se`")
})

test_that("messages shorten long values, and show bytes that are not text", {
  long <- strrep("long", 1e5)
  bytes <- "bytes\xff"
  Encoding(bytes) <- "bytes"
  message_of <- function(code) tryCatch(code, error = conditionMessage)
  expect_lt(nchar(message_of(stable_threads(long))), 300)
  expect_lt(nchar(message_of(stable_eval(0, 1, 0, what = long))), 300)
  expect_lt(nchar(message_of(dstable(0, 1, 0, odd = long))), 300)
  expect_match(message_of(stable_threads(long)), "longlong.*[.]{3}")
  for (text in list(bytes, "not UTF-8: \xff")) {
    refused(stable_threads(text))
    expect_error(stable_backend(text), "<ff>", class = "stablecl_error")
  }
  stable_backend("default")
})

test_that("parameters may be named numbers, as in coef()[\"alpha\"]", {
  named <- stable_gof(sample_of_40, c(alpha = 1.6), c(alpha = 0.3), c(g = 2), delta = c(beta = 1))
  expect_identical(named, stable_gof(sample_of_40, 1.6, 0.3, 2, 1))
})

test_that("invalid environments and missing values are errors, and infinite locations give NaN", {
  for (envir in list(NULL, 1, "globalenv", list())) refused(local_stable_backend("cpu", envir), regexp = "`envir`")
  expect_silent(stable_backend(structure(list(), class = "stable_backend")))
  refused(stable_data(c(1:10, NA)), "stablecl_error_data", "missing values, but element 11 is NA")
  expect_warning(y <- stable_cf(1, 1.5, 0.5, delta = Inf), "^NaNs produced$")
  expect_true(is.nan(y))
})

test_that("simulate() takes one number of samples, and seeds that set.seed() accepts", {
  data <- data.frame(y = sample_of_40, z = seq(-1, 1, length.out = 40))
  fits <- list(stablefit(sample_of_40, "quantile"), stable_lm(y ~ z, data, se = FALSE))
  for (fit in fits) {
    for (seed in list("a", 1i, NA, Inf, 1e10, 1:2, numeric(), list(1), factor(1), sum, as.Date("2020-01-01")))
      refused(simulate(fit, seed = seed), regexp = "`seed`")
    for (nsim in list("a", NA, Inf, -1, 1:2, NULL, list(1), emptyenv())) refused(simulate(fit, nsim), regexp = "`nsim`")
    expect_identical(dim(simulate(fit, 0)), c(40L, 0L))
    expect_identical(dim(simulate(fit, 1e-320)), c(40L, 0L))
    expect_identical(dim(simulate(fit, c(n = 2.5), seed = -1)), c(40L, 2L))
  }
  refused(confint(fits[[1L]], method = "bootstrap", R = 2, seed = "a"), regexp = "`seed`")
  set.seed(3)
  drawn <- rstable(40, fits[[1L]]$theta[[1L]], fits[[1L]]$theta[[2L]], fits[[1L]]$theta[[3L]], fits[[1L]]$theta[[4L]])
  expect_identical(simulate(fits[[1L]], seed = 3)$sim_1, drawn)
})

test_that("an empty vector of probabilities gives no quantiles", {
  data <- data.frame(y = sample_of_40, z = seq(-1, 1, length.out = 40))
  fit <- stablefit(sample_of_40, "quantile")
  line <- stable_lm(y ~ z, data)
  expect_length(quantile(fit, probs = numeric()), 0L)
  expect_identical(dim(predict(fit, numeric(), interval = "confidence")), c(0L, 3L))
  expect_length(predict(fit, numeric(), se.fit = TRUE)$se.fit, 0L)
  expect_identical(dim(predict(line, probs = numeric())), c(40L, 0L))
  for (probs in list(as.Date("2020-01-01"), as.difftime(1, units = "hours"), "0.5", list(0.5), factor(1)))
    refused(quantile(fit, probs = probs), regexp = "`probs`")
})

test_that("methods for regressions check that data are data frames", {
  data <- data.frame(y = sample_of_40, z = seq(-1, 1, length.out = 40))
  line <- stable_lm(y ~ z, data)
  for (odd in list(c(a = 1), quote(a), sum, globalenv(), y ~ z, list(1), data[1:3, ], expression(a),
                   structure(list(), class = "stablefit")))
    refused(stablecl:::augment.stablefit_lm(line, data = odd), regexp = "`data`")
  expect_identical(nrow(stablecl:::augment.stablefit_lm(line, data = data)), 40L)
  for (odd in list(c(a = 1), quote(a), sum, 1i, "z")) refused(predict(line, newdata = odd), regexp = "`newdata`")
  expect_equal(unname(predict(line, newdata = list(z = data$z[1:3]))), unname(predict(line)[1:3]))
})

test_that("gtranslate() checks the number of variables and the names of parameters", {
  f <- function(x, a = 1) a * x^2
  for (dim in list(numeric(), 1:2, "a", 0, -1, NA, Inf, 1.5, list(1), y ~ x, sum))
    expect_no_warning(expect_error(gtranslate(f, dim = dim), "`dim`", class = "stablecl_error_argument"))
  expect_identical(gtranslate(f, dim = 1)$dim, 1L)
  for (params in list(1, quote(a), `if`, list(1), globalenv(), y ~ a, TRUE))
    refused(gtranslate(f, params = params), regexp = "`params`")
  expect_identical(gtranslate(f, params = data.frame(a = 1))$parameters, "a")
  expect_identical(gtranslate(f, params = "a")$parameters, "a")
})

test_that("errors of plots of integrals name the call of plot()", {
  many <- gintegrate(function(x) x^2, 0, 1:2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  e <- tryCatch(plot(many, "values", against = 1:3), error = identity)
  expect_s3_class(e, "stablecl_error_argument")
  expect_match(deparse(conditionCall(e))[1L], "^plot")
})

test_that("primitives without arguments, unknown classes and long names give readable errors", {
  expect_no_warning(expect_error(gtranslate(.Primitive("[")), "must have at least one argument"))
  expect_no_warning(expect_error(gintegrate(.Primitive("["), 0, 1), "must have at least one argument"))
  e <- tryCatch(gtranslate(function(x) x, params = strrep("long", 1e5)), error = identity)
  expect_lt(nchar(conditionMessage(e)), 200)
  model <- suppressWarnings(stable_lm(dist ~ speed, cars))
  expect_error(predict(model, newdata = structure(list(), class = "unknown")), "`newdata` must be a data frame",
               class = "stablecl_error_argument")
  expect_error(plot(model, main = pairlist(a = 1)), "`main`", class = "stablecl_error_argument")
})

test_that("simulating many samples of a regression takes linear time", {
  model <- suppressWarnings(stable_lm(dist ~ speed, cars))
  set.seed(1)
  many <- simulate(model, 20000)
  set.seed(1)
  expect_identical(many[[1]], simulate(model, 1)[[1]])
  expect_identical(dim(many), c(50L, 20000L))
  expect_s3_class(many, "data.frame")
})

test_that("errors of the compiled code name the call of gintegrate()", {
  for (f in list(function(x) sin(x), function(x) dstable(x, 1.5, 0))) {
    e <- tryCatch(gintegrate(f, 0, 1, backend = "none of that name"), error = identity)
    expect_s3_class(e, "stablecl_error_device")
    expect_identical(conditionCall(e)[[1L]], quote(gintegrate))
  }
})

test_that("probabilities may be an array", {
  fit <- suppressWarnings(stablefit(cars$dist))
  for (interval in c("none", "confidence"))
    expect_identical(predict(fit, probs = array(c(0.1, 0.5), 2L), interval = interval),
                     predict(fit, probs = c(0.1, 0.5), interval = interval))
})

test_that("unused arguments of any type are ignored, and levels may be arrays", {
  fit <- stablefit(sample_of_40, "quantile", se = FALSE)
  expected <- predict(fit, probs = 0.5)
  for (at in list(quote(a), sum, `if`, globalenv())) expect_identical(predict(fit, probs = 0.5, at = at), expected)
  model <- suppressWarnings(stable_lm(dist ~ speed, cars))
  expect_silent(predict(model, interval = "confidence", level = array(0.5, 1L)))
})

test_that("arguments with a class or a dimension are errors of the argument", {
  fit <- stablefit(sample_of_40, "quantile", se = FALSE)
  refused(confint(fit, parm = matrix(list(1, "a"), 1L)), regexp = "`parm`")
  refused(plot(fit, which = structure(1, class = "stable_data")), regexp = "`which`")
  refused(gtranslate(sin, params = structure(1, class = "factor")), regexp = "`params`")
})

test_that("a primitive function without a translation is an error of the translation", {
  for (f in list(quote, substitute)) expect_error(gtranslate(f), class = "stablecl_error_untranslatable")
})

test_that("a plot accepts an empty title", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(stablefit(sample_of_40, "quantile", se = FALSE), "qq", main = expression()))
})

test_that("a pairlist serves as a list of arguments", {
  f <- function(x, a) a * x
  expect_identical(gintegrate(f, 0, 1, params = pairlist(a = 1:3))$value,
                   gintegrate(f, 0, 1, params = list(a = 1:3))$value)
  expect_identical(gintegrate(sin, 0, 1, method = "vegas", control = pairlist(seed = 1))$value,
                   gintegrate(sin, 0, 1, method = "vegas", control = list(seed = 1))$value)
  x <- fit_sample_of(50, 1.5, 0.5)
  expect_identical(coef(stablefit(x, start = pairlist(alpha = 1.2), fixed = pairlist(beta = 0),
                                  control = pairlist(maxit = 20))),
                   coef(stablefit(x, start = list(alpha = 1.2), fixed = list(beta = 0), control = list(maxit = 20))))
  expect_identical(coef(stablefit(pairlist(x, -x))), coef(stablefit(list(x, -x))))
  refused(gtranslate(f, params = pairlist(a = 1)), regexp = "`params`")
})
