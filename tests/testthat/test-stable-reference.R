# Compares values with the reference tables; helper-accuracy.R defines the errors.

expect_promise <- function(judged) {
  bad <- sum(judged$err > judged$allowed)
  expect(bad == 0, paste(c(sprintf("%d of %d values break the promise; the worst:",
                                   bad, nrow(judged)), describe_misses(judged)),
                         collapse = "\n"))
}

test_that("the error measures of helper-accuracy.R are correct", {
  parsed <- parse_decimal(c("1.5e-400", "2.5", "1e0"))
  expect_equal(parsed$value, c(0, 2.5, 1))
  expect_equal(parsed$log, c(log(1.5) - 400 * log(10), log(2.5), 0), tolerance = 1e-15)
  far <- c(1e-10, -1e4)
  expect_equal(log_scale_error(exp(far), far * (1 + 1e-9), exp(far), far), c(1e-19, 1e-9),
               tolerance = 1e-6)
  expect_equal(log_scale_error(0.5 + 1e-9, log(0.5), 0.5, log(0.5)), 2e-9, tolerance = 1e-6)
  expect_identical(log_scale_error(c(0, 1e-300, NaN), c(-Inf, -690, NaN), c(0, 0, 1),
                                   c(-Inf, -Inf, 0)), c(0, Inf, Inf))
  expect_equal(promised_error(c(-1, 1e-10, 1e-10), c(0, 0, -1e3)), c(1e-12, 1e-9, 1e-12))
  expect_equal(ulp(c(1, 0.75, 2^-30)), 2^c(-52, -53, -82))
})

test_that("density and both tails are as accurate as promised", {
  table <- read_reference(test_path("data", "density-tails.csv"))
  for (backend in test_backends()) {
    using_backend(backend, judged <- judge_density(table))
    for (what in unique(judged$what)) expect_promise(judged[judged$what == what, ])
  }
})

test_that("densities and tail probabilities themselves are accurate, in the far tails and next to zeta as well", {
  judged <- judge_values(read_reference(test_path("data", "density-tails.csv")))
  expect_gt(nrow(judged), 2000)
  expect_lt(max(judged$err / value_bound(judged$sensitivity)), 1)
  rounded <- judged[judged$sensitivity <= 2 * EPS, ]
  for (what in unique(rounded$what)) expect_gt(mean(rounded$ulps[rounded$what == what] <= 4), 0.985, label = what)
  # where the rounding errors of log G and of the nodes' positions would be largest
  near_1 <- rounded[abs(rounded$alpha - 1) < 1e-3 & abs(rounded$x) > 1e3, ]
  expect_gt(nrow(near_1), 100)
  expect_gt(mean(near_1$ulps <= 4), 0.99)
  far <- rounded[abs(rounded$x) > 1e30, ]
  expect_gt(nrow(far), 100)
  expect_gt(mean(far$ulps <= 4), 0.98)
})

# For alpha >= 0.5, the density at a distance of 1e-20 from zeta is that at zeta to full precision; below, it still
# varies.  beta = 0.7 moves zeta away from 0.
test_that("next to zeta, densities are that at zeta, and the distribution function increases by it", {
  for (alpha in c(0.3, 0.5, 0.7, 0.95, 1.1, 1.5, 1.9)) for (beta in c(0, 0.7)) {
    y <- c(-1, 1) * 1e-20
    at <- dstable(0, alpha, beta, pm = 1)
    expect_lt(max(abs(dstable(y, alpha, beta, pm = 1) / at - 1)), if (alpha < 0.5) 1e-6 else 2e-15)
    step <- c(-1, 1) * 1e-6
    ahead <- pstable(step, alpha, beta, pm = 1)
    middle <- pstable(0, alpha, beta, pm = 1)
    expect_lt(abs(diff(ahead) / sum(abs(step)) / at - 1), if (alpha < 1) 0.02 else 1e-4)
    expect_true(ahead[1] < middle && middle < ahead[2])
  }
})

test_that("quantiles are as accurate as promised", {
  table <- read_reference(test_path("data", "quantiles.csv"))
  for (backend in test_backends()) {
    using_backend(backend, judged <- judge_quantile(table, as.numeric(table$pdf)))
    expect_promise(judged)
  }
})

# Differences of logarithms of probabilities would have errors of |log p| eps.
test_that("quantiles themselves are accurate, also those of tiny probabilities", {
  table <- read_reference(test_path("data", "quantiles.csv"))
  judged <- judge_quantile(table, as.numeric(table$pdf))
  judged <- judged[is.finite(judged$sensitivity), ]
  expect_lt(max(judged$err / quantile_bound(judged$sensitivity)), 1)
  tiny <- judged[judged$x < 1e-30 & judged$sensitivity <= 2 * EPS, ]
  expect_gt(nrow(tiny), 50)
  expect_gt(mean(abs(tiny$ours - tiny$ref) <= 4 * ulp(tiny$ref)), 0.95)
})

test_that("quantiles by log.p and by the other tail are as accurate as promised", {
  table <- read_reference(test_path("data", "quantiles.csv"))
  small <- as.numeric(table$p) <= 0.01
  table <- table[small, ]
  through_log <- function(p, alpha, beta) qstable(log(p), alpha, beta, log.p = TRUE)
  mirrored <- function(p, alpha, beta) -qstable(p, alpha, -beta, lower.tail = FALSE)
  pdf <- as.numeric(table$pdf)
  p <- as.numeric(table$p)
  # log(p) is rounded, so that p has a relative error of |log p| eps
  sensitivity <- 4 * EPS * abs(log(p)) * p / pdf
  judged <- judge_quantile(table, pdf, through_log)
  judged$allowed <- judged$allowed + sensitivity / pmax(abs(judged$ref), 1e-300)
  expect_promise(judged)
  expect_promise(judge_quantile(table, pdf, mirrored))
})

test_that("values at scattered points and in extremely light tails are as accurate as promised", {
  table <- rbind(read_reference(test_path("data", "scattered.csv")),
                 read_reference(test_path("data", "light-tails.csv")))
  for (backend in test_backends()) {
    using_backend(backend, judged <- judge_density(table))
    for (what in unique(judged$what)) expect_promise(judged[judged$what == what, ])
  }
})

# The largest ratio of the error to the estimate of stable_eval() that its manual page permits.
ESTIMATE_FACTOR <- 2

test_that("errors do not exceed their estimates by more than the permitted factor", {
  table <- rbind(read_reference(test_path("data", "density-tails.csv")),
                 read_reference(test_path("data", "scattered.csv")),
                 read_reference(test_path("data", "light-tails.csv")))
  judged <- judge_density(table)
  part <- function(what) judged[judged$what == what, "err"]
  e <- stable_eval(as.numeric(table$x), as.numeric(table$alpha), as.numeric(table$beta))
  err <- pmax(part("pdf"), ifelse(e$cdf < e$sf, part("cdf"), part("sf")))
  estimate <- e$error + EPS                                      # rounding error of the value
  expect_false(anyNA(e$error))
  expect_true(all(e$error >= 0))
  expect_lt(max(err / estimate), ESTIMATE_FACTOR)
})

# Values by Arb, as in the tables, where the light and the heavy tail of nearly one-sided distributions meet.
test_that("densities in the light tail of nearly one-sided distributions include the heavy tail", {
  x     <- c(-8.2324592304244604, -7.5, -8.1, 8.3, 0.5, 1e-100)
  alpha <- c(1, 1, 0.99999999999, 1.0000001, 0.0225, 0.0225)
  beta  <- c(0.99999999993078581, 0.9999999999, 0.99999999999, -0.9999999999999, 0.999999999998,
             0.999999999998)
  right <- c(-28.936688148303905584, -28.384340868746158739, -30.839305172810090799,
             -35.492275738468971422, -4.1689995596781833279, -1.4535700094470406386)
  expect_lt(max(abs(dstable(x, alpha, beta, log = TRUE) - right)), 1e-12)
  # A heavy tail that matters only at one end of a cell of standardised arguments.
  expect_equal(pstable(3.145535531332226, 1, -0.99999999999999822, lower.tail = FALSE),
               5.61400673507131331938e-16, tolerance = 1e-11)
})

test_that("the tables are a selection from the full ones, whose sizes README.md states", {
  root <- test_path("..", "..")
  full <- file.path(root, "data-raw", "tables")
  if (!dir.exists(full)) skip("not in a checkout: data-raw/ is not part of the package")
  readme <- paste(readLines(file.path(root, "README.md"), encoding = "UTF-8"), collapse = " ")
  counts <- list()
  for (name in c("density-tails.csv", "quantiles.csv")) {
    all <- read_reference(file.path(full, paste0(name, ".xz")))
    thin <- read_reference(test_path("data", name))
    row <- match(do.call(paste, thin[1:3]), do.call(paste, all[1:3]))
    expect_false(anyNA(row))
    for (column in setdiff(names(thin)[-(1:3)], c("ulp_pdf", "ulp_cdf", "ulp_sf"))) {
      mantissa <- sub("e.*", "", thin[[column]])          # the digits that are kept
      expect_true(all(startsWith(all[[column]][row], mantissa)), label = column)
      expect_identical(sub("^[^e]*", "", all[[column]][row]), sub("^[^e]*", "", thin[[column]]))
    }
    counts[[name]] <- nrow(all)
  }
  expect_match(readme, sprintf("%d points, with densities", counts[[1]]), fixed = TRUE)
  expect_match(readme, sprintf("%d quantiles, by alpha", counts[[2]]), fixed = TRUE)
})

# Below the values of the tables.  With u = |x - zeta| and alpha > 1 the log density in the light tail of a one-sided
# distribution is -xi (1 + O(log(xi)/xi)) with xi = (alpha - 1) (u/alpha)^(alpha/(alpha - 1)) c, where
# c = |cos(pi alpha/2)|^(1/(alpha - 1)); xi = 2/(pi e) exp(pi u/2) for alpha = 1 (Zolotarev 1986, section 2.5).
test_that("log densities and log probabilities in extremely light tails are correct to leading order", {
  t <- rbind(expand.grid(alpha = c(1.05, 1.1, 1.5, 1.7, 1.999, 1.9999999), x = c(1e12, 1e14)),
             data.frame(alpha = 1, x = c(40, 100, 300)))
  with(t, {
    u <- x - ifelse(alpha == 1, 0, tan(pi / 2 * alpha))
    xi <- ifelse(alpha == 1, 2 / pi * exp(pi * u / 2 - 1),
                 (alpha - 1) * (u / alpha)^(alpha / (alpha - 1)) * abs(cos(pi / 2 * alpha))^(1 / (alpha - 1)))
    expect_gt(min(xi), 1e19)
    expect_lt(max(abs(dstable(-x, alpha, 1, log = TRUE) / xi + 1)), 1e-12)
    expect_lt(max(abs(pstable(-x, alpha, 1, log.p = TRUE) / xi + 1)), 1e-12)
    expect_lt(max(abs(pstable(x, alpha, -1, lower.tail = FALSE, log.p = TRUE) / xi + 1)), 1e-12)
  })
})

test_that("error estimates are small for random parameters and points", {
  set.seed(2)
  n <- 20000
  power <- function(low) 10^runif(n, low, 0)
  one_of <- function(...) cbind(...)[cbind(seq_len(n), sample(...length(), n, TRUE))]
  sign <- sample(c(-1, 1), n, TRUE)
  alpha <- one_of(runif(n, 0.02, 2), 1 + sign * power(-16), 2 - power(-15), pmax(power(-3), 0.02), 1)
  beta <- one_of(runif(n, -1, 1), sign, sign * (1 - power(-16)), -sign * power(-20), 0)
  x <- one_of(runif(n, -10, 10), sign * 10^runif(n, -200, 200), -sign * 10^runif(n, -5, 5))
  expect_lt(max(stable_eval(x, alpha, beta, what = "error")$error), 1e-11)
})
