# Makes bench/paper2017/points.csv and quantiles.csv: reference values at the parameter pairs
# of tables 2, 4 and 7 of Julian-Moreno et al. (2017), doi:10.1007/s11222-016-9691-9.
#
#     Rscript data-raw/paper2017-reference.R
#
# Two methods of data-raw/reference agree to 30 decimal digits.  Nothing is random: the same program gives the same
# tables.

source("data-raw/reference/values.R")

PAIRS <- rbind(expand.grid(beta = c(0, 0.5, 1), alpha = c(0.25, 0.75, 1.25, 1.5)),
               expand.grid(beta = c(0, 0.5), alpha = 0.5))
PAIRS <- PAIRS[order(PAIRS$alpha, PAIRS$beta), c("alpha", "beta")]

# The paper states x in (-100, 100); the test program of its library uses 1000 equally spaced
# points there, of which these are every fifth.
X_OF_DENSITY <- seq(-100, 99)
# For quantiles: equally spaced points x, of which those with 0.1 <= F(x) <= 0.9 are used.
X_OF_QUANTILE <- (-100:100) / 10
P_RANGE <- c(0.1, 0.9)
DIGITS <- 35                    # decimal digits in which the methods must agree; 5 less are printed
FOLDER <- "bench/paper2017"

# ---- a value as a double and its remainder ----------------------------------------

# Returns the first 30 significant digits of a decimal number as two integers of 15 digits
# each, and their power of ten.
split_digits <- function(text) {
  mantissa <- sub("[eE].*", "", text)
  power <- ifelse(grepl("[eE]", text), as.numeric(sub(".*[eE]", "", text)), 0)
  sign <- ifelse(startsWith(mantissa, "-"), -1, 1)
  mantissa <- sub("^-", "", mantissa)
  whole <- sub("\\..*", "", mantissa)
  digits <- sub(".", "", mantissa, fixed = TRUE)
  zeros <- nchar(sub("^(0*).*", "\\1", digits))
  digits <- substr(paste0(substring(digits, zeros + 1), strrep("0", 30)), 1, 30)
  list(high = sign * as.numeric(substr(digits, 1, 15)),
       low = sign * as.numeric(substr(digits, 16, 30)),
       power = power + nchar(whole) - zeros - 30)
}

# Returns text - value to some 13 digits, from the decimal digits of both (sprintf prints a
# double exactly).  Their powers of ten differ by at most one, as for 9.99... and 10.
rest <- function(text, value) {
  a <- split_digits(text)
  b <- split_digits(sprintf("%.29e", value))
  power <- pmin(a$power, b$power)
  stopifnot(pmax(a$power, b$power) - power <= 1 | value == 0)
  a_times <- 10^(a$power - power)
  b_times <- 10^(b$power - power)
  gap <- (a$high * a_times - b$high * b_times) * 1e15 + (a$low * a_times - b$low * b_times)
  ifelse(value == 0, 0, gap * 10^power)
}

as_double <- function(text) {
  value <- as.numeric(text)
  written <- sprintf("%.17g", value)
  stopifnot(as.numeric(written) == value)      # 17 digits restore the double
  value
}

two_columns <- function(text, name) {
  value <- as_double(text)
  left <- rest(text, value)
  stopifnot(abs(left) <= 2^-52 * abs(value) | abs(value) < 1e-307)
  columns <- data.frame(sprintf("%.17g", value), sprintf("%.3g", left))
  stats::setNames(columns, c(name, paste0(name, "_rest")))
}

# ---- the two tables --------------------------------------------------------------

at_points <- function(x) {
  t <- merge(PAIRS, data.frame(x = x), by = NULL)
  t[order(t$alpha, t$beta, t$x), ]
}

# Returns the rows on which two methods agree, without points outside the support, where no relative error is defined.
keep_agreed <- function(t, known) {
  cat(sum(!known), "of", nrow(t), "points left out: outside the support, or the methods do not agree\n")
  t[known, ]
}

density_table <- function(x) {
  t <- at_points(x)
  right <- reference_points(t$alpha, t$beta, t$x, DIGITS)
  known <- !is.na(right$pdf) & right$logpdf != "-Inf"
  t <- keep_agreed(t, known)
  cbind(t, two_columns(right$pdf[known], "pdf"), two_columns(right$cdf[known], "cdf"))
}

quantile_table <- function(x) {
  t <- density_table(x)
  p <- as.numeric(t$cdf)
  t <- t[p >= P_RANGE[1] & p <= P_RANGE[2], ]
  right <- reference_quantiles(t$alpha, t$beta, as.numeric(t$cdf), DIGITS)
  at <- data.frame(alpha = t$alpha, beta = t$beta, p = t$cdf)
  known <- !is.na(right$q)
  cbind(keep_agreed(at, known), two_columns(right$q[known], "q"))
}

write_table <- function(t, name, certificate) {
  file <- file.path(FOLDER, name)
  writeLines(paste("#", certificate), file)
  suppressWarnings(utils::write.table(t, file, append = TRUE, sep = ",", quote = FALSE,
                                      row.names = FALSE))
  cat(file, nrow(t), "rows\n")
}

BIRTH <- c(
  "A value is the sum of two columns: a double in 17 digits and the rest.  Ball arithmetic (Arb),",
  "two independent methods per row that agree to 30 decimal digits; made by",
  "data-raw/paper2017-reference.R.")

write_table(density_table(X_OF_DENSITY), "points.csv", c(
  "Density and distribution function of the standard law in S0 (pm = 0, gamma = 1, delta = 0).",
  BIRTH))
write_table(quantile_table(X_OF_QUANTILE), "quantiles.csv", c(
  "Quantiles of the standard law in S0 (pm = 0, gamma = 1, delta = 0); p is a double in 17 digits.",
  BIRTH))
