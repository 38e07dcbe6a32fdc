# tools/fuzz.R [N] [SEED]: runs all fuzzers tools/fuzz-*.R, each with a share of N calls.  The last line printed is
# "fuzz: N calls, M findings", where N is the number of calls of exported functions that were made; the exit status is
# 1 if there are findings.
#
# A share is the fraction of the calls that one fuzzer makes, small if its calls take long; a fuzzer that is not listed
# here counts as expensive.  Those that use one process run concurrently with the others, which run one after the other,
# each with a worker process for each core.  That of interrupts, which measures delays, runs last and alone.
shares <- c(arguments = 0.4, values = 0.58, translate = 0.015, memory = 0.004, opencl = 0.0005, interrupts = 0.0002)
least <- c(arguments = 1000, values = 1000, translate = 100, memory = 100, opencl = 20, interrupts = 10)
one_process <- c("memory", "opencl")
other_share <- 0.0005
other_least <- 20

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) >= 1L) as.numeric(args[1L]) else 20000
seed <- if (length(args) >= 2L) as.integer(args[2L]) else 1L
if (!isTRUE(n >= 1) || is.na(seed)) stop("Usage: Rscript tools/fuzz.R [N] [SEED]")

calls_of <- function(name) {
  if (!name %in% names(shares)) return(max(other_least, ceiling(n * other_share)))
  max(min(n, least[[name]]), ceiling(n * shares[[name]]))
}

# Runs one fuzzer; returns its output, exit status and elapsed seconds.
run_fuzzer <- function(name) {
  started <- proc.time()[["elapsed"]]
  output <- suppressWarnings(system2("Rscript", c(sprintf("tools/fuzz-%s.R", name),
                                                  format(calls_of(name), scientific = FALSE), seed),
                                     stdout = TRUE, stderr = TRUE))
  list(lines = output, status = attr(output, "status"), seconds = proc.time()[["elapsed"]] - started)
}

# Prints the output of a fuzzer; returns the numbers of its calls and findings: 0 and 1 if its last line is missing.
total_of <- function(run) {
  last <- utils::tail(run$lines, 1L)
  numbers <- regmatches(last, regexec("^fuzz-[a-z]+: ([0-9]+) calls, ([0-9]+) findings$", last))[[1L]]
  writeLines(run$lines)
  cat(sprintf("  %.0f s\n", run$seconds))
  if (length(numbers) < 3L) return(c(calls = 0, findings = 1))
  c(calls = as.numeric(numbers[2L]), findings = max(as.numeric(numbers[3L]), if (is.null(run$status)) 0 else 1))
}

names <- sub("^fuzz-(.*)[.]R$", "\\1", basename(sort(Sys.glob("tools/fuzz-*.R"))))
side_by_side <- lapply(intersect(names, one_process), function(name) parallel::mcparallel(run_fuzzer(name)))
totals <- NULL
for (name in setdiff(names, c(one_process, "interrupts"))) totals <- cbind(totals, total_of(run_fuzzer(name)))
for (run in parallel::mccollect(side_by_side)) totals <- cbind(totals, total_of(run))
totals <- cbind(totals, total_of(run_fuzzer("interrupts")))
cat(sprintf("fuzz: %.0f calls, %.0f findings\n", sum(totals["calls", ]), sum(totals["findings", ])))
quit(status = sum(totals["findings", ]) > 0)
