library(testthat)
library(stablecl)

test_check("stablecl")
