# Devices in tests: which one, whether there is one, and calls of OpenCL that fail on demand.

device_state <- new.env()

# Why no OpenCL device can be tested here; NULL if one can.
no_device <- function() {
  if (is.null(device_state$reason)) device_state$reason <- list(look_for_device())
  device_state$reason[[1]]
}

look_for_device <- function() {
  if (on_cran()) return("on CRAN no driver is loaded")
  devices <- stable_devices()
  if (nrow(devices) == 0L) return(attr(devices, "note"))
  if (!any(devices$usable)) return("no usable OpenCL device")
  NULL                                  # a device that fails is a failure of the tests
}

# On CRAN tests load no driver: drivers write to the home folder, and may end the process.
on_cran <- function() !interactive() && !identical(Sys.getenv("NOT_CRAN"), "true")

skip_without_device <- function() {
  reason <- no_device()
  if (!is.null(reason)) testthat::skip(paste("No device:", reason))
}

CL_OUT_OF_RESOURCES <- -5L
CL_OUT_OF_HOST_MEMORY <- -6L
CL_BUILD_PROGRAM_FAILURE <- -11L

# From now on, OpenCL calls number `first` to `last` fail; the session is opened anew.
inject_faults <- function(first, last = first, code = CL_OUT_OF_RESOURCES) {
  .Call(stablecl:::C_fault, first, last, code, FALSE)
}

spoil_results <- function() .Call(stablecl:::C_fault, 1, 0, 0L, TRUE)

# Only floating-point numbers that are read from a device are wrong; counters are right.
spoil_numbers <- function() .Call(stablecl:::C_fault, 1, 0, 0L, 2L)

# Counts calls; none fails.
count_calls <- function() inject_faults(1, 0)
no_faults <- function() .Call(stablecl:::C_fault, NULL, NULL, NULL, NULL)
calls_so_far <- function() .Call(stablecl:::C_fault_counts)[1]
objects_alive <- function() .Call(stablecl:::C_fault_counts)[2]

# Closes the session; with `forget`, devices are looked for and tested again.
close_devices <- function(forget = FALSE) .Call(stablecl:::C_close_devices, forget)

# "auto" takes any usable device from so many elements on; NA: from the measured number on.
auto_takes_any_device <- function(crossover) .Call(stablecl:::C_auto, TRUE, crossover)
auto_as_usual <- function() {
  .Call(stablecl:::C_auto, FALSE, NA)
  close_devices()
  stable_backend("default")
}

# Evaluates in a new process and returns what it prints, line by line.
in_another_r <- function(code, ..., timeout = 120) {
  env <- c(paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)),
           "STABLECL_BACKEND=", ...)
  rscript <- file.path(R.home("bin"), "Rscript")
  text <- paste(c("library(stablecl)", code), collapse = "\n")
  suppressWarnings(system2(rscript, c("--vanilla", "-e", shQuote(text)), stdout = TRUE,
                           stderr = TRUE, env = env, timeout = timeout))
}

# Evaluates without some environment variables, which child processes do not see either.
without_variables <- function(names, code) {
  before <- Sys.getenv(names, NA, names = TRUE)
  before <- before[!is.na(before)]
  on.exit(if (length(before)) do.call(Sys.setenv, as.list(before)))
  Sys.unsetenv(names)
  code
}

limits_of_threads <- c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "STABLECL_THREADS", "_R_CHECK_LIMIT_CORES_",
                       "_R_CHECK_PACKAGE_NAME_")

# Waits until forked children have ended.  system2(timeout = ) may hide the signal of a child that ends meanwhile, and
# R then reports at the end of the session that it could not terminate it.
wait_for_children <- function(pids, seconds = 10) {
  until <- Sys.time() + seconds
  while (any(tools::pskill(pids, 0L)) && Sys.time() < until) Sys.sleep(0.01)
}

# The value of `code` in a forked child, or NULL if it gives no answer.  The child has ended when this returns.
in_fork <- function(code, seconds = 60) {
  job <- parallel::mcparallel(code)
  until <- Sys.time() + seconds
  ready <- FALSE
  while (!ready && Sys.time() < until) ready <- is.integer(parallel:::selectChildren(job, 1))
  if (!ready) tools::pskill(job$pid, tools::SIGKILL)
  value <- suppressWarnings(parallel::mccollect(job))[[1]]
  wait_for_children(job$pid)
  value
}

# The values of `fun` in two forked children, which have ended when this returns.
in_forks <- function(x, fun) {
  answers <- parallel::mclapply(x, function(i) list(pid = Sys.getpid(), value = fun(i)), mc.cores = 2)
  wait_for_children(vapply(answers, `[[`, 0L, "pid"))
  lapply(answers, `[[`, "value")
}

# Two values that may differ by rounding.
expect_close <- function(got, right, tolerance = 1e-11) {
  expect_identical(kind(got), kind(right))
  ordinary <- is.finite(right)
  expect_lte(max(0, abs(got[ordinary] - right[ordinary]) / (1e-3 + abs(right[ordinary]))), tolerance)
}

# Where fits in rounds have spent their time, and how many sums a device was asked for.
stable_fit_times <- function() .Call(stablecl:::C_fit_times)
