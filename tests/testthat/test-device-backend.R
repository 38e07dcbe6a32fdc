test_that("stable_backend() sets the backend and returns the previous setting", {
  stable_backend("default")
  on.exit(stable_backend("default"))
  visible <- withVisible(stable_backend("cpu"))
  expect_false(visible$visible)
  expect_identical(visible$value, "default")
  expect_identical(stable_backend("auto"), "cpu")
  state <- stable_backend()
  expect_s3_class(state, "stable_backend")
  expect_identical(state$preference, "auto")
  expect_identical(state$wish, state$preference)                 # the former name
  expect_identical(state$source, "call")
  stable_backend("CPU")
  expect_identical(stable_backend(state), "CPU")
  expect_identical(stable_backend()$preference, "auto")
  stable_backend("default")
  unset <- stable_backend()
  stable_backend("cpu")
  stable_backend(unset)
  expect_identical(stable_backend()$source, unset$source)
})

test_that("\"gpu\" selects the first usable device that is not a CPU, and is an error if there is none", {
  skip_on_cran()                        # searches for devices
  on.exit(stable_backend("default"))
  gpus <- which(with(stable_devices(), usable & type != "CPU"))
  if (length(gpus)) {
    stable_backend("GPU")
    expect_identical(stable_backend()$devices$device, stable_devices()$device[gpus[1L]])
  } else {
    expect_error(stable_backend("gpu"), "No GPU can be used[;:]", class = "stablecl_error_device")
  }
})

test_that("an unknown backend name is an error that lists the valid names", {
  skip_on_cran()                        # searches for devices
  for (bad in list(1, NA_character_, c("cpu", "auto"), "", TRUE, list("cpu"))) {
    expect_error(stable_backend(bad), "`which` must be one string", class = "stablecl_error_argument")
  }
  before <- stable_backend()
  for (name in c("no such device", "opencl:0", "opencl:999", "opencl:1x", "opencl:")) {
    failure <- tryCatch(stable_backend(name), error = identity)
    expect_s3_class(failure, "stablecl_error_device")
    expect_match(conditionMessage(failure), sprintf("'%s'; available are auto, cpu and ", name), fixed = TRUE)
    expect_identical(conditionCall(failure), quote(stable_backend(name)))
    for (device in stable_devices()$device) {
      expect_match(conditionMessage(failure), device, fixed = TRUE)
    }
  }
  expect_error(stable_backend(strrep("x", 300)), "fewer than")
  expect_identical(stable_backend(), before)
})

test_that("stable_backend() takes precedence over the option, and the option over the environment variable", {
  old <- options(stablecl.backend = "cpu")
  on.exit({
    options(old)
    stable_backend("default")
  })
  stable_backend("default")
  expect_identical(stable_backend()[c("preference", "source")], list(preference = "cpu", source = "option"),
                   ignore_attr = TRUE)
  stable_backend("auto")
  expect_identical(stable_backend()$preference, "auto")
  stable_backend("default")
  unset <- if (nzchar(Sys.getenv("STABLECL_BACKEND"))) "environment" else "default"
  for (none in list(NULL, NA_character_, 3, c("a", "b"))) {
    options(stablecl.backend = none)
    expect_identical(stable_backend()$source, unset)
  }
  # a setting that cannot be satisfied is reported when it is used
  options(stablecl.backend = "no such device")
  expect_match(stable_backend()$wrong, "no such device")
  expect_output(print(stable_backend()), "unavailable")
  expect_error(dstable(0, 1, 0), class = "stablecl_error_device")
  show <- "s <- stable_backend(); cat(s$preference, s$source)"
  expect_identical(in_another_r(show, "STABLECL_BACKEND=cpu"), "cpu environment")
  expect_identical(in_another_r(c("options(stablecl.backend = 'auto')", show), "STABLECL_BACKEND=cpu"),
                   "auto option")
  expect_identical(in_another_r(show), "auto default")
})

test_that("local_stable_backend() lasts until its frame ends", {
  on.exit(stable_backend("default"))
  stable_backend("auto")
  inner <- function() {
    on.exit(seen <<- c(seen, "own"))
    local_stable_backend("cpu")
    stable_backend()$preference
  }
  seen <- character()
  expect_identical(inner(), "cpu")
  expect_identical(seen, "own")
  expect_identical(stable_backend()$preference, "auto")
  failing <- function() {
    local_stable_backend("cpu")
    stop("on the way")
  }
  expect_error(failing(), "on the way")
  expect_identical(stable_backend()$preference, "auto")
  outer <- function() {
    helper <- function(envir) local_stable_backend("cpu", envir)
    helper(environment())
    stable_backend()$preference
  }
  expect_identical(outer(), "cpu")
  expect_identical(stable_backend()$preference, "auto")
})

test_that("printing a backend shows the device in use", {
  on.exit(stable_backend("default"))
  stable_backend("cpu")
  expect_output(print(stable_backend()), "preference +cpu .*backend +CPU, [0-9]+ thread")
  skip_without_device()
  stable_backend("opencl")
  expect_output(print(stable_backend()), stable_backend()$devices$device, fixed = TRUE)
})

test_that("devices are selected by number, by name, or all together", {
  skip_without_device()
  on.exit(stable_backend("default"))
  devices <- stable_devices()
  stable_backend("opencl")
  first <- stable_backend()
  expect_identical(first$backend, "opencl")
  expect_identical(nrow(first$devices), 1L)
  expect_true(first$devices$usable)
  if (any(devices$usable & devices$type != "CPU")) expect_false(first$devices$type == "CPU")
  row <- which(devices$usable)[1]
  stable_backend(paste0("opencl:", row))
  expect_identical(stable_backend()$devices$device, devices$device[row])
  name <- devices$device[row]
  stable_backend(toupper(substr(name, 2, nchar(name))))
  expect_identical(stable_backend()$devices$device, name)
  stable_backend("opencl:all")
  gpu <- devices$type != "CPU"
  all <- if (any(gpu & devices$usable)) sum(gpu & devices$usable) else sum(devices$usable)
  expect_identical(nrow(stable_backend()$devices), all)
  expect_close(dstable(-3:3, 1.5, 0.5), {stable_backend("cpu"); dstable(-3:3, 1.5, 0.5)})
})

test_that("a device gives the values of the CPU", {
  skip_without_device()
  on.exit(stable_backend("default"))
  x <- c(NA, NaN, -Inf, -1e300, -2, 0, 0.5, 40, 1e10, Inf)
  jobs <- expression(
    dstable(x, 1.5, 0.5), dstable(x, c(0.5, 1, 1.5, 2, 3), 0.3, log = TRUE), pstable(x, 0.7, -1, 2, 1),
    pstable(x, c(1, 1.2), c(0.2, -0.4, 1), lower.tail = FALSE, log.p = TRUE, pm = 1),
    qstable(c(0, 1e-20, 0.3, 0.5, 1, 2, NA), c(1.5, 0.6), 0.5, pm = 1), stable_mode(c(0.5, 1.5, 3, NA), 0.5),
    {set.seed(1); rstable(100, 1.5, 0.5)}, {set.seed(1); rstable(100, c(0.5, 1, 1.5), 0.5, 2, 1, pm = 1)})
  for (job in as.list(jobs)) {
    stable_backend("opencl")
    there <- outcome(eval(job))
    stable_backend("cpu")
    here <- outcome(eval(job))
    expect_null(there$error, info = deparse(job))
    expect_identical(there$warnings, here$warnings, info = deparse(job))
    expect_close(there$value, here$value, 1e-9)
  }
})
