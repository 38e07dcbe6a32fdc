# Sparse products of rules, which method "product" tries first in many dimensions.

sparse <- function(f, dim, tol = 1e-8, ...)
  suppressWarnings(gintegrate(f, rep(0, dim), 1, dim = dim, rel.tol = tol, method = "product", max.eval = 1e6, ...))

expect_right <- function(r, true, tol, label = NULL) {
  expect_equal(as.character(r$status), "converged", label = label)
  expect_lte(abs(r$value - true), r$abs.error + 1e-15 * abs(true), label = label)
  expect_lte(abs(r$value / true - 1), tol, label = label)
}

# cuhre() of package cubature 2.1.4.1 takes 2151 to 823,225 evaluations for these.
test_that("sparse products integrate waves in 7 and 8 dimensions to 1e-8 with 10,000 to 80,000 evaluations", {
  for (dim in 7:8) for (sum in c(3, 6, 9)) {
    a <- rep(sum / dim, dim)
    r <- sparse(function(x) cos(0.7 + sum(a * x)), dim)
    expect_right(r, Re(exp(0.7i) * prod((exp(1i * a) - 1) / (1i * a))), 1e-8, paste(dim, sum))
    expect_lt(r$evaluations, 8e4)
  }
})

test_that("sparse products integrate a product of peaks in 7 dimensions", {
  peaks <- function(a, u) prod(a * (atan(a * (1 - u)) + atan(a * u)))
  a <- c(0.6, 1.3, 0.2, 1.9, 0.7, 1.1, 0.5)
  u <- c(0.1, 0.9, 0.4, 0.6, 0.3, 0.8, 0.5)
  r <- sparse(function(x) prod(1 / (a^-2 + (x - u)^2)), 7)
  expect_right(r, peaks(a, u), 1e-8)
  expect_lt(r$evaluations, 2e5)
})

test_that("integrands that vanish in the middle of every axis are not taken to be 0", {
  expect_right(sparse(function(x) prod(12 * (x - 0.5)^2), 8, 1e-6), 1, 1e-6)
  expect_right(sparse(function(x) 1 + 0.01 * prod(12 * (x - 0.5)^2), 7), 1.01, 1e-8)
})

# The mixed derivatives of a corner peak are larger than the products of those along the axes.
test_that("errors allow for terms in several variables that lines do not predict", {
  set.seed(8)
  for (dim in c(4, 5, 6)) for (i in 1:4) {
    a <- runif(dim)
    a <- 1.85 * a / sum(a)
    f <- function(x) (1 + sum(a * x))^-(dim + 1)
    corners <- as.matrix(expand.grid(rep(list(0:1), dim)))
    true <- sum((-1)^rowSums(corners) / (1 + corners %*% a)) / (factorial(dim) * prod(a))
    for (tol in 10^-c(3, 5, 7)) {
      r <- sparse(f, dim, tol)
      expect_lte(abs(r$value - true), r$abs.error, label = paste(dim, i, tol))
    }
  }
})

test_that("bumps outside the planes through the middle are found, or results are flagged", {
  set.seed(4)
  for (dim in 4:6) for (i in 1:8) {
    u <- runif(dim)
    a <- sqrt(30 * runif(1, 0.3, 2))
    true <- 1 + 0.3 * prod(sqrt(pi) / a * (pnorm(a * (1 - u) * sqrt(2)) - pnorm(-a * u * sqrt(2))))
    r <- sparse(function(x) 1 + 0.3 * exp(-sum((a * (x - u))^2)), dim, 1e-7)
    if (r$status == "converged") expect_lte(abs(r$value / true - 1), 1e-7, label = paste(dim, i))
  }
})

test_that("the rules of a sparse product lie between breaks", {
  a <- c(0.9, 1.4, 0.6, 1.1, 0.8, 1.2)
  u <- c(0.31, 0.5, 0.77, 0.2, 0.6, 0.45)
  r <- sparse(function(x) exp(-sum(a * abs(x - u))), 6)
  expect_right(r, prod((-expm1(-a * u) - expm1(-a * (1 - u))) / a), 1e-8)
  expect_lt(r$evaluations, 2e5)
})

test_that("a device evaluates the same points", {
  skip_without_device()
  for (f in list(function(x) cos(0.7 + sum(x)), function(x) exp(-sum(abs(x - 0.3) / (1:7))))) {
    both <- lapply(c("cpu", "opencl"), function(backend) sparse(f, 7, backend = backend))
    expect_equal(both[[2]]$backend, "opencl")
    expect_identical(both[[1]]$evaluations, both[[2]]$evaluations)
    expect_equal(both[[1]]$value, both[[2]]$value, tolerance = 1e-12)
    expect_equal(both[[1]]$abs.error, both[[2]]$abs.error, tolerance = 1e-4)
  }
})

test_that("a sparse product ends with its share of the evaluations, and states an error that holds", {
  f <- function(x) exp(-sum((5 * (x - 0.3))^2))
  true <- (sqrt(pi) / 5 * (pnorm(3.5 * sqrt(2)) - pnorm(-1.5 * sqrt(2))))^8
  r <- suppressWarnings(gintegrate(f, rep(0, 8), 1, method = "product", rel.tol = 1e-10, max.eval = 2e5))
  expect_equal(as.character(r$status), "max.eval")
  expect_lte(r$evaluations, 2e5)
  expect_lte(abs(r$value - true), r$abs.error)
})
