# The global maximum for samples that no stable distribution fits well.

no_submodel_is_higher <- function(x, label, ...) {
  fit <- suppressWarnings(stablefit(x, se = FALSE, ...))
  for (fixed in list(list(beta = -1), list(beta = 1), list(beta = 0), list(alpha = 1), list(alpha = 1.5),
                     list(alpha = 2))) {
    small <- tryCatch(suppressWarnings(stablefit(x, fixed = fixed, se = FALSE, ...))$loglik,
                      stablecl_error_data = function(e) -Inf)
    expect_lt(small - fit$loglik, 0.01, label = paste(label, names(fixed), fixed[[1L]]))
  }
  fit
}

test_that("no submodel has a higher likelihood for samples with clusters or steep sides", {
  skip_if_not_installed("MASS")
  cases <- list(eruptions = faithful$eruptions, drat = mtcars$drat, volcano = volcano[, 23], K = MASS::fgl$K,
                beav1 = MASS::beav1$time)
  for (name in names(cases)) no_submodel_is_higher(cases[[name]], name)
  expect_equal(suppressWarnings(stablefit(faithful$eruptions))$loglik, -411.385, tolerance = 1e-5)
  expect_equal(suppressWarnings(stablefit(MASS::fgl$K))$loglik, -47.578, tolerance = 1e-4)
})

# Searches with beta at its bound begin far below the maximum, and take most of the evaluations of such a fit.
test_that("beta at its bound is tried for nearly one-sided samples only if it may be more likely", {
  for (beta in c(0.93, 0.97, 0.995))
    for (alpha in c(0.6, 0.9)) no_submodel_is_higher(fit_sample_of(600, alpha, beta), paste(alpha, beta))
  fit <- stablefit(fit_sample_of(1000, 0.87, -0.91, seed = 3))
  expect_lt(coef(fit)[["beta"]], -0.9)
  expect_lt(fit$convergence$evaluations, 50)
})

two_clusters <- function(seed, times = 1) {
  set.seed(seed)
  c(rnorm(50 * times), rnorm(60 * times, 10, 0.5))
}

test_that("for two clusters the peak fits one cluster and the tail the other", {
  for (seed in 1:20) {
    fit <- no_submodel_is_higher(two_clusters(seed), paste("seed", seed))
    expect_lt(coef(fit)[["alpha"]], 1)
  }
  for (times in c(10, 600)) {
    x <- two_clusters(1, times)
    normal <- stablefit(x, fixed = list(alpha = 2), se = FALSE)
    expect_gt(stablefit(x, se = FALSE)$loglik - normal$loglik, 1.5 * 110 * times / 10)
  }
})

# No fit that starts from other shapes, each located in a different part of the sample, has a higher likelihood.
test_that("no other start gives a higher likelihood for mixtures, steep sides and clusters", {
  set.seed(11)
  samples <- list(three = rnorm(140, c(-3, 0, 6)[sample(3, 140, TRUE)], c(0.5, 1, 2)), sides = rbeta(200, 0.5, 0.7),
                  skew = ifelse(runif(150) < 0.4, rgamma(150, 2), 9 - rexp(150)), normal = rnorm(1000),
                  five = rnorm(120, 10 * runif(5)[sample(5, 120, TRUE)], 0.1))
  for (name in names(samples)) {
    x <- samples[[name]]
    fit <- stablefit(x, se = FALSE)
    for (p in c(0.15, 0.5, 0.85)) for (shape in list(c(0.7, 0), c(0.7, 0.9), c(0.7, -0.9), c(1.3, 0.9), c(1.3, -0.9))) {
      start <- list(alpha = shape[1], beta = shape[2], gamma = IQR(x) / 8, delta = quantile(x, p, names = FALSE))
      other <- suppressWarnings(stablefit(x, start = start, se = FALSE))
      expect_lt(other$loglik - fit$loglik, 0.01, label = paste(name, p, shape[1], shape[2]))
    }
  }
})

# These samples have a maximum next to the normal law with beta at a bound, at most 0.03 higher than that law.
test_that("no start with large |beta| gives a higher likelihood for nearly normal samples", {
  sample_of <- function(seed, n, alpha, beta) {
    set.seed(seed)
    rstable(n, alpha, beta, 0.5, 0.5)
  }
  samples <- list(sample_of(492, 1000, 1.95, 0))
  for (seed in 1:25) samples <- c(samples, list(sample_of(seed, 600, 2, 0), sample_of(seed, 1000, 1.98, 0.5)))
  gains <- vapply(samples, function(x) {
    fit <- stablefit(x, se = FALSE)
    others <- vapply(c(-1, 1), function(beta)
      stablefit(x, start = c(alpha = 1.993, beta = beta), se = FALSE)$loglik, 0)
    max(others) - fit$loglik
  }, 0)
  expect_lt(max(gains), 1e-4)
  expect_equal(coef(stablefit(samples[[1L]]))[["beta"]], 1)
})

test_that("batches, weights and reflections find the same maximum as single fits", {
  x <- two_clusters(3)
  one <- stablefit(x, se = FALSE)
  expect_equal(coef(stablefit(list(a = x, b = -x), se = FALSE))[, "alpha"], c(a = 1, b = 1) * coef(one)[["alpha"]],
               tolerance = 1e-8)
  expect_equal(stablefit(x, weights = rep(2, length(x)), se = FALSE)$loglik, 2 * one$loglik, tolerance = 1e-6)
})

test_that("likelihood ratios and profiles of such samples are not negative", {
  x <- two_clusters(2)
  table <- anova(stablefit(x))
  expect_true(all(table$Chisq >= 0, na.rm = TRUE))
  expect_false(is.unsorted(table[c("normal", "symmetric", "stable"), "logLik"]))
  expect_no_warning(ci <- confint(stablefit(x), "alpha", method = "profile"))
  expect_true(all(is.finite(ci)))
})

test_that("a regression on a constant finds the maximum of the sample", {
  x <- two_clusters(2)
  line <- suppressWarnings(stable_lm(x ~ 1, data.frame(x)))
  expect_lt(stablefit(x, se = FALSE)$loglik - line$loglik, 0.01)
})

test_that("a convergence warning without a reason has no empty parentheses", {
  expect_warning(stablecl:::warn_not_converged(list(message = character()), NULL), "converge: the")
  expect_warning(stablecl:::warn_not_converged(list(message = ""), NULL), "converge: the")
  expect_warning(stablecl:::warn_not_converged(list(message = "slow"), NULL), "converge (slow): the", fixed = TRUE)
})

# beta gamma tan(pi alpha/2), the distance of delta from zeta, is 1e17 times as large as the distances of the
# nearest observations from zeta.
test_that("the mode at a small alpha is found although delta cannot represent its position", {
  for (beta in c(0, 0.3)) {
    set.seed(15007 + 100 * beta + 1000)
    x <- rstable(1000, 0.015, beta, pm = 1)
    fit <- stablefit(x)
    truth <- sum(dstable(x, 0.015, beta, pm = 1, log = TRUE))
    expect_lt(abs(coef(fit)[["alpha"]] - 0.015), 0.001)
    expect_gt(as.numeric(logLik(fit)), truth - 20)
  }
})

# Returns a sample of S1 whose peak, or end of the support, is at 0.
at_zero <- function(n, alpha, beta, seed) {
  set.seed(seed)
  rstable(n, alpha, beta, pm = 1)
}

loglik_at_zero <- function(x, alpha, beta) sum(dstable(x, alpha, beta, pm = 1, log = TRUE))

test_that("a peak far from the half-sample mode is found", {
  for (case in list(c(100, 0.476, -0.964, 7), c(100, 0.345, 0.787, 8), c(1000, 0.18, -0.975, 1))) {
    x <- at_zero(case[1], case[2], case[3], case[4])
    fit <- suppressWarnings(stablefit(x, pm = 1))
    expect_gt(fit$loglik, loglik_at_zero(x, case[2], case[3]), label = paste(case, collapse = " "))
  }
})

test_that("one-sided laws with small alpha are found", {
  cases <- list(c(1000, 0.307, 1, 30), c(1000, 0.133, -1, 3), c(1000, 0.133, -1, 5), c(1000, 0.133, -1, 20),
                c(1000, 0.05, 1, 1), c(1000, 0.08, -1, 2), c(100, 0.1, 1, 3))
  for (case in cases) {
    x <- at_zero(case[1], case[2], case[3], case[4])
    fit <- suppressWarnings(stablefit(x, pm = 1))
    expect_gt(fit$loglik, loglik_at_zero(x, case[2], case[3]), label = paste(case, collapse = " "))
    expect_identical(coef(fit)[["beta"]], case[3])
  }
})

# The peak is at the distance at which 0.1 observations are expected, gamma log(n/0.1)^(-1/alpha), below the nearest
# observation for beta > 0 and above it for beta < 0, or in the middle of the gap between observations.
test_that("a fixed location is at a typical distance from an observation", {
  for (case in list(c(1000, 0.1, 1, 1), c(1000, 0.12, -1, 2), c(100, 0.06, 0.3, 4), c(400, 0.1, -0.8, 5))) {
    x <- at_zero(case[1], case[2], case[3], case[4])
    fit <- suppressWarnings(stablefit(x, pm = 1))
    at <- coef(fit)
    expect_match(paste(fit$notes, collapse = " "), "narrower than the gaps")
    side <- if (at[["beta"]] > 0) 1 else -1
    away <- side * (x - at[["delta"]])
    distance <- at[["gamma"]] * log(10 * length(x))^(-1 / at[["alpha"]])
    gap <- min(away[away > 0]) + min(-away[away < 0], Inf)
    expect_lt(abs(log(min(away[away > 0]) / min(distance, gap / 2))), 0.01, label = paste(case, collapse = " "))
  }
})

test_that("with a fixed location the likelihood is at least that of the true parameters, and alpha is not too small", {
  for (beta in c(0.2, 0.9)) {
    fits <- lapply(1:12, function(seed) {
      x <- at_zero(100, 0.06, beta, seed)
      fit <- suppressWarnings(stablefit(x, pm = 1, se = FALSE))
      c(coef(fit)[["alpha"]], fit$loglik - loglik_at_zero(x, 0.06, beta))
    })
    fits <- do.call(rbind, fits)
    expect_gte(sum(fits[, 2] > 0), 11)
    expect_lt(abs(mean(fits[, 1]) / 0.06 - 1), 0.06)
  }
})

test_that("scores vanish at the maximum where alpha is below the range of the tables", {
  for (case in list(c(1000, 0.1, -0.5), c(1000, 0.2, 0.9), c(60, 0.25, 0.3))) {
    x <- at_zero(case[1], case[2], case[3], 3)
    fit <- suppressWarnings(stablefit(x, pm = 1))
    at <- coef(fit)
    scores <- stable_score(x, at[["alpha"]], at[["beta"]], at[["gamma"]], at[["delta"]], pm = 1)[, 1:3]
    expect_lt(max(abs(colSums(scores)) * sqrt(diag(vcov(fit)))[1:3]), 1e-4)
  }
})

test_that("a small sample whose quantiles suggest a large alpha is also searched from a small one", {
  set.seed(69)
  x <- rstable(30, 0.2, 0.5)
  fit <- expect_no_warning(stablefit(x, se = FALSE))
  expect_equal(fit$convergence$code, 0)
  expect_gt(fit$loglik, sum(dstable(x, 0.2, 0.5, log = TRUE)) + 3)
})

# Searches from the quantile estimate end in a maximum with a wider peak that is up to 13.7 lower.
test_that("laws with small alpha whose peak is in any gap of a small sample are found", {
  found <- function(seed, n, alpha, beta, least) {
    set.seed(seed)
    fit <- suppressWarnings(stablefit(rstable(n, alpha, beta), se = FALSE))
    expect_gt(fit$loglik, least, label = paste(seed, n, alpha, beta))
  }
  found(173, 30, 0.2, 0.5, -170.75)
  found(280, 30, 0.2, 0.5, -192.14)
  found(216, 20, 0.12, 0.8, -103.81)
})

# The location depends on the estimate, and the estimate on the location: the fewer observations, the more.
test_that("a fixed location is at the distance that belongs to the estimate", {
  for (case in list(c(20, 0.07, 0.5, 1), c(20, 0.08, -0.6, 5), c(30, 0.1, 0.6, 3), c(50, 0.06, 0.5, 4))) {
    x <- at_zero(case[1], case[2], case[3], case[4])
    for (method in c("mle", "grid")) {
      at <- coef(suppressWarnings(stablefit(x, method, pm = 1, se = FALSE)))
      away <- sign(at[["beta"]]) * (x - at[["delta"]])
      distance <- at[["gamma"]] * log(10 * length(x))^(-1 / at[["alpha"]])
      gap <- min(away[away > 0]) + min(-away[away < 0], Inf)
      expect_lt(abs(log(min(away[away > 0]) / min(distance, gap / 2))), 0.004,
                label = paste(c(case, method), collapse = " "))
    }
  }
})

test_that("a few values that are not spread widely are not fitted by a spurious law with small alpha", {
  for (seed in 1:20) {
    set.seed(seed)
    x <- rstable(10, 1.5, 0)
    if (max(abs(x - median(x))) > 20 * IQR(x)) next
    expect_gt(coef(suppressWarnings(stablefit(x, se = FALSE)))[["alpha"]], 0.15, label = paste("seed", seed))
  }
})

test_that("no location next to other observations is more likely than that of the fit", {
  x <- at_zero(1000, 0.1, 0.5, 1)
  fit <- stablefit(x, pm = 1)
  at <- coef(fit)
  beside <- vapply(sort(abs(x))[c(1, 3, 10, 30)] / 3, function(d) {
    sum(dstable(x, at[["alpha"]], at[["beta"]], at[["gamma"]], d, pm = 1, log = TRUE))
  }, 0)
  expect_gt(fit$loglik, max(beside))
})

# The log-likelihood in scale and location has one maximum for each sample: the density vanishes at the end of the
# support.  Its location is estimated even where gaps between observations are wide.
test_that("fits of one-sided distributions of given shape reach the maximum, for samples of any distribution", {
  negative_loglik <- function(p, x, alpha) {
    value <- -sum(dstable(x, alpha, 1, exp(p[1]), min(x) - exp(p[2]), pm = 1, log = TRUE))
    if (is.finite(value)) value else 1e300
  }
  highest <- function(x, alpha) {
    starts <- log(diff(range(x))) - c(0, 3, 6, 10)
    -min(vapply(starts, function(s) optim(c(s, s), negative_loglik, x = x, alpha = alpha,
                                          control = list(maxit = 3000, reltol = 1e-12))$value, 0))
  }
  cases <- expand.grid(n = c(8, 20, 60), alpha = c(0.3, 0.5, 0.8), law = 1:3)
  for (k in seq_len(nrow(cases))) {
    n <- cases$n[k]
    x <- fit_sample_of(n, c(0.5, 0.3, 1.5)[cases$law[k]], c(1, 0, 0)[cases$law[k]], seed = k)
    fixed <- list(alpha = cases$alpha[k], beta = 1)
    fit <- suppressWarnings(stablefit(x, fixed = fixed, se = FALSE))
    expect_lt(abs(fit$loglik - highest(x, cases$alpha[k])), 1e-3, label = paste("case", k))
    turned <- suppressWarnings(stablefit(-x, fixed = c(fixed["alpha"], beta = -1), se = FALSE))
    expect_equal(turned$loglik, fit$loglik, label = paste("case", k))
  }
  # a search far from the maximum took seconds
  x <- fit_sample_of(5000, 0.35, -0.4, 3, -2, seed = 4)
  expect_lt(suppressWarnings(stablefit(x, fixed = list(alpha = 0.5, beta = 1)))$convergence$iterations, 500)
})

test_that("the estimate of alpha is at least control$alpha.min, and a maximum there", {
  for (alpha in c(0.15, 0.4, 0.6)) for (n in c(20, 60, 300)) for (least in c(0.4, 0.55, 0.7, 0.9, 0.99)) {
    x <- fit_sample_of(n, alpha, 0.3)
    fit <- expect_no_warning(stablefit(x, control = list(alpha.min = least)))
    expect_gte(coef(fit)[["alpha"]], least)
    held <- stablefit(x, fixed = list(alpha = max(least, coef(fit)[["alpha"]])))
    expect_gte(fit$loglik, held$loglik - 1e-3)
  }
  fit <- stablefit(fit_sample_of(60, 0.5, 0.3), control = list(alpha.min = 0.9))
  expect_identical(coef(fit)[["alpha"]], 0.9)
  expect_identical(confint(fit, "alpha", method = "profile")[[1L]], 0.9)
})
