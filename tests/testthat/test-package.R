# Citation, news and exported names follow R's conventions.

test_that("the package can be cited", {
  cited <- citation("stablecl")
  expect_length(cited, 1)
  expect_match(cited$note, as.character(packageVersion("stablecl")), fixed = TRUE)
  expect_match(cited$year, "^20[0-9]{2}$")
  expect_match(paste(format(cited, style = "bibtex"), collapse = "\n"), "@Manual")
})

test_that("news() reads NEWS.md", {
  skip_if_not_installed("commonmark")
  skip_if_not_installed("xml2")
  news <- news(package = "stablecl")
  expect_true(as.character(packageVersion("stablecl")) %in% news$Version)
  expect_false(any(attr(news, "bad")))
})

test_that("exported names follow the conventions", {
  exports <- getNamespaceExports("stablecl")
  others <- c("dstable", "pstable", "qstable", "rstable", "dmvstable", "pmvstable", "rmvstable", "stablefit",
              "mvstablefit", "mvstable_projection", "mvstable_spectral", "mvspectralfit", "gintegrate", "gtranslate",
              "local_stable_backend", "stableMode", "dist_stable")
  expect_setequal(grep("^stable_", exports, value = TRUE, invert = TRUE), others)
})

# A later definition replaces an earlier one without a message.
test_that("no name is defined twice in the R code", {
  folder <- test_path("..", "..", "R")
  if (!dir.exists(folder)) skip("not in a checkout: the sources are not part of the package")
  name_of <- function(e) {
    named <- is.call(e) && identical(e[[1]], quote(`<-`)) && (is.symbol(e[[2]]) || is.character(e[[2]]))
    if (named) as.character(e[[2]])
  }
  files <- list.files(folder, "[.]R$", full.names = TRUE)
  names <- unlist(lapply(files, function(file) lapply(parse(file), name_of)))
  expect_gt(length(names), 1000)
  expect_identical(unique(names[duplicated(names)]), character())
})
