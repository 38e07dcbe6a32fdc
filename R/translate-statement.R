# Statements: sequences, assignments and branches; loops are in translate-loop.R.

# A list of expressions one after the other; the value is that of the last, or of the return() that is reached.  An
# `if` with a return() in it takes what follows it into both of its sides.
translate_sequence <- function(tr, frame, statements, refs = NULL) {
  value <- known_value(NULL)
  k <- 1L
  while (k <= length(statements)) {
    expr <- statements[[k]]
    if (!is.null(refs[[k]])) tr$place <- refs[[k]]
    head <- if (is.call(expr) && is.symbol(expr[[1L]])) as.character(expr[[1L]]) else ""
    if (head == "return") return(if (length(expr) > 1L) translate(tr, frame, expr[[2L]]) else known_value(NULL))
    if (head %in% c("{", "(") && has_return(expr)) {
      statements <- c(as.list(expr)[-1L], statements[-seq_len(k)])
      refs <- c(places_of(expr), refs[-seq_len(k)])
      k <- 1L
      next
    }
    if (head == "if" && has_return(expr))
      return(translate_branch_with_rest(tr, frame, expr, statements[-seq_len(k)], refs[-seq_len(k)]))
    value <- translate(tr, frame, expr)
    k <- k + 1L
  }
  value
}

has_return <- function(expr) "return" %in% all.names(expr)

# Where the statements of a block stand: lines of the source, else numbers.
places_of <- function(block) {
  refs <- attr(block, "srcref")
  lapply(seq_len(length(block) - 1L), function(k) {
    if (length(refs) > k) paste("line", refs[[k + 1L]][1L]) else paste("statement", k)
  })
}

# Where a body without braces stands.
place_of_body <- function(fun) {
  ref <- attr(fun, "srcref")
  if (is.null(ref)) "statement 1" else paste("line", ref[1L])
}

translate_block <- function(tr, frame, call) {
  before <- tr$place
  on.exit(tr$place <- before)
  translate_sequence(tr, frame, as.list(call)[-1L], places_of(call))
}

# --- branches --------------------------------------------------------------------

translate_condition <- function(tr, frame, call) {
  cond <- translate(tr, frame, call[[2L]])
  if (value_length(cond) != 1L)
    return(problem(tr, call, "the condition has ", value_length(cond), " elements; use any() or all(), or ifelse()"))
  if (cond$known && is.null(known_flag(cond))) return(problem(tr, call, "the condition is neither TRUE nor FALSE"))
  cond
}

translate_if <- function(tr, frame, call) {
  other <- if (length(call) > 3L) call[[4L]]
  branch(tr, frame, call, function() translate(tr, frame, call[[3L]]),
         function() if (is.null(other)) known_value(NULL) else translate(tr, frame, other))
}

translate_branch_with_rest <- function(tr, frame, call, rest, refs) {
  none <- vector("list", 1L)
  other <- if (length(call) > 3L) list(call[[4L]]) else list()
  branch(tr, frame, call, function() translate_sequence(tr, frame, c(list(call[[3L]]), rest), c(none, refs)),
         function() translate_sequence(tr, frame, c(other, rest), c(none[seq_along(other)], refs)))
}

# One of two values, and of what the two sides have assigned.
branch <- function(tr, frame, call, yes, no) {
  cond <- translate_condition(tr, frame, call)
  if (is_unknown(cond)) {
    yes()
    no()
    return(unknown_value())
  }
  if (cond$known) return(if (known_flag(cond)) yes() else no())
  truth <- cond$id
  before <- as.list(frame$vars)
  first <- tape_side(tr, truth, yes)
  after_yes <- as.list(frame$vars)
  vars_restore(frame, before)
  second <- tape_side(tr, node(tr, "NOT", truth), no)
  merge_variables(tr, frame, call, truth, after_yes)
  merge_values(tr, call, truth, first, second)
}

vars_restore <- function(frame, vars) {
  rm(list = ls(frame$vars, all.names = TRUE), envir = frame$vars)
  list2env(vars, frame$vars)
}

merge_variables <- function(tr, frame, call, truth, yes) {
  no <- as.list(frame$vars)
  for (name in union(names(yes), names(no))) {
    a <- yes[[name]]
    b <- no[[name]]
    if (identical(a, b)) next
    both <- if (is.null(a) || is.null(b)) list(missing = "only one side of an if has set it; set it before")
      else merge_values(tr, call, truth, a, b)
    assign(name, both, envir = frame$vars)
  }
}

merge_values <- function(tr, call, truth, a, b) {
  if (identical(a, b)) return(a)
  if (is.null(a$known) || is.null(b$known)) return(list(missing = "only one side of an if has set it; set it before"))
  nothing <- function(v) v$known && is.null(v$value)
  if (nothing(a) || nothing(b)) return(list(known = TRUE, value = NULL))
  elementwise(tr, call, list(node_value(truth), a, b), function(ids) node(tr, "SELECT", ids[1L], ids[2L], ids[3L]))
}

translate_switch <- function(tr, frame, call) {
  on <- translate(tr, frame, call[[2L]])
  if (!on$known || length(on$value) != 1L)
    return(problem(tr, call, "switch() needs a value that is known beforehand; write if and else"))
  sides <- as.list(call)[-(1:2)]
  k <- if (is.character(on$value)) match(on$value, names(sides)) else as.integer(on$value)
  if (is.character(on$value) && is.na(k)) k <- match("", names(sides))
  while (!is.na(k) && k < length(sides) && identical(sides[[k]], quote(expr = ))) k <- k + 1L
  if (is.na(k) || k < 1L || k > length(sides)) return(problem(tr, call, "no case of switch() applies"))
  translate(tr, frame, sides[[k]])
}

# --- assignments ------------------------------------------------------

translate_while <- function(tr, frame, call) {
  problem(tr, call, "how often it runs must be known beforehand; write for (i in 1:n), ",
          "with an if in its body for when to stop")
}

translate_assign <- function(tr, frame, call) {
  target <- call[[2L]]
  if (is.character(target)) target <- as.name(target)
  value <- translate(tr, frame, call[[3L]])
  if (is.call(target) && as.character(target[[1L]])[1L] %in% c("[", "[[") && is.symbol(target[[2L]]))
    value <- replace_elements(tr, frame, call, target, value)
  else if (!is.symbol(target)) return(problem(tr, call, "only names, and elements of vectors, can be assigned to"))
  name <- as.character(if (is.call(target)) target[[2L]] else target)
  assign(name, value, envir = frame$vars)
  value
}

replace_elements <- function(tr, frame, call, target, value) {
  whole <- translate(tr, frame, target[[2L]])
  index <- lapply(as.list(target)[-(1:2)], function(i) translate(tr, frame, i))
  if (!all(vapply(index, function(v) v$known, NA)))
    return(problem(tr, call, "the index must be known beforehand"))
  ids <- value_nodes(tr, whole, call)
  if (!is.null(value_dim(whole))) dim(ids) <- value_dim(whole)
  new <- value_nodes(tr, value, call)
  changed <- tryCatch(do.call(`[<-`, c(list(ids), lapply(index, `[[`, "value"), list(new))),
                      error = identity, warning = identity)
  if (inherits(changed, "condition")) return(problem(tr, call, "R says: ", conditionMessage(changed)))
  node_value(as.vector(changed), dim(changed))
}

translate_function <- function(tr, frame, call) {
  fun <- eval(call, frame$env)
  known_value(fun, NULL, frame)
}

translate_super <- function(tr, frame, call) {
  problem(tr, call, "an integrand cannot change anything outside; assign with <-")
}

special_forms <- list(
  "{" = translate_block, "(" = function(tr, frame, call) translate(tr, frame, call[[2L]]),
  "if" = translate_if, "for" = translate_for, "while" = translate_while, "repeat" = translate_while,
  "<-" = translate_assign, "=" = translate_assign, "<<-" = translate_super, "function" = translate_function,
  "switch" = translate_switch
)
