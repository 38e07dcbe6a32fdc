# Jobs on two devices ("opencl:all"): both compute, and the results are those of one.  In processes of their own, in
# which PoCL presents the processor as two devices if the machine has no two GPUs.

test_that("two devices share every large job, and the results are those of one", {
  found <- with_two_devices({
    set.seed(6)
    x <- rstable(2e5, 1.5, 0.5)
    kept <- stable_data(x)
    alpha <- rep(c(0.5, 1, 1.5, 1.9), length.out = 3e4)
    beta <- seq(-1, 1, length.out = 3e4)
    samples <- lapply(1:200, function(i) rstable(200, 1.5, 0.2))
    grid <- as.matrix(cbind(expand.grid(alpha = seq(1.2, 1.8, 0.02), beta = seq(-0.5, 0.5, 0.1)), gamma = 1, delta = 0))
    results <- function(r) list(r$value, r$abs.error, r$evaluations)
    batch <- function(method) function() {
      results(as.data.frame(gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = method,
                                       params = data.frame(w = 10^seq(-3, 0, length.out = 20000)))))
    }
    box <- function(f, method, ..., lower = c(0, 0)) function() {
      results(suppressWarnings(gintegrate(f, lower, 1, method = method, ...)))
    }
    peak <- function(x, y) exp(-20 * (x - 0.3)^2 - y)
    expensive <- function(x, y) {
      s <- 0
      for (k in 1:2000) s <- s + cos(k * x * y) / k
      s
    }
    more <- if (any(stable_devices()$type == "GPU")) 100 else 1       # for every compute unit of two devices
    fast <- sqrt(more)
    many <- more^1.5                                                  # where each device computes 1e10 a second
    compare_devices(list(
      density = function() list(dstable(x, 1.5, 0.5)),
      varying = function() list(pstable(x[seq_along(alpha)], alpha, beta)),
      quantile = function() list(qstable(seq(0.001, 0.999, length.out = 1e5), 1.3, -0.5)),
      random = function() {
        set.seed(5)
        list(rstable(2e5 * many, 1.7, 0.2))
      },
      fit = function() {
        fit <- stablefit(kept)
        list(coef(fit), logLik(fit))
      },
      fits = function() list(coef(stablefit(samples))),
      logliks = function() list(stablecl:::stable_data_logliks(stablecl:::stable_data_put(sort(x[1:2000])), grid, 0)),
      gk = batch("gk"), tanhsinh = batch("tanhsinh"),
      vegas = box(peak, "vegas", rel.tol = 1e-7 / more, max.eval = 2e6 * more, control = list(seed = 3)),
      lattice = box(peak, "lattice", rel.tol = 1e-11 / more, max.eval = 1e6 * more, control = list(seed = 3)),
      far_tail = box(function(x, y) pstable(1 / (x * x), 1.5, 0.5, lower.tail = FALSE) * y, "lattice",
                     rel.tol = 1e-11 / more, max.eval = 1e6 * more, control = list(seed = 3)),
      product = box(function(a, b, c, d, e) cos(8 * fast * (a + b * c + d * e)), "product", rel.tol = 1e-10,
                    max.eval = 5e7 * more, lower = numeric(5)),
      cubature = box(function(x, y) sum(cos((1:40) * fast * x * y) / (1:40)), "cubature", rel.tol = 1e-10,
                     max.eval = 4e5 * more),
      few_points = box(expensive, "cubature", rel.tol = 1e-10, max.eval = 1e4 * many),
      components = box(function(x, y) c(cos(9 * fast * x * y), sin(7 * fast * x + y)), "cubature", rel.tol = 1e-10,
                       max.eval = 1e6 * more, n.value = 2)))
  }, timeout = 600)
  # Rounds of these integrals are too short for two GPUs.
  short <- if (any(stable_devices()$type == "GPU")) c("product", "components")
  for (name in names(found)) {
    # the last of many fits are completed by threads, equal up to rounding
    expect_true(found[[name]][[if (name == "fits") "equal" else "identical"]], label = paste(name, "is identical"))
    expect_true(found[[name]]$close, label = paste(name, "is close to the values of the CPU"))
    if (!name %in% short) expect_true(min(found[[name]]$launches) > 1, label = paste("on both devices", name))
  }
})

test_that("a failure of one of two devices is an error that names it", {
  reports <- with_two_devices({
    set.seed(6)
    samples <- lapply(1:100, function(i) rstable(200, 1.5, 0.2))
    w <- 10^seq(-3, 0, length.out = 6000)
    runs <- list(
      elements = function() {
        set.seed(5)
        rstable(1e5, 1.7, 0.2)
      },
      fits = function() coef(stablefit(samples))[, "alpha"],
      batch = function() gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = "gk",
                                    params = data.frame(w = w))$value,
      box = function() suppressWarnings(gintegrate(function(x, y) exp(-20 * (x - 0.3)^2 - y), c(0, 0), 1,
                                                   method = "vegas", rel.tol = 1e-4, max.eval = 2e5,
                                                   control = list(seed = 3)))$value)
    lapply(runs, sweep_second, most = 4)
  }, timeout = 600)
  for (name in names(reports)) {
    report <- reports[[name]]
    expect_identical(report$findings, character(), label = paste("what was found in", name))
    expect_match(report$message, "One of 2 devices failed", fixed = TRUE)
    expect_match(report$message, sprintf("opencl:%s '%s'", report$row, report$device), fixed = TRUE)
  }
  expect_gt(sum(vapply(reports, `[[`, 0, "errors")), 0)
})

test_that("forked children of a process that uses two devices compute on the CPU, and a time limit ends a batch", {
  skip_on_os("windows")
  found <- with_two_devices({
    w <- 10^seq(-3, 0, length.out = 20000)
    run <- function(n = 20000) gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = "gk",
                                          params = data.frame(w = rep_len(w, n)))$value
    stable_backend("opencl:all")
    here <- run()
    there <- in_fork(list(value = run(), backend = stable_backend()$backend))
    stopped <- tryCatch({
      setTimeLimit(elapsed = 0.2)
      run(if (any(stable_devices()$type == "GPU")) 2e8 else 2e7)
    }, error = conditionMessage)
    setTimeLimit()
    list(here = here, there = there, stopped = stopped, again = run(), open = stable_backend()$open)
  })
  expect_identical(found$there$backend, "cpu")
  expect_equal(found$there$value, found$here, tolerance = 1e-8)
  expect_match(found$stopped, "elapsed time limit")
  expect_identical(found$again, found$here)
  expect_true(found$open)
})

# Teams of another size would end threads and create them again, in each round of a fit.
test_that("calls on two devices keep the threads of the host", {
  skip_if_not(dir.exists("/proc/self/task"))
  found <- with_two_devices({
    stable_threads(6)
    tasks <- function() list.files("/proc/self/task")
    alpha <- seq(0.5, 1.9, length.out = 4e5)
    samples <- lapply(1:60, function(i) rstable(200, 1.5, 0.2))
    shared <- function() coef(stablefit(samples))
    stable_backend("opencl:all")
    shared()
    stable_backend("cpu")
    dstable(seq_along(alpha) %% 10, alpha, 0.5)
    before <- tasks()
    stable_backend("opencl:all")
    shared()
    list(before = before, after = tasks())
  })
  expect_gt(length(found$before), 4)
  expect_setequal(intersect(found$before, found$after), found$before)
})
