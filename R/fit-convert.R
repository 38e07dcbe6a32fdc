# Estimates and their covariance in the parametrisations S0, S1 and S2 (pm = 0, 1, 2), between which stable_convert()
# converts.
#
# The covariance follows by the delta method.  Parameters whose rows are NA (fixed, at a bound)
# count as known: they contribute nothing to the others.

s0_to_pm <- function(theta, pm) convert_theta(theta, 0, pm)
pm_to_s0 <- function(theta, pm) convert_theta(theta, pm, 0)

# Returns parameters converted from one parametrisation to another.
convert_theta <- function(theta, from, to) {
  if (from == to) return(theta)
  unlist(stable_convert(theta[["alpha"]], theta[["beta"]], theta[["gamma"]], theta[["delta"]],
                        from = from, to = to))[fit_parameters]
}

# Returns the covariance in the parametrisation `pm`, given that in S0.
pm_vcov <- function(cov, theta, pm) {
  if (pm == 0 || all(is.na(cov))) return(cov)
  unknown <- is.na(diag(cov))
  cov[is.na(cov)] <- 0
  J <- pm_jacobian(theta, pm, !unknown)
  out <- J %*% cov %*% t(J)
  dimnames(out) <- dimnames(cov)
  mark_unknown(out, unknown)
}

# Returns the derivatives of the parameters in S1 or S2 with respect to those in S0.
pm_jacobian <- function(theta, pm, moves) {
  if (pm == 1) s1_jacobian(theta) else s2_jacobian(theta, moves)
}

# Closed form, because finite differences would straddle the pole at alpha = 1.  There delta1 is not
# differentiable with respect to alpha, which matters only if alpha is not fixed.
s1_jacobian <- function(theta) {
  beta <- theta[["beta"]]
  gamma <- theta[["gamma"]]
  J <- diag(4L)
  if (theta[["alpha"]] == 1) {
    J[4L, 1:3] <- c(0, -2 / pi * gamma * log(gamma), -2 / pi * beta * (log(gamma) + 1))
    return(J)
  }
  t <- tanpi(theta[["alpha"]] / 2)
  J[4L, 1:3] <- c(-beta * gamma * (pi / 2) * (1 + t^2), -gamma * t, -beta * t)
  J
}

# Central differences with respect to the parameters that vary, inside the parameter space.
s2_jacobian <- function(theta, moves) {
  lower <- c(0, -1, 0, -Inf)
  upper <- c(2, 1, Inf, Inf)
  unit <- c(1e-5, 1e-5, 1e-5 * theta[["gamma"]], theta[["gamma"]])
  J <- diag(4L)
  for (j in which(moves)) {
    h <- min(unit[j], (theta[[j]] - lower[j]) / 2, (upper[j] - theta[[j]]) / 2)
    away <- function(s) s0_to_pm(replace(theta, j, theta[[j]] + s), 2)
    J[, j] <- (away(h) - away(-h)) / (2 * h)
  }
  J
}

# TRUE for variances that are beyond the range of numbers or have lost digits at its lower end.
is_out_of_range <- function(variance) !is.na(variance) & (variance < .Machine$double.xmin | variance == Inf)

# Returns a covariance with NA for parameters whose variance is out of range.
covariance_in_range <- function(cov) mark_unknown(cov, is_out_of_range(diag(cov)))

# Returns a sentence on the variances that are out of range, or NULL.
range_note <- function(cov) {
  odd <- rownames(cov)[is_out_of_range(diag(cov))]
  if (length(odd))
    paste0("In this unit of the data the variances of ", paste(odd, collapse = ", "), " are beyond the range of ",
           "numbers: there are no standard errors.  Fit the data in another unit.")
}

# Returns a covariance with NA in the rows and columns of unknown variances.
mark_unknown <- function(cov, unknown) {
  cov[unknown, ] <- NA
  cov[, unknown] <- NA
  cov
}
