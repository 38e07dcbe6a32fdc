# Compares approximate log densities and scores, which come from tables, with exact ones.

# Returns exact quantiles that cover the whole distribution.
points_of <- function(alpha, beta) {
  qstable(c(1e-5, 0.001, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 1 - 1e-5), alpha, beta)
}

shapes <- expand.grid(alpha = c(0.3, 0.37, 0.5, 0.799, 0.8, 0.95, 1, 1.05, 1.3, 1.62, 1.9, 1.99, 2 - 1e-6, 2),
                      beta = c(-1, -0.99, -0.4, 0, 0.15, 0.7, 0.999, 1))

test_that("log densities have errors below 1e-9", {
  for (k in seq_len(nrow(shapes))) {
    a <- shapes$alpha[k]
    b <- shapes$beta[k]
    x <- points_of(a, b)
    expect_lt(max(abs(stable_quick(x, a, b)[, "logpdf"] - dstable(x, a, b, log = TRUE))), 1e-9)
  }
})

test_that("scores agree with stable_score()", {
  columns <- c("alpha", "beta", "gamma", "delta")
  for (k in which(abs(shapes$beta) < 0.99 & shapes$alpha < 2 - 1e-3)) {
    a <- shapes$alpha[k]
    b <- shapes$beta[k]
    x <- points_of(a, b)
    exact <- suppressWarnings(stable_score(x, a, b))[, columns]
    miss <- abs(stable_quick(x, a, b)[, columns] - exact) / pmax(1, abs(exact))
    narrow <- a < 0.5 & b == 0 & abs(x) < 1e-6            # the tip of a peak about 1e-4 wide
    expect_lt(max(miss[!narrow, ], na.rm = TRUE), 2e-6)
    expect_lt(max(0, miss[narrow, ]), 3e-4)
  }
})

test_that("scale, location and parametrisation have the same effect as in dstable()", {
  x <- c(-40, -1, 0.3, 2, 17)
  for (a in c(0.45, 0.78, 0.9, 1.4)) for (b in c(-0.8, 0.6)) for (pm in 0:1) {
    quick <- stable_quick(x, a, b, 2.5, 0.7, pm)
    exact <- stable_score(x, a, b, 2.5, 0.7, pm)
    expect_equal(quick[, "logpdf"], dstable(x, a, b, 2.5, 0.7, pm, log = TRUE), tolerance = 1e-9)
    expect_equal(quick[, c("alpha", "beta", "gamma", "delta")], exact[, c("alpha", "beta", "gamma", "delta")],
                 tolerance = 1e-6)
  }
  # S1 is discontinuous at alpha = 1, where it has no score in alpha
  expect_warning(quick <- stable_quick(x, 1, 0.5, 2, 1, pm = 1), "NaNs")
  expect_equal(quick[, "logpdf"], dstable(x, 1, 0.5, 2, 1, pm = 1, log = TRUE))
})

test_that("reflection is exact", {
  x <- points_of(1.3, 0.4)
  y <- stable_quick(-x, 1.3, -0.4)
  expect_identical(stable_quick(x, 1.3, 0.4), y %*% diag(c(1, 1, -1, 1, -1)), ignore_attr = TRUE)
})

test_that("values outside the tables are computed exactly", {
  columns <- c("alpha", "beta", "gamma", "delta")
  same <- function(x, ...) {
    quick <- stable_quick(x, ...)
    expect_identical(quick[, "logpdf"], dstable(x, ..., log = TRUE))
    expect_identical(quick[, columns], stable_score(x, ...)[, columns])
  }
  same(c(-3, 0.2, 8), 0.25, 0.3)
  same(c(-3, 0.2, 8), 1.5, 0.3, 1, 0, 2)
  same(c(-1e30, 1e40, 1e200), 1.2, -0.3)
  same(c(-1e290, 1e300), 0.6, 0)
})

test_that("missing and bad values follow R's conventions", {
  y <- stable_quick(c(a = NA, b = NaN, c = 1), 1.5, 0)
  expect_identical(dimnames(y), list(c("a", "b", "c"), c("logpdf", "alpha", "beta", "gamma", "delta")))
  expect_identical(is.na(y[, "logpdf"]), c(a = TRUE, b = TRUE, c = FALSE))
  expect_identical(is.nan(y[, "logpdf"]), c(a = FALSE, b = TRUE, c = FALSE))
  expect_warning(y <- stable_quick(1, 2.1, 0), "NaNs produced")
  expect_true(all(is.nan(y)))
  expect_true(all(is.na(stable_quick(1, NA, 0))))
  expect_identical(dim(stable_quick(numeric(), 1.5, 0)), c(0L, 5L))
  expect_error(stable_quick("1", 1.5, 0), "`x` must be numeric", class = "stablecl_error_data")
  expect_error(stable_quick(1, c(1.5, 1.6), 0), "one number")
  expect_error(stable_quick(1, 1.5, 0, pm = 3), "pm")
})

test_that("sums agree with the sums of the rows, for any number of threads", {
  sums <- function(...) stablecl:::stable_data_quick(...)
  x <- rstable(20001, 1.4, -0.3)
  w <- rep(c(1, 0, 2.5), length.out = length(x))
  rows <- stable_quick(x, 1.45, -0.2, 1.1, 0.1)
  scores <- unname(rows[, -1])
  s <- sums(x, 1.45, -0.2, 1.1, 0.1, weights = c(1, 0, 2.5))
  expect_equal(s$loglik, sum(w * rows[, 1]), tolerance = 1e-12)
  expect_equal(s$gradient, colSums(w * scores), tolerance = 1e-9)
  expect_equal(s$outer, crossprod(scores, w * scores), tolerance = 1e-9)
  old <- stable_threads(1)
  one <- sums(x, 1.45, -0.2, 1.1, 0.1, weights = c(1, 0, 2.5))
  stable_threads(2)
  two <- sums(stablecl:::stable_data_put(x), 1.45, -0.2, 1.1, 0.1, weights = c(1, 0, 2.5))
  stable_threads(0)
  expect_identical(one, s)
  expect_identical(two, s)
})

test_that("sums omit undefined scores, but no densities", {
  s <- stablecl:::stable_data_quick(c(-5, 1, 2), 0.5, 1, pm = 1)
  expect_identical(s$loglik, -Inf)
  expect_true(all(is.finite(s$gradient)) && all(is.finite(s$outer)))
})

test_that("the cells of the tables cover all shapes without a gap", {
  cells <- stablecl:::read_tables()$cells
  area <- sum((cells[2, ] - cells[1, ]) * (cells[4, ] - cells[3, ]))
  expect_equal(area, 2 - 0.3)
  expect_identical(range(cells[1:2, ]), c(0.3, 2))
  expect_identical(range(cells[3:4, ]), c(0, 1))
})

test_that("devices compute the same sums as the CPU, including elements outside the approximation", {
  skip_without_device()
  set.seed(4)
  x <- c(1e9, -1e9, 3 + 2 * rstable(2e4, 1.3, 0.4))
  laws <- rbind(c(1.3, 0.4, 2, 3, 0), c(0.7, -0.3, 2, 3, 1), c(1.9, 0.97, 1, 2, 0), c(0.35, -0.9, 2, 3, 0),
                c(0.25, 0.1, 2, 3, 0))
  sums <- function(backend, data, law, weights) using_backend(list(name = backend, threads = 1L), {
    unlist(stablecl:::stable_data_quick(data, law[1], law[2], law[3], law[4], law[5], weights = weights))
  })
  data <- stablecl:::stable_data_put(x)
  weights <- rep(c(0, 1, 2.5), length.out = length(x))
  for (k in seq_len(nrow(laws))) for (w in list(NULL, weights)) {
    right <- sums("cpu", x, laws[k, ], w)
    expect_equal(sums("opencl", data, laws[k, ], w), right, tolerance = 1e-12)
    expect_identical(sums("opencl", data, laws[k, ], w), sums("opencl", x, laws[k, ], w))
  }
})

test_that("elements with shapes of their own have the values and scores of stable_quick()", {
  set.seed(12)
  alpha <- c(runif(200, 0.3, 2), 0.2, 2, 1, 2, 1.5)
  beta <- c(runif(200, -1, 1), 0.5, 0, 0.3, 0.9, -1)
  x <- c(rstable(200, alpha[1:200], beta[1:200]), 0.3, 1, -2, 30, -1e9)      # the last two are outside the tables
  each <- stablecl:::quick_each(x, alpha, beta)
  one <- t(vapply(seq_along(x), function(i) stable_quick(x[i], alpha[i], beta[i])[1, ], numeric(5)))
  expect_equal(each, one, tolerance = 1e-12)
  expect_lt(max(abs(each[, "logpdf"] - dstable(x, alpha, beta, log = TRUE))), 1e-9)
  # adjacent elements with one shape share its tables, on any number of threads
  order <- rep(1:5, each = 60)
  together <- stablecl:::quick_each(rep(x[1:60], 5), alpha[order], beta[order])
  for (k in 1:5)
    expect_equal(together[order == k, ], stable_quick(x[1:60], alpha[k], beta[k]), tolerance = 1e-12)
})

test_that("incomplete tables are an error, and the tables in use remain", {
  before <- stable_quick(c(-1, 0.5, 30), 1.4, 0.3)
  tables <- stablecl:::read_tables()
  for (part in c("low_code", "high_code")) {
    short <- tables
    short[[part]] <- head(short[[part]], -1)
    expect_error(.Call(stablecl:::C_tables, short), "incomplete")
    short[[part]] <- raw()
    expect_error(.Call(stablecl:::C_tables, short), "incomplete")
  }
  damaged <- list(pieces = 1000000000L, count = as.raw(255), bases = 1L, bases = -1L, low_start = NULL,
                  high_start = NULL)
  for (k in seq_along(damaged)) {
    part <- names(damaged)[k]
    wrong <- tables
    if (is.null(damaged[[k]])) wrong[[part]] <- head(wrong[[part]], -1) else wrong[[part]][1] <- damaged[[k]]
    expect_error(.Call(stablecl:::C_tables, wrong), "damaged")
  }
  wrong <- tables
  wrong$cells[11, 2] <- wrong$cells[11, 2] + 1            # where its base intervals begin
  expect_error(.Call(stablecl:::C_tables, wrong), "damaged")
  wrong <- tables
  wrong$low_start[3:4] <- wrong$low_start[4:3]
  expect_error(.Call(stablecl:::C_tables, wrong), "incomplete")
  expect_identical(stable_quick(c(-1, 0.5, 30), 1.4, 0.3), before)
  expect_silent(.Call(stablecl:::C_tables, tables))
  expect_identical(stable_quick(c(-1, 0.5, 30), 1.4, 0.3), before)
})

# Runs code with tables of which no cell has been decoded.
with_tables <- function(tables, code) {
  stable_quick(0, 1.5, 0)                                 # loads the tables, so that they are not loaded later
  .Call(stablecl:::C_tables, tables)
  on.exit(.Call(stablecl:::C_tables, stablecl:::read_tables()))
  code
}

test_that("a cell with a damaged code is computed exactly, and the others as before", {
  x <- c(-1, 0.5, 30)
  before <- stable_quick(x, 0.5, 0.3)
  tables <- stablecl:::read_tables()
  cell <- which(tables$cells[1, ] <= 1.4 & 1.4 <= tables$cells[2, ] & tables$cells[3, ] <= 0.3 &
                  0.3 <= tables$cells[4, ])
  for (part in c("low", "high")) {
    bytes <- tables[[paste0(part, "_start")]][cell + 0:1]
    damaged <- tables
    damaged[[paste0(part, "_code")]][(bytes[1] + 1):bytes[2]] <- raw(1)      # 20 zeros, and 32 bits for each number
    with_tables(damaged, {
      expect_identical(stable_quick(x, 1.4, 0.3)[, "logpdf"], dstable(x, 1.4, 0.3, log = TRUE))
      expect_identical(stable_quick(x, 0.5, 0.3), before)
    })
  }
})

test_that("cells are decoded once, by any thread or process", {
  set.seed(5)
  laws <- cbind(runif(60, 0.3, 2), runif(60, -1, 1), 1, 0)
  x <- rstable(50, 1.3, 0.2)
  logliks <- function() stablecl:::stable_data_logliks(x, laws)
  tables <- stablecl:::read_tables()
  stable_threads(1)
  one <- with_tables(tables, logliks())
  stable_threads(4)
  for (k in 1:5) expect_identical(with_tables(tables, logliks()), one)
  stable_threads(0)
  singly <- function(k) sum(stable_quick(x, laws[k, 1], laws[k, 2])[, "logpdf"])
  expect_equal(rev(with_tables(tables, vapply(60:1, singly, 0))), one, tolerance = 1e-12)
  skip_on_os("windows")
  forked <- with_tables(tables, parallel::mccollect(parallel::mcparallel(logliks())))
  expect_identical(forked[[1L]], one)
})
