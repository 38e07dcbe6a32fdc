# Scores, modes, approximate log densities, S2 with a shape per element, and quantiles: one thread, all threads of the
# host, and a device.
#
#     Rscript bench/gpu/quantities.R [DEVICE] > bench/gpu/quantities.md
#
# DEVICE as for stable_backend(), default "opencl".  Results on the device are compared with those of the CPU before
# anything is timed.  Times are medians of REPEATS calls from R to R, after a first call, which builds the kernels; for
# scores and modes, the CPU computes a hundredth of the elements, and its rate is that of these.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores(), beside()
source("bench/page.R")                                   # made_by()

REPEATS <- 3
THREADS <- host_cores()
device  <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used    <- stable_backend()$devices
scale   <- if (any(used$type == "GPU")) 1 else 1000      # a CPU-type device gets fewer elements

on <- function(backend, threads, code) {
  local_stable_backend(backend)
  before <- stable_threads(threads)
  on.exit(stable_threads(before))
  suppressWarnings(code)
}
# Returns the median of the seconds that a call takes, in rounds of calls that take 50 ms or more.
seconds <- function(f) {
  times <- function(calls) system.time(for (k in seq_len(calls)) f())[[3]] / calls
  calls <- 1
  while (times(calls) * calls < 0.05) calls <- 2 * calls
  stats::median(replicate(REPEATS, times(calls)))
}

set.seed(40)
most  <- 1e6
alpha <- runif(most, 0.4, 1.95)
beta  <- runif(most, -0.9, 0.9)
x     <- rstable(most, 1.5, 0.5)
p     <- runif(1e7)

# Each case: the number of elements on a device, the divisor of it for the CPU, the largest difference relative to
# values above 1, and the function of the indices of the elements.
cases <- list(
  "stable_score(), one shape" = list(1e6, 100, 1e-8, function(i) stable_score(x[i], 1.5, 0.5)),
  "stable_score(), a shape per element" = list(1e5, 100, 1e-8, function(i) stable_score(x[i], alpha[i], beta[i])),
  "stable_score(), S2, a shape per element" = list(1e4, 100, 1e-8, function(i)
    stable_score(x[i], alpha[i], beta[i], pm = 2)),
  "stable_mode(), a shape per element" = list(1e6, 100, 1e-10, function(i) stable_mode(alpha[i], beta[i])),
  "dstable(), S2, a shape per element" = list(1e6, 100, 1e-10, function(i) dstable(x[i], alpha[i], beta[i], pm = 2)),
  "stable_quick(), alpha = 1.5" = list(1e6, 1, 1e-8, function(i) stable_quick(x[i], 1.5, 0.5)),
  "stable_quick(), alpha = 0.25" = list(1e5, 100, 1e-8, function(i) stable_quick(x[i], 0.25, 0.5)),
  "qstable(), one shape" = list(1e7, 1, 1e-10, function(i) qstable(p[i], 1.5, 0.5)),
  "qstable(), one shape, alpha = 0.4" = list(1e7, 1, 1e-10, function(i) qstable(p[i], 0.4, -0.3)))

row <- function(name) {
  case <- cases[[name]]
  run <- case[[4]]
  all <- seq_len(max(16, case[[1]] / scale))
  few <- seq_len(max(16, length(all) / case[[2]]))
  there <- on(device, THREADS, run(few))
  here <- on("cpu", THREADS, run(few))
  both <- is.finite(there) & is.finite(here)
  gap <- max(abs(there - here)[both] / pmax(1, abs(here[both])))
  stopifnot(gap < case[[3]], mean(is.finite(there) != is.finite(here)) < 0.01)
  on(device, THREADS, run(all))
  part <- function() run(few)
  rate <- c(length(few) / c(on("cpu", 1L, seconds(part)), on("cpu", THREADS, seconds(part))),
            length(all) / on(device, THREADS, seconds(function() run(all))))
  sprintf("| %s | %.0e | %.1e | %.2e | %.2e | %.2e | %.1f |", name, length(all), gap, rate[1], rate[2], rate[3],
          rate[3] / rate[2])
}

rows <- vapply(names(cases), function(name) {
  message(name)
  row(name)
}, "")
cat(sep = "\n",
  "# Scores, modes and quantiles on a device", "",
  paste0(made_by("bench/gpu/quantities.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  device_line(used$device), beside(),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "Elements per second of calls from R to R, with all copies; agreement: the largest difference between device and",
  "CPU, relative to values above 1; ratio: device against all threads.", "",
  "| call | elements | agreement | one thread | all threads | device | ratio |",
  "|---|---|---|---|---|---|---|", rows)
