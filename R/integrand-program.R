# The program of a translation, as src/integrand/program.h describes it.

# Returns the program for the nodes of the result.
program_assemble <- function(tr, result) {
  inputs <- tr$dim + length(tr$parameters)
  made <- .Call(C_assemble, tr$nodes, as.integer(result), inputs)
  laws <- lapply(unname(tr$laws), function(law) {
    uniform <- all(vapply(law$constant, function(id) .Call(C_node_uniform, tr$nodes, id), NA))
    law$operand <- made$operand[law$constant]
    law$constant <- if (uniform) ifelse(law$operand < 0L, -1L - law$operand, -1L) else rep(-1L, 4L)
    law
  })
  c(made[c("code", "registers", "result")], list(inputs = inputs), made[c("constants", "captured", "prelude")],
    list(tables = unname(tr$tables), laws = laws, work = operations_of(made$code)))
}

numbered <- c("LOOKUP", "STABLE")

# Returns the number of operations of a program at one point.
operations_of <- function(code) {
  code <- matrix(code, 5L)
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
