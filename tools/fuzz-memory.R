# tools/fuzz-memory.R [N] [SEED] [PATTERN]: calls of every exported function with memory that runs short: allocation
# number k of the C code fails, alone or with all that follow, for k = 1, 2, ..., N of them where a call makes more
# (all without N).  A call must either raise an error of class "stablecl_error_memory" or give the right value; the next
# call must be right; nothing may leak.  Jobs on OpenCL devices come last, where there is a device.  Prints findings;
# the exit status is 1 if there are any.

suppressPackageStartupMessages(library(stablecl))
arguments <- c(commandArgs(TRUE), rep(NA, 3))
numbers <- if (is.na(arguments[1])) Inf else as.numeric(arguments[1])
set.seed(if (is.na(arguments[2])) 1 else as.integer(arguments[2]))
pattern <- if (is.na(arguments[3])) "" else arguments[3]

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "..", "tests", "testthat", "helper-memory.R"))

sweep_all <- function(jobs, label) {
  jobs <- jobs[grepl(pattern, paste0(label, names(jobs)))]
  found <- NULL
  trials <- 0
  for (name in names(jobs)) {
    began <- proc.time()[["elapsed"]]
    s <- memory_sweep(jobs[[name]], paste0(label, name), numbers)
    trials <- trials + s$trials
    cat(sprintf("%-50s %6.0f allocations %6.0f trials %4.0f findings %6.1f s\n", paste0(label, name), s$calls, s$trials,
                NROW(s$found), proc.time()[["elapsed"]] - began))
    if (!is.null(s$found)) print(utils::head(s$found, 20), right = FALSE)
    found <- rbind(found, s$found)
  }
  list(trials = trials, found = found)
}

stable_backend("cpu")
stable_threads(1)
on_cpu <- sweep_all(memory_jobs(), "")
stable_threads(4)
in_threads <- sweep_all(memory_jobs(), "4 threads: ")
stable_threads(1)
devices <- stable_devices()
on_device <- if (any(devices$usable)) sweep_all(memory_device_jobs(), "device: ") else list(trials = 0)
found <- rbind(on_cpu$found, in_threads$found, on_device$found)
cat(on_cpu$trials + in_threads$trials + on_device$trials, "trials,", NROW(found), "findings\n")
quit(status = NROW(found) > 0)
