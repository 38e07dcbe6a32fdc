# The table of the methods of gintegrate().

# Returns the table of src/quadrature/methods.c as a list of vectors with an element for each method: `one`, TRUE if it
# integrates over one variable; `more`, the largest number of dimensions, 0 if only one; `breaks`, TRUE if it takes
# `breaks` in one dimension; `samples`, TRUE if its points are spread over the whole range; `bounds`, TRUE if it returns
# error bounds, too; `shares`, TRUE if it evaluates all components of an integrand at the same points; `trusted`, the
# number of evaluations up to which integrals that converged are not examined for divergence; `options`, a named list of
# its options (quadrature-options.R); `needed`, the names of those without default.
integral_methods <- function() {
  if (is.null(session_cache$methods)) {
    table <- .Call(C_methods)
    session_cache$methods <- lapply(table[-1L], stats::setNames, table$name)
    session_cache$methods$needed <- lapply(session_cache$methods$options, function(options) {
      names(options)[vapply(options, function(option) anyNA(option$default), NA)]
    })
    session_cache$methods_for <- lapply(seq_len(max(table$more)), function(dim) {
      c("auto", table$name[if (dim == 1L) table$one else dim <= table$more])
    })
  }
  session_cache$methods
}

# Returns a number of evaluations from src/quadrature/method.h: the "default" of `max.eval` in one dimension, or that of
# a "subdivision" of integrate().
evaluations_for <- function(name) {
  if (is.null(session_cache$evaluations)) session_cache$evaluations <- .Call(C_evaluations)
  session_cache$evaluations[[name]]
}

# Returns the methods for a number of dimensions.
methods_for <- function(dim) {
  integral_methods()
  session_cache$methods_for[[dim]]
}

axes_most <- function() {
  integral_methods()
  length(session_cache$methods_for)
}

check_method <- function(method, dim, call) check_choice(method, methods_for(dim), "method", call)

check_breaks <- function(breaks, dim, method, call) {
  if (!is.numeric(breaks) || !all(is.finite(breaks)))
    stop_with(call, "argument", "`breaks` must be finite numbers, not ", value_text(breaks), ".")
  with_breaks <- names(which(integral_methods()$breaks))
  if (length(breaks) && (dim > 1L || !method %in% c("auto", with_breaks)))
    stop_with(call, "argument", "`breaks` are supported in one dimension only, by the methods ",
              paste(dQuote(with_breaks, FALSE), collapse = ", "), ".")
  sort(unique(as.double(breaks)))
}
