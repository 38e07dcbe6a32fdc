#' @keywords internal
#' @aliases stablecl
#' @useDynLib stablecl, .registration = TRUE
"_PACKAGE"

.onUnload <- function(libpath) {
  library.dynam.unload("stablecl", libpath)
}
