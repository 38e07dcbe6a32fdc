# OpenMP threads may have small stacks: `OMP_STACKSIZE` sets their size, and some C libraries use 128 kB by default.
# Every kind of job runs in threads with stacks of 64 kB, and returns the same values as with the usual size.

# Each job is large enough for several threads; in batches, one thread computes a whole integral.
threaded_jobs <- function() {
  integral <- function(f, method, dim, ...) {
    suppressWarnings(gintegrate(f, rep(0, dim), rep(1, dim), method = method, ...))$value
  }
  bell <- function(x, a) exp(-50 * (x[1] - 0.3)^2 - 40 * (x[2] - 0.6)^2 - (x[3] - a)^2)
  peak <- function(x, a) exp(-9000 * ((x[1] - 0.2)^2 + (x[2] - 0.7)^2 + (x[3] - a)^2))
  jump <- function(x, a) (x[1] + a * x[2] < x[3]) * dstable(x[1], 1 + a, 0.5) * pstable(x[2], 1.5, 0.5)
  in_space <- function(method) function() {
    set.seed(1)
    unlist(lapply(list(bell, peak, jump), function(f) {
      c(integral(f, method, 3, params = list(a = 0.4), rel.tol = 1e-4, max.eval = 2e6),
        integral(f, method, 3, params = list(a = seq(0.1, 0.9, length.out = 12)), rel.tol = 1e-4, max.eval = 1e5))
    }))
  }
  decaying <- function(x, a) exp(-a * x) * dstable(x, 1.3, 0.2)
  on_line <- function(method, n) function() {
    c(integral(decaying, method, 1, params = list(a = seq(1, 9, length.out = n))),
      integral(function(x) cos(200 * x) / (1e-4 + (x - 0.3)^2), method, 1))
  }
  z <- stats::qnorm(stats::ppoints(20000))
  x <- rep(z * exp(abs(z) / 3), 20)
  y <- x[(1:20000 * 7919) %% 20000 + 1]
  p <- stats::pnorm(z)
  alpha <- rep(c(0.4, 0.7, 1, 1.3, 1.7, 1.99), length.out = 20000)
  some <- seq(1, 20000, by = 40)
  set.seed(1)
  c(list(density = function() c(dstable(rep(x, 3), 1.4, 0.3), dstable(y, alpha, 0.5)),
         distribution = function() c(pstable(rep(x, 3), 1.4, 0.3), pstable(y, alpha, -0.5)),
         quantile = function() c(qstable(rep(p, 50), 1.4, 0.3), qstable(p[some], alpha[some], 0.5)),
         random = function() c(rstable(1e6, 1.4, 0.3), rstable(1e5, alpha, 0.5)),
         score = function() c(stable_score(x[1:4000], 1.4, 0.3), stable_score(y[some], alpha[some], 0.5)),
         mode = function() stable_mode(alpha[1:500], seq(-1, 1, length.out = 500)),
         loglik = function() {
           c(stablecl:::stable_data_loglik(rep(x, 3), 1.2, 0.1, 1, 0), stablecl:::stable_data_loglik(x, 0.2, 0, 1, 0))
         },
         logliks = function() stable_quick(x, 1.4, 0.3),
         fit = function() coef(stablefit(x)),
         fits = function() coef(stablefit(cbind(matrix(y, 200), sign(y[1:200]) * abs(y[1:200])^3)))),
    sapply(c("gk", "tanhsinh", "simpson", "forward"), on_line, n = 4000),
    list(blockcut = on_line("blockcut", 50)),
    sapply(c("vegas", "lattice", "product", "cubature"), in_space), list(nested = in_space("forward")))
}

# Returns the values of all jobs in a new process, as a list; or the output of the process if it ends early.
threaded_values <- function(...) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  text <- c("options(stablecl.backend = \"cpu\")", "threaded_jobs <-", deparse(threaded_jobs),
            "values <- lapply(threaded_jobs(), function(job) job())",
            sprintf("saveRDS(values, %s)", deparse(file)))
  out <- without_variables(c(limits_of_threads, "OMP_STACKSIZE"),
                           in_another_r(text, "STABLECL_THREADS=3", ..., timeout = 300))
  if (file.exists(file)) readRDS(file) else out
}

test_that("threads with stacks of 64 kB compute the same values", {
  skip_on_cran()
  skip_if(is.na(.Call(stablecl:::C_build)$openmp), "built without OpenMP: there are no threads")
  skip_if(nzchar(Sys.getenv("ASAN_OPTIONS")), "the address sanitizer needs larger stacks")
  usual <- threaded_values()
  expect_type(usual, "list")
  small <- threaded_values("OMP_STACKSIZE=64K")
  expect_identical(small, usual)
})
