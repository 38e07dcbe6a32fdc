# Renews tests/testthat/data/modes.csv, modes of standard S0 distributions, by data-raw/reference (scores.c).  About a
# quarter of an hour on one core.
#
#     Rscript data-raw/mode-reference.R
#
# The mode is the zero of the slope of the log density.  A step of the secant method starts from the value m of the
# package and m + h: with slopes of 20 digits and h a thousandth of the distance from zeta or of gamma, the error of the
# new value is a thousandth of that of m, or the rounding error.  Prints the largest difference between both.

source("data-raw/reference/values.R")

laws <- expand.grid(alpha = c(0.3, 0.5, 0.7, 0.9, 0.99, 1, 1.01, 1.2, 1.5, 1.8, 1.99), beta = c(0.001, 0.03, 0.3, 1))
m <- stablecl::stable_mode(laws$alpha, laws$beta)
width <- ifelse(laws$alpha < 0.95, abs(m + laws$beta * tan(pi / 2 * laws$alpha)), 1)
above <- m + width / 1024
slope <- as.numeric(reference_rows("scores", sprintf("%.17g %.17g %.17g", laws$alpha, laws$beta, c(m, above)), 20)$d_x)
at_m <- utils::head(slope, nrow(laws))
laws$mode <- m - at_m * (above - m) / (utils::tail(slope, nrow(laws)) - at_m)
stopifnot(!is.na(laws$mode))
cat(sprintf("%d rows; stable_mode() differs by at most %.1e\n", nrow(laws), max(abs(m - laws$mode))))
FILE <- "tests/testthat/data/modes.csv"
writeLines(c("# Modes of standard S0 distributions: zeros of slopes of the log density in ball arithmetic, rounded to",
             "# doubles; made by data-raw/mode-reference.R with data-raw/reference."), FILE)
laws[] <- lapply(laws, sprintf, fmt = "%.17g")
suppressWarnings(utils::write.table(laws, FILE, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
