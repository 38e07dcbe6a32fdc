#' Options and environment variables
#'
#' All settings that are not arguments of functions.  None of them changes a result by more than its error.
#'
#' @section Options of R:
#' They are read at each call; a value outside the domain is ignored, except where stated.
#' \describe{
#'   \item{`stablecl.threads`}{number of threads for large jobs, one number from 1 to 65536 (a fraction is truncated).
#'     Default: not set, so that `STABLECL_THREADS` applies.  [stable_threads()] with a number takes precedence.}
#'   \item{`stablecl.backend`}{the backend, one string as in [stable_backend()].  Default: not set, so that
#'     `STABLECL_BACKEND` applies.  A device that does not exist is an error of class `stablecl_error_device` at the
#'     first computation.  [stable_backend()] with a string takes precedence.}
#'   \item{`stablecl.programs`}{the folder in which the compiled programs of devices are kept ([stable_cache()]), one
#'     string, or `FALSE` for none.  The folder is created when it is first needed.  Default: not set, which means
#'     `tools::R_user_dir("stablecl", "cache")`, or none while a package is being checked.}
#'   \item{`digits`}{R's option for the number of printed significant digits: integrals are printed with this number,
#'     fits and tests with three fewer, but at least three.}
#' }
#'
#' @section Environment variables:
#' Those for threads and backend are read when the package is loaded: set them before, for example in `.Renviron`.
#' \describe{
#'   \item{`STABLECL_THREADS`}{number of threads, a positive whole number.  Default: half the logical processors, at
#'     least 1.}
#'   \item{`STABLECL_BACKEND`}{the backend, as in [stable_backend()], shorter than 256 characters.  Default:
#'     `"auto"`.}
#'   \item{`OMP_NUM_THREADS`}{of OpenMP, a positive whole number: an upper limit unless [stable_threads()] has been
#'     called with a number.  Default: no limit.}
#'   \item{`OMP_THREAD_LIMIT`}{of OpenMP, a positive whole number: an upper limit in any case.  Default: no limit.}
#'   \item{`_R_CHECK_LIMIT_CORES_`, `_R_CHECK_PACKAGE_NAME_`}{set by `R CMD check`: if the first is neither empty nor
#'     `false`, or the second is not empty, there are at most 2 threads, and `"auto"` uses no device.}
#'   \item{`STABLECL_OPENCL_LIBRARY`}{absolute path of the OpenCL library, instead of the system's default; read at the
#'     first search for devices.  With a relative path there are no devices, and [stable_devices()] gives the reason.}
#'   \item{`R_USER_CACHE_DIR`, `XDG_CACHE_HOME`}{of R, each the path of a folder: the first one that is set contains the
#'     default folder of compiled programs (see `tools::R_user_dir()`); read once in a session.  Default: the system's
#'     folder for caches.}
#'   \item{`STABLECL_CPPFLAGS`}{on Windows, when the package is installed from source: preprocessor flags, for example
#'     `-DSTABLECL_OPENCL -I<folder of the OpenCL headers>`.  Default: none, and no devices.}
#' }
#'
#' @section Installation from source:
#' On systems other than Windows, `install.packages(configure.args = )` accepts `"--with-opencl=<folder>"` (whose
#' `include/CL` contains the OpenCL headers; default: where the compiler and pkg-config find them),
#' `"--without-opencl"` (no devices), `"--without-openmp"` (one thread) and `"--without-clones"` (no code for AVX2 and
#' AVX-512 besides that for any processor).  Compiler and flags are those of R, `Makevars.site` and `~/.R/Makevars`; the
#' installation reports its choices.
#'
#' @section Settings by function:
#' [stable_threads()], [stable_backend()] and [stable_cache()] apply to the session.  [stable_sitrep()] shows the
#' settings in force.
#'
#' @examples
#' before <- options(stablecl.threads = 1)
#' stable_threads()
#' options(before)
#' @seealso [stable_threads()], [stable_backend()], [stable_cache()], [stable_sitrep()].
#' @name stablecl-options
#' @aliases stable_options
NULL
