# bench/threads.R: measures large calls with one distribution on increasing numbers of threads, in elements per second.
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
calls <- list(density = function() dstable(x, 1.5, 0.5), distribution = function() pstable(x, 1.5, 0.5),
              quantile = function() qstable(p, 1.5, 0.5), random = function() rstable(n, 1.5, 0.5))

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
cat("# Threads\n\n", made_by("bench/threads.R"), ".\n\nElements per second from R to R, alpha = 1.5 and beta = 0.5, with ",
    "the interpolant already built, n = ", n, ", ", cores, " cores, ", format(Sys.Date()), ".\n\n| threads | ",
    paste(names(calls), collapse = " | "), " |\n|---|---|---|---|---|\n", sep = "")
for (threads in unique(pmin(2^(0:6), cores))) {
  stable_threads(threads)
  cat(sprintf("| %d | %s |\n", threads, paste(sprintf("%.3g", vapply(calls, per_second, 0)), collapse = " | ")))
}
