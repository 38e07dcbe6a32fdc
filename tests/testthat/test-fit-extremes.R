# Intervals and tests of samples and fits in which a search leaves the range of numbers, nothing is free, or a
# likelihood has several maxima.

# Ten values of a regression with two coefficients, whose likelihood increases without bound as gamma tends to 0.
unbounded_regression <- function() {
  d <- data.frame(x = c(0.667864343581726, 1.02118278968875, 1.77884877570698, -1.81852816727514, 0.524251630418863,
                        0.353161025295453, -0.351732373053168, -1.79340946644133, 1.06625685278753, -1.48950916386115),
                  y = c(-1.20800174217538, -0.348886054952725, -0.958093994890021, 1.6644651165079, -0.175149893632312,
                        1.10397995239665, 2.28700851826279, -1.83883749443151, -0.523931395428756, -2.64674458813201))
  suppressWarnings(stable_lm(y ~ x, d))
}

test_that("a search that leaves the range of numbers ends a profile, with one warning of a higher likelihood", {
  fit <- unbounded_regression()
  warnings <- 0
  count <- function(code) withCallingHandlers(code, stablecl_warning_convergence = function(w) {
    warnings <<- warnings + 1
    invokeRestart("muffleWarning")
  })
  ci <- count(confint(fit, "gamma", method = "profile"))
  expect_true(all(is.finite(ci)) && ci[1] < coef(fit)[["gamma"]] && ci[2] > coef(fit)[["gamma"]])
  expect_identical(warnings, 1)
  expect_s3_class(count(profile(fit, "gamma", points = 1)), "stable_profile")
  expect_identical(warnings, 2)
  expect_false(anyNA(suppressWarnings(confint(fit, "gamma", method = "bootstrap", R = 3, seed = 1))))
})

test_that("the normal distribution of a sample with an enormous value has a finite likelihood", {
  x <- c(-1e200, fit_sample_of(99, 1.7, 0))
  normal <- stablefit(x, fixed = list(alpha = 2))
  sd <- sqrt(mean((x / 1e200 - mean(x / 1e200))^2)) * 1e200
  expect_equal(coef(normal)[["gamma"]], sd / sqrt(2))
  expect_equal(normal$loglik, -100 * (0.5 * log(2 * pi) + log(sd) + 0.5))
  expect_true(all(is.finite(suppressWarnings(anova(stablefit(x)))$logLik)))
})

test_that("estimates beyond the range of numbers are an error", {
  x <- c(1e308, 0.22, 0.66, -1.4, -0.67, -1.1, -0.86, -1.7, 0.26, 0.27)
  expect_error(stablefit(x * c(1, rep(0.01, 9)), fixed = list(alpha = 2)), "beyond the range of numbers",
               class = "stablecl_error_data")
  moments <- lapply(c(1e280, 1e308), function(v) coef(stablefit(replace(x, 1, v), "logmoment")))
  expect_equal(moments[[2L]][["gamma"]] / moments[[1L]][["gamma"]], 1e28^0.1, tolerance = 1e-6)
})

test_that("predictions at no points have intervals without rows", {
  fit <- stablefit(fit_sample_of(60, 1.7, 0))
  for (type in c("probability", "density")) for (method in c("wald", "profile", "auto"))
    expect_identical(dim(predict(fit, at = numeric(), type = type, interval = "confidence", method = method)),
                     c(0L, 3L))
})

test_that("intervals of a profile are those of its increasing part", {
  flat <- structure(data.frame(parameter = "beta", value = c(-1, -0.5, 0, 0.2, 0.4, 0.6, 1),
                               z = c(-2.2, -2.2, -1, 0, 0, 1.5, Inf)), level = 0.99,
                    class = c("stable_profile", "data.frame"))
  flat$deviance <- flat$z^2
  ci <- expect_silent(confint(flat, level = 0.8))
  expect_true(ci[1] > -0.5 && ci[1] < 0 && ci[2] > 0.4 && ci[2] < 0.6)
  expect_equal(unname(confint(flat, level = 0.95)[2]), 0.6)
})

test_that("fits without free parameters have no intervals, and state the reason", {
  held <- stablefit(fit_sample_of(60, 1.7, 0), fixed = list(alpha = 1.5, beta = 0, gamma = 1, delta = 0))
  for (method in c("wald", "profile", "auto")) {
    band <- predict(held, 0.01, interval = "confidence", method = method)
    expect_identical(attr(band, "reasons"), c("1%" = "All parameters are held fixed."))
    expect_identical(unname(attr(confint(held, method = method), "reasons")[c("alpha", "delta")]),
                     c("It is held fixed at 1.5.", "It is held fixed at 0."))
  }
  expect_error(profile(held), "All parameters of the fit are held fixed", class = "stablecl_error_argument")
  half <- stablefit(fit_sample_of(60, 1.7, 0), fixed = list(alpha = 1.5, beta = 0, delta = 0))
  for (method in c("wald", "profile")) {
    band <- predict(half, c(0.01, 0.5), interval = "confidence", method = method)
    expect_identical(attr(band, "reasons"), c("50%" = "One point: the value does not depend on the free parameters."))
  }
})

# Returns the deviance of the distributions with a quantile c, from a search over the others by the simplex method.
quantile_deviance <- function(fit, p, c, starts) {
  objective <- function(y) {
    if (y[1] <= 0.05 || y[1] > 2 || abs(y[2]) > 1) return(1e10)
    gamma <- exp(y[3])
    -sum(dstable(fit$data, y[1], y[2], gamma, c - gamma * qstable(p, y[1], y[2]), log = TRUE))
  }
  best <- vapply(starts, function(y) {
    for (round in 1:4) y <- optim(y, objective, control = list(reltol = 1e-12, maxit = 2000))$par
    objective(y)
  }, 0)
  2 * (fit$loglik + min(best))
}

test_that("the interval of a quantile extends to the highest maximum on the constraint", {
  set.seed(2)
  fit <- stablefit(rstable(50, 0.7, 0.5))
  ci <- predict(fit, 0.01, interval = "confidence", method = "profile")
  start <- c(coef(fit)[1:2], log(coef(fit)[[3]]))
  starts <- list(start, replace(start, 2, 0.95), replace(start, 1:2, c(1, 0.9)))
  for (end in ci[2:3]) expect_equal(quantile_deviance(fit, 0.01, end, starts), qchisq(0.95, 1), tolerance = 1e-3)
})

test_that("profile intervals of censored data are those of fits with the parameter held", {
  set.seed(3)
  z <- rstable(60, 1.8, 0.5)
  fit <- stablefit(data.frame(left = pmin(z, 1), right = ifelse(z < 1, z, Inf)))
  ci <- confint(fit, method = "profile")
  for (name in c("gamma", "delta")) for (end in ci[name, ]) {
    held <- update(fit, fixed = setNames(list(end), name), se = FALSE)
    expect_equal(2 * (fit$loglik - held$loglik), qchisq(0.95, 1), tolerance = 1e-3, label = name)
  }
})

test_that("a search for a density that increases without bound ends before products of scores overflow", {
  X <- cbind(1, rep(c(-1, 1), 10))
  scores <- function(v) {
    r <- drop(X %*% v)
    score <- -0.95 / r * X
    list(value = -0.95 * sum(log(abs(r))), gradient = colSums(score), score = score)
  }
  top <- stablecl:::maximise_likelihood(c(1, 1e-4), scores, 20, c(-Inf, -Inf), c(Inf, Inf),
                                        list(maxit = 1000, tol = 1e-10))
  expect_lt(max(abs(top$v)), 1e-60)
  expect_equal(top$loglik, scores(top$v)$value)
})

test_that("scores whose products overflow are those of a likelihood of 0", {
  scores <- function(v) list(value = 1, gradient = sum(v), score = matrix(v, 3, 1))
  bounded <- stablecl:::bounded_scores(scores)
  expect_identical(bounded(1e60), scores(1e60))
  for (v in c(1e80, 1e154, Inf, NaN))
    expect_identical(bounded(v), list(value = -Inf, gradient = 0, score = matrix(0, 3, 1)))
})

test_that("covariances under dependence are missing, without a warning, where scores are not known", {
  set.seed(1)
  fit <- suppressWarnings(stablefit(rstable(40, 0.09, -0.2), pm = 2))
  expect_true(anyNA(suppressWarnings(stablecl:::estfun.stablefit(fit))))
  expect_silent(V <- vcov(fit, type = "HAC"))
  expect_true(all(is.na(V)))
  expect_identical(attr(confint(fit, "alpha", method = "HAC"), "reasons"),
                   c(alpha = "The estimate has no standard error."))
})

test_that("a level next to 1 has finite quantiles", {
  set.seed(1)
  data <- data.frame(y = rstable(40, 1.5, 0.3), g = gl(2, 20))
  narrow <- confint(fit <- stable_lm(y ~ g, data), "g2", method = "profile", level = 1 - 1e-8)
  ci <- suppressWarnings(confint(fit, "g2", method = "profile", level = 1 - 1e-16))
  expect_true(all(is.finite(ci)))
  expect_lt(ci[1], narrow[1])
  expect_gt(ci[2], narrow[2])
  plain <- stablefit(rstable(200, 1.5, 0.3))
  several <- mvstablefit(rmvstable(200, 1.5, diag(2)))
  wald <- c(lapply(list(fit, plain, several), confint, level = 1 - 1e-16),
            list(predict(plain, 0.1, interval = "confidence", level = 1 - 1e-16)))
  for (ci in wald) expect_true(all(is.finite(ci)))
})

test_that("columns of data frames that are matrices are not coordinates of points", {
  set.seed(1)
  x <- rmvstable(60, 1.5, diag(2))
  two <- data.frame(m = I(x[1:2, ]), b = 1:2)
  expect_error(predict(mvstablefit(x, "projection"), two["m"]), class = "stablecl_error_argument")
  expect_error(dmvstable(two, 1.5, diag(2)), class = "stablecl_error_argument")
  expect_error(mvstablefit(two), "Column `m` of `x` must be numeric", class = "stablecl_error_data")
  expect_error(mvspectralfit(x, two), class = "stablecl_error_argument")
})

test_that("outliers at the end of the range of numbers are fitted like smaller ones", {
  set.seed(1)
  x <- rnorm(50)
  # with quotients of the values by the scale up to 1e308 and beyond
  for (many in list(1, c(-1, -0.5))) {
    fits <- lapply(c(1e240, 1e308), function(v) expect_no_warning(stablefit(c(x, many * v))))
    for (fit in fits) expect_true(fit$convergence$converged)
    # the standard deviation of log|x| is proportional to 1/alpha
    expect_equal(coef(fits[[2L]])[["alpha"]] / coef(fits[[1L]])[["alpha"]], 240 / 308, tolerance = 0.06)
    expect_equal(coef(fits[[2L]])[["delta"]], coef(fits[[1L]])[["delta"]], tolerance = 0.1)
  }
  small <- stablefit(c(x * 2^-600, 1e308))
  expect_true(small$convergence$converged)
  expect_lt(coef(small)[["alpha"]], 0.05)
  y <- c(fit_sample_of(2000, 1.3, 0.2), 1e306)
  fit <- stablefit(y)
  expect_true(fit$convergence$converged)
  expect_equal(fit$loglik, sum(dstable(y, fit$theta[["alpha"]], fit$theta[["beta"]], fit$theta[["gamma"]],
                                       fit$theta[["delta"]], log = TRUE)), tolerance = 1e-9)
  for (alpha in c(1.2, 1.9)) expect_true(stablefit(c(x, 1e308), fixed = list(alpha = alpha))$convergence$converged)
})
