# bench/efficiency.R: measures how close maximum likelihood comes to the Cramer-Rao bound, and how often its 95%
# intervals contain the true values, where the likelihood is regular (alpha < 2, |beta| < 1).  Prints
# bench/efficiency.md.
#   Rscript bench/efficiency.R > bench/efficiency.md
# Results are stored in build/efficiency and reused by later runs.
#
# The mean square of the error e of an estimator is computed with a control variate, its linear part
# l = I^-1 (mean of the scores at the true parameters), whose mean square equals the bound:
# E e^2 = E (e^2 - c l^2) + c bound^2.  With c from the regression of e^2 on l^2 the Monte Carlo error is a fraction of
# that of the mean of e^2 alone.
library(stablecl)
source("bench/cramer-rao.R")
stable_threads(1)

shapes <- data.frame(alpha = c(0.6, 0.6, 1, 1, 1.2, 1.5, 1.5, 1.5, 1.8, 1.8),
                     beta = c(0, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.8, 0, 0.5))
parameters <- c("alpha", "beta", "gamma", "delta")
counts <- c("1000" = 5000, "10000" = 500)         # samples of each size
block <- 500
profiled <- 2                                       # blocks of samples of 1000 with profiles
judged <- 20                                        # samples whose likelihood a second optimiser maximises
z <- qnorm(0.975)

# ---- one block of samples ------------------------------------------------------------

# TRUE if the Wald interval, as computed by confint(), contains the true value.
wald <- function(error, theta, sd) {
  reach <- z * sd
  inside <- abs(error) <= reach
  inside[, 3] <- abs(log(theta[, 3])) <= reach[, 3] / theta[, 3]
  inside
}

# TRUE if the profile interval contains the true value: its deviance is at most the quantile of chi-squared.
profile <- function(x, loglik, truth) {
  vapply(parameters, function(name) {
    held <- suppressWarnings(stablefit(x, fixed = as.list(truth[name]), se = FALSE))
    2 * (loglik - as.data.frame(held)$loglik) <= z^2
  }, logical(ncol(x)))
}

exact <- function(x, theta) sum(dstable(x, theta[1], theta[2], theta[3], theta[4], log = TRUE))

# Maximises the exact log-likelihood by nlminb(), starting at the true parameters; returns the distance of that maximum
# from the estimate in standard errors, and the difference of the log-likelihoods.
other_maximum <- function(x, theta, sd, truth) {
  objective <- function(y) {
    value <- -exact(x, truth + y * sd)
    if (is.finite(value)) value else 1e10
  }
  found <- nlminb(rep(0, 4), objective, lower = (c(0.1, -1, 0.1, -Inf) - truth) / sd,
                  upper = (c(2, 1, Inf, Inf) - truth) / sd,
                  control = list(rel.tol = 1e-15, x.tol = 1e-10, eval.max = 2000, iter.max = 500))
  c(max(abs((truth + found$par * sd - theta) / sd)), -found$objective - exact(x, theta))
}

one_block <- function(n, alpha, beta, with_profile, others) {
  truth <- c(alpha = alpha, beta = beta, gamma = 1, delta = 0)
  x <- matrix(rstable(n * block, alpha, beta), n)
  table <- as.data.frame(suppressWarnings(stablefit(x)))
  theta <- as.matrix(table[parameters])
  sd <- as.matrix(table[paste0("se.", parameters)])
  error <- sweep(theta, 2, truth)
  score <- stable_quick(x, alpha, beta)[, -1]
  mean_score <- apply(array(score, c(n, block, 4)), 2:3, mean)
  list(error = error, linear = mean_score %*% solve(information(alpha, beta)), wald = wald(error, theta, sd),
       profile = if (with_profile) profile(x, table$loglik, truth),
       other = if (others > 0) vapply(seq_len(others), function(i) other_maximum(x[, i], theta[i, ], sd[i, ], truth),
                                      numeric(2)))
}

kept <- "build/efficiency"
dir.create(kept, FALSE, TRUE)

run <- function(n, i) {
  file <- file.path(kept, sprintf("%d-%g-%g.rds", n, shapes$alpha[i], shapes$beta[i]))
  if (file.exists(file)) return(readRDS(file))
  r <- compute(n, i)
  saveRDS(r, file)
  message("n = ", n, ", alpha ", shapes$alpha[i], ", beta ", shapes$beta[i], ": ", round(sum(proc.time()[1:2])), " s")
  r
}

compute <- function(n, i) {
  set.seed(1000 * i + log10(n))
  all <- lapply(seq_len(counts[[as.character(n)]] / block), function(k)
    one_block(n, shapes$alpha[i], shapes$beta[i], n == 1000 && k <= profiled, if (n == 1000 && k == 1) judged else 0))
  joined <- lapply(c(error = "error", linear = "linear", wald = "wald", profile = "profile"), function(name)
    do.call(rbind, lapply(all, `[[`, name)))
  c(joined, list(other = all[[1]]$other))
}

# ---- results ----------------------------------------------------------------------------

# Returns the root mean square error divided by the bound, and its Monte Carlo error.
efficiency <- function(r, bounds) {
  vapply(1:4, function(j) {
    ok <- !is.na(r$error[, j])
    e2 <- (r$error[ok, j] / bounds[j])^2
    l2 <- (r$linear[ok, j] / bounds[j])^2
    c <- cov(e2, l2) / var(l2)
    rest <- e2 - c * (l2 - 1)
    ratio <- sqrt(mean(rest))
    c(ratio, sd(rest) / sqrt(sum(ok)) / (2 * ratio))
  }, numeric(2))
}
# Returns the bias divided by the bound, and its Monte Carlo error; the linear part is unbiased.
bias <- function(r, bounds) {
  d <- sweep(r$error - r$linear, 2, bounds, "/")
  rbind(colMeans(d, na.rm = TRUE), apply(d, 2, sd, na.rm = TRUE) / sqrt(nrow(d)))
}
with_error <- function(v, digits) sprintf("%.*f ± %.*f", digits, v[1, ], digits, v[2, ])

results <- lapply(c("1000" = 1000, "10000" = 10000), function(n) lapply(seq_len(nrow(shapes)), function(i) {
  r <- run(n, i)
  b <- bound(shapes$alpha[i], shapes$beta[i], n)
  list(bound = b, efficiency = efficiency(r, b), bias = bias(r, b), wald = colMeans(r$wald, na.rm = TRUE),
       none = max(colMeans(is.na(r$wald))), profile = if (!is.null(r$profile)) colMeans(r$profile, na.rm = TRUE),
       other = r$other)
}))

shape_name <- function(i) sprintf("(%g, %g)", shapes$alpha[i], shapes$beta[i])
print_row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
print_head <- function(...) {
  print_row(...)
  cat(strrep("|---", length(c(...))), "|\n", sep = "")
}
each_shape <- function(row) for (i in seq_len(nrow(shapes))) print_row(shape_name(i), row(i))
by_size <- paste0(rep(parameters, 2), ", n = ", rep(c(1000, 10000), each = 4))
of <- function(i, what) lapply(results, function(r) r[[i]][[what]])
worst <- function(n) max(vapply(results[[n]], function(r) max(r$efficiency[1, ]), 0))

cat("# Maximum likelihood: efficiency and coverage\n\nPrinted by `Rscript bench/efficiency.R`,", format(Sys.Date()),
    "\n\nSamples of S0(alpha, beta, 1, 0), all by `stablefit(x)` as it stands:", counts[1], "of 1000 observations and",
    counts[2], "of 10000.\n± is the Monte Carlo standard error.\n")
cat("\n## Root mean square error over the Cramer-Rao bound\n\n")
print_head("shape", by_size)
each_shape(function(i) unlist(lapply(of(i, "efficiency"), with_error, 3)))
cat(sprintf("\nLargest: %.3f for n = 1000, %.3f for n = 10000.\n", worst(1), worst(2)))
beyond <- function(n, what, is_off) {
  judge <- function(r) is_off(if (what == "efficiency") r[[what]][1, ] else r[[what]])
  all <- t(vapply(results[[n]], judge, logical(4)))
  if (!any(all)) return("none")
  paste(paste(parameters[col(all)[all]], "at", shape_name(row(all)[all])), collapse = ", ")
}
cat("More than 3% above the bound for n = 1000:", beyond(1, "efficiency", function(v) v > 1.03), "\n")

cat("\n## Is an excess the law's or the program's?\n\nThe estimates are the exact maxima: the maximum of the",
    "exact log-likelihood, by nlminb() from the true parameters,", judged, "samples of 1000 of each shape,",
    "is nowhere higher.  So an excess is what maximum likelihood itself has at this size; it goes as n grows.\n\n")
print_head("shape", "largest distance from the estimate, in standard errors", "highest above it, log-likelihood")
each_shape(function(i) sprintf("%.1e", apply(results[[1]][[i]]$other, 1, max)))

cat("\n## Bias over the bound\n\n")
print_head("shape", by_size)
each_shape(function(i) unlist(lapply(of(i, "bias"), with_error, 3)))

cover <- function(p) ifelse(is.na(p), "", sprintf("%.1f", 100 * p))
range_of <- function(n, what) sprintf("%.1f to %.1f", 100 * min(unlist(lapply(results[[n]], `[[`, what))),
                                      100 * max(unlist(lapply(results[[n]], `[[`, what))))
cat(sprintf("\n## Coverage of 95%% intervals, per cent\n\nWald's: ± %.2f for n = 1000, ± %.2f for n = 10000.\n\n",
            100 * sqrt(0.0475 / counts[1]), 100 * sqrt(0.0475 / counts[2])))
print_head("shape", by_size)
each_shape(function(i) unlist(lapply(of(i, "wald"), cover)))
cat(sprintf("\n%s for n = 1000, %s for n = 10000.  Fits without an interval, an estimate at a bound: at most %.2f%%.\n",
            range_of(1, "wald"), range_of(2, "wald"), 100 * max(unlist(lapply(results, lapply, `[[`, "none")))))
outside <- function(v) v < 0.93 | v > 0.97
cat("Outside of 93 to 97 for n = 1000:", beyond(1, "wald", outside), "\n")
cat(sprintf("\nFrom the profile likelihood, %d samples of 1000, ± %.2f:\n\n", profiled * block,
            100 * sqrt(0.0475 / (profiled * block))))
print_head("shape", parameters)
each_shape(function(i) cover(results[[1]][[i]]$profile))
cat(sprintf("\n%s.\n", range_of(1, "profile")))
cat("Outside of 93 to 97:", beyond(1, "profile", outside), "\n")
