# The error of a value against a reference value, and the largest error allowed.
# Used by test-stable-reference.R and bench/accuracy.R.
#
# Errors are measured on the log scale, so that tails count as much as the centre:
#
#     err(v) = |log v - log v_ref| / max(1, |log v_ref|)      pdf, cdf, upper tail
#     promise: err <= max(1e-12, 10 u),  u = (change of v when x moves by one ulp) / max(1, |log v_ref|)
#
#     |q - q_ref| <= 1e-12 |q_ref| + 4 eps min(|zeta|, 10) + 100 ulp(p) / f(q_ref)
#
# Distributions with alpha < 1 concentrate around zeta = -beta tan(pi alpha/2).

PROMISE  <- 1e-12
EPS      <- .Machine$double.eps
SMALLEST <- 1e-290       # above this, the value is compared as well as its logarithm
LOG_KEPT <- -50000       # below exp(LOG_KEPT) the tables hold the log density only

# Returns the value and the logarithm of a decimal number, which may lie outside the range of doubles.
parse_decimal <- function(text) {
  exponent <- ifelse(grepl("[eE]", text), sub(".*[eE]", "", text), "0")
  mantissa <- as.numeric(sub("[eE].*", "", text))
  list(value = as.numeric(text),
       log   = log(abs(mantissa)) + as.numeric(exponent) * log(10))
}

# Returns log(a/b), without cancellation for a close to b.
log_quotient <- function(a, b) {
  relative <- (a - b) / b
  suppressWarnings(ifelse(abs(relative) < 0.1, log1p(relative), log(a) - log(b)))
}

# Returns the errors of v = exp(log_v) on the log scale.  Where v and its reference are ordinary doubles, the error is
# the larger of those of v and log_v.
log_scale_error <- function(v, log_v, ref, log_ref) {
  scale <- pmax(1, abs(log_ref))
  err   <- abs(log_v - log_ref) / scale
  plain <- ref > SMALLEST
  err[plain] <- pmax(err, abs(log_quotient(v, ref)) / scale)[plain]
  err[!plain & v > 10 * SMALLEST] <- Inf
  impossible <- log_ref == -Inf
  err[impossible] <- ifelse(v == 0 & log_v == -Inf, 0, Inf)[impossible]
  err[is.na(err) | is.na(v) | is.na(log_v) | v < 0] <- Inf
  err
}

# As log_scale_error(), for points where the table gives only the log density: 0 if v is 0 and log_v agrees with the
# log density to the leading orders, as it does in a light tail; otherwise Inf.
light_tail_error <- function(v, log_v, log_pdf) {
  close <- v == 0 & abs(log_v / log_pdf - 1) < 1e-3
  ifelse(!is.na(close) & close, 0, Inf)
}

# Returns the errors allowed.  A negative ulp_* means that the sensitivity is unknown.
promised_error <- function(ulp, log_ref) {
  pmax(PROMISE, 10 * pmax(0, ulp) / pmax(1, abs(log_ref)))
}

read_reference <- function(path) {
  utils::read.csv(path, colClasses = "character", comment.char = "#")
}

# Returns one row per reference row and quantity (pdf, cdf, sf), with `err` and `allowed`.
# `d` and `p` are the functions under test.
judge_density <- function(table, d = dstable, p = pstable) {
  alpha <- as.numeric(table$alpha)
  beta  <- as.numeric(table$beta)
  x     <- as.numeric(table$x)
  ours <- list(
    pdf = list(d(x, alpha, beta), d(x, alpha, beta, log = TRUE)),
    cdf = list(p(x, alpha, beta), p(x, alpha, beta, log.p = TRUE)),
    sf  = list(p(x, alpha, beta, lower.tail = FALSE),
               p(x, alpha, beta, lower.tail = FALSE, log.p = TRUE)))
  log_pdf <- parse_decimal(table$logpdf)$value
  judged <- lapply(names(ours), function(what) {
    v   <- ours[[what]]
    ref <- parse_decimal(table[[what]])
    if (what == "pdf") ref$log <- log_pdf
    ref$log[table[[what]] == "0" & log_pdf == -Inf] <- -Inf
    err <- log_scale_error(v[[1]], v[[2]], ref$value, ref$log)
    far <- what != "pdf" & table[[what]] == "0" & is.finite(log_pdf)
    err[far] <- light_tail_error(v[[1]], v[[2]], log_pdf)[far]
    data.frame(what = what, alpha = alpha, beta = beta, x = x,
               ours = v[[1]], log_ours = v[[2]], log_ref = ref$log, err = err,
               allowed = promised_error(as.numeric(table[[paste0("ulp_", what)]]), ref$log))
  })
  do.call(rbind, judged)
}

ulp <- function(p) 2^(floor(log2(abs(p))) - 52)

# Returns the largest relative error allowed of a value.  sensitivity: the relative change of the value when x moves to
# the next double.  The promise above, in contrast, is for logarithms.
value_bound <- function(sensitivity) 3e-15 + 5 * sensitivity
BOUND_TEXT <- "3e-15 plus 5 times the change when x moves to the next double"

# Returns one row per reference row and quantity with a normal value and a known sensitivity: the relative error, the
# error in units of the last place, and `sensitivity`.
judge_values <- function(table, d = dstable, p = pstable) {
  alpha <- as.numeric(table$alpha)
  beta <- as.numeric(table$beta)
  x <- as.numeric(table$x)
  ours <- list(pdf = d(x, alpha, beta), cdf = p(x, alpha, beta), sf = p(x, alpha, beta, lower.tail = FALSE))
  judged <- lapply(names(ours), function(what) {
    ref <- parse_decimal(table[[what]])$value
    off <- abs(ours[[what]] - ref)
    sensitivity <- as.numeric(table[[paste0("ulp_", what)]])
    rows <- data.frame(what, alpha, beta, x, ref, err = off / ref, ulps = off / ulp(ref), sensitivity)
    rows[ref > SMALLEST & sensitivity >= 0, ]
  })
  do.call(rbind, judged)
}

# Returns the largest relative error allowed of a quantile of a standard distribution.  sensitivity: the relative change
# of the quantile when p moves to the next double.  The promise, `allowed` below, is wider.
quantile_bound <- function(sensitivity) 4e-15 + 4 * sensitivity

# Returns one row per quantile, with `err` (relative), `sensitivity` and `allowed`.  `pdf` is the density at the
# reference quantile.
judge_quantile <- function(table, pdf, q = qstable) {
  alpha <- as.numeric(table$alpha)
  beta  <- as.numeric(table$beta)
  p     <- as.numeric(table$p)
  ref   <- as.numeric(table$q)
  zeta  <- ifelse(alpha == 1, 0, abs(beta * tan(pi / 2 * alpha)))
  ours  <- q(p, alpha, beta)
  allowed <- PROMISE * abs(ref) + 4 * EPS * pmin(zeta, 10) + 100 * ulp(p) / pdf
  scale <- ifelse(ref == 0, 1, abs(ref))
  err <- abs(ours - ref) / scale
  err[is.na(err)] <- Inf
  data.frame(what = "quantile", alpha = alpha, beta = beta, x = p, ours = ours, ref = ref,
             err = err, sensitivity = ulp(p) / pdf / scale,
             allowed = ifelse(is.finite(allowed), allowed / scale, PROMISE))
}

# Returns the rows that break the promise, worst first, as lines of text.
describe_misses <- function(judged, at_most = 10) {
  bad <- judged[judged$err > judged$allowed, ]
  bad <- bad[order(-bad$err), ]
  sprintf("%s(%.17g; %.17g, %.17g) = %.17g: error %.2g, allowed %.2g",
          bad$what, bad$x, bad$alpha, bad$beta, bad$ours, bad$err, bad$allowed)[
            seq_len(min(at_most, nrow(bad)))]
}
