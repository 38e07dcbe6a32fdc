# Stable distributions with a discrete spectral measure.
#
# Let X = c + sum_j a_j Z_j in d dimensions with independent Z_j ~ S(alpha, beta_j, 1, 0; 1) and vectors
# a_j = m_j^(1/alpha) s_j, |s_j| = 1.  E exp(i t Z_j) = exp(-|t|^alpha (1 - i beta_j sign(t) tan(pi alpha/2))) gives
#
#     E exp(i u'X) = exp(i u'c - sum_j m_j |u's_j|^alpha (1 - i beta_j sign(u's_j) tan(pi alpha/2))),
#
# the characteristic function of the distribution with the spectral measure that has the masses m_j (1 + beta_j)/2 at
# s_j and m_j (1 - beta_j)/2 at -s_j.  c is its usual location vector, which diverges as alpha tends to 1.  The
# parametrisation S0 does not: Z_j = Y_j + beta_j tan(pi alpha/2) with Y_j ~ S(alpha, beta_j, 1, 0; 0).
#
# A linear combination T = sum_j a_j Y_j with numbers a_j is stable with gamma^alpha = sum_j |a_j|^alpha and
# beta = sum_j beta_j sign(a_j) |a_j|^alpha/gamma^alpha.  In S1 its location is -tan(pi alpha/2) sum_j beta_j a_j, and
# in S0 that plus beta gamma tan(pi alpha/2), i. e.
#
#     l(a) = sum_j beta_j a_j h(|a_j|/gamma),   h(r) = tan(pi alpha/2) (r^(alpha - 1) - 1),                        (1)
#
# where h is continuous in alpha: h(r) = -2/pi log(r) for alpha = 1.  (1) holds for alpha = 1, too, where the location
# of a_j Y_j in S1 is -2/pi beta_j a_j log|a_j|, and that of S0 is 2/pi beta gamma log(gamma) more than that of S1.
#
# `delta` contains the locations of the components of X in S0: X = delta - l + sum_j a_j Y_j, where the element k of l
# is l(a_.k).  Hence w'X has the location w'(delta - l) + l(w'a_.).

#' Stable distributions with a discrete spectral measure
#'
#' Describes a multivariate stable distribution, in general skewed and not elliptical, whose spectral measure consists
#' of finitely many masses.  [rmvstable()] draws random vectors from it, [mvstable_projection()] returns the stable
#' distributions of linear combinations, and [mvspectralfit()] estimates it.
#'
#' @section Definition:
#' For masses \eqn{m_j} at unit vectors \eqn{\pm s_j} with skewness \eqn{\beta_j},
#' \deqn{E e^{i u^T X} = \exp\Bigl(i u^T c - \sum_j m_j |u^T s_j|^\alpha \bigl(1 - i\beta_j\,\mathrm{sign}(u^T s_j)
#'   \tan\tfrac{\pi\alpha}{2}\bigr)\Bigr),\quad \alpha \ne 1.}{
#'   E exp(i u'X) = exp(i u'c - sum_j m_j |u's_j|^alpha (1 - i beta_j sign(u's_j) tan(pi alpha/2))), alpha != 1.}
#' The spectral measure has the mass \eqn{m_j(1+\beta_j)/2}{m_j (1 + beta_j)/2} at \eqn{s_j} and
#' \eqn{m_j(1-\beta_j)/2}{m_j (1 - beta_j)/2} at \eqn{-s_j}; with `beta = 1`, the default, all of it is at \eqn{s_j}.
#' \eqn{X} is a sum of independent stable variables along the lines through \eqn{s_j}.  If the directions are
#' the coordinate axes, the components are independent with the parameters `alpha`, `beta[j]`,
#' \eqn{m_j^{1/\alpha}}{m_j^(1/alpha)} and `delta[j]` of [dstable()].
#'
#' Component \eqn{k} has the location `delta[k]` in the parametrisation S0 of [dstable()], so that the distribution is
#' continuous in `alpha`.  The vector \eqn{c} above has the elements
#' \eqn{\delta_k - \beta_k\gamma_k\tan(\pi\alpha/2)}{delta_k - beta_k gamma_k tan(pi alpha/2)} with the `beta` and
#' `gamma` that `mvstable_projection(diag(d), law)` returns.
#'
#' @section Linear combinations:
#' \eqn{w^TX}{w'X} is stable with \eqn{\gamma^\alpha = \sum_j m_j|w^Ts_j|^\alpha}{gamma^alpha = sum_j m_j |w's_j|^alpha}
#' and \eqn{\beta = \gamma^{-\alpha}\sum_j \beta_j m_j\,\mathrm{sign}(w^Ts_j)|w^Ts_j|^\alpha}{
#'   beta = gamma^-alpha sum_j beta_j m_j sign(w's_j) |w's_j|^alpha}; [mvstable_projection()] computes its location in
#' S0 without cancellation near `alpha = 1`.  For small `alpha`, \eqn{|w^Ts_j|^\alpha}{|w's_j|^alpha} increases rounding
#' errors of products \eqn{w^Ts_j}{w's_j} near 0: an error of 1e-16 becomes 0.03 for `alpha = 0.1`.
#'
#' @section Random numbers:
#' [rmvstable()] adds the vectors \eqn{m_j^{1/\alpha}s_j}{m_j^(1/alpha) s_j} multiplied by stable random numbers, which
#' is exact (Modarres and Nolan 1994), and takes a random number for each direction with a positive mass.
#'
#' @param alpha index of stability, one number, \eqn{0 < \alpha \le 2}{0 < alpha <= 2}.  For `alpha = 2` the
#'   distribution is normal.
#' @param directions a numeric matrix or data frame with a row for each direction \eqn{s_j} and a column for each
#'   dimension.  Rows are divided by their lengths.  In two dimensions, the directions may be a vector of angles in
#'   radians.
#' @param mass masses \eqn{m_j \ge 0}{m_j >= 0}, one for each direction, or one number for all, in the unit of the data
#'   to the power `alpha`; at least one must be positive.
#' @param beta skewness for each direction, or one number for all, \eqn{-1 \le \beta_j \le 1}{-1 <= beta_j <= 1}.
#' @param delta location, a vector with an element for each dimension, or one number for all.
#' @param x an object of class `"mvstable_spectral"`.
#' @param digits significant digits to print, one number from 0 to 22; 0 counts as 1.
#' @param ... arguments of [print()].  Any other argument is an error.
#' @return `mvstable_spectral()`: an object of class `"mvstable_spectral"`, a list with the elements `alpha`,
#'   `directions` (unit vectors, in rows), `mass`, `beta` and `delta`.  `print()`: its argument, invisibly.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid: a direction of length 0, a negative
#'     mass, vectors whose lengths do not match the number of directions or dimensions, or masses so large or
#'     small that \eqn{m_j^{1/\alpha}}{m_j^(1/alpha)}, or their sum to this power, overflows or is 0.}
#' }
#' @seealso [rmvstable()], [mvstable_projection()], [mvspectralfit()]; [dmvstable()] for elliptically contoured
#'   distributions.
#' @references
#' Modarres, R. and Nolan, J. P. (1994) A method for simulating stable random vectors. *Computational Statistics* **9**,
#' 11--19.
#'
#' Samorodnitsky, G. and Taqqu, M. S. (1994) *Stable Non-Gaussian Random Processes*, section 2.3. Chapman and Hall.
#' \doi{10.1201/9780203738818}
#' @examples
#' law <- mvstable_spectral(1.5, c(0, pi / 4, pi / 2), mass = c(1, 2, 0.5), beta = c(1, 0, -1))
#' law
#' set.seed(1)
#' rmvstable(3, law)
#' mvstable_projection(cbind(first = c(1, 0), difference = c(1, -1)), law)
#'
#' # independent components
#' law <- mvstable_spectral(1.2, diag(3), mass = c(1, 2, 3)^1.2, beta = c(0, 0.5, -1), delta = 1:3)
#' mvstable_projection(diag(3), law)
#' @export
mvstable_spectral <- function(alpha, directions, mass, beta = 1, delta = 0) {
  check_given()
  call <- sys.call()
  check_fit_value(alpha, "alpha", NULL, call)
  alpha <- as.numeric(alpha)
  s <- check_directions(directions, call)
  m <- nrow(s)
  mass <- check_of_each(mass, "mass", m, "numbers of at least 0", function(v) v >= 0 & v < Inf, call)
  beta <- check_of_each(beta, "beta", m, "numbers in [-1, 1]", function(v) abs(v) <= 1, call)
  if (!any(mass > 0)) stop_with(call, "argument", "`mass` must contain a positive number.")
  names <- if (!is.null(colnames(s))) colnames(s) else if (length(delta) == ncol(s)) names(delta)
  delta <- check_of_each(delta, "delta", ncol(s), "finite numbers", is.finite, call, "dimension")
  dimnames(s) <- if (!is.null(names)) list(NULL, names)
  scales <- c(mass[mass > 0], sum(mass))^(1 / alpha)
  if (!all(scales > 0 & scales < Inf))
    stop_with(call, "argument", "`mass` is so large or so small that mass^(1/alpha) or sum(mass)^(1/alpha) cannot be ",
              "represented.")
  as_spectral(alpha, s, mass, beta, stats::setNames(delta, names))
}

as_spectral <- function(alpha, directions, mass, beta, delta, ...) {
  structure(list(alpha = alpha, directions = directions, mass = mass, beta = beta, delta = delta, ...),
            class = "mvstable_spectral")
}

# Returns unit vectors in rows, or raises an error.
check_directions <- function(directions, call) {
  s <- directions
  if (is.data.frame(s) && all(vapply(s, is_number_column, NA))) s <- data.matrix(s)
  if (is.numeric(s) && is.null(dim(s)) && all(is.finite(s))) s <- unit_vectors(as.vector(unclass(s)))
  if (!is.numeric(s) || !is.matrix(s) || !length(s) || !all(is.finite(s)))
    stop_with(call, "argument", "`directions` must be a matrix of finite numbers with a row for each direction, or a ",
              "vector of angles, not ", matrix_text(directions), ".")
  s <- matrix(as.vector(s, "double"), nrow(s), dimnames = if (!is.null(colnames(s))) list(NULL, colnames(s)))
  s <- s / do.call(pmax, lapply(seq_len(ncol(s)), function(k) abs(s[, k])))
  if (anyNA(s)) stop_with(call, "argument", "Row ", which(is.na(s[, 1L]))[1L], " of `directions` has the length 0.")
  s / sqrt(rowSums(s^2))
}

# Returns points on the unit circle, in rows.  Coordinates that are 0 apart from rounding are 0.
unit_vectors <- function(angles) {
  s <- cbind(cos(angles), sin(angles))
  ifelse(abs(s) < 1e-15, 0, s)
}

# Returns a vector with n elements for which `good` is TRUE, or raises an error.
check_of_each <- function(value, name, n, kind, good, call, of = "direction") {
  if (!is.numeric(value) || is.factor(value) || !length(value) %in% c(1L, n) || !isTRUE(all(good(as.vector(value)))))
    stop_with(call, "argument", "`", name, "` must contain ", kind, ", one for each of ", n, " ", of,
              if (n > 1L) "s, or one for all", ", not ", value_text(value), ".")
  rep_len(as.vector(value, "double"), n)
}

# Returns the distribution that the arguments alpha, Q and delta in `frame` describe: that of check_elliptical(), or of
# spectral_law(), whose element `mixing` marks it.
check_mv_law <- function(call, frame = parent.frame()) {
  stop_if_missing("alpha", frame, call)
  if (!inherits(frame$alpha, c("mvstablefit", "mvstable_spectral"))) {
    stop_if_missing("Q", frame, call)
    return(check_elliptical(frame$alpha, frame$Q, frame$delta, call))
  }
  for (name in c("Q", "delta")) if (!eval(call("missing", as.name(name)), frame))
    stop_with(call, "argument", "`", name, "` must not be given if `alpha` is an object of class '",
              class(frame$alpha)[1L], "', which contains it.")
  if (inherits(frame$alpha, "mvstablefit")) fitted_law(frame$alpha) else spectral_law(frame$alpha)
}

# Returns the distribution of check_mv_law() for functions that do not support spectral measures.
check_elliptical_law <- function(call, frame = parent.frame()) {
  law <- check_mv_law(call, frame)
  if (!is.null(law$mixing))
    stop_with(call, "argument", "Densities and probabilities of several dimensions are not available for discrete ",
              "spectral measures, only for elliptically contoured distributions.")
  law
}

# Returns the distribution of delta - l + mixing Y (see the top of this file): a column of `mixing` and an element of
# `beta` for each direction with a positive mass; `shift` is delta - l.
spectral_law <- function(object) {
  on <- object$mass > 0
  mixing <- t(object$directions[on, , drop = FALSE] * object$mass[on]^(1 / object$alpha))
  beta <- object$beta[on]
  list(alpha = object$alpha, mixing = mixing, beta = beta, dim = nrow(mixing), names = names(object$delta),
       shift = unname(object$delta) - combined_law(mixing, object$alpha, beta)$delta)
}

# Returns beta, gamma and delta of the linear combinations of Y whose coefficients are the rows of a, (1).
combined_law <- function(a, alpha, beta) {
  largest <- apply(abs(a), 1L, max)
  share <- abs(a) / ifelse(largest > 0, largest, 1)
  power <- rowSums(share^alpha)
  power[largest == 0] <- 1
  log_r <- log(share) - log(power) / alpha
  skew <- rep(beta, each = nrow(a))
  h <- if (alpha == 1) -2 / pi * log_r else
    -cospi((alpha - 1) / 2) / sinpi((alpha - 1) / 2) * expm1((alpha - 1) * log_r)
  list(beta = if (alpha == 2) numeric(nrow(a)) else rowSums(skew * sign(a) * share^alpha) / power,
       gamma = largest * power^(1 / alpha), delta = rowSums(ifelse(a == 0 | skew == 0, 0, skew * a * h)))
}

# Returns n random vectors.  Variates are limited so that neither a product with 0 nor a sum of them is NaN.
spectral_variates <- function(n, law) {
  m <- ncol(law$mixing)
  y <- rstable(n * m, law$alpha, if (all(law$beta == law$beta[1L])) law$beta[1L] else law$beta)
  most <- .Machine$double.xmax / (m * max(1, abs(law$mixing)))
  if (any(beyond <- abs(y) > most)) y[beyond] <- sign(y[beyond]) * most
  x <- crossprod(matrix(y, m), t(law$mixing)) + rep(law$shift, each = n)
  dimnames(x) <- if (!is.null(law$names)) list(NULL, law$names)
  x
}

#' @rdname mvstable_spectral
#' @export
print.mvstable_spectral <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  d <- length(x$delta)
  on <- which(x$mass > 0)
  cat("Stable distribution with a discrete spectral measure, ", d, " dimension", if (d > 1L) "s", ", ", length(on),
      " direction", if (length(on) > 1L) "s", if (!is.null(x$nobs)) c("\nfitted to ", x$nobs, " observations"),
      "\n\n", if (!is.null(x$call)) c("Call: ", deparse_call(x$call), "\n\n"), "alpha ", format_each(x$alpha, digits),
      "\n\ndelta\n", sep = "")
  print(x$delta, digits = digits, ...)
  cat("\ndirections and masses\n")
  s <- x$directions[on, , drop = FALSE]
  if (is.null(colnames(s))) colnames(s) <- paste0("s", seq_len(d))
  table <- cbind(s, mass = x$mass[on], "std. error" = x$se$mass[on], beta = if (!all(x$beta == 1)) x$beta[on])
  print(`rownames<-`(table, on), digits = digits, ...)
  if (!is.null(x$misfit)) cat("\n", misfit_line(x$misfit, digits), "\n", sep = "")
  invisible(x)
}
