#' @keywords internal
#' @aliases stablecl
#' @useDynLib stablecl, .registration = TRUE
"_PACKAGE"

.onUnload <- function(libpath) {
  .Call(C_unload)
  library.dynam.unload("stablecl", libpath)
}
