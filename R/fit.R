# Fitting a stable law to a sample: the function that users call.
#
# The work is done on a canonical sample (sorted, mirrored so that it leans to the
# right, moved and scaled to quartile distance one: fit-canonical.R), always in the
# S0 parametrisation, which is continuous in all parameters.  Only the last step
# speaks in the user's units and parametrisation.

stablefit <- function(x, method = c("mle", "quantile"), start = NULL, fixed = list(),
                      pm = 0, na.action = na.omit, control = list(), se = TRUE, ...) {
  call <- match.call()
  method <- match.arg(method)
  check_fit_dots(..., call = call)
  pm <- check_fit_pm(pm, call)
  control <- check_fit_control(control, call)
  fixed <- check_fit_parameters(fixed, "fixed", call)
  check_fixed_meaning(fixed, pm, call)
  start <- check_fit_parameters(start, "start", call)
  x <- fit_sample(x, na.action, call)

  sample <- canonical_sample(x, call)
  fixed0 <- to_canonical(fixed, sample)
  quick <- quantile_estimate(sample$quantiles, sample$spike, fixed0, control$alpha.min)
  est <- if (method == "quantile") {
    fit_by_quantiles(sample, quick, fixed0, control, se)
  } else {
    from <- merge_start(quick, start, sample, pm)
    fit_by_likelihood(sample, from, fixed0, control, se)
  }
  new_stablefit(est, sample, x, names(fixed), pm, method, quick, call)
}

# From canonical units to the user's, and into one object.
new_stablefit <- function(est, sample, x, fixed, pm, method, quick, call) {
  theta <- from_canonical(est$theta, sample)
  cov0 <- canonical_vcov(est$cov, sample)
  at_two <- theta[["alpha"]] == 2 && !("beta" %in% fixed)
  coef <- s0_to_pm(theta, pm)
  vcov <- pm_vcov(cov0, theta, pm)
  if (at_two) coef[["beta"]] <- NA_real_
  structure(list(
    coefficients = coef, vcov = vcov, loglik = est$loglik - length(x) * log(sample$scale),
    method = method, pm = pm, nobs = length(x), df = 4L - length(fixed), fixed = fixed,
    theta = theta, theta.vcov = cov0, notes = fit_notes(est, sample, fixed),
    start = from_canonical(quick, sample), convergence = est$convergence,
    se = est$se, data = as.vector(x), na.action = attr(x, "na.action"), call = call
  ), class = "stablefit")
}

# Sentences on whatever keeps a parameter from having a standard error.
fit_notes <- function(est, sample, fixed) {
  active <- est$active
  notes <- character()
  if (length(fixed))
    notes <- c(notes, sprintf("%s held fixed.", paste(fixed, collapse = ", ")))
  if (isTRUE(active[["alpha"]] == "upper"))
    notes <- c(notes, paste("alpha is at its bound 2: the law is Gaussian with standard",
                            "deviation sqrt(2) gamma, and beta is not identified."))
  if (isTRUE(active[["alpha"]] == "lower"))
    notes <- c(notes, "alpha is at the lower end of its range, control$alpha.min.")
  if (isTRUE(nzchar(active[["beta"]]))) {
    beta <- from_canonical(est$theta, sample)[["beta"]]
    notes <- c(notes, sprintf("beta is at its bound %d.", as.integer(beta)))
  }
  if (any(nzchar(active)))
    notes <- c(notes, "Standard errors of the other parameters hold those at a bound fixed.")
  c(notes, est$notes)
}
