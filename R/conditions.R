# Errors and warnings of this package.  An error message states what must hold, what was given and, where that helps,
# the remedy.  Its call is the user's call, and its classes are stablecl_error_argument, _data, _device, _memory, ...
# and stablecl_error.  Warnings have the classes stablecl_warning_... and stablecl_warning.  The d, p, q and r functions
# use the messages of R's own functions for their vector arguments.

# Raises an error of class "stablecl_error_KIND" whose call is `call`; `...`: the parts of its message.
stop_with <- function(call, kind, ...) {
  stop(structure(
    class = c(paste0("stablecl_error_", kind), "stablecl_error", "error", "condition"),
    list(message = paste0(...), call = call)
  ))
}

# Raises an error, with R's own message, if an argument without default of the calling function is missing.
check_given <- function(call = sys.call(-1L)) {
  frame <- parent.frame()
  arguments <- formals(sys.function(-1L))
  for (name in setdiff(names(arguments), "..."))
    if (identical(arguments[[name]], quote(expr = ))) stop_if_missing(name, frame, call)
}

# Raises an error, with R's own message, if the argument `name` of the function whose frame is `frame` is missing.
stop_if_missing <- function(name, frame, call) {
  if (eval(as.call(list(quote(missing), as.name(name))), frame))
    stop_with(call, "argument", gettextf("argument \"%s\" is missing, with no default", name, domain = "R"))
}

# Raises an error if one of the unevaluated arguments `dots` is empty, as the second one in anova(fit, ).
check_empty <- function(dots, call) {
  if (any(vapply(dots, identical, NA, quote(expr = ))))
    stop_with(call, "argument", "The call has an empty argument: remove the surplus comma, or supply a value.")
}

# Gives a warning of class "stablecl_warning_KIND" whose call is `call`; `...`: the parts of its message.
warn_with <- function(call, kind, ...) {
  warning(structure(
    class = c(paste0("stablecl_warning_", kind), "stablecl_warning", "warning", "condition"),
    list(message = paste0(...), call = call)
  ))
}

# Returns the value of an expression, a call of another function by which a method computes its value.  Its errors name
# the call of the method.
with_call <- function(call, expr) {
  tryCatch(expr, stablecl_error = function(e) {
    e$call <- call
    stop(e)
  })
}

# Returns the value of an expression that may fail, or `otherwise` applied to its error.  Errors that the expression
# does not cause are raised again: a time limit (setTimeLimit()), lack of memory, an interrupt, or the failure of a
# device.
value_or <- function(expr, otherwise) {
  tryCatch(expr, error = function(e) {
    if (is_external_failure(e)) stop(e)
    otherwise(e)
  })
}

# TRUE for errors that the evaluated expression has not caused.
is_external_failure <- function(e) is_time_limit(e) || inherits(e, external_failures)

external_failures <- paste0("stablecl_error_", c("device", "memory", "interrupted"))

is_time_limit <- function(e) {
  limits <- c("reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
              "reached session CPU time limit")
  inherits(e, "simpleError") && any(startsWith(conditionMessage(e), c(limits, gettext(limits, domain = "R"))))
}

# Returns a short description of a value for error messages.
value_text <- function(value) {
  if (is.null(value)) return("NULL")
  if (is.atomic(value) && length(value) %in% 1:4 && !is.object(value)) {
    text <- function(v) if (is.character(v)) dQuote(shortened(v), FALSE) else format(v, digits = 15L)
    each <- vapply(unname(value), text, "")
    return(if (length(each) == 1L) each else paste0("c(", paste(each, collapse = ", "), ")"))
  }
  if (is.function(value)) return("a function")
  sprintf("an object of class '%s' and length %d", class(value)[1L], length(value))
}

# Returns the beginning of a long text.  Invalid bytes become codes such as <ff>.
shortened <- function(text, most = 60L) {
  text <- as_utf8(text)
  if (is.na(text) || nchar(text) <= most) text else paste0(substr(text, 1L, most), "...")
}

as_utf8 <- function(text) iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte")

# Returns the choice that `value` names or abbreviates unambiguously; several of them if `several` is TRUE.
check_choice <- function(value, choices, name, call, several = FALSE) {
  if (identical(value, choices)) return(if (several) choices else choices[1L])
  if (is.character(value) && length(value) == 1L && !is.object(value) && match(value, choices, 0L))
    return(as.vector(value))
  at <- if (is.character(value) && (several || length(value) == 1L)) pmatch(value, choices, duplicates.ok = TRUE)
  if (!length(at) || anyNA(at))
    stop_with(call, "argument", "`", name, "` must be ", if (several) "one or more of " else "one of ",
              paste(dQuote(choices, FALSE), collapse = ", "), ", not ",
              value_text(if (length(at)) value[is.na(at)] else value), ".")
  choices[at]
}

# Applies check_choice() to an argument of the caller whose default lists the choices.
choice_of <- function(argument, several = FALSE, call = sys.call(sys.parent())) {
  name <- deparse(substitute(argument))
  choices <- eval(formals(sys.function(sys.parent()))[[name]])
  check_choice(argument, choices, name, call, several)
}

# Returns a reason given by the compiled code, which may end with a log, as a sentence.
sentence <- function(reason) {
  reason <- as_utf8(reason)
  text <- paste0(toupper(substr(reason, 1L, 1L)), substring(reason, 2L))
  if (grepl("\n", text) || grepl("[.!?]$", text)) text else paste0(text, ".")
}

# Called by the compiled code with the status code (src/base/status.h) and the message of a failure.
raise_status <- function(code, message) {
  kind <- c("memory", "interrupted", "device", "unsupported")[code]
  call <- call_of_integration()
  stop_with(if (is.null(call)) sys.call(-1L) else call, kind, sentence(message))
}

# Returns the call of gintegrate() if its run_once() has called the compiled code, through tryCatch(); otherwise NULL.
call_of_integration <- function() {
  is_integration <- FALSE
  for (k in rev(seq_len(sys.nframe() - 2L))) {
    fun <- sys.function(k)
    if (is_integration) {
      if (identical(fun, gintegrate)) return(sys.call(k))
    } else if (!identical(topenv(environment(fun)), .BaseNamespaceEnv)) {
      if (!identical(fun, run_once)) return(NULL)
      is_integration <- TRUE
    }
  }
}

# Called by the compiled code while a call waits for a program that a device's compiler takes long to build.
tell_of_build <- function(what) {
  message("Compiling the ", as_utf8(what), ". Later calls need not wait for it, even if this one is interrupted.")
}

# Called by the compiled code when the CPU has finished a job after the failure of a device.
warn_device <- function(reason) {
  warn_with(sys.call(-1L), "device", sentence(reason), "\nThe CPU has completed the computation and will be used from ",
            "now on; call stable_backend(\"auto\") to try the device again.")
}
