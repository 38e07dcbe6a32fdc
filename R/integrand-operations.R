# Elementwise operations and their operands.  Nested operations are translated with an explicit stack, as R's recursion
# is limited to some hundreds of nested function calls.

# TRUE for a call of an operation whose operands are all given by position.
is_operation <- function(tr, frame, expr) {
  if (!is.call(expr) || !is.symbol(expr[[1L]]) || !is.null(names(expr)) || length(expr) < 2L) return(FALSE)
  name <- as.character(expr[[1L]])
  if (name == "(") return(TRUE)
  entry <- supported_functions[[name]]
  !is.null(entry$combine) && is_meant(tr, frame, name, entry$fun)
}

# TRUE if `name` refers to `fun` here.
is_meant <- function(tr, frame, name, fun) {
  local <- frame_find(frame, name)$value
  if (!is.null(local) && (!isTRUE(local$known) || is.function(local$value))) return(FALSE)
  known <- frame$meant[[name]]
  if (!is.null(known)) return(known)
  answer <- identical(get0(name, envir = frame$env, mode = "function"), fun)
  assign(name, answer, envir = frame$meant)
  answer
}

operation_level <- function(tr, call) {
  count_step(tr)
  level <- new.env(parent = emptyenv())
  level$call <- call
  level$at <- 1L
  level$values <- vector("list", length(call) - 1L)
  level
}

translate_operations <- function(tr, frame, expr) {
  stack <- list(operation_level(tr, expr))
  depth <- 1L
  repeat {
    level <- stack[[depth]]
    level$at <- level$at + 1L
    if (level$at > length(level$call)) {
      value <- combine_operands(tr, frame, level)
      depth <- depth - 1L
      if (depth == 0L) return(force_value(tr, frame, value))
      stack[[depth]]$values[[stack[[depth]]$at - 1L]] <- value
    } else if (is_operation(tr, frame, operand <- level$call[[level$at]])) {
      depth <- depth + 1L
      stack[[depth]] <- operation_level(tr, operand)
    } else level$values[[level$at - 1L]] <- translate_operand(tr, frame, operand)
  }
}

# An operand that R can evaluate is deferred until its value is needed, so that R evaluates expressions as large as
# possible.
translate_operand <- function(tr, frame, operand) {
  if (identical(operand, quote(expr = ))) return(problem(tr, quote(expr = ), "an argument is missing"))
  if (is_foldable(tr, frame, operand)) list(deferred = operand) else translate(tr, frame, operand)
}

is_deferred <- function(value) names(value)[1L] == "deferred"

force_value <- function(tr, frame, value) if (is_deferred(value)) fold(tr, frame, value$deferred) else value

combine_operands <- function(tr, frame, level) {
  name <- as.character(level$call[[1L]])
  values <- level$values
  deferred <- logical(length(values))
  for (k in seq_along(values)) deferred[k] <- is_deferred(values[[k]])
  if (all(deferred)) return(list(deferred = level$call))
  for (k in which(deferred)) values[[k]] <- force_value(tr, frame, values[[k]])
  for (v in values) if (is_unknown(v)) return(unknown_value())
  if (name == "(")
    return(if (length(values) == 1L) values[[1L]] else problem(tr, level$call, "it requires one argument"))
  entry <- supported_functions[[name]]
  tr$current <- level$call
  entry$combine(tr, level$call, values, entry)
}

# --- the operations ------------------------------------------------------------------

combine_elementwise <- function(tr, call, values, entry) {
  op <- entry$op[[as.character(length(values))]]
  if (is.null(op))
    return(problem(tr, call, "its number of arguments must be ", paste(names(entry$op), collapse = " or ")))
  if (op == "SAME" && value_type(values[[1L]]) == "logical") op <- "PLUS"
  if (op == "PLUS") return(elementwise_op(tr, call, c(values, list(known_value(0L))), "ADD"))
  elementwise_op(tr, call, values, op)
}

# Powers with small whole or half-integer exponents become products and square roots.
combine_power <- function(tr, call, values, entry) {
  if (length(values) != 2L) return(problem(tr, call, "its number of arguments must be 2"))
  k <- known_number(values[[2L]])
  if (!is.null(k) && is.null(values[[2L]]$label) && !is.na(k) && abs(k) <= 16 && 2 * k == round(2 * k) &&
      is.null(value_dim(values[[2L]])))
    return(elementwise(tr, call, values[1L], function(a) small_power(tr, a, k)))
  elementwise_op(tr, call, values, "POW")
}

# R treats -0 as 0 in powers other than 2: where the sign would matter, adding 0 makes it positive.
small_power <- function(tr, a, k) {
  if (k == 0) return(node_const(tr, 1))
  if (k %% 2 != 0 && (k < 0 || tr$store$op_of(a) != "INPUT")) a <- node(tr, "ADD", a, node_const(tr, 0))
  if (k < 0) return(node(tr, "DIV", node_const(tr, 1), power_product(tr, a, -k)))
  power_product(tr, a, k)
}

power_product <- function(tr, a, k) {
  if (k %% 1 == 0.5) {
    root <- node(tr, "SQRT", a)
    return(if (k < 1) root else node(tr, "MUL", power_product(tr, a, k - 0.5), root))
  }
  if (k == 1) return(a)
  half <- power_product(tr, a, k %/% 2)
  square <- node(tr, "MUL", half, half)
  if (k %% 2 == 1) node(tr, "MUL", square, a) else square
}

# Translates operations with named arguments, which R matches for mathematical functions and ignores for operators.
translate_elementwise <- function(tr, frame, call, entry) {
  if (grepl("^[^A-Za-z]", as.character(call[[1L]])[1L]) && !is.null(names(call)))
    return(problem(tr, call, "operands must not be named"))
  given <- if (is.null(names(call))) as.list(without_dots(call))[-1L] else matched_arguments(tr, call, entry$fun)
  if (is.null(given)) return(unknown_value())
  values <- unname(lapply(given, function(arg) translate(tr, frame, arg)))
  if (any(vapply(values, is_unknown, NA))) return(unknown_value())
  entry$combine(tr, call, values, entry)
}

# Translates x && y and x || y.  R does not evaluate y where x decides, so that NA conditions within y have no effect
# there.
translate_and_or <- function(tr, frame, call, entry) {
  if (length(call) != 3L || !is.null(names(call)) || any(c("<-", "=") %in% all.names(call[[3L]])))
    return(problem(tr, call, "it requires two arguments, the second of which must not contain an assignment"))
  first <- translate(tr, frame, call[[2L]])
  if (is_unknown(first)) return(first)
  decides <- entry$op == "OR"
  if (first$known && identical(known_flag(first), decides)) return(known_value(decides))
  before <- tr$guard
  second <- translate(tr, frame, call[[3L]])
  if (is_unknown(second)) return(second)
  if (value_length(first) != 1L || value_length(second) != 1L)
    return(problem(tr, call, "its arguments must be single logical values; use & and |, any() or all()"))
  if (!identical(before, tr$guard)) {
    truth <- value_nodes(tr, first, call)
    open <- node(tr, "OR", node(tr, "ISNAN", truth), node(tr, if (decides) "EQ" else "NE", truth, node_const(tr, 0)))
    tr$guard <- merge_guards(tr, open, tr$guard, before)
  }
  elementwise_op(tr, call, list(first, second), entry$op)
}
