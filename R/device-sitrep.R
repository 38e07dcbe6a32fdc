# Environment variables that this package, OpenMP or the OpenCL loader read.
watched_variables <- c("STABLECL_THREADS", "STABLECL_BACKEND", "STABLECL_OPENCL_LIBRARY", "STABLECL_CPPFLAGS",
                       "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "_R_CHECK_LIMIT_CORES_", "_R_CHECK_PACKAGE_NAME_",
                       "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "CUDA_VISIBLE_DEVICES",
                       "R_USER_CACHE_DIR", "XDG_CACHE_HOME")

#' Situation report for bug reports
#'
#' A one-screen summary of this installation: versions, how the package was built, threads, OpenCL library and devices,
#' settings, and whether reference values are reproduced, on the CPU and on every usable device.
#'
#' Another R process examines the devices, so that a driver that crashes or hangs does not affect this one; it is
#' terminated after `timeout` seconds.  Only programs on disk ([stable_cache()]) may change: settings, caches in memory
#' and the state of the random number generator remain the same, and no driver is loaded in this R process.  Errors
#' become part of the report.
#'
#' @param timeout time limit for drivers in seconds, one number of at least 0; with 0 drivers are not queried.  Programs
#'   that a driver builds for the first time can take some seconds.
#' @return A list of class `"stable_sitrep"`, whose print method shows all of it: `package` (version), `R`, `system`,
#'   `built` (how), `processors`, `threads`, `options` and `environment` (those that are set, see [stablecl-options]),
#'   `preference` (the selected backend: [stable_backend()]), `given_up` (why devices are no longer used, or `""`),
#'   `cache` ([stable_cache()]), `check` (the largest error on the CPU), `library` (the OpenCL library), `devices`
#'   (those of [stable_devices()], with the columns `chosen`, whether large jobs run on the device, and `check`), and
#'   `trouble` (problems with drivers, or `""`).  An item that could not be determined is a sentence with the reason.
#'   The element `wish`, the former name of `preference`, is deprecated.  `format()` returns the printed lines.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`timeout` is not one number of at least 0, or an argument of `print()` or
#'     `format()` is unknown or empty.}
#' }
#' Other errors become part of the report.
#' @seealso [stablecl-options], [stable_devices()], [stable_backend()].
#' @examples
#' stable_sitrep(timeout = 0)
#' if (interactive()) stable_sitrep()          # another R process loads the drivers
#' @export
stable_sitrep <- function(timeout = 60) {
  if (!is.numeric(timeout) || length(timeout) != 1L || is.na(timeout) || timeout < 0) {
    stop_with(sys.call(), "argument", "`timeout` must be one number of seconds, at least 0, not ",
              value_text(timeout), ".")
  }
  situation <- value_or_failure(.Call(C_situation))
  if (is.character(situation)) situation <- list(call = "", wrong = situation, given_up = "")
  set <- options()[startsWith(names(options()), "stablecl.")]
  variables <- Sys.getenv(watched_variables, unset = NA, names = TRUE)
  report <- list(
    package = value_or_failure(as.character(utils::packageVersion("stablecl"))),
    R = R.version.string, system = value_or_failure(describe_system()), built = value_or_failure(describe_build()),
    processors = value_or_failure(.Call(C_build)$processors), threads = value_or_failure(stable_threads()),
    options = set, environment = variables[!is.na(variables)], preference = preference_of(situation),
    given_up = situation$given_up, cache = value_or_failure(stable_cache()), check = value_or_failure(check_cpu()))
  report <- c(report, examine_devices(situation$call, timeout))
  report$wish <- report$preference                          # the former name of this element
  structure(report, class = "stable_sitrep")
}

# Returns the value of `expr`, or one line with its error message.
value_or_failure <- function(expr) {
  tryCatch(expr, error = function(e) {
    if (is_time_limit(e)) stop(e) else paste("FAILS:", gsub("\\s+", " ", conditionMessage(e)))
  })
}

describe_system <- function() {
  system <- Sys.info()
  paste0(if (is.null(system)) R.version$os else paste(system[["sysname"]], system[["release"]]), ", ",
         R.version$platform)
}

describe_build <- function() {
  b <- .Call(C_build)
  built <- strsplit(utils::packageDescription("stablecl")$Built, "; ")[[1L]]
  c(paste("by", b$compiler, "for", built[1L]),
    if (is.na(b$openmp)) "no OpenMP" else paste("OpenMP", b$openmp),
    switch(paste(b$clones), "512" = "code for AVX2 and AVX-512", "256" = "code for AVX2", "no code for AVX2"),
    if (b$opencl) "OpenCL" else "no OpenCL",
    if (b$fast_math) "WITH -ffast-math, WHICH REDUCES ACCURACY")
}

# Returns the selected backend and its origin as text, or the reason why the selection is invalid.
preference_of <- function(situation) {
  if (!is.null(situation$wrong)) return(situation$wrong)
  preferences <- unlist(situation[c("call", "option", "environment")])
  preferences <- preferences[nzchar(preferences)]
  if (length(preferences) == 0L) return("auto (default)")
  sprintf("%s (by %s)", preferences[1L], names(preferences)[1L])
}

# Returns the devices with the results of their checks, from a child process.
examine_devices <- function(preference, timeout) {
  none <- list(library = "", devices = NULL, trouble = "")
  if (timeout == 0) return(utils::modifyList(none, list(trouble = "drivers were not queried")))
  got <- value_or_failure(query_in_child(preference, timeout))
  if (is.character(got)) return(utils::modifyList(none, list(trouble = got)))
  devices <- got$devices
  if (!is.null(devices)) {
    devices$chosen <- seq_len(nrow(devices)) %in% got$chosen
    devices$check <- as.character(got$check)
  }
  list(library = c(got$library, "")[1L], devices = devices, trouble = c(got$trouble, "")[1L])
}

#' @export
format.stable_sitrep <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  line <- function(label, text) sprintf("  %-12s %s", label, text)
  set <- function(values) {
    if (length(values) == 0L) return("none set")
    paste(names(values), "=", vapply(values, function(v) paste(format(v), collapse = " "), ""), collapse = ", ")
  }
  c(paste("stablecl", x$package),
    line("R", sub("^R version ", "", x$R)),
    line("system", x$system),
    line("built", paste(x$built, collapse = ", ")),
    line("threads", paste0(x$threads, if (!anyNA(x$processors)) paste0(", of ", x$processors, " processors"))),
    line("options", set(x$options)),
    line("environment", set(x$environment)),
    line("preference", x$preference),
    if (nzchar(x$given_up)) line("disabled", x$given_up),
    line("cache", if (is.character(x$cache)) x$cache else format_cache(x$cache)),
    if (is.list(x$cache)) line("programs", format_programs(x$cache$programs)),
    line("check", paste0(nrow(reference_values), " reference points on the CPU: ", x$check)),
    line("OpenCL", opencl_summary(x)),
    device_lines(x$devices))
}

opencl_summary <- function(x) {
  if (is.null(x$devices)) return(x$trouble)
  n <- nrow(x$devices)
  found <- if (n == 0L) paste0("no devices: ", attr(x$devices, "note"))
           else sprintf("%d %s through %s", n, ngettext(n, "device", "devices"), x$library)
  paste(c(found, if (nzchar(x$trouble)) x$trouble), collapse = "; ")
}

device_lines <- function(devices) {
  unlist(lapply(seq_len(NROW(devices)), function(i) {
    d <- devices[i, ]
    c(sprintf("    %d. %s (%s), %s", i, d$device, d$platform, d$type),
      sprintf("       %d units, %s, OpenCL %s, driver %s, %s", d$compute_units, format_bytes(d$memory, "IEC"),
              d$opencl_version, d$driver, if (d$fp64) "fp64" else "no fp64"),
      paste0("       ", if (d$usable) "usable" else paste("not usable:", d$why_not), ", ",
             if (d$chosen) "used for large jobs" else "not used", "; check: ", d$check))
  }))
}

#' @export
print.stable_sitrep <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  writeLines(format(x, ...))
  invisible(x)
}
