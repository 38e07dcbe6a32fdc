#' Scores
#' @export
stable_score <- function(x, alpha, beta = 0, gamma = 1, delta = 0, pm = 0) {
  y <- .Call(C_score, x, alpha, beta, gamma, delta, pm)
  dimnames(y) <- list(names(x), c("alpha", "beta", "gamma", "delta", "x"))
  y
}
