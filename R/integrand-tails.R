# Distribution functions in the language of integrands; see integrand-distributions.R.

# Selects the lower tail `p` or the upper tail `q`.
tail_of <- function(p, q, lower.tail, log.p) {
  tail <- if (lower.tail) p else q
  if (log.p) log(tail) else tail
}

# The upper tail of the standard normal distribution.  Its logarithm remains finite where the tail underflows: for
# z > 37 it is the asymptotic series (Abramowitz and Stegun 1964, 26.2.12), whose next term is below 1e-13.
normal_tail <- function(z, log.p) {
  if (!log.p) return(0.5 * op_erfc(z / sqrt(2)))
  y <- 1 / (z * z)
  if (z < -1) log1p(-0.5 * op_erfc(-z / sqrt(2)))
  else if (z < 37) log(0.5 * op_erfc(z / sqrt(2)))
  else if (z == Inf) -Inf
  else -0.5 * z * z - log(z) - 0.5 * log(2 * pi) + log1p(-y * (1 - y * (3 - y * (15 - y * 105))))
}

# log(1 - exp(-z)) for z >= 0.
log_complement <- function(z) if (z > log(2)) log1p(-exp(-z)) else log(-expm1(-z))

# Tails of the gamma distribution with scale 1 and of the beta distribution.
gamma_tail <- function(x, shape, lower.tail, log.p) {
  if (lower.tail) (if (log.p) op_gamma_lp(x, shape) else op_gamma_p(x, shape))
  else if (log.p) op_gamma_lq(x, shape) else op_gamma_q(x, shape)
}

beta_tail <- function(x, a, b, lower.tail, log.p) {
  if (lower.tail) (if (log.p) op_beta_lp(x, a, b) else op_beta_p(x, a, b))
  else if (log.p) op_beta_lq(x, a, b) else op_beta_q(x, a, b)
}

tail_helpers <- c("tail_of", "normal_tail", "log_complement", "gamma_tail", "beta_tail")

tail_templates <- list(
  pnorm = function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (q - mean) / sd
    if (sd > 0) normal_tail(if (lower.tail) -z else z, log.p) else if (sd == 0)
      tail_of(if (q < mean) 0 else 1, if (q < mean) 1 else 0, lower.tail, log.p) else NaN
  },
  plnorm = function(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (log(q) - meanlog) / sdlog
    if (sdlog > 0) (if (q > 0) normal_tail(if (lower.tail) -z else z, log.p)
      else tail_of(0, 1, lower.tail, log.p)) else NaN
  },
  punif = function(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE) {
    p <- pmin(pmax((q - min) / (max - min), 0), 1)
    r <- pmin(pmax((max - q) / (max - min), 0), 1)
    if (max > min) tail_of(p, r, lower.tail, log.p) else NaN
  },
  pexp = function(q, rate = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- rate * pmax(q, 0)
    p <- if (lower.tail) (if (log.p) log_complement(z) else -expm1(-z)) else if (log.p) -z else exp(-z)
    if (rate > 0) p else NaN
  },
  pcauchy = function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- if (lower.tail) -(q - location) / scale else (q - location) / scale
    far <- atan(1 / z) / pi
    p <- if (abs(z) <= 1) 0.5 - atan(z) / pi else if (z > 0) far else 1 + far
    if (scale > 0) (if (log.p) (if (z < -1) log1p(far) else log(p)) else p) else NaN
  },
  plogis = function(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- if (lower.tail) (q - location) / scale else -(q - location) / scale
    p <- if (log.p) (if (z > 0) -log1p(exp(-z)) else z - log1p(exp(z))) else 1 / (1 + exp(-z))
    if (scale > 0) p else NaN
  },
  pweibull = function(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE) {
    z <- (pmax(q, 0) / scale)^shape
    p <- if (lower.tail) (if (log.p) log_complement(z) else -expm1(-z)) else if (log.p) -z else exp(-z)
    if (shape > 0 & scale > 0) p else NaN
  },
  pgamma = function(q, shape, rate = 1, scale = 1 / rate, lower.tail = TRUE, log.p = FALSE) {
    if (scale > 0) gamma_tail(q / scale, shape, lower.tail, log.p) else NaN
  },
  pchisq = function(q, df, lower.tail = TRUE, log.p = FALSE) gamma_tail(q / 2, df / 2, lower.tail, log.p),
  pbeta = function(q, shape1, shape2, lower.tail = TRUE, log.p = FALSE) {
    beta_tail(q, shape1, shape2, lower.tail, log.p)
  },
  pt = function(q, df, lower.tail = TRUE, log.p = FALSE) {
    n <- df + q * q
    half <- if (abs(q) > 1e150) 0.5 * df * (log(df) - 2 * log(abs(q))) - lbeta(0.5 * df, 0.5) - log(0.5 * df)
      else if (q * q > df) op_beta_lp(df / n, 0.5 * df, 0.5) else op_beta_lq(q * q / n, 0.5, 0.5 * df)
    tail <- half - log(2)
    p <- if (lower.tail == (q < 0)) density_from_log(tail, log.p) else if (log.p) log1p(-exp(tail)) else 1 - exp(tail)
    if (df == Inf) pnorm(q, lower.tail = lower.tail, log.p = log.p) else if (df > 0) p else NaN
  },
  pf = function(q, df1, df2, lower.tail = TRUE, log.p = FALSE) {
    n <- df2 + df1 * q
    p <- if (df1 * q > df2) beta_tail(df2 / n, df2 / 2, df1 / 2, !lower.tail, log.p)
      else beta_tail(df1 * q / n, df1 / 2, df2 / 2, lower.tail, log.p)
    below <- 0.5 * (q >= 1) + 0.5 * (q > 1)
    far <- if (df1 == Inf & df2 == Inf) tail_of(below, 1 - below, lower.tail, log.p)
      else if (df2 == Inf) gamma_tail(q * df1 / 2, df1 / 2, lower.tail, log.p)
      else gamma_tail(df2 / q / 2, df2 / 2, !lower.tail, log.p)
    if (df1 > 0 & df2 > 0) {
      if (q <= 0) tail_of(0, 1, lower.tail, log.p) else if (q == Inf) tail_of(1, 0, lower.tail, log.p)
      else if (df1 == Inf | df2 == Inf) far else p
    } else NaN
  },
  ppois = function(q, lambda, lower.tail = TRUE, log.p = FALSE) {
    k <- floor(q + 1e-7)
    if (lambda >= 0) {
      if (q < 0) tail_of(0, 1, lower.tail, log.p) else if (lambda == 0 | k == Inf) tail_of(1, 0, lower.tail, log.p)
      else gamma_tail(lambda, k + 1, !lower.tail, log.p)
    } else NaN
  },
  pbinom = function(q, size, prob, lower.tail = TRUE, log.p = FALSE) {
    k <- floor(q + 1e-7)
    n <- round(size)
    if (is_count(size) & prob >= 0 & prob <= 1) {
      if (q < 0) tail_of(0, 1, lower.tail, log.p) else if (k >= n) tail_of(1, 0, lower.tail, log.p)
      else beta_tail(prob, k + 1, n - k, !lower.tail, log.p)
    } else NaN
  },
  pnbinom = function(q, size, prob = size / (size + mu), mu = size * ((1 - prob) / prob), lower.tail = TRUE,
                     log.p = FALSE) {
    k <- floor(q + 1e-7)
    p <- if (prob > 0.5) beta_tail(mu / (size + mu), k + 1, size, !lower.tail, log.p)
      else beta_tail(prob, size, k + 1, lower.tail, log.p)
    if (size >= 0 & prob > 0 & prob <= 1) {
      if (q < 0) tail_of(0, 1, lower.tail, log.p)
      else if (k == Inf | size == 0 | prob == 1) tail_of(1, 0, lower.tail, log.p) else p
    } else NaN
  },
  pgeom = function(q, prob, lower.tail = TRUE, log.p = FALSE) {
    k <- floor(q + 1e-7)
    z <- if (prob == 1) Inf else -(k + 1) * log1p(-prob)
    p <- if (lower.tail) (if (log.p) log_complement(z) else -expm1(-z)) else if (log.p) -z else exp(-z)
    if (prob > 0 & prob <= 1) (if (q < 0) tail_of(0, 1, lower.tail, log.p) else p) else NaN
  }
)
