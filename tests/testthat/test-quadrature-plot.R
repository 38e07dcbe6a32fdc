# Plots of integrals and their data.

peak <- gintegrate(function(x) 1 / ((x - 0.3)^2 + 1e-4), 0, 1)

test_that("the recorded points are those that the integral used", {
  for (method in c("gk", "tanhsinh")) {
    r <- gintegrate(function(x, a) exp(-a * x) * sqrt(x), 0, 2, a = 3, method = method)
    at <- stablecl:::record_points(r)
    expect_equal(nrow(at), r$evaluations)
    expect_equal(at$value, exp(-3 * at$x1) * sqrt(at$x1), tolerance = 1e-13)
  }
  r <- gintegrate(function(x, y) 1 / (0.01 + (x - y)^2), c(0, 0), c(1, 1), rel.tol = 1e-4)
  at <- stablecl:::record_points(r)
  expect_equal(nrow(at), r$evaluations)
  near <- abs(at$x1 - at$x2) < 0.2
  expect_gt(mean(near), 0.5)                            # 0.36 of the area
})

test_that("points concentrate near the peak", {
  at <- stablecl:::record_points(peak)
  last <- at$x1[at$round == max(at$round)]
  expect_gt(min(last), 0.2)
  expect_lt(max(last), 0.4)
})

test_that("the error decreases with the number of evaluations", {
  steps <- stablecl:::convergence_of(peak)
  expect_lt(steps$abs.error[nrow(steps)], 1e-6 * steps$abs.error[1])
  expect_true(all(abs(steps$value - peak$value) <= steps$abs.error + 1e-6))
  expect_equal(steps$evaluations[nrow(steps)], peak$evaluations)
})

test_that("every plot is drawn and restores layout and margins", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mar", "mfrow"))
  plane <- gintegrate(function(x) exp(-sum(x^2)), c(-1, 0, 0), 1, dim = 3, rel.tol = 1e-4)
  many <- suppressWarnings(gintegrate(function(x, w) sin(w / x), 0, 1, params = data.frame(w = 0:3), max.eval = 1000))
  expect_invisible(plot(peak))
  expect_invisible(plot(peak, "convergence"))
  expect_invisible(plot(plane, axes = c(1, 3)))
  expect_invisible(plot(many))
  expect_invisible(plot(many, "points", which = 2))
  expect_invisible(plot(gintegrate(dnorm, -Inf, Inf)))
  expect_invisible(plot(suppressMessages(gintegrate(function(x) as.numeric(format(x)), 0, 1:3)), against = 3:1))
  expect_equal(graphics::par(c("mar", "mfrow")), before)
  expect_error(plot(peak, "regions"), "over several variables, not one", class = "stablecl_error_argument")
  expect_error(plot(plane, "points"), "one variable", class = "stablecl_error_argument")
  expect_error(plot(many, "points", which = 9), "`which`", class = "stablecl_error_argument")
  expect_error(plot(many, "bars"), "`type` must be one of", class = "stablecl_error_argument")
  expect_error(plot(many, against = 1:2), "`against` must have 4", class = "stablecl_error_argument")
  for (odd in list(y ~ x + z, list(1, 2, 3, 4), letters[1:4], factor(1:4), 1i * 1:4, quote(f(x, y, z)), sum))
    expect_no_warning(expect_error(plot(many, against = odd), "`against` must contain numbers",
                                   class = "stablecl_error_argument"))
  expect_error(plot(many, against = c(1, 2, Inf, NA)), "element 3 is Inf", class = "stablecl_error_argument")
  expect_invisible(plot(many, against = as.Date("2020-01-01") + 0:3))
  expect_identical(stablecl:::values_shown(many, structure(c(1, 2, 3, 4.5), class = "units"), NULL)$at, c(1, 2, 3, 4.5))
  expect_error(plot(many, xlim = c(TRUE, NA)), "`xlim` must be two finite", class = "stablecl_error_argument")
  expect_error(plot(many, ylim = c(0, NA)), "`ylim` must be two finite", class = "stablecl_error_argument")
  expect_invisible(plot(gintegrate(dnorm, 0, c(1, Inf, 2))))
  expect_error(plot(plane, axes = list(1, 3)), "requires two `axes`", class = "stablecl_error_argument")
  never <- suppressWarnings(gintegrate(function(x) sqrt(x - 2), 0, 1))
  expect_error(plot(never), "no finite value", class = "stablecl_error_argument")
})

test_that("integrals without a finite value cannot be plotted", {
  divergent <- suppressWarnings(gintegrate(function(x) 1 / x, 0, c(1, 2)))
  expect_error(plot(divergent, "values"), "No integral has a finite value", class = "stablecl_error_argument")
})

test_that("plots restore all graphical parameters and take one figure of several", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plane <- gintegrate(function(x, y) exp(-x * y), c(0, 0), 1, rel.tol = 1e-4)
  many <- gintegrate(function(x) exp(-x), 0, 1:3)
  draw <- list(function() plot(peak), function() plot(peak, "convergence"), function() plot(plane),
               function() plot(many))
  before <- graphics::par(no.readonly = TRUE)
  for (one in draw) {
    one()
    expect_equal(graphics::par(no.readonly = TRUE), before)
  }
  graphics::par(mfrow = c(2, 2), mar = c(3, 3, 1, 1), cex = 0.7)
  graphics::plot(1:2)
  for (one in draw[-1L]) {
    place <- graphics::par("mfg")
    before <- graphics::par(c("mar", "cex", "usr", "plt", "mfrow"))
    one()
    expect_equal(graphics::par(names(before)), before)
    expect_equal(sum((graphics::par("mfg") - place)[1:2] * c(2, 1)), 1)
  }
})

test_that("autoplot() makes the same plots with ggplot2", {
  skip_if_not_installed("ggplot2", "3.4.0")
  plane <- gintegrate(function(x, y) exp(-x * y), c(0, 0), c(1, 2), rel.tol = 1e-4)
  many <- suppressWarnings(gintegrate(function(x, w) sin(w / x), 0, 1, params = data.frame(w = 0:3), max.eval = 1000))
  data <- function(picture, layer) {
    expect_s3_class(picture, "ggplot")
    expect_no_warning(built <- ggplot2::layer_data(picture, layer))
    built
  }
  points <- data(ggplot2::autoplot(peak), 2L)
  expect_equal(nrow(points), peak$evaluations)
  expect_equal(points$y, 1 / ((points$x - 0.3)^2 + 1e-4))
  steps <- data(ggplot2::autoplot(peak, "convergence"), 2L)
  expect_equal(10^max(steps$y), max(stablecl:::convergence_shown(peak)$steps$abs.error))
  cells <- data(ggplot2::autoplot(plane), 1L)
  expect_equal(range(cells$xmin, cells$xmax), c(0, 1))
  expect_equal(range(cells$ymin, cells$ymax), c(0, 2))
  values <- data(ggplot2::autoplot(many), 2L)
  expect_equal(values$y, many$value)
  expect_equal(values$x, 0:3)
  expect_equal(length(unique(values$colour)), length(unique(many$status)))
  expect_equal(data(ggplot2::autoplot(many, against = 4:1), 2L)$x, 4:1)
  data(ggplot2::autoplot(many, "points", which = 2), 1L)
  expect_error(ggplot2::autoplot(peak, "pie"), "`type` must be one of", class = "stablecl_error_argument")
  expect_error(ggplot2::autoplot(plane, "points"), "one variable", class = "stablecl_error_argument")
})

test_that("subsets, tables and summaries of integrals keep limits and parameters", {
  r <- gintegrate(function(x, k) k * x, 0, 1:3, params = data.frame(k = c(2, 4, 6)))
  d <- as.data.frame(r[2:3], inputs = TRUE)
  expect_named(d, c("lower", "upper", "k", "value", "abs.error", "evaluations", "status"))
  expect_equal(d$upper, 2:3)
  expect_equal(d$k, c(4, 6))
  expect_equal(d$value, d$k * d$upper^2 / 2)
  plane <- as.data.frame(gintegrate(function(x, y) x * y, c(0, 0), c(1, 2)), inputs = TRUE)
  expect_named(plane[1:4], c("lower1", "lower2", "upper1", "upper2"))
  expect_equal(summary(r[2])$n, 1)
  expect_match(capture.output(print(summary(r))), "3 integrals in 1 dimension", all = FALSE)
})

test_that("summaries show where the evaluations went", {
  many <- suppressWarnings(gintegrate(function(x, p) if (p > 2) sin(p / x) else x^p, 0, 1,
                                      params = data.frame(p = c(seq(0, 2, by = 0.5), -2, 9)), max.eval = 1e4))
  s <- summary(many)
  expect_identical(rownames(s$by.status), names(s$status))
  expect_equal(s$by.status$integrals, as.vector(s$status))
  expect_equal(sum(s$by.status$evaluations), s$evaluations)
  expect_false(anyNA(names(s)))
  expect_equal(sum(s$by.status$share), 1)
  good <- many$evaluations[many$status == "converged"]
  expect_equal(unlist(s$by.status["converged", c("evaluations", "median", "most")], use.names = FALSE),
               c(sum(good), median(good), max(good)))
  expect_named(s$stages, c("gk", "tanhsinh"))
  expect_equal(sum(s$stages), s$evaluations)
  out <- capture.output(print(s))
  expect_match(out, "converged +5 ", all = FALSE)
  expect_match(out, "evaluations by stage: gk [0-9,]+, tanhsinh [0-9,]+$", all = FALSE)
  expect_null(summary(many[1:2])$stages)
  expect_output(print(summary(many[1])), "status: converged")
  expect_output(print(summary(many[0])), "0 integrals")
  box <- suppressWarnings(gintegrate(function(x) abs(sum(x) - 1.3), rep(0, 3), 1, rel.tol = 1e-6, max.eval = 2e5))
  expect_equal(unique(names(box$stages)), c("cubature", "product", "lattice"))
  expect_equal(sum(box$stages), box$evaluations)
  vegas <- gintegrate(function(x, k) exp(-k * sum(x)), rep(0, 3), 1, params = data.frame(k = 1:2), method = "vegas",
                      rel.tol = 1e-3, control = list(seed = 1))
  expect_output(print(summary(vegas)), "iterations averaged: 5;")
})

test_that("data frames of integrals contain the parameters", {
  r <- gintegrate(function(x, k, p) k * x^p, 0, 1:2, params = list(k = c(2L, 4L), p = 1))
  d <- as.data.frame(r)
  expect_named(d, c("k", "p", "value", "abs.error", "evaluations", "status"))
  expect_identical(d$k, c(2L, 4L))
  expect_identical(d$p, c(1, 1))
  expect_identical(d$value, r$value)
  expect_named(as.data.frame(r, inputs = FALSE), names(d)[-(1:2)])
  expect_identical(rownames(as.data.frame(r, row.names = c("a", "b"))), c("a", "b"))
  expect_identical(dim(as.data.frame(r[0])), c(0L, 6L))
  same <- gintegrate(function(x, value, upper) value * x^upper, 0, 1, params = data.frame(value = 1:2, upper = 1:2))
  d <- as.data.frame(same, inputs = TRUE)
  expect_identical(d$value, same$value)
  expect_identical(d$value.1, 1:2)
  expect_identical(d$upper, c(1, 1))
  expect_identical(d$upper.1, 1:2)
})

test_that("the convergence plot repeats the method of the result", {
  r <- gintegrate(function(x, y) exp(-x * y), c(0, 0), 1, method = "vegas", rel.tol = 1e-2, control = list(seed = 1))
  fewer <- stablecl:::with_evaluations(r$problem, 1e4)
  expect_identical(fewer$tolerance$max.eval, 1e4)
  expect_identical(fewer[c("options", "stages")], r$problem[c("options", "stages")])
  expect_identical(r$problem$options, list(seed = c(1, 0)))
})
