# The evidence for the manual pages of many samples, windows, kept and censored samples, and tests of samples
# (tools/check-claims).

# --- many fits and windows ---
manual("stablefits")
takes("i: numbers or names of data sets.", identical(coef(many["a"]), coef(many[1])),
      identical(coef(many[["b"]]), coef(many[[2]])),
      not = c(many[["z"]], many[["c"]], many[9]))
takes("...: for `plot()` graphical parameters", plot(many, cex = 2), prints(many, "a", right = TRUE),
      not = c(plot(many, nonsense = 1),
      print(many, nonsense = 1)))
takes("n: number of data sets to print.", prints(many, "a", n = 1), prints(many, "and 2 more", n = 1),
      not = print(many, n = -1))
takes("se: logical: draw bars of one", plot(many, se = FALSE), not = plot(many, se = NA))
takes("labels: logical: write the names", plot(many, labels = TRUE), not = plot(many, labels = 2))
tested("By default the axes cover the estimates and their bars", "fit-plots: the axes of many fits cover")
takes("col, pch, xlim, ylim, xlab, ylab", plot(many, col = 2, pch = 3, xlim = c(0, 2), ylim = c(-1, 1), xlab = "a",
    ylab = "b"))
shown("`as.data.frame()`: one row for each", {
  rows <- as.data.frame(many)
  nrow(rows) == 3 && identical(names(rows), c("name", "n", "alpha", "beta", "gamma", "delta", "se.alpha", "se.beta",
      "se.gamma",
                                              "se.delta", "loglik", "converged", "note", "error"))
})
shown("`coef()`: a matrix with a row", is.matrix(coef(many)) && nrow(coef(many)) == 3)
shown("`generics::tidy()`, if package generics", {
  rows <- generics::tidy(many)
  identical(names(rows), c("name", "term", "estimate", "std.error")) && nrow(rows) == 12 &&
    nrow(generics::glance(many)) == 3 &&
    identical(names(generics::glance(many)), c("name", names(generics::glance(fit))))
})
shown("`summary()`: counts", prints(summary(many), "alpha") && inherits(summary(many), "summary.stablefits"))
takes("na.rm: not used; the argument", identical(median(many, na.rm = TRUE), median(many)))
shown("`nobs()`, `sigma()`, `mean()`, `median()` and `logLik()`", {
  all(vapply(list(nobs, sigma, mean, median, logLik), function(f) near(f(many)[["b"]], f(many[["b"]])), NA)) &&
    near(AIC(many)[2], AIC(many[["b"]])) && near(BIC(many)[["b"]], BIC(many[["b"]]))
})
tested("`confint()`: an array whose dimensions", "fit-many-methods: intervals and likelihoods of many fits")
tested("`update()` repeats the call with other arguments.",
       "fit-many-methods: update() of many fits, and of one of them")
tested("For `fits[[i]]` it does so", "fit-many-methods: update() of many fits, and of one of them")
tested("The value of `stablefit()` for a matrix",
       "fit-many: matrices, data frames, lists and grouped data frames hold data sets")
shown("`fits[i]` selects some", {
  inherits(many[1:2], "stablefits") && identical(coef(many[["a"]]), coef(stablefit(sample[1:100], "quantile")))
})
shown("Both accept numbers or names.", identical(coef(many["b"]), coef(many[2])) &&
      identical(coef(many[["b"]]), coef(many[[2]])))
shown("A data set that cannot be fitted has `NA`", {
  rows <- as.data.frame(many)
  is.na(rows$alpha[3]) && nzchar(rows$error[3]) && identical(message_of(many[["c"]]), message_of(many[[3]]))
})
raises("`\"stablecl_error_argument\"`: `i` selects no data set", many[["z"]], plot(many, nonsense = 1),
       plot(many, se = NA))
shown("`\"stablecl_error_data\"`: `fits[[i]]` is a data set", {
  failure <- tryCatch(many[["c"]], error = identity)
  inherits(failure, "stablecl_error_data") && identical(conditionCall(failure)[[1]], as.name("stablefit"))
})
manual("predict.stablefits")
takes("object, x: an object of class `\"stablefits\"`.", nrow(predict(many)) == 3, nrow(quantile(many)) == 3)
takes("at: vector of points", ncol(predict(many, at = 1:3, type = "density")) == 3,
      not = predict(many, type = "probability"))
takes("seed: `NULL`, or a number for `set.seed()`, with which", {
  ends <- function(f) predict(f, 0.1, interval = "confidence", method = "bootstrap", R = 5, seed = 1)
  near(ends(many)[2, 1, ], ends(many[["b"]]))
}, not = predict(many, 0.1, interval = "confidence", method = "bootstrap", seed = "a"))
tested("If methods were chosen automatically, or intervals", "fit-many-methods: predict() of many fits states methods")
tested("`predict()` and `quantile()` of the fits of many data sets", "fit-many-methods: predict() of many fits has")
shown("Predictions also exist for estimates `alpha = 2`", {
  normal <- stablefit(list(a = sample), fixed = list(alpha = 2))
  p <- coef(normal)
  is.na(p[, "beta"]) && is.na(suppressWarnings(qstable(0.01, p[, 1], p[, 2], p[, 3], p[, 4]))) &&
    is.finite(predict(normal, 0.01))
})
shown("A matrix with a row for each fit", {
  values <- predict(many, c(0.1, 0.2))
  identical(dimnames(values), list(names(many), c("10%", "20%")))
})
shown("With `interval = \"confidence\"` it is an array", {
  band <- predict(many, c(0.1, 0.2), interval = "confidence", se.fit = TRUE)
  identical(dimnames(band$fit)[[3]], c("fit", "lwr", "upr")) && identical(dim(band$se.fit), c(3L, 2L))
})
shown("Rows of data sets that could not be fitted", all(is.na(predict(many)[3, ])))
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, or the method does not",
       predict(many, type = "density"), predict(many, 0.1, interval = "confidence", method = "profile"))
raises("`\"stablecl_error_data\"`, `\"stablecl_error_interrupted\"`, `\"stablecl_error_worker\"`: the bootstrap failed",
       tests = "interrupts: a bootstrap that is interrupted before its first fit ends as interrupted")
manual("stablewindows")
takes("se: logical: draw bands of 1.96", plot(windows, se = FALSE), not = plot(windows, se = "yes"))
takes("col: colour of the estimates.", plot(windows, col = 3))
takes("xlab: label of the horizontal axis, which shows", plot(windows, xlab = "day"))
shown("`plot()` draws the estimates of the four", {
  calls <- drawn(plot(windows))
  points <- Filter(function(part) length(part$x) == 3, lapply(calls_of("C_plotXY", calls), `[[`, 1))
  near(vapply(points, `[[`, numeric(3), "x"), as.data.frame(windows)$end) &&
    identical(vapply(points, `[[`, numeric(3), "y"), unname(coef(windows)))
})
tested("The value of `stablefit()` with `width`", "fit-windows: each row is the fit of its window")
shown("The class extends `\"stablefits\"`", {
  inherits(windows, "stablefits") && identical(coef(windows["1:50"]), coef(windows[1])) &&
    all(c("start", "end") %in% names(as.data.frame(windows))) &&
    identical(as.data.frame(windows)$end[1], as.data.frame(windows)$start[1] + 49L) && nrow(coef(windows)) == 3 &&
    nrow(generics::tidy(windows)) == 12
})
raises("`\"stablecl_error_argument\"`: an argument of `plot()` is", plot(windows, se = "yes"),
       plot(windows, nonsense = 1))

# --- kept samples and chunks ---
manual("stable_data")
takes("x: a numeric vector of finite numbers", length(stable_data(1:8)) == 8,
      not = c(stable_data(1:7), stable_data(c(1:9, NA)),
      stable_data(letters)))
shown("A handle of class `\"stable_data\"`", {
  handle <- stable_data(sample)
  inherits(handle, "stable_data") && length(handle) == 300 && near(coef(stablefit(handle)), coef(fit))
})
shown("A handle that was saved and restored", {
  file <- tempfile()
  saveRDS(stable_data(sample), file)
  near(coef(stablefit(readRDS(file))), coef(fit))
})
tested("Prepares a sample for several fits.", "fit-large: a stable_data() object has the same fit as its sample")
tested("It is checked once, and a device", "fit-large: a stable_data() object has the same fit on a device",
       "fit-loglik: a device keeps the copy of the sample that was used last")
shown("On the CPU nothing is copied", identical(coef(stablefit(stable_data(sample))), coef(fit)))
tested("A device keeps one sample at a time.", "fit-loglik: a device keeps the copy of the sample that was used last")
tested("The copy is freed together with the handle",
       "fit-loglik: after a device failure the CPU sums the data of a handle, and no object leaks",
       code = "src/run/selection.c: if (!on_devices || !selection_equal(&open_devices, devices))")
raises("`\"stablecl_error_argument\"`: `x` is missing;", stable_data())
raises("`\"stablecl_error_data\"`: the sample is not numeric, has", stable_data("a"), stable_data(c(1:9, Inf)),
       stable_data(1:3))
manual("stable_chunks")
takes("source: a connection of package DBI", inherits(stable_chunks(function(reset) NULL), "stable_chunks"),
      not = stable_chunks(3))
tested("query: an SQL query as one string", "fit-chunks: samples in a database are read by a query",
       "fit-chunks: errors of samples in chunks")
tested("size: number of rows to fetch", "fit-chunks: samples in a database are read by a query",
       "fit-chunks: errors of samples in chunks")
takes("chunks: an object of class `\"stable_chunks\"`.", stable_each(chunks(), function(x) 0) == 300,
      not = stable_each(1:9, function(x) 0))
takes("f: a function of one argument, a chunk", {
  parts <- NULL
  stable_each(chunks(c(sample, NA), 100), function(x) parts <<- c(parts, length(x)))
  sum(parts) == 300
}, not = stable_each(chunks(), 3))
takes("x: a value of `stable_chunks()` or `stable_data()`", near(stable_loglik(chunks(), 1.5, 0),
    stable_loglik(sample, 1.5, 0)),
      near(stable_loglik(stable_data(sample), 1.5, 0), stable_loglik(sample, 1.5, 0)),
        is.na(stable_loglik(c(1, NA), 1.5, 0)))
shown("`stable_chunks()`: an object of class", inherits(chunks(), "stable_chunks") &&
      near(coef(stablefit(chunks())), coef(fit)))
shown("`stable_each()` calls `f` with each chunk", {
  parts <- NULL
  value <- withVisible(stable_each(chunks(), function(x) parts <<- c(parts, x)))
  identical(parts, sample) && value$value == 300 && !value$visible
})
shown("`stable_loglik()`: the log-likelihood", near(stable_loglik(sample, 1.5, 0.3, 2, 1, 1),
    sum(dstable(sample, 1.5, 0.3, 2, 1, 1, log = TRUE))))
tested("Describes a sample that is read in chunks", "fit-chunks: a fit in chunks is the fit in memory",
       "fit-chunks: samples in a database")
tested("With a connection of package DBI, `query`", "fit-chunks: samples in a database are read by a query")
tested("The result must have one numeric column.", "fit-chunks: samples in a database are read by a query",
       "fit-chunks: errors of samples in chunks state the problem")
tested("The order of its rows does not matter.", "fit-chunks: the estimate does not depend on the chunks or the order")
shown("A function is called with `reset = TRUE`", {
  calls <- NULL
  counted <- stable_chunks(function(reset) {
    calls <<- c(calls, reset)
    if (!reset && sum(!calls) %% 2 == 1) sample
  })
  stable_each(counted, function(x) 0)
  identical(calls, c(TRUE, FALSE, FALSE))
})
shown("It determines the size of the chunks.", {
  parts <- NULL
  stable_each(chunks(sample, 120), function(x) parts <<- c(parts, length(x)))
  identical(as.numeric(parts), c(120, 120, 60))
})
shown("Missing values are left out.", stable_each(chunks(c(NA, sample, NaN)), function(x) 0) == 300)
tested("Infinite values are an error, as is", "fit-chunks: sources that change, small alpha and refits are errors",
       "fit-chunks: errors of samples in chunks state the problem")
takes("`stablefit(chunks)` estimates by maximum", stablefit(chunks())$method == "mle",
      not = c(stablefit(chunks(), "ecf"),
      stablefit(chunks(), weights = rep(1, 300))))
coded("The first pass counts the values", "R/fit-chunks.R: most_kept <- 131072L")
tested("The search for the maximum for all values starts", "fit-chunks: a fit in chunks is the fit in memory",
       code = "R/fit-chunks.R: results <- fit_passes(chunks, seen, part_estimate(x, request), request)")
shown("Each of its steps is one pass", {
  x <- seeded(1, rstable(1.5e5, 1.6, 0.2))
  passes <- at <- 0
  read <- stable_chunks(function(reset) {
    if (reset) {
      passes <<- passes + 1
      at <<- 0
    } else if (at < length(x)) {
      at <<- at + 5e4
      x[at - 49999:0]
    }
  })
  stablefit(read)
  passes >= 5 && passes <= 9
})
tested("The estimates and standard errors are those of a fit", "fit-chunks: a fit in chunks is the fit in memory",
       code = "R/fit-chunks.R: most_kept <- 131072L")
shown("The object has the class `\"stablefit_chunks\"`", {
  identical(class(large), c("stablefit_chunks", "stablefit"))
})
takes("Its residuals, plots and tests of the data", length(residuals(large)) <= 131072, plot(large, "qq"),
      not = c(confint(large, method = "profile"), confint(large, method = "bootstrap"), anova(large)))
shown("The estimate of `alpha` for the values that", {
  at <- function(alpha) stablefit(chunks(seeded(2, rstable(1.4e5, alpha, 0.2)), 7e4))
  inherits(tryCatch(at(0.58), error = identity), "stablecl_error_unsupported") && abs(coef(at(0.62))[[1]] - 0.62) < 0.01
})
tested("With `precision = \"single\"`, which is never chosen silently, `stable_loglik()`",
       "device-precision: log-likelihoods in single precision meet the stated bounds",
       "device-precision: log-likelihoods in single precision are the sums of log densities in single precision")
coded("Two floats are returned for 4096 values.", "src/run/device/single.c: cl_float2",
      "src/run/device/single.c: elements of a part: SUM_BLOCK for sums",
      "src/special/double_double.h: #define SUM_BLOCK 4096")
tested("The error of a log-likelihood is at most",
       "device-precision: log-likelihoods in single precision meet the stated bounds")
tested("The errors of different values nearly cancel", "device-precision: log-likelihoods in single precision meet the")
tested("`pm` must be 0 or 1.",
       "device-precision: log-likelihoods that devices do not compute in single precision are refused")
tested("A device that was selected by name raises an error of class `\"stablecl_error_unsupported\"` otherwise",
       "device-precision: log-likelihoods that devices do not compute in single precision are refused",
       "device-precision: log-likelihoods in single precision do not depend on chunks, on devices or",
       code = "src/run/run.c: #define SINGLE_MIN 1e6")
raises("`\"stablecl_error_data\"`: a chunk is not numeric", stable_loglik(chunks(c(1, Inf)), 1.5, 0),
       stable_loglik(chunks(letters), 1.5, 0),
       tests = "fit-chunks: sources that change, small alpha and refits are errors")
raises("`\"stablecl_error_unsupported\"`: `alpha` is too small",
       tests = c("fit-chunks: sources that change, small alpha and refits are",
       "device-precision: log-likelihoods that devices do not compute in single precision are refused"))
tested("Errors of the source are passed on; a query in", "fit-chunks: samples in a database are read by a query")

# --- censored samples ---
manual("stablefit_censored")
shown("`plot()`: `x`, invisibly.", {
  drawn <- withVisible(plot(censored))
  identical(drawn$value, censored) && !drawn$visible
})
takes("type: for `residuals()` not used", inherits(ggplot2::autoplot(censored, "cdf"), "ggplot"),
      not = ggplot2::autoplot(censored, "pp"))
takes("...: `plot()`: further graphical", plot(censored, cex = 2), not = plot(censored, nonsense = 1))
shown("data: not used.", {
  message <- message_of(generics::augment(censored))
  grepl("not available", message) && identical(message_of(generics::augment(censored, data = sample)), message)
})
takes("nsim: number of samples, 0 or more, each with", identical(dim(simulate(censored, 2, seed = 1)), c(60L, 2L)),
      not = simulate(censored, -1))
takes("main, xlab, ylab: title and labels", plot(censored, main = "a", xlab = "b", ylab = "c"))
shown("`simulate()`: a data frame with a column for", {
  drawn <- simulate(censored, 2, seed = 1)
  is.data.frame(drawn) && !is.null(attr(drawn, "seed"))
})
shown("The object contains, in addition to", {
  identical(names(censored$data), c("left", "right")) && sum(unlist(censored$counts)) == 60 && nobs(censored) == 60
})
tested("`stablefit()` also fits data of which only", "fit-censored: censored normal fits are those of survival",
       "fit-censored: truncated and binned normal and Cauchy fits maximise R's own likelihoods")
introduction("`x` in `stablefit(x)` may be")
tested("an object of class `\"Surv\"`:",
       "fit-censored: objects of class Surv of all types are read as survival defines them")
tested("a table of intervals:",
       "fit-censored: intervals without width, bounds without effect and fine bins give the fit",
       "fit-censored: normal and Cauchy fits are those of fitdistrplus")
tested("Rows without any end are missing values.", "fit-censored: rows without any end are missing values")
tested("Intervals do not identify the parameters if",
       "fit-censored: a note states that intervals with few ends do not identify the parameters")
shown("Frequencies can be given as `weights`.", {
  table <- data.frame(left = c(1, 2, 3, 4, 5, 6, 7, 8), right = c(2, 3, 4, 5, 6, 7, 8, Inf))
  nobs(stablefit(table, weights = 1:8, fixed = list(alpha = 2), se = FALSE)) == 36
})
shown("(Two samples in columns of these names", inherits(stablefit(list(left = sample, right = -sample), "quantile"),
    "stablefits"))
shown("counts in bins:", {
  bins <- hist(sample, c(-1e3, -2:2, 1e3), plot = FALSE)
  bins$breaks[c(1, 7)] <- c(-Inf, Inf)
  nobs(stablefit(bins, se = FALSE)) == 300
})
shown("a sample: with `truncation`.", inherits(stablefit(sample[abs(sample) < 3], truncation = c(-3, 3), se = FALSE),
    "stablefit_censored"))
shown("The unit is that of the data.", {
  table <- censored$data
  near(coef(stablefit(10 * table, se = FALSE))[["gamma"]], 10 * coef(censored)[["gamma"]], 1e-4)
})
shown("An interval contains its right end", pstable(1, 1.5, 0) == pstable(1 + 0, 1.5, 0) && dstable(1, 1.5, 0) < Inf)
tested("With `truncation = c(lower, upper)`",
       "fit-censored: truncated and binned normal and Cauchy fits maximise R's own")
shown("Censoring and truncation can be combined.", {
  table <- data.frame(left = c(abs(sample[1:40]), rep(2, 20)), right = c(abs(sample[1:40]), rep(Inf, 20)))
  inherits(stablefit(table, truncation = c(0, Inf), fixed = list(beta = 0, delta = 0), se = FALSE),
           "stablefit_censored")
})
shown("With F the distribution function and f the density", {
  t <- as.list(unname(coef(censored)))
  F <- function(x) do.call(pstable, c(list(x), t))
  near(censored$loglik, sum(log(F(censored$data$right) - F(censored$data$left))), 1e-9)
})
tested("Differences are computed from the smaller tail",
       "fit-rounding: log probabilities of narrow and wide intervals are accurate")
tested("The derivatives of the tail probabilities with",
       "fit-censored: derivatives of the tail probabilities are integrals of the score",
       code = "R/fit-interval-scores.R: slope_rules <- list(exact = list(nodes = 10L")
tested("The search uses scores to about six digits", "fit-censored: scores are derivatives of the log-likelihood",
       code = c("R/fit-interval-scores.R: quick = list(nodes = 6L, enough = 1e-6))",
                "R/fit-interval-scores.R: if (scores && quick) return(quick_matrix("))
shown("It starts from the quantile estimate and the maximum", {
  starts_of <- function(x) {
    request <- list(start = NULL, pm = 0, control = stablecl:::check_fit_control(list(), NULL), se = FALSE)
    data <- stablecl:::censored_data(data.frame(left = x, right = x + 1), NULL, NULL, na.omit, NULL)
    begin <- stablecl:::imputed_start(data, NULL)
    model <- stablecl:::censored_model(data, begin$law[["delta"]], begin$law[["gamma"]], numeric(), request$control)
    starts <- stablecl:::censored_starts(begin, request, model)
    complete <- c(coef(stablefit(begin$sample, "quantile"))[[1]], coef(stablefit(begin$sample))[[1]])
    list(all = starts, used = stablecl:::likeliest_starts(starts, model), alpha = complete)
  }
  few <- starts_of(sample[1:200])
  more <- starts_of(sample[1:201])
  length(few$all) == 9 && length(few$used) == 9 && length(more$used) == 3 &&
    near(c(few$all[[1]][[1]], few$all[[2]][[1]]), few$alpha)
})
tested("A normal distribution is preferred if",
       "fit-censored: estimates at the borders of the parameter space are found")
tested("Standard errors come from the observed information, as for complete",
       "fit-censored: censored normal fits are those of survival",
       "fit-censored: intervals without width, bounds without effect and fine bins give the fit of the sample")
shown("Truncated samples contain little information about the tails", {
  x <- seeded(1, rstable(400, 1.5, 0))
  cut <- stablefit(x[abs(x) < 2], truncation = c(-2, 2), fixed = list(beta = 0, delta = 0))
  whole <- stablefit(x, fixed = list(beta = 0, delta = 0))
  sqrt(vcov(cut)[1, 1]) > 4 * sqrt(vcov(whole)[1, 1])
})
shown("`confint(method = \"profile\")` shows this", {
  x <- seeded(1, rstable(400, 1.5, 0))
  known <- list(beta = 0, delta = 0)
  fit_of <- function(...) stablefit(x[abs(x) < 2], truncation = c(-2, 2), fixed = c(known, ...), se = !length(c(...)))
  cut <- fit_of()
  deviance <- function(ends) vapply(ends, function(a) 2 * (cut$loglik - fit_of(list(alpha = a))$loglik), 0)
  wald <- deviance(confint(cut, "alpha"))
  profile <- confint(cut, "alpha", method = "profile")
  wald[1] > 2 * qchisq(0.95, 1) && wald[2] < 0.5 * qchisq(0.95, 1) && profile[2] == 2 &&
    near(deviance(profile[1]), qchisq(0.95, 1), 1e-4)
})
shown("The result has the class `\"stablefit_censored\"`", {
  methods <- list(coef, vcov, logLik, AIC, summary, confint, mean, median, sigma)
  identical(class(censored), c("stablefit_censored", "stablefit")) &&
    all(lengths(lapply(methods, function(f) f(censored))) > 0) &&
    near(predict(censored, 0.5), median(censored))
})
introduction("Differences are:")
tested("`simulate()` draws complete samples",
       "fit-censored: simulated samples are complete and within the bounds of truncation")
shown("Bootstrap intervals resample the observations", {
  ends <- confint(censored, "gamma", method = "bootstrap", R = 9, seed = 4)
  counts <- seeded(4, replicate(9, drop(rmultinom(1, 60, rep(1, 60)))))
  refits <- apply(counts, 2, function(count)
    suppressWarnings(coef(stablefit(censored$data[rep(1:60, count), ], se = FALSE))[["gamma"]]))
  near(ends, quantile(refits, c(0.025, 0.975), type = 6, names = FALSE), 1e-4)
})
takes("`predict(type = \"density\")` and", predict(censored, at = 1, type = "density") > 0,
      not = c(predict(censored, type = "density"),
      predict(censored, type = "probability")))
shown("`anova()` has no p-values of `alpha = 2`", is.na(censored_tests[1, "Pr(>Chisq)"]))
tested("`plot()` shows the nonparametric estimate",
       "fit-censored: the nonparametric distribution function is that of package survival",
       "fit-censored: plots and printed fits state what the data are")
takes("`residuals()`, `stable_gof()`, `stable_compare()`", not = c(residuals(censored), stable_gof(censored),
    stable_compare(censored),
      generics::augment(censored), sandwich::estfun(censored)))
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, or the method does not exist for",
       residuals(censored),
       plot(censored, nonsense = 1), stablefit(censored$data, "ecf"))
raises("`\"stablecl_error_data\"`: for `stablefit()`: the intervals",
       stablefit(data.frame(left = letters[1:9], right = 1)),
       stablefit(data.frame(left = 1:3, right = 2:4)), stablefit(data.frame(left = 0, right = rep(1, 20))),
       stablefit(data.frame(left = 1:9, right = 2:10), truncation = c(0, 5)))

# --- tests of fit and comparisons ---
manual("stable_gof")
takes("x: a fit of class `\"stablefit\"`, or a sample.", nrow(stable_gof(quick, R = 3, seed = 1)) == 3,
      nrow(stable_gof(sample, 1.6, 0.3)) == 3)
takes("...: `plot()`: further graphical parameters", plot(tested_sample, cex = 2), print(tested_sample, quote = FALSE),
      not = c(plot(tested_sample, nonsense = 1), print(tested_sample, nonsense = 1),
      stable_gof(sample, 1.5, 0, nonsense = 1)))
takes("tests: a subset of", nrow(stable_gof(sample, 1.6, 0.3, tests = "ad")) == 1,
      not = stable_gof(sample, 1.6, 0.3, tests = "chisq"))
takes("level: significance level that is marked in the plot", plot(tested_sample, level = 0.1),
      not = plot(tested_sample, level = 5))
takes("xlim, xlab, col: limits and label", plot(tested_sample, xlim = c(1e-3, 1), xlab = "p", col = 2))
shown("An object of class `\"stable_gof\"`", {
  of_fit <- stable_gof(quick, R = 3, seed = 1)
  identical(names(tested_sample), c("statistic", "p.value")) &&
    all(c("nobs", "law", "how") %in% names(attributes(tested_sample))) &&
    attr(of_fit, "replicates") == 3 && is.null(attr(tested_sample, "replicates"))
})
shown("Missing values are removed from a sample.", near(stable_gof(c(sample, NA), 1.6, 0.3)$statistic,
    tested_sample$statistic))
shown("`plot()` shows the p-values on", identical(withVisible(plot(tested_sample))$visible, FALSE))
tested("The Kolmogorov-Smirnov, Anderson-Darling",
       "fit-gof: p-values are uniform for the given distribution, and small for another",
       "fit-gof: p-values of a fit come from refits of simulated samples")
tested("With x_{(1)}", "fit-gof: statistics agree with their definitions")
tested("A^2 gives the tails the most weight", "fit-gof: values in extreme tails and outside the support count")
shown("For a sample and parameters that were not", {
  x <- sample[1:50]
  near(stable_gof(x, 1.6, 0.3)$p.value[1], ks.test(x, function(q) pstable(q, 1.6, 0.3))$p.value) &&
    near(tested_sample$p.value[1], ks.test(sample, function(q) pstable(q, 1.6, 0.3))$p.value)
})
tested("A^2 and W^2 are compared with their limiting",
       "fit-gof: null distributions have their published percentage points",
       "fit-gof: null distributions agree with their asymptotic tails and means")
shown("In 400000 samples of 10 observations", {
  share <- function(n, below) {                             # of 20000 samples, by the statistics of uniform ones
    set.seed(n)
    u <- matrix(runif(20000 * n), n)
    u <- matrix(u[order(col(u), u)], n)
    i <- seq_len(n)
    a2 <- -n - colSums((2 * i - 1) * (log(u) + log1p(-u[rev(i), ]))) / n
    w2 <- 1 / (12 * n) + colSums((u - (2 * i - 1) / (2 * n))^2)
    limit <- function(p, which) stats::uniroot(function(q) stablecl:::gof_tail(q, which) - p, c(0.01, 20),
        tol = 1e-9)$root
    c(mean(a2 > limit(below, stablecl:::ad_law)), mean(w2 > limit(below, stablecl:::cvm_law)))
  }
  close <- function(share, stated) all(abs(share - stated) < 4 * sqrt(stated / 20000))
  close(share(10, 0.05), c(0.0514, 0.0478)) && close(share(10, 0.01), c(0.0104, 0.0084)) &&
    close(share(50, 0.05), c(0.0502, 0.0495)) &&
    close(share(50, 0.01), c(0.0101, 0.0098))
})
shown("If parameters were estimated from the sample", {
  own <- stable_gof(quick, R = 39, seed = 1)
  given <- do.call(stable_gof, c(list(sample), as.list(unname(coef(quick)))))
  near(own$statistic, given$statistic) && all(given$p.value[2:3] > 1.3 * own$p.value[2:3])
})
tested("For a fit the p-values come from a parametric",
       "fit-gof: p-values of a fit come from refits of simulated samples")
tested("Samples that cannot be fitted are omitted",
       "fit-gof: after an interrupt the statistics of few samples are computed")
tested("An observation with the weight w counts w times",
       "fit-weights: tests of fit count each observation as often as its weight states")
shown("The statistics compare distribution functions", {
  rows <- as.numeric(vapply(3:5, function(k) cell("bench/gof.md", "| t, df 3 | 1000", k), ""))
  all(rows < 50)
})
shown("`stable_compare()` compares the likelihood", nrow(stable_compare(fit, "t")) == 2)
takes("There are no tests for fits to censored", not = stable_gof(censored))
takes("The empirical distribution function of such", not = stable_gof(stablefit(sample[sample > 0],
    truncation = c(0, Inf), se = FALSE)))
shown("For counts in bins there is Pearson", {
  breaks <- c(-Inf, -1, 0, 1, Inf)
  p <- diff(pstable(breaks, 1.6, 0.3))
  chisq.test(table(cut(sample, breaks)), p = p)$parameter == 3 && near(sum(p), 1)
})
raises("`\"stablecl_error_argument\"`: an argument is missing, unknown, empty or invalid;", stable_gof(sample, 1.6),
       stable_gof(sample, 3, 0),
       stable_gof(quick, speed = 1), stable_gof(sample, 1.6, 0.3, tests = "x"))
raises("`\"stablecl_error_data\"`: the sample is empty or has", stable_gof(numeric(), 1.5, 0),
       stable_gof(c(1, Inf), 1.5, 0),
       stable_gof(overflowing, R = 2, seed = 1))
manual("stable_compare")
takes("object: a fit of one sample by", nrow(compared) == 6, not = c(stable_compare(1:9),
    stable_compare(stablefit(sample, weights = rep(1:2, 150)))))
takes("laws: the distributions to compare with", identical(rownames(stable_compare(fit, c("t", "laplace"))),
    c("stable", "t", "laplace")),
      not = stable_compare(fit, "cauchy"))
takes("correction: the penalty in Vuong", !identical(stable_compare(fit, "t", correction = "bic")$statistic,
    stable_compare(fit, "t", correction = "aic")$statistic),
      not = stable_compare(fit, "t", correction = "HQ"))
takes("main: titles of the two plots, recycled.", plot(compared, main = "tails"))
shown("An object of class `\"stable_comparison\"`:", {
  identical(names(compared), c("logLik", "df", "AIC", "BIC", "statistic", "p.value", "test", "converged")) &&
    rownames(compared)[1] == "stable" &&
    all(c("nobs", "coefficients", "correction") %in% names(attributes(compared))) &&
      all(compared$test %in% c("Vuong", "LR", ""))
})
tested("`plot()` draws, for the left and", "fit-compare: comparisons are printed, subset and plotted")
tested("Fits other distributions to the sample",
       "fit-compare: fits are maxima, and follow changes of location and scale",
       "fit-compare: the test decides where models differ, and does not where they agree")
introduction("The other distributions are")
shown("`\"normal\"`: with mean and standard", near(attr(compared, "coefficients")$normal,
    c(mean(sample), sd(sample) * sqrt(299 / 300))))
shown("`\"t\"`: Student's t", {
  t <- unname(attr(compared, "coefficients")$t)
  near(compared["t", "logLik"], sum(dt((sample - t[1]) / t[2], t[3], log = TRUE) - log(t[2])))
})
shown("`\"skew-t\"`: the skew t", {
  t <- unname(attr(compared, "coefficients")[["skew-t"]])
  z <- (sample - t[1]) / t[2]
  density <- 2 / t[2] * dt(z, t[3]) * pt(t[4] * z * sqrt((t[3] + 1) / (t[3] + z^2)), t[3] + 1)
  near(compared["skew-t", "logLik"], sum(log(density)))
})
tested("`\"nig\"`: the normal inverse",
       "fit-compare: log densities of all laws are those of densities, and integrate to 1")
shown("`\"laplace\"`: with location and scale.", near(attr(compared, "coefficients")$laplace,
    c(median(sample), mean(abs(sample - median(sample)))), 1e-6))
shown("Vuong's test (1989) compares", {
  identical(rownames(compared)[compared$test == "Vuong"], setdiff(rownames(compared), c("stable", "normal")))
})
tested("With d_i the difference of the two log",
       "fit-compare: the table follows from log-likelihoods, and Vuong's statistic from the")
tested("`correction` subtracts from the sum",
       "fit-compare: the table follows from log-likelihoods, and Vuong's statistic from the")
shown("If two fitted models nearly agree", {
  z <- vapply(1:40, function(k) stable_compare(stablefit(seeded(k, rcauchy(300))), "t")["t", "statistic"], 0)
  sd(z) < 0.7 && mean(z) > 0.2                                              # standard normal: 1 and 0
})
# The test of Vuong (1989) for `sample` and the t distribution: the weights by canonical correlations and by the
# eigenvalues of his matrix W, and both p-values.
object("by_hand", {
  t <- unname(attr(compared, "coefficients")$t)
  theta <- unname(coef(fit))
  log_t <- function(t) dt((sample - t[1]) / t[2], t[3], log = TRUE) - log(t[2])
  d <- dstable(sample, theta[1], theta[2], theta[3], theta[4], log = TRUE) - log_t(t)
  f <- stable_score(sample, theta[1], theta[2], theta[3], theta[4])[, 1:4]
  g <- sapply(1:3, function(k) (log_t(t + 1e-5 * (1:3 == k)) - log_t(t - 1e-5 * (1:3 == k))) / 2e-5)
  W <- rbind(cbind(diag(4), crossprod(f, g) %*% solve(crossprod(g))),
             cbind(-crossprod(g, f) %*% solve(crossprod(f)), -diag(3)))
  weights <- c(rep(1 - stats::cancor(f, g, FALSE, FALSE)$cor^2, 2), 1)
  spread <- 300 * mean((d - mean(d))^2)
  multiple <- sum(weights^2) / sum(weights)
  list(weights = sort(weights), squares = sort(Re(eigen(W)$values^2)),
       p.statistic = 2 * pnorm(-abs(sum(d) / sqrt(spread))),
       p.variance = pchisq(spread / multiple, sum(weights)^2 / sum(weights^2), lower.tail = FALSE))
})
shown("Vuong therefore tests first whether", {
  rows <- lapply(1:20, function(k) stable_compare(stablefit(seeded(k, rcauchy(300))), "t")["t", ])
  of_statistic <- vapply(rows, function(row) 2 * pnorm(-abs(row$statistic)), 0)
  p <- vapply(rows, `[[`, 0, "p.value")
  any(p > of_statistic + 1e-3) && all(p > of_statistic - 1e-9)
})
shown("Then n ", near(by_hand$weights, by_hand$squares, 1e-6))
shown("(This assumes that models that agree", {
  # of models that agree, outer products of scores are informations, up to their signs
  x <- seeded(1, rcauchy(20000))
  own <- stable_score(x, 1, 0)[, 1:4]
  hessian <- sapply(1:4, function(k) {
    at <- function(h) {
      v <- c(1, 0, 1, 0) + h * (1:4 == k)
      colSums(stable_score(x, v[1], v[2], v[3], v[4])[, 1:4])
    }
    (at(1e-3) - at(-1e-3)) / 2e-3
  })
  max(abs(-solve(hessian) %*% crossprod(own) - diag(4))) < 0.1
})
shown("The sum is approximated by a multiple", {
  w <- by_hand$weights
  multiple <- sum(w^2) / sum(w)
  df <- sum(w)^2 / sum(w^2)
  near(c(multiple * df, 2 * multiple^2 * df), c(sum(w), 2 * sum(w^2))) &&
    source_has("R/fit-compare.R", "stats::pchisq(spread / scale, sum(weights) / scale, lower.tail = FALSE)")
})
shown("The reported p-value is the larger one", {
  near(compared["t", "p.value"], max(by_hand$p.variance, by_hand$p.statistic), 1e-5)
})
shown("It is `NA` if `alpha` is estimated as 2", is.na(stable_compare(stablefit(seeded(1, rnorm(100))), "t")["t",
  "p.value"]))
tested("The normal distribution is a stable one:",
       "fit-compare: the normal distribution is compared by the test of anova()")
shown("The p-value is `NA` where that test has no", {
  is.na(stable_compare(quick, "normal")["normal", "p.value"]) &&
    is.na(stable_compare(stablefit(sample, fixed = list(delta = 0)), "normal")["normal", "p.value"]) &&
    is.finite(stable_compare(stablefit(sample, fixed = list(beta = 0)), "normal")["normal", "p.value"])
})
raises("`\"stablecl_error_argument\"`: an argument is missing, unknown, empty or invalid, or `object`",
       stable_compare(), stable_compare(1:9),
       stable_compare(fit, "cauchy"), stable_compare(fit, "t", speed = 1),
         stable_compare(stablefit(sample, weights = rep(1:2, 150))))
