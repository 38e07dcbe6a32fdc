# Incomplete gamma and beta functions in integrands, and distributions that need them, compared with R on wide grids.
#
# The relative error allowed is 3e-14 plus 4 eps times the condition number of the value: |log p|, because the value is
# an exp(), plus |d log p/d log x|, because R's arguments are rounded, too.

eps <- .Machine$double.eps

# Returns the row of a comparison with the largest error, relative to the error allowed.
worst_row <- function(ours, theirs, steep, grid) {
  share <- abs(ours - theirs) / abs(theirs) / (3e-14 + 4 * eps * (abs(log(abs(theirs))) + steep))
  share[ours == theirs | is.nan(ours) & is.nan(theirs) | abs(theirs) < 1e-290] <- 0
  share[is.na(share)] <- Inf
  k <- which.max(share)
  list(share = share[k], text = paste(c(names(grid), "ours", "theirs"),
                                      format(c(unlist(grid[k, ]), ours[k], theirs[k]), digits = 15), collapse = ", "))
}

expect_agrees <- function(p, d, grid, log = FALSE, allowed = 1) {
  quiet <- function(f, ...) suppressWarnings(do.call(f, c(unname(as.list(grid)), ...)))
  for (lower in c(TRUE, FALSE)) {
    body <- as.call(c(list(as.name(p)), lapply(letters[seq_along(grid)], as.name), lower.tail = lower, log.p = log))
    args <- stats::setNames(rep(list(quote(expr = )), length(grid)), letters[seq_along(grid)])
    f <- as.function(c(args, list(body)), globalenv())
    theirs <- quiet(p, lower.tail = lower, log.p = log)
    steep <- abs(grid[[1]]) * quiet(d) / quiet(p, lower.tail = lower)
    if (log) steep <- steep / abs(theirs)
    steep[!is.finite(steep)] <- 0
    worst <- worst_row(translated_at(f, grid), theirs, steep, grid)
    expect_lt(worst$share, allowed, label = paste(p, lower, log, worst$text))
  }
}

shapes <- c(1e-10, 1e-3, 0.1, 0.5, 0.9, 1, 1.1, 2, 3.3, 5, 10, 15, 19.9, 20, 30, 100, 1e3, 1e4, 1e5, 1e6)

test_that("gamma tails agree with R", {
  ratio <- c(1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1, 1.001, 1.01, 1.03, 1.1, 1.3, 1.6, 2, 2.1,
             3, 5, 10, 100)
  grid <- expand.grid(x = ratio, a = shapes)
  grid$x <- grid$x * grid$a
  grid <- rbind(grid, expand.grid(x = c(1e-300, 1e-3, 0.1, 0.5, 0.56, 0.9, 1, 1.5, 3, 30, 500), a = shapes[1:16]))
  expect_agrees("pgamma", "dgamma", grid)
  expect_agrees("pgamma", "dgamma", grid, log = TRUE)
  expect_agrees("pchisq", "dchisq", grid)
})

test_that("beta tails agree with R", {
  x <- c(1e-300, 1e-20, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999, 1 - 1e-6, 1 - 1e-12)
  grid <- expand.grid(x = x, a = shapes, b = shapes)
  expect_agrees("pbeta", "dbeta", grid)
  near <- expand.grid(z = c(-6, -3, -1, -0.3, 0, 0.3, 1, 3, 6), a = shapes[-(1:3)], b = shapes[-(1:3)])
  top <- near$a / (near$a + near$b)
  near$z <- top + near$z * sqrt(top * (1 - top) / (near$a + near$b + 1))
  names(near)[1] <- "x"
  near <- near[near$x > 0 & near$x < 1, ]
  expect_agrees("pbeta", "dbeta", near)
  expect_agrees("pbeta", "dbeta", near, log = TRUE)
})

# mpmath 1.x, betainc(), 40 digits; R's pbeta() (R 4.2) is wrong in the first digit of the last two logarithms.
test_that("logarithms of extreme beta tails are right", {
  f <- function(x, a, b, upper)
    if (upper > 0) pbeta(x, a, b, lower.tail = FALSE, log.p = TRUE) else pbeta(x, a, b, log.p = TRUE)
  grid <- list(c(0.001, 0.5, 0.999, 0.01), c(30, 500, 1e6, 30), c(1e6, 20, 30, 1e5), c(1, 0, 0, 1))
  expect_equal(translated_at(f, grid), 
               c(-871.402666179585855, -280.591985290897895, -871.402666179586698, -875.932271828293071),
               tolerance = 1e-13)
})

test_that("the t and F distributions agree with R", {
  grid <- expand.grid(q = c(-1e200, -1e10, -40, -8, -3, -1, -0.1, -1e-8, 0, 1e-8, 0.1, 0.5, 1, 2, 5, 38, 1e5, 1e160),
                      df = c(1e-2, 0.5, 1, 1.5, 2, 5, 30, 100, 1e3, 1e4))
  expect_agrees("pt", "dt", grid)
  expect_agrees("pt", "dt", grid, log = TRUE)
  grid <- expand.grid(q = c(-1, 0, 1e-10, 1e-3, 0.1, 0.5, 0.9, 1, 1.1, 2, 5, 100, 1e8),
                      df1 = c(0.1, 1, 2, 3, 10, 200, 1e4),
                      df2 = c(0.1, 1, 2, 7, 50, 1e3))
  expect_agrees("pf", "df", grid)
})

test_that("discrete distributions agree with R", {
  grid <- expand.grid(q = c(-1, -0.5, 0, 0.5, 1, 2, 3, 7.9, 8, 20, 99, 1000, 1e5),
                      lambda = c(0, 1e-5, 0.5, 3, 20, 100, 1e4))
  expect_agrees("ppois", "dpois", grid)
  grid <- expand.grid(q = c(-1, 0, 1, 3, 5.5, 10, 50, 100, 400, 1000), size = c(0, 1, 10, 100, 1000),
                      prob = c(0, 1e-5, 0.1, 0.5, 0.7, 0.999, 1))
  expect_agrees("pbinom", "dbinom", grid)
  grid <- expand.grid(q = c(-1, 0, 1, 3, 10, 100, 1000), size = c(0.1, 1, 3.5, 50, 400),
                      prob = c(1e-3, 0.1, 0.5, 0.9, 1))
  expect_agrees("pnbinom", "dnbinom", grid)
  expect_agrees("pgeom", "dgeom", grid[c("q", "prob")])
  k <- c(0, 1, 5, 40)
  expect_equal(translated(function(x) pnbinom(x, 3, mu = 8), k), pnbinom(k, 3, mu = 8), tolerance = 1e-14)
  expect_equal(translated(function(x) dnbinom(x, 3, mu = 8), k), dnbinom(k, 3, mu = 8), tolerance = 1e-13)
  expect_error(gtranslate(function(x) pnbinom(x, 3)), "one of prob and mu", class = "gintegrate_untranslatable")
})

# d and p have the same parameters; the error allowed for densities is 1e-13 plus 4 eps (|log f| + |d log f/d log x|).
expect_density <- function(d, grid, steep) {
  for (log in c(FALSE, TRUE)) {
    body <- as.call(c(list(as.name(d)), lapply(letters[seq_along(grid)], as.name), log = log))
    f <- as.function(c(stats::setNames(rep(list(quote(expr = )), length(grid)), letters[seq_along(grid)]), list(body)),
                     globalenv())
    theirs <- suppressWarnings(do.call(d, c(unname(as.list(grid)), log = log)))
    scale <- if (log) steep / pmax(abs(theirs), 1e-3) else steep
    worst <- worst_row(translated_at(f, grid), theirs, scale + 300, grid)
    expect_lt(worst$share, 1, label = paste(d, log, worst$text))
  }
}

test_that("densities agree with R for large and small parameters", {
  grid <- expand.grid(x = c(-1, 0, 1e-300, 1e-3, 0.5, 0.9, 0.999, 1, 1.001, 1.1, 2, 10), a = c(0, shapes[-1]))
  grid$x <- ifelse(grid$a > 2, grid$x * grid$a, grid$x)
  expect_density("dgamma", grid, grid$x + grid$a)
  expect_density("dchisq", grid, grid$x + grid$a)
  expect_density("dt", expand.grid(x = c(-1e180, -50, -1, 0, 1e-9, 0.3, 4, 1e10), df = shapes[-(1:2)]), 0)
  grid <- expand.grid(x = c(-1, 0, 1e-20, 0.01, 0.3, 0.5, 0.9, 0.999, 1), a = shapes[-1], b = shapes[-1])
  expect_density("dbeta", grid, grid$a + grid$b)
  grid <- expand.grid(x = c(-1, 0, 1e-3, 0.5, 1, 1.2, 10), a = c(0.5, 1, 2, 7, 300), b = c(0.5, 2, 8, 1000))
  expect_density("df", grid, grid$a + grid$b)
  grid <- expand.grid(x = c(-1, 0, 1, 2.5, 3, 10, 100, 1005), lambda = c(0, 1e-5, 0.5, 3, 100, 1e3))
  expect_density("dpois", grid, grid$x + grid$lambda)
  grid <- expand.grid(x = c(-1, 0, 1, 2.5, 7, 10, 100), size = c(-1, 0, 2.5, 1, 10, 100),
                      prob = c(-1, 0, 0.1, 0.5, 0.9, 1))
  expect_density("dbinom", grid, 100)
  grid <- expand.grid(x = c(-1, 0, 1, 2.5, 7, 100), size = c(0.1, 1, 3.5, 100), prob = c(0.01, 0.5, 0.9, 1))
  expect_density("dnbinom", grid, 100)
  expect_density("dgeom", grid[c("x", "prob")], 100)
})

test_that("values at bounds of the domain agree with R", {
  odd <- c(NaN, -Inf, Inf, -1, 0, 0.5, 1, 2)
  for (p in c("pgamma", "pt", "ppois", "pchisq", "dgamma", "dchisq", "dt", "dpois")) {
    grid <- expand.grid(x = odd, a = odd)
    if (p == "pgamma" || p == "dgamma") grid <- grid[!(grid$a %in% Inf), ]
    if (p %in% c("pchisq", "dchisq")) grid <- grid[!(grid$a %in% c(0, Inf)), ]
    f <- eval(bquote(function(x, y) .(as.name(p))(x, y)))
    expect_lt(differs_by(translated_at(f, grid), suppressWarnings(f(grid$x, grid$a))), 1e-13, label = p)
  }
  for (p in c("pbeta", "pf", "pbinom", "dbinom", "pnbinom")) {
    grid <- expand.grid(x = odd, a = odd, b = odd)
    if (p == "pbeta") grid <- grid[!(grid$x %in% c(1, 2, Inf) & (grid$a %in% c(0, Inf) | grid$b %in% c(0, Inf))), ]
    if (p == "dbinom") grid <- grid[!(grid$a %in% Inf), ]
    if (p %in% c("pnbinom")) grid <- grid[is.finite(grid$a) & grid$a != 0, ]
    f <- eval(bquote(function(x, y, z) .(as.name(p))(x, y, z)))
    ours <- translated_at(f, grid)
    theirs <- suppressWarnings(f(grid$x, grid$a, grid$b))
    expect_lt(differs_by(ours, theirs), 1e-13, label = p)
  }
})

test_that("the beta function and binomial coefficients agree with R", {
  grid <- expand.grid(x = c(1e-10, 0.1, 0.5, 1, 2, 10, 300, 1e5), y = c(1e-3, 0.7, 1, 9.5, 200, 1e6))
  theirs <- lbeta(grid$x, grid$y)
  expect_lt(max(abs(translated_at(function(x, y) lbeta(x, y), grid) - theirs) / pmax(1, abs(theirs))), 2e-15)
  expect_lt(differs_by(translated_at(function(x, y) beta(x, y), grid), exp(theirs)), 1e-12)
  small <- expand.grid(x = c(1e-300, 1e-20, 0.3, 1, 9), y = c(1e-300, 1e-7, 1, 7.5))
  expect_lt(differs_by(translated_at(function(x, y) beta(x, y), small), beta(small$x, small$y)), 1e-14)
  expect_equal(translated_at(function(x, y) lbeta(x, y), list(c(0, -1, Inf, NaN), c(1, 2, 3, 1))),
               c(Inf, NaN, -Inf, NaN))
  grid <- expand.grid(n = c(-60.5, -7, -2.5, -1, 0, 0.5, 3, 7.3, 30, 45.5, 60, 100, 1e4),
                      k = c(-1, 0, 1, 2, 5, 29, 30, 31, 50, 99))
  expect_lt(differs_by(translated_at(function(x, y) choose(x, y), grid), choose(grid$n, grid$k)), 1e-12)
  known <- lchoose(grid$n, grid$k)
  expect_lt(max(abs(translated_at(function(x, y) lchoose(x, y), grid) - known)[is.finite(known)]), 1e-11)
})
