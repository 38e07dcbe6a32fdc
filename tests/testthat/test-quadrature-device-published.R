# Forward quadrature and block-cutting use the same steps and regions on a device and the CPU; values agree up to
# rounding.

# Returns the largest difference relative to the CPU, less what is allowed; equal and missing values do not differ.
apart <- function(device, cpu, allowed = 0) {
  d <- (abs(device - cpu) - allowed) / pmax(abs(cpu), 1e-300)
  d[(is.na(device) & is.na(cpu)) | device == cpu] <- 0
  max(d)
}

expect_both_same <- function(f, lower, upper, ..., method) {
  both <- suppressWarnings(lapply(c(device = "opencl", cpu = "cpu"), function(backend) {
    set.seed(11)                                        # for random expansion
    r <- gintegrate(f, lower, upper, ..., method = method, backend = backend)
    expect_equal(r$backend, if (backend == "cpu") "threads" else "opencl")
    unclass(r)
  }))
  label <- paste(deparse(f), collapse = " ")
  # where steps are far too long for a peak, each step amplifies the rounding errors of the previous one
  expect_same_integrals(both$device, both$cpu, Inf, label)
  error <- ifelse(is.finite(both$cpu$abs.error), both$cpu$abs.error, 0)
  expect_lte(apart(both$device$value, both$cpu$value, 1e-9 * error), 1e-12, label = label)
  for (part in intersect(c("abs.error", "bound"), names(both$cpu)))
    expect_lte(apart(both$device[[part]], both$cpu[[part]]), 1e-9, label = paste(part, "of", label))
  invisible(both$device)
}

forward <- function(...) expect_both_same(..., method = "forward")
cut <- function(...) expect_both_same(..., method = "blockcut")
statuses <- function(r) as.character(r$status)

test_that("forward quadrature along one axis takes the same steps as on the CPU", {
  skip_without_device()
  f <- function(x, k, s) exp(-((x - s) / k)^2) / (1 + x)
  set.seed(2)
  many <- data.frame(k = runif(5000, 0.005, 0.5), s = runif(5000))
  forward(f, 0, seq(0.5, 2, length.out = 5000), params = many)
  forward(f, 0, 1, params = many[1:200, ], control = list(h_min = 1e-4))
  forward(f, 0, 1, params = many[1:200, ], control = list(h_max = 0.2))
  forward(f, 0, 1, params = many[1:200, ], control = list(h_min = 1e-3, h_max = 1e-2), rel.tol = 1e-3)
  forward(f, 0, Inf, params = many[1:200, ], breaks = c(0.2, 0.9))
  expect_equal(statuses(forward(f, c(0, 1, 1, NA, 0), c(1, 0, 1, 1, 1), params = data.frame(k = 0.3, s = c(1:4, NA)),
                                rel.tol = 0.2)),
               c("converged", "coarse", "converged", "not finite", "not finite"))
  expect_equal(statuses(forward(f, 0, 1, k = 0.1, s = 0.5, control = list(h_max = 1e-4), max.eval = 1000)), "max.eval")
})

test_that("forward quadrature handles singular ends, jumps, half-lines and zeros as on the CPU", {
  skip_without_device()
  expect_equal(statuses(forward(function(x) sqrt(x), c(0, -1, -2), c(1, 1, -1))),
               c("coarse", "not finite", "not finite"))
  forward(function(x) log(x), 0, 1:3, control = list(h_min = 1e-4, h_max = 1e-2))
  # 0 times Inf in the tail
  forward(function(x) exp(x) * dnorm(x), c(0, -Inf, Inf), c(Inf, 1, -Inf), control = list(h_max = 0.01))
  slab <- function(x, w) if (abs(x - 0.311) < w) 1 else 0
  # zero in all first steps; w = 0.002 is found with 64 times smaller steps, w = 1e-9 is not
  r <- forward(slab, 0, 1, params = data.frame(w = c(0.1, 0.002, 1e-9)))
  expect_equal(r$value > 0, c(TRUE, TRUE, FALSE))
  forward(slab, 0, 1, w = 0.1, breaks = c(0.211, 0.411))
})

test_that("nested forward quadrature agrees with the CPU (Fubini's theorem)", {
  skip_without_device()
  pixels <- expand.grid(a = (1:20) / 20, b = (1:20) / 20)
  bell <- function(x, y, a, b) exp(-((x - a)^2 + (y - b)^2) / 0.02)
  forward(bell, c(0, 0), 1, params = pixels, rel.tol = 1e-2)
  forward(bell, c(0, 0), c(1, 2), a = 0.3, b = 0.7, control = list(h_min = 1e-3, h_max = 0.02))
  limits <- cbind(c(0, 1, 0, 0, NA), c(0, 0, 1, 2, 0))
  expect_equal(statuses(forward(bell, limits, 1, a = 0.5, b = 0.4)),
               c("coarse", "converged", "converged", "coarse", "not finite"))
  edge <- function(x, y, z, c) if (x + y * z < c) exp(-x * y) * sin(3 * z) else 0
  forward(edge, c(0, 1, 0), c(2, 0, 3), params = data.frame(c = c(0.1, 1.2, 99)))
  # the evaluations are used up along the first axis, in inner integrals along the second or third, or not at all
  few <- lapply(c(20, 100, 1200, 4e3, 1e6), function(most) {
    forward(edge, c(0, 1, 0), c(2, 0, 3), c = 2, max.eval = most, rel.tol = 0.9)
  })
  expect_equal(vapply(few, statuses, ""), rep(c("max.eval", "converged"), c(4, 1)))
  expect_length(unique(vapply(few, `[[`, 0, "evaluations")), 4)
  # more integrals are computed by one work item each
  for (most in c(20, 1200, 1e6))
    forward(edge, c(0, 1, 0), c(2, 0, 3), params = data.frame(c = c(2, seq(0.1, 3, length.out = 8))), max.eval = most)
  expect_equal(statuses(forward(function(x, y) sqrt(x - y), c(0, 0), c(1, 0.6))), "not finite")
  forward(function(x) exp(-sum(x^2)), rep(0, 5), 1, control = list(h_min = 0.2, h_max = 0.5))
})

test_that("the blocks of a range are stepped through as on the CPU, in one dimension and in several", {
  skip_without_device()
  blocks <- function(count) list(blocks = count)
  f <- function(x, k, s) exp(-((x - s) / k)^2) / (1 + x)
  set.seed(3)
  many <- data.frame(k = runif(20, 0.005, 0.5), s = runif(20))
  for (n in c(1, 7, 20)) {                              # the last ones by one work item each
    forward(f, 0, 1:n, params = many[seq_len(n), ], control = blocks(50))
    forward(f, -1, Inf, params = many[seq_len(n), ], control = blocks(9), breaks = c(0.2, 0.9))
  }
  forward(function(x) log(x), 0, 1:3, control = list(h_min = 1e-4, h_max = 1e-2, blocks = 10))
  expect_equal(statuses(forward(function(x) sqrt(x), -1, 1, control = blocks(4))), "not finite")
  expect_equal(statuses(forward(f, 0, 1, k = 0.1, s = 0.5, control = list(h_max = 1e-4, blocks = 8), max.eval = 1000)),
               "max.eval")
  bell <- function(x, y, a, b) exp(-((x - a)^2 + (y - b)^2) / 0.02)
  for (n in c(2, 11))
    forward(bell, c(0, 0), c(1, 2), params = data.frame(a = (1:n) / n, b = 0.7),
            control = list(h_min = 1e-3, blocks = 6))
})

test_that("a device steps through all lines along an axis in a few launches", {
  skip_without_device()
  on.exit(no_faults())
  f <- function(x, y, z) exp(-x * y) * sin(3 * z)
  nested <- function(h_max = 0.2, blocks = 1)
    suppressWarnings(gintegrate(f, c(0, 0, 0), 1, method = "forward", backend = "opencl",
                                control = list(h_min = h_max / 5, h_max = h_max, blocks = blocks)))
  nested()
  coarse <- opencl_calls_of(few <- nested())
  fine <- opencl_calls_of(many <- nested(0.02))
  expect_gt(many$evaluations, 200 * few$evaluations)    # 81 times as many lines along the last axis
  expect_gt(coarse, 20)
  expect_lt(fine - coarse, 60)                          # 6 calls for each further launch
  expect_lt(opencl_calls_of(nested(0.2, 8)) - coarse, 60)
})

test_that("block-cutting uses the same regions as on the CPU", {
  skip_without_device()
  set.seed(4)
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  many <- data.frame(k = runif(300, 0.02, 0.5))
  # several chunks, with random expansion for each integral; regions with fewer and with more intervals than lanes
  for (expand in c("always", "coin", "slope", "log"))
    for (cells in c(5, 300)) cut(f, 0, 1, params = many, control = list(expand = expand, cells = cells), rel.tol = 1e-5)
  cut(f, 0, c(-0.5, 0, Inf, NA), k = 0.3)
  cut(f, 0, Inf, k = 0.3, breaks = c(0.2, 0.9), control = list(cells = 64))
  cut(f, 0, 1, k = 1e-3, control = list(cells = 1), rel.tol = 1e-3)
  # constant errors do not decrease; rounding must not affect this decision
  cut(function(x, k) k * x^2, 0, 1, params = many, control = list(expand = "slope", cells = 100))
})

test_that("block-cutting of singular, discontinuous and zero integrands agrees with the CPU", {
  skip_without_device()
  cut(function(x) log(x), 0, 1:3, rel.tol = 1e-5)
  cut(function(x) if (x > 1/3) exp(x) else 0, 0, c(1, 0.3), rel.tol = 1e-5)
  nothing_far_out <- function(x) exp(x) * dnorm(x)
  for (cells in c(7, 64, 2048, 1e5)) cut(nothing_far_out, c(0, Inf), c(Inf, 0), control = list(cells = cells))
  peak <- function(x, k) exp(-k * (x - 0.311)^2)
  # zero at the first points
  r <- cut(peak, 0, 1, params = data.frame(k = c(1e8, 1e12)), control = list(cells = 20), rel.tol = 1e-4)
  expect_equal(r$value > 0, c(TRUE, FALSE))
  r <- cut(function(x) sin(1 / x), 0, 1, max.eval = 5e4, breaks = c(0.1, 0.5))
  expect_equal(statuses(r), "max.eval")
  expect_equal(statuses(cut(function(x) sqrt(x), c(-1, 0), 1, rel.tol = 1e-5)), c("not finite", "converged"))
  # the integral is small by cancellation, which is known only at the end: it is computed again
  cut(function(x, s) 1 / (0.01 + (x - 2)^2) - s, 0, 5, s = 6.1685, control = list(cells = 4), rel.tol = 1e-4)
})

test_that("side-cutting uses the same intervals as on the CPU, in one part or many", {
  skip_without_device()
  side <- function(..., variant = "PSCAQ", cells = 50, expand = "always")
    cut(..., control = list(variant = variant, cells = cells, expand = expand))
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  set.seed(6)
  many <- data.frame(k = runif(300, 0.02, 0.5))
  # the random expansions depend on the integral, the part of its range and the step
  for (expand in c("always", "coin", "slope", "log")) {
    side(f, 0, 1, params = many, expand = expand, rel.tol = 1e-5)
    side(f, 0, 1, params = many[1:20, , drop = FALSE], expand = expand, variant = "SCAQ", cells = 1, rel.tol = 1e-4)
  }
  side(f, 0, c(-0.5, 0, Inf, NA), k = 0.3, rel.tol = 1e-5)
  side(f, 0, Inf, k = 0.3, breaks = c(0.2, 0.9), rel.tol = 1e-5)
  side(function(x) sin(x), 0, 3, cells = 2048, rel.tol = 1e-9)
  # a part with a jump or a singular end takes many times the intervals of the others
  side(function(x) if (x > 1/3) exp(x) else 0, 0, c(1, 0.3), rel.tol = 1e-5)
  side(function(x) log(x), 0, 1:3, rel.tol = 1e-5)
  side(function(x) exp(x) * dnorm(x), c(0, Inf), c(Inf, 0), cells = 300, rel.tol = 1e-5)
  # no value, a limit on evaluations that is divided again, and a tolerance that falls with the value
  expect_equal(statuses(side(function(x) sqrt(x), c(-1, 0), 1, rel.tol = 1e-5)), c("not finite", "converged"))
  r <- side(function(x, k) exp(-k * (x - 0.311)^2), 0, 1, params = data.frame(k = c(1e8, 1e12)), cells = 20,
            rel.tol = 1e-4)
  expect_equal(r$value > 0, c(TRUE, FALSE))
  expect_equal(statuses(side(function(x) sin(1 / x), 0, 1, max.eval = 5e4, breaks = c(0.1, 0.5))), "max.eval")
  side(function(x, s) 1 / (0.01 + (x - 2)^2) - s, 0, 5, s = 6.1685, cells = 4, rel.tol = 1e-4)
})

test_that("a device cuts all parts of a range in a few launches, however many intervals they need", {
  skip_without_device()
  on.exit(no_faults())
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  pscaq <- function(tol, n = 1) gintegrate(f, 0, 1, params = data.frame(k = rep(0.3, n)), method = "blockcut",
                                           control = list(variant = "PSCAQ", cells = 256), rel.tol = tol,
                                           backend = "opencl")
  tol <- c(1e-4, 1e-10)
  for (n in c(1, 20)) {
    pscaq(1e-3, n)
    calls <- vapply(tol, function(tol) opencl_calls_of(pscaq(tol, n)), 0)
    evaluations <- vapply(tol, function(tol) sum(pscaq(tol, n)$evaluations), 0)
    expect_gt(calls[1], 10)
    # a few more launches if the device is slow, in place of one for each of the intervals that a part needs
    expect_lt(calls[2] - calls[1], evaluations[2] / n / (3 * 256) / 20)
  }
})

test_that("a device that returns impossible intervals fails, and under \"auto\" the CPU continues", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  pscaq <- function(...) gintegrate(function(x, k) exp(-(x / k)^2), 0, 1, k = 0.3, method = "blockcut",
                                    control = list(variant = "PSCAQ", cells = 256), rel.tol = 1e-8, ...)
  cpu <- pscaq(backend = "cpu")
  auto_takes_any_device(100)
  expect_equal(pscaq()$backend, "opencl")
  inject_faults(1, Inf)
  expect_warning(r <- pscaq(), "failed", class = "stablecl_warning_device")
  expect_equal(r$backend, "threads")
  expect_identical(r$value, cpu$value)
  no_faults()
  spoil_results()
  expect_error(pscaq(backend = "opencl"), class = "stablecl_error_device")
})

test_that("under \"auto\" small integrals by steppers stay on the CPU, without a call of the driver", {
  skip_without_device()
  on.exit(no_faults())
  small <- list(
    function() gintegrate(function(x, y) exp(-x * y), c(0, 0), 1, method = "forward", backend = "auto"),
    function() gintegrate(function(x) exp(-x), 0, 1, method = "blockcut", rel.tol = 1e-4, backend = "auto",
                          control = list(variant = "PSCAQ", cells = 16)))
  for (run in small) {
    expect_equal(opencl_calls_of(r <- suppressWarnings(run())), 0)
    expect_equal(r$backend, "threads")
  }
})

test_that("the CPU computes the sequential variants", {
  skip_without_device()
  for (variant in c("BCAQ", "CAQ"))
    expect_error(gintegrate(sin, 0, 1, method = "blockcut", control = list(variant = variant), backend = "opencl"),
                 "variants \"PBCAQ\", \"PSCAQ\" and \"SCAQ\" only", class = "stablecl_error_unsupported")
  on.exit(stable_backend("default"))
  stable_backend("opencl")
  expect_equal(gintegrate(sin, 0, 1, method = "blockcut", control = list(variant = "CAQ"), rel.tol = 1e-4)$backend,
               "threads")
})

test_that("under \"auto\" a device takes over from the CPU, and the CPU from a failing device", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  params <- data.frame(k = seq(0.02, 0.5, length.out = 1600))
  toss <- function(...) {
    set.seed(5)
    gintegrate(f, 0, 1, params = params, method = "blockcut", control = list(expand = "coin", cells = 8),
               rel.tol = 1e-3, ...)
  }
  forward <- function(...) suppressWarnings(gintegrate(f, 0, 1, params = params, method = "forward", ...),
                                            classes = "gintegrate_warning_status")
  cpu <- list(toss = toss(backend = "cpu"), forward = forward(backend = "cpu"))
  auto_takes_any_device(100)
  for (name in names(cpu)) {
    r <- list(toss = toss, forward = forward)[[name]]()
    expect_equal(r$backend, "opencl")
    expect_same_integrals(unclass(r), unclass(cpu[[name]]), label = name)
  }
  expect_lte(apart(r$bound, cpu$forward$bound), 1e-9)
  inject_faults(1, Inf)
  expect_warning(r <- forward(), "failed", class = "stablecl_warning_device")
  expect_equal(r$backend, "threads")
  for (part in c("value", "bound")) expect_identical(r[[part]], cpu$forward[[part]])
})
