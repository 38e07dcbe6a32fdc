# Estimates from five sample quantiles, for every alpha in (0, 2].
#
# McCulloch (1986) matches (q95 - q05)/(q75 - q25) and (q95 + q05 - 2 q50)/(q95 - q05).
# For small alpha the first explodes and the second saturates, so his tables end at
# alpha = 0.6.  On the logarithmic scale both stay informative all the way:
#
#     spread(alpha, beta) = log((q95 - q05) / (q75 - q25))      ~ 1.9 / alpha as alpha -> 0
#     skew(alpha, beta)   = log((q95 - q50) / (q50 - q05)) / spread
#
# alpha * spread, skew and alpha * log(q75 - q25) change little with alpha; they and the
# median are tabulated by data-raw/quantile-start.R in `quantile_start`: matrices over
# alpha (rows) and beta >= 0 (columns), for the standard S0 law.  The S0 location is
# continuous at alpha = 1, so nothing special happens there.  Inversion: for each
# tabulated beta the alpha that explains the spread, then along this curve the beta that
# explains the skew, which grows with beta.

log_spread <- function(q) log((q[5L] - q[1L]) / (q[4L] - q[2L]))
log_skewness <- function(q) {
  arms <- pmax(c(q[5L] - q[3L], q[3L] - q[1L]), .Machine$double.xmin)
  log(arms[1L] / arms[2L]) / log_spread(q)
}

# (alpha, beta) from quantiles; either may be held fixed.
quantile_shape <- function(q, fixed = numeric(), alpha.min = 0.01) {
  t <- quantile_start
  skew <- log_skewness(q)
  side <- if (skew < 0) -1 else 1
  b <- if ("beta" %in% names(fixed)) abs(fixed[["beta"]]) else t$beta
  a <- if ("alpha" %in% names(fixed)) rep_len(fixed[["alpha"]], length(b)) else
    vapply(b, alpha_from_spread, 0, spread = log_spread(q))
  if ("beta" %in% names(fixed)) {
    alpha <- a
    beta <- fixed[["beta"]]
  } else {
    along <- cummax(mapply(table_value, a, b, MoreArgs = list(table = t$skew)))
    beta <- side * invert_increasing(along, b, abs(skew))
    alpha <- stats::approx(b, a, abs(beta))$y
  }
  c(alpha = min(2, max(alpha.min, alpha)), beta = beta)
}

alpha_from_spread <- function(spread, beta) {
  t <- quantile_start
  inverse <- t$alpha / interpolate_beta(t$spread, beta)     # 1 / spread, increasing in alpha
  invert_increasing(inverse, t$alpha, 1 / spread)
}

# The x at which the tabulated y(x) reaches a value; the end points beyond the range.
invert_increasing <- function(y, x, value) {
  keep <- c(TRUE, diff(y) > 1e-9)
  if (sum(keep) < 2L) return(0)
  stats::approx(y[keep], x[keep], value, rule = 2L, ties = "ordered")$y
}

interpolate_beta <- function(table, beta) {
  b <- quantile_start$beta
  j <- min(findInterval(beta, b), length(b) - 1L)
  w <- (beta - b[j]) / (b[j + 1L] - b[j])
  (1 - w) * table[, j] + w * table[, j + 1L]
}

table_value <- function(alpha, beta, table) {
  stats::approx(quantile_start$alpha, interpolate_beta(table, abs(beta)), alpha, rule = 2L)$y
}

# All four parameters (S0) from five quantiles and, for small alpha, the spike.
quantile_estimate <- function(q, spike, fixed = numeric(), alpha.min = 0.01) {
  shape <- quantile_shape(q, fixed, alpha.min)
  alpha <- shape[["alpha"]]
  beta <- shape[["beta"]]
  gamma <- if ("gamma" %in% names(fixed)) fixed[["gamma"]] else
    (q[4L] - q[2L]) * exp(-table_value(alpha, beta, quantile_start$quartiles) / alpha)
  delta <- if ("delta" %in% names(fixed)) fixed[["delta"]] else
    if (alpha < spiked_alpha) spike + beta * gamma * tanpi(alpha / 2) else
      q[3L] - gamma * sign(beta) * table_value(alpha, beta, quantile_start$median)
  c(alpha = alpha, beta = beta, gamma = gamma, delta = delta)
}

# The user's start values, given in the user's units, over the quantile estimate.
merge_start <- function(quick, start, sample, pm) {
  if (!length(start)) return(quick)
  full <- s0_to_pm(from_canonical(quick, sample), pm)
  full[names(start)] <- start
  to_canonical(pm_to_s0(full, pm), sample)
}

# Method "quantile": covariance of the five order statistics, carried through the
# estimator by the delta method (central differences).
fit_by_quantiles <- function(sample, quick, fixed, control, se) {
  cov <- matrix(0, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  active <- bound_labels(quick, fixed, control$alpha.min)
  loglik <- sum(dstable(sample$z, quick[["alpha"]], quick[["beta"]], quick[["gamma"]],
                        quick[["delta"]], log = TRUE))
  out <- list(theta = quick, cov = cov * NA, loglik = loglik, active = active, se = se,
              convergence = list(code = 0L, message = "closed form"))
  if (!se) return(out)
  loose <- !(fit_parameters %in% names(fixed)) & !nzchar(active)
  if (active[["alpha"]] == "upper") loose[2L] <- FALSE
  V <- quantile_vcov(sample, quick, fixed, control$alpha.min)
  if (quick[["alpha"]] < spiked_alpha && loose[4L]) {
    loose[4L] <- FALSE
    out$notes <- "For alpha < 0.5 delta comes from the half-sample mode, without standard error."
  }
  cov[loose, loose] <- V[loose, loose]
  out$cov <- mark_unknown(cov, !loose)
  out
}

quantile_vcov <- function(sample, quick, fixed, alpha.min) {
  q <- sample$quantiles
  f <- dstable(q, quick[["alpha"]], quick[["beta"]], quick[["gamma"]], quick[["delta"]])
  p <- fit_levels
  cov_q <- outer(p, p, function(a, b) pmin(a, b) * (1 - pmax(a, b))) /
    outer(f, f) / length(sample$z)
  step <- 0.05 * sqrt(diag(cov_q))
  jacobian <- vapply(seq_along(q), function(i) {
    e <- step[i] * (seq_along(q) == i)
    (quantile_estimate(q + e, sample$spike, fixed, alpha.min) -
       quantile_estimate(q - e, sample$spike, fixed, alpha.min)) / (2 * step[i])
  }, numeric(4L))
  jacobian %*% cov_q %*% t(jacobian)
}
