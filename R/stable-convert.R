#' Convert between parametrisations
#'
#' Converts the parameters of a stable distribution between the parametrisations S0, S1 and
#' S2, which differ in the meaning of `gamma` and `delta`.
#'
#' With \eqn{\tau = \tan(\pi\alpha/2)}{tau = tan(pi alpha/2)} and \eqn{m} the
#' mode of the standard S0 distribution,
#' \deqn{\delta_1 = \delta_0 - \beta\gamma_0\tau \quad (\alpha \ne 1), \qquad
#'       \delta_1 = \delta_0 - \beta\gamma_0\frac{2}{\pi}\log\gamma_0 \quad (\alpha = 1),}{
#'       delta1 = delta0 - beta gamma0 tau (alpha != 1),
#'       delta1 = delta0 - beta gamma0 (2/pi) log(gamma0) (alpha = 1),}
#' \deqn{\gamma_2 = \alpha^{1/\alpha}\gamma_0, \qquad \delta_2 = \delta_0 + \gamma_0 m.}{
#'       gamma2 = alpha^(1/alpha) gamma0,  delta2 = delta0 + gamma0 m.}
#' S1 is not continuous at `alpha = 1`: close to it the S1 location is far from the
#' bulk of the distribution, and a conversion loses the corresponding digits.
#'
#' @inheritParams stable
#' @param from,to parametrisations: 0, 1 or 2, or `"S0"`, `"S1"` or `"S2"`.
#' @return A data frame with the columns `alpha`, `beta`, `gamma` and `delta`, one
#'   row per distribution; arguments are recycled to the longest.
#'   Parameters outside their domain give `NaN` with a warning.
#' @section Errors:
#' \describe{
#'   \item{`"stablecl_error_argument"`}{an argument is missing, or `from` or `to` is invalid;}
#'   \item{`"stablecl_error_device"`, `"stablecl_error_unsupported"`}{a device that is selected by name
#'     ([stable_backend()]) does not exist or has failed, or does not support the computation;}
#'   \item{`"stablecl_error_memory"`}{memory is exhausted.}
#' }
#' Vectors that are not numeric raise an error without a class of this package, with the message of R's own functions.
#' @seealso [dstable()] for the parametrisations and references.
#' @examples
#' stable_convert(1.5, 0.5, gamma = 2, delta = 1, from = 0, to = 1)
#' stable_convert(c(1, 1.5, 2), 0.5, from = "S0", to = "S2")
#'
#' # the estimates of a fit in S1; stablefit(x, pm = 1) also has their standard errors
#' fit <- stablefit(diff(log(EuStockMarkets[, "DAX"])))
#' do.call(stable_convert, c(as.list(coef(fit)), to = 1))
#' @export
stable_convert <- function(alpha, beta, gamma = 1, delta = 0, from = 0, to = 1) {
  check_given()
  from <- check_parametrisation(from, "from")
  to <- check_parametrisation(to, "to")
  a <- recycle_numeric(alpha, beta, gamma, delta)
  names(a) <- c("alpha", "beta", "gamma", "delta")
  bad <- outside_domain(a)
  if (from != to) {
    if (from == 1L) a$delta <- a$delta + s1_offset(a)
    if (from == 2L) a <- convert_s2_to_s0(a)
    if (to == 1L) a$delta <- a$delta - s1_offset(a)
    if (to == 2L) a <- convert_s0_to_s2(a)
  }
  bad <- !is.na(bad) & bad
  if (any(bad)) {
    a <- lapply(a, function(column) replace(column, bad, NaN))
    warning("NaNs produced")
  }
  as.data.frame(a)
}

# Returns the mean of the distribution with the parameters p (S0), NaN if there is none.
mean_of_law <- function(p) {
  if (anyNA(p)) return(NA_real_)
  if (p[["alpha"]] > 1)
    return(stable_convert(p[["alpha"]], p[["beta"]], p[["gamma"]], p[["delta"]], 0, 1)[["delta"]])
  if (abs(p[["beta"]]) == 1) p[["beta"]] * Inf else NaN
}

# Returns delta0 - delta1.
s1_offset <- function(a) {
  e <- 1 - a$alpha
  factor <- ifelse(e == 0, (2 / pi) * log(a$gamma), scaled_tangent(a$alpha) / e)
  ifelse(a$beta == 0 | a$gamma == 0, 0, a$beta * a$gamma * factor)
}

standard_mode <- function(a) {
  mode_values(a$alpha, a$beta)
}

convert_s2_to_s0 <- function(a) {
  a <- a[c("alpha", "beta", "gamma", "delta")]
  a$gamma <- a$gamma * a$alpha^(-1 / a$alpha)
  mode <- standard_mode(a)
  a$delta <- ifelse(mode == 0, a$delta, a$delta - a$gamma * mode)
  a
}

convert_s0_to_s2 <- function(a) {
  a$delta <- a$delta + a$gamma * standard_mode(a)
  a$gamma <- a$gamma * a$alpha^(1 / a$alpha)
  a
}
