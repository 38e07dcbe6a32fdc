# Densities and distribution functions in integrands, compared with R.

laws <- list(
  norm = list(list(), list(mean = 1, sd = 2)), lnorm = list(list(), list(meanlog = 0.5, sdlog = 0.25)),
  unif = list(list(), list(min = -1, max = 2)), exp = list(list(), list(rate = 3)),
  cauchy = list(list(), list(location = 1, scale = 0.5)), logis = list(list(), list(location = -1, scale = 2)),
  weibull = list(list(shape = 1.5), list(shape = 0.7, scale = 2), list(shape = 1)),
  gamma = list(list(shape = 2.5), list(shape = 1), list(shape = 0.5, rate = 3), list(shape = 2, scale = 4)),
  chisq = list(list(df = 1), list(df = 2), list(df = 7.5)),
  beta = list(list(shape1 = 2, shape2 = 3), list(shape1 = 1, shape2 = 1), list(shape1 = 0.5, shape2 = 0.5)),
  t = list(list(df = 1), list(df = 2.5), list(df = 30))
)
x <- c(-40, -5, -1, -0.3, 0, 1e-8, 0.2, 0.5, 0.99, 1, 1.7, 3, 10, 35, NaN)

call_of <- function(name, args) {
  eval(call("function", as.pairlist(alist(x = )), as.call(c(list(as.name(name), quote(x)), args))))
}

expect_law <- function(name, args, x, tolerance) {
  f <- call_of(name, args)
  theirs <- f(x)
  ours <- translated(f, x)
  seen <- is.nan(theirs) | is.infinite(theirs) | abs(theirs) > 1e-300
  expect_lt(differs_by(ours[seen], theirs[seen]), tolerance, label = deparse(body(f))[1])
  expect_lte(max(0, abs(ours[!seen])), 1e-290)
}

test_that("densities agree with R", {
  for (law in names(laws)) for (args in laws[[law]]) {
    expect_law(paste0("d", law), args, x, 1e-12)
    expect_law(paste0("d", law), c(args, log = TRUE), x, 1e-12)
  }
})

test_that("distribution functions agree with R, including upper tails and logarithms", {
  for (law in c("norm", "lnorm", "unif", "exp", "cauchy", "logis", "weibull")) for (args in laws[[law]]) {
    for (lower in c(TRUE, FALSE)) for (log in c(TRUE, FALSE))
      expect_law(paste0("p", law), c(args, lower.tail = lower, log.p = log), x, 1e-11)
  }
  expect_law("pnorm", list(log.p = TRUE), c(-1e4, -100, -37.5, -37, -36.5), 1e-12)
})

test_that("parameters may vary, be vectors, or lie outside the domain", {
  sd <- c(-1, 0.5, 2)
  expect_equal(translated_at(function(x, y) dnorm(1, x, y), list(c(0, 1, 2), sd)), c(NaN, dnorm(1, 1:2, sd[2:3])))
  m <- c(-1, 0, 2)
  mixture <- function(x) sum(c(0.2, 0.3, 0.5) * dnorm(x, m, 0.7))
  expect_equal(translated(mixture, x[1:14]), vapply(x[1:14], mixture, 0), tolerance = 1e-13)
})

test_that("stable distributions agree with dstable() and pstable()", {
  z <- c(-1e6, -20, -1, 0, 0.3, 2, 15, 1e8)
  for (pm in 0:2) {
    expect_equal(translated(function(x) dstable(x, 1.5, 0.5, 2, 1, pm), z), dstable(z, 1.5, 0.5, 2, 1, pm),
                 tolerance = 1e-12)
    expect_equal(translated(function(x) pstable(x, 0.8, -0.2, pm = pm), z), pstable(z, 0.8, -0.2, pm = pm),
                 tolerance = 1e-12)
  }
  expect_equal(translated(function(x) dstable(x, 1.5, 0.5, log = TRUE), z), dstable(z, 1.5, 0.5, log = TRUE),
               tolerance = 1e-12)
  expect_equal(translated(function(x) pstable(x, 1.5, 0.5, lower.tail = FALSE), z),
               pstable(z, 1.5, 0.5, lower.tail = FALSE), tolerance = 1e-12)
  a <- 1.2
  expect_equal(translated(function(x, b = a / 2) pstable(x, a, b), 1), pstable(1, 1.2, 0.6), tolerance = 1e-12)
  expect_error(gtranslate(function(x) dstable(1, c(1.5, x), 0)), "single numbers", class = "gintegrate_untranslatable")
})

test_that("the parameters of a stable distribution may be variables, or differ between integrals", {
  a <- c(0.5, 1, 1.2, 1.5, 2, 2.5, NaN)
  expect_equal(translated(function(x) dstable(1, x, 0.5), a), suppressWarnings(dstable(1, a, 0.5)), tolerance = 1e-13)
  for (pm in 0:2)
    expect_equal(translated_at(function(x, y) pstable(x, 1.5, y, 1 + x^2, pm = pm, lower.tail = FALSE),
                               list(1:5, -2:2 / 2)),
                 pstable(1:5, 1.5, -2:2 / 2, 1 + (1:5)^2, pm = pm, lower.tail = FALSE), tolerance = 1e-13)
  f <- function(x) { b <- if (x > 1) tanh(x) else 0; dstable(x, 1.3, b) * exp(-x) + dstable(x, 1.7, 0.1) + b }
  z <- c(-1, 0.3, 1.5, 4)
  expect_equal(translated(f, z), vapply(z, f, 0), tolerance = 1e-12)
  shapes <- data.frame(alpha = c(1.2, 1.5, 1.9), beta = c(0, 0.5, -1))
  r <- gintegrate(dstable, -3, 5, params = shapes)
  expect_equal(r$backend, "threads")
  p <- function(x) pstable(x, shapes$alpha, shapes$beta)
  expect_equal(r$value, p(5) - p(-3), tolerance = 1e-10)
  fixed <- gintegrate(dstable, -3, 5, alpha = 1.5, beta = 0.5)
  expect_equal(r$value[2], fixed$value, tolerance = 1e-12)
})
