# Monte Carlo and product rules: methods "vegas", "lattice" and "product", and their choice by "auto".

boxes <- utils::read.csv(test_path("data", "boxes.csv"), comment.char = "#", colClasses = "character")
lines <- utils::read.csv(test_path("data", "integrals.csv"), comment.char = "#", colClasses = "character")

sampled <- function(k, table = boxes, ...) {
  f <- eval(parse(text = paste("function(x)", table$formula[k])), globalenv())
  dim <- if (is.null(table$dim)) 1L else as.integer(table$dim[k])
  limit <- function(which) eval(parse(text = table[[which]][k]))
  suppressWarnings(gintegrate(f, limit("lower"), limit("upper"), dim = dim, ...))
}

box <- function(id) match(id, boxes$id)

test_that("integrals that converge are within four standard errors", {
  for (method in c("vegas", "lattice")) for (k in seq_len(nrow(boxes))) {
    r <- sampled(k, method = method, rel.tol = 1e-3, max.eval = 2e6, control = list(seed = k))
    expect_lte(r$evaluations, 2e6)
    if (r$status != "converged") next
    expect_lte(r$abs.error, 1e-3 * abs(r$value))
    true <- as.numeric(boxes$value[k])
    expect_lte(abs(r$value - true), 4 * r$abs.error + 1e-12 * abs(true), label = paste(method, boxes$id[k]))
  }
})

test_that("integrals that converge in one dimension are within four standard errors", {
  finite <- !grepl("Inf", paste(lines$lower, lines$upper))
  for (method in c("vegas", "lattice")) for (k in which(finite)) {
    r <- sampled(k, lines, method = method, rel.tol = 1e-3, max.eval = 1e6, control = list(seed = 1))
    true <- as.numeric(lines$value[k])
    if (r$status == "converged")
      expect_lte(abs(r$value - true), 4 * r$abs.error + 1e-12 * abs(true), label = paste(method, lines$id[k]))
  }
})

test_that("most integrands of the m-Cubes suite converge", {
  for (id in c("f2_6", "f3_3", "f3_8", "f4_5", "f4_8", "f5_8", "f6_6")) for (method in c("vegas", "lattice"))
    expect_equal(as.character(sampled(box(id), method = method, rel.tol = 1e-3, control = list(seed = 2))$status),
                 "converged",
                 label = paste(method, id))
})

test_that("a narrow peak in nine dimensions is found", {
  f <- function(x) exp(-sum(x^2) / (2 * 0.01^2)) / (sqrt(2 * pi) * 0.01)^9
  for (method in c("vegas", "lattice")) {
    r <- gintegrate(f, rep(-1, 9), rep(1, 9), method = method, rel.tol = 1e-3, control = list(seed = 5))
    expect_lte(abs(r$value - 1), 4 * r$abs.error)
  }
})

test_that("a peak is found from tiny values in its tails", {
  f <- gtranslate(function(x) exp(-sum(x^2) / (2 * 0.01^2)) / (sqrt(2 * pi) * 0.01)^9, dim = 9)
  for (method in c("vegas", "lattice")) {
    # the first points: below 1e-295
    r <- gintegrate(f, rep(-1, 9), 1, method = method, control = list(seed = 17), rel.tol = 1e-3)
    expect_equal(as.character(r$status), "converged")
    expect_lt(abs(r$value - 1), 4 * r$abs.error)
  }
})

test_that("two distant peaks are both found", {
  for (d in c(2, 5, 8)) {
    f <- function(x) exp(-200 * sum((x - 1/3)^2)) + exp(-200 * sum((x - 2/3)^2))
    one <- prod(sqrt(pi / 200) * diff(pnorm((0:1 - 1/3) * 20)))^d
    for (method in c("vegas", "lattice")) for (seed in 1:3) {
      r <- suppressWarnings(gintegrate(f, rep(0, d), rep(1, d), method = method, rel.tol = 1e-2,
                                       control = list(seed = seed)))
      expect_lte(abs(r$value - 2 * one), 4 * r$abs.error, label = paste(method, d, seed))
    }
  }
})

test_that("integrals in twelve dimensions converge", {
  f <- function(x) prod(1 + (x - 0.5) / (1:12))
  for (method in c("vegas", "lattice")) {
    r <- gintegrate(f, 0, 1, dim = 12, method = method, rel.tol = 1e-4, control = list(seed = 1))
    expect_equal(as.character(r$status), "converged")
    expect_lte(abs(r$value - 1), 4 * r$abs.error)
  }
  expect_equal(gintegrate(f, 0, 1, dim = 12, rel.tol = 1e-2)$status, factor("converged", levels(r$status)))
  expect_error(gintegrate(f, 0, 1, dim = 12, method = "cubature"), "must be one of", class = "stablecl_error_argument")
})

test_that("results are reproducible with a seed or set.seed(), and differ between seeds", {
  f <- function(x) exp(-sum(abs(x - 0.3)))
  for (method in c("vegas", "lattice")) {
    run <- function(...) gintegrate(f, 0, 1, dim = 4, method = method, rel.tol = 1e-4, ...)
    by_seed <- run(control = list(seed = 77))
    for (part in c("value", "abs.error", "evaluations")) expect_identical(run(control = list(seed = 77))[[part]],
                                                                          by_seed[[part]])
    expect_false(run(control = list(seed = 78))$value == by_seed$value)
    set.seed(3)
    first <- run()$value
    second <- run()$value
    set.seed(3)
    expect_identical(run()$value, first)
    expect_false(second == first)
    before <- .Random.seed
    run(control = list(seed = 1))
    gintegrate(f, 0, 1, dim = 2, method = "cubature", rel.tol = 1e-3)
    expect_identical(.Random.seed, before)
  }
})

test_that("results do not depend on the number of threads", {
  f <- function(x, a) exp(-a * sum((x - 0.4)^2))
  for (method in c("vegas", "lattice")) for (n in c(1, 9)) {
    by_threads <- lapply(1:2, function(threads) {
      before <- stable_threads(threads)
      on.exit(stable_threads(before))
      gintegrate(f, 0, 1, dim = 5, params = data.frame(a = seq(1, 50, length.out = n)), method = method,
                 rel.tol = 2e-4, control = list(seed = 4))
    })
    for (part in c("value", "abs.error", "evaluations", "status"))
      expect_identical(by_threads[[1]][[part]], by_threads[[2]][[part]])
  }
})

test_that("integrals of a batch have their own value, error and status", {
  f <- function(x, y, a) exp(-a * (x + y))
  a <- c(0.5, NaN, 2, 30)
  upper <- cbind(c(1, 1, 2, 1), c(1, 1, 1, 0))
  exact <- (1 - exp(-a * upper[, 1])) * (1 - exp(-a * upper[, 2])) / a^2
  for (method in c("vegas", "lattice")) {
    r <- suppressWarnings(gintegrate(f, 0, upper, params = data.frame(a = a), method = method, rel.tol = 1e-3,
                                     control = list(seed = 8)))
    expect_equal(as.character(r$status), c("converged", "not finite", "converged", "converged"))
    expect_true(all(abs(r$value - exact)[-2] <= 4 * r$abs.error[-2]))
    expect_identical(r$value[4], 0)
    turned <- gintegrate(f, upper[1, ], 0, a = 0.5, method = method, rel.tol = 1e-3, control = list(seed = 8))
    expect_identical(gintegrate(f, 0, upper[1, ], a = 0.5, method = method, rel.tol = 1e-3,
                                control = list(seed = 8))$value, r$value[1])
    expect_equal(turned$value, exact[1], tolerance = 5e-3)
    expect_equal(gintegrate(f, c(1, 0), c(0, 1), a = 0.5, method = method, rel.tol = 1e-3)$value, -exact[1],
                 tolerance = 5e-3)
  }
})

# Of iterations - adjust iterations the first only allocates the samples of the others.
test_that("users may choose iterations, rounds, bins and samples as in m-Cubes", {
  peak <- function(x) exp(-1000 * sum((x - 0.4)^2))
  true <- (pi / 1000)^1.5                                   # the tails beyond the box are below 1e-70
  run <- function(..., rel.tol = 1e-9, max.eval = 3e5)
    suppressWarnings(gintegrate(peak, rep(0, 3), 1, method = "vegas", rel.tol = rel.tol, max.eval = max.eval,
                                control = list(seed = 5, ...)))
  for (chosen in list(c(20, 10), c(20, 0), c(3, 0), c(12, 5))) {
    r <- run(iterations = chosen[1], adjust = chosen[2])
    expect_equal(r$df, chosen[1] - chosen[2] - 2)
    expect_lte(r$evaluations, 3e5)
    expect_gt(r$evaluations, 1.5e5)
    expect_lte(abs(r$value - true), 4 * r$abs.error)
    expect_equal(as.character(r$status), "max.eval")
  }
  early <- run(iterations = 40, adjust = 5, rel.tol = 1e-2)
  expect_equal(as.character(early$status), "converged")
  expect_lt(early$df, 33)
  expect_gt(run(iterations = 20, adjust = 0)$abs.error, 1.5 * run(iterations = 20, adjust = 5)$abs.error)
  expect_gt(run(bins = 4)$abs.error, 1.5 * run(bins = 256)$abs.error)
  for (samples in c(4, 16, 1000)) {
    r <- run(samples.per.cube = samples)
    expect_lte(abs(r$value - true), 4 * r$abs.error)
    expect_false(r$value == run()$value)
  }
  steep <- suppressWarnings(gintegrate(function(x, y) 1e-250 * exp(-30 * (x + y)), c(0, 0), 1, method = "vegas",
                                       rel.tol = 1e-4, control = list(seed = 1, adjust = 0)))
  expect_lte(abs(steep$value * 1e250 * 900 - 1), 4 * steep$abs.error / steep$value)
})

test_that("one importance map for all axes is accurate for symmetric integrands", {
  for (method in c("vegas", "lattice")) {
    r <- sampled(box("f4_8"), method = method, rel.tol = 1e-3, control = list(seed = 3, symmetric = TRUE))
    expect_lte(abs(r$value - as.numeric(boxes$value[box("f4_8")])), 4 * r$abs.error)
  }
  expect_error(gintegrate(function(x) sum(x), c(0, 0), c(1, 2), method = "vegas", control = list(symmetric = TRUE)),
               "same limits",
               class = "stablecl_error_argument")
  expect_error(gintegrate(function(x) sum(x), c(0, 0), 1, method = "vegas", control = list(symmetric = NA)),
               "`symmetric`",
               class = "stablecl_error_argument")
})

test_that("values of any magnitude can be squared without overflow or underflow", {
  for (size in c(1e-280, 1e280)) for (method in c("vegas", "lattice")) {
    f <- function(x) size * exp(-50 * sum((x - 0.5)^2))
    r <- gintegrate(f, rep(0, 3), rep(1, 3), method = method, rel.tol = 1e-3, control = list(seed = 1))
    expect_lte(abs(r$value / size - (sqrt(pi / 50) * (2 * pnorm(5) - 1))^3), 4 * r$abs.error / size)
  }
})

test_that("integrals of constants and of zero are exact", {
  for (method in c("vegas", "lattice")) {
    r <- gintegrate(function(x) 0 * x[1] + 3, rep(0, 3), rep(2, 3), method = method, rel.tol = 1e-6)
    expect_equal(r$value, 24, tolerance = 1e-12)
    r <- gintegrate(function(x) 0 * sum(x), rep(0, 3), rep(2, 3), method = method, rel.tol = 1e-6)
    expect_identical(r$value, 0)
  }
})

test_that("failures have a status and a warning, and invalid arguments are errors", {
  bad <- function(x) if (x[1] > 0.5) NaN else x[2]
  for (method in c("vegas", "lattice")) {
    expect_warning(r <- gintegrate(bad, c(0, 0), 1, method = method), "not finite")
    expect_true(is.nan(r$value))
    expect_warning(r <- gintegrate(function(x) sin(sum(x)), rep(0, 4), 20, method = method, rel.tol = 1e-9,
                                   max.eval = 1e5), "max.eval", class = "gintegrate_warning_status")
    expect_true(is.finite(r$value) && r$abs.error > 1e-9 * abs(r$value))
    expect_lte(r$evaluations, 1e5)
    expect_warning(r <- gintegrate(function(x) sum(x), c(0, 0), 1, method = method, max.eval = 10), "max.eval")
    expect_lte(r$evaluations, 10)
  }
  expect_error(gintegrate(function(x) x, 0, 1, method = "vegas", control = list(seed = -1)), "`seed`",
               class = "stablecl_error_argument")
  expect_error(gintegrate(function(x) x, 0, 1, method = "vegas", control = list(seed = 1:2)), "`seed`",
               class = "stablecl_error_argument")
  expect_error(gintegrate(function(x) x, 0, 1, method = "lattice", breaks = 0.5), "`breaks`",
               class = "stablecl_error_argument")
})

test_that("untranslated functions give the same results as translations", {
  f <- function(x) exp(-sum((x - 0.5)^2))
  opaque <- function(x) as.numeric(format(f(x), digits = 17))
  for (method in c("vegas", "lattice")) {
    run <- function(f) suppressMessages(suppressWarnings(
      gintegrate(f, c(0, 0), c(1, 1), dim = 2, method = method, rel.tol = 1e-6, control = list(seed = 1),
                 max.eval = 20000)))
    expect_equal(run(opaque)$value, run(f)$value, tolerance = 1e-12)
    expect_equal(run(opaque)$backend, "R")
  }
  late <- function(x) if (x[1] > 0.999) stop("too far") else besselJ(x[1], 1)
  expect_error(suppressMessages(gintegrate(late, c(0, 0), 1, method = "vegas")), "too far")
})

test_that("chi-squared and Q are returned and printed", {
  r <- gintegrate(function(x) exp(-sum(x)), rep(0, 3), 1, method = "vegas", rel.tol = 1e-4, control = list(seed = 1))
  expect_gte(r$df, 4)
  expect_equal(r$Q, pchisq(r$chi.squared, r$df, lower.tail = FALSE))
  expect_match(format(r), "standard error .*chi-squared/df .*Q ")
  expect_named(as.data.frame(r), c("value", "abs.error", "evaluations", "status", "chi.squared", "df", "Q"))
  expect_output(print(summary(r)), "smallest Q")
  expect_equal(r[1]$Q, r$Q)
  expect_null(gintegrate(function(x) exp(-sum(x)), rep(0, 3), 1, method = "lattice", rel.tol = 1e-4)$Q)
})

# --- "product" and "auto" ---------------------------------------------------------------

test_that("the product rule converges for oscillating integrands, and its error estimate holds", {
  for (tol in c(1e-2, 1e-3, 1e-4, 1e-6)) for (k in seq_len(nrow(boxes))) {
    r <- sampled(k, method = "product", rel.tol = tol, max.eval = 1e6)
    true <- as.numeric(boxes$value[k])
    expect_lte(r$evaluations, 1e6)
    if (r$status == "converged")
      expect_lte(abs(r$value - true), max(r$abs.error, 1e-13 * abs(true)), label = paste(boxes$id[k], tol))
  }
  for (id in c("f1_5", "f1_8")) {
    r <- sampled(box(id), method = "product", rel.tol = 1e-3)
    expect_equal(as.character(r$status), "converged", label = id)
    expect_lte(abs(r$value - as.numeric(boxes$value[box(id)])), r$abs.error, label = id)
  }
  waves <- gintegrate(function(x) sin(sum(x)), rep(0, 6), rep(10, 6), method = "product", rel.tol = 1e-6)
  expect_equal(waves$value, -49.16507381641945731050132, tolerance = 1e-7)
})

test_that("the product rule is exact for polynomials, and stops early for jumps", {
  f <- function(x) 1 + x[1]^5 - 3 * x[1] * x[2]^2 * x[3]^4
  r <- gintegrate(f, rep(0, 3), 1:3, method = "product", rel.tol = 1e-12)
  expect_equal(r$value, 6 * (1 + 1/6 - 3 * (1/2) * (4/3) * (81/5)), tolerance = 1e-13)
  expect_equal(gintegrate(function(x) 0 * x[2] + 2, c(0, 0), 1:2, method = "product")$value, 4, tolerance = 1e-14)
  expect_warning(r <- gintegrate(function(x) if (x[1] > x[2]) 1 else 0, c(0, 0), 1, method = "product"), "max.eval")
  expect_lt(r$evaluations, 3000)
  # it also stops early if more nodes hardly help
  r <- sampled(box("f3_8"), method = "product", rel.tol = 1e-3, max.eval = 1e7)
  expect_equal(as.character(r$status), "max.eval")
  expect_lt(r$evaluations, 3e5)
})

test_that("auto chooses the cheapest sufficient method, and its error estimate holds", {
  expect_equal(sampled(box("f3_3"), rel.tol = 1e-4)$rule, "cubature")
  expect_equal(sampled(box("f1_8"), rel.tol = 1e-3)$rule, "product")
  set.seed(1)
  expect_equal(sampled(box("f5_8"), rel.tol = 1e-3)$rule, "lattice")
  for (id in c("f2_6", "f4_8", "f6_6", "f5_8", "gfun8")) {
    set.seed(2)
    r <- sampled(box(id), rel.tol = 1e-3)
    expect_equal(as.character(r$status), "converged", label = id)
    expect_lte(abs(r$value - as.numeric(boxes$value[box(id)])), r$abs.error, label = id)
    expect_lte(r$evaluations, 1e7)
  }
  f <- function(x, a) exp(-a * sum(abs(x - 0.3)))
  r <- gintegrate(f, rep(0, 5), 1, params = data.frame(a = c(1e-3, 5, 50)), rel.tol = 1e-3, control = list(seed = 2))
  a <- c(1e-3, 5, 50)
  expect_true(all(abs(r$value - (-(expm1(-0.3 * a) + expm1(-0.7 * a)) / a)^5) <= r$abs.error))
  expect_named(as.data.frame(r), c("a", "value", "abs.error", "evaluations", "status", "rule"))
})

test_that("a translation gives the results of its function, and takes no other arguments", {
  f <- function(x, a) exp(-a * sum(x))
  made <- gtranslate(f, dim = 3, params = "a")
  rows <- data.frame(a = 1:3)
  expect_identical(gintegrate(made, rep(0, 3), 1, params = rows, rel.tol = 1e-5)$value,
                   gintegrate(f, rep(0, 3), 1, params = rows, rel.tol = 1e-5)$value)
  expect_error(gintegrate(made, rep(0, 3), 1), "translation", class = "stablecl_error_argument")
  expect_error(gintegrate(made, rep(0, 3), 1, params = rows, dim = 2), "3 dimensions",
               class = "stablecl_error_argument")
})

test_that("inconsistent iterations do not count as converged", {
  heavy <- gtranslate(function(x) sum((x - 0.37)^2)^(-1.9), dim = 4)       # has infinite variance
  status <- vapply(1:20, function(seed) {
    r <- suppressWarnings(gintegrate(heavy, rep(0, 4), 1, method = "vegas", rel.tol = 1e-4, control = list(seed = seed),
                                     max.eval = 3e6))
    if (r$status == "inconsistent") expect_lt(r$Q, 1e-3 * 1.1) else expect_gt(r$abs.error, 1e-4 * r$value)
    as.character(r$status)
  }, "")
  expect_true("inconsistent" %in% status)
  expect_false("converged" %in% status)
})

# An antithetic pair about a jump near the centre of its subcube has the same mean wherever its points are, so that the
# samples of one iteration do not show the error.
test_that("error estimates of VEGAS on one axis allow for jumps and kinks", {
  set.seed(3)
  u <- runif(300)
  cases <- list(list(function(x, u) ifelse(x < u, 1, 2), 2 - u),
                list(function(x, u) ifelse(x < u, x, 2 + x), 2.5 - 2 * u),
                list(function(x, u) abs(x - u), (u^2 + (1 - u)^2) / 2))
  for (case in cases) {
    r <- gintegrate(case[[1L]], 0, 1, params = data.frame(u = u), method = "vegas", rel.tol = 1e-3)
    expect_true(all(r$status == "converged"))
    expect_lt(max(abs(r$value - case[[2L]]) / r$abs.error), 30)
    expect_lt(median(r$abs.error / r$value), 2e-4)
  }
})

# The difference from the rule with one node fewer is sometimes small by chance.
test_that("the product rule does not underestimate errors for Gaussians at random locations", {
  set.seed(5)
  n <- 1000
  p <- data.frame(a = runif(n, 0.1, 6), b = runif(n, 0.1, 6), u = runif(n), v = runif(n))
  along <- function(a, u) sqrt(pi) / a * (pnorm(a * (1 - u) * sqrt(2)) - pnorm(-a * u * sqrt(2)))
  true <- along(p$a, p$u) * along(p$b, p$v)
  f <- function(x, y, a, b, u, v) exp(-(a * (x - u))^2 - (b * (y - v))^2)
  for (tol in c(1e-2, 1e-5)) {
    r <- suppressWarnings(gintegrate(f, c(0, 0), 1, params = p, method = "product", rel.tol = tol))
    done <- r$status == "converged"
    expect_gt(mean(done), 0.99)
    expect_length(which(done & abs(r$value - true) > pmax(r$abs.error, 1e-14)), 0L)
  }
})

test_that("further lattices are used beyond the largest one", {
  skip_on_cran()
  largest <- 16 * 2^26
  run <- function(most) suppressWarnings(gintegrate(function(x, y) x * y > 0.3, c(0, 0), 1, method = "lattice",
                                                    rel.tol = 1e-12, max.eval = most, control = list(seed = 4)))
  one <- run(1.01 * largest)
  two <- run(2.02 * largest)
  expect_gt(one$evaluations, largest)
  expect_equal(two$evaluations - one$evaluations, largest)
  expect_false(two$value == one$value)
  expect_equal(as.character(two$status), "max.eval")
  expect_lt(abs(two$value - 0.7 - 0.3 * log(0.3)), 4 * two$abs.error)
})

test_that("the product rule integrates between kinks and jumps along the axes", {
  product <- function(f, dim, tol = 1e-8) gintegrate(f, rep(0, dim), 1, rel.tol = tol, method = "product")
  a <- c(4, 7, 3)
  u <- c(0.31, 0.5, 0.77)
  r <- product(function(x) exp(-sum(a * abs(x - u))), 3, 1e-10)
  true <- prod((-expm1(-a * u) - expm1(-a * (1 - u))) / a)
  expect_equal(as.character(r$status), "converged")
  expect_lte(abs(r$value - true), min(r$abs.error, 1e-10 * true))
  expect_lt(r$evaluations, 1e5)

  # kinks of functions, and their derivatives, of one variable; several breaks along an axis
  one <- list(list(function(x) pmax(x - 0.3, 0), 0.245), list(function(x) pmax(x - 0.3, 0)^2, 0.7^3 / 3),
              list(function(x) floor(4 * x), 1.5), list(function(x) if (x > 1 / 3) 2 else 1, 5 / 3),
              list(function(x) if (abs(x - 0.4) < 0.02) 1 else 0.01, 0.04 + 0.96 * 0.01))
  for (case in one) {
    g <- case[[1]]
    r <- product(function(x) g(x[1]) * exp(-x[2]), 2)
    label <- deparse(body(g))
    expect_equal(as.character(r$status), "converged", label = label)
    expect_lte(abs(r$value - case[[2]] * -expm1(-1)), r$abs.error + 1e-15, label = label)
  }

  # the integrand is 0 except in a small part that few lines enter
  for (v in list(c(0.3, 0.7, 1), c(0.02, 0.05, 1), c(0.004, 0.9, 1))) {
    r <- product(function(x) if (x[1] > v[1] || x[2] > v[2]) 0 else exp(sum(x)), 3)
    expect_lte(abs(r$value - prod(expm1(v))), max(r$abs.error, 1e-13), label = paste(v, collapse = " "))
  }
})

test_that("a search for breaks may meet points where the integrand is infinite", {
  r <- suppressWarnings(gintegrate(function(x) 1 / sqrt(abs(x - 0.5)), 0, 1, method = "product"))
  expect_equal(as.character(r$status), "max.eval")
})

test_that("breaks that lines suggest for oblique or curved discontinuities are abandoned soon", {
  for (f in list(function(x) if (sum(x^2) < 1) 1 else 0, function(x) abs(x[1] - x[2] - x[3] / 2))) {
    r <- suppressWarnings(gintegrate(f, rep(0, 3), 1, rel.tol = 1e-8, method = "product"))
    expect_equal(as.character(r$status), "max.eval", label = deparse(f))
    expect_lt(r$evaluations, 2e4, label = deparse(f))
  }
})
