# The plots of plot.stablefit() as objects of package ggplot2.

#' Plot a fitted stable distribution with ggplot2
#'
#' The plots of [plot.stablefit()] as objects of package ggplot2 (`ggplot2::autoplot()`), to which layers, scales and
#' themes can be added.
#'
#' @param object an object of class `"stablefit"`.
#' @param type the plot: `"density"`, `"pp"` (stabilised P-P plot), `"quantiles"` (Q-Q plot on the scale
#'   \eqn{\sinh^{-1}((x-\delta)/\gamma)}{asinh((x - delta)/gamma)}), `"tails"`, `"qq"` (normal Q-Q plot of the quantile
#'   residuals) or `"likelihood"` (confidence regions of `alpha` and `beta`); [plot.stablefit()] describes them.
#' @param ... not used; any further argument is an error.
#' @return An object of class `"ggplot"`.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- stablefit(diff(log(EuStockMarkets[, "DAX"])))
#' ggplot2::autoplot(fit, "tails")
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`type` is not one of the plots, or an argument is unknown or empty.}
#' }
#' @seealso [`plot()`][plot.stablefit], [`autoplot()`][autoplot.stablefits] of many fits, [stablefit()].
#' @method autoplot stablefit
#' @exportS3Method ggplot2::autoplot stablefit
autoplot.stablefit <- function(object, type = c("density", "pp", "quantiles", "tails", "qq", "likelihood"), ...) {
  check_dots(...)
  type <- choice_of(type)
  picture <- switch(type, density = gg_density(object), pp = gg_pp(object), quantiles = gg_quantiles(object),
                    tails = gg_tails(object), qq = gg_qq(object), likelihood = gg_likelihood(object))
  picture + ggplot2::labs(title = fit_plots[[type, "title"]]) + ggplot2::theme_minimal()
}

gg_density <- function(fit) {
  range <- plot_range(fit)
  breaks <- density_breaks(fit$data, range)
  inside <- fit$data[fit$data >= range[1L] & fit$data <= range[2L]]
  bars <- graphics::hist(inside, breaks = breaks, plot = FALSE)
  bars <- data.frame(x = bars$mids, height = bars$counts / length(fit$data) / diff(breaks))
  at <- sort(c(seq(range[1L], range[2L], length.out = 501L), fit_mode(fit)))
  curve <- data.frame(x = at, density = stats::predict(fit, type = "density", at = at))
  ggplot2::ggplot() +
    ggplot2::geom_col(ggplot2::aes(x = bars$x, y = bars$height), width = diff(breaks)[1L],
                      fill = plot_colours[["bars"]], colour = plot_colours[["edge"]]) +
    ggplot2::geom_line(ggplot2::aes(x = curve$x, y = curve$density), colour = plot_colours[["stable"]], linewidth = 1) +
    ggplot2::labs(x = "x", y = "Density",
                  caption = sprintf("%d of %d outside", length(fit$data) - length(inside), length(fit$data)))
}

gg_pp <- function(fit) {
  points <- pp_points(fit)
  limit <- michael_limit(length(fit$data))
  labels <- c(0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
  gg_scatter(points$expected, points$observed) +
    ggplot2::geom_abline(intercept = c(-limit, limit), slope = 1, linetype = 2, colour = plot_colours[["normal"]]) +
    ggplot2::scale_x_continuous(breaks = stabilise(labels), labels = labels, limits = c(0, 1), minor_breaks = NULL) +
    ggplot2::scale_y_continuous(breaks = stabilise(labels), labels = labels, limits = c(0, 1), minor_breaks = NULL) +
    ggplot2::coord_equal() + ggplot2::labs(x = "Expected probability", y = "Fitted probability")
}

gg_quantiles <- function(fit) {
  points <- quantile_points(fit)
  ylim <- range(points$sample, points$law)
  inside <- function(v) pmin(pmax(v, ylim[1L]), ylim[2L])
  ticks <- asinh_ticks(ylim, fit)
  band <- ggplot2::geom_ribbon(ggplot2::aes(x = points$law, ymin = inside(points$lower), ymax = inside(points$upper)),
                               fill = plot_colours[["band"]])
  gg_scatter(points$law, points$sample, band) +
    ggplot2::scale_x_continuous(breaks = ticks$at, labels = ticks$label, minor_breaks = NULL) +
    ggplot2::scale_y_continuous(breaks = ticks$at, labels = ticks$label, limits = ylim, minor_breaks = NULL) +
    ggplot2::labs(x = "Quantiles of the fitted distribution", y = "Observations")
}

# Returns a plot of points and the diagonal, drawn above the layer `behind`.
gg_scatter <- function(x, y, behind = NULL) {
  ggplot2::ggplot() + behind +
    ggplot2::geom_abline(intercept = 0, slope = 1, colour = plot_colours[["stable"]], linewidth = 1) +
    ggplot2::geom_point(ggplot2::aes(x = x, y = y), shape = 1, colour = plot_colours[["points"]])
}

gg_qq <- function(fit) {
  points <- residual_points(fit)
  gg_scatter(points$at, points$residual, ggplot2::geom_ribbon(
    ggplot2::aes(x = points$at, ymin = points$low, ymax = points$high), fill = plot_colours[["band"]])) +
    ggplot2::labs(x = "Normal quantiles", y = "Quantile residuals")
}

gg_likelihood <- function(fit) {
  surface <- fit_likelihood_surface(fit)
  grid <- expand.grid(alpha = surface$alpha, beta = surface$beta)
  grid$below <- as.vector(surface$below)
  drop <- stats::qchisq(region_levels, 2) / 2
  ggplot2::ggplot(grid, columns_as(x = "alpha", y = "beta", z = "below")) +
    ggplot2::geom_contour_filled(breaks = c(-1, drop)) +
    ggplot2::scale_fill_manual("Region", values = likelihood_colours, labels = paste0(100 * region_levels, "%")) +
    ggplot2::geom_contour(breaks = drop, colour = plot_colours[["normal"]]) +
    ggplot2::annotate("point", x = fit$theta[["alpha"]], y = fit$theta[["beta"]], shape = 3, size = 3,
                      colour = plot_colours[["stable"]])
}

gg_tails <- function(fit) {
  middle <- stats::predict(fit, 0.5)[[1L]]
  tails <- fit_tails(fit, middle)
  name <- rep(names(tails), vapply(tails, function(t) length(t$away), 0L))
  points <- data.frame(tail = name, away = unlist(lapply(tails, `[[`, "away")),
                       share = unlist(lapply(tails, `[[`, "share")))
  far <- exp(seq(log(min(points$away)), log(max(points$away)), length.out = 201L))
  beyond <- function(tail) stats::predict(fit, type = "probability", at = middle + tail$side * far,
                                          lower.tail = tail$side < 0)
  lines <- data.frame(tail = rep(names(tails), each = 201L), away = far, share = unlist(lapply(tails, beyond)))
  ggplot2::ggplot() +
    ggplot2::geom_point(ggplot2::aes(x = points$away, y = points$share, colour = points$tail, shape = points$tail)) +
    ggplot2::geom_line(ggplot2::aes(x = lines$away, y = lines$share, colour = lines$tail), linewidth = 1) +
    ggplot2::scale_x_log10() + ggplot2::scale_y_log10() +
    ggplot2::scale_colour_manual(name = "tail", values = plot_colours[c("right", "left")]) +
    ggplot2::scale_shape_manual(name = "tail", values = c(right = 1, left = 2)) +
    ggplot2::labs(x = "Distance from the median", y = "Probability beyond")
}
