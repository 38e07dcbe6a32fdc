# Put the tables of accuracy.R and peer-values.R into README.md, between their marks.
#
#     Rscript bench/update-readme.R [FOLDER]        FOLDER as for accuracy.R

folder <- c(commandArgs(trailingOnly = TRUE), "../shared/reference")[1]

output_of <- function(...) suppressWarnings(
  system2(file.path(R.home("bin"), "Rscript"), c(...), stdout = TRUE))

# The lines of `text` between <!-- mark --> and <!-- /mark -->, replaced.
replace_between <- function(text, mark, lines) {
  from <- match(sprintf("<!-- %s -->", mark), text)
  to <- match(sprintf("<!-- /%s -->", mark), text)
  stopifnot(!is.na(from), !is.na(to), from < to, length(lines) > 2)
  c(text[seq_len(from)], lines, text[to:length(text)])
}

table_rows <- function(lines) trimws(grep("^\\|", lines, value = TRUE))

# The table, and the line that says what it holds for.
accuracy <- output_of("bench/accuracy.R", folder)
holds <- strwrap(grep("^Holds on ", accuracy, value = TRUE), 98)

readme <- readLines("README.md")
readme <- replace_between(readme, "accuracy", c(table_rows(accuracy), "", holds))
readme <- replace_between(readme, "peers", table_rows(output_of("bench/peer-values.R")))
writeLines(readme, "README.md")
