# Plots of integrals: evaluation points, values with their errors, and the error against the number of evaluations.

#' Plot integrals
#'
#' Plots the evaluation points of one integral, the values of several integrals, or the estimated error against the
#' number of evaluations.
#'
#' `"points"` (one variable) shows the integrand at the points that the method used, and below them the round in which
#' each point was used: the method bisects intervals where the points are dense.  An infinite range is truncated to
#' where the absolute value of the integrand is at least 1e-6 of its maximum.
#'
#' `"regions"` (two or more variables) shows the number of points in each cell of a grid in the plane of two axes.
#'
#' `"values"` shows the values of several integrals with error bars, and the errors below.  The colour of each integral
#' shows its status.
#'
#' `"convergence"` repeats the integral with increasing limits on the evaluations, up to the number that it used, and
#' shows the estimated error; the dashed line is the tolerance.
#'
#' All types except `"values"` compute the integral again.  A plot takes one figure of an arrangement such as
#' `par(mfrow = c(2, 2))`, and restores all graphical parameters, including the coordinates.
#'
#' @param x an object of class `"gintegral"`.
#' @param type the type of plot; by default `"values"` for several integrals, `"points"` for one integral over one
#'   variable, `"regions"` otherwise.
#' @param which index of the integral, for all types except `"values"`.
#' @param against for `"values"`: finite numbers or dates for the horizontal axis, one for each integral; by default
#'   the parameter or limit that varies, if exactly one does and it is finite, otherwise the index of the integral.
#' @param axes for `"regions"`: the numbers of the two axes.
#' @param main,xlab title and label of the horizontal axis.
#' @param ... further graphical parameters for [plot.default()].
#' @return `x`, invisibly.
#' @examples
#' peak <- gintegrate(function(x) 1 / ((x - 0.3)^2 + 1e-4), 0, 1)
#' plot(peak)
#' plot(peak, "convergence")
#' plot(gintegrate(function(x, k) cos(k * x) / (1 + x), 0, 1, params = data.frame(k = 1:40)))
#' plot(gintegrate(function(x, y) 1 / (0.01 + (x - y)^2), c(0, 0), c(1, 1), rel.tol = 1e-4))
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, the type of plot does not exist for
#'     these integrals, or there is no integral or no finite value to plot.}
#' }
#' @seealso [gintegrate()], [gintegral-methods], [autoplot.gintegral()], [gintegrate-status].
#' @export
plot.gintegral <- function(x, type = NULL, which = 1L, against = NULL, axes = 1:2, main = NULL, xlab = NULL, ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(..., call = sys.call())
  type <- check_plot(x, type, which, axes, sys.call())
  one <- x[which]
  old <- graphics::par(par_changed)
  on.exit(graphics::par(old))
  switch(type, points = plot_points(one, main, xlab, ...), regions = plot_regions(one, axes, main, xlab, ...),
         values = plot_values(values_shown(x, against, sys.call()), main, xlab, ...),
         convergence = plot_convergence(one, main, xlab, ...))
  invisible(x)
}

# Returns the type of the plot; an R error if it does not suit the integrals or the other arguments.
check_plot <- function(x, type, which, axes, call) {
  dim <- x$problem$dim
  types <- c("points", "regions", "values", "convergence")
  components <- components_of(x$problem)
  if (is.null(type)) type <- if (length(x) > 1L || components > 1L) "values" else if (dim == 1L) "points" else "regions"
  type <- check_choice(type, types, "type", call)
  if (!length(x)) stop_with(call, "argument", "`x` contains no integral to plot.")
  if (components > 1L && (type != "values" || length(x) > 1L))
    stop_with(call, "argument", "The integrals have ", components, " components; plot one of them, such as x[, 1].")
  if (!is.numeric(which) || length(which) != 1L || !which %in% seq_len(length(x)))
    stop_with(call, "argument", "`which` must be the index of an integral, from 1 to ", length(x), ", not ",
              value_text(which), ".")
  if (type == "points" && dim > 1L)
    stop_with(call, "argument", "Type \"points\" requires an integral over one variable, not ", dim, ".")
  if (type == "regions" && dim == 1L)
    stop_with(call, "argument", "Type \"regions\" requires an integral over several variables, not one.")
  if (type == "regions" && (!is.numeric(axes) || length(axes) != 2L || !all(axes %in% seq_len(dim))))
    stop_with(call, "argument", "Type \"regions\" requires two `axes` from 1 to ", dim, ".")
  type
}

# --- the data of the plots ----------------------------------------------------------------

points_kept <- 200000L

# Returns the points of one integral, in the order of their evaluation, as a data frame of coordinates, value and
# round.  Keeps whole rounds until `points_kept` points are stored.
record_points <- function(x) {
  p <- problem_of(x)
  dim <- p$dim
  kept <- list()
  count <- 0L
  values <- if (is.function(p$integrand)) p$integrand else function(inputs) .Call(C_values, p$integrand, inputs)
  spy <- function(inputs) {
    y <- values(inputs)
    round <- length(kept) + 1L
    if (count < points_kept) kept[[round]] <<- c(inputs[seq_len(dim)], list(y, rep(round, length(y))))
    count <<- count + length(y)
    y
  }
  run <- runner_of(p, x$method)
  run(replace(p, "integrand", list(spy)), x$method, 1L, "cpu")
  seen <- lapply(seq_len(dim + 2L), function(k) unlist(lapply(kept, `[[`, k)))
  stats::setNames(as.data.frame(seen), c(paste0("x", seq_len(dim)), "value", "round"))
}

# Returns the recorded points with finite values, from left to right; on an infinite range those where the integrand is
# large.
points_shown <- function(x) {
  at <- record_points(x)
  at <- at[is.finite(at$value), ]
  if (!nrow(at)) stop_with(NULL, "argument", "The integrand has no finite value at any point.")
  if (any(is.infinite(c(x$problem$lower, x$problem$upper))))
    at <- at[at$x1 >= min(at$x1[is_large(at$value)]) & at$x1 <= max(at$x1[is_large(at$value)]), ]
  at[order(at$x1), ]
}

is_large <- function(y) abs(y) >= 1e-6 * max(abs(y))

# Returns the number of points in each cell of a grid in the plane of two axes, the limits of the cells along each of
# the two, and their names.
regions_shown <- function(x, axes) {
  at <- record_points(x)
  p <- problem_of(x)
  bins <- 40L
  cuts <- lapply(axes, function(k) {
    ends <- finite_ends(c(p$lower[[k]], p$upper[[k]]), at[[k]])
    seq(ends[1L], ends[2L], length.out = bins + 1L)
  })
  cell <- lapply(1:2, function(k) {
    factor(findInterval(at[[axes[k]]], sort(cuts[[k]]), all.inside = TRUE), seq_len(bins))
  })
  names <- variables_of(p$f, p$fixed, names(p$columns))
  names <- if (length(names) == p$dim) names else paste0(names[1L], "[", seq_len(p$dim), "]")
  list(count = unclass(table(cell[[1L]], cell[[2L]])), cuts = cuts, names = names[axes])
}

# Returns limits, infinite ones replaced by quantiles of the points.
finite_ends <- function(limits, points) {
  ifelse(is.finite(limits), limits, stats::quantile(points, ifelse(limits < 0, 0.05, 0.95), names = FALSE))
}

# Returns the values with their errors and statuses, the positions `at` which they are drawn, and the label of these.
values_shown <- function(x, against, call) {
  if (!any(is.finite(x$value))) stop_with(call, "argument", "No integral has a finite value.")
  inputs <- inputs_of(x)
  varies <- names(inputs)[vapply(inputs, function(v) length(unique(v)) > 1L, NA)]
  named <- length(varies) == 1L && all(is.finite(inputs[[varies]]))
  given <- !is.null(against)
  several <- components_of(x$problem) > 1L
  if (!given) against <- if (named) inputs[[varies]] else seq_along(x$value)
  check_against(against, length(x$value), call)
  if (!inherits(against, c("Date", "POSIXct", "difftime"))) against <- as.vector(unclass(against))
  index <- if (several) "Component" else "Index of the integral"
  list(at = against, label = if (given) "" else if (named) varies else index, value = x$value,
       error = x$abs.error, status = as.character(x$status),
       title = sprintf(if (several) "%d components" else "%d integrals", length(x$value)))
}

# Raises an error unless `against` has a finite number, possibly with a class such as "Date", for each of n integrals.
check_against <- function(against, n, call) {
  if (!typeof(against) %in% c("double", "integer", "logical") || is.factor(against))
    stop_with(call, "argument", "`against` must contain numbers, not ", value_text(against), ".")
  if (length(against) != n)
    stop_with(call, "argument", "`against` must have ", n, " elements, not ", length(against), ".")
  bad <- which(!is.finite(against))
  if (length(bad))
    stop_with(call, "argument", "`against` must be finite, but element ", bad[1L], " is ",
              value_text(as.vector(against)[bad[1L]]), ".")
}

# Repeats the integral with limits on the evaluations that grow geometrically to the number that it used.  Returns a
# data frame of evaluations, value and error, whose last row is the integral itself.
convergence_of <- function(x, steps = 16L) {
  p <- problem_of(x)
  allowed <- unique(round(exp(seq(log(min(50, x$evaluations)), log(x$evaluations), length.out = steps))))
  run <- runner_of(p, x$method)
  runs <- lapply(allowed, function(n) run(with_evaluations(p, n), x$method, 1L, "cpu"))
  part <- function(name) vapply(runs, `[[`, 0, name)
  rbind(data.frame(evaluations = part("evaluations"), value = part("value"), abs.error = part("error")),
        as.data.frame(x, inputs = FALSE)[1:3])
}

# Returns the problem with the limit on the evaluations set to n.
with_evaluations <- function(p, n) {
  p$tolerance$max.eval <- n
  if (!is.null(p$stages)) p$stages <- auto_stages(p$dim, p$tolerance)
  p
}

# Returns the runs with a positive error, and the tolerance.
convergence_shown <- function(x) {
  steps <- unique(convergence_of(x))
  steps <- steps[is.finite(steps$abs.error) & steps$abs.error > 0 & steps$evaluations > 0, ]
  if (!nrow(steps)) stop_with(NULL, "argument", "No error estimate is available for any number of evaluations.")
  goal <- max(x$problem$tolerance$abs.tol, x$problem$tolerance$rel.tol * abs(x$value))
  list(steps = steps[order(steps$evaluations), ], goal = if (isTRUE(goal > 0)) goal)
}

# --- drawing ---------------------------------------------------------------------------------

# The graphical parameters that the plots change.
par_changed <- c("xlog", "ylog", "mar", "usr", "xaxp", "yaxp")

# Begins a figure with two panels, one above the other, without layout(), which would end the user's arrangement of
# several figures.  heights: those of the panels, up to a factor.  Returns a function that selects the lower panel.
two_panels <- function(heights) {
  graphics::par(mar = c(4.1, 5.1, 3.1, 1.1))
  graphics::plot.new()
  at <- graphics::par("plt")
  line <- graphics::par("mai")[3L] / graphics::par("mar")[3L] / graphics::par("fin")[2L]
  border <- at[4L] - (at[4L] - at[3L]) * heights[1L] / sum(heights)
  graphics::par(plt = c(at[1:2], border + line / 2, at[4L]), new = TRUE)
  function() graphics::par(plt = c(at[1:3], border - line / 2), new = TRUE)
}

plot_points <- function(x, main, xlab, ...) {
  at <- points_shown(x)
  lower_panel <- two_panels(c(3, 1))
  framed_plot(list(xlim = range(at$x1), ylim = range(at$value[is.finite(at$value)]), x = at$x1, y = at$value,
                   type = "l", xaxt = "n", xlab = "", ylab = "Integrand", col = plot_colours[["integrand"]],
                   main = if (is.null(main)) format(x) else main), ...)
  graphics::points(at$x1, at$value, pch = 16, cex = 0.4, col = plot_colours[["evaluations"]])
  lower_panel()
  framed_plot(list(xlim = range(at$x1), ylim = rev(range(at$round, 1, 2)), x = at$x1, y = at$round, pch = 16,
                   cex = 0.4, col = plot_colours[["evaluations"]], xlab = if (is.null(xlab)) variable_of(x) else xlab,
                   ylab = "Round", yaxt = "n"))
  graphics::axis(2, unique(round(pretty(at$round))), las = 1)
}

variable_of <- function(x) names(formals(args(x$problem$f)))[1L]

plot_regions <- function(x, axes, main, xlab, ...) {
  regions <- regions_shown(x, axes)
  count <- regions$count
  draw_with(quote(graphics::image),
            list(x = regions$cuts[[1L]], y = regions$cuts[[2L]], z = log10(ifelse(count > 0, count, NA)),
                 col = count_colours(), las = 1, xlab = if (is.null(xlab)) regions$names[1L] else xlab,
                 ylab = regions$names[2L], main = if (is.null(main)) format(x) else main), ...)
  graphics::mtext(sprintf("points per cell: 1 (light) to %d (dark)", max(count)), side = 3, line = 0.2, cex = 0.8)
  graphics::box()
}

plot_values <- function(shown, main, xlab, ...) {
  value <- shown$value
  error <- shown$error
  colour <- status_colours[shown$status]
  symbol <- status_symbols[shown$status]
  wrong <- is.finite(error)
  seen <- is.finite(value)
  size <- if (length(value) > 500L) 0.3 else 0.7
  lower_panel <- two_panels(c(3, 2))
  reach <- range(value[seen], (value - error)[seen & wrong], (value + error)[seen & wrong])
  framed_plot(list(xlim = range(shown$at), ylim = reach, x = shown$at, y = value, pch = symbol, cex = size,
                   col = colour, xaxt = "n", xlab = "", ylab = "Value",
                   main = if (is.null(main)) shown$title else main), ...)
  graphics::segments(shown$at[wrong], (value - error)[wrong], shown$at[wrong], (value + error)[wrong],
                     col = colour[wrong])
  found <- intersect(names(status_colours), shown$status)
  if (length(found) > 1L || found != "converged")
    graphics::legend("topright", found, pch = status_symbols[found], col = status_colours[found], bty = "n", cex = 0.8)
  lower_panel()
  positive <- wrong & error > 0
  if (!any(positive)) return(invisible())
  reach <- range(error[positive])
  framed_plot(list(xlim = range(shown$at), ylim = reach, x = shown$at[positive], y = error[positive],
                   pch = symbol[positive], cex = size, col = colour[positive], log = "y", yaxt = "n",
                   xlab = if (is.null(xlab)) shown$label else xlab, ylab = "Estimated error"),
              ticks = wide_ticks(reach))
  decade_axis(2L, reach)
}

plot_convergence <- function(x, main, xlab, ...) {
  shown <- convergence_shown(x)
  steps <- shown$steps
  reach <- range(steps$abs.error, shown$goal)
  graphics::par(mar = c(4.1, 5.1, 3.1, 1.1))
  framed_plot(list(xlim = range(steps$evaluations), ylim = reach, x = steps$evaluations, y = steps$abs.error,
                   log = "xy", type = "b", pch = 16, yaxt = "n", col = plot_colours[["evaluations"]],
                   xlab = if (is.null(xlab)) "Evaluations" else xlab, ylab = "Estimated error",
                   main = if (is.null(main)) format(x) else main), ...)
  decade_axis(2L, reach)
  if (!is.null(shown$goal)) graphics::abline(h = shown$goal, lty = 2, col = plot_colours[["goal"]])
}
