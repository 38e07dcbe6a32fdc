# Prints the points of the full reference tables, for the program of this folder: a design over the regions of
# bench/accuracy.R.  Needs the installed package, whose quantiles serve as points and as starting values only.
#
#     Rscript design.R points    > lines "alpha beta x"
#     Rscript design.R quantiles > lines "alpha beta p start"

suppressPackageStartupMessages(library(stablecl))

ALPHA <- c(0.02, 0.05, 0.1, 0.15, 0.25, 0.4, 0.5, 0.65, 0.8, 0.95, 0.985, 0.999, 1 - 1e-5, 1 - 1e-8, 1 - 1e-13, 1,
           1 + 1e-14, 1 + 1e-9, 1 + 1e-6, 1.0005, 1.015, 1.1, 1.25, 1.5, 1.75, 1.9, 1.98, 1.9995, 2 - 1e-7, 2)
BETA <- c(-1, -0.9999, -0.6, -0.005, 0, 1e-10, 0.25, 0.7, 0.98, 1 - 1e-9, 1)
PER_SHAPE <- 10                     # points, and a few more where the distribution is difficult

# Arguments that are the same for all shapes; every shape takes some of them in turn.
FIXED <- c(0, 0.3, -1.7, 4, -4, 12, -60, 700, -1e4, 3e6, -1e9, 1e12, -1e20, 1e100, -1e200, 1e-8, -1e-20, 1)
# Probabilities whose quantiles are arguments.
LEVELS <- c(0.5, 0.01, 1 - 1e-3, 1e-8, 0.25, 1e-20, 1 - 1e-10, 1e-100, 0.9, 1e-300, 1e-4)
UPPER  <- c(1e-20, 1e-3, 1e-100, 1e-8, 1e-300, 1e-50)
# Distances from zeta, relative to max(1, |zeta|), where the density has a narrow peak or a support ends.
NEAR   <- c(1e-14, -1e-9, 1e-5, -1e-3, 1e-2, -1e-12, 0)
PROBABILITIES <- c(1e-300, 1e-100, 1e-30, 1e-15, 1e-8, 1e-4, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1 - 1e-4, 1 - 1e-8,
                   1 - 1e-12, 1 - 1e-15)

# Returns n elements of x, beginning with the k-th, cyclically.
in_turn <- function(x, k, n) x[(k + seq_len(n) - 2) %% length(x) + 1]

shapes <- expand.grid(beta = BETA, alpha = ALPHA)
shapes$index <- seq_len(nrow(shapes))

points_of <- function(alpha, beta, index) {
  zeta <- if (alpha == 1) 0 else -beta * tan(pi / 2 * alpha)
  near <- in_turn(NEAR, 2 * index, if (beta == 0) 0 else 2)
  x <- c(in_turn(FIXED, 5 * index, 4), zeta + near * max(1, abs(zeta)),
         qstable(in_turn(LEVELS, 3 * index, 3), alpha, beta),
         qstable(in_turn(UPPER, index, 2), alpha, beta, lower.tail = FALSE))
  x <- unique(x[is.finite(x) & abs(x) < 1e300])
  x <- x[dstable(x, alpha, beta, log = TRUE) > -40000 | dstable(x, alpha, beta) == 0 & alpha < 1 & abs(beta) == 1]
  sprintf("%.17g %.17g %.17g", alpha, beta, sort(x))
}

quantiles_of <- function(alpha, beta, index) {
  p <- sort(in_turn(PROBABILITIES, 5 * index, 3))
  if (beta == 0) p <- p[p != 0.5]
  q <- qstable(p, alpha, beta)
  keep <- is.finite(q) & q != 0
  sprintf("%.17g %.17g %.17g %.17g", alpha, beta, p, q)[keep]
}

rows <- switch(commandArgs(trailingOnly = TRUE)[1], points = points_of, quantiles = quantiles_of)
for (k in shapes$index) writeLines(rows(shapes$alpha[k], shapes$beta[k], k))
