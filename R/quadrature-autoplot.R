# The plots of plot.gintegral() as objects of package ggplot2.

#' Plot integrals with ggplot2
#'
#' The plots of [plot.gintegral()] as objects of package ggplot2 (`ggplot2::autoplot()`), to which layers, scales and
#' themes can be added.
#'
#' The colours show the round in which each point was used (`"points"`), the number of points in a cell (`"regions"`),
#' and, with symbols, the statuses of the integrals (`"values"`).
#'
#' @inheritParams plot.gintegral
#' @param object an object of class `"gintegral"`.
#' @param ... not used; any further argument is an error.
#' @return An object of class `"ggplot"`.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' peak <- gintegrate(function(x) 1 / ((x - 0.3)^2 + 1e-4), 0, 1)
#' ggplot2::autoplot(peak)
#' many <- gintegrate(function(x, k) cos(k * x) / (1 + x), 0, 1, params = data.frame(k = 1:40))
#' ggplot2::autoplot(many) + ggplot2::geom_line()
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, the type of plot does not exist for
#'     these integrals, or there is no integral or no finite value to plot.}
#' }
#' @seealso [plot.gintegral()], [gintegrate()].
#' @method autoplot gintegral
#' @exportS3Method ggplot2::autoplot gintegral
autoplot.gintegral <- function(object, type = NULL, which = 1L, against = NULL, axes = 1:2, ...) {
  check_dots(...)
  type <- check_plot(object, type, which, axes, sys.call())
  one <- object[which]
  shown <- if (type == "values") values_shown(object, against, sys.call())
  picture <- switch(type, points = gg_points(one), regions = gg_regions(one, axes),
                    values = gg_values(shown), convergence = gg_convergence(one))
  title <- if (type == "values") shown$title else format(one)
  picture + ggplot2::labs(title = title) + ggplot2::theme_minimal()
}

gg_points <- function(x) {
  at <- points_shown(x)
  ggplot2::ggplot(mapping = ggplot2::aes(x = at$x1, y = at$value)) +
    ggplot2::geom_line(colour = plot_colours[["normal"]]) +
    ggplot2::geom_point(ggplot2::aes(colour = at$round), size = 0.8) +
    ggplot2::scale_colour_gradientn("Round", colours = grDevices::hcl.colors(24L)) +
    ggplot2::labs(x = variable_of(x), y = "Integrand")
}

gg_regions <- function(x, axes) {
  regions <- regions_shown(x, axes)
  middle <- lapply(regions$cuts, function(cuts) (cuts[-1L] + cuts[-length(cuts)]) / 2)
  cells <- expand.grid(x = middle[[1L]], y = middle[[2L]])
  count <- as.vector(regions$count)
  cells$points <- log10(ifelse(count > 0, count, NA))
  ggplot2::ggplot(mapping = ggplot2::aes(x = cells$x, y = cells$y)) +
    ggplot2::geom_tile(ggplot2::aes(fill = cells$points)) +
    ggplot2::scale_fill_gradientn("log10(points)", colours = count_colours(), na.value = NA) +
    ggplot2::labs(x = regions$names[1L], y = regions$names[2L])
}

gg_values <- function(shown) {
  d <- as.data.frame(shown[c("at", "value", "error", "status")])
  d$error[!is.finite(d$error)] <- NA
  ggplot2::ggplot(mapping = ggplot2::aes(x = d$at, y = d$value, colour = d$status)) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = d$value - d$error, ymax = d$value + d$error), na.rm = TRUE) +
    ggplot2::geom_point(ggplot2::aes(shape = d$status), na.rm = TRUE) +
    ggplot2::scale_colour_manual(name = "Status", values = status_colours) +
    ggplot2::scale_shape_manual(name = "Status", values = status_symbols) +
    ggplot2::labs(x = shown$label, y = "Value")
}

gg_convergence <- function(x) {
  shown <- convergence_shown(x)
  steps <- shown$steps
  ggplot2::ggplot(mapping = ggplot2::aes(x = steps$evaluations, y = steps$abs.error)) +
    ggplot2::geom_line(colour = plot_colours[["stable"]]) +
    ggplot2::geom_point(colour = plot_colours[["stable"]]) +
    ggplot2::geom_hline(yintercept = shown$goal, linetype = 2, colour = plot_colours[["normal"]]) +
    ggplot2::scale_x_log10() + ggplot2::scale_y_log10() +
    ggplot2::labs(x = "Evaluations", y = "Estimated error")
}
