# Arguments of stabledist's functions that have no effect here.
ignored_arguments <- c("tol", "zeta.tol", "subdivisions", "integ.tol", "maxiter", "trace",
                       "silent")

once <- new.env(parent = emptyenv())

# `dots` is the unevaluated list(...) of the function whose call is `call`.
check_ignored <- function(dots, call) {
  dots <- as.list(dots)[-1L]
  given <- names(dots)
  if (is.null(given)) given <- character(length(dots))
  unknown <- !given %in% ignored_arguments
  if (any(unknown)) stop_unused(dots[unknown], call)
  if (is.null(once$ignored)) {
    once$ignored <- TRUE
    message("stablecl has no use for the tuning arguments of stabledist (",
            paste(given, collapse = ", "), "): they are ignored.")
  }
}

# R's own words for an argument that a function does not have.
stop_unused <- function(dots, call) {
  words <- vapply(dots, function(arg) paste(deparse(arg), collapse = " "), "")
  named <- nzchar(names(dots))
  if (length(named)) words[named] <- paste(names(dots)[named], "=", words[named])
  text <- sprintf(ngettext(length(words), "unused argument (%s)", "unused arguments (%s)"),
                  paste(words, collapse = ", "))
  stop(simpleError(text, call))
}

# 0, 1 or 2; the compiled code calls it to refuse what it does not know.
check_parametrisation <- function(pm, name = "pm", call = sys.call(-1L)) {
  code <- if (length(pm) != 1L || is.na(pm)) NA
    else if (is.character(pm)) match(pm, c("S0", "S1", "S2")) - 1L
    else if (is.numeric(pm) || is.logical(pm)) match(pm, 0:2) - 1L
    else NA
  if (is.na(code)) {
    stop_with(call, "argument", "`", name, "` must be 0, 1 or 2 (or \"S0\", \"S1\", \"S2\"), not ", value_text(pm), ".")
  }
  code
}

# The arguments as numeric vectors of one length, 0 if any is empty.
recycle_numeric <- function(..., call = sys.call(-1L)) {
  args <- list(...)
  if (!all(vapply(args, is_numeric_or_logical, NA))) {
    stop(simpleError("Non-numeric argument to mathematical function", call))
  }
  lengths <- lengths(args)
  n <- if (any(lengths == 0L)) 0L else max(lengths)
  lapply(args, function(arg) rep_len(as.numeric(arg), n))
}

is_numeric_or_logical <- function(x) (is.numeric(x) || is.logical(x)) && !is.factor(x)
