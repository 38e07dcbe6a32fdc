# bench/estimators.R: compares the estimators of stablefit(), libstable4u and fBasics on the same samples of 1000: bias
# and root mean square error relative to the Cramer-Rao bound, coverage of the intervals, and time.
#   Rscript bench/estimators.R > bench/estimators.md
#   Rscript bench/estimators.R METHOD ...       computes these methods only, and prints nothing
# Results are stored in build/estimators and reused by later runs.  Slow methods have few replicates: see `ours` and
# `theirs`.  bench/efficiency.R studies maximum likelihood with many more.
library(stablecl)
source("bench/page.R")                                   # made_by()
source("bench/cramer-rao.R")
stable_threads(1)
n <- 1000
kept <- "build/estimators"
dir.create(kept, FALSE, TRUE)

# Replicates per cell, limited by time; stableFit(type = "mle") of fBasics is omitted: it did not finish in 51 s.
ours <- c(mle = 200, ecf = 200, logmoment = 200, quantile = 200, mle2d = 200, grid = 20)
theirs <- c(lib.init = 200, lib.koutrouvelis = 40, lib.mle2d = 10, lib.mle = 1, fB.q = 200)
if (!requireNamespace("libstable4u", quietly = TRUE)) theirs <- theirs[!startsWith(names(theirs), "lib.")]
if (!requireNamespace("fBasics", quietly = TRUE)) theirs <- theirs[!startsWith(names(theirs), "fB.")]
many <- c(ours, theirs)
slow_below <- 0.8                                   # alpha below which lib.koutrouvelis takes seconds
one_shape <- "lib.mle"                              # takes seconds for a fit: only at (1.5, 0.5)

cells <- subset(expand.grid(beta = c(0, 0.5, 1), alpha = c(0.6, 0.8, 1, 1.2, 1.5, 1.8, 2)), alpha < 2 | beta == 0)

replicates <- function(method, cell) {
  if (method == "logmoment" && cell$beta != 0) return(0)
  if (method %in% one_shape && !(cell$alpha == 1.5 && cell$beta == 0.5)) return(0)
  if (method == "lib.koutrouvelis" && cell$alpha < slow_below) 2 else many[[method]]
}

# ---- one fit: estimates, and whether the 95% intervals contain the true values ---------

fit_ours <- function(x, method, truth) {
  fit <- suppressWarnings(stablefit(x, method))
  ci <- suppressWarnings(confint(fit))
  c(fit$theta, ci[, 1] <= truth & truth <= ci[, 2])
}
fit_lib <- function(x, method) {
  start <- libstable4u::stable_fit_init(x)
  if (method == "lib.init") return(start)
  fit <- getExportedValue("libstable4u", sub("lib.", "stable_fit_", method, fixed = TRUE))
  utils::capture.output(est <- fit(x, start))
  est
}
fit_fBasics <- function(x, method) {
  fit <- suppressWarnings(fBasics::stableFit(x, type = sub("fB.", "", method, fixed = TRUE), doplot = FALSE))
  fit@fit$estimate[c("alpha", "beta", "gamma", "delta")]
}
one_fit <- function(x, method, truth) {
  if (method %in% names(ours)) return(unname(fit_ours(x, method, truth)))
  est <- try(if (startsWith(method, "lib.")) fit_lib(x, method) else fit_fBasics(x, method), silent = TRUE)
  est <- if (is.numeric(est)) as.numeric(est) else rep(NA, 4)
  c(est, rep(NA, 4))
}

# ---- one cell ---------------------------------------------------------------------------

samples_of <- function(i, count) {
  set.seed(i)
  matrix(rstable(n * max(many), cells$alpha[i], cells$beta[i]), n)[, seq_len(count), drop = FALSE]
}

run_cell <- function(i, method) {
  count <- replicates(method, cells[i, ])
  if (count == 0) return(NULL)
  truth <- c(cells$alpha[i], cells$beta[i], 1, 0)
  x <- samples_of(i, count)
  if (method %in% names(ours)) one_fit(x[, 1], method, truth)      # reads tables and compiles code before timing
  time <- system.time(fits <- apply(x, 2, one_fit, method, truth))
  list(error = t(fits[1:4, , drop = FALSE]) - rep(truth, each = count), covered = t(fits[5:8, , drop = FALSE]),
       seconds = sum(time[1:2]) / count)
}

result_of <- function(i, method) {
  file <- file.path(kept, sprintf("%s-%g-%g.rds", method, cells$alpha[i], cells$beta[i]))
  if (!file.exists(file)) {
    saveRDS(run_cell(i, method), file)
    message(method, " (", cells$alpha[i], ", ", cells$beta[i], "): ", round(sum(proc.time()[1:2])), " s")
  }
  readRDS(file)
}

wanted <- commandArgs(TRUE)
if (length(wanted)) {
  for (i in seq_len(nrow(cells))) for (method in wanted) result_of(i, method)
  quit()
}

# ---- the page ------------------------------------------------------------------------------

results <- lapply(seq_len(nrow(cells)), function(i) sapply(names(many), result_of, i = i, simplify = FALSE))
bounds <- t(mapply(bound, cells$alpha, cells$beta, n))
number <- function(v, digits = 2) ifelse(is.na(v), "", formatC(v, digits = digits, format = "g"))
print_row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
table_of <- function(title, what, first = NULL, digits = 2, methods = names(many)) {
  cat("\n## ", title, "\n\n", sep = "")
  head <- c("alpha", "beta", if (!is.null(first)) "bound", methods)
  print_row(head)
  cat(strrep("|---", length(head)), "|\n", sep = "")
  for (i in seq_len(nrow(cells))) {
    row <- vapply(results[[i]][methods], function(r) if (is.null(r)) NA_real_ else what(r), 0)
    print_row(cells$alpha[i], cells$beta[i], number(c(first[i], row), digits))
  }
}
mean_of <- function(v) if (all(is.na(v))) NA_real_ else mean(v, na.rm = TRUE)
failures <- vapply(names(theirs), function(m) sum(vapply(results, function(r) sum(is.na(r[[m]]$error[, 1])), 0)), 0)

cat("# Estimators\n\n", made_by("bench/estimators.R"), ", ", format(Sys.Date()), ", one thread, stablecl ",
    format(packageVersion("stablecl")), sep = "")
for (peer in c("libstable4u", "fBasics")) if (requireNamespace(peer, quietly = TRUE))
  cat(",", peer, format(packageVersion(peer)))
cat(".\n\nSamples of", n, "from S0(alpha, beta, 1, 0), the same for all methods.  Replicates of each shape:",
    paste(names(many), many, collapse = ", "))
if ("lib.koutrouvelis" %in% names(many)) cat(" (lib.koutrouvelis 2 below alpha = 0.8, where a fit takes seconds)")
cat(".\nThe methods of libstable4u (lib.) begin at its own stable_fit_init(), and lib.mle is run at one shape; fB.q is",
    "fBasics' stableFit(type = \"q\"), whose type \"mle\" had not ended a fit after 51 s of CPU time.\n")
cat("Monte Carlo standard errors: of a root mean square error from R replicates 1/sqrt(2 R) of it (5% for 200, 16% for",
    "20, 22% for 10), of a bias the error over sqrt(R).\n")
cat("Bound: Cramer and Rao's, with parameters at their bounds known.\n")
if (any(failures > 0))
  cat("Without an estimate, and left out:", paste(names(failures), failures, sep = " ")[failures > 0], "\n", sep = " ")
for (k in 1:4) {
  p <- c("alpha", "beta", "gamma", "delta")[k]
  table_of(paste("Root mean square error of", p), function(r) sqrt(mean_of(r$error[, k]^2)), bounds[, k])
  table_of(paste("Bias of", p), function(r) mean_of(r$error[, k]))
}
table_of("Coverage of 95% intervals, mean of the parameters that have one",
         function(r) mean(apply(r$covered, 2, mean_of), na.rm = TRUE), methods = names(ours))
table_of("CPU milliseconds of a fit (those of stablecl with standard errors and intervals)",
         function(r) 1e3 * r$seconds, digits = 3)
cat("\nTaken while other programs ran, which makes CPU time longer, too: bench/fit.md has times taken alone.\n")
