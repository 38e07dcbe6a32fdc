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
