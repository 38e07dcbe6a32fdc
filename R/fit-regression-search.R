# Maximises the likelihood of a regression.
#
# The derivatives with respect to the coordinates of a predictor are the score of its parameter times the derivative of
# the inverse link times the row of Q.  The coordinates of the location are R b/unit, and y is measured in this unit,
# that of the residuals of the starting values.  The optimisation is that of fit-search.R.
#
# If alpha or beta have formulas, each observation has its own shape, and a log density takes a hundred times as long.
# The search then starts from the maximum of the model in which both are constant, and observations with equal
# regressors of alpha and beta are adjacent, which is what quick_each() needs.

# Approximates least absolute deviations by iteratively reweighted least squares, as starting values.
least_deviations <- function(Q, y, weights) {
  if (!ncol(Q)) return(numeric())
  r <- y
  for (round in 1:30) {
    w <- 1 / pmax(abs(r), 1e-6 * stats::median(abs(r)) + .Machine$double.xmin)
    c <- stats::lm.wfit(Q, y, if (is.null(weights)) w else w * weights)$coefficients
    r <- y - drop(Q %*% c)
  }
  c
}

# If the normal distribution is within this difference of log-likelihoods, it is preferred.
normal_margin <- 1e-6

# Returns the maximum for a model with orthogonal predictors.  start: NULL or values of coefficients.
fit_regression <- function(model, control, rounding, start) {
  model <- model_rows(model, row_order(model))
  unit_weight <- weight_unit(model$weights)
  model$weights <- weights_in(unit_weight, model$weights)
  at <- starting_residuals(model, rounding)
  unit <- at$unit
  if (unit <= 16 * .Machine$double.eps * at$size) stop_tied(model, control)           # zero, or only due to rounding
  model <- in_unit(model, unit)
  model$likelihood <- if (is.null(rounding) && is_normal(model)) normal_likelihood
    else error_likelihood(if (!is.null(rounding)) rounding / unit)
  best <- maximise_from_starts(model, at, control, start)
  if (!is.finite(best$loglik))
    stop_with(control$call, "argument", "The search found no coefficients with a likelihood and with all fitted ",
              "values of alpha above `control$alpha.min`; change `start` or `fixed`.")
  best <- polish_regression(best, model, control)
  if (is.null(rounding)) {
    normal <- normal_regression(model, best, at, control)
    if (!is.null(normal) && normal$loglik >= best$loglik - normal_margin) best <- normal
    best$loglik <- best$loglik - total_weight(model) * log(unit)
  }
  best$unit <- unit
  in_unit_weights(best, unit_weight)
}

stop_tied <- function(model, control) {
  stop_with(control$call, "data", "Half of the residuals are equal: ",
            tied_consequence("gamma" %in% names(model$predictors$scale$held)))
}

# Returns the rows with positive weights, those with equal regressors of alpha and beta adjacent; NULL: as they are.
row_order <- function(model) {
  w <- model$weights
  used <- if (is.null(w) || all(w > 0)) seq_along(model$y) else which(w > 0)
  if (is_constant_shape(model)) return(if (length(used) < length(model$y)) used)
  p <- model$predictors[c("alpha", "beta")]
  columns <- unlist(lapply(p, function(p) c(asplit(p$X, 2L), list(p$offset))), recursive = FALSE)
  columns <- Filter(function(column) length(column) == length(model$y), columns)
  used[do.call(order, unname(lapply(columns, function(column) as.vector(column)[used])))]
}

# Returns the model with the given rows; NULL: all rows.
model_rows <- function(model, rows) {
  if (is.null(rows)) return(model)
  n <- length(model$y)
  model$y <- model$y[rows]
  model$weights <- model$weights[rows]
  model$predictors <- lapply(model$predictors, function(p) {
    for (name in c("X", "Q")) p[[name]] <- p[[name]][rows, , drop = FALSE]
    if (length(p$offset) == n) p$offset <- p$offset[rows]
    p
  })
  model
}

is_constant_shape <- function(model) model$predictors$alpha$natural && model$predictors$beta$natural

total_weight <- function(model) if (is.null(model$weights)) length(model$y) else sum(model$weights)

# Returns the coordinates c of the location by least absolute deviations, the residuals r, their scale, the unit, and
# the size of the numbers whose differences the residuals are, which few outliers do not change.
starting_residuals <- function(model, rounding) {
  p <- model$predictors$location
  y <- model$y - offset_of(p)
  c <- least_deviations(p$Q, y, model$weights)
  r <- y - drop(p$Q %*% c)
  if (!is.null(rounding)) r <- spread_in_cells(r, rounding)
  else if (all(stats::quantile(y, c(0.25, 0.75)) == 0)) r <- y       # c approaches 0, but does not reach it
  size <- abs(model$y) + abs(offset_of(p)) + drop(abs(p$Q) %*% abs(c))
  list(c = c, r = r, unit = stats::IQR(r), size = stats::quantile(size, 0.75, names = FALSE))
}

# Measures the response, the location and the scale in a unit.
in_unit <- function(model, unit) {
  model$y <- model$y / unit
  p <- model$predictors
  if (!is.null(p$location$offset)) p$location$offset <- p$location$offset / unit
  if (!p$scale$natural || !ncol(p$scale$X))
    p$scale$offset <- offset_of(p$scale) - log(unit)
  model$predictors <- p
  model
}

# A search begins with fitted values of alpha that are at least this multiple of the smallest alpha.
inner_alpha <- 1.05

# Returns the highest maximum of several searches, or the maximum of the search from the user's values.
maximise_from_starts <- function(model, at, control, start) {
  simple <- model
  simple$predictors[c("alpha", "beta")] <- lapply(model$predictors[c("alpha", "beta")], function(p)
    if (p$natural) p else natural_predictor(p$name, length(model$y), control$alpha.min))
  simple$predictors <- lapply(simple$predictors, function(p) if (is.null(p$Q)) c(p, list(Q = p$X, R = diag(1))) else p)
  starts <- starting_values(simple, at, control)
  if (length(start)) starts <- list(starts[[1L]])
  if (length(start) && is_constant_shape(model)) starts <- list(with_user_start(model, starts[[1L]], start, at$unit))
  best <- best_maximum(lapply(starts, maximise_regression, model = simple, control = control))
  if (is_constant_shape(model)) return(best)
  law <- parameters_at(best$v, simple)
  alpha <- max(law$alpha, inner_alpha * control$alpha.min)
  v <- coordinates(model, best$v[location_and_scale(simple)], alpha, law$beta)
  maximise_regression(if (length(start)) with_user_start(model, v, start, at$unit) else v, model, control)
}

# Returns the maximum with the highest log-likelihood.
best_maximum <- function(maxima) maxima[[which.max(vapply(maxima, `[[`, 0, "loglik"))]]

# Returns starting values from the quantile estimate and from the maximum-likelihood fit of the residuals, which
# stablefit() finds even if it is far from the quantile estimate.
starting_values <- function(model, at, control) {
  p <- model$predictors
  r <- at$r / at$unit
  spread <- starting_spread(p$scale, r, model$weights)
  e <- r / spread
  law <- value_or(without_ties(stablefit(e, "quantile", se = FALSE))$theta, function(error) stop_tied(model, control))
  # the coefficients absorb the location of the residuals (an intercept takes all of it)
  outer <- function(law) c(at$c / at$unit + coordinates_in(p$location$Q, rep(law[["delta"]], length(r)) * spread),
                           scale_coordinates(p$scale, law[["gamma"]] * spread))
  start <- function(alpha, beta) coordinates(model, outer(law), min(1.95, max(alpha, control$alpha.min * 1.5, 0.4)),
                                             max(-0.9, min(0.9, beta)))
  likely <- without_convergence(stablefit(e, se = FALSE, weights = model$weights))$theta
  list(start(law[["alpha"]], law[["beta"]]), start(1.5, 0), start(1.9, 0),
       coordinates(model, outer(likely), min(1.98, max(likely[["alpha"]], 0.4)),
                   max(-0.95, min(0.95, likely[["beta"]]))))
}

# Returns the least-squares coefficients of values in the columns of Q.
coordinates_in <- function(Q, values) if (ncol(Q)) stats::lm.fit(Q, values)$coefficients else numeric()

# Returns the scale of each residual, relative to their geometric mean, by a regression of log |r|; 1 if it is constant.
starting_spread <- function(p, r, weights) {
  if (p$natural || !ncol(p$Q)) return(1)
  size <- log(pmax(abs(r), 1e-3 * stats::median(abs(r))))
  w <- if (is.null(weights)) rep(1, length(r)) else weights
  fitted <- drop(p$Q %*% stats::lm.wfit(p$Q, size - offset_of(p), w)$coefficients) + offset_of(p)
  exp(fitted - mean(fitted))
}

# Returns the coordinates of the scale for values of gamma.
scale_coordinates <- function(p, gamma) {
  if (!ncol(p$Q)) return(numeric())
  if (p$natural) return(log(gamma[1L]))
  coordinates_in(p$Q, rep_len(log(gamma), nrow(p$Q)) - offset_of(p))
}

# Returns the coordinates of location and scale with those of constants alpha and beta between them.
coordinates <- function(model, outer, alpha, beta) {
  inner <- Map(function(p, value, bound) {
    if (!ncol(p$Q)) return(numeric())
    if (p$natural) return(value)
    value <- max(-bound, min(bound, value))
    coordinates_in(p$Q, rep_len(p$link$link(value) - offset_of(p), nrow(p$Q)))
  }, model$predictors[c("alpha", "beta")], list(alpha, beta), c(1.98, 0.95))
  is_location <- seq_along(outer) <= ncol(model$predictors$location$Q)
  unname(c(outer[is_location], inner$alpha, inner$beta, outer[!is_location]))
}

# Returns for each coordinate the name of its parameter.
coordinate_parameters <- function(model) {
  rep(regression_parameters, vapply(model$predictors, function(p) ncol(p$Q), 0L))
}

location_and_scale <- function(model) coordinate_parameters(model) %in% c("location", "scale")

# Replaces coefficients by the user's values.
with_user_start <- function(model, v, start, unit) {
  whose <- coordinate_parameters(model)
  for (p in model$predictors) {
    free <- setdiff(p$labels, names(p$held))
    given <- intersect(names(start), free)
    if (!length(given)) next
    at <- which(whose == p$name)
    scale <- if (p$name == "location") unit else 1
    b <- stats::setNames(predictor_coefficients(p, v[at]) * scale, free)
    b[given] <- if (p$natural) p$link$link(start[given] / if (p$name == "scale") unit else 1) else start[given]
    v[at] <- drop(p$R %*% b) / scale
  }
  v
}

# Spreads rounded values evenly over their rounding intervals, by multiples of the golden ratio modulo one, for the
# starting values.
spread_in_cells <- function(r, h) r + h * (spread_fractions(length(r)) - 0.5)

# Returns n fractions between 0 and 1.
spread_fractions <- function(n) (seq_len(n) * (sqrt(5) - 1) / 2) %% 1

# Returns the likelihood of errors r: `scores`, with the columns of stable_quick(), for the optimisation, and `value`,
# the exact log-likelihood of each error.
error_likelihood <- function(h) {
  if (is.null(h)) return(list(
    scores = quick_errors,
    value = function(r, alpha, beta, gamma) dstable(r, alpha, beta, gamma, log = TRUE)))
  law <- function(alpha, beta, gamma) c(alpha = alpha, beta = beta, gamma = gamma, delta = 0)
  list(scores = function(r, ...) interval_scores(r - h / 2, r + h / 2, law(...), quick = TRUE, width = h),
       value = function(r, ...) interval_scores(r - h / 2, r + h / 2, law(...), scores = FALSE, width = h)[, 1L])
}

# The likelihood at alpha = 2, where many errors would be outside the tables of stable_quick().  `information` returns
# the expected information of one observation, by parameter: for tails that are heavier than normal the products of the
# scores are so much larger that a search would take thousands of steps.
normal_likelihood <- list(
  scores = function(r, alpha, beta, gamma) {
    z <- r / gamma
    cbind(logpdf = -z^2 / 4 - log(2 * sqrt(pi) * gamma), alpha = 0, beta = 0, gamma = (z^2 / 2 - 1) / gamma,
          delta = z / (2 * gamma))
  },
  value = function(r, alpha, beta, gamma) stats::dnorm(r, 0, sqrt(2) * gamma, log = TRUE),
  information = function(gamma) list(location = 1 / (2 * gamma^2), alpha = 0, beta = 0, scale = 2 / gamma^2))

# TRUE if alpha is fixed at 2.
is_normal <- function(model) {
  p <- model$predictors$alpha
  p$natural && !ncol(p$X) && p$offset == 2
}

# Returns log densities and scores of errors by the tables of stable_quick().
quick_errors <- function(r, alpha, beta, gamma) {
  if (length(alpha) == 1L && length(beta) == 1L && length(gamma) == 1L) return(quick_matrix(r, alpha, beta, gamma, 0))
  z <- r / gamma
  q <- if (length(alpha) == 1L && length(beta) == 1L) quick_matrix(z, alpha, beta, 1, 0) else quick_each(z, alpha, beta)
  q[, "logpdf"] <- q[, "logpdf"] - log(gamma)
  q[, c("gamma", "delta")] <- q[, c("gamma", "delta")] / gamma
  q
}

# Returns the numbers of the coordinates of each predictor.
coordinate_columns <- function(model) {
  whose <- coordinate_parameters(model)
  lapply(model$predictors, function(p) which(whose == p$name))
}

# Returns the parameters at v, one number or one for each observation, and in `slopes` their derivatives.
parameters_at <- function(v, model, columns = coordinate_columns(model)) {
  values <- slopes <- list()
  for (p in model$predictors) {
    own <- v[columns[[p$name]]]
    eta <- if (!p$natural) drop(p$Q %*% own) + offset_of(p) else if (length(own)) own else p$offset
    value <- p$link$inverse(eta)
    values[[p$name]] <- value
    slopes[[p$name]] <- p$link$slope(value)
  }
  values$slopes <- slopes
  values
}

# Returns the log-likelihood, its gradient and the score of every observation, multiplied by the root of its weight, so
# that the products of the scores are those of all observations.  If the likelihood has an expected information, `score`
# is a matrix whose products are that information.
regression_scores <- function(v, model, least = 0, columns = coordinate_columns(model)) {
  law <- parameters_at(v, model, columns)
  if (any(law$alpha < least))
    return(list(value = -Inf, gradient = numeric(length(v)), score = matrix(0, length(model$y), length(v))))
  q <- suppressWarnings(model$likelihood$scores(model$y - law$location, law$alpha, law$beta, law$scale))
  parts <- lapply(unname(model$predictors), function(p) {
    one <- q[, score_of_parameter[[p$name]]] * law$slopes[[p$name]]
    if (p$natural && ncol(p$Q)) one else one * p$Q
  })
  score <- do.call(cbind, parts)
  score[!is.finite(score)] <- 0
  w <- if (is.null(model$weights)) 1 else model$weights
  root <- if (is.null(model$likelihood$information)) score else information_root(model, law, columns)
  list(value = sum(w * q[, "logpdf"]), gradient = colSums(w * score), score = sqrt(w) * root)
}

# Returns a matrix with the rows of each predictor below those of the one before, whose products are the expected
# information.
information_root <- function(model, law, columns) {
  information <- model$likelihood$information(law$scale)
  parts <- lapply(model$predictors, function(p) {
    rows <- matrix(0, length(model$y), sum(lengths(columns)))
    one <- sqrt(information[[p$name]]) * abs(law$slopes[[p$name]])
    rows[, columns[[p$name]]] <- one * if (p$natural && ncol(p$Q)) 1 else p$Q
    rows
  })
  do.call(rbind, unname(parts))
}

# Returns the lower or upper bounds of the coordinates; those of formulas are `beyond`.
coordinate_bounds <- function(model, side, beyond) {
  unlist(lapply(model$predictors, function(p)
    if (p$natural && ncol(p$Q)) p[[side]] else rep(beyond, ncol(p$Q))), use.names = FALSE)
}

regression_bounds <- function(model) {
  list(lower = coordinate_bounds(model, "lower", -Inf), upper = coordinate_bounds(model, "upper", Inf))
}

maximise_regression <- function(v, model, control) {
  bounds <- regression_bounds(model)
  columns <- coordinate_columns(model)
  scores <- function(v) regression_scores(v, model, control$alpha.min, columns)
  if (!length(v)) return(nothing_to_estimate(v, scores(v)$value))
  maximum <- maximise_likelihood(v, scores, total_weight(model), bounds$lower, bounds$upper, control)
  if (is.finite(maximum$loglik) && is_near_least(maximum$v, model, control$alpha.min, columns))
    maximise_along_bound(maximum, model, control, columns)
  else maximum
}

# Applies Newton steps and computes the observed information and the exact log-likelihood.
polish_regression <- function(maximum, model, control) {
  whose <- coordinate_parameters(model)
  bounds <- regression_bounds(model)
  alpha <- which(whose == "alpha" & model$predictors$alpha$natural)
  beta <- which(whose == "beta")
  if (identical(parameters_at(maximum$v, model)$alpha, 2)) bounds$lower[beta] <- bounds$upper[beta] <- maximum$v[beta]
  columns <- coordinate_columns(model)
  bound <- if (is_near_least(maximum$v, model, control$alpha.min, columns))
    regression_constraints(model, control$alpha.min, columns)
  active <- if (!is.null(bound)) active_constraints(maximum$v, bound)
  maximum <- if (!length(maximum$v)) maximum
    else if (any(bound$of_alpha[active])) polish_along_bound(maximum, model, bound, active, columns)
    else polish_likelihood(maximum, function(v) regression_scores(v, model, columns = columns), total_weight(model),
                           bounds$lower, bounds$upper, alpha, beta,
                           function(v) all(parameters_at(v, model, columns)$alpha >= control$alpha.min))
  law <- parameters_at(maximum$v, model)
  value <- model$likelihood$value(model$y - law$location, law$alpha, law$beta, law$scale)
  maximum$loglik <- sum(if (is.null(model$weights)) value else model$weights * value)
  maximum
}

# Returns the maximum for alpha = 2, if alpha is a free constant; NULL otherwise.
normal_regression <- function(model, best, at, control) {
  p <- model$predictors
  if (!is_constant_shape(model) || !ncol(p$alpha$Q)) return(NULL)
  is_least_squares <- is.null(model$weights) && p$scale$natural && ncol(p$scale$Q) && ncol(p$beta$Q)
  if (is_least_squares) return(least_squares(model$y - offset_of(p$location), p$location$Q))
  held <- function(p, value) replace(p, c("X", "Q", "R", "offset"),
                                     list(p$X[, 0L, drop = FALSE], p$Q[, 0L, drop = FALSE], diag(1, 0L), value))
  own <- model
  own$predictors$alpha <- held(p$alpha, 2)
  own$predictors$beta <- held(p$beta, 0)
  own$likelihood <- normal_likelihood
  outer <- location_and_scale(model)
  maximum <- polish_regression(maximise_regression(best$v[outer], own, control), own, control)
  maximum$v <- replace(replace(best$v, outer, maximum$v), coordinate_parameters(model) == "alpha", 2)
  maximum$v[coordinate_parameters(model) == "beta"] <- 0
  maximum$free <- outer
  maximum
}

# Returns the least-squares solution, the maximum-likelihood fit for alpha = 2.
least_squares <- function(y, Q) {
  n <- length(y)
  k <- ncol(Q)
  c <- drop(crossprod(Q, y)) / n
  sigma <- sqrt(mean((y - drop(Q %*% c))^2))
  free <- c(rep(TRUE, k), FALSE, FALSE, TRUE)
  list(v = c(c, 2, 0, log(sigma / sqrt(2))), loglik = -n / 2 * (log(2 * pi * sigma^2) + 1), code = 0L, iterations = 0L,
       message = "closed form at alpha = 2", free = free, cov = diag(c(rep(sigma^2 / n, k), 1 / (2 * n)), k + 1L),
       gradient = numeric(k + 1L))
}
