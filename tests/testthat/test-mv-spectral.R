# Stable distributions with a discrete spectral measure: projections, random vectors, estimates.

spectral_example <- function(alpha) {
  s <- rbind(c(1, 0, 0), c(1, 1, 0), c(-1, 2, 2), c(0.1, -3, 1), c(0, 0, -1))
  mvstable_spectral(alpha, s, c(1, 0.5, 2, 0, 0.7), c(1, -0.4, 0.8, 1, 0), c(1, -2, 0.5))
}

# The characteristic function at u, as in the definition, from the masses, with the location vector of the usual
# parametrisation, which is derived from the locations of the components.
textbook_cf <- function(law, u) {
  alpha <- law$alpha
  power <- abs(law$directions)^alpha
  gamma <- colSums(law$mass * power)^(1 / alpha)
  skew <- colSums(law$mass * law$beta * sign(law$directions) * power) * gamma^(1 - alpha)      # beta gamma
  product <- drop(law$directions %*% u)
  log_of <- function(r) ifelse(r == 0, 0, log(abs(r)))
  if (alpha == 1) {
    own <- colSums(law$mass * law$beta * law$directions * log_of(law$directions))
    location <- law$delta - 2 / pi * (skew * log(gamma) - own)
    factor <- 1 + 2i / pi * law$beta * sign(product) * log_of(product)
  } else {
    location <- law$delta - skew * tan(pi * alpha / 2)
    factor <- 1 - 1i * law$beta * sign(product) * tan(pi * alpha / 2)
  }
  exp(1i * sum(u * location) - sum(law$mass * abs(product)^alpha * factor))
}

weights_of_three <- cbind(c(1, 0, 0), c(0, 1, 0), c(0, 0, 1), c(1, 1, 1), c(0.3, -2, 1), c(-1, 1, 0), c(-0.2, 0.1, 0.4))

test_that("projections agree with the characteristic function of the spectral measure", {
  for (alpha in c(0.3, 0.8, 1, 1.2, 1.7, 2)) {
    law <- spectral_example(alpha)
    p <- mvstable_projection(weights_of_three, law)
    for (k in seq_len(ncol(weights_of_three))) for (t in c(0.2, 1, 3))
      expect_lt(Mod(stable_cf(t, alpha, p$beta[k], p$gamma[k], p$delta[k]) -
                      textbook_cf(law, t * weights_of_three[, k])), 1e-13)
    expect_equal(p$delta[1:3], law$delta, tolerance = 1e-13)
  }
})

test_that("projections are continuous in alpha at 1 and exact next to it", {
  at <- function(alpha) mvstable_projection(weights_of_three, spectral_example(alpha))
  for (e in c(-1, 1) * 1e-7) {
    expect_lt(max(abs(as.matrix(at(1 + e) - at(1))[, -1])), 1e-6)
    # differences of second order, to which cancellation would add 1e-16/e
    expect_lt(max(abs(as.matrix(at(1 + e) + at(1 - e) - 2 * at(1)))), 1e-12)
  }
})

test_that("components with directions along the axes are independent, and have their own parameters", {
  for (alpha in c(0.6, 1, 1.6)) {
    law <- mvstable_spectral(alpha, diag(3), c(1, 2, 0.1)^alpha, c(1, -0.5, 0), c(3, 0, -1))
    expect_equal(mvstable_projection(diag(3), law),
                 data.frame(alpha = alpha, beta = c(1, -0.5, 0), gamma = c(1, 2, 0.1), delta = c(3, 0, -1)))
    set.seed(1)
    x <- rmvstable(4000, law)
    set.seed(1)
    expect_equal(x[, 2], rstable(12000, alpha, c(1, -0.5, 0), c(1, 2, 0.1), c(3, 0, -1))[3 * (1:4000) - 1])
    for (k in 1:3) expect_lt(abs(stats::cor(rank(x[, k]), rank(x[, k %% 3 + 1]))), 4 / sqrt(4000))
  }
})

test_that("a measure may be described in several ways", {
  w <- cbind(c(1, 0.3), c(-2, 1), c(0, 1))
  for (alpha in c(0.7, 1, 1.4)) {
    law <- mvstable_spectral(alpha, c(0.4, 1.5), c(1, 2), c(0.5, 0))
    whole <- mvstable_projection(w, law)
    # masses at s and -s in place of beta, and a mass in two parts
    s <- rbind(law$directions, -law$directions, law$directions[2, ])
    expect_equal(mvstable_projection(w, mvstable_spectral(alpha, s, c(0.75, 0.5, 0.25, 1, 0.5))), whole)
    # lengths of directions do not matter
    expect_equal(mvstable_projection(w, mvstable_spectral(alpha, 1e200 * law$directions, c(1, 2), c(0.5, 0))), whole)
    # components in other units
    size <- c(3, -0.2)
    s <- law$directions * rep(size, each = 2)
    scaled <- mvstable_spectral(alpha, s, c(1, 2) * sqrt(rowSums(s^2))^alpha, c(0.5, 0))
    expect_equal(mvstable_projection(w / size, scaled), whole)
  }
})

test_that("equal masses on a circle approach the isotropic distribution", {
  w <- rbind(cos(0:6), sin(0:6))
  error <- function(n, alpha) {
    mean_power <- gamma((alpha + 1) / 2) / (sqrt(pi) * gamma(alpha / 2 + 1))         # of |cos(angle)|^alpha
    law <- mvstable_spectral(alpha, 2 * pi * seq_len(n) / n, 1 / (n * mean_power), delta = c(1, 2))
    max(abs(as.matrix(mvstable_projection(w, law) - mvstable_projection(w, alpha, diag(2), c(1, 2)))))
  }
  for (alpha in c(0.7, 1, 1.5)) {
    expect_lt(error(400, alpha), c(0.002, 5e-4, 1e-4)[match(alpha, c(0.7, 1, 1.5))])
    expect_lt(error(400, alpha), error(40, alpha) / 10)
  }
  expect_lt(error(8, 2), 1e-14)
})

test_that("random vectors have the characteristic function of the measure, and their projections the stated laws", {
  n <- 1e5
  for (alpha in c(0.6, 1, 1.3, 1.9, 2)) {
    law <- spectral_example(alpha)
    set.seed(7)
    x <- rmvstable(n, law)
    for (k in seq_len(ncol(weights_of_three))) {
      w <- weights_of_three[, k]
      p <- mvstable_projection(w, law)
      y <- drop(x %*% w)
      expect_lt(Mod(mean(exp(1i * y / p$gamma)) - textbook_cf(law, w / p$gamma)), 5 / sqrt(n))
      expect_gt(suppressWarnings(stats::ks.test(y, "pstable", alpha, p$beta, p$gamma, p$delta))$p.value, 1e-4)
    }
  }
})

test_that("samples depend on the seed only, are continuous in alpha, and longer ones begin with shorter ones", {
  sample_of <- function(n, alpha = 1.5) {
    set.seed(1)
    rmvstable(n, spectral_example(alpha))
  }
  x <- sample_of(50)
  expect_identical(dim(x), c(50L, 3L))
  expect_equal(sample_of(1000)[1:50, ], x, tolerance = 1e-13)
  expect_equal(sample_of(50, 1 + 1e-9), sample_of(50, 1), tolerance = 1e-6)
  rmvstable(10, spectral_example(1.5))
  after <- .Random.seed
  sample_of(10)
  rstable(10, 1.5, 0)
  expect_identical(.Random.seed, after)
  # variates beyond the largest number do not make missing values
  expect_false(anyNA(rmvstable(1000, mvstable_spectral(0.005, diag(2), 1))))
  expect_identical(dim(rmvstable(0, spectral_example(1))), c(0L, 3L))
})

test_that("names follow the directions or the location, and printing shows the measure", {
  law <- mvstable_spectral(1.5, data.frame(a = c(1, 3), b = c(0, 4)), c(1, 0))
  expect_identical(colnames(rmvstable(2, law)), c("a", "b"))
  expect_equal(law$directions[2, ], c(a = 0.6, b = 0.8))
  expect_identical(colnames(rmvstable(2, mvstable_spectral(1.5, pi, 1, delta = c(u = 1, v = 2)))), c("u", "v"))
  expect_identical(mvstable_spectral(1.5, pi / 2, 1)$directions, rbind(c(0, 1)))
  expect_output(print(law), "2 dimensions, 1 direction\n")
  expect_output(print(spectral_example(1.5)), "5 +0[.]0000 +0[.]0000 -1[.]0000 +0[.]7 +0[.]0")
  expect_output(print(mvspectralfit(rmvstable(100, spectral_example(1.5)))),
                "fitted to 100 observations.*Call: mvspectralfit.*13 projections: largest relative difference")
  expect_identical(rownames(mvstable_projection(cbind(a = 1:2, 1:2, 3:4), 1.5, diag(2))), c("a", "2", "3"))
})

test_that("fits of elliptical distributions are accepted in place of their parameters", {
  set.seed(3)
  fit <- mvstablefit(rmvstable(100, 1.5, diag(2)), "projection")
  expect_equal(dmvstable(1:2, fit), dmvstable(1:2, fit$alpha, fit$Q, fit$delta))
  expect_equal(pmvstable(0, 1, fit), pmvstable(0, 1, fit$alpha, fit$Q, fit$delta))
  set.seed(1)
  x <- rmvstable(5, fit)
  set.seed(1)
  expect_equal(rmvstable(5, fit$alpha, fit$Q, fit$delta), x)
})

test_that("masses are estimated from large samples", {
  set.seed(11)
  angles <- (0:5) * pi / 3
  for (alpha in c(0.8, 1, 1.3, 1.7)) {
    law <- mvstable_spectral(alpha, angles[c(1, 2, 4)], c(1, 2, 0.5), delta = c(10, -5))
    fit <- mvspectralfit(rmvstable(20000, law), angles)
    expect_lt(abs(fit$alpha - alpha), 0.03)
    expect_lt(max(abs(fit$mass - c(1, 2, 0, 0.5, 0, 0))), 0.12)
    expect_lt(max(abs(fit$delta - law$delta)), 0.12)
    expect_lt(max(abs(fit$misfit$gamma.fitted / fit$misfit$gamma - 1)), 0.02)
    expect_lt(max(abs(fit$misfit$beta.fitted - fit$misfit$beta)), 0.05)
    expect_true(all(fit$misfit$converged))
  }
})

test_that("projections are estimated with directions by default, in two and three dimensions", {
  set.seed(12)
  # two directions are not among the default ones
  for (alpha in c(1, 1.5)) {
    law <- mvstable_spectral(alpha, c(0, 1, 2.5), c(1, 3, 1), c(1, -1, 0))
    fit <- mvspectralfit(rmvstable(20000, law))
    w <- rbind(cos(1:12), sin(1:12))
    true <- mvstable_projection(w, law)
    own <- mvstable_projection(w, fit)
    expect_lt(max(abs(own$gamma / true$gamma - 1)), if (alpha == 1) 0.12 else 0.03)
    expect_lt(max(abs(own$beta - true$beta)), 0.06)
    expect_lt(max(abs(own$delta - true$delta) / true$gamma), if (alpha == 1) 0.12 else 0.05)
  }
  law <- mvstable_spectral(1.5, rbind(diag(3), c(1, 1, 1), c(-1, 0, 1)), c(1, 1, 0.5, 3, 1))
  fit <- mvspectralfit(rmvstable(20000, law))
  expect_identical(dim(fit$directions), c(26L, 3L))
  expect_identical(dim(fit$projections), c(3L, 13L))
  true <- mvstable_projection(weights_of_three, law)
  own <- mvstable_projection(weights_of_three, fit)
  expect_lt(max(abs(own$gamma / true$gamma - 1)), 0.05)
  expect_lt(max(abs(own$beta - true$beta)), 0.1)
})

test_that("in one dimension the estimate is that of stablefit() for the estimated alpha", {
  set.seed(13)
  x <- rstable(500, 1.4, 0.3, 2, 1)
  fit <- mvspectralfit(x)
  one <- coef(stablefit(x, fixed = list(alpha = fit$alpha)))
  expect_equal(fit$alpha, coef(stablefit(x))[["alpha"]], tolerance = 1e-6)
  expect_equal(unlist(mvstable_projection(1, fit)), one, tolerance = 1e-5)
})

test_that("estimates follow the units of the components, and alpha may be fixed", {
  set.seed(14)
  x <- rmvstable(1000, mvstable_spectral(1.3, c(0, 1, 4), c(1, 2, 1)))
  colnames(x) <- c("a", "b")
  fit <- mvspectralfit(x)
  moved <- mvspectralfit(x %*% diag(c(1e3, 0.01)) + rep(c(5, -7), each = 1000))
  w <- rbind(cos(1:5), sin(1:5))
  expected <- mvstable_projection(w, fit)
  expected$delta <- expected$delta + colSums(w / c(1e3, 0.01) * c(5, -7))
  expect_equal(mvstable_projection(w / c(1e3, 0.01), moved), expected, tolerance = 1e-4)
  expect_named(fit$delta, c("a", "b"))
  expect_identical(colnames(fit$directions), c("a", "b"))
  expect_identical(mvspectralfit(x, fixed = list(alpha = 1))$alpha, 1)
  expect_equal(mvspectralfit(as.data.frame(x), 48)$mass, fit$mass)
  expect_equal(mvspectralfit(rbind(x, NA))$mass, fit$mass)
})

test_that("remote observations serve as directions", {
  set.seed(15)
  law <- mvstable_spectral(1.2, rbind(diag(6), 1), c(1, 1, 1, 1, 1, 1, 4))
  x <- rmvstable(5000, law)
  fit <- mvspectralfit(x, x[order(-rowSums(x^2))[1:60], ])
  w <- cbind(rep(1, 6), c(1, -1, 0, 0, 0, 0), c(1, 1, 1, -1, -1, -1))
  expect_lt(max(abs(mvstable_projection(w, fit)$gamma / mvstable_projection(w, law)$gamma - 1)), 0.15)
})

test_that("least squares with nonnegative variables fulfils the conditions of Karush, Kuhn and Tucker", {
  solve_it <- get("nonnegative_least_squares", asNamespace("stablecl"))
  set.seed(16)
  for (k in 1:40) {
    A <- matrix(stats::rnorm(20 * 12), 20)
    if (k %% 2) A[, 7:12] <- A[, 1:6] %*% matrix(stats::rnorm(36), 6)            # of rank 6
    if (k %% 4 == 1) A <- abs(A)
    b <- stats::rnorm(20) + k %% 3
    x <- solve_it(A, b)
    gradient <- drop(crossprod(A, b - A %*% x))
    expect_true(all(x >= 0))
    expect_lt(max(gradient), 1e-9)
    expect_lt(max(abs(gradient * x)), 1e-9)
  }
  expect_identical(solve_it(diag(3), -(1:3)), numeric(3))
  expect_equal(solve_it(diag(3), c(1, -1, 2)), c(1, 0, 2))
})

test_that("invalid measures, samples and arguments are classed errors", {
  refused <- function(expr, words) expect_error(expr, words, class = "stablecl_error_argument")
  refused(mvstable_spectral(3, 0, 1), "`alpha` must be one number in \\(0, 2]")
  refused(mvstable_spectral(1.5, "a", 1), "`directions` must be a matrix of finite numbers")
  refused(mvstable_spectral(1.5, c(1, Inf), 1), "`directions` must be a matrix of finite numbers")
  refused(mvstable_spectral(1.5, rbind(1:2, 0), 1), "Row 2 of `directions` has the length 0")
  refused(mvstable_spectral(1.5, 1:3, 1:2), "`mass` must contain numbers of at least 0, one for each of 3 directions")
  refused(mvstable_spectral(1.5, 1:3, -1), "`mass` must contain")
  refused(mvstable_spectral(1.5, 1:3, NA_real_), "`mass` must contain")
  refused(mvstable_spectral(1.5, 1:3, 0), "`mass` must contain a positive number")
  refused(mvstable_spectral(0.01, 1:3, 1e10), "so large or so small that mass")
  refused(mvstable_spectral(1.5, 1:3, 1, 1.1), "`beta` must contain numbers in \\[-1, 1]")
  refused(mvstable_spectral(1.5, 1:3, 1, 1, 1:3), "`delta` must contain finite numbers, one for each of 2 dimensions")
  refused(mvstable_spectral(1.5, 1:3), "argument \"mass\" is missing")
  law <- mvstable_spectral(1.5, 1:3, 1)
  refused(rmvstable(3, law, diag(2)), "`Q` must not be given if `alpha` is an object of class 'mvstable_spectral'")
  refused(mvstable_projection(1:2, law, delta = 1), "`delta` must not be given")
  refused(mvstable_projection(1:3, law), "`w` must be a vector of 2 finite numbers")
  refused(dmvstable(1:2, law), "not available for discrete spectral measures")
  refused(pmvstable(0, 1, law), "not available for discrete spectral measures")
  refused(print(law, digits = -1), "digits")
  set.seed(17)
  x <- rmvstable(50, law)
  refused(mvspectralfit(x, 5.5), "whole number of directions")
  refused(mvspectralfit(x, 3), "`directions` must be a whole number of directions from 4")
  refused(mvspectralfit(x, diag(3)), "`directions` must have as many columns as `x` [(]2[)], not 3")
  refused(mvspectralfit(x, "a"), "`directions` must be a matrix")
  refused(mvspectralfit(x, fixed = list(beta = 0)), "`fixed` may contain `alpha` only")
  refused(mvspectralfit(x, fixed = list(alpha = 2)), "`fixed[$]alpha` must be below 2")
  refused(mvspectralfit(matrix(stats::rnorm(120), 20)), "`directions` must be given in more than 5 dimensions")
  data_error <- function(expr, words) expect_error(expr, words, class = "stablecl_error_data")
  data_error(mvspectralfit(x[1:5, ]), "at least 8 observations")
  data_error(mvspectralfit(cbind(x, x[, 1])), "linearly dependent")
  data_error(mvspectralfit(matrix(stats::runif(400), 200)), "The sample is normal")
})

test_that("fits do not depend on the units of the components", {
  set.seed(2)
  x <- rmvstable(1000, mvstable_spectral(1.7, c(0, 1, 2, 3, 4, 5.2), c(1, 2, 0.5, 1, 2, 1)))
  misfit_of <- function(unit) mvspectralfit(x %*% diag(c(1, unit)), 24)$misfit
  plain <- misfit_of(1)
  for (unit in 10^c(-150, -9, 7, 150)) {
    scaled <- misfit_of(unit)
    expect_equal(scaled$gamma.fitted / scaled$gamma, plain$gamma.fitted / plain$gamma, tolerance = 1e-6)
    expect_equal(scaled$beta.fitted, plain$beta.fitted, tolerance = 1e-6)
  }
})

test_that("a sample whose heavy tails lie in none of the directions is an error", {
  set.seed(3)
  expect_error(mvspectralfit(cbind(z = -rstable(200, 0.7, 1)), matrix(1)), "heavy tails in none of these directions",
               class = "stablecl_error_data")
})

test_that("small alpha gives finite numbers or a clear error", {
  expect_error(mvstable_spectral(0.001, c(0, 1, 2), 1), "cannot be represented", class = "stablecl_error_argument")
  expect_error(mvstable_spectral(0.01, c(0, 1), 1e-5), "cannot be represented", class = "stablecl_error_argument")
  law <- mvstable_spectral(0.01, c(0, 1, 2), 1, c(1, -1, 0.5))
  w <- c(1, 1)
  power <- abs(law$directions %*% w)^0.01
  expect_equal(mvstable_projection(w, law)$beta, sum(law$beta * sign(law$directions %*% w) * power) / sum(power))
  set.seed(4)
  crossed <- mvstable_spectral(0.01, rbind(c(1, 1), c(1, -1)), mass = 1.05, beta = 0)
  expect_true(all(is.finite(rmvstable(1e4, crossed))))
})

test_that("standard errors of masses are those of samples from the same distribution", {
  law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2))
  at <- c(0, 1, 2, 3) * pi / 3
  set.seed(4)
  fits <- lapply(1:40, function(k) mvspectralfit(rmvstable(400, law), directions = at))
  truth <- apply(vapply(fits, `[[`, numeric(4), "mass"), 1, sd)[1:2]
  x <- rmvstable(400, law)
  fit <- mvspectralfit(x, directions = at, R = 40, seed = 2)
  expect_equal(fit$se$mass[1:2] / truth, c(1, 1), tolerance = 0.4)
  expect_equal(fit$se$alpha / sd(vapply(fits, `[[`, 0, "alpha")), 1, tolerance = 0.4)
  expect_length(fit$se$delta, 2)
  expect_identical(fit$replicates, 40L)
  expect_identical(mvspectralfit(x, directions = at, R = 40, seed = 2)$se, fit$se)
  expect_null(mvspectralfit(x, directions = at)$se)
  expect_identical(mvspectralfit(x, directions = at)$mass, fit$mass)
  expect_output(print(fit), "std. error")
  expect_identical(mvspectralfit(x, directions = at, fixed = list(alpha = 1.4), R = 3)$se$alpha, NA_real_)
  for (R in list(0, "a", NA))
    expect_error(mvspectralfit(x, directions = at, R = R), "`R` must be", class = "stablecl_error_argument")
  expect_error(mvspectralfit(x, directions = at, R = 3, seed = "a"), "`seed`", class = "stablecl_error_argument")
})

test_that("methods of fitted measures return estimates, samples and the points of the picture", {
  law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2), delta = c(a = 1, b = 2))
  expect_identical(coef(law), c(alpha = 1.4, "mass[1]" = 1, "mass[2]" = 2, "delta[a]" = 1, "delta[b]" = 2))
  set.seed(8)
  fit <- mvspectralfit(rmvstable(500, law), directions = c(0, 1, 2, 3) * pi / 3)
  expect_identical(unname(coef(fit)), unname(c(fit$alpha, fit$mass, fit$delta)))
  expect_identical(nobs(fit), 500L)
  samples <- simulate(fit, 2, seed = 3)
  expect_identical(vapply(samples, dim, c(0L, 0L)), cbind(sim_1 = c(500L, 2L), sim_2 = c(500L, 2L)))
  expect_identical(simulate(fit, 2, seed = 3), samples)
  set.seed(3)
  expect_identical(samples[[1]], rmvstable(500, fit))
  expect_identical(withVisible(plot(fit)), list(value = fit, visible = FALSE))
  for (f in list(nobs, simulate, plot)) expect_error(f(law), "must be a fit", class = "stablecl_error_argument")
})

test_that("summaries of fitted measures have components, masses, angles and standard errors", {
  law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2), delta = c(a = 1, b = 2))
  set.seed(8)
  x <- rmvstable(500, law)
  fit <- mvspectralfit(x, directions = c(0, 1, 2, 3) * pi / 3, R = 3, seed = 1)
  s <- summary(fit)
  on <- which(fit$mass > 0)
  expect_equal(s$directions$angle, (c(0, 1, 2, 3) * pi / 3)[on])
  expect_identical(s$directions$mass, fit$mass[on])
  expect_identical(s$directions$se, fit$se$mass[on])
  expect_equal(sum(s$directions$share), 1)
  expect_identical(s$se.alpha, fit$se$alpha)
  margins <- mvstable_projection(diag(2), fit)
  expect_identical(s$components$gamma, margins$gamma)
  expect_identical(s$components$beta, margins$beta)
  expect_identical(rownames(s$components), c("a", "b"))
  expect_output(print(s), "Standard errors from 3 bootstrap samples")
  plain <- summary(mvspectralfit(x))
  expect_true(is.na(plain$se.alpha) && all(is.na(plain$directions$se)))
  lines <- capture.output(print(plain))
  expect_match(lines, "For standard errors set `R`", all = FALSE)
  expect_false(any(grepl("NA", lines)))
  expect_lte(sum(grepl("^[0-9]+ ", lines)), 11)
  expect_error(summary(law), "must be a fit", class = "stablecl_error_argument")
})

test_that("a matrix with one element is a number", {
  one <- matrix(0.5, dimnames = list("r", "c"))
  expect_silent(law <- mvstable_spectral(one, c(0, 1, 3), c(1, 2, 0.5)))
  expect_identical(law, mvstable_spectral(0.5, c(0, 1, 3), c(1, 2, 0.5)))
})

test_that("searches for projections that do not converge give a warning", {
  set.seed(1)
  x <- rmvstable(100, 1.5, diag(2))
  x[1:40, ] <- 0
  expect_warning(fit <- mvspectralfit(x, 8), "4 of 4 projections", class = "stablecl_warning_convergence")
  expect_false(any(fit$misfit$converged))
})
