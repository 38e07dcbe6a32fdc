# Measures fits that are computed on a device: of one large sample, and of many small ones.
#
#     Rscript bench/gpu/fits.R [DEVICE] [parts] > bench/gpu/fits.md                 (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl"; "parts" adds a breakdown of the time for many small samples and
# omits the large ones.  Times are elapsed seconds of R calls, medians of REPEATS calls after a first one, or of
# SMALL_REPEATS for one small sample.  Fits on the device are first compared with those on the CPU, in standard errors.

library(stablecl)
source("bench/cores.R")                                  # host_cores(), beside()
source("bench/page.R")                                   # made_by()

REPEATS <- 5
SMALL_REPEATS <- 25
words <- commandArgs(trailingOnly = TRUE)
parts <- "parts" %in% words
device <- c(setdiff(words, "parts"), "opencl")[1]
stable_backend(device)
used <- stable_backend()$devices
scale <- if (any(used$type == "GPU")) 1 else 100     # a CPU-type device gets fewer elements
SHAPES <- list(c(1.5, 0.5), c(1.2, -0.3), c(1.8, 0))

source("bench/timing.R")                                 # now(), seconds(), median_seconds()

on <- function(backend, code) {
  local_stable_backend(backend)
  code
}

with_threads <- function(threads, code) {
  before <- stable_threads(threads)
  on.exit(stable_threads(before))
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
  gap <- max(abs(coef(there) - coef(here)) / sqrt(diag(vcov(here))))
  data.frame(n = n, alpha = shape[1], beta = shape[2], gap = gap,
             first = first, kept = median_seconds(function() stablefit(kept)),
             cpu = on("cpu", seconds(function() stablefit(kept))), evaluations = fit$convergence$evaluations,
             off = max(abs(coef(fit) - c(shape, 2, 3)) / sqrt(diag(vcov(fit)))))
}

milliseconds <- function(f) 1e3 * median(replicate(SMALL_REPEATS, seconds(f)))

# One sample by a method: the gap between device and processor in standard errors, and milliseconds on the device, on
# the default number of threads and on all cores of the host.
one_small <- function(method, n, grid = 4) {
  set.seed(32)
  x <- rstable(n, 1.5, 0.5)
  fit_once <- function() {
    if (method == "grid") stablefit(x, method, control = list(grid = grid)) else stablefit(x, method)
  }
  there <- fit_once()
  here <- on("cpu", fit_once())
  cores <- host_cores()
  data.frame(method = if (method == "grid") sprintf("grid, %d parameters", grid) else method, n = n,
             gap = max(abs(coef(there) - coef(here)) / sqrt(diag(vcov(here)))), device = milliseconds(fit_once),
             threads = on("cpu", milliseconds(fit_once)),
             cores = with_threads(cores, on("cpu", milliseconds(fit_once))))
}

small_samples <- function() {
  do.call(rbind, lapply(c(1000, 17400), function(n) {
    rbind(one_small("mle", n), one_small("mle2d", n), one_small("grid", n, 2), one_small("grid", n, 4))
  }))
}

draw_sets <- function(count) {
  set.seed(31)
  alpha <- runif(count, 0.5, 1.95)
  beta <- runif(count, -0.9, 0.9)
  lapply(seq_len(count), function(i) rstable(1000, alpha[i], beta[i]))
}

# Returns the largest difference of estimates in standard errors, and the largest relative difference of
# log-likelihoods.
gaps <- function(there, here) {
  sd <- as.matrix(as.data.frame(here)[paste0("se.", c("alpha", "beta", "gamma", "delta"))])
  c(estimate = max(abs(coef(there) - coef(here)) / sd, na.rm = TRUE),
    loglik = max(abs(there$results$loglik / here$results$loglik - 1)))
}

fit_many <- function(sets, method = "mle") suppressWarnings(stablefit(sets, method))

many_small <- function(sets, method) {
  some <- sets[seq_len(min(length(sets), 500))]
  gap <- gaps(fit_many(some, method), on("cpu", fit_many(some, method)))
  cores <- host_cores()
  on_cores <- function(threads) with_threads(threads, on("cpu", seconds(function() fit_many(sets, method))))
  data.frame(method = method, count = length(sets), estimate = gap[["estimate"]], loglik = gap[["loglik"]],
             device = median_seconds(function() fit_many(sets, method)), threads = on_cores(stable_threads()),
             cores = with_threads(cores, on_cores(cores)))
}

# Returns a breakdown of the seconds of one call, with parallel threads counted once; the remainder is spent in R.
# Kernels are timed in a second call, because timing makes them run one after the other.
time_parts <- function(sets) {
  .Call(stablecl:::C_fit_times)
  whole <- seconds(function() fit_many(sets))
  times <- .Call(stablecl:::C_fit_times)
  .Call(stablecl:::C_profile, TRUE)
  .Call(stablecl:::C_close_devices, FALSE)
  fit_many(sets)
  kernels <- .Call(stablecl:::C_profile, FALSE)[3:5]
  .Call(stablecl:::C_close_devices, FALSE)
  list(whole = whole, times = times, kernels = kernels)
}

print_parts <- function(p) {
  t <- p$times
  work <- t[c("prepare", "search", "device", "exact", "answer", "rest")]
  cat("\n### Where the time goes\n\n", sprintf("Of %.3f s:\n\n", p$whole),
      sprintf("* %.3f %s\n", c(work, p$whole - sum(work)),
              c("sorting and start values", "searches", "sums from tensor approximations, copies and waiting included",
                "exact log-likelihoods, copies and waiting included", "sums over the remaining elements",
                "fits that the processor finishes", "R")),
      sprintf("\n%g rounds, %g requests, %g fits finished by the processor.\n", t[["rounds"]], t[["requests"]],
              t[["on.cpu"]]),
      sprintf("Kernels, by the device's clock: approximations %.3f, sums %.3f, exact log-likelihoods %.3f s.\n",
              p$kernels[1], p$kernels[2], p$kernels[3]), sep = "")
}

fit <- NULL
large <- if (!parts) do.call(rbind, lapply(SHAPES, function(s) one_large(1e8 / scale, s)))
singles <- if (!parts) small_samples()
sets <- draw_sets(1e4 / scale)
small <- rbind(many_small(sets, "mle"), many_small(sets, "grid"))

cat("# Fits and devices\n\n", made_by("bench/gpu/fits.R"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    sprintf("* Host threads: %d where no column states them, of %d processors that R may use\n", stable_threads(),
            host_cores()),
    sprintf("%s\n", beside()), sep = "")
if (!parts) {
  cat("\n## One large sample\n\nSeconds of `stablefit()` of a sample that `stable_data()` keeps: the first fit, which ",
      "copies it to the\ndevice, those after it, and the processor's. Gap: the largest difference between device and ",
      "processor for a\nhundredth of the sample, in standard errors. Off: that between fit and truth.\n\n",
      "| n | alpha | beta | gap | off | evaluations | first | kept | processor |\n",
      "|---|---|---|---|---|---|---|---|---|\n",
      sep = "")
  cat(sprintf("| %g | %g | %g | %.1e | %.1f | %d | %.3f | %.3f | %.2f |\n", large$n, large$alpha, large$beta, large$gap,
              large$off, large$evaluations, large$first, large$kept, large$cpu), sep = "")
  cat("\n## One small sample\n\nMilliseconds of `stablefit()` of one sample with alpha 1.5 and beta 0.5, by the ",
      "device selected by name and by the\nhost's processor.  Gap as above, for the same sample.\n\n",
      sprintf("| method | n | gap | device | %d threads | %d threads |\n", stable_threads(), host_cores()),
      "|---|---|---|---|---|---|\n", sep = "")
  cat(sprintf("| %s | %d | %.1e | %.1f | %.1f | %.1f |\n", singles$method, singles$n, singles$gap, singles$device,
              singles$threads, singles$cores), sep = "")
}
cat("\n## Many small samples\n\n",
    sprintf("%g samples of 1000 in a list, alpha uniform on (0.5, 1.95), beta on ", length(sets)),
    "(-0.9, 0.9): seconds of `stablefit()`.\nGaps between device and processor, of 500 samples: of estimates in ",
    "standard errors, of log-likelihoods relative.\n\n",
    sprintf(paste("| method | samples | gap of estimates | of log-likelihoods | device, %d threads | %d threads |",
                  "%d threads |\n"),
            stable_threads(), stable_threads(), host_cores()),
    "|---|---|---|---|---|---|---|\n",
    sprintf("| %s | %g | %.1e | %.1e | %.2f | %.2f | %.2f |\n", small$method, small$count, small$estimate, small$loglik,
            small$device, small$threads, small$cores), sep = "")
if (parts) print_parts(time_parts(sets))
