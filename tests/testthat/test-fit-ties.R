# Samples with many equal values: a note, a warning, and no convergence where the likelihood is unbounded.

with_zeros <- function(share, n = 300) {
  set.seed(1)
  ifelse(runif(n) < share, 0, rnorm(n))
}

test_that("many equal values cause a warning and a note that states their share and a remedy", {
  x <- with_zeros(0.2)
  for (method in c("mle", "quantile", "mle2d")) {
    expect_warning(fit <- stablefit(x, method), class = "stablecl_warning_ties", label = method)
    expect_match(paste(fit$notes, collapse = " "), "18% of the observations are equal \\(0\\).*rounding = .*\"ecf\"")
    expect_output(print(fit), "observations are equal")
    expect_output(print(summary(fit)), "observations are equal")
  }
  expect_no_warning(fit <- stablefit(x, "ecf"))
  expect_match(paste(fit$notes, collapse = " "), "rounding = ")
  expect_no_warning(stablefit(rnorm(300)))
})

test_that("the estimate is a maximum if one exists", {
  for (share in c(0.05, 0.1, 0.2)) {
    fit <- suppressWarnings(stablefit(with_zeros(share)))
    expect_gt(coef(fit)[["alpha"]], 1, label = format(share))
    expect_true(fit$convergence$converged)
  }
})

# The profile likelihood of these samples decreases from the alpha below which it is unbounded up to 2.
test_that("a normal distribution next to which others are more likely is not an estimate", {
  outlier <- c(0.8, -1.5, -0.5, -9, -0.2, 0.4, 108.7, -0.5, -0.7, -3.1, -2.2, -6.5)
  for (x in list(outlier, with_zeros(0.3), with_zeros(0.4))) {
    profile <- vapply(c(1, 1.5, 1.9, 2), function(alpha) {
      c(logLik(suppressWarnings(stablefit(x, fixed = list(alpha = alpha)))))
    }, 0)
    expect_true(all(diff(profile) < 0))
    warnings <- character()
    fit <- withCallingHandlers(stablefit(x), warning = function(w) {
      warnings <<- c(warnings, class(w)[1L])
      invokeRestart("muffleWarning")
    })
    expect_false(fit$convergence$converged)
    expect_identical(warnings, c("stablecl_warning_convergence", "stablecl_warning_ties"))
  }
  normal <- suppressWarnings(stablefit(c(-2, -1, -1, 0, 0, 0, 1, 1, 2, 0.5)))
  expect_identical(coef(normal)[["alpha"]], 2)
  expect_true(normal$convergence$converged)
})

test_that("fits do not converge where equal values make the likelihood unbounded", {
  fit <- suppressWarnings(stablefit(faithful$eruptions, "grid"))
  if (coef(fit)[["alpha"]] < 0.1) expect_false(fit$convergence$converged)
  expect_match(paste(fit$notes, collapse = " "), "78% occur more than once")
  fixed <- suppressWarnings(stablefit(with_zeros(0.3), fixed = list(alpha = 0.1)))
  expect_false(fixed$convergence$converged)
  expect_match(paste(fixed$notes, collapse = " "), "unbounded")
})

test_that("large weights are treated like equal values", {
  set.seed(31)
  for (n in c(20, 50, 100)) for (share in c(0.1, 0.2, 0.4)) for (alpha in c(0.8, 1.5)) {
    x <- rstable(n, alpha, 0.3)
    weights <- replace(rep(1, n), 1, round(share / (1 - share) * (n - 1)))
    fit <- suppressWarnings(stablefit(x, weights = 3 * weights))
    expect_identical(fit$convergence$converged, coef(fit)[["alpha"]] > share / (1 - share))
    rows <- suppressWarnings(stablefit(rep(x, weights)))
    if (share < 0.4 && fit$convergence$converged) expect_equal(coef(fit), coef(rows), tolerance = 1e-5)
  }
  weights <- replace(rep(1, 20), 1, 12)
  expect_warning(expect_warning(stablefit(x[1:20], weights = weights, fixed = list(alpha = 0.3)),
                                class = "stablecl_warning_convergence"),
                 "39% of the weight is at one observation .* Reduce this weight", class = "stablecl_warning_ties")
})

test_that("a batch warns once and has a note for each data set", {
  warnings <- character()
  fits <- withCallingHandlers(stablefit(list(a = with_zeros(0.2), b = rnorm(300), c = with_zeros(0.1))),
                              warning = function(w) {
                                warnings <<- c(warnings, class(w)[1L])
                                invokeRestart("muffleWarning")
                              })
  expect_identical(warnings, "stablecl_warning_ties")
  note <- as.data.frame(fits)$note
  expect_match(note[c(1, 3)], "observations are equal")
  expect_no_match(note[2], "observations are equal")
})

test_that("mle2d and grid search where the likelihood is bounded despite equal values", {
  skip_if_not_installed("MASS")
  for (x in list(faithful$eruptions, volcano[, 23], MASS::fgl$K, mtcars$drat)) {
    share <- max(table(x)) / length(x)
    for (method in c("mle2d", "grid"))
      expect_gt(suppressWarnings(stablefit(x, method))$theta[["alpha"]], share / (1 - share), label = method)
  }
  expect_no_warning(fit <- stablefit(faithful$eruptions, "grid"))
  expect_true(fit$convergence$converged)
  expect_equal(fit$loglik, -411.385, tolerance = 1e-5)
  expect_identical(stablecl:::tied_alpha(c(1, 2, 2, 3, 4)), 2 / 3)
  expect_identical(stablecl:::tied_alpha(c(1, 2, 3)), 0)
})

test_that("mle2d and grid have not converged at the end of their range", {
  x <- c(0.8, -1.5, -0.5, -9, -0.2, 0.4, 108.7, -0.5, -0.7, -3.1, -2.2, -6.5)
  for (method in c("mle2d", "grid")) {
    fit <- suppressWarnings(stablefit(x, method))
    expect_equal(coef(fit)[["alpha"]], 0.2)
    expect_false(fit$convergence$converged)
    expect_match(fit$notes, "the likelihood is unbounded there", all = FALSE)
    expect_no_match(fit$notes, "beyond the range of numbers")
  }
})

test_that("weights of intervals are not ties, and remedies are those of the data", {
  x <- c(-2:5, 6)
  counts <- c(1, 3, 6, 8, 6, 5, 3, 2, 3)
  said <- function(code) tryCatch({
    code
    ""
  }, warning = conditionMessage)
  expect_identical(said(stablefit(data.frame(left = x, right = replace(x, 9, Inf)), weights = counts)), "")
  left <- rep(x, counts)
  words <- said(stablefit(data.frame(left, right = replace(left, 35:37, Inf))))
  expect_match(words, "22% of the observations are equal (1), and 89% occur more than once", fixed = TRUE)
  expect_match(words, "For rounded data use intervals; otherwise remove the equal values.", fixed = TRUE)
})

test_that("messages on equal values are true if gamma is fixed, of weights, and of a single data set", {
  set.seed(1)
  x <- rstable(60, 1.5, 0)
  tied <- c(rep(1, 20), x[1:15])
  refused <- function(code, words) expect_error(code, words, fixed = TRUE, class = "stablecl_error_data")
  quartiles <- "the search starts from quartiles, which must differ also if gamma is fixed."
  refused(stablefit(tied, fixed = list(gamma = 1)), paste("20 of 35 values of `x` are equal (1):", quartiles))
  refused(stablefit(data.frame(left = tied, right = tied + 0), fixed = list(gamma = 1)), quartiles)
  refused(stable_lm(y ~ 1, data.frame(y = tied), fixed = c(gamma = 1)), quartiles)
  refused(stablefit(x, weights = c(100, rep(1, 59))),
          "62.9% of the weight of `x` is at one value (")
  expect_warning(stablefit(list(a = c(rep(1, 8), x))), "Many values are equal in the data set \"a\"; see",
                 class = "stablecl_warning_ties")
  expect_warning(stablefit(list(a = c(rep(1, 8), x), b = x, c = c(x, rep(2, 9)))),
                 "Many values are equal in 2 of 3 data sets, the first of which is \"a\"; see")
})
