# The stationary bootstrap of series (Politis and Romano 1994, doi:10.1080/01621459.1994.10476870).

check_block <- function(block, object, method, call) {
  if (is.null(block)) return()
  if (method != "bootstrap")
    stop_with(call, "argument", "`block` requires method = \"bootstrap\", not \"", method, "\".")
  if (inherits(object, "stablefit_censored") || !is.null(object$weights))
    stop_with(call, "argument", "`block` requires a fit of a plain sample, neither weighted nor censored or truncated.")
  if (!is.numeric(block) || length(block) != 1L || !isTRUE(block >= 1 && block <= object$nobs))
    stop_with(call, "argument", "`block` must be one number from 1 to that of the observations, ", object$nobs,
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

# Returns a list of R samples of blocks of the data.
block_samples <- function(object, R, block, seed, call) {
  x <- as.vector(object$data)
  seeded_samples(R, seed, call, function() x[block_positions(length(x), block)])
}
