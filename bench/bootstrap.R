# bench/bootstrap.R: measures the time of 1000 refits of 1000 values, the parametric bootstrap of a fit.
#   Rscript bench/bootstrap.R [threads...]
# Times are the smallest of 15 runs; CPU times are those of all threads.  It checks first that the intervals do not
# depend on the number of threads.
library(stablecl)
stable_backend("cpu")
threads <- as.integer(commandArgs(TRUE))
if (!length(threads)) threads <- 1:2
shapes <- data.frame(alpha = c(0.7, 1, 1.2, 1.5, 1.7, 1.9), beta = c(0.8, 0, 0.5, 0, -0.5, 0))
runs <- 15

timed <- function(code) {
  took <- system.time(force(code))
  c(elapsed = took[["elapsed"]], cpu = sum(took[c("user.self", "sys.self")]))
}
bootstrap <- function(fit) confint(fit, method = "bootstrap", R = 1000, seed = 1)

one_shape <- function(i) {
  set.seed(i)
  fit <- suppressWarnings(stablefit(rstable(1000, shapes$alpha[i], shapes$beta[i])))
  intervals <- lapply(threads, function(k) {
    stable_threads(k)
    bootstrap(fit)
  })
  stopifnot(vapply(intervals, identical, NA, intervals[[1]]))
  took <- lapply(threads, function(k) {
    stable_threads(k)
    apply(vapply(seq_len(runs), function(run) timed(bootstrap(fit)), c(elapsed = 0, cpu = 0)), 1, min)
  })
  unlist(took)
}
times <- vapply(seq_len(nrow(shapes)), one_shape, numeric(2 * length(threads)))

cpu_name <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
command <- paste(c("Rscript bench/bootstrap.R", threads), collapse = " ")
cat("# What a parametric bootstrap costs\n\nPrinted by `", command, "`, ", format(Sys.Date()), ", ",
    cpu_name, ". `confint(fit, method = \"bootstrap\", R = 1000)` draws 1000 samples of 1000 values and fits them. Seconds, ",
    "the smallest of ", runs, " runs:\n\n", sep = "")
head <- paste0(rep(c("elapsed, ", "CPU, "), length(threads)), rep(threads, each = 2), " thread",
               ifelse(rep(threads, each = 2) == 1, "", "s"))
cat("| shape | ", paste(head, collapse = " | "), " |\n", strrep("|---", length(head) + 1), "|\n", sep = "")
for (i in seq_len(nrow(shapes)))
  cat(sprintf("| (%g, %g) | ", shapes$alpha[i], shapes$beta[i]), paste(sprintf("%.2f", times[, i]), collapse = " | "),
      " |\n", sep = "")
