# The covariance of sums of the scores of a series, against closed forms.

long_run <- function(X) stablecl:::long_run_covariance(X) / nrow(X)

autoregression <- function(n, phi) as.vector(stats::filter(rnorm(n + 2000), phi, "recursive"))[-(1:2000)]

test_that("variances of noise, autoregressions and their sums are those in closed form", {
  set.seed(1)
  n <- 20000
  for (phi in c(0, 0.5, 0.95, 0.99)) for (noise in c(0, 1, 20)) {
    x <- autoregression(n, phi) + rnorm(n, sd = noise)
    exact <- 1 / (1 - phi)^2 + noise^2                      # of the autoregression, and of the noise
    expect_lt(abs(log(long_run(cbind(x)) / exact)), 0.35)
  }
})

test_that("the coefficient of the autoregression, its share and the variance of the noise are estimated", {
  set.seed(8)
  n <- 50000
  x <- autoregression(n, 0.9) + rnorm(n, sd = 5)
  k <- seq_len(n / 8)
  found <- stablecl:::whittle_estimate(Mod(fft(x)[k + 1])^2 / n, 2 * pi * k / n, n)
  expect_equal(found$phi, 0.9, tolerance = 0.02)
  expect_equal(found$s, 25, tolerance = 0.1)
  expect_equal(found$r, 4, tolerance = 0.2)
})

test_that("small autocorrelations that decrease slowly are not omitted", {
  set.seed(2)
  x <- replicate(20, autoregression(4000, 0.99) + rnorm(4000, sd = 30))
  expect_lt(mean(apply(x, 2, function(v) acf(v, 1, plot = FALSE)$acf[2])), 0.1)
  ratio <- apply(x, 2, function(v) long_run(cbind(v))) / (100^2 + 30^2)
  expect_lt(abs(log(median(ratio))), 0.3)
})

test_that("the variance of independent values is kept, and short negative dependence decreases it", {
  set.seed(3)
  ratio <- replicate(50, long_run(cbind(rnorm(2000))))
  expect_lt(abs(median(ratio) - 1), 0.05)
  expect_lt(max(ratio), 2)
  ratio <- replicate(20, long_run(cbind(autoregression(2000, -0.5)))) * 1.5^2
  expect_equal(median(ratio), 1, tolerance = 0.15)
})

test_that("dependence over a few values may have another form than the model", {
  set.seed(4)
  ratio <- replicate(20, long_run(cbind(rep(rnorm(1000), each = 4))))
  expect_equal(median(ratio), 4, tolerance = 0.15)
})

test_that("correlations are those of the slow part, not those of the noise", {
  set.seed(5)
  n <- 20000
  volatility <- autoregression(n, 0.98)
  noise <- rnorm(n, sd = 10)
  X <- cbind(a = volatility + noise, b = -2 * volatility + noise, c = rnorm(n))
  V <- long_run(X)
  expect_identical(dimnames(V), list(c("a", "b", "c"), c("a", "b", "c")))
  S <- 1 / 0.02^2
  R <- (-2 * S + 100) / sqrt((S + 100) * (4 * S + 100))
  expect_equal(cov2cor(V)["a", "b"], R, tolerance = 0.1)
  expect_lt(abs(cov2cor(V)["a", "c"]), 0.3)
  expect_true(all(eigen(V)$values > 0))
  scaled <- long_run(sweep(X, 2, c(1, 1e6, 1e-6), `*`))
  expect_equal(scaled, V * outer(c(1, 1e6, 1e-6), c(1, 1e6, 1e-6)), tolerance = 1e-4)
})

test_that("the correlation of independent values is that of their products", {
  set.seed(6)
  x <- rnorm(5000)
  V <- long_run(cbind(x + rnorm(5000), x))
  expect_equal(cov2cor(V)[1, 2], sqrt(0.5), tolerance = 0.05)
})

test_that("short series have a covariance", {
  set.seed(7)
  for (n in c(4, 5, 10, 30)) expect_true(all(is.finite(long_run(cbind(rnorm(n))))))
})
