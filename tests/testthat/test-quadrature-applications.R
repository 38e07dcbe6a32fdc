# Applications with known results; the vignette "Integrals, from one to a million" plots them.

call_price <- function(S, K, r, T, v) {
  d <- (log(S / K) + (r + v^2 / 2) * T) / (v * sqrt(T))
  S * pnorm(d) - K * exp(-r * T) * pnorm(d - v * sqrt(T))
}

stable_call <- function(K, alpha, sigma, T, S = 100, r = 0.03) {
  s <- sigma * T^(1 / alpha)
  m <- log(S) + r * T + s^alpha / cos(pi * alpha / 2)
  gintegrate(function(x, K) exp(-r * T) * (exp(m + x) - K) * dstable(x, alpha, -1, s, 0, pm = 1), log(K) - m, Inf,
             params = data.frame(K = K))
}

test_that("Black-Scholes call prices are correct within their error estimates", {
  K <- seq(50, 200, length.out = 500)
  drift <- log(100) + (0.03 - 0.25^2 / 2) / 2
  call <- gintegrate(function(x, K) exp(-0.015) * (exp(x) - K) * dnorm(x, drift, 0.25 * sqrt(0.5)), log(K), Inf,
                     params = data.frame(K = K))
  expect_equal(call$value, call_price(100, K, 0.03, 0.5, 0.25), tolerance = 1e-10)
  expect_true(all(abs(call$value - call_price(100, K, 0.03, 0.5, 0.25)) <= call$abs.error + 1e-13))
  expect_equal(stable_call(K, 2, 0.25 / sqrt(2), 0.5)$value, call$value, tolerance = 1e-9)
})

# Compares integrals over the density with integrals over the characteristic function.
test_that("call prices of the log-stable model of Carr and Wu agree with their Fourier integrals", {
  K <- c(70, 90, 100, 110, 130)
  alpha <- 1.6
  a <- 0.15^alpha / cos(pi * alpha / 2)
  m <- log(100) + 0.03 + a
  share <- function(re) {
    base <- if (re == 1) m - a else 0
    f <- function(u, K) {
      angle <- alpha * atan2(u, re)
      size <- a * (re^2 + u^2)^(alpha / 2)
      exp(re * m - size * cos(angle) - base) * sin(u * (m - log(K)) - size * sin(angle)) / u
    }
    0.5 + gintegrate(f, 0, Inf, params = data.frame(K = K))$value / pi
  }
  fourier <- 100 * share(1) - K * exp(-0.03) * share(0)
  expect_equal(stable_call(K, alpha, 0.15, 1)$value, fourier, tolerance = 1e-8)
  # the martingale property: the expected price is the forward price
  forward <- gintegrate(function(x) exp(m + x) * dstable(x, alpha, -1, 0.15, 0, pm = 1), -Inf, Inf)
  expect_equal(forward$value, 100 * exp(0.03), tolerance = 1e-8)
})

test_that("absolute moments of symmetric stable distributions agree with their formula", {
  laws <- expand.grid(alpha = c(0.9, 1.3, 1.7), p = c(-0.3, 0.2, 0.4))
  r <- gintegrate(function(x, alpha, p) 2 * x^p * dstable(x, alpha, 0), 0, Inf, params = laws)
  exact <- with(laws, 2^p * gamma((1 + p) / 2) * gamma(1 - p / alpha) / (sqrt(pi) * gamma(1 - p / 2)))
  expect_equal(r$value, exact, tolerance = 1e-8)
  expect_true(all(abs(r$value - exact) <= r$abs.error))
})

test_that("diffusion with one integral per pair of neighbouring pixels smooths an image and keeps its edge", {
  h <- function(s, K) exp(-(s / K)^2) / (1 + s)
  diffusivity <- function(d) 1 - gintegrate(h, 0, abs(d), K = 0.3)$value / gintegrate(h, 0, Inf, K = 0.3)$value
  by_r <- function(d) 1 - integrate(h, 0, abs(d), K = 0.3, rel.tol = 1e-10)$value /
    integrate(h, 0, Inf, K = 0.3, rel.tol = 1e-10)$value
  expect_equal(diffusivity(c(-0.5, 0.01, 0.2)), vapply(c(-0.5, 0.01, 0.2), by_r, 0), tolerance = 1e-9)
  set.seed(2)
  true <- matrix(rep(c(0.2, 0.8), each = 200), 20)
  u <- noisy <- true + rnorm(400, sd = 0.1)
  for (step in 1:12) {
    down <- u[-1, ] - u[-20, ]
    right <- u[, -1] - u[, -20]
    g <- diffusivity(c(down, right))
    down <- down * g[seq_along(down)]
    right <- right * g[-seq_along(right)]
    u <- u + 0.2 * (rbind(down, 0) - rbind(0, down) + cbind(right, 0) - cbind(0, right))
  }
  rms <- function(a) sqrt(mean((a - true)^2))
  expect_lt(rms(u), 0.4 * rms(noisy))
  expect_gt(mean(u[, 11] - u[, 10]), 0.5)                # the step at the edge is 0.6
})

test_that("an integral per pixel of a Gaussian is the product of two normal probabilities", {
  i <- (volcano - min(volcano)) / diff(range(volcano))
  i <- c(i)[seq(1, length(i), 9)]
  r <- gintegrate(function(x, y) exp(-((x - 0.5)^2 + (y - 0.5)^2) / 0.08), c(0, 0), cbind(i, i), rel.tol = 1e-7)
  exact <- 2 * pi * 0.04 * (pnorm(i, 0.5, 0.2) - pnorm(0, 0.5, 0.2))^2
  expect_true(all(r$status == "converged"))
  expect_true(all(abs(r$value - exact) <= r$abs.error + 1e-14))
})
