# bench/tests.R: measures how often likelihood-ratio tests by anova() and Vuong's test by stable_compare() reject at the
# level of 5 %, for samples and regressions in which the hypothesis holds (the size of the test) and in which it does
# not (its power).  Those of stable_gof() are in bench/gof.md.
#   Rscript bench/tests.R [--runs=400] [--cores=N] > bench/tests.md
# runs: number of samples of each kind; cores: number of processes (default: all cores), on which the results do not
# depend, because each sample has a seed of its own.  Nothing is timed.
library(stablecl)

source("bench/samples.R")                                # option(), each_sample()
runs <- option("runs", 400L)
cores <- option("cores", parallel::detectCores())
level <- 0.05
sizes <- c(50, 200)

# ---- tests: functions of data that return p-values by the name of the hypothesis ---------

of_sample <- function(x) {
  p <- anova(stablefit(x))[["Pr(>Chisq)"]]
  c("alpha = 2, beta = 0 against symmetric" = p[1], "alpha = 1, beta = 0 against symmetric" = p[2],
    "beta = 0" = p[3])
}

last_p <- function(...) anova(...)[2, "Pr(>Chisq)"]
of_regression <- function(d) {
  fit <- stable_lm(y ~ x, d)
  with_scale <- stable_lm(y ~ x, d, scale = ~ x)
  c("no slope of the location" = last_p(stable_lm(y ~ 1, d), fit),
    "no slope of the scale" = last_p(fit, with_scale),
    "no slopes of location and scale" = last_p(stable_lm(y ~ 1, d), with_scale),
    "no slope of alpha" = last_p(fit, stable_lm(y ~ x, d, alpha = ~ x)),
    "no slope of beta" = last_p(fit, stable_lm(y ~ x, d, beta = ~ x)),
    "beta = 0" = last_p(stable_lm(y ~ x, d, fixed = c(beta = 0)), fit))
}

# Two one-sided rejections, for which `statistic` has the sign.
by_vuong <- function(x) {
  row <- stable_compare(stablefit(x), "t")["t", ]
  p <- function(sign) if (sign * row$statistic > 0) row$p.value else 1
  c("t is as close: for stable" = p(1), "t is as close: for t" = p(-1))
}

# ---- data ------------------------------------------------------------------------------

stable_sample <- function(alpha, beta) function(n) rstable(n, alpha, beta)
# Errors with the parameters of the predictors, at a regressor x that is -1 or 1.
regression_data <- function(location = 0, scale = 0, alpha = 0, beta = 0) function(n) {
  x <- rep_len(c(-1, 1), n)
  data.frame(x, y = rstable(n, 2 * plogis(1 + alpha * x), tanh(beta[1] * (if (length(beta) > 1) 1 else x) / 2),
                            exp(scale * x), location * x))
}
cases <- list(
  list(of_sample, list("normal" = rnorm, "stable (1.9, 0)" = stable_sample(1.9, 0),
                       "stable (1.5, 0)" = stable_sample(1.5, 0), "stable (1.5, 0.5)" = stable_sample(1.5, 0.5),
                       "stable (1, 0)" = stable_sample(1, 0))),
  list(of_regression, list(
    "no slopes, beta 0" = regression_data(), "location 0.3 x" = regression_data(location = 0.3),
    "scale exp(0.3 x)" = regression_data(scale = 0.3), "alpha logit^-1(1 + x)" = regression_data(alpha = 1),
    "beta tanh(x)" = regression_data(beta = 2), "beta 0.76" = regression_data(beta = c(2, 0)))),
  list(by_vuong, list("stable (1.5, 0)" = stable_sample(1.5, 0), "stable (1.5, 0.5)" = stable_sample(1.5, 0.5),
                      "t, df 3" = function(n) rt(n, 3))))

# Returns a matrix with the p-values of samples 1, ..., `runs` in its columns.
p_values <- function(test, draw, n) {
  simplify2array(each_sample(runs, cores, function(k) {
    set.seed(800000 + k)
    suppressWarnings(test(draw(n)))
  }, is_shared = TRUE))
}

stable_threads(1)
cat("# Size and power of likelihood-ratio tests\n\nPrinted by `Rscript bench/tests.R --runs=", runs, "`, ",
    format(Sys.Date()), ". Percentage of ", runs, " samples for which `anova()` rejects a hypothesis at the level of ",
    "5 % (standard error of 5 %: ", sprintf("%.1f", 100 * sqrt(level * (1 - level) / runs)),
    "). Bold: the hypothesis holds, and the percentage is the size of the test. Missing p-values count as no ",
    "rejection; their number is in brackets.\n", sep = "")
holds <- list(
  "alpha = 2, beta = 0 against symmetric" = "normal", "alpha = 1, beta = 0 against symmetric" = "stable (1, 0)",
  "beta = 0" = c("normal", "stable (1.9, 0)", "stable (1.5, 0)", "stable (1, 0)", "no slopes, beta 0", "location 0.3 x",
                 "scale exp(0.3 x)", "alpha logit^-1(1 + x)"),
  "no slope of the location" = c("no slopes, beta 0", "beta 0.76"),
  "no slope of the scale" = c("no slopes, beta 0", "location 0.3 x", "beta 0.76"),
  "no slopes of location and scale" = c("no slopes, beta 0", "beta 0.76"),
  "no slope of alpha" = c("no slopes, beta 0", "location 0.3 x", "beta 0.76"),
  "no slope of beta" = c("no slopes, beta 0", "location 0.3 x", "beta 0.76"))

print_table <- function(test, draws) {
  first <- TRUE
  for (n in sizes) for (name in names(draws)) {
    p <- p_values(test, draws[[name]], n)
    if (first) cat("\n| data | n | ", paste(rownames(p), collapse = " | "), " |\n|---|---:|",
                   strrep("---:|", nrow(p)), "\n", sep = "")
    first <- FALSE
    share <- sprintf("%.1f", 100 * rowSums(p <= level, na.rm = TRUE) / runs)
    is_true <- vapply(rownames(p), function(h) name %in% holds[[h]], NA)
    absent <- rowSums(is.na(p))
    cell <- paste0(ifelse(is_true, paste0("**", share, "**"), share), ifelse(absent > 0, paste0(" (", absent, ")"), ""))
    cat("|", paste(c(name, n, cell), collapse = " | "), "|\n")
  }
}
titles <- c("Samples, `anova(stablefit(x))`", "Regressions, `anova(stable_lm(y ~ 1), stable_lm(y ~ x))` and others",
            "Vuong's test against Student's t distribution, `stable_compare()`")
notes <- c("", paste("\nThe regressor x is -1 or 1; unless stated, alpha is 2/(1 + exp(-1)) = 1.46, beta is 0 and the",
                     "scale 1.\n"),
           "\nRejections in favour of the stable and of the t distribution.  The hypothesis holds in none.\n")
for (i in seq_along(cases)) {
  cat("\n## ", titles[i], "\n", notes[i], sep = "")
  print_table(cases[[i]][[1]], cases[[i]][[2]])
}
