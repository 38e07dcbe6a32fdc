# tools/gctorture.R: calls the entry points with a garbage collection at every allocation, which
# overwrites unprotected objects immediately.  Each call must return the same value and conditions
# as without these collections.
library(stablecl)

outcome <- function(call) {
  conditions <- character()
  note <- function(c) {
    conditions <<- c(conditions, paste(class(c)[1], conditionMessage(c)))
    if (inherits(c, "warning")) invokeRestart("muffleWarning")
  }
  value <- tryCatch(withCallingHandlers(eval(call), warning = note),
                    error = function(e) { note(e); NULL })
  list(value, conditions)
}

x <- c(a = -3, b = 0.2, c = NA, d = Inf, e = 40)
p <- matrix(c(0, 0.01, 0.5, 0.9999, 1, NaN), 2)
quick <- expression(
  dstable(x, c(0.5, 1, 1.5, 2), 0.3, log = TRUE), dstable(x, 3, 0), dstable("a", 1, 0),
  dstable(numeric(), 1, 0), dstable(1L, 1L, TRUE), dstable(1, 1.5, 0, pm = 7),
  dstable(1, 1.5, 0, 0, 1), dstable(ts(1:5), 1.5, 0, log = NA),
  pstable(x, 1.5, c(-1, 1), 2, 1, pm = 1), pstable(x, 0.5, 1, -1), pstable(NULL, 1, 0),
  pstable(x, 1.2, 0.1, lower.tail = FALSE, log.p = TRUE), pstable(list(1), 1, 0),
  qstable(p, 0.8, 0.5), qstable(log(p), 1.3, 1, log.p = TRUE), qstable(2, 1.5, 0),
  qstable(p, 1.5, 0, pm = "S2"), qstable("a", 1, 0),
  {set.seed(1); rstable(5, 1.5, 0.5, 2, 1)}, {set.seed(1); rstable(p, c(0.3, 3), 0.5)},
  rstable(-1, 1, 0), rstable(NA, 1, 0), rstable(2, numeric(), 0), rstable("a", 1, 0),
  stable_eval(x, 1.5, 0.5), stable_eval(x, 1.5, 0.5, what = c("error", "sf")),
  stable_eval(x, 3, 0), stable_eval(x, 1.5, 0.5, what = "none"), stable_eval("a", 1, 0),
  stable_mode(c(0.5, 1, 1.5, 2), 0.8), stable_mode(1.5, 2), stable_mode("a", 0),
  stable_cf(x, 1.5, 0.5), stable_cf(x, 1, 0.5, pm = 1), stable_cf("a", 1, 0),
  stable_cf(x, 3, 0), stable_convert(1.5, 0.5, 2, 1, from = 0, to = 2),
  stable_convert(1, 0.5, 2, 1, from = 1, to = 0), stable_convert(3, 0, 1, 0, 0, 1),
  stable_convert("a", 0, 1, 0, 0, 1), stable_threads(), stable_threads(2),
  stable_threads(-1), stable_threads("a"), stable_threads(NULL),
  stable_backend("cpu"), stable_backend("no such device"), stable_backend(2),
  stable_devices(), stable_backend(), stable_backend("default"),
  dstable(1, 1.5, 0, pm = quote(a + b)), stablecl:::check_cpu(), stablecl:::describe_build(),
  .Call(stablecl:::C_situation),
  stablefit(c(1, NA)), stablefit("a"), stablefit(1:3), stablefit(rep(1, 20)))
slow <- expression(
  {fit <- stablefit(qstable(ppoints(12), 1.5, 0.3)); list(coef(fit), vcov(fit), logLik(fit))},
  {fit <- stablefit(qnorm(ppoints(12))); list(coef(fit), vcov(fit), format(fit))})

# Returns the number of calls whose outcome changes when garbage is collected at each `every`-th allocation.
torture <- function(calls, every) {
  bad <- 0
  for (call in as.list(calls)) {
    expected <- outcome(call)
    gctorture2(every)
    got <- outcome(call)
    gctorture2(0)
    if (!identical(got, expected)) {
      bad <- bad + 1
      cat("differs:", deparse(call), "\n")
    }
  }
  bad
}

stable_threads(2)
started <- proc.time()[["elapsed"]]
bad <- torture(quick, 1) + torture(slow, 53)
cat(length(quick) + length(slow), "calls,", bad, "differ,",
    round(proc.time()[["elapsed"]] - started), "s\n")
quit(status = bad > 0)
