test_that("n is treated as in rnorm()", {
  for (n in list(0, 3, 2.7, TRUE, c(5, 9), c(a = 1, b = 2), "2", numeric(0), character(3),
                 list(1, 2), factor("a"), 0.9)) {
    ours <- outcome(rstable(n, 1, 0))
    base <- outcome(rnorm(n))
    expect_identical(length(ours$value), length(base$value))
    expect_null(attributes(ours$value))
    expect_identical(ours$warnings, base$warnings)
  }
  for (n in list(-1, -0.5, NA, NaN, Inf, 1e18, "a", NULL, quote(a))) {
    ours <- outcome(rstable(n, 1, 0))
    base <- outcome(rnorm(n))
    expect_identical(conditionMessage(ours$error), conditionMessage(base$error))
    expect_identical(conditionMessage(ours$error), "invalid arguments")
  }
})

test_that("bad parameters give NaN and empty ones NA, with one warning", {
  y <- outcome(rstable(4, c(1, 3, 1, NA), c(0, 0, 2, 0)))
  expect_identical(kind(y$value), c("number", "NaN", "NaN", "NaN"))
  expect_identical(y$warnings, "NAs produced")
  expect_identical(outcome(rstable(2, 1, 0, gamma = -1))$value, c(NaN, NaN))
  expect_identical(kind(outcome(rstable(2, 1, 0, gamma = Inf))$value),
                   kind(suppressWarnings(rnorm(2, 0, Inf))))

  for (y in list(outcome(rstable(2, numeric(0), 0)), outcome(rstable(2, 1, 0, numeric(0))))) {
    expect_identical(y$value, c(NA_real_, NA_real_))
    expect_identical(y$warnings, "NAs produced")
  }
  expect_identical(outcome(rstable(0, numeric(0), 0))$warnings, character())
  for (bad in list("1", NULL, factor("a"), list(1))) {
    expect_identical(conditionMessage(outcome(rstable(2, bad, 0))$error), "invalid arguments")
    expect_identical(conditionMessage(outcome(rstable(2, 1, 0, 1, bad))$error), "invalid arguments")
  }
})

test_that("scale 0 and infinite location give constants, and attributes are dropped", {
  expect_identical(rstable(3, 1.5, 0.5, gamma = 0, delta = c(1, 2, 3)), c(1, 2, 3))
  expect_identical(rstable(2, 1.5, 0.5, delta = Inf), c(Inf, Inf))
  expect_null(attributes(rstable(2, c(a = 1, b = 1), matrix(0, 1, 2))))
})

test_that("parameters are recycled along the sample", {
  set.seed(3)
  all <- rstable(7, c(0.5, 1, 1.7), c(0, 0.9), gamma = 1:4, delta = c(-100, 100))
  for (i in 1:7) {
    set.seed(3)
    one <- rstable(7, c(0.5, 1, 1.7)[(i - 1) %% 3 + 1], c(0, 0.9)[(i - 1) %% 2 + 1],
                   (1:4)[(i - 1) %% 4 + 1], c(-100, 100)[(i - 1) %% 2 + 1])
    expect_identical(all[i], one[i])
  }
})

test_that("set.seed() determines the sample, and the generator advances", {
  set.seed(11)
  first <- rstable(5, 1.5, 0.5)
  second <- rstable(5, 1.5, 0.5)
  expect_false(any(first == second))
  set.seed(11)
  expect_identical(rstable(5, 1.5, 0.5), first)
  expect_identical(rstable(5, 1.5, 0.5), second)
  # an empty sample does not advance the generator
  set.seed(11)
  before <- .Random.seed
  rstable(0, 1.5, 0.5)
  expect_identical(.Random.seed, before)
  rstable(1, 1.5, 0.5)
  expect_false(identical(.Random.seed, before))
})

test_that("a longer sample begins with the shorter one", {
  set.seed(5)
  short <- rstable(10, 0.7, -0.4)
  set.seed(5)
  long <- rstable(1e5, 0.7, -0.4)
  expect_identical(long[1:10], short)
})

test_that("a sample does not depend on the number of threads", {
  for (alpha in c(0.4, 1, 1.6)) {
    draws <- with_threads({
      set.seed(8)
      rstable(150001, alpha, 0.3, gamma = 2, delta = 1)
    }, threads = c(1, 2, 3))
    expect_identical(draws[[1]], draws[[2]])
    expect_identical(draws[[1]], draws[[3]])
  }
})
