# Estimates and their covariance in the parametrisations S0, S1 and S2 (pm = 0, 1, 2).
#
#     S1   delta1 = delta0 - beta gamma tan(pi alpha / 2)            (alpha != 1)
#                 = delta0 - (2/pi) beta gamma log(gamma)            (alpha  = 1)
#     S2   gamma2 = alpha^(1/alpha) gamma0,   delta2 = mode = delta0 + gamma0 m(alpha, beta)
#
# The covariance follows by the delta method.  Rows that are NA (fixed, at a bound)
# count as known: they contribute nothing to the others.

s0_to_pm <- function(theta, pm) {
  alpha <- theta[["alpha"]]
  beta <- theta[["beta"]]
  gamma <- theta[["gamma"]]
  if (pm == 1) theta[["delta"]] <- theta[["delta"]] - s1_shift(alpha, beta, gamma)
  if (pm == 2) {
    theta[["delta"]] <- theta[["delta"]] + gamma * stable_mode(alpha, beta)
    theta[["gamma"]] <- alpha^(1 / alpha) * gamma
  }
  theta
}

pm_to_s0 <- function(theta, pm) {
  alpha <- theta[["alpha"]]
  beta <- theta[["beta"]]
  if (pm == 1) theta[["delta"]] <- theta[["delta"]] + s1_shift(alpha, beta, theta[["gamma"]])
  if (pm == 2) {
    theta[["gamma"]] <- alpha^(-1 / alpha) * theta[["gamma"]]
    theta[["delta"]] <- theta[["delta"]] - theta[["gamma"]] * stable_mode(alpha, beta)
  }
  theta
}

s1_shift <- function(alpha, beta, gamma) {
  if (beta == 0) return(0)
  if (alpha == 1) return(2 / pi * beta * gamma * log(gamma))
  beta * gamma * tanpi(alpha / 2)
}

pm_vcov <- function(cov, theta, pm) {
  if (pm == 0 || all(is.na(cov))) return(cov)
  unknown <- is.na(diag(cov))
  cov[is.na(cov)] <- 0
  J <- pm_jacobian(theta, pm, !unknown)
  out <- J %*% cov %*% t(J)
  dimnames(out) <- dimnames(cov)
  mark_unknown(out, unknown)
}

# Central differences in the parameters that vary, inside the parameter space.
pm_jacobian <- function(theta, pm, moves) {
  lower <- c(0, -1, 0, -Inf)
  upper <- c(2, 1, Inf, Inf)
  unit <- c(1e-5, 1e-5, 1e-5 * theta[["gamma"]], theta[["gamma"]])
  J <- diag(4L)
  for (j in which(moves)) {
    h <- min(unit[j], (theta[[j]] - lower[j]) / 2, (upper[j] - theta[[j]]) / 2)
    away <- function(s) s0_to_pm(replace(theta, j, theta[[j]] + s), pm)
    J[, j] <- (away(h) - away(-h)) / (2 * h)
  }
  J
}
