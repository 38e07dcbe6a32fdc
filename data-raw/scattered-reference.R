# Makes tests/testthat/data/scattered.csv: reference values at random points, most of whose
# parameters are not round numbers.
#
#     Rscript data-raw/scattered-reference.R ORACLE
#
# ORACLE is the reference program (two independent methods per point in ball arithmetic);
# a point is kept if its methods agree to 55 decimal digits within SECONDS.

POINTS  <- 420
SECONDS <- 4
AGREED  <- 55
DIGITS  <- 20

oracle <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(oracle)) stop("where is the reference program?")

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

ask <- function(mode, point)
  strsplit(suppressWarnings(system2("timeout", c(SECONDS, oracle, mode), input = point,
                                    stdout = TRUE)), ",")[1][[1]]

cut_digits <- function(text) {
  mantissa <- sub("e.*", "", text)
  if (grepl("^-?0\\.?0*$", mantissa)) return("0")
  # Leading zeros are not counted.
  zeros <- nchar(sub("^-?([0.]*).*$", "\\1", mantissa))
  paste0(substr(mantissa, 1, DIGITS + 1 + zeros + grepl("^-", mantissa)), sub("^[^e]*", "", text))
}

reference_row <- function(alpha, beta) {
  zeta <- if (alpha == 1) 0 else -beta * tan(pi / 2 * alpha)
  point <- sprintf("%.17g %.17g %.17g", alpha, beta, draw_x(zeta))
  value <- ask("pt", point)
  if (is.null(value) || length(value) < 12) return(NULL)
  agreed <- suppressWarnings(as.numeric(value[9:12]))
  if (anyNA(agreed) || min(agreed) < AGREED || anyNA(suppressWarnings(as.numeric(value[4:7]))))
    return(NULL)
  ulps <- ask("sens", point)
  if (is.null(ulps) || length(ulps) < 6) return(NULL)
  c(value[1:3], vapply(value[4:7], cut_digits, ""), ulps[4:6])
}

set.seed(20)
rows <- list()
for (k in seq_len(POINTS)) rows[[k]] <- reference_row(draw_alpha(), draw_beta())
table <- as.data.frame(do.call(rbind, rows))
names(table) <- c("alpha", "beta", "x", "pdf", "logpdf", "cdf", "sf", "ulp_pdf", "ulp_cdf", "ulp_sf")

certificate <- c(
  "Values of the standard law in S0 at scattered points; columns as in density-tails.csv.",
  "Ball arithmetic (Arb), two independent methods per point that agree to 55 decimal digits;",
  "made by data-raw/scattered-reference.R.")
file <- "tests/testthat/data/scattered.csv"
writeLines(paste("#", certificate), file)
suppressWarnings(write.table(table, file, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
cat(nrow(table), "rows\n")
