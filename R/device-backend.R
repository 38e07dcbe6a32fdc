#' Number of threads
#'
#' Gets or sets the number of threads that the functions of this package use
#' for large jobs.  Results do not depend on it.
#'
#' Without a call to this function the number is taken from
#' `options(stablecl.threads = )`, or else from the environment variable
#' `STABLECL_THREADS`, or else is half the logical processors (at least 1); in
#' each case it is at most `OMP_NUM_THREADS`.  A number set by `stable_threads(n)`
#' takes precedence over all of these.  Whatever its origin, the number is limited by
#' `OMP_THREAD_LIMIT`, and by 2 while a package is being checked.  Environment
#' variables are read when the package is loaded.
#'
#' The setting affects this package only.  A job gets one thread for about every 4
#' milliseconds that it would take on one thread, so that small jobs run on one thread:
#' those of fewer than about 400000 densities of one shape, 2700 densities of different
#' shapes, or 4000 quantiles of one shape.  One thread is also used in forked processes (such as
#' those of `parallel::mclapply()`), and if the package was built without OpenMP.
#'
#' @param n number of threads, from 1 to 65536, 0 for the default, or `NULL` to leave the
#'   setting unchanged.
#' @return The number of threads in force before the call, invisibly when `n` is
#'   given.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`n` is not a number of threads.}
#' }
#' @seealso [stable_backend()], [stable_cache()], [stablecl-workers], [stablecl-options]; [dstable()], [gintegrate()],
#'   [gintegrate-devices].
#' @examples
#' stable_threads()
#' before <- stable_threads(1)
#' stable_threads(before)
#' @export
stable_threads <- function(n = NULL) {
  if (is.null(n)) return(.Call(C_threads, NULL))
  if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 0 || n > 65536) {
    stop_with(sys.call(), "argument", "`n` must be a number of threads from 1 to 65536, 0 for the default, or NULL, ",
              "not ", value_text(n), ".")
  }
  invisible(.Call(C_threads, as.integer(n)))
}

#' Caches of interpolants and of programs
#'
#' Reports two caches, and limits their sizes: interpolants for large calls, in memory, and the compiled programs of
#' devices, on disk.
#'
#' @section Interpolants:
#' A call of 5000 elements or more with one `alpha` and one `beta` is not computed point by
#' point.  Instead, piecewise polynomials that interpolate the log density, the log probabilities
#' and (for [qstable()]) the quantiles of that distribution are built from exact values, checked
#' against exact values between the nodes, and evaluated.  Building them takes about 2 milliseconds;
#' later calls of 2000 elements or more with the same `alpha` and `beta` reuse them.  Results agree
#' with those of small calls within the accuracy stated in [dstable()].
#'
#' When the limit is reached, the least recently used interpolants are discarded first, but never
#' those just built; all are discarded when the package is unloaded.  With a limit of 0 the CPU
#' builds no interpolants, and computes every element exactly.
#'
#' Interpolants for the devices of [stable_devices()] are built and stored separately, in memory that
#' is not listed here.  The same limit applies to them, and a new one takes effect with the next distribution that
#' a device needs; even with a limit of 0 its interpolants are built, and kept until those of another distribution are
#' built.
#'
#' @section Programs:
#' The driver of a device compiles the programs of this package, and those of the integrands of [gintegrate()], when
#' they are first used, which can take some seconds.  The compiled programs are kept on disk, so that later sessions
#' need no compiler, in the folder `tools::R_user_dir("stablecl", "cache")` or that of `options(stablecl.programs = )`
#' ([stablecl-options]).  While a package is being checked (`R CMD check`), and for devices of PoCL, which keeps its
#' programs in a folder of its own, they are kept only if the option selects a folder.
#' `tools::R_user_dir()` reads its environment variables when the setting is first used.
#'
#' A program is used only for the source text, build options, device, driver and platform that it was built for.  A
#' file that is incomplete or altered, belongs to another user or can be changed by others is ignored, and replaced when
#' the program has been built again; a folder that belongs to another user or can be changed by others is not used.
#' When the limit is reached, the programs that have not been used for the longest time are removed first; programs that
#' have not been used for 90 days are removed in any case.  Other files in the folder are not touched.
#' `stable_cache(programs = 0)` removes all programs and keeps none until another limit is set.
#'
#' @param limit limit of the interpolants: number of bytes, from 0 to 2^50, or `NULL` to leave it unchanged.  The
#'   default limit is 32 MB.  Whatever the limit, those of at most 256 distributions are kept.  A value of
#'   `stable_cache()` restores both of its limits.
#' @param programs limit of the programs on disk: number of bytes, from 0 to 2^50, or `NULL` to leave it unchanged.  The
#'   default limit is 64 MB.  A new limit applies until R ends.
#' @return A list of class `"stable_cache"`: `limit` and `bytes` (in use), both in
#'   bytes; the data frame `laws` with a row for each distribution, the most recently used
#'   first: `alpha`, `beta`, `bytes`, and whether `quantiles` are cached; and the list `programs` with `folder` (`""`
#'   for none), `limit` and `bytes`, the number of `files`, and `trouble` (why the folder cannot be used, or `""`).  If
#'   a limit is given, the list describes the state before the call and is returned invisibly; it can be passed as
#'   `limit` to restore the limits.
#' @examples
#' x <- dstable(seq(-5, 5, length.out = 5000), 1.5, 0.5)
#' stable_cache()
#' before <- stable_cache(0)
#' stable_cache(before)
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`limit` or `programs` is not a number of bytes.}
#' }
#' A folder that cannot be used is not an error; the element `trouble` states the reason.
#' @seealso [stable_threads()], [stable_backend()], [stablecl-options].
#' @export
stable_cache <- function(limit = NULL, programs = NULL) {
  if (inherits(limit, "stable_cache")) {
    if (is.null(programs)) programs <- limit$programs$limit
    limit <- limit$limit
  }
  check_limit(limit, "limit")
  check_limit(programs, "programs")
  state <- .Call(C_cache, if (is.null(limit)) NULL else as.double(limit),
                 if (is.null(programs)) NULL else as.double(programs))
  laws <- data.frame(state[c("alpha", "beta", "bytes", "quantiles")])
  cache <- structure(list(limit = state$limit, bytes = sum(laws$bytes), laws = laws, programs = state$programs),
                     class = "stable_cache")
  if (is.null(limit) && is.null(programs)) cache else invisible(cache)
}

check_limit <- function(x, name) {
  if (is.null(x) || (is.numeric(x) && length(x) == 1L && !is.na(x) && x >= 0 && x <= 2^50)) return(invisible())
  stop_with(sys.call(-1L), "argument", "`", name, "` must be one number of bytes from 0 to 2^50, or NULL, not ",
            value_text(x), ".")
}

# Returns R's folder for the cache of this package, or "" if there is no home directory.  Systems other than Windows
# follow the rules of ?tools::R_user_dir, because loading the namespace of tools takes longer than all else that the
# first call of a session does.
cache_folder <- function() tryCatch(enc2native(user_folder()), error = function(e) "", warning = function(w) "")

user_folder <- function() {
  if (.Platform$OS.type == "windows") return(tools::R_user_dir("stablecl", "cache"))
  set <- Sys.getenv(c("R_USER_CACHE_DIR", "XDG_CACHE_HOME"))
  set <- set[nzchar(set)]
  above <- if (length(set)) set[[1L]]
           else if (Sys.info()[["sysname"]] == "Darwin") file.path(normalizePath("~"), "Library/Caches/org.R-project.R")
           else file.path(normalizePath("~"), ".cache")
  file.path(above, "R", "stablecl")
}

format_bytes <- function(bytes, standard = "legacy") {
  format(structure(bytes, class = "object_size"), units = "auto", standard = standard)
}

format_cache <- function(x) {
  sprintf("%d %s cached, %s of %s used", nrow(x$laws), ngettext(nrow(x$laws), "distribution", "distributions"),
          format_bytes(x$bytes), format_bytes(x$limit))
}

format_programs <- function(x) {
  if (!nzchar(x$folder)) return("no programs of devices are kept on disk")
  sprintf("%d %s of devices in '%s', %s of %s used%s", x$files, ngettext(x$files, "program", "programs"), x$folder,
          format_bytes(x$bytes), format_bytes(x$limit), if (nzchar(x$trouble)) paste0("; ", x$trouble) else "")
}

#' @export
print.stable_cache <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  writeLines(c(format_cache(x), format_programs(x$programs)))
  if (nrow(x$laws) > 0L) print(x$laws, ...)
  invisible(x)
}

#' Choose where to compute
#'
#' Gets or sets where to compute: on the CPU, or on an OpenCL device such as a graphics
#' card.  Results differ by no more than their errors.
#'
#' The possible values of `which` are
#' \describe{
#'   \item{`"auto"`}{(the default) the CPU, and for sufficiently large jobs the first
#'     usable device that is not itself a CPU.  The number of elements from which the
#'     device is used is measured once longer jobs have taken half a second in all on the
#'     CPU, and is kept for the session.  While a program is being compiled for the device, the
#'     CPU computes.  While a package is being checked
#'     (`R CMD check`) `"auto"` is `"cpu"`, so that a check loads no driver.}
#'   \item{`"cpu"`}{the CPU.}
#'   \item{`"opencl"`}{the first usable device; one that is not a CPU if
#'     there is one.}
#'   \item{`"gpu"`}{the first usable device that is not a CPU; an error if there is none.}
#'   \item{`"opencl:2"`}{the device in row 2 of [stable_devices()].}
#'   \item{`"opencl:all"`}{all usable devices together, except those that are
#'     CPUs if there are others.  They share every large job, and the results are
#'     identical to those of one device.}
#'   \item{part of a name}{the first device whose name contains it, ignoring the case
#'     of letters; usable devices come first.}
#'   \item{`"default"`}{no preference: the option or the environment variable applies.}
#' }
#'
#' Without a call to this function the preference is that of `options(stablecl.backend = )`,
#' or else that of the environment variable `STABLECL_BACKEND`, which is read when the
#' package is loaded, or else `"auto"`.
#'
#' `local_stable_backend()` sets the backend until the calling function returns;
#' at top level, outside any function, it is equivalent to `stable_backend()`.
#'
#' @section Failures:
#' A device is tested when it is first used: a few values by every method of
#' evaluation are compared with those of the CPU.  If this test or any later computation
#' fails under `"auto"`, the CPU finishes the call, a single warning of class
#' `stablecl_warning_device` states the reason, and the device is not used again until
#' `stable_backend("auto")` is called.  A device that was requested by name raises an error
#' of class `stablecl_error_device` instead; the next call tries it again.
#'
#' A device without double precision can be selected, but is used only for calls with `precision = "single"`: others are
#' errors of class `stablecl_error_unsupported`, and `"auto"` leaves them to the CPU.
#'
#' A computation that devices do not support, such as the sums of `stablefit(method = "ecf")`, is an error of class
#' `stablecl_error_unsupported` if a device was requested by name; otherwise the CPU performs it.
#' `vignette("devices")` lists these computations, and those that the CPU performs within larger calls, such as
#' starting values.  The CPU also computes everything in forked processes (such as those of
#' `parallel::mclapply()`), whatever the preference.
#'
#' @param which what to compute with, one string; or `NULL` to leave the setting unchanged;
#'   or a value of `stable_backend()`, whose preference is restored.
#' @param envir the frame on whose exit the former setting is restored.
#' @return `stable_backend()` returns an object of class `stable_backend`, whose print method
#'   shows what is in use: a list with the elements `preference`, `source` (of the
#'   preference: `"call"`, `"option"`, `"environment"` or `"default"`), `backend` (`"cpu"`
#'   or `"opencl"`), `devices` (the rows of [stable_devices()] that large jobs run on),
#'   `open` (whether a session on them is open), `crossover` (named; `NA` where not
#'   measured), `given_up` (why devices are no longer used, or `""`), `wrong` (why the preference
#'   cannot be met, or `""`) and `forked`.  The element `wish`, the former name of `preference`, is deprecated.
#'   With an argument, it returns invisibly the preference set by the last such call, or `"default"`
#'   if there was none.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_device"`}{no device matches `which`; the former setting remains. Later calls raise it if
#'     the device fails;}
#'   \item{`"stablecl_error_unsupported"`}{raised by later calls that the device does not support;}
#'   \item{`"stablecl_error_argument"`}{`which` is not one string, or missing for `local_stable_backend()`, or `envir`
#'     is not an environment.}
#' }
#' Under `"auto"` the failure of a device is a warning of class `"stablecl_warning_device"`.
#' @seealso [stable_devices()], [stable_threads()], [stable_cache()], [stablecl-workers], [stablecl-options],
#'   [stable_sitrep()]; `vignette("devices", package = "stablecl")`.
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
    which <- if (identical(which$source, "call")) which$preference else "default"
  }
  if (!is.character(which) || length(which) != 1L || is.na(which) || !nzchar(which)) {
    stop_with(sys.call(), "argument", "`which` must be one string (such as \"auto\", \"cpu\", \"opencl\" or part of ",
              "the name of a device), or NULL, not ", value_text(which), ".")
  }
  before <- .Call(C_backend_preference, if (which == "default") "" else which)
  invisible(if (nzchar(before)) before else "default")
}

#' @rdname stable_backend
#' @export
local_stable_backend <- function(which, envir = parent.frame()) {
  check_given()
  if (!is.environment(envir))
    stop_with(sys.call(), "argument", "`envir` must be an environment, not ", value_text(envir), ".")
  before <- with_call(sys.call(), stable_backend(which))
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
  state$wish <- state$preference                            # the former name of this element
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
  cat("Backend of stablecl:\n")
  line("preference", sprintf("%s (%s)", x$preference, source))
  if (nzchar(x$wrong)) line("unavailable", x$wrong)
  if (x$backend == "cpu" && !nzchar(x$wrong)) line("backend", cpu)
  if (x$backend == "opencl") line("backend", device)
  if (x$auto && length(device)) line("large jobs", device)
  if (length(device)) line("session", if (x$open) "open" else "not yet open")
  if (x$forked) line("note", "a forked process uses the CPU only")
  known <- x$crossover[!is.na(x$crossover)]
  if (x$auto && length(known)) {
    size <- ifelse(is.finite(known), paste("from", format(ceiling(known), trim = TRUE, big.mark = ","), "elements"),
                   "never")
    line(c("device used", rep("", length(known) - 1L)), sprintf("%s: %s", names(known), size))
  }
  if (nzchar(x$given_up)) line("disabled", x$given_up)
  invisible(x)
}
