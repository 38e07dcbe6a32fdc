# Samples with equal values.
#
# Let a share p of the weight lie at one value.  As gamma -> 0 with delta there, each of these adds -log(gamma) to the
# log-likelihood, and each of the others, which are in a power tail, alpha log(gamma): the sum grows without bound if
#
#     p > alpha (1 - p),      alpha < p/(1 - p).

tie_most_share <- 0.05            # of one value: a warning
tied_most_share <- 0.5            # of all values that occur more than once: a note
tie_least <- 3                    # values

unbounded_by_ties <- "equal values: the likelihood has no bound"

# Are estimates of alpha where the likelihood has no bound?  Of one result, or of columns of results.
is_degenerate <- function(results, alpha) {
  results$tied > 1 & alpha <= results$tie.share / (1 - results$tie.share)
}

# The alpha up to which the sorted values z leave the likelihood without bound; 0 where no two are equal.
tied_alpha <- function(z) {
  most <- max(rle(z)$lengths)
  if (most > 1L) most / (length(z) - most) else 0
}

has_heavy_tie <- function(results) results$tied >= tie_least & results$tie.share >= tie_most_share

# A sentence on ties and what to do, or nothing.
tie_note <- function(result, wish) {
  endless <- seeks_top(wish) && is_degenerate(result, result$theta[["alpha"]])
  if (!isTRUE(endless || has_heavy_tie(result) || result$tied.share >= tied_most_share)) return(NULL)
  percent <- function(share) paste0(format(100 * share, digits = 2L), "%")
  paste0(percent(result$tie.share), " of the observations are equal (", format(result$tie, digits = 7L), "), ",
         percent(result$tied.share), " occur more than once",
         if (endless) "; the likelihood has no bound there, and the estimates are no maximum", ". ",
         "For rounded data use stable_lm(x ~ 1, rounding = ); ",
         if (wish$method != "ecf") "method \"ecf\" depends less on ties; ", "or fit without the equal values.")
}

warn_of_ties <- function(fit, wish) {
  note <- grep("of the observations are equal", fit$notes, value = TRUE)
  endless <- identical(fit$convergence$message, unbounded_by_ties)
  if (length(note) && wish$method != "ecf" && (endless || has_heavy_tie(as.list(fit$ties))))
    tell(wish$call, "ties", note)
}

without_ties <- function(code) {
  withCallingHandlers(code, stablecl_warning_ties = function(w) invokeRestart("muffleWarning"))
}
