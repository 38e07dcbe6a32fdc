# Objects and functions for the evidence of the manual, made when they are first used (tools/check-claims).

local(envir = objects, {
  near <- function(a, b, tolerance = 1e-9) all(abs(a - b) <= tolerance * pmax(1, abs(b)))
  warns <- function(expr, words = "") {
    text <- character()
    value <- withCallingHandlers(expr, warning = function(w) {
      text <<- c(text, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    length(text) > 0L && any(grepl(words, text))
  }
  is_nan_with_warning <- function(expr) warns(value <- expr) && all(is.nan(value))
  message_of <- function(expr) tryCatch(expr, error = conditionMessage, message = conditionMessage)
  # Evaluates an expression after set.seed(), which determines its random numbers.
  seeded <- function(seed, expr) {
    set.seed(seed)
    expr
  }
  # Seconds of processor time, which depend less on other processes than the time that passes.
  seconds <- function(expr) sum(system.time(expr)[1:2])
  prints <- function(x, words, ...) any(grepl(words, utils::capture.output(print(x, ...)), fixed = TRUE))
  names_of <- function(f) names(formals(f))
  # Returns the calls of the graphics device that a plot makes, each as a list of its arguments, and those with a name.
  drawn <- function(code) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    grDevices::dev.control("enable")
    force(code)
    grDevices::recordPlot()[[1L]]
  }
  calls_of <- function(name, calls) {
    arguments <- lapply(calls, function(call) as.list(call[[2L]]))
    lapply(Filter(function(arguments) identical(arguments[[1L]]$name, name), arguments), `[`, -1L)
  }
  # The observation at which successive halves of a sample are shortest (Bickel and Fruehwirth 2006).
  half_sample_mode <- function(x) {
    x <- sort(x)
    while (length(x) > 3) {
      half <- (length(x) + 1) %/% 2
      lengths <- x[half:length(x)] - x[seq_len(length(x) - half + 1)]
      x <- x[which.min(lengths) + seq_len(half) - 1]
    }
    if (length(x) == 3 && x[3] - x[2] < x[2] - x[1]) x[3] else x[1]
  }
  source_has <- function(file, text) any(grepl(text, readLines(file), fixed = TRUE))
})

# Assigns an object that is made when it is first used.
object <- function(name, value) {
  code <- substitute(value)
  eval(bquote(delayedAssign(.(name), .(code), objects, objects)))
}

# A sentence "x: an object of class ...": the methods of its page are methods for these classes.
has_methods_for <- function(sentence) {
  classes <- setdiff(regmatches(sentence, gregexpr("(?<=`\")[^\"]*(?=\"`)", sentence, perl = TRUE))[[1L]], "mle")
  pages <- manual_sentences()$page[manual_sentences()$sentence == sentence]
  lines <- unlist(lapply(pages, readLines))
  all(vapply(classes, function(class) any(grepl(sprintf("(\\\\method[{][^}]*[}][{]|autoplot[.])%s[}(]", class),
      lines)), NA))
}

page("man/*.Rd")
takes("alpha, beta, gamma, delta, pm: one number each", stable_loglik(sample, 1.5, 0.3, 2, 1, 1) < 0,
      near(stable_loglik(sample, 1.5, 0.3, 2, 1, 1), sum(dstable(sample, 1.5, 0.3, 2, 1, 1, log = TRUE))),
      not = c(stable_loglik(sample, c(1, 1.5), 0), stable_loglik(sample, 1.5, 0, 1:2),
              stable_loglik(sample, 1.5, 0, pm = 3)))
raises("`\"stablecl_error_memory\"`: memory is exhausted.", tests = "memory: a failed allocation gives a memory error")
raises("`\"stablecl_error_device\"`, `\"stablecl_error_memory\"`: a device that is selected by name",
       tests = c("device-faults: errors of a device selected by name have a class",
                 "memory: a failed allocation gives a memory error"))
raises("`\"stablecl_error_worker\"`: a worker process has failed",
       tests = "workers: a chunk that kills every worker is an error")
tested("...: not used; any", "unknown-arguments: every registered method rejects an argument that it does not have")
tested("Any other argument is an error",
       "unknown-arguments: every registered method rejects an argument that it does not have")
shown("An object of class `\"ggplot\"`.", inherits(ggplot2::autoplot(fit), "ggplot") &&
        inherits(ggplot2::autoplot(integral), "ggplot") && inherits(ggplot2::autoplot(many), "ggplot"))
shown("x: an object of class", has_methods_for(sentence))
shown("object: an object of class", has_methods_for(sentence))
shown("object, x: an object of class", has_methods_for(sentence))
shown("x, object: an object of class", has_methods_for(sentence))

object("sample", seeded(1, rstable(300, 1.6, 0.3)))
object("fit", stablefit(sample))
object("quick", stablefit(sample, "quantile"))
object("many", stablefit(list(a = sample[1:100], b = -sample[1:80], c = rep(1, 20)), "quantile"))
object("windows", stablefit(sample[1:90], "quantile", width = 50, by = 20))
object("line", stable_lm(dist ~ speed, cars))
object("censored", stablefit(data.frame(left = sort(sample[1:60]), right = c(sort(sample[1:60])[-1], Inf))))
object("integral", gintegrate(sin, 0, 1))
object("integrals", gintegrate(function(x, a) exp(a * x), 0, 1, params = data.frame(a = 1:3)))
object("chunks", function(x = sample, size = 100) {
  at <- 0
  stable_chunks(function(reset) {
    if (reset) at <<- 0 else if (at < length(x)) {
      at <<- at + size
      x[seq(at - size + 1, min(at, length(x)))]
    }
  })
})
object("held", stablefit(sample, fixed = list(alpha = 1.6)))
# A fit whose simulated samples overflow, and one that is not at the maximum.
object("overflowing", {
  huge <- quick
  huge$theta[["gamma"]] <- 1.7e308
  huge
})
object("too_low", {
  low <- fit
  low$coefficients[["gamma"]] <- low$theta[["gamma"]] <- 1.2
  low$loglik <- stable_loglik(sample, low$theta[1], low$theta[2], 1.2, low$theta[4])
  low
})
object("components", gintegrate(function(x) c(x, x^2), 0, 1, n.value = 2))
object("divergent", suppressWarnings(gintegrate(function(x) 1 / x, 0, 1)))
object("area", gintegrate(function(x, y) exp(-x * y), c(0, 0), c(1, 1), method = "cubature"))
object("large", stablefit(chunks(seeded(1, rstable(1.4e5, 1.6, 0.3)), 2e4)))
object("tested_sample", stable_gof(sample, 1.6, 0.3))
object("compared", stable_compare(fit))
object("cloud", seeded(1, rmvstable(150, 1.5, matrix(c(2, 0.5, 0.5, 1), 2))))
object("elliptical", mvstablefit(cloud))
object("fixed_cloud", mvstablefit(cloud, fixed = list(alpha = 1.5)))
object("spectral", mvstable_spectral(1.5, diag(2), 1))
object("skewed", seeded(1, rmvstable(200, spectral)))
object("report", stable_sitrep(timeout = 0))
object("scaled", stable_lm(dist ~ speed, cars, scale = ~ speed))
object("censored_tests", anova(censored))
