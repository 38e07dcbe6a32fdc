# Fits stable distributions to the daily returns of four stock indices (R's data set EuStockMarkets).
#
#     Rscript inst/scripts/demo.R [picture.png]
#
# Prints estimates with standard errors and a comparison with the normal distribution,
# and draws one picture: densities above, tails below.

library(stablecl)

arguments <- commandArgs(trailingOnly = TRUE)
picture <- if (length(arguments)) arguments[1] else "stablecl-demo.png"

returns <- 100 * diff(log(EuStockMarkets))            # in percent
started <- proc.time()[["elapsed"]]
fits <- lapply(colnames(returns), function(index) stablefit(returns[, index]))
names(fits) <- colnames(returns)
seconds <- proc.time()[["elapsed"]] - started

normal_aic <- function(x) {
  n <- length(x)
  n * (log(2 * pi * mean((x - mean(x))^2)) + 1) + 2 * 2
}

cat("Daily log-returns of", length(fits), "indices,", nobs(fits[[1]]), "days, fitted in",
    format(seconds, digits = 2), "s\n")
cat("Maximum likelihood; parametrisation S0; returns in percent\n\n")
for (index in names(fits)) {
  fit <- fits[[index]]
  table <- rbind(estimate = coef(fit), "std. error" = sqrt(diag(vcov(fit))))
  cat(index, "\n")
  print(round(table, 4))
  cat(sprintf("  log-likelihood %.2f   AIC %.1f   normal AIC %.1f   difference %.1f\n\n",
              logLik(fit), AIC(fit), normal_aic(returns[, index]),
              normal_aic(returns[, index]) - AIC(fit)))
}
cat("A difference above 10 rules out the normal distribution.\n")

png(picture, width = 2400, height = 1300, res = 150)
par(mfcol = c(2, length(fits)), mar = c(4.2, 4.4, 2.6, 1), mgp = c(2.9, 0.7, 0), cex.main = 1.1)
for (index in names(fits)) {
  plot(fits[[index]], c("density", "tails"), normal = TRUE, ask = FALSE,
       main = c(index, paste(index, "tails")),
       xlab = "Daily log-return in percent")
}
invisible(dev.off())
cat("Picture:", normalizePath(picture), "\n")
