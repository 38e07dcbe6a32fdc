# The profile likelihood of each parameter, as numbers and as pictures.

#' Profile likelihood of a fitted stable distribution
#'
#' The log-likelihood of a fit as a function of one parameter, maximised over the others.
#'
#' Each free parameter is held at values from the lower to the upper end of its profile interval of confidence level
#' `level` ([confint.stablefit()] with `method = "profile"`), at equal distances on either side of the estimate (of
#' `gamma`: of its logarithm), and the other parameters are estimated again.  An infinite end, which
#' `delta` in S1, and `gamma` and `delta` of truncated samples can have, is replaced by a distance of ten standard
#' errors.
#'
#' The signed square root of the deviance, `z`, is nearly a straight line where Wald's interval is good.
#'
#' `confint()` of a profile interpolates the values at which `z` is the normal quantile, by a cubic spline, without
#' further refits.  Its level must be at most that of the profile.  An end that the profile does not reach, because the
#' parameter space ends before, is the last value of the profile.
#'
#' The class is the same for fits and regressions.  It is not the class `"profile"` of R, because that one contains the
#' estimates of all other parameters for each value.
#'
#' @param fitted a fit of one sample by [stablefit()] with `method = "mle"`, or a regression by [stable_lm()].
#' @param which names or indices of parameters, of a regression of coefficients; all free ones by default.
#' @param level confidence level that determines the range, or that of the intervals, one number between 0 and 1.
#' @param points number of values on each side of the estimate, at least 1.
#' @param ... graphical parameters for `plot()`; otherwise not used: any argument is an error.
#' @return `profile()`: an object of class `"stable_profile"`, a data frame with the columns `parameter`, `value`, `z`
#'   (negative below the estimate), `deviance` (`z^2`) and `logLik`, ordered by parameter and value.  `confint()`: a
#'   matrix with a row for each parameter, as that of [confint.stablefit()].  `autoplot()`: an object of class
#'   `"ggplot"`.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is unknown, empty or invalid, a parameter in `which` or all of them
#'     are fixed, or the fit is not by `method = "mle"` or has no values.}
#' }
#' A refit with a higher likelihood than that of the fit gives a warning of class `"stablecl_warning_convergence"`.
#' @seealso [stablefit()], [`confint()`][confint.stablefit].
#' @examples
#' set.seed(1)
#' fit <- stablefit(rstable(200, 1.7, 0.5))
#' p <- profile(fit, "alpha", points = 4)
#' p
#' confint(p)
#' plot(p)
#' @export
profile.stablefit <- function(fitted, which = names(coef(fitted)), level = 0.99, points = 10, ...) {
  call <- sys.call()
  check_dots(...)
  level <- check_level(level, call)
  points <- check_profile_points(points, call)
  names <- check_profiled(fitted, if (missing(which)) NULL else which, call)
  reach <- critical_normal_value(level)
  table <- with_first_warning(
    do.call(rbind, lapply(names, profile_table, fitted, reach, points, call)))
  table$logLik <- fitted$loglik - table$deviance / 2
  structure(table, level = level, class = c("stable_profile", "data.frame"))
}

#' @rdname profile.stablefit
#' @param parm names or indices of the parameters of the profile; all by default.
#' @export
confint.stable_profile <- function(object, parm, level = 0.95, ...) {
  check_dots(...)
  call <- sys.call()
  level <- check_level(level, call)
  most <- attr(object, "level")
  if (!is.null(most) && level > most)
    stop_with(call, "argument", "`level` must be at most that of the profile, ", format(most), ", not ", format(level),
              ".")
  parm <- check_parm(parm, unique(object$parameter), call)
  ends <- c(-1, 1) * critical_normal_value(level)
  ci <- t(vapply(parm, function(name) profile_ends_of(object[object$parameter == name, ], ends), ends))
  dimnames(ci) <- list(parm, percent(c(1 - level, 1 + level) / 2))
  ci
}

# Returns the values of a profile at which z is each of two numbers, the first or last value if z does not reach them.
# `gamma` is interpolated on the logarithmic scale, on which its profile is computed.
profile_ends_of <- function(part, ends) {
  log_scale <- part$parameter[1L] == "gamma"
  value <- range(part$value[is.finite(part$z)])
  part <- increasing_part(part)
  reached <- c(min(part$z) <= ends[1L], max(part$z) >= ends[2L])
  if (!any(reached)) return(value)
  at <- if (log_scale) log(part$value) else part$value
  inside <- stats::spline(part$z, at, xout = ends[reached], method = "hyman")$y
  replace(value, reached, if (log_scale) exp(inside) else inside)
}

# Returns the rows of a profile at which z is finite and is larger than at all values closer to the estimate.
increasing_part <- function(part) {
  part <- part[is.finite(part$z), ]
  here <- which(part$z == 0)
  here <- here[ceiling(length(here) / 2)]
  largest <- function(z) if (length(z)) z > c(-Inf, cummax(z)[-length(z)]) & z > 0
  above <- largest(part$z[-seq_len(here)])
  below <- largest(-rev(part$z[seq_len(here - 1L)]))
  part[c(rev(below), TRUE, above), ]
}

# Returns a parameter as a label of an axis: an expression, or the name of a coefficient.
profile_label <- function(name) if (name %in% fit_parameters) str2lang(name) else name

check_profile_points <- function(points, call) {
  if (!is.numeric(points) || length(points) != 1L || !isTRUE(points >= 1 && points <= 1e4))
    stop_with(call, "argument", "`points` must be one number of values from 1 to 10000, not ", value_text(points), ".")
  as.integer(points)
}

# Returns the names of the parameters to profile; which = NULL: all free ones.
check_profiled <- function(fitted, which, call) {
  if (fitted$method != "mle")
    stop_with(call, "argument", "A profile requires a fit with method = \"mle\", not \"", fitted$method, "\".")
  known <- names(coef(fitted))
  if (is_all_fixed(fitted))
    stop_with(call, "argument", "All parameters of the fit are held fixed: none has a profile.")
  names <- if (is.null(which)) setdiff(known, fitted$fixed) else check_parm(which, known, call, "which")
  held <- intersect(names, fitted$fixed)
  if (length(held)) stop_with(call, "argument", "The parameter ", held[1L], " is fixed: it has no profile.")
  names
}

profile_table <- function(name, fitted, target, points, call) {
  profile <- profile_for(fitted, name, call)
  side <- function(which) {
    end <- profile_end(profile, which, target)
    if (is.infinite(end)) end <- profile$est + sign(end) * 10 * profile$step
    if (end == profile$est) return(data.frame(at = numeric(), z = numeric()))
    at <- seq(profile$est, end, length.out = points + 1L)[-1L]
    data.frame(at = at, z = sign(end - profile$est) * vapply(at, profile$root, 0))
  }
  both <- rbind(side("lower"), data.frame(at = profile$est, z = 0), side("upper"))
  both <- both[order(both$at), ]
  data.frame(parameter = name, value = profile$back(both$at), z = both$z, deviance = both$z^2, row.names = NULL,
             stringsAsFactors = FALSE)
}

#' @rdname profile.stablefit
#' @param x an object of class `"stable_profile"`.
#' @return `plot()` draws the deviance of each parameter, with the estimate and the 95% quantile of the chi-squared
#'   distribution with one degree of freedom as dashed lines, and returns `x`, invisibly.
#' @export
plot.stable_profile <- function(x, ...) {
  check_dots(..., allowed = plot_arguments)
  check_axis_limits(..., call = sys.call())
  names <- unique(x$parameter)
  if (length(names) > 1L && prod(graphics::par("mfcol")) == 1L) {
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(names)), mar = c(4, 4, 1, 1))
    on.exit(graphics::par(old))
  }
  for (name in names) {
    part <- x[x$parameter == name, ]
    framed_plot(list(xlim = range(part$value), ylim = c(0, max(part$deviance, stats::qchisq(0.95, 1))),
                     xlab = profile_label(name), ylab = "Deviance"), ...)
    graphics::abline(h = stats::qchisq(0.95, 1), v = part$value[part$z == 0], lty = 2, col = plot_colours[["goal"]])
    graphics::lines(part$value, part$deviance, type = "o", pch = 19, cex = 0.6, lwd = 2, col = plot_colours[["stable"]])
  }
  invisible(x)
}

#' @rdname profile.stablefit
#' @param object an object of class `"stable_profile"`.
#' @method autoplot stable_profile
#' @exportS3Method ggplot2::autoplot stable_profile
autoplot.stable_profile <- function(object, ...) {
  check_dots(...)
  object$parameter <- factor(object$parameter, unique(object$parameter))
  ggplot2::ggplot(object, columns_as(x = "value", y = "deviance")) +
    ggplot2::geom_hline(yintercept = stats::qchisq(0.95, 1), linetype = 2, colour = plot_colours[["goal"]]) +
    ggplot2::geom_vline(columns_as(xintercept = "value"), data = object[object$z == 0, ], linetype = 2,
                        colour = plot_colours[["goal"]]) +
    ggplot2::geom_line(colour = plot_colours[["stable"]], linewidth = 1) +
    ggplot2::geom_point(colour = plot_colours[["stable"]], size = 1.5) +
    ggplot2::facet_wrap("parameter", scales = "free_x", strip.position = "bottom",
                        labeller = if (all(levels(object$parameter) %in% fit_parameters)) ggplot2::label_parsed
                        else ggplot2::label_value) +
    ggplot2::labs(x = NULL, y = "Deviance") + ggplot2::theme_minimal() +
    ggplot2::theme(strip.placement = "outside")
}
