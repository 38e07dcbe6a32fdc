# Makes vignettes/tables/plane.csv: the number of correct digits of the density and of the smaller tail over a part of
# the (alpha, x) plane, for this package, stabledist and libstable4u.
#
#     Rscript data-raw/plane-reference.R
#
# A point is kept if two methods of data-raw/reference agree to 30 decimal digits.  Takes about ten minutes.

source("data-raw/reference/values.R")
suppressPackageStartupMessages(library(stablecl))

BETA   <- 0.5
ALPHA  <- sort(c(seq(0.1, 1.95, by = 0.05), 0.99, 0.999, 1.001, 1.01, 1.99, 1.999))
X      <- local({ far <- 10^seq(-2, 6, by = 0.25); c(-rev(far), 0, far) })
DIGITS <- 17                       # digits beyond the precision of a double are not counted
FILE   <- "vignettes/tables/plane.csv"

# Returns the density, the smaller tail and which tail that is, for all x of one alpha.
right_rows <- function(alpha) {
  right <- reference_points(alpha, BETA, X)
  cdf <- as.numeric(right$cdf)
  sf <- as.numeric(right$sf)
  table <- data.frame(alpha, x = X, upper = sf < cdf, pdf = as.numeric(right$pdf), tail = pmin(cdf, sf))
  table[!is.na(table$pdf), ]
}

# Returns the number of correct decimal digits of `value`: -log10 of its relative error, between 0 and DIGITS.
digits_right <- function(value, right) {
  value[!is.finite(value)] <- Inf
  digits <- -log10(abs(value / right - 1))
  round(pmin(DIGITS, pmax(0, digits)), 1)
}

PACKAGES <- list(
  stablecl = list(
    pdf = function(x, a) vapply(x, function(z) dstable(z, a, BETA), 0),          # one at a time: no interpolant
    tail = function(x, a, upper) mapply(function(z, u) pstable(z, a, BETA, lower.tail = !u), x, upper)),
  stabledist = list(
    pdf = function(x, a) stabledist::dstable(x, a, BETA),
    tail = function(x, a, upper) ifelse(upper, stabledist::pstable(x, a, BETA, lower.tail = FALSE),
                                        stabledist::pstable(x, a, BETA))),
  libstable4u = list(
    pdf = function(x, a) libstable4u::stable_pdf(x, c(a, BETA, 1, 0), 0L),
    tail = function(x, a, upper) {
      cdf <- libstable4u::stable_cdf(x, c(a, BETA, 1, 0), 0L)
      ifelse(upper, 1 - cdf, cdf)
    }))

rows_of <- function(alpha) {
  message("alpha = ", alpha)
  row <- right_rows(alpha)
  quiet <- function(code) suppressWarnings(code)
  for (name in names(PACKAGES)) {
    package <- PACKAGES[[name]]
    row[[paste0("pdf.", name)]] <- digits_right(quiet(package$pdf(row$x, alpha)), row$pdf)
    row[[paste0("tail.", name)]] <- digits_right(quiet(package$tail(row$x, alpha, row$upper)), row$tail)
  }
  row[setdiff(names(row), c("upper", "pdf", "tail"))]
}

table <- do.call(rbind, lapply(ALPHA, rows_of))
table$x <- sprintf("%.4g", table$x)
version_of <- function(package) paste(package, as.character(packageVersion(package)))
certificate <- c(
  sprintf("Right digits, -log10 |value/right - 1|, of density and smaller tail; beta = %g, S0, gamma = 1, delta = 0.",
          BETA),
  "x is +-10^(k/4), printed to 4 digits here. Right values: ball arithmetic, two independent methods each.",
  sprintf("Made by data-raw/plane-reference.R, %s, with %s.", Sys.Date(),
          paste(vapply(names(PACKAGES), version_of, ""), collapse = ", ")))
writeLines(paste("#", certificate), FILE)
suppressWarnings(write.table(table, FILE, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
cat(nrow(table), "of", length(ALPHA) * length(X), "rows\n")
