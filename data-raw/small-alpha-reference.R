# Renews tests/testthat/data/small-alpha.csv and small-alpha-quantiles.csv, values and quantiles of standard S0
# distributions with alpha from 0.001 to 0.05, at the points of these tables, by data-raw/reference.
#
#     Rscript data-raw/small-alpha-reference.R
#
# Prints the largest relative difference from the former values.

source("data-raw/reference/values.R")

DIGITS <- 35                            # in which two methods agree; 30 are printed

renew <- function(name, values_at, keys, columns) {
  file <- file.path("tests/testthat/data", name)
  former <- utils::read.csv(file, comment.char = "#", colClasses = "character")
  at <- lapply(former[keys], as.numeric)
  table <- cbind(former[keys], values_at(at[[1]], at[[2]], at[[3]], DIGITS)[columns])
  stopifnot(!is.na(table))
  gap <- mapply(function(new, old) max(abs(as.numeric(new) / as.numeric(old) - 1)), table[columns], former[columns])
  cat(name, ": ", nrow(table), " rows; ", sprintf("%s %.1e  ", columns, gap), "\n", sep = "")
  writeLines(paste("# Ball arithmetic (Arb); two independent methods agree to 35 digits; made by",
                   "data-raw/small-alpha-reference.R."), file)
  suppressWarnings(utils::write.table(table, file, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
}

renew("small-alpha.csv", reference_points, c("alpha", "beta", "x"), c("pdf", "logpdf", "cdf", "sf"))
renew("small-alpha-quantiles.csv", reference_quantiles, c("alpha", "beta", "p"), "q")
