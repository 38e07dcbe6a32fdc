# bench/gof.R: measures how often stable_gof() rejects the fitted stable distribution, for samples of stable
# distributions (the size of the tests) and of others (their power).
#   Rscript bench/gof.R [--runs=400] [--cores=N] > bench/gof.md
# runs: number of samples of each kind; cores: number of processes (default: all cores), on which the results do not
# depend, because each sample has a seed of its own.  Nothing is timed.
library(stablecl)

source("bench/samples.R")                                # option(), each_sample()
runs <- option("runs", 400L)
cores <- option("cores", parallel::detectCores())
level <- 0.05
replicates <- 99L
truths <- list("stable (1.9, 0)" = function(n) rstable(n, 1.9, 0),
               "stable (1.7, -0.5)" = function(n) rstable(n, 1.7, -0.5),
               "stable (1.2, 0.5)" = function(n) rstable(n, 1.2, 0.5),
               "stable (0.7, 0.8)" = function(n) rstable(n, 0.7, 0.8),
               "t, df 3" = function(n) rt(n, 3), "Laplace" = function(n) rexp(n) - rexp(n))
sizes <- c(100, 1000)

# Returns a matrix with the p-values of samples 1, ..., `runs` in its columns.
p_values <- function(draw, n) {
  simplify2array(each_sample(runs, cores, function(k) {
    set.seed(600000 + k)
    stable_gof(suppressWarnings(stablefit(draw(n))), R = replicates, seed = k)$p.value
  }))
}

stable_threads(1)
cat("# How often tests of fit reject\n\nPrinted by `Rscript bench/gof.R --runs=", runs, "`, ", format(Sys.Date()), ". ",
    "Percentage of ", runs, " samples for which `stable_gof(fit, R = ", replicates, ")` rejects the fitted stable ",
    "distribution at the level of 5 %. For stable samples it should be 5 (standard error ",
    sprintf("%.1f", 100 * sqrt(level * (1 - level) / runs)), "); for others it is the power.\n\n",
    "| sample | n | Kolmogorov-Smirnov | Anderson-Darling | Cramer-von Mises |\n|---|---:|---:|---:|---:|\n", sep = "")
for (truth in names(truths)) for (n in sizes) {
  share <- rowMeans(p_values(truths[[truth]], n) <= level)
  cat("|", paste(c(truth, n, sprintf("%.1f", 100 * share)), collapse = " | "), "|\n")
}
