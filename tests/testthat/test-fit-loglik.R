# Sums of log densities (R/fit-data.R, special/double_double.h), which fits maximise.

BLOCK <- 4096                           # elements of a partial sum
LARGE <- 140000                         # of which a device releases the copy with the handle

put    <- stablecl:::stable_data_put
loglik <- stablecl:::stable_data_loglik

# R's sum() has a 64-bit significand.
expect_sum <- function(got, terms, label = NULL) {
  expect_lte(abs(got - sum(terms)), 4e-16 * abs(sum(terms)) + 1e-18 * sum(abs(terms)), label = label)
}

here <- function() c("cpu", if (is.null(no_device())) "opencl")

sample_of <- function(n, alpha = 1.4, beta = -0.3, ...) {
  set.seed(9)
  rstable(n, alpha, beta, ...)
}

test_that("a log-likelihood is the sum of the log densities", {
  for (backend in here()) {
    local_stable_backend(backend)
    for (n in c(1, 2, 255, 256, 257, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5, 150000)) {
      x <- sample_of(n, 1.4, -0.3, 2, 5)
      expect_sum(loglik(x, 1.4, -0.3, 2, 5), dstable(x, 1.4, -0.3, 2, 5, log = TRUE),
                 label = sprintf("error of %g terms on %s", n, backend))
    }
    for (pm in 0:2) for (alpha in c(0.3, 1, 1.7, 2)) {
      x <- sample_of(1000, alpha, 0.5, 3, -1, pm)
      expect_sum(loglik(x, alpha, 0.5, 3, -1, pm), dstable(x, alpha, 0.5, 3, -1, pm, log = TRUE))
    }
  }
})

test_that("threads, chunks and repetition do not change a bit of the sum", {
  x <- sample_of(40 * BLOCK + 17)
  for (backend in here()) {
    local_stable_backend(backend)
    using_threads(1L, one <- loglik(x, 1.4, -0.3))
    for (again in 1:5) using_threads(2L, expect_identical(loglik(x, 1.4, -0.3), one))
    handle <- put(x)
    for (again in 1:4) expect_identical(loglik(handle, 1.4, -0.3), one)   # chunks grow between the calls
    few <- x[1:(BLOCK + 3)]
    using_threads(1L, one <- loglik(few, 0.6, 0.9))
    using_threads(2L, expect_identical(loglik(few, 0.6, 0.9), one))
  }
})

# 1e16 + 1 - 1e16 is 1 only if the rounding errors are kept.
test_that("small terms are not lost among large ones", {
  for (backend in here()) {
    local_stable_backend(backend)
    x <- rep(0.25, 2 * BLOCK)
    one <- dstable(0.25, 2, 0, log = TRUE)
    weights <- rep(c(1e16, 1, -1e16, 1), each = BLOCK / 2)
    expect_equal(loglik(x, 2, 0, weights = weights), BLOCK * one, tolerance = 1e-13)
    shuffled <- c(1e16, rep(1, 2 * BLOCK - 2), -1e16)
    expect_equal(loglik(x, 2, 0, weights = shuffled), (2 * BLOCK - 2) * one, tolerance = 1e-13)
  }
})

test_that("weights are recycled, and a term with weight 0 is left out", {
  x <- sample_of(2 * BLOCK + 3)
  for (backend in here()) {
    local_stable_backend(backend)
    f <- dstable(x, 1.4, -0.3, log = TRUE)
    w <- c(0.5, 2, 1)
    expect_sum(loglik(x, 1.4, -0.3, weights = w), f * rep_len(w, length(x)))
    expect_identical(loglik(x, 1.4, -0.3, weights = 1), loglik(x, 1.4, -0.3))
    y <- replace(x, 7, Inf)
    expect_identical(loglik(y, 1.4, -0.3), -Inf)
    expect_identical(loglik(y, 1.4, -0.3, weights = replace(rep(1, length(x)), 7, 0)),
                     loglik(replace(x, 7, 0), 1.4, -0.3, weights = replace(rep(1, length(x)), 7, 0)))
  }
})

test_that("empty, infinite, missing and invalid arguments have the same sums as with sum()", {
  for (backend in here()) {
    local_stable_backend(backend)
    expect_identical(loglik(numeric(), 1.5, 0), 0)
    expect_identical(loglik(c(1, Inf, 2), 1.5, 0), -Inf)
    expect_identical(loglik(c(1, -2), 0.5, 1), -Inf)              # outside the support
    expect_true(is.nan(loglik(c(1, NaN, 2), 1.5, 0)))
    expect_true(is.na(loglik(c(1, NA, 2), 1.5, 0)))
    expect_true(is.nan(loglik(1:3, 2.5, 0)))
    expect_identical(loglik(c(0, 1), 1.5, 0, 0), NaN)             # Inf - Inf
    expect_identical(loglik(c(0, 0), 1.5, 0, 0), Inf)
  }
})

test_that("bad arguments are errors", {
  expect_error(put("a"), "numeric")
  expect_error(loglik("a", 1.5, 0), "numeric")
  expect_error(loglik(1, c(1.5, 1.6), 0), "one number")
  expect_error(loglik(1, "a", 0), "one number")
  expect_error(loglik(1, 1.5, 0, pm = 3), "`pm` must be")
  expect_error(loglik(1, 1.5, 0, weights = numeric()), "weights")
})

test_that("handles keep their data, also when several are used in turn", {
  for (backend in here()) {
    local_stable_backend(backend)
    x <- sample_of(BLOCK + 9)
    a <- put(x)
    b <- put(-x)
    right <- c(loglik(x, 1.4, -0.3), loglik(-x, 1.4, -0.3))
    x[] <- 0                                                      # the handle has its own copy
    expect_identical(c(loglik(a, 1.4, -0.3), loglik(b, 1.4, -0.3)), right)
    expect_identical(c(loglik(a, 1.4, -0.3), loglik(1, 1.5, 0), loglik(a, 1.4, -0.3))[c(1, 3)], right[c(1, 1)])
    rm(b)
    gc()
    expect_identical(loglik(a, 1.4, -0.3), right[1])
    expect_identical(loglik(unserialize(serialize(a, NULL)), 1.4, -0.3), right[1])
  }
})

test_that("after a device failure the CPU sums the data of a handle, and no object leaks", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  x <- sample_of(LARGE)
  stable_backend("cpu")
  right <- loglik(x, 1.4, -0.3)
  handle <- put(x)
  stable_backend("auto")
  auto_takes_any_device(10)
  count_calls()
  expect_equal(loglik(handle, 1.4, -0.3), right, tolerance = 1e-12)
  before_last <- calls_so_far()
  expect_gt(before_last, 10)
  inject_faults(before_last / 2, Inf)
  expect_warning(value <- loglik(handle, 1.4, -0.3), class = "stablecl_warning_device")
  expect_equal(value, right, tolerance = 1e-12)
  no_faults()
  stable_backend("opencl")
  close_devices()
  before <- objects_alive()
  count_calls()
  expect_equal(loglik(handle, 1.4, -0.3), right, tolerance = 1e-12)
  kept <- objects_alive()
  rm(handle)
  gc()
  expect_identical(objects_alive(), kept - 1)                     # without the copy of the data
  close_devices()
  expect_identical(objects_alive(), before)
})

test_that("a device keeps the copy of the sample that was used last", {
  skip_without_device()
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  x <- sample_of(LARGE)
  handles <- list(put(x), put(-x))
  close_devices()
  count_calls()
  loglik(x, 1.4, -0.3)
  before <- objects_alive()
  calls_of <- function(k) {
    so_far <- calls_so_far()
    loglik(handles[[k]], 1.4, -0.3)
    expect_identical(objects_alive(), before + 1)
    calls_so_far() - so_far
  }
  calls <- vapply(c(1, 2, 2, 1, 1), calls_of, 0)
  expect_true(all(calls[c(3, 5)] < calls[c(2, 4)]))                 # nothing is copied
  handles <- NULL
  gc()
  expect_identical(objects_alive(), before)
})

test_that("a forked child sums the data of a handle by itself", {
  skip_on_os("windows")
  skip_on_cran()
  for (backend in here()) {
    local_stable_backend(backend)
    handle <- put(sample_of(BLOCK + 1))
    right <- loglik(handle, 1.4, -0.3)
    child <- in_forks(1:2, function(i) loglik(handle, 1.4, -0.3))
    expect_equal(child, list(right, right), tolerance = 1e-12)
    expect_identical(loglik(handle, 1.4, -0.3), right)
  }
})

test_that("the announced number of calls affects the method, not the value", {
  x <- sample_of(BLOCK)
  for (backend in here()) {
    local_stable_backend(backend)
    one <- loglik(x, 1.3, 0.2)
    many <- loglik(x, 1.3, 0.2, calls = 1000)
    expect_equal(many, one, tolerance = 1e-13)
    expect_sum(many, utils::head(dstable(rep(x, 50), 1.3, 0.2, log = TRUE), BLOCK))
  }
})

test_that("fits on a device and the CPU agree", {
  skip_without_device()
  x <- sample_of(3000, 1.6, 0.4, 2, 1)
  fits <- lapply(c("cpu", "opencl"), function(backend) {
    local_stable_backend(backend)
    stablefit(x)
  })
  expect_equal(coef(fits[[2]]), coef(fits[[1]]), tolerance = 1e-6)
  expect_equal(logLik(fits[[2]]), logLik(fits[[1]]), tolerance = 1e-11)
  expect_equal(vcov(fits[[2]]), vcov(fits[[1]]), tolerance = 1e-4)
})
