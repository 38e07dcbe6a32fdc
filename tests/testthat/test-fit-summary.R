# Notes of summary() about unreliable estimates.

said_of <- function(fit) gsub(" +", " ", paste(capture.output(print(summary(fit))), collapse = " "))

test_that("the summary of an ordinary fit has no notes", {
  fit <- stablefit(fit_sample_of(500, 1.4, 0.2))
  expect_length(summary(fit)$notes, 0)
})

test_that("summary() reports a search that stopped early", {
  # simulates an optimisation that reached its iteration limit
  fit <- stablefit(fit_sample_of(200, 1.4, 0.2))
  fit$convergence$converged <- FALSE
  fit$convergence$message <- "iteration limit reached"
  said <- said_of(fit)
  expect_match(said, "NOT CONVERGED (iteration limit reached)", fixed = TRUE)
  expect_match(said, "NOT converged", fixed = TRUE)
})

test_that("summary() reports estimates at bounds and intervals that reach them", {
  near <- stablefit(fit_sample_of(60, 1.93, 0, seed = 5))
  skip_if(near$theta[["alpha"]] == 2)
  expect_match(said_of(near), "interval of alpha reaches its bound 2")
  set.seed(3)
  normal <- stablefit(rnorm(200))
  expect_match(said_of(normal), "alpha is at its bound 2")
  expect_no_match(said_of(normal), "reaches its bound")
})

test_that("summary() reports that beta is undetermined", {
  vague <- stablefit(fit_sample_of(80, 1.9, 0, seed = 12))
  covers <- identical(unname(confint(vague)["beta", ]), c(-1, 1))
  expect_true(covers)
  expect_match(said_of(vague), "almost no information about beta")
})

test_that("summary() reports a flat direction and its parameters", {
  fit <- stablefit(fit_sample_of(300, 1.4, 0.2))
  V <- fit$theta.vcov
  V[1, 3] <- V[3, 1] <- 0.995 * sqrt(V[1, 1] * V[3, 3])
  fit$theta.vcov <- V
  expect_match(said_of(fit), "flat along a combination of alpha and gamma: their estimates have correlation 0.995")
})
