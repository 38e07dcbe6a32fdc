# What a fitted law says about observations, past and new.

#' Quantiles, residuals and samples of a fitted stable law
#'
#' `predict()` and `quantile()` give quantiles of the fitted law, `residuals()`
#' compares the observations with it, `simulate()` draws new samples from it.
#'
#' The standard error of a quantile \eqn{q} follows from the covariance \eqn{V} of
#' the S0 estimates by the delta method, \eqn{\sqrt{g^T V g}}{sqrt(g' V g)} with
#' \eqn{g = (\partial q/\partial\alpha, \partial q/\partial\beta,
#' (q-\delta)/\gamma, 1)}{g = (dq/dalpha, dq/dbeta, (q - delta)/gamma, 1)};
#' parameters at a bound or fixed count as known.
#'
#' Quantile residuals are \eqn{\Phi^{-1}(F(x_i))}{qnorm(F(x_i))}, standard normal
#' if the law is right, and exact in both tails; residuals of type `"pit"` are
#' \eqn{F(x_i)}{F(x_i)}, uniform if the law is right.  A stable law has no variance
#' (and for `alpha <= 1` no mean), so there are no raw or Pearson residuals and no
#' fitted values.
#'
#' @param object,x an object of class `"stablefit"`.
#' @param probs probabilities.
#' @param se.fit logical: standard errors too?
#' @param type the type of residuals, see Details.
#' @param nsim number of samples, each of the size of the data.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is
#'   then restored.
#' @param ... passed by `quantile()` to `predict()`, otherwise ignored.
#' @return `predict()` and `quantile()`: a named vector, or with `se.fit = TRUE` a
#'   list with elements `fit` and `se.fit`.  `residuals()`: a vector like the data
#'   (with `NA` where `na.exclude` left them out).  `simulate()`: a data frame with
#'   a column per sample and an attribute `"seed"`, as [stats::simulate()]
#'   describes.
#' @seealso [stablefit()]
#' @examples
#' set.seed(1)
#' fit <- stablefit(rstable(500, 1.6, 0.3))
#' predict(fit, c(0.001, 0.5, 0.999), se.fit = TRUE)
#' range(residuals(fit))
#' dim(simulate(fit, nsim = 3, seed = 2))
#' @name predict.stablefit
NULL

#' @rdname predict.stablefit
#' @export
predict.stablefit <- function(object, probs = c(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99),
                              se.fit = FALSE, ...) {
  p <- object$theta
  q <- qstable(probs, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]])
  names(q) <- paste0(format(100 * probs, trim = TRUE, digits = 7), "%")
  if (!se.fit) return(q)
  list(fit = q, se.fit = stats::setNames(quantile_sd(object, probs, q), names(q)))
}

#' @rdname predict.stablefit
#' @export
quantile.stablefit <- function(x, probs = seq(0, 1, 0.25), ...) {
  stats::predict(x, probs = probs, ...)
}

quantile_sd <- function(object, probs, q) {
  V <- object$theta.vcov
  if (all(is.na(V))) return(rep(NA_real_, length(q)))
  moves <- !is.na(diag(V))
  V[is.na(V)] <- 0
  p <- object$theta
  at <- function(alpha, beta) qstable(probs, alpha, beta, p[["gamma"]], p[["delta"]])
  slope <- function(j, f) {
    if (!moves[j]) return(numeric(length(q)))
    h <- min(1e-4, p[[j]] + c(0, 1)[j], c(2, 1)[j] - p[[j]]) / 2
    (f(p[[j]] + h) - f(p[[j]] - h)) / (2 * h)
  }
  g <- cbind(slope(1L, function(a) at(a, p[["beta"]])), slope(2L, function(b) at(p[["alpha"]], b)),
             (q - p[["delta"]]) / p[["gamma"]], 1)
  sd <- sqrt(rowSums((g %*% V) * g))
  replace(sd, !is.finite(q), NA)
}

#' @rdname predict.stablefit
#' @export
residuals.stablefit <- function(object, type = c("quantile", "pit"), ...) {
  type <- match.arg(type)
  p <- object$theta
  prob <- function(lower) pstable(object$data, p[["alpha"]], p[["beta"]], p[["gamma"]],
                                  p[["delta"]], lower.tail = lower, log.p = TRUE)
  below <- prob(TRUE)
  r <- if (type == "pit") exp(below) else
    ifelse(below < -log(2), stats::qnorm(below, log.p = TRUE),
           stats::qnorm(prob(FALSE), lower.tail = FALSE, log.p = TRUE))
  stats::naresid(object$na.action, r)
}

#' @rdname predict.stablefit
#' @export
simulate.stablefit <- function(object, nsim = 1, seed = NULL, ...) {
  if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1L)
  state <- before <- get(".Random.seed", envir = globalenv())
  if (!is.null(seed)) {
    set.seed(seed)
    state <- structure(seed, kind = as.list(RNGkind()))
    on.exit(assign(".Random.seed", before, envir = globalenv()))
  }
  p <- object$theta
  samples <- lapply(seq_len(nsim), function(i)
    rstable(object$nobs, p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]]))
  names(samples) <- paste0("sim_", seq_len(nsim))
  structure(as.data.frame(samples), seed = state)
}
