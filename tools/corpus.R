# tools/corpus.R: records values that the package computes, and compares another build with the record, bit for bit.
#
#     Rscript tools/corpus.R record FILE [LIBRARY]
#     Rscript tools/corpus.R check FILE [LIBRARY]
#
# Make a record before a change that must not alter results, such as moving code, and check the build after it.
# The record holds some 60,000 values: density, distribution function, quantiles and random numbers of many
# distributions, scores, modes, fits by every method, and integrals by every method with fixed seeds, on the CPU and,
# if one is available, on the first OpenCL device.  LIBRARY holds the package (default build/library).  A record is
# valid only for the machine and the driver with which it was made.  `check` prints each entry that differs, with the
# number of values and the largest relative difference; its last line is "N values, M differ", and the exit status is 1
# if any differ.

arguments <- commandArgs(trailingOnly = TRUE)
stopifnot(length(arguments) >= 2, arguments[1] %in% c("record", "check"))
library_path <- normalizePath(if (length(arguments) > 2) arguments[3] else "build/library")
.libPaths(c(library_path, .libPaths()))
library(stablecl, lib.loc = library_path)

# Distributions near each boundary of the parameter space and in its interior.
laws <- expand.grid(alpha = c(0.05, 0.3, 0.7, 0.99, 1 - 1e-9, 1, 1 + 1e-6, 1.1, 1.5, 1.9, 2 - 1e-7, 2),
                    beta = c(-1, -0.4, 0, 1e-9, 0.7, 1))
points <- c(-1e30, -1e4, -30, -3, -1, -0.2, 0, 1e-8, 0.5, 2, 7, 100, 1e6, 1e100)
probabilities <- c(1e-300, 1e-12, 0.01, 0.25, 0.5, 0.8, 0.999, 1 - 1e-13)

over_laws <- function(f) unlist(Map(f, laws$alpha, laws$beta), use.names = FALSE)

distributions <- function() list(
  density = over_laws(function(a, b) dstable(points, a, b)),
  log_density = over_laws(function(a, b) dstable(points, a, b, 2, 1, pm = 1, log = TRUE)),
  lower_tail = over_laws(function(a, b) pstable(points, a, b)),
  upper_tail = over_laws(function(a, b) pstable(points, a, b, 0.5, -1, lower.tail = FALSE, log.p = TRUE)),
  quantile = over_laws(function(a, b) qstable(probabilities, a, b)),
  recycled = dstable(rep(points, length.out = 1008), rep(laws$alpha, 14), rep(laws$beta, 14)),
  recycled_quantile = qstable(rep(probabilities, 72), rep(laws$alpha, 8), rep(laws$beta, 8)),
  many_density = dstable(seq(-40, 40, length.out = 6000), 1.4, 0.3),
  many_lower_tail = pstable(seq(-40, 40, length.out = 6000), 0.8, -0.6),
  many_quantile = qstable(stats::ppoints(6000), 1.7, 0.9),
  random = over_laws(function(a, b) { set.seed(1); rstable(20, a, b) }))

helpers <- function() list(
  score = over_laws(function(a, b) stable_score(points[5:11], a, b)),
  mode = over_laws(function(a, b) stable_mode(a, b)),
  eval = unlist(stable_eval(points, 1.3, -0.4)),
  shortfall = over_laws(function(a, b) if (a > 1) stable_es(0.01, a, b)),
  characteristic = over_laws(function(a, b) { v <- stable_cf(c(-2, 0.1, 1), a, b); c(Re(v), Im(v)) }),
  approximate = { q <- stable_quick(points[4:12], 1.4, 0.2); as.numeric(unlist(q)) })

samples <- function(n) {
  shapes <- rbind(c(0.6, 0.5), c(1, 0), c(1.2, -0.8), c(1.5, 0.3), c(1.8, 1), c(1.95, 0))
  lapply(seq_len(nrow(shapes)), function(k) { set.seed(k); rstable(n, shapes[k, 1], shapes[k, 2]) })
}

estimates <- function(fit) c(coef(fit), as.numeric(logLik(fit)))
fits <- function() {
  x <- samples(300)
  one <- lapply(c(mle = "mle", quantile = "quantile", ecf = "ecf", logmoment = "logmoment", mle2d = "mle2d",
                  grid = "grid"),
                function(method) unlist(lapply(if (method == "grid") x[3:4] else x, function(y)
                  tryCatch(estimates(stablefit(y, method = method)), error = function(e) NA))))
  c(one, list(covariance = unlist(lapply(x, function(y) vcov(stablefit(y)))),
              batch = as.numeric(coef(stablefit(x))),
              regression = { z <- seq_along(x[[4]]) / 300; coef(stable_lm(x[[4]] ~ z)) }))
}

integrands <- list(function(x) exp(-x) * cos(5 * x), function(x) sqrt(abs(x - 0.3)), function(x) 1 / (0.01 + x^2),
                   function(x) log(x + 1e-3), function(x) dnorm(x) * besselJ(x, 0), function(x) dstable(x, 1.5, 0.5))
boxes <- list(function(x, y) exp(-x * y), function(x, y) cos(3 * x + y), function(x, y) 1 / (1 + x + y^2))
parts <- function(r) c(r$value, r$abs.error, r$evaluations)
integrals <- function() {
  line <- lapply(c(gk = "gk", tanhsinh = "tanhsinh", simpson = "simpson", forward = "forward", blockcut = "blockcut",
                   auto = "auto"),
                 function(method) unlist(lapply(integrands, function(f)
                   parts(gintegrate(f, 0, 1, method = method, rel.tol = if (method == "blockcut") 1e-3 else 1e-8)))))
  plane <- lapply(c(cubature = "cubature", vegas = "vegas", lattice = "lattice", product = "product", auto2 = "auto"),
                  function(method) unlist(lapply(boxes, function(f)
                    parts(gintegrate(f, c(0, 0), c(1, 2), method = method, rel.tol = 1e-4, control = list(seed = 1))))))
  batch <- gintegrate(function(x, k) exp(-x^2) * cos(k * x), -Inf, Inf, params = data.frame(k = seq(0, 9, len = 500)))
  space <- gintegrate(function(x) exp(-sum(x^2)), rep(0, 5), rep(1, 5), rel.tol = 1e-5, control = list(seed = 1))
  c(line, plane, list(batch = parts(batch), five_dimensions = parts(space)))
}

on_backend <- function(backend) {
  before <- stable_backend(backend)
  on.exit(stable_backend(before))
  sections <- if (backend == "cpu") list(distributions = distributions, helpers = helpers, fits = fits,
                                         integrals = integrals)
              else list(distributions = distributions, integrals = integrals)
  if (backend != "cpu") {
    sections$integrals <- function() {
      body <- integrals
      environment(body) <- list2env(list(gintegrate = function(...) stablecl::gintegrate(..., backend = backend)),
                                    parent = globalenv())
      body()
    }
  }
  unlist(lapply(sections, function(section) suppressMessages(suppressWarnings(section()))), recursive = FALSE)
}

entries <- on_backend("cpu")
if (any(stable_devices()$usable)) {
  device <- on_backend("opencl")
  entries <- c(entries, stats::setNames(device, paste0("device.", names(device))))
}
count <- sum(lengths(entries))

if (arguments[1] == "record") {
  saveRDS(entries, arguments[2], compress = "xz")
  cat(count, "values recorded\n")
  quit()
}

expected <- readRDS(arguments[2])
absent <- setdiff(names(expected), names(entries))
for (name in absent) cat("not computed here:", name, "\n")
differing <- vapply(intersect(names(expected), names(entries)), function(name) {
  former <- as.numeric(expected[[name]])
  current <- as.numeric(entries[[name]])
  if (length(former) != length(current)) {
    cat(sprintf("%s: %d values, %d before\n", name, length(current), length(former)))
    return(length(former))
  }
  # NaNs count as equal whatever their bits; 0 and -0 differ.
  same <- mapply(identical, former, current, MoreArgs = list(num.eq = FALSE, single.NA = TRUE))
  if (!all(same)) {
    size <- abs(current[!same] - former[!same]) / pmax(abs(former[!same]), .Machine$double.xmin)
    cat(sprintf("%s: %d of %d values differ, by %.2g at most\n", name, sum(!same), length(same),
                max(size, na.rm = TRUE)))
  }
  sum(!same)
}, 0L)
cat(sprintf("%d values, %d differ\n", count, sum(differing) + sum(lengths(expected[absent]))))
quit(status = as.integer(sum(differing) > 0 || length(absent) > 0))
