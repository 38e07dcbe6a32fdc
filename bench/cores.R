# Returns the number of processors that this process may use, which taskset reduces; detectCores() counts all.  Not on
# Windows.
host_cores <- function() {
  allowed <- parallel::mcaffinity()
  if (is.null(allowed)) parallel::detectCores() else length(allowed)
}
