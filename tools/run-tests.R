# tools/run-tests.R [LIBRARY]: runs the test suite with the package installed in LIBRARY (default
# build/library), two files at a time; the last line printed is "N passed, N failed, N skipped".
place <- c(commandArgs(trailingOnly = TRUE), "build/library")[1]
.libPaths(c(normalizePath(place), .libPaths()))
Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))      # for the worker processes
Sys.setenv(NOT_CRAN = "true")               # include the slow tests
Sys.setenv(TESTTHAT_PARALLEL = "TRUE", TESTTHAT_CPUS = "2")
if (!nzchar(Sys.getenv("POCL_CACHE_DIR")))  # keep PoCL's compiled kernels for the next run
  Sys.setenv(POCL_CACHE_DIR = file.path(normalizePath("build"), "pocl"))
library(testthat)
library(stablecl)

results <- as.data.frame(test_dir("tests/testthat", package = "stablecl",
                                  load_package = "installed", reporter = "check",
                                  stop_on_failure = FALSE))
failed <- sum(results$failed) + sum(results$error)
writeLines(sprintf("%d passed, %d failed, %d skipped", sum(results$passed), failed,
                   sum(results$skipped)))
quit(status = failed > 0)
