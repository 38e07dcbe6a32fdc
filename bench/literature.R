# Compares gintegrate() with integrate(), pracma::quadgk() and cubature::hcubature() on the one-dimensional integrals of
# the literature in tests/testthat/literature.csv, and on random narrow peaks.
#
#     Rscript bench/literature.R > bench/literature.md
#     Rscript bench/literature.R --failures        # only the integrals that gintegrate() does not get right
#     Rscript bench/literature.R --device=opencl > bench/gpu/literature.md         # gintegrate() on CPU and device
#
# Packages `pracma` and `cubature` are taken from R's libraries, or from the library STABLECL_PEERS if that is set.
# Nothing is timed.  Every package gets the tolerance `rel.tol` and no absolute one; pracma::quadgk(), whose tolerance
# is absolute, gets `rel.tol` times the true value.  Evaluations of f are limited to MAX_EVAL.

suppressPackageStartupMessages(library(stablecl))
source("bench/page.R")                                   # made_by()
stable_backend("cpu")
peers <- Sys.getenv("STABLECL_PEERS")
if (nzchar(peers)) .libPaths(c(peers, .libPaths()))

TOLERANCES <- c(1e-4, 1e-8, 1e-12)
MAX_EVAL   <- 1e6
SLACK      <- 1e-15                     # relative rounding error of a correct result
PEAKS      <- 300

quiet <- function(code) suppressWarnings(suppressMessages(code))

# Returns f as a function that counts the points at which it is evaluated, and fails beyond MAX_EVAL.
counted <- function(f) {
  points <- 0
  list(f = function(x) {
    points <<- points + length(x)
    if (points > MAX_EVAL) stop("too many evaluations")
    f(x)
  }, points = function() points)
}

# --- one integral by each package: value, claimed error, whether it claims to have converged, evaluations ------------

found <- function(value, error, claimed, evaluations, backend = "cpu") {
  data.frame(value = value, error = error, claimed = isTRUE(claimed), evaluations = evaluations, backend = backend)
}

by_gintegrate <- function(case, tol) {
  r <- tryCatch(quiet(gintegrate(case$f, case$lower, case$upper, rel.tol = tol)), error = function(e) NULL)
  if (is.null(r)) return(found(NA_real_, NA_real_, FALSE, 0))
  found(r$value, r$abs.error, r$status == "converged", r$evaluations, r$backend)
}

# Calls run(f) with a counting f; run() returns a list of value, error and claimed.  An error is no claim.
by_peer <- function(case, run) {
  count <- counted(case$f)
  r <- tryCatch(quiet(run(count$f)), error = function(e) list(NA_real_, NA_real_, FALSE))
  found(r[[1]], r[[2]], r[[3]], count$points())
}

by_integrate <- function(case, tol) by_peer(case, function(f) {
  r <- stats::integrate(f, case$lower, case$upper, rel.tol = tol, abs.tol = 0, subdivisions = 1000,
                        stop.on.error = FALSE)
  list(r$value, r$abs.error, r$message == "OK")
})

by_quadgk <- function(case, tol) by_peer(case, function(f) {
  warned <- FALSE
  value <- withCallingHandlers(pracma::quadgk(f, case$lower, case$upper, tol = tol * abs(case$value)),
                               warning = function(w) warned <<- TRUE)
  list(value, NA_real_, !warned && is.finite(value))
})

by_hcubature <- function(case, tol) by_peer(case, function(f) {
  r <- cubature::hcubature(function(x) matrix(f(x[1, ]), 1), case$lower, case$upper, tol = tol, absError = 0,
                           maxEval = MAX_EVAL - 1000, vectorInterface = TRUE)
  list(r$integral, r$error, r$returnCode == 0 && r$error <= tol * abs(r$integral))
})

PACKAGES <- list("gintegrate()" = by_gintegrate, "integrate()" = by_integrate, "pracma::quadgk()" = by_quadgk,
                 "cubature::hcubature()" = by_hcubature)
FINITE_ONLY <- c("pracma::quadgk()", "cubature::hcubature()")
DEFAULT <- c(1e-8, .Machine$double.eps^0.25, .Machine$double.eps^0.5, 1e-5)

# Adds to results the true error, and the outcome: "right", "wrong" (but claimed) or "flagged".
judged <- function(results, true, tol) {
  results$miss <- abs(results$value - true)
  close <- !is.na(results$miss) & results$miss <= (tol + SLACK) * abs(true)
  results$outcome <- ifelse(!results$claimed, "flagged", ifelse(close, "right", "wrong"))
  results$modest <- results$outcome == "flagged" & is.finite(results$miss) & is.finite(results$error) &
    results$error < results$miss - SLACK * abs(true)
  results
}

run_all <- function(package, cases, tol) {
  results <- do.call(rbind, lapply(cases, PACKAGES[[package]], tol = tol))
  judged(results, vapply(cases, `[[`, 0, "value"), tol)
}

# --- the integrals of the literature ----------------------------------------------------------------------------

read_cases <- function() {
  table <- utils::read.csv("tests/testthat/literature.csv", colClasses = "character")
  limit <- function(text) eval(parse(text = text), globalenv())
  lapply(seq_len(nrow(table)), function(k) {
    row <- table[k, ]
    list(id = row$id, note = row$note, f = eval(parse(text = paste("function(x)", row$formula)), globalenv()),
         lower = limit(row$lower), upper = limit(row$upper), value = as.numeric(row$value))
  })
}

is_finite <- function(case) is.finite(case$lower) && is.finite(case$upper)

row_of <- function(package, cases, tol) {
  message(package, " ", tol)
  r <- run_all(package, cases, tol)
  sprintf("| %s | %g | %d | %d | %d | %d | %s | %.0f |", package, tol, length(cases), sum(r$outcome == "right"),
          sum(r$outcome == "wrong"), sum(r$outcome == "flagged"),
          if (package == "pracma::quadgk()") "" else sum(r$modest), sum(r$evaluations))
}

tables <- function(cases) {
  rows <- function(packages, cases) {
    unlist(lapply(TOLERANCES, function(tol) vapply(packages, row_of, "", cases = cases, tol = tol)))
  }
  c(sprintf("## All %d integrals", length(cases)), "", HEAD, rows(setdiff(names(PACKAGES), FINITE_ONLY), cases), "",
    "## Those over finite ranges", "", HEAD, rows(names(PACKAGES), Filter(is_finite, cases)))
}

HEAD <- c(paste("| function | rel.tol | integrals | right | wrong but claimed | flagged | flagged, error too small |",
                "evaluations |"), "|---|---|---|---|---|---|---|---|")

print_failures <- function(cases) {
  for (tol in TOLERANCES) {
    r <- run_all("gintegrate()", cases, tol)
    for (k in which(r$outcome != "right")) {
      size <- abs(cases[[k]]$value)
      cat(sprintf("%g %s %s: relative error %.1e, claimed %.1e, %.0f evaluations (%s)\n", tol, cases[[k]]$id,
                  r$outcome[k], r$miss[k] / size, r$error[k] / size, r$evaluations[k], cases[[k]]$note))
    }
  }
}

# --- random narrow peaks ----------------------------------------------------------------------------------------

# Returns the integral over (0, 1) of 1/cosh(k(x - at))^power, from the odd powers of tanh() in the antiderivative.
peak_integral <- function(k, at, coefficients) {
  primitive <- function(t) sum(coefficients * t^(2 * seq_along(coefficients) - 1)) / k
  primitive(tanh(k * (1 - at))) + primitive(tanh(k * at))
}

peak_case <- function(at) {
  f <- function(x) 1 / cosh(10 * (x - at[1]))^2 + 1 / cosh(100 * (x - at[2]))^4 + 1 / cosh(1000 * (x - at[3]))^6
  list(f = f, lower = 0, upper = 1,
       value = peak_integral(10, at[1], 1) + peak_integral(100, at[2], c(1, -1/3)) +
         peak_integral(1000, at[3], c(1, -2/3, 1/5)))
}

peak_rows <- function() {
  set.seed(1)
  cases <- lapply(seq_len(PEAKS), function(k) peak_case(stats::runif(3, 0.05, 0.95)))
  vapply(seq_along(PACKAGES), function(k) {
    r <- run_all(names(PACKAGES)[k], cases, DEFAULT[k])
    sprintf("| %s | %.2g | %.1f%% | %.1f%% | %.0f |", names(PACKAGES)[k], DEFAULT[k], 100 * mean(r$outcome == "wrong"),
            100 * mean(r$outcome == "flagged"), mean(r$evaluations))
  }, "")
}

# --- the same on a device ---------------------------------------------------------------------------------------

# Returns the results of gintegrate() on a device, a data frame for each tolerance.  Worker processes build the kernels
# of their shares of the cases at the same time; forked processes would use the CPU.
run_device <- function(device, cases) {
  workers <- parallel::makePSOCKcluster(min(12L, parallel::detectCores()))
  on.exit(parallel::stopCluster(workers))
  parallel::clusterCall(workers, function(paths, device) {
    .libPaths(paths)
    library(stablecl)
    stable_backend(device)
  }, .libPaths(), device)
  parallel::clusterExport(workers, c("by_gintegrate", "quiet", "found", "TOLERANCES"))
  results <- parallel::parLapplyLB(workers, cases, function(case) {
    environment(case$f) <- globalenv()
    lapply(TOLERANCES, by_gintegrate, case = case)
  })
  true <- vapply(cases, `[[`, 0, "value")
  lapply(seq_along(TOLERANCES), function(k) judged(do.call(rbind, lapply(results, `[[`, k)), true, TOLERANCES[k]))
}

device_row <- function(ours, tol, cases) {
  cpu <- run_all("gintegrate()", cases, tol)
  apart <- abs(ours$value - cpu$value) / abs(cpu$value)
  count <- function(r) {
    paste(vapply(c("right", "wrong", "flagged"), function(k) sum(r$outcome == k), 0L), collapse = " / ")
  }
  for (k in which(ours$outcome != cpu$outcome))
    message(tol, " ", cases[[k]]$id, ": ", ours$outcome[k], ", on the CPU ", cpu$outcome[k])
  sprintf("| %g | %s | %s | %.0f | %.0f | %d | %d | %.1e |", tol, count(ours), count(cpu), sum(ours$evaluations),
          sum(cpu$evaluations), sum(ours$backend == "opencl"), sum(ours$outcome != cpu$outcome),
          max(apart[ours$outcome == "right" & cpu$outcome == "right"], na.rm = TRUE))
}

print_device <- function(device, cases) {
  all <- run_device(device, cases)
  rows <- mapply(device_row, all, TOLERANCES, MoreArgs = list(cases = cases))
  stable_backend(device)
  cat(sep = "\n",
    "# Integrals of the literature on a device", "",
    paste0(made_by("bench/literature.R", "bench/gpu/literature.md"), "."), "",
    sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
    sprintf("* Device: %s", paste(stable_backend()$devices$device, collapse = ", ")),
    sprintf("* %s, stablecl %s, %d integrals", R.version.string, packageVersion("stablecl"), length(cases)), "",
    "Right / wrong but claimed / flagged, as in `bench/literature.md`; evaluations of f; the number of integrals",
    "that were computed on the device (the CPU computes functions that cannot be translated, and integrals that need",
    "very many intervals), and of those with another outcome there; the largest relative difference of results that",
    "are right on both.", "",
    "| rel.tol | device | CPU | evaluations, device | CPU | on the device | other outcome | largest difference |",
    "|---|---|---|---|---|---|---|---|", rows)
}

cases <- read_cases()
options <- commandArgs(TRUE)
if ("--failures" %in% options) {
  print_failures(cases)
  quit()
}
if (length(device <- sub("^--device=", "", grep("^--device=", options, value = TRUE)))) {
  print_device(device, cases)
  quit()
}
cat(sep = "\n",
  "# Integrals of the literature", "", paste0(made_by("bench/literature.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s, pracma %s, cubature %s", R.version.string, packageVersion("stablecl"),
          packageVersion("pracma"), packageVersion("cubature")), "",
  "The integrals are in `tests/testthat/literature.csv`.  Every result is either claimed to be accurate to `rel.tol`,",
  "or flagged as less accurate (by a status, a warning or an error).  Claimed results are right if the true relative",
  sprintf("error is at most `rel.tol` + %g.  Flagged results may still state an error estimate; the last", SLACK),
  "column but one counts those whose estimate is smaller than the true error.", "",
  sprintf("The limit of evaluations is %g; integrate() has 1000 subdivisions.  The tolerance of", MAX_EVAL),
  "pracma::quadgk() is absolute: `rel.tol` times the true value.  quadgk() and cubature::hcubature() do not accept",
  "infinite limits, and quadgk() returns no error estimate.", "",
  tables(cases), "",
  "## Random narrow peaks", "",
  "1/cosh(10(x - a))^2 + 1/cosh(100(x - b))^4 + 1/cosh(1000(x - c))^6 over (0, 1), at the default tolerance of each",
  sprintf("function, for %d triples of random a, b and c in (0.05, 0.95).", PEAKS), "",
  "| function | rel.tol | missed (wrong but claimed) | flagged | mean evaluations |", "|---|---|---|---|---|",
  peak_rows())
