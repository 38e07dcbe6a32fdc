# on.exit() without `add = TRUE` replaces the handlers that its function already has, such as those of
# local_stable_backend(); the setting that they were to restore then remains in force, for later tests or for the user.

sets_handler <- function(call) {
  is.name(call[[1L]]) && grepl("^(on[.]exit|local_.*|interrupt_in_call)$", as.character(call[[1L]]))
}

replaces_handlers <- function(call) identical(call[[1L]], quote(on.exit)) && !isTRUE(call$add)

# Calls `visit` with the list of handlers set in each function or top-level expression, in order; the code of a test is
# a function, too.
visit_handlers <- function(code, visit) {
  found <- list()
  walk <- function(e) {
    if (!is.call(e)) return()
    if (identical(e[[1L]], quote(`function`)) || identical(e[[1L]], quote(test_that)))
      return(visit_handlers(e[[3L]], visit))
    if (sets_handler(e)) found[[length(found) + 1L]] <<- e
    for (part in as.list(e)) if (!missing(part)) walk(part)      # x[1, ] has an empty argument
  }
  walk(code)
  visit(found)
}

replaced_handlers <- function(expressions) {
  bad <- character()
  for (code in as.list(expressions)) visit_handlers(code, function(found) {
    for (e in found[-1L]) if (replaces_handlers(e)) bad <<- c(bad, deparse(e)[1L])
  })
  bad
}

test_that("replaced exit handlers are found", {
  found <- function(text) replaced_handlers(parse(text = text))
  expect_identical(found("test_that('a', { local_stable_backend('cpu'); on.exit(f()) })"), "on.exit(f())")
  expect_identical(found("g <- function() { on.exit(f()); if (x) on.exit(h(), add = FALSE) }"),
                   "on.exit(h(), add = FALSE)")
  expect_identical(found("g <- function() { on.exit(f()); on.exit(h(), add = TRUE) }"), character())
  expect_identical(found("g <- function() { on.exit(f()); function() on.exit(h()) }"), character())
})

test_that("no function replaces the exit handlers that it has set", {
  folders <- c(".", file.path("..", "..", "R"), file.path("..", "..", "00_pkg_src", "stablecl", "R"))
  files <- list.files(folders[dir.exists(folders)], "[.]R$", full.names = TRUE)
  expect_gt(length(files), 100)
  for (file in files) expect_identical(replaced_handlers(parse(file)), character(), label = file)
})
