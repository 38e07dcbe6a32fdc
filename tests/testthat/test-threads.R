in_new_r <- function(code, ...) {
  env <- c(paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)),
           "_R_CHECK_PACKAGE_NAME_=", "_R_CHECK_LIMIT_CORES_=", "OMP_NUM_THREADS=",
           "OMP_THREAD_LIMIT=", "STABLECL_THREADS=", ...)
  rscript <- file.path(R.home("bin"), "Rscript")
  text <- paste0("library(stablecl); ", code)
  out <- suppressWarnings(system2(rscript, c("--vanilla", "-e", shQuote(text)), stdout = TRUE,
                                  stderr = FALSE, env = env))
  as.numeric(out)
}

has_openmp <- function() {
  before <- stable_threads(2)
  on.exit(stable_threads(0))
  stable_threads() == 2
}

test_that("stable_threads() gets and sets the number of threads, and returns the previous number", {
  stable_threads(0)
  default <- stable_threads()
  expect_true(default >= 1)
  visible <- withVisible(stable_threads(1))
  expect_false(visible$visible)
  expect_equal(visible$value, default)
  expect_true(withVisible(stable_threads())$visible)
  expect_equal(stable_threads(0), 1)
  expect_equal(stable_threads(), default)
  for (bad in list(-1, NA, "2", c(1, 2), Inf, 1e9)) {
    expect_error(stable_threads(bad), "`n` must be a number of threads")
  }
})

test_that("the option is used unless stable_threads() was called", {
  skip_if_not(has_openmp(), "built without OpenMP")
  stable_threads(0)
  old <- options(stablecl.threads = 1)
  on.exit({
    options(old)
    stable_threads(0)
  })
  expect_equal(stable_threads(), 1)
  stable_threads(2)
  expect_equal(stable_threads(), 2)
  stable_threads(0)
  options(stablecl.threads = "nonsense")
  expect_true(stable_threads() >= 1)
})

test_that("environment variables set or limit the number of threads", {
  skip_on_os("windows")
  skip_if_not(has_openmp(), "built without OpenMP")
  show <- "cat(stable_threads())"
  if (nzchar(Sys.which("nproc"))) {                      # nproc respects the processor affinity
    nproc <- "env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc"
    processors <- as.numeric(system(nproc, intern = TRUE))
    expect_equal(in_new_r(show), max(1, processors %/% 2))
  }
  expect_equal(in_new_r(show, "STABLECL_THREADS=3"), 3)
  expect_equal(in_new_r(show, "STABLECL_THREADS=3", "OMP_NUM_THREADS=2"), 2)
  expect_equal(in_new_r(show, "STABLECL_THREADS=3", "OMP_THREAD_LIMIT=1"), 1)
  expect_equal(in_new_r(show, "STABLECL_THREADS=7", "_R_CHECK_LIMIT_CORES_=TRUE"), 2)
  expect_equal(in_new_r(show, "STABLECL_THREADS=7", "_R_CHECK_PACKAGE_NAME_=some"), 2)
  expect_true(in_new_r(show, "STABLECL_THREADS=nonsense") >= 1)
  set <- "stable_threads(5); cat(stable_threads())"
  expect_equal(in_new_r(set, "OMP_NUM_THREADS=2"), 5)
  expect_equal(in_new_r(set, "OMP_THREAD_LIMIT=2"), 2)
  expect_equal(in_new_r(set, "_R_CHECK_LIMIT_CORES_=TRUE"), 2)
  expect_equal(in_new_r("options(stablecl.threads = 4); cat(stable_threads())",
                        "STABLECL_THREADS=3"), 4)
})

test_that("results do not depend on the number of threads", {
  set.seed(41)
  x <- rcauchy(60013)                             # enough for several threads with one shape, ...
  few <- x[1:3001]                                # ... and with shapes that vary
  shapes <- list(alpha = c(0.5, 1, 1.5)[1 + (seq_along(few) %% 3)], beta = runif(7, -1, 1))
  p <- runif(11003)
  jobs <- list(
    quote(dstable(x, 1, 0)),
    quote(dstable(few, shapes$alpha, shapes$beta, pm = 1, log = TRUE)),
    quote(pstable(x, 1.5, 0.5, 2, 1)),
    quote(qstable(p, 1.5, 0.5)),
    quote(stable_eval(few, 0.7, shapes$beta)),
    quote(stable_mode(shapes$alpha[1:100], shapes$beta)))
  for (job in jobs) {
    y <- with_threads(eval(job), threads = c(1, 2, 5))
    expect_identical(y[[1]], y[[2]])
    expect_identical(y[[1]], y[[3]])
  }
})

test_that("a forked process computes on one thread and does not hang", {
  skip_on_os("windows")
  stable_threads(2)
  on.exit(stable_threads(0))
  x <- seq(-3, 3, length.out = 50000)
  here <- dstable(x, 1, 0)                        # the parent has started its threads
  there <- in_fork({
    stable_threads(2)
    list(threads = stable_threads(), y = dstable(x, 1, 0), q = qstable(0.75, 1, 0))
  })
  expect_equal(there$threads, 1)
  expect_identical(there$y, here)
  expect_equal(there$q, 1)
  # the parent still computes the same values
  expect_identical(dstable(x, 1, 0), here)
  several <- in_forks(1:4, function(i) dstable(x, 1, 0, gamma = i))
  expect_identical(several[[1]], here)
})

test_that("a process that has not used threads can fork, too", {
  skip_on_os("windows")
  code <- "f <- function(i) sum(pstable(seq(-3, 3, length.out = 5e4), 1, 0))
           x <- parallel::mclapply(1:2, f)
           cat(x[[1]] == x[[2]])"
  rscript <- file.path(R.home("bin"), "Rscript")
  env <- paste0("R_LIBS=", paste(.libPaths(), collapse = ":"))
  out <- system2(rscript, c("--vanilla", "-e", shQuote(paste("library(stablecl)", code, sep = "\n"))),
                 stdout = TRUE, env = env, timeout = 60)
  expect_identical(out, "TRUE")
})
