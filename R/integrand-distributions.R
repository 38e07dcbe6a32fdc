# Densities and other functions written in the language of integrands: each body replaces a call of R's function of the
# same name.  Names in the bodies refer to R's functions.  The distribution functions are in integrand-tails.R.

gamma_templates <- list(
  # A product where no factor overflows: exp() multiplies the relative error of log B, which is large for small a or b.
  beta = function(a, b) if (a > 0 & b > 0 & a + b < 171) gamma(a) / gamma(a + b) * gamma(b) else exp(lbeta(a, b)),
  factorial = function(x) gamma(x + 1),
  lfactorial = function(x) lgamma(x + 1)
)

# Returns log f or f, for densities whose logarithm is computed first.
density_from_log <- function(value, log) if (log) value else exp(value)

# The value at points where the density is 0.
density_none <- function(log) if (log) -Inf else 0

# The density of a point mass at `at`.
density_point <- function(x, at, log) if (x == at) Inf else density_none(log)

# log [ z^a e^-z / Gamma(a) ] and log [ p^a q^b / B(a, b) ], by these formulas as long as nothing large cancels,
# otherwise as in src/special/gamma.h.
log_gamma_term <- function(a, z) {
  if (a < 20) a * log(z) - z - lgamma(a) else 0.5 * log(a / (2 * pi)) - op_stirling(a) - op_deviance(a, z)
}
log_beta_term <- function(a, b, p, q) {
  if (a < 20 & b < 20) a * log(p) + b * log(q) - lbeta(a, b)
  else 0.5 * log(a / (2 * pi) * (b / (a + b))) - op_stirling(a) - op_stirling(b) + op_stirling(a + b) -
    op_deviance(a, (a + b) * p) - op_deviance(b, (a + b) * q)
}

# TRUE for counts, the non-negative whole numbers, with R's tolerance.
is_count <- function(x) x >= 0 & abs(x - round(x)) <= 1e-7 * pmax(1, x)

density_helpers <- c("density_from_log", "density_none", "density_point", "log_gamma_term", "log_beta_term", "is_count")

density_templates <- list(
  dnorm = function(x, mean = 0, sd = 1, log = FALSE) {
    z <- (x - mean) / sd
    f <- if (log) -(0.5 * log(2 * pi) + log(sd) + 0.5 * z * z) else exp(-0.5 * z * z) / (sqrt(2 * pi) * sd)
    if (sd > 0) f else if (sd == 0) (if (x == mean) Inf else if (log) -Inf else 0) else NaN
  },
  dlnorm = function(x, meanlog = 0, sdlog = 1, log = FALSE) {
    z <- (log(x) - meanlog) / sdlog
    f <- -(0.5 * log(2 * pi) + log(sdlog) + 0.5 * z * z + log(x))
    if (sdlog > 0) (if (x > 0) density_from_log(f, log) else if (log) -Inf else 0) else NaN
  },
  dunif = function(x, min = 0, max = 1, log = FALSE) {
    f <- if (x >= min & x <= max) 1 / (max - min) else 0
    if (max > min) (if (log) log(f) else f) else NaN
  },
  dexp = function(x, rate = 1, log = FALSE) {
    f <- if (log) log(rate) - rate * x else rate * exp(-rate * x)
    if (rate > 0) (if (x >= 0) f else if (log) -Inf else 0) else NaN
  },
  dcauchy = function(x, location = 0, scale = 1, log = FALSE) {
    z <- (x - location) / scale
    f <- if (log) -log(pi * scale * (1 + z * z)) else 1 / (pi * scale * (1 + z * z))
    if (scale > 0) f else NaN
  },
  dlogis = function(x, location = 0, scale = 1, log = FALSE) {
    z <- abs(x - location) / scale
    e <- exp(-z)
    f <- if (log) -(z + log(scale) + 2 * log1p(e)) else e / (scale * (1 + e)^2)
    if (scale > 0) f else NaN
  },
  dweibull = function(x, shape, scale = 1, log = FALSE) {
    z <- (x / scale)^(shape - 1)
    power <- if (x == 0) 0 else z * (x / scale)
    f <- if (log) log(shape * z / scale) - power else shape * z * exp(-power) / scale
    if (shape > 0 & scale > 0) (if (x >= 0 & x < Inf) f else if (log) -Inf else 0) else NaN
  },
  dgamma = function(x, shape, rate = 1, scale = 1 / rate, log = FALSE) {
    f <- density_from_log(if (shape == 1) -x / scale - log(scale) else log_gamma_term(shape, x / scale) - log(x), log)
    top <- if (shape < 1) Inf else if (shape == 1) density_from_log(-log(scale), log) else density_none(log)
    if (shape >= 0 & scale > 0) {
      if (shape == 0) density_point(x, 0, log)
      else if (x > 0 & x < Inf) f else if (x == 0) top else density_none(log)
    } else NaN
  },
  dchisq = function(x, df, log = FALSE) {
    f <- density_from_log(if (df == 2) -x / 2 - log(2) else log_gamma_term(df / 2, x / 2) - log(x), log)
    top <- if (df < 2) Inf else if (df == 2) density_from_log(-log(2), log) else density_none(log)
    if (df >= 0) {
      if (df == 0) density_point(x, 0, log)
      else if (x > 0 & x < Inf) f else if (x == 0) top else density_none(log)
    } else NaN
  },
  dbeta = function(x, shape1, shape2, log = FALSE) {
    f <- density_from_log(if (shape1 == 1) log(shape2) + (if (shape2 == 1) 0 else (shape2 - 1) * log1p(-x))
      else if (shape2 == 1) log(shape1) + (shape1 - 1) * log(x)
      else log_beta_term(shape1, shape2, x, 1 - x) - log(x) - log1p(-x), log)
    left <- if (shape1 < 1) Inf else if (shape1 == 1) density_from_log(log(shape2), log) else density_none(log)
    right <- if (shape2 < 1) Inf else if (shape2 == 1) density_from_log(log(shape1), log) else density_none(log)
    if (shape1 > 0 & shape2 > 0)
      (if (x > 0 & x < 1) f else if (x == 0) left else if (x == 1) right else density_none(log)) else NaN
  },
  dt = function(x, df, log = FALSE) {
    z <- x * x / df
    fall <- if (z < 1e200) log1p(z) else 2 * log(abs(x)) - log(df)
    f <- -lbeta(0.5 * df, 0.5) - 0.5 * log(df) - 0.5 * (df + 1) * fall
    if (df == Inf) dnorm(x, log = log) else if (df > 0) density_from_log(f, log) else NaN
  },
  df = function(x, df1, df2, log = FALSE) {
    n <- df2 + df1 * x
    f <- density_from_log(log_beta_term(df1 / 2, df2 / 2, df1 * x / n, df2 / n) - log(x), log)
    top <- if (df1 < 2) Inf else if (df1 == 2) density_from_log(0, log) else density_none(log)
    far <- if (df1 == Inf & df2 == Inf) density_point(x, 1, log)
      else if (df2 == Inf) dgamma(x, df1 / 2, df1 / 2, log = log)
      else if (log) dgamma(1 / x, df2 / 2, df2 / 2, log = TRUE) - 2 * log(x)
      else dgamma(1 / x, df2 / 2, df2 / 2) / (x * x)
    if (df1 > 0 & df2 > 0) {
      if (x < 0 | x == Inf) density_none(log)
      else if (df1 == Inf | df2 == Inf) far else if (x == 0) top else f
    } else NaN
  },
  dpois = function(x, lambda, log = FALSE) {
    k <- round(x)
    f <- if (k == 0) -lambda else if (lambda == 0) -Inf else log_gamma_term(k + 1, lambda) - log(lambda)
    g <- if (lambda < Inf) density_from_log(f, log) else density_none(log)
    if (lambda >= 0) (if (is_count(x) & x < Inf) g else density_none(log)) else NaN
  },
  dbinom = function(x, size, prob, log = FALSE) {
    k <- round(x)
    n <- round(size)
    f <- if (n == 0) 0 else if (k == 0) n * log1p(-prob) else if (k == n) n * log(prob)
      else if (prob == 0 | prob == 1) -Inf
      else log_beta_term(k + 1, n - k + 1, prob, 1 - prob) - log(n + 1) - log(prob) - log1p(-prob)
    if (is_count(size) & prob >= 0 & prob <= 1)
      (if (is_count(x) & k <= n) density_from_log(f, log) else density_none(log)) else NaN
  },
  dnbinom = function(x, size, prob = size / (size + mu), mu = size * ((1 - prob) / prob), log = FALSE) {
    k <- round(x)
    q <- mu / (size + mu)
    f <- if (size == 0) (if (k == 0) 0 else -Inf) else if (k == 0) (if (q < 0.5) size * log1p(-q) else size * log(prob))
      else if (q == 0) -Inf
      else log_beta_term(size, k + 1, prob, q) - log(size + k) - log(q)
    if (size >= 0 & prob > 0 & prob <= 1)
      (if (is_count(x) & x < Inf) density_from_log(f, log) else density_none(log)) else NaN
  },
  dgeom = function(x, prob, log = FALSE) {
    k <- round(x)
    f <- log(prob) + (if (k == 0) 0 else k * log1p(-prob))
    if (prob > 0 & prob <= 1) (if (is_count(x) & x < Inf) density_from_log(f, log) else density_none(log)) else NaN
  }
)
