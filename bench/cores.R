# Returns the number of processors that this process may use, which taskset reduces; detectCores() counts all.  Not on
# Windows.
host_cores <- function() {
  allowed <- parallel::mcaffinity()
  if (is.null(allowed)) parallel::detectCores() else length(allowed)
}

# Returns the line of a page that states what other processors and devices of the host compute meanwhile: the text of
# the environment variable STABLECL_BESIDE, if there is one.
beside <- function() {
  what <- Sys.getenv("STABLECL_BESIDE")
  if (nzchar(what)) paste("* At the same time:", what) else character()
}
