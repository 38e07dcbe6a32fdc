# tools/fuzz-opencl.R [N] [JOB]: lets each call of OpenCL fail in turn, for every job of a device (all of them, or those
# whose names hold JOB), in a checkout whose package is installed.
#
# Each job runs again and again, the k-th call failing, k = 1, 2, ..., until a run has no k-th call; with N, for N
# values of k that a seed picks.  A run must end with an error of class stablecl_error_device or with the right answer;
# then nothing is left of what it made on the device, and the next run is right.  Prints what is not so, and ends with
# status 1 then.  PoCL compiles for seconds: let POCL_CACHE_DIR name a folder that is kept.
if (dir.exists("build/library")) .libPaths(c(normalizePath("build/library"), .libPaths()))
library(stablecl)
tests <- new.env()
for (file in c("helper-devices.R", "helper-fit.R", "helper-opencl-jobs.R"))
  sys.source(file.path("tests", "testthat", file), tests)

given <- commandArgs(trailingOnly = TRUE)
most <- if (length(given)) as.numeric(given[1L]) else Inf
jobs <- tests$opencl_jobs()
if (length(given) > 1L) jobs <- jobs[grepl(given[2L], names(jobs))]
reason <- tests$no_device()
if (!is.null(reason)) {
  cat("No device:", reason, "\n")
  quit(status = 0)
}
set.seed(1)
found <- 0
for (name in names(jobs)) {
  report <- tests$sweep_faults(jobs[[name]], most)
  found <- found + length(report$findings)
  cat(sprintf("%-18s %5g calls, %5g let fail, %5g errors\n", name, report$calls, report$tried, report$errors))
  for (line in report$findings) cat("  ", line, "\n")
}
cat(found, "findings\n")
quit(status = if (found) 1 else 0)
