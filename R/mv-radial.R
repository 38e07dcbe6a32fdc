# The radial density of isotropic stable distributions in d dimensions: g(r), the density at distance r from the centre
# of the distribution with characteristic function exp(-|u|^alpha).
#
# With a = alpha/2, S > 0 with E exp(-t S) = exp(-t^a) (the totally skewed a-stable distribution), its density h, and G
# standard normal in d dimensions, sqrt(2 S) G has this distribution (Nolan 2013), so that
#
#     g(r) = int_0^inf (4 pi s)^(-d/2) exp(-r^2/(4 s)) h(s) ds,                                                   (1)
#
# whose integrand is positive.  The nodes and weights of (1), which contain h, serve all r.  Two series follow from the
# Hankel transform of exp(-t^alpha), whose Bessel function or exponential is expanded:
#
#     g(r) = 2/(alpha (4 pi)^(d/2)) sum_(k >= 0) (-1)^k Gamma((d + 2 k)/alpha)/(k! Gamma(d/2 + k)) (r/2)^(2 k),   (2)
#     g(r) = pi^(-d/2 - 1) r^-d sum_(k >= 1) (-1)^(k + 1) Gamma(alpha k/2 + 1) Gamma((alpha k + d)/2)/k!
#                                            sin(pi alpha k/2) (2/r)^(alpha k).                                   (3)
#
# (2) converges for alpha > 1, (3) for alpha < 1; otherwise they are asymptotic.  They are used where their terms fall
# below 1e-18 of the first one.  In between, log g is a piecewise polynomial in log r, whose pieces are bisected until
# they agree with (1).  Closed forms: alpha = 1 (Cauchy) and alpha = 2 (normal).
#
# Error of log g: below 1e-11 max(1, |log g|/100); tests compare with data-raw/mv-radial-reference.py.

# --- the mixing distribution ---------------------------------------------------------------------------------------

mv_least_alpha <- 1e-5          # of densities: the number of nodes is proportional to 1/alpha
mv_negligible <- 45             # terms of a positive sum that are smaller than the largest by exp(-45) are left out
mv_widest_panel <- 0.75         # largest difference of log s between the ends of a panel
mv_left_panel <- 0.5            # the same where h(s) increases rapidly

# Returns log(s h(s)) at u = log s for a <= 1/2, by Zolotarev's integral with b = a/(1 - a) and v = s^-b,
#     s h(s) = (b v/pi) int_0^pi A exp(-A v) dtheta,
#     A = (sin(a theta)^a sin((1 - a) theta)^(1 - a)/sin(theta))^(1/(1 - a)),
# and the trapezoidal rule in t, theta = pi/(1 + exp(-t)).  The integrand is analytic for |Im t| < pi (1 - a)/2, so that
# the error of the rule is about exp(-pi^2 (1 - a)/step) < 1e-15.
log_mixing_density <- function(u, a) {
  step <- 0.14
  log_v <- -a / (1 - a) * u
  from <- -42 - max(0, log_v) / 2
  to <- (1 - a) * (7 - min(log_v)) - log(sinpi(a) / pi) + 3
  t <- seq(from, max(to, 20), by = step)
  theta <- pi * stats::plogis(t)
  rest <- pi * stats::plogis(-t)                                     # pi - theta, without cancellation
  log_A <- (a * log(sin(a * theta)) + (1 - a) * log(sin((1 - a) * theta)) - log(sin(pmin(theta, rest)))) / (1 - a)
  log_least <- log1p(-a) + a / (1 - a) * log(a)                      # of A, at theta = 0
  excess <- exp(log_least) * expm1(log_A - log_least)
  weight <- exp(log_A + log(theta) + log(rest) - 2 * log(pi)) * step
  sums <- lapply(split(log_v, (seq_along(log_v) - 1L) %/% 512L),
                 function(z) drop(exp(-tcrossprod(exp(z), excess)) %*% weight))
  log(a / (1 - a)) + log_v - exp(log_v + log_least) + log(unlist(sums, use.names = FALSE))
}

# Returns the least u = log s of the nodes: below it s^(-d/2) s h(s) is negligible.  For small s, s h(s) is about
# v exp(-A v) with the least A; v^c exp(-A v) has its maximum at A v = c and is negligible for A v = c q.
lowest_node <- function(a, dim) {
  b <- a / (1 - a)
  c <- dim / (2 * b) + 1
  q <- stats::uniroot(function(log_q) c * (exp(log_q) - 1 - log_q) - mv_negligible, c(0, 10), tol = 1e-3)$root
  -(log(c) + q - log1p(-a) - b * log(a)) / b
}

# Returns edges between the ends of a range of u, at equal distances.
equal_edges <- function(from, to, width = mv_widest_panel) seq(from, to, length.out = 1L + ceiling((to - from) / width))

# Returns nodes u = log s and log weights for integrals over h(s) ds.
mixing_nodes <- function(alpha, from, to) {
  a <- alpha / 2
  if (alpha <= 1) {
    nodes <- panel_nodes(equal_edges(from, to))
    return(list(u = nodes$x, w = log(nodes$w) + log_mixing_density(nodes$x, a)))
  }
  skewed_nodes(a, from, to)
}

# For a > 1/2, h(s) is the density of the package.  h varies with y, s = scale (y + shift): y is the standard variable
# of the parametrisation S0, in which nothing cancels as a tends to 1.
skewed_nodes <- function(a, from, to) {
  e <- 1 - a
  log_scale <- log(sinpi(e / 2)) / a                                 # cos(pi a/2) = sin(pi e/2)
  shift <- cospi(e / 2) / sinpi(e / 2)
  shift_s <- cospi(e / 2) * exp(log_scale - log(sinpi(e / 2)))       # scale * shift
  scale <- exp(log_scale)
  s_of <- function(y) scale * y + shift_s
  edges <- graded_edges((exp(max(from, log(0.5))) - shift_s) / scale, shift)
  left <- if (from < log(0.5)) panel_nodes(equal_edges(from, log(0.5), mv_left_panel))
  middle <- panel_nodes(edges)
  right <- panel_nodes(equal_edges(log(s_of(edges[length(edges)])), to))
  far <- c(left$x, right$x)
  list(u = c(far, log(s_of(middle$x))),
       w = c(log(c(left$w, right$w)) + far + dstable(exp(far), a, 1, scale, 0, pm = 1, log = TRUE),
             log(middle$w) + dstable(middle$x, a, 1, log = TRUE)))
}

# Returns edges of panels in y from y = from to the point where panels of equal width in log s take over: narrow ones
# where h has its peak, and wider ones to the right, where h is nearly a power of y, as far as s is nearly constant.
graded_edges <- function(from, shift) {
  edges <- y <- from
  while (y < max(8, shift)) {
    y <- y + min(max(0.75, y / 3), mv_left_panel * (y + shift))       # y + shift = s/scale
    edges <- c(edges, y)
  }
  edges
}

# --- the density -----------------------------------------------------------------------------------------------------

# Returns a distribution, an environment: alpha and dim; unless there is a closed form, both series, the logarithms of
# the weights of (1) without exp(-r^2/(4 s)), those of 1/(4 s), which decrease, and the pieces, NULL until they are
# needed.
radial_law <- function(alpha, dim) {
  law <- list2env(list(alpha = alpha, dim = dim, pieces = NULL), parent = emptyenv())
  if (alpha == 1 || alpha == 2) return(law)
  law$centre <- centre_series(alpha, dim)
  law$tail <- tail_series(alpha, dim)
  rate <- (dim + alpha) / 2                                          # at which the integrand decreases as u grows
  from <- lowest_node(alpha / 2, dim)
  to <- max(2 * law$tail$from - log(4 * rate), from, 0) + (mv_negligible + 5) / rate + 1
  nodes <- mixing_nodes(alpha, from, to)
  ascending <- order(nodes$u)
  u <- nodes$u[ascending]
  law$weight <- nodes$w[ascending] - dim / 2 * (log(4 * pi) + u)
  law$over_4s <- -log(4) - u
  law
}

recent_laws <- new.env(parent = emptyenv())
mv_most_laws <- 16L

# Returns the distribution from the 16 used last, or makes it.
radial_law_of <- function(alpha, dim) {
  name <- sprintf("%.17g in %d", alpha, dim)
  laws <- recent_laws$laws
  if (is.null(laws[[name]])) laws[[name]] <- radial_law(alpha, dim)
  recent_laws$laws <- utils::head(laws[c(name, setdiff(names(laws), name))], mv_most_laws)
  laws[[name]]
}

# Returns the logarithms of the terms of (2) at r = 1 without signs, and the largest log r at which they serve.
centre_series <- function(alpha, dim) {
  k <- 0:20
  size <- log(2 / alpha) - dim / 2 * log(4 * pi) + lgamma((dim + 2 * k) / alpha) - lgamma(k + 1) - lgamma(dim / 2 + k) -
    2 * k * log(2)
  to <- function(k, bound) (log(bound) - size[k + 1L] + size[1L]) / (2 * k)
  last <- which.max(to(2:20, 1e-18)) + 1L
  list(size = size[0:last + 1L], to = min(to(1L, 0.1), to(last, 1e-18)))
}

# Returns the logarithms of the terms of (3) at r = 1 without sines, the sines with their signs, and the least log r at
# which they serve.  |sin(k x)| <= k |sin(x)| bounds the sines by the first one.  For alpha > 1 the terms do not contain
# the part of the density that decreases exponentially; that of the normal distribution, the largest one, must be
# negligible.
tail_series <- function(alpha, dim) {
  k <- 1:40
  sine <- if (alpha > 1) sinpi((2 - alpha) * k / 2) else (-1)^(k + 1) * sinpi(alpha * k / 2)
  size <- -(dim / 2 + 1) * log(pi) + lgamma(alpha * k / 2 + 1) + lgamma((alpha * k + dim) / 2) - lgamma(k + 1) +
    alpha * k * log(2)
  from <- function(k, bound) (size[k] - size[1L] + log(k) - log(bound)) / (alpha * (k - 1))
  last <- which.min(from(3:40, 1e-18)) + 2L
  series <- list(power = dim + alpha, alpha = alpha, size = size[1:last], sine = sine[1:last],
                 from = max(from(2L, 0.3), from(last, 1e-18)))
  if (alpha > 1) {
    normal <- function(x) -dim / 2 * log(4 * pi) - exp(2 * x) / 4
    while (normal(series$from) > tail_value(series, series$from) - mv_negligible) series$from <- series$from + 0.05
  }
  series
}

# Returns log g at x = log r.
radial_log_density <- function(law, x) {
  d <- law$dim
  if (law$alpha == 2) return(-d / 2 * log(4 * pi) - exp(2 * x) / 4)
  if (law$alpha == 1) return(lgamma((d + 1) / 2) - (d + 1) / 2 * (log(pi) + 2 * log_hypot(x)))
  out <- x
  low <- which(x <= law$centre$to)
  high <- which(x >= law$tail$from)
  middle <- which(x > law$centre$to & x < law$tail$from)
  out[low] <- centre_value(law$centre, x[low])
  out[high] <- tail_value(law$tail, x[high])
  if (is.null(law$pieces) && length(middle) >= mv_enough_points) law$pieces <- radial_pieces(law)
  out[middle] <- if (is.null(law$pieces)) radial_sum(law, x[middle]) else piecewise_value(law$pieces, x[middle])
  out
}

# Returns log(sqrt(1 + r^2)) at x = log r.
log_hypot <- function(x) pmax(x, 0) + log1p(exp(-2 * abs(x))) / 2

centre_value <- function(series, x) {
  total <- numeric(length(x))
  for (k in rev(seq_along(series$size))[-length(series$size)])
    total <- total - (-1)^k * exp(series$size[k] - series$size[1L] + 2 * (k - 1) * x)
  series$size[1L] + log1p(total)
}

tail_value <- function(series, x) {
  total <- numeric(length(x))
  for (k in rev(seq_along(series$size))[-length(series$size)])
    total <- total + series$sine[k] / series$sine[1L] *
      exp(series$size[k] - series$size[1L] - series$alpha * (k - 1) * x)
  series$size[1L] + log(series$sine[1L]) - series$power * x + log1p(total)
}

# Returns log g at x = log r between the two series, by the sum over the nodes.  The terms that are not negligible are
# those of a range of nodes, which moves to the right as r grows: that of 16 sorted r is the union of those of both
# ends.
radial_sum <- function(law, x) {
  out <- numeric(length(x))
  for (block in split(order(x), (seq_along(x) - 1L) %/% 16L)) {
    ends <- vapply(range(x[block]), function(x) range(large_terms(law, x)), integer(2L))
    at <- min(ends):max(ends)
    exponent <- matrix(law$weight[at], length(at), length(block)) - exp(outer(law$over_4s[at], 2 * x[block], `+`))
    largest <- exponent[cbind(max.col(t(exponent), "first"), seq_along(block))]
    out[block] <- largest + log(colSums(exp(exponent - rep(largest, each = length(at)))))
  }
  out
}

# Returns the indices of the nodes whose terms are not negligible.
large_terms <- function(law, x) {
  exponent <- law$weight - exp(law$over_4s + 2 * x)
  which(exponent > max(exponent) - mv_negligible)
}

# --- piecewise polynomials -------------------------------------------------------------------------------------------

mv_enough_points <- 200L        # calls with as many points build the pieces, which take about as long as 500 sums
mv_degree <- 15L
mv_piece_error <- 2e-12         # largest difference from log g, for |log g| < 100, at which a piece is not bisected

# Chebyshev points of the first kind, and points between them, at which the polynomials are checked.
chebyshev_points <- cos(pi * (0:mv_degree + 0.5) / (mv_degree + 1))
chebyshev_checks <- cos(pi * c(0, 1, 2, 4, 6, 8, 10, 12, 14, 15, 16) / (mv_degree + 1))

# Maps values at the Chebyshev points to coefficients.
chebyshev_transform <- cos(outer(0:mv_degree, pi * (0:mv_degree + 0.5) / (mv_degree + 1))) *
  c(1, rep(2, mv_degree)) / (mv_degree + 1)

# Returns the edges of pieces in log r between the two series, and their Chebyshev coefficients, a column for each.
radial_pieces <- function(law) {
  edges <- seq(law$centre$to, law$tail$from, length.out = 5L)
  open <- cbind(edges[-5L], edges[-1L])
  from <- numeric()
  coefficient <- matrix(0, mv_degree + 1L, 0L)
  while (nrow(open)) {
    middle <- rowMeans(open)
    half <- (open[, 2L] - open[, 1L]) / 2
    at <- function(t) outer(t, half) + rep(middle, each = length(t))
    values <- array(radial_sum(law, as.vector(at(c(chebyshev_points, chebyshev_checks)))),
                    c(length(chebyshev_points) + length(chebyshev_checks), length(half)))
    fitted <- chebyshev_transform %*% values[seq_along(chebyshev_points), , drop = FALSE]
    true <- values[-seq_along(chebyshev_points), , drop = FALSE]
    error <- abs(cos(outer(acos(chebyshev_checks), 0:mv_degree)) %*% fitted - true) / pmax(1, abs(true) / 100)
    good <- apply(error, 2L, max) < mv_piece_error
    from <- c(from, open[good, 1L])
    coefficient <- cbind(coefficient, fitted[, good, drop = FALSE])
    open <- rbind(cbind(open[!good, 1L], middle[!good]), cbind(middle[!good], open[!good, 2L]))
  }
  list(edges = c(sort(from), law$tail$from), coefficient = coefficient[, order(from), drop = FALSE])
}

# Returns the value of the piece at each x, by Clenshaw's recurrence.
piecewise_value <- function(pieces, x) {
  piece <- findInterval(x, pieces$edges, all.inside = TRUE)
  left <- pieces$edges[piece]
  t2 <- 4 * (x - left) / (pieces$edges[piece + 1L] - left) - 2         # twice the argument on [-1, 1]
  later <- last <- 0
  for (k in (mv_degree + 1L):2) {
    new <- pieces$coefficient[k, piece] + t2 * last - later
    later <- last
    last <- new
  }
  pieces$coefficient[1L, piece] + t2 / 2 * last - later
}
