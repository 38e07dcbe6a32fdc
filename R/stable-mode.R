#' Mode of a stable distribution
#'
#' The point at which the density of a stable distribution is largest.  Every stable
#' distribution has exactly one mode; that of the standard S0 distribution is 0 for `beta = 0` and
#' for `alpha = 2`, changes its sign with `beta`, and tends to
#' \eqn{\zeta = -\beta\tan(\pi\alpha/2)}{zeta = -beta tan(pi alpha/2)} as
#' `alpha` tends to 0.
#'
#' @section Accuracy:
#' The error for `gamma = 1` and `delta = 0` in S0 is at most 1e-14 for `beta` of 0.3 and 1, and 1e-16 for 0.001 and
#' 0.03, compared with zeros of the slope of the density in ball arithmetic for `alpha` from 0.3 to 1.99.
#'
#' @section Devices:
#' A device computes modes if [stable_backend()] selects it by name; under `"auto"` the CPU does.
#'
#' @inheritParams stable
#' @return A numeric vector with the attributes that [dnorm()] would give it.  In
#'   S2 the mode is `delta`.  Parameters outside their domain give `NaN` with a
#'   warning.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, or `pm` is invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [dstable()] for the parametrisations and references, [stableMode()].
#' @examples
#' stable_mode(c(0.5, 1, 1.5, 2), beta = 0.8)
#' stable_mode(1.5, 0.5, gamma = 2, delta = 10)
#' @export
stable_mode <- function(alpha, beta, gamma = 1, delta = 0, pm = 0) {
  check_given()
  .Call(C_elements, "mode", alpha, alpha, beta, gamma, delta, pm, TRUE, FALSE, FALSE)
}

# Returns the values of stable_mode() for other functions of this package.
mode_values <- function(alpha, beta, gamma = 1, delta = 0, pm = 0) {
  suppressWarnings(.Call(C_elements, "mode", alpha, alpha, beta, gamma, delta, pm, TRUE, FALSE, FALSE))
}

#' Mode of a stable distribution, by its name in stabledist
#'
#' For scripts that use the package stabledist: the mode of the standard S0 distribution.  Deprecated: use
#' [stable_mode()], which also takes `gamma`, `delta` and `pm`.  A call gives a warning of class
#' `"stablecl_warning_deprecated"`.
#'
#' @inheritParams stable
#' @param beta.max,tol ignored: distributions up to `abs(beta) == 1` are computed without truncation, and
#'   [stable_mode()] states the accuracy.
#' @return The value of [stable_mode()] for `alpha` and `beta`.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [stable_mode()], [dstable()]; `vignette("stabledist")`.
#' @examples
#' suppressWarnings(stableMode(1.5, 0.5))
#' stable_mode(1.5, 0.5)                         # the same
#' @export
stableMode <- function(alpha, beta, beta.max = 1 - 1e-11, tol = .Machine$double.eps^0.25) {
  check_given()
  warn_with(sys.call(), "deprecated", "stableMode() is deprecated; use stable_mode(alpha, beta) instead.")
  .Call(C_elements, "mode", alpha, alpha, beta, 1, 0, 0, TRUE, FALSE, FALSE)
}
