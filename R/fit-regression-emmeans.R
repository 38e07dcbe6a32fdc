# Methods for package emmeans: reference grids of the linear predictors of a regression.

# emmeans() passes its own arguments on to these methods.

# The variables of the predictor of a parameter, for emmeans::emmeans().
#' @exportS3Method emmeans::recover_data
recover_data.stablefit_lm <- function(object, parameter = c("location", "scale", "alpha", "beta"), ...) {
  p <- object$predictors[[check_grid_parameter(object, parameter, emmeans_call())]]
  emmeans::recover_data(object$call, stats::delete.response(p$terms), object$na.action, frame = object$model, ...)
}

# The coefficients, their covariance and the link.
#' @exportS3Method emmeans::emm_basis
emm_basis.stablefit_lm <- function(object, trms, xlev, grid, parameter = c("location", "scale", "alpha", "beta"), ...) {
  name <- check_grid_parameter(object, parameter, emmeans_call())
  p <- object$predictors[[name]]
  frame <- stats::model.frame(trms, grid, na.action = stats::na.pass, xlev = xlev)
  X <- stats::model.matrix(trms, frame, contrasts.arg = p$contrasts)
  V <- object$vcov[p$labels, p$labels, drop = FALSE]
  V[p$labels %in% object$fixed, ] <- V[, p$labels %in% object$fixed] <- 0
  list(X = X, bhat = unname(object$coefficients[p$labels]), nbasis = matrix(NA), V = unname(V),
       dffun = function(k, dfargs) Inf, dfargs = list(), misc = grid_link(name))
}

# Returns the call of the first function of package emmeans on the stack, which the user has called.
emmeans_call <- function() {
  of_emmeans <- vapply(sys.frames(), function(frame) identical(topenv(frame), asNamespace("emmeans")), NA)
  sys.call(match(TRUE, of_emmeans, nomatch = sys.nframe() - 1L))
}

check_grid_parameter <- function(object, parameter, call) {
  name <- check_choice(parameter, c("location", "scale", "alpha", "beta"), "parameter", call)
  if (object$predictors[[name]]$natural)
    stop_with(call, "argument", "`parameter` must be one with a formula, but that of ", name, " is ~ 1.")
  name
}

# Returns the description of a link for emmeans, with which regrid() and type = "response" transform back.
grid_link <- function(name) {
  link <- regression_links[[name]]
  if (name == "location") return(list())
  label <- c(scale = "log(gamma)", alpha = "logit(alpha/2)", beta = "logit((1 + beta)/2)")[[name]]
  tran <- if (name == "scale") "log" else
    list(linkfun = link$link, linkinv = link$inverse, mu.eta = function(eta) link$slope(link$inverse(eta)),
         name = label)
  list(tran = tran, estName = label, inv.lbl = if (name == "scale") "gamma" else name)
}
