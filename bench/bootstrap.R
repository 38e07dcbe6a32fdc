# bench/bootstrap.R: measures the time of 1000 refits of 1000 values, the parametric bootstrap of a fit.
#   Rscript bench/bootstrap.R [threads...] > bench/bootstrap.md
# Times are the smallest of `runs` runs; processor times are those of all threads.  It checks first that the intervals
# do not depend on the number of threads, and that standard deviations of the bootstrap estimates agree with the
# standard errors by the information.
library(stablecl)
source("bench/page.R")
stable_backend("cpu")
threads <- as.integer(commandArgs(TRUE))
if (!length(threads)) threads <- 1:2
shapes <- data.frame(alpha = c(0.7, 1, 1.2, 1.5, 1.7, 1.9), beta = c(0.8, 0, 0.5, 0, -0.5, 0))
runs <- 3
agreement <- 0.15          # largest difference of the logarithms of the standard errors of alpha up to 1.7

load_before <- if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
timed <- function(code) {
  took <- system.time(force(code))
  c(elapsed = took[["elapsed"]], cpu = sum(took[c("user.self", "sys.self")]))
}
bootstrap <- function(fit) confint(fit, method = "bootstrap", R = 1000, seed = 1)

# Returns the ratios of the standard deviations of 1000 bootstrap estimates to the standard errors of a fit.
ratios <- function(fit) {
  samples <- lapply(simulate(fit, 1000, seed = 2), as.vector)
  estimates <- suppressWarnings(coef(stablefit(samples, se = FALSE)))
  apply(estimates, 2, sd, na.rm = TRUE) / sqrt(diag(vcov(fit)))
}

one_shape <- function(i) {
  set.seed(i)
  fit <- suppressWarnings(stablefit(rstable(1000, shapes$alpha[i], shapes$beta[i])))
  each <- function(f) lapply(threads, function(k) {
    stable_threads(k)
    f()
  })
  intervals <- each(function() bootstrap(fit))
  stopifnot(vapply(intervals, identical, NA, intervals[[1]]))
  agree <- ratios(fit)
  stopifnot(shapes$alpha[i] > 1.7 || all(abs(log(agree)) < agreement))
  took <- each(function()
    apply(vapply(seq_len(runs), function(run) timed(bootstrap(fit)), c(elapsed = 0, cpu = 0)), 1, min))
  list(took = unlist(took), agree = agree)
}
results <- lapply(seq_len(nrow(shapes)), one_shape)
cells <- function(v) paste(sprintf("%.2f", v), collapse = " | ")
shape <- sprintf("(%g, %g)", shapes$alpha, shapes$beta)

cpu_name <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
cat("# The parametric bootstrap\n\n", made_by("bench/bootstrap.R"), ", ", format(Sys.Date()), ", ", cpu_name, ", ",
    parallel::detectCores(), " cores, load ", load_before, " at the beginning.\n\n", sep = "")
cat("## Time\n\n`confint(fit, method = \"bootstrap\", R = 1000)` draws 1000 samples of 1000 values and fits them. ",
    "Seconds, the smallest of ", runs, " runs; processor times are those of all threads:\n\n", sep = "")
head <- paste0(rep(c("elapsed, ", "processor, "), length(threads)), rep(threads, each = 2), " thread",
               ifelse(rep(threads, each = 2) == 1, "", "s"))
cat("| (alpha, beta) | ", paste(head, collapse = " | "), " |\n", strrep("|---", length(head) + 1), "|\n", sep = "")
for (i in seq_along(shape)) cat("| ", shape[i], " | ", cells(results[[i]]$took), " |\n", sep = "")
cat("\n## Agreement\n\nRatios of the standard deviations of 1000 bootstrap estimates to the standard errors by the ",
    "observed information. For alpha = 1.9 many estimates are at the bound 2.\n\n",
    "| (alpha, beta) | alpha | beta | gamma | delta |\n|---|---|---|---|---|\n", sep = "")
for (i in seq_along(shape)) cat("| ", shape[i], " | ", cells(results[[i]]$agree), " |\n", sep = "")
