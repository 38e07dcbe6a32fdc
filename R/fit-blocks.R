# Bootstrap samples of series: the stationary bootstrap (Politis and Romano 1994, doi:10.1080/01621459.1994.10476870),
# and samples from a function of the user.

# Returns a function that draws a bootstrap sample of a series, or NULL for samples of the fitted distribution.
series_sampler <- function(object, method, block, simulate, call) {
  check_block(block, object, method, call)
  check_simulate(simulate, block, object, method, call)
  n <- object$nobs
  if (!is.null(block)) {
    x <- as.vector(object$data)
    return(function() x[block_positions(n, block)])
  }
  if (!is.null(simulate)) function() checked_series(simulate(n), n, call)
}

check_simulate <- function(simulate, block, object, method, call) {
  if (is.null(simulate)) return()
  if (!is.function(simulate))
    stop_with(call, "argument", "`simulate` must be NULL or a function that returns a series of a given length, not ",
              value_text(simulate), ".")
  if (method != "bootstrap")
    stop_with(call, "argument", "`simulate` requires method = \"bootstrap\", not \"", method, "\".")
  if (!is.null(block)) stop_with(call, "argument", "Give either `block` or `simulate`, not both.")
  refuse_weighted(object, "simulate", call)
}

refuse_weighted <- function(object, argument, call) {
  if (inherits(object, "stablefit_censored") || !is.null(object$weights))
    stop_with(call, "argument", "`", argument, "` requires a fit of a plain sample, neither weighted nor censored or ",
              "truncated.")
}

checked_series <- function(x, n, call) {
  if (!is.numeric(x) || length(x) != n || !all(is.finite(x)))
    stop_with(call, "argument", "`simulate` must return ", n, " finite numbers.")
  as.vector(x)
}

check_block <- function(block, object, method, call) {
  if (is.null(block)) return()
  if (method != "bootstrap")
    stop_with(call, "argument", "`block` requires method = \"bootstrap\", not \"", method, "\".")
  refuse_weighted(object, "block", call)
  if (!is.numeric(block) || length(block) != 1L || !isTRUE(block >= 1 && block <= object$nobs))
    stop_with(call, "argument", "`block` must be one number from 1 to the number of observations, ", object$nobs,
              ", not ", value_text(block), ".")
}

# Returns the positions of n values in blocks: with the probability 1/block a new one begins at a random position, which
# otherwise follows the one before; the first position follows the last.
block_positions <- function(n, block) {
  begins <- c(TRUE, stats::runif(n - 1L) < 1 / block)
  number <- cumsum(begins)
  since <- seq_len(n) - which(begins)[number]
  first <- sample.int(n, number[n], replace = TRUE)
  (first[number] + since - 1L) %% n + 1L
}
