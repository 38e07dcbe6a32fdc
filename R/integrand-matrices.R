# Matrices and arrays of fixed extent, as operations on their elements.

# Returns the nodes of a value in an array of its dimensions.
node_array <- function(tr, v, call) {
  ids <- value_nodes(tr, v, call)
  if (!is.null(value_dim(v))) dim(ids) <- value_dim(v)
  ids
}

# --- arrangement ------------------------------------------------------------------------------

# Translates functions that only arrange elements, such as matrix() and rbind(): R's function arranges the nodes.
# entry$data: the name of the argument that holds elements, "..." for all but those named in `entry$flags`, which do not
# affect them.  entry$formals: a function with the arguments of a primitive function.
translate_arranged <- function(tr, frame, call, entry) {
  problems <- length(tr$problems)
  formals <- if (is.null(entry$formals)) entry$fun else entry$formals
  given <- if (entry$data == "...") as.list(without_dots(call))[-1L] else matched_arguments(tr, call, formals)
  if (length(tr$problems) > problems) return(unknown_value())
  given <- given[!(names_of(given) %in% entry$flags)]
  values <- lapply(given, function(arg) translate(tr, frame, arg))
  if (any_unknown(values)) return(unknown_value())
  is_data <- entry$data == "..." | names_of(given) == entry$data
  if (!all(vapply(values[!is_data], function(v) v$known, NA)))
    return(problem(tr, call, "all its arguments but the elements must be known at translation"))
  data <- values[is_data]
  if (!length(data) || identical(entry$fun, base::diag) && length(given) == 1L && value_length(data[[1L]]) == 1L &&
      is.null(value_dim(data[[1L]])))
    return(problem(tr, call, "the number of its elements must be known at translation"))
  arguments <- lapply(values, `[[`, "value")
  arguments[is_data] <- lapply(data, function(v) node_array(tr, v, call))
  if (anyNA(unlist(arguments[is_data]))) return(unknown_value())
  arranged_nodes(tr, call, entry$fun, arguments, data)
}

names_of <- function(x) if (is.null(names(x))) character(length(x)) else names(x)

# Returns the value of a function of R that arranges nodes and may fill up with zeros; `values`: those whose nodes are
# arranged.
arranged_nodes <- function(tr, call, fun, arguments, values) {
  made <- value_or(tryCatch(do.call(fun, arguments), warning = identity), identity)
  if (inherits(made, "condition")) return(problem(tr, call, "R reports: ", conditionMessage(made)))
  if (anyNA(made) || !length(made)) return(problem(tr, call, "it has elements that are NA, or none"))
  if (any(made == 0L)) made[made == 0L] <- node_const(tr, 0)
  node_value(as.vector(made), dim(made), combined_type(vapply(values, value_type, "")),
             max(vapply(values, value_bound, 0)))
}

# Translates functions of the dimensions of a value, such as nrow().
translate_shape <- function(tr, frame, call, entry) {
  v <- if (length(call) == 2L) translate(tr, frame, call[[2L]]) else problem(tr, call, "it requires one argument")
  if (is_unknown(v)) return(v)
  if (is_whole_variable(tr, list(v)))
    return(problem(tr, call, "in one dimension the variable is one number, but R would count all points"))
  if (is_list_value(v)) return(problem(tr, call, "it is supported for numbers only"))
  known_value(entry$fun(if (v$known) v$value else node_array(tr, v, call)))
}

# --- sums and products ---------------------------------------------------------------------------

# Translates rowSums(), colMeans() and the like.
translate_margin_sums <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, "x", "x")
  if (is.null(args)) return(unknown_value())
  ids <- node_array(tr, args$x, call)
  if (length(dim(ids)) != 2L) return(problem(tr, call, "its argument must be a matrix"))
  if (anyNA(ids)) return(unknown_value())
  sums <- apply(ids, entry$margin, function(part) fold_nodes(tr, part, "ADD"))
  if (entry$mean) sums <- each_node(tr, "DIV", sums, node_const(tr, length(ids) / length(sums)))
  node_value(sums)
}

# Returns the nodes of a matrix; a vector becomes a column or a row.
as_nodes_matrix <- function(tr, v, call, column) {
  ids <- value_nodes(tr, v, call)
  d <- value_dim(v)
  if (is.null(d)) d <- if (column) c(length(ids), 1L) else c(1L, length(ids))
  if (length(d) == 2L && length(ids) == prod(d) && !anyNA(ids)) return(matrix(ids, d[1L], d[2L]))
  problem(tr, call, "its operands must be numeric vectors or matrices")
  matrix(NA_integer_, 1L, 1L)
}

# Returns the value of the product of two matrices of nodes.
product_of <- function(tr, call, a, b) {
  if (anyNA(a) || anyNA(b)) return(unknown_value())
  if (ncol(a) != nrow(b)) return(problem(tr, call, "the matrices have incompatible dimensions"))
  if (as.double(nrow(a)) * ncol(a) * ncol(b) > node_limit)
    translation_stop(tr, "the product of these matrices takes more than ", node_limit, " operations")
  out <- matrix(0L, nrow(a), ncol(b))
  for (i in seq_len(nrow(a))) for (j in seq_len(ncol(b))) {
    out[i, j] <- fold_nodes(tr, each_node(tr, "MUL", a[i, ], b[, j]), "ADD")
  }
  node_value(as.vector(out), dim(out))
}

# Translates %*%.  A vector is treated as a column or a row, whichever fits; of two vectors the first is a row if their
# lengths agree, otherwise one of them must be a single number.
translate_product <- function(tr, frame, call, entry) {
  if (length(call) != 3L || !is.null(names(call))) return(problem(tr, call, "it requires two unnamed operands"))
  v <- lapply(as.list(call)[-1L], function(arg) translate(tr, frame, arg))
  if (any_unknown(v)) return(unknown_value())
  left_is_vector <- is.null(value_dim(v[[1L]]))
  right_is_vector <- is.null(value_dim(v[[2L]]))
  lengths <- vapply(v, value_length, 0L)
  if (left_is_vector && right_is_vector && lengths[1L] != lengths[2L] && all(lengths != 1L))
    return(problem(tr, call, "the vectors have different lengths"))
  right <- as_nodes_matrix(tr, v[[2L]], call, TRUE)
  left <- as_nodes_matrix(tr, v[[1L]], call, FALSE)
  if (left_is_vector && ncol(left) != nrow(right)) left <- t(left)
  if (right_is_vector && ncol(left) != nrow(right)) right <- t(right)
  product_of(tr, call, left, right)
}

# Translates crossprod() and tcrossprod(); entry$transposed: is the second operand transposed?
translate_crossprod <- function(tr, frame, call, entry) {
  v <- call_values(tr, frame, call, entry$fun, c("x", "y"), "x")
  if (is.null(v)) return(unknown_value())
  v <- Filter(function(one) !is.null(one) && !(one$known && is.null(one$value)), v)
  sides <- lapply(v, function(one) as_nodes_matrix(tr, one, call, TRUE))
  left <- sides[[1L]]
  right <- sides[[length(sides)]]
  if (entry$transposed) product_of(tr, call, left, t(right)) else product_of(tr, call, t(left), right)
}

# Translates outer(): R calls the function once, with vectors of all pairs.
translate_outer <- function(tr, frame, call, entry) {
  args <- applied_arguments(tr, call, entry$fun, c("X", "Y"))
  if (is.null(args)) return(unknown_value())
  v <- lapply(args[c("X", "Y")], function(arg) translate(tr, frame, arg))
  if (any_unknown(v)) return(unknown_value())
  ids <- lapply(v, function(one) value_nodes(tr, one, call))
  if (anyNA(unlist(ids))) return(unknown_value())
  extent <- unlist(lapply(v, function(one) if (is.null(value_dim(one))) value_length(one) else value_dim(one)))
  pairs <- list(rep(ids[[1L]], times = length(ids[[2L]])), rep(ids[[2L]], each = length(ids[[1L]])))
  sides <- lapply(1:2, function(k) node_value(pairs[[k]], NULL, value_type(v[[k]]), value_bound(v[[k]])))
  made <- if (is.null(args$FUN) || identical(args$FUN, "*"))
    node_value(each_node(tr, "MUL", pairs[[1L]], pairs[[2L]]))
  else call_with(tr, frame, args$FUN, sides, args$extra)
  if (is_unknown(made)) return(made)
  if (value_length(made) != prod(extent))
    return(problem(tr, call, "its function must return a value for each pair"))
  node_value(value_nodes(tr, made, call), as.integer(extent), value_type(made), value_bound(made))
}

# --- systems of equations and determinants ---------------------------------------------------------
#
# Gaussian elimination with partial pivoting and the arithmetic of LAPACK: in each step the row with the largest element
# of the column becomes the pivot row, and multiples of it are subtracted from the rows below.  As the pivot row depends
# on the point, each exchange selects the elements of two rows.  For a matrix of captured numbers these operations are
# constants, which are computed once.

elimination_most <- 12L

# Eliminates the columns of the square matrix on the left of `a`, a matrix of nodes.  Returns the rows, and the sign of
# the permutation of the rows.
eliminate <- function(tr, a) {
  n <- nrow(a)
  sign <- node_const(tr, 1)
  zero <- node_const(tr, 0)
  for (k in seq_len(n - 1L)) {
    columns <- k:ncol(a)
    for (i in (k + 1L):n) {
      exchange <- node(tr, "GT", node(tr, "ABS", a[i, k]), node(tr, "ABS", a[k, k]))
      rows <- a[c(k, i), columns]
      a[k, columns] <- each_node(tr, "SELECT", exchange, rows[2L, ], rows[1L, ])
      a[i, columns] <- each_node(tr, "SELECT", exchange, rows[1L, ], rows[2L, ])
      sign <- node(tr, "SELECT", exchange, node(tr, "NEG", sign), sign)
    }
    # A column whose pivot is 0 has only zeros: nothing is to be subtracted.
    inverse <- node(tr, "SELECT", node(tr, "EQ", a[k, k], zero), zero, node(tr, "DIV", node_const(tr, 1), a[k, k]))
    for (i in (k + 1L):n)
      a[i, columns[-1L]] <- subtract_multiple(tr, a[i, columns[-1L]], node(tr, "MUL", a[i, k], inverse),
                                              a[k, columns[-1L]])
  }
  list(rows = a, sign = sign)
}

# Returns the nodes of y - factor * x.
subtract_multiple <- function(tr, y, factor, x) each_node(tr, "SUB", y, each_node(tr, "MUL", factor, x))

# Returns the nodes of the solution of U x = c for the columns c on the right of an eliminated matrix.
substitute_back <- function(tr, rows) {
  n <- nrow(rows)
  x <- rows[, -seq_len(n), drop = FALSE]
  for (k in n:1) {
    x[k, ] <- each_node(tr, "DIV", x[k, ], rows[k, k])
    for (i in seq_len(k - 1L)) x[i, ] <- subtract_multiple(tr, x[i, ], rows[i, k], x[k, ])
  }
  x
}

# Returns the node of the largest sum of absolute values in a column.
norm_of <- function(tr, a) {
  a[] <- each_node(tr, "ABS", as.vector(a))
  fold_nodes(tr, apply(a, 2L, function(column) fold_nodes(tr, column, "ADD")), "MAX")
}

# Makes the integrand NaN where the node `truth` is not true: R reports an error there.
require_true <- function(tr, truth) {
  require_known(tr, node(tr, "SELECT", truth, node_const(tr, 1), node_const(tr, NaN)))
}

# Returns the nodes of a square matrix, or NULL if it has no elimination.
square_nodes <- function(tr, v, call) {
  a <- as_nodes_matrix(tr, v, call, TRUE)
  if (anyNA(a)) return(NULL)
  if (nrow(a) == ncol(a) && nrow(a) <= elimination_most) return(a)
  problem(tr, call, "its matrix must be square, with at most ", elimination_most, " rows")
  NULL
}

# Translates solve().  R refuses matrices whose reciprocal condition number is below `tol`; LAPACK estimates the norm of
# the inverse, which is computed here.
translate_solve <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, solve.default, c("a", "b", "tol"), "a")
  a <- if (!is.null(args)) square_nodes(tr, args$a, call)
  if (is.null(a)) return(unknown_value())
  n <- nrow(a)
  unit <- matrix(node_const(tr, 0), n, n)
  diag(unit) <- node_const(tr, 1)
  b <- if (!is.null(args$b)) as_nodes_matrix(tr, args$b, call, TRUE)
  tol <- if (is.null(args$tol)) .Machine$double.eps else known_number(args$tol)
  if (anyNA(b)) return(unknown_value())
  if (is.null(tol) || !is.null(b) && nrow(b) != n)
    return(problem(tr, call, "b must have as many rows as a, and tol must be known at translation"))
  x <- substitute_back(tr, eliminate(tr, cbind(a, unit, b))$rows)
  condition <- node(tr, "MUL", norm_of(tr, a), norm_of(tr, x[, seq_len(n), drop = FALSE]))
  reciprocal <- node(tr, "DIV", node_const(tr, 1), condition)
  regular <- node(tr, "GE", reciprocal, node_const(tr, max(tol, .Machine$double.xmin)))
  require_true(tr, regular)
  if (is.null(b)) return(node_value(as.vector(x), dim(x)))
  x <- x[, -seq_len(n), drop = FALSE]
  node_value(as.vector(x), if (!is.null(value_dim(args$b))) dim(x))
}

# Translates det(), as R computes it: 0 if a pivot is 0, otherwise the exponential of the sum of the logarithms.
translate_det <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, "x", "x")
  if (!is.null(args) && is.null(value_dim(args$x))) return(problem(tr, call, "its argument must be a matrix"))
  a <- if (!is.null(args)) square_nodes(tr, args$x, call)
  if (is.null(a)) return(unknown_value())
  made <- eliminate(tr, a)
  pivots <- diag(made$rows)
  sign <- fold_nodes(tr, c(made$sign, each_node(tr, "SIGN", pivots)), "MUL")
  size <- node(tr, "EXP", fold_nodes(tr, each_node(tr, "LOG", each_node(tr, "ABS", pivots)), "ADD"))
  zero <- node_const(tr, 0)
  node_value(node(tr, "SELECT", fold_nodes(tr, each_node(tr, "EQ", pivots, zero), "OR"), zero,
                  node(tr, "MUL", sign, size)))
}

# Translates chol(): the upper triangle of R with t(R) %*% R = A, row by row.
translate_chol <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, "x", "x")
  a <- if (!is.null(args)) square_nodes(tr, args$x, call)
  if (is.null(a)) return(unknown_value())
  n <- nrow(a)
  for (k in seq_len(n)) {
    require_true(tr, node(tr, "GT", a[k, k], node_const(tr, 0)))
    a[k, k] <- node(tr, "SQRT", a[k, k])
    right <- seq_len(n)[-seq_len(k)]
    if (length(right)) a[k, right] <- each_node(tr, "DIV", a[k, right], a[k, k])
    for (i in right) a[i, i:n] <- subtract_multiple(tr, a[i, i:n], a[k, i], a[k, i:n])
  }
  a[lower.tri(a)] <- node_const(tr, 0)
  node_value(as.vector(a), dim(a))
}

# Translates backsolve() and forwardsolve().  A lower triangle is an upper one in reverse order.
translate_triangular <- function(tr, frame, call, entry) {
  name <- names(formals(entry$fun))[1L]
  args <- call_values(tr, frame, call, entry$fun, c(name, "x", "upper.tri", "transpose"), c(name, "x"))
  a <- if (!is.null(args)) square_nodes(tr, args[[name]], call)
  if (is.null(a)) return(unknown_value())
  x <- as_nodes_matrix(tr, args$x, call, TRUE)
  upper <- if (is.null(args$upper.tri)) formals(entry$fun)$upper.tri else known_flag(args$upper.tri)
  transpose <- if (is.null(args$transpose)) FALSE else known_flag(args$transpose)
  if (anyNA(x)) return(unknown_value())
  if (nrow(x) != nrow(a) || is.null(upper) || is.null(transpose))
    return(problem(tr, call, "x must have as many rows as the matrix, and its flags must be known at translation"))
  for (id in diag(a)) require_true(tr, node(tr, "NE", id, node_const(tr, 0)))
  if (transpose) a <- t(a)
  order <- if (upper == transpose) rev(seq_len(nrow(a))) else seq_len(nrow(a))
  made <- substitute_back(tr, cbind(a[order, order], x[order, , drop = FALSE]))[order, , drop = FALSE]
  node_value(as.vector(made), if (!is.null(value_dim(args$x))) dim(made))
}
