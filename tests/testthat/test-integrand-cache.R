# Cached translations of integrands.

cache <- function() get("translations", asNamespace("stablecl"))

test_that("a function that uses only functions of R is translated once", {
  assign("entries", NULL, envir = cache())
  f <- function(x, a = 2) exp(-a * x)
  first <- gintegrate(f, 0, 1)
  expect_length(cache()$entries, 1)
  expect_identical(gintegrate(f, 0, 1)$value, first$value)
  expect_equal(gintegrate(f, 0, 1, a = 3)$value, (1 - exp(-3)) / 3)
  expect_equal(gintegrate(f, 0, 1, params = data.frame(a = 1:2))$value, (1 - exp(-(1:2))) / 1:2)
  expect_length(cache()$entries, 3)
  for (k in 1:40) gintegrate(f, 0, 1, a = k)
  expect_lte(length(cache()$entries), 16)
})

test_that("captured values and meanings of names are checked in each call", {
  a <- 1
  f <- function(x) exp(-a * x)
  expect_equal(gintegrate(f, 0, 1)$value, 1 - exp(-1))
  a <- 2
  expect_equal(gintegrate(f, 0, 1)$value, (1 - exp(-2)) / 2)
  g <- function(x) cos(x)
  expect_equal(gintegrate(g, 0, 1)$value, sin(1))
  cos <- function(x) x^2
  expect_equal(gintegrate(g, 0, 1)$value, 1 / 3)
})

test_that("a function of captured vectors is translated once, until their values change", {
  translations <- function(code) {
    assign("entries", NULL, envir = cache())
    force(code)
    length(cache()$entries)
  }
  a <- c(1, 2)
  p <- list(rate = 3, power = 2L)
  f <- function(x) {
    y <- sum(a * x)
    p$rate * y^p$power
  }
  expect_equal(translations(gintegrate(f, 0, 1)), 1)
  made <- cache()$entries[[1]]$made
  expect_equal(gintegrate(f, 0, 1)$value, 9)
  expect_identical(cache()$entries[[1]]$made, made)
  a[2] <- 3
  expect_equal(gintegrate(f, 0, 1)$value, 16)
  p$rate <- 6
  expect_equal(gintegrate(f, 0, 1)$value, 32)
  expect_length(cache()$entries, 1)                                     # in place of the former entry
  zero <- 0
  g <- function(x) x + atan2(zero, -1)
  expect_equal(gintegrate(g, 0, 1)$value, 0.5 + pi)
  zero <- -0
  expect_equal(gintegrate(g, 0, 1)$value, 0.5 - pi)
})

test_that("a function that calls the user's functions is translated again when these change", {
  assign("entries", NULL, envir = cache())
  b <- 2
  square <- function(y) y^2
  scaled <- local({
    k <- 3
    function(y) k * square(y) + b
  })
  f <- function(x) {
    twice <- function(y) 2 * y
    twice(scaled(x)) + sum(sapply(1:2, square))
  }
  value <- function() gintegrate(f, 0, 1)$value
  expect_equal(value(), 2 * (3 / 3 + 2) + 5)
  expect_length(cache()$entries, 1)
  made <- cache()$entries[[1]]$made
  expect_equal(value(), 11)
  expect_identical(cache()$entries[[1]]$made, made)
  b <- 1                                                                # in a function that f calls
  expect_equal(value(), 2 * (3 / 3 + 1) + 5)
  assign("k", 6, envir = environment(scaled))
  expect_equal(value(), 2 * (6 / 3 + 1) + 5)
  square <- function(y) y^3                                             # two calls away
  expect_equal(value(), 2 * (6 / 4 + 1) + 9)
  expect_length(cache()$entries, 1)
  again <- function(x) if (x > 2) again(x - 1) else x                   # refers to itself
  expect_equal(suppressMessages(suppressWarnings(gintegrate(again, 0, 1)))$value, 0.5)
})

test_that("translations that depend on more than captured vectors are not cached", {
  assign("entries", NULL, envir = cache())
  h <- function(x) x^2 * e$a
  big <- rep(1, 2e5)
  e <- new.env()
  e$a <- 2
  a <- 3
  for (f in list(function(x) h(x), function(x) x * length(big), function(x) e$a * x, function(x) x * get("a")))
    suppressWarnings(gintegrate(f, 0, 1))
  expect_length(cache()$entries, 0)
  both <- local({
    sq <- 2
    function(x) sq * sq(x)
  }, list2env(list(sq = function(x) x^2)))
  assign("sq", 2, environment(both))
  suppressWarnings(try(gintegrate(both, 0, 1), silent = TRUE))
  expect_length(cache()$entries, 0)
})

test_that("the number of variables follows from the limits of each call", {
  f <- function(x) sum(x)
  expect_equal(gintegrate(f, c(0, 0), 1)$value, 1)
  expect_equal(gintegrate(f, c(0, 0, 0), 1)$value, 1.5)
  expect_equal(gintegrate(f, matrix(0, 2, 2), matrix(c(1, 2, 1, 2), 2))$value, c(1, 8))
  suppressMessages(expect_equal(gintegrate(f, 0, 1)$value, 0.5))
  expect_equal(gintegrate(f, c(0, 0), 1)$value, 1)
  suppressMessages(expect_equal(gintegrate(f, c(0, 0), 1, dim = 1)$value, c(0.5, 0.5)))
  expect_error(gintegrate(f, rep(0, 101), 1), class = "stablecl_error_argument")
  expect_error(gintegrate(f, rep(0, 101), 1), class = "stablecl_error_argument")
  g <- function(x, y) x * y
  expect_equal(gintegrate(g, c(0, 0), 2)$value, 4)
  expect_equal(gintegrate(g, 0, 2, y = 3)$value, 6)
  expect_equal(gintegrate(g, 0, 2, params = data.frame(y = 1:2))$value, c(2, 4))
  # primitives have no source text
  for (h in list(sin, cos)) expect_equal(gintegrate(h, 0, 1)$value, integrate(h, 0, 1)$value)
})

test_that("a cached translation is compared with the function at new points", {
  assign("entries", NULL, envir = cache())
  f <- function(x, a) exp(-3 * a * x)
  expect_equal(gintegrate(f, 0, 1, a = 1)$value, (1 - exp(-3)) / 3)
  other <- gtranslate(function(x, a) exp(-2 * a * x), a = 1)$program
  all <- get("entries", envir = cache())
  all[[1]]$made$program <- other
  assign("entries", all, envir = cache())
  expect_equal(gintegrate(f, 0, 1, a = 1)$value, (1 - exp(-2)) / 2)     # not compared again
  expect_error(gintegrate(f, 0, 2, a = 1), class = "stablecl_error_translation")
  expect_error(gintegrate(f, 0, 2, a = 1), class = "stablecl_error_translation")
  assign("entries", NULL, envir = cache())
  expect_equal(gintegrate(f, 0, 2, a = 1)$value, (1 - exp(-6)) / 3)
})

# A call with `dim` makes all checks and conversions.
expect_same_result <- function(recalled, full) {
  differ <- c("time", "call")
  expect_identical(names(recalled), names(full))
  a <- unclass(recalled)[setdiff(names(recalled), differ)]
  b <- unclass(full)[setdiff(names(full), differ)]
  if (is.function(a$problem$integrand)) a$problem$integrand <- b$problem$integrand <- NULL
  expect_identical(a, b)
  expect_s3_class(recalled, "gintegral")
}

test_that("a repeated call has the result of the first one", {
  cases <- list(
    list(function(x) exp(-x^2), -1, 1), list(function(x) exp(-x^2), 1, -1), list(function(x) 1 / (1 + x^2), -Inf, Inf),
    list(function(x) sqrt(x), 0, 1), list(function(x) 1 / x, 0, 1), list(function(x) 0 * x, 0, 1),
    list(function(x) if (x > 1/3) exp(x) else 0, 0, 1), list(function(x) log(x) / sqrt(x), 0, 1),
    list(function(x) x, 0L, 1L), list(function(x) x, 1, 1), list(function(x) x, NA_real_, 1),
    list(function(x) in_r(x), 0, 1), list(function(x) besselI(x, 2), 0, 1))
  in_r <- function(x) tryCatch(exp(x), error = identity)
  for (case in cases) for (method in c("auto", "gk", "simpson", "tanhsinh")) {
    call <- function(...) suppressMessages(suppressWarnings(gintegrate(case[[1]], case[[2]], case[[3]], ...,
                                                                        method = method)))
    first <- call()
    expect_same_result(call(), first)
    expect_same_result(call(), call(dim = 1))
    expect_same_result(call(rel.tol = 1e-4), call(rel.tol = 1e-4, dim = 1))
    expect_same_result(call(max.eval = 100), call(max.eval = 100, dim = 1))
  }
  made <- gtranslate(function(x) exp(-x^2))
  first <- gintegrate(made, 0, 1)
  expect_same_result(gintegrate(made, 0, 1), first)
  expect_same_result(gintegrate(made, 0, 2), gintegrate(made, 0, 2, dim = 1))
})

test_that("a repeated call has the arguments and the call of the user", {
  f <- function(x) x^2
  for (k in 1:3) expect_identical(gintegrate(f, 0, 1)$call, quote(gintegrate(f, 0, 1)))
  for (k in 1:2) {
    expect_error(gintegrate(f, 0, "a"), "`upper` must be numeric", class = "stablecl_error_argument")
    expect_error(gintegrate(f, 0, 1, rel.tol = -1), "`rel.tol` must be", class = "stablecl_error_argument")
    expect_error(gintegrate(f, 0, 1, method = "none"), "`method` must be", class = "stablecl_error_argument")
    expect_error(gintegrate(f, 0, 1, backend = NA), "`backend` must be", class = "stablecl_error_argument")
    expect_equal(gintegrate(f, 0, c(1, 2))$value, c(1 / 3, 8 / 3))
  }
  expect_equal(gintegrate(f, 0, 3)$value, 9)
})

test_that("a function without translation is evaluated in R, and translated once that is possible", {
  helper <- function(x) tryCatch(x, error = identity)
  f <- function(x) 2 * helper(x)
  environment(f) <- environment(helper) <- globalenv()
  assign("helper", helper, envir = globalenv())
  on.exit(rm(list = "helper", envir = globalenv()))
  for (k in 1:3) suppressMessages(expect_identical(gintegrate(f, 0, 1)$backend, "R"))
  expect_error(gintegrate(f, 0, 1, control = list(fallback = "none")), class = "gintegrate_untranslatable")
  assign("helper", function(x) 3 * x, envir = globalenv())
  expect_identical(gintegrate(f, 0, 1)$backend, "threads")
  expect_equal(gintegrate(f, 0, 1)$value, 3)
})

test_that("errors and warnings of functions in R are those of the first call", {
  scalar <- function(x) { if (tryCatch(x > 0.5, error = identity)) stop("too large") ; x }
  for (k in 1:2) suppressMessages(expect_error(gintegrate(scalar, 0, 1), "too large"))
  loud <- function(x) { warning("loud") ; tryCatch(x, error = identity) }
  for (k in 1:2) suppressMessages(expect_silent(gintegrate(loud, 0, 1)))
  short <- function(x) tryCatch(1:2 + 0 * x[1], error = identity)
  for (k in 1:2) suppressMessages(expect_error(gintegrate(short, 0, 1), class = "stablecl_error_argument"))
})

# Returns a function with the number of its calls so far, and the numbers of points in each of them.
counted <- function(f) {
  sizes <- integer()
  list(f = function(x) {
    sizes <<- c(sizes, length(x))
    f(x)
  }, sizes = function() sizes)
}

test_that("a function without translation is called once for each round of bisection", {
  f <- function(x) {
    .record(x)
    tryCatch(sqrt(x), error = identity)
  }
  # a function that the cache accepts
  record <- function(x) assign(".sizes", c(get(".sizes", globalenv()), length(x)), globalenv())
  environment(record) <- globalenv()
  assign(".record", record, globalenv())
  on.exit(rm(".record", ".sizes", envir = globalenv()))
  assign(".sizes", integer(), globalenv())
  suppressMessages(first <- gintegrate(f, 0, 1))
  expect_identical(first$backend, "R")
  for (i in 1:3) {
    assign(".sizes", integer(), globalenv())
    again <- gintegrate(f, 0, 1)
    sizes <- get(".sizes", globalenv())
    expect_identical(again$value, first$value)
    expect_equal(sum(sizes), again$evaluations)
    expect_lte(length(sizes), again$evaluations / 42)
  }
})

test_that("between other limits a function of vectors is called with one vector of points", {
  expect_calls <- function(f, expected) {
    k <- counted(f)
    made <- gtranslate(f)
    made$source$f <- k$f
    gintegrate(made, 0, 1)
    before <- length(k$sizes())
    expect_equal(gintegrate(made, 0, 2)$value, integrate(Vectorize(f), 0, 2)$value)
    expect_identical(k$sizes()[-seq_len(before)], expected)
    expect_equal(gintegrate(made, 0, 2)$value, integrate(Vectorize(f), 0, 2)$value)
    expect_length(k$sizes(), before + length(expected))
  }
  expect_calls(function(x) exp(-x), 16L)
  expect_calls(function(x) if (x > 5) x else exp(-x), c(16L, rep(1L, 16L)))       # fails for vectors
})

test_that("a difference between other limits is reported", {
  f <- function(x) x
  made <- gtranslate(f)
  made$source$f <- function(x) ifelse(x > 1, 2 * x, x)
  expect_equal(gintegrate(made, 0, 1)$value, 0.5)
  expect_error(gintegrate(made, 0, 3), class = "stablecl_error_translation")
  expect_error(gintegrate(made, 0, 3), class = "stablecl_error_translation")
})

test_that("translations over several axes or with parameters are checked in repeated calls", {
  box <- gtranslate(function(x, y) x * y)
  expect_equal(gintegrate(box, 0, 1)$value, 0.25)
  expect_equal(gintegrate(box, 0, 2)$value, 4)
  scaled <- gtranslate(function(x, a) x * a, params = "a")
  expect_equal(gintegrate(scaled, 0, 1, params = data.frame(a = 2))$value, 1)
  for (upper in 1:2) expect_error(gintegrate(scaled, 0, upper), class = "stablecl_error_argument")
})

test_that("functions that differ in a number, in a sign of zero or in an argument have their own entries", {
  for (k in 1:3) expect_equal(gintegrate(eval(bquote(function(x) x * .(k))), 0, 1)$value, k / 2)
  for (sign in c(0, -0, 0)) {
    f <- eval(bquote(function(x) atan2(.(sign), -x)))
    expect_equal(gintegrate(f, 0, 1)$value, integrate(f, 0, 1)$value)
  }
  for (a in 1:3) {
    f <- eval(bquote(function(x, a = .(a)) a * x))
    expect_equal(gintegrate(f, 0, 1)$value, a / 2)
  }
})
