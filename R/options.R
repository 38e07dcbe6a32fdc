#' Options and environment variables
#'
#' Everything that can be set from outside a call.  None of it changes a result by more than its error.
#'
#' @section Options of R:
#' They are read at each call; a value outside the domain counts as none, except where stated.
#' \describe{
#'   \item{`stablecl.threads`}{number of threads for large jobs, one number from 1 to 65536 (a fraction is cut off).
#'     Default: none, so that `STABLECL_THREADS` counts.  [stable_threads()] with a number comes before it.}
#'   \item{`stablecl.backend`}{what computes, one string as in [stable_backend()].  Default: none, so that
#'     `STABLECL_BACKEND` counts.  A device that is not there is an error of class `stablecl_error_device` when
#'     something is computed.  [stable_backend()] with a string comes before it.}
#'   \item{`digits`}{R's own: how many significant digits are printed, as many of an integral and three fewer of a fit
#'     or a test, but at least three.}
#' }
#'
#' @section Environment variables:
#' Those for threads and backend are read when the package is loaded: set them before, in `.Renviron` for example.
#' \describe{
#'   \item{`STABLECL_THREADS`}{number of threads, a whole number from 1 on.  Default: half the logical processors, at
#'     least 1.}
#'   \item{`STABLECL_BACKEND`}{what computes, as in [stable_backend()], shorter than 256 letters.  Default:
#'     `"auto"`.}
#'   \item{`OMP_NUM_THREADS`}{OpenMP's own, a whole number from 1 on: an upper limit unless [stable_threads()] has been
#'     called with a number.  Default: no limit.}
#'   \item{`OMP_THREAD_LIMIT`}{OpenMP's own, a whole number from 1 on: an upper limit in each case.  Default: no limit.}
#'   \item{`_R_CHECK_LIMIT_CORES_`, `_R_CHECK_PACKAGE_NAME_`}{set by `R CMD check`: with the first neither empty nor
#'     `false`, or with the second not empty, there are at most 2 threads, and `"auto"` uses no device.}
#'   \item{`STABLECL_OPENCL_LIBRARY`}{absolute path of the OpenCL library, instead of the system's usual one; read when
#'     devices are looked for the first time.  With a relative path there are no devices, and [stable_devices()] gives
#'     the reason.}
#'   \item{`STABLECL_CPPFLAGS`}{on Windows, when the package is installed from source: flags of the preprocessor, as
#'     `-DSTABLECL_OPENCL -I<folder of the OpenCL headers>`.  Default: none, and no devices.}
#' }
#'
#' @section Installation from source:
#' Other than on Windows, `install.packages(configure.args = )` takes `"--with-opencl=<folder>"` (whose `include/CL` has
#' the headers of OpenCL; default: where the compiler and pkg-config find them), `"--without-opencl"` (no devices),
#' `"--without-openmp"` (one thread) and `"--without-clones"` (no code for AVX2 and AVX-512 beside that for any
#' processor).  Compiler and flags are those of R, `Makevars.site` and `~/.R/Makevars`; the installation reports what
#' it uses.
#'
#' @section Settings by function:
#' [stable_threads()], [stable_backend()] and [stable_cache()] hold for the session.  [stable_sitrep()] shows what is
#' in force.
#'
#' @examples
#' before <- options(stablecl.threads = 1)
#' stable_threads()
#' options(before)
#' @seealso [stable_threads()], [stable_backend()], [stable_cache()], [stable_sitrep()].
#' @name stablecl-options
#' @aliases stable_options
NULL
