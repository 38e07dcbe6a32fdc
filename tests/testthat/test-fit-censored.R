# Fits to censored, truncated and binned data.

skip_if_not_installed("survival")

# Returns the maximum of a log-likelihood in one or two parameters, to rounding.
maximum_of <- function(value, start) {
  top <- list(par = start)
  for (round in 1:3) top <- optim(top$par, function(v) -value(v), control = list(reltol = 1e-15, maxit = 5000))
  top
}

# Returns data with about 30% of each kind of censoring among values of x, as left and right ends.
mixed_intervals <- function(x) {
  kind <- rep_len(1:4, length(x))
  q <- quantile(x, c(0.35, 0.65))
  width <- diff(q) * (1 + (seq_along(x) %% 7) / 7)
  left <- ifelse(kind == 4, floor(x / width) * width, x)
  right <- ifelse(kind == 4, left + width, x)
  low <- kind == 2 & x < q[1]
  high <- kind == 3 & x > q[2]
  data.frame(left = ifelse(low, -Inf, ifelse(high, q[2], left)), right = ifelse(low, q[1], ifelse(high, Inf, right)))
}

test_that("normal and Cauchy fits are those of fitdistrplus", {
  skip_if_not_installed("fitdistrplus")
  set.seed(1)
  for (law in c("norm", "cauchy")) {
    d <- mixed_intervals(if (law == "norm") rnorm(200, 3, 2) else rcauchy(200, 3, 2))
    fixed <- if (law == "norm") list(alpha = 2) else list(alpha = 1, beta = 0)
    fit <- stablefit(d, fixed = fixed)
    expect_true(fit$convergence$converged)
    own <- coef(fit)[c("delta", "gamma")] * c(1, if (law == "norm") sqrt(2) else 1)
    finite <- as.data.frame(lapply(d, function(v) replace(v, is.infinite(v), NA)))
    peer <- fitdistrplus::fitdistcens(finite, law, control = list(reltol = 1e-15, maxit = 5000))
    expect_equal(as.numeric(logLik(fit)), peer$loglik, tolerance = 1e-8)
    expect_equal(unname(own), unname(peer$estimate), tolerance = 1e-6)
    expect_identical(stablefit(finite, fixed = fixed)$loglik, fit$loglik)
  }
})

test_that("censored normal fits are those of survival", {
  set.seed(2)
  x <- rnorm(300, 1, 3)
  response <- survival::Surv(pmin(x, 2.5), x < 2.5)
  fit <- stablefit(response, fixed = list(alpha = 2))
  peer <- survival::survreg(response ~ 1, dist = "gaussian", control = list(rel.tolerance = 1e-14))
  expect_equal(fit$loglik, peer$loglik[[1]], tolerance = 1e-12)
  expect_equal(coef(fit)[["delta"]], coef(peer)[[1]], tolerance = 1e-6)
  expect_equal(coef(fit)[["gamma"]] * sqrt(2), peer$scale, tolerance = 1e-6)
  expect_equal(vcov(fit)["delta", "delta"], vcov(peer)[1, 1], tolerance = 1e-4)
})

test_that("truncated and binned normal and Cauchy fits maximise R's own likelihoods", {
  set.seed(3)
  x <- rnorm(400, 1, 3)
  x <- x[x > -2 & x < 5]
  fit <- stablefit(x, fixed = list(alpha = 2), truncation = c(-2, 5))
  top <- maximum_of(function(v) {
    sum(dnorm(x, v[1], exp(v[2]), log = TRUE) - log(diff(pnorm(c(-2, 5), v[1], exp(v[2])))))
  }, c(1, 1))
  expect_equal(fit$loglik, -top$value, tolerance = 1e-9)
  expect_equal(unname(coef(fit)[c("delta", "gamma")]), c(top$par[1], exp(top$par[2]) / sqrt(2)), tolerance = 1e-5)

  bins <- hist(rcauchy(500, 2), breaks = c(-1e4, -5, seq(-3, 7, by = 0.5), 9, 1e4), plot = FALSE)
  fit <- stablefit(bins, fixed = list(alpha = 1, beta = 0))
  top <- maximum_of(function(v) sum(bins$counts * log(diff(pcauchy(bins$breaks, v[1], exp(v[2]))))), c(2, 0))
  expect_equal(fit$loglik, -top$value, tolerance = 1e-9)
  expect_equal(unname(coef(fit)[c("delta", "gamma")]), c(top$par[1], exp(top$par[2])), tolerance = 1e-6)
  expect_identical(nobs(fit), 500)
})

test_that("derivatives of the tail probabilities are integrals of the score", {
  slopes_of <- function(x, alpha, beta) {
    law <- c(alpha = alpha, beta = beta)
    tails <- stable_eval(x, alpha, beta, what = c("pdf", "cdf", "sf"), log = TRUE)
    stablecl:::tail_slopes(x, tails, law)
  }
  for (alpha in c(0.5, 0.68, 0.9, 1, 1.4, 1.95)) for (beta in c(0, 0.6)) {
    x <- c(-8, -0.6, 0.3, 20)
    slopes <- slopes_of(x, alpha, beta)
    for (name in c("alpha", "beta")) {
      mass <- function(u) {
        score <- stable_score(sinh(u), alpha, beta)[, name] * dstable(sinh(u), alpha, beta) * cosh(u)
        ifelse(is.finite(score), score, 0)
      }
      truth <- vapply(asinh(x), function(u) {
        parts <- if (u > 0) seq(u, u + 60 / alpha, length.out = 40) else seq(u - 60 / alpha, u, length.out = 40)
        sign(u) * sum(vapply(1:39, function(k) integrate(mass, parts[k], parts[k + 1], rel.tol = 1e-10)$value, 0))
      }, 0)
      off <- abs(slopes[[name]]$value * exp(slopes[[name]]$log_scale) - truth)
      expect_lt(max(off / pstable(-abs(x), alpha, ifelse(x > 0, -beta, beta))), 1e-10)
    }
  }
})

test_that("derivatives of the tail probabilities at the border are limits of those inside", {
  slope_of <- function(x, alpha, beta, name) {
    tails <- stable_eval(x, alpha, beta, what = c("pdf", "cdf", "sf"), log = TRUE)
    slopes <- stablecl:::tail_slopes(x, tails, c(alpha = alpha, beta = beta))
    slopes[[name]]$value * exp(slopes[[name]]$log_scale)
  }
  x <- c(-30, -4, -0.5, 0.7, 3, 6)
  extrapolated <- function(f, h) 3 * f(h) - 3 * f(2 * h) + f(3 * h)
  for (beta in c(0, 0.5, -1))
    expect_equal(slope_of(x, 2, beta, "alpha"), extrapolated(function(h) slope_of(x, 2 - h, beta, "alpha"), 1e-4),
                 tolerance = 1e-8)
  for (alpha in c(0.8, 1, 1.5))
    expect_equal(slope_of(x, alpha, 1, "beta"), extrapolated(function(h) slope_of(x, alpha, 1 - h, "beta"), 1e-4),
                 tolerance = 1e-8)
  expect_identical(slope_of(x, 2, 0.5, "beta"), numeric(6))
})

test_that("scores are derivatives of the log-likelihood", {
  left <- c(-Inf, -3, 0.2, 1, 2, -1e4, 0.3, 5)
  right <- c(-1, -2.5, 0.2, Inf, 2.0001, -1e3, 0.3 + 1e-9, 900)
  for (theta in list(c(1.6, 0.4, 1.3, 0.2), c(0.6, -0.5, 0.8, 0.1), c(1, 0.3, 1, -0.5), c(1.2, 0.95, 2, 1))) {
    theta <- stats::setNames(theta, c("alpha", "beta", "gamma", "delta"))
    value <- function(theta) stablecl:::interval_scores(left, right, theta, scores = FALSE)[, 1]
    scores <- stablecl:::interval_scores(left, right, theta)
    expect_identical(scores[, 1], value(theta))
    for (name in names(theta)) {
      slope <- function(h) (value(replace(theta, name, theta[[name]] + h)) -
                              value(replace(theta, name, theta[[name]] - h))) / (2 * h)
      expect_lt(max(abs(scores[, name] - (4 * slope(5e-4) - slope(1e-3)) / 3) / pmax(1, abs(scores[, name]))), 1e-6)
    }
    expect_equal(stablecl:::interval_scores(left, right, theta, quick = TRUE), scores, tolerance = 1e-5)
  }
})

test_that("intervals without width, bounds without effect and fine bins give the fit of the sample", {
  set.seed(5)
  x <- rstable(300, 1.6, 0.4, 2, 1)
  plain <- stablefit(x)
  same <- function(fit, loglik = plain$loglik, tolerance = 1e-6) {
    expect_equal(coef(fit), coef(plain), tolerance = tolerance)
    expect_equal(vcov(fit), vcov(plain), tolerance = 1e-3)
    expect_equal(fit$loglik, loglik, tolerance = 1e-8)
  }
  same(stablefit(data.frame(left = x, right = x)))
  same(stablefit(survival::Surv(x)))
  same(stablefit(x, truncation = c(-1e300, Inf)))
  h <- 1e-5
  same(stablefit(data.frame(left = x - h / 2, right = x + h / 2)), plain$loglik + 300 * log(h))
  breaks <- seq(min(x) - 0.01, max(x) + 0.02, by = 0.01)
  fine <- stablefit(hist(x, breaks, plot = FALSE))
  same(fine, fine$loglik, 2e-3)
  expect_equal(fine$loglik - 300 * log(0.01), plain$loglik, tolerance = 1e-4)
})

test_that("the highest of several maxima is found for small samples", {
  for (seed in 1:8) {
    set.seed(seed)
    x <- rstable(20, c(1.5, 0.95, 0.9, 1.8)[1 + seed %% 4], c(0, 1, -1)[1 + seed %% 3])
    expect_gte(stablefit(data.frame(left = x, right = x))$loglik, stablefit(x)$loglik - 1e-6)
  }
})

test_that("standard errors are those of the Hessian where all scores are zero", {
  for (middle in 0:1) {
    bins <- structure(list(breaks = 0:3, counts = c(20, middle, 20)), class = "histogram")
    fit <- stablefit(bins)
    expect_identical(coef(fit)[["alpha"]], 2)
    loss <- function(v) -sum(bins$counts * log(diff(pnorm(0:3, v[2], sqrt(2) * v[1]))))
    hessian <- optimHess(coef(fit)[3:4], loss)
    expect_equal(vcov(fit)[3:4, 3:4], solve(hessian), tolerance = 1e-3)
  }
})

test_that("units, sign, order and weights of the data are treated consistently", {
  set.seed(6)
  d <- mixed_intervals(rstable(200, 1.7, 0.3))
  fit <- stablefit(d)
  moved <- stablefit(as.data.frame(5e4 + 1e3 * d))
  expect_equal(coef(moved), coef(fit) * c(1, 1, 1e3, 1e3) + c(0, 0, 0, 5e4), tolerance = 1e-6)
  expect_equal(moved$loglik, fit$loglik - fit$counts[["observed"]] * log(1e3), tolerance = 1e-8)
  mirror <- stablefit(data.frame(left = -d$right, right = -d$left)[200:1, ])
  expect_equal(coef(mirror), coef(fit) * c(1, -1, 1, -1), tolerance = 1e-5)
  twice <- stablefit(rbind(d, d))
  expect_equal(coef(twice), coef(stablefit(d, weights = rep(2, 200))), tolerance = 1e-6)
  expect_equal(twice$loglik, 2 * fit$loglik, tolerance = 1e-8)
  expect_equal(vcov(twice), vcov(fit) / 2, tolerance = 1e-3)
  expect_identical(as.matrix(d)[1:2, ], cbind(left = d$left[1:2], right = d$right[1:2]))
  expect_identical(coef(stablefit(as.matrix(d))), coef(fit))
})

test_that("objects of class Surv of all types are read as survival defines them", {
  set.seed(7)
  x <- rstable(60, 1.6, 0)
  read <- function(...) stablecl:::censored_data(survival::Surv(...), NULL, NULL, na.omit, NULL)$data
  known <- x < 1
  expect_equal(read(x, known), data.frame(left = x, right = ifelse(known, x, Inf)))
  expect_equal(read(x, known, type = "left"), data.frame(left = ifelse(known, x, -Inf), right = x))
  left <- ifelse(seq_along(x) %% 3 == 0, NA, x)
  right <- ifelse(seq_along(x) %% 3 == 1, NA, x + (seq_along(x) %% 2))
  expect_equal(read(left, right, type = "interval2"),
               data.frame(left = ifelse(is.na(left), -Inf, left), right = ifelse(is.na(right), Inf, right)))
  event <- rep_len(0:3, 60)
  expect_equal(read(x, x + 1, event, type = "interval"),
               data.frame(left = ifelse(event == 2, -Inf, x),
                          right = ifelse(event == 0, Inf, ifelse(event == 3, x + 1, x))))
  missing <- stablecl:::censored_data(survival::Surv(replace(x, 5, NA), known), 1:60, NULL, na.omit, NULL)
  expect_identical(dim(missing$data), c(59L, 2L))
  expect_equal(missing$weights, (1:60)[-5])
})

test_that("estimates at the borders of the parameter space are found", {
  set.seed(8)
  x <- rnorm(400)
  fit <- stablefit(survival::Surv(pmin(x, 1), x < 1), fixed = list(beta = 0))
  expect_identical(coef(fit)[["alpha"]], 2)
  normal <- stablefit(survival::Surv(pmin(x, 1), x < 1), fixed = list(alpha = 2))
  expect_equal(fit$loglik, normal$loglik, tolerance = 1e-10)
  expect_true(is.na(coef(normal)[["beta"]]))
  expect_identical(normal$df, 2L)
  expect_equal(vcov(fit)[3:4, 3:4], vcov(normal)[3:4, 3:4], tolerance = 1e-4)
  one_sided <- rstable(300, 0.8, 1)
  fit <- stablefit(data.frame(left = floor(one_sided), right = floor(one_sided) + 1))
  expect_identical(coef(fit)[["beta"]], 1)
  expect_true(is.na(vcov(fit)["beta", "beta"]))
  expect_true(all(is.finite(diag(vcov(fit))[-2])))
})

test_that("fixed parameters, parametrisations and start values are respected", {
  set.seed(9)
  d <- mixed_intervals(rstable(200, 1.5, 0.5, 2, 3))
  fit <- stablefit(d)
  for (pm in 1:2) {
    other <- stablefit(d, pm = pm)
    own <- do.call(stable_convert, c(as.list(unname(coef(fit))), from = 0, to = pm))
    expect_equal(coef(other), unlist(own)[names(coef(fit))], tolerance = 1e-6)
    expect_equal(stablefit(d, pm = pm, start = coef(other))$loglik, fit$loglik, tolerance = 1e-10)
  }
  all_fixed <- stablefit(d, fixed = as.list(coef(fit)))
  expect_equal(all_fixed$loglik, fit$loglik, tolerance = 1e-10)
  expect_identical(all_fixed$df, 0L)
  expect_true(all_fixed$convergence$converged)
  part <- stablefit(d, fixed = list(gamma = 2, beta = 0))
  expect_identical(coef(part)[c("beta", "gamma")], c(beta = 0, gamma = 2))
  expect_lt(part$loglik, fit$loglik)
})

test_that("intervals from the profile likelihood, the bootstrap and tests use the data of the fit", {
  set.seed(10)
  x <- rstable(150, 1.5, 0)
  fit <- stablefit(survival::Surv(pmin(x, 1.5), x < 1.5), fixed = list(beta = 0))
  ci <- confint(fit, method = "profile")
  for (end in ci["delta", ]) {
    held <- stablefit(survival::Surv(pmin(x, 1.5), x < 1.5), fixed = list(beta = 0, delta = end))
    expect_equal(2 * (fit$loglik - held$loglik), qchisq(0.95, 1), tolerance = 1e-4)
  }
  expect_equal(ci["gamma", ], confint(fit)["gamma", ], tolerance = 0.1)
  expect_identical(is.na(ci["beta", ]), c("2.5 %" = TRUE, "97.5 %" = TRUE))
  boot <- confint(fit, c("gamma", "delta"), method = "bootstrap", R = 30, seed = 1)
  expect_equal(boot, confint(fit, c("gamma", "delta")), tolerance = 0.5, ignore_attr = TRUE)
  table <- anova(fit)
  expect_identical(is.na(table[["Pr(>Chisq)"]]), c(TRUE, FALSE, FALSE, TRUE))
  expect_equal(table["symmetric", "logLik"], fit$loglik)
  truncated <- stablefit(x[abs(x) < 4], fixed = list(beta = 0), truncation = c(-4, 4))
  held <- profile(truncated, "delta", points = 1)
  expect_equal(held$deviance[c(1, 3)], rep(qchisq(0.99, 1), 2), tolerance = 1e-4)
  in_s1 <- stablefit(survival::Surv(pmin(x, 1.5), x < 1.5), pm = 1)
  expect_true(all(is.finite(confint(in_s1, "gamma", method = "profile"))))
  again <- update(fit, fixed = list())
  expect_s3_class(again, "stablefit_censored")
  expect_gte(again$loglik, fit$loglik - 1e-8)
})

test_that("the tests of a weighted fit use the weights", {
  set.seed(11)
  x <- rstable(100, 1.6, 0)
  w <- rep(1:2, 50)
  expect_equal(anova(stablefit(x, weights = w))$logLik, anova(stablefit(rep(x, w)))$logLik, tolerance = 1e-8)
})

test_that("the nonparametric distribution function is that of package survival", {
  set.seed(12)
  x <- rexp(80)
  d <- data.frame(left = floor(2 * x) / 2, right = floor(2 * x) / 2 + 0.5 + (1:80 %% 3) / 2)
  d$right[1:80 %% 5 == 0] <- Inf
  own <- stablecl:::turnbull_estimate(d)
  peer <- survival::survfit(survival::Surv(d$left, replace(d$right, is.infinite(d$right), NA), type = "interval2") ~ 1)
  for (at in c(0.5, 1, 2))                       # right ends of intervals in which the estimate has mass
    expect_equal(sum(own$p[own$right <= at]), 1 - summary(peer, times = at + 1e-6)$surv, tolerance = 1e-3)
  right <- data.frame(left = pmin(x, 1), right = ifelse(x < 1, x, Inf))
  own <- stablecl:::turnbull_estimate(right)
  expect_equal(cumsum(own$p)[seq_len(sum(x < 1))], seq_len(sum(x < 1)) / 80, tolerance = 1e-6)
  kaplan <- survival::survfit(survival::Surv(x, 1:80 %% 4 > 0) ~ 1)
  own <- stablecl:::turnbull_estimate(data.frame(left = x, right = ifelse(1:80 %% 4 > 0, x, Inf)))
  at <- quantile(x, c(0.2, 0.5, 0.8))
  expect_equal(vapply(at, function(t) sum(own$p[own$right <= t]), 0), 1 - summary(kaplan, times = at)$surv,
               tolerance = 1e-5, ignore_attr = TRUE)
})

test_that("simulated samples are complete and within the bounds of truncation", {
  set.seed(13)
  x <- rstable(200, 1.6, 0)
  fit <- stablefit(x[abs(x) < 3], fixed = list(alpha = 1.6, beta = 0), truncation = c(-3, 3))
  draws <- simulate(fit, 50, seed = 1)
  expect_identical(dim(draws), c(as.integer(fit$nobs), 50L))
  expect_true(all(abs(draws) < 3))
  p <- predict(fit, type = "probability", at = c(-3, 1, 3))
  expect_equal(mean(draws < 1), (p[2] - p[1]) / (p[3] - p[1]), tolerance = 0.02)
  expect_identical(simulate(fit, 2, seed = 1), simulate(fit, 2, seed = 1))
  far <- stablefit(x[x > 0], fixed = list(alpha = 1.6, beta = 0, delta = 0), truncation = c(0, Inf))
  expect_gt(min(simulate(far, 5, seed = 2)), 0)
})

test_that("plots and printed fits state what the data are", {
  set.seed(14)
  x <- rstable(100, 1.6, 0)
  fit <- stablefit(survival::Surv(pmin(x, 1), x < 1), truncation = c(-20, 20))
  expect_match(format(fit), "observed, .* right-censored", all = FALSE)
  expect_match(format(fit), "between -20 and 20 could be observed", all = FALSE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit), fit)
  curves <- stablecl:::censored_curves(fit)
  below <- curves$at < 1
  steps <- approx(curves$steps$x, curves$steps$p, curves$at[below], ties = mean)$y
  expect_lt(max(abs(curves$fitted[below] - steps)), 0.15)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("data that cannot be fitted are errors", {
  set.seed(15)
  x <- rstable(40, 1.6, 0)
  bad <- function(..., class = "stablecl_error_data") expect_error(stablefit(...), class = class)
  expect_error(stablefit(data.frame(left = x, right = x - 1)), "must not be greater", class = "stablecl_error_data")
  expect_error(stablefit(data.frame(left = "a", right = x)), "numeric", class = "stablecl_error_data")
  expect_error(stablefit(survival::Surv(x, rep(FALSE, 40))), "scale cannot be estimated", class = "stablecl_error_data")
  expect_error(stablefit(data.frame(left = rep(0, 9), right = 1:9)), "from 0 to 1", class = "stablecl_error_data")
  expect_error(stablefit(survival::Surv(x[1:5], x[1:5] < 0)), "at least 8", class = "stablecl_error_data")
  expect_error(stablefit(survival::Surv(1:40, 2:41, rep(1, 40))), "counting", class = "stablecl_error_data")
  expect_error(stablefit(x, truncation = c(0, 1)), "within `truncation`", class = "stablecl_error_data")
  bad(structure(list(breaks = 1:3, counts = 1), class = "histogram"))
  bad(survival::Surv(x) ~ 1)
  bad(survival::Surv(x, x < 0), na.action = na.fail, fixed = list(alpha = 0.5, beta = 1, delta = 10, gamma = 1))
  expect_error(stablefit(data.frame(left = c(NA, x), right = c(NA, x)), na.action = na.fail), "missing")
  for (bound in list(1, c(1, 0), c(NA, 1), "a", c(2, 2)))
    bad(x, truncation = bound, class = "stablecl_error_argument")
  bad(list(x, x), truncation = c(-1, 1), class = "stablecl_error_argument")
  bad(x, width = 10, truncation = c(-1, 1), class = "stablecl_error_argument")
  bad(survival::Surv(x), "quantile", class = "stablecl_error_argument")
  bad(survival::Surv(x), start = "ecf", class = "stablecl_error_argument")
  bad(hist(x, plot = FALSE), weights = 1:3, class = "stablecl_error_argument")
})

test_that("methods that such data do not have are errors", {
  set.seed(16)
  x <- rstable(40, 1.6, 0)
  fit <- stablefit(survival::Surv(pmin(x, 1), x < 1), fixed = list(alpha = 1.6, beta = 0))
  smaller <- stablefit(survival::Surv(pmin(x, 1), x < 1), fixed = list(alpha = 1.6, beta = 0, delta = 0))
  calls <- expression(residuals(fit), stable_gof(fit), stable_compare(fit), predict(fit, type = "density"),
                      predict(fit, type = "probability"), anova(smaller, fit, test = "bootstrap"),
                      vcov(fit, type = "HAC"))
  for (call in calls) expect_error(eval(call), class = "stablecl_error_argument", info = deparse(call))
  expect_length(predict(fit, type = "density", at = 1:3), 3L)
})

test_that("the profile interval of the scale is unbounded if a truncated sample is nearly uniform", {
  set.seed(1)
  x <- runif(40, -1, 1)                               # the limit of the truncated distribution as gamma increases
  fit <- suppressWarnings(stablefit(x, truncation = c(-1, 1), fixed = list(alpha = 1.5, beta = 0, delta = 0)))
  ci <- suppressWarnings(confint(fit, "gamma", method = "profile"))
  limit <- -40 * log(2)
  expect_lt(2 * (fit$loglik - limit), qchisq(0.95, 1))
  expect_identical(ci[[2]], Inf)
  expect_match(attr(ci, "reasons")[["gamma"]], "arbitrarily large values")
  at_end <- stablefit(x, truncation = c(-1, 1), fixed = list(alpha = 1.5, beta = 0, delta = 0, gamma = ci[[1]]))
  expect_equal(2 * (fit$loglik - at_end$loglik), qchisq(0.95, 1), tolerance = 1e-4)
  # the scale of S2 is held in its own parametrisation; for beta = 0 it is a multiple of that of S0
  ends <- lapply(c(0, 2), function(pm) {
    fit <- suppressWarnings(stablefit(x, truncation = c(-1, 1), pm = pm, fixed = list(alpha = 1.5, beta = 0)))
    confint(fit, "gamma", method = "profile")
  })
  expect_identical(ends[[2]][[2]], Inf)
  expect_equal(ends[[2]][[1]], 1.5^(1 / 1.5) * ends[[1]][[1]], tolerance = 1e-4)
})

test_that("likelihoods are maximised where the data are outside the support of other distributions", {
  inside <- function(x) x[x > -2 & x < 5]
  fit_of <- function(seed) {
    set.seed(seed)
    x <- numeric()
    while (length(inside(x)) < 100) x <- c(x, rstable(100, 1.7, -0.5))
    suppressWarnings(stablefit(inside(x)[1:100], truncation = c(-2, 5)))
  }
  expect_true(is.finite(fit_of(4800001)$loglik))
  fit <- fit_of(4800003)
  ci <- suppressWarnings(confint(fit, "delta", method = "profile"))
  expect_true(ci[1] < coef(fit)[["delta"]] && coef(fit)[["delta"]] < ci[2])
})

test_that("profiles of truncated samples do not depend on the points computed before, and may be unbounded", {
  set.seed(1)
  x <- NULL
  while (sum(x > -2 & x < 5) < 100) x <- c(x, rstable(100, 1.2, 0.5))
  fit <- suppressWarnings(stablefit(x[x > -2 & x < 5][1:100], truncation = c(-2, 5)))
  profile_of <- function() stablecl:::profile_for(fit, "delta", quote(confint()))
  p <- profile_of()
  near <- p$root(-2.4)
  p$root(-10)
  expect_equal(p$root(-2.41), near, tolerance = 0.01)
  ci <- confint(fit, "delta", method = "profile")
  expect_identical(ci[[1]], -Inf)
  expect_match(attr(ci, "reasons"), "arbitrarily large values")
  expect_equal(p$root(ci[[2]]), qnorm(0.975), tolerance = 1e-4)
})

test_that("rows without any end are missing values", {
  x <- fit_sample_of(100, 1.6, 0.2)
  fit <- stablefit(data.frame(left = x, right = x))
  d <- data.frame(left = c(-Inf, x, NA, -Inf), right = c(Inf, x, Inf, NA))
  same <- stablefit(d)
  expect_identical(coef(same), coef(fit))
  expect_identical(same$counts, fit$counts)
  expect_equal(nobs(same), 100)
  expect_identical(as.integer(same$na.action), c(1L, 102L, 103L))
  weighted <- stablefit(d, weights = c(1e6, rep(1, 100), 1e6, 1e6))
  expect_equal(coef(weighted), coef(fit), tolerance = 1e-6)
  expect_equal(nobs(weighted), 100)
  expect_error(stablefit(d, na.action = na.fail), "missing values")
})

test_that("a note states that intervals with few ends do not identify the parameters", {
  note <- "not identified, and others are as likely"
  bins <- function(breaks, counts) structure(list(breaks = breaks, counts = counts), class = "histogram")
  expect_match(stablefit(bins(c(-Inf, 2, 3, 4, Inf), c(20, 30, 25, 20)))$notes, "3 different ends: 4 parameters",
               all = FALSE)
  more <- bins(c(-Inf, 1, 2, 3, 4, Inf), c(5, 20, 30, 25, 20))
  expect_no_match(stablefit(more)$notes, note)
  expect_no_match(stablefit(bins(c(-Inf, 2, 3, 4, Inf), c(20, 30, 25, 20)), fixed = list(beta = 0))$notes, note)
  cut <- bins(0:5, c(5, 20, 30, 25, 20))
  expect_no_match(stablefit(cut)$notes, note)
  expect_no_match(stablefit(cut, truncation = c(0, Inf), fixed = list(alpha = 1.8, beta = 0))$notes, note)
  expect_match(stablefit(bins(0:3, c(20, 30, 25)), truncation = c(0, 3), fixed = list(beta = 0))$notes,
               "2 different ends: 3 parameters", all = FALSE)
})

test_that("an estimate next to alpha = 2 stays there if the normal distribution is much less likely", {
  x <- fit_sample_of(300, 1.6, 0.2, seed = 14)
  y <- x[x > 2]
  fit <- stablefit(y, truncation = c(2, Inf), fixed = c(beta = 0, delta = 0))
  expect_true(fit$convergence$converged)
  expect_true(coef(fit)[["alpha"]] < 2)
  value <- function(v) if (v[1] > 2 || v[1] < 0.1) -Inf else
    loglik_at(y, c(v[1], 0, exp(v[2]), 0)) -
      length(y) * pstable(2, v[1], 0, exp(v[2]), 0, lower.tail = FALSE, log.p = TRUE)
  for (alpha in c(1, 1.99)) {
    top <- optim(c(alpha, 0), function(v) max(-1e9, value(v)), control = list(fnscale = -1))
    expect_true(fit$loglik > top$value - 1e-3)
  }
})

test_that("fits of censored data depend neither on the order of the observations nor on the unit", {
  set.seed(12)
  fitted <- function(left, right, ...) suppressWarnings(stablefit(data.frame(left, right), ...))
  for (alpha in c(1.1, 1.6)) {
    x <- rstable(15, alpha, 0.3)
    limit <- rstable(15, 1.5, 0) + 1
    left <- pmin(x, limit)
    right <- ifelse(x > limit, Inf, x)
    fit <- fitted(left, right)
    reversed <- fitted(rev(left), rev(right))
    expect_equal(reversed$start, fit$start, tolerance = 1e-12)
    expect_equal(coef(reversed), coef(fit), tolerance = 1e-6)
    expect_equal(unname(coef(fitted(3 * left, 3 * right)) / c(1, 1, 3, 3)), unname(coef(fit)), tolerance = 1e-5)
    weights <- rep_len(1:2, 15)
    expect_equal(fitted(rev(left), rev(right), weights = rev(weights))$start,
                 fitted(left, right, weights = weights)$start, tolerance = 1e-12)
  }
})
