# tools/coverage.R [MINIMUM]: runs the test suite with a counter for each line of R and C, and writes build/coverage.md:
# the percentage of lines that it runs, by file, and the lines that it does not run.  Ends with status 1 if a test fails
# or if the percentage of all lines is less than MINIMUM (default 0).  STABLECL_TEST_FILTER selects test files.
#
# C code is compiled with -O1, because with covr's -O0 loops over vectors are too slow; counters are atomic because
# threads share them.  Texts that are compiled for devices at run time count where the processor runs them.
minimum <- as.numeric(c(commandArgs(trailingOnly = TRUE), 0)[1])
options(covr.flags = c(CFLAGS = "-g -O1 --coverage -fprofile-update=atomic", LDFLAGS = "--coverage"))
tree <- "build/coverage"                    # a copy, because objects of other installations lie in src
unlink(tree, recursive = TRUE)
dir.create(tree, recursive = TRUE)
stopifnot(system(paste("git archive HEAD | tar -x -C", tree)) == 0)
Sys.setenv(NOT_CRAN = "true", TESTTHAT_PARALLEL = "TRUE", TESTTHAT_CPUS = "2")
if (!nzchar(Sys.getenv("POCL_CACHE_DIR"))) Sys.setenv(POCL_CACHE_DIR = file.path(normalizePath("build"), "pocl"))

# Runs in the checkout, like tools/run-tests.R, because some tests read files of the repository.
tests <- sprintf("testthat::test_dir(%s, package = \"stablecl\", load_package = \"installed\", filter = %s)",
                 deparse(file.path(normalizePath(tree), "tests", "testthat")),
                 if (nzchar(Sys.getenv("STABLECL_TEST_FILTER"))) deparse(Sys.getenv("STABLECL_TEST_FILTER"))
                 else "NULL")
counts <- covr::tally_coverage(covr::package_coverage(tree, type = "none", code = tests, quiet = FALSE), by = "line")

# Writes numbers as ranges: 3-5, 9.
ranges <- function(lines) {
  runs <- split(lines, cumsum(c(TRUE, diff(lines) > 1)))
  paste(vapply(runs, function(run) paste(unique(range(run)), collapse = "-"), ""), collapse = ", ")
}

percentage <- function(counts) 100 * mean(counts$value > 0)
row <- function(counts) {
  missed <- sort(unique(counts$line[counts$value == 0]))
  sprintf("| %s | %d | %.1f | %s |", counts$filename[1], nrow(counts), percentage(counts),
          if (length(missed)) ranges(missed) else "")
}
files <- split(counts, counts$filename)
is_c <- grepl("^src/", counts$filename)
writeLines(c("# Lines that the test suite runs", "",
             sprintf("%.1f %% of %d lines: %.1f %% of R, %.1f %% of C.", percentage(counts), nrow(counts),
                     percentage(counts[!is_c, ]), percentage(counts[is_c, ])), "",
             "| file | lines | percent run | lines not run |", "|---|---|---|---|",
             vapply(files[order(vapply(files, percentage, 0))], row, "")), "build/coverage.md")
cat(readLines("build/coverage.md", 3), sep = "\n")
quit(status = percentage(counts) < minimum)
