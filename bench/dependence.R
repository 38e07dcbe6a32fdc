# Measures how often 95 % confidence intervals of a fit to a series with GARCH scales contain the parameters and the 1 %
# quantile of the long run: Wald's intervals, which assume independent values, those by HAC covariances, and those by
# bootstrap samples of blocks and of a fitted GARCH model.
#
#     Rscript bench/dependence.R [REPLICATES [BOOTSTRAPPED [CORES]]] > bench/dependence.md  (from the checkout)
#
# BOOTSTRAPPED: number of series with bootstrap intervals, 0 for none.  CORES: number of processes (default: all
# cores), on which the results do not depend.  The models and their fit are those of vignette("series").  The long run
# is the fit to a single series of LONG values.

suppressPackageStartupMessages(library(stablecl))
source("bench/samples.R")                                # each_sample()

given <- as.numeric(commandArgs(trailingOnly = TRUE))
replicates <- c(given, 200)[1]
bootstrapped <- min(replicates, c(given[-1], 60)[1])
cores <- c(given[-(1:2)], parallel::detectCores())[1]
LONG  <- 2e6
SIZES <- c(1000, 4000)
BLOCK <- 250
R     <- 99
P     <- 0.01
MODELS <- list(persistent = c(omega = 0.006, a = 0.044, b = 0.94, mu = 0, alpha = 1.86, beta = 0),  # about the DAX
               "less persistent" = c(omega = 0.05, a = 0.1, b = 0.8, mu = 0, alpha = 1.86, beta = 0))

# Defines the functions of the vignette, such as fit_garch().
code <- knitr::purl("vignettes/series.Rmd", tempfile(), quiet = TRUE, documentation = 0L)
for (e in as.list(parse(code)))
  if (is.call(e) && identical(e[[1]], as.name("<-")) && is.call(e[[3]]) && identical(e[[3]][[1]], as.name("function")))
    eval(e)

# TRUE for each of the parameters, and the quantile, that its interval contains.
contained <- function(ci, band, truth) c(ci[, 1] <= truth[1:4] & truth[1:4] <= ci[, 2],
                                         quantile = band[[2]] <= truth[[5]] && truth[[5]] <= band[[3]])

# The interval of the quantile by a covariance: the delta method, by the distribution of the fit with that covariance.
with_covariance <- function(fit, V, truth) {
  fit$vcov <- fit$theta.vcov <- V
  contained(confint(fit), predict(fit, P, interval = "confidence"), truth)
}

# The percentile intervals of confint() and predict() by the bootstrap, from one set of refits.
by_bootstrap <- function(draw, truth) {
  estimates <- coef(stablefit(replicate(R, draw(), simplify = FALSE), se = FALSE))
  values <- cbind(estimates, qstable(P, estimates[, 1], estimates[, 2], estimates[, 3], estimates[, 4]))
  ends <- apply(values, 2, quantile, c(0.025, 0.975), type = 6, na.rm = TRUE)
  contained(t(ends[, 1:4]), c(NA, ends[, 5]), truth)
}

one_replicate <- function(model, n, truth, seed, is_bootstrapped) {
  set.seed(seed)
  x <- simulate_garch(model)(n)
  fit <- suppressWarnings(stablefit(x))
  intervals <- function(method) contained(confint(fit, method = method),
                                          predict(fit, P, interval = "confidence", method = method), truth)
  out <- rbind(Wald = intervals("wald"), sandwich = with_covariance(fit, sandwich::vcovHAC(fit), truth),
               Andrews = with_covariance(fit, sandwich::kernHAC(fit), truth),
               `Newey-West` = with_covariance(fit, sandwich::NeweyWest(fit), truth),
               HAC = intervals("HAC"), blocks = NA, GARCH = NA)
  attr(out, "alpha") <- c(estimate = coef(fit)[["alpha"]], se = sqrt(vcov(fit, type = "HAC")["alpha", "alpha"]))
  if (!is_bootstrapped) return(out)
  fitted <- simulate_garch(fit_garch(x)$par)
  out["blocks", ] <- by_bootstrap(function() x[stablecl:::block_positions(n, BLOCK)], truth)
  out["GARCH", ] <- by_bootstrap(function() fitted(n), truth)
  out
}

# How the standard errors by HAC covariances depend on the estimates of alpha: a sentence.
errors_of <- function(n, all, truth) {
  v <- t(vapply(all, attr, c(0, 0), "alpha"))
  v <- v[is.finite(v[, "se"]), ]
  a <- v[, "estimate"]
  quarter <- cut(rank(a), 4, labels = FALSE)
  sprintf(paste("* n = %d: the estimates of alpha have the standard deviation %.3f and their standard errors the mean",
                "%.3f, in the quarter of the series with the smallest estimates %.3f and in that with the largest",
                "%.3f. With this standard deviation as standard error %.1f %% of the intervals would contain",
                "the value."),
          n, sd(a), mean(v[, "se"]), mean(v[quarter == 1, "se"]), mean(v[quarter == 4, "se"]),
          100 * mean(abs(a - truth[["alpha"]]) <= qnorm(0.975) * sd(a)))
}

measured <- function(name) {
  model <- MODELS[[name]]
  set.seed(1)
  long_run <- stablefit(simulate_garch(model)(LONG))
  truth <- c(coef(long_run), quantile = predict(long_run, P)[[1]])
  series <- lapply(SIZES, function(n) each_sample(replicates, cores, function(i) {
    stable_threads(1)
    one_replicate(model, n, truth, 1e4 * n + i, i <= bootstrapped)
  }))
  rows <- unlist(Map(function(n, all) {
    share <- apply(simplify2array(all), 1:2, mean, na.rm = TRUE)
    share <- share[rowSums(is.finite(share)) > 0, ]
    vapply(rownames(share), function(method)
      sprintf("| %d | %s | %s |", n, method, paste(sprintf("%.1f", 100 * share[method, ]), collapse = " | ")), "")
  }, SIZES, series))
  c(sprintf("## The %s model", name), "",
    sprintf("omega = %g, a = %g, b = %g, alpha = %g.", model[["omega"]], model[["a"]], model[["b"]], model[["alpha"]]),
    sprintf("The long run: alpha %.3f, gamma %.3f, the quantile of probability %g is %.2f.", truth[1], truth[3], P,
            truth[5]), "",
    "| n | intervals | alpha | beta | gamma | delta | quantile |", "|---|---|---|---|---|---|---|", rows, "",
    "Standard errors of `method = \"HAC\"`:", "", unlist(Map(errors_of, SIZES, series, MoreArgs = list(truth))), "")
}

began <- Sys.time()
tables <- unlist(lapply(names(MODELS), measured))

cat(sep = "\n",
  "# Confidence intervals under dependence", "",
  sprintf("Made by `Rscript bench/dependence.R %d %d > bench/dependence.md`.", replicates, bootstrapped), "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  sprintf("Percentage of %d series whose 95 %% interval contains the value of the long run (standard error %.1f).",
          replicates, 100 * sqrt(0.05 * 0.95 / replicates)),
  "Series of n values of the GARCH model of `vignette(\"series\")` with symmetric innovations.",
  sprintf("The long run is a fit to %g values.", LONG), "",
  "* Wald: assume independent values;",
  "* sandwich: Wald's intervals with the covariance of `sandwich::vcovHAC()`;",
  "* Andrews, Newey-West: those of `sandwich::kernHAC()` and `sandwich::NeweyWest()`, whose bandwidths follow from the",
  "  series (Andrews 1991, Newey and West 1994) and which prewhiten the scores;",
  "* HAC: `method = \"HAC\"`.",
  if (bootstrapped > 0) c("", sprintf("For %d of the series also:", bootstrapped), "",
    sprintf("* blocks: %d bootstrap samples of blocks of %d values on average;", R, BLOCK),
    sprintf("* GARCH: %d bootstrap samples of the GARCH model that is fitted to the series.", R)), "", tables,
  sprintf("This run took %.0f s with %d processes.", as.numeric(Sys.time() - began, units = "secs"), cores))
