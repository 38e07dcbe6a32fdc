# Methods of R's generic functions for objects of class "gintegral".

#' Methods for integrals
#'
#' Methods that give the values, errors and statuses of the integrals that [gintegrate()] returns.
#'
#' @param x,object an object of class `"gintegral"`.
#' @param i indices of integrals, or a logical vector.
#' @param digits significant digits, one number from 1 to 22.
#' @param row.names,optional as in [as.data.frame()].
#' @param inputs the columns before the results: `NULL` for the parameters (the columns of `params`), `TRUE` for limits
#'   and parameters, `FALSE` for none.
#' @param ... arguments of [print.default()] for `print()` and `format()`; any other argument is an error.
#' @return `format()` returns one line for each integral; `as.data.frame()` a data frame with a row for each integral
#'   and the columns `value`, `abs.error`, `evaluations` and `status`, for the method `"vegas"` also `chi.squared`, `df`
#'   and `Q`, for `"forward"` `bound`, and for `"auto"` in several dimensions `rule`, and before these the parameters as
#'   they were given (one with the name of another column has a suffix); `summary()` an object of class
#'   `"summary.gintegral"`, a list with `n`, `dim`, `status` (a table), `evaluations` (their total), `worst` (the
#'   largest ratio of error to absolute value), `by.status` (a data frame: for each status the integrals, their
#'   evaluations, the share of these in the total, and the median and the maximum for one integral), `method`,
#'   `backend`, `time`, `stages`, `df` and `Q`; `[` the selected integrals; `length()` their number.
#' @seealso [gintegrate()].
#' @examples
#' many <- gintegrate(function(x) sin(x) / x, 0, 1:5)
#' many[2:3]
#' summary(many)
#' @name gintegral-methods
NULL

#' @rdname gintegral-methods
#' @export
format.gintegral <- function(x, digits = max(3L, getOption("digits")), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  status <- ifelse(x$status == "converged", "", paste0(" (", x$status, ")"))
  claim <- if (x$method %in% sampling_methods) " with standard error " else " with absolute error < "
  paste0(format_each(x$value, digits), claim, format_each(x$abs.error, 2L), consistency_text(x), status)
}

#' @rdname gintegral-methods
#' @export
print.gintegral <- function(x, digits = max(3L, getOption("digits")), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  n <- length(x)
  if (n != 1L) cat(sprintf("%d integrals by \"%s\" in %s\n", n, x$method, format_seconds(x$time)))
  writeLines(format(x[seq_len(min(n, 10L))], digits = digits))
  if (n > 10L) cat(sprintf("... and %d more; use as.data.frame() to list all\n", n - 10L))
  invisible(x)
}

format_seconds <- function(time) paste(format(time, digits = 3L), "s")

#' @rdname gintegral-methods
#' @export
summary.gintegral <- function(object, ...) {
  check_dots(...)
  relative <- object$abs.error / abs(object$value)
  structure(c(list(n = length(object), dim = object$problem$dim, status = table(droplevels(object$status)),
                   evaluations = sum(object$evaluations),
                   worst = if (all(is.na(relative))) NA_real_ else max(relative, na.rm = TRUE),
                   by.status = evaluations_by_status(object)),
              unclass(object)[c("method", "backend", "time", "call")], unclass(object)[c("stages", "df", "Q")]),
            class = "summary.gintegral")
}

# Returns a data frame with a row for each status: the number of its integrals, their evaluations, the share of these in
# all evaluations, and the median and the maximum for one integral.
evaluations_by_status <- function(x) {
  each <- split(x$evaluations, droplevels(x$status))
  total <- vapply(each, sum, 0)
  data.frame(integrals = lengths(each), evaluations = total, share = total / max(sum(total), 1),
             median = vapply(each, stats::median, 0), most = vapply(each, max, 0))
}

#' @rdname gintegral-methods
#' @export
print.summary.gintegral <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  cat("Call: ", deparse_call(x$call), "\n\n", sep = "")
  cat(sprintf("%d %s in %d %s by \"%s\", computed by %s in %s\n", x$n, ngettext(x$n, "integral", "integrals"), x$dim,
              ngettext(x$dim, "dimension", "dimensions"), x$method, x$backend, format_seconds(x$time)))
  if (x$n == 1L) cat("status: ", names(x$status), "\n", sep = "")
  cat(sprintf("%s evaluations, largest estimated relative error %s\n", format_count(x$evaluations),
              format(x$worst, digits = 2L)))
  if (x$n > 1L) {
    cat("evaluations by status:\n")
    print_evaluations(x$by.status)
  }
  if (length(x$stages))
    cat("evaluations by stage: ", paste0(names(x$stages), " ", format_count(x$stages), collapse = ", "), "\n", sep = "")
  if (any(is.finite(x$df))) cat(summary_iterations(x), "\n")
  invisible(x)
}

format_count <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)

print_evaluations <- function(table) {
  counts <- setdiff(names(table), "share")
  table[counts] <- lapply(table[counts], format_count)
  table$share <- sprintf("%.1f%%", 100 * table$share)
  print(table)
}

#' @rdname gintegral-methods
#' @export
as.data.frame.gintegral <- function(x, row.names = NULL, optional = FALSE, inputs = NULL, ...) {
  check_dots(..., allowed = "stringsAsFactors")
  if (!is.null(inputs)) check_flag(inputs, "inputs", sys.call())
  row.names <- check_row_names(row.names, length(x), sys.call())
  values <- unclass(x)[parts_of(x)]
  given <- if (is.null(inputs)) params_of(x) else if (inputs) inputs_of(x)
  columns <- c(given, values)
  names(columns) <- c(utils::tail(make.unique(c(names(values), names(given))), length(given)), names(values))
  data.frame(columns, row.names = row.names, check.names = FALSE)
}

# Returns lists with an element for each integral: of the parameters, and of limits and parameters.
params_of <- function(x) lapply(as.list(unclass(x$problem$columns)), rep_len, length(x))

inputs_of <- function(x) {
  p <- problem_of(x)
  limits <- c(p$lower, p$upper)
  names(limits) <- paste0(rep(c("lower", "upper"), each = p$dim), if (p$dim > 1L) seq_len(p$dim))
  c(lapply(limits, rep_len, length(x)), params_of(x))
}

#' @rdname gintegral-methods
#' @export
length.gintegral <- function(x) length(unclass(x)$value)

#' @rdname gintegral-methods
#' @export
`[.gintegral` <- function(x, i) {
  if (missing(i)) return(x)
  if (!is.logical(i) && !is.numeric(i) || is.object(i))
    stop_with(sys.call(), "argument", "Integrals must be selected by numeric or logical indices, not by ",
              value_text(i), ".")
  y <- unclass(x)
  i <- seq_len(length(x))[i]
  for (part in parts_of(x)) y[[part]] <- y[[part]][i]
  y$problem <- pick_given(y$problem, i)
  y$stages <- NULL                                            # of all integrals
  structure(with_message(y), class = "gintegral")
}

# The problem of a result contains limits and parameters as they were given, so that R shares them with the caller:
# `lower` and `upper` are vectors or matrices, `columns` is a list, a data frame or NULL, and `dim` the number of axes.

# Returns the problem of a result with limits and parameters in the form that the compiled code reads.
problem_of <- function(x) {
  p <- unclass(x)$problem
  each_axis <- function(limit) {
    if (p$dim == 1L) list(as.double(limit))
    else if (is.matrix(limit)) lapply(seq_len(p$dim), function(k) as.double(limit[, k]))
    else as.list(rep_len(as.double(limit), p$dim))
  }
  p[c("lower", "upper")] <- lapply(p[c("lower", "upper")], each_axis)
  p$columns <- lapply(as.list(unclass(p$columns)), as.double)
  p
}

# Returns the problem of the integrals `i` of a result.
pick_given <- function(p, i) {
  pick <- function(v) if (length(v) == 1L) v else v[i]
  limits <- function(limit) {
    if (p$dim == 1L) pick(limit)
    else if (is.matrix(limit) && nrow(limit) > 1L) limit[i, , drop = FALSE]
    else limit
  }
  p[c("lower", "upper")] <- lapply(p[c("lower", "upper")], limits)
  p["columns"] <- list(lapply(as.list(unclass(p$columns)), pick))
  each <- names(each_options(p$options))
  p$options[each] <- lapply(p$options[each], pick)
  p
}

# Sets the components of integrate() that follow from others (r_integral.c sets the same): `message`, "OK" if all
# integrals have converged; for one integral over one axis `subdivisions`.
with_message <- function(result) {
  statuses <- levels(result$status)
  found <- statuses[tabulate(result$status, length(statuses)) > 0L]
  bad <- found[found != "converged"]
  result$message <- if (length(bad)) paste(status_messages[bad], collapse = "; ") else "OK"
  is_one <- length(result$value) == 1L && result$problem$dim == 1L
  result$subdivisions <- if (is_one) as.integer(ceiling(result$evaluations / points_for_subdivision))
  result
}

# The evaluations that integrate() needs for a bisection: 42 times the number of its subdivisions, less 21, in all.
points_for_subdivision <- 42

# The texts of integrate() where it has one.
status_messages <- c(max.eval = "maximum number of evaluations reached", stuck = "the error decreases too slowly",
                     "not finite" = "non-finite function value", interrupted = "interrupted",
                     inconsistent = "the iterations are inconsistent", coarse = "the steps are too long",
                     roundoff = "roundoff error was detected", divergent = "the integral is probably divergent")

# Returns the names of the components of `x` that have one element for each integral.
parts_of <- function(x) {
  parts <- c("value", "abs.error", "evaluations", "status", "bound", "chi.squared", "df", "Q", "rule")
  intersect(parts, names(unclass(x)))
}
