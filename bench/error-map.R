# Makes vignettes/tables/error-map.csv: the largest error of density, distribution function, upper tail and quantile for
# each pair of alpha and beta in the full reference tables, divided by its bound (tests/testthat/helper-accuracy.R).
#
#     Rscript bench/error-map.R
#
# Drawn by draw_error_map() of vignettes/tables/draw.R.

suppressPackageStartupMessages(library(stablecl))
source("tests/testthat/helper-accuracy.R")

FILE <- "vignettes/tables/error-map.csv"

table_of <- function(name) read_reference(file.path("data-raw/tables", paste0(name, ".csv.xz")))

stable_backend("cpu")
quantiles <- table_of("quantiles")
columns <- c("what", "alpha", "beta", "err", "allowed")
judged <- rbind(judge_density(table_of("density-tails"))[columns],
                judge_quantile(quantiles, as.numeric(quantiles$pdf))[columns])
share <- tapply(judged$err / judged$allowed, judged[c("alpha", "beta", "what")], max)

map <- expand.grid(beta = as.numeric(dimnames(share)$beta), alpha = as.numeric(dimnames(share)$alpha))
index <- cbind(match(map$alpha, dimnames(share)$alpha), match(map$beta, dimnames(share)$beta))
at <- function(what) signif(share[cbind(index, match(what, dimnames(share)$what))], 2)
map <- data.frame(alpha = sprintf("%.17g", map$alpha), beta = sprintf("%.17g", map$beta), pdf = at("pdf"),
                  cdf = at("cdf"), sf = at("sf"), quantile = at("quantile"))

writeLines(paste("#", c(
  "Largest error for each alpha and beta, divided by its bound (S0, gamma = 1, delta = 0).",
  sprintf("%d points and %d quantiles of data-raw/tables; made by bench/error-map.R, %s.", sum(judged$what == "pdf"),
          nrow(quantiles), Sys.Date()))), FILE)
suppressWarnings(utils::write.table(map, FILE, append = TRUE, sep = ",", quote = FALSE, row.names = FALSE))
cat(nrow(map), "distributions, largest share", max(share, na.rm = TRUE), "\n")
