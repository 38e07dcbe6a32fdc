# Maximisation of a log-likelihood in a vector v of parameters within bounds, for likelihoods written in R: Fisher
# scoring with the outer products of the scores, then Newton steps with the true Hessian.  `scores` is a function of v
# that returns the log-likelihood, its gradient and the scores of the observations, a row for each.

# Next to a distribution without a density at some observations, such as one with gamma = 0, scores may be so large that
# sums of their products overflow.  A step uses products of two such sums.  Where these could overflow for 1e12
# observations, the log-likelihood is taken as -Inf, so that the search takes a shorter step.
largest_score <- .Machine$double.xmax^0.25 / 1e6

# Returns a function like `scores` whose log-likelihood is -Inf where scores are larger than largest_score.
bounded_scores <- function(scores) {
  force(scores)                        # the caller may assign the result to the variable that the promise reads
  function(v) {
    s <- scores(v)
    if (isTRUE(max(abs(range(s$score))) <= largest_score)) return(s)
    list(value = -Inf, gradient = numeric(length(v)), score = matrix(0, nrow(s$score), length(v)))
  }
}

# Returns the end of a search by nlminb() from v.  Its log-likelihood is -Inf if the search leaves the range of numbers.
maximise_likelihood <- function(v, scores, n, lower, upper, control) {
  local <- cache_scores(bounded_scores(scores))
  objective <- function(v) if (is.finite(local(v)$value)) -local(v)$value / n else Inf
  out <- stats::nlminb(v, objective, function(v) -local(v)$gradient / n,
                       function(v) crossprod(local(v)$score) / n + diag(1e-8, length(v)), lower = lower, upper = upper,
                       control = list(iter.max = control$maxit, eval.max = 3L * control$maxit, rel.tol = control$tol))
  failed <- !all(is.finite(c(out$par, out$objective)))
  list(v = if (failed) v else out$par, loglik = if (failed) -Inf else -n * out$objective, code = out$convergence,
       message = out$message, iterations = out$iterations)
}

# Returns the end of a search without free parameters.
nothing_to_estimate <- function(v, loglik)
  list(v = v, loglik = loglik, code = 0L, message = "nothing to estimate", iterations = 0L, free = logical(),
       cov = matrix(0, 0L, 0L), gradient = numeric())

# Caches the last evaluation of f, as nlminb() requests value, gradient and Hessian at a point in separate calls.
cache_scores <- function(f) {
  at <- value <- NULL
  function(v) {
    if (!identical(v, at)) {
      value <<- f(v)
      at <<- v
    }
    value
  }
}

# Decrease of the log-likelihood up to which a parameter next to a bound is moved to it.  It may be much larger: unlike
# a distribution with alpha slightly below 2, a normal one has no tails that contain remote values.
largest_loss <- 1e-4

# Applies Newton steps to the parameters that are not at a bound, and computes the observed information.  alpha, beta:
# numbers of the elements of v, of length 0 if they are not among them.  is_allowed: whether a step may lead to v.
polish_likelihood <- function(maximum, scores, n, lower, upper, alpha, beta, is_allowed = function(v) TRUE) {
  snap <- abs(maximum$v - lower) < 1e-5 | abs(maximum$v - upper) < 1e-5
  at_bounds <- replace(maximum$v, snap, ifelse(abs(maximum$v - lower) < 1e-5, lower, upper)[snap])
  if (any(snap) && isTRUE(scores(at_bounds)$value < scores(maximum$v)$value - largest_loss)) snap[] <- FALSE
  else maximum$v <- at_bounds
  if (identical(maximum$v[alpha], 2)) snap[beta] <- TRUE               # beta has no effect
  free <- !snap
  if (!any(free)) return(utils::modifyList(maximum, list(cov = matrix(0, 0L, 0L), gradient = numeric(), free = free)))
  for (round in 1:5) {
    information <- difference_information(maximum$v, free, scores, lower, upper)
    gradient <- scores(maximum$v)$gradient[free]
    root <- value_or(chol(information), function(e) NULL)
    if (is.null(root)) break
    step <- backsolve(root, backsolve(root, gradient, transpose = TRUE))
    to <- replace(maximum$v, free, maximum$v[free] + step)
    if (max(abs(step) * sqrt(diag(information))) < 1e-6 || any(to <= lower & free) || any(to >= upper & free)) break
    if (!is_allowed(to) || scores(to)$value < maximum$loglik - 2e-9 * n) break
    maximum$v <- to
  }
  maximum$cov <- if (!is.null(root)) chol2inv(root)
  maximum$gradient <- if (!is.null(root)) gradient * sqrt(diag(maximum$cov)) else gradient
  maximum$free <- free
  maximum
}

# Returns minus the Hessian by central differences of the gradient, with steps of a twentieth of a standard error.
#
# The standard errors come from the products of the scores, sum s_i^2.  In the model these are the information, but for
# few bins, whose counts no distribution of the family has, they may be much smaller, even 0: with counts 20, 0 and 20
# all scores are 0 at the maximum.  The units are such that one observation is informative: no standard error is taken
# to be more than 1.  A column whose own diagonal element states a much smaller one is computed again with that.
difference_information <- function(v, free, scores, lower, upper) {
  column <- function(j, sd) {
    h <- min(0.05 * sd, (v[j] - lower[j]) / 2, (upper[j] - v[j]) / 2)
    side <- function(s) scores(replace(v, j, v[j] + s))$gradient[free]
    (side(-h) - side(h)) / (2 * h)
  }
  at <- which(free)
  sd <- pmin(1, 1 / sqrt(colSums(scores(v)$score^2)))
  columns <- vapply(seq_along(at), function(k) {
    own <- column(at[k], sd[at[k]])
    again <- 1 / sqrt(max(own[k], 0))
    if (isTRUE(again < sd[at[k]] / 4)) column(at[k], again) else own
  }, numeric(length(at)))
  columns <- matrix(columns, length(at))
  (columns + t(columns)) / 2
}
