# bench/regression.R: regression of all parameters by stable_lm(): bias, standard deviation and coverage over repeated
# samples against the information, gradients at the estimates, and times.  Prints bench/regression.md.
#   Rscript bench/regression.R > bench/regression.md
library(stablecl)
REPEATS <- 5
source("bench/timing.R")

samples <- 200
n <- 500
z <- qnorm(0.975)

design_of <- function(n) data.frame(x = rnorm(n), z = rnorm(n), w = runif(n, -1, 1), u = rnorm(n))
truth <- c("(Intercept)" = 1, x = 2, "alpha_(Intercept)" = 1, alpha_w = 0.7, "beta_(Intercept)" = 0.3, beta_u = 0.5,
           "scale_(Intercept)" = 0.2, scale_z = 0.5)
matrices <- function(d)
  list(location = cbind(1, d$x), alpha = cbind(1, d$w), beta = cbind(1, d$u), scale = cbind(1, d$z))

# The parameters of each observation for coefficients v.
law_at <- function(v, X) list(mu = drop(X$location %*% v[1:2]), alpha = 2 * plogis(drop(X$alpha %*% v[3:4])),
                              beta = tanh(drop(X$beta %*% v[5:6]) / 2), gamma = exp(drop(X$scale %*% v[7:8])))
loglik <- function(v, y, X) with(law_at(v, X), sum(dstable(y, alpha, beta, gamma, mu, log = TRUE)))
response <- function(X) with(law_at(truth, X), rstable(nrow(X$location), alpha, beta, gamma, mu))
fit_of <- function(d, ...) suppressWarnings(stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u, ...))

set.seed(1)
d <- design_of(n)
X <- matrices(d)
law <- law_at(truth, X)

# The information of the design: the mean outer product of exact scores over 40 samples.
information <- Reduce(`+`, lapply(1:40, function(i) {
  s <- stable_score(response(X), law$alpha, law$beta, law$gamma, law$mu)
  slopes <- cbind(s[, "delta"] * X$location, s[, "alpha"] * law$alpha * (2 - law$alpha) / 2 * X$alpha,
                  s[, "beta"] * (1 - law$beta^2) / 2 * X$beta, s[, "gamma"] * law$gamma * X$scale)
  crossprod(slopes)
})) / 40
bound <- sqrt(diag(solve(information)))

began <- now()
fits <- lapply(seq_len(samples), function(i) {
  d$y <- response(X)
  fit <- fit_of(d)
  v <- unname(coef(fit))
  sd <- unname(sqrt(diag(vcov(fit))))
  step <- 1e-3 * bound
  slope <- if (i <= 20) vapply(seq_along(v), function(j) {
    h <- replace(numeric(8), j, step[j])
    (loglik(v + h, d$y, X) - loglik(v - h, d$y, X)) / 2e-3
  }, 0)
  list(v = v, sd = sd, converged = fit$convergence$converged, slope = if (fit$convergence$converged) slope,
       excess = as.numeric(logLik(fit)) - loglik(truth, d$y, X))
})
elapsed <- now() - began
converged <- vapply(fits, `[[`, NA, "converged")
v <- t(vapply(fits[converged], `[[`, numeric(8), "v"))
sd <- t(vapply(fits[converged], `[[`, numeric(8), "sd"))
inside <- colMeans(abs(t(t(v) - truth)) <= z * sd)
stopifnot(vapply(fits[converged], function(fit) fit$excess >= 0, NA))

cat("# Regression of all parameters\n\nPrinted by `Rscript bench/regression.R`,", format(Sys.Date()), "\n\n")
cat("`stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u)`: ", samples, " samples of ", n,
    " observations with one design. The bound is the root of the diagonal of the inverse information at the true ",
    "coefficients, by exact scores over 40 samples. ", sum(converged), " of ", samples, " searches converged",
    if (!all(converged)) "; the others, in which coefficients diverge, are left out",
    ". All have a log-likelihood above that of the true coefficients. The Monte Carlo standard error of a ",
    "mean is ", format(1 / sqrt(samples), digits = 2),
    " standard deviations, of a ratio of standard deviations ", format(1 / sqrt(2 * samples), digits = 2),
    ", of a coverage ", format(sqrt(0.95 * 0.05 / samples), digits = 2), ".\n\n", sep = "")
cat("| coefficient | true | mean | standard deviation | bound | standard deviation / bound |",
    "median standard error / bound | coverage of 95% Wald intervals |\n|---|---|---|---|---|---|---|---|\n")
for (j in seq_along(truth))
  cat(sprintf("| `%s` | %.1f | %.3f | %.3f | %.3f | %.2f | %.2f | %.3f |\n", names(truth)[j], truth[j], mean(v[, j]),
              sd(v[, j]), bound[j], sd(v[, j]) / bound[j], median(sd[, j]) / bound[j], inside[j]))
slopes <- unlist(lapply(fits, `[[`, "slope"))
cat("\nThe largest derivative of the exact log-likelihood at an estimate, by differences, in 20 samples: ",
    format(max(abs(slopes)), digits = 2), " for a step of one bound.\n", sep = "")

cat("\n## Times\n\nSeconds of one fit, median of ", REPEATS, ", with standard errors, two threads.\n\n",
    "| observations | `y ~ x` | `scale = ~ z` | `alpha = ~ g` (4 groups) | all four, 8 coefficients |\n",
    "|---|---|---|---|---|\n", sep = "")
for (size in c(200, 1000, 5000)) {
  d <- design_of(size)
  d$g <- gl(4, size / 4)
  d$y <- response(matrices(d))
  times <- c(median_seconds(function() stable_lm(y ~ x, d)),
             median_seconds(function() stable_lm(y ~ x, d, scale = ~ z)),
             median_seconds(function() suppressWarnings(stable_lm(y ~ x, d, alpha = ~ g))),
             median_seconds(function() fit_of(d)))
  cat("|", size, "|", paste(sprintf("%.3f", times), collapse = " | "), "|\n")
}
message("repeated samples took ", round(elapsed), " s")
