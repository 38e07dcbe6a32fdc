# Simulates Michael's (1983) statistic, the largest distance from the diagonal in the stabilised P-P plot, and prints
# its 95% quantile times the square root of the sample size, for the table in R/fit-plot-stabilised.R.  Takes less than
# a minute.
#
#     Rscript data-raw/michael-limits.R

stabilise <- function(p) 2 / pi * asin(sqrt(p))

limit <- function(n, draws) {
  set.seed(n)
  at <- stabilise((seq_len(n) - 0.5) / n)
  far <- replicate(draws, max(abs(stabilise(sort(runif(n))) - at)))
  quantile(far, 0.95, names = FALSE) * sqrt(n)
}

for (n in c(8, 16, 32, 100, 316, 1000, 10000)) cat(n, round(limit(n, if (n > 1000) 4000 else 20000), 3), "\n")
