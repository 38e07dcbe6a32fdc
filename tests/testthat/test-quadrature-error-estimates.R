# Reliability of error estimates: families of integrals for which two rules sometimes agree by chance.

on_each_backend <- function(what, code, fast_builds = TRUE) {
  for (backend in c("cpu", "opencl")) {
    test_that(paste0(what, ": ", backend), {
      if (backend == "opencl") {
        skip_without_device()
        if (fast_builds) local_fast_builds()
      }
      code(backend)
    })
  }
}

# Returns the indices of integrals whose error exceeds its estimate.
too_little <- function(result, true) {
  which(abs(result$value - true) > pmax(result$abs.error, 4e-14 * abs(true)))
}

each_of <- function(f, name, values, ..., lower = 0, upper = 1) {
  gintegrate(f, lower, upper, params = setNames(data.frame(values), name), method = "gk", ...)
}

on_each_backend("oscillators never claim too little", function(backend) {
  set.seed(1)
  w <- runif(5000, 1, 400)
  r <- each_of(function(x, w) cos(w * x) * exp(-x), "w", w, backend = backend)
  expect_length(too_little(r, (1 + exp(-1) * (w * sin(w) - cos(w))) / (1 + w^2)), 0L)
  expect_true(all(r$status == "converged"))
})

# Two levels of the trapezoidal rule may agree by chance.
on_each_backend("kinks deceive \"tanhsinh\" seldom", function(backend) {
  set.seed(4)
  u <- runif(2000)
  f <- function(x, u) abs(x - u)
  r <- suppressWarnings(gintegrate(f, 0, 1, params = data.frame(u), method = "tanhsinh", rel.tol = 1e-4,
                                   backend = backend))
  expect_lte(length(too_little(r, (u^2 + (1 - u)^2) / 2)), 10L)
  expect_true(all(r$status == "converged"))
})

# Close to a nonzero endpoint e, the spacing of doubles is about eps |e|, and no node can lie closer to it.
on_each_backend("\"tanhsinh\" knows what it cannot see next to an end", function(backend) {
  b <- seq(-0.5, 0.5, length.out = 200)
  r <- suppressWarnings(gintegrate(function(x, b) x^0.3 * (1 - x)^b, 0, 1, params = data.frame(b), method = "tanhsinh",
                                   rel.tol = 1e-11, backend = backend))
  expect_length(too_little(r, beta(1.3, b + 1)), 0L)
  expect_true(all(r$status[b > 0] == "converged"))
  expect_false(any(r$status[b < -0.4] == "converged"))
})

on_each_backend("an integrable singularity inside is seldom taken too lightly", function(backend) {
  set.seed(6)
  p <- data.frame(u = runif(2000), b = runif(2000, -0.7, -0.3))
  r <- suppressWarnings(gintegrate(function(x, u, b) abs(x - u)^b, 0, 1, params = p, method = "gk", rel.tol = 1e-4,
                                   backend = backend))
  expect_true(all(r$status == "converged"))
  expect_lt(length(too_little(r, (p$u^(p$b + 1) + (1 - p$u)^(p$b + 1)) / (p$b + 1))), 30L)
})

on_each_backend("a jump is missed only beyond the last point before a limit", function(backend) {
  set.seed(2)
  u <- runif(5000)
  for (tol in c(1e-3, 1e-8)) {
    r <- each_of(function(x, u) ifelse(x < u, 1, exp(-x)), "u", u, rel.tol = tol, backend = backend)
    missed <- too_little(r, u + exp(-u) - exp(-1))
    outermost <- 0.125 * 0.00435                     # the share without a point, in half of a quarter of the range
    expect_true(all(pmin(u, 1 - u)[missed] < outermost))
    expect_true(all(r$status == "converged"))
  }
}, fast_builds = FALSE)                                 # many bisections

on_each_backend("kinks at random places claim enough", function(backend) {
  set.seed(3)
  u <- runif(5000, 0.001, 0.999)
  r <- each_of(function(x, u) abs(x - u), "u", u, backend = backend)
  expect_length(too_little(r, (u^2 + (1 - u)^2) / 2), 0L)
  r <- each_of(function(x, u) sqrt(abs(x - u)), "u", u, backend = backend)
  true <- 2 / 3 * (u^1.5 + (1 - u)^1.5)
  expect_lte(length(too_little(r, true)), 5L)
  expect_lt(max(abs(r$value - true) / r$abs.error), 3)
})

on_each_backend("a singular end is approached in few steps, with enough claimed", function(backend) {
  set.seed(4)
  p <- runif(2000, -0.6, 3)
  at_lower <- each_of(function(x, p) x^p, "p", p, backend = backend)
  expect_length(too_little(at_lower, 1 / (p + 1)), 0L)
  expect_lt(mean(at_lower$evaluations), 300)            # bisection in the middle needs 497
  p <- abs(p) + 0.3
  at_upper <- each_of(function(x, p) (1 - x)^p, "p", p, backend = backend)
  expect_length(too_little(at_upper, 1 / (p + 1)), 0L)
  expect_lt(mean(at_upper$evaluations), 200)            # bisection in the middle needs 255
  u <- 10^runif(2000, -6, 0)
  beyond <- each_of(function(x, u) sqrt(x + u), "u", u, backend = backend)
  expect_length(too_little(beyond, 2 / 3 * ((1 + u)^1.5 - u^1.5)), 0L)
  expect_lt(mean(beyond$evaluations), 200)              # bisection in the middle needs 257
})

test_that("a jump at a break costs no evaluations", {
  f <- function(x) if (x < 0.3) 1 else exp(x)
  r <- gintegrate(f, 0, 1, method = "gk", breaks = 0.3)
  expect_equal(r$value, 0.3 + exp(1) - exp(0.3), tolerance = 1e-14)
  expect_lte(r$evaluations, 2 * 84)
})

test_that("a singular end other than 0 is approached without being evaluated", {
  k <- c(-0.5, -0.4, -0.3)                           # x = 0 corresponds to t = 1
  r <- gintegrate(function(x, k) x^k * exp(-x), 0, Inf, params = data.frame(k), method = "gk", rel.tol = 1e-7,
                  max.eval = 5000)
  expect_true(all(r$status == "converged"))
  expect_true(all(abs(r$value - gamma(1 + k)) <= r$abs.error))
})

on_each_backend("a decay that is fast in comparison with the range is found at its ends", function(backend) {
  s <- 10^-c(3:12, 15, 20, 30, 45)
  decay <- function(x, s) exp(-abs(x) / s) / s
  wave <- function(x, s) (x / s)^2 * exp(-2 * x / s) * 4 / s           # the square of a wave function
  for (upper in c(1, Inf)) {
    expect_equal(each_of(decay, "s", s, upper = upper, backend = backend)$value, rep(1, length(s)), tolerance = 1e-8)
    expect_equal(each_of(wave, "s", s, upper = upper, backend = backend)$value, rep(1, length(s)), tolerance = 1e-8)
  }
  whole <- each_of(decay, "s", s, lower = -Inf, upper = Inf, backend = backend)
  expect_equal(whole$value, rep(2, length(s)), tolerance = 1e-8)
  at_other <- function(x, s) exp(-abs(x - 1) / s) / s
  s <- 10^-(3:9)                                     # the spacing of numbers limits the accuracy
  for (other in c(2, -1)) {
    r <- suppressWarnings(each_of(at_other, "s", s, lower = 1, upper = other, backend = backend))
    expect_equal(r$value, rep(sign(other - 1), length(s)), tolerance = 1e-6)
    expect_length(too_little(r, sign(other - 1)), 0L)
  }
  none <- function(x) 0 * x
  for (length in c(1e-10, 1e-13, 1e-15)) {           # intervals that numbers are too sparse for
    r <- gintegrate(none, 1, 1 + length, method = "gk", backend = backend)
    expect_true(r$status == "converged" && r$value == 0)
  }
})

test_that("narrow peaks are found where others have been found", {
  set.seed(6)
  at <- data.frame(a = runif(300, 0.05, 0.95), b = runif(300, 0.05, 0.95), c = runif(300, 0.05, 0.95))
  peaks <- function(x, a, b, c) 1 / cosh(10 * (x - a))^2 + 1 / cosh(100 * (x - b))^4 + 1 / cosh(1000 * (x - c))^6
  over <- function(k, u, primitive) (primitive(tanh(k * (1 - u))) - primitive(tanh(-k * u))) / k
  true <- over(10, at$a, identity) + over(100, at$b, function(t) t - t^3 / 3) +
    over(1000, at$c, function(t) t - 2 * t^3 / 3 + t^5 / 5)
  r <- gintegrate(peaks, 0, 1, params = at)
  expect_true(all(r$status == "converged"))
  expect_lte(mean(abs(r$value - true) > 1e-8 * true), 0.01)  # 0.29 if wide intervals are left beside narrow ones
})

test_that("products of Gauss rules state errors near the true ones, also where no line passes a near singularity", {
  smooth <- gintegrate(function(x) cos(0.4 + sum(c(2, 3.1, 1.7, 2.2) * x)), rep(0, 4), rep(1, 4), dim = 4,
                       rel.tol = 1e-12, method = "product")
  true <- Re(exp(0.4i) * prod((exp(1i * c(2, 3.1, 1.7, 2.2)) - 1) / (1i * c(2, 3.1, 1.7, 2.2))))
  expect_identical(as.character(smooth$status), "converged")
  expect_lt(abs(smooth$value - true), smooth$abs.error)
  expect_lt(smooth$evaluations, 50000)              # weights of the finest rule with errors of 1e-13 need 500,000
  for (dim in 3:4) for (near in c(0.01, 0.0206, 0.0257, 0.05)) {
    f <- gtranslate(eval(bquote(function(x) 1 / (.(near) + sum(x^2)))), dim = dim)
    exact <- suppressWarnings(gintegrate(f, rep(0, dim), rep(1, dim), rel.tol = 1e-11, max.eval = 1e7,
                                         method = "product"))
    expect_lt(exact$abs.error, 1e-8)
    for (tol in 10^-(3:8)) {
      r <- suppressWarnings(gintegrate(f, rep(0, dim), rep(1, dim), rel.tol = tol, method = "product"))
      expect_lte(abs(r$value - exact$value), r$abs.error + exact$abs.error,
                 label = sprintf("%d-D %g %g", dim, near, tol))
    }
  }
})

# Bisection finds a part of these integrals only, because numbers end at 1e-308.
test_that("singularities close to divergent ones are extrapolated", {
  p <- data.frame(a = 1 - c(0.97, 0.975, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997))
  cases <- list(list(function(x, a) a * x^(a - 1), 0, 1), list(function(x, a) dbeta(x, a, 2.5), 0, 1),
                list(function(x, a) a * abs(x)^(a - 1), 0, -1), list(function(x, a) dgamma(x, a), 0, Inf),
                list(function(x, a) a * x^-(1 + a), 1, Inf), list(function(x, a) a * x / (1 + x^2)^(1 + a / 2), 0, Inf))
  for (tol in c(1e-2, 1e-3, 1e-6)) for (k in seq_along(cases)) {
    r <- gintegrate(cases[[k]][[1]], cases[[k]][[2]], cases[[k]][[3]], params = p, rel.tol = tol, method = "gk")
    expect_true(all(r$status == "converged"), label = paste(k, tol))
    expect_length(too_little(r, sign(cases[[k]][[3]] - cases[[k]][[2]])), 0L)
  }
  for (f in c(function(x) 1 / x, function(x) (1 + x) / x, function(x) 1 / (x * (1 - log(x))), function(x) x^-1.001))
    expect_warning(gintegrate(f, 0, 1), "divergent")
})
