# Methods of R's generic functions for class "mvstablefit".

#' Methods for fitted elliptically contoured stable distributions
#'
#' Estimates, uncertainty, likelihood, predictions and samples of a fit by [mvstablefit()] through R's own generic
#' functions.  [AIC()], [BIC()] and [update()] work through these methods.
#'
#' `vcov()` is the inverse of the expected information at the estimate, of `alpha`, the elements of `delta`, and those
#' of the lower triangle of `Q`, column by column, named `alpha`, `delta[i]` and `Q[i,j]`.  `summary()` contains the
#' standard errors without this matrix, whose size increases with the fourth power of the dimension.  A fixed `alpha`,
#' and one at the bound 2, have no standard error.  In 100 dimensions `vcov()` returns a matrix of 5151 rows
#' and 212 MB; `confint()` does not need it.
#'
#' `confint()` returns Wald intervals: for `alpha` within its range, from 0 to 2, and for the diagonal elements of `Q`
#' symmetric on the logarithmic scale, so that they are positive.
#'
#' `predict()` returns the distances \eqn{r = \sqrt{(x-\delta)^TQ^{-1}(x-\delta)}}{r = sqrt((x - delta)' Q^-1 (x -
#' delta))}, the densities, or the weights \eqn{W(r)} of maximum likelihood, which are small for outlying observations.
#'
#' @param x,object an object of class `"mvstablefit"`.
#' @param digits significant digits to print, one number from 0 to 22; 0 counts as 1.
#' @param parm names or indices of parameters, as in `coef()`; all by default.
#' @param level confidence level of the intervals, one number between 0 and 1.
#' @param complete logical: keep the row and column of a parameter without a standard error, as `NA`?
#' @param newdata points, as for [dmvstable()]; the data by default.
#' @param type what to predict: `"density"`, `"distance"` or `"weight"`.
#' @param log logical: return the logarithms of densities?
#' @param nsim number of samples, 0 or more, each of the size of the data.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @param ... arguments of [print()] for `print()`.  Any other argument is an error of class
#'   `"stablecl_error_argument"`.
#' @return `coef()` a named vector; `vcov()` a matrix; `confint()` a matrix with a row for each parameter; `logLik()` an
#'   object of class `"logLik"`; `nobs()` the number of observations; `predict()` a vector with an element for each
#'   point; `simulate()` a list of matrices with an attribute `"seed"`; `summary()` an object of class
#'   `"summary.mvstablefit"` with the standard errors `se.alpha`, `se.delta`, `se.Q` and the matrix `correlation` of
#'   `Q`; `print()` its argument, invisibly.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' @seealso [mvstablefit()], [dmvstable()].
#' @examples
#' fit <- mvstablefit(100 * diff(log(EuStockMarkets)))
#' coef(fit)
#' confint(fit, "alpha")
#' # the days that are farthest from the centre
#' head(order(predict(fit, type = "distance"), decreasing = TRUE))
#' dim(simulate(fit, seed = 1)[[1]])
#' @name mvstablefit-methods
NULL

#' @rdname mvstablefit-methods
#' @export
coef.mvstablefit <- function(object, ...) {
  check_dots(..., allowed = "complete")
  lower <- lower.tri(object$Q, diag = TRUE)
  stats::setNames(c(object$alpha, object$delta, object$Q[lower]), mv_parameter_names(object))
}

mv_parameter_names <- function(object) {
  names <- if (is.null(names(object$delta))) as.character(seq_along(object$delta)) else names(object$delta)
  at <- which(lower.tri(object$Q, diag = TRUE), arr.ind = TRUE)
  c("alpha", sprintf("delta[%s]", names), sprintf("Q[%s,%s]", names[at[, 1L]], names[at[, 2L]]))
}

#' @rdname mvstablefit-methods
#' @export
vcov.mvstablefit <- function(object, complete = TRUE, ...) {
  check_dots(...)
  check_flag(complete, "complete", sys.call())
  Q <- object$Q
  d <- nrow(Q)
  at <- which(lower.tri(Q, diag = TRUE), arr.ind = TRUE)
  i <- at[, 1L]
  j <- at[, 2L]
  of_Q <- Q[lower.tri(Q, diag = TRUE)]
  v <- shape_factors(object)
  names <- mv_parameter_names(object)
  V <- matrix(0, length(names), length(names), dimnames = list(names, names))
  V[1 + seq_len(d), 1 + seq_len(d)] <- Q * v$delta
  shape <- 1 + d + seq_along(i)
  Qi <- Q[i, , drop = FALSE]
  Qj <- Q[j, , drop = FALSE]
  for (m in seq_along(i)) {                     # by columns, because further matrices of this size would take longer
    k <- i[m]
    l <- j[m]
    V[shape, shape[m]] <- v$pair * (Qi[, k] * Qj[, l] + Qi[, l] * Qj[, k]) + v$common * of_Q * of_Q[m]
  }
  V[1L, shape] <- V[shape, 1L] <- v$cross * of_Q
  V[1L, 1L] <- v$alpha
  if (is.na(v$alpha)) V[1L, ] <- V[, 1L] <- NA
  if (is.na(v$pair)) V[] <- NA
  if (complete) return(V)
  known <- !is.na(diag(V))
  V[known, known, drop = FALSE]
}

# Returns the factors of the covariance of the estimates: cov(delta) = delta Q, cov(Q[i, j], Q[k, l]) =
# pair (Q[i, k] Q[j, l] + Q[i, l] Q[j, k]) + common Q[i, j] Q[k, l], cov(alpha, Q[i, j]) = cross Q[i, j].
shape_factors <- function(object) {
  info <- object$information
  n <- if (is.null(info)) NA_real_ else object$nobs
  if (is.null(info)) info <- list(kappa = 1, lambda = 1, inverse = diag(2L))
  V <- info$inverse / n
  known <- !length(object$fixed) && object$alpha < 2
  list(delta = 1 / (n * info$lambda), pair = 1 / (n * info$kappa),
       common = V[2L, 2L] - 2 / (n * info$kappa * nrow(object$Q)), cross = if (known) V[1L, 2L] else 0,
       alpha = if (known) V[1L, 1L] else NA_real_)
}

#' @rdname mvstablefit-methods
#' @export
confint.mvstablefit <- function(object, parm, level = 0.95, ...) {
  check_dots(...)
  call <- sys.call()
  est <- coef(object)
  level <- check_level(level, call)
  parm <- check_parm(parm, names(est), call)
  lower <- lower.tri(object$Q, diag = TRUE)
  se <- mv_errors(object)
  sd <- c(se$alpha, se$delta, se$Q[lower])
  is_scale <- c(logical(1L + length(object$delta)), (row(object$Q) == col(object$Q))[lower])
  reach <- c(-1, 1) * critical_normal_value(level)
  ci <- est + outer(sd, reach)
  ci[is_scale, ] <- est[is_scale] * exp(outer((sd / est)[is_scale], reach))
  ci[1L, ] <- pmin(pmax(ci[1L, ], 0), 2)
  dimnames(ci) <- list(names(est), percent(c(1 - level, 1 + level) / 2))
  ci[parm, , drop = FALSE]
}

# Returns the standard errors of alpha, delta and Q.
mv_errors <- function(object) {
  v <- shape_factors(object)
  Q <- object$Q
  list(alpha = sqrt(v$alpha), delta = sqrt(v$delta * diag(Q)),
       Q = sqrt(v$pair * (outer(diag(Q), diag(Q)) + Q^2) + v$common * Q^2))
}

#' @rdname mvstablefit-methods
#' @export
logLik.mvstablefit <- function(object, ...) {
  check_dots(...)
  structure(object$loglik, df = object$df, nobs = object$nobs, class = "logLik")
}

#' @rdname mvstablefit-methods
#' @export
nobs.mvstablefit <- function(object, ...) {
  check_dots(...)
  object$nobs
}

#' @rdname mvstablefit-methods
#' @export
predict.mvstablefit <- function(object, newdata = object$data, type = c("density", "distance", "weight"), log = FALSE,
                                ...) {
  check_dots(...)
  call <- sys.call()
  type <- choice_of(type)
  check_flag(log, "log", call)
  law <- fitted_law(object)
  x <- log_distance(law, points_matrix(newdata, law, "newdata", call))
  if (type == "distance") return(exp(x))
  if (type == "weight") {
    log_g <- radial_log_density(radial_law_of(law$alpha, law$dim), x)
    return(exp(log_weight(law$alpha, law$dim, x, log_g)))
  }
  value <- elliptical_log_density(law, x)
  if (log) value else exp(value)
}

# Returns the distribution in the form of check_elliptical().
fitted_law <- function(object) {
  list(alpha = object$alpha, Q = object$Q, root = chol(object$Q), delta = object$delta, dim = nrow(object$Q),
       names = names(object$delta))
}

#' @rdname mvstablefit-methods
#' @export
simulate.mvstablefit <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  law <- fitted_law(object)
  seeded_samples(nsim, seed, sys.call(), function() elliptical_variates(object$nobs, law))
}

#' @rdname mvstablefit-methods
#' @export
summary.mvstablefit <- function(object, ...) {
  check_dots(...)
  se <- mv_errors(object)
  structure(c(object[c("call", "alpha", "delta", "Q", "method", "nobs", "df", "convergence", "notes")],
              list(se.alpha = se$alpha, se.delta = se$delta, se.Q = se$Q, correlation = stats::cov2cor(object$Q),
                   logLik = stats::logLik(object), aic = stats::AIC(object), bic = stats::BIC(object))),
            class = "summary.mvstablefit")
}

#' @rdname mvstablefit-methods
#' @export
print.summary.mvstablefit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  cat(mv_title(x), "\n\nCall: ", deparse_call(x$call), "\n\n", sep = "")
  alpha <- format_each(c(x$alpha, x$se.alpha), digits)
  cat("alpha ", alpha[1L], if (!is.na(x$se.alpha)) paste0(" (std. error ", alpha[2L], ")"), "\n\n", sep = "")
  scale <- sqrt(diag(x$Q))
  table <- cbind(delta = x$delta, "std. error" = x$se.delta, scale = scale, "std. error" = diag(x$se.Q) / (2 * scale))
  rownames(table) <- if (is.null(names(x$delta))) seq_along(x$delta) else names(x$delta)
  print(table, digits = digits, ...)
  if (nrow(x$Q) > 1L) {
    cat("\nCorrelation matrix of the shape matrix:\n")
    print(x$correlation, digits = digits, ...)
  }
  cat("\n", fit_likelihood_line(x$logLik, x), "\nAIC ", format_fixed(x$aic), ", BIC ", format_fixed(x$bic), "\n",
      sep = "")
  for (note in x$notes) cat(strwrap(note, prefix = "  ", initial = "* "), sep = "\n")
  invisible(x)
}

#' @rdname mvstablefit-methods
#' @export
print.mvstablefit <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  cat(mv_title(x), "\n\nCall: ", deparse_call(x$call), "\n\nalpha ", format_each(x$alpha, digits), "\n\ndelta\n",
      sep = "")
  print(x$delta, digits = digits, ...)
  cat("\nshape matrix Q\n")
  print(x$Q, digits = digits, ...)
  cat("\n", fit_likelihood_line(stats::logLik(x), x), "\n", sep = "")
  for (note in x$notes) cat(strwrap(note, prefix = "  ", initial = "* "), sep = "\n")
  invisible(x)
}

mv_title <- function(x) {
  sprintf("Elliptical stable distribution fitted by %s, %d dimension%s, %d observations", mv_method_names[[x$method]],
          length(x$delta), if (length(x$delta) > 1L) "s" else "", x$nobs)
}

mv_method_names <- c(mle = "maximum likelihood", projection = "projections")
