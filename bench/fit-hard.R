# bench/fit-hard.R: checks whether stablefit() finds the global maximum for hard data sets (few values, ties, outliers
# at 1e12, alpha below 0.5).  Compares its maximum with the best of many optimisations of the exact log-likelihood by
# nlminb() from random starting values, and lists each data set for which those found a higher value.
#
#   MC_CORES=2 Rscript bench/fit-hard.R [data sets of each kind] [random starts] > bench/fit-hard.md
library(stablecl)
source("tests/testthat/helper-fit-hard.R")
arguments <- as.integer(commandArgs(TRUE))
sets <- if (length(arguments) > 0) arguments[1] else 50L
starts <- if (length(arguments) > 1) arguments[2] else 20L

one <- function(kind, seed) {
  x <- hard_sample(kind, seed)
  found <- suppressWarnings(stablefit(x, control = list(alpha.min = hard_least_alpha)))
  best <- best_of_random_starts(x, starts, seed)
  data.frame(kind = kind, seed = seed, n = length(x), miss = best$loglik - as.numeric(logLik(found)),
             best = paste(signif(best$theta, 4), collapse = ", "),
             found = paste(signif(coef(found), 4), collapse = ", "))
}

jobs <- expand.grid(seed = seq_len(sets), kind = names(hard_kinds), stringsAsFactors = FALSE)
jobs <- jobs[sample(nrow(jobs)), ]
rows <- parallel::mclapply(seq_len(nrow(jobs)), function(k) one(jobs$kind[k], jobs$seed[k]),
                           mc.cores = getOption("mc.cores", 1L), mc.preschedule = FALSE)
rows <- do.call(rbind, rows)
higher <- rows[rows$miss > 1e-6, ]
stopifnot(nrow(rows) == nrow(jobs))

cat(sep = "\n", "# Hard data sets against random starts", "",
    sprintf("Made by `Rscript bench/fit-hard.R %d %d > bench/fit-hard.md`, %s: log-likelihood of the best of %d random",
            sets, starts, format(Sys.Date()), starts),
    "starts by `nlminb()`, less that of `stablefit()`; above 1e-6 counts as higher.", "",
    "| data sets | number | sizes | higher | largest difference |", "|---|---|---|---|---|",
    vapply(split(rows, rows$kind), function(r) {
      sprintf("| %s | %d | %d to %d | %d | %.1e |", r$kind[1], nrow(r), min(r$n), max(r$n), sum(r$miss > 1e-6),
              max(r$miss))
    }, ""),
    if (nrow(higher)) c("", sprintf("%s %d (n = %d): higher by %.1e at (%s) than at (%s)", higher$kind, higher$seed,
                                    higher$n, higher$miss, higher$best, higher$found)))
