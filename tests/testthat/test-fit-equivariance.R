# Fits of shifted, scaled, reflected and permuted data agree with the transformed fit.

expect_same_fit <- function(fit, base, side, scale, shift, label) {
  b <- coef(base)
  a <- coef(fit)
  expect_lt(abs(a[["alpha"]] - b[["alpha"]]), 1e-8, label = paste("alpha", label))
  expect_equal(a[["beta"]], side * b[["beta"]], tolerance = 1e-8, label = paste("beta", label))
  expect_lt(abs(a[["gamma"]] / (scale * b[["gamma"]]) - 1), 1e-8, label = paste("gamma", label))
  expect_lt(abs(a[["delta"]] - shift - side * scale * b[["delta"]]) / a[["gamma"]], 1e-8,
            label = paste("delta", label))
  unit <- c(1, side, scale, side * scale)
  expect_equal(vcov(fit), vcov(base) * outer(unit, unit), tolerance = 1e-6, label = label)
}

test_that("fits are equivariant", {
  laws <- list(c(1.5, 0.5), c(1, -0.5), c(1, 0.5, 3, 0), c(1.01, -0.9), c(0.6, 0.9), c(0.3, 0.2), c(0.3, 0),
               c(1.9, 0))
  maps <- list(list(1, 1, 5), list(-1, 1, 0), list(1, 1e-3, 0), list(1, 1e6, 0), list(-1, 3, -2))
  for (law in laws) for (method in c("mle", "quantile")) {
    x <- do.call(fit_sample_of, as.list(c(200, law)))
    base <- stablefit(x, method)
    for (map in maps) {
      side <- map[[1]]
      moved <- stablefit(side * map[[2]] * x + map[[3]], method)
      expect_same_fit(moved, base = base, side = side, scale = map[[2]], shift = map[[3]],
                      label = paste(method, paste(c(law, unlist(map)), collapse = " ")))
    }
    expect_identical(coef(stablefit(rev(x), method)), coef(base))
  }
})

test_that("log-likelihoods change by n log(scale)", {
  x <- fit_sample_of(200, 1.4, 0.3)
  expect_equal(as.numeric(logLik(stablefit(100 * x))),
               as.numeric(logLik(stablefit(x))) - 200 * log(100), tolerance = 1e-10)
})

test_that("a scale far from one does not affect the estimate of alpha", {
  x <- fit_sample_of(500, 1.6, 0, gamma = 0.005)
  expect_lt(abs(coef(stablefit(x))[["alpha"]] - 1.6), 0.2)
})

test_that("variances beyond the range of numbers are missing, with a note, and other results are equivariant", {
  set.seed(1)
  x <- rstable(60, 1.5, 0)
  plain <- stablefit(x)
  profiled <- function(fit) suppressWarnings(confint(fit, c("gamma", "delta"), method = "profile"))
  for (unit in c(1e-160, 1e-300, 1e160)) {
    fit <- stablefit(x * unit)
    expect_equal(coef(fit)[3:4] / unit, coef(plain)[3:4], tolerance = 1e-6)
    expect_identical(is.na(diag(vcov(fit))), c(alpha = FALSE, beta = FALSE, gamma = TRUE, delta = TRUE))
    expect_match(fit$notes, "variances of gamma, delta are beyond the range of numbers", all = FALSE)
    expect_no_warning(expect_no_match(capture.output(summary(fit)), "Inf"))
    expect_identical(unname(is.na(as.data.frame(stablefit(list(x * unit)))$se.gamma)), TRUE)
    line <- stable_lm(y ~ z, data.frame(y = x * unit, z = 1:60))
    expect_match(line$notes, "variances of \\(Intercept\\), z, gamma are beyond", all = FALSE)
    expect_error(mvstablefit(cbind(x, rev(x)) * unit), "column 1 of `x` are beyond the range of numbers",
                 class = "stablecl_error_data")
  }
  expect_equal(profiled(stablefit(x * 1e-300)) * 1e300, profiled(plain), tolerance = 1e-4, ignore_attr = TRUE)
})
