# Symmetric distributions: estimates from the mean and the variance of log|x - median|.
#
# For X of S(alpha, 0, gamma, 0) and -1 < s < alpha (Zolotarev 1986, section 2.6)
#
#     E|X|^s = gamma^s Gamma(1 - s/alpha) / (Gamma(1 - s) cos(pi s/2)),
#
# whose logarithm has the derivatives at s = 0, the cumulants of log|X|,
#
#     k1 = log gamma + C (1/alpha - 1)                     C = 0.5772..., Euler's constant
#     k2 = pi^2/6 (1/alpha^2 + 1/2)
#     k3 = 2 zeta(3) (1/alpha^3 - 1)                       zeta(3) = 1.2020...
#     k4 = pi^4/15 (1/alpha^4 - 1) + pi^4/8.
#
# k2 gives alpha, k1 then gamma (Ma and Nikias 1995).  The mean m and the variance v of n values have
#
#     n var(m) = k2,      n cov(m, v) = k3,      n var(v) = k4 + 2 k2^2,
#
# and d alpha/dv = -3 alpha^3/pi^2, d log gamma = dm + C/alpha^2 d alpha.  For a symmetric distribution k1 and k2 do not
# depend on the centre to first order, so that its error does not matter; the error of the median is uncorrelated
# with those of m and v, and n var(median) = 1/(4 f(0)^2), f(0) = Gamma(1 + 1/alpha)/(pi gamma).
#
# The deviation of each value is taken from the median of the other values.  From the median of all values the middle
# ones would be too close, and with an odd number of values one distance would be 0, whose logarithm is infinite.  For
# n = 500 that would change alpha by up to 0.6 standard errors.

euler <- -digamma(1)
zeta_3 <- -psigamma(1, 2) / 2

fit_by_logmoments <- function(sample, from, fixed, control, se) {
  given <- fit_parameters %in% names(fixed)
  delta <- if (given[4L]) fixed[["delta"]] else stats::median(sample$z)
  y <- log(abs(sample$z - if (given[4L]) delta else median_of_others(sample$z)))
  y <- y[y > -Inf]
  m <- mean(y)
  alpha <- if (given[1L]) fixed[["alpha"]] else alpha_from_log_variance(mean((y - m)^2), control$alpha.min)
  gamma <- if (given[3L]) fixed[["gamma"]] else exp(m - euler * (1 / alpha - 1))
  known <- given[1L] || alpha %in% c(2, control$alpha.min)
  cov <- if (se) logmoment_vcov(alpha, gamma, known) / length(y)
  left_out <- length(sample$z) - length(y)
  remarks <- if (left_out > 0L) sprintf("%d values equal to the median are omitted.", left_out)
  plain_estimate(c(alpha = alpha, beta = 0, gamma = gamma, delta = delta), cov, sample, fixed, control$alpha.min,
                 remarks = remarks)
}

# Returns for each of the sorted values z the median of the other values.
median_of_others <- function(z) {
  n <- length(z)
  below <- seq_len(n %/% 2L)
  if (n %% 2L == 0L) return(replace(rep(z[n / 2], n), below, z[n / 2 + 1]))
  m <- (n + 1L) %/% 2L
  around <- replace(rep((z[m - 1L] + z[m]) / 2, n), below, (z[m] + z[m + 1L]) / 2)
  replace(around, m, (z[m - 1L] + z[m + 1L]) / 2)
}

alpha_from_log_variance <- function(v, alpha.min) {
  above <- 6 * v / pi^2 - 1 / 2
  if (above <= 1 / 4) 2 else max(alpha.min, 1 / sqrt(above))
}

# Returns n times the covariance of the estimates, with alpha known or estimated.
logmoment_vcov <- function(alpha, gamma, alpha_known) {
  k2 <- pi^2 / 6 * (1 / alpha^2 + 1 / 2)
  k3 <- 2 * zeta_3 * (1 / alpha^3 - 1)
  k4 <- pi^4 / 15 * (1 / alpha^4 - 1) + pi^4 / 8
  slope <- if (alpha_known) 0 else -3 * alpha^3 / pi^2
  J <- rbind(c(0, slope), 0, gamma * c(1, euler / alpha^2 * slope), 0)
  cov <- J %*% matrix(c(k2, k3, k3, k4 + 2 * k2^2), 2L) %*% t(J)
  cov[4L, 4L] <- (pi * gamma / (2 * gamma(1 + 1 / alpha)))^2
  cov
}

# Returns the fixed parameters, including beta = 0.
make_symmetric <- function(fixed, call) {
  if ("beta" %in% names(fixed) && fixed[["beta"]] != 0)
    stop_with(call, "argument", "`fixed$beta` must be 0 or omitted, not ", fixed[["beta"]],
              ": method \"logmoment\" fits symmetric distributions only.")
  replace(fixed, "beta", 0)
}
