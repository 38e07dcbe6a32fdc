# bench/censored.R: fits to censored, truncated and binned samples.  Agreement with fitdistrplus and survival, times
# beside them, and for simulated samples the errors of the estimates against their standard errors.
#   Rscript bench/censored.R [REPLICATES [CORES]] > bench/censored.md
# CORES: number of processes of the simulation (default: all cores), on which its estimates do not depend.
library(stablecl)
source("bench/samples.R")                                # each_sample()
REPEATS <- 9
stable_threads(1)
given <- as.integer(commandArgs(TRUE))
replicates <- c(given, 200L)[1]
cores <- c(given[-1], parallel::detectCores())[1]
n <- 500
laws <- list(c(1.1, 0), c(1.5, 0.5), c(1.8, -0.3))

cpu_seconds <- function(code) sum(system.time(code)[1:2])
median_seconds <- function(f) median(replicate(REPEATS, cpu_seconds(f())))

# --- samples: functions of a shape and of a function that draws from it ---

censored_sample <- function(shape) {
  x <- rstable(n, shape[1], shape[2])
  end <- qstable(0.7, shape[1], shape[2])
  list(data.frame(left = pmin(x, end), right = ifelse(x < end, x, Inf)))
}

truncated_sample <- function(shape) {
  x <- numeric()
  while (length(x) < n) {
    more <- rstable(n, shape[1], shape[2])
    x <- c(x, more[more > -2 & more < 5])
  }
  list(x[seq_len(n)], truncation = c(-2, 5))
}

binned_sample <- function(shape) {
  breaks <- qstable((0:20) / 20, shape[1], shape[2])
  counts <- tabulate(findInterval(rstable(n, shape[1], shape[2]), breaks), 20L)
  list(structure(list(breaks = breaks, counts = counts), class = "histogram"))
}

schemes <- list("30 % right-censored" = censored_sample, "truncated to (-2, 5)" = truncated_sample,
                "20 bins" = binned_sample)

# --- simulation ---

# Returns estimates, standard errors (NA at bounds), whether the 95% Wald intervals contain the truth, and the time.
one_fit <- function(draw, shape) {
  truth <- c(alpha = shape[1], beta = shape[2], gamma = 1, delta = 0)
  sample <- draw(shape)
  time <- cpu_seconds(fit <- suppressWarnings(do.call(stablefit, sample)))
  ci <- confint(fit)
  c(fit$theta - truth, sqrt(diag(vcov(fit))), ci[, 1] <= truth & truth <= ci[, 2], fit$convergence$converged, time)
}

# Returns the results of one_fit() for all samples of a kind, in columns; each sample has a seed of its own.
all_fits <- function(draw, shape) {
  simplify2array(each_sample(replicates, cores, function(k) {
    set.seed(700000 + k)
    one_fit(draw, shape)
  }))
}

# Prints a row for each scheme and shape.
print_simulation <- function() {
  cat("| data | alpha | beta | converged | at a bound | parameter | mean error / its standard deviation |",
      "sd / root mean squared standard error | coverage of 95% | seconds |\n")
  cat("|---|---|---|---|---|---|---|---|---|---|\n")
  for (scheme in names(schemes)) for (shape in laws) {
    fits <- all_fits(schemes[[scheme]], shape)
    inner <- colSums(is.na(fits[5:8, ])) == 0
    for (j in 1:4) {
      error <- fits[j, inner]
      cat("|", paste(if (j == 1) c(scheme, shape, sum(fits[13, ]), sum(!inner)) else rep("", 5), collapse = " | "), "|",
          paste(names(fits[, 1])[j], sprintf("%.2f", mean(error) / sd(error)),
                sprintf("%.2f", sd(error) / sqrt(mean(fits[4 + j, inner]^2))),
                sprintf("%.3f", mean(fits[8 + j, inner])),
                if (j == 1) sprintf("%.2f", median(fits[14, ])) else "", sep = " | "), "|\n")
    }
  }
}

# --- agreement and times ---

# Stops unless two log-likelihoods agree; returns their difference.
agreement <- function(own, peer, most) {
  stopifnot(abs(own - peer) < most)
  sprintf("%.1e", abs(own - peer))
}

print_times <- function() {
  set.seed(1)
  row <- function(task, own, peer, name, most, value) {
    fit <- own()
    other <- peer()
    cat("|", paste(task, sprintf("%.3f", median_seconds(own)), name, sprintf("%.3f", median_seconds(peer)),
                   agreement(fit$loglik, value(other), most), sep = " | "), "|\n")
  }
  cat("| task | seconds | package | its seconds | difference of log-likelihoods |\n|---|---|---|---|---|\n")
  plain <- function(peer) peer$loglik
  x <- rnorm(1000)
  response <- survival::Surv(pmin(x, 0.5), x < 0.5)
  row("normal, right-censored", function() stablefit(response, fixed = list(alpha = 2)),
      function() survival::survreg(response ~ 1, dist = "gaussian"), "survival", 1e-4, function(peer) peer$loglik[[1]])
  y <- rcauchy(1000)
  limited <- data.frame(left = pmin(y, 1), right = ifelse(y < 1, y, NA))
  row("Cauchy, right-censored", function() stablefit(limited, fixed = list(alpha = 1, beta = 0)),
      function() fitdistrplus::fitdistcens(limited, "cauchy"), "fitdistrplus", 1e-4, plain)
  z <- rstable(1000, 1.6, 0.3)
  cells <- data.frame(left = floor(z), right = floor(z) + 1)
  row("stable, rounded to integers", function() stablefit(cells),
      function() fitdistrplus::fitdistcens(cells, "stable", start = list(alpha = 1.5, beta = 0, gamma = 1, delta = 0),
                                           fix.arg = list(pm = 0), lower = c(0.1, -1, 1e-3, -Inf),
                                           upper = c(2, 1, Inf, Inf)), "fitdistrplus", 1e-3, plain)
}

versions <- vapply(c("stablecl", "fitdistrplus", "survival"), function(p) paste(p, packageVersion(p)), "")
cat("# Censored, truncated and binned samples\n\nPrinted by `Rscript bench/censored.R ", replicates, "`, ",
    format(Sys.Date()), ", CPU time of one thread, ", paste(versions, collapse = ", "),
    ".\n\n## Times\n\nSamples of 1000, median of ", REPEATS,
    " fits.\n\n", sep = "")
print_times()
cat("\n## Simulation\n\nSamples of ", n, " from S0(alpha, beta, 1, 0), ", replicates, " of each kind: right-censored ",
    "at the 70% quantile; truncated, ", n, " values within the bounds; counts between the 5%, ..., 95% quantiles.  ",
    "Fits with a parameter at a bound are counted and left out of the other columns.  The Monte Carlo standard ",
    "error of a coverage of 0.95 is ", format(sqrt(0.95 * 0.05 / replicates), digits = 2),
    ", that of a ratio of standard ",
    "deviations ", format(100 / sqrt(2 * replicates), digits = 2), "%.  The time is the median of a fit.\n\n", sep = "")
print_simulation()
