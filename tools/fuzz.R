# tools/fuzz.R [N] [SEED]: runs all tools/fuzz-*.R with a share of N calls each.  The last line printed is
# "fuzz: N calls, M findings", N being the calls of exported functions that were made; the exit status is 1 if there are
# findings.
#
# A share is the part of the calls that one fuzzer makes, small where a call takes long; a fuzzer that is not named here
# is an expensive one.  Those that use one thread run next to each other; the others share the machine among their
# workers, one fuzzer after the other.
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

# Runs one fuzzer.
run_fuzzer <- function(name) {
  started <- proc.time()[["elapsed"]]
  output <- suppressWarnings(system2("Rscript", c(sprintf("tools/fuzz-%s.R", name),
                                                  format(calls_of(name), scientific = FALSE), seed),
                                     stdout = TRUE, stderr = TRUE))
  list(lines = output, status = attr(output, "status"), seconds = proc.time()[["elapsed"]] - started)
}

# Prints what a fuzzer prints: the number of its calls, and of its findings.
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
