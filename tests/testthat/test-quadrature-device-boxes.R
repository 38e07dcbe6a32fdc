# A few integrals over boxes: the CPU bisects, and the whole device evaluates the boxes of each round.  A parameter
# selects the integrand, because a driver takes seconds to build a program.  No two axes or boxes are equivalent:
# otherwise rounding decides which one is bisected.

sided <- function(x, k, which) {
  s <- sum(seq_along(x) * x)
  if (which == 1) exp(-k * s)
  else if (which == 2) (if (x[1] > k) exp(-k * s) else 0)
  else if (which == 3) (if (s > 2 * k) exp(-k * s) else 0)
  else if (which == 4) sqrt(x[1] - k)                                 # NaN
  else if (which == 5) exp(-s) / sqrt(abs(x[1] - k))
  else 0 * s
}

sides <- function(d) sqrt(1 + seq_len(d)) / 3

# Returns the exact integral of the first two integrands.
sided_true <- function(d, k, which) {
  from <- c(if (which == 2) k else 0, rep(0, d - 1))
  prod((exp(-k * (1:d) * from) - exp(-k * (1:d) * sides(d))) / (k * 1:d))
}

expect_same_sided <- function(d, k, which, ..., tolerance = 1e-10)
  expect_both_same(sided, rep(0, d), sides(d), params = data.frame(k = k, which = which), method = "cubature", dim = d,
                   ..., tolerance = tolerance)

test_that("one integral uses the same boxes as on the CPU, and is correct", {
  skip_without_device()
  jobs <- list(list(2, 0.3, 1, 1e-9), list(2, 0.37, 2, 1e-7), list(5, 0.3, 1, 1e-6), list(5, 0.37, 2, 1e-2),
               list(8, 0.2, 1, 1e-4), list(8, 0.37, 2, 0.3))
  for (job in jobs) {
    r <- expect_same_sided(job[[1]], job[[2]], job[[3]], rel.tol = job[[4]])
    label <- paste(format(job), collapse = " ")
    expect_equal(as.character(r$status), "converged", label = label)
    expect_gt(r$evaluations, 17, label = label)
    expect_lte(abs(r$value - sided_true(job[[1]], job[[2]], job[[3]])), r$abs.error, label = label)
  }
})

test_that("a few integrals do not affect each other", {
  skip_without_device()
  rows <- data.frame(k = c(0.3, 0.37, 0.21, 0.6), which = c(1, 2, 3, 6))
  r <- expect_same_sided(2, rows$k, rows$which, rel.tol = 1e-5)
  expect_true(all(r$status == "converged"))
  expect_equal(r$value[1:2], c(sided_true(2, 0.3, 1), sided_true(2, 0.37, 2)), tolerance = 1e-5)
  expect_identical(r$value[4], 0)
  for (i in 1:3) {
    alone <- gintegrate(sided, c(0, 0), sides(2), params = rows[i, ], method = "cubature", dim = 2, rel.tol = 1e-5,
                        backend = "opencl")
    expect_identical(c(alone$value, alone$abs.error, alone$evaluations),
                     c(r$value[i], r$abs.error[i], r$evaluations[i]))
  }
  end <- sides(2)
  turned <- expect_both_same(sided, cbind(end[1], c(0, 1, NA)), cbind(0, c(end[2], 1, 1)), dim = 2, method = "cubature",
                             params = data.frame(k = 0.3, which = c(1, 1, 2)), rel.tol = 1e-6, tolerance = 1e-10)
  expect_equal(turned$value, c(-sided_true(2, 0.3, 1), 0, NaN), tolerance = 1e-6)
})

test_that("non-finite values and max.eval are reported as on the CPU", {
  skip_without_device()
  r <- expect_same_sided(2, sides(1) / 2, c(4, 5, 6), rel.tol = 1e-3)              # also infinite at the centre
  expect_equal(as.character(r$status), c("not finite", "converged", "converged"))
  expect_equal(r$value[3], 0)
  r <- expect_same_sided(5, c(0.3, 0.37), 1:2, rel.tol = 1e-12, max.eval = 2e4)
  expect_equal(as.character(r$status), rep("max.eval", 2))
  expect_lte(max(r$evaluations), 2e4)
  expect_gt(min(r$evaluations), 2e4 - 2 * 93)
  expect_true(all(abs(r$value - c(sided_true(5, 0.3, 1), sided_true(5, 0.37, 2))) <= r$abs.error))
})

test_that("a round of many boxes takes several kernel runs", {
  skip_without_device()
  skip_on_cran()
  r <- expect_same_sided(2, 0.41, 3, rel.tol = 1e-12, max.eval = 2e6, tolerance = 1e-8)
  expect_gt(r$evaluations, 1.9e6)
})

test_that("the whole device finishes integrals of a batch that exceed the storage of a work group", {
  skip_without_device()
  skip_on_cran()
  r <- expect_same_sided(2, c(rep(0.3, 11), 0.41), c(rep(1, 11), 3), rel.tol = 1e-11, max.eval = 3e6,
                         tolerance = 1e-8)
  expect_gt(r$evaluations[12], 2 * 17 * 65536)
  expect_equal(as.character(r$status), rep(c("converged", "max.eval"), c(11, 1)))
})

run_side <- function(backend) {
  suppressWarnings(gintegrate(sided, c(0, 0), 1, params = data.frame(k = 0.41, which = 3), method = "cubature",
                              dim = 2, rel.tol = 1e-12, max.eval = 4e5, backend = backend),
                   classes = "gintegrate_warning_status")
}

test_that("under \"auto\" a device computes long rounds, with the same result", {
  skip_without_device()
  threads <- stable_threads(1)
  on.exit({
    stable_threads(threads)
    auto_as_usual()
  })
  cpu <- run_side("cpu")
  stable_backend("auto")
  auto_takes_any_device(1000)
  r <- run_side("auto")
  expect_equal(r$backend, "opencl")
  expect_identical(r$evaluations, cpu$evaluations)
  expect_equal(r$value, cpu$value, tolerance = 1e-12)
  expect_equal(gintegrate(function(x, y) exp(x * y), c(0, 0), 1, method = "cubature")$backend, "threads")  # short
})

test_that("a device failure between rounds is an error if selected by name, and the CPU continues under \"auto\"", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  cpu <- run_side("cpu")
  count_calls()
  run_side("opencl")
  calls <- calls_so_far()
  for (first in round(calls * c(0.5, 0.9, 1))) {
    inject_faults(first, Inf)
    expect_error(run_side("opencl"), class = "stablecl_error_device")
  }
  no_faults()
  stable_backend("auto")
  auto_takes_any_device(1000)
  expect_equal(run_side("auto")$backend, "opencl")
  count_calls()
  run_side("auto")
  calls <- calls_so_far()
  for (first in c(1, round(0.8 * calls))) {
    inject_faults(first, Inf)
    expect_warning(r <- run_side("auto"), "failed", class = "stablecl_warning_device")
    expect_identical(r$evaluations, cpu$evaluations)
    expect_equal(r$value, cpu$value, tolerance = 1e-12)
    expect_equal(r$backend, if (first == 1) "threads" else "opencl")
    no_faults()
    auto_as_usual()
    stable_backend("auto")
    auto_takes_any_device(1000)
  }
})

test_that("an interrupt between rounds keeps finished integrals", {
  skip_without_device()
  skip_on_cran()
  skip_on_os("windows")
  run <- function(which) {
    rows <- data.frame(k = 0.3, which = which)
    suppressWarnings(gintegrate(sided, c(0, 0), sides(2), params = rows, method = "cubature", dim = 2, rel.tol = 1e-9,
                                max.eval = 1e9, backend = "opencl"))
  }
  run(1)                                                                  # builds the program
  system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()), wait = TRUE)
  r <- tryCatch(run(c(1, 3, 1)), interrupt = function(e) NULL)
  skip_if(is.null(r), "the interrupt came too early")
  expect_equal(as.character(r$status), c("converged", "interrupted", "converged"))
  expect_equal(r$value, c(sided_true(2, 0.3, 1), NA, sided_true(2, 0.3, 1)), tolerance = 1e-9)
})

# A group of work items, or rounds of the whole device if there are many boxes, and the same on the CPU.
test_that("devices compare neighbours and examine the range as the CPU does", {
  skip_without_device()
  set.seed(5)
  p <- data.frame(a = stats::runif(20), b = stats::runif(20), w = c(0.003, 0.01))
  run <- function(p, backend, ...)
    suppressWarnings(gintegrate(function(x, y, a, b, w) exp(-((x - a)^2 + (y - b)^2) / (2 * w^2)), c(0, 0), 1,
                                params = p, method = "cubature", abs.tol = 0, backend = backend, ...))
  for (tol in c(1e-3, 1e-6)) {
    device <- run(p, "opencl", rel.tol = tol)
    cpu <- run(p, "cpu", rel.tol = tol)
    expect_true(all(device$status == "converged"))
    expect_equal(device$value, cpu$value, tolerance = 1e-12)
    expect_identical(device$evaluations, cpu$evaluations)
  }
  # With fewer than 256 * 21 evaluations, they stop examining the range at different boxes.
  few <- lapply(c("opencl", "cpu"), function(backend) run(p, backend, rel.tol = 1e-6, max.eval = 14000))
  expect_true(all(few[[2L]]$status == "max.eval"))
  expect_identical(few[[1L]]$status, few[[2L]]$status)
  expect_identical(few[[1L]]$evaluations, few[[2L]]$evaluations)
  expect_equal(few[[1L]]$abs.error, few[[2L]]$abs.error, tolerance = 1e-9)
})
