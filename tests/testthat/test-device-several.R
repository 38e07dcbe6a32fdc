# Jobs on two devices ("opencl:all"): both compute, and the results are those of one.  In a process of its own, in which
# PoCL presents the processor as two devices if the machine has no two GPUs.

expect_shared <- function(found) {
  for (name in names(found)) {
    expect_true(found[[name]]$identical, info = name)
    expect_true(found[[name]]$close, info = name)
    expect_gt(min(found[[name]]$launches), 1)
  }
}

expect_survived <- function(report) {
  expect_identical(report$findings, character())
  expect_gt(report$errors, 0)
  expect_match(report$message, "One of 2 devices failed", fixed = TRUE)
  expect_match(report$message, sprintf("opencl:%s '%s'", report$row, report$device), fixed = TRUE)
}

test_that("two devices share a batch of integrals", {
  found <- with_two_devices({
    w <- 10^seq(-3, 0, length.out = 20000)
    batch <- function(method, ...) function() {
      r <- as.data.frame(gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = method,
                                    params = data.frame(w = w), ...))
      as.list(r[c("value", "abs.error", "evaluations")])
    }
    compare_devices(list(gk = batch("gk"), simpson = batch("simpson"), tanhsinh = batch("tanhsinh")))
  })
  expect_shared(found)
})

test_that("two devices share the points of one integral over a box", {
  found <- with_two_devices({
    peak <- function(x, y) exp(-20 * (x - 0.3)^2 - y)
    box <- function(method, ..., f = peak) function() {
      r <- suppressWarnings(gintegrate(f, c(0, 0), 1, method = method, ...))
      list(r$value, r$abs.error, r$evaluations)
    }
    long <- function(x, y) sum(cos((1:40) * x * y) / (1:40))
    compare_devices(list(
      vegas = box("vegas", rel.tol = 1e-7, max.eval = 3e6, control = list(seed = 3)),
      lattice = box("lattice", rel.tol = 1e-11, max.eval = 2e6, control = list(seed = 3)),
      product = function() {
        r <- gintegrate(function(a, b, c, d, e) cos(5 * (a + b * c + d * e)), numeric(5), 1, method = "product",
                        rel.tol = 1e-10, max.eval = 5e7)
        list(r$value, r$abs.error, r$evaluations)
      },
      cubature = box("cubature", rel.tol = 1e-10, max.eval = 4e5, f = long),
      components = box("cubature", rel.tol = 1e-10, f = function(x, y) c(cos(9 * x * y), sin(7 * x + y)), n.value = 2)))
  })
  expect_shared(found)
})

test_that("a failure of one of two devices in an integral over a box is an error that names it", {
  expect_survived(with_two_devices({
    sweep_second(function() {
      suppressWarnings(gintegrate(function(x, y) exp(-20 * (x - 0.3)^2 - y), c(0, 0), 1, method = "vegas",
                                  rel.tol = 1e-4, max.eval = 2e5, control = list(seed = 3)))$value
    }, most = 8)
  }))
})

test_that("a failure of one of two devices in a batch of integrals is an error that names it", {
  expect_survived(with_two_devices({
    w <- 10^seq(-3, 0, length.out = 6000)
    sweep_second(function() gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = "gk",
                                       params = data.frame(w = w))$value, most = 8)
  }))
})

test_that("forked children of a process that uses two devices compute on the CPU, and an interrupt ends a batch", {
  skip_on_os("windows")
  found <- with_two_devices({
    w <- 10^seq(-3, 0, length.out = 20000)
    run <- function(n = 20000) gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = "gk",
                                          params = data.frame(w = rep_len(w, n)))$value
    stable_backend("opencl:all")
    here <- run()
    there <- in_fork(list(value = run(), backend = stable_backend()$backend))
    stopped <- tryCatch({
      setTimeLimit(elapsed = 0.5)
      run(2e7)
    }, error = conditionMessage)
    setTimeLimit()
    list(here = here, there = there, stopped = stopped, again = run(), open = stable_backend()$open)
  })
  expect_identical(found$there$backend, "cpu")
  expect_equal(found$there$value, found$here, tolerance = 1e-8)
  expect_match(found$stopped, "elapsed time limit")
  expect_identical(found$again, found$here)
  expect_true(found$open)
})
