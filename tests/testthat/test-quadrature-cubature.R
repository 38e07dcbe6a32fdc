# Integrals over boxes in 2 to 8 dimensions (data/boxes.csv).

boxes <- utils::read.csv(test_path("data", "boxes.csv"), comment.char = "#", colClasses = "character")

box_integral <- function(k, ...) {
  f <- eval(parse(text = paste("function(x)", boxes$formula[k])), globalenv())
  suppressWarnings(gintegrate(f, eval(parse(text = boxes$lower[k])), eval(parse(text = boxes$upper[k])),
                              dim = as.integer(boxes$dim[k]), control = list(seed = k), ...))
}

# If max.eval is reached first, the status says that the error estimate is unreliable.
test_that("integrals that converge have errors within their estimates", {
  for (method in c("auto", "cubature")) for (tol in c(1e-2, 1e-3, 1e-4, 1e-6)) for (k in seq_len(nrow(boxes))) {
    r <- box_integral(k, method = method, rel.tol = tol, max.eval = 1e6)
    true <- as.numeric(boxes$value[k])
    claimed <- max(r$abs.error, 1e-14 * max(1, abs(true)))
    if (r$status == "converged") expect_lte(abs(r$value - true), claimed, label = paste(boxes$id[k], method, tol))
    expect_lte(r$evaluations, 1e6)
  }
})

test_that("smooth integrands converge", {
  for (id in c("f1_3", "f3_3", "f4_3", "th_bell_1", "f3_5", "roosarnold8", "gfun8"))
    expect_equal(as.character(box_integral(match(id, boxes$id), rel.tol = 1e-4)$status), "converged", label = id)
})

# Bisecting every subregion with a share in a large error would divide the range evenly.
test_that("an unreachable tolerance does not increase the error", {
  k <- match("f3_8", boxes$id)
  claim <- function(tol) box_integral(k, method = "cubature", rel.tol = tol, max.eval = 1e6)$abs.error
  claims <- vapply(c(1e-2, 1e-4, 1e-8), claim, 0)
  expect_lt(max(claims), 1.5 * min(claims))
})

# Bisection places some jumps between the outermost points of a subregion and its faces: one in twenty at each level.
test_that("jumps and kinks between the outermost points and a face are detected", {
  set.seed(3)
  a <- stats::runif(1000)
  check <- function(f, d, true, rel.tol, missed) {
    r <- gintegrate(f, rep(0, d), 1, params = data.frame(a), dim = d, method = "cubature", rel.tol = rel.tol)
    expect_true(all(r$status == "converged"))
    expect_lte(sum(abs(r$value - true) > pmax(r$abs.error, 1e-13)), missed)
  }
  for (tol in c(1e-3, 1e-6)) {
    check(function(x, a) ifelse(x[1] < a, 1 + x[2], 0), 2, 1.5 * a, tol, 2)
    check(function(x, a) ifelse(x[3] < a, 1 + x[2] * x[1], 0), 3, 1.25 * a, tol, 2)
    check(function(x, a) abs(x[2] - a) * exp(x[1]), 2, (a^2 + (1 - a)^2) / 2 * expm1(1), tol, 10)
  }
})

test_that("a range is sampled again if all values are 0", {
  for (d in c(2, 3, 5, 8)) {
    f <- function(x) if (all(x[1:2] < 0.06)) 1 else 0
    r <- suppressWarnings(gintegrate(f, rep(0, d), 1, dim = d, method = "cubature", rel.tol = 1e-2, max.eval = 1e6))
    expect_lte(abs(r$value - 0.0036), r$abs.error)
    expect_gt(r$value, 0.001)
  }
  r <- gintegrate(function(x, y) 0 * x * y, c(0, 0), 1, method = "cubature")
  expect_identical(c(r$value, r$abs.error), c(0, 0))
  expect_identical(as.character(r$status), "converged")
  expect_lt(r$evaluations, 1e4)
})

test_that("cubature handles singular edges, and does not depend on values there", {
  r <- gintegrate(function(x, y) x^-0.5 * (1 + y), c(0, 0), 1, method = "cubature", rel.tol = 1e-5)
  expect_identical(as.character(r$status), "converged")
  expect_lte(abs(r$value - 3), r$abs.error)
  edge <- gintegrate(function(x, y) ifelse(x > 0 & x < 1, exp(x + y), 7), c(0, 0), 1, method = "cubature")
  none <- gintegrate(function(x, y) exp(x + y), c(0, 0), 1, method = "cubature")
  expect_identical(edge$evaluations, none$evaluations)
})

test_that("the rule is exact for polynomials of degree 7", {
  for (d in 2:5) {
    f <- function(x) 1 + x[1]^7 - 2 * x[1]^2 * x[2]^4 + x[2]^6 + sum(x)^3
    r <- gintegrate(f, rep(-1, d), 1:d, dim = d, max.eval = 6000)
    e <- 1:d
    moment <- function(k, p) (e[k]^(p + 1) - (-1)^(p + 1)) / (p + 1)
    volume <- prod(e + 1)
    cube <- sum(vapply(seq_len(d^3) - 1, function(n) {
      k <- c(n %% d, n %/% d %% d, n %/% d^2) + 1
      prod(vapply(1:d, function(axis) moment(axis, sum(k == axis)), 0))
    }, 0))
    rest <- volume / prod(e[1:2] + 1)
    plane <- moment(1, 7) * moment(2, 0) - 2 * moment(1, 2) * moment(2, 4) + moment(1, 0) * moment(2, 6)
    true <- volume + rest * plane + cube
    expect_equal(r$value, true, tolerance = 1e-13)
  }
})

test_that("named arguments are axes, and rows of limits are integrals", {
  g <- function(x, y, s) exp(-s * x) / (1 + y)
  s <- c(0.5, 1, 2)
  upper <- cbind(1:3, c(2, 1, 1))
  r <- gintegrate(g, 0, upper, params = data.frame(s = s), rel.tol = 1e-10)
  expect_equal(r$value, (1 - exp(-s * upper[, 1])) / s * log1p(upper[, 2]), tolerance = 1e-10)
  one <- gintegrate(g, 0, upper[2, ], s = 1, rel.tol = 1e-10)
  expect_identical(one$evaluations, r$evaluations[2])
  expect_equal(gintegrate(function(x, y) x - y, c(1, 0), c(0, 2))$value, 1, tolerance = 1e-13)
})

test_that("results do not depend on the number of threads", {
  by_threads <- with_threads(as.data.frame(box_integral(match("f5_5", boxes$id), max.eval = 2e6)))
  expect_identical(by_threads[[1]], by_threads[[2]])
})

# Boxes are processed in blocks of 4096.  The integrands are symmetric in x and y, so that many errors are equal, and
# bisecting all of them would take more evaluations than are allowed.  The integral of sqrt(x + y) is
# 4/15 (2^(5/2) - 2).
test_that("integrals with tens of thousands of boxes are complete and do not depend on the number of threads", {
  exact <- 4 / 15 * (2^2.5 - 2) + 1:3 / 2
  by_threads <- with_threads(as.data.frame(suppressWarnings(
    gintegrate(function(x, y, a) sqrt(x + y) + a * (x + y > 1), c(0, 0), c(1, 1), params = list(a = 1:3),
               method = "cubature", rel.tol = 1e-9, max.eval = 1e6))))
  found <- by_threads[[1]]
  expect_identical(found, by_threads[[2]])
  expect_true(all(found$evaluations > 0.9e6 & found$evaluations <= 1e6))
  expect_true(all(abs(found$value - exact) <= found$abs.error))
  expect_true(all(found$abs.error < 1e-3))
})

test_that("many intervals of one integral are complete, too", {
  for (method in c("gk", "simpson")) {
    by_threads <- with_threads(as.data.frame(
      gintegrate(function(x) abs(sin(3000 * x)), 0, 1, method = method, rel.tol = 1e-10, max.eval = 1e7)))
    exact <- (2 * floor(3000 / pi) + 1 - cos(3000 %% pi)) / 3000
    expect_identical(by_threads[[1]], by_threads[[2]])
    expect_identical(as.character(by_threads[[1]]$status), "converged")
    expect_gt(by_threads[[1]]$evaluations, 2 * 21 * 4096)
    expect_lt(abs(by_threads[[1]]$value - exact), by_threads[[1]]$abs.error)
  }
})

test_that("an untranslated function gives a correct result", {
  f <- function(x) as.numeric(format(exp(-x[1] - x[2]^2), digits = 17))
  r <- suppressMessages(gintegrate(f, c(0, 0), c(1, 1), rel.tol = 1e-5))
  expect_equal(r$backend, "R")
  expect_equal(r$value, (1 - exp(-1)) * sqrt(pi) * (pnorm(sqrt(2)) - 0.5), tolerance = 1e-5)
})

# --- features that are narrow compared with the box -----------------------------------------------

# The integral of exp(-(x - a)^2 / (2 w^2)) over (0, 1).
gaussian_true <- function(a, w) w * sqrt(2 * pi) * (pnorm((1 - a) / w) - pnorm(-a / w))

# The faces of boxes divide some of the peaks: without a comparison of neighbours, one in ten to one in three was wrong.
test_that("no part of a peak is lost at the face of a box", {
  set.seed(6)
  p <- data.frame(a = stats::runif(100), b = stats::runif(100), c = stats::runif(100))
  for (w in c(0.003, 0.01)) for (tol in c(1e-3, 1e-6)) {
    two <- gintegrate(function(x, y, a, b) exp(-((x - a)^2 + (y - b)^2) / (2 * w^2)), c(0, 0), 1, params = p[1:2],
                      method = "cubature", rel.tol = tol, abs.tol = 0)
    three <- gintegrate(function(x, y, z, a, b, c) exp(-((x - a)^2 + (y - b)^2 + (z - c)^2) / (2 * w^2)), c(0, 0, 0), 1,
                        params = p, method = "cubature", rel.tol = tol, abs.tol = 0)
    true <- gaussian_true(p$a, w) * gaussian_true(p$b, w)
    expect_true(all(two$status == "converged" & three$status == "converged"))
    expect_lte(max(abs(two$value / true - 1)), tol)
    expect_lte(max(abs(three$value / (true * gaussian_true(p$c, w)) - 1)), tol)
  }
})

test_that("a ridge across the axes and a thin ring are found entirely", {
  set.seed(7)
  a <- stats::runif(20, 0.2, 0.7)
  w <- 0.002
  for (method in c("cubature", "auto")) {
    ridge <- gintegrate(function(x, y, a) exp(-((x - y - a) / w)^2 / 2), c(0, 0), 1, params = data.frame(a),
                        method = method, rel.tol = 1e-4, abs.tol = 0)
    ring <- gintegrate(function(x, y, a) exp(-((sqrt((x - a)^2 + (y - 0.45)^2) - 0.15) / w)^2 / 2), c(0, 0), 1,
                       params = data.frame(a), method = method, rel.tol = 1e-4, abs.tol = 0)
    expect_true(all(ridge$status == "converged" & ring$status == "converged"))
    expect_lte(max(abs(ridge$value / (w * sqrt(2 * pi) * (1 - a)) - 1)), 1e-4)
    expect_lte(max(abs(ring$value / (2 * pi * 0.15 * w * sqrt(2 * pi)) - 1)), 1e-4)
  }
})

test_that("where one peak is found, the rest of the range is examined for others", {
  set.seed(8)
  p <- as.data.frame(matrix(stats::runif(160, 0.2, 0.8), 40, dimnames = list(NULL, c("a", "b", "c", "d"))))
  for (method in c("cubature", "auto")) {
    r <- gintegrate(function(x, y, a, b, c, d) exp(-5000 * ((x - a)^2 + (y - b)^2)) +
                      exp(-5000 * ((x - c)^2 + (y - d)^2)), c(0, 0), 1, params = p, method = method, rel.tol = 1e-4)
    expect_lte(max(abs(r$value / (2 * pi / 5000) - 1)), 1e-4)
  }
})

# Otherwise a later method of "auto" would seem to contradict a result that has missed most of the integral.
test_that("the error of an integral that has not converged includes what neighbours may have missed", {
  for (most in c(5000, 10000, 20000)) {
    r <- suppressWarnings(gintegrate(function(x, y) exp(-((sqrt((x - 0.5)^2 + (y - 0.45)^2) - 0.23) / 0.002)^2 / 2),
                                     c(0, 0), 1, method = "cubature", rel.tol = 1e-4, abs.tol = 0, max.eval = most))
    expect_identical(as.character(r$status), "max.eval")
    expect_lte(abs(r$value - 2 * pi * 0.23 * 0.002 * sqrt(2 * pi)), r$abs.error)
  }
})
