# bench/estimators.R: how good the estimators of stablefit() are, and those of libstable4u: bias and root mean square
# error of samples of 1000 against the Cramer-Rao bound, coverage of the intervals, time.  Prints bench/estimators.md.
library(stablecl)
stable_threads(1)
n <- 1000

# Replicates: fewer for what is slow.
ours <- c(mle = 60, ecf = 60, logmoment = 60, quantile = 30, mle2d = 30, grid = 3)
theirs <- c(stable_fit_init = 60, stable_fit_koutrouvelis = 60, stable_fit_mle2d = 3, stable_fit_mle = 1)
if (!requireNamespace("libstable4u", quietly = TRUE)) theirs <- theirs[0]

cells <- subset(expand.grid(beta = c(0, 0.5, 1), alpha = c(0.6, 1, 1.2, 1.5, 1.8, 2)), alpha < 2 | beta == 0)
replicates <- function(method, alpha) {
  many <- c(ours, theirs)[[method]]
  if (method == "stable_fit_koutrouvelis" && alpha < 0.8) many / 60 else many
}
# Four seconds and more a fit: in one cell only.
is_asked <- function(method, cell)
  (method != "logmoment" || cell$beta == 0) &&
  (method != "stable_fit_mle" || (cell$beta == 0.5 && cell$alpha == 1.5))

# Estimates, whether the 95% intervals hold the truth, and CPU seconds.
fit_ours <- function(x, method, truth) {
  fit <- suppressWarnings(stablefit(x, method))
  ci <- suppressWarnings(confint(fit))
  list(est = unname(fit$theta), covered = ci[, 1] <= truth & truth <= ci[, 2])
}
fit_theirs <- function(x, method) {
  start <- libstable4u::stable_fit_init(x)
  f <- getExportedValue("libstable4u", method)
  utils::capture.output(est <- if (method == "stable_fit_init") start else f(x, start))
  list(est = as.numeric(est), covered = rep(NA, 4))
}
run <- function(cell, method) {
  truth <- c(cell$alpha, cell$beta, 1, 0)
  many <- replicates(method, cell$alpha)
  samples <- lapply(seq_len(many), function(seed) { set.seed(seed); rstable(n, cell$alpha, cell$beta) })
  one <- function(x) if (method %in% names(ours)) fit_ours(x, method, truth) else fit_theirs(x, method)
  if (method %in% names(ours)) one(samples[[1]])      # tables are read, code is compiled
  time <- system.time(fits <- lapply(samples, one))
  est <- vapply(fits, `[[`, numeric(4), "est") - truth
  covered <- vapply(fits, `[[`, logical(4), "covered")
  list(bias = rowMeans(est), rmse = sqrt(rowMeans(est^2)), covered = rowMeans(covered, na.rm = TRUE),
       seconds = sum(time[1:2]) / many)
}

# Fisher's information of one observation, by the trapezoidal rule in w, x = sinh(w).
information <- function(alpha, beta) {
  w <- seq(-30, 30, by = 0.01) / min(1, alpha)
  q <- suppressWarnings(stable_quick(sinh(w), alpha, beta))
  f <- exp(q[, 1]) * cosh(w) * diff(w[1:2])
  s <- q[, -1]
  s[!is.finite(s) | f == 0] <- 0
  crossprod(s * sqrt(f))
}
stopifnot(abs(diag(information(1, 0))[3:4] - 0.5) < 1e-6)          # Cauchy

# The bound on standard deviations, where parameters at their bounds count as known.
bound <- function(alpha, beta) {
  moves <- c(alpha < 2, alpha < 2 && abs(beta) < 1, TRUE, TRUE)
  I <- if (alpha == 2) diag(c(0, 0, 2, 0.5)) else information(alpha, beta)
  replace(rep(NA, 4), moves, sqrt(diag(solve(n * I[moves, moves]))))
}

methods <- c(names(ours), names(theirs))
results <- lapply(seq_len(nrow(cells)), function(i) {
  cell <- cells[i, ]
  out <- lapply(methods, function(m) if (is_asked(m, cell)) run(cell, m))
  message("alpha ", cell$alpha, ", beta ", cell$beta, ": ", round(sum(proc.time()[1:2])), " s")
  stats::setNames(out, methods)
})
bounds <- t(mapply(bound, cells$alpha, cells$beta))

short <- sub("stable_fit_", "lib. ", methods)
number <- function(v, digits = 2) ifelse(is.na(v), "", formatC(v, digits = digits, format = "g"))
table_of <- function(title, what, first = NULL, name = NULL, digits = 2) {
  cat("\n## ", title, "\n\n| alpha | beta | ", if (!is.null(name)) paste(name, "| "), paste(short, collapse = " | "),
      " |\n|", strrep("---|", 2 + length(name) + length(methods)), "\n", sep = "")
  for (i in seq_len(nrow(cells))) {
    row <- vapply(results[[i]], function(r) if (is.null(r)) NA_real_ else what(r), 0)
    row <- c(if (!is.null(first)) first[i], row)
    cat("|", paste(c(cells$alpha[i], cells$beta[i], number(row, digits)), collapse = " | "), "|\n")
  }
}

cat("# Estimators\n\nPrinted by `Rscript bench/estimators.R`, ", format(Sys.Date()), ", one thread, stablecl ",
    format(packageVersion("stablecl")), sep = "")
if (length(theirs)) cat(" and libstable4u", format(packageVersion("libstable4u")))
cat(".\n\nSamples of", n, "from S0(alpha, beta, 1, 0), the same for all methods; replicates:",
    paste(short, c(ours, theirs), collapse = ", "), "(lib. koutrouvelis one below alpha = 0.8, where it is slow).",
    "\nThe methods of libstable4u begin at its own stable_fit_init().",
    "\nBound: Cramer and Rao's, with parameters at their bounds known.\n")
for (k in 1:4) {
  p <- c("alpha", "beta", "gamma", "delta")[k]
  table_of(paste("Root mean square error of", p), function(r) r$rmse[k], bounds[, k], "bound")
  table_of(paste("Bias of", p), function(r) r$bias[k])
}
cat("\n## Maximum likelihood: root mean square error in units of the bound\n\n",
    "| alpha | beta | alpha | beta | gamma | delta |\n|---|---|---|---|---|---|\n", sep = "")
for (i in seq_len(nrow(cells)))
  cat("|", paste(c(cells$alpha[i], cells$beta[i], number(results[[i]]$mle$rmse / bounds[i, ], 3)), collapse = " | "),
      "|\n")
table_of("Coverage of 95% intervals, mean of the parameters that have one", function(r) mean(r$covered, na.rm = TRUE))
table_of("CPU milliseconds of a fit (those of stablecl with standard errors)", function(r) 1e3 * r$seconds, digits = 3)
used <- proc.time()
cat(sprintf("\nAll of this took %.0f s of CPU time.\n", sum(used[c(1, 2)])))
