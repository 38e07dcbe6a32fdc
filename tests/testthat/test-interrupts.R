# Interrupts and time limits take effect during a call.  The tests check whether the call under way was stopped, not
# how long that took, so that they cannot fail on a busy machine: compiled code that never polls runs to its end, and
# the interrupt takes effect in the next call or not at all.

many <- 6e7                             # takes a second on two cores, but a moment on a GPU, hence on_processor()

on_processor <- function(threads, code) {
  local_stable_backend("cpu")
  before <- stable_threads(threads)
  on.exit(stable_threads(before), add = TRUE)
  code
}

seconds_now <- function() as.numeric(Sys.time())

# Sends an interrupt in one second; returns the file that will contain the time at which it was sent.
interrupt_me <- function() {
  file <- tempfile()
  system(sprintf("(sleep 1; date +%%s.%%N > %s; kill -INT %d) &", file, Sys.getpid()), wait = TRUE)
  file
}

# Calls f() repeatedly until an interrupt or an error; TRUE if it occurred within the call that was under way when
# the interrupt was sent.  It is sent from within tryCatch(), because on a busy machine it may occur before the first
# call.
stops_call <- function(name, f, send) {
  ended <- 0
  where <- sent <- NULL
  note <- function(condition) where <<- lapply(sys.calls(), `[[`, 1)
  tryCatch(withCallingHandlers({
    sent <- send()
    for (i in 1:1000) {
      f()
      ended <- seconds_now()
    }
  }, interrupt = note, error = note), interrupt = identity, error = identity)
  if (is.character(sent)) sent <- as.numeric(readLines(sent))
  ended < sent && any(vapply(where, identical, NA, as.name(name)))
}

# A call may end before it polls again, hence several tries.
stops_in <- function(name, f, send = interrupt_me, tries = 10) {
  for (i in seq_len(tries)) if (stops_call(name, f, send)) return(TRUE)
  FALSE
}

test_that("an interrupt ends a call, and the next call works", {
  skip_on_cran()
  skip_on_os("windows")
  for (threads in 1:2) on_processor(threads, {
    expect_true(stops_in("rstable", function() rstable(many, 1.5, 0.5)))
    expect_equal(dstable(1, 1, 0), dcauchy(1))
  })
})

test_that("an interrupt ends quantiles with varying shapes", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- seq(0.3, 1.9, length.out = 1e6)
  beta <- seq(-1, 1, length.out = 2^20)
  p <- rep(1e-5, 1e7)                                  # takes about a second on a GPU
  expect_true(stops_in("qstable", function() qstable(p, alpha, beta)))
})

test_that("an interrupt ends the search for elements with the same shape", {
  skip_on_cran()
  skip_on_os("windows")
  alpha <- c(1.2, 1.5, 1.8)
  x <- seq(-3, 3, length.out = 1e7)
  on_processor(2, expect_true(stops_in("dstable", function() dstable(x, alpha, 0.5))))
})

test_that("a time limit is an error that can be caught", {
  skip_on_cran()
  limit_me <- function() {
    setTimeLimit(elapsed = 1, transient = TRUE)
    seconds_now() + 1
  }
  on.exit(setTimeLimit())
  p <- rep(1e-5, 1e7)                                  # R checks its limits only at some of the polls
  alpha <- seq(0.3, 1.9, length.out = 1e6)
  on_processor(2, expect_true(stops_in("qstable", function() qstable(p, alpha, 0.5), limit_me)))
})

# R itself polls for interrupts there, but not within its vector arithmetic.
test_that("an interrupt ends computations in R long before their end", {
  skip_on_cran()
  skip_on_os("windows")
  t <- seq(-3, 3, length.out = 1e7)
  whole <- system.time(stable_cf(t, 1.5, 0.5))[["elapsed"]]
  delay <- function() {
    tryCatch({
      file <- interrupt_me()
      for (i in 1:1000) stable_cf(t, 1.5, 0.5)
    }, interrupt = identity)
    seconds_now() - as.numeric(readLines(file))
  }
  delays <- vapply(1:5, function(i) delay(), 0)
  expect_lt(min(delays), whole / 3)
})

# Returns the seconds for a task that takes 0.1 seconds on an idle machine.
busy <- function() system.time(for (i in 1:3) sort(runif(4e5)))[["elapsed"]]

# --- time limits -------------------------------------------------------------------------------

# Calls f() repeatedly until a time limit is reached; returns R's message, and the seconds from the limit to the end.
limited <- function(f, seconds = 0.5) {
  began <- seconds_now()
  said <- tryCatch({
    setTimeLimit(elapsed = seconds, transient = TRUE)
    repeat {
      f()
      if (seconds_now() > began + seconds + 20) stop("the limit was swallowed")
    }
  }, error = conditionMessage, finally = setTimeLimit())
  list(said = said, late = seconds_now() - began - seconds)
}

# R's byte-code compiler discards a limit that is reached while it runs, hence several tries.
expect_limited <- function(f, name) {
  for (i in 1:3) {
    end <- limited(f)
    if (grepl("reached elapsed time limit", end$said)) break
  }
  expect(grepl("reached elapsed time limit", end$said), paste0(name, ": ", end$said))
  invisible(end)
}

endless <- function(x) {
  s <- 0
  for (i in 1:1000000) for (j in 1:1000000) s <- s + sin(x + i * j)
  s
}

test_that("a time limit ends fits by every method with R's own error", {
  skip_on_cran()
  set.seed(1)
  x <- rstable(20000, 1.5, 0.3)
  on_processor(2, for (method in c("mle", "quantile", "logmoment", "ecf", "grid", "mle2d"))
    expect_limited(function() stablefit(x, method = method), method))
})

test_that("a time limit ends loops in an integrand, translated beforehand or not, by every method", {
  skip_on_cran()
  one <- gtranslate(endless)
  two <- gtranslate(function(x, y) {
    s <- 0
    for (i in 1:1000000) for (j in 1:1000000) s <- s + sin(x + i * y + j)
    s
  })
  on_processor(2, {
    for (method in c("auto", "gk", "tanhsinh", "simpson", "forward", "blockcut")) {
      end <- expect_limited(function() gintegrate(one, 0, 1, method = method), method)
      expect_lt(end$late, 1 + 2 * busy())
      expect_limited(function() gintegrate(one, 0, 1:300, method = method), paste(method, "of many"))
    }
    for (method in c("cubature", "vegas", "lattice", "product"))
      expect_limited(function() gintegrate(two, c(0, 0), 1, method = method), method)
    expect_limited(function() gintegrate(endless, 0, 1), "with a comparison by R")
  })
})

test_that("a time limit ends an integrand with a distribution whose parameters vary from point to point", {
  skip_on_cran()
  f <- gtranslate(function(x) {
    s <- 0
    for (i in 1:100000) s <- s + dstable(x, 1 + x / 2 + i / 1e6, 0.3)
    s
  })
  on_processor(2, expect_limited(function() gintegrate(f, 0, 1), "laws"))
})

test_that("an interrupt keeps finished integrals", {
  skip_on_cran()
  skip_on_os("windows")
  f <- gtranslate(function(x, a) {
    s <- 0
    for (i in 1:20000) s <- s + sin(x + a * i)
    s
  }, dim = 1, params = "a")
  on_processor(2, {
    system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()), wait = TRUE)
    y <- suppressWarnings(gintegrate(f, 0, 1, params = data.frame(a = seq_len(1e5) / 1e5)))
  })
  expect_true(any(y$status == "interrupted"))
  expect_true(all(is.na(y$value[y$status == "interrupted"])))
})

test_that("an interrupt of a function in R gives the status of the integral, in the first call and in others", {
  skip_on_os("windows")
  interrupted <- function(x) {
    tools::pskill(Sys.getpid(), tools::SIGINT * (x[1] > -1))
    Sys.sleep(1)
  }
  f <- function(x) {
    tryCatch(interrupted(x), error = identity)
    exp(x)
  }
  environment(interrupted) <- globalenv()
  assign("interrupted", interrupted, envir = globalenv())
  on.exit(rm(list = "interrupted", envir = globalenv()))
  environment(f) <- globalenv()
  for (k in 1:2) {
    expect_warning(y <- suppressMessages(gintegrate(f, 0, 1)), "1 interrupted", class = "gintegrate_warning_status")
    expect_identical(as.character(y$status), "interrupted")
    expect_identical(y$value, NA_real_)
    expect_identical(y$call, quote(gintegrate(f, 0, 1)))
  }
})

# A kernel cannot be interrupted: the CPU computes slow integrands; with a device selected by name, they are an error.
test_that("the CPU computes loops that are too long for a device, where a time limit ends them", {
  skip_without_device()
  skip_on_cran()
  on.exit(stable_backend("default"))
  one <- gtranslate(endless)
  stable_backend("opencl")
  expect_limited(function() gintegrate(one, 0, 1), "device in force")
  expect_error(gintegrate(one, 0, 1, backend = "opencl"), "cannot be interrupted",
               class = "stablecl_error_unsupported")
})

test_that("a time limit ends integrals of slow integrands on a device", {
  skip_without_device()
  skip_on_cran()
  on.exit(stable_backend("default"))
  f <- gtranslate(function(x) {
    s <- 0
    for (i in 1:10000) s <- s + sin(x + i)
    s
  })
  gintegrate(f, 0, 1, method = "gk", backend = "opencl")           # builds the program, which no limit ends
  expect_limited(function() gintegrate(f, 0, seq(1, 2, length.out = 1e5), method = "gk", backend = "opencl"), "gk")
})

test_that("a bootstrap that is interrupted before its first fit ends as interrupted", {
  compute <- stablecl:::fit_chunk
  on.exit(utils::assignInNamespace("fit_chunk", compute, "stablecl"))
  utils::assignInNamespace("fit_chunk", function(job) {
    signalCondition(structure(list(), class = c("interrupt", "condition")))
  }, "stablecl")
  fit <- stablefit(fit_sample_of(50, 1.5, 0.5))
  for (call in expression(confint(fit, method = "bootstrap"), stable_gof(fit), anova(fit, test = "bootstrap")))
    expect_error(suppressWarnings(eval(call)), "Interrupted before the first", class = "stablecl_error_interrupted")
})
