# Called by the compiled code with the code and message of a failure; the codes
# are those of src/base/status.h.
raise_status <- function(code, message) {
  kind <- c("memory", "interrupted", "device", "unsupported")[code]
  classes <- c(paste0("stablecl_error_", kind), "stablecl_error", "error", "condition")
  stop(structure(class = classes, list(message = message, call = sys.call(-1L))))
}

# Called by the compiled code when a job has been finished on the CPU.
warn_device <- function(reason) {
  message <- paste0(reason, "\nThe CPU has done the work and goes on doing it; ",
                    "stable_backend(\"auto\") lets the device try again.")
  classes <- c("stablecl_warning_device", "stablecl_warning", "warning", "condition")
  warning(structure(class = classes, list(message = message, call = sys.call(-1L))))
}
