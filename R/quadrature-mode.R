# Location and scale of an integrand over an infinite range in many dimensions, where the points of
# quadrature-location.R nearly all miss the mass of a density: mode and Hessian of log|f|, as Genz and Kass (1997)
# suggest.
#
# Line searches along the axes, from the best of some points, lead close to the mode, and a quasi-Newton method to the
# mode itself.  The covariance matrix is the inverse of the negative Hessian there, computed from differences over
# steps h_k that reduce log|f| by about 1/2.  Directions in which the curvature is not negative, for example between
# two modes, get a bound.  Then the matrix is multiplied by a number such that the median distance of |f| from the
# mode, over some directions, is that of a normal density; heavy tails have most of their mass farther out than the
# curvature at the mode indicates.  On half-lines only the scale is adapted.

few_axes <- 12L                         # up to this number, weighted points determine the transformation
points_for_mode <- 64L                  # for each axis
mode_cost <- 512L                       # approximate evaluations in all, for each axis
line_search_sweeps <- 2L
line_steps <- 2^seq(-6, 8, by = 0.5)    # of the line search, in both directions
mode_steps <- 60L
no_curvature <- 1e-6                    # relative to the largest over all directions
least_curvature <- 0.2                  # replaces it; relative to their median
mode_radii <- 2^seq(-4, 6, by = 0.125)
directions <- 64L

# Returns the transformation of new_map() with `matrix` and the origins of whole lines from mode and Hessian of integral
# number `row` of q; unchanged if all values are 0.
located_at_mode <- function(map, q, scaled, row = 1L) {
  evaluations <- 0
  dim <- q$dim
  number <- function(part) part[(q$rows[row] - 1L) %% length(part) + 1L]
  t <- box_points(map, number, points_for_mode * dim)
  start <- do.call(cbind, lapply(transform_points(map, t, number)$x, rep_len, points_for_mode * dim))
  low <- q$low[row, ]
  high <- q$high[row, ]
  log_f <- function(x) {
    evaluations <<- evaluations + nrow(x)
    y <- log(abs(values_at(q, x, rep(row, nrow(x)))))
    y[is.na(y) | y == Inf | rowSums(x < rep(low, each = nrow(x)) | x > rep(high, each = nrow(x))) > 0] <- -Inf
    y
  }
  middle <- vapply(map$axes, function(axis) number(axis$origin) + if (axis$whole) 0 else 0.5, 0)
  start <- rbind(ifelse(is.finite(low) & is.finite(high), (low + high) / 2, middle), start)
  at <- start[which.max(log_f(start)), ]
  if (log_f(rbind(at)) == -Inf) return(map)
  for (sweep in seq_len(line_search_sweeps)) for (k in scaled) at <- moved_along(at, k, log_f)
  whole <- which(vapply(map$axes, `[[`, NA, "whole"))
  step <- rep(1, dim)
  if (length(whole)) {
    at[whole] <- mode_from(at, whole, log_f)
    step[whole] <- natural_steps(at, whole, log_f)
    a <- matrix_at_mode(at, whole, step[whole], log_f)
    map$matrix[whole, whole] <- a * radial_scale(at, whole, a, log_f)
    for (k in whole) map$axes[[k]]$origin <- at[k]
  }
  for (k in setdiff(scaled, whole)) map$matrix[k, k] <- half_line_scale(at, k, number(map$axes[[k]]$origin), log_f)
  map$evaluations <- map$evaluations + evaluations
  map
}

# Returns the points `at` + `by` along each of the axes, a row for each element of `by`.
shifted <- function(at, axes, by) {
  x <- matrix(at, length(by), length(at), byrow = TRUE)
  x[cbind(seq_along(by), rep_len(axes, length(by)))] <- at[axes] + by
  x
}

# Returns the best point of a line search along axis k.
moved_along <- function(at, k, log_f) {
  x <- shifted(at, k, c(0, line_steps, -line_steps))
  x[which.max(log_f(x)), ]
}

# Returns the coordinates of the mode along some axes, from a point nearby.
mode_from <- function(at, axes, log_f) {
  put <- function(z) replace(at, axes, z)
  h <- 1e-4
  gradient <- function(z) {
    y <- log_f(rbind(shifted(put(z), axes, rep(h, length(axes))), shifted(put(z), axes, rep(-h, length(axes)))))
    slope <- (y[seq_along(axes)] - y[-seq_along(axes)]) / (2 * h)
    -replace(slope, !is.finite(slope), 0)
  }
  value_or(stats::optim(at[axes], function(z) min(-log_f(rbind(put(z))), 1e300), gradient, method = "BFGS",
                        control = list(maxit = mode_steps))$par, function(e) at[axes])
}

# Returns for each axis a step that reduces log|f| by about 1/2.
natural_steps <- function(at, axes, log_f) {
  h <- rep(1, length(axes))
  centre <- log_f(rbind(at))
  for (iteration in 1:12) {
    y <- log_f(rbind(shifted(at, axes, h), shifted(at, axes, -h)))
    fall <- centre - (y[seq_along(h)] + y[-seq_along(h)]) / 2
    if (all(fall > 0.2 & fall < 1)) break
    h <- h * pmin(pmax(sqrt(0.5 / pmax(fall, 1e-9)), 1 / 8), 8)
  }
  pmin(pmax(h, 1e-6), 1e6)
}

# Returns the lower triangular factor of the covariance matrix; a diagonal one if all correlations are small.
matrix_at_mode <- function(at, axes, h, log_f) {
  n <- length(axes)
  centre <- log_f(rbind(at))
  side <- lapply(c(1, -1), function(way) log_f(shifted(at, axes, way * h)))
  pair <- which(upper.tri(diag(n)), arr.ind = TRUE)
  both <- lapply(c(1, -1), function(way) {
    x <- matrix(at, nrow(pair), length(at), byrow = TRUE)
    for (j in 1:2) x[cbind(seq_len(nrow(pair)), axes[pair[, j]])] <- at[axes[pair[, j]]] + way * h[pair[, j]]
    if (nrow(pair)) log_f(x)
  })
  one <- side[[1L]] + side[[2L]]
  curvature <- diag(2 * centre - one, n)                      # in units of the steps
  curvature[pair] <- (one[pair[, 1L]] + one[pair[, 2L]] - both[[1L]] - both[[2L]] - 2 * centre) / 2
  curvature[pair[, 2:1, drop = FALSE]] <- curvature[pair]
  if (!all(is.finite(curvature))) return(diag(h, n))
  e <- eigen(curvature, symmetric = TRUE)
  is_flat <- e$values <= no_curvature * max(e$values)
  values <- ifelse(is_flat, max(least_curvature * stats::median(abs(e$values)), 1e-9), e$values)
  covariance <- e$vectors %*% (t(e$vectors) / values)
  s <- sqrt(diag(covariance))
  correlation <- covariance / outer(s, s)
  if (n == 1L || max(abs(correlation[upper.tri(correlation)])) < small_correlation) return(diag(h * s, n))
  h * t(chol(covariance))
}

# Returns the ratio of the median distance of |f| from the mode, in units of the matrix, to that of a normal density.
radial_scale <- function(at, axes, a, log_f) {
  n <- length(axes)
  u <- vapply(seq_len(n), function(k) stats::qnorm(((seq_len(directions)) * sqrt(axis_primes[k])) %% 1),
              double(directions))
  u <- u / sqrt(rowSums(u^2))
  normal <- sqrt(stats::qchisq(0.5, n))
  x <- matrix(at, directions * length(mode_radii), length(at), byrow = TRUE)
  x[, axes] <- x[, axes] + as.vector(outer(rep(1, directions), mode_radii)) * normal *
    (u %*% t(a))[rep(seq_len(directions), length(mode_radii)), ]
  y <- log_f(x) + n * rep(log(mode_radii), each = directions)
  if (!any(is.finite(y))) return(1)
  weighted_quantiles(rep(mode_radii, each = directions), exp(y - max(y)), 0.5)
}

# Returns the scale of |f| along a half-line: of the points at which it is summed, the median.
half_line_scale <- function(at, k, origin, log_f) {
  way <- sign(at[k] - origin)
  distance <- 2^seq(-12, 12, by = 0.25)
  at[k] <- origin
  y <- log_f(shifted(at, k, (if (way == 0) 1 else way) * distance)) + log(distance)
  if (!any(is.finite(y))) return(1)
  w <- exp(y - max(y))
  weighted_quantiles(distance, w, 0.5) / (quartile_range / 2)
}
