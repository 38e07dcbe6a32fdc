# One integral of a long integrand: one thread, all threads of the host, and a device, by each method for one axis.
#
#     Rscript bench/gpu/single-integrals.R [--device=opencl] > bench/gpu/single-integrals.md
#
# The integrand is the sum over k = 1, ..., n of sin(k x)/k^2, over (0, b), a loop of 8 n operations; its integral is
# known.  Results on the device are compared with those of the CPU before anything is timed.  Times are medians of the
# rounds of calls, of 50 milliseconds or more each, that fit into three seconds, five at most, after a first call, which
# builds the kernels.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()

DEVICE  <- c(sub("^--device=", "", grep("^--device=", commandArgs(TRUE), value = TRUE)), "opencl")[1]
METHODS <- c("gk", "simpson", "tanhsinh", "blockcut")

sines <- function(x, n) {
  s <- 0
  for (k in 1:n) s <- s + sin(k * x) / k^2
  s
}
truth <- function(n, b) sum((1 - cos(b * (1:n))) / (1:n)^3)

run <- function(method, n, b, tol, backend)
  suppressWarnings(gintegrate(sines, 0, b, n = n, method = method, rel.tol = tol, backend = backend))

# Returns the median of the seconds that a call takes.
seconds <- function(...) {
  times <- function(calls) system.time(for (k in seq_len(calls)) run(...))[[3]] / calls
  calls <- 1
  while (times(calls) * calls < 0.05) calls <- 2 * calls
  spent <- numeric()
  while (length(spent) < 5 && sum(spent) * calls < 3) spent <- c(spent, times(calls))
  stats::median(spent)
}

on_threads <- function(threads, ...) {
  before <- stable_threads()
  on.exit(stable_threads(before))
  stable_threads(threads)
  seconds(..., backend = "cpu")
}

row <- function(method, n, b, tol) {
  cpu <- run(method, n, b, tol, "cpu")
  device <- run(method, n, b, tol, DEVICE)
  stopifnot(device$backend == "opencl", abs(device$value / cpu$value - 1) < max(1e-12, tol))
  status <- paste(unique(c(as.character(cpu$status), as.character(device$status))), collapse = " / ")
  one <- on_threads(1, method, n, b, tol)
  all <- on_threads(THREADS, method, n, b, tol)
  gpu <- seconds(method, n, b, tol, DEVICE)
  sprintf("| %d | %g | %g | %s | %.1e | %.1e | %s | %.0f | %.3g | %.3g | %.1f | %.3g | %.1f | %.1f |", n, b, tol,
          method, abs(device$value / cpu$value - 1), abs(cpu$value / truth(n, b) - 1), status, cpu$evaluations,
          1e3 * one, 1e3 * all, one / all, 1e3 * gpu, all / gpu, one / gpu)
}

THREADS <- host_cores()
few <- expand.grid(method = METHODS, n = c(20, 200, 2000, 20000), tol = 1e-9, stringsAsFactors = FALSE)
tolerances <- expand.grid(method = METHODS, n = 2000, tol = c(1e-3, 1e-6, 1e-12), stringsAsFactors = FALSE)
many <- data.frame(method = METHODS, n = 2000, b = c(300, 300, 30, 300), tol = c(1e-9, 1e-9, 1e-9, 1e-3))
cases <- rbind(cbind(rbind(few, tolerances), b = 3), many)
cases <- cases[!(cases$method == "blockcut" & (cases$tol < 1e-9 | cases$n > 2000)), ]         # minutes on one thread
rows <- vapply(seq_len(nrow(cases)), function(k) {
  message(paste(cases[k, ], collapse = " "))
  row(cases$method[k], cases$n[k], cases$b[k], cases$tol[k])
}, "")
stable_backend(DEVICE)
cat(sep = "\n",
  "# One integral of a long integrand", "",
  paste0(made_by("bench/gpu/single-integrals.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  device_line(stable_backend()$devices$device),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "The integral over (0, b) of the sum over k = 1, ..., n of sin(k x)/k^2, a loop of 8 n operations.  Milliseconds of",
  "a call, medians; the device's include all copies.  difference: between the values on the device and the CPU; error:",
  "the true relative error; status: of the results (?gintegrate).  The last three columns are ratios of times.",
  "",
  paste("| n | b | rel.tol | method | difference | error | status | evaluations | one thread | all threads | one / all",
        "| device | all / device | one / device |"),
  "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|", rows)
