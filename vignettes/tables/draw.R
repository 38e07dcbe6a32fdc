# Pictures of the tables that vignettes and README.md share.

# Labels of an axis whose ticks are powers of ten.
powers <- function(k) parse(text = sprintf("10^%d", k))

map_edges   <- c(0, 1, 3, 6, 9, 12, 17)
map_labels  <- c("below 1", "from 1, below 3", "from 3, below 6", "from 6, below 9", "from 9, below 12", "12 and more")
map_colours <- c("#2B0A10", "#7A0F1C", "#C2281D", "#EE7638", "#FDBB62", "#E3EEF8")

# Draws the numbers of correct digits in one column of table "plane" as a map over x and alpha.
draw_map <- function(plane, column, title) {
  alpha <- sort(unique(plane$alpha))
  x <- sort(unique(plane$x))
  z <- matrix(NA_real_, length(x), length(alpha))
  z[cbind(match(plane$x, x), match(plane$alpha, alpha))] <- plane[[column]]
  graphics::image(seq_along(x), seq_along(alpha), z, breaks = map_edges, col = map_colours, axes = FALSE, xlab = "",
                  ylab = "", useRaster = TRUE)
  graphics::axis(1, match(c(-1e4, -100, -1, 1, 100, 1e4), x), labels = FALSE)
  graphics::axis(1, match(c(-1e6, 0, 1e6), x), expression(-10^6, 0, 10^6), gap.axis = 0)
  rows <- c(0.1, 0.5, 0.8, 1, 1.2, 1.5, 1.8, 1.999)
  graphics::axis(2, match(rows, alpha), rows, las = 1, gap.axis = 0)
  graphics::title(title, line = 0.5, cex.main = 1)
  graphics::title(xlab = "x", line = 1.8)
  graphics::title(ylab = "alpha", line = 2.8)
  graphics::box()
}

# Draws a row of three maps, one for each package, for each of the quantities, and their legend below.
draw_maps <- function(plane, quantities) {
  graphics::par(mar = c(3.2, 4, 1.8, 0.6), mgp = c(2, 0.5, 0), tcl = -0.3)
  for (what in quantities) for (package in c("stablecl", "stabledist", "libstable4u"))
    draw_map(plane, paste(what, package, sep = "."), paste0(package, ", ", c(pdf = "density", tail = "tail")[[what]]))
  graphics::par(mar = c(0, 0, 0, 0))
  graphics::plot.new()
  graphics::legend("center", map_labels, fill = map_colours, ncol = 3, bty = "n", title = "Correct digits",
                   cex = 1.1)
}

# Draws the times per point of table "speed-cpu" against the number of points, one plot for each function.
draw_times <- function(speed, functions) {
  graphics::par(mar = c(3.6, 5, 1.8, 0.6), mgp = c(2.4, 0.6, 0), las = 1)
  columns <- c(stablecl = "stablecl, 1 thread", stabledist = "stabledist", libstable4u = "libstable4u")
  ink <- c("#D55E00", "#404040", "#005B8E")
  for (name in functions) {
    part <- speed[speed$shape == "(1.5, 0.5)" & speed[["function"]] == name, ]
    plot(NA, xlim = c(1, 1e6), ylim = c(0.005, 3000), log = "xy", axes = FALSE, xlab = "points in a call",
         ylab = "", main = paste0(name, "()"), cex.main = 1)
    graphics::axis(1, 10^c(0, 2, 4, 6), powers(c(0, 2, 4, 6)))
    graphics::axis(2, 10^(-2:3), powers(-2:3))
    graphics::title(ylab = "microseconds per point", line = 3.4)
    graphics::box(bty = "l")
    for (k in 1:3)
      graphics::lines(part$n, part[[columns[k]]], type = "o", pch = c(16, 1, 2)[k], lty = k, col = ink[k], lwd = 2)
    if (name == functions[length(functions)])
      graphics::legend(if (name == "rstable") "topright" else "bottomleft", names(columns), col = ink,
                       pch = c(16, 1, 2),
                       lty = 1:3, lwd = 2, bty = "n", cex = 0.85, seg.len = 1.6)
  }
}

share_edges   <- c(0, 1e-3, 0.01, 0.03, 0.1, 1)
share_labels  <- c("below 0.001", "to 0.01", "to 0.03", "to 0.1", "to 1", "above 1")
share_colours <- c("#E6EFFB", "#B5CFE6", "#6BAED6", "#2171B5", "#08306B", "#000000")

# Draws table "error-map" as four maps over beta and alpha, with equal steps between the values of the table, and their
# legend below.
draw_error_map <- function(map) {
  alpha <- sort(unique(map$alpha))
  beta <- sort(unique(map$beta))
  # Labels such as 1-1e-13 next to 0, 1 and 2.
  label <- function(x) {
    point <- round(x)
    near <- x != point & abs(x - point) < 2e-3
    ifelse(near, ifelse(point == 0, sprintf("%.0e", x), sprintf("%g%+.0e", point, x - point)), signif(x, 4))
  }
  old <- graphics::par(mar = c(5.2, 5.6, 1.8, 0.6), mgp = c(2, 0.5, 0), tcl = -0.2)
  on.exit(graphics::par(old))
  graphics::layout(rbind(1:2, 3:4, 5), heights = c(10, 10, 2))
  titles <- c(pdf = "density", cdf = "distribution function", sf = "upper tail", quantile = "quantile")
  for (what in names(titles)) {
    z <- matrix(NA_real_, length(beta), length(alpha))
    z[cbind(match(map$beta, beta), match(map$alpha, alpha))] <- findInterval(map[[what]], share_edges)
    graphics::image(seq_along(beta), seq_along(alpha), z, zlim = c(1, length(share_colours)), col = share_colours,
                    axes = FALSE, xlab = "", ylab = "")
    graphics::axis(1, seq_along(beta), label(beta), las = 2, cex.axis = 0.8, gap.axis = -1)
    graphics::axis(2, seq_along(alpha), label(alpha), las = 1, cex.axis = 0.75, gap.axis = -1)
    graphics::title(titles[[what]], line = 0.5, cex.main = 1)
    graphics::title(xlab = "beta", line = 4)
    graphics::title(ylab = "alpha", line = 4.4)
    graphics::box()
  }
  graphics::par(mar = c(0, 0, 0, 0))
  graphics::plot.new()
  graphics::legend("center", share_labels, fill = share_colours, horiz = TRUE, bty = "n",
                   title = "Error divided by its bound")
}
