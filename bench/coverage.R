# bench/coverage.R: measures how often 95% confidence intervals by method = "auto" and "wald" contain the true value,
# for parameters, quantiles, expected shortfalls and probabilities, slopes of regressions, coefficients of regressions
# of all parameters, and parameters of censored, truncated and binned samples.  Writes bench/coverage.md.
#   Rscript bench/coverage.R [--replicates=400] [--further=100] [--cores=N] [--limit=480] [--results=FILE]
#                            [--kinds=all] [--most=Inf] [--span=100] [--out=bench/coverage.md]
# replicates: of each kind; further: of regressions of all parameters and of censored, truncated and binned samples.
# kinds: "all", "samples" without these further ones, or "cases": those of the first table and further ones.  The page
# bench/coverage.md is by --kinds=samples, bench/coverage-cases.md by --kinds=cases.
# most: seconds after which a replicate ends with an error; the page states how many did.
# span: seconds of a round, after which the work is distributed again.
# Each replicate has a seed of its own, so that its result does not depend on the number of processes.  Replicates start
# until `limit` seconds have passed; the page states how many have finished.  FILE (.rds) keeps all replicates, so that
# several runs can share the work: those that it holds are not computed again, and it is written after each round.
library(stablecl)

source("bench/samples.R")                                # option(), each_sample()
replicates <- option("replicates", 400)
further <- option("further", 100)
cores <- option("cores", as.numeric(parallel::detectCores()))
limit <- option("limit", 480)
most <- option("most", Inf)
page <- option("out", "bench/coverage.md")
kinds <- option("kinds", "all")
file <- option("results", tempfile(fileext = ".rds"))
span <- option("span", 100)
level <- 0.95
p <- 0.01                                    # probability of the quantile, the shortfall and the point of predictions

# ---- cells -----------------------------------------------------------------------------

laws <- data.frame(alpha = c(2, 1.9, 1.9, 1.7, 1.5, 1.5, 1.2, 1, 1, 0.7, 0.7, 0.4),
                   beta = c(0, 0, 0.9, -0.5, 0, 1, 0.5, 0, -0.5, 0, 0.8, 0))
samples <- merge(data.frame(n = c(50, 200, 1000)), laws)
regressions <- data.frame(n = c(100, 30, 50), alpha = c(0.7, 1.6, 1.5), beta = 0, x = c("uniform", "uniform", "Cauchy"))
further_cells <- rbind(data.frame(n = c(200, 600), alpha = NA, beta = NA, x = "all parameters"),
                       merge(merge(data.frame(n = c(100, 500)), data.frame(alpha = c(1.2, 1.7), beta = c(0.5, -0.5))),
                             data.frame(x = c("censored", "truncated", "binned"))))
cells <- rbind(cbind(samples, x = ""), regressions, further_cells)
is_further <- cells$x %in% further_cells$x

# ---- one replicate ---------------------------------------------------------------------

contains <- function(ci, truth) as.numeric(ci[, 1] <= truth & truth <= ci[, 2])

# Returns whether intervals by both methods contain the true value.  In samples with fewer than 500 observations the
# automatic interval contains the profile interval, which takes less time: only if this one does not contain the true
# value, the automatic one is computed.  f: a function of a method that returns one interval.
both <- function(f, truth, name, n) {
  inside <- function(ci) contains(ci[, ncol(ci) - 1:0, drop = FALSE], truth)
  interval <- function(method) suppressWarnings(f(method))
  auto <- if (n < 500 && isTRUE(inside(interval("profile")) == 1)) NULL else interval("auto")
  data.frame(what = name, auto = if (is.null(auto)) 1 else inside(auto), wald = inside(interval("wald")),
             profiled = as.numeric(is.null(auto) || attr(auto, "method") != "wald"))
}

sample_intervals <- function(cell) {
  fit <- suppressWarnings(stablefit(rstable(cell$n, cell$alpha, cell$beta)))
  parm <- c("alpha", if (cell$alpha < 2) "beta", "gamma", "delta")
  quantile <- qstable(p, cell$alpha, cell$beta)
  band <- function(...) function(method) predict(fit, ..., interval = "confidence", method = method)
  truth <- c(cell$alpha, cell$beta, 1, 0)[match(parm, parameters)]
  of_parameter <- function(name, value) both(function(method) confint(fit, name, method = method), value, name, cell$n)
  rbind(do.call(rbind, Map(of_parameter, parm, truth)),
        both(band(p), quantile, "quantile", cell$n),
        both(band(type = "probability", at = quantile), p, "probability", cell$n),
        if (cell$alpha > 1) both(band(p, type = "es"), stable_es(p, cell$alpha, cell$beta), "shortfall", cell$n))
}
parameters <- c("alpha", "beta", "gamma", "delta")
quantities <- c(parameters, "quantile", "shortfall", "probability")

# The regression of bench/regression.R.
coefficients <- c("(Intercept)" = 1, x = 2, "alpha_(Intercept)" = 1, alpha_w = 0.7, "beta_(Intercept)" = 0.3,
                  beta_u = 0.5, "scale_(Intercept)" = 0.2, scale_z = 0.5)
coefficient_intervals <- function(cell) {
  d <- data.frame(x = rnorm(cell$n), z = rnorm(cell$n), w = runif(cell$n, -1, 1), u = rnorm(cell$n))
  d$y <- with(d, rstable(cell$n, 2 * plogis(1 + 0.7 * w), tanh((0.3 + 0.5 * u) / 2), exp(0.2 + 0.5 * z), 1 + 2 * x))
  fit <- suppressWarnings(stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u))
  of_coefficient <- function(name, value)
    both(function(method) confint(fit, name, method = method), value, name, cell$n)
  do.call(rbind, Map(of_coefficient, names(coefficients), coefficients))
}

# Censored at the 70 % quantile from the right; truncated to (-2, 5); counts between the 5 %, ..., 95 % quantiles.
incomplete_sample <- function(cell) {
  draw <- function() rstable(cell$n, cell$alpha, cell$beta)
  x <- draw()
  if (cell$x == "censored") {
    end <- qstable(0.7, cell$alpha, cell$beta)
    return(list(data.frame(left = pmin(x, end), right = ifelse(x < end, x, Inf))))
  }
  if (cell$x == "binned") {
    breaks <- qstable((0:20) / 20, cell$alpha, cell$beta)
    return(list(structure(list(breaks = breaks, counts = tabulate(findInterval(x, breaks), 20L)), class = "histogram")))
  }
  inside <- function(x) x[x > -2 & x < 5]
  while (length(inside(x)) < cell$n) x <- c(x, draw())
  list(inside(x)[seq_len(cell$n)], truncation = c(-2, 5))
}

incomplete_intervals <- function(cell) {
  fit <- suppressWarnings(do.call(stablefit, incomplete_sample(cell)))
  of_parameter <- function(name, value) both(function(method) confint(fit, name, method = method), value, name, cell$n)
  do.call(rbind, Map(of_parameter, parameters, c(cell$alpha, cell$beta, 1, 0)))
}

slope_intervals <- function(cell) {
  x <- if (cell$x == "Cauchy") rcauchy(cell$n) else runif(cell$n)
  y <- 2 * x + rstable(cell$n, cell$alpha, cell$beta)
  fit <- suppressWarnings(stable_lm(y ~ x))
  both(function(method) confint(fit, "x", method = method), 2, "slope", cell$n)
}

one_replicate <- function(i, r) {
  set.seed(1e5 * i + r)
  cell <- cells[i, ]
  before <- sum(proc.time()[1:2])
  intervals <- if (!nzchar(cell$x)) sample_intervals else if (cell$x == "all parameters") coefficient_intervals else
    if (is_further[i]) incomplete_intervals else slope_intervals
  setTimeLimit(elapsed = most)
  on.exit(setTimeLimit())
  rows <- tryCatch(intervals(cell), error = function(e)
    data.frame(what = paste("Error:", conditionMessage(e)), auto = NA, wald = NA, profiled = NA))
  cbind(cell = i, replicate = r, rows, seconds = sum(proc.time()[1:2]) - before)
}

# ---- all replicates: those of the first table, further ones, then those of low number ------

stable_threads(1)
set.seed(1)
invisible(stablefit(rstable(100, 1.5, 0)))                        # loads the tables before processes are started
started <- proc.time()[["elapsed"]]
passed <- function() proc.time()[["elapsed"]] - started

cell_at <- function(alpha, beta, n, x = "")
  which(cells$alpha == alpha & cells$beta == beta & cells$n == n & cells$x == x)
places <- list(list(cell_at(1.9, 0, 200), "shortfall"), list(cell_at(1.9, 0, 200), "quantile"),
               list(cell_at(1.7, -0.5, 200), "quantile"), list(cell_at(0.7, 0, 100, "uniform"), "slope"),
               list(cell_at(1.6, 0, 30, "uniform"), "slope"), list(cell_at(1.5, 0, 50, "Cauchy"), "slope"))

all_units <- expand.grid(cell = seq_len(nrow(cells)), replicate = seq_len(replicates))
is_first <- seq_len(nrow(cells)) %in% vapply(places, `[[`, 0L, 1L)
is_measured <- switch(kinds, all = TRUE, samples = !is_further, cases = is_first | is_further) & !is.na(is_first)
all_units <- all_units[is_measured[all_units$cell] & (!is_further[all_units$cell] | all_units$replicate <= further), ]
key <- function(units) paste(units$cell, units$replicate)
results <- if (file.exists(file)) readRDS(file)
results <- results[is_measured[results$cell], ]

# Each process computes every cores-th of the units, which are shuffled for each replicate, because their times depend
# on the cell.
while (passed() < limit && nrow(units <- all_units[!key(all_units) %in% key(results), ])) {
  units <- units[order(!is_first[units$cell], !is_further[units$cell], units$replicate, sample(nrow(units))), ]
  until <- min(limit, passed() + span)
  run_unit <- function(u) if (passed() < until) one_replicate(units$cell[u], units$replicate[u])
  results <- rbind(results, do.call(rbind, each_sample(nrow(units), cores, run_unit, is_shared = TRUE)))
  saveRDS(results, paste0(file, ".new"))
  file.rename(paste0(file, ".new"), file)
}

# ---- the page --------------------------------------------------------------------------

summary_of <- function(i, what) {
  rows <- results[results$cell == i & results$what == what, ]
  if (!nrow(rows)) return(NULL)
  wald <- rows$wald
  wald[is.na(wald)] <- 0                                          # an interval that does not exist contains nothing
  auto <- rows$auto
  auto[is.na(auto)] <- 0
  data.frame(cell = i, what = what, count = nrow(rows), auto = mean(auto), wald = mean(wald),
             profiled = mean(rows$profiled))
}
all_of <- function(which, what)
  do.call(rbind, lapply(which, function(i) do.call(rbind, lapply(what, summary_of, i = i))))
table <- all_of(which(!is_further), c(quantities, "slope"))
further_table <- all_of(which(is_further), c(names(coefficients), parameters))

percent <- function(v) sprintf("%.1f", 100 * v)
row_of <- function(...) cat("|", paste(..., sep = " | "), "|\n")
known <- c("1 % shortfall, (1.9, 0), n = 200" = "66", "1 % quantile, (1.9, 0), n = 200" = "83",
           "1 % quantile, (1.7, -0.5), n = 200" = "90", "slope, alpha 0.7, n = 100" = "84",
           "slope, alpha 1.6, n = 30" = "84", "slope, alpha 1.5, n = 50, Cauchy x" = "88")

sink(page)
hours <- sum(results$seconds[!duplicated(key(results))]) / 3600
counts <- unique(range(table$count))
cat("# Coverage of confidence intervals\n\nWritten by `Rscript bench/coverage.R --replicates=", replicates,
    if (kinds != "samples") paste0(" --further=", further), if (kinds != "all") paste0(" --kinds=", kinds),
    if (is.finite(most)) paste0(" --most=", most), "`, ",
    format(Sys.Date()), ", in ", sprintf("%.2g", hours), " hours of processor time: ", paste(counts, collapse = " to "),
    " samples of each kind", if (NROW(further_table))
      paste0(", of those of the last table ", paste(unique(range(further_table$count)), collapse = " to ")),
    ".\n\n", sep = "")
is_error <- startsWith(results$what, "Error: ")
errors <- sub("^Error: ", "", results$what[is_error])
is_narrow <- cells$x == "truncated"
if (length(errors)) cat(length(errors), " samples ended with an error (", paste(unique(errors), collapse = "; "), "), ",
                        sum(is_narrow[results$cell[is_error]]), " of them truncated ones.\n\n", sep = "")
missing <- base::table(results$what[is.na(results$auto) & !is_error])
cat("Percentage of 95 % intervals that contain the true value. The Monte Carlo standard error of 95 % is ",
    percent(sqrt(0.05 * 0.95 / max(table$count))), " for ", max(table$count), " samples. Intervals that do not exist ",
    "count as failures: ", sum(missing), " automatic ones",
    if (length(missing)) paste0(" (", paste(missing, names(missing), collapse = ", "), ")"), ".\n\n", sep = "")
cat("## Cases in which Wald's intervals fail\n\n| case | samples | Wald | auto |\n|---|---|---|---|\n")
for (k in seq_along(places)) {
  row <- table[table$cell %in% places[[k]][[1]] & table$what == places[[k]][[2]], ]
  if (nrow(row)) row_of(names(known)[k], row$count, percent(row$wald), percent(row$auto))
}
inside <- function(v, low, high) sum(v >= low & v <= high)

print_samples <- function() {
  for (method in c("auto", "wald")) {
    cat("\n## method = \"", method, "\"\n\n", sep = "")
    row_of("(alpha, beta)", "n", "samples", paste(quantities, collapse = " | "), if (method == "auto") "not Wald")
    cat("|", strrep("---|", 3 + length(quantities) + (method == "auto")), "\n", sep = "")
    for (i in seq_len(nrow(samples))) {
      rows <- table[table$cell == i, ]
      if (!nrow(rows)) next
      value <- percent(rows[[method]][match(quantities, rows$what)])
      row_of(sprintf("(%g, %g)", cells$alpha[i], cells$beta[i]), cells$n[i], rows$count[1],
             paste(ifelse(value == "NA", "", value), collapse = " | "), if (method == "auto") percent(rows$profiled[1]))
    }
  }
  near_bound_distance <- (cells$alpha >= 1.9 | abs(cells$beta) >= 0.9)[table$cell]
  cat("\n## Summary\n\nWhere the true alpha is 2 or the true beta 1, an interval can miss at one end only, so that ",
      "97.5 % is the level of an interval whose ends have 2.5 % each, also of quantities that depend on them. ",
      "Near the bound: alpha of at least 1.9, or abs(beta) of at least 0.9.\n\n", sep = "")
  row_of("method", "distributions", "values", "92 to 97 %", "below 92 %", "above 97 %", "mean", "smallest")
  cat(strrep("|---", 8), "|\n", sep = "")
  for (method in c("auto", "wald")) for (near in c(FALSE, TRUE)) {
    v <- table[[method]][near_bound_distance == near]
    row_of(method, if (near) "near the bound" else "others", length(v), inside(v, 0.92, 0.97), sum(v < 0.92),
           sum(v > 0.97), percent(mean(v)), percent(min(v)))
  }
  table$n <- cells$n[table$cell]
  cat("\nMeans of the samples of one distribution, by their size:\n\n| n | auto | wald |\n|---|---|---|\n")
  for (n in unique(samples$n)) {
    rows <- table[table$n == n & table$what != "slope", ]
    row_of(n, percent(mean(rows$auto)), percent(mean(rows$wald)))
  }
}

print_further <- function() {
  cat("\n## Regressions of all parameters, and censored, truncated and binned samples\n\n",
      "`stable_lm(y ~ x, scale = ~ z, alpha = ~ w, beta = ~ u)` of `bench/regression.R`; samples that are ",
      "right-censored at the 70 % quantile, truncated to (-2, 5), or counts between the 5 %, ..., 95 % quantiles. ",
      "Not Wald: the percentage of intervals by \"auto\" that are not Wald's.\n\n",
      "| data | (alpha, beta) | n | samples | parameter | auto | Wald | not Wald |\n",
      "|---|---|---|---|---|---|---|---|\n", sep = "")
  for (k in seq_len(NROW(further_table))) {
    row <- further_table[k, ]
    cell <- cells[row$cell, ]
    row_of(cell$x, if (is.na(cell$alpha)) "" else sprintf("(%g, %g)", cell$alpha, cell$beta), cell$n, row$count,
           paste0("`", row$what, "`"), percent(row$auto), percent(row$wald), percent(row$profiled))
  }
  cat("\nBy \"auto\", ", inside(further_table$auto, 0.92, 0.97), " of ", nrow(further_table), " are from 92 to 97 %, ",
      sum(further_table$auto < 0.92), " below and ", sum(further_table$auto > 0.97), " above; by Wald, ",
      inside(further_table$wald, 0.92, 0.97), ", ", sum(further_table$wald < 0.92), " and ",
      sum(further_table$wald > 0.97), ". The standard error of 95 % is ",
      percent(sqrt(0.05 * 0.95 / max(further_table$count))), ".\n", sep = "")
}

if (kinds != "cases") print_samples()
if (NROW(further_table)) print_further()
sink()
message(sum(!duplicated(key(results))), " of ", nrow(all_units), " samples after ", round(passed()), " s: ", page)
