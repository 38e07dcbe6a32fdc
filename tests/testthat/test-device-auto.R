# "auto": the CPU computes small jobs and a device large ones; a device that fails only causes a warning.

test_that("auto does not use CPU-type devices", {
  skip_on_cran()                        # searches for devices
  skip_if(any(with(stable_devices(), usable & type != "CPU")), "a device that auto may use is here")
  local_stable_backend("auto")
  x <- seq(-3, 3, length.out = 4e6)
  y <- dstable(x, 1.5, 0.5)
  state <- stable_backend()
  expect_identical(nrow(state$devices), 0L)
  expect_true(all(is.na(state$crossover)))
})

test_that("auto uses the device only above the crossover", {
  skip_without_device()
  on.exit(auto_as_usual())
  stable_backend("auto")
  auto_takes_any_device(1000)
  close_devices()
  dstable(seq(-3, 3, length.out = 1000), 1.5, 0.5)
  expect_false(stable_backend()$open)
  y <- dstable(seq(-3, 3, length.out = 1001), 1.5, 0.5)
  expect_true(stable_backend()$open)
  stable_backend("cpu")
  expect_close(y, dstable(seq(-3, 3, length.out = 1001), 1.5, 0.5))
})

test_that("the crossover is measured once a job is large enough, and is kept", {
  skip_without_device()
  on.exit({
    auto_as_usual()
    stable_threads(0)
  })
  stable_threads(1)                     # so that the job takes long enough on a fast machine
  stable_backend("auto")
  auto_takes_any_device(NA)
  dstable(0, 1.5, 0.5)
  expect_true(all(is.na(stable_backend()$crossover)))
  set.seed(3)
  alpha <- runif(4e5, 0.3, 1.9)
  dstable(1, alpha, 0.5)                # starts builds of programs, for which it does not wait
  wait_for_builds()
  y <- dstable(1, alpha, 0.5)
  known <- stable_backend()$crossover
  expect_identical(names(known)[!is.na(known)], "values, many shapes")
  expect_true(known[["values, many shapes"]] >= 1)
  expect_output(print(stable_backend()), "device used +values, many shapes: (from [0-9,]+ elements|never)")
  dstable(1, alpha, 0.5)
  expect_identical(stable_backend()$crossover, known)
  stable_backend("cpu")
  expect_close(y, dstable(1, alpha, 0.5))
})

test_that("when the device fails, the CPU finishes the call with one warning", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  x <- seq(-5, 5, length.out = 5000)
  stable_backend("cpu")
  right <- dstable(x, 1.5, 0.5)
  auto_takes_any_device(10)
  for (k in c(1, 4, 9)) {
    stable_backend("auto")
    inject_faults(k, Inf)
    first <- outcome(dstable(x, 1.5, 0.5))
    expect_close(first$value, right)
    expect_length(first$warnings, 1)
    expect_match(first$warnings, "^The device '.*' failed: .*The CPU has completed the computation")
    expect_identical(first$warning_calls[[1]], quote(dstable(x, 1.5, 0.5)))
    no_faults()
    second <- outcome(dstable(x, 1.5, 0.5))
    expect_identical(second$value, right)
    expect_length(second$warnings, 0)
    expect_output(print(stable_backend()), "disabled +the device")
    expect_false(stable_backend()$open)
  }
  stable_backend("auto")
  expect_length(outcome(dstable(x, 1.5, 0.5))$warnings, 0)
  expect_true(stable_backend()$open)
})

test_that("the device warning has a class, and can be an error", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
    options(warn = level)
  })
  level <- getOption("warn")
  auto_takes_any_device(10)
  stable_backend("auto")
  inject_faults(1, Inf)
  expect_warning(rstable(100, 1.5, 0.5), class = "stablecl_warning_device")
  stable_backend("auto")
  inject_faults(1, Inf)
  options(warn = 2)
  expect_error(qstable(1:100 / 101, 1.5, 0.5), "converted from warning")
  expect_equal(dstable(1, 1, 0), dcauchy(1))
})

test_that("a failure during the crossover measurement is a device failure", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
    stable_threads(0)
  })
  stable_threads(1)
  stable_backend("auto")
  auto_takes_any_device(NA)
  close_devices()
  inject_faults(12, Inf)
  set.seed(3)
  result <- outcome(dstable(1, runif(2e5, 0.3, 1.9), 0.5))
  expect_length(result$warnings, 1)
  expect_true(all(is.finite(result$value)))
})
