# Quantities of the fitted distribution with their uncertainty, by the delta method on a scale
# (`link`) that keeps the ends of an interval in range.
#
# A quantity is a list: value, link (of the value), rate = d link/d value, back (the inverse of the link) and
# gradient, a function that returns d link/d(alpha, beta, gamma, delta) in S0, with a row per value.

fitted_values <- function(object, type, at, lower.tail) {
  switch(type,
    quantile = spread_values(object, function(...) qstable(at, ..., lower.tail = lower.tail)),
    es = spread_values(object, function(...) stable_es(at, ..., lower.tail = lower.tail)),
    density = density_values(object, at),
    probability = probability_values(object, at, lower.tail))
}

# Quantities that shift and scale with the distribution.
spread_values <- function(object, f) {
  p <- object$theta
  value <- f(p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
  u <- (value - p[["delta"]]) / p[["gamma"]]
  rate <- 1 / (p[["gamma"]] * sqrt(1 + u^2))
  list(value = value, link = asinh(u), rate = rate, back = function(t) p[["delta"]] + p[["gamma"]] * sinh(t),
       gradient = function() {
         shape <- shape_gradient(object, value, function(alpha, beta)
           f(alpha, beta, p[["gamma"]], p[["delta"]]))
         cbind(shape, u, 1) * rate
       })
}

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

# Returns derivatives with respect to alpha and beta by central differences inside the parameter space, 0 for a
# parameter whose variance is unknown (fixed or at a bound).
shape_gradient <- function(object, value, f) {
  p <- object$theta
  moves <- !is.na(diag(object$theta.vcov))
  slope <- function(j, f) {
    if (!moves[j]) return(numeric(length(value)))
    h <- min(1e-4, p[[j]] + c(0, 1)[j], c(2, 1)[j] - p[[j]]) / 2
    (f(p[[j]] + h) - f(p[[j]] - h)) / (2 * h)
  }
  cbind(slope(1L, function(alpha) f(alpha, p[["beta"]])), slope(2L, function(beta) f(p[["alpha"]], beta)))
}

link_sd <- function(object, fit) {
  V <- object$theta.vcov
  if (all(is.na(V)) || !length(fit$value)) return(rep(NA_real_, length(fit$value)))
  moves <- !is.na(diag(V))
  g <- fit$gradient()[, moves, drop = FALSE]
  sd <- sqrt(rowSums((g %*% V[moves, moves]) * g))
  replace(sd, !is.finite(fit$link), NA)
}

fitted_band <- function(fit, sd, level) {
  reach <- stats::qnorm((1 + level) / 2) * sd
  cbind(fit = fit$value, lwr = fit$back(fit$link - reach), upr = fit$back(fit$link + reach))
}
