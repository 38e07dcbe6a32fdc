# "auto" for integrands that oscillate over infinite ranges with a frequency that their translation shows.

expect_wave <- function(f, lower, upper, value, ..., at_most = 3000) {
  result <- gintegrate(f, lower, upper, ...)
  expect_true(all(result$status == "converged"), info = deparse(body(f)))
  expect_true(all(abs(result$value - value) <= pmax(result$abs.error, 4e-15 * abs(value))), info = deparse(body(f)))
  expect_true(all(result$abs.error <= 1e-8 * abs(value)), info = deparse(body(f)))
  expect_lt(max(result$evaluations), at_most)
  invisible(result)
}

sine_integral_1 <- 0.946083070367183014941353313823179657812     # Abramowitz and Stegun 1964, table 5.1

test_that("slowly decaying sines and cosines converge under default arguments", {
  expect_wave(function(x) sin(x) / x, 0, Inf, pi / 2)
  expect_wave(function(x) sin(x) / x, -Inf, Inf, pi)
  expect_wave(function(x) sin(x) / x, 1, Inf, pi / 2 - sine_integral_1)
  expect_wave(function(x) sin(x) / x, -Inf, -1, pi / 2 - sine_integral_1)
  expect_wave(function(x) cos(x) / (1 + x^2), 0, Inf, pi / 2 * exp(-1))
  expect_wave(function(x) cos(10 * x) / (1 + x^2), -Inf, Inf, pi * exp(-10))
  expect_wave(function(x) x * sin(x) / (1 + x^2), Inf, 0, -pi / 2 * exp(-1))
  expect_wave(function(x) cos(pi * x / 2) / sqrt(x), 0, Inf, 1)
  expect_wave(function(x) cospi(x / 2) / sqrt(x), 0, Inf, 1)
  expect_wave(function(x) log(x) * sin(x) / x, 0, Inf, -0.57721566490153286 * pi / 2)
  expect_wave(function(x) exp(-x / 100) * sin(x) / x, 0, Inf, atan(100))
  rate <- 3
  expect_wave(function(x) { u <- -rate * x + 0; sin(u) / x }, 0, Inf, -pi / 2)
})

test_that("frequencies may differ from integral to integral, and some limits may be finite", {
  w <- c(1, 2, -3, 0.01, 100)
  stages <- expect_wave(function(x, w) sin(w * x) / x, 0, Inf, sign(w) * pi / 2, params = data.frame(w))$stages
  expect_true("fourier" %in% names(stages))
  mixed <- gintegrate(function(x, w) cos(w * x) / (1 + x^2), c(0, 0, -Inf, 0), c(Inf, Inf, Inf, 1),
                      params = data.frame(w = c(1, 0, 2, 5)))
  expect_true(all(mixed$status == "converged"))
  expect_equal(mixed$value[1:3], pi * exp(-c(1, 0, 2)) * c(0.5, 0.5, 1), tolerance = 1e-11)
  expect_equal(mixed$value[4L], integrate(function(x) cos(5 * x) / (1 + x^2), 0, 1, rel.tol = 1e-12)$value)
})

test_that("divergent integrals do not converge to their Abel sums", {
  for (f in list(function(x) sin(x), function(x) x * sin(x), function(x) cos(x) * exp(x / 10), function(x) cos(2 * x)))
    expect_identical(as.character(suppressWarnings(gintegrate(f, 0, Inf))$status), "divergent", info = deparse(body(f)))
})

test_that("errors of integrands of another form do not exceed their estimates", {
  others <- list(list(function(x) (sin(x) / x)^2, pi / 2), list(function(x) sin(x)^3 / x, pi / 4),
                 list(function(x) sin(x)^3 / x^3, 3 * pi / 8), list(function(x) sin(x) * cos(x) / x, pi / 4),
                 list(function(x) sin(x) / x * (x > 1), pi / 2 - sine_integral_1),
                 list(function(x) if (x > 1) sin(x) / x else 0, pi / 2 - sine_integral_1),
                 list(function(x) (1 - cos(x)) / x^2, pi / 2),
                 list(function(x) cos(x)^2 / (1 + x^2), pi / 4 * (1 + exp(-2))),
                 list(function(x) cos(x) / (1 + (x - 50)^2), NA))
  others[[9L]][[2L]] <- gintegrate(function(x) 1 / (1 + (x - 50)^2), 0, Inf, method = "fourier", rel.tol = 1e-11,
                                   control = list(omega = 1, weight = "cos"))$value
  for (other in others) {
    result <- suppressWarnings(gintegrate(other[[1L]], 0, Inf))
    expect_lte(abs(result$value - other[[2L]]), result$abs.error)
  }
})

test_that("the frequency is found in a program, or there is none", {
  wave <- function(f, ...) {
    made <- gtranslate(f, ...)
    stablecl:::wave_of(made$program, list(c(2, 3)))[c("weight", "omega")]
  }
  expect_identical(wave(function(x, k) exp(-x) * cos(x * k / 4 + x), params = "k"),
                   list(weight = "cos", omega = c(1.5, 1.75)))
  expect_identical(wave(function(x) sinpi(x) / x), list(weight = "sin", omega = pi))
  expect_identical(wave(function(x) sin(2 * x) / (2 + sin(2 * x))), list(weight = "sin", omega = 2))
  for (f in list(function(x) exp(-x), function(x) sin(x) + cos(x), function(x) sin(x) + sin(2 * x),
                 function(x) sin(x + 1), function(x) sin(x^2), function(x) sin(1 / x), function(x) sin(x * exp(x))))
    expect_null(unlist(wave(f)), info = deparse(body(f)))
})

test_that("devices compute oscillating integrals, too", {
  skip_without_device()
  w <- data.frame(w = seq(0.5, 5, length.out = 200))
  cpu <- gintegrate(function(x, w) cos(w * x) / (1 + x^2), 0, Inf, params = w, backend = "cpu")
  device <- gintegrate(function(x, w) cos(w * x) / (1 + x^2), 0, Inf, params = w, backend = "opencl")
  expect_identical(device$backend, "opencl")
  expect_true(all(device$status == "converged"))
  expect_lt(max(abs(device$value / (pi / 2 * exp(-w$w)) - 1)), 1e-8)
  expect_lt(max(abs(device$value - cpu$value)), 1e-12)
})

# The errors remain the same until the oscillations with most of the integral are resolved, and then fall exponentially.
test_that("thousands of damped oscillations are integrated", {
  d <- 0.001
  r <- gintegrate(function(x) exp(-d * x) * sin(x)^2, 0, Inf)
  expect_equal(as.character(r$status), "converged")
  expect_lte(abs(r$value - (1 / d - d / (4 + d^2)) / 2), r$abs.error)
  r <- gintegrate(function(x, d) exp(-d * x) * besselJ(x, 0), 0, Inf, params = data.frame(d), rel.tol = 1e-11)
  expect_equal(as.character(r$status), "converged")
  expect_lte(abs(r$value - 1 / sqrt(1 + d^2)), r$abs.error)
  expect_warning(r <- gintegrate(function(x) besselJ(x, 0), 0, Inf), "stuck")             # without an end
  expect_lt(r$evaluations, 2e5)
})
