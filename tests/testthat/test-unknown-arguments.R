# Methods reject arguments that they do not have.

test_that("every registered method rejects an argument that it does not have", {
  methods <- registered_methods()
  objects <- method_objects()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_setequal(setdiff(methods[, 2L], names(objects)), character())
  for (k in seq_len(nrow(methods))) {
    generic <- methods[k, 1L]
    if (generic == "autoplot" && !requireNamespace("ggplot2", quietly = TRUE)) next
    method <- getFromNamespace(paste(generic, methods[k, 2L], sep = "."), "stablecl")
    if (!"..." %in% names(formals(method))) next                         # R itself rejects it
    if (generic == "Math") method <- round                               # one of its members
    if (generic == "update") next                        # its arguments are those of the call that it repeats
    if (generic == "Summary") next                                       # R's own sum() ignores names, too
    arguments <- c(list(objects[[methods[k, 2L]]]), if (methods[k, 2L] == "default") list(1.6, 0.3))
    expect_error(capture.output(do.call(method, c(arguments, no_such_argument = 1))), "no_such_argument",
                 class = "stablecl_error_argument", label = paste(methods[k, ], collapse = ".."))
  }
})

test_that("the message suggests the argument that may have been meant", {
  fit <- method_objects()$stablefit
  expect_error(predict(fit, inteval = "confidence"), "did you mean `interval`?", fixed = TRUE)
  expect_error(predict(fit, conf.level = 0.9), "conf.level.*`level`", class = "stablecl_error_argument")
  expect_error(confint(fit, lvel = 0.9), "did you mean `level`?", fixed = TRUE)
  expect_error(quantile(fit, 0.5, se = TRUE, tpye = "es"), "did you mean `type`", fixed = TRUE)
  expect_error(anova(fit, tset = "chisq"), "did you mean `test`?", fixed = TRUE)
  expect_error(stablefit(fit$data, methd = "ecf"), "methd", class = "stablecl_error_argument")
  expect_error(predict(fit, stop("evaluated"), nonsense = stop("evaluated")), "unused argument")
})

test_that("arguments that R's own generics pass on are accepted", {
  objects <- method_objects()
  expect_output(print(objects$stablefit, digits = 3), "Log-likelihood")
  expect_output(print(objects$stablefits, quote = FALSE), "Stable distributions")
  expect_s3_class(data.frame(objects$gintegral), "data.frame")
  expect_length(coef(objects$stablefit, complete = TRUE), 4L)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(objects$stablefit, "density", cex.axis = 0.5))
})

test_that("every argument of predict() is checked", {
  objects <- method_objects()
  fit <- objects$stablefit
  refused <- function(code, what) expect_error(code, what, class = "stablecl_error_argument")
  refused(predict(fit, level = 2), "`level`")
  refused(predict(fit, 0.01, type = "es", interval = "confidence", level = 2), "`level`")
  refused(predict(fit, se.fit = NA), "`se.fit`")
  refused(predict(fit, lower.tail = "no"), "`lower.tail`")
  refused(predict(fit, "a"), "`probs`")
  refused(predict(fit, type = "density", at = "a"), "`at`")
  refused(summary(fit, level = 2), "`level`")
  refused(predict(objects$stablefit_lm, type = "es"), "type")
  refused(predict(objects$stablefit_lm, probs = c(0.1, 0.9), interval = "confidence"), "`probs`")
})
