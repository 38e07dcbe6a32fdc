# Integrals whose error is limited by the rounding of points, and narrow peaks that are not poles.

lorentz <- function(x, w) w / ((x - pi / 4)^2 + w^2)
lorentz_value <- function(w) atan((1 - pi / 4) / w) + atan(pi / 4 / w)

test_that("next to narrow peaks the error is not underestimated, and bisection ends where rounding is the limit", {
  w <- 4^-(8:22)
  for (tol in c(1e-6, 1e-8, 1e-12)) {
    result <- suppressWarnings(gintegrate(lorentz, 0, 1, params = data.frame(w), rel.tol = tol))
    off <- abs(result$value - lorentz_value(w))
    expect_true(all(off <= result$abs.error), info = tol)
    expect_true(all(off[result$status == "converged"] <= tol * lorentz_value(w)[result$status == "converged"]))
    expect_false(any(result$status %in% c("divergent", "not finite")), info = tol)
  }
  limited <- suppressWarnings(gintegrate(lorentz, 0, 1, params = data.frame(w = 4^-(8:13)), rel.tol = 1e-12))
  expect_identical(unique(as.character(limited$status)), "roundoff")
  expect_lt(max(limited$evaluations), 2e4)                    # 1e6 if bisection went on
})

test_that("the rounding of points limits rapidly oscillating integrands", {
  waves <- suppressWarnings(gintegrate(function(x, w) cos(w * x), 0, 1, params = data.frame(w = c(500, 700)),
                                       rel.tol = 1e-12))
  expect_true(all(waves$status == "roundoff"))
  expect_true(all(abs(waves$value - sin(c(500, 700)) / c(500, 700)) <= waves$abs.error))
  expect_lt(max(waves$evaluations), 1e4)
})

test_that("peaks of the width of some units in the last place do not count as poles, and poles do", {
  width <- data.frame(w = 4^-(17:22))
  off_end <- suppressWarnings(gintegrate(function(x, w) w / ((x - 1)^2 + w^2), 0, 1, params = width))
  expect_false(any(off_end$status == "divergent"))
  root <- suppressWarnings(gintegrate(function(x, w) 1 / sqrt((x - pi / 4)^2 + w^2), 0, 1, params = width))
  expect_false(any(root$status == "divergent"))
  expect_true(all(abs(root$value - asinh((1 - pi / 4) / width$w) - asinh(pi / 4 / width$w)) <= root$abs.error))
  poles <- list(function(x) 1 / abs(x - pi / 4), function(x) 1 / (x - pi / 4)^2, function(x) abs(x - 1 / 3)^-1.05,
                function(x) 1 / (x - 0.3), function(x) abs(x - 0.3)^-1.01, function(x) 1 / abs(x^2 - 0.5))
  for (f in poles)
    expect_identical(as.character(suppressWarnings(gintegrate(f, 0, 1))$status), "divergent", info = deparse(body(f)))
})

test_that("an integral that needs the limit of the double exponential rule keeps the status of bisection", {
  result <- suppressWarnings(gintegrate(lorentz, 0, 1, params = data.frame(w = 4^-18), rel.tol = 1e-9))
  expect_false(result$status == "max.eval")                   # neither method used the million that is allowed
  expect_lt(result$evaluations, 1e5)
})

test_that("devices and threads end at the same status where rounding is the limit", {
  skip_without_device()
  w <- data.frame(w = rep(4^-(6:13), 5))
  cpu <- suppressWarnings(gintegrate(lorentz, 0, 1, params = w, rel.tol = 1e-11, method = "gk", backend = "cpu"))
  device <- suppressWarnings(gintegrate(lorentz, 0, 1, params = w, rel.tol = 1e-11, method = "gk", backend = "opencl"))
  expect_identical(device$backend, "opencl")
  expect_true(all(abs(cpu$value - device$value) <= cpu$abs.error + device$abs.error))
  expect_gt(mean(cpu$status == device$status), 0.9)
})
