# The functions that have a translation: those of the table of operations (src/core/ops.h) element by element, and
# the ones written out below.

operations <- function() {
  if (is.null(once$operations)) once$operations <- .Call(C_operations)
  once$operations
}

# Arguments of a call as values, in the order of the formal arguments given; NULL where one is not there.
call_values <- function(tr, frame, call, formals) {
  shape <- as.function(c(stats::setNames(rep(list(quote(expr = )), length(formals)), formals), list(NULL)))
  matched <- tryCatch(match.call(shape, without_dots(call)), error = identity)
  if (inherits(matched, "error")) {
    problem(tr, call, "it takes the arguments ", paste(formals, collapse = ", "))
    return(NULL)
  }
  given <- as.list(matched)[-1L]
  stats::setNames(lapply(formals, function(f) if (!is.null(given[[f]])) translate(tr, frame, given[[f]])), formals)
}

# All arguments of a call, for sum() and its like; na.rm may only be FALSE.
all_values <- function(tr, frame, call) {
  call <- without_dots(call)
  names <- names(call)[-1L]
  values <- lapply(as.list(call)[-1L], function(arg) translate(tr, frame, arg))
  removes <- if (is.null(names)) integer() else which(names == "na.rm")
  if (!length(removes)) return(unname(values))
  if (!identical(known_flag(values[[removes]]), FALSE)) problem(tr, call, "na.rm = TRUE has no translation")
  unname(values[-removes])
}

# --- element by element ------------------------------------------------------------

translate_elementwise <- function(tr, frame, call, entry) {
  args <- all_values(tr, frame, call)
  op <- entry$op[[as.character(length(args))]]
  if (is.null(op)) return(problem(tr, call, "it takes ", paste(names(entry$op), collapse = " or "), " argument(s)"))
  elementwise_op(tr, call, args, op)
}

# Powers with a small whole or half exponent are products and square roots.
translate_power <- function(tr, frame, call, entry) {
  args <- all_values(tr, frame, call)
  k <- known_number(args[[2L]])
  if (!is.null(k) && is.null(args[[2L]]$label) && !is.na(k) && abs(k) <= 16 && 2 * k == round(2 * k))
    return(elementwise(tr, call, args[1L], function(a) small_power(tr, a, k)))
  elementwise_op(tr, call, args, "POW")
}

small_power <- function(tr, a, k) {
  if (k == 0) return(node_const(tr, 1))
  if (k < 0) return(node(tr, "DIV", node_const(tr, 1), small_power(tr, a, -k)))
  if (k %% 1 == 0.5) {
    root <- node(tr, "SQRT", a)
    return(if (k < 1) root else node(tr, "MUL", small_power(tr, a, k - 0.5), root))
  }
  if (k == 1) return(a)
  half <- small_power(tr, a, k %/% 2)
  square <- node(tr, "MUL", half, half)
  if (k %% 2 == 1) node(tr, "MUL", square, a) else square
}

translate_log <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, c("x", "base"))
  if (is.null(args)) return(unknown_value())
  top <- elementwise_op(tr, call, args["x"], "LOG")
  if (is.null(args$base)) return(top)
  elementwise_op(tr, call, list(top, elementwise_op(tr, call, args["base"], "LOG")), "DIV")
}

translate_round <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, c("x", "digits"))
  if (is.null(args)) return(unknown_value())
  if (!is.null(args$digits) && !identical(known_number(args$digits), 0))
    return(problem(tr, call, "write round(x * 10^digits) / 10^digits"))
  elementwise_op(tr, call, args["x"], "ROUND")
}

# Arguments under their names, as far as they are those of the function.
translate_named <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$formals)
  if (is.null(args)) return(unknown_value())
  if (any(vapply(args, is.null, NA)))
    return(problem(tr, call, "it takes the arguments ", paste(entry$formals, collapse = ", ")))
  elementwise_op(tr, call, args, entry$op)
}

translate_ifelse <- function(tr, frame, call, entry) {
  args <- as.list(match.call(ifelse, without_dots(call)))[-1L]
  test <- if (!is.null(args$test)) translate(tr, frame, args$test)
  if (is.null(args$yes) || is.null(args$no)) return(problem(tr, call, "it takes the arguments test, yes, no"))
  if (value_length(test) != 1L || test$known) {
    sides <- lapply(args[c("yes", "no")], function(a) translate(tr, frame, a))
    return(elementwise_op(tr, call, c(list(test), sides), "SELECT"))
  }
  branch(tr, frame, as.call(list(quote(`if`), args$test)), function() translate(tr, frame, args$yes),
         function() translate(tr, frame, args$no))
}

# --- over vectors ------------------------------------------------------------------

fold_nodes <- function(tr, ids, op) Reduce(function(a, b) node(tr, op, a, b), ids)

# In one dimension the variable is a vector of points to the closure and one point here.
is_whole_variable <- function(tr, values) {
  tr$dim == 1L && tr$pointwise == 0L && length(values) == 1L && !values[[1L]]$known && length(values[[1L]]$id) == 1L &&
    !is.na(values[[1L]]$id) && !tr$store$is_uniform(values[[1L]]$id)
}

translate_reduction <- function(tr, frame, call, entry) {
  values <- all_values(tr, frame, call)
  if (is_whole_variable(tr, values))
    return(problem(tr, call, "in one dimension the variable is one number, and R would reduce all points to one"))
  ids <- unlist(lapply(values, function(v) value_nodes(tr, v, call)))
  if (!length(ids)) return(problem(tr, call, "there is nothing to reduce"))
  if (anyNA(ids)) return(unknown_value())
  if (entry$truth && length(ids) == 1L) ids <- node(tr, "NE", ids, node_const(tr, 0))
  total <- fold_nodes(tr, ids, entry$op)
  node_value(if (entry$mean) node(tr, "DIV", total, node_const(tr, length(ids))) else total)
}

translate_range <- function(tr, frame, call, entry) {
  ends <- lapply(c("MIN", "MAX"), function(op) {
    translate_reduction(tr, frame, call, list(op = op, truth = FALSE, mean = FALSE))
  })
  node_value(c(ends[[1L]]$id, ends[[2L]]$id))
}

translate_length <- function(tr, frame, call, entry) {
  values <- all_values(tr, frame, call)
  if (is_whole_variable(tr, values))
    return(problem(tr, call, "in one dimension the variable is one number, and R would count all points"))
  n <- value_length(values[[1L]])
  known_value(if (entry$along) seq_len(n) else n)
}

translate_combine <- function(tr, frame, call, entry) {
  node_value(unlist(lapply(all_values(tr, frame, call), function(v) value_nodes(tr, v, call))))
}

translate_same <- function(tr, frame, call, entry) {
  v <- translate(tr, frame, call[[2L]])
  if (!v$known && entry$drops) v$dim <- NULL
  if (v$known && entry$drops) v$value <- as.vector(v$value)
  v
}

translate_reverse <- function(tr, frame, call, entry) {
  node_value(rev(value_nodes(tr, translate(tr, frame, call[[2L]]), call)))
}

translate_cumulative <- function(tr, frame, call, entry) {
  ids <- value_nodes(tr, translate(tr, frame, call[[2L]]), call)
  if (anyNA(ids)) return(unknown_value())
  node_value(Reduce(function(a, b) node(tr, entry$op, a, b), ids, accumulate = TRUE))
}

# The vector to which a function is applied becomes so many calls.
translate_apply <- function(tr, frame, call, entry) {
  args <- as.list(match.call(entry$fun, without_dots(call)))[-1L]
  over <- translate(tr, frame, args$X)
  if (is_unknown(over)) return(over)
  tr$pointwise <- tr$pointwise + 1L
  on.exit(tr$pointwise <- tr$pointwise - 1L)
  inner <- frame_new(tr, frame$env, frame)
  extra <- args[setdiff(names(args), c("X", "FUN", "FUN.VALUE", "USE.NAMES", "simplify"))]
  results <- lapply(seq_len(value_length(over)), function(k) {
    item <- if (over$known) known_value(over$value[[k]], over$label) else node_value(over$id[k])
    assign(".item", item, envir = inner$vars)
    translate(tr, inner, as.call(c(list(args$FUN, quote(.item)), extra)))
  })
  if (any(vapply(results, is_unknown, NA))) return(unknown_value())
  node_value(unlist(lapply(results, function(v) value_nodes(tr, v, call))))
}

# --- matrices ------------------------------------------------------------------------

as_nodes_matrix <- function(tr, v, call, column) {
  ids <- value_nodes(tr, v, call)
  d <- value_dim(v)
  if (is.null(d)) d <- if (column) c(length(ids), 1L) else c(1L, length(ids))
  if (length(d) == 2L && length(ids) == prod(d)) matrix(ids, d[1L], d[2L]) else matrix(NA_integer_, 1L, 1L)
}

product_of <- function(tr, call, a, b) {
  if (anyNA(a) || anyNA(b)) return(unknown_value())
  if (ncol(a) != nrow(b)) return(problem(tr, call, "the matrices do not fit"))
  out <- matrix(0L, nrow(a), ncol(b))
  for (i in seq_len(nrow(a))) for (j in seq_len(ncol(b))) {
    terms <- vapply(seq_len(ncol(a)), function(k) node(tr, "MUL", a[i, k], b[k, j]), 0L)
    out[i, j] <- fold_nodes(tr, terms, "ADD")
  }
  node_value(as.vector(out), dim(out))
}

# A vector is a column or a row, whichever fits.
translate_product <- function(tr, frame, call, entry) {
  v <- lapply(as.list(call)[-1L], function(arg) translate(tr, frame, arg))
  if (any(vapply(v, is_unknown, NA))) return(unknown_value())
  left_is_vector <- is.null(value_dim(v[[1L]]))
  right_is_vector <- is.null(value_dim(v[[2L]]))
  right <- as_nodes_matrix(tr, v[[2L]], call, TRUE)
  left <- as_nodes_matrix(tr, v[[1L]], call, FALSE)
  if (left_is_vector && ncol(left) != nrow(right)) left <- t(left)
  if (right_is_vector && ncol(left) != nrow(right)) right <- t(right)
  product_of(tr, call, left, right)
}

translate_crossprod <- function(tr, frame, call, entry) {
  v <- lapply(as.list(call)[-1L], function(arg) translate(tr, frame, arg))
  if (any(vapply(v, is_unknown, NA))) return(unknown_value())
  sides <- lapply(v, function(one) as_nodes_matrix(tr, one, call, TRUE))
  product_of(tr, call, t(sides[[1L]]), sides[[length(sides)]])
}

translate_transpose <- function(tr, frame, call, entry) {
  v <- translate(tr, frame, call[[2L]])
  if (is_unknown(v)) return(v)
  m <- t(as_nodes_matrix(tr, v, call, TRUE))
  node_value(as.vector(m), dim(m))
}

translate_outer <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, c("X", "Y"))
  if (is.null(args) || any(vapply(args, is_unknown, NA))) return(unknown_value())
  a <- value_nodes(tr, args$X, call)
  b <- value_nodes(tr, args$Y, call)
  ids <- unlist(lapply(b, function(y) vapply(a, function(x) node(tr, "MUL", x, y), 0L)))
  node_value(ids, c(length(a), length(b)))
}

# --- elements ---------------------------------------------------------------------------

translate_index <- function(tr, frame, call, entry) {
  whole <- translate(tr, frame, call[[2L]])
  parts <- as.list(call)[-(1:2)]
  index <- lapply(seq_along(parts), function(k) {
    if (!identical(parts[[k]], quote(expr = ))) translate(tr, frame, parts[[k]])
  })
  if (is_unknown(whole) || any(vapply(index, function(v) !is.null(v) && is_unknown(v), NA))) return(unknown_value())
  if (!all(vapply(index, function(v) is.null(v) || v$known, NA))) return(index_by_point(tr, call, whole, index))
  if (whole$known && !is_number(whole)) return(known_element(tr, call, whole, index))
  ids <- value_nodes(tr, whole, call)
  if (!is.null(value_dim(whole))) dim(ids) <- value_dim(whole)
  at <- lapply(index, function(v) if (is.null(v)) TRUE else v$value)
  picked <- tryCatch(do.call(`[`, c(list(ids), at)), error = identity)
  if (inherits(picked, "error") || anyNA(picked))
    return(problem(tr, call, "there is no such element; it has ", length(ids),
                   if (tr$dim == 1L) " (is the integral meant to have more dimensions? see `dim`)"))
  node_value(as.vector(picked), dim(picked))
}

known_element <- function(tr, call, whole, index) {
  value <- tryCatch(do.call(`[[`, c(list(whole$value), lapply(index, `[[`, "value"))), error = identity)
  if (inherits(value, "error")) return(problem(tr, call, "R says: ", conditionMessage(value)))
  known_value(value, if (!is.null(whole$label)) paste0(whole$label, deparse(call)))
}

# A captured vector at an index that depends on the point.
index_by_point <- function(tr, call, whole, index) {
  if (!is_number(whole) || length(index) != 1L)
    return(problem(tr, call, "an index that depends on the point needs a captured vector"))
  table <- table_new("index", y = as.double(whole$value))
  at <- value_nodes(tr, index[[1L]], call)
  label <- paste("index", if (is.null(whole$label)) deparse(call) else whole$label)
  node_value(vapply(at, function(a) node_special(tr, "LOOKUP", a, "tables", table, label), 0L))
}

translate_dollar <- function(tr, frame, call, entry) {
  whole <- translate(tr, frame, call[[2L]])
  if (!whole$known) return(problem(tr, call, "$ is for captured lists"))
  name <- if (is.symbol(call[[3L]])) as.character(call[[3L]]) else call[[3L]]
  known_value(whole$value[[name]], whole$label)
}

translate_bessel <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, c("x", "nu"))
  if (is.null(args)) return(unknown_value())
  order <- if (!is.null(args$nu)) known_number(args$nu)
  if (is.null(order) || !order %in% 0:1)
    return(problem(tr, call, as.character(call[[1L]]), "() has a translation for the orders 0 and 1 only"))
  elementwise_op(tr, call, args["x"], entry$op[order + 1L])
}
