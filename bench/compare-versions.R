# bench/compare-versions.R: compares the speed of two installed versions of the package, call by call.
#
#     Rscript bench/compare-versions.R FORMER_LIBRARY CURRENT_LIBRARY [ROUNDS]
#
# Each version runs in a process of its own.  In each round both processes make the same call one after the other, in
# alternating order, on one thread.  A row gives both medians, the median over the rounds of the ratio of current to
# former time, and the quartiles of this ratio.  The values of both versions are compared before the call is timed.
library(parallel)
arguments <- commandArgs(trailingOnly = TRUE)
stopifnot(length(arguments) >= 2)
rounds <- if (length(arguments) > 2) as.integer(arguments[3]) else 41L
nodes <- makePSOCKcluster(2)
for (k in 1:2) clusterCall(nodes[k], function(library) {
  .libPaths(c(library, .libPaths()))
  base::library(stablecl, lib.loc = library)
  stable_threads(1)
  stable_backend("cpu")
  set.seed(1)
  assign("x", rstable(1e6, 1.5, 0.5), globalenv())
  assign("x4", x[1:1e4], globalenv())
  assign("shapes", runif(1000, 0.6, 1.9), globalenv())
  assign("k", data.frame(k = seq(0, 5, length.out = 1e5)), globalenv())
  assign("far", data.frame(k = seq(0, 30, length.out = 1e5)), globalenv())
  samples <- Map(function(alpha, beta) rstable(1000, alpha, beta), rep(c(1.2, 1.4, 1.6, 1.8, 1.95), 4),
                 rep(c(0, 0.5, -0.3, 0.9), 5))
  assign("samples", samples, globalenv())
  assign("f", function(x) exp(-x^2) * cos(x), globalenv())
  assign("g", function(x, k) exp(-x^2) * cos(k * x), globalenv())
  assign("h", function(x) prod(cos(x)), globalenv())
  NULL
}, normalizePath(arguments[k]))

# The calls, and the number of repetitions in a round.
CASES <- list(
  "dstable, n = 1"                  = list(quote(dstable(0.3, 1.5, 0.5)), 5000),
  "dstable, n = 1e4"                = list(quote(dstable(x4, 1.5, 0.5)), 300),
  "dstable, n = 1e6"                = list(quote(dstable(x, 1.5, 0.5)), 4),
  "dstable, 1000 shapes"            = list(quote(dstable(x4[1:1000], shapes, 0.5)), 8),
  "pstable, n = 1e6"                = list(quote(pstable(x, 1.5, 0.5)), 3),
  "qstable, n = 1e4"                = list(quote(qstable((1:1e4 - 0.5) / 1e4, 1.5, 0.5)), 300),
  "rstable, n = 1e6"                = list(quote({ set.seed(1); rstable(1e6, 1.5, 0.5) }), 3),
  "gintegrate, one, function"       = list(quote(gintegrate(f, 0, 1)$value), 500),
  "gintegrate, one, infinite range" = list(quote(gintegrate(f, -Inf, Inf)$value), 500),
  "gintegrate, 1e5"                 = list(quote(gintegrate(g, -5, 5, params = k)$value), 1),
  "gintegrate, 1e5, half roundoff"  = list(quote(gintegrate(g, -5, 5, params = far)$value), 1),
  "gintegrate, 3 dimensions"        = list(quote({
    set.seed(1)
    gintegrate(h, rep(0, 3), rep(1, 3), rel.tol = 1e-6)$value
  }), 300),
  "gintegrate, vegas"               = list(quote({
    set.seed(1)
    gintegrate(h, rep(0, 3), rep(1, 3), rel.tol = 1e-4, method = "vegas")$value
  }), 20),
  "gintegrate, lattice"             = list(quote({
    set.seed(1)
    gintegrate(h, rep(0, 5), rep(1, 5), rel.tol = 1e-5, method = "lattice")$value
  }), 20),
  "stablefit, n = 1000, 20 samples" = list(quote(vapply(samples, function(y) stablefit(y)$loglik, 0)), 1))

evaluate <- function(call) suppressWarnings(eval(call, globalenv()))
milliseconds <- function(call, times) {
  gc(FALSE)
  took <- system.time(for (i in seq_len(times)) suppressWarnings(eval(call, globalenv())))
  1e3 * sum(took[1:2]) / times
}
clusterExport(nodes, c("evaluate", "milliseconds"))

cat("| call | former, ms | current, ms | current / former | quartiles |\n|---|---|---|---|---|\n")
for (name in names(CASES)) {
  case <- CASES[[name]]
  values <- lapply(1:2, function(k) clusterCall(nodes[k], function(call) evaluate(call), case[[1]])[[1]])
  same <- all.equal(values[[1]], values[[2]], tolerance = 1e-6)
  if (!isTRUE(same)) cat(sprintf("%s: values differ, %s\n", name, same[1]))
  took <- matrix(NA_real_, rounds, 2)
  for (round in seq_len(rounds)) for (k in if (round %% 2) 1:2 else 2:1)
    took[round, k] <- clusterCall(nodes[k], function(call, times) milliseconds(call, times), case[[1]], case[[2]])[[1]]
  ratio <- stats::quantile(took[, 2] / took[, 1], c(0.25, 0.5, 0.75))
  cat(sprintf("| %s | %.4g | %.4g | %.3f | %.3f to %.3f |\n", name, stats::median(took[, 1]), stats::median(took[, 2]),
              ratio[2], ratio[1], ratio[3]))
}
stopCluster(nodes)
