# Covariances of fits under dependence, through package sandwich.

test_that("scores sum to 0 at the estimate, in the order of the data and every parametrisation", {
  x <- fit_sample_of(300, 1.6, 0.4, 2, 3)
  for (pm in 0:2) {
    fit <- stablefit(x, pm = pm)
    score <- stablecl:::estfun.stablefit(fit)
    expect_identical(dim(score), c(300L, 4L))
    sd <- sqrt(diag(vcov(fit)))
    expect_lt(max(abs(colSums(score) * sd)), 1e-3)
    h <- 1e-5
    p <- coef(fit)
    log_density <- function(p) dstable(x, p[[1]], p[[2]], p[[3]], p[[4]], pm = pm, log = TRUE)
    numerical <- (log_density(p + c(0, 0, h, 0)) - log_density(p - c(0, 0, h, 0))) / (2 * h)
    expect_equal(score[, "gamma"], numerical, tolerance = 1e-6)
    expect_equal(stablecl:::bread.stablefit(fit), 300 * vcov(fit))
  }
  held <- stablefit(x, fixed = list(beta = 0))
  expect_identical(colnames(stablecl:::estfun.stablefit(held)), c("alpha", "gamma", "delta"))
})

test_that("package sandwich computes covariances, which agree with the information for independent observations", {
  skip_if_not_installed("sandwich")
  fit <- stablefit(fit_sample_of(4000, 1.6, 0.4))
  ratio <- sqrt(diag(sandwich::sandwich(fit)) / diag(vcov(fit)))
  expect_true(all(abs(ratio - 1) < 0.1))
})

test_that("the covariance under dependence is that of the scores between inverses of the information", {
  fit <- stablefit(fit_sample_of(4000, 1.6, 0.4))
  V <- vcov(fit, type = "HAC")
  expect_true(all(abs(sqrt(diag(V) / diag(vcov(fit))) - 1) < 0.15))
  outer <- stablecl:::long_run_covariance(stablecl:::estfun.stablefit(fit))
  expect_equal(V, vcov(fit) %*% outer %*% vcov(fit))
  held <- stablefit(fit$data, fixed = list(beta = 0))
  V <- vcov(held, type = "HAC")
  outer <- stablecl:::long_run_covariance(stablecl:::estfun.stablefit(held))
  expect_true(all(is.na(V["beta", ])))
  expect_equal(V[-2, -2], vcov(held, FALSE) %*% outer %*% vcov(held, FALSE))
  expect_identical(dim(vcov(held, FALSE, "HAC")), c(3L, 3L))
  expect_error(vcov(fit, type = "HAC", prewhite = 1), class = "stablecl_error_argument")
})

test_that("intervals under dependence are Wald's with that covariance, in every parametrisation", {
  x <- fit_sample_of(1000, 1.6, 0.4, 2, 3)
  x <- x[order(floor(seq_along(x) / 100), abs(x - 3))]      # small and large values alternate in runs
  fit <- stablefit(x)
  reach <- qnorm(0.975) * sqrt(diag(vcov(fit, type = "HAC")))
  ci <- confint(fit, method = "HAC")
  expect_equal(ci["delta", ], coef(fit)[["delta"]] + c(-1, 1) * reach[["delta"]], ignore_attr = TRUE)
  expect_equal(ci["gamma", ], coef(fit)[["gamma"]] * exp(c(-1, 1) * reach[["gamma"]] / coef(fit)[["gamma"]]),
               ignore_attr = TRUE)
  expect_gt(diff(ci["gamma", ]), 1.3 * diff(confint(fit)["gamma", ]))
  band <- function(fit) predict(fit, 0.01, interval = "confidence", method = "HAC")
  other <- stablefit(x, pm = 1)
  expect_equal(confint(other, "delta", method = "HAC")[1, ],
               coef(other)[["delta"]] + c(-1, 1) * qnorm(0.975) * sqrt(vcov(other, type = "HAC")[4, 4]),
               ignore_attr = TRUE)
  expect_equal(band(other), band(fit), tolerance = 1e-3)
  g <- predict(fit, 0.01, se.fit = TRUE, method = "HAC")$se.fit
  expect_gt(g, 1.3 * predict(fit, 0.01, se.fit = TRUE)$se.fit)
})

test_that("standard errors under dependence are larger where observations repeat, and in groups", {
  skip_if_not_installed("sandwich")
  x <- fit_sample_of(500, 1.7, 0)
  fit <- stablefit(rep(x, each = 4) + rnorm(2000, sd = 1e-9))
  ratio <- sqrt(diag(sandwich::vcovCL(fit, rep(1:500, each = 4))) / diag(vcov(fit)))
  expect_true(all(abs(ratio - 2) < 0.3))                        # a quarter of the observations count
  ratio <- sqrt(diag(vcov(fit, type = "HAC")) / diag(vcov(fit)))
  expect_true(all(ratio > 1.6 & ratio < 2.7))
})

test_that("fits without scores are refused", {
  skip_if_not_installed("sandwich")
  x <- fit_sample_of(100, 1.6, 0.4)
  refused <- list(stablefit(x, "quantile"), stablefit(x, weights = rep(2, 100)), stablefit(x, se = FALSE),
                  stable_lm(dist ~ speed, cars, rounding = 1))
  for (fit in refused) {
    expect_error(vcov(fit, type = "HAC"), class = "stablecl_error_argument")
    expect_error(sandwich::estfun(fit), class = "stablecl_error_argument")
    expect_error(sandwich::bread(fit), class = "stablecl_error_argument")
  }
})

test_that("the scores of a regression have the outer product that White's covariance needs", {
  set.seed(6)
  d <- data.frame(x = rnorm(400), z = rnorm(400))
  d$y <- 1 + d$x + rstable(400, 1.6, 0.2, exp(0.4 * d$z))
  fit <- stable_lm(y ~ x, d, scale = ~ z)
  scores <- sandwich::estfun(fit)
  expect_identical(colnames(scores), names(coef(fit)))
  expect_lt(max(abs(colSums(scores)) * sqrt(diag(vcov(fit)))), 1e-4)
  expect_equal(sqrt(diag(sandwich::sandwich(fit))), sqrt(diag(vcov(fit))), tolerance = 0.25)
})

test_that("equal weights leave robust covariances of regressions unchanged", {
  skip_if_not_installed("sandwich")
  set.seed(5)
  d <- data.frame(x = rnorm(100))
  d$y <- 1 + 2 * d$x + rstable(100, 1.7, 0)
  plain <- stable_lm(y ~ x, d)
  doubled <- stable_lm(y ~ x, d, weights = rep(2, 100))
  outer <- crossprod(sandwich::estfun(doubled))
  expect_equal(sandwich::sandwich(doubled), vcov(doubled) %*% outer %*% vcov(doubled), ignore_attr = TRUE)
  # the observed information is computed by differences, whose steps depend on the sum of the weights
  expect_equal(sandwich::sandwich(doubled), sandwich::sandwich(plain), tolerance = 0.01)
  group <- rep(1:20, 5)
  expect_equal(sandwich::vcovCL(doubled, group), sandwich::vcovCL(plain, group), tolerance = 0.01)
  expect_equal(sandwich::bread(doubled), 100 * vcov(doubled))
})

test_that("vcovHC() of a fit states what to use", {
  skip_if_not_installed("sandwich")
  for (fit in list(stable_lm(dist ~ speed, cars), stablefit(fit_sample_of(60, 1.6, 0.2))))
    expect_error(sandwich::vcovHC(fit), "has no hat values.*sandwich::sandwich", class = "stablecl_error_argument")
})

test_that("the reason why a fit has no covariance is stated", {
  x <- fit_sample_of(60, 1.6, 0.2)
  held <- list(alpha = 1.5, beta = 0, gamma = 1, delta = 0)
  expect_error(vcov(stablefit(x, fixed = held), type = "HAC"), "all parameters are held fixed",
               class = "stablecl_error_argument")
  expect_error(sandwich::estfun(stablefit(x, se = FALSE)), "refit it with se = TRUE", class = "stablecl_error_argument")
})
