# Draws the logo and the pictures of README.md.
#
#     Rscript bench/readme-figure.R            writes man/figures/logo.png, man/figures/README-*.png and
#                                              pkgdown/favicon/*.png

library(stablecl)
folder <- normalizePath("man/figures", mustWork = TRUE)
local({
  old <- setwd("vignettes")
  on.exit(setwd(old))
  source("tables/read.R", local = globalenv())
  source("tables/draw.R", local = globalenv())
  plane <<- read_table("plane")
  speed <<- read_table("speed-cpu")
})

# The normal distribution, alpha = 2, is the last one.
colours <- c("#000000", "#5A1080", "#D55E00", "#F0C000", "#404040")
types <- c(1, 1, 1, 1, 2)

draw_densities <- function() {
  alpha <- c(0.3, 0.7, 1, 1.5, 2)
  x <- seq(-4, 4, length.out = 1201)
  y <- sapply(alpha, function(a) dstable(x, a, 0.5))
  matplot(x, y, type = "l", lty = types, lwd = 2, col = colours, ylim = c(0, 0.7), las = 1,
          xlab = "x", ylab = "Density", main = expression("Stable densities, " * beta == 0.5))
  legend("topright", legend = alpha, title = expression(alpha), col = colours, lty = types, lwd = 2, bty = "n")
}

draw_tails <- function() {
  alpha <- c(1.5, 1.9, 1.99, 2 - 1e-6, 2)
  x <- 10^seq(-0.5, 3, length.out = 400)
  log10_tail <- sapply(alpha, function(a)
    pstable(x, a, 0.5, lower.tail = FALSE, log.p = TRUE) / log(10))
  matplot(log10(x), log10_tail, type = "l", lty = types, lwd = 2, col = colours, ylim = c(-20, 0),
          las = 1, xlab = expression(log[10](x)), ylab = expression(log[10](P(X > x))),
          main = expression("Upper tails, " * beta == 0.5))
  legend("bottomleft", cex = 0.85, seg.len = 1.2, legend = c("1.5", "1.9", "1.99", expression(2 - 10^-6), "2"),
         title = expression(alpha), col = colours, lty = types, lwd = 2, bty = "n")
}

# Runs the example of README.md, the first R code in it, whose three plots are the picture: the path of the random walk
# beside its two panels.
draw_example <- function() {
  layout(cbind(c(1, 1), 2:3), widths = c(0.9, 1))
  par(mar = c(3.4, 4.2, 2.2, 0.6), mgp = c(2.3, 0.6, 0), cex = 1, cex.main = 1)
  text <- readLines("README.md")
  from <- match("```r", text)
  to <- from + match("```", text[-seq_len(from)])
  eval(parse(text = text[seq(from + 1, to - 1)]), new.env())
}

# Densities from alpha = 2 down to 0.5 within a hexagon.
draw_logo <- function() {
  par(mar = rep(0, 4), bg = "transparent")
  plot(NA, xlim = c(-1, 1), ylim = c(-1.16, 1.16), axes = FALSE, asp = 1, xlab = "", ylab = "", xaxs = "i", yaxs = "i")
  corner <- pi / 6 + (0:5) * pi / 3
  polygon(1.12 * cos(corner), 1.12 * sin(corner), col = "#10304F", border = "#E69F00", lwd = 10)
  x <- seq(-0.82, 0.82, length.out = 801)
  alpha <- c(2, 1.5, 1, 0.5)
  for (k in seq_along(alpha)) {
    y <- dstable(6 * x, alpha[k], 0.6)
    keep <- y < 0.75
    lines(x[keep], -0.35 + 1.6 * y[keep], lwd = 7, col = c("#9FC9EB", "#56B4E9", "#E69F00", "#F0E442")[k])
  }
  text(0, -0.62, "stablecl", col = "white", cex = 4.4, font = 2)
}

# Draws a picture of README.md, with text that can be read when the picture is 400 pixels wide.
picture <- function(name, draw, width = 1200, height = 520, plots = 2, res = 170) {
  png(file.path(folder, name), width = width, height = height, res = res, bg = "white")
  par(mfrow = c(1, plots), mar = c(4, 4.3, 2.5, 1), mgp = c(2.6, 0.7, 0))
  draw()
  invisible(dev.off())
}

picture("README-tails.png", function() {
  draw_densities()
  draw_tails()
})
picture("README-map.png", height = 620, res = 250, draw = function() {
  layout(rbind(1:3, 4), heights = c(1, 0.33))
  draw_maps(plane, "pdf")
})
picture("README-example.png", draw_example, height = 860, res = 170)
picture("README-speed.png", function() draw_times(speed, c("dstable", "qstable")))
png(file.path(folder, "logo.png"), width = 480, height = 556, bg = "transparent")
draw_logo()
invisible(dev.off())

# The icons of the web site, with the names that pkgdown links to; they need the program convert of ImageMagick.
icons <- c("favicon-16x16" = 16, "favicon-32x32" = 32, "apple-touch-icon-60x60" = 60, "apple-touch-icon-76x76" = 76,
           "apple-touch-icon-120x120" = 120, "apple-touch-icon" = 180)
for (name in names(icons))
  system2("convert", c(file.path(folder, "logo.png"), "-background", "none", "-gravity", "center", "-extent", "556x556",
                       "-resize", icons[[name]], sprintf("pkgdown/favicon/%s.png", name)))
