# Log-likelihoods of many distributions in one call.
logliks <- function(...) stablecl:::stable_data_logliks(...)

test_that("log-likelihoods agree with those of single distributions", {
  x <- fit_sample_of(700, 1.3, 0.4, 2, 1)
  laws <- rbind(c(1.3, 0.4, 2, 1), c(1.3, 0.4, 1, 0), c(0.35, -0.9, 2, 1), c(1, 1, 2, 1), c(1.999, 0, 3, 0),
                c(2, 0, 3, 0), c(0.2, 0.3, 2, 1))
  each <- apply(laws, 1, function(p) loglik_at(x, p))
  expect_lt(max(abs(logliks(x, laws) - each)), 1e-9 * 700)
  expect_equal(logliks(x, laws)[7], each[7], tolerance = 1e-13)          # outside the tables: exact
  s1 <- laws[-4, ]
  each <- apply(s1, 1, function(p) sum(dstable(x, p[1], p[2], p[3], p[4], pm = 1, log = TRUE)))
  expect_lt(max(abs(logliks(stablecl:::stable_data_put(x), s1, 1) - each)), 1e-9 * 700)
})

test_that("log-likelihoods do not depend on threads, and long data are summed in blocks", {
  x <- rep(fit_sample_of(600, 1.3, 0.4), 20)
  laws <- cbind(seq(1.1, 1.7, length.out = 30), 0.2, 1, 0)
  before <- stable_threads(1L)
  one <- logliks(x, laws)
  stable_threads(2L)
  two <- logliks(x, laws)
  stable_threads(before)
  expect_identical(two, one)
  expect_equal(one, 20 * logliks(x[1:600], laws), tolerance = 1e-12)
})

test_that("zero densities give -Inf, and invalid parameters NaN or an error", {
  x <- c(-1, 1)
  expect_identical(logliks(x, rbind(c(0.5, 1, 1, 10))), -Inf)
  expect_true(is.nan(logliks(x, rbind(c(2.5, 0, 1, 0)))))
  expect_identical(logliks(numeric(), rbind(c(1.5, 0, 1, 0))), 0)
  expect_length(logliks(x, matrix(0, 0, 4)), 0)
  expect_error(logliks(x, c(1, 0, 1, 0)), "four columns")
})

test_that("log-likelihoods of a device agree with those of the CPU, for any distributions", {
  skip_without_device()
  on <- function(backend, code) {
    local_stable_backend(backend)
    code
  }
  laws <- rbind(c(1.3, 0.4, 2, 1), c(0.35, -0.9, 2, 1), c(1, 1, 2, 1), c(2, 0, 3, 0), c(0.2, 0.3, 2, 1),
                c(0.5, 1, 1, 300), c(2.5, 0, 1, 0), c(1.5, 0.2, 1e-3, 0))
  few <- sort(fit_sample_of(700, 1.3, 0.4, 2, 1))
  far <- sort(c(few, 1e7 * (1:40), -1e9))                      # more elements outside the tables than a device lists
  for (x in list(few, far, few[1])) {
    for (pm in 0:1) {
      here <- on("cpu", logliks(x, laws, pm))
      calls <- opencl_calls_of(there <- on("opencl", logliks(x, laws, pm)))
      expect_gt(calls, 10)
      expect_identical(is.finite(there), is.finite(here))
      expect_equal(there, here, tolerance = 1e-14)
    }
  }
  expect_identical(on("opencl", logliks(rev(few), laws)), on("cpu", logliks(rev(few), laws)))  # not sorted: the CPU
  kept <- stablecl:::stable_data_put(few)
  expect_equal(on("opencl", logliks(kept, laws)), on("cpu", logliks(few, laws)), tolerance = 1e-14)
})
