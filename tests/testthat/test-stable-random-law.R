# Compares random numbers with the distribution function.

ks_p <- function(alpha, beta, gamma, delta, pm, seed, n = 4000) {
  set.seed(seed)
  x <- rstable(n, alpha, beta, gamma, delta, pm)
  u <- sort(pstable(x, alpha, beta, gamma, delta, pm))
  d <- max(u - (seq_len(n) - 1) / n, seq_len(n) / n - u)
  # Kolmogorov's limit distribution: P(sqrt(n) D > k) = 2 sum (-1)^(i-1) exp(-2 i^2 k^2)
  i <- 1:100
  min(1, 2 * sum((-1)^(i - 1) * exp(-2 * i^2 * (sqrt(n) * d)^2)))
}

test_that("rstable() follows pstable() in every parametrisation", {
  shapes <- expand.grid(alpha = c(0.15, 0.5, 0.9, 0.999, 1, 1.001, 1.3, 1.7, 1.99, 2),
                        beta = c(-1, -0.35, 0, 0.8, 1))
  for (pm in 0:2) for (i in seq_len(nrow(shapes))) {
    p <- ks_p(shapes$alpha[i], shapes$beta[i], 2.5, -1, pm, seed = 100 * pm + i)
    expect_gt(p, 1e-5)
  }
})

test_that("the tails of rstable() follow qstable()", {
  n <- 200000
  for (alpha in c(0.5, 1, 1.5)) {
    set.seed(32)
    x <- rstable(n, alpha, 0.5)
    for (level in c(1e-2, 1e-3)) {
      above <- sum(x > qstable(level, alpha, 0.5, lower.tail = FALSE))
      below <- sum(x < qstable(level, alpha, 0.5))
      expect_lt(abs(above - n * level) / sqrt(n * level), 4.5)
      expect_lt(abs(below - n * level) / sqrt(n * level), 4.5)
    }
  }
})
