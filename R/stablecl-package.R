#' @keywords internal
#' @aliases stablecl
#' @useDynLib stablecl, .registration = TRUE
"_PACKAGE"

.onLoad <- function(libname, pkgname) support_all()

.onUnload <- function(libpath) {
  .Call(C_unload)
  library.dynam.unload("stablecl", libpath)
}
