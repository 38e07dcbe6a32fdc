# The global maximum of difficult likelihoods; bench/fit-hard.R tests more of them.

expect_highest <- function(kind, seed, starts) {
  x <- hard_sample(kind, seed)
  fit <- suppressWarnings(stablefit(x, control = list(alpha.min = hard_least_alpha)))
  expect_gt(as.numeric(logLik(fit)) - best_of_random_starts(x, starts, seed)$loglik, -1e-6, label = paste(kind, seed))
}

test_that("no optimisation from a random start finds a higher likelihood", {
  skip_on_cran()                        # computes many fits
  for (kind in names(hard_kinds)) for (seed in 1:4) expect_highest(kind, seed, 6)
})

# Found by bench/fit-hard.R: the maximum is at the smallest alpha, with a narrow peak close to two data values.
test_that("the maximum may be at the smallest alpha allowed", {
  fit <- stablefit(hard_sample("few", 50), control = list(alpha.min = hard_least_alpha))
  expect_identical(coef(fit)[["alpha"]], hard_least_alpha)
  expect_gt(as.numeric(logLik(fit)), -39.59404)
  expect_false(any(grepl("narrower", fit$notes)))
})
