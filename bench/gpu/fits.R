# Fits where a device computes: one large sample, and many small ones.
#
#     Rscript bench/gpu/fits.R [DEVICE] > bench/gpu/fits.md                 (from the checkout)
#
# DEVICE as for stable_backend(), "opencl" if left out.  Seconds from R to R; medians of REPEATS calls after a first
# one.  The fit on the device is compared with that on the processor first, in standard errors.

library(stablecl)

REPEATS <- 5
device  <- c(commandArgs(trailingOnly = TRUE), "opencl")[1]
stable_backend(device)
used <- stable_backend()$devices
scale <- if (any(used$type == "GPU")) 1 else 100     # a CPU-type device gets fewer elements
SHAPES <- list(c(1.5, 0.5), c(1.2, -0.3), c(1.8, 0))

now <- function() as.numeric(Sys.time())
seconds <- function(f) {
  before <- now()
  f()
  now() - before
}
median_seconds <- function(f) median(replicate(REPEATS, seconds(f)))

on <- function(backend, code) {
  local_stable_backend(backend)
  code
}

one_large <- function(n, shape) {
  set.seed(30)
  x <- 3 + 2 * rstable(n, shape[1], shape[2])
  kept <- stable_data(x)
  first <- seconds(function() fit <<- stablefit(kept))
  few <- x[seq_len(n / 100)]
  there <- stablefit(few)
  here <- on("cpu", stablefit(few))
  data.frame(n = n, alpha = shape[1], beta = shape[2], gap = max(abs(coef(there) - coef(here)) / sqrt(diag(vcov(here)))),
             first = first, kept = median_seconds(function() stablefit(kept)),
             cpu = on("cpu", seconds(function() stablefit(kept))), evaluations = fit$convergence$evaluations,
             off = max(abs(coef(fit) - c(shape, 2, 3)) / sqrt(diag(vcov(fit)))))
}

many_small <- function(count) {
  set.seed(31)
  alpha <- runif(count, 0.5, 1.95)
  beta <- runif(count, -0.9, 0.9)
  sets <- lapply(seq_len(count), function(i) rstable(1000, alpha[i], beta[i]))
  stablefit(sets[1:100])
  c(count = count, seconds = seconds(function() stablefit(sets)))
}

fit <- NULL
large <- do.call(rbind, lapply(SHAPES, function(s) one_large(1e8 / scale, s)))
small <- many_small(1e4 / scale)

cat("# Fits and devices\n\nMade by `Rscript bench/gpu/fits.R > bench/gpu/fits.md`.\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver), "* Host threads: ", stable_threads(), "\n\n",
    "## One large sample\n\nSeconds of `stablefit()` of a sample that `stable_data()` keeps: the first fit, which copies ",
    "it to the\ndevice, those after it, and the processor's. Gap: the largest difference between device and processor ",
    "for a\nhundredth of the sample, in standard errors. Off: that between fit and truth.\n\n",
    "| n | alpha | beta | gap | off | evaluations | first | kept | processor |\n|---|---|---|---|---|---|---|---|---|\n", sep = "")
cat(sprintf("| %g | %g | %g | %.1e | %.1f | %d | %.3f | %.3f | %.2f |\n", large$n, large$alpha, large$beta, large$gap,
            large$off, large$evaluations, large$first, large$kept, large$cpu), sep = "")
cat("\n## Many small samples\n\n", sprintf("%g samples of 1000, alpha uniform on (0.5, 1.95), beta on (-0.9, 0.9): %.2f s in ",
                                            small[["count"]], small[["seconds"]]),
    sprintf("all, on %d threads of the\nprocessor: small samples are fitted there, whatever the device.\n", stable_threads()), sep = "")
