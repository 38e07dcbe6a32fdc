test_that("errors and warnings name the user's call", {
  call_of <- function(expr) conditionCall(tryCatch(expr, condition = identity))
  expect_identical(call_of(dstable("a", 1, 0)), quote(dstable("a", 1, 0)))
  expect_identical(call_of(qstable(2, 1, 0)), quote(qstable(2, 1, 0)))
  expect_identical(call_of(pstable(0, 1, 0, pm = 7)), quote(pstable(0, 1, 0, pm = 7)))
  expect_identical(call_of(rstable(-1, 1, 0)), quote(rstable(-1, 1, 0)))
  expect_identical(call_of(stable_cf("a", 1, 0)), quote(stable_cf("a", 1, 0)))
  expect_identical(call_of(stable_cf(1, 3, 0)), quote(stable_cf(1, 3, 0)))
  expect_identical(call_of(stable_convert("a", 0)), quote(stable_convert("a", 0)))
  expect_identical(call_of(stable_convert(1, 0, to = 9)), quote(stable_convert(1, 0, to = 9)))
  expect_identical(call_of(stable_mode(1, 2)), quote(stable_mode(1, 2)))
})

test_that("failures of the compiled code are classed conditions", {
  user_function <- function() stablecl:::raise_status(1L, "no memory for 3 threads")
  failure <- tryCatch(user_function(), error = identity)
  expect_s3_class(failure, c("stablecl_error_memory", "stablecl_error", "error"))
  expect_identical(conditionMessage(failure), "No memory for 3 threads.")
  expect_identical(conditionCall(failure), quote(user_function()))
})

test_that("each exported function names its first missing argument, in a classed error with the user's call", {
  required <- function(f) names(Filter(function(default) identical(default, quote(expr = )), as.list(formals(f))))
  for (name in getNamespaceExports("stablecl")) {
    wanted <- setdiff(required(getExportedValue("stablecl", name)), "...")
    if (!length(wanted)) next
    call <- as.call(list(as.name(name)))
    failure <- suppressWarnings(tryCatch(eval(call), error = identity))
    expect_s3_class(failure, "stablecl_error_argument")
    expect_identical(conditionMessage(failure), sprintf("argument \"%s\" is missing, with no default", wanted[1L]))
    expect_identical(conditionCall(failure), call)
  }
  expect_error(stable_gof(1:9 / 3), "\"alpha\" is missing", class = "stablecl_error_argument")
  outer <- function(shape) dstable(0, shape, 0)
  expect_error(outer(), "\"alpha\" is missing", class = "stablecl_error_argument")
})
