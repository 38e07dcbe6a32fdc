# Makes tests/testthat/data/scattered.csv: reference values at random points, most of whose
# parameters are not round numbers.
#
#     Rscript data-raw/scattered-reference.R
#
# A point is kept if two methods of data-raw/reference agree to AGREED decimal digits.

source("data-raw/reference/values.R")

POINTS  <- 220
AGREED  <- 55
DIGITS  <- 20

one_of <- function(...) list(...)[[sample(...length(), 1)]]()
sign_of <- function() sample(c(-1, 1), 1)
power <- function(from, to) 10^runif(1, from, to)

draw_alpha <- function() one_of(
  function() runif(1, 0.01, 0.15), function() runif(1, 0.15, 0.98),
  function() 1 - power(-13, -1.5), function() 1 + power(-13, -1.5),
  function() runif(1, 1.02, 1.95), function() 2 - power(-12, -1.3), function() 1,
  function() sample(c(1 / 4, 2 / 5, 3 / 5, 3 / 4, 4 / 5, 5 / 4, 4 / 3, 5 / 3), 1))

draw_beta <- function() one_of(
  function() runif(1, -1, 1), function() sign_of() * (1 - power(-15, -1.5)),
  function() sign_of() * power(-13, -1), sign_of, function() 0)

draw_x <- function(zeta) one_of(
  function() rt(1, 1), function() 3 * rnorm(1), function() sign_of() * power(0, 4),
  function() sign_of() * power(4, 300), function() sign_of() * power(-14, -1),
  function() if (abs(zeta) < 1e3) zeta + sign_of() * power(-9, 0) else rnorm(1))

cut_digits <- function(text) {
  mantissa <- sub("e.*", "", text)
  if (grepl("^-?0\\.?0*$", mantissa)) return("0")
  # Leading zeros are not counted.
  zeros <- nchar(sub("^-?([0.]*).*$", "\\1", mantissa))
  paste0(substr(mantissa, 1, DIGITS + 1 + zeros + grepl("^-", mantissa)), sub("^[^e]*", "", text))
}

draw_point <- function(k) {
  alpha <- draw_alpha()
  beta <- draw_beta()
  c(alpha, beta, draw_x(if (alpha == 1) 0 else -beta * tan(pi / 2 * alpha)))
}

set.seed(20)
at <- vapply(seq_len(POINTS), draw_point, numeric(3))
table <- reference_points(at[1, ], at[2, ], at[3, ], AGREED)
table <- table[!is.na(table$pdf) & table$logpdf != "-Inf", ]
for (column in c("pdf", "logpdf", "cdf", "sf")) table[[column]] <- vapply(table[[column]], cut_digits, "")

certificate <- c(
  "Values of the standard law in S0 at scattered points; columns as in density-tails.csv.",
  "Ball arithmetic (Arb), two independent methods per point agree to 55 decimal digits;",
  "made by data-raw/scattered-reference.R.")
file <- "tests/testthat/data/scattered.csv"
writeLines(paste("#", certificate), file)
suppressWarnings(write.table(table, file, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
cat(nrow(table), "rows\n")
