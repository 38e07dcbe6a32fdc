#' Stable distributions of linear combinations
#'
#' The distribution of \eqn{w^TX}{w'X}, such as the return of a portfolio with weights \eqn{w}, for \eqn{X} with an
#' elliptically contoured stable distribution: stable with `beta = 0`, scale \eqn{\sqrt{w^TQw}}{sqrt(w'Q w)} and
#' location
#' \eqn{w^T\delta}{w'delta} (Nolan 2013).
#'
#' @inheritParams mvstable
#' @param w weights: a vector with an element for each dimension, or a matrix with a column for each combination.
#' @param alpha index of stability, one number, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}, or a fit by [mvstablefit()],
#'   from which `Q` and `delta` are taken.
#' @return A data frame with the columns `alpha`, `beta`, `gamma` and `delta`, the arguments of [dstable()] and its
#'   relatives, and a row for each combination.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid, or `w` does not match the dimension.}
#' }
#' @seealso [dmvstable()], [mvstablefit()]; [qstable()] for quantiles.
#' @references
#' Nolan, J. P. (2013) Multivariate elliptically contoured stable distributions: theory and estimation.
#' *Computational Statistics* **28**, 2067--2089. \doi{10.1007/s00180-013-0396-7}
#' @examples
#' fit <- mvstablefit(100 * diff(log(EuStockMarkets)))
#' w <- cbind(equal = rep(0.25, 4), dax = c(1, 0, 0, 0))
#' p <- mvstable_projection(w, fit)
#' p
#' # quantiles of 1 % of the daily losses, and expected shortfalls beyond them
#' qstable(0.01, p$alpha, p$beta, p$gamma, p$delta)
#' stable_es(0.01, p$alpha, p$beta, p$gamma, p$delta)
#' @export
mvstable_projection <- function(w, alpha, Q, delta = 0) {
  call <- sys.call()
  stop_if_missing("w", environment(), call)
  stop_if_missing("alpha", environment(), call)
  if (inherits(alpha, "mvstablefit")) law <- fitted_law(alpha) else {
    stop_if_missing("Q", environment(), call)
    law <- check_elliptical(alpha, Q, delta, call)
  }
  if (is.numeric(w) && !is.matrix(w)) w <- matrix(as.vector(w), ncol = 1L)
  if (!is.numeric(w) || !is.matrix(w) || nrow(w) != law$dim || !all(is.finite(w)))
    stop_with(call, "argument", "`w` must be a vector of ", law$dim, " finite numbers, or a matrix with ", law$dim,
              " rows, not ", matrix_text(w), ".")
  data.frame(alpha = rep(law$alpha, ncol(w)), beta = rep(0, ncol(w)), gamma = sqrt(colSums((law$root %*% w)^2)),
             delta = colSums(law$delta * w), row.names = colnames(w))
}
