#' OpenCL devices
#'
#' Lists the OpenCL devices of this machine, such as graphics cards, and shows which of
#' them this package can use.
#'
#' The search for the OpenCL library and the drivers takes place when this function, or a
#' computation that requests a device, is first called, never when the package is loaded.
#' On a machine without OpenCL, which is common, the table has no rows, and its attribute
#' `note`, which is printed, states the reason.
#'
#' A device is usable if it is available, if its driver supports OpenCL 1.2 or later and
#' has a compiler, and if it computes in double precision.  A device without double
#' precision, like many graphics cards of laptops, can be selected ([stable_backend()]), but
#' only for calls with `precision = "single"`; other calls are then errors of class
#' `"stablecl_error_unsupported"`.
#'
#' The environment variable `STABLECL_OPENCL_LIBRARY` sets the absolute path of the OpenCL
#' library to open instead of the usual one; a relative path is refused.
#'
#' @return A data frame of class `stable_devices` with one row per device and the columns
#'   `platform` and `device` (names), `type` (`"GPU"`, `"CPU"`, `"accelerator"` or
#'   `"other"`), `compute_units`, `memory` (bytes), `fp64` (double precision),
#'   `opencl_version`, `driver` (version), `usable` (in double precision), `why_not` (empty if
#'   usable), and `single` (usable with `precision = "single"`).
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{raised by `print()` for an unknown or empty argument.}
#' }
#' There is no error if OpenCL, a driver or a device cannot be used: the attribute `note` and the column `why_not`
#' state the reason.
#' @seealso [stable_backend()] to choose one, [stable_sitrep()], [gintegrate-devices].
#' @examples
#' if (interactive()) stable_devices()         # loads the drivers
#' @export
stable_devices <- function() device_table(TRUE)

# Returns the table of devices.  If `query` is FALSE it has no rows, and no driver is loaded.
device_table <- function(query) {
  columns <- .Call(C_devices, query)
  note <- attr(columns, "note")
  columns$opencl_version <- sub("^OpenCL ([0-9]+[.][0-9]+).*", "\\1", columns$opencl_version)
  structure(columns, class = c("stable_devices", "data.frame"),
            row.names = .set_row_names(length(columns$device)), note = note)
}

#' @export
print.stable_devices <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  note <- attr(x, "note")
  if (nrow(x) == 0L && !is.null(note)) {
    cat("No OpenCL devices: ", note, ".\n", sep = "")
    return(invisible(x))
  }
  shown <- as.data.frame(unclass(x)[names(x)], stringsAsFactors = FALSE)
  if (is.numeric(shown$memory)) {
    shown$memory <- vapply(shown$memory, format_bytes, "", standard = "IEC")
  }
  print(shown, ...)
  invisible(x)
}
