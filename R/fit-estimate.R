# Common code of the estimators that are written in R.
#
# They work on the sample standardised by its quantile estimate, with S0 parameters in these units:
#
#     x = centre + side * scale * z        z sorted, side = 1 or -1
#
# The scale is gamma and the side is the sign of beta; the centre is delta or, if the density has a narrow peak, the
# observation at the peak, so that x - centre is exact where the density varies on the scale of log|x - zeta|.
# The quantile estimate is equivariant, and so is everything computed from z alone.

# Returns the estimates (S0), their covariance and the other elements of new_estimate(), in the units of x.  `quick`
# (the quantile estimate), `from` (where a search begins) and `fixed` are in these units, too.  A sample that no stable
# distribution fits is an error of class "stablecl_error_data".
estimate_in_r <- function(method, x, quick, from, fixed, control, se) {
  sample <- standard_sample(x, quick)
  estimator <- switch(method, mle2d = fit_by_plane, grid = fit_by_grid)
  est <- estimator(sample, to_canonical(from, sample), to_canonical(fixed, sample), control, se)
  est$theta <- from_canonical(est$theta, sample)
  est$cov <- canonical_vcov(est$cov, sample)
  est$loglik <- est$loglik - length(x) * log(sample$scale)
  est$active <- match(bound_labels(est$theta, fixed, control$alpha.min), bound_names) - 1
  est
}

# Methods whose sums have no kernel.
cpu_methods <- c("ecf", "logmoment")

# TRUE if R computes a part of the estimate: all but the quantile estimate, or for grids over the shapes the covariance.
is_computed_in_r <- function(request) {
  !request$method %in% compiled_methods || request$method == "grid" && request$control$grid == 2
}

# Returns the request for the compiled code: for an estimator written in R, that for the quantile estimate.
compiled_part <- function(request) {
  if (request$method == "grid" || !is_computed_in_r(request)) return(request)
  utils::modifyList(request, list(method = "quantile", start = NULL, se = FALSE))
}

# Returns the results of the compiled code with the estimates replaced by those of another estimator.
results_in_r <- function(results, samples, request) {
  quick <- matrix(results$start, 4L, dimnames = list(fit_parameters, NULL))
  from <- if (request$method == "grid") results$theta else fit_starts(samples, NULL, request)
  from <- if (is.null(from)) quick else matrix(from, 4L, dimnames = dimnames(quick))
  whole <- which(!nzchar(results$error))
  estimates <- lapply(whole, function(i) {
    estimate_or_reason(request, sample_values(samples[[i]]), quick[, i], from[, i])
  })
  failed <- vapply(estimates, is.character, NA)
  results$error[whole[failed]] <- unlist(estimates[failed])
  replace_results(results, whole[!failed], estimates[!failed])
}

# Returns an estimate, or the reason for its failure as a string, so that the other samples are not affected.  This
# includes errors of R's arithmetic, which may occur for samples that span a hundred powers of ten.
estimate_or_reason <- function(request, x, quick, from) {
  tryCatch(estimate_in_r(request$method, x, quick, from, request$fixed, request$control, request$se),
           stablecl_error_data = conditionMessage,
           simpleError = function(e) {
             if (is_time_limit(e)) stop(e)
             paste0("Method \"", request$method, "\" failed for this sample: ", conditionMessage(e), ".")
           })
}

# Returns the columns of results with those of the samples `at` replaced by estimates.
replace_results <- function(results, at, estimates) {
  for (name in c("theta", "cov", "loglik", "gradient", "active", "end", "notes", "steps", "evaluations", "remarks")) {
    column <- matrix(results[[name]], result_rows[[name]])
    column[, at] <- unlist(lapply(estimates, `[[`, name))
    results[[name]] <- as.vector(column)
  }
  results
}

sample_values <- function(x) if (inherits(x, "stable_data")) attr(x, "values") else x

# Returns the standardised sample z described above, with its quartiles, centre, scale and side.
standard_sample <- function(x, quick) {
  x <- as.numeric(x)
  scale <- quick[["gamma"]]
  side <- if (quick[["beta"]] < 0) -1 else 1
  peaked <- quick[["alpha"]] < located_by_peak
  centre <- quick[["delta"]]
  if (peaked) {
    peak <- centre - quick[["beta"]] * scale * tanpi(quick[["alpha"]] / 2)
    centre <- x[which.min(abs(x - peak))]
  }
  z <- sort(side * (x - centre) / scale)
  list(z = z, quartiles = unname(stats::quantile(z, quartile_levels, type = 5L)), peaked = peaked, centre = centre,
       scale = scale, side = side)
}

quartile_levels <- c(0.25, 0.5, 0.75)
located_by_peak <- 0.5           # alpha below which the quantile estimate puts its peak at the densest observations

# Returns the result of an estimator in the units of its sample: estimates (S0) and their covariance (NULL: not
# requested), which is NA for parameters that are fixed, at a bound or, at alpha = 2, without effect.
new_estimate <- function(theta, cov, sample, fixed, alpha.min, end = "closed form", remarks = character()) {
  active <- bound_labels(theta, fixed, alpha.min)
  known <- fit_parameters %in% names(fixed) | nzchar(active)
  known[2L] <- known[2L] || theta[["alpha"]] == 2
  if (is.null(cov)) cov <- matrix(NA_real_, 4L, 4L)
  dimnames(cov) <- list(fit_parameters, fit_parameters)
  list(theta = theta, cov = mark_unknown(cov, known), loglik = law_loglik(theta, sample$z),
       gradient = rep(NA_real_, 4L), end = match(end, fit_ends) - 1, notes = 0, steps = NA_real_,
       evaluations = NA_real_, remarks = paste(remarks, collapse = "\n"))
}

# Returns the log-likelihood, -Inf if the density of an observation is 0.
law_loglik <- function(theta, data, calls = 1) {
  stable_data_loglik(data, theta[["alpha"]], theta[["beta"]], theta[["gamma"]], theta[["delta"]], calls = calls)
}

# Returns "" for a parameter that is fixed or inside its bounds, "lower" or "upper" for one at a bound.
bound_labels <- function(theta, fixed, alpha.min) {
  label <- c(alpha = "", beta = "", gamma = "", delta = "")
  if (theta[["alpha"]] >= 2) label["alpha"] <- "upper"
  if (theta[["alpha"]] <= alpha.min) label["alpha"] <- "lower"
  if (abs(theta[["beta"]]) >= 1 && theta[["alpha"]] < 2)
    label["beta"] <- if (theta[["beta"]] > 0) "upper" else "lower"
  label[names(label) %in% names(fixed)] <- ""
  label
}

# Return parameters in the units of the standardised sample, and back in those of the sample.
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

# Returns the covariance in the units of the sample, given that in those of the standardised sample.
canonical_vcov <- function(cov, sample) {
  unit <- c(1, sample$side, sample$scale, sample$side * sample$scale)
  cov * outer(unit, unit)
}
