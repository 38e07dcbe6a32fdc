# Newton steps at the maximum, observed information, covariance.
#
# Differences of the gradient, or where there is none second differences of the log-likelihood,
# use steps of a fraction of a standard error: with h = 0.05 sd the log-likelihood changes by
# 0.00125, a billion times its rounding error, and the truncation error of the Hessian is
# of relative order h^2/n.
# Parameters at a bound (or so close that the difference quotient would leave the
# parameter space within a ten-thousandth of a standard error) are left out.

hessian_step <- 0.05
gradient_step <- 1e-3

# From where a search ended, with a log-likelihood that may be good to steer by only.
settle <- function(top, z) {
  top <- settle_inside(snap_to_bounds(top, z), z)
  if (is_steered(top$y)) top$loglik <- log_likelihood(top$y, top$co, z)
  top
}

settle_inside <- function(top, z) {
  move <- top$co$free & !nzchar(top$active)
  top$move <- move
  if (!any(move)) return(top)
  co <- replace(top$co, "free", list(move))
  sd <- rough_sd(top$y, co, z)
  information <- -loglik_hessian(top$y, co, z, sd)
  top <- newton(top, co, z, sd, information)
  if (any(abs(top$moved) > 0.02)) {                    # the Hessian of another place
    sd <- hessian_sd(information, sd, co)
    information <- -loglik_hessian(top$y, co, z, sd)
    top <- newton(top, co, z, sd, information)
    information <- -loglik_hessian(top$y, co, z, sd)
  }
  top$information <- information
  top
}

# Newton steps with one Hessian, until they are a billionth of a standard error or, for
# large samples, the rounding of the gradient: then they are tiny but no longer shrink.
newton <- function(top, co, z, sd, information) {
  from <- top$y
  last <- Inf
  for (round in seq_len(12L)) {
    gradient <- loglik_gradient(top$y, co, z, sd)
    step <- newton_step(information, gradient)
    if (is.null(step)) break
    size <- max(abs(step) / sd[co$free])
    if (size < 1e-9 || (size < 1e-6 && size > 0.3 * last)) break
    last <- size
    to <- careful_step(top$y, step, co, z, top$loglik)
    if (is.null(to)) break
    top[c("y", "loglik")] <- to
  }
  top$gradient <- gradient * sd[co$free]
  top$moved <- ((top$y - from) / sd)[co$free]
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
    if (value < log_likelihood(top$y, top$co, z) - 1e-7) next
    top$y <- y
    top$loglik <- value
    label[j] <- end
  }
  top$active <- label
  top
}

# Standard deviations for the choice of steps, from the scores; floors keep steps sane.
rough_sd <- function(y, co, z) {
  sd <- 1 / sqrt(pmax(diag(search_local(y, co, z)$outer), .Machine$double.eps))
  full <- numeric(4L)
  full[co$free] <- pmin(sd, c(0.3, 0.5, 0.5, 10)[co$free])
  full
}

# The same from the Hessian, where that has the right sign.
hessian_sd <- function(information, sd, co) {
  better <- 1 / sqrt(pmax(diag(information), .Machine$double.eps))
  full <- numeric(4L)
  full[co$free] <- pmin(better, 3 * sd[co$free])
  full
}

loglik_gradient <- function(y, co, z, sd) {
  if (is_steered(y)) return(local_likelihood(y, co, z)$gradient)
  at <- which(co$free)
  h <- lapply(at, function(j) difference_sides(y, co, j, gradient_step * sd[j]))
  Y <- do.call(rbind, Map(function(j, h) rbind(replace(y, j, y[j] + h[1L]),
                                               replace(y, j, y[j] + h[2L])), at, h))
  value <- matrix(log_likelihoods(Y, co, z), 2L)
  (value[2L, ] - value[1L, ]) / vapply(h, diff, 0)
}

loglik_hessian <- function(y, co, z, sd) {
  h <- vapply(which(co$free), function(j) max(abs(difference_sides(y, co, j, hessian_step * sd[j]))), 0)
  if (is_steered(y - hessian_step * sd)) hessian_by_gradients(y, co, z, h) else hessian_by_values(y, co, z, h)
}

# Differences of the gradient on either side.
hessian_by_gradients <- function(y, co, z, h) {
  at <- which(co$free)
  columns <- vapply(seq_along(at), function(i) {
    ahead <- local_likelihood(replace(y, at[i], y[at[i]] + h[i]), co, z)$gradient
    (ahead - local_likelihood(replace(y, at[i], y[at[i]] - h[i]), co, z)$gradient) / (2 * h[i])
  }, numeric(length(at)))
  columns <- matrix(columns, length(at))
  (columns + t(columns)) / 2
}

# With e_i the i-th step, from values at 0, +-e_i and +-(e_i + e_j).
hessian_by_values <- function(y, co, z, h) {
  at <- which(co$free)
  k <- length(at)
  pair <- which(upper.tri(diag(k)), arr.ind = TRUE)
  one <- diag(h, k)
  two <- one[pair[, 1L], , drop = FALSE] + one[pair[, 2L], , drop = FALSE]
  moves <- rbind(0, one, -one, two, -two)
  Y <- matrix(y, nrow(moves), 4L, byrow = TRUE)
  Y[, at] <- Y[, at] + moves
  value <- log_likelihoods(Y, co, z)
  line <- value[1L + seq_len(k)] - 2 * value[1L] + value[1L + k + seq_len(k)]
  H <- diag(line / h^2, k)
  for (i in seq_len(nrow(pair))) {
    a <- pair[i, 1L]
    b <- pair[i, 2L]
    both <- value[1L + 2L * k + i] + value[1L + 2L * k + nrow(pair) + i] - 2 * value[1L]
    H[a, b] <- H[b, a] <- (both - line[a] - line[b]) / (2 * h[a] * h[b])
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
careful_step <- function(y, step, co, z, f0) {
  for (shrink in 2^-(0:6)) {
    to <- y
    to[co$free] <- y[co$free] + shrink * step
    if (any(co$free & (to <= co$lower | to >= co$upper))) next
    value <- steering_likelihood(to, co, z)
    if (value >= f0 - slack(to, f0, z)) return(list(y = to, loglik = value))
  }
  NULL
}

# What the log-likelihood may be off by.
slack <- function(y, f0, z) if (is_steered(y)) 2e-9 * length(z) else 1e-12 * (1 + abs(f0))

finish <- function(top, z, fixed, se) {
  theta <- y_to_theta(top$y, top$co)
  out <- list(theta = theta, loglik = top$loglik, active = top$active, se = se,
              convergence = list(code = top$code, message = top$message,
                                 iterations = top$iterations, gradient = top$gradient))
  if (top$co$pm == 1L && !top$co$free[4L])
    out$notes <- paste("The density's spike is narrower than the gaps between observations: delta",
                       "is placed beside the densest of them, without standard error.")
  cov <- matrix(0, 4L, 4L, dimnames = list(fit_parameters, fit_parameters))
  root <- if (any(top$move)) tryCatch(chol(top$information), error = function(e) NULL)
  if (!se || is.null(root)) {
    out$cov <- cov * NA
    if (se && any(top$move))
      out$notes <- c(out$notes, paste("The observed information is not positive definite:",
                                      "no standard errors."))
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
