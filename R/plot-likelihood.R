# The likelihood of a fit in the plane of alpha and beta, as confidence regions.
#
# At every node of a grid, gamma and delta (those that are not fixed) follow by Fisher scoring from the place of their
# neighbour, with densities and scores of stable_quick(): the profile of the likelihood, to plotting accuracy.

# Blue of Okabe and Ito's palette in three strengths.
region_levels <- c(0.5, 0.9, 0.99)
fit_regions <- c("#7FB8D8", "#B2D4E7", "#E0EEF6")

plot_fit_likelihood <- function(fit, ...) {
  # the tables of stable_quick() end at alpha = 0.3: what lies below costs forty times as much
  surface <- likelihood_surface(fit, if (fit$theta[["alpha"]] < 0.35) 17L else 33L)
  framed_plot(range(surface$alpha), range(surface$beta), xlab = "alpha", ylab = "beta", xaxs = "i", yaxs = "i", ...)
  drop <- stats::qchisq(region_levels, 2) / 2
  graphics::.filled.contour(surface$alpha, surface$beta, surface$below, c(-1, drop), fit_regions)
  labels <- paste0(100 * region_levels, "%")
  graphics::contour(surface$alpha, surface$beta, surface$below, levels = drop, labels = labels,
                    add = TRUE, col = fit_colours[["normal"]], labcex = 0.8, vfont = NULL)
  p <- fit$theta
  graphics::points(p[["alpha"]], p[["beta"]], pch = 3, lwd = 2, col = fit_colours[["stable"]], xpd = TRUE)
}

# How far the profile log-likelihood is below its maximum.  The nodes are visited outwards from the estimate,
# each starting from a neighbour.
likelihood_surface <- function(fit, nodes) {
  sketch <- sketch_sample(fit$data)
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
    top <- climb_scale(sketch, alpha[i], beta[j], gamma[from], delta[from], fit$fixed)
    value[i, j] <- top$value
    gamma[i, j] <- top$gamma
    delta[i, j] <- top$delta
  }
  below <- max(value, na.rm = TRUE) - value
  list(alpha = alpha, beta = beta, below = replace(below, is.na(below), max(below, na.rm = TRUE)))
}

axis_reach <- function(fit, name, default) {
  sd <- sqrt(fit$theta.vcov[name, name])
  if (is.finite(sd)) 5 * sd else default
}

axis_about <- function(middle, reach, bounds, nodes) {
  seq(max(bounds[1L], middle - reach), min(bounds[2L], middle + reach), length.out = nodes)
}

# gamma and delta by scoring in (log gamma, delta/gamma), halved until the log-likelihood does not fall.
climb_scale <- function(sketch, alpha, beta, gamma, delta, fixed) {
  free <- !(c("gamma", "delta") %in% fixed)
  at <- scale_local(sketch, alpha, beta, gamma, delta)
  for (step in 1:8) {
    if (!any(free) || !is.finite(at$value)) break
    move <- numeric(2L)
    move[free] <- solve(at$information[free, free] + diag(1e-9, sum(free)), at$gradient[free])
    if (sum(move * at$gradient) < 1e-3) break                     # twice what is still to be gained
    for (shrink in c(1, 0.5, 0.25, 0.1)) {
      to <- c(at$gamma * exp(shrink * move[1L]), at$delta + at$gamma * shrink * move[2L])
      next_at <- scale_local(sketch, alpha, beta, to[1L], to[2L])
      if (isTRUE(next_at$value > at$value)) break
    }
    if (!isTRUE(next_at$value > at$value)) break
    at <- next_at
  }
  at
}

scale_local <- function(sketch, alpha, beta, gamma, delta) {
  q <- suppressWarnings(stable_quick(sketch$x, alpha, beta, gamma, delta))
  score <- gamma * q[, c("gamma", "delta")]
  score[!is.finite(score)] <- 0
  list(value = sum(sketch$weight * q[, "logpdf"]), gamma = gamma, delta = delta,
       gradient = colSums(sketch$weight * score), information = crossprod(score, sketch$weight * score))
}

sketch_size <- 5000L
sketch_tail <- 500L

# The sample, or representatives of it: medians of groups of neighbours between the tails.
sketch_sample <- function(x) {
  n <- length(x)
  if (n <= sketch_size) return(list(x = x, weight = rep(1, n)))
  x <- sort(x)
  inner <- seq(sketch_tail + 1L, n - sketch_tail)
  group <- ceiling(seq_along(inner) / length(inner) * (sketch_size - 2L * sketch_tail))
  weight <- tabulate(group)
  middle <- inner[cumsum(weight) - weight %/% 2L]
  outer <- c(seq_len(sketch_tail), n + 1L - seq_len(sketch_tail))
  list(x = x[c(outer, middle)], weight = c(rep(1, 2L * sketch_tail), weight))
}
