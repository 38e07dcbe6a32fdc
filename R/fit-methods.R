# Methods of R's generic functions for class "stablefit".

#' Methods for fitted stable distributions
#'
#' Estimates, uncertainty and likelihood of a fit by [stablefit()] through R's own
#' generic functions.  [AIC()] and [BIC()] work through `logLik()`, and [update()]
#' through the stored call.
#'
#' `vcov()` is the inverse of the observed information; for methods other than `"mle"` and `"grid"`
#' it is the asymptotic covariance of the statistics from which the estimates are computed, propagated
#' through the estimator.  Parameters that are fixed, at a bound or not identified have no
#' standard error: their rows are `NA`, or left out with `complete = FALSE`.
#'
#' These covariances assume independent observations.  With `type = "HAC"` `vcov()` is \eqn{J^{-1} \Omega J^{-1}}{J^-1
#' Omega J^-1}, the covariance under dependence, such as that of returns, whose volatility changes slowly. \eqn{J}{J} is
#' the observed information and \eqn{\Omega}{Omega} the covariance of the sum of the scores ([estfun.stablefit()]), in
#' the order of the data.  Each score is modelled as the sum of noise and an autoregression of order one, which is
#' omitted if this decreases Akaike's criterion.  The parameters of both maximise Whittle's likelihood (Whittle 1953) of
#' the lowest quarter of the frequencies of the periodogram, so that dependence over few observations may have another
#' form.  This estimate contains the sum of many small autocorrelations, which kernel estimates with automatic
#' bandwidths such as `sandwich::vcovHAC(fit)` omit.  Autocorrelations over longer times must be positive.
#'
#' `summary()` reports reasons to doubt the estimates: a search that did not converge, a likelihood that is nearly
#' flat (estimates with a correlation above 0.99, a 95% interval of `beta` that is all of
#' \[-1, 1\]), estimates at a bound, and an interval of `alpha` that reaches 2.
#'
#' Its table tests `delta = 0`, and with `beta` estimated inside (-1, 1) `beta = 0`, by Wald's statistic.  `alpha` and
#' `gamma` cannot be 0; [anova.stablefit()] tests `alpha = 2`.
#'
#' The degrees of freedom in `logLik()` are the number of parameters that were not fixed,
#' also if the estimate is at a bound: the size of the model does not depend on
#' the data.  `deviance()` is -2 times the log-likelihood, `df.residual()` the number of observations less that of free
#' parameters, and `extractAIC()` returns the number of free parameters and the AIC, or for `k` other than 2 the
#' criterion with that penalty, as [stats::step()] expects them.
#'
#' `sigma()` is the scale `gamma`, in the parametrisation of the fit.  `mean()` is the mean of the fitted distribution
#' for `alpha > 1`; otherwise it is infinite if `beta` is -1 or 1, where one tail has no mean, and else `NaN`.
#' `median()` is its median.  The observations of a regression have no common distribution: both are errors.
#'
#' `update()` repeats the call with other arguments; that of one of many fits, `fits[[i]]`, repeats all of them and
#' returns the new fit of this data set.
#'
#' @param x,object an object of class `"stablefit"`.
#' @param digits significant digits to print, one number from 0 to 22; 0 counts as 1.
#' @param type `"information"`, or `"HAC"` for a covariance under heteroscedasticity and autocorrelation; it requires a
#'   fit by `"mle"` of one sample without weights, or a regression.
#' @param complete logical: keep rows and columns of parameters without a standard
#'   error, as `NA`?
#' @param fit an object of class `"stablefit"`.
#' @param scale not used; the argument of the generic function.
#' @param k the penalty for each parameter, one number.
#' @param row.names,optional as for [as.data.frame()].
#' @param evaluate logical: evaluate the new call, or return it?
#' @param na.rm not used: a fitted distribution has no missing values.
#' @param level confidence level of the Wald intervals in the table, one number between 0 and 1.
#' @param ... arguments of [format()] for `print()` and `format()`, and for `update()` arguments of [stablefit()] that
#'   change.  Any other argument is an error of class
#'   `"stablecl_error_argument"`.
#' @return `coef()` returns a named vector (`alpha`, `beta`, `gamma`, `delta`), with `beta`
#'   `NA` if it is not identified (`alpha` estimated as 2); `vcov()` a matrix;
#'   `logLik()` an object of class `"logLik"`; `nobs()` the number of observations used; `summary()` an object of
#'   class `"summary.stablefit"`, whose `coefficients` is the printed table;
#'   `extractAIC()` two numbers, the other statistics one;
#'   `as.data.frame()` one row with the columns of that of [many fits][stablefits], except `name` and `error`, and for a
#'   regression those of its coefficients;
#'   `format()` the printed lines. `print()` returns its argument invisibly, and
#'   never plots.
#' @references
#' Whittle, P. (1953) Estimation and information in stationary time series. *Arkiv for Matematik* **2**, 423--434.
#' \doi{10.1007/BF02590998}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown or empty, or `digits`, `level` or `complete` is
#'     invalid.}
#' }
#' @seealso [stablefit()], [`confint()`][confint.stablefit], [`anova()`][anova.stablefit],
#'   [`predict()`][predict.stablefit], [`plot()`][plot.stablefit], [`tidy()`][tidy.stablefit], [stable_lm()],
#'   [`estfun()`][estfun.stablefit] for package sandwich.
#' @examples
#' set.seed(1)
#' fit <- stablefit(rstable(500, 1.6, 0.3, gamma = 2, delta = 1))
#' summary(fit)
#' confint(fit, level = 0.9)
#' c(AIC(fit), BIC(fit))
#' @name stablefit-methods
NULL

#' @rdname stablefit-methods
#' @export
coef.stablefit <- function(object, ...) {
  check_dots(..., allowed = "complete")                    # argument of coef.default()
  object$coefficients
}

#' @rdname stablefit-methods
#' @export
vcov.stablefit <- function(object, complete = TRUE, type = c("information", "HAC"), ...) {
  type <- choice_of(type)
  check_dots(...)
  check_flag(complete, "complete", sys.call())
  V <- if (type == "HAC") dependent_vcov(object, sys.call()) else object$vcov
  if (complete) return(V)
  known <- !is.na(diag(V))
  V[known, known, drop = FALSE]
}

#' @rdname stablefit-methods
#' @export
logLik.stablefit <- function(object, ...) {
  check_dots(...)
  structure(object$loglik, df = object$df, nobs = object$nobs, class = "logLik")
}

#' @rdname stablefit-methods
#' @export
nobs.stablefit <- function(object, ...) {
  check_dots(..., allowed = "use.fallback")                # drop1() passes this argument of nobs.default()
  object$nobs
}

#' @rdname stablefit-methods
#' @export
deviance.stablefit <- function(object, ...) {
  check_dots(...)
  -2 * object$loglik
}

#' @rdname stablefit-methods
#' @export
df.residual.stablefit <- function(object, ...) {
  check_dots(...)
  object$nobs - object$df
}

#' @rdname stablefit-methods
#' @export
extractAIC.stablefit <- function(fit, scale = 0, k = 2, ...) {
  check_dots(...)
  if (!is.numeric(k) || length(k) != 1L || !is.finite(k))
    stop_with(sys.call(), "argument", "`k` must be one number, not ", value_text(k), ".")
  c(fit$df, -2 * fit$loglik + as.double(k) * fit$df)
}

#' @rdname stablefit-methods
#' @export
sigma.stablefit <- function(object, ...) {
  check_dots(...)
  if (has_formulas(object)) return(stats::predict(object, type = "scale"))
  object$coefficients[["gamma"]]
}

#' @rdname stablefit-methods
#' @export
mean.stablefit <- function(x, ...) {
  check_dots(...)
  check_one_law(x, sys.call())
  mean_of_law(x$theta)
}

#' @rdname stablefit-methods
#' @export
median.stablefit <- function(x, na.rm = FALSE, ...) {
  check_dots(...)
  check_one_law(x, sys.call())
  stats::predict(x, 0.5)[[1L]]
}

check_one_law <- function(object, call) {
  if (inherits(object, "stablefit_lm"))
    stop_with(call, "argument", "The observations of a regression have no common distribution: use predict() with ",
              "`newdata`, and `probs` for quantiles.")
}

#' @rdname stablefit-methods
#' @export
as.data.frame.stablefit <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_dots(..., allowed = "stringsAsFactors")            # passed on by data.frame()
  row.names <- check_row_names(row.names, 1L, sys.call())
  sd <- stats::setNames(sqrt(diag(x$vcov)), paste0("se.", names(coef(x))))
  data.frame(n = x$nobs, as.list(coef(x)), as.list(sd), loglik = x$loglik, converged = x$convergence$converged,
             note = paste(x$notes, collapse = " "), row.names = row.names, check.names = FALSE,
             stringsAsFactors = FALSE)
}

#' @rdname stablefit-methods
#' @export
summary.stablefit <- function(object, level = 0.95, ...) {
  check_dots(...)
  level <- check_level(level, sys.call())
  est <- coef(object)
  sd <- sqrt(diag(object$vcov))
  table <- cbind(Estimate = est, "Std. Error" = sd, "z value" = wald_statistics(object),
                 confint(object, level = level))
  structure(c(object[c("call", "method", "pm", "nobs", "df", "convergence", "fixed")],
              list(formula = object$formula, parameter = if (has_formulas(object)) object$parameter,
                   predictors = object$predictors, coefficients = table,
                   notes = c(summary_warnings(object), object$notes), logLik = logLik(object),
                   aic = stats::AIC(object), bic = stats::BIC(object))),
            class = "summary.stablefit")
}

# Returns the estimates divided by their standard errors, for parameters that can be 0.
wald_statistics <- function(object) {
  z <- coef(object) / sqrt(diag(object$vcov))
  replace(z, names(z) %in% c("alpha", "gamma"), NA_real_)
}

#' @rdname stablefit-methods
#' @export
print.summary.stablefit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  cat(fit_title(x), "\n\nCall: ", deparse_call(x$call), "\n\n", sep = "")
  table <- x$coefficients
  cells <- matrix(format_each(table, digits, ...), nrow(table), dimnames = dimnames(table))
  cells[, "z value"] <- ifelse(is.na(table[, "z value"]), "", format_fixed(table[, "z value"]))
  if (is.null(x$parameter)) print(cells, quote = FALSE, right = TRUE) else print_by_parameter(cells, x)
  cat("\n", fit_likelihood_line(x$logLik, x), "\nAIC ", format_fixed(x$aic), ", BIC ",
      format_fixed(x$bic), "\n", sep = "")
  for (note in x$notes) cat(strwrap(note, prefix = "  ", initial = "* "), sep = "\n")
  invisible(x)
}

# Prints the rows of each parameter of a regression under a heading.
print_by_parameter <- function(cells, x) {
  for (name in c("location", "scale", "alpha", "beta")) {
    own <- x$parameter == name
    p <- x$predictors[[name]]
    rows <- cells[own, , drop = FALSE]
    if (!p$natural && name != "location") rownames(rows) <- substring(rownames(rows), nchar(name) + 2L)
    if (name != "location") cat("\n")
    title <- paste0(toupper(substr(name, 1L, 1L)), substring(name, 2L))
    cat(title, if (!p$natural) paste0(" (", p$link$name, ")"), ":\n", sep = "")
    print(rows, quote = FALSE, right = TRUE)
  }
}

#' @rdname stablefit-methods
#' @export
format.stablefit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  sd <- sqrt(diag(x$vcov))
  table <- rbind(estimate = format_each(coef(x), digits, ...),
                 "std. error" = format_each(sd, digits - 1L, ...))
  colnames(table) <- names(coef(x))
  if (all(is.na(sd))) table <- table[1L, , drop = FALSE]
  lines <- utils::capture.output(print(table, quote = FALSE, right = TRUE))
  c(fit_title(x), "", paste("Call:", deparse_call(x$call)), "", lines, "",
    fit_likelihood_line(logLik(x), x),
    unlist(lapply(x$notes, strwrap, prefix = "  ", initial = "* ")))
}

#' @rdname stablefit-methods
#' @export
print.stablefit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  cat(format(x, digits = digits, ...), sep = "\n")
  invisible(x)
}

fit_title <- function(x) {
  what <- if (is.null(x$formula)) "Stable distribution"
    else if (has_formulas(x)) "Regression of all parameters with stable errors" else "Linear model with stable errors"
  sprintf("%s%sfitted by %s, parametrisation S%d, %s observations", what, if (has_formulas(x)) "\n" else " ",
          method_names[[x$method]], x$pm, count_text(x$nobs))
}

# Returns a number of observations, which is a sum of weights and need not be whole, as text.
count_text <- function(n) format(n, digits = 7L, scientific = FALSE)

method_names <- c(mle = "maximum likelihood", quantile = "quantiles", ecf = "the empirical characteristic function",
                  logmoment = "logarithmic moments", mle2d = "maximum likelihood in alpha and beta",
                  grid = "maximum likelihood on grids")

fit_likelihood_line <- function(value, x) {
  state <- if (is.na(x$convergence$converged)) "not maximised"
    else if (x$convergence$converged) "converged" else "NOT converged"
  free <- sprintf(ngettext(x$df, "%d free parameter", "%d free parameters"), x$df)
  sprintf("Log-likelihood %s (%s), %s", format_fixed(value), free, state)
}

format_each <- function(v, digits, ...) {
  vapply(v, function(one) format(signif(one, digits), ...), "")
}

format_fixed <- function(v) formatC(as.numeric(v), digits = 2L, format = "f")

deparse_call <- function(call) paste(deparse(call), collapse = "\n")
