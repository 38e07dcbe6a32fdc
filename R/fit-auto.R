# The choice of a method for confidence intervals: the reasons why Wald intervals and the delta method may lack
# coverage, and the reasons why an interval does not exist.

small_sample <- 500                 # samples below this size, or with less information, are small
small_alpha <- 0.5
near_bound_errors <- 3              # an estimate within this number of standard errors of a bound is close to it
near_bound_distance <- 0.05         # as is a fitted value of a regression of alpha or beta within this distance

# Returns sentences on why Wald's intervals of a fit are unreliable; none if they are reliable.
objections_to_wald <- function(object) {
  gaussian <- identical(fitted_shape(object, "alpha"), 2)
  near <- function(name, bound) is_near_bound(object, name, bound)
  free <- setdiff(names(object$coefficients), c(object$fixed, shapes_at_bounds(object)))
  c(if (near("alpha", 2)) "The estimate of alpha is close to 2.",
    if (!gaussian && (near("beta", -1) || near("beta", 1))) "The estimate of beta is close to its bound.",
    if (any(fitted_shape(object, "alpha") < small_alpha)) sprintf("alpha is estimated below %.1f.", small_alpha),
    small_sample_objection(object),
    if (anyNA(diag(object$vcov)[free])) "A parameter has no standard error.")
}

# Returns a sentence if there are few observations, or if they contain little information.
small_sample_objection <- function(object) {
  if (object$nobs < small_sample) return(sprintf("There are fewer than %d observations.", small_sample))
  size <- effective_size(object)
  if (size < small_sample)
    sprintf("The observations contain as much information as %.0f complete ones, fewer than %d.", size, small_sample)
}

# Returns the smallest number of complete observations for which an estimate would have the standard error that it has
# from the censored, truncated or binned ones.  The variances of estimates from n complete observations are the diagonal
# of the inverse of n I, with I the mean of the products of the scores at evenly spaced quantiles of the distribution.
effective_size <- function(object) {
  if (!inherits(object, "stablefit_censored")) return(object$nobs)
  if (is.null(object$truncation) && all(object$data$left == object$data$right)) return(object$nobs)
  free <- which(!is.na(diag(object$theta.vcov)))
  if (!length(free)) return(object$nobs)
  p <- as.list(object$theta)
  x <- qstable(stats::ppoints(information_points, 0.5), p$alpha, p$beta, p$gamma, p$delta)
  score <- parameter_scores(x, p$alpha, p$beta, p$gamma, p$delta)[, free, drop = FALSE]
  complete <- value_or(diag(solve(crossprod(finite_or_zero(score)) / length(x))), function(e) Inf)
  min(object$nobs, complete / diag(object$theta.vcov)[free])
}

information_points <- 1000

# Returns alpha or beta; in a regression with a formula for it one value for each observation.
fitted_shape <- function(object, name) {
  if (inherits(object, "stablefit_lm")) object$law[[name]] else object$theta[[name]]
}

# TRUE if the estimate of alpha or beta is at or near a bound.
is_near_bound <- function(object, name, bound) {
  if (name %in% object$fixed) return(FALSE)
  distance <- abs(bound - fitted_shape(object, name))
  if (!name %in% names(object$coefficients)) return(any(distance < near_bound_distance))
  distance == 0 || isTRUE(distance < near_bound_errors * sqrt(object$vcov[name, name]))
}

# Returns the names of the parameters whose estimates are at a bound, or have no effect at the bound of another.
shapes_at_bounds <- function(object) {
  c(if (identical(fitted_shape(object, "alpha"), 2)) c("alpha", "beta"),
    if (identical(abs(fitted_shape(object, "beta")), 1)) "beta")
}

# Returns the method to use in place of `method` = "auto", with the reasons.
interval_choice <- function(object, method) {
  if (method != "auto") return(list(method = method))
  if (is_all_fixed(object)) return(list(method = "wald", auto = TRUE))
  doubts <- objections_to_wald(object)
  if (!length(doubts) || inherits(object, "stablefit_chunks"))
    return(list(method = "wald", auto = TRUE))
  list(method = if (object$method == "mle") "profile" else "bootstrap", because = doubts, auto = TRUE)
}

# TRUE if a fit has no free parameters.
is_all_fixed <- function(object) !length(setdiff(names(object$coefficients), object$fixed))

# Returns the square root of the deviance at the ends of a profile interval.  With "auto" it is that of a Student
# distribution: n log(1 + t^2/(n - k)) is exact for the mean of a normal sample with k = 1.
deviance_root <- function(object, level, choice) {
  if (is.null(choice$auto)) return(critical_normal_value(level))
  left <- max(1, object$nobs - object$df)
  sqrt(object$nobs * log1p(stats::qt((1 - level) / 2, left, lower.tail = FALSE)^2 / left))
}

# Returns intervals with attributes: the method and the reasons for it, if it was chosen automatically, and the reasons
# why ends are missing or infinite, if there are any.
with_reasons <- function(ci, choice, reasons = character()) {
  if (!is.null(choice$auto)) attr(ci, "method") <- choice$method
  attr(ci, "because") <- choice$because
  if (length(reasons)) attr(ci, "reasons") <- reasons
  annotated_numbers(ci)
}

# Returns the reasons why parameters have no interval, or an unbounded one, as a named vector.  ci: a matrix with
# a row for each parameter.
parameter_reasons <- function(object, ci, method) {
  odd <- rownames(ci)[!is.finite(rowSums(ci))]
  is_unlimited <- function(name) name == "gamma" || !is.null(object$truncation) || inherits(object, "stablefit_lm")
  reason <- function(name) {
    if (name %in% object$fixed) return(paste0("It is held fixed at ", format(object$coefficients[[name]]), "."))
    if (!anyNA(ci[name, ]))
      return(paste("Unbounded: the deviance of", if (is_unlimited(name)) "arbitrarily large values" else "alpha = 1",
                   "is below the quantile."))
    if (method == "bootstrap") return(paste0("No replicate has an estimate of ", name, "."))
    if (name == "beta" && identical(fitted_shape(object, "alpha"), 2))
      return("alpha is estimated as 2, where beta has no effect.")
    at_least <- name == "alpha" && any(startsWith(object$notes, "alpha is at its lower bound"))
    if (at_least || name %in% shapes_at_bounds(object))
      return("The estimate is at a bound, where it has no standard error.")
    "The estimate has no standard error."
  }
  vapply(stats::setNames(odd, odd), reason, "")
}
