# The model of stable_lm(): a linear predictor for each parameter.
#
#     location  mu = x'b + offset              gamma = exp(z'c + offset)
#     alpha = 2/(1 + exp(-u'd - offset))       beta = tanh((w'e + offset)/2)
#
# A parameter whose formula is ~ 1 is estimated itself: its predictor is `natural`, and its coefficient is called alpha,
# beta or gamma.  All other predictors have the columns of a model matrix X = QR; Q has orthogonal columns of length
# sqrt(n).  Fixed coefficients belong to the offset.  The order of the parameters is that of the coefficients.

regression_parameters <- c("location", "alpha", "beta", "scale")

# The column of stable_quick() for each parameter.
score_of_parameter <- c(location = "delta", alpha = "alpha", beta = "beta", scale = "gamma")

# Inverse links, their derivatives with respect to the predictor, given the parameter, and the links.
identity_link <- list(name = "identity", inverse = function(eta) eta, slope = function(value) 1,
                      link = function(value) value)
log_link <- list(name = "log", inverse = exp, slope = function(value) value, link = log)
alpha_link <- list(name = "logit of alpha/2", inverse = function(eta) 2 * stats::plogis(eta),
                   slope = function(value) value * (2 - value) / 2, link = function(value) stats::qlogis(value / 2))
beta_link <- list(name = "logit of (1 + beta)/2", inverse = function(eta) tanh(eta / 2),
                  slope = function(value) (1 - value^2) / 2, link = function(value) 2 * atanh(value))
regression_links <- list(location = identity_link, alpha = alpha_link, beta = beta_link, scale = log_link)

# Returns the formulas of all parameters as two-sided ones, with the response of the first.
regression_formulas <- function(formula, others, data, call) {
  if (!inherits(formula, "formula"))
    stop_with(call, "argument", "`formula` must be a formula such as y ~ x, not ", value_text(formula), ".")
  for (name in names(others))
    if (!inherits(others[[name]], "formula") || length(others[[name]]) != 2L)
      stop_with(call, "argument", "`", name, "` must be a formula without a response such as ~ z, not ",
                value_text(others[[name]]), ".")
  response <- if (length(formula) == 3L) formula[[2L]]
  c(list(location = formula), lapply(others, function(f) {
    whole <- eval(as.call(c(quote(`~`), response, f[[2L]])))
    environment(whole) <- environment(f)
    if ("." %in% all.vars(whole)) stats::formula(stats::terms(whole, data = data)) else whole
  }))
}

is_intercept <- function(formula) identical(formula[[length(formula)]], 1)

# Returns one formula with the variables of all, and an environment in which they are found.  expressions: unevaluated
# arguments, whose variables are those of the first formula.
joint_formula <- function(formulas, data, expressions, call) {
  f <- formulas$location
  others <- formulas[-1L][!vapply(formulas[-1L], is_constant, NA)]
  if (!length(others)) return(f)
  environment(f) <- joint_environment(f, others, data, expressions, call)
  if ("." %in% all.vars(f)) f <- stats::formula(stats::terms(f, data = data))
  f[[length(f)]] <- Reduce(function(a, b) call("+", a, b), lapply(c(list(f), others), function(g) g[[length(g)]]))
  f
}

# Returns the environment of the formula f with what other formulas find in theirs.  A name that has two values is an
# error.
joint_environment <- function(f, others, data, expressions, call) {
  joint <- new.env(parent = environment(f))
  names_in <- function(expressions) setdiff(unlist(lapply(expressions, all.names)), names(data))
  used <- names_in(c(list(f), expressions))
  for (parameter in names(others)) {
    own <- others[[parameter]]
    own_names <- unique(names_in(list(own[[length(own)]])))
    for (name in own_names) {
      mode <- if (name %in% all.vars(own)) "any" else "function"
      value <- get0(name, environment(own), mode)
      if (is.null(value) || identical(value, get0(name, joint, mode))) next
      if (name %in% used)
        stop_with(call, "argument", "`", parameter, "` uses another ", name, " than the other formulas; rename it.")
      assign(name, value, joint)
    }
    used <- c(used, own_names)
  }
  if (length(ls(joint, all.names = TRUE))) joint else environment(f)
}

# Returns the model frame; `call`, that of stable_lm(), contains the unevaluated arguments subset, weights and offset.
regression_frame <- function(formulas, data, na.action, call) {
  extra <- as.list(call)[intersect(names(call), c("subset", "weights", "offset"))]
  request <- as.call(c(list(quote(stats::model.frame), joint_formula(formulas, data, extra, call), data = data,
                            na.action = na.action, drop.unused.levels = TRUE), extra))
  eval(request)
}

deparse_each <- function(variables) vapply(as.list(variables)[-1L], deparse1, "")

# Returns the terms of one formula, with the bases of polynomials, splines, ... that the joint frame has computed.
own_terms <- function(formula, frame, data) {
  all <- attr(frame, "terms")
  t <- stats::terms(formula, data = if (is.data.frame(data)) data)
  at <- match(deparse_each(attr(t, "variables")), deparse_each(attr(all, "variables")))
  attr(t, "predvars") <- as.call(c(quote(list), as.list(attr(all, "predvars"))[-1L][at]))
  attr(t, "dataClasses") <- attr(all, "dataClasses")[at]
  t
}

# Returns the sum of the offset() terms; NULL if there are none.
term_offset <- function(t, frame) {
  names <- deparse_each(attr(t, "variables"))[attr(t, "offset")]
  if (length(names)) Reduce(`+`, lapply(names, function(name) as.numeric(frame[[name]])))
}

# Returns the sum of two offsets, each of which may be NULL: none.
sum_of <- function(a, b) if (is.null(a)) b else if (is.null(b)) a else a + b

# Returns the offset of a predictor, 0 if it has none.
offset_of <- function(p) if (is.null(p$offset)) 0 else p$offset

# Returns the contrasts of the variables that a formula has.
own_contrasts <- function(contrasts, t) contrasts[names(contrasts) %in% deparse_each(attr(t, "variables"))]

check_contrasts <- function(contrasts, call) {
  if (!is.null(contrasts) && (!is.list(contrasts) || is.null(names(contrasts))))
    stop_with(call, "argument", "`contrasts` must be NULL or a named list, not ", value_text(contrasts), ".")
}

# Raises an error for contrasts of an unknown variable.  One of the data may be absent from the formulas, from which
# drop1() omits terms.
check_contrast_names <- function(contrasts, frame, data, call) {
  if (!is.data.frame(data)) return()
  odd <- setdiff(names(contrasts), c(names(frame), names(data)))
  if (length(odd))
    stop_with(call, "argument", "`contrasts` must have names of variables, but ", sQuote(odd[1L], FALSE),
              " is neither in the formulas nor in `data`.")
}

# Returns the predictor of a parameter with a formula: its terms, model matrix and offset.
formula_predictor <- function(name, formula, frame, data, contrasts, call) {
  t <- if (name == "location" && identical(formula, stats::formula(attr(frame, "terms")))) attr(frame, "terms")
    else own_terms(formula, frame, data)
  X <- value_or(stats::model.matrix(t, frame, contrasts.arg = own_contrasts(contrasts, t)),
                function(e) stop_with(call, "argument", sentence(conditionMessage(e))))
  offset <- term_offset(t, frame)
  given <- if (name == "location") frame[["(offset)"]]
  offset <- sum_of(offset, if (!is.null(given)) check_offset(given, nrow(X), call))
  list(name = name, natural = FALSE, link = regression_links[[name]], terms = t, X = X, offset = offset,
       labels = if (name == "location") colnames(X) else sprintf("%s_%s", name, colnames(X)),
       xlevels = stats::.getXlevels(t, frame), contrasts = attr(X, "contrasts"))
}

check_offset <- function(offset, n, call) {
  if (!is.numeric(offset) || length(offset) != n)
    stop_with(call, "argument", "`offset` must be one number for each observation, not ", value_text(offset), ".")
  as.vector(offset)
}

# Returns the predictor of a parameter that is estimated itself.
natural_predictor <- function(name, n, least) {
  list(name = name, natural = TRUE, link = if (name == "scale") log_link else identity_link,
       X = matrix(1, n, 1L), labels = if (name == "scale") "gamma" else name,
       lower = c(alpha = least, beta = -1, scale = -30)[[name]], upper = c(alpha = 2, beta = 1, scale = 30)[[name]])
}

# Returns the response, the weights (NULL: 1) and the predictors.
regression_model <- function(formulas, frame, data, contrasts, control) {
  call <- control$call
  y <- stats::model.response(frame)
  predictors <- lapply(stats::setNames(nm = regression_parameters), function(name) {
    if (name != "location" && is_intercept(formulas[[name]])) natural_predictor(name, nrow(frame), control$alpha.min)
    else formula_predictor(name, formulas[[name]], frame, data, contrasts, call)
  })
  if (inherits(y, "Surv"))
    stop_with(call, "data", "Regressions do not support censored responses; for a sample use stablefit(Surv(...)).")
  if (!is.numeric(y) || is.matrix(y)) stop_with(call, "data", "The response must be one numeric variable.")
  sums <- lapply(predictors, function(p) rowSums(p$X) + offset_of(p))
  bad <- which(!is.finite(y) | !is.finite(Reduce(`+`, sums)))
  if (length(bad))
    stop_with(call, "data", "Response and regressors must be finite, but row ", rownames(frame)[bad[1L]],
              " is not (non-finite rows: ", length(bad), ").")
  model <- list(y = as.vector(y), weights = regression_weights(frame, call), predictors = predictors)
  check_labels(model, call)
  model
}

# Returns NULL or the weights.
regression_weights <- function(frame, call) {
  w <- frame[["(weights)"]]
  if (is.null(w)) return(NULL)
  bad <- if (is.numeric(w)) which(!(is.finite(w) & w >= 0)) else 1L
  if (length(bad) || is.matrix(w) || !any(w > 0))
    stop_with(call, "argument", "`weights` must be finite and non-negative numbers, not all 0",
              if (length(bad)) paste0(", but element ", bad[1L], " is ", value_text(w[[bad[1L]]])), ".")
  as.double(w)
}

check_labels <- function(model, call) {
  clash <- intersect(colnames(model$predictors$location$X), fit_parameters)
  if (length(clash)) stop_with(call, "argument", "A regressor must not be called ", clash[1L], "; rename it.")
  labels <- unlist(lapply(model$predictors, `[[`, "labels"))
  twice <- anyDuplicated(labels)
  if (twice) stop_with(call, "argument", "Two coefficients are called ", labels[[twice]], "; rename a regressor.")
}

# Moves the coefficients that are fixed, a named vector in the user's units, to the offsets.
fix_coefficients <- function(model, fixed) {
  model$predictors <- lapply(model$predictors, function(p) {
    held <- p$labels %in% names(fixed)
    p$held <- fixed[p$labels[held]]
    if (any(held)) {
      values <- if (p$natural) p$link$link(p$held) else p$held
      added <- if (p$natural) unname(values) else drop(p$X[, held, drop = FALSE] %*% values)
      p$offset <- sum_of(p$offset, added)
      p$X <- p$X[, !held, drop = FALSE]
    }
    p
  })
  model
}

# Adds orthogonal columns to all predictors, or raises an error for too few observations and collinear regressors.  Rows
# of weight 0 do not count; their orthogonal columns are 0.
orthogonal_model <- function(model, call) {
  used <- if (is.null(model$weights)) rep(TRUE, length(model$y)) else model$weights > 0
  n <- sum(used)
  p <- model$predictors
  columns <- sum(vapply(p, function(p) if (p$natural) 0L else ncol(p$X), 0L))
  if (n < columns + fit_least_n)
    stop_with(call, "data", "Estimating ", columns, " coefficients requires at least ", columns + fit_least_n,
              " observations", if (!all(used)) " with positive weights", "; there are ", n, ".")
  model$predictors <- lapply(p, function(p) {
    if (p$natural || !ncol(p$X)) return(c(p, list(Q = p$X, R = diag(1, ncol(p$X)))))
    qr <- qr(p$X[used, , drop = FALSE])
    if (qr$rank < ncol(p$X))
      stop_with(call, "data", "The regressors", if (p$name != "location") paste(" of", p$name), " are collinear: ",
                colnames(p$X)[qr$pivot[qr$rank + 1L]], " is a linear combination of the others.")
    Q <- matrix(0, length(used), ncol(p$X))
    Q[used, ] <- qr.Q(qr) * sqrt(n)
    c(p, list(Q = Q, R = qr.R(qr) / sqrt(n)))                     # qr() reorders only columns that are collinear
  })
  model
}

# Returns the coefficients of a predictor from its coordinates; none if all are fixed.
predictor_coefficients <- function(p, coordinates) if (ncol(p$Q)) backsolve(p$R, coordinates) else numeric()
