# The estimators besides maximum likelihood and quantiles: what they share.
#
# They see the sample standardised by its quantile estimate, whose laws have S0 parameters in units of it:
#
#     x = centre + side * scale * z        z sorted, side = 1 or -1
#
# The scale is gamma and the side is the sign of beta; the centre is delta or, where the density is a spike, the
# observation at the spike, so that x - centre is exact where the law lives on the scale of log|x - zeta|.
# The quantile estimate is equivariant, and so is all that is made of z alone.

# Estimates (S0), their covariance and what plain_estimate() adds, in the units of x, as are `quick`, the quantile
# estimate, `from`, where a search begins, and `fixed`.
other_estimate <- function(method, x, quick, from, fixed, control, se) {
  sample <- standard_sample(x, quick)
  estimator <- switch(method, ecf = fit_by_ecf, logmoment = fit_by_logmoments, mle2d = fit_by_plane,
                      grid = fit_by_grid)
  est <- estimator(sample, to_canonical(from, sample), to_canonical(fixed, sample), control, se)
  est$theta <- from_canonical(est$theta, sample)
  est$cov <- canonical_vcov(est$cov, sample)
  est$loglik <- est$loglik - length(x) * log(sample$scale)
  est$active <- bound_labels(est$theta, fixed, control$alpha.min)
  est
}

is_other_method <- function(method) !method %in% c("mle", "quantile")

# What the compiled code contributes: to another estimator the quantile estimate.
compiled_part <- function(wish) {
  if (!is_other_method(wish$method)) return(wish)
  utils::modifyList(wish, list(method = "quantile", start = NULL, se = FALSE))
}

# A result of the compiled code, with another estimator's in its place.
other_result <- function(result, x, wish) {
  starts <- if (wish$method == "logmoment") NULL else fit_starts(list(x), NULL, wish)
  from <- if (is.null(starts)) result$start else stats::setNames(starts[, 1L], fit_parameters)
  est <- other_estimate(wish$method, x, result$start, from, wish$fixed, c(wish$control, call = wish$call), wish$se)
  est$convergence$converged <- if (wish$method == "grid") all(abs(as.numeric(est$convergence$gradient)) < 1e-3) else NA
  list(theta = est$theta, start = result$start, loglik = est$loglik, cov = est$cov, active = est$active,
       convergence = est$convergence, notes = 0L, remarks = est$notes)
}

# The estimate (S0) by which a method names the start of another; NULL for the quantile estimate, which it is anyway.
named_start <- function(method, x, wish) {
  if (method == "quantile") return(NULL)
  own <- utils::modifyList(wish, list(method = method, start = NULL, se = FALSE))
  if (method == "logmoment") own$fixed <- replace(own$fixed, "beta", 0)
  result <- fit_result(run_fits(list(x), NULL, compiled_part(own)), 1L)
  if (is_other_method(method)) result <- other_result(result, x, own)
  replace(result$theta, names(wish$fixed), unlist(wish$fixed))
}

standard_sample <- function(x, quick) {
  x <- as.numeric(x)
  scale <- quick[["gamma"]]
  side <- if (quick[["beta"]] < 0) -1 else 1
  spiked <- quick[["alpha"]] < located_by_spike
  centre <- quick[["delta"]]
  if (spiked) {
    spike <- centre - quick[["beta"]] * scale * tanpi(quick[["alpha"]] / 2)
    centre <- x[which.min(abs(x - spike))]
  }
  z <- sort(side * (x - centre) / scale)
  list(z = z, quartiles = unname(stats::quantile(z, quartile_levels, type = 5L)), spiked = spiked, centre = centre,
       scale = scale, side = side)
}

quartile_levels <- c(0.25, 0.5, 0.75)
located_by_spike <- 0.5           # alpha below which the quantile estimate puts its peak on the densest observations

# What an estimator hands over, in its sample's units: estimates (S0) and their covariance (NULL: not wanted), without
# what is fixed, at a bound or, at alpha = 2, has no effect.
plain_estimate <- function(theta, cov, sample, fixed, alpha.min, message = "closed form", notes = character()) {
  active <- bound_labels(theta, fixed, alpha.min)
  known <- fit_parameters %in% names(fixed) | nzchar(active)
  known[2L] <- known[2L] || theta[["alpha"]] == 2
  se <- !is.null(cov)
  if (!se) cov <- matrix(NA_real_, 4L, 4L)
  dimnames(cov) <- list(fit_parameters, fit_parameters)
  list(theta = theta, cov = mark_unknown(cov, known), loglik = law_loglik(theta, sample$z), active = active, se = se,
       convergence = list(code = 0L, message = message), notes = notes)
}

# -Inf where the law gives an observation no density.
law_loglik <- function(theta, data, calls = 1) {
  stable_data_loglik(data, theta[["alpha"]], theta[["beta"]], theta[["gamma"]], theta[["delta"]], calls = calls)
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

to_canonical <- function(theta, sample) {
  if ("beta" %in% names(theta)) theta[["beta"]] <- sample$side * theta[["beta"]]
  if ("gamma" %in% names(theta)) theta[["gamma"]] <- theta[["gamma"]] / sample$scale
  if ("delta" %in% names(theta))
    theta[["delta"]] <- sample$side * (theta[["delta"]] - sample$centre) / sample$scale
  theta
}

from_canonical <- function(theta, sample) {
  c(alpha = theta[["alpha"]],
    beta = sample$side * theta[["beta"]] + 0,          # no negative zero
    gamma = sample$scale * theta[["gamma"]],
    delta = sample$centre + sample$side * sample$scale * theta[["delta"]])
}

canonical_vcov <- function(cov, sample) {
  unit <- c(1, sample$side, sample$scale, sample$side * sample$scale)
  cov * outer(unit, unit)
}
