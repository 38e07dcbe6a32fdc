# The limiting distributions of the Cramer-von Mises and Anderson-Darling statistics for a fully specified
# distribution.
#
# Both are sums of squares of independent standard normal variables Z_j with weights 1/mu_j,
#
#     W^2 = sum Z_j^2 / (pi j)^2,        A^2 = sum Z_j^2 / (j (j + 1))
#
# (Anderson and Darling 1952).  With D(u) = prod (1 - u/mu_j), the upper tail is (Smirnov 1937; Darling 1955)
#
#     P(Q > x) = 1/pi sum_k (-1)^(k+1) int_{mu_(2k-1)}^{mu_(2k)} exp(-u x/2) / (u sqrt|D(u)|) du.
#
# With mu(s) the extension of mu_j to real indices s, u = mu(s), and Euler's product for the sine,
#
#     W^2:  mu = (pi s)^2,    u sqrt|D| = sqrt(mu^2 |sin(pi s)| / (pi s)),       mu' = 2 pi^2 s
#     A^2:  mu = s (s + 1),   u sqrt|D| = sqrt(mu |sin(pi s)| / pi),             mu' = 2 s + 1.
#
# Each integral runs over an interval of s of length one, between simple zeros of sin(pi s).  With
# s = middle - cos(t)/2 the integrand is smooth and periodic in t, and the trapezoidal rule converges
# exponentially: the nodes below give an error of 1e-13.  The terms alternate, and the first
# dominates for all but the smallest x, so that the relative error of the tail is small.

gof_nodes <- (seq_len(96L) - 0.5) * pi / 96

# Returns the upper tail P(Q > x) of a limiting distribution.
gof_tail <- function(x, law) {
  if (x <= law$negligible) return(1)
  if (x == Inf) return(0)
  # exp(-mu x/2) is below 1e-17 beyond the last term
  terms <- seq_len(ceiling(law$index(80 / x) / 2) + 1L)
  part <- vapply(terms, function(k) gof_integral(x, law, 2 * k - 0.5), 0)
  min(1, max(0, sum((-1)^(terms + 1) * part) / pi))
}

# Returns the integral over u for s within 1/2 of `middle`.
gof_integral <- function(x, law, middle) {
  s <- middle - cos(gof_nodes) / 2
  # |sin(pi s)| = sin(pi (1 - cos t)/2), computed from the nearer end
  zero <- sinpi((1 - abs(cos(gof_nodes))) / 2)
  mean(exp(-law$mu(s) * x / 2) * law$slope(s) / sqrt(law$square(s) * zero) * sin(gof_nodes)) * pi / 2
}

# `square` is (u sqrt|D|)^2 without the sine; for x up to `negligible` the tail is 1 to within 1e-16.
cvm_law <- list(mu = function(s) (pi * s)^2, slope = function(s) 2 * pi^2 * s,
                square = function(s) (pi * s)^3, index = function(u) sqrt(u) / pi, negligible = 0.003)
ad_law <- list(mu = function(s) s * (s + 1), slope = function(s) 2 * s + 1,
               square = function(s) s * (s + 1) / pi, index = sqrt, negligible = 0.03)
