# Every exported name has a manual page.

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
