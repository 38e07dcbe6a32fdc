#' @section Errors and warnings:
#' A refusal says what must hold and what was given.  For programs, errors have the class `"stablecl_error"` and one of
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is not what its manual page asks for;}
#'   \item{`"stablecl_error_data"`}{a sample cannot be fitted or tested;}
#'   \item{`"stablecl_error_device"`}{a device that was asked for is not there, or has failed;}
#'   \item{`"stablecl_error_memory"`}{memory is short;}
#'   \item{`"stablecl_error_integral"`}{an integral has not converged, and `stop.on.error` is `TRUE`;}
#'   \item{`"stablecl_error_untranslatable"`}{an integrand has no translation, and must have one;}
#'   \item{`"stablecl_error_translation"`}{a translation and its function differ;}
#'   \item{`"stablecl_error_unsupported"`}{a device was asked for what devices do not do;}
#'   \item{`"stablecl_error_worker"`}{a worker process has failed.}
#' }
#' Warnings have `"stablecl_warning"` and `"stablecl_warning_device"` (a device was given up, the processor has done the
#' work), `"stablecl_warning_convergence"` (no maximum was reached), `"stablecl_warning_interrupted"` (what is finished
#' is returned) or `"gintegrate_warning_status"` (integrals that have not converged).  Of vectors that are no numbers,
#' and of `NaN` that they make, the d, p, q and r functions speak in R's own words, without a class.
#' @examples
#' # go on with NA where a sample cannot be fitted
#' alpha <- function(x) tryCatch(coef(stablefit(x))[["alpha"]], stablecl_error_data = function(e) NA)
#' alpha(c(1, 1, 1))
#' @section Calling from C:
#' The compiled code of other packages reaches densities, probabilities, quantiles, scores and counted random numbers
#' through `stablecl.h`, a header that says what each function takes and returns:
#' `file.show(system.file("include", "stablecl.h", package = "stablecl"))`.  Such a package has `Imports: stablecl`
#' and `LinkingTo: stablecl` in its `DESCRIPTION` and imports a function of stablecl in its `NAMESPACE`.
#' Every thread may have an evaluator of its own; none of these functions calls R; failures are return values.
#' @keywords internal
#' @aliases stablecl
#' @useDynLib stablecl, .registration = TRUE
"_PACKAGE"

.onLoad <- function(libname, pkgname) support_all()

.onUnload <- function(libpath) {
  quick_state$loaded <- FALSE
  space <- topenv()
  if (.Call(C_unload, space, ls(space, pattern = "^C_"))) library.dynam.unload("stablecl", libpath)
}
