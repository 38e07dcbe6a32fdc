# Fits of windows over a series: an object of classes "stablewindows" and "stablefits", whose data are an object of
# class "series_windows", the series and the positions of the windows.  That class has the methods of a list of samples,
# so that windows are fitted like other data sets; the values of a window are copied only when `[[` returns them.

fit_windows <- function(x, window, na.action, request) {
  values <- window_values(x, request$call)
  at <- place_windows(length(values), window, request$call)
  clean <- clean_series(values, na.action, request$call)
  windows <- series_windows(clean, at$start, at$end)
  fits <- fit_sets(windows, windows, window_errors(windows, clean), request)
  class(fits) <- c("stablewindows", class(fits))
  fits
}

# Returns the series as a double vector, or raises an error.
window_values <- function(x, call) {
  if (inherits(x, "stable_data")) return(attr(x, "values"))
  if (is_many(x))
    stop_with(call, "argument", "`width` requires one series as a vector, not ", value_text(x), "; fit the windows of ",
              "each column separately.")
  as_numbers(x, call)
}

# Raises an error unless the argument is one whole number that is at least `least`.
check_window_number <- function(value, name, least, call) {
  good <- is.numeric(value) && length(value) == 1L && is.finite(value) && value >= least && value == trunc(value)
  if (!good)
    stop_with(call, "argument", "`", name, "` must be one whole number, at least ", least, ", not ", value_text(value),
              ".")
  as.numeric(value)
}

check_window <- function(width, by, expanding, call) {
  list(width = check_window_number(width, "width", fit_least_n, call), by = check_window_number(by, "by", 1, call),
       expanding = check_flag(expanding, "expanding", call))
}

# Returns the first and last positions of the windows over a series of n values.
place_windows <- function(n, window, call) {
  if (window$width > n)
    stop_with(call, "argument", "`width` must be at most the number of values, ", n, ", not ",
              value_text(window$width), ".")
  end <- seq(window$width, n, by = window$by)
  start <- if (window$expanding) rep(1, length(end)) else end - window$width + 1
  if (n > .Machine$integer.max) return(list(start = start, end = end))
  list(start = as.integer(start), end = as.integer(end))
}

# Returns the series after na.action.  before: NULL, or if it leaves out missing values, for each position the number of
# values that are left before it, and their number at the end; bad: the positions at which no value can be used, and
# reason: the reason for each.
clean_series <- function(values, na.action, call) {
  clean <- list(series = values)
  missing <- is.na(values)
  failure <- NULL
  if (any(missing)) {
    filled <- value_or(as.vector(na_function(na.action, call)(values), "double"), conditionMessage)
    if (is.character(filled)) failure <- filled
    else if (length(filled) == length(values)) clean$series <- filled
    else if (length(filled) == sum(!missing)) clean <- list(series = filled, before = c(0L, cumsum(!missing)))
    else stop_with(call, "argument", "`na.action` must leave out the missing values of a series, replace them or ",
                   "fail, but it has returned ", length(filled), " of ", length(values), " values.")
  }
  all <- if (is.null(clean$before)) clean$series else values
  clean$bad <- which(!is.finite(all) & (is.null(clean$before) | !missing))
  clean$reason <- paste0("`x` must be finite, but element ", plain_text(clean$bad), " is ", all[clean$bad], ".")
  if (!is.null(failure)) clean$reason[missing[clean$bad]] <- failure
  clean
}

# Returns the windows from positions `start` to `end` of a series.  first, size: the number of values of `series` before
# each window, and in it.
series_windows <- function(clean, start, end) {
  first <- if (is.null(clean$before)) start - 1L else clean$before[start]
  size <- if (is.null(clean$before)) end - first else clean$before[end + 1L] - first
  structure(list(series = clean$series, start = start, end = end, first = first, size = size), class = "series_windows")
}

# Returns for each window the reason why it cannot be fitted, or "", with the names of the windows.
window_errors <- function(windows, clean) {
  windows <- unclass(windows)
  error <- character(length(windows$start))
  names(error) <- paste(plain_text(windows$start), plain_text(windows$end), sep = ":")
  short <- windows$size < fit_least_n
  error[short] <- paste0("Fitting a stable distribution requires at least ", fit_least_n, " observations; the window ",
                         "has ", windows$size[short], ".")
  next_bad <- findInterval(windows$start - 1, clean$bad) + 1L
  spoiled <- which(c(clean$bad, Inf)[next_bad] <= windows$end)
  error[spoiled] <- clean$reason[next_bad[spoiled]]
  error
}

plain_text <- function(positions) format(positions, scientific = FALSE, trim = TRUE)

#' @export
length.series_windows <- function(x) length(unclass(x)$start)

#' @method lengths series_windows
#' @export
lengths.series_windows <- function(x, use.names = TRUE) {
  check_given()
  unclass(x)$size
}

# Returns some of the windows, with the part of the series that they cover, which may go to another process.
#' @export
`[.series_windows` <- function(x, i) {
  if (missing(i)) return(x)
  x <- unclass(x)
  some <- lapply(x[c("start", "end", "first", "size")], `[`, i)
  if (length(some$start)) {
    from <- min(some$first)
    to <- max(some$first + some$size)
    if (to - from < length(x$series)) x$series <- x$series[from + seq_len(to - from)]
    some$first <- some$first - from
  }
  structure(replace(x, names(some), some), class = "series_windows")
}

#' @export
`[[.series_windows` <- function(x, i) {
  check_given()
  x <- unclass(x)
  x$series[x$first[[i]] + seq_len(x$size[[i]])]
}

# Returns the positions of windows as columns, NULL for other data sets.
window_positions <- function(data) if (inherits(data, "series_windows")) unclass(data)[c("start", "end")]

#' Fits of windows over a series
#'
#' The value of [stablefit()] with `width`: one fit for each window over a series.  The class extends
#' [`"stablefits"`][stablefits], whose methods apply: `fits[i]` and `fits[[i]]` select windows by number or by name,
#' such as `"1:250"`; `as.data.frame()` has the additional columns `start` and `end`, the positions of the first and the
#' last value of the window in the series; `coef()`, `summary()`, `print()` and `generics::tidy()` are those of many
#' data sets.
#'
#' @param x an object of class `"stablewindows"`.
#' @param se logical: draw bands of 1.96 standard errors around the estimates, within the bounds of the parameters?
#' @param col colour of the estimates.
#' @param xlab label of the horizontal axis, which shows the position of the last value of each window.
#' @param ... further graphical parameters for [plot.default()].  Any other argument is an error.
#' @return `x`, invisibly.  `plot()` draws the estimates of the four parameters, one plot below the other, against the
#'   ends of the windows.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument of `plot()` is unknown, empty or invalid, such as `se`; for `[`,
#'     `[[` and other methods see [`"stablefits"`][stablefits].}
#' }
#' @seealso [stablefit()], [`"stablefits"`][stablefits], [`predict()`][predict.stablefits],
#'   [`autoplot()`][autoplot.stablefits] for plots with package ggplot2.
#' @examples
#' dax <- diff(log(EuStockMarkets[, "DAX"]))
#' fits <- stablefit(dax, width = 500, by = 50)
#' fits
#' as.data.frame(fits)[1:3, c("start", "end", "alpha", "se.alpha")]
#' plot(fits)
#' @name stablewindows
NULL

#' @rdname stablewindows
#' @export
plot.stablewindows <- function(x, se = TRUE, col = plot_colours[["stable"]], xlab = "End of the window", ...) {
  check_dots(..., allowed = setdiff(plot_arguments, c("panel.first", "ylab")))
  check_axis_limits(..., call = sys.call())
  check_flag(se, "se", sys.call())
  theta <- coef(x)
  sd <- if (se) fits_sd(x) else matrix(NA_real_, length(x), 4L)
  old <- graphics::par(mfrow = c(4L, 1L), mar = c(0.8, 6.1, 0.8, 0.8), oma = c(4.1, 0, 0, 0))
  on.exit(graphics::par(old))
  for (j in 1:4)
    plot_window_estimates(window_positions(x$data)$end, theta[, j], sd[, j], parameter_bounds[[j]], col = col,
                          ylab = parse(text = fit_parameters[j]), is_last = j == 4L, ...)
  graphics::title(xlab = xlab, line = 2.8, outer = TRUE)
  invisible(x)
}

parameter_bounds <- list(alpha = c(0, 2), beta = c(-1, 1), gamma = c(0, Inf), delta = c(-Inf, Inf))

# Draws the estimates of one parameter, with bars where their standard errors are known.  Only the last of the panels,
# which have one horizontal axis, has labels at its ticks.
plot_window_estimates <- function(end, estimate, sd, bounds, is_last, xlim = NULL, ylim = NULL, pch = 19,
                                  cex = 0.4, xaxt = "s", ...) {
  low <- pmax(estimate - 1.96 * sd, bounds[1L])
  high <- pmin(estimate + 1.96 * sd, bounds[2L])
  all <- c(estimate, low, high)
  if (is.null(xlim)) xlim <- if (length(end)) range(end) else c(0, 1)
  if (is.null(ylim)) ylim <- if (any(is.finite(all))) range(all[is.finite(all)]) else c(-1, 1)
  framed_plot(list(xlim = xlim, ylim = ylim, x = end, y = estimate, pch = pch, cex = cex, xlab = "",
                   xaxt = if (is_last) xaxt else "n"),
              ..., panel.first = graphics::segments(end, low, end, high, col = plot_colours[["errors"]]))
  if (!is_last && xaxt != "n") graphics::axis(1L, labels = FALSE)
}
