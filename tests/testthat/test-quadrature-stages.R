# "auto" in several dimensions: which method computes what, and with how many evaluations.

library(stablecl)

test_that("a product rule that needs many points is completed", {
  truth <- Im(((exp(10i) - 1) / 1i)^6)
  r <- gintegrate(function(x) sin(sum(x)), rep(0, 6), 10, rel.tol = 1e-6)
  expect_equal(as.character(r$status), "converged")
  expect_equal(r$rule, "product")
  expect_lte(abs(r$value - truth), r$abs.error)
  expect_lte(r$evaluations, 4e6)
})

test_that("evaluations that a product rule leaves are used by later stages", {
  jump <- function(x, y, z) if (x + y * z > 0.7) 0 else exp(x)        # not smooth: only its lines are evaluated
  r <- suppressWarnings(gintegrate(jump, c(0, 0, 0), 1, rel.tol = 1e-9, max.eval = 1e6))
  expect_equal(as.character(r$status), "max.eval")
  expect_gt(r$evaluations, 9e5)
  expect_lte(r$evaluations, 1e6)
})

test_that("integrands that are 0 nearly everywhere are not taken to be 0 by a stage with few evaluations", {
  a <- c(0.0373, 0.00957)
  box <- function(x) if (x[1] > a[1] || x[2] > a[2]) 0 else exp(sum(x))
  for (tol in c(1e-4, 1e-7)) for (most in c(1e5, 1e6)) {
    r <- gintegrate(box, c(0, 0, 0), 1, dim = 3, rel.tol = tol, max.eval = most)
    expect_equal(as.character(r$status), "converged", label = paste(tol, most))
    expect_equal(r$value, prod(expm1(c(a, 1))), tolerance = tol, label = paste(tol, most))
  }
})

test_that("a method that misses a peak does not replace the result of one that has met it", {
  r <- suppressWarnings(gintegrate(function(x) dnorm(x, 50, 0.01), -Inf, Inf, rel.tol = 1e-14))
  expect_equal(r$value, 1, tolerance = 1e-10)
  ridges <- function(x) dnorm(x[1], 0.331, 1.2e-4) + dnorm(x[2], 0.627, 1.2e-3)
  for (seed in 1:4) {
    set.seed(seed)
    r <- suppressWarnings(gintegrate(ridges, rep(0, 5), 1, dim = 5, rel.tol = 1e-4, max.eval = 1e6))
    expect_equal(r$value, 2, tolerance = 1e-3)        # 0.25 by a product rule, which meets one of the ridges
  }
  several <- function(x) c(ridges(x), 1)
  r <- suppressWarnings(gintegrate(several, rep(0, 5), 1, dim = 5, n.value = 2, rel.tol = 1e-4, max.eval = 1e6))
  expect_equal(r$value, c(2, 1), tolerance = 1e-3)

  set.seed(1)
  at <- data.frame(a = runif(60, 0.1, 0.9), b = runif(60, 0.1, 0.9), c = runif(60, 0.1, 0.9))
  peak <- function(x, y, z, a, b, c) exp(-((x - a)^2 + (y - b)^2 + (z - c)^2) / 0.0019^2)
  r <- suppressWarnings(gintegrate(peak, rep(0, 3), 1, params = at, rel.tol = 1e-4, max.eval = 1e6))
  expect_lte(mean(r$value == 0), 0.1)                   # 0.63 if the last method counts that converged
})

# cuhre() of package cubature 2.1.4.1 takes 2151 to 823,225 evaluations for these.
test_that("waves in 7 and 8 dimensions take 10,000 to 80,000 evaluations to 1e-8", {
  for (dim in 7:8) for (sum in c(3, 6, 9)) {
    a <- rep(sum / dim, dim)
    r <- gintegrate(function(x) cos(0.7 + sum(a * x)), rep(0, dim), 1, dim = dim, rel.tol = 1e-8)
    expect_equal(as.character(r$status), "converged", label = paste(dim, sum))
    expect_equal(r$value, Re(exp(0.7i) * prod((exp(1i * a) - 1) / (1i * a))), tolerance = 1e-8,
                 label = paste(dim, sum))
    expect_lt(r$evaluations, 8e4)
  }
})

test_that("an integral does not depend on the others of its call", {
  f <- function(x, y, z, k) if (k == 0) sin(20 * x) * cos(9 * y * z) + 1.1 else if (x + y * z > k) 0 else exp(x * y)
  params <- data.frame(k = c(0, 0.5, 0.7, 0, 0.9))
  run <- function(rows) suppressWarnings(gintegrate(f, c(0, 0, 0), 1, params = params[rows, , drop = FALSE],
                                                    rel.tol = 1e-7, max.eval = 4e5, control = list(seed = 5)))
  together <- run(1:5)
  for (k in 1:5) {
    alone <- run(k)
    for (part in c("value", "abs.error", "evaluations", "rule")) expect_identical(alone[[part]], together[[part]][k])
  }
})

test_that("the default limit on evaluations follows from the operations of the integrand", {
  limit <- function(f, ..., dim = 2L) {
    suppressWarnings(gintegrate(f, rep(0, dim), ..., rel.tol = 0.1))$problem$tolerance$max.eval
  }
  expect_identical(limit(function(x, y) x * y, 1), 5e7)
  expect_identical(limit(function(x, y) x * y, 1, max.eval = 3e5), 3e5)
  expect_identical(limit(function(x, y, a) x * y * a, 1, params = data.frame(a = 1:2)), 1e7)
  many <- function(x, y) {
    for (k in 1:50) x <- cos(x + y * k)
    x
  }
  expect_identical(limit(many, 1), 1e7)
  expect_identical(limit(function(x) prod(exp(-x^2) * cos(x) + x / (1 + x)), 1, dim = 5L),
                   floor(1e9 / gtranslate(function(x) prod(exp(-x^2) * cos(x) + x / (1 + x)), dim = 5)$work))
  k <- 1:8                                                              # f3 of the m-Cubes suite
  corners <- as.matrix(expand.grid(rep(list(0:1), 8)))
  truth <- sum((-1)^rowSums(corners) / (1 + corners %*% k)) / (factorial(8) * prod(k))
  r <- gintegrate(function(x) (1 + sum(k * x))^-9, rep(0, 8), 1, rel.tol = 1e-4, control = list(seed = 1))
  expect_equal(as.character(r$status), "converged")
  expect_lte(abs(r$value - truth), r$abs.error)
})
