# A device that computes wrong values after its self-test: the CPU recomputes some elements of every job.

values_x <- seq(-3, 8, length.out = 300)
values_shapes <- rep(c(0.5, 1, 1.5), 20)
value_runs <- list(
  densities = function() dstable(values_x, 1.5, 0.5),
  `one density` = function() dstable(2, 1.5, 0.5),
  `log densities` = function() dstable(1:3, 1.5, 0.5, log = TRUE),
  `many densities` = function() dstable(rep(values_x, 500), 1.4, 0.5),
  `lower tails` = function() pstable(values_x, 0.7, 0.3),
  `tails of many laws` = function() pstable(1:60, values_shapes, 0.3, lower.tail = FALSE),
  quantiles = function() qstable((1:200) / 201, 1.3, -0.5),
  `quantiles of many laws` = function() qstable(0.3, values_shapes, 0.2),
  `random numbers` = function() {
    set.seed(5)
    rstable(500, 1.7, 0.2)
  },
  `random numbers of many laws` = function() {
    set.seed(5)
    rstable(60, values_shapes, 0.2)
  },
  `sums of log densities` = function() {
    stablecl:::stable_data_loglik(stablecl:::stable_data_put(rep(values_x, 40)), 1.5, 0.5)
  },
  `sums of scores` = function() {
    stablecl:::stable_data_quick(stablecl:::stable_data_put(rep(values_x, 40)), 1.5, 0.5)$gradient
  },
  `fits of many samples` = function() {
    before <- stable_threads(2)
    on.exit(stable_threads(before))
    unname(coef(stablefit(lapply(1:18, function(i) fit_sample_of(40, 1.5, 0, seed = i)),
                          fixed = list(alpha = 1.5, beta = 0, gamma = 1), control = list(tol = 1)))[, "delta"])
  })

for (name in names(value_runs)) test_that(paste("wrong values are reported as a device error:", name), {
  skip_without_device()
  on.exit({
    no_faults()
    stable_backend("default")
  })
  run <- value_runs[[name]]
  stable_backend("cpu")
  right <- run()
  stable_backend("opencl")
  dstable(1, 1.5, 0)                                      # runs the self-test
  spoil_numbers()
  expect_error(run(), "wrong results: ", class = "stablecl_error_device")
  no_faults()
  expect_close(run(), right, 1e-7)
})

test_that("under \"auto\" the CPU takes over with one warning when a device computes wrong values", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  stable_backend("opencl")
  dstable(1, 1.5, 0)
  for (name in c("densities", "quantiles of many laws", "random numbers", "sums of scores")) {
    run <- value_runs[[name]]
    stable_backend("cpu")
    right <- run()
    stable_backend("auto")
    auto_takes_any_device(10)
    spoil_numbers()
    expect_warning(y <- run(), "wrong results: ", class = "stablecl_warning_device")
    expect_identical(y, right)
    expect_no_warning(z <- run())
    expect_identical(z, right)
    no_faults()
  }
})

# Under "auto", with any device and from 10 elements on, the CPU computes the value of `code`.
expect_cpu_under_auto <- function(code) {
  on.exit(auto_as_usual())
  stable_backend("auto")
  auto_takes_any_device(10)
  expect_identical(opencl_calls_of(suppressWarnings(code)), 0)
}

# Distributions and arguments with few correct digits left in the arguments, or with special values.
test_that("ill-conditioned arguments and special values do not count as device failures", {
  skip_without_device()
  x <- c(-Inf, -1e300, -1e6, -1, -1e-300, 0, 1e-9, 1, 1e10, 1e300, Inf, NaN, NA)
  laws <- expand.grid(alpha = c(0.05, 0.5, 1 - 1e-9, 1, 1 + 1e-12, 1.5, 2), beta = c(-1, 0, 0.7), pm = 0:2)
  check <- function(alpha, beta, pm, backend) {
    local_stable_backend(backend)
    set.seed(7)
    list(dstable(x, alpha, beta, 1e-5, 1e3, pm = pm), dstable(x, alpha, beta, log = TRUE, pm = pm),
         pstable(x, alpha, beta, pm = pm), pstable(x, alpha, beta, lower.tail = FALSE, log.p = TRUE, pm = pm),
         qstable(c(0, 1e-300, 0.5, 1 - 1e-16, 1, NaN), alpha, beta, 1e9, -3, pm = pm),
         rstable(9, alpha, beta, 1e-9, 5, pm = pm))
  }
  for (i in seq_len(nrow(laws))) {
    there <- with(laws[i, ], check(alpha, beta, pm, "opencl"))
    expect_length(there, 6)
  }
  for (pm in 0:2) {
    varying <- expand.grid(x = x, alpha = unique(laws$alpha))
    there <- check(varying$alpha, 0.7, pm, "opencl")
    expect_length(there, 6)
  }
})

# Shapes of every method of evaluation, on both sides of the limits at which the search for the mode changes.
shapes_with_modes <- function() {
  set.seed(31)
  list(alpha = c(runif(50, 0.02, 2), 0.5, 0.5, 0.949, 0.95, 1, 1 + 1e-9, 0.999, 2, 1.5),
       beta = c(runif(50, -1, 1), 1, -1, 0.7, 0.2, -1, 0.5, -1, 0.4, 1e-6))
}

test_that("modes on a device agree with the CPU, for every parametrisation", {
  skip_without_device()
  s <- shapes_with_modes()
  gamma <- rep(c(0.5, 3, 1), length.out = length(s$alpha))
  for (pm in 0:2) {
    mode <- function() stable_mode(s$alpha, s$beta, gamma, 2, pm)
    here <- on_backend("cpu", mode())
    calls <- opencl_calls_of(there <- on_backend("opencl", mode()))
    expect_gt(calls, 10)
    expect_lt(max(abs(there - here) / (gamma + abs(here))), 1e-11)
  }
  expect_cpu_under_auto(mode())
  expect_warning(there <- {
    local_stable_backend("opencl")
    stable_mode(c(3, NA, 1.5, 1.5), 0.5, c(1, 1, 0, Inf), 4)
  }, "NaNs produced")
  expect_identical(there, c(NaN, NA, 4, NaN))
})

test_that("values with pm = 2 and a shape per element agree with the CPU, in any order", {
  skip_without_device()
  s <- shapes_with_modes()
  x <- rep(c(-2, 0.3, 5), length.out = length(s$alpha))
  density <- function(i) dstable(x[i], s$alpha[i], s$beta[i], 2, 1, pm = 2)
  quantile <- function(i) qstable(0.3, s$alpha[i], s$beta[i], 2, 1, pm = 2)
  random <- function(i) {
    set.seed(3)
    rstable(length(i), s$alpha[i], s$beta[i], 2, 1, pm = 2)
  }
  all <- seq_along(x)
  for (run in list(density, quantile, random)) {
    there <- on_backend("opencl", run(all))
    here <- on_backend("cpu", run(all))
    regular <- is.finite(here)
    expect_identical(is.finite(there), regular)
    expect_lt(max(abs(there - here)[regular] / (1e-300 + abs(here[regular]))), 1e-9)
  }
  many <- rep(all, 40)                                    # enough elements to be sorted by shape
  expect_identical(on_backend("opencl", density(many))[all], on_backend("opencl", density(all)))
})

test_that("scores on a device agree with the CPU, for every parametrisation and at the borders", {
  skip_without_device()
  s <- shapes_with_modes()
  x <- rep(c(-3, 0.1, 2, 40), length.out = length(s$alpha))
  compare <- function(score) {
    here <- on_backend("cpu", score())
    calls <- opencl_calls_of(there <- on_backend("opencl", score()))
    expect_gt(calls, 10)
    both <- is.finite(here) & is.finite(there)
    expect_lt(sum(both != is.finite(here)), 0.02 * length(here))    # estimates of errors decide on some NaNs
    expect_lt(max(abs(there - here)[both] / pmax(1, abs(here[both]))), 2e-9)
    expect_identical(dimnames(there), dimnames(here))
  }
  for (pm in 0:1) compare(function() stable_score(x, s$alpha, s$beta, 2, 1, pm))
  some <- c(3, 17, 40)
  compare(function() stable_score(x[some], s$alpha[some], s$beta[some], 2, 1, pm = 2))
  compare(function() stable_score(seq(-5, 5, length.out = 40), 1.5, 0.5, 2, 1, pm = 2))
  expect_cpu_under_auto(stable_score(x, s$alpha, s$beta))
  expect_warning({
    local_stable_backend("opencl")
    bad <- stable_score(c(a = 1, b = NA, c = 1, d = Inf), c(3, 1, 1, 1), 0.5)
  }, "NaNs produced")
  expect_identical(kind(unname(bad[, "x"])), c("NaN", "NA", "number", "NaN"))
  expect_identical(rownames(bad), letters[1:4])
})

test_that("stable_quick() on a device computes all elements, inside and outside the tables", {
  skip_without_device()
  x <- c(-1e5, -3, 0.1, 2, 40, 1e5, NA)
  for (law in list(c(1.5, 0.5, 0), c(0.2, 0.3, 0), c(0.2, 0.3, 1), c(1.5, 0.5, 2), c(1.7, -0.4, 1), c(2, 0, 0))) {
    quick <- function() stable_quick(x, law[1], law[2], 2, 1, law[3])
    here <- on_backend("cpu", quick())
    calls <- opencl_calls_of(there <- on_backend("opencl", quick()))
    expect_gt(calls, 10)
    expect_identical(kind(there), kind(here))
    finite <- is.finite(here)
    expect_lt(max(abs(there - here)[finite] / pmax(1, abs(here[finite]))), 1e-9)
  }
})
