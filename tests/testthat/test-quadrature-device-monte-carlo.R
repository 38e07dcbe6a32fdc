# Monte Carlo and product rules on a device.  Random numbers are counter-based: device and CPU use the same points.

on_both <- function(f, lower, upper, method, ..., control = list(), tolerance = 1e-10) {
  both <- lapply(c(device = "opencl", cpu = "cpu"), function(backend)
    unclass(suppressWarnings(gintegrate(f, lower, upper, ..., method = method, control = c(control, seed = 7),
                                        backend = backend))))
  label <- paste(method, paste(deparse(f), collapse = " "))
  expect_equal(both$device$backend, "opencl", label = label)
  expect_identical(both$device$status, both$cpu$status, label = label)
  expect_identical(both$device$evaluations, both$cpu$evaluations, label = label)
  expect_equal(both$device$value, both$cpu$value, tolerance = tolerance, label = label)
  expect_equal(both$device$abs.error, both$cpu$abs.error, tolerance = 1e-5, label = label)
  if (method == "vegas") expect_equal(both$device$chi.squared, both$cpu$chi.squared, tolerance = 1e-5, label = label)
  invisible(both$device)
}

test_that("lattices, importance maps and strata on a device are those of the CPU", {
  skip_without_device()
  table <- approxfun(seq(0, 1, by = 0.1), sin(seq(0, 3, length.out = 11)))
  jobs <- list(
    list(function(x) exp(-625 * sum((x - 0.45)^2)), rep(0, 5), 1),                         # search, refined map
    list(function(x, y, z, a) exp(-400 * (x - a)^2 - 900 * (y - 0.31)^2 - 700 * (z + 0.4)^2) +
           exp(-900 * ((x - 0.7)^2 + (y - 0.7)^2 + (z - 0.7)^2)) / 2, c(0, 0, -1), c(1, 1.5, 1),
         params = data.frame(a = c(0.2, 0.83))),                                           # both peaks are found
    list(function(x) (1 + sum((1:8) * x))^-9, rep(0, 8), 1),
    list(function(x, y, z, w) exp(w * x * y) + z, c(0, -1, 2), c(1, 2, 3), params = data.frame(w = c(0.5, 1))),
    list(function(x, y) table(x) * if (x + y > 1) y else sin(x * 1e3), c(1, 0), c(0, 1)),
    list(function(x) prod(1 + (x - 0.5) / (1:12)), rep(0, 12), 1),
    list(function(x) log(x), 0, 1),
    list(function(x, y) 1e-250 * exp(-30 * (x + y)), c(0, 0), 1))
  for (job in jobs) for (method in c("vegas", "lattice")) {
    both <- do.call(on_both, c(job, list(method = method, rel.tol = 3e-4)))
    expect_true(all(both$status == "converged"))
  }
})

test_that("a map that all axes share is the same on a device", {
  skip_without_device()
  for (method in c("vegas", "lattice")) {
    r <- on_both(function(x) exp(-625 * sum((x - 0.5)^2)), rep(0, 5), 1, method, rel.tol = 1e-3,
                 control = list(symmetric = TRUE))
    expect_true(r$status == "converged")
  }
})

test_that("grids and strata that users choose are the same on a device", {
  skip_without_device()
  for (control in list(list(iterations = 12, adjust = 4), list(iterations = 8, adjust = 0, samples.per.cube = 4),
                       list(bins = 32, samples.per.cube = 16), list(adjust = 2, symmetric = TRUE, iterations = 7)))
    on_both(function(x) exp(-60 * sum((x - 0.45)^2)), rep(0, 4), 1, "vegas", rel.tol = 1e-6, max.eval = 4e5,
            control = control)
  on_both(function(x) exp(-60 * sum((x - 0.45)^2)), rep(0, 4), 1, "lattice", rel.tol = 1e-4,
          control = list(adjust = 3, bins = 64))
})

# Captured numbers are copied to a device only if they have changed.
test_that("changed captured numbers reach the device, whatever jobs ran in between", {
  skip_without_device()
  values <- function(a, backend) {
    f <- function(x, y) exp(-a * x * y) + a
    c(gintegrate(f, c(0, 0), 1, method = "lattice", control = list(seed = 1), rel.tol = 1e-3, backend = backend)$value,
      gintegrate(f, c(0, 0), 1, method = "product", backend = backend)$value,
      gintegrate(function(x) a * x, 0, 1:3, backend = backend)$value)
  }
  for (a in c(1, 2, 2, 3, 1)) expect_equal(values(a, "opencl"), values(a, "cpu"), tolerance = 1e-10)
})

test_that("product rules on a device agree with the CPU", {
  skip_without_device()
  on_both(function(x) cos(sum((1:5) * x)), rep(0, 5), 1, "product", tolerance = 1e-12)
  on_both(function(x, y, z, w) exp(-w * x) * sin(3 * y) + z, c(0, 2, -1), c(1, 1, 3), "product",
          params = data.frame(w = c(0.5, 1, 4)))
  on_both(function(x) if (x[1] < 0.3) exp(-abs(x[2] - 0.6)) else cos(x[2]) * x[3], rep(0, 3), 1, "product",
          tolerance = 1e-12)                                                             # pieces between breaks
  r <- on_both(function(x) sin(sum(x)), rep(0, 6), rep(10, 6), "product", rel.tol = 1e-6)   # several blocks of nodes
  expect_lte(abs(r$value - Im(((exp(10i) - 1) / 1i)^6)), r$abs.error)
  r <- on_both(function(x) cos(6 * sum((1:6) * x)), rep(0, 6), 1, "product", rel.tol = 1e-9, max.eval = 4e8)
  w <- 6i * (1:6)
  expect_gt(r$evaluations, 2^24)                                 # larger shares, so that they make one batch
  expect_lte(abs(r$value - Re(prod((exp(w) - 1) / w))), r$abs.error)
})

test_that("on a device \"auto\" tries its methods in the same order", {
  skip_without_device()
  for (f in list(function(x) exp(-sum(x)), function(x) cos(20 * sum(x)), function(x) exp(-400 * sum((x - 0.4)^2)))) {
    both <- lapply(c("opencl", "cpu"), function(backend)
      suppressWarnings(gintegrate(f, rep(0, 4), 1, rel.tol = 1e-4, max.eval = 1e6, control = list(seed = 3),
                                  backend = backend)))
    label <- deparse(body(f))
    expect_equal(both[[1]]$backend, "opencl", label = label)
    expect_identical(both[[1]]$rule, both[[2]]$rule, label = label)
    expect_identical(both[[1]]$status, both[[2]]$status, label = label)
    expect_equal(both[[1]]$value, both[[2]]$value, tolerance = 1e-9, label = label)
  }
  loose <- function(f) gintegrate(f, rep(0, 5), 1, rel.tol = 1e-3, control = list(seed = 3), backend = "opencl")
  expect_equal(loose(function(x) cos(sum(x)))$rule, "product")
  expect_equal(loose(function(x) exp(-400 * sum((x - 0.4)^2)))$rule, "lattice")
  r <- gintegrate(function(x) log(x) / sqrt(x), 0, 1:50, backend = "opencl")            # "tanhsinh" after "gk"
  expect_equal(r$value, 2 * sqrt(1:50) * (log(1:50) - 2), tolerance = 1e-8)
})

test_that("subcubes that fill many blocks of points, and blocks of many subcubes, agree with the CPU", {
  skip_without_device()
  skip_on_cran()
  corner <- function(x) if (all(x < 0.05)) prod(sin(300 * x)) else 1e-6 * exp(sum(x))     # most points in few subcubes
  on_both(corner, c(0, 0, 0), 1, "vegas", rel.tol = 1e-5, max.eval = 3e6)
  on_both(function(x) cos(sum((1:5) * x)), rep(0, 5), 1, "vegas", rel.tol = 1e-5, max.eval = 4e6)
})

test_that("loops of an integrand are loops on a device", {
  skip_without_device()
  series <- function(x, k) {
    s <- 0
    p <- 1
    for (j in 1:3000) {
      p <- p * x
      s <- s + p / (j + k)
    }
    s
  }
  rows <- data.frame(k = 0:2)
  text <- .Call(stablecl:::C_source, gtranslate(series, dim = 1, params = "k")$program, FALSE)
  expect_match(text, "for \\(r[0-9]+ = 1.0;; r[0-9]+ \\+= 1.0\\)")
  r <- gintegrate(series, 0, 0.9, params = rows, method = "gk", backend = "opencl")
  expect_equal(r$backend, "opencl")
  expect_equal(r$value, gintegrate(series, 0, 0.9, params = rows, method = "gk", backend = "cpu")$value,
               tolerance = 1e-13)
  expect_equal(r$value[1], 0.9 + 0.1 * log(0.1), tolerance = 1e-12)           # the series of -log(1 - x)
  nested <- function(x, y) {
    s <- 0
    for (i in 1:40) {
      t <- x + s / 1e3
      for (j in 1:50) t <- if (t > y) sqrt(t) * exp(-t / 7) else t + 0.01
      s <- s + t / i
    }
    s
  }
  on_both(nested, c(0, 0), 1, "vegas", rel.tol = 1e-3)
})

test_that("a device reports non-finite values, and respects max.eval", {
  skip_without_device()
  for (method in c("vegas", "lattice")) {
    expect_warning(r <- gintegrate(function(x, y) sqrt(x - 0.5), c(0, 0), 1, method = method, backend = "opencl"),
                   "not finite")
    expect_true(is.nan(r$value))
    r <- on_both(function(x, y) if (x * y > 0.3) 1 else 0, c(0, 0), 1, method, rel.tol = 1e-9, max.eval = 1e5)
    expect_lte(r$evaluations, 1e5)
    expect_equal(as.character(r$status), "max.eval")
  }
})

test_that("errors on a device are within their estimates", {
  skip_without_device()
  f <- function(x) prod(1 / (0.1 + (x - 0.5)^2))
  true <- (2 * atan(0.5 / sqrt(0.1)) / sqrt(0.1))^4
  for (method in c("vegas", "lattice")) {
    z <- vapply(1:20, function(seed) {
      r <- gintegrate(f, rep(0, 4), 1, method = method, rel.tol = 1e-3, control = list(seed = seed), backend = "opencl")
      (r$value - true) / r$abs.error
    }, 0)
    expect_gte(sum(abs(z) <= 1), qbinom(1e-6, 20, 0.683), label = method)
    expect_gte(sum(abs(z) <= 3), 18, label = method)
  }
})

test_that("a device failure is an error if the device was selected by name, and the CPU takes over under \"auto\"", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  for (method in c("vegas", "lattice", "product")) {
    f <- if (method == "product") function(x) exp(sin(8 * sum(x))) else function(x) exp(sum(x) / 3)
    run <- function(backend) gintegrate(f, rep(0, 3), 1, method = method, rel.tol = 1e-4, control = list(seed = 1),
                                        backend = backend)
    cpu <- run("cpu")
    inject_faults(1, Inf)
    expect_error(run("opencl"), class = "stablecl_error_device")
    no_faults()
    stable_backend("auto")
    auto_takes_any_device(1000)
    expect_equal(run("auto")$backend, "opencl")
    inject_faults(1, Inf)
    expect_warning(r <- run("auto"), "failed", class = "stablecl_warning_device")
    expect_identical(r$value, cpu$value)
    no_faults()
  }
})
