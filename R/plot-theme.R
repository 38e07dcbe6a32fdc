# The appearance of all plots: one colour for each thing that is drawn, and one kind of frame and axis.

# Most colours are those of Okabe and Ito.  Lines and points of one plot differ in lightness, or in the type of the line
# or the symbol, so that plots can be read in grey, with protanopia and with deuteranopia (test-plot-colours.R).  Right
# and left tails also have different symbols, and normal distributions dashed lines.
plot_colours <- c(stable = "#D55E00", normal = "#404040", right = "#E69F00", left = "#005B8E", bars = "#D9D9D9",
                  edge = "#FFFFFF", band = "#E6E6E6", errors = "#A0A0A0", points = "#00000080", rug = "#00000038",
                  integrand = "#404040", evaluations = "#D55E00", goal = "#404040")

status_colours <- c(converged = "#0072B2", max.eval = "#D55E00", stuck = "#E69F00", "not finite" = "#CC79A7",
                    interrupted = "#404040", inconsistent = "#A89B00", coarse = "#56B4E9", roundoff = "#009E73",
                    divergent = "#000000")

# Nine colours cannot all differ in lightness: each status has a symbol, too.
status_symbols <- c(converged = 16, max.eval = 17, stuck = 15, "not finite" = 4, interrupted = 6, inconsistent = 0,
                    coarse = 1, roundoff = 2, divergent = 3)

# Distributions in one plot have lines of different types.
law_colours <- c(stable = plot_colours[["stable"]], normal = plot_colours[["normal"]], t = "#005B8E", nig = "#009E73",
                 laplace = "#8C5E9E", "skew-t" = "#000000")
law_lines <- c(stable = "solid", normal = "22", t = "42", nig = "84", laplace = "13", "skew-t" = "1343")

# Confidence regions of the likelihood, from the inside: three shades of one blue, between contour lines with labels.
likelihood_colours <- c("#6CADD5", "#A9CFE5", "#E2EFF7")

count_colours <- function() grDevices::hcl.colors(24L, "YlOrRd", rev = TRUE)

# Calls a function, named by a symbol or call, with the arguments `own`, which those of the user (...) override.  These
# remain unevaluated, because panel.first and panel.last must be evaluated while the plot is drawn.
draw_with <- function(f, own, ...) {
  own <- own[setdiff(names(own), names(substitute(list(...))))]
  own <- lapply(own, function(value) if (is.call(value) || is.symbol(value)) call("quote", value) else value)
  eval(as.call(c(list(f), own, quote(...))))
}

# Draws a frame, and points if `own` has any.  own: arguments of plot.default(), which those of the user (...) override.
# ticks: the labels of the vertical axis, if the caller draws it (yaxt = "n").
framed_plot <- function(own, ..., ticks = NULL) {
  own <- utils::modifyList(list(x = NA, y = NULL, bty = "l", las = 1, ylab = "", yaxt = "s"), own)
  draw <- function(ylab = own$ylab, yaxt = own$yaxt, ...) {
    draw_with(quote(graphics::plot), utils::modifyList(own, list(ylab = "", yaxt = yaxt)), ...)
    if (is.null(ticks) && yaxt != "n") ticks <- format(graphics::axTicks(2L))
    label_vertical_axis(ylab, ticks, ...)
  }
  draw(...)
}

# Writes the label of the vertical axis outside the horizontal labels of its ticks, as far as the margin permits.
label_vertical_axis <- function(label, ticks, mgp = graphics::par("mgp"), ann = TRUE, ...) {
  given <- list(...)
  line <- graphics::par("csi") * graphics::par("mex")                                              # in inches
  width <- max(0, graphics::strwidth(ticks, "inches", cex = graphics::par("cex.axis"))) / line
  at <- max(mgp[1L], min(mgp[2L] + width + 0.4, graphics::par("mar")[2L] - 0.9))
  style <- given[names(given) %in% c("cex.lab", "col.lab", "font.lab", "family")]
  if (ann) do.call(graphics::title, c(list(ylab = label, line = at), style))
}

# Draws an axis with powers of ten, about five of them, and short ticks between them; R's own axis if there is none.
decade_axis <- function(side, range) {
  ends <- decade_ends(range)
  at <- within_range(10^seq(ends[1L], ends[2L], by = max(1, ceiling(diff(ends) / 5))), range)
  if (!length(at)) return(graphics::axis(side, las = 1))
  ticks <- within_range(outer(1:9, 10^seq(ends[1L], ends[2L])), range)
  if (diff(ends) <= 5) graphics::axis(side, ticks, labels = FALSE, tcl = -0.25)
  graphics::axis(side, at, labels = parse(text = sprintf("10^%d", round(log10(at)))), las = 1)
}

decade_ends <- function(range) c(floor(log10(range[1L])), ceiling(log10(range[2L])))

within_range <- function(at, range) at[at >= range[1L] * 0.999 & at <= range[2L] * 1.001]

# Returns a label as wide as those of decade_axis() if the range contains no power of ten, and otherwise NULL: powers
# leave the label of the axis enough room.
wide_ticks <- function(range) {
  ends <- decade_ends(range)
  if (!length(within_range(10^seq(ends[1L], ends[2L]), range))) sprintf("%.0e", range[1L])
}

plot_legend <- function(where, names, lty, pch = NULL) {
  label <- sub("^(right|left)$", "\\1 tail", names)
  graphics::legend(where, label, col = plot_colours[names], lty = lty, lwd = 2, pch = pch, bty = "n", cex = 0.8,
                   inset = 0.02)
}

# Draws labels beside points.  Returns the limits of the points and of the labels, in this order.
draw_labels <- function(x, y, labels, cex = 0.8) {
  gap <- c(graphics::strwidth("m", cex = cex), graphics::strheight("m", cex = cex)) * 0.7
  width <- graphics::strwidth(labels, cex = cex) / 2
  height <- graphics::strheight(labels, cex = cex) / 2
  boxes <- label_places(x, y, width, height, gap)
  at <- boxes[-seq_along(x), , drop = FALSE]
  graphics::text((at[, 1L] + at[, 2L]) / 2, (at[, 3L] + at[, 4L]) / 2, labels, cex = cex, xpd = NA)
  invisible(boxes)
}

# Returns the limits of points and, in further rows, of their labels, each above, below, to the right or to the left of
# its point: the first of these places where it overlaps neither an earlier label nor a point, or above if there is
# none.  width, height: half the sizes of the labels; gap: their distances from the points in both directions.
label_places <- function(x, y, width, height, gap) {
  width <- rep_len(width, length(x))
  height <- rep_len(height, length(x))
  boxes <- cbind(x - gap[1L] / 2, x + gap[1L] / 2, y - gap[2L] / 2, y + gap[2L] / 2)
  for (i in seq_along(x)) {
    across <- x[i] + c(0, 0, 1, -1) * (width[i] + gap[1L])
    up <- y[i] + c(1, -1, 0, 0) * (height[i] + gap[2L])
    places <- cbind(across - width[i], across + width[i], up - height[i], up + height[i])
    is_free <- apply(places, 1L, function(p)
      !any(p[1L] < boxes[, 2L] & p[2L] > boxes[, 1L] & p[3L] < boxes[, 4L] & p[4L] > boxes[, 3L]))
    boxes <- rbind(boxes, places[if (any(is_free)) which(is_free)[1L] else 1L, ])
  }
  boxes
}
