library(testthat)
library(stablecl)

# tools/check-package selects files by this variable, for the whole suite runs beside it.
filter <- Sys.getenv("STABLECL_TEST_FILTER")
test_check("stablecl", filter = if (nzchar(filter)) filter)
