# The evidence for the manual pages of the methods of fits (tools/check-claims).

# --- arguments of several pages ---
manual("confint.stablefit", "predict.stablefit", "anova.stablefit", "stable_gof", "profile.stablefit")
takes("level: confidence level, one number between 0 and 1.", diff(confint(fit, "alpha", level = 0.5)[1, ]) <
        diff(confint(fit, "alpha", level = 0.9)[1, ]), diff(predict(fit, 0.1, interval = "confidence", level = 0.5)[1,
          2:3]) <
        diff(predict(fit, 0.1, interval = "confidence", level = 0.9)[1, 2:3]),
      not = c(confint(fit, level = 1), confint(fit, level = 0), predict(fit, 0.1, interval = "confidence", level = 95)))
takes("R: number of bootstrap samples, at least 1.", attr(confint(quick, "alpha", method = "bootstrap", R = 9,
    seed = 1),
      "replicates") == 9, nrow(stable_gof(quick, R = 1, seed = 1)) == 3,
        not = c(confint(quick, method = "bootstrap", R = 0),
      stable_gof(quick, R = 0), anova(fit, test = "bootstrap", R = 0)))
manual("predict.stablefit", "anova.stablefit", "stable_gof", "mvspectralfit")
takes("seed: `NULL`, or a number for `set.seed()`; the state of the generator is ", {
  set.seed(5)
  before <- .Random.seed
  stable_gof(quick, R = 3, seed = 1)
  identical(before, .Random.seed)
}, identical(stable_gof(quick, R = 9, seed = 1), stable_gof(quick, R = 9, seed = 1)),
  not = stable_gof(quick, seed = "a"))
manual("confint.stablefit", "predict.stablefit", "anova.stablefit", "stable_gof")
raises("`\"stablecl_error_data\"`: none of the bootstrap samples could be fitted;",
       confint(overflowing, method = "bootstrap", R = 3, seed = 1))
raises("`\"stablecl_error_interrupted\"`: an interrupt has ended the bootstrap before",
       tests = "interrupts: a bootstrap that is interrupted before its first fit ends as interrupted")
manual("stablefit-methods", "stablefits")
takes("row.names, optional: as for", identical(rownames(as.data.frame(fit, row.names = "x")), "x"),
      identical(rownames(as.data.frame(many, row.names = c("x", "y", "z"))), c("x", "y", "z")),
      not = c(as.data.frame(fit, row.names = 1:2), as.data.frame(many, row.names = 1:2 + 0.5)))
manual("predict.stablefit", "predict.stablefits")
takes("probs: vector of probabilities", length(predict(fit, c(0, 0.5, 1))) == 3,
      length(predict(fit, 0.1, type = "es")) == 1, ncol(predict(many, c(0, 0.5, 1))) == 3,
      is_nan_with_warning(predict(fit, c(-0.1, 1.1))), not = c(predict(fit, "a"), predict(many, "a")))
takes("...: passed by `quantile()` to `predict()`.", identical(quantile(fit, 0.1, interval = "confidence"),
      predict(fit, 0.1, interval = "confidence")),
      identical(quantile(many, 0.1, lower.tail = FALSE), predict(many, 0.1, lower.tail = FALSE)),
      not = predict(many, nonsense = 1))
manual("confint.stablefit", "profile.stablefit")
raises("A refit with a higher likelihood than that", confint(too_low, "delta", method = "profile"),
       profile(too_low, "delta", points = 1))

# --- arguments of fits and regressions ---
manual("stablefit", "stable_lm")
takes("se: logical: compute standard errors?", all(is.na(vcov(stablefit(sample, se = FALSE)))), !anyNA(vcov(fit)),
      all(is.na(vcov(stable_lm(dist ~ speed, cars, se = FALSE)))), not = stablefit(sample, se = NA))
takes("The number of observations is then the sum", nobs(stablefit(sample, weights = rep(1:2, 150))) == 450,
      nobs(stable_lm(dist ~ speed, cars, weights = rep(2, 50))) == 100)
takes("Residuals and plots show the observations without", length(residuals(stablefit(sample,
    weights = rep(1:2, 150)))) == 300,
      plot(stablefit(sample, weights = rep(1:2, 150)), "qq"))

# --- stablefit-methods ---
manual("stablefit-methods")
takes("...: arguments of `format()` for `print()`", is.character(format(fit, digits = 3)),
      not = c(print(fit, nonsense = 1), vcov(fit, nonsense = 1), vcov(fit, type = "HAC", nonsense = 1)))
takes("complete: logical: keep rows and columns", dim(vcov(held)) == 4, dim(vcov(held, complete = FALSE)) == 3,
      not = vcov(held, complete = NA))
takes("type: `\"information\"`, or `\"HAC\"`", identical(vcov(fit, type = "information"), vcov(fit)),
      is.matrix(vcov(line, type = "HAC")),
      not = c(vcov(quick, type = "HAC"),
      vcov(fit, type = "OP"), vcov(stablefit(sample, weights = rep(1:2, 150)), type = "HAC")))
takes("fit: an object of class `\"stablefit\"`.", length(extractAIC(fit)) == 2)
takes("scale: not used;", identical(extractAIC(fit, scale = 3), extractAIC(fit)))
takes("k: the penalty for each parameter", near(extractAIC(fit, k = 5)[2], 5 * 4 - 2 * fit$loglik),
      not = extractAIC(fit, k = 1:2))
takes("evaluate: logical: evaluate the new call", is.call(update(fit, pm = 1, evaluate = FALSE)))
takes("na.rm: not used:", identical(median(fit, na.rm = TRUE), median(fit)))
takes("level: confidence level of the Wald intervals", !identical(summary(fit, level = 0.5)$coefficients,
      summary(fit)$coefficients), not = summary(fit, level = 95))
takes("digits: significant digits", prints(fit, "1.55302", digits = 6), format(fit, digits = 22),
      identical(format(fit, digits = 0), format(fit, digits = 1)),
      not = c(print(fit, digits = -1), print(fit, digits = 23)))
shown("`coef()` returns a named vector", {
  normal <- stablefit(sample, fixed = list(alpha = 2))
  identical(names(coef(fit)), c("alpha", "beta", "gamma", "delta")) && is.na(coef(normal)[["beta"]]) &&
    is.matrix(vcov(fit)) && inherits(logLik(fit), "logLik") && nobs(stablefit(c(sample, NA), "quantile")) == 300 &&
    inherits(summary(fit), "summary.stablefit") && is.matrix(summary(fit)$coefficients) &&
      length(extractAIC(fit)) == 2 &&
    all(lengths(list(deviance(fit), sigma(fit), mean(fit), median(fit), df.residual(fit))) == 1) &&
      is.character(format(fit)) && nrow(as.data.frame(fit)) == 1
})
shown("`print()` returns its argument invisibly", {
  shown <- NULL
  utils::capture.output(shown <- withVisible(print(fit)))
  identical(shown$value, fit) && !shown$visible && source_has("tests/testthat/test-fit-methods.R",
      "open no graphics device")
})
tested("Estimates, uncertainty and likelihood of a fit",
       "fit-methods: logLik(), nobs(), AIC() and BIC() are consistent",
       "fit-methods: coefficients have Nolan's names and order")
shown("`AIC()` and `BIC()` work through", {
  near(AIC(fit), 8 - 2 * fit$loglik) && near(BIC(fit), 4 * log(300) - 2 * fit$loglik) &&
    update(fit, method = "quantile")$method == "quantile"
})
tested("`vcov()` is the inverse of the observed information; for",
       "fit-covariance: the covariance for Cauchy data is the inverse",
       "fit-covariance: standard errors of quantile estimates agree with their spread",
       "fit-ecf: standard errors agree with the spread of estimates",
         "fit-grid: with four parameters the grid finds the maximum")
shown("Parameters that are fixed, at a bound or not", {
  normal <- stablefit(sample, fixed = list(alpha = 2))
  all(is.na(vcov(held)["alpha", ])) && !"alpha" %in% rownames(vcov(held, complete = FALSE)) &&
    is.na(vcov(normal)["beta", "beta"])
})
tested("These covariances assume independent observations.",
       "fit-sandwich: standard errors under dependence are larger where observations")
tested("With `type = \"HAC\"` `vcov()` is",
       "fit-sandwich: the covariance under dependence is that of the scores between")
tested("J is the observed information and",
       "fit-sandwich: the covariance under dependence is that of the scores between")
tested("Each score is modelled as the sum of noise",
       "fit-long-run: variances of noise, autoregressions and their sums are those in closed form",
       "fit-long-run: the variance of independent values is kept", code = "R/fit-long-run.R: found$objective + 4 >=")
tested("The parameters of both maximise Whittle's likelihood",
       "fit-long-run: dependence over a few values may have another form than the model",
       code = "R/fit-long-run.R: max(16L, n %/% 8L)")
shown("This estimate contains the sum of many small", {
  set.seed(2)
  slow <- function() as.vector(stats::filter(rnorm(6000, sd = 0.05), 0.99, "recursive"))[-(1:2000)]
  errors <- replicate(9, {
    series <- stablefit(exp(slow()) * rstable(4000, 1.8, 0))
    c(vcov(series, type = "HAC")[3, 3], sandwich::vcovHAC(series)[3, 3]) / vcov(series)[3, 3]
  })
  median(errors[1, ]) > 3 * median(errors[2, ])
})
shown("Autocorrelations over longer times must be", {
  x <- seeded(1, diff(as.vector(stats::filter(rnorm(3000), 0.97, "recursive"))))   # the sum of x does not grow
  near(stablecl:::long_run_covariance(cbind(x)) / 2999, 0.9, 0.4)
})
tested("`summary()` reports reasons to doubt", "fit-summary: summary() reports a search that stopped early",
       "fit-summary: summary() reports a flat direction and its parameters",
         "fit-summary: summary() reports that beta is",
       "fit-summary: summary() reports estimates at bounds and intervals that reach them",
       code = "R/fit-summary.R: flat_correlation <- 0.99")
tested("Its table tests `delta = 0`", "fit-methods: summary() and tidy() test only parameters that can be 0")
shown("`alpha` and `gamma` cannot be 0;", all(is.na(summary(fit)$coefficients[c("alpha", "gamma"), "z value"])) &&
      rownames(anova(fit))[1] == "normal")
shown("The degrees of freedom in `logLik()`", {
  at <- stablefit(seeded(1, rnorm(100)))
  coef(at)[["alpha"]] == 2 && attr(logLik(at), "df") == 4 && attr(logLik(held), "df") == 3
})
shown("`deviance()` is -2 times", {
  near(deviance(fit), -2 * fit$loglik) && df.residual(fit) == 296 && near(extractAIC(fit), c(4, AIC(fit))) &&
    near(extractAIC(fit, k = log(300))[2], BIC(fit))
})
shown("`sigma()` is the scale", near(sigma(stablefit(sample, pm = 2)), coef(stablefit(sample, pm = 2))[["gamma"]]))
shown("`mean()` is the mean of the fitted", {
  mean_of <- function(alpha, beta) mean(stablefit(abs(sample), fixed = list(alpha = alpha, beta = beta, delta = 0)))
  near(mean(fit), coef(stablefit(sample, pm = 1))[["delta"]], 1e-5) && is.nan(mean_of(1, 0)) &&
    is.nan(mean_of(0.8, 0.5)) &&
    mean_of(0.8, 1) == Inf && suppressWarnings(mean_of(1, 1)) == Inf
})
shown("`median()` is its median.", near(median(fit), quantile(fit, 0.5)))
raises("The observations of a regression have no common distribution:", mean(line), median(line))
tested("`update()` repeats the call with other arguments; that of one of many",
       "fit-many-methods: update() of many fits, and of one of them")
raises("`\"stablecl_error_argument\"`: an argument is unknown or empty, or `digits`", print(fit, nonsense = 1),
       summary(fit, level = 3), vcov(fit, complete = "yes"), print(fit, digits = "a"))

# --- confint ---
manual("confint.stablefit")
takes("parm: names or indices", rownames(confint(fit, "beta")) == "beta",
      rownames(confint(fit, 1:2)) == c("alpha", "beta"),
      nrow(confint(fit)) == 4, not = c(confint(fit, "kappa"), confint(fit, 7)))
takes("method: `\"wald\"`, `\"profile\"`, `\"bootstrap\"`, `\"auto\"` for", is.matrix(confint(fit, method = "HAC")),
      is.matrix(confint(fit, method = "wald")),
      is.matrix(confint(fit, "delta", method = "profile")), attr(confint(fit, method = "auto"),
          "method") %in% c("wald", "profile"),
      not = confint(fit, method = "bayes"))
takes("seed: `NULL`, or a number for `set.seed()`; the state of the generator is then restored, and for", {
  set.seed(5)
  before <- .Random.seed
  confint(quick, method = "bootstrap", R = 3, seed = 1)
  confint(fit, "delta", method = "auto")
  identical(before, .Random.seed)
})
takes("type: the kind of bootstrap interval", !identical(confint(quick, method = "bootstrap", R = 19, seed = 1),
      confint(quick, method = "bootstrap", R = 19, seed = 1, type = "basic")),
      identical(confint(quick, method = "bootstrap", R = 19, seed = 1, type = "percentile"),
                confint(quick, method = "bootstrap", R = 19, seed = 1)),
                  not = confint(quick, method = "bootstrap", type = "bca"))
takes("block: `NULL` for independent samples", is.matrix(confint(quick, method = "bootstrap", R = 3, seed = 1,
    block = 10)),
      not = c(confint(quick, method = "bootstrap", block = 0.5), confint(quick, method = "bootstrap", block = 301),
              confint(fit, method = "wald", block = 5)))
takes("simulate: `NULL`, or a function whose argument", is.matrix(confint(quick, method = "bootstrap", R = 3,
    simulate = function(n) rstable(n, 1.5, 0))),
      not = c(confint(quick, method = "bootstrap", simulate = 5), confint(fit, method = "wald", simulate = rnorm),
              confint(quick, method = "bootstrap", simulate = function(n) 1)))
shown("A matrix with a row per parameter and the two ends", {
  ends <- confint(held)
  is.matrix(ends) && identical(dim(ends), c(4L, 2L)) && all(is.na(ends["alpha", ])) &&
    all(is.na(confint(stablefit(sample, se = FALSE), method = "wald")))
})
tested("Arithmetic with such a matrix, rounding and indexing",
       "annotated-numbers: arithmetic, rounding and indexing return plain")
tested("Intervals from standard errors, from the profile", "fit-methods: confint() gives Wald intervals, stays inside",
       "fit-intervals: at the ends of a profile interval the deviance",
         "fit-intervals: bootstrap intervals are quantiles of",
       "fit-auto: method \\\"auto\\\" computes Wald's intervals where")
tested("`method = \"auto\"` computes Wald's",
       "fit-auto: method \\\"auto\\\" computes Wald's intervals where they are reliable")
shown("They are not if the estimate of `alpha`", {
  doubted <- function(fit) length(stablecl:::objections_to_wald(fit)) > 0            # those of confint(method = "auto")
  of_500 <- fit
  of_500$nobs <- 500
  with_gap <- function(name, bound, gap) {                                    # in standard errors
    of_500$vcov[name, name] <- ((bound - of_500$theta[[name]]) / gap)^2
    doubted(of_500)
  }
  with_estimate <- function(...) {
    of_500$theta[names(c(...))] <- c(...)
    of_500$vcov[1:2, 1:2] <- diag(1e-6, 2)
    doubted(of_500)
  }
  without <- of_500
  without$vcov["gamma", ] <- NA
  identical(c(doubted(of_500), doubted(fit), doubted(without)), c(FALSE, TRUE, TRUE)) &&
    with_gap("alpha", 2, 2.99) && !with_gap("alpha", 2, 3.01) && with_gap("beta", 1, 2.99) &&
    !with_gap("beta", 1, 3.01) && with_gap("beta", -1, 2.99) && with_estimate(alpha = 0.49) &&
    !with_estimate(alpha = 0.5) && with_estimate(alpha = 2) && with_estimate(beta = -1)
})
tested("The number of censored, truncated or binned observations",
       "fit-auto: method \\\"auto\\\" counts the information in censored, truncated and binned observations")
tested("In each of these cases it computes profile",
       "fit-auto: method \\\"auto\\\" computes Wald's intervals where they",
       "fit-auto: method \\\"auto\\\" uses the bootstrap")
tested("The attribute `\"method\"` of the result",
       "fit-auto: the method and its reasons are printed with the intervals",
       "fit-auto: method \\\"auto\\\" computes Wald's intervals where they are reliable, and otherwise states why not")
shown("For samples in chunks (`stable_chunks()`)", {
  sampled <- stablefit(chunks(seeded(1, rstable(1.4e5, 1.6, 0.3)), 2e4))
  ends <- confint(sampled, method = "auto")
  inherits(sampled, "stablefit_chunks") && attr(ends, "method") == "wald" &&
    near(ends, confint(sampled, method = "wald"))
})
shown("The profile intervals of `\"auto\"` allow", {
  x <- seeded(3, rstable(600, 1.95, 0))
  near_normal <- stablefit(x)
  ends <- confint(near_normal, "delta", method = "auto")
  deviance <- vapply(ends, function(v)
    2 * (near_normal$loglik - stablefit(x, fixed = list(delta = v), se = FALSE)$loglik), 0)
  attr(ends, "method") == "profile" && near(deviance, 600 * log(1 + qt(0.975, 596)^2 / 596), 1e-5)
})
shown("With `k = 1` this is exact", {
  n <- 12
  t <- qt(0.975, n - 1)
  x <- seeded(1, rnorm(n))
  loglik <- function(m) -n / 2 * log(sum((x - m)^2))          # maximised over the variance
  end <- mean(x) + t * sd(x) / sqrt(n)
  near(2 * (loglik(mean(x)) - loglik(end)), n * log(1 + t^2 / (n - 1)))
})
tested("The deviance up to which the interval extends",
       "fit-auto: the deviance at the ends of an automatic interval is that of samples")
tested("With fewer than 500 observations that are not",
       "fit-auto: the deviance at the ends of an automatic interval is that of samples of the distribution at the ends",
       "fit-auto: method \\\"auto\\\" chooses for regressions as for samples",
       code = "R/fit-calibration.R: calibration_samples <- 20")
tested("This corrects the bias of the estimators",
       "fit-auto: automatic intervals of quantiles in small samples extend further")
shown("Of the intervals of level 95% for samples from twelve", {
  page <- readLines("bench/coverage.md")
  any(grepl("^[|] 50 [|] 95.9 [|]", page)) && any(grepl("^[|] 200 [|] 96.2 [|]", page))
})
shown("The share is larger where `alpha` or", {
  mean_of <- function(rows) as.numeric(cell("bench/coverage.md", paste("| auto |", rows), 7))
  mean_of("near the bound") > mean_of("others") + 1
})
measured("Each interval takes about a second;", seconds(confint(stablefit(sample[1:100]), "delta", method = "auto")), {
  set.seed(3)
  before <- .Random.seed
  confint(stablefit(sample[1:100]), "delta", method = "auto")
  identical(before, .Random.seed)
})
shown("The samples depend on `seed`", {
  small <- stablefit(sample[1:60])
  ends <- function(...) confint(small, "delta", method = "auto", ...)
  identical(ends(), ends()) && !identical(ends(seed = 1), ends(seed = 2))
})
shown("Symmetric intervals for `alpha`, `beta` and `delta`", {
  ends <- confint(fit, method = "wald")
  se <- qnorm(0.975) * sqrt(diag(vcov(fit)))
  near(ends["delta", ], coef(fit)[["delta"]] + c(-1, 1) * se[["delta"]]) &&
    near(ends["gamma", ], coef(fit)[["gamma"]] * exp(c(-1, 1) * se[["gamma"]] / coef(fit)[["gamma"]])) &&
    confint(stablefit(sample[1:40]), level = 0.9999, method = "wald")["alpha", 2] == 2
})
tested("Within about two standard errors of a bound",
       "fit-auto: automatic intervals of quantiles contain the true value where")
tested("With \\ell_p(\\psi) the log-likelihood",
       "fit-intervals: at the ends of a profile interval the deviance is the chi-squared",
       "fit-intervals: profile intervals have their nominal coverage")
shown("Its ends are found from the square root", {
  ends <- confint(fit, method = "profile")
  excess <- vapply(c("alpha", "beta", "gamma", "delta"), function(name) vapply(1:2, function(k) {
    held <- stablefit(sample, fixed = stats::setNames(list(ends[[name, k]]), name), se = FALSE)
    2 * (fit$loglik - held$loglik) - qchisq(0.95, 1)
  }, 0), numeric(2))
  max(abs(excess)) / (2 * qnorm(0.975)) < 1e-6                  # the deviance increases by 2 z in a standard error
})
tested("If the deviance stays below the quantile",
       "fit-intervals: profile intervals approach Wald intervals in large samples",
       "fit-intervals: the profile interval of an estimate at a bound ends at the bound")
tested("A sample that is truncated to the centre", "fit-censored: profiles of truncated samples do not depend on")
tested("If the deviance is below the quantile for a", "fit-censored: profiles of truncated samples do not depend on",
       code = "R/fit-intervals.R: widest_interval <- 100")
dependent_row <- function(n, method) {                        # of the persistent model, which is the first
  page <- readLines("bench/dependence.md")
  row <- grep(sprintf("^[|] %d [|] %s [|]", n, method), page, value = TRUE)[1]
  as.numeric(strsplit(row, " *[|] *")[[1]][c(4, 8)])
}
shown("`method = \"HAC\"` requires a series with many", all(dependent_row(4000, "HAC") > dependent_row(1000, "HAC")))
shown("For the persistent GARCH model of", all(abs(dependent_row(4000, "HAC") - 75) < 4))
shown("The mean of the standard errors is about", {
  words <- grep("^[*] n = 4000: ", readLines("bench/dependence.md"), value = TRUE)[1]
  v <- as.numeric(regmatches(words, gregexpr("0[.][0-9]+", words))[[1]])      # deviation, mean, and of two quarters
  abs(v[2] / v[1] - 1) < 0.1 && v[3] > 2 * v[4]
})
shown("Kernel estimates with automatic bandwidths", {
  of_kernels <- vapply(c("sandwich", "Andrews", "Newey-West"), dependent_row, c(0, 0), n = 4000)
  max(of_kernels) < min(dependent_row(4000, "HAC")) - 25
})
shown("For such series use `method = \"bootstrap\"`", all(dependent_row(4000, "GARCH") > 95))
shown("At such an end the chi-squared distribution", {
  null <- stablecl:::normal_null
  near(null$symmetric[8, null$statistic == 3], 0.0112, 1e-6) && pchisq(3, 1, lower.tail = FALSE) > 5 * 0.0112
})
takes("Profile intervals require a fit with `method", not = confint(quick, method = "profile"))
tested("`delta` in S1, and `gamma` and `delta` in S2",
       "fit-intervals: parameters of S1 and S2 that depend on the shape have")
tested("In S1, unless `beta` is 0, every",
       "fit-intervals: the profile interval of delta in S1 is infinite if alpha may be 1")
tested("`R` samples of the size of the data are drawn",
       "fit-intervals: bootstrap intervals are quantiles of refits to simulated")
tested("`\"percentile\"` intervals are quantiles",
       "fit-intervals: bootstrap intervals are quantiles of refits to simulated")
shown("`\"basic\"` intervals reflect these", {
  one_sided <- stablefit(seeded(2, rstable(60, 1.2, 0.9)), "quantile")
  ends <- function(type) confint(one_sided, method = "bootstrap", R = 39, seed = 1, type = type)
  estimate <- coef(one_sided)
  mirrored <- 2 * estimate - ends("percentile")[, 2:1]
  mirrored["gamma", ] <- estimate[["gamma"]]^2 / ends("percentile")["gamma", 2:1]
  basic <- ends("basic")
  mirrored["beta", 2] > 1 && basic["beta", 2] == 1 &&
    near(basic[-2, ], mirrored[-2, ]) && near(basic["beta", 1], mirrored["beta", 1])
})
shown("Samples that cannot be fitted, and for `beta`", {
  normal <- stablefit(seeded(4, rnorm(60)), fixed = list(alpha = 1.9))
  free <- stablefit(seeded(2, rstable(60, 1.95, 0)))
  used <- attr(confint(free, method = "bootstrap", R = 30, seed = 1), "replicates")
  used[["alpha"]] == 30 && used[["beta"]] < 30
})
shown("With the default of 199 replicates", {
  x <- seeded(1, rnorm(199))
  formals(getS3method("confint", "stablefit", envir = asNamespace("stablecl")))$R == 199 &&
    near(unname(quantile(x, c(0.025, 0.975), type = 6)), sort(x)[c(5, 195)])
})
tested("These samples are independent.", "fit-blocks: blocks of a series with a changing scale give wider intervals")
tested("If the dependence lasts so long",
       "fit-blocks: intervals are the quantiles of the estimates of simulated series")
tested("For a series whose values depend on each",
       "fit-blocks: blocks are runs of consecutive positions with geometric lengths",
       "fit-blocks: intervals are the quantiles of the estimates of blocks of the data")
shown("Blocks must be longer than the dependence", {
  x <- rep(seeded(1, rstable(100, 1.6, 0)), each = 5)         # values that repeat five times
  series <- stablefit(x, "quantile")
  width <- function(block) diff(confint(series, "delta", method = "bootstrap", R = 99, seed = 1, block = block)[1, ])
  width(25) > 1.4 * width(1)
})
takes("The fit must be one of a plain sample", not = c(confint(censored, method = "bootstrap", block = 5),
      confint(stablefit(sample, weights = rep(1:2, 150)), method = "bootstrap", block = 5)))
takes("For a regression by `stable_lm()` `parm`", rownames(confint(line, "speed", method = "wald")) == "speed",
      not = confint(line, "weight"))
tested("With `method = \"bootstrap\"`, the intervals are profile",
       "fit-auto: bootstrap intervals of regressions use the quantile")
tested("An observation is simulated as many times",
       "fit-intervals: bootstrap intervals of a weighted regression are those of repeated observations")
measured("Each replicate takes two searches",
         seconds(confint(line, "speed", method = "bootstrap", R = 9, seed = 1)) / 9)
tested("If an interval is `NA` or has an infinite end", "fit-auto: intervals that do not exist have a reason")
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, or the method does not exist",
       confint(fit, nonsense = 1),
       confint(fit, level = 95), confint(quick, method = "profile"), confint(fit, , , , , , , , , ))

# --- predict, quantile, residuals, simulate ---
manual("predict.stablefit")
takes("se.fit: logical: return", identical(names(predict(fit, 0.1, se.fit = TRUE)), c("fit", "se.fit")),
      is.numeric(predict(fit, 0.1)),
      not = predict(fit, 0.1, se.fit = NA))
takes("type: what to predict:", near(predict(fit, 0.1, type = "var"), predict(fit, 0.1)),
      predict(fit, 0.1, type = "es") < predict(fit, 0.1),
      near(predict(fit, at = 1, type = "density"), do.call(dstable, c(1, as.list(unname(coef(fit)))))),
      near(predict(fit, at = 1, type = "probability"), do.call(pstable, c(1, as.list(unname(coef(fit)))))),
      not = predict(fit, type = "mean"))
takes("For `residuals()` the type", residuals(fit, type = "pit") < 1, not = residuals(fit, type = "raw"))
takes("at: vector of points", length(predict(fit, at = 1:3, type = "density")) == 3,
      length(predict(fit, type = "density")) == 300)
takes("interval: `\"none\"` or `\"confidence\"`.", ncol(predict(fit, 0.1, interval = "confidence")) == 3,
      is.null(dim(predict(fit, 0.1, interval = "none"))), not = predict(fit, interval = "prediction"))
takes("lower.tail: logical: use probabilities of the lower", near(predict(fit, 0.1, lower.tail = FALSE),
    predict(fit, 0.9)),
      not = predict(fit, 0.1, lower.tail = NA))
takes("Ignored for densities.", identical(predict(fit, at = 1, type = "density", lower.tail = FALSE),
    predict(fit, at = 1, type = "density")))
takes("method: how to compute intervals:", all(vapply(c("wald", "profile", "bootstrap", "auto", "HAC"), function(m)
      is.matrix(predict(held, 0.5, interval = "confidence", method = m, R = 3, seed = 1)), NA)),
      not = predict(fit, 0.1, interval = "confidence", method = "delta"))
takes("block: `NULL`, or the mean length of the blocks", is.matrix(predict(quick, 0.1, interval = "confidence",
    method = "bootstrap",
      R = 3, seed = 1, block = 9)), not = predict(quick, 0.1, interval = "confidence", method = "bootstrap", block = 0))
takes("simulate: `NULL`, or a function that simulates", is.matrix(predict(quick, 0.1, interval = "confidence", R = 3,
    method = "bootstrap", simulate = function(n) rstable(n, 1.5, 0))),
      not = predict(quick, 0.1, interval = "confidence", method = "bootstrap", simulate = "rnorm"))
takes("nsim: number of samples, 0 or more", identical(dim(simulate(fit, 2, seed = 1)), c(300L, 2L)),
      ncol(simulate(fit, 0)) == 0,
      not = c(simulate(fit, -1), simulate(fit, 1:2)))
shown("`predict()` and `quantile()`: a vector, named", {
  band <- predict(fit, 0.1, interval = "confidence", se.fit = TRUE)
  !is.null(names(predict(fit, 0.1))) && !is.null(names(predict(fit, 0.1, type = "es"))) &&
    !is.null(names(quantile(fit, 0.1))) &&
    identical(colnames(band$fit), c("fit", "lwr", "upr")) && is.numeric(band$se.fit)
})
tested("Standard errors and Wald intervals are `NA` if",
       "fit-bands: bounds are NA where no standard error is available",
       "fit-auto: intervals that do not exist have a reason")
tested("The attribute `\"reasons\"` of the matrix states why", "fit-auto: intervals that do not exist have a reason")
shown("`residuals()`: a vector like the data", {
  gaps <- residuals(stablefit(ts(c(sample, NA)), "quantile", na.action = na.exclude))
  length(gaps) == 301 && is.na(gaps[301]) && length(residuals(fit)) == 300
})
shown("`simulate()`: a data frame with a column per", {
  drawn <- simulate(fit, 2, seed = 1)
  is.data.frame(drawn) && ncol(drawn) == 2 && !is.null(attr(drawn, "seed"))
})
tested("`predict()` returns quantiles, expected shortfalls",
       "fit-bands: predictions agree with the distribution functions",
       "fit-methods: residuals are normal scores of the fitted",
         "fit-methods: simulate() is reproducible and preserves")
shown("Standard errors follow from the covariance V", {
  t <- coef(fit)
  slope <- function(k) (do.call(qstable, as.list(c(0.1, unname(t + 1e-5 * (1:4 == k))))) -
                          do.call(qstable, as.list(c(0.1, unname(t - 1e-5 * (1:4 == k)))))) / 2e-5
  g <- vapply(1:4, slope, 0)
  se <- predict(fit, 0.1, se.fit = TRUE)
  scores <- stable_score(1, t[1], t[2], t[3], t[4])[, 1:4]
  density <- predict(fit, at = 1, type = "density", se.fit = TRUE)
  near(se$se.fit, sqrt(drop(g %*% vcov(fit) %*% g)), 1e-5) && near(g[3:4], c((se$fit - t[[4]]) / t[[3]], 1), 1e-6) &&
    near(density$se.fit / density$fit, sqrt(drop(scores %*% vcov(fit) %*% scores)), 1e-5)
})
shown("Parameters that are fixed or at a bound count", {
  moved <- stablefit(sample, fixed = list(alpha = 1.6, beta = 0.3, gamma = 1))
  near(predict(moved, c(0.1, 0.9), se.fit = TRUE)$se.fit, rep(sqrt(vcov(moved)[4, 4]), 2), 1e-6)
})
tested("Value at risk (`\"var\"`) is another name for",
       "fit-bands: value at risk is the quantile, and messages point out tails")
shown("At the level of 99% the value at risk", {
  near(predict(fit, 0.01, type = "var"), quantile(fit, 0.01)) &&
    near(predict(fit, 0.01, type = "var", lower.tail = FALSE),
                                                                      quantile(fit, 0.99))
})
shown("A message points out tails with", grepl("0.5|half|lower.tail", message_of(predict(fit, 0.99, type = "var"))))
shown("Quantile residuals are ", {
  t <- as.list(unname(coef(fit)))
  p <- do.call(pstable, c(list(sample), t))
  far <- stablefit(c(sample, 1e200), fixed = as.list(coef(fit)))
  near(residuals(fit), qnorm(p), 1e-7) && near(residuals(fit, type = "pit"), p) && is.finite(residuals(far)[301]) &&
    residuals(far)[301] > 20
})
shown("A stable distribution with `alpha < 2` has no variance", {
  1e16 * pstable(1e8, 1.5, 0, lower.tail = FALSE) > 10 * 1e8 * pstable(1e4, 1.5, 0, lower.tail = FALSE) &&
    is.null(fitted(fit)) &&
    is.nan(mean(stablefit(sample, fixed = list(alpha = 1)))) &&
    inherits(error_in(quote(residuals(fit, type = "pearson")), objects), "stablecl_error_argument")
})
shown("Confidence intervals are pointwise.", {
  near(predict(fit, c(0.1, 0.2), interval = "confidence")[1, ], predict(fit, 0.1, interval = "confidence")[1, ])
})
shown("Those of `method = \"wald\"` are symmetric", {
  middle <- function(link, ...) {
    band <- link(predict(fit, ..., interval = "confidence", method = "wald")[1, ])
    near(band[["fit"]], (band[["lwr"]] + band[["upr"]]) / 2)
  }
  standardised <- function(q) asinh((q - coef(fit)[["delta"]]) / coef(fit)[["gamma"]])
  middle(log, at = 4, type = "density") && middle(qlogis, at = 4, type = "probability") &&
    middle(standardised, 0.01) && middle(standardised, 0.02, type = "es")
})
tested("For small samples, for `alpha` near 2 and",
       "fit-auto: automatic intervals of quantiles contain the true value where the")
tested("`method = \"profile\"` uses the profile likelihood",
       "fit-auto: at the ends of profile intervals of quantities the deviance")
takes("It requires a fit by `\"mle\"`.", not = predict(quick, 0.1, interval = "confidence", method = "profile"))
tested("The expected shortfall is infinite for `alpha <= 1`",
       "fit-auto: the interval of a shortfall is unbounded if alpha may be 1")
tested("If `alpha` is estimated as at most 1, the interval",
       "fit-auto: the interval of a shortfall that is estimated as infinite is bounded on one side")
measured("An interval takes about 50 milliseconds",
         c(seconds(predict(fit, 0.1, interval = "confidence", method = "profile")),
           seconds(predict(fit, 0.1, type = "es", interval = "confidence", method = "profile"))))
tested("`method = \"bootstrap\"` gives quantiles (type 6)",
       "fit-auto: bootstrap intervals of predictions are quantiles of refits")
shown("For an estimate `alpha = 2` the intervals are too short", {
  normal <- stablefit(seeded(1, rnorm(200)))
  refits <- vapply(1:20, function(k) coef(stablefit(simulate(normal, 1, seed = k)[[1]], se = FALSE))[["alpha"]], 0)
  coef(normal)[["alpha"]] == 2 && mean(refits == 2) > 0.5
})
measured("`method = \"auto\"` chooses between these",
         seconds(predict(fit, 0.01, interval = "confidence", method = "auto")), {
  band <- function(fit, ...) predict(fit, 0.5, interval = "confidence", method = "auto", ...)
  identical(attributes(band(fit))[c("method", "because")],
            attributes(confint(fit, "delta", method = "auto"))[c("method", "because")]) &&
    attr(band(quick, R = 9, seed = 1), "method") == "bootstrap" &&
    attr(band(stablefit(seeded(1, rstable(1000, 1.5, 0.2)))), "method") == "wald" &&
    diff(band(fit)[1, 2:3]) != diff(predict(fit, 0.5, interval = "confidence", method = "profile")[1, 2:3])
})
tested("The profile interval of a density or probability",
       "fit-auto: the interval of a probability that is estimated as 0 begins",
       "fit-auto: the interval of a probability that is small only because beta is estimated as 1 begins at 0")
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, such as `type`, `interval`",
       predict(fit, type = "mean"),
       predict(fit, interval = "both"), predict(fit, interval = "confidence", level = 2), simulate(fit, -1),
         predict(fit, speed = 1),
       predict(quick, 0.1, interval = "confidence", method = "profile"))
raises("`\"stablecl_error_data\"`, `\"stablecl_error_interrupted\"`, `\"stablecl_error_worker\"`: the bootstrap",
       tests = c("interrupts: a bootstrap that is interrupted before its first fit",
                 "workers: bootstraps by workers are those of one"))
shown("Probabilities outside 0 to 1 give `NaN`", is_nan_with_warning(predict(fit, c(-1, 2))))

# --- anova ---
manual("anova.stablefit")
takes("...: further such objects.", nrow(anova(held, fit)) == 2, not = anova(fit, quick))
takes("test: `\"chisq\"`, for", is.finite(anova(held, fit, test = "chisq")[["Pr(>Chisq)"]][1]),
      is.finite(anova(held, fit, test = "bootstrap", R = 9, seed = 1)[["Pr(>Chisq)"]][1]),
        not = anova(fit, test = "score"))
shown("An object of class `\"anova\"`, a data frame", {
  table <- anova(held, fit)
  inherits(table, "anova") && is.data.frame(table) && all(c("npar", "AIC", "logLik", "Chisq", "Df",
      "Pr(>Chisq)") %in% names(table)) &&
    nrow(table) == 2
})
tested("Likelihood-ratio tests of nested fits",
       "fit-anova: anova() compares one fit with the normal, Cauchy and symmetric",
       "fit-anova: several fits are sorted and each is tested against the next")
shown("`anova(fit)` fits four models", {
  known <- stablefit(sample, fixed = list(delta = 0.2))
  table <- anova(known)
  best <- function(...) stablefit(sample, fixed = list(delta = 0.2, ...))$loglik
  sd <- sqrt(mean((sample - 0.2)^2))
  identical(rownames(table), c("normal", "Cauchy", "symmetric", "stable")) &&
    near(table$logLik, c(sum(dnorm(sample, 0.2, sd, log = TRUE)), best(alpha = 1, beta = 0), best(beta = 0), best()))
})
shown("The normal and the Cauchy distribution are tested", {
  table <- anova(fit)
  near(table$Chisq[1:3], 2 * (table$logLik[c(3, 3, 4)] - table$logLik[1:3])) && all(table$Df[1:3] == c(1, 1, 1))
})
tested("The fits are ordered by their number", "fit-anova: several fits are sorted and each is tested against the next")
tested("They must be maximum-likelihood fits", "fit-anova: fits that cannot be compared are errors")
shown("Twice the difference of the log-likelihoods", {
  table <- anova(held, fit)
  ratio <- 2 * (fit$loglik - held$loglik)
  near(table$Chisq[1], ratio) && table$Df[1] == 1 && near(table[["Pr(>Chisq)"]][1],
      pchisq(ratio, 1, lower.tail = FALSE))
})
takes("The value `alpha = 2` lies on its boundary.", is.finite(coef(stablefit(sample,
    fixed = list(alpha = 2)))[["gamma"]]),
      not = stablefit(sample, fixed = list(alpha = 2.01)))
shown("There the score of `alpha` has infinite variance", {
  zero <- 1 - stablecl:::normal_null$symmetric[, 1]
  variance <- function(x) {                       # grows without bound with the range
    f <- function(t) dnorm(t, 0, sqrt(2)) * stable_score(t, 2, 0)[, "alpha"]^2
    integrate(f, 0, x, subdivisions = 1000, rel.tol = 1e-6)$value
  }
  identical(sprintf("%.2f", range(zero)), c("0.83", "0.87")) && says(sentence, "%.2f to %.2f", min(zero), max(zero)) &&
    variance(10) > 10 * variance(5) && all(zero > 0.5)
})
shown("The distribution of the statistic does not depend", {
  null <- stablecl:::normal_null
  ratio <- function(x) anova(stablefit(x, fixed = list(alpha = 2)), stablefit(x, fixed = list(beta = 0)))$Chisq[1]
  x <- seeded(3, rnorm(20))
  all(null$draws == 5000) && length(null$size) == 8 && identical(range(null$size), c(10, 3000)) &&
    near(ratio(x), ratio(5 + 100 * x), 1e-6) && file.exists("data-raw/normal-null.R")
})
shown("P-values are interpolated in the logarithm", {
  p <- function(n) log(stablecl:::normal_p_value(2, n, "symmetric"))
  round(sqrt(0.05 * 0.95 / 5000) / 0.05, 2) == 0.06 && near(p(sqrt(10 * 20)), (p(10) + p(20)) / 2) &&
    stablecl:::normal_p_value(0, 30, "symmetric") == 1
})
shown("Beyond a statistic of 6 p-values", {
  p <- function(c) stablecl:::normal_p_value(c, 100, "symmetric")
  near(p(9) / p(7), exp(-1)) && near(p(6), 0.0018, 1e-4)
})
shown("For samples larger than the largest in the table", {
  identical(stablecl:::normal_p_value(2, 1e6, "symmetric"), stablecl:::normal_p_value(2, 3000, "symmetric"))
})
shown("A chi-squared distribution with one degree", {
  null <- stablecl:::normal_null
  at <- null$statistic >= 1 & null$statistic <= 3
  factor <- median(rep(pchisq(null$statistic[at], 1, lower.tail = FALSE), each = 8) / null$symmetric[, at])
  factor > 4 && factor < 7
})
shown("For censored, truncated and binned data", {
  is.na(censored_tests[1, "Pr(>Chisq)"]) && inherits(error_in(quote(anova(censored, test = "bootstrap")), objects),
      "stablecl_error")
})
shown("If the estimate of the smaller model is `alpha = 2`", {
  p <- vapply(1:60, function(k) {
    x <- seeded(k, rnorm(60))
    anova(stablefit(x, fixed = list(beta = 0, delta = 0)), stablefit(x, fixed = list(beta = 0)))[1, "Pr(>Chisq)"]
  }, 0)
  max(abs(mean(p < 0.2) - 0.2), abs(mean(p < 0.5) - 0.5)) < 0.25         # rough, but a guide
})
shown("For `beta = -1` and `beta = 1` the score has no", {
  at <- stablefit(sample, fixed = list(beta = 1))
  squares <- function(x) sum(diff(x) * (dstable(x, 1.5, 1) * stable_score(x, 1.5, 1)[, "beta"]^2)[-1])
  is.na(anova(at, fit)[1, "Pr(>Chisq)"]) && squares(seq(-8, 0, 0.01)) > 10 * squares(seq(-4, 0, 0.01))
})
shown("The p-value of such a test is `NA`", {
  normal <- stablefit(sample, fixed = list(alpha = 2, delta = 0))
  is.na(anova(normal, stablefit(sample, fixed = list(delta = 0)))[1, "Pr(>Chisq)"]) &&
    is.finite(anova(stablefit(sample, fixed = list(beta = 1)), fit, test = "bootstrap", R = 9, seed = 1)[1,
      "Pr(>Chisq)"]) &&
    is.finite(anova(normal, stablefit(sample, fixed = list(delta = 0)), test = "bootstrap", R = 9, seed = 1)[1,
      "Pr(>Chisq)"])
})
tested("With `test = \"bootstrap\"`, `R` samples",
       "fit-anova: the bootstrap draws from the smaller model and is reproducible")
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, not a fit by", anova(fit, fit),
       anova(fit, ), anova(quick),
       anova(fit, R = 0), anova(fit, stablefit(-sample, fixed = list(alpha = 1.6))))
tested("A larger model with a lower likelihood gives",
       "fit-anova: a larger model with a lower likelihood gives a warning and")

# --- profile ---
manual("profile.stablefit")
takes("fitted: a fit of one sample", inherits(profile(fit, "delta", points = 1), "stable_profile"),
      not = c(profile(quick), profile(line, "speed", 0)))
shown("The class is the same for fits", identical(class(profile(line, "speed", points = 1)),
                                                  class(profile(fit, "delta", points = 1))))
shown("It is not the class", !inherits(profile(fit, "delta", points = 1), "profile"))
takes("which: names or indices", identical(as.character(unique(profile(fit, 3, points = 1)$parameter)), "gamma"),
      length(unique(profile(held, points = 1)$parameter)) == 3, not = c(profile(fit, "kappa"), profile(held, "alpha")))
takes("level: confidence level that determines", near(range(profile(fit, "delta", level = 0.5, points = 1)$value),
      confint(fit, "delta", level = 0.5, method = "profile"), 1e-6), not = profile(fit, level = 95))
takes("points: number of values on each side", nrow(profile(fit, "delta", points = 2)) == 5,
      not = profile(fit, points = 0))
takes("...: graphical parameters for `plot()`", plot(profile(fit, "delta", points = 1), col = 2),
      not = c(profile(fit, nonsense = 1),
      plot(profile(fit, "delta", points = 1), nonsense = 1)))
shown("`profile()`: an object of class", {
  p <- profile(fit, c("beta", "delta"), points = 2)
  identical(names(p), c("parameter", "value", "z", "deviance", "logLik")) && near(p$z^2, p$deviance) &&
    all((p$z < -1e-9) == (p$value < rep(coef(fit)[c("beta", "delta")], each = 5) - 1e-9)) &&
      !is.unsorted(p$value[1:5]) &&
    near(p$deviance, 2 * (fit$loglik - p$logLik))
})
takes("parm: names or indices of the parameters of", rownames(confint(profile(fit, 3:4, points = 2), 2)) == "delta",
      nrow(confint(profile(fit, 3:4, points = 2))) == 2, not = confint(profile(fit, "delta", points = 1), "alpha"))
tested("`confint()` of a profile interpolates", "fit-profile: profiles of regressions and their intervals are those of")
shown("Its level must be at most that",
      inherits(error_in(quote(confint(profile(fit, "delta", points = 1), level = 0.999)), objects),
               "stablecl_error_argument"))
shown("An end that the profile does not reach", {
  p <- profile(stablefit(stats::qnorm((1:50 - 0.5) / 50)), "alpha", points = 3)
  confint(p)[[2]] == max(p$value)
})
shown("`confint()`: a matrix with a row for each", is.matrix(confint(profile(fit, "delta", points = 2))))
shown("`autoplot()`: an object of class", inherits(ggplot2::autoplot(profile(fit, "delta", points = 1)), "ggplot"))
shown("`plot()` draws the deviance of each", {
  p <- profile(fit, c("beta", "delta"), points = 2)
  calls <- drawn(plot(p))
  lines <- Filter(function(call) identical(call[[2]], "o"), calls_of("C_plotXY", calls))
  dashed <- calls_of("C_abline", calls)
  near(unlist(lapply(lines, function(call) call[[1]]$y)), p$deviance) &&
    near(unlist(lapply(lines, function(call) call[[1]]$x)), p$value) &&
    all(vapply(dashed, function(call) call[[3]] == qchisq(0.95, 1) && 2 %in% unlist(call[6:8]), NA)) &&
    near(vapply(dashed, function(call) call[[4]], 0), coef(fit)[c("beta", "delta")])
})
tested("The log-likelihood of a fit as a function of one",
       "fit-profile: profiles are those of the intervals, and maxima over the")
shown("Each free parameter is held at values", {
  p <- profile(fit, c("gamma", "delta"), points = 3)
  even <- function(at) near(diff(at)[1:3], mean(diff(at)[1:3])) && near(diff(at)[4:6], mean(diff(at)[4:6]))
  at <- split(p$value, p$parameter)
  ends <- confint(fit, method = "profile", level = 0.99)
  held <- stablefit(sample, fixed = list(gamma = at$gamma[2]), se = FALSE)
  even(at$delta) && even(log(at$gamma)) && near(range(at$delta), ends["delta", ], 1e-6) &&
    near(range(at$gamma), ends["gamma", ], 1e-6) && near(p$logLik[p$parameter == "gamma"][2], held$loglik)
})
shown("An infinite end, which `delta` in S1", {
  near_one <- stablefit(seeded(2, rstable(200, 1.02, 0.4)), pm = 1)
  reach <- range(profile(near_one, "delta", points = 1)$value) - coef(near_one)[["delta"]]
  ends <- confint(near_one, "delta", method = "profile", level = 0.99)
  se <- sqrt(vcov(near_one)[["delta", "delta"]])
  x <- seeded(1, runif(40, -1, 1))
  cut <- suppressWarnings(stablefit(x, truncation = c(-1, 1), fixed = list(alpha = 1.5, beta = 0, delta = 0)))
  last <- max(profile(cut, "gamma", points = 1)$value)
  any(is.infinite(ends)) && near((abs(reach) / se)[is.infinite(ends)], 10) &&
    is.infinite(confint(cut, "gamma", method = "profile", level = 0.99)[2]) &&
    near(log(last / coef(cut)[["gamma"]]), 10 * sqrt(vcov(cut)[["gamma", "gamma"]]) / coef(cut)[["gamma"]])
})
shown("The signed square root of the deviance, `z`, is nearly", {
  p <- profile(stablefit(seeded(1, rstable(5000, 1.5, 0))), "delta", points = 5)
  cor(p$value, p$z) > 0.999
})
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, a parameter in",
       profile(held, "alpha"), profile(fit, points = 0),
       profile(quick), profile(fit, nonsense = 1))

# --- estfun, tidy ---
manual("estfun.stablefit")
takes("x: an object of class `\"stablefit\"`, fitted by", nrow(sandwich::estfun(fit)) == 300,
      nrow(sandwich::estfun(line)) == 50,
      not = c(sandwich::estfun(quick), sandwich::estfun(stablefit(sample, weights = rep(1:2, 150)))))
shown("`estfun()`: a matrix with a row for each", {
  rows <- sandwich::estfun(fit)
  near(unname(rows), unname(stable_score(sample, coef(fit)[1], coef(fit)[2], coef(fit)[3], coef(fit)[4])[, 1:4]),
       1e-6) &&
    ncol(sandwich::estfun(held)) == 3
})
shown("`bread()`: the inverse", near(unname(sandwich::bread(fit)), unname(300 * vcov(fit))))
shown("Methods with which the functions of package sandwich", {
  all(vapply(list(sandwich::vcovHAC(fit), sandwich::NeweyWest(fit), sandwich::vcovCL(fit, rep(1:30, 10))), is.matrix,
             NA))
})
shown("With s_i the score of observation i", {
  outer <- crossprod(sandwich::estfun(fit))
  near(unname(sandwich::sandwich(fit)), unname(vcov(fit) %*% outer %*% vcov(fit))) &&
    max(abs(outer %*% vcov(fit) - diag(4))) < 0.5
})
tested("The marginal distribution must be correct",
       "fit-sandwich: standard errors under dependence are larger where observations repeat")
raises("`\"stablecl_error_argument\"`: an argument is unknown or empty, or the fit is not one",
       sandwich::estfun(quick), sandwich::estfun(fit, 3),
       sandwich::bread(stablefit(sample, se = FALSE)), sandwich::vcovHC(fit))
shown("`vcovHC()` corrects for the hat values", identical(rownames(sandwich::vcovHC(lm(dist ~ speed, cars))),
                                                          c("(Intercept)", "speed")))
raises("A fit by maximum likelihood has none, and `vcovHC()` of it is an error.", sandwich::vcovHC(fit),
       sandwich::vcovHC(line))
shown("`sandwich::sandwich(fit)` is the covariance of type", {
  least_squares <- lm(dist ~ speed, cars)
  near(sandwich::sandwich(least_squares), sandwich::vcovHC(least_squares, type = "HC0"))
})
manual("stablefit-tidy")
takes("conf.int: logical:", "conf.low" %in% names(generics::tidy(fit, conf.int = TRUE)),
      !"conf.low" %in% names(generics::tidy(fit)),
      not = generics::tidy(fit, conf.int = NA))
takes("conf.level: the confidence level.", near(generics::tidy(fit, conf.int = TRUE, conf.level = 0.5)$conf.low,
    confint(fit, level = 0.5)[, 1]),
      not = generics::tidy(fit, conf.int = TRUE, conf.level = 50))
takes("conf.method: the method:", near(generics::tidy(held, TRUE, 0.9, "profile")$conf.low,
    confint(held, level = 0.9, method = "profile")[, 1]),
      not = generics::tidy(fit, TRUE, conf.method = "bayes"))
takes("...: passed by `tidy()` to `confint.stablefit()`.", near(generics::tidy(quick, TRUE, conf.method = "bootstrap",
    R = 9, seed = 1)$conf.low,
      confint(quick, method = "bootstrap", R = 9, seed = 1)[, 1]))
takes("data: `NULL`, or a data frame with", "z" %in% names(generics::augment(fit, data.frame(z = 1:300))),
      not = generics::augment(fit, data.frame(z = 1)))
shown("Data frames.", all(vapply(list(generics::tidy(fit), generics::glance(fit), generics::augment(fit)),
    is.data.frame, NA)))
shown("`tidy()`: a row per parameter", {
  rows <- generics::tidy(fit)
  identical(names(rows), c("term", "estimate", "std.error", "statistic", "p.value")) && nrow(rows) == 4 &&
    all(is.na(rows$p.value[c(1, 3)])) && near(rows$statistic[4], rows$estimate[4] / rows$std.error[4])
})
shown("`glance()`: one row with", {
  row <- generics::glance(fit)
  nrow(row) == 1 && identical(names(row), c("logLik", "AIC", "BIC", "df", "nobs", "method", "pm", "converged"))
})
shown("`augment()`: a row per observation", {
  rows <- generics::augment(fit)
  gaps <- generics::augment(stablefit(c(sample, NA), "quantile", na.action = na.exclude))
  identical(names(rows), c("x", ".density", ".probability", ".resid")) && near(rows$.resid, residuals(fit)) &&
    near(rows$.density, predict(fit, type = "density")) && nrow(gaps) == 301 && is.na(gaps$.resid[301])
})
shown("Methods for the generic functions `tidy()`", {
  all(vapply(c("tidy", "glance", "augment"), function(f) is.function(getExportedValue("generics", f)), NA)) &&
    is.data.frame(generics::tidy(fit))
})
raises("`\"stablecl_error_argument\"`: an argument is unknown or empty, or `conf.int`",
       generics::tidy(fit, conf.int = 3), generics::glance(fit, 3),
       generics::augment(fit, data = 3), generics::tidy(fit, TRUE, 95))

# --- plots ---
manual("plot.stablefit")
takes("which: the plots, a subset", plot(fit, c("density", "tails", "qq", "pp", "quantiles")), plot(fit, 1:2),
      not = c(plot(fit, "pie"), plot(fit, 7)))
takes("normal: logical: add", plot(fit, "density", normal = TRUE), not = plot(fit, normal = NA))
takes("ask: logical: ask before", plot(fit, "pp", ask = FALSE), not = plot(fit, ask = 2))
takes("main: titles, recycled.", plot(fit, 1:2, main = "one"), plot(fit, "pp", main = NULL),
      not = plot(fit, main = sum))
takes("xlab: label of the horizontal axis of the density.", plot(fit, "density", xlab = "loss"))
takes("...: further graphical parameters for `plot.default()`.", plot(fit, "density", cex.main = 2),
      plot(integral, cex.main = 2),
      not = c(plot(fit, nonsense = 1), plot(integral, nonsense = 1)))
manual("plot.stablefit", "plot.gintegral", "profile.stablefit")
shown("`x`, invisibly.", {
  drawn <- withVisible(plot(fit, "pp"))
  integral_drawn <- withVisible(plot(integral))
  identical(drawn$value, fit) && !drawn$visible && identical(integral_drawn$value, integral) && !integral_drawn$visible
})
manual("plot.stablefit")
tested("Up to six plots:", "fit-methods: plot() draws every plot of a fit",
       "fit-plots: every plot is drawn for ordinary and extreme fits")
shown("The histogram covers the central 99%", {
  calls <- drawn(plot(fit, "density"))
  bars <- calls_of("C_rect", calls)[[1]]
  range_of <- function(fit) range(unlist(calls_of("C_rect", drawn(plot(fit, "density")))[[1]][c(1, 3)]))
  stated <- function(fit) {
    q <- unname(predict(fit, c(0.005, 0.25, 0.5, 0.75, 0.995)))
    most <- 8 * (q[4] - q[2])
    inner <- c(max(q[1], q[3] - most, min(fit$data)), min(q[5], q[3] + most, max(fit$data)))
    inner + c(-0.02, 0.02) * diff(inner)                                # with a margin
  }
  heavy <- stablefit(seeded(1, rstable(1000, 0.6, 0.3)), se = FALSE)
  wide <- stablefit(seeded(1, rstable(60, 1.8, 0)), fixed = list(alpha = 1), se = FALSE)
  covered <- range_of(fit)
  inside <- sum(sample >= covered[1] & sample <= covered[2])
  all(vapply(list(fit, heavy, wide), function(fit) near(range_of(fit), stated(fit)), NA)) &&
    near(sum(bars[[4]] * (bars[[3]] - bars[[1]])), inside / 300) &&
    calls_of("C_mtext", calls)[[1]][[1]] == sprintf("%d of 300 outside", 300 - inside)
})
shown("The tail plot shows, right and left", {
  parts <- lapply(calls_of("C_plotXY", drawn(plot(fit, "tails", normal = TRUE)))[-1], function(call) call[[1]])
  median <- predict(fit, 0.5)[[1]]
  tail <- function(x, ...) do.call(pstable, c(list(x), as.list(unname(coef(fit))), ...))
  beyond <- function(part, x) near(part$y, (rank(-x[match(part$x, x)]) - 0.5) / 300)
  right <- sort(sample - median, decreasing = TRUE)[seq_along(parts[[2]]$x)]
  left <- sort(median - sample, decreasing = TRUE)[seq_along(parts[[4]]$x)]
  share <- function(k) (seq_len(k) - 0.5) / 300
  near(parts[[1]]$y, pnorm(parts[[1]]$x, 0, sqrt(mean((sample - mean(sample))^2)), lower.tail = FALSE)) &&
    near(parts[[2]]$x, right) && near(parts[[2]]$y, share(length(right))) && near(parts[[4]]$x, left) &&
    near(parts[[4]]$y, share(length(left))) && near(parts[[3]]$y, tail(median + parts[[3]]$x, lower.tail = FALSE)) &&
    near(parts[[5]]$y, tail(median - parts[[5]]$x))
})
shown("The tails of a stable distribution with `alpha < 2`", {
  slope <- diff(pstable(c(1e8, 1e9), 1.3, 0.2, lower.tail = FALSE, log.p = TRUE)) / log(10)
  near(slope, -1.3, 1e-5)
})
shown("The third plot shows the quantile residuals", {
  calls <- drawn(plot(fit, "qq"))
  points <- calls_of("C_plotXY", calls)[[2]][[1]]
  band <- calls_of("C_polygon", calls)[[1]]
  limit <- function(p) qnorm(qbeta(p, 1:300, 300:1))                    # of order statistics of uniform values
  far <- residuals(stablefit(c(sample, 1e30), fixed = as.list(coef(fit))))
  identical(rownames(stablecl:::fit_plots)[3], "qq") && near(points$y, sort(residuals(fit))) &&
    near(points$x, qnorm(ppoints(300))) && near(band[[2]], c(limit(0.025), rev(limit(0.975)))) && max(far) < 15
})
tested("The fourth is the P-P plot",
       "fit-plots: the P-P plot uses Michael's variance-stabilising transformation and limits")
tested("The fifth plots the observations",
       "fit-plots: the Q-Q plot compares quantiles in units of the scale, with limits about")
tested("The sixth shows joint confidence regions",
       "fit-plots: the likelihood surface is the profile over scale and location",
       code = c("R/fit-plot-likelihood.R: drop <- stats::qchisq(region_levels, 2) / 2",
                "R/fit-plot-likelihood.R: maximise_over_scale(condensed, alpha[i], beta[j], gamma[from], delta[from],"))
tested("A sample of more than 5000 observations", "fit-plots: the weighted subsample of a large sample represents its",
       code = c("R/fit-plot-likelihood.R: condensed_size <- 5000L",
                "R/fit-plot-likelihood.R: condensed_tail <- 500L"))
measured("The plot takes about a second", {
  few <- stablefit(seeded(1, rstable(40, 0.2, 0.3)))
  c(seconds(plot(fit, "likelihood")), seconds(plot(few, "likelihood")) / 40)
})
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, such as `which`, `main`",
       plot(fit, "pie"), plot(fit, main = sum),
       plot(fit, normal = NA))
manual("autoplot.stablefit")
takes("type: the plot: `\"density\"`", all(vapply(c("density", "pp", "quantiles", "tails", "qq", "likelihood"),
    function(t) inherits(ggplot2::autoplot(fit, t), "ggplot"), NA)),
      not = ggplot2::autoplot(fit, "pie"))
tested("The plots of `plot.stablefit()` as objects", "fit-plots: autoplot() makes the same plots with ggplot2")
raises("`\"stablecl_error_argument\"`: `type` is not one", ggplot2::autoplot(fit, "pie"),
       ggplot2::autoplot(fit, nonsense = 1))
manual("autoplot.stablefits")
takes("se: `TRUE` or `FALSE`: whether to draw", ggplot2::autoplot(many, se = FALSE),
      not = ggplot2::autoplot(many, se = NA))
takes("labels: `TRUE` or `FALSE`: whether to write", ggplot2::autoplot(many, labels = TRUE),
      not = ggplot2::autoplot(many, labels = 2))
takes("level: significance level that is marked by a line", ggplot2::autoplot(stable_gof(sample, 1.6, 0.3),
    level = 0.1),
      not = ggplot2::autoplot(stable_gof(sample, 1.6, 0.3), level = 5))
tested("The plots of `plot.stablefits()`, ",
       "fit-plots: autoplot() draws many fits, windows and tests of fit as plot() does")
tested("Many fits are points in the plane",
       "fit-plots: autoplot() draws many fits, windows and tests of fit as plot() does")
tested("Fits of windows are drawn against",
       "fit-plots: autoplot() draws many fits, windows and tests of fit as plot() does")
shown("Tests are drawn by their p-values", {
  built <- ggplot2::ggplot_build(ggplot2::autoplot(stable_gof(sample, 1.6, 0.3)))
  "log-10" %in% built$layout$panel_scales_x[[1]]$trans$name ||
    "log-10" %in% built$layout$panel_scales_x[[1]]$get_transformation()$name
})
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, such as `se`, `labels` or",
       ggplot2::autoplot(many, se = NA),
       ggplot2::autoplot(many, nonsense = 1), ggplot2::autoplot(many, labels = 2))
