#' Fast approximations of the log density and its scores
#'
#' The log density of a stable distribution and its derivatives with respect to the four parameters, to about nine
#' digits and within some tens of microseconds for parameters that were not used before: for algorithms that
#' evaluate many distributions, such as the maximisation of a likelihood.
#'
#' @section Method:
#' For \eqn{0.3\le\alpha\le2}{0.3 <= alpha <= 2} the log density is stored as piecewise polynomials in `alpha`,
#' `beta` and a transformed `x`, fitted to exact densities.  For given parameters they are contracted to polynomials in
#' `x`; the scores are derivatives of the same polynomials.  Values outside these tables - shapes with `alpha < 0.3`,
#' `pm = 2`, `x` in the tails beyond a probability of 1e-6 to 1e-7, and steep parts of a light tail, which together have
#' a probability below 0.001 - are computed as by [dstable()] and [stable_score()], which takes longer.
#'
#' @section Accuracy:
#' The log density is within 1e-9 of that of [dstable()]: for 25000 random distributions, 5000 of them close to
#' `alpha = 2` or `abs(beta) == 1`, the largest of 500000 differences was 8e-10.  Scores are within 1e-6 times
#' \eqn{\max(1, |s|)}{max(1, |s|)}, where `s` is the score times `gamma` for `gamma` and `delta`; the score of `beta`
#' within 1e-5 close to a border; and all of them within 3e-4 at the tip of the peak, about 1e-4 wide, that
#' distributions with `alpha < 0.5` have at \eqn{\zeta}{zeta}.  More than half of the errors of scores are a hundred
#' times smaller than the first of these bounds.
#'
#' @section Devices:
#' A device computes the values, inside and outside the tables, if [stable_backend()] selects it by name; the CPU
#' contracts the tables.
#'
#' @section Samples larger than memory:
#' The log-likelihood, its gradient and the information matrix are sums over the observations, so that a fit can read
#' the sample in parts (from files, a database, an Arrow dataset). The last example starts from the estimate of one
#' part, iterates by Fisher scoring, and reaches in about five passes the maximum that [stablefit()] finds for the whole
#' sample.  Where `alpha` is near 2 or `beta` near a border, shorten steps that lead outside the parameter
#' space, in which values are `NaN`.
#'
#' @param x vector of quantiles.
#' @param alpha,beta,gamma,delta,pm one number each: the parameters of the distribution, see [dstable()].
#' @return A numeric matrix with one row per element of `x` and the columns `logpdf`, `alpha`, `beta`,
#'   `gamma` and `delta`.  `NA` and `NaN` are passed on.  Parameters outside their domain give `NaN` with a
#'   warning, as do scores that [stable_score()] cannot compute.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, `pm` is invalid, or a parameter is not one number;}
#'   \item{`"stablecl_error_data"`}{`x` is not numeric;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' @seealso [stable_score()] for exact scores, [dstable()] for exact densities.
#' @examples
#' x <- c(-2, 0, 1, 10)
#' stable_quick(x, alpha = 1.5, beta = 0.5)
#' stable_score(x, alpha = 1.5, beta = 0.5)
#'
#' # a fit to a sample in parts: each function returns one part
#' set.seed(1)
#' sample <- rstable(4e4, 1.7, 0.4)
#' parts <- lapply(0:3, function(k) function() sample[k * 1e4 + 1:1e4])
#'
#' theta <- coef(stablefit(parts[[1]](), "quantile"))
#' repeat {
#'   sums <- 0
#'   for (read in parts) {
#'     q <- stable_quick(read(), theta[1], theta[2], theta[3], theta[4])
#'     sums <- sums + c(colSums(q), crossprod(q[, -1]))
#'   }
#'   gradient <- sums[2:5]
#'   information <- matrix(sums[-(1:5)], 4)
#'   step <- solve(information, gradient)
#'   theta <- theta + step
#'   if (sum(step * gradient) < 1e-10) break
#' }
#' theta
#' sqrt(diag(solve(information)))                # standard errors
#' coef(stablefit(sample))
#' @export
stable_quick <- function(x, alpha, beta, gamma = 1, delta = 0, pm = 0) {
  check_given()
  if (!is.numeric(x)) stop_with(sys.call(), "data", "`x` must be numeric, not ", class(x)[1L], ".")
  load_tables()
  y <- .Call(C_approximate, as.double(x), one_law(alpha, beta, gamma, delta), pm, NULL, FALSE, TRUE)
  dimnames(y) <- list(names(x), quick_columns)
  y
}

quick_columns <- c("logpdf", "alpha", "beta", "gamma", "delta")

# Returns the matrix of stable_quick() for other functions of this package.
quick_matrix <- function(x, alpha, beta, gamma, delta, pm = 0) {
  load_tables()
  y <- suppressWarnings(.Call(C_approximate, as.double(x), one_law(alpha, beta, gamma, delta), pm, NULL, FALSE, TRUE))
  dimnames(y) <- list(names(x), quick_columns)
  y
}

# Returns this matrix for S0 distributions with gamma = 1 and delta = 0, whose alpha and beta are given for each element
# of x.  It is fastest if elements with equal alpha and beta are adjacent.
quick_each <- function(x, alpha, beta) {
  load_tables()
  y <- suppressWarnings(.Call(C_elements, "quick", as.double(x), alpha, beta, 1, 0, 0, TRUE, FALSE, FALSE))
  dimnames(y) <- list(NULL, quick_columns)
  y
}

# Returns the sums over all data (a vector, or a handle from stable_data_put()) of the columns of stable_quick() and
# of the products of the scores, weighted by `weights` (NULL: 1).  A score that is NaN counts as 0.  With scores =
# FALSE it returns only the sum of the log densities, which avoids exact scores for values outside the tables.
stable_data_quick <- function(data, alpha, beta, gamma = 1, delta = 0, pm = 0, weights = NULL, scores = TRUE) {
  load_tables()
  y <- .Call(C_approximate, check_data(data), one_law(alpha, beta, gamma, delta), pm, check_weights(weights), TRUE,
             scores)
  if (!scores) return(y[1L])
  outer <- matrix(0, 4L, 4L)
  outer[upper.tri(outer, diag = TRUE)] <- y[-(1:5)]
  outer[lower.tri(outer)] <- t(outer)[lower.tri(outer)]
  list(loglik = y[1L], gradient = y[2:5], outer = outer)
}

# Returns the unweighted log-likelihood of each row (alpha, beta, gamma, delta) of a matrix.  The rows are distributed
# over threads; adjacent rows with the same shape save time.  -Inf if a distribution has density 0 at some x.
stable_data_logliks <- function(data, laws, pm = 0) {
  if (!is.matrix(laws) || !is.numeric(laws) || ncol(laws) != 4L)
    stop_with(sys.call(), "argument", "`laws` must be a numeric matrix with four columns, not ", value_text(laws),
              ".")
  load_tables()
  storage.mode(laws) <- "double"
  .Call(C_logliks, check_data(data), laws, pm)
}

# Loads the tables once per session.
load_tables <- function() {
  if (quick_state$loaded) return()
  .Call(C_tables, read_tables())
  quick_state$loaded <- TRUE
}

# Returns the tables, which data-raw/quick-tables.R has computed.
read_tables <- function() readRDS(system.file("tables", "quick.rds", package = "stablecl", mustWork = TRUE))

quick_state <- new.env(parent = emptyenv())
quick_state$loaded <- FALSE
