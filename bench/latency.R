# bench/latency.R: measures the time of loading the package, of the first calls, and of calls with one element.
#
#     Rscript bench/latency.R > bench/latency.md
#
# Each first call is measured in processes of its own.
library(stablecl)
stable_backend("cpu")
stable_threads(1)
set.seed(1)

processes <- 11
here <- paste(.libPaths(), collapse = .Platform$path.sep)

# Milliseconds of elapsed and of CPU time of `code` in new R processes, after `before`.
first <- function(code, before = "invisible()") {
  text <- paste0(before, "; a <- proc.time(); invisible(", code, "); cat(1e3 * (proc.time() - a)[1:3])")
  run <- function(k) scan(text = system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(text)),
                                         stdout = TRUE, env = paste0("R_LIBS=", here)), quiet = TRUE)
  found <- vapply(seq_len(processes), run, numeric(3))
  c(median(found[3, ]), median(found[1, ] + found[2, ]))
}

load <- "suppressMessages(library(stablecl))"
sample <- paste0(load, "; set.seed(1); x <- rstable(1000, 1.5, 0.3)")
firsts <- list("`loadNamespace(\"stats4\")`, for comparison" = first("loadNamespace(\"stats4\")"),
               "`library(stablecl)`" = first("library(stablecl)"),
               "first `dstable()`, one element" = first("dstable(0.3, 1.5, 0.3)", load),
               "first `stablefit()`, n = 1000, which reads the tables" = first("stablefit(x)", sample),
               "second `stablefit()`, n = 1000" = first("stablefit(x)", paste0(sample, "; f <- stablefit(x)")))
cat("# Latency\n\nMade by `Rscript bench/latency.R > bench/latency.md`, ", format(Sys.Date()), ", ", R.version.string,
    ".  One thread.\n\n## First calls of a session\n\nMedians of ", processes, " new processes, in milliseconds.\n\n",
    "| call | elapsed | CPU |\n|---|---|---|\n", sep = "")
for (name in names(firsts)) cat(sprintf("| %s | %.0f | %.0f |\n", name, firsts[[name]][1], firsts[[name]][2]))

# Microseconds of CPU time of a call of f, without the loop.
microseconds <- function(f, calls = 2e4) {
  cpu <- function(f) {
    a <- proc.time()
    for (k in seq_len(calls)) f(k)
    sum((proc.time() - a)[1:2])
  }
  cpu(f)
  1e6 * (median(replicate(9, cpu(f))) - median(replicate(9, cpu(function(k) NULL)))) / calls
}
ones <- c("`dt(0.3, 1.5)`, for comparison" = microseconds(function(k) dt(0.3, 1.5)),
          "`dstable(0.3, 1.5, 0.2)`, the same distribution" = microseconds(function(k) dstable(0.3, 1.5, 0.2)),
          "`dstable()`, a new distribution each" = microseconds(function(k) dstable(0.3, 1.5 + k * 1e-7, 0.2)),
          "`pstable()`, a new distribution each" = microseconds(function(k) pstable(0.3, 1.5 + k * 1e-7, 0.2)),
          "`qstable()`, a new distribution each" = microseconds(function(k) qstable(0.3, 1.5 + k * 1e-7, 0.2)))
cat("\n## Calls with one element\n\nMicroseconds of CPU time, medians of 9 times 20,000 calls.\n\n",
    "| call | microseconds |\n|---|---|\n", sep = "")
for (name in names(ones)) cat(sprintf("| %s | %.2g |\n", name, ones[[name]]))
