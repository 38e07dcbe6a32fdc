# Profile likelihoods of quantiles, expected shortfalls, densities and probabilities.
#
# A parameter is eliminated (fit-profile-constrained.R) or, for densities and where that fails, the link t(theta) of a
# quantity (fit-bands.R) is held at a value t by the method of multipliers (Hestenes 1969, Powell 1969): the minimum
# over the free parameters of
#
#     -l(theta) + lambda (t(theta) - t) + mu/2 (t(theta) - t)^2
#
# gives lambda + mu (t(theta) - t) as the next multiplier lambda.  With mu a hundred times the curvature of the profile
# likelihood, the distance from t decreases by about 100 in each step.  The remaining distance is corrected to first
# order: the derivative of the profile likelihood is lambda.  The first lambda is that of a parabola through the last
# maximum.  nlminb() searches over (alpha, beta, log gamma, delta), with the outer products of the scores in place of
# the Hessian of -l; the deviance is that of the exact log-likelihood.
#
# The shortfall is infinite for alpha <= 1.  The deviance of an infinite shortfall is therefore that of alpha = 1, and
# if it is below the quantile the interval is unbounded.  If the estimate of alpha is at most 1, the shortfall is
# estimated as infinite, and its interval begins at the end of the range: the search for its other end begins at the
# maximum of the likelihood for an alpha slightly above 1.

above_one <- 1 + 1e-6                 # smallest alpha for which shortfalls are computed
close_to_one <- 1.001                 # alpha at which the search begins if the estimate of a shortfall is infinite
multiplier_tolerance <- 1e-4          # distance from t, in standard errors, at which the multiplier is final
multiplier_iterations <- 12L
far_beyond <- 5                       # distance of links from which on the estimate is taken as the end of the range
steepest_root <- 5                    # root of the deviance beyond which the first multiplier does not increase

# Returns the square root of the deviance as a function of the link of a quantity, for profile_end().  quantity: element
# `i` of fitted_values() is profiled; sd: the standard error of its link.  NULL if it has no such function.
quantity_profile_of <- function(object, quantity, i, sd, call) {
  check_refit(object, call)
  search <- held_search(object, quantity, i, object$control$alpha.min)
  step <- if (isTRUE(sd > 0)) min(1, sd) else 0.1
  est <- from <- est_t <- quantity$link[[i]]
  start <- if (is_infinite_shortfall(quantity, i)) slightly_above_one(object, call) else object$theta
  if (is.null(start)) return(NULL)
  inside <- link_of(object, quantity, i)(inner_start(start))$link
  end <- end_of_range(quantity, i, inside)
  if (end != 0) {
    est <- end * Inf
    from <- inside
    est_t <- from + end * 10
  }
  if (!is.finite(from)) return(NULL)
  last <- list(theta = start, curvature = -1 / step^2)
  root <- function(t) {
    found <- search(t, last, est_t)
    if (!is.finite(found$loglik)) return(Inf)
    last <<- found
    root_of_deviance(found$loglik, object, paste("the", quantity_names[[quantity$type]]), quantity$back(t), call)
  }
  limit <- side_limits(Inf)
  if (quantity$type == "es") limit[[if (quantity$lower.tail) "lower" else "upper"]] <- deviance_of_one(object, call)
  if (end != 0 && quantity$type != "es") from <- closer_to_end(root, from, end)
  again <- function(fit) {
    own <- fitted_values(fit, quantity$type, quantity$at[[i]], quantity$lower.tail, centre = quantity$centre)
    quantity_profile_of(fit, own, 1L, NA, call)
  }
  list(root = root, est = est, from = from, step = step, lower = -Inf, upper = Inf, limit = limit,
       simulated_roots = function(t, ...) {
         root(t)
         simulated_roots(object, last$theta, again, t, ...)
       })
}

quantity_names <- c(quantile = "quantile", es = "shortfall", density = "density", probability = "probability")

is_infinite_shortfall <- function(quantity, i) quantity$type == "es" && is.infinite(quantity$value[[i]])

# Returns the likeliest distribution with an alpha slightly above 1, or NULL if alpha is held fixed.
slightly_above_one <- function(object, call) {
  if ("alpha" %in% object$fixed) return(NULL)
  arguments <- refit_arguments(object, call, fixed = list(alpha = close_to_one), pm = 0)
  do.call(refit_data, c(list(object), arguments))$theta
}

# Returns -1 or 1 if a density or probability is 0 or 1, exactly or in effect because an estimate is at its bound, and
# the sign of an infinite shortfall; otherwise 0.  inside: the link for parameters next to the bound.
end_of_range <- function(quantity, i, inside) {
  value <- quantity$value[[i]]
  if (is_infinite_shortfall(quantity, i)) return(sign(value))
  if (quantity$type %in% c("quantile", "es")) return(0)
  if (value == 0) return(-1)
  if (quantity$type == "probability" && value == 1) return(1)
  beyond <- quantity$link[[i]] - inside
  if (isTRUE(abs(beyond) > far_beyond)) sign(beyond) else 0
}

# Returns a link at which the deviance is small, between t and the end of the range.
closer_to_end <- function(root, t, end) {
  for (distance in 2^(0:9)) {
    if (root(t) < 1) break
    t <- t + end * distance
  }
  t
}

# Returns a function of t, a state (parameters, and the curvature of the profile likelihood between t and the estimate)
# and the estimate of t: it returns the state at the maximum of the likelihood with the link held at t, and the
# log-likelihood.
held_search <- function(object, quantity, i, least) {
  est <- object$theta
  free <- which(!names(est) %in% object$fixed)
  lower_shape <- c(if (quantity$type == "es") above_one else least, -1)
  lower <- c(lower_shape, -Inf, -Inf)[free]
  upper <- c(2, 1, Inf, Inf)[free]
  to_search <- function(theta) c(theta[1:2], log(theta[[3L]]), (theta[[4L]] - est[[4L]]) / est[[3L]])[free]
  from_search <- function(v) {
    all <- replace(c(est[1:2], log(est[[3L]]), 0), free, v)
    stats::setNames(c(all[1:2], exp(all[[3L]]), est[[4L]] + est[[3L]] * all[[4L]]), names(est))
  }
  link_at <- link_of(object, quantity, i)
  by_elimination <- function(start, state, t) {
    if (quantity$type == "density" || !any(3:4 %in% free)) return(list(loglik = -Inf))
    starts <- list(start, moved_along_tangent(object, link_at, start, free, t))
    c(constrained_maximum(object, location_scale_constraint(quantity, i, t), starts, free, lower_shape, c(2, 1)),
      list(curvature = state$curvature))
  }
  function(t, state, est_t) {
    starts <- if (state$theta[["alpha"]] > 1.95) skewed_starts(state$theta) else list(less_skewed(state$theta))
    curvature <- abs(state$curvature)
    multiplier <- -steepest_root * sqrt(curvature) * max(-1, min(1, sqrt(curvature) / steepest_root * (t - est_t)))
    found <- lapply(starts, function(start) {
      v <- pmin(pmax(to_search(start), lower), upper)
      found <- by_elimination(from_search(v), state, t)
      if (is.finite(found$loglik)) return(found)
      end <- by_multipliers(v, multiplier, curvature, function(multiplier, penalty)
        function(v) held_objective(object, link_at, from_search(v), free, t, multiplier, penalty), lower, upper)
      theta <- from_search(end$v)
      loglik <- fit_log_likelihood(object, theta)
      steepness <- -end$multiplier / (t - est_t)
      list(theta = theta, curvature = -max(1e-3 * curvature, if (is.finite(steepness)) steepness),
           loglik = if (is.finite(end$off) && is.finite(loglik)) loglik - end$multiplier * end$off else -Inf)
    })
    best_maximum(found)
  }
}

# Returns a start that is not extremely skewed: from there a search may end at a local maximum whose light tail has the
# required quantile.
less_skewed <- function(theta) {
  if (abs(theta[["beta"]]) > 0.95)
    theta[c("alpha", "beta")] <- c(min(theta[["alpha"]], 1.8), 0.5 * sign(theta[["beta"]]))
  theta
}

# Returns the solution v of the method of multipliers, the multiplier and the distance of the link from t there.
# objective: a function of multiplier and penalty that returns the function to minimise, as held_objective() does.
by_multipliers <- function(v, multiplier, curvature, objective, lower, upper) {
  penalty <- 100 * curvature
  before <- Inf
  for (round in seq_len(multiplier_iterations)) {
    local <- cache_scores(objective(multiplier, penalty))
    v <- stats::nlminb(v, function(v) local(v)$value, function(v) local(v)$slope(), function(v) local(v)$curvature(),
                       lower = lower, upper = upper, control = list(rel.tol = 1e-10, iter.max = 200))$par
    off <- local(v)$off
    multiplier <- multiplier + penalty * off
    if (!is.finite(off) || abs(off) * sqrt(curvature) < multiplier_tolerance) break
    if (abs(off) > 0.1 * before) penalty <- 10 * penalty
    before <- abs(off)
  }
  list(v = v, multiplier = multiplier, off = off)
}

# Returns a function of the parameters: the link of a quantity of their distribution, with its gradient.
link_of <- function(object, quantity, i) {
  V <- diag(ifelse(names(object$theta) %in% object$fixed, NA, 1))
  at <- quantity$at[[i]]
  shortfall <- function(...) one_shortfall(at, ..., lower.tail = quantity$lower.tail)
  function(theta) {
    law <- list(theta = theta, theta.vcov = V)
    if (quantity$type == "es" && at < 1) equivariant_values(law, quantity$centre, shortfall)
    else fitted_values(law, quantity$type, at, quantity$lower.tail, centre = quantity$centre)
  }
}

# Returns the objective for a multiplier and a penalty, and functions that return its gradient and its approximate
# Hessian.
held_objective <- function(object, link_at, theta, free, t, multiplier, penalty) {
  held <- link_at(theta)
  q <- fit_score_sums(object, theta)
  off <- held$link - t
  value <- -q$loglik + multiplier * off + penalty / 2 * off^2
  held_derivatives(value, q, off, finite_or_zero(held$gradient()[1L, free]),
                   c(1, 1, theta[[3L]], object$theta[[3L]])[free], free, multiplier, penalty, object$nobs)
}

finite_or_zero <- function(v) replace(v, !is.finite(v), 0)

# slope: the gradient of the link, computed only if a derivative is needed.
held_derivatives <- function(value, q, off, slope, unit, free, multiplier, penalty, n) {
  list(off = off, value = if (is.finite(value)) value else lowest,
       slope = function() finite_or_zero(unit * (-q$gradient[free] + (multiplier + penalty * off) * slope)),
       curvature = function() {
         products <- q$outer[free, free] + penalty * outer(slope, slope)
         finite_or_zero(outer(unit, unit) * products) + diag(1e-6 * n, length(free))
       })
}

# Returns the log-likelihood, its gradient, and the sums of the products of the scores, for the data of a fit.
fit_score_sums <- function(object, theta) {
  if (!inherits(object, "stablefit_censored"))
    return(stable_data_quick(object$data, theta[[1L]], theta[[2L]], theta[[3L]], theta[[4L]],
                             weights = object$weights))
  data <- clipped_intervals(object$data, object$truncation)
  s <- truncated_scores(data$left, data$right, object$truncation, theta, quick = TRUE)
  weights <- if (is.null(object$weights)) rep(1, nrow(s)) else object$weights
  loglik <- sum(weights * s[, 1L])
  score <- finite_or_zero(s[, fit_parameters, drop = FALSE])
  list(loglik = loglik, gradient = colSums(weights * score), outer = crossprod(score * sqrt(weights)))
}
