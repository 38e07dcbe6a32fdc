# From the SSA list (`ssa`) to the program that src/integrand/program.h describes: nodes that are not needed are
# dropped, and each value is assigned a register from its first to its last use.

program_assemble <- function(tr, result) {
  list2env(tr$store$all(), tr)
  arity <- arity_of(tr$op)
  arg <- lapply(seq_len(tr$count), function(id) tr$arg[seq_len(arity[id]), id])
  live <- live_nodes(tr, arg, result)
  slots <- assign_slots(tr, live$node)
  code <- assign_registers(tr, live, arg, slots, result)
  uniform <- which(live$node & tr$uniform)
  computed <- uniform[!tr$op[uniform] %in% c("CONST", "DATA")]
  prelude <- vapply(computed, function(id) instruction(tr$op[id], slots[id] - 1L, -slots[arg[[id]]]), integer(5L))
  values <- double(length(uniform))
  values[slots[uniform]] <- tr$value[uniform]
  laws <- lapply(unname(tr$laws), function(law) {
    law$operand <- vapply(law$slot, code$operand, 0L)
    law$slot <- if (all(tr$uniform[law$slot])) slots[law$slot] - 1L else rep(-1L, 4L)
    law
  })
  c(code[c("code", "registers", "result")], list(inputs = tr$dim + length(tr$parameters), slots = values,
               captured = slots[uniform][tr$op[uniform] == "DATA"], prelude = as.integer(prelude),
               tables = unname(tr$tables), laws = laws))
}

# Returns the numbers of arguments.  Tables and distributions have their index as second argument; the parameters of a
# distribution follow.
arity_of <- function(op) {
  ops <- operations()
  arity <- c(ops$arity, 0L)[match(op, ops$name, nomatch = length(ops$name) + 1L)]
  ifelse(op %in% names(apart_arity), apart_arity[op], arity + (op %in% numbered) + 4L * (op == "STABLE"))
}

# MOVE is a COPY to a register that is already assigned.
apart_arity <- c(LOOP = 0L, CARRY = 0L, MOVE = 2L)

numbered <- c("LOOKUP", "STABLE")

instruction <- function(op, r, args) {
  code <- match(op, operations()$name) - 1L
  as.integer(c(code, r, args, rep(0L, 3L - length(args))))
}

# Sides of branches with fewer operations than this are always computed.
skip_worth <- 3L

# Returns the nodes, and the entries of the SSA list, that are needed.
live_nodes <- function(tr, arg, result) {
  needed <- logical(tr$count)
  needed[result] <- TRUE
  keep <- logical(tr$length)
  weight <- 0L
  stack <- labels <- integer()
  for (k in rev(seq_len(tr$length))) {
    item <- tr$ssa[k]
    if (tr$op[abs(item)] %in% c("LOOP", "MOVE")) {
      keep[k] <- TRUE
      if (item > 0L) needed[arg[[item]]] <- TRUE
      weight <- weight + skip_worth
    } else if (item < 0L) {
      stack <- c(weight, stack)
      labels <- c(k, labels)
      weight <- 0L
    } else if (tr$op[item] == "SKIP") {
      if (weight >= skip_worth) {
        keep[c(k, labels[1L])] <- TRUE
        needed[arg[[item]]] <- TRUE
      }
      weight <- weight + stack[1L]
      stack <- stack[-1L]
      labels <- labels[-1L]
    } else if (needed[item]) {
      keep[k] <- TRUE
      needed[arg[[item]][node_arguments(tr$op[item], arg[[item]])]] <- TRUE
      weight <- weight + 1L
    }
  }
  for (id in rev(which(tr$uniform))) if (needed[id]) needed[arg[[id]]] <- TRUE
  list(node = needed, ssa = keep)
}

# Returns the positions of the arguments that are nodes.
node_arguments <- function(op, args) if (op %in% numbered) seq_along(args)[-2L] else seq_along(args)

# Returns positions in the constant pool: first constants and captured numbers, then values computed from them, in the
# order of the SSA list.
assign_slots <- function(tr, needed) {
  uniform <- which(needed & tr$uniform)
  first <- tr$op[uniform] %in% c("CONST", "DATA")
  slots <- integer(tr$count)
  slots[c(uniform[first], uniform[!first])] <- seq_along(uniform)
  slots
}

last_uses <- function(tr, arg, items, result) {
  last <- integer(tr$count)
  for (k in seq_along(items)) {
    item <- items[k]
    if (item > 0L) last[arg[[item]][node_arguments(tr$op[item], arg[[item]])]] <- k
  }
  last[result] <- length(items) + 1L
  keep_through_loops(tr, items, last)
}

# Extends the lifetime of a loop variable, and of values from before the loop, to the end of the loop if a pass needs
# them.
keep_through_loops <- function(tr, items, last) {
  made <- integer(tr$count)
  for (k in seq_along(items)) {
    item <- items[k]
    if (item < 0L) next
    if (tr$op[item] == "MOVE") item <- tr$arg[1L, item]
    if (made[item] == 0L) made[item] <- k
  }
  for (end in which(items < 0L)) {
    if (tr$op[-items[end]] != "LOOP") next
    begin <- match(-items[end], items)
    through <- made <= begin & last > begin & last < end
    last[through] <- end
    last[-items[end]] <- max(last[-items[end]], end)
  }
  last
}

# Assigns registers.  A register is free after the last use of its value; the result of an operation never shares a
# register with an argument.
assign_registers <- function(tr, live, arg, slots, result) {
  items <- tr$ssa[live$ssa]
  last <- last_uses(tr, arg, items, result)
  inputs <- tr$dim + length(tr$parameters)
  register <- rep(-1L, tr$count)
  input <- which(tr$op == "INPUT")
  register[input] <- as.integer(tr$value[input]) - 1L
  operand <- function(id) if (tr$uniform[id]) -slots[id] else register[id]
  free <- integer()
  used <- inputs
  take <- function(id) {
    if (register[id] >= 0L) return(register[id])
    if (length(free)) {
      r <- free[1L]
      free <<- free[-1L]
    } else {
      r <- used
      used <<- used + 1L
    }
    register[id] <<- r
  }
  code <- vector("list", length(items))
  count <- 0L
  opened <- list()
  for (k in seq_along(items)) {
    item <- items[k]
    op <- tr$op[abs(item)]
    from <- if (item < 0L) opened[[as.character(-item)]]
    if (item < 0L && op == "SKIP") {
      code[[from]][4L] <- count
      next
    }
    args <- if (item > 0L) arg[[item]]
    count <- count + 1L
    if (item < 0L) {                                    # the end of a loop
      code[[from]][4L] <- count - 1L
      code[[count]] <- instruction("NEXT", register[-item], c(0L, from - 1L, as.integer(tr$value[-item])))
      args <- which(last == k)
    } else if (op == "SKIP") {
      opened[[as.character(item)]] <- count
      code[[count]] <- instruction(op, 0L, operand(args))
    } else if (op == "LOOP") {
      opened[[as.character(item)]] <- count
      code[[count]] <- instruction(op, take(item), c(0L, 0L, as.integer(tr$value[item])))
    } else if (op == "MOVE") {
      code[[count]] <- instruction("COPY", take(args[1L]), operand(args[2L]))
    } else {
      nodes <- args[node_arguments(op, args)]
      at <- vapply(nodes, operand, 0L)
      code[[count]] <- instruction(op, take(item), if (op %in% numbered) c(at[1L], args[2L] - 1L) else at)
      args <- nodes
    }
    done <- unique(args[last[args] == k & !tr$uniform[args] & tr$op[args] != "INPUT" & register[args] >= 0L])
    free <- c(register[done], free)
  }
  list(code = as.integer(unlist(code[seq_len(count)])), registers = max(used, 1L), result = operand(result),
       operand = operand)
}

# Returns the number of operations of a program at one point.
program_work <- function(program) {
  code <- matrix(program$code, 5L)
  ops <- operations()$name
  loops <- which(code[1L, ] %in% (match(c("LOOP", "NEXT"), ops) - 1L))
  if (!length(loops)) return(ncol(code))
  work <- 0
  passes <- 1
  last <- 0L
  for (k in loops) {
    work <- work + passes * (k - last)
    last <- k
    passes <- if (ops[code[1L, k] + 1L] == "LOOP") passes * code[5L, k] else passes / code[5L, k]
  }
  work + ncol(code) - last
}
