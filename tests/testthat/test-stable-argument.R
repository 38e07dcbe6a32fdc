# (x - delta)/gamma as an unevaluated sum of two doubles; the expected second parts are exact.

position <- function(x, delta, gamma) .Call(stablecl:::C_argument, x, delta, gamma)
back <- function(hi, lo, delta, gamma) .Call(stablecl:::C_argument_back, hi, lo, delta, gamma)

test_that("the second part contains the rounding errors of difference and quotient", {
  expect_identical(position(1, 2^-60, 1), c(1, -2^-60, 0))
  expect_identical(position(2^-60, 1, 4), c(-0.25, 2^-62, 0))
  # 1/3 is 6004799503160661 / 2^54, short by 2^-54/3
  expect_identical(position(1, 0, 3), c(1 / 3, 2^-54 / 3, 0))
  expect_identical(position(-1, 0, 3), c(-1 / 3, -2^-54 / 3, 0))
  # (1 + 2^-60)/3: both errors
  expect_equal(position(1, -2^-60, 3)[2], (2^-54 + 2^-60) / 3, tolerance = 1e-12)
  expect_identical(position(5, 5, 7), c(0, 0, 0))
})

test_that("scales at the ends of the range affect only the exponent", {
  for (k in c(-1000, -600, -300, 0, 300, 600, 1000)) {
    expect_equal(position(2^k, 0, 3 * 2^k), c(1 / 3, 2^-54 / 3, 0), tolerance = 1e-15)
    expect_equal(position(2^k, -2^(k - 60), 3 * 2^k)[2], (2^-54 + 2^-60) / 3, tolerance = 1e-12)
  }
  expect_identical(position(2^1023 * 1.5, -2^1023 * 1.5, 2^1023), c(3, 0, 0))
  expect_identical(position(5e-324, 0, 5e-324), c(1, 0, 0))
  expect_identical(position(5e-324, 0, 1e-323), c(0.5, 0, 0))
})

test_that("a value out of range is returned close to 2^1000, with the logarithm of the remaining factor", {
  z <- position(1e300, 0, 1e-300)
  expect_true(z[1] >= 2^999 && z[1] < 2^1001)
  expect_equal(log(z[1]) + z[3], 600 * log(10), tolerance = 1e-15)
  expect_identical(sign(position(-1e300, 0, 1e-300)[1]), -1)
})

test_that("the inverse transformation rounds once", {
  # 3 times (1/3 rounded + its remainder) is exactly 1; minus 1 it is 0, whereas a sum of
  # rounded products gives 2^-54
  expect_identical(back(1 / 3, 2^-54 / 3, -1, 3), 0)
  expect_identical(back(1, 2^-60, -1, 1), 2^-60)
  expect_identical(back(1, 2^-60, -4, 4), 2^-58)
  expect_identical(back(1e300, 0, 0, 1e-300), 1)
  # both products overflow, in opposite directions
  expect_identical(back(-1e300, 1e283, 5, 1e100), -Inf)
  for (x in c(0.1, -7.3, 1e10)) for (delta in c(0, 0.3, -1e5)) for (gamma in c(0.7, 3, 1e3)) {
    z <- position(x, delta, gamma)
    expect_identical(back(z[1], z[2], delta, gamma), x)
  }
})
