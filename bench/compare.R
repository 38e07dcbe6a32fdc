# Measures how often stable_compare() decides between the stable distribution and another one, for samples of known
# distributions (stable_gof(): bench/gof.R).
#
#     Rscript bench/compare.R [--runs=400] [--cores=N] > bench/compare.md
#
# runs: number of samples of each kind; cores: number of processes (default: all cores), on which the results do not
# depend, because each sample has a seed of its own.  Nothing is timed.  Takes more than two hours on one core.

suppressPackageStartupMessages(library(stablecl))

source("bench/samples.R")                                # option(), each_sample()
RUNS <- option("runs", 400L)
CORES <- option("cores", parallel::detectCores())
LEVEL <- 0.05
stable_threads(1)
TRUTHS <- list("t, df 3" = function(n) rt(n, 3), "Cauchy" = function(n) rcauchy(n),
               "stable (1.7, 0)" = function(n) rstable(n, 1.7, 0),
               "stable (1.5, 0.5)" = function(n) rstable(n, 1.5, 0.5))
SIZES <- c(250, 1000, 4000)
PEERS <- c("t", "skew-t", "nig", "laplace")

# Returns, for one sample, 1 for each law than which the stable distribution is significantly better, -1 if it is worse.
decisions <- function(x) {
  a <- stable_compare(stablefit(x), PEERS)[-1, ]
  stats::setNames(ifelse(!is.na(a$p.value) & a$p.value < LEVEL, sign(a$statistic), 0), PEERS)
}

percent <- function(share) sprintf("%.1f", 100 * share)

cat("# Decisions between stable and other distributions\n\n",
    sprintf("Made by `Rscript bench/compare.R --runs=%d > bench/compare.md`: so many samples of each kind.  ", RUNS),
    "`stable_compare()` with a level of 5% (two-sided): the percentage of samples in which the stable ",
    "distribution is significantly better, and in which the other one is.  The standard error of a percentage p is ",
    sprintf("%.1f", 100 * sqrt(0.25 / RUNS)), " at most.\n\n", sep = "")
cat("| sample | n |", paste0(PEERS, ": stable better | ", PEERS, " better |"), "\n")
cat("|---|---:|", rep("---:|---:|", length(PEERS)), "\n", sep = "")
for (truth in names(TRUTHS)) for (n in SIZES) {
  found <- simplify2array(each_sample(RUNS, CORES, function(k) {
    set.seed(k)
    decisions(TRUTHS[[truth]](n))
  }))
  shares <- rbind(rowMeans(found > 0), rowMeans(found < 0))
  cat("|", truth, "|", n, "|", paste(percent(shares), collapse = " | "), "|\n")
}
cat("\nBetween the Cauchy and t distributions there is nothing to decide: both families contain the Cauchy ",
    "distribution, and a decision for either is an error of the first kind.\n", sep = "")
