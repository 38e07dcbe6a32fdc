# Every manual page has the sections that readers need: arguments, value, errors if any, and examples.

tags_of <- function(page) vapply(page, attr, "", "Rd_tag")
text_of <- function(part) paste(unlist(part), collapse = "")
parts_of <- function(page, tag) page[tags_of(page) == tag]
is_data_free <- function(page) length(parts_of(page, "\\usage")) == 0L

pages <- tools::Rd_db("stablecl")
names(pages) <- sub("[.]Rd$", "", names(pages))
functions <- Filter(Negate(is_data_free), pages)

page_text <- function(page) {
  paste(capture.output(tools::Rd2txt(page, options = list(underline_titles = FALSE))), collapse = "\n")
}

# Returns the name and text of every argument on a page.
items_of <- function(page) {
  arguments <- unlist(parts_of(page, "\\arguments"), recursive = FALSE)
  items <- Filter(function(part) identical(attr(part, "Rd_tag"), "\\item"), arguments)
  stats::setNames(vapply(items, function(item) text_of(item[[2L]]), ""),
                  vapply(items, function(item) text_of(item[[1L]]), ""))
}

test_that("pages of functions have title, description, arguments, value and examples", {
  expect_gt(length(functions), 25)
  for (name in names(functions)) {
    tags <- tags_of(functions[[name]])
    needed <- c("\\title", "\\description", "\\value")
    expect_identical(setdiff(needed, tags), character(), info = name)
    # print and plot methods may use the examples of the object that they display
    expect_true("\\examples" %in% tags, info = name)
  }
})

test_that("every argument of a function is described on its page", {
  for (name in names(functions)) {
    items <- items_of(functions[[name]])
    known <- trimws(unlist(strsplit(names(items), ",")))
    known <- sub("^\\\\dots$", "...", known)
    aliases <- vapply(parts_of(functions[[name]], "\\alias"), function(a) trimws(text_of(a)), "")
    for (fun in intersect(aliases, getNamespaceExports("stablecl")))
      expect_identical(setdiff(as.character(names(formals(getExportedValue("stablecl", fun)))), known), character(),
                       info = fun)
    short <- names(items)[nchar(trimws(items)) < 8]
    expect_identical(short, character(), info = name)
  }
})

test_that("descriptions of numeric arguments state their range", {
  domain <- c(alpha = "0 < alpha <= 2", beta = "-1 <= beta <= 1", gamma = "gamma >= 0")
  items <- items_of(pages$stable)
  for (name in names(domain)) expect_match(items[[name]], domain[[name]], fixed = TRUE)
  # for arguments with these names on any page
  words <- c(level = "between 0 and 1", R = "at least 1", digits = "from 1 to 22", dim = "[Nn]umber of variables",
             limit = "from 0 to", nsim = "0 or more|see", n = "number of", pm = "0, 1 or 2|see", p = "from 0 to 1",
             timeout = "at least 0", probs = "from 0 to 1")
  for (page in names(functions)) {
    items <- items_of(functions[[page]])
    for (item in names(items)) for (name in intersect(trimws(strsplit(item, ",")[[1L]]), names(words)))
      expect_match(items[[item]], words[[name]], info = paste(page, name))
  }
  for (page in c("stable", "stable_score", "stable_eval", "gintegrate"))
    expect_match(page_text(pages[[page]]), "Accuracy|error", info = page)
})

test_that("error classes on the manual pages are classes that the package raises", {
  raised <- c("argument", "data", "device", "memory", "interrupted", "unsupported", "integral", "translation",
              "untranslatable", "worker")
  named <- unlist(lapply(pages, function(page) {
    text <- page_text(page)
    regmatches(text, gregexpr("stablecl_error_[a-z]+", text))
  }))
  expect_setequal(setdiff(unique(named), paste0("stablecl_error_", raised)), character())
  expect_true(all(paste0("stablecl_error_", c("argument", "data", "device")) %in% named))
})

# Articles without a known DOI.
without_doi <- c("DuMouchel, W. H. [(]1983", "Stoyanov", "Ojeda-Revah", "Hesterman", "Kuruoglu", "Nikias",
                 "Genz, A. and Kass", "Haber", "Kern, D. and Alaghband")

test_that("references to articles have a DOI", {
  for (name in names(pages)) {
    entries <- unlist(lapply(parts_of(pages[[name]], "\\references"), function(part)
      strsplit(text_of(part), "\n[[:space:]]*\n")[[1L]]))
    entries <- grep("[(][12][0-9]{3}[)]", entries, value = TRUE)
    no_article <- c("doi", "10[.][0-9]{4}", "ISBN", "Springer", "Birkh", "SIAM", "Technical", "arXiv", without_doi)
    expect_identical(trimws(grep(paste(no_article, collapse = "|"), entries, value = TRUE, invert = TRUE)),
                     character(), info = name)
  }
})

test_that("links lead to existing pages", {
  aliases <- unlist(lapply(pages, function(page) vapply(parts_of(page, "\\alias"), function(a) trimws(text_of(a)), "")))
  links <- function(part) {
    own <- if (identical(attr(part, "Rd_tag"), "\\link")) {
      target <- attr(part, "Rd_option")
      if (is.null(target)) text_of(part) else if (startsWith(text_of(target), "=")) sub("^=", "", text_of(target))
    }
    c(own, if (is.list(part)) unlist(lapply(part, links)))
  }
  base <- unlist(lapply(c("base", "stats", "graphics", "grDevices", "utils", "parallel"), getNamespaceExports))
  for (name in names(pages))
    expect_setequal(setdiff(sub("\\(\\)$", "", unlist(lapply(pages[[name]], links))), c(aliases, base)), character())
})

test_that("the page of the package lists the classes of conditions", {
  text <- page_text(pages[["stablecl-package"]])
  for (class in c(paste0("stablecl_error_", c("argument", "data", "device", "memory", "integral", "untranslatable",
                                              "translation", "unsupported", "worker")),
                  paste0("stablecl_warning_", c("device", "convergence", "interrupted")), "gintegrate_warning_status"))
    expect_match(text, class, fixed = TRUE)
})
