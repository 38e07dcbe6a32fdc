# "auto" in several dimensions: which method computes what, and with how many evaluations.

library(stablecl)

test_that("a product rule that needs many points is completed", {
  truth <- Im(((exp(10i) - 1) / 1i)^6)
  r <- gintegrate(function(x) sin(sum(x)), rep(0, 6), 10, rel.tol = 1e-6)
  expect_equal(as.character(r$status), "converged")
  expect_equal(r$rule, "product")
  expect_lte(abs(r$value - truth), r$abs.error)
  expect_lte(r$evaluations, 4e6)
})

test_that("evaluations that a product rule leaves are used by later stages", {
  jump <- function(x, y, z) if (x + y * z > 0.7) 0 else exp(x)        # not smooth: only its lines are evaluated
  r <- suppressWarnings(gintegrate(jump, c(0, 0, 0), 1, rel.tol = 1e-9, max.eval = 1e6))
  expect_equal(as.character(r$status), "max.eval")
  expect_gt(r$evaluations, 9e5)
  expect_lte(r$evaluations, 1e6)
})

test_that("an integral does not depend on the others of its call", {
  f <- function(x, y, z, k) if (k == 0) sin(20 * x) * cos(9 * y * z) + 1.1 else if (x + y * z > k) 0 else exp(x * y)
  params <- data.frame(k = c(0, 0.5, 0.7, 0, 0.9))
  run <- function(rows) suppressWarnings(gintegrate(f, c(0, 0, 0), 1, params = params[rows, , drop = FALSE],
                                                    rel.tol = 1e-7, max.eval = 4e5, control = list(seed = 5)))
  together <- run(1:5)
  for (k in 1:5) {
    alone <- run(k)
    for (part in c("value", "abs.error", "evaluations", "rule")) expect_identical(alone[[part]], together[[part]][k])
  }
})
