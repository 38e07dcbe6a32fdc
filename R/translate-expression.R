# From R's syntax tree to nodes.
#
# What depends on no variable, parameter or local value of the points is left to R itself, which evaluates it once
# where the integrand would have found it: any R code may stand there.  The rest is translated call by call.
#
# A frame is one call of a closure: its local values, the frame in which it was defined (if that is one of these) and
# its environment.

frame_new <- function(tr, env, parent = NULL) {
  tr$frames <- tr$frames + 1L
  list(vars = new.env(parent = emptyenv()), env = env, parent = parent, id = tr$frames)
}

frame_find <- function(frame, name) {
  while (!is.null(frame)) {
    found <- frame$vars[[name]]
    if (!is.null(found)) return(list(value = found, frame = frame))
    frame <- frame$parent
  }
  NULL
}

# Functions whose value differs from call to call, and those that only make sense where they stand.
restless <- c("runif", "rnorm", "rexp", "rgamma", "rbeta", "rt", "rchisq", "rf", "rcauchy", "rlogis", "rlnorm",
              "rweibull", "rpois", "rbinom", "rgeom", "rnbinom", "rhyper", "rstable", "sample", "sample.int",
              "Sys.time", "date", "proc.time", "<<-", "assign")
bound <- c("<-", "=", "<<-", "return", "break", "next", "for", "while", "repeat", "missing", "function", "...")

# May R evaluate it, once and for all?
is_foldable <- function(frame, expr) {
  if (!is.language(expr)) return(TRUE)
  names <- unique(all.names(expr))
  if (any(names %in% c(bound, restless))) return(FALSE)
  for (name in names) {
    found <- frame_find(frame, name)$value
    if (!is.null(found) && (is.null(found$known) || !found$known || !is.null(found$frame))) return(FALSE)
  }
  TRUE
}

# Variables that are not R's own make what depends on them captured.
is_captured <- function(frame, expr) {
  for (name in all.names(expr)) {
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

fold <- function(tr, frame, expr) {
  locals <- list()
  for (at in rev(frame_chain(frame))) {
    mine <- as.list(at$vars)
    mine <- mine[vapply(mine, function(v) isTRUE(v$known), NA)]
    locals[names(mine)] <- lapply(mine, `[[`, "value")
  }
  value <- tryCatch(eval(expr, locals, frame$env), error = identity)
  if (inherits(value, "error")) return(problem(tr, expr, "R says: ", conditionMessage(value)))
  label <- if (is_captured(frame, expr)) paste0(paste(deparse(expr), collapse = " "), "@", frame$id)
  known_value(value, label)
}

frame_chain <- function(frame) {
  chain <- list()
  while (!is.null(frame)) {
    chain <- c(chain, list(frame))
    frame <- frame$parent
  }
  chain
}

translate <- function(tr, frame, expr) {
  if (missing(expr) || identical(expr, quote(expr = ))) return(problem(tr, quote(expr = ), "an argument is missing"))
  if (is.symbol(expr)) return(translate_name(tr, frame, expr))
  if (is_foldable(frame, expr)) return(fold(tr, frame, expr))
  if (!is.call(expr)) return(problem(tr, expr, "this is no number"))
  translate_call(tr, frame, expr)
}

translate_name <- function(tr, frame, name) {
  found <- frame_find(frame, as.character(name))
  if (is.null(found)) return(fold(tr, frame, name))
  v <- found$value
  if (!is.null(v$default)) return(translate(tr, found$frame, v$default))
  if (!is.null(v$missing)) return(problem(tr, name, v$missing))
  v
}

# The function that a call names: list(name, fun, frame), or NULL.
find_function <- function(tr, frame, head) {
  if (is.call(head)) {
    name <- if (as.character(head[[1L]])[1L] %in% c("::", ":::")) as.character(head[[3L]]) else ""
    v <- if (nzchar(name)) fold(tr, frame, head) else translate(tr, frame, head)
    return(if (v$known && is.function(v$value)) list(name = name, fun = v$value, frame = v$frame))
  }
  name <- as.character(head)
  found <- frame_find(frame, name)$value
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
  if (is.null(found)) return(problem(tr, call, "there is no such function"))
  if (found$name %in% restless)
    return(problem(tr, call, "an integrand has one value at each point, and changes nothing"))
  entry <- if (nzchar(found$name)) supported_functions[[found$name]]
  if (!is.null(entry) && identical(found$fun, entry$fun)) return(entry$translate(tr, frame, call, entry))
  translate_closure(tr, frame, call, found)
}

# A call of something that is not in the list of supported functions.
translate_closure <- function(tr, frame, call, found) {
  fun <- found$fun
  if (is_table_function(fun)) return(translate_lookup(tr, frame, call, fun))
  if (is.function(environment(fun)$FUN) && identical(body(fun), vectorized_body)) {
    tr$pointwise <- tr$pointwise + 1L
    on.exit(tr$pointwise <- tr$pointwise - 1L)
    return(inline(tr, frame, call, environment(fun)$FUN, NULL))
  }
  if (is.primitive(fun) || is_of_r(fun) && !is_template_helper(found)) {
    name <- if (nzchar(found$name)) paste0(found$name, "()") else "this function"
    return(problem(tr, call, name, " has no translation; ", advice_for(found$name)))
  }
  inline(tr, frame, call, fun, found$frame)
}

# What Vectorize() makes, less its formal arguments.
vectorized_body <- body(Vectorize(function(a) a))

# Is it one of these packages' own, and not made by a call of one of them?
is_of_r <- function(fun) {
  home <- environment(fun)
  isNamespace(home) && getNamespaceName(home) %in% c(base_packages, "stablecl")
}

is_template_helper <- function(found) {
  found$name %in% c(density_helpers, tail_helpers) && identical(found$fun, get(found$name, asNamespace("stablecl")))
}

advice_for <- function(name) {
  if (grepl("^q[a-z]+$", name))
    return("quantile functions are not there; put what does not depend on the point outside")
  if (name %in% c("Reduce", "do.call", "Recall", "mapply", "Map", "Filter", "tryCatch", "try"))
    return("write a for loop, or the calls one by one")
  if (name %in% c("paste", "paste0", "print", "cat", "message", "sprintf", "format"))
    return("integrands only compute with numbers")
  "see ?gtranslate for what has one; what does not depend on the point may be computed outside"
}

# The body of a closure in place of a call of it.
inline <- function(tr, frame, call, fun, parent) {
  if (tr$depth >= 40L) return(problem(tr, call, "it calls itself, or goes too deep; write a loop"))
  within <- tr$within
  tr$depth <- tr$depth + 1L
  tr$within <- if (is.symbol(call[[1L]])) as.character(call[[1L]]) else "a function"
  on.exit({
    tr$depth <- tr$depth - 1L
    tr$within <- within
  })
  new <- bind_arguments(tr, frame, call, fun, parent)
  if (is.null(new)) return(unknown_value())
  place <- tr$place
  tr$place <- place_of_body(fun)
  value <- translate_sequence(tr, new, list(body(fun)))
  tr$place <- place
  value
}

bind_arguments <- function(tr, frame, call, fun, parent) {
  call <- without_dots(call)
  matched <- tryCatch(match.call(fun, call), error = identity)
  if (inherits(matched, "error") || "..." %in% names(formals(fun)) && length(matched) > length(formals(fun))) {
    problem(tr, call, "its arguments do not fit")
    return(NULL)
  }
  new <- frame_new(tr, if (is.null(parent)) environment(fun) else parent$env, parent)
  given <- as.list(matched)[-1L]
  for (name in setdiff(names(formals(fun)), "...")) {
    default <- formals(fun)[[name]]
    value <- if (!is.null(given[[name]])) translate(tr, frame, given[[name]])
      else if (identical(default, quote(expr = ))) list(missing = "this argument was not given")
      else list(default = default)
    assign(name, value, envir = new$vars)
  }
  settle_defaults(tr, new, names(formals(fun)))
  new
}

# Defaults that do not depend on the point are values from the start, so that more can be left to R.
settle_defaults <- function(tr, frame, names) {
  for (name in setdiff(names, "...")) {
    default <- frame$vars[[name]]$default
    if (!is.null(default) && is_foldable(frame, default)) assign(name, fold(tr, frame, default), envir = frame$vars)
  }
}

without_dots <- function(call) {
  as.call(Filter(function(arg) !identical(arg, quote(...)), as.list(call)))
}
