# Devices without double precision: every device of the machine appears to be one (without_double()).

remedy <- "^Device opencl:[0-9]+ '.*' cannot be used: double precision .* is not supported; use precision = \"single\"[.]$"

test_that("a device without double precision is listed as one for single precision only", {
  skip_without_device()
  usable <- which(stable_devices()$usable)
  without_double({
    devices <- stable_devices()
    expect_false(any(devices$fp64 | devices$usable))
    expect_true(all(devices$single[usable]))
    expect_match(devices$why_not[usable], "double precision .* is not supported; use precision = \"single\"")
  })
  expect_identical(which(stable_devices()$usable), usable)
})

test_that("a device without double precision can be selected, and refuses jobs in double precision", {
  skip_without_device()
  usable <- which(stable_devices()$usable)[1]
  x <- fit_sample_of(60, 1.6, 0.2, 2, 1, seed = 4)
  on.exit(stable_backend("default"))
  without_double({
    for (choice in c("opencl", "opencl:all", paste0("opencl:", usable), stable_devices()$device[usable])) {
      stable_backend(choice)
      state <- stable_backend()
      expect_identical(state$wrong, "")
      expect_true(usable %in% match(state$devices$device, stable_devices()$device))
      jobs <- expression(dstable(1:3, 1.5, 0.5), pstable(1:3, 1.5, 0.5), qstable(0.3, 1.5, 0.5), rstable(5, 1.5, 0.5),
                         stable_loglik(x, 1.6, 0.2), stable_score(1:3, 1.5, 0.5), stable_mode(1.5, 0.5), stablefit(x),
                         stablefit(list(x, -x)), gintegrate(exp, 0, 1),
                         gintegrate(function(x, y) x * y, c(0, 0), c(1, 1), method = "vegas"))
      for (job in jobs) {
        failure <- tryCatch(eval(job), error = identity)
        expect(inherits(failure, "stablecl_error_unsupported"), paste(deparse(job)[1], "is not refused"))
        expect_match(conditionMessage(failure), remedy)
      }
    }
  })
})

test_that("\"auto\" leaves jobs in double precision to the CPU if no device computes them", {
  skip_without_device()
  right <- on_backend("cpu", dstable(seq(-3, 3, length.out = 3e4), 1.5, 0.5))
  without_double({
    stable_devices()                    # enumerates the devices
    auto_takes_any_device(1000)
    on.exit(auto_as_usual())
    expect_identical(opencl_calls_of(expect_identical(dstable(seq(-3, 3, length.out = 3e4), 1.5, 0.5), right)), 0)
    no_faults()
  })
})
