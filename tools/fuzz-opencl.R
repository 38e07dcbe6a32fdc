# tools/fuzz-opencl.R [N] [SEED] [PATTERN]: makes OpenCL calls fail in jobs that run on a device (all jobs, or those
# whose names match PATTERN).  Run it from a checkout with the package installed.
#
# With N, chooses jobs and failing OpenCL calls at random until N calls of the package are made; without N, repeats each
# job with the k-th OpenCL call failing, k = 1, 2, ..., until a run makes fewer than k calls.  A run must end with an
# error of class stablecl_error_device or with the correct result; it must release everything it allocated on the
# device, and the next run must be correct.  Prints violations; the exit status is 1 if there are any.  PoCL takes
# seconds to compile kernels: set POCL_CACHE_DIR to a folder that persists.
if (dir.exists("build/library")) .libPaths(c(normalizePath("build/library"), .libPaths()))
Sys.setenv(NOT_CRAN = "true")
suppressPackageStartupMessages(library(stablecl))
tests <- new.env()
for (file in c("helper-devices.R", "helper-fit.R", "helper-opencl-jobs.R"))
  sys.source(file.path("tests", "testthat", file), tests)

arguments <- c(commandArgs(TRUE), rep(NA, 3))
most <- if (is.na(arguments[1])) Inf else as.numeric(arguments[1])
set.seed(if (is.na(arguments[2])) 1 else as.integer(arguments[2]))
jobs <- tests$opencl_jobs()
if (!is.na(arguments[3])) jobs <- jobs[grepl(arguments[3], names(jobs))]
reason <- tests$no_device()
if (!is.null(reason)) {
  cat("No device:", reason, "\nfuzz-opencl: 0 calls, 0 findings\n")
  quit(status = 0)
}

# Runs one job with at most `most_faults` failing calls; returns the numbers of calls made and of findings.
sweep <- function(name, most_faults) {
  seed <- sample.int(1e6, 1L)                                # jobs that draw random numbers set a seed
  report <- tests$sweep_faults(jobs[[name]], most_faults)
  set.seed(seed)
  if (is.infinite(most) || length(report$findings))
    cat(sprintf("%-18s %5g calls of OpenCL, %5g let fail, %5g errors\n", name, report$calls, report$tried,
                report$errors))
  for (line in report$findings) cat("  ", name, line, "\n")
  c(calls = 3 + 2 * report$tried, findings = length(report$findings))
}

totals <- c(calls = 0, findings = 0)
repeat {
  for (name in if (is.finite(most)) sample(names(jobs)) else names(jobs)) {
    if (totals[["calls"]] >= most) break
    totals <- totals + sweep(name, if (is.finite(most)) 4 else Inf)
  }
  if (is.infinite(most) || totals[["calls"]] >= most) break
}
cat(sprintf("fuzz-opencl: %.0f calls, %.0f findings\n", totals[["calls"]], totals[["findings"]]))
quit(status = totals[["findings"]] > 0)
