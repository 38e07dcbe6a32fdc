# Warnings in the summary of a fit: sentences on a search that did not converge, on a flat likelihood, and on bounds
# that are close.

# Correlations of estimates above this value mean that the likelihood is nearly flat in some direction.
flat_correlation <- 0.99

summary_warnings <- function(object) {
  c(if (isFALSE(object$convergence$converged))
      paste0("NOT CONVERGED", in_brackets(object$convergence$message), ": the estimates are those of the last step. ",
             "Try other start values or a larger control$maxit."),
    flat_note(object), near_bound_notes(object))
}

flat_note <- function(object) {
  V <- object$theta.vcov
  known <- !is.na(diag(V))
  if (sum(known) < 2L) return(NULL)
  R <- stats::cov2cor(V[known, known])
  pair <- which(abs(R) > flat_correlation & upper.tri(R), arr.ind = TRUE)
  if (!nrow(pair)) return(NULL)
  sprintf("The likelihood is nearly flat along a combination of %s and %s: their estimates have correlation %.4f.",
          rownames(R)[pair[1L, 1L]], rownames(R)[pair[1L, 2L]], R[pair[1L, 1L], pair[1L, 2L]])
}

near_bound_notes <- function(object) {
  ci <- wald_intervals(object, 0.95)
  c(if ("alpha" %in% rownames(ci) && isTRUE(ci[["alpha", 2L]] == 2))
      paste0("The 95% interval of alpha reaches its bound 2, the normal distribution: standard errors are only a ",
             "rough guide", if (is.null(object$formula)) "; see confint(method = \"profile\") and anova()", "."),
    if ("beta" %in% rownames(ci) && isTRUE(all(abs(ci["beta", ]) == 1)))
      "The sample contains almost no information about beta: its 95% interval is all of [-1, 1].")
}
