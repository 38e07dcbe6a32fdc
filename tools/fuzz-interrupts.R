# tools/fuzz-interrupts.R [N] [SEED]: ends long calls of randomly chosen functions by a time limit or an interrupt at a
# random time.  The call must end within one second after that, and the following calls must return correct values.

source("tools/fuzzing.R")

long_calls <- expression(
  rstable(5e7, 1.5, 0.5),
  rstable(1e7, alpha, 0.5),
  dstable(x, alpha, 0.5),
  pstable(x, 1.5, beta),
  qstable(p, alpha, 0.3),
  qstable(rep(p, 20), 1.4, 0.3),
  dstable(x, 1.4, 0.3, pm = 2),
  dstable(x, alpha, 0.3, pm = 2),
  stable_eval(x, alpha, 0.1),
  stable_mode(alpha, 0.7),
  stable_score(x, alpha, 0.2),
  stable_cf(seq(-5, 5, length.out = 2e7), 1.5, 0.2),
  stable_es(p[1:1e5], 1.7, 0.2),
  stable_quick(rep(x, 20), 1.5, 0.2),
  stablefit(x),
  stablefit(x[1:3e4], "ecf"),
  stablefit(x[1:2e4], "grid"),
  stablefit(matrix(x, 1000)),
  stable_lm(y ~ z, data.frame(y = x[1:1e5], z = p[1:1e5])),
  confint(fit, method = "bootstrap", R = 1e4),
  confint(fit, method = "profile"),
  stable_gof(fit, R = 1e4),
  gintegrate(function(x, a) sin(a * x) * exp(-x / 50), 0, Inf, params = data.frame(a = 1000 * p)),
  gintegrate(function(x) sin(1 / x) / x, 0, 1, max.eval = 1e12),
  gintegrate(function(x, y, z) sin(1 / (x * y * z)), c(0, 0, 0), c(1, 1, 1), rel.tol = 1e-14, max.eval = 1e12),
  gintegrate(function(x) cos(1 / x) / x, 0, 1, method = "vegas", rel.tol = 1e-14, max.eval = 1e12),
  gintegrate(function(x) cos(1 / x) / x, 0, 1, method = "lattice", rel.tol = 1e-14, max.eval = 1e12),
  gintegrate(function(x) cos(1 / x), 0, 1, method = "blockcut", rel.tol = 1e-14, max.eval = 1e12),
  gintegrate(function(x) cos(1 / x), 1e-6, 1, method = "simpson", rel.tol = 1e-14, max.eval = 1e12),
  gintegrate(function(x) cos(1 / x), 1e-6, 1, method = "forward", control = list(h_min = 1e-12, h_max = 1e-10)),
  gintegrate(function(x) { s <- 0; for (i in 1:100000) s <- s + sin(i * x); s }, 0, 1),
  gintegrate(function(x) do.call("sin", list(1 / x)), 0, 1, max.eval = 1e9),
  gintegrate(function(x, a) dstable(x, a, 0.1), -1, 1, params = data.frame(a = alpha[1:1e5]))
)

# Returns the seconds elapsed since `moment`, the time at which a call should have ended.
late_by <- function(moment) as.numeric(Sys.time()) - moment

run_limited <- function(call, seconds, env) {
  moment <- as.numeric(Sys.time()) + seconds
  outcome <- tryCatch({
    setTimeLimit(elapsed = seconds, transient = TRUE)
    value <- suppressWarnings(suppressMessages(eval(call, env)))
    # An interrupt returns the finished integrals; a time limit is an error that must reach the caller.
    if (inherits(value, "gintegral") && "interrupted" %in% value$status) "a swallowed time limit" else "value"
  }, error = function(e) conditionMessage(e))
  late <- late_by(moment)
  setTimeLimit()
  list(outcome = outcome, late = late)
}

run_interrupted <- function(call, seconds, env) {
  moment <- as.numeric(Sys.time()) + seconds
  told <- tempfile()
  on.exit(unlink(told))
  outcome <- tryCatch({
    system(sprintf("(sleep %.3f; date +%%s.%%N > %s; kill -INT %d) &", seconds, told, Sys.getpid()), wait = TRUE)
    suppressWarnings(suppressMessages(eval(call, env)))
    ended <- as.numeric(Sys.time())
    for (k in 1:100) Sys.sleep(0.1)                          # wait for the interrupt, which has not arrived yet
    "value"
  }, interrupt = function(e) "interrupt", error = function(e) conditionMessage(e))
  sent <- suppressWarnings(as.numeric(readLines(told)))
  list(outcome = outcome, late = if (length(sent)) late_by(sent) else 0)
}

check_next_calls <- function(text) {
  right <- tryCatch(isTRUE(all.equal(stablecl::dstable(c(0.3, 2), 1, 0), stats::dcauchy(c(0.3, 2)))) &&
                      isTRUE(all.equal(stablecl::gintegrate(function(x) x^2, 0, 3)$value, 9)) &&
                      isTRUE(all.equal(stablecl::stablefit(fuzz_state$home$few)$loglik, fuzz_state$loglik)),
                    error = function(e) conditionMessage(e), interrupt = function(e) "an interrupt comes late")
  if (!isTRUE(right)) finding("the next call is wrong", c(text, as.character(right)))
}

trial <- function(i) {
  call <- long_calls[[sample.int(length(long_calls), 1L)]]
  seconds <- stats::runif(1L, 0.02, 1)
  threads <- sample(1:2, 1L)
  by_limit <- stats::runif(1L) < 0.5
  stablecl::stable_threads(threads)
  text <- sprintf("stable_threads(%d); %s %.3f s; %s", threads, if (by_limit) "time limit" else "interrupt after",
                  seconds,
                  paste(deparse(call), collapse = " "))
  announce(text)
  count_call()
  before <- proc.time()
  result <- (if (by_limit) run_limited else run_interrupted)(call, seconds, fuzz_state$home)
  spent <- proc.time() - before
  # On a busy machine elapsed time alone proves little: the call must also have used CPU time.
  busy <- (spent[["user.self"]] + spent[["sys.self"]]) / threads
  if (result$late > 1 && busy > seconds + 1)
    finding("a call does not end within a second", sprintf("%s  # %.1f s late: %s", text, result$late,
                                                           result$outcome))
  expected <- c("value", "interrupt", "reached elapsed time limit", "interrupted", "Interrupted")
  if (!any(vapply(expected, grepl, NA, result$outcome, fixed = TRUE)))
    finding(paste("an interrupted call ends with:", substr(result$outcome, 1, 100)), text)
  check_next_calls(text)
}

setup <- function() {
  suppressMessages(library(stablecl))
  stable_backend("cpu")
  set.seed(1)
  home <- new.env(parent = globalenv())
  home$alpha <- stats::runif(1e6, 0.3, 2)
  home$beta <- stats::runif(1e6, -1, 1)
  home$x <- rstable(1e6, 1.5, 0.3)
  home$p <- stats::runif(1e6)
  home$few <- rstable(30, 1.5, 0.3)
  home$fit <- stablefit(rstable(200, 1.5, 0.3))
  fuzz_state$home <- home
  fuzz_state$loglik <- stablefit(home$few)$loglik
}

fuzz("interrupts", trial, setup, default = 40, limit = 40, workers = 1L)
