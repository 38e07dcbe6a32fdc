# tools/fuzz-memory.R [N] [SEED] [PATTERN]: calls every exported function while memory allocation fails: the k-th
# allocation of the C code fails, alone or with all later ones.  With N, chooses jobs and k at random until N calls are
# made; without N, runs every job with k = 1, 2, ... up to its last allocation.  PATTERN selects jobs by name.  A call
# must either raise an error of class "stablecl_error_memory" or return the correct value, the next call must be
# correct, and no memory may leak.  Jobs on OpenCL devices are included if a device is available.  Prints findings; the
# exit status is 1 if there are any.

if (dir.exists("build/library")) .libPaths(c(normalizePath("build/library"), .libPaths()))
suppressPackageStartupMessages(library(stablecl))
arguments <- c(commandArgs(TRUE), rep(NA, 3))
most <- if (is.na(arguments[1])) Inf else as.numeric(arguments[1])
set.seed(if (is.na(arguments[2])) 1 else as.integer(arguments[2]))
pattern <- if (is.na(arguments[3])) "" else arguments[3]

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "..", "tests", "testthat", "helper-memory.R"))

in_setting <- function(jobs, label, threads) {
  names(jobs) <- paste0(label, names(jobs))
  lapply(jobs, function(run) list(run = run, threads = threads))
}

# Runs one job with `numbers` values of k; returns the numbers of calls made and of findings.
sweep <- function(name, job, numbers) {
  began <- proc.time()[["elapsed"]]
  stable_threads(job$threads)
  seed <- sample.int(1e6, 1L)                                # jobs that draw random numbers set a seed
  s <- memory_sweep(job$run, name, numbers)
  set.seed(seed)
  if (is.infinite(most) || !is.null(s$found))
    cat(sprintf("%-50s %6.0f allocations %6.0f trials %4.0f findings %6.1f s\n", name, s$calls, s$trials,
                NROW(s$found), proc.time()[["elapsed"]] - began))
  if (!is.null(s$found)) print(utils::head(s$found, 20), right = FALSE)
  c(calls = 2 + 2 * s$trials, findings = NROW(s$found))         # a trial makes two calls
}

stable_backend("cpu")
jobs <- c(in_setting(memory_jobs(), "", 1), in_setting(memory_jobs(), "4 threads: ", 4),
          if (any(stable_devices()$usable)) in_setting(memory_device_jobs(), "device: ", 1))
jobs <- jobs[grepl(pattern, names(jobs))]
totals <- c(calls = 0, findings = 0)
repeat {
  for (name in if (is.finite(most)) sample(names(jobs)) else names(jobs)) {
    if (totals[["calls"]] >= most) break
    totals <- totals + sweep(name, jobs[[name]], if (is.finite(most)) 1 else Inf)
  }
  if (is.infinite(most) || totals[["calls"]] >= most) break
}
cat(sprintf("fuzz-memory: %.0f calls, %.0f findings\n", totals[["calls"]], totals[["findings"]]))
quit(status = totals[["findings"]] > 0)
