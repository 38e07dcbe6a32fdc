# The distribution of the likelihood-ratio statistic of the normal law against stable laws, for
# normal samples: writes R/fit-anova-null.R.  Some 50 minutes on one core.
#
#     Rscript data-raw/normal-null.R
#
# The statistic does not depend on the location and the scale of the sample: its null distribution
# is a function of the sample size only, for each of the two alternatives (symmetric laws, all
# stable laws).

library(stablecl)
stable_threads(1)

sizes <- c(10, 20, 50, 100, 200, 500, 1000, 3000, 10000)
draws <- c(rep(5000, 8), 3000)

ratio <- function(x) {
  bell <- sum(dnorm(x, mean(x), sqrt(mean((x - mean(x))^2)), log = TRUE))
  top <- function(...) suppressWarnings(stablefit(x, se = FALSE, ...))$loglik
  2 * (c(symmetric = top(fixed = list(beta = 0)), free = top()) - bell)
}

sample_ratios <- function(n, draws) {
  set.seed(n)
  pmax(0, replicate(draws, ratio(rnorm(n))))
}

