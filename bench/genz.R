# Compares gintegrate() with the rules of package cubature on random integrals of the six families of Genz (1984,
# Testing multidimensional integration routines, in Tools, Methods and Languages for Scientific and Engineering
# Computation, North-Holland) in 2 to 8 dimensions.
#
#     Rscript bench/genz.R [N [MAX_EVAL]] > bench/genz.md
#     Rscript bench/genz.R --failures [N]          # only the integrals that gintegrate() does not get right
#     Rscript bench/genz.R --all [N [MAX_EVAL]]    # also the sampling rules of package cubature, which take hours
#     Rscript bench/genz.R --device=opencl > bench/gpu/genz.md                     # gintegrate() on CPU and device
#
# N, default 300, is the number of integrals; every package may evaluate an integrand MAX_EVAL times, default 1e6.
# Packages are taken from R's libraries, or from the library STABLECL_PEERS if that is set.  Nothing is timed.
#
# The parameters a are uniform numbers scaled to the sums of SUM, and the parameters u are uniform on (0, 1).  All
# values are known.  Every result is either claimed to be accurate to the tolerance or flagged; claimed results
# are right if the true relative error is at most the tolerance plus SLACK.

suppressPackageStartupMessages(library(stablecl))
source("bench/page.R")                                   # made_by()
stable_backend("cpu")
peers <- Sys.getenv("STABLECL_PEERS")
if (nzchar(peers)) .libPaths(c(peers, .libPaths()))

options   <- commandArgs(trailingOnly = TRUE)
numbers   <- as.numeric(grep("^[0-9]", options, value = TRUE))
N         <- c(numbers, 300)[1]
MAX_EVAL  <- if (length(numbers) > 1) numbers[2] else 1e6
TOLERANCES <- c(1e-4, 1e-8, 1e-12)
SLACK     <- 5e-15                      # rounding errors of a sum of many values
SUM       <- c(oscillatory = 9, "product peak" = 7.25, "corner peak" = 1.85, gaussian = 7.03, continuous = 20.4,
               discontinuous = 4.3)

# --- the integrals --------------------------------------------------------------------------------------------------

FAMILIES <- list(
  oscillatory = list(
    f = function(x, a, u) cos(2 * pi * u[1] + sum(a * x)),
    each = function(x, a, u) cos(2 * pi * u[1] + colSums(a * x)),
    value = function(a, u) Re(exp(2i * pi * u[1]) * prod((exp(1i * a) - 1) / (1i * a)))),
  "product peak" = list(
    f = function(x, a, u) prod(1 / (a^-2 + (x - u)^2)),
    each = function(x, a, u) exp(-colSums(log(a^-2 + (x - u)^2))),
    value = function(a, u) prod(a * (atan(a * (1 - u)) + atan(a * u)))),
  "corner peak" = list(
    f = function(x, a, u) (1 + sum(a * x))^-(length(a) + 1),
    each = function(x, a, u) (1 + colSums(a * x))^-(length(a) + 1),
    value = function(a, u) corner_value(a)),
  gaussian = list(
    f = function(x, a, u) exp(-sum(a^2 * (x - u)^2)),
    each = function(x, a, u) exp(-colSums(a^2 * (x - u)^2)),
    value = function(a, u) prod(sqrt(pi) / a * (pnorm(sqrt(2) * a * (1 - u)) - pnorm(-sqrt(2) * a * u)))),
  continuous = list(
    f = function(x, a, u) exp(-sum(a * abs(x - u))),
    each = function(x, a, u) exp(-colSums(a * abs(x - u))),
    value = function(a, u) prod((-expm1(-a * u) - expm1(-a * (1 - u))) / a)),
  discontinuous = list(
    f = function(x, a, u) if (x[1] > u[1] || x[2] > u[2]) 0 else exp(sum(a * x)),
    each = function(x, a, u) exp(colSums(a * x)) * (x[1, ] <= u[1] & x[2, ] <= u[2]),
    value = function(a, u) prod(expm1(a * c(u[1:2], rep(1, length(a) - 2))) / a)))

# Returns the integral of (1 + a.x)^-(d + 1), d = length(a), over the unit cube.  With the integral of the gamma
# distribution for the power it is
#
#     1/d! int_0^inf t^d exp(-t) prod_k (1 - exp(-a_k t))/(a_k t) dt,
#
# whose integrand is positive, so that nothing cancels as in the sum over the corners.  With t = exp(s), the trapezoidal
# rule converges exponentially: the error of step h is about exp(-pi^2/h).
corner_value <- function(a) {
  h <- 1 / 8
  t <- exp(seq(-45, 7, by = h))
  h * sum(t^(length(a) + 1) * exp(-t) * apply(-expm1(-outer(t, a)) / outer(t, a), 1, prod)) / factorial(length(a))
}

# Returns N integrals: families and dimensions in turn, with random parameters.
random_integrals <- function() {
  set.seed(1)
  lapply(seq_len(N), function(k) {
    family <- names(FAMILIES)[(k - 1) %% 6 + 1]
    dim <- 2 + (k - 1) %/% 6 %% 7
    a <- runif(dim, 0.1, 1)
    a <- a / sum(a) * SUM[[family]]
    u <- runif(dim)
    c(FAMILIES[[family]], list(family = family, dim = dim, a = a, u = u, true = FAMILIES[[family]]$value(a, u)))
  })
}

# --- one integral by each package: value, claimed error, whether it claims to have converged, evaluations ------------

quiet <- function(code) suppressWarnings(suppressMessages(code))

by_gintegrate <- function(case, tol) {
  f <- local({
    a <- case$a
    u <- case$u
    f <- case$f
    function(x) f(x, a, u)
  })
  r <- quiet(gintegrate(f, rep(0, case$dim), rep(1, case$dim), dim = case$dim, rel.tol = tol, max.eval = MAX_EVAL,
                        control = list(seed = 1)))
  data.frame(value = r$value, error = r$abs.error, claimed = r$status == "converged", evaluations = r$evaluations,
             on_device = identical(r$backend, "opencl"))
}

by_cubature <- function(method) function(case, tol) {
  run <- getExportedValue("cubature", method)
  zero <- rep(0, case$dim)
  one <- rep(1, case$dim)
  f <- function(x) matrix(case$each(x, case$a, case$u), 1)
  r <- if (method == "hcubature")
    run(f, zero, one, tol = tol, absError = 0, maxEval = MAX_EVAL, vectorInterface = TRUE)
  else
    run(f, 1L, zero, one, relTol = tol, absTol = 0, maxEval = MAX_EVAL, nVec = 1024L)
  evaluations <- if (method == "hcubature") r$functionEvaluations else r$neval
  data.frame(value = r$integral, error = r$error, claimed = r$returnCode == 0 && r$error <= tol * abs(r$integral),
             evaluations = evaluations, on_device = FALSE)
}

PACKAGES <- list("gintegrate()" = by_gintegrate, "hcubature()" = by_cubature("hcubature"),
                 "cuhre()" = by_cubature("cuhre"), "divonne()" = by_cubature("divonne"),
                 "suave()" = by_cubature("suave"), "vegas()" = by_cubature("vegas"))

# Returns the results of a package for all integrals, with the true errors and the outcomes.
judged <- function(package, cases, tol) {
  message(package, " ", tol)
  results <- do.call(rbind, lapply(cases, function(case) cbind(PACKAGES[[package]](case, tol), true = case$true,
                                                               family = case$family, dim = case$dim)))
  results$miss <- abs(results$value / results$true - 1)
  close <- !is.na(results$miss) & results$miss <= tol + SLACK
  results$close <- close
  results$outcome <- ifelse(!results$claimed, "flagged", ifelse(close, "right", "wrong"))
  results
}

count <- function(r, outcome) sum(r$outcome == outcome)

print_failures <- function(cases) {
  for (tol in TOLERANCES) {
    r <- judged("gintegrate()", cases, tol)
    for (k in which(r$outcome != "right"))
      cat(sprintf("%g %d %s %d-D %s: relative error %.1e, claimed %.1e, %.0f evaluations\n", tol, k, r$family[k],
                  r$dim[k], r$outcome[k], r$miss[k], r$error[k] / abs(r$true[k]), r$evaluations[k]))
  }
}

# --- the same on a device ---------------------------------------------------------------------------------------

# Returns the results of gintegrate() on a device, a data frame for each tolerance.  Worker processes build the kernels
# of different integrands at the same time; forked processes would use the CPU.
run_device <- function(device, cases) {
  workers <- parallel::makePSOCKcluster(min(12L, parallel::detectCores()))
  on.exit(parallel::stopCluster(workers))
  parallel::clusterCall(workers, function(paths, device) {
    .libPaths(paths)
    library(stablecl)
    stable_backend(device)
  }, .libPaths(), device)
  parallel::clusterExport(workers, c("judged", "PACKAGES", "quiet", "FAMILIES", "TOLERANCES", "MAX_EVAL", "SLACK"))
  rows <- split(seq_along(cases), vapply(cases, function(case) paste(case$family, case$dim), ""))
  found <- parallel::parLapplyLB(workers, lapply(rows, function(k) cases[k]), function(some) {
    lapply(TOLERANCES, judged, package = "gintegrate()", cases = some)
  })
  lapply(seq_along(TOLERANCES), function(k) {
    do.call(rbind, lapply(found, `[[`, k))[order(unlist(rows)), ]
  })
}

device_row <- function(ours, tol, cases) {
  cpu <- judged("gintegrate()", cases, tol)
  outcomes <- function(r) paste(count(r, "right"), count(r, "wrong"), count(r, "flagged"), sep = " / ")
  both <- ours$outcome == "right" & cpu$outcome == "right"
  for (k in which(ours$outcome != cpu$outcome))
    message(tol, " ", k, " ", cpu$family[k], ": ", ours$outcome[k], ", on the CPU ", cpu$outcome[k])
  sprintf("| %g | %s | %s | %.3g | %.3g | %d | %d | %.1e |", tol, outcomes(ours), outcomes(cpu), sum(ours$evaluations),
          sum(cpu$evaluations), sum(ours$on_device), sum(ours$outcome != cpu$outcome),
          max(abs(ours$value / cpu$value - 1)[both]))
}

print_device <- function(device, cases) {
  rows <- mapply(device_row, run_device(device, cases), TOLERANCES, MoreArgs = list(cases = cases))
  stable_backend(device)
  cat(sep = "\n",
    "# Random integrals of Genz on a device", "",
    paste0(made_by("bench/genz.R", "bench/gpu/genz.md"), "."), "",
    sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
    sprintf("* Device: %s", paste(stable_backend()$devices$device, collapse = ", ")),
    sprintf("* %s, stablecl %s, %d integrals", R.version.string, packageVersion("stablecl"), length(cases)), "",
    "Right / wrong but claimed / flagged, as in `bench/genz.md`; evaluations of f; the number of integrals for which",
    "the device evaluated points, and of those with another outcome there; the largest relative difference of results",
    "that are right on both.", "",
    "| rel.tol | device | CPU | evaluations, device | CPU | on the device | other outcome | largest difference |",
    "|---|---|---|---|---|---|---|---|", rows)
}

cases <- random_integrals()
if (length(device <- sub("^--device=", "", grep("^--device=", options, value = TRUE)))) {
  print_device(device, cases)
  quit()
}
if ("--failures" %in% options) {
  print_failures(cases)
  quit()
}
packages <- if ("--all" %in% options) names(PACKAGES) else c("gintegrate()", "hcubature()", "cuhre()")
rows <- unlist(lapply(TOLERANCES, function(tol) {
  found <- lapply(packages, judged, cases = cases, tol = tol)
  any_right <- Reduce(`|`, lapply(found[-1], function(r) r$outcome == "right"))
  c(vapply(seq_along(packages), function(k) {
    r <- found[[k]]
    sprintf("| %s | %g | %d | %d | %d | %d | %.3g |", packages[k], tol, count(r, "right"), count(r, "wrong"),
            count(r, "flagged"), sum(r$close), sum(r$evaluations))
  }, ""), sprintf("| any but gintegrate() | %g | %d | | | | |", tol, sum(any_right)))
}))
cat(sep = "\n",
  "# Random integrals of Genz", "", paste0(made_by("bench/genz.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s, cubature %s", R.version.string, packageVersion("stablecl"),
          packageVersion("cubature")), "",
  sprintf("%d integrals of six families in 2 to 8 dimensions, at most %g evaluations each.  A result is either",
          N, MAX_EVAL),
  "claimed to be accurate to `rel.tol`, or flagged.  Claimed results are right if the true relative error is at most",
  "`rel.tol`; the last column but one counts the results that are that accurate, whether claimed or not.", "",
  "| function | rel.tol | right | wrong but claimed | flagged | accurate | evaluations |",
  "|---|---|---|---|---|---|---|", rows)
