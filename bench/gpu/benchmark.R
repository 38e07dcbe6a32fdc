# Measures the speed of the OpenCL backend: agreement with the CPU, then the rates of the kernels alone
# and of complete R calls, as shares of the device's limits; then the first use in a session, and short
# calls.
#
#     Rscript bench/gpu/benchmark.R [DEVICE] > bench/gpu/README.md          (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl".  Kernel times are measured by the device's timer,
# for data already on the device; R to R is the elapsed time of the call.  Times are medians of REPEATS
# calls after warm-up calls, which build programs and node sets and last until the device has reached its
# full clock rate, some tenths of a second.  The host computes the same calls with all its processors, slow ones with
# fewer elements.  Needs R's C compiler, for work.c.  The last line states the
# duration of the run (on a GPU less than five minutes).

library(stablecl)
source("bench/cores.R")                                  # host_cores(), threads_line(), beside()
source("bench/page.R")                                   # made_by()

REPEATS <- 5
WARM_UP <- 0.5            # seconds
COUNTED <- 2000           # elements whose work is counted
SHORT   <- 500            # calls with one element
SLOW    <- 2e6            # elements per second of the host below which it computes a tenth of a call

# Maximum rates of an NVIDIA H100 (driver 580), each measured alone: operations per second in double
# precision, and bytes per second of copies within the device and between it and pinned memory.
CEILING <- c(exp = 714e9, sin = 478e9, log = 320e9, fma = 16e12, memory = 2.6e12, pinned = 50e9)
CEILING_OF <- "H100"

NODE_FMA   <- 3           # operations of a node besides its exponential
SERIES_FMA <- 64          # two sums of 32 terms
READING_FMA <- 75         # operations to evaluate an interpolant at one element: run/device/interpolant.cl

started <- Sys.time()
device <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used <- stable_backend()$devices
scale <- if (any(used$type == "GPU")) 1 else 100     # a CPU-type device gets fewer elements

# ---- the clock ---------------------------------------------------------------------

kernel_clock <- function(on = NULL) .Call(stablecl:::C_profile, on)

# Returns the elements per second of the kernels in calls of f, by the device's timer.
kernel_rate <- function(f) {
  .Call(stablecl:::C_close_devices, FALSE)
  kernel_clock(TRUE)
  on.exit({
    kernel_clock(FALSE)
    .Call(stablecl:::C_close_devices, FALSE)
  })
  warm_up(f)
  rates <- replicate(REPEATS, {
    kernel_clock()
    f()
    spent <- kernel_clock()
    spent[2] / spent[1]
  })
  median(rates)
}

now <- function() as.numeric(Sys.time())               # resolves microseconds; proc.time() only milliseconds

elapsed <- function(f) {
  before <- now()
  f()
  now() - before
}

warm_up <- function(f) {
  from <- now()
  repeat {
    f()
    if (now() - from > WARM_UP) break
  }
}

wall_rate <- function(f, n) {
  warm_up(f)
  n / median(replicate(REPEATS, elapsed(f)))
}

agreement <- function(f) {
  ours <- f()
  stable_backend("cpu")
  on.exit(stable_backend(device))
  reference <- f()
  size <- pmax(1, abs(reference))
  max(abs(ours - reference) / size)
}

# ---- ceilings ----------------------------------------------------------------------

# Compiles and loads work.c, which compiles the kernels as C and counts their work.
load_work <- function() {
  here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
  source(file.path(here, "../../data-raw/load-c.R"), local = TRUE)
  load_c(file.path(here, "work.c"), PKG_CPPFLAGS = paste0("-I", shQuote(normalizePath(file.path(here, "../../src")))))
}

KERNELS <- c("eval_one", "eval_each", "quantile_each", "random_one", "random_each")
KINDS   <- c("nodes", "series", "exp", "log", "sin")
INTERPOLATED <- "eval_interpolant"   # evaluates one polynomial per element, at the same cost for all elements
APPROXIMATED <- "approximate_sums"  # evaluates four polynomials per element and accumulates 15 products
APPROXIMATION_FMA <- 150

# Returns the average numbers of nodes, series, elementary functions and evaluations of interpolants per element.
work_of <- function(job) {
  if (job$kernel == INTERPOLATED) return(setNames(c(0, 0, 0, 0, 0, 1), c(KINDS, "readings")))
  if (job$kernel == APPROXIMATED)
    return(setNames(c(0, 0, 0, 1, 0, APPROXIMATION_FMA / READING_FMA), c(KINDS, "readings")))
  few <- lapply(job$data, head, COUNTED)
  n <- length(few[[1]])
  done <- .C("count_work", match(job$kernel, KERNELS) - 1L, n, as.double(few[[1]]),
             rep_len(as.double(c(few$alpha, job$shape[1])), n),
             rep_len(as.double(c(few$beta, job$shape[2])), n), job$what, job$log,
             counts = double(length(KINDS)), ok = 0L)
  if (!done$ok) stop("the work of '", job$name, "' cannot be counted")
  c(setNames(done$counts / n, KINDS), readings = 0)
}

# Returns the largest possible number of elements per second: by the arithmetic, and by device memory bandwidth.
kernel_ceilings <- function(work, bytes) {
  cost <- c(nodes = 1 / CEILING[["exp"]] + NODE_FMA / CEILING[["fma"]], series = SERIES_FMA / CEILING[["fma"]],
            1 / CEILING[c("exp", "log", "sin")], readings = READING_FMA / CEILING[["fma"]])
  c(arithmetic = 1 / sum(work * cost[names(work)]), "device memory" = CEILING[["memory"]] / bytes)
}

# ---- jobs --------------------------------------------------------------------------

set.seed(20)
n <- 1e7 / scale
points <- list(x = rstable(n, 1.5, 0.5))
sample <- list(x = rstable(10 * n, 1.5, 0.5))
probabilities <- list(p = runif(n))
many <- list(x = rt(n, 1), alpha = runif(n, 0.05, 2), beta = runif(n, -1, 1))

# `what` and `log` are the arguments of the kernel (stable/user_law.h).
job <- function(name, data, f, kernel = "eval_one", shape = c(1.5, 0.5), what = 1L, log = 0L, outs = 1,
                ins = length(data), bus = 8 * (ins + outs))
  list(name = name, data = data, f = f, kernel = kernel, shape = shape, what = what, log = log,
       bytes = 8 * (ins + outs), bus = bus)

density_of <- function(alpha, beta)
  job(sprintf("density, (%g, %g)", alpha, beta), points,
      function(d) dstable(d$x, alpha, beta, log = TRUE), kernel = INTERPOLATED, shape = c(alpha, beta), log = 1L)

# Varying scales, for which no interpolant is used.
by_node_sets <- function(alpha, beta)
  job(sprintf("density by node sets, (%g, %g)", alpha, beta), points,
      function(d) dstable(d$x, alpha, beta, c(1, 1), log = TRUE), shape = c(alpha, beta), log = 1L)

# The data stay on the device, and only sums are returned.  One handle is kept for each size.
handle_of <- local({
  held <- list()
  function(x) {
    size <- as.character(length(x))
    if (is.null(held[[size]])) held[[size]] <<- stablecl:::stable_data_put(x)
    held[[size]]
  }
})

likelihood_of <- function(alpha, beta)
  job(sprintf("log-likelihood, data kept, (%g, %g)", alpha, beta), sample,
      function(d) stablecl:::stable_data_loglik(handle_of(d$x), alpha, beta), kernel = INTERPOLATED,
      shape = c(alpha, beta), log = 1L, outs = 0, bus = NA)

# Log-likelihood, its gradient and the outer products of the scores, to nine digits.
scores_of <- function(alpha, beta)
  job(sprintf("log-likelihood and scores, data kept, (%g, %g)", alpha, beta), sample,
      function(d) unlist(stablecl:::stable_data_quick(handle_of(d$x), alpha, beta)), kernel = APPROXIMATED,
      shape = c(alpha, beta), outs = 0, bus = NA)

quantile_of <- function(alpha, beta)
  job(sprintf("quantile, (%g, %g)", alpha, beta), probabilities,
      function(d) qstable(d$p, alpha, beta), kernel = INTERPOLATED, shape = c(alpha, beta))

jobs <- list(
  density_of(1.5, 0.5),
  job("distribution, (1.5, 0.5)", points, function(d) pstable(d$x, 1.5, 0.5), kernel = INTERPOLATED, what = 2L),
  job("both, (1.5, 0.5)", points, function(d) stable_eval(d$x, 1.5, 0.5, what = c("pdf", "cdf")),
      kernel = INTERPOLATED, what = 3L, outs = 2),
  density_of(0.8, 0.3), density_of(1.01, -0.9), density_of(0.3, 0.9), density_of(1.9, 0),
  likelihood_of(1.5, 0.5), likelihood_of(0.8, 0.3), scores_of(1.5, 0.5), scores_of(0.8, 0.3),
  by_node_sets(1.5, 0.5), by_node_sets(0.8, 0.3),
  quantile_of(1.5, 0.5), quantile_of(0.8, 0.3),
  job("density, a shape per point", many, function(d) dstable(d$x, d$alpha, d$beta, log = TRUE),
      kernel = "eval_each", log = 1L),
  job("random, (1.5, 0.5)", list(n = numeric(1e8 / scale)),
      function(d) rstable(length(d$n), 1.5, 0.5), kernel = "random_one", ins = 0))

# Returns the elements per second of the host with all its processors.
host_rate <- function(job) {
  before <- stable_threads(host_cores())
  stable_backend("cpu")
  on.exit({
    stable_threads(before)
    stable_backend(device)
  })
  rate <- function(part) {
    size <- length(job$data[[1]]) / part
    data <- if (part == 1) job$data else lapply(job$data, head, size)
    job$f(data)
    size / median(replicate(3, elapsed(function() job$f(data))))
  }
  first <- rate(100)
  if (first < SLOW) return(rate(10))
  rate(1)
}

time_job <- function(job) {
  size <- length(job$data[[1]])
  call <- function() job$f(job$data)
  few <- lapply(job$data, head, 1e5)
  work <- work_of(job)
  most <- kernel_ceilings(work, job$bytes)
  data.frame(job = job$name, n = size,
             agreement = agreement(function() { set.seed(1); unlist(job$f(few)) }),
             kernel = kernel_rate(call), most = min(most), ceiling = names(which.min(most)),
             wall = wall_rate(call, size), host = host_rate(job), bytes = job$bytes, bus = job$bus, as.list(work))
}

# ---- first use, and short calls ------------------------------------------------------

# Returns the seconds, in a new session, of listing the devices and of the first call, which opens the
# device, builds and tests the programs, and computes one value.
first_use <- function(caches) {
  code <- paste("library(stablecl); seconds <- function(e) system.time(e)[['elapsed']];",
                "cat('seconds:', seconds(stable_devices()), seconds(dstable(0, 1.5, 0.5)))")
  said <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(code)), stdout = TRUE,
                  env = paste0(c("CUDA_CACHE_PATH=", "POCL_CACHE_DIR=", "STABLECL_BACKEND=", "R_LIBS="),
                               shQuote(c(caches, caches, device,
                                         paste(.libPaths(), collapse = .Platform$path.sep)))))
  as.numeric(strsplit(sub("^seconds: ", "", grep("^seconds:", said, value = TRUE)), " ")[[1]])
}

# Returns the microseconds of a call with one element.
short_call <- function(f) {
  f()
  1e6 * median(replicate(REPEATS, elapsed(function() for (i in seq_len(SHORT)) f()))) / SHORT
}

short_calls <- list(
  "density" = function() dstable(0.3, 1.5, 0.5),
  "density, another shape each time" = local({
    alpha <- 1.5
    function() { alpha <<- alpha + 1e-9; dstable(0.3, alpha, 0.5) }
  }),
  "quantile" = function() qstable(0.3, 1.5, 0.5),
  "random" = function() rstable(1, 1.5, 0.5))

time_short_call <- function(f) {
  on_device <- short_call(f)
  stable_backend("cpu")
  on.exit(stable_backend(device))
  c(device = on_device, cpu = short_call(f))
}

# ---- output --------------------------------------------------------------------------

load_work()
caches <- tempfile("caches")
dir.create(caches)
first <- rbind(first_use(caches), first_use(caches))
timed <- do.call(rbind, lapply(jobs, time_job))
short <- vapply(short_calls, time_short_call, double(2))

number <- function(v) ifelse(is.na(v), "", formatC(v, digits = 3, format = "g"))
share <- function(v) ifelse(is.na(v), "", sprintf("%.2g%%", 100 * v))
print_table <- function(...) {
  head <- c(...)
  cat("\n| ", paste(head, collapse = " | "), " |\n", strrep("|---", length(head)), "|\n", sep = "")
}
say <- function(...) cat("\n", paste0(strwrap(paste0(...), 95), "\n"), sep = "")

cat("# OpenCL backend\n\n", made_by("bench/gpu/benchmark.R", "bench/gpu/README.md"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    paste0(c(threads_line(), beside()), "\n"), sep = "")
say("Elements per second: of the kernel alone, by the device's clock, and of the call from R to R. ",
    "Agreement: largest difference from the CPU, relative to values above 1, in 100000 elements. ",
    "Host: the same calls on the host alone, with ", host_cores(), " threads, R to R; ratio: of the device's rate to ",
    "the host's.")
print_table("call", "n", "agreement", "kernel", "share of ceiling", "R to R", "share of pinned copies", "host", "ratio")
cat(sprintf("| %s | %g | %.1e | %s | %s, %s | %s | %s | %s | %.3g |\n", timed$job, timed$n, timed$agreement,
            number(timed$kernel), share(timed$kernel / timed$most), timed$ceiling, number(timed$wall),
            share(timed$wall * timed$bus / CEILING[["pinned"]]), number(timed$host), timed$wall / timed$host), sep = "")

cat("\n## Ceilings\n")
say("Operations of the kernels for an element, on average, counted on the host: nodes of the trapezoidal rule ",
    "(one exponential and ", NODE_FMA, " more operations each), series at infinity (", SERIES_FMA,
    " operations), other elementary functions, evaluations of an interpolant (", READING_FMA,
    " operations; the tensor approximation of scores counts as ", APPROXIMATION_FMA / READING_FMA,
    "); bytes copied in and out. The ceiling is the lower of two rates: that of the arithmetic, if each operation ",
    "ran as ",
    "fast as it does alone and nothing else took time (integer operations, divisions, and waiting within a work-group ",
    "are not counted), and that of the traffic with device memory. From R to R the bytes cross the bus once.")
say("Constants of an NVIDIA ", CEILING_OF, ", each measured alone: per second ",
    paste(sprintf("%s %g", c("exp", "sin", "log", "multiply-add"), CEILING[1:4]), collapse = ", "),
    "; bytes per second within the device ", format(CEILING[["memory"]]), ", pinned copies ",
    format(CEILING[["pinned"]]), ".",
    if (!any(grepl(CEILING_OF, used$device))) " THE DEVICE OF THIS RUN IS ANOTHER ONE: its shares mean little.")
print_table("call", "nodes", "series", "exp", "log", "sin", "interpolants", "bytes", "ceiling", "of")
cat(sprintf("| %s | %.0f | %.2f | %.1f | %.1f | %.1f | %g | %g | %s | %s |\n", timed$job, timed$nodes,
            timed$series, timed$exp, timed$log, timed$sin, timed$readings, timed$bytes, number(timed$most),
            timed$ceiling), sep = "")

cat("\n## First use\n")
say("Seconds of a new session. The first call opens the device, builds the programs and compares ",
    "them with the CPU; drivers keep what they have built on disk.")
print_table("", "list of devices", "first call")
cat(sprintf("| %s | %s |\n", c("nothing on disk yet", "a later session"),
            apply(first, 1, function(s) paste(sprintf("%.3g", s), collapse = " | "))), sep = "")

cat("\n## Calls with one element\n")
say("Microseconds from R to R, n = 1. Under \"auto\" they are the CPU's.")
print_table("call", "device", "CPU")
cat(sprintf("| %s | %.0f | %.1f |\n", names(short_calls), short["device", ], short["cpu", ]), sep = "")

say(sprintf("This run took %.0f s.", as.numeric(difftime(Sys.time(), started, units = "secs"))))
