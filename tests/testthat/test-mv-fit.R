# Fits of elliptically contoured stable distributions: recovery, maxima, equivariance, standard errors, methods.

shape_of <- function(dim, seed) {
  set.seed(seed)
  crossprod(matrix(rnorm(dim^2), dim)) / dim + diag(dim)
}
mv_sample_of <- function(n, alpha, Q, delta, seed = 1) {
  set.seed(seed)
  rmvstable(n, alpha, Q, delta)
}
loglik_at <- function(x, alpha, Q, delta) sum(dmvstable(x, alpha, Q, delta, log = TRUE))

test_that("in one dimension the fit is the symmetric one of stablefit()", {
  for (alpha in c(0.8, 1.5, 1.9)) {
    set.seed(3)
    x <- rstable(400, alpha, 0, 2, -1)
    one <- stablefit(x, fixed = list(beta = 0))
    fit <- mvstablefit(x)
    expect_equal(unname(c(fit$alpha, sqrt(fit$Q), fit$delta)), unname(coef(one)[c("alpha", "gamma", "delta")]),
                 tolerance = 1e-5)
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(one)), tolerance = 1e-10)
  }
})

test_that("the fit is a maximum of the likelihood in all parameters", {
  Q <- shape_of(3, 1)
  for (alpha in c(0.6, 1.4, 1.93)) {
    x <- mv_sample_of(300, alpha, Q, c(1, 0, -5))
    fit <- mvstablefit(x)
    expect_true(fit$convergence$converged)
    expect_equal(fit$loglik, loglik_at(x, fit$alpha, fit$Q, fit$delta), tolerance = 1e-11)
    expect_gt(fit$loglik, loglik_at(x, alpha, Q, c(1, 0, -5)))
    s <- sqrt(diag(vcov(fit)))
    theta <- coef(fit)
    for (k in seq_along(theta)) for (sign in c(-1, 1)) {
      new <- replace(theta, k, theta[k] + sign * 0.02 * s[k])
      shape <- matrix(0, 3, 3)
      shape[lower.tri(shape, TRUE)] <- new[5:10]
      shape <- shape + t(shape) - diag(diag(shape))
      expect_lt(loglik_at(x, new[[1]], shape, new[2:4]), fit$loglik)
    }
  }
})

test_that("with alpha = 1 the estimates are those of the multivariate t distribution with one degree of freedom", {
  x <- mv_sample_of(500, 1, shape_of(2, 2), c(0, 3))
  fit <- mvstablefit(x, fixed = list(alpha = 1))
  # the fixed point of the EM algorithm for t: weights (d + 1)/(1 + r^2)
  r2 <- stats::mahalanobis(x, fit$delta, fit$Q)
  w <- 3 / (1 + r2)
  expect_equal(unname(fit$delta), colSums(w * x) / sum(w), tolerance = 1e-5)
  z <- sweep(x, 2, fit$delta)
  expect_equal(unname(fit$Q), crossprod(z * sqrt(w)) / 500, tolerance = 1e-5)
  expect_equal(predict(fit, type = "weight"), w, tolerance = 1e-12)
  expect_identical(fit$alpha, 1)
  expect_identical(attr(logLik(fit), "df"), 5)
  expect_true(is.na(vcov(fit)[1, 1]))
  expect_identical(dim(vcov(fit, complete = FALSE)), c(5L, 5L))
})

test_that("normal data give alpha = 2 and the moments", {
  set.seed(4)
  x <- matrix(stats::runif(600), 200) %*% shape_of(3, 3)
  fit <- mvstablefit(x)
  expect_identical(fit$alpha, 2)
  expect_equal(unname(fit$delta), colMeans(x))
  expect_equal(unname(2 * fit$Q), stats::cov(x) * 199 / 200, tolerance = 1e-12)
  expect_match(fit$notes, "bound 2")
  V <- vcov(fit)
  expect_equal(unname(V[2:4, 2:4]), unname(2 * fit$Q / 200), tolerance = 1e-8)
  expect_equal(V["Q[2,1]", "Q[2,1]"], (fit$Q[1, 1] * fit$Q[2, 2] + fit$Q[1, 2]^2) / 200, tolerance = 1e-8)
  expect_true(all(is.na(V[1, ])))
  expect_equal(mvstablefit(x, fixed = list(alpha = 2))$loglik, fit$loglik)
})

test_that("estimates follow affine transformations of the data", {
  x <- mv_sample_of(250, 1.3, shape_of(3, 5), 1:3)
  B <- matrix(c(2, 1, 0, 0.3, -4, 1, 1e3, 2, 7), 3)
  fit <- mvstablefit(x)
  moved <- mvstablefit(x %*% B + rep(c(1, 1e4, 0), each = 250))
  expect_equal(moved$alpha, fit$alpha, tolerance = 1e-6)
  expect_equal(moved$Q, crossprod(B, fit$Q %*% B), tolerance = 1e-4)
  expect_equal(moved$loglik, fit$loglik - 250 * log(abs(det(B))), tolerance = 1e-9)
})

test_that("standard errors are those of repeated samples", {
  Q <- matrix(c(1, 0.6, 0.6, 2), 2)
  set.seed(6)
  estimates <- t(replicate(30, coef(mvstablefit(rmvstable(150, 1.5, Q, c(0, 1))))))
  fit <- mvstablefit(rmvstable(150, 1.5, Q, c(0, 1)))
  ratio <- apply(estimates, 2, stats::sd) / sqrt(diag(vcov(fit)))
  expect_true(all(ratio > 0.6 & ratio < 1.6))
  expect_lt(max(abs(colMeans(estimates) - c(1.5, 0, 1, 1, 0.6, 2)) / sqrt(diag(vcov(fit)))), 0.7)
  # against the covariance of numerical scores at the true parameters
  x <- rmvstable(20000, 1.5, Q, c(0, 1))
  theta <- c(1.5, 0, 1, 1, 0.6, 2)
  density <- function(p) dmvstable(x, p[1], matrix(p[c(4, 5, 5, 6)], 2), p[2:3], log = TRUE)
  scores <- vapply(1:6, function(k) (density(replace(theta, k, theta[k] + 1e-4)) -
                                       density(replace(theta, k, theta[k] - 1e-4))) / 2e-4, numeric(20000))
  fit$alpha <- 1.5
  fit$Q <- Q
  fit$nobs <- 20000
  fit$information <- get("radial_information", asNamespace("stablecl"))(1.5, 2, FALSE)
  expect_equal(vcov(fit), solve(crossprod(scores)), tolerance = 0.05, ignore_attr = TRUE)
})

test_that("a hundred dimensions are fitted", {
  skip_on_cran()
  Q <- 0.5 + diag(100)
  x <- mv_sample_of(600, 1.6, Q, 0)
  fit <- mvstablefit(x)
  expect_true(fit$convergence$converged)
  expect_lt(abs(fit$alpha - 1.6), 5 * summary(fit)$se.alpha)
  expect_lt(sqrt(mean((fit$Q - Q)^2)), 0.2)
  expect_gt(fit$loglik, loglik_at(x, 1.6, Q, 0))
})

test_that("projections recover the parameters", {
  Q <- shape_of(4, 7)
  x <- mv_sample_of(4000, 1.5, Q, 1:4)
  fit <- mvstablefit(x, "projection")
  expect_equal(fit$alpha, 1.5, tolerance = 0.05)
  expect_lt(norm(fit$Q - Q, "F") / norm(Q, "F"), 0.12)
  expect_lt(fit$loglik, mvstablefit(x)$loglik)
  expect_true(all(is.na(vcov(fit))))
  expect_identical(fit$convergence$converged, NA)
})

test_that("methods of R's generics work", {
  x <- mv_sample_of(200, 1.5, matrix(c(1, 0.5, 0.5, 2), 2), 0)
  colnames(x) <- c("a", "b")
  fit <- mvstablefit(x)
  expect_named(coef(fit), c("alpha", "delta[a]", "delta[b]", "Q[a,a]", "Q[b,a]", "Q[b,b]"))
  expect_identical(rownames(confint(fit)), names(coef(fit)))
  expect_identical(nobs(fit), 200L)
  expect_equal(AIC(fit), 2 * 6 - 2 * fit$loglik)
  expect_equal(predict(fit), dmvstable(x, fit$alpha, fit$Q, fit$delta), tolerance = 1e-12)
  expect_equal(predict(fit, c(1, 2), log = TRUE), dmvstable(c(1, 2), fit$alpha, fit$Q, fit$delta, log = TRUE))
  expect_equal(predict(fit, type = "distance")^2, stats::mahalanobis(x, fit$delta, fit$Q), tolerance = 1e-10)
  s <- summary(fit)
  expect_equal(s$se.Q[2, 1]^2, vcov(fit)["Q[b,a]", "Q[b,a]"], tolerance = 1e-12)
  expect_equal(s$se.alpha^2, vcov(fit)[1, 1])
  expect_output(print(s), "Correlation matrix")
  expect_output(print(fit), "shape matrix Q")
  expect_output(print(fit), "6 free parameters")
  one <- simulate(fit, 2, seed = 5)
  expect_identical(one, simulate(fit, 2, seed = 5))
  expect_identical(lapply(one, dim), list(sim_1 = c(200L, 2L), sim_2 = c(200L, 2L)))
  expect_identical(update(fit, fixed = list(alpha = 1))$alpha, 1)
  missing <- x
  missing[3, 2] <- NA
  expect_identical(nobs(mvstablefit(missing)), 199L)
  expect_equal(coef(mvstablefit(as.data.frame(x))), coef(fit))
})

test_that("invalid samples and arguments are classed errors", {
  x <- mv_sample_of(50, 1.5, diag(2), 0)
  data_error <- function(expr, words) expect_error(expr, words, class = "stablecl_error_data")
  data_error(mvstablefit(letters), "numeric matrix or data frame")
  data_error(mvstablefit(data.frame(x, group = rep(letters[1:2], 25))), "Column `group` of `x` must be numeric")
  data_error(mvstablefit(rbind(x, Inf)), "row 51 is not")
  data_error(mvstablefit(x[1:5, ]), "at least 8 observations; `x` has 5")
  data_error(mvstablefit(cbind(x, 1)), "column 3 of `x` are equal")
  data_error(mvstablefit(cbind(x, x[, 1] + 2 * x[, 2])), "linearly dependent")
  argument_error <- function(expr, words) expect_error(expr, words, class = "stablecl_error_argument")
  argument_error(mvstablefit(x, "ecf"), "`method` must be one of")
  argument_error(mvstablefit(x, fixed = list(beta = 0)), "`fixed` may contain `alpha` only")
  argument_error(mvstablefit(x, fixed = list(alpha = 3)), "alpha")
  argument_error(mvstablefit(x, control = list(steps = 3)), "`control` must be a named list")
  argument_error(mvstablefit(x, control = list(maxit = 0)), "`control[$]maxit` must be one positive number")
  expect_warning(mvstablefit(x, control = list(maxit = 1)), class = "stablecl_warning_convergence")
  fit <- mvstablefit(x)
  argument_error(predict(fit, 1:3), "`newdata` must be a numeric matrix with 2 columns")
  argument_error(predict(fit, data.frame(a = "1", b = "2")), "`newdata` must be a numeric matrix with 2 columns")
  argument_error(predict(fit, structure(1, class = "stable_data")), "`newdata` must be a numeric matrix with 2 columns")
  argument_error(predict(fit, kind = "distance"), "unused argument")
  argument_error(simulate(fit, -1), "nsim")
})

test_that("confidence intervals are within the parameter space, of known parameters, and need no covariance matrix", {
  set.seed(3)
  x <- rmvstable(150, 1.95, Q = matrix(c(2, 0.5, 0.5, 1), 2))
  fit <- mvstablefit(x)
  ci <- confint(fit)
  expect_identical(rownames(ci), names(coef(fit)))
  expect_true(ci["alpha", 2] <= 2 && all(ci[c("Q[1,1]", "Q[2,2]"), 1] > 0))
  sd <- sqrt(diag(vcov(fit)))
  off <- c("delta[1]", "delta[2]", "Q[2,1]")
  expect_equal(ci[off, 2], coef(fit)[off] + qnorm(0.975) * sd[off])
  expect_equal(log(ci["Q[1,1]", 2] / coef(fit)[["Q[1,1]"]]), qnorm(0.975) * sd[["Q[1,1]"]] / coef(fit)[["Q[1,1]"]],
               ignore_attr = TRUE)
  expect_identical(confint(fit, 1, level = 0.9), confint(fit, "alpha", level = 0.9))
  expect_error(confint(fit, "zz"), "zz", class = "stablecl_error_argument")
  expect_error(confint(fit, level = 2), "level", class = "stablecl_error_argument")
  expect_error(confint(fit, method = "profile"), "method", class = "stablecl_error_argument")
})

test_that("outliers whose squares are beyond the range of numbers are fitted", {
  set.seed(31)
  x <- rmvstable(150, 1.5, matrix(c(2, 1, 1, 3), 2))
  few <- list(maxit = 3)
  for (outlier in c(1e155, 1e300)) {
    fit <- suppressWarnings(mvstablefit(rbind(x, c(outlier, 1)), control = few))
    expect_identical(fit$convergence$iterations, 3L)
    expect_equal(as.numeric(logLik(fit)), sum(dmvstable(fit$data, fit, log = TRUE)), tolerance = 1e-10)
    expect_equal(fit$Q[1, 2] / sqrt(fit$Q[1, 1] * fit$Q[2, 2]), 1 / sqrt(6), tolerance = 0.4)
  }
  expect_error(mvstablefit(rbind(x, c(1e200, 1)), fixed = list(alpha = 2)), "squares of the largest values",
               class = "stablecl_error_data")
})

test_that("equal values in a column give no warning about fits of the columns", {
  set.seed(32)
  expect_no_warning(mvstablefit(round(rmvstable(200, 1.5, diag(2)))))
})

test_that("searches that approach the normal distribution, or converge linearly, take few steps", {
  for (dim in 2:5) {
    set.seed(dim)
    x <- matrix(rnorm(300 * dim), 300)
    fit <- mvstablefit(x)
    expect_identical(fit$alpha, 2)
    expect_equal(fit$Q, cov(x) * 299 / 600, tolerance = 1e-12)
    expect_lt(fit$convergence$iterations, 12)
  }
  x[1, 1] <- 1e200
  fit <- mvstablefit(x)
  expect_true(fit$convergence$converged)
  expect_lt(fit$convergence$iterations, 15)
})

test_that("a covariance matrix that is singular up to rounding is an error for alpha = 2", {
  set.seed(33)
  x <- rbind(matrix(rnorm(100), 50), c(1e100, 1e100))
  expect_error(mvstablefit(x, fixed = list(alpha = 2)), "singular up to rounding", class = "stablecl_error_data")
})

test_that("expected values do not depend on the range and the step of the quadrature", {
  stablecl <- asNamespace("stablecl")
  for (dim in c(2, 10, 50)) {
    for (alpha in c(0.1, 0.3, 0.9)) {
      information <- stablecl$radial_information(alpha, dim, FALSE)
      law <- stablecl$radial_law_of(alpha, dim)
      step <- min(0.05, 0.25 / sqrt(dim)) / 2
      x <- seq(law$centre$to - 80 / dim - 5, log(dim) / 2 + 6 + 60 / alpha, by = step)
      log_g <- stablecl$radial_log_density(law, x)
      p <- step * exp(log(2) + dim / 2 * log(pi) - lgamma(dim / 2) + dim * x + log_g)
      w <- exp(stablecl$log_weight(alpha, dim, x, log_g) + 2 * x)
      expect_equal(sum(p), 1, tolerance = 1e-9)
      expect_equal(information$kappa, sum(p * w^2) / (dim * (dim + 2)), tolerance = 1e-8)
      expect_equal(information$lambda, sum(p * w^2 * exp(-2 * x)) / dim, tolerance = 1e-8)
    }
  }
})

test_that("a sample with small alpha in many dimensions is fitted", {
  set.seed(4)
  x <- rmvstable(200, 0.3, diag(20))
  fit <- mvstablefit(x)
  expect_true(fit$convergence$converged)
  expect_gt(as.numeric(logLik(fit)), sum(dmvstable(x, 0.3, diag(20), log = TRUE)))
})

test_that("columns with many equal values are fitted from their quantiles", {
  set.seed(2)
  x <- rmvstable(300, 1.2, diag(5))
  x[1:120, ] <- 0
  expect_no_warning(fit <- mvstablefit(x, "projection"))
  expect_true(all(diag(fit$Q) > 1e-3 & diag(fit$Q) < 1))
  expect_warning(mvstablefit(x, control = list(maxit = 2)), "2 steps", class = "stablecl_warning_convergence")
})

test_that("samples without columns are errors, and weights at infinity are limits", {
  for (f in list(mvstablefit, mvspectralfit))
    expect_error(f(matrix(0, 10, 0)), "at least one column", class = "stablecl_error_data")
  set.seed(5)
  x <- rmvstable(100, 1.5, diag(2))
  expect_identical(predict(mvstablefit(x), c(1, Inf), "weight"), 0)
  expect_identical(predict(mvstablefit(x, fixed = list(alpha = 2)), rbind(c(1e200, 1), NA), "weight"), c(0.5, NA))
})
