# How the vignettes read their tables: figures as their files write them, and what the files say of them.

table_file <- function(name) file.path("tables", paste0(name, ".csv"))

read_table <- function(name, text = FALSE)
  utils::read.csv(table_file(name), comment.char = "#", check.names = FALSE,
                  colClasses = if (text) "character" else NA)

# The lines of the head.
head_of <- function(name) sub("^# ", "", grep("^#", readLines(table_file(name)), value = TRUE))

# File, date and hardware of a table from bench/, in brackets.
circumstances_of <- function(name) {
  lines <- sub("^From (.*) by bench/.*", "`\\1`", sub("^(Date|Device|Processor|R): ", "", head_of(name)))
  paste0("(", paste(sub("\\.$", "", lines), collapse = "; "), ")")
}
