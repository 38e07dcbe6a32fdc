# Random vectors of elliptically contoured stable distributions.

Q <- matrix(c(2, 1, 0.3, 1, 3, -0.4, 0.3, -0.4, 0.5), 3)

test_that("samples depend on the seed only, and longer ones begin with shorter ones", {
  set.seed(1)
  x <- rmvstable(50, 1.5, Q, 1:3)
  expect_identical(dim(x), c(50L, 3L))
  set.seed(1)
  old <- stable_threads(1)
  expect_identical(rmvstable(50, 1.5, Q, 1:3), x)
  stable_threads(old)
  set.seed(1)
  expect_equal(rmvstable(1000, 1.5, Q, 1:3)[1:50, ], x, tolerance = 1e-13)
  expect_false(isTRUE(all.equal(rmvstable(50, 1.5, Q, 1:3), x)))
})

test_that("rmvstable() advances R's generator as rstable() does", {
  set.seed(1)
  rmvstable(10, 1.5, Q)
  after <- .Random.seed
  set.seed(1)
  rstable(10, 1.5, 0)
  expect_identical(.Random.seed, after)
})

test_that("projections have the stable distribution with the scale of the quadratic form", {
  set.seed(4)
  for (alpha in c(0.05, 0.4, 0.95, 1, 1.5, 1.97, 2)) {
    x <- rmvstable(20000, alpha, Q, c(1, -1, 2))
    for (w in list(c(1, 0, 0), c(1, 1, 1), c(0.3, -2, 1))) {
      gamma <- sqrt(drop(w %*% Q %*% w))
      p <- suppressWarnings(stats::ks.test(drop(x %*% w), "pstable", alpha, 0, gamma, sum(w * c(1, -1, 2))))$p.value
      expect_gt(p, 1e-4)
    }
  }
})

test_that("distances have the distribution of the radial density", {
  set.seed(5)
  for (alpha in c(0.5, 1.7)) for (dim in c(2, 20)) {
    x <- rmvstable(4000, alpha, diag(dim))
    t <- seq(-60, 60 / alpha, by = 0.02)
    f <- exp(log(2) + dim / 2 * log(pi) - lgamma(dim / 2) + dim * t +
               dmvstable(cbind(exp(t), matrix(0, length(t), dim - 1)), alpha, diag(dim), log = TRUE))
    cdf <- stats::approxfun(t + 0.01, cumsum(f) * 0.02, rule = 2)
    expect_gt(suppressWarnings(stats::ks.test(log(sqrt(rowSums(x^2))), cdf))$p.value, 1e-4)
  }
})

test_that("the mixing variate has the Laplace transform exp(-t^(alpha/2)), also for alpha near 2 and near 0", {
  set.seed(6)
  z <- rstable(2e5, 2, 0)
  z1 <- z[1:1e5]
  z2 <- z[1e5 + 1:1e5]
  for (alpha in c(0.01, 0.3, 1.2, 1.9, 2 - 1e-9)) {
    s <- exp(stablecl:::log_mixing_variate(z1, z2, alpha))
    for (t in c(0.2, 1, 4)) {
      y <- exp(-t * s)
      expect_lt(abs(mean(y) - exp(-t^(alpha / 2))), 5 * stats::sd(y) / sqrt(1e5) + 1e-7)
    }
  }
})

test_that("names and sizes follow the arguments", {
  named <- Q
  dimnames(named) <- list(letters[1:3], letters[1:3])
  expect_identical(colnames(rmvstable(2, 1.5, named)), c("a", "b", "c"))
  expect_identical(colnames(rmvstable(2, 1.5, Q, c(u = 1, v = 2, w = 3))), c("u", "v", "w"))
  expect_null(dimnames(rmvstable(2, 1.5, Q)))
  expect_identical(dim(rmvstable(0, 1.5, Q)), c(0L, 3L))
  expect_identical(dim(rmvstable(c(7, 7), 1.5, Q)), c(2L, 3L))
  expect_identical(dim(rmvstable(4, 1.5, 2)), c(4L, 1L))
})
