# Devices, too, use an interpolant for large jobs with one distribution (run/device/interpolant.cl).

CHARTED <- 100000                       # uses an interpolant
PANELS  <- 1000                         # uses the node set, even if an interpolant exists

relative <- function(v, right) {
  e <- abs(v - right) / pmax(1, abs(right))
  e[(is.na(v) & is.na(right)) | v == right] <- 0
  max(e)
}

# Returns the columns of stable_eval() as a list.
values <- function(x, alpha, beta, ..., log = TRUE)
  as.list(stable_eval(x, alpha, beta, ..., what = c("pdf", "cdf", "sf"), log = log))

on_device <- function(code) {
  local_stable_backend("opencl")
  force(code)
}

on_cpu <- function(code) {
  local_stable_backend("cpu")
  force(code)
}

# Returns points inside and outside the range of the interpolant, and special values.
points_of <- function(alpha, beta, gamma = 1, delta = 0, pm = 0, n = CHARTED) {
  set.seed(3)
  c(rstable(n - 12, alpha, beta, gamma, delta, pm), delta, delta + gamma * c(1e-300, -1e-9, 1e30, -1e30),
    Inf, -Inf, NA, NaN, 1e300, 0, delta + gamma * stable_mode(alpha, beta))
}

test_that("interpolants on a device agree with the CPU, including special values", {
  skip_without_device()
  for (shape in list(c(1.5, 0.5), c(0.7, -0.4), c(0.3, 0.9), c(1, 0.5), c(1, 0), c(2, 0), c(1.01, -0.9), c(0.5, 1),
                     c(1.3, -1), c(0.1, 1), c(1.9, 0))) {
    x <- points_of(shape[1], shape[2])
    for (log in c(TRUE, FALSE)) {
      got <- on_device(values(x, shape[1], shape[2], log = log))
      right <- on_cpu(values(x, shape[1], shape[2], log = log))
      form <- if (log) identity else base::log
      for (k in names(right)) {
        expect_identical(kind(got[[k]]), kind(right[[k]]))
        expect_lt(relative(form(got[[k]]), form(right[[k]])), 1e-12,
                  label = sprintf("difference in %s at (%g, %g), log = %d", k, shape[1], shape[2], log))
      }
    }
  }
})

test_that("interpolants on a device respect location, scale and parametrisation", {
  skip_without_device()
  for (alpha in c(0.7, 1, 1.5)) for (pm in 0:2) for (frame in list(c(2.5, -7), c(1e-3, 1e5), c(1e-200, 0))) {
    x <- points_of(alpha, 0.5, frame[1], frame[2], pm)
    law <- function() values(x, alpha, 0.5, frame[1], frame[2], pm)
    expect_lt(relative(unlist(on_device(law())), unlist(on_cpu(law()))), 1e-12,
              label = sprintf("difference at alpha = %g, pm = %d, gamma = %g", alpha, pm, frame[1]))
  }
})

# x close to zeta: an error appears unless the standardised argument has twice the working precision.
test_that("standardised arguments close to zeta keep their digits", {
  skip_without_device()
  zeta <- -0.9 * tan(pi / 2 * 0.3)
  x <- zeta + c(-1, 1) * rep(10^seq(-14, -1, length.out = CHARTED / 2), each = 2)
  expect_lt(relative(on_device(dstable(x, 0.3, 0.9, log = TRUE)), on_cpu(dstable(x, 0.3, 0.9, log = TRUE))), 1e-12)
  y <- c(-1, 1) * rep(10^seq(-30, -1, length.out = CHARTED / 2), each = 2)
  law <- function(y) dstable(7 + 0.125 * y, 0.3, 0.9, 0.125, 7, pm = 1, log = TRUE)
  expect_lt(relative(on_device(law(y)), on_cpu(law(y))), 1e-12)
})

test_that("interpolants agree with node sets on the same device", {
  skip_without_device()
  local_stable_backend("opencl")
  x <- points_of(1.2, -0.6)
  charted <- values(x, 1.2, -0.6)
  scales <- values(x, 1.2, -0.6, c(1, 1))       # no interpolant is used if gamma is a vector
  expect_lt(relative(unlist(charted), unlist(scales)), 1e-12)
  expect_false(identical(charted, scales))      # otherwise one of the two methods was not tested
})

test_that("chunks and recycling do not change interpolated values", {
  skip_without_device()
  local_stable_backend("opencl")
  x <- points_of(0.8, 0.3, n = 5000)
  whole <- values(rep(x, 60), 0.8, 0.3)
  for (n in c(2000, 2001, 4999, CHARTED)) {
    y <- rep_len(x, n)
    expect_identical(values(y, 0.8, 0.3), lapply(whole, utils::head, n))
  }
  close_devices()
  expect_identical(values(rep(x, 60), 0.8, 0.3), whole)
})

test_that("cached interpolants are not used for other distributions", {
  skip_without_device()
  local_stable_backend("opencl")
  x <- points_of(1.5, 0)
  laws <- expand.grid(alpha = c(0.9, 1.5), beta = c(0, 0.5), gamma = c(1, 3), pm = 0:1)
  first <- Map(function(...) dstable(x, ...), laws$alpha, laws$beta, laws$gamma, pm = laws$pm)
  again <- rev(Map(function(...) dstable(x, ...), rev(laws$alpha), rev(laws$beta), rev(laws$gamma), pm = rev(laws$pm)))
  expect_identical(again, first)
  few <- utils::head(x, PANELS)
  for (k in seq_len(nrow(laws)))
    expect_lt(relative(first[[k]][seq_along(few)],
                       dstable(few, laws$alpha[k], laws$beta[k], laws$gamma[k], pm = laws$pm[k])), 1e-12)
})

test_that("invalid parameters give NaN, and degenerate distributions the values of the CPU", {
  skip_without_device()
  local_stable_backend("opencl")
  x <- rep(c(-1, 0, 2), length.out = CHARTED)
  for (law in list(c(2.5, 0, 1, 0), c(1.5, 2, 1, 0), c(1.5, 0.5, -1, 0))) {
    expect_warning(y <- dstable(x, law[1], law[2], law[3], law[4]), "NaNs produced")
    expect_true(all(is.nan(y)))
  }
  for (law in list(c(1.5, 0.5, 0, 2), c(1.5, 0.5, Inf, 0), c(1.5, 0.5, 1, Inf), c(NA, 0.5, 1, 0)))
    expect_identical(dstable(x, law[1], law[2], law[3], law[4]),
                     on_cpu(dstable(x, law[1], law[2], law[3], law[4])))
})

# The polynomials are the same on both sides, so that most quantiles have the bits of the CPU's; sums over nodes do not.
test_that("quantiles of large jobs come from the quantile interpolant, with the values of the CPU", {
  skip_without_device()
  set.seed(5)
  inner <- runif(CHARTED)
  p <- c(inner, 0, 1, NA, NaN, 1e-9, 1 - 1e-9, 2^-21, 0.5, 1e-300, -1, 2)
  for (law in list(c(1.5, 0.5, 1, 0, 0), c(1.5, -0.5, 2, 1, 1), c(0.4, -0.3, 2, 1, 1), c(0.7, 1, 3, 2, 0),
                   c(1, 0.5, 2, 1, 1), c(2, 0, 1, 0, 0))) {
    for (lower in c(TRUE, FALSE)) {
      quantiles <- function(p, log = FALSE)
        suppressWarnings(qstable(p, law[1], law[2], law[3], law[4], law[5], lower, log))
      got <- on_device(quantiles(p))
      right <- on_cpu(quantiles(p))
      expect_identical(kind(got), kind(right))
      expect_gt(mean((got == right)[seq_along(inner)]), 0.8)
      expect_lt(relative(got, right), 1e-11)
      logs <- on_device(quantiles(log(inner), TRUE))
      expect_lt(relative(logs, right[seq_along(inner)]), 1e-11)
    }
  }
  expect_identical(on_device(qstable(p[1:PANELS], 1.5, 0.5)[1:9]), on_device(qstable(p[1:9], 1.5, 0.5)))
})

test_that("density and quantiles of one distribution alternate on a device", {
  skip_without_device()
  p <- seq(0.001, 0.999, length.out = CHARTED)
  on_device({
    q <- qstable(p, 1.4, 0.3)
    expect_lt(max(abs(pstable(q, 1.4, 0.3) - p)), 1e-12)
    expect_identical(qstable(p, 1.4, 0.3), q)
    other <- qstable(p, 1.2, 0.3, 2, 1)
    expect_lt(max(abs(pstable(other, 1.2, 0.3, 2, 1) - p)), 1e-12)
    expect_identical(qstable(p, 1.4, 0.3), q)
  })
})
