# tools/run-tests.R [library]: the test suite against the package in build/library or that
# library, two files at a time; the last line printed is "N passed, N failed, N skipped".
place <- c(commandArgs(trailingOnly = TRUE), "build/library")[1]
.libPaths(c(normalizePath(place), .libPaths()))
Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))      # for workers, too
Sys.setenv(NOT_CRAN = "true")               # the slow ones, too
Sys.setenv(TESTTHAT_PARALLEL = "TRUE", TESTTHAT_CPUS = "2")
if (!nzchar(Sys.getenv("POCL_CACHE_DIR")))  # kernels that PoCL has compiled serve the next run
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
