# Addresses and DOIs in the documents and in the comments of the sources.
#
# With STABLECL_TEST_ADDRESSES=true each address is also requested, if the network answers.

root <- test_path("..", "..")

# Returns the paths of the documents and, if asked for, of the sources that cite literature, relative to the checkout.
documents <- function(with_sources = FALSE) {
  if (!file.exists(file.path(root, "DESCRIPTION"))) skip("not in a checkout: the sources of the documents are needed")
  single <- c("README.md", "NEWS.md", "DESCRIPTION", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md",
              "cran-comments.md", "codemeta.json", "_pkgdown.yml", "inst/CITATION")
  patterns <- c(man = "[.]Rd$", vignettes = "[.]Rmd$", paper = "[.](md|bib)$", bench = "[.]md$")
  if (with_sources)
    patterns <- c(patterns, R = "[.]R$", src = "[.](c|h|cl)$", `data-raw` = "[.](R|c|h|py)$", bench = "[.]R$",
                  tests = "[.]R$")
  listed <- Map(function(folder, pattern) {
    files <- list.files(file.path(root, folder), pattern, recursive = TRUE)
    if (length(files)) file.path(folder, files)
  }, names(patterns), patterns)
  setdiff(c(single[file.exists(file.path(root, single))], unlist(listed, use.names = FALSE)),
          "tests/testthat/test-addresses.R")
}

# Returns the lines of a file in ASCII, without the names of markup and, in sources, the marks of comments.
plain_lines <- function(file) {
  lines <- readLines(file.path(root, file), encoding = "UTF-8", warn = FALSE)
  lines <- gsub("\\{\\\\['`^\"]([a-z])\\}", "\\1", lines)
  lines <- gsub("\\\\(emph|strong|doi|code|url)\\{", "{", iconv(lines, "UTF-8", "ASCII//TRANSLIT"))
  if (grepl("[.](R|c|h|cl|py)$", file)) lines <- sub("^[[:space:]]*(/?[*]+/?|#+'?|//)([[:space:]]|$)", "", lines)
  trimws(lines)
}

# Returns the paragraphs of lines, each as one string.
paragraphs_of <- function(lines) {
  is_new <- !nzchar(lines) | grepl("^[*-] ", lines)
  unname(vapply(split(lines, cumsum(is_new)), paste, "", collapse = " "))
}

# Returns text without punctuation that belongs to the sentence around it.
without_punctuation <- function(text) {
  if (!length(text)) return(character())
  repeat {
    shorter <- sub("[.,;:'*]+$", "", text)
    is_open <- lengths(gregexpr("[)]", paste0(")", shorter))) > lengths(gregexpr("[(]", paste0("(", shorter)))
    shorter <- ifelse(is_open, sub("[)][^)]*$", "", shorter), shorter)
    if (identical(shorter, text)) return(text)
    text <- shorter
  }
}

matches_of <- function(pattern, text) unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
addresses_of <- function(text) without_punctuation(matches_of("(?i)\\b[a-z]+://[^\\s<>\"{}\\[\\]`|]+", text))
dois_of <- function(text) without_punctuation(matches_of("\\b10[.][0-9]{3,9}/[^\\s<>\"{}\\[\\]`|]+", text))

# Returns a citation for each DOI in a paragraph: the DOI and the text between it and the DOI before.
citations_of <- function(paragraph) {
  found <- dois_of(paragraph)
  rest <- paragraph
  contexts <- vapply(found, function(doi) {
    at <- regexpr(doi, rest, fixed = TRUE)
    before <- substr(rest, 1, at - 1)
    rest <<- substring(rest, at + nchar(doi))
    before
  }, "")
  known <- duplicated(tolower(found))             # the target of a link repeats the DOI
  data.frame(doi = tolower(found), context = contexts, row.names = NULL)[!known, ]
}

# Returns the last year in a text, of those behind a parenthesis if there are any; NA if there is none.
year_of <- function(text) {
  last <- function(pattern) {
    years <- regmatches(text, gregexpr(paste0(pattern, "(1[89]|20)[0-9]{2}(?=[]),}. ]|$)"), text, perl = TRUE))
    vapply(years, function(y) if (length(y)) substring(y[length(y)], 2) else NA_character_, "")
  }
  ifelse(is.na(last("[(]")), last("[ {]"), last("[(]"))
}

# Returns the works in a list of references: the first author, the year, the title in lower-case letters and the DOI.
works_of <- function(file) {
  lines <- plain_lines(file)
  start <- c(grep("^(\\\\references[{]|## References)", lines), length(lines))[1]
  text <- paragraphs_of(if (endsWith(file, ".bib")) lines else lines[-seq_len(start)])
  if (endsWith(file, ".bib")) {
    field <- function(name)
      trimws(gsub("[{}]", "", sub(paste0(".*[ ,]", name, " = [{](.*?)[}](,| [}]|[}]?$).*"), "\\1", text, perl = TRUE)))
    text <- ifelse(grepl("author = ", text), paste0(field("author"), " (", field("year"), ") ", field("title"), ". ",
                                                    ifelse(grepl("doi = ", text), field("doi"), "")), "")
  }
  work <- "^[*-]? ?[[:upper:]][^()0-9]* [(]([12][0-9]{3})[)][.]? *[*{\"]?([^.?*}]{9,})[.?*}\"].*"
  text <- grep(work, trimws(text), value = TRUE)
  doi <- vapply(text, function(entry) c(tolower(dois_of(entry)), NA)[1], "", USE.NAMES = FALSE)
  author <- sub("^[^[:alpha:]]*(([[:upper:]][.]-?)+ )*", "", text)
  data.frame(file = rep(file, length(text)), author = sub("^([[:alpha:]-]+).*", "\\1", author),
             year = sub(work, "\\1", text), title = gsub("[^a-z0-9]", "", tolower(sub(work, "\\2", text))), doi = doi)
}

# Addresses that are served over http only.
http_only <- "http://www.robustanalysis.com"

# Returns the problem of each address, "" if there is none.
address_problems <- function(address) {
  problem <- rep("", length(address))
  note <- function(is_wrong, words) problem[is_wrong & !nzchar(problem)] <<- words
  host <- "[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)+"
  note(!grepl(paste0("^https?://", host, "([/?#][!-~]*)?$"), address, ignore.case = TRUE), "not well-formed")
  note(grepl("^http:", address) & !address %in% http_only, "http, not https")
  note(grepl("//(dx[.]|www[.])?doi[.]org", address) & !grepl("^https://doi[.]org/10[.][0-9]{4,9}/.", address),
       "not of the form https://doi.org/10.")
  note(grepl("cran.*/(web/)?package", address, ignore.case = TRUE) &
         !grepl("^https://CRAN[.]R-project[.]org/package=[[:alnum:].]+$", address),
       "not of the form https://CRAN.R-project.org/package=")
  problem
}

test_that("wrong addresses and DOIs are found, and right ones are not", {
  expect_identical(addresses_of("see (https://a.org/b_(c)), [x](https://d.org/e), <https://f.org>."),
                   c("https://a.org/b_(c)", "https://d.org/e", "https://f.org"))
  expect_identical(dois_of("Y (1999, doi:10.1016/S0377-0427(99)00223-X), Z <doi:10.1/x> and {10.1000/a_b.c}."),
                   c("10.1016/S0377-0427(99)00223-X", "10.1000/a_b.c"))
  right <- c("https://a.org/b?c#d", "http://www.robustanalysis.com", "https://doi.org/10.1000/a")
  expect_identical(address_problems(right), rep("", 3))
  wrong <- c("https://a", "ftp://a.org", "http://a.org", "https://dx.doi.org/10.1000/a", "https://doi.org/abc",
             "https://cran.r-project.org/web/packages/stabledist/index.html")
  expect_true(all(nzchar(address_problems(wrong))))
  cited <- citations_of("A (1990) T. [doi:10.1000/A](https://doi.org/10.1000/a); B 1995, doi:10.1000/b")
  expect_identical(cited$doi, c("10.1000/a", "10.1000/b"))
  expect_identical(year_of(cited$context), c("1990", "1995"))
})

test_that("addresses are well-formed, and https where the server offers it", {
  used <- unlist(lapply(documents(), function(file) {
    found <- addresses_of(plain_lines(file))
    stats::setNames(found, rep(file, length(found)))
  }))
  expect_gt(length(used), 10)
  problem <- address_problems(used)
  expect_identical(paste(names(used), used, problem)[nzchar(problem)], character())
  expect_identical(setdiff(http_only, used), character())
})

test_that("links in documents lead to files of the checkout, and DOIs as text are those of their links", {
  documents <- grep("[.]R?md$", documents(), value = TRUE)
  compared <- 0
  for (file in documents) {
    lines <- plain_lines(file)
    fence <- startsWith(lines, "```")
    text <- paste(lines[!fence & cumsum(fence) %% 2 == 0], collapse = " ")
    links <- matches_of("\\[[^\\[\\]]*\\]\\([^\\s()]*(\\([^\\s()]*\\)[^\\s()]*)*\\)", text)
    words <- sub("^\\[(.*?)\\][(].*", "\\1", links)
    targets <- sub("^\\[.*?\\][(](.*)[)]$", "\\1", links)
    to_doi <- grepl("//doi.org/", targets)
    expect_identical(tolower(sub("^doi: ?", "", words[to_doi])), tolower(sub("https://doi.org/", "", targets[to_doi])),
                     info = file)
    local <- sub("#.*", "", targets[!grepl("^([a-z]+:|#)", targets)])
    local <- local[nzchar(local) & !grepl("^`|^%", local)]
    missing <- local[!file.exists(file.path(root, dirname(file), local))]
    expect_identical(missing, character(), info = file)
    compared <- compared + length(links)
  }
  expect_gt(compared, 30)
})

test_that("a DOI has the syntax of DOIs, and stands for one work everywhere", {
  files <- documents(with_sources = TRUE)
  works <- do.call(rbind, lapply(grep("[.](Rd|Rmd|bib)$", files, value = TRUE), works_of))
  expect_gt(nrow(works), 70)
  cited <- do.call(rbind, lapply(setdiff(files, "codemeta.json"), function(file) {      # its DOI is that of a schema
    found <- do.call(rbind, lapply(paragraphs_of(plain_lines(file)), citations_of))
    cbind(file = rep(file, nrow(found)), found)
  }))
  expect_gt(nrow(cited), 60)
  expect_identical(grep("^10[.][0-9]{4,9}/[-._;()/:a-z0-9]+$", cited$doi, value = TRUE, invert = TRUE), character())
  cited$year <- year_of(cited$context)
  expect_identical(paste(cited$file, cited$doi)[is.na(cited$year)], character(), info = "cited without a year")
  for (doi in unique(cited$doi)) {
    here <- cited[cited$doi == doi, ]
    expect_identical(here$year, rep(here$year[1], nrow(here)), info = toString(c(doi, here$file)))
    listed <- works[works$doi %in% doi, ]
    expect_identical(listed$title, rep(listed$title[1], nrow(listed)), info = toString(c(doi, listed$file)))
    for (author in unique(listed$author))
      expect_identical(here$file[!grepl(author, here$context, fixed = TRUE)], character(), info = paste(author, doi))
  }
  for (title in unique(works$title)) {
    listed <- works[works$title == title, ]
    expect_identical(listed$doi, rep(listed$doi[1], nrow(listed)), info = toString(c(title, listed$file)))
  }
})

test_that("there is one placeholder for the address of the project", {
  maintainer <- sub(".*<(.*)>.*", "\\1", utils::packageDescription("stablecl", fields = "Maintainer"))
  found <- unlist(lapply(documents(), function(file) matches_of("[A-Za-z0-9._-]+@[A-Za-z0-9-]+[.][A-Za-z0-9.-]+[a-z]",
                                                                plain_lines(file))))
  found <- c(found, matches_of("[a-z]+://[^ ]*example[.](org|com|net)[^ ]*", unlist(lapply(documents(), plain_lines))))
  expect_gt(length(found), 1)
  expect_identical(unique(found), maintainer)
})

test_that("each address and each DOI leads to a page", {
  if (!identical(Sys.getenv("STABLECL_TEST_ADDRESSES"), "true"))
    skip("requests addresses only if STABLECL_TEST_ADDRESSES=true")
  status <- function(address, redirect = TRUE)
    tryCatch(attr(curlGetHeaders(address, redirect, timeout = 20), "status"), error = function(e) NA_integer_)
  if (is.na(status("https://doi.org", FALSE))) skip("the network does not answer")
  text <- unlist(lapply(documents(with_sources = TRUE), plain_lines))
  for (doi in unique(dois_of(text)))             # publishers may refuse programs: the redirection is the answer
    expect_true(status(paste0("https://doi.org/", doi), FALSE) %in% 301:303, label = doi)
  others <- grep("//doi.org", unique(unlist(lapply(documents(), function(file) addresses_of(plain_lines(file))))),
                 value = TRUE, invert = TRUE)
  for (address in others) expect_true(status(address) %in% c(200:299, 403L, 405L, 429L), label = address)
})

test_that("pages of the built package link to no file that it lacks", {
  if (!file.exists(file.path(root, ".Rbuildignore"))) skip("not in a checkout")
  patterns <- readLines(file.path(root, ".Rbuildignore"))
  is_built <- function(path) {
    steps <- strsplit(path, "/")[[1]]
    parents <- vapply(seq_along(steps), function(k) paste(steps[1:k], collapse = "/"), "")
    file.exists(file.path(root, path)) &&
      !any(vapply(patterns, function(p) any(grepl(p, parents, perl = TRUE, ignore.case = TRUE)), NA))
  }
  expect_true(is_built("NEWS.md"))
  expect_false(is_built("bench/fit.md"))
  for (page in Filter(is_built, c("README.md", "NEWS.md"))) {
    text <- paste(readLines(file.path(root, page), encoding = "UTF-8"), collapse = "\n")
    links <- sub("#.*", "", sub("^\\]\\(([^)]*)\\)$", "\\1", matches_of("\\]\\([^)]*\\)", text)))
    links <- links[nzchar(links) & !grepl("^[a-z]+:", links)]
    expect_identical(Filter(Negate(is_built), links), character(), label = page)
  }
})
