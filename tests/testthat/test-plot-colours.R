# Colours of the plots in grey, and for people without one kind of cones.
#
# Marks of one kind (lines of one type, points of one symbol, areas) differ in lightness, so that nobody has to
# distinguish them by hue.  The marks are taken from the stored pictures of all plots (test-plot-snapshots.R).

# Complete loss of one kind of cones, as a linear map of linear RGB: Machado, Oliveira and Fernandes (2009), A
# physiologically-based model for simulation of color vision deficiency, doi:10.1109/TVCG.2009.113.
VISION <- list(
  full = diag(3),
  protanopia = rbind(c(0.152286, 1.052583, -0.204868), c(0.114503, 0.786281, 0.099216),
                     c(-0.003882, -0.048116, 1.051998)),
  deuteranopia = rbind(c(0.367322, 0.860646, -0.227968), c(0.280085, 0.672501, 0.047413),
                       c(-0.011820, 0.042940, 0.968881)))

# Returns the lightness L* (CIE 1976, from 0 to 100) of colours on white paper.  That of full vision is the tone of a
# copy in grey.
lightness <- function(colours, vision = "full") {
  rgb <- grDevices::col2rgb(colours, alpha = TRUE) / 255
  rgb <- t(t(rgb[1:3, , drop = FALSE]) * rgb[4, ] + 1 - rgb[4, ])
  linear <- ifelse(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055)^2.4)
  seen <- pmin(pmax(VISION[[vision]] %*% linear, 0), 1)
  y <- drop(c(0.2126, 0.7152, 0.0722) %*% seen)
  ifelse(y > 216 / 24389, 116 * y^(1 / 3) - 16, y * 24389 / 27)
}

# Returns the colours of the marks of a picture by kind, without black frames and white paper.
marks_of <- function(file) {
  marks <- xml2::xml_find_all(xml2::xml_ns_strip(xml2::read_xml(file)), "//line|//polyline|//circle|//polygon|//rect")
  style <- xml2::xml_attr(marks, "style")
  part <- function(name) {
    found <- regmatches(style, regexec(paste0("(^|[ ;])", name, ": *([^;]*);"), style))
    vapply(found, function(match) if (length(match)) match[3] else "", "")
  }
  stroke <- part("stroke")
  fill <- part("fill")
  tag <- sub("polyline", "line", xml2::xml_name(marks))
  is_filled <- !fill %in% c("", "none")
  opacity <- as.numeric(paste0("0", part("stroke-opacity")))
  colour <- ifelse(is_filled, fill, stroke)
  faint <- !is_filled & opacity > 0
  colour[faint] <- paste0(colour[faint], sprintf("%02X", round(255 * opacity[faint])))
  kind <- paste(tag, if (length(tag)) ifelse(is_filled, "filled", part("stroke-dasharray")))
  keep <- !colour %in% c("", "none", "#FFFFFF")
  lapply(split(colour[keep], kind[keep]), unique)
}

test_that("lightness and simulations have known values", {
  expect_equal(lightness(c("white", "black", "#777777")), c(100, 0, 50), tolerance = 2e-3)
  expect_equal(lightness("#00000080"), lightness("#7F7F7F"), tolerance = 1e-6)
  for (vision in VISION) expect_equal(rowSums(vision), rep(1, 3), tolerance = 1e-5)        # greys remain
  expect_lt(lightness("red", "protanopia"), lightness("red") - 10)                         # red looks dark
})

test_that("marks of one kind differ in lightness in grey and for each kind of colour vision", {
  skip_if_not_installed("xml2")
  files <- list.files(test_path("_snaps", "plot-snapshots"), "svg$", full.names = TRUE)
  files <- files[basename(files) != "regions.svg"]                                         # a continuous scale, below
  if (!length(files)) skip("the stored pictures are not installed")
  expect_gt(length(files), 10)
  compared <- 0
  for (file in files) {
    marks <- marks_of(file)
    for (kind in names(marks)) for (vision in names(VISION)) {
      colours <- marks[[kind]]
      least <- if (grepl("polygon filled|rect filled", kind)) 10 else 20
      label <- paste(basename(file), kind, vision, toString(colours))
      expect_gte(min(diff(sort(lightness(colours, vision))), Inf), least, label = label)
      expect_lte(max(lightness(colours, vision)), if (grepl("filled", kind)) 95 else 82, label = label)
      compared <- compared + choose(length(colours), 2)
    }
  }
  expect_gt(compared, 10)
})

test_that("statuses have symbols of their own", {
  colours <- stablecl:::status_colours
  symbols <- stablecl:::status_symbols
  expect_identical(names(symbols), names(colours))
  expect_setequal(names(symbols), levels(gintegrate(sin, 0, 1)$status))
  expect_false(anyDuplicated(symbols) > 0)
  for (vision in names(VISION)) expect_lte(max(lightness(colours, vision)), 82)
})

test_that("lightness decreases along the scale of counts", {
  for (vision in names(VISION)) {
    scale <- lightness(stablecl:::count_colours(), vision)
    expect_true(all(diff(scale) < 0), label = vision)
    expect_gt(scale[1] - scale[24], 60)
  }
})
