# Statistics and predictions of many fits: methods that return a value, or a row, for each data set.

#' @rdname stablefits
#' @export
nobs.stablefits <- function(object, ...) {
  check_dots(..., allowed = "use.fallback")
  stats::setNames(replace(lengths(object$data), !is_fitted(object), NA), names(object))
}

#' @rdname stablefits
#' @export
sigma.stablefits <- function(object, ...) {
  check_dots(...)
  coef(object)[, "gamma"]
}

#' @rdname stablefits
#' @export
mean.stablefits <- function(x, ...) {
  check_dots(...)
  value_of_each(x, mean, 1L)[, 1L]
}

#' @rdname stablefits
#' @export
median.stablefits <- function(x, na.rm = FALSE, ...) {
  check_dots(...)
  value_of_each(x, stats::median, 1L)[, 1L]
}

#' @rdname stablefits
#' @export
logLik.stablefits <- function(object, ...) {
  check_dots(...)
  value <- stats::setNames(replace(object$results$loglik, !is_fitted(object), NA), names(object))
  structure(value, df = free_count(object$request$fixed), nobs = nobs(object), class = "logLik")
}

#' @rdname stablefits
#' @param parm names or indices of parameters; all by default.
#' @param level confidence level, one number between 0 and 1.
#' @export
confint.stablefits <- function(object, parm, level = 0.95, ...) {
  call <- sys.call()
  check_dots(..., allowed = setdiff(names(formals(confint.stablefit)), c("object", "parm", "level", "...")))
  level <- check_level(level, call)
  parm <- check_parm(parm, fit_parameters, call)
  values <- stats::setNames(vector("list", length(object)), names(object))
  for (i in which(is_fitted(object))) values[[i]] <- with_call(call, confint(object[[i]], parm, level = level, ...))
  bind_values(values, length(parm), parm, percent(c(1 - level, 1 + level) / 2))
}

# update() takes the call from here, because `[[` selects a fit.
#' @export
getCall.stablefits <- function(x, ...) {
  check_dots(...)
  x$call
}

# Returns a matrix with the `count` values of f(fit) for each fit in a row, NA for data sets that could not be fitted.
value_of_each <- function(fits, f, count) {
  values <- matrix(NA_real_, length(fits), count, dimnames = list(names(fits), NULL))
  for (i in which(is_fitted(fits))) values[i, ] <- as.vector(f(fits[[i]]))
  values
}

#' Predictions of many fits
#'
#' `predict()` and `quantile()` of the fits of many data sets, or of windows over a series, return the predictions of
#' each fit: quantiles (value at risk), expected shortfalls, densities or probabilities, with standard errors and
#' confidence intervals as for one fit ([predict.stablefit()]).
#'
#' Predictions also exist for estimates `alpha = 2`, for which `beta` is `NA` in `coef()`, so that [qstable()] of the
#' coefficients is `NA`.
#'
#' @param object,x an object of class `"stablefits"`.
#' @param probs vector of probabilities from 0 to 1, for quantiles and expected shortfalls.
#' @param at vector of points, in the unit of the data, where to predict densities and probabilities; it must be given
#'   for these.
#' @param type what to predict: `"quantile"`, `"var"` (value at risk: the same), `"es"` (expected shortfall, see
#'   [stable_es()]), `"density"` or `"probability"`.
#' @inheritParams predict.stablefit
#' @param seed `NULL`, or a number for [set.seed()], with which the bootstrap of each fit begins.
#' @param ... passed by `quantile()` to `predict()`.  Any other argument is an error.
#' @return A matrix with a row for each fit, named by the data sets, and a column for each element of `probs` or `at`.
#'   With `interval = "confidence"` it is an array, whose third dimension has the elements `fit`, `lwr` and `upr`, and
#'   with `se.fit = TRUE` a list with this as element `fit` and the matrix of standard errors as `se.fit`.  Rows of data
#'   sets that could not be fitted are `NA`.  If methods were chosen automatically, or intervals are `NA` or unbounded,
#'   the attributes `"method"`, a vector, and `"because"` and `"reasons"`, lists, have an element for each such fit, and
#'   `print()` writes them below the numbers.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, or the method does not exist for these
#'     fits;}
#'   \item{`"stablecl_error_data"`, `"stablecl_error_interrupted"`, `"stablecl_error_worker"`}{the bootstrap failed, see
#'     [confint.stablefit()].}
#' }
#' @seealso [stablefit()], [`"stablefits"`][stablefits], [`"stablewindows"`][stablewindows], [predict.stablefit()].
#' @examples
#' fits <- stablefit(diff(log(EuStockMarkets)))
#' predict(fits, c(0.01, 0.05), type = "var")
#' predict(fits, 0.01, interval = "confidence")[, 1, ]
#' quantile(fits, 0.5)
#' @name predict.stablefits
NULL

#' @rdname predict.stablefits
#' @export
predict.stablefits <- function(object, probs = c(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99), se.fit = FALSE,
                               type = c("quantile", "var", "es", "density", "probability"), at = NULL,
                               interval = c("none", "confidence"), level = 0.95, lower.tail = TRUE, ...,
                               method = c("wald", "profile", "bootstrap", "auto", "HAC"), R = 199, seed = NULL,
                               block = NULL, simulate = NULL) {
  call <- sys.call()
  check_dots(...)
  choices <- prediction_choices(call)
  if (!choices$type %in% by_probability && is.null(at))
    stop_with(call, "argument", "`at` must be given: the data sets have no common points for densities and ",
              "probabilities.")
  request <- check_prediction(choices, environment(), call)
  values <- vector("list", length(object))
  for (i in which(is_fitted(object))) {
    fit <- object[[i]]
    draw <- series_sampler(fit, request$method, block, simulate, call)
    values[[i]] <- predicted(fit, request, seed, draw, call)
  }
  names(values) <- names(object)
  bind <- function(values, columns) bind_values(values, length(request$points), request$labels, columns)
  columns <- if (request$interval != "none") c("fit", "lwr", "upr")
  if (!se.fit) return(bind(values, columns))
  list(fit = bind(lapply(values, `[[`, "fit"), columns), se.fit = bind(lapply(values, `[[`, "se.fit"), NULL))
}

# Returns n values, or the n rows of a matrix with some columns, of one fit each as a matrix with a row for each, or an
# array; NULL: NA.  Attributes become a vector of the methods and lists of the reasons, with the names of the fits.
bind_values <- function(values, n, labels, columns) {
  count <- n * max(1L, length(columns))
  all <- vapply(values, function(v) if (is.null(v)) rep(NA_real_, count) else as.vector(v), numeric(count))
  dims <- c(n, length(columns), length(values))
  labels <- c(list(labels), if (length(columns)) list(columns), list(names(values)))
  all <- array(all, dims[dims > 0L | c(TRUE, FALSE, TRUE)], labels)
  all <- aperm(all, c(length(dim(all)), seq_len(length(dim(all)) - 1L)))
  of_each <- function(name) Filter(length, lapply(values, attr, name))
  stated <- list(method = unlist(of_each("method")), because = of_each("because"), reasons = of_each("reasons"))
  if (!any(lengths(stated))) return(all)
  attributes(all) <- c(attributes(all), Filter(Negate(is.null), stated))
  annotated_numbers(all)
}

#' @rdname predict.stablefits
#' @export
quantile.stablefits <- function(x, probs = seq(0, 1, 0.25), ...) {
  check_given()
  with_call(sys.call(), stats::predict(x, probs = probs, ...))
}
