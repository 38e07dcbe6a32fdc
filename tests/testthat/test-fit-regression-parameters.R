# Regression of scale, alpha and beta.

parameters_data <- function(n = 300, seed = 5) {
  set.seed(seed)
  d <- data.frame(x = rnorm(n), z = rnorm(n), w = runif(n, -1, 1), u = rnorm(n), g = gl(3, n / 3))
  d$y <- 1 + 2 * d$x + rstable(n, 2 * plogis(1.2 + 0.8 * d$w), tanh((0.3 + 0.6 * d$u) / 2), exp(0.2 + 0.5 * d$z))
  d
}

# The log-likelihood, written down anew, as a function of all coefficients.
own_loglik <- function(v, d, weights = 1) {
  mu <- v[1] + v[2] * d$x
  alpha <- 2 / (1 + exp(-v[3] - v[4] * d$w))
  beta <- tanh((v[5] + v[6] * d$u) / 2)
  sum(weights * dstable(d$y, alpha, beta, exp(v[7] + v[8] * d$z), mu, log = TRUE))
}

test_that("formulas ~ 1 give the regression of the location alone", {
  d <- parameters_data()
  plain <- stable_lm(y ~ x, d)
  fit <- stable_lm(y ~ x, d, scale = ~ 1, alpha = ~ 1, beta = ~ 1)
  expect_identical(coef(fit), coef(plain))
  expect_identical(vcov(fit), vcov(plain))
  # the same model by predictors with an intercept that is not ~ 1
  d$one <- 1
  other <- stable_lm(y ~ x, d, scale = ~ 0 + one, alpha = ~ 0 + one, beta = ~ 0 + one)
  expect_equal(as.numeric(logLik(other)), as.numeric(logLik(plain)), tolerance = 1e-8)
  expect_equal(coef(other)[1:2], coef(plain)[1:2], tolerance = 1e-5)
  law <- c(alpha = 2 * plogis(coef(other)[["alpha_one"]]), beta = tanh(coef(other)[["beta_one"]] / 2),
           gamma = exp(coef(other)[["scale_one"]]))
  expect_equal(law, coef(plain)[c("alpha", "beta", "gamma")], tolerance = 1e-5)
  J <- law[["alpha"]] * (2 - law[["alpha"]]) / 2
  expect_equal(vcov(other)["alpha_one", "alpha_one"] * J^2, vcov(plain)["alpha", "alpha"], tolerance = 1e-3)
})

test_that("the log-likelihood is exact, and its gradient vanishes at the estimate", {
  d <- parameters_data()
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u)
  v <- unname(coef(fit))
  expect_named(coef(fit), c("(Intercept)", "x", "alpha_(Intercept)", "alpha_w", "beta_(Intercept)", "beta_u",
                            "scale_(Intercept)", "scale_z"))
  expect_equal(as.numeric(logLik(fit)), own_loglik(v, d), tolerance = 1e-12)
  expect_identical(attr(logLik(fit), "df"), 8)
  sd <- sqrt(diag(vcov(fit)))
  slope <- vapply(1:8, function(j) {
    h <- replace(numeric(8), j, 1e-3 * sd[j])
    (own_loglik(v + h, d) - own_loglik(v - h, d)) / 2e-3
  }, 0)
  expect_lt(max(abs(slope)), 2e-4)                 # derivatives with respect to v/sd; chance alone would give about 1
  hessian <- vapply(1:8, function(j) {
    h <- replace(numeric(8), j, 0.03 * sd[j])
    own_loglik(v + h, d) - 2 * own_loglik(v, d) + own_loglik(v - h, d)
  }, 0) / (0.03 * sd)^2
  expect_equal(-unname(hessian), unname(diag(solve(vcov(fit)))), tolerance = 5e-3)
})

test_that("scores are the derivatives of the log-likelihood away from the estimate", {
  skip_if_not_installed("sandwich")
  d <- parameters_data(300)
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u, weights = rep(1:2, 150))
  fit$coefficients <- v <- c(0.8, 2.2, 0.9, 0.5, 0.2, 0.4, 0.1, 0.6)
  names(fit$coefficients) <- rownames(vcov(fit))
  fit$fitted.values[] <- v[1] + v[2] * d$x
  fit$residuals <- unname(d$y - fit$fitted.values)
  fit$law <- list(alpha = 2 * plogis(v[3] + v[4] * d$w), beta = tanh((v[5] + v[6] * d$u) / 2),
                  scale = exp(v[7] + v[8] * d$z))
  slope <- vapply(1:8, function(j) {
    h <- replace(numeric(8), j, 1e-5)
    (own_loglik(v + h, d, rep(1:2, 150)) - own_loglik(v - h, d, rep(1:2, 150))) / 2e-5
  }, 0)
  expect_equal(unname(colSums(sandwich::estfun(fit))), slope, tolerance = 1e-6)
})

test_that("with alpha = 2 the fit is the normal location-scale regression", {
  set.seed(8)
  d <- data.frame(x = rnorm(200), z = rnorm(200))
  d$y <- 1 + d$x + rnorm(200, sd = exp(0.3 * d$z))
  fit <- stable_lm(y ~ x, d, scale = ~ z, fixed = c(alpha = 2, beta = 0))
  normal <- function(v) -sum(dnorm(d$y, v[1] + v[2] * d$x, sqrt(2) * exp(v[3] + v[4] * d$z), log = TRUE))
  own <- optim(c(1, 1, 0, 0), normal, method = "BFGS", control = list(reltol = 1e-15))
  estimate <- coef(fit)[c("(Intercept)", "x", "scale_(Intercept)", "scale_z")]
  expect_equal(unname(estimate), own$par, tolerance = 1e-5)
  expect_equal(as.numeric(logLik(fit)), -own$value, tolerance = 1e-10)
  skip_if_not_installed("nlme")
  gls <- nlme::gls(y ~ x, d, weights = nlme::varExp(form = ~ z), method = "ML")
  expect_equal(as.numeric(logLik(gls)), as.numeric(logLik(fit)), tolerance = 1e-8)
  expect_equal(coef(gls$modelStruct$varStruct)[[1]], coef(fit)[["scale_z"]], tolerance = 1e-3)
})

test_that("a normal location-scale sample whose likelihood prefers alpha = 2 is recognised", {
  set.seed(2)
  d <- data.frame(x = rnorm(300), z = rnorm(300))
  d$y <- 1 + d$x + rnorm(300, sd = exp(0.3 * d$z))
  fit <- stable_lm(y ~ x, d, scale = ~ z)
  skip_if(coef(fit)[["alpha"]] < 2)
  held <- stable_lm(y ~ x, d, scale = ~ z, fixed = c(alpha = 2, beta = 0))
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(held)), tolerance = 1e-8)
  expect_equal(coef(fit)[["scale_z"]], coef(held)[["scale_z"]], tolerance = 1e-5)
  expect_true(is.na(coef(fit)[["beta"]]))
})

test_that("with alpha = 1 and beta = 0 the fit maximises the Cauchy likelihood", {
  set.seed(9)
  d <- data.frame(x = rnorm(150), z = rnorm(150))
  d$y <- 1 + d$x + exp(0.3 * d$z) * rcauchy(150)
  fit <- stable_lm(y ~ x, d, scale = ~ z, fixed = list(alpha = 1, beta = 0))
  cauchy <- function(v) -sum(dcauchy(d$y, v[1] + v[2] * d$x, exp(v[3] + v[4] * d$z), log = TRUE))
  own <- optim(c(1, 1, 0, 0), cauchy, method = "BFGS", control = list(reltol = 1e-15), hessian = TRUE)
  free <- c("(Intercept)", "x", "scale_(Intercept)", "scale_z")
  expect_equal(unname(coef(fit)[free]), own$par, tolerance = 1e-5)
  expect_equal(unname(vcov(fit)[free, free]), solve(own$hessian), tolerance = 1e-2)
  expect_identical(fit$fixed, c("alpha", "beta"))
  expect_true(all(is.na(vcov(fit)["alpha", ])))
  expect_identical(attr(logLik(fit), "df"), 4)
})

test_that("a change of units of the response changes the coefficients accordingly", {
  d <- parameters_data()
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u)
  d$y2 <- 100 - 1000 * d$y
  other <- stable_lm(y2 ~ x, d, scale = ~ z, alpha = ~ w, beta = ~ u)
  v <- coef(fit)
  mirrored <- c(100 - 1000 * v[1], -1000 * v[2], v[3:4], -v[5:6], v[7] + log(1000), v[8])
  expect_equal(coef(other), mirrored, tolerance = 1e-6)
  expect_equal(as.numeric(logLik(other)), as.numeric(logLik(fit)) - 300 * log(1000), tolerance = 1e-10)
  d$w2 <- 1e6 * d$w + 3
  scaled <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w2, beta = ~ u)
  expect_equal(1e6 * coef(scaled)[["alpha_w2"]], v[["alpha_w"]], tolerance = 1e-5)
})

test_that("rows may be permuted, and weights of 2 count rows twice", {
  d <- parameters_data(150)
  fit <- function(d) stable_lm(y ~ x, d, scale = ~ z, alpha = ~ g)
  whole <- fit(d)
  expect_equal(coef(fit(d[sample(150), ])), coef(whole), tolerance = 1e-6)
  d$k <- rep(c(1, 2, 0), 50)
  weighted <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ g, weights = k)
  doubled <- fit(d[rep(1:150, d$k), ])
  expect_equal(coef(weighted), coef(doubled), tolerance = 1e-6)
  expect_equal(vcov(weighted), vcov(doubled), tolerance = 1e-4)
  expect_equal(as.numeric(logLik(weighted)), as.numeric(logLik(doubled)), tolerance = 1e-10)
  expect_equal(nobs(weighted), 150)
  expect_length(residuals(weighted), 150)
  expect_equal(coef(stable_lm(y ~ x, d, weights = k)), coef(stable_lm(y ~ x, d[rep(1:150, d$k), ])), tolerance = 1e-6)
})

test_that("offsets shift the predictors, and subset selects rows", {
  d <- parameters_data(150)
  fit <- stable_lm(y ~ x, d)
  shifted <- stable_lm(y ~ x, transform(d, y = y + 3 * z), offset = 3 * z)
  expect_equal(coef(shifted), coef(fit), tolerance = 1e-8)
  expect_equal(fitted(shifted), fitted(fit) + 3 * d$z)
  expect_equal(predict(shifted, d[4:6, ]), fitted(shifted)[4:6])
  term <- stable_lm(y ~ x + offset(3 * z), transform(d, y = y + 3 * z))
  expect_equal(coef(term), coef(fit), tolerance = 1e-8)
  expect_equal(predict(term, transform(d, y = NULL)[1:3, ]), fitted(term)[1:3])
  free <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w)
  moved <- stable_lm(y ~ x, d, scale = ~ z + offset(2 * z), alpha = ~ w + offset(w), beta = ~ 1)
  expect_equal(coef(moved)[["scale_z"]], coef(free)[["scale_z"]] - 2, tolerance = 1e-5)
  expect_equal(coef(moved)[["alpha_w"]], coef(free)[["alpha_w"]] - 1, tolerance = 1e-4)
  expect_equal(predict(moved, d[1:3, ], type = "scale"), predict(free, d[1:3, ], type = "scale"), tolerance = 1e-5)
  some <- stable_lm(y ~ x, d, subset = g != "2", scale = ~ z)
  expect_equal(coef(some), coef(stable_lm(y ~ x, d[d$g != "2", ], scale = ~ z)))
  padded <- stable_lm(y ~ x, transform(d, z = replace(z, 2, NA)), scale = ~ z, na.action = na.exclude)
  expect_identical(unname(which(is.na(residuals(padded, "quantile")))), 2L)
})

test_that("fixed coefficients are held, and start values reach the same maximum", {
  d <- parameters_data()
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w)
  held <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, fixed = c(x = 2, alpha_w = 0.5, beta = 0.1))
  expect_identical(coef(held)[c("x", "alpha_w", "beta")], c(x = 2, alpha_w = 0.5, beta = 0.1))
  expect_lt(as.numeric(logLik(held)), as.numeric(logLik(fit)))
  expect_equal(predict(held), coef(held)[[1]] + 2 * d$x, ignore_attr = TRUE)
  at_fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, fixed = coef(fit)[c("x", "alpha_w", "scale_z", "beta")])
  expect_equal(as.numeric(logLik(at_fit)), as.numeric(logLik(fit)), tolerance = 1e-8)
  from <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w, start = coef(fit))
  expect_equal(coef(from), coef(fit), tolerance = 1e-5)
  plain <- stable_lm(y ~ x, d)
  expect_equal(coef(stable_lm(y ~ x, d, start = c(alpha = 1.2, x = 0))), coef(plain), tolerance = 1e-5)
})

test_that("a sample that makes coefficients diverge is reported", {
  expect_warning(fit <- stable_lm(y ~ x, parameters_data(150), scale = ~ z, alpha = ~ w, beta = ~ u),
                 class = "stablecl_warning_convergence")
  expect_match(fit$notes, "Fitted values of beta are close to -1 or 1", all = FALSE)
})

test_that("fitted values of alpha are at least the smallest alpha, and the others maximise the likelihood there", {
  set.seed(20)
  d <- data.frame(y = rstable(100, rep(c(0.5, 1.9), each = 50), 0), g = gl(2, 50))
  for (least in c(0.6, 0.9)) {
    expect_no_warning(fit <- stable_lm(y ~ 1, d, alpha = ~ g, control = list(alpha.min = least)))
    expect_equal(min(predict(fit, type = "alpha")), least, tolerance = 1e-6)
    expect_gte(min(predict(fit, type = "alpha")), least)
    expect_match(fit$notes, "Fitted values of alpha are at their lower bound", all = FALSE)
    held <- suppressWarnings(stable_lm(y ~ 1, d, alpha = ~ g, fixed = c("alpha_(Intercept)" = qlogis(least / 2))))
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(held)), tolerance = 1e-8)
    expect_identical(unname(is.na(diag(vcov(fit)))), names(coef(fit)) == "alpha_(Intercept)")
    expect_equal(vcov(fit)["beta", "beta"], vcov(held)["beta", "beta"], tolerance = 1e-2)
  }
  expect_lt(min(predict(stable_lm(y ~ 1, d, alpha = ~ g), type = "alpha")), 0.6)
})

test_that("a fitted value of alpha at its bound may belong to one value of a regressor", {
  set.seed(2)
  w <- runif(120)
  d <- data.frame(y = rstable(120, 0.5 + 1.3 * w, 0), w = w)
  expect_no_warning(fit <- stable_lm(y ~ 1, d, alpha = ~ w, control = list(alpha.min = 0.9)))
  alpha <- predict(fit, type = "alpha")
  expect_equal(which(alpha < 0.9 + 1e-6), c(which.min(w)), ignore_attr = TRUE)
  loglik <- function(slope) {                                # along the bound, with the other coefficients held
    eta <- qlogis(0.45) + slope * (w - min(w))
    sum(dstable(residuals(fit), 2 * plogis(eta), coef(fit)[["beta"]], coef(fit)[["gamma"]], log = TRUE))
  }
  best <- optimize(loglik, coef(fit)[["alpha_w"]] + c(-1, 1), maximum = TRUE, tol = 1e-8)
  expect_equal(best$maximum, coef(fit)[["alpha_w"]], tolerance = 1e-5)
  inside <- coef(fit)                                        # away from the bound the likelihood is lower
  inside[["alpha_(Intercept)"]] <- inside[["alpha_(Intercept)"]] + 0.01
  away <- stable_lm(y ~ 1, d, alpha = ~ w, fixed = inside["alpha_(Intercept)"], control = list(alpha.min = 0.9))
  expect_lt(as.numeric(logLik(away)), as.numeric(logLik(fit)))
})

test_that("methods return the parts of each parameter", {
  d <- parameters_data()
  fit <- stable_lm(y ~ poly(x, 2), d, scale = ~ z, alpha = ~ g)
  expect_named(coef(fit, "alpha"), c("(Intercept)", "g2", "g3"))
  expect_named(coef(fit, "beta"), "beta")
  expect_identical(dim(model.matrix(fit, "alpha")), c(300L, 3L))
  expect_identical(deparse(formula(fit, "scale")), "~z")
  expect_equal(predict(fit, d[8:9, ]), fitted(fit)[8:9])
  alpha <- predict(fit, d, type = "alpha", se.fit = TRUE)
  own <- 2 * plogis(drop(model.matrix(fit, "alpha") %*% coef(fit, "alpha")))
  expect_equal(unname(alpha$fit), own, ignore_attr = TRUE)
  own <- predict(update(fit, alpha = ~ 0 + g), d, type = "alpha", se.fit = TRUE)
  expect_equal(alpha, own, tolerance = 1e-4)
  band <- predict(fit, d[1, ], type = "alpha", interval = "confidence")
  eta <- qlogis(band / 2)
  expect_equal(eta[[3]] - eta[[1]], eta[[1]] - eta[[2]])
  law <- lapply(c("alpha", "beta", "scale"), function(type) unname(predict(fit, type = type)))
  q <- predict(fit, probs = c(0.1, 0.9))
  expect_equal(unname(q[, 2]), qstable(0.9, law[[1]], law[[2]], law[[3]], unname(fitted(fit))))
  expect_equal(pstable(unname(q[, 1]), law[[1]], law[[2]], law[[3]], unname(fitted(fit))), rep(0.1, 300))
  r <- residuals(fit, "quantile")
  expect_equal(unname(residuals(fit, "pit")), pstable(d$y, law[[1]], law[[2]], law[[3]], unname(fitted(fit))))
  expect_equal(unname(r), qnorm(unname(residuals(fit, "pit"))), tolerance = 1e-8)
  s <- simulate(fit, 40, seed = 1)
  u <- pstable(as.matrix(s), law[[1]], law[[2]], law[[3]], unname(fitted(fit)))
  expect_gt(ks.test(u, "punif")$p.value, 1e-3)
  expect_identical(unname(sigma(fit)), law[[3]])
  expect_error(mean(fit), "no common distribution", class = "stablecl_error_argument")
})

test_that("standard errors of quantiles agree with the spread over draws of the coefficients", {
  d <- parameters_data()
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w)
  sd <- predict(fit, d[1:2, ], probs = 0.9, se.fit = TRUE)$se.fit
  root <- chol(vcov(fit))
  set.seed(4)
  draws <- replicate(400, {
    v <- coef(fit) + 0.2 * drop(rnorm(length(coef(fit))) %*% root)
    e <- d[1:2, ]
    qstable(0.9, 2 * plogis(v[[3]] + v[[4]] * e$w), v[["beta"]], exp(v[[6]] + v[[7]] * e$z), v[[1]] + v[[2]] * e$x)
  })
  expect_equal(unname(sd[, 1]), apply(draws, 1, sd) / 0.2, tolerance = 0.12)
})

test_that("print, summary, tests of terms and updates name the parameters", {
  d <- parameters_data()
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w)
  said <- capture.output(print(summary(fit)))
  for (head in c("Location (identity):", "Scale (log):", "Alpha (logit of alpha/2):", "Beta:"))
    expect_true(head %in% said, label = head)
  expect_match(capture.output(print(fit)), "Regression of all parameters", all = FALSE)
  small <- update(fit, alpha = ~ 1)
  table <- anova(small, fit)
  expect_equal(table$Chisq[2], 2 * as.numeric(logLik(fit) - logLik(small)))
  expect_identical(table$Df[2], 1)
  expect_error(anova(update(fit, alpha = ~ u + g), fit), "not nested", class = "stablecl_error_argument")
  expect_error(anova(small, update(fit, weights = rep(2, 300))), "same weights", class = "stablecl_error_argument")
  dropped <- drop1(fit, test = "Chisq")
  expect_equal(dropped["x", "AIC"], AIC(update(fit, . ~ . - x)))
  added <- add1(fit, ~ . + u)
  expect_equal(added["u", "AIC"], AIC(update(fit, . ~ . + u)))
  expect_match(attr(anova(stable_lm(y ~ x, d, fixed = c(beta = 0)), stable_lm(y ~ x, d)), "heading"), "beta = 0",
               all = FALSE)
})

test_that("plots show the residuals of models of all parameters", {
  d <- parameters_data()
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({ grDevices::dev.off(); unlink(file) })
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ w)
  expect_silent(plot(fit, ask = FALSE))
  expect_silent(plot(stable_lm(y ~ x, d, scale = ~ z), ask = FALSE))
})

test_that("models that cannot be fitted are classed errors", {
  d <- parameters_data(60)
  refused <- function(words, ..., class = "argument") {
    expect_error(stable_lm(y ~ x, d, ...), words, class = paste0("stablecl_error_", class))
  }
  refused("`scale` must be a formula", scale = 3)
  refused("`alpha` must be a formula", alpha = y ~ z)
  refused("collinear: I\\(2 \\* z\\) is a linear", scale = ~ z + I(2 * z), class = "data")
  refused("regressors of beta are collinear", beta = ~ z + I(2 * z), class = "data")
  refused("not found", beta = ~ nowhere)
  expect_error(stable_lm(y ~ x, d, weights = x), "`weights` must be", class = "stablecl_error_argument")
  expect_error(stable_lm(y ~ x, d, weights = 1:3), "ariable lengths differ", class = "stablecl_error_argument")
  refused("`fixed` must have unique names among", fixed = c(delta = 1))
  refused("`fixed\\$alpha` must be one number in", fixed = c(alpha = 3))
  refused("`start\\$alpha` must be one number in", start = list(alpha = 0))
  refused("`start\\$alpha` must be at least", start = list(alpha = 0.05))
  refused("`start\\$gamma` must be one positive", start = list(gamma = -1))
  refused("`start\\$x` must be one finite", start = list(x = Inf))
  refused("change `start` or `fixed`", alpha = ~ w, start = c("alpha_(Intercept)" = -9))
  refused("change `start` or `fixed`", alpha = ~ w, fixed = c("alpha_(Intercept)" = -9, alpha_w = 0))
  refused("`contrasts` must be", contrasts = 3)
  refused("'h' is neither in the formulas nor in `data`", contrasts = list(h = "contr.sum"))
  refused("elements from alpha.min, maxit, tol; 'grid' is not", control = list(grid = 2))
  refused("`rounding` requires", rounding = 0.1, scale = ~ z)
  refused("must be finite, but row 2", scale = ~ log(abs(replace(z, 2, 0))), class = "data")
  expect_error(stable_lm(y ~ scale_z, transform(d, scale_z = z), scale = ~ z), "Two coefficients are called",
               class = "stablecl_error_argument")
})

test_that("package emmeans computes marginal means of each parameter", {
  skip_if_not_installed("emmeans")
  d <- parameters_data()
  fit <- stable_lm(y ~ x + g, d, scale = ~ z, alpha = ~ g)
  means <- as.data.frame(emmeans::emmeans(fit, "g"))
  at <- transform(d[rep(1, 3), ], x = mean(d$x), g = gl(3, 1))
  expect_equal(means$emmean, unname(predict(fit, at)), tolerance = 1e-10)
  expect_equal(means$SE, unname(predict(fit, at, se.fit = TRUE)$se.fit), tolerance = 1e-10)
  shapes <- as.data.frame(emmeans::emmeans(fit, "g", parameter = "alpha", type = "response"))
  own <- predict(fit, at, type = "alpha", se.fit = TRUE, interval = "confidence")
  expect_equal(shapes[[2]], unname(own$fit[, "fit"]), tolerance = 1e-10)
  expect_equal(shapes$SE, unname(own$se.fit), tolerance = 1e-8)
  expect_equal(shapes$asymp.UCL, unname(own$fit[, "upr"]), tolerance = 1e-8)
  expect_error(emmeans::recover_data(fit, parameter = "beta"), "must be one with a formula",
               class = "stablecl_error_argument")
  e <- tryCatch(emmeans::recover_data(fit, parameter = "none"), error = identity)
  expect_identical(conditionCall(e), quote(emmeans::recover_data(fit, parameter = "none")))
})

test_that("profile intervals of coefficients end where the deviance has its quantile", {
  d <- parameters_data(150)
  fit <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ g)
  for (name in c("scale_z", "alpha_g2")) {
    ci <- confint(fit, name, method = "profile")
    for (end in ci) {
      held <- stable_lm(y ~ x, d, scale = ~ z, alpha = ~ g, fixed = stats::setNames(end, name))
      expect_equal(2 * as.numeric(logLik(fit) - logLik(held)), qchisq(0.95, 1), tolerance = 1e-4)
    }
  }
})

test_that("a formula with a point and contrasts of factors work as in lm()", {
  d <- parameters_data()[c("y", "x", "z", "g")]
  all <- stable_lm(y ~ ., d, scale = ~ .)
  named <- stable_lm(y ~ x + z + g, d, scale = ~ x + z + g)
  expect_equal(coef(all), coef(named))
  sums <- stable_lm(y ~ x + z + g, d, scale = ~ x + z + g, contrasts = list(g = "contr.sum"))
  expect_identical(names(coef(sums, "scale")), c("(Intercept)", "x", "z", "g1", "g2"))
  expect_equal(fitted(sums), fitted(named), tolerance = 1e-6)
  expect_equal(predict(sums, d[4:6, ], type = "scale"), predict(named, d[4:6, ], type = "scale"), tolerance = 1e-5)
})

test_that("weights need not be whole, and intervals exist where fitted values of alpha are at their minimum", {
  set.seed(20)
  d <- data.frame(y = rstable(40, 1.6, 0.3), z = seq(-1, 1, length.out = 40), g = gl(2, 20))
  fit <- suppressWarnings(stable_lm(y ~ z, d, alpha = ~ g, weights = abs(z)))
  expect_match(capture.output(print(fit)), "20.51282 observations", all = FALSE)
  expect_identical(dim(suppressWarnings(confint(fit, method = "auto"))), c(6L, 2L))
})

test_that("regressions with fixed formulas fit the other coefficients, and those with all fixed are evaluated", {
  set.seed(21)
  d <- data.frame(x = rnorm(60))
  d$y <- 1 + 2 * d$x + rstable(60, 1.5, 0)
  line <- c("(Intercept)" = 1, x = 2)
  errors <- stablefit(d$y - 1 - 2 * d$x, fixed = list(delta = 0))
  expect_equal(coef(stable_lm(y ~ x, d, fixed = line))[3:5], coef(errors)[1:3], tolerance = 1e-5)
  free <- stable_lm(y ~ x, d, fixed = c(gamma = 1, alpha = 1.6, beta = 0))
  held <- c("scale_(Intercept)" = 0, scale_x = 0, "alpha_(Intercept)" = qlogis(0.8), alpha_x = 0,
            "beta_(Intercept)" = 0, beta_x = 0)
  every <- stable_lm(y ~ x, d, scale = ~ x, alpha = ~ x, beta = ~ x, fixed = held)
  expect_equal(coef(every)[1:2], coef(free)[1:2], tolerance = 1e-5)
  expect_equal(vcov(every)[1:2, 1:2], vcov(free)[1:2, 1:2], tolerance = 1e-3)
  expect_equal(predict(every, type = "scale"), rep(1, 60), ignore_attr = TRUE)
  known <- c(line, alpha = 1.5, beta = 0, gamma = 1)
  none <- stable_lm(y ~ x, d, fixed = known)
  expect_equal(none$loglik, sum(dstable(d$y - 1 - 2 * d$x, 1.5, 0, log = TRUE)))
  expect_identical(coef(none), known)
  expect_true(none$convergence$converged)
  expect_true(all(is.na(vcov(none))))
  normal <- stable_lm(y ~ x, d, fixed = replace(known, "alpha", 2)[-4])
  expect_equal(normal$loglik, sum(dnorm(d$y - 1 - 2 * d$x, 0, sqrt(2), log = TRUE)))
})
