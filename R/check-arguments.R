# Arguments of stabledist's functions that have no effect here.
ignored_arguments <- c("tol", "zeta.tol", "subdivisions", "integ.tol", "maxiter", "trace",
                       "silent")

# Values that are computed once per session, and marks of the messages that were shown.
session_cache <- new.env(parent = emptyenv())

# Raises an error for unknown arguments, and reports once per session that tuning arguments are ignored.  `dots` is the
# unevaluated list(...) of the function whose call is `call`.
check_ignored <- function(dots, call) {
  dots <- as.list(dots)[-1L]
  check_empty(dots, call)
  given <- names(dots)
  if (is.null(given)) given <- character(length(dots))
  unknown <- !given %in% ignored_arguments
  if (any(unknown)) stop_unused(dots[unknown], call)
  if (is.null(session_cache$ignored)) {
    session_cache$ignored <- TRUE
    message("Ignoring the tuning arguments of stabledist: ", paste(given, collapse = ", "),
            ". (This message is shown once per session.)")
  }
}

# Raises an error with R's own message for unused arguments.
stop_unused <- function(dots, call) {
  stop_with(call, "argument", unused_text(dots))
}

unused_text <- function(dots) {
  words <- vapply(dots, function(arg) shortened(paste(deparse(arg), collapse = " ")), "")
  named <- nzchar(names(dots))
  if (length(named)) words[named] <- paste(names(dots)[named], "=", words[named])
  sprintf(ngettext(length(words), "unused argument (%s)", "unused arguments (%s)"), paste(words, collapse = ", "))
}

# For methods whose generic function has `...`: raises an error if the first argument of the method, its object, is
# missing, for empty arguments, and for arguments that the method does not have, except those in `allowed`, which it
# passes on.  The arguments are not evaluated.
check_dots <- function(..., allowed = character()) {
  stop_if_missing(names(formals(sys.function(sys.parent())))[1L], parent.frame(), sys.call(-1L))
  dots <- as.list(substitute(list(...)))[-1L]
  check_empty(dots, sys.call(-1L))
  given <- names(dots)
  if (is.null(given)) given <- character(length(dots))
  unknown <- !given %in% allowed
  if (!any(unknown)) return(invisible())
  own <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  stop_with(sys.call(-1L), "argument", unused_text(dots[unknown]), suggestion(given[unknown][1L], own, allowed))
}

# Returns the end of an error message about the unknown argument `name`: the arguments with similar names, or all of
# the function's own.  what: a word for them.
suggestion <- function(name, own, allowed, what = "arguments") {
  near <- near_names(name, setdiff(c(own, allowed), ""))    # "" allows arguments without a name
  if (nzchar(near)) return(near)
  paste0("; the ", what, " are ", paste0("`", own, "`", collapse = ", "), ".")
}

# Returns the part of such a message that lists the known names that are similar to `name`, or contain it; "" if there
# are none.
near_names <- function(name, known) {
  distance <- drop(utils::adist(name, known, ignore.case = TRUE))
  similar <- distance <= max(2, nchar(name) / 3) & distance < nchar(name)
  near <- unique(known[similar | nchar(name) >= 3L & grepl(name, known, fixed = TRUE)])
  if (length(near)) paste0("; did you mean ", paste0("`", near, "`", collapse = " or "), "?") else ""
}

# Arguments that methods of print() and format() pass on.
print_arguments <- setdiff(unique(c(names(formals(format.default)), names(formals(print.default)),
                                    names(formals(print.data.frame)))), c("x", "..."))

# Raises an error unless the limits of the axes, arguments of a method of plot(), are NULL or two finite numbers.
check_axis_limits <- function(xlim = NULL, ylim = NULL, ..., call) {
  check <- function(limits, name) {
    good <- is.null(limits) || length(limits) == 2L && typeof(limits) %in% c("integer", "double") &&
      all(is.finite(limits))
    if (!good) stop_with(call, "argument", "`", name, "` must be two finite numbers, not ", value_text(limits), ".")
  }
  check(xlim, "xlim")
  check(ylim, "ylim")
}

# Arguments that methods of plot() pass on: those of plot.default(), and the graphical parameters that par() can set.
plot_arguments <- unique(c(
  setdiff(names(formals(graphics::plot.default)), c("x", "y", "...")), "adj", "bg", "bty", "cex", "cex.axis", "cex.lab",
  "cex.main", "cex.sub", "cin", "col", "col.axis", "col.lab", "col.main", "col.sub", "cra", "crt", "csi", "cxy", "din",
  "err", "family", "fg", "fig", "fin", "font", "font.axis", "font.lab", "font.main", "font.sub", "lab", "las", "lend",
  "lheight", "ljoin", "lmitre", "lty", "lwd", "mai", "mar", "mex", "mfcol", "mfg", "mfrow", "mgp", "mkh", "new", "oma",
  "omd", "omi", "page", "pch", "pin", "plt", "ps", "pty", "smo", "srt", "tck", "tcl", "usr", "xaxp", "xaxs", "xaxt",
  "xlog", "xpd", "yaxp", "yaxs", "yaxt", "ylbias", "ylog"))

# Returns the parametrisation as 0, 1 or 2, or raises an error.  The compiled code calls it for values that it does not
# recognise.
check_parametrisation <- function(pm, name = "pm", call = sys.call(-1L)) {
  code <- if (!is.atomic(pm) || length(pm) != 1L || is.na(pm)) NA
    else if (is.character(pm)) match(pm, c("S0", "S1", "S2")) - 1L
    else if (is.numeric(pm) || is.logical(pm)) match(pm, 0:2) - 1L
    else NA
  if (is.na(code)) {
    stop_with(call, "argument", "`", name, "` must be 0, 1 or 2 (or \"S0\", \"S1\", \"S2\"), not ", value_text(pm), ".")
  }
  code
}

# Returns the arguments as numeric vectors.
numeric_arguments <- function(..., call = sys.call(-1L)) {
  args <- list(...)
  if (!all(vapply(args, is_numeric_or_logical, NA))) {
    stop(simpleError("Non-numeric argument to mathematical function", call))
  }
  lapply(args, as.numeric)
}

# Returns the length of the longest of some vectors, to which the others are recycled; 0 if any is empty.
recycled_length <- function(args) if (any(lengths(args) == 0L)) 0L else max(lengths(args))

# Returns the arguments as numeric vectors recycled to the longest; all are empty if any is.
recycle_numeric <- function(..., call = sys.call(-1L)) {
  args <- numeric_arguments(..., call = call)
  lapply(args, rep_len, recycled_length(args))
}

# Returns the number of significant digits to print, as print.default() interprets it; NULL stands for R's option.
check_digits <- function(digits, call) {
  if (is.null(digits)) return(getOption("digits"))
  good <- is.numeric(digits) && length(digits) == 1L && isTRUE(digits >= 0 && digits <= 22)
  if (!good)
    stop_with(call, "argument", "`digits` must be one number from 0 to 22, or NULL, not ", value_text(digits), ".")
  max(1L, as.integer(digits))
}

# Returns NULL, or n different names or numbers, one for each row.
check_row_names <- function(row.names, n, call) {
  if (is.null(row.names)) return(NULL)
  good <- (is.character(row.names) || is.numeric(row.names)) && length(row.names) == n && !anyNA(row.names) &&
    !anyDuplicated(row.names)
  if (!good)
    stop_with(call, "argument", "`row.names` must be NULL or ", n, " different names or numbers, not ",
              value_text(row.names), ".")
  as.vector(row.names)
}

# Returns TRUE or FALSE; numbers are accepted, as for the flags of dnorm().
check_tail <- function(lower.tail, call) {
  if (!is_numeric_or_logical(lower.tail) || length(lower.tail) != 1L || is.na(lower.tail))
    stop_with(call, "argument", "`lower.tail` must be TRUE or FALSE, not ", value_text(lower.tail), ".")
  as.logical(lower.tail)
}

is_numeric_or_logical <- function(x) (is.numeric(x) || is.logical(x)) && !is.factor(x)
