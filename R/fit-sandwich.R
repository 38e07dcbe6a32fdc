# Methods for the generic functions of package sandwich: covariances of estimates under dependence.

#' Scores and information of a fit, for package sandwich
#'
#' Methods with which the functions of package \pkg{sandwich}, such as `vcovHAC()`, `NeweyWest()` and `vcovCL()`,
#' compute covariances of the estimates for dependent or clustered observations.
#'
#' With \eqn{s_i}{s_i} the score of observation \eqn{i}{i} and \eqn{J}{J} the observed information, the covariance of a
#' maximum-likelihood estimate is \eqn{J^{-1} \Omega J^{-1}}{J^-1 Omega J^-1}, where \eqn{\Omega}{Omega} is the
#' covariance of \eqn{\sum s_i}{the sum of the scores}: \eqn{J}{J} for independent observations, and otherwise estimated
#' from sums of products of scores (White 1994; Zeileis 2004).  The marginal distribution must be correct; the
#' dependence may have any form that is weak enough for these sums.
#'
#' `vcovHC()` corrects for the hat values of a linear model fitted by least squares.  A fit by maximum likelihood has
#' none, and `vcovHC()` of it is an error.  `sandwich::sandwich(fit)` is the covariance of type `"HC0"`.
#'
#' @param x an object of class `"stablefit"`, fitted by `method = "mle"` to one sample without weights, or a regression
#'   by [stable_lm()] without `rounding`, whose scores are multiplied by its weights.
#' @param ... not used; any argument is an error.
#' @return `estfun()`: a matrix with a row for each observation, in the order of the data, and a column for each
#'   parameter that has a standard error: the derivative of its log density, in the parametrisation of the fit.
#'   `bread()`: the inverse of the observed information, times the number of rows of `estfun()`, by which package
#'   \pkg{sandwich} divides, also for a regression with weights.
#' @references
#' White, H. (1994) *Estimation, Inference and Specification Analysis*. Cambridge University Press.
#' \doi{10.1017/CCOL0521252806}
#'
#' Zeileis, A. (2004) Econometric computing with HC and HAC covariance matrix estimators. *Journal of Statistical
#' Software* **11**(10), 1--17. \doi{10.18637/jss.v011.i10}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown or empty, or the fit is not one by maximum likelihood of
#'     one sample without weights or a regression, or has no covariance; or `vcovHC()` is called.}
#' }
#' @seealso [stablefit()], [stable_lm()], [`vcov()`][vcov.stablefit] with `type = "HAC"`.
#' @examplesIf requireNamespace("sandwich", quietly = TRUE)
#' fit <- stablefit(diff(log(EuStockMarkets[, "DAX"])))
#' sqrt(diag(vcov(fit)))
#' sqrt(diag(sandwich::vcovHAC(fit)))
#' @name estfun.stablefit
#' @method estfun stablefit
#' @exportS3Method sandwich::estfun stablefit
estfun.stablefit <- function(x, ...) {
  check_dots(...)
  check_scored(x, sys.call())
  if (inherits(x, "stablefit_lm")) return(coefficient_scores(x)[, known_parameters(x), drop = FALSE])
  p <- coef(x)
  if (is.na(p[["beta"]])) p[["beta"]] <- 0                      # not identified at alpha = 2
  score <- stable_score(x$data, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]], pm = x$pm)
  rownames(score) <- NULL
  score[, known_parameters(x), drop = FALSE]
}

#' @rdname estfun.stablefit
#' @method bread stablefit
#' @exportS3Method sandwich::bread stablefit
bread.stablefit <- function(x, ...) {
  check_dots(...)
  check_scored(x, sys.call())
  vcov(x, complete = FALSE) * length(x$data)              # with weights, nobs is their sum
}

#' @rdname estfun.stablefit
#' @method vcovHC stablefit
#' @exportS3Method sandwich::vcovHC stablefit
vcovHC.stablefit <- function(x, ...) {
  check_given()
  check_dots(..., allowed = c("type", "omega", "sandwich"))
  stop_with(sys.call(), "argument", "A fit by maximum likelihood has no hat values, for which vcovHC() corrects; use ",
            "sandwich::sandwich(), which is its type \"HC0\".")
}

# Returns the names of the parameters that have a standard error.
known_parameters <- function(fit) names(which(!is.na(diag(fit$vcov))))

check_scored <- function(fit, call) {
  is_scored <- if (inherits(fit, "stablefit_lm")) is.null(fit$rounding)
    else fit$method == "mle" && holds_sample(fit)
  if (!is_scored)
    stop_with(call, "argument", "Covariances under dependence require a fit by method = \"mle\" of one sample without ",
              "weights, or a regression without `rounding`.")
  if (!length(known_parameters(fit)))
    stop_with(call, "argument", "The fit has no covariance: ",
              if (!fit$se) "refit it with se = TRUE." else if (is_all_fixed(fit)) "all parameters are held fixed." else
                "none of its estimates has a standard error.")
}

# Returns the covariance under dependence (fit-long-run.R), with rows and columns of all parameters.  It is missing if
# stable_score() does not know a score.
dependent_vcov <- function(object, call) {
  check_scored(object, call)
  V <- object$vcov
  known <- known_parameters(object)
  inverse <- V[known, known, drop = FALSE]
  V[] <- NA_real_
  score <- suppressWarnings(estfun.stablefit(object))
  if (all(is.finite(score))) V[known, known] <- inverse %*% long_run_covariance(score) %*% inverse
  V
}

# Returns the fit with covariances under dependence in place of its own, both in its parametrisation and in S0.
with_dependence <- function(object, call) {
  V <- dependent_vcov(object, call)
  if (object$pm != 0) {
    own <- object
    own[c("pm", "coefficients", "vcov")] <- list(0, object$theta, object$theta.vcov)
    object$theta.vcov <- dependent_vcov(own, call)
  } else {
    object$theta.vcov <- V
  }
  object$vcov <- V
  object
}
