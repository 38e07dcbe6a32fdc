# Confidence intervals: profile likelihood and bootstrap.

interval_fit <- function() stablefit(fit_sample_of(150, 1.5, 0.4, 2, 3))

test_that("at the ends of a profile interval the deviance is the chi-squared quantile", {
  fit <- interval_fit()
  ci <- confint(fit, method = "profile", level = 0.9)
  expect_identical(dimnames(ci), dimnames(confint(fit, level = 0.9)))
  for (name in rownames(ci)) for (end in 1:2) {
    held <- stablefit(fit$data, fixed = setNames(list(ci[name, end]), name), se = FALSE)
    expect_equal(2 * (fit$loglik - held$loglik), qchisq(0.9, 1), tolerance = 1e-4, label = paste(name, end))
  }
  expect_true(all(ci[, 1] < coef(fit) & coef(fit) < ci[, 2]))
})

test_that("profile intervals are equivariant under shifts, scaling and reflection", {
  fit <- interval_fit()
  ci <- confint(fit, method = "profile")
  moved <- confint(stablefit(5 - 3 * fit$data), method = "profile")
  expect_equal(moved["alpha", ], ci["alpha", ], tolerance = 1e-5)
  expect_equal(unname(moved["beta", ]), -unname(ci["beta", 2:1]), tolerance = 1e-5)
  expect_equal(moved["gamma", ], 3 * ci["gamma", ], tolerance = 1e-5)
  expect_equal(unname(moved["delta", ]), 5 - 3 * unname(ci["delta", 2:1]), tolerance = 1e-5)
})

test_that("profile intervals approach Wald intervals in large samples, and respect bounds in small ones", {
  large <- stablefit(fit_sample_of(5000, 1.4, 0.2))
  expect_equal(confint(large, method = "profile"), confint(large), tolerance = 0.01)
  small <- stablefit(fit_sample_of(25, 1.8, 0.9))
  ci <- confint(small, c("alpha", "beta"), method = "profile")
  expect_true(all(ci["alpha", ] >= 0.01 & ci["alpha", ] <= 2))
  expect_identical(ci[["beta", 2]], 1)
})

test_that("the profile interval of an estimate at a bound ends at the bound", {
  set.seed(3)
  normal <- stablefit(rnorm(200))
  expect_identical(normal$theta[["alpha"]], 2)
  ci <- confint(normal, method = "profile")
  expect_identical(ci[["alpha", 2]], 2)
  expect_true(ci[["alpha", 1]] > 1.5 && ci[["alpha", 1]] < 2)
  expect_identical(unname(ci["beta", ]), c(-1, 1))
  # the upper bound of gamma is that of the normal model
  n <- 200
  s <- sqrt(mean((normal$data - mean(normal$data))^2) / 2)
  upper <- uniroot(function(r) 2 * n * log(r) + n * (r^-2 - 1) - qchisq(0.95, 1), c(1, 2))$root
  expect_equal(ci[["gamma", 2]], s * upper, tolerance = 1e-4)
})

test_that("fixed parameters have no interval and stay fixed in the profile", {
  fit <- update(interval_fit(), fixed = list(beta = 0.4))
  ci <- confint(fit, method = "profile")
  expect_identical(is.na(ci[, 1]), c(alpha = FALSE, beta = TRUE, gamma = FALSE, delta = FALSE))
  held <- stablefit(fit$data, fixed = list(beta = 0.4, alpha = ci[["alpha", 1]]), se = FALSE)
  expect_equal(2 * (fit$loglik - held$loglik), qchisq(0.95, 1), tolerance = 1e-4)
  expect_identical(is.na(confint(fit, method = "bootstrap", R = 5, seed = 1)[, 2]), is.na(ci[, 1]))
})

# Returns the highest log-likelihood with parameter j fixed at v in parametrisation pm, found by optim().
highest_held <- function(fit, j, v) {
  free <- setdiff(1:4, j)
  objective <- function(y) {
    p <- replace(rep(v, 4), free, y)
    if (p[1] < 0.1 || p[1] > 2 || abs(p[2]) > 1 || p[3] <= 0) return(1e10)
    -sum(dstable(fit$data, p[1], p[2], p[3], p[4], pm = fit$pm, log = TRUE))
  }
  out <- optim(coef(fit)[free], objective, control = list(reltol = 1e-12, maxit = 2000))
  -optim(out$par, objective, control = list(reltol = 1e-12, maxit = 2000))$value
}

test_that("parameters of S1 and S2 that depend on the shape have profile intervals", {
  fit <- interval_fit()
  for (pm in 1:2) {
    other <- stablefit(fit$data, pm = pm)
    ci <- confint(other, method = "profile")
    same <- if (pm == 1) 1:3 else 1:2
    expect_equal(ci[same, ], confint(fit, same, method = "profile"), tolerance = 1e-5)
    for (j in setdiff(1:4, same)) for (end in 1:2)
      expect_equal(2 * (other$loglik - highest_held(other, j, ci[j, end])), qchisq(0.95, 1), tolerance = 1e-3,
                   label = paste("pm", pm, names(coef(fit))[j], end))
  }
})

test_that("the profile interval of delta in S1 is infinite if alpha may be 1, and that of S0 if beta is fixed at 0", {
  fit <- stablefit(fit_sample_of(200, 1.02, 0.4, 2, 3), pm = 1)
  expect_identical(unname(confint(fit, "delta", method = "profile")[1, ]), c(-Inf, Inf))
  symmetric <- update(fit, fixed = list(beta = 0))
  expect_equal(confint(symmetric, "delta", method = "profile"),
               confint(update(symmetric, pm = 0), "delta", method = "profile"), tolerance = 1e-4)
})

test_that("bootstrap intervals are quantiles of refits to simulated samples", {
  fit <- interval_fit()
  ci <- confint(fit, method = "bootstrap", R = 39, level = 0.9, seed = 8)
  refits <- t(vapply(simulate(fit, 39, seed = 8), function(x) coef(stablefit(x)), coef(fit)))
  expect_equal(ci[, 1], apply(refits, 2, function(v) sort(v)[2]), tolerance = 1e-6)
  expect_equal(ci[, 2], apply(refits, 2, function(v) sort(v)[38]), tolerance = 1e-6)
  expect_identical(attr(ci, "replicates"), c(alpha = 39, beta = 39, gamma = 39, delta = 39))
  basic <- confint(fit, "delta", method = "bootstrap", R = 39, level = 0.9, seed = 8, type = "basic")
  expect_equal(basic[1, 1], 2 * coef(fit)[["delta"]] - ci[["delta", 2]])
})

test_that("a seed reproduces a bootstrap and preserves the random number generator", {
  fit <- interval_fit()
  set.seed(5)
  before <- .Random.seed
  one <- confint(fit, method = "bootstrap", R = 5, seed = 42)
  expect_identical(.Random.seed, before)
  expect_identical(confint(fit, method = "bootstrap", R = 5, seed = 42), one)
  expect_false(identical(confint(fit, method = "bootstrap", R = 5, seed = 43), one))
})

test_that("refits use the control arguments and the method of the fit", {
  limits <- list(alpha.min = 0.4)
  x <- fit_sample_of(40, 0.6, 0)
  fit <- stablefit(x, control = limits)
  expect_gte(confint(fit, "alpha", method = "profile", level = 0.9999)[[1]], 0.4)
  quantile <- stablefit(x, "quantile")
  ci <- confint(quantile, method = "bootstrap", R = 9, seed = 1)
  refits <- vapply(simulate(quantile, 9, seed = 1), function(x) coef(stablefit(x, "quantile"))[["alpha"]], 0)
  expect_equal(range(refits), unname(ci["alpha", ]))
})

test_that("invalid arguments of confint() are errors", {
  fit <- interval_fit()
  refused <- function(words, ...) expect_error(confint(fit, ...), words, class = "stablecl_error_argument")
  refused("`level`", level = 95)
  refused("`level`", level = NA_real_)
  refused("`parm` must contain", "sigma")
  refused("`parm` must contain .*, not 7", 7)
  refused("`R`", method = "bootstrap", R = 0)
  expect_error(confint(fit, method = "magic"), "`method` must be one of", class = "stablecl_error_argument")
  expect_error(confint(stablefit(fit$data, "quantile"), method = "profile"), "method = \"mle\"",
               class = "stablecl_error_argument")
})

test_that("profile intervals have their nominal coverage", {
  set.seed(12)
  inside <- replicate(40, {
    ci <- confint(stablefit(rstable(60, 1.7, 0)), "alpha", level = 0.9, method = "profile")
    ci[1] <= 1.7 && 1.7 <= ci[2]
  })
  expect_gt(mean(inside), 0.76)
  expect_lt(mean(inside), 0.995)
})

test_that("bootstrap intervals of a weighted regression are those of repeated observations", {
  skip_on_cran()
  set.seed(13)
  d <- data.frame(x = rnorm(30), g = gl(2, 15))
  d$y <- d$x + rstable(30, 1.6, 0.2)
  d$w <- rep(c(0, 3, 4), 10)
  for (scale in list(~ 1, ~ g)) {
    weighted <- stable_lm(y ~ poly(x, 2), d, weights = w, scale = scale)
    X <- model.matrix(weighted)[rep(1:30, d$w), -1L]
    repeated <- stable_lm(y ~ X, d[rep(1:30, d$w), ], scale = scale)
    ends <- lapply(list(weighted, repeated), confint, 2L, method = "bootstrap", R = 9, seed = 1)
    expect_equal(unname(ends[[1L]]), unname(ends[[2L]]), tolerance = 1e-6)
  }
})
