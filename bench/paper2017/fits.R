# Reproduces Table 9 and figures 13 and 14 of Julian-Moreno et al. (2017), doi:10.1007/s11222-016-9691-9: the time of a
# fit by maximum likelihood, and its bias over the parameters.
#
#     Rscript bench/paper2017/fits.R [EXPERIMENTS [DEVICE]] > bench/paper2017/fits.md
#
# DEVICE as for stable_backend(), without it only the CPU is timed.
# Draws bench/paper2017/bias-map.png and bias-box.png.  EXPERIMENTS is the number of samples at each of 17400 points of
# the parameter space (20 in the paper); each takes 40 seconds of CPU time for all points.

suppressPackageStartupMessages(library(stablecl))
FOLDER <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
source(file.path(FOLDER, "..", "cores.R"))               # host_cores()
EXPERIMENTS <- as.integer(c(commandArgs(trailingOnly = TRUE), 20)[1])
DEVICE <- commandArgs(trailingOnly = TRUE)[2]
SIZE  <- 1000
TIMED <- 400            # fits that are timed, each REPEATS times
REPEATS <- 10
NAMES <- c("alpha", "beta", "sigma", "mu")
stable_backend("cpu")
set.seed(2017)

# The paper gives the ranges and the number of points, 17400 = 29 * 20 * 6 * 5.
POINTS <- expand.grid(mu = seq(-1, 1, by = 0.5), sigma = seq(0.5, 3, by = 0.5), beta = seq(0, 1, length.out = 20),
                      alpha = seq(0.6, 2, by = 0.05))

print_row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
print_head <- function(...) {
  print_row(...)
  cat(strrep("|---", length(c(...))), "|\n", sep = "")
}
number <- function(x) vapply(signif(x, 3), format, "", scientific = FALSE)
say <- function(...) cat("\n", paste0(strwrap(paste0(...), 95), "\n"), sep = "")

# ---- bias: figures 13 and 14 ---------------------------------------------------------

# Returns the errors of the estimates, one row for each experiment at points with the same alpha and beta; the error of
# beta is NA if the estimate of alpha is 2.
errors_at <- function(points) {
  truth <- as.matrix(points[rep(seq_len(nrow(points)), EXPERIMENTS), NAMES])
  x <- matrix(rstable(SIZE * nrow(truth), truth[1, "alpha"], truth[1, "beta"]), SIZE)
  x <- sweep(sweep(x, 2, truth[, "sigma"], "*"), 2, truth[, "mu"], "+")
  coef(suppressWarnings(stablefit(x, se = FALSE))) - truth
}

all_errors <- function() {
  shape <- factor(paste(POINTS$alpha, POINTS$beta), unique(paste(POINTS$alpha, POINTS$beta)))
  lapply(split(POINTS, shape), errors_at)
}

draw_map <- function(errors) {
  alpha <- unique(POINTS$alpha)
  beta <- unique(POINTS$beta)
  png(file.path(FOLDER, "bias-map.png"), 900, 760, res = 110)
  on.exit(dev.off())
  par(mfrow = c(2, 2), mar = c(3, 3, 2, 0.6), mgp = c(1.8, 0.6, 0))
  for (j in 1:4) {
    bias <- matrix(vapply(errors, function(e) mean(e[, j], na.rm = TRUE), 0), length(beta))
    reach <- max(abs(quantile(bias, c(0.01, 0.99))))
    shown <- t(pmin(pmax(bias, -reach), reach))
    image(alpha, beta, shown, zlim = c(-reach, reach), col = hcl.colors(64, "Blue-Red 3"),
          xlab = expression(alpha), ylab = expression(beta),
          main = sprintf("bias of %s, %.3f to %.3f", NAMES[j], min(bias), max(bias)), cex.main = 0.9)
  }
}

draw_box <- function(together) {
  png(file.path(FOLDER, "bias-box.png"), 640, 420, res = 110)
  on.exit(dev.off())
  par(mar = c(2.5, 3.5, 0.5, 0.5), mgp = c(2.2, 0.6, 0))
  boxplot(as.data.frame(together), outline = FALSE, col = "grey85", ylab = "estimate - truth")
  abline(h = 0, col = "grey50")
}

print_bias <- function() {
  stable_threads(host_cores())
  errors <- all_errors()
  together <- do.call(rbind, errors)
  draw_map(errors)
  draw_box(together)
  inner <- do.call(rbind, errors[vapply(split(POINTS, rep(seq_along(errors), each = nrow(POINTS) / length(errors))),
                                        function(p) p$alpha[1] < 1.85 && p$beta[1] < 0.95, TRUE)])
  cat("\n## Figures 13 and 14: bias\n")
  say("Experiments of ", SIZE, " values at each of ", nrow(POINTS), " points (alpha, beta, sigma, mu): ", EXPERIMENTS,
      ", ", nrow(together), " fits in all; the paper has 20. It finds the bias low in most cases, the errors at ",
      "the ends of the parameter space and in beta as alpha tends to 2, and no change with mu and sigma: those of ",
      "our fits cannot change with them (test-fit-equivariance.R). A sample whose estimate of alpha is 2 has no ",
      "estimate of beta and is left out for it (", sum(is.na(together[, "beta"])), " samples).")
  cat("\n![bias over alpha and beta](bias-map.png)\n\n![errors of all fits](bias-box.png)\n")
  say("Boxes and whiskers as R's boxplot() makes them, without outliers.")
  cat("\n")
  print_head("", "bias", "Monte Carlo error", "median", "quartiles", "5% to 95%", "bias, alpha < 1.85 and beta < 0.95")
  for (j in 1:4) {
    e <- together[!is.na(together[, j]), j]
    q <- sprintf("%.4f", quantile(e, c(0.05, 0.25, 0.75, 0.95)))
    print_row(NAMES[j], sprintf("%.5f", mean(e)), sprintf("%.5f", sd(e) / sqrt(length(e))), sprintf("%.5f", median(e)),
              paste(q[2], "to", q[3]), paste(q[1], "to", q[4]), sprintf("%.5f", mean(inner[, j], na.rm = TRUE)))
  }
}

# ---- time: table 9 ----------------------------------------------------------------------

# Returns the milliseconds of a call: its CPU time, or on a device the elapsed time.
call_ms <- function(call, repeats, on_device) {
  before <- proc.time()
  for (k in seq_len(repeats)) call()
  spent <- proc.time() - before
  1e3 * (if (on_device) spent[["elapsed"]] else sum(spent[1:2])) / repeats
}

sample_at <- function(k) rstable(SIZE, POINTS$alpha[k], POINTS$beta[k], POINTS$sigma[k], POINTS$mu[k])

timed <- function(fit, count, repeats, on_device = FALSE) {
  ms <- vapply(sample(nrow(POINTS), count), function(k) {
    x <- sample_at(k)
    call_ms(function() fit(x), repeats, on_device)
  }, 0)
  number(c(mean(ms), quantile(ms, 0.95)))
}

ours <- function(...) function(x) suppressWarnings(stablefit(x, ...))

# Prints the rows of the fits on the device, after a comparison with the CPU in standard errors.
print_device_times <- function() {
  stable_backend(DEVICE)
  on.exit(stable_backend("cpu"))
  for (method in c("mle", "grid")) {
    x <- sample_at(1)
    there <- ours(method)(x)
    here <- { stable_backend("cpu"); ours(method)(x) }
    stable_backend(DEVICE)
    stopifnot(max(abs(coef(there) - coef(here)) / sqrt(diag(vcov(here)))) < 1e-3)
    print_row(sprintf("stablefit(x, \"%s\") on the device (ours)", method),
              timed(ours(method), TIMED, REPEATS, on_device = TRUE), TIMED)
  }
}

print_times <- function() {
  stable_threads(1)
  ours()(sample_at(1))
  cat("\n## Table 9: milliseconds for a fit\n")
  say("Theirs on the machines of their day. Ours are from R to R, standard errors included, of samples at points ",
      "drawn from the same 17400: CPU time of one thread",
      if (!is.na(DEVICE)) paste0(", and elapsed time on ", describe_device(), " with one thread of its host"), ".")
  cat("\n")
  print_head("", "average", "95th percentile", "fits")
  theirs <- utils::read.csv(file.path(FOLDER, "theirs-fits.csv"), comment.char = "#")
  for (k in seq_len(nrow(theirs)))
    print_row(paste(theirs$who[k], "(theirs)"), number(unlist(theirs[k, 2:3])), "")
  print_row("stablefit(x) (ours)", timed(ours(), TIMED, REPEATS), TIMED)
  print_row("stablefit(x, \"grid\") (ours)", timed(ours(method = "grid"), 60, 1), 60)
  if (!is.na(DEVICE)) print_device_times()
  if (!requireNamespace("libstable4u", quietly = TRUE)) return(invisible())
  peer <- function(name) function(x) utils::capture.output(try(getExportedValue("libstable4u", name)(x), silent = TRUE))
  print_row("libstable4u's stable_fit_mle2d(x), here", timed(peer("stable_fit_mle2d"), 30, 1), 30)
  print_row("libstable4u's stable_fit_mle(x), here", timed(peer("stable_fit_mle"), 5, 1), 5)
}

describe_device <- function() {
  stable_backend(DEVICE)
  on.exit(stable_backend("cpu"))
  stable_backend()$devices$device[1]
}

cat("# Fits of Julian-Moreno et al. (2017), done again\n\nPrinted by",
    sprintf("`Rscript bench/paper2017/fits.R %s > bench/paper2017/fits.md`, %s.\n",
            paste(commandArgs(trailingOnly = TRUE), collapse = " "), format(Sys.Date())))
print_times()
print_bias()
