# Intervals that choose their method, and profile intervals of quantities of the distribution.

auto_of <- function(fit, ...) confint(fit, method = "auto", ...)
small_fit <- function() stablefit(fit_sample_of(150, 1.6, 0.4, 2, 3))

test_that("method \"auto\" computes Wald's intervals where they are reliable, and otherwise states why not", {
  regular <- stablefit(fit_sample_of(1000, 1.5, 0.2))
  ci <- auto_of(regular)
  expect_identical(attr(ci, "method"), "wald")
  expect_null(attr(ci, "because"))
  expect_equal(ci, confint(regular), ignore_attr = TRUE)
  expect_identical(attr(predict(regular, 0.01, interval = "confidence", method = "auto"), "method"), "wald")
  because <- function(fit) {
    ci <- auto_of(fit, "gamma")
    expect_identical(attr(ci, "method"), "profile")
    attr(ci, "because")
  }
  near <- stablefit(fit_sample_of(600, 1.95, 0))
  expect_lt(near$theta[["alpha"]], 2)
  expect_match(because(near), "alpha is close to 2", all = FALSE)
  set.seed(2)
  normal <- stablefit(rnorm(600))
  expect_identical(because(normal), "The estimate of alpha is close to 2.")
  edge <- stablefit(fit_sample_of(600, 1.2, 1))
  expect_identical(because(edge), "The estimate of beta is close to its bound.")
  expect_identical(because(stablefit(fit_sample_of(600, 0.4, 0))), "alpha is estimated below 0.5.")
  expect_identical(because(stablefit(fit_sample_of(499, 1.4, 0))), "There are fewer than 500 observations.")
  expect_null(attr(auto_of(stablefit(fit_sample_of(500, 1.4, 0))), "because"))
  expect_identical(because(stablefit(fit_sample_of(600, 1.4, 0), se = FALSE)), "A parameter has no standard error.")
  # a fixed parameter cannot be close to its bound
  expect_null(attr(auto_of(update(edge, fixed = list(beta = 1))), "because"))
})

test_that("method \"auto\" counts the information in censored, truncated and binned observations, not these", {
  # The location of normal observations with the variance 2 and the probabilities p of intervals has the information
  # sum(p'^2/p), that of complete observations 1/2.
  breaks <- c(-Inf, -2, 0, 2, Inf)
  p <- diff(pnorm(breaks / sqrt(2)))
  share <- 2 * sum(diff(dnorm(breaks / sqrt(2)) / sqrt(2))^2 / p)
  binned <- function(size) stablefit(data.frame(left = breaks[1:4], right = breaks[2:5]), weights = size / share * p,
                                     fixed = list(alpha = 2, beta = 0, gamma = 1))
  because <- function(fit) attr(auto_of(fit, "delta"), "because")
  expect_null(because(binned(505)))
  expect_match(because(binned(495)),
               "^The observations contain as much information as 49[456] complete ones, fewer than 500.$")
  expect_identical(because(binned(300)), "There are fewer than 500 observations.")
  x <- fit_sample_of(600, 1.4, 0)
  law <- list(alpha = 1.4, beta = 0)
  centre <- x[abs(x) < 1.5]
  expect_gt(length(centre), 400)
  counts <- structure(list(breaks = c(-Inf, -1:1, Inf), counts = tabulate(findInterval(x, c(-Inf, -1:1)), 4L)),
                      class = "histogram")
  for (fit in list(stablefit(counts, fixed = law["beta"]), stablefit(rep(centre, 2), truncation = c(-1.5, 1.5),
                                                                     fixed = law)))
    expect_match(attr(auto_of(fit, "gamma"), "because"), "as much information as [0-9]+ complete ones", all = FALSE)
  complete <- stablefit(data.frame(left = x, right = x))
  expect_null(because(complete))
})

test_that("method \"auto\" uses the bootstrap for other estimators and Wald's intervals for samples in chunks", {
  x <- fit_sample_of(60, 1.5, 0)
  quick <- stablefit(x, "quantile")
  ci <- auto_of(quick, R = 19, seed = 1)
  expect_identical(attr(ci, "method"), "bootstrap")
  expect_equal(ci, confint(quick, method = "bootstrap", R = 19, seed = 1), ignore_attr = TRUE)
  chunks <- stablefit(x)
  class(chunks) <- c("stablefit_chunks", class(chunks))      # as those of a sample that does not fit into memory
  expect_identical(attr(auto_of(chunks), "method"), "wald")
})

test_that("the method and its reasons are printed with the intervals", {
  said <- capture.output(print(auto_of(small_fit(), "alpha")))
  expect_match(said, "profile", all = FALSE)
  expect_match(said, "fewer than 500 observations", all = FALSE)
})

# Returns the root of the deviance at the end of an automatic interval of n values, given its roots in 20 samples: the
# bound of a prediction interval from these and n/2 values with the mean 0 and the variance 1.
bound_of <- function(z, n, level) {
  z <- c(z, rep_len(c(-1, 1), n / 2))
  s <- sqrt(sum((z - mean(z))^2) / (length(z) - 1))
  max(qnorm((1 + level) / 2), mean(z) + qt((1 + level) / 2, length(z) - 1) * sqrt(1 + 1 / length(z)) * s)
}

test_that("the deviance at the ends of an automatic interval is that of samples of the distribution at the ends", {
  fit <- stablefit(fit_sample_of(40, 1.4, 0.3))
  ci <- auto_of(fit, "alpha", level = 0.9, seed = 3)
  expect_identical(auto_of(fit, "alpha", level = 0.9, seed = 3), ci)
  first <- confint(fit, "alpha", level = pchisq(40 * log(1 + qt(0.95, 36)^2 / 36), 1), method = "profile")
  hold <- function(x, alpha) stablefit(x, fixed = list(alpha = alpha), se = FALSE)
  for (end in 1:2) {
    alpha <- first[[1, end]]
    z <- vapply(simulate(hold(fit$data, alpha), 20, seed = 3), function(x) {
      free <- stablefit(x, se = FALSE)
      sqrt(2 * (free$loglik - hold(x, alpha)$loglik)) * sign(coef(free)[["alpha"]] - alpha)
    }, 0)
    expect_equal(sqrt(2 * (fit$loglik - hold(fit$data, ci[[1, end]])$loglik)), bound_of(c(1, -1)[end] * z, 40, 0.9),
                 tolerance = 1e-3)
  }
})

test_that("automatic intervals of quantiles in small samples extend further on the side of the heavier tail", {
  set.seed(5)
  fit <- stablefit(rstable(50, 1.2, 0.5))
  ends <- function(method) predict(fit, 0.01, interval = "confidence", method = method)[1, 2:3]
  expect_lt(ends("auto")[[1]], 1.2 * ends("profile")[[1]])
  set.seed(9)
  drawn <- runif(1)
  set.seed(9)
  expect_identical(ends("auto"), ends("auto"))
  expect_identical(runif(1), drawn)
})

# Returns the highest log-likelihood of the distributions for which location - scale * standard(alpha, beta) is the
# value v, found by optim() over alpha, beta and log gamma.
highest_with <- function(fit, v, standard, least = 0.2) {
  objective <- function(y) {
    if (y[1] < least || y[1] > 2 || abs(y[2]) > 1) return(1e10)
    delta <- v - exp(y[3]) * standard(y[1], y[2])
    -sum(dstable(fit$data, y[1], y[2], exp(y[3]), delta, log = TRUE))
  }
  start <- c(fit$theta[1:2], log(fit$theta[[3]]))
  for (round in 1:3) start <- (out <- optim(start, objective, control = list(reltol = 1e-13, maxit = 3000)))$par
  -out$value
}

test_that("at the ends of profile intervals of quantities the deviance is the chi-squared quantile", {
  fit <- small_fit()
  ends <- function(...) predict(fit, ..., interval = "confidence", level = 0.9, method = "profile")[1, 2:3]
  deviance_is <- function(value, label) expect_equal(2 * (fit$loglik - value), qchisq(0.9, 1), tolerance = 1e-3,
                                                     label = label)
  for (v in ends(0.02)) deviance_is(highest_with(fit, v, function(...) qstable(0.02, ...)), paste("quantile", v))
  for (v in ends(0.02, lower.tail = FALSE))
    deviance_is(highest_with(fit, v, function(...) qstable(0.98, ...)), paste("upper quantile", v))
  for (v in ends(0.05, type = "es"))
    deviance_is(highest_with(fit, v, function(...) stable_es(0.05, ...), 1.01), paste("shortfall", v))
  for (v in ends(type = "probability", at = -6))
    deviance_is(highest_with(fit, -6, function(...) qstable(v, ...)), paste("probability", v))
  for (v in ends(type = "probability", at = 9, lower.tail = FALSE))
    deviance_is(highest_with(fit, 9, function(...) qstable(v, ..., lower.tail = FALSE)), paste("upper probability", v))
})

test_that("the interval of a probability that is estimated as 0 begins there and contains likely values", {
  set.seed(1)
  fit <- stablefit(rstable(60, 0.7, 1))
  at <- -2
  expect_identical(predict(fit, type = "probability", at = at), 0)
  interval <- function(...) predict(fit, type = "probability", at = at, interval = "confidence", ...)[1, ]
  ci <- interval(method = "profile", level = 0.9)
  expect_identical(ci[["lwr"]], 0)
  expect_equal(2 * (fit$loglik - highest_with(fit, at, function(...) qstable(ci[["upr"]], ...))), qchisq(0.9, 1),
               tolerance = 1e-3)
  expect_gt(interval(method = "auto", level = 0.9)[["upr"]], ci[["upr"]])
  above <- interval(method = "profile", level = 0.9, lower.tail = FALSE)
  expect_equal(above[c("fit", "lwr", "upr")], c(fit = 1, lwr = 1 - ci[["upr"]], upr = 1), tolerance = 1e-6)
  density <- predict(fit, type = "density", at = at, interval = "confidence", method = "profile")[1, ]
  expect_identical(density[["lwr"]], 0)
  expect_gt(density[["upr"]], 0)
})

test_that("the interval of a probability that is small only because beta is estimated as 1 begins at 0", {
  set.seed(8000016)
  fit <- stablefit(rstable(50, 1.2, 0.5))
  at <- qstable(0.01, 1.2, 0.5)
  expect_lt(predict(fit, type = "probability", at = at), 1e-15)
  ci <- predict(fit, type = "probability", at = at, interval = "confidence", level = 0.9, method = "profile")[1, ]
  expect_identical(ci[["lwr"]], 0)
  expect_equal(2 * (fit$loglik - highest_with(fit, at, function(...) qstable(ci[["upr"]], ...))), qchisq(0.9, 1),
               tolerance = 1e-3)
})

test_that("the profile interval of a density contains the densities of all distributions that are likely enough", {
  fit <- small_fit()
  ci <- predict(fit, type = "density", at = 5, interval = "confidence", method = "profile")[1, 2:3]
  set.seed(4)
  laws <- rep(coef(fit), each = 4000) + matrix(rnorm(16000), 4000) %*% chol(vcov(fit)) * 1.5
  laws <- laws[laws[, 1] < 2 & abs(laws[, 2]) < 1 & laws[, 3] > 0, ]
  likely <- apply(laws, 1, function(law) 2 * (fit$loglik - loglik_at(fit$data, law)) <= qchisq(0.95, 1))
  seen <- range(dstable(5, laws[, 1], laws[, 2], laws[, 3], laws[, 4])[likely])
  expect_gte(seen[1], ci[[1]] * (1 - 1e-6))
  expect_lte(seen[2], ci[[2]] * (1 + 1e-6))
  expect_lt(diff(log(ci)), 1.2 * diff(log(seen)))
})

test_that("profile intervals of quantities are equivariant, and agree with Wald's in large samples", {
  fit <- small_fit()
  interval <- function(fit, ...) predict(fit, ..., interval = "confidence", method = "profile")[1, 2:3]
  moved <- stablefit(5 - 3 * fit$data)
  expect_equal(unname(interval(moved, 0.02)), 5 - 3 * unname(interval(fit, 0.98)[2:1]), tolerance = 1e-4)
  expect_equal(unname(interval(moved, 0.05, type = "es")),
               5 - 3 * unname(interval(fit, 0.05, type = "es", lower.tail = FALSE)[2:1]), tolerance = 1e-4)
  large <- stablefit(fit_sample_of(20000, 1.5, 0.2))
  for (type in c("quantile", "es"))
    expect_equal(interval(large, 0.01, type = type), predict(large, 0.01, type = type, interval = "confidence")[1, 2:3],
                 tolerance = 0.01)
})

test_that("profile intervals of quantities hold the fixed parameters, delta too", {
  x <- fit_sample_of(200, 1.7, 0, 2, 3)
  normal <- stablefit(x, fixed = list(alpha = 2, beta = 0, delta = 3))
  # the median of the squares determines everything: the deviance of gamma is that of a chi-squared sample
  ci <- predict(normal, 0.1, interval = "confidence", method = "profile")[1, 2:3]
  s <- mean((x - 3)^2)
  for (sd in (ci - 3) / qnorm(0.1))
    expect_equal(200 * (log(sd^2 / s) + s / sd^2 - 1), qchisq(0.95, 1), tolerance = 1e-4)
})

test_that("profile intervals of quantities of censored data use their likelihood", {
  fit <- small_fit()
  interval <- function(fit, ...) predict(fit, 0.02, interval = "confidence", method = "profile")[1, 2:3]
  exact <- stablefit(data.frame(left = fit$data, right = fit$data))
  expect_s3_class(exact, "stablefit_censored")
  expect_equal(interval(exact), interval(fit), tolerance = 1e-4)
  x <- fit$data[fit$data > -4]
  known <- pmin(x, 8)
  cut <- stablefit(data.frame(left = known, right = ifelse(x < 8, x, Inf)), truncation = c(-4, Inf))
  v <- interval(cut)[[2]]
  objective <- function(y) {
    law <- list(y[1], y[2], exp(y[3]), v - exp(y[3]) * qstable(0.02, y[1], y[2]))
    tail <- function(x) do.call(pstable, c(list(x), law, lower.tail = FALSE, log.p = TRUE))
    -sum(do.call(dstable, c(list(x[x < 8]), law, log = TRUE))) - sum(x >= 8) * tail(8) + length(x) * tail(-4)
  }
  out <- nlminb(c(cut$theta[1:2], log(cut$theta[[3]])), objective, lower = c(0.5, -1, -5), upper = c(2, 1, 5))
  expect_equal(2 * (cut$loglik + out$objective), qchisq(0.95, 1), tolerance = 1e-3)
})

test_that("samples whose shortfall is infinite do not end the correction of its interval", {
  set.seed(1900001)                              # alpha is estimated below 1 in one of the samples at the upper end
  fit <- suppressWarnings(stablefit(rstable(50, 1.2, 0.5)))
  interval <- function(...) predict(fit, 0.01, type = "es", interval = "confidence", ...)[1, ]
  ci <- interval(method = "auto")
  expect_identical(ci[["lwr"]], -Inf)
  student <- 2 * pnorm(sqrt(50 * log1p(qt(0.975, 46)^2 / 46))) - 1        # the level without the correction
  expect_lt(ci[["upr"]], interval(method = "profile", level = student)[["upr"]] - 1e-3)
  expect_gt(ci[["upr"]], interval(method = "profile")[["upr"]] - 1e-6)
  expect_lt(ci[["upr"]], 0)
})

test_that("the interval of a shortfall is unbounded if alpha may be 1, and the reason is given", {
  fit <- stablefit(fit_sample_of(60, 1.15, 0, seed = 2))
  expect_gt(fit$theta[["alpha"]], 1)
  one <- stablefit(fit$data, fixed = list(alpha = 1), se = FALSE)
  expect_lt(2 * (fit$loglik - one$loglik), qchisq(0.95, 1))
  ci <- predict(fit, c(0.01, 0.05), type = "es", interval = "confidence", method = "profile")
  expect_identical(unname(ci[, "lwr"]), c(-Inf, -Inf))
  expect_true(all(is.finite(ci[, "upr"])))
  expect_match(attr(ci, "reasons")[["1%"]], "deviance of alpha = 1")
  upper <- predict(fit, 0.01, type = "es", interval = "confidence", method = "profile", lower.tail = FALSE)
  expect_identical(upper[[1, "upr"]], Inf)
})

test_that("the interval of a shortfall that is estimated as infinite is bounded on one side if alpha may exceed 1", {
  set.seed(1300002)
  x <- rstable(50, 1.2, 0.5)
  fit <- stablefit(x)
  expect_lt(fit$theta[["alpha"]], 1)
  shortfall <- function(fit, ...) predict(fit, 0.05, type = "es", interval = "confidence", method = "profile", ...)[1, ]
  ends <- shortfall(fit)
  expect_identical(ends[c("fit", "lwr")], c(fit = -Inf, lwr = -Inf))
  expect_equal(2 * (fit$loglik - highest_with(fit, ends[["upr"]], function(...) stable_es(0.05, ...), 1.001)),
               qchisq(0.95, 1), tolerance = 1e-3)
  mirrored <- shortfall(stablefit(-x), lower.tail = FALSE)
  expect_equal(mirrored[c("fit", "upr", "lwr")], -ends, ignore_attr = TRUE, tolerance = 1e-5)
  # no finite shortfall is likely enough
  heavy <- stablefit(fit_sample_of(400, 0.7, 0))
  expect_identical(shortfall(heavy), c(fit = -Inf, lwr = -Inf, upr = -Inf))
  expect_identical(unname(shortfall(update(fit, fixed = list(alpha = 0.9)))), c(-Inf, NA, NA))
})

test_that("intervals that do not exist have a reason", {
  fit <- small_fit()
  reasons <- function(ci) attr(ci, "reasons")
  expect_null(reasons(confint(fit)))
  held <- update(fit, fixed = list(beta = 0.4))
  for (method in c("wald", "profile", "auto"))
    expect_identical(reasons(confint(held, method = method)), c(beta = "It is held fixed at 0.4."))
  set.seed(3)
  normal <- stablefit(rnorm(200))
  expect_match(reasons(confint(normal))[["alpha"]], "at a bound")
  expect_match(reasons(confint(normal))[["beta"]], "alpha is estimated as 2")
  expect_null(reasons(auto_of(normal)))
  expect_match(reasons(confint(stablefit(fit$data, se = FALSE), "delta"))[["delta"]], "no standard error")
  expect_match(reasons(confint(stablefit(fit_sample_of(200, 1.02, 0.4, 2, 3), pm = 1), "delta", method = "profile")),
               "deviance of alpha = 1")
  at <- predict(fit, c(0, 0.5), interval = "confidence", method = "profile")
  expect_identical(reasons(at), c("0%" = "The value is infinite."))
  bare <- predict(stablefit(fit$data, se = FALSE), 0.5, interval = "confidence")
  expect_identical(reasons(bare), c("50%" = "The fit has no standard errors."))
})

test_that("bootstrap intervals of predictions are quantiles of refits, whatever the number of threads", {
  fit <- small_fit()
  ci <- predict(fit, 0.05, type = "es", interval = "confidence", level = 0.9, method = "bootstrap", R = 39, seed = 8)
  refits <- vapply(simulate(fit, 39, seed = 8), function(x) predict(stablefit(x), 0.05, type = "es"), 0)
  expect_equal(unname(ci[1, 2:3]), unname(sort(refits)[c(2, 38)]), tolerance = 1e-6)
  old <- stable_threads(1)
  on.exit(stable_threads(old))
  one <- predict(fit, c(0.01, 0.9), interval = "confidence", method = "bootstrap", R = 19, seed = 2)
  stable_threads(3)
  expect_identical(predict(fit, c(0.01, 0.9), interval = "confidence", method = "bootstrap", R = 19, seed = 2), one)
})

regression_data <- function() {
  set.seed(2)
  d <- data.frame(x = runif(60), z = rnorm(60))
  d$y <- 1 + 2 * d$x - d$z + rstable(60, 1.6, 0.3, 0.5)
  d
}

test_that("at the ends of profile intervals of regressions the deviance is the chi-squared quantile", {
  d <- regression_data()
  fit <- stable_lm(y ~ x + z, d)
  ci <- confint(fit, method = "profile", level = 0.9)
  expect_identical(dimnames(ci), dimnames(confint(fit, level = 0.9)))
  deviance_is <- function(value, label) expect_equal(2 * (fit$loglik - value), qchisq(0.9, 1), tolerance = 1e-3,
                                                     label = label)
  for (v in ci["x", ]) deviance_is(stable_lm(I(y - v * x) ~ z, d)$loglik, paste("x", v))
  for (v in ci["(Intercept)", ]) deviance_is(stable_lm(I(y - v) ~ 0 + x + z, d)$loglik, paste("intercept", v))
  highest <- function(j, v) {
    X <- cbind(1, d$x, d$z)
    objective <- function(par) {
      p <- replace(rep(v, 6), -j, par)
      -sum(dstable(d$y - X %*% p[1:3], p[4], p[5], p[6], log = TRUE))
    }
    from <- function(beta) nlminb(replace(coef(fit), 5, beta)[-j], objective, control = list(rel.tol = 1e-13),
                                  lower = c(-Inf, -Inf, -Inf, 0.1, -1, 0.01)[-j],
                                  upper = c(Inf, Inf, Inf, 2, 1, Inf)[-j])$objective
    -min(vapply(c(0.3, 0.6, 1), from, 0))
  }
  for (j in c(4, 6)) for (v in ci[j, ]) deviance_is(highest(j, v), paste(rownames(ci)[j], v))
  only <- stable_lm(y ~ 0 + x, d)
  for (v in confint(only, "x", method = "profile"))
    expect_equal(2 * (only$loglik - stablefit(d$y - v * d$x, fixed = list(delta = 0))$loglik), qchisq(0.95, 1),
                 tolerance = 1e-3)
})

test_that("bootstrap intervals of regressions use the quantile of the deviance of simulated responses", {
  d <- regression_data()[1:30, ]
  fit <- stable_lm(y ~ x, d)
  ci <- confint(fit, "x", method = "bootstrap", R = 39, level = 0.9, seed = 5)
  expect_identical(confint(fit, "x", method = "bootstrap", R = 39, level = 0.9, seed = 5), ci)
  drawn <- vapply(simulate(fit, 39, seed = 5), function(y) {
    d$y <- y
    d$rest <- y - coef(fit)[["x"]] * d$x
    2 * (stable_lm(y ~ x, d)$loglik - stable_lm(rest ~ 1, d)$loglik)
  }, 0)
  at_ends <- vapply(ci, function(v) 2 * (fit$loglik - stable_lm(I(y - v * x) ~ 1, d)$loglik), 0)
  expect_equal(at_ends[1], at_ends[2], tolerance = 1e-3)
  expect_gt(at_ends[1], qchisq(0.9, 1))
  expect_equal(at_ends[1], quantile(drawn, 0.9, type = 6, names = FALSE), tolerance = 0.02)
})

test_that("method \"auto\" chooses for regressions as for samples", {
  d <- regression_data()
  fit <- stable_lm(y ~ x + z, d)
  ci <- auto_of(fit)
  expect_identical(attr(ci, "method"), "profile")
  expect_true(all(ci[, 1] <= coef(fit) & coef(fit) <= ci[, 2]))
  hold <- function(v, d) stable_lm(I(y - v * x) ~ z, d)
  first <- confint(fit, "x", level = pchisq(60 * log(1 + qt(0.975, 54)^2 / 54), 1), method = "profile")[[1, 2]]
  at_first <- hold(first, d)
  set.seed(40213)
  z <- replicate(20, {
    law <- coef(at_first)[c("alpha", "beta", "gamma")]
    d$y <- unname(fitted(at_first)) + first * d$x + rstable(60, law[[1]], law[[2]], law[[3]])
    free <- stable_lm(y ~ x + z, d)
    sqrt(max(0, 2 * (free$loglik - hold(first, d)$loglik))) * sign(coef(free)[["x"]] - first)
  })
  expect_equal(sqrt(2 * (fit$loglik - hold(ci[["x", 2]], d)$loglik)), bound_of(-z, 60, 0.95), tolerance = 1e-3)
  set.seed(6)
  many <- data.frame(x = rnorm(800))
  many$y <- many$x + rstable(800, 1.5, 0)
  large <- stable_lm(y ~ x, many)
  expect_identical(attr(auto_of(large), "method"), "wald")
  expect_equal(confint(large, "x", method = "profile"), confint(large, "x"), tolerance = 0.01)
})

test_that("intervals of regressions hold fixed coefficients, and exist for those of the scale", {
  d <- regression_data()
  d$y <- d$y * exp(0.5 * d$z)
  fit <- stable_lm(y ~ x, d, scale = ~ z)
  deviance_at <- function(v) 2 * (fit$loglik - update(fit, fixed = c(scale_z = v))$loglik)
  for (v in confint(fit, "scale_z", method = "profile")) expect_equal(deviance_at(v), qchisq(0.95, 1), tolerance = 1e-3)
  expect_gt(deviance_at(auto_of(fit, "scale_z")[[1, 1]]), qchisq(0.95, 1))
  held <- update(fit, fixed = c(x = 2))
  for (method in c("wald", "profile", "bootstrap", "auto")) {
    ci <- confint(held, "x", method = method, R = 2)
    expect_identical(unname(ci[1, ]), c(NA_real_, NA_real_))
    expect_identical(attr(ci, "reasons"), c(x = "It is held fixed at 2."))
  }
})

test_that("profile intervals of regressions with rounded responses use their likelihood", {
  d <- regression_data()
  d$y <- round(d$y, 1)
  fit <- stable_lm(y ~ x, d, rounding = 0.1)
  v <- confint(fit, "x", method = "profile")[[1, 2]]
  held <- stable_lm(I(y - v * x) ~ 1, d, rounding = 0.1)
  expect_equal(2 * (fit$loglik - held$loglik), qchisq(0.95, 1), tolerance = 1e-3)
})

test_that("invalid arguments of intervals are errors", {
  fit <- small_fit()
  refused <- function(call, words) expect_error(call, words, class = "stablecl_error_argument")
  refused(predict(fit, interval = "confidence", method = "magic"), "`method` must be one of")
  refused(predict(fit, interval = "confidence", method = "bootstrap", R = 0), "`R`")
  refused(predict(fit, 0.1, interval = "confidence", method = "bootstrap", R = 2, seed = "a"), "`seed`")
  refused(predict(stablefit(fit$data, "quantile"), interval = "confidence", method = "profile"), "method = \"mle\"")
  model <- stable_lm(y ~ x, regression_data())
  refused(confint(model, method = "magic"), "`method` must be one of")
  refused(confint(model, method = "bootstrap", R = -1), "`R`")
  refused(confint(model, "x", method = "bootstrap", R = 2, seed = "a"), "`seed`")
  refused(confint(model, "w"), "`parm`")
  refused(confint(model, type = "basic"), "type")
})

test_that("automatic intervals of quantiles contain the true value where the delta method fails", {
  truth <- qstable(0.01, 1.9, 0)
  inside <- function(fit, method) {
    ci <- predict(fit, 0.01, interval = "confidence", method = method)
    ci[[1, "lwr"]] <= truth && truth <= ci[[1, "upr"]]
  }
  set.seed(12)
  fits <- suppressWarnings(stablefit(matrix(rstable(15 * 200, 1.9, 0), 200)))
  covered <- vapply(c(auto = "auto", wald = "wald"), function(method)
    mean(vapply(as.list(fits), inside, NA, method)), 0)
  expect_gte(covered[["auto"]], 0.9)
  expect_lt(covered[["wald"]], 0.9)
})
