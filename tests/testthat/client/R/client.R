# One function of the table, each of whose threads computes a stretch of the elements with an evaluator of its own;
# scores want one thread, as their columns are those of a call.  `flags`: the two integer arguments, where there are
# any; `seed`: two words, and the number of the first element.
call_stable <- function(what, x, alpha, beta, gamma = 1, delta = 0, pm = 0, flags = c(0, 0), seed = c(0, 0, 0),
                        threads = 1) {
  laws <- lapply(list(alpha, beta, gamma, delta), as.double)
  .Call(C_call, match(what, c("density", "distribution", "quantile", "score", "random")), as.double(x), laws,
        as.integer(pm), as.integer(flags), as.double(seed), as.integer(threads))
}

# Codes and messages for a pm out of bounds and for an empty column, and the value of a good call thereafter.
wrong_calls <- function() .Call(C_wrong)

# What the table answers to a header of the next version: is it none?
is_too_old <- function() .Call(C_next_version)
