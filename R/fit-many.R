# Fits of many data sets: an object of class "stablefits", which contains the data and, for each data set, either
# estimates or the reason why it could not be fitted.

# TRUE if x contains several data sets.
is_many <- function(x) {
  is.data.frame(x) || (is.list(x) && !is.object(x)) || (is.matrix(x) && ncol(x) != 1L)
}

# TRUE for one sample whose values are in memory as a vector.
is_one_sample <- function(x) !is_many(x) && !inherits(x, c("stable_data", "stable_chunks"))

# Returns a named list of data sets.
data_sets <- function(x) {
  sets <- if (inherits(x, "grouped_df")) grouped_sets(x)
    else if (is.matrix(x)) stats::setNames(lapply(seq_len(ncol(x)), function(j) x[, j]), colnames(x))
    else stats::setNames(as.list(unclass(x)), names(x))
  attributes(sets) <- list(names = names(sets))
  if (is.null(names(sets))) names(sets) <- rep("", length(sets))
  names(sets) <- different_names(names(sets))
  sets
}

# Returns different names, with numbers in place of empty ones.
different_names <- function(names) {
  blank <- is.na(names) | !nzchar(names)
  names[blank] <- as.character(seq_along(names))[blank]
  make.unique(names)
}

# Returns each group of each column that is not a key as a data set; dplyr stores the rows of each group with its keys.
grouped_sets <- function(x) {
  groups <- attr(x, "groups")
  keys <- as.list(groups[setdiff(names(groups), ".rows")])
  columns <- setdiff(names(x), names(keys))
  label <- do.call(paste, c(lapply(keys, as.character), sep = "."))
  sets <- lapply(columns, function(column) lapply(groups$.rows, function(rows) x[[column]][rows]))
  names(sets) <- columns
  if (length(columns) == 1L) return(stats::setNames(sets[[1L]], label))
  stats::setNames(unlist(sets, recursive = FALSE), paste(rep(label, length(columns)),
                                                         rep(columns, each = length(label)), sep = "."))
}

not_yet_fitted <- "Interrupted before this data set was fitted."

fit_many <- function(x, na.action, request) {
  sets <- data_sets(x)
  checked <- lapply(sets, function(set) {
    if (is_plain_sample(set)) set else value_or(fit_sample(set, na.action, request$call), conditionMessage)
  })
  error <- vapply(checked, function(set) if (is.character(set)) set else "", "")
  unusable <- which(nzchar(error))
  fit_sets(unname(checked), replace(checked, unusable, sets[unusable]), error, request)
}

# Fits the samples whose `error` is "", and returns an object of class "stablefits" with the given data.
fit_sets <- function(samples, data, error, request) {
  good <- which(!nzchar(error))
  run <- run_many_fits(if (length(good) < length(samples)) samples[good] else samples, request)
  done <- good[run$units]
  error[setdiff(good, done)] <- not_yet_fitted
  error[done] <- run$results$error
  run$results$error <- NULL
  fits <- structure(list(data = data, results = expand_results(run$results, done, length(error)), error = error,
                         request = request, call = request$call), class = "stablefits")
  warn_of_fits(fits, length(done) < length(good), request$call)
  fits
}

# Returns `units`, the numbers of the samples that were fitted before an interrupt, and their results.
run_many_fits <- function(samples, request) {
  first <- if (is_computed_in_r(request)) 1L else max(16, min(256, 1e5 / mean(lengths(samples))))
  plain <- request
  plain$call <- NULL                                # may contain the data
  job <- function(at) list(work = "fit_chunk", samples = samples[at], request = plain)
  run <- map_units(length(samples), job, first, "Fitting stable distributions", request$call)
  list(units = run$units, results = join_results(run$parts))
}

# Fits the samples of a chunk in a worker.
fit_chunk <- function(job) fit_samples(job$samples, NULL, job$request)

# Returns the columns of results of consecutive parts, joined.
join_results <- function(parts) {
  sapply(names(result_rows), function(name) unlist(lapply(parts, `[[`, name)), simplify = FALSE)
}

# Returns the results of `count` data sets: those given for the data sets numbered `at`, and NA for the others.
expand_results <- function(results, at, count) {
  Map(function(column, rows) {
    all <- matrix(if (is.character(column)) "" else NA_real_, rows, count)
    all[, at] <- column
    as.vector(all)
  }, results, result_rows[names(results)])
}

# Returns the results of the data sets numbered `at` among `count`, each of which has length(column)/count numbers in a
# column.  The time does not depend on `count`.
take_results <- function(results, at, count) {
  lapply(results, function(column) {
    each <- if (count) length(column) / count else 0
    column[rep((at - 1) * each, each = each) + seq_len(each)]
  })
}

warn_of_fits <- function(fits, interrupted, call) {
  if (interrupted) warn_with(call, "interrupted", "Interrupted: data sets that were not fitted have no estimates.")
  lost <- which(is_fitted(fits) & !fits_converged(fits) %in% c(TRUE, NA))
  if (length(lost))
    warn_with(call, "convergence", "The maximum-likelihood search did not converge for ",
              describe_some_fits(fits, lost), ".")
  tied <- which(is_fitted(fits) & (has_heavy_tie(fits$results) | fits_degenerate(fits)))
  if (length(tied) && fits$request$method != "ecf")
    warn_with(call, "ties", "Many values are equal in ", describe_some_fits(fits, tied),
              "; see the column `note` of as.data.frame().")
}

# Returns a phrase that lists the data sets numbered `which`.
describe_some_fits <- function(fits, which) {
  first <- dQuote(names(fits)[which[1L]], FALSE)
  if (length(which) == 1L) return(paste("the data set", first))
  paste0(length(which), " of ", length(fits), " data sets, the first of which is ", first)
}

is_fitted <- function(fits) !nzchar(fits$error)

fits_degenerate <- function(fits) {
  is_likelihood(fits$request) & is_fitted(fits) & is_degenerate(fits$results, matrix(fits$results$theta, 4L)[1L, ])
}

fits_converged <- function(fits) {
  gradient <- abs(matrix(fits$results$gradient, 4L))
  gradient[is.na(gradient)] <- 0
  converged <- do.call(pmax, lapply(1:4, function(j) gradient[j, ])) < 1e-3 & !fits_degenerate(fits)
  if (!has_gradient(fits$request)) converged[] <- NA
  converged[!is_fitted(fits)] <- NA
  converged
}

#' Fits of many data sets
#'
#' The value of [stablefit()] for a matrix, a list or a data frame: one fit for each data set.
#'
#' `fits[i]` selects some of the fits; `fits[[i]]` returns one of them as a full object of class
#' `"stablefit"` with all its methods.  Both accept numbers or names.  A data set that cannot be fitted has
#' `NA` estimates and a reason in the column `error` of `as.data.frame()`; `fits[[i]]` raises it as an error.
#'
#' `update()` repeats the call with other arguments.  For `fits[[i]]` it does so for all data sets, and returns the new
#' fit of this one.
#'
#' @param x,object an object of class `"stablefits"`.
#' @param i numbers or names of data sets.
#' @param digits significant digits, one number from 0 to 22; 0 counts as 1.
#' @param n number of data sets to print.
#' @param row.names,optional as for [as.data.frame()].
#' @param col,pch,xlim,ylim,xlab,ylab graphical parameters, see [plot.default()].  By default the axes cover the
#'   estimates and their bars.
#' @param na.rm not used; the argument of the generic function.
#' @param se logical: draw bars of one standard error?
#' @param labels logical: write the names of the data sets beside the estimates?
#' @param ... for `plot()` graphical parameters, for `print()` arguments of [print.default()], and for `confint()` those
#'   of [confint.stablefit()], such as `method`.  Any other argument is an error.
#' @return `as.data.frame()`: one row for each data set: `name`, `n`, `alpha`, `beta`, `gamma`, `delta`, their standard
#'   errors `se.alpha`, ..., `loglik`, `converged`, `note` and `error`.  `coef()`: a matrix with a row for each data
#'   set.  `generics::tidy()`, if package generics is installed: a data frame with the columns `name`, `term`,
#'   `estimate` and `std.error`, four rows for each data set, and `generics::glance()` one row for each with `name` and
#'   the columns of [`glance()`][tidy.stablefit] of one fit.  `nobs()`, `sigma()`, `mean()`, `median()` and
#'   `logLik()`, and with it [AIC()] and [BIC()]: a vector with the value of each fit, as for one
#'   ([stablefit-methods]).  `confint()`: an array whose dimensions are the data sets, the parameters and the two ends
#'   of the intervals of [confint.stablefit()], with the attributes that [predict()][predict.stablefits] has.
#'   `summary()`: counts, and the quartiles of the estimates.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{`i` selects no data set, or an argument is unknown, empty or invalid;}
#'   \item{`"stablecl_error_data"`}{`fits[[i]]` is a data set that could not be fitted; the message is the reason, and
#'     the call that of [stablefit()].}
#' }
#' @seealso [stablefit()], [`predict()`][predict.stablefits] for quantiles and value at risk,
#'   [`"stablewindows"`][stablewindows], [`autoplot()`][autoplot.stablefits] for plots with
#'   package ggplot2.
#' @examples
#' fits <- stablefit(diff(log(EuStockMarkets)))
#' fits
#' as.data.frame(fits)
#' coef(fits[["DAX"]])
#' plot(fits)
#' @name stablefits
#' @order 1
NULL

#' @rdname stablefits
#' @export
length.stablefits <- function(x) length(x$error)

#' @rdname stablefits
#' @export
names.stablefits <- function(x) names(x$error)

#' @rdname stablefits
#' @export
`[.stablefits` <- function(x, i) {
  if (missing(i)) return(x)
  if (!is.null(i) && !is.character(i) && !is_numeric_or_logical(i))
    stop_with(sys.call(), "argument", "`i` must contain numbers or names of data sets, not ", value_text(i), ".")
  at <- if (is.character(i)) match(i, names(x$error)) else seq_along(x$error)[i]
  if (anyNA(at))
    stop_with(sys.call(), "argument", "There is no data set ", value_text(unname(i[is.na(at)][1L])),
              "; the number of data sets is ", length(x), ".")
  structure(list(data = x$data[at], results = take_results(x$results, at, length(x)), error = x$error[at],
                 request = x$request, call = x$call), class = class(x))
}

#' @rdname stablefits
#' @export
`[[.stablefits` <- function(x, i) {
  check_given()
  one <- with_call(sys.call(), x[i])
  if (length(one) != 1L)
    stop_with(sys.call(), "argument", "`i` must be the number or the name of one data set, not ", value_text(i), ".")
  if (nzchar(one$error)) stop_with(one$call, "data", one$error)
  one$request$call <- call("[[", one$call, names(one))
  as_stablefit(fit_result(one$results, 1L), one$data[[1L]], NULL, one$request)
}

#' @rdname stablefits
#' @export
as.list.stablefits <- function(x, ...) {
  check_dots(...)
  stats::setNames(lapply(seq_along(x), function(i) tryCatch(x[[i]], stablecl_error_data = identity)), names(x))
}

#' @rdname stablefits
#' @export
coef.stablefits <- function(object, ...) {
  check_dots(..., allowed = "complete")
  theta <- matrix(object$results$theta, ncol = 4L, byrow = TRUE, dimnames = list(names(object), fit_parameters))
  theta[!is_fitted(object), ] <- NA
  fitted <- which(is_fitted(object))
  if (object$request$pm != 0 && length(fitted)) {
    to <- stable_convert(theta[fitted, 1L], theta[fitted, 2L], theta[fitted, 3L], theta[fitted, 4L],
                         from = 0, to = object$request$pm)
    theta[fitted, ] <- do.call(cbind, to)[, fit_parameters]
  }
  if (!"beta" %in% names(object$request$fixed)) theta[which(theta[, "alpha"] == 2), "beta"] <- NA
  theta
}

# Returns standard errors, a row for each data set.
fits_sd <- function(fits) {
  sd <- matrix(NA_real_, length(fits), 4L, dimnames = list(names(fits), paste0("se.", fit_parameters)))
  if (fits$request$pm == 0) {
    variance <- matrix(fits$results$cov, 16L)[c(1L, 6L, 11L, 16L), , drop = FALSE]
    sd[] <- t(sqrt(replace(variance, is_out_of_range(variance), NA)))
    sd[!is_fitted(fits), ] <- NA
    return(sd)
  }
  for (i in which(is_fitted(fits))) {
    result <- fit_result(fits$results, i)
    sd[i, ] <- sqrt(diag(pm_vcov(result$cov, result$theta, fits$request$pm)))
  }
  sd
}

#' @rdname stablefits
#' @export
as.data.frame.stablefits <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_dots(..., allowed = "stringsAsFactors")           # passed on by data.frame()
  row.names <- check_row_names(row.names, length(x), sys.call())
  note <- rep("", length(x))
  for (i in which(is_fitted(x) & (length(x$request$fixed) > 0L | has_notes(x$results))))
    note[i] <- paste(fit_notes(fit_result(x$results, i), names(x$request$fixed)), collapse = " ")
  for (i in which(is_fitted(x) & x$results$tied > 1))
    note[i] <- trimws(paste(note[i], tie_note(fit_result(x$results, i), x$request)))
  loglik <- replace(x$results$loglik, !is_fitted(x), NA)
  data.frame(c(list(name = names(x)), window_positions(x$data)), n = lengths(x$data), unname_rows(coef(x)),
             unname_rows(fits_sd(x)), loglik = loglik, converged = fits_converged(x), note = note,
             error = unname(x$error), row.names = row.names, stringsAsFactors = FALSE)
}

# TRUE for results on which fit_notes() returns notes, apart from a note on fixed parameters.
has_notes <- function(results) {
  colSums(matrix(results$active != 0, 4L)) > 0 | matrix(results$theta, 4L)[1L, ] == 2 | results$notes != 0 |
    nzchar(results$remarks)
}

unname_rows <- function(m) {
  rownames(m) <- NULL
  m
}

#' @rdname stablefits
#' @method tidy stablefits
#' @exportS3Method generics::tidy stablefits
tidy.stablefits <- function(x, ...) {
  check_dots(...)
  estimate <- coef(x)
  data.frame(name = rep(names(x), each = 4L), term = rep(fit_parameters, length(x)),
             estimate = as.vector(t(estimate)), std.error = as.vector(t(fits_sd(x))), stringsAsFactors = FALSE)
}

#' @rdname stablefits
#' @method glance stablefits
#' @exportS3Method generics::glance stablefits
glance.stablefits <- function(x, ...) {
  check_dots(...)
  table <- as.data.frame(x)
  df <- free_count(x$request$fixed)
  data.frame(name = table$name, logLik = table$loglik, AIC = 2 * (df - table$loglik),
             BIC = df * log(table$n) - 2 * table$loglik, df = rep(df, length(x)), nobs = table$n,
             method = rep(x$request$method, length(x)), pm = rep(x$request$pm, length(x)),
             converged = table$converged, row.names = NULL)
}

#' @rdname stablefits
#' @export
print.stablefits <- function(x, digits = max(3L, getOption("digits") - 3L), n = 10L, ...) {
  check_dots(..., allowed = print_arguments)
  call <- sys.call()
  digits <- check_digits(digits, call)
  if (!is.numeric(n) || length(n) != 1L || !isTRUE(n >= 0))
    stop_with(call, "argument", "`n` must be one number of data sets to print, at least 0, not ", value_text(n), ".")
  cat(fits_title(x), "\n\nCall: ", deparse_call(x$call), "\n\n", sep = "")
  shown <- x[seq_len(min(n, length(x)))]
  table <- signif(coef(shown), digits)
  if (length(shown)) print(cbind(n = lengths(shown$data), table), ...)
  if (length(x) > n) cat("... and ", length(x) - n, " more\n", sep = "")
  bad <- which(!is_fitted(x))
  for (i in utils::head(bad, n))
    cat(strwrap(paste0(names(x)[i], ": ", x$error[[i]]), prefix = "  ", initial = "* "), sep = "\n")
  invisible(x)
}

fits_title <- function(x) {
  what <- if (inherits(x, "stablewindows")) ngettext(length(x), "window", "windows")
    else ngettext(length(x), "data set", "data sets")
  sprintf("Stable distributions fitted by %s to %d %s, parametrisation S%d", method_names[[x$request$method]],
          length(x), what, as.integer(x$request$pm))
}

#' @rdname stablefits
#' @export
summary.stablefits <- function(object, ...) {
  check_dots(...)
  structure(list(title = fits_title(object), call = object$call, fitted = sum(is_fitted(object)),
                 lost = sum(!is_fitted(object)), not.converged = sum(!fits_converged(object), na.rm = TRUE),
                 at.two = sum(coef(object)[, "alpha"] == 2, na.rm = TRUE),
                 quartiles = apply(coef(object), 2L, stats::quantile, na.rm = TRUE)), class = "summary.stablefits")
}

#' @export
print.summary.stablefits <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  digits <- check_digits(digits, sys.call())
  cat(x$title, "\n\nCall: ", deparse_call(x$call), "\n\n", sep = "")
  cat(x$fitted, " fitted, ", x$lost, " failed; ", x$not.converged, " not converged; alpha = 2 for ", x$at.two,
      "\n\nEstimates:\n", sep = "")
  print(signif(x$quartiles, digits), ...)
  invisible(x)
}

#' @rdname stablefits
#' @export
plot.stablefits <- function(x, se = length(x) <= 100L, labels = length(x) <= 25L, col = plot_colours[["stable"]],
                            pch = 19, xlim = NULL, ylim = NULL, xlab = expression(alpha),
                            ylab = expression(beta), ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(xlim, ylim, call = sys.call())
  check_flag(se, "se", sys.call())
  check_flag(labels, "labels", sys.call())
  d <- fits_in_plane(x, se)
  limits <- plane_limits(d)
  if (is.null(xlim)) xlim <- limits$alpha
  if (is.null(ylim)) ylim <- limits$beta
  framed_plot(list(xlim = xlim, ylim = ylim, x = d$alpha, y = d$beta, xlab = xlab, ylab = ylab, col = col, pch = pch),
              ...)
  if (se) {
    bar <- function(known, ...) if (any(known)) graphics::segments(..., col = plot_colours[["errors"]])
    known <- !is.na(d$left)
    bar(known, d$left[known], d$beta[known], d$right[known])
    known <- !is.na(d$low)
    bar(known, d$alpha[known], d$low[known], d$alpha[known], d$high[known])
    graphics::points(d$alpha, d$beta, col = col, pch = pch)
  }
  known <- !is.na(d$alpha)
  if (labels && any(known)) draw_labels(d$alpha[known], d$beta[known], d$name[known])
  invisible(x)
}

# Returns names and estimates of fits, and the ends of intervals of one standard error on either side: NA without `se`.
# For alpha = 2, beta has no effect and is shown as 0.
fits_in_plane <- function(fits, se) {
  theta <- coef(fits)
  alpha <- theta[, "alpha"]
  beta <- ifelse(is.na(theta[, "beta"]), 0, theta[, "beta"])
  sd <- if (se) fits_sd(fits) else matrix(NA_real_, length(fits), 2L)
  data.frame(alpha, beta, left = pmax(0, alpha - sd[, 1L]), right = pmin(2, alpha + sd[, 1L]),
             low = pmax(-1, beta - sd[, 2L]), high = pmin(1, beta + sd[, 2L]), name = rownames(theta))
}

# Returns the part of the plane that contains estimates and intervals, at least 0.3 of alpha and 0.6 of beta; the whole
# plane if there are no estimates.
plane_limits <- function(d) {
  if (all(is.na(d$alpha))) return(list(alpha = c(0, 2), beta = c(-1, 1)))
  around <- function(values, least, bounds) {
    ends <- range(values, na.rm = TRUE)
    half <- max(0.6 * diff(ends), least / 2)
    middle <- min(max(mean(ends), bounds[1L] + half), bounds[2L] - half)
    pmin(pmax(middle + c(-half, half), bounds[1L]), bounds[2L])
  }
  d <- d[!is.na(d$alpha), ]
  list(alpha = around(unlist(d[c("alpha", "left", "right")]), 0.3, c(0, 2)),
       beta = around(unlist(d[c("beta", "low", "high")]), 0.6, c(-1, 1)))
}
