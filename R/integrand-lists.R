# Lists of values, and functions that apply a function to each element: sapply(), vapply(), lapply(), mapply(), Map(),
# apply(), Reduce(), Filter() and do.call().  The number of elements is known at translation, and each call of the
# function is translated separately.

# Returns the elements of a value: those of a vector, or the values that a list holds.
value_items <- function(v) lapply(seq_len(value_length(v)), function(k) value_item(v, k))

# Returns element number k of a value, as `[[` does.
value_item <- function(v, k) {
  if (is_list_value(v)) return(v$items[[k]])
  if (!v$known) return(node_value(v$id[k], NULL, v$type, v$bound))
  known_value(v$value[[k]], if (!is.null(v$label)) paste0(v$label, "#", k))
}

any_unknown <- function(values) {
  for (v in values) if (is_unknown(v)) return(TRUE)
  FALSE
}

# Returns the translation of a call of a function, given as an expression, with these values as arguments, whose names
# are kept; `extra`: expressions of further arguments.
call_with <- function(tr, frame, fun, values, extra = list()) {
  if (is.character(fun)) fun <- as.name(fun)
  inner <- frame_new(tr, frame$env, frame)
  held <- paste0(".item", seq_along(values))
  for (k in seq_along(values)) assign(held[k], values[[k]], envir = inner$vars)
  arguments <- lapply(held, as.name)
  names(arguments) <- names(values)
  translate(tr, inner, as.call(c(list(fun), arguments, extra)))
}

# Evaluates `code`, in which the variable of integration is a single number.
pointwise <- function(tr, code) {
  tr$pointwise <- tr$pointwise + 1L
  on.exit(tr$pointwise <- tr$pointwise - 1L)
  code
}

# Returns the arguments of a call by the names of the function's own ones, and the others, which it passes on, as
# `extra`; NULL if one of `needed` is missing or one of `refused` is given.
applied_arguments <- function(tr, call, fun, needed, refused = character()) {
  matched <- tryCatch(match.call(fun, without_dots(call)), error = identity)
  given <- if (is.call(matched)) as.list(matched)[-1L]
  if (!is.call(matched) || !all(needed %in% names(given)) || any(refused %in% names(given))) {
    problem(tr, call, "its supported arguments are ",
            paste(setdiff(names(formals(fun)), c("...", refused)), collapse = ", "),
            if ("..." %in% names(formals(fun))) " and those of its function")
    return(NULL)
  }
  own <- if (is.null(names(given))) logical(length(given)) else names(given) %in% names(formals(fun))
  c(given[own], list(extra = given[!own]))
}

# Translates sapply(), vapply() and lapply().
translate_apply <- function(tr, frame, call, entry) {
  needed <- c("X", "FUN", if ("FUN.VALUE" %in% names(formals(entry$fun))) "FUN.VALUE")
  args <- applied_arguments(tr, call, entry$fun, needed, "simplify")
  over <- if (is.null(args)) unknown_value() else translate(tr, frame, args$X)
  if (is_unknown(over)) return(over)
  results <- pointwise(tr, lapply(value_items(over), function(item) {
    call_with(tr, frame, args$FUN, list(item), args$extra)
  }))
  if (any_unknown(results)) return(unknown_value())
  if (entry$list) return(list_value(results))
  applied_values(tr, call, results, if (!is.null(args$FUN.VALUE)) translate(tr, frame, args$FUN.VALUE))
}

# Translates mapply() and Map(), which recycle shorter arguments.
translate_map <- function(tr, frame, call, entry) {
  function_name <- names(formals(entry$fun))[1L]
  args <- applied_arguments(tr, call, entry$fun, function_name, c("MoreArgs", "SIMPLIFY"))
  if (is.null(args)) return(unknown_value())
  over <- lapply(args$extra, function(arg) translate(tr, frame, arg))
  lengths <- vapply(over, value_length, 0L)
  if (any_unknown(over)) return(unknown_value())
  if (!length(over) || any(lengths == 0L) || any(max(lengths) %% lengths != 0L))
    return(problem(tr, call, "the lengths ", paste(lengths, collapse = " and "), " are incompatible"))
  results <- pointwise(tr, lapply(seq_len(max(lengths)), function(k) {
    items <- lapply(over, function(v) value_item(v, (k - 1L) %% value_length(v) + 1L))
    call_with(tr, frame, args[[function_name]], items)
  }))
  if (any_unknown(results)) return(unknown_value())
  if (entry$list) list_value(results) else applied_values(tr, call, results, NULL)
}

# Translates apply() over the rows or the columns of a matrix.
translate_margin <- function(tr, frame, call, entry) {
  args <- applied_arguments(tr, call, entry$fun, c("X", "MARGIN", "FUN"), "simplify")
  if (is.null(args)) return(unknown_value())
  v <- translate(tr, frame, args$X)
  margin <- known_number(translate(tr, frame, args$MARGIN))
  if (is_unknown(v)) return(v)
  if (length(value_dim(v)) != 2L || is.null(margin) || !margin %in% 1:2)
    return(problem(tr, call, "X must be a matrix and MARGIN must be 1 or 2"))
  ids <- node_array(tr, v, call)
  results <- pointwise(tr, lapply(seq_len(dim(ids)[margin]), function(k) {
    part <- node_value(if (margin == 1) ids[k, ] else ids[, k], NULL, value_type(v), value_bound(v))
    call_with(tr, frame, args$FUN, list(part), args$extra)
  }))
  if (any_unknown(results)) unknown_value() else applied_values(tr, call, results, NULL)
}

# Combines the results to a vector if each has one number, or else to a matrix with a column for each result.
applied_values <- function(tr, call, results, shape) {
  m <- unique(vapply(results, value_length, 0L))
  types <- vapply(results, value_type, "")
  if (!length(results) || length(m) != 1L || m == 0L)
    return(problem(tr, call, "its function must return the same number of values for each element"))
  if (!is.null(shape)) {
    order <- c(logical = 1, integer = 2, double = 3, unclear = 4, list = 5)
    if (!is_number(shape) || length(shape$value) != m || !is.null(dim(shape$value)) ||
        !all(order[types] <= order[[typeof(shape$value)]]))
      return(problem(tr, call, "the values of its function do not match FUN.VALUE"))
  }
  ids <- unlist(lapply(results, function(v) value_nodes(tr, v, call)))
  if (anyNA(ids)) return(unknown_value())
  type <- if (!is.null(shape)) typeof(shape$value) else combined_type(types)
  node_value(ids, if (m > 1L) c(m, length(results)), type, max(vapply(results, value_bound, 0)))
}

translate_reduce <- function(tr, frame, call, entry) {
  args <- applied_arguments(tr, call, entry$fun, c("f", "x"), "simplify")
  if (is.null(args)) return(unknown_value())
  over <- translate(tr, frame, args$x)
  first <- if (!is.null(args$init)) translate(tr, frame, args$init)
  flags <- lapply(c("right", "accumulate"), function(name) {
    if (is.null(args[[name]])) FALSE else known_flag(translate(tr, frame, args[[name]]))
  })
  if (is_unknown(over) || !is.null(first) && is_unknown(first)) return(unknown_value())
  if (any(vapply(flags, is.null, NA))) return(problem(tr, call, "right and accumulate must be TRUE or FALSE"))
  if (is_whole_variable(tr, list(over))) return(problem(tr, call, whole_variable_advice))
  right <- flags[[1L]]
  items <- value_items(over)
  if (!length(items)) return(if (is.null(first)) known_value(NULL) else first)
  if (!is.null(first)) items <- if (right) c(items, list(first)) else c(list(first), items)
  results <- pointwise(tr, Reduce(function(a, b) {
    if (any_unknown(list(a, b))) unknown_value() else call_with(tr, frame, args$f, list(a, b))
  }, items, right = right, accumulate = TRUE))
  if (any_unknown(results)) return(unknown_value())
  if (!flags[[2L]]) return(results[[if (right) 1L else length(results)]])
  if (all(vapply(results, value_length, 0L) == 1L)) applied_values(tr, call, results, NULL) else list_value(results)
}

translate_filter <- function(tr, frame, call, entry) {
  args <- applied_arguments(tr, call, entry$fun, c("f", "x"))
  over <- if (is.null(args)) unknown_value() else translate(tr, frame, args$x)
  if (is_unknown(over)) return(over)
  tests <- pointwise(tr, lapply(value_items(over), function(item) call_with(tr, frame, args$f, list(item))))
  if (any_unknown(tests)) return(unknown_value())
  if (!all(vapply(tests, function(v) is_number(v) && length(v$value) == 1L, NA)))
    return(problem(tr, call, "the elements that it keeps must be known at translation"))
  kept <- which(vapply(tests, function(v) as.logical(v$value), NA))
  if (is_list_value(over)) return(list_value(over$items[kept], over$names[kept]))
  if (over$known) known_value(over$value[kept], element_label(tr, over, call))
  else node_value(over$id[kept], NULL, over$type, over$bound)
}

translate_do_call <- function(tr, frame, call, entry) {
  args <- applied_arguments(tr, call, entry$fun, c("what", "args"), c("quote", "envir"))
  over <- if (is.null(args)) unknown_value() else translate(tr, frame, args$args)
  if (is_unknown(over)) return(over)
  values <- value_items(over)
  names(values) <- if (is_list_value(over)) over$names else names(over$value)
  call_with(tr, frame, args$what, values)
}

# --- lists --------------------------------------------------------------------------------

translate_list <- function(tr, frame, call, entry) {
  values <- lapply(as.list(without_dots(call))[-1L], function(arg) translate(tr, frame, arg))
  if (any_unknown(values)) unknown_value() else list_value(unname(values), names(values))
}

translate_unlist <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, "x", "x")
  if (is.null(args)) return(unknown_value())
  combined_values(tr, call, flat_items(args$x))
}

# Returns the values in a list and in the lists that it contains.
flat_items <- function(v) {
  if (is_list_value(v)) do.call(c, lapply(v$items, flat_items))
  else if (v$known && is.list(v$value)) do.call(c, lapply(value_items(v), flat_items))
  else list(v)
}

# Translates [, [[ and $ of a list; `at`: the index as a number or a name.
list_element <- function(tr, call, whole, at, single) {
  if (is.character(at)) at <- match(at, whole$names)
  inside <- is.numeric(at) && length(at) > 0L && !anyNA(at) && all(at >= 1 & at < length(whole$items) + 1)
  if (!inside || single && length(at) > 1L)
    return(problem(tr, call, "the list has no such element, or the index is not known at translation"))
  if (single) whole$items[[at]] else list_value(whole$items[at], whole$names[at])
}
