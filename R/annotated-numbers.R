# Numbers whose attributes state how they were computed: intervals of fits, and probabilities of boxes.

# Returns numbers with the class that prints such attributes, if there are any.
annotated_numbers <- function(x) {
  if (!length(setdiff(names(attributes(x)), c("names", "dim", "dimnames")))) return(x)
  class(x) <- c("stable_numbers", if (is.matrix(x)) "matrix", if (is.array(x)) "array" else "numeric")
  x
}

# Returns numbers with names and dimensions, but without other attributes.
plain_numbers <- function(x) {
  if (!inherits(x, "stable_numbers")) return(x)
  attributes(x) <- attributes(x)[c("names", "dim", "dimnames")]
  x
}

# Returns lines of text with the statements in the attributes of annotated numbers.
annotations <- function(x) {
  of <- function(name) attr(x, name, exact = TRUE)
  reasons <- of("reasons")
  if (is.list(of("because")) || is.list(reasons)) return(annotations_of_fits(of("method"), of("because"), reasons))
  c(if (!is.null(of("method")))
      paste0("Method \"", of("method"), "\", chosen automatically", if (length(of("because"))) ":" else "."),
    if (length(of("because"))) paste("*", of("because")),
    if (length(of("replicates")))
      paste0("Replicates: ", paste(unique(range(of("replicates"))), collapse = " to "), "."),
    if (length(reasons)) paste0("* ", names(reasons), ": ", reasons),
    if (!is.null(of("abs.error")))
      paste0("Standard error ", format(of("abs.error"), digits = 3L), ", status \"", of("status"), "\"."))
}

# Returns such lines for many fits, one for each method and each reason.  The names of the attributes are those of the
# fits.
annotations_of_fits <- function(method, because, reasons) {
  some <- function(fits) paste0(paste(utils::head(fits, 4L), collapse = ", "),
                                if (length(fits) > 4L) paste(" and", length(fits) - 4L, "more"))
  lines <- function(lists) {
    text_of <- function(r) paste0(if (!is.null(names(r))) paste0(names(r), ": "), r)
    text <- unlist(lapply(lists, text_of), use.names = FALSE)
    fits <- rep(names(lists), lengths(lists))
    vapply(unique(text), function(t) paste0("* ", some(fits[text == t]), ": ", t), "", USE.NAMES = FALSE)
  }
  fits_with <- function(m) some(names(method)[method == m])
  c(vapply(unique(method), function(m) paste0("Method \"", m, "\", chosen automatically: ", fits_with(m), "."), "",
           USE.NAMES = FALSE),
    if (length(because)) lines(because), if (length(reasons)) lines(reasons))
}

#' @export
print.stable_numbers <- function(x, digits = getOption("digits"), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  print(plain_numbers(x), digits = digits, ...)
  for (line in annotations(x)) cat(strwrap(line, exdent = 2L), sep = "\n")
  invisible(x)
}

# Attributes do not apply to the results of arithmetic.  R itself drops them from parts of the numbers.
#' @export
Ops.stable_numbers <- function(e1, e2) {
  operator <- get(.Generic, mode = "function", envir = baseenv())
  if (missing(e2)) operator(plain_numbers(e1)) else operator(plain_numbers(e1), plain_numbers(e2))
}

#' @export
Math.stable_numbers <- function(x, ...) {
  if (...length()) with_call(call_of_member(.Generic, substitute(x), ...), check_dots(..., allowed = member_arguments))
  get(.Generic, mode = "function", envir = baseenv())(plain_numbers(x), ...)
}
