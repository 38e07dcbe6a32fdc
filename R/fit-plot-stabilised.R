# P-P and Q-Q plots of a fit on scales that give the centre and the tails similar weight.

# Michael (1983): the arc sine of the square root of a uniform order statistic has nearly constant variance.
stabilise <- function(p) 2 / pi * asin(sqrt(p))

# Returns the expected and the fitted probability of each observation in increasing order, on the stabilised scale.
pp_points <- function(fit) {
  u <- sort(stats::residuals(fit, "pit"))
  data.frame(expected = stabilise((seq_along(u) - 0.5) / length(u)), observed = stabilise(u))
}

# Returns the 95% quantile of the largest distance from the diagonal, for a distribution that was not fitted to the
# sample.  sqrt(n) times the quantile varies little, and is interpolated between the values of
# data-raw/michael-limits.R.
michael_limit <- function(n) {
  size <- c(8, 16, 32, 100, 316, 1000, 10000)
  scaled <- c(0.801, 0.870, 0.928, 0.980, 1.027, 1.052, 1.096)
  stats::approx(log(size), scaled, log(n), rule = 2L)$y / sqrt(n)
}

plot_fit_pp <- function(fit, ...) {
  points <- pp_points(fit)
  limit <- michael_limit(length(fit$data))
  framed_plot(list(xlim = c(0, 1), ylim = c(0, 1), xlab = "Expected probability", ylab = "Fitted probability",
                   xaxt = "n", yaxt = "n"), ...)
  labels <- c(0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1)
  for (side in 1:2) graphics::axis(side, stabilise(labels), labels, las = side - 1L)
  graphics::points(points$expected, points$observed, pch = 1, cex = 0.6, col = plot_colours[["points"]])
  graphics::lines(c(0, 1), c(0, 1), col = plot_colours[["stable"]], lwd = 2)
  for (shift in c(-limit, limit))
    graphics::lines(c(max(0, -shift), min(1, 1 - shift)), c(max(0, shift), min(1, 1 + shift)),
                    col = plot_colours[["normal"]], lty = 2)
}

# Returns quantiles of the fitted distribution at the plotting positions, the ordered data, and limits of the order
# statistics, all as asinh((x - delta)/gamma).
quantile_points <- function(fit) {
  n <- length(fit$data)
  i <- seq_len(n)
  p <- fit$theta
  law <- function(prob) asinh(qstable(prob, p[["alpha"]], p[["beta"]]))
  data.frame(law = law((i - 0.5) / n), sample = asinh(sort((fit$data - p[["delta"]]) / p[["gamma"]])),
             lower = law(stats::qbeta(0.025, i, n - i + 1)), upper = law(stats::qbeta(0.975, i, n - i + 1)))
}

plot_fit_quantiles <- function(fit, ...) {
  points <- quantile_points(fit)
  ylim <- range(points$sample, points$law)
  ticks <- list(asinh_ticks(range(points$law), fit), asinh_ticks(ylim, fit))
  framed_plot(list(xlim = range(points$law), ylim = ylim, xlab = "Quantiles of the fitted distribution",
                   ylab = "Observations", xaxt = "n", yaxt = "n"), ..., ticks = ticks[[2L]]$label)
  band <- pmin(pmax(cbind(points$lower, points$upper), ylim[1L] - 1), ylim[2L] + 1)
  graphics::polygon(c(points$law, rev(points$law)), c(band[, 1L], rev(band[, 2L])), col = plot_colours[["band"]],
                    border = NA)
  graphics::lines(ylim, ylim, col = plot_colours[["stable"]], lwd = 2)
  graphics::points(points$law, points$sample, pch = 1, cex = 0.6, col = plot_colours[["points"]])
  for (side in 1:2) graphics::axis(side, ticks[[side]]$at, ticks[[side]]$label, las = side - 1L)
}

# Returns round numbers in the unit of the data for an axis on the scale asinh((x - delta)/gamma), at least an eighth of
# the range apart.
asinh_ticks <- function(range, fit) {
  scale <- function(x) asinh((x - fit$theta[["delta"]]) / fit$theta[["gamma"]])
  ends <- fit$theta[["delta"]] + fit$theta[["gamma"]] * sinh(range)
  decades <- 10^seq(floor(log10(fit$theta[["gamma"]])), ceiling(log10(max(abs(ends)))))
  candidates <- c(0, rbind(decades, -decades), rbind(3 * decades, -3 * decades), pretty(ends))
  candidates <- candidates[candidates >= min(ends) & candidates <= max(ends)]
  chosen <- numeric()
  for (x in candidates) if (all(abs(scale(chosen) - scale(x)) > diff(range) / 8)) chosen <- c(chosen, x)
  chosen <- sort(chosen)
  list(at = scale(chosen), label = format_each(chosen, 3L))
}
