# Values while an integrand is translated: what R knows already, and arrays of nodes.

# `label`: NULL for what is written in the integrand, else where it was captured.
known_value <- function(value, label = NULL, frame = NULL) {
  list(known = TRUE, value = value, label = label, frame = frame)
}

node_value <- function(id, dim = NULL) list(known = FALSE, id = id, dim = dim)

unknown_value <- function() node_value(NA_integer_)

is_unknown <- function(v) !v$known && anyNA(v$id)

is_number <- function(v) v$known && (is.numeric(v$value) || is.logical(v$value)) && !is.object(v$value)

value_length <- function(v) if (v$known) length(v$value) else length(v$id)

value_dim <- function(v) if (v$known) dim(v$value) else v$dim

# The nodes of a value; numbers become nodes.
value_nodes <- function(tr, v, call) {
  if (!v$known) return(v$id)
  if (!is_number(v)) {
    problem(tr, call, "this is no number; integrands are made of numbers")
    return(NA_integer_)
  }
  numbers <- as.double(v$value)
  if (is.null(v$label)) return(vapply(numbers, function(x) node_const(tr, x), 0L))
  vapply(seq_along(numbers), function(k) node_data(tr, numbers[k], paste0(v$label, "[", k, "]")), 0L)
}

# A known value as the one thing that it must be, or NULL.
known_number <- function(v) if (is_number(v) && length(v$value) == 1L) as.double(v$value)
known_flag <- function(v) if (is_number(v) && length(v$value) == 1L && !is.na(v$value)) as.logical(v$value)

# An operation on each element, with the shorter arguments recycled as R does.
elementwise <- function(tr, call, args, op) {
  ids <- lapply(args, function(v) value_nodes(tr, v, call))
  lengths <- lengths(ids)
  n <- if (any(lengths == 0L)) 0L else max(lengths)
  if (any(vapply(ids, anyNA, NA))) return(unknown_value())
  if (n == 0L || any(n %% lengths != 0L))
    return(problem(tr, call, "the lengths ", paste(lengths, collapse = " and "), " do not fit together"))
  ids <- lapply(ids, rep_len, n)
  out <- vapply(seq_len(n), function(k) op(vapply(ids, `[`, 0L, k)), 0L)
  dims <- Filter(Negate(is.null), lapply(args, value_dim))
  node_value(out, if (length(dims)) dims[[1L]])
}

elementwise_op <- function(tr, call, args, name) {
  if (name == "SAME") return(args[[1L]])
  elementwise(tr, call, args, function(a) do.call(node, c(list(tr, name), as.list(a))))
}
