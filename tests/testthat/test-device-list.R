COLUMNS <- c("platform", "device", "type", "compute_units", "memory", "fp64", "opencl_version",
             "driver", "usable", "why_not", "single")

test_that("the table of devices has its columns, with or without rows", {
  skip_on_cran()                        # searches for devices
  devices <- stable_devices()
  expect_s3_class(devices, c("stable_devices", "data.frame"), exact = TRUE)
  expect_named(devices, COLUMNS)
  expect_identical(nzchar(devices$why_not), !devices$usable)
  expect_true(all(devices$fp64[devices$usable]))
  expect_true(all(devices$single[devices$usable]))
  expect_true(all(devices$type %in% c("GPU", "CPU", "accelerator", "other")))
  expect_identical(stable_devices(), devices)
  if (nrow(devices) == 0L) {
    expect_true(nzchar(attr(devices, "note")))
    expect_output(print(devices), "No OpenCL devices: ")
  } else {
    expect_output(print(devices), devices$device[1], fixed = TRUE)
    expect_output(print(devices[1, c("device", "memory")]), "iB")
    expect_match(devices$opencl_version, "^[0-9]+[.][0-9]+$")
  }
})

test_that("without an OpenCL library everything is computed on the CPU, without messages", {
  skip_on_cran()                        # searches for devices
  out <- in_another_r(c(
    "devices <- stable_devices()",
    "stopifnot(nrow(devices) == 0)",
    "x <- dstable(seq(-3, 3, length.out = 3e6), 1.5, 0.5)",
    "stopifnot(is.finite(x), stable_backend()$backend == 'cpu')",
    "failure <- tryCatch(stable_backend('opencl'), error = identity)",
    "stopifnot(inherits(failure, 'stablecl_error_device'))",
    "cat(attr(devices, 'note'), conditionMessage(failure), sep = '\n')"),
    "STABLECL_OPENCL_LIBRARY=/nonexistent/library")
  expect_length(out, 2)
  expect_match(out[1], "no OpenCL library was found|without OpenCL headers")
  expect_match(out[2], "^No OpenCL device: (no OpenCL library was found|stablecl was built)")
})

test_that("a shared library without OpenCL functions is rejected", {
  skip_on_cran()                        # searches for devices
  skip_on_os("windows")
  skip_if(grepl("headers", attr(stable_devices(), "note")), "built without OpenCL headers")
  other <- system.file("libs", "stablecl.so", package = "stablecl")
  skip_if(other == "", "no library to mistake for OpenCL")
  out <- in_another_r("cat(attr(stable_devices(), 'note'), dcauchy(1) == dstable(1, 1, 0))",
                      paste0("STABLECL_OPENCL_LIBRARY=", other))
  expect_match(out, "has no clGetPlatformIDs: OpenCL 1.2 is required TRUE$")
})

test_that("the path of the OpenCL library must be absolute", {
  skip_if(grepl("headers", attr(stable_devices(), "note")), "built without OpenCL headers")
  for (path in c("libOpenCL.so.1", "./libOpenCL.so.1", "lib/OpenCL.dll", "~/libOpenCL.so", "C:OpenCL.dll")) {
    out <- in_another_r(c(
      "cat(attr(stable_devices(), 'note'), '\n')",
      "failure <- tryCatch(stable_backend('opencl'), error = identity)",
      "cat(inherits(failure, 'stablecl_error_device'), dcauchy(1) == dstable(1, 1, 0))"),
      paste0("STABLECL_OPENCL_LIBRARY=", shQuote(path)))
    expect_match(out[1], paste0("must be an absolute path, not \"", path, "\""), fixed = TRUE)
    expect_identical(out[2], "TRUE TRUE")
  }
})

test_that("drivers are not loaded until they are needed", {
  skip_on_cran()                        # searches for devices
  skip_on_os(c("windows", "mac", "solaris"))
  out <- in_another_r(c(
    "x <- dstable(seq(-3, 3, length.out = 1e4), 1.5, 0.5)",
    "loaded <- function() any(grepl('libOpenCL', readLines('/proc/self/maps')))",
    "cat(loaded(), '')",
    "cat(loaded() || nrow(stable_devices()) == 0 || loaded())"))
  expect_identical(out, "FALSE TRUE")
})

test_that("the default loads no driver while a package is checked", {
  skip_on_os(c("windows", "mac", "solaris"))
  out <- in_another_r(c(
    "x <- dstable(seq(-3, 3, length.out = 4e6), 1.5, 0.5)",
    "state <- stable_backend()",
    "y <- gintegrate(function(x, y, z) sin(1e4 * x * y * z), c(0, 0, 0), c(1, 1, 1), method = 'vegas', max.eval = 1e6)",
    "loaded <- any(grepl('libOpenCL', readLines('/proc/self/maps')))",
    "cat(loaded, state$preference, state$backend)"), "_R_CHECK_PACKAGE_NAME_=stablecl")
  expect_identical(tail(out, 1), "FALSE auto cpu")
})
