# The likelihood of rounded observations.

interval_values <- function(r, h, alpha, beta, gamma, ...) {
  law <- c(alpha = alpha, beta = beta, gamma = gamma, delta = 0)
  stablecl:::interval_scores(r - h / 2, r + h / 2, law, ..., width = h)
}

log_probability <- function(...) unname(interval_values(..., scores = FALSE)[, 1])

test_that("probabilities of intervals add up in the centre and in both tails", {
  for (alpha in c(0.5, 1, 1.5, 2)) for (beta in c(-0.9, 0.4)) {
    cells <- seq(-20, 20, by = 0.5)
    inside <- pstable(20.25, alpha, beta, 1.3) - pstable(-20.25, alpha, beta, 1.3)
    expect_equal(sum(exp(log_probability(cells, 0.5, alpha, beta, 1.3))), inside, tolerance = 1e-12)
    far <- 1e8 + seq(-500, 500, by = 100)
    whole <- pstable(c(1e8 - 550, 1e8 + 550), alpha, beta, lower.tail = FALSE)
    if (alpha < 2)
      expect_equal(sum(exp(log_probability(far, 100, alpha, beta, 1))), whole[1] - whole[2], tolerance = 1e-5)
  }
})

test_that("log probabilities of narrow and wide intervals are accurate, without a jump between", {
  x <- c(-1e6, -300, -2, -0.3, 0, 0.01, 5, 1e4)
  narrow <- log_probability(x, 1e-6, 1.4, 0.3, 1)
  expect_equal(narrow - log(1e-6), dstable(x, 1.4, 0.3, log = TRUE), tolerance = 1e-10)
  # where the two methods meet
  h <- 10^seq(-4, -1, by = 0.05)
  for (at in c(-50, 0.2, 3)) {
    p <- vapply(h, function(h) log_probability(at, h, 1.4, 0.3, 1), 0) - log(h)
    smooth <- vapply(h, function(h) {
      log(integrate(function(t) dstable(t, 1.4, 0.3), at - h / 2, at + h / 2, rel.tol = 1e-12)$value / h)
    }, 0)
    expect_lt(max(abs(p - smooth)), 1e-10)
  }
  expect_equal(log_probability(60, 0.5, 2, 0, 1), pnorm(59.75, sd = sqrt(2), lower.tail = FALSE, log.p = TRUE),
               tolerance = 1e-6)
})

test_that("scores of intervals are their derivatives", {
  r <- c(-40, -1, 0, 0.5, 7)
  p <- c(1.4, 0.3, 1.2)
  score <- interval_values(r, 0.5, p[1], p[2], p[3])
  slope <- function(f, h = 1e-5) (f(h) - f(-h)) / (2 * h)
  value <- function(r, p) log_probability(r, 0.5, p[1], p[2], p[3])
  for (j in 1:3) expect_equal(score[, j + 1], slope(function(s) value(r, p + s * (1:3 == j))), tolerance = 1e-6,
                              ignore_attr = TRUE)
  expect_equal(score[, "delta"], slope(function(s) value(r - s, p)), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("coarse rounding has little effect on the fit, and fine rounding none", {
  set.seed(5)
  x <- 3 + rstable(400, 1.5, 0.3, 0.4)
  plain <- stablefit(x ~ 1)
  fine <- stablefit(round(x, 6) ~ 1, rounding = 1e-6)
  expect_equal(coef(fine), coef(plain), tolerance = 1e-4)
  expect_equal(vcov(fine), vcov(plain), tolerance = 1e-2)
  expect_equal(fine$loglik, plain$loglik + 400 * log(1e-6), tolerance = 1e-6)
  coarse <- stablefit(round(x) ~ 1, rounding = 1)
  expect_true(all(abs(coef(coarse) - coef(plain)) < 3 * sqrt(diag(vcov(coarse)))))
  est <- as.list(coef(coarse))
  cells <- round(x) - est[[1]]
  below <- function(x) pstable(x, est$alpha, est$beta, est$gamma)
  exact <- sum(log(below(cells + 0.5) - below(cells - 0.5)))
  expect_equal(coarse$loglik, exact, tolerance = 1e-8)
})

test_that("an invalid rounding is an error", {
  d <- data.frame(y = rnorm(30))
  for (bad in list(0, -1, c(1, 2), "a", NA_real_))
    expect_error(stablefit(y ~ 1, d, rounding = bad), "`rounding`", class = "stablecl_error_argument")
})

test_that("simulated responses are rounded like the response", {
  set.seed(4)
  d <- data.frame(x = rnorm(100))
  d$y <- 2 * round((d$x + rstable(100, 1.7, 0)) / 2) + 0.5
  fit <- stable_lm(y ~ x, d, rounding = 2, fixed = c(alpha = 1.7, beta = 0))
  samples <- simulate(fit, 20, seed = 1)
  steps <- (as.matrix(samples) - 0.5) / 2
  expect_equal(steps, round(steps), tolerance = 1e-8)
  gamma <- vapply(samples[1:8], function(y) {
    d$y <- y
    coef(stable_lm(y ~ x, d, rounding = 2, fixed = c(alpha = 1.7, beta = 0), se = FALSE))[["gamma"]]
  }, 0)
  expect_equal(mean(gamma), coef(fit)[["gamma"]], tolerance = 0.15)
})
