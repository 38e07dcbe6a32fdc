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
#' fewer than some 20000 densities or 4000 quantiles of one shape, or 700 densities
#' whose shapes all differ.  One thread is also used in forked processes (such as
#' those of `parallel::mclapply()`), and where the package was built without OpenMP.
#'
#' @param n number of threads, from 1 to 65536, or 0 for the default, or `NULL` to leave the
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
    stop_with(sys.call(), "argument", "`n` must be a number of threads up to 65536, 0 for the default, or NULL, not ",
              value_text(n), ".")
  }
  invisible(.Call(C_threads, as.integer(n)))
}

#' What is kept for large calls
#'
#' Calls of 5000 elements or more with one `alpha` and one `beta` are not computed point by
#' point: log density, log probabilities and (for [qstable()]) quantiles of that
#' law are drawn as piecewise polynomials from exact values first, checked against exact values
#' between them, and then read off.  That takes about 2 milliseconds, and later calls of 2000 elements
#' or more with the same `alpha` and `beta` find it there.  Results agree with those of
#' small calls within the accuracy that [dstable()] states.
#'
#' The least recently used law is given up first when the limit is reached, though not the
#' one just drawn; everything is when the package is unloaded.  With a limit of 0 the processor
#' draws nothing, and computes every element exactly.
#'
#' What the devices of [stable_devices()] read is drawn and kept apart from that, in memory that
#' is not listed here.  The same limit bounds it from the next law on that is drawn for a device;
#' even with a limit of 0 that law is drawn, and kept until another one is.
#'
#' @param limit number of bytes, from 0 to 2^50, or `NULL` to leave the limit alone.  32 MB (some 300 laws)
#'   without a call to this function.
#' @return A list of class `"stable_cache"`: `limit` and `bytes` (in use), both in
#'   bytes, and the data frame `laws` with a row for each law, the most recently used
#'   first: `alpha`, `beta`, `bytes`, and whether `quantiles` are drawn.  It is returned invisibly,
#'   as it was before the call, if `limit` is given; and it may be given as `limit` to
#'   restore that limit.
#' @examples
#' x <- dstable(seq(-5, 5, length.out = 5000), 1.5, 0.5)
#' stable_cache()
#' before <- stable_cache(0)
#' stable_cache(before)
#' @seealso [stable_threads()], [stable_backend()].
#' @export
stable_cache <- function(limit = NULL) {
  if (inherits(limit, "stable_cache")) limit <- limit$limit
  if (!is.null(limit) &&
      (!is.numeric(limit) || length(limit) != 1L || is.na(limit) || limit < 0 || limit > 2^50)) {
    stop_with(sys.call(), "argument", "`limit` must be one number of bytes up to 2^50, or NULL, not ",
              value_text(limit), ".")
  }
  kept <- .Call(C_cache, if (is.null(limit)) NULL else as.double(limit))
  laws <- data.frame(kept[c("alpha", "beta", "bytes", "quantiles")])
  cache <- structure(list(limit = kept$limit, bytes = sum(laws$bytes), laws = laws), class = "stable_cache")
  if (is.null(limit)) cache else invisible(cache)
}

format_bytes <- function(bytes, standard = "legacy") {
  format(structure(bytes, class = "object_size"), units = "auto", standard = standard)
}

format_cache <- function(x) {
  sprintf("%d %s kept in %s of %s", nrow(x$laws), ngettext(nrow(x$laws), "law is", "laws are"),
          format_bytes(x$bytes), format_bytes(x$limit))
}

#' @export
print.stable_cache <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  writeLines(format_cache(x))
  if (nrow(x$laws) > 0L) print(x$laws, ...)
  invisible(x)
}

#' Where to compute
#'
#' Gets or sets what computes: the processor, or an OpenCL device such as a graphics
#' card.  Results differ by no more than their errors.
#'
#' The possible values of `which` are
#' \describe{
#'   \item{`"auto"`}{(the default) the processor, and the first usable device that is not
#'     itself a processor for jobs that are large enough.  From how many
#'     elements on that is so, is measured once jobs of some length have taken half a
#'     second on the processor, and kept for the session.  While a package is being checked
#'     (`R CMD check`) `"auto"` is `"cpu"`, so that a check loads no driver.}
#'   \item{`"cpu"`}{the processor.}
#'   \item{`"opencl"`}{the first usable device; one that is not a processor if
#'     there is one.}
#'   \item{`"opencl:2"`}{the device in row 2 of [stable_devices()].}
#'   \item{`"opencl:all"`}{all usable devices together, without those that are
#'     processors if there are others.}
#'   \item{part of a name}{the first device whose name contains it, whatever the case
#'     of the letters, usable ones first.}
#'   \item{`"default"`}{no wish: what the option or the environment variable says.}
#' }
#'
#' Without a call to this function the wish is that of `options(stablecl.backend = )`,
#' else that of the environment variable `STABLECL_BACKEND`, which is read when the
#' package is loaded, else `"auto"`.
#'
#' `local_stable_backend()` sets the backend until the function that calls it ends;
#' at top level, where nothing ends, it is the same as `stable_backend()`.
#'
#' @section Failures:
#' A device is tested when it is first used: a few points by every method of
#' evaluation are compared with those of the processor.  If that or anything else fails,
#' now or later, then under `"auto"` the processor finishes the call, one warning of class
#' `stablecl_warning_device` says what happened, and the device is left alone until
#' `stable_backend("auto")` is called.  A device that was asked for by name raises an error
#' of class `stablecl_error_device` instead; the next call tries it again.
#'
#' What a device does not do, such as [stable_mode()], the processor does.  So it does all
#' work in forked processes (such as those of `parallel::mclapply()`), whatever the wish.
#'
#' @param which what to compute with, one string; or `NULL` to leave the setting alone;
#'   or a value of `stable_backend()` whose wish is to be set again.
#' @param envir the frame at whose end the former setting comes back.
#' @return `stable_backend()` an object of class `stable_backend`, whose print method
#'   says what is in use: a list with the elements `wish`, `source` (of the wish:
#'   `"call"`, `"option"`, `"environment"` or `"default"`), `backend` (`"cpu"`
#'   or `"opencl"`), `devices` (the rows of [stable_devices()] that large jobs run on),
#'   `open` (whether a session on them is open), `crossover` (named; `NA` where not
#'   measured), `given_up` (why devices were given up, or `""`), `wrong` (why the wish
#'   cannot be met, or `""`) and `forked`.
#'   With an argument, invisibly, what the last such call had set, `"default"` if nothing.
#' @seealso [stable_devices()], [stable_threads()].
#' @examples
#' stable_backend()
#' before <- stable_backend("cpu")
#' stable_backend(before)
#'
#' on_cpu <- function(x) {
#'   local_stable_backend("cpu")
#'   dstable(x, 1.5, 0.5)
#' }
#' on_cpu(0)
#' @export
stable_backend <- function(which = NULL) {
  if (is.null(which)) return(backend_state())
  if (inherits(which, "stable_backend")) {
    which <- if (identical(which$source, "call")) which$wish else "default"
  }
  if (!is.character(which) || length(which) != 1L || is.na(which) || !nzchar(which)) {
    stop_with(sys.call(), "argument", "`which` must be one string (such as \"auto\", \"cpu\", \"opencl\" or part of ",
              "the name of a device), or NULL, not ", value_text(which), ".")
  }
  before <- .Call(C_backend_wish, if (which == "default") "" else which)
  invisible(if (nzchar(before)) before else "default")
}

#' @rdname stable_backend
#' @export
local_stable_backend <- function(which, envir = parent.frame()) {
  if (!is.environment(envir))
    stop_with(sys.call(), "argument", "`envir` must be an environment, not ", value_text(envir), ".")
  before <- stable_backend(which)
  if (!identical(envir, globalenv())) {
    do.call(on.exit, list(as.call(list(stable_backend, before)), add = TRUE), envir = envir)
  }
  invisible(before)
}

backend_state <- function() {
  state <- .Call(C_backend_state)
  state$devices <- structure(device_table(length(state$devices) > 0L)[state$devices, ], note = NULL)
  state$backend <- if (nrow(state$devices) > 0L && !state$auto) "opencl" else "cpu"
  state$threads <- stable_threads()
  structure(state, class = "stable_backend")
}

#' @export
print.stable_backend <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  device <- sprintf("'%s' (%s, driver %s)", x$devices$device, x$devices$platform,
                    x$devices$driver)
  cpu <- sprintf("CPU, %d %s", x$threads, ngettext(x$threads, "thread", "threads"))
  source <- c(call = "stable_backend()", option = "options(stablecl.backend = )",
              environment = "STABLECL_BACKEND", default = "default")[[x$source]]
  line <- function(label, text) cat(sprintf("  %-13s %s\n", label, text), sep = "")
  cat("stablecl computes as follows:\n")
  line("asked for", sprintf("%s (%s)", x$wish, source))
  if (nzchar(x$wrong)) line("cannot be:", x$wrong)
  if (x$backend == "cpu" && !nzchar(x$wrong)) line("backend", cpu)
  if (x$backend == "opencl") line("backend", device)
  if (x$auto && length(device)) line("large jobs", device)
  if (length(device)) line("session", if (x$open) "open" else "not opened yet")
  if (x$forked) line("note", "a forked process computes on the CPU")
  known <- x$crossover[!is.na(x$crossover)]
  if (x$auto && length(known)) {
    size <- ifelse(is.finite(known), paste("from", format(ceiling(known), trim = TRUE, big.mark = ","),
                                           "elements on"), "never")
    line(c("device for", rep("", length(known) - 1L)), sprintf("%s: %s", names(known), size))
  }
  if (nzchar(x$given_up)) line("given up", x$given_up)
  invisible(x)
}
