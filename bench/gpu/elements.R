# Measures densities, probabilities and quantiles of which every element has parameters of its own, on a device and on
# all threads of its host.
#
#     Rscript bench/gpu/elements.R [DEVICE] > bench/gpu/elements.md                 (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl".  Values on the device are first compared with those of the CPU.
# Times are medians of REPEATS calls from R to R after WARM_UP seconds of calls, because idle devices and processors
# need some to reach their full rates; the CPU computes a part of the elements.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores(), beside()
source("bench/page.R")                                   # made_by()

REPEATS <- 3
WARM_UP <- 0.5
THREADS <- host_cores()
device  <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used    <- stable_backend()$devices
scale   <- if (any(used$type == "GPU")) 1 else 1000      # a CPU-type device gets fewer elements
source("bench/timing.R")                                 # now(), seconds(), median_seconds()

n     <- 2e6 / scale
few   <- n / 4                                          # elements for the CPU, and for the comparison
bands <- data.frame(from = c(0.1, 0.5, 0.9, 1.1, 1.9), to = c(0.5, 0.9, 1.1, 1.9, 2))
calls <- list(density = function(e) dstable(e$x, e$alpha, e$beta),
              distribution = function(e) pstable(e$x, e$alpha, e$beta),
              quantile = function(e) qstable(e$p, e$alpha, e$beta))
ROOM  <- c(density = 1e-10, distribution = 1e-10, quantile = 1e-8)    # largest difference accepted

set.seed(60)
elements_of <- function(band) {
  alpha <- runif(n, band$from, band$to)
  beta <- runif(n, -1, 1)
  data.frame(alpha, beta, x = rstable(n, alpha, beta), p = runif(n))
}

on <- function(backend, code) {
  local_stable_backend(backend)
  code
}
# Returns the elements per second of calls after those that warm up.
rate <- function(call, e) {
  began <- now()
  while (now() - began < WARM_UP) call(e)
  nrow(e) / median_seconds(function() call(e))
}

row <- function(name, band, e) {
  message(name, " ", band$from)
  call <- calls[[name]]
  some <- e[seq_len(few), ]
  right <- on("cpu", call(some))
  gap <- max(abs(on(device, call(some)) - right) / pmax(1, abs(right)))
  stopifnot(gap < ROOM[[name]])
  here <- on("cpu", rate(call, some))
  there <- on(device, rate(call, e))
  sprintf("| %s | %g to %g | %.1e | %.3g | %.3g | %.1f |", name, band$from, band$to, gap, here, there, there / here)
}

stable_threads(THREADS)
rows <- unlist(lapply(seq_len(nrow(bands)), function(k) {
  e <- elements_of(bands[k, ])
  vapply(names(calls), row, "", band = bands[k, ], e = e)
}))
cat(sep = "\n",
  "# Elements with parameters of their own on a device", "",
  paste0(made_by("bench/gpu/elements.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  device_line(used$device), beside(),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  sprintf("Elements per second from R to R, with all copies: %g elements on the device and %g on the host in a call;",
          n, few),
  "alpha is uniform in the band, beta in (-1, 1), x a draw from the distribution, p uniform. Agreement: the largest",
  "difference between device and CPU, relative to values above 1; ratio: device against all threads.", "",
  "| call | alpha | agreement | all threads | device | ratio |",
  "|---|---|---|---|---|---|", rows)
