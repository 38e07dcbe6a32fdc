# Methods of fits to censored, truncated and binned data, where those of class "stablefit" do not apply.

#' Fits to censored, truncated and binned data
#'
#' [stablefit()] also fits data of which only intervals are known, and samples from which values outside known bounds
#' are absent, by maximum likelihood.
#'
#' @section Data:
#' `x` in `stablefit(x)` may be
#' \describe{
#'   \item{an object of class `"Surv"`}{of package \pkg{survival}, of type `"right"`, `"left"`, `"interval"` or
#'     `"interval2"`;}
#'   \item{a table of intervals}{a data frame or matrix with the columns `left` and `right`, no other columns, and a
#'     row for each observation, as for `fitdistrplus::fitdistcens()`: equal for a value that was observed, `NA` or
#'     infinite where the interval has no end.  Rows without any end are missing values.  Frequencies can be given as
#'     `weights`.  (Two samples in columns of these names can be fitted as a list.)}
#'   \item{counts in bins}{an object of class `"histogram"`, as returned by [hist()], whose elements `breaks` and
#'     `counts` are used; the first and the last of the breaks may be infinite;}
#'   \item{a sample}{with `truncation`.}
#' }
#' Intervals do not identify the parameters if they have fewer different finite ends than there are free parameters,
#' such as those of four bins of which the outer ones are unbounded; a note of the fit reports this.
#'
#' The unit is that of the data.  An interval contains its right end, if that matters; all distributions are continuous.
#'
#' With `truncation = c(lower, upper)`, the bounds between which values could be observed at all (one may be infinite),
#' the likelihood is that of the distribution given these bounds.  Censoring and truncation can be combined.
#'
#' @section Likelihood:
#' With \eqn{F}{F} the distribution function and \eqn{f}{f} the density, the log-likelihood is
#' \deqn{\sum_{l_i = r_i} \log f(x_i) + \sum_{l_i < r_i} \log(F(r_i) - F(l_i)) - n \log(F(upper) - F(lower)).}{
#'   sum of log f(x[i]) + sum of log(F(r[i]) - F(l[i])) - n log(F(upper) - F(lower)).}
#' Differences are computed from the smaller tail, and for narrow intervals from the density, so that an interval of
#' width \eqn{h}{h} contributes \eqn{\log f(x) + \log h}{log f(x) + log h} in the limit.  The derivatives of the tail
#' probabilities with respect to `alpha` and `beta` are those of polynomials through tail probabilities at ten
#' Chebyshev nodes; they agree to 1e-10, relative to the tail probability, with integrals of the score
#' ([stable_score()]).  The search uses scores to about six digits, and those of [stable_quick()] for values that were
#' observed; the reported log-likelihood is exact.  It starts from the quantile estimate and the maximum-likelihood
#' estimate of a complete sample in which intervals are replaced by conditional quantiles of the previous estimate, and
#' from seven other shapes, of which only the likeliest is used for more than 200 observations.  A normal distribution
#' is preferred if it is as likely.
#'
#' Standard errors come from the observed information, as for complete samples.  Truncated samples contain little
#' information about the tails: if the bounds are within a few `gamma` of the centre, a wide range of `alpha` has nearly
#' the same likelihood.  `confint(method = "profile")` shows this better than standard errors do.
#'
#' @section Methods:
#' The result has the class `"stablefit_censored"` in addition to `"stablefit"`: `coef()`, `vcov()`, `logLik()`,
#' `AIC()`, `summary()`, [`confint()`][confint.stablefit], [`profile()`][profile.stablefit],
#' [`anova()`][anova.stablefit], `update()`, [`predict()`][predict.stablefit], `mean()`, `median()` and `sigma()` work
#' as for a sample and refer to the distribution without truncation.  Differences are:
#' * `simulate()` draws complete samples, within the bounds of truncation, because times of censoring are not known for
#'   observed values.
#' * Bootstrap intervals resample the observations instead of drawing from the distribution.
#' * `predict(type = "density")` and `predict(type = "probability")` require `at`.
#' * `anova()` has no p-values of `alpha = 2`, and no bootstrap.
#' * `plot()` shows the nonparametric estimate of the distribution function (Turnbull 1976) and the fitted one, both
#'   given the bounds of truncation; `ggplot2::autoplot()` returns this plot as an object of package ggplot2.
#' * `residuals()`, [stable_gof()], [stable_compare()], `generics::augment()` and methods of package \pkg{sandwich} are
#'   errors.
#'
#' @param x,object an object of class `"stablefit_censored"`.
#' @param nsim number of samples, 0 or more, each with as many values as there are observations.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @param main,xlab,ylab title and labels of the axes.
#' @param type for `residuals()` not used; for `autoplot()` `"cdf"`.
#' @param data not used.
#' @param ... `plot()`: further graphical parameters for [plot.default()].  Any other argument is an error.
#' @return `simulate()`: a data frame with a column for each sample and an attribute `"seed"`, as described in
#'   [stats::simulate()].  `plot()`: `x`, invisibly.  `autoplot()`: an object of class `"ggplot"`.
#'
#'   The object contains, in addition to the elements described in [stablefit()], the intervals as `data`, a data frame
#'   with the columns `left` and `right`, within the bounds of `truncation`, and `counts`, the number of observations of
#'   each kind.
#' @references
#' Turnbull, B. W. (1976) The empirical distribution function with arbitrarily grouped, censored and truncated data.
#' *Journal of the Royal Statistical Society. Series B* **38**, 290--295. \doi{10.1111/j.2517-6161.1976.tb01597.x}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, or the method does not exist for such
#'     data; for [stablefit()] also a `method` other than `"mle"`;}
#'   \item{`"stablecl_error_data"`}{for [stablefit()]: the intervals are not numeric, there are fewer than 8, all of
#'     them contain one value, so that the scale cannot be estimated, or one is outside of `truncation`.}
#' }
#' @seealso [stablefit()], [stable_lm()] for rounded data in a regression.
#' @examples
#' # losses of which only those up to 2 are known exactly
#' set.seed(1)
#' x <- rstable(300, 1.7, 0.5)
#' known <- pmin(x, 2)
#' fit <- stablefit(data.frame(left = known, right = ifelse(x < 2, x, Inf)))
#' fit
#' plot(fit)
#'
#' # the same with package survival
#' \donttest{
#' if (requireNamespace("survival", quietly = TRUE)) stablefit(survival::Surv(known, x < 2))
#' }
#'
#' # counts in bins, of which the outer ones are unbounded
#' bins <- hist(x, breaks = c(min(x), -4:4, max(x)), plot = FALSE)
#' bins$breaks[c(1, length(bins$breaks))] <- c(-Inf, Inf)
#' stablefit(bins)
#'
#' # values outside (-3, 6) were not recorded
#' stablefit(x[x > -3 & x < 6], truncation = c(-3, 6))
#' @name stablefit_censored
NULL

refuse_censored <- function(object, what, call) {
  if (inherits(object, "stablefit_censored"))
    stop_with(call, "argument", what, " not available for censored, truncated and binned data.")
}

#' @rdname stablefit_censored
#' @export
residuals.stablefit_censored <- function(object, type = NULL, ...) {
  check_dots(...)
  refuse_censored(object, "Residuals are", sys.call())
}

#' @method augment stablefit_censored
#' @exportS3Method generics::augment stablefit_censored
#' @rdname stablefit_censored
augment.stablefit_censored <- function(x, data = NULL, ...) {
  check_dots(...)
  refuse_censored(x, "Densities and residuals of observations are", sys.call())
}

#' @rdname stablefit_censored
#' @export
simulate.stablefit_censored <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  n <- as.integer(object$nobs)
  p <- object$theta
  bounds <- object$truncation
  draw <- function() {
    if (is.null(bounds)) return(rstable(n, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]]))
    quantiles_between(rep(bounds[1L], n), rep(bounds[2L], n), p, stats::runif(n))
  }
  samples <- seeded_samples(nsim, seed, sys.call(), draw)
  structure(samples, row.names = seq_len(n), class = "data.frame")
}

#' @rdname stablefit_censored
#' @export
plot.stablefit_censored <- function(x, main = "Distribution function", xlab = "x", ylab = "Probability", ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(..., call = sys.call())
  curves <- censored_curves(x)
  framed_plot(list(xlim = range(curves$at), ylim = c(0, 1), main = main, xlab = xlab, ylab = ylab), ...)
  graphics::lines(curves$steps$x, curves$steps$p, col = plot_colours[["normal"]])
  graphics::lines(curves$at, curves$fitted, col = plot_colours[["stable"]], lwd = 2)
  graphics::legend("topleft", c("fitted", "nonparametric"), col = plot_colours[c("stable", "normal")], lwd = c(2, 1),
                   bty = "n", cex = 0.8)
  invisible(x)
}

#' @rdname stablefit_censored
#' @method autoplot stablefit_censored
#' @exportS3Method ggplot2::autoplot stablefit_censored
autoplot.stablefit_censored <- function(object, type = "cdf", ...) {
  check_dots(...)
  check_choice(type, "cdf", "type", sys.call())
  curves <- censored_curves(object)
  ggplot2::ggplot() +
    ggplot2::geom_path(ggplot2::aes(x = curves$steps$x, y = curves$steps$p), colour = plot_colours[["normal"]]) +
    ggplot2::geom_line(ggplot2::aes(x = curves$at, y = curves$fitted), colour = plot_colours[["stable"]],
                       linewidth = 1) +
    ggplot2::labs(title = "Distribution function", x = "x", y = "Probability") + ggplot2::theme_minimal()
}

# Returns the fitted distribution function at points `at`, and the steps of the nonparametric estimate.  The points
# cover the finite ends of the intervals and the central 99% of the fitted distribution where the former are wider.
censored_curves <- function(fit) {
  data <- clipped_intervals(fit$data, fit$truncation)
  steps <- turnbull_estimate(data, fit$weights)
  q <- stats::predict(fit, c(0.005, 0.25, 0.75, 0.995))
  ends <- range(c(data$left, data$right), finite = TRUE)
  most <- 4 * (q[[3L]] - q[[2L]])
  range <- c(max(ends[1L], q[[1L]] - most), min(ends[2L], q[[4L]] + most))
  if (!is.null(fit$truncation)) range <- c(max(range[1L], fit$truncation[1L]), min(range[2L], fit$truncation[2L]))
  at <- seq(range[1L], range[2L], length.out = 501L)
  below <- function(x) stats::predict(fit, type = "probability", at = x)
  bounds <- if (is.null(fit$truncation)) c(0, 1) else below(fit$truncation)
  corners <- data.frame(x = as.vector(rbind(steps$left, steps$right)),
                        p = as.vector(rbind(cumsum(steps$p) - steps$p, cumsum(steps$p))))
  corners <- corners[is.finite(corners$x), ]
  corners$x <- pmin(pmax(corners$x, range[1L]), range[2L])
  list(at = at, fitted = (below(at) - bounds[1L]) / diff(bounds), steps = corners)
}

turnbull_iterations <- 5000L
turnbull_tolerance <- 1e-9

# Returns the nonparametric maximum-likelihood estimate of a distribution from intervals (Turnbull 1976): the innermost
# intervals, in increasing order, and their probabilities, by the self-consistency algorithm.  Observed values come
# before other ends at the same place on the left, and after them on the right, because intervals exclude their left
# end.
turnbull_estimate <- function(data, weights = NULL) {
  if (is.null(weights)) weights <- rep(1, nrow(data))
  exact <- data$left == data$right
  ends <- data.frame(x = c(data$left, data$right), is_right = rep(0:1, each = nrow(data)))
  ends$place <- c(ifelse(exact, 1, 3), ifelse(exact, 2, 2.5))
  order <- order(ends$x, ends$place)
  is_right <- ends$is_right[order]
  inner <- which(is_right[-1L] == 1 & is_right[-length(is_right)] == 0)
  rank <- order(order)
  first <- findInterval(rank[seq_len(nrow(data))] - 0.5, inner) + 1L
  last <- findInterval(rank[nrow(data) + seq_len(nrow(data))] - 0.5, inner)
  m <- length(inner)
  p <- rep(1 / m, m)
  for (round in seq_len(turnbull_iterations)) {
    sums <- c(0, cumsum(p))
    share <- weights / (sums[last + 1L] - sums[first])
    gain <- cumsum(sums_at(share, first, m) - c(0, sums_at(share, last, m)[-m])) / sum(weights)
    change <- max(abs(p * gain - p))
    p <- p * gain
    if (change < turnbull_tolerance) break
  }
  list(left = ends$x[order][inner], right = ends$x[order][inner + 1L], p = p)
}

# Returns the sums of values with each of the numbers 1 to m.
sums_at <- function(values, at, m) {
  sums <- numeric(m)
  total <- rowsum(values, at)
  sums[as.integer(rownames(total))] <- total
  sums
}

# Returns fits to observations drawn with replacement from those of a fit, as many as there are.
resampled_fits <- function(object, R, seed, call) {
  arguments <- refit_arguments(object, call)
  weights <- if (is.null(object$weights)) rep(1, nrow(object$data)) else object$weights
  counts <- seeded_samples(R, seed, call, function() drop(stats::rmultinom(1L, round(sum(weights)), weights)))
  fits <- lapply(counts, function(count) {
    again <- object
    again$weights <- count
    do.call(refit_data, c(list(again), arguments))
  })
  check_any_fitted(fits[!vapply(fits, is.null, NA)], R, call)
}
