#' Stable distributions
#'
#' Density, distribution function, quantile function and random generation for
#' the alpha-stable distributions, over the whole parameter space and with full
#' relative accuracy in both tails.
#'
#' @section Parametrisations:
#' Let \eqn{\zeta = -\beta\tan(\pi\alpha/2)}{zeta = -beta tan(pi alpha/2)}.
#' The standard S0 variable \eqn{X_0} has the characteristic function
#' \deqn{\log E e^{itX_0} = -|t|^\alpha - i\beta\tan(\pi\alpha/2)\,
#'   \mathrm{sign}(t)\,(|t| - |t|^\alpha),\quad \alpha \ne 1,}{
#'   log E exp(i t X0) = -|t|^alpha - i beta tan(pi alpha/2) sign(t) (|t| - |t|^alpha),  alpha != 1,}
#' \deqn{\log E e^{itX_0} = -|t| - i\beta\frac{2}{\pi}\,t\log|t|,\quad \alpha = 1.}{
#'   log E exp(i t X0) = -|t| - i beta (2/pi) t log|t|,  alpha = 1.}
#' The argument `pm` selects the meaning of the parameters:
#' \describe{
#'   \item{`0` or `"S0"`}{\eqn{\gamma X_0 + \delta}{gamma X0 + delta}: Nolan's
#'     S0, continuous in all four parameters.}
#'   \item{`1` or `"S1"`}{\eqn{\gamma (X_0 - \zeta) + \delta}{gamma (X0 - zeta) + delta}
#'     for \eqn{\alpha \ne 1}{alpha != 1} and
#'     \eqn{\gamma X_0 + \delta + \beta\gamma(2/\pi)\log\gamma}{gamma X0 + delta + beta gamma (2/pi) log(gamma)}
#'     for \eqn{\alpha = 1}: the form of Samorodnitsky and Taqqu.}
#'   \item{`2` or `"S2"`}{\eqn{\gamma\alpha^{-1/\alpha}(X_0 - m) + \delta}{gamma alpha^(-1/alpha) (X0 - m) + delta}
#'     with \eqn{m} the mode of \eqn{X_0}: `delta` is the mode, and `gamma` is the
#'     standard deviation at `alpha = 2` and the usual scale of the Cauchy distribution.}
#' }
#' At `alpha = 2` the distribution is normal with variance \eqn{2\gamma^2}{2 gamma^2} in
#' S0 and S1, and `beta` has no effect.
#'
#' @section Special values:
#' All vector arguments are recycled to the longest, and the result has the
#' attributes that [dnorm()] would give it.  `NA` and `NaN` are passed on.
#' Parameters outside \eqn{0 < \alpha \le 2}{0 < alpha <= 2},
#' \eqn{-1 \le \beta \le 1}{-1 <= beta <= 1}, \eqn{\gamma \ge 0}{gamma >= 0} and
#' probabilities outside \eqn{[0, 1]} give `NaN` with a warning.  `gamma = 0` is a
#' point mass at `delta`.  The quantiles of 0 and 1 are the ends of the support,
#' one of which is finite if `alpha < 1` and `abs(beta) == 1`.
#'
#' @section Accuracy:
#' Errors are measured on the logarithmic scale, as
#' \eqn{|\log v - \log v^*| / \max(1, |\log v^*|)}{|log v - log v*| / max(1, |log v*|)}
#' with \eqn{v^*}{v*} the true density or probability, so that the tails count as
#' much as the centre.  The aim is 1e-12 for all valid parameters with `alpha` of at least 1e-290 or, if that is
#' larger, ten times the change caused by one unit in the last place of `x`.
#' The error of a quantile `q` of the standard distribution is at most `1e-12 |q| + 4 eps min(|zeta|, 10)` (`eps` is
#' `.Machine$double.eps`), plus the change of `q` caused by 100 units in the last place of `p`.
#' No parameter is rounded to a special case: `alpha = 1 + 1e-10` is computed as
#' such.  The smaller tail probability is computed directly, never as one minus
#' the larger, and [stable_eval()] gives an estimate of the error at each point.
#' Densities, probabilities and quantiles of 5000 points or more of one distribution, 100000 on a
#' device, are evaluated by piecewise polynomial interpolants ([stable_cache()]), which differ from
#' the values of a shorter call by about 5e-14 at most on the same scale; quantiles have the error stated above.
#'
#' @section Devices:
#' With [stable_backend()] `"auto"`, the default, the CPU computes, and an OpenCL device with double precision
#' takes over calls that are large enough for it to be faster; their size is measured in the session.  A device runs
#' the same code with the same error bounds as the CPU; its own elementary functions may change the last digits,
#' also of random numbers.  With `pm = 2` and more than one shape
#' it computes the mode of each element, too: densities then take 25 to 200 times as long (on an H200).
#'
#' @section Precision:
#' With `precision = "single"`, which is never chosen silently, an OpenCL device evaluates the interpolant of one
#' distribution in single precision: `dstable()`, `pstable()` and `qstable()` of any number of points with single values
#' of `alpha`, `beta`, `gamma` and `delta`, and `pm` 0 or 1.  The position of each point within the interpolant is
#' computed in double precision and sent to the device as a number of four bytes.  The device returns another number of
#' four bytes, to which the scale of the value is applied in double precision.  Densities and probabilities have
#' relative errors below 1e-6, even where they are as small as 1e-300; their logarithms have errors below `1e-6 max(1,
#' |log v|)`, and quantiles `q` of the standard distribution errors below `1e-6 (1 + |q|)`.  A test checks these bounds
#' against double precision for `alpha` from 0.3 to 2, all signs and sizes of `beta`, and arguments up to 1e300.
#' Points outside the interpolant, and those in the light tails of extremely skewed and nearly normal distributions, are
#' computed in double precision by the CPU.
#'
#' `rstable()` of one distribution with `alpha` of 0.1 or more and `pm` 0 or 1 transforms the random bits of double
#' precision in single precision; the device returns four bytes for each number, and `gamma` and `delta` are applied in
#' double precision: each number is that of double precision with a small error.  Numbers `x` of the standard
#' distribution have errors below `2e-6 (1 + |x|)`.  With `pm = 1`, and `alpha` below 0.9 or above 1.1, their relative
#' errors are below 1.5e-6, however small the numbers are; between 0.9 and 1.1 `x` is the number for `pm = 0` in the
#' first bound.  For `alpha` below 0.5 both bounds are to be multiplied by `0.5 / alpha`.  A test checks these bounds
#' for 40000 numbers of each of 68 distributions; mean errors are below a sixth of the first bound.
#'
#' Single precision makes devices without double precision usable. On an H200 it takes longer than double precision,
#' because the CPU computes the positions or applies the scale. A device that was selected by name raises an
#' error of class `"stablecl_error_unsupported"` for other calls, such as those with several distributions. Under
#' `"auto"` a device is used for a million or more points or random numbers. The CPU always computes in double
#' precision: there `precision` makes no difference.
#'
#' @section Random numbers:
#' Element `i` of a sample is a function of `i`, of its parameters and of 64
#' bits that are drawn from R's generator once per call.  [set.seed()] therefore
#' determines the sample, and the number of threads does not change it.
#' The transformation is that of Chambers, Mallows and Stuck in a form that is
#' smooth in `alpha` through 1.
#'
#' @param x,q vector of quantiles: any numbers, in the unit of the data.
#' @param p vector of probabilities from 0 to 1, or of their logarithms if `log.p`.
#' @param n number of observations; if `length(n) > 1`, the length is taken to
#'   be the number required.
#' @param alpha index of stability, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}.
#' @param beta skewness, \eqn{-1 \le \beta \le 1}{-1 <= beta <= 1}.
#' @param gamma scale, \eqn{\gamma \ge 0}{gamma >= 0}, in the unit of the data.
#' @param delta location, any number, in the unit of the data.
#' @param pm parametrisation: 0, 1 or 2, or `"S0"`, `"S1"` or `"S2"`.
#' @param log,log.p logical; if `TRUE`, densities or probabilities are given as
#'   logarithms, which stay finite where the values themselves underflow.
#' @param lower.tail logical; if `TRUE` (default), probabilities are
#'   \eqn{P(X \le x)}{P(X <= x)}, otherwise \eqn{P(X > x)}.
#' @param precision precision in which OpenCL devices compute: `"double"` (default) or `"single"`; see section
#'   \dQuote{Precision}.
#' @param ... the tuning arguments `tol`, `zeta.tol`, `subdivisions`,
#'   `integ.tol`, `maxiter`, `trace` and `silent` of the functions of the same
#'   names in package \pkg{stabledist}, which are accepted but have no effect.
#'   Any other argument is an error.
#'
#' @return A numeric vector: `dstable()` gives the density, `pstable()` the
#'   distribution function, `qstable()` the quantile function, and `rstable()`
#'   random deviates.
#'
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty or unknown, or `pm` or `precision` is invalid;}
#'   \item{`"stablecl_error_unsupported"`}{a device that is selected by name ([stable_backend()]) does not support the
#'     computation, for example with `precision = "single"` several distributions in a call;}
#'   \item{`"stablecl_error_device"`}{this device does not exist, or has failed;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' `rstable()` treats `n` as [rnorm()] does. Long calculations can be interrupted.
#' @seealso [stable_eval()] for several of these in one pass, [stable_score()], [stable_quick()], [stable_mode()],
#'   [stableMode()], [stable_es()], [stable_cf()], [stable_convert()], [dist_stable()]; [stablefit()];
#'   [stable_threads()], [stable_backend()].
#' @references
#' Nolan, J. P. (2020) *Univariate Stable Distributions: Models for Heavy Tailed
#' Data*. Springer. \doi{10.1007/978-3-030-52915-4}
#'
#' Nolan, J. P. (1997) Numerical calculation of stable densities and
#' distribution functions. *Communications in Statistics. Stochastic Models*
#' **13**, 759--774. \doi{10.1080/15326349708807450}
#'
#' Zolotarev, V. M. (1986) *One-Dimensional Stable Distributions*. American
#' Mathematical Society. ISBN 0-8218-4519-5.
#'
#' Chambers, J. M., Mallows, C. L. and Stuck, B. W. (1976) A method for
#' simulating stable random variables. *Journal of the American Statistical
#' Association* **71**, 340--344. \doi{10.1080/01621459.1976.10480344}
#'
#' @examples
#' x <- seq(-5, 5, by = 0.5)
#' dstable(x, alpha = 1.5, beta = 0.5)
#'
#' # both tails, on the log scale where they underflow
#' pstable(c(-1e3, 1e3), 1.5, 0.5, lower.tail = FALSE)
#' pstable(1e300, 1.5, 0.5, lower.tail = FALSE, log.p = TRUE)
#'
#' # the parameters are recycled as well
#' dstable(0, alpha = c(0.5, 1, 1.5, 2), beta = 0)
#'
#' # a sample that depends on the seed only
#' set.seed(1)
#' rstable(3, 1.5, 0.5)
#'
#' # in functions that accept R's own distributions
#' integrate(dstable, -Inf, 2, alpha = 1.5, beta = 0.5)
#' ks.test(rstable(50, 1.5, 0.5), "pstable", alpha = 1.5, beta = 0.5)
#' \donttest{
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   ggplot2::ggplot(data.frame(x = c(-5, 5)), ggplot2::aes(x)) +
#'     ggplot2::stat_function(fun = dstable, args = list(alpha = 1.5, beta = 0.5),
#'                            colour = "#D55E00") +
#'     ggplot2::labs(y = "Density") + ggplot2::theme_minimal()
#' }
#' }
#'
#' # the log-likelihood of a GARCH model with stable e_t/s_t, where
#' # s_t = omega + a |e_(t-1)| + b s_(t-1);
#' # p holds omega, a, b, alpha and beta
#' loglik <- function(p, e) {
#'   start <- mean(abs(e))
#'   s <- stats::filter(p[1] + p[2] * abs(c(start, e[-length(e)])), p[3], "recursive", init = start)
#'   sum(dstable(e, p[4], p[5], gamma = c(s), log = TRUE))
#' }
#' dax <- diff(log(EuStockMarkets[, "DAX"]))
#' loglik(c(omega = 0.005, a = 0.04, b = 0.94, alpha = 1.87, beta = 0.08), 100 * as.vector(dax))
#' @name stable
NULL

#' @rdname stable
#' @export
dstable <- function(x, alpha, beta, gamma = 1, delta = 0, pm = 0, log = FALSE, ...,
                    precision = c("double", "single")) {
  if (missing(x) || missing(alpha) || missing(beta)) check_given()
  if (...length()) check_ignored(substitute(list(...)), sys.call())
  .Call(C_elements, "density", x, alpha, beta, gamma, delta, pm, TRUE, log,
        !missing(precision) && choice_of(precision) == "single")
}

#' @rdname stable
#' @export
pstable <- function(q, alpha, beta, gamma = 1, delta = 0, pm = 0,
                    lower.tail = TRUE, log.p = FALSE, ..., precision = c("double", "single")) {
  if (missing(q) || missing(alpha) || missing(beta)) check_given()
  if (...length()) check_ignored(substitute(list(...)), sys.call())
  .Call(C_elements, "distribution", q, alpha, beta, gamma, delta, pm, lower.tail, log.p,
        !missing(precision) && choice_of(precision) == "single")
}

#' @rdname stable
#' @export
qstable <- function(p, alpha, beta, gamma = 1, delta = 0, pm = 0,
                    lower.tail = TRUE, log.p = FALSE, ..., precision = c("double", "single")) {
  if (missing(p) || missing(alpha) || missing(beta)) check_given()
  if (...length()) check_ignored(substitute(list(...)), sys.call())
  .Call(C_elements, "quantile", p, alpha, beta, gamma, delta, pm, lower.tail, log.p,
        !missing(precision) && choice_of(precision) == "single")
}

#' @rdname stable
#' @export
rstable <- function(n, alpha, beta, gamma = 1, delta = 0, pm = 0, precision = c("double", "single")) {
  if (missing(n) || missing(alpha) || missing(beta)) check_given()
  .Call(C_random, n, alpha, beta, gamma, delta, pm, !missing(precision) && choice_of(precision) == "single")
}

#' Density and both tail probabilities in one pass
#'
#' The density, the distribution function and the upper tail of a stable distribution share nearly
#' all of their computation.  This function computes any combination of them, with an estimate of the error at each
#' point.
#'
#' @inheritParams stable
#' @param x vector of quantiles.
#' @param what which columns to compute, any of `"pdf"` (density), `"cdf"`
#'   (\eqn{P(X \le x)}{P(X <= x)}), `"sf"` (\eqn{P(X > x)}) and `"error"`.
#' @param log logical; if `TRUE`, `pdf`, `cdf` and `sf` are given as logarithms.
#'
#' @return A data frame with one row per point and the requested columns.
#'   Arguments are recycled as in [dstable()]; attributes are not copied.
#'   Column `error` estimates
#'   \eqn{|\log v - \log v^*| / \max(1, |\log v|)}{|log v - log v*| / max(1, |log v|)},
#'   the larger of the errors of the density and of the smaller tail, where \eqn{v^*}{v*} is the
#'   true value.  No true error of more than twice the estimate is known; the
#'   tests check this at every reference value.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or empty, or `what` or `pm` is invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [dstable()] for the parametrisations and references.
#' @examples
#' stable_eval(c(-10, 0, 10), alpha = 1.5, beta = 0.5)
#' stable_eval(1e5, 1.5, c(-0.5, 0.5), what = c("sf", "error"), log = TRUE)
#' @export
stable_eval <- function(x, alpha, beta, gamma = 1, delta = 0, pm = 0,
                        what = c("pdf", "cdf", "sf", "error"), log = FALSE) {
  check_given()
  what <- unique(choice_of(what, several = TRUE))
  columns <- .Call(C_eval, x, alpha, beta, gamma, delta, pm, what, log)
  rows <- length(columns[[1]])
  structure(columns, names = what, class = "data.frame", row.names = .set_row_names(rows))
}
