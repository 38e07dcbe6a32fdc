# References for methods "ecf" and "logmoment" (src/fit/ecf.c, logmoment.c): the same formulas in R, with an eigenvalue
# decomposition in place of Cholesky's.  test-fit-ecf.R and test-fit-logmoment.R compare them with simulations.

ecf_levels <- exp(seq(log(0.01), log(2), length.out = 12L))

ecf <- function(x, t) vapply(t, function(s) complex(real = mean(cos(s * x)), imaginary = mean(sin(s * x))), 0i)

# Returns the residuals of log(-log|phi|) and of arg phi at the parameters y.
ecf_residuals <- function(phi, t, y) {
  u <- exp(y[3L]) * t
  modulus <- pmin(pmax(Mod(phi), .Machine$double.eps), 1 - .Machine$double.eps)
  turn <- y[4L] * t - y[2L] * ecf_eta(u, y[1L])
  c(log(-log(modulus)) - y[1L] * log(u), Arg(phi * exp(-1i * turn)))
}

# Returns the derivatives of these residuals with respect to y, with the opposite sign.
ecf_slopes <- function(t, y) {
  alpha <- y[1L]
  u <- exp(y[3L]) * t
  h <- 1e-4 * alpha
  eta <- ecf_eta(u, alpha)
  eta_alpha <- (ecf_eta(u, alpha + h) - ecf_eta(u, alpha - h)) / (2 * h)
  eta_log <- eta + stablecl:::scaled_tangent(alpha) * u^alpha
  rbind(cbind(log(u), 0, alpha, 0), cbind(-y[2L] * eta_alpha, -eta, -y[2L] * eta_log, t))
}

ecf_eta <- function(u, alpha) u^alpha * stablecl:::tangent_expm1(alpha, log(u))

# Returns n times the covariance of log(-log|phi_n|) and arg phi_n, at t = u/gamma.  With psi = log phi,
ecf_vcov <- function(u, alpha, beta) {
  psi <- function(u) {
    v <- pmax(abs(u), .Machine$double.xmin)                    # avoids log(0) in eta
    complex(real = -v^alpha, imaginary = -beta * sign(u) * ecf_eta(v, alpha))
  }
  p <- psi(u)
  A <- complex_expm1(outer(u, u, function(s, t) psi(s - t)) - outer(p, Conj(p), `+`))
  B <- complex_expm1(outer(u, u, function(s, t) psi(s + t)) - outer(p, p, `+`))
  r <- Re(p)
  across <- Im(B - A) / 2 / r
  rbind(cbind(Re(A + B) / 2 / outer(r, r), across), cbind(t(across), Re(A - B) / 2))
}

# Returns exp(z) - 1 = expm1(x) cos y - 2 sin(y/2)^2 + i exp(x) sin y.
complex_expm1 <- function(z) {
  x <- Re(z)
  y <- Im(z)
  matrix(complex(real = expm1(x) * cos(y) - 2 * sin(y / 2)^2, imaginary = exp(x) * sin(y)), nrow(z))
}

# Returns W with W V W' = 1 up to the ridge.
ecf_whitening <- function(u, alpha, beta) {
  V <- ecf_vcov(pmin(u, 4^(1 / alpha)), alpha, beta)
  unit <- sqrt(diag(V))
  parts <- eigen(V / outer(unit, unit), symmetric = TRUE)
  t(parts$vectors / unit) / sqrt(pmax(parts$values, 0) + 1e-4)
}

# Returns the estimate and its standard errors from the sample z, standardised by y = (alpha, beta, gamma, delta).
ecf_reference_pass <- function(z, at, given, fixed, alpha.min) {
  scale <- 2^(round(4 * log2(at[3L])) / 4)
  centre <- scale / 16 * round(16 * at[4L] / scale)
  t <- ecf_levels^(1 / max(alpha.min, round(at[1L], 2L)))
  phi <- ecf((z - centre) / scale, t)
  y <- replace(at, given, fixed[given])
  y <- c(y[1:2], log(y[3L] / scale), (y[4L] - centre) / scale)
  for (round in 1:20) {
    before <- y
    if (y[1L] == 2 && !given[2L]) y[2L] <- 0
    if (round <= 3L) W <- ecf_whitening(exp(y[3L]) * t, y[1L], y[2L])
    residuals <- function(y) drop(W %*% ecf_residuals(phi, t, y))
    X <- W %*% ecf_slopes(t, y)
    out <- stablecl:::bounded_regression(X, residuals(y), y, y, given | c(FALSE, y[1L] == 2, FALSE, FALSE),
                                         lower = c(alpha.min, -1, -5, -Inf), upper = c(2, 1, 5, Inf))
    for (shrink in 2^-(0:10)) {
      to <- y + shrink * (out$y - y)
      if (sum(residuals(to)^2) <= sum(residuals(y)^2) * (1 + 1e-12)) break
    }
    y <- to
    if (max(abs(y - before)) < 1e-10) break
  }
  unit <- c(1, 1, exp(y[3L]), 1) * c(1, 1, scale, scale)
  moves <- which(!out$held)
  se <- rep(NA_real_, 4L)
  if (length(moves)) se[moves] <- unit[moves] * sqrt(diag(solve(crossprod(X[, moves, drop = FALSE]))) / length(z))
  list(theta = c(y[1:2], scale * exp(y[3L]), centre + scale * y[4L]), se = se)
}

# Returns the estimate (S0) and its standard errors, for alpha >= 0.5 by the quantiles.
ecf_reference <- function(x, fixed = list(), alpha.min = 0.01) {
  quick <- stablefit(x, fixed = fixed, "quantile", se = FALSE)$start
  side <- if (quick[["beta"]] < 0) -1 else 1
  canonical <- function(theta) {
    c(theta[1L], side * theta[2L], theta[3L] / quick[[3L]], side * (theta[4L] - quick[[4L]]) / quick[[3L]])
  }
  z <- sort(side * (x - quick[[4L]]) / quick[[3L]])
  names <- c("alpha", "beta", "gamma", "delta")
  given <- names %in% names(fixed)
  values <- canonical(replace(c(1, 0, 1, 0), given, unlist(fixed[names[given]])))
  first <- ecf_reference_pass(z, canonical(unname(quick)), given, values, alpha.min)
  last <- ecf_reference_pass(z, first$theta, given, values, alpha.min)
  theta <- last$theta
  list(theta = c(theta[1L], side * theta[2L], quick[[3L]] * theta[3L], quick[[4L]] + side * quick[[3L]] * theta[4L]),
       se = last$se * c(1, 1, quick[[3L]], quick[[3L]]))
}

euler <- -digamma(1)

alpha_from_log_variance <- function(v, alpha.min) {
  above <- 6 * v / pi^2 - 1 / 2
  if (above <= 1 / 4) 2 else max(alpha.min, 1 / sqrt(above))
}

# Returns n times the covariance of the estimates, with alpha known or estimated.
logmoment_vcov <- function(alpha, gamma, alpha_known) {
  k2 <- pi^2 / 6 * (1 / alpha^2 + 1 / 2)
  k3 <- 2 * (-psigamma(1, 2) / 2) * (1 / alpha^3 - 1)
  k4 <- pi^4 / 15 * (1 / alpha^4 - 1) + pi^4 / 8
  slope <- if (alpha_known) 0 else -3 * alpha^3 / pi^2
  J <- rbind(c(0, slope), 0, gamma * c(1, euler / alpha^2 * slope), 0)
  cov <- J %*% matrix(c(k2, k3, k3, k4 + 2 * k2^2), 2L) %*% t(J)
  cov[4L, 4L] <- (pi * gamma / (2 * gamma(1 + 1 / alpha)))^2
  cov
}

# Returns the estimate of a symmetric distribution and its standard errors.
logmoment_reference <- function(x) {
  y <- log(abs(x - vapply(seq_along(x), function(i) stats::median(x[-i]), 0)))
  y <- y[is.finite(y)]
  alpha <- alpha_from_log_variance(mean((y - mean(y))^2), 0.01)
  gamma <- exp(mean(y) - euler * (1 / alpha - 1))
  V <- logmoment_vcov(alpha, gamma, alpha == 2) / length(y)
  list(theta = c(alpha, 0, gamma, stats::median(x)), se = sqrt(diag(V)))
}
