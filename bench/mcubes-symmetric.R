# Measures the option `symmetric`, with which all axes share one importance grid (m-Cubes1D, Sakiotis et al. 2022,
# figure 3): the same integrals with and without it, in turn.
#
#     Rscript bench/mcubes-symmetric.R [BACKEND [RUNS]] > bench/mcubes-symmetric.md
#
# BACKEND as for stable_backend(), default "cpu", with one thread; on a GPU, where integrals to the tolerances of the
# paper take less time than their launches, to tolerances ten times smaller.  Each of RUNS pairs (default 31) has its
# own seed.  The ratio is the median over the pairs of the time without the option divided by the time with it; the
# ratio for each evaluation leaves out that a better grid needs fewer points.  Results are compared with the known
# values first.

suppressPackageStartupMessages(library(stablecl))
source("bench/mcubes-suite.R")
source("bench/page.R")                                   # made_by()

arguments <- commandArgs(trailingOnly = TRUE)
backend   <- c(arguments, "cpu")[1]
RUNS      <- as.integer(c(arguments[-1], "31")[1])
MAX_EVAL  <- 1e10

stable_backend(backend)
devices <- stable_backend()$devices
TAU     <- if (backend != "cpu" && any(devices$type == "GPU")) c(1e-4, 1e-5) else c(1e-3, 1e-4)
now     <- function() as.numeric(Sys.time())
stable_threads(1)
CASES <- Filter(function(case) case$symmetric && case$name != "fA 6-D", MCUBES_SUITE)

run <- function(case, f, method, tau, seed, symmetric) {
  control <- list(seed = seed, symmetric = symmetric)
  began <- now()
  r <- gintegrate(f, case$lower, case$upper, method = method, rel.tol = tau, max.eval = MAX_EVAL, control = control)
  seconds <- now() - began
  stopifnot(r$status == "converged", abs(r$value - case$value) <= 6 * r$abs.error)
  c(seconds, r$evaluations)
}

row <- function(case, method, tau) {
  f <- gtranslate(case$f, dim = case$dim)
  run(case, f, method, tau, 1, FALSE)                        # builds the kernels
  pairs <- vapply(seq_len(RUNS), function(seed) {
    c(run(case, f, method, tau, seed, FALSE), run(case, f, method, tau, seed, TRUE))
  }, numeric(4))
  time <- pairs[1, ] / pairs[3, ]
  each <- time / (pairs[2, ] / pairs[4, ])
  message(case$name, " ", method, " ", tau)
  sprintf("| %s | %s | %g | %.2f | %.2f | %.2e | %.2e | %.2f | %.2f |", case$name, method, tau,
          1e3 * stats::median(pairs[1, ]), 1e3 * stats::median(pairs[3, ]), stats::median(pairs[2, ]),
          stats::median(pairs[4, ]), stats::median(time), stats::median(each))
}

rows <- unlist(lapply(c("vegas", "lattice"), function(method) unlist(lapply(CASES, function(case) {
  vapply(TAU, function(tau) row(case, method, tau), "")
}))))

page <- if (backend == "cpu") "bench/mcubes-symmetric.md" else "bench/gpu/mcubes-symmetric.md"
cat(sep = "\n",
  "# Symmetric integrands", "", paste0(made_by("bench/mcubes-symmetric.R", page), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s, backend \"%s\", one thread; %d pairs of runs a row", R.version.string,
          packageVersion("stablecl"), backend, RUNS),
  if (backend != "cpu") sprintf("* Device: %s", paste(devices$device, collapse = ", ")), "",
  "Medians for `symmetric = FALSE` and `TRUE`: milliseconds, evaluations, and the ratios of paired times, also for",
  "each evaluation.", "",
  "| integral | method | tolerance | ms | ms, symmetric | evaluations | evaluations, symmetric | ratio | ratio, each |",
  "|---|---|---|---|---|---|---|---|---|", rows)
