# Makes vignettes/tables/regions.csv: the method that src/stable uses in each region of the (alpha, x) plane.
#
#     Rscript data-raw/regions.R
#
# Needs R's C compiler for regions.c.  The table has one row per distribution, with a letter (see regions.c) and a
# number of nodes for each x.

BETA  <- c(0.5, 1)
ALPHA <- seq(0.02, 2, by = 0.02)
X     <- local({ far <- 10^seq(-3, 6, by = 0.1); c(-rev(far), 0, far) })
FILE  <- "vignettes/tables/regions.csv"

row_of <- function(alpha, beta) {
  done <- .C("regions", as.double(alpha), as.double(beta), length(X), X, method = integer(length(X)),
             nodes = integer(length(X)))
  data.frame(alpha, beta, method = intToUtf8(done$method), nodes = paste(done$nodes, collapse = " "))
}

source("data-raw/load-c.R")
load_c("data-raw/regions.c", PKG_CPPFLAGS = paste0("-I", shQuote(normalizePath("src"))),
       PKG_CFLAGS = "-ffp-contract=off")
laws <- expand.grid(alpha = round(ALPHA, 2), beta = BETA)
table <- do.call(rbind, Map(row_of, laws$alpha, laws$beta))
certificate <- c(
  "What computes density and tail at x = -10^6, -10^5.9, ..., -10^-3, 0, 10^-3, ..., 10^6 (S0, gamma = 1, delta = 0):",
  "c closed form, z power series at zeta, s power series at infinity, l Laplace's method, n sum over nodes,",
  "o the same near alpha = 1; and over how many nodes.  Made by data-raw/regions.R.")
writeLines(paste("#", certificate), FILE)
suppressWarnings(write.table(table, FILE, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
cat(nrow(table), "laws\n")
