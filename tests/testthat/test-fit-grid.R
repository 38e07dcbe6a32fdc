# Method "grid": contracting grids reach the same estimates as the other methods.

test_that("with four parameters the grid finds the maximum of the likelihood and its curvature", {
  for (case in fit_cases()) {
    x <- do.call(fit_sample_of, c(n = 500, case))
    grid <- stablefit(x, "grid")
    mle <- stablefit(x)
    label <- label_of(case)
    expect_lt(abs(as.numeric(logLik(grid)) - as.numeric(logLik(mle))), 1e-6, label = label)
    sd <- sqrt(diag(vcov(mle)))
    expect_lt(max(abs(coef(grid) - coef(mle)) / sd, na.rm = TRUE), 1e-3, label = label)
    expect_equal(sqrt(diag(vcov(grid))), sd, tolerance = 0.03, label = label)
    expect_true(grid$convergence$converged, label = label)
  }
})

test_that("the grid finds estimates at a bound and reports the bound", {
  x <- fit_sample_of(300, 1.6, 1)
  grid <- stablefit(x, "grid")
  mle <- stablefit(x)
  expect_identical(coef(grid)[["beta"]], coef(mle)[["beta"]])
  expect_equal(coef(grid), coef(mle), tolerance = 1e-4)
  expect_match(grid$notes, "beta is at its bound 1", all = FALSE)
})

test_that("no distribution outside the parameter space is tried next to a bound", {
  set.seed(1623)                      # a quadratic function fitted next to beta = 1 has its maximum beyond it
  x <- rstable(1000, 1.95, 0, 0.5, 0.5)
  grid <- stablefit(x, "grid")
  mle <- stablefit(x)
  expect_identical(coef(mle)[["beta"]], 1)
  expect_identical(coef(grid)[["beta"]], 1)
  expect_lt(abs(as.numeric(logLik(grid)) - as.numeric(logLik(mle))), 1e-6)
})

test_that("with two parameters the grid agrees with mle2d", {
  for (case in fit_cases()[c(1, 3, 6)]) {
    x <- do.call(fit_sample_of, c(n = 300, case))
    two <- stablefit(x, "grid", control = list(grid = 2))
    plane <- stablefit(x, "mle2d")
    expect_equal(coef(two), coef(plane), tolerance = 1e-5, label = label_of(case))
    expect_equal(vcov(two), vcov(plane), tolerance = 1e-3, label = label_of(case))
  }
  expect_error(stablefit(x, "grid", control = list(grid = 3)), "2 or 4", class = "stablecl_error_argument")
})

test_that("the grid moves to a maximum far from its start", {
  x <- fit_sample_of(300, 1.3, 0.4)
  near <- stablefit(x, "grid")
  far <- stablefit(x, "grid", start = list(alpha = 1.9, beta = -0.8))
  expect_gt(far$convergence$iterations, near$convergence$iterations)
  expect_equal(coef(far), coef(near), tolerance = 1e-4)
})

test_that("a shape parameter is released from a bound that is not at the maximum, and held at one that is", {
  set.seed(272)                       # from alpha = 2 to beta = -1
  x <- rstable(1000, 1.95, 0, 0.5, 0.5)
  grid <- stablefit(x, "grid")
  mle <- stablefit(x)
  expect_lt(abs(as.numeric(logLik(grid)) - as.numeric(logLik(mle))), 1e-6)
  expect_identical(coef(grid)[["beta"]], -1)
  expect_lt(coef(grid)[["alpha"]], 1.99)

  normal <- stablefit(qnorm(ppoints(200)), "grid")
  expect_identical(coef(normal)[["alpha"]], 2)
  expect_equal(coef(normal), coef(stablefit(qnorm(ppoints(200)))), tolerance = 1e-12)
})

test_that("the grid finds the maximum of samples that are nearly Gaussian", {
  skip_on_cran()
  lost <- 0
  for (seed in 1:40) {
    set.seed(seed)
    x <- rstable(500, 1.95, 0)
    gap <- as.numeric(logLik(stablefit(x))) - as.numeric(logLik(suppressWarnings(stablefit(x, "grid"))))
    lost <- lost + (gap > 1e-6)
  }
  expect_lte(lost, 1)
})

test_that("a fit by grids needs few evaluations", {
  grid <- stablefit(fit_sample_of(500, 1.5, 0.5), "grid")
  expect_lte(grid$convergence$iterations, 9)
  expect_lte(grid$convergence$evaluations, 600)
})

test_that("fixed parameters and bounds restrict the grid", {
  x <- fit_sample_of(400, 1.4, 0.3)
  for (fixed in list(list(alpha = 1.5), list(beta = 0), list(gamma = 1, delta = 0), list(alpha = 2),
                     list(alpha = 1.4, beta = 0.3), list(alpha = 1.4, beta = 0.3, gamma = 1, delta = 0))) {
    grid <- stablefit(x, "grid", fixed = fixed)
    mle <- stablefit(x, fixed = fixed)
    expect_equal(coef(grid), coef(mle), tolerance = 1e-4, label = deparse(fixed))
    expect_equal(coef(grid)[names(fixed)], unlist(fixed), tolerance = 1e-14)
    expect_equal(vcov(grid), vcov(mle), tolerance = 0.03, label = deparse(fixed))
  }
  expect_identical(coef(stablefit(x, "grid", control = list(alpha.min = 0.99), fixed = list(beta = 1)))[["beta"]], 1)
  lowest <- stablefit(fit_sample_of(200, 0.6, 0), "grid", control = list(alpha.min = 0.8))
  expect_identical(coef(lowest)[["alpha"]], 0.8)
})

# Samples of S1 whose support ends at 0 or nearly does: n, alpha, beta, seed.
test_that("grids find the maxima of nearly one-sided samples with small alpha", {
  cases <- list(c(50, 0.16, -1, 9037), c(100, 0.085, 0.997, 9047), c(100, 0.101, -0.995, 3), c(50, 0.186, 0.998, 5),
                c(400, 0.172, -0.91, 9158))
  for (case in cases) {
    set.seed(case[4])
    x <- rstable(case[1], case[2], case[3], pm = 1)
    grid <- suppressWarnings(stablefit(x, pm = 1, method = "grid", se = FALSE))
    mle <- suppressWarnings(stablefit(x, pm = 1, se = FALSE))
    expect_gt(grid$loglik, mle$loglik - 0.01, label = paste(case, collapse = " "))
    expect_gt(grid$loglik, sum(dstable(x, case[2], case[3], pm = 1, log = TRUE)), label = paste(case, collapse = " "))
  }
})

# Searches with beta at its bound begin 10 below the maximum for each observation, and would take a hundred grids.
test_that("grids try the bound of beta only if it may lead to a higher maximum", {
  fit <- stablefit(fit_sample_of(1000, 0.65, 0.88), "grid")
  expect_gt(abs(coef(fit)[["beta"]]), 0.8)
  expect_lt(fit$convergence$evaluations, 1000)
})
