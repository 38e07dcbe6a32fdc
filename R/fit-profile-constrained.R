# Profile likelihoods of quantiles, expected shortfalls and probabilities by elimination of a parameter.
#
# A quantile or shortfall of S(alpha, beta, gamma, delta; 0) is delta + gamma u(alpha, beta), where u is that of the
# standard distribution, and the probability of x is p if x is the quantile of p.  With such a quantity held at c,
#
#     delta = c - gamma u    or    gamma = (c - delta)/u,
#
# and the likelihood is maximised over alpha, beta and the other one of gamma and delta without a constraint.  gamma is
# eliminated where |u| is large: there, log gamma = log((c - delta)/u) is a smooth function of the rest, while delta
# would be a small difference of large numbers.  A search begins where the last one ended, or moved along the tangent of
# the maxima: for the link t(theta) with the gradient a and the outer products M of the scores there, in the coordinates
# (alpha, beta, log gamma, delta), the maximum for t + h is at
#
#     v + h M^-1 a/(a' M^-1 a)    to first order in h.

far_in_tail <- 3                      # |u| above which gamma is eliminated

# Returns c and a function u(alpha, beta) for a quantity (fit-bands.R) whose link is held at t; NULL for densities.
location_scale_constraint <- function(quantity, i, t) {
  at <- quantity$at[[i]]
  lower <- quantity$lower.tail
  log_p <- function(t) stats::plogis(t, log.p = TRUE)
  switch(quantity$type,
    quantile = list(value = quantity$back(t), u = function(alpha, beta) qstable(at, alpha, beta, lower.tail = lower)),
    es = list(value = quantity$back(t), u = function(alpha, beta) one_shortfall(at, alpha, beta, 1, 0, lower)),
    probability = list(value = at, u = function(alpha, beta)
      if (t < 0) qstable(log_p(t), alpha, beta, lower.tail = lower, log.p = TRUE)
      else qstable(log_p(-t), alpha, beta, lower.tail = !lower, log.p = TRUE)))
}

# Returns the maximum of the likelihood with a quantity held, a list of the parameters `theta` and the log-likelihood,
# which is -Inf if the search fails.  starts: parameters near the maximum; free: the numbers of the free parameters,
# among them gamma or delta; lower, upper: bounds of alpha and beta.
#
# nlminb() uses the outer products of the scores as the Hessian, but for few values, for which they are a poor
# approximation of it, gradients only.  The likelihoods of such samples often have two maxima on the constraint, so that
# two searches are made.
constrained_maximum <- function(object, held, starts, free, lower, upper) {
  coordinates <- constraint_coordinates(object, held, starts[[1L]], free)
  rest <- coordinates$rest
  failed <- list(theta = starts[[1L]], loglik = -Inf)
  if (!length(rest)) return(failed)
  sums <- cache_scores(function(y) constrained_objective(object, coordinates, held$u, y))
  from <- lapply(c(starts, changed_alpha_only(held, starts[[1L]], free, lower[1L])), coordinates$of)
  from <- lapply(from, function(y) pmin(pmax(y, c(lower, -Inf, -Inf)[rest]), c(upper, Inf, Inf)[rest]))
  from <- from[order(vapply(from, function(y) sums(y)$value, 0))]
  few <- object$nobs < few_observations
  ends <- lapply(utils::head(from, if (few) 2L else 1L), function(y) {
    if (sums(y)$value >= lowest) return(NULL)
    scale <- if (few) sqrt(pmax(diag(sums(y)$curvature()), 1e-6 * object$nobs)) else 1     # rounding errors: negative
    value_or(stats::nlminb(y, function(y) sums(y)$value, function(y) sums(y)$slope(),
                           if (!few) function(y) sums(y)$curvature(), scale = scale,
                           lower = c(lower, -Inf, -Inf)[rest], upper = c(upper, Inf, Inf)[rest],
                           control = list(rel.tol = 1e-10, iter.max = 200)), function(e) NULL)
  })
  ends <- Filter(length, ends)
  if (!length(ends)) return(failed)
  theta <- coordinates$point(ends[[which.min(vapply(ends, `[[`, 0, "objective"))]]$par)$theta
  loglik <- fit_log_likelihood(object, theta)
  list(theta = theta, loglik = if (is.na(loglik)) -Inf else loglik)
}

# Returns the coordinates of a search: `rest`, the numbers of the parameters that are searched; of(), the coordinates of
# parameters; point(), the parameters and u of coordinates; and the matrix of derivatives of the parameters with respect
# to the coordinates, a function of a point and the derivatives of u.
constraint_coordinates <- function(object, held, start, free) {
  by_gamma <- 3L %in% free && (!4L %in% free || {
    u <- held$u(start[[1L]], start[[2L]])
    isTRUE(abs(u) > far_in_tail && (held$value - start[[4L]]) / u > 0)
  })
  rest <- setdiff(free, if (by_gamma) 3L else 4L)
  unit <- c(1, 1, 1, object$theta[[3L]])[rest]
  centre <- c(0, 0, 0, object$theta[[4L]])[rest]
  point <- function(y) {
    theta <- replace(start, rest, centre + y * unit)
    if (3L %in% rest) theta[[3L]] <- exp(theta[[3L]])
    u <- held$u(theta[[1L]], theta[[2L]])
    if (by_gamma) theta[[3L]] <- (held$value - theta[[4L]]) / u else theta[[4L]] <- held$value - theta[[3L]] * u
    list(theta = theta, u = u)
  }
  derivatives <- function(point, u_slope) {
    gamma <- point$theta[[3L]]
    D <- diag(c(1, 1, gamma, 1))
    if (by_gamma) D[3L, ] <- c(-gamma / point$u * u_slope, 0, -1 / point$u)
    else D[4L, ] <- c(-gamma * u_slope, -gamma * point$u, 0)
    finite_or_zero(D[, rest, drop = FALSE] * rep(unit, each = 4L))
  }
  list(rest = rest, of = function(theta) (replace(theta, 3L, log(theta[[3L]]))[rest] - centre) / unit,
       point = point, derivatives = derivatives)
}

# Returns, as a list, the parameters that differ from others in alpha only and satisfy the constraint; empty if there
# are none.
changed_alpha_only <- function(held, theta, free, least) {
  if (!1L %in% free) return(list())
  most <- .Machine$double.xmax
  beyond <- function(alpha)
    asinh(max(-most, min(most, held$u(alpha, theta[[2L]])))) - asinh((held$value - theta[[4L]]) / theta[[3L]])
  ends <- c(beyond(least), beyond(2))
  if (!isTRUE(prod(sign(ends)) < 0)) return(list())
  alpha <- stats::uniroot(beyond, c(least, 2), f.lower = ends[1L], f.upper = ends[2L], tol = 1e-3)$root
  list(replace(theta, 1L, alpha))
}

# Returns minus the log-likelihood at coordinates y, and functions that return its gradient and its approximate Hessian.
constrained_objective <- function(object, coordinates, u_of, y) {
  point <- coordinates$point(y)
  theta <- point$theta
  if (!isTRUE(theta[[3L]] > 0 && all(is.finite(theta)))) return(list(value = lowest))
  q <- fit_score_sums(object, theta)
  derivatives <- function() {
    known <- list(theta = theta, theta.vcov = diag(ifelse(1:4 %in% coordinates$rest, 1, NA)))
    coordinates$derivatives(point, drop(shape_gradient(known, 0, u_of)))
  }
  list(value = if (is.finite(q$loglik)) -q$loglik else lowest,
       slope = function() finite_or_zero(-drop(crossprod(derivatives(), q$gradient))),
       curvature = function() {
         D <- derivatives()
         finite_or_zero(crossprod(D, q$outer %*% D)) + diag(1e-6 * object$nobs, ncol(D))
       })
}

# Returns parameters moved along the tangent of the maxima until the link is t to first order.
moved_along_tangent <- function(object, link_at, theta, free, t) {
  link <- link_at(theta)
  unit <- c(1, 1, theta[[3L]], object$theta[[3L]])[free]
  a <- finite_or_zero(link$gradient()[1L, free]) * unit
  M <- finite_or_zero(fit_score_sums(object, theta)$outer[free, free, drop = FALSE] * outer(unit, unit)) +
    diag(1e-6 * object$nobs, length(free))
  along <- value_or(solve(M, a), function(e) NULL)
  move <- (t - link$link) * along / sum(a * along)
  if (is.null(along) || !all(is.finite(move))) return(theta)
  move <- replace(numeric(4L), free, move)
  replace(theta, 1:4, c(max(0.01, min(2, theta[[1L]] + move[1L])), max(-1, min(1, theta[[2L]] + move[2L])),
                        bounded_exp(log(theta[[3L]]) + move[3L]), theta[[4L]] + object$theta[[3L]] * move[4L]))
}
