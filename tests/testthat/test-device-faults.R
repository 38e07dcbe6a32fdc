# No failure of a device ends the session, leaks an object or gives a wrong result.

shapes <- list(alpha = rep(c(0.5, 1, 1.5), length.out = 40), beta = rep(c(-0.3, 0.8), length.out = 40))
fault_data <- c(1e6, seq(-6, 30, length.out = 4000))
fault_samples <- lapply(1:18, function(i) fit_sample_of(40, 1.5, 0, seed = i))
runs <- list(
  eval = function() stable_eval(seq(-4, 4, length.out = 300), 1.5, 0.5, what = c("pdf", "sf"))$pdf,
  eval_varying = function() pstable(1:40, shapes$alpha, shapes$beta),
  # data kept on the device, one call of many: an interpolant, elements outside its range, and sums
  loglik = function() stablecl:::stable_data_loglik(stablecl:::stable_data_put(fault_data), 1.5, 0.5, calls = 50),
  # sums of approximate log densities; the CPU computes one element
  quick = function() stablecl:::stable_data_quick(stablecl:::stable_data_put(fault_data), 1.5, 0.5)$gradient,
  # log-likelihoods of a sample of which most elements are outside the tensor approximation
  outside = function() {
    laws <- cbind(alpha = c(1.6, 1.6), beta = c(0.4, 1), gamma = c(1, 0.6), delta = c(0, 2))
    stablecl:::stable_data_logliks(stablecl:::stable_data_put(seq(-30, 4, length.out = 60)), laws, 0)
  },
  # many samples in a lock-step batch
  many = function() {
    before <- stable_threads(2)
    on.exit(stable_threads(before))
    coef(stablefit(fault_samples, fixed = list(alpha = 1.5, beta = 0, gamma = 1), control = list(tol = 1)))[, "delta"]
  },
  quantile = function() qstable((1:200) / 201, 1.3, -0.5),
  quantile_varying = function() qstable(0.3, shapes$alpha, shapes$beta),
  random = function() {
    set.seed(5)
    rstable(500, 1.7, 0.2)
  },
  # two chunks; some integrals need refinement
  integrals = function() {
    peak <- function(x, w) 1 / ((x - 0.3)^2 + w)
    suppressWarnings(gintegrate(peak, 0, 1, params = data.frame(w = c(10^seq(0, -6, length.out = 700), NaN)),
                                method = "gk"))$value
  },
  # one chunk, whose second program is built because some integrals need refinement
  refined = function() {
    gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, params = data.frame(w = 10^-(0:4)), method = "gk")$value
  },
  vegas = function() {
    gintegrate(function(x, y) exp(-20 * (x - 0.3)^2 - y), c(0, 0), 1, method = "vegas", control = list(seed = 3),
               rel.tol = 1e-2)$value
  },
  # several refinement rounds of one integral
  pieces = function() {
    gintegrate(function(x, y) exp(-20 * (x - 0.3)^2 - y), c(0, 0), 1, method = "cubature", rel.tol = 1e-4)$value
  })

# Call k fails, alone or with all later calls: the result is an error of the right class or correct, and no object
# leaks. The run gets as far as call k, although a call failed in the previous run.  With `again`, the next run is
# completed, and its result is correct.  Returns TRUE for an error.
expect_survives <- function(run, right, k, last, code, again) {
  inject_faults(k, last, code)
  before <- objects_alive()
  result <- tryCatch(run(), stablecl_error_device = identity)
  reached <- calls_so_far() >= k
  close_devices()
  left <- objects_alive() - before
  where <- sprintf("call %g of OpenCL fails with %d", k, code)
  expect(reached, sprintf("the run ends before call %g, after another call failed in the previous run", k))
  expect(left == 0, sprintf("%g objects are left when %s", left, where))
  if (!inherits(result, "error")) expect_close(result, right, 1e-9)
  if (again) {
    count_calls()
    after <- tryCatch(run(), error = identity)
    expect(!inherits(after, "error"), sprintf("the next call fails when %s", where))
    if (!inherits(after, "error")) expect_close(after, right, 1e-9)
  }
  inherits(result, "error")
}

# Returns which of the calls 1, ..., calls fail in turn: about `most` of them at equal distances.  A run on a GPU takes
# half a second after a failure, because the device is opened again; there a tenth as many fail, and the distance is
# printed.
calls_to_fail <- function(what, calls, most) {
  is_gpu <- any(stable_backend()$devices$type == "GPU")
  tried <- unique(round(seq(1, calls, length.out = min(calls, if (is_gpu) most / 10 else most))))
  if (is_gpu) message(sprintf("%s: every %.1f-th of %g OpenCL calls fails", what, calls / length(tried), calls))
  tried
}

calls_of <- function(run) {
  count_calls()
  run()
  calls_so_far()
}

for (name in names(runs)) test_that(paste("the session survives failures of OpenCL calls:", name), {
  skip_without_device()
  skip_on_cran()
  on.exit({
    no_faults()
    stable_backend("default")
  })
  run <- runs[[name]]
  stable_backend("cpu")
  right <- run()
  stable_backend("opencl")
  run()                                           # runs the self-test, so that it is not counted
  calls <- calls_of(run)
  expect_gt(calls, 5)
  errors <- 0
  tried <- calls_to_fail(name, calls, 60)
  is_fifth <- function(k) match(k, tried) %% 5 == 0
  for (k in tried) errors <- errors + expect_survives(run, right, k, k, CL_OUT_OF_RESOURCES, is_fifth(k))
  expect_gt(errors, length(tried) / 3)
  several <- calls_to_fail(paste(name, "and all later calls"), calls, min(ceiling(calls / 5), 15))
  for (k in several) expect_survives(run, right, k, Inf, CL_OUT_OF_HOST_MEMORY, k == max(several))
})

test_that("any call of the first use may fail, including device discovery and the self-test", {
  skip_without_device()
  skip_on_cran()
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    stable_backend("default")
  })
  run <- runs$eval
  stable_backend("cpu")
  right <- run()
  stable_backend("opencl")
  first_use <- function(k) {
    close_devices(forget = TRUE)
    inject_faults(k)
    run()
  }
  first_use(Inf)
  calls <- calls_so_far()
  for (k in calls_to_fail("first use", calls, 60)) {
    close_devices()
    before <- objects_alive()
    result <- tryCatch(first_use(k), stablecl_error_device = identity)
    close_devices()
    expect(objects_alive() == before, sprintf("objects are left when call %g fails", k))
    if (!inherits(result, "error")) expect_close(result, right)
  }
  no_faults()
  close_devices(forget = TRUE)
  expect_close(run(), right)
})

test_that("errors of a device selected by name have a class, and state the device and the reason", {
  skip_without_device()
  on.exit({
    no_faults()
    stable_backend("default")
  })
  stable_backend("opencl")
  inject_faults(1, Inf)
  failure <- tryCatch(dstable(1:3, 1.5, 0.5), error = identity)
  expect_s3_class(failure, c("stablecl_error_device", "stablecl_error", "error", "condition"), exact = TRUE)
  expect_match(conditionMessage(failure), stable_backend()$devices$device, fixed = TRUE)
  expect_identical(conditionCall(failure), quote(dstable(1:3, 1.5, 0.5)))
})

# Returns the number of the call that builds the first program: the least k for which a run whose calls fail from call k
# on gets as far as a build.
call_that_builds <- function(run) {
  gets_there <- function(k) {
    inject_faults(k, Inf, CL_BUILD_PROGRAM_FAILURE)
    try(run(), silent = TRUE)
    close_devices()
    calls_by_name("BuildProgram") > 0
  }
  close_devices()
  below <- 0
  reached <- calls_of(run)
  while (reached - below > 1) {
    middle <- floor((below + reached) / 2)
    if (gets_there(middle)) reached <- middle else below <- middle
  }
  reached
}

# Returns the message of a failure of calls k, ..., last, and the number of leaked objects.
message_of_failure <- function(run, k, last) {
  inject_faults(k, last, CL_BUILD_PROGRAM_FAILURE)
  before <- objects_alive()
  said <- tryCatch({
    run()
    ""
  }, stablecl_error_device = conditionMessage)
  close_devices()
  list(said = said, left = objects_alive() - before)
}

test_that("a failed build names the program and the error, and leaks nothing", {
  skip_without_device()
  skip_on_cran()
  on.exit({
    no_faults()
    stable_backend("default")
  })
  stable_backend("opencl")
  program <- c(eval = "eval_one", loglik = "interpolant", eval_varying = "eval_each", random = "random",
               integrals = "integrand")
  runs$eval()                                     # runs the self-test, so that it is not counted
  for (name in names(program)) {
    k <- call_that_builds(runs[[name]])
    for (last in c(k, Inf)) {                                # the build log can or cannot be read
      failure <- message_of_failure(runs[[name]], k, last)
      expect_match(failure$said, sprintf("failed: building %s.cl: OpenCL error -11 (build failed); ",
                                         program[[name]]), fixed = TRUE)
      expect_match(failure$said, "log")
      expect_identical(failure$left, 0)
    }
  }
})

# Corrupted counters may first cause the error that node sets are requested without end.
test_that("the self-test detects corrupted results", {
  skip_without_device()
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    auto_as_usual()
  })
  stable_backend("opencl")
  close_devices(forget = TRUE)
  spoil_results()
  expect_error(dstable(1:3, 1.5, 0.5), "wrong results: |without end", class = "stablecl_error_device")
  # the device is not remembered as tested
  expect_error(qstable(0.5, 1.5, 0.5), "wrong results: |without end", class = "stablecl_error_device")
  stable_backend("auto")
  auto_takes_any_device(10)
  expect_warning(y <- dstable(1:30, 1.5, 0.5), "wrong results: |without end", class = "stablecl_warning_device")
  stable_backend("cpu")
  expect_identical(y, dstable(1:30, 1.5, 0.5))
})

test_that("an interrupt is not a failure of the device", {
  skip_without_device()
  skip_on_cran()
  on.exit(stable_backend("default"))
  stable_backend("opencl")
  rstable(10, 1.5, 0.5)
  result <- tryCatch({
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    for (i in 1:100) rstable(4e7, runif(1001, 0.5, 1.9), 0.5)
  }, error = conditionMessage, finally = setTimeLimit())
  expect_match(result, "time limit")
  expect_true(stable_backend()$open)
  expect_true(is.finite(dstable(0, 1.5, 0.5)))
})

test_that("a corrupted list of elements is detected", {
  skip_without_device()
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    stable_backend("default")
  })
  stable_backend("opencl")
  right <- runs$quick()
  spoil_results()
  expect_error(runs$quick(), "[Aa] list ", class = "stablecl_error_device")
  no_faults()
  close_devices(forget = TRUE)
  expect_close(runs$quick(), right)
})

# --- an integrand whose program computes wrong values after the self-test ------------------------

wrong_later <- function(method) {
  two <- method %in% c("cubature", "vegas", "lattice", "product")
  function(backend) {
    if (two) gintegrate(function(x, y) exp(x * y), c(0, 0), 1, method = method, rel.tol = 1e-3, backend = backend)
    else if (method == "fourier")
      gintegrate(function(x) exp(-x), 0, Inf, method = method, control = list(omega = 1, weight = "cos"),
                 backend = backend)
    else suppressWarnings(gintegrate(exp, 0, 1, method = method, backend = backend))
  }
}

for (method in c("gk", "tanhsinh", "fourier", "simpson", "forward", "blockcut", "cubature", "vegas", "lattice",
                 "product"))
  test_that(paste("wrong values of an integrand on a device are reported as a device error:", method), {
    skip_without_device()
    skip_on_cran()
    on.exit({
      no_faults()
      close_devices()
      stable_backend("default")
    })
    run <- wrong_later(method)
    stable_backend("opencl")
    dstable(1, 1.5, 0)                                    # runs the self-test, so that it is not counted
    spoil_results()
    expect_error(run("opencl"), "wrong results: the integrand at", class = "stablecl_error_device")
    no_faults()
    close_devices()
    expect_close(run("opencl")$value, run("cpu")$value, 1e-2)
  })

test_that("under \"auto\" the CPU takes over with one warning when a device gives wrong values", {
  skip_without_device()
  skip_on_cran()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  stable_backend("opencl")
  dstable(1, 1.5, 0)
  stable_backend("auto")
  auto_takes_any_device(10)
  run <- function() gintegrate(exp, 0, seq(0, 1, length.out = 3000), method = "gk")
  spoil_results()
  expect_warning(y <- run(), "wrong results: the integrand at", class = "stablecl_warning_device")
  expect_no_warning(z <- run())
  expect_equal(y$value, expm1(seq(0, 1, length.out = 3000)), tolerance = 1e-12)
  expect_identical(z$value, y$value)
})

# Comparisons tolerate effects of rounding: jumps, cancellation, chaos, non-finite values.  All cases share one program.
test_that("integrands that are sensitive to rounding do not count as device failures", {
  skip_without_device()
  skip_on_cran()
  f <- function(x, k) {
    if (k == 1) return(floor(10 * x))
    if (k == 2) return((exp(1e-9 * x) - 1) * 1e9)
    if (k == 3) return(log(x - 0.5))
    if (k == 4) return(sin(1e9 * x))
    for (i in 1:60) x <- 3.99 * x * (1 - x)
    x
  }
  y <- suppressWarnings(gintegrate(f, 0, 1, params = data.frame(k = 1:5), method = "gk", backend = "opencl",
                                   max.eval = 20000))
  expect_equal(y$value[1:2], c(4.5, 0.5), tolerance = 1e-6)
  expect_true(is.nan(y$value[3]))
})
