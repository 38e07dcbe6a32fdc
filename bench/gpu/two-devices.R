# Compares one device with all devices of a machine: agreement, and elapsed times of R calls of every kind of job that
# devices share.
#
#     Rscript bench/gpu/two-devices.R [SCALE] > bench/gpu/two-devices.md          (from the checkout)
#
# For two devices, or for four and bench/gpu/four-devices.md; CUDA_VISIBLE_DEVICES=0,1 leaves two of four.  Sizes are
# divided by SCALE (default 1, or 1000 if the devices are CPUs).  A small job of each kind is compared with the CPU
# first.  Stops if the results of all devices differ in a single bit from those of one; only the last of many fits,
# which threads of the host complete, need be equal up to rounding.  Times are medians of REPEATS calls after WARM_UP
# seconds of calls, the first of which builds programs and node sets.  The host's rates need R's C compiler and the
# OpenCL headers, for bus.c.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()
source("data-raw/load-c.R")

REPEATS <- 3
WARM_UP <- 0.3                             # seconds, because an idle device needs some to reach its full clock rate
LEAST   <- 1e4
BYTES   <- 2^28
ALL     <- "opencl:all"

stable_backend(ALL)
used <- stable_backend()$devices
ONE <- paste0("opencl:", rownames(used)[1])          # the first device, by its row in stable_devices()
if (nrow(used) < 2) message("There is one device only: both columns are that one's.")
arguments <- commandArgs(trailingOnly = TRUE)
scale <- if (length(arguments)) as.numeric(arguments[1]) else if (any(used$type == "GPU")) 1 else 1000
load_c("bench/gpu/bus.c", PKG_CFLAGS = "-fopenmp", PKG_LIBS = "-fopenmp -lOpenCL")

now <- function() as.numeric(Sys.time())
size_of <- function(n) max(LEAST, n / scale)
first <- function(x, n) if (n == length(x)) x else x[seq_len(n)]        # without a copy of the whole vector

# ---- jobs: functions of their size, which return a list of numbers, the values first ------------

set.seed(21)
x <- rstable(size_of(1e8), 1.5, 0.5)
p <- runif(size_of(1e7))
shapes <- lapply(c(long = length(x), short = length(p)),
                 function(n) list(alpha = runif(n, 0.05, 2), beta = runif(n, -1, 1)))
w <- 10^runif(size_of(1e7), -3, 0)
samples <- lapply(seq_len(size_of(1e7) / 1000),
                  function(i) rstable(1000, runif(1, 0.5, 1.95), runif(1, -0.9, 0.9)))
whole <- stable_data(x)
some  <- stable_data(x[seq_len(LEAST)])

varying <- function(fun, x, s) function(n) list(fun(first(x, n), first(s$alpha, n), first(s$beta, n)))
results <- function(r) list(r$value, r$abs.error, r$evaluations)
batch <- function(method) function(n) {
  results(as.data.frame(gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = method,
                                   params = data.frame(w = first(w, n)))))
}

# One integral that may take n evaluations and has a tolerance that needs them.
single <- function(f, dim, method, ...) function(n) {
  results(suppressWarnings(gintegrate(f, numeric(dim), 1, dim = dim, method = method, max.eval = n, ...)))
}
fit <- function(n) {
  f <- stablefit(if (n == length(x)) whole else some)
  list(coef(f), logLik(f))
}
seeded <- function(n) {
  set.seed(22)
  list(rstable(n, 1.5, 0.5))
}

job <- function(name, n, f, tolerance = 1e-9, exact = TRUE, bytes = c(0, 0), small = LEAST)
  list(name = name, n = max(small, size_of(n)), f = f, tolerance = tolerance, exact = exact, bytes = bytes,
       small = small)

# A loop, because each element of a vector is an operation of its own in a program: drivers compile thousands of them
# for minutes.
cosines <- function(x, y) {
  s <- 0
  for (k in 1:2000) s <- s + cos(k * x * y) / k
  s
}
oscillation <- function(x) 40 * x[1] * x[2] * x[3] + 30 * x[4] * x[5] + 20 * x[6]
oscillations <- function(x) {
  at <- oscillation(x)
  s <- 0
  for (k in 1:500) s <- s + cos(at + k) / k
  s
}

heavy <- list(
  job("`dstable()`, a shape per point", 1e8, varying(dstable, x, shapes$long)),
  job("`pstable()`, a shape per point", 1e8, varying(pstable, x, shapes$long)),
  job("`qstable()`, a shape per point", 1e7, varying(qstable, p, shapes$short), 1e-7),
  job("integrals by `\"gk\"`", 1e7, batch("gk"), 1e-6),
  job("integrals by `\"tanhsinh\"`", 1e7, batch("tanhsinh"), 1e-6),
  job("integrals by `\"simpson\"`", 1e6, batch("simpson"), 1e-6),
  job("`\"vegas\"`, 8 axes", 2e9, single(function(x) exp(-10 * sum(abs(x - 0.5))), 8, "vegas", rel.tol = 1e-8,
                                         control = list(seed = 1)), 1e-6, small = 1e5),
  job("`\"lattice\"`, 5 axes", 2e9, single(function(x) cos(sum((1:5) * x)), 5, "lattice", rel.tol = 1e-14,
                                           control = list(seed = 1)), 1e-6, small = 1e5),
  job("`\"product\"`, 6 axes", 2e9, single(function(x) cos(oscillation(x)), 6, "product", rel.tol = 1e-13), 1e-6,
      small = 1e5),
  job("`\"product\"` of 500 cosines, 6 axes", 2e9, single(oscillations, 6, "product", rel.tol = 1e-13), 1e-6,
      small = 1e5),
  job("`\"cubature\"` of 2000 cosines", 1e8, single(cosines, 2, "cubature", rel.tol = 1e-13), 1e-6, small = 1e5),
  job("a fit of kept data", 1e8, fit, 1e-6),
  job("fits of 1000 values each", 1e7, function(n) list(coef(stablefit(samples[seq_len(n / 1000)]))), 1e-6,
      exact = FALSE))

ordinary <- list(
  job("`dstable()`", 1e8, function(n) list(dstable(first(x, n), 1.5, 0.5)), bytes = c(8, 8)),
  job("`pstable()`", 1e8, function(n) list(pstable(first(x, n), 1.5, 0.5)), bytes = c(8, 8)),
  job("`qstable()`", 1e7, function(n) list(qstable(first(p, n), 1.5, 0.5)), 1e-7, bytes = c(8, 8)),
  job("`rstable()`", 2e8, seeded, bytes = c(0, 8)))

# ---- agreement and times --------------------------------------------------------------------------

on <- function(backend, f, n) {
  stable_backend(backend)
  f(n)
}

# Returns the largest difference of a small job from the CPU, relative to values above 1.
gap_of <- function(job) {
  right <- on("cpu", job$f, job$small)[[1]]
  ours <- on(ALL, job$f, job$small)[[1]]
  gap <- max(abs(ours - right) / pmax(1, abs(right)))
  if (!isTRUE(gap <= job$tolerance)) stop(job$name, ": the CPU's values differ by ", gap)
  gap
}

timed <- function(backend, job) {
  result <- on(backend, job$f, job$n)
  began <- now()
  while (now() - began < WARM_UP) job$f(job$n)
  seconds <- replicate(REPEATS, {
    gc(FALSE)
    before <- now()
    again <- job$f(job$n)
    spent <- now() - before
    if (job$exact && !identical(again, result)) stop(job$name, ": two calls on ", backend, " differ")
    spent
  })
  list(seconds = median(seconds), result = result)
}

compare <- function(job) {
  message(format(Sys.time(), "%H:%M:%S "), job$name)
  gap <- gap_of(job)
  one <- timed(ONE, job)
  all <- timed(ALL, job)
  if (job$exact && !identical(one$result, all$result)) stop(job$name, ": the results of one device and all differ")
  if (!isTRUE(all.equal(one$result, all$result, tolerance = 1e-10))) stop(job$name, ": results differ")
  list(gap = gap, one = one$seconds, all = all$seconds)
}

row_of <- function(job, r) sprintf("| %s | %g | %.1e | %.1f | %.1f | %.2f |", job$name, job$n, r$gap, 1e3 * r$one,
                                   1e3 * r$all, r$one / r$all)
columns <- sprintf("call | n | agreement | `%s` | `%s` (%d) | times as fast", ONE, ALL, nrow(used))
rule <- function(columns) paste0("|", strrep("---|", columns), "\n")

# Bytes per second that the host's threads copy: from R's vectors to staging memory, and from there to new vectors.
threads <- stable_threads()
copy_rate <- function(is_new) {
  BYTES / median(replicate(REPEATS, .C("copy_bytes", BYTES, as.integer(is_new), as.integer(threads), s = double(1))$s))
}

page <- sprintf("bench/gpu/%s-devices.md", c("one", "two", "three", "four")[nrow(used)])
cat("# One device and all of them\n\n", made_by("bench/gpu/two-devices.R", page), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    "* Host: ", host_cores(), " processors, ", threads, " threads\n\n",
    "Milliseconds from R to R, medians of ", REPEATS, ". The results are identical, bit by bit; of many fits, equal ",
    "up to rounding.\nAgreement: largest difference of a small job from the CPU, relative to values above 1.\n\n",
    "## Long kernels\n\nFor integrals n is the number of integrals, for single integrals that of the evaluations ",
    "allowed, for fits that of values.\n\n| ", columns, " |\n", rule(6), sep = "")
for (one in heavy) cat(row_of(one, compare(one)), "\n", sep = "")

rates <- c(copy_rate(FALSE), copy_rate(TRUE))
cat("\n## One pair of parameters\n\nThe kernels take less time than the host's copies between R's vectors and the ",
    "memory from which devices copy, ",
    sprintf("%.1f GB/s to\nit and %.1f GB/s to new vectors", rates[1] / 1e9, rates[2] / 1e9), " with ", threads,
    " threads. Host: milliseconds of these copies alone, which no number of\ndevices shortens; share: of the time ",
    "with all devices.\n\n| ", columns, " | host | share |\n", rule(8), sep = "")
for (one in ordinary) {
  r <- compare(one)
  host <- one$n * sum(one$bytes / rates)
  cat(row_of(one, r), sprintf(" %.1f | %.0f%% |\n", 1e3 * host, 100 * host / r$all), sep = "")
}
