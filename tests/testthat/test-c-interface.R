# inst/include/stablecl.h as used by another package, which is built against it (client/).

r_command <- function(...) {
  env <- paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = .Platform$path.sep)))
  suppressWarnings(system2(file.path(R.home("bin"), "R"), c("CMD", ...), stdout = TRUE, stderr = TRUE, env = env))
}

has_failed <- function(output) !is.null(attr(output, "status"))

skip_without_compiler <- function(which) {
  compiler <- strsplit(tail(c("", r_command("config", which)), 1), " ")[[1]][1]
  if (is.na(compiler) || !nzchar(Sys.which(compiler))) skip(paste0("No compiler: R CMD config ", which))
}

client <- new.env()

# Returns the namespace of the client, which is built and installed in its own library on first use.
the_client <- function() {
  skip_without_compiler("CC")
  if (is.null(client$space)) {
    library <- tempfile("client")
    dir.create(library)
    source <- file.path(library, "source")
    dir.create(source)
    file.copy(test_path("client"), source, recursive = TRUE)
    output <- r_command("INSTALL", "--no-docs", paste0("--library=", shQuote(library)),
                        shQuote(file.path(source, "client")))
    if (has_failed(output)) stop(paste(output, collapse = "\n"))
    client$space <- loadNamespace("stableclclient", lib.loc = library)
  }
  client$space
}

x <- c(-1e5, -3, -0.1, 0, 0.7, 12, 1e200, NA, NaN, Inf)

test_that("values are bitwise identical to those of the R functions", {
  call <- the_client()$call_stable
  for (pm in 0:2) for (log in c(TRUE, FALSE)) {
    expect_identical(call("density", x, 1.3, 0.4, 2, -1, pm, c(log, 0)), dstable(x, 1.3, 0.4, 2, -1, pm, log))
    for (lower in c(TRUE, FALSE)) {
      expect_identical(call("distribution", x, 0.8, -1, 2, -1, pm, c(lower, log)),
                       pstable(x, 0.8, -1, 2, -1, pm, lower, log))
      p <- pstable(x, 0.8, -1, 1, 0, 0, lower, log)
      expect_identical(call("quantile", p, 0.8, -1, 2, -1, pm, c(lower, log)),
                       qstable(p, 0.8, -1, 2, -1, pm, lower, log))
    }
    expect_identical(call("score", x, 1.3, 0.4, 2, -1, pm),
                     c(suppressWarnings(unname(stable_score(x, 1.3, 0.4, 2, -1, pm)))))
  }
})

test_that("parameters may vary by element, and invalid ones give NaN without a warning", {
  call <- the_client()$call_stable
  alpha <- c(0.4, 1, 1.7, 2, 3, NA)
  delta <- c(0, -1, 2, 3, 0, 0)
  expect_silent(got <- call("density", 1:6, alpha, 0.2, 1, delta))
  expect_identical(got, suppressWarnings(dstable(1:6, alpha, 0.2, 1, delta)))
  expect_identical(call("density", numeric(), 1, 0), numeric())
})

test_that("threads with one evaluator each give the results of a single thread", {
  call <- the_client()$call_stable
  alpha <- seq(0.3, 2, length.out = 500)
  many <- seq(-50, 50, length.out = 500)
  expect_identical(call("distribution", many, alpha, -0.5, threads = 4), call("distribution", many, alpha, -0.5))
  expect_identical(call("density", many, 1.2, 0.9, threads = 3), call("density", many, 1.2, 0.9))
  expect_identical(call("quantile", (1:500) / 501, 1.2, 0.9, threads = 4), call("quantile", (1:500) / 501, 1.2, 0.9))
})

test_that("random numbers are those of rstable() for its key, starting at any element", {
  call <- the_client()$call_stable
  draw <- function(law, n, first = 0) call("random", numeric(n), law[1], law[2], 2, -1, 1, seed = c(key, first))
  set.seed(3)
  key <- floor(runif(2) * 2^32)
  for (law in list(c(1.6, -0.4), c(1, 0.5), c(0.3, 1))) {
    set.seed(3)
    right <- rstable(1000, law[1], law[2], 2, -1, 1)
    expect_identical(draw(law, 1000), right)
    expect_identical(draw(law, 300, first = 437), right[437 + 1:300])
    expect_identical(call("random", numeric(1000), law[1], law[2], 2, -1, 1, seed = c(key, 0), threads = 3), right)
  }
  expect_false(any(call("random", numeric(9), 1.5, 0, seed = c(key, 2^40)) %in% call("random", numeric(9), 1.5, 0,
                                                                                  seed = c(key, 0))))
})

test_that("long calls use interpolants, within the stated accuracy", {
  call <- the_client()$call_stable
  many <- seq(-20, 20, length.out = 6000)
  expect_equal(call("density", many, 1.5, 0.5, flags = c(1, 0)), dstable(many, 1.5, 0.5, log = TRUE),
               tolerance = 1e-12)
})

test_that("failures return codes with messages, and the evaluator stays usable", {
  answers <- the_client()$wrong_calls()
  expect_identical(answers[[1]], 2L)
  expect_identical(answers[[2]], "pm must be 0, 1 or 2, not 3")
  expect_identical(answers[[3]], 2L)
  expect_match(answers[[4]], "length 0: each must have at least one value")
  expect_identical(answers[[5]], 0L)
  expect_identical(answers[[6]], dstable(0.3, 1.5, 0.5))
  expect_true(the_client()$is_too_old())
})

test_that("the function table and its evaluators keep working after the package is unloaded", {
  library <- dirname(getNamespaceInfo(the_client(), "path"))
  code <- c(
    sprintf("dll <- dyn.load('%s')", file.path(library, "stableclclient", "libs",
                                                paste0("stableclclient", .Platform$dynlib.ext))),
    "routine <- getDLLRegisteredRoutines(dll)$.Call$C_call",
    "values <- function() .Call(routine, 1L, c(-1, 0, 2), list(1.3, 0.4, 2, -1), 0L, c(0L, 0L), c(0, 0, 0), 2L)",
    "before <- values()",
    "unloadNamespace('stablecl')",
    "for (k in 1:20) invisible(gc())",
    "cat(identical(before, values()), identical(before, stablecl::dstable(c(-1, 0, 2), 1.3, 0.4, 2, -1)))")
  expect_identical(in_another_r(code), "TRUE TRUE")
})

test_that("the header compiles as C++", {
  skip_without_compiler("CXX")
  folder <- tempfile("cplusplus")
  dir.create(folder)
  source <- file.path(folder, "header.cpp")
  writeLines(c("#include <stablecl.h>",
               "extern \"C\" int version() { return stablecl_get_api()->version; }"), source)
  include <- shQuote(paste0("-I", system.file("include", package = "stablecl")))
  old <- setwd(folder)
  on.exit(setwd(old))
  writeLines(paste("PKG_CPPFLAGS =", include), "Makevars")
  output <- r_command("SHLIB", "header.cpp")
  expect_false(has_failed(output), info = paste(output, collapse = "\n"))
})
