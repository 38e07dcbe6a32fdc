# Derivatives of the log density.  Errors are relative to max(1, |score|).  The promise is 1e-9, and 1e-11 for the
# reference values; other tests require the accuracy that is attained.

REACHED <- 2e-11
columns <- c("alpha", "beta", "gamma", "delta", "x")

off <- function(ours, right) {
  gap <- abs(ours - right) / pmax(1, abs(right))
  gap[ours == right] <- 0
  ifelse(is.na(gap), Inf, gap)
}

test_that("scores agree with all reference values", {
  ref <- utils::read.csv(test_path("data", "scores.csv"), comment.char = "#")
  expect_gt(nrow(ref), 90)
  ours <- stable_score(ref$x, ref$alpha, ref$beta)
  expect_lt(max(off(ours[, "alpha"], ref$d_alpha)), 1e-11)
  expect_lt(max(off(ours[, "beta"], ref$d_beta)), 1e-11)
  expect_lt(max(off(ours[, "x"], ref$d_x)), 1e-11)
  expect_lt(max(off(ours[, "gamma"], -1 - ref$x * ref$d_x)), 1e-11)
})

test_that("scores of the normal, Cauchy and Levy distributions agree with closed forms", {
  x <- c(-30, -1, 0, 0.3, 5, 1e8)
  expect_equal(stable_score(x, 2, 0.4)[, "x"], -x / 2)
  expect_identical(stable_score(x, 2, 0.4)[, "beta"], rep(0, 6))
  expect_equal(stable_score(x, 1)[, "x"], -2 * x / (1 + x^2))
  expect_equal(stable_score(x, 1, 0, 3, 2)[, "gamma"], 1 / 3 - 6 / (9 + (x - 2)^2), tolerance = 1e-12)
  y <- c(0.01, 0.5, 3, 1e7)
  expect_equal(stable_score(y, 0.5, 1, pm = 1)[, "x"], 1 / (2 * y^2) - 3 / (2 * y), tolerance = 1e-12)
  expect_equal(stable_score(y, 0.5, 1, 2, pm = 1)[, "gamma"], 1 / 4 - 1 / (2 * y), tolerance = 1e-12)
})

test_that("scores of symmetric distributions agree with closed forms in alpha, and are odd in beta", {
  # d f(0)/d alpha = -(1/pi) Int t log t e^-t dt = -digamma(2)/pi, f(0) = 1/pi
  expect_equal(stable_score(0, 1)[[1, "alpha"]], -digamma(2), tolerance = 1e-12)
  # f(0) = Gamma(1 + 1/alpha)/pi for beta = 0
  alpha <- c(0.2, 0.7, 1.3, 1.999, 2)
  expect_equal(stable_score(0, alpha)[, "alpha"], -digamma(1 + 1 / alpha) / alpha^2, tolerance = 1e-11)
  expect_equal(stable_score(c(-2, 2), 1.2)[, "beta"], c(-1, 1) * stable_score(2, 1.2)[, "beta"])
})

test_that("scores are not NaN except close to zeta for small alpha, and are reflected", {
  for (case in stable_cases()) {
    alive <- dstable(case$x, case$alpha, case$beta, log = TRUE) > -1e60
    rough <- case$alpha < 0.15 & abs(case$x - case$zeta) < 1e-12
    x <- case$x[alive & !rough]
    score <- stable_score(x, case$alpha, case$beta)
    expect_none(rowSums(is.nan(score)) > 0, "a score", x, case)
    mirrored <- stable_score(-x, case$alpha, -case$beta)
    sign <- rep(c(1, -1, 1, -1, -1), each = length(x))
    expect_none(rowSums(off(mirrored * sign, score) > REACHED) > 0, "mirror symmetry", x, case)
  }
})

test_that("scores are NaN only in the regions that the manual page states", {
  undefined <- function(x, alpha, beta, pm = 0) is.nan(suppressWarnings(stable_score(x, alpha, beta, pm = pm)))
  set.seed(8)
  distance <- 10^seq(-30, 3, length.out = 120)
  for (alpha in c(0.05, 0.1, 0.15, 0.2, 0.25, 0.28, 0.3, 0.4)) for (beta in c(0, 0.3, -0.9)) {
    bad <- undefined(c(-distance, distance), alpha, beta, pm = 1)
    expect_false(any(bad[, c("alpha", "beta", "gamma")]))
    expect_true(all(distance < 1e-5 | !rowSums(bad)) && (alpha < 0.3 || !any(bad)), label = paste(alpha, beta))
  }
  for (alpha in c(0.95, 0.99, 0.998, 1 - 1e-6, 1, 1 + 1e-9, 1.001, 1.05, 1.5, 1.9)) {
    end <- if (alpha < 1) -tanpi(alpha / 2)
    x <- if (alpha < 1) c(end + exp(-seq(-5, 700, length.out = 1000)), -seq(1, min(3000, -end), length.out = 500)) else
      c(-10^seq(0, 150, length.out = 500), -seq(1, 500, length.out = 500))
    log_f <- dstable(x, alpha, 1, log = TRUE)
    bad <- undefined(x[is.finite(log_f)], alpha, 1)
    expect_false(any(bad[, -1]))
    expect_false(any(bad[log_f[is.finite(log_f)] > -1e250, ]), label = paste("light tail", alpha))
  }
  x <- 10^seq(0, 300, length.out = 101)
  for (alpha in c(0.6, 1.3, 1.9)) for (beta in 1 - c(0, 1e-16, 1e-12, 1e-6, 1e-4, 1e-3, 0.5)) {
    bad <- undefined(x, alpha, beta)
    expect_false(any(bad[, -2]) || any(bad[x < 1e180, ]), label = paste("far tail", alpha, beta))
  }
})

test_that("location and scale have the right effect", {
  x <- c(-7, 0.1, 2, 400)
  for (law in list(c(0.6, 0.3), c(1, -0.5), c(1.7, 1))) {
    standard <- stable_score(x, law[1], law[2])
    moved <- stable_score(5 + 3 * x, law[1], law[2], 3, 5)
    expect_lt(max(off(moved, standard / rep(c(1, 1, 3, 3, 3), each = 4))), REACHED)
    expect_equal(standard[, "gamma"], -1 - x * standard[, "x"], tolerance = 1e-10)
  }
})

test_that("the parametrisations agree by the chain rule", {
  x <- c(-4, -0.3, 0.7, 9)
  for (law in list(c(0.4, 0.5), c(0.95, -0.6), c(1.02, 0.7), c(1.6, 0.2))) {
    a <- law[1]; b <- law[2]; g <- 0.7; d <- 0.2
    tangent <- tan(pi * a / 2)
    one <- stable_score(x, a, b, g, d, pm = 1)
    zero <- stable_score(x, a, b, g, d + b * g * tangent, pm = 0)
    # delta0 = delta1 + beta gamma tan(pi alpha/2) depends on alpha, beta and gamma
    slope <- c(b * g * pi / 2 * (1 + tangent^2), g * tangent, b * tangent, 0, 0)
    expect_lt(max(off(one, zero + outer(zero[, "delta"], slope))), 1e-10)
  }
})

test_that("S2 differs from S0 by the mode and the scale", {
  x <- c(-2, 0.4, 3)
  h <- 1e-3
  for (law in list(c(0.8, 0.4), c(1.5, -0.5))) {
    change <- function(k) {
      at <- function(t) dstable(x, law[1] + t * (k == 1), law[2] + t * (k == 2), 1.3, 0.1, pm = 2, log = TRUE)
      (45 * (at(h) - at(-h)) - 9 * (at(2 * h) - at(-2 * h)) + at(3 * h) - at(-3 * h)) / (60 * h)
    }
    score <- stable_score(x, law[1], law[2], 1.3, 0.1, pm = 2)
    expect_lt(max(off(score[, 1:2], cbind(change(1), change(2)))), 1e-8)
  }
})

test_that("S1 has no score in alpha at alpha = 1 with beta != 0", {
  expect_warning(score <- stable_score(2, 1, 0.5, 3, pm = 1), "NaNs produced")
  expect_identical(unname(is.nan(score[1, ])), c(TRUE, FALSE, FALSE, FALSE, FALSE))
  at <- function(b, g) dstable(2, 1, b, g, pm = 1, log = TRUE)
  h <- 1e-4
  expect_equal(score[[1, "beta"]], (at(0.5 + h, 3) - at(0.5 - h, 3)) / (2 * h), tolerance = 1e-6)
  expect_equal(score[[1, "gamma"]], (at(0.5, 3 + h) - at(0.5, 3 - h)) / (2 * h), tolerance = 1e-6)
  expect_identical(stable_score(2, 1, 0, 3, pm = 1)[, -2], stable_score(2, 1, 0, 3)[, -2])
})

test_that("the mean of every score is 0", {
  rule <- gauss_legendre(40)
  u <- outer(rule$x, seq(-60, 59), "+")                 # intervals of length 1 in asinh x
  weight <- rep(rule$w, 120) * cosh(u)
  for (law in list(c(0.8, 0.5), c(1, -0.5), c(1.4, 0.95), c(1.9, 0.3))) {
    x <- sinh(as.vector(u))
    f <- dstable(x, law[1], law[2])
    kept <- f > 0
    score <- stable_score(x[kept], law[1], law[2])
    expect_lt(max(abs(colSums(score * f[kept] * weight[kept]))), 1e-9)
  }
})

test_that("scores at the bounds of the parameters are limits from inside", {
  x <- c(-2, 0.5, 3)
  for (law in list(c(0.7, 1), c(1, 1), c(1.5, -1))) {
    inside <- stable_score(x + (law[1] < 1), law[1], law[2] * (1 - 1e-11))
    border <- stable_score(x + (law[1] < 1), law[1], law[2])
    expect_lt(max(off(inside, border)), 1e-7)
  }
  expect_lt(max(off(stable_score(x, 2 - 1e-11, 0.5), stable_score(x, 2, 0.5))), 1e-7)
  expect_identical(unname(stable_score(100, 2)[1, "alpha"]), -Inf)
})

test_that("stable_score() follows the conventions of R's distribution functions", {
  y <- outcome(stable_score(c(a = 1.5, b = NA, c = NaN, d = Inf), 1.5))
  expect_identical(dim(y$value), c(4L, 5L))
  expect_identical(dimnames(y$value), list(c("a", "b", "c", "d"), columns))
  for (k in 1:5) expect_identical(kind(y$value[, k]), c("number", "NA", "NaN", "NaN"))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(dimnames(stable_score(1, c(p = 1, q = 2)))[[1]], c("p", "q"))
  expect_identical(stable_score(numeric(0), 1.5), matrix(0, 0, 5, dimnames = list(NULL, columns)))
  expect_identical(stable_score(1:2, c(1.1, 1.5, 1.9, 0.4), 0.5)[3, ], stable_score(1, 1.9, 0.5)[1, ])
  expect_warning(bad <- stable_score(1, c(2.1, 1.5, 1.5), c(0, -2, 0), c(1, 1, -1)), "NaNs produced")
  expect_true(all(is.nan(bad)))
  expect_warning(expect_true(all(is.nan(stable_score(-2, 0.5, 1)))), "NaNs produced")
  expect_error(stable_score("1", 1.5), "Non-numeric argument to mathematical function")
  expect_error(stable_score(1, 1.5, pm = 3), "`pm` must be 0, 1 or 2")
})

test_that("scores do not depend on threads", {
  x <- c(seq(-20, 20, length.out = 4000), 1e5, 1e200)
  varying <- seq(0.5, 1.99, length.out = 200)
  one <- using_threads(1, list(stable_score(x, 1.3, 0.5), stable_score(1, varying, 0.3, pm = 1)))
  two <- using_threads(2, list(stable_score(x, 1.3, 0.5), stable_score(1, varying, 0.3, pm = 1)))
  expect_identical(one, two)
})

test_that("a time limit ends scores, and the next call works", {
  skip_on_cran()
  skip_on_os("windows")
  limited <- function() {
    setTimeLimit(elapsed = 0.7)
    on.exit(setTimeLimit())
    stable_score(seq(-9, 9, length.out = 3e6), 1.3, 0.5)
  }
  work <- sum(system.time(expect_error(limited(), "time limit"))[c("user.self", "sys.self")])
  expect_lt(work, 6)                    # of all processors; 15 without the limit
  expect_identical(stable_score(1, 2)[[1, "x"]], -0.5)
})
