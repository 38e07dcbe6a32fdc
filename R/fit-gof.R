# Goodness-of-fit tests based on the empirical distribution function.

#' Goodness of fit of a stable distribution
#'
#' The Kolmogorov-Smirnov, Anderson-Darling and Cramer-von Mises tests of whether a sample comes from a given stable
#' distribution, or from the family of stable distributions that was fitted to it.
#'
#' @section Statistics:
#' With \eqn{x_{(1)}\le\dots\le x_{(n)}}{x(1) <= ... <= x(n)} and \eqn{F}{F} the distribution function,
#' \deqn{D = \max_i \max\left(\frac{i}{n} - F(x_{(i)}),\; F(x_{(i)}) - \frac{i-1}{n}\right),}{
#'   D = max over i of max(i/n - F(x(i)), F(x(i)) - (i-1)/n),}
#' \deqn{A^2 = -n - \frac1n\sum_i (2i-1)\left(\log F(x_{(i)}) + \log(1 - F(x_{(n+1-i)}))\right),}{
#'   A^2 = -n - 1/n sum (2i-1) (log F(x(i)) + log(1 - F(x(n+1-i)))),}
#' \deqn{W^2 = \frac{1}{12n} + \sum_i \left(F(x_{(i)}) - \frac{2i-1}{2n}\right)^2.}{
#'   W^2 = 1/(12 n) + sum (F(x(i)) - (2i-1)/(2n))^2.}
#' \eqn{A^2}{A^2} gives the tails the most weight; its two logarithms are computed from the lower and the upper tail,
#' so that it keeps full relative accuracy however far out the sample reaches.
#'
#' @section A given distribution:
#' For a sample and parameters that were not estimated from it, \eqn{D} has the distribution used by [ks.test()],
#' exact for fewer than 100 observations without ties.  \eqn{A^2}{A^2} and \eqn{W^2}{W^2} are compared with their
#' limiting distributions (Anderson and Darling 1952), computed by Smirnov's formula to full accuracy.  In 400000
#' samples of 10 observations, limiting p-values below 0.05 had frequency 0.0514 for \eqn{A^2}{A^2} and 0.0478 for
#' \eqn{W^2}{W^2}, and below 0.01 frequency 0.0104 and 0.0084; with 50 observations 0.0502 and 0.0495, 0.0101 and
#' 0.0098.
#'
#' @section A fitted distribution:
#' If parameters were estimated from the sample these distributions do not hold: the statistics are much smaller, and
#' p-values from these distributions far too large.  For a fit the p-values come from a parametric bootstrap: `R`
#' samples of the fitted distribution are fitted in the same way, with the same parameters held fixed, and compared
#' with their own fits (Stute, Gonzalez Manteiga and Presedo Quindimil 1993); if \eqn{k} of their statistics are at
#' least as large as that of the data, \eqn{p = (1 + k)/(1 + R)}.  Samples that cannot be fitted are omitted, as are
#' those that were not fitted before an interrupt.  An observation with the weight \eqn{w} counts \eqn{w} times.
#'
#' @section Power of the tests:
#' The statistics compare distribution functions, and are much more sensitive to the centre of a sample than to its
#' tails: with 1000 observations they seldom reject a t distribution with 3 degrees of freedom, whose density is close
#' to a stable one except far out.  [stable_compare()] compares the likelihood with that of such distributions.
#'
#' @section Censored samples:
#' There are no tests for fits to censored, truncated or binned data.  The empirical distribution function of such
#' samples is not known, and p-values would require samples with the same censoring, whose mechanism the data do not
#' determine.  For counts in bins there is Pearson's statistic, [chisq.test()], with the probabilities
#' `diff(pstable(breaks, ...))`; its degrees of freedom decrease by one for each estimated parameter.
#'
#' @param x a fit of class `"stablefit"`, or a sample.
#' @param alpha,beta,gamma,delta,pm one number each: the parameters of the distribution, see [dstable()].
#' @param tests a subset of `"ks"`, `"ad"` and `"cvm"`.
#' @param R number of bootstrap samples, at least 1.
#' @param seed `NULL`, or a number for [set.seed()]; the state of the generator is restored afterwards.
#' @param ... `plot()`: further graphical parameters for [plot.default()]; `print()`: arguments of [print()].  Any other
#'   argument is an error.
#' @return An object of class `"stable_gof"`: a data frame with a row for each test and the columns `statistic` and
#'   `p.value`, and the attributes `nobs`, `law` (the parameters, S0 for a fit), `how` (a sentence on the p-values)
#'   and, for a fit, `replicates`, the number of bootstrap samples used.  Missing values are removed from a sample.
#' @references
#' Anderson, T. W. and Darling, D. A. (1952) Asymptotic theory of certain "goodness of fit" criteria based on
#' stochastic processes. *Annals of Mathematical Statistics* **23**, 193--212. \doi{10.1214/aoms/1177729437}
#'
#' Stute, W., Gonzalez Manteiga, W. and Presedo Quindimil, M. (1993) Bootstrap based goodness-of-fit-tests.
#' *Metrika* **40**, 243--256. \doi{10.1007/BF02613687}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, unknown, empty or invalid;}
#'   \item{`"stablecl_error_data"`}{the sample is empty or has infinite values, or none of the bootstrap samples could
#'     be fitted;}
#'   \item{`"stablecl_error_interrupted"`}{an interrupt has ended the bootstrap before the first sample was fitted;}
#'   \item{`"stablecl_error_worker"`}{a worker process has failed ([stablecl-workers]).}
#' }
#' @seealso [stablefit()], [`plot()`][plot.stablefit] for plots of the fit, [`anova()`][anova.stablefit] for tests
#'   within the stable family, [stable_compare()] for a comparison with other distributions,
#'   [`autoplot()`][autoplot.stablefits] for plots of tests with package ggplot2.
#' @examples
#' set.seed(1)
#' x <- rstable(200, 1.5, 0.5)
#' stable_gof(x, 1.5, 0.5)
#' stable_gof(stablefit(x), R = 19, seed = 1)
#'
#' # an exponential sample does not come from a stable distribution
#' stable_gof(stablefit(rexp(200)), R = 19, seed = 1)
#' @export
stable_gof <- function(x, ...) {
  check_given()
  UseMethod("stable_gof")
}

#' @rdname stable_gof
#' @export
stable_gof.default <- function(x, alpha, beta, gamma = 1, delta = 0, pm = 0, tests = c("ks", "ad", "cvm"), ...) {
  check_given()
  call <- sys.call()
  check_dots(...)
  tests <- unique(choice_of(tests, several = TRUE))
  pm <- check_parametrisation(pm, call = call)
  law <- list(alpha = alpha, beta = beta, gamma = gamma, delta = delta)
  for (name in names(law)) check_fit_value(law[[name]], name, NULL, call)
  law <- vapply(law, as.double, 0)                            # names of the elements are irrelevant
  x <- gof_sample(x, call)
  statistic <- gof_statistics(x, law, pm)[tests]
  if (anyNA(statistic))
    stop_with(call, "argument", "The distribution function cannot be computed for ",
              paste(names(law), "=", format_each(law, 15L), collapse = ", "), sprintf(" (S%d).", pm))
  n <- length(x)
  p <- vapply(tests, function(test) switch(test,
    ks = ks_p_value(x, law, pm),
    ad = gof_tail(statistic[["ad"]], ad_law),
    cvm = gof_tail(statistic[["cvm"]], cvm_law)), 0)
  how <- paste0("given parameters", if (pm) sprintf(" (S%d)", pm))
  new_gof(statistic, p, n, law, how)
}

#' @rdname stable_gof
#' @export
stable_gof.stablefit <- function(x, tests = c("ks", "ad", "cvm"), R = 199, seed = NULL, ...) {
  call <- sys.call()
  check_dots(...)
  refuse_censored(x, "Tests based on the empirical distribution function are", call)
  tests <- unique(choice_of(tests, several = TRUE))
  fits <- bootstrap_fits(x, check_replicates(R, call), seed, call)
  of_fit <- function(fit) gof_statistics(fit$data, fit$theta, 0, fit$weights)[tests]
  statistic <- of_fit(x)
  drawn <- apply_within_time(fits, of_fit, if (attr(fits, "interrupted")) gof_time_limit else Inf)
  R <- length(drawn)
  p <- (1 + rowSums(matrix(unlist(drawn), length(tests)) >= statistic)) / (1 + R)
  how <- sprintf("parameters estimated; p-values from %d bootstrap samples", R)
  structure(new_gof(statistic, p, x$nobs, x$theta, how), replicates = R)
}

#' @export
stable_gof.stablefits <- function(x, ...) {
  check_given()
  check_dots(..., allowed = c("tests", "R", "seed"))
  stop_with(sys.call(), "argument", "`x` must be one sample or its fit, not ", length(x),
            " fits: select one by `[[`, as in stable_gof(fits[[1]]).")
}

#' @export
stable_gof.mvstablefit <- function(x, ...) {
  check_given()
  check_dots(..., allowed = c("tests", "R", "seed"))
  stop_with(sys.call(), "argument", "`x` must be a sample in one dimension or a fit by stablefit(); for a fit in ",
            "several dimensions test a projection, with the parameters of mvstable_projection().")
}

gof_time_limit <- 0.1                   # seconds for the statistics of the samples that were fitted before an interrupt

# Returns f() of the elements of a list: of the first one and of those that are begun within `seconds`.
apply_within_time <- function(list, f, seconds) {
  begun <- proc.time()[["elapsed"]]
  done <- vector("list", length(list))
  for (i in seq_along(list)) {
    if (i > 1L && proc.time()[["elapsed"]] - begun > seconds) return(done[seq_len(i - 1L)])
    done[[i]] <- f(list[[i]])
  }
  done
}

new_gof <- function(statistic, p, n, law, how) {
  structure(data.frame(statistic = unname(statistic), p.value = unname(p), row.names = names(statistic)),
            nobs = n, law = law, how = how, class = c("stable_gof", "data.frame"))
}

#' @rdname stable_gof
#' @param level significance level that is marked in the plot, one number between 0 and 1.
#' @param xlim,xlab,col limits and label of the horizontal axis, and colour of the points.
#' @return `plot()` shows the p-values on a logarithmic axis with a line at `level`, and returns `x`, invisibly.
#' @export
plot.stable_gof <- function(x, level = 0.05, xlim = NULL, xlab = "p-value", col = plot_colours[["stable"]], ...) {
  check_dots(..., allowed = setdiff(plot_arguments, "panel.first"))
  check_axis_limits(xlim, call = sys.call())
  level <- check_level(level, sys.call())
  check_columns(x, "p.value", sys.call())
  if (is.null(xlim)) xlim <- c(min(x$p.value, level, 0.01) / 1.5, 1)
  old <- graphics::par(mar = pmax(graphics::par("mar"), c(0, 11, 0, 0)))
  on.exit(graphics::par(old))
  p <- pmax(x$p.value, least_p_value)
  at <- rev(seq_along(p))
  framed_plot(list(xlim = pmax(xlim, least_p_value), ylim = c(0.5, length(p) + 0.5), x = p, y = at, log = "x",
                   xlab = xlab, yaxt = "n", pch = 19, col = col),
              ..., panel.first = graphics::abline(v = level, lty = 2, col = plot_colours[["goal"]]))
  graphics::axis(2L, at, gof_titles[rownames(x)], las = 1, tick = FALSE, cex.axis = 0.8)
  invisible(x)
}

least_p_value <- 1e-17                  # p-values of 0 are drawn at the end of the axis

gof_titles <- c(ks = "Kolmogorov-Smirnov D", ad = "Anderson-Darling A^2", cvm = "Cramer-von Mises W^2")

#' @rdname stable_gof
#' @param digits significant digits to print, one number from 0 to 22; 0 counts as 1.
#' @export
print.stable_gof <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  check_dots(..., allowed = print_arguments)
  law <- attr(x, "law")
  if (is.null(law)) return(NextMethod())
  digits <- check_digits(digits, sys.call())
  cat("Goodness of fit of a stable distribution, ", attr(x, "nobs"), " observations\n",
      paste(names(law), "=", format_each(law, digits), collapse = ", "), "\n", attr(x, "how"), "\n\n", sep = "")
  cells <- cbind(statistic = format_each(x$statistic, digits), p.value = format.pval(x$p.value, digits = digits))
  rownames(cells) <- gof_titles[rownames(x)]
  print(cells, quote = FALSE, right = TRUE)
  invisible(x)
}

# Raises an error if a table, from which columns may have been removed, does not contain those that a plot requires.
check_columns <- function(x, names, call) {
  lost <- setdiff(names, names(x))
  if (length(lost)) stop_with(call, "argument", "`x` must have the column `", lost[1L], "`.")
}

gof_sample <- function(x, call) {
  if (!is.numeric(x)) stop_with(call, "data", "`x` must be numeric, not ", class(x)[1L], ".")
  x <- as.vector(x, "double")
  x <- x[!is.na(x)]
  bad <- which(!is.finite(x))
  if (length(bad)) stop_with(call, "data", "`x` must be finite, but element ", bad[1L], " is ", x[bad[1L]], ".")
  if (!length(x)) stop_with(call, "data", "`x` contains no observations.")
  sort(x)
}

# Returns the statistics of x, in which each value counts w times.  With W the cumulative weights and n the last of
# them, the sums over the w equal values that end at number W are
#
#     sum (2i - 1) = w (2 W - w),    sum (2 (n - i) + 1) = w (2 (n - W) + w),
#     sum (F - (2i - 1)/(2n))^2 = w (F - (2 W - w)/(2n))^2 + (w^3 - w)/(12 n^2).
gof_statistics <- function(x, law, pm, w = NULL) {
  order <- order(x)
  w <- if (is.null(w)) rep(1, length(x)) else w[order]
  sorted <- x[order]
  tail <- function(...) pstable(sorted, law[["alpha"]], law[["beta"]], law[["gamma"]], law[["delta"]], pm, ...)
  W <- cumsum(w)
  n <- W[length(W)]
  below <- tail()
  logs <- (2 * W - w) * tail(log.p = TRUE) + (2 * (n - W) + w) * tail(lower.tail = FALSE, log.p = TRUE)
  c(ks = max(W / n - below, below - (W - w) / n),
    ad = -n - sum(w / n * logs),
    cvm = sum(w * (below - (2 * W - w) / (2 * n))^2 + w^3 / (12 * n^2)))
}

# Ties have probability zero under a continuous distribution; the warning of ks.test() about them is suppressed.
ks_p_value <- function(x, law, pm) {
  u <- pstable(x, law[["alpha"]], law[["beta"]], law[["gamma"]], law[["delta"]], pm)
  suppressWarnings(stats::ks.test(u, "punif"))$p.value
}
