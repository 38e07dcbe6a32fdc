# Reproduces tables 2 to 8 of Julian-Moreno et al. (2017), "Fast parallel alpha-stable distribution
# function evaluation and parameter estimation using OpenCL in GPGPUs", Statistics and Computing,
# doi:10.1007/s11222-016-9691-9, and compares the numbers in the paper with those of this package.
#
#     Rscript bench/paper2017/run.R [BACKEND] > bench/paper2017/README.md
#
# BACKEND is an argument of stable_backend() (default: STABLECL_BACKEND, otherwise "cpu").
# theirs-*.csv contain the paper's numbers; points.csv and quantiles.csv are made by
# data-raw/paper2017-reference.R.  Writes bench/paper2017/shapes.csv and draws shapes.png, which `--redraw` draws again
# from that file, on a machine with fonts.  Takes two to three minutes.  Stops if the values are not correct.

suppressPackageStartupMessages(library(stablecl))

REDRAW  <- "--redraw" %in% commandArgs(TRUE)
BACKEND <- c(setdiff(commandArgs(TRUE), "--redraw"), Sys.getenv("STABLECL_BACKEND"), "cpu")
BACKEND <- BACKEND[nzchar(BACKEND)][1]
FOLDER  <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
source(file.path(FOLDER, "..", "cores.R"))               # host_cores()
CORES   <- host_cores()
LIMIT   <- 1e-11          # a larger median relative error is an error: nothing is timed
ROUNDS  <- 5              # timings of which the median is taken
LEAST   <- 0.05           # approximate seconds of a timing, reached by repeating the call
SHAPE   <- c(0.5, 0.5)    # alpha and beta of the timings
SIZES   <- 10^(1:6)
SHOWN   <- c(pdf = "density", cdf = "distribution function", both = "both in one pass",
             quantile = "quantiles")

# ---- where to compute --------------------------------------------------------------

knows_backends <- exists("stable_backend", asNamespace("stablecl"), inherits = FALSE)
use_backend <- function(name) {
  if (knows_backends) get("stable_backend", asNamespace("stablecl"))(name)
  else if (name != "cpu") stop("this version of stablecl computes on the CPU only")
  invisible()
}

# The backends on which calls are timed: a function for each that selects it.
threads <- function(n) function() { use_backend("cpu"); stable_threads(n) }
PLACES <- if (BACKEND == "cpu") list(threads(1), threads(CORES)) else
  list(threads(1), function() { use_backend(BACKEND); stable_threads(0) })
names(PLACES) <- c("CPU, 1 thread",
                   if (BACKEND == "cpu") sprintf("CPU, %d threads", CORES) else BACKEND)

# ---- printing ---------------------------------------------------------------------

print_row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
print_head <- function(...) {
  print_row(...)
  cat(strrep("|---", length(c(...))), "|\n", sep = "")
}
small <- function(x) ifelse(is.na(x), "", sprintf("%.1e", x))
number <- function(x) vapply(signif(x, 3), format, "", scientific = FALSE)
count <- function(x) vapply(signif(x, 2), format, "", big.mark = " ", scientific = FALSE)
say <- function(...) cat("\n", paste0(strwrap(paste0(...), 95), "\n"), sep = "")

# ---- precision: tables 2, 4 and 7 -------------------------------------------------

read_numbers <- function(name) utils::read.csv(file.path(FOLDER, name), comment.char = "#")

# Returns the absolute and relative errors of `value`; column *_rest is the reference value minus its double.
errors <- function(value, reference, name) {
  right <- reference[[name]]
  gap <- abs((value - right) - reference[[paste0(name, "_rest")]])
  judged <- right != 0               # 0 represents values below the smallest double
  data.frame(gap, relative = ifelse(judged, gap / abs(right), NA))[judged, ]
}

precision_row <- function(theirs, reference, name, evaluate, estimate) {
  r <- reference[reference$alpha == theirs$alpha & reference$beta == theirs$beta, ]
  e <- errors(evaluate(r), r, name)
  middle <- stats::median(e$relative)
  if (!is.finite(middle) || middle > LIMIT)
    stop(sprintf("%s at (%g, %g): median relative error %g", name, theirs$alpha, theirs$beta,
                 middle))
  ours <- c(stats::median(e$gap), middle)
  print_row(theirs$alpha, theirs$beta, if (is.null(estimate))
    small(c(theirs$abs, theirs$rel, ours, max(e$relative)))
  else
    small(c(theirs$abs, theirs$rel, theirs$estimate, ours, max(e$relative),
            stats::median(estimate(r)))), nrow(e))
}

print_precision <- function(table, title, reference, name, evaluate, estimate = NULL) {
  cat(sprintf("\n## Table %d: %s\n\n", table, title))
  theirs <- read_numbers("theirs-precision.csv")
  theirs <- theirs[theirs$table == table, ]
  estimates <- if (!is.null(estimate)) "estimate"
  print_head("alpha", "beta", paste("theirs:", c("abs.", "rel.", estimates)),
             paste("ours:", c("abs.", "rel.", "largest rel.", estimates)), "points")
  for (k in seq_len(nrow(theirs)))
    precision_row(theirs[k, ], reference, name, evaluate, estimate)
}

print_all_precision <- function() {
  points <- read_numbers("points.csv")
  PLACES[[2]]()
  estimate <- function(r) stable_eval(r$x, r$alpha, r$beta, what = "error")$error
  print_precision(2, "density, x in (-100, 100)", points, "pdf",
                  function(r) dstable(r$x, r$alpha, r$beta), estimate)
  print_precision(4, "distribution function, x in (-100, 100)", points, "cdf",
                  function(r) pstable(r$x, r$alpha, r$beta), estimate)
  print_precision(7, "quantiles, p in (0.1, 0.9)", read_numbers("quantiles.csv"), "q",
                  function(r) qstable(r$p, r$alpha, r$beta))
}

# ---- speed: tables 3, 5, 6 and 8 ---------------------------------------------------

elapsed <- function(f, times) {
  before <- proc.time()[["elapsed"]]
  for (k in seq_len(times)) f()
  proc.time()[["elapsed"]] - before
}
# Returns the seconds of one call.
seconds_per_call <- function(f) {
  f()
  times <- 1
  while (elapsed(f, times) < LEAST / 2) times <- 4 * times
  stats::median(replicate(ROUNDS, elapsed(f, times))) / times
}

inside <- function(from, to, n) from + (to - from) * (seq_len(n) - 0.5) / n
# Returns a function that makes a call with n points for (alpha, beta).
job <- function(what, n) {
  x <- inside(-20, 20, n)
  p <- inside(0.11, 0.89, n)
  switch(what,
         pdf = function(a, b) dstable(x, a, b), cdf = function(a, b) pstable(x, a, b),
         both = function(a, b) stable_eval(x, a, b, what = c("pdf", "cdf")),
         quantile = function(a, b) qstable(p, a, b))
}
# Returns the milliseconds per point with the shape of the test program, with a new shape in every
# call, and with the fastest and the slowest of the shapes of tables 2 and 4.
ms_per_point <- function(what, n) {
  f <- job(what, n)
  moved <- SHAPE[1]
  shapes <- unique(read_numbers("theirs-precision.csv")[c("alpha", "beta")])
  each <- mapply(function(a, b) seconds_per_call(function() f(a, b)), shapes$alpha, shapes$beta)
  new <- seconds_per_call(function() { moved <<- moved + 1e-9; f(moved, SHAPE[2]) })
  1e3 / n * c(same = each[shapes$alpha == SHAPE[1] & shapes$beta == SHAPE[2]], new = new,
              least = min(each), most = max(each))
}

print_speed <- function(table, what, theirs) {
  cat(sprintf("\n## Table %d: %s, 1000 points a call\n\n", table, SHOWN[[what]]))
  theirs <- theirs[theirs$table == table, ]
  print_head("", "ms per point", "points per second", "ms, a new shape every call",
             "ms, fastest and slowest of the 14 shapes")
  for (k in seq_len(nrow(theirs)))
    print_row(paste0(theirs$who[k], " (theirs)"), number(theirs$ms[k]), count(1e3 / theirs$ms[k]),
              "", "")
  ours <- vapply(names(PLACES), function(place) {
    PLACES[[place]]()
    ms <- ms_per_point(what, 1000)
    print_row(paste0(place, " (ours)"), number(ms[["same"]]), count(1e3 / ms[["same"]]),
              number(ms[["new"]]), paste(number(ms[c("least", "most")]), collapse = " to "))
    ms[["same"]]
  }, 0)
  best <- which.min(theirs$ms)
  say("The fastest of theirs (", theirs$who[best], ") takes ",
      paste(sprintf("%.3g times as long as ours (%s)", theirs$ms[best] / ours, names(ours)),
            collapse = ", "), ".")
}

print_sizes <- function() {
  cat("\n## Figures 7, 9, 11, 12: over the number of points\n\nOurs only (the paper draws its own",
      "up to some 3500 points): points per second at the shape above.\n\n")
  print_head("n", paste0(rep(SHOWN, each = length(PLACES)), ", ", names(PLACES)))
  for (n in SIZES) {
    rate <- vapply(names(SHOWN), function(what) vapply(PLACES, function(enter) {
      enter()
      f <- job(what, n)
      n / seconds_per_call(function() f(SHAPE[1], SHAPE[2]))
    }, 0), numeric(length(PLACES)))
    print_row(count(n), count(rate))
  }
}

# ---- figures 8 and 10: speed over the shapes -----------------------------------------

FIGURE_POINTS <- 500
ALPHAS <- seq(0.2, 2, by = 0.1)
BETAS  <- seq(0, 1, by = 0.25)

# Returns microseconds per point, a row for each alpha and a column for each beta.
shape_times <- function(what) {
  f <- job(what, FIGURE_POINTS)
  1e6 / FIGURE_POINTS * outer(ALPHAS, BETAS, Vectorize(function(a, b) seconds_per_call(function() f(a, b))))
}

# Draws the times in shapes.csv.
draw_shapes <- function() {
  table <- read_numbers("shapes.csv")
  times <- lapply(split(table, factor(table$call, c("pdf", "cdf"))),
                  function(part) matrix(part$microseconds, length(ALPHAS)))
  place <- table$where[1]
  grDevices::png(file.path(FOLDER, "shapes.png"), 900, 400, res = 110)
  on.exit(grDevices::dev.off())
  graphics::par(mfrow = c(1, 2), mar = c(3.2, 3.4, 2, 0.6), mgp = c(2, 0.6, 0), las = 1)
  for (what in names(times))
    graphics::matplot(ALPHAS, times[[what]], type = "l", lty = seq_along(BETAS),
                      col = grDevices::hcl.colors(7, "viridis"),
                      lwd = 2, xlab = expression(alpha), ylab = "microseconds per point",
                      ylim = c(0, max(unlist(times))), main = paste0(SHOWN[[what]], ", ", place), cex.main = 0.9)
  graphics::legend("bottomright", paste("beta =", BETAS), lty = seq_along(BETAS), lwd = 2, bty = "n", cex = 0.8,
                   col = grDevices::hcl.colors(7, "viridis"))
}

print_shapes <- function() {
  place <- utils::tail(names(PLACES), 1)
  PLACES[[place]]()
  times <- sapply(c("pdf", "cdf"), shape_times, simplify = FALSE)
  shapes <- expand.grid(alpha = ALPHAS, beta = BETAS)
  table <- do.call(rbind, lapply(names(times), function(call)
    cbind(call, where = place, shapes, microseconds = signif(as.vector(times[[call]]), 4))))
  utils::write.csv(table, file.path(FOLDER, "shapes.csv"), row.names = FALSE)
  draw_shapes()
  cat("\n## Figures 8 and 10: over the shapes, ", FIGURE_POINTS, " points a call\n", sep = "")
  say("Microseconds per point, ", place, ". In the paper, on a Tesla M2090, the density is fastest for alpha from 0.4 ",
      "to 1 and slower as alpha tends to 2; beta hardly matters.")
  cat("\n![microseconds per point over alpha](shapes.png)\n\n")
  print_head("", "fastest", "at alpha, beta", "slowest", "at alpha, beta")
  for (what in names(times)) {
    at <- function(pick) {
      k <- arrayInd(pick(times[[what]]), dim(times[[what]]))
      c(number(times[[what]][k]), sprintf("%g, %g", ALPHAS[k[1]], BETAS[k[2]]))
    }
    print_row(SHOWN[[what]], at(which.min), at(which.max))
  }
}

# ---- date and hardware ------------------------------------------------------------

describe_backend <- function() {
  use_backend(BACKEND)
  if (!knows_backends) return("cpu")
  devices <- get("stable_backend", asNamespace("stablecl"))()$devices
  if (nrow(devices) == 0) return(BACKEND)
  paste0(BACKEND, ": ", paste(sprintf("%s (%s, driver %s)", devices$device, devices$platform,
                                      devices$driver), collapse = ", "))
}
first_word <- function(file)
  tryCatch(sub(" .*", "", readLines(file, 1)), error = function(e) NA, warning = function(w) NA)
hardware <- function() {
  info <- tryCatch(readLines("/proc/cpuinfo"), error = function(e) character())
  c(Date = format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), Backend = describe_backend(),
    Processor = sub(".*: ", "", grep("^model name", info, value = TRUE)[1]),
    "Logical cores" = CORES, "Load of the machine before" = first_word("/proc/loadavg"),
    R = R.version.string,
    stablecl = as.character(packageVersion("stablecl")))
}

print_introduction <- function() {
  cat("# The tables of Julian-Moreno et al. (2017), done again\n\nMade by",
      sprintf("`Rscript bench/paper2017/run.R %s > bench/paper2017/README.md`.\n\n", BACKEND))
  where <- hardware()
  cat(sprintf("* %s: %s\n", names(where), where), sep = "")
  say("Theirs: G. Julian-Moreno, J. E. Lopez de Vergara, I. Gonzalez, L. de Pedro, ",
      "J. Royuela-del-Val, F. Simmross-Wattenberg, Fast parallel alpha-stable distribution ",
      "function evaluation and parameter estimation using OpenCL in GPGPUs, Statistics and ",
      "Computing 27 (2017), [doi:10.1007/s11222-016-9691-9](https://doi.org/10.1007/s11222-016-9691-9). ",
      "GPUs of 2011 to 2013, and libstable on an Intel Xeon E5-2630 v2 at 2.6 GHz. Their numbers ",
      "are taken from the paper, none was measured here: the times are those of each program on ",
      "the machine of its day.")
  say("Errors: theirs are medians of the differences from libstable (said of table 2, taken to ",
      "hold for all), so they hold the errors of libstable as well; table 7 compares with the ",
      "points whose probabilities the library itself had computed, at a tolerance of 1e-4. Ours ",
      "are medians of the differences from values of 30 digits, and the largest; points where ",
      "the value is 0 or below the smallest double do not count. In the light tail of beta = 1, ",
      "where values fall to 1e-300, the last digit of the logarithm is 1e-13 of the value. Where ",
      "beta is not 0, one of the quantiles is 0 up to rounding, below 1e-16: the largest relative ",
      "errors above 0.1 in table 7 are those of these points, with absolute errors below 1e-15. The ",
      "paper does not say how many points it took: ours are -100, -99, ..., 99 and, for ",
      "quantiles, the probabilities of -10, -9.9, ..., 10 that lie in (0.1, 0.9). \"Estimate\" is ",
      "the relative error that each library itself reports (the paper: \"precision\"; median). A ",
      "result rounded as well as can be has a median relative error of some 4e-17.")
  say("Times: elapsed, from R to R, median of ", ROUNDS, " rounds. The paper does not name the ",
      "shape; the test program of its library has alpha = beta = 0.5, x in (-20, 20) and ",
      "p in (0.11, 0.89), and so have we. Like theirs, our calls find the shape prepared by the ",
      "call before; \"a new shape every call\" pays for that each time.")
}

if (REDRAW) {
  draw_shapes()
  quit("no")
}

print_introduction()
print_all_precision()
speeds <- read_numbers("theirs-speed.csv")
for (table in unique(speeds$table))
  print_speed(table, speeds$what[match(table, speeds$table)], speeds)
print_sizes()
print_shapes()
