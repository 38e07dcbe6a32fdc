# Confidence regions of a fit in the plane of alpha and beta, from the profile likelihood.
#
# At every node of a grid, the likelihood is maximised over gamma and delta (unless fixed) by Fisher scoring that starts
# from the values at a neighbouring node, with densities and scores of stable_quick().  This gives the profile
# likelihood to plotting accuracy.

region_levels <- c(0.5, 0.9, 0.99)

# Outside the tables of stable_quick(), for alpha < 0.3, a value costs forty times as much.
fit_likelihood_surface <- function(fit) likelihood_surface(fit, if (fit$theta[["alpha"]] < 0.35) 17L else 33L)

plot_fit_likelihood <- function(fit, ...) {
  surface <- fit_likelihood_surface(fit)
  framed_plot(list(xlim = range(surface$alpha), ylim = range(surface$beta), xlab = "alpha", ylab = "beta", xaxs = "i",
                   yaxs = "i"), ...)
  drop <- stats::qchisq(region_levels, 2) / 2
  graphics::.filled.contour(surface$alpha, surface$beta, surface$below, c(-1, drop), likelihood_colours)
  labels <- paste0(100 * region_levels, "%")
  graphics::contour(surface$alpha, surface$beta, surface$below, levels = drop, labels = labels,
                    add = TRUE, col = plot_colours[["normal"]], labcex = 0.8, vfont = NULL)
  p <- fit$theta
  graphics::points(p[["alpha"]], p[["beta"]], pch = 3, lwd = 2, col = plot_colours[["stable"]], xpd = TRUE)
}

# Returns the difference between the maximum of the profile log-likelihood and its values on a grid.  The nodes are
# visited outwards from the estimate, and each computation starts from a neighbouring node.
likelihood_surface <- function(fit, nodes) {
  condensed <- condense_sample(fit$data)
  alpha <- axis_about(fit$theta[["alpha"]], axis_reach(fit, "alpha", 0.4), c(0.05, 2), nodes)
  beta <- axis_about(fit$theta[["beta"]], axis_reach(fit, "beta", 2), c(-1, 1), nodes)
  grid <- expand.grid(i = seq_len(nodes), j = seq_len(nodes))
  centre <- c(which.min(abs(alpha - fit$theta[["alpha"]])), which.min(abs(beta - fit$theta[["beta"]])))
  value <- gamma <- delta <- matrix(NA_real_, nodes, nodes)
  gamma[centre[1L], centre[2L]] <- fit$theta[["gamma"]]
  delta[centre[1L], centre[2L]] <- fit$theta[["delta"]]
  for (k in order(pmax(abs(grid$i - centre[1L]), abs(grid$j - centre[2L])))) {
    i <- grid$i[k]
    j <- grid$j[k]
    from <- cbind(i + sign(centre[1L] - i), j + sign(centre[2L] - j))
    maximum <- maximise_over_scale(condensed, alpha[i], beta[j], gamma[from], delta[from], fit$fixed)
    value[i, j] <- maximum$value
    gamma[i, j] <- maximum$gamma
    delta[i, j] <- maximum$delta
  }
  below <- max(value, na.rm = TRUE) - value
  known <- is.finite(below)             # not where the support excludes observations
  list(alpha = alpha, beta = beta, below = replace(below, !known, max(below[known])))
}

# Returns the half-width of an axis: five standard errors, or a default.
axis_reach <- function(fit, name, default) {
  sd <- sqrt(fit$theta.vcov[name, name])
  if (is.finite(sd)) 5 * sd else default
}

# Returns nodes at equal distances on either side of `middle`, within bounds.
axis_about <- function(middle, reach, bounds, nodes) {
  seq(max(bounds[1L], middle - reach), min(bounds[2L], middle + reach), length.out = nodes)
}

# Maximises over gamma and delta by Fisher scoring in (log gamma, delta/gamma).  A step is shortened until the
# log-likelihood increases; if it does not, the search ends.
maximise_over_scale <- function(condensed, alpha, beta, gamma, delta, fixed) {
  free <- !(c("gamma", "delta") %in% fixed)
  at <- scale_derivatives(condensed, alpha, beta, gamma, delta)
  for (step in 1:8) {
    if (!any(free) || !is.finite(at$value)) break
    move <- scale_step(at$information, at$gradient, free)
    if (sum(move * at$gradient) < 1e-3) break                     # twice the gain that the step predicts
    for (shrink in c(1, 0.5, 0.25, 0.1)) {
      to <- c(at$gamma * exp(shrink * move[1L]), at$delta + at$gamma * shrink * move[2L])
      next_at <- scale_derivatives(condensed, alpha, beta, to[1L], to[2L])
      if (isTRUE(next_at$value > at$value)) break
    }
    if (!isTRUE(next_at$value > at$value)) break
    at <- next_at
  }
  at
}

# Returns the step of Fisher scoring for the `free` parameters, 0 for others and for those whose scores are all zero.
# With size the roots of the diagonal of the information, and R the correlations of the scores, it is
# (R + 1e-9 I)^-1 (gradient/size)/size.  The eigenvalues of the matrix are between 1e-9 and 3, so that the inverse
# exists, also at shapes for which the scores of gamma and delta are proportional.
scale_step <- function(information, gradient, free) {
  size <- sqrt(diag(information))
  free <- free & is.finite(size) & size > 0
  move <- numeric(length(free))
  if (!any(free)) return(move)
  size <- size[free]
  correlation <- t(information[free, free, drop = FALSE] / size) / size
  move[free] <- solve(correlation + diag(1e-9, length(size)), gradient[free] / size) / size
  move
}

# Returns the log-likelihood with its gradient and information in (log gamma, delta/gamma).
scale_derivatives <- function(condensed, alpha, beta, gamma, delta) {
  q <- quick_matrix(condensed$x, alpha, beta, gamma, delta)
  score <- gamma * q[, c("gamma", "delta")]
  score[!is.finite(score)] <- 0
  list(value = sum(condensed$weight * q[, "logpdf"]), gamma = gamma, delta = delta,
       gradient = colSums(condensed$weight * score), information = crossprod(score, condensed$weight * score))
}

condensed_size <- 5000L
condensed_tail <- 500L

# Returns the sample, or a weighted sample that represents it: both tails, and the medians of groups of neighbouring
# observations between them.
condense_sample <- function(x) {
  n <- length(x)
  if (n <= condensed_size) return(list(x = x, weight = rep(1, n)))
  x <- sort(x)
  inner <- seq(condensed_tail + 1L, n - condensed_tail)
  group <- ceiling(seq_along(inner) / length(inner) * (condensed_size - 2L * condensed_tail))
  weight <- tabulate(group)
  middle <- inner[cumsum(weight) - weight %/% 2L]
  outer <- c(seq_len(condensed_tail), n + 1L - seq_len(condensed_tail))
  list(x = x[c(outer, middle)], weight = c(rep(1, 2L * condensed_tail), weight))
}
