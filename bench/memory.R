# Measures the memory that calls with many elements need beside their input and output.  Linux only.
#
#     Rscript bench/memory.R [--n=1e8] > bench/memory.md
#
# Each call runs in a process of its own, which first has computed a thousand elements.

source("bench/samples.R")                                          # option()
source("bench/page.R")                                   # made_by()
n <- option("n", 1e8)

points <- "x <- rep_len(0.1 + 1:999/1e3, n)"
calls <- data.frame(
  call = c("dstable(x, 1.5, 0.3)", "pstable(x, 1.5, 0.3, 2, 1, log.p = TRUE)", "qstable(x / 2, 1.5, 0.3)",
           "rstable(n, 1.5, 0.3)", "stable_loglik(x, 1.5, 0.3)", "dstable(x, a, 0.3)", "qstable(x / 2, a, 0.3)"),
  elements = c(rep(n, 5), n / 100, n / 100),
  input = c(points, points, points, "invisible()", points, rep(paste0(points, "; a <- rep_len(1 + 1:997/1e3, n)"), 2)))

# The program of a process: prints the bytes of the result and the kilobytes of the peak above those before the call.
program <- '
suppressPackageStartupMessages(library(stablecl))
stable_backend("cpu")
kilobytes <- function(name)
  as.numeric(gsub("[^0-9]", "", grep(name, readLines("/proc/self/status"), value = TRUE)))
n <- 1000; %s; invisible(%s)
n <- %.0f; %s; invisible(gc())
writeLines("5", "/proc/self/clear_refs")                           # the peak restarts here
before <- kilobytes("VmRSS")
y <- %s
cat(8 * length(y), kilobytes("VmHWM") - before)
'

measure <- function(k) {
  file <- tempfile(fileext = ".R")
  with(calls[k, ], writeLines(sprintf(program, input, call, elements, input, call), file))
  scan(text = system2(file.path(R.home("bin"), "Rscript"), file, stdout = TRUE), quiet = TRUE)
}

cat("# Memory beside input and output\n\n", made_by("bench/memory.R"), ", ", format(Sys.Date()), ", ",
    R.version.string, ", ", parallel::detectCores(), " processors, on the CPU.\n\n", sep = "")
cat("Floor: the result, 8 bytes for each element, and the argument `x / 2` where the call has one. Workspace: the ",
    "increase of the peak of the process during the call (VmHWM) less this floor. MB are 10^6 bytes.\n\n", sep = "")
cat("| call | elements | result, MB | peak, MB | workspace, MB |\n|---|---|---|---|---|\n")
for (k in seq_len(nrow(calls))) {
  found <- measure(k)
  result <- found[1] / 1e6
  argument <- if (grepl("x / 2", calls$call[k])) 8 * calls$elements[k] / 1e6 else 0
  peak <- found[2] * 1024 / 1e6
  cat(sprintf("| `%s` | %g | %.0f | %.0f | %.0f |\n", calls$call[k], calls$elements[k], result, peak,
              peak - result - argument))
}
