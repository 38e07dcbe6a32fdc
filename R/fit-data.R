# Samples whose log-likelihood is evaluated many times, as in a fit.  A device keeps its copy of the sample between
# calls.

#' Keep a sample on a device
#'
#' Prepares a sample for several fits.  It is checked once, and a device that computes one of the fits keeps its
#' copy for the next, which saves repeated transfers of large samples.
#'
#' On the CPU nothing is copied, and a fit is identical to that of the sample itself.  A device keeps one sample
#' at a time.  The copy is freed together with the handle, or when another device computes.
#'
#' @param x a numeric vector of finite numbers, at least 8.
#' @return A handle of class `"stable_data"`, which [stablefit()] accepts in place of `x`; its `length()` is that of
#'   `x`.  A handle that was saved and restored can be used like `x` itself.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`x` is missing;}
#'   \item{`"stablecl_error_data"`}{the sample is not numeric, has missing or infinite values, or fewer than 8;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' @seealso [stablefit()], [stable_chunks()] for samples larger than memory, [stable_backend()].
#' @examples
#' set.seed(1)
#' handle <- stable_data(rstable(1e4, 1.5, 0.5))
#' handle
#' stablefit(handle)
#' stablefit(handle, fixed = list(beta = 0))
#' @export
stable_data <- function(x) {
  check_given()
  call <- match.call()
  x <- fit_sample(x, function(x) {
    stop_with(call, "data", "`x` must not contain missing values, but element ", which(is.na(x))[1L], " is ",
              x[is.na(x)][1L], ". Remove them with x[!is.na(x)].")
  }, call)
  structure(stable_data_put(x), values = x, class = "stable_data")
}

#' @export
length.stable_data <- function(x) length(attr(x, "values"))

#' @export
print.stable_data <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  cat("Sample of ", format(length(x), big.mark = ","), " values for stablefit()\n", sep = "")
  invisible(x)
}

# Returns a handle of x.  The vector itself is not copied.
stable_data_put <- function(x) {
  if (!is.numeric(x)) stop_with(sys.call(-1L), "data", "`x` must be numeric, not ", class(x)[1L], ".")
  .Call(C_data, as.double(x))
}

# Returns sum(weights * dstable(x, alpha, beta, gamma, delta, pm, log = TRUE)) for x or a handle of it; each parameter
# is one number.  The result does not depend on the number of threads, chunks or devices.  Weights are recycled, and
# terms of weight 0 are left out.  `calls` is the expected number of consecutive calls with this alpha and beta, which
# determines how much precomputation pays off.
stable_data_loglik <- function(data, alpha, beta, gamma = 1, delta = 0, pm = 0, weights = NULL, calls = 1) {
  .Call(C_loglik, check_data(data), one_law(alpha, beta, gamma, delta), pm, check_weights(weights),
        as.double(max(1, calls)), FALSE)
}

# Returns the parameters of one distribution as a vector, or raises an error.
one_law <- function(alpha, beta, gamma, delta, call = sys.call(-1L)) {
  law <- list(alpha = alpha, beta = beta, gamma = gamma, delta = delta)
  good <- vapply(law, function(v) is_numeric_or_logical(v) && length(v) == 1L, NA)
  if (!all(good))
    stop_with(call, "argument", "`", names(law)[!good][1L], "` must be one number, not ",
              value_text(law[!good][[1L]]), ".")
  as.double(unlist(law))
}

check_data <- function(data) {
  if (is.numeric(data)) return(as.double(data))
  if (typeof(data) != "externalptr")
    stop_with(sys.call(-1L), "data", "`data` must be numeric or a handle of stable_data(), not ", value_text(data), ".")
  data
}

check_weights <- function(weights) {
  if (is.null(weights)) return(NULL)
  if (!is.numeric(weights) || !length(weights))
    stop_with(sys.call(-1L), "argument", "`weights` must be numeric or NULL, not ", value_text(weights), ".")
  as.double(weights)
}
