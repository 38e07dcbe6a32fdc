# tools/check-site.R [FOLDER]: checks that every internal link, picture, script and style sheet of a built site (default
# build/site) exists, that pages have no search box of their own, no formulas in TeX and no heading that skips a level,
# and that the search index contains every manual page and article.  Prints each broken link; links to other sites are
# only counted.
site <- normalizePath(c(commandArgs(trailingOnly = TRUE), "build/site")[1])
pages <- list.files(site, "[.]html$", recursive = TRUE)
read <- function(page) xml2::read_html(file.path(site, page))
documents <- stats::setNames(lapply(pages, read), pages)

values <- function(document, what) xml2::xml_text(xml2::xml_find_all(document, what))
anchors <- lapply(documents, function(d) c("", values(d, "//@id"), values(d, "//a/@name")))

# Returns the target of a link on a page: the file within the site and the anchor in it; NA for links to other sites.
target_of <- function(link, page) {
  if (startsWith(link, "file:")) return(c(file = link, place = ""))
  if (grepl("^([a-z][a-z0-9+.-]*:|//)", link)) return(c(file = NA, place = NA))
  parts <- strsplit(paste0(link, "#"), "#")[[1L]]
  file <- utils::URLdecode(sub("[?].*", "", parts[1L]))
  place <- if (length(parts) > 1L) utils::URLdecode(parts[2L]) else ""
  if (!nzchar(file)) return(c(file = page, place = place))
  at <- if (startsWith(file, "/")) file.path(site, file) else file.path(site, dirname(page), file)
  if (dir.exists(at)) at <- file.path(at, "index.html")
  c(file = sub(paste0("^", site, "/"), "", normalizePath(at, mustWork = FALSE)), place = place)
}

broken <- character()
say <- function(page, ...) broken <<- c(broken, paste0(page, ": ", ...))
elsewhere <- 0L
for (page in pages) {
  links <- unique(c(values(documents[[page]], "//@href"), values(documents[[page]], "//@src")))
  for (link in links[nzchar(links)]) {
    to <- target_of(link, page)
    if (is.na(to[["file"]])) elsewhere <- elsewhere + 1L
    else if (!isTRUE(file.size(file.path(site, to[["file"]])) > 0)) say(page, "nothing at ", link)
    else if (to[["file"]] %in% pages && !to[["place"]] %in% anchors[[to[["file"]]]]) say(page, "no such place: ", link)
  }
  for (bare in values(documents[[page]], "//img[not(@alt)]/@src"))
    message(page, ": a picture without a text for those who do not see it: ", bare)
}

for (page in pages) {
  from_outside <- values(documents[[page]], "//script/@src | //link[@rel = 'stylesheet']/@href | //img/@src")
  for (link in grep("^([a-z]+:)?//", from_outside, value = TRUE)) say(page, "needs another site: ", link)
}

for (page in pages) if (length(values(documents[[page]], "//input/@name"))) say(page, "a second search box")

for (page in pages) {
  headings <- xml2::xml_find_all(documents[[page]], "//h1 | //h2 | //h3 | //h4 | //h5 | //h6")
  skips <- diff(c(0L, as.integer(substring(xml2::xml_name(headings), 2L)))) > 1L
  for (text in xml2::xml_text(headings[skips])) say(page, "a heading that skips a level: ", text)
}

# Formulas in TeX, outside of code and of the sources that MathML contains.
for (page in pages) {
  text <- values(documents[[page]], "//main//text()[not(ancestor::pre | ancestor::code | ancestor::math)]")
  is_raw <- grepl("[\\\\][([]|[$][$]|[\\\\](frac|alpha|sum|int)", text)
  for (raw in text[is_raw]) say(page, "a formula in TeX: ", raw)
}

index <- file.path(site, "search-index.js")
text <- if (file.exists(index)) sub("^var search_index = (.*);$", "\\1", readLines(index, encoding = "UTF-8"))
known <- if (length(text)) jsonlite::fromJSON(text)$path
for (path in known[!file.exists(file.path(site, known))]) say("search-index.js", "nothing at ", path)
wanted <- grep("^(reference|articles)/[^/]+[.]html$", pages, value = TRUE)
is_redirect <- function(document) length(values(document, "//meta[@http-equiv='refresh']/@content")) > 0
redirects <- Filter(function(page) is_redirect(documents[[page]]), wanted)
for (page in setdiff(wanted, c(redirects, file.path(c("reference", "articles"), "index.html"))))
  if (!any(endsWith(known, page))) say("search-index.js", "does not know ", page)

writeLines(broken)
cat(sprintf("%d pages, %d links to other sites, %d broken\n", length(pages), elsewhere, length(broken)))
quit(status = length(broken) > 0)
