# bench/quick.R: measures the errors of stable_quick() relative to dstable() and stable_score() over random
# distributions, and its time per distribution.  Prints bench/quick.md.
library(stablecl)
stable_threads(1)
set.seed(1)

# Shapes over the whole range, or at distances from 1e-1 down to 1e-9 from the boundaries alpha = 2 and |beta| = 1.
anywhere <- function(n) cbind(runif(n, 0.3, 2), runif(n, -1, 1))
at_border <- function(n) {
  close <- function() 10^-runif(n, 1, 9)
  one <- sample(c(TRUE, FALSE), n, TRUE)
  cbind(ifelse(one, 2 - close(), runif(n, 0.3, 2)),
        ifelse(one, runif(n, -1, 1), sample(c(-1, 1), n, TRUE) * (1 - close())))
}

# Returns the median, 99% quantile and maximum over the shapes of the largest error at `points` random points: of log f,
# and of the scores in units of max(1, |s|).
errors <- function(shapes, points, scores) {
  worst <- apply(shapes, 1L, function(s) {
    x <- rstable(points, s[1L], s[2L])
    quick <- suppressWarnings(stable_quick(x, s[1L], s[2L]))
    value <- max(abs(quick[, 1L] - dstable(x, s[1L], s[2L], log = TRUE)))
    if (!scores) return(c(value, rep(NA, 4)))
    exact <- suppressWarnings(stable_score(x, s[1L], s[2L]))[, 1:4]
    c(value, apply(abs(quick[, -1L] - exact) / pmax(1, abs(exact)), 2L, max, na.rm = TRUE))
  })
  apply(worst, 1L, function(e) {
    c(median = median(e), `99 %` = unname(quantile(e, 0.99, na.rm = TRUE)), largest = max(e))
  })
}

# Returns the seconds per call of f(i), i = 1, ..., n, as the median of five runs.
seconds <- function(f, n) median(replicate(5, system.time(for (i in seq_len(n)) f(i))[["elapsed"]])) / n

row <- function(name, e) cat(sprintf("| %s | %s |\n", name, paste(sprintf("%.1e", e), collapse = " | ")))

cat("# Tables against exact values\n\nPrinted by `Rscript bench/quick.R`,", format(Sys.Date()), "on one core.\n\n")
cat("| laws and their largest error among 20 random points | log f, median | 99 % | largest |\n|---|---|---|---|\n")
row("20000 anywhere", errors(anywhere(20000), 20, FALSE)[, 1L])
row("5000 close to a border", errors(at_border(5000), 20, FALSE)[, 1L])

cat("\n| score, in units of max(1, its size) | median | 99 % | largest |\n|---|---|---|---|\n")
for (where in c("anywhere", "close to a border")) {
  e <- errors(if (where == "anywhere") anywhere(1500) else at_border(500), 20, TRUE)
  for (k in 1:4) row(paste(c("alpha", "beta", "gamma", "delta")[k], where), e[, k + 1L])
}

shapes <- anywhere(4000)
sums <- stablecl:::stable_data_quick
same <- seconds(function(i) sums(0.5, 1.5, 0.5), 4000)
new <- seconds(function(i) sums(0.5, shapes[i, 1L], shapes[i, 2L]), 4000)
x <- rstable(1000, 1.5, 0.5)
thousand <- seconds(function(i) sums(x, shapes[i, 1L], shapes[i, 2L]), 4000)
x <- rstable(1e6, 1.5, 0.5)
million <- seconds(function(i) sums(x, 1.5 + 1e-9 * i, 0.5), 5)
exact <- seconds(function(i) stablecl:::stable_data_loglik(x, 1.5 + 1e-9 * i, 0.5), 5)
cat("\n| time | us |\n|---|---|\n")
cat(sprintf("| to contract the tables to a law (a call with a new law, less one with the same) | %.0f |\n",
            1e6 * (new - same)))
cat(sprintf("| log-likelihood, gradient and outer products of 1000 points, laws at random | %.0f |\n", 1e6 * thousand))
cat(sprintf("| the same of 1e6 points, one law | %.0f |\n", 1e6 * million))
cat(sprintf("| exact log-likelihood alone of 1e6 points, a new law | %.0f |\n", 1e6 * exact))
cat(sprintf("\nThe tables: %.0f bytes.\n", file.size(system.file("tables", "quick.rds", package = "stablecl"))))
