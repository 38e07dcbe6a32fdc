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
  .Call(C_unload)
  library.dynam.unload("stablecl", libpath)
}
