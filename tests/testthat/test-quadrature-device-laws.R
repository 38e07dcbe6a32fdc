# dstable() and pstable() in an integrand on a device.  Each integrand text needs a program to be built; a parameter
# selects the value where possible.

# The integral over (0, 1) of a function that is constant in the variable is the value of that function.
expect_both_same <- function(f, params, label) {
  run <- function(backend) suppressWarnings(
    gintegrate(f, 0, 1, params = params, method = "gk", rel.tol = 1e-3, max.eval = 1000, backend = backend))
  device <- run("opencl")
  expect_equal(device$backend, "opencl", label = label)
  expect_same_integrals(device, run("cpu"), 1e-12, label)
  device
}

# Returns points in both tails, in the centre, close to zeta, and outside the range of the interpolant.
points_of <- function(alpha, beta) {
  zeta <- if (alpha == 1) 0 else -beta * tan(pi / 2 * alpha)
  c(qstable(c(1e-6, 0.01, 0.3, 0.6, 0.95, 1 - 1e-9), alpha, beta), -10^c(-8, 1, 4, 20), 10^c(-8, 1, 4, 20), zeta)
}

table <- approxfun(c(-1, 0, 1), c(5, 3, 8))              # columns of odd length precede the interpolants in the buffer
one_shape <- function(alpha, beta, gamma = 1, delta = 0) function(u, x, which) {
  if (which == 1) dstable(x, alpha, beta, gamma, delta)
  else if (which == 2) dstable(x, alpha, beta, gamma, delta, log = TRUE)
  else if (which == 3) pstable(x, alpha, beta, gamma, delta)
  else if (which == 4) pstable(x, alpha, beta, gamma, delta, lower.tail = FALSE, log.p = TRUE)
  else if (which == 5) dstable(x, alpha, beta, gamma, delta, pm = 1)
  else if (which == 6) dstable(x, alpha, beta, gamma, delta, pm = 2)
  else if (which == 7) dstable(x, alpha, -beta, 2)
  else table(x)
}

test_that("distributions of one shape have the values of the CPU, and those of dstable() and pstable()", {
  skip_without_device()
  for (law in list(c(1.5, 0.5, 1, 0), c(0.7, -0.4, 2.5, -7), c(0.3, 0.9, 1, 0), c(1, 0.5, 0.1, 3), c(1, 0, 1, 0),
                   c(2, 0, 3, 1), c(1.01, -0.9, 1, 0), c(0.5, 1, 1, 0), c(1.3, -1, 1, 2), c(1.9, 0, 1e-200, 0))) {
    x <- law[4] + law[3] * points_of(law[1], law[2])
    f <- one_shape(law[1], law[2], law[3], law[4])
    label <- paste(c("law", law), collapse = " ")
    r <- expect_both_same(f, merge(data.frame(x = x), data.frame(which = 1:8)), label)
    right <- with(list(a = law[1], b = law[2], c = law[3], d = law[4]), c(
      dstable(x, a, b, c, d), dstable(x, a, b, c, d, log = TRUE), pstable(x, a, b, c, d),
      pstable(x, a, b, c, d, lower.tail = FALSE, log.p = TRUE), dstable(x, a, b, c, d, pm = 1),
      dstable(x, a, b, c, d, pm = 2), dstable(x, a, -b, 2), table(x)))
    ordinary <- is.finite(right) & abs(right) > 1e-290
    expect_lte(max(abs(r$value / right - 1)[ordinary]), 1e-12, label = label)
  }
})

test_that("integrals with invalid parameters are not finite, as on the CPU; numbers are not part of the program text", {
  skip_without_device()
  rows <- expand.grid(x = c(0, 1), which = 1:6)
  for (law in list(c(2.5, 0, 1, 0), c(1.5, -1.5, 1, 0), c(1.5, 0, -1, 0), c(NaN, 0, 1, 0), c(1.5, 0, 1, NaN),
                   c(1.5, 0, Inf, 0), c(1.5, 0, 1, Inf))) {
    r <- expect_both_same(one_shape(law[1], law[2], law[3], law[4]), rows, paste(c("law", law), collapse = " "))
    if (anyNA(law) || law[1] > 2 || law[3] < 0) expect_true(all(r$status == "not finite"))
  }
  r <- expect_both_same(one_shape(1.5, 0, 0, 1), rows, "a point mass")
  expect_equal(r$value[rows$which == 3], c(0, 1))
  text <- function(f) .Call(stablecl:::C_source, gtranslate(f, dim = 1, params = c("x", "which"))$program, FALSE)
  expect_match(text(one_shape(1.5, 0.5)), "op_interpolated(table, 12, r1", fixed = TRUE)
  expect_identical(text(one_shape(1.5, 0.5)), text(one_shape(0.7, NaN, 3)))
})

# shape and scale may vary
varying <- function(u, x, a, b, c, d, which) {
  if (which == 1) dstable(x, a, b, c, d)
  else if (which == 2) dstable(x, a, b, c, d, log = TRUE, pm = 1)
  else if (which == 3) pstable(x, a, b, c, d, lower.tail = FALSE)
  else if (which == 4) dstable(x, 1.5, 0.5, c, d)
  else if (which == 5) dstable(x, 1, 0.5, c, d, pm = 1)
  else if (which == 6) pstable(x, 0.7, -0.4, c, d, log.p = TRUE, pm = 1)
  else dstable(x, 1.3, -1, c, d, pm = 2)
}

test_that("distributions that vary from point to point have the values of the CPU", {
  skip_without_device()
  rows <- do.call(rbind, lapply(list(c(1.5, 0.5), c(0.7, -0.4), c(1, 0.5), c(1, 0), c(2, 0), c(1.01, -0.9), c(0.5, 1)),
                                function(shape) data.frame(x = points_of(shape[1], shape[2]), a = shape[1],
                                                           b = shape[2])))
  rows$c <- rep_len(c(1, 2.5, 0.1), nrow(rows))
  rows$d <- rep_len(c(0, -7), nrow(rows))
  rows$x <- rows$d + rows$c * rows$x
  bad <- data.frame(x = c(0, 1), a = c(1.5, 2.5, 1.5, 1.5, 1.5, NaN), b = c(0, 0, -2, 0, 0, 0),
                    c = c(-1, 1, 1, 0, Inf, 1), d = 0)
  expect_both_same(varying, merge(rbind(rows, bad), data.frame(which = 1:7)), "laws that vary")
})

# E|X|^p of a symmetric distribution, which is also p times the integral of x^(p - 1) P(|X| > x).
moment <- function(alpha, p) 2^p * gamma((1 + p) / 2) * gamma(1 - p / alpha) / (sqrt(pi) * gamma(1 - p / 2))

test_that("absolute moments from densities and from tails are within the error estimate", {
  skip_without_device()
  rows <- expand.grid(alpha = c(1.3, 1.8, 2), p = c(0.5, 1), tail = 0:1)
  f <- function(x, alpha, p, tail)
    if (tail) 2 * p * x^(p - 1) * pstable(x, alpha, 0, lower.tail = FALSE) else 2 * x^p * dstable(x, alpha, 0)
  r <- gintegrate(f, 0, Inf, params = rows, method = "gk", rel.tol = 1e-7, backend = "opencl")
  expect_equal(r$backend, "opencl")
  expect_true(all(abs(r$value - moment(rows$alpha, rows$p)) <= r$abs.error))
})

# Prices of the finite moment log-stable model: the difference of call and put is a forward (put-call parity).
test_that("prices of the log-stable model of Carr and Wu agree with the CPU, and permit no arbitrage", {
  skip_without_device()
  price <- function(alpha, s) {
    m <- log(100) + 0.03 + s^alpha / cos(pi * alpha / 2)
    function(x, K, is_call) {
      pay <- exp(m + x) - K
      exp(-0.03) * (if (is_call) pmax(pay, 0) else pmax(-pay, 0)) * dstable(x, alpha, -1, s, 0, pm = 1)
    }
  }
  K <- seq(60, 150, by = 2)
  rows <- expand.grid(K = K, is_call = 1:0)
  for (alpha in c(1.6, 1.9)) {
    m <- log(100) + 0.03 + 0.15^alpha / cos(pi * alpha / 2)
    run <- function(backend)
      gintegrate(price(alpha, 0.15), ifelse(rows$is_call, log(rows$K) - m, -Inf),
                 ifelse(rows$is_call, Inf, log(rows$K) - m), params = rows, method = "gk", backend = backend)
    r <- run("opencl")
    expect_equal(r$backend, "opencl")
    expect_same_integrals(r, run("cpu"), 1e-11)
    call <- r$value[rows$is_call == 1]
    put <- r$value[rows$is_call == 0]
    expect_equal(call - put, 100 - K * exp(-0.03), tolerance = 1e-8)
    expect_true(all(diff(call) < 0) && all(diff(put) > 0))
  }
})

test_that("the integral of two densities over a box is a product of probabilities", {
  skip_without_device()
  f <- function(x, y) dstable(x, 1.5, 0.5) * dstable(y, 0.7, -0.4, 2, 1, pm = 1)
  true <- diff(pstable(c(-2, 3), 1.5, 0.5)) * diff(pstable(c(2, 9), 0.7, -0.4, 2, 1, pm = 1))
  for (method in c("vegas", "lattice")) {
    r <- gintegrate(f, c(-2, 2), c(3, 9), method = method, rel.tol = 1e-4, control = list(seed = 1), backend = "opencl")
    cpu <- gintegrate(f, c(-2, 2), c(3, 9), method = method, rel.tol = 1e-4, control = list(seed = 1), backend = "cpu")
    expect_equal(r$backend, "opencl")
    expect_identical(r$evaluations, cpu$evaluations)
    expect_equal(r$value, cpu$value, tolerance = 1e-11)
    expect_lte(abs(r$value - true), 5 * r$abs.error)
  }
})

test_that("the CPU computes modes that differ from point to point", {
  skip_without_device()
  on.exit(stable_backend("default"))
  f <- function(x, a) dstable(x, a, 0.5, pm = 2)
  rows <- data.frame(a = c(1.2, 1.5))
  for (method in c("gk", "vegas"))
    expect_error(gintegrate(f, 0, 1, params = rows, method = method, backend = "opencl"), "pm = 2",
                 class = "stablecl_error_unsupported")
  stable_backend("opencl")
  r <- gintegrate(f, 0, 1, params = rows)
  expect_equal(r$backend, "threads")
  expect_equal(r$value, pstable(1, rows$a, 0.5, pm = 2) - pstable(0, rows$a, 0.5, pm = 2), tolerance = 1e-9)
})
