# The functions that have a translation: the elementwise operations of src/integrand/operations.h, and the functions
# defined below.

operations <- function() {
  if (is.null(session_cache$operations)) session_cache$operations <- .Call(C_operations)
  session_cache$operations
}

# Returns the arguments of a call as a named list of values, matched as R matches them, with NULL for arguments that are
# not given.  Returns NULL if an argument that is not among `supported` is given, or one of `needed` is missing.
call_values <- function(tr, frame, call, fun, supported = names(formals(args(fun))), needed = character()) {
  problems <- length(tr$problems)
  given <- matched_arguments(tr, call, fun)
  complete <- TRUE
  if (length(tr$problems) > problems) return(NULL)
  if (!all(match(c(names(given), needed), supported, 0L) > 0L, match(needed, names(given), 0L) > 0L)) {
    problem(tr, call, "its supported arguments are ", paste(supported, collapse = ", "))
    return(NULL)
  }
  values <- vector("list", length(supported))
  names(values) <- supported
  for (name in names(given)) {
    value <- translate(tr, frame, given[[name]])
    if (is_unknown(value)) complete <- FALSE
    values[[name]] <- value
  }
  if (complete) values
}

# Returns the values of all arguments of a call, for sum() and similar functions; arguments in `flags` must be FALSE.
all_values <- function(tr, frame, call, flags = "na.rm") {
  call <- without_dots(call)
  names <- names(call)[-1L]
  values <- lapply(as.list(call)[-1L], function(arg) translate(tr, frame, arg))
  flag <- which(names %in% flags)
  for (k in flag)
    if (!values[[k]]$known || !identical(known_flag(values[[k]]), FALSE))
      problem(tr, call, names[k], " must be FALSE")
  unname(if (length(flag)) values[-flag] else values)
}

# Returns the value of the first argument, or NULL.
one_value <- function(tr, frame, call, fun) {
  name <- names(formals(args(fun)))[1L]
  if (name == "...") return(translate(tr, frame, call[[2L]]))
  call_values(tr, frame, call, fun, name, name)[[1L]]
}

translate_log <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, needed = "x")
  if (is.null(args)) return(unknown_value())
  top <- elementwise_op(tr, call, args["x"], "LOG")
  if (is.null(args$base)) return(top)
  elementwise_op(tr, call, list(top, elementwise_op(tr, call, args["base"], "LOG")), "DIV")
}

translate_round <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, needed = "x")
  if (is.null(args)) return(unknown_value())
  if (!is.null(args$digits) && !identical(known_number(args$digits), 0))
    return(problem(tr, call, "digits is not supported; use round(x * 10^digits) / 10^digits"))
  elementwise_op(tr, call, args["x"], "ROUND")
}

# Translates functions whose arguments `entry$formals` are all required.
translate_named <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, needed = entry$formals)
  if (is.null(args)) return(unknown_value())
  elementwise_op(tr, call, args[entry$formals], entry$op)
}

# Translates ifelse(): the value has the length and the dimensions of the test, is NA where the test is NA, and takes
# the elements of yes and no at the same positions, whatever their lengths.
translate_ifelse <- function(tr, frame, call, entry) {
  args <- matched_arguments(tr, call, entry$fun)
  if (!all(c("test", "yes", "no") %in% names(args)))
    return(problem(tr, call, "it requires the arguments test, yes and no"))
  if (any(c("<-", "=") %in% unlist(lapply(args, all.names))))
    return(problem(tr, call, "an argument contains an assignment; assign before the call"))
  test <- translate(tr, frame, args$test)
  if (is_unknown(test)) return(test)
  n <- value_length(test)
  ids <- value_nodes(tr, test, call)
  if (n == 0L || anyNA(ids)) return(problem(tr, call, "its test is empty"))
  side <- function(arg, wanted) {
    if (test$known && !any(test$value == wanted, na.rm = TRUE)) return(known_value(NaN))
    if (n > 1L || test$known) return(translate(tr, frame, arg))
    masked_side(tr, ids, wanted, function() translate(tr, frame, arg))
  }
  sides <- list(side(args$yes, TRUE), side(args$no, FALSE))
  if (any(vapply(sides, is_unknown, NA))) return(unknown_value())
  chosen <- lapply(sides, function(v) value_nodes(tr, v, call))
  if (anyNA(unlist(chosen)) || any(lengths(chosen) == 0L)) return(problem(tr, call, "yes and no must be numeric"))
  chosen <- lapply(chosen, rep_len, n)
  out <- vapply(seq_len(n), function(k) node(tr, "SELECT", ids[k], chosen[[1L]][k], chosen[[2L]][k]), 0L)
  types <- vapply(sides, value_type, "")
  if (test$known && all(test$value %in% TRUE)) types <- types[1L]
  else if (test$known && all(test$value %in% FALSE)) types <- types[2L]
  node_value(out, value_dim(test), chosen_type(types), max(vapply(sides, value_bound, 0)))
}

# Returns one side of ifelse(), computed where the test selects it; where the test is NaN, R evaluates neither side.
masked_side <- function(tr, truth, wanted, side) {
  holds <- if (wanted) truth else node(tr, "NOT", truth)
  if (!is_never_nan(tr, truth))
    holds <- node(tr, "AND", holds, node(tr, "NOT", node(tr, "ISNAN", truth)))
  before <- tr$guard
  value <- branch_side(tr, holds, side)
  tr$guard <- merge_guards(tr, holds, tr$guard, before)
  value
}

# --- over vectors ------------------------------------------------------------------

fold_nodes <- function(tr, ids, op) Reduce(function(a, b) node(tr, op, a, b), ids)

# TRUE if the only value is the variable in one dimension: a vector of points for the closure, but one point here.
is_whole_variable <- function(tr, values) {
  tr$dim == 1L && tr$pointwise == 0L && length(values) == 1L && !values[[1L]]$known && length(values[[1L]]$id) == 1L &&
    !is.na(values[[1L]]$id) && !.Call(C_node_uniform, tr$nodes, values[[1L]]$id)
}

whole_variable_advice <- "in one dimension the variable is one number, but R would reduce all points to one value"

translate_reduction <- function(tr, frame, call, entry) {
  values <- if (entry$mean) list(one_value(tr, frame, call, entry$fun)) else all_values(tr, frame, call)
  if (length(values) && is.null(values[[1L]])) return(unknown_value())
  reduce_values(tr, call, values, entry)
}

reduce_values <- function(tr, call, values, entry) {
  if (any(vapply(values, is_unknown, NA))) return(unknown_value())
  if (is_whole_variable(tr, values)) return(problem(tr, call, whole_variable_advice))
  ids <- unlist(lapply(values, function(v) value_nodes(tr, v, call)))
  if (!length(ids)) return(problem(tr, call, "its arguments are empty"))
  if (anyNA(ids)) return(unknown_value())
  if (entry$truth && length(ids) == 1L) ids <- node(tr, "NE", ids, node_const(tr, 0))
  total <- fold_nodes(tr, ids, entry$op)
  if (entry$truth) return(truth_value(total))
  if (entry$mean) return(node_value(node(tr, "DIV", total, node_const(tr, length(ids)))))
  types <- vapply(values, value_type, "")
  if (any(types == "double") || entry$op == "MUL") return(node_value(total))
  if (any(types == "unclear"))
    return(problem(tr, call, "a value is an integer at some points and a double at others; use as.numeric()"))
  bounds <- unlist(lapply(values, function(v) rep(value_bound(v), value_length(v))))
  if (entry$op == "ADD" && length(values) > 1L && sum(bounds) > integer_most)     # R returns a double
    return(problem(tr, call, "the sum of several arguments may exceed the largest integer; use as.numeric()"))
  overflow_to_na(tr, node_value(total, NULL, "integer"), if (entry$op == "ADD") sum(bounds) else max(bounds))
}

translate_range <- function(tr, frame, call, entry) {
  values <- all_values(tr, frame, call, c("na.rm", "finite"))
  ends <- lapply(c("MIN", "MAX"), function(op) {
    reduce_values(tr, call, values, list(op = op, truth = FALSE, mean = FALSE))
  })
  if (any(vapply(ends, is_unknown, NA))) return(unknown_value())
  node_value(c(ends[[1L]]$id, ends[[2L]]$id), NULL, ends[[1L]]$type, max(ends[[1L]]$bound, ends[[2L]]$bound))
}

translate_length <- function(tr, frame, call, entry) {
  value <- if (length(call) == 2L) translate(tr, frame, call[[2L]]) else problem(tr, call, "it requires one argument")
  if (is_unknown(value)) return(value)
  if (is_whole_variable(tr, list(value)))
    return(problem(tr, call, "in one dimension the variable is one number, but R would count all points"))
  n <- value_length(value)
  known_value(if (entry$along) seq_len(n) else n)
}

translate_combine <- function(tr, frame, call, entry) {
  if (any(c("recursive", "use.names") %in% names(call)))
    return(problem(tr, call, "recursive and use.names are not supported"))
  combined_values(tr, call, all_values(tr, frame, call, character()))
}

# Returns the vector of the elements of these values.
combined_values <- function(tr, call, values) {
  if (any_unknown(values)) return(unknown_value())
  ids <- unlist(lapply(values, function(v) value_nodes(tr, v, call)))
  if (anyNA(ids)) return(unknown_value())
  node_value(ids, NULL, combined_type(vapply(values, value_type, "")), max(vapply(values, value_bound, 0)))
}

# Translates functions that return the elements of their argument: `keeps` selects the dimensions that are kept, and
# `type` is the type of the result if it changes.
translate_same <- function(tr, frame, call, entry) {
  v <- one_value(tr, frame, call, entry$fun)
  if (is.null(v) || is_unknown(v)) return(unknown_value())
  if (v$known) {
    v$value <- tryCatch(entry$fun(v$value), error = identity)
    return(if (inherits(v$value, "error")) problem(tr, call, "R reports the error: ", conditionMessage(v$value)) else v)
  }
  if (entry$keeps == "none") v$dim <- NULL
  if (entry$keeps == "longer" && any(v$dim == 1L)) {
    v$dim <- v$dim[v$dim != 1L]
    if (length(v$dim) < 2L) v$dim <- NULL
  }
  if (!is.null(entry$type)) v$type <- entry$type
  v
}

translate_cumulative <- function(tr, frame, call, entry) {
  v <- one_value(tr, frame, call, entry$fun)
  ids <- if (is.null(v)) NA_integer_ else value_nodes(tr, v, call)
  if (!length(ids)) return(problem(tr, call, "its argument is empty"))
  if (anyNA(ids)) return(unknown_value())
  type <- value_type(v)
  sums <- node_value(Reduce(function(a, b) node(tr, entry$op, a, b), ids, accumulate = TRUE))
  if (type == "double" || entry$op == "MUL") return(sums)
  if (type == "unclear") return(problem(tr, call, "some elements may be integers; use as.numeric()"))
  sums$type <- "integer"
  overflow_to_na(tr, sums, value_bound(v) * length(ids))
}

translate_bessel <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, needed = c("x", "nu"))
  if (is.null(args)) return(unknown_value())
  order <- known_number(args$nu)
  if (is.null(order) || !order %in% 0:1)
    return(problem(tr, call, as.character(call[[1L]]), "() is supported for the orders 0 and 1 only"))
  elementwise_op(tr, call, args["x"], entry$op[order + 1L])
}
