# tools/fuzz-inference.R [N] [SEED]: fits random samples in every way, among them samples that are small, tied, of
# extreme scales or nearly normal, and calls the methods of the fits at random.
#
# Every condition must be of a class of the package, apart from the warning of R for probabilities outside 0 to 1; its
# message must not be one of R's own.  Intervals must contain the estimate, be longer for a higher level, and give a
# reason for each end that is not finite; those of a x + b must be those of x, shifted and scaled.  Where all parameters
# are well inside the parameter space and the sample is large, Wald's and the profile intervals must agree.

source("tools/fuzzing.R")

place <- NULL                             # the environment in which calls are evaluated; set by setup()
longest_call <- 20                            # seconds of processor time for one call

one_of <- function(...) sample(list(...), 1L)[[1L]]
chance <- function(p) stats::runif(1L) < p
text_of <- function(v) paste(deparse(v, control = c("digits17", "keepNA", "keepInteger")), collapse = "")

# --- samples ------------------------------------------------------------------------------------

draw_size <- function() one_of(sample(1:9, 1L), 8L, 10L, 20L, 50L, 50L, 100L, 200L, 500L)

draw_law <- function() {
  alpha <- one_of(stats::runif(1L, 1, 2), stats::runif(1L, 0.3, 1), stats::runif(1L, 0.05, 0.3), 2, 1,
                  2 - 10^stats::runif(1L, -6, -1))
  list(alpha = alpha, beta = one_of(0, 1, -1, stats::runif(1L, -1, 1)))
}

draw_scale <- function() if (chance(0.7)) 1 else 10^one_of(-300, -150, -20, -5, 5, 20, 150, 290, 300)

# Returns a sample.  Values are numbers between -1.7e308 and 1.7e308.
draw_sample <- function(n = draw_size()) {
  law <- draw_law()
  x <- stablecl::rstable(n, law$alpha, law$beta)
  if (chance(0.3)) x <- one_of(function() rep(x[1L], n), function() sample(c(0, 1), n, TRUE), function() round(x),
                               function() round(x, 1), function() abs(x), function() -x^2,
                               function() x + 10^sample(3:12, 1L), function() stats::rpois(n, 3),
                               function() c(rep(0, n %/% 3), x[seq_len(n - n %/% 3)]), function() seq_len(n),
                               function() replace(x, 1L, one_of(1e100, -1e200, 1e308)),
                               function() sort(x), function() stats::rexp(n), function() stats::runif(n))()
  pmax(pmin(x * draw_scale(), 1.7e308), -1.7e308)
}

# --- fits ---------------------------------------------------------------------------------------

draw_fixed <- function(x) {
  m <- stats::median(x)
  own <- list(alpha = one_of(2, 1, 1.5, 0.5, 1.99, 0.05), beta = one_of(0, 1, -1, 0.3),
              gamma = one_of(1, stats::IQR(x) / 2, 1e-5, 100), delta = one_of(0, m, m + stats::IQR(x)))
  own <- own[sample(4L, one_of(1L, 1L, 1L, 2L, 3L, 4L))]
  own[is.finite(unlist(own))]
}

fit_arguments <- function(x) {
  method <- one_of("mle", "mle", "mle", "mle", "quantile", "ecf", "logmoment", "mle2d", "grid")
  fixed <- if (chance(0.3)) draw_fixed(x)
  if (any(c("gamma", "delta") %in% names(fixed)) || chance(0.6)) pm <- 0 else pm <- one_of(1, 2)
  c(if (method != "mle") list(method = method), if (length(fixed)) list(fixed = fixed), if (pm) list(pm = pm),
    if (chance(0.05)) list(se = FALSE), if (chance(0.05)) list(control = list(alpha.min = one_of(0.5, 1.1))),
    if (chance(0.03)) list(control = list(maxit = 1)))
}

arguments_text <- function(arguments)
  paste0(vapply(names(arguments), function(name) paste0(", ", name, " = ", text_of(arguments[[name]])), ""),
         collapse = "")

# Returns the values and the text of a call that makes the object `fit`, and its kind.
draw_fit <- function() {
  x <- draw_sample()
  kind <- one_of("plain", "plain", "plain", "plain", "censored", "censored", "truncated", "binned", "weighted", "lm",
                 "lm", "mv", "spectral", "many", "windows", "handle", "chunks")
  values <- list(x = x)
  plain <- fit_arguments(x)
  own <- plain[setdiff(names(plain), "method")]
  text <- switch(kind,
    plain = paste0("stablefit(x", arguments_text(plain), ")"),
    handle = paste0("stablefit(stable_data(x)", arguments_text(plain), ")"),
    weighted = {
      values$w <- sample(0:3, length(x), TRUE) * one_of(1, 0.5, 1e-3, 1e3)
      paste0("stablefit(x, weights = w", arguments_text(own), ")")
    },
    censored = {
      values <- c(values, censored_sides(x))
      paste0("stablefit(data.frame(left = left, right = right)", arguments_text(own), ")")
    },
    truncated = {
      ends <- sort(stats::quantile(x, c(stats::runif(1L, 0, 0.6), stats::runif(1L, 0.7, 1)), names = FALSE))
      if (chance(0.3)) ends[1L] <- -Inf else if (chance(0.3)) ends[2L] <- Inf
      values$x <- x[x > ends[1L] & x < ends[2L]]
      paste0("stablefit(x, truncation = ", text_of(ends), arguments_text(own), ")")
    },
    binned = {
      breaks <- unique(stats::quantile(x, seq(0, 1, length.out = one_of(3L, 5L, 9L, 20L)), names = FALSE))
      values$breaks <- if (chance(0.5)) replace(breaks, c(1L, length(breaks)), c(-Inf, Inf)) else breaks
      values$counts <- as.vector(table(cut(x, breaks, include.lowest = TRUE))) * one_of(1, 1, 10)
      paste0("stablefit(structure(list(breaks = breaks, counts = counts), class = \"histogram\")", arguments_text(own),
             ")")
    },
    lm = {
      values$d <- data.frame(x = stats::rnorm(length(x)), z = stats::runif(length(x)),
                             f = factor(rep_len(c("a", "b"), length(x))))
      values$d$y <- if (chance(0.5)) x else x + 2 * values$d$x
      paste0("stable_lm(y ~ ", one_of("x", "x", "x + f", "1", "0 + x", "x + z"), ", d",
             one_of("", "", "", ", scale = ~ z", ", alpha = ~ f", ", beta = ~ z", ", scale = ~ z, alpha = ~ z",
                    ", fixed = c(alpha = 2, beta = 0)", ", fixed = c(beta = 0)", ", rounding = 0.1",
                    ", weights = rep(2, nrow(d))", ", fixed = c(alpha = 1.5, beta = 0, gamma = 1)"), ")")
    },
    mv = {
      values$m <- matrix(x, ncol = one_of(1L, 2L, 2L, 3L), nrow = max(1L, length(x) %/% 3L))
      paste0("mvstablefit(m", one_of("", "", ", method = \"projection\"", ", fixed = list(alpha = 1.5)"), ")")
    },
    spectral = {
      values$m <- cbind(x, draw_sample(length(x)))
      paste0("mvspectralfit(m, directions = 8", one_of("", ", R = 3, seed = 1"), ")")
    },
    many = {
      values$l <- list(a = x, b = draw_sample(), c = draw_sample())
      paste0("stablefit(l", arguments_text(plain), ")")
    },
    windows = paste0("stablefit(x, width = 10, by = 20", arguments_text(plain), ")"),
    chunks = {
      values$pieces <- split(x, rep_len(1:3, length(x)))
      values$at <- 0
      paste0("stablefit(stable_chunks(function(reset) ",
             "if (reset) at <<- 0 else if (at < length(pieces)) pieces[[at <<- at + 1]]))")
    })
  list(kind = kind, values = values, text = text)
}

censored_sides <- function(x) {
  q <- stats::quantile(x, c(stats::runif(1L, 0, 0.5), stats::runif(1L, 0.5, 1)), names = FALSE)
  switch(sample(4L, 1L), list(left = pmin(x, q[2L]), right = ifelse(x < q[2L], x, Inf)),
         list(left = ifelse(x > q[1L], x, -Inf), right = pmax(x, q[1L])),
         list(left = floor(x), right = floor(x) + 1),
         list(left = ifelse(x < q[1L], -Inf, x), right = ifelse(x < q[1L], q[1L], ifelse(x > q[2L], Inf, x))))
}

# --- methods ------------------------------------------------------------------------------------

parameter <- function() text_of(one_of("alpha", "beta", "gamma", "delta"))
level <- function() one_of("0.95", "0.95", "0.5", "0.999", "1e-6")
probs <- function() one_of("0.01", "c(0, 0.5, 1)", "c(0.001, 0.999)", "1e-10", "0.5", "numeric()", "NA_real_")
points <- function() one_of("c(-1, 0, 1)", "1e300", "c(-Inf, Inf)", "median(x)", "NA_real_", "numeric()")

interval_method <- function() one_of("wald", "profile", "profile", "auto", "HAC", "bootstrap")

common_methods <- function() list(
  "print(fit)", "summary(fit)", "print(summary(fit))", "format(fit)", "coef(fit)", "vcov(fit)", "logLik(fit)",
  "nobs(fit)", "AIC(fit)", "BIC(fit)", "deviance(fit)", "df.residual(fit)", "extractAIC(fit)", "sigma(fit)",
  "mean(fit)", "median(fit)", "as.data.frame(fit)", "plot(fit)", "update(fit, se = FALSE)",
  "generics::tidy(fit, conf.int = TRUE)", "generics::glance(fit)", "generics::augment(fit)",
  "simulate(fit, 2, seed = 1)", "residuals(fit)", "residuals(fit, \"pit\")", "weights(fit)", "formula(fit)",
  "fitted(fit)",
  "vcov(fit, complete = FALSE)", "vcov(fit, type = \"HAC\")", "sandwich::estfun(fit)", "sandwich::bread(fit)",
  "sandwich::sandwich(fit)", "ggplot2::autoplot(fit)")

fit_methods <- function() c(common_methods(), list(
  paste0("confint(fit, ", parameter(), ", level = ", level(), ", method = \"", interval_method(),
         "\", R = 5, seed = 1)"),
  paste0("confint(fit, ", parameter(), ", level = ", level(), ", method = \"profile\")"),
  paste0("confint(fit, method = \"bootstrap\", type = \"basic\", R = 5, seed = 1)"),
  "confint(fit, method = \"bootstrap\", block = 3, R = 3, seed = 1)",
  "confint(fit, method = \"wald\")", "confint(fit, method = \"HAC\")",
  paste0("predict(fit, ", probs(), ", type = \"", one_of("quantile", "var", "es"), "\", interval = \"confidence\", ",
         "level = ", level(), ", method = \"", interval_method(), "\", R = 5, seed = 1, lower.tail = ",
         one_of("TRUE", "FALSE"), ")"),
  paste0("predict(fit, ", probs(), ", type = \"", one_of("quantile", "es"), "\", interval = \"confidence\", ",
         "method = \"profile\")"),
  paste0("predict(fit, at = ", points(), ", type = \"", one_of("density", "probability"),
         "\", interval = \"confidence\", se.fit = TRUE, method = \"", interval_method(), "\", R = 5, seed = 1)"),
  "predict(fit, se.fit = TRUE, interval = \"confidence\")", "quantile(fit)",
  paste0("profile(fit, ", parameter(), ", points = 3)"), paste0("confint(profile(fit, ", parameter(), ", points = 2))"),
  paste0("plot(profile(fit, ", parameter(), ", points = 1))"),
  "anova(fit)", "anova(fit, update(fit, fixed = list(beta = 0)))",
  "anova(fit, update(fit, fixed = list(alpha = 2)), test = \"bootstrap\", R = 3, seed = 1)",
  "stable_gof(fit, R = 3, seed = 1)", "plot(stable_gof(fit, R = 3, seed = 1))",
  paste0("stable_compare(fit, \"", one_of("normal", "t", "nig", "laplace", "skew-t"), "\")"),
  "plot(stable_compare(fit, \"normal\"))", paste0("plot(fit, which = ", sample(6L, 1L), ")")))

lm_methods <- function() c(common_methods(), list(
  paste0("confint(fit, 1, level = ", level(), ", method = \"",
         one_of("profile", "profile", "wald", "bootstrap", "auto"), "\", R = 3, seed = 1)"),
  paste0("confint(fit, length(coef(fit)), method = \"", one_of("profile", "bootstrap"), "\", R = 3, seed = 1)"),
  "confint(fit)", "predict(fit, interval = \"confidence\", se.fit = TRUE)", "predict(fit, d[1, ], type = \"scale\")",
  "predict(fit, d[1:2, ], probs = c(0.01, 0.5), interval = \"confidence\")", "drop1(fit)", "anova(fit)",
  "anova(fit, update(fit, . ~ 1))", "add1(fit, . ~ . + z)", "model.matrix(fit)", "model.frame(fit)",
  "profile(fit, 1, points = 1)", "profile(fit, length(coef(fit)), points = 1)", "residuals(fit, \"quantile\")",
  "emmeans::emmeans(fit, ~ x)", "stable_gof(fit, R = 3)", "stable_compare(fit, \"normal\")"))

mv_methods <- function() list(
  "print(fit)", "summary(fit)", "print(summary(fit))", "coef(fit)", "vcov(fit)", "confint(fit)", "logLik(fit)",
  "nobs(fit)", "AIC(fit)", "predict(fit)", "predict(fit, type = \"distance\")", "predict(fit, type = \"weight\")",
  "simulate(fit, 1, seed = 1)", "rmvstable(3, fit)", "mvstable_projection(c(1, -1), fit)", "dmvstable(m, fit)",
  "plot(fit)")

many_methods <- function() list(
  "print(fit)", "summary(fit)", "print(summary(fit))", "coef(fit)", "nobs(fit)", "sigma(fit)", "mean(fit)",
  "median(fit)", "as.data.frame(fit)", "predict(fit, 0.01, interval = \"confidence\", se.fit = TRUE)",
  "quantile(fit)", "generics::tidy(fit, conf.int = TRUE)", "generics::glance(fit)", "plot(fit)",
  "ggplot2::autoplot(fit)", "fit[[1]]", "confint(fit[[1]])", "confint(fit[[1]], \"alpha\", method = \"profile\")",
  "update(fit[[1]], se = FALSE)", "as.list(fit)")

methods_of <- function(kind)
  switch(kind, lm = lm_methods(), mv = , spectral = mv_methods(), many = , windows = many_methods(), fit_methods())

# --- conditions ---------------------------------------------------------------------------------

internal_texts <- paste(
  "missing value where", "subscript out of bounds", "non-numeric", "argument is of length zero", "infinite or missing",
  "system is", "f\\(\\) values at end points", "NA/NaN", "singular", "not of opposite sign", "incorrect number of",
  "replacement has", "must be finite", "undefined columns", "invalid (first|second|times|type|'type'|argument)",
  "non-conformable", "subscript", "NAs are not", "could not find", "object '.*' not found", "length of 'dimnames'",
  "must have length 1", "the condition has length", "need finite", "leading minor", sep = "|")

known_warnings <- "^NaNs produced$"               # for missing and empty arguments
foreign_errors <- "^no applicable method for|^'x' is a list, but"    # the class has no such method

# Evaluates the text of a call; returns its value, or NULL after an error.
checked_value <- function(text, described) {
  count_call()
  announce(text)
  on_warning <- function(w) {
    known <- grepl(known_warnings, conditionMessage(w))
    known <- known && grepl("NA_real_|numeric\\(\\)", text)
    if (!inherits(w, "stablecl_warning") && !known || grepl(internal_texts, conditionMessage(w)))
      report_condition("warning", w, text, described)
    invokeRestart("muffleWarning")
  }
  on_error <- function(e) {
    late <- grepl("reached elapsed time limit|reached CPU time limit", conditionMessage(e))
    foreign <- grepl(foreign_errors, conditionMessage(e)) || grepl("^(update|weights|formula|emmeans|add1)", text) &&
      !inherits(e, "stablecl_error") && !grepl(internal_texts, conditionMessage(e))
    if (late) finding(paste("takes more than", longest_call, "s:", method_name(text)), c(described, text))
    else if (!foreign && (!inherits(e, "stablecl_error") || grepl(internal_texts, conditionMessage(e))))
      report_condition("error", e, text, described)
    NULL
  }
  setTimeLimit(cpu = longest_call, transient = TRUE)
  on.exit(setTimeLimit(cpu = Inf))
  utils::capture.output(value <- tryCatch(withCallingHandlers(suppressMessages(eval(str2lang(text), place)),
                                                              warning = on_warning), error = on_error))
  value
}

method_name <- function(text) {
  quoted <- regmatches(text, gregexpr("\"[a-z2A-Z]+\"", text))[[1L]]
  paste(c(sub("\\(.*", "", text), quoted), collapse = " ")
}

report_condition <- function(kind, condition, text, described) {
  message <- gsub("[-+0-9.e]*[0-9]", "0", conditionMessage(condition))
  where <- paste(deparse(conditionCall(condition)), collapse = " ")
  finding(paste0(kind, " in ", sub("\\(.*", "", text), ": ", substr(message, 1L, 120L)),
          c(described, text, paste("in", substr(where, 1L, 200L)), conditionMessage(condition)))
}

# --- values -------------------------------------------------------------------------------------

is_intervals <- function(v, text)
  grepl("^confint", text) && is.matrix(v) && ncol(v) == 2L && all(grepl("%", colnames(v)))

is_bootstrap <- function(v, text) grepl("bootstrap", text) || identical(attr(v, "method"), "bootstrap")

check_intervals <- function(ci, fit, text, described) {
  wrong <- function(kind) finding(paste(kind, method_name(text)), c(described, text, utils::capture.output(print(ci))))
  if (any(ci[, 1L] > ci[, 2L], na.rm = TRUE)) wrong("ends are not ordered:")
  if (any(is.nan(ci))) wrong("NaN:")
  reasons <- names(attr(ci, "reasons"))
  odd <- rownames(ci)[!is.finite(rowSums(ci))]
  if (inherits(fit, "stablefit") && length(setdiff(odd, reasons)) && !grepl("profile\\(fit", text))
    wrong("no reason for missing ends:")
  est <- coef(fit)[rownames(ci)]
  beside <- ci[, 1L] > est + 1e-6 * abs(est) | ci[, 2L] < est - 1e-6 * abs(est)
  if (!is_bootstrap(ci, text) && any(beside, na.rm = TRUE)) wrong("the estimate is not in the interval:")
}

check_band <- function(band, text, described) {
  wrong <- function(kind)
    finding(paste(kind, method_name(text)), c(described, text, utils::capture.output(print(band))))
  if (any(band[, 2L] > band[, 3L], na.rm = TRUE)) wrong("ends are not ordered:")
  slack <- 1e-6 * abs(band[, 1L])
  beside <- band[, 2L] > band[, 1L] + slack | band[, 3L] < band[, 1L] - slack
  if (!is_bootstrap(band, text) && any(beside, na.rm = TRUE)) wrong("the value is not in the interval:")
  odd <- sum(!is.finite(rowSums(band)) & !is.na(band[, 1L]))
  if (odd > length(attr(band, "reasons"))) wrong("no reason for missing ends:")
}

check_value <- function(value, fit, text, described) {
  band <- if (is.list(value) && is.matrix(value$fit)) value$fit else value
  if (is_intervals(value, text)) check_intervals(value, fit, text, described)
  else if (startsWith(text, "predict") && is.matrix(band) && identical(colnames(band), c("fit", "lwr", "upr")) &&
           !inherits(fit, c("stablefit_lm", "stablefits"))) check_band(band, text, described)
}

# Calls the method again at a lower level: the interval must be shorter.
check_level_order <- function(value, fit, text, described) {
  if (!is_intervals(value, text) || !grepl("level = 0.95", text) || !grepl("wald|profile|HAC", text)) return()
  shorter <- checked_value(sub("level = 0.95", "level = 0.8", text), described)
  if (is.null(shorter)) return()
  slack <- 1e-5 * (value[, 2L] - value[, 1L])
  if (any(shorter[, 1L] < value[, 1L] - slack | shorter[, 2L] > value[, 2L] + slack, na.rm = TRUE))
    finding(paste("a lower level has a longer interval:", method_name(text)),
            c(described, text, utils::capture.output(print(value), print(shorter))))
}

# Compares intervals of x with those of 8 x + 64 s, with s a power of 2 near the scale.
check_equivariance <- function(described) {
  fit <- place$fit
  plain <- identical(fit$method, "mle") && fit$pm == 0 && !length(fit$fixed)
  if (!plain || fit$nobs < 50 || !all(is.finite(diag(fit$vcov)))) return()
  s <- 2^round(log2(fit$theta[["gamma"]]))
  if (!isTRUE(s > 1e-100 && s < 1e100)) return()
  other <- checked_value(paste0("stablefit(8 * x + ", text_of(64 * s), ")"), described)
  if (is.null(other) || abs(other$loglik - fit$loglik + fit$nobs * log(8)) > 1e-6 * fit$nobs) return()
  for (name in names(coef(fit))) {
    a <- checked_value(paste0("confint(fit, \"", name, "\", method = \"profile\")"), described)
    place$other <- other
    b <- checked_value(paste0("confint(other, \"", name, "\", method = \"profile\")"), described)
    if (is.null(a) || is.null(b)) next
    unit <- sqrt(fit$vcov[name, name])
    expected <- switch(name, gamma = 8 * a, delta = 8 * a + 64 * s, a)
    if (name %in% c("gamma", "delta")) unit <- 8 * unit
    if (any(abs(b - expected) > 1e-3 * unit, na.rm = TRUE))
      finding(paste("intervals are not equivariant:", name), c(described, utils::capture.output(print(a), print(b))))
    wald <- confint(fit, name)
    inside <- fit$theta[["alpha"]] > 1.1 && fit$theta[["alpha"]] < 1.7 && abs(fit$theta[["beta"]]) < 0.5
    if (fit$nobs >= 500 && inside && any(abs(wald - a) > 0.5 * sqrt(fit$vcov[name, name]), na.rm = TRUE))
      finding(paste("Wald's and the profile interval differ:", name),
              c(described, utils::capture.output(print(wald), print(a))))
  }
}

describe <- function(fit) {
  values <- lapply(fit$values, function(v) if (length(unlist(v)) > 60L) NULL else v)
  c(vapply(names(values)[!vapply(values, is.null, NA)], function(name) paste(name, "<-", text_of(values[[name]])), ""),
    paste("fit <-", fit$text))
}

calls_each <- 12L

trial <- function(i) {
  drawn <- draw_fit()
  described <- describe(drawn)
  announce(described)
  place <<- list2env(drawn$values, parent = asNamespace("stablecl"))
  fit <- checked_value(drawn$text, described)
  if (is.null(fit)) return(invisible())
  place$fit <- fit
  all <- methods_of(drawn$kind)
  first <- setdiff(seq_along(all), seq_along(common_methods()))
  chosen <- if (drawn$kind %in% c("plain", "censored", "truncated", "binned", "weighted", "lm", "handle"))
    c(sample(length(all), calls_each / 3), sample(first, calls_each * 2 / 3)) else sample(length(all), calls_each)
  for (text in all[unique(chosen)]) {
    value <- checked_value(text, described)
    check_value(value, fit, text, described)
    check_level_order(value, fit, text, described)
  }
  if (drawn$kind == "plain" && chance(0.15)) check_equivariance(described)
}

setup <- function() {
  suppressPackageStartupMessages(library(stablecl))
  stable_backend("cpu")
  stable_threads(1)
  grDevices::pdf(NULL)
}

fuzz("inference", trial, setup, default = 500, limit = 300)
