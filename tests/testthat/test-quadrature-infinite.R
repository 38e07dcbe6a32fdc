# Infinite limits of several axes: values with closed forms, for all methods, backends and kinds of ranges.

library(stablecl)

box_methods <- c("auto", "cubature", "product", "vegas", "lattice")

seeded <- function(method) if (method %in% c("auto", "vegas", "lattice")) list(seed = 1) else list()

# Expects converged integrals whose error is within the claim and near the tolerance.
expect_integral <- function(f, lower, upper, truth, methods = box_methods, rel.tol = 1e-3, ...) {
  for (method in methods) {
    r <- gintegrate(f, lower, upper, method = method, rel.tol = rel.tol, control = seeded(method), ...)
    expect_true(all(r$status == "converged"), label = paste(method, "converges"))
    errors <- if (method %in% c("vegas", "lattice")) 4 else 1
    expect_true(all(abs(r$value - truth) <= errors * r$abs.error), label = paste(method, "is right"))
  }
}

normal <- function(dim, rho = 0.5, mean = 0) {
  covariance <- diag(1 - rho, dim) + rho
  inverse <- solve(covariance)
  factor <- 1 / sqrt((2 * pi)^dim * det(covariance))
  function(x) factor * exp(-0.5 * sum((x - mean) * (inverse %*% (x - mean))))
}

test_that("correlated normal densities integrate to 1 in 2 to 6 dimensions", {
  for (dim in 2:6) expect_integral(normal(dim), rep(-Inf, dim), Inf, 1)
  expect_integral(normal(3), rep(-Inf, 3), Inf, 1, c("auto", "cubature", "product"), rel.tol = 1e-7)
})

test_that("normal expectations, half-spaces and orthants have their known values", {
  moment <- function(x, y) x * y * exp(-(x^2 - x * y + y^2) / 1.5) / (2 * pi * sqrt(0.75))
  expect_integral(moment, c(-Inf, -Inf), Inf, 0.5, c("auto", "cubature", "lattice"))
  expect_integral(normal(3, 0), c(1, -Inf, -Inf), Inf, pnorm(-1))
  expect_integral(normal(2), c(0, 0), Inf, 1 / 4 + asin(0.5) / (2 * pi))
  expect_integral(function(x, y, z) exp(-x^2) * y^2 * exp(-z), c(-Inf, 0, 0), c(Inf, 2, Inf), sqrt(pi) * 8 / 3,
                  c("auto", "cubature", "vegas", "lattice"))
})

test_that("densities far from the origin, wide and narrow ones are located", {
  f <- function(x, y, z, s) exp(-((x - 20 * s)^2 + (y + 15 * s)^2 + (z - 5)^2) / (2 * s^2))
  for (s in c(0.5, 1, 50)) expect_integral(f, rep(-Inf, 3), Inf, (2 * pi * s^2)^1.5, s = s)
  expect_integral(normal(2, 0.99), c(-Inf, -Inf), Inf, 1)
})

test_that("integrals do not depend on the unit of the variables", {
  scales <- 10^c(-50, -30, -12, -6, 3, 6, 20, 50)
  for (s in scales) for (dim in c(1, 2, 5)) {
    run <- function(f, lower, method = if (dim == 1) "lattice" else "auto") {
      gintegrate(f, rep(lower, dim), Inf, dim = dim, rel.tol = 1e-3, method = method, control = list(seed = 1))
    }
    for (r in list(run(function(x) prod(dexp(x, 1 / s)), 0), run(function(x) prod(dnorm(x, 0.3 * s, s)), -Inf))) {
      expect_equal(as.character(r$status), "converged", label = paste(s, dim))
      expect_equal(r$value, 1, tolerance = 4e-3, label = paste(s, dim))
    }
  }
  apart <- setdiff(box_methods, "product")
  expect_integral(function(x, y) dexp(x, 1e20) * dexp(y, 1e-20), c(0, 0), Inf, 1, methods = apart)
  expect_integral(function(x, y) dgamma(x, 3, 1e15) * dcauchy(y, 0, 1e12), c(0, -Inf), Inf, 1, methods = "auto")
  two <- function(x, y) c(dexp(x, 1e-20) * dexp(y, 1e-18), dexp(x, 1e-19) * dexp(y, 1e-18))
  several <- gintegrate(two, c(0, 0), Inf, n.value = 2, rel.tol = 1e-3)
  expect_equal(several$value, c(1, 1), tolerance = 1e-3)
  expect_silent(r <- gintegrate(function(x, y, k) exp(-(x + y) / k) / k^2, c(0, 0), Inf, rel.tol = 1e-3,
                                params = data.frame(k = 1e20 * (1:10))))
  expect_equal(r$value, rep(1, 10), tolerance = 1e-3)
  for (f in list(function(x, y) 1 / ((1 + x / 1e20) * (1 + y / 1e20)^2), function(x, y) exp(-(x + y) / 1e20) / x)) {
    r <- suppressWarnings(gintegrate(f, c(0, 0), Inf, rel.tol = 1e-3, max.eval = 1e6))
    expect_equal(as.character(r$status), "divergent")
  }
})

test_that("algebraic tails and singularities at the finite end of a half-line are resolved", {
  expect_integral(function(x) prod(1 / (1 + x^2)), rep(-Inf, 3), Inf, pi^3, c("auto", "cubature"))
  expect_integral(function(x) (1 + sum(x^2))^-2, rep(-Inf, 3), Inf, pi^2, c("auto", "cubature"))
  expect_integral(function(x, y) exp(-x - y) * x^-0.5 * y^0.3, c(0, 0), Inf, gamma(0.5) * gamma(1.3),
                  c("auto", "cubature"), rel.tol = 1e-5)
})

test_that("an algebraic tail along an axis on which the integrand is 0 is recognised", {
  others <- setdiff(box_methods, "product")
  expect_integral(function(x, y) dgamma(x, 3) * dcauchy(y), c(0, -Inf), Inf, 1, methods = others)
  expect_integral(function(x, y) dgamma(-x, 2) / (1 + y)^2, c(-Inf, 0), c(0, Inf), 1, methods = others)
})

test_that("limits may be reversed, empty and different for each integral", {
  f <- function(x, y) exp(x - y)
  expect_integral(f, c(-Inf, 2), c(3, Inf), exp(1), c("auto", "vegas"))
  expect_integral(f, c(3, 2), c(-Inf, Inf), -exp(1), c("auto", "vegas"))
  expect_identical(gintegrate(function(x, y) exp(-x^2) * y, c(-Inf, 1), c(-Inf, 2))$value, 0)
  lower <- rbind(c(-Inf, 0), c(0, 0), c(-Inf, -Inf), c(-1, 2), c(-1, -Inf))
  upper <- rbind(c(Inf, Inf), c(1, Inf), c(0, Inf), c(1, 3), c(-1, 0))
  truth <- apply(pnorm(upper) - pnorm(lower), 1L, prod)
  g <- function(x, y) dnorm(x) * dnorm(y)
  expect_integral(g, lower, upper, truth, c("auto", "cubature", "vegas", "lattice"), rel.tol = 1e-4)
  finite <- gintegrate(g, lower[4L, ], upper[4L, ])
  expect_equal(gintegrate(g, lower, upper)$value[4L], finite$value, tolerance = 1e-12)
})

test_that("missing limits and parameters give NaN", {
  f <- function(x, y, a) exp(-a * x^2 - y^2)
  lower <- rbind(c(NA, 0), c(-Inf, 0), c(-Inf, 0))
  for (method in c("auto", "vegas")) {
    r <- suppressWarnings(gintegrate(f, lower, Inf, params = data.frame(a = c(1, 1, NA)), method = method,
                                     rel.tol = 1e-3))
    expect_equal(is.finite(r$value), c(FALSE, TRUE, FALSE))
    expect_equal(as.character(r$status), c("not finite", "converged", "not finite"))
  }
})

test_that("parameters and limits vary together", {
  rates <- data.frame(rate = c(0.5, 1, 2, 8))
  expect_integral(function(x, y, rate) exp(-rate * (x^2 + y^2)), c(-Inf, -Inf), Inf, pi / rates$rate,
                  c("auto", "cubature", "lattice"), params = rates)
  from <- c(-1, 0, 1, 2)
  expect_integral(function(x, y, rate) exp(-rate * x) * exp(-y^2), cbind(from, -Inf), Inf,
                  sqrt(pi) * exp(-rates$rate * from) / rates$rate, c("auto", "cubature"), params = rates)
})

test_that("products of 0 and infinity far out count as 0, but other values do not", {
  expect_integral(function(x, y) exp(x) / (1 + exp(x))^2 * exp(-y^2), c(-Inf, -Inf), Inf, sqrt(pi),
                  c("auto", "cubature", "vegas", "lattice"))
  expect_integral(function(x, y) x^20 * exp(-x^2) * exp(y) * exp(-y^2), c(-Inf, -Inf), Inf,
                  gamma(10.5) * sqrt(pi) * exp(0.25), c("auto", "cubature"))
  r <- suppressWarnings(gintegrate(function(x, y) ifelse(x > 30, NaN, exp(-abs(x) - y^2)), c(-Inf, -Inf), Inf))
  expect_false(r$status == "converged")
})

test_that("divergent integrals, and integrands whose peak is not found, are not reported as converged", {
  diverging <- list(function(x, y) abs(x) / ((1 + x^2) * (1 + y^2)), function(x, y) x / ((1 + x^2) * (1 + y^2)),
                    function(x, y) 1 / (1 + x^2 + y^2), function(x, y) 1 + 0 * x * y, function(x, y) exp(x - y^2))
  for (f in diverging) for (method in c("auto", "cubature")) {
    expect_warning(r <- gintegrate(f, c(-Inf, -Inf), Inf, method = method, max.eval = 1e6, rel.tol = 1e-4))
    expect_equal(as.character(r$status), "divergent")
  }
  for (method in box_methods) {
    expect_warning(r <- gintegrate(function(x, y) exp(-((x - 1e4)^2 + (y - 3e4)^2)), c(-Inf, -Inf), Inf,
                                   method = method, rel.tol = 1e-3))
    expect_equal(as.character(r$status), "stuck")
  }
})

test_that("sampling methods take infinite limits of one axis", {
  expect_integral(dnorm, -Inf, Inf, 1, c("vegas", "lattice", "product"))
  expect_integral(function(x) 1 / (1 + x)^2, 0, Inf, 1, c("vegas", "lattice", "product"))
})

test_that("functions that R evaluates give the same values", {
  f <- function(x, y) exp(-x^2 - y^2 + x * y)
  g <- function(x, y) if (is.na(Sys.time())) 0 else f(x, y)
  for (method in c("cubature", "product")) {
    translated <- gintegrate(f, c(-Inf, 0), Inf, method = method, rel.tol = 1e-4)
    evaluated <- suppressMessages(gintegrate(g, c(-Inf, 0), Inf, method = method, rel.tol = 1e-4))
    expect_equal(evaluated$backend, "R")
    expect_equal(evaluated$value, translated$value, tolerance = 1e-12)
    expect_equal(evaluated$evaluations, translated$evaluations)
  }
})

test_that("programs with loops, branches, tables and distributions are transformed", {
  f <- function(x, y) {
    s <- 0
    for (k in 1:20) s <- s + (if (x > k / 7) exp(-x * k) else x^k / k)
    if (y > 0.5) s <- s * y
    exp(-x^2 - y^2) * s * dstable(y, 1.5, 0.3)
  }
  integrand <- gtranslate(f, dim = 2)
  p <- list(lower = list(-Inf, 0), upper = list(Inf, Inf), columns = list(), tolerance = list(max.eval = 1e6),
            integrand = integrand$program, breaks = double())
  map <- stablecl:::located(stablecl:::new_map(p), p)
  box <- stablecl:::on_finite_box(p, map)
  t <- list(seq(-0.99, 0.99, length.out = 501), seq(0, 0.99, length.out = 501))
  at <- stablecl:::transform_points(map, t)
  values <- .Call(stablecl:::C_values, integrand$program, lapply(at$x, as.double))
  expect_equal(.Call(stablecl:::C_values, box$integrand, t), values * at$rate, tolerance = 1e-12)
})

test_that("transformed integrals can be plotted", {
  r <- gintegrate(normal(2), c(-Inf, 0), Inf, rel.tol = 1e-3)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(r))
  expect_no_error(plot(r, type = "convergence"))
})

test_that("devices compute the same integrals", {
  skip_without_device()
  f <- function(x, y, z, a) exp(-a * (x^2 + y^2 - x * y)) / (1 + z^2)
  params <- data.frame(a = c(0.5, 2))
  for (method in c("cubature", "product", "vegas", "lattice", "auto")) {
    both <- lapply(c("cpu", "opencl"), function(backend) {
      suppressWarnings(gintegrate(f, c(-Inf, -Inf, 0), Inf, params = params, method = method, rel.tol = 1e-3,
                                  control = seeded(method), backend = backend))
    })
    expect_equal(both[[2L]]$backend, "opencl")
    expect_identical(both[[2L]]$status, both[[1L]]$status)
    expect_equal(both[[2L]]$value, both[[1L]]$value, tolerance = 1e-9, label = method)
  }
})

# A common location and scale would miss the peaks of some.
test_that("integrals of one call may have very different scales and correlations", {
  set.seed(4)
  p <- data.frame(r = 1 - 10^stats::runif(12, -3, -1), s = 10^stats::runif(12, -3, 3), a = stats::rnorm(12))
  normal <- function(x, y, r, s, a)
    exp(-((x - a)^2 - 2 * r * (x - a) * y / s + (y / s)^2) / (2 * (1 - r^2))) / (2 * pi * s * sqrt(1 - r^2))
  for (method in c("auto", "cubature", "vegas")) {
    tol <- if (method == "vegas") 1e-2 else 1e-5
    r <- gintegrate(normal, c(-Inf, -Inf), Inf, params = p, method = method, rel.tol = tol, control = list(seed = 1))
    expect_true(all(r$status == "converged"))
    expect_lte(max(abs(r$value - 1)), if (method == "vegas") 5e-2 else tol)
  }
  line <- gintegrate(function(x, m, s) dnorm(x, m, s), 0, Inf, params = list(m = c(1, 30, 0), s = c(1e-3, 1, 1e3)),
                     method = "vegas", rel.tol = 1e-2, control = list(seed = 1))
  expect_equal(line$value, c(1, 1, 0.5), tolerance = 0.05)
})

test_that("integrals of one call in many dimensions may have different locations and scales", {
  for (dim in c(4L, 15L)) {
    set.seed(dim)
    x <- paste0("x", seq_len(dim))
    m <- paste0("m", seq_len(dim))
    normal <- eval(parse(text = sprintf("function(%s, s) exp(-(%s) / (2 * s^2)) / (sqrt(2 * pi) * s)^%d",
                                        toString(c(x, m)), paste0("(", x, " - ", m, ")^2", collapse = " + "), dim)))
    scale <- 10^stats::runif(12, -1, 1)
    p <- data.frame(stats::setNames(lapply(m, function(name) scale * stats::runif(12, -5, 5)), m), s = scale)
    r <- gintegrate(normal, rep(-Inf, dim), Inf, params = p, rel.tol = 1e-3, control = list(seed = 1))
    expect_true(all(r$status == "converged"))
    expect_lte(max(abs(r$value - 1)), 1e-3)
    few <- suppressWarnings(gintegrate(normal, rep(-Inf, dim), Inf, params = p, max.eval = 1000, method = "lattice",
                                       control = list(seed = 1)))
    expect_lte(max(few$evaluations), 1000)
  }
})

test_that("groups of integrals keep their order, statuses and stages", {
  p <- data.frame(s = c(1, 1e-4, 1e4, 1, 1e-4), k = c(1, 1, 1, 0, 2))
  r <- suppressWarnings(gintegrate(function(x, y, s, k) k * exp(-(x^2 + y^2) / (2 * s^2)) / (2 * pi * s^2),
                                   c(-Inf, -Inf), Inf, params = p, rel.tol = 1e-5))
  expect_equal(r$value, p$k, tolerance = 1e-5)
  expect_identical(as.character(r$status), c(rep("converged", 3), "stuck", "converged"))
  expect_true(all(r$rule[p$k > 0] == "cubature"))
  alone <- gintegrate(function(x, y, s, k) k * exp(-(x^2 + y^2) / (2 * s^2)) / (2 * pi * s^2), c(-Inf, -Inf), Inf,
                      params = p[3, ], rel.tol = 1e-5)
  expect_equal(r$value[3], alone$value, tolerance = 1e-5)
  expect_gte(sum(r$evaluations), sum(r$stages))
})
