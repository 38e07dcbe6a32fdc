# Lock-step fits of many data sets on a device (src/fit/lockstep.c) agree with fits on the CPU.

device_samples <- function() {
  laws <- rbind(expand.grid(alpha = c(0.35, 0.6, 1, 1.4, 1.8, 1.98), beta = c(-1, -0.4, 0, 1)),
                data.frame(alpha = c(0.2, 0.28, 2), beta = c(0.3, 0, 0)))
  sizes <- rep(c(9, 60, 400, 5000), length.out = nrow(laws))
  sets <- Map(function(n, a, b, i) fit_sample_of(n, a, b, 3, -2, seed = i), sizes, laws$alpha, laws$beta,
              seq_len(nrow(laws)))
  c(sets, list(round(sets[[3]]), rep(c(1, 2), c(30, 20)), rexp(300), c(fit_sample_of(99, 1.5, 0), 1e9, NA), 1:3,
               letters, -sets[[7]]))
}

# Expects estimates that differ by a small fraction of a standard error, and otherwise equal fits.
expect_same_fits <- function(there, here) {
  expect_identical(unname(there$error), unname(here$error))
  good <- which(here$error == "")
  relative <- abs(there$results$loglik - here$results$loglik)[good] / pmax(1, abs(here$results$loglik[good]))
  expect_lt(max(relative), 1e-9)
  sd <- stablecl:::fits_sd(here)
  off <- abs(unname(coef(there)) - unname(coef(here))) / ifelse(is.na(sd), 1, sd)
  expect_lt(max(off, na.rm = TRUE), 1e-5)
  expect_identical(unname(is.na(coef(there))), unname(is.na(coef(here))))
  expect_equal(unname(stablecl:::fits_sd(there)), unname(sd), tolerance = 1e-4)
  expect_identical(there$results$active, here$results$active)
  expect_identical(there$results$notes, here$results$notes)
}

test_that("device and CPU fits agree for all distributions, sample sizes and arguments, and with bad data sets", {
  skip_without_device()
  sets <- device_samples()
  requests <- list(list(), list(method = "quantile"), list(method = "grid"), list(fixed = list(beta = 0), pm = 1),
                   list(start = c(alpha = 1.2)), list(fixed = list(alpha = 2)),
                   list(fixed = list(alpha = 0.5, beta = 1)))
  for (request in requests) {
    fit <- function() do.call(stablefit, c(list(sets), request))
    here <- on_backend("cpu", fit())
    stable_fit_times()
    there <- on_backend("opencl", using_threads(2L, fit()))         # the CPU finishes more fits with more threads
    if (!identical(request$fixed, list(alpha = 2))) expect_gt(stable_fit_times()[["requests"]], length(sets) / 2)
    expect_same_fits(there, here)
  }
})

test_that("fits on a device do not depend on the number of threads or data sets", {
  skip_without_device()
  skip_on_cran()
  sets <- rep(lapply(1:12, function(i) fit_sample_of(150, 0.5 + i / 9, sin(i), seed = i)), 3)
  few <- on_backend("opencl", using_threads(1L, stablefit(sets[1:12])))
  many <- on_backend("opencl", using_threads(2L, stablefit(sets)))
  expect_same_fits(many[1:12], few)
  expect_same_fits(many[25:36], few)
})

test_that("a device adds samples of several parts, and those mostly outside the tensor approximation, like the CPU", {
  skip_without_device()
  skip_on_cran()
  sets <- lapply(c(200, 2500, 1024, 1025, 40), function(n) fit_sample_of(n, 1.6, 0.4, seed = n))
  fit <- function() stablefit(sets)
  expect_same_fits(on_backend("opencl", fit()), on_backend("cpu", fit()))
  laws <- cbind(alpha = c(1.6, 1.6, 0.7, 1.2), beta = c(0.4, 1, -1, 1), gamma = c(1, 0.6, 1, 1), delta = c(0, 2, 0, 0))
  for (x in sets) {
    logliks <- function() stablecl:::stable_data_logliks(stablecl:::stable_data_put(sort(x)), laws, 0)
    there <- on_backend("opencl", logliks())
    expect_equal(there, on_backend("cpu", logliks()), tolerance = 1e-8)
    each <- apply(laws, 1, function(l) sum(dstable(x, l[1], l[2], l[3], l[4], log = TRUE)))
    expect_equal(there, each, tolerance = 1e-8)
  }
})

test_that("a device selected by name computes all sums of single fits, and all log-likelihoods of grids", {
  skip_without_device()
  on.exit(stable_fit_times())
  for (law in list(c(1.5, 0.5), c(0.4, 0.2), c(2, 0))) {
    x <- fit_sample_of(400, law[1], law[2], 3, -2, seed = 7)
    for (method in c("mle", "grid", "quantile")) {
      here <- on_backend("cpu", stablefit(x, method))
      stable_fit_times()
      calls <- opencl_calls_of(there <- on_backend("opencl", stablefit(x, method)))
      times <- stable_fit_times()
      expect_identical(times[["on.cpu"]], 0)
      if (method == "grid") expect_gt(calls, 8 * there$convergence$iterations)      # a job of about ten for each grid
      else expect_gte(times[["requests"]], 1)
      expect_equal(unname(coef(there)), unname(coef(here)), tolerance = 1e-7)
      expect_equal(c(logLik(there)), c(logLik(here)), tolerance = 1e-12)
    }
  }
})

test_that("fits that follow one another share the buffers of a device, and copy the results of a round at once", {
  skip_without_device()
  local_stable_backend("opencl")
  calls <- function() calls_by_name("CreateBuffer", "EnqueueReadBuffer")
  x <- fit_sample_of(1000, 1.5, 0.5, seed = 32)
  on.exit(no_faults(), add = TRUE, after = FALSE)
  count_calls()
  stablefit(x)                                                 # opens the device and creates the buffers
  before <- calls()
  stable_fit_times()                                           # sets the counts to 0
  stablefit(x[-1])
  expect_gt(rounds <- stable_fit_times()[["rounds"]], 5)
  expect_equal(calls(), before + c(0, rounds))
})

test_that("a device selected by name computes the sums of fits with weights and of samples too large for lock-step", {
  skip_without_device()
  skip_on_cran()
  large <- fit_sample_of(40000, 1.4, 0.3, seed = 8)
  few <- large[1:500]
  for (fit in list(function() stablefit(large), function() stablefit(few, weights = rep(1:2, 250)),
                   function() stablefit(list(few, large))[[2]])) {
    here <- on_backend("cpu", fit())
    calls <- opencl_calls_of(there <- on_backend("opencl", fit()))
    expect_gt(calls, 300)                                      # about ten for each of 30 or more sums
    expect_lt(max(abs(coef(there) - coef(here)) / sqrt(diag(vcov(here)))), 1e-5)
    expect_equal(c(logLik(there)), c(logLik(here)), tolerance = 1e-11)
  }
})

test_that("the CPU adds elements outside the range of the approximation", {
  skip_without_device()
  sets <- lapply(1:24, function(i) c(fit_sample_of(200, 1.6, 0.9, seed = i), rep(-1e4 * i, i)))
  expect_same_fits(on_backend("opencl", stablefit(sets)), on_backend("cpu", stablefit(sets)))
})

test_that("a device failure is an error if the device was selected by name; under auto the CPU finishes the fits", {
  skip_without_device()
  skip_on_cran()
  threads <- stable_threads()
  stable_threads(2L)
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    auto_as_usual()
    stable_threads(threads)
  })
  sets <- lapply(1:40, function(i) fit_sample_of(100, 1.5, 0.2, seed = i))
  here <- on_backend("cpu", stablefit(sets))
  stable_backend("opencl")
  stablefit(sets)                                          # runs the self-test, so that it is not counted
  by_name <- opencl_calls_of(stablefit(sets))
  stable_backend("auto")
  auto_takes_any_device(10)
  by_auto <- opencl_calls_of(stablefit(sets))              # the CPU finishes the last fits
  for (share in c(0.01, 0.3, 0.9)) {
    stable_backend("opencl")
    inject_faults(round(share * by_name), Inf)
    expect_error(stablefit(sets), class = "stablecl_error_device")
    stable_backend("auto")
    auto_takes_any_device(10)
    inject_faults(round(share * by_auto), Inf)
    expect_warning(there <- stablefit(sets), "failed", class = "stablecl_warning_device")
    expect_same_fits(there, here)
    expect_silent(suppressMessages(stablefit(sets)))                         # the warning is given only once
    no_faults()
  }
})

test_that("corrupted sums from a device are detected", {
  skip_without_device()
  threads <- stable_threads()
  stable_threads(2L)
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    stable_backend("default")
    stable_threads(threads)
  })
  sets <- lapply(1:40, function(i) fit_sample_of(100, 1.5, 0.2, seed = i))
  stable_backend("opencl")
  stablefit(sets)
  spoil_results()
  expect_error(stablefit(sets), "[Aa] list |wrong results", class = "stablecl_error_device")
  expect_error(stablefit(sets, "quantile"), "wrong results", class = "stablecl_error_device")
})

test_that("after an interrupt the finished fits are returned", {
  skip_without_device()
  skip_on_cran()
  skip_on_os("windows")
  sets <- rep(lapply(1:50, function(i) fit_sample_of(60, 0.4 + i / 40, sin(i), seed = i)), 10)
  interrupt_in_call("run_fits", 2)
  local_stable_backend("opencl")
  expect_warning(fits <- stablefit(sets), "Interrupted", class = "stablecl_warning_interrupted")
  done <- sum(fits$error == "")
  expect_gt(done, 0)
  expect_lt(done, length(sets))
  expect_identical(unique(unname(fits$error[fits$error != ""])), "Interrupted before this data set was fitted.")
  expect_same_fits(fits[1:20], on_backend("cpu", stablefit(sets[1:20])))
})
