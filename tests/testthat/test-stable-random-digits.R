# Random numbers to the last digits, and the functions of core/ that they use.

draws <- function(n, ..., seed = 7) {
  set.seed(seed)
  rstable(n, ...)
}

test_that("random numbers agree with reference values, including extreme ones", {
  rows <- read.csv(test_path("data", "draws.csv"), comment.char = "#")
  for (shape in split(rows, sprintf("%a %a", rows$alpha, rows$beta))) {
    alpha <- shape$alpha[1]
    pm <- if (abs(alpha - 1) < 0.1) 0 else 1
    x <- draws(1e5, alpha, shape$beta[1], pm = pm)[shape$index + 1]
    finite <- is.finite(shape$x)                                  # values exceed 1e308 at alpha = 0.01
    expect_identical(x[!finite], shape$x[!finite])
    expect_lte(max(abs(x - shape$x)[finite] / shape$unit[finite]), 20)
  }
})

test_that("scales close to the limits of a double overflow only where the result does", {
  for (alpha in c(0.8, 1.15, 1.5)) for (pm in 0:1) {         # zeta is 4 at 1.15
    x <- draws(2000, alpha, -0.9, pm = pm)
    inside <- abs(x) < 1.79
    expect_equal(draws(2000, alpha, -0.9, 1e308, pm = pm)[inside] / 1e308, x[inside], tolerance = 1e-13)
  }
  tiny <- 2^-1074
  plain <- draws(1e5, 0.01, 0.3, pm = 1)
  small <- draws(1e5, 0.01, 0.3, tiny, pm = 1)
  expect_gt(sum(is.finite(small) & is.infinite(plain)), 10)
  rescaled <- draws(1e5, 0.01, 0.3, 2^-500, pm = 1) * 2^-574
  both <- is.finite(rescaled) & abs(rescaled) > 1e-290
  expect_equal(small[both], rescaled[both], tolerance = 1e-15)
})

test_that("a random number has the same bits in every vector length and with recycled parameters", {
  n <- 64 * 5 + 17
  for (alpha in c(0.01, 0.3, 0.5, 0.95, 1, 1.05, 1.5, 2)) for (beta in c(-1, 0, 0.4)) for (pm in 0:2) {
    together <- draws(n, alpha, beta, 1.7, -0.3, pm)
    expect_identical(draws(n, c(alpha, alpha), beta, 1.7, -0.3, pm), together)
    for (first in c(1, 3, 15, 16, 70))
      expect_identical(draws(first, alpha, beta, 1.7, -0.3, pm), together[seq_len(first)])
  }
})

test_that("a sample does not depend on the number of threads", {
  on.exit(stable_threads(0))
  for (alpha in c(0.7, 1.02)) {
    stable_threads(1)
    one <- draws(200001, alpha, 0.5)
    for (threads in 2:3) {
      stable_threads(threads)
      expect_identical(draws(200001, alpha, 0.5), one)
    }
  }
})

# exp(-x), log(x), sin(x), cos(x) in rows, and their largest relative difference from R's functions,
# whose error is below 1 ulp.
elementary <- function(x) matrix(.Call(stablecl:::C_elementary, x), 4)
relative_error <- function(ours, theirs) max(abs(ours / theirs - 1)[theirs != 0])

# Returns x and its neighbours, at distances from one ulp upwards.
around <- function(x, steps = 2^c(-52:-30, -20, -10)) c(x, outer(x, 1 + c(-steps, steps)))

test_that("the logarithm is accurate near 1, at the boundaries of its range reduction, and at its limits", {
  x <- around(c(1, sqrt(0.5), sqrt(2), 2^(-1022:1023), sqrt(2) * 2^c(-900, -3, 3, 900)))
  x <- x[x >= 2^-1022 & is.finite(x)]
  expect_lt(relative_error(elementary(x)[2, ], log(x)), 2^-51)
  near <- c(-1, 1) * rep(2^-(2:52), each = 2)
  expect_lt(relative_error(elementary(1 + near)[2, ], log1p(near)), 2^-51)
  expect_identical(elementary(1)[2, ], 0)
})

test_that("the exponential is accurate at the boundaries of its range reduction and at its limits", {
  x <- around(c(log(2) / 2 * seq(1, 2019, by = 2), log(2) * 1:1009, 2^-(60:1), 700))
  x <- x[x <= 700]
  expect_lt(relative_error(elementary(x)[1, ], exp(-x)), 2^-51)
  expect_identical(elementary(0)[1, ], 1)
})

test_that("sine and cosine are accurate up to pi/4 and for tiny angles", {
  x <- around(c(pi / 4, seq(0.001, 0.785, by = 0.001), 2^-(1:100)))
  x <- x[x <= pi / 4]
  for (sign in c(-1, 1)) {
    expect_lt(relative_error(elementary(sign * x)[3, ], sin(sign * x)), 2^-51)
    expect_lt(relative_error(elementary(sign * x)[4, ], cos(x)), 2^-51)
  }
  expect_identical(elementary(0)[3:4], c(0, 1))
})
