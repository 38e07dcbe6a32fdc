# Profile likelihoods of parameters that depend on alpha and beta: delta of S1, gamma and delta of S2.
#
# Such a parameter is held in its own parametrisation, and the others are free: nlminb() maximises the exact
# log-likelihood, from the parameters at which the last search ended.  For delta of S1 an alternative start keeps the
# location of S0 and adjusts alpha according to
#
#     delta0 - delta1 = beta gamma tan(pi alpha/2),
#
# and the start with the higher likelihood is used.  With beta != 0 the right-hand side takes all values as alpha tends
# to 1 from either side, so that every delta1, however large, belongs to a distribution with alpha close to 1.  The
# deviance then tends to that of alpha = 1, and if the latter is below the quantile the interval is unbounded.

pm_profile_of <- function(object, name, call) {
  log_scale <- name == "gamma"
  check_refit(object, call)
  est <- s0_to_pm(object$theta, object$pm)
  free <- setdiff(fit_parameters, c(name, object$fixed))
  unit <- pm_steps(object, est)
  follows <- name == "delta" && object$pm == 1 && "alpha" %in% free
  search <- pm_search(object, free, unit, object$control$alpha.min)
  last <- est
  root <- function(v) {
    v <- if (log_scale) bounded_exp(v) else v
    best <- search(list(replace(last, name, v), if (follows) with_delta1(last, v)))
    if (!is.finite(best$lacks)) return(Inf)
    last <<- best$par
    root_of_deviance(object$loglik - best$lacks, object, name, v, call)
  }
  list(root = root, est = if (log_scale) log(est[[name]]) else est[[name]], back = if (log_scale) exp else identity,
       step = if (log_scale) unit[[name]] / est[[name]] else unit[[name]], lower = -Inf, upper = Inf,
       simulated_roots = function(v, ...) {
         root(v)
         again <- function(fit) pm_profile_of(fit, name, call)
         simulated_roots(object, pm_to_s0(last, object$pm), again, v, ...)
       },
       limit = side_limits(if (follows && !is_symmetric(object)) deviance_of_one(object, call) else Inf))
}

# TRUE if beta is held at 0, so that delta of S1 is that of S0.
is_symmetric <- function(object) "beta" %in% object$fixed && object$theta[["beta"]] == 0

# Returns the square root of the deviance of alpha = 1, the limit for large delta (S1) and for infinite shortfalls.
deviance_of_one <- function(object, call) {
  if ("alpha" %in% object$fixed) return(Inf)
  fit <- do.call(refit_data, c(list(object), refit_arguments(object, call, fixed = list(alpha = 1), pm = 0)))
  if (is.null(fit)) Inf else sqrt(max(0, 2 * (object$loglik - fit$loglik)))
}

# Returns steps of about one standard error.
pm_steps <- function(object, est) {
  sd <- sqrt(diag(object$vcov))
  gamma <- est[["gamma"]]
  most <- c(alpha = 0.5, beta = 0.5, gamma = 0.5 * gamma, delta = Inf)
  rough <- c(alpha = 0.1, beta = 0.3, gamma = 0.1 * gamma, delta = 0.1 * gamma)
  pmin(ifelse(is.finite(sd), sd, rough), most)
}

# Returns a function of several starts.  It searches for the maximum over the free parameters from the best start, and
# returns its parameters and by how much its log-likelihood is below that of the fit.
pm_search <- function(object, free, unit, least) {
  lower <- c(alpha = least, beta = -1, gamma = 0, delta = -Inf)
  upper <- c(alpha = 2, beta = 1, gamma = Inf, delta = Inf)
  inside <- function(par) replace(par, free, pmin(pmax(par, lower), upper)[free])
  lacks <- function(par) {
    if (par[["gamma"]] <= 0) return(lowest)
    theta <- pm_to_s0(par, object$pm)
    value <- fit_log_likelihood(object, theta)
    if (is.finite(value)) object$loglik - value else lowest
  }
  function(starts) {
    starts <- lapply(Filter(length, starts), inside)
    from <- starts[[which.min(vapply(starts, lacks, 0))]]
    out <- stats::nlminb(from[free] / unit[free], function(y) lacks(replace(from, free, y * unit[free])),
                         lower = lower[free] / unit[free], upper = upper[free] / unit[free],
                         control = list(rel.tol = 1e-10, x.tol = 1e-8, eval.max = 1000, iter.max = 500))
    list(par = replace(from, free, out$par * unit[free]), lacks = if (out$objective < lowest) out$objective else Inf)
  }
}

lowest <- 1e10                         # objective for parameters whose support does not contain all of the data

# Returns parameters whose delta (S1) is v, with delta of S0, beta and gamma those of `last`; NULL if there are none.
with_delta1 <- function(last, v) {
  theta <- pm_to_s0(last, 1)
  alpha <- 2 / pi * atan((theta[["delta"]] - v) / (theta[["beta"]] * theta[["gamma"]]))
  if (is.na(alpha) || alpha == 0) return(NULL)
  replace(last, c("alpha", "delta"), c(if (alpha < 0) alpha + 2 else alpha, v))
}
