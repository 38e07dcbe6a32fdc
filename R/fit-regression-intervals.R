# Confidence intervals of regressions by stable_lm(): Wald's, from the profile likelihood, and with the quantile of the
# deviance from simulated responses.
#
# A coefficient b_j is held at v by fitting y - v x_j to the other regressors, a parameter of the errors by equal
# bounds.

#' @rdname confint.stablefit
#' @export
confint.stablefit_lm <- function(object, parm, level = 0.95, method = c("wald", "profile", "bootstrap", "auto"),
                                 R = 199, seed = NULL, ...) {
  check_dots(...)
  call <- sys.call()
  method <- choice_of(method)
  level <- check_level(level, call)
  R <- check_replicates(R, call)
  parm <- check_parm(parm, names(coef(object)), call)
  choice <- interval_choice(object, method)
  ci <- wald_intervals(object, level)[parm, , drop = FALSE]
  dimnames(ci) <- list(parm, percent(c(1 - level, 1 + level) / 2))
  free <- setdiff(parm, object$fixed)
  if (choice$method != "wald" && length(free)) {
    targets <- if (choice$method == "profile") rep(deviance_root(object, level, choice), length(free)) else
      simulated_targets(object, free, level, R, seed, call)
    calibrate <- end_calibration(object, level, choice, seed, call)
    with_first_warning(for (j in seq_along(free))
      ci[free[j], ] <- profile_interval(regression_profile_of(free[j], object, call), targets[j], calibrate))
  }
  with_reasons(ci, choice, parameter_reasons(object, ci, choice$method))
}

profile_interval <- function(profile, target, calibrate = NULL) profile$back(profile_ends(profile, target, calibrate))

# Returns the square root of the deviance as a function of one coefficient (of gamma: of its logarithm).
regression_profile_of <- function(name, object, call) {
  log_scale <- name == "gamma"
  held <- held_regression(object, name, call)
  last <- NULL
  root <- function(v) {
    value <- if (log_scale) exp(v) else v
    best <- held(value, last)
    if (is.finite(best$loglik)) last <<- best$state
    root_of_deviance(best$loglik, object, name, value, call)
  }
  est <- identified_coefficient(object, name)
  list(root = root, est = if (log_scale) log(est) else est, step = regression_step(object, name),
       back = if (log_scale) exp else identity, lower = switch(name, alpha = object$control$alpha.min, beta = -1, -Inf),
       upper = switch(name, alpha = 2, beta = 1, Inf), limit = side_limits(Inf),
       simulated_roots = function(t, ...) {
         if (is.infinite(root(t))) return(numeric())
         simulated_regression_roots(at_state(object, held, last), name, t, ..., log_scale = log_scale)
       })
}

# Returns a regression with the location and the errors of a state in place of its estimates.
at_state <- function(object, held, state) {
  each <- function(v) if (length(v) > 1L) replace(numeric(length(v)), attr(held, "rows"), v) else v
  state <- lapply(state, each)
  object$fitted.values <- state$location
  object$law <- state[c("alpha", "beta", "scale")]
  object
}

# Returns the roots of the deviance at the value t of a coefficient (of gamma: of its logarithm) with their signs, for B
# simulated responses.
simulated_regression_roots <- function(object, name, t, B, seed, call, log_scale) {
  value <- if (log_scale) exp(t) else t
  vapply(simulated_responses(object, B, seed, call), function(y) {
    held <- held_regression(object, name, call, y, several = FALSE)(value)
    free <- held_regression(object, NULL, call, y, several = FALSE)
    maximum <- free(numeric(), held$state)
    estimate <- coefficient_of(at_state(object, free, maximum$state), name)
    sqrt(max(0, 2 * (maximum$loglik - held$loglik))) * sign(estimate - value)
  }, 0)
}

# alpha and beta with predictors above 38 are at their bound within the precision of numbers.
largest_predictor <- 38

# Returns a coefficient of a regression from its location and errors.
coefficient_of <- function(object, name) {
  parameter <- object$parameter[[name]]
  values <- if (parameter == "location") object$fitted.values else object$law[[parameter]]
  p <- object$predictors[[parameter]]
  if (p$natural) return(values[[1L]])
  p <- predicted_predictors(object, NULL, sys.call())[[parameter]]
  eta <- p$link$link(values)
  eta[is.infinite(eta)] <- sign(eta[is.infinite(eta)]) * largest_predictor
  b <- stats::lm.fit(p$X, rep_len(eta, nrow(p$X)) - offset_of(p))$coefficients
  b[[match(name, free_names(p))]]
}

# Returns an estimate; beta of a Gaussian distribution is 0.
identified_coefficient <- function(object, name) {
  value <- object$coefficients[[name]]
  if (is.na(value)) 0 else value
}

# Returns the first step of a search: about one standard error, or a typical one for coefficients without one.
regression_step <- function(object, name) {
  sd <- sqrt(object$vcov[name, name])
  p <- object$predictors[[object$parameter[[name]]]]
  if (p$natural) {
    if (name == "gamma") sd <- sd / object$coefficients[[name]]
    return(if (is.finite(sd)) min(c(alpha = 0.5, beta = 0.5, gamma = 1)[[name]], sd)
           else c(alpha = 0.1, beta = 0.3, gamma = 0.1)[[name]])
  }
  if (is.finite(sd)) return(sd)
  x <- parameter_matrix(object, object$parameter[[name]], object$model)[, match(name, p$labels)]
  (if (object$parameter[[name]] == "location") stats::IQR(object$residuals) else 1) / sqrt(sum(x^2))
}

# Returns a function of the value of a coefficient and the last state, or NULL; name = NULL: no coefficient is held.  It
# returns the highest log-likelihood with the coefficient at this value, and the state there: location, alpha, beta and
# scale of the observations, in the order of the attribute "rows".  y: the response; by default that of the fit.
# several: search also from skewed distributions?
held_regression <- function(object, name, call, y = stats::model.response(object$model), several = TRUE) {
  model <- free_model(object, as.vector(y), call)
  rows <- row_order(model)
  if (is.null(rows)) rows <- seq_along(model$y)
  model <- model_rows(model, rows)
  unit_weight <- weight_unit(model$weights)
  model$weights <- weights_in(unit_weight, model$weights)
  unit <- stats::IQR(object$residuals)
  likelihood <- error_likelihood(if (!is.null(object$rounding)) object$rounding / unit)
  own <- fitted_states(object, rows)[if (several) TRUE else 1L]
  search <- function(value, last = NULL) {
    part <- in_unit(orthogonal_model(fix_coefficients(model, stats::setNames(value, name)), call), unit)
    part$likelihood <- likelihood
    search <- function(state) maximise_regression(state_coordinates(part, state, unit), part, object$control)
    maximum <- best_maximum(lapply(c(own, if (!is.null(last)) list(last)), search))
    if (!is.finite(maximum$loglik)) return(list(loglik = -Inf))
    law <- parameters_at(maximum$v, part)
    log_p <- likelihood$value(part$y - law$location, law$alpha, law$beta, law$scale)
    loglik <- sum(if (is.null(part$weights)) log_p else part$weights * log_p)
    if (is.null(object$rounding)) loglik <- loglik - total_weight(part) * log(unit)
    list(loglik = loglik * unit_weight,
         state = list(location = law$location * unit, alpha = law$alpha, beta = law$beta, scale = law$scale * unit))
  }
  structure(search, rows = rows)
}

# Returns the model of a fit with the response y, without the coefficients that the fit holds fixed.
free_model <- function(object, y, call) {
  predictors <- lapply(predicted_predictors(object, NULL, call), function(p) {
    if (p$natural) return(natural_predictor(p$name, length(y), object$control$alpha.min))
    p$labels <- free_names(p)
    p
  })
  held <- intersect(object$fixed, c("alpha", "beta", "gamma"))
  fix_coefficients(list(y = y, weights = object$weights, predictors = predictors), object$coefficients[held])
}

# Returns states at which to start searches: that of the fit and, unless alpha or beta have formulas, two skewed
# distributions.
fitted_states <- function(object, rows) {
  each <- function(v) if (length(v) > 1L) unname(v)[rows] else v
  state <- c(list(location = each(object$fitted.values)), lapply(object$law, each))
  if (length(state$alpha) > 1L || length(state$beta) > 1L) return(list(state))
  lapply(skewed_starts(c(alpha = state$alpha, beta = state$beta)), function(shape)
    replace(state, c("alpha", "beta"), as.list(shape)))
}

# Returns the coordinates of a state that are inside the parameter space.
state_coordinates <- function(model, state, unit) {
  state$location <- state$location / unit
  state$scale <- state$scale / unit
  state$alpha <- pmin(state$alpha, 1.99)
  state$beta <- pmax(-0.98, pmin(0.98, state$beta))
  unlist(lapply(model$predictors, function(p) {
    if (!ncol(p$Q)) return(numeric())
    value <- p$link$link(state[[p$name]])
    if (p$natural) value[[1L]] else coordinates_in(p$Q, rep_len(value, nrow(p$Q)) - offset_of(p))
  }), use.names = FALSE)
}

# Returns a regression in which each observation is repeated as many times as its weight counts it, up to rounding, and
# has no weight: equal observations have independent errors.
expanded_regression <- function(object) {
  if (is.null(object$weights)) return(object)
  rows <- rep(seq_along(object$weights), diff(c(0, round(cumsum(object$weights)))))
  each <- function(v) if (length(v) > 1L) v[rows] else v
  object$model <- structure(object$model[rows, , drop = FALSE], terms = attr(object$model, "terms"))
  object$law <- lapply(object$law, each)
  object[c("fitted.values", "residuals", "weights")] <- list(each(object$fitted.values), each(object$residuals), NULL)
  object
}

# Returns the square roots of quantiles of the deviance, for responses that are simulated from the regression and with
# coefficients held at its estimates; at least those of the chi-squared distribution, because the distribution of the
# deviance is narrower where an estimate is at a bound.
simulated_targets <- function(object, parm, level, R, seed, call) {
  object <- expanded_regression(object)
  values <- vapply(parm, identified_coefficient, 0, object = object)
  deviances <- vapply(simulated_responses(object, R, seed, call), function(y) {
    maximum <- held_regression(object, NULL, call, y)(numeric())$loglik
    2 * (maximum - mapply(function(name, value) held_regression(object, name, call, y)(value)$loglik, parm, values))
  }, numeric(length(parm)))
  deviances <- matrix(replace(deviances, !is.finite(deviances), NA), length(parm))
  ends <- apply(deviances, 1L, stats::quantile, level, type = 6L, names = FALSE, na.rm = TRUE)
  sqrt(pmax(ends, stats::qchisq(level, 1), na.rm = TRUE))
}
