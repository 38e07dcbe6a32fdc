# Measures the bytes per second of large calls on a device from R to R, beside the rates that limit them: copies between
# pinned memory and the device, and the host's clearing of new memory.
#
#     Rscript bench/gpu/bus.R [DEVICE] > bench/gpu/bus.md          (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl".  Agreement with the CPU is checked first.  Times are medians of
# REPEATS calls; rates of copies are the best of ten.  Needs R's C compiler and the OpenCL headers, for bus.c.

library(stablecl)
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()
source("data-raw/load-c.R")
load_c("bench/gpu/bus.c", PKG_CFLAGS = "-fopenmp", PKG_LIBS = "-fopenmp -lOpenCL")

REPEATS <- 9
BYTES   <- 2^28
device  <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used  <- stable_backend()$devices
scale <- if (any(used$type == "GPU")) 1 else 100     # a CPU-type device gets fewer elements
cores <- host_cores()

now <- function() as.numeric(Sys.time())
call_seconds <- function(f) {
  replicate(2, f())
  median(replicate(REPEATS, {
    gc(FALSE)
    before <- now()
    f()
    now() - before
  }))
}

set.seed(1)
x <- rnorm(1e7 / scale)
p <- runif(1e7 / scale)
calls <- list("dstable" = list(n = length(x), bytes = c(8, 8), f = function() dstable(x, 1.5, 0.5)),
              "pstable" = list(n = length(x), bytes = c(8, 8), f = function() pstable(x, 1.5, 0.5)),
              "qstable" = list(n = length(p), bytes = c(8, 8), f = function() qstable(p, 1.5, 0.5)),
              "rstable" = list(n = 1e8 / scale, bytes = c(0, 8), f = function() {
                set.seed(2)
                rstable(1e8 / scale, 1.5, 0.5)
              }))

agrees <- function(call) {
  ours <- call$f()
  local_stable_backend("cpu")
  reference <- call$f()
  max(abs(ours - reference) / pmax(1, abs(reference)))
}

pinned <- .C("pinned_rates", BYTES, rate = double(2))$rate
clear_rate <- function(large, threads) {
  BYTES / median(replicate(REPEATS, .C("clear_pages", BYTES, as.integer(large), as.integer(threads), s = double(1))$s))
}

cat("# Bytes from R to R\n\n", made_by("bench/gpu/bus.R"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver), "* Host: ", cores, " processors\n\n",
    sprintf("Copies between pinned memory and the device: %.1f GB/s to it, %.1f GB/s from it.\n\n", pinned[1] / 1e9,
            pinned[2] / 1e9),
    "Agreement: largest difference from the CPU, relative to values above 1.  Bus: bytes that cross it in the ",
    "direction with\nmore of them, per second, as a share of that rate.\n\n",
    "| call | elements | agreement | threads | milliseconds | elements per second | bus |\n",
    "|---|---|---|---|---|---|---|\n",
    sep = "")
for (threads in unique(c(stable_threads(), cores - 1L))) {
  stable_threads(threads)
  for (name in names(calls)) {
    call <- calls[[name]]
    gap <- agrees(call)
    stopifnot(gap < 1e-12)
    seconds <- call_seconds(call$f)
    cat(sprintf("| %s | %g | %.1e | %d | %.1f | %.3g | %.0f%% |\n", name, call$n, gap, threads, 1e3 * seconds,
                call$n / seconds, 100 * max(call$n * call$bytes / seconds / pinned)))
  }
}
cat("\nThe system clears the memory of a new vector when it is first written, in pages of 4 kB or, where the package ",
    "requests\nthem, of 2 MB: GB/s, medians of ", REPEATS, ".\n\n| threads | 4 kB | 2 MB |\n|---|---|---|\n", sep = "")
for (threads in unique(c(1L, 2L, 4L, 8L, cores)))
  cat(sprintf("| %d | %.1f | %.1f |\n", threads, clear_rate(FALSE, threads) / 1e9, clear_rate(TRUE, threads) / 1e9))
