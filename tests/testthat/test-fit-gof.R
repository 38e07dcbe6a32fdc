# Goodness-of-fit tests: statistics, null distributions, bootstrap.

test_that("statistics agree with their definitions", {
  x <- fit_sample_of(50, 1.5, 0.5, 2, 3)
  gof <- stable_gof(x, 1.5, 0.5, 2, 3)
  u <- sort(pstable(x, 1.5, 0.5, 2, 3))
  n <- 50
  i <- 1:50
  expect_equal(gof["ks", "statistic"], unname(ks.test(u, "punif")$statistic))
  expect_equal(gof["ks", "p.value"], ks.test(u, "punif")$p.value)
  # the integrals of (F_n - F)^2 with their weights
  steps <- c(0, u, 1)
  squares <- function(w) sum(vapply(0:n, function(k) integrate(function(t) (k / n - t)^2 * w(t), steps[k + 1],
                                                                steps[k + 2], rel.tol = 1e-10)$value, 0)) * n
  expect_equal(gof["cvm", "statistic"], squares(function(t) 1 + 0 * t), tolerance = 1e-8)
  expect_equal(gof["ad", "statistic"], squares(function(t) 1 / (t * (1 - t))), tolerance = 1e-6)
  one <- stable_gof(0, 1.5, 0)
  expect_equal(one$statistic, c(0.5, -1 + 2 * log(2), 1 / 12))
})

test_that("null distributions have their published percentage points", {
  # Anderson and Darling (1952), table 1; Stephens (1974), table 1A; Marsaglia and Marsaglia (2004)
  ad <- function(x) stablecl:::gof_tail(x, stablecl:::ad_law)
  cvm <- function(x) stablecl:::gof_tail(x, stablecl:::cvm_law)
  expect_equal(ad(c(2.492367)), 0.05, tolerance = 1e-6)
  expect_equal(ad(3.878125), 0.01, tolerance = 1e-6)
  expect_equal(ad(1.933), 0.1, tolerance = 1e-3)
  expect_equal(cvm(0.46136), 0.05, tolerance = 1e-4)
  expect_equal(cvm(0.74346), 0.01, tolerance = 1e-4)
  expect_equal(cvm(0.34730), 0.1, tolerance = 1e-4)
})

test_that("null distributions agree with their asymptotic tails and means", {
  # one term dominates in the tail: P(Q > x) ~ c exp(-mu_1 x/2)/sqrt(x)
  ad <- function(x) stablecl:::gof_tail(x, stablecl:::ad_law)
  expect_equal(ad(41) / ad(40), exp(-1) * sqrt(40 / 41), tolerance = 1e-3)
  cvm <- function(x) stablecl:::gof_tail(x, stablecl:::cvm_law)
  expect_equal(cvm(8.1) / cvm(8), exp(-pi^2 / 20) * sqrt(8 / 8.1), tolerance = 1e-3)
  # the means are 1 and 1/6
  expect_equal(integrate(Vectorize(ad), 0, 60, rel.tol = 1e-8)$value, 1, tolerance = 1e-7)
  expect_equal(integrate(Vectorize(cvm), 0, 15, rel.tol = 1e-8)$value, 1 / 6, tolerance = 1e-7)
  grid <- 10^seq(-3, 2, length.out = 200)
  for (tail in list(ad, cvm)) {
    p <- vapply(grid, tail, 0)
    expect_true(all(diff(p) <= 1e-14 & p[-1] <= 1 & p[-1] >= 0))
  }
})

test_that("p-values are uniform for the given distribution, and small for another", {
  set.seed(2)
  p <- t(replicate(300, stable_gof(rstable(40, 0.8, 0.5), 0.8, 0.5)$p.value))
  for (j in 1:3) expect_gt(ks.test(p[, j], "punif")$p.value, 1e-3)
  expect_true(all(stable_gof(rstable(500, 0.8, 0.5), 1.5, 0)$p.value < 1e-4))
})

test_that("stable_gof() respects parametrisation, location and scale", {
  x <- fit_sample_of(30, 1.2, -0.4)
  values <- function(gof) c(gof$statistic, gof$p.value)
  plain <- stable_gof(x, 1.2, -0.4)
  expect_equal(values(stable_gof(5 + 2 * x, 1.2, -0.4, 2, 5)), values(plain))
  s1 <- stable_convert(1.2, -0.4, from = 0, to = 1)
  expect_equal(values(stable_gof(x, 1.2, -0.4, s1$gamma, s1$delta, pm = 1)), values(plain))
})

test_that("values in extreme tails and outside the support count", {
  far <- stable_gof(c(-1e12, -1, 0, 1, 1e12, 1e300), 1.9, 0)
  expect_true(is.finite(far["ad", "statistic"]))
  expect_gt(far["ad", "statistic"], 50)
  off <- stable_gof(c(-3, 1, 2), 0.5, 1, pm = 1)
  expect_identical(off["ad", ], data.frame(statistic = Inf, p.value = 0, row.names = "ad"), ignore_attr = TRUE)
})

test_that("p-values of a fit come from refits of simulated samples", {
  fit <- stablefit(fit_sample_of(80, 1.5, 0.5), fixed = list(beta = 0.5))
  gof <- stable_gof(fit, R = 19, seed = 6)
  theta <- as.list(fit$theta)
  expect_equal(gof$statistic, do.call(stable_gof, c(list(fit$data), theta))$statistic)
  drawn <- vapply(simulate(fit, 19, seed = 6), function(x) {
    again <- stablefit(x, fixed = list(beta = 0.5), se = FALSE)
    do.call(stable_gof, c(list(x), as.list(again$theta)))$statistic
  }, numeric(3))
  expect_equal(gof$p.value, (1 + rowSums(drawn >= gof$statistic)) / 20)
  expect_identical(attr(gof, "replicates"), 19L)
  expect_identical(stable_gof(fit, R = 5, seed = 6), stable_gof(fit, R = 5, seed = 6))
  # the classical p-values are far too large
  classical <- do.call(stable_gof, c(list(fit$data), theta))$p.value
  expect_true(all(classical > gof$p.value + 0.1))
})

test_that("a sample from another distribution is rejected", {
  set.seed(8)
  gof <- stable_gof(stablefit(rexp(300)), R = 39, seed = 1)
  expect_true(all(gof$p.value <= 0.05))
})

test_that("parameters for which the distribution function cannot be computed are an error", {
  expect_error(suppressWarnings(stable_gof(1:10, 1e-320, 0)), "cannot be computed for alpha = 9.99",
               class = "stablecl_error_argument")
})

test_that("the result is one printable table of the requested tests", {
  x <- fit_sample_of(40, 1.5, 0)
  gof <- stable_gof(x, 1.5, 0, tests = c("cvm", "ks"))
  expect_identical(rownames(gof), c("cvm", "ks"))
  expect_s3_class(gof, c("stable_gof", "data.frame"), exact = TRUE)
  said <- capture.output(out <- print(gof))
  expect_identical(out, gof)
  expect_match(said, "Kolmogorov-Smirnov D", all = FALSE)
  expect_match(said, "alpha = 1.5, beta = 0, gamma = 1, delta = 0", all = FALSE)
  expect_silent(capture.output(print(gof[1, "p.value", drop = FALSE])))
})

test_that("bad samples and parameters are errors", {
  expect_error(stable_gof(letters, 1.5, 0), "`x` must be numeric", class = "stablecl_error_data")
  expect_error(stable_gof(c(1, Inf), 1.5, 0), "element 2 is Inf", class = "stablecl_error_data")
  expect_error(stable_gof(numeric(), 1.5, 0), "no observations", class = "stablecl_error_data")
  refused <- function(words, ...) expect_error(stable_gof(1:9, ...), words, class = "stablecl_error_argument")
  refused("`alpha` must be one number in \\(0, 2\\], not 3", 3, 0)
  refused("`alpha`", 1:2, 0)
  refused("`gamma` must be one positive", 1.5, 0, gamma = 0)
  expect_error(stable_gof(1:9, 1.5, 0, tests = "chi"), "`tests` must be one or more of",
               class = "stablecl_error_argument")
  expect_equal(stable_gof(c(1:9, NA), 1.5, 0), stable_gof(1:9, 1.5, 0))
})

test_that("after an interrupt the statistics of few samples are computed", {
  fits <- stablecl:::bootstrap_fits(stablefit(fit_sample_of(60, 1.5, 0)), 5, 1, NULL)
  expect_false(attr(fits, "interrupted"))
  expect_length(fits, 5L)
  calls <- 0
  count <- function(fit) calls <<- calls + 1
  expect_identical(stablecl:::apply_within_time(fits, count, Inf), as.list(as.double(1:5)))
  slow <- function(fit) {
    Sys.sleep(0.02)
    fit$nobs
  }
  expect_identical(stablecl:::apply_within_time(fits, slow, 0.001), list(60L))
})

test_that("fits of several samples or dimensions are errors, and each test is made once", {
  set.seed(7)
  x <- matrix(rstable(60, 1.5, 0), 30)
  expect_error(stable_gof(stablefit(x)), "not 2 fits", class = "stablecl_error_argument")
  expect_error(stable_gof(mvstablefit(x, "projection")), "projection", class = "stablecl_error_argument")
  gof <- stable_gof(x[, 1], 1.5, 0, tests = c("ad", "ad"))
  expect_identical(rownames(gof), "ad")
  expect_error(plot(gof[, "statistic", drop = FALSE]), "`p.value`", class = "stablecl_error_argument")
})
