# tools/fuzz.R [N] [SEED]: runs all tools/fuzz-*.R with a share of N calls each.  The last line printed is
# "fuzz: N calls, M findings"; the exit status is 1 if there are findings.
#
# A share is the part of the calls that one fuzzer makes; a call of a fuzzer that is not named here is an expensive one.
shares <- c(arguments = 0.5, values = 0.2, translate = 0.28, memory = 0.01, opencl = 0.005, interrupts = 0.001)
other_share <- 0.005

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) >= 1L) as.numeric(args[1L]) else 20000
seed <- if (length(args) >= 2L) as.integer(args[2L]) else 1L
if (!isTRUE(n >= 1) || is.na(seed)) stop("Usage: Rscript tools/fuzz.R [N] [SEED]")

run_fuzzer <- function(script) {
  name <- sub("^fuzz-(.*)[.]R$", "\\1", basename(script))
  share <- if (name %in% names(shares)) shares[[name]] else other_share
  output <- suppressWarnings(system2("Rscript", c(script, format(max(10, round(n * share)), scientific = FALSE),
                                                  seed),
                                     stdout = TRUE, stderr = TRUE))
  last <- utils::tail(output, 1L)
  numbers <- regmatches(last, regexec("^fuzz-[a-z]+: ([0-9]+) calls, ([0-9]+) findings$", last))[[1L]]
  status <- attr(output, "status")
  writeLines(output)
  if (length(numbers) < 3L) return(c(calls = 0, findings = 1))
  c(calls = as.numeric(numbers[2L]), findings = max(as.numeric(numbers[3L]), if (is.null(status)) 0 else 1))
}

scripts <- sort(Sys.glob("tools/fuzz-*.R"))
totals <- vapply(scripts, function(script) {
  started <- proc.time()[["elapsed"]]
  total <- run_fuzzer(script)
  cat(sprintf("  %.0f s\n", proc.time()[["elapsed"]] - started))
  total
}, c(calls = 0, findings = 0))
cat(sprintf("fuzz: %.0f calls, %.0f findings\n", sum(totals["calls", ]), sum(totals["findings", ])))
quit(status = sum(totals["findings", ]) > 0)
