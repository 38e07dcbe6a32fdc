test_that("dstable() follows the conventions of dnorm()", {
  expect_conventions(dstable, dnorm, convention_cases())
  expect_conventions(dstable, dnorm, convention_cases(), log = TRUE)
})

test_that("dstable() treats scale 0 and infinite arguments as dnorm() does", {
  x <- rep(c(-Inf, -1, 0, 2, Inf), each = 20)
  delta <- rep(rep(c(-Inf, 0, 2, Inf), each = 5), 5)
  gamma <- rep(c(0, 1, 3, Inf, -1), 20)
  for (log in c(FALSE, TRUE)) {
    ours <- outcome(dstable(x, 1, 0, gamma, delta, log = log))
    base <- outcome(dnorm(x, delta, gamma, log = log))
    expect_identical(kind(ours$value), kind(base$value))
    expect_identical(ours$warnings, "NaNs produced")
  }
})

test_that("alpha and beta are recycled and checked like the other parameters", {
  y <- outcome(dstable(0.5, c(1, 0, -1, 2.5, 1, NA, NaN, Inf), c(a = 0)))
  expect_identical(kind(y$value), c("number", "NaN", "NaN", "NaN", "number", "NA", "NaN", "NaN"))
  expect_identical(y$warnings, "NaNs produced")
  expect_identical(y$warning_calls[[1]][[1]], quote(dstable))

  y <- outcome(dstable(0.5, 1, c(p = 0, q = 1.0000001, r = -2, s = NA)))
  expect_identical(kind(y$value), c("number", "NaN", "NaN", "NA"))
  expect_named(y$value, c("p", "q", "r", "s"))

  expect_identical(dstable(1:3, numeric(0), 0), numeric(0))
  expect_identical(dstable(1:3, 1, numeric(0)), numeric(0))
  expect_error(dstable(1, "1", 0), "Non-numeric argument to mathematical function")
  expect_error(dstable(1, 1, NULL), "Non-numeric argument to mathematical function")
})

test_that("valid parameters give neither warnings nor messages", {
  y <- outcome(dstable(c(Inf, -Inf, 0), 1, 0))
  expect_identical(y$value, c(0, 0, 1 / pi))
  expect_length(y$warnings, 0)
  expect_length(y$messages, 0)
})

test_that("only the first element of log is used, and NA means TRUE", {
  expect_equal(dstable(1, 1, 0, log = c(FALSE, TRUE)), dcauchy(1))
  expect_equal(dstable(1, 1, 0, log = NA), dcauchy(1, log = TRUE))
  expect_equal(dstable(1, 1, 0, log = 1L), dcauchy(1, log = TRUE))
})

test_that("location and scale keep their precision at any magnitude", {
  # the density at the standardised argument 1e150 with scale 1e150 underflows, but its logarithm does not
  expect_equal(dstable(1e300, 1, 0, gamma = 1e150, log = TRUE),
               -log(pi) - 300 * log(10) - 150 * log(10), tolerance = 1e-14)
  expect_identical(dstable(1e300, 1, 0, gamma = 1e-300), 0)
  expect_equal(dstable(0, 1, 0, gamma = 1e-300), 1e300 / pi, tolerance = 1e-15)
  expect_equal(dstable(5e-324, 1, 0, gamma = 5e-324, log = TRUE),
               dcauchy(1, log = TRUE) - log(5e-324), tolerance = 1e-15)
  # x - delta overflows
  expect_equal(dstable(1.7e308, 1, 0, gamma = 1e308, delta = -1.7e308, log = TRUE),
               dcauchy(3.4, log = TRUE) - log(1e308), tolerance = 1e-14)
  # x - delta is inexact, and its rounding error matters
  expect_equal(dstable(1 + 2^-52, 1, 0, gamma = 2^-52, delta = 2^-54),
               2^52 * dcauchy((1 - 2^-54) * 2^52 + 1), tolerance = 1e-15)
})

test_that("tuning arguments of stabledist are ignored, and unknown arguments are errors", {
  expect_equal(suppressMessages(dstable(1, 1, 0, tol = 1e-3, zeta.tol = 1, subdivisions = 10)),
               dcauchy(1))
  expect_length(outcome(dstable(1, 1, 0, tol = 1e-3))$messages, 0)      # shown once per session
  expect_error(dstable(1, 1, 0, scale = 2), "unused argument (scale = 2)", fixed = TRUE)
  expect_error(dstable(1, 1, 0, foo = 2, bar = "a"),
               "unused arguments (foo = 2, bar = \"a\")", fixed = TRUE)
  expect_error(dstable(1, 1, 0, 1, 0, 0, FALSE, 7), "unused argument (7)", fixed = TRUE)
  expect_error(dstable(1, 1, 0, foo = stop("evaluated")), "unused argument")
  failure <- tryCatch(dstable(1, 1, 0, foo = 2), error = identity)
  expect_identical(conditionCall(failure), quote(dstable(1, 1, 0, foo = 2)))
})

test_that("ignored tuning arguments are mentioned once per session", {
  session_cache <- environment(dstable)$session_cache
  session_cache$ignored <- NULL
  first <- outcome(pstable(1, 1, 0, silent = TRUE, tol = 1e-3))
  expect_length(first$messages, 1)
  expect_match(first$messages, "silent, tol")
  expect_length(outcome(qstable(0.5, 1, 0, integ.tol = 1, maxiter = 2, trace = 0))$messages, 0)
})

test_that("pm must be 0, 1, 2 or one of their names", {
  for (pm in list(0, 1L, 2, "S0", "S1", "S2")) {
    expect_equal(dstable(2, 1, 0, 3, 1, pm = pm), dcauchy(2, 1, 3))
  }
  for (pm in list(3, -1, 0.5, NA, "s0", "S3", c(0, 1), numeric(0), NULL, list(0))) {
    expect_error(dstable(2, 1, 0, pm = pm), "`pm` must be 0, 1 or 2", class = "stablecl_error_argument")
    expect_error(rstable(2, 1, 0, pm = pm), "`pm` must be 0, 1 or 2", class = "stablecl_error_argument")
    expect_error(stable_cf(2, 1, 0, pm = pm), "`pm` must be 0, 1 or 2", class = "stablecl_error_argument")
  }
})

test_that("the order of the arguments is that of stabledist", {
  expect_equal(dstable(2, 1, 0, 3, 1, 0, TRUE), dcauchy(2, 1, 3, log = TRUE))
  expect_equal(pstable(2, 1, 0, 3, 1, 0, FALSE, TRUE), pcauchy(2, 1, 3, FALSE, TRUE))
  expect_equal(qstable(-2, 1, 0, 3, 1, 0, FALSE, TRUE), qcauchy(-2, 1, 3, FALSE, TRUE))
})
