# The tape: nodes in the order in which they are computed.
#
# A node is an operation of src/core/ops.h on earlier nodes, a coordinate or parameter of the points (INPUT), a number
# written in the integrand (CONST), or one that was captured with it (DATA), whose value is no part of the form.
# Equal nodes are made once.  What is made for one side of a branch is not found outside of it, for it may have been
# skipped; nodes that are the same for all points (`uniform`) are computed beforehand and found everywhere.
#
# SKIP and LABEL enclose one side of a branch: where the truth value of SKIP's node holds for no point, it is
# left out.  LOOP and LABEL enclose a loop (translate-loop.R); a LABEL is the negative number of what it closes.

translation <- function(dim, parameters) {
  tr <- new.env(parent = emptyenv())
  tr$store <- node_store()
  tr$scope <- tr$root <- new.env(parent = emptyenv())
  tr$mask <- NULL
  tr$dim <- as.integer(dim)
  tr$pointwise <- 0L                    # within sapply() and the like, where the variable is a number
  tr$parameters <- parameters
  tr$tables <- tr$laws <- tr$problems <- list()
  tr$depth <- tr$frames <- 0L
  tr
}

argument_rows <- 6L                     # of a law: point, number, four parameters

# Nodes and tape, in vectors that grow: in variables of a closure, where an element is changed without a copy.
node_store <- function() {
  op <- character(1024L)
  arg <- integer(argument_rows * 1024L)
  value <- numeric(1024L)
  uniform <- logical(1024L)
  tape <- integer(1024L)
  count <- length <- 0L
  append <- function(new_op, new_arg, new_value, new_uniform) {
    n <- count <<- count + 1L
    op[n] <<- new_op
    arg[argument_rows * n] <<- 0L
    for (k in seq_along(new_arg)) arg[argument_rows * (n - 1L) + k] <<- new_arg[k]
    value[n] <<- new_value
    uniform[n] <<- new_uniform
    n
  }
  record <- function(item) {
    length <<- length + 1L
    tape[length] <<- item
  }
  save <- function() {
    list(op = op, arg = arg, value = value, uniform = uniform, tape = tape, count = count, length = length)
  }
  restore <- function(saved) list2env(saved, environment(append))
  list(append = append, record = record, save = save, restore = restore, is_uniform = function(ids) uniform[ids],
       all = function() {
         ids <- seq_len(count)
         list(op = op[ids], arg = matrix(arg[seq_len(argument_rows * count)], argument_rows), value = value[ids],
              uniform = uniform[ids], tape = tape[seq_len(length)], count = count, length = length)
       })
}

node_limit <- 200000L

node_append <- function(tr, op, arg, value, uniform) {
  n <- tr$store$append(op, arg, value, uniform)
  if (n > node_limit) translation_stop(tr, "the integrand has more than ", node_limit, " operations")
  n
}

# The node of an operation, or NA if an argument is a problem.
node <- function(tr, op, ...) {
  arg <- c(...)
  if (anyNA(arg)) return(NA_integer_)
  uniform <- all(tr$store$is_uniform(arg)) && !op %in% numbered
  node_find(tr, op, arg, 0, uniform, paste(c(op, arg), collapse = " "))
}

node_find <- function(tr, op, arg, value, uniform, key) {
  found <- get0(key, envir = tr$scope)
  if (!is.null(found)) return(found)
  id <- node_append(tr, op, arg, value, uniform)
  assign(key, id, envir = if (uniform) tr$root else tr$scope)
  if (!uniform) tr$store$record(id)
  id
}

node_const <- function(tr, value) {
  node_find(tr, "CONST", integer(), value, TRUE, paste("CONST", format(value, digits = 17L)))
}

# `label` names the origin: two captured numbers that are equal today are two all the same.
node_data <- function(tr, value, label) {
  node_find(tr, "DATA", integer(), value, TRUE, paste("DATA", label))
}

node_input <- function(tr, k) {
  key <- paste("INPUT", k)
  found <- get0(key, envir = tr$root)
  if (!is.null(found)) return(found)
  id <- node_append(tr, "INPUT", integer(), k, FALSE)
  assign(key, id, envir = tr$root)
  id
}

# A table or a law at node `at`; `what` is stored once for each label.  `with`: the nodes of a law's parameters.
node_special <- function(tr, op, at, kept, what, label, with = integer()) {
  if (is.na(at)) return(NA_integer_)
  known <- tr[[kept]]
  if (is.null(known[[label]])) {
    known[[label]] <- what
    tr[[kept]] <- known
  }
  node_find(tr, op, c(at, match(label, names(known)), with), 0, FALSE, paste(op, at, label))
}

# Runs `side` as one side of a branch on the condition `truth`, a node.
tape_side <- function(tr, truth, side) {
  outer_mask <- tr$mask
  tr$mask <- if (is.null(outer_mask)) truth else node(tr, "AND", outer_mask, truth)
  open <- node_append(tr, "SKIP", tr$mask, 0, FALSE)
  tr$store$record(open)
  tr$scope <- new.env(parent = tr$scope)
  on.exit({
    tr$scope <- parent.env(tr$scope)
    tr$mask <- outer_mask
    tr$store$record(-open)
  })
  side()
}
