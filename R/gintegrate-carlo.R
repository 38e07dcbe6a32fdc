# Methods of gintegrate() that sample: "vegas" and "lattice".

sampling_methods <- c("vegas", "lattice")
cubature_most <- 8L                     # CUBATURE_AXES of src/integrate/integrate.h

# What the compiled code is told of them: lattice or not, symmetric or not, a key; NULL for other methods.
check_sampling <- function(method, symmetric, seed, lower, upper, call) {
  if (!isTRUE(symmetric) && !identical(symmetric, FALSE))
    fit_abort(call, "argument", "`symmetric` must be TRUE or FALSE.")
  seed <- check_seed(seed, call)
  if (!method %in% sampling_methods) return(NULL)
  if (any(is.infinite(unlist(c(lower, upper)))))
    fit_abort(call, "argument", "Limits must be finite for the method \"", method, "\".")
  if (symmetric) check_symmetric(lower, upper, call)
  c(method == "lattice", symmetric, seed)
}

# Two words of 32 bits: of the seed, or from R's generator, which set.seed() governs.
check_seed <- function(seed, call) {
  if (is.null(seed)) return(NULL)
  if (!is.numeric(seed) || length(seed) != 1L || is.na(seed) || seed < 0 || seed != round(seed) || seed >= 2^53)
    fit_abort(call, "argument", "`seed` must be one whole number from 0 to 2^53 - 1, or NULL.")
  c(seed %% 2^32, seed %/% 2^32)
}

draw_key <- function() floor(stats::runif(2L) * 2^32)

check_symmetric <- function(lower, upper, call) {
  same <- function(limits) all(vapply(limits[-1L], identical, NA, limits[[1L]]))
  if (!same(lower) || !same(upper))
    fit_abort(call, "argument", "`symmetric = TRUE` needs the same limits along all axes.")
}

run_sampled <- function(sampling, integrand, n, lower, upper, columns, control, backend) {
  if (length(sampling) == 2L) sampling <- c(sampling, draw_key())
  state <- c(.Call(C_integrals, n), list(chi.squared = numeric(n) + NA_real_, df = numeric(n) + NA_real_))
  run_once(state, integrand, lower, upper, columns, double(), control, c(0, sampling), backend)
}

# Do the iterations of "vegas" agree?  Q is the probability of a chi-squared that large or larger if they do.
with_consistency <- function(result, state) {
  result$chi.squared <- state$chi.squared
  result$df <- state$df
  result$Q <- stats::pchisq(state$chi.squared, state$df, lower.tail = FALSE)
  result
}

consistency_text <- function(x) {
  if (is.null(x$Q)) return("")
  text <- paste0(", chi-squared/df ", format_each(x$chi.squared / x$df, 2L), ", Q ", format_each(x$Q, 2L))
  ifelse(is.na(x$Q), "", text)
}

summary_consistency <- function(x) {
  sprintf("chi-squared of the iterations: least Q %s, of %d", format(min(x$Q, Inf, na.rm = TRUE), digits = 2L), x$n)
}
