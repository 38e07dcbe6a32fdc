# The probabilities of intervals, as contributions of censored, binned and rounded observations to a likelihood, and
# their scores.  With F and S the lower and upper tail probability of the standard S0 distribution,
#
#     P(a < X <= b) = S(a) - S(b) = F(b) - F(a)
#
# is computed from the tails on the side of the interval, as logarithms, so that it keeps its relative accuracy however
# far out the interval is.  A difference of less than a thousandth of the larger tail would lose more than three digits;
# the density is then smooth over the interval, and Gauss' rule with four nodes replaces it (unless the log density
# varies over the nodes, as next to the peak of a distribution with a small alpha).  The rule tends to the density times
# the length of the interval.
#
# The scores of delta and gamma are differences of densities at a and b,
#
#     P_delta = f(a) - f(b),      P_gamma = a f(a) - b f(b),
#
# and those of alpha and beta differences of the derivatives of the smaller tail, which tail_slopes() computes.

# Returns the log probabilities of the intervals from `lower` to `upper` and, if `scores`, their derivatives, as a
# matrix with the columns of stable_quick().  Where both ends are equal it is the log density.  law: alpha, beta, gamma
# and delta (S0).  width: upper - lower, where it is known more accurately.  quick: take log densities and their scores
# from the tables of stable_quick(), and compute the other scores to about six digits.  shape: those of alpha and beta
# whose scores are required; others of intervals are 0.
interval_scores <- function(lower, upper, law, quick = FALSE, scores = TRUE, shape = c("alpha", "beta"),
                            width = upper - lower) {
  gamma <- law[["gamma"]]
  a <- (lower - law[["delta"]]) / gamma
  b <- (upper - law[["delta"]]) / gamma
  columns <- quick_columns[if (scores) 1:5 else 1L]
  out <- matrix(0, length(a), length(columns), dimnames = list(NULL, columns))
  exact <- lower == upper
  density <- function(x) point_scores(x, law, quick, scores)
  if (any(exact)) {
    out[exact, ] <- density(a[exact])
    out[exact, 1L] <- out[exact, 1L] - log(gamma)
  }
  wide <- which(!exact)
  if (length(wide)) {
    part <- tail_differences(a[wide], b[wide], law, scores, shape, slope_rules[[if (quick) "quick" else "exact"]])
    if (length(part$thin)) {
      thin <- wide[part$thin]
      mean <- interval_means((a[thin] + b[thin]) / 2, rep_len(width, length(a))[thin] / gamma, density)
      part$value[part$thin[mean$smooth], ] <- mean$value[mean$smooth, ]
    }
    out[wide, ] <- part$value
  }
  if (scores) out[, c("gamma", "delta")] <- out[, c("gamma", "delta")] / gamma
  out
}

# Returns log densities of the standard distribution and their scores.
point_scores <- function(x, law, quick, scores) {
  if (scores && quick) return(quick_matrix(x, law[["alpha"]], law[["beta"]], 1, 0))
  value <- dstable(x, law[["alpha"]], law[["beta"]], log = TRUE)
  cbind(value, if (scores) parameter_scores(x, law[["alpha"]], law[["beta"]], 1, 0))
}

# Returns the values for intervals of the standard distribution from differences of tails, and `thin`, the numbers of
# those that are better computed from densities.
tail_differences <- function(a, b, law, scores, shape, rules) {
  ends <- sort(unique(c(a, b)))
  tails <- stable_eval(ends, law[["alpha"]], law[["beta"]], what = c("pdf", "cdf", "sf"), log = TRUE)
  at <- match(a, ends)
  to <- match(b, ends)
  right <- tails$sf[at] < tails$cdf[to]
  whole <- ifelse(right, tails$sf[at], tails$cdf[to])
  beyond <- ifelse(right, tails$sf[to], tails$cdf[at])
  share <- -expm1(ifelse(whole == -Inf, 0, beyond - whole))
  log_p <- whole + log(share)
  value <- matrix(log_p, length(a), if (scores) 5L else 1L)
  if (scores) {
    weighted <- function(slope, log_size) slope[at] * exp(log_size[at] - log_p) - slope[to] * exp(log_size[to] - log_p)
    slopes <- tail_slopes(ends, tails, law, shape, rules)
    value[, 2L] <- weighted(slopes$alpha$value, slopes$alpha$log_scale)
    value[, 3L] <- weighted(slopes$beta$value, slopes$beta$log_scale)
    value[, 4L] <- weighted(ifelse(is.finite(ends), ends, 0), tails$pdf)
    value[, 5L] <- weighted(rep(1, length(ends)), tails$pdf)
    value[, -1L][!is.finite(value[, -1L])] <- 0
  }
  list(value = value, thin = which(share < 1e-3))
}

# Returns the values for intervals with given middles and lengths, computed by Gauss' rule, and `smooth`, which is TRUE
# where the log density is smooth enough for this rule.
interval_means <- function(middle, length, density) {
  rule <- legendre_4
  d <- density(as.vector(middle + outer(length / 2, rule$x)))
  log_f <- matrix(d[, 1L], length(middle))
  most <- do.call(pmax, lapply(1:4, function(k) log_f[, k]))
  parts <- exp(log_f - most) * rep(rule$w / 2, each = length(middle))
  total <- rowSums(parts)
  mean_of <- function(score) rowSums(parts * matrix(score, length(middle))) / total
  slopes <- vapply(seq_len(ncol(d) - 1L), function(j) mean_of(d[, j + 1L]), total)
  spread <- most - do.call(pmin, lapply(1:4, function(k) log_f[, k]))
  list(value = cbind(log(length) + most + log(total), matrix(slopes, length(middle))),
       smooth = is.finite(spread) & spread < 0.5)
}

# --- derivatives of tail probabilities ---
#
# The smaller tail T(x; alpha, beta) is interpolated in one parameter by the polynomial through its values at ten
# Chebyshev nodes of an interval about the parameter, or of one that ends at the border, as stable_score() does for
# densities.  Two forms are interpolated, T and log T; both with a factor |x|^alpha that removes the power from the
# tail.  T is analytic across the border, where log T changes within a distance that the ratio of a power tail to a
# light one determines; log T is smooth in the light tails of extremely skewed distributions.  The error of each is
# estimated from the last coefficients and from the polynomial's value at the parameter itself, and shorter and longer
# intervals follow until it is small.
#
# For alpha < 0.7, F varies on the scale of log|x - zeta| next to zeta.  The derivative in alpha and beta is then that
# at a fixed distance from zeta (the S1 distribution), less that of zeta times the density.

# `enough`: the relative error below which no other interval is tried.
slope_rules <- list(exact = list(nodes = 10L, enough = 1e-10), quick = list(nodes = 6L, enough = 1e-6))
slope_widths <- 0.03 * c(1, 3, 1 / 4, 1 / 16, 8, 1 / 64)
slope_by_distance <- 0.7

# Returns the derivatives in alpha and beta of S at x, 0 at infinite x, each as `value * exp(log_scale)`.
tail_slopes <- function(x, tails, law, shape = c("alpha", "beta"), rules = slope_rules$exact) {
  upper <- tails$sf < tails$cdf
  zero <- list(value = numeric(length(x)), log_scale = numeric(length(x)))
  slopes <- list(alpha = zero, beta = zero)
  if (law[["alpha"]] == 2) shape <- setdiff(shape, "beta")
  known <- is.finite(x)
  if (!any(known)) return(slopes)
  at <- list(x = x, upper = upper, log_tail = ifelse(upper, tails$sf, tails$cdf), log_f = tails$pdf)
  at <- lapply(at, `[`, known)
  for (name in shape) {
    found <- tail_slope(at, law, name, rules)
    slopes[[name]]$value[known] <- ifelse(at$upper, 1, -1) * found$value
    slopes[[name]]$log_scale[known] <- found$log_scale
  }
  slopes
}

# Returns the derivatives of the smaller tails in one parameter, from the interval with the smallest error estimate, as
# values and scales.
tail_slope <- function(at, law, name, rules) {
  best <- list(value = numeric(length(at$x)), log_scale = numeric(length(at$x)), error = rep(Inf, length(at$x)))
  for (width in slope_widths) {
    open <- which(!(best$error <= rules$enough))
    if (!length(open)) break
    found <- slope_on_interval(lapply(at, `[`, open), law, name, width, rules$nodes)
    if (is.null(found)) next
    better <- found$error < best$error[open]
    for (part in names(best)) best[[part]][open[better]] <- found[[part]][better]
  }
  best
}

# Returns the derivative of zeta in one parameter.
zeta_slope <- function(law, name) {
  t <- tanpi(law[["alpha"]] / 2)
  if (name == "alpha") -law[["beta"]] * pi / 2 * (1 + t^2) else -t
}

# Returns derivatives and estimates of their relative errors from the nodes of one interval, or NULL if it would extend
# beyond alpha = 1 at a fixed distance from zeta.
slope_on_interval <- function(at, law, name, width, nodes) {
  alpha <- law[["alpha"]]
  by_distance <- alpha < slope_by_distance
  rule <- slope_rule(law[[name]], if (name == "alpha") width * min(1, alpha) else width,
                     if (name == "alpha") c(0, 2) else c(-1, 1), nodes)
  if (by_distance && name == "alpha" && max(rule$nodes) >= 1) return(NULL)
  x <- if (by_distance) at$x + law[["beta"]] * tanpi(alpha / 2) else at$x
  tilt <- if (name == "alpha") ifelse(abs(x) > 1, log(abs(x)), 0) else numeric(length(x))
  logs <- vapply(rule$nodes, function(node) {
    log_tail_near(x, at$upper, replace(law, name, node), by_distance) + tilt * (node - law[[name]])
  }, x)
  logs <- matrix(logs, length(x))
  log_scale <- do.call(pmax, c(list(at$log_tail), lapply(seq_len(nodes), function(k) logs[, k])))
  log_scale[log_scale == -Inf] <- 0
  here <- exp(at$log_tail - log_scale)
  linear <- slope_of(exp(logs - log_scale), here, rule)
  by_log <- slope_of(logs - at$log_tail, 0, rule)
  linear$error <- ifelse(linear$error == 0, 0, linear$error / pmax(here, abs(linear$value)))
  by_log$error <- ifelse(here == 0, Inf, by_log$error / pmax(1, abs(by_log$value)))
  first <- linear$error <= by_log$error
  value <- ifelse(first, linear$value, by_log$value * here) - tilt * here
  if (by_distance)
    value <- value + ifelse(at$upper, 1, -1) * zeta_slope(law, name) * exp(at$log_f - log_scale)
  list(value = value, log_scale = log_scale, error = ifelse(first, linear$error, by_log$error))
}

# Returns the logarithms of upper or lower tails at x or, if by_distance, at the distance x from zeta.
log_tail_near <- function(x, upper, law, by_distance) {
  log_t <- numeric(length(x))
  for (side in unique(upper))
    log_t[upper == side] <- pstable(x[upper == side], law[["alpha"]], law[["beta"]], pm = by_distance,
                                    lower.tail = !side, log.p = TRUE)
  log_t
}

# Returns the nodes of an interval of half-width `reach` about a parameter, shifted into its bounds, and weights of the
# values in the derivative, the value and the last two Chebyshev coefficients.
slope_rule <- function(at, reach, bounds, nodes) {
  reach <- min(reach, diff(bounds) / 2)
  middle <- min(max(at, bounds[1L] + reach), bounds[2L] - reach)
  degree <- seq_len(nodes) - 1
  t <- cospi((degree + 0.5) / nodes)
  coefficient <- (2 - (degree == 0)) / nodes * cos(outer(degree, acos(t)))
  here <- max(-1, min(1, (at - middle) / reach))
  chebyshev <- cos(degree * acos(here))
  slope <- if (abs(here) == 1) here^(degree + 1) * degree^2 else degree * sin(degree * acos(here)) / sqrt(1 - here^2)
  list(nodes = middle + reach * t, slope = drop(slope %*% coefficient) / reach, value = drop(chebyshev %*% coefficient),
       last = coefficient[nodes - 1:0, ], gain = max(abs(slope)) / reach)
}

# Returns the derivative of the polynomial through `values` (a row for each point), whose true value at the parameter is
# `here`, and an estimate of its error.
slope_of <- function(values, here, rule) {
  last <- abs(values %*% t(rule$last))
  miss <- abs(drop(values %*% rule$value) - here)
  value <- drop(values %*% rule$slope)
  error <- (pmax(last[, 1L], last[, 2L]) + miss) * rule$gain
  known <- is.finite(value) & is.finite(error)
  list(value = ifelse(known, value, 0), error = ifelse(known, error, Inf))
}
