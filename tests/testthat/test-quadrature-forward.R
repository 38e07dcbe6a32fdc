# Heuristic forward quadrature (Thuerck et al. 2014).

forward <- function(...) suppressWarnings(gintegrate(..., method = "forward"))

test_that("forward quadrature agrees with the algorithm of the paper", {
  for (f in list(function(x) sin(x), function(x) exp(-x), function(x) sqrt(x), function(x) x^8 + x^4 + x^3 + x + 1)) {
    for (h in list(c(0.01, 0.05), c(0.001, 0.2))) {
      r <- forward(f, 0, 1, control = list(h_min = h[1], h_max = h[2]))
      expect_equal(c(r$value, r$evaluations), algorithm3(f, 0, 1, h[1], h[2]), tolerance = 1e-12)
    }
  }
})

test_that("straight lines are exact, and steps stay within their limits", {
  r <- gintegrate(function(x) 2 + x, 0, 3, method = "forward", control = list(h_min = 0.1, h_max = 0.5))
  expect_equal(r$value, 10.5, tolerance = 1e-14)
  seen <- double()
  f <- function(x) { seen <<- c(seen, x); as.numeric(format(exp(-50 * x), digits = 17)) }
  r <- suppressMessages(forward(f, 0, 1, control = list(h_min = 0.002, h_max = 0.1)))
  points <- sort(seen)
  steps <- diff(points[-2])                                # without the probe of the first slope
  expect_gte(min(steps[-length(steps)]), 0.002 * (1 - 1e-9))
  expect_lte(max(steps), 0.1 * (1 + 1e-9))
  expect_equal(range(points), c(0, 1))
  expect_equal(length(seen), r$evaluations)
})

test_that("the error decreases with the steps, and the bound is that of Theorem 1 as printed", {
  r <- lapply(c(1, 1/4, 1/16),
              function(s) forward(function(x) exp(x), 0, 1, control = list(h_min = 0.1 * s, h_max = 0.1 * s)))
  errors <- vapply(r, function(one) abs(one$value - (exp(1) - 1)), 0)
  expect_equal(errors[-1] / errors[-3], c(1, 1) / 16, tolerance = 0.02)
  expect_equal(r[[3]]$bound / ((0.1 / 16)^2 / 24 * exp(1)), 1, tolerance = 0.01)
  expect_equal(r[[3]]$abs.error / errors[3], 2, tolerance = 0.01)
  expect_gt(errors[3], r[[3]]$bound)                       # the bound has the constant of the midpoint rule
  expect_length(r[[1]][1]$bound, 1)
})

test_that("a tolerance that the steps do not reach gives a warning", {
  expect_warning(r <- gintegrate(function(x) sin(x), 0, 1, method = "forward"), "coarse",
                 class = "gintegrate_warning_status")
  expect_silent(r <- gintegrate(function(x) sin(x), 0, 1, method = "forward", rel.tol = 1e-2))
  expect_equal(as.character(r$status), "converged")
  expect_equal(as.character(forward(function(x) sin(x), 0, 1, control = list(h_max = 1e-5), max.eval = 1000)$status),
               "max.eval")
  expect_equal(as.character(forward(function(x) sqrt(x), -1, 1)$status), "not finite")
  expect_error(gintegrate(sin, 0, 1, method = "forward", control = list(h_min = 0.2, h_max = 0.1)), "h_min",
               class = "stablecl_error_argument")
})

test_that("infinite limits, breaks, singular ends and narrow peaks are handled", {
  expect_equal(forward(function(x) exp(-x^2), -Inf, Inf, control = list(h_max = 0.01))$value, sqrt(pi),
               tolerance = 1e-3)
  expect_equal(forward(function(x) exp(x) * dnorm(x), 0, Inf, control = list(h_max = 0.01))$value, exp(0.5) * pnorm(1),
               tolerance = 1e-3)
  expect_equal(forward(function(x) if (x > 1/3) 1 else 0, 0, 1, breaks = 1/3)$value, 2/3, tolerance = 1e-2)
  expect_equal(forward(function(x) log(x), 0, 1, control = list(h_min = 1e-4, h_max = 1e-2))$value, -1,
               tolerance = 1e-3)
  expect_gt(forward(function(x) if (abs(x - 0.311) < 0.002) 1 else 0, 0, 1)$value, 0)
})

test_that("integrals in several dimensions are computed by Fubini's theorem", {
  bell <- function(x) exp(-(x[1]^2 + x[2]^2) / 2) / (2 * pi)
  ends <- c(0.25, 1, 4)
  r <- forward(bell, c(0, 0), matrix(ends, 3, 2))
  true <- (pnorm(ends) - 0.5)^2
  expect_true(all(abs(r$value - true) <= r$abs.error))
  expect_equal(r$value, true, tolerance = 1e-2)
  one <- forward(bell, c(0, 0), c(4, 4))
  for (part in c("value", "abs.error", "evaluations", "bound")) expect_identical(one[[part]], r[3][[part]])
  expect_equal(forward(function(x, y, z) x + y * z, c(0, 0, 0), c(1, 2, 3), rel.tol = 1e-2)$value, 3 + 9,
               tolerance = 1e-12)
  kernel <- function(x) exp(-(abs(x[1] - 0.5) + abs(x[2] - 0.5)) / 0.25^2)
  r <- forward(kernel, c(0, 0), 1, control = list(h_min = 0.01, h_max = 0.05))
  expect_lte(abs(r$value - 0.0156145185512401515), r$abs.error)
  expect_equal(as.character(forward(function(x) exp(-sum(x^2)), rep(0, 8), 1, max.eval = 1e5)$status), "max.eval")
})

test_that("each integral of a batch is identical to the single integral, for any number of threads", {
  set.seed(3)
  k <- runif(20000, 0.02, 0.5)
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  by_threads <- lapply(1:2, function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    forward(f, 0, 1, params = data.frame(k = k))
  })
  for (part in c("value", "abs.error", "evaluations"))
    expect_identical(by_threads[[1]][[part]], by_threads[[2]][[part]])
  expect_identical(forward(f, 0, 1, k = k[17])$value, by_threads[[1]]$value[17])
})

test_that("the blocks of a range are those of separate integrals with the same steps", {
  f <- function(x) sin(5 * x) / (1 + x)
  steps <- list(h_min = 0.01, h_max = 0.1)
  forward <- function(..., blocks = 1)
    suppressWarnings(gintegrate(..., method = "forward", control = c(steps, blocks = blocks)))
  parts <- forward(f, (0:3) / 2, (1:4) / 2)
  whole <- forward(f, 0, 2, blocks = 4)
  expect_equal(whole$value, sum(parts$value), tolerance = 1e-14)
  expect_equal(whole$bound, sum(parts$bound), tolerance = 1e-14)
  expect_equal(whole$abs.error, sum(parts$abs.error), tolerance = 1e-14)
  expect_equal(whole$evaluations, sum(parts$evaluations))
  # default steps refer to the whole range, of which at least 20 are taken
  blocks <- suppressWarnings(gintegrate(f, 0, 2, method = "forward", control = list(blocks = 4)))
  expect_equal(blocks$value, suppressWarnings(gintegrate(f, 0, 2, method = "forward",
                                                         control = list(h_min = 0.02, h_max = 0.1, blocks = 4)))$value)
  bell <- function(x, y) exp(-x^2 - y)
  square <- forward(bell, c(0, 0), c(2, 1), blocks = 4)
  halves <- forward(bell, cbind((0:3) / 2, 0), cbind((1:4) / 2, 1))
  expect_equal(c(square$value, square$evaluations), c(sum(halves$value), sum(halves$evaluations)), tolerance = 1e-13)
  # a half-line is not divided outside its finite piece
  expect_equal(forward(function(x) exp(-x), 0, Inf, blocks = 5)$value, 1, tolerance = 1e-3)
  expect_error(forward(f, 0, 2, blocks = 0), "`blocks` must be", class = "stablecl_error_argument")
})

test_that("threads share the lines and parts of one integral of a long integrand, with identical results", {
  before <- stable_threads()
  on.exit(stable_threads(before))
  sines <- function(x, n) {
    s <- 0
    for (k in 1:n) s <- s + sin(k * x) / k^2
    s
  }
  runs <- list(
    function() gintegrate(sines, 0, 3, n = 100, method = "forward", control = list(blocks = 50)),
    function() gintegrate(function(x, y, n) sines(x * y, n), c(0, 0), 1, n = 100, method = "forward"),
    function() gintegrate(sines, 0, 3, n = 100, method = "blockcut", rel.tol = 1e-6,
                          control = list(variant = "PSCAQ", cells = 100)))
  for (run in runs) {
    results <- lapply(c(1, 2, 7), function(threads) {
      stable_threads(threads)
      unclass(suppressWarnings(run()))[c("value", "abs.error", "evaluations", "status", "bound")]
    })
    expect_identical(results[[2]], results[[1]])
    expect_identical(results[[3]], results[[1]])
  }
})
