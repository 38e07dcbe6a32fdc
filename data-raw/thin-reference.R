# Makes the thinned copies of the reference tables that the package's tests read, from the full ones in data-raw/tables.
#
#     Rscript data-raw/thin-reference.R
#
# Nothing is random: the same tables give the same copies.

DIGITS <- 20                       # significant digits kept
FROM <- "data-raw/tables"
OUT <- "tests/testthat/data"

read_table <- function(name)
  utils::read.csv(file.path(FROM, paste0(name, ".xz")), colClasses = "character", comment.char = "#")

# Truncates numbers such as "1.2345e-10" to at most DIGITS significant digits, without
# rounding: the last digit kept is far below the precision of a double.
cut_digits <- function(text) {
  mantissa <- sub("e.*", "", text)
  exponent <- sub("^[^e]*", "", text)
  paste0(substr(mantissa, 1, DIGITS + 1 + grepl("^-", mantissa)), exponent)
}

# Stops unless every number is the 17-digit decimal form of a double.
check_doubles <- function(text) stopifnot(sprintf("%.17g", as.numeric(text)) == text)

# Returns the difficulty of each row; the most difficult rows of each shape are kept.
hardness <- function(t) {
  alpha <- as.numeric(t$alpha); beta <- as.numeric(t$beta); x <- as.numeric(t$x)
  logpdf <- as.numeric(t$logpdf)
  zeta <- ifelse(alpha == 1, 0, -beta * tan(pi / 2 * alpha))
  ulp <- pmax(as.numeric(t$ulp_pdf), as.numeric(t$ulp_cdf), as.numeric(t$ulp_sf))
  near_one  <- alpha != 1 & abs(alpha - 1) <= 0.011 & beta != 0
  near_zeta <- abs(x - zeta) <= 1e-3 * pmax(1, abs(zeta)) & beta != 0
  light     <- is.finite(logpdf) & logpdf < -50 & abs(beta) == 1
  near_two  <- alpha > 1.98 & alpha < 2 & abs(x) > 5
  far       <- abs(x) > 1e4
  ulp_felt  <- ulp > 1e-13
  3 * ulp_felt + 2 * light + 2 * near_zeta + 2 * near_two + near_one + far +
    (abs(beta) >= 0.99 & abs(beta) < 1) + (alpha <= 0.1)
}

# Keeps, of the rows of each shape (about 10), the `n` most difficult ones and one ordinary row.
thin_density <- function(t, n) {
  hard <- hardness(t)
  shape <- paste(t$alpha, t$beta)
  keep <- unlist(lapply(split(seq_len(nrow(t)), factor(shape, unique(shape))), function(rows) {
    rows <- rows[order(-hard[rows], rows)]
    plain <- rev(rows)[1 + (rows[1] %% min(2, length(rows)))]
    unique(c(utils::head(rows, n), plain))
  }))
  t[sort(keep), ]
}

write_table <- function(t, name, certificate) {
  file <- file.path(OUT, name)
  writeLines(paste("#", certificate), file)
  con <- base::file(file, "a")
  on.exit(close(con))
  utils::write.csv(t, con, row.names = FALSE, quote = FALSE)
}

BIRTH <- c("Ball arithmetic (Arb); enclosures by two methods, which share nothing but the definition of the",
           "distribution, overlap and are narrower than 30 digits (data-raw/reference): Nolan's integral in",
           "the log-odds of theta, inversion of the characteristic function along a path in the complex",
           "plane, closed forms.  alpha, beta, x, p are doubles in 17 digits; values are cut to 20 digits",
           "and may lie outside the range of doubles.  Thinned by data-raw/thin-reference.R.")

density <- read_table("density-tails.csv")
for (column in c("alpha", "beta", "x")) check_doubles(density[[column]])
thin <- thin_density(density, 2)
for (column in c("pdf", "logpdf", "cdf", "sf")) thin[[column]] <- cut_digits(thin[[column]])
write_table(thin, "density-tails.csv", c(
  "Density, log density, distribution function and upper tail of the standard law in S0",
  "(pm = 0, gamma = 1, delta = 0); ulp_*: relative change of the value when x moves to the next",
  "double, -1 where unknown.", BIRTH))

quantiles <- read_table("quantiles.csv")
for (column in c("alpha", "beta", "p")) check_doubles(quantiles[[column]])
quantiles$q <- cut_digits(quantiles$q)
write_table(quantiles, "quantiles.csv", c(
  "Quantiles q of the standard law in S0 (pm = 0, gamma = 1, delta = 0); pdf: the density at q, to",
  "six digits.", BIRTH))
