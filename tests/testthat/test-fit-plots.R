# Data of the plots of a fit, and the drawing itself.

drawn <- function(code) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({ grDevices::dev.off(); unlink(file) })
  force(code)
}

test_that("every plot is drawn for ordinary and extreme fits", {
  set.seed(4)
  fits <- list(stablefit(fit_sample_of(300, 1.5, 0.5, 2, 3)), stablefit(rnorm(60)),
               stablefit(fit_sample_of(100, 0.4, 0.5)), stablefit(fit_sample_of(60, 1.2, 1), fixed = list(beta = 1)),
               stablefit(fit_sample_of(50, 1, 0), "quantile"))
  for (fit in fits) drawn(expect_silent(plot(fit, rownames(stablecl:::fit_plots), ask = FALSE)))
  drawn(expect_identical(plot(fits[[1]], 4:6, main = "all"), fits[[1]]))
})

test_that("the P-P plot uses Michael's variance-stabilising transformation and limits", {
  expect_equal(stablecl:::stabilise(c(0, 0.25, 0.5, 1)), c(0, 1 / 3, 0.5, 1))
  fit <- stablefit(fit_sample_of(200, 1.5, 0))
  points <- stablecl:::pp_points(fit)
  expect_false(is.unsorted(points$observed))
  expect_equal(sin(points$observed * pi / 2)^2, sort(residuals(fit, "pit")))
  set.seed(1)
  far <- replicate(400, {
    at <- stablecl:::stabilise((1:50 - 0.5) / 50)
    max(abs(stablecl:::stabilise(sort(runif(50))) - at))
  })
  expect_lt(abs(mean(far > stablecl:::michael_limit(50)) - 0.05), 4 * sqrt(0.05 * 0.95 / 400))
})

test_that("the Q-Q plot compares quantiles in units of the scale, with limits about the line", {
  fit <- stablefit(fit_sample_of(100, 1.2, 0.3, 2, -5))
  points <- stablecl:::quantile_points(fit)
  data_of <- function(v) fit$theta[["delta"]] + fit$theta[["gamma"]] * sinh(v)
  expect_equal(data_of(points$sample), sort(fit$data))
  expect_equal(data_of(points$law), unname(predict(fit, (1:100 - 0.5) / 100)))
  expect_true(all(points$lower < points$law & points$law < points$upper))
  expect_gt(mean(points$sample > points$lower & points$sample < points$upper), 0.9)
  ticks <- stablecl:::asinh_ticks(range(points$law), fit)
  expect_gt(length(ticks$at), 2)
  expect_gt(min(diff(ticks$at)), diff(range(points$law)) / 8)
})

test_that("the likelihood surface is the profile over scale and location", {
  fit <- stablefit(fit_sample_of(200, 1.4, 0.3, 2, 3))
  surface <- stablecl:::likelihood_surface(fit, 5L)
  for (i in c(1, 3, 5)) for (j in c(2, 4)) {
    held <- stablefit(fit$data, fixed = list(alpha = surface$alpha[i], beta = surface$beta[j]), se = FALSE)
    expect_equal(surface$below[i, j], fit$loglik - held$loglik, tolerance = 0.01, label = paste(i, j))
  }
  fixed <- stablefit(fit$data, fixed = list(gamma = 2, delta = 3))
  surface <- stablecl:::likelihood_surface(fixed, 3L)
  at <- loglik_at(fit$data, c(surface$alpha[1], surface$beta[3], 2, 3))
  expect_equal(surface$below[1, 3], fixed$loglik - at, tolerance = 1e-5)
})

test_that("the likelihood surface exists for small samples, whose scores at some shapes are nearly proportional", {
  set.seed(1)
  fit <- stablefit(rstable(100, 1.5, 0.3))
  surface <- stablecl:::likelihood_surface(fit, 17L)
  expect_false(anyNA(surface$below))
  region <- which(surface$below < 5, arr.ind = TRUE)
  expect_gt(nrow(region), 20)
  for (k in seq(1, nrow(region), by = 5)) {
    i <- region[k, 1]
    j <- region[k, 2]
    held <- stablefit(fit$data, fixed = list(alpha = surface$alpha[i], beta = surface$beta[j]), se = FALSE)
    expect_lt(abs(surface$below[i, j] - (fit$loglik - held$loglik)), 0.05, label = paste(i, j))
  }
})

test_that("a step of scoring solves the equations of its information, if necessary with a small ridge", {
  information <- matrix(c(4, 1, 1, 9), 2)
  step <- stablecl:::scale_step(information * 1e40, c(1, 2), c(TRUE, TRUE))
  expect_equal(step * 1e40, solve(information, c(1, 2)), tolerance = 1e-8)
  expect_identical(stablecl:::scale_step(information, c(1, 2), c(FALSE, TRUE)), c(0, 2 / 9 / (1 + 1e-9)))
  proportional <- stablecl:::scale_step(1e30 * outer(c(1, 3), c(1, 3)), c(1, 3) * 1e30, c(TRUE, TRUE))
  expect_equal(sum(c(1, 3) * proportional), 1, tolerance = 1e-6)
  expect_identical(stablecl:::scale_step(matrix(c(4, 0, 0, 0), 2), c(2, 0), c(TRUE, TRUE)), c(0.5 / (1 + 1e-9), 0))
})

test_that("the weighted subsample of a large sample represents its log-likelihood", {
  x <- fit_sample_of(20000, 1.3, 0.2)
  condensed <- stablecl:::condense_sample(x)
  expect_identical(sum(condensed$weight), 20000)
  expect_identical(length(condensed$x), 5000L)
  expect_true(all(condensed$x %in% x) && all(range(x) %in% condensed$x))
  difference <- function(x, w) sum(w * (dstable(x, 1.32, 0.2, log = TRUE) - dstable(x, 1.28, 0.15, log = TRUE)))
  # contour levels of the log-likelihood differ by about one
  expect_lt(abs(difference(condensed$x, condensed$weight) - difference(x, 1)), 0.05)
  expect_identical(stablecl:::condense_sample(1:100)$x, 1:100)
})

test_that("autoplot() makes the same plots with ggplot2", {
  skip_if_not_installed("ggplot2")
  set.seed(4)
  for (fit in list(stablefit(fit_sample_of(300, 1.5, 0.5, 2, 3)), stablefit(rnorm(60))))
    for (type in c("density", "pp", "quantiles", "tails", "qq", "likelihood")) {
      picture <- ggplot2::autoplot(fit, type)
      expect_s3_class(picture, "ggplot")
      drawn(expect_silent(print(picture)))
    }
  fit <- stablefit(fit_sample_of(300, 1.5, 0))
  residuals <- ggplot2::layer_data(ggplot2::autoplot(fit, "qq"), 3)
  expect_equal(residuals$y, sort(residuals(fit)))
  estimate <- ggplot2::layer_data(ggplot2::autoplot(fit, "likelihood"), 3)
  expect_equal(c(estimate$x, estimate$y), unname(coef(fit)[1:2]))
  tails <- ggplot2::layer_data(ggplot2::autoplot(fit, "tails"), 1)
  expect_equal(min(10^tails$y), 0.5 / 300)
  expect_error(plot(fit, xlim = c(0, NA)), "`xlim` must be two finite", class = "stablecl_error_argument")
  expect_error(ggplot2::autoplot(fit, "pie"), "`type` must be one of", class = "stablecl_error_argument")
})

test_that("the density of a heavy-tailed fit is drawn over eight interquartile ranges, others over the central 99%", {
  set.seed(1)
  heavy <- stablefit(rstable(1000, 0.6, 0.3), se = FALSE)
  quartiles <- predict(heavy, 1:3 / 4)
  expect_lt(diff(stablecl:::plot_range(heavy)), 1.04 * 16 * diff(quartiles[c(1, 3)]) * (1 + 1e-12))
  light <- stablefit(rstable(1000, 1.7, 0), se = FALSE)
  expect_equal(stablecl:::plot_range(light), predict(light, c(0.005, 0.995)) + c(-0.02, 0.02) *
                 diff(predict(light, c(0.005, 0.995))), ignore_attr = TRUE)
})

test_that("tests of fit and many fits are drawn with their names", {
  test <- stable_gof(fit_sample_of(100, 1.5, 0), 1.5, 0)
  before <- par("mar")
  drawn({
    before <- par("mar")
    expect_identical(plot(test), test)
    expect_identical(par("mar"), before)
    expect_error(plot(test, level = 2), "`level` must be", class = "stablecl_error_argument")
  })
  none <- test
  none$p.value <- 0
  drawn(expect_silent(plot(none)))
  written <- function(fits, ...) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file, compress = FALSE)
    plot(fits, ...)
    grDevices::dev.off()
    any(grepl("(first)", readLines(file, warn = FALSE), fixed = TRUE, useBytes = TRUE))
  }
  fits <- stablefit(list(first = fit_sample_of(60, 1.5, 0), second = fit_sample_of(60, 1.2, 0.5)), "quantile")
  expect_true(written(fits))
  expect_false(written(fits, labels = FALSE))
})

test_that("the axes of many fits cover estimates and bars, and not much more", {
  samples <- lapply(1:3, function(i) fit_sample_of(2000, 1.7, 0.1, seed = i))
  fits <- stablefit(samples)
  theta <- coef(fits)
  sd <- as.matrix(as.data.frame(fits)[c("se.alpha", "se.beta")])
  limits <- drawn({
    plot(fits)
    par("usr")
  })
  ends <- cbind(theta[, 1:2] - sd, theta[, 1:2] + sd)
  expect_true(all(ends[, c(1, 3)] > limits[1] & ends[, c(1, 3)] < limits[2]))
  expect_true(all(ends[, c(2, 4)] > limits[3] & ends[, c(2, 4)] < limits[4]))
  expect_lt(diff(limits[1:2]), 0.4)
  expect_gte(diff(limits[1:2]), 0.3)
  of <- function(alpha, beta) {
    d <- data.frame(alpha, beta, left = NA_real_, right = NA_real_, low = NA_real_, high = NA_real_)
    stablecl:::plane_limits(d)
  }
  expect_equal(of(c(2, NA), c(0, NA)), list(alpha = c(1.7, 2), beta = c(-0.3, 0.3)))
  expect_equal(of(0.05, 1), list(alpha = c(0, 0.3), beta = c(0.4, 1)))
  expect_equal(of(c(0.1, 2), c(-1, 1)), list(alpha = c(0, 2), beta = c(-1, 1)))
  expect_equal(of(NA_real_, NA_real_), list(alpha = c(0, 2), beta = c(-1, 1)))
})

test_that("autoplot() draws many fits, windows and tests of fit as plot() does", {
  skip_if_not_installed("ggplot2")
  layer <- function(picture, i) ggplot2::layer_data(picture, i)
  samples <- lapply(1:3, function(i) fit_sample_of(200, 1.5 + i / 10, 0.3, seed = i))
  fits <- suppressWarnings(stablefit(c(setNames(samples, c("a", "b", "c")), list(empty = numeric()))))
  picture <- ggplot2::autoplot(fits)
  drawn(expect_silent(print(picture)))
  theta <- coef(fits)[1:3, ]
  sd <- as.data.frame(fits)[1:3, c("se.alpha", "se.beta")]
  expect_equal(layer(picture, 3)$x[1:3], unname(theta[, "alpha"]))
  expect_equal(layer(picture, 3)$y[1:3], unname(theta[, "beta"]))
  expect_equal(layer(picture, 1)$xend[1:3], pmin(2, unname(theta[, "alpha"]) + sd$se.alpha))
  expect_equal(layer(picture, 2)$y[1:3], pmax(-1, unname(theta[, "beta"]) - sd$se.beta))
  expect_equal(layer(picture, 4)$label[1:3], c("a", "b", "c"))
  expect_length(ggplot2::autoplot(fits, se = FALSE, labels = FALSE)$layers, 1)

  windows <- stablefit(fit_sample_of(300, 1.6, 0.4), width = 100, by = 50)
  picture <- ggplot2::autoplot(windows)
  drawn(expect_silent(print(picture)))
  table <- as.data.frame(windows)
  for (j in 1:4) {
    name <- c("alpha", "beta", "gamma", "delta")[j]
    points <- subset(layer(picture, 2), PANEL == j)
    bars <- subset(layer(picture, 1), PANEL == j)
    expect_equal(points$x, table$end)
    expect_equal(points$y, table[[name]])
    most <- c(2, 1, Inf, Inf)[j]
    expect_equal(bars$ymax, pmin(table[[name]] + 1.96 * table[[paste0("se.", name)]], most))
  }
  expect_true(all(is.na(layer(ggplot2::autoplot(windows, se = FALSE), 1)$ymax)))

  test <- stable_gof(fit_sample_of(100, 1.6, 0.4), 1.6, 0.4)
  picture <- ggplot2::autoplot(test, level = 0.1)
  drawn(expect_silent(print(picture)))
  expect_equal(10^layer(picture, 2)$x, test$p.value)
  expect_equal(10^layer(picture, 1)$xintercept, 0.1)
  for (call in expression(ggplot2::autoplot(fits, se = NA), ggplot2::autoplot(fits, labels = 2),
                          ggplot2::autoplot(windows, se = "no"), ggplot2::autoplot(test, level = 2),
                          ggplot2::autoplot(windows, colour = 1)))
    expect_error(eval(call), class = "stablecl_error_argument")
})
