# The table of the methods of gintegrate() and their options.

# code: index into `methods` of src/r_integrate.c; one: TRUE if the method integrates over one variable; more: the
# largest number of dimensions, 0 if only one (GENZ_MALIK_AXES of src/quadrature/adaptive/genz_malik.h, AXES_MAX of
# src/quadrature/quadrature.h); breaks: TRUE if the method takes `breaks` in one dimension.
integral_methods <- data.frame(
  row.names = c("gk", "tanhsinh", "cubature", "simpson", "forward", "blockcut", "vegas", "lattice", "product"),
  code = c(0:5, 6L, 6L, 6L),
  one = c(TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE),
  more = c(0L, 0L, 8L, 0L, 12L, 0L, 12L, 12L, 12L),
  breaks = c(TRUE, FALSE, FALSE, TRUE, TRUE, TRUE, FALSE, FALSE, FALSE))

cubature_axes <- integral_methods["cubature", "more"]
method_codes <- stats::setNames(integral_methods$code, rownames(integral_methods))

method_code <- function(method) method_codes[[method]]

# The methods for each number of dimensions.
methods_for <- lapply(seq_len(max(integral_methods$more)), function(dim) {
  c("auto", rownames(integral_methods)[if (dim == 1L) integral_methods$one else dim <= integral_methods$more])
})

check_method <- function(method, dim, call) check_choice(method, methods_for[[dim]], "method", call)

check_breaks <- function(breaks, dim, method, call) {
  if (!is.numeric(breaks) || !all(is.finite(breaks)))
    stop_with(call, "argument", "`breaks` must be finite numbers.")
  if (length(breaks) && (dim > 1L || method != "auto" && !integral_methods[method, "breaks"]))
    stop_with(call, "argument", "`breaks` go, in one dimension, with the methods ",
              paste(dQuote(rownames(integral_methods)[integral_methods$breaks], FALSE), collapse = ", "), " only.")
  sort(unique(as.double(breaks)))
}

# --- options ------------------------------------------------------------------------

# Returns the options that a method takes besides tolerances, in the layout of its compiled code.
method_options <- function(method, h_min, h_max, expand, variant, cells, max.eval, call) {
  switch(method, forward = forward_options(h_min, h_max, call),
         blockcut = cut_options(expand, variant, cells, max.eval, call))
}

cut_expansions <- c("always", "coin", "slope", "log")               # enum expansion of src/quadrature/published/continuity.h
cut_variants <- c("PBCAQ", "PSCAQ", "BCAQ", "SCAQ", "CAQ")          # enum cut_variant
cells_most <- 2^26

# With expand = "coin" the key of two words is drawn from R's generator, like that of rstable().
cut_options <- function(expand, variant, cells, max.eval, call) {
  expand <- check_choice(expand, cut_expansions, "expand", call)
  variant <- check_choice(variant, cut_variants, "variant", call)
  cells <- min(floor(check_positive(cells, "cells", call)), floor(max.eval / 8), cells_most)
  key <- if (expand == "coin") floor(stats::runif(2L) * 2^32) else c(0, 0)
  c(max(cells, 1), match(expand, cut_expansions) - 1, match(variant, cut_variants) - 1, key)
}

forward_options <- function(h_min, h_max, call) {
  low <- if (is.null(h_min)) 0 else check_positive(h_min, "h_min", call)
  high <- if (is.null(h_max)) 0 else check_positive(h_max, "h_max", call)
  if (!is.null(h_min) && !is.null(h_max) && low > high)
    stop_with(call, "argument", "`h_min` must not be larger than `h_max`.")
  c(low, high)
}
