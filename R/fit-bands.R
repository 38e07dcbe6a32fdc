# Quantities of the fitted distribution with their uncertainty, by the delta method on a scale
# (`link`) that keeps the ends of an interval in range.
#
# A quantity is a list: value, link (of the value), rate = d link/d value, back (the inverse of the link) and
# gradient, a function that returns d link/d(alpha, beta, gamma, delta) in S0, with a row per value; also the arguments
# type, at, lower.tail and centre of fitted_values().

# Returns a quantity (see above) at the points or probabilities `at`.
fitted_values <- function(object, type, at, lower.tail, centre = object$theta) {
  values <- switch(type,
    quantile = equivariant_values(object, centre, function(...) qstable(at, ..., lower.tail = lower.tail)),
    es = equivariant_values(object, centre, function(...) stable_es(at, ..., lower.tail = lower.tail)),
    density = density_values(object, at),
    probability = probability_values(object, at, lower.tail))
  c(values, list(type = type, at = at, lower.tail = lower.tail, centre = centre))
}

# Quantities that shift and scale with the distribution.  The link depends on location and scale of `centre`.
equivariant_values <- function(object, centre, f) {
  p <- object$theta
  value <- f(p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
  u <- (value - centre[["delta"]]) / centre[["gamma"]]
  rate <- asinh_slope(u) / centre[["gamma"]]
  list(value = value, link = asinh(u), rate = rate,
       back = function(t) centre[["delta"]] + centre[["gamma"]] * sinh(t),
       gradient = function() {
         shape <- shape_gradient(object, value, function(alpha, beta)
           f(alpha, beta, p[["gamma"]], p[["delta"]]))
         cbind(shape, (value - p[["delta"]]) / p[["gamma"]], 1) * rate
       })
}

# Returns the derivative of asinh(u), 1/sqrt(1 + u^2), without overflow of the square.
asinh_slope <- function(u) ifelse(abs(u) > 1e8, 1 / abs(u), 1 / sqrt(1 + u^2))

density_values <- function(object, at) {
  p <- object$theta
  value <- dstable(at, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
  log_value <- dstable(at, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]], log = TRUE)
  list(value = value, link = log_value, rate = 1 / value, back = exp, gradient = function()
    parameter_scores(at, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]]))
}

probability_values <- function(object, at, lower.tail) {
  p <- object$theta
  tail <- function(alpha, beta, lower, log = TRUE)
    pstable(at, alpha, beta, p[["gamma"]], p[["delta"]], lower.tail = lower, log.p = log)
  logit <- function(alpha, beta) tail(alpha, beta, lower.tail) - tail(alpha, beta, !lower.tail)
  value <- tail(p[["alpha"]], p[["beta"]], lower.tail, log = FALSE)
  rate <- 1 / (value * tail(p[["alpha"]], p[["beta"]], !lower.tail, log = FALSE))
  list(value = value, link = logit(p[["alpha"]], p[["beta"]]), rate = rate, back = stats::plogis,
       gradient = function() {
         density <- dstable(at, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
         slope <- (if (lower.tail) -1 else 1) * density * rate
         cbind(shape_gradient(object, value, logit), slope * (at - p[["delta"]]) / p[["gamma"]], slope)
       })
}

# Returns derivatives with respect to alpha and beta by differences inside the parameter space, which are central unless
# a bound is near, and 0 for a parameter whose variance is unknown (fixed or at a bound).
shape_gradient <- function(object, value, f) {
  p <- object$theta
  moves <- !is.na(diag(object$theta.vcov))
  slope <- function(j, f) {
    if (!moves[j]) return(numeric(length(value)))
    h <- if (j == 1L) min(5e-5, p[[j]] / 2) else 5e-5
    ends <- c(max(p[[j]] - h, c(0, -1)[j]), min(p[[j]] + h, c(2, 1)[j]))
    (f(ends[2L]) - f(ends[1L])) / diff(ends)
  }
  cbind(slope(1L, function(alpha) f(alpha, p[["beta"]])), slope(2L, function(beta) f(p[["alpha"]], beta)))
}

# Returns the standard errors of the links of a quantity by the delta method.
link_sd <- function(object, fit) {
  V <- object$theta.vcov
  if (all(is.na(V)) || !length(fit$value)) return(rep(NA_real_, length(fit$value)))
  moves <- !is.na(diag(V))
  g <- fit$gradient()[, moves, drop = FALSE]
  sd <- sqrt(rowSums((g %*% V[moves, moves]) * g))
  replace(sd, !is.finite(fit$link), NA)
}

# Returns the values and the ends of their intervals by the method of `choice`.
fitted_band <- function(object, fit, sd, level, choice, R, seed, draw, call) {
  ends <- switch(choice$method,
    wald = fit$back(fit$link + outer(sd, c(-1, 1) * critical_normal_value(level))),
    profile = with_first_warning(
      profile_band(object, fit, sd, deviance_root(object, level, choice),
                   end_calibration(object, level, choice, seed, call), call)),
    bootstrap = bootstrap_band(object, fit, level, replicate_fits(object, R, seed, call, draw)))
  ends <- matrix(ends, ncol = 2L)                        # functions of matrices without rows return vectors
  band <- cbind(fit = fit$value, lwr = ends[, 1L], upr = ends[, 2L])
  with_reasons(band, choice, band_reasons(object, fit, band, sd, choice$method))
}

# Returns the ends of profile intervals of a quantity, a row for each value.
profile_band <- function(object, fit, sd, target, calibrate, call) {
  ends <- function(i) {
    profile <- if (!is.na(fit$link[[i]]) && !is_all_fixed(object))
      quantity_profile_of(object, fit, i, sd[[i]], call)
    if (is.null(profile)) c(NA_real_, NA_real_) else profile_ends(profile, target, calibrate)
  }
  fit$back(matrix(vapply(seq_along(fit$value), ends, c(0, 0)), ncol = 2L, byrow = TRUE))
}

# Returns quantiles of the values of refits, with a row per value.
bootstrap_band <- function(object, fit, level, refits) {
  values <- matrix(vapply(refits, function(refit) fitted_values(refit, fit$type, fit$at, fit$lower.tail)$value,
                          numeric(length(fit$value))), length(fit$value))
  ends <- apply(values, 1L, function(v) stats::quantile(v, c(1 - level, 1 + level) / 2, type = 6L, names = FALSE,
                                                        na.rm = TRUE))
  ends <- matrix(ends, ncol = 2L, byrow = TRUE)
  replace(ends, !is.finite(fit$link), NA)
}

# Returns the reasons why values have no interval, or one that is unbounded or a single point, named by the values or
# by their numbers.
band_reasons <- function(object, fit, band, sd, method) {
  is_point <- method != "bootstrap" & band[, "lwr"] == band[, "upr"] & is.finite(band[, "fit"])
  odd <- which((!is.finite(rowSums(band)) | is_point) & !is.na(band[, "fit"]))
  names(odd) <- if (is.null(rownames(band))) odd else rownames(band)[odd]
  vapply(odd, function(i) {
    if (isTRUE(is_point[[i]]) && (isTRUE(sd[[i]] > 0) || !is.finite(fit$link[[i]])))
      "One point: the ends of the interval round to the value."
    else if (isTRUE(is_point[[i]])) "One point: the value does not depend on the free parameters."
    else if (is_all_fixed(object)) "All parameters are held fixed."
    else if (is.infinite(fit$value[[i]])) "The value is infinite."
    else if (!is.finite(fit$link[[i]])) "The value is at the end of its range."
    else if (!anyNA(band[i, ])) "Unbounded: the deviance of alpha = 1 is below the quantile."
    else if (method == "wald") "The fit has no standard errors."
    else "The value has no interval."
  }, "")
}
