# Argument triples (first argument, location, scale) on which the functions must
# behave as R's functions for the normal distribution do.
convention_cases <- function() {
  list(
    "scalars"                    = list(0.3, 0, 1),
    "lengths that do not divide" = list(c(0.1, 0.2, 0.3, 0.4, 0.5), 1:2, 1:3),
    "longest is the location"    = list(0.5, c(p = 1, q = 2, r = 3), 1),
    "longest is the scale"       = list(0.5, 0, c(p = 1, q = 2, r = 3)),
    "empty first"                = list(numeric(0), 1:3, 1),
    "empty matrix"               = list(matrix(numeric(0), 0, 3), 0, 1),
    "empty location"             = list(1:3 / 4, numeric(0), 1),
    "empty scale"                = list(1:3 / 4, 0, numeric(0)),
    "names"                      = list(c(a = 0.1, b = 0.2), 0, 1),
    "names of the first win"     = list(c(a = 0.1, b = 0.2), c(c = 1, d = 2), 1),
    "names of a shorter one"     = list(c(a = 0.1), 1:2, 1),
    "matrix"                     = list(matrix(1:6 / 10, 2, dimnames = list(c("u", "v"), NULL)), 0, 1),
    "matrix second"              = list(1:2 / 10, matrix(1:4, 2), 1),
    "array"                      = list(array(1:8 / 10, c(2, 2, 2)), 0, 1),
    "time series"                = list(ts(1:4 / 10, start = 2000, frequency = 4), 0, 1),
    "time series and matrix"     = list(ts(1:3 / 10), matrix(1:3, 1), 1),
    "class and attribute"        = list(structure(0.5, class = "length", foo = "bar"), 0, 1),
    "date"                       = list(structure(0.25, class = "Date"), 0, 1),
    "logical"                    = list(c(a = TRUE, b = FALSE, c = NA), 0, TRUE),
    "integer"                    = list(c(a = 0L, b = 1L, c = NA), 0L, 2L),
    "NA and NaN"                 = list(c(NA, NaN, 0.5), 0, 1),
    "NA in location"             = list(0.5, c(NA, NaN, 0), 1),
    "NA in scale"                = list(0.5, 0, c(NA, NaN, 1)),
    "bad scale"                  = list(c(0.2, 0.4), 0, c(-1, 1)),
    "bad scale, missing first"   = list(c(0.2, NaN, NA), 0, -1),
    "character"                  = list("0.5", 0, 1),
    "character location"         = list(0.5, "0", 1),
    "factor"                     = list(factor("a"), 0, 1),
    "list"                       = list(list(0.5), 0, 1),
    "NULL"                       = list(NULL, 0, 1),
    "complex"                    = list(0.5 + 0i, 0, 1),
    "empty and character"        = list(numeric(0), "a", 1)
  )
}

# Calls both functions with each case and compares everything except finite values.
expect_conventions <- function(stable_fun, normal_fun, cases, ...) {
  for (name in names(cases)) {
    case <- cases[[name]]
    ours <- outcome(stable_fun(case[[1]], 1, 0, gamma = case[[3]], delta = case[[2]], ...))
    base <- outcome(normal_fun(case[[1]], case[[2]], case[[3]], ...))
    expect_identical(conditionMessage_or_none(ours$error), conditionMessage_or_none(base$error),
                     info = name)
    expect_identical(ours$warnings, base$warnings, info = name)
    expect_identical(attributes(ours$value), attributes(base$value), info = name)
    expect_identical(typeof(ours$value), typeof(base$value), info = name)
    expect_identical(kind(ours$value), kind(base$value), info = name)
  }
}

conditionMessage_or_none <- function(error) {
  if (is.null(error)) NA_character_ else conditionMessage(error)
}
