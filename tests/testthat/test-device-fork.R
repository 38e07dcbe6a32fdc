# A forked child inherits the memory of the parent's session but not the driver's threads.

test_that("a forked child of a process that uses a device computes on the CPU", {
  skip_without_device()
  skip_on_os("windows")
  on.exit(stable_backend("default"))
  x <- seq(-3, 3, length.out = 20000)
  stable_backend("cpu")
  right <- dstable(x, 1.5, 0.5)
  stable_backend("opencl")
  here <- dstable(x, 1.5, 0.5)
  devices <- stable_devices()
  there <- in_fork(list(
    y = dstable(x, 1.5, 0.5), q = qstable(0.75, 1, 0), devices = stable_devices(), state = stable_backend(),
    again = {stable_backend("opencl:1"); dstable(1, 1, 0)}))
  expect_false(is.null(there), "the child hangs")
  expect_identical(there$y, right)
  expect_equal(there$q, 1)
  expect_equal(there$again, dcauchy(1))
  expect_identical(there$devices, devices)
  expect_true(there$state$forked)
  expect_identical(there$state$backend, "cpu")
  expect_output(print(there$state), "forked process")
  # the parent's session is unchanged
  expect_true(stable_backend()$open)
  expect_identical(dstable(x, 1.5, 0.5), here)
})

test_that("closing devices in a forked child does not affect the parent's session", {
  skip_without_device()
  skip_on_os("windows")
  on.exit(stable_backend("default"))
  stable_backend("opencl")
  here <- dstable(-2:2, 1.5, 0.5)
  expect_identical(in_fork({.Call(stablecl:::C_close_devices, TRUE); "done"}), "done")
  expect_identical(dstable(-2:2, 1.5, 0.5), here)
})

test_that("a forked child does not search for devices if its parent has not", {
  skip_on_cran()
  skip_on_os("windows")
  out <- in_another_r(c(
    "f <- function(i) list(nrow(stable_devices()), dstable(1, 1, 0), stable_backend()$backend,",
    "                      tryCatch({stable_backend('opencl'); dstable(1, 1, 0)}, error = conditionMessage))",
    "for (x in parallel::mclapply(1:2, f, mc.cores = 2)) cat(unlist(x), '\n')"), timeout = 60)
  expect_identical(trimws(out), rep(paste(0, dcauchy(1), "cpu", dcauchy(1)), 2))
})

test_that("two processes can use a device at the same time, and end without messages", {
  skip_without_device()
  code <- c("stable_backend('opencl')",
            "x <- seq(-3, 3, length.out = 2e4)",
            "until <- Sys.time() + 2",
            "while (Sys.time() < until) y <- dstable(x, 1.5, 0.5)",
            "cat(stable_backend()$open, format(sum(y), digits = 12))")
  rscript <- file.path(R.home("bin"), "Rscript")
  script <- tempfile(fileext = ".R")
  out <- tempfile(c("one", "two"))
  on.exit(unlink(c(script, out)))
  writeLines(c("library(stablecl)", code), script)
  env <- paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
  system2(rscript, c("--vanilla", script), stdout = out[1], stderr = out[1], env = env, wait = FALSE)
  system2(rscript, c("--vanilla", script), stdout = out[2], stderr = out[2], env = env, timeout = 120)
  for (wait in 1:200) {
    if (length(readLines(out[1], warn = FALSE))) break
    Sys.sleep(0.1)
  }
  right <- paste("TRUE", format(sum(dstable(seq(-3, 3, length.out = 2e4), 1.5, 0.5)), digits = 12))
  expect_identical(readLines(out[1], warn = FALSE), right)
  expect_identical(readLines(out[2], warn = FALSE), right)
})

test_that("unloading the package releases the device, and the package can be loaded again", {
  skip_without_device()
  out <- in_another_r(c(
    "stable_backend('opencl')",
    "y <- dstable(-2:2, 1.5, 0.5)",
    "unloadNamespace('stablecl')",
    "library(stablecl)",
    "stable_backend('opencl')",
    "cat(all.equal(y, dstable(-2:2, 1.5, 0.5)), stable_backend()$open)"))
  expect_identical(out, "TRUE TRUE")
})
