# Operations without an R function, as functions of numbers.  In templates they become operations; elsewhere R calls
# them.

inner_operation <- function(name) {
  force(name)
  function(a, b = 0, c = 0) .Call(C_operation, match(name, operations()$name) - 1L, a, b, c)
}

op_erfc <- inner_operation("ERFC")
op_stirling <- inner_operation("STIRLING")
op_deviance <- inner_operation("DEVIANCE")
op_gamma_p <- inner_operation("GAMMA_P")
op_gamma_q <- inner_operation("GAMMA_Q")
op_gamma_lp <- inner_operation("GAMMA_LP")
op_gamma_lq <- inner_operation("GAMMA_LQ")
op_beta_p <- inner_operation("BETA_P")
op_beta_q <- inner_operation("BETA_Q")
op_beta_lp <- inner_operation("BETA_LP")
op_beta_lq <- inner_operation("BETA_LQ")

# Names and numbers of arguments of these operations.
inner_operations <- c(op_erfc = 1L, op_stirling = 1L, op_deviance = 2L, op_gamma_p = 2L, op_gamma_q = 2L,
                      op_gamma_lp = 2L, op_gamma_lq = 2L, op_beta_p = 3L, op_beta_q = 3L, op_beta_lp = 3L,
                      op_beta_lq = 3L)
