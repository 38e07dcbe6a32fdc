# Bootstrap samples of series for confint() and predict(): blocks, and samples from a function.

positions <- function(...) stablecl:::block_positions(...)

test_that("blocks are runs of consecutive positions with geometric lengths", {
  set.seed(1)
  at <- replicate(200, positions(500, 20))
  follows <- (at[-1, ] - at[-500, ]) %% 500 == 1
  expect_equal(mean(!follows), 1 / 20 * (1 - 1 / 500), tolerance = 0.05)
  ends <- apply(!follows, 2, which)
  lengths <- unlist(lapply(ends, diff))
  expect_equal(mean(lengths == 1), 1 / 20, tolerance = 0.3)
  expect_gt(stats::sd(lengths), 15)                         # a geometric distribution: sd about equal to the mean
  expect_true(all(table(at) > 100))                         # every position is as likely as any other
  expect_setequal(positions(40, 1e9), 1:40)                 # one block, which continues at the beginning
})

test_that("intervals are the quantiles of the estimates of blocks of the data", {
  set.seed(2)
  x <- rstable(300, 1.6, 0.3)
  fit <- stablefit(x)
  ci <- confint(fit, method = "bootstrap", block = 10, R = 39, seed = 3)
  set.seed(3)
  samples <- replicate(39, x[positions(300, 10)], simplify = FALSE)
  estimates <- coef(stablefit(samples))
  by_hand <- t(apply(estimates, 2, quantile, c(0.025, 0.975), type = 6))
  expect_equal(unclass(ci), by_hand, tolerance = 1e-6, ignore_attr = TRUE)
  expect_identical(ci, confint(fit, method = "bootstrap", block = 10, R = 39, seed = 3))
  q <- predict(fit, 0.01, interval = "confidence", method = "bootstrap", block = 10, R = 39, seed = 3)
  expect_equal(q[, c("lwr", "upr")],
               quantile(qstable(0.01, estimates[, 1], estimates[, 2], estimates[, 3], estimates[, 4]), c(0.025, 0.975),
                        type = 6),
               tolerance = 1e-5, ignore_attr = TRUE)
})

test_that("blocks of a series with a changing scale give wider intervals, those of independent values do not", {
  width <- function(ci) log(ci["gamma", 2] / ci["gamma", 1])
  both <- function(x) {
    fit <- stablefit(x)
    c(block = width(confint(fit, "gamma", method = "bootstrap", block = 50, R = 99, seed = 1)),
      parametric = width(confint(fit, "gamma", method = "bootstrap", R = 99, seed = 1)))
  }
  set.seed(4)
  z <- rstable(2000, 1.8, 0)
  scale <- exp(as.vector(stats::filter(rnorm(2000, sd = 0.15), 0.97, "recursive")))
  w <- both(scale * z)
  expect_gt(w[["block"]], 2 * w[["parametric"]])
  w <- both(z)
  expect_equal(w[["block"]], w[["parametric"]], tolerance = 0.35)
})

test_that("intervals are the quantiles of the estimates of simulated series", {
  set.seed(6)
  fit <- stablefit(rstable(200, 1.6, 0.3))
  lengths <- NULL
  simulate <- function(n) {
    lengths <<- c(lengths, n)
    rep(rstable(n / 2, 1.5, 0, 3), each = 2) + rnorm(n, sd = 0.1)
  }
  ci <- confint(fit, method = "bootstrap", simulate = simulate, R = 39, seed = 3)
  expect_identical(lengths, rep(200L, 39))
  set.seed(3)
  estimates <- coef(stablefit(replicate(39, simulate(200), simplify = FALSE)))
  expect_equal(unclass(ci), t(apply(estimates, 2, quantile, c(0.025, 0.975), type = 6)), tolerance = 1e-6,
               ignore_attr = TRUE)
  q <- predict(fit, 0.01, interval = "confidence", method = "bootstrap", simulate = simulate, R = 39, seed = 3)
  expect_equal(q[, c("lwr", "upr")],
               quantile(qstable(0.01, estimates[, 1], estimates[, 2], estimates[, 3], estimates[, 4]), c(0.025, 0.975),
                        type = 6),
               tolerance = 1e-5, ignore_attr = TRUE)
})

test_that("invalid functions that simulate series are errors", {
  set.seed(7)
  x <- rstable(100, 1.5, 0)
  fit <- stablefit(x)
  refused <- function(message, ..., method = "bootstrap")
    expect_error(confint(..., method = method), message, class = "stablecl_error_argument")
  refused("requires method = \"bootstrap\", not \"wald\"", fit, simulate = rnorm, method = "wald")
  refused("either `block` or `simulate`", fit, simulate = rnorm, block = 5)
  refused("NULL or a function", fit, simulate = 1)
  refused("neither weighted", stablefit(x, weights = rep(2, 100)), simulate = rnorm)
  for (wrong in list(function(n) rnorm(n - 1), function(n) c(NA, rnorm(n - 1)), function(n) rep(Inf, n), as.character))
    refused("must return 100 finite numbers", fit, simulate = wrong)
  expect_error(predict(fit, 0.1, interval = "confidence", simulate = rnorm), "requires method",
               class = "stablecl_error_argument")
})

test_that("invalid blocks are errors", {
  set.seed(5)
  x <- rstable(100, 1.5, 0)
  fit <- stablefit(x)
  refused <- function(message, ...) expect_error(confint(...), message, class = "stablecl_error_argument")
  refused("requires method = \"bootstrap\", not \"wald\"", fit, block = 10)
  for (block in list(0, 101, NA, "a", c(5, 10), Inf))
    refused("one number from 1 to", fit, method = "bootstrap", block = block)
  refused("neither weighted", stablefit(x, weights = rep(2, 100)), method = "bootstrap", block = 10)
  refused("neither weighted", stablefit(x, truncation = c(-Inf, max(x))), method = "bootstrap", block = 10)
  expect_error(predict(fit, 0.1, interval = "confidence", method = "profile", block = 5), "not \"profile\"",
               class = "stablecl_error_argument")
})
