# The covariance of sums of scores of a series.
#
# Where the volatility of a series changes slowly, each score is the sum of a function of the volatility, whose
# autocorrelations decrease slowly, and of noise.  If the former is an autoregression of order one, then the score is an
# ARMA(1, 1) process, whose spectral density is, up to a factor 1 / (2 pi),
#
#     f(w) = s g(w),    g(w) = 1 + r (1 - phi)^2 / (1 + phi^2 - 2 phi cos w),    0 <= phi < 1,  r >= 0,
#
# where s is the variance of the noise.  The variance of a sum of n scores is about n f(0) = n s (1 + r).  If
# (1 - phi) r is small, then so are all autocorrelations, although r, which increases with their sum, may be large.
# Kernel estimates, whose bandwidths follow from autoregressions of order one, omit most of this sum.  Therefore phi, r
# and s maximise Whittle's likelihood (1953, doi:10.1007/BF02590998)
#
#     - sum_k [log f(w_k) + I(w_k) / f(w_k)],
#
# where I is the periodogram, at the lowest quarter of the frequencies w_k = 2 pi k / n, 0 < k < n / 2: f has to be of
# this form only there.  The maximum over s is at the mean of I / g.  The time 1 / (1 - phi) is at most n / 4, because a
# series does not show longer cycles.  If r > 0 does not decrease Akaike's criterion, r is 0.

# Returns (1 - phi)^2 / (1 + phi^2 - 2 phi cos w), of which differences of numbers close to 1 do not cancel.
autoregressive_shape <- function(phi, w) 1 / (1 + phi * (2 * sin(w / 2) / (1 - phi))^2)

# Returns the means of a periodogram over bins of frequencies whose width increases to about 2 percent, as `I` and `w`,
# and the `count` of frequencies in each.
binned_periodogram <- function(I, w) {
  last <- unique(round(exp(seq(0, log(length(w)), length.out = 400L))))
  count <- diff(c(0, last))
  bin <- rep(seq_along(count), count)
  list(I = as.vector(rowsum(I, bin)) / count, w = as.vector(rowsum(w, bin)) / count, count = count)
}

# Returns the estimates of phi, r and s from a periodogram at the frequencies w of a series of length n.  A grid yields
# the start of the search.
whittle_estimate <- function(I, w, n) {
  p <- binned_periodogram(I, w)
  level <- function(g) as.vector((1 / g) %*% (p$count * p$I)) / length(w)
  objective <- function(g) length(w) * log(level(g)) + as.vector(log(g) %*% p$count)
  shapes <- function(a, b) 1 + outer(exp(b), autoregressive_shape(1 - exp(-a), p$w))
  lower <- c(0, log(0.01))
  upper <- log(c(max(2, n / 4), 1e6))
  a <- seq(lower[1L], upper[1L], length.out = 25L)
  b <- seq(lower[2L], upper[2L], length.out = 25L)
  values <- vapply(a, function(a) objective(shapes(a, b)), b)
  best <- arrayInd(which.min(values), dim(values))
  found <- stats::nlminb(c(a[best[2L]], b[best[1L]]), function(v) objective(shapes(v[1L], v[2L])), lower = lower,
                         upper = upper)
  noise <- matrix(1, 1L, length(p$w))
  if (found$objective + 4 >= objective(noise)) return(list(phi = 0, r = 0, s = level(noise)))
  v <- found$par
  list(phi = 1 - exp(-v[1L]), r = exp(v[2L]), s = level(shapes(v[1L], v[2L])))
}

# Returns correlations at frequency 0 from standardised Fourier coefficients Z and the share of the autoregression in
# each spectral density.  If the autoregressions of two columns have the correlation c1 and their noise has c2, then the
# product of their coefficients has about the mean c1 sqrt(share_i share_j) + c2 sqrt((1 - share_i) (1 - share_j)), to
# which c1 and c2 are fitted by least squares.  Negative eigenvalues of the result are set to 0.
correlations_at_zero <- function(Z, share, share_at_zero) {
  R <- diag(ncol(Z))
  for (i in seq_len(ncol(Z))) for (j in seq_len(i - 1L)) {
    basis <- function(a) cbind(sqrt(a[, i] * a[, j]), sqrt((1 - a[, i]) * (1 - a[, j])))
    c <- stats::lm.fit(basis(share), Re(Conj(Z[, i]) * Z[, j]))$coefficients
    c <- pmax(-1, pmin(1, ifelse(is.na(c), 0, c)))
    R[i, j] <- R[j, i] <- basis(t(share_at_zero)) %*% c
  }
  e <- eigen(R, symmetric = TRUE)
  if (all(e$values > 0)) return(R)
  stats::cov2cor(e$vectors %*% (pmax(e$values, 0) * t(e$vectors)))
}

# Returns the covariance of the sums of the columns of a matrix, whose rows are in the order of time.
long_run_covariance <- function(X) {
  n <- nrow(X)
  k <- seq_len(min((n - 1L) %/% 2L, max(16L, n %/% 8L)))
  w <- 2 * pi * k / n
  J <- stats::mvfft(sweep(X, 2L, colMeans(X)))[k + 1L, , drop = FALSE] / sqrt(n)
  found <- apply(Mod(J)^2, 2L, whittle_estimate, w, n)
  g <- matrix(vapply(found, function(e) 1 + e$r * autoregressive_shape(e$phi, w), w), length(w))
  r <- vapply(found, `[[`, 0, "r")
  sd <- sqrt(n * vapply(found, `[[`, 0, "s"))
  R <- correlations_at_zero(J / sqrt(t(t(g) * sd^2 / n)), 1 - 1 / g, r / (1 + r))
  structure(R * outer(sd * sqrt(1 + r), sd * sqrt(1 + r)), dimnames = list(colnames(X), colnames(X)))
}
