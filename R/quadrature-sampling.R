# Methods of gintegrate() whose points cover the whole box: "vegas" and "lattice", which sample, and "product".

sampling_methods <- c("vegas", "lattice")
cubature_axes <- function() integral_methods()$more[["cubature"]]

# Returns a list of the method, `symmetric` and the seed; a plan of stages for "auto" in several dimensions; NULL for
# methods whose points are not spread over the box.
check_sampling <- function(method, symmetric, seed, lower, upper, control, call) {
  check_flag(symmetric, "symmetric", call)
  if (!is.null(seed)) seed <- check_seed(seed, call)
  if (symmetric && !method %in% c("auto", sampling_methods))
    stop_with(call, "argument", "`symmetric = TRUE` requires method \"auto\", \"vegas\" or \"lattice\", not \"",
              method, "\".")
  if (method == "auto" && length(lower) > 1L) return(auto_stages(length(lower), control, symmetric, seed))
  if (method == "auto" || !integral_methods()$samples[[method]]) return(NULL)
  if (any(is.infinite(unlist(c(lower, upper)))))
    stop_with(call, "argument", "Method \"", method, "\" requires finite limits.")
  if (symmetric) check_symmetric(lower, upper, call)
  list(method = method, symmetric = symmetric, seed = seed)
}

# Returns the seed as two 32-bit words.
check_seed <- function(seed, call) {
  if (!is.numeric(seed) || length(seed) != 1L || is.na(seed) || seed < 0 || seed != round(seed) || seed >= 2^53)
    stop_with(call, "argument", "`seed` must be one whole number from 0 to 2^53 - 1, or NULL, not ", value_text(seed),
              ".")
  c(seed %% 2^32, seed %/% 2^32)
}

# Returns a key of two 32-bit words from R's generator, which set.seed() controls.
draw_key <- function() floor(stats::runif(2L) * 2^32)

check_symmetric <- function(lower, upper, call) {
  same <- function(limits) all(vapply(limits[-1L], identical, NA, limits[[1L]]))
  if (!same(lower) || !same(upper))
    stop_with(call, "argument", "`symmetric = TRUE` requires the same limits along all axes.")
}

run_sampled <- function(sampling, integrand, n, lower, upper, columns, control, backend) {
  key <- if (sampling$method == "product") c(0, 0) else if (is.null(sampling$seed)) draw_key() else sampling$seed
  state <- c(new_state(n), list(chi.squared = numeric(n) + NA_real_, df = numeric(n) + NA_real_))
  run_once(state, integrand, lower, upper, columns, double(), c(control, sampling$symmetric, key), sampling$method,
           backend)
}

# --- "auto" in several dimensions ---------------------------------------------------

few_evaluations <- 1e5                  # below this limit a single method is used
products_most <- 4e6                    # further evaluations are better left to the other methods
lattice_reaches <- 1e-6                 # smallest relative tolerance for which the lattice rule is worth a try
loose <- list(rel.tol = 1e-4, dim = 5L) # from here on a lattice rule converges quickly where a product rule fails
cautious <- 4                           # standard errors of a lattice rule equivalent to the error of other rules

# The stages of "auto": each method computes the integrals that the methods before it have not finished.  `share` and
# `most` limit the evaluations of a stage, as a share of all evaluations and as a number.  Cubature comes first, in case
# it is sufficient; then a product rule, for integrands that are smooth along each axis; then a lattice rule, for
# integrands with peaks and for more dimensions, unless the tolerance is too small for it; cubature takes the remaining
# evaluations.  For loose tolerances in many dimensions the first cubature would seldom be sufficient: it takes 1 ms of
# the 4 to 8 ms that most of the m-Cubes suite takes at 1e-3 on one core.
stages_all <- list(method = c("cubature", "product", "lattice", "cubature"), share = c(0.05, 0.15, 0.6, 0.2),
                   most = c(few_evaluations, products_most, Inf, Inf))
stages_exact <- list(method = c("cubature", "product", "cubature"), share = c(0.05, 0.15, 0.8),
                     most = c(few_evaluations, products_most, Inf))
stages_loose <- list(method = c("product", "lattice", "cubature"), share = c(0.15, 0.6, 0.25),
                     most = c(products_most, Inf, Inf))
# The last plan is for more dimensions than cubature takes.
stages_beyond <- list(method = c("product", "lattice"), share = c(0.25, 0.75), most = c(Inf, Inf))

auto_stages <- function(dim, control, symmetric, seed) {
  plan <- if (control[3L] < few_evaluations)
    list(method = if (dim <= cubature_axes()) "cubature" else "lattice", share = 1, most = Inf)
  else if (dim > cubature_axes()) stages_beyond
  else if (dim >= loose$dim && control[1L] >= loose$rel.tol) stages_loose
  else if (control[1L] >= lattice_reaches || control[2L] > 0) stages_all
  else stages_exact
  plan$symmetric <- symmetric
  plan$seed <- seed
  plan
}

# Runs stage k of a plan.
run_stage <- function(plan, k, integrand, n, lower, upper, columns, control, backend) {
  method <- plan$method[k]
  control[3L] <- min(floor(plan$share[k] * control[3L]), plan$most[k])
  if (method == "lattice") control[1:2] <- control[1:2] / cautious
  if (method == "cubature")
    state <- run_once(new_state(n), integrand, lower, upper, columns, double(), control, method, backend)
  else
    state <- run_sampled(list(method = method, symmetric = plan$symmetric, seed = plan$seed), integrand, n, lower,
                         upper, columns, control, backend)
  if (method == "lattice") state$error <- cautious * state$error
  state$rule <- rep(method, n)
  state$rule[state$status == not_done()] <- NA
  state
}

# Runs the stages of a plan.  The first stage computes all integrals and suffices for most of them.
run_stages <- function(plan, integrand, n, lower, upper, columns, control, backend) {
  state <- run_stage(plan, 1L, integrand, n, lower, upper, columns, control, backend)
  again <- which(state$status != 0L)
  pick <- function(limits) if (length(again) == n) limits else lapply(limits, function(x) rep_len(x, n)[again])
  for (k in seq_along(plan$method)[-1L]) {
    if (!length(again) || any(state$status == not_done())) break
    now <- run_stage(plan, k, integrand, length(again), pick(lower), pick(upper), pick(columns), control, backend)
    state <- better_of(state, again, now)
    state$status[again[now$status == not_done()]] <- not_done()           # interrupted
    again <- again[now$status != 0L]
  }
  state
}

# Adds the consistency of the iterations of "vegas": Q is the probability of a chi-squared value at least as large if
# the iterations agree.
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
  sprintf("chi-squared tests of the iterations: smallest Q %s of %d",
          format(min(x$Q, Inf, na.rm = TRUE), digits = 2L), x$n)
}
