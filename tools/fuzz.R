# tools/fuzz.R [N] [SEED]: runs all fuzzers tools/fuzz-*.R, each with a share of N calls.  The last line printed is
# "fuzz: N calls, M findings", where N is the number of calls of exported functions that were made; the exit status is
# 1 if there are findings.
#
# A share is the fraction of the calls that one fuzzer makes, small if its calls take long; a fuzzer that is not listed
# here counts as expensive.  Fuzzers that use one thread run concurrently; the others run one after the other, each
# with several worker processes.
shares <- c(arguments = 0.4, values = 0.58, translate = 0.015, memory = 0.004, opencl = 0.0005, interrupts = 0.0002)
least <- c(arguments = 1000, values = 1000, translate = 100, memory = 100, opencl = 20, interrupts = 10)
one_thread <- c("memory", "opencl")
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
cores <- min(2L, parallel::detectCores())
side_by_side <- parallel::mclapply(intersect(names, one_thread), run_fuzzer, mc.cores = cores)
totals <- vapply(side_by_side, total_of, c(calls = 0, findings = 0))
for (name in setdiff(names, one_thread)) totals <- cbind(totals, total_of(run_fuzzer(name)))
cat(sprintf("fuzz: %.0f calls, %.0f findings\n", sum(totals["calls", ]), sum(totals["findings", ])))
quit(status = sum(totals["findings", ]) > 0)
