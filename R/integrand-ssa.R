# The state of a translation, with its list of nodes, which src/integrand/ssa.h describes and src/r_nodes.c holds.

# tr$nodes is the handle of the list, which translate_integrand() releases.  The compiled code uses tr$unfoldable and
# calls functions of tr$space.
translation <- function(dim, parameters) {
  tr <- new.env(parent = emptyenv())
  tr$nodes <- .Call(C_nodes, dim, node_limit, step_limit)
  tr$mask <- NULL
  tr$dim <- as.integer(dim)
  tr$pointwise <- 0L                    # nesting depth of sapply() etc., in which the variable is a single number
  tr$parameters <- parameters
  tr$tables <- tr$laws <- tr$problems <- tr$ranges <- list()      # ranges: those known to index_range()
  tr$depth <- tr$frames <- tr$folds <- tr$quiet <- 0L
  tr$guard <- tr$required <- NULL
  tr$steady <- new.env(parent = emptyenv())
  tr$unfoldable <- unfoldable
  tr$space <- topenv()
  tr
}

node_limit <- 50000L

# Returns `id`, the newest node, unless there are too many.
limited <- function(tr, id) {
  if (!is.na(id) && id > node_limit) stop_at_nodes(tr)
  id
}

stop_at_nodes <- function(tr, ...) {
  translation_stop(tr, "the integrand has more than ", node_limit, " operations")
}

# Appends a node that is never shared with equal nodes.
node_append <- function(tr, op, arg = integer(), value = 0, listed = TRUE) {
  limited(tr, .Call(C_node_append, tr$nodes, op, arg, value, listed))
}

# TRUE if the values of a node are not NaN at any finite point.
is_never_nan <- function(tr, id) .Call(C_is_never_nan, tr$nodes, id)

# Returns the node of an operation, or NA if an argument has no node because of a problem.
node <- function(tr, op, ...) limited(tr, .Call(C_node, tr$nodes, op, c(...)))

node_of <- function(tr, op, arg) limited(tr, .Call(C_node, tr$nodes, op, arg))

# Returns the nodes of an operation on each element of vectors of nodes.
each_node <- function(tr, op, ...) {
  made <- .Call(C_node, tr$nodes, op, rbind(...))
  limited(tr, max(0L, made, na.rm = TRUE))
  made
}

node_const <- function(tr, value) limited(tr, .Call(C_node_leaf, tr$nodes, "CONST", value))

# `label` identifies the origin: captured numbers from different origins remain separate even if they are equal.
node_data <- function(tr, value, label) limited(tr, .Call(C_node_data, tr$nodes, value, label))

node_input <- function(tr, k) .Call(C_node_leaf, tr$nodes, "INPUT", k)

# Returns the node of a table or a distribution at node `at`.  `what` is stored once for each label; a label that
# already belongs to another object is modified.  `with`: the nodes of a distribution's parameters.
node_special <- function(tr, op, at, field, what, label, with = integer()) {
  if (is.na(at)) return(NA_integer_)
  known <- tr[[field]]
  while (!is.null(known[[label]]) && !identical(known[[label]], what)) label <- paste0(label, "'")
  if (is.null(known[[label]])) {
    known[[label]] <- what
    tr[[field]] <- known
  }
  node_of(tr, op, c(at, match(label, names(known)), with))
}

# R refuses a condition that is NA: where the node `truth` is NaN, the value of the integrand is NaN, whatever follows.
# The guard is a node that is NaN at these points; tr$required holds the conditions that it contains.  Conditions in
# templates, which R does not evaluate, are exempt.
require_known <- function(tr, truth) {
  if (tr$quiet > 0L || is_never_nan(tr, truth)) return()
  known <- if (identical(tr$required$guard, tr$guard)) tr$required$truths
  if (truth %in% known) return()
  tr$guard <- if (is.null(tr$guard)) truth else node(tr, "REQUIRE", truth, tr$guard)
  tr$required <- list(guard = tr$guard, truths = c(known, truth))
}

# Returns the node of the integrand's value, which is NaN where the guard is NaN.
guarded <- function(tr, id) {
  if (is.na(id) || is.null(tr$guard)) return(id)
  parts <- .Call(C_node_parts, tr$nodes, id)
  if (parts$op == "SELECT" && parts$arg[1L] == tr$guard) return(id)
  node(tr, "REQUIRE", tr$guard, id)
}

# Returns the guard after a branch: `yes` where `truth` holds, otherwise `no`.
merge_guards <- function(tr, truth, yes, no) {
  if (identical(yes, no)) return(yes)
  none <- node_const(tr, 0)
  node(tr, "SELECT", truth, if (is.null(yes)) none else yes, if (is.null(no)) none else no)
}

# Translates `side` as one side of a branch on the condition `truth`, a node.
branch_side <- function(tr, truth, side) {
  outer_mask <- tr$mask
  tr$mask <- if (is.null(outer_mask)) truth else node(tr, "AND", outer_mask, truth)
  open <- node_append(tr, "SKIP", tr$mask)
  scope <- .Call(C_scope_open, tr$nodes)
  on.exit({
    .Call(C_scope_close, tr$nodes, scope)
    tr$mask <- outer_mask
    .Call(C_node_close, tr$nodes, open)
  })
  side()
}
