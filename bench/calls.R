# Compares the time of one call of gintegrate(), for one integral over one axis, with that of integrate().
#
#     Rscript bench/calls.R
#
# Agreement is checked before anything is timed.  Calls of the two functions alternate in blocks, so that other programs
# disturb both; times are medians of the blocks.  A function that is integrated for the first time differs from all
# others in a number.

suppressPackageStartupMessages(library(stablecl))

BLOCKS <- 200L
CALLS  <- 10L
FIRST  <- 20L                           # functions that are integrated for the first time

seconds <- function(code) {
  began <- Sys.time()
  force(code)
  as.numeric(Sys.time() - began, units = "secs")
}

row <- function(name, ours, theirs) {
  sprintf("| %s | %.1f | %.1f | %.2f |", name, 1e6 * ours, 1e6 * theirs, ours / theirs)
}

# Returns a row of the table for repeated calls of two functions without arguments.
repeated <- function(name, ours, theirs) {
  stopifnot(abs(ours()$value - theirs()$value) <= 1e-3 * abs(theirs()$value))
  block <- function(call) seconds(for (k in seq_len(CALLS)) call()) / CALLS
  times <- vapply(seq_len(BLOCKS), function(k) c(block(ours), block(theirs)), double(2))
  row(name, stats::median(times[1, ]), stats::median(times[2, ]))
}

# Returns a row for functions make(1), make(2), ..., of which each is integrated once; `vectorised` turns them into
# functions of vectors.
first <- function(name, make, upper, count = FIRST, vectorised = identity) {
  f <- lapply(seq_len(count + 1L), make)
  gintegrate(f[[1]], 0, upper)
  ours <- vapply(f[-1], function(g) seconds(gintegrate(g, 0, upper)), 0)
  others <- lapply(count + 1L + seq_len(count), make)
  theirs <- vapply(others, function(g) seconds(integrate(vectorised(g), 0, upper)), 0)
  row(name, stats::median(ours), stats::median(theirs))
}

# Returns a function of ten lines that contains the number k.
ten_lines <- function(k) {
  eval(parse(text = sprintf("function(x) {
    y <- x * %f
    z <- exp(-y^2)
    if (x > 0.3) w <- sin(y) else w <- cos(y)
    b <- sqrt(1 + z)
    d <- log(1 + x^2) * b
    e <- d / (1 + w^2)
    g <- tanh(e) + dnorm(x)
    h <- abs(g) + min(x, 0.5)
    u <- h * z
    u + 1
  }", 1 + k / 1000), keep.source = FALSE))
}

terms <- function(k) {
  eval(parse(text = paste("function(x)", paste(sprintf("%d.%d * sin(%d * x)", 1:700, k, 1:700), collapse = " + ")),
             keep.source = FALSE))
}

plain <- function(x) exp(-x^2)
made <- gtranslate(plain)
moving <- function(x) exp(-x^2)
rate <- 2
knots <- c(0.2, 0.5, 0.9)
square <- function(y) y^2
capturing <- function(x) exp(-rate * x) * knots[2]
calling <- function(x) rate * square(x) + exp(-square(x))
new_value <- local({
  value <- 0
  function() {
    value <<- value + 1e-3
    rate <- value
    function(x) exp(-rate * x^2)
  }
})
in_r <- function(x) tryCatch(exp(-x^2), error = identity)
to <- 1
suppressMessages(stopifnot(gintegrate(in_r, -1, 1)$backend == "R"))

rows <- c(
  repeated("the same function and limits", function() gintegrate(plain, -1, 1), function() integrate(plain, -1, 1)),
  repeated("a value of `gtranslate()`", function() gintegrate(made, -1, 1), function() integrate(plain, -1, 1)),
  repeated("other limits in each call", function() gintegrate(moving, -1, to <<- to + 1e-6),
           function() integrate(moving, -1, to)),
  repeated("captured numbers", function() gintegrate(capturing, -1, 1), function() integrate(capturing, -1, 1)),
  repeated("functions of the user", function() gintegrate(calling, -1, 1), function() integrate(calling, -1, 1)),
  repeated("another captured number in each call", function() gintegrate(new_value(), -1, 1),
           function() integrate(new_value(), -1, 1)),
  repeated("a function without translation", function() gintegrate(in_r, -1, 1), function() integrate(in_r, -1, 1)),
  first("first call, ten lines", ten_lines, 1, vectorised = Vectorize),
  first("first call, 700 terms", terms, 0.1, 5L))
cat(sep = "\n",
  "# One call", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "Microseconds for one integral over one axis, at rel.tol = 1e-8; integrate() at its default tolerance of 1.2e-4.", "",
  "| call | gintegrate() | integrate() | ratio |", "|---|---|---|---|", rows)
