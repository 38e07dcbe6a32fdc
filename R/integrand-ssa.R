# The SSA list (`ssa`) of a translation: nodes in the order of their computation.
#
# A node is an operation of src/integrand/operations.h on earlier nodes, a coordinate or parameter of the points
# (INPUT), a number written in the integrand (CONST), or a captured number (DATA), whose value is not part of the
# structure of the program.  Equal nodes are shared.  Nodes of one side of a branch are not shared outside it, as they
# may have been skipped; nodes that are the same for all points (`uniform`) are computed beforehand and shared
# everywhere.
#
# SKIP and LABEL enclose one side of a branch, which is skipped if SKIP's node is true at no point.  LOOP and LABEL
# enclose a loop (integrand-loop.R).  A LABEL is the negative number of the node that it closes.

translation <- function(dim, parameters) {
  tr <- new.env(parent = emptyenv())
  tr$store <- node_store()
  tr$scope <- tr$root <- new.env(parent = emptyenv())
  tr$mask <- NULL
  tr$dim <- as.integer(dim)
  tr$pointwise <- 0L                    # nesting depth of sapply() etc., in which the variable is a single number
  tr$parameters <- parameters
  tr$tables <- tr$laws <- tr$problems <- list()
  tr$depth <- tr$frames <- tr$steps <- tr$folds <- tr$quiet <- 0L
  tr$guard <- NULL
  tr$steady <- new.env(parent = emptyenv())
  tr
}

argument_rows <- 6L                     # of a distribution: point, index, four parameters

# Returns the store of nodes and SSA list, in growing vectors.  They are variables of a closure, in which R replaces
# elements without a copy.
node_store <- function() {
  op <- character(1024L)
  arg <- integer(argument_rows * 1024L)
  value <- numeric(1024L)
  uniform <- logical(1024L)
  sure <- integer(1024L)
  ssa <- integer(1024L)
  count <- length <- 0L
  append <- function(new_op, new_arg, new_value, new_uniform, new_sure) {
    n <- count <<- count + 1L
    op[n] <<- new_op
    arg[argument_rows * n] <<- 0L
    for (k in seq_along(new_arg)) arg[argument_rows * (n - 1L) + k] <<- new_arg[k]
    value[n] <<- new_value
    uniform[n] <<- new_uniform
    sure[n] <<- new_sure
    n
  }
  record <- function(item) {
    length <<- length + 1L
    ssa[length] <<- item
  }
  save <- function() {
    list(op = op, arg = arg, value = value, uniform = uniform, sure = sure, ssa = ssa, count = count,
         length = length)
  }
  restore <- function(saved) list2env(saved, environment(append))
  list(append = append, record = record, save = save, restore = restore, is_uniform = function(ids) uniform[ids],
       is_sure = function(ids) sure[ids], op_of = function(id) op[id], value_of = function(id) value[id],
       first_of = function(id) arg[argument_rows * (id - 1L) + 1L],
       all = function() {
         ids <- seq_len(count)
         list(op = op[ids], arg = matrix(arg[seq_len(argument_rows * count)], argument_rows), value = value[ids],
              uniform = uniform[ids], ssa = ssa[seq_len(length)], count = count, length = length)
       })
}

node_limit <- 50000L

node_append <- function(tr, op, arg, value, uniform) {
  n <- tr$store$append(op, arg, value, uniform, node_sure(tr, op, arg, value))
  if (n > node_limit) translation_stop(tr, "the integrand has more than ", node_limit, " operations")
  n
}

# Properties of the values of a node that are certain at finite points, as a sum of bits: never NaN, finite, not
# negative.
not_nan <- 1L
is_finite <- 2L
not_negative <- 4L

has_bits <- function(sure, bits) bitwAnd(sure, bits) == bits

node_sure <- function(tr, op, arg, value) {
  known <- tr$store$is_sure(arg)
  switch(EXPR = op,
    INPUT = if (value <= tr$dim) not_nan + is_finite else 0L,
    CONST = , DATA = number_sure(value),
    LOOP = not_nan + is_finite + not_negative,
    LT = , LE = , GT = , GE = , EQ = , NE = , XOR = , AND = , OR = , NOT =
      if (all(has_bits(known, not_nan))) not_nan + is_finite + not_negative else is_finite + not_negative,
    ISNAN = , ISFINITE = , ISINF = not_nan + is_finite + not_negative,
    NEG = , FLOOR = , CEILING = , TRUNC = , ROUND = , SIGN = bitwAnd(known, not_nan + is_finite),
    ABS = bitwOr(known, not_negative),
    COPY = known,
    ADD = sum_sure(known), SUB = bitwAnd(sum_sure(bitwAnd(known, not_nan + is_finite)), not_nan),
    MUL = product_sure(tr, arg, known),
    EXP = bitwAnd(known, not_nan) + not_negative,
    SIN = , COS = , ATAN = , TANH = if (all(has_bits(known, not_nan + is_finite))) not_nan + is_finite else 0L,
    SQRT = if (has_bits(known, not_nan + not_negative)) known else 0L,
    SELECT = if (has_bits(known[1L], not_nan)) bitwAnd(known[2L], known[3L]) else 0L,
    REQUIRE = if (has_bits(known[1L], not_nan)) known[2L] else 0L,
    MIN = , MAX = bitwAnd(known[1L], known[2L]),
    0L)
}

number_sure <- function(value) {
  if (is.nan(value) || is.na(value)) return(0L)
  not_nan + (if (is.finite(value)) is_finite else 0L) + (if (value >= 0) not_negative else 0L)
}

# A sum is NaN only for infinities of opposite signs, unless an argument is NaN.
sum_sure <- function(known) {
  sign <- bitwAnd(known[1L], bitwAnd(known[2L], not_negative))
  safe <- any(has_bits(known, not_nan + is_finite)) || sign > 0L
  (if (all(has_bits(known, not_nan)) && safe) not_nan else 0L) + sign
}

# A product is NaN only for zero times infinity, unless an argument is NaN.
product_sure <- function(tr, arg, known) {
  scaled <- tr$store$op_of(arg) == "CONST" & tr$store$value_of(arg) != 0
  square <- arg[1L] == arg[2L]
  safe <- all(has_bits(known, not_nan + is_finite)) || square ||
    any(scaled, na.rm = TRUE) && all(has_bits(known[which(scaled)], not_nan + is_finite))
  sign <- if (square || all(has_bits(known, not_negative))) not_negative else 0L
  (if (all(has_bits(known, not_nan)) && safe) not_nan else 0L) + sign
}

# Returns the node of an operation, or NA if an argument has no node because of a problem.
node <- function(tr, op, ...) node_of(tr, op, c(...))

node_of <- function(tr, op, arg) {
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
  node_find(tr, "CONST", integer(), value, TRUE, sprintf("CONST %a", value))
}

# `label` identifies the origin: captured numbers from different origins remain separate even if they are equal.
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
  node_find(tr, op, c(at, match(label, names(known)), with), 0, FALSE, paste(op, at, label))
}

# R refuses a condition that is NA: where the node `truth` is NaN, the value of the integrand is NaN, whatever follows.
# The guard is a node that is NaN at these points.  Conditions in templates, which R does not evaluate, are exempt.
require_known <- function(tr, truth) {
  if (tr$quiet > 0L || has_bits(tr$store$is_sure(truth), not_nan)) return()
  tr$guard <- if (is.null(tr$guard)) truth else node(tr, "REQUIRE", truth, tr$guard)
}

# Returns the node of the integrand's value, which is NaN where the guard is NaN.
guarded <- function(tr, id) {
  if (is.na(id) || is.null(tr$guard)) return(id)
  if (tr$store$op_of(id) == "SELECT" && tr$store$first_of(id) == tr$guard) return(id)
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
