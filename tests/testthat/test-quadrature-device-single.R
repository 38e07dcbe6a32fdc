# Integrals over boxes whose integrand a device evaluates in single precision.

in_precision <- function(f, lower, upper, precision, ..., method = "lattice", rel.tol = 1e-3, backend = "opencl",
                         seed = 11, control = list())
  suppressWarnings(gintegrate(f, lower, upper, ..., method = method, rel.tol = rel.tol, backend = backend,
                              control = c(control, list(seed = seed, precision = precision))))

# Both precisions, with the integral of |f|.
in_both <- function(f, lower, upper, ...) {
  size <- f
  body(size) <- call("abs", body(f))
  list(single = in_precision(f, lower, upper, "single", ...), double = in_precision(f, lower, upper, "double", ...),
       size = in_precision(size, lower, upper, "double", ...)$value)
}

# Genz's families, with the difficulty divided among d axes.
genz <- function(d) {
  a <- (seq_len(d) + 2) / (d + 2)
  u <- 0.2 + 0.6 * (seq_len(d) * 0.618) %% 1
  list(
    oscillatory = function(x) cos(2 * pi * 0.3 + sum(a * x)),
    product = function(x) prod(1 / (a^-2 + (x - u)^2)),
    corner = function(x) (1 + sum(a * x))^-(d + 1),
    gaussian = function(x) exp(-sum((4 * a * (x - u))^2)),
    continuous = function(x) exp(-sum(2 * a * abs(x - u))),
    discontinuous = function(x) if (x[1] > u[1] | x[2] > u[2]) 0 else exp(sum(a * x)))
}

test_that("lattices in single precision agree with those in double precision within 1e-6 and the stated errors", {
  skip_without_device()
  for (d in c(3, 8)) {
    families <- genz(d)
    for (name in names(families)) {
      both <- in_both(families[[name]], rep(0, d), 1)
      label <- paste(name, "in", d, "dimensions")
      expect_equal(both$single$backend, "opencl", label = label)
      apart <- abs(both$single$value - both$double$value)
      expect_lte(apart, 1e-6 * both$size, label = label)
      expect_lte(apart, 3 * both$single$abs.error, label = label)
      expect_gte(both$single$abs.error, 1e-7 * both$size, label = label)
    }
  }
})

test_that("limits, parameters, infinite ranges and refined maps are those of double precision", {
  skip_without_device()
  jobs <- list(
    list(function(x, y, w) exp(w * x * y) + 1, c(-1, 2), c(2, 0), params = data.frame(w = c(0.5, 1, -2))),
    list(function(x, y) exp(-x^2 - y^2 / 2), c(-Inf, 0), c(Inf, Inf)),
    list(function(x) exp(-625 * sum((x - 0.45)^2)), rep(0, 5), 1),
    list(function(x, y) 1 / sqrt((1 - x) * y), c(0, 0), 1),
    list(function(x, y) (x %% 0.25) * (y > 0.3) + pmin(x, y)^1.5 + atan2(x, y) + tanh(x - y), c(0, 0), 1))
  for (job in jobs) {
    both <- do.call(in_both, job)
    label <- paste(deparse(job[[1]]), collapse = " ")
    expect_true(all(abs(both$single$value - both$double$value) <= 3 * both$single$abs.error + 1e-6 * both$size),
                label = label)
  }
})

test_that("the error includes rounding, whose tolerance cannot be met", {
  skip_without_device()
  f <- function(x, y) sin(1e4 * x) + y             # the angle is rounded by up to 5e-4
  both <- in_both(f, c(0, 0), 1)
  expect_gt(both$single$abs.error, 1e-7 * both$size)
  expect_lte(abs(both$single$value - both$double$value), 3 * both$single$abs.error)
  for (method in c("vegas", "lattice")) {
    exact <- in_precision(function(x, y) 1 + x * y, c(0, 0), 1, "single", method = method, rel.tol = 1e-9)
    expect_equal(as.character(exact$status), "roundoff", label = method)
    expect_lt(abs(exact$value - 1.25), 1e-6, label = method)
  }
})

test_that("strata in single precision agree with those in double precision, at equal samples within 1e-6", {
  skip_without_device()
  families <- genz(4)
  same <- NULL
  for (name in names(families)) {
    both <- Map(function(precision, backend) in_precision(families[[name]], rep(0, 4), 1, precision, method = "vegas",
                                                          max.eval = 5e5, backend = backend),
                c(single = "single", double = "double"), c("opencl", "cpu"))
    expect_equal(both$single$backend, "opencl", label = name)
    apart <- abs(both$single$value - both$double$value)
    size <- abs(both$double$value)
    expect_gt(apart, 0, label = name)
    is_equal <- both$single$evaluations == both$double$evaluations     # unless observed variances have differed
    expect_lte(apart, if (is_equal) 1e-6 * size else both$single$abs.error, label = name)
    expect_gte(both$single$abs.error, 1e-7 * size, label = name)
    expect_lte(both$single$abs.error, 1.2 * both$double$abs.error + 1e-6 * size, label = name)
    same <- c(same, is_equal)
  }
  expect_gte(sum(same), 4)
})

test_that("errors of strata in single precision hold next to singularities and for narrow peaks", {
  skip_without_device()
  jobs <- list(list(function(x) 1 / sqrt(1 - x), 0, 2), list(function(x) -log(1 - x), 0, 1),
               list(function(x, y) 1 / sqrt((1 - x) * y), c(0, 0), 4),
               list(function(x, y) exp(-1e6 * ((x - 0.7)^2 + (y - 0.7)^2)), c(0, 0), pi / 1e6),
               list(function(x, y) sin(2 * pi * x) * cos(y) + 1e-3, c(0, 0), 1e-3))
  for (job in jobs) for (seed in 1:3) {
    found <- in_precision(job[[1]], job[[2]], 1, "single", method = "vegas", max.eval = 5e5, seed = seed)
    label <- paste(deparse(job[[1]]), collapse = " ")
    expect_lte(abs(found$value - job[[3]]), 3 * found$abs.error, label = label)
    expect_lte(found$abs.error, 0.02 * job[[3]], label = label)
  }
})

test_that("devices without double precision integrate in single precision, and the text contains no double", {
  skip_without_device()
  f <- function(x) exp(-25 * sum((x - 0.4)^2)) + if (x[1] > 0.5) sin(x[2]) else 0
  for (method in c("vegas", "lattice")) {
    right <- in_precision(f, rep(0, 4), 1, "single", method = method)
    without_double({
      count_calls()
      found <- in_precision(f, rep(0, 4), 1, "single", method = method)
      launched <- kernels_launched()
      no_faults()
      refused <- tryCatch(in_precision(f, rep(0, 4), 1, "double", method = method), error = identity)
    })
    expect_gt(launched[1], 2, label = method)
    expect_identical(found$value, right$value, label = method)
    expect_s3_class(refused, "stablecl_error_unsupported")
  }
  text <- .Call(stablecl:::C_source, gtranslate(function(x) if (x > 1/3) exp(x) else x, dim = 1)$program, TRUE)
  expect_match(text, "float integrand(const float *x, POOL pool, __global const float *table)", fixed = TRUE)
  expect_no_match(text, "double")
})

test_that("values beyond the range of single precision are errors or correct, never infinite or 0", {
  skip_without_device()
  unsupported <- function(f, ...) for (method in c("vegas", "lattice")) {
    failure <- tryCatch(in_precision(f, c(0, 0), 1, "single", method = method, ...), error = identity)
    expect_s3_class(failure, "stablecl_error_unsupported")
    expect_match(conditionMessage(failure), "use precision = \"double\"", fixed = TRUE)
  }
  unsupported(function(x, y) 1e40 * exp(x * y))
  unsupported(function(x, y) exp(100 * x * y + 20))
  unsupported(function(x, y) exp(-100 - x * y))
  unsupported(function(x, y, k) exp(x * y) * k / k, params = data.frame(k = 1e-42))
  f <- function(x, y, k) exp(k - x * y)
  levels <- data.frame(k = c(-80, 0, 80))
  for (method in c("vegas", "lattice"))
    expect_equal(in_precision(f, c(0, 0), 1, "single", params = levels, method = method)$value,
                 in_precision(f, c(0, 0), 1, "double", params = levels, method = method)$value, tolerance = 1e-6)
  unsupported(f, params = data.frame(k = c(0, -120)))     # the program has been verified for other parameters
  unsupported(f, params = data.frame(k = c(0, 89)))
})

test_that("\"auto\" leaves integrals that need double precision to the CPU, with its errors", {
  skip_without_device()
  f <- function(x, y, k) exp(k - x * y)
  levels <- data.frame(k = c(0, -120))
  jobs <- list(list(f, c(0, 0), 1, params = levels), list(function(x, y) sin(1e7 * x) + 0 * y, c(0, 0), 1))
  for (job in jobs) for (method in c("vegas", "lattice")) {
    right <- do.call(in_precision, c(job, list("single", method = method, backend = "cpu", max.eval = 2e5)))
    auto_takes_any_device(0)
    found <- do.call(in_precision, c(job, list("single", method = method, backend = "auto", max.eval = 2e5)))
    auto_as_usual()
    expect_identical(right$backend, "threads", label = method)
    expect_identical(found$status, right$status, label = method)
    expect_equal(found$value, right$value, tolerance = 1e-6, label = method)
    expect_equal(found$abs.error, right$abs.error, tolerance = 0.1, label = method)
  }
})

test_that("functions without single precision, other methods and other values are errors", {
  skip_without_device()
  table <- approxfun(0:1, 1:2)
  for (f in list(function(x, y) besselJ(x, 0) * y, function(x, y) pgamma(x, 2) * y, function(x, y) table(x) * y,
                 function(x, y) dstable(x, 1.5, 0) * y)) {
    failure <- tryCatch(in_precision(f, c(0, 0), 1, "single"), error = identity)
    expect_s3_class(failure, "stablecl_error_unsupported")
    expect_match(conditionMessage(failure), "single precision; use precision = \"double\"", fixed = TRUE)
    expect_identical(in_precision(f, c(0, 0), 1, "single", backend = "cpu")$value,
                     in_precision(f, c(0, 0), 1, "double", backend = "cpu")$value)
  }
  for (method in c("auto", "cubature", "product"))
    expect_error(gintegrate(function(x, y) x * y, c(0, 0), 1, method = method, control = list(precision = "single")),
                 "requires method \"vegas\" or \"lattice\"", class = "stablecl_error_argument")
  expect_error(gintegrate(function(x, y) x * y, c(0, 0), 1, method = "lattice", control = list(precision = "half")),
               "`precision` must be one of", class = "stablecl_error_argument")
})
