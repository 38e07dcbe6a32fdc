# Probabilities of boxes, and projections, of elliptically contoured stable distributions.

#' Probabilities of elliptically contoured stable distributions
#'
#' The probability of a box, \eqn{P(l_i \le X_i \le u_i\ \mathrm{for\ all}\ i)}{P(lower <= X <= upper)}, with an
#' estimate of its error.
#'
#' With \eqn{X = \delta + \sqrt{2S}\,R^TZ}{X = delta + sqrt(2 S) R'Z}, \eqn{Q = R^TR}{Q = R'R}, the probability is the
#' mean of that of the normal vector \eqn{R^TZ}{R'Z} given \eqn{S}.  Kanter's (1975) formula generates \eqn{S} from two
#' uniform variables, and the transformation of Genz (1992) maps the normal probability to an integral over a unit
#' cube, with the components in ascending order of the probabilities of their intervals.  [gintegrate()] integrates
#' over the
#' \eqn{d + 1} variables by its method `"lattice"`; for `alpha = 2` over \eqn{d - 1}.  In one dimension
#' the probability is computed by [pstable()].
#'
#' @section Accuracy:
#' `attr(, "abs.error")` is the standard error of the integral; it is 0 in one dimension, where [pstable()] computes the
#' probability.  The integration ends when the estimated error is below `rel.tol` times the probability, or after
#' `max.eval` evaluations, with a warning of class `"gintegrate_warning_status"`.
#'
#' @inheritParams mvstable
#' @param alpha index of stability, one number, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}; or a fit by [mvstablefit()],
#'   which contains `Q` and `delta`, too.
#' @param lower,upper limits of the box in the unit of the data: vectors with an element for each dimension, or one
#'   number for all; infinite limits are permitted.  At most 99 dimensions, for `alpha = 2` at most 101, can have finite
#'   limits.
#' @param rel.tol requested relative error, one positive number.
#' @param max.eval largest number of evaluations, one positive number.
#' @param seed seed of the random shifts of the lattice, as for [gintegrate()]: the same seed gives the same result.
#' @return The probability, with attributes `"abs.error"` and `"status"`, which `print()` writes below it.  Arithmetic
#'   with it, and rounding, return numbers without these attributes.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid, or a lower limit is above an upper one;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_memory"`}{a device that is selected by name ([stable_backend()])
#'     does not exist or has failed, or memory is exhausted.}
#' }
#' @seealso [dmvstable()] for density and random vectors.
#' @references
#' Genz, A. (1992) Numerical computation of multivariate normal probabilities. *Journal of Computational and Graphical
#' Statistics* **1**, 141--149. \doi{10.1080/10618600.1992.10477010}
#'
#' Kanter, M. (1975) Stable densities under change of scale and total variation inequalities. *Annals of Probability*
#' **3**, 697--707. \doi{10.1214/aop/1176996309}
#'
#' Abramowitz, M. and Stegun, I. A. (1964) *Handbook of Mathematical Functions*, 26.2.23. ISBN 0-486-61272-4.
#' @examples
#' Q <- matrix(c(1, 0.5, 0.5, 1), 2)
#' pmvstable(upper = c(0, 0), alpha = 1.5, Q = Q)
#' # for centred elliptical distributions, whatever alpha is
#' 1 / 4 + asin(0.5) / (2 * pi)
#' @export
pmvstable <- function(lower = -Inf, upper = Inf, alpha, Q, delta = 0, rel.tol = 1e-4, max.eval = 1e7, seed = 1) {
  call <- sys.call()
  law <- check_elliptical_law(call)
  box <- check_box(lower, upper, law, call)
  for (name in c("rel.tol", "max.eval")) check_positive(get(name), name, call)
  if (!is.null(seed)) check_seed(seed, call)
  if (law$dim == 1L) return(probability(interval_probability(law, box$lower, box$upper), 0, "converged"))
  if (any(box$lower == box$upper)) return(probability(0, 0, "converged"))
  whole <- box$lower == -Inf & box$upper == Inf
  if (all(whole)) return(probability(1, 0, "converged"))
  box <- ordered_box(law, box, which(!whole))
  if (length(box$lower) == 1L) {
    law[c("Q", "root", "delta")] <- list(box$root^2, box$root, 0)
    return(probability(interval_probability(law, box$lower, box$upper), 0, "converged"))
  }
  dim <- length(box$lower) + if (law$alpha == 2) -1L else 1L
  if (dim > pmvstable_most_variables)
    stop_with(call, "argument", "The box has finite limits in ", length(box$lower), " dimensions; the integral of its ",
              "probability is limited to ", pmvstable_most_variables - (dim - length(box$lower)), ".")
  f <- box_integrand(box, law$alpha)
  integral <- withCallingHandlers(
    with_call(call, gintegrate(f, rep(0, dim), 1, method = "lattice", rel.tol = rel.tol, max.eval = max.eval,
                               control = list(seed = seed))),
    gintegrate_warning_status = function(w) {
      w$call <- call
      warning(w)
      invokeRestart("muffleWarning")
    })
  probability(min(max(integral$value, 0), 1), integral$abs.error, as.character(integral$status))
}

pmvstable_most_variables <- 100L            # of gintegrate()

probability <- function(value, abs.error, status) {
  annotated_numbers(structure(value, abs.error = abs.error, status = status))
}

# Returns the limits relative to delta, and the lengths of the intervals, or raises an error.
check_box <- function(lower, upper, law, call) {
  limit <- function(value, name) {
    if (!is.numeric(value) || !length(value) %in% c(1L, law$dim) || anyNA(value))
      stop_with(call, "argument", "`", name, "` must be ", if (law$dim > 1L) paste0("a vector of ", law$dim,
                " numbers, or "), "one number, not ", value_text(value), ".")
    places <- if (length(value) == law$dim) named_places(law, names(value), name, call)
    rep_len(as.numeric(if (is.null(places)) value else value[places]), law$dim)
  }
  lower <- limit(lower, "lower")
  upper <- limit(upper, "upper")
  wrong <- which(lower > upper)
  if (length(wrong))
    stop_with(call, "argument", "`lower` must not be above `upper`, but element ", wrong[1L], " is.")
  list(lower = lower - law$delta, upper = upper - law$delta, width = upper - lower)
}

# Returns the probability of an interval of limits relative to delta in one dimension.
interval_probability <- function(law, lower, upper) {
  gamma <- drop(law$root)
  if (lower > 0) return(interval_probability(law, -upper, -lower))      # the smaller tail
  pstable(upper, law$alpha, 0, gamma) - pstable(lower, law$alpha, 0, gamma)
}

# Returns the components `kept` of a box in ascending order of the probabilities of their intervals, and the root of
# their shape matrix.
ordered_box <- function(law, box, kept) {
  scale <- sqrt(diag(law$Q))
  p <- pstable(box$upper / scale, law$alpha, 0) - pstable(box$lower / scale, law$alpha, 0)
  kept <- kept[order(p[kept])]
  c(lapply(box, `[`, kept), list(root = chol(law$Q[kept, kept, drop = FALSE])))
}

# Returns the integrand over the unit cube, which gtranslate() can translate.  Each component is reflected so that its
# interval lies more to the left, where normal probabilities have full relative accuracy; its quantile y is a rational
# approximation with error 4.5e-4 (Abramowitz and Stegun 1964, 26.2.23) and a step of Halley's method, whose error is
# about 1e-10.  The probability of an interval of length h < 1e-4 about m is phi(m) h (1 + (m^2 - 1) h^2/24) with a
# relative error below 1e-16, where the difference of two values of the distribution function would cancel.
box_integrand <- function(box, alpha) {
  low <- box$lower
  high <- box$upper
  R <- box$root
  width <- box$width
  scale <- sqrt(colSums(R^2))
  d <- length(low)
  a <- alpha / 2
  mixed <- if (alpha < 2) 2L else 0L
  # Remote boxes are reached for large S, which are due to angles pi - rest with small rest: P(S > s) is of the order of
  # the values of rest/pi, s^-a.  The substitution rest/pi = w^power places them at w = 0.3.  Neither the ends of the
  # unit interval, which points may reach by rounding, nor a small alpha lead to a factor of 0 or Inf, whose products
  # with limits would be NaN.
  power <- max(1, alpha * log(max(low / scale, -high / scale, 1)) / -log(0.3))
  function(w) {
    over <- sqrt(0.5)                                                # 1/sqrt(2 S)
    p <- 1
    if (mixed > 0) {
      w1 <- pmin(pmax(w[1], 1e-300), 1 - 1e-15)
      rest <- pi * w1^power
      p <- power * w1^(power - 1)
      log_sine <- ifelse(rest < 1e-100, log(pi) + power * log(w1), log(sin(rest)))
      rate <- -log(pmin(pmax(w[2], 1e-300), 1 - 1e-15))
      log_over <- -(log(sin(a * (pi - rest))) + ((1 - a) * (log(sin((1 - a) * (pi - rest))) - log(rate)) -
                                                   log_sine) / a) / 2
      over <- exp(pmin(pmax(log_over, -700), 700)) * over
    }
    z <- numeric(d)
    for (i in 1:d) {
      shift <- 0
      if (i > 1) for (j in 1:(i - 1)) shift <- shift + R[j, i] * z[j]
      from <- (low[i] * over - shift) / R[i, i]
      to <- (high[i] * over - shift) / R[i, i]
      right <- from > -to
      p0 <- stats::pnorm(ifelse(right, -to, from))
      p1 <- stats::pnorm(ifelse(right, -from, to))
      h <- width[i] * over / R[i, i]
      middle <- (from + to) / 2
      share <- ifelse(h * (1 + abs(from)) < 1e-4, stats::dnorm(middle) * h * (1 + (middle^2 - 1) * h^2 / 24), p1 - p0)
      p <- p * share
      if (i < d) {
        q <- p0 + w[mixed + i] * share
        tail <- pmax(pmin(q, 1 - q), 1e-300)
        t <- sqrt(-2 * log(tail))
        y <- (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
        e <- (stats::pnorm(y) - tail) / stats::dnorm(y)
        y <- y - e / (1 + y * e / 2)
        z[i] <- ifelse((q > 0.5) == right, y, -y)
      }
    }
    p
  }
}
