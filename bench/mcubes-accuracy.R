# Repeats the accuracy study of m-Cubes (Sakiotis et al. 2022, section 5.1) for gintegrate(): RUNS runs with different
# seeds at each tolerance tau, comparing the true relative errors with tau.
#
#     Rscript bench/mcubes-accuracy.R > bench/mcubes-accuracy.md
#
# Draws bench/mcubes-accuracy.png: a box plot for each tau, with tau as a point.  As in the paper, tau is 1e-3 divided
# by powers of 5, as far as a CPU gets within some minutes; for "vegas" tau is also 5e-3.

suppressPackageStartupMessages(library(stablecl))

RUNS <- as.integer(Sys.getenv("STABLECL_RUNS", "100"))
TAU  <- list(vegas = 1e-3 / 5^(-1:0), lattice = 1e-3 / 5^(0:1))
MAX_EVAL <- 1e9

source("bench/mcubes-suite.R")
CASES <- mcubes_figures()

# Returns the true relative errors, and the errors in units of the claimed standard error.
runs <- function(case, method, tau) {
  f <- gtranslate(case$f, dim = case$dim)
  found <- vapply(seq_len(RUNS), function(seed) {
    r <- gintegrate(f, case$lower, case$upper, method = method, rel.tol = tau, max.eval = MAX_EVAL,
                    control = list(seed = seed))
    stopifnot(r$status == "converged")
    c((r$value - case$value) / case$value, (r$value - case$value) / r$abs.error, r$evaluations)
  }, numeric(3))
  message(case$name, " ", method, " ", tau)
  list(case = case$name, method = method, tau = tau, error = abs(found[1, ]), sigmas = found[2, ],
       evaluations = stats::median(found[3, ]))
}

all <- unlist(lapply(names(TAU), function(method) unlist(lapply(CASES, function(case) {
  lapply(TAU[[method]], function(tau) runs(case, method, tau))
}), recursive = FALSE)), recursive = FALSE)

draw <- function(method) for (case in CASES) {
  these <- Filter(function(r) r$case == case$name && r$method == method, all)
  errors <- lapply(these, function(r) pmax(r$error, 1e-12))
  tau <- vapply(these, `[[`, 0, "tau")
  boxplot(errors, log = "y", names = sprintf("%.1f", -log10(tau)), main = paste(case$name, method), cex = 0.4,
          ylim = range(unlist(errors), tau), xlab = "digits asked for", ylab = "true relative error", las = 1)
  points(seq_along(tau), tau, pch = 19, col = "orange")
}

png("bench/mcubes-accuracy.png", 1400, 620, pointsize = 15)
par(mfrow = c(2, length(CASES)), mar = c(4, 4.2, 2, 0.5), mgp = c(3, 0.6, 0), cex.axis = 0.8)
for (method in names(TAU)) draw(method)
invisible(dev.off())

row <- function(r) {
  share <- function(what) sprintf("%.0f%%", 100 * mean(what))
  sprintf("| %s | %s | %g | %.1e | %.1e | %s | %s | %s | %.1f | %.2f |", r$case, r$method, r$tau, r$evaluations,
          stats::median(r$error), share(r$error <= r$tau), share(abs(r$sigmas) <= 1), share(abs(r$sigmas) <= 2),
          max(abs(r$sigmas)), stats::sd(r$sigmas))
}

cat(sep = "\n",
  "# True against requested errors", "", "Made by `Rscript bench/mcubes-accuracy.R > bench/mcubes-accuracy.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s; %d runs a row", R.version.string, packageVersion("stablecl"), RUNS), "",
  "A normal law has 68% within one standard error, 95% within two, and the standard deviation 1.", "",
  "![Boxes of true relative errors](mcubes-accuracy.png)", "",
  paste("| integral | method | tau | evaluations, median | true error, median | within tau | within 1 | within 2 |",
        "largest, in standard errors | standard deviation |"),
  "|---|---|---|---|---|---|---|---|---|---|", vapply(all, row, ""))
