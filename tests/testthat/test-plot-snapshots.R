# Every plot, compared with a stored picture.  After a deliberate change: testthat::snapshot_review().

draws <- function(title, code) {
  drawing <- substitute(code)
  frame <- parent.frame()
  vdiffr::expect_doppelganger(title, function() eval(drawing, frame))
}

test_that("plots of fits are drawn as before", {
  skip_on_cran()
  skip_if_not_installed("vdiffr")
  fit <- stablefit(fit_sample_of(100, 1.6, 0.4))
  draws("density", plot(fit, "density", normal = TRUE))
  draws("heavy density", plot(stablefit(fit_sample_of(100, 0.6, 0.5)), "density"))
  draws("tails", plot(fit, "tails", normal = TRUE))
  draws("residuals", plot(fit, "qq"))
  draws("stabilised", plot(fit, "pp"))
  draws("quantiles", plot(fit, "quantiles"))
  draws("likelihood", plot(fit, "likelihood"))
  draws("comparison", plot(stable_compare(fit)))
  draws("tests", plot(stable_gof(fit_sample_of(50, 1.6, 0.4), 1.6, 0.4)))
})

test_that("plots of many fits and of windows are drawn as before", {
  skip_on_cran()
  skip_if_not_installed("vdiffr")
  samples <- lapply(1:6, function(i) fit_sample_of(80, 1.5 + i / 100, 0.1, seed = i))
  draws("many fits", plot(stablefit(setNames(samples, c("a", "be", "gam", "delta", "e", "f")))))
  draws("windows", plot(stablefit(fit_sample_of(120, 1.6, 0.4), width = 60, by = 10)))
})

test_that("plots of integrals are drawn as before", {
  skip_on_cran()
  skip_if_not_installed("vdiffr")
  peak <- gintegrate(function(x) exp(-1e3 * (x - 0.3)^2) + sqrt(x), 0, 1, method = "gk")
  draws("points", plot(peak))
  draws("convergence", plot(peak, "convergence"))
  draws("regions", plot(gintegrate(function(x, y) 1 / (x + y + 0.01), c(0, 0), c(1, 1), rel.tol = 1e-4)))
  several <- suppressWarnings(gintegrate(function(x, a) x^a, 0, 1, params = data.frame(a = seq(-1.5, 3, 0.25))))
  draws("integrals", plot(several))
})

test_that("labels of points that are close do not overlap", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot(c(0, 1), c(0, 1))
  box <- stablecl:::draw_labels(rep(0.5, 4), c(0.5, 0.501, 0.5, 0.501), c("one", "two", "three", "four"))
  expect_equal(box[5:8, 2] - box[5:8, 1], graphics::strwidth(c("one", "two", "three", "four"), cex = 0.8))
  for (i in 6:8) for (j in 5:(i - 1))
    expect_true(box[i, 1] >= box[j, 2] || box[i, 2] <= box[j, 1] || box[i, 3] >= box[j, 4] || box[i, 4] <= box[j, 3])
})

test_that("labels of vertical axes are left of the labels of their ticks", {
  skip_if_not_installed("vdiffr")
  skip_if_not_installed("xml2")
  svg <- tempfile(fileext = ".svg")
  on.exit(unlink(svg))
  expect_outside <- function(draw, label, widest) {
    vdiffr::write_svg(draw, svg)
    text <- xml2::xml_find_all(xml2::read_xml(svg), "//*[local-name() = 'text']")
    is_label <- xml2::xml_text(text) == label
    from <- sub("translate[(]([0-9.]+),.*", "\\1", xml2::xml_attr(text[is_label], "transform"))
    ticks <- as.numeric(xml2::xml_attr(text[xml2::xml_text(text) %in% widest], "x"))
    expect_lt(as.numeric(from), min(ticks))
  }
  peak <- gintegrate(function(x) 1 / ((x - 0.3)^2 + 1e-4), 0, 1)
  expect_outside(function() plot(peak), "Integrand", c("8000", "10000"))
  small <- gintegrate(function(x, k) cos(k * x) / (1 + x), 0, 1, params = data.frame(k = 1:40))
  expect_outside(function() plot(small), "Estimated error", sprintf("%de-15", 5:9))
})
