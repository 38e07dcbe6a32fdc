# Single against double precision on a device: every quantity that has both, measured in one run, and what cards with a
# low rate of double precision gain, worked out from numbers of operations.
#
#     Rscript bench/gpu/precision.R [DEVICE] > bench/gpu/precision.md
#
# DEVICE as for stable_backend(), default "opencl"; it must have double precision.  Results in single precision are
# compared with those in double precision before anything is timed.  Rounds of calls from R to R that take 50 ms or more
# alternate between the precisions; times are medians of ROUNDS rounds, after a first call, which builds the programs.

suppressPackageStartupMessages(library(stablecl))
source("bench/page.R")                                   # made_by()

ROUNDS <- 7
device <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used   <- stable_backend()$devices
is_gpu <- all(used$type == "GPU")
scale  <- if (is_gpu) 1 else 1000            # a CPU-type device gets fewer elements
stopifnot(used$fp64)

# --- measured -----------------------------------------------------------------------------------------------

n <- 1e7 / scale
set.seed(50)
x <- rstable(n, 1.5, 0.5)
p <- runif(n)
step  <- function(x) if (x[1] + x[2] > 0.7) exp(sum(x)) else 0          # a jump, so that no tolerance ends the work
waves <- function(x) {
  s <- 0
  for (k in 1:100) s <- s + sin(k * x[1] + x[2])
  if (x[3] + x[4] > 0.7) s + 60 else 0
}
sample_of <- function(precision) {
  set.seed(51)
  rstable(n, 1.5, 0.5, precision = precision)
}
integral <- function(f, dim, method, evaluations) function(precision)
  suppressWarnings(gintegrate(f, rep(0, dim), 1, method = method, rel.tol = 1e-6, max.eval = evaluations / scale,
                              backend = device, control = list(seed = 1, precision = precision)))

# Each case: the function of the precision, and the largest difference, divided by `room` of the result in double
# precision: its size, or one and its size, or for integrals the sum of both errors.
size <- function(y) pmax(abs(y), 1e-300)
more <- function(y) 1 + abs(y)
cases <- list(
  "density" = list(function(precision) dstable(x, 1.5, 0.5, precision = precision), size, 1e-6),
  "log density" = list(function(precision) dstable(x, 1.5, 0.5, log = TRUE, precision = precision), more, 1e-6),
  "probability" = list(function(precision) pstable(x, 1.5, 0.5, precision = precision), size, 1e-6),
  "quantile" = list(function(precision) qstable(p, 1.5, 0.5, precision = precision), more, 1e-6),
  "random numbers" = list(sample_of, more, 2e-6),
  "log-likelihood" = list(function(precision) stable_loglik(x, 1.5, 0.5, precision = precision), size, 1e-7),
  "vegas, short integrand, 6 axes" = list(integral(step, 6, "vegas", 2e9), NULL, 3),
  "vegas, 100 sines, 4 axes" = list(integral(waves, 4, "vegas", 5e8), NULL, 3),
  "lattice, short integrand, 6 axes" = list(integral(step, 6, "lattice", 1e9), NULL, 3),
  "lattice, 100 sines, 4 axes" = list(integral(waves, 4, "lattice", 3e8), NULL, 3))

# Returns the largest difference between the precisions.
gap_of <- function(case) {
  single <- case[[1]]("single")
  double <- case[[1]]("double")
  if (!is.null(case[[2]])) return(max(abs(single - double) / case[[2]](double)))
  stopifnot(single$backend == "opencl", double$backend == "opencl")
  abs(single$value - double$value) / (single$abs.error + double$abs.error)
}
# Returns the elements or evaluations per second of some calls.
rate_of <- function(run, precision, calls) {
  time <- system.time(for (k in seq_len(calls)) result <- run(precision))[[3]]
  calls * (if (is.list(result)) result$evaluations else n) / time
}
# Returns the number of calls that take 50 ms or more.
calls_of <- function(run) {
  calls <- 1
  while (system.time(for (k in seq_len(calls)) run("double"))[[3]] < 0.05) calls <- 2 * calls
  calls
}
row_of <- function(name) {
  message(name)
  case <- cases[[name]]
  gap <- gap_of(case)
  stopifnot(gap <= case[[3]])
  calls <- calls_of(case[[1]])
  rates <- replicate(ROUNDS, c(rate_of(case[[1]], "double", calls), rate_of(case[[1]], "single", calls)))
  rate <- apply(rates, 1, stats::median)
  sprintf("| %s | %.1e%s | %.2e | %.2e | %.2f | %.2f to %.2f |", name, gap, if (is.null(case[[2]])) " errors" else "",
          rate[1], rate[2], rate[2] / rate[1], min(rates[2, ] / rates[1, ]), max(rates[2, ] / rates[1, ]))
}
rows <- vapply(names(cases), row_of, "")

# --- worked out ---------------------------------------------------------------------------------------------
#
# An element or a sample takes the longer of two times: that of its bytes on the bus, and that of its operations.
# Operations of the kernels, counted in the sources: 75 in double precision for a value (src/run/device/interpolant.cl),
# 40 in single precision (encoded_kernel.h: 6 for the coordinate, 22 for the polynomial, about 10 for the exponential);
# sums add 8 and 20 (special/double_double.h) and need no exponential.  A sample takes for each axis 27 operations for
# coordinate, importance map and weight (monte_carlo/importance_map.h), with "vegas" 4 for its stratum, and on integers
# 13 for its random number with "vegas" (100 for four axes of a pair) or 2 with "lattice"; and those of the integrand.
# A random number takes about eight elementary functions (stable/variate.h) and 100 operations on integers.
FUNCTION <- 20                                # operations of a sine or an exponential; more in double precision
BUS <- 25e9                                   # bytes a second
RATE <- 40e12                                 # operations a second in single precision, and on integers
shares <- c("1/2" = 1 / 2, "1/32" = 1 / 32, "1/64" = 1 / 64)     # rate of double precision

sampled <- function(axes, random, integrand) {
  own <- axes * (27 + 4 * (random > 2)) + integrand
  list(bytes = c(0, 0), whole = axes * random, double = own, single = own)
}
work <- list(
  "density, probability or quantile" = list(bytes = c(16, 8), whole = 0, double = 75, single = 40),
  "log-likelihood" = list(bytes = c(8, 4), whole = 0, double = 75 - FUNCTION + 8, single = 30 + 20),
  "random numbers" = list(bytes = c(8, 4), whole = 100, double = 8 * FUNCTION, single = 8 * FUNCTION),
  "vegas, short integrand, 6 axes" = sampled(6, 13, 6 + FUNCTION),
  "vegas, 100 sines, 4 axes" = sampled(4, 13, 100 * (4 + FUNCTION)),
  "lattice, short integrand, 6 axes" = sampled(6, 2, 6 + FUNCTION),
  "lattice, 100 sines, 4 axes" = sampled(4, 2, 100 * (4 + FUNCTION)))
gain_of <- function(w, share) {
  time <- function(bytes, operations, rate) max(bytes / BUS, operations / rate + w$whole / RATE)
  time(w$bytes[1], w$double, share * RATE) / time(w$bytes[2], w$single, RATE)
}
gains <- vapply(names(work), function(name) {
  gain <- vapply(shares, gain_of, 0, w = work[[name]])
  sprintf("| %s | %s |", name, paste(sprintf("%.1f", gain), collapse = " | "))
}, "")

cat(sep = "\n",
  "# Single and double precision on a device", "",
  paste0(made_by("bench/gpu/precision.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* Device: %s, of type %s%s", paste(used$device, collapse = ", "), paste(unique(used$type), collapse = ", "),
          if (is_gpu) "" else ": **these are not the figures of a GPU**"),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  sprintf("Elements, or evaluations of the integrand, per second: medians of %d alternating rounds from R to R, with",
          ROUNDS),
  sprintf("all copies, for %.0e elements or up to %.0e evaluations. Agreement: the largest difference between the", n,
          2e9 / scale),
  "precisions, relative to the value (density, probability, log-likelihood) or to 1 + its size; for integrals, in",
  "units of the sum of both errors. Ratio: of the medians, and the range of the ratios of the pairs of rounds.", "",
  "Values, and sums of log densities, in single precision cross the bus in four bytes a number, but the host encodes",
  "the arguments relative to an interpolant and decodes the values, which takes its threads longer than copying",
  "doubles. On a device that computes fast in double precision they are therefore slower in single precision, as are",
  "random numbers, which the host scales; integrands with much arithmetic gain.", "",
  "| quantity | agreement | double | single | ratio | range |",
  "|---|---|---|---|---|---|", rows, "",
  "## Cards with a low rate of double precision", "",
  "Worked out, not measured: how many times faster single precision is from R to R on a card with",
  sprintf("%.0e operations a second in single precision and a bus of %.1e bytes a second, if its rate of double",
          RATE, BUS),
  "precision is this share of it. The script states the numbers of operations. The time of the host is left out; for",
  "values it is the larger part, so that only devices without double precision gain there.", "",
  paste("| quantity |", paste(names(shares), collapse = " | "), "|"),
  "|---|---|---|---|", gains)
