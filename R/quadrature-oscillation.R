# The stage of "auto" for integrands g(x) cos(w x) or g(x) sin(w x) over infinite ranges: if their translation shows the
# frequency w, and bisection does not converge soon, the method "fourier" computes them.

bisected_first <- 1000                  # evaluations of bisection before the method "fourier" is tried
fourier_most <- 5000                    # evaluations of the latter: about 2600 for as many as eight changes of M

# Returns NULL unless the translated integrand of a problem over one axis oscillates with a known frequency, and limits
# are infinite; otherwise the problem of the method "fourier" and the numbers of the integrals that it may compute.
oscillation_of <- function(p, n) {
  if (!is.list(p$integrand) || length(p$breaks)) return(NULL)
  infinite <- is.infinite(p$lower[[1L]]) | is.infinite(p$upper[[1L]])
  if (!any(infinite)) return(NULL)
  wave <- wave_of(p$integrand, p$columns)
  if (is.null(wave)) return(NULL)
  rows <- which(rep_len(infinite, n) & rep_len(is.finite(wave$omega) & wave$omega != 0, n))
  weight <- match(wave$weight, method_options()$weight$choices) - 1
  p$options <- list(omega = wave$omega, weight = weight)
  p$integrand <- divided_by_wave(p$integrand, wave$at)
  p$tolerance$max.eval <- min(p$tolerance$max.eval, fourier_most)
  if (length(rows)) list(problem = p, rows = rows)
}

# Runs a few bisections, then the method "fourier" for integrals that have not converged, and all bisections that are
# allowed for the rest.
run_oscillating <- function(p, found, n, backend) {
  first <- p
  first$tolerance$max.eval <- min(p$tolerance$max.eval, bisected_first)
  state <- with_stage(run_gk(first, n, backend), "gk")
  again <- intersect(found$rows, .Call(C_unfinished, state$status))
  if (any(state$status == not_done())) return(state)
  if (length(again)) {
    others <- pick_integrals(found$problem, again)
    other <- with_final_statuses(run_once(others, "fourier", length(again), backend), others, "fourier")
    other$error[other$status != 0L] <- Inf
    other <- without_contradictions(other, state, again)
    state <- better_of(with_stage(state, "fourier", other), again, other)
  }
  left <- .Call(C_unfinished, state$status)
  if (!length(left) || any(state$status == not_done())) return(state)
  other <- run_bisecting(pick_integrals(p, left), length(left), backend)
  state$stages <- c(state$stages, other$stages)
  state[c("error", "status")] <- list(replace(state$error, left, Inf), replace(state$status, left, other$status))
  better_of(state, left, other)         # the status is that of all bisections, also if they found no error
}

# --- the frequency ------------------------------------------------------------------------

wave_functions <- c(SIN = "sin", COS = "cos", SINPI = "sin", COSPI = "cos")

# Returns the function that a program computes of a multiple of x, "sin" or "cos", the frequency (of each integral, if
# it depends on parameters) and the number of the first such instruction; NULL if there is none, or several.
wave_of <- function(program, columns) {
  code <- matrix(program$code, 5L)
  name <- operations()$name[code[1L, ] + 1L]
  waves <- which(name %in% names(wave_functions))
  if (!length(waves) || any(name %in% jump_operations)) return(NULL)
  lines <- lines_of(program, columns)
  slopes <- lapply(waves, function(k) {
    line <- lines[[k]]
    if (is.null(line) || !all(line$intercept == 0) || all(line$slope == 0)) return(NULL)
    line$slope * if (name[k] %in% c("SINPI", "COSPI")) pi else 1
  })
  known <- lengths(slopes) > 0L
  weight <- unique(wave_functions[name[waves[known]]])
  if (length(weight) != 1L || length(unique(slopes[known])) > 1L) return(NULL)
  list(weight = weight, omega = slopes[known][[1L]], at = waves[known][1L])
}

comparisons <- c("LT", "LE", "GT", "GE", "EQ", "NE", "MIN", "MAX")

# Returns for each instruction of a program the intercept and the slope of its first operand, and of the difference of
# both operands for comparisons, minima and maxima; NULL if it is not known to be a linear function of x.  All
# instructions are assumed to be executed once.
lines_of <- function(program, columns) {
  known <- list()
  constants <- vector("list", length(program$constants))
  derived <- matrix(program$prelude, 5L)
  given <- length(constants) - ncol(derived)
  constants[seq_len(given)] <- lapply(program$constants[seq_len(given)], line, 0)
  registers <- c(list(line(0, 1)), lapply(columns, line, 0), vector("list", program$registers))
  of <- function(at) if (at < 0L) constants[[-at]] else registers[[at + 1L]]
  name <- operations()$name
  result <- function(i) line_of(name[i[1L] + 1L], of(i[3L]), of(i[4L]))
  for (k in seq_len(ncol(derived))) constants[derived[2L, k] + 1L] <- list(result(derived[, k]))
  code <- matrix(program$code, 5L)
  for (k in which(!name[code[1L, ] + 1L] %in% jump_operations)) {
    compares <- name[code[1L, k] + 1L] %in% comparisons
    known[k] <- list(if (compares) line_of("SUB", of(code[3L, k]), of(code[4L, k])) else of(code[3L, k]))
    registers[code[2L, k] + 1L] <- list(result(code[, k]))
  }
  known
}

line <- function(intercept, slope) list(intercept = intercept, slope = slope)

# Returns the result of an operation on linear functions; NULL if it is not known to be one.
line_of <- function(name, a, b) {
  if (is.null(a)) return(NULL)
  if (name == "NEG") return(line(-a$intercept, -a$slope))
  if (name == "COPY") return(a)
  if (is.null(b)) return(NULL)
  is_number <- all(b$slope == 0)
  switch(name,
         ADD = line(a$intercept + b$intercept, a$slope + b$slope),
         SUB = line(a$intercept - b$intercept, a$slope - b$slope),
         MUL = if (is_number) line(a$intercept * b$intercept, a$slope * b$intercept)
               else if (all(a$slope == 0)) line(a$intercept * b$intercept, a$intercept * b$slope),
         DIV = if (is_number) line(a$intercept / b$intercept, a$slope / b$intercept))
}

# Returns a program without jumps whose value is divided by the result of instruction number `at`; it is 0 where that is
# 0, as cospi(x) is at points next to which the rule's factor is below rounding.
divided_by_wave <- function(program, at) {
  out <- program_writer(program, program$registers)
  code <- matrix(program$code, 5L)
  wave <- out$emit("COPY", code[2L, at])
  copy <- out$code()
  zero <- out$constant(0)
  program$result <- out$emit("SELECT", wave, out$emit("DIV", program$result, wave), zero)
  program$code <- c(code[, seq_len(at)], copy, code[, -seq_len(at)], out$code()[-seq_along(copy)])
  program$constants <- out$constants()
  program$registers <- out$registers()
  program$work <- operations_of(program$code)
  program
}
