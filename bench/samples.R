# Options and simulated samples, for the scripts of this folder.

# Returns the value of --name= on the command line, converted to the class of the default.
option <- function(name, default) {
  given <- sub(paste0("--", name, "="), "", grep(paste0("^--", name, "="), commandArgs(TRUE), value = TRUE))
  if (length(given)) methods::as(given, class(default)) else default
}

# Returns the list of f(k) for k = 1, ..., n, computed by `cores` processes; stops if one of them fails.  f sets a seed,
# so that the results do not depend on the number of processes.  is_shared: there is one process for each core, which
# computes every cores-th sample, instead of one for each sample.
each_sample <- function(n, cores, f, is_shared = FALSE) {
  found <- parallel::mclapply(seq_len(n), f, mc.cores = cores, mc.preschedule = is_shared)
  failed <- vapply(found, inherits, NA, "try-error")
  if (any(failed)) stop(found[[which(failed)[1]]])
  found
}
