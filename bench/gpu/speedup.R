# Speed-up of a device over all threads of its host and over one, for the integrals of Kern and Alaghband (2013) and the
# applications of Thuerck et al. (2014), by the methods of the two papers and by "gk".
#
#     Rscript bench/gpu/speedup.R [--device=opencl] [--sines=1,10,100,1000,2000] [--tau=1e-3,1e-6,1e-9,1e-12]
#                                 [--images=256,1024,4096] [--seconds=130] > bench/gpu/speedup.md
#
# Also writes bench/gpu/speedup.png, which `--redraw` makes again from the page, on a machine with fonts.
# sines: numbers of terms of the integrand whose work is varied; tau: relative tolerances; images: numbers of pixels
# along a side; seconds: all measurements together take about this time, and those for which none is left are omitted.
# Values on the device are compared with those of the CPU before anything is timed.  Times are medians of the calls that
# fit into their share of the time, at least one, after a first call, which builds the kernels.

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores(), beside()
source("bench/page.R")                                   # made_by()
source("bench/thuerck2014-table1.R")                                 # TABLE1, STEPS, quad_evaluations()

option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), commandArgs(TRUE), value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[length(given)]) else default
}
numbers <- function(name, default) as.numeric(strsplit(option(name, default), ",")[[1]])
DEVICE  <- option("device", "opencl")
SINES   <- numbers("sines", "1,10,100,1000,2000")
TAU     <- numbers("tau", "1e-3,1e-6,1e-9,1e-12")
IMAGES  <- numbers("images", "256,1024,4096")
SECONDS <- numbers("seconds", "130")
MOST    <- 2e7                      # max.eval of an integral of Kern and Alaghband
SAMPLE  <- 2^16                     # pixels by which the CPU is timed; its time is in proportion to their number
THREADS <- host_cores()
METHODS <- list(PBCAQ = list(method = "blockcut"),
                PSCAQ = list(method = "blockcut", control = list(variant = "PSCAQ")),
                gk = list(method = "gk"))

now <- function() as.numeric(Sys.time())
BEGAN <- now()
left <- function() SECONDS - (now() - BEGAN)

# Returns the median of the seconds that a call takes.
seconds <- function(run, share) {
  times <- numeric()
  began <- now()
  while (!length(times) || (length(times) < 7 && now() - began < share)) {
    start <- now()
    calls <- 0
    while (!calls || now() - start < 0.003) {
      run()
      calls <- calls + 1
    }
    times <- c(times, (now() - start) / calls)
  }
  stats::median(times)
}

with_threads <- function(threads, code) {
  before <- stable_threads()
  on.exit(stable_threads(before))
  stable_threads(threads)
  code
}

# Times run(backend) on one thread, on all threads of the host and on the device.
three_times <- function(run, share) {
  c(one = with_threads(1, seconds(function() run("cpu"), share)),
    all = with_threads(THREADS, seconds(function() run("cpu"), share)),
    device = seconds(function() run(DEVICE), share))
}

integrate_by <- function(f, lower, upper, ..., backend, args)
  suppressWarnings(do.call(gintegrate, c(list(f, lower, upper, ..., backend = backend), args)))

# The results on device and CPU, compared: values agree within rounding, or within the tolerance where it decides.
# Integrals that have not converged end with different subregions if the errors of these differ by rounding; their
# values agree within the larger of the stated errors.
compared <- function(run, tol) {
  cpu <- run("cpu")
  device <- run(DEVICE)
  stopifnot(device$backend == "opencl", identical(is.finite(device$value), is.finite(cpu$value)))
  gap <- max(abs(device$value - cpu$value) / abs(cpu$value), 0, na.rm = TRUE)
  ended <- cpu$status != "converged"
  allowed <- ifelse(ended, pmax(tol, pmax(cpu$abs.error, device$abs.error) / abs(cpu$value)), max(1e-12, tol))
  stopifnot(all(abs(device$value - cpu$value) <= allowed * abs(cpu$value), na.rm = TRUE))
  list(cpu = cpu, gap = gap)
}

cells <- function(gap, error, claimed, evaluations, times, scale = c(1, 1, 1)) {
  ms <- 1e3 * times * scale
  sprintf("%.0e | %.0e | %s | %.3g | %.3g | %.3g | %.3g | %.2g | %.2g", gap, error, claimed, evaluations, ms[1], ms[2],
          ms[3], ms[2] / ms[3], ms[1] / ms[3])
}

COLUMNS <- sprintf(paste("difference | error | status | evaluations | 1 thread | %1$d threads | device |",
                         "%1$d threads / device | 1 thread / device |"), THREADS)
heading <- function(first) {
  names <- paste(first, "|", COLUMNS)
  c(paste("|", names), paste0("|", strrep("---|", lengths(strsplit(names, "|", fixed = TRUE)))))
}

measured <- NULL                    # one row for each measurement of one integral, for figure and summary
keep <- function(kind, name, method, size, error, times)
  measured <<- rbind(measured, data.frame(kind, name, method, size, error, one = times[[1]], all = times[[2]],
                                          device = times[[3]]))

# --- speed-up against the work of one evaluation ----------------------------------------

sines <- function(x, n) {
  s <- 0
  for (k in 1:n) s <- s + sin(k * x) / k^2
  s
}

work_row <- function(n, name) {
  forward <- list(method = "forward", control = list(h_min = 1e-3, h_max = 1e-2, blocks = 128), rel.tol = 1e-6)
  args <- if (name == "forward") forward else c(METHODS[[name]], rel.tol = 1e-6)
  run <- function(backend) integrate_by(sines, 0, 3, n = n, backend = backend, args = args)
  both <- compared(run, 1e-6)
  times <- three_times(run, 0.15)
  error <- abs(both$cpu$value / sum((1 - cos(3 * (1:n))) / (1:n)^3) - 1)
  keep("work", "sines", name, n, error, times)
  sprintf("| %d | %s | %s |", n, name,
          cells(both$gap, error, as.character(both$cpu$status), both$cpu$evaluations, times))
}

# --- speed-up against the tolerance -------------------------------------------------------

reference <- utils::read.csv("tests/testthat/data/integrals.csv", comment.char = "#", colClasses = "character")
KERN <- reference[grepl("^ka", reference$id), ]

kern_row <- function(k, tau, name) {
  f <- eval(parse(text = paste("function(x)", KERN$formula[k])), globalenv())
  run <- function(backend) integrate_by(f, as.numeric(KERN$lower[k]), as.numeric(KERN$upper[k]), backend = backend,
                                        args = c(METHODS[[name]], rel.tol = tau, max.eval = MOST))
  both <- compared(run, if (name == "gk") tau else 1e-9)
  times <- three_times(run, 0.03)
  error <- abs(both$cpu$value / as.numeric(KERN$value[k]) - 1)
  keep("tau", KERN$id[k], name, tau, error, times)
  sprintf("| %s | %g | %s | %s |", KERN$id[k], tau, name,
          cells(both$gap, error, as.character(both$cpu$status), both$cpu$evaluations, times))
}

# --- Thuerck et al. -----------------------------------------------------------------------

# Evaluations of forward quadrature against those of Matlab's quad, of one Gauss-Kronrod rule of 21 points that is not
# verified by a subdivision, and of "gk".
table1_row <- function(one, h) {
  f <- one[[2]]
  error <- function(value) abs(value / one[[3]] - 1)
  r <- suppressWarnings(gintegrate(f, 0, 1, method = "forward", control = list(h_min = h[1], h_max = h[2])))
  quad <- quad_evaluations(f, 0, 1)
  rule <- stats::integrate(f, 0, 1, subdivisions = 1L, stop.on.error = FALSE)
  gk <- gintegrate(f, 0, 1, method = "gk", rel.tol = 1e-5)
  sprintf("| `%s` | %g, %g | %s | %d | %.0f%% | %.0f%% | %.0f%% | %.0e | %.0e | %.0e |", one[[1]], h[1], h[2], one[[6]],
          as.integer(r$evaluations), 100 * r$evaluations / quad, 100 * r$evaluations / 21,
          100 * r$evaluations / gk$evaluations, error(r$value), error(rule$value), error(gk$value))
}

# Integrals of all pixels of an image.  cpu_most: the largest number of pixels that the CPU computes when it is timed.
image_row <- function(side, name, run, truth, cpu_most) {
  n <- side^2
  few <- seq_len(min(n, SAMPLE))
  both <- compared(function(backend) run(few, backend), 1e-6)
  error <- max(abs(both$cpu$value - truth(few)))
  first <- run(seq_len(n), DEVICE)
  stopifnot(isTRUE(all.equal(first$value[few], both$cpu$value, tolerance = 1e-6)))
  some <- seq_len(min(n, cpu_most))
  times <- c(with_threads(1, seconds(function() run(few, "cpu"), 0)),
             with_threads(THREADS, seconds(function() run(some, "cpu"), 0.2)),
             seconds(function() run(seq_len(n), DEVICE), 0.3))
  sprintf("| %d x %d | %s | %s |", side, side, name,
          cells(both$gap, error, paste(names(which.max(table(both$cpu$status)))), mean(both$cpu$evaluations), times,
                n / c(length(few), length(some), n)))
}

pixels <- function(side, seed) {
  set.seed(seed)
  stats::runif(side^2)
}

# Figure 2: the diffusivity of a gradient in each pixel.
diffusion_rows <- function(side) {
  gradient <- 0.01 + 0.49 * pixels(side, 1)
  K <- rep_len(0.05 + 0.15 * pixels(64, 2), side^2)
  truth <- function(i) K[i] * sqrt(pi) * (stats::pnorm(sqrt(2) * gradient[i] / K[i]) - 0.5)
  run_by <- function(args) function(i, backend)
    integrate_by(function(x, K) exp(-(x / K)^2), 0, gradient[i], params = data.frame(K = K[i]), backend = backend,
                 args = args)
  steps <- list(method = "forward", control = list(h_min = 0.01, h_max = 0.05))
  c(image_row(side, "forward", run_by(steps), truth, 2^21),
    image_row(side, "simpson", run_by(list(method = "simpson", rel.tol = 1e-3)), truth, 2^21),
    image_row(side, "gk", run_by(list(method = "gk", rel.tol = 1e-3)), truth, 2^21))
}

# Figure 3: a Gaussian bell over the square from the origin to the intensity of each pixel.
bell_rows <- function(side) {
  intensity <- 0.05 + 3.95 * pixels(side, 3)
  truth <- function(i) (stats::pnorm(intensity[i]) - 0.5)^2
  run_by <- function(args) function(i, backend)
    integrate_by(function(x, y) exp(-(x^2 + y^2) / 2) / (2 * pi), 0, cbind(intensity[i], intensity[i]),
                 backend = backend, args = args)
  c(image_row(side, "forward", run_by(list(method = "forward")), truth, 2^17),
    image_row(side, "cubature", run_by(list(method = "cubature", rel.tol = 1e-3)), truth, 2^21))
}

# Calls f() for each row of a table of cases, as long as time is left.
rows_of <- function(cases, f, until) {
  lines <- character()
  for (k in seq_len(nrow(cases))) {
    if (now() - BEGAN > until * SECONDS) {
      message(sprintf("no time is left for %d of %d rows", nrow(cases) - k + 1, nrow(cases)))
      break
    }
    message(paste(unlist(cases[k, ]), collapse = " "))
    lines <- c(lines, do.call(f, unname(as.list(cases[k, ]))))
  }
  lines
}
cases <- function(...) expand.grid(..., stringsAsFactors = FALSE)

# --- the picture -----------------------------------------------------------------------------

draw <- function(file, threads) {
  grDevices::png(file, width = 1500, height = 650, res = 130)
  graphics::par(mfrow = c(1, 2), mar = c(4, 4, 2.5, 1))
  colours <- stats::setNames(grDevices::hcl.colors(4, "Dark 3"), c("PBCAQ", "PSCAQ", "forward", "gk"))
  panel <- function(kind, label, main, at) {
    part <- measured[measured$kind == kind, ]
    part$all_ratio <- part$all / part$device
    part$one_ratio <- part$one / part$device
    mean_of <- stats::aggregate(cbind(all_ratio, one_ratio) ~ method + size, part, function(r) exp(mean(log(r))))
    limits <- range(mean_of$all_ratio, mean_of$one_ratio, 1)
    graphics::plot(range(mean_of$size), limits, type = "n", log = "xy", xlab = label, ylab = "speed-up of the device",
                   main = main)
    graphics::abline(h = 1, col = "grey70")
    for (method in unique(mean_of$method)) {
      line <- mean_of[mean_of$method == method, ]
      graphics::lines(line$size, line$all_ratio, type = "b", pch = 19, col = colours[method])
      graphics::lines(line$size, line$one_ratio, type = "b", pch = 1, lty = 2, col = colours[method])
    }
    graphics::legend(at, unique(mean_of$method), col = colours[unique(mean_of$method)], pch = 19, bty = "n")
  }
  panel("work", "sines in the integrand", sprintf("Over %d threads (solid) and one (dashed)", threads), "topleft")
  panel("tau", "relative tolerance", "Kern and Alaghband, geometric means", "topright")
  invisible(grDevices::dev.off())
}
# Returns the measurements of a page that this script has made.
measured_of <- function(file) {
  lines <- readLines(file)
  table <- function(kind, heading) {
    start <- match(heading, lines)
    first <- start + which(grepl("^[|]---", lines[-seq_len(start)]))[1] + 1
    last <- first + which(!grepl("^[|]", lines[first:length(lines)]))[1] - 2
    cells <- do.call(rbind, strsplit(lines[first:last], " *[|] *"))[, -1]
    from <- ncol(cells) - 5
    data.frame(kind = kind, size = as.numeric(cells[, from - 5]), method = cells[, from - 4],
               one = as.numeric(cells[, from + 1]), all = as.numeric(cells[, from + 2]),
               device = as.numeric(cells[, from + 3]))
  }
  rbind(table("work", "## One integral, against the work of one evaluation"),
        table("tau", "## The integrals of Kern and Alaghband (2013), against the tolerance"))
}

# Returns the number of threads of the host that such a page states.
threads_of <- function(file) {
  line <- grep("^[*] Device", readLines(file), value = TRUE)
  as.integer(sub(".* use ([0-9]+) threads.*", "\\1", line))
}

if ("--redraw" %in% commandArgs(TRUE)) {
  measured <- measured_of("bench/gpu/speedup.md")
  draw("bench/gpu/speedup.png", threads_of("bench/gpu/speedup.md"))
  quit("no")
}

# --- the page --------------------------------------------------------------------------------

works <- cases(name = c("PBCAQ", "PSCAQ", "forward", "gk"), n = SINES)
work <- rows_of(works[2:1], work_row, 0.3)
# All tolerances of an integral and a method follow each other: devices keep the programs of a few integrands only.
taus <- cases(tau = TAU, name = names(METHODS), k = seq_len(nrow(KERN)))
tau <- rows_of(taus[c("k", "tau", "name")], kern_row, 0.65)
image1 <- rows_of(cases(side = IMAGES), diffusion_rows, 0.85)
image2 <- rows_of(cases(side = IMAGES), bell_rows, 0.95)
table1 <- unlist(lapply(STEPS, function(h) vapply(TABLE1, table1_row, "", h = h)))

# The paper's methods on the device against gk on one thread, for each integral and tolerance measured with both.
summary_of <- function(method) {
  paper <- measured[measured$kind == "tau" & measured$method == method, ]
  gk <- measured[measured$kind == "tau" & measured$method == "gk", ]
  both <- merge(paper, gk, by = c("name", "size"))
  if (!nrow(both)) return(character())
  ratio <- both$device.x / both$one.y
  c(sprintf("%s on the device takes longer than gk on one thread in %d of %d cases, at the median %.2g times as long.",
            method, sum(ratio > 1), nrow(both), stats::median(ratio)),
    sprintf("Its largest speed-up over one thread by the same method is %.3g.", max(paper$one / paper$device)))
}

draw("bench/gpu/speedup.png", THREADS)

stable_backend(DEVICE)
cat(sep = "\n",
  "# The methods of two papers on a device", "",
  paste0(made_by("bench/gpu/speedup.R"), "."),
  "", sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  device_line(stable_backend()$devices$device),
  beside(),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  "Milliseconds of a call, medians; the device's include all copies.  difference: between the values on the device",
  "and the CPU; error: the true error, relative for one integral, the largest absolute one for images.  The last two",
  sprintf("columns are the speed-ups of the device over %d threads of its host and over one by the same method.",
          THREADS),
  "",
  unlist(lapply(c("PBCAQ", "PSCAQ"), summary_of)),
  "The error estimates of gk are verified by subdivision; those of forward quadrature are not verified.", "",
  "## One integral, against the work of one evaluation", "",
  "The integral over (0, 3) of the sum over k = 1, ..., n of sin(k x)/k^2, to 1e-6; forward quadrature, which has no",
  "tolerance, in 128 blocks with steps from 0.001 to 0.01.", "", heading("n | method"), work, "",
  "## The integrals of Kern and Alaghband (2013), against the tolerance", "",
  sprintf("At most %g evaluations of an integral.", MOST), "", heading("integral | tau | method"), tau, "",
  "## Table 1 of Thuerck et al. (2014): evaluations", "",
  "The ratio of the evaluations of forward quadrature to those of Matlab's `quad` (13 to 25 for most), to the 21 of",
  "one Gauss-Kronrod rule without a subdivision that verifies it, and to those of gk at 1e-5, which always divides;",
  "and the relative errors of forward quadrature, that rule and gk.", "",
  "| function | h | paper | evaluations | to quad | to one rule | to gk | error | of one rule | of gk |",
  "|---|---|---|---|---|---|---|---|---|---|", table1, "",
  "## Figure 2: diffusion, one integral a pixel", "",
  sprintf("The CPU's times are those of a part of the pixels, at least %d, in proportion to their number.", SAMPLE), "",
  heading("image | method"), image1, "",
  "## Figure 3: a bell over a square, one integral a pixel", "", heading("image | method"), image2, "",
  "![Speed-ups](speedup.png)")
