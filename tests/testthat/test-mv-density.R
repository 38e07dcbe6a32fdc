# Density of elliptically contoured stable distributions: reference values, closed forms, relations, conventions.

radial <- function(alpha, dim) get("radial_law", asNamespace("stablecl"))(alpha, dim)
radial_log <- function(r, alpha, dim) dmvstable(cbind(r, matrix(0, length(r), dim - 1)), alpha, diag(dim), log = TRUE)
internal <- function(name) get(name, asNamespace("stablecl"))

# The distance of log densities, absolute or, if log g is large, relative to it.
expect_log_density <- function(value, true, error = 1e-11)
  expect_lt(max(abs(value - true) / pmax(1, abs(true) / 100)), error)

test_that("the radial density agrees with reference values by two other methods", {
  table <- utils::read.csv("data/mv-radial.csv", comment.char = "#")
  expect_identical(nrow(table), 195L)
  expect_setequal(table$dim, c(1, 2, 3, 10, 31, 99))
  for (rows in split(seq_len(nrow(table)), paste(table$dim, table$alpha))) {
    row <- table[rows, ]
    alpha <- row$alpha[1]
    dim <- row$dim[1]
    expect_log_density(radial_log(row$r, alpha, dim), row$log_density)
    # the same points in a call that builds pieces
    expect_log_density(radial_log(rep(row$r, each = 300), alpha, dim), rep(row$log_density, each = 300))
    # the sum over nodes, also where the first series serves
    law <- radial(alpha, dim)
    row <- row[!alpha %in% 1:2 & log(row$r) < c(law$tail$from, Inf)[1], ]
    if (nrow(row)) expect_log_density(internal("radial_sum")(law, log(row$r)), row$log_density)
  }
})

test_that("in one dimension the density is dstable() with beta = 0", {
  x <- c(-1e12, -20, -3, -0.2, 0, 1e-9, 0.7, 2.4, 50, 1e200)
  for (alpha in c(0.1, 0.4, 0.9, 0.9999, 1, 1.0001, 1.3, 1.8, 1.99, 2 - 1e-7))
    expect_log_density(dmvstable(x, alpha, 4, delta = 1, log = TRUE), dstable(x, alpha, 0, 2, 1, log = TRUE), 2e-12)
  expect_equal(dmvstable(x, 2, 4, delta = 1, log = TRUE), dstable(x, 2, 0, 2, 1, log = TRUE), tolerance = 1e-13)
})

test_that("the density tends to the closed forms at alpha = 1 and alpha = 2", {
  r <- c(0, 1e-3, 0.5, 2, 8, 40, 1e5)
  for (dim in c(2, 10, 100)) {
    cauchy <- lgamma((dim + 1) / 2) - (dim + 1) / 2 * (log(pi) + log1p(r^2))
    expect_equal(radial_log(r, 1, dim), cauchy, tolerance = 1e-14)
    expect_equal(radial_log(r, 1 + 1e-13, dim), cauchy, tolerance = 1e-12)
    expect_equal(radial_log(r, 1 - 1e-13, dim), cauchy, tolerance = 1e-12)
    near <- r[1:5]
    normal <- -dim / 2 * log(4 * pi) - near^2 / 4
    expect_equal(radial_log(near, 2, dim), normal, tolerance = 1e-14)
    expect_equal(radial_log(near[1:4], 2 - 1e-13, dim), normal[1:4], tolerance = 1e-11)
  }
})

test_that("the series and the quadrature agree where they meet, and refined panels change nothing", {
  for (alpha in c(0.02, 0.1, 0.35, 0.75, 0.999, 1.02, 1.4, 1.7, 1.95, 2 - 1e-5, 2 - 1e-12))
    for (dim in c(1, 2, 7, 100)) {
      law <- radial(alpha, dim)
      ends <- c(law$centre$to, law$tail$from)
      sum <- internal("radial_sum")(law, ends)
      expect_log_density(internal("centre_value")(law$centre, ends[1]), sum[1], 1e-12)
      expect_log_density(internal("tail_value")(law$tail, ends[2]), sum[2], 1e-12)
    }
})

test_that("the density integrates to one, and that of a projection is its marginal", {
  for (alpha in c(0.6, 1.2, 1.9)) {
    # Surface of the sphere times g, as a function of log r
    for (dim in c(2, 3, 30)) {
      x <- seq(-60, 60 / alpha, by = 0.02)
      surface <- log(2) + dim / 2 * log(pi) - lgamma(dim / 2)
      expect_equal(sum(exp(surface + dim * x + radial_log(exp(x), alpha, dim))) * 0.02, 1, tolerance = 1e-10)
    }
    y <- sinh(seq(-60, 60, by = 0.02))
    for (x in c(0, 1.5)) {
      f <- dmvstable(cbind(x, y), alpha, diag(2)) * sqrt(1 + y^2) * 0.02
      expect_equal(sum(f), dstable(x, alpha, 0), tolerance = 1e-9)
    }
  }
})

test_that("densities of d and d + 2 dimensions satisfy the recurrence", {
  # g_(d + 2)(r) = -g_d'(r)/(2 pi r)
  h <- 1e-4
  r <- exp(seq(-2, 4, length.out = 300))
  for (alpha in c(0.5, 1.1, 1.6, 1.97)) for (dim in c(1, 2, 25, 98)) {
    slope <- (radial_log(r * exp(h), alpha, dim) - radial_log(r * exp(-h), alpha, dim)) / (2 * h)
    wanted <- log(2 * pi) + 2 * log(r) + radial_log(r, alpha, dim + 2) - radial_log(r, alpha, dim)
    expect_lt(max(abs(exp(wanted) / -slope - 1)), 1e-5)
  }
})

test_that("shape and location transform the density", {
  set.seed(1)
  A <- matrix(rnorm(9), 3)
  Q <- crossprod(A)
  x <- matrix(rnorm(30), 10)
  delta <- c(1, -2, 0.5)
  z <- t(solve(t(A), t(x) - delta))
  expect_equal(dmvstable(x, 1.4, Q, delta), dmvstable(z, 1.4, diag(3)) / abs(det(A)), tolerance = 1e-12)
  expect_identical(dmvstable(x, 1.4, Q, delta), exp(dmvstable(x, 1.4, Q, delta, log = TRUE)))
  expect_identical(dmvstable(as.data.frame(x), 1.4, Q, delta), dmvstable(x, 1.4, Q, delta))
  expect_identical(dmvstable(x[1, ], 1.4, Q, delta), dmvstable(x[1, , drop = FALSE], 1.4, Q, delta))
})

test_that("missing, infinite and huge points have densities", {
  x <- rbind(c(NA, 1), c(Inf, 0), c(-Inf, Inf), c(Inf, NaN), c(1e200, -1e200), c(1e-200, 0))
  for (alpha in c(0.7, 1, 1.5, 2)) {
    f <- dmvstable(x, alpha, diag(2), log = TRUE)
    expect_identical(is.na(f), c(TRUE, FALSE, FALSE, TRUE, FALSE, FALSE))
    expect_identical(f[2:3], c(-Inf, -Inf))
    if (alpha < 2) {
      tail <- alpha * 2^alpha * sin(pi * alpha / 2) / (4 * pi^2) * 2 * gamma((alpha + 2) / 2) * gamma(alpha / 2)
      expect_equal(f[5], log(tail) - (2 + alpha) * log(sqrt(2) * 1e200), tolerance = 1e-13)
    }
    expect_equal(f[6], dmvstable(c(0, 0), alpha, diag(2), log = TRUE), tolerance = 1e-14)
  }
  expect_length(dmvstable(matrix(0, 0, 2), 1.5, diag(2)), 0)
})

test_that("many points and single ones agree, whatever was computed before", {
  set.seed(2)
  for (dim in c(2, 40)) for (alpha in c(0.45, 1.25, 1.93)) {
    x <- rmvstable(500, alpha, diag(dim))
    few <- vapply(1:20, function(i) internal("radial_log_density")(radial(alpha, dim), log(sum(x[i, ]^2)) / 2), 0)
    expect_log_density(dmvstable(x, alpha, diag(dim), log = TRUE)[1:20], few)
  }
  expect_lte(length(internal("recent_laws")$laws), 16)
})

test_that("invalid arguments are classed errors", {
  refused <- function(expr, words) expect_error(expr, words, fixed = TRUE, class = "stablecl_error_argument")
  refused(dmvstable(0, 0, 1), "`alpha` must be one number in (0, 2], not 0")
  refused(dmvstable(c(0, 0), c(1, 2), diag(2)), "alpha")
  refused(dmvstable(c(0, 0), 1.5, matrix(1:6, 2)), "square numeric matrix, not a 2 x 3 matrix of type integer")
  refused(dmvstable(c(0, 0, 0), 1.5, diag(2)), "a vector of 2 numbers, not c(0, 0, 0)")
  refused(dmvstable(c(0, 0), 1e-10, diag(2)), "an `alpha` of at least 1e-05, not 1e-10")
  refused(dmvstable(c(0, 0), 1.5, matrix(c(1, 0, 1, 1), 2)), "symmetric")
  refused(dmvstable(c(0, 0), 1.5, matrix(c(1, 2, 2, 1), 2)), "positive definite; its smallest eigenvalue is -1")
  refused(dmvstable(c(0, 0), 1.5, diag(c(1, NA))), "finite")
  refused(dmvstable(c(0, 0), 1.5, diag(2), delta = 1:3), "`delta` must be a vector of 2 finite numbers")
  refused(dmvstable(c(0, 0, 0), 1.5, diag(2)), "`x` must be a numeric matrix with 2 columns")
  refused(dmvstable("a", 1.5, diag(2)), "`x` must be a numeric matrix")
  refused(dmvstable(c(0, 0), 1.5, diag(2), log = NA), "`log` must be TRUE or FALSE")
  refused(rmvstable(-1, 1.5, diag(2)), "`n` must be one number")
  refused(rmvstable(2, 3, diag(2)), "alpha")
})

test_that("distances whose squares are beyond the range of numbers have finite log densities", {
  log_density <- function(x, Q, delta = 0) dmvstable(x, 1.5, Q, delta, log = TRUE)
  expect_equal(log_density(c(1e100, 0), 1e-300 * diag(2)), log_density(c(1e250, 0), diag(2)) + 300 * log(10))
  expect_equal(log_density(c(1e-320, 0), 1e-310 * diag(2)), log_density(c(0, 0), diag(2)) + 310 * log(10))
  expect_equal(log_density(c(1e308, -1e308), diag(2), c(-1e308, 1e308)),
               log_density(c(1e308, -1e308), diag(2)) - 3.5 * log(2))
  expect_equal(log_density(c(1, 1), diag(2), 1), log_density(c(0, 0), diag(2)))
})

test_that("vectors of missing values and the names of rows are accepted", {
  expect_identical(dmvstable(c(NA, NA), 1.5, diag(2)), NA_real_)
  expect_identical(dmvstable(NA, 1.5, 1), NA_real_)
  Q <- matrix(c(2, 1, 1, 3), 2, dimnames = list(c("a", "b"), NULL))
  expect_identical(dmvstable(c(b = 1, a = 0), 1.5, Q), dmvstable(c(0, 1), 1.5, Q))
  expect_identical(colnames(rmvstable(1, 1.5, Q)), c("a", "b"))
  colnames(Q) <- c("b", "a")
  expect_error(dmvstable(c(b = 1, a = 0), 1.5, Q), "same names", class = "stablecl_error_argument")
})
