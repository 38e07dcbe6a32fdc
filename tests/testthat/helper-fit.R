# Samples shared by the tests of stablefit().
fit_sample_of <- function(n, alpha, beta, gamma = 1, delta = 0, seed = 7) {
  set.seed(seed)
  rstable(n, alpha, beta, gamma, delta)
}

# Removes the call, in which a fit of a batch may differ from a single fit.
without_call <- function(fit) {
  fit$call <- NULL
  fit
}

fit_cases <- function() list(
  list(alpha = 1.5, beta = 0.5, gamma = 2, delta = 3),
  list(alpha = 1.2, beta = -0.9, gamma = 2, delta = 10),
  list(alpha = 1, beta = 0.5, gamma = 3, delta = 0),
  list(alpha = 1.01, beta = -0.9, gamma = 1, delta = 0),
  list(alpha = 0.7, beta = 0, gamma = 1, delta = -5),
  list(alpha = 0.6, beta = 0.9, gamma = 1, delta = 0),
  list(alpha = 0.3, beta = 0, gamma = 1, delta = 0),
  list(alpha = 1.9, beta = 0, gamma = 0.005, delta = 1)
)

label_of <- function(case) {
  sprintf("alpha %g, beta %g, gamma %g, delta %g", case$alpha, case$beta, case$gamma, case$delta)
}

# Returns (estimate - true value) / standard error for each parameter.
z_scores <- function(fit, case) {
  sd <- sqrt(diag(vcov(fit)))
  (coef(fit) - unlist(case)) / sd
}

loglik_at <- function(x, theta) {
  sum(dstable(x, theta[[1]], theta[[2]], theta[[3]], theta[[4]], log = TRUE))
}
