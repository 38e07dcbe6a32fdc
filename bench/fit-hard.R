# bench/fit-hard.R: is the maximum that stablefit() finds the highest one?  Hard data sets (few values, ties, outliers
# at 1e12, alpha below 0.5), each against the best of many optimisations of the exact log-likelihood from random
# starts by an optimiser of R.  Prints a line for each kind and each data set where a higher place was found.
#   Rscript bench/fit-hard.R [data sets of each kind] [random starts]
library(stablecl)
source("tests/testthat/helper-hard.R")
arguments <- as.integer(commandArgs(TRUE))
sets <- if (length(arguments) > 0) arguments[1] else 50L
starts <- if (length(arguments) > 1) arguments[2] else 20L

for (kind in names(hard_kinds)) {
  miss <- vapply(seq_len(sets), function(seed) {
    x <- hard_sample(kind, seed)
    found <- suppressWarnings(stablefit(x, control = list(alpha.min = hard_least_alpha)))
    best <- best_of_random_starts(x, starts, seed)
    miss <- best$loglik - as.numeric(logLik(found))
    if (miss > 1e-6)
      cat(sprintf("%s %d: n = %d, higher by %.2g at (%s) than at (%s)\n", kind, seed, length(x), miss,
                  paste(signif(best$theta, 4), collapse = ", "), paste(signif(coef(found), 4), collapse = ", ")))
    miss
  }, 0)
  cat(sprintf("%s: %d of %d data sets with a higher place, the worst by %.2g\n", kind, sum(miss > 1e-6), sets,
              max(miss)))
}
