# Tests with two devices, in a process of its own.

# Returns the variables with which a new R process has at least two devices for "opencl:all", or NULL: none on a machine
# with several GPUs; others make PoCL present the processor as two devices.
two_devices <- function() {
  if (is.null(device_state$two)) {
    count <- 'stable_backend("opencl:all"); cat("devices:", nrow(stable_backend()$devices))'
    for (variable in list(character(), "POCL_DEVICES='cpu cpu'", "POCL_DEVICES='pthread pthread'")) {
      lines <- in_another_r(count, variable)
      if (any(lines %in% paste("devices:", 2:64))) break
      variable <- NULL
    }
    device_state$two <- list(variable)
  }
  device_state$two[[1]]
}

# Returns the value of `code` in a new R process with two devices, where the helpers of the tests are defined.
with_two_devices <- function(code, timeout = 300) {
  skip_without_device()
  skip_on_cran()
  if (is.null(two_devices())) testthat::skip("There is one device only.")
  files <- list.files(testthat::test_path(), "^helper-.*[.]R$", full.names = TRUE)
  script <- tempfile(fileext = ".R")
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(c(script, file)))
  writeLines(c(sprintf("for (file in c(%s)) source(file)", toString(dQuote(normalizePath(files, "/"), FALSE))),
               "value <- local({", deparse(substitute(code)), "})", sprintf("saveRDS(value, %s)", dQuote(file, FALSE))),
             script)
  lines <- in_another_r(sprintf("source(%s)", dQuote(script, FALSE)), two_devices(), timeout = timeout)
  if (!file.exists(file)) stop("the process with two devices failed:\n", paste(lines, collapse = "\n"))
  readRDS(file)
}

# Runs each job, which returns a list of values and more, on one device and on two.  Returns for each whether the
# results are identical, whether they are equal up to rounding, whether the values are close to those of the CPU, and
# the launches of kernels on the first device and on the second.  On a busy machine one device may compute everything
# before the thread of the other begins, hence several tries.
compare_devices <- function(jobs) {
  lapply(jobs, function(run) {
    on <- function(backend) {
      stable_backend(backend)
      run()
    }
    right <- on("cpu")
    one <- on("opencl:1")
    stable_backend("opencl:all")
    for (try in 1:10) {
      count_calls()
      all <- run()
      launches <- kernels_launched()
      if (min(launches) > 1) break
    }
    no_faults()
    list(identical = identical(one, all), equal = isTRUE(all.equal(one, all, tolerance = 1e-12)),
         close = isTRUE(all.equal(all[[1]], right[[1]], tolerance = 1e-6)), launches = launches)
  })
}

# Lets sampled calls of the second device fail, and checks that the message names it.
sweep_second <- function(run, most) {
  set.seed(4)
  stable_backend("opencl:all")
  run()
  second <- stable_backend()$devices[2, ]
  report <- sweep_faults(run, most = most, seconds = 30, backend = "opencl:all", device = 2)
  inject_faults(3, Inf, device = 2)
  stable_backend("opencl:all")
  message <- tryCatch(run(), stablecl_error_device = conditionMessage)
  no_faults()
  c(report, list(message = message, device = second$device, row = rownames(second)))
}
