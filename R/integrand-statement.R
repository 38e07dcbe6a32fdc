# Statements: sequences, assignments and branches; loops are in integrand-loop.R.

# Returns the value of a body: that of its last expression, or of the return() that is reached.
translate_body <- function(tr, frame, body) returned_value(tr, body, run_statements(tr, frame, list(body)))

# Returns the value of a body, given the end of its statements.
returned_value <- function(tr, call, end) {
  if (is.null(end$done)) end$value
  else if (isTRUE(end$done)) end$returned
  else merge_values(tr, call, end$done, end$returned, end$value)
}

# Translates expressions in sequence.  Returns a list: `value` is the value of the last expression, `done` is NULL if no
# return() was reached, TRUE if one was reached at all points, and otherwise a node that is true where one was reached,
# and `returned` is its value.  Statements after an `if` with a return() are computed where that was not reached.
run_statements <- function(tr, frame, statements, refs = NULL) {
  end <- list(value = known_value(NULL))
  k <- 1L
  while (k <= length(statements)) {
    expr <- statements[[k]]
    if (!is.null(refs[[k]])) tr$place <- refs[[k]]
    head <- if (is.call(expr) && is.symbol(expr[[1L]])) as.character(expr[[1L]]) else ""
    if (head %in% c("{", "(") && has_return(expr)) {
      statements <- c(as.list(expr)[-1L], statements[-seq_len(k)])
      refs <- c(places_of(expr), refs[-seq_len(k)])
      k <- 1L
      next
    }
    run <- function() run_statement(tr, frame, expr, head)
    end <- if (is.null(end$done)) run() else continue_where_not_done(tr, expr, end, run)
    if (isTRUE(end$done)) return(end)
    k <- k + 1L
  }
  end
}

# Translates one statement; the value is that of run_statements().
run_statement <- function(tr, frame, expr, head) {
  if (head == "return")
    return(list(done = TRUE, returned = if (length(expr) > 1L) translate(tr, frame, expr[[2L]]) else known_value(NULL)))
  if (head == "if" && has_return(expr)) return(run_branch(tr, frame, expr))
  list(value = translate(tr, frame, expr))
}

# Translates the statements `run` for the points at which no return() was reached before.
continue_where_not_done <- function(tr, call, before, run) {
  open <- node(tr, "NOT", before$done)
  guard <- tr$guard
  end <- branch_side(tr, open, run)
  tr$guard <- merge_guards(tr, open, tr$guard, guard)
  if (is.null(end$done)) return(list(value = end$value, done = before$done, returned = before$returned))
  list(value = end$value, done = if (isTRUE(end$done)) TRUE else node(tr, "OR", before$done, end$done),
       returned = merge_values(tr, call, before$done, before$returned, end$returned))
}

# Translates an `if` with a return() on at least one side.
run_branch <- function(tr, frame, call) {
  cond <- translate_condition(tr, frame, call)
  sides <- list(function() run_statements(tr, frame, list(call[[3L]])),
                function() if (length(call) > 3L) run_statements(tr, frame, list(call[[4L]]))
                           else list(value = known_value(NULL)))
  if (cond$known && !is_unknown(cond)) return(sides[[if (known_flag(cond)) 1L else 2L]]())
  if (is_unknown(cond)) return(list(value = unknown_value()))
  truth <- cond$id
  ends <- both_sides(tr, frame, call, truth, sides[[1L]], sides[[2L]],
                     function(end) isTRUE(end$done))
  yes <- ends[[1L]]
  no <- ends[[2L]]
  done <- merge_done(tr, truth, yes$done, no$done)
  returned <- if (is.null(yes$done)) no$returned else if (is.null(no$done)) yes$returned
    else merge_values(tr, call, truth, yes$returned, no$returned)
  value <- if (isTRUE(yes$done)) no$value else if (isTRUE(no$done)) yes$value
    else merge_values(tr, call, truth, yes$value, no$value)
  list(value = value, done = done, returned = returned)
}

# Returns `done` after a branch on `truth`.
merge_done <- function(tr, truth, yes, no) {
  if (isTRUE(yes) && isTRUE(no)) return(TRUE)
  if (is.null(yes) && is.null(no)) return(NULL)
  if (isTRUE(yes) && is.null(no)) return(truth)
  if (is.null(yes) && isTRUE(no)) return(node(tr, "NOT", truth))
  number <- function(done) if (is.null(done)) node_const(tr, 0) else if (isTRUE(done)) node_const(tr, 1) else done
  node(tr, "SELECT", truth, number(yes), number(no))
}

has_return <- function(expr) "return" %in% all.names(expr)

# Returns the places of the statements of a block: source lines if known, otherwise numbers.
places_of <- function(block) {
  refs <- attr(block, "srcref")
  places <- paste("statement", seq_len(length(block) - 1L))
  for (k in seq_along(places)) if (length(refs) > k) places[k] <- paste("line", refs[[k + 1L]][1L])
  as.list(places)
}

# Returns the place of a body without braces.
place_of_body <- function(fun) {
  ref <- attr(fun, "srcref")
  if (is.null(ref)) "statement 1" else paste("line", ref[1L])
}

translate_block <- function(tr, frame, call) {
  before <- tr$place
  on.exit(tr$place <- before)
  run_statements(tr, frame, as.list(call)[-1L], places_of(call))$value
}

# --- branches --------------------------------------------------------------------

translate_condition <- function(tr, frame, call) {
  cond <- translate(tr, frame, call[[2L]])
  if (is_unknown(cond)) return(cond)
  if (value_length(cond) != 1L)
    return(problem(tr, call, "the condition has ", value_length(cond), " elements; use any() or all(), or ifelse()"))
  if (cond$known && is.null(known_flag(cond))) return(problem(tr, call, "the condition is neither TRUE nor FALSE"))
  if (!cond$known) require_known(tr, cond$id)
  cond
}

# Translates an `if`: selects one of two values, and merges the assignments of the two sides.
translate_if <- function(tr, frame, call) {
  cond <- translate_condition(tr, frame, call)
  yes <- function() translate(tr, frame, call[[3L]])
  no <- function() if (length(call) > 3L) translate(tr, frame, call[[4L]]) else known_value(NULL)
  if (is_unknown(cond)) {
    yes()
    no()
    return(unknown_value())
  }
  if (cond$known) return(if (known_flag(cond)) yes() else no())
  sides <- both_sides(tr, frame, call, cond$id, yes, no)
  merge_values(tr, call, cond$id, sides[[1L]], sides[[2L]])
}

# Translates both sides of a branch and merges their assignments.  The assignments of a side for which `ended` is TRUE
# do not affect the statements that follow.
both_sides <- function(tr, frame, call, truth, yes, no, ended = function(side) FALSE) {
  before <- as.list(frame$vars, all.names = TRUE)
  guard <- tr$guard
  first <- branch_side(tr, truth, yes)
  after_yes <- as.list(frame$vars, all.names = TRUE)
  guard_yes <- tr$guard
  tr$guard <- guard
  vars_restore(frame, before)
  second <- branch_side(tr, node(tr, "NOT", truth), no)
  tr$guard <- merge_guards(tr, truth, guard_yes, tr$guard)
  if (ended(second)) vars_restore(frame, after_yes)
  else if (!ended(first)) merge_variables(tr, frame, call, truth, after_yes)
  list(first, second)
}

vars_restore <- function(frame, vars) {
  new <- setdiff(names(frame$vars), names(vars))
  if (length(new)) rm(list = new, envir = frame$vars)
  list2env(vars, frame$vars)
}

# Sets the local names to their values after both sides of a branch; yes: the values after the first one.
merge_variables <- function(tr, frame, call, truth, yes) {
  no <- as.list(frame$vars, all.names = TRUE)
  for (name in union(names(yes), names(no))) {
    a <- yes[[name]]
    b <- no[[name]]
    if (identical(a, b)) next
    both <- if (is.null(a) || is.null(b)) list(missing = "only one branch of an if assigns it; assign it before the if")
      else merge_values(tr, call, truth, a, b)
    assign(name, both, envir = frame$vars)
  }
}

# Returns the value that is `a` where `truth` holds and otherwise `b`.
merge_values <- function(tr, call, truth, a, b) {
  if (identical(a, b)) return(a)
  if (is.null(a$known) || is.null(b$known))
    return(list(missing = "only one branch of an if assigns it; assign it before the if"))
  nothing <- function(v) v$known && is.null(v$value)
  if (nothing(a) || nothing(b)) return(list(known = TRUE, value = NULL))
  if (is_unknown(a) || is_unknown(b)) return(unknown_value())
  if (value_length(a) != value_length(b) || !identical(as.integer(value_dim(a)), as.integer(value_dim(b))))
    return(problem(tr, call, "the values of its branches have different lengths (", value_length(a), " and ",
                   value_length(b), ") or dimensions"))
  value <- elementwise(tr, call, list(node_value(truth), a, b),
                       function(ids) node(tr, "SELECT", ids[1L], ids[2L], ids[3L]))
  value$type <- chosen_type(c(value_type(a), value_type(b)))
  value$bound <- max(value_bound(a), value_bound(b))
  value
}

translate_switch <- function(tr, frame, call) {
  if ("EXPR" %in% names(call)[-2L]) return(problem(tr, call, "EXPR must be the first argument"))
  on <- translate(tr, frame, call[[2L]])
  if (!on$known || length(on$value) != 1L || !(is.character(on$value) || is_number(on)))
    return(problem(tr, call, "the first argument of switch() must be known at translation; use if and else"))
  sides <- as.list(call)[-(1:2)]
  k <- if (is.character(on$value)) match(on$value, names(sides)) else as.integer(on$value)
  if (is.character(on$value) && is.na(k)) k <- match("", names(sides))
  while (is.character(on$value) && !is.na(k) && k < length(sides) && identical(sides[[k]], quote(expr = ))) k <- k + 1L
  if (is.na(k) || k < 1L || k > length(sides)) return(problem(tr, call, "no case of switch() matches"))
  translate(tr, frame, sides[[k]])
}

# --- assignments ------------------------------------------------------

translate_while <- function(tr, frame, call) {
  problem(tr, call, "the number of passes must be known at translation; use for (i in 1:n), ",
          "with an if in its body")
}

# The value of an assignment is the right-hand side, even if only elements are replaced.
translate_assign <- function(tr, frame, call) {
  target <- call[[2L]]
  if (is.character(target)) target <- as.name(target)
  value <- translate(tr, frame, call[[3L]])
  new <- value
  if (is.call(target) && as.character(target[[1L]])[1L] %in% c("[", "[[", "diag", "dim") && is.symbol(target[[2L]]))
    new <- replace_elements(tr, frame, call, target, value)
  else if (!is.symbol(target)) return(problem(tr, call, "only names and elements of vectors can be assigned"))
  name <- as.character(if (is.call(target)) target[[2L]] else target)
  assign(name, new, envir = frame$vars)
  value
}

# Translates an assignment to elements, the diagonal or the dimensions of a vector or matrix: R replaces its nodes.
replace_elements <- function(tr, frame, call, target, value) {
  whole <- translate(tr, frame, target[[2L]])
  index <- lapply(as.list(target)[-(1:2)], function(i) {
    if (identical(i, quote(expr = ))) known_value(TRUE) else translate(tr, frame, i)
  })
  if (is_unknown(whole) || is_unknown(value)) return(unknown_value())
  if (!is.null(names(target)) || !all(vapply(index, function(v) v$known, NA)))
    return(problem(tr, call, "the index must be known at translation and must not be named"))
  ids <- node_array(tr, whole, call)
  is_dim <- identical(target[[1L]], quote(dim))
  if (is_dim && !value$known) return(problem(tr, call, "the dimensions must be known at translation"))
  new <- if (is_dim) value$value else value_nodes(tr, value, call)
  if (anyNA(ids) || !is_dim && anyNA(new)) return(unknown_value())
  replace <- get(paste0(as.character(target[[1L]]), "<-"), baseenv())
  arranged_nodes(tr, call, replace, c(list(ids), lapply(index, `[[`, "value"), list(value = new)),
                 if (is_dim) list(whole) else list(whole, value))
}

translate_function <- function(tr, frame, call) {
  fun <- eval(call, frame$env)
  known_value(fun, NULL, frame)
}

translate_super <- function(tr, frame, call) {
  problem(tr, call, "an integrand must not assign to outer variables; use <-")
}

special_forms <- list(
  "{" = translate_block, "if" = translate_if, "for" = translate_for, "while" = translate_while,
  "repeat" = translate_while, "<-" = translate_assign, "=" = translate_assign, "<<-" = translate_super,
  "function" = translate_function, "switch" = translate_switch
)
