#' @section Where to start:
#' [dstable()], [pstable()], [qstable()] and [rstable()] are the functions of the distributions, [dmvstable()] and
#' [pmvstable()] those of several dimensions.  [stablefit()] fits samples, [stable_lm()] regressions; [stable_gof()]
#' and [stable_compare()] check a fit.  [gintegrate()] computes integrals of R functions.  [stable_backend()] selects
#' where to compute, and [stable_sitrep()] prints versions, devices and settings.  If the package was installed with
#' vignettes, `vignette("getting-started", "stablecl")` is the first of them.
#' @section Errors and warnings:
#' Error messages state the requirement and the value given.  Errors have the class `"stablecl_error"` and one of
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument does not meet the requirements of its manual page;}
#'   \item{`"stablecl_error_data"`}{a sample cannot be fitted or tested;}
#'   \item{`"stablecl_error_device"`}{a requested device does not exist, or has failed;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted;}
#'   \item{`"stablecl_error_integral"`}{an integral has not converged, and `stop.on.error` is `TRUE`;}
#'   \item{`"stablecl_error_untranslatable"`}{an integrand cannot be translated, although a translation is required;}
#'   \item{`"stablecl_error_translation"`}{a translation and its function differ;}
#'   \item{`"stablecl_error_unsupported"`}{devices do not support the requested computation;}
#'   \item{`"stablecl_error_worker"`}{a worker process has failed;}
#'   \item{`"stablecl_error_interrupted"`}{an interrupt has ended a call before there was any result.}
#' }
#' Warnings have the class `"stablecl_warning"` and one of `"stablecl_warning_device"` (a device failed, and the
#' CPU completed the computation), `"stablecl_warning_convergence"` (a search did not converge),
#' `"stablecl_warning_interrupted"` (finished results are returned), `"stablecl_warning_ties"` (a sample has many
#' equal values), `"stablecl_warning_worker"` (a chunk could not be sent to a worker), `"stablecl_warning_deprecated"`
#' (a former name of an argument or function) or `"gintegrate_warning_status"` (some integrals have not converged).
#' For non-numeric vectors, and for `NaN` results, the d, p, q and r functions use base R's messages, without a class.
#' @seealso [dstable()], [dmvstable()], [stablefit()], [gintegrate()], [stable_backend()].
#' @examples
#' # continue with NA if a sample cannot be fitted
#' alpha <- function(x) tryCatch(coef(stablefit(x))[["alpha"]], stablecl_error_data = function(e) NA)
#' alpha(c(1, 1, 1))
#' @section Calling from C:
#' The compiled code of other packages can call densities, probabilities, quantiles, scores and counter-based random
#' numbers through `stablecl.h`, a header that documents the arguments and value of each function:
#' `file.show(system.file("include", "stablecl.h", package = "stablecl"))`.  Such a package has `Imports: stablecl`
#' and `LinkingTo: stablecl` in its `DESCRIPTION` and imports a function of stablecl in its `NAMESPACE`.
#' Every thread may have its own evaluator; none of these functions calls R; failures are return values.
#' @keywords internal
#' @aliases stablecl
#' @useDynLib stablecl, .registration = TRUE
#' @rawNamespace importFrom(stats, anova, case.names, coef, confint, density, deviance, df.residual, extractAIC, fitted,
#'   formula, getCall, logLik, median, model.frame, model.matrix, na.omit, nobs, predict, profile, quantile, residuals,
#'   sigma, simulate, update, variable.names, vcov)
"_PACKAGE"
# R processes each directive importFrom() by itself: one instead of 22, as by @importFrom, saves an eighth of the time
# of library(stablecl).

.onLoad <- function(libname, pkgname) {
  table <- NULL
  rm("supported_functions", envir = topenv())
  makeActiveBinding("supported_functions", function() {
    if (is.null(table)) table <<- all_supported_functions()
    table
  }, topenv())
}

.onUnload <- function(libpath) {
  quick_state$loaded <- FALSE
  space <- topenv()
  if (.Call(C_unload, space, ls(space, pattern = "^C_"))) library.dynam.unload("stablecl", libpath)
}
