# Simulates the null distribution of the likelihood-ratio statistic of the normal against stable
# distributions, and writes R/fit-anova-null.R.  Makes 80000 fits.
#
#     Rscript data-raw/normal-null.R
#
# The statistic does not depend on the location and the scale of the sample: for each of the two
# alternatives (symmetric stable, all stable distributions) its null distribution is a function of
# the sample size only.

library(stablecl)

sizes <- c(10, 20, 50, 100, 200, 500, 1000, 3000)
draws <- rep(5000, length(sizes))

sample_ratios <- function(n, draws) {
  set.seed(n)
  x <- matrix(rnorm(n * draws), n)
  bell <- apply(x, 2, function(v) sum(dnorm(v, mean(v), sqrt(mean((v - mean(v))^2)), log = TRUE)))
  top <- function(...) suppressWarnings(stablefit(x, se = FALSE, ...))$results$loglik
  pmax(2 * (rbind(top(fixed = list(beta = 0)), top()) - rep(bell, each = 2)), 0)
}

# Values c at which P(ratio >= c) is tabulated; the smallest separates positive ratios from rounding errors.
least <- 1e-4
statistic <- c(least, 0.01, 0.03, 0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6)

# Returns the estimates of P(ratio >= c); one is added to each count so that no probability is 0.
exceeding <- function(ratios) {
  vapply(statistic, function(c) (1 + sum(ratios >= c)) / (1 + length(ratios)), 0)
}

write_table <- function(samples, file = "R/fit-anova-null.R") {
  rows <- function(which) {
    p <- t(vapply(samples, function(s) exceeding(s[which, ]), statistic))
    paste0("    c(", apply(formatC(p, digits = 4, format = "f"), 1L, paste, collapse = ", "), ")",
           c(rep(",", nrow(p) - 1L), ""))
  }
  table <- function(name) c(sprintf("  %s = rbind(", name), rows(name))
  list_of <- function(v) paste(format(v, trim = TRUE, scientific = FALSE, drop0trailing = TRUE), collapse = ", ")
  writeLines(c(
    "# Made by data-raw/normal-null.R: probabilities that the likelihood-ratio statistic of the normal law",
    "# against symmetric or all stable laws reaches `statistic` (columns), for normal samples of some sizes (rows).",
    "", "normal_null <- list(",
    sprintf("  size = c(%s),", list_of(sizes)), sprintf("  draws = c(%s),", list_of(draws)),
    sprintf("  statistic = c(%s),", list_of(statistic)),
    table("symmetric"), "  ),", table("stable"), "  )", ")"), file)
}

if (!interactive()) {
  samples <- Map(function(n, draws) {
    ratios <- sample_ratios(n, draws)
    rownames(ratios) <- c("symmetric", "stable")
    ratios
  }, sizes, draws)
  write_table(samples)
}
