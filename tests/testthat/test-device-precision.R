# Single precision, and devices without double precision: without_double() makes every device appear to be one.

remedy <- paste0("^Device opencl:[0-9]+ '.*' cannot be used: double precision .* is not supported; ",
                 "use precision = \"single\"[.]$")

test_that("a device without double precision is listed as one for single precision only", {
  skip_without_device()
  usable <- which(stable_devices()$usable)
  without_double({
    devices <- stable_devices()
    expect_false(any(devices$fp64 | devices$usable))
    expect_true(all(devices$single[usable]))
    expect_match(devices$why_not[usable], "double precision .* is not supported; use precision = \"single\"")
  })
  expect_identical(which(stable_devices()$usable), usable)
})

test_that("a device without double precision can be selected, and refuses jobs in double precision", {
  skip_without_device()
  usable <- which(stable_devices()$usable)[1]
  x <- fit_sample_of(60, 1.6, 0.2, 2, 1, seed = 4)
  on.exit(stable_backend("default"))
  without_double({
    for (choice in c("opencl", "opencl:all", paste0("opencl:", usable), stable_devices()$device[usable])) {
      stable_backend(choice)
      state <- stable_backend()
      expect_identical(state$wrong, "")
      expect_true(usable %in% match(state$devices$device, stable_devices()$device))
      jobs <- expression(dstable(1:3, 1.5, 0.5), pstable(1:3, 1.5, 0.5), qstable(0.3, 1.5, 0.5), rstable(5, 1.5, 0.5),
                         stable_loglik(x, 1.6, 0.2), stable_score(1:3, 1.5, 0.5), stable_mode(1.5, 0.5), stablefit(x),
                         stablefit(list(x, -x)), gintegrate(exp, 0, 1),
                         gintegrate(function(x, y) x * y, c(0, 0), c(1, 1), method = "vegas"))
      for (job in jobs) {
        failure <- tryCatch(eval(job), error = identity)
        expect(inherits(failure, "stablecl_error_unsupported"), paste(deparse(job)[1], "is not refused"))
        expect_match(conditionMessage(failure), remedy)
      }
    }
  })
})

test_that("\"auto\" leaves jobs in double precision to the CPU if no device computes them", {
  skip_without_device()
  right <- on_backend("cpu", dstable(seq(-3, 3, length.out = 3e4), 1.5, 0.5))
  without_double({
    stable_devices()                    # enumerates the devices
    auto_takes_any_device(1000)
    on.exit(auto_as_usual())
    expect_identical(opencl_calls_of(expect_identical(dstable(seq(-3, 3, length.out = 3e4), 1.5, 0.5), right)), 0)
    no_faults()
  })
})

# --- densities, probabilities and quantiles ------------------------------------------------------------------

# Arguments next to 0, next to zeta, and in both tails up to 1e300; normal tails end where densities underflow.
single_arguments <- function(alpha, beta) {
  zeta <- if (alpha == 1) 0 else -beta * tanpi(alpha / 2)
  tail <- 10^seq(-12, 300, length.out = 400)
  x <- c(seq(-40, 40, length.out = 500), tail, -tail, zeta + c(-1, 1) * 10^seq(-12, 3, length.out = 100))
  if (alpha == 2) x[abs(x) < 50] else x
}

largest <- function(error) max(error[is.finite(error)])

expect_single <- function(code, right, scale = abs(right)) {
  launched <- sum(kernels_launched())
  got <- code
  expect_gt(sum(kernels_launched()), launched)
  expect_identical(is.na(got), is.na(right))
  expect_identical(got[is.infinite(right)], right[is.infinite(right)])
  expect_lt(largest(abs(got - right)[scale > 0] / scale[scale > 0]), 1e-6)
}

test_that("values in single precision have relative errors below 1e-6, also in far tails", {
  skip_without_device()
  p <- c(seq(0, 1, length.out = 200), 10^seq(-300, -1, length.out = 200), 1 - 10^seq(-15, -1, length.out = 50))
  on.exit({ no_faults(); stable_backend("default") })
  for (alpha in c(0.3, 0.9, 1, 1.3, 1.9, 2)) for (beta in c(0, -0.4, 0.9, 1)) {
    x <- single_arguments(alpha, beta)
    stable_backend("cpu")
    f <- dstable(x, alpha, beta)
    f[f < 1e-300] <- 0
    log_f <- dstable(x, alpha, beta, log = TRUE)
    lower <- pstable(x, alpha, beta)
    log_upper <- pstable(x, alpha, beta, lower.tail = FALSE, log.p = TRUE)
    q <- qstable(p, alpha, beta)
    q_upper <- qstable(log(p), alpha, beta, lower.tail = FALSE, log.p = TRUE)
    stable_backend("opencl")
    count_calls()
    expect_single(dstable(x, alpha, beta, precision = "single"), f)
    expect_single(dstable(x, alpha, beta, log = TRUE, precision = "single"), log_f, pmax(1, abs(log_f)))
    expect_single(pstable(x, alpha, beta, precision = "single"), lower, ifelse(lower < 1e-300, 0, lower))
    expect_single(pstable(x, alpha, beta, lower.tail = FALSE, log.p = TRUE, precision = "single"), log_upper,
                  pmax(1, abs(log_upper)))
    expect_single(qstable(p, alpha, beta, precision = "single"), q, 1 + abs(q))
    expect_single(qstable(log(p), alpha, beta, lower.tail = FALSE, log.p = TRUE, precision = "single"), q_upper,
                  1 + abs(q_upper))
  }
})

test_that("location, scale, parametrisation, recycling and special values are those of double precision", {
  skip_without_device()
  x <- c(seq(-9, 9, length.out = 300), NA, NaN, Inf, -Inf, 1e308)
  on.exit({ no_faults(); stable_backend("default") })
  for (pm in 0:1) for (scale in c(1, 1e-5, 40)) {
    stable_backend("cpu")
    f <- dstable(x, 1.3, 0.6, scale, 2, pm)
    q <- qstable(c(0, 0.1, 0.7, 1), 1.3, 0.6, scale, 2, pm)
    stable_backend("opencl")
    count_calls()
    expect_single(dstable(x, 1.3, 0.6, scale, 2, pm, precision = "single"), f)
    expect_single(qstable(c(0, 0.1, 0.7, 1), 1.3, 0.6, scale, 2, pm, precision = "single"), q, scale + abs(q) + 2)
  }
  expect_identical(names(dstable(c(a = 1), 1.5, 0, precision = "single")), "a")
  # values outside the interpolant and in light tails are those of the CPU
  for (law in list(c(1.5, 1), c(1.9, 1), c(2 - 1e-6, 0))) {
    x <- c(qstable(10^-c(12, 30, 100), law[1], law[2]), -1e305, 1e305)
    right <- on_backend("cpu", dstable(x, law[1], law[2], log = TRUE))
    expect_identical(on_backend("opencl", dstable(x, law[1], law[2], log = TRUE, precision = "single")), right)
  }
})

test_that("several chunks are computed, and a device without double precision computes them", {
  skip_without_device()
  x <- rep_len(seq(-20, 20, length.out = 12345), 2.5e6)
  right <- on_backend("cpu", dstable(x[1:12345], 1.5, 0.5))
  before <- on_backend("opencl", dstable(x, 1.5, 0.5, precision = "single"))
  expect_lt(max(abs(before / right[rep_len(1:12345, 2.5e6)] - 1)), 1e-6)
  without_double({
    stable_backend("opencl")
    on.exit(stable_backend("default"))
    count_calls()
    expect_identical(dstable(x, 1.5, 0.5, precision = "single"), before)
    expect_gte(sum(kernels_launched()), 3)
    expect_error(dstable(x, 1.5, 0.5), class = "stablecl_error_unsupported")
    no_faults()
  })
})

test_that("a device selected by name refuses what it does not compute in single precision", {
  skip_without_device()
  local_stable_backend("opencl")
  for (job in expression(dstable(1:3, c(1.2, 1.5, 1.7), 0.5, precision = "single"),
                         dstable(1:3, 1.5, 0.5, 1:3, precision = "single"),
                         pstable(1:3, 1.5, 0.5, pm = 2, precision = "single"),
                         qstable(0.3, 1.5, 0.5, -1, precision = "single")))
    expect_error(eval(job), "single precision only values of one valid distribution with pm = 0 or 1; select the CPU",
                 class = "stablecl_error_unsupported")
})

test_that("the CPU computes in double precision, and \"auto\" uses a device for large jobs", {
  skip_without_device()
  x <- seq(-3, 3, length.out = 5000)
  right <- on_backend("cpu", dstable(x, 1.5, 0.5))
  expect_identical(on_backend("cpu", dstable(x, 1.5, 0.5, precision = "single")), right)
  auto_takes_any_device(4000)
  on.exit({ no_faults(); auto_as_usual() })
  stable_backend("auto")
  count_calls()
  expect_single(dstable(x, 1.5, 0.5, precision = "single"), right)
  expect_identical(dstable(x, 1.5, 1:2 / 5, precision = "single"), on_backend("cpu", dstable(x, 1.5, 1:2 / 5)))
  expect_identical(dstable(1:3, 1.5, 0.5, precision = "single"), dstable(1:3, 1.5, 0.5))
})

# --- random numbers ------------------------------------------------------------------------------------------

sample_of <- function(n, ...) {
  set.seed(7)
  rstable(n, ...)
}

test_that("random numbers in single precision are those of double precision, within the stated errors", {
  skip_without_device()
  n <- 40000
  on.exit({ no_faults(); stable_backend("default") })
  for (alpha in c(0.1, 0.3, 0.4, 0.5, 0.59, 0.61, 0.9, 0.91, 1 - 1e-6, 1, 1 + 1e-10, 1.08, 1.13, 1.2, 1.5, 1.99, 2)) {
    bound <- max(1, 0.5 / alpha)
    is_near <- abs(alpha - 1) < 0.1
    for (beta in c(0, -0.3, 1 - 1e-9, -1)) {
      stable_backend("cpu")
      s0 <- sample_of(n, alpha, beta)
      s1 <- sample_of(n, alpha, beta, pm = 1)
      stable_backend("opencl")
      count_calls()
      got0 <- sample_of(n, alpha, beta, precision = "single")
      got1 <- sample_of(n, alpha, beta, pm = 1, precision = "single")
      expect_identical(sum(kernels_launched()), 2)
      expect_lt(max(abs(got0 - s0) / (1 + abs(s0))), 2e-6 * bound)
      if (!is_near) expect_lt(max(abs(got1 / s1 - 1)), 1.5e-6 * bound)
      else expect_lt(max(abs(got1 - s1) / (1 + abs(s0))), 2e-6)
      # most errors are far below the bounds
      expect_lt(mean(abs(got0 - s0) / (1 + abs(s0))), 3e-7 * bound)
      expect_gt(sum(got0 != s0), if (alpha == 2) 0.9 * n else 0)
    }
  }
})

test_that("a sample in single precision does not depend on its length, on chunks, or on double precision of the device",
          {
  skip_without_device()
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  whole <- sample_of(2.5e6, 1.7, 0.2, precision = "single")
  expect_identical(sample_of(10, 1.7, 0.2, precision = "single"), whole[1:10])
  part <- 1048576 + (-5:5)
  expect_lt(max(abs(whole[part] - on_backend("cpu", sample_of(2.5e6, 1.7, 0.2))[part])), 1e-5)
  without_double({
    stable_backend("opencl")
    count_calls()
    expect_identical(sample_of(2.5e6, 1.7, 0.2, precision = "single"), whole)
    expect_gte(sum(kernels_launched()), 3)
    expect_error(rstable(3, 1.7, 0.2), class = "stablecl_error_unsupported")
  })
})

test_that("location and scale of random numbers in single precision are applied in double precision", {
  skip_without_device()
  for (alpha in c(0.3, 0.8, 1, 1.05, 1.6)) for (pm in 0:1) {
    right <- on_backend("cpu", sample_of(1000, alpha, 0.6, 1e-3, 7, pm))
    got <- on_backend("opencl", sample_of(1000, alpha, 0.6, 1e-3, 7, pm, precision = "single"))
    expect_lt(max(abs(got - right) / (1e-3 * 20 + abs(right - 7))), 2e-6)
  }
  # a scale whose product with a variate exceeds the range of a float
  right <- on_backend("cpu", sample_of(1000, 0.6, 0.6, 1e200, pm = 1))
  expect_lt(max(abs(on_backend("opencl", sample_of(1000, 0.6, 0.6, 1e200, pm = 1, precision = "single")) / right - 1)),
            1.5e-6)
})

test_that("random numbers that devices do not compute in single precision are refused, or computed by the CPU", {
  skip_without_device()
  local_stable_backend("opencl")
  for (job in expression(rstable(9, c(1.2, 1.5, 1.7), 0.5, precision = "single"),
                         rstable(9, 1.5, 0.5, 1:9, precision = "single"),
                         rstable(9, 1.5, 0.5, pm = 2, precision = "single"),
                         rstable(9, 0.09, 0.5, precision = "single"),
                         rstable(9, 1.5, 0.5, 0, precision = "single")))
    expect_error(eval(job), "only random numbers of one valid distribution with alpha of 0.1 or more and pm = 0 or 1",
                 class = "stablecl_error_unsupported")
  expect_identical(on_backend("cpu", sample_of(100, 1.5, 0.5, precision = "single")),
                   on_backend("cpu", sample_of(100, 1.5, 0.5)))
  expect_identical(rstable(0, 1.5, 0.5, precision = "single"), numeric())
  expect_error(rstable(1, 1.5, 0.5, precision = "half"), "`precision` must be one of",
               class = "stablecl_error_argument")
})

test_that("every OpenCL call of random numbers in single precision may fail, and wrong numbers are found", {
  skip_without_device()
  report <- sweep_faults(function() sample_of(1.2e6, 1.5, 0.5, precision = "single"), most = 15, seconds = 60)
  expect_identical(report$findings, character())
  expect_gt(report$errors, 0)
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  close_devices(TRUE)
  spoil_results()
  expect_error(rstable(1e4, 1.5, 0.5, precision = "single"), "wrong results", class = "stablecl_error_device")
})

# --- log-likelihoods -----------------------------------------------------------------------------------------

test_that("log-likelihoods in single precision meet the stated bounds, with any scale and parametrisation", {
  skip_without_device()
  on.exit({ no_faults(); stable_backend("default") })
  for (alpha in c(0.12, 0.5, 0.9, 1, 1.02, 1.3, 1.9, 2)) for (beta in c(0, -0.4, 1)) for (gamma in c(1, 1e-4)) {
    stable_backend("cpu")
    even <- seq(-60, 60, length.out = 9001)
    near <- 10^seq(-12, 1, length.out = 4500)
    samples <- list(sample_of(20000, alpha, beta, gamma, 2), 2 + gamma * even, 2 + gamma * c(near, -near))
    for (x in samples) for (pm in 0:1) {
      stable_backend("cpu")
      size <- sum(pmax(1, abs(dstable(x, alpha, beta, gamma, 2, pm, log = TRUE))))
      right <- stable_loglik(x, alpha, beta, gamma, 2, pm)
      stable_backend("opencl")
      count_calls()
      got <- stable_loglik(x, alpha, beta, gamma, 2, pm, precision = "single")
      expect_gt(sum(kernels_launched()), 0)
      if (!is.finite(right)) expect_identical(got, right)
      else expect_lt(abs(got - right), min(1e-6 * size, 5e-8 * length(x) + 1e-12 * size))
    }
  }
})

test_that("log-likelihoods in single precision are the sums of log densities in single precision", {
  skip_without_device()
  local_stable_backend("opencl")
  for (alpha in c(0.5, 1, 1.7)) {
    x <- sample_of(1e5, alpha, 0.4)
    each <- dstable(x, alpha, 0.4, log = TRUE, precision = "single")
    expect_lt(abs(stable_loglik(x, alpha, 0.4, precision = "single") - sum(each)), 1e-11 * sum(abs(each)))
  }
})

test_that("log-likelihoods in single precision do not depend on chunks, on devices or on their double precision", {
  skip_without_device()
  x <- rep_len(c(1e300, seq(-20, 20, length.out = 12345), -1e10), 2.5e6)
  right <- on_backend("cpu", stable_loglik(x, 1.5, 0.5, 2, 1))
  got <- on_backend("opencl", stable_loglik(x, 1.5, 0.5, 2, 1, precision = "single"))
  expect_lt(abs(got / right - 1), 1e-9)
  expect_false(got == right)                           # the CPU has not computed it
  expect_identical(on_backend("opencl:all", stable_loglik(x, 1.5, 0.5, 2, 1, precision = "single")), got)
  expect_identical(on_backend("opencl", stable_loglik(stable_data(x), 1.5, 0.5, 2, 1, precision = "single")), got)
  expect_identical(on_backend("cpu", stable_loglik(x, 1.5, 0.5, 2, 1, precision = "single")), right)
  without_double({
    stable_backend("opencl")
    on.exit(stable_backend("default"))
    count_calls()
    expect_identical(stable_loglik(x, 1.5, 0.5, 2, 1, precision = "single"), got)
    expect_gte(sum(kernels_launched()), 3)
    expect_error(stable_loglik(x, 1.5, 0.5), class = "stablecl_error_unsupported")
    no_faults()
  })
})

test_that("log-likelihoods of few or special values and of chunks in single precision are those of double precision", {
  skip_without_device()
  local_stable_backend("opencl")
  x <- rep_len(c(-30:30, 1e300), 16385)
  each <- dstable(x, 1.5, 0.5, log = TRUE)
  for (n in c(1, 2, 255, 257, 4095:4097, 16385))
    expect_lt(abs(stable_loglik(x[1:n], 1.5, 0.5, precision = "single") - sum(each[1:n])), 2e-7 * n + 1e-12)
  expect_identical(stable_loglik(numeric(), 1.5, 0.5, precision = "single"), 0)
  expect_identical(stable_loglik(c(1, NaN), 1.5, 0.5, precision = "single"), NaN)
  expect_identical(stable_loglik(c(1, -50), 0.5, 1, precision = "single"), -Inf)
  part <- 0
  chunks <- stable_chunks(function(reset) if (reset) part <<- 0 else if ((part <<- part + 1) < 4) x)
  expect_equal(stable_loglik(chunks, 1.5, 0.5, precision = "single"),
               3 * stable_loglik(x, 1.5, 0.5, precision = "single"), tolerance = 1e-14)
})

test_that("log-likelihoods that devices do not compute in single precision are refused", {
  skip_without_device()
  local_stable_backend("opencl")
  expect_error(stable_loglik(1:3, 1.5, 0.5, pm = 2, precision = "single"),
               "single precision only values of one valid distribution with pm = 0 or 1; select the CPU",
               class = "stablecl_error_unsupported")
  expect_error(stable_loglik(1:3, 1.5, 0.5, precision = "half"), "`precision` must be one of",
               class = "stablecl_error_argument")
})

test_that("a device that returns wrong numbers adds up no log-likelihoods in single precision", {
  skip_without_device()
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  x <- seq(-3, 3, length.out = 1e4)
  expect_lt(abs(stable_loglik(x, 1.5, 0.5, precision = "single") - stable_loglik(x, 1.5, 0.5)), 1e-3)
  close_devices(TRUE)
  spoil_results()
  expect_error(stable_loglik(x, 1.5, 0.5, precision = "single"), "wrong results",
               class = "stablecl_error_device")
})

# --- all jobs ------------------------------------------------------------------------------------------------

test_that("each job in single precision runs on a device without double precision, with the same result", {
  skip_without_device()
  jobs <- opencl_jobs()
  jobs <- jobs[grep("_single$", names(jobs))]
  expect_length(jobs, 6)
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  for (name in names(jobs)) {
    right <- jobs[[name]]()
    without_double({
      stable_backend("opencl")
      jobs[[name]]()                    # runs the self-test
      count_calls()
      expect_identical(jobs[[name]](), right, label = name)
      expect_gte(kernels_launched()[1], 1, label = paste("kernels of", name))
      expect_gte(calls_so_far(), 5, label = paste("calls of", name))
      no_faults()
    })
    stable_backend("opencl")
  }
})

test_that("`precision` is checked", {
  for (wrong in list("half", 1, NA, NULL, c("single", "double")))
    expect_error(dstable(1, 1.5, 0.5, precision = wrong), "`precision` must be one of \"double\", \"single\"",
                 class = "stablecl_error_argument")
})

test_that("every OpenCL call of a job in single precision may fail", {
  skip_without_device()
  x <- rep_len(seq(-20, 20, length.out = 999), 1.2e6)
  report <- sweep_faults(function() dstable(x, 1.5, 0.5, precision = "single"), most = 25, seconds = 60)
  expect_identical(report$findings, character())
  expect_gt(report$errors, 0)
})

test_that("wrong results of a device are found", {
  skip_without_device()
  local_stable_backend("opencl")
  on.exit(no_faults(), add = TRUE, after = FALSE)
  close_devices(TRUE)
  spoil_results()
  expect_error(dstable(seq(-3, 3, length.out = 1e4), 1.5, 0.5, precision = "single"), "wrong results",
               class = "stablecl_error_device")
})
