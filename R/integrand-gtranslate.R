#' Translate an integrand
#'
#' Translates an R function to the list of operations that [gintegrate()] executes over blocks of points, on several
#' threads, and prints it.
#'
#' @section The language:
#' `gtranslate()` translates the closure's syntax tree, not the trace of a call, so that it covers both sides of an
#' `if`.  R evaluates once, in the closure's environment, all expressions that depend neither on the point nor on a
#' parameter that differs between integrals: they may contain any R code.  Captured numbers, vectors and matrices are
#' data of the program, so that new values do not require a new program.  The rest may consist of
#' \itemize{
#'   \item the variable: `x`, a number in one dimension; `x[1]`, ..., `x[d]` or the whole vector in `d`; or
#'     `d` arguments `x, y, z`; further arguments are parameters;
#'   \item `+ - * / ^ %% %/%`, comparisons, `! & && | || xor`, with R's rules for `NaN` and infinities (`NA` is
#'     treated as `NaN`; `%%` is exact where R rounds the quotient first);
#'   \item `if`/`else`, `ifelse`, `switch` on values known at translation, `{`, `return`, assignments to local names and
#'     to elements of local vectors, `for` over values known at translation (up to 32 passes, and more if they differ,
#'     are unrolled; up to 1e6 passes that are the same are a loop of the program);
#'   \item `abs sign sqrt exp expm1 log log1p log2 log10 sin cos tan sinpi cospi tanpi asin acos atan atan2 sinh cosh
#'     tanh asinh acosh atanh floor ceiling trunc round gamma lgamma digamma trigamma beta lbeta factorial
#'     lfactorial choose lchoose is.na is.nan is.finite is.infinite pmin pmax`; `besselJ` and
#'     `besselY` of orders 0 and 1;
#'   \item over vectors, which have fixed lengths and are recycled: `sum prod mean min max range any all cumsum cumprod
#'     length seq_along c rev rep rep_len rep.int head tail as.numeric as.double as.vector drop unname identity
#'     invisible`;
#'   \item matrices and arrays of fixed extent: `matrix array rbind cbind diag t aperm dim nrow ncol NROW NCOL row col
#'     upper.tri lower.tri rowSums colSums rowMeans colMeans crossprod tcrossprod outer`, `%*%`, `%o%`; `solve det
#'     chol backsolve forwardsolve` of up to 12 rows; assignments to elements, to `diag(x)` and to `dim(x)`;
#'   \item elements by `[` and `[[`: of any vector, matrix or array, at indices that are known or depend on the point;
#'     `findInterval` with known breaks;
#'   \item functions over elements: `sapply vapply lapply mapply Map apply Reduce Filter do.call`; lists by `list`, `$`,
#'     `[[` and `unlist`;
#'   \item densities and distribution functions `dnorm dlnorm dunif dexp dcauchy dlogis dweibull dgamma dchisq dbeta dt
#'     df dpois dbinom dnbinom dgeom` and `pnorm plnorm punif pexp pcauchy plogis pweibull pgamma pchisq pbeta pt pf
#'     ppois pbinom pnbinom pgeom` with all their arguments except `ncp`; `log`, `lower.tail` and `log.p` must be known
#'     at translation;
#'   \item [dstable()] and [pstable()]: fast for one distribution at all points, with the exact integral for each shape
#'     where `alpha` or `beta` varies;
#'   \item functions made by [approxfun()], [splinefun()], [stepfun()] and [ecdf()];
#'   \item calls of other closures that meet these conditions, including those wrapped by [Vectorize()].
#' }
#' An index that depends on the point is truncated to a whole number, as in R.  Where a vector has no such element, the
#' value is `NaN` (`NA` in R), and where a matrix or an array has none, the integrand is `NaN`, as R reports an error
#' there. R drops elements at negative indices and selects none at 0; the translation is `NaN` there.  `solve()` and
#' `det()` eliminate with partial pivoting as R does, for each point; where R reports that a matrix is singular or not
#' positive, the integrand is `NaN`.  Names of elements, rows and columns have no translation, and neither have complex
#' numbers: R evaluates integrands that contain them, and refuses complex results.
#'
#' In one dimension `sum(x)` and similar calls are refused: the closure would reduce all points to one number.
#'
#' Arguments are matched as R matches them.  These have no translation: arguments that the list above does not cover
#' (`mean(x, trim = 0.1)`, `ncp`); functions in whose environment a word of the language (`if`, `(`, ...) is redefined;
#' and functions that read the clock, random numbers, an active binding, or the frame of a call.  Integers overflow to
#' `NA` as in R. Where a condition of `if` is `NA`, which is an error in R, the integrand is `NaN`.
#' An integrand has at most 50000 operations, and its translation takes at most 100000 steps; [gintegrate()] evaluates
#' longer ones in R.  Each element of a vector takes operations of its own, a loop only those of one pass: prefer a loop
#' to `sum()` over thousands of elements on a device, whose driver takes a long time to compile that many operations.
#'
#' @section Comparison with R:
#' `gtranslate()` compares the translation with the function at 8 points of both signs, and [gintegrate()] at 16
#' points inside the range (fewer if R takes longer than some milliseconds for a point, none beyond 1e9 operations); a
#' difference beyond 1e-9 is an error of class `"stablecl_error_translation"`.  The result contains the function
#' together with the values that it captured at the time of translation, also when saved to a file ([saveRDS()]).
#'
#' Densities and distribution functions differ from R's by no more than a few 1e-14 relative plus the effect of rounding
#' the arguments, over all parameters from 1e-10 to 1e6 and in both tails (for a logarithm this is the relative
#' difference of the logarithm); a count that is not whole has density 0, without R's warning.  The error of Bessel
#' functions is less than 1e-14 times their amplitude (of [besselY()] near 0, times the value).
#'
#' @param f a function.
#' @param dim number of variables.  By default the number of arguments without a default that are not among
#'   `...` and `params`, if it is more than one; otherwise the largest literal index of the first argument (`x[3]`),
#'   or 1.
#' @param ... further arguments of `f`, the same for all integrals.
#' @param params names of the arguments that differ between integrals, or the data frame that holds them.
#' @return An object of class `"gtranslation"`: a list with `program` (the input of the compiled code), `dim`,
#'   `parameters` (names), `work` (operations at one point), `text` (the printed lines) and `source` (the function and
#'   the values that it captured, with which [gintegrate()] compares the translation inside the range).
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_untranslatable"`}{the function cannot be translated. The condition, whose class is also
#'     `"gintegrate_untranslatable"`, reports everything that cannot be translated: its data frame `problems` has the
#'     columns `call`, `place` (the line of the source, if R has kept it, otherwise the number of the statement) and
#'     `advice`;}
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty or invalid;}
#'   \item{`"stablecl_error_translation"`}{the function and its translation differ at a point.}
#' }
#' @seealso [gintegrate()], [gintegrate-integrands].
#' @examples
#' gtranslate(function(x, a) if (x > 0) exp(-a * x^2) else 0, a = 2)
#' try(gtranslate(function(x) rnorm(1) + qgamma(x, 2)))
#' @export
gtranslate <- function(f, dim = NULL, ..., params = NULL) {
  check_given()
  call <- sys.call()
  check_empty(as.list(substitute(list(...)))[-1L], call)
  if (!is.null(dim)) dim <- check_dim_number(dim, call, ".")
  made <- translate_integrand(f, dim, list(...), parameter_names(params, call), call, own = names(formals(gtranslate)))
  made$text <- program_text(made$program, made$dim, made$parameters)
  made$source <- list(f = with_captured(f), fixed = list(...))
  made$compared <- new.env(parent = emptyenv())
  compare_at_some_points(made, call)
  made
}

# Returns the names of the parameters: the columns of a data frame, or the names themselves.
parameter_names <- function(params, call) {
  if (is.data.frame(params)) return(names(params))
  if (!is.null(params) && !is.character(params))
    stop_with(call, "argument", "`params` must be names of arguments of `f` or a data frame with these names, not ",
              value_text(params), ".")
  as.character(params)
}

# Returns the function with an environment that holds the current values of its names, so that later changes of these
# values do not affect it.
with_captured <- function(f) {
  if (is.primitive(f)) return(f)
  env <- environment(f)
  captured <- new.env(parent = env)
  for (name in setdiff(all.names(body(f), unique = TRUE), names(formals(f)))) {
    value <- get0(name, envir = env)
    if (!is.null(value) && !is_base(name, env)) assign(name, value, envir = captured)
  }
  if (length(ls(captured, all.names = TRUE))) environment(f) <- captured
  f
}

# Compares a translation with its function at points of both signs and several magnitudes, as the range is not known.
# Where the function fails, the translation must return NaN.  A translation that selects elements may also be NaN where
# the function does not fail: outside the range of the integral, an index may be negative, and R then drops elements.
compare_at_some_points <- function(made, call) {
  x <- c(0.47, 1.23, 2.61, -0.73, 0.093, 7.19, -3.07, 0.983)[seq_len(min(8L, points_to_compare(made$work)))]
  if (!length(x)) return(invisible())
  inputs <- made$dim + length(made$parameters)
  points <- lapply(seq_len(inputs), function(k) if (k == 1L) x else rev(x) * k / (k + 1))
  slow <- closure_integrand(made$source$f, made$dim, made$source$fixed, made$parameters, call)
  one_by_one <- function(points) {
    vapply(seq_along(points[[1L]]), function(k) {
      y <- value_or(slow$singly(lapply(points, `[`, k)), function(e) NULL)
      if (is.null(y)) NaN else y
    }, 0)
  }
  theirs <- suppressWarnings(one_by_one(points))
  ours <- .Call(C_values, made$program, points)
  compared <- if (has_index_table(made$program)) !is.nan(ours) else rep(TRUE, length(ours))
  stop_if_different(ours[compared], theirs[compared], lapply(points, `[`, compared), made$dim, "", one_by_one, call)
}

# own: the arguments of the user's function, to which the message about an unknown argument of `f` refers.
translate_integrand <- function(f, dim, fixed, parameters, call, components = 1L, own = names(formals(gintegrate))) {
  if (!is.function(f)) stop_with(call, "argument", "`f` must be a function, not ", value_text(f), ".")
  f <- call_of_supported(f)
  check_integrand_arguments(f, fixed, parameters, own, call)
  if (is.null(dim)) dim <- guess_dim(variables_of(f, fixed, parameters), first_argument_reads(f))
  tr <- translation(dim, parameters)
  on.exit(.Call(C_nodes_release, tr$nodes))
  tr$user_call <- call
  tr$place <- place_of_body(f)
  depth <- options(expressions = 50000L)
  on.exit(options(depth), add = TRUE)
  id <- tryCatch({
    frame <- bind_integrand(tr, f, fixed, parameters, call)
    translate_to_nodes(tr, frame, f, components)
  }, error = function(e) {
    if (!is_stack_overflow(e)) stop(e)
    problem(tr, quote(f), "its calls are nested too deeply")
    raise_untranslatable(tr)
  })
  program <- program_assemble(tr, id)
  structure(list(program = program, dim = tr$dim, parameters = parameters, work = program$work),
            class = "gtranslation")
}

# Returns the nodes of the components of the value.
translate_to_nodes <- function(tr, frame, f, components) {
  check_forms(tr, f, frame)
  value <- translate_body(tr, frame, body(f))
  if (!is_unknown(value) && value_length(value) != components)
    problem(tr, quote(f), "its value has ", value_length(value), " elements at each point; it must have ",
            if (components == 1L) "one" else components)
  id <- value_nodes(tr, value, quote(f))
  if (anyNA(id) && !length(tr$problems)) problem(tr, quote(f), "its value cannot be translated")
  if (length(tr$problems)) raise_untranslatable(tr)
  vapply(id, function(one) guarded(tr, one), id[1L])
}

is_stack_overflow <- function(e) {
  inherits(e, "stackOverflowError") || grepl("nested too deeply|C stack usage", conditionMessage(e))
}

# Turns a supported function itself, such as dnorm or sin, into a closure that calls it.
call_of_supported <- function(f) {
  if (!is_of_r_or_primitive(f)) return(f)
  for (name in ls(supported_functions)) if (identical(supported_functions[[name]]$fun, f)) {
    formals <- arguments_of(f)
    passed <- lapply(stats::setNames(names(formals), names(formals)), as.name)
    if (all(c("rate", "scale") %in% names(passed))) passed$rate <- NULL       # scale is 1/rate by default
    if (is.primitive(f)) passed <- unname(passed)
    env <- if (is.primitive(f)) baseenv() else environment(f)
    return(as.function(c(formals, as.call(c(as.name(name), passed))), env))
  }
  f
}

# Returns the arguments of f without a default that are neither given nor parameters.
variables_of <- function(f, fixed, parameters) {
  formals <- formals(f)
  formals <- formals[!names(formals) %in% c(names(fixed), parameters, "...")]
  names(formals)[vapply(formals, identical, NA, quote(expr = ))]
}

# Returns the number of variables: the number of free arguments, or the largest literal index.
guess_dim <- function(free, reads) {
  if (length(free) > 1L) length(free) else as.integer(reads$index)
}

reductions <- c("sum", "prod", "mean", "min", "max", "any", "all", "range", "cumsum", "cumprod")
products <- c("%*%", "crossprod", "outer", "%o%")

# Returns how `f` uses its first argument: the largest literal index, and whether it is indexed, multiplied as a
# vector, or reduced to a number anywhere.
first_argument_reads <- function(f) {
  name <- names(arguments_of(f))[1L]
  index <- 1
  vector <- FALSE
  heads <- c("[", "[[", products, reductions)
  for (expr in calls_in(body(f), heads)) {
    head <- as.character(expr[[1L]])[1L]
    element <- head %in% c("[", "[[") && identical(expr[[2L]], as.name(name))
    joins <- head %in% products || head %in% reductions && length(expr) == 2L
    vector <- vector || element || joins && name %in% all.vars(expr)
    if (element && length(expr) == 3L && is.numeric(expr[[3L]])) index <- max(index, expr[[3L]])
  }
  list(index = index, vector = vector)
}

# Returns the formal arguments; NULL for primitives without any, such as `[`.
arguments_of <- function(f) {
  f <- args(f)
  if (is.function(f)) formals(f)
}

check_integrand_arguments <- function(f, fixed, parameters, own, call) {
  names <- names(arguments_of(f))
  given <- c(names(fixed), parameters)
  if (!length(names)) stop_with(call, "argument", "`f` must have at least one argument, the variable of integration.")
  if (length(fixed) && (is.null(names(fixed)) || any(!nzchar(names(fixed)))))
    stop_with(call, "argument", "Further arguments of `f` must be named.")
  odd <- setdiff(given, names)
  if (length(odd)) {
    near <- near_names(odd[1L], setdiff(c(names, own), "..."))
    stop_with(call, "argument", "`f` has no argument ", sQuote(shortened(odd[1L]), FALSE),
              if (nzchar(near)) near else ".")
  }
  if (anyDuplicated(given))
    stop_with(call, "argument", "Argument ", sQuote(shortened(given[anyDuplicated(given)]), FALSE), " is given twice.")
}

# Returns a frame in which the arguments of the integrand have their values.
bind_integrand <- function(tr, f, fixed, parameters, call) {
  frame <- frame_new(tr, environment(f))
  free <- variables_of(f, fixed, parameters)
  first <- setdiff(names(arguments_of(f)), c(names(fixed), parameters, "..."))[1L]
  if (is.na(first))
    stop_with(call, "argument", "All arguments of `f` are given; one must be left for the variable of integration.")
  axes <- lapply(seq_len(tr$dim), function(k) node_input(tr, k))
  variables <- if (tr$dim > 1L && length(free) == tr$dim) free else first
  if (length(setdiff(free, variables)))
    stop_with(call, "argument", "Argument ", sQuote(setdiff(free, variables)[1L], FALSE), " of `f` has no value; ",
              "give it in `...` or `params`.")
  if (length(variables) == 1L) axes <- list(unlist(axes))
  for (k in seq_along(variables)) assign(variables[k], node_value(axes[[k]]), envir = frame$vars)
  for (name in names(fixed)) assign(name, known_value(fixed[[name]], paste("argument", name)), envir = frame$vars)
  for (k in seq_along(parameters))
    assign(parameters[k], node_value(node_input(tr, tr$dim + k)), envir = frame$vars)
  rest <- setdiff(names(formals(f)), c(variables, names(fixed), parameters, "..."))
  for (name in rest) assign(name, default_value(formals(f)[[name]]), envir = frame$vars)
  evaluate_defaults(tr, frame, f)
  frame
}

# --- the printed lines --------------------------------------------------------------

program_text <- function(program, dim, parameters) {
  ops <- operations()
  operand <- function(k) {
    if (k >= 0L) return(if (k < program$inputs) input_name(k + 1L, dim, parameters) else paste0("r", k))
    paste0("c", -k)
  }
  line <- function(row, name) {
    op <- row[1L] + 1L
    args <- vapply(row[2L + seq_len(ops$arity[op])], operand, "")
    if (ops$name[op] == "SKIP") return(sprintf("  if %s is false at all points: continue after %d", args, row[4L]))
    if (ops$name[op] == "LOOP") return(sprintf("  for r%d in 1:%d, to %d:", row[2L], row[5L], row[4L] + 1L))
    if (ops$name[op] == "NEXT") return(sprintf("  next r%d", row[2L]))
    if (ops$name[op] == "COPY") return(sprintf("  %s <- %s", name, args))
    what <- if (ops$name[op] %in% numbered) sprintf("%s %d", tolower(ops$name[op]), row[4L] + 1L) else ops$in_r[op]
    infix <- length(args) == 2L && grepl("^[^a-z]", what)
    sprintf("  %s <- %s", name, if (infix) paste(args[1L], what, args[2L])
            else sprintf("%s(%s)", what, paste(args, collapse = ", ")))
  }
  numbers <- seq_along(program$constants)
  from <- length(program$constants) - length(program$prelude) / 5L
  given <- numbers[numbers <= from]
  kind <- ifelse(given %in% program$captured, "captured", "constant")
  c(sprintf("  c%d = %s (%s)", given, format(program$constants[given], digits = 7L), kind),
    rows_text(program$prelude, function(row) line(row, paste0("c", row[2L] + 1L))),
    rows_text(program$code, function(row) line(row, paste0("r", row[2L]))),
    sprintf("  value: %s", vapply(program$result, operand, "")))
}

rows_text <- function(code, line) {
  if (!length(code)) return(character())
  apply(matrix(code, 5L), 2L, line)
}

input_name <- function(k, dim, parameters) {
  if (k > dim) parameters[k - dim] else if (dim == 1L) "x" else paste0("x", k)
}

#' @rdname gtranslate
#' @param x a value of `gtranslate()`.
#' @export
print.gtranslation <- function(x, ...) {
  check_dots(..., allowed = print_arguments)
  n <- length(x$program$code) / 5L
  cat(sprintf("Integrand in %d %s: %d %s on %d registers\n", x$dim, ngettext(x$dim, "dimension", "dimensions"), n,
              ngettext(n, "operation", "operations"), x$program$registers))
  writeLines(utils::head(x$text, 60L))
  if (length(x$text) > 60L) cat(sprintf("  ... and %d more lines\n", length(x$text) - 60L))
  invisible(x)
}
