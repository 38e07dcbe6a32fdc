# Renews tests/testthat/data/scores.csv: derivatives of the log density of standard S0 distributions in alpha, beta
# and x, one-sided at alpha = 2 and |beta| = 1, by data-raw/reference (scores.c).  About ten minutes on one core.
#
#     Rscript data-raw/score-reference.R          # at the points of the table
#     Rscript data-raw/score-reference.R N SEED   # and at N further random points
#
# Prints the largest difference from the former values, relative to scores above 1.

source("data-raw/reference/values.R")

FILE <- "tests/testthat/data/scores.csv"
DIGITS <- 20
COLUMNS <- c("d_alpha", "d_beta", "d_x")

# Returns n random points: shapes close to every boundary and to alpha = 1, arguments close to zeta and far out.
draw_points <- function(n) {
  power <- function(least, most) 10^runif(n, least, most)
  sign <- function() sample(c(-1, 1), n, replace = TRUE)
  one_of <- function(...) {
    columns <- cbind(...)
    columns[cbind(seq_len(n), sample(ncol(columns), n, replace = TRUE))]
  }
  alpha <- one_of(runif(n, 0.1, 0.7), runif(n, 0.7, 0.98), 1 - power(-10, -1.5), 1 + power(-10, -1.5),
                  runif(n, 1.02, 1.95), 2 - power(-10, -1.3))
  beta <- one_of(runif(n, -1, 1), sign() * (1 - power(-14, -1.5)), sign() * power(-10, -1), sign(), 0)
  zeta <- -beta * tan(pi / 2 * alpha)
  x <- one_of(rnorm(n, 0, 2), sign() * power(0, 4), sign() * power(4, 10),
              ifelse(abs(zeta) < 100, zeta + sign() * power(-8, 0), rnorm(n)))
  data.frame(alpha, beta, x)
}

difference <- function(new, old) {
  gap <- abs(new - old) / pmax(1, abs(old))
  ifelse(new == old, 0, gap)
}

former <- utils::read.csv(FILE, comment.char = "#", colClasses = "character")
points <- data.frame(lapply(former[c("alpha", "beta", "x")], as.numeric))
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 2L) {
  set.seed(as.integer(arguments[2]))
  points <- rbind(points, draw_points(as.integer(arguments[1])))
}
scores <- reference_rows("scores", sprintf("%.17g %.17g %.17g", points$alpha, points$beta, points$x), DIGITS)
renewed <- seq_len(nrow(former))
for (name in COLUMNS) cat(sprintf("%s: differs from the former values by at most %.1e\n", name, max(
  difference(as.numeric(scores[renewed, name]), as.numeric(former[[name]])), na.rm = TRUE)))
known <- !is.na(scores$alpha)
cat(sum(known), "rows,", sum(!known), "points left out\n")
writeLines(c(
  "# Derivatives of the log density of standard S0 distributions in alpha, beta and x, one-sided at alpha = 2 and",
  "# |beta| = 1.",
  sprintf("# Errors are below 1e-%d max(1, |value|): densities by two methods in ball arithmetic; made by", DIGITS),
  "# data-raw/score-reference.R with data-raw/reference."), FILE)
suppressWarnings(utils::write.table(scores[known, ], FILE, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
