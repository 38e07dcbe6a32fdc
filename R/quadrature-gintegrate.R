#' Integrals of R functions, one or a million, on several threads or a GPU
#'
#' Integrates an ordinary R function over one variable or over a box in up to 100 dimensions. The function is translated
#' ([gtranslate()]) and evaluated over blocks of points on several threads or a device. A call may compute one integral,
#' or as many as `params` has rows or the limits have elements; each is refined separately and has its own value, error,
#' number of evaluations and status.
#'
#' @details
#' These pages describe the details:
#' \describe{
#'   \item{[gintegrate-integrands]}{what `f` may be: its variables, parameters, several components, and functions
#'     without translation;}
#'   \item{[gintegrate-methods]}{the methods, the choice of `"auto"`, accuracy, infinite ranges, sources;}
#'   \item{[gintegrate-control]}{the options of the methods;}
#'   \item{[gintegrate-status]}{status, error estimates, divergence, interrupts;}
#'   \item{[gintegrate-devices]}{OpenCL devices, single precision, several processes.}
#' }
#'
#' @param f a function that returns a number, or `n.value` numbers; in one dimension it may, but need not, accept
#'   vectors of points ([gintegrate-integrands]).  Or a value of [gtranslate()] for the same dimension and `params`: a
#'   translation takes some milliseconds, which repeated calls can save.
#' @param lower,upper limits, in the unit of the variable: one number, or one for each integral; over several variables
#'   one for each variable, or a matrix with a row for each integral and a column for each variable. They may be
#'   infinite. `upper < lower` is allowed and changes the sign.
#' @param ... further arguments of `f`, the same for all integrals.  `n.value`, unless it is an argument of `f`, is the
#'   number of components, from 1 (the default) to 1000.  `subdivisions`, as in [integrate()], stands for a `max.eval`
#'   of 42 times this number.
#' @param params data frame of arguments of `f`, a row for each integral.
#' @param method `"auto"` or one of the methods of [gintegrate-methods].
#' @param rel.tol,abs.tol the error tolerance is the larger of `abs.tol` and `rel.tol` times the absolute value; one
#'   non-negative number each.
#' @param max.eval the largest number of evaluations for one integral, one number above 0 (with `"auto"` in one
#'   dimension, for each method that it uses); by default 1e6 in one dimension, 1e7 in more and for `"blockcut"`, and
#'   for a single integral in more dimensions 1e9 divided by the number of operations that [gtranslate()] reports, which
#'   take about a second, but at most 5e7 and no less than 1e7: the same on all machines.
#' @param breaks in one dimension, numbers where `f` or a derivative jumps; those outside the range are ignored.
#' @param dim number of variables, from 1 to 100, if it cannot be inferred.
#' @param stop.on.error logical: is an integral that does not converge an error?  The default of [integrate()] is
#'   `TRUE`.
#' @param control a named list of options ([gintegrate-control]).
#' @param backend `"auto"`, `"cpu"`, `"opencl"` or another choice of [stable_backend()].
#' @return An object of class `"gintegral"` ([gintegral-methods]), a list with
#'   \item{value, abs.error, evaluations, status}{one element for each integral.  Errors and statuses are described in
#'     [gintegrate-status].}
#'   \item{chi.squared, df, Q}{for `"vegas"`, the agreement of its iterations, for each integral.}
#'   \item{bound}{for `"forward"`, the published bound on the error of each integral ([gintegrate-methods]).}
#'   \item{rule}{for `"auto"` in several dimensions, the method that computed each value.}
#'   \item{stages}{if `"auto"` used several methods, the evaluations of each, all integrals together.}
#'   \item{method, backend}{the method, and where the integrand was evaluated: `"threads"`, `"opencl"` or `"R"`.}
#'   \item{time}{seconds.}
#'   \item{call, problem}{the call, and the input of [plot.gintegral()], with the given limits and `params`, which R
#'     shares with the caller.}
#'   \item{message, subdivisions}{for code written for [integrate()]: `"OK"` if all integrals have converged, and for
#'     one integral over one variable the number with which [integrate()] makes as many evaluations.}
#'
#'   With several components, all results except `evaluations` have an element for each component, or, for several
#'   integrals, are matrices with a row for each integral and a column for each component.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing or invalid, or `f` does not return numbers;}
#'   \item{`"stablecl_error_integral"`}{an integral has not converged, and `stop.on.error` is `TRUE`; otherwise a
#'     warning of class `"gintegrate_warning_status"`;}
#'   \item{`"stablecl_error_translation"`}{`f` and its translation differ at a point;}
#'   \item{`"stablecl_error_untranslatable"`}{`f` has no translation, although a device is named or `fallback` is
#'     `"none"`;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is named does not exist, has failed,
#'     or does not support the computation;}
#'   \item{`"stablecl_error_memory"`, `"stablecl_error_worker"`}{memory is exhausted, or a worker process has failed.}
#' }
#' Errors in `f` are passed on.
#' @seealso [gintegrate-integrands], [gintegrate-methods], [gintegrate-control], [gintegrate-status] and
#'   [gintegrate-devices] for the details; [gintegral-methods], [gintegral-arithmetic], [plot.gintegral()] and
#'   [autoplot.gintegral()] for what can be done with the result; [gtranslate()]; [stable_backend()],
#'   [stable_threads()], [stablecl-workers]; [integrate()]; `vignette("integration", package = "stablecl")`.
#' @examples
#' gintegrate(function(x) exp(-x^2), -Inf, Inf)
#' gintegrate(function(x) if (x > 1/3) exp(x) else 0, 0, 1, breaks = 1/3)
#'
#' # several variables
#' gintegrate(function(x) exp(-sum(x^2)), c(0, 0, 0), 1, rel.tol = 1e-6)
#'
#' # a thousand integrals at once
#' many <- gintegrate(function(x, k) exp(-(x/k)^2) / (1 + x), 0, seq(0.1, 2, length.out = 1000),
#'                    params = data.frame(k = runif(1000, 0.05, 0.2)))
#' many
#' head(as.data.frame(many))
#' @export
gintegrate <- function(f, lower, upper, ..., params = NULL, method = "auto", rel.tol = 1e-8, abs.tol = 0,
                       max.eval = NULL, breaks = NULL, dim = NULL, stop.on.error = FALSE, control = list(),
                       backend = "auto") {
  if (missing(f) || missing(lower) || missing(upper)) check_given()
  call <- sys.call()
  is_plain <- ...length() == 0L && is.null(params) && is.null(breaks) && is.null(dim) && isFALSE(stop.on.error)
  if (is_plain) {
    recalled <- .Call(C_recalled, f, lower, upper, rel.tol, abs.tol, max.eval, method, control, backend, call, caches)
    if (inherits(recalled, "gintegral")) return(recalled)
    if (!is.null(recalled))
      recalled <- cached_integral(recalled, f, lower, upper, rel.tol, abs.tol, max.eval, method, call)
    if (is.list(recalled)) return(recalled)
  } else recalled <- NULL
  began <- proc.time()[["elapsed"]]
  if (!isFALSE(stop.on.error)) check_flag(stop.on.error, "stop.on.error", call)
  ready <- inherits(f, "gtranslation")
  made <- if (ready) unclass(f)                               # `$` on an object with a class takes a microsecond
  if (!ready && !is.function(f)) stop_with(call, "argument", "`f` must be a function, not ", value_text(f), ".")
  if (...length()) check_empty(as.list(substitute(list(...)))[-1L], call)
  dots <- separated_arguments(list(...), f, ready, control, call)
  fixed <- dots$fixed
  components <- dots$components
  control <- check_control(dots$control, call)
  columns <- check_params(params, call)
  backend <- check_backend(backend, call)
  fallback <- if (is_device(backend)) "none" else control[["fallback"]]
  dim <- if (ready) check_translation(made, fixed, names(columns), dim, call)
         else cached_dim(dim, f, fixed, names(columns), lower, upper, call)
  method <- check_method(method, dim, call)
  breaks <- if (is.null(breaks)) double() else check_breaks(breaks, dim, method, call)
  if (length(breaks) && method == "auto") method <- "gk"
  is_default <- is.null(max.eval) && is.null(dots$subdivisions) && dim > 1L
  max.eval <- evaluations_allowed(max.eval, dots$subdivisions, dim, method, call)
  numbers <- .Call(C_plain_numbers, lower, upper, dim, rel.tol, abs.tol, max.eval)
  if (is.null(numbers)) numbers <- check_numbers(lower, upper, dim, rel.tol, abs.tol, max.eval, call)
  given <- list(lower = given_limit(lower), upper = given_limit(upper), columns = params, dim = dim)
  lower <- numbers$lower
  upper <- numbers$upper
  options <- check_options(control, method, call)
  check_sampling(method, isTRUE(options$symmetric == 1), lower, upper, call)
  check_precision(method, options, call)
  n <- check_integrals(lower, upper, columns, options, call)
  if (method == "fourier") check_fourier(lower[[1L]], upper[[1L]], options$omega, call)
  integrand <- if (ready) integrand_of_translation(made, columns, lower, upper, n, call)
               else integrand_of(f, fixed, columns, lower, upper, n, fallback, call, components)
  if (is_default && n == 1L && !is.function(integrand)) numbers$tolerance$max.eval <- evaluations_of(integrand)
  if (is_plain && is.null(recalled) && backend == "" && is.list(integrand)) {  # as a repeated call
    recalled <- .Call(C_recalled, f, lower[[1L]], upper[[1L]], rel.tol, abs.tol, max.eval, method, control, "auto",
                      call, caches)
    if (inherits(recalled, "gintegral")) {
      recalled$time <- proc.time()[["elapsed"]] - began
      return(recalled)
    }
    recalled <- NULL
  }
  problem <- list(f = f, fixed = fixed, columns = columns, lower = lower, upper = upper, breaks = breaks,
                  tolerance = numbers$tolerance, options = options, integrand = integrand,
                  stages = if (method == "auto" && dim > 1L) auto_stages(dim, numbers$tolerance))
  if (components > 1L) problem$components <- components
  state <- if (is.null(recalled)) compute_integrals(problem, method, n, backend)
           else new_state(n, "gk", components)                # interrupted
  counts <- .Call(C_finalise, state, integral_statuses())
  result <- new_gintegral(state, replace(problem, names(given), given), method, n, counts, began, call)
  if (counts[1L] < sum(counts)) report_status(counts, problem$tolerance, stop.on.error, components, call)
  result
}

# Returns the object of class "gintegral" for the final state of a problem.  counts: the number of integrals with each
# status; began: the time at which the call began.
new_gintegral <- function(state, problem, method, n, counts, began, call) {
  backend <- if (is.function(problem$integrand)) "R" else if (state$on_device) "opencl" else "threads"
  result <- list(value = state$value, abs.error = state$error, evaluations = state$evaluations, status = state$status,
                 method = method, backend = backend, time = proc.time()[["elapsed"]] - began, call = call,
                 problem = problem)
  if (identical(method, "vegas")) result <- with_consistency(result, state)
  result$rule <- state$rule
  if (length(state$bound)) result$bound <- state$bound
  if (length(state$stages) > 1L) result$stages <- state$stages
  result <- with_message(result, counts)
  if (components_of(problem) > 1L) result <- with_component_shape(result, n)
  class(result) <- "gintegral"
  result
}

# By default, one integral over several variables takes up to about a second on two cores, which compute 1e9 operations
# in that time: the limit on the evaluations follows from the operations of the translated program, and not from clocks
# or threads, so that results are reproducible.  Several integrals share the time, and cubature needs memory for each.
evaluations_least <- 1e7
evaluations_most <- 5e7
operations_affordable <- 1e9

evaluations_of <- function(program) {
  min(max(evaluations_least, floor(operations_affordable / program$work)), evaluations_most)
}

# Returns the names of the statuses (enum integral_status of src/quadrature/integral.h), in the order of their numbers
# from 0 on.
integral_statuses <- function() {
  if (is.null(session_cache$statuses)) {
    session_cache$statuses <- .Call(C_statuses)
    session_cache$status_numbers <- stats::setNames(seq_along(session_cache$statuses) - 1L, session_cache$statuses)
  }
  session_cache$statuses
}

# Returns the number of a status before statuses become a factor.
status_number <- function(name) {
  integral_statuses()
  session_cache$status_numbers[[name]]
}

not_done <- function() status_number("interrupted")

# --- arguments ----------------------------------------------------------------------

# Separates the arguments in `...`: those of the integrand, `fixed`; the number of components; `subdivisions` of
# integrate(); and former arguments, which become elements of `control`.
separated_arguments <- function(dots, f, ready, control, call) {
  has_components <- "n.value" %in% names(dots) && !takes_n_value(f)
  components <- if (has_components) check_components(dots[["n.value"]], ready, call) else 1L
  own <- names(dots) %in% c("subdivisions", if (has_components) "n.value", former_arguments)
  if (any(own)) control <- with_former_arguments(control, dots[own], call)
  list(fixed = if (!any(own)) dots else if (all(own)) list() else dots[!own], components = components,
       subdivisions = dots[["subdivisions"]], control = control)
}

# Returns the largest number of evaluations for one integral: that of `subdivisions`, `max.eval`, or the default.
evaluations_allowed <- function(max.eval, subdivisions, dim, method, call) {
  if (!is.null(subdivisions))
    return(evaluations_for("subdivision") * check_positive(subdivisions, "subdivisions", call))
  if (!is.null(max.eval)) max.eval
  else if (dim == 1L && method != "blockcut") evaluations_for("default")
  else evaluations_least
}

check_positive <- function(value, name, call, zero = FALSE) {
  good <- is.numeric(value) && length(value) == 1L && !is.na(value) && (value > 0 || zero && value == 0)
  if (!good)
    stop_with(call, "argument", "`", name, "` must be one ", if (zero) "non-negative" else "positive", " number, not ",
              value_text(value), ".")
  as.double(value)
}

# Checks and converts limits and tolerances that C_plain_numbers does not accept unchanged; returns the same list.
check_numbers <- function(lower, upper, dim, rel.tol, abs.tol, max.eval, call) {
  tolerance <- list(rel.tol = check_positive(rel.tol, "rel.tol", call, zero = TRUE),
                    abs.tol = check_positive(abs.tol, "abs.tol", call, zero = TRUE),
                    max.eval = check_positive(max.eval, "max.eval", call))
  list(lower = check_limits(lower, dim, "lower", call), upper = check_limits(upper, dim, "upper", call),
       tolerance = tolerance)
}

# Returns the dimension of a translation, which takes no further arguments.
check_translation <- function(made, fixed, parameters, dim, call) {
  if (length(fixed) || !identical(as.character(parameters), made$parameters))
    stop_with(call, "argument", "`f` is a translation, so `params` must have exactly the columns for which it was ",
              "made (", if (length(made$parameters)) paste(dQuote(made$parameters, FALSE), collapse = ", ") else "none",
              "), and `...` must be empty.")
  if (!is.null(dim) && check_dim_number(dim, call) != made$dim)
    stop_with(call, "argument", "`f` is a translation for ", made$dim, " dimensions, not ", dim, ".")
  as.integer(made$dim)
}

# Returns the number of variables.  If the first argument is used as a vector, the length of the limits determines it.
check_dim <- function(dim, f, fixed, parameters, lower, upper, call) {
  if (is.null(dim)) {
    free <- variables_of(f, fixed, parameters)
    reads <- first_argument_reads(f)
    dim <- guess_dim(free, reads)
    across <- function(limit) if (is.matrix(limit)) ncol(limit) else length(limit)
    if (length(free) > 1L && length(lower) == 1L && length(upper) == 1L)
      stop_with(call, "argument", "Argument ", sQuote(free[2L], FALSE), " of `f` has no value; give it in `...` or ",
                "`params`, or, if it is a variable of integration, give `lower` or `upper` ", dim, " elements.")
    if (reads$vector && length(free) < 2L) dim <- max(dim, across(lower), across(upper))
  }
  check_dim_number(dim, call)
}

check_dim_number <- function(dim, call,
                             remedy = ". For several integrals in one dimension with vectors of limits, set dim = 1.") {
  if (!is.numeric(dim) || length(dim) != 1L || is.na(dim) || dim != round(dim) || dim < 1 || dim > axes_most())
    stop_with(call, "argument", "`dim`, the number of variables, must be from 1 to ", axes_most(), ", not ",
              value_text(dim), remedy)
  as.integer(dim)
}

# Returns a list with a vector of limits for each axis.
check_limits <- function(limit, dim, name, call) {
  if (!is.numeric(limit) || !length(limit))
    stop_with(call, "argument", "`", name, "` must be numeric, not ", value_text(limit), ".")
  if (dim == 1L) return(list(as.double(limit)))
  if (length(limit) == dim && !is.object(limit) && !is.matrix(limit) && !anyNA(limit))
    return(as.list(as.double(limit)))
  if (!is.matrix(limit)) limit <- if (length(limit) %in% c(1L, dim)) matrix(rep_len(limit, dim), 1L)
  if (is.null(limit) || ncol(limit) != dim)
    stop_with(call, "argument", "`", name, "` must have ", dim, " elements or be a matrix with ", dim, " columns.")
  lapply(seq_len(dim), function(k) as.double(limit[, k]))
}

# Returns a list with a named vector for each parameter.
check_params <- function(params, call) {
  if (is.null(params)) return(list())
  if (!is.list(params) || is.object(params) && !is.data.frame(params))
    stop_with(call, "argument", "`params` must be a data frame of numbers with a row for each integral, not ",
              value_text(params), ".")
  columns <- as.list(unclass(params))                         # also of a pairlist
  if (!length(columns)) return(list())
  if (is.null(names(columns)) || anyNA(names(columns)) || !all(nzchar(names(columns))) || anyDuplicated(names(columns)))
    stop_with(call, "argument", "`params` must have a different name for each of its ", length(columns), " columns.")
  for (name in names(columns)) check_params_column(columns[[name]], name, call)
  lengths <- lengths(columns)
  if (any(lengths != 1L & lengths != max(lengths)))
    stop_with(call, "argument", "The columns of `params` must have 1 or ", max(lengths), " elements, not ",
              paste(lengths, collapse = ", "), ".")
  lapply(columns, function(column) if (length(column) == max(lengths)) as.double(column)
                                    else rep_len(as.double(column), max(lengths)))
}

check_params_column <- function(column, name, call) {
  if (!is_numeric_or_logical(column) || length(dim(column)) > 1L)
    stop_with(call, "argument", "Column ", sQuote(name, FALSE), " of `params` must be a vector of numbers, not ",
              value_text(column), ".")
}

# Returns the backend for the compiled code: "" stands for the choice of stable_backend().
check_backend <- function(backend, call) {
  if (!is.character(backend) || length(backend) != 1L || is.na(backend) || !nzchar(backend))
    stop_with(call, "argument", "`backend` must be \"auto\", \"cpu\", \"opencl\" or another value that ",
              "stable_backend() accepts, not ", value_text(backend), ".")
  if (backend == "auto") "" else backend
}

is_device <- function(backend) nzchar(backend) && backend != "cpu"

# Returns the number of integrals.
check_integrals <- function(lower, upper, columns, options, call) {
  lengths <- c(length(lower[[1L]]), length(upper[[1L]]), if (length(columns)) length(columns[[1L]]))
  each <- if (length(options)) lengths(each_options(options))
  lengths <- c(lengths, each, use.names = FALSE)
  n <- max(lengths)
  if (n == 1L && min(lengths) == 1L) return(n)
  if (any(lengths != 1L & lengths != n) || any(lengths == 0L))
    stop_with(call, "argument", "`lower`, `upper` and ", paste0("`", c("params", names(each)), "`", collapse = ", "),
              " must have 1 or ", n, " values, not ", paste(lengths, collapse = ", "), ".")
  n
}

# --- the integrand --------------------------------------------------------------------

# Returns a program, or, if `f` has no translation, a function of a list of columns.
integrand_of <- function(f, fixed, columns, lower, upper, n, fallback, call, components = 1L) {
  made <- cached_translation(f, length(lower), fixed, as.character(names(columns)), call,
                             identical(fallback, "none"), components)
  if (inherits(made, "gtranslation")) {
    compared <- made$compared
    if (is.null(compared$value) || agrees_as_before(compared, f)) {
      if (n > 1L || !identical(compared$where, list(columns, lower, upper), num.eq = FALSE))
        compare_where_new(made, f, fixed, columns, lower, upper, n, call)
      return(made$program)
    }
    remove_entry(translations, made)
    return(integrand_of(f, fixed, columns, lower, upper, n, fallback, call, components))
  }
  slow <- closure_integrand(f, length(lower), fixed, names(columns), call, components)
  is_doubtful <- if (is.null(made$may_return_vectors)) may_return_vectors(f, fixed) else made$may_return_vectors
  if (components > 1L || is_doubtful)
    slow <- checked_closure(slow, check_points(columns, lower, upper, n))
  if (identical(fallback, "none")) stop(made)
  if (is.null(session_cache$untranslatable)) {
    session_cache$untranslatable <- TRUE
    message(conditionMessage(made), "\nIt is evaluated in R on one thread instead. (This message is shown once per ",
            "session.)")
  }
  slow$blocks
}

# Returns the names of the arguments in `...` with several elements.
long_arguments <- function(fixed) {
  names(fixed)[vapply(fixed, function(v) (is.numeric(v) || is.logical(v)) && length(v) > 1L, NA)]
}

# TRUE if the values at many points could come from recycling a vector: if `f` uses a vector of several elements.
may_return_vectors <- function(f, fixed) {
  is_long <- function(name) length(get0(name, environment(f), mode = "numeric")) > 1L
  length(long_arguments(fixed)) > 0L || any(vapply(setdiff(all.names(body(f), unique = TRUE), names(formals(f))),
                                                   is_long, NA))
}

# Refuses a closure that returns another number of values at one point than the integrand has components.  A closure
# whose values for a vector of points differ from those for single points is evaluated point by point.
checked_closure <- function(slow, points) {
  few <- slow$singly(lapply(points, `[`, 1:3))
  together <- slow$all_at_once(points)
  same <- outer(1:3, length(points[[1L]]) * (seq_len(slow$components) - 1L), `+`)
  if (!is.null(together) && !isTRUE(all.equal(together[same], few, tolerance = 1e-9))) slow$blocks <- slow$singly
  slow
}

complex_hint <- " Integrate the real part, Re(f(x)), and the imaginary part, Im(f(x)), separately."

# Returns the remedy for an `f` that returns `n` values at a point.
several_hint <- function(fixed, n) {
  long <- long_arguments(fixed)
  if (!length(long)) return(if (n > 1L) sprintf(" n.value = %d integrates a function with %d components.", n, n))
  paste0(" Arguments in `...` are the same for all integrals; for a separate integral for each element of ",
         paste(sQuote(long, FALSE), collapse = ", "), ", use params = data.frame(",
         paste(long, "= ...", collapse = ", "), ").")
}

# Returns the program of a value of gtranslate(), which keeps its function together with the values that it captured.
integrand_of_translation <- function(made, columns, lower, upper, n, call) {
  if (n == 1L && identical(made$compared$where, list(columns, lower, upper), num.eq = FALSE)) return(made$program)
  if (!is.null(made$source)) compare_where_new(made, made$source$f, made$source$fixed, columns, lower, upper, n, call)
  made$program
}

work_interpreted <- 5000                # the most operations at one point of functions that are compared uncompiled

# Compares a translation with its function, unless the last comparison used the same points.
compare_where_new <- function(made, f, fixed, columns, lower, upper, n, call) {
  points_most <- points_to_compare(made$work)
  if (points_most == 0L) return(invisible())
  where <- if (n == 1L) list(columns, lower, upper) else check_points(columns, lower, upper, n)
  if (identical(made$compared$where, where, num.eq = FALSE)) return(invisible())
  points <- if (n == 1L) check_points(columns, lower, upper, n) else where
  if (points_most < length(points[[1L]])) points <- lapply(points, `[`, seq_len(points_most))
  components <- length(made$program$result)
  slow <- closure_integrand(f, length(lower), fixed, names(columns), call, components)
  if (isTRUE(made$work <= work_interpreted)) {                # compiling would take longer than a few evaluations
    before <- compiler::enableJIT(0L)
    on.exit(compiler::enableJIT(before))
  }
  is_plain <- n == 1L && length(points) == 1L && points_most == 16L && !length(fixed) && components == 1L
  if (!is_plain || !agrees_everywhere(made$program, f, lower[[1L]], upper[[1L]]))
    compare_translation(made$program, slow, points, length(lower), call)
  if (is.null(made$compared)) return(invisible())
  made$compared$where <- where
  if (is.null(made$source) && components == 1L) store_point(made, slow, points)
}

# Returns the number of points for a comparison.  R takes at least a tenth of a microsecond for an operation: 16 points
# then take no longer than half a second, and if one point would take longer than some minutes, there is no comparison.
points_to_compare <- function(work) {
  if (is.null(work) || work < 2.5e5) 16L else if (work > 1e9) 0L else max(1L, as.integer(4e6 / work))
}

# Stores a point at which R computes a value without a warning, for the comparison in every call, which takes some
# microseconds.
store_point <- function(made, slow, points) {
  if (made$work > 1000) return(invisible())
  values <- .Call(C_values, made$program, points)
  for (k in which(is.finite(values))) {
    arguments <- slow$arguments_at(points, k)
    if (is.null(tryCatch(do.call(slow$f, arguments), warning = function(w) NULL))) next
    made$compared$value <- values[k]
    made$compared$arguments <- arguments
    return(invisible())
  }
}

# TRUE if the function has the value that the translation had at a point of the last comparison.
agrees_as_before <- function(compared, f) has_value(do.call(f, compared$arguments), compared$value)

has_value <- function(value, expected) {
  is.numeric(value) && length(value) == 1L && !is.na(value) &&
    abs(value - expected) <= max(1e-9 * abs(expected), .Machine$double.xmin)
}

# Returns functions that evaluate the closure: at many points in one call if it accepts vectors, or point by point.
# They return the values of all points for each component in turn.  If there are several components, a closure that
# accepts vectors returns a matrix with a row for each component.
closure_integrand <- function(f, dim, fixed, names, call, components = 1L) {
  as_vector <- dim > 1L && length(variables_of(f, fixed, names)) < 2L
  axes <- seq_len(dim)
  arguments <- function(inputs) c(unname(inputs[axes]), stats::setNames(inputs[-axes], names))
  all_at_once <- function(inputs) {
    n <- length(inputs[[1L]])
    if (as_vector || n == 1L) return(NULL)
    y <- value_or(suppressWarnings(do.call(f, c(arguments(inputs), fixed))), function(e) NULL)
    if (components > 1L) {
      if (is_numeric_or_logical(y) && identical(base::dim(y), c(components, n))) as.double(t(y))
    } else if (is_numeric_or_logical(y) && length(y) == n) as.double(y)
  }
  singly <- function(inputs) {
    each <- arguments(inputs)
    if (as_vector) {
      x <- do.call(rbind, each[axes])
      each <- c(list(lapply(seq_len(ncol(x)), function(k) x[, k])), each[-axes])
    }
    y <- .mapply(f, each, fixed)
    k <- which(lengths(y) != components | !vapply(y, is_numeric_or_logical, NA))[1L]
    if (!is.na(k))
      stop_with(call, "argument", "`f` must return ", if (components == 1L) "one number" else
                paste(components, "numbers"), " at each point; at ", point_text(inputs, dim, k), " it returns ",
                if (is.complex(y[[k]])) "the complex ", value_text(y[[k]]), ".",
                if (is.complex(y[[k]])) complex_hint, if (components == 1L) several_hint(fixed, length(y[[k]])))
    y <- as.double(unlist(y, use.names = FALSE))
    if (components == 1L) y else as.double(t(matrix(y, components)))
  }
  # the arguments of one call, at point k
  arguments_at <- function(inputs, k) {
    each <- lapply(arguments(inputs), `[`, k)
    if (as_vector) each <- c(list(unlist(each[axes])), each[-axes])
    c(each, fixed)
  }
  blocks <- function(inputs) {
    y <- all_at_once(inputs)
    if (is.null(y)) singly(inputs) else y
  }
  list(f = f, components = components, arguments_at = arguments_at, all_at_once = all_at_once, singly = singly,
       blocks = blocks)
}

point_text <- function(inputs, dim, k) {
  paste(vapply(inputs[seq_len(dim)], function(v) format(v[k], digits = 15L), ""), collapse = ", ")
}

# Returns the positions of 16 points along an axis: multiples of an irrational number, modulo 1.
positions <- function(axis) ((1:16) * sqrt(axis_primes[axis]) / 2 + 0.11 * axis) %% 1

# The first hundred prime numbers, 5 first.
axis_primes <- local({
  n <- 2:541
  primes <- n[colSums(outer(n, n, function(divisor, n) n %% divisor == 0)) == 1]
  c(5, 2, 3, primes[-(1:3)])
})

check_shares <- positions(1L)

# Returns 16 points inside the ranges of some of the integrals.
check_points <- function(columns, lower, upper, n) {
  row <- ((1:16) * 7919) %% n
  at <- function(column) unname(column[row %% length(column) + 1])
  axes <- lapply(seq_along(lower), function(axis) {
    inside(at(lower[[axis]]), at(upper[[axis]]), positions(axis))
  })
  c(axes, unname(lapply(columns, at)))
}

# Returns the point at a given share of the range, with the substitutions t/(1 - t) for a half-line and
# (2t - 1)/(t (1 - t)) for the whole line.
inside <- function(a, b, share) {
  if (all(is.finite(a), is.finite(b))) return(a + (b - a) * share)
  reach <- share / (1 - share)
  way <- sign(b - a)
  ifelse(is.finite(a) & is.finite(b), a + (b - a) * share,
         ifelse(is.finite(a), a + way * reach,
                ifelse(is.finite(b), b - way * reach, (2 * share - 1) / (share * (1 - share)))))
}

# Raises an error unless program and function agree at some points, one by one and all at once.
compare_translation <- function(program, slow, points, dim, call) {
  ours <- .Call(C_values, program, points)
  theirs <- suppressWarnings(value_or(slow$singly(points), conditionMessage))
  if (is.character(theirs)) stop_with(call, "argument", "`f` failed at a point of the range: ", theirs)
  together <- slow$all_at_once(points)
  for (k in seq_len(slow$components)) {
    own <- function(values) component_values(values, k, slow$components)
    singly <- function(points) own(slow$singly(points))
    stop_if_different(own(ours), own(theirs), points, dim, "", singly, call)
    if (!is.null(together))
      stop_if_different(own(ours), own(together), points, dim, " when called with the vector of all points",
                        singly, call, vector_hint)
  }
}

vector_hint <- paste(" A function that accepts a vector of points has to return the value at each of them: use, for",
                     "example, pmax() and pmin() instead of max() and min().")

stop_if_different <- function(ours, theirs, points, dim, how, singly, call,
                              hint = " Does `f` use the vector of all points instead of each point?") {
  bad <- where_different(ours, theirs, points, singly)
  if (!length(bad)) return(invisible())
  k <- bad[1L]
  stop_with(call, "translation", "The translation and `f` differ at x = ", point_text(points, dim, k), ": ",
            format(ours[k], digits = 15L), " and ", format(theirs[k], digits = 15L), how, ".", hint)
}

# Returns the indices of the points at which the values differ: by more than 1e-9 relative and the smallest normal
# number, and by more than 4 times the change of the function when the point moves by 8 ulp.  The second criterion
# requires that the function returns the same value as before at the point itself.
where_different <- function(ours, theirs, points, singly) {
  least <- pmax(1e-9 * pmax(abs(ours), abs(theirs)), .Machine$double.xmin)
  same <- abs(ours - theirs) <= least | is.na(ours) & is.na(theirs) | ours == theirs
  bad <- which(!same | is.na(same))
  if (!length(bad) || anyNA(ours[bad]) || anyNA(theirs[bad])) return(bad)
  moved <- vapply(c(0, -8, 8), function(ulps) {
    near <- lapply(points, function(column) column[bad] * (1 + ulps * .Machine$double.eps))
    suppressWarnings(tryCatch(abs(singly(near) - theirs[bad]), error = function(e) rep(NaN, length(bad))))
  }, double(length(bad)))
  moved <- matrix(moved, length(bad))
  spread <- pmax(moved[, 2L], moved[, 3L])
  bad[!(moved[, 1L] %in% 0 & is.finite(spread) & abs(ours[bad] - theirs[bad]) <= 4 * spread)]
}

# --- the run --------------------------------------------------------------------------------

# Returns the vectors of results for n integrals: n evaluations, and for each component in turn n elements of the
# others.  Only the statuses and, with several components, the evaluations are initialised.
new_state <- function(n, method = "gk", components = 1L) {
  state <- .Call(C_integrals, as.double(c(n, if (components > 1L) components)))
  if (components > 1L) state$evaluations <- numeric(n)
  results <- n * components
  if (integral_methods()$bounds[[method]]) state$bound <- rep(NA_real_, results)
  if (integral_methods()$samples[[method]])
    state <- c(state, list(chi.squared = rep(NA_real_, results), df = rep(NA_real_, results)))
  state
}

# The compiled code writes to the vectors of `state`, so that finished integrals survive an interrupt.
run_once <- function(p, method, n, backend) {
  if (!is.null(p$components) && !shares_points(method, backend)) return(run_each_component(p, method, n, backend))
  if (is.null(p$options$seed) && !is.null(integral_methods()$options[[method]]$seed)) p$options$seed <- draw_key()
  if (is_for_workers(p, n)) return(run_by_workers(p, method, n, backend))
  progress <- if (n > 1L) show_progress(n, "Integrals")
  if (!is.null(progress)) on.exit(progress$end())
  state <- new_state(n, method, components_of(p))
  if (!is.null(p$done)) state$status[p$done] <- 0L
  told <- c(list(progress = progress$update), state)
  tryCatch(.Call(C_integrate, told, p, method, backend), interrupt = function(e) NULL)
  state
}

# Returns a limit as results keep it: as it was given, so that it is not copied, but single numbers as doubles.
given_limit <- function(limit) if (length(limit) == 1L) as.double(limit) else limit

# Runs a problem and sets the final statuses.
compute_integrals <- function(p, method, n, backend) {
  if (!is.null(p$components)) return(compute_components(p, method, n, backend))
  run <- runner_of(p, method)
  judged <- if (needs_finite_box(p, method)) on_finite_box(p, with_scale(new_map(p), p)) else p
  with_final_statuses(run(p, method, n, backend), judged, method)
}

# Returns the function that runs a problem by a method.
runner_of <- function(p, method) {
  if (needs_finite_box(p, method)) run_on_finite_box else if (method == "auto") run_auto else run_once
}

# Runs a problem with infinite limits on a finite box, in groups if no common transformation is suitable.
run_on_finite_box <- function(p, method, n, backend) {
  map <- located(new_map(p), p)
  suited <- suitable_integrals(map, p, n)
  looked <- map$evaluations * min(n, integrals_examined) / n + suitability_evaluations(map, n)
  if (anyNA(suited) != all(is.na(suited)) || !all(suited, na.rm = TRUE)) {
    p$tolerance$max.eval <- max(p$tolerance$max.eval - ceiling(looked), 1)
    state <- run_in_groups(p, method, n, backend, suited %in% TRUE)
  } else {
    p <- on_finite_box(p, map)
    run <- runner_of(p, method)
    state <- run(p, method, n, backend)
  }
  state$evaluations <- state$evaluations + ceiling(looked)
  state
}

# Runs integrals over infinite ranges in groups, each with a transformation of its own: those that one transformation
# suits, and the others; or up to four groups if it suits none.
run_in_groups <- function(p, method, n, backend, suited) {
  groups <- split(seq_len(n), if (any(suited)) suited else ((seq_len(n) - 1) * integrals_examined) %/% n)
  parts <- list()
  for (at in groups) {
    part <- run_on_finite_box(pick_integrals(p, at), method, length(at), backend)
    parts <- c(parts, list(part))
    if (any(part$status == not_done())) break
  }
  joined_parts(parts, groups[seq_along(parts)], n)
}

# Returns the state of n integrals, of which the parts are those of groups; the others are not done.
joined_parts <- function(parts, groups, n) {
  state <- parts[[1L]]
  each <- setdiff(names(state)[lengths(state) > 0L], c("on_device", "stages"))
  state[each] <- lapply(state[each], rep_len, n)
  state$status[] <- not_done()
  for (k in seq_along(parts)) for (name in each) state[[name]][groups[[k]]] <- parts[[k]][[name]]
  state$on_device <- any(vapply(parts, `[[`, NA, "on_device"))
  stages <- lapply(parts, `[[`, "stages")
  longest <- stages[[which.max(lengths(stages))]]
  at <- seq_along(longest)
  for (k in at) longest[k] <- sum(vapply(stages, function(v) if (k > length(v)) 0 else v[[k]], 0))
  state$stages <- longest
  state
}

# Runs a problem whose limits need no transformation by several methods.
run_auto <- function(p, method, n, backend) {
  if (!is.null(p$stages)) return(run_stages(p, n, backend))
  oscillation <- oscillation_of(p, n)
  if (is.null(oscillation)) run_bisecting(p, n, backend) else run_oscillating(p, oscillation, n, backend)
}

# Runs bisection, and the double exponential rule for integrals that have not converged.
run_bisecting <- function(p, n, backend) try_tanhsinh(run_gk(p, n, backend), p, backend)

# Computes the integrals that "gk" has not finished by "tanhsinh".
try_tanhsinh <- function(state, p, backend) {
  again <- .Call(C_unfinished, state$status)
  again <- again[!is.nan(state$value[again])]                 # f is NaN throughout an interval, which tanhsinh may miss
  if (!length(again) || any(state$status == not_done())) return(state)
  others <- pick_integrals(p, again)
  others$tolerance$max.eval <- min(p$tolerance$max.eval, tanhsinh_most)
  other <- run_once(others, "tanhsinh", length(again), backend)
  # its limit on the evaluations is not that of the caller, and its errors are reliable only if it has converged
  limited <- other$status == status_number("max.eval")
  other$status[limited] <- state$status[again][limited]
  other$error[other$status != 0L & other$status != not_done() & is.finite(state$error[again])] <- Inf
  other <- without_contradictions(other, state, again)
  better_of(with_stage(with_stage(state, "gk"), "tanhsinh", other), again, other)
}

# Appends the evaluations of a stage of "auto", all integrals together, to those of earlier stages.
with_stage <- function(state, method, stage = state) {
  evaluations <- sum(stage$evaluations[stage$status != not_done()])  # the remaining values are not initialised
  state$stages <- c(state$stages, stats::setNames(evaluations, method))
  state
}

# Evaluations of the double exponential rule for integrals that bisection does not complete: those that it can complete
# take fewer.
tanhsinh_most <- 4000

# Returns the problem of some of the integrals.
pick_integrals <- function(p, i) {
  pick <- function(columns) lapply(columns, function(v) if (length(v) == 1L) v else v[i])
  p[c("lower", "upper", "columns")] <- lapply(p[c("lower", "upper", "columns")], pick)
  each <- names(each_options(p$options))
  p$options[each] <- pick(p$options[each])
  p
}

# Errors by which a converged result may differ from an earlier one.
contradiction <- 10

# Returns the results `other` of components or integrals number `again` without those that have converged but contradict
# the results so far: if the values differ by far more than both errors, or all values of the integrand were 0 and had
# not been before, one of the methods has missed what the other has met, such as a narrow peak.
without_contradictions <- function(other, state, again) {
  apart <- abs(other$value - state$value[again])
  is_empty <- other$value == 0 & other$error == 0
  false <- which(other$status == 0L & (apart > contradiction * (other$error + state$error[again]) |
                                         is_empty & apart > 0))
  other$status[false] <- state$status[again][false]
  other$error[false] <- Inf
  other
}

# Merges two results, taking the better one for each of the integrals `again`; `other` holds only these.
better_of <- function(state, again, other) {
  before <- state$error[again]
  seen <- other$status != not_done()
  better <- which(is_better(other$status, other$error, before))
  other$evaluations[!seen] <- 0
  state$evaluations[again] <- state$evaluations[again] + other$evaluations
  for (part in c("value", "error", "status", if (!is.null(state$rule)) "rule"))
    state[[part]][again[better]] <- other[[part]][better]
  state$on_device <- state$on_device || other$on_device
  state
}

# TRUE for results that replace others with the error `before`.  Results with the status "interrupted" are not
# initialised.
is_better <- function(status, error, before) {
  status == 0L | status != not_done() & is.finite(error) & (is.na(before) | error < before)
}

# Reports integrals that have not converged.  counts: the number of integrals, or of their components if they have
# several, with each status.  With tolerances below what rounding allows for any integrand, "roundoff" causes no
# warning.
report_status <- function(counts, tolerance, stop.on.error, components, call) {
  n <- sum(counts)
  rounded <- match("roundoff", integral_statuses())
  if (tolerance$rel.tol < 50 * .Machine$double.eps && tolerance$abs.tol == 0) {
    counts[1L] <- counts[1L] + counts[rounded]
    counts[rounded] <- 0
  }
  if (counts[1L] == n) return(invisible())
  bad <- n - counts[1L]
  which <- which(counts > 0 & integral_statuses() != "converged")
  text <- paste0(format(bad, scientific = FALSE), " of ", format(n, scientific = FALSE),
                 if (components > 1L) " components have" else ngettext(n, " integral has", " integrals have"),
                 " not converged: ",
                 paste0(format(counts[which], scientific = FALSE, trim = TRUE), " ", integral_statuses()[which],
                        collapse = ", "), ".",
                 if (counts[rounded] > 0) " For \"roundoff\", set `abs.tol` above the rounding error.")
  if (stop.on.error) stop_with(call, "integral", text)
  warning(structure(class = c("gintegrate_warning_status", "stablecl_warning", "warning", "condition"),
                    list(message = text, call = call)))
}
