# Data sets that are hard to fit, and the best of many optimisations from random starting values.

hard_least_alpha <- 0.3                 # below this, likelihoods of a few values are unbounded

hard_kinds <- list(
  few     = function() rstable(sample(8:40, 1), runif(1, 0.6, 2), runif(1, -1, 1)),
  ties    = function() round(rstable(sample(40:100, 1), runif(1, 1, 2), runif(1, -1, 1), 2), 1),
  outlier = function() c(rstable(sample(30:200, 1), runif(1, 0.7, 2), runif(1, -1, 1)), 1e12 * sample(c(-1, 1), 1)),
  small   = function() rstable(sample(100:400, 1), runif(1, 0.35, 0.5), runif(1, -1, 1))
)

hard_sample <- function(kind, seed) {
  set.seed(seed)
  hard_kinds[[kind]]()
}

# Maximises the exact log-likelihood with nlminb(), in units of the interquartile range.
best_of_random_starts <- function(x, starts, seed) {
  set.seed(seed + 1000)
  q <- stats::quantile(x, c(0.25, 0.5, 0.75))
  scale <- q[[3]] - q[[1]]
  z <- (x - q[[2]]) / scale
  objective <- function(y) {
    value <- -stablecl:::stable_data_loglik(z, y[1], y[2], exp(y[3]), y[4])
    if (is.finite(value)) value else 1e10
  }
  best <- list(objective = Inf)
  for (k in seq_len(starts)) {
    start <- c(runif(1, 0.5, 1.95), runif(1, -0.95, 0.95), rnorm(1, log(0.5), 0.5), rnorm(1, 0, 0.5))
    out <- stats::nlminb(start, objective, lower = c(hard_least_alpha, -1, -10, -Inf), upper = c(2, 1, 10, Inf))
    if (out$objective < best$objective) best <- out
  }
  y <- best$par
  list(theta = c(y[1], y[2], scale * exp(y[3]), q[[2]] + scale * y[4]),
       loglik = -best$objective - length(x) * log(scale))
}
