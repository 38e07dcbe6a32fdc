# predict(): densities, probabilities, quantiles and expected shortfalls with standard errors and intervals.

band_fit <- function() stablefit(fit_sample_of(300, 1.5, 0.5, 2, 3))

# Returns sqrt(g' V g), with the gradient g by central differences.
sd_by_differences <- function(fit, f) {
  theta <- coef(fit)
  V <- vcov(fit)
  J <- vapply(1:4, function(j) {
    h <- 1e-3 * sqrt(V[j, j]) * (1:4 == j)
    (f(theta + h) - f(theta - h)) / (2 * h[j])
  }, f(theta))
  unname(sqrt(diag(J %*% V %*% t(J))))
}

law_at <- function(f, at, ...) function(theta) f(at, theta[[1]], theta[[2]], theta[[3]], theta[[4]], ...)

test_that("standard errors are those of the delta method, for every type", {
  fit <- band_fit()
  at <- c(-200, -1, 3, 8, 1e4)
  p <- c(0.001, 0.2, 0.5, 0.9)
  sd <- function(...) unname(predict(fit, ..., se.fit = TRUE)$se.fit)
  expect_equal(sd(type = "density", at = at), sd_by_differences(fit, law_at(dstable, at)), tolerance = 1e-5)
  expect_equal(sd(type = "probability", at = at), sd_by_differences(fit, law_at(pstable, at)), tolerance = 1e-5)
  upper <- law_at(pstable, at, lower.tail = FALSE)
  expect_equal(sd(type = "probability", at = at, lower.tail = FALSE), sd_by_differences(fit, upper), tolerance = 1e-5)
  expect_equal(sd(p, type = "es"), sd_by_differences(fit, law_at(stable_es, p)), tolerance = 1e-5)
})

test_that("predictions agree with the distribution functions, at the data by default", {
  fit <- band_fit()
  est <- as.list(coef(fit))
  expect_identical(predict(fit, type = "density"), dstable(fit$data, est$alpha, est$beta, est$gamma, est$delta))
  expect_identical(predict(fit, type = "probability", at = 5, lower.tail = FALSE),
                   pstable(5, est$alpha, est$beta, est$gamma, est$delta, lower.tail = FALSE))
  expect_identical(predict(fit, 0.05, type = "es"),
                   c("5%" = stable_es(0.05, est$alpha, est$beta, est$gamma, est$delta)))
  expect_identical(predict(fit, 0.05, lower.tail = FALSE, type = "quantile")[[1]],
                   qstable(0.05, est$alpha, est$beta, est$gamma, est$delta, lower.tail = FALSE))
})

test_that("intervals contain the value, stay in range and depend on level", {
  fit <- stablefit(fit_sample_of(40, 1.2, 0.3))
  at <- c(-1e8, -20, 0, 20, 1e8)
  density <- predict(fit, type = "density", at = at, interval = "confidence", level = 0.999)
  expect_identical(colnames(density), c("fit", "lwr", "upr"))
  expect_true(all(density > 0 & density[, "lwr"] < density[, "fit"] & density[, "fit"] < density[, "upr"]))
  prob <- predict(fit, type = "probability", at = at, interval = "confidence", level = 0.999)
  expect_true(all(prob > 0 & prob < 1 + 1e-15 & prob[, "lwr"] <= prob[, "fit"] & prob[, "fit"] <= prob[, "upr"]))
  half <- predict(fit, type = "probability", at = at, interval = "confidence", level = 0.5)
  expect_true(all(half[2:4, "lwr"] > prob[2:4, "lwr"] & half[2:4, "upr"] < prob[2:4, "upr"]))
  q <- predict(fit, c(0.001, 0.5, 0.999), interval = "confidence")
  expect_true(q[1, "upr"] < q[2, "lwr"] && q[2, "upr"] < q[3, "lwr"])
  expect_identical(rownames(q), c("0.1%", "50%", "99.9%"))
})

test_that("intervals of complementary probabilities are reflections, and short intervals are symmetric", {
  fit <- band_fit()
  low <- predict(fit, type = "probability", at = 4, interval = "confidence")
  high <- predict(fit, type = "probability", at = 4, interval = "confidence", lower.tail = FALSE)
  expect_equal(unname(1 - low[, c("fit", "upr", "lwr")]), unname(high[, c("fit", "lwr", "upr")]), tolerance = 1e-7)
  both <- predict(fit, 0.5, se.fit = TRUE, interval = "confidence", level = 0.01)
  expect_equal(both$fit[, "upr"] - both$fit[, "fit"], both$se.fit[[1]] * qnorm(0.505), tolerance = 1e-3,
               ignore_attr = TRUE)
})

test_that("bounds are NA where no standard error is available", {
  normal <- stablefit(rnorm(50), se = FALSE)
  band <- predict(normal, type = "density", at = 0, interval = "confidence")
  expect_identical(is.na(band[1, ]), c(fit = FALSE, lwr = TRUE, upr = TRUE))
  edge <- stablefit(fit_sample_of(100, 0.5, 1), fixed = list(alpha = 0.5, beta = 1))
  outside <- predict(edge, type = "density", at = c(-1e6, 1), interval = "confidence")
  expect_identical(unname(is.na(outside[, "lwr"])), c(TRUE, FALSE))
  expect_identical(outside[[1, "fit"]], 0)
  at_zero <- predict(band_fit(), c(0, 0.01), type = "es", interval = "confidence")
  expect_identical(unname(is.na(at_zero[, "upr"])), c(TRUE, FALSE))
  expect_error(predict(normal, interval = "confidence", level = 2), class = "stablecl_error_argument")
})

test_that("intervals of quantiles have their nominal coverage", {
  # the true 5% quantile, for 150 samples
  truth <- qstable(0.05, 1.6, 0.2)
  set.seed(9)
  inside <- replicate(150, {
    fit <- stablefit(rstable(200, 1.6, 0.2))
    band <- predict(fit, 0.05, interval = "confidence", level = 0.9)
    band[, "lwr"] <= truth && truth <= band[, "upr"]
  })
  expect_gt(mean(inside), 0.82)
  expect_lt(mean(inside), 0.97)
})

test_that("value at risk is the quantile, and messages point out tails of more than half of the distribution", {
  fit <- band_fit()
  expect_no_message(var <- predict(fit, c(0.01, 0.05), type = "var", interval = "confidence"))
  expect_identical(var, predict(fit, c(0.01, 0.05), interval = "confidence"))
  expect_identical(predict(fit, 0.01, type = "var", lower.tail = FALSE), predict(fit, 0.01, lower.tail = FALSE))
  for (type in c("var", "es")) {
    expect_message(predict(fit, c(0.1, 0.99), type = type), "lower tail: 0.99 .*use 0.01 or lower.tail = FALSE")
    expect_message(predict(fit, 0.95, type = type, lower.tail = FALSE), "upper tail: 0.95 .*use 0.05")
    expect_no_message(predict(fit, c(0, 0.5, NA, 1), type = type))
  }
  expect_no_message(predict(fit, 0.99))
})

test_that("probabilities have the names that quantile() gives them", {
  fit <- band_fit()
  p <- c(0, 0.0001, 1 / 3, 0.5, 0.999, 1)
  expect_named(predict(fit, p), names(quantile(1:3, p)))
  expect_named(quantile(fit), c("0%", "25%", "50%", "75%", "100%"))
  many <- stablefit(list(a = fit$data, b = fit$data + 1))
  expect_identical(colnames(predict(many, c(0.001, 0.5))), c("0.1%", "50%"))
})

test_that("intervals whose ends round to the value are explained, without warnings of the search", {
  skewed <- stablefit(fit_sample_of(150, 1.6, 0.2, seed = 3))
  expect_identical(coef(skewed)[["beta"]], 1)
  for (method in c("wald", "profile")) {
    expect_silent(band <- predict(skewed, type = "probability", at = c(0, 1e10), interval = "confidence",
                                  method = method))
    expect_identical(unname(band[2L, ]), c(1, 1, 1))
    expect_identical(attr(band, "reasons"), c("2" = "One point: the ends of the interval round to the value."))
  }
})

test_that("the reason why no bootstrap sample could be fitted is stated", {
  x <- fit_sample_of(60, 1.6, 0.2)
  fit <- stablefit(x, weights = rep(1 / 60, 60))
  for (call in expression(confint(fit, method = "bootstrap", R = 3), stable_gof(fit, R = 3),
                          predict(fit, 0.1, interval = "confidence", method = "bootstrap", R = 3),
                          anova(fit, test = "bootstrap", R = 3)))
    expect_error(eval(call), "None of the 3 bootstrap samples could be fitted: .* requires at least 8 observations",
                 class = "stablecl_error_data")
  constant <- function(n) rep(1, n)
  expect_error(confint(stablefit(x), method = "bootstrap", R = 3, simulate = constant), "All values of `x` are equal",
               class = "stablecl_error_data")
})

test_that("intervals of quantiles are those of the delta method however far out they are", {
  x <- fit_sample_of(200, 1.4, 0.2)
  fit <- stablefit(x)
  line <- stable_lm(x ~ 1)
  theta <- fit$theta
  log_quantile <- function(theta, p) log(-qstable(p, theta[[1]], theta[[2]], theta[[3]], theta[[4]]))
  for (p in c(1e-20, 1e-160, 1e-300)) {
    gradient <- vapply(1:4, function(j) {
      away <- function(h) log_quantile(replace(theta, j, theta[[j]] + h), p)
      (away(1e-6) - away(-1e-6)) / 2e-6
    }, 0)
    sd <- sqrt(sum(gradient * vcov(fit) %*% gradient))
    for (model in list(fit, line)) {
      at <- function(...) if (inherits(model, "stablefit_lm")) predict(model, data.frame(x = 0), probs = p, ...) else
        predict(model, p, ...)
      band <- at(interval = "confidence", se.fit = TRUE)
      expect_equal(log(-as.vector(band$fit[, c("lwr", "upr")])), log_quantile(theta, p) + c(1, -1) * qnorm(0.975) * sd,
                   tolerance = 1e-3)
      expect_equal(as.vector(band$se.fit), -band$fit[[1]] * sd, tolerance = 1e-3)
      expect_null(attr(band$fit, "reasons"))
    }
  }
  ends <- predict(line, data.frame(x = 0), probs = c(0, 1), se.fit = TRUE)
  expect_identical(as.vector(ends$se.fit), c(NA_real_, NA_real_))
  expect_identical(as.vector(predict(line, data.frame(x = 0), probs = 1, interval = "confidence")), c(Inf, NA, NA))
})

test_that("no parameters have an interval without rows, by every method", {
  fit <- band_fit()
  for (method in c("wald", "profile", "bootstrap"))
    expect_output(print(confint(fit, character(), method = method, R = 3)), "^ +2.5 % 97.5 %$")
})
