# Maximum likelihood on contracting grids (src/fit/contraction.c).  With four parameters the compiled code computes
# the whole estimate; with two it computes the shape, and the covariance is that of method "mle2d" (fit-plane.R).

# Returns the estimate with the covariance for grids over the shape, which have ended at the distribution `from`.
fit_by_grid <- function(sample, from, fixed, control, se) {
  plane <- new_plane(sample, fixed, control$alpha.min)
  v <- unname(from[c("alpha", "beta")])
  if (plane$pm == 1L && location_gap(v, without_peak(plane), from) < location_gap(v, plane, from))
    plane <- without_peak(plane)
  maximum <- list(v = v, loglik = plane_loglik(v, plane), steps = NA_real_, gradient = rep(NA_real_, 4L), end = "grid")
  plane_estimate(plane, maximum, control, se)
}

# Returns the distance of the location from that of the matched distribution of the shape v.
location_gap <- function(v, plane, from) {
  theta <- matched_laws(rbind(v), plane)[1L, ]
  abs(pm_to_s0(theta, plane$pm)[["delta"]] - from[["delta"]])
}

# Returns parameters with the logarithm of gamma in place of gamma.
log_scale <- function(theta) {
  if ("gamma" %in% names(theta)) theta[["gamma"]] <- log(theta[["gamma"]])
  theta
}
