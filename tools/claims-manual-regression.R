# The evidence for the manual page of stable_lm() (tools/check-claims).

manual("stable_lm")
takes("...: `stable_lm()`: not used", plot(line, "qq", cex = 2),
      not = c(stable_lm(dist ~ speed, cars, speed = 3), coef(line, nonsense = 1)))
takes("type: `residuals()`: `\"response\"`", near(residuals(line), cars$dist - fitted(line)),
      near(residuals(line, type = "quantile"),
      qnorm(residuals(line, type = "pit")), 1e-6), not = residuals(line, type = "raw"))
takes("`predict()`: the parameter to predict", near(predict(line), fitted(line)),
      near(predict(line, type = "quantile")[1],
      predict(line, type = "quantile", probs = 0.5)[1]), is.numeric(predict(scaled, type = "scale")),
        not = predict(line, type = "mean"))
takes("parameter: the parameter whose coefficients", length(coef(scaled)) > length(coef(scaled, parameter = "scale")),
      ncol(model.matrix(scaled, parameter = "scale")) == 2, not = coef(scaled, parameter = "shape"))
takes("formula, data: model formula", near(coef(stable_lm(dist ~ speed, data = cars)), coef(line)),
      not = stable_lm(dist ~ none, cars))
shown("With `y ~ 0` the location is 0.", identical(unique(fitted(stable_lm(dist ~ 0, cars))), 0))
takes("nsim, seed: see `simulate.stablefit()`.", identical(simulate(line, 2, seed = 1), simulate(line, 2, seed = 1)),
      not = simulate(line, -1))
takes("newdata: data frame with the regressors", near(predict(line, data.frame(speed = cars$speed[3])),
    fitted(line)[3]), length(predict(line)) == 50,
      not = c(predict(line, 3), predict(line, data.frame(speed = "3"))))
takes("se.fit: logical: return standard errors too?", identical(names(predict(line, se.fit = TRUE))[1:2],
    c("fit", "se.fit")), not = predict(line, se.fit = NA))
takes("probs: `NULL`, or probabilities", ncol(predict(line, type = "quantile", probs = c(0.1, 0.9))) == 2,
      not = predict(line, type = "quantile", probs = "a"))
takes("na.action: what to do with missing values, as for", nobs(stable_lm(dist ~ speed, rbind(cars, NA))) == 50,
      inherits(error_in(quote(stable_lm(dist ~ speed, rbind(cars, NA), na.action = na.fail)), objects), "error"))
takes("control: list: `alpha.min`, the smallest", stable_lm(dist ~ speed, cars,
    control = list(alpha.min = 0.9))$theta[["alpha"]] >= 0.9,
      near(coef(stable_lm(dist ~ speed, cars, control = list(alpha.min = 0.1, maxit = 200))), coef(line)),
      not = stable_lm(dist ~ speed, cars, control = list(alpha.max = 2)))
takes("rounding: `NULL`, or the width", is.finite(logLik(stable_lm(dist ~ speed, cars, rounding = 2))),
      not = stable_lm(dist ~ speed, cars, rounding = -1))
takes("scale, alpha, beta: formulas without a response", length(coef(scaled, parameter = "scale")) == 2,
      not = c(stable_lm(dist ~ speed, cars, scale = dist ~ speed), stable_lm(dist ~ speed, cars, alpha = "speed")))
takes("weights: `NULL`, or a non-negative number for each observation, evaluated in",
      near(coef(stable_lm(dist ~ speed, cars, weights = rep(2, 50))), coef(line), 1e-4),
      near(coef(stable_lm(dist ~ speed, transform(cars, w = 1), weights = w)), coef(line), 1e-4),
        not = stable_lm(dist ~ speed, cars, weights = rep(-1, 50)))
takes("subset: `NULL`, or the rows to use", nobs(stable_lm(dist ~ speed, cars,
    subset = speed > 10)) == sum(cars$speed > 10))
tested("Variables that are not in `data` are",
       "fit-regression-predict: variables of the formulas of other parameters are found")
takes("offset: `NULL`, or numbers in the unit", near(coef(stable_lm(dist ~ speed, cars,
    offset = 3 * speed))[["speed"]], coef(line)[["speed"]] - 3, 1e-3),
      not = stable_lm(dist ~ speed, cars, offset = "a"))
takes("start: `NULL`, or a named vector of values", near(coef(stable_lm(dist ~ speed, cars, start = coef(line))),
    coef(line), 1e-4),
      not = stable_lm(dist ~ speed, cars, start = c(none = 1)))
takes("fixed: `NULL`, or a named vector of coefficients", coef(stable_lm(dist ~ speed, cars,
    fixed = c(speed = 3)))[["speed"]] == 3,
      near(coef(stable_lm(dist ~ speed, cars, fixed = c(alpha = 2, beta = 0)))[1:2], coef(lm(dist ~ speed, cars)),
           1e-6),
      not = c(stable_lm(dist ~ speed, cars, fixed = c(none = 1)), stable_lm(dist ~ speed, cars, fixed = c(alpha = 3))))
tested("A common factor of all weights does not change",
       "fit-weights: a common factor of the weights multiplies the log-likelihood and divides the covariance matrix")
tested("Observations of weight 0 are not used",
       "fit-regression-predict: rows of weight 0 do not count for the rank and the number of observations")
names_as_lm <- "fit-regression-predict: names of observations, variables and terms are those of lm()"
tested("full: logical: include the names", names_as_lm)
tested("Not used by `variable.names()`.", names_as_lm)
tested("`simulate()` returns values that differ from the response",
       "fit-rounding: simulated responses are rounded like the response")
tested("contrasts: `NULL`, or a list of contrasts",
       "fit-regression-parameters: a formula with a point and contrasts of factors work as in lm()")

# --- value, model ---
shown("`stable_lm()`: an object of class", {
  identical(class(line), c("stablefit_lm", "stablefit")) && all(c("(Intercept)", "speed", "alpha", "beta",
      "gamma") %in% names(line$coefficients)) &&
    near(as.numeric(line$data), residuals(line)) && near(as.numeric(scaled$data),
        residuals(scaled) / predict(scaled, type = "scale"))
})
shown("`coef()`, `vcov()`, `confint()`, `summary()` (with", {
  fits <- list(coef, vcov, summary, logLik, AIC, nobs, formula, model.frame, model.matrix, drop1, fitted, residuals,
               predict, sigma)
  all(vapply(fits, function(f) length(f(line)) > 0, NA)) && inherits(anova(update(line, . ~ 1), line), "data.frame") &&
    nrow(add1(update(line, . ~ 1), ~ speed)) == 2 && is.matrix(sandwich::estfun(line)) &&
      is.matrix(sandwich::bread(line)) && ncol(simulate(line, 1)) == 1
})
shown("`predict()`: a vector, or for quantiles", {
  band <- predict(line, interval = "confidence")
  both <- predict(line, interval = "confidence", se.fit = TRUE)
  is.matrix(predict(line, type = "quantile", probs = c(0.1, 0.9))) &&
    identical(colnames(band), c("fit", "lwr", "upr")) &&
    near(band[, "upr"] - band[, "fit"], band[, "fit"] - band[, "lwr"]) &&
      near(both$se.fit * qnorm(0.975), band[, "upr"] - band[, "fit"], 1e-6)
})
tested("Fits y_i = x_i^T b", "fit-regression: the log-likelihood is exact, and higher than that of all neighbours",
       "fit-regression-parameters: the log-likelihood is exact, and its gradient vanishes at the estimate")
shown("`stablefit()` with a formula does the same.", near(coef(stablefit(dist ~ speed, cars)), coef(line)))
shown("The errors have the S0 distribution", {
  t <- coef(line)
  near(logLik(line), sum(dstable(residuals(line), t[["alpha"]], if (is.na(t[["beta"]])) 0 else t[["beta"]],
      t[["gamma"]], 0, log = TRUE)), 1e-6) &&
    abs(stable_mode(1.6, 0.5)) < 0.4
})
shown("For `alpha > 1` the mean of the response", {
  x <- seeded(1, rstable(2e5, 1.9, 0.8, 2))
  abs(mean(x) - (-0.8 * 2 * tan(pi * 0.95))) < 0.05
})
shown("Least squares is the special case", {
  near(coef(stable_lm(dist ~ speed, cars, fixed = c(alpha = 2)))[1:2], coef(lm(dist ~ speed, cars)), 1e-6) && {
    errors <- function(n) vapply(1:15, function(k) {
      x <- seq(-1, 1, length.out = n)
      y <- seeded(k, rstable(n, 1.3, 0))
      abs(c(coef(lm(y ~ x))[[2]], coef(stable_lm(y ~ x, data.frame(x, y), se = FALSE))[["x"]]))
    }, c(0, 0))
    small <- apply(errors(100), 1, median)
    large <- apply(errors(1600), 1, median)
    large[2] < small[2] / 2 && small[2] / large[2] > small[1] / large[1]
  }
})
tested("The optimisation starts from least absolute",
       "fit-regression: the log-likelihood is exact, and higher than that of all",
       code = c("R/fit-regression-search.R: Approximates least absolute deviations by iteratively reweighted",
                "R/fit-regression-search.R: without_ties(stablefit(e, \"quantile\", se = FALSE))$theta"))
shown("Standard errors come from the observed information; those", {
  at <- stable_lm(y ~ 1, data.frame(y = seeded(1, rstable(100, 1.7, 1))))
  is.na(vcov(at)["beta", "beta"]) && is.finite(vcov(at)["gamma", "gamma"])
})
tested("If the normal distribution is as likely", "fit-regression: normal errors give the least-squares fit")

# --- regression of all parameters ---
tested("A parameter with a formula has a linear",
       "fit-regression-parameters: methods return the parts of each parameter",
       "fit-regression-parameters: the log-likelihood is exact, and its gradient vanishes at the estimate")
tested("A parameter with the formula `~ 1`",
       "fit-regression-parameters: formulas ~ 1 give the regression of the location alone")
tested("A `.` in a formula stands",
       "fit-regression-parameters: a formula with a point and contrasts of factors work as in lm()")
tested("`offset()` terms may stand", "fit-regression-parameters: offsets shift the predictors, and subset selects rows")
shown("If only the scale has a formula, a fit", {
  rows <- strsplit(grep("^[|] (200|1000|5000) [|]", readLines("bench/regression.md"), value = TRUE), " *[|] *")
  all(vapply(rows, function(row) as.numeric(row[4]) < 1.45 * as.numeric(row[3]), NA))
})
shown("If `alpha` or `beta` have one, every observation", {
  rows <- strsplit(grep("^[|] (1000|5000) [|]", readLines("bench/regression.md"), value = TRUE), " *[|] *")
  all(vapply(rows, function(row) as.numeric(row[5]) < as.numeric(row[6]), NA))
})
tested("Fitted values of `alpha` are at least",
       "fit-regression-parameters: fitted values of alpha are at least the smallest alpha,")
tested("Where some of them are at this bound, the",
       "fit-regression-parameters: fitted values of alpha are at least the smallest alpha,")
tested("Where all fitted values of `alpha` or",
       "fit-regression-parameters: a sample that makes coefficients diverge is reported")
shown("If only the scale has a formula, residuals", {
  z <- residuals(scaled) / predict(scaled, type = "scale")
  t <- coef(scaled)
  near(residuals(scaled, type = "pit"), pstable(z, t[["alpha"]], if (is.na(t[["beta"]])) 0 else t[["beta"]]), 1e-6)
})
shown("If `alpha` or `beta` have one, `plot()`", {
  d <- seeded(2, data.frame(y = rstable(300, 1.6, 0.2), g = gl(2, 150)))
  of_shape <- stable_lm(y ~ 1, d, alpha = ~ g, se = FALSE)
  z <- residuals(of_shape, "quantile")
  calls <- drawn(plot(of_shape, "density"))
  curve <- Filter(function(call) identical(call[[2]], "l"), calls_of("C_plotXY", calls))[[1]][[1]]
  bars <- calls_of("C_rect", calls)[[1]]
  counts <- 300 * bars[[4]] * (bars[[3]] - bars[[1]])
  near(curve$y, dnorm(curve$x)) && near(counts, hist(z[z >= min(bars[[1]]) & z <= max(bars[[3]])],
                                                     c(bars[[1]], max(bars[[3]])), plot = FALSE)$counts) &&
    near(z, qnorm(pstable(d$y, predict(of_shape, type = "alpha"), predict(of_shape, type = "beta"),
                          predict(of_shape, type = "scale"), predict(of_shape))), 1e-6)
})
tested("Marginal means by package emmeans",
       "fit-regression-parameters: package emmeans computes marginal means of each parameter")
tested("P-values of `anova()` come from the", "fit-regression-anova: regressions of a constant are tested as samples",
       "fit-regression-anova: p-values that no distribution or table gives are NA, with the reason")
tested("The table for `alpha = 2` is",
       "fit-regression-anova: p-values that no distribution or table gives are NA, with the reason")
tested("`drop1()`, `add1()` and `stats::step()`",
       "fit-regression-parameters: print, summary, tests of terms and updates name the parameters")

# --- rounded data, errors ---
shown("With `rounding = h` the likelihood", {
  h <- 2
  rounded <- stable_lm(dist ~ speed, cars, rounding = h)
  t <- coef(rounded)
  at <- function(x) pstable(x, t[["alpha"]], if (is.na(t[["beta"]])) 0 else t[["beta"]], t[["gamma"]])
  r <- residuals(rounded)
  near(as.numeric(logLik(rounded)), sum(log(at(r + h / 2) - at(r - h / 2))), 1e-8)
})
shown("`logLik()` is then the logarithm of", as.numeric(logLik(stable_lm(dist ~ speed, cars,
    rounding = 1e-3))) < as.numeric(logLik(line)) - 100)
shown("Residuals and plots use the rounded values", {
  rounded <- stable_lm(dist ~ speed, cars, rounding = 2)
  near(residuals(rounded), cars$dist - fitted(rounded))
})
shown("To fit a sample, use", stablefit(x ~ 1, data.frame(x = round(sample)), rounding = 1)$convergence$converged)
measured("The fit takes twenty to thirty times", {
  d <- data.frame(x = seeded(1, rstable(1000, 1.6, 0)))
  time <- function(...) min(vapply(1:2, function(k) seconds(stable_lm(x ~ 1, d, ..., se = FALSE)), 0))
  time(rounding = 0.1) / time()
})
takes("Scale, `alpha` and `beta` must have", not = stable_lm(dist ~ speed, cars, scale = ~ speed, rounding = 1))
raises("`\"stablecl_error_argument\"`: an argument is missing, unknown, empty or invalid, a variable", stable_lm(),
       stable_lm(dist ~ none, cars),
       stable_lm(dist ~ speed, cars, start = c(none = 1)), stable_lm(dist ~ speed, cars, fixed = c(alpha = 3)),
         stable_lm(dist ~ speed, cars, speed = 3), predict(line, data.frame(speed = "3")))
raises("`\"stablecl_error_data\"`: the response or the regressors", stable_lm(dist ~ I(speed / 0), cars),
       stable_lm(dist ~ speed, cars[1:3, ]),
       stable_lm(dist ~ speed + I(2 * speed), cars), stable_lm(y ~ 1, data.frame(y = rep(1:2, c(15, 5)))))
