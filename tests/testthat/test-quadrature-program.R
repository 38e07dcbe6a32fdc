# Programs are R objects that users can change: the compiled code rejects programs that it cannot run, and never
# crashes or hangs.

# Returns all programs in which one number of `program` is replaced by one of `values`; of each vector, only the first
# 80 and the last 3 numbers are replaced.
damaged_programs <- function(program, values) {
  out <- list()
  visit <- function(path) {
    part <- if (length(path)) program[[path]] else program
    if (is.list(part)) for (k in seq_along(part)) visit(c(path, k))
    else for (k in unique(c(head(seq_along(part), 80L), tail(seq_along(part), 3L)))) for (v in values) {
      if (!is.numeric(part) && !is.logical(part)) next
      other <- part
      other[k] <- methods::as(v, typeof(part))
      if (identical(other, part)) next
      bad <- program
      bad[[path]] <- other
      out[[length(out) + 1L]] <<- bad
    }
  }
  visit(integer())
  out
}

damages <- c(-2147483647, -1000, -1, 0, 1, 2, 3, 7, 1000, 65536, 2147483647, NA)

programs <- list(
  arithmetic = function(x, a) if (x > a) exp(-a * x) / (1 + x^2) else sin(x) + a,
  loop = function(x, a) { s <- 0; for (i in 1:3) for (j in 1:2) s <- s + cos(i * x) / j + a; s },
  lookup = local({ g <- splinefun(0:4, c(1, 3, 2, 4, 1)); h <- approxfun(0:3, c(1, 2, 0, 1)); tab <- c(1, 5, 2)
    function(x, a) g(x) + h(x) + tab[1 + (x > a)] }),
  law = function(x, a) dstable(x, 1.5, 0.3, 1, a))

test_that("a program with any number damaged is rejected or computed", {
  for (name in names(programs)) {
    made <- gtranslate(programs[[name]], params = "a")
    expect_true(is.finite(gintegrate(made, 0, 2, params = data.frame(a = 0.7))$value))
    ends <- vapply(damaged_programs(made$program, damages), function(program) {
      bad <- made
      bad$program <- program
      r <- tryCatch(suppressWarnings(gintegrate(bad, 0, 2, params = data.frame(a = 0.7), max.eval = 500,
                                                rel.tol = 1e-2)), error = identity)
      if (inherits(r, "gintegral")) "value" else if (inherits(r, "stablecl_error_unsupported")) "refused"
      else paste(class(r)[1L], conditionMessage(r))
    }, "")
    expect_identical(setdiff(ends, c("value", "refused")), character(), label = name)
    expect_gt(sum(ends == "refused"), 10)
  }
})

test_that("incomplete programs, and programs with more registers than instructions, are rejected", {
  made <- gtranslate(function(x) exp(x))
  run <- function(change) {
    made$program[names(change)] <- change
    gintegrate(made, 0, 1)
  }
  for (change in list(list(registers = 2^31 - 1), list(registers = -1L), list(registers = "a"), list(inputs = 3L),
                      list(inputs = NULL), list(code = 1.5), list(code = NULL), list(constants = "b"), list(laws = 1),
                      list(tables = list(1)), list(tables = list(list())), list(result = 1e6), list(result = NA)))
    expect_error(run(change), class = "stablecl_error")
})

test_that("only the loop may change its counter", {
  # r1 = 0; for r2 in 1:3 r2 = COPY r1: without the check this loop is endless
  endless <- program_of(list("LOOP", 1, 0, 2, 3), list("COPY", 1, 0), list("NEXT", 1, 0, 0, 3), inputs = 1L)
  expect_error(run_integrals(endless, 0, 1), "invalid")
  crossed <- program_of(list("LOOP", 1, 0, 2, 3), list("LOOP", 2, 0, 3, 3), list("NEXT", 1, 0, 0, 3),
                        list("NEXT", 2, 0, 1, 3), inputs = 1L)
  expect_error(run_integrals(crossed, 0, 1), "invalid")
})

test_that("values of a program need one column per input, all of one length", {
  made <- gtranslate(function(x, y) x * y)
  values <- function(inputs) .Call(stablecl:::C_values, made$program, inputs)
  expect_equal(values(list(c(1, 2), c(3, 4))), c(3, 8))
  for (bad in list(list(1), list(1, c(1, 2)), list(1, 2, 3), list())) expect_error(values(bad), "invalid")
})
