# Draws the pictures of README.md.
#
#     Rscript bench/readme-figure.R            writes man/figures/README-tails.png and README-fit.png

library(stablecl)

colours <- c("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7")

draw_densities <- function() {
  alpha <- c(0.3, 0.7, 1, 1.5, 2)
  x <- seq(-4, 4, length.out = 1201)
  y <- sapply(alpha, function(a) dstable(x, a, 0.5))
  matplot(x, y, type = "l", lty = 1, lwd = 2, col = colours, ylim = c(0, 0.7), las = 1,
          xlab = "x", ylab = "Density", main = expression("Stable densities, " * beta == 0.5))
  legend("topright", legend = alpha, title = expression(alpha), col = colours, lwd = 2, bty = "n")
}

draw_tails <- function() {
  alpha <- c(1.5, 1.9, 1.99, 2 - 1e-6, 2)
  x <- 10^seq(-0.5, 3, length.out = 400)
  log10_tail <- sapply(alpha, function(a)
    pstable(x, a, 0.5, lower.tail = FALSE, log.p = TRUE) / log(10))
  matplot(log10(x), log10_tail, type = "l", lty = 1, lwd = 2, col = colours, ylim = c(-20, 0),
          las = 1, xlab = expression(log[10](x)), ylab = expression(log[10](P(X > x))),
          main = expression("Upper tails: normal first, a power of " * x * " later"))
  legend("bottomleft", legend = c("1.5", "1.9", "1.99", expression(2 - 10^-6), "2"),
         title = expression(alpha), col = colours, lwd = 2, bty = "n")
}

draw_fit <- function() {
  fit <- stablefit(100 * diff(log(EuStockMarkets[, "DAX"])))
  plot(fit, c("density", "tails"), normal = TRUE, main = c("Returns of the DAX", "Their tails"),
       xlab = "Daily log-return in percent", ask = FALSE, cex.main = 1)
}

picture <- function(name, draw) {
  png(file.path("man/figures", name), width = 1600, height = 640, res = 150)
  par(mfrow = c(1, 2), mar = c(4, 4.3, 2.5, 1), mgp = c(2.6, 0.7, 0))
  draw()
  invisible(dev.off())
}

dir.create("man/figures", showWarnings = FALSE, recursive = TRUE)
picture("README-tails.png", function() {
  draw_densities()
  draw_tails()
})
picture("README-fit.png", draw_fit)
