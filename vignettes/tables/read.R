# How the vignettes read their tables: figures as their files write them, and what the files say of them.

table_file <- function(name) file.path("tables", paste0(name, ".csv"))

read_table <- function(name, text = FALSE)
  utils::read.csv(table_file(name), comment.char = "#", check.names = FALSE,
                  colClasses = if (text) "character" else NA)

# The lines of the head.
head_of <- function(name) sub("^# ", "", grep("^#", readLines(table_file(name)), value = TRUE))

# The numbers of threads of the host in calls on a device, and in calls on the host, which use all its processors.
threads_of <- function(name) {
  line <- grep("^Host threads: ", head_of(name), value = TRUE)
  as.integer(regmatches(line, gregexpr("[0-9]+", line))[[1]])
}

# File, date and hardware of a table from bench/, in brackets.
circumstances_of <- function(name) {
  lines <- sub("^From (.*) by bench/.*", "`\\1`", sub("^(Date|Device|Processor|R): ", "", head_of(name)))
  paste0("(", paste(sub("\\.$", "", lines), collapse = "; "), ")")
}
