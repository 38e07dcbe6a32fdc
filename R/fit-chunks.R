# Samples larger than memory: read in chunks, in one pass for each step of a fit.

#' Samples larger than memory
#'
#' Describes a sample that is read in chunks, from a database or by a function, for fits, log-likelihoods and densities
#' with bounded memory.
#'
#' @section Sources:
#' With a connection of package \pkg{DBI}, `query` is sent at the beginning of each pass over the sample, and `size`
#' rows are fetched at a time.  The result must have one numeric column.  The order of its rows does not matter.
#'
#' A function is called with `reset = TRUE` at the beginning of each pass, which must make it start again (its value is
#' ignored), and then with `reset = FALSE` for the next chunk: a numeric vector, or `NULL` after the last one.  It
#' determines the size of the chunks.
#'
#' Missing values are left out.  Infinite values are an error, as is a sample whose number of values differs
#' between passes.
#'
#' @section Fits:
#' `stablefit(chunks)` estimates by maximum likelihood; weights, other methods and another `na.action` than [na.omit()]
#' are errors.  The first pass counts the values, computes their mean and variance, and keeps up to 131072 of them at
#' equally spaced positions, which are fitted first.  The search for the maximum for all values starts there.  Each of
#' its steps is one pass, and so is the Hessian at its end: there are about 7 passes in all.  The estimates and standard
#' errors are those of a fit in memory, up to the accuracy of the search (`control$tol`); a sample of up to 131072
#' values is fitted in memory.
#'
#' The object has the class `"stablefit_chunks"` in addition to `"stablefit"`.  Its residuals, plots and tests of the
#' data use the values that were kept; methods that fit the data again (profile likelihood, bootstrap, [anova()] of one
#' fit) are an error.  The estimate of `alpha` for the values that were kept must be at least 0.6, because the
#' likelihood is rough for smaller `alpha`.
#'
#' @section Precision:
#' With `precision = "single"`, which is never chosen silently, `stable_loglik()` evaluates log densities on an OpenCL
#' device in single precision, as [dstable()] does: the position of each value within the interpolant of the
#' distribution is computed in double precision and sent as a number of four bytes, and the device adds up log
#' densities as pairs of floats, whose rounding errors are below 1e-11 of the sum of the absolute values. Two floats
#' are returned for 4096 values. The error of a log-likelihood is at most `1e-6 * sum(pmax(1, abs(dstable(x, ..., log =
#' TRUE))))`. The errors of different values nearly cancel: in a test with 288 samples (`alpha` from
#' 0.12 to 2, random numbers, and values next to the centre and far from it) the error of the
#' sum is at most 5e-8 times the number of values plus 1e-12 times the sum in this bound. `pm` must be 0 or 1. A device
#' that was selected by name raises an error of class `"stablecl_error_unsupported"` otherwise; under `"auto"` a device
#' is used for a million values or more; the CPU always computes in double precision.
#'
#' @param source a connection of package DBI, or a function of one argument, `reset`.
#' @param query an SQL query as one string, for a connection.
#' @param size number of rows to fetch at a time from a connection, one whole number, at least 1.
#' @return `stable_chunks()`: an object of class `"stable_chunks"`, which [stablefit()] accepts as a sample.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty or invalid;}
#'   \item{`"stablecl_error_data"`}{a chunk is not numeric or not finite, or the source returns other values in
#'     another pass;}
#'   \item{`"stablecl_error_unsupported"`}{`alpha` is too small for a sample that is not in memory, or a device that is
#'     selected by name does not support the precision.}
#' }
#' Errors of the source are passed on; a query in progress is cancelled.
#' @seealso [stablefit()], [stable_data()] for a sample in memory that is fitted several times.
#' @examples
#' # a function that returns the next chunk
#' position <- 0
#' chunks <- stable_chunks(function(reset) {
#'   if (reset) position <<- 0
#'   else if (position < 3) {
#'     position <<- position + 1
#'     qstable((1:999) / 1000 - position / 4000, 1.6, 0.3)
#'   }
#' })
#' stable_loglik(chunks, 1.6, 0.3)
#' stablefit(chunks)
#'
#' # a database
#' \donttest{
#' if (requireNamespace("RSQLite", quietly = TRUE)) {
#'   db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#'   DBI::dbWriteTable(db, "returns", data.frame(r = rstable(2e5, 1.7, 0.1)))
#'   chunks <- stable_chunks(db, "SELECT r FROM returns", size = 5e4)
#'   print(stablefit(chunks))
#'
#'   # densities of all values, to a file
#'   file <- tempfile()
#'   stable_each(chunks, function(x) cat(dstable(x, 1.7, 0.1), sep = "\n", file = file, append = TRUE))
#'   DBI::dbDisconnect(db)
#' }
#' }
#' @export
stable_chunks <- function(source, query = NULL, size = 1e6) {
  check_given()
  call <- match.call()
  size <- check_window_number(size, "size", 1, call)
  if (is.function(source)) {
    if (!is.null(query)) stop_with(call, "argument", "`query` requires a connection; `source` is a function.")
    reader <- function() {
      source(reset = TRUE)
      list(read = function() source(reset = FALSE), close = function() NULL)
    }
  } else {
    check_connection(source, query, call)
    reader <- function() {
      result <- DBI::dbSendQuery(source, query)
      list(read = function() if (!DBI::dbHasCompleted(result)) DBI::dbFetch(result, n = size),
           close = function() DBI::dbClearResult(result))
    }
  }
  structure(list(reader = reader, source = source, query = query, call = call), class = "stable_chunks")
}

check_connection <- function(source, query, call) {
  if (inherits(source, "DBIResult"))
    stop_with(call, "argument", "`source` must be a connection, not a result, which can be read only once; give the ",
              "connection and the `query`.")
  if (!inherits(source, "DBIConnection"))
    stop_with(call, "argument", "`source` must be a function or a connection of package DBI, not ", value_text(source),
              ".")
  if (!is.character(query) || length(query) != 1L || is.na(query))
    stop_with(call, "argument", "`query` must be one string for a connection, not ", value_text(query), ".")
}

#' @export
print.stable_chunks <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  cat("Sample in chunks for stablefit(), from ",
      if (is.null(x$query)) "a function" else paste0("the query ", dQuote(shortened(x$query), FALSE)), "\n", sep = "")
  invisible(x)
}

#' @rdname stable_chunks
#' @param chunks an object of class `"stable_chunks"`.
#' @param f a function of one argument, a chunk as a numeric vector without missing values.
#' @return `stable_each()` calls `f` with each chunk in turn, for example to compute densities and write them to a file
#'   or a table, and returns the number of values, invisibly.
#' @export
stable_each <- function(chunks, f) {
  check_given()
  call <- match.call()
  if (!inherits(chunks, "stable_chunks"))
    stop_with(call, "argument", "`chunks` must be a value of stable_chunks(), not ", value_text(chunks), ".")
  if (!is.function(f)) stop_with(call, "argument", "`f` must be a function, not ", value_text(f), ".")
  invisible(each_chunk(chunks, f, call))
}

#' @rdname stable_chunks
#' @param x a value of `stable_chunks()` or [stable_data()], or a numeric vector without missing values.
#' @param alpha,beta,gamma,delta,pm one number each: the parameters of the distribution, see [dstable()].
#' @param precision precision in which OpenCL devices compute: `"double"` (default) or `"single"`; see section
#'   \dQuote{Precision}.
#' @return `stable_loglik()`: the log-likelihood, `sum(dstable(x, alpha, beta, gamma, delta, pm, log = TRUE))`.
#' @export
stable_loglik <- function(x, alpha, beta, gamma = 1, delta = 0, pm = 0, precision = c("double", "single")) {
  check_given()
  call <- match.call()
  pm <- check_parametrisation(pm, call = call)
  law <- list(alpha = alpha, beta = beta, gamma = gamma, delta = delta)
  for (name in names(law)) check_fit_value(law[[name]], name, NULL, call)
  law <- vapply(law, as.double, 0)
  is_single <- !missing(precision) && choice_of(precision) == "single"
  sum_of <- function(values) .Call(C_loglik, values, law, pm, NULL, 1, is_single)
  if (inherits(x, "stable_data")) return(sum_of(x))
  if (!inherits(x, "stable_chunks")) return(sum_of(as.double(check_numeric_values(x, "x", call))))
  sum <- 0
  each_chunk(x, function(values) sum <<- sum + sum_of(values), call)
  sum
}

# --- passes ---------------------------------------------------------------------------------

# Calls f with each chunk that has values, and returns the number of values.
each_chunk <- function(chunks, f, call) {
  reader <- chunks$reader()
  on.exit(reader$close())
  count <- 0
  number <- 0L
  while (!is.null(chunk <- reader$read())) {
    number <- number + 1L
    values <- chunk_values(chunk, number, call)
    if (length(values)) f(values)
    count <- count + length(values)
  }
  count
}

# Returns the values of a chunk that are not missing.
chunk_values <- function(chunk, number, call) {
  if (is.data.frame(chunk)) {
    if (length(chunk) != 1L)
      stop_with(call, "data", "The query must return one column, not ", length(chunk), ".")
    chunk <- chunk[[1L]]
  }
  if (is.logical(chunk) && all(is.na(chunk))) return(double())         # a column of which all values are NULL
  if (!is.numeric(chunk))
    stop_with(call, "data", "Chunk ", number, " must be numeric, not ", class(chunk)[1L], ".")
  values <- if (is.object(chunk)) as.double(chunk) else as.vector(chunk, "double")
  values <- values[!is.na(values)]
  bad <- which(!is.finite(values))
  if (length(bad))
    stop_with(call, "data", "The values must be finite, but chunk ", number, " contains ", values[bad[1L]], ".")
  values
}

# Returns for all values their number, mean and variance, and up to `most` of them at equally spaced positions.
summarise_chunks <- function(chunks, most, call) {
  count <- mean <- squares <- 0
  step <- 1
  kept <- double()
  each_chunk(chunks, function(x) {
    own <- mean(x)
    total <- count + length(x)
    squares <<- squares + sum((x - own)^2) + (own - mean)^2 * count * length(x) / total
    mean <<- mean + (own - mean) * length(x) / total
    kept <<- c(kept, x[seq_along(x)[(count + seq_along(x) - 1) %% step == 0]])
    while (length(kept) > most) {
      kept <<- kept[c(TRUE, FALSE)]
      step <<- 2 * step
    }
    count <<- total
  }, call)
  list(count = count, mean = mean, variance = squares / max(count, 1), kept = kept)
}

# --- fits -----------------------------------------------------------------------------------

most_kept <- 131072L                    # values that are kept, and fitted in memory if there are no more

# Returns the fit of a sample in chunks.
fit_chunks <- function(chunks, weights, na.action, request) {
  call <- request$call
  if (request$method != "mle" || !is.null(weights))
    stop_with(call, "argument", "A sample in chunks requires method = \"mle\" without weights",
              if (request$method != "mle") paste0(", not \"", request$method, "\""), ".")
  if (!identical(na_function(na.action, call), stats::na.omit))
    stop_with(call, "argument", "A sample in chunks requires na.action = na.omit: its missing values are left out.")
  seen <- summarise_chunks(chunks, most_kept, call)
  x <- fit_sample(seen$kept, stats::na.fail, call)
  if (seen$count == length(x)) return(fit_checked(x, x, NULL, request))
  results <- fit_passes(chunks, seen, part_estimate(x, request), request)
  fit <- as_stablefit(fit_result(results, 1L), x, NULL, request)
  fit$nobs <- seen$count
  class(fit) <- c("stablefit_chunks", class(fit))
  if (isFALSE(fit$convergence$converged)) warn_not_converged(fit$convergence, call)
  warn_of_ties(fit, request)
  fit
}

# Returns the estimate (S0) of the values that were kept, slightly inside the bounds.
part_estimate <- function(x, request) {
  own <- utils::modifyList(request, list(se = FALSE))
  results <- fit_samples(list(x), NULL, own)
  if (nzchar(results$error)) stop_with(request$call, "data", results$error)
  theta <- stats::setNames(results$theta, fit_parameters)
  inside <- replace(theta, 1:2, c(min(theta[[1L]], 1.999), max(-0.999, min(0.999, theta[[2L]]))))
  replace(inside, names(request$fixed), request$fixed)
}

# Returns the results of the compiled code, which requests sums over all values until the fit is finished.
fit_passes <- function(chunks, seen, start, request) {
  moments <- c(seen$count, seen$mean, seen$variance)
  answers <- matrix(0, 15L, 0L)
  repeat {
    step <- .Call(C_streamed_fit, seen$kept, start, moments, compiled_request(request), quantile_start, answers)
    if (is.null(step$requests)) break
    answers <- cbind(answers, requested_sums(chunks, step$requests, step$what, seen$count, request$call))
  }
  step$remarks <- ""
  step$error <- fit_failures(step, seen$count)
  if (nzchar(step$error)) stop_with(request$call, "data", step$error)
  step
}

# Returns the sums that the compiled code has requested, a column for each.  what: all sums of stable_data_quick(), only
# the first of them, or the exact log-likelihood (src/fit/evaluate.h).
requested_sums <- function(chunks, laws, what, count, call) {
  sums <- matrix(0, 15L, ncol(laws))
  sum_of <- function(x, law) {
    if (what == 2L) return(.Call(C_loglik, x, law[1:4], law[5L], NULL, 1, FALSE))
    .Call(C_approximate, x, law[1:4], law[5L], NULL, TRUE, what == 0L)
  }
  load_tables()
  seen <- each_chunk(chunks, function(x) {
    for (k in seq_len(ncol(laws))) {
      own <- sum_of(x, laws[, k])
      rows <- if (what == 0L) 1:15 else 1L
      sums[rows, k] <<- sums[rows, k] + own[rows]
    }
  }, call)
  if (seen != count)
    stop_with(call, "data", "The source must return the same values in each pass, but it has returned ",
              count_text(seen), " values, and ", count_text(count), " before.")
  sums
}
