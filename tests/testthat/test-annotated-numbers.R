# Intervals and probabilities whose attributes are printed as lines.

printed <- function(x, ...) capture.output(print(x, ...))

test_that("methods and reasons are printed as lines below the numbers, not as attributes", {
  small <- stablefit(fit_sample_of(60, 1.9, 0))
  ci <- confint(small, "gamma", method = "auto")
  expect_identical(printed(ci), c(printed(unclass(ci)[, , drop = FALSE]), "Method \"profile\", chosen automatically:",
                                  paste("*", attr(ci, "because"))))
  expect_identical(printed(ci, digits = 3)[2], printed(unclass(ci)[, , drop = FALSE], digits = 3)[2])
  regular <- confint(stablefit(fit_sample_of(1000, 1.5, 0)), method = "auto")
  expect_identical(printed(regular)[6], "Method \"wald\", chosen automatically.")
  fixed <- confint(stablefit(fit_sample_of(60, 1.5, 0), fixed = list(beta = 0)), method = "bootstrap", R = 5, seed = 1)
  expect_identical(printed(fixed)[6:7], c("Replicates: 0 to 5.", "* beta: It is held fixed at 0."))
  expect_false(any(grepl("attr(", printed(list(ci, regular, fixed)), fixed = TRUE)))
  band <- predict(small, 0.01, interval = "confidence", method = "auto")
  expect_match(printed(band), "^Method \"profile\"", all = FALSE)
  expect_match(printed(predict(small, 0.01, interval = "confidence", method = "auto", se.fit = TRUE)), "^Method",
               all = FALSE)
  p <- pmvstable(upper = c(0, 0), alpha = 1.5, Q = diag(2))
  expect_identical(printed(p), c(printed(as.numeric(p)), sprintf("Standard error %s, status \"converged\".",
                                                                 format(attr(p, "abs.error"), digits = 3))))
})

test_that("names remain, lines are wrapped, and errors have three digits", {
  x <- stablecl:::annotated_numbers(structure(c(a = 0.25, b = 0.5), abs.error = 1.23456e-9, status = "converged"))
  expect_identical(printed(x), c(printed(c(a = 0.25, b = 0.5)), "Standard error 1.23e-09, status \"converged\"."))
  expect_identical(x + 1, c(a = 1.25, b = 1.5))
  capture.output(result <- withVisible(print(x)))
  expect_identical(result, list(value = x, visible = FALSE))
  expect_error(print(x, nonsense = 1), "nonsense", class = "stablecl_error_argument")
  reason <- paste(rep("word", 40), collapse = " ")
  x <- stablecl:::annotated_numbers(structure(1, reasons = c(beta = reason), replicates = c(7, 7), methods = "other"))
  expect_identical(printed(x)[2], "Replicates: 7.")
  expect_identical(printed(x)[-(1:2)], strwrap(paste("* beta:", reason), exdent = 2))
})

test_that("numbers without such attributes have no class", {
  fit <- stablefit(fit_sample_of(1000, 1.5, 0))
  expect_identical(class(confint(fit)), c("matrix", "array"))
  expect_identical(class(predict(fit, 0.01, interval = "confidence")), c("matrix", "array"))
})

test_that("arithmetic, rounding and indexing return plain numbers", {
  ci <- confint(stablefit(fit_sample_of(60, 1.9, 0)), method = "auto")
  plain <- matrix(as.vector(ci), nrow(ci), dimnames = dimnames(ci))
  expect_s3_class(ci, "stable_numbers")
  expect_identical(ci + 1, plain + 1)
  expect_identical(2 * ci, 2 * plain)
  expect_identical(ci / ci, plain / plain)
  expect_identical(-ci, -plain)
  expect_identical(ci > 0, plain > 0)
  expect_identical(round(ci, 2), round(plain, 2))
  expect_identical(exp(ci), exp(plain))
  expect_identical(ci[1:2, ], plain[1:2, ])
  expect_identical(ci["gamma", , drop = FALSE], plain["gamma", , drop = FALSE])
  expect_identical(ci[[2, 1]], plain[[2, 1]])
  expect_identical(cbind(ci, 1), cbind(plain, 1))
  expect_identical(as.data.frame(ci), as.data.frame(plain))
  expect_error(round(ci, nonsense = 1), "nonsense", class = "stablecl_error_argument")
  p <- pmvstable(upper = c(0, 0), alpha = 1.5, Q = diag(2))
  expect_identical(class(p - 0.25), "numeric")
  expect_null(attributes(1 - p))
  expect_null(attributes(log(p)))
  expect_null(attributes(c(p, p)))
  expect_identical(data.frame(p = p[1])$p, as.numeric(p))
})
