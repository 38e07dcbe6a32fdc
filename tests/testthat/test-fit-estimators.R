# Properties of every method except "mle", which test-fit-recovery.R and test-fit-equivariance.R test.

other_methods <- c("ecf", "logmoment", "mle2d", "grid")

test_that("each method recovers the true parameters", {
  for (method in other_methods) for (case in fit_cases()) {
    if (method == "logmoment" && case$beta != 0) next
    fit <- stablefit(do.call(fit_sample_of, c(n = 1000, case)), method)
    z <- z_scores(fit, case)
    expect_lt(max(abs(z), na.rm = TRUE), 4, label = paste(method, label_of(case)))
    expect_true(all(is.finite(coef(fit))), label = paste(method, label_of(case)))
  }
})

test_that("each method is equivariant", {
  maps <- list(list(-1, 1, 0), list(1, 1e6, 0), list(-1, 3e-3, -2))
  for (method in other_methods) for (law in list(c(1.5, 0.5), c(1, -0.5), c(0.6, 0.9), c(0.4, 0.2))) {
    x <- fit_sample_of(200, law[1], law[2])
    base <- stablefit(x, method)
    for (map in maps) {
      moved <- coef(stablefit(map[[1]] * map[[2]] * x + map[[3]], method))
      label <- paste(method, paste(c(law, unlist(map)), collapse = " "))
      expect_lt(abs(moved[["alpha"]] - coef(base)[["alpha"]]), 1e-6, label = label)
      expect_lt(abs(moved[["beta"]] - map[[1]] * coef(base)[["beta"]]), 1e-6, label = label)
      expect_lt(abs(moved[["gamma"]] / (map[[2]] * coef(base)[["gamma"]]) - 1), 1e-6, label = label)
      expect_lt(abs(moved[["delta"]] - map[[3]] - map[[1]] * map[[2]] * coef(base)[["delta"]]) / moved[["gamma"]],
                1e-6, label = label)
    }
    expect_identical(coef(stablefit(rev(x), method)), coef(base))
  }
})

test_that("the estimates are continuous at alpha = 1", {
  x <- fit_sample_of(1000, 1, 0.5, 3, 0)
  for (method in c("ecf", "mle2d", "grid")) {
    est <- coef(stablefit(x, method))
    expect_lt(max(abs(est - c(1, 0.5, 3, 0)) / c(0.15, 0.2, 0.6, 0.6)), 1, label = method)
    one <- coef(stablefit(x, method, fixed = list(alpha = 1)))
    near <- coef(stablefit(x, method, fixed = list(alpha = 1 + 1e-9)))
    expect_equal(near, one, tolerance = 1e-6, label = method)
  }
})

test_that("each method handles small alpha, strong skewness and Gaussian data", {
  for (method in other_methods) {
    expect_lt(abs(coef(stablefit(fit_sample_of(1000, 0.3, 0), method))[["alpha"]] - 0.3), 0.05, label = method)
    set.seed(11)
    normal <- stablefit(rnorm(400, 3, 2), method)
    expect_gt(coef(normal)[["alpha"]], if (method == "logmoment") 1.5 else 1.8, label = method)
    expect_lt(abs(coef(normal)[["gamma"]] - sqrt(2)), 0.3, label = method)
    expect_lt(abs(coef(normal)[["delta"]] - 3), 0.4, label = method)
    expect_false(any(is.nan(vcov(normal))), label = method)
  }
  x <- fit_sample_of(1000, 1.2, -0.9, 2, 10)
  for (method in c("ecf", "mle2d", "grid")) {
    est <- coef(stablefit(x, method))
    expect_lt(abs(est[["gamma"]] - 2), 0.3, label = method)
    expect_lt(abs(est[["delta"]] - 10), 0.5, label = method)
  }
})

test_that("extreme outliers have little influence", {
  x <- fit_sample_of(300, 1.5, 0)
  for (method in other_methods) {
    plain <- stablefit(x, method)
    fit <- stablefit(c(x, 1e12, -1e12), method)
    expect_true(all(is.finite(vcov(fit, complete = FALSE))), label = method)
    expect_lt(abs(coef(fit)[["delta"]] - coef(plain)[["delta"]]), 0.2, label = method)
    most <- if (method == "logmoment") 0.9 else 0.5
    expect_lt(abs(coef(fit)[["alpha"]] - coef(plain)[["alpha"]]), most, label = method)
    expect_equal(as.numeric(logLik(fit)), loglik_at(c(x, 1e12, -1e12), coef(fit)), tolerance = 1e-9,
                 label = method)
  }
})

test_that("small samples and tied values give no NaN", {
  skip_on_cran()                        # computes many fits
  tied <- round(fit_sample_of(101, 1.5, 0), 0)
  for (method in other_methods) {
    for (seed in 1:3) for (alpha in c(0.4, 1, 1.7)) {
      fit <- suppressWarnings(stablefit(fit_sample_of(8, alpha, 0.5, seed = seed), method))
      label <- paste(method, seed, alpha)
      expect_false(any(is.nan(vcov(fit))), label = label)
      expect_true(all(is.finite(fit$theta)), label = label)
    }
    expect_true(all(is.finite(suppressWarnings(stablefit(tied, method))$theta)), label = method)
  }
})

test_that("fixed parameters keep their values, for each method", {
  x <- fit_sample_of(300, 1.4, 0)
  for (method in other_methods)
    for (fixed in list(list(beta = 0), list(alpha = 1.4, beta = 0), list(gamma = 1.1, beta = 0), list(alpha = 2),
                       list(beta = 0, delta = 0.1), list(alpha = 1.4, beta = 0, gamma = 1, delta = 0))) {
      fit <- stablefit(x, method, fixed = fixed)
      label <- paste(method, paste(names(fixed), collapse = " "))
      given <- names(fixed)
      expect_equal(fit$theta[given], unlist(fixed), tolerance = 1e-14, label = label)
      expect_true(all(is.na(diag(vcov(fit))[given])), label = label)
      free <- setdiff(names(coef(fit)), c(given, "beta"))
      expect_true(all(diag(vcov(fit))[free] > 0), label = label)
    }
})

test_that("se = FALSE omits only the standard errors, for each method", {
  x <- fit_sample_of(100, 1.5, 0)
  for (method in other_methods) {
    quick <- stablefit(x, method, se = FALSE)
    expect_identical(coef(quick), coef(stablefit(x, method)), label = method)
    expect_true(all(is.na(vcov(quick))), label = method)
  }
})

test_that("an estimate by any method can be the starting value", {
  x <- fit_sample_of(300, 1.4, 0.3)
  plain <- coef(stablefit(x))
  for (method in c("quantile", other_methods, "mle"))
    expect_equal(coef(stablefit(x, start = method)), plain, tolerance = 1e-7, label = method)
  expect_identical(coef(stablefit(x, "ecf", start = "quantile")), coef(stablefit(x, "ecf")))
  expect_error(stablefit(x, start = "moments"), "one of \"mle\"", class = "stablecl_error_argument")
  expect_error(stablefit(x, start = c("ecf", "grid")), class = "stablecl_error_argument")
})

test_that("printed fits describe their method", {
  x <- fit_sample_of(100, 1.5, 0)
  expect_match(format(stablefit(x, "ecf")), "characteristic function", all = FALSE)
  expect_match(format(stablefit(x, "ecf")), "not maximised", all = FALSE)
  expect_match(format(stablefit(x, "grid")), "converged", all = FALSE)
  expect_match(format(stablefit(x, "grid", control = list(grid = 2))), "not maximised", all = FALSE)
})
