# The distributions with which stable_compare() compares a stable one: log densities, and fits by maximum likelihood.
#
# Each law has `names` of its parameters as users read them, `starts(x)`, a list of starting vectors of its working
# parameters, which are unbounded, and the functions `natural(w)`, the named parameters, and `log_density(x, w)`.
# Samples are standardised before a fit: location and scale of the first two working parameters refer to that.

# Returns a measure of skewness computed from the median and the outer deciles.  It is in [-1, 1], and exists for every
# distribution.
quantile_skewness <- function(x) {
  q <- stats::quantile(x, c(0.1, 0.5, 0.9), names = FALSE)
  if (q[3L] > q[1L]) (q[3L] + q[1L] - 2 * q[2L]) / (q[3L] - q[1L]) else 0
}

log_normal_density <- function(x, w) stats::dnorm(x, w[1L], exp(w[2L]), log = TRUE)

# Azzalini and Capitanio (2003), in one dimension; nu = exp(w[3]).
log_skew_t_density <- function(x, w) {
  z <- (x - w[1L]) / exp(w[2L])
  nu <- exp(w[3L])
  log(2) + stats::dt(z, nu, log = TRUE) - w[2L] +
    stats::pt(w[4L] * z * sqrt((nu + 1) / (nu + z^2)), nu + 1, log.p = TRUE)
}

# Barndorff-Nielsen (1997), with scale delta = exp(w[2]), delta sqrt(alpha^2 - beta^2) = exp(w[3]) and
# delta beta = w[4].  The exponentially scaled Bessel function does not underflow.
log_nig_density <- function(x, w) {
  z <- (x - w[1L]) / exp(w[2L])
  g <- exp(w[3L])
  a <- sqrt(g^2 + w[4L]^2)
  r <- ifelse(abs(z) > 1e10, abs(z), sqrt(1 + z^2))
  log(a / pi) + log(besselK(a * r, 1, expon.scaled = TRUE)) - a * r - log(r) + g + w[4L] * z - w[2L]
}

rival_laws <- list(
  normal = list(
    label = "normal", names = c("mean", "sd"),
    starts = function(x) list(c(mean(x), log(column_lengths(cbind(x - mean(x))) / sqrt(length(x))))),  # the maximum
    natural = function(w) c(w[1L], exp(w[2L])), log_density = log_normal_density),
  laplace = list(
    label = "Laplace", names = c("location", "scale"),
    starts = function(x) list(c(stats::median(x), log(mean(abs(x - stats::median(x)))))),    # the maximum
    natural = function(w) c(w[1L], exp(w[2L])),
    log_density = function(x, w) -abs(x - w[1L]) / exp(w[2L]) - log(2) - w[2L]),
  t = list(
    label = "t", names = c("location", "scale", "df"),
    starts = function(x) lapply(c(1, 4, 30), function(nu) c(0, 0, log(nu))),
    natural = function(w) c(w[1L], exp(w[2:3])),
    log_density = function(x, w) stats::dt((x - w[1L]) / exp(w[2L]), exp(w[3L]), log = TRUE) - w[2L]),
  "skew-t" = list(
    label = "skew t", names = c("location", "scale", "df", "slant"),
    starts = function(x) {
      slant <- 4 * quantile_skewness(x)
      c(lapply(c(1, 4, 30), function(nu) c(-slant / 4, 0, log(nu), slant)), list(c(0, 0, log(4), 0)))
    },
    natural = function(w) c(w[1L], exp(w[2:3]), w[4L]), log_density = log_skew_t_density),
  nig = list(
    label = "normal inverse Gaussian", names = c("location", "scale", "alpha", "beta"),
    starts = function(x) lapply(c(-3, 0, 1), function(g) c(0, 0, g, quantile_skewness(x))),
    natural = function(w) c(w[1L], exp(w[2L]), sqrt(exp(2 * w[3L]) + w[4L]^2) / exp(w[2L]), w[4L] / exp(w[2L])),
    log_density = log_nig_density))

closed_form_laws <- c("normal", "laplace")  # their starting vector is the maximum

# Returns bounds of the working parameters within which no function overflows: df from 0.05 to 1e6, and scales from 1e-6
# to 1e6.
working_bounds <- function(w) {
  list(lower = c(-Inf, -14, -3, -1e3)[seq_along(w)], upper = c(Inf, 14, 14, 1e3)[seq_along(w)])
}

# Returns the fit of a law to a sample by maximum likelihood: `coefficients`, `loglik`, whether the search has
# converged, the log density as a function of x, and the scores of the working parameters, a row for each observation.
fit_rival_law <- function(name, x) {
  law <- rival_laws[[name]]
  centre <- stats::median(x)
  unit <- stats::IQR(x) / 2
  if (unit == 0) unit <- max(mean(abs(x - centre)), .Machine$double.xmin)
  z <- (x - centre) / unit
  starts <- law$starts(z)
  w <- if (name %in% closed_form_laws) starts[[1L]] else maximum_from(starts, law, z)
  natural <- law$natural(w)
  natural[1:2] <- c(centre + unit * natural[1L], unit * natural[2L])
  if (name == "nig") natural[3:4] <- natural[3:4] / unit
  log_density <- function(x) law$log_density((x - centre) / unit, w) - log(unit)
  scores <- working_scores(law, z, w)
  at_bound <- seq_along(w) != 2L & (w <= working_bounds(w)$lower | w >= working_bounds(w)$upper)
  list(coefficients = stats::setNames(natural, law$names), loglik = sum(log_density(x)), log_density = log_density,
       converged = name %in% closed_form_laws || all(abs(colSums(scores))[!at_bound] < 1e-3 * sqrt(length(x))),
       scores = scores)
}

# Returns the derivatives of the log density with respect to the working parameters by central differences.
working_scores <- function(law, z, w) {
  step <- 1e-5 * pmax(1, abs(w))
  vapply(seq_along(w), function(k) {
    e <- replace(numeric(length(w)), k, step[k])
    (law$log_density(z, w + e) - law$log_density(z, w - e)) / (2 * step[k])
  }, numeric(length(z)))
}

# Searches from each start and returns the best result; the likelihood of t, skew t and NIG laws can have several
# maxima.
maximum_from <- function(starts, law, z) {
  objective <- function(w) {
    value <- -sum(law$log_density(z, w))
    if (is.finite(value)) value else 1e300
  }
  bounds <- working_bounds(starts[[1L]])
  found <- lapply(starts, function(start)
    stats::nlminb(start, objective, lower = bounds$lower, upper = bounds$upper,
                  control = list(eval.max = 2000L, iter.max = 1000L, rel.tol = 1e-14)))
  found[[which.min(vapply(found, `[[`, 0, "objective"))]]$par
}
