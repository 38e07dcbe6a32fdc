# Few integrals of integrands that take long: all threads, or a device, evaluate the points of each.

library(stablecl)

waves <- function(x, a = 1) {
  s <- 0
  for (k in 1:400) s <- s + sin(k * x) / k^2
  s + a
}
k <- 1:400
true <- sum((1 - cos(3 * k)) / k^3) + 3
methods <- c("gk", "simpson", "tanhsinh", "blockcut")

run <- function(method, ...) {
  control <- if (method == "blockcut") list(cells = 64) else list()
  gintegrate(waves, 0, 3, method = method, rel.tol = 1e-6, control = control, ...)
}

test_that("the result of a long integral does not depend on the number of threads", {
  before <- stable_threads()
  on.exit(stable_threads(before))
  for (method in methods) {
    stable_threads(1)
    one <- run(method)
    stable_threads(2)
    two <- run(method)
    expect_equal(one$value, true, tolerance = 1e-6, label = method)
    for (part in c("value", "abs.error", "evaluations", "status"))
      expect_identical(two[[part]], one[[part]], label = paste(method, part))
  }
})

test_that("a device evaluates the points of a few long integrals that the CPU chooses", {
  skip_without_device()
  for (method in methods) {
    cpu <- run(method, params = data.frame(a = c(1, -2)), backend = "cpu")
    device <- run(method, params = data.frame(a = c(1, -2)), backend = "opencl")
    expect_equal(device$backend, "opencl", label = method)
    expect_equal(cpu$value, true - c(0, 9), tolerance = 1e-6, label = method)
    expect_equal(device$value, cpu$value, tolerance = 1e-13, label = method)
    expect_identical(device$evaluations, cpu$evaluations, label = method)
    expect_identical(device$status, cpu$status, label = method)
  }
})

test_that("long integrals of Fourier type are computed by all threads and on a device", {
  damped <- function(x) {
    s <- 0
    for (k in 1:400) s <- s + exp(-x * k) / k
    s
  }
  fourier <- function(...) gintegrate(damped, 0, Inf, method = "fourier", control = list(omega = 2, weight = "cos"),
                                      rel.tol = 1e-8, ...)
  cpu <- fourier(backend = "cpu")
  expect_equal(cpu$value, sum(1 / (k^2 + 4)), tolerance = 1e-8)
  skip_without_device()
  device <- fourier(backend = "opencl")
  expect_equal(device$backend, "opencl")
  expect_equal(device$value, cpu$value, tolerance = 1e-12)
  expect_identical(device$evaluations, cpu$evaluations)
})
