# Expected shortfall: the mean of a stable distribution beyond a quantile.
#
# Only the upper tail of a standard variable Z (S0) is computed; the lower tail is the upper tail of -Z,
# whose beta has the opposite sign.  With S = P(Z > .), F = 1 - S and S(q) = p, integration by
# parts gives
#
#     p E[Z | Z > q] = p q + int_q^inf S(t) dt,
#
# without cancellation for q > 0.  An error e of q contributes only e^2 f(q), because the right-hand side is
# stationary at q (Rockafellar and Uryasev 2000).  Left of the median m the long flat part of S
# would cancel against q; there
#
#     p E[Z | Z > q] = m - q F(q) - int_q^m F(t) dt + int_m^inf S(t) dt.
#
# The integrals are sums of Gauss-Legendre rules over panels whose widths grow geometrically from the end where the
# integrand is largest; the first panel is half as wide as the local scale S/f there.  Beyond `far` the power series of
# the tail is integrated term by term.  It is a series in u = t - zeta, zeta = -beta tan(pi alpha/2)
# (Zolotarev 1986, chapter 2),
#
#     S(t) ~ 1/pi sum_k (-1)^(k+1) Gamma(alpha k)/k! Im(c^k) u^(-alpha k),
#     c = (1 - i zeta) exp(i a) = cos(a) - beta sin(a)^2/cos(a) + i (1 + beta) sin(a),    a = pi alpha/2,
#
# asymptotic for alpha > 1, so that int_far^inf S multiplies each term by u/(alpha k - 1).  It is needed for
# alpha > 1 only: otherwise the integral is infinite, or the tail is light (beta = -1).

#' Expected shortfall of a stable distribution
#'
#' The mean of a stable distribution beyond one of its quantiles: expected shortfall, conditional
#' value at risk or tail conditional expectation.
#'
#' @inheritParams stable
#' @param p vector of tail probabilities from 0 to 1.
#' @param lower.tail logical; if `TRUE` (default), \eqn{E[X | X \le q]}{E[X | X <= q]} with
#'   \eqn{P(X \le q) = p}{P(X <= q) = p}, otherwise \eqn{E[X | X > q]} with \eqn{P(X > q) = p}.
#'
#' @section Values:
#' Values have the unit and the sign of the data: a loss in the lower tail is negative.  A tail has a finite mean if
#' `alpha > 1`.  For `alpha <= 1` the lower tail gives `-Inf` and the upper tail `Inf`, except for the tail of an
#' extremely skewed distribution that is light or bounded: the lower tail for `beta = 1` and the upper tail for `beta =
#' -1` have a finite mean for all `alpha`.
#'
#' For `p = 1` the value is the mean of the distribution, which for `alpha <= 1` is infinite if `abs(beta) == 1`, and
#' otherwise undefined: `NaN` with a warning.  For `p = 0` it is the end of the support.
#'
#' @section Method:
#' With \eqn{F}{F} the distribution function, \eqn{E[X | X \le q] = q - p^{-1}\int_{-\infty}^q F(t)\,dt}{E[X | X <= q]
#' = q - 1/p integral from -Inf to q of F(t)}, by Gauss-Legendre rules over panels and the integrated power series of
#' the far tail.  Stoyanov et al. (2006) give an integral over an angle.
#'
#' @section Accuracy:
#' The error is below 1e-10 times the larger of the absolute value and `gamma`, for all `alpha`, if
#' the value is the mean of less than half of the distribution: reference values for `alpha` from 1.3 are reproduced to
#' 1e-13, closed forms of the normal and the Levy distribution to 1e-12.  Beyond the median two terms cancel that grow
#' like \eqn{1/(\alpha - 1)}{1/(alpha - 1)}: the error is then up to 1e-12 times their size.  A value takes less
#' than a millisecond.
#'
#' @return A numeric vector with the attributes that [qnorm()] would give it.  `NA` and `NaN` are passed
#'   on.  Parameters outside their domain give `NaN` with a warning.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, or `pm` or a flag is invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [dstable()] for the parametrisations, [qstable()] and [quantile()][quantile.stablefit] for value at risk,
#'   [`predict()`][predict.stablefit] with `type = "es"` for the expected shortfall of a fitted distribution, with its
#'   standard error.
#' @references
#' Rockafellar, R. T. and Uryasev, S. (2000) Optimization of conditional value-at-risk. *Journal of Risk* **2**, 21--41.
#' \doi{10.21314/JOR.2000.038}
#'
#' Stoyanov, S. V., Samorodnitsky, G., Rachev, S. and Ortobelli, S. (2006) Computing the portfolio conditional
#' value-at-risk in the alpha-stable case. *Probability and Mathematical Statistics* **26**, 1--22.
#'
#' Zolotarev, V. M. (1986) *One-Dimensional Stable Distributions*. American Mathematical Society. ISBN 0-8218-4519-5.
#' @examples
#' # value at risk and expected shortfall at 1%
#' qstable(0.01, 1.7, -0.2)
#' stable_es(0.01, 1.7, -0.2)
#'
#' # the normal distribution
#' stable_es(0.05, 2, 0, gamma = 1 / sqrt(2))
#' -dnorm(qnorm(0.05)) / 0.05
#' @export
stable_es <- function(p, alpha, beta, gamma = 1, delta = 0, pm = 0, lower.tail = TRUE) {
  check_given()
  call <- sys.call()
  pm <- check_parametrisation(pm, call = call)
  lower.tail <- check_tail(lower.tail, call)
  law <- recycle_numeric(p, alpha, beta, gamma, delta, call = call)
  warned <- FALSE
  # the quantiles provide the attributes, and NA and NaN
  es <- withCallingHandlers(qstable(p, alpha, beta, gamma, delta, pm, lower.tail),
                            warning = function(w) { warned <<- TRUE; invokeRestart("muffleWarning") })
  todo <- which(!is.na(es) & law[[4L]] > 0)
  s0 <- lapply(law[-1L], `[`, todo)
  names(s0) <- fit_parameters
  if (pm != 0) s0 <- stable_convert(s0$alpha, s0$beta, s0$gamma, s0$delta, from = pm, to = 0)
  side <- if (lower.tail) -1 else 1
  z <- mapply(standard_upper_mean, law[[1L]][todo], s0$alpha, side * s0$beta)
  z <- side * as.numeric(z)
  es[todo] <- ifelse(is.infinite(z), z, s0$delta + s0$gamma * z)          # the scale may be infinite
  if (warned || anyNA(z)) warning(simpleWarning("NaNs produced", call))
  es
}

# Returns the shortfall of one distribution (S0) with valid parameters, for a probability inside (0, 1).
one_shortfall <- function(p, alpha, beta, gamma, delta, lower.tail) {
  side <- if (lower.tail) -1 else 1
  delta + gamma * side * standard_upper_mean(p, alpha, side * beta)
}

# Returns E[Z | Z > q] with P(Z > q) = p, for the standard distribution (S0).
standard_upper_mean <- function(p, alpha, beta) {
  heavy <- alpha <= 1 && beta > -1
  if (p == 1 && alpha <= 1) return(if (beta == -1) -Inf else if (beta == 1) Inf else NaN)
  if (heavy) return(Inf)
  q <- qstable(p, alpha, beta, lower.tail = FALSE)
  if (p == 0) return(q)
  if (p == 1) return(if (alpha == 2) 0 else -beta * tanpi(alpha / 2))
  if (p <= 0.5) return(q + upper_area(q, p, alpha, beta) / p)
  m <- qstable(0.5, alpha, beta)
  (m - q * (1 - p) - lower_area(q, m, alpha, beta) + upper_area(m, 0.5, alpha, beta)) / p
}

# Returns the integral of P(Z > t) over t > q, with p = P(Z > q).
upper_area <- function(q, p, alpha, beta) {
  S <- function(t) pstable(t, alpha, beta, lower.tail = FALSE)
  series <- alpha > 1 && alpha < 2 && beta > -1
  far <- if (series) max(q, series_from(alpha, beta)) else
    qstable(log(p) - 60, alpha, beta, lower.tail = FALSE, log.p = TRUE)
  step <- p / dstable(q, alpha, beta) / 2
  edges <- growing_edges(q, far, step)
  if (alpha < 1) edges <- c(edges, end_edges(q, far, -beta * tanpi(alpha / 2)))
  area <- if (far > q) panel_sum(S, edges) else 0
  if (series) area + series_area(far, alpha, beta) else area
}

# Returns the integral of P(Z <= t) from q to the median m.
lower_area <- function(q, m, alpha, beta) {
  F <- function(t) pstable(t, alpha, beta)
  step <- 0.25 / dstable(m, alpha, beta)
  panel_sum(F, sort(m - growing_edges(0, m - q, step)))
}

# Returns panel edges from `from` to `to`: the first panel has width `step`, the others grow by a constant factor.
growing_edges <- function(from, to, step) {
  reach <- to - from
  if (reach <= step) return(c(from, to))
  growth <- 1.5
  k <- ceiling(log1p(reach / step * (growth - 1)) / log(growth))
  s <- step * (growth^(0:k) - 1) / (growth - 1)
  from + c(s[s < reach], reach)
}

# Returns geometrically spaced edges towards zeta, as a distribution function that ends at zeta is smooth in the
# logarithm of the distance from there.
end_edges <- function(from, to, zeta) {
  d <- (zeta - from) * 1.5^-(1:90)
  zeta - d[d > zeta - to]
}

# Returns the integral of f over the panels between edges.
panel_sum <- function(f, edges) {
  nodes <- panel_nodes(if (is.unsorted(edges, strictly = TRUE)) unique(sort(edges)) else edges)
  sum(nodes$w * f(nodes$x))
}

# Returns nodes and weights of the Gauss-Legendre rule with 16 points in each interval between edges.
panel_nodes <- function(edges) {
  half <- (edges[-1L] - edges[-length(edges)]) / 2
  list(x = as.vector(outer(legendre_16$x, half) + rep(edges[-1L] - half, each = length(legendre_16$x))),
       w = as.vector(outer(legendre_16$w, half)))
}

# Returns the nodes and weights of the Gauss-Legendre rule on [-1, 1] (Golub and Welsch 1969).
gauss_legendre <- function(n) {
  i <- seq_len(n - 1L)
  J <- matrix(0, n, n)
  J[cbind(i, i + 1L)] <- J[cbind(i + 1L, i)] <- i / sqrt(4 * i^2 - 1)
  e <- eigen(J, symmetric = TRUE)
  list(x = e$values, w = 2 * e$vectors[1L, ]^2)
}

legendre_4 <- gauss_legendre(4L)
legendre_16 <- gauss_legendre(16L)

# Returns the point beyond which each term of the series is at most about 1e-5 times the one before; eight terms are
# then more than enough.
series_from <- function(alpha, beta) {
  zeta <- -beta * tanpi(alpha / 2)
  zeta + (1e5 * sqrt(1 + zeta^2))^(1 / alpha)
}

# Returns the integral of the tail from t to infinity by its power series.
series_area <- function(t, alpha, beta) {
  zeta <- -beta * tanpi(alpha / 2)
  u <- t - zeta
  sine <- sinpi(alpha / 2)
  cosine <- cospi(alpha / 2)
  k <- 1:8
  direction <- Im(complex(real = cosine - beta * sine^2 / cosine, imaginary = (1 + beta) * sine)^k)
  sum((-1)^(k + 1) * exp(lgamma(alpha * k) - lgamma(k + 1)) * direction * u^(1 - alpha * k) / (alpha * k - 1)) / pi
}
