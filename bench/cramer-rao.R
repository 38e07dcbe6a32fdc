# The Cramer-Rao bound of the parameters of S0(alpha, beta, 1, 0), for bench/estimators.R and bench/efficiency.R.

# Returns the Fisher information of one observation, by the trapezoidal rule in w, x = sinh(w).
information <- function(alpha, beta) {
  if (alpha == 2) return(diag(c(0, 0, 2, 0.5)))
  w <- seq(-30, 30, by = 0.01) / min(1, alpha)
  q <- suppressWarnings(stable_quick(sinh(w), alpha, beta))
  f <- exp(q[, 1]) * cosh(w) * diff(w[1:2])
  s <- q[, -1]
  s[!is.finite(s) | f == 0] <- 0
  crossprod(s * sqrt(f))
}
stopifnot(abs(diag(information(1, 0))[3:4] - 0.5) < 1e-6)          # Cauchy

# Returns the bound on the standard deviations of estimates from n observations; parameters at their bounds count as
# known and have NA.
bound <- function(alpha, beta, n) {
  moves <- c(alpha < 2, alpha < 2 && abs(beta) < 1, TRUE, TRUE)
  replace(rep(NA, 4), moves, sqrt(diag(solve(n * information(alpha, beta)[moves, moves]))))
}
