# tools/check-install.R LIBRARY LOG [openmp|no-openmp|no-clones|opencl|no-opencl ...]: checks that the package in
# LIBRARY was built as configure reported in LOG and as the further arguments require, and that it computes correct
# values.
arguments <- commandArgs(TRUE)
library(stablecl, lib.loc = arguments[1])
log <- readLines(arguments[2])
reported <- function(label) {
  line <- grep(paste0("^  ", label, " "), log, value = TRUE)
  if (length(line) != 1L) stop("configure does not report: ", label)
  sub(paste0("^  ", label, " +"), "", line)
}
built <- .Call(stablecl:::C_build)
has <- list(openmp = !is.na(built$openmp), clones = built$clones > 0, opencl = built$opencl)
says <- list(openmp = grepl("(OpenMP)", reported("runs on"), fixed = TRUE),
             clones = grepl("AVX", reported("code for")),
             opencl = startsWith(reported("OpenCL headers"), "yes"))
for (name in names(has)) {
  if (has[[name]] != says[[name]])
    stop("configure reports ", name, ": ", says[[name]], ", but the library has it: ", has[[name]])
}
if (grepl("AVX-512", reported("code for")) != (built$clones == 512L)) stop("AVX-512 is reported wrongly")
for (word in arguments[-(1:2)]) {
  name <- sub("^no-", "", word)
  if (has[[name]] == startsWith(word, "no-")) stop("the library should have: ", word)
}

near <- function(x, y, error = 1e-12) if (!isTRUE(all.equal(x, y, tolerance = error))) stop("a value is wrong")
x <- seq(-5, 5, length.out = 500)
near(dstable(x, 1, 0), dcauchy(x))
near(pstable(x, 1, 0), pcauchy(x))
near(dstable(x, 1.5, 0.5), vapply(x, function(one) dstable(one, 1.5, 0.5), 0))
near(pstable(qstable(0.3, 1.3, -0.5), 1.3, -0.5), 0.3)
near(gintegrate(function(x) exp(-x^2) * cos(x), -Inf, Inf)$value, sqrt(pi) * exp(-1 / 4), 1e-8)
near(gintegrate(function(x, k) dstable(x, 1.5, 0) + 0 * k, -1, 1, params = data.frame(k = 1:3))$value,
     rep(diff(pstable(c(-1, 1), 1.5, 0)), 3), 1e-8)
