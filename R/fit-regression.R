# Linear regression with stable errors, by maximum likelihood.
#
#     y_i = x_i' b + e_i,      e_i ~ S0(alpha, beta, gamma, 0)
#
# The location enters the density as y - x'b, so that the score of b is the score of delta times the row
# x_i, and all derivatives come from stable_quick().  The optimisation uses the coefficients c = R b/sqrt(n) of X = QR,
# whose columns are orthogonal whatever the units of the regressors; y is measured in units of the residuals of the
# starting values.  It consists of Fisher scoring with bounds (nlminb(), with the outer products of the scores in place
# of the Hessian), followed by Newton steps with the true Hessian, as for a sample.

#' Linear regression with stable errors
#'
#' Fits \eqn{y_i = x_i^T b + e_i}{y[i] = x[i]' b + e[i]} with errors from a stable distribution by maximum likelihood,
#' for the coefficients and the parameters of the errors jointly.  `stablefit()` with a formula does the same.
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
#' @section Rounded data:
#' With `rounding = h` the likelihood is the product of the probabilities of the intervals from `y - h/2` to `y + h/2`,
#' computed as differences of exact tail probabilities: it is bounded, and values that occur many times cause no
#' problem.  `logLik()` is then the logarithm of a probability, not of a density. Residuals and plots use the rounded
#' values unchanged.  To fit a sample, use `stablefit(x ~ 1, rounding = h)`.  The fit takes about twenty times as long.
#'
#' @param formula,data model formula and data frame, as for [lm()].
#' @param na.action what to do with missing values, as for [lm()].
#' @param control list: `alpha.min`, the smallest `alpha` considered (0.1); `maxit`, the largest number of iterations
#'   (200).
#' @param se logical: compute standard errors?
#' @param rounding `NULL`, or the width to which the response was rounded: the likelihood is then that of intervals,
#'   see below.
#' @param object,x an object of class `"stablefit_lm"`.
#' @param newdata data frame with the regressors; by default the data of the fit.
#' @param se.fit logical: return standard errors too?
#' @param interval `"none"` or `"confidence"`, for the location.
#' @param level confidence level, one number between 0 and 1.
#' @param probs `NULL` for the location, or probabilities from 0 to 1 for the quantiles of the response, with a column
#'   for each probability.
#' @param type `"response"` for \eqn{y - x^T b}{y - x' b}; `"quantile"` and `"pit"` see [residuals.stablefit()].
#' @param nsim,seed see [simulate.stablefit()].
#' @param ... `stable_lm()`: not used, an argument with another name is an error; `plot()`: see [plot.stablefit()];
#'   any other argument is an error.
#' @return `stable_lm()`: an object of class `c("stablefit_lm", "stablefit")` with the `coefficients` of the
#'   regression and `alpha`, `beta` and `gamma` of the errors, and the elements of a [stablefit()] of the errors:
#'   `data` are the residuals. `coef()`, `vcov()`, `confint()` (Wald's intervals), `summary()`, `logLik()`, `AIC()`,
#'   `nobs()`, `update()`, `formula()`, `model.frame()`, [model.matrix()], `anova()` (likelihood-ratio tests of nested
#'   regressions), `fitted()`, `residuals()`, `predict()`, `simulate()` and `plot()` (of the errors) work on it.
#' @references
#' DuMouchel, W. H. (1973) On the asymptotic normality of the maximum-likelihood estimate when
#' sampling from a stable distribution. *Annals of Statistics* **1**, 948--957. \doi{10.1214/aos/1176342516}
#'
#' Nolan, J. P. and Ojeda-Revah, D. (2013) Linear and nonlinear regression with stable errors. *Journal of
#' Econometrics* **172**, 186--194.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, unknown, empty or invalid, or a variable of the
#'     formula is not found;}
#'   \item{`"stablecl_error_data"`}{the response or the regressors cannot be fitted: they are not finite, too few or
#'     collinear, or half of the residuals are equal.}
#' }
#' @seealso [stablefit()], [`"stablefit_censored"`][stablefit_censored] for censored data,
#'   [`coef()`][coef.stablefit] and the other methods of a fit.
#' @examples
#' set.seed(1)
#' d <- data.frame(x = 1:100 / 10)
#' d$y <- 2 + 3 * d$x + rstable(100, 1.5, 0)
#' fit <- stablefit(y ~ x, d)
#' summary(fit)
#' predict(fit, data.frame(x = c(0, 20)), interval = "confidence")
#' coef(lm(y ~ x, d))
#' @export
stable_lm <- function(formula, data = NULL, na.action = stats::na.omit, control = list(), se = TRUE,
                      rounding = NULL, ...) {
  check_given()
  call <- match.call()
  dots <- as.list(substitute(list(...)))[-1L]
  check_empty(dots, sys.call())
  if (length(dots)) stop_unused(dots, call)
  if (is_list_or_vector(control)) control <- as.list(control)
  control <- c(check_fit_control(control, call, alpha.min = 0.1), call = call)
  check_flag(se, "se", call)
  if (!inherits(formula, "formula"))
    stop_with(call, "argument", "`formula` must be a formula such as y ~ x, not ", value_text(formula), ".")
  na.action <- na_function(na.action, call)
  frame <- value_or(stats::model.frame(formula, data, na.action = na.action, drop.unused.levels = TRUE),
                    function(e) stop_with(call, "argument", sentence(conditionMessage(e))))
  model <- regression_model(frame, call)
  check_rounding(rounding, call)
  est <- fit_regression(model, control, rounding)
  new_stable_lm(est, model, frame, se, call)
}

check_rounding <- function(rounding, call) {
  if (is.null(rounding)) return(invisible())
  good <- is.numeric(rounding) && length(rounding) == 1L && is.finite(rounding) && rounding > 0
  if (!good)
    stop_with(call, "argument", "`rounding`, the distance between neighbouring values, must be one positive number, ",
              "not ", value_text(rounding), ".")
}

# Evaluates a call of stablefit() with a formula as the corresponding call of stable_lm(), in the same environment.
forward_formula <- function(call, envir) {
  call[[1L]] <- quote(stablecl::stable_lm)
  names(call)[names(call) == "x"] <- "formula"
  eval(call, envir)
}

regression_model <- function(frame, call) {
  terms <- attr(frame, "terms")
  y <- stats::model.response(frame)
  X <- stats::model.matrix(terms, frame)
  if (!is.null(stats::model.offset(frame)))
    stop_with(call, "argument", "Offsets are not supported; subtract them from the response.")
  if (inherits(y, "Surv"))
    stop_with(call, "data", "Regressions do not support censored responses; for a sample use stablefit(Surv(...)).")
  if (!is.numeric(y) || is.matrix(y)) stop_with(call, "data", "The response must be one numeric variable.")
  bad <- which(!is.finite(y) | !is.finite(rowSums(X)))
  if (length(bad))
    stop_with(call, "data", "Response and regressors must be finite, but row ", rownames(frame)[bad[1L]],
              " is not (non-finite rows: ", length(bad), ").")
  clash <- intersect(colnames(X), fit_parameters)
  if (length(clash)) stop_with(call, "argument", "A regressor must not be called ", clash[1L], "; rename it.")
  if (!ncol(X)) stop_with(call, "argument", "The model has no regressors; use stablefit() for the response.")
  if (length(y) < ncol(X) + fit_least_n)
    stop_with(call, "data", "Estimating ", ncol(X), " coefficients requires at least ", ncol(X) + fit_least_n,
              " observations; there are ", length(y), ".")
  qr <- qr(X)
  if (qr$rank < ncol(X))
    stop_with(call, "data", "The regressors are collinear: ", colnames(X)[qr$pivot[qr$rank + 1L]],
              " is a linear combination of the others.")
  n <- nrow(X)
  list(y = as.vector(y), X = X, Q = qr.Q(qr) * sqrt(n), R = qr.R(qr)[, order(qr$pivot), drop = FALSE] / sqrt(n))
}

# Approximates least absolute deviations by iteratively reweighted least squares, as starting values.
least_deviations <- function(Q, y) {
  r <- y
  for (round in 1:30) {
    w <- 1 / pmax(abs(r), 1e-6 * stats::median(abs(r)) + .Machine$double.xmin)
    c <- stats::lm.wfit(Q, y, w)$coefficients
    r <- y - drop(Q %*% c)
  }
  c
}

# If the normal distribution is within this difference of log-likelihoods, it is preferred.
normal_margin <- 1e-6

fit_regression <- function(model, control, rounding) {
  c0 <- least_deviations(model$Q, model$y)
  r <- model$y - drop(model$Q %*% c0)
  if (!is.null(rounding)) r <- spread_in_cells(r, rounding)
  unit <- stats::IQR(r)
  if (unit <= 16 * .Machine$double.eps * max(abs(model$y)))          # zero, or only due to rounding
    stop_with(control$call, "data", "Half of the residuals are equal: the scale cannot be estimated.")
  y <- model$y / unit
  likelihood <- error_likelihood(if (!is.null(rounding)) rounding / unit)
  law <- without_ties(stablefit(r / unit, "quantile", se = FALSE))$theta
  k <- ncol(model$Q)
  # the coefficients absorb the location of the residuals (an intercept takes all of it)
  c0 <- c0 / unit + stats::lm.fit(model$Q, rep(law[["delta"]], length(y)))$coefficients
  start <- function(alpha, beta) c(c0, min(1.95, max(alpha, control$alpha.min * 1.5, 0.4)), max(-0.9, min(0.9, beta)),
                                   log(law[["gamma"]]))
  starts <- list(start(law[["alpha"]], law[["beta"]]), start(1.5, 0), start(1.9, 0),
                 likely_start(model$Q, y, r / unit, k))
  tops <- lapply(starts, climb_regression, y = y, Q = model$Q, likelihood = likelihood, control = control)
  best <- tops[[which.max(vapply(tops, `[[`, 0, "loglik"))]]
  best <- polish_regression(best, y, model$Q, likelihood, control)
  if (is.null(rounding)) {
    normal <- normal_regression(y, model$Q)
    if (normal$loglik >= best$loglik - normal_margin) best <- normal
    best$loglik <- best$loglik - length(y) * log(unit)
  }
  best$unit <- unit
  best
}

# Returns starting values from the maximum-likelihood fit of the residuals r, which stablefit() finds even if it is far
# from the quantile estimate.
likely_start <- function(Q, y, r, k) {
  law <- without_convergence(stablefit(r, se = FALSE))$theta
  c <- stats::lm.fit(Q, y - r + law[["delta"]])$coefficients
  c(c, min(1.98, max(law[["alpha"]], 0.4)), max(-0.95, min(0.95, law[["beta"]])), log(law[["gamma"]]))
}

# Spreads rounded values evenly over their rounding intervals, by multiples of the golden ratio modulo one, for the
# starting values.
spread_in_cells <- function(r, h) r + h * (spread_fractions(length(r)) - 0.5)

# Returns n fractions between 0 and 1.
spread_fractions <- function(n) (seq_len(n) * (sqrt(5) - 1) / 2) %% 1

# Returns the likelihood of errors r: `scores`, with the columns of stable_quick(), for the optimisation, and `value`,
# the exact log-likelihood.
error_likelihood <- function(h) {
  if (is.null(h)) return(list(
    scores = function(r, alpha, beta, gamma) quick_matrix(r, alpha, beta, gamma, 0),
    value = function(r, alpha, beta, gamma) sum(dstable(r, alpha, beta, gamma, log = TRUE))))
  law <- function(alpha, beta, gamma) c(alpha = alpha, beta = beta, gamma = gamma, delta = 0)
  list(scores = function(r, ...) interval_scores(r - h / 2, r + h / 2, law(...), quick = TRUE, width = h),
       value = function(r, ...) sum(interval_scores(r - h / 2, r + h / 2, law(...), scores = FALSE, width = h)))
}

# Returns the log-likelihood, its gradient and the score of every observation in v = (c, alpha, beta, log gamma).
regression_scores <- function(v, y, Q, likelihood) {
  k <- ncol(Q)
  gamma <- exp(v[[k + 3L]])
  q <- suppressWarnings(likelihood$scores(y - drop(Q %*% v[seq_len(k)]), v[[k + 1L]], v[[k + 2L]], gamma))
  score <- cbind(q[, "delta"] * Q, q[, c("alpha", "beta")], q[, "gamma"] * gamma)
  score[!is.finite(score)] <- 0
  list(value = sum(q[, "logpdf"]), gradient = colSums(score), score = score)
}

# The bounds of v.
regression_bounds <- function(k, control) {
  list(lower = c(rep(-Inf, k), control$alpha.min, -1, -30), upper = c(rep(Inf, k), 2, 1, 30))
}

climb_regression <- function(v, y, Q, likelihood, control) {
  bounds <- regression_bounds(ncol(Q), control)
  climb_likelihood(v, function(v) regression_scores(v, y, Q, likelihood), length(y), bounds$lower, bounds$upper,
                   control)
}

# Applies Newton steps and computes the observed information and the exact log-likelihood.
polish_regression <- function(top, y, Q, likelihood, control) {
  k <- ncol(Q)
  bounds <- regression_bounds(k, control)
  top <- polish_likelihood(top, function(v) regression_scores(v, y, Q, likelihood), length(y), bounds$lower,
                           bounds$upper, k + 1L, k + 2L)
  gamma <- exp(top$v[[k + 3L]])
  top$loglik <- likelihood$value(y - drop(Q %*% top$v[seq_len(k)]), top$v[[k + 1L]], top$v[[k + 2L]], gamma)
  top
}

# Returns the least-squares solution, the maximum-likelihood fit for alpha = 2.
normal_regression <- function(y, Q) {
  n <- length(y)
  k <- ncol(Q)
  c <- drop(crossprod(Q, y)) / n
  sigma <- sqrt(mean((y - drop(Q %*% c))^2))
  free <- c(rep(TRUE, k), FALSE, FALSE, TRUE)
  list(v = c(c, 2, 0, log(sigma / sqrt(2))), loglik = -n / 2 * (log(2 * pi * sigma^2) + 1), code = 0L, iterations = 0L,
       message = "closed form at alpha = 2", free = free, cov = diag(c(rep(sigma^2 / n, k), 1 / (2 * n)), k + 1L),
       gradient = numeric(k + 1L))
}
