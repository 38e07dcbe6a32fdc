# Likelihood-ratio tests between nested stable distributions.

#' Compare fitted stable distributions by their likelihoods
#'
#' Likelihood-ratio tests of nested fits to the same data; for a single fit, tests between the normal,
#' Cauchy, symmetric and general stable distributions fitted to its data.
#'
#' @section One fit:
#' `anova(fit)` fits four models to the data of `fit`, with `gamma` and `delta` held fixed where `fit` holds
#' them fixed: the normal distribution (`alpha = 2`), the Cauchy distribution (`alpha = 1`, `beta = 0`), the
#' symmetric stable distributions (`beta = 0`) and all stable distributions.  The normal and the Cauchy
#' distribution are tested against the symmetric ones, and these against all.
#'
#' @section Several fits:
#' The fits are ordered by their number of free parameters, and each is tested against the next.  They must be
#' maximum-likelihood fits to the same data, and each must hold fixed the parameters that the next one holds
#' fixed, at the same values; anything else is an error of class `"stablecl_error_argument"`.
#'
#' @section The distribution of the statistic:
#' Twice the difference of the log-likelihoods is compared with a chi-squared distribution, whose degrees of freedom
#' are the number of added parameters, if the values at which the smaller model holds parameters fixed lie inside the
#' parameter space.
#'
#' The value `alpha = 2` lies on its boundary.  There the score of `alpha` has infinite variance, because it compares a
#' power tail with a normal one, and the usual theory of a parameter at its bound, an equal mixture of a chi-squared
#' distribution and a point mass at 0, does not hold: for normal samples the statistic is 0 with a larger probability
#' (0.83 to 0.87 against symmetric distributions, for 10 to 3000 observations).
#' The distribution of the statistic does not depend on location and scale, and is tabulated by simulation
#' (`data-raw/normal-null.R`:
#' 5000 samples of each of eight sizes from 10 to 3000).  P-values are interpolated in the logarithm of the sample
#' size; the Monte Carlo error of a p-value of 0.05 is about 6% of it, and a p-value of 1 means that the statistic is 0.
#' Beyond a statistic of 6 p-values are extrapolated by \eqn{\exp(-c/2)}{exp(-c/2)}.
#' For samples larger than the largest in the table the p-values of that size are used.
#' A chi-squared distribution with one degree of freedom would overstate p-values by a factor of about five.
#'
#' For censored, truncated and binned data ([`"stablefit_censored"`][stablefit_censored]) the p-value of `alpha = 2` is
#' `NA`, and there is no bootstrap.
#'
#' If the estimate of the smaller model is `alpha = 2`, a chi-squared p-value is only a rough guide, whichever
#' parameters that model holds fixed.
#'
#' For `beta = -1` and `beta = 1` the score has no finite variance either, and no table is available.  The p-value of
#' such a test is `NA`, as is that of `alpha = 2` with `gamma` or `delta` held fixed; `test = "bootstrap"`
#' computes both.
#'
#' With `test = "bootstrap"`, `R` samples are drawn from the smaller fit and both models are fitted to each; the p-value
#' is \eqn{(1 + k)/(1 + R)}{(1 + k)/(1 + R)} with \eqn{k} the number of samples whose statistic is at least the observed
#' one.
#'
#' @param object an object of class `"stablefit"`, fitted by `method = "mle"`.
#' @param ... further such objects.
#' @param test `"chisq"`, for chi-squared distributions and the table described below, or
#'   `"bootstrap"`.
#' @param R number of bootstrap samples, at least 1.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @return An object of class `"anova"`, a data frame with a row per model: its number of free parameters `npar`,
#'   `AIC`, `logLik`, and, for its test against the larger model named in the heading, the statistic `Chisq`, the
#'   degrees of freedom `Df` and the p-value `Pr(>Chisq)`.
#' @references
#' DuMouchel, W. H. (1973) On the asymptotic normality of the maximum-likelihood estimate when
#' sampling from a stable distribution. *Annals of Statistics* **1**, 948--957 (which excludes `alpha = 2`).
#' \doi{10.1214/aos/1176342516}
#'
#' DuMouchel, W. H. (1983) Estimating the stable index alpha in order to measure tail thickness: a critique. *Annals
#' of Statistics* **11**, 1019--1031.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, not a fit by maximum likelihood, or
#'     the fits are not nested or not of the same data;}
#'   \item{`"stablecl_error_data"`}{none of the bootstrap samples could be fitted;}
#'   \item{`"stablecl_error_interrupted"`}{an interrupt has ended the bootstrap before the first sample was fitted;}
#'   \item{`"stablecl_error_worker"`}{a worker process has failed ([stablecl-workers]).}
#' }
#' A larger model with a lower likelihood gives a warning of class `"stablecl_warning_convergence"`.
#' @seealso [stablefit()], [`coef()`][coef.stablefit], [`confint()`][confint.stablefit], [stable_gof()] for tests of
#'   fit, [stable_compare()] for other distributions.
#' @examples
#' dax <- diff(log(EuStockMarkets[, "DAX"]))
#' fit <- stablefit(dax)
#' anova(fit)
#' anova(update(fit, fixed = list(beta = 0)), fit)
#' @export
anova.stablefit <- function(object, ..., test = c("chisq", "bootstrap"), R = 199, seed = NULL) {
  call <- sys.call()
  check_given()
  check_further_fits(...)
  test <- choice_of(test)
  R <- check_replicates(R, call)
  fits <- list(object, ...)
  check_anova_fits(fits, call)
  if (length(fits) == 1L) {
    fits <- standard_models(object, call)
    against <- c(3L, 3L, 4L, NA)
  } else {
    fits <- fits[order(vapply(fits, `[[`, 0L, "df"))]
    names(fits) <- paste("Model", seq_along(fits))
    for (i in seq_along(fits)[-1L]) check_nested(fits[[i - 1L]], fits[[i]], names(fits)[i - 1:0], call)
    against <- c(seq_along(fits)[-1L], NA)
  }
  for (i in which(!is.na(against))) warn_of_lower_likelihood(fits[[i]], fits[[against[i]]], call)
  p <- function(i) if (is.na(against[i])) NA_real_ else
    ratio_p_value(fits[[i]], fits[[against[i]]], test, R, seed, call)
  anova_table(fits, against, vapply(seq_along(fits), p, 0), test, R)
}

# Raises an error for named arguments that are not fits: anova() has no such arguments.
check_further_fits <- function(...) {
  check_empty(as.list(substitute(list(...)))[-1L], sys.call(-1L))
  dots <- list(...)
  odd <- nzchar(names(dots)) & !vapply(dots, inherits, NA, "stablefit")
  if (any(odd))
    stop_with(sys.call(-1L), "argument", unused_text(dots[odd]),
              suggestion(names(dots)[odd][1L], setdiff(names(formals(sys.function(-1L))), "..."), character()))
}

check_anova_fits <- function(fits, call) {
  for (i in seq_along(fits)) {
    fit <- fits[[i]]
    if (!inherits(fit, "stablefit"))
      stop_with(call, "argument", "Every argument must be a fit by stablefit(); argument ", i, " is of class ",
                sQuote(class(fit)[1L], FALSE), ".")
    if (fit$method != "mle")
      stop_with(call, "argument", "Likelihood-ratio tests require fits by maximum likelihood; fit ", i,
                " uses method \"", fit$method, "\".")
    if (!identical(compared_data(fit), compared_data(fits[[1L]])))
      stop_with(call, "argument", "The fits must be to the same data; the data of fit ", i,
                " differ from those of fit 1.")
  }
}

# Returns what must be the same in fits that are compared: the values or intervals in any order, each value with its
# total weight unless all weights are 1, the bounds of truncation, and the number of values in chunks, of which the fit
# contains only a part.
compared_data <- function(fit) {
  x <- if (inherits(fit, "stablefit_censored")) complex(real = fit$data$left, imaginary = fit$data$right) else fit$data
  w <- fit$weights
  if (is.null(w) || all(w == 1))
    return(list(sort(x), NULL, fit$truncation, if (inherits(fit, "stablefit_chunks")) fit$nobs))
  order <- order(x, w)
  values <- unique(x[order])
  list(values, unname(drop(rowsum(w[order], match(x[order], values)))), fit$truncation)
}

# Returns the parameters that a fit holds fixed; of a regression, alpha and beta if they have no formula.  With alpha
# fixed at 2, beta is not a parameter and counts as fixed.
held_values <- function(fit) {
  held <- if (inherits(fit, "stablefit_lm")) fit$coefficients[intersect(c("alpha", "beta"), fit$fixed)]
    else fit$theta[fit$fixed]
  if (identical(unname(held["alpha"]), 2)) held[["beta"]] <- 0
  held
}

check_nested <- function(small, large, names, call) {
  held <- held_values(large)
  same <- held_values(small)[names(held)]
  at_two <- "alpha" %in% small$fixed && small$theta[["alpha"]] == 2
  if (at_two) same[names(held) == "beta"] <- held[names(held) == "beta"]
  nested <- small$df < large$df && !anyNA(same) && isTRUE(all.equal(unname(same), unname(held), tolerance = 1e-10))
  if (!nested)
    stop_with(call, "argument", names[1L], " is not nested in ", names[2L], ": the smaller model must fix ",
              "all parameters that the larger one fixes, at the same values, and at least one more.")
}

# Returns fits of the normal, the Cauchy, the symmetric and all stable distributions to the data of a fit.
standard_models <- function(object, call) {
  held <- as.list(object$theta[intersect(object$fixed, c("gamma", "delta"))])
  model <- function(...) {
    fixed <- c(held, list(...))
    fixed_names <- names(fixed)
    # reuse the fit itself if it is this model
    same <- setequal(fixed_names, object$fixed) && object$pm == 0 &&
      isTRUE(all.equal(unlist(fixed[fixed_names]), object$theta[fixed_names]))
    if (same) return(object)
    arguments <- refit_arguments(object, call, pm = 0)
    arguments$fixed <- fixed
    data <- list(object$data, weights = object$weights, truncation = object$truncation)
    without_ties(do.call(stablefit, c(data, arguments)))
  }
  list(normal = model(alpha = 2), Cauchy = model(alpha = 1, beta = 0), symmetric = model(beta = 0), stable = model())
}

# Warns if a larger model has a lower log-likelihood, because it is then not at its global maximum.
warn_of_lower_likelihood <- function(small, large, call) {
  gain <- small$loglik - large$loglik
  if (gain > 1e-4)
    warn_with(call, "convergence",
              sprintf("A larger model has a log-likelihood %.3g below that of a smaller one, ", gain),
              "so its fit is not at the global maximum; refit it with `start = coef()` of the smaller model.")
}

likelihood_ratio <- function(small, large) max(0, 2 * (large$loglik - small$loglik))

ratio_p_value <- function(small, large, test, R, seed, call) {
  if (test == "bootstrap") {
    refuse_censored(small, "Bootstrap tests are", call)
    return(bootstrap_ratio_p(small, large, likelihood_ratio(small, large), R, seed, call))
  }
  is_listed <- !inherits(small, "stablefit_censored") && !length(setdiff(small$fixed, c("alpha", "beta")))
  known_p_value(small, large, if (is_listed) null_table(large))
}

# Returns the parameters that only the smaller model holds fixed, by their names.
tested_values <- function(small, large) {
  held <- held_values(small)
  held[setdiff(names(held), names(held_values(large)))]
}

# Returns "alpha" or "beta" if the smaller model has the value 2 of alpha, or -1 or 1 of beta, which the larger one does
# not have: the chi-squared distribution does not apply.  Otherwise NULL.
tested_bound <- function(small, large) {
  held <- tested_values(small, large)
  if (identical(unname(held["alpha"]), 2)) "alpha" else if (identical(unname(abs(held["beta"])), 1)) "beta"
}

# Returns the p-value by a chi-squared distribution, for alpha = 2 by a table (its name, or NULL: none applies); NA
# where neither is available.
known_p_value <- function(small, large, table) {
  ratio <- likelihood_ratio(small, large)
  bound <- tested_bound(small, large)
  if (is.null(bound)) return(stats::pchisq(ratio, large$df - small$df, lower.tail = FALSE))
  if (bound == "alpha" && !is.null(table)) normal_p_value(ratio, small$nobs, table) else NA_real_
}

# Returns the name of the alternative under which the tables for the normal distribution list this model, or NULL.
null_table <- function(fit) {
  held <- held_values(fit)
  if (!length(held)) return("stable")
  if (identical(names(held), "beta") && held[["beta"]] == 0) "symmetric"
}

# Returns the p-value from fits of both models to samples of the smaller one.
bootstrap_ratio_p <- function(small, large, ratio, R, seed, call) {
  arguments <- lapply(list(small, large), refit_arguments, call)
  samples <- as.list(stats::simulate(small, R, seed))
  both <- lapply(arguments, function(arguments) refit_samples(samples, arguments, call))
  drawn <- unlist(Map(function(a, b) if (!is.null(a) && !is.null(b)) likelihood_ratio(a, b), both[[1L]], both[[2L]]))
  check_any_fitted(drawn, R, call, stats::na.omit(vapply(both, attr, "", "reason"))[1L])
  (1 + sum(drawn >= ratio * (1 - 1e-8))) / (1 + length(drawn))
}

anova_table <- function(fits, against, p, test, R) {
  ratio <- df <- rep(NA_real_, length(fits))
  for (i in which(!is.na(against))) {
    ratio[i] <- likelihood_ratio(fits[[i]], fits[[against[i]]])
    df[i] <- fits[[against[i]]]$df - fits[[i]]$df
  }
  table <- data.frame(npar = vapply(fits, `[[`, 0L, "df"), AIC = vapply(fits, stats::AIC, 0),
                      logLik = vapply(fits, `[[`, 0, "loglik"), Chisq = ratio, Df = df,
                      "Pr(>Chisq)" = p, check.names = FALSE, row.names = names(fits))
  how <- if (test == "bootstrap") sprintf("p-values from %d bootstrap samples", R) else
    if (inherits(fits[[1L]], "stablefit_censored")) "p-values from chi-squared distributions; none for alpha = 2" else
      "p-values from chi-squared distributions, for alpha = 2 from simulated normal samples"
  title <- sprintf("Likelihood-ratio tests of stable distributions, %s observations", count_text(fits[[1L]]$nobs))
  structure(table, heading = c(title, sprintf("(%s)\n", how), anova_models(fits, against)),
            class = c("anova", "data.frame"))
}

anova_models <- function(fits, against) {
  describe <- function(fit) {
    if (!length(fit$fixed)) return("all parameters free")
    paste(fit$fixed, "=", format_each(fit$theta[fit$fixed], 4L), collapse = ", ")
  }
  tested <- ifelse(is.na(against), "", paste0(", against ", names(fits)[against]))
  c(paste0(format(names(fits)), "  ", vapply(fits, describe, ""), tested), "")
}

# Returns P(statistic >= ratio) for samples of the normal distribution, by linear interpolation of the logarithms of the
# table in fit-anova-null.R.
#
# A mixture of chi-squared distributions does not apply: at alpha = 2 the score r of 2 - alpha is the ratio of a density
# with power tails to the normal one, less a constant.  Its mean is 0, but P(r > t) ~ C/(t log(t)^2), so that its
# variance is infinite.  The part of the mean that n observations do not reach, int_n^inf P(r > t) dt ~ C/log n, is
# missing from their sum.  The sum is therefore negative, and the maximum is at alpha = 2, with a probability that tends
# to 1 like 1 - C'/log n.  A large ratio is caused by one outlier with r = m n, which contributes about 2 log m:
# P(ratio > c) decreases like exp(-c/2), and somewhat faster because of log(t)^2.
normal_p_value <- function(ratio, n, alternative) {
  grid <- normal_null$statistic
  if (ratio < grid[1L]) return(1)
  last <- grid[length(grid)]
  size <- log(normal_null$size)
  at <- min(max(log(n), size[1L]), size[length(size)])
  j <- min(findInterval(at, size), length(size) - 1L)
  w <- (at - size[j]) / (size[j + 1L] - size[j])
  log_p <- log(normal_null[[alternative]][j + 0:1, ])
  in_table <- stats::approx(grid, (1 - w) * log_p[1L, ] + w * log_p[2L, ], min(ratio, last))$y
  exp(in_table - max(0, ratio - last) / 2)
}
