# Functions that are written in the language of integrands itself: each body stands for a call of R's function of that
# name.  Names of R's functions mean R's functions here.

gamma_templates <- list(
  beta = function(a, b) exp(lgamma(a) + lgamma(b) - lgamma(a + b)),
  lbeta = function(a, b) lgamma(a) + lgamma(b) - lgamma(a + b),
  factorial = function(x) gamma(x + 1),
  lfactorial = function(x) lgamma(x + 1)
)

# log f by parts, or f: for densities whose logarithm comes first.
density_from_log <- function(value, log) if (log) value else exp(value)

# P of the lower tail `p` and the upper one `q`.
tail_of <- function(p, q, lower.tail, log.p) {
  tail <- if (lower.tail) p else q
  if (log.p) log(tail) else tail
}

# The upper tail of the standard normal law, whose logarithm is kept where it underflows: for z > 37 by
# the asymptotic series (Abramowitz and Stegun 1964, 26.2.12), the next term of which is below 1e-13.
normal_tail <- function(z, log.p) {
  if (!log.p) return(0.5 * stable_erfc(z / sqrt(2)))
  y <- 1 / (z * z)
  if (z < -1) log1p(-0.5 * stable_erfc(-z / sqrt(2)))
  else if (z < 37) log(0.5 * stable_erfc(z / sqrt(2)))
  else if (z == Inf) -Inf
  else -0.5 * z * z - log(z) - 0.5 * log(2 * pi) + log1p(-y * (1 - y * (3 - y * (15 - y * 105))))
}

# log(1 - exp(-z)) for z >= 0.
log_complement <- function(z) if (z > log(2)) log1p(-exp(-z)) else log(-expm1(-z))

# The complementary error function, for templates only.
stable_erfc <- function(x) 2 * stats::pnorm(x * sqrt(2), lower.tail = FALSE)

template_helpers <- c("density_from_log", "tail_of", "normal_tail", "log_complement")

distribution_templates <- list(
  dnorm = function(x, mean = 0, sd = 1, log = FALSE) {
    z <- (x - mean) / sd
    f <- if (log) -(0.5 * log(2 * pi) + log(sd) + 0.5 * z * z) else exp(-0.5 * z * z) / (sqrt(2 * pi) * sd)
    if (sd > 0) f else if (sd == 0) (if (x == mean) Inf else if (log) -Inf else 0) else NaN
  },
  pnorm = function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (q - mean) / sd
    if (sd > 0) normal_tail(if (lower.tail) -z else z, log.p) else if (sd == 0)
      tail_of(if (q < mean) 0 else 1, if (q < mean) 1 else 0, lower.tail, log.p) else NaN
  },
  dlnorm = function(x, meanlog = 0, sdlog = 1, log = FALSE) {
    z <- (log(x) - meanlog) / sdlog
    f <- -(0.5 * log(2 * pi) + log(sdlog) + 0.5 * z * z + log(x))
    if (sdlog > 0) (if (x > 0) density_from_log(f, log) else if (log) -Inf else 0) else NaN
  },
  plnorm = function(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (log(q) - meanlog) / sdlog
    if (sdlog > 0) (if (q > 0) normal_tail(if (lower.tail) -z else z, log.p)
      else tail_of(0, 1, lower.tail, log.p)) else NaN
  },
  dunif = function(x, min = 0, max = 1, log = FALSE) {
    f <- if (x >= min & x <= max) 1 / (max - min) else 0
    if (max > min) (if (log) log(f) else f) else NaN
  },
  punif = function(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE) {
    p <- pmin(pmax((q - min) / (max - min), 0), 1)
    r <- pmin(pmax((max - q) / (max - min), 0), 1)
    if (max > min) tail_of(p, r, lower.tail, log.p) else NaN
  },
  dexp = function(x, rate = 1, log = FALSE) {
    f <- if (log) log(rate) - rate * x else rate * exp(-rate * x)
    if (rate > 0) (if (x >= 0) f else if (log) -Inf else 0) else NaN
  },
  pexp = function(q, rate = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- rate * pmax(q, 0)
    p <- if (lower.tail) (if (log.p) log_complement(z) else -expm1(-z)) else if (log.p) -z else exp(-z)
    if (rate > 0) p else NaN
  },
  dcauchy = function(x, location = 0, scale = 1, log = FALSE) {
    z <- (x - location) / scale
    f <- if (log) -log(pi * scale * (1 + z * z)) else 1 / (pi * scale * (1 + z * z))
    if (scale > 0) f else NaN
  },
  pcauchy = function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- if (lower.tail) -(q - location) / scale else (q - location) / scale
    far <- atan(1 / z) / pi
    p <- if (abs(z) <= 1) 0.5 - atan(z) / pi else if (z > 0) far else 1 + far
    if (scale > 0) (if (log.p) (if (z < -1) log1p(far) else log(p)) else p) else NaN
  },
  dlogis = function(x, location = 0, scale = 1, log = FALSE) {
    z <- abs(x - location) / scale
    e <- exp(-z)
    f <- if (log) -(z + log(scale) + 2 * log1p(e)) else e / (scale * (1 + e)^2)
    if (scale > 0) f else NaN
  },
  plogis = function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- if (lower.tail) (q - location) / scale else -(q - location) / scale
    p <- if (log.p) (if (z > 0) -log1p(exp(-z)) else z - log1p(exp(z))) else 1 / (1 + exp(-z))
    if (scale > 0) p else NaN
  },
  dweibull = function(x, shape, scale = 1, log = FALSE) {
    z <- (x / scale)^(shape - 1)
    power <- if (x == 0) 0 else z * (x / scale)
    f <- if (log) log(shape * z / scale) - power else shape * z * exp(-power) / scale
    if (shape > 0 & scale > 0) (if (x >= 0) f else if (log) -Inf else 0) else NaN
  },
  pweibull = function(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (pmax(q, 0) / scale)^shape
    p <- if (lower.tail) (if (log.p) log_complement(z) else -expm1(-z)) else if (log.p) -z else exp(-z)
    if (shape > 0 & scale > 0) p else NaN
  },
  dgamma = function(x, shape, rate = 1, scale = 1 / rate, log = FALSE) {
    z <- x / scale
    f <- (if (shape == 1) 0 else (shape - 1) * log(z)) - z - lgamma(shape) - log(scale)
    if (shape > 0 & scale > 0) (if (x >= 0) density_from_log(f, log) else if (log) -Inf else 0) else NaN
  },
  dchisq = function(x, df, log = FALSE) {
    z <- x / 2
    f <- (if (df == 2) 0 else (df / 2 - 1) * log(z)) - z - lgamma(df / 2) - log(2)
    if (df > 0) (if (x >= 0) density_from_log(f, log) else if (log) -Inf else 0) else NaN
  },
  dbeta = function(x, shape1, shape2, log = FALSE) {
    left <- if (shape1 == 1) 0 else (shape1 - 1) * log(x)
    right <- if (shape2 == 1) 0 else (shape2 - 1) * log1p(-x)
    f <- left + right - (lgamma(shape1) + lgamma(shape2) - lgamma(shape1 + shape2))
    if (shape1 > 0 & shape2 > 0) (if (x >= 0 & x <= 1) density_from_log(f, log) else if (log) -Inf else 0) else NaN
  },
  dt = function(x, df, log = FALSE) {
    peak <- lgamma((df + 1) / 2) - lgamma(df / 2) - 0.5 * log(pi * df)
    f <- peak - 0.5 * (df + 1) * log1p(x * x / df)
    if (df > 0) density_from_log(f, log) else NaN
  }
)
