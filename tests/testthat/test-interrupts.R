# Ctrl-C and time limits take effect within a second.

many <- 6e7

interrupt_me <- function(after) {
  system(sprintf("(sleep %g; kill -INT %d) &", after, Sys.getpid()), wait = TRUE)
}

# What the call takes, however busy the machine.
seconds <- function(expr) {
  time <- system.time(expr)
  min(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
}

# What becomes of calls of f when an interrupt comes after a second.  It is sent from within
# tryCatch(): on a busy machine it may come before the first call.
interrupted <- function(f) tryCatch({
  interrupt_me(1)
  for_long(f)
}, interrupt = function(e) "stopped")

# A fast machine, or a device, is done too soon: again and again, then.
for_long <- function(f) for (i in 1:1000) f()

test_that("an interrupt ends a call, and the next call works", {
  skip_on_cran()
  skip_on_os("windows")
  for (threads in 1:2) {
    stable_threads(threads)
    time <- seconds(result <- interrupted(function() rstable(many, 1.5, 0.5)))
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
  time <- seconds(result <- interrupted(function() qstable(1e-5, alpha, beta)))
  expect_identical(result, "stopped")
  expect_lt(time, 2.2)
})

test_that("a time limit is an error that can be caught", {
  skip_on_cran()
  time <- seconds({
    result <- tryCatch({
      setTimeLimit(elapsed = 0.7, transient = TRUE)
      for_long(function() rstable(many, 1.5, 0.5))
    }, error = conditionMessage, finally = setTimeLimit())
  })
  expect_match(result, "time limit")
  expect_lt(time, 2.2)
})

test_that("an interrupt ends what is computed in R", {
  skip_on_cran()
  skip_on_os("windows")
  t <- seq(-3, 3, length.out = 2e7)
  time <- seconds(result <- interrupted(function() stable_cf(t, 1.5, 0.5)))
  expect_identical(result, "stopped")
  expect_lt(time, 2.2)
})

test_that("an interrupt ends the search for elements that share their shape", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- c(1.2, 1.5, 1.8)
  time <- seconds(result <- interrupted(function() dstable(seq(-3, 3, length.out = 1e7), alpha, 0.5)))
  expect_identical(result, "stopped")
  expect_lt(time, 2.2)
})
