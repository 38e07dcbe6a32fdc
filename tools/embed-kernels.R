# tools/embed-kernels.R FOLDER OUTPUT: writes the kernels in FOLDER and its subfolders (*.cl) as C strings to OUTPUT.
#
# Each #include "..." line is replaced by the file it names, once per kernel, because the OpenCL
# compiler has no access to the files at run time; paths are relative to the including file.
# Each line becomes a separate string, because C99 guarantees no more than 4095 characters per
# string literal; #line directives let a build log refer to the original files.  Run by make.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
output <- arguments[2]
LONGEST <- 4000

read_text <- function(path) {
  text <- readLines(path, encoding = "bytes")
  odd <- grep("[^\t -~]", text, useBytes = TRUE)
  if (length(odd)) stop(path, ", line ", odd[1], ": plain ASCII is what all compilers read")
  long <- which(nchar(text) > LONGEST)
  if (length(long)) stop(path, ", line ", long[1], ": longer than ", LONGEST, " characters")
  text
}

# Returns the name of a file in build logs: its path relative to src.
shown <- function(path) sub(".*/src/", "", path)

# Returns the lines of a file with its includes resolved; `seen` records the files already included in this kernel.
resolve <- function(path, seen) {
  path <- normalizePath(path, winslash = "/", mustWork = TRUE)
  if (!is.null(seen[[path]])) return(character())
  seen[[path]] <- TRUE
  text <- read_text(path)
  parts <- as.list(text)
  include <- '^[ \t]*#[ \t]*include[ \t]*"([^"]*)".*'
  for (i in grep(include, text)) {
    header <- file.path(dirname(path), sub(include, "\\1", text[i]))
    if (!file.exists(header)) stop(shown(path), ", line ", i, ": there is no ", header)
    mark <- if (i < length(text)) sprintf('#line %d "%s"', i + 1L, shown(path))
    parts[[i]] <- c(resolve(header, seen), mark)
  }
  c(sprintf('#line 1 "%s"', shown(path)), unlist(parts))
}

hash_of <- function(text) {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(charToRaw(paste0(text, "\n", collapse = "")), file)
  unname(tools::md5sum(file))
}

# Returns the lines as C string literals; question marks are escaped because they could start a trigraph.
c_string <- function(text) {
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("?", "\\?", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  paste0("\"", text, "\\n\"")
}

files <- sort(list.files(folder, "\\.cl$", full.names = TRUE, recursive = TRUE), method = "radix")
names <- sub("\\.cl$", "", basename(files))
stopifnot(length(files) > 0, grepl("^[a-z][a-z0-9_]*$", names), !anyDuplicated(names))

body <- entries <- character()
for (k in seq_along(files)) {
  text <- resolve(files[k], new.env())
  body <- c(body, sprintf("static const char *const text_of_%s[] = {", names[k]),
            paste0("    ", c_string(text), ","), "};", "")
  entries <- c(entries, sprintf("    { \"%s\", text_of_%s, %d, \"%s\" },", names[k], names[k],
                                length(text), hash_of(text)))
}

writeLines(c("/* Made by tools/embed-kernels.R from the kernels and the headers that they include: do not edit. */",
             "#include \"devices.h\"", "",
             "#ifdef STABLECL_OPENCL", "", body,
             "const struct kernel_source kernel_sources[] = {", entries, "};", "",
             sprintf("const int kernel_source_count = %d;", length(files)), "", "#endif"),
           output)
