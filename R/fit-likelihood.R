# The log-likelihood in coordinates that an optimiser can walk in.
#
#     y = (alpha, beta, log gamma, u),      location = centre + unit * u
#
# The location is delta of S0 where alpha is moderate.  For small alpha the density is
# a spike at zeta whose width shrinks like gamma sqrt(Gamma(1/alpha)/Gamma(3/alpha)): the
# data then pin the place of the spike, which in S0 would move with beta and gamma.
# The location is therefore the spike itself (delta of S1) in "spiked" coordinates,
# measured in widths of the spike; they are used up to alpha = 0.9 only, since S1
# is singular at 1.
#
# Coordinates are a list: base (a full y), free (which of the four move), lower, upper,
# pm (0 or 1), centre, unit; and held, a handle of the data (data.R), if there is one.

spiked_end <- 0.9

fit_coordinates <- function(theta, fixed, alpha.min, held = NULL) {
  loose <- !(fit_parameters %in% names(fixed))
  theta[names(fixed)] <- fixed
  spiked <- theta[["alpha"]] < 0.6 && loose[4L]
  centre <- theta[["delta"]]
  if (spiked) centre <- centre - theta[["beta"]] * theta[["gamma"]] * tanpi(theta[["alpha"]] / 2)
  unit <- if (spiked) theta[["gamma"]] * spike_width(theta[["alpha"]]) else theta[["gamma"]]
  list(base = c(theta[["alpha"]], theta[["beta"]], log(theta[["gamma"]]), 0), free = loose,
       lower = c(alpha.min, -1, -Inf, -Inf), upper = c(if (spiked) spiked_end else 2, 1, Inf, Inf),
       pm = if (spiked) 1L else 0L, centre = centre, unit = unit, held = held)
}

# Half-width of the peak of the symmetric law, sqrt(-f(0)/f''(0)), at most 1.
spike_width <- function(alpha) min(1, exp((lgamma(1 / alpha) - lgamma(3 / alpha)) / 2))

y_to_theta <- function(y, co) {
  gamma <- exp(y[3L])
  delta <- co$centre + co$unit * y[4L]
  if (co$pm == 1L) delta <- delta + y[2L] * gamma * tanpi(y[1L] / 2)
  c(alpha = y[1L], beta = y[2L], gamma = gamma, delta = delta)
}

full_y <- function(v, co) {
  y <- co$base
  y[co$free] <- v
  y
}

log_likelihood <- function(y, co, z) log_likelihoods(rbind(y), co, z)

# One value per row of Y.  A new shape (alpha, beta) costs the density as much as
# some thousand points do, so rows of one shape are evaluated one after the other, and the
# backend told how many they are.
log_likelihoods <- function(Y, co, z) {
  data <- if (is.null(co$held)) z else co$held
  value <- rep(-Inf, nrow(Y))
  for (rows in rows_of_one_shape(Y)) for (k in rows) {
    gamma <- exp(Y[k, 3L])
    delta <- co$centre + co$unit * Y[k, 4L]
    if (gamma > 0 && is.finite(gamma) && is.finite(delta))
      value[k] <- stable_data_loglik(data, Y[k, 1L], Y[k, 2L], gamma, delta, co$pm, calls = length(rows))
  }
  replace(value, is.nan(value), -Inf)
}

rows_of_one_shape <- function(Y) {
  if (nrow(Y) == 1L) return(list(1L))
  split(seq_len(nrow(Y)), sprintf("%a %a", Y[, 1L], Y[, 2L]))
}

# Log density of the standardised law; u keeps its dimensions.
log_shape <- function(u, y, co) dstable(u, y[1L], y[2L], pm = co$pm, log = TRUE)

# Is log f of this shape in the tables of stable_quick()?
is_steered <- function(y) y[1L] >= tables_begin

tables_begin <- 0.3

# Gradient of the log-likelihood and the sum of the scores' outer products in the free coordinates, to about seven
# digits for each observation; not where !is_steered(y).
local_likelihood <- function(y, co, z) {
  unit <- c(1, 1, exp(y[3L]), co$unit)
  found <- quick_likelihood(y, co, z, scores = TRUE)
  list(gradient = (unit * found$gradient)[co$free],
       outer = (found$outer * outer(unit, unit))[co$free, co$free, drop = FALSE])
}

quick_likelihood <- function(y, co, z, scores) {
  data <- if (is.null(co$held)) z else co$held
  stable_data_quick(data, y[1L], y[2L], exp(y[3L]), co$centre + co$unit * y[4L], co$pm, scores = scores)
}

# The log-likelihood that the search goes by.
steering_likelihood <- function(y, co, z) {
  gamma <- exp(y[3L])
  if (!is_steered(y) || !(gamma > 0 && is.finite(gamma))) return(log_likelihood(y, co, z))
  value <- quick_likelihood(y, co, z, scores = FALSE)
  if (is.nan(value)) -Inf else value
}

# n x k matrix of the derivatives of each log density in the free coordinates, by
# central differences that stay inside the parameter space (one-sided at a bound).
# Scale and location share the derivative in u = (z - location)/gamma,
#     d/d log gamma = -1 - u l'(u),      d/d location = -l'(u) / gamma.
# They come first: the density has just been asked for this very shape.
# Where a difference crosses the edge of the support it says nothing, and counts as zero.
score_matrix <- function(y, co, z) {
  gamma <- exp(y[3L])
  u <- (z - co$centre - co$unit * y[4L]) / gamma
  score <- matrix(0, length(z), 4L)
  if (any(co$free[3:4])) {
    h <- 1e-4 * (co$unit / gamma + abs(u))
    ends <- log_shape(cbind(u - h, u + h), y, co)
    slope <- (ends[, 2L] - ends[, 1L]) / (2 * h)
    score[, 3L] <- -1 - u * slope
    score[, 4L] <- -slope * co$unit / gamma
  }
  for (j in which(co$free[1:2])) {
    side <- difference_sides(y, co, j, 1e-4 * min(1, y[1L]))
    ends <- lapply(side, function(h) log_shape(u, replace(y, j, y[j] + h), co))
    score[, j] <- (ends[[2L]] - ends[[1L]]) / (side[2L] - side[1L])
  }
  score[!is.finite(score)] <- 0
  score[, co$free, drop = FALSE]
}

difference_sides <- function(y, co, j, h) {
  room <- c(y[j] - co$lower[j], co$upper[j] - y[j])
  if (room[1L] <= 0) return(c(0, h))
  if (room[2L] <= 0) return(c(-h, 0))
  h <- min(h, room / 2)
  c(-h, h)
}
