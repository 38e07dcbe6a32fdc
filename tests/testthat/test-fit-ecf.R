# Method "ecf" (src/fit/ecf.c): the formulas of its reference (helper-fit-ecf.R), and fits.

test_that("estimates and standard errors are those of the reference", {
  for (alpha in c(0.7, 1, 1.3, 1.7, 1.98, 2)) for (n in c(60, 5000)) {
    x <- fit_sample_of(n, alpha, sin(10 * alpha), 3, 5, seed = 100 * alpha)
    for (fixed in list(list(), list(beta = 0), list(alpha = 1.2), list(gamma = 3, delta = 5))) {
      fit <- suppressWarnings(stablefit(x, "ecf", fixed = fixed))
      right <- ecf_reference(x, fixed)
      expect_lt(max(abs(unname(fit$theta) - right$theta) / c(1, 1, 3, 3)), 1e-9,
                label = paste(alpha, n, paste(names(fixed), collapse = " ")))
      se <- sqrt(diag(vcov(fit)))
      expect_equal(unname(se[!is.na(se)]), right$se[!is.na(se)], tolerance = 1e-7)
    }
  }
})

test_that("many samples are fitted as one is, whatever the number of threads", {
  samples <- lapply(1:30, function(i) fit_sample_of(300 + i, 0.1 + i / 16, sin(i), 2, 5, seed = i))
  samples[[31]] <- fit_sample_of(2e5, 1.5, 0.5)
  for (method in c("ecf", "logmoment")) {
    one <- using_threads(1L, stablefit(samples, method))
    expect_identical(using_threads(2L, stablefit(samples, method)), one)
    for (i in c(1, 17, 31)) expect_identical(without_call(one[[i]]), without_call(stablefit(samples[[i]], method)))
  }
})

test_that("a regression without a solution is reported", {
  x <- 10^c(-150, -90, -40, -1, 0, 3, 50, 100, 140, 150) * c(-1, 1)
  table <- as.data.frame(suppressWarnings(stablefit(list(x, fit_sample_of(50, 1.5, 0)), "ecf")))
  expect_identical(table$error, c("Method \"ecf\" failed for this sample: its regression has no solution.", ""))
})

test_that("residuals of the log characteristic function have the mean and covariance of simulated samples", {
  t <- c(0.1, 0.4, 1, 1.5)
  n <- 400
  for (law in list(c(1.5, 0.5), c(1, -0.7), c(0.6, 0.3))) {
    set.seed(5)
    r <- replicate(1500, ecf_residuals(ecf(rstable(n, law[1], law[2]), t), t, c(law, 0, 0)))
    V <- ecf_vcov(t, law[1], law[2])
    unit <- sqrt(diag(V))
    expect_lt(max(abs(rowMeans(r)) * sqrt(n) / unit), 0.15, label = paste(law, collapse = " "))
    expect_lt(max(abs(n * stats::cov(t(r)) - V) / outer(unit, unit)), 0.12, label = paste(law, collapse = " "))
  }
})

test_that("ecf_slopes() returns the derivatives of the log characteristic function", {
  t <- c(0.01, 0.3, 1, 1.9)
  at <- function(p) {
    phi <- stable_cf(t, p[1], p[2], exp(p[3]), p[4])
    c(log(-log(Mod(phi))), Arg(phi))
  }
  for (p in list(c(1.5, 0.5, 0, 0), c(1, -0.7, 0.1, 0.3), c(0.4, 0.3, -0.1, 0.1))) {
    J <- vapply(1:4, function(j) (at(p + 1e-5 * (1:4 == j)) - at(p - 1e-5 * (1:4 == j))) / 2e-5, numeric(8))
    expect_equal(unname(ecf_slopes(t, p)), J, tolerance = 1e-7)
  }
})

test_that("standard errors agree with the spread of estimates, and intervals with their level", {
  skip_on_cran()                        # fits many samples
  for (truth in list(list(alpha = 1.5, beta = 0.5, gamma = 2, delta = 1),
                     list(alpha = 1, beta = -0.5, gamma = 1, delta = 0))) {
    fits <- lapply(1:200, function(seed)
      stablefit(do.call(fit_sample_of, c(n = 500, truth, seed = seed)), "ecf"))
    spread <- sqrt(rowMeans(vapply(fits, z_scores, numeric(4), case = truth)^2, na.rm = TRUE))
    expect_true(all(spread > 0.85 & spread < 1.25), label = paste(format(spread), collapse = " "))
    covered <- vapply(fits, function(fit) {
      ci <- confint(fit)
      mean(ci[, 1] <= unlist(truth) & unlist(truth) <= ci[, 2], na.rm = TRUE)    # NA at a bound
    }, 0)
    expect_gt(mean(covered), 0.91)
    expect_lt(mean(covered), 0.975)
  }
})

test_that("ecf is almost as precise as maximum likelihood", {
  x <- fit_sample_of(2000, 1.4, 0.3)
  ratio <- sqrt(diag(vcov(stablefit(x, "ecf"))) / diag(vcov(stablefit(x))))
  expect_true(all(ratio < 1.3), label = paste(format(ratio), collapse = " "))
})

test_that("bounded regression fixes coefficients at violated bounds and refits the others", {
  X <- cbind(1, c(-1, 0, 1, 2))
  r <- c(1, 2, 2.5, 5)
  both <- stablecl:::bounded_regression(X, r, c(0, 0), c(0, 0), c(FALSE, FALSE), c(-Inf, -Inf), c(Inf, Inf))
  expect_equal(both$y, unname(coef(lm(r ~ X[, 2]))))
  cut <- stablecl:::bounded_regression(X, r, c(0, 0), c(0, 0), c(FALSE, FALSE), c(-Inf, -Inf), c(Inf, 1))
  expect_equal(cut$y, c(mean(r - X[, 2]), 1))
  expect_identical(cut$held, c(FALSE, TRUE))
})

test_that("ecf neither fails nor diverges for ordinary samples", {
  for (case in list(list(100, 1.5, 1), list(100, 1.9, 0), list(100, 2, 0), list(20, 1.7, 0.5), list(1000, 1.95, 0))) {
    fits <- lapply(1:60, function(seed) {
      set.seed(seed)
      suppressWarnings(stablefit(rstable(case[[1]], case[[2]], case[[3]]), "ecf"))
    })
    gamma <- vapply(fits, function(fit) coef(fit)[["gamma"]], 0)
    expect_true(all(abs(log(gamma)) < 1.2), label = paste(unlist(case), collapse = " "))
  }
})

test_that("the covariance keeps its digits at small frequencies", {
  u <- c(1e-3, 2e-3)
  r <- -u^2                                                 # alpha = 2: n var(Re L) = (cosh(2 u^2) - 1)
  expect_equal(diag(ecf_vcov(u, 2, 0))[1:2], (2 * sinh(u^2)^2) / r^2, tolerance = 1e-8)
})

test_that("ecf does not fail with fixed parameters far from the data", {
  x <- fit_sample_of(100, 2, 0)
  for (fixed in list(list(gamma = 1e-3), list(gamma = 1e3), list(delta = 1e3)))
    expect_s3_class(suppressWarnings(stablefit(x, "ecf", fixed = fixed)), "stablefit")
})
