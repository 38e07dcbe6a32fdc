# Put the tables of accuracy.R, peer-values.R and features.R, and some of the figures of benchmark.R and
# gpu/benchmark.R, into README.md, between their marks.
#
#     Rscript bench/update-readme.R [FOLDER [SECTION...]]        FOLDER as for accuracy.R
#
# SECTION: any of accuracy, peers, features, speed (default all).

arguments <- commandArgs(trailingOnly = TRUE)
folder <- c(arguments, "../shared/reference")[1]

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
accuracy_lines <- function() {
  lines <- output_of("bench/accuracy.R", folder)
  c(table_rows(lines), "", strwrap(grep("^Holds on ", lines, value = TRUE), 98))
}

peers_lines <- function() table_rows(output_of("bench/peer-values.R"))

features_lines <- function() {
  lines <- output_of("bench/features.R")
  c(table_rows(lines), "", grep("^Asked by ", lines, value = TRUE))
}

markdown <- function(table) {
  rows <- apply(as.matrix(table), 1, paste, collapse = " | ")
  sprintf("| %s |", c(paste(names(table), collapse = " | "), paste(rep("---", ncol(table)), collapse = "|"), rows))
}

# The law (1.5, 0.5), from the tables that vignette-tables.R has copied.
speed_lines <- function() {
  old <- setwd("vignettes")
  on.exit(setwd(old))
  source("tables/read.R")
  cpu <- read_table("speed-cpu", text = TRUE)
  cpu <- cpu[cpu$shape == "(1.5, 0.5)" & cpu$n %in% c("1", "10000", "1e+06"),
             c("function", "n", "stablecl, 1 thread", "stabledist", "libstable4u")]
  gpu <- read_table("speed-gpu", text = TRUE)
  gpu <- gpu[gpu$call %in% sprintf("%s, (1.5, 0.5)", c("density", "distribution", "quantile", "random")),
             c("call", "n", "R to R", "kernel")]
  caption <- function(text, name) c(strwrap(paste0(text, " ", circumstances_of(name), ":"), 98), "")
  c(caption("The law (1.5, 0.5): microseconds of processor time per value", "speed-cpu"), markdown(cpu), "",
    caption("Values per second on a graphics card", "speed-gpu"), markdown(gpu))
}

sections <- list(accuracy = accuracy_lines, peers = peers_lines, features = features_lines, speed = speed_lines)
wanted <- if (length(arguments) > 1) arguments[-1] else names(sections)
stopifnot(wanted %in% names(sections))
readme <- readLines("README.md")
for (name in wanted) readme <- replace_between(readme, name, sections[[name]]())
writeLines(readme, "README.md")
