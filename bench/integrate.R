# Compares gintegrate() with compiled C for one evaluation of an integrand, and with a loop over integrate() for many
# integrals in one call.
#
#     Rscript bench/integrate.R > bench/integrate.md
#
# Agreement is checked before anything is timed.  Times are CPU seconds (user and system) of one thread, the minimum of
# ROUNDS; for many integrals the elapsed time with two threads is also given.

suppressPackageStartupMessages(library(stablecl))

ROUNDS <- 9
POINTS <- 65536L
MANY   <- 1e5
LOOP   <- 2000                          # how many of the MANY integrals the loop over integrate() computes

INTEGRANDS <- list(
  list("diffusivity", function(x) exp(-(x / 0.1)^2) / (1 + x), "exp(-(x/0.1)*(x/0.1)) / (1 + x)", 0, 1),
  list("Black-Scholes", function(x) exp(-0.05) * pmax(100 * exp(0.03 + 0.2 * x) - 100, 0) * dnorm(x),
       "exp(-0.05) * fmax(100*exp(0.03 + 0.2*x) - 100, 0) * (exp(-0.5*x*x) * 0.39894228040143267794)", -4, 4),
  list("exp(2x) sin(3x)", function(x) exp(2 * x) * sin(3 * x), "exp(2*x) * sin(3*x)", 0, 7),
  list("step", function(x) if (x > 1/3) exp(x) else 0, "x > 1.0/3 ? exp(x) : 0", 0, 1),
  list("log(x)/sqrt(x)", function(x) log(x) / sqrt(x), "log(x) / sqrt(x)", 0, 1),
  list("1/x^x", function(x) 1 / (x^x), "1 / pow(x, x)", 0, 10))

cpu <- function(code) {
  expr <- substitute(code)
  frame <- parent.frame()
  min(vapply(seq_len(ROUNDS), function(k) sum(system.time(eval(expr, frame))[1:2]), 0))
}

# Compiles the integrands as C functions of vectors, with R's compiler and flags; returns the path of the library.
compile <- function() {
  file <- file.path(tempfile("bench"), "integrands.c")
  dir.create(dirname(file))
  body <- sprintf('SEXP f%d(SEXP x) { R_xlen_t n = XLENGTH(x); SEXP y = PROTECT(Rf_allocVector(REALSXP, n));
    double *to = REAL(y); const double *at = REAL(x);
    for (R_xlen_t i = 0; i < n; i++) { double x = at[i]; to[i] = %s; } UNPROTECT(1); return y; }',
    seq_along(INTEGRANDS), vapply(INTEGRANDS, `[[`, "", 3))
  writeLines(c("#include <math.h>", "#include <Rinternals.h>", body), file)
  library <- sub("c$", "so", file)
  status <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "-o", library, file),
                    stdout = FALSE, stderr = FALSE)
  stopifnot(status == 0)
  dyn.load(library)[["path"]]
}

evaluation_rows <- function() {
  dll <- dyn.load(compile())
  vapply(seq_along(INTEGRANDS), function(k) {
    one <- INTEGRANDS[[k]]
    x <- one[[4]] + (one[[5]] - one[[4]]) * (seq_len(POINTS) - 0.5) / POINTS
    program <- gtranslate(one[[2]])$program
    native <- getNativeSymbolInfo(paste0("f", k), dll)
    ours <- function() for (i in 1:20) .Call(stablecl:::C_values, program, list(x))
    theirs <- function() for (i in 1:20) .Call(native, x)
    a <- .Call(stablecl:::C_values, program, list(x))
    b <- .Call(native, x)
    miss <- max(abs(a - b) / pmax(abs(b), 1e-300))
    stopifnot(miss < 1e-12)
    ns <- 1e9 * c(cpu(ours()), cpu(theirs())) / 20 / POINTS
    sprintf("| %s | %.1e | %.1f | %.1f | %.2f |", one[[1]], miss, ns[1], ns[2], ns[1] / ns[2])
  }, "")
}

# Returns a row of the table: the largest relative difference from integrate(), the CPU and elapsed seconds for all
# integrals, the CPU seconds of the loop extrapolated to all, and the ratios.
many_row <- function(name, f, lower, upper, params, by_loop) {
  some <- seq_len(LOOP)
  check <- vapply(some, function(k) by_loop(k, 1e-11), 0)
  all <- gintegrate(f, lower, upper, params = params)
  miss <- max(abs(all$value[some] - check) / abs(check))
  stopifnot(miss < 1e-7, all(all$status == "converged"))
  before <- stable_threads(1)
  one <- cpu(gintegrate(f, lower, upper, params = params))
  stable_threads(2)
  two <- min(vapply(seq_len(ROUNDS), function(k) gintegrate(f, lower, upper, params = params)$time, 0))
  stable_threads(before)
  loop <- cpu(vapply(some, function(k) by_loop(k, .Machine$double.eps^0.25), 0)) / LOOP * MANY
  sprintf("| %s | %.1e | %.3f | %.3f | %.2f | %.0f | %.0f |", name, miss, one, two, loop, loop / one, loop / two)
}

many_rows <- function() {
  set.seed(1)
  diffusivity <- function(x, K) exp(-(x / K)^2) / (1 + x)
  K <- runif(MANY, 0.05, 0.2)
  reach <- runif(MANY)
  payoff <- function(x, K) exp(-0.05) * pmax(100 * exp(0.03 + 0.2 * x) - K, 0) * dnorm(x)
  strike <- runif(MANY, 60, 140)
  from <- (log(strike / 100) - 0.03) / 0.2
  c(many_row("diffusivity over the gradient", diffusivity, 0, reach, data.frame(K = K),
             function(k, tol) integrate(diffusivity, 0, reach[k], K = K[k], rel.tol = tol)$value),
    many_row("Black-Scholes from the strike", payoff, from, 10, data.frame(K = strike),
             function(k, tol) integrate(payoff, from[k], 10, K = strike[k], rel.tol = tol)$value))
}

# The 18 integrals of Kern and Alaghband (2013), Table 2.
KERN <- list(
  list(function(x) exp(2 * x) * sin(3 * x), 0, 5:7),
  list(function(x) 1 / (x^x), 0, c(1000, 2000, 3000)),
  list(function(x) 4 * x * cos(2 * x) - (x - 2)^2, 0, c(30, 50, 70)),
  list(function(x) exp(4 * x) / sqrt(1 + exp(4 * x)), 0, c(5, 6, 6.75)),
  list(function(x) exp(-3 * x) * cos(5 * pi * x), 0, c(10, 20, 30)),
  list(function(x) sin(10 * pi * x) / (pi * x), 1e-6, c(10, 15, 20)))

# Returns the microseconds per integral (CPU, elapsed with two threads, integrate()), the largest relative difference
# and the mean number of evaluations, for MANY integrals with the three limits in turn.
kern_times <- function(k) {
  one <- KERN[[k]]
  upper <- rep_len(one[[3]], MANY)
  ours <- gintegrate(one[[1]], one[[2]], upper, method = "gk")
  loop <- function(count, tol) {
    vapply(seq_len(count), function(i)
      integrate(one[[1]], one[[2]], upper[i], rel.tol = tol, subdivisions = 1000)$value, 0)
  }
  miss <- max(abs(ours$value[1:3] - loop(3, 1e-10)) / abs(ours$value[1:3]))
  stopifnot(miss < 1e-7)
  before <- stable_threads(1)
  mine <- cpu(gintegrate(one[[1]], one[[2]], upper, method = "gk")) / MANY
  stable_threads(2)
  two <- min(vapply(seq_len(ROUNDS), function(r) gintegrate(one[[1]], one[[2]], upper, method = "gk")$time, 0)) / MANY
  stable_threads(before)
  1e6 * c(mine, two, cpu(loop(900, 1e-8)) / 900, miss / 1e6, mean(ours$evaluations) / 1e6)
}

kern_rows <- function() {
  times <- vapply(seq_along(KERN), kern_times, double(5))
  all <- rowSums(times[1:3, ])
  c(sprintf("| #%d | %.1e | %.0f | %.2f | %.2f | %.1f | %.1f | %.1f |", seq_along(KERN), times[4, ], times[5, ],
            times[1, ], times[2, ], times[3, ], times[3, ] / times[1, ], times[3, ] / times[2, ]),
    sprintf("| one of each | | | %.2f | %.2f | %.1f | %.1f | %.1f |", all[1], all[2], all[3], all[3] / all[1],
            all[3] / all[2]))
}

processor <- function() {
  info <- if (file.exists("/proc/cpuinfo")) grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)
  if (length(info)) sub(".*: ", "", info[1]) else "unknown"
}

evaluations <- evaluation_rows()
many <- many_rows()
kern <- kern_rows()
cat(sep = "\n",
  "# Integrals", "", "Made by `Rscript bench/integrate.R > bench/integrate.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")), sprintf("* Processor: %s", processor()),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "## One evaluation", "",
  "Nanoseconds of CPU time on one thread; C: compiled by R's compiler with its flags, calling the C library.", "",
  "| integrand | agreement | stablecl | C | ratio |", "|---|---|---|---|---|", evaluations, "",
  "## 1e5 integrals in one call", "",
  sprintf("Seconds for all, at rel.tol = 1e-8; integrate() at its default tolerance of 1.2e-4, from %d of them.", LOOP),
  "Elapsed times carry whatever else the machine was doing.", "",
  paste("| integrand | agreement | CPU, one thread | elapsed, two threads | loop over integrate(), CPU | CPU ratio |",
        "elapsed ratio |"),
  "|---|---|---|---|---|---|---|", many, "",
  "## Kern and Alaghband (2013), Table 2", "",
  "Microseconds an integral, 1e5 in a call (each function with its three limits in turn); both at a relative",
  "tolerance of 1e-8, which integrate() has from a loop over 900 of them.", "",
  paste("| function | agreement | evaluations | CPU, one thread | elapsed, two threads | integrate(), CPU |",
        "CPU ratio | elapsed ratio |"),
  "|---|---|---|---|---|---|---|---|", kern)
