# The highest maximum, where it is hard to find; bench/fit-hard.R does more of it.

expect_highest <- function(kind, seed, starts) {
  x <- hard_sample(kind, seed)
  fit <- suppressWarnings(stablefit(x, control = list(alpha.min = hard_least_alpha)))
  expect_gt(as.numeric(logLik(fit)) - best_of_random_starts(x, starts, seed)$loglik, -1e-6, label = paste(kind, seed))
}

test_that("no optimisation from a random start climbs higher", {
  skip_on_cran()                        # many fits
  for (kind in names(hard_kinds)) for (seed in 1:4) expect_highest(kind, seed, 6)
})

# Found by bench/fit-hard.R: a law of the least alpha whose spike lies beside two close values.
test_that("the least alpha is a place like others", {
  fit <- stablefit(hard_sample("few", 50), control = list(alpha.min = hard_least_alpha))
  expect_identical(coef(fit)[["alpha"]], hard_least_alpha)
  expect_gt(as.numeric(logLik(fit)), -39.59404)
  expect_false(any(grepl("narrower", fit$notes)))
})
