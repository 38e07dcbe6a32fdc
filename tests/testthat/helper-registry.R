# The registry of cases, and the relations that every stable distribution satisfies.
#
# To add a case, add a line to stable_cases(); test-stable-relations.R then tests every
# relation with it, on every backend in test_backends().

ALPHAS <- c(0.02, 0.1, 0.5, 0.9, 1 - 1e-3, 1 - 1e-9, 1, 1 + 1e-14, 1.01, 1.5, 1.9, 2 - 1e-6, 2)
BETAS  <- c(0, 1e-9, 0.3, 0.999, 1, -1)

stable_cases <- function() {
  grid <- expand.grid(alpha = ALPHAS, beta = BETAS)
  extra <- rbind(
    c(0.3,     -0.9),         # strong skew, density peaked at zeta
    c(0.5005,   0.9995),      # close to the Levy distribution
    c(0.75,    -0.5),
    c(0.997,    0.8),
    c(1.0001,  -1e-6),        # near 1 in alpha and near 0 in beta
    c(1.001,   -0.9),
    c(1.05,     1),           # light tail like exp(-exp(x))
    c(1.3,     -0.7),
    c(1.6,      1 - 1e-12),   # a light tail that becomes a power of x
    c(1.9995,   0),
    c(1,        1 - 1e-9),
    c(2 - 1e-10, -1 + 8e-15)) # close to two bounds of the parameters
  cases <- rbind(as.matrix(grid), extra)
  Map(stable_case, cases[, 1], cases[, 2])
}

# Returns a case: the shape, zeta, and the points and probabilities to test.
stable_case <- function(alpha, beta) {
  zeta <- if (alpha == 1) 0 else -beta * tan(pi / 2 * alpha)
  # more than 64 points in all, so that two threads are used
  steps <- c(10^seq(-6, 3, 0.3), 1e4, 1e7, 1e12, 1e30, 1e100)
  x <- c(-rev(steps), 0, steps)
  if (abs(zeta) < 100) x <- c(x, zeta, zeta + c(-1, 1) * 0.01)
  list(name = sprintf("alpha = %.17g, beta = %.17g", alpha, beta),
       alpha = alpha, beta = beta, zeta = zeta, x = sort(unique(x)),
       p = c(1e-300, 1e-20, 1e-6, 0.01, 0.3, 0.5, 0.9))
}

test_threads <- function() c(1L, 2L)

# Returns the CPU with each number of threads, and the first usable device.
test_backends <- function() {
  cpu <- lapply(test_threads(), function(n) list(name = "cpu", threads = n))
  if (is.null(no_device())) c(cpu, list(list(name = "opencl", threads = 1L))) else cpu
}

using_backend <- function(backend, code) {
  local_stable_backend(backend$name)
  using_threads(backend$threads, code)
}

# Evaluates `code` with `threads` threads, then restores the setting.
using_threads <- function(threads, code) {
  before <- stable_threads()
  on.exit(stable_threads(before))
  stable_threads(threads)
  force(code)
}

# ---- helpers for the relations ---------------------------------------------

# Returns the error as defined in helper-accuracy.R, given the logarithms of both values.
log_gap <- function(log_a, log_b) {
  gap <- abs(log_a - log_b) / pmax(1, abs(log_b))
  gap[log_a == log_b] <- 0
  gap
}

# TRUE where a and b differ by more than allowed; equal infinities do not differ.
apart <- function(a, b, allowed) !(a == b | abs(a - b) <= allowed)

# Makes one expectation for a whole vector; its message lists the points of failure.
expect_none <- function(bad, what, at, case) {
  expect(!anyNA(bad) && !any(bad),
         sprintf("%s fails for %s at %s", what, case$name,
                 paste(format(utils::head(at[is.na(bad) | bad], 5), digits = 17),
                       collapse = ", ")))
}

# Returns nodes and weights of the Gauss-Legendre rule on (0, 1) (Golub and Welsch 1969).
gauss_legendre <- function(n) {
  k <- seq_len(n - 1)
  J <- matrix(0, n, n)
  J[cbind(k, k + 1)] <- J[cbind(k + 1, k)] <- k / sqrt(4 * k^2 - 1)
  e <- eigen(J, symmetric = TRUE)
  list(x = (e$values + 1) / 2, w = e$vectors[1, ]^2)
}

# Returns a variable in which the density is smooth on (a, b): the logarithm of the
# distance from zeta if |zeta| < 30 and zeta lies outside [a, b], otherwise sinh^-1 x.
straight_variable <- function(case, a, b) {
  zeta <- case$zeta
  side <- sign(a - zeta)
  if (abs(zeta) < 30 && side != 0 && side == sign(b - zeta))
    list(to = function(x) side * log(abs(x - zeta)),
         from = function(u) zeta + side * exp(side * u),
         slope = function(u) exp(side * u))
  else list(to = asinh, from = sinh, slope = cosh)
}

# TRUE if a rule with 40 nodes can integrate the density from a to b.  FALSE if the density has
# a sharp peak at zeta between a and b (alpha < 0.9), or if a and b are almost equal.
smooth_between <- function(case, a, b) {
  peak <- case$alpha < 0.9 && a < case$zeta && case$zeta < b
  !peak && b - a > 1e-4 * max(abs(c(a, b)))
}

# ---- the relations ----------------------------------------------------------

# Each takes a case and uses its `x` and `p`.

expect_sane_values <- function(case) {
  f <- dstable(case$x, case$alpha, case$beta)
  lower <- pstable(case$x, case$alpha, case$beta)
  upper <- pstable(case$x, case$alpha, case$beta, lower.tail = FALSE)
  expect_none(is.nan(f) | f < 0, "density >= 0", case$x, case)
  expect_none(is.nan(lower) | lower < 0 | lower > 1, "0 <= F <= 1", case$x, case)
  expect_none(abs(lower + upper - 1) > 4 * EPS, "F + (1 - F) = 1", case$x, case)
  expect_none(c(FALSE, diff(lower) < 0), "F increasing", case$x, case)
  expect_none(c(FALSE, diff(upper) > 0), "1 - F decreasing", case$x, case)
}

# log = TRUE returns the logarithm of the value wherever the value is an ordinary number,
# and log.p near 0 is -(the other tail), to full relative precision.
expect_log_consistent <- function(case) {
  values <- list(dstable(case$x, case$alpha, case$beta),
                 pstable(case$x, case$alpha, case$beta),
                 pstable(case$x, case$alpha, case$beta, lower.tail = FALSE))
  logs <- list(dstable(case$x, case$alpha, case$beta, log = TRUE),
               pstable(case$x, case$alpha, case$beta, log.p = TRUE),
               pstable(case$x, case$alpha, case$beta, lower.tail = FALSE, log.p = TRUE))
  for (k in seq_along(values)) {
    ordinary <- values[[k]] > SMALLEST
    expect_none(ordinary & log_gap(logs[[k]], log(values[[k]])) > 8 * EPS,
                "log v = log(v)", case$x, case)
    expect_none(values[[k]] == 0 & logs[[k]] > -700, "v = 0 only if log v is far down", case$x, case)
  }
  for (k in 2:3) {
    small <- values[[5 - k]] < 0.4 & values[[5 - k]] > SMALLEST
    expect_none(small & abs(logs[[k]] / log1p(-values[[5 - k]]) - 1) > 1e-11,
                "log.p near 0 = log1p(-other tail)", case$x, case)
  }
}

expect_reflects <- function(case) {
  f <- dstable(case$x, case$alpha, case$beta, log = TRUE)
  mirror <- dstable(-case$x, case$alpha, -case$beta, log = TRUE)
  expect_none(log_gap(f, mirror) > 1e-13, "f(x; beta) = f(-x; -beta)", case$x, case)
  F <- pstable(case$x, case$alpha, case$beta, log.p = TRUE)
  mirror <- pstable(-case$x, case$alpha, -case$beta, lower.tail = FALSE, log.p = TRUE)
  expect_none(log_gap(F, mirror) > 1e-13, "F(x; beta) = 1 - F(-x; -beta)", case$x, case)
  q <- qstable(case$p, case$alpha, case$beta)
  mirror <- -qstable(case$p, case$alpha, -case$beta, lower.tail = FALSE)
  f <- dstable(q, case$alpha, case$beta)
  # both quantiles are only as accurate as promised, and p = 1/2 is known only to within one ulp
  expect_none(apart(q, mirror, 2 * PROMISE * abs(q) + 10 * ulp(case$p) / f),
              "q(p; beta) = -q(1 - p; -beta)", case$p, case)
}

# F(q(p)) = p on the log scale, up to the effect of the last bit of q.  A quantile is
# infinite only if the tail probability still exceeds p at the largest double.
expect_pq_inverse <- function(case) {
  for (lower in c(TRUE, FALSE)) {
    q <- qstable(case$p, case$alpha, case$beta, lower.tail = lower)
    back <- pstable(q, case$alpha, case$beta, lower.tail = lower, log.p = TRUE)
    f <- dstable(q, case$alpha, case$beta)
    bits <- f / case$p * (EPS * abs(q) + 4 * EPS * min(abs(case$zeta), 10))
    scale <- pmax(1, -log(case$p))
    allowed <- 1e-11 + 10 * bits / scale
    largest <- .Machine$double.xmax * if (lower) -1 else 1
    beyond <- pstable(largest, case$alpha, case$beta, lower.tail = lower, log.p = TRUE) >= log(case$p)
    expect_none(is.infinite(q) != beyond, "q infinite only beyond the doubles", case$p, case)
    at_end <- !is.finite(q) | (abs(case$beta) == 1 & case$alpha < 1 &
                                 abs(q - case$zeta) <= 4 * EPS * abs(case$zeta))
    expect_none(!at_end & abs(back - log(case$p)) / scale > allowed, "F(q(p)) = p", case$p, case)
  }
}

# The density is the derivative of F: its integral between two quantiles, computed
# independently by a Gauss-Legendre rule, equals the difference of F (of 1 - F above the median).
expect_slope <- function(case) {
  rule <- gauss_legendre(40)
  for (lower in c(TRUE, FALSE)) {
    ends <- qstable(c(1e-9, 1e-8, 0.02, 0.05, 0.3, 0.45), case$alpha, case$beta, lower.tail = lower)
    for (k in 1:5) {
      a <- min(ends[k:(k + 1)])
      b <- max(ends[k:(k + 1)])
      if (!all(is.finite(c(a, b))) || k %in% c(2, 4) || !smooth_between(case, a, b)) next
      u <- straight_variable(case, a, b)
      t <- u$to(a) + (u$to(b) - u$to(a)) * rule$x
      mass <- sum(rule$w * dstable(u$from(t), case$alpha, case$beta) * u$slope(t)) *
        (u$to(b) - u$to(a))
      step <- abs(diff(pstable(c(a, b), case$alpha, case$beta, lower.tail = lower)))
      expect(isTRUE(abs(mass / step - 1) < 1e-9),
             sprintf("f = F' fails for %s between %.17g and %.17g: %.3g", case$name, a, b,
                     mass / step - 1))
    }
  }
}

# Stable distributions are unimodal: the density increases up to its maximum and then decreases, up to rounding.
expect_unimodal <- function(case, x = c(-10^(12:-6), 0, 10^(-6:12))) {
  f <- dstable(x, case$alpha, case$beta, log = TRUE)
  top <- which.max(f)
  room <- 1e-13 * pmax(1, abs(f[-1]))
  room[!is.finite(room)] <- 0
  rise <- f[-1] - f[-length(f)]
  rise[f[-1] == f[-length(f)]] <- 0
  up <- seq_along(rise) < top
  expect_none(c(FALSE, ifelse(up, rise < -room, rise > room)), "unimodal", x, case)
}

# Scales and shifts by exact powers of two, to avoid rounding errors.
expect_location_scale <- function(case) {
  x <- c(-1.5, -0.25, 0, 0.75, 3)
  for (pm in 0:2) for (gamma in c(0.25, 8)) {
    # At alpha = 1, the location of S1 depends on log(gamma); closed forms test that case.
    if (pm == 1 && case$alpha == 1) next
    at <- gamma * x + 2
    f <- dstable(x, case$alpha, case$beta, pm = pm)
    expect_none(apart(gamma * dstable(at, case$alpha, case$beta, gamma, 2, pm), f, 1e-11 * f),
                "gamma f((x - delta)/gamma)", x, case)
    F <- pstable(x, case$alpha, case$beta, pm = pm)
    expect_none(apart(pstable(at, case$alpha, case$beta, gamma, 2, pm), F, 1e-12 * F),
                "F((x - delta)/gamma)", x, case)
    q <- qstable(case$p, case$alpha, case$beta, pm = pm)
    expect_none(apart(qstable(case$p, case$alpha, case$beta, gamma, 2, pm), gamma * q + 2,
                      1e-12 * (abs(gamma * q) + 2)), "gamma q(p) + delta", case$p, case)
  }
}

# S0 and S1 differ by a shift: x1 = x0 - zeta for the standard distribution, alpha != 1.
expect_S1_agrees <- function(case) {
  if (case$alpha == 1 || abs(case$zeta) > 100) return(invisible())
  y <- c(-40, -3, -0.5, 0.25, 1, 7, 500)
  x <- y + case$zeta
  sensitivity <- 2 * EPS * (abs(case$zeta) + abs(x)) / abs(y)
  for (what in list(function(x, pm) dstable(x, case$alpha, case$beta, pm = pm, log = TRUE),
                    function(x, pm) pstable(x, case$alpha, case$beta, pm = pm, log.p = TRUE))) {
    s1 <- what(y, 1)
    s0 <- what(x, 0)
    # in a light tail an error of one bit in x becomes an error of up to alpha/|alpha - 1| |log v| bits
    steep <- 1 + abs(s0) * case$alpha / abs(case$alpha - 1) + case$alpha
    steep[!is.finite(steep)] <- 1
    expect_none(log_gap(s1, s0) > 1e-12 + 10 * sensitivity * steep / pmax(1, abs(s0)) & s1 != s0,
                "S1 = shifted S0", y, case)
  }
}

# S2 has its mode at delta and a scale factor of alpha^(-1/alpha).
expect_S2_agrees <- function(case) {
  scale <- case$alpha^(-1 / case$alpha)
  mode <- stable_mode(case$alpha, case$beta)
  if (!is.finite(scale) || case$alpha < 0.3) return(invisible())
  y <- c(-3, -0.5, 0.25, 1, 7)
  f0 <- dstable(y / scale + mode, case$alpha, case$beta) / scale
  f2 <- dstable(y, case$alpha, case$beta, pm = 2)
  expect_none(abs(f2 - f0) > 1e-9 * f0 + 1e-300, "S2 = S0 about its mode", y, case)
}

# Results are bitwise identical for every number of threads.
expect_same_for_threads <- function(case) {
  local_stable_backend("cpu")
  x <- rep(case$x, 40)
  one <- two <- NULL
  all_of <- function() list(dstable(x, case$alpha, case$beta), pstable(x, case$alpha, case$beta),
                            qstable(rep(case$p, 40), case$alpha, case$beta))
  using_threads(1L, one <- all_of())
  using_threads(2L, two <- all_of())
  expect_identical(one, two, info = case$name)
}
