# Called by the compiled code with the code and message of a failure; the codes
# are those of src/base/status.h.
raise_status <- function(code, message) {
  kind <- c("memory", "interrupted")[code]
  classes <- c(paste0("stablecl_error_", kind), "stablecl_error", "error", "condition")
  stop(structure(class = classes, list(message = message, call = sys.call(-1L))))
}
