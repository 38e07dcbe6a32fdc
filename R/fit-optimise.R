# Maximum likelihood: from where to start, how to climb, how to settle at the top.
#
# Climbing is Fisher scoring inside a trust region with bounds (PORT, by way of
# nlminb): the sum of outer products of the scores stands for the information, so no
# second derivatives are needed on the way.  At the top a few Newton steps with the true
# Hessian (fit-covariance.R) bring the gradient to zero, far below the optimiser's
# tolerance: that is what makes fits of mirrored or rescaled data agree.
#
# The likelihood has no global maximum: as alpha -> 0 with the spike on one
# observation it grows without bound (DuMouchel 1973).  What is looked for is the
# highest maximum that can be reached from reasonable starts with alpha >= alpha.min.

fit_by_likelihood <- function(sample, from, fixed, control, se) {
  gauss <- gaussian_fit(sample$z, fixed)
  sample$held <- stable_data_put(sample$z)
  best <- list(loglik = -Inf)
  if (!identical(unname(fixed["alpha"]), 2)) {
    for (theta in start_set(from, fixed, length(sample$z), control$alpha.min)) {
      top <- climb(theta, fixed, sample, control)
      if (top$loglik > best$loglik + 1e-7) best <- top
    }
    if (is.finite(best$loglik)) best <- settle(best, sample$z)
  }
  if (!is.finite(max(gauss$loglik, best$loglik)))
    fit_abort(control$call, "data", "No stable law with the parameters in `fixed` ",
              "has all of `x` in its support.")
  if (gauss$loglik >= best$loglik - gaussian_margin) {
    gauss$se <- se
    return(gauss)
  }
  finish(best, sample$z, fixed, se)
}

# Log-likelihood differences below this do not tell a law from the Gaussian.
gaussian_margin <- 1e-6

# Start values: the quantile estimate, and where the likelihood is known to be rough or
# flat, others around it.
start_set <- function(from, fixed, n, alpha.min) {
  alpha <- from[["alpha"]]
  beta <- from[["beta"]]
  at <- function(a, b) {
    theta <- replace(from, c("alpha", "beta"), c(max(min(a, 1.98), alpha.min * 1.5), b))
    theta[names(fixed)] <- fixed
    theta
  }
  inner <- max(min(beta, 0.95), -0.95)
  if (alpha > 1.9) inner <- inner / 2
  starts <- list(at(alpha, inner))
  if (abs(beta) > 0.9) starts <- c(starts, list(at(alpha, 0.6 * sign(beta))))
  if (alpha > 1.75) starts <- c(starts, list(at(1.9, 0), at(1.98, 0)))
  if (n <= 60) starts <- c(starts, list(at(alpha, -inner), at(1.3, 0.9), at(1.3, -0.9)))
  if (alpha > 1.75 && n <= 500) starts <- c(starts, list(at(1.9, 0.9), at(1.9, -0.9)))
  if (alpha < 0.25) starts <- c(starts, list(at(alpha + 0.3, inner / 2)))
  unique(starts)
}

climb <- function(theta, fixed, sample, control) {
  co <- allow_support(fit_coordinates(theta, fixed, control$alpha.min, sample$held), sample$z)
  tops <- lapply(spike_places(co, sample$z), climb_once, z = sample$z, control = control)
  top <- tops[[which.max(vapply(tops, `[[`, 0, "loglik"))]]
  if (top$co$pm == 1L && top$y[1L] >= spiked_end - 1e-6) {      # left the spiked range
    plain <- y_to_theta(replace(top$y, 1L, spiked_end - 0.01), top$co)
    top <- climb_once(fit_coordinates(plain, fixed, control$alpha.min, sample$held), sample$z, control)
  }
  top
}

climb_once <- function(co, z, control) {
  n <- length(z)
  local <- remember_last(function(v) search_local(full_y(v, co), co, z))
  objective <- remember_last(function(v) -steering_likelihood(full_y(v, co), co, z) / n)
  gradient <- function(v) -local(v)$gradient / n
  information <- function(v) local(v)$outer / n + diag(1e-8, length(v))
  v <- co$base[co$free]
  if (!is.finite(objective(v))) return(list(loglik = -Inf, y = co$base, co = co))
  if (!length(v)) return(list(loglik = -n * objective(v), y = co$base, co = co,
                              code = 0L, message = "nothing to estimate", iterations = 0L))
  out <- stats::nlminb(v, objective, gradient, information,
                       lower = co$lower[co$free], upper = co$upper[co$free],
                       control = list(iter.max = control$maxit, eval.max = 3L * control$maxit,
                                      rel.tol = control$tol, trace = as.integer(control$trace)))
  list(y = full_y(out$par, co), co = co, loglik = -n * out$objective, code = out$convergence,
       message = out$message, iterations = out$iterations)
}

# Gradient and outer products.
search_local <- function(y, co, z) {
  if (is_steered(y)) return(local_likelihood(y, co, z))
  scores <- score_matrix(y, co, z)
  list(gradient = colSums(scores), outer = crossprod(scores))
}

# nlminb asks for gradient and Hessian at the same point, one after the other, and for
# its objective at the start, which has been looked at before.
remember_last <- function(f) {
  at <- NULL
  value <- NULL
  function(v) {
    if (!identical(v, at)) {
      value <<- f(v)
      at <<- v
    }
    value
  }
}

# A start with data outside its support (alpha < 1, |beta| = 1) is drawn towards
# symmetry, or if beta is held fixed, moved away from its edge, until the likelihood is
# finite.
allow_support <- function(co, z) {
  possible <- function(trial) is.finite(log_likelihood(trial$base, trial, z))
  if (co$free[2L]) for (shrink in c(1, 0.9, 0.6, 0)) {
    trial <- co
    trial$base[2L] <- shrink * co$base[2L]
    if (possible(trial)) return(trial)
  } else if (co$free[4L]) for (shift in c(0, 2^(-5:60))) {
    trial <- co
    trial$centre <- co$centre - sign(co$base[2L]) * shift * co$unit
    if (possible(trial)) return(trial)
  }
  co
}

# In spiked coordinates the likelihood has a peak at nearly every observation close to
# zeta once alpha is small: climb from the best three of the nearest ones.  Where the
# spike is much narrower than the gaps between observations, a peak tells nothing but that
# the spike sits on an observation, and its height would drag alpha towards 0: then the
# location is held half a gap beside the densest observation.
spike_places <- function(co, z) {
  if (co$pm != 1L) return(list(co))
  near <- z[order(abs(z - co$centre))[seq_len(min(length(z), 41L))]]
  away <- abs(z - near[1L])
  gap <- stats::median(sort(away)[2:6]) / 3
  if (gap == 0 || co$unit < pinned_width * gap) {
    co$centre <- near[1L] + min(away[away > 0]) / 2
    co$free[4L] <- FALSE
    return(list(co))
  }
  Y <- matrix(co$base, length(near), 4L, byrow = TRUE)
  Y[, 4L] <- (near - co$centre) / co$unit
  value <- log_likelihoods(Y, co, z)
  best <- utils::head(order(value, decreasing = TRUE), 3L)
  best <- best[is.finite(value[best])]
  if (!length(best)) return(list(co))
  lapply(near[best], function(m) replace(co, "centre", m))
}

pinned_width <- 0.25

# Maximum likelihood with alpha = 2: closed form.
gaussian_fit <- function(z, fixed) {
  active <- bound_labels(c(alpha = 2, beta = 0), fixed, 0)
  out <- list(loglik = -Inf, active = active, convergence =
                list(code = 0L, message = "closed form at alpha = 2", iterations = 0L))
  if ("alpha" %in% names(fixed) && fixed[["alpha"]] != 2) return(out)
  theta <- c(alpha = 2, beta = 0, gamma = 1, delta = mean(z))
  theta[names(fixed)] <- fixed
  if (!"gamma" %in% names(fixed)) theta[["gamma"]] <- sqrt(mean((z - theta[["delta"]])^2) / 2)
  n <- length(z)
  cov <- diag(c(NA, NA, 1 / (2 * n), 2 / n) * theta[["gamma"]]^2)
  dimnames(cov) <- list(fit_parameters, fit_parameters)
  known <- fit_parameters %in% c("alpha", "beta", names(fixed))
  out$loglik <- sum(stats::dnorm(z, theta[["delta"]], sqrt(2) * theta[["gamma"]], log = TRUE))
  out$theta <- theta
  out$cov <- mark_unknown(cov, known)
  out
}

# "" for a free interior parameter, "lower" or "upper" at a bound.
bound_labels <- function(theta, fixed, alpha.min) {
  label <- c(alpha = "", beta = "", gamma = "", delta = "")
  if (theta[["alpha"]] >= 2) label["alpha"] <- "upper"
  if (theta[["alpha"]] <= alpha.min) label["alpha"] <- "lower"
  if (abs(theta[["beta"]]) >= 1 && theta[["alpha"]] < 2)
    label["beta"] <- if (theta[["beta"]] > 0) "upper" else "lower"
  label[names(label) %in% names(fixed)] <- ""
  label
}
