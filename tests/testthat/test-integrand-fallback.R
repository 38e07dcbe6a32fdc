# Integrands that a translation might misinterpret: it must give R's values, or be refused.

values_of <- function(f, x, ...) {
  made <- tryCatch(gtranslate(f, dim = 1, ...), gintegrate_untranslatable = function(e) NULL)
  if (is.null(made)) return(NULL)
  .Call(stablecl:::C_values, made$program, list(as.double(x)))
}

# Expects R's values, or no translation.
expect_r_or_none <- function(f, x = c(0.3, 1.2, 2.7)) {
  ours <- values_of(f, x)
  if (is.null(ours)) return(succeed())
  theirs <- vapply(x, function(one) suppressWarnings(as.double(f(one))), 0)
  expect_equal(ours, ifelse(is.na(theirs), NaN, theirs), tolerance = 1e-12)
}

# Expects the integral of the values that R computes.
expect_integrates <- function(f, ...) {
  r <- suppressWarnings(suppressMessages(gintegrate(f, 0, 1, ...)))
  expect_equal(r$value, integrate(Vectorize(f), 0, 1)$value, tolerance = 1e-7)
}

test_that("values that a function reads besides its arguments are read in every call", {
  make <- function(s) function(x) get("s") * x
  expect_integrates(make(1))
  expect_integrates(make(3))
  on.exit(options(stablecl.test = NULL))
  f <- function(x) getOption("stablecl.test") * x
  for (k in 1:2) {
    options(stablecl.test = k)
    expect_integrates(f)
  }
  g <- function(x) as.numeric(Sys.getenv("STABLECL_TEST")) * x
  for (k in 1:2) {
    Sys.setenv(STABLECL_TEST = k)
    expect_integrates(g)
  }
  Sys.unsetenv("STABLECL_TEST")
  file <- tempfile()
  h <- eval(bquote(function(x) scan(.(file), quiet = TRUE) * x))
  for (k in 1:2) {
    writeLines(format(k), file)
    expect_integrates(h)
  }
  unlink(file)
  text <- "2"
  p <- function(x) eval(parse(text = text)) * x
  expect_integrates(p)
  text <- "5"
  expect_integrates(p)
})

test_that("active bindings, changed values and redefined functions are not cached", {
  level <- 1
  env <- new.env()
  makeActiveBinding("level", function() level, env)
  f <- function(x) level * x
  environment(f) <- env
  expect_integrates(f)
  level <- 2
  expect_integrates(f)
  inner <- function(u) u
  g <- function(x) inner(2) * x
  expect_integrates(g)
  inner <- function(u) 3 * u
  expect_integrates(g)
})

test_that("0 and -0 are different arguments and different constants", {
  f <- function(x, z) atan2(z, -x)
  expect_equal(gintegrate(f, 0, 1, z = 0)$value, pi)
  expect_equal(gintegrate(f, 0, 1, z = -0)$value, -pi)
  expect_equal(values_of(function(x) atan2(0, -x) - atan2(-0, -x), 1), 2 * pi)
})

test_that("arguments of functions have the same meaning as in R", {
  tab <- c(5, 7, 11)
  for (f in list(function(x) mean(c(x, 1, 2), 0.5), function(x) mean(c(x, 10, 2), trim = 0.4),
                 function(x) ifelse(x > 1, c(1, 2), 3), function(x) sum(ifelse(c(x, 2) > 1, c(1, 2, 3), 5)),
                 function(x) sum(sapply(1:3, function(i) c(i, x)) %*% c(1, 2, 3)),
                 function(x) sum(tab[-x]), function(x) sum(c(x, 1, recursive = TRUE)), function(x) sum(tab[x > 1]),
                 function(x) dbeta(x / 4, 2, 3, TRUE), function(x) pgamma(x, 2, 1, 1, FALSE),
                 function(x) sum(unname(matrix(c(x, 1, 2, 3), 2)) %*% c(1, 2)),
                 function(x) sum(c(1, 2) * c(x, 1, 2, 3)),
                 function(x) sum(vapply(1:3, function(i) c(i, x), numeric(2))[2, ]),
                 function(x) { v <- c(x, 2); w <- (v[1] <- 9); w + v[1] * x }))
    expect_r_or_none(f)
})

test_that("default arguments are evaluated when they are first used", {
  for (f in list(function(x, k = x + 1) { k; x <- 10; k + x }, function(x, k = x + 1) { x <- 10; k + x },
                 function(x, a = 2, s = a) { a <- 5; s * x },
                 function(x) { g <- function(u, k = u) { u <- 3; k + u }; g(x) },
                 function(x, k = x) { if (x > 1) k; x <- 2 * x; k }))
    expect_r_or_none(f)
})

test_that("integers overflow to NA", {
  for (f in list(function(x) { s <- 1L; for (i in 1:50) s <- s * 2L; s + x },
                 function(x) { s <- 0; for (i in 1:50000) s <- s + i * i; s + x },
                 function(x) { s <- 0L; for (i in 1:100000) s <- s + i; s + x },
                 function(x) { s <- 0; for (i in 1:1000) s <- s + i * i; s + x },
                 function(x) (x > 0) + .Machine$integer.max, function(x) (x > 9) %/% 0L,
                 function(x) sum(x > 1, 2147483647L)))
    expect_r_or_none(f)
})

test_that("redefined syntax such as `(`, `{` and `if` is not mistaken for that of R", {
  words <- list("(" = function(u) 2 * u, "{" = function(...) 7, "if" = function(a, b, c) 3)
  for (word in names(words)) {
    f <- function(x) { y <- (x + 1); if (y > 2) y else 2 * y }
    environment(f) <- list2env(words[word], parent = baseenv())
    made <- values_of(f, c(0.3, 1.5))
    if (!is.null(made)) expect_equal(made, vapply(c(0.3, 1.5), f, 0))
  }
  succeed()
})

test_that("a condition that is NA gives NaN", {
  for (f in list(function(x) ifelse(x > NaN, x, x), function(x) ifelse(log(x - 1) > 0, 2, 2)))
    expect_true(is.nan(values_of(f, 0.5)))
  g <- function(x, a) { y <- 2; if (a > x) 1; x * y }
  h <- function(x, a) if (a > x) x else x
  k <- function(x, a) { s <- 0; for (i in 1:50) { if (a > i) 1; s <- s + x }; s }
  for (f in list(g, h, k)) {
    made <- gtranslate(f, dim = 1, params = "a")$program
    at <- .Call(stablecl:::C_values, made, list(c(0.5, 0.5), c(2, NaN)))
    expect_equal(at[1], f(0.5, 2))
    expect_true(is.nan(at[2]))
  }
  lazy <- gtranslate(function(x, a) if (x > 0 || a > 1) x else 2 * x, dim = 1, params = "a")$program
  expect_equal(.Call(stablecl:::C_values, lazy, list(0.5, NaN)), 0.5)
})

test_that("a captured vector is indexed correctly in each pass of a loop", {
  w <- c(1, 5, -2)
  expect_equal(values_of(function(x) { s <- 0; for (i in 1:3) s <- s + w[i] * x^i; s }, 2), sum(w * 2^(1:3)))
})

test_that("a translation is compared with its function when it is made, and inside the range when it is used", {
  n <- 0
  count <- function() { n <<- n + 1; n }
  expect_error(gtranslate(function(x) x + count()), class = "stablecl_error_translation")
  made <- gtranslate(function(x) exp(-3 * x))
  made$program <- gtranslate(function(x) exp(-2 * x))$program
  expect_error(gintegrate(made, 0, 1), class = "stablecl_error_translation")
  file <- tempfile()
  saveRDS(made, file)
  expect_error(gintegrate(readRDS(file), 0, 1), class = "stablecl_error_translation")
  a <- 2
  kept <- gtranslate(function(x) exp(-a * x))
  a <- 3
  saveRDS(kept, file)
  rm(a)
  expect_equal(gintegrate(readRDS(file), 0, 1)$value, (1 - exp(-2)) / 2)
  unlink(file)
})

test_that("long sums, deep calls and many branches are translated in linear time", {
  sum_of <- function(n) eval(parse(text = paste("function(x)", paste(rep(c("x", "1"), n / 2), collapse = " + "))))
  expect_equal(values_of(sum_of(1000), 0.5), 750)
  nested <- eval(parse(text = paste0("function(x) ", strrep("sin(", 45), "x", strrep(")", 45))))
  expect_r_or_none(nested)
  deep <- quote(x)
  for (k in 1:1000) deep <- call("abs", deep)
  program <- stablecl:::translate_integrand(eval(call("function", as.pairlist(alist(x = )), deep)), 1, list(),
                                            character(), NULL)$program
  expect_equal(.Call(stablecl:::C_values, program, list(-2)), 2)
  steps <- paste0("if (x > ", 1:30, ") { if (x > 50) return(1) else x <- x - 0.5 }", collapse = "\n")
  many <- eval(parse(text = paste("function(x) {", steps, "\nx }")))
  expect_lt(system.time(expect_r_or_none(many, c(0.5, 7.2, 40, 60)))[["user.self"]], 10)
  test <- "x > 1"
  for (k in 1:15) test <- paste0("ifelse(", test, ", x, ", k, ") > 2")
  expect_lt(system.time(expect_r_or_none(eval(parse(text = paste("function(x)", test, "+ 0")))))[["user.self"]], 10)
  big <- rep(1, 1e6)
  took <- system.time(e <- tryCatch(gtranslate(function(x) sum(big * x), dim = 1), error = identity))
  expect_match(conditionMessage(e), "as many operations")
  expect_lt(took[["user.self"]], 5)
})

test_that("the gamma family is accurate close to its poles", {
  d <- c(1e-200, 1e-17, 2^-40, 1e-3)
  expect_equal(values_of(function(x) digamma(x), -d), 1 / d - 0.57721566490153286, tolerance = 1e-3)
  expect_equal(values_of(function(x) digamma(x), -c(1e-200, 1e-17)), c(1e200, 1e17))
  expect_equal(values_of(function(x) trigamma(x), -2 - 2^-40), 2^80, tolerance = 1e-9)
  expect_equal(values_of(function(x) digamma(x), -2 + 2^-40), -2^40, tolerance = 1e-9)
  expect_equal(values_of(function(x) choose(x, 5), 170 - 1e-5), choose(170 - 1e-5, 5), tolerance = 1e-13)
})

test_that("powers of 1 and 0 agree with R at NaN and -0", {
  at <- function(f, x, a) .Call(stablecl:::C_values, gtranslate(f, dim = 1, params = "a")$program, list(x, a))
  expect_equal(at(function(x, a) x^a, c(1, 2), c(NaN, 0)), c(1, 1))
  expect_equal(at(function(x, a) a^x, c(0, 1), c(NaN, NaN)), c(1, NaN))
  expect_equal(at(function(x, a) 1 / (x * a)^3, c(1, 1), c(-0, 0)), c(Inf, Inf))
  expect_equal(at(function(x, a) (x * a)^-1, c(1, 1), c(-0, 0)), c(Inf, Inf))
})

test_that("zeros of whole numbers are positive, as R's integers have one zero", {
  y <- c(-2, 3)
  for (f in list(function(x) atan2(-((x > 5) + 0L), -1), function(x) atan2(-(x > 5), -1),
                 function(x) 1 / ((x > 5) * -1L), function(x) 1 / ((x > 5) %/% -2L), function(x) 1 / ((x > 5) %% -2L)))
    expect_identical(translated(f, y), vapply(y, f, 0))
})
