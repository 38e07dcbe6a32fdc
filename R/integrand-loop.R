# Loops with known bounds: unrolled if they are short, otherwise translated to loops of the program.
#
# A loop of the program computes the same operations in each pass.  Its variable is a register that counts from 1.  A
# name that has a value before the loop and is assigned in it is also a register (CARRY), which a MOVE sets before
# the loop and at the end of each pass.  Loops whose operations depend on the pass, through elements of local vectors or
# bounds of inner loops, are unrolled up to loop_unrolled_most passes.

loop_unrolled_always <- 32L             # loops of at most this many passes are always unrolled
loop_unrolled_most <- 2000L             # the most passes that are unrolled
loop_passes <- 1e6

translate_for <- function(tr, frame, call) {
  if (any(c("return", "break", "next") %in% all.names(call[[4L]])))
    return(problem(tr, call, "return(), break and next are not supported in loops; use if in the body"))
  over <- translate(tr, frame, call[[3L]])
  if (is_unknown(over)) return(over)
  if (value_length(over) > loop_passes)
    return(problem(tr, call, "a loop must not have more than ", loop_passes, " passes"))
  if (value_length(over) <= loop_unrolled_always || !is_number(over)) return(unroll(tr, frame, call, over))
  before <- translation_save(tr, frame)
  for (with_guard in c(FALSE, TRUE)) {
    if (loop_of_program(tr, frame, call, over, with_guard)) return(known_value(NULL))
    if (!with_guard) translation_restore(tr, frame, before)
  }
  if (value_length(over) > loop_unrolled_most)
    return(problem(tr, call, "a loop of more than ", loop_unrolled_most, " passes must perform the same operations in ",
                   "each pass: no element of a local vector and no bound of an inner loop may depend on ",
                   as.character(call[[2L]]), ", and no value may change its length"))
  translation_restore(tr, frame, before)
  unroll(tr, frame, call, over)
}

# Translates the body of a loop once for each pass.
unroll <- function(tr, frame, call, over) {
  name <- as.character(call[[2L]])
  for (k in seq_len(value_length(over))) {
    assign(name, value_item(over, k), envir = frame$vars)
    translate(tr, frame, call[[4L]])
  }
  known_value(NULL)
}

# Returns the state that an attempt to translate a loop may change.
translation_save <- function(tr, frame) {
  list(nodes = .Call(C_nodes_mark, tr$nodes), vars = as.list(frame$vars, all.names = TRUE),
       parts = mget(c("tables", "laws", "problems", "ranges", "place", "current", "guard", "required", "mask"), tr,
                    ifnotfound = list(NULL)))
}

# Restores the state that translation_save() has returned.
translation_restore <- function(tr, frame, saved) {
  .Call(C_nodes_restore, tr$nodes, saved$nodes)
  vars_restore(frame, saved$vars)
  list2env(saved$parts, tr)
}

# Translates a loop to a loop of the program.  FALSE if the operations cannot be the same in each pass.  `with_guard`:
# conditions in the body may be NA (require_known()).
loop_of_program <- function(tr, frame, call, over, with_guard) {
  problems <- length(tr$problems)
  name <- as.character(call[[2L]])
  carried <- carry_names(tr, frame, call, name)
  if (length(tr$problems) > problems) return(FALSE)
  types <- lapply(names(carried), function(n) value_type(frame$vars[[n]]))
  guard <- if (with_guard) carry_guard(tr)
  guard_before <- tr$guard
  for (n in setdiff(assigned_names(call[[4L]]), c(ls(frame$vars, all.names = TRUE), name)))
    assign(n, list(missing = "it has no value in the first pass of the loop; assign it before"), envir = frame$vars)
  counter <- node_append(tr, "LOOP", value = value_length(over))
  scope <- .Call(C_scope_open, tr$nodes)
  on.exit(.Call(C_scope_close, tr$nodes, scope))
  assign(name, loop_item(tr, call, over, counter), envir = frame$vars)
  translate(tr, frame, call[[4L]])
  if (length(tr$problems) > problems || !with_guard && !identical(guard_before, tr$guard)) return(FALSE)
  new <- lapply(names(carried), function(n) frame$vars[[n]])
  if (!all(mapply(can_carry, new, lengths(carried), types))) return(FALSE)
  if (with_guard) {
    carried <- c(carried, list(.guard = guard))
    new <- c(new, list(node_value(tr$guard)))
  }
  close_loop(tr, frame, call, counter, carried, new)
  if (with_guard) tr$guard <- guard
  TRUE
}

# Returns a register for the guard.
carry_guard <- function(tr) {
  guard <- node_append(tr, "CARRY", listed = FALSE)
  node_move(tr, guard, if (is.null(tr$guard)) node_const(tr, 0) else tr$guard)
  tr$guard <- guard
}

# Ends a pass: sets the registers of carried values to their new values.
close_loop <- function(tr, frame, call, counter, carried, new) {
  fresh <- lapply(seq_along(new), function(k) {
    vapply(value_nodes(tr, new[[k]], call), function(id) node_copy(tr, id), 0L)
  })
  names <- setdiff(names(carried), ".guard")
  keep_before_moves(tr, frame, setdiff(assigned_names(call[[4L]]), names), unlist(carried))
  for (k in seq_along(carried)) node_move(tr, carried[[k]], fresh[[k]])
  .Call(C_node_close, tr$nodes, counter)
  for (k in seq_along(names))
    assign(names[k], node_value(carried[[k]], value_dim(new[[k]]), value_type(new[[k]])), envir = frame$vars)
}

# Copies the values of carried registers that other names still hold, before the registers are overwritten.
keep_before_moves <- function(tr, frame, names, carried) {
  for (name in names) {
    v <- frame$vars[[name]]
    if (is.null(v$known) || v$known) next
    v$id <- vapply(v$id, function(id) if (id %in% carried) node_copy(tr, id) else id, 0L)
    assign(name, v, envir = frame$vars)
  }
}

# Returns registers for the names that have a value before the loop and are assigned in its body; values other than
# numbers are reported as problems.
carry_names <- function(tr, frame, call, counter) {
  names <- setdiff(intersect(assigned_names(call[[4L]]), ls(frame$vars, all.names = TRUE)), counter)
  carried <- list()
  for (name in names) {
    v <- frame$vars[[name]]
    if (!is.null(v$default)) v <- translate(tr, frame, as.name(name))
    ids <- if (is.null(v$known)) NA_integer_ else value_nodes(tr, v, call)
    if (anyNA(ids)) next
    carried[[name]] <- vapply(ids, function(id) node_append(tr, "CARRY", listed = FALSE), 0L)
    node_move(tr, carried[[name]], ids)
    assign(name, node_value(carried[[name]], value_dim(v), value_type(v)), envir = frame$vars)
  }
  carried
}

# TRUE if a value can be in `n` registers of this type.
can_carry <- function(v, n, type) {
  !is.null(v$known) && !is_unknown(v) && (!v$known || is_number(v)) && value_length(v) == n && value_type(v) == type
}

# Returns the names that an expression assigns to.
assigned_names <- function(expr) {
  names <- character()
  for (call in calls_in(expr, c("<-", "=", "for"))) {
    target <- if (is.symbol(call[[1L]])) call[[2L]]
    while (is.call(target)) target <- target[[2L]]
    if (!is.null(target)) names <- c(names, as.character(target))
  }
  unique(names)
}

# Returns all calls in an expression, or those of functions with certain names, level by level, except those inside
# function definitions.
calls_in <- function(expr, names = NULL) .Call(C_calls_in, expr, names)

# Returns the element of `over` in the pass that the node `counter` counts.
loop_item <- function(tr, call, over, counter) {
  x <- as.double(over$value)
  n <- length(x)
  number <- function(k, what) {
    if (is.null(over$label)) node_const(tr, k) else node_data(tr, k, paste0(over$label, what))
  }
  typed <- function(id) node_value(id, NULL, value_type(over), value_bound(over))
  if (isTRUE(all(x == seq_len(n)))) return(typed(counter))
  step <- x[2L] - x[1L]
  if (isTRUE(all(x == x[1L] + step * (seq_len(n) - 1)))) {
    passed <- node(tr, "SUB", counter, node_const(tr, 1))
    return(typed(node(tr, "ADD", number(x[1L], "#1"), node(tr, "MUL", number(step, "#step"), passed))))
  }
  label <- paste("index", if (is.null(over$label)) paste(deparse(call[[3L]]), collapse = " ") else over$label)
  typed(node_special(tr, "LOOKUP", counter, "tables", table_new("index", y = x), label))
}

node_copy <- function(tr, id) node_append(tr, "COPY", id)

node_move <- function(tr, to, from) {
  for (k in seq_along(to)) node_append(tr, "MOVE", c(to[k], from[k]))
}
