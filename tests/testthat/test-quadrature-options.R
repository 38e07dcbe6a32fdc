# The options of gintegrate(control = ): the table of methods in C determines names, defaults, checks and manual.

f <- function(x) exp(-x^2)
line <- function(...) suppressWarnings(gintegrate(f, 0, 1, ...))
results <- function(r) unclass(r)[c("value", "abs.error", "evaluations", "status")]
refused <- function(what, ...) expect_error(gintegrate(f, 0, 1, ...), what, class = "stablecl_error_argument")

valid <- list(forward = list(h_min = 1e-3, h_max = 1e-2), blockcut = list(expand = "log", variant = "SCAQ", cells = 16),
              vegas = list(symmetric = TRUE, seed = 7), lattice = list(symmetric = TRUE, seed = 7))

# Options that were never arguments.
newer <- list(forward = list(blocks = 3),
              vegas = list(adjust = 3, bins = 64, precision = "single", iterations = 12, samples.per.cube = 8),
              lattice = list(adjust = 3, bins = 64, precision = "single"))

test_that("each option is accepted by name and has an effect", {
  for (method in names(valid)) {
    given <- c(valid[[method]], newer[[method]])
    r <- line(method = method, rel.tol = 1e-3, control = given)
    expect_named(r$problem$options, names(given))
    if (method != "lattice") expect_false(r$evaluations == line(method = method, rel.tol = 1e-3)$evaluations &&
                                            r$value == line(method = method, rel.tol = 1e-3)$value, label = method)
  }
  options <- Filter(function(option) option$kind != "key", stablecl:::method_options())
  # Those of "fourier" are in test-quadrature-fourier.R.
  expect_setequal(names(options), c("omega", "weight", unlist(lapply(c(valid, newer), names))))
})

test_that("NULL and the defaults of the table are the same as no option", {
  defaults <- lapply(stablecl:::integral_methods()$options, function(options) {
    lapply(Filter(function(option) option$kind != "key", options), function(option) option$default)
  })
  expect_identical(defaults$forward, list(h_min = NULL, h_max = NULL, blocks = 1))
  expect_identical(defaults$blockcut, list(expand = "always", variant = "PBCAQ", cells = 2048))
  expect_identical(defaults$vegas, c(list(symmetric = FALSE, seed = NULL, adjust = NULL, bins = NULL),
                                     list(precision = "double", iterations = NULL, samples.per.cube = NULL)))
  for (method in c("forward", "blockcut")) {
    right <- results(line(method = method, rel.tol = 1e-3))
    expect_identical(results(line(method = method, rel.tol = 1e-3, control = defaults[[method]])), right)
    none <- lapply(defaults[[method]], function(default) NULL)
    expect_identical(results(line(method = method, rel.tol = 1e-3, control = none)), right)
  }
  expect_identical(results(line(method = "forward", control = list(h_min = 1/100, h_max = 1/20))),
                   results(line(method = "forward")))
})

test_that("the manual states the options and defaults of the table", {
  lines <- strsplit(paste(as.character(tools::Rd_db("stablecl")[["gintegrate-control.Rd"]]), collapse = ""), "\n")[[1L]]
  options <- Filter(function(option) option$kind != "key", stablecl:::method_options())
  for (name in names(options)) {
    item <- grep(paste0("\\item{\\code{", name, "}}"), lines, fixed = TRUE, value = TRUE)
    expect_length(item, 1L)
    default <- options[[name]]$default
    stated <- if (is.null(default)) "by default" else if (is.na(default)) "Required."
              else paste0("Default: \\code{", deparse(default), "}")
    expect_match(item, stated, fixed = TRUE, info = name)
  }
})

test_that("unknown and invalid elements of control are refused", {
  refused("unknown element \"h_mn\"; did you mean `h_min`", control = list(h_mn = 1))
  refused("unknown element \"colour\"; the options are `fallback`, `omega`", control = list(colour = 1))
  refused("unknown element \"key\"", control = list(key = c(1, 2)))
  refused("named list", control = list(1))
  refused("named list", control = NULL)
  refused("named list", control = 3)
  refused("`seed` is given twice", control = list(seed = 1, seed = 2))
  for (method in c("gk", "forward")) {
    refused("`h_min` must be one positive number, not -1", method = method, control = list(h_min = -1))
    refused("`h_max` must be one positive number", method = method, control = list(h_max = "a"))
    refused("`h_min` must not be larger than `h_max`", method = method, control = list(h_min = 2, h_max = 1))
  }
  refused("`expand` must be one of \"always\", \"coin\"", method = "blockcut", control = list(expand = "never"))
  refused("`variant` must be one of \"PBCAQ\", \"PSCAQ\"", method = "blockcut", control = list(variant = 2))
  refused("`cells` must be one positive number, not 0", method = "blockcut", control = list(cells = 0))
  refused("`symmetric` must be TRUE or FALSE, not NA", method = "vegas", control = list(symmetric = NA))
  refused("`symmetric = TRUE` requires method", method = "gk", control = list(symmetric = TRUE))
  refused("`seed` must be one whole number", method = "vegas", control = list(seed = 0.5))
  refused("`adjust` must be one whole number from 0 to 255, not -1", method = "vegas", control = list(adjust = -1))
  refused("`iterations` must be one whole number from 2", method = "vegas", control = list(iterations = 2.5))
  refused("`adjust` must be smaller than `iterations`", method = "vegas", control = list(adjust = 5, iterations = 5))
  refused("`samples.per.cube` must be one whole", method = "vegas", control = list(samples.per.cube = 2))
  for (bad in list(3, 500, "a", NA, c(2, 4)))
    refused("`bins` must be one of 2, 4, 8", method = "lattice", control = list(bins = bad))
  refused("`fallback` must be one of \"R\", \"none\", not \"python\"", control = list(fallback = "python"))
})

test_that("options of other methods have no effect", {
  right <- results(line(method = "simpson"))
  expect_identical(results(line(method = "simpson", control = list(h_min = 0.1, cells = 3, seed = 1, expand = "coin",
                                                                   symmetric = FALSE))), right)
})

test_that("the checks of each kind of option refuse what they must", {
  all <- stablecl:::method_options()
  on.exit(assign("options", all, stablecl:::session_cache))
  assign("options", list(w = list(kind = "number"), each = list(kind = "numbers")), stablecl:::session_cache)
  check <- function(value, name) stablecl:::check_option(value, name, NULL)
  expect_identical(check(-3L, "w"), -3)
  expect_identical(check(1:3, "each"), c(1, 2, 3))
  for (bad in list(NA_real_, "1", Inf, numeric(), 1:2)) expect_error(check(bad, "w"), "`w` must be one finite number")
  for (bad in list(NaN, "1", c(1, Inf), numeric(), factor(1)))
    expect_error(check(bad, "each"), "`each` must be finite numbers, one or as many as there are integrals")
  columns <- list(options = list(each = c(5, 6, 7)), lower = list(0), upper = list(1:3 + 0), columns = list())
  expect_identical(stablecl:::pick_integrals(columns, 2:3)$options$each, c(6, 7))
  expect_identical(stablecl:::check_integrals(list(0), list(1), list(), columns$options, NULL), 3L)
  expect_error(stablecl:::check_integrals(list(0), list(1:2), list(), columns$options, NULL), "`params`, `each` must")
})

test_that("former arguments give the same results and warn once per session", {
  cache <- stablecl:::session_cache
  forget <- function() rm(list = intersect(paste0("former.", stablecl:::former_arguments), ls(cache)), envir = cache)
  for (method in names(valid)) {
    forget()
    given <- c(list(f, 0, 1, method = method, rel.tol = 1e-3), valid[[method]])
    warned <- list()
    r <- withCallingHandlers(do.call(gintegrate, given), warning = function(w) {
      warned <<- c(warned, list(w))
      invokeRestart("muffleWarning")
    })
    deprecated <- Filter(function(w) inherits(w, "stablecl_warning_deprecated"), warned)
    expect_length(deprecated, length(valid[[method]]))
    for (k in seq_along(deprecated))
      expect_match(conditionMessage(deprecated[[k]]), paste0("control = list(", names(valid[[method]])[k]),
                   fixed = TRUE)
    expect_identical(results(r), results(line(method = method, rel.tol = 1e-3, control = valid[[method]])))
    expect_no_warning(do.call(gintegrate, given), class = "stablecl_warning_deprecated")
  }
  refused("`seed` is given twice", method = "vegas", seed = 1, control = list(seed = 2))
  suppressWarnings(refused("`fallback` must be one of", fallback = "python"))
  forget()
})

test_that("`subdivisions` of integrate() limits the evaluations, and former names stay those of gintegrate()", {
  spiky <- function(x) sqrt(abs(x - 1/3))
  expect_no_warning(r <- gintegrate(spiky, 0, 1, rel.tol = 1e-3, subdivisions = 100L))
  expect_identical(r$problem$tolerance$max.eval, 4200)
  refused("`subdivisions`", subdivisions = 0)
  mine <- function(x, cells) x * cells
  expect_error(suppressWarnings(gintegrate(mine, 0, 1, cells = 2)), "`f` has no value",
               class = "stablecl_error_argument")
  expect_equal(gintegrate(mine, 0, 1, params = data.frame(cells = 2))$value, 1)
})

test_that("a coin is drawn from R's generator, and only for this choice", {
  toss <- function(expand) {
    set.seed(4)
    line(method = "blockcut", rel.tol = 1e-3, control = list(expand = expand, cells = 8))
    stats::runif(1L)
  }
  set.seed(4)
  drawn <- stats::runif(3L)
  expect_identical(toss("always"), drawn[1L])
  expect_identical(toss("coin"), drawn[3L])
})
