# Reproduces Table 1, figure 1 and the two applications of Thuerck, Widmer, Kuijper and Goesele (2014),
# doi:10.1007/978-3-642-55224-3_61, with gintegrate(method = "forward").
#
#     Rscript bench/thuerck2014.R > bench/thuerck2014.md          also writes bench/thuerck2014.png
#
# Agreement with the algorithm as printed in the paper is checked.  Times are CPU seconds (user and system) on one
# thread, the minimum of ROUNDS.

suppressPackageStartupMessages(library(stablecl))
source("tests/testthat/helper-quadrature-forward.R")                 # algorithm3(): the algorithm of the paper
source("bench/thuerck2014-table1.R")                                 # TABLE1, STEPS, quad_evaluations()

ROUNDS <- 3
MANY   <- 2e4
IMAGE  <- 1000

forward <- function(...) suppressWarnings(gintegrate(..., method = "forward"))

table_rows <- function() {
  miss <- 0
  rows <- unlist(lapply(STEPS, function(h) vapply(TABLE1, function(one) {
    r <- forward(one[[2]], 0, 1, control = list(h_min = h[1], h_max = h[2]))
    simpson <- gintegrate(one[[2]], 0, 1, method = "simpson", rel.tol = 0, abs.tol = 1e-5)
    quad <- quad_evaluations(one[[2]], 0, 1)
    miss <<- max(miss, abs(r$value - algorithm3(one[[2]], 0, 1, h[1], h[2])[1]))
    stopifnot(miss < 1e-12, abs(r$value - one[[3]]) <= r$abs.error)
    error <- r$value - one[[3]]
    sprintf("| `%s` | %g, %g | %s / %s / %s | %.1e / %.1e | %.1e | %.1e | %d | %d | %.0f%% | %d |", one[[1]], h[1],
            h[2], one[[4]], one[[5]], one[[6]], error / one[[3]], error, r$abs.error, r$bound,
            as.integer(r$evaluations), as.integer(quad), 100 * r$evaluations / quad, as.integer(simpson$evaluations))
  }, "")))
  list(rows = rows, miss = miss)
}

# --- the applications -----------------------------------------------------------------

cpu <- function(code) {
  expr <- substitute(code)
  frame <- parent.frame()
  min(vapply(seq_len(ROUNDS), function(k) sum(system.time(eval(expr, frame))[1:2]), 0))
}

method_row <- function(name, run, true) {
  r <- run()
  error <- abs(r$value - true)
  seconds <- cpu(run())
  sprintf("| %s | %.1e | %.1e | %d | %.0f | %.2f |", name, max(error), stats::median(error),
          sum(error > pmax(r$abs.error, 1e-14)), mean(r$evaluations), 1e6 * seconds / length(r))
}

diffusion_rows <- function() {
  set.seed(1)
  gradient <- runif(MANY, 0, 0.5)
  f <- function(x, K) exp(-(x / K)^2)
  K <- runif(MANY, 0.05, 0.2)
  true <- K * sqrt(pi) * (pnorm(sqrt(2) * gradient / K) - 0.5)
  integral <- function(...) function() suppressWarnings(gintegrate(f, 0, gradient, params = data.frame(K = K), ...))
  c(method_row("forward, h = 0.01, 0.05", integral(method = "forward", control = list(h_min = 0.01, h_max = 0.05)),
               true),
    method_row("forward, h = 0.002, 0.01", integral(method = "forward", control = list(h_min = 0.002, h_max = 0.01)),
               true),
    method_row("simpson, rel.tol = 1e-3", integral(method = "simpson", rel.tol = 1e-3), true),
    method_row("simpson, rel.tol = 1e-8", integral(method = "simpson"), true),
    method_row("gk, rel.tol = 1e-8", integral(method = "gk"), true))
}

bell_rows <- function() {
  set.seed(2)
  intensity <- runif(IMAGE, 0.05, 4)
  upper <- cbind(intensity, intensity)
  f <- function(x) exp(-(x[1]^2 + x[2]^2) / 2) / (2 * pi)
  true <- (pnorm(intensity) - 0.5)^2
  integral <- function(...) function() suppressWarnings(gintegrate(f, 0, upper, ...))
  c(method_row("forward, h = range/100, range/20", integral(method = "forward"), true),
    method_row("cubature, rel.tol = 1e-3", integral(rel.tol = 1e-3), true),
    method_row("cubature, rel.tol = 1e-8", integral(rel.tol = 1e-8), true))
}

# --- the picture ----------------------------------------------------------------------

# Returns the points at which the integrand is evaluated; format() prevents its translation.
points_of <- function(f, ...) {
  seen <- NULL
  spy <- function(x, y) {
    point <- if (missing(y)) x else c(x[1], y[1])
    seen <<- rbind(seen, cbind(x, if (missing(y)) NA else y))
    as.numeric(format(if (missing(y)) f(x) else f(x, y), digits = 17))
  }
  if (length(formals(f)) == 1L) formals(spy) <- alist(x = )
  if (length(formals(f)) == 1L) body(spy) <- quote({
    seen <<- rbind(seen, cbind(x, NA))
    as.numeric(format(f(x), digits = 17))
  })
  suppressMessages(forward(spy, ...))
  seen
}

draw <- function(file) {
  png(file, width = 1400, height = 650, res = 130)
  par(mfrow = c(1, 2), mar = c(4, 4, 2.5, 1))
  f <- function(x) sin(x) / x
  x <- sort(points_of(f, 0, 10, control = list(h_min = 0.05, h_max = 0.5))[, 1])
  curve(f, 1e-9, 10, n = 400, xlab = "x", ylab = "sin(x)/x", main = "Steps, h from 0.05 to 0.5")
  segments(x, 0, x, ifelse(x == 0, 1, f(x)), col = "grey60")
  points(x, ifelse(x == 0, 1, f(x)), pch = 20, cex = 0.7, col = "#0072B2")
  kernel <- function(x, y) exp(-(abs(x - 0.5) + abs(y - 0.5)) / 0.25^2)
  p <- points_of(kernel, c(0, 0), c(1, 1), control = list(h_min = 0.01, h_max = 0.05))
  plot(p, pch = ".", cex = 2, col = "#0072B2", xlab = "x", ylab = "y", asp = 1,
       main = "exp(-|x - 0.5|/0.25^2), h from 0.01 to 0.05")
  invisible(dev.off())
}

before <- stable_threads(1)
table1 <- table_rows()
diffusion <- diffusion_rows()
bell <- bell_rows()
draw("bench/thuerck2014.png")
stable_threads(before)
cat(sep = "\n",
  "# Thuerck, Widmer, Kuijper and Goesele (2014)", "",
  "Made by `Rscript bench/thuerck2014.R > bench/thuerck2014.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "## Table 1", "",
  "Integrals over (0, 1).  The paper gives neither its steps nor an interval that its figures fit (0.01 and 0.02 for",
  "sinh imply an integral near 2); ours are those of its figure 1, and five times these.  The paper gives evaluations",
  "relative to Matlab's `quad` at 1e-5.  The column `quad` counts those of the same adaptive Simpson scheme (Gander",
  "and Gautschi 2000), written for this page, at that tolerance, and the ratio refers to it.  `simpson` is",
  "`gintegrate(method = \"simpson\")` at the same absolute tolerance, which takes more evaluations for a reliable",
  "error estimate.  A ratio above 100% means that forward quadrature takes more evaluations than `quad`.", "",
  sprintf("Largest difference from algorithm 3 as it is printed: %.1e.", table1$miss), "",
  paste("| function | h | paper: relative / absolute / evaluations | relative / absolute error | claimed | Theorem 1 |",
        "evaluations | quad | ratio | simpson |"),
  "|---|---|---|---|---|---|---|---|---|---|", table1$rows, "",
  "Theorem 1 has the constant of the midpoint rule for a sum of trapezoids: for smooth integrands the error is up to",
  "twice the bound.", "",
  sprintf("## One-dimensional application: %g integrals of a diffusivity over the gradient", MANY), "",
  "CPU microseconds an integral on one thread, the call's own part included.", "",
  "| method | largest error | median error | claimed too little | evaluations | microseconds |",
  "|---|---|---|---|---|---|", diffusion, "",
  sprintf("## Two-dimensional prototype: %d Gaussian bells over (0, 0)-(i, i)", IMAGE), "",
  "| method | largest error | median error | claimed too little | evaluations | microseconds |",
  "|---|---|---|---|---|---|", bell, "",
  "![Steps and points](thuerck2014.png)")
