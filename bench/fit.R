# bench/fit.R: measures the time of a fit, and checks that it finds the maximum.  Prints bench/fit.md.
#   Rscript bench/fit.R > bench/fit.md
# Times are CPU times (user and system) of one process, so that other programs affect them less; for fits of many data
# sets the elapsed time is also given.
library(stablecl)
stable_backend("cpu")
has_peer <- requireNamespace("libstable4u", quietly = TRUE)
shapes <- data.frame(alpha = rep(c(0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.2, 1.5, 1.8, 2), each = 2), beta = rep(c(0, 0.7), 10))
set.seed(1)
samples <- lapply(1:10, function(k) Map(function(a, b) rstable(1000, a, b), shapes$alpha, shapes$beta))

cpu <- function(code) {
  before <- proc.time()
  force(code)
  sum((proc.time() - before)[c("user.self", "sys.self")])
}

# Returns the CPU seconds per call, from enough calls in a row to take at least `least` seconds.
seconds_of <- function(f, least = 0.1) {
  calls <- 1
  repeat {
    took <- cpu(for (i in seq_len(calls)) f())
    if (took >= least) return(took / calls)
    calls <- 2 * calls
  }
}

exact <- function(x, theta) sum(dstable(x, theta[[1]], theta[[2]], theta[[3]], theta[[4]], log = TRUE))

# Maximises the exact log-likelihood by nlminb(), starting from the estimate and from the true parameters; returns by
# how much the larger maximum exceeds the log-likelihood of the fit.
higher <- function(x, fit, shape) {
  objective <- function(y) {
    value <- -exact(x, c(y[1], y[2], exp(y[3]), y[4]))
    if (is.finite(value)) value else 1e10
  }
  from <- list(c(fit$theta[1:2], log(fit$theta[[3]]), fit$theta[[4]]), c(shape$alpha, shape$beta, 0, 0))
  found <- vapply(from, function(y) {
    y <- pmin(pmax(unname(y), c(0.05, -0.999, -9, -Inf)), c(1.999, 0.999, 9, Inf))
    -stats::nlminb(y, objective, lower = c(0.05, -1, -10, -Inf), upper = c(2, 1, 10, Inf))$objective
  }, 0)
  max(found) - fit$loglik
}

cpu_name <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
cat("# What a fit costs\n\nPrinted by `Rscript bench/fit.R`, ", format(Sys.Date()), ", ", cpu_name,
    "\n\n## Agreement\n\n", sep = "")
cat("Log-likelihood by which nlminb() on the exact log-likelihood gets higher, from the estimate and from the truth",
    "(20 shapes, n = 1000):\n\n")
stable_threads(1)
fits <- lapply(samples[[1]], function(x) suppressWarnings(stablefit(x)))
gap <- mapply(function(x, fit, i) higher(x, fit, shapes[i, ]), samples[[1]], fits, seq_len(nrow(shapes)))
cat(sprintf("largest %.1e; above 1e-6 for %d of %d shapes%s.  ", max(gap), sum(gap > 1e-6), length(gap),
            paste(sprintf(" (%g, %g)", shapes$alpha, shapes$beta)[gap > 1e-6], collapse = "")))
off <- mapply(function(x, fit) abs(fit$loglik - exact(x, fit$theta)), samples[[1]], fits)
cat(sprintf("Reported log-likelihood against the sum of dstable(): %.1e at most.\n", max(off)))

cat("\n## One data set of 1000, one thread\n\n| shape | CPU ms, median of 10 samples | evaluations |")
if (has_peer) cat(" libstable4u mle2d, CPU ms | its log-likelihood is lower by |")
cat("\n|---|---|---|", if (has_peer) "---|---|", "\n", sep = "")
all <- numeric()
for (i in seq_len(nrow(shapes))) {
  ms <- vapply(samples, function(s) 1e3 * seconds_of(function() suppressWarnings(stablefit(s[[i]]))), 0)
  all <- c(all, ms)
  cat(sprintf("| (%g, %g) | %.1f | %d |", shapes$alpha[i], shapes$beta[i], median(ms),
              fits[[i]]$convergence$evaluations))
  if (has_peer && shapes$alpha[i] >= 0.5) {
    x <- samples[[1]][[i]]
    took <- cpu(peer <- try(libstable4u::stable_fit_mle2d(x), silent = TRUE))
    lower <- if (is.numeric(peer)) fits[[i]]$loglik - exact(x, peer) else NA
    cat(sprintf(" %.0f | %.2g |", 1e3 * took, lower))
  } else if (has_peer) cat(" | |")
  cat("\n")
}
cat(sprintf("\nOver all shapes and samples: median %.1f ms, 95th percentile %.1f ms, largest %.1f ms.\n", median(all),
            quantile(all, 0.95), max(all)))
if (has_peer)
  cat("libstable4u works with several threads, whose CPU time is added; below alpha = 0.5 it was not run.\n")

cat("\n## Small alpha, 1000 values, one thread\n\n",
    "| alpha | CPU ms for beta = 0 | beta = 0.5 | beta = 1 |\n|---|---|---|---|\n", sep = "")
for (alpha in c(0.02, 0.05, 0.1, 0.15, 0.2, 0.25)) {
  ms <- vapply(c(0, 0.5, 1), function(beta) {
    x <- rstable(1000, alpha, beta)
    1e3 * median(replicate(3, cpu(suppressWarnings(stablefit(x)))))
  }, 0)
  cat(sprintf("| %g | %.0f | %.0f | %.0f |\n", alpha, ms[1], ms[2], ms[3]))
}

cat("\n## A million values, one thread\n\n| shape | CPU s | evaluations of all values |\n|---|---|---|\n")
for (i in c(3, 8, 12, 16, 18)) {
  x <- rstable(1e6, shapes$alpha[i], shapes$beta[i])
  took <- min(replicate(3, cpu(fit <<- stablefit(x))))
  cat(sprintf("| (%g, %g) | %.2f | %d |\n", shapes$alpha[i], shapes$beta[i], took, fit$convergence$evaluations))
}

cat("\n## 10000 data sets of 1000\n\nalpha uniform in (0.5, 2), beta in (-1, 1):\n\n")
many <- lapply(1:10000, function(i) rstable(1000, runif(1, 0.5, 2), runif(1, -1, 1)))
for (threads in 2:1) {
  stable_threads(threads)
  took <- system.time(fits <- suppressWarnings(stablefit(many)))
  cat(sprintf("* %d thread%s: %.0f s elapsed, %.0f s of CPU; %d not converged\n", threads, if (threads > 1) "s" else "",
              took[["elapsed"]], took[["user.self"]] + took[["sys.self"]], sum(!as.data.frame(fits)$converged)))
  if (threads == 2) first <- coef(fits)
}
cat("\nEstimates of one and two threads are ", if (identical(coef(fits), first)) "the same" else "DIFFERENT", ".\n",
    sep = "")
