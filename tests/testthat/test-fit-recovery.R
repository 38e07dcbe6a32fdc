# Estimates are close to the true parameters and maximise the likelihood.

test_that("maximum likelihood recovers the true parameters", {
  for (case in fit_cases()) {
    x <- do.call(fit_sample_of, c(n = 1000, case))
    fit <- stablefit(x)
    expect_true(fit$convergence$converged, label = label_of(case))
    expect_lt(max(abs(z_scores(fit, case))), 4, label = label_of(case))
    expect_gte(as.numeric(logLik(fit)), loglik_at(x, unlist(case)), label = label_of(case))
  }
})

test_that("logLik() is the log-likelihood of the data at the estimates", {
  for (case in fit_cases()[c(1, 3, 6)]) {
    x <- do.call(fit_sample_of, c(n = 300, case))
    for (method in c("mle", "quantile")) {
      fit <- stablefit(x, method)
      expect_equal(as.numeric(logLik(fit)), loglik_at(x, coef(fit)), tolerance = 1e-9,
                   label = paste(method, label_of(case)))
    }
  }
})

test_that("the score is zero at an interior maximum", {
  for (case in fit_cases()[c(1, 3, 5)]) {
    x <- do.call(fit_sample_of, c(n = 500, case))
    fit <- stablefit(x)
    theta <- coef(fit)
    sd <- sqrt(diag(vcov(fit)))
    for (j in 1:4) {
      h <- 1e-3 * sd[[j]] * (seq_along(theta) == j)
      slope <- (loglik_at(x, theta + h) - loglik_at(x, theta - h)) / (2e-3)
      expect_lt(abs(slope), 1e-4, label = paste(names(theta)[j], label_of(case)))
    }
  }
})

test_that("the location does not diverge when alpha is close to 1", {
  x <- fit_sample_of(1000, 1, 0.5, 3, 0)
  for (method in c("mle", "quantile")) {
    est <- coef(stablefit(x, method))
    expect_lt(abs(est[["alpha"]] - 1), 0.15, label = method)
    expect_lt(abs(est[["beta"]] - 0.5), 0.2, label = method)
    expect_lt(abs(est[["gamma"]] - 3), 0.6, label = method)
    expect_lt(abs(est[["delta"]]), 0.6, label = method)
  }
})

test_that("strong skewness does not bias scale and location", {
  est <- coef(stablefit(fit_sample_of(1000, 1.2, -0.9, 2, 10)))
  expect_lt(abs(est[["gamma"]] - 2), 0.3)
  expect_lt(abs(est[["delta"]] - 10), 0.5)
})

test_that("small alpha is estimated, not clipped", {
  for (alpha in c(0.15, 0.3, 0.4, 0.5)) for (beta in c(0, 0.9)) {
    x <- fit_sample_of(1000, alpha, beta)
    quick <- coef(stablefit(x, "quantile"))
    expect_lt(abs(quick[["alpha"]] / alpha - 1), 0.2, label = paste("quantile", alpha, beta))
    expect_lt(abs(quick[["beta"]] - beta), 0.25, label = paste("quantile", alpha, beta))
    fit <- stablefit(x)
    expect_lt(abs(coef(fit)[["alpha"]] / alpha - 1), 0.12, label = paste("mle", alpha, beta))
    expect_lt(abs(coef(fit)[["beta"]] - beta), 0.12, label = paste("mle", alpha, beta))
  }
})

test_that("fits with a narrow peak at zeta converge to its maximum", {
  for (seed in 1:4) {
    x <- fit_sample_of(1000, 0.25, 0.5, seed = seed)
    fit <- stablefit(x)
    expect_true(fit$convergence$converged, label = paste("seed", seed))
    expect_gte(as.numeric(logLik(fit)), loglik_at(x, c(0.25, 0.5, 1, 0)))
    expect_true(all(is.finite(vcov(fit))), label = paste("seed", seed))
  }
})

test_that("quantile estimates reproduce the quantiles that they match", {
  x <- fit_sample_of(400, 1.3, 0.4, 2, 5)
  q <- quantile(x, c(0.05, 0.25, 0.5, 0.75, 0.95), type = 5)
  for (beta in c(NA, -0.5, 0.5)) {
    fixed <- if (is.na(beta)) list() else list(beta = beta)
    fitted <- predict(stablefit(x, "quantile", fixed = fixed), c(0.05, 0.25, 0.5, 0.75, 0.95))
    expect_equal(fitted[[3]], q[[3]], tolerance = 1e-3, label = paste("beta", beta))
    expect_equal(fitted[[4]] - fitted[[2]], q[[4]] - q[[2]], tolerance = 2e-3,
                 label = paste("beta", beta))
    expect_equal(fitted[[5]] - fitted[[1]], q[[5]] - q[[1]], tolerance = 1e-2,
                 label = paste("beta", beta))
  }
})

test_that("a one-sided distribution with alpha < 1 is estimated despite the bound of its support", {
  x <- fit_sample_of(500, 0.5, 1, 1, 0)
  fit <- stablefit(x, fixed = list(alpha = 0.5, beta = 1))
  # the Levy density in S1, where delta is the bound of the support
  levy <- function(p) {
    away <- x - min(x) + exp(p[2])
    -sum(0.5 * (p[1] - log(2 * pi)) - 1.5 * log(away) - exp(p[1]) / (2 * away))
  }
  best <- optim(c(0, -2), levy, control = list(reltol = 1e-14, maxit = 5000))
  gamma <- exp(best$par[1])
  edge <- min(x) - exp(best$par[2])
  expect_equal(as.numeric(logLik(fit)), -best$value, tolerance = 1e-8)
  expect_equal(coef(fit)[["gamma"]], gamma, tolerance = 1e-4)
  expect_equal(coef(fit)[["delta"]], edge + gamma, tolerance = 1e-4)
})

test_that("an outlier keeps its weight in the likelihood", {
  x <- c(fit_sample_of(300, 1.7, 0), 1e8)
  fit <- stablefit(x)
  expect_equal(as.numeric(logLik(fit)), loglik_at(x, coef(fit)), tolerance = 1e-9)
  expect_lt(coef(fit)[["alpha"]], 1.7)
  expect_gt(coef(fit)[["alpha"]], 1)
})
