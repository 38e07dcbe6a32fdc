# Methods "lattice" and "vegas", and "auto", in more than 12 dimensions.

is_within <- function(r, value, errors = 4) {
  expect_equal(as.character(r$status), "converged")
  expect_lte(abs(r$value - value), errors * r$abs.error)
}

test_that("products and sums in up to 100 dimensions have their known values", {
  for (dim in c(13, 40, 100)) {
    a <- seq_len(dim) / dim
    smooth <- function(x) prod(1 + a * (x - 0.5)^2)
    kinked <- function(x) sum(a * abs(x - 0.3)) / dim
    for (method in c("lattice", "vegas")) {
      control <- list(seed = dim)
      is_within(gintegrate(smooth, rep(0, dim), 1, method = method, rel.tol = 1e-3, control = control),
                prod(1 + a / 12))
      is_within(gintegrate(kinked, rep(0, dim), 1, method = method, rel.tol = 1e-3, control = control),
                0.29 * sum(a) / dim)
    }
  }
})

test_that("standard errors in 20 and 50 dimensions are those of a normal distribution", {
  for (method in c("lattice", "vegas")) {
    z <- vapply(1:30, function(seed) {
      set.seed(seed)
      dim <- if (seed %% 2) 20 else 50
      a <- runif(dim, 0, 40 / dim)
      u <- runif(dim)
      r <- suppressWarnings(gintegrate(function(x) exp(-sum(a * abs(x - u))), rep(0, dim), 1, method = method,
                                       rel.tol = 1e-2, max.eval = 4e5, control = list(seed = seed)))
      (r$value - prod((2 - exp(-a * u) - exp(-a * (1 - u))) / a)) / r$abs.error
    }, 0)
    expect_lt(max(abs(z)), 5)
    expect_lt(mean(abs(z) > 2), 0.25)
  }
})

test_that("expectations over 13 and 50 normal variables have their known values", {
  for (dim in c(13, 50)) {
    second <- function(x) sum(x)^2 / dim * prod(dnorm(x))
    is_within(gintegrate(second, rep(-Inf, dim), Inf, method = "lattice", rel.tol = 5e-3, control = list(seed = 1)), 1)
  }
  centre <- seq(-3, 4, length.out = 13)
  precision <- solve(0.8^abs(outer(1:13, 1:13, `-`)))
  density <- function(x) sqrt(det(precision) / (2 * pi)^13) * exp(-sum((x - centre) * (precision %*% (x - centre))) / 2)
  is_within(gintegrate(density, rep(-Inf, 13), Inf, rel.tol = 1e-3, control = list(seed = 1)), 1, 1)
  is_within(gintegrate(function(x) exp(-sum(x)), rep(0, 15), Inf, rel.tol = 1e-2, control = list(seed = 1)), 1, 1)
})

# The geometric mean has a lognormal distribution.  The reference for the arithmetic mean is that of 800000 simulated
# paths with the geometric mean as control variate, and has the standard error 2.8e-4.
test_that("Asian options with 64 dates have their known prices", {
  step <- 1 / 64
  path <- function(z) log(100) + cumsum((0.05 - 0.2^2 / 2) * step + 0.2 * sqrt(step) * z)
  geometric <- function(z) exp(-0.05) * max(exp(mean(path(z))) - 100, 0) * prod(dnorm(z))
  arithmetic <- function(z) exp(-0.05) * max(mean(exp(path(z))) - 100, 0) * prod(dnorm(z))
  price <- function(f) gintegrate(f, rep(-Inf, 64), Inf, method = "lattice", rel.tol = 5e-3, control = list(seed = 1))
  is_within(price(geometric), 5.6204344318)
  is_within(price(arithmetic), 5.8367640)
})

test_that("a function that is not translated is integrated in many dimensions", {
  f <- function(u) sum(qnorm(u))^2
  r <- suppressMessages(gintegrate(f, rep(0, 20), 1, method = "lattice", rel.tol = 0.1, max.eval = 5e4,
                                   control = list(seed = 1)))
  expect_equal(r$backend, "R")
  is_within(r, 20)
})

test_that("a device returns the same in many dimensions", {
  skip_without_device()
  f <- function(x) exp(-sum(abs(x - 0.3)) / 5)
  for (method in c("lattice", "vegas")) {
    on <- function(backend) gintegrate(f, rep(0, 30), 1, method = method, rel.tol = 1e-3, control = list(seed = 1),
                                       backend = backend)
    expect_equal(on("opencl")$value, on("cpu")$value, tolerance = 1e-12)
    expect_equal(on("opencl")$evaluations, on("cpu")$evaluations)
  }
})

test_that("more than 100 dimensions, and methods for fewer, are errors", {
  expect_error(gintegrate(function(x) sum(x), rep(0, 101), 1), "must be from 1 to 100, not 101",
               class = "stablecl_error_argument")
  expect_error(gintegrate(function(x) sum(x), rep(0, 13), 1, method = "product"), class = "stablecl_error_argument")
})
