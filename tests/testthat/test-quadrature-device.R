# Integrals on a device use the same intervals as on the CPU; values agree up to rounding.

# One program contains all operations of the table; a parameter selects one.  The arguments of the operation are
# parameters, so that the integral over (0, 1) is its value.
test_that("every operation has the same value on a device and the CPU", {
  skip_without_device()
  ops <- .Call(stablecl:::C_operations)
  count <- sum(nzchar(ops$in_r))
  rows <- list(list("SUB", 5L, 0L, 0L))                 # inputs: x, a, b, c, which; register 5 starts as 0
  for (k in seq_len(count)) {
    before <- c(5L, 8L)[1L + (k + 1L) %% 2L]
    after <- c(8L, 5L)[1L + (k + 1L) %% 2L]
    rows <- c(rows, list(list("EQ", 6L, 4L, -k), c(list(ops$name[k], 7L), as.list(1:3)[seq_len(ops$arity[k])]),
                         list("SELECT", after, 6L, 7L, before)))
  }
  program <- do.call(program_of, c(rows, list(inputs = 5L, constants = seq_len(count))))
  some <- c(-1e6, -3, -1.5, -0.5, 0, 1e-9, 0.5, 1, 2.5, 40, 1e15)
  pairs <- expand.grid(which = seq_len(count), a = some, b = c(-2.5, 0, 0.7, 3), c = 4)
  run <- function(backend) run_integrals(program, 0, 1, pairs[c("a", "b", "c", "which")], backend,
                                         list(rel.tol = 1e-8, abs.tol = 0, max.eval = 1e4))
  device <- run("opencl")
  cpu <- run("cpu")
  expect_true(device$on_device)
  expect_identical(device$status, cpu$status)
  for (k in seq_len(count)) {
    one <- pairs$which == k
    apart <- abs(device$value - cpu$value)[one] / pmax(abs(cpu$value[one]), 1e-300)
    apart[is.na(cpu$value[one]) & is.na(device$value[one]) | cpu$value[one] == device$value[one]] <- 0
    # an ulp of the argument of tan() or gamma() may have a larger effect
    expect_lte(max(apart), 1e-11, label = ops$name[k])
  }
})

test_that("branches, tables, half-lines and breaks agree with the CPU", {
  local_fast_builds()
  skip_without_device()
  expect_both_same(function(x) if (x > 1/3) exp(x) * sin(x) / (1 + x^2) else x, 0, c(0.2, 1, -1))
  expect_both_same(function(x) {
    if (x > 0.5) {
      y <- exp(x) * sin(x) + cos(x)^3
      if (y > 2) y <- log(y) + sqrt(y) * tanh(y)
      y
    } else 2
  }, 0, c(1, 3))
  lines <- function(x, k, w) {
    if (k == 1) exp(-x^2)
    else if (k == 2) exp(x) * dnorm(x)
    else if (k == 3) cos(w * x) * exp(-abs(x))
    else if (k == 4) exp(-abs(x - 2))
    else if (x > 1/3) exp(x) else 0
  }
  expect_both_same(lines, c(-Inf, 0, -Inf, 1), c(Inf, Inf, 1, -Inf), params = data.frame(k = 1, w = 0))
  expect_both_same(lines, 0, Inf, k = 2, w = 0)
  expect_both_same(lines, -Inf, Inf, params = data.frame(k = 3, w = 1:20))
  expect_both_same(lines, -Inf, Inf, k = 4, w = 0, breaks = 2)
  expect_both_same(lines, 0, c(1, 0.3), params = data.frame(k = 5, w = 0), breaks = c(1/3, 2/3))
  at <- seq(0, 3, by = 0.25)
  linear <- approxfun(at, sin(at))
  steps <- approxfun(at, cos(at), method = "constant", f = 0.3, rule = 2)
  spline <- splinefun(at, exp(-at))
  natural <- splinefun(at, exp(-at), method = "natural")
  periodic <- splinefun(at[1:13], c(sin(2 * pi * at[1:12] / 3), 0), method = "periodic")
  weights <- c(3, 1, 4, 1, 5)
  table <- function(x, k) {
    if (k == 1) linear(x) + x
    else if (k == 2) steps(x) + x
    else if (k == 3) spline(x) + x
    else if (k == 4) natural(x) + x
    else if (k == 5) periodic(x) + x
    else weights[floor(x) + 1]
  }
  expect_both_same(table, rep(c(0.1, 0.3, 1), 5), rep(c(1.2, 2.9, 2), 5),
                   params = data.frame(k = rep(1:5, each = 3)), rel.tol = 1e-6, evaluations = FALSE)
  expect_both_same(table, 0, c(1, 2, 4.5), params = data.frame(k = 6), rel.tol = 1e-3)
})

test_that("double exponential quadrature uses the same nodes on a device and the CPU", {
  skip_without_device()
  both <- function(f, lower, upper, ..., tolerance = 1e-13) {
    r <- lapply(c("opencl", "cpu"), function(backend)
      unclass(suppressWarnings(gintegrate(f, lower, upper, ..., method = "tanhsinh", backend = backend))))
    expect_equal(r[[1]]$backend, "opencl")
    expect_same_integrals(r[[1]], r[[2]], tolerance, paste(deparse(f), collapse = " "))
    r[[1]]
  }
  k <- seq(-0.9, 3, length.out = 150)
  r <- both(function(x, k) log(x) * x^k, 0, 1, params = data.frame(k))
  expect_true(all(abs(r$value + 1 / (1 + k)^2) <= r$abs.error + 1e-15 / (1 + k)^2))
  both(function(x) exp(-x^2) * (1 + x), c(-Inf, 0, -Inf, 1, 2), c(Inf, Inf, 1, -Inf, 1))
  both(exp, c(0, 1, 2, NA), c(1, 0, 2, 1))
  # all levels; rounding decides whether the outermost nodes coincide with the limits
  wild <- lapply(c("opencl", "cpu"), function(backend)
    suppressWarnings(gintegrate(function(x) sin(1 / x), 0, 1, rel.tol = 1e-12, method = "tanhsinh", backend = backend)))
  expect_equal(wild[[1]]$value, wild[[2]]$value, tolerance = 1e-9)
  expect_identical(wild[[1]]$status, wild[[2]]$status)
  expect_lte(abs(wild[[1]]$evaluations - wild[[2]]$evaluations), 4)
  both(function(x) sin(1e3 * x)^2, 0, c(1, 7), max.eval = 500)
  both(function(x) sqrt(x - 0.5), 0, 1)                                                   # not finite
})

test_that("every status is the same on a device and the CPU", {
  local_fast_builds()
  skip_without_device()
  hard <- function(x, k, w) {                            # one program for all of them
    if (k == 1) sin(w / x)
    else if (k == 2) 1 / x
    else if (k == 3) sqrt(x)
    else if (k == 4) (x - 1)^w
    else if (k == 5) if (x == 0.375) 1 / 0 else x
    else if (k == 6) x^-0.9997
    else if (k == 7) if (x <= 7) exp(-x) else NaN
    else if (k == 8) exp(x)
    else if (k == 9) exp(-1e10 * (x - 0.3)^2)            # zero at the first points
    else if (k == 10) 0 * x
    else 1 / ((x - 0.3)^2 + 1e-8)
  }
  of <- function(k, lower, upper, w = 0, ...) expect_both_same(hard, lower, upper, params = data.frame(k, w), ...)
  of(1, 0.01, 1, c(1, 1e4, 1, NaN, 2), max.eval = 5e4, tolerance = 1e-9, evaluations = FALSE)
  of(1, 0, 1, 1:30, max.eval = 1000, tolerance = 1e-9)
  of(2, 0, 1:2, tolerance = 1e-9)
  of(3, -1, 1)
  r <- of(4, 1, 2, c(-0.5, -0.55), evaluations = FALSE)
  expect_true(all(r$status == "converged" & r$evaluations < 7000))
  of(5, 0, 1)
  r <- of(6, 0, 1, tolerance = 1e-9)
  expect_true(r$status == "stuck" && r$evaluations < 1e5)
  of(7, 0, Inf, max.eval = 1e4)
  of(8, c(0, 1, 2, NA), c(1, 0, 2, 1))
  of(9, 0, 1, evaluations = FALSE)
  of(10, 0, 1:3)
  of(11, 0, 1, rel.tol = 1e-12, evaluations = FALSE)
})

# Compares known integrals with their values; the status is that of the CPU.  f(x, k) is the integrand of the integral
# with this number.
expect_within_estimates <- function(known, f) {
  number <- function(texts) vapply(texts, function(text) eval(parse(text = text)), 0, USE.NAMES = FALSE)
  r <- lapply(c(device = "opencl", cpu = "cpu"), function(backend)
    suppressWarnings(gintegrate(f, number(known$lower), number(known$upper),
                                params = data.frame(k = seq_along(known$id)), method = "gk", backend = backend)))
  true <- as.numeric(known$value)
  expect_true(all(abs(r$device$value - true) <= pmax(r$device$abs.error, 1e-14 * pmax(1, abs(true)))))
  expect_equal(r$device$status, r$cpu$status)
}

known_integrals <- function(ids) {
  all <- utils::read.csv(test_path("data", "integrals.csv"), comment.char = "#", colClasses = "character")
  all[match(ids, all$id), ]
}

test_that("errors on a device are within their estimates for known integrals", {
  local_fast_builds()
  skip_without_device()
  skip_on_cran()
  known <- known_integrals(c("th_sin", "th_pm2", "ka3_30", "ka5_30", "n_rsqrt"))
  cases <- sprintf("if (k == %d) %s else", seq_along(known$id), known$formula)
  text <- paste("function(x, k)", paste(cases, collapse = " "), "NaN")       # one program for all of them
  expect_within_estimates(known, eval(parse(text = text), globalenv()))
})

# Without optimisation this takes 20 s.  Another test below uses the same program.
test_that("the error on a device is within its estimate for an integral that needs many bisections", {
  skip_without_device()
  skip_on_cran()
  expect_within_estimates(known_integrals("n_sinrec"), function(x, k) sin(k / x))
})

test_that("integrals in several chunks do not affect each other, and numbers are not part of a program", {
  skip_without_device()
  set.seed(1)
  n <- 30000
  laws <- data.frame(k = runif(n, 0.02, 0.3), a = runif(n, 0.5, 3))
  ends <- runif(n, -1, 2)
  for (shift in c(0, 0.25)) {
    f <- function(x, k, a) exp(-((x - shift) / k)^2) / (a + abs(x))
    both <- on_both(f, 0, ends, params = laws)
    expect_same_integrals(both$device, both$cpu)
    expect_identical(on_both(f, 0, ends, params = laws)$device$value, both$device$value)
    expect_identical(.Call(stablecl:::C_source, gtranslate(f, dim = 1, params = c("k", "a"))$program, FALSE),
                     .Call(stablecl:::C_source, gtranslate(function(x, k, a) exp(-((x - 7) / k)^2) / (a + abs(x)),
                                                           dim = 1, params = c("k", "a"))$program, FALSE))
  }
})

test_that("the source text of an integrand is readable", {
  text <- .Call(stablecl:::C_source, gtranslate(function(x) if (x > 1/3) exp(x) * sin(x) / (1 + x^2) else x,
                                                dim = 1)$program, FALSE)
  expect_match(text, "double integrand(const double *x, POOL pool", fixed = TRUE)
  expect_match(text, "r1 = op_GT(r0, pool[0]);\n    if (op_holds(r1)) {\n        r", fixed = TRUE)
  expect_no_match(text, "0.333")
})

test_that("unsupported requests are errors if a device is selected by name", {
  skip_without_device()
  expect_error(gintegrate(sin, 0, 1, method = "blockcut", control = list(variant = "CAQ"), backend = "opencl"),
               "\"SCAQ\" only",
               class = "stablecl_error_unsupported")
  expect_error(gintegrate(function(x) besselJ(x, 0.3), 0, 1, backend = "opencl"), class = "gintegrate_untranslatable")
  expect_error(gintegrate(sin, 0, 1, backend = "opencl:77"), "opencl:77", class = "stablecl_error_device")
  expect_error(gintegrate(sin, 0, 1, backend = 1), "`backend`", class = "stablecl_error_argument")
  names <- paste0("p", 1:31)
  sum_of <- function(names) {
    arguments <- stats::setNames(rep(list(quote(expr = )), length(names)), names)
    as.function(c(alist(x = ), arguments, Reduce(function(a, b) call("+", a, b), lapply(names, as.name), quote(x))))
  }
  values <- as.data.frame(stats::setNames(rep(list(1:2), 31), names))
  expect_equal(gintegrate(sum_of(names[-1]), 0, 1, params = values[-1], backend = "opencl")$value, c(30.5, 60.5))
  expect_error(gintegrate(sum_of(names), 0, 1, params = values, backend = "opencl"), "at most 32 limits and parameters",
               class = "stablecl_error_unsupported")
  long <- function(x) { s <- 0; for (i in 1:1000000) s <- s + sin(i * x); s }
  expect_error(gintegrate(long, 1, 2, backend = "opencl"), "takes more than 0.005 s",
               class = "stablecl_error_unsupported")
  # otherwise the CPU computes them
  on.exit(stable_backend("default"))
  stable_backend("opencl")
  expect_equal(gintegrate(sin, 0, 1, method = "blockcut", control = list(variant = "CAQ"))$backend, "threads")
  expect_equal(gintegrate(function(x) x[1] * x[2], c(0, 0), 1)$value, 0.25)
  expect_equal(gintegrate(sin, 0, 1)$backend, "opencl")
  expect_equal(gintegrate(sin, 0, 1, backend = "cpu")$backend, "threads")
})

test_that("damaged programs are rejected before they are built", {
  skip_without_device()
  crossed <- program_of(list("SKIP", 0L, 0L, 3L), list("SKIP", 0L, 0L, 4L), list("EXP", 1L, 0L),
                        list("ADD", 2L, 1L, 1L), inputs = 1L)
  expect_error(run_integrals(crossed, 0, 1, backend = "opencl"), "Branches or loops",
               class = "stablecl_error_unsupported")
  for (bad in list(list("EXP", 7L, 0L), list("EXP", 1L, 9L), list("EXP", 1L, -3L), list("SKIP", 0L, 0L, 0L)))
    expect_error(run_integrals(program_of(bad, inputs = 1L, registers = 2L), 0, 1, backend = "opencl"), "invalid")
  many <- as.list(seq_len(40))
  expect_error(run_integrals(program_of(list("ADD", 41L, 0L, 40L), inputs = 41L), 0, 1, many, "opencl"),
               "and 8192 breaks", class = "stablecl_error_unsupported")
})

test_that("under \"auto\" a device computes large jobs, and the CPU takes over if it fails", {
  skip_without_device()
  on.exit({
    no_faults()
    auto_as_usual()
  })
  f <- function(x, k) exp(-x * k)
  params <- data.frame(k = seq(1, 2, length.out = 3000))
  cpu <- gintegrate(f, 0, 1, params = params, backend = "cpu")
  stable_backend("auto")
  expect_equal(gintegrate(f, 0, 1, params = params)$backend, "threads")
  auto_takes_any_device(1000)
  r <- gintegrate(f, 0, 1, params = params)
  expect_equal(r$backend, "opencl")
  expect_same_integrals(unclass(r), unclass(cpu))
  inject_faults(1, Inf)
  expect_warning(r <- gintegrate(f, 0, 1, params = params), "failed", class = "stablecl_warning_device")
  expect_equal(r$backend, "threads")
  expect_identical(r$value, cpu$value)
  expect_silent(suppressMessages(r <- gintegrate(f, 0, 1, params = params)))
  expect_equal(r$backend, "threads")
})

test_that("a forked process integrates on the CPU", {
  skip_without_device()
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  here <- gintegrate(sin, 0, 1:10, backend = "opencl")
  there <- in_forks(1:2, function(k) gintegrate(sin, 0, 1:10, backend = "opencl"))
  for (r in there) {
    expect_equal(r$backend, "threads")
    expect_equal(r$value, here$value, tolerance = 1e-13)
  }
})

test_that("after an interrupt the integrals finished by a device are kept", {
  skip_without_device()
  skip_on_cran()
  skip_on_os("windows")
  f <- function(x, w) sin(w / x)
  gintegrate(f, 0.01, 1, w = 1, backend = "opencl", method = "gk")
  n <- 2e6
  done <- FALSE
  for (seconds in c(1, 4, 16)) if (!any(done)) {          # an earlier interrupt may come before the first results
    system(sprintf("(sleep %d; kill -INT %d) &", seconds, Sys.getpid()), wait = TRUE)
    r <- tryCatch(suppressWarnings(gintegrate(f, 0.001, 1, params = data.frame(w = rep(c(1, 50), n / 2)),
                                              backend = "opencl", method = "gk")), interrupt = function(e) NULL)
    done <- r$status == "converged"
  }
  expect_true(all(r$status[!done] == "interrupted"))
  expect_true(any(done) && !all(done))
  expect_true(all(is.finite(r$value[done])) && all(is.na(r$value[!done])))
  expect_true(all(r$evaluations[!done] == 0))
})

# Samples are counter-based: device and CPU use the same ones.
test_that("stratified samples are the same on a device and the CPU", {
  local_fast_builds()
  skip_without_device()
  table <- approxfun(seq(0, 1, by = 0.1), sin(seq(0, 3, length.out = 11)))
  jobs <- list(
    list(function(x) exp(-625 * sum((x - 0.5)^2)), rep(0, 5), 1),
    list(function(x, y, z, w) exp(w * x * y) + z, c(0, -1, 2), c(1, 2, 3), params = data.frame(w = c(0.5, 1))),
    list(function(x, y) table(x) * if (x + y > 1) y else sin(x * 1e3), c(1, 0), c(0, 1)),
    list(function(x) log(x), 0, 1),
    list(function(x, y) 1e-250 * exp(x + y), c(0, 0), 1))
  for (job in jobs) {
    both <- lapply(c(device = "opencl", cpu = "cpu"), function(backend)
      unclass(do.call(gintegrate,
                      c(job, list(method = "vegas", control = list(seed = 7), rel.tol = 1e-3, backend = backend)))))
    label <- paste(deparse(job[[1]]), collapse = " ")
    expect_equal(both$device$backend, "opencl", label = label)
    expect_identical(both$device$status, both$cpu$status, label = label)
    expect_equal(both$device$evaluations, both$cpu$evaluations, tolerance = 1e-6, label = label)
    expect_equal(both$device$value, both$cpu$value, tolerance = 1e-10, label = label)
    expect_equal(both$device$abs.error, both$cpu$abs.error, tolerance = 1e-6, label = label)
    expect_equal(both$device$chi.squared, both$cpu$chi.squared, tolerance = 1e-6, label = label)
  }
  expect_warning(r <- gintegrate(function(x, y) sqrt(x - 0.5), c(0, 0), 1, method = "vegas", backend = "opencl"),
                 "not finite")
  expect_true(is.nan(r$value))
})
