# tools/run-tests.R: the test suite against the package in build/library; the last line
# printed is "N passed, N failed, N skipped".
.libPaths(c(normalizePath("build/library"), .libPaths()))
Sys.setenv(NOT_CRAN = "true")               # the slow ones, too
library(testthat)
library(stablecl)

results <- as.data.frame(test_dir("tests/testthat", package = "stablecl",
                                  load_package = "installed", reporter = "summary",
                                  stop_on_failure = FALSE))
failed <- sum(results$failed) + sum(results$error)
writeLines(sprintf("%d passed, %d failed, %d skipped", sum(results$passed), failed,
                   sum(results$skipped)))
quit(status = failed > 0)
