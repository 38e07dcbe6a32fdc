# Meaning of the statuses "converged", "divergent" and "roundoff"; arguments of any kind.

quietly <- function(...) suppressMessages(suppressWarnings(gintegrate(...)))

divergent <- list(
  list(function(x) x^3, -Inf, Inf), list(function(x) x, -Inf, Inf), list(function(x) 1 + 0 * x, 0, Inf),
  list(function(x) exp(x), -Inf, Inf), list(function(x) sinh(x), -Inf, Inf), list(function(x) log(x) / x, 1, Inf),
  list(function(x) 1 / (1 + abs(x)), -Inf, Inf), list(function(x) x / (1 + x^2), 0, Inf),
  list(function(x) 1 / (x * log(x)), 2, Inf), list(function(x) x * dcauchy(x), -Inf, Inf),
  list(function(x) x * dstable(x, 0.9, 0), -Inf, Inf), list(function(x) x * dstable(x, 0.9, 0), 0, Inf),
  list(function(x) abs(x)^3 * dt(x, 3), -Inf, Inf), list(function(x) sin(x), 0, Inf), list(function(x) cos(x), 0, Inf),
  list(function(x) x * sin(x), -Inf, Inf), list(function(x) x^2 * sin(x), -Inf, Inf),
  list(function(x) 1 / x, 0, 1), list(function(x) 1 / x, -1, 1), list(function(x) x^-1.5, 0, 1),
  list(function(x) 1 / (x - 0.3), 0, 1), list(function(x) 1 / (x - 0.5), 0, 1),
  list(function(x) 1 / (x - 3)^2, -Inf, Inf),
  list(function(x) 1 / (1 - x), 0, 1), list(function(x) tan(x), 0, pi / 2))

convergent <- list(
  list(function(x) x^-0.5, 0, 1), list(function(x) x^-0.99, 0, 1), list(function(x) log(x), 0, 1),
  list(function(x) (1 - x)^-0.9, 0, 1), list(function(x) dbeta(x, 0.02, 0.02), 0, 1),
  list(function(x) exp(-x) * x^-0.9, 0, Inf), list(function(x) x * dstable(x, 1.2, 0), 0, Inf),
  list(function(x) abs(x) * dstable(x, 1.01, 0), -Inf, Inf), list(function(x) dt(x, 1), -Inf, Inf),
  list(function(x) x^-1.01, 1, Inf), list(function(x) 1 / (x * log(x)^2), 2, Inf), list(function(x) sin(x) / x, 0, Inf),
  list(function(x) sin(x^2), 0, Inf), list(function(x) sin(x) / (1 + x / 1000)^2, 0, Inf),
  list(function(x) x * exp(-x / 1e10), 0, Inf), list(function(x) dnorm(x, 0, 1e100), -Inf, Inf),
  list(function(x) abs(x - 1 / 3)^-0.9, 0, 1), list(function(x) sin(100 / x), 0, 1),
  list(function(x) (1 / x^2)^0.25, 0, 1), list(function(x) 1 / (1e-20 + x^2), -1, 1))

text_of <- function(one) paste(deparse(body(one[[1L]])), one[[2L]], one[[3L]])

test_that("divergent integrals are reported as divergent, and convergent ones never", {
  for (method in c("auto", "tanhsinh")) {
    for (one in divergent) {
      r <- quietly(one[[1L]], one[[2L]], one[[3L]], method = method)
      expect_equal(as.character(r$status), "divergent", label = paste(method, text_of(one)))
      expect_true(is.nan(r$value) && r$abs.error == Inf)
    }
    for (one in convergent)
      expect_false(quietly(one[[1L]], one[[2L]], one[[3L]], method = method)$status == "divergent",
                   label = paste(method, text_of(one)))
  }
})

test_that("exponents next to -1 are distinguished at any point, and singularities at rounded points are recognised", {
  f <- function(x, p, c) abs(x - c)^-p
  status <- function(lower, upper, c, p) {
    unique(as.character(quietly(f, lower, upper, params = data.frame(p = p, c = c))$status))
  }
  below <- c(0.9, 0.99, 0.995, 0.998, 0.999, 0.9995)
  for (c in c(0, 1, 0.3, 0.5, 1 / pi, 0.123456)) {
    expect_false("divergent" %in% status(0, 1, c, below), label = paste("inside", c))
    expect_equal(status(0, 1, c, c(1, 1.0005, 1.001, 1.01, 1.3)), "divergent", label = paste("inside", c))
  }
  for (c in c(1e6, -3, 1e-5, 1e300)) {
    upper <- c + max(abs(c), 1)
    expect_false("divergent" %in% status(c, upper, c, below), label = c)
    expect_equal(status(c, upper, c, c(1, 1.0005, 1.001, 1.01)), "divergent", label = c)
  }
  k <- 1:40
  poles <- list(list(function(x, k) 1 / sin(x), k * pi, k * pi + 1),
                list(function(x, k) 1 / cos(x), k * pi, (k + 0.5) * pi),
                list(function(x, k) tan(x), (k + 0.3) * pi, (k + 0.5) * pi),
                list(function(x, k) 1 / (exp(x) - k - 1), log(k + 1), log(k + 1) + 1),
                list(function(x, k) 1 / (x^2 - k), sqrt(k), 9), list(function(x, k) 1 / (x^2 - k), 0, sqrt(k)),
                list(function(x, k) 1 / (x^2 - k), 0, 9))
  for (one in poles) {
    r <- quietly(one[[1L]], one[[2L]], one[[3L]], params = data.frame(k))
    expect_true(all(r$status == "divergent"), label = paste(text_of(list(one[[1L]], "", "")),
                                                            toString(k[r$status != "divergent"])))
  }
})

test_that("no other method reports a divergent integral as converged", {
  finite <- Filter(function(one) is.finite(one[[2L]]) && is.finite(one[[3L]]), divergent)
  for (one in finite) for (method in c("gk", "simpson", "forward", "blockcut", "vegas", "lattice", "product")) {
    r <- quietly(one[[1L]], one[[2L]], one[[3L]], method = method, rel.tol = 1e-2, max.eval = 1e5)
    expect_false(r$status == "converged", label = paste(method, text_of(one)))
  }
})

test_that("methods that sample report an infinite integral of |f|, which other methods do not require to be finite", {
  once <- list(list(function(x) cos(x) / sqrt(x), 0, Inf), list(function(x) sin(x^2), 0, Inf),
               list(function(x) cos(x^3), -Inf, Inf), list(function(x) sin(1 / x) / x^1.5, 0, 1))
  always <- list(list(function(x) sin(x) / x^2, 1, Inf), list(function(x) sin(1 / x), 0, 1),
                 list(function(x) cos(x) * dcauchy(x), -Inf, Inf), list(function(x) cos(x) * exp(-x), 0, Inf))
  status <- function(one, method) {
    as.character(quietly(one[[1L]], one[[2L]], one[[3L]], method = method, rel.tol = 1e-3,
                         control = list(seed = 1))$status)
  }
  for (method in c("vegas", "lattice")) {
    for (one in once) expect_equal(status(one, method), "divergent", label = paste(method, text_of(one)))
    for (one in always) expect_equal(status(one, method), "converged", label = paste(method, text_of(one)))
  }
  for (one in once) expect_false(status(one, "gk") == "divergent", label = text_of(one))
})

test_that("divergent integrals over boxes are reported", {
  for (f in list(function(x, y) 1 / (x * y), function(x, y) 1 / (x^2 + y^2), function(x, y) 1 / x)) {
    for (method in c("cubature", "vegas", "lattice"))
      expect_equal(as.character(quietly(f, c(0, 0), 1, method = method, rel.tol = 1e-3, max.eval = 2e5)$status),
                   "divergent", label = method)
  }
  for (f in list(function(x, y) (x * y)^-0.5, function(x, y) 1 / sqrt(x^2 + y^2)))
    expect_false(quietly(f, c(0, 0), 1, rel.tol = 1e-3, max.eval = 2e5)$status == "divergent")
})

test_that("divergence gives one warning or an error, also in batches and for functions without translation", {
  f <- function(x, p) x^p
  expect_warning(r <- gintegrate(f, 0, 1, params = data.frame(p = c(-0.5, -1, -2, 0, -0.8))), "2 divergent",
                 class = "gintegrate_warning_status")
  expect_equal(as.character(r$status), c("converged", "divergent", "divergent", "converged", "converged"))
  expect_error(gintegrate(f, 0, 1, p = -1, stop.on.error = TRUE), class = "stablecl_error_integral")
  expect_match(format(r)[2L], "divergent", fixed = TRUE)
  expect_equal(summary(r)$status[["divergent"]], 2L)
  expect_equal(as.character(as.data.frame(r)$status[2L]), "divergent")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(r))
  opaque <- function(x) as.numeric(format(1 / x, digits = 17))
  expect_equal(as.character(quietly(opaque, 0, 1)$status), "divergent")
})

test_that("an error above the tolerance gives the status roundoff, not converged", {
  expect_warning(r <- gintegrate(function(x) sin(x), -pi, pi), "1 roundoff")
  expect_equal(as.character(r$status), "roundoff")
  expect_silent(r <- gintegrate(function(x) sin(x), -pi, pi, abs.tol = 1e-12))
  expect_equal(as.character(r$status), "converged")
  expect_silent(r <- gintegrate(function(x) exp(x), 0, 1, rel.tol = 1e-16, method = "gk"))
  expect_equal(as.character(r$status), "roundoff")
  p <- data.frame(p = seq(0, 3, by = 0.25))
  for (method in c("gk", "tanhsinh", "simpson", "vegas", "lattice", "product")) {
    r <- quietly(function(x, p) sin(3 * x)^3 * exp(p * x), -1, 1, params = p, method = method, rel.tol = 1e-6,
                 max.eval = 1e5)
    good <- r$status == "converged"
    expect_true(all(r$abs.error[good] <= 1e-6 * abs(r$value[good])), label = method)
  }
})

test_that("a vector in `...` that gives several values per point is an error", {
  for (f in list(function(x, a) x * a, function(x, a) besselJ(x, a), function(x, a) dnorm(x, a))) {
    expect_error(gintegrate(f, 0, 1, a = c(1, 3)), "params = data.frame(a", fixed = TRUE,
                 class = "stablecl_error_argument")
    expect_error(gintegrate(f, 0, 1, a = 1:21 + 0), "params = data.frame(a", fixed = TRUE)
  }
  b <- c(1, 3)
  expect_error(gintegrate(function(x) x * b, 0, 1), "one number at each point", class = "stablecl_error_argument")
  expect_equal(gintegrate(function(x, w) sum(w * x), 0, 1, w = c(1, 3))$value, 2)
  expect_equal(gintegrate(function(x, w) w[1] + w[2] * x, 0, 1, w = c(1, 3))$value, 2.5)
  r <- suppressMessages(gintegrate(function(x, p) besselJ(x, 0.3) * sum(p * c(1, x)), 0, 1, p = c(1, 3)))
  expect_equal(r$value, integrate(function(x) besselJ(x, 0.3) * (1 + 3 * x), 0, 1)$value, tolerance = 1e-6)
})

test_that("arguments of any kind are accepted or rejected with a classed error", {
  f <- function(x) exp(-x^2)
  strange <- list(NULL, list(), list(1, 2), NA, NA_real_, NaN, "zzz", character(), factor("gk"), Sys.Date(),
                  matrix(1:4, 2), 1i, mean, c(1, 2, 3), numeric(), Inf, -Inf, -1, 1e300, quote(x + y),
                  data.frame(a = 1:2), as.raw(1), 2^31)
  for (name in c("lower", "upper", "params", "method", "rel.tol", "abs.tol", "max.eval", "breaks", "dim",
                 "stop.on.error", "fallback", "subdivisions", "symmetric", "seed", "h_min", "h_max", "expand",
                 "variant", "cells", "backend")) {
    for (method in c("gk", "forward", "blockcut")) for (value in strange) {
      arguments <- list(f, lower = 0, upper = 1, method = method)
      arguments[name] <- list(value)
      r <- tryCatch(suppressWarnings(do.call(gintegrate, arguments, quote = TRUE)), error = identity)
      expect_true(inherits(r, c("gintegral", "stablecl_error")),
                  label = paste(method, name, toString(deparse(value)), conditionMessage(simpleError(class(r)[1L]))))
    }
  }
  expect_error(gintegrate(f, 0, 1, dim = c(1, 2, 3)), "must be from 1 to 100, not c(1, 2, 3)", fixed = TRUE)
  expect_error(gintegrate(function(x, a) x * a, 0, 1, params = data.frame(a = I(matrix(1:4, 2)))),
               "must be a vector of numbers", class = "stablecl_error_argument")
  r <- gintegrate(f, 0, 1:3)
  expect_error(print(r, digits = "a"), "`digits`", class = "stablecl_error_argument")
  expect_error(as.data.frame(r, inputs = NA), "`inputs`", class = "stablecl_error_argument")
  expect_error(as.data.frame(r, row.names = "a"), "3 different names", class = "stablecl_error_argument")
  expect_error(r["a"], class = "stablecl_error_argument")
})

test_that("the screening for divergence in compiled code agrees with that in R", {
  functions <- list(function(x, k) x^k, function(x, k) exp(-abs(x)^k), function(x, k) 1 / (1 + abs(x)^(1 + k)),
                    function(x, k) abs(x - 0.5)^k, function(x, k) sin(k * x) / x, function(x, k) 0 * x + k)
  limits <- list(c(0, 1), c(0, Inf), c(-Inf, Inf), c(1, 0), c(-Inf, 2), c(0.3, 0.3), c(1e300, 1.5e300))
  k <- seq(-2, 2, length.out = 40)
  number <- stablecl:::status_number
  converged <- list(status = rep(0L, 40), value = rep(1, 40), error = rep(0, 40), evaluations = rep(21, 40))
  mixed <- list(status = vapply(rep_len(c("converged", "stuck", "coarse", "roundoff"), 40), number, 0L),
                value = rep(1, 40), error = rep_len(c(1e-6, 1e-6, 1e-6, 1e-6, 1), 40),
                evaluations = rep_len(c(21, 42, 1e6), 40))
  doubtful <- 0
  for (f in functions) for (ends in limits) for (breaks in list(NULL, c(0.25, 0.5, 3))) {
    p <- list(integrand = gtranslate(f, params = "k")$program, lower = list(ends[1]), upper = list(ends[2]),
              columns = list(k = k), breaks = breaks)
    compiled <- stablecl:::rows_to_examine(converged, p, 0)
    in_r <- stablecl:::are_doubtful(p, seq_along(k))
    expect_identical(compiled, as.double(which(in_r)))
    always <- mixed$status == number("stuck") |
      mixed$status == number("roundoff") & (mixed$error > 0.01 | mixed$evaluations > 1e5)
    screened <- mixed$status == number("converged") & mixed$evaluations > 40 | mixed$status == number("roundoff")
    expect_identical(stablecl:::rows_to_examine(mixed, p, 40), as.double(which(always | screened & in_r)))
    doubtful <- doubtful + length(compiled)
  }
  expect_gt(doubtful, 500)
})

test_that("peaks that all points miss are found at the zeros of linear functions", {
  m <- c(0, 1e8, -1e4, 1e6)
  s <- c(1, 10, 0.1, 10)
  far <- gintegrate(function(x, m, s) dnorm(x, m, s), -Inf, Inf, params = data.frame(m = m, s = s))
  expect_true(all(far$status == "converged"))
  expect_lte(max(abs(far$value - 1)), 1e-7)
  back <- gintegrate(function(x) dnorm(2 * x - 0.6, 0, 1e-7) + 3 * dnorm(x, 0.61, 1e-7), 1, 0, rel.tol = 1e-6)
  expect_equal(back$value, -3.5, tolerance = 1e-6)
  expect_lte(abs(back$value + 3.5), back$abs.error)
  expect_equal(gintegrate(function(x) cos(x) * dnorm(x, 1e5), -Inf, Inf)$value, cos(1e5) * exp(-0.5), tolerance = 1e-8)
  loop <- function(x) {
    s <- 0
    for (k in 1:3) s <- s + ifelse(x > 0, dnorm(x, k * 1e5), 0)
    s
  }
  expect_equal(gintegrate(loop, -Inf, Inf)$value, 3, tolerance = 1e-8)
  # a single point contributes nothing, products of Inf and 0 are no values, and rounding is not hidden
  point <- gintegrate(function(x) as.numeric(x - 0.51 == 0), 0, 1)
  expect_identical(c(point$value, point$abs.error), c(0, 0))
  expect_equal(gintegrate(function(x) x^2 * dnorm(x, 1e5), -Inf, Inf)$value, 1e10 + 1, tolerance = 1e-10)
  expect_warning(steep <- gintegrate(function(x) dnorm(x, 0.3, 1e-14), 0, 1), "roundoff")
  expect_lte(abs(steep$value - 1), steep$abs.error)
})

test_that("boxes and triangles that all points miss are found at comparisons and between them", {
  for (f in c(function(x) (x > 300) * (x < 301), function(x) ifelse(x >= 1e5 & x <= 1e5 + 1, 1, 0),
              function(x) if (x > 1e6 && x < 1e6 + 2) 0.5 else 0, function(x) pmax(1 - abs(x - 5e6), 0),
              function(x) ifelse(x < 1e6, 0, ifelse(x < 1e6 + 1, x - 1e6, ifelse(x < 1e6 + 2, 1e6 + 2 - x, 0))),
              function(x) (x > 1e6) * pmin(1, exp(-(x - 1e6))))) {
    r <- gintegrate(f, 0, 1e9)
    expect_lte(abs(r$value - 1), 1e-8)
    expect_equal(as.character(r$status), "converged")
  }
  p <- data.frame(a = c(1e3, 1e5, 0.2, 1e7), b = c(1002, 1e5 + 1, 0.3, 1e7 + 3))
  r <- gintegrate(function(x, a, b) (x > a) * (x < b), 0, Inf, params = p)
  expect_equal(r$value, p$b - p$a, tolerance = 1e-8)
  expect_identical(gintegrate(function(x) (x > 5) * (x < 3), 0, 10)$value, 0)
})

test_that("the results of many integrals with missed peaks do not depend on the others", {
  m <- seq(1e6, 2e6, length.out = 300)                    # more than are examined at a time
  f <- function(x, m) dnorm(x, m)
  all <- gintegrate(f, -Inf, Inf, params = list(m = m))
  alone <- lapply(m[c(1, 256, 257, 300)], function(m) gintegrate(f, -Inf, Inf, params = list(m = m)))
  for (part in c("value", "abs.error", "evaluations"))
    expect_identical(all[[part]][c(1, 256, 257, 300)], vapply(alone, `[[`, 0, part), label = part)
})
