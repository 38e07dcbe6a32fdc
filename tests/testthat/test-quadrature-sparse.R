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
  peaks <- list(c(0.753, 0.614, 0.303, 0.677, 0.274, 0.878, 0.724), c(0.651, 0.481, 0.0282, 0.378, 2.01, 0.77))
  for (a in peaks) {
    dim <- length(a)
    corners <- as.matrix(expand.grid(rep(list(0:1), dim)))
    true <- sum((-1)^rowSums(corners) / (1 + corners %*% a)) / (factorial(dim) * prod(a))
    for (tol in 10^-(3:8)) {
      r <- sparse(function(x) (1 + sum(a * x))^-(dim + 1), dim, tol)
      expect_lte(abs(r$value - true), r$abs.error, label = paste(dim, tol))
    }
  }
})

# Most points of a sparse product differ from the middle in a few coordinates; the product that checks it has others.
test_that("a peak away from the planes through the middle is detected", {
  u <- c(0.512, 0.184, 0.792, 0.772, 0.577, 0.915, 0.117, 0.783)
  true <- 1 + 0.114 * prod(sqrt(pi) / 7.4 * (pnorm(7.4 * (1 - u) * sqrt(2)) - pnorm(-7.4 * u * sqrt(2))))
  for (tol in 10^-(3:8)) {
    r <- sparse(function(x) 1 + 0.114 * exp(-sum((7.4 * (x - u))^2)), 8, tol)
    expect_lte(abs(r$value - true), r$abs.error, label = tol)
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
