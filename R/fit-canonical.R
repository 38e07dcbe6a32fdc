# The canonical sample: sorted, with quartile distance one, leaning to the right.
#
#     x = centre + side * scale * z        z the canonical sample, side = 1 or -1
#
# Whatever is estimated from z alone is equivariant by construction: c + k x, -x and
# any permutation of x lead to the same z up to rounding.  The centre is a sample
# value at the place where the density peaks when alpha is small (there the law lives
# on the scale of log|x - zeta|, and x - centre must be exact), the median otherwise.

fit_levels <- c(0.05, 0.25, 0.5, 0.75, 0.95)
spiked_alpha <- 0.5          # below, the peak at zeta locates the law, not the median

canonical_sample <- function(x, call) {
  z <- sort(as.numeric(x))
  refuse_ties(z, call)
  q <- sample_quantiles(z)
  side <- if (log_skewness(q) < 0) -1 else 1
  if (side < 0) z <- rev(-z)
  q <- sample_quantiles(z)
  spike <- half_sample_mode(z)
  small <- quantile_shape(q)[["alpha"]] < spiked_alpha
  centre <- if (small) spike else q[3L]
  scale <- q[4L] - q[2L]
  list(z = (z - centre) / scale, quantiles = (q - centre) / scale,
       spike = (spike - centre) / scale, centre = side * centre, scale = scale, side = side)
}

# With half of the values equal, the likelihood has no bound for any alpha < 1 as the
# scale shrinks to 0 around them.
refuse_ties <- function(z, call) {
  runs <- rle(z)
  most <- which.max(runs$lengths)
  if (2L * runs$lengths[most] < length(z)) return(invisible())
  what <- if (length(runs$lengths) == 1L) "All" else
    sprintf("%d of %d", runs$lengths[most], length(z))
  fit_abort(call, "data", what, " values of `x` are equal (", runs$values[most],
            "): the scale cannot be estimated.")
}

# The definition (type 5) for which McCulloch's estimator is consistent.
sample_quantiles <- function(z) unname(stats::quantile(z, fit_levels, type = 5L))

# Bickel and Fruehwirth (2006): halve to the densest half until few values are left.
# The middle of tied halves keeps the mirror symmetry.
half_sample_mode <- function(z) {
  while ((n <- length(z)) > 3L) {
    h <- (n + 1L) %/% 2L
    width <- z[h:n] - z[seq_len(n - h + 1L)]
    best <- which(width == min(width))
    from <- best[(length(best) + 1L) %/% 2L]
    z <- z[from + seq_len(h) - 1L]
  }
  if (length(z) == 3L && z[3L] - z[2L] < z[2L] - z[1L]) return(z[3L])
  z[1L]
}

to_canonical <- function(theta, sample) {
  if ("beta" %in% names(theta)) theta[["beta"]] <- sample$side * theta[["beta"]]
  if ("gamma" %in% names(theta)) theta[["gamma"]] <- theta[["gamma"]] / sample$scale
  if ("delta" %in% names(theta))
    theta[["delta"]] <- sample$side * (theta[["delta"]] - sample$centre) / sample$scale
  theta
}

from_canonical <- function(theta, sample) {
  c(alpha = theta[["alpha"]],
    beta = sample$side * theta[["beta"]] + 0,          # no negative zero
    gamma = sample$scale * theta[["gamma"]],
    delta = sample$centre + sample$side * sample$scale * theta[["delta"]])
}

canonical_vcov <- function(cov, sample) {
  unit <- c(1, sample$side, sample$scale, sample$side * sample$scale)
  cov * outer(unit, unit)
}
