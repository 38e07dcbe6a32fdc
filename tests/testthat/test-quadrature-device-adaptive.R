# Bisection on a device uses the same intervals and boxes as the CPU.  A parameter selects the integrand, because
# a driver takes seconds to build a program.

kinds <- function(x, k, which) {
  if (which == 1) exp(-x / k)
  else if (which == 2) 1 / ((x - k)^2 + 1e-6)                   # a peak
  else if (which == 3) sqrt(abs(x - k))
  else if (which == 4) sin(1 / (abs(x) + k / 8))                # oscillations
  else if (which == 5) (if (x > k) x + 1 else exp(x))           # a jump
  else if (which == 6) exp(-1e10 * (x - k)^2)                   # zero at the first points
  else if (which == 7) 0 * x
  else if (which == 8) log(x)                                   # infinite at a limit
  else if (which == 9) 1 / abs(x - k)                           # diverges
  else if (which == 10) sqrt(x - k)                             # NaN
  else if (which == 11) exp(-abs(x) / k)
  else 1 / sqrt(abs(x - k))
}

test_that("Simpson's rule uses the same intervals on a device and the CPU", {
  skip_without_device()
  rows <- expand.grid(k = c(0.03, 0.21, 0.4), which = 1:8)
  r <- expect_both_same(kinds, 0, 1, params = rows, method = "simpson", tolerance = 1e-12)
  expect_true(all(r$status == "converged"))
  expect_true(all(r$value[rows$which == 7] == 0) && all(r$value[rows$which == 6] > 0))
  expect_gt(min(r$evaluations[rows$which %in% 6:7]), 5000)                # includes a second sampling
  expect_both_same(kinds, 0, 1, params = rows, method = "simpson", max.eval = 150, tolerance = 1e-12)
  turned <- data.frame(k = 0.3, which = c(1, 2, 5, 1, 1, 3))
  r <- expect_both_same(kinds, c(1, 0, 2, NA, 1, 0), c(0, 0.5, -1, 1, 1, NaN), params = turned, method = "simpson",
                        tolerance = 1e-12)
  expect_lt(r$value[1], 0)
  expect_equal(r$value[5], 0)
  expect_true(all(is.nan(r$value[c(4, 6)])))
})

test_that("Simpson's rule handles half-lines, breaks and many intervals on a device", {
  skip_without_device()
  half <- data.frame(k = c(0.3, 1, 2, 0.7), which = 11)
  r <- expect_both_same(kinds, c(-Inf, 0, -Inf, 1), c(Inf, Inf, 1, -Inf), params = half, method = "simpson",
                        tolerance = 1e-12)
  expect_equal(r$value[1:2], c(0.6, 1), tolerance = 1e-8)
  parted <- data.frame(k = 0.3, which = c(3, 5, 9))
  r <- expect_both_same(kinds, -1, c(1, 0.2, 3), params = parted, breaks = c(0, 0.3, 2), method = "simpson",
                        tolerance = 1e-12, max.eval = 1e5)
  expect_equal(as.character(r$status), c("converged", "converged", "divergent"))
  expect_both_same(kinds, -Inf, Inf, params = data.frame(k = c(0.1, 1), which = 7), method = "simpson")
  # more intervals than the initial storage holds, together with integrals that need few
  wild <- data.frame(k = seq(0.02, 0.4, length.out = 40), which = c(1, 4))
  expect_gt(max(expect_both_same(kinds, 0, 1, params = wild, method = "simpson", rel.tol = 1e-11,
                                 tolerance = 1e-12)$evaluations), 4 * 1024)
})

test_that("Simpson's rule has the same status on a device and the CPU", {
  skip_without_device()
  rows <- data.frame(k = c(0.3, 0.3, 0.1, NA, 0.2, 0.2), which = c(9, 10, 4, 1, 1, 1))
  r <- expect_both_same(kinds, c(0, 0, 0, 0, 0, 0.5), c(1, 1, 1, 1, 1, 0.5 + 2e-15), params = rows, method = "simpson",
                        max.eval = 5000, rel.tol = 1e-10, tolerance = 1e-9)
  expect_equal(as.character(r$status), c("max.eval", "not finite", "max.eval", "not finite", "converged", "stuck"))
  rows <- data.frame(k = seq(0.05, 0.95, length.out = 181), which = 9)   # some are hopeless without evaluations left
  r <- expect_both_same(kinds, 0, 1, params = rows, method = "simpson", max.eval = 750, rel.tol = 1e-3,
                        tolerance = 1e-9)
  expect_setequal(as.character(r$status), c("converged", "divergent", "max.eval"))
  rows <- data.frame(k = 0.5, which = 12)                                # infinite however often bisected
  r <- expect_both_same(kinds, 0, 1, params = rows, method = "simpson", tolerance = 1e-9)
  expect_true(r$status == "not finite" && r$evaluations < 5000)
  rows$k <- 1 / 3                                                         # narrow intervals keep a finite error
  r <- expect_both_same(kinds, 0, 1, params = rows, method = "simpson", rel.tol = 1e-10, tolerance = 1e-9)
  expect_true(r$status == "stuck" && r$evaluations < 2e4)
})

test_that("the CPU computes an integral that exceeds the storage of a device", {
  skip_without_device()
  skip_on_cran()
  r <- expect_both_same(function(x, k) cos(k * x) + 1, 0, 1, k = 5000, method = "simpson", rel.tol = 1e-12)
  expect_gt(r$evaluations, 4 * 65536)
  expect_equal(r$value, 1 + sin(5000) / 5000, tolerance = 1e-12)
})

# No two axes are equivalent, and no values are polynomials: otherwise rounding decides which axis is bisected.
boxed <- function(x, k, which) {
  s <- sum(seq_along(x) * x)
  if (which == 1) exp(-k * s)
  else if (which == 2) 1 / (1e-2 + (x[1] - k)^2 + (s - x[1] - 1)^2)
  else if (which == 3) (if (s > 2 * k) exp(-k * s) / (1 + x[1]) else 0)
  else if (which == 4) cos(9 * k * s)
  else if (which == 5) 1 / sqrt(abs(x[1] - k))
  else if (which == 6) 0 * s
  else sqrt(x[1] - k)
}

test_that("cubature uses the same boxes on a device and the CPU", {
  local_fast_builds()
  skip_without_device()
  rows <- expand.grid(k = c(0.21, 0.4), which = 1:7)
  for (d in c(2, 3, if (identical(Sys.getenv("NOT_CRAN"), "true")) 6:8)) {
    r <- expect_both_same(boxed, rep(0, d), sqrt(1 + 1:d) / 3, params = rows, method = "cubature", dim = d,
                          rel.tol = 1e-4, max.eval = 1e5, tolerance = 1e-11)
    expect_true(all(c("converged", "not finite") %in% r$status))
    expect_true(d < 6 || any(r$status == "max.eval"))
  }
  r <- expect_both_same(boxed, cbind(0, c(1.1, 0, 0.3, NA, 2, 1)), cbind(c(1, 1, -1, 1, 1, 1e-14), c(1:5, 1 + 2e-15)),
                        method = "cubature", dim = 2, params = data.frame(k = 0.3, which = c(1, 3, 1, 1, 4, 1)),
                        rel.tol = 1e-5, tolerance = 1e-12)
  expect_equal(as.character(r$status[4:6]), c("not finite", "converged", "converged"))
})

test_that("a device selected by name computes a single integral over a box, however many boxes it needs", {
  skip_without_device()
  r <- expect_both_same(boxed, c(0, 0), 1, k = 0.31, which = 3, method = "cubature", dim = 2, rel.tol = 1e-5,
                        tolerance = 1e-12)
  expect_gt(r$evaluations, 34 * 1024)
})

# The order in which equivalent axes are bisected depends on rounding.
test_that("integrals with equivalent axes agree within their errors", {
  skip_without_device()
  both <- on_both(function(x) prod(1 / (0.1 + (x - 0.3)^2)), rep(0, 3), 1, method = "cubature", rel.tol = 1e-6)
  true <- ((atan(0.7 / sqrt(0.1)) + atan(0.3 / sqrt(0.1))) / sqrt(0.1))^3
  for (r in both) expect_lte(abs(r$value - true), r$abs.error)
  expect_equal(both$device$evaluations, both$cpu$evaluations, tolerance = 0.05)
  expect_equal(both$device$abs.error, both$cpu$abs.error, tolerance = 0.1)
})

test_that("errors of Simpson's rule and cubature on a device are within their estimates for known integrals", {
  local_fast_builds()
  skip_without_device()
  skip_on_cran()
  check <- function(file, id, method, ...) {
    known <- utils::read.csv(test_path("data", file), comment.char = "#", colClasses = "character")
    known <- known[match(id, known$id), ]
    number <- function(text) eval(parse(text = text))
    for (k in seq_along(id)) {
      f <- eval(parse(text = paste("function(x)", known$formula[k])), globalenv())
      r <- suppressWarnings(gintegrate(f, number(known$lower[k]), number(known$upper[k]), method = method,
                                       backend = "opencl", ...))
      true <- as.numeric(known$value[k])
      expect_lte(abs(r$value - true), max(r$abs.error, 1e-14 * max(1, abs(true))), label = id[k])
      expect_equal(as.character(r$status), "converged", label = id[k])
    }
  }
  check("integrals.csv", c("th_sinc", "th_sqrt", "th_pm3", "ka1_7"), "simpson")
  check("boxes.csv", c("th_bell_1", "f1_3", "f3_5"), "cubature", rel.tol = 1e-4)
})

test_that("short kernel launches leave integrals to the CPU and change no decision", {
  skip_without_device()
  # Values take so long that a launch has some hundred evaluations for each integral, fewer than the second sampling of
  # an integrand that seems to be 0 needs.
  slow <- function(x, k) {
    s <- 0
    for (i in 1:2000) s <- s + k * exp(-1e10 * (x - 0.3)^2)
    s
  }
  for (method in c("gk", "simpson", "forward", "blockcut")) {
    run <- function(backend) {
      suppressWarnings(gintegrate(slow, 0, 1, params = data.frame(k = c(0, 1, 0, 1)), method = method,
                                  max.eval = 20000, rel.tol = 1e-3, backend = backend))
    }
    device <- run("opencl")
    cpu <- run("cpu")
    expect_identical(device$evaluations, cpu$evaluations, label = method)
    expect_identical(device$status, cpu$status, label = method)
  }
})
