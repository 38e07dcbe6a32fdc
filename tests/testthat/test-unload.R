# The package is unloaded while objects, functions, fork handlers and other packages still refer to its code.

# Returns the output of a new process, which must end without failure.
prints <- function(...) {
  output <- in_another_r(c(...))
  expect_null(attr(output, "status"))
  paste(output, collapse = "\n")
}

sample <- c("x <- (1:200 - 100.5)^3 / 1e5", "h <- stable_data(x)")
unload <- "unloadNamespace('stablecl')"

test_that("a handle can be collected after the package is unloaded, and at the end of the session", {
  expect_identical(prints(sample, unload, "rm(h)", "invisible(gc())", "cat('alive')"), "alive")
  expect_identical(prints(sample, unload, "cat('alive')", "quit()"), "alive")
  expect_identical(prints(sample, "rm(h)", unload, "for (k in 1:5) invisible(gc())", "cat('alive')"), "alive")
})

test_that("a handle works after the package is loaded again", {
  expect_identical(prints(sample, "right <- coef(stablefit(x))", unload, "library(stablecl)",
                          "cat(identical(coef(stablefit(h)), right))",
                          "other <- stable_data(rev(x) + 1)",
                          "cat('', identical(coef(stablefit(h)), right))"), "TRUE TRUE")
})

test_that("a handle with a copy on a device can be collected after the package is unloaded", {
  skip_without_device()
  expect_identical(prints(sample, "stable_backend('opencl')", "fit <- stablefit(h)", unload, "library(stablecl)",
                          "stable_backend('opencl')", "cat(identical(coef(stablefit(h)), coef(fit)))", unload,
                          "rm(h)", "invisible(gc())"), "TRUE")
})

test_that("functions that a user has kept work after the package is unloaded", {
  expect_identical(prints("f <- dstable", "s <- stable_quick", "before <- list(f(0:3, 1.2, 0.3), s(0:3, 1.2, 0.3))",
                          unload,
                          "for (k in 1:5) invisible(gc())",
                          "cat(identical(list(f(0:3, 1.2, 0.3), s(0:3, 1.2, 0.3)), before))",
                          "cat('', inherits(try(f(0, 1, 0, pm = 7), silent = TRUE), 'try-error'))"), "TRUE TRUE")
})

test_that("a process can fork after the package is unloaded", {
  skip_on_os("windows")
  expect_identical(prints("large <- dstable(seq(-5, 5, length.out = 1e5), 1.5, 0.5)", unload,
                          "job <- parallel::mcparallel(6 * 7)", "cat(parallel::mccollect(job)[[1]])",
                          "job <- parallel::mcparallel(stablecl::dstable(0, 1, 0) * pi)",
                          "cat('', parallel::mccollect(job)[[1]])"), "42 1")
})

test_that("an integrand may unload the package", {
  expect_identical(prints("f <- function(x) { unloadNamespace('stablecl'); x^2 }",
                          "cat(all.equal(gintegrate(f, 0, 3)$value, 9))"), "TRUE")
})

test_that("settings are reset when the package is loaded again", {
  expect_identical(prints("before <- stable_cache()$limit", "stable_cache(1e6)", "stable_threads(1)",
                          "stable_backend('cpu')", "threads <- stablecl:::stable_threads()", unload,
                          "library(stablecl)",
                          "cat(stable_cache()$limit == before, stable_backend()$source)"), "TRUE default")
})

test_that("a package that is loaded repeatedly computes the same values", {
  expect_identical(prints("for (k in 1:20) { unloadNamespace('stablecl'); library(stablecl); y <- dstable(0, 1, 0) }",
                          "cat(all.equal(y, 1 / pi))"), "TRUE")
})
