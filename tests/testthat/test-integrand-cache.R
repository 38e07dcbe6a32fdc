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

test_that("the number of variables follows from the limits of each call", {
  f <- function(x) sum(x)
  expect_equal(gintegrate(f, c(0, 0), 1)$value, 1)
  expect_equal(gintegrate(f, c(0, 0, 0), 1)$value, 1.5)
  expect_equal(gintegrate(f, matrix(0, 2, 2), matrix(c(1, 2, 1, 2), 2))$value, c(1, 8))
  suppressMessages(expect_equal(gintegrate(f, 0, 1)$value, 0.5))
  expect_equal(gintegrate(f, c(0, 0), 1)$value, 1)
  suppressMessages(expect_equal(gintegrate(f, c(0, 0), 1, dim = 1)$value, c(0.5, 0.5)))
  expect_error(gintegrate(f, rep(0, 13), 1), class = "stablecl_error_argument")
  expect_error(gintegrate(f, rep(0, 13), 1), class = "stablecl_error_argument")
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
