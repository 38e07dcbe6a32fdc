test_that("errors and warnings name the user's call", {
  call_of <- function(expr) conditionCall(tryCatch(expr, condition = identity))
  expect_identical(call_of(dstable("a", 1, 0)), quote(dstable("a", 1, 0)))
  expect_identical(call_of(qstable(2, 1, 0)), quote(qstable(2, 1, 0)))
  expect_identical(call_of(pstable(0, 1, 0, pm = 7)), quote(pstable(0, 1, 0, pm = 7)))
  expect_identical(call_of(rstable(-1, 1, 0)), quote(rstable(-1, 1, 0)))
  expect_identical(call_of(stable_cf("a", 1, 0)), quote(stable_cf("a", 1, 0)))
  expect_identical(call_of(stable_cf(1, 3, 0)), quote(stable_cf(1, 3, 0)))
  expect_identical(call_of(stable_convert("a", 0)), quote(stable_convert("a", 0)))
  expect_identical(call_of(stable_convert(1, 0, to = 9)), quote(stable_convert(1, 0, to = 9)))
  expect_identical(call_of(stable_mode(1, 2)), quote(stable_mode(1, 2)))
})

test_that("failures of the compiled code are classed conditions", {
  user_function <- function() stablecl:::raise_status(1L, "no memory for 3 threads")
  failure <- tryCatch(user_function(), error = identity)
  expect_s3_class(failure, c("stablecl_error_memory", "stablecl_error", "error"))
  expect_identical(conditionMessage(failure), "No memory for 3 threads.")
  expect_identical(conditionCall(failure), quote(user_function()))
})

test_that("each exported function names its first missing argument, in a classed error with the user's call", {
  required <- function(f) names(Filter(function(default) identical(default, quote(expr = )), as.list(formals(f))))
  for (name in getNamespaceExports("stablecl")) {
    wanted <- setdiff(required(getExportedValue("stablecl", name)), "...")
    if (!length(wanted)) next
    call <- as.call(list(as.name(name)))
    failure <- suppressWarnings(tryCatch(eval(call), error = identity))
    expect_s3_class(failure, "stablecl_error_argument")
    expect_identical(conditionMessage(failure), sprintf("argument \"%s\" is missing, with no default", wanted[1L]))
    expect_identical(conditionCall(failure), call)
  }
  expect_error(stable_gof(1:9 / 3), "\"alpha\" is missing", class = "stablecl_error_argument")
  outer <- function(shape) dstable(0, shape, 0)
  expect_error(outer(), "\"alpha\" is missing", class = "stablecl_error_argument")
})

# Messages of R's own functions for vectors that are not numeric, which the d, p, q and r functions use without a class.
not_numeric <- "^(Non-numeric argument to mathematical function|invalid arguments)$"

# Evaluates a call.  Its error, if there is one, has a class of this package and names the call, as it is or with the
# names of all arguments.
expect_clear <- function(call, where, unclassed = "^$") {
  failure <- NULL
  utils::capture.output(tryCatch(suppressWarnings(eval(call, where)), error = function(e) failure <<- e))
  if (is.null(failure)) return(succeed())
  if (!grepl(unclassed, conditionMessage(failure))) expect_s3_class(failure, "stablecl_error")
  expect_call(failure, call, where)
}

# Calls a function with empty arguments: without and with the given ones, of which each in turn is empty, and with
# every other argument empty.
expect_clear_when_empty <- function(call, where) {
  fun <- eval(call[[1L]], where)
  empty <- list(quote(expr = ))
  expect_clear(call[1L], where)
  if (length(formals(fun))) expect_clear(as.call(c(call[[1L]], empty)), where)
  for (k in seq_along(call)[-1L]) expect_clear(as.call(replace(as.list(call), k, empty)), where)
  free <- length(formals(fun)) - length(call) + 1L
  surplus <- if ("..." %in% names(formals(fun))) free + 3L else free
  for (n in seq_len(max(surplus, 0L))) expect_clear(as.call(c(as.list(call), rep(empty, n))), where)
  for (name in setdiff(names(formals(fun)), c("...", names(match.call(fun, call)))))
    expect_clear(as.call(c(as.list(call), stats::setNames(empty, name))), where)
}

# Calls fun(object, ...) with vectors and lists without elements in place of each argument in turn.
expect_clear_without_elements <- function(call, where) {
  fun <- eval(call[[1L]], where)
  full <- as.list(match.call(fun, call))
  for (name in setdiff(names(formals(fun)), "...")) for (value in list(NULL, quote(numeric()), quote(character()),
                                                                       quote(list()), quote(data.frame()))) {
    full_call <- full
    full_call[name] <- list(value)
    expect_clear(as.call(full_call), where, not_numeric)
  }
}

# A call of each exported function, and the environment of its arguments.
calls_of_exports <- expression(
  dstable(0, 1.5, 0), pstable(0, 1.5, 0), qstable(0.5, 1.5, 0), rstable(1, 1.5, 0), stable_cf(1, 1.5, 0),
  stable_convert(1.5, 0), stable_mode(1.5, 0), stableMode(1.5, 0), stable_es(0.1, 1.5, 0), stable_eval(0, 1.5, 0),
  dist_stable(1.5, 0),
  stable_score(0, 1.5, 0), stable_quick(0, 1.5, 0), dmvstable(0, 1.5, 1), rmvstable(1, 1.5, 1), pmvstable(0, 1, 1.5, 1),
  mvstable_projection(1, 1.5, 1), mvstable_spectral(1.5, 1, 1), mvspectralfit(cbind(y, rev(y)), 8),
  stablefit(y, "quantile"), mvstablefit(cbind(y, rev(y)), "projection"), stable_data(y),
  stable_chunks(function(reset) NULL), stable_each(chunks, function(x) 0), stable_loglik(y, 1.5, 0),
  stable_gof(y, 1.5, 0), stable_compare(stablefit(y, "quantile"), "t"), stable_lm(y ~ z, d), gintegrate(sin, 0, 1),
  gtranslate(sin), stable_backend("cpu"),
  local_stable_backend("cpu"), stable_cache(), stable_threads(), stable_devices(), stable_sitrep(timeout = 0))

where_of_exports <- function() {
  where <- new.env()
  where$y <- fit_sample_of(40, 1.6, 0.3)
  where$d <- data.frame(y = where$y, z = 1:40)
  where$chunks <- stable_chunks(function(reset) NULL)
  where
}

test_that("missing and empty arguments of exported functions give a value or a classed error with the user's call", {
  where <- where_of_exports()
  expect_setequal(vapply(calls_of_exports, function(call) deparse(call[[1L]]), ""), getNamespaceExports("stablecl"))
  for (call in as.list(calls_of_exports)) expect_clear_when_empty(call, where)
  stable_backend("default")
})

test_that("arguments without elements give a value or a classed error with the user's call", {
  where <- where_of_exports()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (call in as.list(calls_of_exports)) {
    expect_clear_without_elements(call, where)
    stable_backend("default")
  }
  methods <- registered_methods()
  objects <- method_objects()
  # series_windows is a class of parts of other objects
  for (k in which(!methods[, 1L] %in% c("Ops", "Math", "Summary") & methods[, 2L] != "series_windows")) {
    if (methods[k, 1L] == "autoplot" && !requireNamespace("ggplot2", quietly = TRUE)) next
    where$object <- objects[[methods[k, 2L]]]
    where$method <- getFromNamespace(paste(methods[k, ], collapse = "."), "stablecl")
    call <- if (methods[k, 2L] == "default") quote(method(object, 1.6, 0.3)) else quote(method(object))
    others <- setdiff(names(formals(where$method))[-1L], "...")
    for (name in others) for (value in list(NULL, quote(numeric()), quote(character()), quote(list())))
      expect_clear(as.call(c(as.list(call), stats::setNames(list(value), name))), where, not_numeric)
  }
})

test_that("missing and empty arguments of methods give a value or a classed error with the user's call", {
  methods <- registered_methods()
  objects <- method_objects()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  checked <- 0L
  for (k in seq_len(nrow(methods))) {
    if (methods[k, 1L] == "autoplot" && !requireNamespace("ggplot2", quietly = TRUE)) next
    # R itself checks the arguments of primitive functions, such as length(), before it calls their methods
    generic <- get0(methods[k, 1L], mode = "function", envir = baseenv())
    if (is.primitive(generic) && !methods[k, 1L] %in% c("[", "[[") || methods[k, 1L] %in% c("Ops", "Math", "Summary"))
      next
    where <- new.env()
    where$x <- objects$default                                              # update() repeats a call with x
    where$object <- objects[[methods[k, 2L]]]
    where$method <- getFromNamespace(paste(methods[k, ], collapse = "."), "stablecl")
    call <- if (methods[k, 2L] == "default") quote(method(object, 1.6, 0.3)) else quote(method(object))
    if (is.primitive(generic)) {
      expect_clear(quote(method(object, )), where)
    } else expect_clear_when_empty(call, where)
    checked <- checked + 1L
  }
  expect_gt(checked, 50L)
})

test_that("the error of an empty argument states the remedy", {
  fit <- stablefit(fit_sample_of(40, 1.6, 0.3), "quantile")
  expect_error(anova(fit, ), "empty argument: remove the surplus comma", class = "stablecl_error_argument")
  expect_error(gintegrate(sin, 0, 1, ), "empty argument", class = "stablecl_error_argument")
  expect_error(gtranslate(sin, 1, ), "empty argument", class = "stablecl_error_argument")
  expect_identical(stablefit(list(fit$data), "quantile")[]$error, stablefit(list(fit$data), "quantile")$error)
})

test_that("a variable of a formula that does not exist is an error with the user's call", {
  failure <- tryCatch(stable_lm(dist ~ no_such_variable, cars), error = identity)
  expect_s3_class(failure, "stablecl_error_argument")
  expect_match(conditionMessage(failure), "no_such_variable")
  expect_match(deparse(conditionCall(failure)), "^stable_lm[(]formula = dist ~ no_such_variable")
})

test_that("errors of functions that methods call name the call of the method", {
  where <- new.env()
  where$many <- stablefit(list(a = fit_sample_of(40, 1.6, 0.3)), "quantile")
  where$line <- stable_lm(dist ~ speed, cars)
  where$tidy.stablefit <- stablecl:::tidy.stablefit
  calls <- expression(local_stable_backend(3), many[["b"]], plot(line, "pie"), stablefit(dist ~ none, cars),
                      quantile(many[["a"]], type = "mean"),
                      tidy.stablefit(many[["a"]], conf.int = TRUE, conf.level = 3), many[list("a")], many[sum])
  for (call in calls) {
    failure <- tryCatch(eval(call, where), error = identity)
    expect_s3_class(failure, "stablecl_error_argument")
    expect_call(failure, call, where)
  }
})

test_that("the error of a member of a group of generic functions shows no value", {
  integral <- gintegrate(sin, 0, 1)
  failure <- tryCatch(round(integral, digts = 1), error = identity)
  expect_s3_class(failure, "stablecl_error_argument")
  expect_identical(conditionCall(failure)[[1L]], quote(round))
  expect_identical(conditionCall(failure)$digts, 1)
  expect_true(is.name(conditionCall(failure)[[2L]]))
  expect_equal(round(integral, digits = 2), 0.46)
})
