# A fit as data frames: methods of the generic functions of package generics, which broom uses.

#' Fitted stable distributions as data frames
#'
#' Methods for the generic functions `tidy()`, `glance()` and `augment()` of package \pkg{generics}, which \pkg{broom}
#' exports.
#'
#' @param x an object of class `"stablefit"`.
#' @param conf.int logical: add a confidence interval?
#' @param conf.level the confidence level.
#' @param conf.method the method: `"wald"`, `"profile"`, `"bootstrap"` or `"auto"`, see [confint.stablefit()].
#' @param data `NULL`, or a data frame with a row per observation, to which the columns are added.
#' @param ... passed by `tidy()` to [confint.stablefit()].  Any other argument is an error.
#' @return Data frames.  `tidy()`: a row per parameter with `term`, `estimate`, `std.error`, `statistic` and `p.value`,
#'   and on request `conf.low` and `conf.high`; `statistic` and `p.value` are Wald's test that the parameter is 0, `NA`
#'   for `alpha` and `gamma`, which cannot be 0.  `glance()`: one row with `logLik`, `AIC`, `BIC`, `df` (free
#'   parameters), `nobs`, `method`, `pm` and `converged`.  `augment()`: a row per observation with the observation as
#'   `x` (or the columns of `data`), its density `.density`, probability `.probability` and quantile residual `.resid`,
#'   see [residuals.stablefit()]; observations that `na.exclude` left out have `NA`.
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' set.seed(1)
#' fit <- stablefit(rstable(200, 1.6, 0.3))
#' generics::tidy(fit, conf.int = TRUE)
#' generics::glance(fit)
#' head(generics::augment(fit))
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown or empty, or `conf.int`, `conf.level`, `conf.method` or
#'     `data` is invalid.}
#' }
#' @seealso [stablefit()], [`coef()`][coef.stablefit].
#' @name stablefit-tidy
NULL

#' @rdname stablefit-tidy
#' @method tidy stablefit
#' @exportS3Method generics::tidy stablefit
tidy.stablefit <- function(x, conf.int = FALSE, conf.level = 0.95,
                           conf.method = c("wald", "profile", "bootstrap", "auto"), ...) {
  check_dots(..., allowed = setdiff(names(formals(confint.stablefit)), c("object", "level", "method", "...")))
  check_flag(conf.int, "conf.int", sys.call())
  z <- unname(wald_statistics(x))
  table <- data.frame(term = names(coef(x)), estimate = unname(coef(x)), std.error = unname(sqrt(diag(x$vcov))),
                      statistic = z, p.value = 2 * stats::pnorm(-abs(z)))
  if (!conf.int) return(table)
  method <- choice_of(conf.method)
  ci <- with_call(sys.call(), confint(x, level = conf.level, method = method, ...))
  cbind(table, conf.low = unname(ci[, 1L]), conf.high = unname(ci[, 2L]))
}

#' @rdname stablefit-tidy
#' @method glance stablefit
#' @exportS3Method generics::glance stablefit
glance.stablefit <- function(x, ...) {
  check_dots(...)
  data.frame(logLik = x$loglik, AIC = stats::AIC(x), BIC = stats::BIC(x), df = x$df, nobs = x$nobs,
             method = x$method, pm = x$pm, converged = x$convergence$converged)
}

#' @rdname stablefit-tidy
#' @method augment stablefit
#' @exportS3Method generics::augment stablefit
augment.stablefit <- function(x, data = NULL, ...) {
  check_dots(...)
  pad <- function(v) stats::naresid(x$na.action, v)
  added <- data.frame(.density = pad(predict(x, type = "density")), .probability = stats::residuals(x, "pit"),
                      .resid = stats::residuals(x))
  if (is.null(data)) return(cbind(x = pad(x$data), added))
  cbind(check_augmented(data, nrow(added), x$na.action, sys.call()), added)
}

# Returns the rows of `data` for which a fit has values.  data: these, or also those that na.omit() has left out.
check_augmented <- function(data, rows, omitted, call) {
  if (inherits(omitted, "omit") && is.data.frame(data) && nrow(data) == rows + length(omitted))
    data <- data[-omitted, , drop = FALSE]
  if (!is.data.frame(data) || nrow(data) != rows)
    stop_with(call, "argument", "`data` must be a data frame with ", rows, " rows, one per observation, not ",
              if (is.data.frame(data)) paste(nrow(data), "rows") else value_text(data), ".")
  data
}
