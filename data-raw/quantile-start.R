# Computes the tables for the quantile estimates (src/fit/quantiles.c): Rscript data-raw/quantile-start.R
#
# Needs this package installed (its qstable is exact for all alpha).  Writes R/sysdata.rda.
# spread and quartiles are multiplied by alpha, because these products are nearly constant;
# src/fit/quantiles.c has the definitions.

library(stablecl)

alpha <- c(0.01, 0.02, 0.03, 0.05, 0.075, seq(0.1, 1.9, by = 0.05), 1.925, 1.95, 1.975, 1.99, 2)
beta <- c(seq(0, 0.9, by = 0.1), 0.95, 1)
levels <- c(0.05, 0.25, 0.5, 0.75, 0.95)

# For small alpha the distribution is concentrated near zeta, and differences of quantiles would
# lose all digits in S0; in S1 quantiles are relative to zeta, and differences are the same.
grid <- expand.grid(alpha = alpha, beta = beta)
in_s1 <- grid$alpha < 0.75
q <- sapply(levels, function(p) {
  ifelse(in_s1, qstable(p, grid$alpha, grid$beta, pm = 1), qstable(p, grid$alpha, grid$beta))
})
median0 <- qstable(0.5, grid$alpha, grid$beta)

as_table <- function(v) matrix(v, length(alpha), length(beta))
spread <- log((q[, 5] - q[, 1]) / (q[, 4] - q[, 2]))
skew <- log((q[, 5] - q[, 3]) / (q[, 3] - q[, 1])) / spread
skew[grid$beta == 0 | grid$alpha == 2] <- 0

quantile_start <- list(
  alpha = alpha, beta = beta,
  spread = as_table(grid$alpha * spread),
  skew = as_table(skew),
  quartiles = as_table(grid$alpha * log(q[, 4] - q[, 2])),
  median = as_table(median0 * (grid$beta > 0))
)
# Log densities of a few shapes as functions of v = z/(1 + |z|), for src/fit/starting_values.c.
shapes <- expand.grid(alpha = c(0.5, 0.8, 1.1, 1.4, 1.8), beta = c(0, 0.9))
v <- seq(-1, 1, length.out = 257) * 64 / 65
quantile_start <- c(quantile_start, list(
  reach = 64 / 65, shape.alpha = shapes$alpha, shape.beta = shapes$beta,
  log.f = round(mapply(function(a, b) dstable(v / (1 - abs(v)), a, b, log = TRUE), shapes$alpha, shapes$beta), 5)
))
stopifnot(all(sapply(quantile_start, function(v) all(is.finite(v)))))

# The inversion in src/fit/quantiles.c requires a spread that decreases with alpha (checked for beta = 0).
stopifnot(diff(quantile_start$alpha / quantile_start$spread[, 1]) > 0)

save(quantile_start, file = "R/sysdata.rda", compress = "xz", version = 2)
