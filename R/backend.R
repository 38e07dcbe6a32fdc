#' Number of threads
#'
#' Gets or sets the number of threads that the functions of this package use
#' for large jobs.  Results do not depend on it.
#'
#' Without a call to this function the number is that of
#' `options(stablecl.threads = )`, else that of the environment variable
#' `STABLECL_THREADS`, else half the logical processors (at least 1), and in
#' each case at most `OMP_NUM_THREADS`.  A number set by `stable_threads(n)`
#' comes before all of these.  Whatever its origin, the number is limited by
#' `OMP_THREAD_LIMIT`, and by 2 while a package is being checked.  Environment
#' variables are read when the package is loaded.
#'
#' The setting concerns this package only.  A job gets a thread for every 4
#' milliseconds or so that it would take on one thread, so that small ones run on one:
#' fewer than some 20000 densities or 4000 quantiles of one shape, or 200 densities
#' whose shapes all differ.  One thread is also used in forked processes (such as
#' those of `parallel::mclapply()`), and where the package was built without OpenMP.
#'
#' @param n number of threads, or 0 for the default, or `NULL` to leave the
#'   setting alone.
#' @return The number of threads in force before the call, invisibly when `n` is
#'   given.
#' @examples
#' stable_threads()
#' before <- stable_threads(1)
#' stable_threads(before)
#' @export
stable_threads <- function(n = NULL) {
  if (is.null(n)) return(.Call(C_threads, NULL))
  if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 0 || n > 65536) {
    stop("'n' must be one number of threads, 0 for the default, or NULL")
  }
  invisible(.Call(C_threads, as.integer(n)))
}
