# Likelihood-ratio tests.

anova_fit <- function() stablefit(fit_sample_of(200, 1.5, 0.5, 2, 3))

test_that("anova() compares one fit with the normal, Cauchy and symmetric distributions", {
  fit <- anova_fit()
  table <- anova(fit)
  expect_s3_class(table, c("anova", "data.frame"), exact = TRUE)
  expect_identical(rownames(table), c("normal", "Cauchy", "symmetric", "stable"))
  expect_identical(table$npar, c(2L, 2L, 3L, 4L))
  x <- fit$data
  expect_equal(table["normal", "logLik"], sum(dnorm(x, mean(x), sqrt(mean((x - mean(x))^2)), log = TRUE)))
  expect_identical(table["stable", "logLik"], fit$loglik)
  symmetric <- stablefit(x, fixed = list(beta = 0))
  expect_equal(table["symmetric", "Chisq"], 2 * (fit$loglik - symmetric$loglik), tolerance = 1e-6)
  expect_equal(table["symmetric", "Pr(>Chisq)"], pchisq(table["symmetric", "Chisq"], 1, lower.tail = FALSE))
  expect_lt(table["normal", "Pr(>Chisq)"], 1e-3)
  expect_equal(table$AIC, 2 * table$npar - 2 * table$logLik)
  printed <- capture.output(print(table))
  expect_match(printed, "normal +alpha = 2, against symmetric", all = FALSE)
})

test_that("several fits are sorted and each is tested against the next", {
  fit <- anova_fit()
  a <- update(fit, fixed = list(beta = 0, alpha = 1.6))
  b <- update(fit, fixed = list(beta = 0))
  table <- anova(fit, a, b)
  expect_identical(table$npar, 2:4)
  expect_equal(table$Chisq[1:2], 2 * c(b$loglik - a$loglik, fit$loglik - b$loglik))
  expect_identical(table$Df, c(1, 1, NA))
  expect_equal(table, anova(a, b, fit))
  expect_identical(anova(a, fit)$Df[1], 2)
  expect_equal(anova(a, fit)[1, "Pr(>Chisq)"], pchisq(2 * (fit$loglik - a$loglik), 2, lower.tail = FALSE))
})

test_that("likelihood-ratio tests do not depend on the parametrisation", {
  fit <- anova_fit()
  one <- stablefit(fit$data, pm = 1)
  expect_equal(anova(one), anova(fit), tolerance = 1e-6)
  expect_equal(anova(update(fit, fixed = list(beta = 0)), one)$Chisq,
               anova(update(fit, fixed = list(beta = 0)), fit)$Chisq, tolerance = 1e-6)
})

test_that("fits that cannot be compared are errors", {
  fit <- anova_fit()
  refused <- function(words, ...) expect_error(anova(...), words, class = "stablecl_error_argument")
  refused("same data", fit, stablefit(fit$data + 1))
  refused("not nested", update(fit, fixed = list(beta = 0)), update(fit, fixed = list(alpha = 1.5)))
  refused("not nested", update(fit, fixed = list(beta = 0, alpha = 1.5)), update(fit, fixed = list(beta = 0.1)))
  refused("not nested", fit, fit)
  refused("argument 2 is of class 'lm'", fit, lm(1 ~ 1))
  refused("fit 2 uses method \"quantile\"", fit, stablefit(fit$data, "quantile"))
  refused("`R`", fit, test = "bootstrap", R = -1)
})

test_that("the normal distribution is nested in models with any beta", {
  fit <- anova_fit()
  normal <- update(fit, fixed = list(alpha = 2))
  skewed <- update(fit, fixed = list(beta = 0.5))
  expect_identical(anova(normal, skewed)$Df[1], 1)
  expect_identical(anova(normal, fit)$Df[1], 2)
})

test_that("p-values are 1 at a statistic of 0 and decrease continuously with the statistic", {
  p <- function(ratio, n = 75, alternative = "stable") stablecl:::normal_p_value(ratio, n, alternative)
  expect_identical(p(0), 1)
  ratio <- c(1e-4, 0.01, 0.5, 1, 3, 5.999, 6, 6.001, 10, 50)
  for (n in c(8, 10, 75, 1e4, 1e7)) for (alternative in c("symmetric", "stable")) {
    values <- vapply(ratio, p, 0, n = n, alternative = alternative)
    expect_true(all(diff(values) < 0 & values[-1] > 0))
    expect_equal(values[6], values[8], tolerance = 0.01)
    expect_true(all(values < 0.6))
  }
  expect_equal(p(20) / p(10), exp(-5))
})

test_that("p-values from the table for the normal distribution hold for new samples", {
  set.seed(101)
  p <- replicate(150, {
    x <- rnorm(30)
    normal <- stablefit(x, fixed = list(alpha = 2), se = FALSE)
    anova(normal, stablefit(x, fixed = list(beta = 0), se = FALSE))[1, "Pr(>Chisq)"]
  })
  # the ratio is above 0 with probability 0.135; the test at level 10% rejects 10%
  expect_lt(abs(mean(p < 1) - 0.135), 4 * sqrt(0.135 * 0.865 / 150))
  expect_lt(abs(mean(p < 0.1) - 0.1), 4 * sqrt(0.09 / 150))
})

test_that("tests at the bound of beta, or with other parameters fixed, need the bootstrap", {
  x <- fit_sample_of(60, 1.3, 0.9)
  edge <- stablefit(x, fixed = list(beta = 1))
  expect_identical(anova(edge, stablefit(x))[1, "Pr(>Chisq)"], NA_real_)
  held <- stablefit(x, fixed = list(alpha = 2, delta = 0))
  expect_identical(anova(held, stablefit(x, fixed = list(delta = 0)))[1, "Pr(>Chisq)"], NA_real_)
  p <- anova(edge, stablefit(x), test = "bootstrap", R = 9, seed = 2)[1, "Pr(>Chisq)"]
  expect_true(p %in% ((1:10) / 10))
})

test_that("the bootstrap draws from the smaller model and is reproducible with its seed", {
  fit <- anova_fit()
  small <- update(fit, fixed = list(beta = 0))
  p <- anova(small, fit, test = "bootstrap", R = 19, seed = 4)[1, "Pr(>Chisq)"]
  drawn <- vapply(simulate(small, 19, seed = 4), function(x) {
    2 * (stablefit(x, se = FALSE)$loglik - stablefit(x, fixed = list(beta = 0), se = FALSE)$loglik)
  }, 0)
  expect_equal(p, (1 + sum(drawn >= 2 * (fit$loglik - small$loglik))) / 20)
})

test_that("a larger model with a lower likelihood gives a warning and a statistic of 0", {
  fit <- anova_fit()
  small <- update(fit, fixed = list(beta = 0))
  low <- fit
  low$loglik <- small$loglik - 1
  expect_warning(table <- anova(small, low), "log-likelihood 1 below that of a smaller one.*start = coef",
                 class = "stablecl_warning_convergence")
  expect_identical(table[1, "Chisq"], 0)
  expect_no_warning(anova(small, fit))

  line <- stable_lm(dist ~ speed, cars)
  constant <- stable_lm(dist ~ 1, cars)
  line$loglik <- constant$loglik - 1
  expect_warning(table <- anova(constant, line), "below that of a smaller one", class = "stablecl_warning_convergence")
  expect_identical(table[2, "Chisq"], 0)
})

test_that("fits with other weights of the same values are not compared", {
  x <- fit_sample_of(60, 1.6, 0.2)
  w <- rep(c(1, 2.5, 3), 20)
  fit <- function(x, w, ...) stablefit(x, weights = w, fixed = list(...))
  plain <- fit(x, NULL, beta = 0)
  weighted <- fit(x, w)
  expect_error(anova(plain, weighted), "must be to the same data", class = "stablecl_error_argument")
  expect_error(anova(fit(x, rev(w), beta = 0), weighted), "must be to the same data",
               class = "stablecl_error_argument")
  expect_identical(anova(plain, fit(x, rep(1, 60)))$Df, c(1, NA))
  own <- anova(fit(x, w, beta = 0), weighted)
  expect_equal(as.matrix(anova(fit(rev(x), rev(w), beta = 0), weighted)), as.matrix(own), tolerance = 1e-8)
  bins <- data.frame(left = floor(x), right = floor(x) + 1)
  swapped <- bins[c(2, 1, 3:60), ]
  expect_error(anova(fit(swapped, w, beta = 0), fit(bins, w)), "must be to the same data",
               class = "stablecl_error_argument")
})
