test_that("qstable() follows the conventions of qnorm()", {
  cases <- convention_cases()
  # qnorm() returns for p = 0 and p = 1 before it checks the scale; qstable() rejects a bad scale for every p
  expect_conventions(qstable, qnorm, cases)
  expect_conventions(qstable, qnorm, cases, lower.tail = FALSE)
})

test_that("p outside [0, 1] is NaN, and p = 0 and p = 1 give the ends of the support", {
  y <- outcome(qstable(c(-0.1, 0, 0.5, 1, 1.1, NA), 1, 0))
  expect_identical(kind(y$value), c("NaN", "-Inf", "number", "Inf", "NaN", "NA"))
  expect_identical(y$warnings, "NaNs produced")
  y <- outcome(qstable(c(-Inf, -1, 0, 0.1), 1, 0, log.p = TRUE))
  expect_identical(kind(y$value), c("-Inf", "number", "Inf", "NaN"))
  expect_identical(qstable(c(0, 1), 1, 0, lower.tail = FALSE), c(Inf, -Inf))
  expect_identical(qstable(c(-Inf, 0), 1, 0, lower.tail = FALSE, log.p = TRUE), c(Inf, -Inf))
  # bad parameters give NaN also for p = 0
  expect_identical(suppressWarnings(qstable(c(0, 1), 1, 0, gamma = -1)), c(NaN, NaN))
  expect_identical(suppressWarnings(qstable(c(0, 1), 3, 0)), c(NaN, NaN))
})

test_that("the finite end of a one-sided distribution is zeta in S0 and delta in S1", {
  tangent <- 1                                     # tan(pi/4), alpha = 1/2
  expect_equal(qstable(c(0, 1), 0.5, 1), c(-tangent, Inf), tolerance = 1e-15)
  expect_equal(qstable(c(0, 1), 0.5, -1), c(-Inf, tangent), tolerance = 1e-15)
  expect_equal(qstable(0, 0.5, 1, gamma = 3, delta = 10), 10 - 3, tolerance = 1e-15)
  expect_identical(qstable(0, 0.5, 1, gamma = 3, delta = 10, pm = 1), 10)
  expect_identical(qstable(1, 0.5, -1, gamma = 3, delta = 10, pm = "S1"), 10)
  expect_identical(qstable(1, 0.5, 1, lower.tail = FALSE, pm = 1), 0)
  expect_identical(qstable(-Inf, 0.5, 1, log.p = TRUE, pm = 1), 0)
  # for alpha >= 1 there is no finite end
  expect_identical(qstable(c(0, 1), 1.5, 1), c(-Inf, Inf))
  expect_identical(qstable(c(0, 1), 1, 1), c(-Inf, Inf))
})

test_that("scale 0 and infinite location give the values of qnorm()", {
  p <- rep(c(0, 0.3, 1), 3)
  delta <- rep(c(3, Inf, -Inf), each = 3)
  expect_identical(qstable(p, 1, 0, gamma = 0, delta = delta), qnorm(p, delta, 0))
  expect_identical(qstable(p, 1, 0, delta = delta)[4:9], qnorm(p, delta)[4:9])
  y <- outcome(qstable(c(0, 0.3, 0.5, 1), 1, 0, gamma = Inf))
  expect_identical(kind(y$value), c("-Inf", "-Inf", "NaN", "Inf"))
})

test_that("quantiles are transformed to the user's scale with one rounding", {
  # 1 + 2^-60 tan(pi/4) rounds to 1; a careless sum would differ from 1
  expect_identical(qstable(0.75, 1, 0, gamma = 2^-60, delta = 1), 1)
  expect_equal(qstable(0.75, 1, 0, gamma = 1e300, delta = -1e300), 0, tolerance = 1e285)
  expect_equal(qstable(0.75, 1, 0, gamma = 1e-300), 1e-300, tolerance = 1e-14)
})

test_that("quantiles keep their digits where the density underflows", {
  # asymptotically P(X > x) = gamma(alpha) sin(pi alpha / 2) / pi x^-alpha for beta = 0
  for (alpha in c(1.2, 1.5, 1.99, 2 - 5e-11)) {
    mass <- gamma(alpha) * sinpi((2 - alpha) / 2) / pi
    p <- 10^seq(-300, -150, length.out = 301)
    x <- exp((log(mass) - log(p)) / alpha)
    x <- x * exp((log(mass) - alpha * log(x) - log(p)) / alpha)
    expect_lt(max(abs(qstable(p, alpha, 0) / -x - 1)), 5e-13)
    expect_lt(max(abs(qstable(log(p), alpha, 0, log.p = TRUE) / -x - 1)), 5e-13)
  }
})
