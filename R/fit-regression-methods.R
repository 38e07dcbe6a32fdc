# Constructs the object that stable_lm() returns; its methods.  Predictions are in fit-regression-predict.R.

new_stable_lm <- function(est, model, frame, formulas, rounding, se, control) {
  call <- control$call
  own <- regression_estimates(est, model)
  law <- law_of_predictors(model$predictors, own$free_coefficients)
  if (identical(law$alpha, 2)) own$coefficients[own$parameter == "beta" & !own$held] <- NA_real_
  vcov <- if (se && !is.null(own$vcov)) covariance_in_range(own$vcov) else own$vcov_unknown
  converged <- !is.null(est$cov) && all(abs(est$gradient) < 1e-3)
  fitted <- stats::setNames(law$location, rownames(frame))
  residuals <- unname(model$y - fitted)
  fit <- structure(c(list(
    coefficients = own$coefficients, vcov = vcov, loglik = est$loglik, method = "mle", pm = 0L,
    nobs = total_weight(model), df = free_coefficient_count(own), fixed = names(which(own$held))),
    errors_with(residuals, law, vcov), list(
    notes = c(regression_notes(est, law, model, own, se), if (se && !is.null(own$vcov)) range_note(own$vcov)),
    convergence = list(code = est$code, message = est$message, iterations = est$iterations, gradient = est$gradient,
                       converged = converged),
    se = se, rounding = rounding, control = control[names(control) != "call"], fitted.values = fitted,
    residuals = residuals, law = law[c("alpha", "beta", "scale")], parameter = own$parameter,
    predictors = lapply(model$predictors, kept_predictor), weights = model$weights,
    na.action = attr(frame, "na.action"), call = call, formula = formulas$location, formulas = formulas,
    terms = model$predictors$location$terms, model = frame, xlevels = model$predictors$location$xlevels,
    contrasts = model$predictors$location$contrasts
  )), class = c("stablefit_lm", "stablefit"))
  if (!converged) warn_not_converged(fit, call)
  fit
}

# Returns the number of free coefficients.  With alpha fixed at 2, those of beta are not parameters.
free_coefficient_count <- function(own) {
  is_normal <- isTRUE(own$held["alpha"] & own$coefficients["alpha"] == 2)
  as.numeric(sum(!own$held & !(is_normal & own$parameter == "beta")))
}

# Returns the parts of a predictor that the fitted object contains.
kept_predictor <- function(p) {
  p[intersect(names(p), c("natural", "labels", "held", "link", "terms", "xlevels", "contrasts"))]
}

# Transforms the coordinates to coefficients in the user's units, with their covariance.
regression_estimates <- function(est, model) {
  whose <- coordinate_parameters(model)
  J <- diag(1, length(est$v))
  free <- lapply(model$predictors, function(p) {
    own <- est$v[whose == p$name]
    unit <- if (p$name == "location") est$unit else 1
    if (!p$natural) return(stats::setNames(predictor_coefficients(p, own) * unit, setdiff(p$labels, names(p$held))))
    stats::setNames(p$link$inverse(own) * if (p$name == "scale") est$unit else 1, setdiff(p$labels, names(p$held)))
  })
  for (p in model$predictors) {
    at <- whose == p$name
    if (any(at)) J[at, at] <- if (!p$natural)
        backsolve(p$R, diag(ncol(p$R))) * (if (p$name == "location") est$unit else 1)
      else if (p$name == "scale") free$scale else 1
  }
  labels <- unlist(lapply(model$predictors, `[[`, "labels"), use.names = FALSE)
  held <- stats::setNames(labels %in% unlist(lapply(model$predictors, function(p) names(p$held))), labels)
  values <- stats::setNames(numeric(length(labels)), labels)
  for (p in model$predictors) values[p$labels] <- c(free[[p$name]], p$held)[p$labels]
  unknown <- matrix(NA_real_, length(labels), length(labels), dimnames = list(labels, labels))
  V <- NULL
  if (!is.null(est$cov)) {
    inner <- matrix(0, length(est$v), length(est$v))
    inner[est$free, est$free] <- est$cov
    V <- unknown
    stays <- if (is.null(est$along)) !est$free else rowSums((J %*% est$along)^2) < 1e-16 * rowSums(J^2)
    V[!held, !held] <- mark_unknown(J %*% inner %*% t(J), stays)
  }
  parameter <- rep(regression_parameters, vapply(model$predictors, function(p) length(p$labels), 0L))
  list(coefficients = values, free_coefficients = free, vcov = V, vcov_unknown = unknown, held = held,
       parameter = stats::setNames(parameter, labels))
}

# Returns the parameters, in the user's units, given the free coefficients of each predictor: one number, or one for
# each row of the model matrices.
law_of_predictors <- function(predictors, coefficients) {
  lapply(predictors, function(p) {
    b <- coefficients[[p$name]]
    if (p$natural) return(if (length(b)) unname(b) else p$link$inverse(p$offset))
    eta <- drop(p$X %*% b)
    unname(p$link$inverse(eta + offset_of(p)))
  })
}

# Returns data, theta and theta.vcov of a fit of one distribution: of the errors if they have one, of the errors divided
# by their scale if only this varies, and otherwise of the quantile residuals, for which it is the normal distribution.
errors_with <- function(residuals, law, vcov) {
  V <- matrix(NA_real_, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  constant <- lengths(law) == 1L
  if (!constant[["alpha"]] || !constant[["beta"]]) {
    theta <- c(alpha = 2, beta = 0, gamma = sqrt(0.5), delta = 0)
    return(list(data = quantile_residuals(residuals, law), theta = theta, theta.vcov = V))
  }
  gamma <- if (constant[["scale"]]) law$scale else 1
  known <- intersect(fit_parameters, rownames(vcov))
  V[known, known] <- vcov[known, known]
  list(data = if (constant[["scale"]]) residuals else residuals / law$scale,
       theta = c(alpha = law$alpha, beta = law$beta, gamma = gamma, delta = 0), theta.vcov = V)
}

quantile_residuals <- function(r, law) {
  prob <- function(lower) pstable(r, law$alpha, law$beta, law$scale, lower.tail = lower, log.p = TRUE)
  normal_quantiles(prob(TRUE), prob(FALSE))
}

regression_notes <- function(est, law, model, own, se) {
  alpha <- model$predictors$alpha
  beta <- law$beta
  at_bound <- function(name) any(!est$free[coordinate_parameters(model) == name])
  c(if (identical(law$alpha, 2))
      "The errors are Gaussian with standard deviation sqrt(2) gamma; beta is not identified."
    else if (alpha$natural && at_bound("alpha")) "alpha is at its lower bound, control$alpha.min.",
    if (!is.null(est$along)) "Fitted values of alpha are at their lower bound, control$alpha.min.",
    if (!alpha$natural && any(law$alpha > 1.999)) diverging_note("alpha", "2"),
    if (!model$predictors$beta$natural && any(abs(beta) > 0.999)) diverging_note("beta", "-1 or 1"),
    if (at_bound("beta") && !identical(law$alpha, 2)) sprintf("beta is at its bound %d.", as.integer(beta)),
    if (!all(est$free) || !is.null(est$along))
      "Standard errors of the other parameters treat those at a bound as fixed.",
    if (se && is.null(est$cov)) "The observed information is not positive definite: no standard errors are available.")
}

diverging_note <- function(name, bound) {
  paste0("Fitted values of ", name, " are close to ", bound, ": its coefficients are hardly identified and may ",
         "diverge. Use fewer regressors of ", name, ", or fix a coefficient.")
}

# TRUE if parameters other than the location have formulas.
has_formulas <- function(object) any(!vapply(object$predictors[-1L], `[[`, NA, "natural"))

# Returns a fit of class "stablefit" of the errors, with the residuals as its sample.
errors_of <- function(object) {
  object$coefficients <- object$theta
  object$vcov <- object$theta.vcov
  class(object) <- "stablefit"
  object
}

#' @rdname stable_lm
#' @export
fitted.stablefit_lm <- function(object, ...) {
  check_dots(...)
  stats::napredict(object$na.action, object$fitted.values)
}

#' @rdname stable_lm
#' @export
residuals.stablefit_lm <- function(object, type = c("response", "quantile", "pit"), ...) {
  check_dots(...)
  type <- choice_of(type)
  errors <- replace(errors_of(object), "na.action", list(NULL))
  values <- if (type == "response") object$residuals else stats::residuals(errors, type)
  stats::naresid(object$na.action, stats::setNames(values, names(object$fitted.values)))
}

#' @rdname stable_lm
#' @export
coef.stablefit_lm <- function(object, parameter = c("all", "location", "scale", "alpha", "beta"), ...) {
  check_dots(..., allowed = "complete")
  parameter <- choice_of(parameter)
  if (parameter == "all") return(object$coefficients)
  own <- object$coefficients[object$parameter == parameter]
  if (parameter == "location" || object$predictors[[parameter]]$natural) return(own)
  stats::setNames(own, substring(names(own), nchar(parameter) + 2L))
}

#' @rdname stable_lm
#' @export
model.frame.stablefit_lm <- function(formula, ...) {
  check_dots(...)
  formula$model
}

#' @rdname stable_lm
#' @export
model.matrix.stablefit_lm <- function(object, parameter = c("location", "scale", "alpha", "beta"), ...) {
  check_dots(...)
  parameter_matrix(object, choice_of(parameter), object$model)
}

# Returns the model matrix of a parameter for a model frame; a column of ones if its formula is ~ 1.
parameter_matrix <- function(object, parameter, frame) {
  p <- object$predictors[[parameter]]
  if (p$natural) return(matrix(1, nrow(frame), 1L, dimnames = list(rownames(frame), p$labels)))
  stats::model.matrix(stats::delete.response(p$terms), frame, contrasts.arg = p$contrasts)
}

#' @rdname stable_lm
#' @export
formula.stablefit_lm <- function(x, parameter = c("location", "scale", "alpha", "beta"), ...) {
  check_dots(..., allowed = "env")                         # add1() passes this argument of formula.default()
  parameter <- choice_of(parameter)
  own <- x$formulas[[parameter]]
  if (parameter == "location" || length(own) == 2L) own else own[-2L]
}

#' @rdname stable_lm
#' @export
case.names.stablefit_lm <- function(object, full = FALSE, ...) {
  check_dots(...)
  check_flag(full, "full", sys.call())
  names <- names(stats::residuals(object))
  w <- stats::weights(object)
  if (full || is.null(w)) names else names[is.na(w) | w != 0]
}

#' @rdname stable_lm
#' @export
variable.names.stablefit_lm <- function(object, full = FALSE, ...) {
  check_dots(...)
  check_flag(full, "full", sys.call())
  names(coef(object, "location"))
}

#' @rdname stable_lm
#' @export
labels.stablefit_lm <- function(object, ...) {
  check_dots(...)
  attr(object$terms, "term.labels")
}

#' @rdname stable_lm
#' @export
simulate.stablefit_lm <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  samples <- simulated_responses(object, nsim, seed, sys.call())
  padded <- lapply(samples, function(y) stats::napredict(object$na.action, y))
  rows <- names(stats::napredict(object$na.action, object$fitted.values))
  structure(padded, seed = attr(samples, "seed"), row.names = rows, class = "data.frame")
}

simulated_responses <- function(object, nsim, seed, call) {
  law <- object$law
  n <- length(object$fitted.values)
  response <- unname(stats::model.response(object$model))
  samples <- seeded_samples(nsim, seed, call, function() {
    y <- rstable(n, law$alpha, law$beta, law$scale, 0) + unname(object$fitted.values)
    if (is.null(object$rounding)) y else response + object$rounding * round((y - response) / object$rounding)
  })
  structure(samples, row.names = seq_len(n), class = "data.frame")
}

#' @rdname stable_lm
#' @export
plot.stablefit_lm <- function(x, ...) {
  check_given()
  with_call(sys.call(), graphics::plot(errors_of(x), ...))
  invisible(x)
}

# Returns the scores of the coefficients that are not fixed, weighted, in the user's units: a row for each observation.
coefficient_scores <- function(object) {
  law <- object$law
  score <- parameter_scores(object$residuals, law$alpha, law$beta, law$scale, 0)
  values <- c(list(location = object$fitted.values), law)
  columns <- lapply(regression_parameters, function(name) {
    p <- object$predictors[[name]]
    slope <- if (p$natural) 1 else p$link$slope(values[[name]])
    score[, score_of_parameter[[name]]] * slope * parameter_matrix(object, name, object$model)
  })
  s <- do.call(cbind, columns)
  dimnames(s) <- list(NULL, names(object$coefficients))
  if (is.null(object$weights)) s else object$weights * s
}

#' @exportS3Method generics::augment
augment.stablefit_lm <- function(x, data = NULL, ...) {
  check_dots(...)
  added <- data.frame(.fitted = stats::fitted(x), .resid = stats::residuals(x))
  if (is.null(data)) data <- if (nrow(x$model) == nrow(added)) x$model else
    stop_with(sys.call(), "argument", "`data` must be given: na.exclude keeps rows with missing values, which the fit ",
              "does not contain.")
  cbind(check_augmented(data, nrow(added), x$na.action, sys.call()), added)
}

#' @exportS3Method ggplot2::autoplot
autoplot.stablefit_lm <- function(object, ...) {
  check_given()
  with_call(sys.call(), ggplot2::autoplot(errors_of(object), ...))
}
