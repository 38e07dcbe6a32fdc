# Accuracy over the full reference tables: the worst value of every region.
#
#     Rscript bench/accuracy.R [FOLDER]           (make accuracy)
#
# FOLDER holds density-tails.csv and quantiles.csv (default ../shared/reference).
# The yardstick is tests/testthat/helper-accuracy.R.  Exit status 1 if any value
# breaks the promise, 2 if there is nothing to compare with.

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

# Alpha regions in the order of ALPHA_NAMES and so on.
in_order <- function(judged) {
  place <- function(x, names) match(x, names)
  order(place(judged$alpha_band, ALPHA_NAMES), place(judged$beta_band, BETA_NAMES),
        place(judged$x_band, c(X_NAMES, P_NAMES)))
}

# One line for a group of values: how many, how many off, and the worst.
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

# The same by alpha alone, as a table that a document can take over.  Quantiles in
# units of what is allowed: relative error, but next to 0 that of x - zeta or of p.
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
  cat("| beyond the promise |", paste(count(judged$err > judged$allowed), collapse = " | "), "|\n")
}

print_misses <- function(judged) {
  bad <- sum(judged$err > judged$allowed)
  cat(sprintf("\n%d of %d values break the promise of max(1e-12, 10 ulp)%s\n", bad, nrow(judged),
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

# The density at the reference quantiles: from the package's own copy, made with the
# reference program, where the row is there; else our own.
density_at_quantiles <- function(table) {
  kept <- read_reference("tests/testthat/data/quantiles.csv")
  key <- function(t) paste(t$alpha, t$beta, t$p)
  pdf <- as.numeric(kept$pdf)[match(key(table), key(kept))]
  own <- is.na(pdf)
  pdf[own] <- dstable(as.numeric(table$q), as.numeric(table$alpha), as.numeric(table$beta))[own]
  pdf
}

main <- function(folder) {
  files <- file.path(folder, c("density-tails.csv", "quantiles.csv"))
  if (!all(file.exists(files))) {
    message("No reference tables in ", folder, " (looked for density-tails.csv and quantiles.csv).\n",
            "Give their folder:  Rscript bench/accuracy.R FOLDER\n",
            "A thinned copy is in tests/testthat/data and is checked by the test suite.")
    return(2L)
  }
  suppressPackageStartupMessages(library(stablecl))
  quantiles <- read_reference(files[2])
  columns <- c("what", "alpha", "beta", "x", "ours", "err", "allowed")
  judged <- rbind(judge_density(read_reference(files[1]))[columns],
                  judge_quantile(quantiles, density_at_quantiles(quantiles))[columns])
  judged <- add_regions(judged)
  for (what in c("pdf", "cdf", "sf")) print_regions(judged, what, "|x|")
  print_regions(judged, "quantile", "p")
  print_summary(judged)
  print_misses(judged)
  print_worst(judged)
  as.integer(any(judged$err > judged$allowed))
}

options(width = 160)
args <- commandArgs(trailingOnly = TRUE)
quit(status = main(if (length(args)) args[1] else "../shared/reference"))
