# Samples with equal values.
#
# Let a share p of the weight be at one value.  As gamma -> 0 with delta there, each of these observations adds
# -log(gamma) to the log-likelihood, and each of the others, which are in a power tail, alpha log(gamma): the sum grows
# without bound if
#
#     p > alpha (1 - p),      alpha < p/(1 - p).
#
# An observation with at least twice the smallest weight counts as two equal ones.

tie_most_share <- 0.05            # share of one value that causes a warning
tied_most_share <- 0.5            # share of all values that occur more than once that causes a note
tie_least <- 3                    # equal values that a warning requires

unbounded_by_ties <- "equal values or large weights make the likelihood unbounded"

# TRUE if estimates of alpha are where the likelihood is unbounded, for one result or for columns of results.
# Methods that do not search there end at this alpha, up to rounding.
is_degenerate <- function(results, alpha) results$tied.alpha > 0 & alpha <= results$tied.alpha * (1 + 1e-12)

# Returns the alpha up to which the sorted values z make the likelihood unbounded; 0 if no two are equal.
tied_alpha <- function(z) {
  most <- max(rle(z)$lengths)
  if (most > 1L) most / (length(z) - most) else 0
}

has_heavy_tie <- function(results) results$tied >= tie_least & results$tie.share >= tie_most_share

# Returns a sentence that states the ties, or the large weight of an observation, and the remedy, or NULL.
tie_note <- function(result, request) {
  is_unbounded <- is_likelihood(request) && is_degenerate(result, result$theta[["alpha"]])
  if (!isTRUE(is_unbounded || has_heavy_tie(result) || result$tied.share >= tied_most_share)) return(NULL)
  value <- paste0(" (", format(result$tie, digits = 7L), ")")
  unbounded <- if (is_unbounded) "; the likelihood is unbounded there, and the estimates do not maximise it"
  if (is_unbounded && result$tied == 1)
    return(paste0(share_words(result$tie.share), " of the weight is at one observation", value, unbounded,
                  ". Reduce this weight."))
  paste0(share_words(result$tie.share), " of the observations are equal", value, ", ",
         "and ", share_words(result$tied.share), " occur more than once",
         if (is_unbounded) unbounded, ". ",
         "For rounded data use ", if (isTRUE(request$is_censored)) "intervals" else "stable_lm(x ~ 1, rounding = )",
         "; otherwise ",
         if (request$method != "ecf" && !isTRUE(request$is_censored))
           "use method \"ecf\", which depends less on ties, or ", "remove the equal values.")
}

share_words <- function(share) paste0(format(100 * share, digits = 2L), "%")

warn_of_ties <- function(fit, request) {
  note <- grep("of the observations are equal|of the weight is at", fit$notes, value = TRUE)
  is_unbounded <- identical(fit$convergence$message, unbounded_by_ties)
  if (length(note) && request$method != "ecf" && (is_unbounded || has_heavy_tie(as.list(fit$ties))))
    warn_with(request$call, "ties", note)
}

without_ties <- function(code) {
  withCallingHandlers(code, stablecl_warning_ties = function(w) invokeRestart("muffleWarning"))
}
