# Elementwise operations and their operands.

# TRUE for a call of an operation whose operands are all given by position.
is_operation <- function(tr, frame, expr) .Call(C_is_operation, tr, frame, expr)

# TRUE if the name of a supported function refers to it here.
is_supported_here <- function(tr, frame, name) is_meant(tr, frame, name, supported_functions[[name]]$fun)

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

# Returns the value of an expression for which is_operation() is TRUE.  src/r_translate.c visits the operations and
# combines single numbers; it calls the functions below for other operands.  An operand that R can evaluate is deferred
# until its value is needed, so that R evaluates expressions as large as possible.
translate_operations <- function(tr, frame, expr) .Call(C_translate_operations, tr, frame, expr)

missing_operand <- function(tr, ...) problem(tr, quote(expr = ), "an argument is missing")

# Returns the value of an operation whose operands are not all single numbers.
combine_values <- function(tr, call, values) {
  name <- as.character(call[[1L]])
  for (v in values) if (is_unknown(v)) return(unknown_value())
  if (name == "(") return(if (length(values) == 1L) values[[1L]] else problem(tr, call, "it requires one argument"))
  entry <- supported_functions[[name]]
  tr$current <- call
  entry$combine(tr, call, values, entry)
}

# Returns the value of an operation whose operands are known, although R could not evaluate the expression itself, as in
# length(x) > 2.
combine_known <- function(tr, call, values) evaluated_call(tr, call, call[[1L]], values)

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
    return(elementwise(tr, call, values[1L], function(a) limited(tr, .Call(C_node_power, tr$nodes, a, k))))
  elementwise_op(tr, call, values, "POW")
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
