# Ctrl-C and time limits take effect within a second.  The jobs below take many
# seconds if nobody stops them.

many <- 6e7

interrupt_me <- function(after) {
  system(sprintf("(sleep %g; kill -INT %d) &", after, Sys.getpid()), wait = TRUE)
}

seconds <- function(expr) system.time(expr)[["elapsed"]]

test_that("an interrupt ends a call, and the next call works", {
  skip_on_cran()
  skip_on_os("windows")
  for (threads in 1:2) {
    stable_threads(threads)
    interrupt_me(1)
    time <- seconds(result <- tryCatch(rstable(many, 1.5, 0.5), interrupt = function(e) "stopped"))
    expect_identical(result, "stopped")
    expect_lt(time, 2.2)
    expect_equal(dstable(1, 1, 0), dcauchy(1))
  }
  stable_threads(0)
})

test_that("an interrupt ends the quantiles of changing shapes", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- seq(0.3, 1.9, length.out = 1e6)
  beta <- seq(-1, 1, length.out = 2^23)
  interrupt_me(1)
  time <- seconds(result <- tryCatch(qstable(1e-5, alpha, beta), interrupt = function(e) "stopped"))
  if (identical(result, "stopped")) {
    expect_lt(time, 2.2)
  } else {
    # done before the signal came; take it
    tryCatch(Sys.sleep(2), interrupt = identity)
    expect_lt(time, 1.1)
  }
})

test_that("a time limit is an error that can be caught", {
  skip_on_cran()
  time <- seconds({
    result <- tryCatch({
      setTimeLimit(elapsed = 0.7, transient = TRUE)
      rstable(many, 1.5, 0.5)
    }, error = conditionMessage, finally = setTimeLimit())
  })
  expect_match(result, "time limit")
  expect_lt(time, 2.2)
})

test_that("an interrupt ends what is computed in R", {
  skip_on_cran()
  skip_on_os("windows")
  t <- seq(-3, 3, length.out = 2e7)
  interrupt_me(0.3)
  time <- seconds(result <- tryCatch(stable_cf(t, 1.5, 0.5), interrupt = function(e) "stopped"))
  expect_identical(result, "stopped")
  expect_lt(time, 1.5)
})
