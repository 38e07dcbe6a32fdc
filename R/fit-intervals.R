# Confidence intervals of the parameters: Wald's, from the profile likelihood, and
# from samples of the fitted distribution.

#' Confidence intervals for the parameters of a fitted stable distribution
#'
#' Intervals from standard errors, from the profile likelihood, or from the parametric
#' bootstrap, by name or, with `method = "auto"`, by the method that suits the fit.
#'
#' @section Automatic choice:
#' `method = "auto"` computes Wald's intervals where they are reliable.  They are not if the estimate of `alpha` is
#' within three standard errors of 2, or at 2; if that of `beta` is within three standard errors of -1 or 1, or at one
#' of them; if `alpha` is estimated below 0.5; if there are fewer than 500 observations; or if a parameter has no
#' standard error.  The number of censored, truncated or binned observations is replaced by the smallest number of
#' complete observations from which an estimate would have the same standard error.  In each of these cases it computes
#' profile intervals, and for fits by a method other than `"mle"` bootstrap intervals.  The attribute `"method"` of the
#' result is the method, and the attribute `"because"` lists the reasons; both are printed with it.  For samples in
#' chunks ([stable_chunks()]) that are not fitted in memory the intervals are always Wald's.
#'
#' The profile intervals of `"auto"` allow for the size of the sample: instead of the quantile of the chi-squared
#' distribution they use \eqn{n\log(1 + t^2/(n - k))}{n log(1 + t^2/(n - k))} with \eqn{t}{t} the quantile of Student's
#' distribution with \eqn{n - k} degrees of freedom and \eqn{k}{k} the number of free parameters.  With
#' `k = 1` this is exact for the mean of a normal sample.
#'
#' With fewer than 500 observations that are not weighted, rounded, censored or truncated, each end of this interval is
#' then corrected as DiCiccio, Martin and Stern propose (see Stern 2006): 20 samples are drawn from the distribution (or
#' the regression) with the highest likelihood at this end. The deviance up to which the interval extends follows from
#' the mean and the standard deviation of the signed root of the deviance in them, which are averaged with those of
#' \eqn{n/2}{n/2} more values from a standard normal distribution; it is at least the quantile of the chi-squared
#' distribution. This corrects the bias of the estimators, in particular of quantiles, whose tails are too light in
#' small samples. Of the intervals of level 95% for samples from twelve distributions, 95.9% contain the true value if
#' there are 50 values, and 96.2% if there are 200. The share is larger where `alpha` or `beta` is at its bound, because
#' an interval that extends to the bound can miss at one end only. Each interval takes about a second; `method =
#' "profile"` draws no samples.  The samples depend on `seed`, which has a fixed value if it is `NULL`, so that the same
#' data have the same interval.
#'
#' @section Wald:
#' Symmetric intervals for `alpha`, `beta` and `delta`, truncated at the ends of the parameter space
#' (2 for `alpha`, -1 and 1 for `beta`), and for `gamma` the image of the symmetric interval for
#' \eqn{\log\gamma}{log gamma}, which is always positive.  Within about two standard errors
#' of a bound the underlying normal approximation is poor.
#'
#' @section Profile likelihood:
#' With \eqn{\ell_p(\psi)}{l_p(psi)} the log-likelihood maximised over the other parameters while
#' one is held at \eqn{\psi}{psi}, the interval consists of the \eqn{\psi}{psi} with a deviance
#' \eqn{2(\ell_{max} - \ell_p(\psi))}{2 (l_max - l_p(psi))} of at most the quantile of the
#' chi-squared distribution with one degree of freedom.  Its ends are found from the square root of
#' the deviance, which is nearly linear, by bracketing and [uniroot()], to a millionth of
#' a standard error.  If the deviance stays below the quantile up to
#' the end of the parameter space (`control$alpha.min` and 2 for `alpha`, -1 and 1 for `beta`), that end
#' is the end of the interval.  At such an end the chi-squared distribution is only a guide:
#' see [anova.stablefit()] for the test of `alpha = 2`.
#'
#' A sample that is truncated to the centre of its distribution contains little information about `gamma`. If the
#' deviance is below the quantile for a `gamma` that is larger or smaller than the estimate by a factor of a hundred, or
#' for a `delta` at a distance of a hundred times `gamma` from it, the interval is unbounded at this end.
#'
#' Profile intervals require a fit with `method = "mle"`.  `delta` in S1, and `gamma` and `delta` in S2, are held fixed
#' in their own parametrisation. In S1, unless `beta` is 0, every `delta`, however large, belongs to a distribution with
#' `alpha` close to 1: if the deviance at `alpha = 1` is below the quantile, the interval for `delta` is unbounded.
#'
#' @section Dependence:
#' `method = "HAC"` requires a series with many changes of the volatility.  For the persistent GARCH model of
#' `bench/dependence.md`, only about three quarters of the 95% intervals for `alpha` and the quantile of probability
#' 0.01 contain the long-run value if there are 4000 values. The mean of the standard errors is about the
#' standard deviation of the estimates, but a series with few periods of high volatility has both lighter tails and
#' smaller standard errors. Kernel estimates with automatic bandwidths and prewhitening contain the value less often.
#' For such series use `method = "bootstrap"` with `simulate`.
#'
#' @section Bootstrap:
#' `R` samples of the size of the data are drawn from the fitted distribution and fitted like the data,
#' all in one batch.  `"percentile"` intervals are quantiles (type 6) of their estimates: they
#' stay in the parameter space and carry over to functions of one parameter.  `"basic"` intervals
#' reflect these quantiles at the estimate, for `gamma` on the logarithmic scale, and are truncated at the ends of the
#' parameter space; they correct the bias of the estimator if no end is near.  Samples that cannot
#' be fitted, and for `beta` those with an estimate `alpha = 2`, are left out; the attribute
#' `"replicates"` has the number used per parameter.  With the default of 199 replicates the ends of a 95% interval are
#' the 5th and the 195th estimate.
#'
#' These samples are independent.  For a series whose values depend on each other, such as returns with a changing
#' volatility, `block` is the mean length of blocks of consecutive values: each sample consists of blocks of the data
#' that begin at random positions and have random lengths with a geometric distribution, and the data continue with
#' their first value after the last one (the stationary bootstrap of Politis and Romano 1994).  Blocks must be longer
#' than the dependence lasts, and the series much longer than a block.  The fit must be one of a plain sample, neither
#' weighted nor censored or truncated.
#'
#' If the dependence lasts so long that the series has only a few such blocks, `simulate` draws the samples from a model
#' that was fitted to the series, such as a GARCH model with stable innovations (`vignette("series")`).
#'
#' @section Regressions:
#' For a regression by [stable_lm()] `parm` contains names of coefficients.  With `method =
#' "bootstrap"`, the intervals are profile intervals whose quantile comes from `R` responses that are simulated from the
#' fit: it is the quantile of the deviance of the estimates, but at least that of the chi-squared distribution. An
#' observation is simulated as many times as its weight counts it, with independent errors.  Each
#' replicate takes two searches for each parameter, about 20 milliseconds.
#'
#' @section Intervals that do not exist:
#' If an interval is `NA` or has an infinite end, the attribute `"reasons"` states why, for each of these parameters;
#' for a fixed parameter it states the value.
#'
#' @param object an object of class `"stablefit"`.
#' @param parm names or indices of parameters; all by default.
#' @param level confidence level, one number between 0 and 1.
#' @param method `"wald"`, `"profile"`, `"bootstrap"`, `"auto"` for the one that suits the fit, or, except for
#'   regressions, `"HAC"` for Wald's intervals with the covariance under dependence of `vcov(type = "HAC")`.
#' @param R number of bootstrap samples, at least 1.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored, and for automatic
#'   profile intervals always.
#' @param type the kind of bootstrap interval, `"percentile"` or `"basic"`, see the section on the bootstrap.
#' @param block `NULL` for independent samples of the fitted distribution, or the mean length of blocks of the data, a
#'   number from 1 to the number of observations; only with `method = "bootstrap"`.
#' @param simulate `NULL`, or a function whose argument is a number of observations and whose value is a series of that
#'   length, simulated from a model of the dependence; only with `method = "bootstrap"`.
#' @param ... not used; any further argument is an error.
#' @return A matrix with a row per parameter and the two ends as columns, `NA` for parameters that are
#'   fixed and, for Wald intervals, those without a standard error, with the attributes described below, which
#'   `print()` writes below the matrix.  Arithmetic with such a matrix, rounding and indexing return numbers without
#'   these attributes.
#' @references
#' Davison, A. C. and Hinkley, D. V. (1997) *Bootstrap Methods and their Application*, chapter 5. Cambridge
#' University Press. \doi{10.1017/CBO9780511802843}
#'
#' Politis, D. N. and Romano, J. P. (1994) The stationary bootstrap. *Journal of the American Statistical Association*
#' **89**, 1303--1313. \doi{10.1080/01621459.1994.10476870}
#'
#' Stern, S. E. (2006) Simple and accurate one-sided inference based on a class of M-estimators. *Biometrika* **93**,
#' 973. \doi{10.1093/biomet/93.4.973}
#'
#' Venzon, D. J. and Moolgavkar, S. H. (1988) A method for computing profile-likelihood-based confidence
#' intervals. *Applied Statistics* **37**, 87--94. \doi{10.2307/2347496}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, or the method does not exist for
#'     this kind of fit;}
#'   \item{`"stablecl_error_data"`}{none of the bootstrap samples could be fitted;}
#'   \item{`"stablecl_error_interrupted"`}{an interrupt has ended the bootstrap before the first sample was fitted;}
#'   \item{`"stablecl_error_worker"`}{a worker process has failed ([stablecl-workers]).}
#' }
#' A refit with a higher likelihood than that of the fit gives a warning of class `"stablecl_warning_convergence"`.
#' @seealso [stablefit()], [`coef()`][coef.stablefit], [`predict()`][predict.stablefit] for intervals of quantiles,
#'   densities and probabilities, [`profile()`][profile.stablefit] for the profile likelihood,
#'   [`anova()`][anova.stablefit] for tests.
#' @examples
#' set.seed(1)
#' fit <- stablefit(rstable(300, 1.7, 0.5))
#' confint(fit)
#' confint(fit, method = "auto")
#' confint(fit, c("alpha", "beta"), method = "profile")
#' confint(fit, method = "bootstrap", R = 19, level = 0.9, seed = 1)
#' @export
confint.stablefit <- function(object, parm, level = 0.95, method = c("wald", "profile", "bootstrap", "auto", "HAC"),
                              R = 199, seed = NULL, type = c("percentile", "basic"), block = NULL, simulate = NULL,
                              ...) {
  check_dots(...)
  call <- sys.call()
  method <- choice_of(method)
  type <- choice_of(type)
  level <- check_level(level, call)
  parm <- check_parm(parm, names(coef(object)), call)
  tail <- (1 - level) / 2
  draw <- series_sampler(object, method, block, simulate, call)
  if (method == "HAC") {
    object <- with_dependence(object, call)
    method <- "wald"
  }
  used <- NULL
  choice <- interval_choice(object, method)
  ci <- switch(choice$method,
    wald = wald_intervals(object, level),
    profile = with_first_warning(
      profile_intervals(object, parm, deviance_root(object, level, choice),
                        end_calibration(object, level, choice, seed, call), call)),
    bootstrap = {
      estimates <- bootstrap_estimates(object, check_replicates(R, call), seed, call, draw)
      used <- colSums(!is.na(estimates))[parm]
      bootstrap_intervals(object, estimates, tail, type)
    })
  dimnames(ci) <- list(names(coef(object)), percent(c(tail, 1 - tail)))
  ci <- structure(ci[parm, , drop = FALSE], replicates = used)
  with_reasons(ci, choice, parameter_reasons(object, ci, choice$method))
}

percent <- function(p) paste0(format(100 * p, trim = TRUE, digits = 3), " %")

check_parm <- function(parm, known, call, name = "parm") {
  if (missing(parm)) return(known)
  odd <- if (is.character(parm)) setdiff(parm, known)
  if (is.numeric(parm)) {
    odd <- parm[is.na(parm) | abs(parm) > length(known)]
    if (!length(odd)) parm <- known[parm]
  }
  if (!is.character(parm) || length(odd))
    stop_with(call, "argument", "`", name, "` must contain names or indices of ", paste(known, collapse = ", "),
              ", not ", value_text(if (length(odd)) odd[[1L]] else parm), ".")
  parm
}

# Returns the standard normal quantile of the upper end of an interval.  (1 + level)/2 may be rounded to 1.
critical_normal_value <- function(level) stats::qnorm((1 - level) / 2, lower.tail = FALSE)

wald_intervals <- function(object, level) {
  est <- coef(object)
  reach <- c(-1, 1) * critical_normal_value(level)
  sd <- sqrt(diag(object$vcov))
  ci <- est + outer(sd, reach)
  if ("gamma" %in% names(est)) ci["gamma", ] <- est[["gamma"]] * exp(sd[["gamma"]] / est[["gamma"]] * reach)
  clip_to_bounds(ci)
}

# The coefficients of a regression need not include alpha and beta.
clip_to_bounds <- function(ci) {
  bounds <- list(alpha = c(0, 2), beta = c(-1, 1))
  for (name in intersect(names(bounds), rownames(ci)))
    ci[name, ] <- pmin(pmax(ci[name, ], bounds[[name]][1L]), bounds[[name]][2L])
  ci
}

# Returns fits to samples of the fitted distribution, or those that draw() returns; for censored data, to samples of the
# observations.
replicate_fits <- function(object, R, seed, call, draw = NULL) {
  if (inherits(object, "stablefit_censored")) return(resampled_fits(object, R, seed, call))
  bootstrap_fits(object, R, seed, call, draw)
}

bootstrap_estimates <- function(object, R, seed, call, draw) {
  estimates <- do.call(rbind, lapply(replicate_fits(object, R, seed, call, draw), `[[`, "coefficients"))
  estimates[, object$fixed] <- NA
  estimates
}

bootstrap_intervals <- function(object, estimates, tail, type) {
  est <- coef(object)
  ends <- function(v) {
    v <- v[!is.na(v)]
    if (length(v)) stats::quantile(v, c(tail, 1 - tail), type = 6L, names = FALSE) else c(NA, NA)
  }
  ci <- t(apply(estimates, 2L, ends))
  if (type == "percentile") return(ci)
  basic <- 2 * est - ci[, 2:1]
  basic["gamma", ] <- est[["gamma"]]^2 / ci["gamma", 2:1]
  clip_to_bounds(basic)
}

check_likelihood_fit <- function(object, call) {
  if (object$method != "mle")
    stop_with(call, "argument", "Profile intervals require a fit with method = \"mle\", not \"", object$method, "\".")
}

profile_intervals <- function(object, parm, target, calibrate, call) {
  check_likelihood_fit(object, call)
  ci <- matrix(NA_real_, 4L, 2L, dimnames = list(fit_parameters, NULL))
  for (name in setdiff(parm, object$fixed)) {
    profile <- profile_for(object, name, call)
    ci[name, ] <- profile_interval(profile, target, calibrate)
  }
  ci
}

profile_for <- function(object, name, call) {
  if (inherits(object, "stablefit_lm")) return(regression_profile_of(name, object, call))
  dependent <- switch(object$pm + 1L, character(), "delta", c("gamma", "delta"))
  (if (name %in% dependent) pm_profile_of else profile_of)(object, name, call)
}

# Returns the square root of the deviance as a function of one parameter (gamma: of its logarithm).
profile_of <- function(object, name, call) {
  log_scale <- name == "gamma"
  arguments <- refit_arguments(object, call, pm = 0)
  least <- object$control$alpha.min
  theta <- object$theta
  others <- setdiff(names(theta), c(name, object$fixed))
  est <- if (log_scale) log(theta[[name]]) else theta[[name]]
  is_narrow <- !is.null(object$truncation)
  is_binned <- inherits(object, "stablefit_censored") && !is_narrow
  path <- list(list(v = est, theta = theta))         # the maxima found so far
  last <- theta                 # later starts are moved off the bounds, where searches progress slowly
  maximum <- NULL
  root <- function(v) {
    held <- if (log_scale) bounded_exp(v) else v
    arguments$fixed[[name]] <- held
    arguments$start <- (if (is_narrow) start_on_path(object, path, v, name, held, others, least)
      else last)[others]
    fit <- if (is_binned) held_censored(object, arguments) else do.call(refit_data, c(list(object), arguments))
    if (is.null(fit)) return(Inf)                  # no such distribution has the data in its support
    maximum <<- fit$theta
    path <<- c(path, list(list(v = v, theta = maximum)))
    last <<- inner_start(maximum)
    root_of_deviance(fit$loglik, object, name, held, call)
  }
  list(root = root, est = est, back = if (log_scale) exp else identity, step = profile_step(object, name),
       simulated_roots = function(v, ...) {
         root(v)
         simulated_roots(object, maximum, function(fit) profile_of(fit, name, call), v, ...)
       },
       lower = switch(name, alpha = least, beta = -1, -Inf),
       upper = switch(name, alpha = 2, beta = 1, Inf), limit = side_limits(Inf),
       is_narrow = is_narrow,
       longest = if (is_narrow) switch(name, gamma = log(widest_interval), delta = widest_interval * theta[["gamma"]]))
}

# Distances of gamma (as a ratio) and delta (in multiples of gamma) from the estimate at which the profile of a
# truncated sample ends: if the deviance is below the quantile there, the interval is unbounded.
widest_interval <- 100

# Returns the start of a search with a parameter held at `held`, the image of v: the likeliest of the two maxima on the
# path that are closest to v, of the distribution on the straight line through them, whose coordinates are alpha, beta,
# log gamma and the mode, and for delta of the one with the shape and the mode of the closest.  A likelihood may have
# several maxima, of which the highest changes along the path; a start at the last one would let the root of the
# deviance depend on the values at which it was computed before.  others: the names of the free parameters; least: the
# smallest alpha.
start_on_path <- function(object, path, v, name, held, others, least) {
  at <- vapply(path, `[[`, 0, "v")
  near <- path[utils::head(order(abs(at - v)), 2L)]
  points <- lapply(near, function(p) to_mode_coordinates(p$theta))
  if (length(near) > 1L && near[[1L]]$v != near[[2L]]$v) {
    share <- (v - near[[1L]]$v) / (near[[1L]]$v - near[[2L]]$v)
    points <- c(points, list(points[[1L]] + share * (points[[1L]] - points[[2L]])))
  }
  if (name == "delta") points <- c(points, with_same_mode(points[[1L]], held))
  starts <- lapply(points, function(p) {
    theta <- object$theta
    p <- replace(inner_start(replace(p, "alpha", max(p[["alpha"]], least))), name,
                 if (name == "gamma") log(held) else held)
    replace(replace(theta, others, from_mode_coordinates(p)[others]), name, held)
  })
  likelihoods <- vapply(starts, fit_log_likelihood, 0, object = object)
  starts[[max(1L, which.max(likelihoods))]]
}

# Returns the point with the shape and the mode of another whose gamma belongs to a value of delta, as a list, which is
# empty if there is none.
with_same_mode <- function(p, delta) {
  gamma <- (p[["delta"]] - delta) / stable_mode(p[["alpha"]], p[["beta"]])
  if (isTRUE(gamma > 0 && gamma < Inf)) list(replace(p, "gamma", log(gamma)))
}

# Convert between S0 parameters and the coordinates alpha, beta, log gamma and mode.
to_mode_coordinates <- function(theta) {
  mode <- stable_mode(theta[["alpha"]], theta[["beta"]], theta[["gamma"]], theta[["delta"]])
  c(theta[c("alpha", "beta")], gamma = log(theta[["gamma"]]), delta = mode)
}

from_mode_coordinates <- function(p) {
  gamma <- bounded_exp(p[["gamma"]])
  c(p[c("alpha", "beta")], gamma = gamma, delta = p[["delta"]] - gamma * stable_mode(p[["alpha"]], p[["beta"]]))
}

# Returns exp(v) with v in (-700, 700): in a sample truncated to the centre of the distribution the deviance may stay
# finite as gamma increases, and the search for the end of the interval goes on.
bounded_exp <- function(v) exp(max(-700, min(700, v)))

# Returns a deviance beyond which there is no parameter, on either side of the estimate.
side_limits <- function(limit) c(lower = limit, upper = limit)

# Returns starts for a search: one inside the parameter space, and two skewed distributions, which a search that starts
# close to the normal distribution may not reach.
skewed_starts <- function(theta) {
  skewed <- function(beta) replace(theta, c("alpha", "beta"), c(min(theta[["alpha"]], 1.8), beta))
  list(inner_start(theta), skewed(-0.9), skewed(0.9))
}

# Returns parameters with alpha at most 1.99 and abs(beta) at most 0.98, from which searches progress faster.
inner_start <- function(theta) {
  if ("alpha" %in% names(theta)) theta[["alpha"]] <- min(theta[["alpha"]], 1.99)
  if ("beta" %in% names(theta)) theta[["beta"]] <- max(-0.98, min(0.98, theta[["beta"]]))
  theta
}

# Returns the square root of the deviance of a log-likelihood, Inf if the search for it has failed.  It warns if the
# log-likelihood is higher than that of the fit.  name, v: the parameter that is held, and its value.
root_of_deviance <- function(loglik, object, name, v, call) {
  gain <- 2 * (loglik - object$loglik)
  if (!is.finite(loglik) || is.nan(gain)) return(Inf)
  if (gain > 1e-4) warn_better(name, v, gain / 2, call)
  sqrt(max(0, -gain))
}

# Evaluates an expression and shows only the first of its warnings about higher likelihoods.
with_first_warning <- function(code) {
  warned <- FALSE
  withCallingHandlers(code, stablecl_warning_convergence = function(w) {
    if (warned) invokeRestart("muffleWarning")
    warned <<- TRUE
  })
}

warn_better <- function(name, v, gain, call) {
  warn_with(call, "convergence",
            sprintf("With %s fixed at %.4g, a refit has a log-likelihood %.3g above that of the fit, ", name, v, gain),
            "so the fit is not at the global maximum; try other start values.")
}

# Returns the first step of a search: about one standard error, or a typical one for parameters without a standard
# error.
profile_step <- function(object, name) {
  sd <- sqrt(object$theta.vcov[name, name])
  gamma <- object$theta[["gamma"]]
  if (!is.finite(sd)) sd <- c(alpha = 0.1, beta = 0.3, gamma = 0.1 * gamma, delta = 0.1 * gamma)[[name]]
  if (name == "gamma") min(1, sd / gamma) else if (name == "delta") sd else min(0.5, sd)
}

# Steps away from the estimate until the deviance exceeds its quantile, then finds the end by Brent's method.  If the
# root of a truncated sample is below the target at the solution, the search on its far side had ended at a lower
# maximum, and the steps continue from there.
profile_end <- function(profile, side, target) {
  bound <- profile[[side]]
  if (profile$est == bound || profile$limit[[side]] < target) return(bound)
  if (is.infinite(profile$est) && profile$root(profile$from) >= target) return(profile$est)
  here <- list(at = if (is.null(profile$from)) profile$est else profile$from, below = -target, slope = NA,
               reach = target * profile$step)
  for (trial in seq_len(if (isTRUE(profile$is_narrow)) bracket_trials else 1L)) {
    bracket <- bracket_of_end(profile, if (side == "lower") -1 else 1, bound, target, here)
    if (bracket$above < 0) return(bound)
    if (!is.finite(bracket$above)) bracket$above <- 10 * target
    order <- order(c(bracket$near, bracket$far))
    values <- c(bracket$below, bracket$above)[order]
    end <- stats::uniroot(function(v) min(profile$root(v) - target, 10 * target), c(bracket$near, bracket$far)[order],
                          f.lower = values[1L], f.upper = values[2L], tol = 1e-6 * profile$step)
    if (!isTRUE(end$f.root < -target_tolerance)) break
    here <- list(at = end$root, below = end$f.root, slope = bracket$slope, reach = profile$step)
  }
  end$root
}

bracket_trials <- 4L
target_tolerance <- 1e-3            # difference from the target below which the root of the deviance has reached it
bracket_steps <- 40L
bracket_splits <- 6L                # steps that are halved because the root increases much more than expected
jump <- 1                           # such an increase of the root

# Returns two points, `near` and `far`, and the differences `below` and `above` between the roots there and the target;
# `above` is negative if the target is not reached.  The root of truncated samples increases slowly far from the
# estimate, so that each step extends a little beyond the point at which the straight line through the last two roots
# would reach the target.  A search that starts far away may end at a lower maximum; if the root increases by more than
# `jump` beyond three times the increase on the straight line, the step is halved.
# here: the point from which to start, the difference there, the slope of the root and the first step.
bracket_of_end <- function(profile, away, bound, target, here) {
  from <- near <- here$at
  below <- here$below
  slope <- here$slope
  reach <- here$reach
  most <- min(abs(bound - from), profile$longest)
  splits <- 0L
  narrow <- isTRUE(profile$is_narrow)
  for (step in seq_len(bracket_steps)) {
    reach <- min(reach, most)
    far <- if (reach == abs(bound - from)) bound else from + away * reach
    above <- profile$root(far) - target
    distance <- abs(far - near)
    if (above >= 0 && narrow && splits < bracket_splits && isTRUE(above - below > 3 * slope * distance + jump)) {
      splits <- splits + 1L
      reach <- reach - distance / 2
      next
    }
    if (above >= 0 || reach == most) break
    slope <- (above - below) / distance
    near <- far
    below <- above
    reach <- reach * (if (narrow) max(1.2, min(4, 1 - 1.05 * above / (slope * reach), na.rm = TRUE))
      else max(1.2, min(2, 1.05 * target / (above + target))))
  }
  list(near = near, far = far, below = below, above = above, slope = slope)
}
