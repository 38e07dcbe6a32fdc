# Fits of many data sets (R/fit-many.R, src/fit/batch.c).

many_samples <- function(count, n = 60) {
  lapply(seq_len(count), function(i) fit_sample_of(n + i, 0.3 + 1.7 * i / count, sin(i), 2, 5, seed = i))
}

test_that("each fit of a batch is bitwise identical to the single fit", {
  samples <- many_samples(24)
  for (args in list(list(), list(method = "quantile"), list(fixed = list(beta = 0), pm = 1),
                    list(start = c(alpha = 1.2)))) {
    fits <- suppressWarnings(do.call(stablefit, c(list(samples), args)))
    for (i in seq_along(samples)) {
      alone <- suppressWarnings(do.call(stablefit, c(samples[i], args)))
      expect_identical(without_call(fits[[i]]), without_call(alone))
    }
    expect_identical(unname(coef(fits)[7, ]), unname(coef(fits[[7]])))
  }
})

test_that("fits do not depend on the number of threads", {
  samples <- c(many_samples(40, 200), list(fit_sample_of(9000, 0.2, 0.3), fit_sample_of(60000, 1.6, -0.4)))
  one <- using_threads(1L, suppressWarnings(stablefit(samples)))
  for (again in 1:3) expect_identical(using_threads(2L, suppressWarnings(stablefit(samples))), one)
})

test_that("samples large enough to be shared by all threads can be fitted with others", {
  skip_on_cran()
  samples <- list(fit_sample_of(300, 1.5, 0), fit_sample_of(140000, 1.5, 0.5), fit_sample_of(200, 1.2, 0.3))
  fits <- using_threads(2L, stablefit(samples))
  expect_identical(without_call(fits[[2]]), without_call(using_threads(1L, stablefit(samples[[2]]))))
  expect_lt(max(abs(z_scores(fits[[2]], list(1.5, 0.5, 1, 0)))), 4)
  expect_identical(without_call(fits[[3]]), without_call(stablefit(samples[[3]])))
})

test_that("bad data sets do not affect the others", {
  x <- fit_sample_of(80, 1.5, 0)
  sets <- list(good = x, tied = rep(1, 20), short = 1:3, letters = letters, missing = rep(NA_real_, 9),
               holed = c(NA, x), infinite = c(x, Inf))
  fits <- stablefit(sets)
  table <- as.data.frame(fits)
  expect_identical(table$name, names(sets))
  expect_identical(table$error == "", c(TRUE, FALSE, FALSE, FALSE, FALSE, TRUE, FALSE))
  expect_match(table$error[c(2:5, 7)], "are equal|at least 8|not character|are missing|element 81 is Inf")
  expect_identical(is.na(table$alpha), table$error != "")
  expect_identical(unname(coef(fits)["holed", ]), unname(coef(stablefit(x))))
  expect_identical(nobs(fits[["holed"]]), 80L)
  err <- expect_error(fits[["tied"]], "All values of `x` are equal", class = "stablecl_error_data")
  expect_identical(conditionCall(err)[[1]], quote(stablefit))
  expect_s3_class(as.list(fits)$tied, "stablecl_error_data")
  failed <- stablefit(sets["holed"], na.action = na.fail)
  expect_match(as.data.frame(failed)$error, "missing values")
  off <- stablefit(list(x), fixed = list(alpha = 0.5, beta = 1, delta = 1e3, gamma = 1))
  expect_match(as.data.frame(off)$error, "a support that contains all")
  expect_length(stablefit(list()), 0)
  expect_identical(nrow(as.data.frame(stablefit(list()))), 0L)
})

test_that("matrices, data frames, lists and grouped data frames hold data sets", {
  x <- fit_sample_of(120, 1.6, 0.2)
  m <- cbind(a = x[1:60], b = x[61:120])
  fits <- stablefit(m)
  expect_named(fits, c("a", "b"))
  expect_identical(coef(stablefit(as.data.frame(m))), coef(fits))
  key <- rep(c("a", "b"), each = 60)
  expect_identical(coef(stablefit(split(x, key))), coef(fits))
  expect_identical(unname(coef(stablefit(unname(m)))), unname(coef(fits)))
  expect_named(stablefit(unname(m)), c("1", "2"))
  skip_if_not_installed("dplyr")
  grouped <- dplyr::group_by(data.frame(key = key, x = x), key)
  expect_identical(coef(stablefit(grouped)), coef(fits))
  grouped <- dplyr::group_by(data.frame(key = key, x = x, y = -x), key)
  expect_named(stablefit(grouped), c("a.x", "b.x", "a.y", "b.y"))
})

test_that("batches can be indexed, tabulated, printed and plotted", {
  samples <- stats::setNames(many_samples(12), letters[1:12])
  fits <- suppressWarnings(stablefit(samples))
  some <- fits[c("c", "a")]
  expect_identical(coef(some), coef(fits)[c("c", "a"), ])
  expect_identical(some[["a"]], fits[["a"]])
  expect_identical(names(fits[-1]), letters[2:12])
  expect_error(fits["z"], "There is no data set \"z\"", class = "stablecl_error_argument")
  table <- as.data.frame(fits)
  expect_identical(names(table)[1:7], c("name", "n", "alpha", "beta", "gamma", "delta", "se.alpha"))
  expect_identical(table$n, lengths(samples, use.names = FALSE))
  expect_identical(table$loglik[5], as.numeric(logLik(fits[[5]])))
  expect_equal(unlist(table[5, 7:10]), sqrt(diag(vcov(fits[[5]]))), ignore_attr = TRUE)
  expect_identical(table$converged[5], fits[[5]]$convergence$converged)
  expect_false(any(is.nan(as.matrix(table[3:11]))))
  printed <- capture.output(print(fits))
  expect_match(printed, "12 data sets", all = FALSE)
  expect_match(printed, "and 2 more", all = FALSE)
  expect_match(capture.output(print(summary(fits))), "12 fitted, 0 failed", all = FALSE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fits), fits)
  skip_if_not_installed("generics")
  tidied <- generics::tidy(fits)
  expect_identical(tidied$estimate[tidied$name == "c" & tidied$term == "gamma"], coef(fits)["c", "gamma"][[1]])
})

test_that("after an interrupt the finished fits are returned", {
  skip_on_cran()
  skip_on_os("windows")
  samples <- many_samples(500, 60)
  interrupt_in_call("fit_chunk", 2)
  expect_warning(fits <- using_threads(1L, stablefit(samples)), "Interrupted", class = "stablecl_warning_interrupted")
  error <- as.data.frame(fits)$error
  done <- sum(error == "")
  expect_gt(done, 0)
  expect_lt(done, length(samples))
  expect_identical(unique(error[error != ""]), "Interrupted before this data set was fitted.")
  expect_identical(without_call(fits[[1]]), without_call(stablefit(samples[[1]])))
})
