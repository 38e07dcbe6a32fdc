# Fits by the compiled code (src/r_fit.c): samples and wishes in, results in S0 out.

# A result for each of a list of samples, finite doubles, with a list of their weights or NULL.
run_fits <- function(samples, weights, wish) {
  load_tables()
  .Call(C_fits, samples, weights, fit_starts(samples, weights, wish), fit_orders(wish), quantile_start)
}

# `wish` as the compiled code reads it.
fit_orders <- function(wish) {
  none <- c(alpha = NA_real_, beta = NA_real_, gamma = NA_real_, delta = NA_real_)
  c(list(fixed = replace(none, names(wish$fixed), wish$fixed), se = as.numeric(wish$se),
         quantile = as.numeric(wish$method == "quantile")), wish$control)
}

# The user's start values, given in the user's parametrisation, over the quantile estimates: a column for each
# sample, or NULL.
fit_starts <- function(samples, weights, wish) {
  if (!length(wish$start)) return(NULL)
  if (is.character(wish$start)) return(named_starts(samples, wish))
  quick <- run_fits(samples, weights, utils::modifyList(wish, list(method = "quantile", se = FALSE, start = NULL)))
  apply(matrix(quick$start, 4L), 2L, function(theta) {
    names(theta) <- fit_parameters
    if (theta[["alpha"]] == 0) return(theta)                        # no sample to fit
    full <- s0_to_pm(theta, wish$pm)
    pm_to_s0(replace(full, names(wish$start), wish$start), wish$pm)
  })
}

# The same from another method's estimates.
named_starts <- function(samples, wish) {
  values <- function(x) if (inherits(x, "stable_data")) attr(x, "values") else x
  starts <- lapply(samples, function(x) named_start(wish$start, values(x), wish))
  if (!is.null(starts[[1L]])) matrix(unlist(starts), 4L)
}

# Number i as a list.
fit_result <- function(results, i) {
  four <- function(v) stats::setNames(v[4L * (i - 1L) + 1:4], fit_parameters)
  active <- c("", "lower", "upper")[four(results$active) + 1L]
  list(theta = four(results$theta), start = four(results$start), loglik = results$loglik[i],
       cov = matrix(results$cov[16L * (i - 1L) + 1:16], 4L, dimnames = list(fit_parameters, fit_parameters)),
       gradient = unname(four(results$gradient)), active = stats::setNames(active, fit_parameters),
       end = results$end[i], notes = as.integer(results$notes[i]), steps = results$steps[i],
       evaluations = results$evaluations[i])
}

# Why there is no fit of sample number i of n values, as a sentence; "" if there is one.  In the order of enum
# fit_trouble (src/fit/fit.h).
fit_trouble <- function(results, i, n) {
  tied <- results$tied[i]
  what <- if (tied == n) "All" else sprintf("%d of %d", as.integer(tied), as.integer(n))
  switch(results$trouble[i] + 1L, "",
         paste0(what, " values of `x` are equal (", results$tie[i], "): the scale cannot be estimated."),
         "No stable law with the parameters in `fixed` has all of `x` in its support.")
}
