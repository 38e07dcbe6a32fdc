# Speed of the OpenCL backend: agreement with the CPU first, then kernels alone, then R to R.
#
#     Rscript bench/gpu/benchmark.R [DEVICE] > bench/gpu/README.md
#
# DEVICE as for stable_backend(), "opencl" if left out.  Kernel times are those of the device's
# own clock, over data that are already there; R to R is the wall time of the call.
# Medians of REPEATS calls after one that builds programs and lays panels.

library(stablecl)

REPEATS <- 5
device <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
only_cpu <- !any(with(stable_devices(), usable & type == "GPU"))
scale <- if (only_cpu) 100 else 1                    # a CPU-type device gets fewer elements

kernel_clock <- function(on = NULL) .Call(stablecl:::C_profile, on)

# Calls of f on the device with the clock of kernels running: elements per second.
kernel_rate <- function(f) {
  .Call(stablecl:::C_close_devices, FALSE)
  kernel_clock(TRUE)
  on.exit({
    kernel_clock(FALSE)
    .Call(stablecl:::C_close_devices, FALSE)
  })
  f()
  rates <- replicate(REPEATS, {
    kernel_clock()
    f()
    spent <- kernel_clock()
    spent[2] / spent[1]
  })
  median(rates)
}

wall_rate <- function(f, n) {
  f()
  n / median(replicate(REPEATS, system.time(f(), gcFirst = FALSE)[["elapsed"]]))
}

agreement <- function(f) {
  ours <- f()
  stable_backend("cpu")
  on.exit(stable_backend(device))
  reference <- f()
  size <- pmax(1, abs(reference))
  max(abs(ours - reference) / size)
}

set.seed(20)
n <- 1e7 / scale
shapes <- 1e6 / scale
points <- list(x = rstable(n, 1.5, 0.5))
probabilities <- list(p = runif(n))
many <- list(x = rt(shapes, 1), alpha = runif(shapes, 0.05, 2), beta = runif(shapes, -1, 1))

# What is asked for: elements per second of the kernel, and from R to R.
job <- function(name, data, f, kernel = NA, wall = NA)
  list(name = name, data = data, f = f, kernel = kernel, wall = wall)

density_of <- function(alpha, beta, ...)
  job(sprintf("density, (%g, %g)", alpha, beta), points,
      function(d) dstable(d$x, alpha, beta, log = TRUE), ...)

jobs <- list(
  density_of(1.5, 0.5, kernel = 3e8, wall = 1.5e8),
  job("distribution, (1.5, 0.5)", points, function(d) pstable(d$x, 1.5, 0.5), 3e8),
  job("both, (1.5, 0.5)", points,
      function(d) stable_eval(d$x, 1.5, 0.5, what = c("pdf", "cdf")), 2.5e8),
  density_of(0.8, 0.3), density_of(1.01, -0.9), density_of(0.3, 0.9), density_of(1.9, 0),
  job("quantile, (1.5, 0.5)", probabilities, function(d) qstable(d$p, 1.5, 0.5), 5e7),
  job("quantile, (0.8, 0.3)", probabilities, function(d) qstable(d$p, 0.8, 0.3)),
  job("density, a shape per point", many, function(d) dstable(d$x, d$alpha, d$beta, log = TRUE), 1e8),
  job("random, (1.5, 0.5)", list(n = numeric(1e8 / scale)),
      function(d) rstable(length(d$n), 1.5, 0.5), 3e9, 5e8))

timed <- do.call(rbind, lapply(jobs, function(job) {
  size <- length(job$data[[1]])
  call <- function() job$f(job$data)
  few <- lapply(job$data, head, 1e5)
  data.frame(job = job$name, n = size,
             agreement = agreement(function() { set.seed(1); unlist(job$f(few)) }),
             kernel = kernel_rate(call), asked = job$kernel,
             wall = wall_rate(call, size), asked_wall = job$wall)
}))

used <- subset(stable_devices(), usable)
number <- function(v) ifelse(is.na(v), "", formatC(v, digits = 3, format = "g"))
cat("# OpenCL backend\n\nMade by `Rscript bench/gpu/benchmark.R > bench/gpu/README.md`.\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    "* Host threads: ", stable_threads(), "\n\n",
    "Elements per second: of the kernel alone, by the device's clock, and of the call from R to R.\n",
    "Agreement: largest difference from the CPU, relative to values above 1, in 100000 elements.\n\n",
    "| call | n | agreement | kernel | asked for | R to R | asked for |\n|---|---|---|---|---|---|---|\n",
    sprintf("| %s | %g | %.1e | %s | %s | %s | %s |\n", timed$job, timed$n, timed$agreement,
            number(timed$kernel), number(timed$asked), number(timed$wall), number(timed$asked_wall)),
    sep = "")
