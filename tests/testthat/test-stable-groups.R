# Elements with the same (alpha, beta) are processed together (src/run/groups.c).

few_shapes <- function(n, shapes) {
  set.seed(8)
  alpha <- c(1, 2, 0.5, runif(shapes, 0.2, 2))
  beta <- c(0.5, 0, 1, runif(shapes, -1, 1))
  k <- sample(length(alpha), n, TRUE, prob = c(0.6, rep(0.4 / (shapes + 2), shapes + 2)))
  data.frame(x = rt(n, 1), p = runif(n), alpha = alpha[k], beta = beta[k],
             gamma = exp(rnorm(n)), delta = rnorm(n))
}

one_by_one <- function(f, x, a) {
  vapply(seq_along(x), function(i) f(x[i], a$alpha[i], a$beta[i], a$gamma[i], a$delta[i]), 0)
}

test_that("grouped elements have the values of single elements, in their original order", {
  local_stable_backend("cpu")
  for (shapes in c(3, 40)) {
    a <- few_shapes(4000, shapes)
    some <- c(1:5, sample(4000, 150))
    expect_close(dstable(a$x, a$alpha, a$beta, a$gamma, a$delta)[some], one_by_one(dstable, a$x[some], a[some, ]))
    expect_close(pstable(a$x, a$alpha, a$beta, a$gamma, a$delta)[some], one_by_one(pstable, a$x[some], a[some, ]))
    expect_close(qstable(a$p, a$alpha, a$beta, a$gamma, a$delta)[some], one_by_one(qstable, a$p[some], a[some, ]))
    all <- stable_eval(a$x, a$alpha, a$beta, what = c("pdf", "cdf", "sf", "error"))[some, ]
    expect_close(all[, "pdf"], dstable(a$x, a$alpha, a$beta)[some])
    expect_close(all[, "cdf"] + all[, "sf"], rep(1, length(some)))
    expect_true(all(all[, "error"] < 1e-12))
  }
})

test_that("recycled shapes are grouped, and NaN and bad shapes keep their places", {
  local_stable_backend("cpu")
  alpha <- c(1.2, NA, 1.8, 3, NaN)
  n <- 30000
  x <- rt(n, 1)
  expect_warning(d <- dstable(x, alpha, 0.3), "NaN")
  expect_identical(is.nan(d), rep_len(c(FALSE, FALSE, FALSE, TRUE, TRUE), n))
  expect_identical(is.na(d), rep_len(c(FALSE, TRUE, FALSE, TRUE, TRUE), n))
  for (k in c(1, 3)) {
    one <- seq(k, n, 5)
    expect_identical(d[one], dstable(x[one], alpha[k], 0.3))
  }
  expect_silent(dstable(x, c(1.2, NA), 0.3))
})

test_that("grouping does not depend on threads, and many shapes are not grouped", {
  local_stable_backend("cpu")
  a <- few_shapes(6000, 500)
  using_threads(1L, one <- dstable(a$x, a$alpha, a$beta))
  using_threads(2L, two <- dstable(a$x, a$alpha, a$beta))
  expect_identical(one, two)
  alpha <- runif(3000, 0.3, 2)
  twice <- dstable(rep(a$x[1:3000], 2), rep(alpha, 2), 0.1)
  expect_identical(twice[1:3000], twice[3001:6000])
  expect_close(twice[1:3000], dstable(a$x[1:3000], alpha, 0.1))
})

# Shapes whose integrands have one peak, a plateau, a peak on either side of it, and that are near alpha = 1.
own_shapes <- function(n) {
  near_one <- 1 + 10^runif(n, -12, -2) * sample(c(-1, 1), n, TRUE)
  alpha <- c(runif(n, 0.02, 2), near_one, 2 - 10^runif(n, -9, -1), 2, 1, 0.5)
  beta <- c(runif(2 * n, -1, 1), 1 - 10^runif(n, -12, 0), 0.3, 0, 1)
  x <- rstable(length(alpha), alpha, beta) * sample(c(1, 10, 1e3), length(alpha), TRUE)
  list(x = x, alpha = alpha, beta = beta)
}

test_that("the value of an element with its own shape does not depend on the other elements", {
  local_stable_backend("cpu")
  set.seed(8)
  a <- own_shapes(200)
  n <- length(a$x)
  for (f in list(dstable, pstable)) {
    all <- f(a$x, a$alpha, a$beta)
    order <- sample(n)
    expect_identical(f(a$x[order], a$alpha[order], a$beta[order]), all[order])
    some <- c(order[1:101], n)                                    # the last batch is not full
    expect_identical(f(a$x[some], a$alpha[some], a$beta[some]), all[some])
    one <- mapply(f, a$x, a$alpha, a$beta)                        # with node sets
    expect_lt(max(abs(all - one) / one), 1e-12)
  }
})
