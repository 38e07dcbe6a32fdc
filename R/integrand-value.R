# Values during a translation: known values, which R has already evaluated, arrays of nodes, and lists of values.
#
# The type of a value is that of R's vector: "logical", "integer" (integers overflow to NA) or "double"; "unclear" if
# it differs between points.  `bound` is an upper bound of the absolute values of integers.

# `label`: NULL for a constant of the integrand, otherwise the captured expression.
known_value <- function(value, label = NULL, frame = NULL) {
  list(known = TRUE, value = value, label = label, frame = frame)
}

# A value that is computed at each point, by the nodes `id`.
node_value <- function(id, dim = NULL, type = "double", bound = Inf) {
  list(known = FALSE, id = id, dim = dim, type = type, bound = bound)
}

truth_value <- function(id, dim = NULL) node_value(id, dim, "logical", 1)

# A list whose elements are values, at least one of which is not known.
list_value <- function(items, names = NULL) {
  list(known = FALSE, id = integer(), items = items, names = names, type = "list", bound = Inf)
}

is_list_value <- function(v) !is.null(v$items)

unknown_value <- function() node_value(NA_integer_)

is_unknown <- function(v) !v$known && anyNA(v$id)

is_number <- function(v) v$known && (is.numeric(v$value) || is.logical(v$value)) && !is.object(v$value)

value_length <- function(v) if (v$known) length(v$value) else if (is_list_value(v)) length(v$items) else length(v$id)

value_dim <- function(v) if (v$known) dim(v$value) else v$dim

value_type <- function(v) if (v$known) typeof(v$value) else v$type

# Returns an upper bound of the absolute values.
value_bound <- function(v) {
  if (!v$known) return(v$bound)
  if (is.double(v$value) || !length(v$value)) return(Inf)
  max(0, abs(as.double(v$value)), na.rm = TRUE)
}

integer_most <- .Machine$integer.max

# Returns the common type of values of which one is selected at each point; combined_type() that of a combined vector.
chosen_type <- function(types) {
  if (all(types == types[1L])) return(types[1L])
  if (all(types %in% c("logical", "integer"))) "integer" else "unclear"
}

combined_type <- function(types) {
  if (any(types == "double")) "double" else chosen_type(types)
}

complex_advice <- "complex numbers have no translation; write their real and imaginary parts"

# Returns the nodes of a value; known numbers become nodes.
value_nodes <- function(tr, v, call) {
  if (!v$known && !is_list_value(v)) return(v$id)
  if (!is_number(v)) {
    problem(tr, call, if (is.complex(v$value)) complex_advice
                      else "this is not a number; integrands can only compute with numbers")
    return(NA_integer_)
  }
  numbers <- as.double(v$value)
  if (length(numbers) > node_limit)
    translation_stop(tr, "a vector of ", length(numbers), " elements requires as many operations; the limit is ",
                     node_limit)
  if (is.null(v$label))
    return(if (length(numbers) == 1L) node_const(tr, numbers) else vapply(numbers, function(x) node_const(tr, x), 0L))
  vapply(seq_along(numbers), function(k) node_data(tr, numbers[k], paste0(v$label, "[", k, "]")), 0L)
}

# Returns a known value as a single number or truth value, or NULL if it is neither.
known_number <- function(v) if (is_number(v) && length(v$value) == 1L) as.double(v$value)
known_flag <- function(v) if (is_number(v) && length(v$value) == 1L && !is.na(v$value)) as.logical(v$value)

# Returns the dimensions of the result of an elementwise operation on `n` elements; list() if R refuses the operands.
common_dim <- function(args, n) {
  has_dim <- FALSE
  for (v in args) has_dim <- has_dim || !is.null(value_dim(v))
  if (!has_dim) return(NULL)
  dims <- unique(lapply(Filter(function(v) !is.null(value_dim(v)), args), function(v) as.integer(value_dim(v))))
  if (length(dims) > 1L || prod(dims[[1L]]) != n) list() else dims[[1L]]
}

# Applies an operation to each element; shorter arguments are recycled as in R.  Most operands are single numbers, and
# loops over them take less time than lapply().
elementwise <- function(tr, call, args, op) {
  lengths <- integer(length(args))
  for (k in seq_along(args)) lengths[k] <- value_length(args[[k]])
  n <- if (any(lengths == 0L)) 0L else max(lengths)
  if (n > node_limit)
    translation_stop(tr, "a vector of ", n, " elements requires as many operations; the limit is ", node_limit)
  ids <- vector("list", length(args))
  is_unknown <- FALSE
  for (k in seq_along(args)) {
    ids[[k]] <- value_nodes(tr, args[[k]], call)
    is_unknown <- is_unknown || anyNA(ids[[k]])
  }
  if (is_unknown) return(unknown_value())
  if (n == 0L || any(n %% lengths != 0L))
    return(problem(tr, call, "the lengths ", paste(lengths, collapse = " and "), " are incompatible"))
  dim <- common_dim(args, n)
  if (is.list(dim)) return(problem(tr, call, "the dimensions of the matrices are incompatible"))
  if (n > 1L) ids <- lapply(ids, rep_len, n)
  out <- if (n == 1L) op(unlist(ids)) else vapply(seq_len(n), function(k) op(vapply(ids, `[`, 0L, k)), 0L)
  node_value(out, dim)
}

truths <- c("LT", "LE", "GT", "GE", "EQ", "NE", "AND", "OR", "NOT", "XOR", "ISNAN", "ISFINITE", "ISINF")
keep_integers <- c("ADD", "SUB", "MUL", "NEG", "MOD", "IDIV", "ABS", "MIN", "MAX", "ROUND")
can_overflow <- c("ADD", "SUB", "MUL")
signed_zeros <- c("MUL", "NEG", "MOD", "IDIV")             # -0 for some doubles; integers have one zero

# Returns the type of the value of an operation, or NA if R's value depends on a type that is unclear.
result_type <- function(name, types) {
  if (name %in% truths) return("logical")
  if (!name %in% keep_integers || any(types == "double")) return("double")
  if (!any(types == "unclear")) return("integer")
  if (name %in% c(can_overflow, signed_zeros)) NA_character_ else "unclear"
}

# Returns the value of an elementwise operation of the table.
elementwise_op <- function(tr, call, args, name) {
  types <- character(length(args))
  for (k in seq_along(args)) types[k] <- value_type(args[[k]])
  type <- result_type(name, types)
  if (is.na(type))
    return(problem(tr, call, "one operand is an integer at some points and a double at others; use as.numeric()"))
  if (name == "SAME") return(args[[1L]])
  if (name == "ISNAN" && identical(as.character(call[[1L]]), "is.nan") && types != "double")
    return(elementwise(tr, call, args, function(a) node_const(tr, 0)))
  operation <- function(a) node_of(tr, name, a)
  if (type == "integer" && name == "IDIV")
    operation <- function(a) node(tr, "SELECT", node(tr, "EQ", a[2L], node_const(tr, 0)), node_const(tr, NaN),
                                  node(tr, "IDIV", a[1L], a[2L]))
  value <- elementwise(tr, call, args, operation)
  if (is_unknown(value)) return(value)
  if (type == "integer" && name %in% signed_zeros)
    value <- elementwise(tr, call, list(value), function(a) node(tr, "ADD", a, node_const(tr, 0)))
  value$type <- type
  if (type == "integer") value <- overflow_to_na(tr, value, integer_bound(name, vapply(args, value_bound, 0)))
  if (type == "logical") value$bound <- 1
  value
}

# Returns a bound of the results of an operation on integers with these bounds.
integer_bound <- function(name, bounds) {
  switch(name, ADD = , SUB = sum(bounds), MUL = prod(bounds), max(bounds))
}

# Replaces integers beyond 2^31 - 1 by NaN, as R does by NA.
overflow_to_na <- function(tr, value, bound) {
  value$bound <- min(bound, integer_most)
  if (bound <= integer_most) return(value)
  most <- node_const(tr, integer_most)
  value$id <- vapply(value$id, function(id) {
    node(tr, "SELECT", node(tr, "GT", node(tr, "ABS", id), most), node_const(tr, NaN), id)
  }, 0L)
  value
}
