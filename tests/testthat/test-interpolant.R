# Large jobs with one distribution use an interpolant (src/interpolant/build.c); small ones are computed exactly.

LARGE <- 5000                           # builds an interpolant
SMALL <- 1000                           # computed exactly, even if the interpolant exists

some_shapes <- function(n) {
  set.seed(11)
  power <- function(low) 10^runif(1, low, 0)
  one_of <- function(...) list(...)[[sample(...length(), 1)]]()
  side <- function() sample(c(-1, 1), 1)
  rbind(
    data.frame(alpha = c(1.5, 0.8, 1.01, 0.3, 1.9, 1, 1, 2, 0.5, 0.99, 1.2, 0.1, 0.06),
               beta = c(0.5, 0.3, -0.9, 0.9, 0, 0.5, 0, 0, 1, 1, -1, 1, 0.2)),
    data.frame(
      alpha = replicate(n, one_of(function() runif(1, 0.1, 2), function() 1 + side() * power(-14),
                                  function() 2 - power(-10))),
      beta = replicate(n, one_of(function() runif(1, -1, 1), side, function() side() * (1 - power(-14)),
                                 function() side() * power(-12)))))
}

log_scale <- function(v, right) {
  e <- abs(v - right) / pmax(1, abs(right))
  e[v == right] <- 0
  e
}

# Evaluates in blocks that are too small for interpolants.
exactly <- function(f, x) unlist(lapply(split(x, ceiling(seq_along(x) / SMALL)), f), use.names = FALSE)

test_that("interpolants agree with exact evaluation, including special values", {
  local_stable_backend("cpu")
  shapes <- some_shapes(25)
  for (i in seq_len(nrow(shapes))) {
    alpha <- shapes$alpha[i]
    beta <- shapes$beta[i]
    few <- c(rstable(SMALL - 12, alpha, beta), 0, 1e-300, -1e-9, 1e300, -1e300, Inf, -Inf, NA, NaN,
             stable_mode(alpha, beta), 3, -3)
    x <- rep_len(few, LARGE)
    for (log in c(TRUE, FALSE)) {
      form <- if (log) identity else base::log
      worst <- c(
        max(log_scale(form(dstable(x, alpha, beta, log = log)[seq_len(SMALL)]),
                      form(dstable(few, alpha, beta, log = log))), na.rm = TRUE),
        max(log_scale(form(pstable(x, alpha, beta, log.p = log)[seq_len(SMALL)]),
                      form(pstable(few, alpha, beta, log.p = log))), na.rm = TRUE),
        max(log_scale(form(pstable(x, alpha, beta, lower.tail = FALSE, log.p = log)[seq_len(SMALL)]),
                      form(pstable(few, alpha, beta, lower.tail = FALSE, log.p = log))), na.rm = TRUE))
      expect_lt(max(worst), 1e-12, label = sprintf("error at alpha = %.17g, beta = %.17g, log = %d",
                                                  alpha, beta, log))
    }
    expect_identical(kind(dstable(x, alpha, beta)[SMALL - 5:2]), kind(dstable(few[SMALL - 5:2], alpha, beta)))
  }
})

test_that("interpolants respect location, scale and parametrisation", {
  local_stable_backend("cpu")
  for (alpha in c(0.7, 1, 1.5)) for (pm in 0:2) {
    x <- rstable(LARGE, alpha, 0.5, 2.5, -7, pm)
    d <- dstable(x, alpha, 0.5, 2.5, -7, pm, log = TRUE)
    expect_lt(max(log_scale(d, exactly(function(x) dstable(x, alpha, 0.5, 2.5, -7, pm, log = TRUE), x))), 1e-12)
    expect_identical(d[1:LARGE], dstable(x, alpha, 0.5, 2.5, -7, pm, log = TRUE))
  }
})

test_that("earlier calls do not affect results", {
  local_stable_backend("cpu")
  x <- seq(-20, 20, length.out = 5000)
  before <- dstable(x, 1.35, -0.4)
  dstable(seq(-20, 20, length.out = 1e5), 1.35, -0.4)
  after <- dstable(x, 1.35, -0.4)
  expect_lt(max(log_scale(log(after), log(before))), 1e-12)
  stable_cache(stable_cache(0))
  expect_identical(dstable(x, 1.35, -0.4), before)
})

test_that("the distribution function increases across the boundaries of subintervals", {
  local_stable_backend("cpu")
  for (alpha in c(0.4, 0.9, 1.3, 1.8)) {
    # subintervals of S0 begin at distances 2^k (1 + j/8) - s from the centre, where s is the scale of the interpolant
    x <- sort(c(outer(2^(-4:12), 1 + 0:7 / 8) - 1, rstable(LARGE, alpha, 0.5)))
    x <- sort(c(x, x * (1 - 1e-13), x * (1 + 1e-13)))
    F <- pstable(x, alpha, 0.5)
    expect_gt(min(diff(F) / F[-1]), -4e-13)
    expect_gt(min(-diff(pstable(x, alpha, 0.5, lower.tail = FALSE))), -4e-13)
  }
})

test_that("results of interpolants do not depend on the number of threads", {
  local_stable_backend("cpu")
  x <- rstable(3e5, 0.8, 0.3)
  using_threads(1L, one <- pstable(x, 0.8, 0.3))
  using_threads(2L, two <- pstable(x, 0.8, 0.3))
  expect_identical(one, two)
})

# When its exact values are expensive, the two sides of an interpolant are built on two threads.
test_that("interpolants built on one or two threads are identical", {
  local_stable_backend("cpu")
  p <- ppoints(LARGE)
  x <- qcauchy(p)
  values <- function() list(dstable(x, 1 + 1e-9, 0.02), pstable(x, 1 + 1e-9, 0.02), qstable(p, 1 + 1e-9, 0.02))
  laid <- function(threads) {
    stable_cache(stable_cache(0))
    using_threads(threads, values())
  }
  expect_identical(laid(2L), laid(1L))
})

# The effect of 10 ulps of p on a quantile.
ulps_of_p <- function(q, p, alpha, beta) 10 * .Machine$double.eps * pmin(p, 1 - p) / dstable(q, alpha, beta)

test_that("quantile interpolants are as accurate as exact quantiles", {
  local_stable_backend("cpu")
  shapes <- some_shapes(20)
  for (i in seq_len(nrow(shapes))) {
    alpha <- shapes$alpha[i]
    beta <- shapes$beta[i]
    few <- c(runif(SMALL - 10), 10^-runif(4, 1, 12), 1 - 10^-runif(2, 1, 12), 0.5, 0, 1, 2^-20)
    p <- rep_len(few, LARGE)
    right <- qstable(few, alpha, beta)
    from_zeta <- if (alpha == 1) 0 else 4 * .Machine$double.eps * min(abs(beta * tan(pi * alpha / 2)), 10)
    allowed <- 1e-12 * abs(right) + from_zeta + ulps_of_p(right, few, alpha, beta)      # the promise of the manual page
    for (lower in c(TRUE, FALSE)) for (log in c(FALSE, TRUE)) {
      given <- if (lower) p else 1 - p
      if (log) given <- base::log(given)
      q <- qstable(given, alpha, beta, lower.tail = lower, log.p = log)[seq_len(SMALL)]
      # 1 - p and log(p) add their own rounding errors
      slack <- if (lower && !log) 0 else ulps_of_p(right, 0.5, alpha, beta)
      off <- abs(q - right) > allowed + slack
      off[q == right] <- FALSE
      expect_false(any(off), label = sprintf("a quantile of alpha = %.17g, beta = %.17g, lower = %d, log = %d is off",
                                             alpha, beta, lower, log))
    }
  }
})

test_that("quantile interpolants respect location, scale and parametrisation", {
  local_stable_backend("cpu")
  for (alpha in c(0.7, 1, 1.5)) for (pm in 0:2) {
    p <- runif(LARGE)
    q <- qstable(p, alpha, 0.5, 2.5, -7, pm)
    expect_lt(max(abs(pstable(q[1:SMALL], alpha, 0.5, 2.5, -7, pm) - p[1:SMALL])), 1e-13)
    expect_identical(q, qstable(p, alpha, 0.5, 2.5, -7, pm))
  }
})

test_that("interpolated quantiles increase, recycle, and handle invalid probabilities", {
  local_stable_backend("cpu")
  p <- c(sort(c(2^-(1:25), 1 - 2^-(1:25), runif(LARGE))), NA, NaN, -1, 2, 0, 1)
  expect_warning(q <- qstable(p, 1.2, -0.8), "NaN")
  rising <- q[seq_len(LARGE + 50)]
  expect_true(all(diff(rising) >= -1e-12 * abs(rising[-1])))
  expect_identical(is.nan(q[LARGE + 51:56]), c(FALSE, TRUE, TRUE, TRUE, FALSE, FALSE))
  expect_true(is.na(q[LARGE + 51]))
  expect_identical(q[LARGE + 55:56], c(-Inf, Inf))
  few <- c(0.2, 0.4, 0.9)
  recycled <- qstable(rep_len(few, LARGE), 1.2, -0.8)
  expect_identical(recycled, rep_len(recycled[1:3], LARGE))
  expect_close(recycled[1:3], qstable(few, 1.2, -0.8))
})
