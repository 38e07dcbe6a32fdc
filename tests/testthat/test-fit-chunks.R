# Samples that are read in chunks (R/fit-chunks.R, src/fit/streamed.c).

# Returns a source of chunks of `size` values of x, and counts the passes in `seen$passes`.
chunks_of <- function(x, size, seen = new.env()) {
  seen$passes <- 0L
  at <- 0
  stable_chunks(function(reset) {
    if (reset) {
      at <<- 0
      seen$passes <- seen$passes + 1L
    } else if (at < length(x)) {
      part <- x[(at + 1):min(length(x), at + size)]
      at <<- at + size
      part
    }
  })
}

# Expects the estimates, standard errors and log-likelihood of a fit in memory.
expect_same_fit <- function(ours, theirs) {
  expect_lt(max(abs(ours$theta - theirs$theta)[!is.na(ours$theta)] /
                  pmax(sqrt(diag(theirs$theta.vcov)), 1e-3 / sqrt(theirs$nobs), na.rm = TRUE)), 1e-3)
  expect_equal(ours$theta.vcov, theirs$theta.vcov, tolerance = 1e-3)
  expect_equal(ours$loglik, theirs$loglik, tolerance = 1e-12)
  expect_identical(ours$nobs, as.double(theirs$nobs))
  expect_true(ours$convergence$converged)
}

test_that("a fit in chunks is the fit in memory", {
  skip_on_cran()
  cases <- list(list(1.7, 0.3, 2, 10), list(1.2, -0.8, 1e-3, 0), list(0.85, 0, 1, -1e3), list(1.95, 0.5, 1, 0))
  for (case in cases) {
    set.seed(3)
    x <- do.call(rstable, c(300000, case))
    seen <- new.env()
    ours <- stablefit(chunks_of(x, 70000, seen))
    expect_s3_class(ours, "stablefit_chunks")
    expect_lte(seen$passes, 25)
    expect_same_fit(ours, stablefit(x))
  }
  ours <- stablefit(chunks_of(x, 299999), fixed = list(beta = 0), pm = 1)
  theirs <- stablefit(x, fixed = list(beta = 0), pm = 1)
  expect_same_fit(ours, theirs)
  expect_equal(coef(ours), coef(theirs), tolerance = 1e-6)
  expect_equal(confint(ours), confint(theirs), tolerance = 1e-5)
  expect_equal(BIC(ours), BIC(theirs))
})

test_that("the estimate does not depend on the chunks or the order of the values", {
  skip_on_cran()
  set.seed(5)
  x <- rstable(200000, 1.5, 0.5)
  one <- stablefit(chunks_of(x, 200000))
  expect_equal(coef(stablefit(chunks_of(x, 7919))), coef(one), tolerance = 1e-9)
  expect_equal(coef(stablefit(chunks_of(sort(x), 50000))), coef(one), tolerance = 1e-6)
})

test_that("normal samples have the normal estimate", {
  skip_on_cran()
  set.seed(1)
  x <- 5 + 3 * rnorm(200000)
  ours <- stablefit(chunks_of(x, 30000))
  theirs <- stablefit(x)
  expect_identical(unname(coef(ours)["alpha"]), 2)
  expect_equal(coef(ours), coef(theirs), tolerance = 1e-10)
  expect_equal(vcov(ours), vcov(theirs), tolerance = 1e-8)
  expect_equal(ours$loglik, theirs$loglik, tolerance = 1e-12)
  fixed <- stablefit(chunks_of(x, 30000), fixed = list(alpha = 2))
  expect_equal(coef(fixed)[3:4], coef(theirs)[3:4], tolerance = 1e-10)
})

test_that("samples in a database are read by a query", {
  skip_on_cran()
  skip_if_not_installed("RSQLite")
  db <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(db))
  set.seed(2)
  x <- rstable(150000, 1.6, -0.4, 0.01, 0)
  DBI::dbWriteTable(db, "returns", data.frame(day = seq_along(x), r = replace(x, 77, NA)))
  chunks <- stable_chunks(db, "SELECT r FROM returns ORDER BY day", size = 40000)
  expect_same_fit(stablefit(chunks), stablefit(x[-77]))
  expect_equal(stable_loglik(chunks, 1.6, -0.4, 0.01),
               sum(dstable(x[-77], 1.6, -0.4, 0.01, log = TRUE)), tolerance = 1e-13)
  density <- list()
  sizes <- integer()
  expect_identical(stable_each(chunks, function(x) {
    density <<- c(density, list(dstable(x, 1.6, -0.4, 0.01)))
    sizes <<- c(sizes, length(x))
  }), 149999)
  expect_identical(unlist(density), dstable(x[-77], 1.6, -0.4, 0.01))
  expect_lte(max(sizes), 40000)                                      # bounded memory
  few <- stable_chunks(db, "SELECT r FROM returns WHERE day BETWEEN 100 AND 400")
  expect_equal(coef(stablefit(few)), coef(stablefit(x[100:400])))
  expect_error(stablefit(stable_chunks(db, "SELECT * FROM returns")), "one column, not 2",
               class = "stablecl_error_data")
  expect_error(stablefit(stable_chunks(db, "SELECT r FROM nowhere")), "no such table")
  expect_identical(nrow(DBI::dbGetQuery(db, "SELECT 1 AS one")), 1L)     # no query is left open
  result <- DBI::dbSendQuery(db, "SELECT 1")
  expect_error(stable_chunks(result), "not a result", class = "stablecl_error_argument")
  DBI::dbClearResult(result)
  big <- stable_chunks(db, "SELECT day * 10000000000 AS r FROM returns WHERE day <= 500")   # 64-bit integers
  expect_equal(coef(stablefit(big)), coef(stablefit((1:500) * 1e10)))
})

test_that("a device computes the sums of chunks", {
  skip_without_device()
  set.seed(4)
  x <- rstable(140000, 1.4, 0.2)
  here <- stablefit(chunks_of(x, 50000))
  local_stable_backend("opencl")
  count_calls()
  on.exit(no_faults(), add = TRUE, after = FALSE)
  there <- stablefit(chunks_of(x, 50000))
  expect_gt(calls_so_far(), 0)
  expect_equal(coef(there), coef(here), tolerance = 1e-8)
})

test_that("errors of samples in chunks state the problem", {
  expect_error(stable_chunks(1:10), "must be a function or a connection", class = "stablecl_error_argument")
  expect_error(stable_chunks(function(reset) NULL, "SELECT 1"), "requires a connection",
               class = "stablecl_error_argument")
  expect_error(stable_chunks(function(reset) NULL, size = 0), "at least 1", class = "stablecl_error_argument")
  x <- fit_sample_of(1000, 1.5, 0)
  expect_error(stablefit(chunks_of(c(x, Inf), 100)), "chunk 11 contains Inf", class = "stablecl_error_data")
  expect_error(stablefit(chunks_of(letters, 10)), "must be numeric, not character", class = "stablecl_error_data")
  expect_error(stablefit(chunks_of(1:3, 10)), "at least 8", class = "stablecl_error_data")
  expect_error(stablefit(chunks_of(x, 100), "ecf"), "requires method = \"mle\" without weights, not \"ecf\"",
               class = "stablecl_error_argument")
  expect_error(stablefit(chunks_of(x, 100), weights = rep(1, 1000)), "without weights",
               class = "stablecl_error_argument")
  expect_error(stablefit(chunks_of(c(x, NA), 100), na.action = na.fail), "requires na.action = na.omit",
               class = "stablecl_error_argument")
  expect_error(stable_each(x, identity), "value of stable_chunks", class = "stablecl_error_argument")
  expect_error(stable_each(chunks_of(x, 100), 1), "`f` must be a function", class = "stablecl_error_argument")
  expect_error(stable_loglik(chunks_of(x, 100), 3, 0), "`alpha` must be", class = "stablecl_error_argument")
  expect_equal(coef(stablefit(chunks_of(x, 77))), coef(stablefit(x)))               # fitted in memory
  expect_identical(stable_loglik(x, 1.5, 0.1), stable_loglik(stable_data(x), 1.5, 0.1))
  expect_identical(stable_loglik(NA, 1.5, 0.1), NA_real_)  # as dstable(): logical values are numbers
  expect_match(capture.output(print(chunks_of(x, 10))), "from a function")
})

test_that("sources that change, small alpha and refits are errors", {
  skip_on_cran()
  set.seed(6)
  x <- rstable(140000, 1.5, 0)
  passes <- 0
  at <- 0
  changing <- stable_chunks(function(reset) {
    if (reset) {
      passes <<- passes + 1
      at <<- 0
    } else {
      at <<- at + 1
      if (at == 1) x else if (at == 2 && passes > 1) 1
    }
  })
  expect_error(stablefit(changing), "returned 140001 values, and 140000 before", class = "stablecl_error_data")
  expect_error(suppressWarnings(stablefit(chunks_of(rstable(140000, 0.4, 0), 50000))), "too small",
               class = "stablecl_error_unsupported")
  fit <- stablefit(chunks_of(x, 50000))
  for (call in expression(confint(fit, method = "bootstrap"), confint(fit, method = "profile"), stable_gof(fit),
                          anova(fit), profile(fit))) {
    e <- expect_error(eval(call), "samples in chunks", class = "stablecl_error_argument")
    expect_match(deparse(conditionCall(e))[[1L]], paste0("^", deparse(call[[1L]])))
  }
})

test_that("a fit in chunks is not compared with one of the values that it has kept", {
  skip_on_cran()
  fit <- stablefit(chunks_of(fit_sample_of(140000, 1.7, 0.2), 50000))
  symmetric <- update(fit, fixed = c(beta = 0))
  expect_identical(anova(symmetric, fit)$npar, 3:4)
  part <- stablefit(fit$data, fixed = c(beta = 0))
  expect_error(anova(part, fit), "must be to the same data", class = "stablecl_error_argument")
})
