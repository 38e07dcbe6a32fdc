# Compares one device with all devices of a machine: elapsed times of R calls, and identity of the results.
#
#     Rscript bench/gpu/two-devices.R
#
# Prints a markdown table.  Stops if the results differ in a single bit.  Times are medians of REPEATS
# calls after a first one that builds programs and node sets.

library(stablecl)

REPEATS <- 5
ALL     <- "opencl:all"

stable_backend(ALL)
used <- stable_backend()$devices
ONE <- paste0("opencl:", rownames(used)[1])          # the first device, by its row in stable_devices()
if (nrow(used) < 2) message("There is one device only: both columns are that one's.")
scale <- if (any(used$type == "GPU")) 1 else 1000    # a CPU-type device gets fewer elements

now <- function() as.numeric(Sys.time())

# Returns the seconds of a call on `backend` and its result.
timed <- function(backend, f) {
  stable_backend(backend)
  result <- f()
  seconds <- replicate(REPEATS, {
    before <- now()
    again <- f()
    spent <- now() - before
    if (!identical(again, result)) stop("two calls on ", backend, " differ")
    spent
  })
  list(seconds = median(seconds), result = result)
}

set.seed(21)
n <- 1e8 / scale
shapes <- 1e8 / scale
x <- rstable(n, 1.5, 0.5)
p <- runif(n / 10)
some <- rstable(shapes, 1, 0)
alpha <- runif(shapes, 0.05, 2)
beta <- runif(shapes, -1, 1)
few <- seq_len(1e7 / scale)

jobs <- list(
  list("density, (1.5, 0.5)", n, function() dstable(x, 1.5, 0.5)),
  list("distribution, (1.5, 0.5)", n, function() pstable(x, 1.5, 0.5)),
  list("quantile, (1.5, 0.5)", n / 10, function() qstable(p, 1.5, 0.5)),
  list("density, a shape per point", shapes, function() dstable(some, alpha, beta)),
  list("distribution, a shape per point", shapes, function() pstable(some, alpha, beta)),
  list("quantile, a shape per point", length(few), function() qstable(p[few], alpha[few], beta[few])),
  list("random, (1.5, 0.5)", n, function() { set.seed(22); rstable(n, 1.5, 0.5) }))

cat("# One device and all of them\n\nMade by `Rscript bench/gpu/two-devices.R`.\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    "* Host threads: ", stable_threads(), "\n\n",
    "Seconds from R to R.  The results are identical, bit by bit.\n\n",
    "| call | n | `", ONE, "` | `", ALL, "` (", nrow(used), ") | times as fast |\n",
    "|---|---|---|---|---|\n", sep = "")

for (job in jobs) {
  one <- timed(ONE, job[[3]])
  all <- timed(ALL, job[[3]])
  if (!identical(one$result, all$result))
    stop(sprintf("%s: %d of %g results differ", job[[1]], sum(one$result != all$result), job[[2]]))
  cat(sprintf("| %s | %g | %.4f | %.4f | %.2f |\n", job[[1]], job[[2]], one$seconds, all$seconds,
              one$seconds / all$seconds))
}
