# Standard errors against closed forms and against simulated samples.

test_that("the covariance for Cauchy data is the inverse of the observed information", {
  x <- fit_sample_of(400, 1, 0, 2, -1)
  fit <- stablefit(x, fixed = list(alpha = 1, beta = 0))
  g <- coef(fit)[["gamma"]]
  u <- x - coef(fit)[["delta"]]
  r <- g^2 + u^2
  information <- matrix(c(
    sum(1 / g^2 + 2 * (u^2 - g^2) / r^2), sum(4 * g * u / r^2),
    sum(4 * g * u / r^2), sum(2 * (g^2 - u^2) / r^2)), 2)
  expect_equal(unname(vcov(fit, complete = FALSE)), solve(information), tolerance = 1e-5)
  # close to the inverse of the expected information, which is n / (2 gamma^2) for both
  expect_equal(unname(diag(vcov(fit))[3:4]), rep(2 * g^2 / 400, 2), tolerance = 0.2)
})

test_that("Gaussian data give alpha = 2, an unidentified beta, and the normal standard errors", {
  set.seed(11)
  x <- rnorm(500, 3, 2)
  fit <- stablefit(x)
  expect_identical(coef(fit)[["alpha"]], 2)
  expect_true(is.na(coef(fit)[["beta"]]))
  sd <- sqrt(mean((x - mean(x))^2))
  expect_equal(coef(fit)[["gamma"]], sd / sqrt(2), tolerance = 1e-10)
  expect_equal(coef(fit)[["delta"]], mean(x), tolerance = 1e-10)
  expect_equal(unname(diag(vcov(fit))), c(NA, NA, sd^2 / 4 / 500, sd^2 / 500), tolerance = 1e-8)
  expect_equal(as.numeric(logLik(fit)), sum(dnorm(x, mean(x), sd, log = TRUE)), tolerance = 1e-10)
  expect_match(fit$notes, "not identified", all = FALSE)
})

test_that("a fit with alpha = 2 fixed is the normal model", {
  x <- fit_sample_of(100, 1.5, 0)
  fit <- stablefit(x, fixed = list(alpha = 2))
  m <- lm(x ~ 1)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(m)), tolerance = 1e-10)
  expect_equal(AIC(fit), AIC(m), tolerance = 1e-10)
})

test_that("standard errors agree with the spread of estimates, and intervals with their level", {
  truth <- list(alpha = 1.4, beta = 0.3, gamma = 1, delta = 0)
  fits <- lapply(1:60, function(seed)
    stablefit(do.call(fit_sample_of, c(n = 250, truth, seed = seed))))
  z <- vapply(fits, z_scores, numeric(4), case = truth)
  spread <- sqrt(rowMeans(z^2))
  expect_true(all(spread > 0.75 & spread < 1.3), label = paste(format(spread), collapse = " "))
  covered <- vapply(fits, function(fit) {
    ci <- confint(fit)
    mean(ci[, 1] <= unlist(truth) & unlist(truth) <= ci[, 2])
  }, 0)
  expect_gt(mean(covered), 0.92)              # intervals with 90% coverage would fail
  expect_lt(mean(covered), 0.985)
})

test_that("standard errors of quantile estimates agree with their spread", {
  truth <- list(alpha = 1.4, beta = 0.3, gamma = 1, delta = 0)
  z <- vapply(1:80, function(seed) {
    z_scores(stablefit(do.call(fit_sample_of, c(n = 500, truth, seed = seed)), "quantile"), truth)
  }, numeric(4))
  spread <- sqrt(rowMeans(z^2))
  expect_true(all(spread > 0.75 & spread < 1.3), label = paste(format(spread), collapse = " "))
})

test_that("parametrisations transform estimates and covariance", {
  x <- fit_sample_of(400, 1.5, 0.5, 2, 3)
  fits <- lapply(0:2, function(pm) stablefit(x, pm = pm))
  for (pm in 1:2) {
    est <- unlist(stable_convert(coef(fits[[1]])[[1]], coef(fits[[1]])[[2]], coef(fits[[1]])[[3]],
                                 coef(fits[[1]])[[4]], from = 0, to = pm))
    expect_equal(coef(fits[[pm + 1]]), est, tolerance = 1e-9)
    expect_identical(logLik(fits[[pm + 1]]), logLik(fits[[1]]))
    expect_equal(vcov(fits[[pm + 1]])[1:2, 1:2], vcov(fits[[1]])[1:2, 1:2], tolerance = 1e-9)
  }
  # S1: delta1 = delta0 - beta gamma tan(pi alpha/2)
  p <- as.list(coef(fits[[1]]))
  t <- tan(pi * p$alpha / 2)
  g <- c(-p$beta * p$gamma * pi / 2 * (1 + t^2), -p$gamma * t, -p$beta * t, 1)
  expect_equal(vcov(fits[[2]])[4, 4], drop(t(g) %*% vcov(fits[[1]]) %*% g), tolerance = 1e-6)
})

test_that("S1 at alpha = 1 uses its logarithmic shift", {
  x <- fit_sample_of(300, 1, 0.5, 3, 0)
  s0 <- stablefit(x, fixed = list(alpha = 1))
  s1 <- stablefit(x, fixed = list(alpha = 1), pm = 1)
  at <- function(pm, p) sum(dstable(x, 1, p[[2]], p[[3]], p[[4]], pm = pm, log = TRUE))
  expect_equal(at(1, coef(s1)), at(0, coef(s0)), tolerance = 1e-12)
  p <- as.list(coef(s0))
  g <- c(-p$gamma * log(p$gamma), -p$beta * (log(p$gamma) + 1), pi / 2) * 2 / pi
  V <- vcov(s0, complete = FALSE)
  expect_equal(vcov(s1)["delta", "delta"], drop(t(g) %*% V %*% g), tolerance = 1e-10)
})

test_that("fixed parameters keep their values and count as known", {
  x <- fit_sample_of(300, 1.5, 0.2, 2, 1)
  free <- stablefit(x)
  fit <- stablefit(x, fixed = list(beta = 0, delta = 1))
  expect_identical(coef(fit)[c("beta", "delta")], c(beta = 0, delta = 1))
  expect_true(all(is.na(vcov(fit)[c("beta", "delta"), ])))
  expect_identical(dim(vcov(fit, complete = FALSE)), c(2L, 2L))
  expect_identical(attr(logLik(fit), "df"), 2L)
  expect_lt(as.numeric(logLik(fit)), as.numeric(logLik(free)))
  expect_lt(vcov(fit)["alpha", "alpha"], vcov(free)["alpha", "alpha"])
})
