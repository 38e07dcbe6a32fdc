#' Stable distributions of linear combinations
#'
#' The distribution of \eqn{w^TX}{w'X}, such as the return of a portfolio with weights \eqn{w}.  For \eqn{X} with an
#' elliptically contoured stable distribution it is stable with `beta = 0`, scale \eqn{\sqrt{w^TQw}}{sqrt(w'Q w)} and
#' location \eqn{w^T\delta}{w'delta} (Nolan 2013); for \eqn{X} with a discrete spectral measure it is stable with the
#' parameters that [mvstable_spectral()] describes.
#'
#' @inheritParams mvstable
#' @param w weights: a vector with an element for each dimension, or a matrix with a column for each combination; its
#'   elements or rows, if they are named after the dimensions, are matched by name.
#' @param alpha index of stability, one number, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}; or a fit by [mvstablefit()],
#'   which contains `Q` and `delta`, too, or a distribution with a discrete spectral measure by [mvstable_spectral()] or
#'   [mvspectralfit()].
#' @return A data frame with the columns `alpha`, `beta`, `gamma` and `delta`, the arguments of [dstable()] and its
#'   relatives, and a row for each combination.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid, `w` does not match the dimension, or
#'     `Q` or `delta` is given together with a fit or a distribution.}
#' }
#' @seealso [dmvstable()], [mvstablefit()], [mvstable_spectral()], [mvspectralfit()]; [qstable()] for quantiles.
#' @references
#' Nolan, J. P. (2013) Multivariate elliptically contoured stable distributions: theory and estimation.
#' *Computational Statistics* **28**, 2067--2089. \doi{10.1007/s00180-013-0396-7}
#' @examples
#' fit <- mvstablefit(100 * diff(log(EuStockMarkets)))
#' w <- cbind(equal = rep(0.25, 4), dax = c(1, 0, 0, 0))
#' p <- mvstable_projection(w, fit)
#' p
#' # 1 % quantiles of the daily returns, and the expected shortfalls beyond them
#' qstable(0.01, p$alpha, p$beta, p$gamma, p$delta)
#' stable_es(0.01, p$alpha, p$beta, p$gamma, p$delta)
#' @export
mvstable_projection <- function(w, alpha, Q, delta = 0) {
  call <- sys.call()
  stop_if_missing("w", environment(), call)
  law <- check_mv_law(call)
  given <- w
  if (is.numeric(w) && !is.matrix(w)) w <- matrix(w, ncol = 1L, dimnames = if (!is.null(names(w))) list(names(w), NULL))
  places <- if (is.matrix(w)) named_places(law, rownames(w), "w", call)
  if (!is.null(places)) w <- w[places, , drop = FALSE]
  if (is.numeric(w) && !all(is.finite(w))) stop_with(call, "argument", "`w` must be finite.")
  if (!is.numeric(w) || !is.matrix(w) || nrow(w) != law$dim)
    stop_with(call, "argument", "`w` must be a vector of ", law$dim, " finite numbers, or a matrix with ", law$dim,
              " rows, not ", matrix_text(given), ".")
  own <- if (is.null(law$mixing))
    list(beta = rep(0, ncol(w)), gamma = combined_scales(law$root, w), delta = colSums(law$delta * w))
  else combined_law(crossprod(w, law$mixing), law$alpha, law$beta)
  if (!is.null(law$mixing)) own$delta <- own$delta + colSums(law$shift * w)
  data.frame(alpha = rep(law$alpha, ncol(w)), own,
             row.names = if (!is.null(colnames(w))) different_names(colnames(w)))
}

# Returns the scales of the linear combinations whose weights are the columns of w.
combined_scales <- function(root, w) {
  unit <- max(abs(root))
  size <- apply(abs(w), 2L, max)
  size[size == 0] <- 1
  column_lengths((root / unit) %*% (w / rep(size, each = nrow(w)))) * unit * size
}

# Returns the Euclidean lengths of the columns of z; squares neither overflow nor underflow.
column_lengths <- function(z) {
  size <- apply(abs(z), 2L, max)
  size[which(size == 0)] <- 1
  sqrt(colSums((z / rep(size, each = nrow(z)))^2)) * size
}
