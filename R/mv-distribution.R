# Density and random vectors of elliptically contoured stable distributions.

#' Elliptically contoured stable distributions
#'
#' Density and random generation for elliptically contoured (sub-Gaussian) stable distributions in several dimensions.
#'
#' @section Definition:
#' \eqn{X} has the characteristic function
#' \deqn{E e^{i u^T X} = \exp\left(-(u^T Q u)^{\alpha/2} + i u^T\delta\right).}{
#'   E exp(i u'X) = exp(-(u'Q u)^(alpha/2) + i u'delta).}
#' It is distributed as \eqn{\delta + \sqrt A\,G}{delta + sqrt(A) G}, where \eqn{G} is normal with mean 0 and covariance
#' matrix \eqn{Q}, and \eqn{A > 0} is independent of \eqn{G}, totally skewed and \eqn{\alpha/2}{alpha/2}-stable with
#' \eqn{E e^{-tA} = e^{-(2t)^{\alpha/2}}}{E exp(-t A) = exp(-(2t)^(alpha/2))} (Nolan 2013).  For `alpha = 2` the
#' distribution is normal with covariance matrix \eqn{2Q}{2 Q}, for `alpha = 1` it is the multivariate Cauchy
#' distribution.  The projection \eqn{w^T X}{w'X} is stable with `beta = 0`, scale
#' \eqn{\sqrt{w^T Q w}}{sqrt(w'Q w)} and location \eqn{w^T\delta}{w'delta}.  The components are dependent even if
#' `Q` is diagonal, unless `alpha = 2`.
#'
#' @section Method:
#' With \eqn{r^2 = (x-\delta)^T Q^{-1} (x-\delta)}{r^2 = (x - delta)' Q^-1 (x - delta)} the density is
#' \eqn{|Q|^{-1/2} g(r)}{det(Q)^(-1/2) g(r)}.  \eqn{g} is computed by Gauss-Legendre quadrature of normal densities
#' times the density of \eqn{A}, which is positive, so that nothing cancels; for small and large \eqn{r} by power
#' series. For 200 points or more, \eqn{\log g}{log g} is a piecewise polynomial in \eqn{\log r}{log r}, built once for
#' each `alpha` and dimension and checked against the quadrature; those of the last 16 pairs are kept.
#'
#' @section Accuracy:
#' The error of \eqn{\log g}{log g} is below 1e-11, or 1e-13 relative to \eqn{\log g}{log g} if this is more, in 1 to
#' 100 dimensions and for `alpha` from 0.02 to 2.  Tests compare it with values from inversions of the characteristic
#' function and from convergent series for `alpha` from 0.3 to 1.999, with closed forms, and the quadrature with both
#' series for all `alpha`.  If `Q` is nearly singular, the error of \eqn{r} is larger, as that of [solve()].
#'
#' @section Random numbers:
#' Row `i` of a sample is a function of `i`, of the parameters and of 64 bits that are drawn from R's generator once per
#' call, as for [rstable()]: [set.seed()] determines the sample, the number of threads does not change it, and a longer
#' sample begins with the shorter one.
#'
#' @param x the points: a numeric matrix or data frame with a column for each dimension.  Columns with the names of the
#'   dimensions, those of `Q` or of `delta`, are selected by name, others by position.  A vector is one point; for a 1 x
#'   1 matrix `Q` it consists of points.
#' @param n number of observations; if `length(n) > 1`, the length is taken to be the number required.
#' @param alpha index of stability, one number, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}; or a fit by [mvstablefit()],
#'   which contains `Q` and `delta`, too.  `dmvstable()` requires 1e-5 or more: the number of nodes of its quadrature is
#'   proportional to `1/alpha` (some seconds for 0.001).  For `rmvstable()` also a distribution with a discrete spectral
#'   measure by [mvstable_spectral()] or [mvspectralfit()].
#' @param Q shape matrix, symmetric and positive definite, in the squared unit of the data: its diagonal contains the
#'   squared scales of the components.  A number is a 1 x 1 matrix.
#' @param delta location, a vector with an element for each dimension, or one number for all.
#' @param log logical; if `TRUE`, logarithms of densities are returned, which stay finite where densities underflow.
#' @return `dmvstable()`: a vector with the density at each row of `x`, `NA` for rows with missing values.
#'   `rmvstable()`: a matrix with a row for each random vector, with the names of `Q` or `delta` as column names.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid: `alpha` outside (0, 2], `Q` not symmetric or
#'     not positive definite, `delta` or `x` that do not match the dimension of `Q`, `Q` or `delta` with a fit;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_memory"`}{a device that is selected by name ([stable_backend()])
#'     does not exist or has failed, or memory is exhausted.}
#' }
#' @seealso [pmvstable()] for probabilities, [mvstable_projection()] for linear combinations; [mvstablefit()] and its
#'   [methods][mvstablefit-methods]; [mvstable_spectral()] and [mvspectralfit()] with its
#'   [methods][mvspectralfit-methods] for distributions that are not elliptical; [dstable()] and [rstable()] for one
#'   dimension.
#' @references
#' Nolan, J. P. (2013) Multivariate elliptically contoured stable distributions: theory and estimation.
#' *Computational Statistics* **28**, 2067--2089. \doi{10.1007/s00180-013-0396-7}
#'
#' Kanter, M. (1975) Stable densities under change of scale and total variation inequalities. *Annals of Probability*
#' **3**, 697--707. \doi{10.1214/aop/1176996309}
#' @examples
#' Q <- matrix(c(2, 1, 1, 3), 2)
#' dmvstable(c(1, 0), alpha = 1.5, Q)
#' dmvstable(rbind(c(0, 0), c(1e10, 0)), 1.5, Q, delta = c(1, -1), log = TRUE)
#'
#' set.seed(1)
#' rmvstable(3, 1.5, Q, delta = c(a = 1, b = -1))
#'
#' # in a hundred dimensions
#' x <- rmvstable(1000, 1.7, diag(100))
#' mean(dmvstable(x, 1.7, diag(100), log = TRUE))
#' @name mvstable
NULL

#' @rdname mvstable
#' @export
dmvstable <- function(x, alpha, Q, delta = 0, log = FALSE) {
  call <- sys.call()
  stop_if_missing("x", environment(), call)
  law <- check_elliptical_law(call)
  check_flag(log, "log", call)
  if (law$alpha < mv_least_alpha)
    stop_with(call, "argument", "Densities in several dimensions require an `alpha` of at least ", mv_least_alpha,
              ", not ", value_text(law$alpha), ".")
  value <- elliptical_log_density(law, log_distance(law, points_matrix(x, law, "x", call)))
  if (log) value else exp(value)
}

#' @rdname mvstable
#' @export
rmvstable <- function(n, alpha, Q, delta = 0) {
  call <- sys.call()
  stop_if_missing("n", environment(), call)
  law <- check_mv_law(call)
  n <- sample_count(n, call)
  if (is.null(law$mixing)) elliptical_variates(n, law) else spectral_variates(n, law)
}

# Returns alpha, the upper triangular root of Q, delta and dim, or raises an error.
check_elliptical <- function(alpha, Q, delta, call) {
  check_fit_value(alpha, "alpha", NULL, call)
  Q <- check_shape_matrix(Q, call)
  dim <- nrow(Q)
  if (!is.numeric(delta) || !length(delta) %in% c(1L, dim) || !all(is.finite(delta)))
    stop_with(call, "argument", "`delta` must be ", if (dim == 1L) "one finite number" else
      paste0("a vector of ", dim, " finite numbers, one for each dimension of `Q`, or one number"), ", not ",
      value_text(delta), ".")
  root <- tryCatch(chol(Q), error = function(e) NULL)
  if (is.null(root) || !all(is.finite(root)))
    stop_with(call, "argument", "`Q` must be positive definite; its smallest eigenvalue is ",
              format(min(eigen(Q, TRUE, TRUE)$values), digits = 4L), ".")
  names <- if (!is.null(unlist(dimnames(Q)))) shape_names(Q, call) else if (length(delta) == dim) names(delta)
  places <- if (length(delta) == dim) named_places(list(names = names), names(delta), "delta", call)
  if (!is.null(places)) delta <- delta[places]
  list(alpha = as.numeric(alpha), Q = Q, root = root, delta = rep_len(as.numeric(delta), dim), dim = dim, names = names)
}

# Returns Q as a symmetric matrix of finite numbers, or raises an error.
check_shape_matrix <- function(Q, call) {
  if (is.numeric(Q) && length(Q) == 1L) Q <- matrix(as.vector(Q), 1L, 1L)
  if (!is.numeric(Q) || !is.matrix(Q) || nrow(Q) != ncol(Q) || !nrow(Q))
    stop_with(call, "argument", "`Q` must be a square numeric matrix, not ", matrix_text(Q), ".")
  if (!all(is.finite(Q))) stop_with(call, "argument", "`Q` must be finite.")
  if (!isSymmetric(unname(Q))) stop_with(call, "argument", "`Q` must be symmetric.")
  Q
}

# Returns the names of the dimensions, those of the columns or of the rows of Q, or raises an error if these differ.
shape_names <- function(Q, call) {
  if (!is.null(rownames(Q)) && !is.null(colnames(Q)) && any(rownames(Q) != colnames(Q)))
    stop_with(call, "argument", "Rows and columns of `Q` must have the same names, but row and column ",
              which(rownames(Q) != colnames(Q))[1L], " have not.")
  if (is.null(colnames(Q))) rownames(Q) else colnames(Q)
}

# Returns a short description of a value that may be a matrix or a data frame, for error messages.
matrix_text <- function(x) {
  if (!is.matrix(x)) return(value_text(x))
  sprintf("a %d x %d matrix of type %s", nrow(x), ncol(x), typeof(x))
}

# Returns the places of the dimensions among the names of a vector or matrix, or NULL if none of these is the name of a
# dimension, so that the order counts; raises an error if some dimensions are named and others are not.
named_places <- function(law, names, name, call) {
  if (!any(names %in% law$names) || anyDuplicated(law$names)) return(NULL)
  places <- match(law$names, names)
  if (anyNA(places))
    stop_with(call, "argument", "`", name, "` must name all dimensions or none, but has no ",
              sQuote(law$names[is.na(places)][1L], FALSE), ".")
  places
}

# TRUE for a vector of numbers, or of logical values such as NA if `logical`; FALSE for a matrix.
is_number_column <- function(column, logical = FALSE)
  (is.numeric(column) || (logical && is.logical(column))) && is.null(dim(column))

# Returns the points as a numeric matrix with a column for each dimension, or raises an error.  Columns with the names
# of the dimensions are selected by name.
points_matrix <- function(x, law, name, call) {
  given <- x
  if (is.logical(x) && all(is.na(x))) storage.mode(x) <- "double"
  if (is.numeric(x) && is.null(dim(x))) {
    x <- unclass(x)
    x <- if (law$dim == 1L) matrix(x, ncol = 1L) else matrix(x, nrow = 1L, dimnames = list(NULL, names(x)))
  }
  places <- if (length(dim(x)) == 2L) named_places(law, colnames(x), name, call)
  if (!is.null(places)) x <- x[, places, drop = FALSE]
  if (is.data.frame(x) && all(vapply(x, is_number_column, NA, logical = TRUE))) x <- data.matrix(x)
  if (!is.numeric(x) || !is.matrix(x) || ncol(x) != law$dim)
    stop_with(call, "argument", "`", name, "` must be a numeric matrix with ", law$dim, " column",
              if (law$dim > 1L) paste0("s, or a vector of ", law$dim, " numbers"), ", not ", matrix_text(given), ".")
  colnames(x) <- NULL
  x
}

# Returns the sample size that n gives, as for rnorm(), or raises an error.
sample_count <- function(n, call) {
  if (length(n) > 1L) return(length(n))
  good <- is.numeric(n) && length(n) == 1L && isTRUE(n >= 0 && n <= .Machine$integer.max)
  if (!good) stop_with(call, "argument", "`n` must be one number of observations, at least 0, not ", value_text(n), ".")
  as.integer(n)
}

# Returns log r for each row of x, with r^2 = (x - delta)' Q^-1 (x - delta); NA for missing values, Inf for points at
# infinity.
log_distance <- function(law, x) {
  out <- log(colSums(backsolve(law$root, t(x) - law$delta, transpose = TRUE)^2)) / 2
  odd <- which(is.na(out) | abs(out) > 330)                          # r^2 may be beyond the range of numbers
  out[odd] <- scaled_log_distance(law, x[odd, , drop = FALSE])
  out
}

# Returns the same with numbers that neither overflow nor underflow, because points, delta and root are divided by
# powers of 2 near the largest ones.
scaled_log_distance <- function(law, x) {
  if (!nrow(x)) return(numeric())
  exponent <- function(size) pmin(pmax(floor(log2(size)), -1000), 1000)
  largest <- apply(abs(x), 1L, max)
  k <- exponent(ifelse(is.finite(largest), pmax(largest, max(abs(law$delta))), 1))
  m <- exponent(max(abs(law$root)))
  z <- t(x / 2^k) - tcrossprod(law$delta, 2^-k)
  z <- backsolve(law$root / 2^m, z, transpose = TRUE)
  out <- log(column_lengths(z)) + (k - m) * log(2)
  out[which(largest == Inf)] <- Inf
  out[is.na(largest)] <- NA_real_
  out
}

# Returns log densities at log distances.
elliptical_log_density <- function(law, x) {
  radial_log_density(radial_law_of(law$alpha, law$dim), x) - sum(log(diag(law$root)))
}

# Returns n random vectors.  Each takes dim + 2 normal variates: the polar coordinates of the first two are an angle and
# an exponential variate, from which Kanter's (1975) formula makes S (mv-radial.R).
elliptical_variates <- function(n, law) {
  z <- matrix(rstable(n * (law$dim + 2), 2, 0), law$dim + 2L)       # normal with variance 2, a column for each vector
  size <- exp(log_mixing_variate(z[1L, ], z[2L, ], law$alpha) / 2)
  x <- size * crossprod(z[-(1:2), , drop = FALSE], law$root) + rep(law$delta, each = n)
  dimnames(x) <- if (!is.null(law$names)) list(NULL, law$names)
  x
}

# Returns log S from two independent normal variates with variance 2.  With a = alpha/2, theta uniform in (0, pi) and E
# exponential (Kanter 1975),
#     log S = (a log sin(a theta) + (1 - a) log sin((1 - a) theta) - log sin(theta))/a - (1 - a)/a log E.
log_mixing_variate <- function(z1, z2, alpha) {
  a <- alpha / 2
  if (a == 1) return(numeric(length(z1)))
  theta <- atan2(abs(z2), z1)
  sine <- sin(a * theta)
  left <- which(z1 < 0)
  sine[left] <- sin((1 - a) * pi + a * atan2(abs(z2[left]), -z1[left]))         # near pi, without cancellation
  square <- z1^2 + z2^2                                              # 4 E
  log(sine) + ((1 - a) * log(4 * sin((1 - a) * theta) / square) - log(z2^2 / square) / 2) / a
}
