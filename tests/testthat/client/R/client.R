# Calls one function of the table.  Each thread computes a block of elements with its own evaluator; scores need a
# single thread, because the columns of the result are those of one call.  `flags`: the two integer arguments, if any;
# `seed`: two words, and the number of the first element.
call_stable <- function(what, x, alpha, beta, gamma = 1, delta = 0, pm = 0, flags = c(0, 0), seed = c(0, 0, 0),
                        threads = 1) {
  laws <- lapply(list(alpha, beta, gamma, delta), as.double)
  .Call(C_call, match(what, c("density", "distribution", "quantile", "score", "random")), as.double(x), laws,
        as.integer(pm), as.integer(flags), as.double(seed), as.integer(threads))
}

# Returns codes and messages for an invalid pm and for an empty column, and the value of a valid call after them.
wrong_calls <- function() .Call(C_wrong)

# TRUE if the package returns no table for the next version of the header.
is_too_old <- function() .Call(C_next_version)
