#' Scores of a stable distribution
#'
#' The derivatives of the log density of a stable distribution with respect to each of
#' its parameters and to `x`, from the centre to the far tails and at the borders of
#' the parameter space.
#'
#' @inheritParams stable
#' @param x vector of quantiles.
#'
#' @section Definition:
#' With \eqn{l(z; \alpha, \beta)} the log density of the standard S0 distribution,
#' \eqn{u = (x - \delta)/s} and \eqn{z = u + m},
#' \deqn{\log f(x) = l(z; \alpha, \beta) - \log s,}{log f(x) = l(z; alpha, beta) - log s,}
#' where \eqn{s = \gamma}{s = gamma} and \eqn{m = 0} in S0, \eqn{m = \zeta =
#' -\beta\tan(\pi\alpha/2)}{m = zeta = -beta tan(pi alpha/2)} in S1 (and
#' \eqn{m = -\beta(2/\pi)\log\gamma}{m = -beta (2/pi) log gamma} at
#' \eqn{\alpha = 1}{alpha = 1}), and \eqn{s = \gamma\alpha^{-1/\alpha}}{s = gamma alpha^(-1/alpha)}
#' and \eqn{m} the mode in S2.  The columns are
#' \deqn{\frac{\partial\log f}{\partial x} = \frac{l_z}{s}, \quad
#'   \frac{\partial\log f}{\partial\delta} = -\frac{l_z}{s}, \quad
#'   \frac{\partial\log f}{\partial\gamma} = -\frac{1 + u\,l_z}{\gamma} + m_\gamma l_z,}{
#'   d/dx = l_z/s,   d/d delta = -l_z/s,   d/d gamma = -(1 + u l_z)/gamma + m_gamma l_z,}
#' \deqn{\frac{\partial\log f}{\partial\alpha} = l_\alpha + m_\alpha l_z - (1 + u\,l_z)\frac{s_\alpha}{s}, \quad
#'   \frac{\partial\log f}{\partial\beta} = l_\beta + m_\beta l_z.}{
#'   d/d alpha = l_alpha + m_alpha l_z - (1 + u l_z) s_alpha/s,   d/d beta = l_beta + m_beta l_z.}
#' At `alpha = 2` and `abs(beta) == 1` they are the one-sided derivatives from
#' within; at `alpha = 2` the score of `beta` is 0.  There a score can be as large as
#' the ratio of a power tail to a light tail, and is `-Inf` where that overflows.
#'
#' @section Method:
#' \eqn{l_\alpha}{l_alpha} and \eqn{l_\beta}{l_beta} are derivatives of the polynomial
#' through exact densities at ten Chebyshev nodes of an interval about the parameter, or of an interval
#' that ends at the border; for `alpha < 1` also at a fixed distance from
#' \eqn{\zeta}{zeta}, near which the density is rough.  Longer and shorter intervals follow until
#' the estimated error is small.  \eqn{l_z} is the derivative of Zolotarev's integral or, where rounding errors
#' dominate it, of the series at \eqn{\zeta}{zeta} or of a polynomial through densities.
#'
#' @section Accuracy:
#' Every score is computed with an estimate of its error and returned only if that is below
#' 1e-9 times \eqn{\max(1, |s|)}{max(1, |s|)}, where \eqn{s} is the score times `gamma` for
#' `gamma`, `delta` and `x`.  Errors against reference values are below 1e-11 on the same
#' scale.  A score is
#' `NaN`, with a warning,
#' * where the log density is not defined: outside the support (`alpha < 1` and `abs(beta) == 1`),
#'   for infinite `x`, `gamma = 0`, infinite `gamma` or `delta`;
#' * in column `alpha` for `pm = 1` and `alpha = 1` unless `beta = 0`, as the S1 distributions jump there;
#' * where the error may exceed the limit of 1e-9: in columns `delta` and `x` for `alpha` below 0.3 at some points of
#'   the standard distribution closer than 1e-5 to \eqn{\zeta}{zeta}; in column `alpha` for `abs(beta) == 1` where the
#'   log density is below -1e250; in column `beta` near `abs(beta) == 1` for `abs(x)` beyond 1e180;
#' * where `(x - delta)/gamma` is beyond 2e301.
#'
#' @section Speed:
#' Scores at points of one distribution take 20 to 50 times as long as densities, because they require the densities
#' of 20 other shapes.  The CPU uses the number of threads set by [stable_threads()].  A device
#' computes scores if [stable_backend()] selects it by name.  On an H200 a score with a shape of its own takes 40 to 200
#' times as long as a density, and in S2 thousands of times, because of the derivatives of the mode.
#'
#' @return A numeric matrix with one row per element and the columns `alpha`, `beta`, `gamma`,
#'   `delta` and `x`.  Arguments are recycled as in [dstable()]; the rows have the names that
#'   the result of [dnorm()] would have.  `NA` and `NaN` are passed on.  Parameters outside
#'   their domain give `NaN` with a warning.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, or `pm` is invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [dstable()] for the parametrisations, [stable_quick()] for approximations, [stablefit()] for maximum
#'   likelihood.
#' @references
#' Trefethen, L. N. (2019) *Approximation Theory and Approximation Practice*, extended edition. SIAM.
#' \doi{10.1137/1.9781611975949}
#'
#' DuMouchel, W. H. (1973) On the asymptotic normality of the maximum-likelihood estimate when
#' sampling from a stable distribution. *Annals of Statistics* **1**, 948--957.
#' \doi{10.1214/aos/1176342516}
#'
#' Nolan, J. P. (2020) *Univariate Stable Distributions: Models for Heavy Tailed
#' Data*. Springer. \doi{10.1007/978-3-030-52915-4}
#' @examples
#' stable_score(c(-3, 0, 3), alpha = 1.5, beta = 0.5)
#'
#' # one-sided at alpha = 2: heavier tails make a remote point likelier
#' stable_score(c(1, 6), alpha = 2)
#'
#' # Fisher information of a sample, by the mean of the outer product
#' x <- rstable(1000, 1.5, 0.5)
#' s <- stable_score(x, 1.5, 0.5)[, 1:4]
#' crossprod(s) / nrow(s)
#' @export
stable_score <- function(x, alpha, beta = 0, gamma = 1, delta = 0, pm = 0) {
  check_given()
  score <- .Call(C_elements, "score", x, alpha, beta, gamma, delta, pm, TRUE, FALSE, FALSE)
  longest <- Find(function(a) length(a) == nrow(score), list(x, alpha, beta, gamma, delta))
  dimnames(score) <- list(names(longest), score_columns)
  score
}

score_columns <- c("alpha", "beta", "gamma", "delta", "x")

# Returns the scores of the parameters for other functions of this package.
parameter_scores <- function(x, alpha, beta, gamma, delta) {
  score <- suppressWarnings(.Call(C_elements, "score", x, alpha, beta, gamma, delta, 0, TRUE, FALSE, FALSE))
  dimnames(score) <- list(NULL, score_columns)
  score[, 1:4, drop = FALSE]
}
