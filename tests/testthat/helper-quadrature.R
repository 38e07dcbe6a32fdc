# Integrals of programs written by hand instead of by the translator, computed on the CPU or a device.

run_integrals <- function(program, lower, upper, params = list(), backend = "cpu",
                          tolerance = list(rel.tol = 1e-8, abs.tol = 0, max.eval = 1e6), breaks = double(),
                          tanhsinh = FALSE) {
  n <- max(lengths(c(list(lower, upper), params)))
  state <- c(list(progress = NULL), .Call(stablecl:::C_integrals, n))
  problem <- integral_problem(program, lower, upper, lapply(params, as.double), tolerance, breaks)
  .Call(stablecl:::C_integrate, state, problem, if (tanhsinh) "tanhsinh" else "gk", backend)
  .Call(stablecl:::C_finalise, state, stablecl:::integral_statuses())
  state
}

# Returns the problem of an integrand over one axis as gintegrate() hands it to the compiled code.
integral_problem <- function(integrand, lower, upper, columns, tolerance, breaks = double()) {
  list(integrand = integrand, lower = list(as.double(lower)), upper = list(as.double(upper)), columns = columns,
       breaks = breaks, tolerance = tolerance, options = list())
}

# Instructions are rows (name, r, a, b, c); negative operands denote constants: -1 is the first of `constants`.
program_of <- function(..., inputs, constants = double(), tables = list(), prelude = integer(), registers = NULL,
                       result = NULL) {
  ops <- .Call(stablecl:::C_operations)
  rows <- list(...)
  code <- unlist(lapply(rows, function(row) {
    c(match(row[[1L]], ops$name) - 1L, as.integer(unlist(row[-1L])), rep(0L, 5L - length(row)))
  }))
  written <- vapply(rows, function(row) as.integer(row[[2L]]), 0L)
  list(code = as.integer(code), registers = if (is.null(registers)) max(written, inputs - 1L) + 1L else registers,
       result = if (is.null(result)) written[length(written)] else result, inputs = as.integer(inputs),
       constants = as.double(constants), prelude = prelude, tables = tables, laws = list(), work = ...length())
}

# Expects equal status and evaluations on both backends, and values whose relative difference is at most `tolerance`.
expect_same_integrals <- function(device, cpu, tolerance = 1e-13, label = NULL, evaluations = TRUE) {
  expect_identical(device$status, cpu$status, label = label)
  if (evaluations) expect_equal(device$evaluations, cpu$evaluations, label = label)
  same <- is.na(device$value) & is.na(cpu$value) | device$value == cpu$value
  apart <- abs(device$value - cpu$value) / pmax(abs(cpu$value), 1e-300)
  apart[!is.na(same) & same] <- 0
  expect_lte(max(apart), tolerance, label = label)
}

on_both <- function(f, lower, upper, ..., method = "gk") {
  suppressWarnings(lapply(c(device = "opencl", cpu = "cpu"), function(backend) {
    r <- gintegrate(f, lower, upper, ..., method = method, backend = backend)
    expect_equal(r$backend, if (backend == "cpu") "threads" else "opencl")
    unclass(r)
  }))
}

# evaluations: FALSE for integrands next to whose singular or narrow features the CPU tries to extrapolate, and devices
# do not.
expect_both_same <- function(f, lower, upper, ..., tolerance = 1e-13, evaluations = TRUE) {
  both <- on_both(f, lower, upper, ...)
  label <- paste(deparse(f), collapse = " ")
  expect_same_integrals(both$device, both$cpu, tolerance, label, evaluations)
  ordinary <- is.finite(both$cpu$abs.error)
  expect_identical(is.finite(both$device$abs.error), ordinary, label = label)
  apart <- abs(both$device$abs.error - both$cpu$abs.error) - 0.01 * both$cpu$abs.error - 1e-16 * abs(both$cpu$value)
  expect_lte(max(0, apart[ordinary]), 0, label = label)
  invisible(both$device)
}
