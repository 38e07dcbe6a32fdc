test_that("stable_cf() agrees with closed forms", {
  t <- c(-2, -0.3, 0, 0.7, 5)
  expect_equal(stable_cf(t, 2, 0.7, gamma = 1.5, delta = 1), exp(-(1.5 * t)^2 + 1i * t))
  expect_equal(stable_cf(t, 1, 0, 2, -1), exp(-2 * abs(t) - 1i * t))
  # Levy distribution, alpha = 1/2, beta = 1, S1: exp(-sqrt(-2it)) for the usual scale 1
  expect_equal(stable_cf(t, 0.5, 1, pm = 1), exp(-sqrt(-2i * t)))
  # alpha = 1 with skewness
  expect_equal(stable_cf(t[t != 0], 1, 0.5),
               exp(-abs(t[t != 0]) - 1i * 0.5 * 2 / pi * t[t != 0] * log(abs(t[t != 0]))))
})

test_that("stable_cf() is continuous in alpha at 1 without loss of digits", {
  t <- c(0.01, 0.5, 3)
  for (beta in c(-1, 0.3)) {
    limit <- stable_cf(t, 1, beta)
    for (e in c(-1e-9, -1e-12, -1e-15, 1e-15, 1e-12, 1e-9)) {
      expect_lt(max(Mod(stable_cf(t, 1 + e, beta) - limit)), 20 * abs(e) + 1e-15)
    }
  }
  # the derivative in alpha, with steps so small that cancellation would show
  slope <- function(e) (stable_cf(3, 1 + e, 0.5) - stable_cf(3, 1 - e, 0.5)) / (2 * e)
  expect_equal(slope(1e-4), slope(1e-6), tolerance = 1e-7)
})

test_that("stable_cf() relates the parametrisations as stable_convert() does", {
  t <- c(-1.5, 0.2, 2)
  for (alpha in c(0.5, 1, 1.6)) {
    s0 <- list(alpha, 0.6, 2.5, -1)
    s1 <- as.list(stable_convert(alpha, 0.6, 2.5, -1, from = 0, to = 1))
    s2 <- as.list(stable_convert(alpha, 0.6, 2.5, -1, from = 0, to = 2))
    expected <- do.call(stable_cf, c(list(t), s0))
    expect_equal(do.call(stable_cf, c(list(t), unname(s1), list(pm = 1))), expected)
    expect_equal(do.call(stable_cf, c(list(t), unname(s2), list(pm = "S2"))), expected)
  }
})

test_that("stable_cf() is conjugate symmetric, 1 at 0, and recycles its arguments", {
  y <- stable_cf(c(-1, 1, 0), 1.3, 0.4, 2, 3)
  expect_identical(y[1], Conj(y[2]))
  expect_identical(y[3], 1 + 0i)
  expect_length(stable_cf(1, c(0.5, 1.5), 0, 1:4), 4)
  expect_identical(stable_cf(c(-Inf, Inf), 1.3, 0.4), c(0i, 0i))
  expect_identical(is.na(stable_cf(1, c(1, 1, NA), 0.5, pm = 1)), c(FALSE, FALSE, TRUE))
  expect_identical(stable_cf(numeric(0), 1.5, 0), complex(0))
  y <- outcome(stable_cf(1, c(1.5, 3, NA), 0))
  expect_identical(is.na(y$value), c(FALSE, TRUE, TRUE))
  expect_identical(y$warnings, "NaNs produced")
  expect_error(stable_cf("1", 1.5, 0), "Non-numeric argument to mathematical function")
})

test_that("stable_cf() of many points equals its values at single points, with one warning", {
  n <- 2^19 + 3
  t <- seq(-3, 3, length.out = n)
  alpha <- rep(c(0.7, 1, 1.6), length.out = n)
  gamma <- rep(c(1, 2, 1, -1, 1), length.out = n)
  y <- outcome(stable_cf(t, alpha, 0.5, gamma))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(is.nan(Re(y$value)), gamma < 0)
  some <- seq(1, n, by = 50021)
  expect_identical(y$value[some], suppressWarnings(stable_cf(t[some], alpha[some], 0.5, gamma[some])))
})

test_that("stable_cf() is accurate when gamma |t| is close to the smallest doubles", {
  tiny <- c(1e-170, 1e-300, 1e-310, 1e-320, 5e-324)
  for (alpha in c(0.5, 0.999, 1, 1 + 1e-12, 1.5, 1.95, 2 - 1e-14, 2)) for (pm in 0:2) {
    expect_silent(y <- stable_cf(tiny, alpha, 0.6, pm = pm))
    expect_lt(max(Mod(y - 1)), 1e-80)
    expect_identical(stable_cf(-tiny, alpha, 0.6, pm = pm), Conj(y))
  }
  expect_silent(y <- stable_cf(1e-161, 2 - 3e-14, 0.6, 4e-148, 0, pm = 2))
  expect_lt(Mod(y - 1), 1e-80)
  # the two formulas for the phase meet at gamma |t| = 1
  ends <- stable_cf(c(1 - 1e-12, 1, 1 + 1e-12), 1.6, 0.6)
  expect_lt(max(Mod(diff(ends))), 1e-11)
})

test_that("stable_cf() is 0 where its modulus underflows and its phase overflows", {
  for (pm in 0:2)
    expect_identical(stable_cf(c(-1.7e157, 1.7e157), 0.99999999999989209, 1, 4.6e142, 1e-3, pm = pm), complex(2))
})
