# Quantiles of the root of the deviance in small samples.
#
# With z(t) the root of the deviance at t, positive for t below the estimate and negative above it, the interval of a
# quantity consists of the t for which z(t) is below a quantile of its distribution.  In large samples this is the
# standard normal distribution; in small ones z has another mean and another standard deviation, in particular for tail
# quantities, whose estimates are biased towards light tails.  They are those of z(t) in samples of the distribution
# that has the highest likelihood among those in which the quantity is t (DiCiccio, Martin and Stern 2001; Stern 2006),
# here at both ends of the interval by the quantile of Student's distribution (deviance_root()).  The bound is the
# quantile of a normal prediction interval for another value of z.
#
# From B samples alone, mean and standard deviation of z would be uncertain and the intervals too wide.  Prior
# information is available, however: over the distributions of bench/coverage.R the means vary about 0 with a variance
# of 2.2/n for n = 50 and 2.4/n for n = 200, and the standard deviations are close to 1.  This information is that of
# k = n/2 further values with mean 0 and variance 1.  With them,
#
#     m = sum(z)/(B + k),    s^2 = (sum(z^2) + k - (B + k) m^2)/(B + k - 1),
#
# the bound is m + s sqrt(1 + 1/(B + k)) qt((1 + level)/2, B + k - 1), but at least the standard normal quantile: next
# to the ends of the parameter space s may be far below 1.
#
# Samples of the estimated distribution are unsuitable: if the estimate of beta is at its bound, z is one-sided there.

calibration_samples <- 20L
calibration_seed <- 40213L              # a seed with which no example simulates its data

# Returns a function of a profile, a side and the end of the interval there that returns the root of the deviance for
# this end; NULL if there is no such correction.
end_calibration <- function(object, level, choice, seed, call) {
  plain <- !inherits(object, "stablefit_censored") && is.null(object$weights) && is.null(object$rounding)
  if (is.null(choice$auto) || choice$method != "profile" || object$nobs >= small_sample || !plain) return(NULL)
  if (is.null(seed)) seed <- calibration_seed
  function(profile, side, end) {
    z <- without_convergence(profile$simulated_roots(end, calibration_samples, seed, call))
    z <- z[is.finite(z)]
    if (length(z) < calibration_samples / 2) return(NULL)
    max(critical_normal_value(level),
        predicted_quantile(if (side == "lower") z else -z, object$nobs / 2, (1 - level) / 2))
  }
}

# Returns the value that a further value from the distribution of z exceeds with probability `tail`, given z and k
# additional values with mean 0 and variance 1.
predicted_quantile <- function(z, k, tail) {
  count <- length(z) + k
  m <- sum(z) / count
  variance <- (sum(z^2) + k - count * m^2) / (count - 1)
  m + sqrt(variance * (1 + 1 / count)) * stats::qt(tail, count - 1, lower.tail = FALSE)
}

# Returns the ends of an interval on the scale of the profile, with the root `target` of the deviance or, if there is a
# calibration, the root that it returns for this end.
profile_ends <- function(profile, target, calibrate = NULL) {
  vapply(c("lower", "upper"), function(side) {
    end <- profile_end(profile, side, target)
    if (is.null(calibrate) || is.infinite(end) || end == profile[[side]]) return(end)
    corrected <- calibrate(profile, side, end)
    if (is.null(corrected)) end else profile_end(profile, side, corrected)
  }, 0, USE.NAMES = FALSE)
}

# Returns the roots of the deviance at t with their signs, for B samples of the distribution `theta` (S0).  profile_of:
# a function of a fit that returns its profile, whose scale is that of t.
simulated_roots <- function(object, theta, profile_of, t, B, seed, call) {
  object$theta <- theta
  fits <- value_or(bootstrap_fits(object, B, seed, call), function(e) NULL)
  vapply(fits, function(fit) signed_root(profile_of(fit), t), 0)
}

# Returns NA if the profile is NULL, because the likelihood of the sample has no profile of this quantity.
signed_root <- function(profile, t) {
  if (is.null(profile)) return(NA_real_)
  root <- profile$root(t)
  if (root == 0) 0 else root * sign(profile$est - t)
}
