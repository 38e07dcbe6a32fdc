# tools/build-site.R [FOLDER]: builds the web site of the installed package with pkgdown (_pkgdown.yml) in FOLDER
# (default build/site), and adds the files of this repository that its pages link to: Markdown files are converted to
# pages, all other files are copied.
site <- c(commandArgs(trailingOnly = TRUE), "build/site")[1]
options(pkgdown.internet = FALSE)
unlink(site, recursive = TRUE)
pkgdown::build_site(install = FALSE, new_process = FALSE, preview = FALSE, lazy = FALSE,
                    override = list(destination = site))

links_of <- function(page) {
  document <- xml2::read_html(page)
  links <- xml2::xml_text(xml2::xml_find_all(document, "//a/@href | //img/@src"))
  sub("[?#].*", "", grep("^([a-z]+:|//|#|/)", links, value = TRUE, invert = TRUE))
}

# Returns the path with "." and ".." resolved: "bench/x.md" for "bench/../bench/x.md".
plain_path <- function(path) {
  step <- function(done, part) if (part == ".") done else if (part == "..") done[-length(done)] else c(done, part)
  vapply(strsplit(path, "/"), function(parts) paste(Reduce(step, parts, character()), collapse = "/"), "")
}

# Converts a Markdown file to a page of the site; its links to .md files become links to .html pages.
make_page <- function(source, path) {
  html <- tempfile(fileext = ".html")
  rmarkdown::pandoc_convert(normalizePath(source), to = "html", from = "gfm", output = html)
  body <- readLines(html, warn = FALSE)
  body <- gsub("href=\"([^\":]+)[.]md(#[^\"]*)?\"", "href=\"\\1.html\\2\"", body)
  title <- sub("^#+ *", "", grep("^#", readLines(source, warn = FALSE), value = TRUE)[1])
  body <- body[-grep("<h1", body)[1]]
  pkgdown::render_page(pkgdown::as_pkgdown(override = list(destination = site)), "title-body",
                       data = list(pagetitle = title, body = paste(body, collapse = "\n")), path = path, quiet = TRUE)
}

# Adds the files that a page links to and that the site lacks; returns the paths of the pages generated from Markdown.
fetch_for <- function(page) {
  made <- character()
  for (path in unique(plain_path(file.path(dirname(page), links_of(file.path(site, page)))))) {
    if (!nzchar(path) || file.exists(file.path(site, path))) next
    dir.create(dirname(file.path(site, path)), recursive = TRUE, showWarnings = FALSE)
    text <- sub("[.]html$", ".md", path)
    if (file.exists(path) && !dir.exists(path)) file.copy(path, file.path(site, path))
    else if (text != path && file.exists(text)) {
      make_page(text, path)
      made <- c(made, path)
    }
  }
  made
}

# Debian's pkgdown links MathJax from a local folder of the build machine; this replaces that link by a public address.
from_the_net <- function(page) {
  text <- readLines(page, warn = FALSE)
  writeLines(sub("file:///usr/share/javascript/mathjax/", "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.5/", text,
                 fixed = TRUE), page)
}

left <- list.files(site, "[.]html$")
while (length(left)) left <- unlist(lapply(left, fetch_for))
for (page in list.files(site, "[.]html$", recursive = TRUE, full.names = TRUE)) from_the_net(page)
