# Linear regression with stable errors, by maximum likelihood.
#
#     y_i = x_i' b + e_i,      e_i ~ S0(alpha_i, beta_i, gamma_i, 0)
#
# The model is in fit-regression-model.R, the maximisation in fit-regression-search.R.

#' Regression with stable errors
#'
#' Fits \eqn{y_i = x_i^T b + e_i}{y[i] = x[i]' b + e[i]} with errors from a stable distribution by maximum likelihood,
#' for the coefficients and the parameters of the errors jointly; scale, `alpha` and `beta` of the errors may depend on
#' regressors, too.  `stablefit()` with a formula does the same.
#'
#' The errors have the S0 distribution with location 0, so that \eqn{x^T b}{x' b} is the S0 location of the response,
#' close to its mode. For `alpha > 1` the mean of the response is \eqn{x^T b - \beta\gamma\tan(\pi\alpha/2)}{x' b - beta
#' gamma tan(pi alpha/2)}. Least squares is the special case `alpha = 2`; for `alpha < 2` its estimates converge more
#' slowly (with the rate \eqn{n^{1/\alpha-1}}{n^(1/alpha - 1)} of the mean) than maximum-likelihood estimates, whose
#' standard errors decrease like \eqn{n^{-1/2}}{n^(-1/2)} (DuMouchel 1973; Nolan and Ojeda-Revah 2013).
#'
#' The optimisation starts from least absolute deviations and the quantile estimate of their residuals, and uses the
#' approximations of [stable_quick()]; the log-likelihood of the result is exact.  Standard errors come from the
#' observed information; those of parameters at a bound are `NA`, and the others are conditional on these parameters, as
#' for a sample.  If the normal distribution is as likely, `alpha` is 2, `beta` is `NA` and the coefficients are those
#' of [lm()].
#'
#' @section Regression of all parameters:
#' A parameter with a formula has a linear predictor \eqn{\eta}{eta}, to which it is related by a link function:
#'
#' | parameter | link | inverse | names of the coefficients |
#' |---|---|---|---|
#' | location | identity | \eqn{\eta}{eta} | as in [lm()] |
#' | scale `gamma` | log | \eqn{e^\eta}{exp(eta)} | `scale_(Intercept)`, `scale_z`, ... |
#' | `alpha` | logit of `alpha/2` | \eqn{2/(1+e^{-\eta})}{2/(1 + exp(-eta))}, in (0, 2) | `alpha_(Intercept)`, ... |
#' | `beta` | logit of `(1 + beta)/2` | \eqn{\tanh(\eta/2)}{tanh(eta/2)}, in (-1, 1) | `beta_(Intercept)`, ... |
#'
#' A parameter with the formula `~ 1`, the default, is estimated itself, in its whole range with the bounds included,
#' and its coefficient is `gamma`, `alpha` or `beta`.  A `.` in a formula stands for all variables of `data` but the
#' response.  `offset()` terms may stand in every formula and are added to its predictor; the argument `offset` is added
#' to the location.
#'
#' If only the scale has a formula, a fit takes at most about 1.4 times as long as a regression of the location.  If
#' `alpha` or `beta` have one, every observation has a density of its own, for which a part of the tables of
#' [stable_quick()] is evaluated, on the CPU; factors are faster than continuous regressors.  Fitted values of `alpha`
#' are at least `control$alpha.min`.  Where some of them are at this bound, the estimates maximise the likelihood
#' subject to it, a note of the fit reports this, and standard errors are those for fixed fitted values there.
#'
#' Where all fitted values of `alpha` or `beta` tend to a bound, the coefficients diverge, as those of a logistic
#' regression of separated data; a note of the fit reports this.
#'
#' If only the scale has a formula, residuals of the types `"quantile"` and `"pit"` and plots show the errors divided by
#' their scale.  If `alpha` or `beta` have one, `plot()` shows the quantile residuals
#' \eqn{\Phi^{-1}(F_i(y_i))}{qnorm(F_i(y[i]))}, which are standard normal if the model is right, with the normal
#' distribution.
#'
#' Marginal means by package \pkg{emmeans}, such as `emmeans::emmeans(fit, "g", parameter = "scale")`, are those of the
#' location or of a parameter with a formula.
#'
#' `drop1()`, `add1()` and [stats::step()] treat the terms of the location; for those of another parameter use
#' `update(fit, scale = ~ 1)` and `anova()`.
#'
#' P-values of `anova()` come from the distributions described in [anova.stablefit()].  The table for `alpha = 2` is for
#' samples: with regressors, or a formula of another parameter, the p-value is `NA`, and the heading states why.
#'
#' @section Rounded data:
#' With `rounding = h` the likelihood is the product of the probabilities of the intervals from `y - h/2` to `y + h/2`,
#' computed as differences of exact tail probabilities: it is bounded, and values that occur many times cause no
#' problem.  `logLik()` is then the logarithm of a probability, not of a density. Residuals and plots use the rounded
#' values unchanged.  `simulate()` returns values that differ from the response by multiples of `h`.  To fit a sample,
#' use `stablefit(x ~ 1, rounding = h)`.  The fit takes twenty to thirty times as long.  Scale, `alpha` and `beta` must
#' have the formula `~ 1`.
#'
#' @param formula,data model formula of the location and data frame, as for [lm()].  With `y ~ 0` the location is 0.
#' @param na.action what to do with missing values, as for [lm()].
#' @param control list: `alpha.min`, the smallest `alpha` considered (0.1); `maxit`, the largest number of iterations
#'   (200); `tol`, the relative increase of the log-likelihood by an iteration below which the search ends (1e-8).
#' @param se logical: compute standard errors?
#' @param rounding `NULL`, or the width to which the response was rounded: the likelihood is then that of intervals,
#'   see below.
#' @param scale,alpha,beta formulas without a response for the parameters of the errors, see below.  Variables that are
#'   not in `data` are those of the environment of each formula.
#' @param weights `NULL`, or a non-negative number for each observation, evaluated in `data`: the number of times that
#'   it counts.  The number of observations is then the sum of the weights.  A common factor of all weights does not
#'   change the estimates: it multiplies the log-likelihood and divides the covariance matrix.  Observations of weight 0
#'   are not used in the fit.  Residuals and plots show the observations without weights.
#' @param subset `NULL`, or the rows to use, evaluated in `data`.
#' @param offset `NULL`, or numbers in the unit of the response that are added to the location, evaluated in `data`.
#' @param start `NULL`, or a named vector of values of some coefficients, such as `coef()` of another fit, from which to
#'   start instead.
#' @param fixed `NULL`, or a named vector of coefficients that are held at these values, such as
#'   `c(alpha = 2, beta = 0)`.
#' @param contrasts `NULL`, or a list of contrasts of factors, as for [lm()], with names of variables.
#' @param object,x an object of class `"stablefit_lm"`.
#' @param parameter the parameter whose coefficients (`coef()`: by default all), formula or model matrix to return.
#' @param newdata data frame with the regressors of the parameter to predict, of the same classes and with the levels of
#'   the fit; by default the data of the fit.
#' @param se.fit logical: return standard errors too?
#' @param interval `"none"` or `"confidence"`.
#' @param level confidence level, one number between 0 and 1.
#' @param probs `NULL`, or probabilities from 0 to 1 for the quantiles of the response, with a column
#'   for each probability: `c(0.025, 0.975)` for an interval that contains 95% of the responses.
#' @param type `residuals()`: `"response"` for \eqn{y - x^T b}{y - x' b}; `"quantile"` and `"pit"` see
#'   [residuals.stablefit()].  `predict()`: the parameter to predict, or `"quantile"` for quantiles of the response, the
#'   median unless `probs` is given.
#' @param nsim,seed see [simulate.stablefit()].
#' @param full logical: include the names of observations of weight 0?  Not used by `variable.names()`.
#' @param ... `stable_lm()`: not used, an argument with another name is an error; `plot()`: see [plot.stablefit()];
#'   any other argument is an error.
#' @return `stable_lm()`: an object of class `c("stablefit_lm", "stablefit")` with the `coefficients` of the
#'   regression and `alpha`, `beta` and `gamma` of the errors or the coefficients of their predictors, and the elements
#'   of a [stablefit()] of the errors: `data` are the residuals, divided by their scale if it has a formula, or the
#'   quantile residuals if `alpha` or `beta` have one. `coef()`, `vcov()`, [`confint()`][confint.stablefit], `summary()`
#'   (with a table for each parameter), `logLik()`, `AIC()`,
#'   `nobs()`, `update()`, `formula()`, `model.frame()`, [model.matrix()], `case.names()`, `variable.names()` and
#'   `labels()` (those of the location), `anova()` (likelihood-ratio tests of nested
#'   regressions), `drop1()`, `add1()`, `fitted()`, `residuals()`, `predict()`, `sigma()` (the scale), `simulate()` and
#'   `plot()` (of the errors) work on it, and `estfun()` and `bread()` of package \pkg{sandwich}.
#'
#'   `predict()`: a vector, or for quantiles a matrix; with `interval` a matrix with the columns `fit`, `lwr` and
#'   `upr`, where the limits are symmetric for the linear predictor, and for quantiles as for [predict.stablefit()];
#'   with `se.fit = TRUE` a list with this as `fit` and the standard errors, by the delta method, as `se.fit`.
#' @references
#' DuMouchel, W. H. (1973) On the asymptotic normality of the maximum-likelihood estimate when
#' sampling from a stable distribution. *Annals of Statistics* **1**, 948--957. \doi{10.1214/aos/1176342516}
#'
#' Nolan, J. P. and Ojeda-Revah, D. (2013) Linear and nonlinear regression with stable errors. *Journal of
#' Econometrics* **172**, 186--194.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, unknown, empty or invalid, a variable of a
#'     formula is not found, or in `newdata` has another class than in the fit or an unknown level, or a start value
#'     or fixed coefficient is unknown or outside its domain;}
#'   \item{`"stablecl_error_data"`}{the response or the regressors cannot be fitted: they are not finite, too few or
#'     collinear, or half of the residuals are equal.}
#' }
#' @seealso [stablefit()], [`"stablefit_censored"`][stablefit_censored] for censored data,
#'   [`coef()`][coef.stablefit] and the other methods of a fit, [`estfun()`][estfun.stablefit] for package sandwich.
#' @examples
#' set.seed(1)
#' d <- data.frame(x = 1:100 / 10)
#' d$y <- 2 + 3 * d$x + rstable(100, 1.5, 0)
#' fit <- stablefit(y ~ x, d)
#' summary(fit)
#' predict(fit, data.frame(x = c(0, 20)), interval = "confidence")
#' predict(fit, data.frame(x = c(0, 20)), probs = c(0.025, 0.975))   # for single responses
#' coef(lm(y ~ x, d))
#'
#' # a scale and a tail index that depend on regressors
#' d$z <- rep(0:1, 50)
#' d$y <- 2 + 3 * d$x + rstable(100, ifelse(d$z == 1, 1.9, 1.2), 0, exp(0.2 * d$x))
#' both <- stable_lm(y ~ x, d, scale = ~ x, alpha = ~ factor(z))
#' summary(both)
#' predict(both, data.frame(x = 5, z = 0:1), type = "alpha", interval = "confidence")
#' anova(update(both, alpha = ~ 1), both)
#' @order 1
#' @export
stable_lm <- function(formula, data = NULL, na.action = stats::na.omit, control = list(), se = TRUE,
                      rounding = NULL, scale = ~ 1, alpha = ~ 1, beta = ~ 1, weights = NULL, subset = NULL,
                      offset = NULL, start = NULL, fixed = NULL, contrasts = NULL, ...) {
  check_given()
  call <- match.call()
  dots <- as.list(substitute(list(...)))[-1L]
  check_empty(dots, sys.call())
  if (length(dots)) stop_unused(dots, call)
  if (is_list_or_vector(control)) control <- as.list(control)
  control <- c(check_fit_control(control, call, regression_control), call = call)
  check_flag(se, "se", call)
  check_contrasts(contrasts, call)
  na.action <- na_function(na.action, call)
  refuse <- function(e) stop_with(call, "argument", sentence(conditionMessage(e)))
  others <- list(alpha = alpha, beta = beta, scale = scale)
  formulas <- value_or(regression_formulas(formula, others, data, call), refuse)
  frame <- value_or(regression_frame(formulas, data, na.action, call), refuse)
  check_contrast_names(contrasts, frame, data, call)
  model <- regression_model(formulas, frame, data, contrasts, control)
  check_rounding(rounding, call)
  if (!is.null(rounding)) check_constant_errors(model, call)
  fixed <- check_coefficients(fixed, "fixed", model, control)
  start <- check_coefficients(start, "start", model, control)
  model <- orthogonal_model(fix_coefficients(model, fixed), call)
  est <- fit_regression(model, control, rounding, start)
  new_stable_lm(est, model, frame, formulas, rounding, se, control)
}

regression_control <- list(alpha.min = 0.1, maxit = 200L, tol = 1e-8)

check_rounding <- function(rounding, call) {
  if (is.null(rounding)) return(invisible())
  good <- is.numeric(rounding) && length(rounding) == 1L && is.finite(rounding) && rounding > 0
  if (!good)
    stop_with(call, "argument", "`rounding`, the distance between neighbouring values, must be one positive number, ",
              "not ", value_text(rounding), ".")
}

check_constant_errors <- function(model, call) {
  varies <- !vapply(model$predictors[-1L], `[[`, NA, "natural")
  if (any(varies))
    stop_with(call, "argument", "`rounding` requires errors with one distribution: omit `", names(which(varies))[1L],
              "`.")
}

# Returns values of coefficients by their names as a named numeric vector, which may be empty.
check_coefficients <- function(values, arg, model, control) {
  call <- control$call
  labels <- unlist(lapply(model$predictors, `[[`, "labels"), use.names = FALSE)
  values <- named_values(values, labels, arg, call)
  natural <- c("alpha", "beta", "gamma")
  for (name in names(values))
    check_fit_value(values[[name]], name, arg, call, if (name %in% natural) name else "delta")
  values <- stats::setNames(as.numeric(values), names(values))
  check_fixed_alpha(values, control$alpha.min, call, arg)
  values
}

# Evaluates a call of stablefit() with a formula as the corresponding call of stable_lm(), in the same environment.
forward_formula <- function(call, envir) {
  call[[1L]] <- quote(stablecl::stable_lm)
  names(call)[names(call) == "x"] <- "formula"
  eval(call, envir)
}
