# The sentences of manual pages, for tools/check-claims.

tag_of <- function(part) {
  tag <- attr(part, "Rd_tag")
  if (is.null(tag)) "" else tag
}

# Marks in the text: a link to a topic begins, its topic ends, the link ends; a formula; a list follows.
LINK <- "\001"
TOPIC <- "\002"
END <- "\003"
FORMULA <- "\004"
LIST <- "\005"

paste_all <- function(parts) paste(parts, collapse = "")
paragraph <- function(...) paste0("\n\n", ..., "\n\n")

# Returns the text of a part of a manual page, in which code stands between backticks, items are paragraphs, and links,
# formulas and lists have marks.  Tables, code on lines of its own and pictures are left out.
text_of_rd <- function(part) {
  if (!is.list(part)) return(paste_all(part))
  inner <- function(of = part) paste_all(vapply(of, text_of_rd, ""))
  switch(tag_of(part),
         "\\code" = paste0("`", inner(), "`"),
         "\\eqn" = , "\\deqn" = paste0(FORMULA, text_of_rd(part[[1L]])),
         "\\href" = text_of_rd(part[[2L]]),
         "\\link" = link_text(part, inner()),
         "\\item" = if (length(part) == 2L) paragraph(text_of_rd(part[[1L]]), ": ", text_of_rd(part[[2L]])) else "\n\n",
         "\\describe" = , "\\itemize" = , "\\enumerate" = paste0(LIST, paragraph(inner())),
         "\\preformatted" = , "\\tabular" = "\n\n",
         "\\Sexpr" = , "\\if" = , "\\ifelse" = , "\\out" = , "\\figure" = , "USERMACRO" = , "COMMENT" = "",
         inner())
}

link_text <- function(part, text) {
  option <- attr(part, "Rd_option")
  topic <- if (is.null(option)) text else sub("^=", "", paste_all(unlist(option)))
  paste0(LINK, sub("\\(\\)$", "", topic), TOPIC, text, END)
}

# Returns a data frame of the sentences of the description, the arguments, the details, the value, the notes and the
# sections of a manual page, with the topics of their links, and whether they have a formula or introduce a list.
sentences_of_rd <- function(file) {
  macros <- file.path(R.home("share"), "Rd", "macros", "system.Rd")
  parts <- tools::parse_Rd(file, macros = macros, warningCalls = FALSE)
  read <- c("\\description", "\\details", "\\value", "\\note", "\\arguments", "\\section")
  parts <- Filter(function(part) tag_of(part) %in% read, parts)
  text <- unlist(lapply(parts, function(part) {
    marked <- text_of_rd(if (tag_of(part) == "\\section") part[[2L]] else part)
    unlist(lapply(strsplit(marked, "\n[[:space:]]*\n")[[1L]], split_marked))
  }), use.names = FALSE)
  links <- regmatches(text, gregexpr(paste0("(?<=", LINK, ")[^", TOPIC, "]*"), text, perl = TRUE))
  data.frame(sentence = without_marks(text), links = I(links), formula = grepl(FORMULA, text),
             introduces = endsWith(text, LIST))
}

split_marked <- function(text) {
  text <- trimws(gsub("[[:space:]]+", " ", text))
  begins <- paste0("(?<=[.!?]|[.]\\))\\s+(?=[(", LINK, FORMULA, "]*[A-Z`\"'])")
  all <- strsplit(text, begins, perl = TRUE)[[1L]]
  all[nzchar(without_marks(all))]
}

without_marks <- function(text) {
  trimws(gsub(paste0("[", END, FORMULA, LIST, "]"), "", gsub(paste0(LINK, "[^", TOPIC, "]*", TOPIC), "", text)))
}
