# Newton steps at the maximum, observed information, covariance.
#
# Second differences of the log-likelihood use steps of a fraction of a standard
# error: with h = 0.05 sd the log-likelihood changes by 0.00125, a billion times
# its rounding error, and the truncation error of the Hessian is of relative order h^2/n.
# Parameters at a bound (or so close that the difference quotient would leave the
# parameter space within a ten-thousandth of a standard error) are left out.

hessian_step <- 0.05
gradient_step <- 1e-3

settle <- function(top, z) {
  top <- snap_to_bounds(top, z)
  y <- top$y
  co <- top$co
  move <- co$free & !nzchar(top$active)
  co_move <- replace(co, "free", list(move))
  for (round in seq_len(12L)) {
    if (!any(move)) break
    if (round %in% c(1L, 2L, 4L)) {
      sd <- rough_sd(y, co_move, z, if (round == 1L) NULL else information)
      information <- -loglik_hessian(y, co_move, z, sd)
    }
    gradient <- loglik_gradient(y, co_move, z, sd)
    step <- newton_step(information, gradient)
    if (is.null(step)) break
    forward <- careful_step(y, step, co_move, z)
    if (is.null(forward)) break
    y <- forward
    if (max(abs(step) / sd[move]) < 1e-9) break
  }
  top$y <- y
  top$loglik <- log_likelihood(y, co, z)
  top$information <- if (any(move)) -loglik_hessian(y, co_move, z, sd)
  top$gradient <- if (any(move)) loglik_gradient(y, co_move, z, sd) * sd[move]
  top$move <- move
  top
}

# An optimum within rounding of a bound is put on it when that loses nothing.
snap_to_bounds <- function(top, z) {
  label <- c(alpha = "", beta = "", gamma = "", delta = "")
  for (j in which(top$co$free[1:2])) for (end in c("lower", "upper")) {
    bound <- top$co[[end]][j]
    if (abs(top$y[j] - bound) > 1e-5) next
    y <- replace(top$y, j, bound)
    value <- log_likelihood(y, top$co, z)
    if (value < top$loglik - 1e-7) next
    top$y <- y
    top$loglik <- value
    label[j] <- end
  }
  top$active <- label
  top
}

# First from the scores, then from a Hessian if it is usable; floors keep steps sane.
rough_sd <- function(y, co, z, information) {
  if (is.null(information)) information <- crossprod(score_matrix(y, co, z))
  sd <- 1 / sqrt(pmax(diag(as.matrix(information)), .Machine$double.eps))
  full <- numeric(4L)
  full[co$free] <- pmin(sd, c(0.3, 0.5, 0.5, 10)[co$free])
  full
}

loglik_gradient <- function(y, co, z, sd) {
  vapply(which(co$free), function(j) {
    h <- difference_sides(y, co, j, gradient_step * sd[j])
    diff(vapply(h, function(s) log_likelihood(replace(y, j, y[j] + s), co, z), 0)) / diff(h)
  }, 0)
}

loglik_hessian <- function(y, co, z, sd) {
  at <- which(co$free)
  k <- length(at)
  h <- vapply(at, function(j) max(abs(difference_sides(y, co, j, hessian_step * sd[j]))), 0)
  moved <- function(s) log_likelihood(replace(y, at, y[at] + s), co, z)
  e <- diag(h, k)
  f0 <- log_likelihood(y, co, z)
  H <- matrix(0, k, k)
  for (i in seq_len(k)) H[i, i] <- (moved(e[i, ]) - 2 * f0 + moved(-e[i, ])) / h[i]^2
  for (i in seq_len(k)) for (j in seq_len(i - 1L)) {
    d <- moved(e[i, ] + e[j, ]) - moved(e[i, ] - e[j, ]) -
      moved(e[j, ] - e[i, ]) + moved(-e[i, ] - e[j, ])
    H[i, j] <- H[j, i] <- d / (4 * h[i] * h[j])
  }
  H
}

newton_step <- function(information, gradient) {
  if (!all(is.finite(information), is.finite(gradient))) return(NULL)
  root <- tryCatch(chol(information), error = function(e) NULL)
  if (is.null(root)) return(NULL)
  backsolve(root, backsolve(root, gradient, transpose = TRUE))
}

# The step, shortened until it stays inside and does not descend; NULL if none does.
careful_step <- function(y, step, co, z) {
  f0 <- log_likelihood(y, co, z)
  for (shrink in 2^-(0:6)) {
    to <- y
    to[co$free] <- y[co$free] + shrink * step
    inside <- all(to > co$lower | !co$free, to < co$upper | !co$free)
    if (inside && log_likelihood(to, co, z) >= f0 - 1e-9 * (1 + abs(f0) * 1e-3)) return(to)
  }
  NULL
}

finish <- function(top, z, fixed, se) {
  theta <- y_to_theta(top$y, top$co)
  out <- list(theta = theta, loglik = top$loglik, active = top$active, se = se,
              convergence = list(code = top$code, message = top$message,
                                 iterations = top$iterations, gradient = top$gradient))
  cov <- matrix(0, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  root <- if (any(top$move)) tryCatch(chol(top$information), error = function(e) NULL)
  if (!se || is.null(root)) {
    out$cov <- cov * NA
    if (se && any(top$move))
      out$notes <- "The observed information is not positive definite: no standard errors."
    return(out)
  }
  cov[top$move, top$move] <- chol2inv(root)
  J <- theta_jacobian(top$y, top$co)
  out$cov <- mark_unknown(J %*% cov %*% t(J), !top$move)
  dimnames(out$cov) <- dimnames(cov)
  out
}

# d(alpha, beta, gamma, delta) / d y
theta_jacobian <- function(y, co) {
  J <- diag(c(1, 1, exp(y[3L]), co$unit))
  if (co$pm == 1L) {
    t <- tanpi(y[1L] / 2)
    J[4L, 1:3] <- exp(y[3L]) * c(y[2L] * (pi / 2) * (1 + t^2), t, y[2L] * t)
  }
  J
}

mark_unknown <- function(cov, unknown) {
  cov[unknown, ] <- NA
  cov[, unknown] <- NA
  cov
}
