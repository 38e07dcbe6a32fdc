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
  expect_error(predict(fit, 0.01, tail = FALSE), "did you mean `lower.tail`?", fixed = TRUE)
  expect_error(gintegrate(sin, 0, 1, reltol = 1e-3), "did you mean `rel.tol`?", fixed = TRUE)
  expect_error(gintegrate(sin, 0, 1, tol = 1e-3), "did you mean `rel.tol` or `abs.tol`?", fixed = TRUE)
  expect_error(gintegrate(function(x, rate = 1) exp(-rate * x), 0, 1, rat = 2), "did you mean `rate`?", fixed = TRUE)
  expect_error(gtranslate(sin, reltol = 1e-3), "`f` has no argument 'reltol'.", fixed = TRUE)
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

# plot() sets some of these itself; R stops with an error of its own if one is given twice.
test_that("plots accept the graphical parameters that they set themselves, or reject them with a class", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  objects <- method_objects()
  objects$mvstable_spectral <- mvspectralfit(cbind(objects$default, rev(objects$default)), directions = 8)
  objects$several <- gintegrate(function(x, a) exp(-a * x), 0, 1, params = list(a = 1:3))
  objects$regions <- gintegrate(function(x, y) exp(-x * y), c(0, 0), 1, method = "cubature")
  given <- list(pch = 2, col = "red", cex = 0.5, ylab = "y", xlab = "x", main = "title", yaxt = "n", xaxt = "n",
                las = 2,
                bty = "o", ylim = c(0.2, 0.8), xlim = c(0.2, 0.8), panel.first = quote(graphics::grid()))
  methods <- registered_methods()
  classes <- c(methods[methods[, 1L] == "plot", 2L], "several", "regions")
  for (class in intersect(names(objects), classes)) for (name in names(given)) {
    call <- as.call(c(list(quote(plot), objects[[class]]), given[name]))
    condition <- tryCatch({
      suppressWarnings(eval(call))
      NULL
    }, error = identity)
    if (!is.null(condition)) expect_s3_class(condition, "stablecl_error_argument")
    if (!(class %in% c("stable_gof", "stablewindows") && name %in% c("panel.first", "ylab")))
      expect_null(condition, label = paste(class, name))
  }
})

test_that("a label given to a plot replaces its own", {
  skip_if_not_installed("vdiffr")
  fit <- stablefit(fit_sample_of(60, 1.5, 0, seed = 1))
  has_label <- function(label, ...) {
    file <- tempfile(fileext = ".svg")
    vdiffr::write_svg(function() plot(fit, "tails", ...), file)
    any(grepl(label, readLines(file), fixed = TRUE))
  }
  expect_true(has_label("Probability beyond"))
  expect_true(has_label("My label", ylab = "My label"))
  expect_false(has_label("Probability beyond", ylab = "My label"))
})
