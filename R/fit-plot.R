# Plots of a fit: histogram, tails and quantile residuals.  The P-P and Q-Q plots are in fit-plot-stabilised.R, those of
# the likelihood in fit-plot-likelihood.R.

#' Plot a fitted stable distribution
#'
#' Up to six plots: the sample as a histogram with the fitted density, both
#' tails on logarithmic axes, quantile residuals against normal quantiles, stabilised P-P and Q-Q plots, and contours
#' of the likelihood in the plane of `alpha` and `beta`.
#'
#' The histogram covers the central 99% of the fitted distribution, at most eight interquartile ranges on either side of
#' its median, or the range of the data where that is narrower, and is scaled as a density of the whole
#' sample: the number of observations outside is printed in the corner.
#'
#' The tail plot shows, right and left of the median of the fitted distribution, the share
#' of the sample (points) and the probability (lines) beyond each distance; the
#' normal distribution is centred at its own mean.  The tails of a stable distribution with `alpha <
#' 2` approach straight lines of slope `-alpha`.
#'
#' The third plot shows the quantile residuals (see [residuals.stablefit()]), so
#' that even the largest observations remain visible, with pointwise 95% limits
#' of their order statistics.
#'
#' The fourth is the P-P plot on the scale \eqn{\frac2\pi\sin^{-1}\sqrt{p}}{(2/pi) asin(sqrt(p))}, on
#' which all points have nearly the same variance (Michael 1983), and so are equally likely to deviate from the line;
#' the dashed lines are simultaneous 95% limits for a fully specified distribution (quantiles of Michael's statistic for
#' uniform samples, by simulation), wider than those for a fitted distribution.
#'
#' The fifth plots the observations against quantiles of the fitted distribution, both on the scale
#' \eqn{\sinh^{-1}((x-\delta)/\gamma)}{asinh((x - delta)/gamma)}, linear in the centre and logarithmic in the tails,
#' with pointwise 95% limits of the order statistics.
#'
#' The sixth shows joint confidence regions for `alpha` and `beta`: the points at which the log-likelihood, maximised
#' over `gamma` and `delta` (unless fixed) by Fisher scoring with [stable_quick()], is within half the chi-squared
#' quantile with two degrees of freedom of its maximum. A sample of more than 5000 observations is represented by 5000
#' values: the 500 most extreme on either side, and the medians of groups of neighbouring observations, weighted by the
#' size of the group.  The plot takes about a second, and for `alpha` below 0.3 about 20 milliseconds for each
#' observation, 5000 at most.
#'
#' @param x an object of class `"stablefit"`.
#' @param which the plots, a subset of `"density"`, `"tails"`, `"qq"`, `"pp"`, `"quantiles"` and `"likelihood"`, or
#'   their numbers.
#' @param normal logical: add the fitted normal distribution to the first two?
#' @param ask logical: ask before each new page?
#' @param main titles, recycled.
#' @param xlab label of the horizontal axis of the density.
#' @param ... further graphical parameters for [plot.default()].
#' @return `x`, invisibly.
#' @references
#' Michael, J. R. (1983) The stabilized probability plot. *Biometrika* **70**, 11--17. \doi{10.1093/biomet/70.1.11}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, such as `which`, `main` or a flag.}
#' }
#' @seealso [stablefit()], [`coef()`][coef.stablefit], [`autoplot()`][autoplot.stablefit] for plots with package
#'   ggplot2, [stable_gof()] for tests.
#' @examples
#' fit <- stablefit(diff(log(EuStockMarkets[, "DAX"])))
#' plot(fit, "tails", normal = TRUE)
#' plot(fit, c("pp", "quantiles"))
#' @export
plot.stablefit <- function(x, which = c("density", "tails", "qq", "pp"), normal = FALSE,
                           ask = interactive() && prod(graphics::par("mfcol")) < length(which),
                           main = fit_plots[which, "title"], xlab = "x", ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(..., call = sys.call())
  if (is.numeric(which) && !is.object(which) && all(which %in% seq_len(nrow(fit_plots))))
    which <- rownames(fit_plots)[which]
  which <- check_choice(which, rownames(fit_plots), "which", sys.call(), several = TRUE)
  if (!is.null(main) && !is.atomic(main) && !typeof(main) %in% c("expression", "list"))
    stop_with(sys.call(), "argument", "`main` must contain a title for each plot, not ", value_text(main), ".")
  main <- if (length(main)) rep_len(main, length(which))
  check_flag(normal, "normal", sys.call())
  if (check_flag(ask, "ask", sys.call())) {
    old <- grDevices::devAskNewPage(TRUE)
    on.exit(grDevices::devAskNewPage(old))
  }
  for (i in seq_along(which)) {
    switch(which[i],
      density = plot_fit_density(x, normal, main = main[i], xlab = xlab, ...),
      tails = plot_fit_tails(x, normal, main = main[i], ...),
      qq = plot_fit_qq(x, main = main[i], ...),
      pp = plot_fit_pp(x, main = main[i], ...),
      quantiles = plot_fit_quantiles(x, main = main[i], ...),
      likelihood = plot_fit_likelihood(x, main = main[i], ...))
  }
  invisible(x)
}

fit_plots <- cbind(title = c(density = "Density", tails = "Tails", qq = "Quantile residuals",
                             pp = "Stabilised P-P plot", quantiles = "Q-Q plot", likelihood = "Likelihood"))

normal_fit <- function(data) c(mean = mean(data), sd = sqrt(mean((data - mean(data))^2)))

plot_fit_density <- function(fit, normal, ...) {
  data <- fit$data
  range <- plot_range(fit)
  inside <- data >= range[1L] & data <= range[2L]
  bars <- graphics::hist(data[inside], breaks = density_breaks(data, range), plot = FALSE)
  height <- bars$counts / length(data) / diff(bars$breaks)
  at <- sort(c(seq(range[1L], range[2L], length.out = 501L), fit_mode(fit)))
  p <- fit$theta
  curve <- dstable(at, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
  law <- normal_fit(data)
  bell <- if (normal) stats::dnorm(at, law[["mean"]], law[["sd"]])
  framed_plot(list(xlim = range, ylim = c(0, max(height, curve, bell)), ylab = "Density"), ...)
  graphics::rect(bars$breaks[-length(bars$breaks)], 0, bars$breaks[-1L], height,
                 col = plot_colours[["bars"]], border = plot_colours[["edge"]])
  if (normal) graphics::lines(at, bell, col = plot_colours[["normal"]], lwd = 2, lty = 2)
  graphics::lines(at, curve, col = plot_colours[["stable"]], lwd = 2)
  if (length(data) <= 1000L) graphics::rug(data[inside], ticksize = 0.02, col = plot_colours[["rug"]])
  outside <- sum(!inside)
  if (outside) graphics::mtext(sprintf("%d of %d outside", outside, length(data)), side = 3,
                               line = -1, adj = 1, cex = 0.7 * graphics::par("cex"))
  if (normal) plot_legend("topleft", c("stable", "normal"), lty = c(1, 2))
}

fit_mode <- function(fit) {
  p <- fit$theta
  mode_values(p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
}

# Returns the range of the central 99% of the fitted distribution, no wider than the data and than eight interquartile
# ranges on either side of the median, beyond which the peak of a heavy-tailed density would be a vertical line.
plot_range <- function(fit) {
  q <- stats::predict(fit, c(0.005, 0.25, 0.5, 0.75, 0.995))
  most <- 8 * (q[4L] - q[2L])
  range <- c(max(q[1L], q[3L] - most, min(fit$data)), min(q[5L], q[3L] + most, max(fit$data)))
  range + c(-0.02, 0.02) * diff(range)
}

# Returns breaks with the width of Freedman and Diaconis, at least 15 and at most 80 bars.
density_breaks <- function(data, range) {
  width <- 2 * stats::IQR(data) / length(data)^(1 / 3)
  bars <- min(80L, max(15L, ceiling(diff(range) / width)))
  seq(range[1L], range[2L], length.out = bars + 1L)
}

plot_fit_tails <- function(fit, normal, ...) {
  n <- length(fit$data)
  middle <- stats::predict(fit, 0.5)[[1L]]
  tails <- fit_tails(fit, middle)
  far <- range(unlist(lapply(tails, `[[`, "away")))
  height <- c(0.25 / n, 0.3)
  framed_plot(list(xlim = far, ylim = height, log = "xy", xlab = "Distance from the median",
                   ylab = "Probability beyond", yaxt = "n"), ...)
  decade_axis(2L, height)
  at <- exp(seq(log(far[1L]), log(far[2L]), length.out = 201L))
  if (normal) {
    law <- normal_fit(fit$data)
    graphics::lines(at, stats::pnorm(at, sd = law[["sd"]], lower.tail = FALSE),
                    col = plot_colours[["normal"]], lwd = 2, lty = 2)
  }
  for (name in names(tails)) draw_tail(fit, tails[[name]], at, middle, name)
  plot_legend("bottomleft", c("right", "left", if (normal) "normal"),
             lty = c(1, 1, if (normal) 2), pch = c(1, 2, if (normal) NA))
}

# Returns the outer quarter of the sample on either side: distances from the middle and the share beyond each.
fit_tails <- function(fit, middle) {
  n <- length(fit$data)
  lapply(c(right = 1, left = -1), function(side) {
    away <- sort(side * (fit$data - middle), decreasing = TRUE)
    share <- (seq_len(n) - 0.5) / n
    keep <- away > 0 & share <= 0.25
    list(away = away[keep], share = share[keep], side = side)
  })
}

draw_tail <- function(fit, tail, at, middle, name) {
  p <- fit$theta
  colour <- plot_colours[[name]]
  graphics::points(tail$away, tail$share, pch = c(right = 1, left = 2)[[name]], col = colour,
                   cex = 0.6)
  beyond <- pstable(middle + tail$side * at, p[["alpha"]], p[["beta"]], p[["gamma"]],
                    p[["delta"]], lower.tail = tail$side < 0)
  graphics::lines(at, beyond, col = colour, lwd = 2)
}

# Returns the sorted quantile residuals, normal quantiles, and the 95% bounds of each order statistic.
residual_points <- function(fit) {
  r <- sort(stats::residuals(fit))
  n <- length(r)
  i <- seq_len(n)
  data.frame(residual = r, at = stats::qnorm(stats::ppoints(n)), low = stats::qnorm(stats::qbeta(0.025, i, n - i + 1)),
             high = stats::qnorm(stats::qbeta(0.975, i, n - i + 1)))
}

plot_fit_qq <- function(fit, ...) {
  points <- residual_points(fit)
  at <- points$at
  framed_plot(list(xlim = range(at), ylim = range(points[c("residual", "low", "high")]), xlab = "Normal quantiles",
                   ylab = "Quantile residuals"), ...)
  graphics::polygon(c(at, rev(at)), c(points$low, rev(points$high)), col = plot_colours[["band"]], border = NA)
  graphics::abline(0, 1, col = plot_colours[["stable"]], lwd = 2)
  graphics::points(at, points$residual, pch = 1, cex = 0.6, col = plot_colours[["points"]])
}
