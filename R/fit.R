# Fitting a stable distribution to a sample: the functions that users call.
#
# The fit is computed by src/fit on a canonical sample (sorted, reflected so that it is skewed to the
# right, shifted and scaled to an interquartile range of one), always in the S0 parametrisation, which is
# continuous in all parameters.  Only the last step converts to the user's parametrisation.

#' Fit a stable distribution
#'
#' Estimates the four parameters of an alpha-stable distribution from a sample, by maximum
#' likelihood, from quantiles, from the empirical characteristic function and by other
#' methods, for `alpha` from `control$alpha.min` (by default 0.01) to 2, with standard errors.
#'
#' @section Maximum likelihood:
#' The log-likelihood
#' \deqn{\ell(\alpha,\beta,\gamma,\delta) = \sum_i \log\frac1\gamma
#'   f\left(\frac{x_i-\delta}{\gamma};\alpha,\beta\right)}{
#'   l(alpha, beta, gamma, delta) = sum log(f((x[i] - delta)/gamma; alpha, beta)/gamma)}
#' with the exact density (S0) is maximised over
#' \eqn{\alpha_{min}\le\alpha\le 2}{alpha.min <= alpha <= 2},
#' \eqn{-1\le\beta\le 1}{-1 <= beta <= 1} (DuMouchel 1973, Nolan 2001).  The search starts from the
#' quantile estimate, from further points if the likelihood is known to be rough or flat, and from
#' distributions of other shapes that a search over scale and location in a table of log densities
#' finds to be likely (such as one with its peak on one of two clusters): up to eight of them for samples of up to 500
#' observations, and for larger samples up to four of those that are more likely than the distributions near them.
#' For samples of up to 500 values that are spread widely, or whose best `alpha` so far is below 0.5, it also starts
#' from distributions with small `alpha` whose peak is in other gaps between the observations: the density is then
#' nearly that of a Gumbel distribution of the logarithm of the distance from the peak, which is compared for up to 129
#' gaps.  The sample is first reduced to a form that does not depend on
#' unit, origin, sign and order, so that the fit of `c + k * x` is that of `x`,
#' shifted and scaled, up to rounding, and the fit of `-x` its mirror image.  The search uses Fisher
#' scoring (with the outer products of the scores in place of the information) within the bounds, with secant
#' corrections near the maximum, and ends with Newton steps that use the Hessian.
#'
#' For `alpha >= 0.3` the search uses log densities and scores from the tables of
#' [stable_quick()], whose maximum is within a millionth of a standard error of the exact one.  For smaller `alpha` it
#' uses log densities that are interpolated in the logarithm of the distance from the peak, with errors of about 1e-10,
#' and differences of these.  The reported log-likelihood is the exact one at the estimate.
#'
#' With a share `p` of equal values the likelihood is unbounded for `alpha < p/(1 - p)`, as `gamma` shrinks to 0 around
#' them; likewise with a share `p` of the weight at one observation, if that is at least twice the smallest weight.  An
#' estimate in this region is not a maximum: if there is no maximum elsewhere, the normal distribution included, the
#' fit has not converged.  `"mle2d"` and `"grid"` do not search there.  If one value makes up 5% of the sample or more,
#' or if the estimate is in this region, a warning of class `"stablecl_warning_ties"` is issued.  A note in the printed
#' fit states the shares in these cases, and if half of the values occur more than once.  For rounded data
#' [stable_lm()] with `rounding` has a bounded likelihood; `"ecf"` depends little on ties.
#'
#' As `alpha` tends to 0 the likelihood grows without bound, with `delta` at one of
#' the observations (DuMouchel 1973).  The estimate is the highest maximum found
#' from the starts with `alpha` at least `control$alpha.min`.  Values that occur
#' many times, as in rounded data, make such spurious maxima worse.
#' If the peak of the density is much narrower than the gaps between the
#' observations (`alpha` below about 0.2), the peak is placed next to the observation
#' where the likelihood is highest, and `delta` has no standard error.  Its distance from this observation is that
#' within which the sample is expected to have 0.1 observations, `gamma log(10 n)^(-1/alpha)`, or half a gap if that is
#' smaller: a smaller distance makes `alpha` too small, a larger one often makes the likelihood smaller than that of the
#' true distribution.  If the likelihood has many maxima of nearly the same height (few
#' values, `alpha` below 0.5), another one may be higher than the one found; for ten values one with `alpha` near 0.1
#' often is.
#'
#' @section Large samples:
#' For samples of 49152 values or more, a part is fitted first, and the search starts from its maximum.  Samples of
#' 4194304 values or more without weights are not sorted if their distribution is not extreme (`alpha` between 0.8 and
#' 1.9 by the quantiles, and not one-sided): median, quartiles and the first part come from about 65536 values at
#' equally spaced positions.  In both cases the estimate is the maximum for all values.
#'
#' @section At the boundary:
#' `alpha = 2` is a common estimate for data with light tails.  The distribution is then
#' Gaussian with variance \eqn{2\gamma^2}{2 gamma^2}; `beta` has no effect and is
#' reported as `NA`, and `gamma` and `delta` have the standard errors of the normal
#' model.  `beta = -1` and `beta = 1` are common for small samples and for `alpha`
#' near 2.  A parameter at a bound has no standard error, and those of the other parameters are computed
#' with it held fixed; `print()` and `summary()` report this.
#'
#' @section Standard errors:
#' For maximum likelihood they come from the observed information (minus the
#' Hessian of the log-likelihood at the maximum, by differences of the gradient), transformed
#' to the natural parameters and to the parametrisation `pm` by the delta method.
#' For `alpha` so close to 2 that the interval estimate reaches 2 they are only a
#' rough guide.
#'
#' @section Quantiles:
#' Similar to McCulloch (1986), with quantiles \eqn{q_p}{q[p]}, the pair
#' \deqn{\nu = \log\frac{q_{.95}-q_{.05}}{q_{.75}-q_{.25}},\qquad
#'   \log\left(\frac{q_{.95}-q_{.5}}{q_{.5}-q_{.05}}\right)\Big/\nu}{
#'   v = log((q.95 - q.05)/(q.75 - q.25)),   log((q.95 - q.5)/(q.5 - q.05))/v}
#' is matched to a table of its values for the stable distributions.  On the logarithmic
#' scale both remain informative for all `alpha`, down to 0.01.  `gamma` follows from
#' the interquartile range, `delta` (S0) from the median; for `alpha < 0.5` from the
#' half-sample mode (Bickel and Fruehwirth 2006), because the density then has a narrow
#' peak.
#'
#' @section Accuracy:
#' The reported log-likelihood is the compensated sum of `dstable(x, ..., log = TRUE)`, whatever approximation
#' the search has used.  An optimiser of R that starts from the estimate, or from the true parameters, finds no point
#' that is higher by 1e-11 for 20 shapes of 1000 values (`bench/fit.md`), nor does one from 50 random starts find one
#' that is higher by 1e-6 for 200 hard data sets (`bench/fit-hard.md`).
#'
#' @section Devices:
#' If [stable_backend()] selects an OpenCL device by name, it computes the sums of log densities and scores; for
#' `"grid"` it computes the log-likelihoods of all points of a grid at once.  The CPU computes scores for
#' `alpha` below 0.3, the observations outside the range of the tables of log densities, and the last of many fits.
#' The sums of `"ecf"` and `"logmoment"` have no kernel: these methods are then errors of class
#' `"stablecl_error_unsupported"`, but can supply `start`.  Under `"auto"` a device computes the sums of samples of
#' 131072 values or more, of many samples, and of grids that take 50 ms or more, if it is faster.  [stable_data()]
#' keeps a sample on the device.  Estimates differ from those of the CPU by rounding.
#'
#' @section Many samples:
#' Data sets are fitted in parallel on the number of threads set by [stable_threads()], each by one thread, so that the
#' results are those of single fits, whatever the number of threads; only data sets of 131072 values or more are fitted
#' one after the other, each with all threads.  On a device ([stable_backend()]) thousands of data sets of up to 32768
#' values are fitted in lock-step, with the same results up to rounding.  A data set that cannot be fitted does not
#' affect the others.  An interrupt ends the computation with a warning of class `"stablecl_warning_interrupted"`, and
#' the fits finished by then are returned.
#'
#' This applies to `"mle"`, `"quantile"`, `"grid"`, `"ecf"` and `"logmoment"`; the last two are computed by the
#' CPU. `"mle2d"` is written in R and processes one data set after the other, with the same guarantees; the
#' quantile estimates are computed beforehand by all threads.  So are the grids of `control = list(grid = 2)`, whose
#' standard errors R computes.
#'
#' If workers of package future or mirai are set up, they fit the data sets, with the same results, see
#' [stablecl-workers].  From Spark, call `stablefit()` in the function that
#' `sparklyr::spark_apply(data, f, group_by = key)` runs for each group, and return `as.data.frame(coef(fit))`; the
#' package must be installed on the workers.
#' @section Windows over a series:
#' `stablefit(x, width = 250)` fits the values 1 to 250, 2 to 251, ... of a series, with `by = 5` every fifth of these
#' windows, and with `expanding = TRUE` the values 1 to 250, 1 to 251, ...; the last window is the last one that fits
#' into the series.  The values of the windows are not copied.  Missing values are left out, so that windows with
#' missing values are smaller, unless `na.action` replaces them (it is called once, with the whole series) or fails.  A
#' window that cannot be fitted, because its values are equal, infinite or fewer than 8, does not affect the others: its
#' row states the reason.  [stablewindows] describes the result.
#' @section Empirical characteristic function:
#' `method = "ecf"`.  With \eqn{\phi_n(t)}{phi_n(t)} the mean of \eqn{\exp(itx)}{exp(i t x)} and
#' \eqn{u = \gamma t},
#' \deqn{\log(-\log|\phi(t)|) = \alpha\log u,\qquad
#'   \arg\phi(t) = \delta t - \beta\tan(\pi\alpha/2)(u - u^\alpha)}{
#'   log(-log|phi(t)|) = alpha log(u),   arg phi(t) = delta t - beta tan(pi alpha/2) (u - u^alpha)}
#' (S0) is a regression for the four parameters (Koutrouvelis 1980), continuous at `alpha = 1` in
#' this form (Kogon and Williams 1998).  The sample is standardised, first by the quantile estimate,
#' then by the result; at 12 frequencies where \eqn{-\log|\phi|}{-log|phi|} ranges from 0.01 to 2 both
#' equations are fitted together by generalised least squares (Koutrouvelis 1981), whose weights, from the
#' covariance of \eqn{\log\phi_n}{log phi_n}, are known in closed form (Feuerverger and Mureika
#' 1977).  They also give the standard errors.  The estimates are nearly as efficient as those of
#' maximum likelihood, and robust.  For large samples the cost is 48 sines and cosines for each
#' observation.  Below `alpha` of about 0.2 the rounding of remote observations changes the estimates, for `alpha = 0.1`
#' by about a standard error.
#'
#' @section Logarithmic moments:
#' `method = "logmoment"` is for symmetric distributions: it implies `fixed = list(beta = 0)`.  As
#' \deqn{E\log|X-\delta| = \log\gamma + C\left(\frac1\alpha-1\right),\qquad
#'   \mathrm{Var}\log|X-\delta| = \frac{\pi^2}{6}\left(\frac1{\alpha^2}+\frac12\right)}{
#'   E log|X - delta| = log(gamma) + C (1/alpha - 1),   Var log|X - delta| = pi^2/6 (1/alpha^2 + 1/2)}
#' with Euler's constant \eqn{C}, the variance of \eqn{\log|x_i-\delta|}{log|x[i] - delta|} gives
#' `alpha`, the mean gives `gamma` (Ma and Nikias 1995), and \eqn{\delta}{delta} is the median, for each
#' observation that of the other observations.  Standard errors are asymptotic, from the first four cumulants of
#' \eqn{\log|X|}{log|X|}, and too small for `alpha` above 1 in samples of fewer than about a thousand
#' observations.  Fractional lower-order moments follow the same idea with an additional constant to choose, and tend to
#' this method as the order tends to 0.  Extensions to skewed distributions (Kuruoglu 2001) use differences of pairs
#' of observations, which costs half of them; `"ecf"` is the better choice there.  The method is fast, and the
#' least robust against values close to the median and against outliers that are implausible under any stable
#' distribution.
#'
#' @section Likelihood over alpha and beta:
#' `method = "mle2d"` maximises the likelihood over `alpha` and `beta` alone; for each pair,
#' `gamma` and `delta` (S0) are those for which the distribution has the interquartile range and the median of
#' the sample.  For data whose quantile estimate of `alpha` is below 0.5, the mode of the distribution is
#' instead set to the half-sample mode.  Fisher scoring converges to within 1e-7 standard errors.  With
#' \eqn{s} the score and \eqn{I = E ss^T}{I = E s s'}, the derivatives \eqn{T} of the distribution's
#' parameters in \eqn{(\alpha,\beta)}{(alpha, beta)} and \eqn{D} in the quantiles \eqn{q_p}{q[p]},
#' and \eqn{w_p = (p - 1\{x\le q_p\})/f(q_p)}{w[p] = (p - 1{x <= q[p]})/f(q[p])}, an observation has
#' the influence
#' \deqn{T(T^TIT)^{-1}T^T(s - IDw) + Dw}{T (T' I T)^-1 T' (s - I D w) + D w}
#' on the parameters; its mean square over the sample, divided by `n`, is their covariance.
#'
#' @section Contracting grids:
#' `method = "grid"` maximises the likelihood as `"mle"` does, but by computing the log-likelihoods of all
#' distributions of a grid at once, in threads or on a device (Hesterman et al. 2010; Julian-Moreno et al. 2017):
#' the best becomes the centre of the next grid, with half the steps if the centre has not moved.  The first grids
#' cover `alpha` and `beta`, as wide as the uncertainty of the quantile estimate, with scale and location from
#' quantiles.  With `control = list(grid = 2)` they are followed by finer ones, up to the estimate of `"mle2d"`;
#' otherwise by grids over all four parameters whose axes are those of the covariance.  A quadratic function is
#' fitted to the values of such a grid; if it has its maximum within the grid, the next one is centred there and has
#' a fifth of the steps.  The last grid has steps of 0.02 standard errors, and the maximum is found to about 1e-4
#' standard errors; the grid before gives the observed information.  About seven grids and 400 evaluations of the
#' likelihood are needed, more if `alpha` is close to 2 or `beta` to a bound.  There a parameter is held at the
#' bound, and released if the likelihood increases away from it.  If the likelihood has several maxima (small
#' samples, `alpha` below 0.25), this method may find a different one from `"mle"`.
#'
#' @section Which method:
#' `"mle"` has the smallest errors and reliable standard errors.  `"ecf"` comes close; the others are provided for
#' comparison, for starting values, and to reproduce results published with them.  If standard errors are missing or
#' unreliable, `confint(method = "auto")` computes intervals from the profile likelihood ([confint.stablefit()]).
#'
#' @param x the sample: a numeric vector, time series or one-column matrix.  Or many samples: a list of
#'   numeric vectors (as returned by [split()]), a matrix or data frame with a sample in each column, or a data frame
#'   grouped by package dplyr, whose columns are fitted in each group.  Or a sample kept by [stable_data()], or one
#'   larger than memory, see [stable_chunks()].
#'   With `width`, one series.  Censored and binned data are objects of class `"Surv"` or `"histogram"`, or tables with
#'   the columns `left` and `right`, see [`"stablefit_censored"`][stablefit_censored].
#'   With a formula, `stablefit()` is [stable_lm()], the regression with stable errors, and takes its arguments.
#' @param method `"mle"`, `"quantile"`, `"ecf"`, `"logmoment"`, `"mle2d"` or `"grid"`, see the sections below.
#' @param start named list or vector: start values for some or all of `alpha`,
#'   `beta`, `gamma` and `delta`, in the parametrisation `pm`; the others come from
#'   the quantiles.  Or the name of a method whose estimate is the start; if that method fails, the
#'   quantile estimate is used.  The methods `"quantile"` and `"logmoment"` need no start values.
#' @param fixed named list or vector: parameters to hold fixed.  The location of S1
#'   and S2 and the scale of S2 depend on `alpha` and `beta`, and can be fixed only
#'   with `pm = 0`.
#' @param pm parametrisation of the result: 0, 1 or 2 (or `"S0"`, `"S1"`, `"S2"`),
#'   see [dstable()]. S1 is singular at `alpha = 1`: near it, `delta` and its
#'   standard error are huge.
#' @param na.action what to do with missing values: [na.omit()], [na.exclude()] or
#'   [na.fail()].
#' @param control list: `alpha.min`, the least `alpha` considered (0.01), also in `fixed`; `maxit`,
#'   the largest number of steps of a search by `"mle"` or `"mle2d"` (200); `tol`: a search ends, and the Newton steps
#'   begin, when the predicted increase of the log-likelihood by a step is less than this (1e-8); `grid`, the number of
#'   parameters on the grids of method `"grid"`, 4 or 2 (4).
#' @param se logical: compute standard errors?
#' @param weights `NULL`, or a non-negative number for each element of `x` (one sample, method `"mle"`): the number of
#'   times that the observation counts.  The number of observations is then the sum of the weights.  A common factor of
#'   all weights does not change the estimates: it multiplies the log-likelihood and divides the covariance matrix.
#'   Residuals and plots show the observations without weights.  Observations of weight 0 are left out like missing
#'   values.
#' @param width `NULL`, or the number of values of a window, at least 8: the fits are those of windows over the series
#'   `x`, see the section below.
#' @param by with `width`: the number of values by which each window is later than the one before, at least 1.
#' @param expanding with `width`, logical: do all windows begin with the first value, so that each is longer than the
#'   one before, by `by`?
#' @param truncation `NULL`, or the lower and the upper bound, in the unit of the data, between which values could be
#'   observed; one of them may be infinite ([`"stablefit_censored"`][stablefit_censored]).
#' @param ... not used; any further argument is an error.
#' @return For many samples an object of class [`"stablefits"`][stablefits], for windows one of class
#'   [`"stablewindows"`][stablewindows].  For one sample an object of class
#'   `"stablefit"`: a list with, among others,
#'   `coefficients`, `vcov`, `loglik`, `nobs`, `pm`, `theta` and `theta.vcov` (estimates and covariance
#'   in S0, whatever `pm` is), `start` (the quantile estimate), `notes` (sentences on fixed parameters and bounds),
#'   `convergence` (`converged`, the code and message of the search, its steps, the number of evaluations of the
#'   sample, `NA` if not counted, and the gradient in units of standard errors) and `call`.  Use the methods to
#'   inspect it: [`coef()`][coef.stablefit], `vcov()`, [`confint()`][confint.stablefit], [`anova()`][anova.stablefit],
#'   `summary()`, `logLik()`, [stable_gof()], [`predict()`][predict.stablefit], `residuals()`, `simulate()`,
#'   [`plot()`][plot.stablefit].
#' @references
#' D. R. Bickel and R. Fruehwirth (2006) On a fast, robust estimator of the mode.
#' *Computational Statistics & Data Analysis* **50**, 3500-3530.
#' \doi{10.1016/j.csda.2005.07.011}
#'
#' A. Feuerverger and R. A. Mureika (1977) The empirical characteristic function and its
#' applications. *Annals of Statistics* **5**, 88-97. \doi{10.1214/aos/1176343742}
#'
#' J. Y. Hesterman, L. Caucci, M. A. Kupinski, H. H. Barrett and L. R. Furenlid (2010)
#' Maximum-likelihood estimation with a contracting-grid search algorithm. *IEEE Transactions
#' on Nuclear Science* **57**, 1077-1084.
#'
#' G. Julian-Moreno, J. E. Lopez de Vergara, I. Gonzalez, L. de Pedro, J. Royuela-del-Val and
#' F. Simmross-Wattenberg (2017) Fast parallel alpha-stable distribution function evaluation and
#' parameter estimation using OpenCL in GPGPUs.
#' *Statistics and Computing* **27**. \doi{10.1007/s11222-016-9691-9}
#'
#' S. M. Kogon and D. B. Williams (1998) Characteristic function based estimation of stable
#' distribution parameters. In *A Practical Guide to Heavy Tails*, 311-335. Birkhaeuser.
#'
#' I. A. Koutrouvelis (1980) Regression-type estimation of the parameters of stable laws. *Journal of
#' the American Statistical Association* **75**, 918-928. \doi{10.1080/01621459.1980.10477573}
#'
#' I. A. Koutrouvelis (1981) An iterative procedure for the estimation of the parameters of stable laws.
#' *Communications in Statistics. Simulation and Computation* **10**, 17-28. \doi{10.1080/03610918108812189}
#'
#' E. E. Kuruoglu (2001) Density parameter estimation of skewed alpha-stable distributions. *IEEE
#' Transactions on Signal Processing*.
#'
#' X. Ma and C. L. Nikias (1995) Parameter estimation and blind channel identification in impulsive
#' signal environments. *IEEE Transactions on Signal Processing*.
#'
#' W. H. DuMouchel (1973) On the asymptotic normality of the maximum-likelihood
#' estimate when sampling from a stable distribution. *Annals of Statistics* **1**,
#' 948-957. \doi{10.1214/aos/1176342516}
#'
#' J. H. McCulloch (1986) Simple consistent estimators of stable distribution
#' parameters. *Communications in Statistics. Simulation and Computation* **15**,
#' 1109-1136. \doi{10.1080/03610918608812563}
#'
#' J. P. Nolan (2001) Maximum likelihood estimation and diagnostics for stable
#' distributions. In *Levy Processes*, 379-400. \doi{10.1007/978-1-4612-0197-7_17}
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_data"`}{the sample is not numeric, not finite, has fewer than 8 values or no spread (half
#'     of them are equal), values are outside of `truncation`, or no distribution with the parameters in `fixed` can be
#'     fitted to it;}
#'   \item{`"stablecl_error_argument"`}{an argument is missing, empty, unknown or invalid, for example a value of
#'     `fixed` or `start` outside the parameter space (for `"logmoment"` a `beta` other than 0);}
#'   \item{`"stablecl_error_unsupported"`}{a device that is selected by name ([stable_backend()]) does not support the
#'     method, or `alpha` is too small for a sample in chunks;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_memory"`}{this device does not exist or has failed, or memory
#'     is exhausted;}
#'   \item{`"stablecl_error_worker"`, `"stablecl_error_interrupted"`}{a worker process has failed
#'     ([stablecl-workers]), or an interrupt has ended the call before there was any result.}
#' }
#' The message names the element. Among many samples, one that cannot be fitted is not an error
#' ([`"stablefits"`][stablefits]). Warnings have the class `"stablecl_warning_convergence"` (a search ended before the
#' gradient was zero), `"stablecl_warning_ties"` (many values are equal) or `"stablecl_warning_interrupted"` (some
#' samples were not fitted).
#' @seealso [dstable()] for the distribution, [stable_score()] for its scores; [`coef()`][coef.stablefit] and other
#'   methods of a fit, [`predict()`][predict.stablefit], [`confint()`][confint.stablefit],
#'   [`anova()`][anova.stablefit], [`plot()`][plot.stablefit], [`autoplot()`][autoplot.stablefit],
#'   [`tidy()`][tidy.stablefit], [stable_gof()], [stable_compare()],
#'   [`estfun()`][estfun.stablefit], [`profile()`][profile.stablefit]; [`"stablefit_censored"`][stablefit_censored] for
#'   censored, truncated and binned data; [`"stablefits"`][stablefits], [`"stablewindows"`][stablewindows],
#'   [`predict()`][predict.stablefits] and [`autoplot()`][autoplot.stablefits] for the fits of many samples;
#'   [stable_data()], [stable_chunks()]; [stable_lm()]; [stablecl-workers].
#' @examples
#' dax <- diff(log(EuStockMarkets[, "DAX"]))
#' fit <- stablefit(dax)
#' fit
#' summary(fit)
#'
#' # many samples
#' stablefit(diff(log(EuStockMarkets)))
#'
#' # symmetric distribution
#' symmetric <- update(fit, fixed = list(beta = 0))
#' AIC(fit, symmetric)
#'
#' # from the empirical characteristic function
#' stablefit(dax, "ecf")
#'
#' # dstable() and its relatives also serve general fitting packages, here from the quantile estimate
#' \donttest{
#' if (requireNamespace("fitdistrplus", quietly = TRUE)) {
#'   start <- as.list(coef(stablefit(dax, "quantile")))
#'   fitdistrplus::fitdist(as.vector(dax), "stable", start = start,
#'                         fix.arg = list(pm = 0, precision = "double"),
#'                         lower = c(0.1, -1, 1e-6, -Inf), upper = c(2, 1, Inf, Inf))
#' }
#' }
#' @export
stablefit <- function(x, method = c("mle", "quantile", "ecf", "logmoment", "mle2d", "grid"), start = NULL,
                      fixed = list(), pm = 0, na.action = na.omit, control = list(), se = TRUE, weights = NULL,
                      width = NULL, by = 1, expanding = FALSE, truncation = NULL, ...) {
  check_given()
  if (inherits(x, "formula")) return(with_call(sys.call(), forward_formula(sys.call(), parent.frame())))
  call <- match.call()
  method <- choice_of(method, call = call)
  dots <- as.list(substitute(list(...)))[-1L]
  check_empty(dots, sys.call())
  if (length(dots)) stop_unused(dots, call)
  pm <- check_parametrisation(pm, call = call)
  request <- list(method = method, pm = pm, control = check_fit_control(control, call),
                  fixed = check_fit_parameters(fixed, "fixed", call),
                  start = check_fit_start(start, call), se = check_flag(se, "se", call), call = call)
  check_fixed_meaning(request$fixed, pm, call)
  check_fixed_alpha(request$fixed, request$control$alpha.min, call)
  if (method %in% cpu_methods) stop_on_device(paste0("the sums of method \"", method, "\""), call)
  if (method == "logmoment") request$fixed <- make_symmetric(request$fixed, call)
  if (is.null(width) && !(missing(by) && missing(expanding)))
    stop_with(call, "argument", "`", if (missing(by)) "expanding" else "by", "` requires `width`, the number of ",
              "values of a window.")
  truncation <- check_truncation(truncation, call)
  if (is.null(width) && (is_censored(x) || !is.null(truncation) && is_one_sample(x)))
    return(fit_censored(x, weights, truncation, na.action, request))
  if (!is.null(truncation))
    stop_with(call, "argument", "`truncation` requires one sample, not ",
              if (is.null(width)) value_text(x) else "windows over a series", ".")
  if (is.null(width) && !is_many(x)) return(fit_single(x, weights, na.action, request))
  if (!is.null(weights))
    stop_with(call, "argument", "`weights` are not supported for several samples; fit each separately.")
  if (!is.null(width)) return(fit_windows(x, check_window(width, by, expanding, call), na.action, request))
  fit_many(x, na.action, request)
}

fit_single <- function(x, weights, na.action, request) {
  call <- request$call
  if (inherits(x, "stable_data")) return(fit_handle(x, weights, request))
  if (inherits(x, "stable_chunks")) return(fit_chunks(x, weights, na.action, request))
  weights <- check_fit_weights(weights, x, request$method, call)
  x <- fit_sample(if (is.null(weights)) x else x[weights > 0], na.action, call)
  remaining <- remaining_weights(weights, x)
  attr(x, "na.action") <- omitted_rows(weights, attr(x, "na.action"), na.action, call)
  fit_checked(x, x, remaining, request)
}

# Fits a sample that stable_data() has checked.
fit_handle <- function(handle, weights, request) {
  x <- attr(handle, "values")
  if (!is.null(weights)) {
    weights <- check_fit_weights(weights, x, request$method, request$call)
    if (any(weights == 0))
      stop_with(request$call, "argument", "`weights` for a handle of stable_data() must be positive, but element ",
                which(weights == 0)[1L], " is 0.")
  }
  fit_checked(handle, x, weights, request)
}

# Fits `x`; `sample` is x or a handle of it.
fit_checked <- function(sample, x, weights, request) {
  results <- fit_samples(list(sample), if (!is.null(weights)) list(weights), request)
  if (nzchar(results$error)) stop_with(request$call, "data", results$error)
  fit <- as_stablefit(fit_result(results, 1L), x, weights, request)
  if (isFALSE(fit$convergence$converged)) warn_not_converged(fit$convergence, request$call)
  warn_of_ties(fit, request)
  fit
}

# Returns an object of class "stablefit" from a result in S0.
as_stablefit <- function(result, x, weights, request) {
  theta <- result$theta
  fixed <- names(request$fixed)
  coef <- s0_to_pm(theta, request$pm)
  cov <- covariance_in_range(result$cov)
  if (theta[["alpha"]] == 2 && !("beta" %in% fixed)) coef[["beta"]] <- NA_real_
  structure(list(
    coefficients = coef, vcov = pm_vcov(cov, theta, request$pm), loglik = result$loglik,
    method = request$method, pm = request$pm, nobs = if (is.null(weights)) length(x) else sum(weights),
    df = free_count(request$fixed), fixed = fixed,
    theta = theta, theta.vcov = cov,
    notes = c(fit_notes(result, fixed), range_note(result$cov), tie_note(result, request)),
    ties = unlist(result[c("tied", "tie", "tie.share", "tied.share", "tied.alpha")]),
    start = result$start, convergence = fit_convergence(result, request),
    se = request$se, control = request$control, data = as.vector(x), na.action = attr(x, "na.action"),
    weights = weights, call = request$call
  ), class = "stablefit")
}

# Returns the number of free parameters, given the values of the others.  With alpha held at 2, beta is not a parameter
# of the model.
free_count <- function(fixed) {
  held <- names(fixed)
  4L - length(if (identical(fixed["alpha"], c(alpha = 2))) union(held, "beta") else held)
}

# In the order of enum estimate_end (src/fit/problem.h), followed by those of methods in R.
fit_ends <- c("the log-likelihood no longer increases", "no step increases the log-likelihood",
              "iteration limit reached", "closed form", "closed form at alpha = 2", "nothing to estimate",
              "grid")

# At a maximum the gradient, in units of standard errors, is zero.
fit_convergence <- function(result, request) {
  gradient <- result$gradient[!is.na(result$gradient)]
  endless <- is_likelihood(request) && is_degenerate(result, result$theta[["alpha"]])
  list(code = as.integer(endless || result$end %in% 1:2),
       message = if (endless) unbounded_by_ties else fit_ends[result$end + 1L],
       iterations = as.integer(result$steps), evaluations = as.integer(result$evaluations), gradient = gradient,
       converged = if (has_gradient(request)) !endless && all(abs(gradient) < 1e-3) else NA)
}

# TRUE if the estimate is where a gradient is zero: for "mle2d" that of the likelihood in alpha and beta.
has_gradient <- function(request) seeks_maximum(request) || request$method == "mle2d"

# TRUE if the estimate is meant to be a maximum of the likelihood in all parameters.
seeks_maximum <- function(request) request$method == "mle" || request$method == "grid" && request$control$grid == 4

# TRUE if the method maximises the likelihood, in all parameters or in some.
is_likelihood <- function(request) request$method %in% c("mle", "grid", "mle2d")

# Returns a reason in brackets, or "" if there is none.
in_brackets <- function(reason) {
  reason <- paste(reason[!is.na(reason) & nzchar(reason)], collapse = ", ")
  if (nzchar(reason)) paste0(" (", reason, ")") else ""
}

warn_not_converged <- function(convergence, call) {
  text <- paste0("The maximum-likelihood search did not converge", in_brackets(convergence$message),
                 ": the estimates are those of the last step.")
  warn_with(call, "convergence", text)
}

# Returns sentences on fixed parameters, estimates at bounds, and parameters without a standard error.
fit_notes <- function(result, fixed) {
  active <- result$active
  notes <- character()
  if (length(fixed))
    notes <- c(notes, sprintf("%s held fixed.", paste(fixed, collapse = ", ")))
  if (active[["alpha"]] == "upper")
    notes <- c(notes, "alpha is at its bound 2.")
  if (result$theta[["alpha"]] == 2)
    notes <- c(notes, paste("The distribution is Gaussian with standard deviation sqrt(2) gamma; beta has",
                            "no effect and is not identified."))
  if (active[["alpha"]] == "lower")
    notes <- c(notes, "alpha is at its lower bound, control$alpha.min.")
  if (nzchar(active[["beta"]]))
    notes <- c(notes, sprintf("beta is at its bound %d.", as.integer(result$theta[["beta"]])))
  if (any(nzchar(active)))
    notes <- c(notes, "Standard errors of the other parameters treat those at a bound as fixed.")
  c(notes, fit_bit_notes[bitwAnd(result$notes, c(1L, 2L, 4L)) > 0L], result$remarks)
}

# In the order of the bits of src/fit/problem.h.
fit_bit_notes <- c(
  paste("The peak of the density is narrower than the gaps between observations: it is placed next to the",
        "observation at which the likelihood is highest, and delta has no standard error."),
  "The observed information is not positive definite: no standard errors are available.",
  "For alpha < 0.5, delta is computed from the half-sample mode and has no standard error.")
