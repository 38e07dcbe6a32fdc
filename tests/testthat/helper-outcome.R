# Returns the value of a call, the warnings and messages it raises, and its error.
outcome <- function(expr) {
  warnings <- messages <- character()
  warning_calls <- list()
  error <- NULL
  value <- withCallingHandlers(
    tryCatch(expr, error = function(e) {
      error <<- e
      NULL
    }),
    warning = function(w) {
      warnings <<- c(warnings, conditionMessage(w))
      warning_calls <<- c(warning_calls, list(conditionCall(w)))
      invokeRestart("muffleWarning")
    },
    message = function(m) {
      messages <<- c(messages, conditionMessage(m))
      invokeRestart("muffleMessage")
    })
  list(value = value, warnings = warnings, warning_calls = warning_calls,
       messages = messages, error = error)
}

# Evaluates an expression with 1 and with 2 threads and returns both values.
with_threads <- function(expr, threads = 1:2) {
  call <- substitute(expr)
  frame <- parent.frame()
  before <- stable_threads()
  on.exit(stable_threads(0))
  lapply(threads, function(n) {
    stable_threads(n)
    eval(call, frame)
  })
}

# Classifies elements as "NA", "NaN", "-Inf", "Inf" or "number".  Results for two distributions are compared by class.
kind <- function(x) {
  special <- which(!is.finite(x))
  out <- rep("number", length(x))
  out[special] <- paste(x[special])             # only of these: texts of many numbers take long
  out
}
