# OpenCL devices in tests: whether a device can be tested, and OpenCL calls that fail on demand.

device_state <- new.env()

# Returns the reason why no OpenCL device can be tested, or NULL if one can.
no_device <- function() {
  if (is.null(device_state$reason)) device_state$reason <- list(look_for_device())
  device_state$reason[[1]]
}

look_for_device <- function() {
  if (on_cran()) return("on CRAN no driver is loaded")
  devices <- stable_devices()
  if (nrow(devices) == 0L) return(attr(devices, "note"))
  if (!any(devices$usable)) return("no usable OpenCL device")
  NULL                                  # a device that fails its self-test must fail the tests, too
}

# On CRAN the tests load no driver: drivers write to the home directory, and may end the process.
on_cran <- function() !interactive() && !identical(Sys.getenv("NOT_CRAN"), "true")

skip_without_device <- function() {
  reason <- no_device()
  if (!is.null(reason)) testthat::skip(paste("No device:", reason))
}

CL_OUT_OF_RESOURCES <- -5L
CL_OUT_OF_HOST_MEMORY <- -6L
CL_BUILD_PROGRAM_FAILURE <- -11L

# Makes OpenCL calls number `first` to `last`, counted from now, fail; closes the session.  device: number of the device
# whose calls are counted and fail, 2 for all but the first; NULL: of all.
inject_faults <- function(first, last = first, code = CL_OUT_OF_RESOURCES, device = NULL) {
  .Call(stablecl:::C_fault, first, last, code, FALSE, device)
}

spoil_results <- function() .Call(stablecl:::C_fault, 1, 0, 0L, TRUE, NULL)

# Corrupts only the floating-point numbers read from a device, not its counters.
spoil_numbers <- function() .Call(stablecl:::C_fault, 1, 0, 0L, 2L, NULL)

# Counts calls without making any fail.
count_calls <- function() inject_faults(1, 0)
no_faults <- function() .Call(stablecl:::C_fault, NULL, NULL, NULL, NULL, NULL)
calls_so_far <- function() .Call(stablecl:::C_fault_counts)[1]
kernels_launched <- function() .Call(stablecl:::C_fault_counts)[3:4]  # on the first device and on all others
objects_alive <- function() .Call(stablecl:::C_fault_counts)[2]

# Evaluates `code` with devices that appear to lack double precision: they report none, and refuse programs that use it.
without_double <- function(code) {
  on.exit(.Call(stablecl:::C_hide_double, FALSE))
  .Call(stablecl:::C_hide_double, TRUE)
  code
}

# Closes the session and makes builds of programs wait, or ends this.
hold_builds <- function(held) .Call(stablecl:::C_hold_builds, held)
is_building <- function() .Call(stablecl:::C_is_building)
wait_for_builds <- function() {
  for (k in 1:1200) if (is_building()) Sys.sleep(0.1) else break
  testthat::expect_false(is_building())
}

# Closes the session; with `forget`, devices are searched for and tested again.
close_devices <- function(forget = FALSE) .Call(stablecl:::C_close_devices, forget)

# Lets "auto" use any usable device for more than `crossover` elements; NA: more than the measured crossover.
auto_takes_any_device <- function(crossover) .Call(stablecl:::C_auto, TRUE, crossover)
auto_as_usual <- function() {
  .Call(stablecl:::C_auto, FALSE, NA)
  close_devices()
  stable_backend("default")
}

# Runs `code` in a new R process and returns the lines it prints, without messages of builds that take long on a busy
# machine.
in_another_r <- function(code, ..., timeout = 120) {
  env <- c(paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)),
           "STABLECL_BACKEND=", ...)
  rscript <- file.path(R.home("bin"), "Rscript")
  text <- paste(c("library(stablecl)", code), collapse = "\n")
  output <- suppressWarnings(system2(rscript, c("--vanilla", "-e", shQuote(text)), stdout = TRUE,
                                     stderr = TRUE, env = env, timeout = timeout))
  structure(output[!startsWith(output, "Compiling the program ")], status = attr(output, "status"))
}

# Evaluates `code` with the environment variables `names` unset, also for child processes.
without_variables <- function(names, code) {
  before <- Sys.getenv(names, NA, names = TRUE)
  before <- before[!is.na(before)]
  on.exit(if (length(before)) do.call(Sys.setenv, as.list(before)))
  Sys.unsetenv(names)
  code
}

# Until the caller ends, devices that are processors build programs without optimisation, which takes PoCL half the
# time: for tests of many programs with few computations each.  Not for programs that contain distributions: PoCL needs
# time exponential in the depth of the calls that are not inlined.  (PoCL reads the variable POCL_EXTRA_BUILD_FLAGS only
# once, so that it cannot be reset.)
local_fast_builds <- function(envir = parent.frame()) {
  if (!is.null(no_device()) || any(stable_devices()$type != "CPU")) return(invisible())
  .Call(stablecl:::C_plain_builds, TRUE)
  do.call(on.exit, list(quote(.Call(stablecl:::C_plain_builds, FALSE)), add = TRUE), envir = envir)
}

limits_of_threads <- c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "STABLECL_THREADS", "_R_CHECK_LIMIT_CORES_",
                       "_R_CHECK_PACKAGE_NAME_")

# Waits until forked children have ended.  system2(timeout = ) may hide the signal of a child that ends meanwhile;
# R then reports at the end of the session that it could not terminate the child.
wait_for_children <- function(pids, seconds = 10) {
  until <- Sys.time() + seconds
  while (any(tools::pskill(pids, 0L)) && Sys.time() < until) Sys.sleep(0.01)
}

# Returns the value of `code` in a forked child, or NULL if the child does not return one within `seconds`.  The child
# has ended when this function returns.
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

# Returns the values of `fun` in two forked children, which have ended when this function returns.
in_forks <- function(x, fun) {
  answers <- parallel::mclapply(x, function(i) list(pid = Sys.getpid(), value = fun(i)), mc.cores = 2)
  wait_for_children(vapply(answers, `[[`, 0L, "pid"))
  lapply(answers, `[[`, "value")
}

# Expects equality up to rounding errors.
expect_close <- function(got, right, tolerance = 1e-11) {
  expect_identical(kind(got), kind(right))
  ordinary <- is.finite(right)
  expect_lte(max(0, abs(got[ordinary] - right[ordinary]) / (1e-3 + abs(right[ordinary]))), tolerance)
}

# Returns the seconds that the lock-step fits have spent in each phase, and counts such as the sums computed on devices.
stable_fit_times <- function() .Call(stablecl:::C_fit_times)

# Returns the number of OpenCL calls that the evaluation of `code` makes.
opencl_calls_of <- function(code) {
  count_calls()
  force(code)
  calls_so_far()
}

# Returns the number of calls of OpenCL functions, given without the prefix "cl", since counting began.
calls_by_name <- function(...) unname(.Call(stablecl:::C_fault_calls)[c(...)])

# Evaluates `code` with a backend, without warnings.
on_backend <- function(backend, code) {
  local_stable_backend(backend)
  suppressWarnings(code)
}
