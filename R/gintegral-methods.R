# What an object of class "gintegral" answers to R's generic functions.

#' Methods for integrals
#'
#' Values, errors and statuses of the integrals that [gintegrate()] returns.
#'
#' @param x,object an object of class `"gintegral"`.
#' @param i numbers of integrals, or logical.
#' @param digits significant digits.
#' @param row.names,optional as in [as.data.frame()].
#' @param ... ignored.
#' @return `format()` a line for each integral; `as.data.frame()` a data frame with a row for each and the columns
#'   `value`, `abs.error`, `evaluations` and `status`, and for the method `"vegas"` also `chi.squared`, `df` and `Q`;
#'   `summary()` an object of class `"summary.gintegral"`, a list
#'   with `n`, `status` (a table), `evaluations` (their total), `worst` (largest error, relative to the value),
#'   `method`, `backend` and `time`; `[` the integrals asked for; `length()` their number.
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
  status <- ifelse(x$status == "converged", "", paste0(" (", x$status, ")"))
  claim <- if (x$method %in% sampling_methods) " with standard error " else " with absolute error < "
  paste0(format_each(x$value, digits), claim, format_each(x$abs.error, 2L), consistency_text(x), status)
}

#' @rdname gintegral-methods
#' @export
print.gintegral <- function(x, digits = max(3L, getOption("digits")), ...) {
  n <- length(x)
  if (n != 1L) cat(sprintf("%d integrals by \"%s\" in %s\n", n, x$method, format_seconds(x$time)))
  writeLines(format(x[seq_len(min(n, 10L))], digits = digits))
  if (n > 10L) cat(sprintf("... and %d more; as.data.frame() has them all\n", n - 10L))
  invisible(x)
}

format_seconds <- function(time) paste(format(time, digits = 3L), "s")

#' @rdname gintegral-methods
#' @export
summary.gintegral <- function(object, ...) {
  relative <- object$abs.error / abs(object$value)
  structure(c(list(n = length(object), status = table(droplevels(object$status)), evaluations = sum(object$evaluations),
                   worst = if (all(is.na(relative))) NA_real_ else max(relative, na.rm = TRUE)),
              object[c("method", "backend", "time", "call")], object["Q"]), class = "summary.gintegral")
}

#' @rdname gintegral-methods
#' @export
print.summary.gintegral <- function(x, ...) {
  cat("Call: ", deparse_call(x$call), "\n\n", sep = "")
  cat(sprintf("%d %s by \"%s\", computed by %s in %s\n", x$n, ngettext(x$n, "integral", "integrals"), x$method,
              x$backend, format_seconds(x$time)))
  cat("status:", paste0(x$status, " ", names(x$status), collapse = ", "), "\n")
  cat(sprintf("%s evaluations, largest claimed relative error %s\n", format(x$evaluations, big.mark = ","),
              format(x$worst, digits = 2L)))
  if (!is.null(x$Q)) cat(summary_consistency(x), "\n")
  invisible(x)
}

#' @rdname gintegral-methods
#' @export
as.data.frame.gintegral <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(unclass(x)[parts_of(x)], row.names = row.names)
}

#' @rdname gintegral-methods
#' @export
length.gintegral <- function(x) length(unclass(x)$value)

#' @rdname gintegral-methods
#' @export
`[.gintegral` <- function(x, i) {
  y <- unclass(x)
  for (part in parts_of(x)) y[[part]] <- y[[part]][i]
  structure(y, class = "gintegral")
}

# What there is one of for each integral.
parts_of <- function(x) {
  intersect(c("value", "abs.error", "evaluations", "status", "chi.squared", "df", "Q"), names(unclass(x)))
}
