# Maximum likelihood for censored, truncated and binned data.  An observation in the interval from l to r contributes
#
#     log P(l < X <= r) - log P(lower < X <= upper),
#
# with the log density in place of the first term for a value that was observed, and the second for truncation.  The
# search is in v = (alpha, beta, log gamma, delta), of which the free elements vary, in the units of a complete sample
# that stands for the data; it starts from several distributions.

fit_censored <- function(x, weights, truncation, na.action, request) {
  call <- request$call
  if (request$method != "mle")
    stop_with(call, "argument", "Censored, truncated and binned data require method = \"mle\", not \"", request$method,
              "\".")
  if (is.character(request$start))
    stop_with(call, "argument", "`start` must contain parameter values for censored, truncated or binned data, not ",
              value_text(request$start), ".")
  sample <- censored_data(x, weights, truncation, na.action, call)
  fixed <- request$fixed
  unit_weight <- weight_unit(sample$weights)
  scaled <- sample
  scaled$weights <- weights_in(unit_weight, sample$weights)
  start <- imputed_start(scaled, fixed, call)
  unit <- start$law[["gamma"]]
  model <- censored_model(scaled, start$law[["delta"]], unit, fixed, request$control)
  best <- in_unit_weights(censored_maximum(model, censored_starts(start, request, model)), unit_weight)
  if (!is.finite(best$loglik))
    stop_with(call, "data", "No stable distribution with the parameters in `fixed` has a support that contains all of ",
              "the observations.")
  fit <- new_censored(best, model, sample, start, request)
  if (!fit$convergence$converged) warn_not_converged(fit$convergence, call)
  warn_of_ties(fit, request)
  fit
}

# Returns the likelihood of a sample in units of `unit` about `centre`: functions of v.
censored_model <- function(sample, centre, unit, fixed, control) {
  scaled <- function(x) (x - centre) / unit
  intervals <- distinct_intervals(sample)
  weights <- intervals$weight
  own <- scaled_law(fixed, centre, unit)
  if (identical(own["alpha"], c(alpha = 2))) own[["beta"]] <- 0                  # beta has no effect
  free <- setdiff(fit_parameters, names(own))
  lower <- c(alpha = control$alpha.min, beta = -1, gamma = -30, delta = -Inf)
  upper <- c(alpha = 2, beta = 1, gamma = 30, delta = Inf)
  left <- scaled(intervals$left)
  right <- scaled(intervals$right)
  bounds <- if (!is.null(sample$truncation)) scaled(sample$truncation)
  law_of <- function(v) {
    law <- c(own, replace(v, names(v) == "gamma", exp(v["gamma"])))
    law[fit_parameters]
  }
  terms <- function(v, ...) truncated_scores(left, right, bounds, law_of(v), ...)
  observed <- sum(weights[left == right])
  value_of <- function(log_p) {
    value <- sum(weights * log_p) - observed * log(unit)
    if (is.nan(value)) -Inf else value                     # the bounds of truncation have the probability 0
  }
  list(n = sum(weights), free = free, lower = lower[free], upper = upper[free], centre = centre, unit = unit,
       law = law_of, control = control,
       value = function(v) value_of(terms(v, scores = FALSE)[, 1L]),
       scores = function(v, shape = c("alpha", "beta")) {
         s <- terms(v, quick = TRUE, shape = intersect(shape, free))
         score <- s[, free, drop = FALSE]
         score[!is.finite(score)] <- 0
         # outside the support of a distribution with alpha < 1 the score of beta at its bound overflows
         score[] <- pmax(pmin(score, largest_score), -largest_score)
         if ("gamma" %in% free) score[, "gamma"] <- score[, "gamma"] * exp(v[["gamma"]])
         list(value = value_of(s[, 1L]), gradient = colSums(score * weights), score = score * sqrt(weights))
       })
}

# Returns interval_scores() given the bounds of truncation (NULL: none).
truncated_scores <- function(left, right, bounds, law, ...) {
  scores <- function(left, right) suppressWarnings(interval_scores(left, right, law, ...))
  out <- scores(left, right)
  if (is.null(bounds)) out else out - rep(scores(bounds[1L], bounds[2L]), each = nrow(out))
}

# Returns the different intervals of a sample and the weight of each.
distinct_intervals <- function(sample) {
  data <- clipped_intervals(sample$data, sample$truncation)
  pair <- complex(real = data$left, imaginary = data$right)
  distinct <- unique(pair)
  weights <- if (is.null(sample$weights)) rep(1, length(pair)) else sample$weights
  data.frame(left = Re(distinct), right = Im(distinct), weight = drop(rowsum(weights, match(pair, distinct))))
}

# Returns some parameters in units of `unit` about `centre`.
scaled_law <- function(law, centre, unit) {
  if ("gamma" %in% names(law)) law[["gamma"]] <- law[["gamma"]] / unit
  if ("delta" %in% names(law)) law[["delta"]] <- (law[["delta"]] - centre) / unit
  law
}

coarse_tolerance <- 1e-4             # of the searches of which only the best is continued

# Returns the maximum found by continuing, with the full tolerance, the best of coarse searches from all starts.
maximise_from_best <- function(model, starts) {
  coarse <- model
  coarse$control$tol <- max(coarse_tolerance, model$control$tol)
  maximise_censored(model, best_maximum(lapply(starts, maximise_censored, model = coarse))$v)
}

# Returns the maximum found from several starts, with the observed information.  The normal distribution is preferred if
# it is as likely.
censored_maximum <- function(model, starts) {
  starts <- likeliest_starts(starts, model)
  best <- maximise_from_best(model, starts)
  if (length(best$v)) best <- polish_censored(best, model)
  best$loglik <- model$value(best$v)
  normal <- normal_censored(model, best)
  if (!is.null(normal) && normal$loglik >= best$loglik - normal_margin) normal else best
}

polish_censored <- function(maximum, model)
  polish_likelihood(maximum, model$scores, model$n, model$lower, model$upper, which(model$free == "alpha"),
                    which(model$free == "beta"))

well_converged <- 1e-7               # increase of the log-likelihood by a step of scoring that is negligible

# Returns the parameters `theta` and the log-likelihood of the fit of censored data with further parameters held fixed,
# for a profile: without covariance, and from fewer starts, because the maximum is close to that of the fit.
# arguments: those of stablefit().
held_censored <- function(object, arguments) {
  theta <- object$theta
  fixed <- unlist(arguments$fixed)
  control <- utils::modifyList(arguments$control, list(tol = 1e-11))
  unit_weight <- weight_unit(object$weights)
  object$weights <- weights_in(unit_weight, object$weights)
  model <- censored_model(object, theta[["delta"]], theta[["gamma"]], fixed, control)
  begin <- function(law) start_in(model, replace(law, names(fixed), fixed))
  others <- skewed_starts(theta)[if (object$nobs <= few_observations) 1:3 else 1L]
  starts <- c(list(replace(theta, names(arguments$start), arguments$start)), others)
  best <- maximise_from_best(model, unique(lapply(starts, begin)))
  if (!is.finite(best$loglik)) return(NULL)
  if (!is_stationary(model, best$v)) best <- polish_censored(best, model)
  best$loglik <- model$value(best$v)
  normal <- if ("alpha" %in% model$free && best$v[["alpha"]] > 1.9) normal_censored(model, best)
  if (!is.null(normal) && normal$loglik > best$loglik) best <- normal
  list(theta = law_in_units(model, best$v), loglik = best$loglik * unit_weight)
}

# TRUE if a step of scoring from v would increase the log-likelihood by a negligible amount.
is_stationary <- function(model, v) {
  s <- model$scores(v)
  inside <- v > model$lower & v < model$upper
  if (!any(inside)) return(TRUE)
  M <- crossprod(s$score[, inside, drop = FALSE]) + diag(1e-8 * model$n, sum(inside))
  step <- value_or(solve(M, s$gradient[inside]), function(e) Inf)
  isTRUE(sum(s$gradient[inside] * step) < well_converged)
}

few_observations <- 200              # up to which the search begins at all starts

# Returns all starts for small samples, whose likelihood often has several maxima; otherwise the first two and the most
# likely of the others.
likeliest_starts <- function(starts, model) {
  if (length(starts) <= 3L || model$n <= few_observations) return(starts)
  value <- vapply(starts[-(1:2)], model$value, 0)
  starts[c(1:2, 2L + which.max(replace(value, is.na(value), -Inf)))]
}

maximise_censored <- function(model, v) {
  if (!length(v)) return(nothing_to_estimate(v, model$value(v)))
  maximise_likelihood(v, model$scores, model$n, model$lower, model$upper, model$control)
}

# Returns the maximum among normal distributions, or NULL if alpha is held fixed.
normal_censored <- function(model, best) {
  if (!"alpha" %in% model$free) return(NULL)
  keep <- setdiff(model$free, c("alpha", "beta"))
  full <- function(v) replace(replace(best$v, "alpha", 2), keep, v)
  part <- model
  part$scores <- function(v) {
    s <- model$scores(full(v), shape = character())
    list(value = s$value, gradient = s$gradient[keep], score = s$score[, keep, drop = FALSE])
  }
  part$value <- function(v) model$value(full(v))
  part[c("lower", "upper")] <- list(model$lower[keep], model$upper[keep])
  part$free <- keep
  maximum <- maximise_censored(part, best$v[keep])
  if (length(keep))
    maximum <- polish_likelihood(maximum, part$scores, model$n, part$lower, part$upper, integer(), integer())
  v <- full(maximum$v)
  free <- names(v) %in% keep
  free[free] <- maximum$free
  c(list(v = v, loglik = model$value(v), free = free), maximum[c("code", "message", "iterations", "cov", "gradient")])
}

# --- starting values ---

impute_size <- 2000                  # values of the complete sample that stands for the data
impute_iterations <- 4L

# Returns the quantile estimate of a complete sample in which every interval is replaced by conditional quantiles of the
# previous estimate, and quantiles beyond the bounds stand for the truncated values.  It does not depend on the order of
# the observations.
imputed_start <- function(sample, fixed, call) {
  sorted <- order(rank(sample$data$left) + rank(sample$data$right), sample$data$left)
  sample$data <- sample$data[sorted, ]
  sample$weights <- sample$weights[sorted]
  size <- nrow(sample$data)
  rows <- seq_len(size)
  if (size > impute_size || !is.null(sample$weights)) {
    weights <- if (is.null(sample$weights)) rep(1, size) else sample$weights
    m <- max(100, min(impute_size, sum(weights)))
    rows <- findInterval((seq_len(m) - 0.5) / m * sum(weights), cumsum(weights), left.open = TRUE) + 1L
  }
  data <- clipped_intervals(sample$data[rows, ], sample$truncation)
  left <- data$left
  right <- data$right
  x <- first_guess(left, right)
  law <- quantile_law(x, call, "gamma" %in% names(fixed))
  for (round in seq_len(if (all(left == right) && is.null(sample$truncation)) 0L else impute_iterations)) {
    x <- c(conditional_quantiles(left, right, law), beyond_truncation(sample$truncation, law, length(rows)))
    next_law <- value_or(quantile_law(x, call), function(e) NULL)
    if (is.null(next_law)) break
    law <- next_law
  }
  list(law = law, sample = x)
}

# Returns the quantile estimate (S0) of a sample, or raises an error if it has none.
quantile_law <- function(x, call, has_gamma = FALSE) {
  results <- run_fits(list(x), NULL, list(method = "quantile", fixed = numeric(), start = NULL, se = FALSE,
                                          control = check_fit_control(list(), call)))
  if (results$trouble != 0)
    stop_with(call, "data", "At least half of the observations may be equal: ", tied_consequence(has_gamma))
  stats::setNames(results$theta[1:4], fit_parameters)
}

# Returns values of intervals: those observed, points spread evenly over bounded intervals, and beyond the finite end of
# the others.
first_guess <- function(left, right) {
  spread <- spread_fractions(length(left))
  finite <- c(left, right)
  finite <- finite[is.finite(finite)]
  scale <- max(stats::IQR(finite), diff(range(finite)) / 100)
  x <- left + spread * (right - left)
  below <- is.infinite(left)
  above <- is.infinite(right)
  x[below] <- right[below] - scale * spread[below] / (1.05 - spread[below])
  x[above] <- left[above] + scale * spread[above] / (1.05 - spread[above])
  exact <- left == right
  x[exact] <- left[exact]
  x
}

# Returns the quantile of each interval at fractions of its probability that are spread evenly.
conditional_quantiles <- function(left, right, law) quantiles_between(left, right, law, spread_fractions(length(left)))

# Returns the quantile of each interval at a fraction of its probability, from the smaller tail.
quantiles_between <- function(left, right, law, fraction) {
  q <- list(law[["alpha"]], law[["beta"]], law[["gamma"]], law[["delta"]])
  tail <- function(x, lower) do.call(pstable, c(list(x), q, lower.tail = lower))
  is_right <- tail(left, FALSE) < tail(right, TRUE)
  from <- ifelse(is_right, tail(left, FALSE), tail(left, TRUE))
  to <- ifelse(is_right, tail(right, FALSE), tail(right, TRUE))
  p <- from + fraction * (to - from)
  x <- ifelse(is_right, do.call(qstable, c(list(p), q, lower.tail = FALSE)), do.call(qstable, c(list(p), q)))
  middle <- ifelse(is.finite(left), ifelse(is.finite(right), (left + right) / 2, left), right)
  x <- pmin(pmax(ifelse(is.finite(x), x, middle), left), right)
  ifelse(is.finite(x), x, middle)
}

# Returns values outside the bounds, as many as are expected with m values inside, and at most 3 m.
beyond_truncation <- function(truncation, law, m) {
  if (is.null(truncation)) return(NULL)
  p <- pstable(truncation, law[["alpha"]], law[["beta"]], law[["gamma"]], law[["delta"]])
  inside <- max(p[2L] - p[1L], 0.25)
  count <- round(m * c(p[1L], 1 - p[2L]) / inside)
  c(conditional_quantiles(rep(-Inf, count[1L]), rep(truncation[1L], count[1L]), law),
    conditional_quantiles(rep(truncation[2L], count[2L]), rep(Inf, count[2L]), law))
}

# Returns starts of the search: the user's; or the quantile and the maximum-likelihood estimate of the complete sample,
# and other shapes.
censored_starts <- function(start, request, model) {
  begin <- function(law) start_in(model, law)
  shaped <- function(alpha, beta) begin(replace(start$law, c("alpha", "beta"), c(alpha, beta)))
  alpha <- min(1.95, max(start$law[["alpha"]], 0.4))
  beta <- max(-0.9, min(0.9, start$law[["beta"]]))
  if (length(request$start)) {
    own <- replace(s0_to_pm(start$law, request$pm), names(request$start), request$start)
    return(list(begin(pm_to_s0(own, request$pm)), shaped(alpha, beta)))
  }
  likely <- without_convergence(stablefit(start$sample, se = FALSE))$theta
  others <- list(c(1.5, 0), c(1.9, 0), c(1, 0), c(1.7, 0.9), c(1.7, -0.9), c(0.9, 0.9), c(0.9, -0.9))
  unique(c(list(shaped(alpha, beta), begin(inner_start(likely))), lapply(others, function(p) shaped(p[1L], p[2L]))))
}

# Returns a distribution in the coordinates of a search.
start_in <- function(model, law) {
  law <- scaled_law(law, model$centre, model$unit)
  v <- c(law[1:2], gamma = log(law[["gamma"]]), law[4L])[model$free]
  pmin(pmax(v, model$lower), model$upper)
}

# Returns the distribution with the coordinates v in the units of the data.
law_in_units <- function(model, v) {
  law <- model$law(v)
  c(law[1:2], gamma = law[["gamma"]] * model$unit, delta = model$centre + model$unit * law[["delta"]])
}

# --- the object ---

new_censored <- function(best, model, sample, start, request) {
  theta <- law_in_units(model, best$v)
  fixed <- names(request$fixed)
  theta[fixed] <- request$fixed
  cov <- matrix(NA_real_, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  known <- model$free[best$free]
  if (request$se && !is.null(best$cov)) {
    rate <- c(1, 1, theta[["gamma"]], model$unit)[match(known, fit_parameters)]
    cov[known, known] <- best$cov * outer(rate, rate)
  }
  result <- c(list(theta = theta, start = start$law, loglik = best$loglik, cov = cov, gradient = best$gradient,
                   active = bound_labels(theta, request$fixed, request$control$alpha.min), end = 0,
                   notes = if (request$se && is.null(best$cov)) 2L else 0L, remarks = character(),
                   steps = best$iterations, evaluations = NA_real_), interval_ties(sample))
  fit <- as_stablefit(result, sample$data$left, sample$weights, c(request, is_censored = TRUE))
  fit$data <- sample$data
  fit$na.action <- sample$na.action
  fit$truncation <- sample$truncation
  fit$counts <- interval_counts(sample$data, sample$weights)
  fit$notes <- c(censoring_notes(fit), fit$notes)
  converged <- !is.null(best$cov) && all(abs(best$gradient) < 1e-3) && fit$convergence$code == 0L
  fit$convergence[c("code", "converged")] <- list(as.integer(!converged), converged)
  if (fit$convergence$message != unbounded_by_ties) fit$convergence$message <- best$message
  class(fit) <- c("stablefit_censored", class(fit))
  fit
}

# Returns the ties among the values that were observed: the number of rows with the value of the largest weight, and the
# shares in the weight of all observations of this value and of those that several rows have.
interval_ties <- function(sample) {
  weights <- if (is.null(sample$weights)) rep(1, nrow(sample$data)) else sample$weights
  observed <- sample$data$left == sample$data$right
  if (!any(observed)) return(list(tied = 1, tie = NA_real_, tie.share = 0, tied.share = 0, tied.alpha = 0))
  x <- sample$data$left[observed]
  values <- unique(x)
  which_value <- match(x, values)
  rows <- tabulate(which_value)
  shares <- drop(rowsum(weights[observed], which_value)) / sum(weights)
  most <- which.max(shares)
  share <- shares[[most]]
  counts_twice <- rows[most] > 1L || share * sum(weights) >= 2 * min(weights)
  list(tied = rows[most], tie = values[most], tie.share = share, tied.share = sum(shares[rows > 1L]),
       tied.alpha = if (counts_twice) share / (1 - share) else 0)
}

censoring_notes <- function(fit) {
  some <- fit$counts[fit$counts > 0]
  c(if (!identical(names(some), "observed")) paste0("Observations: ", paste(format_each(some, 7L), names(some),
                                                                            collapse = ", "), "."),
    if (!is.null(fit$truncation))
      sprintf("Only values %s could be observed; the estimates are those of the distribution without truncation.",
              if (is.infinite(fit$truncation[2L])) paste("above", format(fit$truncation[1L]))
              else if (is.infinite(fit$truncation[1L])) paste("below", format(fit$truncation[2L]))
              else paste("between", format(fit$truncation[1L]), "and", format(fit$truncation[2L]))),
    unidentified_note(fit))
}

# Returns a sentence if all observations are intervals that have fewer different ends than there are free parameters, or
# NULL.  The likelihood is a function of the probabilities up to the ends, those of truncation excepted.
unidentified_note <- function(fit) {
  if (any(fit$data$left == fit$data$right)) return(NULL)
  ends <- setdiff(unlist(clipped_intervals(fit$data, fit$truncation)), c(-Inf, Inf, fit$truncation))
  if (length(ends) < fit$df)
    sprintf("The intervals have %d different ends: %d parameters are not identified, and others are as likely.",
            length(ends), fit$df)
}

# Returns the log-likelihood of a distribution for the data of a fit.
fit_log_likelihood <- function(object, theta) {
  if (!inherits(object, "stablefit_censored"))
    return(stable_data_loglik(object$data, theta[["alpha"]], theta[["beta"]], theta[["gamma"]], theta[["delta"]],
                              weights = object$weights))
  data <- clipped_intervals(object$data, object$truncation)
  log_p <- truncated_scores(data$left, data$right, object$truncation, theta, scores = FALSE)[, 1L]
  if (is.null(object$weights)) sum(log_p) else sum(object$weights * log_p)
}
