# Integrands that were translated before.

kept <- function() get("translations", asNamespace("stablecl"))

test_that("a function of R's own functions is translated once", {
  assign("kept", NULL, envir = kept())
  f <- function(x, a = 2) exp(-a * x)
  first <- gintegrate(f, 0, 1)
  expect_length(kept()$kept, 1)
  expect_identical(gintegrate(f, 0, 1)$value, first$value)
  expect_equal(gintegrate(f, 0, 1, a = 3)$value, (1 - exp(-3)) / 3)
  expect_equal(gintegrate(f, 0, 1, params = data.frame(a = 1:2))$value, (1 - exp(-(1:2))) / 1:2)
  expect_length(kept()$kept, 3)
  for (k in 1:40) gintegrate(f, 0, 1, a = k)
  expect_lte(length(kept()$kept), 16)
})

test_that("what it captures, or what a name means, is looked at each time", {
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

test_that("a translation is compared with its function at points that are new", {
  assign("kept", NULL, envir = kept())
  f <- function(x, a) exp(-3 * a * x)
  expect_equal(gintegrate(f, 0, 1, a = 1)$value, (1 - exp(-3)) / 3)
  other <- gtranslate(function(x, a) exp(-2 * a * x), a = 1)$program
  all <- get("kept", envir = kept())
  all[[1]]$made$program <- other
  assign("kept", all, envir = kept())
  expect_equal(gintegrate(f, 0, 1, a = 1)$value, (1 - exp(-2)) / 2)     # taken from there, not compared again
  expect_error(gintegrate(f, 0, 2, a = 1), class = "stablecl_error_translation")
  expect_error(gintegrate(f, 0, 2, a = 1), class = "stablecl_error_translation")
  assign("kept", NULL, envir = kept())
  expect_equal(gintegrate(f, 0, 2, a = 1)$value, (1 - exp(-6)) / 3)
})
