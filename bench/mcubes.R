# Compares gintegrate() in several dimensions with the methods of package `cubature` (hcubature, pcubature and those of
# Cuba), for the integrals of m-Cubes (Sakiotis et al. 2022).
#
#     Rscript bench/mcubes.R > bench/mcubes.md
#
# Package `cubature` is taken from R's libraries, or from the library STABLECL_PEERS if that is set.  Agreement is
# checked before anything is timed.  The integrands of `cubature` are vectorised R functions of a matrix with a column
# for each point; those of gintegrate() are plain functions.  CPU seconds (user and system; gintegrate() on one thread)
# are medians of ROUNDS runs, or one run if it takes more than LONG seconds; for gintegrate() the elapsed seconds with
# two threads are also given.

suppressPackageStartupMessages(library(stablecl))
stable_backend("cpu")
peers <- Sys.getenv("STABLECL_PEERS")
if (nzchar(peers)) .libPaths(c(peers, .libPaths()))
invisible(loadNamespace("cubature"))

ROUNDS   <- 3
LONG     <- 0.5
MAX_EVAL <- 5e7                         # evaluations, the same for every package
LIMIT    <- 10                          # CPU seconds after which a run counts as failed, the same for every package
TAU      <- c(1e-3, 1e-4)

source("bench/mcubes-suite.R")

# Returns the value of a run and its CPU seconds.
timed <- function(run) {
  value <- NULL
  once <- function(times = 1) sum(system.time(for (i in seq_len(times)) value <<- run())[1:2]) / times
  first <- once()
  again <- function() once(if (first < 0.001) 1000 else if (first < 0.01) 100 else 1)
  if (first < 0.01) first <- again()
  list(value = value, cpu = if (first > LONG) first else stats::median(c(first, replicate(ROUNDS - 1, again()))))
}

# --- gintegrate() -------------------------------------------------------------------------

ours <- function(case, f, method, tau) {
  suppressWarnings(gintegrate(f, case$lower, case$upper, method = method, rel.tol = tau, max.eval = MAX_EVAL,
                              control = list(seed = 1)))
}

check <- function(case, r, method) {
  sigmas <- if (method %in% c("vegas", "lattice")) 4 else 1
  stopifnot(abs(r$value - case$value) <= sigmas * r$abs.error)
  abs(r$value / case$value - 1)
}

# Returns results and times of gintegrate() by several methods, from the function and from its translation.
our_rows <- function(case, tau) {
  made <- gtranslate(case$f, dim = case$dim)
  before <- stable_threads(1)
  on.exit(stable_threads(before))
  lapply(list(c("auto", "function"), c("auto", "translation"), c("lattice", "translation"), c("vegas", "translation")),
         function(way) {
    f <- if (way[2] == "function") case$f else made
    run <- timed(function() ours(case, f, way[1], tau))
    stopifnot(run$cpu <= LIMIT)
    result <- run$value
    miss <- check(case, result, way[1])
    stable_threads(2)
    elapsed <- stats::median(replicate(if (run$cpu > LONG) 1 else ROUNDS, ours(case, f, way[1], tau)$time))
    stable_threads(1)
    list(name = paste0(way[1], if (way[2] == "function") ", from the function",
                       if (result$status != "converged") ", not converged"), rule = result$rule, cpu = run$cpu,
         elapsed = elapsed, evaluations = result$evaluations, claimed = result$abs.error / abs(result$value),
         true = miss)
  })
}

# Returns the nanoseconds per evaluation of the integrand on one thread.
evaluation_time <- function(case) {
  program <- gtranslate(case$f, dim = case$dim)$program
  points <- lapply(seq_len(case$dim), function(k) (seq_len(65536) * sqrt(k + 1)) %% 1)
  1e9 * timed(function() for (i in 1:5) .Call(stablecl:::C_values, program, points))$cpu / 5 / 65536
}

# --- package cubature -----------------------------------------------------------------------

large <- list(nStart = 20000L, nIncrease = 20000L, nBatch = 4096L)
PEERS <- list(hcubature = list(), pcubature = list(), cuhre = list(), vegas = list(), suave = list(), divonne = list(),
              "vegas, nStart = 20000" = large)

peer_row <- function(case, tau, name) {
  if (name == "pcubature" && case$dim > 6) return(NULL)             # its smallest grids have 5^d points or more
  f <- function(x) matrix(case$vectorised(x), 1L)
  limited <- function(value) {
    setTimeLimit(cpu = LIMIT)
    on.exit(setTimeLimit())
    tryCatch(suppressWarnings(value), error = function(e) NULL)
  }
  run <- timed(function() limited(do.call(cubature::cubintegrate, c(list(
    f, case$lower, case$upper, method = sub(",.*", "", name), relTol = tau, absTol = 0,
    maxEval = MAX_EVAL, nVec = 4096L), PEERS[[name]]))))
  r <- if (is.null(run$value)) list(integral = NA, error = NA, neval = NA) else run$value
  list(name = name, cpu = run$cpu, evaluations = r$neval, claimed = r$error / abs(r$integral),
       true = abs(r$integral / case$value - 1))
}

# --- tables -----------------------------------------------------------------------------------

number <- function(x) if (is.null(x) || is.na(x)) "-" else sprintf("%.1e", x)
detail <- function(case, tau, r) {
  sprintf("| %s | %g | %s%s | %.5f | %s | %s | %s | %s |", case$name, tau, r$name,
          if (is.null(r$rule)) "" else paste0(" (", r$rule, ")"), r$cpu,
          if (is.null(r$elapsed)) "" else sprintf("%.4f", r$elapsed), number(r$evaluations), number(r$claimed),
          number(r$true))
}

summaries <- details <- character()
for (case in MCUBES_SUITE) {
  nanoseconds <- evaluation_time(case)
  for (tau in TAU) {
    mine <- our_rows(case, tau)
    theirs <- Filter(Negate(is.null), lapply(names(PEERS), function(name) peer_row(case, tau, name)))
    done <- Filter(function(r) is.finite(r$claimed) && r$claimed <= tau, theirs)
    best <- if (length(done)) done[[which.min(vapply(done, `[[`, 0, "cpu"))]]
    right <- Filter(function(r) r$true <= 4 * tau, done)
    sound <- if (length(right)) right[[which.min(vapply(right, `[[`, 0, "cpu"))]]
    name <- function(r) if (is.null(r)) "none" else sprintf("%s %.5f", r$name, r$cpu)
    ratio <- function(k) {
      if (is.null(best)) "-" else if (mine[[k]]$claimed > tau) "no" else sprintf("%.1f", best$cpu / mine[[k]]$cpu)
    }
    spent <- function(k) sprintf("%.5f", mine[[k]]$cpu)
    summaries <- c(summaries, sprintf(
      "| %s | %g | %s | %.1f | %.5f | %s | %s | %s | %s | %s | %s | %s |", case$name, tau, mine[[2]]$rule,
      nanoseconds, 1e-9 * nanoseconds * mine[[2]]$evaluations, spent(1), spent(2), spent(3), name(best), ratio(2),
      ratio(3), name(sound)))
    details <- c(details, vapply(c(mine, theirs), function(r) detail(case, tau, r), ""))
    message(case$name, " ", tau)
  }
}

info <- if (file.exists("/proc/cpuinfo")) grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)
cat(sep = "\n",
  "# Integrals in several dimensions", "", "Made by `Rscript bench/mcubes.R > bench/mcubes.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* Processor: %s", if (length(info)) sub(".*: ", "", info[1]) else "unknown"),
  sprintf("* %s, stablecl %s, cubature %s", R.version.string, packageVersion("stablecl"), packageVersion("cubature")),
  "",
  "CPU seconds on one thread, medians.  `auto` claims four standard errors where it samples, `lattice` one, as Cuba's",
  "methods do.  The floor is the evaluations of `auto` at the time of an evaluation alone.",
  sprintf("Every package may take %g evaluations and %g CPU seconds for an integral.  The fastest peer is one whose",
          MAX_EVAL, LIMIT),
  "claimed error is within the tolerance; ratios are its time to that of `auto` and of `lattice`, from the",
  "translation.  The fastest sound peer has a true error within four tolerances, too.", "",
  paste("| integral | tolerance | rule | ns an evaluation | floor | auto, function | auto, translation | lattice |",
        "fastest peer | ratio, auto | ratio, lattice | fastest sound peer |"),
  "|---|---|---|---|---|---|---|---|---|---|---|---|", summaries, "",
  "## All of them", "",
  "Ours from the translation unless said; elapsed seconds are those of two threads, under whatever load there was.", "",
  "| integral | tolerance | method | CPU | elapsed | evaluations | claimed | true |",
  "|---|---|---|---|---|---|---|---|",
  details)
