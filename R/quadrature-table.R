# The table of the methods of gintegrate() and their options.

# Returns the table of src/quadrature/methods.c as a list of vectors with an element for each method: `one`, TRUE if it
# integrates over one variable; `more`, the largest number of dimensions, 0 if only one; `breaks`, TRUE if it takes
# `breaks` in one dimension; `samples`, TRUE if its points are spread over the whole range.
integral_methods <- function() {
  if (is.null(once$methods)) {
    table <- .Call(C_methods)
    once$methods <- lapply(table[-1L], stats::setNames, table$name)
    once$methods_for <- lapply(seq_len(max(table$more)), function(dim) {
      c("auto", table$name[if (dim == 1L) table$one else dim <= table$more])
    })
  }
  once$methods
}

# Returns the methods for a number of dimensions.
methods_for <- function(dim) {
  integral_methods()
  once$methods_for[[dim]]
}

axes_most <- function() {
  integral_methods()
  length(once$methods_for)
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
