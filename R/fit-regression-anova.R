# Likelihood-ratio tests between nested regressions with stable errors.

#' @rdname stable_lm
#' @export
anova.stablefit_lm <- function(object, ...) {
  call <- sys.call()
  check_given()
  check_further_fits(...)
  fits <- list(object, ...)
  if (length(fits) < 2L || !all(vapply(fits, inherits, NA, "stablefit_lm")))
    stop_with(call, "argument", "anova() requires two or more regressions by stable_lm().")
  fits <- fits[order(vapply(fits, `[[`, 0, "df"))]
  for (i in seq_along(fits)[-1L]) check_nested_regressions(fits[[i - 1L]], fits[[i]], call)
  for (i in seq_along(fits)[-1L]) warn_of_lower_likelihood(fits[[i - 1L]], fits[[i]], call)
  df <- vapply(fits, `[[`, 0, "df")
  each <- function(f) c(NA, vapply(seq_along(fits)[-1L], function(i) f(fits[[i - 1L]], fits[[i]]), 0))
  table <- data.frame(npar = df, AIC = vapply(fits, stats::AIC, 0), logLik = vapply(fits, `[[`, 0, "loglik"),
                      Chisq = each(likelihood_ratio), Df = c(NA, diff(df)), "Pr(>Chisq)" = each(regression_p_value),
                      check.names = FALSE)
  structure(table, heading = c("Likelihood-ratio tests of regressions with stable errors\n",
                               paste0("Model ", seq_along(fits), ": ", vapply(fits, formulas_text, "")),
                               missing_p_values(fits), ""),
            class = c("anova", "data.frame"))
}

regression_p_value <- function(small, large) known_p_value(small, large, regression_table(small, large))

# Returns the name of the table for alpha = 2, or NULL.  The tables are for samples: for the regressions of a constant
# location and scale.  With further regressors a small sample has much larger statistics.
regression_table <- function(small, large) {
  is_sample <- function(fit) {
    X <- free_matrix(fit, "location")
    ncol(X) == 1L && length(unique(X[, 1L])) == 1L && fit$predictors$scale$natural && !"gamma" %in% fit$fixed
  }
  if (!is_sample(small) || !is_sample(large) || !is.null(large$rounding)) return(NULL)
  if (large$predictors$alpha$natural && large$predictors$beta$natural) null_table(large)
}

# Returns the reasons for missing p-values, a sentence for each pair of models.
missing_p_values <- function(fits) {
  unlist(lapply(seq_along(fits)[-1L], function(i) {
    bound <- tested_bound(fits[[i - 1L]], fits[[i]])
    if (is.null(bound) || !is.na(regression_p_value(fits[[i - 1L]], fits[[i]]))) return(NULL)
    paste0("No p-value for model ", i, ": ", if (bound == "beta") "no distribution is known at a bound of beta."
           else "alpha = 2 is at its bound, and the table is only for a constant location and scale.")
  }))
}

# Returns the formula of the location and those of the other parameters that are not ~ 1, and the fixed coefficients.
formulas_text <- function(fit) {
  others <- names(Filter(function(f) !is_intercept(f), fit$formulas[-1L]))
  held <- fit$coefficients[fit$fixed]
  other <- function(name) paste(name, "~", deparse1(fit$formulas[[name]][[3L]]))
  paste(c(deparse_call(fit$formula), vapply(others, other, ""),
          if (length(held)) paste(names(held), "=", format_each(held, 4L))), collapse = ", ")
}

check_nested_regressions <- function(small, large, call) {
  data_of <- function(fit) list(unname(stats::model.response(fit$model)), fit$weights, fit$rounding)
  if (!identical(data_of(small), data_of(large)))
    stop_with(call, "argument", "The regressions must have the same response, the same weights and the same rounding.")
  is_nested <- vapply(regression_parameters, is_nested_parameter, NA, small = small, large = large, call = call)
  if (small$df >= large$df || !all(is_nested))
    stop_with(call, "argument", "The models are not nested: ", formulas_text(small), " and ",
              formulas_text(large), ".")
}

# TRUE if the larger model has all values of a parameter that the smaller one has.  With X and o the free columns and
# the offset of its predictor, those of the larger model X1 b + o1, the columns of X and o - o1 must be combinations of
# the columns of X1.  A value at a bound of a link is a limit of all predictors; with alpha = 2, beta has no effect.
is_nested_parameter <- function(name, small, large, call) {
  if (name == "beta" && identical(held_values(small)["alpha"], c(alpha = 2))) return(TRUE)
  outer <- free_matrix(large, name)
  both <- list(held_offset(small, name, call), held_offset(large, name, call))
  if (any(is.infinite(both[[2L]]))) return(identical(both[[1L]], both[[2L]]) && !ncol(free_matrix(small, name)))
  difference <- if (any(is.infinite(both[[1L]]))) 0 else both[[1L]] - both[[2L]]
  difference[abs(difference) <= 1e-10 * max(abs(unlist(both)[is.finite(unlist(both))]), 0)] <- 0
  added <- cbind(free_matrix(small, name), rep_len(difference, nrow(outer)))
  qr(cbind(outer, added))$rank <= ncol(outer)
}

# Returns the offset of the predictor of a parameter, with its fixed coefficients, on the scale of the link.
held_offset <- function(fit, name, call) {
  p <- fit$predictors[[name]]
  if (p$natural) return(if (length(p$held)) unname(regression_links[[name]]$link(p$held)) else 0)
  as.vector(offset_of(predicted_predictors(fit, NULL, call, name)[[name]]))
}

# Returns the columns of the model matrix whose coefficients are not fixed.
free_matrix <- function(fit, parameter) {
  p <- fit$predictors[[parameter]]
  unname(parameter_matrix(fit, parameter, fit$model)[, !p$labels %in% fit$fixed, drop = FALSE])
}
