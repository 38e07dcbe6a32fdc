# Translation of R's syntax tree to nodes.
#
# R evaluates once, in the environment of the integrand, every expression that depends on no variable, parameter or
# local value of the points: such expressions may contain any R code.  The rest is translated call by call.
#
# A frame represents one call of a closure: its local values, the frame in which the closure was defined (if that is
# also a frame of the translation) and its environment.  `meant` holds the answers of is_meant().

# Returns a new frame with the environment `env` of a function and the frame in which it was defined.
frame_new <- function(tr, env, parent = NULL) {
  tr$frames <- tr$frames + 1L
  list(vars = new.env(parent = emptyenv()), env = env, parent = parent, id = tr$frames,
       meant = new.env(parent = emptyenv()))
}

# Returns the value of a local name, with its frame, or NULL.
frame_find <- function(frame, name) {
  while (!is.null(frame)) {
    found <- frame$vars[[name]]
    if (!is.null(found)) return(list(value = found, frame = frame))
    frame <- frame$parent
  }
  NULL
}

# TRUE if R can evaluate `expr` once, at translation.
is_foldable <- function(tr, frame, expr) .Call(C_is_foldable, tr, frame, expr)

# TRUE if a value that depends on these names is captured data: if one of them holds captured data or is not R's own.
is_captured <- function(frame, names) {
  for (name in names) {
    found <- frame_find(frame, name)$value
    if (!is.null(found)) {
      if (!is.null(found$label)) return(TRUE)
    } else if (exists(name, envir = frame$env) && !is_base(name, frame$env)) return(TRUE)
  }
  FALSE
}

base_packages <- c("base", "stats", "utils", "methods")
base_spaces <- lapply(base_packages, asNamespace)

is_base <- function(name, env) {
  value <- get0(name, envir = env)
  for (space in base_spaces) {
    own <- space[[name]]
    if (!is.null(own) && identical(own, value)) return(TRUE)
  }
  FALSE
}

# Returns the known value of an expression that R evaluates at translation.
fold <- function(tr, frame, expr) {
  if (!is.language(expr)) return(known_value(expr))
  if (is.symbol(expr) && !is.null(found <- frame_find(frame, as.character(expr))$value)) return(found)
  constant <- .Call(C_constant, frame, expr)
  if (!is.null(constant)) return(known_value(constant))
  locals <- list()
  for (at in rev(frame_chain(frame))) {
    mine <- as.list(at$vars, all.names = TRUE)
    mine <- mine[vapply(mine, function(v) isTRUE(v$known), NA)]
    locals[names(mine)] <- lapply(mine, `[[`, "value")
  }
  value <- value_or(eval(expr, locals, frame$env), identity)
  if (inherits(value, "error")) return(problem(tr, expr, "R reports the error: ", conditionMessage(value)))
  names <- unique(all.names(expr))
  if (is_captured(frame, names)) known_value(value, fold_label(tr, frame, expr, names)) else known_value(value)
}

# Returns a label for the value of an expression.  An expression with local names gets a numbered label, as its value
# may differ from one evaluation to the next, for example between passes of a loop.
fold_label <- function(tr, frame, expr, names) {
  local <- any(vapply(names, function(name) !is.null(frame_find(frame, name)), NA))
  if (local) tr$folds <- tr$folds + 1L
  paste0(paste(deparse(expr), collapse = " "), "@", frame$id, if (local) paste0("/", tr$folds))
}

# Returns a frame followed by those in which its function was defined.
frame_chain <- function(frame) {
  chain <- list()
  while (!is.null(frame)) {
    chain <- c(chain, list(frame))
    frame <- frame$parent
  }
  chain
}

# The largest number of translated expressions; each takes about 10 microseconds.
step_limit <- 100000L

stop_at_steps <- function(tr, ...) {
  translation_stop(tr, "its translation takes more than ", step_limit, " steps; use fewer or shorter loops and ",
                   "calls")
}

# Returns the value of an expression; all problems are recorded in `tr`.
translate <- function(tr, frame, expr) {
  if (missing(expr) || identical(expr, quote(expr = ))) return(problem(tr, quote(expr = ), "an argument is missing"))
  if (.Call(C_count_step, tr$nodes)) stop_at_steps(tr)
  if (is.symbol(expr)) return(translate_name(tr, frame, expr))
  if (is_operation(tr, frame, expr)) return(translate_operations(tr, frame, expr))
  if (is_foldable(tr, frame, expr)) return(fold(tr, frame, expr))
  if (!is.call(expr)) return(problem(tr, expr, "this is not a number"))
  translate_call(tr, frame, expr)
}

translate_name <- function(tr, frame, name) {
  found <- frame_find(frame, as.character(name))
  if (is.null(found)) {
    if (is_steady(tr, frame, as.character(name))) return(fold(tr, frame, name))
    return(problem(tr, name, "its value may differ between calls"))
  }
  v <- found$value
  if (!is.null(v$default)) return(translate_default(tr, found$frame, as.character(name), v))
  if (!is.null(v$missing)) return(problem(tr, name, v$missing))
  v
}

# Translates a default argument, which is evaluated once, when its name is first read; `late`: its value depends on
# when that is.
translate_default <- function(tr, frame, name, v) {
  assign(name, list(missing = "its default value depends on itself"), envir = frame$vars)
  value <- translate(tr, frame, v$default)
  assign(name, if (isTRUE(v$late)) value else v, envir = frame$vars)
  value
}

# Returns the function that a call refers to as list(name, fun, frame), or NULL.
find_function <- function(tr, frame, head) {
  if (is.call(head)) {
    name <- if (as.character(head[[1L]])[1L] %in% c("::", ":::")) as.character(head[[3L]]) else ""
    v <- if (nzchar(name)) fold(tr, frame, head) else translate(tr, frame, head)
    return(if (v$known && is.function(v$value)) list(name = name, fun = v$value, frame = v$frame))
  }
  name <- as.character(head)
  found <- frame_find(frame, name)$value
  if (!is.null(found$default)) found <- translate(tr, frame, head)
  if (!is.null(found) && isTRUE(found$known) && is.function(found$value))
    return(list(name = name, fun = found$value, frame = found$frame))
  fun <- get0(name, envir = frame$env, mode = "function")
  if (!is.null(fun)) list(name = name, fun = fun, frame = NULL)
}

translate_call <- function(tr, frame, call) {
  tr$current <- call
  head <- call[[1L]]
  form <- if (is.symbol(head)) special_forms[[as.character(head)]]
  if (!is.null(form)) return(form(tr, frame, call))
  found <- find_function(tr, frame, head)
  if (is.null(found)) return(problem(tr, call, "this function does not exist"))
  if (found$name %in% impure_functions && is_of_r_or_primitive(found$fun))
    return(problem(tr, call, "an integrand must be deterministic and have no side effects"))
  entry <- if (nzchar(found$name)) supported_functions[[found$name]]
  if (!is.null(entry) && identical(found$fun, entry$fun)) return(entry$translate(tr, frame, call, entry))
  translate_closure(tr, frame, call, found)
}

# Translates a call of a function that is not in the list of supported functions.
translate_closure <- function(tr, frame, call, found) {
  fun <- found$fun
  if (is_table_function(fun)) return(translate_lookup(tr, frame, call, fun))
  if (is.function(environment(fun)$FUN) && identical(body(fun), vectorized_body)) {
    tr$pointwise <- tr$pointwise + 1L
    on.exit(tr$pointwise <- tr$pointwise - 1L)
    return(inline(tr, frame, call, environment(fun)$FUN, NULL))
  }
  if (is.primitive(fun) || is_of_r(fun) && !is_template_helper(found)) {
    known <- value_of_known(tr, frame, call, found)
    if (!is.null(known)) return(known)
    name <- if (nzchar(found$name)) paste0(found$name, "()") else "this function"
    return(problem(tr, call, name, " is not supported; ", advice_for(found$name)))
  }
  inline(tr, frame, call, fun, found$frame)
}

# Returns the value of a call of a function of R whose arguments are known although they are computed from values that
# are not, such as 1:length(x); NULL for other calls.
value_of_known <- function(tr, frame, call, found) {
  arguments <- as.list(call)[-1L]
  if (!found$name %in% pure_functions() || !length(arguments)) return()
  if (any(vapply(arguments, is_missing_or_dots, NA))) return()
  values <- lapply(arguments, function(arg) translate(tr, frame, arg))
  if (!all(vapply(values, function(v) v$known, NA))) return()
  evaluated_call(tr, call, found$fun, values)
}

# Returns the value of a call of a function of R for these known values.
evaluated_call <- function(tr, call, fun, values) {
  if (is.symbol(fun)) fun <- get(as.character(fun), baseenv())
  value <- value_or(do.call(fun, lapply(values, `[[`, "value"), quote = TRUE), identity)
  if (inherits(value, "error")) return(problem(tr, call, "R reports the error: ", conditionMessage(value)))
  if (!length(unlist(lapply(values, `[[`, "label")))) return(known_value(value))
  tr$folds <- tr$folds + 1L
  known_value(value, paste0(paste(deparse(call), collapse = " "), "/", tr$folds))
}

is_missing_or_dots <- function(arg) identical(arg, quote(expr = )) || identical(arg, quote(...))

# The body of the functions that Vectorize() returns.
vectorized_body <- body(Vectorize(function(a) a))

# TRUE if `fun` is defined in one of these namespaces, and not created by a call of one of their functions.
is_of_r <- function(fun) {
  home <- environment(fun)
  isNamespace(home) && getNamespaceName(home) %in% c(base_packages, "stablecl")
}

is_of_r_or_primitive <- function(fun) is.primitive(fun) || is_of_r(fun)

is_template_helper <- function(found) {
  found$name %in% c(density_helpers, tail_helpers) && identical(found$fun, get(found$name, asNamespace("stablecl")))
}

advice_for <- function(name) {
  if (grepl("^q[a-z]+$", name))
    return("compute quantiles that do not depend on the point before the call")
  if (name %in% c("Recall", "tryCatch", "try"))
    return("use a for loop or write out the calls")
  if (name %in% c("paste", "paste0", "print", "cat", "message", "sprintf", "format"))
    return("integrands can only compute with numbers")
  if (name %in% c("Re", "Im", "Mod", "Arg", "Conj", "complex", "as.complex", "is.complex")) return(complex_advice)
  "see ?gtranslate for supported functions; compute values that do not depend on the point before the call"
}

# Translates the body of a closure in place of a call of it.
inline <- function(tr, frame, call, fun, parent) {
  if (tr$depth >= 40L) return(problem(tr, call, "its calls are recursive or nested too deeply; use a loop"))
  new <- bind_arguments(tr, frame, call, fun, parent)
  if (is.null(new)) return(unknown_value())
  within <- tr$within
  place <- tr$place
  tr$depth <- tr$depth + 1L
  tr$within <- if (is.symbol(call[[1L]])) as.character(call[[1L]]) else "a function"
  tr$place <- place_of_body(fun)
  on.exit({
    tr$depth <- tr$depth - 1L
    tr$within <- within
    tr$place <- place
  })
  check_forms(tr, fun, new)
  translate_body(tr, new, body(fun))
}

# Returns a list of the expressions that a call gives to the formal arguments of `fun`, matched as R does, or NULL.
matched_arguments <- function(tr, call, fun) {
  definition <- if (is.primitive(fun)) args(fun) else fun
  given <- positional_arguments(call, definition)
  if (!is.null(given)) return(given)
  matched <- if (!is.null(definition)) value_or(match.call(definition, without_dots(call)), identity)
  given <- if (is.call(matched)) as.list(matched)[-1L]
  given <- Filter(function(arg) !identical(arg, quote(expr = )), given)
  if (!is.call(matched) || length(given) && !all(names(given) %in% setdiff(names(formals(definition)), "..."))) {
    problem(tr, call, "its arguments do not match the function")
    return(NULL)
  }
  given
}

# Returns the arguments of a call that gives them all by position, which takes less time than match.call(); else NULL.
positional_arguments <- function(call, fun) {
  if (!is.null(names(call)) || is.null(fun)) return()
  given <- as.list(call)[-1L]
  names <- names(formals(fun))
  if (!length(given) || length(given) > length(names) || match("...", names, 0L)) return()
  for (arg in given) if (is_missing_or_dots(arg)) return()
  names(given) <- names[seq_along(given)]
  given
}

# Returns a frame with the arguments of a call.  Arguments are translated at the call; those that assign to a name are
# refused, because R would assign when the argument is first read.
bind_arguments <- function(tr, frame, call, fun, parent) {
  given <- matched_arguments(tr, call, fun)
  if (is.null(given) && length(tr$problems)) return(NULL)
  if (assigns_any(given)) {
    problem(tr, call, "an argument contains an assignment; assign before the call")
    return(NULL)
  }
  new <- frame_new(tr, if (is.null(parent)) environment(fun) else parent$env, parent)
  formals <- formals(fun)
  for (name in names(formals)) {
    if (name == "...") next
    value <- if (match(name, names(given), 0L)) translate(tr, frame, given[[name]])
      else if (identical(formals[[name]], quote(expr = ))) list(missing = "this argument is missing and has no default")
      else default_value(formals[[name]])
    assign(name, value, envir = new$vars)
  }
  evaluate_defaults(tr, new, fun)
  new
}

# TRUE if one of these expressions contains an assignment.
assigns_any <- function(expressions) {
  for (expr in expressions) if (is.call(expr) && any(c("<-", "=") %in% all.names(expr))) return(TRUE)
  FALSE
}

default_value <- function(default) if (is.null(default)) known_value(NULL) else list(default = default)

# Evaluates the defaults that do not depend on the point at the start, so that R can evaluate more expressions.
# Defaults that read a name to which the body assigns are translated where they are first read.
evaluate_defaults <- function(tr, frame, fun) {
  formals <- formals(fun)
  defaults <- character()
  for (name in names(formals)) if (!is.null(frame$vars[[name]]$default)) defaults <- c(defaults, name)
  if (!length(defaults)) return(invisible())
  late <- assigned_names(body(fun))
  reads_late <- function(name) any(all.names(formals[[name]]) %in% late)
  if (length(late)) repeat {                            # also if they read it through other defaults
    more <- Filter(reads_late, setdiff(defaults, late))
    late <- c(late, more)
    if (!length(more)) break
  }
  for (name in defaults) {
    default <- formals[[name]]
    if (reads_late(name)) {
      assign(name, list(default = default, late = TRUE), envir = frame$vars)
    } else if (is_foldable(tr, frame, default)) assign(name, fold(tr, frame, default), envir = frame$vars)
  }
}

without_dots <- function(call) {
  as.call(Filter(function(arg) !identical(arg, quote(...)), as.list(call)))
}
