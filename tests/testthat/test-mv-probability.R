# Probabilities of boxes, and projections, of elliptically contoured stable distributions.

test_that("probabilities of orthants are those of the normal distribution", {
  # With correlations of 1/2 they are 1/(d + 1); in two dimensions 1/4 + asin(rho)/(2 pi).
  for (alpha in c(0.4, 1, 1.7, 2)) {
    for (d in c(2, 3, 6)) {
      p <- pmvstable(upper = 0, alpha = alpha, Q = 3 * (diag(d) + 1), rel.tol = 1e-5)
      expect_lt(abs(p - 1 / (d + 1)), max(6 * attr(p, "abs.error"), 1e-9))
      expect_identical(attr(p, "status"), "converged")
    }
    Q <- matrix(c(1, -0.8, -0.8, 4), 2)
    p <- pmvstable(c(1, 2), Inf, alpha, Q, c(1, 2), rel.tol = 1e-6)
    expect_lt(abs(p - 0.25 - asin(-0.4) / (2 * pi)), max(6 * attr(p, "abs.error"), 1e-9))
  }
})

test_that("probabilities agree with an independent integral of the density", {
  # P(|X1| < u1, l2 < X2 < u2) by Gauss-Legendre rules over the box
  nodes <- get("panel_nodes", asNamespace("stablecl"))
  x <- nodes(seq(-1, 1, length.out = 9))
  y <- nodes(seq(0.5, 6, length.out = 15))
  Q <- matrix(c(1, 0.3, 0.3, 0.5), 2)
  for (alpha in c(0.5, 1.3, 1.9)) {
    f <- dmvstable(as.matrix(expand.grid(x$x, y$x)), alpha, Q, c(0, 0.5))
    true <- sum(outer(x$w, y$w) * f)
    p <- pmvstable(c(-1, 0.5), c(1, 6), alpha, Q, c(0, 0.5), rel.tol = 1e-6)
    expect_lt(abs(p - true), 6 * attr(p, "abs.error") + 1e-8)
  }
})

test_that("probabilities in the tails have relative accuracy", {
  Q <- matrix(c(1, 0, 0, 1), 2)
  one <- pmvstable(c(1e6, -Inf), Inf, 1.5, Q)
  expect_equal(as.numeric(one), pstable(1e6, 1.5, 0, lower.tail = FALSE), tolerance = 1e-12)
  # both exceed t: t^-alpha times E[min(G1, G2)^alpha; G > 0] in units of E[G1^alpha; G1 > 0]
  both <- pmvstable(c(1e6, 1e6), Inf, 1.5, Q, rel.tol = 1e-3)
  angle <- stats::integrate(function(phi) pmin(cos(phi), sin(phi))^1.5, 0, pi / 2)$value
  half <- stats::integrate(function(phi) cos(phi)^1.5, -pi / 2, pi / 2)$value
  expect_equal(both / one, angle / half, tolerance = 5e-3, ignore_attr = TRUE)
})

test_that("boxes without some limits reduce to those of the other components", {
  Q <- diag(c(1, 4, 9)) + 0.5
  whole <- pmvstable(alpha = 1.5, Q = Q)
  expect_identical(as.numeric(whole), 1)
  single <- pmvstable(c(-Inf, -1, -Inf), c(Inf, 3, Inf), 1.5, Q, 1)
  expect_equal(as.numeric(single), diff(pstable(c(-1, 3), 1.5, 0, sqrt(4.5), 1)), tolerance = 1e-13)
  expect_identical(attr(single, "abs.error"), 0)
  expect_identical(as.numeric(pmvstable(c(0, 1, 0), c(1, 1, 1), 1.5, Q)), 0)
  expect_equal(as.numeric(pmvstable(1, 2, 1.5, 4, 0.5)), diff(pstable(1:2, 1.5, 0, 2, 0.5)))
  pair <- pmvstable(c(-Inf, -1, 0), c(Inf, 3, 4), 1.5, Q)
  expect_equal(as.numeric(pair), as.numeric(pmvstable(c(-1, 0), c(3, 4), 1.5, Q[2:3, 2:3])), tolerance = 1e-3)
})

test_that("the integrand is translated, and the seed determines the result", {
  box <- list(lower = c(-1, -2), upper = c(Inf, 1), width = c(Inf, 3), root = chol(matrix(c(2, 1, 1, 2), 2)))
  for (alpha in c(1.5, 2)) {
    f <- get("box_integrand", asNamespace("stablecl"))(box, alpha)
    expect_no_error(gtranslate(f, dim = if (alpha < 2) 3 else 1))
  }
  p <- function(seed) pmvstable(-1, c(1, 2), 1.5, diag(2), rel.tol = 1e-3, seed = seed)
  expect_identical(p(1), p(1))
  expect_false(identical(p(1), p(2)))
  expect_warning(pmvstable(-1, 1, 1.5, diag(8), rel.tol = 1e-9, max.eval = 1e4), class = "gintegrate_warning_status")
})

test_that("linear combinations have the distribution of the projection", {
  Q <- matrix(c(2, 1, 1, 3), 2)
  w <- cbind(a = c(1, 0), b = c(0.5, -2))
  p <- mvstable_projection(w, 1.5, Q, c(1, 2))
  expect_identical(dimnames(p), list(c("a", "b"), c("alpha", "beta", "gamma", "delta")))
  expect_equal(p$gamma, sqrt(c(2, drop(w[, 2] %*% Q %*% w[, 2]))))
  expect_equal(p$delta, c(1, -3.5))
  expect_equal(as.numeric(pmvstable(c(-1, -Inf), c(2, Inf), 1.5, Q, c(1, 2))),
               diff(pstable(c(-1, 2), p$alpha[1], p$beta[1], p$gamma[1], p$delta[1])), tolerance = 1e-12)
  set.seed(1)
  fit <- mvstablefit(rmvstable(100, 1.5, Q), "projection")
  expect_equal(mvstable_projection(w, fit), mvstable_projection(w, fit$alpha, fit$Q, fit$delta))
})

test_that("names of dimensions select elements, rows and columns", {
  Q <- matrix(c(1, 0.5, 0.5, 9), 2, dimnames = list(c("a", "b"), c("a", "b")))
  law <- function(f, ...) f(..., alpha = 1.5, Q = Q, delta = c(b = 2, a = 1))
  at <- data.frame(note = c("x", "y"), b = c(5, 3), a = c(0, 4))
  expected <- dmvstable(cbind(at$a, at$b), 1.5, unname(Q), c(1, 2))
  expect_identical(law(dmvstable, at), expected)
  expect_identical(law(dmvstable, as.matrix(at[-1])), expected)
  expect_identical(law(dmvstable, c(b = 5, a = 0)), expected[1])
  expect_identical(law(dmvstable, unlist(at[1, -1])), expected[1])
  expect_identical(law(dmvstable, cbind(u = at$a, v = at$b)), expected)             # other names: the order counts
  expect_identical(law(mvstable_projection, c(b = 0, a = 2)), mvstable_projection(c(2, 0), 1.5, Q, 1:2))
  w <- rbind(b = 0:1, c = 1, a = 2)
  expect_identical(law(mvstable_projection, w), mvstable_projection(w[c("a", "b"), ], 1.5, Q, 1:2))
  expect_identical(law(pmvstable, c(b = 1, a = -1), c(b = 3, a = 0)), pmvstable(c(-1, 1), c(0, 3), 1.5, Q, 1:2))
  set.seed(1)
  fit <- mvstablefit(law(rmvstable, 100))
  expect_identical(predict(fit, at), predict(fit, cbind(at$a, at$b)))
  spectral <- mvstable_spectral(1.5, rbind(c(a = 1, b = 0), c(0, 1)), c(1, 3))
  expect_identical(mvstable_projection(c(b = 0, a = 1), spectral), mvstable_projection(1:0, spectral))
  expect_error(law(dmvstable, at["b"]), "`x` must name all dimensions or none, but has no 'a'",
               class = "stablecl_error_argument")
})

test_that("invalid arguments are classed errors", {
  refused <- function(expr, words) expect_error(expr, words, fixed = TRUE, class = "stablecl_error_argument")
  refused(pmvstable(0:2, 5, 1.5, diag(2)), "`lower` must be a vector of 2 numbers")
  refused(pmvstable(c(0, 2), c(1, 1), 1.5, diag(2)), "`lower` must not be above `upper`, but element 2 is")
  refused(pmvstable(0, NA, 1.5, diag(2)), "`upper` must be")
  refused(pmvstable(0, 1, 1.5, diag(2), rel.tol = 0), "`rel.tol` must be one positive number")
  refused(pmvstable(0, 1, 1.5, diag(100)),
          "finite limits in 100 dimensions; the integral of its probability is limited")
  refused(mvstable_projection(1:3, 1.5, diag(2)), "`w` must be a vector of 2 finite numbers")
  refused(mvstable_projection(1:2, 1.5), "argument \"Q\" is missing")
})

test_that("points at the ends of the unit interval and small alpha give finite probabilities", {
  for (rho in c(0, 1 - 1e-7)) {
    for (alpha in c(0.02, 0.5, 1.5)) {
      p <- pmvstable(upper = 0, alpha = alpha, Q = matrix(c(1, rho, rho, 1), 2), seed = 1)
      expect_lt(abs(p - 0.25 - asin(rho) / (2 * pi)), max(6 * attr(p, "abs.error"), 1e-9))
    }
  }
  f <- get("box_integrand", asNamespace("stablecl"))(
    list(lower = c(-Inf, -Inf), upper = c(0, 1), width = c(Inf, Inf), root = diag(2)), 0.02)
  ends <- c(0, 1e-300, 0.5, 1 - 1e-16, 1)
  expect_true(all(is.finite(apply(expand.grid(ends, ends, ends), 1, f))))
})

test_that("the probability of a narrow box is its volume times the density", {
  Q <- matrix(c(1, 0.5, 0.5, 1), 2)
  for (alpha in c(0.5, 1.5, 2)) {
    for (e in c(2^-13, 2^-20, 2^-40)) {
      p <- pmvstable(1, 1 + e, alpha, Q)
      expect_equal(as.numeric(p) / e^2, dmvstable(c(1, 1) + e / 2, alpha, Q), tolerance = 5e-4)
    }
  }
})

test_that("probabilities of the most remote boxes follow the power of the tail", {
  Q <- matrix(c(1, 0.5, 0.5, 1), 2)
  near <- pmvstable(1e6, Inf, 1.99, Q) * 1e6^1.99
  for (far in c(1e100, 1e150, 1e152)) expect_equal(pmvstable(far, Inf, 1.99, Q) * far^1.99, near, tolerance = 1e-3)
})

test_that("the seed is that of gintegrate(), which is checked for every box", {
  expect_identical(pmvstable(0, 1, 1.5, diag(2), rel.tol = 1e-3, seed = 0),
                   pmvstable(0, 1, 1.5, diag(2), rel.tol = 1e-3, seed = 0))
  expect_no_error(pmvstable(0, 1, 1.5, diag(2), rel.tol = 1e-3, seed = NULL))
  for (seed in list(-1, 1.5, NA, "a"))
    expect_error(pmvstable(0, 1, 1.5, 1, seed = seed), "`seed`", class = "stablecl_error_argument")
})

test_that("scales of linear combinations neither overflow nor vanish", {
  scale_of <- function(w, Q) mvstable_projection(w, 1.5, Q)$gamma
  expect_equal(scale_of(c(1e-200, 0), diag(2)), 1e-200)
  expect_equal(scale_of(c(3e200, 4e200), diag(2)), 5e200)
  expect_equal(scale_of(c(1e200, 0), 1e-300 * diag(2)), 1e50)
  expect_identical(scale_of(c(0, 0), diag(2)), 0)
  expect_error(mvstable_projection(c(1, NA), 1.5, diag(2)), "must be finite", class = "stablecl_error_argument")
  expect_error(mvstable_projection(1:3, 1.5, diag(2)), "not c(1, 2, 3)", fixed = TRUE)
})
