# Method "mle2d": the likelihood over (alpha, beta), with scale and location from quantiles.

test_that("the fitted distribution has the interquartile range and the median of the sample", {
  for (case in fit_cases()[c(1, 2, 3, 8)]) {
    x <- do.call(fit_sample_of, c(n = 400, case))
    fit <- stablefit(x, "mle2d")
    q <- quantile(x, c(0.25, 0.5, 0.75), type = 5, names = FALSE)
    fitted <- unname(predict(fit, c(0.25, 0.5, 0.75)))
    expect_equal(fitted[3] - fitted[1], q[3] - q[1], tolerance = 1e-9, label = label_of(case))
    expect_equal(fitted[2], q[2], tolerance = 1e-9 * max(1, case$gamma), label = label_of(case))
  }
})

test_that("no neighbouring shape with the same quantiles has a higher likelihood", {
  x <- fit_sample_of(500, 1.3, 0.4)
  q <- quantile(x, c(0.25, 0.5, 0.75), type = 5, names = FALSE)
  at <- function(alpha, beta) {
    Q <- qstable(c(0.25, 0.5, 0.75), alpha, beta)
    gamma <- (q[3] - q[1]) / (Q[3] - Q[1])
    loglik_at(x, c(alpha, beta, gamma, q[2] - gamma * Q[2]))
  }
  est <- coef(stablefit(x, "mle2d"))
  top <- at(est[[1]], est[[2]])
  h <- 1e-3
  for (step in list(c(h, 0), c(-h, 0), c(0, h), c(0, -h), c(h, h), c(h, -h)))
    expect_lt(at(est[[1]] + step[1], est[[2]] + step[2]), top)
  # opposite neighbours have equal likelihoods, so that this is the maximum
  for (step in list(c(h, 0), c(0, h))) {
    ends <- c(at(est[[1]] + step[1], est[[2]] + step[2]), at(est[[1]] - step[1], est[[2]] - step[2]))
    expect_lt(abs(diff(ends)) / (2 * top - sum(ends)), 0.02)
  }
  expect_lt(top, as.numeric(logLik(stablefit(x))))
})

test_that("standard errors agree with the spread of estimates", {
  for (truth in list(list(alpha = 1.4, beta = 0.3, gamma = 2, delta = 1),
                     list(alpha = 0.8, beta = -0.4, gamma = 1, delta = 0))) {
    z <- vapply(1:100, function(seed)
      z_scores(stablefit(do.call(fit_sample_of, c(n = 500, truth, seed = seed)), "mle2d"), truth), numeric(4))
    spread <- sqrt(rowMeans(z^2))
    expect_true(all(spread > 0.8 & spread < 1.25), label = paste(format(spread), collapse = " "))
  }
})

test_that("the location of a narrow peak is the half-sample mode", {
  for (alpha in c(0.3, 0.45)) {
    fit <- stablefit(fit_sample_of(1000, alpha, 0), "mle2d")
    expect_lt(abs(coef(fit)[["alpha"]] - alpha), 0.04)
    expect_lt(abs(coef(fit)[["delta"]]), 0.05)
    expect_match(fit$notes, "half-sample mode", all = FALSE)
  }
})

test_that("the search reports whether it has converged, as that of method mle", {
  x <- fit_sample_of(500, 1.3, 0.4)
  fit <- expect_no_warning(stablefit(x, "mle2d"))
  expect_identical(fit$convergence[c("code", "message", "converged")],
                   list(code = 0L, message = "the log-likelihood no longer increases", converged = TRUE))
  expect_length(fit$convergence$gradient, 2)
  expect_lt(max(abs(fit$convergence$gradient)), 1e-6)
  expect_match(format(fit), "converged", all = FALSE)

  poor <- list(alpha = 1.9, beta = -0.9)
  short <- function(data) stablefit(data, "mle2d", start = poor, control = list(maxit = 1))
  expect_warning(fit <- short(x), "did not converge (iteration limit reached)", fixed = TRUE,
                 class = "stablecl_warning_convergence")
  expect_identical(fit$convergence[c("code", "iterations", "converged")],
                   list(code = 1L, iterations = 1L, converged = FALSE))
  expect_gt(max(abs(fit$convergence$gradient)), 1e-3)
  expect_match(summary(fit)$notes, "NOT CONVERGED", all = FALSE)
  expect_warning(fits <- short(list(x, x)), "for 2 of 2", class = "stablecl_warning_convergence")
  expect_identical(as.data.frame(fits)$converged, c(FALSE, FALSE))
  expect_identical(as.data.frame(stablefit(list(x, x), "mle2d"))$converged, c(TRUE, TRUE))
})

test_that("at a bound and for held parameters the gradient of the other ones decides on convergence", {
  x <- fit_sample_of(300, 0.8, 1)
  fit <- expect_no_warning(stablefit(x, "mle2d"))
  expect_true(fit$convergence$converged)
  expect_length(stablefit(x, "mle2d", fixed = list(beta = 0.5))$convergence$gradient, 1)
  held <- stablefit(x, "mle2d", fixed = list(alpha = 0.9, beta = 0.5))
  expect_identical(held$convergence$message, "closed form")
  expect_true(held$convergence$converged)
  set.seed(4)
  gaussian <- expect_no_warning(stablefit(rnorm(500), "mle2d"))
  expect_true(gaussian$convergence$converged)
})
