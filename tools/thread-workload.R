# tools/thread-workload.R: runs every multithreaded code path of the package, for a sanitizer that detects data races
# (tools/check-memory thread).  Sizes are the smallest for which threads are used; the values are compared with those
# computed by one thread.

library(stablecl)
stable_backend("cpu")
threads <- as.integer(c(commandArgs(TRUE), 4)[1])

# Runs `job` with all threads and with one; stops if the results differ.
both <- function(name, job) {
  cat(name, "\n")
  stable_threads(threads)
  many <- job()
  stable_threads(1)
  if (!identical(many, job())) stop(name, ": threads change the result")
}

x <- seq(-20, 20, length.out = 20000)
few <- x[1:4000]
several <- seq(0.6, 1.9, length.out = length(few))
both("density, one law", function() dstable(few, 1.37, 0.4))
both("density, interpolated", function() dstable(x, 1.41, 0.4))
both("distribution, laws that vary", function() pstable(few, several, 0.3))
both("quantile", function() qstable((1:2000) / 2001, 1.3, 0.2))
both("quantile, laws that vary", function() qstable((1:800) / 801, several[1:800], 0.2))
both("quantile, interpolated", function() qstable(seq_along(x) / (length(x) + 1), 1.33, 0.2))
both("several values, with errors", function() stable_eval(few, 1.2, 0.1, what = c("pdf", "cdf", "sf", "error")))
both("score", function() stable_score(few[1:400], several[1:400], 0.3))
both("mode", function() stable_mode(several, 0.7))
both("random", function() { set.seed(1); rstable(200000, 1.5, 0.5) })
both("quick", function() stable_quick(x, 1.5, 0.5))
both("log-likelihoods", function() stablecl:::stable_data_logliks(x, cbind(rep(several, 2), 0.3, 1, 0)))

set.seed(1)
sample <- rstable(300, 1.5, 0.5)
large <- rstable(20000, 1.7, 0.3)
both("fit", function() coef(stablefit(large, "mle")))
both("fits", function() coef(stablefit(split(rep(sample, 8), rep(1:24, each = 100)))))
for (method in c("quantile", "ecf", "logmoment", "mle2d"))
  both(paste("fit,", method), function() coef(stablefit(sample, method)))

ns <- seq(0.5, 3, length.out = 2000)
integrals <- function(f, ..., n = ns) {
  g <- suppressWarnings(gintegrate(f, ..., params = list(a = n)))
  list(g$value, g$abs.error)
}
one <- function(x, a) exp(-a * x^2) * cos(x)
for (method in c("gk", "tanhsinh", "simpson"))
  both(paste("integrals,", method), function() integrals(one, -1, 2, method = method))
both("an integral with many subintervals", function() {
  gintegrate(function(x) sin(1 / x) * abs(x - 0.3)^0.1, 1e-4, 1, rel.tol = 1e-12, max.eval = 1e6)$value
})
long <- function(x) {
  s <- 0
  for (k in 1:500) s <- s + sin(k * x) / k^2
  s
}
for (method in c("gk", "tanhsinh", "simpson", "blockcut"))
  both(paste("a long integrand,", method), function() gintegrate(long, 0, 3, method = method, rel.tol = 1e-7)$value)
both("integrals with components", function() {
  integrals(function(x, a) c(exp(-a * x^2), sqrt(abs(x - 0.3))), -1, 2, n.value = 2)
})
both("components of one integral", function() {
  f <- function(x) c(sin(1 / x), abs(x - 0.3)^0.1)
  gintegrate(f, 1e-3, 1, rel.tol = 1e-11, max.eval = 1e6, n.value = 2)$value
})
both("components on a lattice", function() {
  set.seed(2)
  gintegrate(function(x) c(exp(-sum(x^2)), prod(x)), rep(0, 5), 1, method = "lattice", rel.tol = 1e-5,
             n.value = 2)$value
})
both("integrals of a density", function() {
  integrals(function(x, a) dstable(x, 1.5, 0.2) * cos(a * x), -3, 3, n = ns[1:200])
})
two <- function(x, y, a) exp(-a * (x^2 + y^2))
five <- function(x, a = 1) exp(-a * (x[1]^2 + x[2]^2 + x[3] * x[4] + x[5]))
both("integrals, cubature", function() integrals(two, c(0, 0), c(1, 2), method = "cubature", n = ns[1:300]))
for (method in c("vegas", "lattice", "product")) {
  both(paste("integrals,", method), function() {
    set.seed(2)
    integrals(two, c(0, 0), c(1, 2), method = method, n = ns[1:40], rel.tol = 1e-3)
  })
  both(paste("one integral,", method), function() {
    set.seed(2)
    g <- gintegrate(five, rep(0, 5), rep(1, 5), method = method, rel.tol = 1e-4, max.eval = 1e6)
    list(g$value, g$abs.error)
  })
}
pole <- function(x, y) log(x - 0.5) + y
both("values that are not finite", function() {
  set.seed(3)
  g <- suppressWarnings(gintegrate(pole, c(0, 0), c(1, 1), method = "lattice", max.eval = 3e5))
  list(g$value, as.character(g$status))
})
both("integrals, forward", function() integrals(one, 0, 2, method = "forward", rel.tol = 1e-3, n = ns[1:200]))
both("integrals, block-cutting", function() integrals(one, 0, 2, method = "blockcut", rel.tol = 1e-3, n = ns[1:200]))
cat("done\n")
