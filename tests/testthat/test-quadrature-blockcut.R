# Block-cutting and related methods (Kern and Alaghband 2013).

cut <- function(...) suppressWarnings(gintegrate(..., method = "blockcut"))
variants <- c("PBCAQ", "PSCAQ", "BCAQ", "SCAQ", "CAQ")

# Figure 3 of the paper, with a tolerance for the whole range.  As in the compiled code, the share of a region in the
# tolerance is proportional to its length, but at least 2^-24.
figure3 <- function(f, a, b, tol, cells) {
  upper <- b
  length <- b - a
  value <- 0
  regions <- 0
  while (upper > a) {
    low <- max(upper - length, a)
    if (low - a < 1e-9 * length) low <- a
    x <- seq(low, upper, length.out = 2 * cells + 1)
    y <- f(x)
    h <- (upper - low) / cells
    left <- y[seq(1, 2 * cells - 1, 2)]
    middle <- y[seq(2, 2 * cells, 2)]
    right <- y[seq(3, 2 * cells + 1, 2)]
    simpson <- h / 6 * (left + 4 * middle + right)
    error <- sum(abs(simpson - h / 2 * (left + right)))
    regions <- regions + 1
    if (error <= tol * max((upper - low) / (b - a), 2^-24)) {
      value <- value + sum(simpson)
      upper <- low
      length <- 2 * length
    } else length <- (upper - low) / 2
  }
  c(value, regions)
}

test_that("block-cutting agrees with the algorithm of the paper", {
  for (f in list(function(x) exp(2 * x) * sin(3 * x), function(x) 1 / (0.01 + (x - 2)^2))) {
    r <- cut(f, 0, 5, control = list(cells = 64), abs.tol = 1e-3, rel.tol = 0)
    expect_equal(as.character(r$status), "converged")
    theirs <- figure3(f, 0, 5, 0.9e-3, 64)
    expect_equal(c(r$value, r$evaluations), c(theirs[1], theirs[2] * (2 * 64 + 1)), tolerance = 1e-12)
  }
})

test_that("every variant converges with an error within its estimate", {
  jobs <- list(list(function(x) exp(-3 * x) * cos(5 * pi * x), 0, 10, 0.01173065890868760051616961),
               list(function(x) sqrt(x), 0, 1, 2 / 3), list(function(x) log(x), 0, 1, -1),
               list(function(x) if (x > 1/3) exp(x) else 0, 0, 1, exp(1) - exp(1/3)),
               list(function(x) exp(0.2 * x) * dnorm(x), -Inf, Inf, exp(0.02)),
               list(function(x) exp(-1e6 * (x - 0.3)^2), 0, 1, sqrt(pi) * 1e-3))
  for (variant in variants) for (cells in c(1, 300)) for (job in jobs) {
    r <- cut(job[[1]], job[[2]], job[[3]], control = list(variant = variant, cells = cells), rel.tol = 1e-5)
    if (r$status == "converged") expect_lte(abs(r$value - job[[4]]), max(r$abs.error, 1e-14), label = variant)
    expect_lte(r$abs.error, if (r$status == "converged") 1e-5 * abs(r$value) else Inf)
    expect_equal(as.character(r$status), "converged", label = paste(variant, cells, deparse(body(job[[1]]))[1]))
  }
})

test_that("expansion by the logarithm saves evaluations, and BCAQ gives the value of PBCAQ", {
  f <- function(x) exp(2 * x) * sin(3 * x)
  count <- function(...) cut(f, 0, 5, rel.tol = 1e-6, ...)$evaluations
  expect_lt(count(control = list(variant = "SCAQ", cells = 1, expand = "log")),
            count(control = list(variant = "SCAQ", cells = 1)))
  expect_lt(count(control = list(expand = "log", cells = 256)), count(control = list(cells = 256)))
  expect_identical(cut(f, 0, 5, control = list(variant = "BCAQ"))$value, cut(f, 0, 5)$value)
})

test_that("random expansion is reproducible with the seed, and other methods draw no random numbers", {
  toss <- function(seed) {
    set.seed(seed)
    cut(function(x) 1 / ((x - 0.3)^2 + 1e-4), 0, 1, control = list(expand = "coin", cells = 64))
  }
  for (part in c("value", "evaluations")) expect_identical(toss(1)[[part]], toss(1)[[part]])
  expect_false(length(unique(vapply(1:5, function(s) toss(s)$evaluations, 0))) == 1)
  before <- .Random.seed
  cut(sin, 0, 1)
  expect_identical(.Random.seed, before)
})

test_that("each integral of a batch is identical to the single integral, for any number of threads", {
  set.seed(4)
  k <- runif(40, 0.02, 0.5)
  f <- function(x, k) exp(-(x / k)^2) / (1 + x)
  for (variant in variants) {
    by_threads <- lapply(1:2, function(threads) {
      before <- stable_threads(threads)
      on.exit(stable_threads(before))
      set.seed(5)
      cut(f, 0, 1, params = data.frame(k = k), control = list(variant = variant, expand = "coin", cells = 100))
    })
    for (part in c("value", "abs.error", "evaluations"))
      expect_identical(by_threads[[1]][[part]], by_threads[[2]][[part]], label = variant)
    expect_identical(cut(f, 0, 1, k = k[7], control = list(variant = variant))$value,
                     cut(f, 0, 1, params = data.frame(k = k), control = list(variant = variant))$value[7])
  }
  alone <- lapply(1:2, function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    cut(f, 0, 1, k = 0.1, control = list(cells = 1e6), max.eval = 1e8)
  })
  expect_identical(alone[[1]]$value, alone[[2]]$value)
})

test_that("breaks and exchanged limits are respected, and hard integrals end with a status", {
  step <- function(x) if (x > 1/3) exp(x) else 0
  expect_equal(cut(step, 0, 1, breaks = 1/3)$value, exp(1) - exp(1/3), tolerance = 1e-9)
  expect_equal(cut(function(x) exp(-x), c(0, 1), c(1, 0))$value, c(1, -1) * (1 - exp(-1)), tolerance = 1e-9)
  for (variant in variants) {
    expect_equal(as.character(cut(function(x) sqrt(x), -1, 1, control = list(variant = variant))$status), "not finite")
    r <- cut(function(x) sin(1 / x), 0, 1, control = list(variant = variant), max.eval = 5e4)
    expect_equal(as.character(r$status), "max.eval", label = variant)
    expect_lte(r$evaluations, 5e4)
  }
  expect_error(gintegrate(sin, 0, 1, method = "blockcut", control = list(expand = "never")), "`expand`",
               class = "stablecl_error_argument")
  expect_error(gintegrate(sin, 0, 1, method = "blockcut", control = list(variant = "x")), "`variant`",
               class = "stablecl_error_argument")
})
