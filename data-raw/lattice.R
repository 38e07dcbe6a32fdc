# Computes the generating vector of the lattices in src/quadrature/monte_carlo/lattice_points.h, component by component.
#
#     Rscript data-raw/lattice.R
#
# The figure of merit of z with n = 2^m points is the squared worst-case error in the Korobov space of smoothness 2
# with product weights W,
#
#     e_m(z)^2 = -1 + 1/n sum_k prod_j (1 + W omega(frac(k z_j / n))),   omega(x) = 2 pi^2 (x^2 - x + 1/6).
#
# The odd numbers modulo 2^b are +-5^i, and omega is even.  Therefore, with the product over the components chosen
# before as a function of i, the sums over all odd k for all candidates 5^l are a cyclic correlation, computed by FFTs
# of length 2^(b-2) (Nuyens and Cools 2006, doi:10.1090/S0025-5718-06-01785-6).  The k in 0, ..., 2^m - 1 are 0 and, for
# b = 1, ..., m, 2^(m-b) times the odd numbers below 2^b, so that one correlation per b gives the merits for all m.
# The candidate chosen minimises the maximum over m = FIRST, ..., LAST of e_m^2 divided by that of the best candidate
# for this m.

FIRST <- 8L
LAST  <- 26L
AXES  <- 12L
W     <- 0.3

omega <- function(x) 2 * pi^2 * (x * x - x + 1/6)

# Returns 5^i modulo 2^b, i = 0, 1, ...; products stay below 2^53.
powers <- function(b) {
  v <- 1
  step <- 5
  while (length(v) < 2^(b - 2)) {
    v <- c(v, (v * step) %% 2^b)
    step <- (step * step) %% 2^b
  }
  v
}

block <- function(b) {
  w <- omega(powers(b) / 2^b)
  list(omega = w, transform = fft(w), product = rep(if (b > 1L) 2 else 1, length(w)))
}

# Returns the sums over i of product[i] omega[i + l], for all l.
correlation <- function(block) {
  Re(fft(Conj(fft(block$product)) * block$transform, inverse = TRUE)) / length(block$product)
}

candidates <- powers(LAST)
blocks <- lapply(seq_len(LAST), block)
at_zero <- 1
z <- integer()

# Returns, for each candidate for the next component, its largest ratio of the merit to the best one over all m.
worst_ratio <- function() {
  sums <- 0
  plain <- at_zero
  worst <- 0
  for (b in seq_len(LAST)) {
    terms <- correlation(blocks[[b]])
    sums <- rep(sums, length.out = length(terms)) + W * terms
    plain <- plain + sum(blocks[[b]]$product)
    if (b < FIRST) next
    merit <- (plain + at_zero * W * omega(0) + sums) / 2^b - 1
    worst <- pmax(rep(worst, length.out = length(terms)), merit / min(merit))
  }
  worst
}

for (axis in seq_len(AXES)) {
  pick <- 1L
  if (axis > 1L) {
    worst <- worst_ratio()
    pick <- which.min(worst)
    message(sprintf("axis %d: at most %.3f times the best", axis, worst[pick]))
  }
  z <- c(z, candidates[pick])
  at_zero <- at_zero * (1 + W * omega(0))
  for (b in seq_len(LAST)) {
    w <- blocks[[b]]$omega
    n <- length(w)
    turned <- w[(seq_len(n) + pick - 2L) %% n + 1L]
    blocks[[b]]$product <- blocks[[b]]$product * (1 + W * turned)
  }
}
cat(paste0(format(z, scientific = FALSE, trim = TRUE), "u", collapse = ", "), "\n")
