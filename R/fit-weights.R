# The unit of weights.
#
# A common factor of all weights does not change the estimates, but the searches have tolerances in units of the
# log-likelihood.  Weights that are far from 1 on average are therefore measured in a unit, a power of two, so that
# their division by it is exact.  Ordinary weights, such as frequencies, have the unit 1.

least_mean_weight <- -10              # binary logarithm of the mean weight below which the mean is scaled to 1
largest_mean_weight <- 20             # binary logarithm of the largest mean weight, to which larger ones are scaled

# Returns the unit of weights, which are non-negative; NULL: 1 each.
weight_unit <- function(weights) {
  if (is.null(weights) || !any(weights > 0)) return(1)
  largest <- max(weights)
  size <- floor(log2(largest) + log2(mean(weights[weights > 0] / largest)))     # the sum may overflow
  if (size < least_mean_weight) 2^size else 2^max(size - largest_mean_weight, 0)
}

# Returns weights divided by their unit; NULL remains NULL.
weights_in <- function(unit, weights) if (!is.null(weights)) weights / unit

# Returns the result of a fit whose weights were divided by `unit`, with the log-likelihood and the covariance `cov`, if
# any, for the original weights.  unit: one number, or one for each log-likelihood, which has the same number of
# elements of `cov`.
in_unit_weights <- function(result, unit) {
  result$loglik <- result$loglik * unit
  if (!is.null(result$cov)) result$cov[] <- result$cov / rep(unit, each = length(result$cov) / length(unit))
  result
}
