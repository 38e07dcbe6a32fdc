# Uses of these functions elsewhere in R: the examples of the manual, with results to compare with.

test_that("functions of base R accept the distribution functions", {
  expect_equal(integrate(dstable, -Inf, 2, alpha = 1.5, beta = 0.5, rel.tol = 1e-10)$value, pstable(2, 1.5, 0.5),
               tolerance = 1e-9)
  table <- outer(c(-1, 0, 1), c(0.5, 1, 1.5), dstable, beta = 0.3)
  expect_identical(table[3, 1], dstable(1, 0.5, 0.3))
  expect_equal(optimize(dstable, c(-3, 3), alpha = 1.5, beta = 0.5, maximum = TRUE, tol = 1e-9)$maximum,
               stable_mode(1.5, 0.5), tolerance = 1e-6)
  set.seed(1)
  x <- rstable(200, 1.5, 0.5)
  expect_equal(ks.test(x, "pstable", alpha = 1.5, beta = 0.5, exact = FALSE)$statistic[["D"]],
               stable_gof(x, 1.5, 0.5)["ks", "statistic"])
  curve <- curve(dstable(x, 1.5, 0.5), -3, 3, n = 7)
  expect_identical(curve$y, dstable(-3:3, 1.5, 0.5))
  unlink("Rplots.pdf")
})

test_that("stats4 maximises a likelihood written by hand", {
  skip_if_not_installed("stats4")
  set.seed(2)
  x <- rstable(300, 1.6, 0, 2, 1)
  symmetric <- function(alpha, log_gamma, delta) -sum(dstable(x, alpha, 0, exp(log_gamma), delta, log = TRUE))
  by_hand <- stats4::mle(symmetric, start = list(alpha = 1.5, log_gamma = 0.5, delta = 0.5),
                          method = "L-BFGS-B", lower = c(0.1, -Inf, -Inf), upper = c(2, Inf, Inf))
  fit <- stablefit(x, fixed = list(beta = 0))
  expect_equal(-by_hand@min, fit$loglik, tolerance = 1e-8)
  expect_equal(by_hand@coef[["alpha"]], coef(fit)[["alpha"]], tolerance = 1e-3)
})

test_that("ggplot2 plots the density", {
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::ggplot(data.frame(x = c(-5, 5)), ggplot2::aes(x)) +
    ggplot2::stat_function(fun = dstable, args = list(alpha = 1.5, beta = 0.5), n = 51)
  drawn <- ggplot2::layer_data(picture)
  expect_identical(drawn$y, dstable(drawn$x, 1.5, 0.5))
  expect_identical(range(drawn$x), c(-5, 5))
})

test_that("columns of data frames are valid arguments", {
  skip_if_not_installed("dplyr")
  laws <- data.frame(x = 1:4, alpha = c(0.5, 1, 1.5, 2), beta = c(0, 0.5, -0.5, 1))
  expect_identical(dplyr::mutate(laws, density = dstable(x, alpha, beta))$density,
                   dstable(laws$x, laws$alpha, laws$beta))
})

test_that("fitdistrplus finds the same maximum, starting at the quantile estimate", {
  skip_if_not_installed("fitdistrplus")
  set.seed(3)
  x <- rstable(300, 1.6, 0.3)
  start <- as.list(coef(stablefit(x, "quantile")))
  general <- fitdistrplus::fitdist(x, "stable", start = start, fix.arg = list(pm = 0, precision = "double"),
                                   lower = c(0.1, -1, 1e-6, -Inf), upper = c(2, 1, Inf, Inf))
  expect_equal(general$loglik, stablefit(x)$loglik, tolerance = 1e-6)
})

# A GARCH model with stable innovations (Liu and Brorsen 1995; Mittnik and Paolella 2003): the scale s follows
# s_t = omega + a |e_{t-1}| + b s_{t-1}, and e_t / s_t is stable with location 0.
garch_scale <- function(e, omega, a, b) {
  shock <- omega + a * abs(c(mean(abs(e)), e[-length(e)]))
  c(stats::filter(shock, b, "recursive", init = mean(abs(e))))
}

garch_loglik <- function(p, e) {
  sum(dstable(e, p[[4]], p[[5]], gamma = garch_scale(e, p[[1]], p[[2]], p[[3]]), log = TRUE))
}

garch_draw <- function(n, p) {
  z <- rstable(n, p[[4]], p[[5]])
  e <- s <- numeric(n)
  s[1] <- p[[1]] / (1 - p[[3]] - p[[2]])
  for (t in seq_len(n)) {
    if (t > 1) s[t] <- p[[1]] + p[[2]] * abs(e[t - 1]) + p[[3]] * s[t - 1]
    e[t] <- s[t] * z[t]
  }
  e
}

test_that("a GARCH model with stable innovations can be fitted", {
  truth <- c(omega = 0.04, a = 0.06, b = 0.85, alpha = 1.75, beta = -0.3)
  set.seed(5)
  e <- garch_draw(3000, truth)
  fit <- nlminb(c(0.1, 0.1, 0.7, 1.6, 0), function(p) -garch_loglik(p, e),
                lower = c(1e-4, 1e-4, 0, 1.1, -0.99), upper = c(Inf, 1, 0.999, 1.999, 0.99))
  expect_identical(fit$convergence, 0L)
  expect_gte(-fit$objective, garch_loglik(truth, e))
  expect_lt(-fit$objective - garch_loglik(truth, e), qchisq(0.999, 5) / 2)
  scale <- garch_scale(e, fit$par[1], fit$par[2], fit$par[3])
  p <- pstable(e, fit$par[4], fit$par[5], gamma = scale)
  expect_gt(ks.test(p, "punif")$p.value, 0.01)
  at_risk <- qstable(0.01, fit$par[4], fit$par[5], gamma = scale)
  expect_gt(binom.test(sum(e < at_risk), length(e), 0.01)$p.value, 0.01)
})

# Functions with the names and arguments that package rugarch expects.
ddist <- function(y, mu, sigma, skew, shape) dstable(y, shape, skew, sigma, mu)
pdist <- function(q, mu, sigma, skew, shape) pstable(q, shape, skew, sigma, mu)
qdist <- function(p, mu, sigma, skew, shape) qstable(p, shape, skew, sigma, mu)

test_that("density, probability and quantile are consistent with other names and arguments", {
  q <- qdist(c(0.01, 0.5, 0.99), 1, 2, -0.3, c(1.2, 1.5, 1.9))
  expect_equal(pdist(q, 1, 2, -0.3, c(1.2, 1.5, 1.9)), c(0.01, 0.5, 0.99), tolerance = 1e-12)
  slope <- (pdist(q + 1e-5, 1, 2, -0.3, 1.5) - pdist(q - 1e-5, 1, 2, -0.3, 1.5)) / 2e-5
  expect_equal(ddist(q, 1, 2, -0.3, 1.5), slope, tolerance = 1e-6)
})

# Fits a sample that is read in parts; maximum likelihood needs only sums over the parts.  `parts`: functions that
# return one part each; `theta`: a starting value, such as a fit of one part.
fit_in_parts <- function(parts, theta) {
  for (passes in 1:50) {
    sums <- 0
    for (read in parts) {
      q <- stable_quick(read(), theta[[1]], theta[[2]], theta[[3]], theta[[4]])
      sums <- sums + c(colSums(q), crossprod(q[, -1]))
    }
    gradient <- sums[2:5]
    information <- matrix(sums[-(1:5)], 4)
    step <- solve(information, gradient)
    theta <- theta + step
    if (sum(step * gradient) < 1e-10) break
  }
  list(coefficients = theta, vcov = solve(information), loglik = sums[[1]], passes = passes)
}

test_that("a sample that is read in parts has the same fit as the whole sample", {
  skip_if_not_installed("data.table")
  set.seed(6)
  x <- rstable(60000, 1.7, 0.4, 3, 1)
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  data.table::fwrite(data.frame(x = x), file, scipen = 0)
  parts <- lapply(0:3, function(k) function() data.table::fread(file, skip = 1 + 15000 * k, nrows = 15000,
                                                                header = FALSE)[[1]])
  whole <- stablefit(unlist(lapply(parts, function(read) read())))
  fit <- fit_in_parts(parts, coef(stablefit(parts[[1]](), "quantile")))
  expect_lt(max(abs(fit$coefficients - coef(whole)) / sqrt(diag(vcov(whole)))), 1e-4)
  expect_equal(fit$loglik, whole$loglik, tolerance = 1e-10)
  expect_lte(fit$passes, 8)
  expect_equal(sqrt(diag(fit$vcov)), unname(sqrt(diag(vcov(whole)))), tolerance = 0.05)
})
