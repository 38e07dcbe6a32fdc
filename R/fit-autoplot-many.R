# The plots of many fits, of fits of windows and of tests of fit as objects of package ggplot2.

#' Plot many fits and tests of fit with ggplot2
#'
#' The plots of [`plot.stablefits()`][stablefits], [`plot.stablewindows()`][stablewindows],
#' [`plot.stable_gof()`][stable_gof] and [`plot.stable_comparison()`][stable_compare] as objects of package ggplot2
#' (`ggplot2::autoplot()`), to which layers, scales and themes can be added.
#'
#' Many fits are points in the plane of `alpha` and `beta`, with bars of one standard error on either side, which the
#' axes cover.  Fits of windows are drawn against the position of the last value of the window, each parameter in a
#' panel of its own, with bars of 1.96 standard errors on either side; no bar extends beyond the bounds of a parameter.
#' Tests are drawn by their p-values on a logarithmic axis.
#'
#' @param object an object of class `"stablefits"`, `"stablewindows"`, `"stable_gof"` or `"stable_comparison"`.
#' @param se `TRUE` or `FALSE`: whether to draw standard errors, where they are known.
#' @param labels `TRUE` or `FALSE`: whether to write the names of the data sets beside their points.
#' @param level significance level that is marked by a line, one number between 0 and 1.
#' @param ... not used; any further argument is an error.
#' @return An object of class `"ggplot"`.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' returns <- 100 * diff(log(EuStockMarkets))
#' ggplot2::autoplot(stablefit(returns))
#' ggplot2::autoplot(stablefit(returns[, "DAX"], width = 500, by = 50))
#' ggplot2::autoplot(stable_gof(returns[, "DAX"], 1.7, 0, 0.6, 0.07))
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, such as `se`, `labels` or `level`.}
#' }
#' @seealso [stablefit()], [`"stablefits"`][stablefits], [`"stablewindows"`][stablewindows], [stable_gof()],
#'   [stable_compare()], [`autoplot()`][autoplot.stablefit] of one fit.
#' @name autoplot.stablefits
#' @method autoplot stablefits
#' @exportS3Method ggplot2::autoplot stablefits
autoplot.stablefits <- function(object, se = length(object) <= 100L, labels = length(object) <= 25L, ...) {
  check_dots(...)
  check_flag(se, "se", sys.call())
  check_flag(labels, "labels", sys.call())
  d <- fits_in_plane(object, se)
  limits <- plane_limits(d)
  bar <- function(...) ggplot2::geom_segment(ggplot2::aes(...), colour = plot_colours[["errors"]], na.rm = TRUE)
  picture <- ggplot2::ggplot(mapping = ggplot2::aes(x = d$alpha, y = d$beta))
  if (se) picture <- picture + bar(x = d$left, xend = d$right, y = d$beta, yend = d$beta) +
    bar(x = d$alpha, xend = d$alpha, y = d$low, yend = d$high)
  picture <- picture + ggplot2::geom_point(colour = plot_colours[["stable"]], na.rm = TRUE)
  if (labels) picture <- picture + fit_labels(d, limits)
  picture + ggplot2::coord_cartesian(xlim = limits$alpha, ylim = limits$beta, clip = "off") +
    ggplot2::labs(x = quote(alpha), y = quote(beta)) + ggplot2::theme_minimal()
}

# Returns a layer with the names of data sets beside their points in the plane of alpha and beta, for a picture of about
# 7 by 4.5 inches.
fit_labels <- function(d, limits) {
  d <- d[!is.na(d$alpha), ]
  if (!nrow(d)) return(NULL)
  across <- diff(limits$alpha)
  up <- diff(limits$beta)
  boxes <- label_places(d$alpha, d$beta, 0.0065 * across * nchar(d$name), 0.015 * up, c(0.01 * across, 0.0175 * up))
  at <- boxes[-seq_len(nrow(d)), , drop = FALSE]
  d$across <- (at[, 1L] + at[, 2L]) / 2
  d$up <- (at[, 3L] + at[, 4L]) / 2
  ggplot2::geom_text(columns_as(x = "across", y = "up", label = "name"), data = d, size = 3)
}

#' @rdname autoplot.stablefits
#' @method autoplot stablewindows
#' @exportS3Method ggplot2::autoplot stablewindows
autoplot.stablewindows <- function(object, se = TRUE, ...) {
  check_dots(...)
  check_flag(se, "se", sys.call())
  theta <- coef(object)
  sd <- if (se) fits_sd(object) else matrix(NA_real_, length(object), 4L)
  end <- window_positions(object$data)$end
  d <- do.call(rbind, lapply(1:4, function(j) {
    bounds <- parameter_bounds[[j]]
    reach <- 1.96 * sd[, j]
    data.frame(parameter = factor(fit_parameters[j], fit_parameters), end = end, estimate = theta[, j],
               low = pmax(theta[, j] - reach, bounds[1L]), high = pmin(theta[, j] + reach, bounds[2L]))
  }))
  ggplot2::ggplot(d, columns_as(x = "end", y = "estimate")) +
    ggplot2::geom_linerange(columns_as(ymin = "low", ymax = "high"), colour = plot_colours[["errors"]], na.rm = TRUE) +
    ggplot2::geom_point(colour = plot_colours[["stable"]], size = 0.8, na.rm = TRUE) +
    ggplot2::facet_grid(parameter ~ ., scales = "free_y", switch = "y", labeller = ggplot2::label_parsed) +
    ggplot2::labs(x = "End of the window", y = NULL) + ggplot2::theme_minimal() +
    ggplot2::theme(strip.placement = "outside")
}

#' @rdname autoplot.stablefits
#' @method autoplot stable_gof
#' @exportS3Method ggplot2::autoplot stable_gof
autoplot.stable_gof <- function(object, level = 0.05, ...) {
  check_dots(...)
  level <- check_level(level, sys.call())
  d <- data.frame(p = pmax(object$p.value, least_p_value),
                  test = factor(gof_titles[rownames(object)], rev(gof_titles)))
  ggplot2::ggplot(mapping = ggplot2::aes(x = d$p, y = d$test)) +
    ggplot2::geom_vline(xintercept = level, linetype = 2, colour = plot_colours[["goal"]]) +
    ggplot2::geom_point(colour = plot_colours[["stable"]], size = 2) +
    ggplot2::scale_x_log10(limits = c(min(d$p, level, 0.01) / 1.5, 1)) +
    ggplot2::labs(x = "p-value", y = NULL) + ggplot2::theme_minimal()
}

# Returns the aesthetics with these columns of the data, which exist in each panel.
columns_as <- function(...) do.call(ggplot2::aes, lapply(list(...), as.name))
