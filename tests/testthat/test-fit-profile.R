# profile(): the profile likelihood of the parameters of a fit.

test_that("profiles are those of the intervals, and maxima over the other parameters", {
  x <- fit_sample_of(150, 1.6, 0.3, 2, 3)
  for (pm in c(0, 2)) {
    fit <- stablefit(x, pm = pm)
    p <- profile(fit, level = 0.95, points = 3)
    expect_identical(unique(p$parameter), names(coef(fit)))
    ci <- confint(fit, method = "profile")
    for (name in names(coef(fit))) {
      part <- p[p$parameter == name, ]
      expect_identical(nrow(part), 7L)
      expect_equal(range(part$value), unname(ci[name, ]), tolerance = 1e-5)
      expect_equal(part$z[c(1, 4, 7)], qnorm(c(0.025, 0.5, 0.975)), tolerance = 1e-3)
      expect_false(is.unsorted(part$z))
      expect_equal(part$value[4], coef(fit)[[name]])
    }
    expect_equal(p$logLik, as.numeric(logLik(fit)) - p$z^2 / 2)
  }
  fit <- stablefit(x)
  p <- profile(fit, "beta", points = 2)
  held <- stablefit(x, fixed = list(beta = p$value[2]))
  expect_equal(p$logLik[2], as.numeric(logLik(held)), tolerance = 1e-7)
})

test_that("profiles end at bounds and at finite values, and fixed parameters have none", {
  normal <- stablefit(fit_sample_of(100, 2, 0), fixed = list(beta = 0))
  p <- profile(normal, "alpha", points = 2)
  expect_lte(max(p$value), 2)
  near_one <- stablefit(fit_sample_of(100, 1.02, 0.5), pm = 1)
  expect_true(all(is.finite(profile(near_one, "delta", points = 2)$value)))
  expect_error(profile(normal, "beta"), "is fixed", class = "stablecl_error_argument")
  expect_identical(unique(profile(normal, points = 1)$parameter), c("alpha", "gamma", "delta"))
})

test_that("profiles are drawn", {
  p <- profile(stablefit(fit_sample_of(100, 1.6, 0.3)), c("alpha", "gamma"), points = 2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(p), p)
  expect_output(print(p), "parameter +value +z")
  expect_error(plot(p, tpye = "l"), class = "stablecl_error_argument")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(p)
  drawn <- ggplot2::layer_data(picture, 3)
  expect_equal(drawn$y, p$deviance)
  expect_equal(drawn$x, p$value)
  expect_equal(ggplot2::layer_data(picture, 2)$xintercept, p$value[p$z == 0])
  expect_equal(unique(ggplot2::layer_data(picture, 1)$yintercept), qchisq(0.95, 1))
  expect_error(ggplot2::autoplot(p, level = 0.9), class = "stablecl_error_argument")
})

test_that("profiles of regressions and their intervals are those of confint()", {
  set.seed(31)
  d <- data.frame(x = rnorm(80), g = gl(2, 40))
  d$y <- 1 + 2 * d$x + rstable(80, 1.6, 0)
  line <- stable_lm(y ~ x + g, d, fixed = c(beta = 0))
  curve <- profile(line, c("x", "gamma"), points = 6)
  expect_identical(unique(curve$parameter), c("x", "gamma"))
  expect_equal(range(curve$value[curve$parameter == "x"]),
               as.vector(confint(line, "x", level = 0.99, method = "profile")), tolerance = 1e-5)
  expect_equal(confint(curve), confint(line, c("x", "gamma"), method = "profile"), tolerance = 1e-3,
               ignore_attr = TRUE)
  at <- curve[curve$parameter == "x", ][2, ]
  held <- stable_lm(y ~ x + g, d, fixed = c(beta = 0, x = at$value))
  expect_equal(at$logLik, held$loglik, tolerance = 1e-6)
  expect_error(profile(line, "beta"), "fixed", class = "stablecl_error_argument")
  expect_error(confint(curve, level = 0.999), "at most", class = "stablecl_error_argument")
  expect_error(confint(curve, "g2"), "g2", class = "stablecl_error_argument")
  expect_no_error(plotted <- plot(profile(line, "(Intercept)", points = 1)))
  shape <- profile(stable_lm(y ~ x, d, scale = ~ g), "scale_g2", points = 1)
  expect_identical(nrow(shape), 3L)
  sample <- stablefit(d$y - 2 * d$x)
  expect_equal(confint(profile(sample, "gamma")), confint(sample, "gamma", method = "profile"), tolerance = 1e-3,
               ignore_attr = TRUE)
})

test_that("the interval of a parameter without effect is its whole range", {
  set.seed(3)
  fit <- stablefit(rnorm(100))
  expect_identical(coef(fit)[["alpha"]], 2)
  p <- profile(fit, c("alpha", "beta"), points = 2)
  expect_equal(unname(confint(p)["beta", ]), c(-1, 1))
  expect_equal(confint(p)[, 2L], confint(fit, c("alpha", "beta"), method = "profile")[, 2L])
  expect_identical(confint(p)[["alpha", 2L]], 2)
})
