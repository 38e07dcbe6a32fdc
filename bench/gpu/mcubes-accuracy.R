# Repeats figure 1 of m-Cubes (Sakiotis et al. 2022, section 5.1) on a device: true relative errors of RUNS runs with
# different seeds at each tolerance tau, which is 1e-3 at first and divided by 5 until a run fails or it is below 1e-9.
#
#     Rscript bench/gpu/mcubes-accuracy.R [DEVICE [RUNS [SECONDS [METHODS]]]] > bench/gpu/mcubes-accuracy.md
#
# DEVICE as for stable_backend(), default "opencl"; RUNS, default 100; SECONDS for all runs, default 150, in equal
# shares for the integrals and METHODS, default "vegas,lattice".  A tolerance that is not finished in that time is
# listed with the number of its runs.  A run fails if it does not reach tau with MAX_EVAL evaluations.  Draws
# bench/gpu/mcubes-accuracy.png: a box for each tau, with tau as a point, as in the paper.

suppressPackageStartupMessages(library(stablecl))
source("bench/mcubes-suite.R")
source("bench/page.R")                                   # made_by()

MAX_EVAL <- 1e11
TAU      <- 1e-3 / 5^(0:8)              # the last one is 2.6e-9

arguments <- commandArgs(trailingOnly = TRUE)
argument  <- function(k, default) if (length(arguments) < k) default else arguments[k]
device    <- argument(1, "opencl")
RUNS      <- as.integer(argument(2, "100"))
SECONDS   <- as.numeric(argument(3, "150"))
METHODS   <- strsplit(argument(4, "vegas,lattice"), ",")[[1]]
CASES     <- mcubes_figures()
SHARE     <- SECONDS / length(CASES) / length(METHODS)

stable_backend(device)
now <- function() as.numeric(Sys.time())

# Returns a result, or NULL if it takes longer than `seconds`.
run <- function(case, f, method, tau, seed, seconds) {
  if (seconds <= 0) return(NULL)
  setTimeLimit(elapsed = seconds)
  on.exit(setTimeLimit())
  tryCatch(suppressWarnings(gintegrate(f, case$lower, case$upper, method = method, rel.tol = tau, max.eval = MAX_EVAL,
                                       control = list(seed = seed))),
           error = function(e) if (grepl("time limit", conditionMessage(e))) NULL else stop(e))
}

# Runs one tolerance until `end`, in seconds.  Returns the relative errors, the errors in units of the claimed ones, the
# median of evaluations and seconds, and the outcome: "complete", "out of time", or the status of a run that failed.
level <- function(case, f, method, tau, end) {
  found <- matrix(double(), 4L, 0L)
  for (seed in seq_len(RUNS)) {
    began <- now()
    r <- run(case, f, method, tau, seed, end - began)
    seconds <- now() - began
    outcome <- if (is.null(r)) "out of time" else if (r$status != "converged") as.character(r$status) else "complete"
    if (outcome != "complete") break
    miss <- r$value - case$value
    found <- cbind(found, c(abs(miss / case$value), miss / r$abs.error, r$evaluations, seconds))
  }
  list(case = case$name, method = method, tau = tau, outcome = outcome, error = found[1L, ], sigmas = found[2L, ],
       evaluations = stats::median(found[3L, ]), seconds = stats::median(found[4L, ]))
}

# Returns the levels of an integral, of which only the last may be incomplete.
levels_of <- function(case, method) {
  f <- gtranslate(case$f, dim = case$dim)
  first <- run(case, f, method, TAU[1L], 1, Inf)              # builds the kernels
  stopifnot(abs(first$value - case$value) <= 6 * first$abs.error)
  end <- now() + SHARE
  done <- list()
  for (tau in TAU) {
    one <- level(case, f, method, tau, end)
    done <- c(done, list(one))
    message(sprintf("%s %s %.1e: %d runs, %s", case$name, method, tau, length(one$error), one$outcome))
    if (one$outcome != "complete") break
  }
  done
}

all <- unlist(lapply(METHODS, function(method) unlist(lapply(CASES, levels_of, method), recursive = FALSE)),
              recursive = FALSE)

draw <- function(case, method) {
  these <- Filter(function(r) r$case == case$name && r$method == method && length(r$error), all)
  if (!length(these)) return(plot.new())
  errors <- lapply(these, function(r) pmax(r$error, 1e-16))
  tau <- vapply(these, `[[`, 0, "tau")
  boxplot(errors, log = "y", names = sprintf("%.1f", -log10(tau)), main = paste(case$name, method), cex = 0.4,
          ylim = range(unlist(errors), tau), xlab = "digits asked for", ylab = "true relative error", las = 1)
  points(seq_along(tau), tau, pch = 19, col = "orange")
}

png("bench/gpu/mcubes-accuracy.png", 1400, 310 * length(METHODS), pointsize = 15)
par(mfrow = c(length(METHODS), length(CASES)), mar = c(4, 4.2, 2, 0.5), mgp = c(3, 0.6, 0), cex.axis = 0.8)
for (method in METHODS) for (case in CASES) draw(case, method)
invisible(dev.off())

row <- function(r) {
  if (!length(r$error))
    return(sprintf("| %s | %s | %.2e | 0 | %s | | | | | | | | |", r$case, r$method, r$tau, r$outcome))
  share <- function(what) sprintf("%.0f%%", 100 * mean(what))
  sprintf("| %s | %s | %.2e | %d | %s | %.1e | %.4f | %.1e | %s | %s | %s | %.1f | %.2f |", r$case, r$method, r$tau,
          length(r$error), r$outcome, r$evaluations, r$seconds, stats::median(r$error), share(r$error <= r$tau),
          share(abs(r$sigmas) <= 1), share(abs(r$sigmas) <= 2), max(abs(r$sigmas)), stats::sd(r$sigmas))
}

devices <- stable_backend()$devices
cat(sep = "\n",
  "# True against requested errors on a device", "",
  paste0(made_by("bench/gpu/mcubes-accuracy.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* Device: %s", paste(devices$device, collapse = ", ")),
  sprintf("* %s, stablecl %s; %d runs a row, %g seconds for all", R.version.string, packageVersion("stablecl"), RUNS,
          SECONDS), "",
  "A normal distribution has 68% within one standard error, 95% within two, and the standard deviation 1.  The last",
  "row of an integral gives the reason why smaller tolerances are missing: the time, or the status of a run.",
  "", "![Boxes of true relative errors](mcubes-accuracy.png)", "",
  paste("| integral | method | tau | runs | outcome | evaluations, median | seconds, median | true error, median |",
        "within tau | within 1 | within 2 | largest, in standard errors | standard deviation |"),
  "|---|---|---|---|---|---|---|---|---|---|---|---|---|", vapply(all, row, ""))
