# Returns the number of processors that this process may use, which taskset reduces; detectCores() counts all.  Not on
# Windows.
host_cores <- function() {
  allowed <- parallel::mcaffinity()
  if (is.null(allowed)) parallel::detectCores() else length(allowed)
}

# Returns the line of a page that states how many threads of the host compute in calls on the device and on the host.
threads_line <- function()
  sprintf("* Host threads: %d in calls on the device, %d in calls on the host, of %d processors that R may use",
          stable_threads(), host_cores(), host_cores())

# Returns the line of a page that states the device, and that calls on its host use a thread for each processor.
device_line <- function(device)
  sprintf("* Device: %s; calls on its host use %d threads, one for each processor that R may use",
          paste(device, collapse = ", "), host_cores())

# Returns the line of a page that states what other processors and devices of the host compute meanwhile: the text of
# the environment variable STABLECL_BESIDE, if there is one.
beside <- function() {
  what <- Sys.getenv("STABLECL_BESIDE")
  if (nzchar(what)) paste("* At the same time:", what) else character()
}
