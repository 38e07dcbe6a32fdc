#' Log density and scores from tables
#'
#' The log density of a stable law and its derivatives in the four parameters, to about nine
#' digits and within some tens of microseconds for a law that was never asked for before: for
#' searches that walk through many laws, such as the maximisation of a likelihood.
#'
#' @section Method:
#' For \eqn{0.3\le\alpha\le2}{0.3 <= alpha <= 2} the log density is stored as piecewise polynomials in `alpha`,
#' `beta` and a stretched `x`, made from exact densities.  They are contracted to polynomials in `x` of the one law,
#' and its scores are derivatives of the same polynomials.  What the tables do not hold - shapes with
#' `alpha < 0.3`, `pm = 2`, `x` in the tails beyond a probability of 1e-6, and steep parts of a light tail, which
#' together have a probability below 0.001 - is computed as by [dstable()] and [stable_score()], the more slowly.
#'
#' @section Accuracy:
#' The log density is within 1e-9 of that of [dstable()]: in 25000 random laws, of which 5000 close to `alpha = 2`
#' or `abs(beta) == 1`, the largest of 500000 differences was 8e-10.  Scores are within 1e-6 times
#' \eqn{\max(1, |s|)}{max(1, |s|)}, `s` being the score times `gamma` for `gamma` and `delta`; the score of `beta`
#' within 1e-5 close to a border; and all of them within 3e-4 at the tip of the peak that laws with `alpha < 0.5`
#' have at
#' \eqn{\zeta}{zeta}, some 1e-4 wide.  Most are a hundred times as good.
#'
#' @section Samples larger than memory:
#' The log-likelihood, its gradient and the information matrix are sums over the observations, so that parts of a
#' sample that are read one after the other (from files, a database, an Arrow dataset) are all that a fit needs. The
#' last example climbs from the estimate of one part by Fisher scoring, and has in some five passes the maximum that
#' [stablefit()] finds in the whole sample.  Where `alpha` is near 2 or `beta` near a border, steps that lead
#' outside are to be cut.
#'
#' @param x vector of quantiles.
#' @param alpha,beta,gamma,delta,pm one number each: the law, see [dstable()].
#' @return A numeric matrix with one row per element of `x` and the columns `logpdf`, `alpha`, `beta`,
#'   `gamma` and `delta`.  `NA` and `NaN` are passed on.  Parameters outside their domain give `NaN` with a
#'   warning, as do scores that [stable_score()] does not know.
#' @seealso [stable_score()] for exact scores, [dstable()] for exact densities.
#' @examples
#' x <- c(-2, 0, 1, 10)
#' stable_quick(x, alpha = 1.5, beta = 0.5)
#' stable_score(x, alpha = 1.5, beta = 0.5)
#'
#' # a fit to parts: functions that return one part each
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
  if (!is.numeric(x)) stop_with(sys.call(), "data", "`x` must hold numbers, not ", class(x)[1L], ".")
  load_tables()
  y <- .Call(C_quick, as.double(x), one_law(alpha, beta, gamma, delta), pm, NULL, FALSE, TRUE)
  dimnames(y) <- list(names(x), c("logpdf", "alpha", "beta", "gamma", "delta"))
  y
}

# The sums over all data (a vector, or a handle from stable_data_put()) of the columns of stable_quick() and
# of the products of the scores, each with its weight (NULL: 1).  A score that is not known counts as 0.
# Without scores the first sum alone, which saves exact scores where the tables have none.
stable_data_quick <- function(data, alpha, beta, gamma = 1, delta = 0, pm = 0, weights = NULL, scores = TRUE) {
  load_tables()
  y <- .Call(C_quick, check_data(data), one_law(alpha, beta, gamma, delta), pm, check_weights(weights), TRUE, scores)
  if (!scores) return(y[1L])
  outer <- matrix(0, 4L, 4L)
  outer[upper.tri(outer, diag = TRUE)] <- y[-(1:5)]
  outer[lower.tri(outer)] <- t(outer)[lower.tri(outer)]
  list(loglik = y[1L], gradient = y[2:5], outer = outer)
}

# The first of these sums, unweighted, for each row (alpha, beta, gamma, delta) of a matrix: laws are shared out among
# threads, and rows with the same shape side by side save time.  -Inf where a law has no density at some x.
stable_data_logliks <- function(data, laws, pm = 0) {
  if (!is.matrix(laws) || !is.numeric(laws) || ncol(laws) != 4L)
    stop_with(sys.call(), "argument", "`laws` must be a matrix of numbers with four columns, not ", value_text(laws),
              ".")
  load_tables()
  storage.mode(laws) <- "double"
  .Call(C_logliks, check_data(data), laws, pm)
}

# Once a session.
load_tables <- function() {
  if (quick_state$loaded) return()
  .Call(C_tables, readRDS(system.file("tables", "quick.rds", package = "stablecl", mustWork = TRUE)))
  quick_state$loaded <- TRUE
}

quick_state <- new.env(parent = emptyenv())
quick_state$loaded <- FALSE
