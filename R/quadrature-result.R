# Methods of R's generic functions for objects of class "gintegral".

#' Methods for objects of class gintegral
#'
#' Methods that give the values, errors and statuses of the integrals that [gintegrate()] returns.
#'
#' @param x,object an object of class `"gintegral"`.
#' @param i indices of integrals, or a logical vector.
#' @param j the number of a component: `x[i, j]` holds that component alone.
#' @param digits significant digits, one number from 0 to 22; 0 counts as 1.
#' @param row.names,optional as in [as.data.frame()].
#' @param inputs the columns before the results: `NULL` for the parameters (the columns of `params`), `TRUE` for limits
#'   and parameters, `FALSE` for none.
#' @param ... arguments of [print.default()] for `print()` and `format()`; any other argument is an error.
#' @return `format()` returns one line for each integral, or for each of its components if it has several, with the
#'   numbers of integral and component; `as.data.frame()` a data frame with a row for each line, with a column
#'   `component` if there are several, and the columns `value`, `abs.error`, `evaluations` and `status`, for the method
#'   `"vegas"` also `chi.squared`, `df` and `Q`, for `"forward"` `bound`, and for `"auto"` in several dimensions `rule`,
#'   and before these the parameters as they were given (one with the name of another column has a suffix); `summary()`
#'   an object of class `"summary.gintegral"`, a list with `n`, `dim`, `status` (a table), `evaluations` (their total),
#'   `worst` (the largest ratio of error to absolute value), `by.status` (a data frame: for each status the integrals,
#'   their evaluations, the share of these in the total, and the median and the maximum for one integral), `method`,
#'   `backend`, `time`, those of `stages`, `df` and `Q` that the integrals have (with several components also
#'   `components`, their number, but not `by.status`); `[` the selected integrals, and with `j` those of one component;
#'   `length()` the number of integrals.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an index is not a number or logical value, `j` is not a component, or an
#'     argument is unknown, empty or invalid, such as `digits`, `row.names` or `inputs`.}
#' }
#' @seealso [gintegrate()], [gintegral-arithmetic], [plot.gintegral()].
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
  text <- paste0(format_each(as_vector(x$value), digits), claim, format_each(as_vector(x$abs.error), 2L),
                 consistency_text(x), status)
  components <- components_of(x$problem)
  if (components == 1L) return(text)
  n <- length(x)
  number <- paste0("[", if (n != 1L) paste0(seq_len(n), ", "), rep(seq_len(components), each = n), "] ")
  paste0(number, text)[by_integral(n, components)]
}

#' @rdname gintegral-methods
#' @export
print.gintegral <- function(x, digits = max(3L, getOption("digits")), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  n <- length(x)
  components <- components_of(x$problem)
  if (n != 1L || components > 1L) cat(sprintf("%s by \"%s\" in %s\n", integrals_text(n, components), x$method,
                                              format_seconds(x$time)))
  shown <- min(n, max(1L, 10L %/% components))
  writeLines(format(x[seq_len(shown)], digits = digits))
  if (n > shown) cat(sprintf("... and %d more; use as.data.frame() to list all\n", n - shown))
  invisible(x)
}

integrals_text <- function(n, components) {
  paste0(sprintf("%d ", n), ngettext(n, "integral", "integrals"),
         if (components > 1L) sprintf(" of %d components", components))
}

format_seconds <- function(time) paste(format(time, digits = 3L), "s")

#' @rdname gintegral-methods
#' @export
summary.gintegral <- function(object, ...) {
  check_dots(...)
  relative <- object$abs.error / abs(object$value)
  structure(c(list(n = length(object), dim = object$problem$dim, status = table(droplevels(as_vector(object$status))),
                   evaluations = sum(object$evaluations),
                   worst = if (all(is.na(relative))) NA_real_ else max(relative, na.rm = TRUE),
                   by.status = if (is.null(object$problem$components)) evaluations_by_status(object)),
              unclass(object)[c("method", "backend", "time", "call")],
              unclass(object)[intersect(c("stages", "df", "Q"), names(object))],
              if (!is.null(object$problem$components)) list(components = object$problem$components)),
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
  components <- components_of(x)
  cat(sprintf("%s in %d %s by \"%s\", computed by %s in %s\n", integrals_text(x$n, components), x$dim,
              ngettext(x$dim, "dimension", "dimensions"), x$method, x$backend, format_seconds(x$time)))
  if (components > 1L) cat("components by status: ", paste0(names(x$status), " ", x$status, collapse = ", "), "\n",
                           sep = "")
  else if (x$n == 1L) cat("status: ", names(x$status), "\n", sep = "")
  cat(sprintf("%s evaluations, largest estimated relative error %s\n", format_count(x$evaluations),
              format(x$worst, digits = 2L)))
  if (x$n > 1L && components == 1L) {
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
  components <- components_of(x$problem)
  row.names <- check_row_names(row.names, length(x) * components, sys.call())
  values <- unclass(x)[parts_of(x)]
  given <- if (is.null(inputs)) params_of(x) else if (inputs) inputs_of(x)
  if (components > 1L) {
    each <- rep(seq_len(length(x)), each = components)
    at <- by_integral(length(x), components)
    values <- lapply(stats::setNames(nm = names(values)), function(part) {
      if (part %in% component_parts) as_vector(values[[part]])[at] else values[[part]][each]
    })
    given <- c(lapply(given, `[`, each), list(component = rep(seq_len(components), length(x))))
  }
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
length.gintegral <- function(x) length(unclass(x)$evaluations)

#' @rdname gintegral-methods
#' @export
`[.gintegral` <- function(x, i, j) {
  if (!missing(j)) {
    component <- check_component(j, x, sys.call())
    x <- component_result(x, component)
  }
  if (missing(i)) return(x)
  if (!is.logical(i) && !is.numeric(i) || is.object(i))
    stop_with(sys.call(), "argument", "Integrals must be selected by numeric or logical indices, not by ",
              value_text(i), ".")
  y <- unclass(x)
  n <- length(x)
  i <- seq_len(n)[i]
  components <- components_of(y$problem)
  at <- as.vector(outer(i, n * (seq_len(components) - 1L), `+`))
  for (part in parts_of(x)) y[[part]] <- as_vector(y[[part]])[if (part %in% component_parts) at else i]
  y$problem <- pick_given(y$problem, i)
  y$stages <- NULL                                            # of all integrals
  y <- with_message(y)
  structure(if (components > 1L) with_component_shape(y, length(i)) else y, class = "gintegral")
}

# Returns the indices of all components of each integral in turn, in vectors of the integrals of each component in turn.
by_integral <- function(n, components) as.vector(t(matrix(seq_len(n * components), n)))

check_component <- function(j, x, call) {
  components <- components_of(unclass(x)$problem)
  if (!is.numeric(j) || length(j) != 1L || !j %in% seq_len(components))
    stop_with(call, "argument", "The component must be one number from 1 to ", components, ", not ", value_text(j), ".")
  as.integer(j)
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
# integrals have converged; for one integral over one axis `subdivisions`.  counts: of the integrals with each status.
with_message <- function(result, counts = tabulate(result$status, nlevels(result$status))) {
  found <- levels(result$status)[counts > 0]
  bad <- found[found != "converged"]
  result$message <- if (length(bad)) paste(status_messages[bad], collapse = "; ") else "OK"
  is_one <- length(result$value) == 1L && result$problem$dim == 1L
  result$subdivisions <- if (is_one) as.integer(ceiling(result$evaluations / evaluations_for("subdivision")))
  result
}

# The texts of integrate() where it has one.
status_messages <- c(max.eval = "maximum number of evaluations reached", stuck = "the error decreases too slowly",
                     "not finite" = "non-finite function value", interrupted = "interrupted",
                     inconsistent = "the iterations are inconsistent", coarse = "the steps are too long",
                     roundoff = "roundoff error was detected", divergent = "the integral is probably divergent")

# Returns the names of the parts of `x` that have one element for each integral, or for each of its components.
parts_of <- function(x) {
  parts <- c("value", "abs.error", "evaluations", "status", "bound", "chi.squared", "df", "Q", "rule")
  intersect(parts, names(unclass(x)))
}
