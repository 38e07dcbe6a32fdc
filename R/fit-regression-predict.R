# Predictions of a regression with stable errors.

#' @rdname stable_lm
#' @export
predict.stablefit_lm <- function(object, newdata, se.fit = FALSE, interval = c("none", "confidence"), level = 0.95,
                                 probs = NULL, type = c("location", "scale", "alpha", "beta", "quantile"), ...) {
  call <- sys.call()
  check_dots(...)
  interval <- choice_of(interval)
  level <- check_level(level, call)
  check_flag(se.fit, "se.fit", call)
  type <- if (is.null(probs)) choice_of(type) else check_quantile_type(type, call)
  if (type == "quantile" && is.null(probs)) probs <- 0.5
  needed <- if (type == "quantile") regression_parameters else type
  if (type == "quantile") check_numeric_values(probs, "probs", call)
  if (missing(newdata)) newdata <- NULL
  at <- predicted_predictors(object, newdata, call, needed)
  law <- law_of_predictors(at, free_coefficients(object))
  value <- if (type == "quantile") predicted_quantiles(object, at, law, probs, se.fit, interval, level, call)
    else predicted_parameter(object, at[[type]], law[[type]], se.fit, interval, level)
  if (!is.null(newdata)) return(value)
  if (is.list(value)) lapply(value, stats::napredict, omit = object$na.action)
  else stats::napredict(object$na.action, value)
}

# Returns a parameter, with its standard error and interval.
predicted_parameter <- function(object, p, value, se.fit, interval, level) {
  rows <- rownames(p$X)
  type <- p$name
  fit <- stats::setNames(rep_len(value, length(rows)), rows)
  if (!se.fit && interval == "none") return(fit)
  sd <- predictor_sd(object, p)
  slope <- abs(p$link$slope(fit))
  if (p$natural) slope <- if (type == "scale") fit else 1
  if (interval == "confidence") fit <- link_band(fit, sd, level, object$predictors[[type]], type)
  if (se.fit) list(fit = fit, se.fit = stats::setNames(slope * sd, rows)) else fit
}

# `type` may be omitted if probabilities are given.
check_quantile_type <- function(type, call) {
  choices <- eval(formals(predict.stablefit_lm)$type)
  if (!identical(type, choices) && check_choice(type, choices, "type", call) != "quantile")
    stop_with(call, "argument", "`probs` requires type = \"quantile\", not ", value_text(type), ".")
  "quantile"
}

# Returns the predictors of some parameters with the model matrices and offsets of new data; NULL: of the data of the
# fit.  The variables of the other parameters need not be in the new data.
predicted_predictors <- function(object, newdata, call, parameters = regression_parameters) {
  refuse <- function(e) stop_with(call, "argument", "`newdata` must be a data frame with the variables of the ",
                                  "formula, not ", value_text(newdata), ".")
  if (!is.null(newdata)) {
    if (!is.list(newdata) && !is.environment(newdata)) refuse()
    if (is.object(newdata) && !is.data.frame(newdata)) newdata <- tryCatch(as.data.frame(newdata), error = refuse)
  }
  is_natural <- vapply(object$predictors[parameters], `[[`, NA, "natural")
  with_formula <- lapply(stats::setNames(nm = parameters[!is_natural]), new_predictor, object = object,
                         newdata = newdata, call = call)
  rows <- if (length(with_formula)) rownames(with_formula[[1L]]$X) else if (is.data.frame(newdata)) rownames(newdata)
    else rownames(new_predictor(object, "location", newdata, call)$X)
  natural <- lapply(stats::setNames(nm = parameters[is_natural]), natural_rows, object = object, rows = rows)
  c(with_formula, natural)[parameters]
}

# Returns the predictor of a parameter with the formula ~ 1, with a row for each name.
natural_rows <- function(object, name, rows) {
  p <- object$predictors[[name]]
  c(p, list(name = name, X = matrix(1, length(rows), 1L, dimnames = list(rows, p$labels)),
            offset = p$link$link(p$held)))
}

new_predictor <- function(object, name, newdata, call) {
  p <- object$predictors[[name]]
  t <- stats::delete.response(p$terms)
  frame <- if (is.null(newdata)) object$model else new_frame(t, newdata, p$xlevels, call)
  X <- value_or(stats::model.matrix(t, frame, contrasts.arg = p$contrasts), refuse_newdata(call))
  offset <- term_offset(t, frame)
  if (name == "location" && !is.null(object$call$offset)) {
    given <- if (is.null(newdata)) frame[["(offset)"]]
      else value_or(eval(object$call$offset, newdata, environment(object$formula)), refuse_newdata(call))
    offset <- sum_of(offset, if (!is.null(given)) check_offset(given, nrow(X), call))
  }
  held <- p$labels %in% names(p$held)
  if (any(held)) offset <- sum_of(offset, drop(X[, held, drop = FALSE] %*% p$held))
  c(p, list(name = name, X = X[, !held, drop = FALSE], offset = offset))
}

# Returns the model frame of new data.  Variables must have the classes and the levels of those of the fit; R's
# model.frame() would convert a factor to dummy variables where the fit has numbers.
new_frame <- function(t, newdata, levels, call) {
  refuse <- refuse_newdata(call)
  frame <- value_or(stats::model.frame(t, newdata, na.action = stats::na.pass), refuse)
  for (name in names(levels)) if (is.character(frame[[name]]) || is.factor(frame[[name]])) {
    unknown <- setdiff(as.character(frame[[name]]), c(levels[[name]], NA))
    if (length(unknown))
      stop_with(call, "argument", "`newdata`: ", name, " has the level ", value_text(unknown[1L]), ", which the data ",
                "of the fit lack.")
    frame[[name]] <- factor(frame[[name]], levels[[name]])
  }
  value_or(stats::.checkMFClasses(attr(t, "dataClasses"), frame), refuse)
  frame
}

refuse_newdata <- function(call) {
  function(e) stop_with(call, "argument", "`newdata` does not have the variables of the fit: ", conditionMessage(e),
                        if (!grepl("[.]$", conditionMessage(e))) ".")
}

# Returns for each parameter the coefficients that are not fixed; beta is 0 where it is not identified.
free_coefficients <- function(object) {
  values <- object$coefficients
  values[is.na(values)] <- 0
  lapply(object$predictors, function(p) values[setdiff(p$labels, names(p$held))])
}

free_names <- function(p) setdiff(p$labels, names(p$held))

# Returns the standard errors of the predictor of a parameter, of the scale always on the logarithmic scale.
predictor_sd <- function(object, p) {
  names <- free_names(p)
  if (!length(names)) return(rep(0, nrow(p$X)))
  V <- object$vcov[names, names, drop = FALSE]
  if (p$natural) return(rep(sqrt(V[[1L]]) / if (p$name == "scale") object$law$scale else 1, nrow(p$X)))
  sqrt(rowSums((p$X %*% V) * p$X))
}

# Returns a confidence interval that is symmetric for the predictor, within the bounds of the parameter.
link_band <- function(fit, sd, level, p, parameter) {
  reach <- critical_normal_value(level) * sd
  eta <- p$link$link(fit)
  bounds <- parameter_bounds[[score_of_parameter[[parameter]]]]
  inside <- function(v) pmax(bounds[1L], pmin(bounds[2L], v))
  cbind(fit = fit, lwr = inside(p$link$inverse(eta - reach)), upr = inside(p$link$inverse(eta + reach)))
}

# Returns quantiles of the response, a column for each probability, with standard errors by the delta method: first
# those of asinh(z) with z the quantile of the standardised errors, given location and scale.
predicted_quantiles <- function(object, at, law, probs, se.fit, interval, level, call) {
  rows <- rownames(at$location$X)
  if (interval == "confidence" && length(probs) != 1L)
    stop_with(call, "argument", "Intervals for quantiles require one probability in `probs`, not ", length(probs), ".")
  n <- length(rows)
  alpha <- law$alpha
  beta <- law$beta
  is_one <- length(alpha) == 1L && length(beta) == 1L
  quantiles <- function(alpha, beta)
    matrix(if (is_one) rep(qstable(probs, alpha, beta), each = n) else qstable(rep(probs, each = n), alpha, beta),
           n, length(probs))
  z <- quantiles(alpha, beta)
  q <- law$location + law$scale * z
  dimnames(q) <- list(rows, probability_labels(probs))
  if (!se.fit && interval == "none") return(q)
  rate <- array(asinh_slope(z), dim(z))
  slopes <- list(location = rate / law$scale, scale = z * rate / law$scale,
                 alpha = rate * shape_difference(quantiles, alpha, beta, 1L),
                 beta = rate * shape_difference(quantiles, alpha, beta, 2L))
  one_sd <- function(j) quantile_sd(object, at, law, lapply(slopes, function(s) s[, j]))
  sd_of_link <- array(vapply(seq_along(probs), one_sd, numeric(n)), dim(q), dimnames(q))
  sd_of_link[!is.finite(q)] <- NA
  sd <- sd_of_link / rate * law$scale
  if (interval == "confidence") {
    reach <- critical_normal_value(level) * sd_of_link
    ends <- function(side) law$location + law$scale * sinh(asinh(z) + side * reach)
    q <- matrix(c(q, ends(-1), ends(1)), n, 3L, dimnames = list(rows, c("fit", "lwr", "upr")))
  }
  if (se.fit) list(fit = q, se.fit = sd) else q
}

# Returns derivatives of quantiles with respect to alpha (which = 1) or beta, by differences inside the parameter space.
shape_difference <- function(f, alpha, beta, which) {
  h <- 1e-4
  at <- if (which == 1L) alpha else beta
  low <- pmax(at - h, if (which == 1L) 0.01 else -1)
  high <- pmin(at + h, if (which == 1L) 2 else 1)
  if (which == 1L) (f(high, beta) - f(low, beta)) / (high - low) else (f(alpha, high) - f(alpha, low)) / (high - low)
}

# Returns the standard errors of quantiles; slopes: their derivatives with respect to each parameter.
quantile_sd <- function(object, at, law, slopes) {
  G <- do.call(cbind, lapply(regression_parameters, function(name) {
    p <- at[[name]]
    names <- free_names(p)
    known <- names[!is.na(diag(object$vcov)[names])]
    slope <- slopes[[name]] * if (p$natural) 1 else p$link$slope(law[[name]])
    X <- p$X
    colnames(X) <- if (p$natural) p$labels else names
    slope * X[, known, drop = FALSE]
  }))
  if (!ncol(G)) return(rep(NA_real_, nrow(G)))
  unname(sqrt(rowSums((G %*% object$vcov[colnames(G), colnames(G)]) * G)))
}
