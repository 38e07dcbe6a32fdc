# Measures the accuracy over reference tables, on the CPU and on the first usable OpenCL device:
# prints the largest error in each region, and the differences between CPU and device.
#
#     Rscript bench/accuracy.R [FOLDER]           (make accuracy [REFERENCE=FOLDER])
#
# FOLDER holds density-tails.csv and quantiles.csv, which may be compressed (.csv.xz); by default it is data-raw/tables,
# whose tables the program in data-raw/reference computes.  data-raw/thin-reference.R selects those of the tests from
# them.  tests/testthat/helper-accuracy.R defines the errors and their bounds.  The exit status is 1 if any
# value exceeds its error bound, or if CPU and device differ by more than the sum of both bounds, and
# 2 if there are no reference tables.

source("tests/testthat/helper-accuracy.R")

ALPHA_BANDS <- c(0, 0.1, 0.5, 0.98, 1 - 1e-15, 1, 1.02, 1.9, 2 - 1e-15, 2)
ALPHA_NAMES <- c("(0, 0.1]", "(0.1, 0.5]", "(0.5, 0.98]", "(0.98, 1)", "1", "(1, 1.02]",
                 "(1.02, 1.9]", "(1.9, 2)", "2")
BETA_BANDS  <- c(-1, 0, 0.01, 0.98, 1 - 1e-15, 1)
BETA_NAMES  <- c("0", "(0, 0.01]", "(0.01, 0.98]", "(0.98, 1)", "1")
X_BANDS     <- c(-1, 1, 100, 1e10, Inf)
X_NAMES     <- c("[0, 1]", "(1, 100]", "(100, 1e10]", "> 1e10")
P_BANDS     <- c(0, 1e-50, 1e-5, 1 - 1e-5, 1)
P_NAMES     <- c("< 1e-50", "[1e-50, 1e-5]", "centre", "> 1 - 1e-5")

add_regions <- function(judged) {
  quantile <- judged$what == "quantile"
  band <- function(x, breaks, names) as.character(cut(x, breaks, names))
  judged$alpha_band <- band(judged$alpha, ALPHA_BANDS, ALPHA_NAMES)
  judged$beta_band <- band(abs(judged$beta), BETA_BANDS, BETA_NAMES)
  judged$x_band <- ifelse(quantile, band(judged$x, P_BANDS, P_NAMES),
                          band(abs(judged$x), X_BANDS, X_NAMES))
  judged
}

# Returns the order of the rows by region: as in ALPHA_NAMES, BETA_NAMES, X_NAMES and P_NAMES.
in_order <- function(judged) {
  place <- function(x, names) match(x, names)
  order(place(judged$alpha_band, ALPHA_NAMES), place(judged$beta_band, BETA_NAMES),
        place(judged$x_band, c(X_NAMES, P_NAMES)))
}

# Returns one row for a group of values: the number of values, of values above 1e-12 and of values beyond their bounds,
# and the largest error.
summarise <- function(group) {
  worst <- group[which.max(group$err), ]
  data.frame(alpha = worst$alpha_band, "|beta|" = worst$beta_band, at = worst$x_band,
             values = nrow(group), ">1e-12" = sum(group$err > PROMISE),
             broken = sum(group$err > group$allowed), worst = sprintf("%.1e", worst$err),
             where = sprintf("%.17g; %.17g, %.17g", worst$x, worst$alpha, worst$beta),
             check.names = FALSE)
}

print_regions <- function(judged, what, axis) {
  cat(sprintf("\n== %s: the worst value of each region (alpha x |beta| x %s)\n\n", what, axis))
  part <- judged[judged$what == what, ]
  part <- part[in_order(part), ]
  region <- paste(part$alpha_band, part$beta_band, part$x_band)
  table <- do.call(rbind, lapply(split(part, factor(region, unique(region))), summarise))
  names(table)[3] <- axis
  names(table)[8] <- paste0(sub("\\|x\\|", "x", axis), "; alpha, beta")
  print(table, row.names = FALSE, right = FALSE)
}

# Prints the largest errors by alpha alone, as a markdown table.  Errors of quantiles are
# scaled by their bounds: relative errors, but near 0 those of x - zeta or of p.
print_summary <- function(judged) {
  whats <- c("pdf", "cdf", "sf", "quantile")
  judged$size <- ifelse(judged$what == "quantile", judged$err * PROMISE / judged$allowed, judged$err)
  cell <- function(rows) if (nrow(rows)) sprintf("%.1e", max(rows$size)) else ""
  cat("\n== Largest error by alpha\n\n")
  cat("| alpha | density | distribution function | upper tail | quantile |\n")
  cat("|---|---|---|---|---|\n")
  for (band in c(ALPHA_NAMES, "all")) {
    rows <- judged[band == "all" | judged$alpha_band == band, ]
    cells <- vapply(whats, function(what) cell(rows[rows$what == what, ]), "")
    cat("|", paste(c(band, cells), collapse = " | "), "|\n")
  }
  count <- function(test) vapply(whats, function(what) sum(test & judged$what == what), 0L)
  cat("| values |", paste(count(TRUE), collapse = " | "), "|\n")
  cat("| of them off by more than 1e-12 |", paste(count(judged$err > PROMISE), collapse = " | "), "|\n")
  cat("| beyond the bound |", paste(count(judged$err > judged$allowed), collapse = " | "), "|\n")
}

broken <- function(judged) sum(judged$err > judged$allowed)

print_misses <- function(judged) {
  bad <- broken(judged)
  cat(sprintf("\n%d of %d values exceed the bound max(1e-12, 10 ulp)%s\n", bad, nrow(judged),
              if (bad) "; the worst:" else "."))
  cat(describe_misses(judged, 40), sep = "\n")
}

print_worst <- function(judged) {
  finite <- judged[judged$allowed <= PROMISE, ]
  for (group in list(list("Overall worst where an ulp of x is no excuse", finite),
                     list("Overall worst", judged))) {
    w <- group[[2]][which.max(group[[2]]$err), ]
    cat(sprintf("%s: %.2g for %s at %.17g; %.17g, %.17g (allowed %.2g).\n", group[[1]], w$err,
                w$what, w$x, w$alpha, w$beta, w$allowed))
  }
}

# Returns the density at the reference quantiles: a column of the table, or else from dstable().
density_at_quantiles <- function(table) {
  if (!is.null(table$pdf)) return(as.numeric(table$pdf))
  dstable(as.numeric(table$q), as.numeric(table$alpha), as.numeric(table$beta))
}

# ---- devices -----------------------------------------------------------------------

# Returns a description of the device that stable_backend("opencl") selects; character() if there is none.
usable_device <- function() {
  if (!any(stable_devices()$usable)) return(character())
  before <- stable_backend("opencl")
  on.exit(stable_backend(before))
  used <- stable_backend()$devices
  sprintf("%s (%s, driver %s)", used$device, used$platform, used$driver)
}

# Returns f with one call per shape: devices have different kernels for one shape and for varying shapes.
by_shape <- function(f) function(x, alpha, beta, ...) {
  y <- numeric(length(x))
  for (rows in split(seq_along(x), paste(alpha, beta)))
    y[rows] <- f(x[rows], alpha[rows[1]], beta[rows[1]], ...)
  y
}

judge_on <- function(backend, table, quantiles, pdf, as = identity) {
  local_stable_backend(backend)
  columns <- c("what", "alpha", "beta", "x", "ours", "log_ours", "ref", "err", "allowed")
  density <- cbind(judge_density(table, as(dstable), as(pstable)), ref = NA)
  quantile <- cbind(judge_quantile(quantiles, pdf, as(qstable)), log_ours = NA)
  add_regions(rbind(density[columns], quantile[columns]))
}

# Returns the difference between two backends divided by the sum of their bounds.
share_of_bounds <- function(a, b) {
  apart <- abs(a$ours - b$ours) / ifelse(is.na(a$ref) | a$ref == 0, 1, abs(a$ref))
  logs <- a$what != "quantile"
  apart[logs] <- log_scale_error(a$ours[logs], a$log_ours[logs], b$ours[logs], b$log_ours[logs])
  apart[a$ours == b$ours & !logs] <- 0
  apart / (a$allowed + b$allowed)
}

# Prints the errors of a device and its differences from the CPU; returns the largest share of the bounds.
print_device <- function(name, judged, cpu) {
  cat(sprintf("\n== The same on %s\n", name))
  print_misses(judged)
  print_worst(judged)
  share <- share_of_bounds(judged, cpu)
  worst <- judged[which.max(share), ]
  cat(sprintf("\nCPU and device differ by %.2g of the sum of both bounds at most: %s at %.17g; %.17g, %.17g.\n",
              max(share), worst$what, worst$x, worst$alpha, worst$beta))
  max(share)
}

# Prints the sentence for README.md.
print_holds <- function(device, misses, share) {
  cat("\nThe table shows the errors on the CPU.",
      if (length(device)) sprintf(
        paste0("  On %s %s of the same values %s beyond the bound, and the results differ from those of the CPU by at ",
               "most %.2g of the sum of both bounds."),
        device, if (sum(misses)) sum(misses) else "none", if (sum(misses) > 1) "are" else "is", max(share)),
      "\n", sep = "")
}

main <- function(folder) {
  files <- file.path(folder, c("density-tails.csv", "quantiles.csv"))
  files <- ifelse(file.exists(files), files, paste0(files, ".xz"))
  if (!all(file.exists(files))) {
    message("No reference tables in ", folder, " (looked for density-tails.csv and quantiles.csv).\n",
            "Give their folder:  Rscript bench/accuracy.R FOLDER")
    return(2L)
  }
  suppressPackageStartupMessages(library(stablecl))
  cat("Reference tables:", folder, "\n")
  table <- read_reference(files[1])
  quantiles <- read_reference(files[2])
  stable_backend("cpu")
  pdf <- density_at_quantiles(quantiles)
  cpu <- judge_on("cpu", table, quantiles, pdf)
  for (what in c("pdf", "cdf", "sf")) print_regions(cpu, what, "|x|")
  print_regions(cpu, "quantile", "p")
  print_summary(cpu)
  print_misses(cpu)
  print_worst(cpu)
  device <- usable_device()
  ways <- if (length(device)) list("a shape per point" = identity, "one shape a call" = by_shape)
  judged <- lapply(ways, function(as) judge_on("opencl", table, quantiles, pdf, as))
  share <- unlist(mapply(print_device, sprintf("%s, %s", device, names(ways)), judged,
                         MoreArgs = list(cpu = cpu)))
  misses <- vapply(judged, broken, 0L)
  print_holds(device, misses, share)
  as.integer(broken(cpu) > 0 || any(misses > 0) || any(share > 1))
}

options(width = 160)
args <- commandArgs(trailingOnly = TRUE)
quit(status = main(if (length(args)) args[1] else "data-raw/tables"))
