# Measures gintegrate() on a device: agreement with the CPU and with known values, and medians of the elapsed time of R
# calls.
#
#     Rscript bench/gpu/integrate.R [DEVICE [SCALE]] > bench/gpu/integrate.md          (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl"; the numbers of integrals are divided by SCALE (default 1, or 100 if
# the device is a CPU).  The first call of each integrand builds its program and is timed separately.  "Host" are the
# times of the host's CPU with a thread for each processor.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores(), threads_line()
source("bench/page.R")                                   # made_by()

MOST    <- 2e9                          # maximal evaluations of an integral of the suite
REPEATS <- 7
SEEDS   <- 21
LEAST   <- 1e3

arguments <- commandArgs(trailingOnly = TRUE)
device <- c(arguments, "opencl")[1]
stable_backend(device)
used <- stable_backend()$devices
stable_backend("default")
scale <- if (length(arguments) > 1) as.numeric(arguments[2]) else if (any(used$type == "GPU")) 1 else 100

now <- function() as.numeric(Sys.time())

# Returns the elapsed seconds of f().  Garbage collection also empties the processor's caches: after it, a call of
# 0.05 ms takes 0.13 ms longer.
elapsed <- function(f, tidy = TRUE) {
  if (tidy) gc(FALSE)
  before <- now()
  f()
  now() - before
}

# Evaluates with a thread for each processor that R may use.
on_host <- function(code) {
  before <- stable_threads(host_cores())
  on.exit(stable_threads(before))
  code
}

# ---- many integrals ------------------------------------------------------------------

set.seed(1)
black_scholes <- function(x, K) exp(-0.05) * pmax(100 * exp(0.03 + 0.2 * x) - K, 0) * dnorm(x)
strike_from <- function(K) (log(K / 100) - 0.03) / 0.2
price <- function(K) {
  d2 <- -strike_from(K)
  exp(-0.05) * (100 * exp(0.05) * pnorm(d2 + 0.2) - K * pnorm(d2))
}

diffusivity <- function(x, K) exp(-(x / K)^2) / (1 + x)
oscillation <- function(x, w) cos(w * x) * exp(-x)

job <- function(name, n, f, lower, upper, params, true = NULL)
  list(name = name, n = n, f = f, lower = lower, upper = upper, params = params, true = true)

jobs <- lapply(c(1e5, 1e6, 1e7), function(n) {
  n <- max(LEAST, n / scale)
  K <- runif(n, 60, 140)
  job("Black-Scholes from the strike", n, black_scholes, strike_from(K), 10, data.frame(K = K), price(K))
})
jobs <- c(jobs, lapply(c(1e5, 1e6), function(n) {
  n <- max(LEAST, n / scale)
  job("diffusivity over the gradient", n, diffusivity, 0, runif(n), data.frame(K = runif(n, 0.05, 0.2)))
}), lapply(c(1e4, 1e6), function(n) {
  n <- max(LEAST, n / scale)
  w <- runif(n, 1, 200)
  job("cos(w x) exp(-x) over a half-line", n, oscillation, 0, Inf, data.frame(w = w), 1 / (1 + w^2))
}))

run <- function(job, backend)
  gintegrate(job$f, job$lower, job$upper, params = job$params, method = "gk", backend = backend)

# Compares the first LEAST integrals on device and CPU, and all with the true values.
check <- function(job) {
  few <- seq_len(min(LEAST, job$n))
  part <- job
  part$params <- job$params[few, , drop = FALSE]
  for (side in c("lower", "upper")) if (length(job[[side]]) > 1L) part[[side]] <- job[[side]][few]
  ours <- run(part, device)
  cpu <- run(part, "cpu")
  apart <- max(abs(ours$value - cpu$value) / abs(cpu$value))
  all <- run(job, device)
  miss <- if (is.null(job$true)) NA else max(abs(all$value - job$true) / abs(job$true))
  stopifnot(all(all$status == "converged"), all$backend == "opencl", apart < 1e-11, is.na(miss) || miss < 1e-7)
  c(apart = apart, miss = miss, evaluations = mean(all$evaluations),
    more = sum(ours$evaluations) / sum(cpu$evaluations))
}

time_job <- function(job) {
  first <- elapsed(function() run(job, device))
  seen <- check(job)
  on_device <- median(replicate(REPEATS, elapsed(function() run(job, device))))
  auto <- median(replicate(REPEATS, elapsed(function() run(job, "auto"))))
  few <- job
  some <- seq_len(min(1e5, job$n))
  few$params <- job$params[some, , drop = FALSE]
  for (side in c("lower", "upper")) if (length(job[[side]]) > 1L) few[[side]] <- job[[side]][some]
  cpu <- on_host(elapsed(function() run(few, "cpu"))) / length(some) * job$n
  cat(sprintf("| %s | %g | %.1e | %s | %.0f | %.2f | %.0f | %.1f | %.1f | %.0f | %.1f |\n", job$name, job$n,
              seen[["apart"]], if (is.na(seen[["miss"]])) "" else sprintf("%.1e", seen[["miss"]]),
              seen[["evaluations"]], seen[["more"]], 1e3 * first, 1e3 * on_device, 1e3 * auto, 1e3 * cpu,
              cpu / on_device))
}

cat("# Integrals on a device\n\n", made_by("bench/gpu/integrate.R"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    threads_line(), "\n\n## Many integrals, method \"gk\", rel.tol = 1e-8\n\n", sep = "")
cat(strwrap(paste0(
  "Milliseconds of wall time from R to R, medians of ", REPEATS, "; the first call opens the device and builds the ",
  "program. Agreement: largest relative difference from the processor in ", LEAST, " integrals; error: from the true ",
  "values, all of them; of CPU: evaluations on the device, divided by those on the processor, which in addition ",
  "extrapolates bisections next to singular points. Host: the CPU with ", host_cores(), " threads, the time of 1e5 ",
  "integrals in proportion; ratio: to the device."), 95), sep = "\n")
cat("\n| integrand | n | agreement | error | evaluations | of CPU | first call | device | auto | host | ratio |\n",
    "|---|---|---|---|---|---|---|---|---|---|---|\n", sep = "")
for (one in jobs) time_job(one)

# ---- the suite of m-Cubes ------------------------------------------------------------------

# The suite of m-Cubes (Sakiotis et al. 2022) on the unit cube, fB on (-1, 1)^9, with values to 16 digits.  The last
# numbers are the times of m-Cubes: the CUDA program that its authors publish, measured on an NVIDIA H100 80GB (driver
# 580.159.04, CUDA 13.0) on 2026-11-20, milliseconds of the successful call for each tolerance, with the faster of its
# two generators of random numbers that met the tolerance; NA: none did.
suite <- list(
  list("f1", 5, function(x) cos(sum((1:5) * x)), 0.02024242211990189686, c(13.76, 115.87, NA)),
  list("f2", 6, function(x) prod(1 / (50^-2 + (x - 0.5)^2)), 1.286887990110987754e13, c(2.61, 3.26, 7.22)),
  list("f3", 3, function(x) (1 + sum((1:3) * x))^-4, 0.01084656084656084656, c(1.73, 1.49, 1.76)),
  list("f3", 8, function(x) (1 + sum((1:8) * x))^-9, 2.275196581791775608e-10, c(2.66, 9.92, 216.55)),
  list("f4", 5, function(x) exp(-625 * sum((x - 0.5)^2)), 1.791326036748785955e-6, c(1.70, 3.20, 26.05)),
  list("f4", 8, function(x) exp(-625 * sum((x - 0.5)^2)), 6.383802190004383727e-10, c(2.73, 6.28, 58.46)),
  list("f5", 8, function(x) exp(-10 * sum(abs(x - 0.5))), 2.425217625641885557e-6, c(3.14, 3.38, 10.14)),
  list("f6", 6, function(x) if (all(x < (4:9) / 10)) exp(sum((5:10) * x)) else 0, 154773678.8509120741,
       c(2.57, 7.40, 161.80)),
  list("fB", 9, function(x) exp(-sum(x^2) / (2 * 0.01^2)) / (sqrt(2 * pi) * 0.01)^9, 1, c(171.21, 208.55, 426.50)))

sample_row <- function(one, tau, mcubes, method) {
  f <- gtranslate(one[[3]], dim = one[[2]])
  from <- rep(if (one[[1]] == "fB") -1 else 0, one[[2]])
  run <- function(backend, seed, rel.tol = tau)
    gintegrate(f, from, 1, method = method, control = list(seed = seed), rel.tol = rel.tol, max.eval = MOST / scale,
               backend = backend)
  first <- elapsed(function() suppressWarnings(run(device, 1)))
  ours <- suppressWarnings(run(device, 1, 1e-2))
  cpu <- suppressWarnings(run("cpu", 1, 1e-2))
  stopifnot(ours$backend == "opencl", abs(ours$value - cpu$value) < 1e-6 * abs(cpu$value))
  gc(FALSE)
  all <- lapply(1:SEEDS, function(seed) {
    seconds <- elapsed(function() r <<- suppressWarnings(run(device, seed)), tidy = FALSE)
    c(seconds, abs(r$value / one[[4]] - 1), r$abs.error / abs(r$value), r$status == "converged", r$evaluations)
  })
  all <- do.call(rbind, all)
  host <- on_host(elapsed(function() suppressWarnings(run("cpu", 1))))
  number <- function(x) if (is.na(x)) "none" else sprintf("%.1f", x)
  cat(sprintf("| %s | %d | %g | %d | %d | %.1e | %.1e | %.1e | %.2g | %.0f | %.1f | %s | %.0f |\n", one[[1]], one[[2]],
              tau, sum(all[, 4]), sum(all[, 2] <= tau), median(all[, 2]), max(all[, 2]), max(all[, 3]),
              median(all[, 5]), 1e3 * first, 1e3 * median(all[, 1]), number(mcubes), 1e3 * host))
}

r <- NULL
for (method in c("vegas", "lattice", "auto")) {
  cat("\n## The suite of m-Cubes, method \"", method, "\"\n\n", sep = "")
  cat(strwrap(paste0("Milliseconds of wall time from R to R, medians of ", SEEDS, " seeds one after the other, of ",
                     "functions that gtranslate() has made. Converged, true: seeds of which the claimed error, ",
                     "and the true one, are within the tolerance; errors are relative, the median and the worst of ",
                     "the true ones, the worst of those claimed: ",
                     if (method == "auto") "four standard errors where it samples" else "one standard error",
                     ". The device and the host, with ", host_cores(), " threads, take the same points, at most ",
                     format(MOST / scale), ". m-Cubes: the program of its authors on an NVIDIA H100, without the ",
                     "tries that failed before; \"none\" if it did not meet the tolerance."), 95),
      sep = "\n")
  cat("\n| integrand | axes | rel.tol | converged | true | error | worst | claimed | evaluations | first call ",
      "| device | m-Cubes | host |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n", sep = "")
  for (one in suite) for (k in 1:3) sample_row(one, c(1e-3, 1e-4, 1e-5)[k], one[[5]][k], method)
}

# ---- other methods ---------------------------------------------------------------------------

bells <- function(n) data.frame(u = runif(n, 0.2, 0.8), v = runif(n, 0.2, 0.8), s = runif(n, 0.1, 0.5))
bell <- function(x, y, u, v, s) exp(-((x - u)^2 + (y - v)^2) / (2 * s^2))
bell_value <- function(p) {
  along <- function(u) p$s * sqrt(2 * pi) * (pnorm((1 - u) / p$s) - pnorm(-u / p$s))
  along(p$u) * along(p$v)
}

# Returns a case: method, name, number of integrals, function, limits, parameters, true values, further arguments.
other <- function(method, name, n, f, lower, upper, params, true, ...) {
  n <- max(1, n / if (n > LEAST) scale else 1)
  params <- if (is.null(params)) NULL else params(n)
  list(method = method, name = name, n = n, f = f, lower = lower, upper = upper, params = params,
       true = true(params), more = list(...))
}
exponents <- function(n) data.frame(k = runif(n, -0.9, 3))
widths <- function(n) data.frame(w = runif(n, 0.5, 5))
bell_1 <- function(x, w) exp(-w * x^2)
bell_1_value <- function(p) sqrt(pi / p$w) * (pnorm(sqrt(2 * p$w)) - 0.5)
others <- list(
  other("tanhsinh", "log(x) x^k", 1e6, function(x, k) log(x) * x^k, 0, 1, exponents, function(p) -1 / (1 + p$k)^2),
  other("simpson", "exp(-w x^2)", 1e6, bell_1, 0, 1, widths, bell_1_value, rel.tol = 1e-8),
  other("forward", "exp(-w x^2)", 1e6, bell_1, 0, 1, widths, bell_1_value, rel.tol = 1e-2),
  other("forward", "a bell in the plane", 1e5, bell, c(0, 0), 1, bells, bell_value, rel.tol = 0.1),
  other("blockcut", "exp(-w x^2)", 1e4, bell_1, 0, 1, widths, bell_1_value, rel.tol = 1e-6),
  other("cubature", "a bell in the plane", 1e5, bell, c(0, 0), 1, bells, bell_value, rel.tol = 1e-6),
  other("cubature", "f5, 5 axes", 1, function(x) exp(-10 * sum(abs(x - 0.5))), rep(0, 5), 1, NULL,
        function(p) (0.2 * (1 - exp(-5)))^5, rel.tol = 1e-4),
  other("product", "f1, 8 axes", 1, function(x) cos(sum((1:8) * x)), rep(0, 8), 1, NULL,
        function(p) Re(prod((exp(1i * (1:8)) - 1) / (1i * (1:8)))), rel.tol = 1e-4, max.eval = 1e9),
  other("auto", "f3, 8 axes", 1, function(x) (1 + sum((1:8) * x))^-9, rep(0, 8), 1, NULL,
        function(p) 2.275196581791775608e-10, rel.tol = 1e-4),
  other("auto", "f1, 8 axes", 1, function(x) cos(sum((1:8) * x)), rep(0, 8), 1, NULL,
        function(p) Re(prod((exp(1i * (1:8)) - 1) / (1i * (1:8)))), rel.tol = 1e-3),
  other("gk", "E max(X, 0), X stable", 1e4, function(x, a) x * dstable(x, a, 0.5, 1, 0), 0, 10,
        function(n) data.frame(a = runif(n, 1.2, 1.9)), function(p) NULL, rel.tol = 1e-8))

other_row <- function(o) {
  f <- gtranslate(o$f, dim = length(o$lower), params = names(o$params))
  run <- function(backend) {
    all <- c(list(f, o$lower, o$upper, params = o$params, method = o$method, backend = backend), o$more)
    suppressWarnings(do.call(gintegrate, if (o$method == "auto") c(all, list(control = list(seed = 1))) else all))
  }
  message(o$method, " ", o$name)
  first <- elapsed(function() ours <<- run(device))
  host <- on_host(elapsed(function() cpu <<- run("cpu")))
  stopifnot(ours$backend == "opencl")
  apart <- max(abs(ours$value - cpu$value) / abs(cpu$value))
  error <- if (is.null(o$true)) NA else max(abs(ours$value - o$true) / abs(o$true))
  seconds <- median(replicate(3, elapsed(function() run(device))))
  cat(sprintf("| %s | %s | %g | %.0f%% | %.1e | %s | %.1e | %.0f | %.0f | %.1f | %.0f | %.1f |\n", o$method, o$name,
              o$n, 100 * mean(ours$status == cpu$status), apart, if (is.na(error)) "" else sprintf("%.1e", error),
              max(ours$abs.error / abs(ours$value)), mean(ours$evaluations), 1e3 * first, 1e3 * seconds, 1e3 * host,
              host / seconds))
}

ours <- cpu <- NULL
cat("\n## Other methods\n\n")
cat(strwrap(paste0("Milliseconds of wall time from R to R, medians of 3, of functions that gtranslate() has made. ",
                   "Same status: share of the integrals that end with the host's; agreement: largest relative ",
                   "difference from it; error and claim: the largest, relative. Host: with ", host_cores(),
                   " threads."), 95),
    sep = "\n")
cat("\n| method | integrand | n | same status | agreement | error | claimed | evaluations | first call | device ",
    "| host | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n", sep = "")
for (one in others) other_row(one)
