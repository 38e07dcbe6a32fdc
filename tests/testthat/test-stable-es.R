# Expected shortfall: closed forms, reference values, relations, and conventions of R.

test_that("the normal distribution agrees with its closed form", {
  p <- c(1e-300, 1e-100, 1e-10, 0.01, 0.3, 0.5, 0.7, 0.99)
  closed <- -exp(dnorm(qnorm(p), log = TRUE) - log(p)) * sqrt(2)
  expect_equal(stable_es(p, 2, 0.3), closed, tolerance = 1e-12)
  expect_equal(stable_es(p, 2, 0, lower.tail = FALSE), -closed, tolerance = 1e-12)
})

test_that("the Levy distribution agrees with its closed form", {
  # X = 1/N^2 with N standard normal: int_0^q x f(x) dx = sqrt(2 q/pi) exp(-1/(2 q)) - 2 Phi(-1/sqrt(q))
  p <- c(1e-6, 0.01, 0.3, 0.5, 0.9, 0.999)
  q <- 1 / qnorm(p / 2)^2
  closed <- (sqrt(2 * q / pi) * exp(-1 / (2 * q)) - 2 * pnorm(-1 / sqrt(q))) / p
  easy <- p >= 0.3
  expect_equal(stable_es(p[easy], 0.5, 1, pm = 1), closed[easy], tolerance = 1e-11)
  expect_lt(max(abs(stable_es(p, 0.5, 1, pm = 1) - closed)[!easy]), 1e-11)
  expect_equal(stable_es(p[easy], 0.5, -1, pm = 1, lower.tail = FALSE), -closed[easy], tolerance = 1e-11)
})

test_that("expected shortfalls agree with reference values", {
  table <- utils::read.csv("data/shortfall.csv", comment.char = "#")
  expect_gt(nrow(table), 30)
  es <- stable_es(table$sf, table$alpha, table$beta, lower.tail = FALSE)
  expect_lt(max(abs(es / table$es - 1)), 1e-13)
  expect_lt(max(abs(stable_es(table$sf, table$alpha, -table$beta) / table$es + 1)), 1e-13)
})

test_that("the expected shortfall is the mean of the quantiles below p", {
  mean_quantile <- function(p, alpha, beta) {
    integrate(function(s) qstable(p * s^4, alpha, beta) * 4 * s^3, 0, 1, rel.tol = 1e-11, subdivisions = 1000)$value
  }
  for (alpha in c(1.3, 1.9, 2 - 1e-7)) for (beta in c(-0.9, 0.5, 1)) for (p in c(1e-6, 0.05, 0.6)) {
    expect_equal(stable_es(p, alpha, beta), mean_quantile(p, alpha, beta), tolerance = 2e-8,
                 label = sprintf("stable_es(%g, %.9g, %g)", p, alpha, beta))
  }
  # light tails have a mean for every alpha
  for (alpha in c(0.1, 0.6, 1)) for (p in c(0.01, 0.4, 0.8)) {
    expect_equal(stable_es(p, alpha, 1), mean_quantile(p, alpha, 1), tolerance = 1e-9,
                 label = sprintf("stable_es(%g, %g, 1)", p, alpha))
  }
})

test_that("the shortfalls of both tails add up to the mean, also close to alpha = 1 and 2", {
  for (alpha in c(1.001, 1.2, 1.7, 2 - 1e-9)) for (beta in c(-1, 0.4, 1)) {
    p <- c(2^-26, 0.25, 0.75, 1 - 2^-26)          # with exact complements
    whole <- p * stable_es(p, alpha, beta) + (1 - p) * stable_es(1 - p, alpha, beta, lower.tail = FALSE)
    expect_lt(max(abs(whole + beta * tanpi(alpha / 2))) * (alpha - 1), 1e-12)
  }
  close <- stable_es(0.2, 1 + 10^-(4:12), 0.5) * 10^-(4:12)
  expect_equal(close, rep(-0.5 / (pi * 0.2), 9), tolerance = 1e-3)      # (1 - beta)/(pi p), the first term
})

test_that("far in the tail the shortfall is alpha/(alpha - 1) times the quantile", {
  for (p in c(1e-30, 1e-300)) for (alpha in c(1.2, 1.8)) {
    expect_equal(stable_es(p, alpha, 0.3), qstable(p, alpha, 0.3) * alpha / (alpha - 1), tolerance = 1e-9)
  }
})

test_that("tails without a mean give an infinite value or NaN", {
  expect_identical(stable_es(0.1, c(0.5, 1, 1), c(0, 0.9, -1)), rep(-Inf, 3))
  expect_identical(stable_es(0.1, c(0.5, 1), c(0, 1), lower.tail = FALSE), c(Inf, Inf))
  expect_identical(stable_es(1, 0.5, c(1, -1)), c(Inf, -Inf))
  expect_warning(nothing <- stable_es(1, c(0.5, 1.5), 0), "NaNs produced")
  expect_identical(nothing, c(NaN, 0))
  expect_identical(stable_es(0, c(1.5, 0.5), c(0.5, 1), pm = 1), c(-Inf, 0))
})

test_that("shortfalls respect scale, location, parametrisation and reflection", {
  plain <- stable_es(0.05, 1.6, 0.4)
  expect_equal(stable_es(0.05, 1.6, 0.4, 3, -7), 3 * plain - 7)
  expect_equal(stable_es(0.05, 1.6, -0.4, lower.tail = FALSE), -plain)
  expect_equal(stable_es(0.05, 1.6, 0.4, 3, -7, pm = 1), 3 * (plain + 0.4 * tanpi(0.8)) - 7)
  expect_equal(stable_es(1, 1.6, 0.4, 3, -7, pm = 1), -7)
  s2 <- stable_convert(1.6, 0.4, 3, -7, from = 0, to = 2)
  expect_equal(stable_es(0.05, 1.6, 0.4, s2$gamma, s2$delta, pm = 2), 3 * plain - 7)
  expect_identical(stable_es(0.05, 1.6, 0.4, 0, 4), 4)
})

test_that("stable_es() follows the conventions of R's distribution functions", {
  y <- outcome(stable_es(c(a = 0.1, b = 2, c = NA, d = NaN), 1.5, 0))
  expect_identical(kind(y$value), c("number", "NaN", "NA", "NaN"))
  expect_named(y$value, c("a", "b", "c", "d"))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(stable_es(numeric(0), 1.5, 0), numeric(0))
  expect_identical(dim(stable_es(matrix(1:6 / 10, 2), 1.5, 0)), 2:3)
  expect_equal(stable_es(0.1, c(1.5, 1.8), 0), c(stable_es(0.1, 1.5, 0), stable_es(0.1, 1.8, 0)))
  expect_identical(suppressWarnings(stable_es(0.1, c(3, 1.5), 0, gamma = c(1, -1))), c(NaN, NaN))
  expect_error(stable_es("a", 1.5, 0), "Non-numeric argument to mathematical function")
  expect_error(stable_es(0.1, 1.5, 0, pm = 7), "must be 0, 1 or 2")
})

test_that("the shortfall agrees with a large sample", {
  set.seed(4)
  x <- sort(rstable(1e6, 1.8, -0.3))
  below <- x[seq_len(1e5)]
  expect_lt(abs(mean(below) - stable_es(0.1, 1.8, -0.3)), 0.1)
})
