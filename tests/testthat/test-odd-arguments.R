# Arguments that nobody means stop with a message for users, of class "stablecl_error_argument" or "_data", and not
# with one from the inside of a function.  tools/fuzz-arguments.R looks for others.

refused <- function(code, class = "stablecl_error_argument", regexp = NULL) {
  expect_error(suppressWarnings(code), regexp, class = class)
}

sample_of_40 <- {
  set.seed(20)
  rstable(40, 1.6, 0.3)
}

test_that("digits are one number, wherever something is printed", {
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

test_that("flags, counts and names of rows are checked", {
  many <- stablefit(list(a = sample_of_40, b = -sample_of_40), "quantile", se = FALSE)
  integrals <- gintegrate(function(x) x^2, 0, 1:2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- stablefit(sample_of_40, "quantile", se = FALSE)
  for (flag in list(NULL, NA, c(TRUE, FALSE), "a", list(TRUE), emptyenv())) {
    refused(plot(many, se = flag), regexp = "`se`")
    refused(plot(fit, ask = flag), regexp = "`ask`")
    refused(plot(fit, normal = flag), regexp = "`normal`")
    refused(as.data.frame(integrals, inputs = flag), regexp = "`inputs`")
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

test_that("objects that is.na() does not know are no parametrisation", {
  methods::setClass("odd_class", representation(slot = "numeric"), where = globalenv())
  on.exit(methods::removeClass("odd_class", where = globalenv()))
  for (pm in list(methods::new("odd_class", slot = 1), stats:::C_rnorm$address, sum, quote(a), data.frame(1),
                  list(0))) {
    expect_no_warning(expect_error(dstable(0, 1, 0, pm = pm), class = "stablecl_error_argument"))
    expect_no_warning(expect_error(stable_convert(1, 0, from = pm), class = "stablecl_error_argument"))
    expect_no_warning(expect_error(stable_cf(0, 1, 0, pm = pm), class = "stablecl_error_argument"))
  }
})

test_that("a message shows the beginning of a long value, and bytes that are no text", {
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

test_that("a parameter may have a name of its own, as in coef()[\"alpha\"]", {
  named <- stable_gof(sample_of_40, c(alpha = 1.6), c(alpha = 0.3), c(g = 2), delta = c(beta = 1))
  expect_identical(named, stable_gof(sample_of_40, 1.6, 0.3, 2, 1))
})

test_that("environments, missing values and infinite locations", {
  for (envir in list(NULL, 1, "globalenv", list())) refused(local_stable_backend("cpu", envir), regexp = "`envir`")
  expect_silent(stable_backend(structure(list(), class = "stable_backend")))
  refused(stable_data(c(1:10, NA)), "stablecl_error_data", "missing values: element 11 is NA")
  expect_warning(y <- stable_cf(1, 1.5, 0.5, delta = Inf), "^NaNs produced$")
  expect_true(is.nan(y))
})
