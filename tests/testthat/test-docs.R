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

test_that("pages in bench/ name the script that made them, with the arguments that it was given", {
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "bench"))) skip("not in a checkout: bench/ is not part of the package")
  files <- function(pattern) list.files(file.path(root, "bench"), pattern, full.names = TRUE, recursive = TRUE)
  for (page in files("[.]md$")) {
    head <- paste(readLines(page, 6), collapse = " ")
    command <- regmatches(head, regexpr("`(Rscript )?bench/[^`]+`", head))
    expect_length(command, 1)
    expect_true(file.exists(file.path(root, sub("^`(Rscript )?([^ `]+).*", "\\2", command))), label = page)
    written <- sub(".* > (.*)`", "\\1", command)
    # bench/plans.R made plans-xeon.md on another machine.
    if (written != command && basename(page) != "plans-xeon.md")
      expect_identical(basename(written), basename(page), label = page)
  }
  # Scripts that read arguments print them by made_by() (bench/page.R) or by an expression within the command.
  for (script in files("[.]R$")) {
    code <- grep("^ *#", readLines(script), value = TRUE, invert = TRUE)
    if (any(grepl("commandArgs\\(|= option\\(|<- option\\(", code)))
      expect_false(any(grepl("by `Rscript bench/[^ `]+[.]R( >|`)", code)), label = script)
  }
  sys.source(file.path(root, "bench", "page.R"), page <- new.env())
  expect_identical(page$made_by("bench/gpu/fits.R", arguments = c("NVIDIA", "parts")),
                   "Made by `Rscript bench/gpu/fits.R NVIDIA parts > bench/gpu/fits.md`")
  expect_identical(page$made_by("bench/genz.R", "bench/gpu/genz.md", character()),
                   "Made by `Rscript bench/genz.R > bench/gpu/genz.md`")
})

test_that("the badges of README.md state the facts of DESCRIPTION (otherwise run data-raw/badges.R)", {
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "data-raw"))) skip("not in a checkout: data-raw/ is not part of the package")
  drawn <- tempfile()
  dir.create(drawn)
  old <- setwd(root)
  on.exit(setwd(old))
  run <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "data-raw/badges.R", drawn))
  expect_equal(run, 0L)
  badges <- list.files(drawn)
  expect_length(badges, 4)
  for (badge in badges)
    expect_identical(readLines(file.path(drawn, badge)), readLines(file.path("man", "figures", badge)), label = badge)
  expect_true(all(vapply(badges, grepl, NA, paste(readLines("README.md"), collapse = " "), fixed = TRUE)))
})

test_that("cran-comments.md states the installed sizes of library, tables and R code", {
  file <- test_path("..", "..", "cran-comments.md")
  if (!file.exists(file)) skip("not in a checkout: cran-comments.md is not part of the package")
  if (!grepl("-g", system2(file.path(R.home("bin"), "R"), c("CMD", "config", "CFLAGS"), stdout = TRUE)))
    skip("the flags of R add no debugging information")
  text <- paste(readLines(file), collapse = " ")
  # Returns the size in units of 2^20 bytes that R CMD check states for a folder of the installed package.
  size <- function(folder) {
    files <- list.files(system.file(folder, package = "stablecl"), full.names = TRUE, recursive = TRUE)
    sum(file.size(files)) / 2^20
  }
  stated <- function(pattern) as.numeric(sub(paste0(".*", pattern, ".*"), "\\1", text))
  expect_lt(abs(stated("library takes ([0-9.]+) Mb") / size("libs") - 1), 0.1)
  expect_lt(abs(stated("log-likelihoods take ([0-9.]+) Mb") / size("tables") - 1), 0.1)
  expect_lt(abs(stated("R code ([0-9.]+) Mb") / size("R") - 1), 0.1)
})

test_that("the citation and codemeta.json state the title, version and authors of DESCRIPTION", {
  facts <- utils::packageDescription("stablecl")
  authors <- eval(str2lang(facts$`Authors@R`))
  cited <- utils::citation("stablecl")
  names_of <- function(people) format(people, include = c("given", "family"))
  expect_identical(names_of(cited$author), names_of(authors))
  expect_identical(cited$title, paste0("stablecl: ", facts$Title))
  expect_match(cited$note, facts$Version, fixed = TRUE)
  file <- test_path("..", "..", "codemeta.json")
  if (!file.exists(file)) skip("not in a checkout: codemeta.json is not part of the package")
  entries <- gsub("[[:space:]]+", " ", paste(readLines(file), collapse = " "))
  for (entry in sprintf("\"%s\": \"%s\"", c("name", "version"), c(cited$title, facts$Version)))
    expect_match(entries, entry, fixed = TRUE)
  stated <- sub("^.*\"author\": \\[([^]]*)\\].*$", "\\1", entries)
  expect_length(strsplit(stated, "\"@type\"")[[1]], length(authors) + 1)
  for (word in c(unlist(authors$given), unlist(authors$family), unlist(authors$email)))
    expect_match(stated, paste0("\"", word, "\""), fixed = TRUE)
  for (other in c("LICENSE", "cran-comments.md", "paper/paper.md")) for (name in names_of(authors))
    expect_match(paste(readLines(file.path(dirname(file), other)), collapse = " "), name, fixed = TRUE, label = other)
})

test_that("every word of the documentation is in the dictionary or in inst/WORDLIST", {
  skip_if_not_installed("spelling")
  root <- test_path("..", "..")
  if (!file.exists(file.path(root, "DESCRIPTION")))
    skip("not in a checkout: the sources of the documentation are needed")
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

test_that("the model of the cookbook for nimble samples the posterior distribution", {
  skip_on_cran()
  skip_if_not_installed("nimble")
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "vignettes"))) skip("not in a checkout: the sources of the vignettes are needed")
  lines <- readLines(file.path(root, "vignettes", "cookbook.Rmd"))
  start <- grep("^```[{]r nimble,", lines)
  ends <- grep("^```$", lines)
  code <- lines[(start + 1):(min(ends[ends > start]) - 1)]
  file <- tempfile(fileext = ".R")
  result <- tempfile(fileext = ".rds")
  on.exit(unlink(c(file, result)))
  before <- c("library(stablecl)", "dax <- as.vector(100 * diff(log(EuStockMarkets[, \"DAX\"])))",
              "fit <- stablefit(dax)")
  # nimble looks up loglik_of() in the global environment, hence the process of its own
  writeLines(c(before, code, sprintf("saveRDS(nimble_draws, \"%s\")", result)), file)
  output <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), file, stdout = TRUE, stderr = TRUE))
  expect_true(file.exists(result), label = paste(utils::tail(output, 5), collapse = "\n"))
  draws <- readRDS(result)
  fit <- stablefit(as.vector(100 * diff(log(EuStockMarkets[, "DAX"]))))
  expect_equal(unname(colMeans(draws)[c("alpha", "beta", "delta")]), unname(coef(fit)[c("alpha", "beta", "delta")]),
               tolerance = 0.02)
  expect_lt(max(abs(quantile(draws[, "alpha"], c(0.025, 0.975)) - confint(fit, "alpha", method = "profile"))), 0.02)
})

test_that("the integrals of README.md and of the paper converge", {
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "paper"))) skip("not in a checkout: paper/ is not part of the package")
  for (page in c("README.md", "paper/paper.md")) {
    lines <- readLines(file.path(root, page))
    start <- grep("^gintegrate[(]", lines)
    expect_length(start, 1)
    ends <- grep("^```", lines)
    result <- eval(parse(text = lines[start:(min(ends[ends > start]) - 1)]))
    expect_true(all(result$status == "converged"), label = page)
    expect_equal(result$value, sqrt(pi) * exp(-(1:1000 / 200)^2 / 4), tolerance = 1e-6)
  }
})

test_that("figures in the paper are those of their sources", {
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "paper"))) skip("not in a checkout: paper/ is not part of the package")
  paper <- paste(readLines(file.path(root, "paper", "paper.md"), encoding = "UTF-8"), collapse = " ")
  agree <- function(words, file, row, column, value = function(cell) cell) {
    line <- grep(row, readLines(file.path(root, file), encoding = "UTF-8"), value = TRUE, fixed = TRUE)
    expect_gt(length(line), 0)
    cell <- trimws(strsplit(line[1], "|", fixed = TRUE)[[1]])[column + 1]
    expect_true(grepl(sprintf(words, value(cell)), paper, fixed = TRUE), label = paste(words, cell))
  }
  digits <- function(n) function(cell) format(as.numeric(cell), digits = n)
  agree("error of the density, on the scale of its logarithm, is %s,", "README.md", "| all |", 2)
  agree("and that of the distribution function %s.", "README.md", "| all |", 3)
  agree("One thread takes %s microseconds", "README.md", "| dstable | 10000 |", 3, digits(2))
  agree("`stabledist` %s (", "README.md", "| dstable | 10000 |", 4)
  agree("`libstable4u` %s and", "README.md", "| dstable | 10000 |", 5, digits(2))
  power <- function(cell) sub("e[+]0?", "e", format(as.numeric(cell), digits = 3, scientific = TRUE))
  agree("computes %s densities a second", "README.md", "| density, (1.5, 0.5) |", 4, power)
  agree("and %s including the transfer", "README.md", "| density, (1.5, 0.5) |", 3, power)
  fits <- readLines(file.path(root, "bench", "fit.md"))
  median <- sub(".*median ([0-9.]+) ms.*", "\\1", grep("^Over all shapes and samples", fits, value = TRUE))
  expect_match(paper, paste(median, "milliseconds in the median over 20 pairs"), fixed = TRUE)
  vignettes <- list.files(file.path(root, "vignettes"), "[.]Rmd$")
  expect_match(paper, paste(c("Nine", "Ten", "Eleven", "Twelve")[length(vignettes) - 8], "vignettes"), fixed = TRUE)
})

test_that("the scripts of the vignettes contain only code that their readers see, and run in an empty folder", {
  skip_on_cran()
  skip_if_not_installed("knitr")
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "vignettes"))) skip("not in a checkout: the sources of the vignettes are needed")
  folder <- tempfile("scripts")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  scripts <- vapply(list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE), function(vignette) {
    script <- file.path(folder, sub("[.]Rmd$", ".R", basename(vignette)))
    utils::capture.output(knitr::purl(vignette, script, quiet = TRUE))
    script
  }, "")
  for (script in scripts) {
    code <- parse(script)
    expect_gt(length(code), 2, label = basename(script))
    expect_identical(intersect(all.names(code), c("stopifnot", "read_table", "source")), character(),
                     label = basename(script))
  }
  for (script in grep("(getting-started|faq|integration|methods|devices|risk)[.]R$", scripts, value = TRUE)) {
    run <- sprintf("setwd('%s'); options(device = function(...) pdf(NULL)); source('%s')", folder, basename(script))
    expect_equal(system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(run)), stdout = FALSE, stderr = FALSE),
                 0L,
                 label = basename(script))
  }
})

# Returns the code of each section of a vignette, by title, that its readers see and that is run; "" is the title of the
# first lines.
code_by_section <- function(lines) {
  fence <- grepl("^```", lines)
  inside <- cumsum(fence) %% 2 == 1 & !fence
  opening <- ifelse(inside, lines[cummax(ifelse(fence, seq_along(lines), 1))], "")
  shown <- grepl("^```[{]r", opening) & !grepl("include = FALSE|eval = FALSE", opening)
  is_title <- grepl("^## ", lines) & !inside
  titles <- c("", sub("^## ", "", lines[is_title]))
  section <- factor(titles[cumsum(is_title) + 1], titles)
  split(lines[shown], section[shown])
}

test_that("each recipe of the cookbook runs after the first lines alone", {
  skip_on_cran()
  root <- test_path("..", "..")
  if (!dir.exists(file.path(root, "vignettes"))) skip("not in a checkout: the sources of the vignettes are needed")
  code <- code_by_section(readLines(file.path(root, "vignettes", "cookbook.Rmd"), encoding = "UTF-8"))
  code <- code[lengths(code) > 0]
  expect_gt(length(code), 7)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
  if (!is.null(seed)) on.exit(assign(".Random.seed", seed, globalenv()), add = TRUE)
  for (title in names(code)[-1]) {
    frame <- new.env(parent = globalenv())
    run <- function() for (call in parse(text = c(code[[1]], code[[title]]), keep.source = FALSE)) eval(call, frame)
    settings <- graphics::par("mfrow")
    expect_error(run(), NA, label = title)
    expect_identical(graphics::par("mfrow"), settings, label = paste("par(mfrow) after", title))
  }
})
