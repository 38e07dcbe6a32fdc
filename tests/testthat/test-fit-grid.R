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

  tried <- NULL
  space <- list(y = c(1.9, -0.9999, 0, 0), lower = c(0.1, -1, -Inf, -Inf), upper = c(2, 1, Inf, Inf),
                held = rep(FALSE, 4), axes = diag(4) / 100, evaluate = function(Y) {
                  tried <<- rbind(tried, Y)
                  -1e3 * rowSums((Y - rep(c(1.9, -1.0001, 0, 0), each = nrow(Y)))^2)
                })
  expect_identical(stablecl:::polish(space)$y[2L], -1)
  expect_gte(min(tried[, 2L]), -1)
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

test_that("the grid moves to a maximum outside it", {
  space <- list(y = c(0, 0), lower = c(-Inf, -Inf), upper = c(Inf, 9), evaluate = function(Y)
    -(Y[, 1] - 7.3)^2 - 10 * (Y[, 2] - Y[, 1])^2)
  expect_equal(stablecl:::contract(space, diag(2), 1, 1e-3), c(7.3, 7.3), tolerance = 1e-3)
  space$evaluate <- function(Y) -(Y[, 1] - 7.3)^2 - (Y[, 2] - 12)^2
  expect_equal(stablecl:::contract(space, diag(2), 1, 1e-3), c(7.3, 9), tolerance = 1e-3)
})

test_that("the maximum and curvature of quadratic functions are exact", {
  H <- matrix(c(2, 0.5, 0.5, 1), 2)
  space <- list(y = c(1, 2), lower = c(-Inf, -Inf), upper = c(Inf, Inf), axes = diag(c(2, 3)),
                evaluate = function(Y) {
                  o <- t((t(Y) - c(1.01, 1.98)) / c(2, 3))
                  -rowSums((o %*% H) * o) / 2
                })
  top <- stablecl:::quadratic_top(space, 0.1)
  expect_equal(space$y + drop(space$axes %*% top$offset), c(1.01, 1.98), tolerance = 1e-10)
  expect_equal(crossprod(top$root), H, tolerance = 1e-10)
})
