# Estimation of a discrete spectral measure from projections (Nolan, Panorska and McCulloch 2001).
#
# For masses m_j at unit vectors s_j, the projection t'X has the parameters
#
#     gamma(t)^alpha = sum_j |t's_j|^alpha m_j,   beta(t) gamma(t)^alpha = sum_j sign(t's_j) |t's_j|^alpha m_j,      (1)
#
# both of which are linear in m and continuous in alpha, also at alpha = 1.  With estimates of gamma(t) and beta(t) for
# several t, and after division by that of gamma(t)^alpha, (1) is a least squares problem with m >= 0.  The division
# gives the same weight to relative errors of the scales of all projections.  The information on beta vanishes as alpha
# tends to 2 like tan(pi alpha/2)^2, by whose square root the second equations are multiplied where it is below 1.

#' Fit a stable distribution with a discrete spectral measure
#'
#' Estimates index, spectral measure and location of a multivariate stable distribution from one-dimensional
#' projections (Nolan, Panorska and McCulloch 2001).  The distribution need not be symmetric or elliptical.
#'
#' @section Method:
#' [stablefit()] fits stable distributions by maximum likelihood to the components of the sample and to its projections
#' on all lines through the directions.  `alpha` is the mean of the estimates; with this `alpha` the projections
#' are fitted again for `beta`, `gamma` and `delta`.  The parameters of a projection \eqn{t} determine linear functions
#' of the masses \eqn{m_j \ge 0}{m_j >= 0} at the directions \eqn{s_j},
#' \deqn{\gamma(t)^\alpha = \sum_j |t^Ts_j|^\alpha m_j,\quad
#'   \beta(t)\gamma(t)^\alpha = \sum_j \mathrm{sign}(t^Ts_j)|t^Ts_j|^\alpha m_j,}{
#'   gamma(t)^alpha = sum_j |t's_j|^alpha m_j,  beta(t) gamma(t)^alpha = sum_j sign(t's_j) |t's_j|^alpha m_j,}
#' and the masses are estimated from these equations by nonnegative least squares (Lawson and Hanson 1995).  The
#' equations are divided by the estimate of \eqn{\gamma(t)^\alpha}{gamma(t)^alpha}; for `alpha` above 1.5, where `beta`
#' is less well determined, the second ones are multiplied by \eqn{|\tan(\pi\alpha/2)|}{|tan(pi alpha/2)|}.  `delta`
#' consists of the locations of the components.
#'
#' @section Directions:
#' The default is 48 directions at equal angles in two dimensions, and those of the \eqn{3^d-1}{3^d - 1} vectors with
#' elements -1, 0 and 1 in up to five dimensions, for components divided by their median absolute deviations.
#' In more dimensions `directions` must be given, for example as the observations that are most remote from the medians,
#' which lie near the directions with masses: `z <- sweep(x, 2, apply(x, 2, median))`, and then
#' `z[order(-rowSums(scale(z, FALSE, apply(x, 2, mad))^2))[1:100], ]`.  The true directions need not be among
#' those given: masses between two directions are divided between their neighbours,
#' which causes the largest error for small `alpha`; more directions do not increase the error.  Both a direction and
#' its opposite must be given if both may have a mass.
#'
#' @section Accuracy:
#' Errors decrease like \eqn{1/\sqrt n}{1/sqrt(n)} if all masses are at the given directions.  Parameters of projections
#' are estimated better than single masses: neighbouring directions share their masses in many ways with nearly the same
#' projections, in particular for `alpha` near 2, where the measure is not determined.
#'
#' With a number `R`, standard errors are standard deviations of the estimates from `R` bootstrap samples, which consist
#' of rows of the sample drawn with replacement; the directions remain.  The error of a mass at the bound 0, or
#' of one that is less than about two standard errors from it, is not that of a normal distribution.  Bootstrap samples
#' that cannot be fitted are left out.
#'
#' Element `misfit` contains the differences between fitted and estimated parameters of the projections.
#'
#' @param x the sample: a numeric matrix or data frame with a row for each observation and a column for each dimension;
#'   a multivariate time series; a vector in one dimension.
#' @param directions directions that may have a mass: `NULL` for the default; a matrix or data frame with a row for
#'   each, of any length; in two dimensions also a vector of angles in radians, or the number of directions at equal
#'   angles, from 4 to 1000.
#' @param fixed `list(alpha = )` or a named vector to hold `alpha` fixed, below 2.
#' @param na.action what to do with rows that have missing values: [na.omit()], [na.exclude()] or [na.fail()].
#' @param R `NULL`, or the number of bootstrap samples for standard errors, at least 1.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @return An object of class [`"mvstable_spectral"`][mvstable_spectral], to be used in [rmvstable()] and
#'   [mvstable_projection()], with the additional elements `nobs`, `call` and `misfit`: a data frame with a row for each
#'   projection, `gamma` and `beta` estimated from the projected sample, `gamma.fitted` and `beta.fitted` of the fitted
#'   distribution, and whether the search of [stablefit()] has `converged`; and `projections`, the matrix of the vectors
#'   \eqn{t}, in columns.  With a number `R` also `se`, a list of the standard errors of `alpha`, `mass` and `delta`,
#'   and `replicates`, the number of bootstrap samples used.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_data"`}{the sample is not numeric or not finite, has fewer than 8 rows or not more rows than
#'     columns, its columns are constant or linearly dependent, a projection cannot be fitted, no mass at the
#'     directions fits, none of the bootstrap samples can be fitted, or the sample is normal, so that the spectral
#'     measure is not determined;}
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty or invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_memory"`}{a device that is selected by name ([stable_backend()])
#'     does not exist or has failed, or memory is exhausted.}
#' }
#' If the search of [stablefit()] for a projection does not converge, for example because many values are equal, there
#' is a warning of class `"stablecl_warning_convergence"`.
#' @seealso [`coef()`][mvspectralfit-methods] and other methods, [mvstable_spectral()], [mvstable_projection()],
#'   [mvstablefit()] for elliptically contoured distributions,
#'   [dmvstable()].
#' @references
#' Nolan, J. P., Panorska, A. K. and McCulloch, J. H. (2001) Estimation of stable spectral measures. *Mathematical and
#' Computer Modelling* **34**, 1113--1122.
#'
#' Lawson, C. L. and Hanson, R. J. (1995) *Solving Least Squares Problems*, chapter 23. SIAM.
#' \doi{10.1137/1.9781611971217}
#' @examples
#' law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2))
#' set.seed(1)
#' x <- rmvstable(4000, law)
#' mvspectralfit(x, directions = c(0, 1, 2, 3) * pi / 3, R = 20, seed = 1)
#'
#' # a portfolio of two stock indices
#' fit <- mvspectralfit(100 * diff(log(EuStockMarkets[, c("DAX", "FTSE")])))
#' mvstable_projection(c(0.5, 0.5), fit)
#' @export
mvspectralfit <- function(x, directions = NULL, fixed = list(), na.action = na.omit, R = NULL, seed = NULL) {
  check_given()
  call <- match.call()
  if (!is.null(R)) R <- check_replicates(R, call)
  check_generator_seed(seed, call)
  fixed <- check_fixed_index(fixed, call)
  if (isTRUE(fixed$alpha > normal_alpha))
    stop_with(call, "argument", "`fixed$alpha` must be below 2, where the spectral measure is not determined.")
  x <- mv_sample(x, na.action, call)
  spread <- apply(x, 2L, stats::mad)
  s <- candidate_directions(directions, spread, colnames(x), call)
  lines <- projection_lines(s, spread)
  estimate <- projected_estimates(x, lines, fixed, call)
  lost <- sum(!estimate$converged)
  if (lost)
    warn_with(call, "convergence", "The maximum-likelihood search did not converge for ", lost, " of ", ncol(lines),
              " projections; see column `converged` of element `misfit`.")
  mass <- estimated_masses(s, lines, estimate)
  if (!any(mass > 0))
    stop_with(call, "data", "No mass at `directions` fits the projections: the sample has heavy tails in none ",
              "of these directions, perhaps in the opposite ones.")
  law <- as_spectral(estimate$alpha, s, mass, rep(1, length(mass)),
                     stats::setNames(estimate$delta, colnames(x)), nobs = nrow(x), call = call)
  fitted <- mvstable_projection(lines, law)
  law$projections <- lines
  law$misfit <- data.frame(gamma = estimate$gamma, gamma.fitted = fitted$gamma, beta = estimate$beta,
                           beta.fitted = fitted$beta, converged = estimate$converged)
  if (is.null(R)) return(law)
  utils::modifyList(law, spectral_errors(x, s, lines, fixed, R, seed, call))
}

# Returns standard deviations of estimates from samples of the rows of x.
spectral_errors <- function(x, s, lines, fixed, R, seed, call) {
  rows <- seeded_samples(R, seed, call, function() sample.int(nrow(x), replace = TRUE))
  estimates <- lapply(rows, function(i) value_or({
    estimate <- projected_estimates(x[i, , drop = FALSE], lines, fixed, call)
    list(alpha = estimate$alpha, mass = estimated_masses(s, lines, estimate), delta = estimate$delta)
  }, function(e) NULL))
  estimates <- Filter(length, estimates)
  if (!length(estimates)) stop_with(call, "data", "None of the ", R, " bootstrap samples could be fitted.")
  sd_of <- function(part) unname(apply(do.call(cbind, lapply(estimates, `[[`, part)), 1L, stats::sd))
  list(se = list(alpha = if (length(fixed)) NA_real_ else sd_of("alpha"), mass = sd_of("mass"),
                 delta = stats::setNames(sd_of("delta"), colnames(x))),
       replicates = length(estimates))
}

normal_alpha <- 2 - 1e-6        # from here on the spectral measure is not determined

# Returns the directions that may have a mass, unit vectors in rows.  Those by default refer to components that are
# divided by `spread`.
candidate_directions <- function(directions, spread, names, call) {
  d <- length(spread)
  count <- if (is.null(directions)) 48L else if (is.numeric(directions) && length(directions) == 1L) directions
  if (is.null(directions) || d == 2L && !is.null(count)) {
    if (!isTRUE(count >= 4 && count <= 1000 && count == round(count)))
      stop_with(call, "argument", "`directions` must be a whole number of directions from 4 to 1000, or contain the ",
                "directions themselves, not ", value_text(directions), ".")
    if (d > 5L)
      stop_with(call, "argument", "`directions` must be given in more than 5 dimensions, for example as remote ",
                "observations.")
    s <- if (d == 2L) unit_vectors(2 * pi * seq(0, count - 1) / count) else lattice_directions(d)
    directions <- s * rep(spread, each = nrow(s))
  }
  s <- check_directions(directions, call)
  if (ncol(s) != d)
    stop_with(call, "argument", "`directions` must have as many columns as `x` (", d, "), not ", ncol(s), ".")
  colnames(s) <- names
  s
}

# Returns the directions of the vectors, in rows, whose elements are -1, 0 and 1.
lattice_directions <- function(d) {
  s <- unname(as.matrix(expand.grid(rep(list(-1:1), d))))
  s <- s[rowSums(abs(s)) > 0, , drop = FALSE]
  s / sqrt(rowSums(s^2))
}

# Returns the vectors on which the sample is projected, in columns: the axes, followed by a unit vector in each other
# line through a direction.  Lines are those of the components divided by `spread`, in which the default directions
# have equal angles.
projection_lines <- function(s, spread) {
  u <- s / rep(spread, each = nrow(s))
  u <- u / apply(abs(u), 1L, max)               # squares of their elements neither overflow nor vanish
  u <- rbind(diag(length(spread)), u / sqrt(rowSums(u^2)))
  first <- apply(abs(u) > 1e-8, 1L, which.max)
  u <- u * sign(u[cbind(seq_along(first), first)])
  t(u[!duplicated(round(u, 8L)), , drop = FALSE]) / spread
}

# Returns alpha, and beta, gamma and delta of the projections of the sample on the columns of `lines`, the first of
# which are the axes, divided by numbers; and which searches converged.
projected_estimates <- function(x, lines, fixed, call) {
  projections <- as.list(as.data.frame(x %*% lines))
  fitted <- function(fixed) {
    fits <- suppressWarnings(stablefit(projections, fixed = fixed, se = FALSE), classes = "stablecl_warning")
    bad <- which(!is_fitted(fits))
    if (length(bad)) stop_with(call, "data", "The projection on ", value_text(lines[, bad[1L]]), " cannot be fitted: ",
                               fits$error[[bad[1L]]])
    fits
  }
  alpha <- if (length(fixed)) fixed$alpha else mean(coef(fitted(list()))[, "alpha"])
  if (alpha > normal_alpha)
    stop_with(call, "data", "The sample is normal, alpha is estimated as 2: the spectral measure is not determined.")
  fits <- fitted(list(alpha = alpha))
  theta <- unname_rows(coef(fits))
  axes <- seq_len(ncol(x))
  list(alpha = alpha, beta = theta[, "beta"], gamma = theta[, "gamma"],
       delta = theta[axes, "delta"] / diag(lines[, axes, drop = FALSE]), converged = fits_converged(fits))
}

# Returns the masses at s that fit the parameters of the projections on `lines` best.
estimated_masses <- function(s, lines, estimate) {
  alpha <- estimate$alpha
  product <- crossprod(lines, t(s)) / estimate$gamma
  weight <- if (alpha > 1) min(1, -tanpi(alpha / 2)) else 1
  power <- abs(product)^alpha
  A <- rbind(power, weight * sign(product) * power)
  size <- apply(abs(A), 2L, max)                # the unit of each mass; it depends on the units of the components
  nonnegative_least_squares(A / rep(size, each = nrow(A)), c(rep(1, ncol(lines)), weight * estimate$beta)) / size
}

# Returns the x >= 0 that minimises |A x - b|^2 by the active set method of Lawson and Hanson: the variable with the
# largest partial derivative joins the positive ones, which take the values of the unconstrained minimum, as far as they
# stay positive.  A variable that does not decrease the sum of squares, due to rounding, is left out until another one
# does; hence no set of positive variables occurs twice.
nonnegative_least_squares <- function(A, b) {
  x <- numeric(ncol(A))
  waiting <- logical(ncol(A))
  residual <- b
  repeat {
    gradient <- drop(crossprod(A, residual))
    open <- which(x == 0 & !waiting & gradient > 1e-12 * sum(abs(b)) * max(abs(A)))
    if (!length(open)) return(x)
    entering <- open[which.max(gradient[open])]
    new <- positive_minimum(A, b, x, x > 0 | seq_along(x) == entering)
    left <- b - drop(A %*% new)
    better <- sum(left^2) < sum(residual^2)
    waiting[] <- if (better) FALSE else replace(waiting, entering, TRUE)
    if (better) {
      x <- new
      residual <- left
    }
  }
}

# Returns the minimum in the variables `positive`, from which those that would become negative are removed one after
# another on the way from x.
positive_minimum <- function(A, b, x, positive) {
  while (any(positive)) {
    z <- numeric(length(x))
    z[positive] <- qr.coef(qr(A[, positive, drop = FALSE], tol = 1e-10), b)
    z[is.na(z)] <- 0
    low <- which(positive & z <= 0)
    if (!length(low)) return(z)
    ratio <- ifelse(x[low] > 0, x[low] / (x[low] - z[low]), 0)
    x <- x + min(ratio) * (z - x)
    positive[low[ratio == min(ratio)]] <- FALSE
    x[!positive] <- 0
  }
  x
}

# Returns a line about the largest differences between the projections of the sample and of the fitted distribution.
misfit_line <- function(misfit, digits) {
  worst <- c(max(abs(misfit$gamma.fitted / misfit$gamma - 1)), max(abs(misfit$beta.fitted - misfit$beta), na.rm = TRUE))
  paste0(nrow(misfit), " projections: largest relative difference of scales ", format_each(worst[1L], digits),
         ", of beta ", format_each(worst[2L], digits))
}
