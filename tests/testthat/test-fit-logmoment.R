# Method "logmoment", which fits symmetric distributions.

test_that("log|X| has the moments and covariances that the estimator assumes", {
  for (alpha in c(0.5, 1, 1.7, 2)) {
    density <- function(y) 2 * exp(y) * dstable(exp(y), alpha, 0)
    moment <- function(f)
      integrate(function(y) f(y) * density(y), -60, 60 / alpha, subdivisions = 2000L, rel.tol = 1e-9)$value
    mean <- moment(identity)
    k <- vapply(2:4, function(p) moment(function(y) (y - mean)^p), 0)
    expect_equal(mean, euler * (1 / alpha - 1), tolerance = 1e-5)
    expect_equal(alpha_from_log_variance(k[1], 0.01), alpha, tolerance = 1e-5)
    # with central moments k2, k3 and k4, and gamma = 1: n var(v) = k4 - k2^2, n cov(m, v) = k3
    V <- logmoment_vcov(alpha, 1, alpha_known = FALSE)
    slope <- -3 * alpha^3 / pi^2
    expect_equal(V[1, 1], slope^2 * (k[3] - k[1]^2), tolerance = 1e-4)
    expect_equal(V[1, 3], slope * k[2] + euler / alpha^2 * V[1, 1], tolerance = 1e-4)
    expect_equal(V[4, 4], 1 / (4 * dstable(0, alpha, 0)^2), tolerance = 1e-10)
  }
})

test_that("estimates and standard errors are those of the reference", {
  for (n in c(9:12, 301)) {
    x <- fit_sample_of(n, 1.3, 0, 2, 5, seed = n)
    fit <- stablefit(x, "logmoment")
    right <- logmoment_reference(x)
    expect_equal(unname(fit$theta), right$theta, tolerance = 1e-12)
    known <- if (fit$theta[["alpha"]] == 2) 3:4 else c(1, 3:4)
    expect_equal(unname(sqrt(diag(vcov(fit))))[known], right$se[known], tolerance = 1e-12)
  }
})

test_that("values equal to the median of the others are left out, and stated", {
  x <- c(-4, -3, -2, -1, 0, 0, 0, 1, 2, 3, 5)
  fit <- suppressWarnings(stablefit(x, "logmoment"))
  expect_match(fit$notes, "3 values equal to the median are omitted.", fixed = TRUE, all = FALSE)
  expect_equal(unname(fit$theta), logmoment_reference(x)$theta)
  held <- suppressWarnings(stablefit(x, "logmoment", fixed = list(alpha = 1, delta = 0)))
  expect_equal(held$theta[["gamma"]], exp(mean(log(abs(x[x != 0])))))
  expect_identical(names(which(is.na(diag(vcov(held))))), c("alpha", "beta", "delta"))
})

test_that("standard errors agree with the spread of estimates", {
  truth <- list(alpha = 1.2, beta = 0, gamma = 2, delta = 1)
  z <- vapply(1:200, function(seed)
    z_scores(stablefit(do.call(fit_sample_of, c(n = 1000, truth, seed = seed)), "logmoment"), truth), numeric(4))
  spread <- sqrt(rowMeans(z^2))
  expect_true(is.na(spread[2]))
  expect_true(all(spread[-2] > 0.85 & spread[-2] < 1.25), label = paste(format(spread), collapse = " "))
  expect_true(all(abs(rowMeans(z))[-2] < 0.35))        # the median of all values would give -0.4
})

test_that("the fit states that it is symmetric, and rejects beta other than 0", {
  x <- fit_sample_of(100, 1.5, 0)
  fit <- stablefit(x, "logmoment")
  expect_identical(coef(fit)[["beta"]], 0)
  expect_match(fit$notes, "beta held fixed", all = FALSE)
  expect_identical(attr(logLik(fit), "df"), 3L)
  expect_error(stablefit(x, "logmoment", fixed = list(beta = 0.5)), "symmetric", class = "stablecl_error_argument")
})
