# What gintegrate() knows of its methods.

# code: place in `methods` of src/r_integrate.c; one: in one dimension; more: in up to so many (CUBATURE_AXES and AXES_MAX
# of src/integrate/integrate.h).
integral_methods <- data.frame(
  row.names = c("gk", "tanhsinh", "cubature", "simpson", "forward", "vegas", "lattice", "product"),
  code = c(0:4, 5L, 5L, 5L),
  one = c(TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE, TRUE),
  more = c(0L, 0L, 8L, 0L, 12L, 12L, 12L, 12L),
  breaks = c(TRUE, FALSE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE))

method_code <- function(method) integral_methods[method, "code"]

check_method <- function(method, dim, call) {
  possible <- if (dim == 1L) integral_methods$one else dim <= integral_methods$more
  check_choice(method, c("auto", rownames(integral_methods)[possible]), "method", call)
}

check_breaks <- function(breaks, dim, method, call) {
  if (is.null(breaks)) return(double())
  if (!is.numeric(breaks) || !all(is.finite(breaks)))
    fit_abort(call, "argument", "`breaks` must be finite numbers.")
  if (length(breaks) && (dim > 1L || method != "auto" && !integral_methods[method, "breaks"]))
    fit_abort(call, "argument", "`breaks` go, in one dimension, with the methods ",
              paste(dQuote(rownames(integral_methods)[integral_methods$breaks], FALSE), collapse = ", "), " only.")
  sort(unique(as.double(breaks)))
}

# --- options ------------------------------------------------------------------------

# What a method takes besides tolerances, as its compiled code wants it.
method_options <- function(method, h_min, h_max, call) {
  switch(method, forward = forward_options(h_min, h_max, call))
}

forward_options <- function(h_min, h_max, call) {
  low <- if (is.null(h_min)) 0 else check_positive(h_min, "h_min", call)
  high <- if (is.null(h_max)) 0 else check_positive(h_max, "h_max", call)
  if (!is.null(h_min) && !is.null(h_max) && low > high)
    fit_abort(call, "argument", "`h_min` must not be larger than `h_max`.")
  c(low, high)
}
