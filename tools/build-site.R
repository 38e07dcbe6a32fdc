# tools/build-site.R [FOLDER]: builds the web site of the installed package with pkgdown (_pkgdown.yml) in FOLDER
# (default build/site), and adds the files of this repository that its pages link to: Markdown files are converted to
# pages, all other files are copied.  The pages then need no other site: formulas become MathML, the table of contents
# is part of the page, and tools/site.js searches an index of all pages.
site <- c(commandArgs(trailingOnly = TRUE), "build/site")[1]
options(pkgdown.internet = FALSE)
# The code of vignettes may name packages that are not installed, whose addresses downlit would look up on CRAN.
utils::assignInNamespace("CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit")
# pkgdown records the plots of examples on a square device and draws them again on a wider one, where their legends and
# labels would overlap: both get the same size.
record <- downlit::evaluate_and_highlight
utils::assignInNamespace("evaluate_and_highlight", function(...) {
  old <- options(device = function(...) ragg::agg_png(tempfile(), width = 700, height = 433, res = 96))
  on.exit(options(old))
  record(...)
}, "downlit")
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

left <- list.files(site, "[.]html$")
while (length(left)) left <- unlist(lapply(left, fetch_for))

# --- pages that need no other site ----------------------------------------------------------------

find <- function(node, path) xml2::xml_find_all(node, path)
text_of <- function(nodes) trimws(gsub("[[:space:]]+", " ", xml2::xml_text(nodes)))

# Marks the formulas of the manual, text between \( and \) or $$ and $$, as pkgdown marks those of articles.
mark_formulas <- function(html) {
  mark <- function(html, pattern, kind, from, to)
    gsub(pattern, sprintf("<span class=\"math %s\">%s\\1%s</span>", kind, from, to), html, perl = TRUE)
  html <- mark(html, "(?s)[\\\\][(](.+?)[\\\\][)]", "inline", "\\\\(", "\\\\)")
  mark(html, "(?s)[$][$](.+?)[$][$]", "display", "\\\\[", "\\\\]")
}

# Replaces formulas in TeX, which need MathJax, by MathML.
to_mathml <- function(document) {
  formulas <- find(document, "//span[contains(@class, 'math')]")
  if (!length(formulas)) return()
  tex <- gsub("[[:space:]]+", " ", xml2::xml_text(formulas))
  tex <- gsub("[\\\\](big|Big)[lr]?(?![A-Za-z])", "", tex, perl = TRUE)          # sizes, which pandoc does not know
  files <- tempfile(fileext = c(".md", ".html"))
  writeLines(paste0(tex, "\n"), files[1])
  rmarkdown::pandoc_convert(files[1], to = "html", from = "markdown+tex_math_single_backslash", output = files[2],
                            options = "--mathml")
  converted <- find(xml2::read_html(files[2], encoding = "UTF-8"), "//math")
  stopifnot(length(converted) == length(formulas))
  for (i in seq_along(formulas)) {
    is_display <- grepl("display", xml2::xml_attr(formulas[[i]], "class"))
    xml2::xml_set_text(formulas[[i]], "")
    xml2::xml_add_child(formulas[[i]], converted[[i]])
    xml2::xml_set_attr(formulas[[i]], "class", if (is_display) "formula")
  }
}

# Marks cells of tables that are a single word, such as 1e-15, which is not to be broken.
mark_words <- function(document) {
  cells <- find(document, "//td[not(contains(normalize-space(.), ' ')) and string-length(.) < 25]")
  xml2::xml_set_attr(cells, "class", "whole")
}

# Fills the table of contents, for which pkgdown uses a script of another site, or removes it from a page without parts.
add_contents <- function(document) {
  nav <- find(document, "//nav[@id = 'toc']")
  headings <- find(document, "//main//*[self::h2 or self::h3][@id] | //main//*[self::h2 or self::h3][parent::*[@id]]")
  if (!length(nav)) return()
  if (!length(headings)) return(xml2::xml_remove(nav))
  id <- vapply(headings, function(h) {
    own <- xml2::xml_attr(h, "id")
    if (is.na(own)) xml2::xml_attr(xml2::xml_parent(h), "id") else own
  }, "")
  list <- xml2::xml_add_child(nav[[1]], "ul", class = "nav flex-column")
  for (i in seq_along(headings)) {
    item <- xml2::xml_add_child(list, "li", class = if (xml2::xml_name(headings[[i]]) == "h3") "ms-3" else "")
    xml2::xml_add_child(item, "a", text_of(headings[[i]]), href = paste0("#", id[i]), class = "nav-link py-0")
  }
}

# Gives headings the levels of a page that is read by its headings: titles of menus, which pkgdown makes headings of the
# sixth level, are none, and the parts of the list of articles are one level below its title.
order_headings <- function(document, path) {
  xml2::xml_set_name(find(document, "//h6[contains(@class, 'dropdown-header')]"), "span")
  if (path == "articles/index.html") xml2::xml_set_name(find(document, "//main//h3"), "h2")
}

# Removes from the list of functions the alias that roxygen2 gives to the page on the package.
remove_package_alias <- function(document, path) {
  if (path == "reference/index.html") xml2::xml_remove(find(document, "//main//code[a = '_PACKAGE']"))
}

# Makes captions that pkgdown derives from alternative texts alternative texts again.
restore_alternatives <- function(document) {
  for (caption in find(document, "//img[@alt = '']/following-sibling::p[@class = 'caption']")) {
    xml2::xml_set_attr(find(caption, "preceding-sibling::img[1]"), "alt", text_of(caption))
    xml2::xml_remove(caption)
  }
}

# Makes each picture a link to its file, by which readers enlarge it.
link_pictures <- function(document) {
  is_drawn <- "[not(ancestor::a)][not(contains(@class, 'logo'))][not(contains(@src, '.svg'))]"
  for (picture in find(document, paste0("//main//img", is_drawn)))
    xml2::xml_add_parent(picture, "a", href = xml2::xml_attr(picture, "src"), class = "picture")
}

# Rewrites a page without scripts, styles and fonts of other sites; returns its entry in the index of the search.
make_independent <- function(path) {
  page <- file.path(site, path)
  html <- readChar(page, file.size(page), useBytes = TRUE)
  Encoding(html) <- "UTF-8"
  document <- xml2::read_html(if (startsWith(path, "reference/")) mark_formulas(html) else html)
  root <- strrep("../", lengths(regmatches(path, gregexpr("/", path))))
  is_outside <- "(starts-with(., 'http') or starts-with(., '//') or starts-with(., 'file:'))"
  xml2::xml_remove(find(document, sprintf("//script[@src[%s or contains(., 'pkgdown.js')]]", is_outside)))
  xml2::xml_remove(find(document, sprintf("//link[@rel = 'stylesheet'][@href[%s]]", is_outside)))
  xml2::xml_remove(find(document, "//comment()"))
  xml2::xml_remove(find(document, "//form[.//input[@id = 'search-input']]"))  # pkgdown's search; site.js has its own
  to_mathml(document)
  mark_words(document)
  restore_alternatives(document)
  link_pictures(document)
  order_headings(document, path)
  remove_package_alias(document, path)
  add_contents(document)
  head <- find(document, "//head")[[1]]
  xml2::xml_add_child(head, "script", src = paste0(root, "search-index.js"), defer = "defer")
  xml2::xml_add_child(head, "script", src = paste0(root, "site.js"), defer = "defer", `data-root` = root)
  xml2::write_html(document, page)
  main <- find(document, "//main")
  if (length(main)) list(path = path, title = text_of(find(document, "//h1"))[1], text = text_of(main)[1])
}

pages <- list.files(site, "[.]html$", recursive = TRUE)
index <- Filter(Negate(is.null), lapply(pages, make_independent))
writeLines(paste0("var search_index = ", jsonlite::toJSON(index, auto_unbox = TRUE), ";"),
           file.path(site, "search-index.js"))
file.copy("tools/site.js", site)
unlink(file.path(site, c("search.json", "pkgdown.js")))
