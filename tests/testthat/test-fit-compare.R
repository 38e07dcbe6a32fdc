# stable_compare(): fits of other distributions, Vuong's test, and its plots.

compared <- function(x, ...) stable_compare(stablefit(x), ...)
set_of <- function(seed, code) {
  set.seed(seed)
  code
}

test_that("log densities of all laws are those of densities, and integrate to 1", {
  points <- list(normal = c(0.3, 0.2), laplace = c(0.3, 0.2), t = c(0.3, 0.2, 1), "skew-t" = c(0.3, 0.2, 1, -2),
                 nig = c(0.3, 0.2, -1, 0.8))
  expect_setequal(names(points), names(stablecl:::rival_laws))
  for (name in names(points)) {
    law <- stablecl:::rival_laws[[name]]
    total <- stats::integrate(function(x) exp(law$log_density(x, points[[name]])), -Inf, Inf, rel.tol = 1e-9)
    expect_equal(total$value, 1, tolerance = 1e-7, label = name)
  }
  nig <- stablecl:::rival_laws$nig
  w <- points$nig
  p <- nig$natural(w)                   # Barndorff-Nielsen's density, with his parameters
  x <- c(-20, 0, 0.7, 30)
  q <- sqrt(p[2]^2 + (x - p[1])^2)
  right <- log(p[3] * p[2] / pi) + log(besselK(p[3] * q, 1)) - log(q) + p[2] * sqrt(p[3]^2 - p[4]^2) +
    p[4] * (x - p[1])
  expect_equal(nig$log_density(x, w), right, tolerance = 1e-12)
  expect_equal(stablecl:::rival_laws$t$log_density(x, w[1:3]),
               stablecl:::rival_laws$"skew-t"$log_density(x, c(w[1:3], 0)), tolerance = 1e-12)
})

test_that("fits are maxima, and follow changes of location and scale", {
  x <- set_of(1, rt(400, 3) + 0.2 * rexp(400))
  a <- compared(x)
  b <- compared(100 - 7 * x)            # reflected, too
  expect_true(all(a$converged))
  expect_equal(b$logLik, a$logLik - 400 * log(7), tolerance = 1e-8)
  for (name in setdiff(rownames(a), "stable")) {
    one <- attr(a, "coefficients")[[name]]
    other <- attr(b, "coefficients")[[name]]
    expect_equal(other[[1]], 100 - 7 * one[[1]], tolerance = 1e-3, label = name)
    expect_equal(other[[2]], 7 * one[[2]], tolerance = 1e-3, label = name)
    fit <- stablecl:::fit_rival_law(name, x)
    law <- stablecl:::rival_laws[[name]]
    expect_lt(max(abs(colMeans(fit$scores))), 1e-4 + 0.01 * (name == "laplace"))
    expect_gt(fit$loglik, sum(fit$log_density(x + 0.01)))
    expect_gt(fit$loglik, sum(fit$log_density(x * 1.02) + log(1.02)))
  }
  normal <- attr(a, "coefficients")$normal
  expect_equal(normal, c(mean = mean(x), sd = sqrt(mean((x - mean(x))^2))))
  expect_equal(a["normal", "logLik"], sum(dnorm(x, normal[1], normal[2], log = TRUE)))
  expect_gte(a["skew-t", "logLik"], a["t", "logLik"] - 1e-6)
})

test_that("the table follows from log-likelihoods, and Vuong's statistic from the differences of log densities", {
  x <- set_of(2, rt(300, 4))
  fit <- stablefit(x)
  a <- stable_compare(fit, c("t", "laplace"))
  expect_identical(rownames(a), c("stable", "t", "laplace"))
  expect_identical(a$df, c(4L, 3L, 2L))
  expect_equal(a$AIC, 2 * (a$df - a$logLik))
  expect_equal(a$BIC, a$df * log(300) - 2 * a$logLik)
  expect_equal(a$logLik[1], as.numeric(logLik(fit)))
  p <- attr(a, "coefficients")$t
  d <- dstable(x, fit$theta[1], fit$theta[2], fit$theta[3], fit$theta[4], log = TRUE) -
    (dt((x - p[1]) / p[2], p[3], log = TRUE) - log(p[[2]]))
  spread <- sqrt(300 * mean((d - mean(d))^2))
  expect_equal(a["t", "statistic"], sum(d) / spread, tolerance = 1e-6)
  expect_gte(a["t", "p.value"], 2 * pnorm(-abs(a["t", "statistic"])) * (1 - 1e-12))
  aic <- stable_compare(fit, "t", correction = "aic")
  expect_equal(aic["t", "statistic"], (sum(d) - 1) / spread, tolerance = 1e-6)
  bic <- stable_compare(fit, "t", correction = "bic")
  expect_equal(bic["t", "statistic"], (sum(d) - log(300) / 2) / spread, tolerance = 1e-6)
})

test_that("the normal distribution is compared by the test of anova()", {
  x <- set_of(3, rstable(200, 1.95, 0))
  fit <- stablefit(x)
  a <- stable_compare(fit, "normal")
  expect_equal(a["normal", "p.value"],
               stablecl:::normal_p_value(2 * (fit$loglik - a["normal", "logLik"]), 200, "stable"))
  expect_identical(a["normal", "test"], "LR")
  expect_true(is.na(stable_compare(stablefit(x, "quantile"), "normal")["normal", "p.value"]))
  expect_true(is.na(stable_compare(stablefit(set_of(1, rnorm(200))), "t")["t", "p.value"]))
})

test_that("the test decides where models differ, and does not where they agree", {
  skewed <- compared(set_of(4, rstable(1500, 1.4, 0.8)))
  expect_true(all(skewed$statistic[-1] > 0) && all(skewed$p.value[-1] < 0.01))
  expect_true(compared(set_of(1, rt(4000, 3)), "t")["t", "statistic"] < -1.2)
  p <- vapply(1:40, function(k) compared(set_of(k, rcauchy(200)), "t")["t", "p.value"], 0)
  expect_lte(sum(p < 0.05), 6)          # 0.1 % of the numbers of rejections at a level of 5 % are larger
})

test_that("comparisons are printed, subset and plotted", {
  a <- compared(set_of(6, rt(300, 3)))
  shown <- capture.output(print(a))
  expect_match(shown, "^normal inverse Gaussian +-?[0-9.]+ +4", all = FALSE)
  expect_match(shown, "positive where the stable distribution fits better", all = FALSE)
  expect_output(print(a[1:2, 1:3]), "logLik")
  tails <- stablecl:::comparison_tails(a)
  t <- attr(a, "coefficients")$t
  line <- subset(tails$lines, law == "t" & side == "right")
  middle <- median(set_of(6, rt(300, 3)))
  expect_equal(line$share, pt((middle + line$away - t[[1]]) / t[[2]], t[[3]], lower.tail = FALSE), tolerance = 1e-4)
  stable <- subset(tails$lines, law == "stable" & side == "left")
  p <- attr(a, "coefficients")$stable
  expect_equal(stable$share, pstable(middle - stable$away, p[1], p[2], p[3], p[4]), tolerance = 1e-4)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(a), a)
  skip_if_not_installed("ggplot2")
  expect_silent(print(ggplot2::autoplot(a)))
})

test_that("arguments are checked", {
  fit <- stablefit(set_of(7, rstable(100, 1.5, 0)))
  argument_error <- "stablecl_error_argument"
  expect_error(stable_compare(), class = argument_error)
  expect_error(stable_compare(1:10), "must be a fit of one sample", class = argument_error)
  expect_error(stable_compare(fit, "gamma"), "`laws` must be one or more of", class = argument_error)
  expect_error(stable_compare(fit, correction = "none", type = 1), class = argument_error)
  weighted <- stablefit(c(fit$data), weights = rep(2, 100))
  expect_error(stable_compare(weighted), "without weights", class = argument_error)
})

test_that("a comparison names the method of the stable fit, and each distribution once", {
  x <- fit_sample_of(100, 1.6, 0.3)
  text <- capture.output(print(stable_compare(stablefit(x, "ecf"), c("t", "t"))))
  expect_match(text[1], "Stable (fitted by the empirical characteristic function) and other", fixed = TRUE)
  expect_false(any(grepl("Not converged", text)))
  expect_identical(rownames(stable_compare(stablefit(x), c("t", "normal", "t"))), c("stable", "t", "normal"))
  expect_match(capture.output(print(stable_compare(stablefit(x), "t")))[1], "^Stable and other")
})

test_that("scores beyond the range of numbers give no p-value of Vuong's test", {
  table <- stable_compare(stablefit(c(fit_sample_of(150, 1.6, 0.3), 1e300)), laws = c("t", "nig"))
  expect_true(is.na(table["normal inverse Gaussian", "p.value"]))
  expect_false(is.na(table["t", "p.value"]))
})

test_that("a fit without free parameters is compared", {
  x <- fit_sample_of(200, 1.6, 0.2)
  held <- stablefit(x, fixed = list(alpha = 1, beta = 0, gamma = 1, delta = 0))
  table <- stable_compare(held, c("normal", "t"))
  expect_identical(table["stable", "df"], 0L)
  d <- dcauchy(x, log = TRUE) - attr(table, "log_density")$t(x)
  expect_equal(table["t", "statistic"], sum(d) / sqrt(200 * mean((d - mean(d))^2)), tolerance = 1e-8)
  expect_true(table["t", "p.value"] < 1)
})

test_that("outliers whose squares are beyond the range of numbers give finite likelihoods", {
  set.seed(8)
  x <- c(rstable(50, 1.6, 0), 1e200)
  comparison <- suppressWarnings(stable_compare(stablefit(x)))
  expect_true(all(is.finite(comparison$logLik)))
  normal <- attr(comparison, "coefficients")$normal
  expect_equal(normal[["sd"]], 1e200 * sqrt(50) / 51)
  expect_false(comparison["nig", "converged"])
})

test_that("parts of a comparison that cannot be drawn are errors", {
  set.seed(9)
  comparison <- stable_compare(stablefit(rstable(50, 1.6, 0)), c("normal", "laplace"))
  for (part in list(comparison[0, ], comparison[, 1:2]))
    expect_error(plot(part), "cannot be drawn", class = "stablecl_error_argument")
})
