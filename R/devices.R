#' Devices that can compute
#'
#' Lists the OpenCL devices of this machine, such as graphics cards, and says which of
#' them this package can use.
#'
#' The OpenCL library and the drivers are looked for when this function, or a
#' computation that asks for a device, is called for the first time, never when the
#' package is loaded.  A machine without OpenCL is nothing special: the table then has
#' no rows, and its attribute `note`, which is printed, says why.
#'
#' A device is usable if it is available, its driver speaks OpenCL 1.2 or later and
#' has a compiler, and if it computes in double precision.
#'
#' The environment variable `STABLECL_OPENCL_LIBRARY` names the OpenCL library to open
#' instead of the usual one, by its absolute path; any other path is refused.
#'
#' @return A data frame of class `stable_devices` with one row per device and the columns
#'   `platform` and `device` (names), `type` (`"GPU"`, `"CPU"`, `"accelerator"` or
#'   `"other"`), `compute_units`, `memory` (bytes), `fp64` (double precision),
#'   `opencl_version`, `driver` (version), `usable`, and `why_not` (empty if
#'   usable).
#' @seealso [stable_backend()] to choose one.
#' @examples
#' if (interactive()) stable_devices()         # loads the drivers
#' @export
stable_devices <- function() device_table(TRUE)

# The table; without a look at the drivers, which loads them, it has no rows.
device_table <- function(look) {
  columns <- .Call(C_devices, look)
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
