# Many integrals in one call.

set.seed(1)
laws <- data.frame(k = runif(500, 0.02, 0.3), a = runif(500, 0.5, 3))
ends <- runif(500, -1, 2)
f <- function(x, k, a, shift = 0) exp(-((x - shift) / k)^2) / (a + abs(x))

test_that("each integral of a batch is identical to the single integral", {
  all <- gintegrate(f, 0, ends, params = laws)
  for (k in c(1, 250, 500)) {
    one <- gintegrate(f, 0, ends[k], params = laws[k, ])
    for (part in c("value", "abs.error", "evaluations")) expect_identical(one[[part]], all[[part]][k])
  }
  expect_identical(gintegrate(f, 0, ends[7], k = laws$k[7], a = laws$a[7])$value, all$value[7])
  by_r <- vapply(1:500, function(k) integrate(f, 0, ends[k], k = laws$k[k], a = laws$a[k], rel.tol = 1e-11)$value, 0)
  expect_equal(all$value, by_r, tolerance = 1e-9)
})

test_that("results do not depend on the number of threads", {
  many <- laws[rep(1:500, 40), ]
  by_threads <- lapply(1:2, function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    gintegrate(f, -1, rep(ends, 40), params = many)
  })
  for (part in c("value", "abs.error", "evaluations", "status"))
    expect_identical(by_threads[[1]][[part]], by_threads[[2]][[part]])
})

test_that("a forked process gives the same integrals", {
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  many <- laws[rep(1:500, 40), ]
  here <- gintegrate(f, -1, rep(ends, 40), params = many)$value
  there <- in_forks(1:2, function(k) gintegrate(f, -1, rep(ends, 40), params = many)$value)
  expect_identical(there, list(here, here))
})

test_that("a hard integral does not change the evaluations of the others", {
  w <- c(1, 1e4, 1, NaN, 2)
  r <- suppressWarnings(gintegrate(function(x, w) sin(w / x), 0.01, 1, params = data.frame(w = w), max.eval = 5e4,
                                   method = "gk"))
  easy <- gintegrate(function(x, w) sin(w / x), 0.01, 1, w = 1, method = "gk")
  expect_identical(r$value[c(1, 3)], rep(easy$value, 2))
  expect_identical(r$evaluations[c(1, 3)], rep(easy$evaluations, 2))
  expect_equal(as.character(r$status), c("converged", "max.eval", "converged", "not finite", "converged"))
  expect_lte(max(r$evaluations), 5e4)
})

test_that("exchanged limits change the sign, and equal limits give 0", {
  r <- gintegrate(function(x) exp(x), c(0, 1, 2), c(1, 0, 2))
  expect_identical(r$value[1], -r$value[2])
  expect_equal(r$value[3], 0)
})

test_that("breaks split the interval", {
  f <- function(x) if (x > 1/3) exp(x) else 0
  cut <- gintegrate(f, 0, 1, breaks = 1/3)
  expect_equal(cut$value, exp(1) - exp(1/3), tolerance = 1e-14)
  expect_lt(cut$evaluations, gintegrate(f, 0, 1)$evaluations / 4)
  expect_equal(gintegrate(function(x) exp(-abs(x - 2)), -Inf, Inf, breaks = 2)$value, 2, tolerance = 1e-13)
})

test_that("peaks far out on infinite ranges are found if they are wider than a hundredth of their distance", {
  m <- c(300, 1000, 3e4, 1e6)
  r <- gintegrate(function(x, m) dnorm(x, m, m / 1000), -Inf, Inf, params = data.frame(m))
  expect_true(all(r$status == "converged"))
  expect_true(all(abs(r$value - 1) <= r$abs.error))
})

test_that("a narrow peak is found", {
  expect_equal(gintegrate(function(x) exp(-1e10 * (x - 0.3)^2), 0, 1)$value, sqrt(pi) * 1e-5, tolerance = 1e-8)
  expect_equal(gintegrate(function(x) dnorm(x), 0, 20000)$value, 0.5, tolerance = 1e-8)
})

test_that("after an interrupt finished integrals are kept", {
  skip_on_cran()
  skip_on_os("windows")
  system(sprintf("(sleep 2; kill -INT %d) &", Sys.getpid()), wait = TRUE)
  n <- 40000                                  # more than the integrals that are started together
  w <- c(rep(1, n - 1), 2)
  slow <- function(x, w) {
    s <- x
    if (w > 1) for (i in 1:1e6) s <- s + sin(i * x)
    s
  }
  r <- tryCatch(suppressWarnings(suppressMessages(
    gintegrate(slow, 0, 1, params = data.frame(w = w), backend = "cpu"))), interrupt = function(e) NULL)
  skip_if(is.null(r), "the interrupt came too early")
  expect_equal(r$value[1], 0.5)
  expect_equal(as.character(r$status[n]), "interrupted")
})

test_that("after an interrupt of cubature finished integrals are kept, and no others start", {
  skip_on_cran()
  skip_on_os("windows")
  system(sprintf("(sleep 2; kill -INT %d) &", Sys.getpid()), wait = TRUE)
  # the integral of |sin| of large angles does not converge
  r <- tryCatch(suppressWarnings(suppressMessages(
    gintegrate(function(x, y, w) if (w > 1) abs(sin(w / (0.01 + x * y))) else x * y, c(0, 0), c(1, 1),
               params = data.frame(w = c(1, 1e3)), rel.tol = 1e-13, max.eval = 1e9))), interrupt = function(e) NULL)
  skip_if(is.null(r), "the interrupt came too early")
  expect_equal(r$value[1], 0.25)
  expect_equal(as.character(r$status), c("converged", "interrupted"))
})

test_that("the progress function is called during long computations", {
  skip_on_cran()
  seen <- numeric()
  state <- c(list(progress = function(done) seen <<- c(seen, done)), stablecl:::new_state(2L))
  f <- function(inputs) {
    Sys.sleep(0.3)
    ifelse(inputs[[2L]] > 1, sin(1 / inputs[[1L]]), inputs[[1L]])
  }
  problem <- integral_problem(f, 0, 1, list(w = c(1, 2)), list(rel.tol = 1e-10, abs.tol = 0, max.eval = 2000))
  .Call(stablecl:::C_integrate, state, problem, "gk", "cpu")
  expect_gt(length(seen), 0)
  expect_true(all(seen %in% 0:2))
  expect_true(1 %in% seen)                              # the easy integral was finished before the other one
  bar <- stablecl:::show_progress(5, "Integrals")
  expect_silent(bar$update(1))                          # silent because no time has passed
  expect_silent(bar$end())
})

# The integral is small in comparison with that of |f|, and errors hardly fall until the oscillation is resolved.
test_that("oscillating integrals over a half-line converge", {
  w <- seq(1, 200, length.out = 500)
  r <- gintegrate(function(x, w) cos(w * x) * exp(-x), 0, Inf, params = data.frame(w = w), method = "gk")
  expect_true(all(r$status == "converged"))
  expect_true(all(abs(r$value - 1 / (1 + w^2)) <= r$abs.error))
})

# Results of millions of integrals take hundreds of megabytes.
test_that("many integrals allocate three vectors of doubles for their results, also if all are screened", {
  skip_if_not(capabilities("profmem"))
  n <- 20000
  w <- data.frame(w = seq(1, 2, length.out = n))
  file <- tempfile()
  for (method in c("gk", "tanhsinh")) {
    gintegrate(function(x, w) exp(-w * x), 0, 1, params = w, method = method, backend = "cpu")
    utils::Rprofmem(file, threshold = 8 * n)
    gintegrate(function(x, w) exp(-w * x), 0, 1, params = w, method = method, backend = "cpu")
    utils::Rprofmem(NULL)
    expect_identical(sum(grepl("^[0-9]", readLines(file))), 3L, label = method)
  }
})
