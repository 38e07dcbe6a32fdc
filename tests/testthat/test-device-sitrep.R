# stable_sitrep() (R/sitrep*.R) reports the state of the system, even if drivers fail.

# Builds a shared library that runs the C code `does` when it is loaded, and returns its path.  Skips the test if there
# is no compiler.
library_that <- function(does) {
  folder <- tempfile("driver")
  dir.create(folder)
  source <- file.path(folder, "driver.c")
  writeLines(c("#include <stdlib.h>", "#include <unistd.h>",
               "__attribute__((constructor)) static void open_it(void) {", does, "}"), source)
  old <- setwd(folder)
  on.exit(setwd(old))
  suppressWarnings(system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "driver.c"), stdout = TRUE, stderr = TRUE))
  built <- file.path(folder, paste0("driver", .Platform$dynlib.ext))
  if (.Platform$OS.type == "windows" || !file.exists(built)) skip("No compiler that can build a shared library")
  built
}

sitrep_with_library <- function(path, ...) {
  before <- Sys.getenv("STABLECL_OPENCL_LIBRARY", NA)
  on.exit(if (is.na(before)) Sys.unsetenv("STABLECL_OPENCL_LIBRARY")
          else Sys.setenv(STABLECL_OPENCL_LIBRARY = before))
  Sys.setenv(STABLECL_OPENCL_LIBRARY = path)
  stable_sitrep(...)
}

built_with_opencl <- function() .Call(stablecl:::C_build)$opencl

test_that("the report shows all its items", {
  skip_on_cran()                        # searches for devices
  skip_if_not(built_with_opencl(), "built without OpenCL headers")
  report <- stable_sitrep()
  expect_s3_class(report, "stable_sitrep")
  lines <- format(report)
  for (label in c("R", "system", "built", "threads", "options", "environment", "preference", "cache", "check",
                  "OpenCL"))
    expect_length(grep(paste0("^  ", label, " "), lines), 1)
  expect_match(lines[1], as.character(packageVersion("stablecl")), fixed = TRUE)
  expect_output(print(report), lines[1], fixed = TRUE)
  expect_match(report$check, "^errors up to [0-9]e-1[3-7]$")
  expect_identical(nrow(report$devices), nrow(stable_devices()))
  expect_identical(report$trouble, "")
})

test_that("values on every usable device are checked", {
  skip_without_device()
  report <- stable_sitrep()
  expect_match(report$devices$check[report$devices$usable], "^errors up to [0-9]e-1[3-7]$")
  expect_false(any(is.na(report$devices$chosen)))
  chosen <- which(report$devices$usable)[1]
  before <- stable_backend(paste0("opencl:", chosen))
  on.exit(stable_backend(before))
  expect_identical(which(stable_sitrep()$devices$chosen), chosen)
})

test_that("the check of known digits fails for wrong values", {
  right <- stablecl:::reference_values
  expect_identical(stablecl:::describe_error(stablecl:::largest_error(right)), "errors up to 0e+00")
  for (column in c("pdf", "cdf", "sf")) {
    wrong <- right
    wrong[[column]][3] <- wrong[[column]][3] * (1 + 1e-11)
    expect_match(stablecl:::describe_error(stablecl:::largest_error(wrong)), "^WRONG")
  }
  expect_match(stablecl:::describe_error(NaN), "^WRONG")
})

test_that("known digits agree with the reference values", {
  table <- read.csv(test_path("data", "density-tails.csv"), comment.char = "#")
  rows <- merge(stablecl:::reference_values, table, by = c("alpha", "beta", "x"))
  expect_identical(nrow(rows), nrow(stablecl:::reference_values))
  for (column in c("pdf", "cdf", "sf"))
    expect_identical(rows[[paste0(column, ".x")]], rows[[paste0(column, ".y")]])
})

test_that("a driver that hangs or crashes is reported, and this process survives", {
  skip_on_cran()                        # searches for devices
  skip_if_not(built_with_opencl(), "built without OpenCL headers")
  started <- proc.time()[["elapsed"]]
  hanging <- sitrep_with_library(library_that("for (;;) sleep(1);"), timeout = 3)
  expect_lt(proc.time()[["elapsed"]] - started, 60)
  expect_match(hanging$trouble, "did not respond within 3 seconds")
  expect_match(tail(format(hanging), 1), "did not respond within 3 seconds")
  expect_match(sitrep_with_library(library_that("abort();"))$trouble, "terminated abnormally")
  missing <- sitrep_with_library(tempfile())
  expect_identical(nrow(missing$devices), 0L)
  expect_match(tail(format(missing), 1), "no devices: no OpenCL library was found")
})

test_that("the report shows options and changes no settings", {
  before <- options(stablecl.threads = 1)
  on.exit(options(before))
  set.seed(1)
  seed <- .Random.seed
  preference <- stable_backend()$preference
  report <- stable_sitrep(timeout = 0)
  expect_identical(.Random.seed, seed)
  expect_identical(stable_backend()$preference, preference)
  expect_identical(report$options$stablecl.threads, 1)
  expect_match(grep("^  options", format(report), value = TRUE), "stablecl.threads = 1", fixed = TRUE)
  expect_identical(report$trouble, "drivers were not queried")
})

test_that("an invalid option is part of the report", {
  local_stable_backend("default")
  before <- options(stablecl.backend = strrep("a", 300))
  on.exit(options(before), add = TRUE)
  report <- stable_sitrep(timeout = 0)
  expect_match(report$preference, "FAILS: The name of a backend must have fewer than 256 characters")
  expect_match(grep("^  threads", format(report), value = TRUE), "FAILS")
  options(stablecl.backend = "no such device")
  expect_identical(stable_sitrep(timeout = 0)$preference, "no such device (by option)")
})

test_that("the timeout must be a number of seconds", {
  for (wrong in list(-1, NA_real_, c(1, 2), "1")) expect_error(stable_sitrep(wrong), "`timeout` must be one number")
})
