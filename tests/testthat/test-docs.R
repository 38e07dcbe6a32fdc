# Manual pages and the tables of the vignettes are complete.

test_that("every export is documented", {
  exports <- getNamespaceExports("stablecl")
  aliases <- tools::Rd_db("stablecl")
  topics <- unlist(lapply(aliases, function(page) {
    tags <- vapply(page, attr, "", "Rd_tag")
    vapply(page[tags == "\\alias"], function(a) trimws(paste(unlist(a), collapse = "")), "")
  }), use.names = FALSE)
  expect_gt(length(exports), 3)
  expect_setequal(setdiff(exports, topics), character())
})

test_that("figures in the vignettes agree with bench/ (otherwise run bench/vignette-tables.R)", {
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "bench"))) skip("not in a checkout: bench/ is not part of the package")
  for (file in list.files(file.path(root, "vignettes", "tables"), "^speed-.*csv$", full.names = TRUE)) {
    source <- sub("^# From (.*) by .*", "\\1", readLines(file, 1))
    lines <- readLines(file.path(root, source))
    table <- utils::read.csv(file, comment.char = "#", colClasses = "character", check.names = FALSE)
    cells <- table[setdiff(names(table), "function")]      # this column is a heading in the source
    found <- apply(cells, 1, function(row) any(Reduce(`&`, lapply(row, grepl, lines, fixed = TRUE))))
    expect_true(nrow(table) > 0 && all(found), label = basename(file))
  }
})

test_that("every word of the documentation is in the dictionary or in inst/WORDLIST", {
  skip_if_not_installed("spelling")
  root <- test_path("..", "..")
  if (!file.exists(file.path(root, "DESCRIPTION"))) skip("not in a checkout: the sources of the documentation are needed")
  found <- spelling::spell_check_package(root, vignettes = TRUE)
  expect_identical(found$word, character())
  words <- readLines(file.path(root, "inst", "WORDLIST"))
  expect_false(anyDuplicated(words) > 0)
})

test_that("the Shiny app of the cookbook runs", {
  skip_if_not_installed("shiny")
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "vignettes"))) skip("not in a checkout: the sources of the vignettes are needed")
  code <- readLines(file.path(root, "vignettes", "cookbook.Rmd"))
  code <- code[grep("^ui <- ", code):(grep("^shinyApp", code) - 1)]
  app <- new.env(parent = asNamespace("shiny"))
  app$dstable <- dstable
  app$stable_es <- stable_es
  eval(parse(text = code), app)
  expect_s3_class(app$ui, "shiny.tag.list")
  shiny::testServer(function(input, output, session) app$server(input, output), {
    session$setInputs(alpha = 1.5, beta = 0.2)
    expect_match(output$shortfall, sprintf("%.3f", stable_es(0.01, 1.5, 0.2)), fixed = TRUE)
    expect_match(output$density$src, "^data:image/png")
    session$setInputs(alpha = 0.9)
    expect_match(output$shortfall, "infinite")
  })
})
