# Fitting an elliptically contoured stable distribution: projections, and maximum likelihood by Fisher scoring.
#
# With z = R'^-1 (x - delta), Q = R'R, r = |z|, l(r, alpha) = log g(r) and the weight W(r) = -g'(r)/(r g(r)), the
# derivatives of the log density with respect to delta, to A in Q = R'(I + A)R, and to alpha are
#
#     R^-1 W z,   (W zz' - I)/2,   l_alpha.
#
# Since z is isotropic, the information of one observation is known from four expected values,
#
#     kappa = E[W^2 r^4]/(d(d + 2)),   lambda = E[W^2 r^2]/d,   E[l_alpha^2],   b = E[l_alpha W r^2]/(2 d):
#
# that of delta is lambda Q^-1, and the quadratic form of (alpha, A) is
# E[l_alpha^2] alpha^2 + 2 b alpha tr(A) + kappa tr(A^2)/2 + (kappa - 1) tr(A)^2/4, whose inverse is explicit.  For
# alpha = 2, W = 1/2.  g'(r) = -2 pi r g(r) in d + 2 dimensions gives W.


#' Fit an elliptically contoured stable distribution
#'
#' Estimates index, shape matrix and location of an elliptically contoured stable distribution ([dmvstable()]) by
#' maximum likelihood or from projections, in up to 100 dimensions.
#'
#' @section Projections:
#' `method = "projection"` (Nolan 2013) fits a symmetric stable distribution to each column by maximum likelihood, or
#' from its quantiles if that search does not converge, as for columns with many equal values.  `alpha` is the mean of
#' the estimates; with this `alpha` the columns are fitted again for `delta` and the diagonal of `Q`.  The other
#' elements follow from the scales of the sums and differences of two standardised columns, which are proportional to
#' their interquartile ranges.  If the resulting matrix is not positive definite, its eigenvalues are raised.  There are
#' no standard errors.
#'
#' @section Maximum likelihood:
#' `method = "mle"`, the default, maximises the log-likelihood from there by Fisher scoring: the information matrix of
#' all parameters has an explicit inverse, because the distribution is elliptical.  With
#' \eqn{r} the distance of an observation and \eqn{W(r) = -g'(r)/(r g(r))}{W(r) = -g'(r)/(r g(r))}, the estimates are
#' weighted means, \eqn{\sum W(r_i)(x_i-\delta) = 0}{sum W(r[i]) (x[i] - delta) = 0} and
#' \eqn{Q = \frac1n\sum W(r_i)(x_i-\delta)(x_i-\delta)^T}{Q = 1/n sum W(r[i]) (x[i] - delta) (x[i] - delta)'}, so that
#' remote observations have small weights.  Near the maximum, the length of a step follows from the curvature of the
#' log-likelihood along the last one (Barzilai and Borwein 1988); steps are halved until the log-likelihood increases.
#' In one dimension the estimates are those of [stablefit()] with `fixed = list(beta = 0)`.
#'
#' If the normal distribution, `alpha = 2`, has at least the same likelihood, it is the estimate.
#'
#' @section Standard errors:
#' They come from the expected information at the estimate.  At the bound `alpha = 2` those of `delta` and `Q` are those
#' of the normal distribution.
#'
#' @param x the sample: a numeric matrix or data frame with a row for each observation and a column for each dimension;
#'   a multivariate time series; a vector in one dimension.
#' @param method `"mle"` or `"projection"`.
#' @param fixed `list(alpha = )` or a named vector to hold `alpha` fixed, for example at 1 for the Cauchy distribution.
#' @param na.action what to do with rows that have missing values: [na.omit()], [na.exclude()] or [na.fail()].
#' @param control list: `alpha.min`, the least `alpha` considered (0.1); `maxit`, the largest number of steps (100);
#'   `tol`: the search ends when the predicted increase of the log-likelihood by a step is less than this (1e-8).
#' @return An object of class `"mvstablefit"`: a list with, among others, `alpha`, `Q`, `delta`, `loglik`, `nobs`, `df`,
#'   `convergence` (`converged`, the number of steps and the predicted increase), `notes`, `data` and `call`.  Its
#'   methods are described in [mvstablefit-methods].
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_data"`}{the sample is not numeric or not finite, has fewer than 8 rows or not more rows than
#'     columns, its columns are constant or linearly dependent, or its values are so large that the covariance matrix
#'     cannot be computed for `fixed = list(alpha = 2)`;}
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty or invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_memory"`}{a device that is selected by name ([stable_backend()])
#'     does not exist or has failed, or memory is exhausted.}
#' }
#' A search that ends before it has converged gives a warning of class `"stablecl_warning_convergence"`.
#' @seealso [dmvstable()], [mvstable_projection()], [`summary()`][summary.mvstablefit] and other methods,
#' [mvspectralfit()] for distributions that are not elliptical, [stablefit()] for one dimension.
#' @references
#' Barzilai, J. and Borwein, J. M. (1988) Two-point step size gradient methods. *IMA Journal of Numerical Analysis*
#' **8**, 141--148. \doi{10.1093/imanum/8.1.141}
#'
#' Nolan, J. P. (2013) Multivariate elliptically contoured stable distributions: theory and estimation.
#' *Computational Statistics* **28**, 2067--2089. \doi{10.1007/s00180-013-0396-7}
#'
#' Lange, K. L., Little, R. J. A. and Taylor, J. M. G. (1989) Robust statistical modeling using the t distribution.
#' *Journal of the American Statistical Association* **84**, 881--896. \doi{10.1080/01621459.1989.10478852}
#' @examples
#' x <- 100 * diff(log(EuStockMarkets))
#' fit <- mvstablefit(x)
#' fit
#' summary(fit)
#'
#' # the multivariate Cauchy distribution
#' cauchy <- mvstablefit(x, fixed = list(alpha = 1))
#' AIC(fit, cauchy)
#' @export
mvstablefit <- function(x, method = c("mle", "projection"), fixed = list(), na.action = na.omit, control = list()) {
  check_given()
  call <- match.call()
  request <- list(method = choice_of(method, call = call), fixed = check_fixed_index(fixed, call),
                  control = check_mv_control(control, call), call = call)
  x <- mv_sample(x, na.action, call)
  start <- projected(x, request$fixed)
  end <- if (request$method == "mle") most_likely(start, t(x), request) else evaluated(start, t(x))
  fit <- as_mvstablefit(end, start, x, request)
  if (isFALSE(fit$convergence$converged))
    warn_not_converged(list(message = paste(end$steps, "steps")), call)
  fit
}

# Returns the fixed parameters, alpha or none.
check_fixed_index <- function(fixed, call) {
  fixed <- check_fit_parameters(fixed, "fixed", call)
  if (length(setdiff(names(fixed), "alpha")))
    stop_with(call, "argument", "`fixed` may contain `alpha` only, not ", setdiff(names(fixed), "alpha")[1L], ".")
  as.list(fixed)
}

check_mv_control <- function(control, call) {
  known <- list(alpha.min = 0.1, maxit = 100, tol = 1e-8)
  control <- with_defaults(control, known, call)
  for (name in names(known)) {
    value <- control[[name]]
    good <- is.numeric(value) && length(value) == 1L && isTRUE(value > 0) && (name != "alpha.min" || value < 2)
    if (!good)
      stop_with(call, "argument", "`control$", name, "` must be one positive number",
                if (name == "alpha.min") " below 2", ", not ", value_text(value), ".")
  }
  control
}

# Returns the sample as a matrix of finite numbers, or raises an error.
mv_sample <- function(x, na.action, call) {
  if (is.data.frame(x)) {
    for (name in names(x)) if (!is_number_column(x[[name]]))
      stop_with(call, "data", "Column `", name, "` of `x` must be numeric, not ", value_text(x[[name]]), ".")
    x <- data.matrix(x)
  }
  if (!is.numeric(x) || length(dim(x)) > 2L)
    stop_with(call, "data", "`x` must be a numeric matrix or data frame, not ", value_text(x), ".")
  if (!NCOL(x)) stop_with(call, "data", "`x` must have at least one column.")
  x <- matrix(as.vector(x, "double"), NROW(x), NCOL(x), dimnames = list(NULL, colnames(x)))
  if (anyNA(x)) x <- na_function(na.action, call)(x)
  if (!all(is.finite(x)))
    stop_with(call, "data", "`x` must be finite, but row ", which(!is.finite(rowSums(abs(x))))[1L], " is not.")
  least <- max(fit_least_n, ncol(x) + 1L)
  if (nrow(x) < least)
    stop_with(call, "data", "Fitting a stable distribution in ", ncol(x), " dimension", if (ncol(x) > 1L) "s",
              " requires at least ", least, " observations; `x` has ", nrow(x), ".")
  check_rank(x, call)
  x
}

# Raises an error if a column has no spread, or if the differences from the observation nearest to the medians are
# linearly dependent.  They are divided by their lengths, so that remote observations do not conceal the others.
check_rank <- function(x, call) {
  spread <- apply(x, 2L, stats::mad)
  if (!all(spread > 0))
    stop_with(call, "data", "Half of the values of column ", which(!(spread > 0))[1L], " of `x` are equal: the scale ",
              "cannot be estimated.")
  odd <- which(is_out_of_range(spread^2))
  if (length(odd))
    stop_with(call, "data", "Squares of the values of column ", odd[1L],
              " of `x` are beyond the range of numbers: use another unit.")
  z <- scale(x, apply(x, 2L, stats::median), spread)
  z <- t(z) - z[which.min(rowSums(z^2)), ]
  z <- z / rep(pmax(sqrt(colSums(z^2)), 1e-10), each = ncol(x))
  values <- eigen(tcrossprod(z), symmetric = TRUE, only.values = TRUE)$values
  if (values[ncol(x)] < 1e-13 * values[1L])
    stop_with(call, "data", "The columns of `x` are linearly dependent: the shape matrix would be singular.")
}

# Returns the maximum of the likelihood, which may be the normal distribution.
most_likely <- function(start, data, request) {
  alpha_fixed <- length(request$fixed) > 0L
  if (!alpha_fixed) start$alpha <- min(max(start$alpha, 1.01 * request$control$alpha.min), 1.99)
  normal <- if (!alpha_fixed || start$alpha == 2) normal_estimate(data)
  if (alpha_fixed && start$alpha == 2) {
    if (is.null(normal))
      stop_with(request$call, "data",
                if (all(is.finite(normal_shape(data)))) "The covariance matrix of `x` is singular up to rounding."
                else paste("The squares of the largest values of `x` are beyond the range of numbers: the covariance",
                           "matrix cannot be computed."))
    return(normal)
  }
  best <- maximised(start, data, alpha_fixed, request$control, normal)
  if (is.null(normal) || normal$loglik < best$loglik) best else replace(normal, "steps", best$steps)
}

# Returns the shape matrix of the maximum for alpha = 2.
normal_shape <- function(data) tcrossprod(data - rowMeans(data)) / (2 * ncol(data))

# Returns the maximum for alpha = 2 in closed form; NULL if values are so large that it cannot be computed.
normal_estimate <- function(data) {
  shape <- normal_shape(data)
  root <- if (all(is.finite(shape))) value_or(chol(shape), function(e) NULL)
  if (is.null(root)) return(NULL)
  at <- list(alpha = 2, root = root, delta = rowMeans(data))
  c(evaluated(at, data), list(information = radial_information(2, nrow(data), TRUE), steps = 0L, gain = 0))
}

as_mvstablefit <- function(end, start, x, request) {
  d <- ncol(x)
  named <- function(Q) `dimnames<-`(Q, if (!is.null(colnames(x))) list(colnames(x), colnames(x)))
  limit <- max(request$control$tol, 1e-10 * nrow(x))         # rounding of the log-likelihood may stop the search before
  at_bound <- end$alpha == 2 && !length(request$fixed)
  structure(list(
    alpha = end$alpha, Q = named(crossprod(end$root)), delta = stats::setNames(end$delta, colnames(x)),
    loglik = end$loglik, method = request$method, nobs = nrow(x),
    df = d + d * (d + 1) / 2 + !length(request$fixed), fixed = names(request$fixed),
    start = list(alpha = start$alpha, Q = named(crossprod(start$root)),
                 delta = stats::setNames(start$delta, colnames(x))),
    convergence = list(converged = if (request$method == "mle") isTRUE(abs(end$gain) < limit) else NA,
                       iterations = end$steps, gain = end$gain),
    information = end$information,
    notes = c(if (length(request$fixed)) "alpha held fixed.",
              if (at_bound) "alpha is at its bound 2: the distribution is normal with covariance matrix 2 Q."),
    data = x, na.action = attr(x, "na.action"), call = request$call), class = "mvstablefit")
}

# --- the model -------------------------------------------------------------------------------------------------------

# Returns log W at x = log r; W is 0 at infinity, and 1/2 for alpha = 2.
log_weight <- function(alpha, dim, x, log_g) {
  if (alpha == 2) return(ifelse(is.na(x), NA_real_, -log(2)))
  value <- log(2 * pi) + radial_log_density(radial_law_of(alpha, dim + 2L), x) - log_g
  replace(value, which(x == Inf), -Inf)
}

# Returns the derivative of log g with respect to alpha at x = log r, by a central difference.
alpha_score <- function(alpha, dim, x) {
  h <- min(1e-4 * alpha, (2 - alpha) / 2)
  at <- function(alpha) radial_log_density(radial_law_of(alpha, dim), x)
  (at(alpha + h) - at(alpha - h)) / (2 * h)
}

# Returns the expected values by the trapezoidal rule in log r, and the inverse of the information of (alpha, t), where
# A = t I; that of t alone if alpha is fixed or 2.  The rule begins 40/dim below the log r at which g begins to
# decrease: there r^dim g(r) is negligible.
radial_information <- function(alpha, dim, alpha_fixed) {
  step <- min(0.05, 0.25 / sqrt(dim))
  law <- radial_law_of(alpha, dim)
  x <- seq(min(log(dim) / 2 - 3, law$centre$to) - 40 / dim, log(dim) / 2 + 3 + 40 / alpha, by = step)
  log_g <- radial_log_density(law, x)
  p <- step * exp(log(2) + dim / 2 * log(pi) - lgamma(dim / 2) + dim * x + log_g)
  wr2 <- exp(log_weight(alpha, dim, x, log_g) + 2 * x)
  kept <- p > 0
  mean_of <- function(f) sum((p * f)[kept])
  kappa <- mean_of(wr2^2) / (dim * (dim + 2))
  out <- list(kappa = kappa, lambda = mean_of(wr2^2 * exp(-2 * x)) / dim)
  t_t <- kappa * dim / 2 + (kappa - 1) * dim^2 / 4
  if (alpha_fixed || alpha == 2) return(c(out, list(inverse = rbind(0, c(0, 1 / t_t)))))
  score <- alpha_score(alpha, dim, x)
  a_t <- mean_of(score * wr2) / 2
  c(out, list(inverse = solve(matrix(c(mean_of(score^2), a_t, a_t, t_t), 2L))))
}

# Returns `at` (alpha, root, delta) with the standardised data z, log r, log g and the log-likelihood.  data: a column
# for each observation.
evaluated <- function(at, data) {
  dim <- nrow(data)
  at$z <- backsolve(at$root, data - at$delta, transpose = TRUE)
  at$x <- log(colSums(at$z^2)) / 2
  if (any(is.infinite(at$x))) at$x <- log_distance(c(at[c("root", "delta")], dim = dim), t(data))
  at$log_g <- radial_log_density(radial_law_of(at$alpha, dim), at$x)
  at$loglik <- sum(at$log_g) - ncol(data) * sum(log(diag(at$root)))
  at
}

# --- scoring ---------------------------------------------------------------------------------------------------------

# Returns the step of Fisher scoring: alpha, A, the step of z and that of delta; the gradient with respect to alpha, A
# and z, divided by n; and the increase of the log-likelihood that the step predicts.
scoring_step <- function(at, alpha_fixed) {
  dim <- nrow(at$z)
  n <- ncol(at$z)
  info <- radial_information(at$alpha, dim, alpha_fixed)
  log_w <- log_weight(at$alpha, dim, at$x, at$log_g)
  location <- drop(at$z %*% exp(log_w)) / n
  M <- tcrossprod(at$z * rep(exp(log_w / 2), each = dim)) / n - diag(dim)
  trace <- sum(diag(M))
  gradient <- c(if (alpha_fixed || at$alpha == 2) 0 else mean(alpha_score(at$alpha, dim, at$x)), trace / 2)
  common <- drop(info$inverse %*% gradient)
  A <- (M - trace / dim * diag(dim)) / info$kappa + common[2L] * diag(dim)
  shift <- location / info$lambda
  step <- list(alpha = common[1L], A = A, z = shift, delta = drop(crossprod(at$root, shift)),
               gradient = list(alpha = gradient[1L], A = M / 2, z = location), information = info)
  step$gain <- n / 2 * slope_along(step, step$gradient)
  step
}

# Returns the derivative of the log-likelihood, divided by n, in the direction of a step.
slope_along <- function(step, gradient) {
  step$alpha * gradient$alpha + sum(step$A * gradient$A) + sum(step$z * gradient$z)
}

# Returns the fraction of a step of scoring to try first.  Where the model does not hold, the observed information H
# differs from the expected one I, and whole steps converge linearly.  A fraction f of the last step s leaves the slope
# (1 - f h) s'I s along s, where h = s'H s/s'I s, which is known thereby: 1/h is the fraction that would have led to the
# maximum along s (Barzilai and Borwein 1988, doi:10.1093/imanum/8.1.141).
first_fraction <- function(step, last, fraction) {
  if (!isTRUE(last$gain <= near_maximum)) return(1)
  left <- slope_along(last, step$gradient) / slope_along(last, last$gradient)
  if (is.nan(left)) return(1)
  if (left < 1) min(max(fraction / (1 - left), 0.5), largest_fraction) else largest_fraction
}

near_maximum <- 1                    # predicted increase of the log-likelihood by a step next to the maximum
largest_fraction <- 8

# Returns the point reached by a fraction of a step, or NULL if Q is not positive definite there.  alpha moves at most
# halfway to a bound.
moved <- function(at, step, fraction, least) {
  root <- tryCatch(chol(diag(nrow(step$A)) + fraction * step$A), error = function(e) NULL)
  if (is.null(root)) return(NULL)
  alpha <- at$alpha + fraction * step$alpha
  if (step$alpha != 0) alpha <- min(max(alpha, (at$alpha + least) / 2), (at$alpha + 2) / 2)
  list(alpha = alpha, root = root %*% at$root, delta = at$delta + fraction * step$delta)
}

# Returns the first of the points at fractions of the step with a higher log-likelihood, with its fraction, or NULL.
improved <- function(at, step, data, least, fractions) {
  for (fraction in fractions) {
    new <- moved(at, step, fraction, least)
    if (is.null(new)) next
    new <- evaluated(new, data)
    if (isTRUE(new$loglik > at$loglik)) return(c(new, fraction = fraction))
  }
}

# TRUE if no smaller alpha next to 2 increases the log-likelihood of n observations at the normal estimate, where the
# derivatives with respect to the other parameters are 0.  Next to 2 it is nearly concave in alpha, so that a maximum at
# a smaller distance than h is higher by about (1e-4)^2/2 at most.
is_normal_maximum <- function(normal, data) {
  h <- 1e-4 / ncol(data)
  isTRUE(evaluated(list(alpha = 2 - h, root = normal$root, delta = normal$delta), data)$loglik < normal$loglik)
}

# Returns the maximum that scoring finds from a start, with the information, the number of steps and the increase of the
# log-likelihood that the next step predicts.  The first step across the bound alpha = 2 leads to the normal estimate
# (NULL: not considered) if that is a maximum and as likely; otherwise steps stay inside.
maximised <- function(at, data, alpha_fixed, control, normal = NULL) {
  at <- evaluated(at, data)
  step <- NULL
  for (k in 0:control$maxit) {
    last <- step
    step <- scoring_step(at, alpha_fixed)
    fraction <- first_fraction(step, last, at$fraction)
    crosses <- isTRUE(at$alpha + fraction * step$alpha >= 2)
    if (crosses && !is.null(normal) && normal$loglik >= at$loglik) {
      if (is_normal_maximum(normal, data)) return(replace(normal, "steps", k))
      normal <- NULL
    }
    is_last <- !isTRUE(step$gain > control$tol)
    better <- if (k < control$maxit)
      improved(at, step, data, control$alpha.min, if (is_last) fraction else unique(c(fraction, 2^-(0:8))))
    if (!is.null(better)) at <- better
    if (is_last || is.null(better)) break
  }
  c(at, list(information = step$information, steps = k, gain = step$gain))
}

# --- projections -----------------------------------------------------------------------------------------------------

# Returns alpha, root and delta from one-dimensional projections (Nolan 2013): alpha is the mean of the estimates for
# the coordinates.  Q/(scales of the coordinates) has the diagonal 1, so that the squared scales of the sum and the
# difference of standardised coordinates are 2 + 2 R[i, j] and 2 - 2 R[i, j]; they are proportional to squared
# interquartile ranges.
projected <- function(x, fixed) {
  columns <- as.list(as.data.frame(x))
  estimates <- function(fixed) symmetric_estimates(columns, c(fixed, list(beta = 0)))
  first <- estimates(fixed)
  alpha <- mean(first[, "alpha"])
  own <- if (length(fixed)) first else estimates(list(alpha = alpha))
  z <- scale(x, own[, "delta"], own[, "gamma"])
  d <- ncol(x)
  R <- diag(d)
  for (i in seq_len(d - 1L)) {
    rest <- z[, (i + 1L):d, drop = FALSE]
    square <- apply(cbind(z[, i] + rest, z[, i] - rest), 2L, stats::IQR)^2
    sums <- seq_len(d - i)
    between <- (square[sums] - square[-sums]) / (square[sums] + square[-sums])
    between[is.nan(between)] <- 0                              # the scales of the coordinates are those of outliers
    R[i, (i + 1L):d] <- R[(i + 1L):d, i] <- between
  }
  list(alpha = alpha, root = chol(positive_correlation(R)) * rep(own[, "gamma"], each = d), delta = own[, "delta"])
}

# Returns the estimates for each column by maximum likelihood; by quantiles for columns whose search does not converge,
# for example because equal values make the likelihood unbounded.
symmetric_estimates <- function(columns, fixed) {
  fits <- suppressWarnings(stablefit(columns, fixed = fixed, se = FALSE), classes = "stablecl_warning")
  estimates <- coef(fits)
  odd <- which(!fits_converged(fits) %in% TRUE)
  if (length(odd)) estimates[odd, ] <-
    without_ties(coef(stablefit(columns[odd], "quantile", fixed = fixed, se = FALSE)))
  estimates
}

# Returns the correlation matrix of R with its eigenvalues raised to a hundredth of their mean.
positive_correlation <- function(R) {
  e <- eigen(R, symmetric = TRUE)
  stats::cov2cor(e$vectors %*% (pmax(e$values, 0.01) * t(e$vectors)))
}
