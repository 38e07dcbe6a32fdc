# The maximum of the likelihood of a regression in which fitted values of alpha are at their lower bound.
#
# If alpha has a formula, this bound is a set of linear constraints A v >= b on the coordinates, one for each different
# row of its model matrix; the bounds of parameters that are constant are further ones.  An active set method (Nocedal
# and Wright 2006, doi:10.1007/978-0-387-40065-5, 16.5) solves the problem: Fisher scoring in the subspace in which
# the constraints of a working set hold with equality.  A constraint joins this set if it limits a step, and leaves it
# if the likelihood increases away from it at the maximum in the subspace.

at_constraint <- 1e-7          # distance from a constraint within which it holds with equality
inside_bound <- 1e-9           # relative distance of fitted values from the bound, more than rounding errors
longest_step <- 3              # in a coordinate; the likelihood is flat where fitted values of alpha are close to 2
near_least_ratio <- 1.02       # ratio of the smallest fitted value to the bound below which a search goes on along it

# Returns the constraints: A, b, and in `of_alpha` which of them are those of alpha.
regression_constraints <- function(model, least, columns) {
  bounds <- regression_bounds(model)
  k <- length(bounds$lower)
  p <- model$predictors$alpha
  offset <- rep_len(offset_of(p), nrow(p$X))
  rows <- which(!duplicated(cbind(p$X, offset)))
  A <- matrix(0, length(rows), k)
  A[, columns$alpha] <- p$Q[rows, ]
  below <- which(is.finite(bounds$lower))
  above <- which(is.finite(bounds$upper))
  list(A = rbind(A, diag(1, k)[below, , drop = FALSE], diag(-1, k)[above, , drop = FALSE]),
       b = c(p$link$link(least * (1 + inside_bound)) - offset[rows], bounds$lower[below], -bounds$upper[above]),
       of_alpha = seq_len(length(rows) + length(below) + length(above)) <= length(rows))
}

# TRUE if alpha has coefficients and a fitted value at the bound or next to it.
is_near_least <- function(v, model, least, columns) {
  p <- model$predictors$alpha
  !p$natural && ncol(p$Q) > 0L && min(parameters_at(v, model, columns)$alpha) < near_least_ratio * least
}

# Returns the numbers of the constraints that hold with equality at v.
active_constraints <- function(v, bound) which(drop(bound$A %*% v) - bound$b < at_constraint)

# Returns an orthonormal basis, as columns, of the steps d with A d = 0.
null_basis <- function(A) {
  k <- ncol(A)
  if (!nrow(A)) return(diag(1, k))
  qr <- qr(t(A))
  qr.Q(qr, complete = TRUE)[, seq_len(k) > qr$rank, drop = FALSE]
}

# Returns the step of Fisher scoring in the subspace with the basis N.
step_along <- function(here, N, n) {
  if (!ncol(N)) return(numeric(nrow(N)))
  information <- crossprod(here$score %*% N) + diag(1e-8 * n, ncol(N))
  step <- drop(N %*% solve(information, crossprod(N, here$gradient)))
  step * min(1, longest_step / max(abs(step)))
}

# Returns the constraint of the working set away from which the likelihood increases most, NULL if there is none.  At a
# maximum in the subspace the gradient is -A' times the multipliers, which at the solution are not negative.
constraint_to_leave <- function(A, active, gradient) {
  if (!length(active)) return(NULL)
  multiplier <- qr.coef(qr(t(A[active, , drop = FALSE])), -gradient)
  multiplier[is.na(multiplier)] <- 0
  if (min(multiplier) < -1e-6 * max(abs(gradient), 1)) active[which.min(multiplier)]
}

# Returns the largest fraction of a step up to 1 within the constraints, and in `at` the one that limits it.
allowed_fraction <- function(v, step, bound, active) {
  towards <- drop(bound$A %*% step)
  room <- pmax(drop(bound$A %*% v) - bound$b, 0) / -towards
  room[towards >= 0] <- Inf
  room[active] <- Inf
  list(share = min(1, room), at = if (min(room) < 1) which.min(room))
}

# Returns the end of a search from v, which the constraints must allow, as maximise_likelihood() does.
maximise_within <- function(v, scores, bound, n, control) {
  end <- function(code, message, round) list(v = v, loglik = here$value, code = code, message = message,
                                             iterations = round)
  scores <- bounded_scores(scores)
  here <- scores(v)
  active <- active_constraints(v, bound)
  for (round in seq_len(control$maxit)) {
    step <- step_along(here, null_basis(bound$A[active, , drop = FALSE]), n)
    if (sum(here$gradient * step) / 2 < max(control$tol, 2e-9 * n)) {
      leaves <- constraint_to_leave(bound$A, active, here$gradient)
      if (is.null(leaves)) return(end(0L, if (any(bound$of_alpha[active])) "maximum subject to the bound of alpha" else
        "the log-likelihood no longer increases", round))
      active <- setdiff(active, leaves)
      next
    }
    limit <- allowed_fraction(v, step, bound, active)
    halvings <- -1L
    repeat {
      halvings <- halvings + 1L
      share <- limit$share / 2^halvings
      there <- if (all(is.finite(v + share * step))) scores(v + share * step) else list(value = -Inf)
      if (is.finite(there$value) && there$value >= here$value) break
      if (halvings == 40L) return(end(1L, "no step increases the log-likelihood", round))
    }
    v <- v + share * step
    here <- there
    if (!halvings) active <- c(active, limit$at)
  }
  end(1L, "iteration limit reached", control$maxit)
}

# Continues the search that ended with `maximum` along the bound of alpha.
maximise_along_bound <- function(maximum, model, control, columns) {
  bound <- regression_constraints(model, control$alpha.min, columns)
  inside <- maximum$v
  lacks <- bound$b - drop(bound$A %*% inside)
  if (any(lacks > at_constraint)) return(maximum)
  least <- control$alpha.min * (1 - inside_bound)
  on <- maximise_within(inside, function(v) regression_scores(v, model, least, columns), bound, total_weight(model),
                        control)
  on$iterations <- maximum$iterations + on$iterations
  if (on$loglik >= maximum$loglik) on else maximum
}

# Applies Newton steps in the subspace in which the active constraints hold with equality, as polish_likelihood() does.
# along: a basis of this subspace; free: the coordinates that vary in it.
polish_along_bound <- function(maximum, model, bound, active, columns) {
  N <- null_basis(bound$A[active, , drop = FALSE])
  at <- maximum$v
  scores <- function(w) {
    s <- regression_scores(at + drop(N %*% w), model, columns = columns)
    list(value = s$value, gradient = drop(crossprod(N, s$gradient)), score = s$score %*% N)
  }
  none <- rep(Inf, ncol(N))
  is_allowed <- function(w) all(bound$A %*% (at + drop(N %*% w)) - bound$b > -at_constraint)
  own <- polish_likelihood(replace(maximum, "v", list(numeric(ncol(N)))), scores, total_weight(model), -none, none,
                           integer(), integer(), is_allowed)
  free <- rowSums(N^2) > 1e-16
  maximum$v <- at + drop(N %*% own$v)
  if (!is.null(own$cov)) maximum$cov <- (N %*% own$cov %*% t(N))[free, free, drop = FALSE]
  maximum[c("gradient", "free", "along")] <- list(own$gradient, free, N)
  maximum
}
