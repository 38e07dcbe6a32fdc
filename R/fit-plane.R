# The likelihood as a function of alpha and beta, with scale and location from quantiles.
#
# With the quantiles Q_p(alpha, beta) of the standard distribution and those of the sample, q_p,
#
#     gamma = (q_75 - q_25)/(Q_75 - Q_25),      delta = q_50 - gamma Q_50      (S0)
#
# are functions of the shape v = (alpha, beta), and l(v) = sum log f(x; theta(v, q)) has two arguments.  If the
# density has a narrow peak, the mode of the distribution is instead placed at that of the sample, z = 0, in S1, whose
# delta is the location of the peak.
#
# Errors.  Let s(x) be the score in all four parameters, I = E s s', and at the true parameters T = d theta/dv and
# D = d theta/dq.  The estimate solves mean(T' s) = 0 with E s = 0 and E ds/d theta = -I: to first order
#
#     v_n - v         = (T' I T)^-1 mean(T' s - T' I D w),      w_p(x) = (p - 1{x <= q_p})/f(q_p),
#     theta_n - theta = T (v_n - v) + D mean(w),
#
# where w is the influence of an observation on a quantile.  Both are means over the observations: the covariance
# is that of their terms, divided by n, with I the mean of s s' over the sample.

plane_peaked_end <- 0.9           # S1 is singular at alpha = 1

fit_by_plane <- function(sample, from, fixed, control, se) {
  plane <- new_plane(sample, fixed, control$alpha.min)
  maximum <- plane_maximum(plane, from, control$maxit)
  if (has_no_peak(plane, maximum$v)) {
    plane <- without_peak(plane)
    maximum <- plane_maximum(plane, from, control$maxit)
  }
  plane_estimate(plane, maximum, control, se)
}

# Returns the best of the searches from all starts.
plane_maximum <- function(plane, from, maxit) {
  best_maximum(lapply(plane_starts(plane, from), maximise_plane, plane = plane, maxit = maxit))
}

# Returns the sample and the constraints of the search over alpha and beta.  A fixed parameter has equal bounds.  Values
# of alpha for which equal observations make the likelihood unbounded are excluded.
new_plane <- function(sample, fixed, alpha.min) {
  alpha.min <- max(alpha.min, tied_alpha(sample$z))
  peaked <- sample$peaked && !"delta" %in% names(fixed) && !isTRUE(fixed["alpha"] >= plane_peaked_end) &&
    alpha.min < plane_peaked_end
  plane <- list(sample = sample, data = stable_data_put(sample$z), fixed = fixed, pm = if (peaked) 1L else 0L,
                held = c("alpha", "beta") %in% names(fixed), alpha.min = alpha.min,
                lower = c(alpha.min, -1), upper = c(if (peaked) plane_peaked_end else 2, 1))
  plane$lower[plane$held] <- plane$upper[plane$held] <- fixed[c("alpha", "beta")[plane$held]]
  plane
}

# TRUE if the search has reached the end of the range in which S1 is used.
has_no_peak <- function(plane, v) plane$pm == 1L && v[1L] >= plane_peaked_end

# Returns the plane with location from the median (S0) for all alpha.
without_peak <- function(plane) {
  plane$pm <- 0L
  plane$upper[1L] <- 2
  plane
}

# Returns the starts.  If the distribution is nearly Gaussian, the likelihood is flat and may have several maxima.
plane_starts <- function(plane, from) {
  alpha <- from[["alpha"]]
  v <- list(c(min(alpha, 1.98), max(min(from[["beta"]], 0.95), -0.95)))
  if (alpha > 1.75) v <- c(v, list(c(1.9, 0), c(1.98, 0)))
  lapply(v, function(v) pmin(pmax(v, plane$lower), plane$upper))
}

# Returns the distributions (rows alpha, beta, gamma, delta, in the parametrisation plane$pm) of shapes (rows).
matched_laws <- function(V, plane) {
  Q <- .Call(C_quartiles, V)
  q <- plane$sample$quartiles
  given <- c("gamma", "delta") %in% names(plane$fixed)
  gamma <- if (given[1L]) rep(plane$fixed[["gamma"]], nrow(V)) else (q[3L] - q[1L]) / (Q[3L, ] - Q[1L, ])
  delta <- if (given[2L]) plane$fixed[["delta"]]
    else if (plane$pm == 1L) -gamma * mode_values(V[, 1L], V[, 2L], pm = 1)
    else q[2L] - gamma * Q[2L, ]
  cbind(alpha = V[, 1L], beta = V[, 2L], gamma = gamma, delta = delta)
}

# Returns T, by differences inside the bounds; 0 for a held shape parameter.
matched_slopes <- function(v, plane) {
  h <- 1e-4 * c(v[1L], 1)
  low <- pmax(v - h, plane$lower)
  high <- pmin(v + h, plane$upper)
  theta <- matched_laws(rbind(c(low[1L], v[2L]), c(high[1L], v[2L]), c(v[1L], low[2L]), c(v[1L], high[2L])), plane)
  slopes <- cbind(theta[2L, ] - theta[1L, ], theta[4L, ] - theta[3L, ]) / rep(pmax(high - low, 1e-300), each = 4L)
  unname(slopes)
}

# Returns the log-likelihood of the shape v.
plane_loglik <- function(v, plane) {
  theta <- matched_laws(rbind(v), plane)
  value <- stable_data_quick(plane$data, theta[1L], theta[2L], theta[3L], theta[4L], plane$pm, scores = FALSE)
  if (is.nan(value)) -Inf else value
}

# Returns the gradient, and the sum of the outer products of the scores.
plane_scores <- function(v, plane) {
  theta <- matched_laws(rbind(v), plane)
  found <- stable_data_quick(plane$data, theta[1L], theta[2L], theta[3L], theta[4L], plane$pm)
  slopes <- matched_slopes(v, plane)
  list(gradient = drop(crossprod(slopes, found$gradient)), outer = crossprod(slopes, found$outer %*% slopes))
}

# Returns the end of a step of Fisher scoring within the bounds (`to`), the length of the step in standard errors, and
# the gradient multiplied by the standard errors, 0 for a parameter at a bound beyond which the likelihood increases.
plane_step <- function(v, plane) {
  local <- plane_scores(v, plane)
  if (!all(is.finite(local$outer))) return(list(to = v, size = Inf, gradient = ifelse(plane$held, NA, Inf)))
  root <- chol(local$outer + diag(1e-8 * length(plane$sample$z), 2L))
  step <- bounded_regression(root, backsolve(root, local$gradient, transpose = TRUE), v, v, plane$held,
                             plane$lower, plane$upper)
  gradient <- local$gradient * sqrt(diag(chol2inv(root)))
  gradient[step$held & step$y == v] <- 0
  gradient[plane$held] <- NA
  list(to = step$y, size = sqrt(sum((root %*% (step$y - v))^2)), gradient = gradient)
}

# Returns the log-likelihood and the shape after the longest fraction of a step that does not decrease it, NULL if there
# is none.
shortened_step <- function(v, to, loglik, plane) {
  margin <- 2e-9 * length(plane$sample$z)                # covers the error of the tables
  for (shrink in 2^-(0:10)) {
    trial <- v + shrink * (to - v)
    value <- plane_loglik(trial, plane)
    if (value >= loglik - margin) return(list(v = trial, loglik = value))
  }
  NULL
}

# Fisher scoring within the bounds, until a step is less than 1e-7 standard errors.
maximise_plane <- function(v, plane, maxit) {
  at <- list(v = v, loglik = plane_loglik(v, plane))
  steps <- 0L
  step <- list(gradient = c(NA_real_, NA_real_))
  end <- "closed form"
  while (!all(plane$held) && at$loglik > -Inf) {
    step <- plane_step(at$v, plane)
    end <- if (step$size < 1e-7) "the log-likelihood no longer increases" else if (steps >= maxit)
      "iteration limit reached"
    higher <- if (is.null(end)) shortened_step(at$v, step$to, at$loglik, plane)
    if (is.null(higher)) break
    at <- higher
    steps <- steps + 1L
  }
  if (is.null(end)) end <- "no step increases the log-likelihood"
  c(at, list(steps = steps, gradient = c(step$gradient, NA, NA), end = end))
}

# Returns the estimate at a maximum, as new_estimate() does.
plane_estimate <- function(plane, maximum, control, se) {
  if (maximum$loglik == -Inf)
    stop_with(NULL, "data", "With location and scale from quantiles, no stable distribution ",
              "with the parameters in `fixed` has a support that contains all of `x`.")
  theta <- matched_laws(rbind(maximum$v), plane)[1L, ]
  cov <- if (se) plane_vcov(maximum$v, theta, plane)
  theta <- pm_to_s0(theta, plane$pm)
  if (plane$pm == 1L && se) {
    J <- solve(s1_jacobian(theta))
    cov <- J %*% cov %*% t(J)
  }
  is_at_end <- !plane$held[1L] && maximum$v[1L] <= plane$lower[1L]
  if (se) cov <- mark_unknown(cov, c(is_at_end, FALSE, FALSE, FALSE))
  remarks <- if (plane$pm == 1L)
    "The mode of the distribution is set to the half-sample mode, whose error is not part of the standard errors."
  out <- new_estimate(theta, cov, plane$sample, plane$fixed, control$alpha.min, maximum$end, remarks)
  out[c("steps", "gradient")] <- maximum[c("steps", "gradient")]
  out
}

# Returns the covariance of the estimates (see "Errors" above) in the parametrisation of the plane.
plane_vcov <- function(v, theta, plane) {
  z <- plane$sample$z
  moves <- !plane$held & v > plane$lower & v < plane$upper & c(TRUE, v[1L] < 2)
  scores <- quick_matrix(z, v[1L], v[2L], theta[["gamma"]], theta[["delta"]], plane$pm)[, -1L]
  scores[!is.finite(scores)] <- 0
  q <- plane$sample$quartiles
  below <- outer(z, q, "<=")
  f <- dstable(q, v[1L], v[2L], theta[["gamma"]], theta[["delta"]], plane$pm)
  w <- (rep(quartile_levels, each = length(z)) - below) / rep(f, each = length(z))
  D <- quantile_slopes(theta, q, plane)
  slopes <- matched_slopes(v, plane)[, moves, drop = FALSE]
  terms <- w %*% t(D)
  if (any(moves)) {
    information <- crossprod(scores) / length(z)
    about_v <- (scores %*% slopes - w %*% crossprod(D, information %*% slopes)) %*%
      solve(crossprod(slopes, information %*% slopes))
    terms <- terms + about_v %*% t(slopes)
  }
  crossprod(terms) / length(z)^2
}

# Returns D, the derivatives of the parameters with respect to the quantiles.
quantile_slopes <- function(theta, q, plane) {
  given <- c("gamma", "delta") %in% names(plane$fixed)
  gamma <- if (given[1L]) numeric(3L) else c(-1, 0, 1) * theta[["gamma"]] / (q[3L] - q[1L])
  from <- if (plane$pm == 1L) 0 else q[2L]
  delta <- c(0, plane$pm == 0L, 0) - (from - theta[["delta"]]) / theta[["gamma"]] * gamma
  if (given[2L]) delta <- numeric(3L)
  rbind(0, 0, gamma, delta)
}

# Least squares for the residuals r = X (y - at) + error, with some components of y held and the others within their
# bounds: components that leave their bounds are held there, the farthest first.
bounded_regression <- function(X, r, at, y, held, lower, upper) {
  while (!all(held)) {
    left <- r - X[, held, drop = FALSE] %*% (y - at)[held]
    y[!held] <- at[!held] + qr.coef(qr(X[, !held, drop = FALSE], tol = 1e-12), left)
    beyond <- pmax(lower - y, y - upper)
    beyond[held] <- 0
    if (all(beyond <= 0)) break
    j <- which.max(beyond)
    y[j] <- min(max(y[j], lower[j]), upper[j])
    held[j] <- TRUE
  }
  list(y = y, held = held)
}
