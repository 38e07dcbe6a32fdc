# Measures relative errors of densities, tail probabilities and quantiles, of the values and not of their logarithms,
# over the reference tables in data-raw/tables, beside those of an earlier version.
#
#     Rscript bench/value-errors.R [--earlier=LIBRARY]
#
# LIBRARY is the folder in which the earlier version is installed.  Writes bench/value-errors.md and value-errors.png.
# The exit status is 1 if a value is beyond the bound of tests/testthat/test-stable-reference.R.

source("bench/samples.R")                                          # option()
source("tests/testthat/helper-accuracy.R")
earlier <- option("earlier", "")
save <- option("save", "")                                         # used by the process for the earlier version
NAMES <- c(pdf = "density", cdf = "distribution function", sf = "upper tail", quantile = "quantile")

# ---- errors --------------------------------------------------------------------------

# Returns one row for each value: its relative error, its error in units of the last place, and `sensitivity`, the
# relative change of the value when its argument moves to the next double.
errors <- function() {
  suppressPackageStartupMessages(library(stablecl))
  stable_backend("cpu")
  table <- judge_values(read_reference("data-raw/tables/density-tails.csv.xz"))
  q <- read_reference("data-raw/tables/quantiles.csv.xz")
  alpha <- as.numeric(q$alpha)
  beta <- as.numeric(q$beta)
  p <- as.numeric(q$p)
  ref <- as.numeric(q$q)
  off <- abs(qstable(p, alpha, beta) - ref)
  sensitivity <- ulp(p) / as.numeric(q$pdf) / abs(ref)
  quantiles <- data.frame(what = "quantile", alpha, beta, x = p, ref, err = off / abs(ref), ulps = off / ulp(ref),
                          sensitivity)
  rbind(table, quantiles[is.finite(sensitivity), ])
}

if (nzchar(save)) {
  saveRDS(errors(), save)
  quit()
}

earlier_errors <- function() {
  file <- tempfile(fileext = ".rds")
  script <- c("bench/value-errors.R", paste0("--save=", file))
  system2(file.path(R.home("bin"), "Rscript"), script, env = paste0("R_LIBS=", earlier))
  readRDS(file)
}

now <- errors()
before <- if (nzchar(earlier)) earlier_errors()

# ---- the page ------------------------------------------------------------------------

ROUNDED <- 2 * EPS        # values with a smaller `sensitivity` can be correct to few units in the last place
INSENSITIVE <- 1e-15      # with a smaller `sensitivity`, an ulp of the argument does not explain an error of 1e-14

row_of <- function(...) cat("|", paste(..., sep = " | "), "|\n")
percent <- function(v) sprintf("%.1f", 100 * mean(v))
versions <- c(list("this version" = now), if (length(before)) list("earlier version" = before))

summary_row <- function(version, what) {
  rows <- versions[[version]]
  rows <- rows[rows$what == what, ]
  insensitive <- rows[rows$sensitivity <= INSENSITIVE, ]
  rounded <- rows[rows$sensitivity <= ROUNDED, ]
  row_of(NAMES[[what]], version, nrow(insensitive), sum(insensitive$err > 1e-14), sum(insensitive$err > 1e-13),
         sprintf("%.1e", max(insensitive$err)), nrow(rounded), percent(rounded$ulps <= 4),
         sprintf("%.1f", median(rounded$ulps)))
}

bands <- c(0, 0.1, 0.5, 0.9, 0.98, 0.9999, 1.0001, 1.02, 1.1, 1.9, 2)
share_within <- function(rows, what) {
  rows <- rows[rows$what == what & rows$sensitivity <= ROUNDED, ]
  tapply(rows$ulps <= 4, cut(rows$alpha, bands), percent)
}

sink("bench/value-errors.md")
cat("# Relative errors of values\n\nMade by `Rscript bench/value-errors.R", if (nzchar(earlier)) " --earlier=LIBRARY",
    "`, ", format(Sys.Date()), ", on the CPU, over the tables in `data-raw/tables`.\n\n", sep = "")
cat("The errors are those of the values, also in the tails, where the package promises less: 1e-12 of the logarithm. ",
    "A value is insensitive if it changes by less than 1e-15 of itself when its argument moves to the next double, ",
    "and well rounded if it changes by less than two units in the last place (ulp).\n\n", sep = "")
row_of("value", "version", "insensitive", "off by > 1e-14", "off by > 1e-13", "largest error", "well rounded",
       "% within 4 ulp", "median ulp")
cat(strrep("|---", 9), "|\n", sep = "")
for (what in names(NAMES)) for (version in names(versions)) summary_row(version, what)
cat("\n## Well rounded values within 4 ulp, in %\n\n")
row_of("alpha", paste(outer(names(versions), NAMES, function(v, w) paste0(w, ", ", v)), collapse = " | "))
cat(strrep("|---", 1 + length(NAMES) * length(versions)), "|\n", sep = "")
shares <- do.call(cbind, lapply(names(NAMES), function(what) sapply(versions, share_within, what = what)))
for (k in seq_len(nrow(shares))) row_of(rownames(shares)[k], paste(shares[k, ], collapse = " | "))
cat("\n## The largest errors of insensitive values\n\n")
worst <- now[now$sensitivity <= INSENSITIVE & now$what != "quantile", ]
worst <- worst[order(-worst$err), ][1:12, ]
row_of("value", "alpha", "beta", "x", "reference", "relative error")
cat(strrep("|---", 6), "|\n", sep = "")
for (k in seq_len(nrow(worst))) with(worst[k, ], row_of(NAMES[[what]], sprintf("%.17g", alpha), sprintf("%.17g", beta),
                                                        sprintf("%.6g", x), sprintf("%.6g", ref), sprintf("%.1e", err)))
beyond <- now$what != "quantile" & now$err > value_bound(now$sensitivity)
cat("\nBeyond the bound of the tests, ", BOUND_TEXT, ": ", sum(beyond), " of ", sum(now$what != "quantile"),
    " values.\n", sep = "")
if (length(before)) cat("\n![Errors by |x|, before and after](value-errors.png)\n")
sink()

# ---- the picture ---------------------------------------------------------------------

if (length(before)) {
  png("bench/value-errors.png", 1500, 600, res = 150)
  par(mfrow = c(1, 3), mar = c(4, 4, 2, 0.5), mgp = c(2.4, 0.8, 0), las = 1)
  draw <- function(rows, colour)
    points(log10(pmax(abs(rows$x), 1e-20)), log10(pmax(rows$ulps, 0.1)), pch = 16, cex = 0.35, col = colour)
  for (what in c("pdf", "cdf", "sf")) {
    plot(NA, xlim = c(-20, 200), ylim = c(-1, 3), xlab = expression(log[10] * "|x|"), main = NAMES[[what]],
         ylab = expression(log[10] * " error in ulp"))
    draw(before[before$what == what & before$sensitivity <= ROUNDED, ], "grey70")
    draw(now[now$what == what & now$sensitivity <= ROUNDED, ], "#0072B2")
    abline(h = log10(4), lty = 2)
    if (what == "pdf") legend("topleft", c("earlier version", "this version", "4 ulp"), bty = "n", pch = c(16, 16, NA),
                              lty = c(NA, NA, 2), col = c("grey70", "#0072B2", "black"))
  }
  invisible(dev.off())
}
cat(readLines("bench/value-errors.md")[1:16], sep = "\n")
quit(status = as.integer(any(beyond)))
