# bench/series.R: fits stable distributions to four of R's data sets, with intervals, tests, goodness of fit, and the
# normal distribution for comparison.  Prints bench/series.md.
#   Rscript bench/series.R > bench/series.md
library(stablecl)
options(width = 110)
ozone <- lm(Ozone ~ Wind + Temp + Solar.R, airquality)
series <- list(
  list(name = "Returns: DAX", x = as.vector(diff(log(EuStockMarkets[, "DAX"]))),
       from = "`diff(log(EuStockMarkets[, \"DAX\"]))`, daily, 1991 to 1998"),
  list(name = "Counts: stations of a seismic network", x = quakes$stations,
       from = "`quakes$stations`, how many stations reported each of 1000 earthquakes; 10 at least"),
  list(name = "Areas: the world's land masses", x = as.numeric(islands),
       from = "`islands`, those above 10000 square miles, in thousands of them"),
  list(name = "Residuals: a regression of ozone", x = unname(residuals(ozone)),
       from = "residuals of `lm(Ozone ~ Wind + Temp + Solar.R, airquality)`"))
bootstraps <- 199
probabilities <- c(0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999)

print_row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
print_head <- function(...) {
  print_row(...)
  cat(strrep("|---", length(c(...))), "|\n", sep = "")
}
number <- function(v, digits = 4) ifelse(is.na(v), "", formatC(v, digits = digits, format = "g", width = 1))
interval <- function(ci) ifelse(is.na(ci[, 1]), "", sprintf("%s to %s", number(ci[, 1]), number(ci[, 2])))

print_estimates <- function(fit) {
  wald <- interval(confint(fit))
  profile <- interval(confint(fit, method = "profile"))
  print_head("", "estimate", "standard error", "95%, Wald", "95%, profile likelihood")
  sd <- sqrt(diag(vcov(fit)))
  for (p in names(coef(fit)))
    print_row(p, number(coef(fit)[[p]]), number(sd[[p]]), wald[[match(p, names(sd))]], profile[[match(p, names(sd))]])
  for (note in fit$notes) cat("\n", note, "\n", sep = "")
}

print_tests <- function(fit) {
  tests <- anova(fit)
  gof <- stable_gof(fit, R = bootstraps, seed = 1)
  cat("\n")
  print_head("law", "parameters", "log-likelihood", "AIC", "p-value against the larger")
  for (i in seq_len(nrow(tests)))
    print_row(rownames(tests)[i], tests$npar[i], sprintf("%.2f", tests$logLik[i]), sprintf("%.1f", tests$AIC[i]),
              number(tests[["Pr(>Chisq)"]][i], 3))
  cat(sprintf("\nGoodness of fit, p-values from %d samples of the fitted law: Kolmogorov-Smirnov %.3g, ",
              bootstraps, gof["ks", "p.value"]),
      sprintf("Anderson-Darling %.3g, Cramer-von Mises %.3g.\n\n", gof["ad", "p.value"], gof["cvm", "p.value"]),
      sep = "")
}

print_quantiles <- function(x, fit) {
  shown <- probabilities[pmin(probabilities, 1 - probabilities) * length(x) >= 0.5]
  print_head("quantile", sprintf("%g%%", 100 * shown))
  print_row("sample", number(quantile(x, shown, type = 6), 3))
  print_row("stable", number(predict(fit, shown), 3))
  print_row("normal", number(qnorm(shown, mean(x), sd(x)), 3))
}

cat("# Four series\n\nPrinted by `Rscript bench/series.R`, ", format(Sys.Date()), ", stablecl ",
    format(packageVersion("stablecl")), ".  All intervals and p-values take the values as independent.\n", sep = "")
for (s in series) {
  fit <- suppressWarnings(stablefit(s$x))
  cat("\n## ", s$name, "\n\n", s$from, "; n = ", length(s$x), ".\n\n", sep = "")
  print_estimates(fit)
  print_tests(fit)
  print_quantiles(s$x, fit)
}

cat("\n## The regression with stable errors\n\n`stable_lm(Ozone ~ Wind + Temp + Solar.R, airquality)` estimates the",
    "coefficients and the law of the errors together; log-likelihood")
robust <- stable_lm(Ozone ~ Wind + Temp + Solar.R, airquality)
cat(sprintf(" %.2f, of least squares with normal errors %.2f.\n\n", as.numeric(logLik(robust)),
            as.numeric(logLik(ozone))))
least <- summary(ozone)$coefficients
print_head("", "stable errors", "standard error", "least squares", "standard error")
for (p in rownames(least))
  print_row(p, number(coef(robust)[[p]]), number(sqrt(diag(vcov(robust)))[[p]]), number(least[p, 1:2]))
