# Methods of R's generic functions for fits by mvspectralfit().

#' Methods for fitted discrete spectral measures
#'
#' Estimates, samples and pictures of a fit by [mvspectralfit()] through R's own generic functions.
#'
#' `coef()` also exists for distributions by [mvstable_spectral()]; the other methods require a fit.
#'
#' `summary()` contains, besides `alpha`, the parameters of the components, each of which has a stable distribution: the
#' location in the parametrisation S0 of [dstable()], and `beta` and `gamma`, which follow from the spectral measure
#' ([mvstable_projection()]). For each direction with a positive mass it has the mass and its share of the total, and in
#' two dimensions its angle in radians, from 0 up to \eqn{2\pi}{2 pi}. Standard errors are `NA` unless the fit has
#' bootstrap samples (`R`).  `print()` orders the directions by their masses and shows the ten largest.
#'
#' `plot()` shows how well the fitted measure reproduces the sample: for each projection `gamma` of the fitted
#' distribution against the estimate, and `beta` likewise.
#'
#' @param x,object an object of class [`"mvstable_spectral"`][mvstable_spectral], fitted by [mvspectralfit()]; for
#'   `print()` its summary.
#' @param nsim number of samples, 0 or more, each of the size of the data.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @param digits significant digits to print, one number from 0 to 22; 0 counts as 1.
#' @param ... graphical parameters for `plot()`, and for `print()` its other arguments.  Any other argument is an error
#'   of class `"stablecl_error_argument"`.
#' @return `coef()`: a vector with `alpha`, the masses `mass[i]` at direction number `i`, and `delta[j]`; `nobs()`: the
#'   number of observations; `simulate()`: a list of matrices with an attribute `"seed"`; `plot()` and `print()`: `x`,
#'   invisibly; `summary()`: an object of class `"summary.mvstable_spectral"`, a list with, among others, `alpha`,
#'   `se.alpha`, and the data frames `components` with the columns `delta`, `se`, `beta` and `gamma`, and `directions`
#'   with `angle` (in two dimensions) or the coordinates, and with `mass`, `se` and `share`.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, or the distribution was not fitted.}
#' }
#' @seealso [mvspectralfit()], [rmvstable()].
#' @examples
#' law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2))
#' set.seed(1)
#' fit <- mvspectralfit(rmvstable(2000, law), directions = c(0, 1, 2, 3) * pi / 3)
#' summary(fit)
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
summary.mvstable_spectral <- function(object, ...) {
  check_dots(...)
  check_spectral_fit(object, sys.call())
  d <- length(object$delta)
  on <- which(object$mass > 0)
  error <- function(name) if (is.null(object$se)) rep(NA_real_, length(object[[name]])) else object$se[[name]]
  margins <- mvstable_projection(diag(d), object)
  components <- data.frame(delta = unname(object$delta), se = unname(error("delta")), beta = margins$beta,
                           gamma = margins$gamma, row.names = names(object$delta))
  s <- object$directions[on, , drop = FALSE]
  place <- if (d == 2L) data.frame(angle = atan2(s[, 2L], s[, 1L]) %% (2 * pi)) else {
    if (is.null(colnames(s))) colnames(s) <- paste0("s", seq_len(d))
    as.data.frame(s)
  }
  directions <- cbind(place, mass = object$mass[on], se = error("mass")[on], share = object$mass[on] / sum(object$mass))
  rownames(directions) <- on
  structure(c(object[c("call", "alpha", "nobs", "misfit", "replicates")],
              list(se.alpha = error("alpha"), components = components, directions = directions,
                   total = sum(object$mass), candidates = length(object$mass))), class = "summary.mvstable_spectral")
}

most_directions <- 10L                # that print() shows

#' @rdname mvspectralfit-methods
#' @export
print.summary.mvstable_spectral <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  known <- !is.null(x$replicates)
  columns <- function(table) if (known) table else table[names(table) != "se"]
  d <- nrow(x$components)
  cat("Stable distribution with a discrete spectral measure, ", d, " dimension", if (d > 1L) "s", "\nfitted to ",
      x$nobs, " observations\n\nCall: ", deparse_call(x$call), "\n\nalpha ", format_each(x$alpha, digits),
      if (!is.na(x$se.alpha)) c(" (std. error ", format_each(x$se.alpha, digits - 1L), ")"), "\n\nComponents (S0):\n",
      sep = "")
  print(columns(x$components), digits = digits, ...)
  m <- nrow(x$directions)
  first <- order(-x$directions$mass)[seq_len(min(m, most_directions))]
  cat("\nSpectral measure: ", m, " of ", x$candidates, " directions have a positive mass, total ",
      format_each(x$total, digits), if (m > length(first)) c("; the ", length(first), " largest"), ":\n", sep = "")
  print(columns(x$directions[first, ]), digits = digits, ...)
  cat("\n", misfit_line(x$misfit, digits), "\n", if (known)
    c("Standard errors from ", x$replicates, " bootstrap samples\n") else
      "For standard errors set `R`, the number of bootstrap samples.\n", sep = "")
  invisible(x)
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
    framed_plot(list(xlim = range, ylim = range, xlab = "Estimate of the projection", ylab = "Fitted measure",
                     main = name), ...)
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
