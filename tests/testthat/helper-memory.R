# Allocations of the C code that fail on demand (src/base/memory.h): tests of the results and of memory leaks.

memory_fault <- function(first, last = first) .Call(stablecl:::C_memory_fault, first, last)
memory_counts <- function() stats::setNames(.Call(stablecl:::C_memory_counts), c("calls", "live"))

# Returns the number of live blocks after closing all sessions and clearing the caches; collects garbage first unless
# the number is as expected.
memory_alive <- function(expected = -1) {
  memory_fault(NULL)
  if (memory_counts()[["live"]] == expected) return(expected)
  invisible(gc())
  memory_counts()[["live"]]
}

memory_sample <- function() {
  x <- stats::qcauchy((1:60 - 0.5) / 60)
  x + abs(x) / 3
}

# Returns calls that together reach every function that allocates: functions without arguments, whose values do not
# depend on random numbers or on threads.
memory_jobs <- function() {
  x <- seq(-4, 6, length.out = 40)
  many <- seq(-4, 6, length.out = 6000)
  several <- rep(seq(0.7, 1.9, length.out = 8), 5)
  shapes <- seq(0.6, 1.95, length.out = 6000)
  cycle <- rep(c(0.8, 1.2, 1.6), 1000)
  data <- memory_sample()
  ns <- c(0.5, 1, 2)
  one <- function(x, a) exp(-a * x^2) * cos(x)
  two <- function(x, y, a) exp(-a * (x^2 + y^2)) + abs(x - y)
  law <- function(x, a) dstable(x, 1.5, 0.2, a) * cos(x)
  loop <- function(x) { s <- 0; for (k in 1:3) s <- s + x^k; s }
  table <- stats::splinefun(0:4, c(0, 1, 0, 2, 1))
  integral <- function(f, ..., params = list(a = ns)) {
    suppressWarnings(gintegrate(f, ..., params = params))$value
  }
  list(
    dstable = function() dstable(x, 1.4, 0.3),
    "dstable, laws that vary" = function() dstable(x, several, 0.3, log = TRUE),
    "dstable, interpolated" = function() dstable(many, 1.4, 0.3),
    "dstable, many laws" = function() dstable(many, shapes, 0.3),
    "dstable, in groups" = function() dstable(many[1:3000], cycle, 0.3),
    pstable = function() pstable(x, several, -0.2, lower.tail = FALSE),
    "pstable, interpolated" = function() pstable(many, 0.7, 1),
    qstable = function() qstable((1:9) / 10, several[1:9], 0.4),
    "qstable, interpolated" = function() qstable((1:6000) / 6001, 1.4, 0.3),
    "qstable, in groups" = function() qstable((1:3000) / 3001, cycle, 0.3),
    rstable = function() { set.seed(1); rstable(5000, 1.4, 0.3) },
    "rstable, laws that vary" = function() { set.seed(1); rstable(3000, cycle, 0.3) },
    stable_eval = function() stable_eval(x, several, 0.1, what = c("pdf", "cdf", "sf", "error")),
    stable_score = function() stable_score(x, several, 0.1),
    stable_mode = function() stable_mode(several, 0.6),
    stable_quick = function() stable_quick(x, 1.4, 0.3),
    "stable_quick, out of the tables" = function() stable_quick(x, 0.2, 0.3),
    "log-likelihoods" = function() stablecl:::stable_data_logliks(data, cbind(several, 0.3, 1, 0)),
    "one log-likelihood" = function() stablecl:::stable_data_loglik(many, 1.4, 0.3, calls = 10),
    "sums and scores" = function() stablecl:::stable_data_quick(many, 1.4, 0.3)$gradient,
    stable_data = function() coef(stablefit(stable_data(data))),
    "a fit that requests sums" = function() {
      none <- list(method = "mle", fixed = numeric(), se = TRUE, control = stablecl:::check_fit_control(list(), NULL))
      .Call(stablecl:::C_streamed_fit, data, c(1.2, 0.3, 1, 0), c(1e5, 0, 9), stablecl:::compiled_request(none),
            stablecl:::quantile_start, matrix(0, 15, 0))$requests
    },
    stable_es = function() stable_es(0.05, 1.5, 0.2),
    stable_cf = function() stable_cf(x, 1.5, 0.2),
    stable_convert = function() unlist(stable_convert(1.5, 0.2, 1, 0, from = 0, to = 2)),
    stable_gof = function() unlist(stable_gof(data, 1.1, 0.3)$statistic),
    "stablefit, mle" = function() coef(stablefit(data)),
    "stablefit, weights" = function() coef(stablefit(data, weights = rep(1:2, 30))),
    "stablefit, fixed" = function() coef(stablefit(data, fixed = list(alpha = 1.2))),
    "stablefit, quantile" = function() coef(stablefit(data, "quantile")),
    "stablefit, ecf" = function() coef(stablefit(data, "ecf")),
    "stablefit, logmoment" = function() coef(stablefit(data, "logmoment")),
    "stablefit, mle2d" = function() coef(stablefit(data, "mle2d")),
    "stablefit, grid" = function() coef(stablefit(data, "grid")),
    "stablefits" = function() coef(stablefit(cbind(a = data, b = -data, c = 2 * data))),
    "gintegrate, gk" = function() integral(one, -1, 2),
    "gintegrate, an infinite range" = function() integral(one, -Inf, Inf),
    "gintegrate, R function" = function() integral(function(x, a) exp(-a * sort(x)^2), 0, 2),
    "gintegrate, a distribution" = function() integral(law, -1, 2),
    "gintegrate, a loop" = function() integral(loop, 0, 1, params = NULL),
    "gintegrate, a table" = function() integral(function(x) table(x), 0, 4, params = NULL),
    "gintegrate, many subintervals" = function() {
      integral(function(x) abs(sin(20 * x))^0.1, 0, 3, params = NULL, max.eval = 2e5)
    },
    "gintegrate, tanhsinh" = function() integral(one, -1, 2, method = "tanhsinh"),
    "gintegrate, fourier" = function() {
      integral(one, 0, Inf, method = "fourier", control = list(omega = 2, weight = "cos"))
    },
    "gintegrate, simpson" = function() integral(one, -1, 2, method = "simpson", rel.tol = 1e-6),
    "gintegrate, forward" = function() integral(one, 0, 2, method = "forward", rel.tol = 1e-2),
    "gintegrate, forward in two dimensions" = function() {
      integral(two, c(0, 0), c(1, 2), method = "forward", rel.tol = 1e-2, max.eval = 1e5)
    },
    "gintegrate, blockcut" = function() integral(one, 0, 2, method = "blockcut", rel.tol = 1e-3),
    "gintegrate, CAQ" = function() integral(one, 0, 2, method = "blockcut", control = list(variant = "CAQ"),
                                            rel.tol = 1e-3),
    "gintegrate, PSCAQ" = function() integral(one, 0, 2, method = "blockcut", control = list(variant = "PSCAQ"),
                                              rel.tol = 1e-3),
    "gintegrate, cubature" = function() integral(two, c(0, 0), c(1, 2), method = "cubature", rel.tol = 1e-4),
    "gintegrate, vegas" = function() {
      set.seed(1)
      integral(two, c(0, 0), c(1, 2), method = "vegas", rel.tol = 1e-2, max.eval = 1e5)
    },
    "gintegrate, lattice" = function() {
      set.seed(1)
      integral(two, c(0, 0), c(1, 2), method = "lattice", rel.tol = 1e-2, max.eval = 1e5)
    },
    "gintegrate, components" = function() {
      integral(function(x) c(exp(-x), sqrt(abs(x))), -1, 2, params = NULL, n.value = 2)
    },
    "gintegrate, components in two dimensions" = function() {
      integral(function(x, y) c(exp(-x * y), x), c(0, 0), c(1, 2), params = NULL, n.value = 2, method = "cubature",
               rel.tol = 1e-4)
    },
    "gintegrate, components on a lattice" = function() {
      set.seed(1)
      integral(function(x, y) c(exp(-x * y), x), c(0, 0), c(1, 2), params = NULL, n.value = 2, method = "lattice",
               rel.tol = 1e-2, max.eval = 1e6)
    },
    "gintegrate, product" = function() {
      set.seed(1)
      integral(two, c(0, 0), c(1, 2), method = "product", rel.tol = 1e-2, max.eval = 1e5)
    },
    "values of a translation" = function() .Call(stablecl:::C_values, gtranslate(loop)$program, list(x)),
    "text of a translation" = function() .Call(stablecl:::C_source, gtranslate(loop)$program, FALSE),
    "on this thread" = function() .Call(stablecl:::C_single, x, rep(1.4, length(x)), rep(0.3, length(x))))
}

# Returns jobs that run on a device; the tests of devices compare their values with those of the CPU.
memory_device_jobs <- function() {
  jobs <- memory_jobs()
  names <- c("dstable", "dstable, laws that vary", "dstable, interpolated", "dstable, in groups", "qstable", "rstable",
             "stable_quick", "sums and scores", "log-likelihoods", "stable_data", "stablefits", "gintegrate, gk",
             "gintegrate, a distribution", "gintegrate, a table", "gintegrate, cubature", "gintegrate, vegas",
             "gintegrate, lattice", "gintegrate, product", "gintegrate, forward", "gintegrate, blockcut",
             "gintegrate, components")
  lapply(jobs[names], function(job) function() {
    before <- stable_backend("opencl")
    on.exit(stable_backend(before))
    job()
  })
}

# Runs one call in which allocations number k to `last` fail.  Returns "passed" if the call makes fewer than k
# allocations, "refused" if it raises a memory error, "right" if its value is correct; otherwise describes the fault.
memory_trial <- function(job, right, k, last = k, alive = memory_alive(), tolerance = 1e-6) {
  memory_fault(k, last)
  value <- tryCatch(job(), error = function(e) e)
  calls <- memory_counts()[["calls"]]
  left <- memory_alive(alive)
  if (left != alive) return(sprintf("%g blocks leak", left - alive))
  is_error <- inherits(value, "error")
  if (is_error && !inherits(value, "stablecl_error_memory"))
    return(paste0("another error: ", conditionMessage(value), " [", paste(class(value), collapse = " "), "]"))
  if (!is_error && !isTRUE(all.equal(value, right, tolerance = tolerance))) return("another value")
  again <- tryCatch(job(), error = function(e) e)
  if (!isTRUE(all.equal(again, right, tolerance = tolerance))) return("another value of the next call")
  if (calls < k) "passed" else if (is_error) "refused" else "right"
}

# Runs trials for k = 1, 2, ..., or for a sample of about `numbers` values of k if there are more.  For each k, either
# allocation k alone fails or all from k on.  Returns the numbers of calls and trials, and a data frame of the faults.
memory_sweep <- function(job, name, numbers = Inf) {
  right <- job()
  alive <- memory_alive()
  memory_fault(1, 0)
  job()
  calls <- memory_counts()[["calls"]]
  ks <- seq_len(calls)
  if (calls > numbers) ks <- sort(unique(c(1, calls, ks[sample.int(calls, numbers)])))
  found <- NULL
  for (k in ks) for (last in c(k, Inf)) {
    got <- memory_trial(job, right, k, min(last, 1e9), alive)
    if (!got %in% c("passed", "refused", "right"))
      found <- rbind(found, data.frame(call = name, k = k, all = last > k, finding = got))
  }
  memory_fault(NULL)
  list(calls = calls, trials = 2L * length(ks), found = found)
}
