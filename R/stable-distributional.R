# Stable distributions as vectors of package distributional: the constructor, and methods of its generic functions.

#' Stable distributions as vectors
#'
#' Vectors of stable distributions for package \pkg{distributional}: they are columns of data frames, are printed by
#' their parameters, and have the methods of that package, for example `hilo()` for intervals, `autoplot()`, and
#' `dist_mixture()`, `dist_truncated()` and `dist_transformed()`, which combine them with other distributions.
#'
#' @inheritParams stable
#' @return A vector of class `"distribution"`, of the length of the longest argument. `density()`, `cdf()`, `quantile()`
#'   and `generate()` compute values of [dstable()], [pstable()], [qstable()] and [rstable()], `mean()` the mean
#'   (`NaN` where there is none, infinite if `alpha <= 1` and `beta` is -1 or 1), and `variance()` the variance, which
#'   is infinite unless `alpha = 2`. Missing parameters give missing values.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or outside its domain, or package \pkg{distributional} is
#'     not installed.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @references
#' O'Hara-Wild, M., Kay, M. and Hayes, A. (2022) *distributional: Vectorised Probability Distributions*. R package.
#' \doi{10.32614/CRAN.package.distributional}
#' @seealso [dstable()] for the parametrisations and the accuracy; `coef()` of a fit returns
#'   parameters in its own parametrisation.
#' @examplesIf requireNamespace("distributional", quietly = TRUE)
#' d <- dist_stable(c(1.5, 2), beta = c(0.5, 0))
#' d
#' quantile(d, 0.01)
#' distributional::cdf(d, 0)
#' mean(d)
#' data.frame(law = d, interval = distributional::hilo(d, 90))
#' @export
dist_stable <- function(alpha, beta, gamma = 1, delta = 0, pm = 0) {
  check_given()
  call <- sys.call()
  pm <- check_parametrisation(pm)
  if (!requireNamespace("distributional", quietly = TRUE))
    stop_with(call, "argument", "dist_stable() requires package distributional, which is not installed.")
  a <- recycle_numeric(alpha, beta, gamma, delta)
  names(a) <- c("alpha", "beta", "gamma", "delta")
  bad <- which(outside_domain(a))
  if (length(bad))
    stop_with(call, "argument", "There is no stable distribution with alpha, beta, gamma, delta = ",
              paste(vapply(a, function(v) format(v[[bad[[1L]]]]), ""), collapse = ", "), ".")
  do.call(distributional::new_dist, c(a, list(pm = rep_len(pm, length(a$alpha)), class = "dist_stable")))
}

# Returns f(v, alpha, beta, gamma, delta, pm).
value_of_law <- function(f, v, x) f(v, x[["alpha"]], x[["beta"]], x[["gamma"]], x[["delta"]], x[["pm"]])

#' @exportS3Method distributional::cdf
cdf.dist_stable <- function(x, q, ...) {
  check_dots(...)
  value_of_law(pstable, q, x)
}

#' @exportS3Method distributional::generate
generate.dist_stable <- function(x, times, ...) {
  check_dots(...)
  value_of_law(rstable, times, x)
}

#' @exportS3Method distributional::covariance
covariance.dist_stable <- function(x, ...) {
  check_dots(...)
  if (is.na(x[["alpha"]] + x[["gamma"]])) NA_real_ else if (x[["alpha"]] == 2) 2 * x[["gamma"]]^2 else Inf
}

#' @export
density.dist_stable <- function(x, at, ...) {
  check_dots(...)
  value_of_law(dstable, at, x)
}

#' @export
quantile.dist_stable <- function(x, p, ...) {
  check_dots(...)
  value_of_law(qstable, p, x)
}

#' @export
mean.dist_stable <- function(x, ...) {
  check_dots(...)
  p <- stable_convert(x[["alpha"]], x[["beta"]], x[["gamma"]], x[["delta"]], x[["pm"]], 0)
  mean_of_law(unlist(p))
}

#' @export
format.dist_stable <- function(x, digits = 2, ...) {
  value <- vapply(c("alpha", "beta", "gamma", "delta"), function(name) format(x[[name]], digits = digits, ...), "")
  sprintf("S%d(%s)", x[["pm"]], paste(value, collapse = ", "))
}
