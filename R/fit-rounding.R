# The likelihood of rounded observations.  A value r that was rounded to a multiple of h contributes the probability
#
#     P(r - h/2 < e <= r + h/2)
#
# as a difference of the tail probabilities on the side of r, so that it keeps its relative accuracy however far out r
# is.  A difference of less than a thousandth of the tail probability would lose more than three digits; the density
# is then smooth over the interval, and Gauss' rule with four nodes replaces it.  The scores of location and scale are
# differences of densities at the ends, those of alpha and beta difference quotients of the log probability.

interval_log_probability <- function(r, h, alpha, beta, gamma) {
  far <- abs(r) + h / 2
  near <- abs(r) - h / 2
  side <- r >= 0
  # P(e > r - h/2) - P(e > r + h/2) for r >= 0, P(e <= r + h/2) - P(e <= r - h/2) for r < 0
  tail <- function(distance, log) {
    ifelse(side, pstable(distance, alpha, beta, gamma, lower.tail = FALSE, log.p = log),
           pstable(-distance, alpha, beta, gamma, log.p = log))
  }
  whole <- tail(near, FALSE)
  part <- whole - tail(far, FALSE)
  out <- log(part)
  thin <- !(part > 1e-3 * whole) & whole > 0
  out[thin] <- log(h) + mean_log_density(r[thin], h, alpha, beta, gamma)
  gone <- whole < 1e-290
  if (any(gone)) {
    logs <- cbind(tail(near, TRUE), tail(far, TRUE))[gone, , drop = FALSE]
    out[gone] <- logs[, 1L] + log(-expm1(logs[, 2L] - logs[, 1L]))
  }
  out
}

# Returns the logarithm of the mean of the density over the interval.
mean_log_density <- function(r, h, alpha, beta, gamma) {
  rule <- legendre_4
  f <- dstable(outer(r, rule$x * h / 2, `+`), alpha, beta, gamma)
  log(drop(matrix(f, length(r)) %*% rule$w) / 2)
}

# Returns the columns of stable_quick() for rounded values.
rounded_scores <- function(r, h, alpha, beta, gamma) {
  value <- function(alpha, beta) interval_log_probability(r, h, alpha, beta, gamma)
  logp <- value(alpha, beta)
  ends <- log_densities_at_ends(r, h, alpha, beta, gamma) - logp
  up <- exp(ends[, 2L])
  down <- exp(ends[, 1L])
  cbind(logpdf = logp, alpha = shape_slope(value, alpha, beta, "alpha"), beta = shape_slope(value, alpha, beta, "beta"),
        gamma = ((r - h / 2) * down - (r + h / 2) * up) / gamma, delta = down - up)
}

log_densities_at_ends <- function(r, h, alpha, beta, gamma) {
  cbind(dstable(r - h / 2, alpha, beta, gamma, log = TRUE), dstable(r + h / 2, alpha, beta, gamma, log = TRUE))
}

# Returns a difference quotient with respect to alpha or beta inside the parameter space, one-sided at its border.
shape_slope <- function(value, alpha, beta, which) {
  h <- 1e-4
  at <- if (which == "alpha") alpha else beta
  ends <- c(max(if (which == "alpha") 0.01 else -1, at - h), min(if (which == "alpha") 2 else 1, at + h))
  f <- lapply(ends, function(v) if (which == "alpha") value(v, beta) else value(alpha, v))
  (f[[2L]] - f[[1L]]) / (ends[2L] - ends[1L])
}
