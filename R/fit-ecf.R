# Estimates from the empirical characteristic function, phi_n(t) = mean(exp(i t x)).
#
# With u = gamma t, t > 0, the S0 distribution has (stable-cf.R)
#
#     log(-log|phi(t)|) = alpha log u
#     arg phi(t)        = delta t - beta eta(u),      eta(u) = tan(pi alpha/2) (u - u^alpha)
#
# and eta has the limit (2/pi) u log u at alpha = 1, which therefore needs no special case (Kogon and Williams 1998).
# Both equations, at K frequencies, are one regression for the four parameters.  It is linearised about an estimate,
# and the linear regression is iterated.  The sample is first standardised by an estimate (gamma = 1, delta = 0), and
# the frequencies are those at which -log|phi| then has the values ecf_levels: they extend as far as |phi| is well above
# its noise.  This is done twice, with the quantile estimate and with the result of the first pass, and no more often,
# because for small alpha other frequencies have other noise.  For the same reason the standardising estimate is
# rounded, so that its last digits have no influence.  Residuals of the argument are taken modulo 2 pi.
#
# Errors.  E exp(i s x) exp(i t x) = phi(s + t), so with L = log phi_n(t) - log phi(t) = (phi_n - phi)/phi + O(1/n)
#
#     n E L_j conj(L_k) = A = phi(t_j - t_k)/(phi(t_j) conj(phi(t_k))) - 1
#     n E L_j L_k       = B = phi(t_j + t_k)/(phi(t_j) phi(t_k)) - 1
#
# (Feuerverger and Mureika 1977), and for r = Re L, m = Im L, since L conj(L') = r r' + m m' + i (m r' - r m'),
# L L' = r r' - m m' + i (r m' + m r'),
#
#     n E r_j r_k = Re(A + B)/2,      n E m_j m_k = Re(A - B)/2,      n E r_j m_k = Im(B - A)/2.
#
# log(-log|phi|) has the error r/log|phi|.  With V the covariance of the 2K errors and J the 2K derivatives with respect
# to the parameters, generalised least squares (Koutrouvelis 1981) have the covariance (J' V^-1 J)^-1 / n.

ecf_levels <- exp(seq(log(0.01), log(2), length.out = 12L))
ecf_rounds <- 20L
ecf_weighings <- 3L               # rounds that recompute the weights first
ecf_ridge <- 1e-4                 # added to the eigenvalues of the errors' correlation matrix, because neighbouring
                                  # frequencies have nearly the same errors
ecf_most_decay <- 4               # -log|phi| above which the weights of this value are used
ecf_halvings <- 10L
farthest_scale <- 5               # bound of |log gamma| of the standardised sample

fit_by_ecf <- function(sample, from, fixed, control, se) {
  first <- ecf_regression(sample$z, from, fixed, control$alpha.min)
  last <- ecf_regression(sample$z, first$theta, fixed, control$alpha.min)
  cov <- if (se) {
    moves <- !last$held
    unit <- c(1, 1, last$theta[["gamma"]], last$unit)
    full <- matrix(0, 4L, 4L)
    if (any(moves)) full[moves, moves] <- chol2inv(qr.R(qr(last$X[, moves, drop = FALSE]))) / length(sample$z)
    full * outer(unit, unit)
  }
  plain_estimate(last$theta, cov, sample, fixed, control$alpha.min)
}

# Iterates the regression for y = (alpha, beta, log gamma, delta) of the sample standardised by `at`.
ecf_regression <- function(z, at, fixed, alpha.min) {
  scale <- 2^(round(4 * log2(at[["gamma"]])) / 4)
  frame <- list(centre = scale / 16 * round(16 * at[["delta"]] / scale), scale = scale, side = 1)
  t <- ecf_levels^(1 / max(alpha.min, round(at[["alpha"]], 2L)))
  phi <- ecf((z - frame$centre) / scale, t)
  given <- fit_parameters %in% names(fixed)
  y <- unname(log_scale(to_canonical(at, frame)))
  y[given] <- log_scale(to_canonical(fixed, frame))[fit_parameters[given]]
  for (round in seq_len(ecf_rounds)) {
    before <- y
    if (y[1L] == 2 && !given[2L]) y[2L] <- 0
    if (round <= ecf_weighings) whitening <- ecf_whitening(exp(y[3L]) * t, y[1L], y[2L])
    found <- ecf_step(phi, t, y, whitening, given | c(FALSE, y[1L] == 2, FALSE, FALSE), alpha.min)
    y <- found$y
    if (max(abs(y - before)) < 1e-10) break
  }
  theta <- c(alpha = y[1L], beta = y[2L], gamma = exp(y[3L]), delta = y[4L])
  list(theta = from_canonical(theta, frame), X = found$X, held = found$held, unit = scale)
}

# Solves the regression linearised about y, and halves the step until the sum of squared residuals does not increase.
ecf_step <- function(phi, t, y, whitening, held, alpha.min) {
  X <- whitening %*% ecf_slopes(t, y)
  residuals <- function(y) drop(whitening %*% ecf_residuals(phi, t, y))
  r <- residuals(y)
  out <- bounded_regression(X, r, y, y, held, lower = c(alpha.min, -1, -farthest_scale, -Inf),
                            upper = c(2, 1, farthest_scale, Inf))
  for (shrink in 2^-(0:ecf_halvings)) {
    to <- y + shrink * (out$y - y)
    if (sum(residuals(to)^2) <= sum(r^2)) break
  }
  list(y = to, held = out$held, X = X)
}

log_scale <- function(theta) {
  if ("gamma" %in% names(theta)) theta[["gamma"]] <- log(theta[["gamma"]])
  theta
}

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
  eta_log <- eta + scaled_tangent(alpha) * u^alpha
  rbind(cbind(log(u), 0, alpha, 0), cbind(-y[2L] * eta_alpha, -eta, -y[2L] * eta_log, t))
}

ecf_eta <- function(u, alpha) u^alpha * tangent_expm1(alpha, log(u))

# Returns n times the covariance of log(-log|phi_n|) and arg phi_n, at t = u/gamma.  With psi = log phi,
#
#     A = exp(psi(t_j - t_k) - psi(t_j) - conj(psi(t_k))) - 1,
#
# which is accurate where phi is close to 1.
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

# Returns W with W V W' = 1 up to the ridge.  The errors at K frequencies have far fewer dimensions than 2 K: V is
# singular up to rounding, and its inverse is regularised, as moment conditions at many frequencies require
# (Carrasco and Florens 2000, doi:10.1017/S0266466600166010), here by an addition to the eigenvalues of the
# correlation matrix.  The addition also prevents rounding from making an eigenvalue negative.
ecf_whitening <- function(u, alpha, beta) {
  V <- ecf_vcov(pmin(u, ecf_most_decay^(1 / alpha)), alpha, beta)
  unit <- sqrt(diag(V))
  parts <- eigen(V / outer(unit, unit), symmetric = TRUE)
  t(parts$vectors / unit) / sqrt(pmax(parts$values, 0) + ecf_ridge)
}

# Least squares for the residuals r = X (y - at) + error, with some components of y held and the others within their
# bounds: components that leave their bounds are held there, the farthest first.
bounded_regression <- function(X, r, at, y, held, lower, upper) {
  while (!all(held)) {
    left <- r - X[, held, drop = FALSE] %*% (y - at)[held]
    y[!held] <- at[!held] + qr.coef(qr(X[, !held, drop = FALSE], tol = 1e-12), left)
    beyond <- pmax(lower - y, y - upper)
    beyond[held] <- 0
    if (all(beyond <= 0)) break
    j <- which.max(beyond)
    y[j] <- min(max(y[j], lower[j]), upper[j])
    held[j] <- TRUE
  }
  list(y = y, held = held)
}
