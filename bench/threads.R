# bench/threads.R: measures large calls with one distribution, and one integral that takes many evaluations, on
# increasing numbers of threads.
#
#     Rscript bench/threads.R > bench/threads.md
library(stablecl)
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()
stable_backend("cpu")
set.seed(1)

n <- 5e7
x <- rstable(n, 1.5, 0.5)
p <- runif(n)
peak <- function(x, y, z, w) exp(-3 * abs(x - 0.3) - 2 * abs(y - 0.4) - abs(z - 0.6) - abs(w - 0.1))
calls <- list(density = function() dstable(x, 1.5, 0.5), distribution = function() pstable(x, 1.5, 0.5),
              quantile = function() qstable(p, 1.5, 0.5), random = function() rstable(n, 1.5, 0.5),
              integral = function() suppressWarnings(gintegrate(peak, rep(0, 4), rep(1, 4), method = "cubature",
                                                                rel.tol = 1e-14, max.eval = n)))

# Returns the median rate of three calls after a first one that builds the interpolant.
per_second <- function(f) {
  f()
  n / median(replicate(3, {
    before <- Sys.time()
    f()
    as.numeric(Sys.time() - before, units = "secs")
  }))
}

cores <- host_cores()
cat("# Threads\n\n", made_by("bench/threads.R"), ".\n\nElements per second from R to R, alpha = 1.5 and beta = 0.5, ",
    "with the interpolant already built, n = ", n, ", ", cores, " cores, ", format(Sys.Date()),
    ".\nIntegral: evaluations per second of one integral by cubature, of a function with kinks along four axes.\n\n",
    "| threads | ",
    paste(names(calls), collapse = " | "), " |\n|---|---|---|---|---|---|\n", sep = "")
for (threads in unique(pmin(2^(0:6), cores))) {
  stable_threads(threads)
  cat(sprintf("| %d | %s |\n", threads, paste(sprintf("%.3g", vapply(calls, per_second, 0)), collapse = " | ")))
}
