# Methods of R's generic functions for fits by mvspectralfit().

#' Methods for fitted discrete spectral measures
#'
#' Estimates, samples and pictures of a fit by [mvspectralfit()] through R's own generic functions.
#'
#' `coef()` also exists for distributions by [mvstable_spectral()]; the other methods require a fit.
#'
#' `plot()` shows how well the fitted measure reproduces the sample: for each projection `gamma` of the fitted
#' distribution against the estimate, and `beta` likewise.
#'
#' @param x,object an object of class [`"mvstable_spectral"`][mvstable_spectral], fitted by [mvspectralfit()].
#' @param nsim number of samples, 0 or more, each of the size of the data.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @param ... graphical parameters for `plot()`.  Any other argument is an error of class `"stablecl_error_argument"`.
#' @return `coef()`: a vector with `alpha`, the masses `mass[i]` at direction number `i`, and `delta[j]`; `nobs()`: the
#'   number of observations; `simulate()`: a list of matrices with an attribute `"seed"`; `plot()`: `x`, invisibly.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, or the distribution was not fitted.}
#' }
#' @seealso [mvspectralfit()], [rmvstable()].
#' @examples
#' law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2))
#' set.seed(1)
#' fit <- mvspectralfit(rmvstable(2000, law), directions = c(0, 1, 2, 3) * pi / 3)
#' coef(fit)
#' dim(simulate(fit, seed = 1)[[1]])
#' plot(fit)
#' @name mvspectralfit-methods
NULL

#' @rdname mvspectralfit-methods
#' @export
coef.mvstable_spectral <- function(object, ...) {
  check_dots(..., allowed = "complete")
  names <- if (is.null(names(object$delta))) seq_along(object$delta) else names(object$delta)
  c(alpha = object$alpha, stats::setNames(object$mass, sprintf("mass[%d]", seq_along(object$mass))),
    stats::setNames(object$delta, sprintf("delta[%s]", names)))
}

#' @rdname mvspectralfit-methods
#' @export
nobs.mvstable_spectral <- function(object, ...) {
  check_dots(...)
  check_spectral_fit(object, sys.call())$nobs
}

#' @rdname mvspectralfit-methods
#' @export
simulate.mvstable_spectral <- function(object, nsim = 1, seed = NULL, ...) {
  check_dots(...)
  call <- sys.call()
  check_spectral_fit(object, call)
  seeded_samples(nsim, seed, call, function() rmvstable(object$nobs, object))
}

#' @rdname mvspectralfit-methods
#' @export
plot.mvstable_spectral <- function(x, ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(..., call = sys.call())
  misfit <- check_spectral_fit(x, sys.call())$misfit
  if (prod(graphics::par("mfcol")) == 1L) {
    old <- graphics::par(mfrow = 1:2)
    on.exit(graphics::par(old))
  }
  for (name in c("gamma", "beta")) {
    estimate <- misfit[[name]]
    fitted <- misfit[[paste0(name, ".fitted")]]
    range <- if (name == "beta") c(-1, 1) else range(estimate, fitted)
    framed_plot(range, range, xlab = "Estimate of the projection", ylab = "Fitted measure", main = name, ...)
    graphics::abline(0, 1, lwd = 2, col = plot_colours[["stable"]])
    graphics::points(estimate, fitted, pch = 1, cex = 0.8, col = plot_colours[["points"]])
  }
  invisible(x)
}

# Returns a distribution, or raises an error if it was not fitted.
check_spectral_fit <- function(object, call) {
  if (is.null(object$misfit))
    stop_with(call, "argument", "The distribution must be a fit by mvspectralfit(), not one by mvstable_spectral().")
  object
}
