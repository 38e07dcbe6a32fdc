# Elements of vectors, matrices and arrays.
#
# An index is known at translation, or it depends on the point.  For the latter, captured numbers are lookup tables, and
# an element of an array is found at the sum of the offsets of its indices.  The element of values that depend on the
# point themselves is selected by comparison.

translate_index <- function(tr, frame, call, entry) {
  parts <- as.list(call)[-1L]
  named <- nzchar(names(parts))
  if (any(named) && !identical(names(parts)[named], "drop"))
    return(problem(tr, call, "exact and other named arguments are not supported"))
  drop <- if (any(named)) known_flag(translate(tr, frame, parts$drop)) else TRUE
  if (is.null(drop)) return(problem(tr, call, "drop must be TRUE or FALSE"))
  if (any(named)) parts <- parts[!named]
  whole <- translate(tr, frame, parts[[1L]])
  index <- lapply(unname(parts)[-1L], function(part) {
    if (identical(part, quote(expr = ))) known_value(TRUE) else translate(tr, frame, part)
  })
  if (is_unknown(whole) || any_unknown(index)) return(unknown_value())
  single <- as.character(call[[1L]]) == "[["
  if (!all(vapply(index, function(v) v$known, NA))) return(index_by_point(tr, call, whole, index, single, drop))
  at <- lapply(index, `[[`, "value")
  if (is_list_value(whole)) return(list_element(tr, call, whole, at[[1L]], single))
  if (!single && length(at) > 1L) at <- c(at, list(drop = drop))
  if (whole$known && !is_number(whole)) return(known_element(tr, call, whole, at, single))
  picked <- value_or(do.call(if (single) `[[` else `[`, c(list(node_array(tr, whole, call)), at)), identity)
  if (inherits(picked, "error") || anyNA(picked))
    return(problem(tr, call, "the index is out of range: the number of elements is ", value_length(whole),
                   if (tr$dim == 1L) " (if the integral has more dimensions, set `dim`)"))
  node_value(as.vector(picked), dim(picked), value_type(whole), value_bound(whole))
}

known_element <- function(tr, call, whole, at, single) {
  value <- value_or(do.call(if (single) `[[` else `[`, c(list(whole$value), at)), identity)
  if (inherits(value, "error")) return(problem(tr, call, "R reports the error: ", conditionMessage(value)))
  known_value(value, element_label(tr, whole, call))
}

element_label <- function(tr, whole, call) {
  if (is.null(whole$label)) return(NULL)
  tr$folds <- tr$folds + 1L
  paste0(whole$label, "/", tr$folds)
}

translate_dollar <- function(tr, frame, call, entry) {
  whole <- translate(tr, frame, call[[2L]])
  name <- if (is.symbol(call[[3L]])) as.character(call[[3L]]) else call[[3L]]
  if (is_list_value(whole)) return(list_element(tr, call, whole, name, TRUE))
  if (!whole$known) return(problem(tr, call, "$ is supported for lists only"))
  value <- tryCatch(do.call(`$`, list(whole$value, name)), error = identity)
  if (inherits(value, "error")) return(problem(tr, call, "R reports the error: ", conditionMessage(value)))
  known_value(value, element_label(tr, whole, call))
}

# --- an index that depends on the point --------------------------------------------------------

# Negative and logical indices are refused: R drops elements for the former and selects elements by the latter.
index_by_point <- function(tr, call, whole, index, single, drop) {
  if (whole$known && !is_number(whole) || is_list_value(whole))
    return(problem(tr, call, "an index that depends on the point is supported for vectors and arrays of numbers only"))
  for (v in index[!vapply(index, function(v) v$known, NA)]) {
    ids <- value_nodes(tr, v, call)
    if (anyNA(ids)) return(unknown_value())
    if (value_type(v) == "logical" || any(vapply(ids, function(id) .Call(C_node_parts, tr$nodes, id)$op == "NEG", NA)))
      return(problem(tr, call, "an index that depends on the point must be a positive number"))
  }
  shape <- value_dim(whole)
  if (length(index) == 1L && !is.null(value_dim(index[[1L]]))) {
    if (is.null(shape) || !identical(dim(node_array(tr, index[[1L]], call))[2L], length(shape)))
      return(problem(tr, call, "an index that depends on the point must be a vector, or a matrix with a column for ",
                     "each dimension"))
    return(rows_by_point(tr, call, whole, index[[1L]]))
  }
  if (length(index) == 1L) {
    at <- value_nodes(tr, index[[1L]], call)
    if (single) for (a in at) require_known(tr, offset_node(tr, a, value_length(whole), 1L))
    return(elements_at(tr, whole, at, call))
  }
  if (length(index) != length(shape))
    return(problem(tr, call, "the number of indices must be the number of dimensions, ", length(shape)))
  array_by_point(tr, call, whole, index, single, drop)
}

# Returns the elements at the nodes `at`, counted from 1: NaN outside of the vector.
elements_at <- function(tr, whole, at, call, dim = NULL) {
  if (whole$known) {
    table <- table_new("index", y = as.double(whole$value))
    label <- paste("index", if (is.null(whole$label)) paste(deparse(call), collapse = " ") else whole$label)
    pick <- function(a) node_special(tr, "LOOKUP", a, "tables", table, label)
  } else pick <- function(a) {
    offset <- offset_node(tr, a, length(whole$id), 1)
    Reduce(function(other, k) {
      node(tr, "SELECT", node(tr, "EQ", offset, node_const(tr, k)), whole$id[k], other)
    }, seq_along(whole$id), node_const(tr, NaN))
  }
  node_value(vapply(at, pick, 0L), dim, value_type(whole), value_bound(whole))
}

# Returns the node of trunc(a) * stride; NaN unless 1 <= a < n + 1.
offset_node <- function(tr, a, n, stride) {
  node_special(tr, "LOOKUP", a, "tables", table_new("index", y = seq_len(n) * stride), paste("offset", n, stride))
}

# Returns the node of trunc(a) * stride, and requires that R has an element there: it refuses an index out of range, but
# not NA, unless `single`.
checked_offset <- function(tr, a, n, stride, single) {
  range <- index_range(tr, a)
  if (!single && range$low >= 1 && range$high < n + 1) {
    if (!range$whole) a <- node(tr, "TRUNC", a)
    return(if (stride == 1) a else node(tr, "MUL", a, node_const(tr, stride)))
  }
  offset <- offset_node(tr, a, n, stride)
  require_known(tr, if (single || is_never_nan(tr, a)) offset
                    else node(tr, "SELECT", node(tr, "ISNAN", a), node_const(tr, 0), offset))
  offset
}

# Returns bounds of the values of a node, unless they are NaN, and whether they are whole numbers, which is known of the
# values of findInterval(), of the variables of loops and of numbers computed from them in a few steps.
index_range <- function(tr, id, steps = 4L) {
  known <- tr$ranges[[as.character(id)]]
  if (!is.null(known)) return(known)
  parts <- .Call(C_node_parts, tr$nodes, id)
  x <- parts$value
  if (parts$op == "CONST" && is.finite(x)) return(list(low = x, high = x, whole = x == trunc(x)))
  if (parts$op == "LOOP") return(list(low = 1, high = x, whole = TRUE))
  any <- list(low = -Inf, high = Inf, whole = parts$op %in% c("FLOOR", "CEILING", "TRUNC", "ROUND"))
  if (!parts$op %in% c("ADD", "SUB", "MIN", "MAX") || steps == 0L) return(any)
  a <- index_range(tr, parts$arg[1L], steps - 1L)
  b <- index_range(tr, parts$arg[2L], steps - 1L)
  low <- switch(parts$op, ADD = a$low + b$low, SUB = a$low - b$high, MIN = min(a$low, b$low), MAX = max(a$low, b$low))
  high <- switch(parts$op, ADD = a$high + b$high, SUB = a$high - b$low, MIN = min(a$high, b$high),
                 MAX = max(a$high, b$high))
  list(low = low, high = high, whole = a$whole && b$whole)
}

# Returns the strides of an array: the distances between elements whose indices differ by 1.
strides_of <- function(shape) cumprod(c(1, shape[-length(shape)]))

# Translates an element, a row, a column or another part of an array.
array_by_point <- function(tr, call, whole, index, single, drop) {
  shape <- value_dim(whole)
  strides <- strides_of(shape)
  base <- 1 - sum(strides)
  extent <- integer(length(shape))
  offsets <- list()
  for (k in seq_along(shape)) {
    v <- index[[k]]
    at <- if (v$known) seq_len(shape[k])[v$value] else value_nodes(tr, v, call)
    if (anyNA(at)) return(problem(tr, call, "the index is out of range: the extent is ", shape[k]))
    extent[k] <- length(at)
    if (v$known && length(at) == 1L) base <- base + at * strides[k]
    else offsets <- c(offsets, list(vapply(at, function(a) {
      if (v$known) node_const(tr, a * strides[k]) else checked_offset(tr, a, shape[k], strides[k], single)
    }, 0L)))
  }
  if (any(extent == 0L) || single && any(extent > 1L)) return(problem(tr, call, "the index must select one element"))
  at <- Reduce(function(a, b) each_node(tr, "ADD", rep(a, times = length(b)), rep(b, each = length(a))),
               c(offsets, list(node_const(tr, base))))
  left <- if (drop) extent[extent > 1L] else extent
  elements_at(tr, whole, at, call, if (length(left) > 1L || !drop) left)
}

# Translates an array at a matrix of indices, each row of which is the position of an element.
rows_by_point <- function(tr, call, whole, index) {
  shape <- value_dim(whole)
  strides <- strides_of(shape)
  at <- apply(node_array(tr, index, call), 1L, function(row) {
    offsets <- vapply(seq_along(row), function(k) checked_offset(tr, row[k], shape[k], strides[k], FALSE), 0L)
    node(tr, "ADD", fold_nodes(tr, offsets, "ADD"), node_const(tr, 1 - sum(strides)))
  })
  elements_at(tr, whole, at, call)
}
