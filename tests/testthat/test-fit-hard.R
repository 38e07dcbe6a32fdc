# The highest maximum, where it is hard to find; bench/fit-hard.R does more of it.

test_that("no optimisation from a random start climbs higher", {
  for (kind in names(hard_kinds)) for (seed in 1:4) {
    x <- hard_sample(kind, seed)
    fit <- suppressWarnings(stablefit(x, control = list(alpha.min = hard_least_alpha)))
    expect_gt(as.numeric(logLik(fit)) - best_of_random_starts(x, 6, seed)$loglik, -1e-6, label = paste(kind, seed))
  }
})
