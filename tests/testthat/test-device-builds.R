# Programs of devices are compiled on a thread of their own: calls that wait can be interrupted, and "auto" does not
# wait.

builds_ended <- function() .Call(stablecl:::C_fault_calls)[["BuildProgram"]]

# The integrals of a function whose program no other test builds.
integrals <- function() {
  f <- function(x, a) exp(-a * x) * cos(x + 0.7182)
  gintegrate(f, 0, Inf, params = data.frame(a = seq(1, 2, length.out = 5000)), backend = "opencl")$value
}

# Interrupts a call that waits for a build; 4 s are enough to open a device.
interrupted_integrals <- function() {
  on.exit(setTimeLimit())
  setTimeLimit(elapsed = 4, transient = TRUE)
  suppressMessages(integrals())
}

test_that("a build that takes long is reported", {
  skip_without_device()
  on.exit(hold_builds(FALSE))
  hold_builds(TRUE)
  reported <- 0
  y <- withCallingHandlers(integrals(), message = function(m) {
    if (reported == 0) {
      expect_match(conditionMessage(m), "Compiling the program 'integrand' for '.+'")
      expect_true(is_building())
    }
    reported <<- reported + 1
    hold_builds(FALSE)
    invokeRestart("muffleMessage")
  })
  expect_gt(reported, 0)
  expect_no_message(expect_identical(integrals(), y))
})

test_that("an interrupted build goes on, and the next call takes its result", {
  skip_without_device()
  on.exit({
    hold_builds(FALSE)
    no_faults()
  })
  count_calls()
  right <- suppressMessages(integrals())
  needed <- builds_ended()
  expect_gt(needed, 0)
  count_calls()
  hold_builds(TRUE)
  expect_error(interrupted_integrals(), "time limit")
  expect_identical(builds_ended(), 0)
  expect_true(is_building())
  hold_builds(FALSE)
  expect_identical(suppressMessages(integrals()), right)
  expect_identical(builds_ended(), needed)
})

test_that("a handler of the report that jumps ends the call and not the build", {
  skip_without_device()
  on.exit(hold_builds(FALSE))
  hold_builds(TRUE)
  caught <- tryCatch(integrals(), message = function(m) conditionMessage(m))
  expect_match(caught, "Later calls need not wait")
  expect_true(is_building())
  hold_builds(FALSE)
  wait_for_builds()
  expect_length(suppressMessages(integrals()), 5000)
})

test_that("closing the device while a program is being built is harmless", {
  skip_without_device()
  on.exit({
    hold_builds(FALSE)
    no_faults()
  })
  close_devices()
  count_calls()
  before <- objects_alive()
  hold_builds(TRUE)
  expect_error(interrupted_integrals(), "time limit")
  close_devices()
  expect_true(is_building())
  hold_builds(FALSE)
  wait_for_builds()
  suppressMessages(integrals())         # a build in another context releases what has been given up
  close_devices()
  expect_identical(objects_alive(), before)
})

test_that("under auto, the CPU computes while programs are being built", {
  skip_without_device()
  on.exit({
    hold_builds(FALSE)
    auto_as_usual()
    stable_threads(0)
    no_faults()
  })
  stable_threads(1)                     # so that the job takes long enough on a fast machine
  set.seed(3)
  alpha <- runif(4e5, 0.3, 1.9)
  stable_backend("cpu")
  right <- dstable(1, alpha, 0.5)
  stable_backend("auto")
  auto_takes_any_device(NA)
  close_devices(TRUE)
  hold_builds(TRUE)
  count_calls()
  expect_identical(dstable(1, alpha, 0.5), right)       # so the CPU computed it
  expect_identical(builds_ended(), 0)
  expect_true(is_building())
  expect_true(all(is.na(stable_backend()$crossover)))
  hold_builds(FALSE)
  for (k in 1:10) {
    wait_for_builds()
    dstable(1, alpha, 0.5)
    if (!all(is.na(stable_backend()$crossover))) break
  }
  expect_true(stable_backend()$crossover[["values, many shapes"]] >= 1)
  expect_gt(builds_ended(), 0)
})

test_that("a process that ends waits for its builds", {
  skip_without_device()
  ending <- function() {
    hold <- getFromNamespace("C_hold_builds", "stablecl")
    stablecl::stable_backend("opencl")
    .Call(hold, TRUE)
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    try(stablecl::dstable(seq(0, 1, length.out = 2e5), 1.5, 0.5), silent = TRUE)
    setTimeLimit()
    cat("building:", .Call(getFromNamespace("C_is_building", "stablecl")), "\n")
    .Call(hold, FALSE)
    quit(status = 7)
  }
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  dump("ending", script)
  cat("ending()\n", file = script, append = TRUE)
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = TRUE))
  expect_match(out, "building: TRUE", all = FALSE)
  expect_identical(attr(out, "status"), 7L)
})
