# Elements of the R language that integrands may use.

x <- c(-2, -1, -0.5, 0, 0.25, 1, 3.5)

expect_translates <- function(f, points = x, ...) {
  expect_equal(translated(f, points), vapply(points, function(one) as.double(f(one)), 0), tolerance = 1e-13, ...)
}

test_that("branches are taken as in R", {
  expect_translates(function(x) if (x > 0) exp(x) else 0)
  expect_translates(function(x) { y <- 1; if (x > 0) y <- x^2 else if (x < -1) { y <- 3; z <- 1 }; y })
  expect_translates(function(x) { if (x < 0) return(-x); if (x > 1) { x <- x + 1; return(x) }; x * 2 })
  expect_translates(function(x) { if (x > 0 && x < 1 || x == -2) { w <- sin(x); w * exp(w) * cos(w) } else log(3 + x) })
  expect_translates(function(x) {
    if (x > 0) { if (x > 1) return(exp(x) * sin(x) * 3) } else x <- x * cos(x) * exp(x)
    x
  })
  expect_translates(function(x) ifelse(x > 0, sqrt(abs(x)), x^3))
  expect_translates(function(x) { k <- "b"; switch(k, a = x, b = , c = 2 * x, 3) })
})

test_that("conditions known in advance are decided by the translator", {
  flip <- TRUE
  f <- function(x) if (flip) x + 1 else no_such_function(x)
  expect_translates(f)
})

test_that("short loops are unrolled", {
  expect_translates(function(x) { s <- 0; for (i in 1:5) s <- s + x^i / i; s })
  expect_translates(function(x) { v <- numeric(3); for (i in seq_along(v)) v[i] <- x * i; sum(v) + v[2] })
  expect_translates(function(x) { s <- 0; for (w in c(0.5, 2)) for (k in 1:2) s <- s * w + k * x; s })
})

test_that("nested branches do not overwrite each other's values", {
  f <- function(x) {
    a <- if (x > 0) { if (x > 1) exp(x) * sin(x) + cos(x) else exp(-x) * sin(x) - cos(x) } else exp(x) * sin(x)
    b <- exp(x) * sin(x)
    a + b
  }
  expect_translates(f)
  expect_translates(f, rep(x, each = 300))
})

test_that("vectors, matrices and indices are translated", {
  A <- matrix(c(2, 0.5, 0.5, 1), 2)
  m <- c(0.1, -0.2)
  quad <- function(x) { d <- x - m; exp(-0.5 * drop(t(d) %*% A %*% d)) }
  cols <- list(c(0, 1, -1), c(0.5, 2, 0))
  each <- function(f) vapply(1:3, function(k) as.double(f(c(cols[[1]][k], cols[[2]][k]))), 0)
  for (f in list(quad, function(x) sum((1:2) * x), function(x) prod(dnorm(x, m, c(1, 2))), function(x) x[1] * x[[2]]^2,
                 function(x) if (any(x > c(0.5, 1))) 0 else exp(sum(x)),
                 function(x) max(x) - min(x) + mean(x) + length(x),
                 function(x) sum(x * (A %*% x)), function(x) c(crossprod(x)), function(x) sum(outer(x, x)) + sum(x[-1]),
                 function(x) sum((x %*% t(x))[1, ]), function(x) sum(sapply(x, function(t) t^2 + 1)),
                 function(x) cumsum(rev(x))[2]))
    expect_equal(translated_at(f, cols), each(f), tolerance = 1e-14)
  expect_equal(translated_at(function(x, y) x / (1 + y^2), cols), cols[[1]] / (1 + cols[[2]]^2))
})

test_that("closures are inlined with their defaults and environments", {
  scale <- 3
  make <- function(scale) function(t, power = 2) (t / scale)^power
  g <- make(2)
  expect_translates(function(x) g(x) + g(x, 3) + g(power = 1, t = x) + scale)
  expect_translates(function(x) { h <- function(u) u * x; h(2) + h(x) })
  one_sided <- Vectorize(function(t) if (t > 0) t else 0)
  expect_equal(translated(function(x) one_sided(x), x), pmax(x, 0))
  again <- function(x) again(x - 1)
  expect_error(gtranslate(function(x) again(x)), "recursive", class = "gintegrate_untranslatable")
})

test_that("interpolating functions agree with R", {
  knots <- c(-2.5, -1, 0.25, 1, 3)
  y <- c(1, 3, -2, 5, 4)
  z <- c(x, knots, -4, 4, 0.5)
  for (table in list(approxfun(knots, y), approxfun(knots, y, rule = 2),
                     approxfun(knots, y, method = "constant", f = 0.3),
                     approxfun(knots, y, yleft = 7, yright = -7), splinefun(knots, y), splinefun(knots, y, "natural"),
                     splinefun(c(0, 1, 3), c(2, 5, 2), "periodic"), stepfun(knots, c(0, y)), ecdf(c(0, 1, 1, 2)),
                     approxfun(seq(-3, 3, 0.25), sin(seq(-3, 3, 0.25)))))
    expect_equal(translated(function(x) table(x), z), as.double(table(z)) + 0, tolerance = 1e-13)
  weights <- c(5, 6, 7)
  expect_equal(translated(function(x) weights[floor(x) + 1], c(0.5, 1.5, 2.9, 3.5)), c(5, 6, 7, NaN))
})

test_that("captured values are not part of the program", {
  f <- function(x) a * exp(-(x / s)^2) + sum(w * x)
  first <- local({ a <- 2; s <- 3; w <- c(1, 2); environment(f) <- environment(); gtranslate(f) })
  other <- local({ a <- 3; s <- 3; w <- c(4, 4); environment(f) <- environment(); gtranslate(f) })
  expect_identical(first$program$code, other$program$code)
  expect_identical(first$program$prelude, other$program$prelude)
  expect_false(identical(first$program$constants, other$program$constants))
})

test_that("R evaluates expressions that do not depend on the variable", {
  A <- diag(2)
  expect_translates(function(x) qnorm(0.975) * x + det(A) + nchar("abc"))
  expect_lt(length(gtranslate(function(x) exp(2) * log(3) + x)$program$code), 6)
})

test_that("the error lists every problem with its place and a remedy", {
  text <- c("function(x) {", "y <- rnorm(1)", "z <- qgamma(x, 2)", "while (y > 0) y <- y - 1", "z + undefined(x)", "}")
  f <- eval(parse(text = text, keep.source = TRUE))
  e <- tryCatch(gtranslate(f), error = identity)
  expect_s3_class(e, c("gintegrate_untranslatable", "stablecl_error_untranslatable", "stablecl_error"), exact = FALSE)
  expect_equal(nrow(e$problems), 4L)
  expect_equal(e$problems$place, paste("line", 2:5))
  expect_match(e$problems$call[2], "qgamma(x, 2)", fixed = TRUE)
  expect_match(conditionMessage(e), "for (i in 1:n)", fixed = TRUE)
})

test_that("places are right without source references, and name the inner function", {
  g <- function(t) {
    u <- t
    qgamma(u, 2)
  }
  f <- function(x) {
    a <- 1
    if (x > 0) {
      b <- x
      a <- rnorm(1)
    }
    g(x) + qexp(a)
  }
  places <- function(f, g) {
    environment(f) <- list2env(list(g = g))
    tryCatch(gtranslate(f), error = function(e) e$problems$place)
  }
  expect_equal(places(utils::removeSource(f), utils::removeSource(g)),
               c("statement 2", "in g(), statement 2", "statement 3"))
  for (keep in c(TRUE, FALSE)) {
    one <- eval(parse(text = "\n\nfunction(x) qnorm(x)", keep.source = keep))
    expect_equal(tryCatch(gtranslate(one), error = function(e) e$problems$place), if (keep) "line 3" else "statement 1")
  }
})

test_that("integrands that R would interpret differently are errors", {
  for (f in list(function(x) sum(x), function(x) x - mean(x), function(x) max(x), function(x) length(x),
                 function(x) x[2],
                 function(x) x <<- 1, function(x) if (x > 0) TRUE, function(x) c(x, x), function(x) "a",
                 function(x) round(x, 2), function(x) sum(x, 1:2, na.rm = TRUE)))
    expect_error(gtranslate(f, dim = 1), class = "gintegrate_untranslatable")
})

test_that("the manual lists every function that has a translation", {
  known <- setdiff(ls(stablecl:::supported_functions), names(stablecl:::inner_operations))
  page <- tools::Rd_db("stablecl")[["gtranslate.Rd"]]
  text <- capture.output(tools::Rd2txt(page, options = list(underline_titles = FALSE)))
  words <- strsplit(paste(text, collapse = " "), "[^A-Za-z0-9._%]+")[[1]]
  plain <- grepl("^[A-Za-z]", known)
  expect_setequal(setdiff(known[plain], words), character())
})

test_that("print() shows the operations", {
  out <- capture.output(print(gtranslate(function(x, a) if (x > 0) exp(-a * x^2) else 0, a = 2)))
  expect_match(out[1], "1 dimension: 6 operations")
  expect_true(any(grepl("exp(", out, fixed = TRUE)))
})

test_that("a loop takes the operations of one pass, a vector those of all its elements", {
  operations <- function(f) {
    as.numeric(sub(".*: ([0-9]+) operations.*", "\\1", utils::capture.output(print(gtranslate(f, dim = 2)))[1]))
  }
  expect_lt(operations(function(x, y) { s <- 0; for (k in 1:500) s <- s + cos(k * x * y) / k; s }), 20)
  expect_gte(operations(function(x, y) sum(cos((1:500) * x * y) / (1:500))), 1500)
})

test_that("long loops become loops of the program, with R's values", {
  w <- sin(1:100)^2
  A <- matrix(c(0.5, 0.1, 0.2, 0.4), 2)
  for (f in list(function(x) { s <- 0; for (i in 1:1000) s <- s + sin(i * x) / i^2; s + i },
                 function(x) { a <- 0; b <- x; for (k in 1:50) { t <- a; a <- b; b <- t / 2 + b / 3 }; a + 10 * b + t },
                 function(x) {
                   s <- 1
                   for (k in seq(2, 200, by = 2)) {
                     if (x > 0) { u <- exp(-k * x) * w[k / 2]; s <- s + u * cos(s) } else s <- s / 2 - k
                     for (j in 1:40) s <- s + j / 1e3 * x
                   }
                   s
                 },
                 function(x) { z <- c(x, 1); for (i in 1:100) z <- A %*% z + 1 / i; z[1] - z[2] },
                 function(x) { s <- 0; for (one in w) s <- s + one * x^2; s },
                 function(x) { if (x > 0.5) { s <- x; for (i in 1:40) s <- s + 1 / (i + s); s } else 2 }))
    expect_translates(f, rep(x, each = 100))
  size <- function(f) length(gtranslate(f)$program$code) / 5
  expect_lt(size(function(x) { s <- 0; for (i in 1:10000) s <- s + exp(-i * x); s }), 15)
  many <- gintegrate(function(x) { s <- 0; for (i in 1:10000) s <- s + exp(-i * x); s }, 1, 2, rel.tol = 1e-10)
  expect_equal(many$value, log(1 - exp(-2)) - log(1 - exp(-1)), tolerance = 1e-10)
})

test_that("loops whose passes differ are unrolled if they are short, and errors otherwise", {
  expect_translates(function(x) { v <- numeric(60); for (i in 1:60) v[i] <- x^i; sum(v) })
  expect_translates(function(x) { s <- x; for (i in 1:40) for (j in 1:i) s <- s + 1 / (i + j); s })
  expect_error(gtranslate(function(x) { v <- numeric(3000); for (i in 1:3000) v[i] <- x^i; sum(v) }),
               "may depend on i", class = "gintegrate_untranslatable")
  expect_error(gtranslate(function(x) { while (x > 1) x <- x / 2; x }), "use for (i in 1:n)", fixed = TRUE,
               class = "gintegrate_untranslatable")
  expect_error(gtranslate(function(x) { repeat x <- x / 2; x }), "known at translation",
               class = "gintegrate_untranslatable")
})

test_that("a program with a loop that does not close, or without its number of operations, is rejected", {
  made <- gtranslate(function(x) { s <- 0; for (i in 1:100) s <- s + exp(-i * x); s })$program
  at <- match("NEXT", stablecl:::operations()$name) - 1L
  k <- which(matrix(made$code, 5L)[1L, ] == at)
  for (bad in list(c(4L, 0L), c(5L, 7L), c(2L, 0L))) {
    broken <- made
    broken$code[5L * (k - 1L) + bad[1L]] <- bad[2L]
    expect_error(.Call(stablecl:::C_values, broken, list(1)), "invalid")
  }
  for (work in list(NULL, NaN, Inf, -1, "1"))
    expect_error(.Call(stablecl:::C_values, modifyList(made, list(work = work)), list(1)), "invalid")
})

test_that("names of operations mean what the environment of the integrand says, also within one expression", {
  sin <- function(x) x^2
  expect_equal(translated(function(x) sin(x) + cos(x), 0.5), 0.25 + cos(0.5))
  f <- function(x) {
    cos <- function(u) u + 1
    base::cos(x) + cos(x)
  }
  expect_equal(translated(f, 0.5), f(0.5))
  g <- function(x) exp(x) + local_exp(x)
  local_exp <- function(x) { exp <- function(u) -u; exp(x) }
  expect_equal(translated(g, 0.5), exp(0.5) - 0.5)
})

test_that("many and deeply nested operations are translated like few", {
  long <- eval(parse(text = paste("function(x)", paste(sprintf("%d * sin(%d * x)", 1:3000, 1:3000), collapse = " + "))))
  expect_equal(translated(long, 0.01), sum((1:3000) * sin((1:3000) * 0.01)))
  too_long <- eval(parse(text = paste("function(x)", paste(rep("sin(x)", 60000), collapse = " + "))))
  expect_error(gtranslate(too_long), "100000 steps", class = "gintegrate_untranslatable")
  too_many <- function(x) sum(sin(x * (1:49999)))
  expect_error(gtranslate(too_many), "50000 operations", class = "gintegrate_untranslatable")
})

test_that("equal operations are computed once, except across the sides of a branch", {
  operations <- function(f) length(gtranslate(f)$program$code) / 5
  expect_equal(operations(function(x) sin(x) * sin(x) + sin(x)), 3)
  expect_equal(operations(function(x) (x + 0) * (x + -0)), 3)               # 0 and -0 differ
  f <- function(x) if (x > 0) exp(sin(x) + cos(x) + 1) else exp(sin(x) - cos(x) + 2)
  expect_equal(translated(f, c(-1, 1)), c(f(-1), f(1)))
  expect_gt(operations(f), 10)
})

test_that("the variable of a short loop has its own value in each pass if the bounds are captured or given", {
  m <- 4
  waves <- function(x, n = m) {
    s <- 0
    for (k in 1:n) s <- s + sin(k * x) / k^2
    s
  }
  rows <- list(
    waves,
    function(x) {
      s <- 0
      for (i in 1:m) for (j in i:m) s <- s + cos(i * x) * (j + x)
      s
    },
    function(x) {
      s <- 1
      for (k in seq(1, m, by = 2)) {
        p <- k + 1
        s <- s + exp(-p * x) * p
      }
      s
    },
    function(x) sum(sapply(1:m, function(k) k * x^k)),
    function(x) {
      g <- function(k) k * sin(k * x)
      g(1) + g(m) + g(m + 1)
    }
  )
  for (f in rows) {
    made <- gtranslate(f)
    expect_equal(gintegrate(made, 0, 1)$value, integrate(Vectorize(f), 0, 1, rel.tol = 1e-10)$value, tolerance = 1e-9,
                 label = paste(deparse(body(f)), collapse = " "))
  }
  for (n in c(2, 31, 40)) {
    expect_equal(gintegrate(waves, 0, 3, n = n)$value, sum((1 - cos(3 * (1:n))) / (1:n)^3), tolerance = 1e-9)
  }
})
