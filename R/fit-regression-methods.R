# Constructs the object that stable_lm() returns; its methods.

new_stable_lm <- function(est, model, frame, se, call) {
  k <- ncol(model$X)
  own <- regression_estimates(est, model)
  theta <- c(own$coefficients[k + 1:3], delta = 0)
  if (theta[["alpha"]] == 2) own$coefficients[["beta"]] <- NA_real_
  vcov <- if (se && !is.null(own$vcov)) own$vcov else own$vcov_unknown
  V <- matrix(NA_real_, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  V[1:3, 1:3] <- vcov[k + 1:3, k + 1:3]
  converged <- !is.null(est$cov) && all(abs(est$gradient) < 1e-3)
  fitted <- stats::setNames(drop(model$X %*% own$coefficients[seq_len(k)]), rownames(frame))
  fit <- structure(list(
    coefficients = own$coefficients, vcov = vcov, loglik = est$loglik,
    method = "mle", pm = 0L, nobs = length(model$y), df = k + 3, fixed = character(), theta = theta, theta.vcov = V,
    notes = regression_notes(est, theta, k, se),
    convergence = list(code = est$code, message = est$message, iterations = est$iterations, gradient = est$gradient,
                       converged = converged),
    se = se, data = unname(model$y - fitted), fitted.values = fitted, na.action = attr(frame, "na.action"), call = call,
    formula = stats::formula(attr(frame, "terms")), terms = attr(frame, "terms"), model = frame,
    xlevels = stats::.getXlevels(attr(frame, "terms"), frame), contrasts = attr(model$X, "contrasts")
  ), class = c("stablefit_lm", "stablefit"))
  if (!converged) warn_not_converged(fit, call)
  fit
}

# Transforms (c, alpha, beta, log gamma), in units of the residuals, to (b, alpha, beta, gamma) in the user's units.
regression_estimates <- function(est, model) {
  k <- ncol(model$X)
  gamma <- exp(est$v[[k + 3L]]) * est$unit
  names <- c(colnames(model$X), "alpha", "beta", "gamma")
  J <- diag(c(rep(1, k + 2L), gamma), k + 3L)
  J[seq_len(k), seq_len(k)] <- solve(model$R) * est$unit
  coefficients <- c(solve(model$R, est$v[seq_len(k)]) * est$unit, est$v[k + 1:2], gamma)
  unknown <- matrix(NA_real_, k + 3L, k + 3L, dimnames = list(names, names))
  V <- NULL
  if (!is.null(est$cov)) {
    V <- matrix(0, k + 3L, k + 3L)
    V[est$free, est$free] <- est$cov
    V <- mark_unknown(J %*% V %*% t(J), !est$free)
    dimnames(V) <- dimnames(unknown)
  }
  list(coefficients = stats::setNames(coefficients, names), vcov = V, vcov_unknown = unknown)
}

regression_notes <- function(est, theta, k, se) {
  shape <- est$free[k + 1:2]
  c(if (theta[["alpha"]] == 2) "The errors are Gaussian with standard deviation sqrt(2) gamma; beta is not identified."
    else if (!shape[1L]) "alpha is at its lower bound, control$alpha.min.",
    if (!shape[2L] && theta[["alpha"]] < 2) sprintf("beta is at its bound %d.", as.integer(theta[["beta"]])),
    if (!all(est$free)) "Standard errors of the other parameters treat those at a bound as fixed.",
    if (se && is.null(est$cov)) "The observed information is not positive definite: no standard errors are available.")
}

# Returns a fit of class "stablefit" of the errors, with the residuals as its sample.
errors_of <- function(object) {
  object$coefficients <- object$theta
  object$vcov <- object$theta.vcov
  class(object) <- "stablefit"
  object
}

#' @rdname stable_lm
#' @importFrom stats fitted formula model.frame model.matrix
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
  if (type != "response") return(stats::residuals(errors_of(object), type))
  stats::naresid(object$na.action, stats::setNames(object$data, names(object$fitted.values)))
}

#' @rdname stable_lm
#' @export
model.frame.stablefit_lm <- function(formula, ...) {
  check_dots(...)
  formula$model
}

#' @rdname stable_lm
#' @export
model.matrix.stablefit_lm <- function(object, ...) {
  check_dots(...)
  stats::model.matrix(object$terms, object$model, contrasts.arg = object$contrasts)
}

#' @rdname stable_lm
#' @export
formula.stablefit_lm <- function(x, ...) {
  check_dots(...)
  x$formula
}

#' @rdname stable_lm
#' @export
predict.stablefit_lm <- function(object, newdata, se.fit = FALSE, interval = c("none", "confidence"), level = 0.95,
                                 probs = NULL, ...) {
  call <- sys.call()
  check_dots(...)
  interval <- choice_of(interval)
  level <- check_level(level, call)
  check_flag(se.fit, "se.fit", call)
  X <- if (missing(newdata)) stats::model.matrix(object) else new_regressors(object, newdata, call)
  k <- seq_len(ncol(X))
  at <- drop(X %*% object$coefficients[k])
  if (!is.null(probs)) {
    if (se.fit || interval != "none")
      stop_with(call, "argument", "Standard errors are not available for quantiles: omit either `probs` or both ",
                "`se.fit` and `interval`.")
    return(outer(at, predict.stablefit(errors_of(object), check_numeric_values(probs, "probs", call)), `+`))
  }
  sd <- sqrt(rowSums((X %*% object$vcov[k, k]) * X))
  if (interval == "confidence") {
    reach <- stats::qnorm((1 + level) / 2) * sd
    at <- cbind(fit = at, lwr = at - reach, upr = at + reach)
  }
  if (se.fit) list(fit = at, se.fit = sd) else at
}

new_regressors <- function(object, newdata, call) {
  refuse <- function(e) stop_with(call, "argument", "`newdata` must be a data frame with the variables of the ",
                                  "formula, not ", value_text(newdata), ".")
  if (!is.list(newdata) && !is.environment(newdata)) refuse()
  if (is.object(newdata) && !is.data.frame(newdata)) newdata <- tryCatch(as.data.frame(newdata), error = refuse)
  terms <- stats::delete.response(object$terms)
  frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
  stats::model.matrix(terms, frame, contrasts.arg = object$contrasts)
}

#' @rdname stable_lm
#' @export
simulate.stablefit_lm <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  errors <- simulated_samples(errors_of(object), nsim, seed, sys.call())
  responses <- lapply(errors, `+`, unname(object$fitted.values))
  attributes(responses) <- attributes(errors)
  responses
}

#' @rdname stable_lm
#' @export
plot.stablefit_lm <- function(x, ...) {
  check_given()
  with_call(sys.call(), graphics::plot(errors_of(x), ...))
  invisible(x)
}

#' @rdname stable_lm
#' @export
anova.stablefit_lm <- function(object, ...) {
  call <- sys.call()
  check_given()
  check_further_fits(...)
  fits <- list(object, ...)
  if (length(fits) < 2L || !all(vapply(fits, inherits, NA, "stablefit_lm")))
    stop_with(call, "argument", "anova() requires two or more regressions by stable_lm().")
  fits <- fits[order(vapply(fits, `[[`, 0, "df"))]
  for (i in seq_along(fits)[-1L]) check_nested_regressions(fits[[i - 1L]], fits[[i]], call)
  for (i in seq_along(fits)[-1L]) warn_of_lower(fits[[i - 1L]], fits[[i]], call)
  df <- vapply(fits, `[[`, 0, "df")
  ratio <- c(NA, vapply(seq_along(fits)[-1L], function(i) likelihood_ratio(fits[[i - 1L]], fits[[i]]), 0))
  p <- stats::pchisq(ratio, c(NA, diff(df)), lower.tail = FALSE)
  models <- vapply(fits, function(fit) deparse_call(fit$formula), "")
  table <- data.frame(npar = df, AIC = vapply(fits, stats::AIC, 0), logLik = vapply(fits, `[[`, 0, "loglik"),
                      Chisq = ratio, Df = c(NA, diff(df)), "Pr(>Chisq)" = p, check.names = FALSE)
  structure(table, heading = c("Likelihood-ratio tests of regressions with stable errors\n",
                               paste0("Model ", seq_along(fits), ": ", models), ""), class = c("anova", "data.frame"))
}

check_nested_regressions <- function(small, large, call) {
  response <- function(fit) unname(stats::model.response(fit$model))
  if (!identical(response(small), response(large)))
    stop_with(call, "argument", "The regressions must have the same response.")
  X <- stats::model.matrix(large)
  if (small$df >= large$df || qr(cbind(X, stats::model.matrix(small)))$rank > ncol(X))
    stop_with(call, "argument", "The models are not nested: ", deparse_call(small$formula), " and ",
              deparse_call(large$formula), ".")
}

#' @exportS3Method generics::augment
augment.stablefit_lm <- function(x, data = NULL, ...) {
  check_dots(...)
  added <- data.frame(.fitted = stats::fitted(x), .resid = stats::residuals(x))
  if (is.null(data)) data <- if (is.null(x$na.action)) x$model else
    stop_with(sys.call(), "argument", "`data` must be given, because the fit omits rows with missing values.")
  cbind(check_augmented(data, nrow(added), sys.call()), added)
}

#' @exportS3Method ggplot2::autoplot
autoplot.stablefit_lm <- function(object, ...) {
  check_given()
  with_call(sys.call(), ggplot2::autoplot(errors_of(object), ...))
}
