# The same fit of other data, or with other parameters held.

# One fit per sample, all with the same further arguments of stablefit().  NULL where a
# sample cannot be fitted at all (an overflow, half of it equal); a search that ended early
# is left to the fit itself to say.
refit_samples <- function(samples, method, ...) {
  fits <- without_convergence(stablefit(samples, method, ...))
  lapply(seq_along(fits), function(i) if (nzchar(fits$error[[i]])) NULL else fits[[i]])
}

# The fit of the data of one that is there, with their weights; NULL as above.
refit_data <- function(object, ...) {
  tryCatch(without_convergence(stablefit(object$data, weights = object$weights, ...)),
           stablecl_error_data = function(e) NULL)
}

without_convergence <- function(code) {
  without_ties(withCallingHandlers(code, stablecl_warning_convergence = function(w) invokeRestart("muffleWarning")))
}

# The arguments with which stablefit() repeats a fit on other data.  `fixed` may hold further
# parameters, on the S0 scale, where those of alpha and beta (and of gamma in S1) are the
# user's own.  `envir` is where the call of the fit was made.
refit_arguments <- function(object, envir, fixed = NULL, pm = object$pm) {
  if (inherits(object, "stablefit_lm"))
    stop_with(sys.call(-1L), "argument", "This needs refits of a sample; it is not there for regressions.")
  own <- as.list(object$theta[object$fixed])
  control <- object$call$control
  list(method = object$method, fixed = utils::modifyList(own, as.list(fixed)), pm = pm,
       control = if (is.null(control)) list() else eval(control, envir), se = FALSE)
}

# Fits of `R` samples drawn from the fitted law, by the method that made the fit: those that can be fitted.
bootstrap_fits <- function(object, R, seed, envir, call) {
  samples <- as.list(simulated_samples(object, R, seed, call))
  fits <- do.call(refit_samples, c(list(samples), refit_arguments(object, envir)))
  fits <- fits[!vapply(fits, is.null, NA)]
  if (!length(fits)) stop_with(call, "data", "None of the ", R, " samples of the fitted law could be fitted.")
  fits
}
