# Likelihood-ratio tests between nested stable laws.

#' Compare fitted stable laws by their likelihoods
#'
#' Likelihood-ratio tests of nested fits to the same data; of one fit alone, the normal,
#' Cauchy, symmetric and general stable law for its data.
#'
#' @section One fit:
#' `anova(fit)` fits four models to the data of `fit`, with `gamma` and `delta` held where `fit` holds
#' them: the normal law (`alpha = 2`), the Cauchy law (`alpha = 1`, `beta = 0`), symmetric laws (`beta = 0`)
#' and all stable laws.  The normal and the Cauchy law are tested against the symmetric laws, these against
#' all.
#'
#' @section Several fits:
#' The fits are put in the order of their free parameters, and each is tested against the next.  They must be
#' maximum-likelihood fits of the same data, and each must hold fixed what the next one holds, at the
#' same values; anything else is an error of class `"stablecl_error_argument"`.
#'
#' @section The distribution of the statistic:
#' Twice the difference of the log-likelihoods is compared with a chi-squared distribution, with as many
#' degrees of freedom as parameters were added, if what the smaller model holds fixed lies inside the
#' parameter space.
#'
#' `alpha = 2` does not.  There the score of `alpha` has infinite variance, because a power tail is compared with a
#' normal one, and the usual theory of a parameter at its bound, half a chi-squared distribution and half a mass at 0,
#' does not hold: for normal samples the statistic is 0 with a larger probability (0.83 to 0.87 against symmetric
#' laws, for 10 to 3000 observations), which tends to 1 as slowly as the inverse of the logarithm of their number.
#' The distribution does not depend on location and scale, and is tabulated by simulation (`data-raw/normal-null.R`:
#' 5000 samples of each of eight sizes from 10 to 3000).  P-values are interpolated in the logarithm of the sample
#' size; the
#' Monte Carlo error of a p-value of 0.05 is some 6% of it, and a p-value of 1 stands for a statistic of 0.  Beyond a
#' statistic of 6 they go on as \eqn{\exp(-c/2)}{exp(-c/2)}, which the simulated frequencies follow within their error
#' from 20 observations on (at 10 they are up to three times as large).  For larger samples than the largest of the
#' table that one's p-values are given, which are a little too large.  A chi-squared distribution with one degree of
#' freedom would overstate p-values some five times.
#'
#' Where the estimate of the smaller model is `alpha = 2`, whatever it holds fixed, a chi-squared p-value is a rough
#' guide.
#'
#' For `beta = -1` and `beta = 1` the score has no variance either, and there is no table.  The p-value of such a
#' test is `NA`, as is that of `alpha = 2` with `gamma` or `delta` held fixed; `test = "bootstrap"` computes them.
#'
#' With `test = "bootstrap"`, `R` samples are drawn from the smaller fit and both models fitted to each; the p-value is
#' \eqn{(1 + k)/(1 + R)}{(1 + k)/(1 + R)} with \eqn{k} the number of samples whose statistic is at least the observed
#' one.
#'
#' @section Errors:
#'   What is not as described is refused with an error of class `"stablecl_error_argument"`, as are fits that are not
#'   nested or not of the same data.
#' @param object an object of class `"stablefit"`, by `method = "mle"`.
#' @param ... further such objects.
#' @param test `"chisq"`, for chi-squared distributions and the table described above, or
#'   `"bootstrap"`.
#' @param R number of bootstrap samples, at least 1.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is then restored.
#' @return An object of class `"anova"`, a data frame with a row per model: its number of free parameters `npar`,
#'   `AIC`, `logLik`, and of its test against the larger model that the heading names the statistic `Chisq`, its
#'   degrees of freedom `Df` and the p-value `Pr(>Chisq)`.
#' @references
#' DuMouchel, W. H. (1973) On the asymptotic normality of the maximum-likelihood estimate when
#' sampling from a stable distribution. *Annals of Statistics* **1**, 948--957 (which leaves `alpha = 2` out).
#' \doi{10.1214/aos/1176342516}
#'
#' DuMouchel, W. H. (1983) Estimating the stable index alpha in order to measure tail thickness: a critique. *Annals
#' of Statistics* **11**, 1019--1031.
#' @seealso [stablefit()], [confint.stablefit()], [stable_gof()]
#' @examples
#' dax <- diff(log(EuStockMarkets[, "DAX"]))
#' fit <- stablefit(dax)
#' anova(fit)
#' anova(update(fit, fixed = list(beta = 0)), fit)
#' @importFrom stats anova
#' @export
anova.stablefit <- function(object, ..., test = c("chisq", "bootstrap"), R = 199, seed = NULL) {
  call <- sys.call()
  envir <- parent.frame()
  check_further_fits(...)
  test <- choice_of(test)
  R <- check_replicates(R, call)
  fits <- list(object, ...)
  check_anova_fits(fits, call)
  if (length(fits) == 1L) {
    fits <- standard_models(object, envir)
    against <- c(3L, 3L, 4L, NA)
  } else {
    fits <- fits[order(vapply(fits, `[[`, 0L, "df"))]
    names(fits) <- paste("Model", seq_along(fits))
    for (i in seq_along(fits)[-1L]) check_nested(fits[[i - 1L]], fits[[i]], names(fits)[i - 1:0], call)
    against <- c(seq_along(fits)[-1L], NA)
  }
  for (i in which(!is.na(against))) warn_of_lower(fits[[i]], fits[[against[i]]], call)
  p <- function(i) if (is.na(against[i])) NA_real_ else
    ratio_p_value(fits[[i]], fits[[against[i]]], test, R, seed, envir)
  anova_table(fits, against, vapply(seq_along(fits), p, 0), test, R)
}

# A named argument that is no fit is one that anova() does not have.
check_further_fits <- function(...) {
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
      stop_with(call, "argument", "Every argument must be a fit by stablefit(); number ", i, " is of class ",
                sQuote(class(fit)[1L], FALSE), ".")
    if (fit$method != "mle")
      stop_with(call, "argument", "Likelihood ratios need fits by maximum likelihood; number ", i,
                " is by method \"", fit$method, "\".")
    if (!identical(sort(fit$data), sort(fits[[1L]]$data)))
      stop_with(call, "argument", "The fits must be of the same data; number ", i, " is not of the first one's.")
  }
}

# What a fit holds: with alpha at 2, beta is no parameter.
held_values <- function(fit) {
  held <- fit$theta[fit$fixed]
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
    stop_with(call, "argument", names[1L], " is not nested in ", names[2L], ": the smaller model must hold fixed ",
              "what the larger one holds, at the same values, and more.")
}

standard_models <- function(object, envir) {
  held <- as.list(object$theta[intersect(object$fixed, c("gamma", "delta"))])
  model <- function(...) {
    fixed <- c(held, list(...))
    fixed_names <- names(fixed)
    # the fit itself, if it is this very model
    same <- setequal(fixed_names, object$fixed) && object$pm == 0 &&
      isTRUE(all.equal(unlist(fixed[fixed_names]), object$theta[fixed_names]))
    if (same) return(object)
    arguments <- refit_arguments(object, envir, pm = 0)
    arguments$fixed <- fixed
    without_ties(do.call(stablefit, c(list(object$data), arguments)))
  }
  list(normal = model(alpha = 2), Cauchy = model(alpha = 1, beta = 0), symmetric = model(beta = 0), stable = model())
}

# A larger model with a lower likelihood is not at its highest maximum.
warn_of_lower <- function(small, large, call) {
  gain <- small$loglik - large$loglik
  if (gain > 1e-4)
    tell(call, "convergence", sprintf("A larger model has a log-likelihood %.3g below that of a smaller one: ", gain),
         "its fit is not at the highest maximum; refit it with `start = coef()` of the smaller one.")
}

likelihood_ratio <- function(small, large) max(0, 2 * (large$loglik - small$loglik))

ratio_p_value <- function(small, large, test, R, seed, envir) {
  ratio <- likelihood_ratio(small, large)
  if (test == "bootstrap") return(bootstrap_ratio_p(small, large, ratio, R, seed, envir))
  held <- held_values(small)
  held <- held[setdiff(names(held), names(held_values(large)))]
  if (identical(unname(held["alpha"]), 2)) {
    table <- if (!length(setdiff(small$fixed, c("alpha", "beta")))) null_table(large)
    return(if (is.null(table)) NA_real_ else normal_p_value(ratio, small$nobs, table))
  }
  if ("beta" %in% names(held) && abs(held[["beta"]]) == 1) return(NA_real_)
  stats::pchisq(ratio, large$df - small$df, lower.tail = FALSE)
}

# The alternative by which the tables of the normal law know this model, if they do.
null_table <- function(fit) {
  if (!length(fit$fixed)) return("stable")
  if (identical(fit$fixed, "beta") && fit$theta[["beta"]] == 0) "symmetric"
}

# Both models fitted to samples of the smaller one.
bootstrap_ratio_p <- function(small, large, ratio, R, seed, envir) {
  samples <- as.list(stats::simulate(small, R, seed))
  refit <- function(fit) do.call(refit_samples, c(list(samples), refit_arguments(fit, envir)))
  both <- lapply(list(small, large), refit)
  drawn <- unlist(Map(function(a, b) if (!is.null(a) && !is.null(b)) likelihood_ratio(a, b), both[[1L]], both[[2L]]))
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
    "chi-squared; alpha = 2 by the simulated distribution for normal samples"
  structure(table, heading = c(sprintf("Likelihood-ratio tests of stable laws, %d observations", fits[[1L]]$nobs),
                               sprintf("(%s)\n", how), anova_models(fits, against)),
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

# P(statistic >= ratio) for samples of the normal law, from the table in fit-anova-null.R by linear interpolation of the
# logarithm.
#
# Why not a mixture of chi-squared distributions: at alpha = 2 the score r of 2 - alpha is the ratio of a density with
# power tails to the normal one, less a constant.  Its mean is 0, but P(r > t) ~ C/(t log(t)^2): no variance.  The
# part of the mean that n observations do not reach, int_n^inf P(r > t) dt ~ C/log n, is missing in their sum, which
# is therefore negative, and the maximum at alpha = 2, with a probability that tends to 1 like 1 - C'/log n.  A large
# ratio is the work of one outlier with r = m n, which brings about 2 log m: P(ratio > c) falls like exp(-c/2), and
# somewhat faster because of log(t)^2.
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
