# tools/embed-kernels.R FOLDER OUTPUT: writes the kernels in FOLDER and its subfolders (*.cl) as C strings to OUTPUT.
#
# Each #include "..." line is replaced by the file it names, once per kernel, because the OpenCL
# compiler has no access to the files at run time; paths are relative to the including file.
# Lines between "#ifdef SINGLE_PRECISION" or "#ifndef SINGLE_PRECISION", "#else" and "#endif" remain only in kernels of
# that precision, those of files named *_single.cl or of the others, because devices without double precision must not
# be given any text that contains it.  #line directives let a build log refer to the original files.  Run by make.
#
# The text is divided into strings of at most 4000 characters, because C99 guarantees no more than 4095 for a string
# literal.  A string never contains lines of two files: kernels that include the same header thus contain equal strings,
# of which the compiler keeps one.
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

# Returns the lines of a file, of which those for the other precision are empty.
of_precision <- function(text, single) {
  begins <- grepl("^[ \t]*#[ \t]*if", text)
  branch <- rep(NA, length(text))                       # for each nested #if: whether its lines remain; NA: undecided
  depth <- 0L
  keep <- logical(length(text))
  for (i in seq_along(text)) {
    inside <- all(branch[seq_len(depth)], na.rm = TRUE)
    directive <- FALSE
    if (begins[i]) {
      depth <- depth + 1L
      directive <- grepl("^[ \t]*#[ \t]*ifn?def[ \t]+SINGLE_PRECISION", text[i])
      branch[depth] <- if (directive) grepl("#[ \t]*ifdef", text[i]) == single else NA
    } else if (grepl("^[ \t]*#[ \t]*else", text[i]) && !is.na(branch[depth])) {
      branch[depth] <- !branch[depth]
      directive <- TRUE
    } else if (grepl("^[ \t]*#[ \t]*endif", text[i])) {
      directive <- !is.na(branch[depth])
      depth <- depth - 1L
    }
    keep[i] <- inside && !directive && all(branch[seq_len(depth)], na.rm = TRUE)
  }
  replace(text, !keep, "")
}

# Returns the lines of a file with its includes resolved; `seen` records the files already included in this kernel.
resolve <- function(path, seen, single) {
  path <- normalizePath(path, winslash = "/", mustWork = TRUE)
  if (!is.null(seen[[path]])) return(character())
  seen[[path]] <- TRUE
  text <- of_precision(read_text(path), single)
  parts <- as.list(text)
  include <- '^[ \t]*#[ \t]*include[ \t]*"([^"]*)".*'
  for (i in grep(include, text)) {
    header <- file.path(dirname(path), sub(include, "\\1", text[i]))
    if (!file.exists(header)) stop(shown(path), ", line ", i, ": there is no ", header)
    mark <- if (i < length(text)) sprintf('#line %d "%s"', i + 1L, shown(path))
    parts[[i]] <- c(resolve(header, seen, single), mark)
  }
  c(sprintf('#line 1 "%s"', shown(path)), unlist(parts))
}

# Returns the number of the string that contains each line.
strings_of <- function(text) {
  file <- cumsum(grepl("^#line ", text))
  place <- ave(nchar(text) + 1, file, FUN = function(size) {
    used <- 0
    string <- 1
    for (i in seq_along(size)) {
      if (used + size[i] > LONGEST) {
        string <- string + 1
        used <- 0
      }
      used <- used + size[i]
      size[i] <- string
    }
    size
  })
  cumsum(c(1, diff(file) != 0 | diff(place) != 0))[seq_along(text)]
}

hash_of <- function(text) {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(charToRaw(paste0(text, "\n", collapse = "")), file)
  unname(tools::md5sum(file))
}

# Returns the lines as C strings; question marks are escaped because they could start a trigraph.
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
  text <- resolve(files[k], new.env(), grepl("_single$", names[k]))
  string <- strings_of(text)
  ends <- c(diff(string) != 0, TRUE)
  body <- c(body, sprintf("static const char *const text_of_%s[] = {", names[k]),
            paste0("    ", c_string(text), ifelse(ends, ",", "")), "};", "")
  entries <- c(entries, sprintf("    { \"%s\", text_of_%s, %d, \"%s\" },", names[k], names[k], sum(ends),
                                hash_of(text)))
}

writeLines(c("/* Made by tools/embed-kernels.R from the kernels and the headers that they include: do not edit. */",
             "#include \"devices.h\"", "",
             "#ifdef STABLECL_OPENCL", "", body,
             "const struct kernel_source kernel_sources[] = {", entries, "};", "",
             sprintf("const int kernel_source_count = %d;", length(files)), "", "#endif"),
           output)
