# Linear regression with stable errors.

regression_data <- function(n = 120, alpha = 1.5, beta = 0.3, seed = 3) {
  set.seed(seed)
  d <- data.frame(x = runif(n, 100, 110), z = rnorm(n), g = gl(3, n / 3, labels = c("a", "b", "c")))
  d$y <- 5 + 2 * d$x - 3 * d$z + c(0, 1, 4)[d$g] + rstable(n, alpha, beta, 0.5)
  d
}

loglik_of <- function(fit) {
  est <- coef(fit)
  e <- model.response(model.frame(fit)) - fitted(fit)
  sum(dstable(e, est[["alpha"]], est[["beta"]], est[["gamma"]], log = TRUE))
}

test_that("the log-likelihood is exact, and higher than that of all neighbours", {
  fit <- stablefit(y ~ x + z + g, regression_data())
  expect_equal(as.numeric(logLik(fit)), loglik_of(fit), tolerance = 1e-10)
  expect_identical(attr(logLik(fit), "df"), 8)
  sd <- sqrt(diag(vcov(fit)))
  for (j in seq_along(sd)) for (side in c(-1, 1)) {
    near <- fit
    near$coefficients[j] <- coef(fit)[j] + side * 0.1 * sd[j]
    near$fitted.values <- drop(model.matrix(fit) %*% near$coefficients[1:5])
    expect_lt(loglik_of(near), fit$loglik)
  }
})

test_that("the fit with only an intercept is the fit of the sample", {
  x <- fit_sample_of(200, 1.4, 0.4, 2, 3)
  sample <- stablefit(x)
  fit <- stablefit(x ~ 1)
  expect_equal(unname(coef(fit)[c("alpha", "beta", "gamma", "(Intercept)")]), unname(coef(sample)), tolerance = 1e-6)
  expect_equal(fit$loglik, sample$loglik, tolerance = 1e-10)
  order <- c("alpha", "beta", "gamma", "(Intercept)")
  expect_equal(unname(vcov(fit)[order, order]), unname(vcov(sample)), tolerance = 1e-3)
})

test_that("normal errors give the least-squares fit", {
  set.seed(6)
  d <- data.frame(x = rnorm(80))
  d$y <- 1 + d$x + rnorm(80)
  fit <- stablefit(y ~ x, d)
  skip_if(fit$theta[["alpha"]] < 2)
  plain <- lm(y ~ x, d)
  expect_equal(coef(fit)[1:2], coef(plain))
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(plain)))
  expect_equal(vcov(fit)[1:2, 1:2], vcov(plain) * 78 / 80)
  expect_identical(is.na(coef(fit)), c("(Intercept)" = FALSE, x = FALSE, alpha = FALSE, beta = TRUE, gamma = FALSE))
})

test_that("the fit is equivariant under changes of units and shifts of the response", {
  d <- regression_data()
  fit <- stablefit(y ~ x + z, d)
  d$y2 <- 1000 * d$y + 7 * d$x
  d$z2 <- d$z / 1e6
  scaled <- stablefit(y2 ~ x + z2, d)
  expect_equal(coef(scaled)[["x"]], 1000 * coef(fit)[["x"]] + 7, tolerance = 1e-7)
  expect_equal(coef(scaled)[["z2"]], 1e9 * coef(fit)[["z"]], tolerance = 1e-7)
  expect_equal(coef(scaled)[c("alpha", "beta")], coef(fit)[c("alpha", "beta")], tolerance = 1e-6)
  expect_equal(vcov(scaled)["z2", "z2"], 1e18 * vcov(fit)["z", "z"], tolerance = 1e-4)
  mirrored <- stablefit(-y ~ x + z, d)
  expect_equal(coef(mirrored)[["beta"]], -coef(fit)[["beta"]], tolerance = 1e-6)
})

test_that("standard errors agree with the spread of repeated samples", {
  set.seed(21)
  n <- 120
  d <- data.frame(x = rnorm(n), y = 0)
  z <- replicate(100, {
    d$y <- 1 + 2 * d$x + rstable(n, 1.5, 0)
    fit <- stablefit(y ~ x, d)
    (coef(fit)[1:2] - c(1, 2)) / sqrt(diag(vcov(fit))[1:2])
  })
  # the standard deviation of 100 standard normal values has the standard error 0.07
  expect_true(all(abs(apply(z, 1, sd) - 1) < 0.28))
  expect_true(all(abs(rowMeans(z)) < 0.4))
})

test_that("the fit is robust against outliers that distort least squares", {
  d <- regression_data(alpha = 1.1, beta = 0)
  d$y[5] <- 1e6
  fit <- stablefit(y ~ x + z + g, d)
  expect_lt(abs(coef(fit)[["x"]] - 2), 0.3)
  expect_gt(abs(coef(lm(y ~ x + z + g, d))[["x"]] - 2), 3)
})

test_that("fitted values, residuals, predictions and simulations are consistent", {
  d <- regression_data()
  fit <- stablefit(y ~ x + poly(z, 2) + g, d)
  expect_equal(fitted(fit) + residuals(fit), d$y, ignore_attr = TRUE)
  expect_equal(predict(fit), fitted(fit))
  expect_equal(predict(fit, d[7:9, ]), fitted(fit)[7:9])
  band <- predict(fit, d[1, ], interval = "confidence", level = 0.9, se.fit = TRUE)
  row <- model.matrix(fit)[1, ]
  k <- seq_along(row)
  expect_equal(band$se.fit[[1]], sqrt(drop(row %*% vcov(fit)[k, k] %*% row)))
  expect_equal(diff(band$fit[1, 2:3])[[1]], 2 * qnorm(0.95) * band$se.fit[[1]])
  est <- as.list(coef(fit))
  q <- predict(fit, d[1:2, ], probs = c(0.1, 0.9))
  expect_equal(unname(q - fitted(fit)[1:2]), outer(c(1, 1), qstable(c(0.1, 0.9), est$alpha, est$beta, est$gamma)))
  expect_equal(pnorm(residuals(fit, "quantile")), residuals(fit, "pit"))
  s <- simulate(fit, 2, seed = 4)
  expect_identical(s, simulate(fit, 2, seed = 4))
  expect_lt(abs(median(s[[1]] - fitted(fit))), 0.5)
})

test_that("missing values are handled as na.action specifies", {
  d <- regression_data()
  d$z[4] <- NA
  d$y[9] <- NA
  fit <- stablefit(y ~ x + z, d)
  expect_identical(nobs(fit), 118L)
  expect_equal(coef(fit), coef(stablefit(y ~ x + z, d[-c(4, 9), ])))
  padded <- stablefit(y ~ x + z, d, na.action = na.exclude)
  expect_identical(unname(which(is.na(fitted(padded)))), c(4L, 9L))
  expect_length(residuals(padded), 120)
})

test_that("calls, updates, summaries and tests of terms work as for lm()", {
  d <- regression_data()
  fit <- stablefit(y ~ x + z, data = d)
  expect_s3_class(fit, c("stablefit_lm", "stablefit"), exact = TRUE)
  expect_identical(coef(stable_lm(y ~ x + z, d)), coef(fit))
  f <- y ~ x + z
  expect_identical(coef(stablefit(x = f, d)), coef(fit))
  small <- update(fit, . ~ . - z)
  expect_identical(names(coef(small)), c("(Intercept)", "x", "alpha", "beta", "gamma"))
  table <- anova(fit, small)
  expect_equal(table$Chisq[2], 2 * (fit$loglik - small$loglik))
  expect_lt(table[2, "Pr(>Chisq)"], 1e-6)
  expect_error(anova(small, stablefit(y ~ g + z, d)), "not nested", class = "stablecl_error_argument")
  said <- capture.output(print(summary(fit)))
  expect_match(said, "Linear model with stable errors", all = FALSE)
  ci <- confint(fit, "x")
  expect_equal(mean(ci), coef(fit)[["x"]])
  expect_error(stable_gof(fit, R = 2), "not available for regressions", class = "stablecl_error_argument")
})

test_that("plots, tidy() and augment() work for regressions", {
  d <- regression_data()
  fit <- stablefit(y ~ x + z, d)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({ grDevices::dev.off(); unlink(file) })
  expect_silent(plot(fit, ask = FALSE))
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(fit)$term, names(coef(fit)))
  expect_equal(generics::augment(fit, d)$.resid, unname(residuals(fit)))
})

test_that("bad models are classed errors", {
  d <- regression_data()
  refused <- function(words, ..., class = "data") {
    expect_error(stablefit(...), words, class = paste0("stablecl_error_", class))
  }
  refused("collinear", y ~ x + I(2 * x), d)
  refused("one numeric variable", g ~ x, d)
  refused("one numeric variable", cbind(y, x) ~ z, d)
  refused("requires at least", y ~ x, d[1:9, ])
  refused("must be finite, but row 2", y ~ x, transform(d, x = replace(x, 2, Inf)))
  refused("must not be called gamma", y ~ gamma, transform(d, gamma = x), class = "argument")
  expect_error(stablefit(y ~ x, d, nonsense = 1), "unused argument")
})

test_that("a model without regressors has location 0", {
  d <- regression_data()
  d$y <- d$y - median(d$y)
  d$x <- d$x - 105
  fit <- stable_lm(y ~ 0, d)
  sample <- stablefit(d$y, fixed = c(delta = 0))
  expect_equal(logLik(fit), logLik(sample), ignore_attr = TRUE)
  expect_equal(coef(fit), coef(sample)[c("alpha", "beta", "gamma")], tolerance = 1e-5)
  expect_identical(unique(fitted(fit)), 0)
  expect_equal(unname(residuals(fit)), d$y)
  expect_equal(sqrt(diag(vcov(fit))), sqrt(diag(vcov(sample)))[c("alpha", "beta", "gamma")], tolerance = 1e-3)
  line <- stable_lm(y ~ x - 1, d)
  expect_equal(drop1(line)["x", "AIC"], AIC(fit))
  expect_equal(add1(fit, ~ x)["x", "AIC"], AIC(line))
  expect_equal(anova(line, fit)$Chisq[2], 2 * as.numeric(logLik(line) - logLik(fit)))
  rounded <- stable_lm(round(y) ~ 0, d, rounding = 1)
  expect_equal(logLik(rounded), logLik(stable_lm(round(y) ~ 1, d, rounding = 1, fixed = c("(Intercept)" = 0))))
  expect_identical(length(coef(stable_lm(y ~ 0, d, scale = ~ z))), 4L)
})

test_that("regressors may be in any unit", {
  d <- regression_data()
  fit <- stable_lm(y ~ x + z, d, scale = ~ z)
  for (unit in c(1e-100, 1e-18, 1e18, 1e100)) {
    scaled <- stable_lm(y ~ x + z, transform(d, z = z * unit), scale = ~ z)
    own <- ifelse(names(coef(fit)) %in% c("z", "scale_z"), unit, 1)
    expect_equal(coef(scaled) * own, coef(fit), tolerance = 1e-7)
    expect_equal(sqrt(diag(vcov(scaled))) * own, sqrt(diag(vcov(fit))), tolerance = 1e-6)
  }
  huge <- stable_lm(y ~ x + z, transform(d, z = z * 1e200))
  expect_true(is.na(vcov(huge)["z", "z"]))
  expect_match(paste(huge$notes, collapse = " "), "variances of z are beyond the range")
})

test_that("an outlier of any size has a bounded influence", {
  d <- regression_data()
  fits <- lapply(c(1e6, 1e16, 1e30, 1e60), function(outlier)
    stable_lm(y ~ x + z, rbind(d, data.frame(x = 105, z = 0, g = "a", y = outlier))))
  slopes <- vapply(fits, function(fit) coef(fit)[c("x", "z")], c(x = 0, z = 0))
  expect_lt(max(abs(slopes - c(2, -3))), 0.5)
  expect_true(all(vapply(fits, function(fit) fit$convergence$converged, NA)))
  expect_equal(fits[[3L]]$loglik, loglik_of(fits[[3L]]), tolerance = 1e-9)
  sample <- c(fit_sample_of(100, 1.5, 0), 1e25)
  expect_equal(coef(stable_lm(sample ~ 1))[["(Intercept)"]], coef(stablefit(sample))[["delta"]], tolerance = 1e-6)
})

test_that("residuals that are due to rounding alone have no scale", {
  d <- regression_data()
  for (y in list(5 + 2 * d$x - 3 * d$z, 1e9 * d$z, rep(7, nrow(d)), rep(0:1, c(119, 1))))
    expect_error(stable_lm(y ~ x + z, replace(d, "y", y)), "Half of the residuals are equal",
                 class = "stablecl_error_data")
})

test_that("the regression with alpha fixed at 2 is least squares, also for heavy tails", {
  d <- regression_data(400, alpha = 1.2)
  w <- rep(c(1, 2, 1, 3), 100)
  for (fixed in list(c(alpha = 2), c(alpha = 2, beta = 0))) {
    fit <- expect_no_warning(stable_lm(y ~ x + z, d, fixed = fixed))
    plain <- lm(y ~ x + z, d)
    expect_equal(coef(fit)[1:3], coef(plain), tolerance = 1e-8)
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(plain)), tolerance = 1e-10)
    weighted <- stable_lm(y ~ x + z, d, fixed = fixed, weights = w)
    repeated <- lm(y ~ x + z, d[rep(1:400, w), ])
    expect_equal(coef(weighted)[1:3], coef(repeated), tolerance = 1e-8)
    expect_equal(vcov(weighted)[1:3, 1:3], vcov(repeated) * (1 - 3 / nobs(repeated)), tolerance = 1e-5)
  }
  spread <- expect_no_warning(stable_lm(y ~ x + z, d, fixed = c(alpha = 2), scale = ~ z))
  expect_true(spread$convergence$converged)
  b <- c(coef(spread, "location"), coef(spread, "scale"))
  loglik <- function(b) sum(dnorm(d$y, cbind(1, d$x, d$z) %*% b[1:3], sqrt(2) * exp(b[4] + b[5] * d$z), log = TRUE))
  expect_equal(loglik(b), as.numeric(logLik(spread)), tolerance = 1e-10)
  for (j in 1:5) for (side in c(-1, 1))
    expect_lt(loglik(replace(b, j, b[j] + side * 0.01 * summary(spread)$coefficients[names(b)[j], "Std. Error"])),
              loglik(b))
})
