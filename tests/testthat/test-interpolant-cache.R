# The cache of interpolants that large calls fill (R/device-backend.R, src/interpolant/cache.c).

LARGE <- 5000
points <- seq(-5, 5, length.out = LARGE)

with_limit <- function(limit, code) {
  before <- stable_cache(limit)
  on.exit(stable_cache(before))
  local_stable_backend("cpu")
  code
}

kept <- function() stable_cache()$laws

test_that("large calls cache a distribution, including its quantiles, and small ones cache nothing", {
  with_limit(0, NULL)
  with_limit(2^25, {
    stable_cache(0)
    stable_cache(2^25)
    dstable(points[1:4999], 1.5, 0.25)
    expect_identical(nrow(kept()), 0L)
    dstable(points, 1.5, 0.25)
    expect_identical(unlist(kept()[1, c("alpha", "beta")]), c(alpha = 1.5, beta = 0.25))
    expect_false(kept()$quantiles)
    before <- stable_cache()$bytes
    qstable(seq(0.1, 0.9, length.out = LARGE), 1.5, 0.25)
    expect_true(kept()$quantiles)
    expect_gt(stable_cache()$bytes, before)
    expect_identical(stable_cache()$bytes, sum(kept()$bytes))
    expect_output(print(stable_cache()), "1 distribution cached, .* of 32")
  })
})

test_that("the least recently used distribution is evicted first", {
  with_limit(2^25, {
    stable_cache(0)
    stable_cache(2^25)
    for (alpha in c(1.2, 1.4, 1.6)) dstable(points, alpha, 0)
    dstable(points, 1.2, 0)
    expect_identical(kept()$alpha, c(1.2, 1.6, 1.4))
    stable_cache(sum(kept()$bytes[1:2]))
    expect_identical(kept()$alpha, c(1.2, 1.6))
    dstable(points, 1.8, 0)
    expect_identical(kept()$alpha[1], 1.8)
    expect_false(1.6 %in% kept()$alpha)
  })
})

test_that("without a cache everything is computed exactly", {
  with_limit(0, {
    expect_identical(dstable(points, 1.3, 0.7)[7], dstable(points[7], 1.3, 0.7))
    expect_identical(qstable(rep(0.3, LARGE), 1.3, 0.7)[7], qstable(0.3, 1.3, 0.7))
    expect_identical(nrow(kept()), 0L)
  })
})

test_that("stable_cache() takes and returns limits in bytes", {
  before <- stable_cache()$limit
  expect_invisible(old <- stable_cache(1e6))
  expect_identical(old$limit, before)
  expect_identical(stable_cache()$limit, 1e6)
  expect_identical(stable_cache(old)$limit, 1e6)
  expect_identical(stable_cache()$limit, before)
  for (wrong in list(-1, NA, c(1, 2), "1 MB", Inf, TRUE))
    expect_error(stable_cache(wrong), "`limit` must be one number of bytes from 0 to 2^50, or NULL", fixed = TRUE)
  expect_identical(stable_cache()$limit, before)
})
