#' Integrals of R functions, one or a million, on all processor cores
#'
#' Integrates an ordinary R function over one variable. The function is translated ([gtranslate()]) and computed by threads
#' over blocks of points; a call may hold one integral or as many as `params` has rows or the limits have elements, each
#' refined for itself, with its own value, error, number of evaluations and status.
#'
#' @section Methods:
#' \describe{
#'   \item{`"gk"`}{globally adaptive Gauss-Kronrod quadrature with 10 and 21 points and the error estimate of QUADPACK (Piessens
#'     et al. 1983), breadth-first: each round halves the worst intervals of all unfinished integrals together. Infinite ranges
#'     are mapped to \eqn{(0, 1]} by \eqn{x = a \pm (1 - t)/t}, the whole line as two halves.  A range starts as 4
#'     intervals; one on which all values are 0 is looked at once more at 5376 points.}
#'   \item{`"tanhsinh"`}{double exponential quadrature (Takahasi and Mori 1974), for integrands that are analytic inside
#'     the range and singular at its ends; an end at 0 is resolved best.}
#'   \item{`"auto"`}{`"gk"`, then `"tanhsinh"` for what that has not finished, and the better of both.}
#' }
#'
#' @section Errors and accuracy:
#' `abs.error` is an estimate, no bound, but a cautious one: on the 48 one-dimensional integrals of the package's tests
#' it is never below the true error (rel.tol = 1e-8).  A tolerance below rounding - 100 eps times the integral of
#' \eqn{|f|} - is taken for that. Values that are not finite make an interval be halved, and count as 0 on an
#' infinite range beyond the point where the integrand was 0 before (\eqn{0\cdot\infty}{0 times Inf}).
#'
#' Integrals that do not converge have another status than `"converged"` (`"max.eval"`; `"stuck"`: intervals as
#' narrow as numbers are; `"not finite"`; `"interrupted"`), and there is one warning of class
#' `"gintegrate_warning_status"` for all of them, or an error of class `"stablecl_error_integral"` with
#' `stop.on.error = TRUE`.  Like any rule that looks at points, this one misses what lies between them.
#'
#' What cannot be translated is computed by the closure itself on the main thread, over large blocks of points, with a
#' message once in a session, unless `fallback = "none"`.  Before a run, translation and closure are compared at
#' 16 points; a difference beyond 1e-9 is an error of class `"stablecl_error_translation"` that names the point.  If the
#' closure takes a vector of points, as [integrate()] wants it, it must give the same values that way.
#'
#' An interrupt ends the call with what is finished by then.
#'
#' @param f a function of one variable that returns a number; it may, but need not, take vectors.
#' @param lower,upper limits, finite or infinite: single numbers or vectors, a value for each integral. `upper < lower` is
#'   allowed and changes the sign.
#' @param ... further arguments of `f`, the same for all integrals.
#' @param params data frame of arguments of `f`, a row for each integral.
#' @param method see below.
#' @param rel.tol,abs.tol the error wanted: the larger of `abs.tol` and `rel.tol` times the value's size.
#' @param max.eval the evaluations that one integral may take (with `"auto"`, by each of the two methods).
#' @param breaks numbers inside the range where `f` or a derivative jumps.
#' @param stop.on.error logical: is an integral that does not converge an error?
#' @param fallback `"R"` or `"none"`: what is done with a function that has no translation.
#' @param subdivisions,stop.on.error as in [integrate()]: `subdivisions`, if given, sets `max.eval` to 42 times that.
#' @return An object of class `"gintegral"`: a list with `value`, `abs.error`, `evaluations` and `status` (one element for each
#'   integral), `method`, `backend` (`"threads"` or `"R"`), `time` (seconds) and `call`.  [format()], [print()],
#'   [summary()], [as.data.frame()], [length()] and `[` have methods.
#' @section Errors of arguments:
#' They have the class `"stablecl_error_argument"`.
#' @source Piessens, R., de Doncker-Kapenga, E., Ueberhuber, C. W. and Kahaner, D. K. (1983) *QUADPACK*, Springer,
#'   \doi{10.1007/978-3-642-61786-7}.  Takahasi, H. and Mori, M. (1974) Double exponential formulas for numerical
#'   integration, *Publ. RIMS* 9, 721-741, \doi{10.2977/prims/1195192451}.
#' @seealso [gtranslate()] for what `f` may contain, [stable_threads()].
#' @examples
#' gintegrate(function(x) exp(-x^2), -Inf, Inf)
#' gintegrate(function(x) if (x > 1/3) exp(x) else 0, 0, 1, breaks = 1/3)
#'
#' # a thousand integrals at once
#' many <- gintegrate(function(x, k) exp(-(x/k)^2) / (1 + x), 0, seq(0.1, 2, length.out = 1000),
#'                    params = data.frame(k = runif(1000, 0.05, 0.2)))
#' many
#' head(as.data.frame(many))
#' @export
gintegrate <- function(f, lower, upper, ..., params = NULL, method = c("auto", "gk", "tanhsinh"), rel.tol = 1e-8,
                       abs.tol = 0, max.eval = 1e6, breaks = NULL, stop.on.error = FALSE, fallback = c("R", "none"),
                       subdivisions = NULL) {
  call <- sys.call()
  began <- proc.time()[["elapsed"]]
  method <- check_choice(method, c("auto", "gk", "tanhsinh"), "method", call)
  fallback <- check_choice(fallback, c("R", "none"), "fallback", call)
  if (!is.null(subdivisions)) max.eval <- 42 * check_positive(subdivisions, "subdivisions", call)
  control <- c(check_positive(rel.tol, "rel.tol", call, zero = TRUE), check_positive(abs.tol, "abs.tol", call, zero = TRUE),
               check_positive(max.eval, "max.eval", call))
  breaks <- check_breaks(breaks, call)
  if (length(breaks) && method == "tanhsinh")
    fit_abort(call, "argument", "`breaks` go with the method \"gk\" only.")
  if (length(breaks)) method <- "gk"
  columns <- check_params(params, call)
  lower <- check_limits(lower, "lower", call)
  upper <- check_limits(upper, "upper", call)
  n <- check_integrals(lower, upper, columns, call)
  integrand <- integrand_of(f, list(...), columns, lower, upper, n, fallback, call)
  state <- run_method(method, integrand, n, lower, upper, columns, breaks, control)
  result <- structure(list(value = state$value, abs.error = state$error, evaluations = state$evaluations,
                           status = factor(integral_statuses[state$status + 1L], integral_statuses), method = method,
                           backend = if (is.function(integrand)) "R" else "threads",
                           time = proc.time()[["elapsed"]] - began, call = call), class = "gintegral")
  report_status(result, stop.on.error, call)
  result
}

integral_statuses <- c("converged", "max.eval", "stuck", "not finite", "interrupted")

# --- arguments ----------------------------------------------------------------------

check_choice <- function(value, choices, name, call) {
  if (identical(value, choices)) return(choices[1L])
  if (!is.character(value) || length(value) != 1L || !value %in% choices)
    fit_abort(call, "argument", "`", name, "` must be one of ", paste(dQuote(choices, FALSE), collapse = ", "), ".")
  value
}

check_positive <- function(value, name, call, zero = FALSE) {
  good <- is.numeric(value) && length(value) == 1L && !is.na(value) && (value > 0 || zero && value == 0)
  if (!good)
    fit_abort(call, "argument", "`", name, "` must be one number ", if (zero) "not below 0." else "above 0.")
  as.double(value)
}

check_breaks <- function(breaks, call) {
  if (!is.null(breaks) && (!is.numeric(breaks) || !all(is.finite(breaks))))
    fit_abort(call, "argument", "`breaks` must be finite numbers.")
  sort(unique(as.double(breaks)))
}

check_limits <- function(limit, name, call) {
  if (!is.numeric(limit) || !length(limit))
    fit_abort(call, "argument", "`", name, "` must hold numbers, one or one for each integral.")
  as.double(limit)
}

# A matrix with a named column for each parameter.
check_params <- function(params, call) {
  if (is.null(params)) return(matrix(0, 0L, 0L))
  if (is.list(params) && !is.data.frame(params)) params <- as.data.frame(params)
  if (!is.data.frame(params) || !all(vapply(params, is_numeric_or_logical, NA)))
    fit_abort(call, "argument", "`params` must be a data frame of numbers, a row for each integral.")
  columns <- as.matrix(params)
  storage.mode(columns) <- "double"
  columns
}

check_integrals <- function(lower, upper, columns, call) {
  lengths <- c(lower = length(lower), upper = length(upper), params = if (ncol(columns)) nrow(columns))
  n <- max(lengths)
  if (any(lengths != 1L & lengths != n) || any(lengths == 0L))
    fit_abort(call, "argument", "`lower`, `upper` and `params` must have 1 or ", n, " values, not ",
              paste(lengths, collapse = ", "), ".")
  n
}

# --- the integrand --------------------------------------------------------------------

# A program, or a function of a list of columns.
integrand_of <- function(f, fixed, columns, lower, upper, n, fallback, call) {
  made <- tryCatch(translate_integrand(f, 1L, fixed, as.character(colnames(columns)), call),
                   gintegrate_untranslatable = identity)
  slow <- closure_integrand(f, fixed, colnames(columns), call)
  if (inherits(made, "gtranslation")) {
    compare_translation(made$program, slow, check_points(columns, lower, upper, n), call)
    return(made$program)
  }
  if (fallback == "none") stop(made)
  if (is.null(once$untranslatable)) {
    once$untranslatable <- TRUE
    message(conditionMessage(made), "\nR computes it on one thread instead. This is said once.")
  }
  slow$blocks
}

# The closure at many points at once, if it takes vectors; else point by point.
closure_integrand <- function(f, fixed, names, call) {
  one <- function(inputs, k) {
    values <- lapply(inputs, `[`, k)
    do.call(f, c(unname(values[1L]), stats::setNames(values[-1L], names), fixed))
  }
  all_at_once <- function(inputs) {
    n <- length(inputs[[1L]])
    y <- tryCatch(suppressWarnings(one(inputs, seq_len(n))), error = function(e) NULL)
    if (is_numeric_or_logical(y) && length(y) == n && n > 1L) as.double(y)
  }
  singly <- function(inputs) {
    vapply(seq_along(inputs[[1L]]), function(k) {
      y <- one(inputs, k)
      if (!is_numeric_or_logical(y) || length(y) != 1L)
        fit_abort(call, "argument", "`f` must return one number at each point; at ", format(inputs[[1L]][k]),
                  " it returns ", class(y)[1L], " of length ", length(y), ".")
      as.double(y)
    }, 0)
  }
  list(all_at_once = all_at_once, singly = singly, blocks = function(inputs) {
    y <- all_at_once(inputs)
    if (is.null(y)) singly(inputs) else y
  })
}

# 16 points inside the ranges of some of the integrals.
check_points <- function(columns, lower, upper, n) {
  k <- 1:16
  row <- (k * 7919L) %% n + 1L
  share <- (k * 0.6180339887498949) %% 1
  a <- rep_len(lower, n)[row]
  b <- rep_len(upper, n)[row]
  from <- ifelse(is.finite(a), a, ifelse(is.finite(b), b - sign(b - a) * share / (1 - share), 0))
  x <- ifelse(is.finite(a) & is.finite(b), a + (b - a) * share,
              ifelse(is.finite(a), a + sign(b - a) * share / (1 - share),
                     ifelse(is.finite(b), from, (2 * share - 1) / (share * (1 - share)))))
  c(list(x), lapply(seq_len(ncol(columns)), function(j) columns[(row - 1L) %% nrow(columns) + 1L, j]))
}

compare_translation <- function(program, slow, points, call) {
  points <- lapply(points, unname)
  ours <- .Call(C_values, program, points)
  theirs <- suppressWarnings(tryCatch(slow$singly(points), error = function(e) conditionMessage(e)))
  if (is.character(theirs)) fit_abort(call, "argument", "`f` fails at a point of the range: ", theirs)
  complain_if_different(ours, theirs, points, "", call)
  together <- slow$all_at_once(points)
  if (!is.null(together))
    complain_if_different(ours, together, points, " for all points together, as if they were one vector", call)
}

complain_if_different <- function(ours, theirs, points, how, call) {
  same <- abs(ours - theirs) <= 1e-9 * pmax(abs(ours), abs(theirs)) | is.nan(ours) & is.na(theirs) | ours == theirs
  bad <- which(!same | is.na(same))
  if (!length(bad)) return(invisible())
  k <- bad[1L]
  fit_abort(call, "translation", "Translation and function differ at x = ", format(points[[1L]][k], digits = 15L), ": ",
            format(ours[k], digits = 15L), " and ", format(theirs[k], digits = 15L), how,
            ". Is the variable used as a whole vector?")
}

# --- the run --------------------------------------------------------------------------------

new_state <- function(n) {
  list(value = numeric(n) + NA_real_, error = numeric(n) + NA_real_, evaluations = numeric(n), status = integer(n) + 4L)
}

# The compiled code writes to the vectors of `state`: an interrupt leaves what is finished.
run_once <- function(state, integrand, lower, upper, columns, breaks, control, tanhsinh) {
  tryCatch(.Call(C_integrate, state, integrand, lower, upper, columns, breaks, c(control, tanhsinh)),
           interrupt = function(e) NULL)
  state
}

run_method <- function(method, integrand, n, lower, upper, columns, breaks, control) {
  if (ncol(columns)) columns <- columns[rep_len(seq_len(nrow(columns)), n), , drop = FALSE]
  state <- run_once(new_state(n), integrand, lower, upper, columns, breaks, control, method == "tanhsinh")
  again <- which(state$status %in% 1:3)
  if (method != "auto" || !length(again)) return(state)
  pick <- function(limit) rep_len(limit, n)[again]
  if (ncol(columns)) columns <- columns[again, , drop = FALSE]
  other <- run_once(new_state(length(again)), integrand, pick(lower), pick(upper), columns, breaks, control, TRUE)
  before <- state$error[again]
  better <- which(other$status == 0L | is.finite(other$error) & (is.na(before) | other$error < before))
  state$evaluations[again] <- state$evaluations[again] + other$evaluations
  for (part in c("value", "error", "status")) state[[part]][again[better]] <- other[[part]][better]
  state
}

report_status <- function(result, stop.on.error, call) {
  bad <- result$status != "converged"
  if (!any(bad)) return(invisible())
  counts <- table(droplevels(result$status[bad]))
  text <- paste0(sum(bad), " of ", length(bad), ngettext(length(bad), " integral has", " integrals have"),
                 " not converged: ", paste0(counts, " ", names(counts), collapse = ", "), ".")
  if (stop.on.error) fit_abort(call, "integral", text)
  warning(structure(class = c("gintegrate_warning_status", "stablecl_warning", "warning", "condition"),
                    list(message = text, call = call)))
}
