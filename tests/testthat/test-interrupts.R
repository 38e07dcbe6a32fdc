# Ctrl-C and time limits take effect while a call is under way.  How long that takes is not asked
# here, only whether the call that was under way came to its end first: so a busy machine cannot
# fail these tests, and a loop that never looks does, each time.

many <- 6e7

seconds_now <- function() as.numeric(Sys.time())

# An interrupt a second from now, and the time at which it was sent, in `file`.
interrupt_me <- function(file) {
  system(sprintf("(sleep 1; date +%%s.%%N > %s; kill -INT %d) &", file, Sys.getpid()), wait = TRUE)
}

# Calls f until an interrupt comes: did any call end after it was sent?  It is sent from within
# tryCatch(): on a busy machine it may come before the first call.
runs_on <- function(f) {
  file <- tempfile()
  ended <- numeric()
  tryCatch({
    interrupt_me(file)
    for (i in 1:1000) {
      f()
      ended <- c(ended, seconds_now())
    }
  }, interrupt = identity)
  sent <- as.numeric(readLines(file))
  skip_if_short(sum(ended < sent))
  any(ended > sent)
}

# Calls that end by themselves within a quarter of a second need not look.
skip_if_short <- function(calls_in_a_second) {
  if (calls_in_a_second > 3) skip("calls are over before they could be interrupted here")
}

# A call may end by itself before it looks again: hence several tries.
stops_calls <- function(f, tries = 10) {
  for (i in seq_len(tries)) if (!runs_on(f)) return(TRUE)
  FALSE
}

test_that("an interrupt ends a call, and the next call works", {
  skip_on_cran()
  skip_on_os("windows")
  draw <- function() rstable(many, 1.5, 0.5)
  for (threads in 1:2) {
    stable_threads(threads)
    expect_true(stops_calls(draw))
    expect_equal(dstable(1, 1, 0), dcauchy(1))
  }
  stable_threads(0)
})

test_that("an interrupt ends the quantiles of changing shapes", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- seq(0.3, 1.9, length.out = 1e6)
  beta <- seq(-1, 1, length.out = 2^23)
  expect_true(stops_calls(function() qstable(1e-5, alpha, beta)))
})

test_that("an interrupt ends what is computed in R", {
  skip_on_cran()
  skip_on_os("windows")
  t <- seq(-3, 3, length.out = 2e7)
  expect_true(stops_calls(function() stable_cf(t, 1.5, 0.5)))
})

test_that("an interrupt ends the search for elements that share their shape", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- c(1.2, 1.5, 1.8)
  expect_true(stops_calls(function() dstable(seq(-3, 3, length.out = 1e7), alpha, 0.5)))
})

test_that("a time limit is an error that can be caught", {
  skip_on_cran()
  stops <- function() {
    ended <- numeric()
    limit <- seconds_now() + 1
    message <- tryCatch({
      setTimeLimit(elapsed = 1, transient = TRUE)
      for (i in 1:1000) {
        rstable(many, 1.5, 0.5)
        ended <- c(ended, seconds_now())
      }
    }, error = conditionMessage, finally = setTimeLimit())
    expect_match(message, "time limit")
    skip_if_short(sum(ended < limit))
    !any(ended > limit + 0.1)                     # R looks at its clock now and then only
  }
  stopped <- FALSE
  for (i in 1:10) stopped <- stopped || stops()
  expect_true(stopped)
})
