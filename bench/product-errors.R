# Compares true with stated errors of products of Gauss-Legendre rules (method "product"), for random integrals over the
# unit cube in 2 to 6 dimensions: smooth ones, near singularities, singular corners, kinks along oblique planes, bumps.
#
#     Rscript bench/product-errors.R [N] > bench/product-errors.md
#
# N, default 500, is the number of integrals, each computed to ten tolerances from 1e-2 to 1e-11.  The reference value
# is the one of smaller error of "product" with 3e7 and "cubature" with 6e6 evaluations.  A result is compared if its
# stated error exceeds five times that of the reference, or its true error does.

suppressPackageStartupMessages(library(stablecl))
source("bench/page.R")                                   # made_by()
stable_backend("cpu")
stable_threads(1)
N      <- as.integer(c(commandArgs(trailingOnly = TRUE), "500")[1])
METHOD <- "product"

FAMILIES <- list(
  "cos(k + a.x)" = function(x, a, u, k) cos(k + sum(a * x)),
  "Gaussian" = function(x, a, u, k) exp(-sum(a^2 * (x - u)^2)),
  "product of peaks" = function(x, a, u, k) prod(1 / (a^-2 + (x - u)^2)),
  "corner peak" = function(x, a, u, k) (1 + sum(a * x))^-(length(a) + 1),
  "1/(1 + (a.x - k)^2)" = function(x, a, u, k) 1 / (1 + (sum(a * x) - k)^2),
  "sqrt(k/1000 + |x - u|^2)" = function(x, a, u, k) sqrt(0.001 * k + sum((x - u)^2)),
  "1/(k/50 + |x|^2)" = function(x, a, u, k) 1 / (0.02 * k + sum(x^2)),
  "(a.x)^(k/4)" = function(x, a, u, k) sum(a * x)^(k / 4),
  "(x1 ... xd)^(k/3)" = function(x, a, u, k) prod(x)^(k / 3),
  "|a.(x - u)|^3" = function(x, a, u, k) abs(sum(a * (x - u)))^3,
  "tanh(a.(x - u))" = function(x, a, u, k) tanh(sum(a * (x - u))),
  "1.1 + sin(5 k x1 ... xd)" = function(x, a, u, k) sin(5 * k * prod(x)) + 1.1,
  "1 + 0.3 exp(-30 k |x - u|^2)" = function(x, a, u, k) 1 + 0.3 * exp(-30 * k * sum((x - u)^2)),
  "cos(a.x) exp(-k |x - u|^2)" = function(x, a, u, k) cos(sum(a * x)) * exp(-k * sum((x - u)^2)),
  "log(k/100 + a.x)" = function(x, a, u, k) log(0.01 * k + sum(a * x)),
  "exp(a.x) (1 + 0.001 cos(8 k (x1 - x2)))" = function(x, a, u, k)
    exp(sum(a * x)) * (1 + 1e-3 * cos(8 * k * (x[1] - x[2]))),
  "cos(6 k sqrt(0.05 + |x - u|^2))" = function(x, a, u, k) cos(k * 6 * sqrt(0.05 + sum((x - u)^2))))

quiet <- function(...) suppressWarnings(gintegrate(...))

# Returns the results of one random integral to all tolerances.
one_integral <- function(number) {
  family <- sample(names(FAMILIES), 1)
  dim <- sample(2:6, 1, prob = c(3, 3, 2, 1, 1))
  a <- runif(dim, 0.1, 1)
  a <- a / sum(a) * runif(1, 1, 14)
  u <- runif(dim)
  k <- runif(1, 0.3, 4)
  g <- FAMILIES[[family]]
  f <- gtranslate(function(x) g(x, a, u, k), dim = dim)
  lower <- rep(0, dim)
  upper <- rep(1, dim)
  references <- list(quiet(f, lower, upper, rel.tol = 1e-14, max.eval = 3e7, method = METHOD),
                     quiet(f, lower, upper, rel.tol = 1e-14, max.eval = 6e6, method = "cubature"))
  errors <- vapply(references, function(r) if (is.finite(r$value)) r$abs.error else Inf, 0)
  reference <- references[[which.min(errors)]]
  rows <- lapply(10^-(2:11), function(tol) {
    r <- quiet(f, lower, upper, rel.tol = tol, max.eval = 2e6, method = METHOD)
    data.frame(family, tol, value = r$value, converged = r$status == "converged",
               error = abs(r$value - reference$value),
               stated = r$abs.error, reference = reference$abs.error, size = abs(reference$value))
  })
  do.call(rbind, rows)
}

set.seed(2)
all <- do.call(rbind, lapply(seq_len(N), one_integral))
all <- all[is.finite(all$value), ]
all <- all[all$reference < 0.2 * all$stated | all$error > 5 * all$reference, ]
all$ratio <- all$error / all$stated
all$exceeds <- all$ratio > 1 & all$error > 4e-15 * all$size

row <- function(name, x) {
  sprintf("| %s | %d | %d | %.3f | %.2f | %d | %d |", gsub("|", "\\|", name, fixed = TRUE), nrow(x),
          sum(x$converged), stats::median(x$ratio), max(x$ratio), sum(x$exceeds),
          sum(x$exceeds & x$converged & x$error > x$tol * x$size))
}
families <- intersect(names(FAMILIES), all$family)
cat(sep = "\n",
  "# Errors of products of Gauss-Legendre rules", "",
  paste0(made_by("bench/product-errors.R"), "."), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s; %d random integrals in 2 to 6 dimensions, each to ten tolerances from 1e-2 to 1e-11",
          R.version.string, packageVersion("stablecl"), N), "",
  "True error divided by the stated one, median and maximum; the number of results whose true error is larger than the",
  "stated one, and of those among them that claim to have converged but miss the tolerance.  Vectors a add up to 1 to",
  "14; k is between 0.3 and 4; u is a point of the cube.", "",
  "| integrand | results | converged | median | maximum | error larger than stated | converged and wrong |",
  "|---|---|---|---|---|---|---|",
  vapply(families, function(name) row(name, all[all$family == name, ]), ""), row("all", all))
