# Measures fits of windows over a series, and fits of many samples by each method in C.
#
#     Rscript bench/gpu/windows.R [WINDOWS] [WIDTH] > bench/gpu/windows.md             (from the checkout)
#
# WINDOWS: number of windows, default 1e5; WIDTH: values of a window, default 250.  Times are elapsed seconds of R calls
# on all cores of the host, under stable_backend("cpu") and "auto", medians of REPEATS calls after a first one,
# or one call after it that takes longer than LONG.  The
# fits of the last CHECKED windows are first compared with fits of the same values alone.

library(stablecl)
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()

REPEATS <- 3
LONG    <- 2                                             # seconds
CHECKED <- 500
words <- as.numeric(commandArgs(trailingOnly = TRUE))
windows <- c(words, 1e5)[1]
width <- c(words[-1], 250)[1]
cores <- host_cores()
stable_threads(cores)
methods <- c("mle", "quantile", "ecf", "logmoment")

source("bench/timing.R")                                 # now(), seconds(), median_seconds()
after_first <- function(f) {
  if (seconds(f) > LONG) seconds(f) else median_seconds(f)
}
on <- function(backend, code) {
  local_stable_backend(backend)
  code
}
quietly <- function(code) suppressWarnings(code)

# Returns series with `n` values: ordinary laws, and one whose law and level jump.
series <- function(n) {
  set.seed(40)
  half <- n %/% 2
  list("alpha 1.4" = rstable(n, 1.4, 0.2), "alpha 1.7" = rstable(n, 1.7, -0.3), "alpha 1.95" = rstable(n, 1.95, 0),
       jump = c(rstable(half, 1.7, 0), rstable(n - half, 1.2, -0.5, 3, 10)))
}

# Returns the largest gap between the fits of windows and those of the same values as separate samples, in standard
# errors.
gap <- function(x) {
  x <- tail(x, CHECKED + width - 1)
  there <- quietly(stablefit(x, width = width))
  alone <- quietly(stablefit(lapply(seq_along(there$error), function(i) x[i - 1 + seq_len(width)])))
  sd <- as.matrix(as.data.frame(alone)[paste0("se.", c("alpha", "beta", "gamma", "delta"))])
  max(abs(coef(there) - coef(alone)) / sd, na.rm = TRUE)
}

of_windows <- function(x, name) {
  fit <- function() quietly(stablefit(x, width = width))
  data.frame(series = name, gap = gap(x), cpu = on("cpu", after_first(fit)), auto = on("auto", after_first(fit)))
}

draw_sets <- function(count) {
  set.seed(41)
  lapply(seq_len(count), function(i) rstable(1000, runif(1, 0.5, 1.95), runif(1, -0.9, 0.9)))
}

# Returns the gap between one thread and all, relative, and the seconds of each.
of_samples <- function(sets, method) {
  fit <- function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    on("cpu", quietly(stablefit(sets, method)))
  }
  data.frame(method = method, gap = max(abs(coef(fit(1)) / coef(fit(cores)) - 1), na.rm = TRUE),
             one = after_first(function() fit(1)), all = after_first(function() fit(cores)))
}

stable_backend("auto")
used <- stable_devices()
cat("# Windows over a series, and many samples\n\n", made_by("bench/gpu/windows.R"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s\n", if (NROW(used)) paste(unique(used$device), collapse = ", ") else "none"),
    sprintf("* Host threads: %d, one for each processor that R may use\n", cores), sep = "")
cat(sprintf("\n## %g windows of %g values\n\n", windows, width),
    "Seconds of `stablefit(x, width = )`. Gap: the largest difference to fits of the same values alone, in standard ",
    sprintf("errors,\nfor %d windows.\n\n", CHECKED), "| series | gap | processor | auto |\n|---|---|---|---|\n",
    sep = "")
all <- series(windows + width - 1)
for (name in names(all)) {
  r <- of_windows(all[[name]], name)
  cat(sprintf("| %s | %.1e | %.2f | %.2f |\n", r$series, r$gap, r$cpu, r$auto))
}
cat("\n## Many samples\n\n", sprintf("Seconds of `stablefit()` of %g samples of 1000 by the processor. ",
                                    min(1000, windows)),
    "Gap: relative, between one thread and all.\n\n",
    sprintf("| method | gap | 1 thread | %d threads | ratio to mle |\n|---|---|---|---|---|\n", cores), sep = "")
sets <- draw_sets(min(1000, windows))
by_mle <- NULL
for (method in methods) {
  r <- of_samples(sets, method)
  if (is.null(by_mle)) by_mle <- r$all
  cat(sprintf("| %s | %.1e | %.2f | %.2f | %.2f |\n", r$method, r$gap, r$one, r$all, r$all / by_mle))
}
