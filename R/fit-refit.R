# Refits: the same fit to other data, or with further parameters held fixed.

# Returns a list with one fit per sample, all with the same further `arguments` of stablefit().  An element is NULL if
# its sample cannot be fitted at all (overflow, half of the values equal), or was not fitted before an interrupt, in
# which case the attribute "interrupted" is TRUE.  It is an error if the interrupt came before the first fit.  Warnings
# of convergence are suppressed: each fit records whether its search converged.  The attribute "reason" states why the
# first of the samples that cannot be fitted cannot be.
refit_samples <- function(samples, arguments, call) {
  refit <- function(method, ...) stablefit(samples, method, ...)
  fits <- without_convergence(do.call(refit, arguments))
  if (!any(is_fitted(fits)) && not_yet_fitted %in% fits$error)
    stop_with(call, "interrupted", "Interrupted before the first of ", length(samples), " samples was fitted.")
  structure(lapply(seq_along(fits), function(i) if (nzchar(fits$error[[i]])) NULL else fits[[i]]),
            interrupted = not_yet_fitted %in% fits$error, reason = fits$error[!is_fitted(fits)][1L])
}

# Raises an error if `fitted`, the results of R samples that could be fitted, is empty.  reason: why not, or NULL.
check_any_fitted <- function(fitted, R, call, reason = NULL) {
  if (!length(fitted))
    stop_with(call, "data", "None of the ", R, " bootstrap samples could be fitted",
              if (is.null(reason)) "." else paste0(": ", reason))
  fitted
}

# Returns a fit to the data and weights of an existing fit, or NULL if they cannot be fitted.
refit_data <- function(object, ...) {
  tryCatch(without_convergence(stablefit(object$data, weights = object$weights, truncation = object$truncation, ...)),
           stablecl_error_data = function(e) NULL)
}

without_convergence <- function(code) {
  without_ties(withCallingHandlers(code, stablecl_warning_convergence = function(w) invokeRestart("muffleWarning")))
}

# Raises an error if the data of a fit cannot be fitted again.
check_refit <- function(object, call) {
  if (inherits(object, "stablefit_lm"))
    stop_with(call, "argument", "Methods that refit samples are not available for regressions by stable_lm().")
  if (inherits(object, "stablefit_chunks"))
    stop_with(call, "argument", "Methods that refit samples are not available for samples in chunks.")
}

# Returns the arguments with which stablefit() repeats a fit on other data.  `fixed` may hold further parameters, in S0.
# If object$pm is not 0, the parameters that the user fixed are among alpha and beta (and gamma in S1), whose values are
# the same in S0.
refit_arguments <- function(object, call, fixed = NULL, pm = object$pm) {
  check_refit(object, call)
  own <- as.list(object$theta[object$fixed])
  list(method = object$method, fixed = utils::modifyList(own, as.list(fixed)), pm = pm,
       control = object$control, se = FALSE)
}

# Returns the call of stablefit() of a fit.  That of one of many fits is stablefit(...)[["name"]].
fitting_call <- function(object) if (is_one_of_many(object)) object$call[[2L]] else object$call

is_one_of_many <- function(object) is.call(object$call) && identical(object$call[[1L]], quote(`[[`))

# For one of many fits, repeats all of them and returns the one of the same name.
#' @rdname stablefit-methods
#' @export
update.stablefit <- function(object, ..., evaluate = TRUE) {
  check_given()
  check_flag(evaluate, "evaluate", sys.call())
  changes <- match.call(expand.dots = FALSE)$...
  check_empty(changes, sys.call())
  if (is.null(object$formula) && sum(nzchar(names(changes))) < length(changes))
    stop_with(sys.call(), "argument", "update() of a fit without a formula requires names of the arguments that ",
              "change, such as `method`.")
  call <- object$call
  object$call <- fitting_call(object)
  new <- do.call(stats::update.default, c(list(object), changes, evaluate = FALSE), envir = parent.frame())
  if (!identical(call, object$call)) new <- replace(call, 2L, list(new))
  if (evaluate) eval(new, parent.frame()) else new
}

# Returns fits to `R` samples, by the method of the original fit: samples of the fitted distribution or, if `draw` is a
# function (fit-blocks.R), those that it returns.  Samples that cannot be fitted are left out; it is an error if none
# can. The attribute "interrupted" is that of refit_samples().
bootstrap_fits <- function(object, R, seed, call, draw = NULL) {
  arguments <- refit_arguments(object, call)   # an error if the data cannot be fitted again
  samples <- if (is.null(draw)) simulated_samples(object, R, seed, call) else seeded_samples(R, seed, call, draw)
  fits <- refit_samples(as.list(samples), arguments, call)
  fitted <- check_any_fitted(fits[!vapply(fits, is.null, NA)], R, call, attr(fits, "reason"))
  structure(fitted, interrupted = attr(fits, "interrupted"))
}
