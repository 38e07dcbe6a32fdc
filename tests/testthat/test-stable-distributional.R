# Vectors of stable distributions for package distributional.

test_that("methods of vectors of stable distributions return values of this package", {
  skip_if_not_installed("distributional")
  alpha <- c(1.5, 0.7, 2)
  beta <- c(0.5, -0.3, 0)
  d <- dist_stable(alpha, beta, 2, 1, pm = 1)
  expect_s3_class(d, "distribution")
  expect_length(d, 3L)
  expect_identical(density(d, 3), dstable(3, alpha, beta, 2, 1, pm = 1))
  expect_identical(distributional::cdf(d, -2), pstable(-2, alpha, beta, 2, 1, pm = 1))
  expect_identical(quantile(d, 0.01), qstable(0.01, alpha, beta, 2, 1, pm = 1))
  set.seed(1)
  x <- distributional::generate(d[1:2], 5)
  set.seed(1)
  expect_identical(x, list(rstable(5, 1.5, 0.5, 2, 1, pm = 1), rstable(5, 0.7, -0.3, 2, 1, pm = 1)))
  expect_identical(density(d[[1]], c(0, 3))[[1]], dstable(c(0, 3), 1.5, 0.5, 2, 1, pm = 1))
})

test_that("vectors of stable distributions have means, variances and a text", {
  skip_if_not_installed("distributional")
  # in S1 the mean is delta, where there is one
  d <- dist_stable(c(1.5, 1, 0.5, 0.5, NA), c(0.5, 0, -1, 0.5, 0), 2, 3, pm = 1)
  expect_equal(mean(d), c(3, NaN, -Inf, NaN, NA))
  expect_identical(is.nan(mean(d)), c(FALSE, TRUE, FALSE, TRUE, FALSE))
  expect_identical(distributional::variance(dist_stable(c(2, 1.9, NA), 0, 3)), c(18, Inf, NA))
  expect_identical(format(dist_stable(c(1.5, 1), c(0.25, 0), pm = 0:0)), c("S0(1.5, 0.25, 1, 0)", "S0(1, 0, 1, 0)"))
  expect_identical(format(dist_stable(1.5, 0.25, pm = "S2")), "S2(1.5, 0.25, 1, 0)")
})

test_that("functions of package distributional apply to stable distributions", {
  skip_if_not_installed("distributional")
  d <- dist_stable(1.6, 0.3)
  two <- distributional::dist_mixture(d, distributional::dist_normal(5, 1), weights = c(0.25, 0.75))
  expect_equal(density(two, 1), 0.25 * dstable(1, 1.6, 0.3) + 0.75 * dnorm(1, 5, 1), tolerance = 1e-14)
  cut <- distributional::dist_truncated(d, -1, 1)
  expect_equal(density(cut, 0.5), dstable(0.5, 1.6, 0.3) / diff(pstable(c(-1, 1), 1.6, 0.3)), tolerance = 1e-14)
  ends <- unlist(unclass(distributional::hilo(d, 90))[1:2], use.names = FALSE)
  expect_equal(ends, qstable(c(0.05, 0.95), 1.6, 0.3), tolerance = 1e-14)
  expect_identical(distributional::is_distribution(data.frame(law = d)$law), TRUE)
})

test_that("invalid vectors of stable distributions are errors", {
  skip_if_not_installed("distributional")
  expect_error(dist_stable(c(1.5, 2.5), 0), "alpha, beta, gamma, delta = 2.5, 0, 1, 0",
               class = "stablecl_error_argument")
  expect_error(dist_stable(1.5, 0, -1), class = "stablecl_error_argument")
  expect_error(dist_stable(1.5, 0, pm = 3), "`pm`", class = "stablecl_error_argument")
  expect_error(dist_stable(1.5), "beta", class = "stablecl_error_argument")
  expect_error(quantile(dist_stable(1.5, 0), 0.5, no_such_argument = 1), "no_such_argument")
  expect_identical(density(dist_stable(c(NA, 2), 0), 0), c(NA, dstable(0, 2, 0)))
})
