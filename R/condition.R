# Called by the compiled code with the code and message of a failure; the codes
# are those of src/base/status.h.
raise_status <- function(code, message) {
  if (code == 2L) raise_interrupt()
  classes <- c(if (code == 1L) "stablecl_error_memory", "stablecl_error", "error", "condition")
  call <- sys.call(-1L)
  stop(structure(class = classes, list(message = message, call = call)))
}

# What R does at Ctrl-C: handlers first, then back to the top level.
raise_interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"),
                            list(message = "", call = NULL)))
  invokeRestart("abort")
}
