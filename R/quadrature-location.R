# Location and scale of an integrand over an infinite range, for the transformation of quadrature-infinite.R.
#
# |f| is regarded as a density, known up to a factor.  Points of a Kronecker sequence, uniform in t, have the weights
# |f(x)| dx/dt.  Their weighted medians and interquartile ranges along all axes, and the correlations of values limited
# to three standard deviations, give a better transformation, under which the next points are taken.  If few points
# carry most of the weight, because the density is much narrower than the transformation, a power below 1 makes the
# weights more even, and several steps lead there.  Several integrals have one transformation, for the mean of their
# densities.  Values along rays from the origin give a first scale.  Genz and Kass (1997, J. Comput. Graph. Stat. 6,
# 92-111) derive location and scale from mode and Hessian.

location_steps <- 12L
points_per_axis <- 1024L
points_most <- 65536L
quartile_range <- 1.349                 # of a standard normal distribution
independent <- 0.02                     # share of the identity in the matrix of correlations
small_correlation <- 0.1
first_spread <- 0.25                    # after one point
# Standard deviations from the median to the origin: many integrands have a kink at the median, which would be missed
# where it lies very close to a face of boxes, the first of which are bisected at the origin.
off_centre <- 0.1

scale_octaves <- seq(-1000, 1000, by = 4)
scale_near <- 6                         # octaves from 1 that the steps above cover anyway

scale_falls <- 8                        # octaves by which the mass falls towards both ends of a ray

# Returns the transformation with the scale of |f| along each axis in `matrix` if it is far from 1.  The scale is the
# distance from the origin at which |f| times the distance, the mass of an octave, is largest, in the median of the
# examined integrals; it is unknown if the mass does not fall towards the least and the largest distance.
with_scale <- function(map, p, q = examined_integrals(p)) {
  if (q$dim > few_axes) return(map)
  octaves <- do.call(rbind, lapply(seq_along(q$rows), function(row) octaves_of_scale(map, q, row)))
  octave <- apply(octaves, 2L, stats::median, na.rm = TRUE)
  scaled <- vapply(map$axes, `[[`, NA, "scaled") & abs(octave) > scale_near
  map$matrix <- map$matrix %*% diag(2^ifelse(scaled %in% TRUE, octave, 0), q$dim)
  map$evaluations <- map$evaluations + length(scale_octaves) * sum(is.infinite(c(q$low[1L, ], q$high[1L, ])))
  map
}

# Returns the octave of the scale along each axis for integral number `row` of q, NA if it is unknown.  Where |f| is 0
# on the axis itself, the other axes are at their scales, or at that along all of these axes together.
octaves_of_scale <- function(map, q, row) {
  way <- infinite_way(q, row)
  along <- function(k, from) {
    move <- replace(numeric(q$dim), k, way[k])
    if (way[k] == 0) return(NA_real_)
    octave_along(map, q, row, from, rbind(move, if (q$low[row, k] == -q$high[row, k]) -move))
  }
  own <- vapply(seq_len(q$dim), along, 0, from = numeric(q$dim))
  if (!anyNA(own[way != 0])) return(own)
  together <- octave_along(map, q, row, numeric(q$dim), rbind(way))
  at <- way * 2^ifelse(is.na(own), if (is.na(together)) 0 else together, own)
  for (k in which(is.na(own))) own[k] <- along(k, replace(at, k, 0))
  own
}

# Returns the octave of the largest mass on rays in the given directions, rows of a matrix; NA if it is unknown.
octave_along <- function(map, q, row, from, directions) {
  mass <- log2(rays_of(map, q, row, 2^scale_octaves, directions, from)$value) +
    outer(scale_octaves, rowSums(directions != 0))
  best <- which.max(mass)
  if (!length(best) || !is.finite(mass[best])) return(NA_real_)
  along <- mass[, (best - 1L) %/% length(scale_octaves) + 1L]
  ends <- range(which(!is.na(along)))
  if (max(along[ends]) > mass[best] - scale_falls) return(NA_real_)
  scale_octaves[(best - 1L) %% length(scale_octaves) + 1L]
}

# Returns the transformation with `matrix`, `light` and the origins of whole lines chosen by the integrand; unchanged if
# all values are 0, or if evaluations are limited to a few times those that the search takes.
located <- function(map, p) {
  scaled <- which(vapply(map$axes, `[[`, NA, "scaled"))
  q <- examined_integrals(p)
  count <- points_per_axis * length(map$axes)
  is_many <- q$dim > few_axes
  if (!length(scaled) || p$tolerance$max.eval < 4 * if (is_many) mode_cost * q$dim else location_steps * count)
    return(map)
  if (is_many) {
    map <- located_at_mode(map, q, scaled)
    map$light[scaled] <- are_light_tailed(map, q)[scaled]
    return(map)
  }
  map <- with_scale(map, p, q)
  for (step in seq_len(location_steps)) {
    sample <- weighted_points(map, q, count)
    map$evaluations <- map$evaluations + count
    if (is.null(sample)) {
      sample <- weighted_points(map, q, points_most)
      map$evaluations <- map$evaluations + points_most
    }
    if (is.null(sample)) return(map)
    map <- moved_map(map, sample, scaled)
    if (step > 2L && sample$power == 1) break
  }
  map$light[scaled] <- are_light_tailed(map, q)[scaled]
  map
}

# Returns points of all integrals of q as the columns of a list: g times the factors of map_matrix(), their weights, and
# the least power of the weights; NULL if all values are 0.  An integral with few values other than 0 has only the point
# with the largest weight.
weighted_points <- function(map, q, count) {
  each <- lapply(seq_along(q$rows), function(row) weighted_points_of(map, q, row, count))
  each <- Filter(Negate(is.null), each)
  if (!length(each)) return(NULL)
  if (any(enough <- vapply(each, `[[`, 0, "power") > 0)) each <- each[enough]
  list(z = lapply(seq_len(q$dim), function(k) unlist(lapply(each, function(one) one$z[[k]]))),
       w = unlist(lapply(each, `[[`, "w")), power = min(vapply(each, `[[`, 0, "power")))
}

weighted_points_of <- function(map, q, row, count) {
  least <- 4 * (q$dim + 2)
  number <- function(part) part[(q$rows[row] - 1L) %% length(part) + 1L]
  t <- box_points(map, number, count)
  at <- transform_points(map, t, number)
  f <- abs(values_at(q, do.call(cbind, lapply(at$x, rep_len, count)), rep(row, count)))
  weight <- log(f) + log(at$rate)
  good <- is.finite(weight)
  if (!any(good)) return(NULL)
  if (sum(good) < least) good <- which.max(replace(weight, !good, -Inf))
  weight <- weight[good] - max(weight[good])
  power <- if (length(weight) < least) 0 else 1
  while (power > 0 && effective_points(exp(power * weight)) < least / 2) power <- power / 2
  list(z = lapply(t, function(v) scale_general * v[good] / ((1 - v[good]) * (1 + v[good]))),
       w = exp(power * weight) / sum(exp(power * weight)), power = power)
}

# Returns the effective number of weighted points (Kish).
effective_points <- function(w) sum(w)^2 / sum(w^2)

# In up to three dimensions a transformation suits an integral if no single one of these points carries most of the
# weight.  In more, few points have much weight under any transformation.  There, location and scale of each examined
# integral are compared with the transformation, which suits all integrals if it suits these, and otherwise none.
suitability_points <- 256L
points_with_weight <- 2
suitability_axes <- 3L
integrals_together <- 4096L
suitable_shift <- 1.5                   # standard deviations from the origin to the median of |f|, at most
suitable_spread <- 2                    # largest ratio of the standard deviations, or of their inverses

# TRUE if it is examined whether a common transformation suits each of n integrals: not in more than three dimensions if
# the evaluations allowed do not suffice to locate the integrands.
examines_suitability <- function(map, n) {
  n > 1L && (length(map$axes) <= suitability_axes || map$evaluations > 0) && any(vapply(map$axes, `[[`, NA, "scaled"))
}

# Returns the evaluations of each of n integrals by suitable_integrals(), on average.
suitability_evaluations <- function(map, n) {
  dim <- length(map$axes)
  if (!examines_suitability(map, n)) return(0)
  if (dim <= suitability_axes) return(suitability_points)
  (if (dim > few_axes) mode_cost else points_per_axis) * dim * min(n, integrals_examined) / n
}

# TRUE for each of n integrals that a common transformation suits; NA if all of its values are 0.
suitable_integrals <- function(map, p, n) {
  if (!examines_suitability(map, n)) return(rep(TRUE, n))
  if (length(map$axes) > suitability_axes) return(rep(suits_examined_integrals(map, p), n))
  suits <- function(rows) {
    row <- rep(seq_along(rows), each = suitability_points)
    number <- function(part) part[(rows[row] - 1L) %% length(part) + 1L]
    at <- transform_points(map, box_points(map, number, suitability_points), number)
    x <- do.call(cbind, lapply(at$x, rep_len, length(row)))
    weight <- matrix(log(abs(values_at(problem_rows(p, rows), x, row))) + log(at$rate), suitability_points)
    weight[!is.finite(weight)] <- -Inf
    largest <- do.call(pmax, lapply(seq_len(suitability_points), function(k) weight[k, ]))
    weight <- exp(weight - rep(pmax(largest, -.Machine$double.xmax), each = suitability_points))
    colSums(weight)^2 / colSums(weight^2) >= points_with_weight           # NaN if all weights are 0
  }
  unlist(lapply(split(seq_len(n), (seq_len(n) - 1L) %/% integrals_together), suits), use.names = FALSE)
}

# TRUE if the transformation suits all examined integrals; NA if all values are 0.
suits_examined_integrals <- function(map, p) {
  q <- examined_integrals(p)
  scaled <- which(vapply(map$axes, `[[`, NA, "scaled"))
  suits <- vapply(seq_along(q$rows), function(row) {
    own <- if (q$dim > few_axes) mode_relative_to(map, new_map(p), q, row, scaled)
           else weights_relative_to(map, q, row, scaled)
    all(abs(own$centre) <= suitable_shift) && all(pmax(own$spread, 1 / own$spread) <= suitable_spread)
  }, NA)
  if (all(is.na(suits))) NA else all(suits %in% TRUE)
}

# Return the location and scale of integral number `row` of q along the scaled axes under a transformation, `centre` and
# `spread`; NA if all values are 0.  From weighted points, with a spread of 0 if the integrand is much narrower than the
# transformation; or from the mode that is found from the transformation `first`.
weights_relative_to <- function(map, q, row, scaled) {
  map$light[] <- FALSE
  sample <- weighted_points_of(map, q, row, points_per_axis * q$dim)
  if (is.null(sample)) return(list(centre = NA, spread = NA))
  if (sample$power < 1) return(list(centre = 0, spread = 0))
  own <- vapply(scaled, function(k) centre_and_spread(map, sample, k), double(2L))
  list(centre = own[1L, ], spread = own[2L, ])
}

mode_relative_to <- function(map, first, q, row, scaled) {
  own <- located_at_mode(first, q, scaled, row)
  if (own$evaluations == 0) return(list(centre = NA, spread = NA))
  number <- function(part) part[(q$rows[row] - 1L) %% length(part) + 1L]
  origins <- function(map) vapply(map$axes, function(axis) number(axis$origin), 0)
  list(centre = forwardsolve(map$matrix, origins(own) - origins(map))[scaled],
       spread = sqrt(rowSums(forwardsolve(map$matrix, own$matrix)^2))[scaled])
}

# Returns `count` points of the box of t of an integral, a list of columns.  number: as in transform_points().
box_points <- function(map, number, count) {
  lapply(seq_along(map$axes), function(k) {
    low <- number(map$axes[[k]]$lower)
    low + (number(map$axes[[k]]$upper) - low) * ((seq_len(count) * sqrt(axis_primes[k]) / 2 + 0.11 * k) %% 1)
  })
}

# Returns the transformation that centres and scales the weighted points.
moved_map <- function(map, sample, scaled) {
  whole <- vapply(map$axes, `[[`, NA, "whole")
  dim <- length(whole)
  centre <- numeric(dim)
  spread <- rep(1, dim)
  for (k in scaled) {
    own <- centre_and_spread(map, sample, k)
    spread[k] <- own[2L]
    if (whole[k]) centre[k] <- own[1L] + off_centre * own[2L]
  }
  spread <- if (sample$power > 0) pmin(pmax(spread, 1e-4), 1e4) else replace(spread, scaled, first_spread)
  step <- diag(spread, dim)
  all <- which(whole)
  if (length(all) > 1L && sample$power > 0)
    step[all, all] <- step[all, all] %*% t(chol(weighted_correlations(sample, all, centre, spread)))
  shift <- map$matrix %*% centre
  for (k in all) map$axes[[k]]$origin <- map$axes[[k]]$origin + shift[k]
  map$matrix <- map$matrix %*% step
  map
}

# Returns the median of weighted points along axis k, 0 on half-lines, and their standard deviation if they have a
# normal distribution.
centre_and_spread <- function(map, sample, k) {
  at <- weighted_quantiles(sample$z[[k]], sample$w, c(0.25, 0.5, 0.75))
  if (map$axes[[k]]$whole) c(at[2L], (at[3L] - at[1L]) / quartile_range)
  else c(0, abs(at[2L]) / (quartile_range / 2))
}

weighted_quantiles <- function(x, w, probs) {
  order <- order(x)
  x[order][pmin(findInterval(probs, cumsum(w[order]) / sum(w)) + 1L, length(x))]
}

# Returns correlations; the identity if all are small, so that a product of functions of one variable remains one.
weighted_correlations <- function(sample, axes, centre, spread) {
  z <- vapply(axes, function(k) pmax(pmin((sample$z[[k]] - centre[k]) / spread[k], 3), -3), sample$w)
  covariance <- crossprod(z * sqrt(sample$w))
  s <- sqrt(diag(covariance))
  correlation <- covariance / outer(s, s)
  if (max(abs(correlation[upper.tri(correlation)])) < small_correlation) return(diag(length(s)))
  (1 - independent) * correlation + independent * diag(length(s))
}

light_tail_reach <- c(8, 32)            # standard deviations between which |f| is compared
light_tail_fall <- exp(-60)

# TRUE for each axis along which |f| falls faster than exponentially, as do all rays with a share in that axis.  The
# rays begin one standard deviation from the ends of half-lines, where |f| is often 0.
are_light_tailed <- function(map, q) {
  light <- rep(TRUE, q$dim)
  for (row in seq_along(q$rows)) {
    is_half <- is.infinite(q$low[row, ]) != is.infinite(q$high[row, ])
    from <- is_half * infinite_way(q, row) / map$scale[["general"]]
    rays <- rays_of(map, q, row, light_tail_reach / map$scale[["general"]], from = from)
    falls <- rays$value[1L, ] == 0 | rays$value[2L, ] <= light_tail_fall * rays$value[1L, ]
    slow <- rays$direction[!falls %in% TRUE, , drop = FALSE]
    light <- light & colSums(slow != 0) == 0
  }
  light
}
