# Colours of the plots in grey, and for people without one kind of cones.
#
# Marks of one kind (lines of one type, points of one symbol, areas) differ in lightness, so that nobody has to
# distinguish them by hue.  The marks are taken from the stored pictures of all plots (test-plot-snapshots.R), and from
# the pictures of vignettes and of README.md.

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

# Returns the colours of the marks of a picture by kind and panel, without black frames and white paper.
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
  panel <- vapply(marks, function(mark) xml2::xml_attr(xml2::xml_parent(mark), "clip-path"), "")
  kind <- paste(tag, if (length(tag)) ifelse(is_filled, "filled", part("stroke-dasharray")), panel)
  keep <- !colour %in% c("", "none", "#FFFFFF")
  lapply(split(colour[keep], kind[keep]), unique)
}

# Expects marks of one kind in a picture to differ in lightness; returns the number of pairs compared.
expect_distinct <- function(file, name = basename(file)) {
  marks <- marks_of(file)
  for (kind in names(marks)) for (vision in names(VISION)) {
    colours <- marks[[kind]]
    least <- if (grepl("polygon filled|rect filled", kind)) 10 else 20
    label <- paste(name, kind, vision, toString(colours))
    expect_gte(min(diff(sort(lightness(colours, vision))), Inf), least, label = label)
    expect_lte(max(lightness(colours, vision)), if (grepl("filled", kind)) 95 else 82, label = label)
  }
  sum(choose(lengths(marks), 2) * length(VISION))
}

# Runs the code of a vignette and applies expect_distinct() to its pictures.  Hidden chunks with stopifnot() are the
# evidence for sentences, which R CMD build runs.
expect_distinct_vignette <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  svg <- tempfile(fileext = ".svg")
  old <- setwd(dirname(path))
  settings <- options()
  on.exit({
    setwd(old)
    options(settings)
    unlink(svg)
    knitr::knit_hooks$restore()
    knitr::opts_chunk$restore()
  })
  space <- new.env(parent = globalenv())
  starts <- grep("^```[{]r", lines)
  ends <- grep("^```$", lines)
  compared <- 0
  for (start in starts[!grepl("eval = FALSE", lines[starts])]) {
    code <- parse(text = lines[seq(start + 1, length.out = min(ends[ends > start]) - start - 1)])
    if (grepl("include = FALSE", lines[start]) && "stopifnot" %in% all.names(code)) next
    if (grepl("fig.alt = ", lines[start])) {
      vdiffr::write_svg(function() eval(code, space), svg)
      if (!grepl("^```[{]r regions,", lines[start]))                                       # a continuous scale, below
        compared <- compared + expect_distinct(svg, paste(basename(path), lines[start]))
    } else {
      grDevices::pdf(NULL)
      grDevices::dev.control("enable")
      run <- if (grepl("error = TRUE", lines[start])) function(...) try(..., silent = TRUE) else identity
      utils::capture.output(suppressMessages(suppressWarnings(run(eval(code, space)))))
      expect_length(grDevices::recordPlot()[[1]], 0)
      grDevices::dev.off()
    }
  }
  compared
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
  expect_gt(sum(vapply(files, expect_distinct, 0)), 10)
})

test_that("marks in the pictures of the vignettes differ in lightness, and each picture has an alternative text", {
  skip_on_cran()
  for (name in c("knitr", "vdiffr", "xml2")) skip_if_not_installed(name)
  folder <- test_path("..", "..", "vignettes")
  if (!dir.exists(folder)) skip("not in a checkout: the sources of the vignettes are needed")
  files <- list.files(folder, "[.]Rmd$", full.names = TRUE)
  expect_gt(sum(vapply(files, expect_distinct_vignette, 0)), 30)
})

test_that("marks in the pictures of README.md differ in lightness", {
  skip_if_not_installed("vdiffr")
  skip_if_not_installed("xml2")
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "bench"))) skip("not in a checkout: bench/ is not part of the package")
  drawing <- new.env(parent = globalenv())
  source(file.path(root, "vignettes", "tables", "draw.R"), local = drawing)
  for (code in parse(file.path(root, "bench", "readme-figure.R")))
    if (is.call(code) && identical(code[[1]], as.name("<-")) && code[[2]] != "folder") eval(code, drawing)
  speed <- utils::read.csv(file.path(root, "vignettes", "tables", "speed-cpu.csv"), comment.char = "#",
                           check.names = FALSE)
  pictures <- list(drawing$draw_densities, drawing$draw_tails, function() drawing$draw_times(speed, "dstable"))
  files <- tempfile(c("densities", "tails", "times"), fileext = ".svg")
  on.exit(unlink(files))
  Map(vdiffr::write_svg, pictures, files)
  expect_gt(sum(vapply(files, expect_distinct, 0)), 10)
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
