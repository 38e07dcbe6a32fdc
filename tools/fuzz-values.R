# tools/fuzz-values.R [N] [SEED]: checks relations that hold for every stable distribution and every integral, at random
# parameters, most of them close to a boundary: alpha near 0, 1 and 2, beta near 0 and +-1, x from 1e-300 to 1e300 and
# near zeta.
#
# A trial checks one relation; relations of the distribution are checked for 5 distributions at once.  Tolerances follow
# from the documented error model (?stable, "Accuracy"): the error of a density or probability v is at most
#
#     max(1, |log v|) max(1e-12, 10 u),    u = |log v(x (1 + eps)) - log v(x)| / max(1, |log v|),
#
# on the scale of log v; a relation between two values may be off by twice that.  With FUZZ_DEVICE=yes in the
# environment, a device is also compared with the CPU; building its programs takes a while.

source("tools/fuzzing.R")

eps <- .Machine$double.eps
laws_each <- 5L
package <- NULL                                           # the exported functions; set by setup()

# --- parameters ---------------------------------------------------------------------------------

# Draws n numbers, each from a generator chosen at random from `...`.
pick <- function(n, ...) {
  kinds <- list(...)
  which <- sample.int(length(kinds), n, replace = TRUE)
  out <- numeric(n)
  for (k in seq_along(kinds)) out[which == k] <- kinds[[k]](sum(which == k))
  out
}

log_uniform <- function(from, to) function(n) 10^stats::runif(n, from, to)
signed <- function(f) function(n) sample(c(-1, 1), n, replace = TRUE) * f(n)
constant <- function(values) function(n) values[sample.int(length(values), n, replace = TRUE)]

draw_alpha <- function(n) {
  a <- pick(n, function(n) stats::runif(n, 0.01, 2), function(n) stats::runif(n, 0.3, 1.99),
            function(n) 1 + signed(log_uniform(-16, -1))(n), function(n) 2 - log_uniform(-15, -1)(n),
            log_uniform(-2, -0.5), constant(c(0.5, 1, 1.5, 2)))
  pmin(2, pmax(0.01, a))
}

draw_beta <- function(n) {
  pick(n, function(n) stats::runif(n, -1, 1), constant(c(-1, 0, 1)),
       function(n) sample(c(-1, 1), n, TRUE) * (1 - log_uniform(-16, -1)(n)), signed(log_uniform(-16, -1)))
}

zeta_of <- function(alpha, beta) ifelse(alpha == 1, 0, -beta * tanpi(alpha / 2))

# Returns a data frame of columns of equal length, without the checks of data.frame().
rows_of <- function(...) {
  columns <- list(...)
  structure(columns, row.names = .set_row_names(length(columns[[1L]])), class = "data.frame")
}

draw_laws <- function(n = laws_each, plain = FALSE) {
  l <- rows_of(alpha = draw_alpha(n), beta = draw_beta(n), gamma = rep(1, n), delta = numeric(n))
  zeta <- zeta_of(l$alpha, l$beta)
  zeta[abs(zeta) > 1e300] <- 0
  l$zeta <- zeta
  z <- pick(n, stats::rcauchy, stats::rnorm, signed(log_uniform(-300, 300)), signed(log_uniform(-3, 8)),
            constant(c(0, 1, -1)))
  near <- stats::runif(n) < 0.25
  by <- pick(n, signed(log_uniform(-17, 0)), signed(log_uniform(-4, 4)), signed(log_uniform(-300, -10)), constant(0))
  l$x <- ifelse(near, zeta + by * ifelse(stats::runif(n) < 0.5, pmax(abs(zeta), 1e-300), 1), z)
  if (!plain && stats::runif(1L) < 0.5) {
    l$gamma <- pick(n, log_uniform(-3, 3), log_uniform(-150, 150), constant(1))
    l$delta <- pick(n, constant(0), signed(log_uniform(-5, 5)))
    l$x <- l$gamma * l$x + l$delta
  }
  l$x[!is.finite(l$x)] <- 1e300
  l
}

number <- function(v) sprintf("%.17g", v)

# Returns the text of a call of f, by default dstable(), with the parameters in row k.
law_text <- function(l, k, f = "dstable", x = l$x[k], more = "") {
  sprintf("%s(%s, %s, %s, %s, %s%s)", f, number(x), number(l$alpha[k]), number(l$beta[k]), number(l$gamma[k]),
          number(l$delta[k]), more)
}

# --- values and their tolerances ------------------------------------------------------------

log_density <- function(l, x = l$x, pm = 0) package$dstable(x, l$alpha, l$beta, l$gamma, l$delta, pm, log = TRUE)
log_below <- function(l, x = l$x, pm = 0) package$pstable(x, l$alpha, l$beta, l$gamma, l$delta, pm, log.p = TRUE)
log_above <- function(l, x = l$x, pm = 0) {
  package$pstable(x, l$alpha, l$beta, l$gamma, l$delta, pm, lower.tail = FALSE, log.p = TRUE)
}

# Returns the error that the documentation allows for log values; `f` computes them as a function of x.
allowance <- function(f, l, v = f(l, l$x)) {
  h <- eps * (abs(l$x) + abs(l$delta)) + 1e-320
  a <- abs(f(l, l$x + h) - v)
  b <- abs(f(l, l$x - h) - v)
  u <- pmax(ifelse(is.finite(a), a, Inf), ifelse(is.finite(b), b, Inf))
  ifelse(is.finite(v), pmax(1e-12 * pmax(1, abs(v)), 10 * u), Inf)
}

# Reports the first row where `bad` is TRUE or NA.
complain <- function(bad, kind, text) {
  k <- which(bad | is.na(bad))[1L]
  if (!is.na(k)) finding(kind, text(k))
}

same_logs <- function(a, b, tol) (is.finite(a) & is.finite(b) & abs(a - b) <= tol) | (a == b)

# --- relations of the distribution --------------------------------------------------------------

check_range <- function() {
  l <- draw_laws()
  pm <- sample(0:2, 1L, prob = c(5, 4, 1))               # pm = 2 needs the mode of each law
  f <- package$dstable(l$x, l$alpha, l$beta, l$gamma, l$delta, pm)
  p <- package$pstable(l$x, l$alpha, l$beta, l$gamma, l$delta, pm)
  s <- package$pstable(l$x, l$alpha, l$beta, l$gamma, l$delta, pm, lower.tail = FALSE)
  more <- sprintf(", pm = %d", pm)
  complain(!(f >= 0), "density is negative or NaN", function(k) law_text(l, k, more = more))
  complain(!(p >= 0 & p <= 1), "probability is outside [0, 1] or NaN",
           function(k) law_text(l, k, "pstable", more = more))
  complain(!(s >= 0 & s <= 1), "upper probability is outside [0, 1] or NaN",
           function(k) law_text(l, k, "pstable", more = paste0(more, ", lower.tail = FALSE")))
  for (g in list(log_density, log_below, log_above)) {
    v <- g(l, pm = pm)
    complain(is.na(v), "log of density or probability is NaN", function(k) law_text(l, k, more = more))
  }
}

check_monotone <- function() {
  one <- draw_laws(1L)
  l <- one[rep(1L, laws_each), ]
  by <- c(0, log_uniform(-16, 3)(laws_each - 1L)) * pmax(abs(one$x), 1e-300)
  l$x <- sort(one$x + by)
  p <- log_below(l)
  s <- log_above(l)
  tol <- 2 * pmax(allowance(log_below, l, p), 1e-12)
  complain(diff(p) < -tol[-1L] & is.finite(p[-1L]), "distribution function falls",
           function(k) paste0(law_text(l, k, "pstable"), " - ", law_text(l, k + 1L, "pstable")))
  tol <- 2 * pmax(allowance(log_above, l, s), 1e-12)
  complain(diff(s) > tol[-1L] & is.finite(s[-1L]), "upper tail rises",
           function(k) paste0(law_text(l, k + 1L, "pstable", more = ", lower.tail = FALSE"), " - ",
                              law_text(l, k, "pstable", more = ", lower.tail = FALSE")))
}

check_complement <- function() {
  l <- draw_laws()
  p <- log_below(l)
  s <- log_above(l)
  tol <- exp(p) * pmin(1, allowance(log_below, l, p)) + exp(s) * pmin(1, allowance(log_above, l, s)) + 4 * eps
  tol[is.nan(tol)] <- 4 * eps
  complain(!(abs(exp(p) + exp(s) - 1) <= 2 * tol), "lower and upper probability do not add up to 1",
           function(k) paste(law_text(l, k, "pstable"), "+", law_text(l, k, "pstable",
                                                                      more = ", lower.tail = FALSE")))
}

check_log <- function() {
  l <- draw_laws()
  logs <- list(dstable = log_density(l), pstable = log_below(l))
  values <- list(dstable = package$dstable(l$x, l$alpha, l$beta, l$gamma, l$delta),
                 pstable = package$pstable(l$x, l$alpha, l$beta, l$gamma, l$delta))
  for (f in names(logs)) {
    a <- logs[[f]]
    b <- log(values[[f]])
    complain(!(abs(a - b) <= 4e-13 * pmax(1, abs(a)) | a < -690 | a > 709 | a == b),
             paste(f, "differs from the exponential of its logarithm"), function(k) law_text(l, k, f))
  }
}

check_reflection <- function() {
  l <- draw_laws()
  m <- transform(l, beta = -beta, delta = -delta, x = -x)
  complain(!same_logs(log_density(l), log_density(m), 2 * allowance(log_density, l)),
           "density and its mirror image differ",
           function(k) paste(law_text(l, k), "-", law_text(m, k)))
  complain(!same_logs(log_below(l), log_above(m), 2 * allowance(log_below, l)),
           "distribution and its mirror image differ",
           function(k) paste(law_text(l, k, "pstable"), "-", law_text(m, k, "pstable",
                                                                      more = ", lower.tail = FALSE")))
}

check_scaling <- function() {
  l <- draw_laws(plain = TRUE)
  k <- sample(-200:200, 1L)
  m <- transform(l, x = x * 2^k, gamma = 2^k)
  fine <- is.finite(m$x) & abs(m$x) > 1e-290 & abs(m$x) < 1e290 & abs(l$x) > 1e-290
  d <- log_density(m) + k * log(2)
  tol <- 2 * allowance(log_density, l) + 4 * eps * abs(k)
  complain(!same_logs(log_density(l), d, tol) & fine, "density of a scaled law is wrong",
           function(j) paste(law_text(l, j, more = ", log = TRUE"), "-", law_text(m, j, more = ", log = TRUE"),
                             "-", k,
                             "* log(2)"))
  complain(!same_logs(log_below(l), log_below(m), 2 * allowance(log_below, l)) & fine,
           "distribution of a scaled law is wrong",
           function(j) paste(law_text(l, j, "pstable"), "-", law_text(m, j, "pstable")))
}

check_round_trip <- function() {
  l <- draw_laws()
  l$gamma <- 1
  l$delta <- 0
  p <- pick(laws_each, stats::runif, log_uniform(-300, 0), log_uniform(-8, 0), function(n) 1 - log_uniform(-15, 0)(n))
  lower <- stats::runif(1L) < 0.5
  q <- package$qstable(p, l$alpha, l$beta, lower.tail = lower)
  back <- package$pstable(q, l$alpha, l$beta, lower.tail = lower)
  f <- package$dstable(q, l$alpha, l$beta)
  off <- 1e-12 * abs(q) + 4 * eps * pmin(abs(l$zeta), 10)
  off <- ifelse(is.finite(f), f * off, Inf)
  near <- function(s) abs(package$pstable(q + s * (1e-12 * abs(q) + 4 * eps * pmin(abs(l$zeta), 10)), l$alpha,
                                            l$beta,
                                            lower.tail = lower) - back)
  tol <- 2 * (pmax(off, near(1), near(-1)) + 100 * eps * p + p * 1e-12 * pmax(1, abs(log(p)))) + 1e-320
  ends <- !is.finite(q) | abs(q) > 1e300
  text <- function(k) {
    shape <- sprintf("%s, %s, lower.tail = %s", number(l$alpha[k]), number(l$beta[k]), lower)
    sprintf("p <- %s; pstable(qstable(p, %s), %s) / p - 1", number(p[k]), shape, shape)
  }
  complain(is.nan(q), "quantile is NaN", text)
  complain(!(abs(back - p) <= tol) & !ends & !is.nan(q), "p(q(p)) differs from p", text)
}

check_quantile_order <- function() {
  one <- draw_laws(1L)
  p <- sort(pick(laws_each, stats::runif, log_uniform(-300, 0)))
  q <- package$qstable(p, one$alpha, one$beta)
  tol <- 2e-12 * abs(q) + 8 * eps * pmin(abs(one$zeta), 10)
  f <- package$dstable(q, one$alpha, one$beta)
  tol <- tol + 200 * eps * p / pmax(f, 1e-300)
  complain(diff(q) < -tol[-1L] & q[-1L] != q[-length(q)], "quantiles fall", function(k) {
    sprintf("qstable(c(%s, %s), %s, %s)", number(p[k]), number(p[k + 1L]), number(one$alpha), number(one$beta))
  })
}

# Compares Simpson's rule for the density over a short interval, where it is smooth, with the difference of the tails.
check_derivative <- function() {
  l <- draw_laws(plain = TRUE)
  h <- 1e-3 * pmin(abs(l$x - l$zeta), 1 + abs(l$x)) * pmin(1, l$alpha)
  a <- l$x - h
  b <- l$x + h
  h <- (b - a) / 2
  f <- function(x) package$dstable(x, l$alpha, l$beta)
  middle <- f(l$x)
  area <- h / 3 * (f(a) + 4 * middle + f(b))
  curved <- abs(f(a) - 2 * middle + f(b)) / middle
  upper <- l$x > l$zeta
  tail <- function(x) ifelse(upper, package$pstable(x, l$alpha, l$beta, lower.tail = FALSE),
                             package$pstable(x, l$alpha, l$beta))
  ta <- tail(a)
  tb <- tail(b)
  size <- pmax(ta, tb)
  tol <- area * (1e-5 + curved^2) + 4e-12 * size * pmax(1, abs(log(size))) + 8 * eps * abs(l$x) * middle
  smooth <- h > 1e3 * eps * abs(l$x) & is.finite(area) & area > 1e-290 & middle > 1e-290 & curved < 1e-2
  complain(!(abs(abs(tb - ta) - area) <= tol) & smooth, "density is not the derivative of the distribution function",
           function(k) paste0(law_text(l, k), "; a <- ", number(a[k]), "; b <- ", number(b[k])))
}

check_threads <- function() {
  n <- if (stats::runif(1L) < 0.9) 70L else 6000L
  l <- draw_laws(n)
  if (n > 70L) l[c("alpha", "beta")] <- list(stats::runif(1L, 0.3, 2), stats::runif(1L, -1, 1))
  f <- sample(c("dstable", "pstable", "qstable", "rstable"), 1L)
  first <- switch(f, qstable = stats::runif(n), rstable = n, l$x)
  run <- function(threads) {
    stablecl::stable_threads(threads)
    set.seed(3L)
    package[[f]](first, l$alpha, l$beta, l$gamma, l$delta)
  }
  one <- run(1L)
  if (!identical(one, run(2L))) {
    k <- which(!(one == run(2L)))[1L]
    finding(paste(f, "depends on the number of threads"), law_text(l, k, f))
  }
}

check_recycling <- function() {
  n <- 7L
  l <- draw_laws(n)
  pm <- sample(0:2, 1L)
  f <- sample(c("dstable", "pstable", "qstable", "stable_mode", "stable_score", "stable_quick"), 1L)
  beta <- l$beta[1:2]
  fun <- package[[f]]
  first <- if (f == "qstable") stats::runif(n) else l$x
  if (f == "stable_mode") {
    all <- suppressWarnings(fun(l$alpha, beta, l$gamma, 0, pm))
    each <- suppressWarnings(vapply(seq_len(n), function(k) fun(l$alpha[k], beta[(k - 1L) %% 2L + 1L], l$gamma[k],
                                                                0, pm), 0))
  } else if (f == "stable_quick") {
    all <- suppressWarnings(fun(first, l$alpha[1L], beta[1L]))
    each <- suppressWarnings(t(vapply(first, function(x) fun(x, l$alpha[1L], beta[1L])[1L, ], numeric(5L))))
  } else {
    all <- suppressWarnings(fun(first, l$alpha, beta, l$gamma, 0, pm))
    each <- suppressWarnings(lapply(seq_len(n), function(k) fun(first[k], l$alpha[k], beta[(k - 1L) %% 2L + 1L],
                                                                l$gamma[k], 0, pm)))
    each <- if (f == "stable_score") do.call(rbind, each) else unlist(each)
  }
  if (!identical(unname(all), unname(each))) {
    k <- which(rowSums(matrix(!(all == each | is.na(all) & is.na(each)), n)) > 0)[1L]
    finding(paste(f, "of a vector differs from that of its elements"),
            paste(law_text(transform(l, beta = rep_len(beta, n)), k, f, first[k], sprintf(", pm = %d", pm)),
                  "as one of 7 elements"))
  }
}

check_interpolant <- function() {
  one <- data.frame(alpha = draw_alpha(1L), beta = draw_beta(1L), gamma = 1, delta = 0)
  if (one$alpha < 0.1) return()                           # building one interpolant takes seconds there
  k <- sample.int(6000L, 5L)
  l <- one[rep(1L, 5L), ]
  f <- sample(c("dstable", "pstable", "qstable"), 1L)
  if (f == "qstable") {
    p <- stats::runif(6000L)
    q <- package$qstable(p, one$alpha, one$beta)
    alone <- vapply(p[k], package$qstable, 0, one$alpha, one$beta)
    density <- package$dstable(alone, one$alpha, one$beta)
    tol <- 2e-12 * abs(alone) + 8 * eps * min(abs(zeta_of(one$alpha, one$beta)), 10) + 200 * eps * p[k] / density
    complain(!(abs(q[k] - alone) <= tol), "quantile of 6000 differs from that of one",
             function(j) sprintf("p <- %s; qstable(p, %s, %s) - qstable(rep(p, 6000), %s, %s)[1]", number(p[k[j]]),
                                 number(one$alpha), number(one$beta), number(one$alpha), number(one$beta)))
    return()
  }
  x <- package$rstable(6000L, one$alpha, one$beta)
  l$x <- x[k]
  g <- if (f == "dstable") log_density else log_below
  many <- if (f == "dstable") package$dstable(x, one$alpha, one$beta, log = TRUE)
          else package$pstable(x, one$alpha, one$beta, log.p = TRUE)
  alone <- vapply(1:5, function(j) g(l[j, ]), 0)
  complain(!same_logs(many[k], alone, 2 * allowance(g, l, alone)),
           paste(f, "of 6000 points differs from that of one"),
           function(j) law_text(l, j, f))
}

check_random <- function() {
  one <- draw_laws(1L)
  n <- sample(c(1:50, 5000L), 1L)
  s <- sample.int(1e6, 1L)
  run <- function(threads, n) {
    stablecl::stable_threads(threads)
    set.seed(s)
    package$rstable(n, one$alpha, one$beta, one$gamma, one$delta)
  }
  x <- run(1L, n)
  text <- function(k) sprintf("set.seed(%d); rstable(%d, %s, %s, %s, %s)", s, n, number(one$alpha), number(one$beta),
                              number(one$gamma), number(one$delta))
  if (!identical(x, run(2L, n))) finding("a sample depends on the number of threads", text(1))
  if (!identical(x, run(2L, n + 100L)[seq_len(n)])) finding("a sample is not the beginning of a longer one", text(1))
  complain(is.nan(x), "a random variate is NaN", text)
  if (one$alpha < 1 && one$beta == 1 && one$gamma == 1 && one$delta == 0)
    complain(!(x >= one$zeta - 4 * eps * abs(one$zeta)), "a random variate is off the support", text)
}

# --- relations of the other functions of the distribution -----------------------------------------------

check_score <- function() {
  n <- 4L
  l <- data.frame(alpha = stats::runif(n, 0.4, 1.95), beta = stats::runif(n, -0.95, 0.95),
                  gamma = 10^stats::runif(n, -1, 1),
                  delta = stats::rnorm(n))
  z <- signed(log_uniform(-1, 3))(n)
  zeta <- zeta_of(l$alpha, l$beta)
  l$x <- l$gamma * z + l$delta
  s <- suppressWarnings(package$stable_score(l$x, l$alpha, l$beta, l$gamma, l$delta))
  if (!identical(s[, "x"], -s[, "delta"])) finding("scores of x and delta are not opposite",
                                                   law_text(l, 1L, "stable_score"))
  away <- abs(z - zeta) > 0.2 & abs(l$alpha - 1) > 1e-4
  h <- c(alpha = 1e-4, beta = 1e-4, gamma = 1e-4, delta = 1e-4)
  for (name in names(h)) {
    step <- h[[name]] * if (name %in% c("gamma", "delta")) l$gamma else 1
    at <- function(k) {
      m <- l
      m[[name]] <- m[[name]] + k * step
      log_density(m)
    }
    slope <- (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    scale <- if (name %in% c("gamma", "delta")) l$gamma else 1
    complain(!(abs(slope - s[, name]) * scale <= 1e-5 * pmax(1, abs(s[, name]) * scale) / pmin(1,
        abs(z - zeta))^2) & away &
               !is.nan(s[, name]), paste("score of", name, "differs from a difference quotient"),
             function(k) law_text(l, k, "stable_score"))
  }
}

check_mode <- function() {
  l <- draw_laws(plain = TRUE)
  m <- package$stable_mode(l$alpha, l$beta)
  text <- function(k) sprintf("stable_mode(%s, %s)", number(l$alpha[k]), number(l$beta[k]))
  complain(!is.finite(m), "mode is not finite", text)
  # For small alpha the peak is narrower than the spacing of doubles: take the largest value at the mode and near it.
  top <- pmax(log_density(l, m), log_density(l, m * (1 + 2 * eps)), log_density(l, m * (1 - 2 * eps)))
  side <- function(h) log_density(l, m + h)
  h <- signed(log_uniform(-8, 1))(laws_each) * pmax(1e-3, abs(m))
  complain(!(side(h) <= top + 4e-12 * pmax(1, abs(top))) & is.finite(top), "density is higher than at the mode",
           function(k) paste0(text(k), " + ", number(h[k])))
}

check_es <- function() {
  one <- draw_laws(1L)
  if (one$alpha < 1.05) one$alpha <- stats::runif(1L, 1.05, 2)
  p <- stats::runif(1L, 0.001, 0.999)
  low <- package$stable_es(p, one$alpha, one$beta)
  high <- package$stable_es(1 - p, one$alpha, one$beta, lower.tail = FALSE)
  q <- package$qstable(p, one$alpha, one$beta)
  mean <- if (one$alpha == 2) 0 else -one$beta * tanpi(one$alpha / 2)
  size <- abs(low) + abs(high) + abs(mean)
  text <- sprintf("stable_es(%s, %s, %s)", number(p), number(one$alpha), number(one$beta))
  if (!isTRUE(low <= q + 1e-8 * abs(q) + 1e-10 && high >= q - 1e-8 * abs(q) - 1e-10))
    finding("expected shortfall on the wrong side of the quantile", text)
  if (!isTRUE(abs(p * low + (1 - p) * high - mean) <= 1e-9 * size))
    finding("expected shortfalls of both sides do not add up to the mean", text)
}

check_cf <- function() {
  l <- draw_laws()
  pm <- sample(0:2, 1L)
  t <- l$x
  y <- package$stable_cf(t, l$alpha, l$beta, l$gamma, l$delta, pm)
  text <- function(k) law_text(l, k, "stable_cf", more = sprintf(", pm = %d", pm))
  complain(is.na(y), "characteristic function is NaN", text)
  complain(!(Mod(y) <= 1 + 4 * eps), "modulus of the characteristic function is above 1", text)
  mirror <- package$stable_cf(-t, l$alpha, l$beta, l$gamma, l$delta, pm)
  complain(!(Conj(y) == mirror), "characteristic function of -t is not the conjugate", text)
}

check_convert <- function() {
  l <- draw_laws()
  from <- sample(0:2, 1L)
  to <- sample(0:2, 1L)
  there <- package$stable_convert(l$alpha, l$beta, l$gamma, l$delta, from, to)
  back <- package$stable_convert(there$alpha, there$beta, there$gamma, there$delta, to, from)
  text <- function(k) sprintf("stable_convert(%s, %s, %s, %s, from = %d, to = %d)", number(l$alpha[k]),
                              number(l$beta[k]),
                              number(l$gamma[k]), number(l$delta[k]), from, to)
  finite <- is.finite(there$delta) & is.finite(there$gamma) & there$gamma > 1e-290
  complain(!(abs(back$gamma - l$gamma) <= 1e-12 * l$gamma / l$alpha) & finite,
           "gamma does not come back from a conversion", text)
  reach <- abs(l$delta) + abs(there$delta)
  reach <- reach + (l$gamma + there$gamma) * (1 + pmin(abs(l$zeta), 1e16))
  complain(!(abs(back$delta - l$delta) <= 1e-11 * reach) & finite, "delta does not come back from a conversion", text)
}

check_quick <- function() {
  one <- draw_laws(1L)
  one$alpha <- max(one$alpha, 0.3)
  x <- package$rstable(5L, one$alpha, one$beta)
  quick <- suppressWarnings(package$stable_quick(x, one$alpha, one$beta))
  exact <- package$dstable(x, one$alpha, one$beta, log = TRUE)
  complain(!(abs(quick[, "logpdf"] - exact) <= 2e-9) & is.finite(exact), "stable_quick() is off by more than 1e-9",
           function(k) sprintf("stable_quick(%s, %s, %s)", number(x[k]), number(one$alpha), number(one$beta)))
}

check_eval <- function() {
  l <- draw_laws()
  y <- package$stable_eval(l$x, l$alpha, l$beta, l$gamma, l$delta, log = TRUE)
  complain(!same_logs(y$pdf, log_density(l), 2 * allowance(log_density, l)), "stable_eval() and dstable() differ",
           function(k) law_text(l, k, "stable_eval", more = ", log = TRUE"))
  complain(!same_logs(y$cdf, log_below(l), 2 * allowance(log_below, l)), "stable_eval() and pstable() differ",
           function(k) law_text(l, k, "stable_eval", more = ", log = TRUE"))
  complain(!(y$error >= 0 & is.finite(y$error)), "stable_eval() has no estimate of the error",
           function(k) law_text(l, k, "stable_eval"))
}

# Compares attributes and the treatment of missing and infinite values with dcauchy(), the case alpha = 1, beta = 0.
check_conventions <- function() {
  n <- sample(0:4, 1L)
  odd <- c(NA, NaN, Inf, -Inf, 0, 1, -2, 0.3, 2.5)
  shape <- function(v) switch(sample.int(5L, 1L), v, stats::setNames(v, letters[seq_along(v)]),
                              matrix(v, 1L), array(v, c(length(v), 1L, 1L)), stats::ts(c(v, 1)))
  x <- shape(sample(odd, n, TRUE))
  location <- shape(sample(c(NA, NaN, 0, 1, -2), sample(1:3, 1L), TRUE))
  scale <- sample(c(NA, NaN, 1, 2, -1), 1L)         # a scalar: dcauchy() takes it after location, not before
  f <- sample(c("d", "p", "q"), 1L)
  flag <- sample(c(TRUE, FALSE), 1L)
  result <- function(f, ...) {
    warned <- character()
    value <- tryCatch(withCallingHandlers(f(...), warning = function(w) {
      warned <<- c(warned, conditionMessage(w))
      invokeRestart("muffleWarning")
    }), error = function(e) conditionMessage(e))
    list(value, warned)
  }
  ours <- switch(f, d = result(package$dstable, x, 1, 0, scale, location, log = flag),
                 p = result(package$pstable, x, 1, 0, scale, location, lower.tail = flag),
                 q = result(package$qstable, x, 1, 0, scale, location, lower.tail = flag))
  base <- switch(f, d = result(stats::dcauchy, x, location, scale, log = flag),
                 p = result(stats::pcauchy, x, location, scale, lower.tail = flag),
                 q = result(stats::qcauchy, x, location, scale, lower.tail = flag))
  # Whether the sum of NA and NaN is NA or NaN depends on the order of its terms and on the processor.
  if (anyNA(c(x, location, scale)) && any(is.nan(c(x, location, scale))) &&
      any(is.na(c(x, location, scale)) & !is.nan(c(x, location, scale)))) return()
  text <- paste(c(paste("x <-", deparse(x)), paste("location <-", deparse(location)),
                  paste("scale <-", deparse(scale)),
                  sprintf("%sstable(x, 1, 0, scale, location, %s = %s)", f, if (f == "d") "log" else "lower.tail",
                          flag)),
                collapse = "; ")
  if (!identical(ours[[2L]], base[[2L]])) finding("warnings or errors differ from R's own functions", text)
  else if (!identical(attributes(ours[[1L]]),
                      attributes(base[[1L]]))) finding("attributes differ from R's own functions", text)
  else if (!identical(is.na(ours[[1L]]), is.na(base[[1L]])) || !identical(is.nan(ours[[1L]]), is.nan(base[[1L]])))
    finding("NA and NaN differ from R's own functions", text)
  else if (!isTRUE(all.equal(unclass(ours[[1L]]), unclass(base[[1L]]), tolerance = 1e-11)))
    finding("values differ from R's own functions", text)
}

# --- devices -----------------------------------------------------------------------------------------

check_device <- function() {
  if (!fuzz_state$device) return()
  l <- draw_laws()
  f <- sample(c("density", "below"), 1L)
  g <- if (f == "density") log_density else log_below
  stablecl::stable_backend("opencl")
  on.exit(stablecl::stable_backend("cpu"))
  there <- g(l)
  stablecl::stable_backend("cpu")
  complain(!same_logs(there, g(l), 2 * allowance(g, l)), paste("device and processor differ:", f),
           function(k) law_text(l, k))
}

# --- fits ----------------------------------------------------------------------------------------------

check_fit <- function() {
  n <- sample(20:60, 1L)
  alpha <- stats::runif(1L, 0.6, 2)
  s <- sample.int(1e6, 1L)
  set.seed(s)
  x <- package$rstable(n, alpha, 0.3)
  text <- sprintf("set.seed(%d); x <- rstable(%d, %s, 0.3)", s, n, number(alpha))
  fit <- function(x) suppressWarnings(package$stablefit(x, se = FALSE))
  a <- fit(x)
  k <- 2^sample(-30:30, 1L)
  b <- fit(k * x)
  if (!isTRUE(abs(a$loglik - b$loglik - n * log(k)) <= 1e-6))
    finding("the log-likelihood of a scaled sample differs", sprintf("%s; stablefit(%s * x)", text, number(k)))
  m <- fit(-x)
  if (!isTRUE(abs(a$loglik - m$loglik) <= 1e-6))
    finding("the log-likelihood of a mirrored sample differs", paste0(text, "; stablefit(-x)"))
  o <- fit(sample(x))
  if (!identical(a$theta, o$theta)) finding("the fit of a permuted sample differs",
                                            paste0(text, "; stablefit(sample(x))"))
  direct <- sum(package$dstable(x, a$theta[[1L]], a$theta[[2L]], a$theta[[3L]], a$theta[[4L]], log = TRUE))
  if (!isTRUE(abs(direct - a$loglik) <= 1e-9 * abs(direct) + 1e-9))
    finding("the log-likelihood is not the sum of log densities", text)
}

# --- integrals ---------------------------------------------------------------------------------------

# Integrands and their antiderivatives.
known_integrals <- list(
  list(f = quote(function(x) a * x^3 + x), F = function(x, a) a * x^4 / 4 + x^2 / 2),
  list(f = quote(function(x) exp(-a * x)), F = function(x, a) -exp(-a * x) / a),
  list(f = quote(function(x) cos(a * x)), F = function(x, a) sin(a * x) / a),
  list(f = quote(function(x) 1 / (a^2 + x^2)), F = function(x, a) atan(x / a) / a),
  list(f = quote(function(x) dnorm(x, a)), F = function(x, a) stats::pnorm(x, a)),
  list(f = quote(function(x) abs(x - a)), F = function(x, a) (x - a) * abs(x - a) / 2),
  list(f = quote(function(x) ifelse(x < a, 1, 2)), F = function(x, a) ifelse(x < a, x, 2 * x - a)),
  list(f = quote(function(x) dstable(x, 1.5, 0.5)), F = function(x, a) package$pstable(x, 1.5, 0.5))
)

integrate_quietly <- function(...) suppressWarnings(package$gintegrate(...))

# Returns f with the number `a` substituted, so that the text of a finding is complete.
with_number <- function(f, a) eval(do.call(substitute, list(f, list(a = a))), globalenv())

# TRUE if the kink or jump at `a` may lie between a limit and the outermost point of a rule, where no method detects it
# (src/quadrature/adaptive/gauss_kronrod.h).
near_limit <- function(a, limits) any(abs(limits - a) < 1e-3 * diff(range(limits)))

check_integral <- function() {
  one <- known_integrals[[sample.int(length(known_integrals), 1L)]]
  a <- stats::runif(1L, 0.2, 3)
  f <- with_number(one$f, a)
  ends <- sort(stats::runif(2L, -3, 4))
  if (near_limit(a, ends)) return(invisible())
  method <- sample(c("auto", "gk", "tanhsinh", "simpson", "vegas", "lattice", "blockcut"), 1L,
                   prob = c(4, 4, 2, 2, 0.2, 0.5, 0.5))
  is_sampled <- method %in% c("vegas", "lattice")
  tol <- max(10^stats::runif(1L, -10, -2), if (is_sampled) 1e-3, if (method == "blockcut") 1e-6)
  call <- sprintf("gintegrate(%s, %s, %s, method = \"%s\", rel.tol = %s%s)", paste(deparse(f), collapse = " "),
                  number(ends[1L]), number(ends[2L]), method, number(tol),
                  if (is_sampled) ", control = list(seed = 1)" else "")
  announce(call)
  control <- if (is_sampled) list(seed = 1) else list()
  run <- function(lower, upper) integrate_quietly(f, lower, upper, method = method, rel.tol = tol, control = control)
  y <- run(ends[1L], ends[2L])
  if (method %in% c("auto", "gk", "simpson") && sample.int(4L, 1L) == 1L) check_repeated(run, ends, y$value, call)
  check_error(y, one$F(ends, a), tol, method, is_sampled, call)
}

# Checks that only the sign of an integral changes if its limits are exchanged, and that its value does not depend on
# other integrals of the call or on the number of threads.
check_repeated <- function(run, ends, value, call) {
  if (!identical(run(ends[2L], ends[1L])$value, -value)) finding("exchanged limits do not change the sign alone", call)
  batch <- run(c(ends[1L], 0, ends[1L]), c(ends[2L], 1, ends[2L]))
  if (!identical(batch$value[c(1L, 3L)], rep(value, 2L)))
    finding("an integral among others differs from it alone", call)
  stablecl::stable_threads(if (stablecl::stable_threads() == 1L) 2L else 1L)
  if (!identical(run(ends[1L], ends[2L])$value, value)) finding("an integral depends on the number of threads", call)
}

# Checks the error of an integral, if it has converged.  antiderivative: its values at both limits.
check_error <- function(y, antiderivative, tol, method, is_sampled, call) {
  if (y$status != "converged") return(invisible())
  truth <- diff(antiderivative)
  if (!(is.finite(y$value) && is.finite(y$abs.error)))
    finding("a converged integral without finite value and error", call)
  slack <- 64 * eps * max(abs(antiderivative))
  if (!isTRUE(y$abs.error <= tol * abs(y$value) * (1 + 1e-9) + slack))
    finding(paste0("a converged integral with an error above the tolerance (", method, ")"), call)
  # The error of sampling methods is one standard error, that of the others a bound.  Samples can miss a kink within one
  # small subcube; an error from that below a thousandth of the tolerance is not a finding.
  times <- if (is_sampled) 30 else 10
  if (is_sampled) slack <- slack + 1e-3 * tol * abs(truth)
  if (!isTRUE(abs(y$value - truth) <= times * y$abs.error + slack))
    finding(paste0("the true error is ", times, " times what is claimed (", method, ")"),
            paste0(call, "$value - ", number(truth)))
}

check_integral_sum <- function() {
  one <- known_integrals[[sample.int(length(known_integrals), 1L)]]
  a <- stats::runif(1L, 0.2, 3)
  f <- with_number(one$f, a)
  at <- sort(stats::runif(3L, -3, 4))
  if (near_limit(a, at)) return(invisible())
  whole <- integrate_quietly(f, at[1L], at[3L])
  parts <- integrate_quietly(f, at[1:2], at[2:3])
  # Ten times the claimed errors, because the two computations are not independent.
  tol <- 10 * (whole$abs.error + sum(parts$abs.error)) + 64 * eps * max(abs(parts$value))
  call <- sprintf("f <- %s; gintegrate(f, %s, %s); gintegrate(f, %s, %s); gintegrate(f, %s, %s)",
                  paste(deparse(f), collapse = " "),
                  number(at[1L]), number(at[3L]), number(at[1L]), number(at[2L]), number(at[2L]), number(at[3L]))
  if (!isTRUE(abs(whole$value - sum(parts$value)) <= tol))
    finding("parts of an integral do not add up to the whole", call)
  slow <- with_number(bquote(function(x) do.call(.(one$f), list(x))), a)
  other <- suppressMessages(integrate_quietly(slow, at[1L], at[3L]))
  if (!isTRUE(abs(whole$value - other$value) <= 10 * (whole$abs.error + other$abs.error) + 64 * eps * abs(whole$value)))
    finding("an integral differs when R evaluates the integrand", call)
}

# --- a trial ------------------------------------------------------------------------------------------

# The relations and the relative frequency of each.
relations <- list(
  list(check_range, 10), list(check_monotone, 8), list(check_complement, 10), list(check_log, 8),
    list(check_reflection, 8),
  list(check_scaling, 8), list(check_round_trip, 10), list(check_quantile_order, 5), list(check_derivative, 8),
  list(check_threads, 2), list(check_recycling, 2), list(check_interpolant, 0.5), list(check_random, 4),
  list(check_score, 0.5), list(check_mode, 3), list(check_es, 1), list(check_cf, 3), list(check_convert, 3),
  list(check_quick, 2), list(check_eval, 5), list(check_conventions, 5), list(check_device, 0.3),
    list(check_fit, 0.1),
  list(check_integral, 2), list(check_integral_sum, 0.5)
)

chances <- vapply(relations, `[[`, 0, 2L)

trial <- function(i) {
  relation <- relations[[sample.int(length(relations), 1L, prob = chances)]][[1L]]
  announce(paste("seed", i))
  relation()
  stablecl::stable_threads(0L)
}

setup <- function() {
  suppressMessages(library(stablecl))
  package <<- counting_functions()
  devices <- tryCatch(nrow(stable_devices()), error = function(e) 0L)
  fuzz_state$device <- devices > 0L && Sys.getenv("FUZZ_DEVICE") == "yes"
  if (fuzz_state$device) {                                # the first calls on a device build its programs
    stable_backend("opencl")
    dstable(1, 1.5, 0.3, log = TRUE)
    pstable(1, 1.5, 0.3, log.p = TRUE)
  }
  stable_backend("cpu")
  stable_cache(2^24)
}

fuzz("values", trial, setup, default = 4000, limit = 5, memory = 64 * 2^20)
