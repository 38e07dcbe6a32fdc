# Arithmetic with objects of class "gintegral": their values take part in it as numbers.

#' Arithmetic with integrals
#'
#' In arithmetic, comparisons and mathematical functions an integral that [gintegrate()] returns stands for its value.
#'
#' The operators of R (`+`, `<`, `&`, ...), its mathematical functions (`sqrt()`, `log()`, `round()`, `cumsum()`, ...;
#' `?groupGeneric` lists both groups) and `sum()`, `prod()`, `min()`, `max()`, `range()`, `mean()` accept integrals,
#' also together with numbers, and return plain numbers: `2 * x` is `2 * x$value`.  `order()` and `sort()`
#' arrange integrals by their values, and `is.na()` tests these.
#'
#' Such a result has neither error nor status.  The error of a sum or difference is at most the sum of the components
#' `abs.error`; for `"vegas"` and `"lattice"`, where that is a standard error, it is the root of the sum of their
#' squares, as long as the integrals have different seeds.
#'
#' @param x,e1,e2 objects of class `"gintegral"`; one operand of an operator may be a number.
#' @param ... for the mathematical functions, `digits` or `base`; for functions such as `sum()`, further integrals
#'   or numbers.  Any other argument is an error.
#' @param na.rm logical: remove missing values, such as those of integrals that were interrupted?
#' @return Numbers, one for each integral, or one for all; logical values for comparisons.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown or empty, or `na.rm` of `mean()` is invalid.}
#' }
#' Errors of R's own operators and functions, for example on a text, are passed on.
#' @seealso [gintegrate()], [gintegral-methods].
#' @examples
#' bell <- gintegrate(function(x) exp(-x^2), -Inf, Inf)
#' bell^2 - pi
#' as.numeric(bell)
#' parts <- gintegrate(function(x) exp(-x^2), c(-Inf, 0), c(0, Inf))
#' sum(parts) - bell
#' @name gintegral-arithmetic
NULL

# Returns the values of an operand as numbers.
operand <- function(x) if (inherits(x, "gintegral")) unclass(x)$value else x

#' @rdname gintegral-arithmetic
#' @export
Ops.gintegral <- function(e1, e2) {
  operator <- get(.Generic, mode = "function", envir = baseenv())
  if (missing(e2)) operator(operand(e1)) else operator(operand(e1), operand(e2))
}

# Arguments of members of the group Math; "" stands for those without a name.
member_arguments <- c("", "digits", "base")

# Returns the call of a member of a group of generic functions.  Some of these, such as round(), call their methods with
# the value of `x` in place of the expression.
call_of_member <- function(generic, x, ...) {
  dots <- as.list(substitute(list(...)))[-1L]
  as.call(c(list(as.name(generic), if (is.language(x)) x else quote(x)), dots))
}

#' @rdname gintegral-arithmetic
#' @export
Math.gintegral <- function(x, ...) {
  if (...length()) with_call(call_of_member(.Generic, substitute(x), ...), check_dots(..., allowed = member_arguments))
  get(.Generic, mode = "function", envir = baseenv())(operand(x), ...)
}

# The names of the arguments have no meaning, as in sum(a = 1, b = 2).
#' @rdname gintegral-arithmetic
#' @export
Summary.gintegral <- function(..., na.rm = FALSE) {
  numbers <- lapply(list(...), operand)
  do.call(get(.Generic, mode = "function", envir = baseenv()), c(numbers, na.rm = na.rm))
}

#' @rdname gintegral-arithmetic
#' @export
mean.gintegral <- function(x, na.rm = FALSE, ...) {
  check_dots(...)
  check_flag(na.rm, "na.rm", sys.call())
  mean(operand(x), na.rm = na.rm)
}

#' @rdname gintegral-arithmetic
#' @export
as.double.gintegral <- function(x, ...) {
  check_dots(...)
  operand(x)
}

#' @rdname gintegral-arithmetic
#' @export
is.na.gintegral <- function(x) is.na(operand(x))

# order() and sort() arrange integrals by these numbers.
#' @rdname gintegral-arithmetic
#' @export
xtfrm.gintegral <- function(x) operand(x)
