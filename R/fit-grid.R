# Maximum likelihood on contracting grids (Hesterman et al. 2010; for stable distributions Julian-Moreno et al. 2017).
#
# The log-likelihoods of all points of a grid are computed in one call (stable_data_logliks).  The best point becomes
# the centre of the next grid, which has half the steps if the centre has not moved; a grid that is too small to contain
# the maximum therefore follows it.  Two kinds of grids lead to the estimate:
#
#   1. over the shapes (alpha, beta), with scale and location from quantiles (fit-plane.R), as wide as the uncertainty
#      of the quantile estimate, and
#   2. over the four parameters, in the coordinates o of
#
#          (alpha, beta, log gamma, delta) = centre + L o,      L L' = (sum of s s')^-1,
#
#      where s are the scores (pm = 1 for a peak, so that delta is its location): the maximum is spherical in o, with
#      standard deviation 1.  L is lower triangular, so that two of its columns leave the shape unchanged and a grid of
#      3^4 distributions has nine shapes.
#
# The log-likelihoods of the last grids are fitted by quadratic functions c + g' o - o' H o/2, whose maximum H^-1 g is
# the estimate: with steps of 0.1 and then 0.02 it is within about 1e-4 of the maximum.  With H from the former,
# L H^-1 L' is the inverse of the observed information.  A shape parameter at a bound is held there.

grid_first <- 2                   # steps of the first grid, in standard deviations
grid_fitted <- c(0.1, 0.02)       # steps of the grids that are fitted: the first one, and the later ones
fitted_rounds <- 10L              # most grids that are fitted
grid_bound <- 1e-4                # steps of the grid that decides whether a shape parameter is at its bound

fit_by_grid <- function(sample, from, fixed, control, se) {
  plane <- plane_of(sample, fixed, control$alpha.min)
  space <- wide_grids(plane, from)
  if (has_no_peak(plane, space$y)) {
    plane <- without_peak(plane)
    space <- wide_grids(plane, from)
  }
  if (control$grid == 2) {
    space <- climb_grids(space)
    top <- list(v = space$y, loglik = space$evaluate(rbind(space$y)), steps = NA_real_)
    return(plane_estimate(plane, top, control, se, "grid"))
  }
  space <- climb_grids(full_space(plane, space$y))
  if (has_no_peak(plane, space$y)) {
    plane <- without_peak(plane)
    space <- climb_grids(full_space(plane, space$y[1:2]))
  }
  space_estimate(space, plane, control, se)
}

wide_grids <- function(plane, from) {
  space <- plane_space(plane, from)
  axes <- diag(c(from[["alpha"]] / 4, 0.5))[, !space$held, drop = FALSE]
  space$y <- contract(space, axes, 1, 1 / 8, reach = 2L)
  space
}

# Returns the space of a search over the shape: the current point y, which coordinates are held, the bounds, a function
# for the log-likelihoods of rows of coordinates, and one for the sum of the outer products of the scores.
plane_space <- function(plane, from) {
  list(y = pmin(pmax(unname(from[c("alpha", "beta")]), plane$lower), plane$upper), held = plane$held,
       lower = plane$lower, upper = plane$upper,
       evaluate = function(Y) finite_logliks(plane$data, matched_laws(Y, plane), plane$pm),
       outer = function(y) plane_scores(y, plane)$outer)
}

# Returns the space of a search over (alpha, beta, log gamma, delta), from the best distribution of the shape v.
full_space <- function(plane, v) {
  theta <- matched_laws(rbind(v), plane)[1L, ]
  evaluate <- function(Y) {
    Y[, 3L] <- exp(Y[, 3L])
    finite_logliks(plane$data, Y, plane$pm)
  }
  outer_products <- function(y) {
    unit <- c(1, 1, exp(y[3L]), 1)
    stable_data_quick(plane$data, y[1L], y[2L], exp(y[3L]), y[4L], plane$pm)$outer * outer(unit, unit)
  }
  space <- list(y = unname(log_scale(theta)), held = fit_parameters %in% names(plane$fixed),
                lower = c(plane$lower, -Inf, -Inf), upper = c(plane$upper, Inf, Inf), pm = plane$pm,
                evaluate = evaluate, outer = outer_products)
  if (plane$pm == 1L) locate_peak(space, plane$sample$z) else space
}

finite_logliks <- function(data, laws, pm) {
  value <- stable_data_logliks(data, laws, pm)
  replace(value, is.nan(value), -Inf)
}

# Locates a narrow peak.  Its likelihood has a maximum at nearly each observation: the search starts from the best one.
# If the peak is much narrower than the gaps between observations, the likelihood would grow without bound as alpha
# tends to 0: then the location is held beside the nearest observation.
locate_peak <- function(space, z) {
  near <- z[order(abs(z - space$y[4L]))[seq_len(min(length(z), 41L))]]
  away <- abs(z - near[1L])
  gap <- stats::median(sort(away)[2:6]) / 3
  if (peak_width(space$y[1L]) * exp(space$y[3L]) < gap / 4) {
    space$y[4L] <- near[1L] + min(away[away > 0]) / 2
    space$held[4L] <- TRUE
    return(space)
  }
  Y <- rbind(space$y, cbind(matrix(space$y[1:3], length(near), 3L, byrow = TRUE), near))
  space$y <- unname(Y[which.max(space$evaluate(Y)), ])
  space
}

# Returns half the width of the peak of the symmetric distribution, sqrt(-f(0)/f''(0)).
peak_width <- function(alpha) min(1, exp((lgamma(1 / alpha) - lgamma(3 / alpha)) / 2))

# Returns the space with y at the maximum.  A shape parameter that has reached a bound is held there for the next search.
climb_grids <- function(space) {
  repeat {
    for (round in seq_len(grid_rounds)) {
      before <- space$y
      space$axes <- grid_axes(space)
      space$y <- contract(space, space$axes, grid_first, grid_fitted[1L])
      if (all(abs(space$y - before) <= rowSums(abs(space$axes)))) break
    }
    space <- leave_bound(space)
    if (!any(at_bound(space))) space <- leave_bound(polish(space))
    there <- at_bound(space)
    if (!any(there)) return(space)
    space$held <- space$held | there
    space$root <- space$gradient <- NULL                # of a search in more coordinates
    if (space$y[1L] == 2) space$held[2L] <- TRUE
  }
}

# Returns the space with y moved off a bound if the likelihood has its maximum next to the bound.
leave_bound <- function(space) {
  if (any(at_bound(space))) space$y <- contract(space, space$axes, grid_fitted[1L], grid_bound)
  space
}

at_bound <- function(space) !space$held & (space$y <= space$lower | space$y >= space$upper)

# Returns L for the coordinates that are not held, with standard deviations limited to the extent of the space.
grid_axes <- function(space) {
  move <- which(!space$held)
  axes <- matrix(0, length(space$y), length(move))
  if (!length(move)) return(axes)
  information <- space$outer(space$y)[move, move, drop = FALSE]
  unit <- sqrt(pmin(pmax(diag(information), 1), 1e200))
  root <- value_or(chol(information / outer(unit, unit) + diag(1e-6, length(move))), function(e) NULL)
  if (is.null(root)) root <- diag(length(move))        # for alpha close to 0 scores overflow
  cov <- chol2inv(root) / outer(unit, unit)
  sd <- sqrt(diag(cov))
  shrink <- pmin(1, c(space$y[1L] / 4, 0.5, 0.5, 1)[move] / sd)
  axes[move, ] <- t(chol(cov * outer(shrink, shrink)))
  axes
}

# Returns the centre of the last grid: the first one with steps of at most `least` and no better point around its
# centre, or else the grid_rounds-th grid.
contract <- function(space, axes, step, least, reach = 1L) {
  y <- space$y
  if (ncol(axes) == 0L) return(y)
  offsets <- grid_offsets(ncol(axes), reach)
  for (round in seq_len(grid_rounds)) {
    Y <- grid_points(y, axes, step * offsets, space)
    best <- which.max(space$evaluate(Y))
    y <- Y[best, ]
    if (best > 1L) next
    if (step <= least) break
    step <- step / 2
  }
  y
}

grid_rounds <- 30L

# Returns the offsets of a grid.  The centre comes first, so that it wins ties; points with the same first coordinates
# are adjacent.
grid_offsets <- function(k, reach = 1L) {
  all <- as.matrix(rev(expand.grid(rep(list(-reach:reach), k))))
  unname(rbind(0, all[rowSums(abs(all)) > 0, , drop = FALSE]))
}

grid_points <- function(y, axes, offsets, space) {
  moved_inside(rep(y, each = nrow(offsets)) + offsets %*% t(axes), space)
}

# Returns points (rows) with the shape moved to the bounds if it is outside.
moved_inside <- function(Y, space) {
  for (j in 1:2) Y[, j] <- pmin(pmax(Y[, j], space$lower[j]), space$upper[j])
  Y
}

# Fits quadratic functions to the last grids, which are small enough to stay inside the bounds; if none fits, the
# grid contracts once more.  Ends at a bound if the maximum of a quadratic function is beyond it.
polish <- function(space) {
  step <- grid_fitted[1L]
  for (round in seq_len(fitted_rounds)) {
    room <- pmin(space$y - space$lower, space$upper - space$y) / rowSums(abs(space$axes))
    step <- min(step, room[!space$held])
    if (step < grid_bound || all(space$held)) break
    top <- quadratic_top(space, step)
    if (is.null(top)) {
      step <- step / 4
      space$y <- contract(space, space$axes, 2 * step, step)
      next
    }
    if (is.null(space$root)) space$root <- top$root
    space$y <- grid_points(space$y, space$axes, rbind(top$offset), space)[1L, ]
    space$gradient <- top$gradient
    if (max(abs(top$gradient)) < 1e-6) break
    step <- min(step, grid_fitted[2L])
  }
  space
}

# Returns the maximum of the quadratic function fitted to the log-likelihoods of a grid; NULL if it has none nearby.
quadratic_top <- function(space, step) {
  k <- ncol(space$axes)
  o <- step * grid_offsets(k)
  value <- space$evaluate(grid_points(space$y, space$axes, o, space))
  pair <- which(upper.tri(diag(k), diag = TRUE), arr.ind = TRUE)
  products <- o[, pair[, 1L], drop = FALSE] * o[, pair[, 2L], drop = FALSE]
  if (!all(is.finite(value))) return(NULL)
  b <- qr.coef(qr(cbind(1, o, products)), value - value[1L])
  gradient <- b[1L + seq_len(k)]
  H <- matrix(0, k, k)
  H[pair] <- -b[-seq_len(k + 1L)]
  H <- H + t(H)
  root <- value_or(chol(H), function(e) NULL)
  if (is.null(root)) return(NULL)
  offset <- backsolve(root, backsolve(root, gradient, transpose = TRUE))
  if (any(abs(offset) > 2 * step)) return(NULL)
  list(offset = offset, gradient = gradient, root = root)
}

space_estimate <- function(space, plane, control, se) {
  y <- space$y
  if (!is.finite(space$evaluate(rbind(y))))
    stop_with(NULL, "data", "No stable distribution with the parameters in `fixed` has a support that contains all ",
              "of `x`.")
  theta <- pm_to_s0(c(alpha = y[1L], beta = y[2L], gamma = exp(y[3L]), delta = y[4L]), space$pm)
  cov <- if (se && !is.null(space$root)) {
    J <- diag(c(1, 1, theta[["gamma"]], 1))
    if (space$pm == 1L) J <- solve(s1_jacobian(theta), J)
    root <- J %*% space$axes %*% backsolve(space$root, diag(ncol(space$axes)))
    root %*% t(root)
  }
  placed <- space$held[4L] && !"delta" %in% names(plane$fixed)
  remarks <- c(if (se && is.null(cov) && !all(space$held))
                 "The log-likelihood is not quadratic near its maximum: no standard errors are available.",
               if (placed)
                 paste("The peak of the density is narrower than the gaps between observations: delta is placed next",
                       "to one of them and has no standard error."))
  out <- plain_estimate(theta, cov, plane$sample, plane$fixed, control$alpha.min, "grid", remarks)
  if (placed) out$cov <- mark_unknown(out$cov, fit_parameters == "delta")
  out$gradient[seq_along(space$gradient)] <- space$gradient
  out
}

log_scale <- function(theta) {
  if ("gamma" %in% names(theta)) theta[["gamma"]] <- log(theta[["gamma"]])
  theta
}
