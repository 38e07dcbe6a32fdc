# Fits of windows over a series (R/fit-windows.R).

window_series <- function() {
  x <- c(fit_sample_of(150, 1.7, 0.2, seed = 11), 3 + 5 * fit_sample_of(150, 1.1, -0.6, seed = 12))
  x[c(201, 205)] <- NA
  x
}

test_that("each row is the fit of its window", {
  x <- window_series()
  for (expanding in c(FALSE, TRUE)) {
    fits <- suppressWarnings(stablefit(x, width = 60, by = 7, expanding = expanding))
    table <- as.data.frame(fits)
    expect_identical(table$end, seq(60L, 300L, 7L))
    expect_identical(table$start, if (expanding) rep(1L, nrow(table)) else table$end - 59L)
    expect_identical(names(fits), paste0(table$start, ":", table$end))
    for (i in seq_len(nrow(table))) {
      alone <- suppressWarnings(stablefit(x[table$start[i]:table$end[i]]))
      expect_equal(coef(fits)[i, ], coef(alone), tolerance = 1e-6)
      expect_equal(table$loglik[i], alone$loglik, tolerance = 1e-9)
      expect_equal(unname(unlist(table[i, paste0("se.", names(coef(alone)))])), unname(sqrt(diag(vcov(alone)))),
                   tolerance = 1e-4)
      expect_identical(table$n[i], alone$nobs)
    }
  }
})

test_that("windows are fitted by every method", {
  x <- window_series()[1:120]
  for (method in c("quantile", "ecf", "logmoment", "mle2d", "grid")) {
    fits <- suppressWarnings(stablefit(x, method, width = 100, by = 10))
    for (i in 1:3) expect_equal(coef(fits)[i, ], suppressWarnings(coef(stablefit(x[10 * i - 10 + 1:100], method))))
  }
  fits <- stablefit(x, width = 100, by = 10, start = "ecf", fixed = list(beta = 0), pm = 1)
  expect_equal(coef(fits)[2, ], coef(stablefit(x[11:110], fixed = list(beta = 0), pm = 1)), tolerance = 1e-6)
})

test_that("the results do not depend on threads, on a handle, or on the kind of series", {
  x <- window_series()[1:190]
  one <- using_threads(1L, stablefit(x, width = 50))
  again <- using_threads(2L, stablefit(stable_data(x), width = 50))
  expect_identical(unclass(again)[c("results", "error")], unclass(one)[c("results", "error")])
  expect_identical(coef(stablefit(stats::ts(x, 1990, frequency = 12), width = 50)), coef(one))
  expect_identical(coef(stablefit(cbind(x), width = 50)), coef(one))
})

test_that("a window that cannot be fitted states the reason", {
  x <- fit_sample_of(100, 1.5, 0, seed = 13)
  x[21:40] <- 7
  x[60] <- Inf
  x[75:85] <- NA
  table <- as.data.frame(suppressWarnings(stablefit(x, width = 15, by = 5)))
  expect_match(table$error[table$start == 21], "All values of `x` are equal (7)", fixed = TRUE)
  infinite <- table$start <= 60 & table$end >= 60
  expect_identical(unique(table$error[infinite]), "`x` must be finite, but element 60 is Inf.")
  expect_match(table$error[table$start == 71], "at least 8 observations; the window has 4.", fixed = TRUE)
  expect_identical(table$n[table$start == 66], 9L)
  expect_identical(table$error[table$start == 1], "")
  expect_identical(is.na(table$alpha), nzchar(table$error))
  holed <- is.na(x)[table$end] | is.na(x)[table$start]
  strict <- as.data.frame(suppressWarnings(stablefit(x, width = 15, by = 5, na.action = na.fail)))
  expect_identical(strict$error[holed], rep("missing values in object", sum(holed)))
  expect_identical(strict$alpha[!holed], table$alpha[!holed])
  filled <- function(x) replace(x, is.na(x), seq_len(sum(is.na(x))))
  there <- suppressWarnings(stablefit(x, width = 15, by = 5, na.action = filled))
  expect_identical(coef(there), coef(suppressWarnings(stablefit(filled(x), width = 15, by = 5))))
  expect_error(stablefit(x, width = 15, na.action = function(x) x[1:50]), "it has returned 50 of 100 values",
               class = "stablecl_error_argument")
  all_missing <- as.data.frame(stablefit(rep(NA_real_, 20), width = 10))
  expect_match(all_missing$error, "the window has 0")
})

test_that("arguments of windows are checked", {
  x <- fit_sample_of(40, 1.5, 0)
  argument_error <- function(code, message) expect_error(code, message, class = "stablecl_error_argument", fixed = TRUE)
  argument_error(stablefit(x, width = 41), "`width` must be at most the number of values, 40, not 41.")
  argument_error(stablefit(x, width = 7), "`width` must be one whole number, at least 8, not 7.")
  argument_error(stablefit(x, width = 9.5), "not 9.5")
  argument_error(stablefit(x, width = NA), "not NA")
  argument_error(stablefit(x, width = 20, by = 0), "`by` must be one whole number, at least 1, not 0.")
  argument_error(stablefit(x, width = 20, expanding = 1), "`expanding` must be TRUE or FALSE")
  argument_error(stablefit(x, by = 2), "`by` requires `width`")
  argument_error(stablefit(x, expanding = TRUE), "`expanding` requires `width`")
  argument_error(stablefit(cbind(x, x), width = 20), "`width` requires one series")
  argument_error(stablefit(data.frame(x), width = 20), "one series as a vector, not an object of class 'data.frame'")
  argument_error(stablefit(x, width = 20, weights = rep(1, 40)), "`weights` are not supported")
  expect_error(stablefit(letters, width = 8), "must be numeric", class = "stablecl_error_data")
  expect_identical(names(stablefit(x, width = 40)), "1:40")
  expect_identical(names(stablefit(x, width = 10, by = 25)), c("1:10", "26:35"))
})

test_that("fits of windows can be selected, printed and plotted", {
  x <- window_series()
  fits <- suppressWarnings(stablefit(x, width = 60, by = 40))
  expect_s3_class(fits[2:3], c("stablewindows", "stablefits"), exact = TRUE)
  expect_identical(as.data.frame(fits[c(5, 2)]), as.data.frame(fits)[c(5, 2), ], ignore_attr = TRUE)
  expect_identical(fits["161:220"][[1]]$data, x[setdiff(161:220, c(201, 205))])
  expect_identical(fits[c(FALSE, TRUE)][["41:100"]], fits[[2]])
  expect_length(fits[integer()], 0)
  expect_match(capture.output(print(fits)), "7 windows", all = FALSE)
  expect_match(capture.output(print(summary(fits))), "7 fitted, 0 failed", all = FALSE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fits), fits)
  expect_identical(plot(fits, se = FALSE, ylim = c(0, 2), type = "l"), fits)
  expect_identical(plot(stablefit(rep(1, 30), width = 10)), stablefit(rep(1, 30), width = 10))
})

test_that("the plot of no windows is empty", {
  set.seed(10)
  fits <- stablefit(rstable(40, 1.6, 0), width = 20, by = 20)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_warning(plot(fits[0]))
})
