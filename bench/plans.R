# Measures large calls with one distribution: elements per second on one and on several cores, the time
# to build an interpolant, and the speed relative to libstable4u and stabledist in the same run.
#
#     Rscript bench/plans.R > bench/plans.md
#
# Agreement with small calls, which use no interpolant, is checked first.  Times are elapsed times of
# complete R calls, medians of ROUNDS; the first call, which builds the interpolant, is timed separately.

suppressPackageStartupMessages(library(stablecl))

N      <- 1e6
ROUNDS <- 7
SMALL  <- 1000
SHAPES <- list(c(1.5, 0.5), c(0.8, 0.3), c(1.01, -0.9), c(0.3, 0.9), c(1.9, 0),
               c(1.2, 0.2), c(0.6, -0.5), c(1.7, 1), c(1, 0.5), c(0.5, 0))

CALLS <- list(
  "density"           = function(x, s) dstable(x, s[1], s[2]),
  "log density"       = function(x, s) dstable(x, s[1], s[2], log = TRUE),
  "distribution"      = function(x, s) pstable(x, s[1], s[2]),
  "quantile"          = function(x, s) qstable(x, s[1], s[2]),
  "random"            = function(n, s) rstable(n, s[1], s[2]))
ASKED        <- c(3e7, 4e7, 3e7, 1e7, 2e7)         # targets, building the interpolant included
ASKED_CACHED <- c(6e7, NA, NA, NA, NA)

PEERS <- list(
  libstable4u = list(
    function(x, s) libstable4u::stable_pdf(x, c(s, 1, 0), 0L), NULL,
    function(x, s) libstable4u::stable_cdf(x, c(s, 1, 0), 0L),
    function(x, s) libstable4u::stable_q(x, c(s, 1, 0), 0L),
    function(n, s) libstable4u::stable_rnd(n, c(s, 1, 0), 0L)),
  stabledist = list(
    function(x, s) stabledist::dstable(x, s[1], s[2]), NULL,
    function(x, s) stabledist::pstable(x, s[1], s[2]),
    function(x, s) stabledist::qstable(x, s[1], s[2]),
    function(n, s) stabledist::rstable(n, s[1], s[2])))
PEER_N <- list(libstable4u = c(2e3, NA, 2e3, 200, 1e5), stabledist = c(100, NA, 100, 10, 1e5))

now <- function() as.numeric(Sys.time())
forget <- function() {
  before <- stable_cache(0)
  stable_cache(before)
}
seconds <- function(code) {
  before <- now()
  force(code)
  now() - before
}

argument <- function(call, s, n = N) {
  set.seed(1)
  switch(call, quantile = runif(n), random = n, rstable(n, s[1], s[2]))
}

check <- function(call, s) {
  if (call == "random") return(NA)
  x <- argument(call, s)
  few <- seq_len(SMALL)
  gap <- abs(CALLS[[call]](x, s)[few] - (exact <- CALLS[[call]](x[few], s)))
  allowed <- 1e-12 * pmax(abs(exact), call == "log density")
  if (call == "quantile") allowed <- allowed + 1e-15 / dstable(exact, s[1], s[2])
  if (any(gap > allowed)) stop(sprintf("%s of (%g, %g) disagrees with small calls", call, s[1], s[2]))
  max(gap / pmax(abs(exact), if (call == "quantile") 1 else 1e-300))
}

# Returns the seconds per element of a call that builds the interpolant, and of one that finds it in the cache.
timed <- function(call, s, threads = 1) {
  stable_threads(threads)
  x <- argument(call, s)
  first <- median(replicate(3, {
    forget()
    seconds(CALLS[[call]](x, s))
  }))
  c(first, median(replicate(ROUNDS, seconds(CALLS[[call]](x, s))))) / N
}

peer_seconds <- function(peer, k, s) {
  f <- PEERS[[peer]][[k]]
  if (is.null(f) || !requireNamespace(peer, quietly = TRUE)) return(NA)
  n <- PEER_N[[peer]][k]
  x <- argument(names(CALLS)[k], s, n)
  median(replicate(3, sum(system.time(suppressWarnings(f(x, s)))[1:2]))) / n
}

per_second <- function(x) ifelse(is.na(x), "", sprintf("%.3g", x))
times <- function(x) ifelse(is.na(x), "", sprintf("%.0f", x))

stable_backend("cpu")
cpu <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
cat("# Large calls with one distribution\n\nMade by `Rscript bench/plans.R > bench/plans.md`.\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    "* Processor: ", cpu, "\n* ", R.version.string, ", stablecl ", format(packageVersion("stablecl")), "\n\n",
    "Elements per second from R to R on one core, n = ", format(N), ", at ", length(SHAPES),
    " shapes: ", paste(sprintf("(%g, %g)", sapply(SHAPES, `[`, 1), sapply(SHAPES, `[`, 2)), collapse = ", "),
    ".\nThe mean is N over the mean time. Agreement: largest relative difference from small calls (of quantiles\n",
    "below 1: absolute). With building: the call also builds the interpolant of the distribution. Ratios are\n",
    "to CPU time, at the same shapes and fewer elements.\n\n",
    "| call | agreement | with building | required | built before | required | slowest shape, with building ",
    "| times libstable4u | times stabledist |\n",
    "|---|---|---|---|---|---|---|---|---|\n", sep = "")
for (k in seq_along(CALLS)) {
  call <- names(CALLS)[k]
  gap <- max(vapply(SHAPES, function(s) check(call, s), 0))
  t <- vapply(SHAPES, function(s) timed(call, s), c(0, 0))
  peers <- vapply(names(PEERS), function(p) mean(vapply(SHAPES, function(s) peer_seconds(p, k, s), 0)), 0)
  cat(sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", call,
              if (is.na(gap)) "" else sprintf("%.1e", gap), per_second(1 / mean(t[1, ])), per_second(ASKED[k]),
              per_second(1 / mean(t[2, ])), per_second(ASKED_CACHED[k]), per_second(1 / max(t[1, ])),
              times(peers[[1]] / mean(t[1, ])), times(peers[[2]] / mean(t[1, ]))))
}

cat("\n## Threads\n\nInterpolant built before, (1.5, 0.5), elements per second, n = 1e7.\n\n",
    "| threads | density | distribution | quantile | random |\n|---|---|---|---|---|\n", sep = "")
s <- c(1.5, 0.5)
big <- list(argument("density", s, 1e7), argument("quantile", s, 1e7))
for (threads in unique(pmin(c(1, 2, 4, 8, 16), parallel::detectCores()))) {
  stable_threads(threads)
  rate <- function(f) 1e7 / median(replicate(5, seconds(f())))
  cat(sprintf("| %d | %s |\n", threads, paste(per_second(c(
    rate(function() dstable(big[[1]], 1.5, 0.5)), rate(function() pstable(big[[1]], 1.5, 0.5)),
    rate(function() qstable(big[[2]], 1.5, 0.5)), rate(function() rstable(1e7, 1.5, 0.5)))), collapse = " | ")))
}
stable_threads(1)

cat("\n## Building an interpolant\n\nMilliseconds on one core, from nothing, over 300 shapes: alpha uniform on (0.1, ",
    "2), beta uniform\non (-1, 1), every fifth at |beta| = 1, every tenth at 1 +- 10^-u with u uniform on (0, 14). ",
    "Quantiles require the interpolant of the probabilities and that of the quantiles.\n\n",
    "| | median | 90% | worst | at (alpha, beta) |\n|---|---|---|---|---|\n", sep = "")
set.seed(4)
shapes <- cbind(runif(300, 0.1, 2), runif(300, -1, 1))
every <- seq(5, 300, 5)
shapes[every, 2] <- sign(shapes[every, 2])
near <- seq(3, 300, 10)
shapes[near, 1] <- 1 + sign(shapes[near, 2]) * 10^-runif(length(near), 0, 14)
for (call in c("density", "quantile")) {
  x <- argument(call, c(1.5, 0.5), 5000)
  t <- apply(shapes, 1, function(s) {
    forget()
    first <- seconds(CALLS[[call]](x, s))
    first - seconds(CALLS[[call]](x, s))
  })
  worst <- shapes[which.max(t), ]
  cat(sprintf("| %s | %.2f | %.2f | %.1f | (%.15g, %.4g) |\n", call, 1e3 * median(t), 1e3 * quantile(t, 0.9),
              1e3 * max(t), worst[1], worst[2]))
}

cat("\n## Calls with one element\n\nMicroseconds from R to R.\n\n",
    "| call | same law again | another law each time |\n|---|---|---|\n", sep = "")
shape <- runif(2000, 0.3, 1.9)
for (call in c("density", "distribution", "quantile", "random")) {
  f <- CALLS[[call]]
  x <- switch(call, quantile = 0.3, random = 1, 0.7)
  same <- seconds(for (k in 1:2000) f(x, c(1.5, 0.5))) / 2000
  other <- seconds(for (k in 1:2000) f(x, c(shape[k], 0.2))) / 2000
  cat(sprintf("| %s | %.1f | %.1f |\n", call, 1e6 * same, 1e6 * other))
}
