# Compares the speed of d/p/q/rstable with CRAN's stabledist and libstable4u.
#
#     Rscript bench/benchmark.R [SECONDS [PART...]] > bench/README.md
#
# SECONDS: calls of the other packages predicted to take longer are skipped (default 15).
# PART: any of head, agreement, times, shapes (default all).  Takes about 8 minutes on an idle
# machine.  Agreement is checked first; nothing is timed if the packages disagree.  Times are
# CPU times (user + system, children included): libstable4u always uses 12 threads, so elapsed
# times would compare cores, not code.  Times are medians; the packages are timed in turn for
# the same shape and n, so that they run under the same load.

suppressPackageStartupMessages({
  library(stablecl)
  library(libstable4u)
})
source("bench/page.R")                                   # made_by()

ARGS   <- commandArgs(trailingOnly = TRUE)
LIMIT  <- as.numeric(c(ARGS, 15)[1])
PARTS  <- if (length(ARGS) > 1) ARGS[-1] else c("head", "agreement", "times", "shapes")
SHAPES <- list(c(1.5, 0.5), c(0.7, 0.5), c(1.01, -0.9), c(0.3, 0.9), c(1.9, 0))
SIZES  <- c(1, 1e2, 1e4, 1e6)
ROUNDS <- 5            # timings of which the median is taken
LEAST  <- 0.1          # minimal seconds of a timing, reached by repeating the call
SHOWN  <- c(d = "dstable", p = "pstable", q = "qstable", r = "rstable")

# The four functions of each package for one shape s = (alpha, beta).
OURS <- list(
  d = function(x, s) dstable(x, s[1], s[2]),
  p = function(x, s) pstable(x, s[1], s[2]),
  q = function(x, s) qstable(x, s[1], s[2]),
  r = function(n, s) rstable(n, s[1], s[2]))
STABLEDIST <- list(
  d = function(x, s) stabledist::dstable(x, s[1], s[2]),
  p = function(x, s) stabledist::pstable(x, s[1], s[2]),
  q = function(x, s) stabledist::qstable(x, s[1], s[2]),
  r = function(n, s) stabledist::rstable(n, s[1], s[2]))
LIBSTABLE4U <- list(
  d = function(x, s) stable_pdf(x, c(s, 1, 0), 0L),
  p = function(x, s) stable_cdf(x, c(s, 1, 0), 0L),
  q = function(x, s) stable_q(x, c(s, 1, 0), 0L),
  r = function(n, s) stable_rnd(n, c(s, 1, 0), 0L))

argument <- function(what, n, s) {
  set.seed(1)
  switch(what, d = , p = rstable(n, s[1], s[2]), q = (seq_len(n) - 0.5) / n, r = n)
}

# ---- agreement ------------------------------------------------------------------

relative <- function(a, b) abs(a / b - 1)

agreement <- function(what, s) {
  x <- argument(what, 200, s)
  ours <- OURS[[what]](x, s)
  vapply(list(STABLEDIST, LIBSTABLE4U), function(peer) {
    gap <- relative(suppressWarnings(peer[[what]](x, s)), ours)
    if (!is.finite(stats::median(gap)) || stats::median(gap) > 1e-3)
      stop(sprintf("%s disagrees at (%g, %g): median difference %g", SHOWN[what], s[1], s[2],
                   stats::median(gap)))
    stats::median(gap)
  }, 0)
}

print_agreement <- function() {
  cat("## Agreement\n\nMedian relative difference from `stablecl` at 200 points of the law.\n\n")
  cat("| function | shape | stabledist | libstable4u |\n|---|---|---|---|\n")
  for (what in c("d", "p", "q")) for (s in SHAPES)
    cat(do.call(sprintf, c("| %s | (%g, %g) | %.1e | %.1e |\n", SHOWN[[what]], as.list(s),
                           as.list(agreement(what, s)))))
  for (s in SHAPES) {
    p <- stats::ks.test(OURS$p(argument("d", 1e5, s), s), "punif")$p.value
    if (p < 1e-4) stop(sprintf("rstable does not follow pstable at (%g, %g)", s[1], s[2]))
  }
  cat("\n`rstable`: 1e5 values of each shape follow `pstable` (Kolmogorov-Smirnov).\n")
}

# ---- timing ---------------------------------------------------------------------

cpu_seconds <- function(code) {
  before <- proc.time()
  force(code)
  spent <- proc.time() - before
  sum(spent[c("user.self", "sys.self", "user.child", "sys.child")], na.rm = TRUE)
}
elapsed_seconds <- function(code) {
  before <- proc.time()[["elapsed"]]
  force(code)
  proc.time()[["elapsed"]] - before
}

# Returns the seconds per call.
seconds_per_call <- function(call, clock) {
  times <- 1
  repeat {
    spent <- suppressWarnings(clock(for (k in seq_len(times)) call()))
    if (spent >= LEAST) break
    times <- ceiling(times * min(100, 1.5 * LEAST / max(spent, 1e-3)))
  }
  if (spent > 2) return(spent / times)
  more <- replicate(ROUNDS - 1, suppressWarnings(clock(for (k in seq_len(times)) call())))
  stats::median(c(spent, more)) / times
}

# Returns the microseconds per point of each package; NA if a call would take too long.
measure <- function(what, s) {
  per_point <- c(stabledist = 0, libstable4u = 0)        # seconds per point at the previous size
  rows <- lapply(SIZES, function(n) {
    x <- argument(what, n, s)
    stable_threads(1)
    one <- seconds_per_call(function() OURS[[what]](x, s), cpu_seconds)
    stable_threads(ALL_CORES)
    all <- seconds_per_call(function() OURS[[what]](x, s), elapsed_seconds)
    peers <- mapply(function(peer, name) {
      if (per_point[[name]] * n > LIMIT) return(NA)
      spent <- seconds_per_call(function() peer[[what]](x, s), cpu_seconds)
      per_point[[name]] <<- spent / n
      spent
    }, list(STABLEDIST, LIBSTABLE4U), names(per_point))
    c(one = one, all = all, stabledist = peers[[1]], libstable4u = peers[[2]]) / n * 1e6
  })
  data.frame(what = what, shape = sprintf("(%g, %g)", s[1], s[2]), n = SIZES, do.call(rbind, rows))
}

number <- function(x) ifelse(is.na(x), "", trimws(formatC(x, digits = 3, format = "fg")))

print_times <- function(times) {
  for (what in names(SHOWN)) {
    cat(sprintf("\n## %s\n\n", SHOWN[what]))
    cat("| shape | n | stablecl, 1 thread | stablecl, all threads (elapsed) | stabledist | libstable4u |",
        "stabledist / stablecl | libstable4u / stablecl |\n")
    cat("|---|---|---|---|---|---|---|---|\n")
    part <- times[times$what == what, ]
    cat(sprintf("| %s | %g | %s | %s | %s | %s | %s | %s |\n", part$shape, part$n, number(part$one),
                number(part$all), number(part$stabledist), number(part$libstable4u),
                number(part$stabledist / part$one), number(part$libstable4u / part$one)), sep = "")
  }
}

# ---- a new shape for every point ----------------------------------------------------

# Points with one shape share most of the work; here no work is shared.  The other packages
# accept one shape per call.
print_shapes <- function() {
  set.seed(1)
  n <- 500
  alpha <- runif(n, 0.2, 1.95)
  beta <- runif(n, -1, 1)
  inputs <- list(d = rnorm(n), p = rnorm(n), q = runif(n))
  cat("\n## A new shape for every point\n\nalpha in (0.2, 1.95), beta in (-1, 1) at random,",
      n, "points, microseconds per point.\n\n")
  cat("| function | stablecl, 1 thread | stabledist | libstable4u | stabledist / stablecl |",
      "libstable4u / stablecl |\n|---|---|---|---|---|---|\n")
  stable_threads(1)
  for (what in names(inputs)) {
    x <- inputs[[what]]
    ours <- list(d = dstable, p = pstable, q = qstable)[[what]]
    us <- 1e6 / n * c(
      seconds_per_call(function() ours(x, alpha, beta), cpu_seconds),
      vapply(list(STABLEDIST, LIBSTABLE4U), function(peer) seconds_per_call(function()
        for (k in seq_len(n)) try(peer[[what]](x[k], c(alpha[k], beta[k])), silent = TRUE),
        cpu_seconds), 0))
    cat(sprintf("| %s | %s |\n", SHOWN[[what]], paste(number(c(us, us[-1] / us[1])), collapse = " | ")))
  }
}

# ---- date and hardware ------------------------------------------------------------

first_line <- function(command, args) {
  out <- tryCatch(suppressWarnings(system2(command, args, stdout = TRUE, stderr = FALSE)),
                  error = function(e) "")
  out[1]
}
hardware <- function() {
  info <- tryCatch(readLines("/proc/cpuinfo"), error = function(e) character())
  model <- sub(".*: ", "", grep("^model name", info, value = TRUE)[1])
  compiler <- strsplit(first_line(file.path(R.home("bin"), "R"), c("CMD", "config", "CC")), " ")[[1]][1]
  c(Date = format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), Processor = model,
    "Logical cores" = parallel::detectCores(), R = R.version.string,
    Compiler = first_line(compiler, "--version"),
    stablecl = as.character(packageVersion("stablecl")),
    stabledist = as.character(packageVersion("stabledist")),
    libstable4u = as.character(packageVersion("libstable4u")))
}

ALL_CORES <- parallel::detectCores()

print_head <- function() {
  cat("# Benchmark\n\n", made_by("bench/benchmark.R", "bench/README.md"), ".\n\n", sep = "")
  where <- hardware()
  cat(sprintf("* %s: %s\n", names(where), where), sep = "")
  cat("\nMicroseconds per point: CPU time (user + system) except where elapsed time is said;",
      "medians, all packages in turn on the same machine under the same load.  `x` is a sample",
      "of the law, `p` an equally spaced grid.  Empty: a call predicted to take more than", LIMIT,
      "seconds.  libstable4u always uses 12 threads.  Calls are repeated: what `stablecl` keeps of",
      "the last shape is there from the second call on; the last table shows new shapes.\n\n",
      fill = 90)
}

print_all_times <- function() {
  times <- NULL
  for (what in names(SHOWN)) for (s in SHAPES) {
    message(SHOWN[what], " (", s[1], ", ", s[2], ")")
    times <- rbind(times, measure(what, s))
  }
  print_times(times)
}

sections <- list(head = print_head, agreement = print_agreement, times = print_all_times,
                 shapes = print_shapes)
for (part in names(sections)) if (part %in% PARTS) sections[[part]]()
