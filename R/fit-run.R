# Computes fits from samples and a request: results in S0, as columns of numbers (those of src/r_fit.c) and sentences.

# The number of values of each result in a column.
result_rows <- c(theta = 4L, cov = 16L, loglik = 1L, start = 4L, gradient = 4L, active = 4L, end = 1L, notes = 1L,
                 steps = 1L, evaluations = 1L, trouble = 1L, tied = 1L, tie = 1L, tie.share = 1L,
                 tied.share = 1L, tied.alpha = 1L, omitted = 1L, remarks = 1L, error = 1L)

# In the order of enum estimator (src/fit/fit.h).
compiled_methods <- c("mle", "quantile", "grid", "ecf", "logmoment")

# Returns a result for each sample of a list of finite double vectors or handles of them, or of windows
# (fit-windows.R); `weights` is NULL or a list.
# `remarks` are lines; `error` states why a sample cannot be fitted, or is "".
fit_samples <- function(samples, weights, request) {
  results <- run_fits(samples, weights, compiled_part(request))
  results$remarks <- ifelse(results$omitted > 0, paste(results$omitted, "values equal to the median are omitted."), "")
  results$error <- fit_failures(results, lengths(samples), request$method, "gamma" %in% names(request$fixed))
  if (request$method %in% c("ecf", "logmoment"))
    results[c("steps", "evaluations")] <- list(rep(NA_real_, length(samples)))
  if (is_computed_in_r(request)) results_in_r(results, samples, request) else results
}

# Returns the results of the compiled code.
run_fits <- function(samples, weights, request) {
  load_tables()
  starts <- fit_starts(samples, weights, request)
  if (!inherits(samples, "series_windows")) {
    units <- vapply(weights, weight_unit, 0)
    results <- .Call(C_fits, samples, if (!is.null(weights)) Map(weights_in, units, weights), starts,
                     compiled_request(request), quantile_start)
    return(if (is.null(weights)) results else in_unit_weights(results, units))
  }
  windows <- unclass(samples)
  .Call(C_window_fits, windows$series, as.double(windows$first), as.double(windows$size), starts,
        compiled_request(request), quantile_start)
}

# Returns `request` in the form that the compiled code reads.
compiled_request <- function(request) {
  none <- c(alpha = NA_real_, beta = NA_real_, gamma = NA_real_, delta = NA_real_)
  c(list(fixed = replace(none, names(request$fixed), request$fixed), se = as.numeric(request$se),
         estimator = estimator_number(request)), request$control)
}

# Returns the number of a method in enum estimator (src/fit/fit.h).
estimator_number <- function(request) {
  if (is_computed_in_r(request)) length(compiled_methods) else match(request$method, compiled_methods) - 1
}

# Returns a column of start values in S0 for each sample: the user's values, given in the user's parametrisation,
# supplemented by the quantile estimates.  NULL if the user has given none.
fit_starts <- function(samples, weights, request) {
  if (!length(request$start)) return(NULL)
  if (is.character(request$start)) return(named_starts(samples, request))
  quick <- run_fits(samples, weights, utils::modifyList(request, list(method = "quantile", se = FALSE, start = NULL)))
  apply(matrix(quick$start, 4L), 2L, function(theta) {
    names(theta) <- fit_parameters
    if (theta[["alpha"]] == 0) return(theta)                        # this sample cannot be fitted
    full <- s0_to_pm(theta, request$pm)
    pm_to_s0(replace(full, names(request$start), request$start), request$pm)
  })
}

# Returns start values from the estimates of another method or, if it fails, from quantiles; NULL for method "quantile".
named_starts <- function(samples, request) {
  if (request$start == "quantile") return(NULL)
  own <- utils::modifyList(request, list(method = request$start, start = NULL, se = FALSE))
  if (own$method == "logmoment") own$fixed <- replace(own$fixed, "beta", 0)
  results <- fit_samples(samples, NULL, own)
  starts <- matrix(results$theta, 4L)
  lost <- nzchar(results$error)
  starts[, lost] <- matrix(results$start, 4L)[, lost]
  starts[match(names(request$fixed), fit_parameters), ] <- request$fixed
  starts
}

# Returns result number i as a list.
fit_result <- function(results, i) {
  four <- function(v) stats::setNames(v[4L * (i - 1L) + 1:4], fit_parameters)
  active <- bound_names[four(results$active) + 1L]
  list(theta = four(results$theta), start = four(results$start), loglik = results$loglik[i],
       cov = matrix(results$cov[16L * (i - 1L) + 1:16], 4L, dimnames = list(fit_parameters, fit_parameters)),
       gradient = unname(four(results$gradient)), active = stats::setNames(active, fit_parameters),
       end = results$end[i], notes = as.integer(results$notes[i]), remarks = strsplit(results$remarks[i], "\n")[[1L]],
       steps = results$steps[i], evaluations = results$evaluations[i], tied = results$tied[i], tie = results$tie[i],
       tie.share = results$tie.share[i], tied.share = results$tied.share[i], tied.alpha = results$tied.alpha[i])
}

# In the order of enum estimate_bound (src/fit/problem.h).
bound_names <- c("", "lower", "upper")

# Returns for each sample a sentence on why it cannot be fitted, or "".
fit_failures <- function(results, n, method = "mle", has_gamma = FALSE) {
  reasons <- character(length(n))
  lost <- colSums(!is.finite(matrix(results$theta, 4L))) > 0
  reasons[lost] <- paste0("Method \"", method, "\" failed for this sample: its estimates are beyond the range of ",
                           "numbers.")
  for (i in which(results$trouble != 0)) reasons[i] <- fit_failure(results, i, n[i], method, has_gamma)
  reasons
}

# In the order of enum fit_trouble (src/fit/fit.h).
fit_failure <- function(results, i, n, method, has_gamma) {
  tied <- results$tied[i]
  share <- results$tie.share[i]
  what <- if (tied == n) "All values of `x` are equal"
    else if (2 * tied >= n) sprintf("%d of %d values of `x` are equal", as.integer(tied), as.integer(n))
    else sprintf("%s%% of the weight of `x` is at one value", format(100 * share, digits = 3L))
  switch(results$trouble[i],
         paste0(what, " (", results$tie[i], "): ", tied_consequence(has_gamma)),
         "No stable distribution with the parameters in `fixed` has a support that contains all of `x`.",
         paste0("Method \"", method, "\" failed for this sample: its regression has no solution."))
}

# Returns the end of a message on a sample of which half of the values are equal; has_gamma: is gamma held fixed?
tied_consequence <- function(has_gamma) {
  if (has_gamma) "the search starts from quartiles, which must differ also if gamma is fixed."
  else "the scale cannot be estimated."
}
