# Predictions of regressions for new data, and the rows of what the methods return.

predicted_data <- function() {
  set.seed(12)
  d <- data.frame(dose = rep(c(1, 2, 4, 8), 25), g = gl(2, 50, labels = c("a", "b")), z = rnorm(100), off = rnorm(100))
  d$y <- 1 + d$dose + d$off + rstable(100, 1.6, 0, exp(0.3 * d$z))
  d
}

test_that("variables of new data must have the classes of those of the fit", {
  d <- predicted_data()
  fit <- stable_lm(y ~ dose + g, d, scale = ~ g)
  refused <- function(words, ..., type = "location") {
    new <- data.frame(...)
    e <- expect_error(predict(fit, new, type = type), words, class = "stablecl_error_argument")
    expect_identical(conditionCall(e)[[1L]], quote(predict.stablefit_lm))
  }
  refused("'dose' was fitted with type \"numeric\" but type \"factor\"", dose = factor(1:2), g = "a")
  refused("'dose' was fitted with type \"numeric\" but type \"character\"", dose = c("u", "v", "w"), g = "a")
  refused("'g' was fitted with type \"factor\" but type \"logical\"", dose = 1, g = NA)
  refused("'g' was fitted with type \"factor\" but type \"numeric\"", g = 1, type = "scale")
  expect_equal(predict(fit, data.frame(dose = 2, g = "b")), predict(fit, data.frame(dose = 2, g = factor("b"))))
  expect_equal(predict(fit, data.frame(dose = 2, g = factor("b"))), fitted(fit)[54], ignore_attr = TRUE)
  text <- stable_lm(y ~ dose + g, transform(d, g = as.character(g)))
  expect_equal(predict(text, data.frame(dose = 2, g = factor(c("b", NA)))), c("1" = fitted(text)[[54]], "2" = NA))
})

test_that("missing variables and unknown levels of new data are named", {
  d <- predicted_data()
  fit <- stable_lm(y ~ dose, d, offset = off, scale = ~ g)
  refused <- function(words, ...) {
    e <- expect_error(predict(fit, ...), words, class = "stablecl_error_argument")
    expect_identical(conditionCall(e)[[1L]], quote(predict.stablefit_lm))
  }
  refused("object 'dose' not found", data.frame(off = 1))
  refused("object 'off' not found", data.frame(dose = 1))
  refused("object 'g' not found", data.frame(dose = 1, off = 1), type = "scale")
  refused("g has the level \"c\"", data.frame(dose = 1, off = 1, g = "c"), type = "scale")
  refused("`offset` must be one number for each", list(dose = 1:3, off = 1:2))
})

test_that("new data need only the variables of the parameter that is predicted", {
  d <- predicted_data()
  fit <- stable_lm(y ~ dose, d, offset = off, scale = ~ z)
  for (type in c("location", "scale", "alpha")) {
    needed <- list(location = c("dose", "off"), scale = "z", alpha = "y")[[type]]
    some <- predict(fit, d[4:6, needed, drop = FALSE], type = type, interval = "confidence")
    expect_equal(some, predict(fit, type = type, interval = "confidence")[4:6, ])
  }
  expect_length(predict(fit, list(dose = 1:3, off = 1:3), type = "beta"), 3)
  expect_error(predict(fit, d[4:6, c("dose", "off")], probs = 0.5), "object 'z' not found",
               class = "stablecl_error_argument")
})

test_that("variables of the formulas of other parameters are found in their environments", {
  d <- predicted_data()
  d$high <- rep(0:1, 50)
  square <- function(v) v
  high <- rep(0, 100)
  made <- local({
    high <- rep(0:1, 50)
    square <- function(v) v^2
    ~ high + square(z)
  })
  fit <- stable_lm(y ~ dose, d[c("y", "dose", "z")], scale = made)
  own <- stable_lm(y ~ dose, d, scale = ~ high + I(z^2))
  expect_equal(unname(coef(fit)), unname(coef(own)))
  expect_equal(predict(fit, data.frame(high = 0:1, z = 2), type = "scale"),
               predict(own, data.frame(high = 0:1, z = 2), type = "scale"))
  expect_equal(coef(update(fit, . ~ 1), "scale"), coef(update(own, . ~ 1), "scale"), ignore_attr = TRUE)
  expect_error(stable_lm(y ~ dose + high, d[c("y", "dose", "z")], scale = made), "`scale` uses another high",
               class = "stablecl_error_argument")
  expect_error(stable_lm(y ~ dose, d[c("y", "dose", "z")], scale = made, weights = high + 1),
               "`scale` uses another high", class = "stablecl_error_argument")
})

test_that("rows of weight 0 do not count for the rank and the number of observations", {
  d <- predicted_data()
  d$part <- gl(4, 25)
  d$w <- rep(c(0, 1, 1, 1), each = 25)
  refused <- function(words, ...) expect_error(stable_lm(..., weights = w), words, class = "stablecl_error_data")
  refused("regressors are collinear: part4", y ~ part, d)
  refused("regressors of scale are collinear: part4", y ~ 1, d, scale = ~ part)
  refused("observations with positive weights; there are 5", y ~ dose, d[1:30, ])
  expect_equal(coef(stable_lm(y ~ dose, d, weights = w)), coef(stable_lm(y ~ dose, d[26:100, ])))
})

test_that("predictions, residuals and simulations have the rows of the data", {
  d <- predicted_data()
  d$dose[c(3, 7)] <- NA
  fit <- stable_lm(y ~ dose, d, subset = -(1:2), na.action = na.exclude)
  rows <- as.character(3:100)
  expect_identical(names(fitted(fit)), rows)
  expect_identical(predict(fit), fitted(fit))
  band <- predict(fit, interval = "confidence", se.fit = TRUE)
  expect_identical(rownames(band$fit), rows)
  expect_identical(names(band$se.fit), rows)
  expect_identical(rownames(predict(fit, probs = c(0.1, 0.9))), rows)
  for (type in c("response", "quantile", "pit")) expect_identical(names(residuals(fit, type)), rows)
  drawn <- simulate(fit, 2, seed = 3)
  expect_identical(rownames(drawn), rows)
  expect_identical(unname(which(is.na(drawn$sim_2))), c(1L, 5L))
  expect_identical(attr(drawn, "seed")[[1L]], 3)
  one <- predict(fit, data.frame(dose = 1, row.names = "first"), probs = 0.1, interval = "confidence")
  expect_identical(dimnames(one), list("first", c("fit", "lwr", "upr")))
})

test_that("quantiles exist for new data without rows and for no probabilities", {
  d <- predicted_data()
  for (fit in list(stable_lm(y ~ dose, d), stable_lm(y ~ dose, d, scale = ~ z, alpha = ~ g))) {
    none <- predict(fit, d[0L, ], probs = c(0.001, 0.5), se.fit = TRUE)
    expect_identical(dim(none$fit), c(0L, 2L))
    expect_identical(colnames(none$fit), c("0.1%", "50%"))
    expect_identical(dim(none$se.fit), c(0L, 2L))
    expect_identical(dim(predict(fit, d[0L, ], probs = 0.5, interval = "confidence")), c(0L, 3L))
    expect_identical(dim(predict(fit, d[1:3, ], probs = numeric())), c(3L, 0L))
  }
})

test_that("names of observations, variables and terms are those of lm()", {
  d <- predicted_data()
  rownames(d) <- paste0("row", 1:100)
  d$w <- rep(0:1, 50)
  d$dose[5] <- NA
  fit <- stable_lm(y ~ poly(z, 2) + dose:g, d, scale = ~ z, weights = w)
  peer <- lm(y ~ poly(z, 2) + dose:g, d, weights = w)
  for (full in c(FALSE, TRUE)) expect_identical(case.names(fit, full = full), case.names(peer, full = full))
  expect_identical(variable.names(fit), variable.names(peer))
  expect_identical(labels(fit), labels(peer))
  bare <- stable_lm(y ~ dose, d)
  expect_identical(case.names(bare), case.names(lm(y ~ dose, d)))
  expect_error(case.names(fit, full = 2), "must be TRUE or FALSE", class = "stablecl_error_argument")
})

test_that("intervals of parameters are within their bounds", {
  set.seed(2)
  d <- data.frame(x = rnorm(40))
  d$y <- -d$x - rstable(40, 1.9, 0.9)
  fit <- stable_lm(y ~ x, d)
  for (name in c("alpha", "beta")) {
    band <- predict(fit, d[1L, , drop = FALSE], type = name, interval = "confidence", level = 0.9999)
    expect_equal(unname(band[1L, c("lwr", "upr")]), unname(confint(fit, name, level = 0.9999)[1L, ]))
  }
})
