# Methods of gintegrate() whose points cover the whole box: "vegas" and "lattice", which sample, and "product".

sampling_methods <- c("vegas", "lattice")
cubature_axes <- function() integral_methods()$more[["cubature"]]

# Checks what methods require whose points are spread over the box.
check_sampling <- function(method, symmetric, lower, upper, call) {
  if (symmetric && !method %in% c("auto", sampling_methods))
    stop_with(call, "argument", "`symmetric = TRUE` requires method \"auto\", \"vegas\" or \"lattice\", not \"",
              method, "\".")
  if (method == "auto" || !integral_methods()$samples[[method]]) return(invisible())
  if (symmetric) check_symmetric(lower, upper, call)
}

# Checks that the method has the option `precision` if its value is "single".
check_precision <- function(method, options, call) {
  if (is.null(options$precision) || options$precision == 0) return(invisible())
  able <- names(Filter(function(of) "precision" %in% names(of), integral_methods()$options))
  if (!method %in% able)
    stop_with(call, "argument", "`precision = \"single\"` requires method ",
              paste(dQuote(able, FALSE), collapse = " or "), ", not \"", method, "\".")
}

check_symmetric <- function(lower, upper, call) {
  same <- function(limits) all(vapply(limits[-1L], identical, NA, limits[[1L]]))
  if (!same(lower) || !same(upper))
    stop_with(call, "argument", "`symmetric = TRUE` requires the same limits along all axes.")
}

# --- "auto" in several dimensions ---------------------------------------------------

few_evaluations <- 1e5                  # below this limit a single method is used
first_evaluations <- 2^14               # with fewer, cubature does not look twice at integrands whose values are all 0
lattice_least_tolerance <- 1e-6         # smallest relative tolerance for which the lattice rule is worth a try
# From this tolerance and dimension on, a lattice rule converges quickly where a product rule fails.
loose_tolerance <- list(rel.tol = 1e-4, dim = 5L)
sampling_error_factor <- 4              # standard errors of a sampling method equivalent to the error of other rules
evaluation_parts <- 8                   # parts of its evaluations of which a stage uses a whole number

# The stages of "auto": each method computes the integrals that the methods before it have not finished.  `share` and
# `most` limit the evaluations of a stage, as a share of all evaluations and as a number.  Cubature comes first, in case
# few evaluations suffice; then a product rule, for integrands that are smooth along each axis: it stops early on all
# others, and where it would need more evaluations; cubature again, with more evaluations; then a lattice rule, for
# integrands with peaks and for more dimensions, unless the tolerance is too small for it; cubature takes the remaining
# evaluations.  For loose tolerances in many dimensions the first cubature would seldom be sufficient: it takes 1 ms of
# the 4 to 8 ms that most of the m-Cubes suite takes at 1e-3 on one core.
stages_all <- list(method = c("cubature", "product", "cubature", "lattice", "cubature"),
                   share = c(0.17, 0.35, 0.05, 0.3, 0.13),
                   most = c(first_evaluations, Inf, few_evaluations, Inf, Inf))
stages_exact <- list(method = c("cubature", "product", "cubature"), share = c(0.17, 0.45, 0.38),
                     most = c(first_evaluations, Inf, Inf))
stages_loose <- list(method = c("product", "lattice", "cubature"), share = c(0.4, 0.45, 0.15), most = c(Inf, Inf, Inf))
# The next plan is for more dimensions than cubature takes.
stages_beyond <- list(method = c("product", "lattice"), share = c(0.4, 0.6), most = c(Inf, Inf))
# In more dimensions than products take, only samples are left.
stages_many <- list(method = c("lattice", "vegas"), share = c(0.6, 0.4), most = c(Inf, Inf))

# Returns the stages of "auto" in several dimensions.
auto_stages <- function(dim, tolerance) {
  if (tolerance$max.eval < few_evaluations)
    list(method = if (dim <= cubature_axes()) "cubature" else "lattice", share = 1, most = Inf)
  else if (dim > integral_methods()$more[["product"]]) stages_many
  else if (dim > cubature_axes()) stages_beyond
  else if (dim >= loose_tolerance$dim && tolerance$rel.tol >= loose_tolerance$rel.tol) stages_loose
  else if (tolerance$rel.tol >= lattice_least_tolerance || tolerance$abs.tol > 0) stages_all
  else stages_exact
}

# Runs stage k of a problem.
run_stage <- function(p, k, n, backend) {
  method <- p$stages$method[k]
  t <- p$tolerance
  t$max.eval <- min(floor(p$stages$share[k] * t$max.eval), p$stages$most[k])
  tolerances <- c("rel.tol", "abs.tol")
  if (method %in% sampling_methods) t[tolerances] <- lapply(t[tolerances], `/`, sampling_error_factor)
  p$tolerance <- t
  state <- run_once(p, method, n, backend)
  if (method %in% sampling_methods) state$error <- sampling_error_factor * state$error
  state$rule <- rep(method, length(state$status))
  state$rule[state$status == not_done()] <- NA
  state
}

# Runs the stages of a problem.  The first stage computes all integrals and suffices for most of them.
run_stages <- function(p, n, backend) {
  state <- run_stage(p, 1L, n, backend)
  state <- with_stage(state, p$stages$method[1L])
  again <- which(state$status != 0L)
  run_later_stages(state, p, 1L, again, state$evaluations[again], backend)
}

# Runs the stages after stage k for the integrals `again`, which have used these evaluations in stage k.
run_later_stages <- function(state, p, k, again, evaluations, backend) {
  if (!length(again) || k == length(p$stages$method) || any(state$status == not_done())) return(state)
  parts <- pmin(ceiling(evaluation_parts * evaluations / (p$stages$share[k] * p$tolerance$max.eval)), evaluation_parts)
  for (part in sort(unique(parts))) {
    q <- with_rest(p, k, 1 - part / evaluation_parts)
    some <- again[parts == part]
    now <- run_stage(pick_integrals(q, some), k + 1L, length(some), backend)
    now <- without_contradictions(now, state, some)
    state <- better_of(with_stage(state, p$stages$method[k + 1L], now), some, now)
    state$status[some[now$status == not_done()]] <- not_done()            # interrupted
    left <- now$status != 0L
    state <- run_later_stages(state, q, k + 1L, some[left], now$evaluations[left], backend)
  }
  state
}

# Returns the problem with what stage k leaves of its evaluations distributed to later stages.  Parts, instead of single
# evaluations, form few groups of integrals, and an integral does not depend on the others.
with_rest <- function(p, k, left) {
  later <- seq_along(p$stages$share) > k
  share <- p$stages$share
  p$stages$share[later] <- share[later] * (1 + left * share[k] / sum(share[later]))
  p
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

# Returns the range of the iterations that agree and are averaged, for the summary.
summary_iterations <- function(x) {
  iterations <- range(x$df + 1, na.rm = TRUE, finite = TRUE)
  sprintf("iterations averaged: %s; chi-squared tests of these: smallest Q %s of %d",
          paste(unique(iterations), collapse = " to "), format(min(x$Q, na.rm = TRUE), digits = 2L), x$n)
}
