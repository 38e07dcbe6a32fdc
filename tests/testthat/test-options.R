# ?stablecl-options documents every option and environment variable that the code reads.

# Returns the source files if the tests run in a checkout or within R CMD check, otherwise NULL.
source_files <- function() {
  for (root in c(file.path("..", ".."), file.path("..", "..", "00_pkg_src", "stablecl"))) {
    if (file.exists(file.path(root, "src", "init.c")))
      return(list.files(file.path(root, c("R", "src")), "[.](R|c|h|win|in)$", recursive = TRUE, full.names = TRUE))
  }
  NULL
}

names_read <- function(files) {
  text <- unlist(lapply(files, readLines, warn = FALSE))
  patterns <- c("getOption\\(\"([^\"]+)\"", "option_value\\(&symbol, \"([^\"]+)\"", "Sys[.]getenv\\(\"([^\"]+)\"",
                "getenv\\(\"([^\"]+)\"", "from_environment\\(\"([^\"]+)\"", "\\$\\((STABLECL_[A-Z_]+)\\)")
  unique(unlist(lapply(patterns, function(p) {
    found <- regmatches(text, regexec(p, text))
    vapply(found[lengths(found) == 2L], `[`, "", 2L)
  })))
}

page_of <- function(topic) {
  page <- tools::Rd_db("stablecl")[[paste0(topic, ".Rd")]]
  paste(capture.output(tools::Rd2txt(page, options = list(underline_titles = FALSE))), collapse = "\n")
}

test_that("every option and variable is documented, and the variables are shown by stable_sitrep()", {
  files <- source_files()
  skip_if(is.null(files), "no sources here")
  names <- names_read(files)
  for (some in c("stablecl.threads", "stablecl.backend", "STABLECL_BACKEND", "OMP_THREAD_LIMIT", "STABLECL_CPPFLAGS"))
    expect_true(some %in% names)
  page <- page_of("stablecl-options")
  for (name in names) expect_match(page, name, fixed = TRUE)
  expect_setequal(setdiff(grep("^[A-Z_]+$", names, value = TRUE), stablecl:::watched_variables), character())
})

test_that("options and variables have the documented effects", {
  skip_if(is.na(.Call(stablecl:::C_build)$openmp), "built without OpenMP: there is one thread")
  local_stable_backend("default")
  before <- options(stablecl.threads = NULL, stablecl.backend = NULL)
  on.exit(options(before), add = TRUE)
  plain <- stable_threads()
  options(stablecl.threads = 1.9)
  expect_identical(stable_threads(), 1L)
  for (none in list(0, -3, NA, "2", c(1, 2), 1e6)) {
    options(stablecl.threads = none)
    expect_identical(stable_threads(), plain)
  }
  options(stablecl.threads = NULL, stablecl.backend = "no such device")
  expect_error(dstable(0, 1.5, 0), class = "stablecl_error_device")
  options(stablecl.backend = NULL)
  threads <- function(code, ...) without_variables(limits_of_threads, in_another_r(code, ...))
  expect_identical(threads("cat(stable_threads())", "STABLECL_THREADS=5", "OMP_THREAD_LIMIT=3"), "3")
  expect_identical(threads("cat(stable_threads(5))\ncat(stable_threads())", "OMP_NUM_THREADS=1"), "15")
  expect_identical(threads("cat(stable_threads())", "STABLECL_THREADS=5", "_R_CHECK_LIMIT_CORES_=true"), "2")
})
