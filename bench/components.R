# Compares integrals of functions with several components (`n.value` of gintegrate()) with those of package cubature
# (`fDim` of hcubature(), `nComp` of cuhre()): evaluations and accuracy of all components, to the same tolerance.
#
#     Rscript bench/components.R > bench/components.md
#
# Every package may evaluate a function MAX_EVAL times; an evaluation computes all components.  cuhre() and hcubature()
# with the norm L-infinity stop when the largest error of a component is small relative to the largest component,
# gintegrate() when the error of each component is small relative to that component.  Packages are taken from R's
# libraries, or from the library STABLECL_PEERS if that is set.  Nothing is timed.

suppressPackageStartupMessages(library(stablecl))
stable_backend("cpu")
peers <- Sys.getenv("STABLECL_PEERS")
if (nzchar(peers)) .libPaths(c(peers, .libPaths()))

MAX_EVAL <- 1e6
TOLERANCES <- c(1e-4, 1e-8)

# The integral of exp(-x y) over the unit square is that of (1 - exp(-t))/t from 0 to 1, Ein(1).
#
# f: a function of a point; each: of a matrix with a column for each point, which returns a row for each component.
integrals <- list(
  list("three moments of exp(-x), (0, 8)", 1,
       f = function(x) exp(-x) * c(1, x, x^2),
       each = function(x) rbind(exp(-x), x * exp(-x), x^2 * exp(-x)),
       true = gamma(1:3) * pgamma(8, 1:3), upper = 8),
  list("1, cos(10 x), |x - 0.3|", 1,
       f = function(x) c(1, cos(10 * x), abs(x - 0.3)),
       each = function(x) rbind(1 + 0 * x, cos(10 * x), abs(x - 0.3)),
       true = c(1, sin(10) / 10, (0.3^2 + 0.7^2) / 2), upper = 1),
  list("1, x and y times exp(-x y)", 2,
       f = function(x) exp(-x[1] * x[2]) * c(1, x[1], x[2]),
       each = function(x) rbind(1, x[1, ], x[2, ]) * rep(exp(-x[1, ] * x[2, ]), each = 3),
       true = c(0.79659959929705313428, exp(-1), exp(-1)), upper = 1),
  list("mass and moments of a bell", 3,
       f = function(x) exp(-50 * sum((x - 0.5)^2)) * c(1, x[1], x[2] * x[3]),
       each = function(x) rbind(1, x[1, ], x[2, ] * x[3, ]) * rep(exp(-50 * colSums((x - 0.5)^2)), each = 3),
       true = (sqrt(pi / 50) * (2 * pnorm(5) - 1))^3 * c(1, 0.5, 0.25), upper = 1),
  list("five waves", 4,
       f = function(x) cos((1:5) * sum(x)),
       each = function(x) cos(outer(1:5, colSums(x))),
       true = Re(((exp(1i * 1:5) - 1) / (1i * 1:5))^4), upper = 1),
  list("kinks at different places", 3,
       f = function(x) c(abs(x[1] - 0.3), abs(x[2] - 0.6), abs(x[3] - 0.8)),
       each = function(x) abs(x - c(0.3, 0.6, 0.8)),
       true = (c(0.3, 0.6, 0.8)^2 + c(0.7, 0.4, 0.2)^2) / 2, upper = 1))

quiet <- function(code) suppressWarnings(suppressMessages(code))

by_gintegrate <- function(case, tol) {
  r <- quiet(gintegrate(case$f, rep(0, case[[2]]), case$upper, n.value = length(case$true), rel.tol = tol,
                        max.eval = MAX_EVAL))
  list(value = as.vector(r$value), evaluations = r$evaluations, claimed = all(r$status == "converged"))
}

by_hcubature <- function(case, tol) {
  r <- cubature::hcubature(function(x) case$each(if (case[[2]] == 1) x[1, ] else x), rep(0, case[[2]]),
                           rep(case$upper, case[[2]]), tol = tol, fDim = length(case$true), maxEval = MAX_EVAL,
                           absError = 0, vectorInterface = TRUE, norm = "LINF")
  list(value = r$integral, evaluations = r$functionEvaluations,
       claimed = max(r$error) <= tol * max(abs(r$integral)))
}

by_cuhre <- function(case, tol) {
  if (case[[2]] == 1) return(NULL)
  r <- cubature::cuhre(case$each, length(case$true), rep(0, case[[2]]), rep(case$upper, case[[2]]), relTol = tol,
                       absTol = 0, maxEval = MAX_EVAL, nVec = 1024L)
  list(value = r$integral, evaluations = r$neval, claimed = r$returnCode == 0)
}

cell <- function(case, tol, run) {
  r <- run(case, tol)
  if (is.null(r)) return("does not exist in one dimension")
  sprintf("%.0f, %.0e%s", r$evaluations, max(abs(r$value / case$true - 1)), if (r$claimed) "" else " (flagged)")
}

rows <- unlist(lapply(integrals, function(case) vapply(TOLERANCES, function(tol)
  sprintf("| %s | %d | %d | %g | %s | %s | %s |", gsub("|", "\\|", case[[1]], fixed = TRUE), case[[2]],
          length(case$true), tol, cell(case, tol, by_gintegrate), cell(case, tol, by_hcubature),
          cell(case, tol, by_cuhre)), "")))
cat(sep = "\n",
  "# Functions with several components", "", "Made by `Rscript bench/components.R > bench/components.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s, cubature %s", R.version.string, packageVersion("stablecl"), packageVersion("cubature")),
  "",
  strwrap(sprintf(paste(
    "Evaluations, each of all components, at most %g, and the largest relative error of a component.  gintegrate()",
    "meets the tolerance for each component, hcubature() and cuhre() by a norm of all."), MAX_EVAL), 115), "",
  "| function | axes | components | tolerance | gintegrate() | hcubature() | cuhre() |",
  "|---|---|---|---|---|---|---|", rows)
