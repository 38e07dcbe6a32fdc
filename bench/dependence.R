# Measures how often 95 % confidence intervals of a fit to a series with GARCH scales contain the parameters and the 1 %
# quantile of the long run: Wald's intervals, which assume independent values, those by HAC covariances, and those by
# bootstrap samples of blocks.
#
#     Rscript bench/dependence.R [REPLICATES [CORES]] > bench/dependence.md               (from the checkout)
#
# CORES: number of processes (default: all cores), on which the results do not depend.  The model is that of
# vignette("series").  Its long run is the fit to a single series of LONG values.

suppressPackageStartupMessages(library(stablecl))
source("bench/samples.R")                                # each_sample()

given <- as.numeric(commandArgs(trailingOnly = TRUE))
replicates <- c(given, 200)[1]
cores <- c(given[-1], parallel::detectCores())[1]
LONG  <- 2e6
SIZES <- c(1000, 4000)
BLOCK <- c("blocks of 60" = 60, "blocks of 250" = 250)
R     <- 199
GARCH <- c(omega = 0.006, a = 0.044, b = 0.94)           # about the estimates for the DAX
ALPHA <- 1.86
P     <- 0.01

simulated_garch <- function(n) {
  z <- rstable(n + 500, ALPHA, 0)
  x <- numeric(n + 500)
  scale <- 0.5
  for (t in seq_along(x)) {
    x[t] <- scale * z[t]
    scale <- GARCH[["omega"]] + GARCH[["a"]] * abs(x[t]) + GARCH[["b"]] * scale
  }
  x[-(1:500)]
}

# TRUE for each of the parameters, and the quantile, that its interval contains.
contained <- function(ci, band, truth) c(ci[, 1] <= truth[1:4] & truth[1:4] <= ci[, 2],
                                         quantile = band[[2]] <= truth[[5]] && truth[[5]] <= band[[3]])

# The interval of the quantile by a covariance: the delta method, by the law of the fit with that covariance.
with_covariance <- function(fit, V) {
  fit$vcov <- fit$theta.vcov <- V
  list(ci = confint(fit), band = predict(fit, P, interval = "confidence"))
}

one_replicate <- function(n, truth, seed) {
  set.seed(seed)
  fit <- suppressWarnings(stablefit(simulated_garch(n)))
  hac <- with_covariance(fit, sandwich::vcovHAC(fit))
  blocks <- lapply(BLOCK, function(block) {
    bootstrap <- function(f, ...) f(fit, ..., method = "bootstrap", block = block, R = R, seed = seed)
    contained(bootstrap(confint), bootstrap(predict, P, interval = "confidence"), truth)
  })
  rbind(Wald = contained(confint(fit), predict(fit, P, interval = "confidence"), truth),
        HAC = contained(hac$ci, hac$band, truth), do.call(rbind, blocks))
}

set.seed(1)
long_run <- stablefit(simulated_garch(LONG))
stable_threads(1)
truth <- c(coef(long_run), quantile = predict(long_run, P)[[1]])
began <- Sys.time()
rows <- unlist(lapply(SIZES, function(n) {
  all <- simplify2array(each_sample(replicates, cores, function(i) one_replicate(n, truth, 1e4 * n + i)))
  share <- apply(all, 1:2, mean, na.rm = TRUE)
  vapply(rownames(share), function(method)
    sprintf("| %d | %s | %s |", n, method, paste(sprintf("%.1f", 100 * share[method, ]), collapse = " | ")), "")
}))

cat(sep = "\n",
  "# Confidence intervals under dependence", "",
  sprintf("Made by `Rscript bench/dependence.R %d > bench/dependence.md`.", replicates), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  sprintf("Percentage of %d series whose 95 %% interval contains the value of the long run (standard error %.1f).",
          replicates, 100 * sqrt(0.05 * 0.95 / replicates)),
  "Series of n values of the GARCH model of `vignette(\"series\")` with symmetric innovations and",
  sprintf("omega = %g, a = %g, b = %g, alpha = %g.", GARCH[1], GARCH[2], GARCH[3], ALPHA),
  sprintf("The long run is a fit to %g values: alpha %.3f, gamma %.3f, the quantile of probability %g is %.2f.",
          LONG, truth[1], truth[3], P, truth[5]),
  "Wald's intervals assume independent values; HAC: those by `sandwich::vcovHAC()` with the bandwidth that it",
  sprintf("chooses; blocks: %d bootstrap samples of blocks of that length on average.", R), "",
  "| n | intervals | alpha | beta | gamma | delta | quantile |",
  "|---|---|---|---|---|---|---|", rows, "",
  sprintf("This run took %.0f s with %d processes.", as.numeric(Sys.time() - began, units = "secs"), cores))
