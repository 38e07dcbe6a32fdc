# Compares every operation with R, for ordinary and extreme arguments.

one_argument <- c("abs", "sign", "sqrt", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin",
                  "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "ceiling", "trunc",
                  "round", "is.nan", "is.na", "is.finite", "is.infinite")

# R may compute a function at an argument that differs by 1 ulp (tan(1e22)), hence the tolerance 1e-14.
test_that("functions of one argument agree with R", {
  for (name in one_argument) {
    f <- eval(call("function", as.pairlist(alist(x = )), call(name, quote(x))))
    x <- c(ordinary, extreme)
    expect_lt(differs_by(translated(f, x), suppressWarnings(as.double(f(x)))), 1e-14, label = name)
  }
})

test_that("the tests cover every operation of the table that has an R name", {
  ops <- .Call(stablecl:::C_operations)
  named <- unique(ops$in_r[nzchar(ops$in_r)])
  tested <- c(one_argument, "-", "+", "*", "/", "^", "%%", "%/%", "<", "<=", ">", ">=", "==", "!=", "&", "|", "!",
              "xor", "ifelse", "pmin", "pmax", "atan2", "sinpi", "cospi", "tanpi", "gamma", "lgamma", "digamma",
              "trigamma", "lbeta", "choose", "lchoose", "besselJ0", "besselJ1", "besselY0", "besselY1", "erfc",
              "required", "stirling", "deviance", "gammaP", "gammaQ", "log.gammaP", "log.gammaQ", "betaP", "betaQ",
              "log.betaP", "log.betaQ")
  expect_setequal(setdiff(named, tested), character())
})

test_that("operations on two arguments agree with R", {
  x <- c(ordinary, extreme)
  pairs <- expand.grid(x = x, y = x)
  for (name in c("+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "pmin", "pmax", "atan2")) {
    f <- eval(call("function", as.pairlist(alist(x = , y = )), call(name, quote(x), quote(y))))
    expect_lt(differs_by(translated_at(f, pairs), as.double(f(pairs$x, pairs$y))), 1e-15, label = name)
  }
})

test_that("powers agree with R", {
  x <- c(-Inf, -8, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 10, Inf, NaN)
  pairs <- expand.grid(x = x, y = x)
  expect_lt(differs_by(translated_at(function(x, y) x^y, pairs), pairs$x^pairs$y), 1e-14)
  for (k in c(-3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 7, 16, 17, 0.3)) {
    f <- eval(bquote(function(x) x^.(k)))
    expect_lt(differs_by(translated(f, x), x^k), 1e-14, label = paste("power", k))
  }
})

test_that("remainders and integer quotients agree with R", {
  x <- c(-Inf, -7.5, -7, -3, -1, -0.3, 0, 0.3, 1, 3, 7, 7.5, 1e10, Inf, NaN)
  pairs <- expand.grid(x = x, y = x)
  pairs <- pairs[!(pairs$x %in% 1e10 & abs(pairs$y) %in% 0.3), ]         # R loses 9 digits there
  expect_lt(differs_by(translated_at(function(x, y) x %% y, pairs), pairs$x %% pairs$y), 1e-12)
  expect_equal(translated_at(function(x, y) x %/% y, pairs), pairs$x %/% pairs$y)
  expect_equal(translated(function(x) x %% 2, c(-3.5, -1, 0.5)), c(0.5, 1, 0.5))
})

test_that("logical operations treat NA as R does", {
  truth <- c(TRUE, FALSE, NA)
  pairs <- expand.grid(x = as.double(truth), y = as.double(truth))
  p <- as.logical(pairs$x)
  q <- as.logical(pairs$y)
  number <- function(v) ifelse(is.na(v), NaN, as.double(v))
  expect_equal(translated_at(function(x, y) x & y, pairs), number(p & q))
  expect_equal(translated_at(function(x, y) x | y, pairs), number(p | q))
  expect_equal(translated_at(function(x, y) xor(x, y), pairs), number(xor(p, q)))
  expect_equal(translated(function(x) !x, truth), number(!truth))
  expect_equal(translated(function(x) ifelse(x, 2, 3), truth), c(2, 3, NaN))
})

test_that("sines of multiples of pi and of large angles agree with R", {
  x <- c(-2.5, -2, -1.25, -1, -0.5, 0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 7.125, 1e5 + 0.25)
  expect_equal(translated(function(x) sinpi(x), x), sinpi(x), tolerance = 1e-14)
  expect_equal(translated(function(x) cospi(x), x), cospi(x), tolerance = 1e-14)
  expect_equal(translated(function(x) tanpi(x), x[x %% 1 != 0.5]), tanpi(x[x %% 1 != 0.5]), tolerance = 1e-14)
  x <- c(seq(-1e6, 1e6, length.out = 1000), 1e6 + 1, 1e9, 1e300)
  expect_lt(max(abs(translated(function(x) sin(x), x) - sin(x))), 1e-15)
  expect_lt(max(abs(translated(function(x) cos(x), x) - cos(x))), 1e-15)
})

test_that("a value does not depend on other values in its block", {
  near <- seq(-3, 3, length.out = 200)
  far <- c(near, 1e9)
  expect_identical(translated(function(x) sin(x) + cos(x), far)[1:200], translated(function(x) sin(x) + cos(x), near))
})

test_that("exp and log are accurate to 2 ulp over the whole range", {
  x <- c(seq(-745, 709, length.out = 5000), -708.5, -744.5, -746, 709.7, 709.8)
  big <- exp(x) > 2^-1022
  expect_lt(differs_by(translated(function(x) exp(x), x)[big], exp(x)[big]), 4.5e-16)
  expect_lte(max(abs(translated(function(x) exp(x), x) - exp(x))[!big]), 2^-1074)
  y <- c(exp(x), 2^(-1074:-1020), 1 + (-100:100) * 2^-50)
  expect_lt(differs_by(translated(function(x) log(x), y), log(y)), 4.5e-16)
})

test_that("the gamma family agrees with R", {
  x <- c(1e-5, 0.1, 0.5, 1, 1.5, 2, 3.3, 9.5, 10.5, 33, 100.25, 150, -0.5, -1.5, -7.3, -20.25)
  for (name in c("gamma", "lgamma", "digamma", "trigamma")) {
    f <- eval(call("function", as.pairlist(alist(x = )), call(name, quote(x))))
    ours <- translated(f, x)
    expect_lt(max(abs(ours - f(x)) / pmax(1, abs(f(x)))), 2e-13, label = name)
  }
  y <- c(0.5, 2, 3.5, 30)
  expect_equal(translated(function(x) beta(x, 2.5), y), beta(y, 2.5), tolerance = 1e-13)
  expect_equal(translated(function(x) lbeta(2, x), y), lbeta(2, y), tolerance = 1e-13)
  expect_equal(translated(function(x) factorial(x), y), factorial(y), tolerance = 1e-13)
  expect_equal(translated(function(x) lfactorial(x), y), lfactorial(y), tolerance = 1e-13)
  expect_equal(translated(function(x) choose(x, 3), y), choose(y, 3), tolerance = 1e-13)
})

test_that("Bessel functions agree with R, also close to their first zeros", {
  x <- c(1e-300, 1e-8, 0.01, seq(0.013, 60, by = 0.013), 8, 1e3, 1e4)
  zeros <- c(2.404825557695773, 5.52007811028631, 3.8317059702075125, 7.015586669815619)
  for (order in 0:1) {
    j <- eval(bquote(function(x) besselJ(x, .(order))))
    y <- eval(bquote(function(x) besselY(x, .(order))))
    amplitude <- pmin(1, sqrt(2 / (pi * x)))
    expect_lt(max(abs(translated(j, x) - j(x)) / amplitude), 1e-14)
    expect_lt(max(abs(translated(y, x) - y(x)) / pmax(amplitude, abs(y(x)))), 5e-14)     # due to R's error
    expect_equal(translated(j, c(-1, NaN, Inf)), c(NaN, NaN, 0))
    expect_equal(translated(y, c(-1, NaN, Inf, 0)), c(NaN, NaN, 0, -Inf))
  }
  # values by mpmath with 40 digits, at the doubles closest to the zeros
  expect_equal(translated(function(x) besselJ(x, 0), zeros[1:2]),
               c(-6.1087652597367304e-17, -3.2973850760120209e-16), tolerance = 1e-13)
  expect_equal(translated(function(x) besselJ(x, 1), zeros[3:4]),
               c(-6.1498073569949061e-17, 2.8253394094789294e-17), tolerance = 1e-13)
  expect_error(gtranslate(function(x) besselJ(x, 2)), "orders 0 and 1 only", class = "gintegrate_untranslatable")
})

test_that("powers are accurate to an ulp, however large the logarithm", {
  set.seed(5)
  x <- c(exp(runif(2000, -600, 600)), 1 + runif(2000, -1, 1) * 10^-(0:9), 2^(-1022:1000))
  y <- runif(length(x), -700, 700) / log(x)
  both <- data.frame(x = x, y = y)[is.finite(y), ]
  power <- translated_at(function(x, y) x^y, both)
  expect_lte(max(abs(power / (both$x^both$y) - 1)), 2^-52)
  expect_identical(translated(function(x) 10^x, c(0:22, Inf, -Inf)), 10^c(0:22, Inf, -Inf))
})
