# Predictions, residuals and simulated samples of a fitted distribution.

#' Quantiles, densities, residuals and samples of a fitted stable distribution
#'
#' `predict()` returns quantiles, expected shortfalls, densities or probabilities of the fitted distribution, with
#' standard errors and confidence intervals; `quantile()` returns its quantiles (value at risk); `residuals()`
#' compares the observations with it; `simulate()` draws new samples from it.
#'
#' Standard errors follow from the covariance \eqn{V} of the S0 estimates by the delta method,
#' \eqn{\sqrt{g^T V g}}{sqrt(g' V g)} with \eqn{g} the gradient with respect to the parameters:
#' for a quantile \eqn{q} \eqn{g = (\partial q/\partial\alpha, \partial q/\partial\beta,
#' (q-\delta)/\gamma, 1)}{g = (dq/dalpha, dq/dbeta, (q - delta)/gamma, 1)}, for a log density the scores of
#' [stable_score()].  Parameters that are fixed or at a bound count as known.
#'
#' Value at risk (`"var"`) is another name for the quantile, and has the conventions of the expected shortfall: both
#' have the sign and unit of the data, so that a loss in the lower tail is a negative number, and `probs` are the
#' probabilities of that tail.  At the level of 99% the value at risk of returns is `predict(fit, 0.01, type = "var")`,
#' and for data that are losses `predict(fit, 0.01, type = "var", lower.tail = FALSE)`.  A message points out tails with
#' a probability above 0.5.
#'
#' Quantile residuals are \eqn{\Phi^{-1}(F(x_i))}{qnorm(F(x_i))}, standard normal
#' if the model is correct, and exact in both tails; residuals of type `"pit"` are
#' \eqn{F(x_i)}{F(x_i)}, uniform if the model is correct.  A stable distribution with `alpha < 2` has no
#' variance (and for `alpha <= 1` no mean), so there are no raw or Pearson residuals and no
#' fitted values.
#'
#' @section Confidence intervals:
#' Confidence intervals are pointwise.  Those of `method = "wald"` are symmetric on a scale that keeps them in range:
#' the logarithm for densities, the logit for probabilities, and for quantiles and expected shortfalls
#' \eqn{\sinh^{-1}((q-\delta)/\gamma)}{asinh((q - delta)/gamma)} at the estimates, which is linear in the middle and
#' logarithmic in the tails.  For small samples, for `alpha` near 2 and in other cases they contain the true value less
#' often than `level` states.
#'
#' `method = "profile"` uses the profile likelihood of the quantity: the interval consists of the values \eqn{c}{c} for
#' which the maximum of the log-likelihood over all distributions with this value is below that of the fit by at most
#' half the quantile of the chi-squared distribution with one degree of freedom.  It requires a fit by `"mle"`.  The
#' expected shortfall is infinite for `alpha <= 1`: if the deviance of `alpha = 1` is below the quantile, its interval
#' is unbounded.  If `alpha` is estimated as at most 1, the interval extends from the infinite estimate to the finite
#' value at which the deviance is the quantile; if there is none, both ends are infinite.  An interval takes about 50
#' milliseconds, for shortfalls a few hundred, and up to some seconds for small samples with `alpha` below 0.5.
#'
#' `method = "bootstrap"` gives quantiles (type 6) of the predictions of `R` fits to samples from the fitted
#' distribution. For an estimate `alpha = 2` the intervals are too short, because most of these fits are normal
#' distributions, too.
#'
#' `method = "auto"` chooses between these methods as [confint.stablefit()] does, with the same correction of profile
#' intervals in small samples, which takes about a second for each value; the attribute `"method"` of the matrix is the
#' method, and `"because"` lists the reasons; `print()` writes both below the matrix.  The profile interval of a density
#' or probability that is estimated as 0, or nearly so because the estimate of `beta` is at its bound, begins at 0.
#'
#' @param object,x an object of class `"stablefit"`.
#' @param probs vector of probabilities from 0 to 1, for quantiles and expected shortfalls.
#' @param se.fit logical: return standard errors, too?
#' @param type what to predict: `"quantile"`, `"var"` (value at risk: the same), `"es"` (expected shortfall, see
#'   [stable_es()]), `"density"` or `"probability"`.  For `residuals()` the type of residuals, see Details.
#' @param at vector of points, in the unit of the data, where to predict densities and probabilities; the data by
#'   default.
#' @param interval `"none"` or `"confidence"`.
#' @param level confidence level, one number between 0 and 1.
#' @param lower.tail logical: use probabilities of the lower tail?  Ignored for densities.
#' @param method how to compute intervals: `"wald"` (the delta method), `"profile"`, `"bootstrap"`, `"auto"`, or `"HAC"`
#'   for the delta method with the covariance under dependence of `vcov(type = "HAC")`.
#' @param R number of bootstrap samples, at least 1.
#' @param block `NULL`, or the mean length of the blocks of the data that make up bootstrap samples of a series, see
#'   [confint.stablefit()].
#' @param simulate `NULL`, or a function that simulates a series of a given length, see [confint.stablefit()].
#' @param nsim number of samples, 0 or more, each of the size of the data.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is
#'   then restored.
#' @param ... passed by `quantile()` to `predict()`.  Any other argument is an error of class
#'   `"stablecl_error_argument"`.
#' @return `predict()` and `quantile()`: a vector, named for quantiles and shortfalls; with `interval = "confidence"`
#'   a matrix with the columns `fit`, `lwr` and `upr`; with `se.fit = TRUE` a list with this as element `fit` and the
#'   standard errors as `se.fit`.  Standard errors and Wald intervals are `NA` if the estimates have no
#'   covariance; all intervals are `NA` at infinite quantiles, outside the support and if all parameters are fixed.  The
#'   attribute `"reasons"` of the matrix states why the interval of a value is `NA`, unbounded, or one point because the
#'   value does not depend on the free parameters. `residuals()`: a vector like the data
#'   (with `NA` for observations that `na.exclude` left out).  `simulate()`: a data frame with
#'   a column per sample and an attribute `"seed"`, as described in
#'   [stats::simulate()].
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, such as `type`, `interval`, `level`
#'     or `nsim`, or the method does not exist for this kind of fit;}
#'   \item{`"stablecl_error_data"`, `"stablecl_error_interrupted"`, `"stablecl_error_worker"`}{the bootstrap failed, see
#'     [confint.stablefit()];}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Probabilities outside 0 to 1 give `NaN` with a warning.
#' @seealso [stablefit()], [`coef()`][coef.stablefit], [`confint()`][confint.stablefit] for intervals of the parameters,
#'   [stable_es()] for the expected shortfall, [`predict()`][predict.stablefits] of many fits.
#' @examples
#' set.seed(1)
#' fit <- stablefit(rstable(500, 1.6, 0.3))
#' predict(fit, c(0.001, 0.5, 0.999), se.fit = TRUE)
#' predict(fit, 0.01, type = "es", interval = "confidence")
#' small <- stablefit(rstable(100, 1.8, 0))
#' predict(small, 0.01, interval = "confidence", method = "auto")
#' predict(fit, type = "density", at = c(-10, 0, 10), interval = "confidence")
#' range(residuals(fit))
#' dim(simulate(fit, nsim = 3, seed = 2))
#' @name predict.stablefit
NULL

#' @rdname predict.stablefit
#' @export
predict.stablefit <- function(object, probs = c(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99),
                              se.fit = FALSE, type = c("quantile", "var", "es", "density", "probability"),
                              at = object$data, interval = c("none", "confidence"), level = 0.95,
                              lower.tail = TRUE, ...,
                              method = c("wald", "profile", "bootstrap", "auto", "HAC"), R = 199, seed = NULL,
                              block = NULL, simulate = NULL) {
  call <- sys.call()
  check_dots(...)
  choices <- prediction_choices(call)
  if (!choices$type %in% by_probability && missing(at))
    refuse_censored(object, "`at` must be given: densities and probabilities at the observations are", call)
  request <- check_prediction(choices, environment(), call)
  draw <- series_sampler(object, request$method, block, simulate, call)
  predicted(object, request, seed, draw, call)
}

by_probability <- c("quantile", "var", "es")         # types of predictions at probabilities; others are at points

# Returns the arguments type, method and interval of the method of predict() that calls it, checked.
prediction_choices <- function(call) {
  given <- parent.frame()
  choices <- formals(sys.function(sys.parent()))
  names <- c("type", "method", "interval")
  lapply(stats::setNames(nm = names), function(name) check_choice(given[[name]], eval(choices[[name]]), name, call))
}

# Returns what to predict, from checked choices and the other arguments of predict(), the variables of the environment
# `given`: a list; `labels` name the values.
check_prediction <- function(choices, given, call) {
  type <- choices$type
  R <- check_replicates(given$R, call)
  level <- check_level(given$level, call)
  check_flag(given$se.fit, "se.fit", call)
  check_flag(given$lower.tail, "lower.tail", call)
  name <- if (type %in% by_probability) "probs" else "at"
  values <- check_numeric_values(given[[name]], name, call)
  points <- as.vector(values)
  names(points) <- NULL
  if (type %in% c("var", "es")) advise_on_wide_tails(points, given$lower.tail)
  list(type = if (type == "var") "quantile" else type, points = points, lower.tail = given$lower.tail,
       labels = if (name == "probs") probability_labels(points) else names(values),
       method = choices$method, interval = choices$interval, level = level, se.fit = given$se.fit, R = R)
}

# Returns names of probabilities such as those of stats::quantile().
probability_labels <- function(p) sprintf("%.7g%%", 100 * p)

# Returns the predictions of a fit.
predicted <- function(object, request, seed, draw, call) {
  method <- request$method
  if (method == "HAC") {
    object <- with_dependence(object, call)
    method <- "wald"
  }
  fit <- fitted_values(object, request$type, request$points, request$lower.tail)
  names(fit$value) <- request$labels
  if (!request$se.fit && request$interval == "none") return(fit$value)
  sd <- link_sd(object, fit)
  if (request$interval != "none" && method == "profile") check_likelihood_fit(object, call)
  out <- if (request$interval == "none") fit$value else
    fitted_band(object, fit, sd, request$level, interval_choice(object, method), request$R, seed, draw, call)
  if (!request$se.fit) return(out)
  list(fit = out, se.fit = stats::setNames(sd / fit$rate, names(fit$value)))
}

# Risks refer to a tail: a probability above 0.5 is more likely the level of confidence.
advise_on_wide_tails <- function(probs, lower.tail) {
  wide <- probs[!is.na(probs) & probs > 0.5 & probs < 1]
  if (length(wide))
    message("`probs` are probabilities of the ", if (lower.tail) "lower" else "upper", " tail: ",
            format(wide[1L], digits = 7), " is more than half of the distribution; for the tail beyond use ",
            format(1 - wide[1L], digits = 7), " or lower.tail = ", !lower.tail, ".")
}

#' @rdname predict.stablefit
#' @export
quantile.stablefit <- function(x, probs = seq(0, 1, 0.25), ...) {
  check_given()
  with_call(sys.call(), stats::predict(x, probs = probs, ...))
}

#' @rdname predict.stablefit
#' @export
residuals.stablefit <- function(object, type = c("quantile", "pit"), ...) {
  check_dots(...)
  type <- choice_of(type)
  p <- object$theta
  prob <- function(lower) pstable(object$data, p[["alpha"]], p[["beta"]], p[["gamma"]],
                                  p[["delta"]], lower.tail = lower, log.p = TRUE)
  below <- prob(TRUE)
  stats::naresid(object$na.action, if (type == "pit") exp(below) else normal_quantiles(below, prob(FALSE)))
}

# Returns the normal quantiles of probabilities, given the logarithms of both tails.
normal_quantiles <- function(below, above) {
  ifelse(below < -log(2), stats::qnorm(below, log.p = TRUE), stats::qnorm(above, lower.tail = FALSE, log.p = TRUE))
}

#' @rdname predict.stablefit
#' @export
simulate.stablefit <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  simulated_samples(object, nsim, seed, sys.call())
}

# Returns a data frame with a column per sample; for nsim = 0 it has rows but no columns.
simulated_samples <- function(object, nsim, seed, call) {
  p <- object$theta
  samples <- seeded_samples(nsim, seed, call, function()
    rstable(object$nobs, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]]))
  structure(samples, row.names = seq_len(object$nobs), class = "data.frame")
}

# Returns a list of nsim values of draw(), with the state of the generator or the seed as an attribute; with a seed, the
# state is restored afterwards.
seeded_samples <- function(nsim, seed, call, draw) {
  if (!is.numeric(nsim) || length(nsim) != 1L || !isTRUE(nsim >= 0 && nsim <= .Machine$integer.max))
    stop_with(call, "argument", "`nsim` must be one number of samples, at least 0, not ", value_text(nsim), ".")
  check_generator_seed(seed, call)
  if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1L)
  state <- before <- get(".Random.seed", envir = globalenv())
  if (!is.null(seed)) {
    set.seed(seed)
    state <- structure(seed, kind = as.list(RNGkind()))
    on.exit(assign(".Random.seed", before, envir = globalenv()))
  }
  samples <- lapply(seq_len(nsim), function(i) draw())
  names(samples) <- sprintf("sim_%d", seq_along(samples))
  structure(samples, seed = state)
}

# Checks a seed as set.seed() accepts it: NULL, or one 32-bit integer.
check_generator_seed <- function(seed, call) {
  if (is.null(seed)) return(invisible())
  good <- is_numeric_or_logical(seed) && length(seed) == 1L && isTRUE(abs(seed) <= .Machine$integer.max)
  if (!good)
    stop_with(call, "argument", "`seed` must be NULL or one number from -(2^31 - 1) to 2^31 - 1, not ",
              value_text(seed), ".")
}
