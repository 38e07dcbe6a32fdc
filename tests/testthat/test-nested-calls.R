# An integrand that R evaluates may call this package: each call keeps its own progress, results and failures.

# Returns a function that R evaluates, because tryCatch() cannot be translated.
as_closure <- function(f) {
  force(f)
  function(x) tryCatch(f(x), finally = NULL)
}

quietly <- function(code) suppressMessages(suppressWarnings(code))

test_that("integrals within an integrand are correct", {
  local_stable_backend("cpu")
  inner <- function(v) vapply(v, function(a) quietly(gintegrate(as_closure(function(t) a * t), 0, 1))$value, 0)
  got <- quietly(gintegrate(as_closure(inner), 0, 1:3))
  expect_equal(got$value, (1:3)^2 / 4, tolerance = 1e-10)
})

test_that("densities, quantiles, random numbers and fits within an integrand are correct", {
  local_stable_backend("cpu")
  set.seed(1)
  x <- rstable(60, 1.5, 0)
  fitted <- coef(stablefit(x, fixed = list(beta = 0)))[["alpha"]]
  mixed <- function(v) {
    alpha <- coef(stablefit(x, fixed = list(beta = 0)))[["alpha"]]
    u <- rstable(3, alpha, 0)
    stopifnot(is.finite(u), is.finite(qstable(0.3, alpha, 0)))
    dstable(v, alpha, 0)
  }
  expect_equal(quietly(gintegrate(as_closure(mixed), -1, 1))$value, diff(pstable(c(-1, 1), fitted, 0)),
               tolerance = 1e-8)
})

test_that("an error of the inner call reaches the user, and later calls are correct", {
  local_stable_backend("cpu")
  broken <- function(v) quietly(gintegrate(as_closure(function(t) stop("broken inside")), 0, 1))$value
  expect_error(quietly(gintegrate(as_closure(broken), 0, 1:3)), "broken inside")
  caught <- function(v) {
    tryCatch(broken(v), error = function(e) NULL)
    v^2
  }
  expect_equal(quietly(gintegrate(as_closure(caught), 0, 1:3))$value, (1:3)^3 / 3, tolerance = 1e-10)
  expect_equal(gintegrate(exp, 0, 1)$value, exp(1) - 1)
})

# The outer call reports its progress from its own results once a second, after the inner calls have returned.
test_that("the progress of the outer call is restored after an inner call", {
  skip_on_cran()
  local_stable_backend("cpu")
  told <- numeric()
  began <- Sys.time()
  state <- .Call(stablecl:::C_integrals, 2)
  slow <- function(inputs) {
    quietly(gintegrate(function(t, k) tryCatch(t + k, finally = NULL), 0, 1, params = data.frame(k = 1:5)))
    Sys.sleep(1.1)
    inputs[[1]]
  }
  .Call(stablecl:::C_integrate, c(list(progress = function(done) told <<- c(told, done)), state), 
        integral_problem(slow, c(0, 0), c(1, 2), list(),
                         list(rel.tol = 1e-6, abs.tol = 0, max.eval = 1e4)), "gk", "cpu")
  expect_gt(length(told), 0)
  expect_true(all(told %in% 0:2))
  expect_equal(state$value, c(0.5, 2))
})

test_that("a time limit ends the inner call only, and the outer result is correct", {
  skip_on_cran()
  skip_on_os("windows")
  local_stable_backend("cpu")
  limited <- function(v) {
    endless <- gtranslate(function(t) { s <- 0; for (i in 1:1e6) for (j in 1:1e6) s <- s + sin(t + i * j); s })
    said <- tryCatch({
      setTimeLimit(elapsed = 0.3, transient = TRUE)
      gintegrate(endless, 0, 1)
      ""
    }, error = conditionMessage, finally = setTimeLimit())
    if (!grepl("time limit", said)) stop("the limit was swallowed")
    v
  }
  expect_equal(quietly(gintegrate(as_closure(limited), 0, 1))$value, 0.5)
})

test_that("calls on a device within an integrand are correct", {
  skip_without_device()
  skip_on_cran()
  on.exit(stable_backend("default"))
  stable_backend("opencl")
  density <- function(v) dstable(v, 1.5, 0.5)
  got <- quietly(gintegrate(as_closure(density), -1, 1))$value
  expect_equal(got, diff(pstable(c(-1, 1), 1.5, 0.5)), tolerance = 1e-8)
  inner <- function(v) vapply(v, function(a) quietly(gintegrate(function(t) exp(a * t), 0, 1, backend = "opencl",
                                                                method = "gk"))$value, 0)
  right <- gintegrate(function(v) expm1(v) / v, 1, 2, backend = "cpu")$value
  expect_equal(quietly(gintegrate(as_closure(inner), 1, 2))$value, right, tolerance = 1e-8)
})
