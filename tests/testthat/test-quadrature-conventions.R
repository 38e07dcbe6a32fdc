# Arguments, messages and methods of gintegrate().

f <- function(x) exp(-x)

test_that("errors name the bad argument", {
  expect_error(gintegrate("f", 0, 1), "`f` must be a function", class = "stablecl_error_argument")
  expect_error(gintegrate(f, "a", 1), "`lower` must be numeric", class = "stablecl_error_argument")
  expect_error(gintegrate(f, 1:2, 1:3), "must have 1 or 3", class = "stablecl_error_argument")
  expect_error(gintegrate(f, 0, 1, method = "best"), "`method` must be one of", class = "stablecl_error_argument")
  expect_error(gintegrate(f, 0, 1, rel.tol = -1), "`rel.tol`", class = "stablecl_error_argument")
  expect_error(gintegrate(f, 0, 1, sigma = 1), "no argument 'sigma'", class = "stablecl_error_argument")
  expect_error(gintegrate(function(x, a) x * a, 0, 1), "'a' of `f` has no value", class = "stablecl_error_argument")
  expect_error(gintegrate(function(x, y) x * y, c(0, 0, 0), 1), "2 elements", class = "stablecl_error_argument")
  expect_error(gintegrate(function(x) x[101], 0, 1), "from 1 to 100", class = "stablecl_error_argument")
  expect_error(gintegrate(function(x, y) x * y, c(0, 0), 1, method = "gk"), "cubature",
               class = "stablecl_error_argument")
  expect_error(gintegrate(f, 0, 1, breaks = NA), "`breaks`", class = "stablecl_error_argument")
  expect_error(suppressMessages(gintegrate(function(x) stop("no such luck"), 0, 1)), "no such luck")
})

test_that("arguments are passed on to the integrand", {
  expect_equal(gintegrate(function(x, p, q = 2) p * x^q, 0, 1, p = 3)$value, 1)
  expect_equal(gintegrate(function(x, p, q = 2) p * x^q, 0, 1, p = 3, params = data.frame(q = 1:2))$value, c(1.5, 1))
  expect_equal(gintegrate(sin, 0, pi)$value, 2)
  for (r in list(gintegrate(dnorm, -Inf, Inf, sd = 2), gintegrate(dgamma, 0, Inf, shape = 2, scale = 3),
                 gintegrate(dstable, -1e9, 1e9, alpha = 1.5, beta = 0.5))) {
    expect_equal(r$value, 1, tolerance = 1e-8)
    expect_equal(r$backend, "threads")
  }
})

test_that("vectors of limits are several integrals, unless the integrand uses the variable as a vector", {
  expect_length(gintegrate(function(x) max(x - 0.5, 0), 0, 1:9), 9)
  expect_length(gintegrate(function(x) c(5, 6)[floor(x) + 1], 0, c(1, 2)), 2)
  expect_length(gintegrate(function(x) sapply(x, function(t) t^2), 0, 1:9), 9)
  expect_length(gintegrate(function(x) sum(x), c(0, 0), 1), 1)
  expect_length(gintegrate(function(x) sum(c(0.5, 0.5) * dnorm(x, 0:1)), -5, c(0, 1), dim = 1), 2)
})

test_that("a translation that differs from the function in R is an error that names the point", {
  expect_error(gintegrate(function(x) { if (length(x) > 1) 2 * x else x }, 0, 1, control = list(fallback = "none")),
               class = "gintegrate_untranslatable")
  g <- function(x) x * 2
  environment(g) <- list2env(list(`*` = function(a, b) a + b))
  expect_equal(gintegrate(g, 0, 1)$value, 2.5)
  odd <- local({ n <- 0; function() { n <<- n + 1; n } })
  expect_error(gintegrate(function(x) x + odd(), 0, 1), "differ at x = ", class = "stablecl_error_translation")
  expect_error(gintegrate(function(x) max(x, 0) * dnorm(x), -Inf, Inf), "use, for example, pmax()", fixed = TRUE,
               class = "stablecl_error_translation")
  expect_equal(gintegrate(function(x) pmax(x, 0) * dnorm(x), -Inf, Inf)$value, dnorm(0))
})

test_that("the error of a function with several values at a point states the remedy", {
  f <- function(x) if (x > 0.5) c(x, x^2) else c(0, 0)
  expect_error(gintegrate(f, 0, 1), "n.value = 2 integrates a function with 2 components.", fixed = TRUE)
  expect_error(gintegrate(function(x, a) exp(-a * x), 0, 1, a = 1:3), "use params = data.frame(a = ...)", fixed = TRUE)
})

test_that("integrands without a translation are called in R, with one message", {
  session_cache <- get("session_cache", asNamespace("stablecl"))
  session_cache$untranslatable <- NULL
  g <- function(x) besselJ(x, 0.3)
  expect_message(r <- gintegrate(g, 0, 10), "besselJ() is supported for the orders 0 and 1 only", fixed = TRUE)
  expect_equal(r$value, integrate(g, 0, 10, rel.tol = 1e-10)$value, tolerance = 1e-8)
  expect_equal(r$backend, "R")
  expect_silent(gintegrate(g, 0, 10))
  expect_error(gintegrate(g, 0, 10, control = list(fallback = "none")), class = "gintegrate_untranslatable")
  expect_equal(gintegrate(function(x, n) besselJ(x, n), 0, 1, params = data.frame(n = 1:3))$value,
               vapply(1:3, function(n) integrate(function(x) besselJ(x, n), 0, 1)$value, 0), tolerance = 1e-8)
  expect_error(gintegrate(function(x) if (x > 0.7) besselJ("a", 1) else besselJ(x, 1), 0, 1))
})

test_that("integrals that do not converge have a status, and give one warning or an error", {
  hard <- function(x, w) sin(w / x)
  expect_warning(r <- gintegrate(hard, 0, 1, params = data.frame(w = 1:3), max.eval = 1000),
                 "3 of 3 integrals have not", class = "gintegrate_warning_status")
  expect_true(all(r$status == "max.eval"))
  expect_error(gintegrate(hard, 0, 1, w = 1, max.eval = 1000, stop.on.error = TRUE), class = "stablecl_error_integral")
  expect_warning(r <- gintegrate(function(x) 1 / x, 0, 1), class = "gintegrate_warning_status")
  expect_false(r$status == "converged")
  expect_warning(r <- gintegrate(function(x) sqrt(x), -1, 1), "not finite")
  expect_true(is.nan(r$value))
  expect_warning(gintegrate(function(x) if (x <= 7) exp(-x) else NaN, 0, Inf), "not finite")
  expect_warning(gintegrate(function(x) sqrt(5 - x), 0, Inf), class = "gintegrate_warning_status")
  expect_equal(gintegrate(function(x) exp(x) * dnorm(x), 0, Inf)$value, exp(0.5) * pnorm(1), tolerance = 1e-10)
  expect_warning(gintegrate(hard, 0, 1, w = 1, subdivisions = 10), class = "gintegrate_warning_status")
})

# Close to a nonzero end, intervals shrink to the spacing of doubles, and nodes coincide with the end.
test_that("singularities next to which doubles are sparse are extrapolated", {
  meets <- function(f, true, ..., rel.tol = 1e-8, most = 3000) {
    r <- gintegrate(f, ..., rel.tol = rel.tol)
    expect_true(all(r$status == "converged"))
    expect_true(all(abs(r$value - true) <= r$abs.error & r$abs.error <= rel.tol * true))
    expect_lt(max(r$evaluations), most)
  }
  a <- c(-0.5, -0.55, -0.8)
  meets(function(x, a) (x - 1)^a, 1 / (a + 1), 1, 2, params = data.frame(a = a))
  meets(function(x, a) (2 - x)^a, 1 / (a + 1), 1, 2, params = data.frame(a = a))
  meets(function(x, a) abs(x - 1 / 3)^a, ((1 / 3)^(a + 1) + (2 / 3)^(a + 1)) / (a + 1), 0, 1,
        params = data.frame(a = a), most = 5000)
  meets(function(x) x^-0.9 * exp(-x), gamma(0.1), 0, Inf)
  meets(function(x) exp(x) / sqrt(1 - x^2), pi * besselI(1, 0), -1, 1)
  meets(function(x) 1 / sqrt(1 - x), 2, 0, 1, rel.tol = 1e-12)
})

# Next to the singular point f behaves differently than at a distance of it, or is not integrable.
test_that("extrapolation is checked by points nearer to the singular point", {
  set.seed(5)
  u <- 10^runif(300, -12, 0)
  p <- runif(300, -0.95, 0.9)
  for (rel.tol in c(1e-4, 1e-8)) {
    r <- gintegrate(function(x, u, p) (x + u)^p, 0, 1, params = data.frame(u, p), rel.tol = rel.tol)
    true <- ((1 + u)^(p + 1) - u^(p + 1)) / (p + 1)
    expect_true(all(abs(r$value - true) <= r$abs.error + 1e-14 * true))
    expect_true(all(r$status == "converged"))
  }
  for (f in c(function(x) 1 / x, function(x) x^-1.5, function(x) 1 / (1 - x), function(x) abs(x - 1 / 3)^-1.2))
    expect_false(suppressWarnings(gintegrate(f, 0, 1))$status == "converged")
})

test_that("refinement ends if an interval that cannot be bisected has an infinite error", {
  expect_warning(r <- gintegrate(function(x) abs(x - 0.5)^-0.5, 0, 1, method = "simpson"), "not finite")
  expect_equal(r$abs.error, Inf)
  expect_lt(r$evaluations, 7000)
})

# Without this status, the intervals next to the singularity would be bisected again and again, one per round.
test_that("refinement ends as stuck if the error of narrow intervals alone is too large", {
  for (method in c("gk", "simpson")) {
    f <- if (method == "gk") function(x) 1 / (x * log(x / 2)^2) else function(x) abs(x - 1 / 3)^-0.9
    expect_warning(r <- gintegrate(f, 0, 1, method = method, rel.tol = 1e-6), "stuck")
    expect_lt(r$evaluations, 2e5)
    true <- if (method == "gk") 1 / log(2) else 10 * ((1 / 3)^0.1 + (2 / 3)^0.1)
    expect_gt(r$abs.error, 1e-6 * r$value)
    expect_lt(abs(r$value / true - 1), 0.05)
  }
})

test_that("NaN on a whole subinterval is reported, even if other nodes miss it", {
  f <- function(x) if (x > 0.3 && x < 0.31) sqrt(-x) else x
  expect_warning(r <- gintegrate(f, 0, 1), "1 not finite")
  expect_true(is.nan(r$value))
})

test_that("an infinite value does not end refinement as long as bisection is possible", {
  r <- gintegrate(function(x) if (x == 0.375) 1 / 0 else x, 0, 1, method = "gk")      # the midpoint of an interval
  expect_equal(r$value, 0.5)
  expect_equal(r$evaluations, 4 * 21 + 2 * 21)
})

test_that("tolerances are met, and looser ones need fewer evaluations", {
  g <- function(x) 1 / ((x - 0.3)^2 + 1e-8)
  tight <- gintegrate(g, 0, 1, rel.tol = 1e-12)
  loose <- gintegrate(g, 0, 1, rel.tol = 1e-3)
  expect_lt(loose$evaluations, tight$evaluations)
  expect_lte(loose$abs.error, 1e-3 * loose$value)
  expect_lte(tight$abs.error, 1e-12 * tight$value)
})

test_that("methods of the class work for several integrals", {
  r <- gintegrate(function(x) sin(x), 0, 1:12)
  expect_s3_class(r, "gintegral")
  expect_length(r, 12)
  expect_equal(r[3]$value, 1 - cos(3))
  expect_equal(r[c(TRUE, rep(FALSE, 11))]$value, 1 - cos(1))
  d <- as.data.frame(r)
  expect_equal(dim(d), c(12L, 4L))
  expect_named(d, c("value", "abs.error", "evaluations", "status"))
  out <- capture.output(print(r))
  expect_match(out[1], "12 integrals")
  expect_match(out[2], "with absolute error <")
  expect_match(out[12], "2 more")
  expect_match(capture.output(print(summary(r))), "evaluations", all = FALSE)
  expect_equal(summary(r)$n, 12)
  expect_equal(nchar(format(r)[1]) > 0, TRUE)
})

# Plain numbers are checked in compiled code, other forms in R.
test_that("limits and tolerances have the same effect in every form", {
  f <- function(x, y) exp(x * y)
  plain <- gintegrate(f, c(0, 1), c(2, 3), rel.tol = 1e-6)
  for (r in list(gintegrate(f, 0:1, 2:3, rel.tol = 1e-6),
                 gintegrate(f, c(a = 0, b = 1), matrix(c(2, 3), 1), rel.tol = 1e-6),
                 gintegrate(f, c(0, 1), c(2, 3), rel.tol = c(tol = 1e-6), max.eval = 10000000L))) {
    expect_identical(r$value, plain$value)
    expect_identical(stablecl:::problem_of(r)[c("lower", "upper")], stablecl:::problem_of(plain)[c("lower", "upper")])
  }
  for (bad in list(NaN, NA, -1, "1e-6", c(1e-6, 1e-7), NULL))
    expect_error(gintegrate(f, c(0, 1), c(2, 3), rel.tol = bad), "`rel.tol` must be one non-negative number",
                 class = "stablecl_error_argument")
})

# integrate() makes 42 k - 21 evaluations for k subdivisions of a finite range.
test_that("code for results of integrate() finds the components that it uses", {
  for (call in list(quote(gintegrate(dexp, 0, 3)), quote(gintegrate(function(x) besselJ(x, 0.3), 0, 10)))) {
    for (repeated in 1:3) {
      r <- suppressMessages(eval(call))
      expect_identical(r$message, "OK")
      expect_identical(r$subdivisions, as.integer(ceiling(r$evaluations / 42)))
      expect_true(is.double(r$value) && is.double(r$abs.error) && is.call(r$call))
    }
  }
  r <- suppressWarnings(gintegrate(function(x, p) if (p > 2) sin(p / x) else x^p, 0, 1,
                                   params = data.frame(p = c(1, -2, 9)), max.eval = 1000, method = "gk"))
  expect_match(r$message, "maximum number of evaluations reached", fixed = TRUE)
  expect_match(r$message, "the integral is probably divergent", fixed = TRUE)
  expect_identical(r$subdivisions, NULL)
  expect_identical(r[1]$message, "OK")
  expect_identical(r[1]$subdivisions, as.integer(ceiling(r$evaluations[1] / 42)))
  expect_identical(r[2]$message, "the integral is probably divergent")
  expect_identical(r[0]$message, "OK")
  expect_identical(gintegrate(function(x, y) x * y, c(0, 0), 1)$subdivisions, NULL)
  expect_setequal(names(stablecl:::status_messages), setdiff(stablecl:::integral_statuses(), "converged"))
})

test_that("results keep no copies of limits and parameters", {
  n <- 2e5
  f <- function(x, y, a, b) a * x + b * y
  limits <- matrix(0, n, 2)
  above <- matrix(1, n, 2)
  p <- list(a = seq_len(n) + 0L, b = 2)
  p$a[1L] <- 7L                                             # integers of their own, not a compact sequence
  run <- function(rows) {
    gintegrate(f, limits[rows, ], above[rows, ], params = list(a = p$a[rows], b = p$b), method = "cubature")
  }
  run(1:10)
  cells <- function() gc()["Vcells", 1L]
  before <- cells()
  r <- gintegrate(f, limits, above, params = p, method = "cubature")
  expect_lt((cells() - before) * 8, (3 * 8 + 4 + 4) * n)    # value, abs.error, evaluations and status; 4 to spare
  expect_identical(r$problem$columns, p)
  expect_equal(r$value[c(1, n)], (c(7, n) + 2) / 2)
  few <- r[c(n, 1L)]
  expect_identical(as.data.frame(few, inputs = TRUE)$a, c(200000L, 7L))
  expect_lt(as.numeric(utils::object.size(few)), 1e5)
})

test_that("subsets keep the limits and parameters of their integrals, in every form", {
  f <- function(x, y, a) a * x * y
  upper <- cbind(1:3, c(2, 4, 6))
  forms <- list(gintegrate(f, c(0, 0), upper, params = data.frame(a = 1:3), rel.tol = 1e-6),
                gintegrate(f, matrix(0L, 1, 2), upper, params = list(a = c(1, 2, 3)), rel.tol = 1e-6),
                gintegrate(f, 0 * upper, upper, params = pairlist(a = 1:3), rel.tol = 1e-6))
  for (r in forms) {
    for (i in list(2, -1, c(TRUE, FALSE, TRUE), c(3, 3, 1), 0)) {
      k <- (1:3)[i]
      d <- as.data.frame(r[i], inputs = TRUE)
      expect_equal(d$upper1, k)
      expect_equal(d$lower2, 0 * k)
      expect_equal(d$value, d$a * (d$upper1 * d$upper2)^2 / 4)
    }
    expect_equal(is.na(as.data.frame(r[2:5], inputs = TRUE)$a), c(FALSE, FALSE, TRUE, TRUE))
    expect_equal(r[2:3][2]$problem$dim, 2L)
  }
})
