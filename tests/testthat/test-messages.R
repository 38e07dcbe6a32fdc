# Messages for users, as text in _snaps/messages.md.  Each states what must hold, what was given, and the remedy.
# For bad vectors, the d, p, q and r functions use R's own messages (test-conventions-*.R).

x <- c(-3.1, -0.8, 0.3, 1.2, 0.9, -0.4, 0.2, 2.5, -1.1, 0.6, 7.4, -0.2)

# Writes each expression of a block and the condition that it raises.
expect_conditions <- function(block) {
  where <- parent.frame()
  lines <- unlist(lapply(as.list(substitute(block))[-1L], function(e) c(deparse(e, 500L), what_was_said(e, where))))
  expect_snapshot_output(writeLines(lines))
}

# Returns the class and message of the condition; the list of devices, which depends on the machine, is replaced.
what_was_said <- function(expr, where) {
  said <- tryCatch({ eval(expr, where); NULL }, condition = identity)
  if (is.null(said)) return("  NOTHING")
  text <- sub("available are auto, cpu and .*", "available are auto, cpu and <devices>.", conditionMessage(said))
  paste0("  ", c(paste0("<", class(said)[1L], ">"), strsplit(text, "\n")[[1L]]))
}

test_that("distributions", {
  expect_conditions({
    dstable(0, 1.5, 0, pm = 7)
    rstable(1, 1.5, 0, pm = "S3")
    stable_cf(0, 1.5, 0, pm = list())
    stable_convert(1.5, 0, from = c(0, 1))
    stable_convert(1.5, 0, to = NA)
    stable_eval(0, 1.5, 0, what = "tail")
    stable_quick("a", 1.5, 0)
    stable_quick(0, c(1, 2), 0)
    stable_quick(0, 1.5, 0, delta = "a")
    dstable(0, 1.5, 0, scale = 1)
  })
})

test_that("where and how to compute", {
  expect_conditions({
    stable_threads(-1)
    stable_threads("all")
    stable_cache(-1)
    stable_cache(c(1, 2))
    stable_backend(3)
    stable_backend("no such device")
    stable_sitrep(timeout = NA)
  })
})

test_that("a device that fails under auto", {
  expect_conditions({
    stablecl:::warn_device("the device 'GPU' failed: no room")
    stablecl:::warn_device("the device 'GPU' failed: building x.cl:\nline 3: a log")
  })
})

test_that("samples and arguments of fits", {
  expect_conditions({
    stablefit("a")
    stablefit(NULL)
    stablefit(1:3)
    stablefit(rep(1, 10))
    stablefit(rep(NA_real_, 10))
    stablefit(c(x, Inf, -Inf))
    stable_data(c(x, NaN, Inf))
    stablefit(x, "moments")
    stablefit(x, pm = 5)
    stablefit(x, tolerance = 1)
    stablefit(x, se = "yes")
    stablefit(x, fixed = list(alpha = 3))
    stablefit(x, fixed = list(mean = 3))
    stablefit(x, fixed = list(delta = 0), pm = 1)
    stablefit(x, fixed = 1.5)
    stablefit(x, start = "moments")
    stablefit(x, start = list(gamma = -1))
    stablefit(x, start = list(beta = c(0, 1)))
    stablefit(x, control = list(maxit = -1))
    stablefit(x, control = list(tol = "small"))
    stablefit(x, control = list(iterations = 9))
    stablefit(x, control = list(alpha.min = 2))
    stablefit(x, "grid", control = list(grid = 3))
    stablefit(x, weights = 1:3)
    stablefit(x, weights = -abs(x))
    stablefit(x, "quantile", weights = abs(x))
    stablefit(x, "logmoment", fixed = list(beta = 0.5))
    stablefit(list(x, x), weights = abs(x))
  })
})

test_that("fits of many samples", {
  fits <- stablefit(list(a = x, b = 2 * x, c = 1:3), "quantile")
  expect_conditions({
    fits[["d"]]
    fits[4]
    fits[[1:2]]
    fits[["c"]]
  })
})

test_that("methods of a fit", {
  fit <- stablefit(x, fixed = list(alpha = 1.5, beta = 0))
  by_quantiles <- stablefit(x, "quantile")
  expect_conditions({
    confint(fit, "sigma")
    confint(fit, level = 95)
    confint(fit, method = "exact")
    confint(fit, method = "bootstrap", R = 0)
    confint(by_quantiles, method = "profile")
    predict(fit, type = "mean")
    predict(fit, interval = "tolerance")
    residuals(fit, "pearson")
    simulate(fit, nsim = "many")
    anova(fit, 3)
    anova(fit, by_quantiles)
    anova(fit, stablefit(x[-1], fixed = list(alpha = 1.5, beta = 0)))
    anova(fit, stablefit(x, fixed = list(alpha = 1.2, gamma = 1)))
    plot(fit, "pie")
    plot(fit, 99)
  })
})

test_that("tests of fit", {
  expect_conditions({
    stable_gof("a", 1.5, 0)
    stable_gof(numeric(), 1.5, 0)
    stable_gof(c(x, Inf), 1.5, 0)
    stable_gof(x, 3, 0)
    stable_gof(x, 1.5, c(0, 1))
    stable_gof(x, 1.5, 0, tests = "chisq")
  })
})

test_that("regressions", {
  d <- data.frame(y = x, z = seq_along(x), alpha = x^2)
  expect_conditions({
    stable_lm(3)
    stable_lm(y ~ z, d[1:4, ])
    stable_lm(y ~ z + I(2 * z), d)
    stable_lm(y ~ z, transform(d, y = Inf))
    stable_lm(factor(y) ~ z, d)
    stable_lm(y ~ alpha, d)
    stable_lm(y ~ z, d, scale = y ~ z)
    stable_lm(y ~ z, d, rounding = -1)
    stable_lm(y ~ z, transform(d, y = rep(0:1, c(11, 1))))
    stable_lm(y ~ z, d, weights = -z)
    stable_lm(y ~ z, d, fixed = c(delta = 1))
    stable_lm(y ~ z, d, width = z)
  })
})

test_that("integrals", {
  expect_conditions({
    gintegrate(3, 0, 1)
    gintegrate(exp, "a", 1)
    gintegrate(exp, c(0, 1), 1:3)
    gintegrate(exp, 0, 1, method = "romberg")
    gintegrate(exp, 0, 1, rel.tol = -1)
    gintegrate(exp, 0, 1, max.eval = "many")
    gintegrate(exp, 0, 1, params = 3)
    gintegrate(exp, 0, 1, backend = 3)
    gintegrate(function(x, a) x * a, 0, 1)
    gintegrate(function(x, a) x * a, 0, 1, a = 1, b = 2)
    gintegrate(function(x) x, 0, 1, 3)
    gintegrate(function() 1, 0, 1)
    gintegrate(function(x) x[1] * x[2], 0, 1, dim = 101)
    gintegrate(exp, 0, 1, breaks = NA)
    gintegrate(exp, 0, 1, method = "vegas", control = list(seed = -1))
    gintegrate(exp, 0, 1, control = list(fallback = "python"))
    gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE)
    gintegrate(function(x) 1 / x, 0, 1)
  })
})

test_that("integrands that have no translation", {
  parse_one <- function(text) eval(parse(text = text, keep.source = FALSE))
  expect_conditions({
    gtranslate(3)
    gtranslate(parse_one("function(x) { y <- nchar(x); while (x > 0) x <- x - y; x }"))
    gintegrate(parse_one("function(x) strtoi(x)"), 0, 1, control = list(fallback = "none"))
  })
})

test_that("conditions have the classes that programs ask for", {
  classes <- function(expr) setdiff(class(tryCatch(expr, condition = identity)), c("error", "warning", "condition"))
  expect_identical(classes(dstable(0, 1.5, 0, pm = 7)), c("stablecl_error_argument", "stablecl_error"))
  expect_identical(classes(stable_threads(-1)), c("stablecl_error_argument", "stablecl_error"))
  expect_identical(classes(stablefit("a")), c("stablecl_error_data", "stablecl_error"))
  expect_identical(classes(stable_backend("no such device")), c("stablecl_error_device", "stablecl_error"))
  expect_identical(classes(stablecl:::warn_device("lost")), c("stablecl_warning_device", "stablecl_warning"))
  expect_identical(classes(stablecl:::warn_not_converged(list(message = "lost"), NULL)),
                   c("stablecl_warning_convergence", "stablecl_warning"))
})
