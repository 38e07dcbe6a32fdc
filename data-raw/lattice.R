# Computes the generating vector of the lattices in src/quadrature/monte_carlo/lattice_points.h, component by component.
#
#     Rscript data-raw/lattice.R          # checks, then the vector: about 15 minutes and 2 GB
#     Rscript data-raw/lattice.R check    # only the checks, among them one of the vector in the source
#
# Needs R's C compiler for lattice.c.
#
# The figure of merit of z with n = 2^m points is the squared worst-case error in the Korobov space of smoothness 2
# with product weights W_j,
#
#     e_m(z)^2 = -1 + 1/n sum_k prod_j (1 + W_j omega(frac(k z_j / n))),   omega(x) = 2 pi^2 (x^2 - x + 1/6).
#
# The odd numbers modulo 2^b are +-5^i, and omega is even.  Therefore, with the product over the components chosen
# before as a function of i, the sums over all odd k for all candidates 5^l are a cyclic correlation, computed by FFTs
# of length 2^(b-2) (Nuyens and Cools 2006, doi:10.1090/S0025-5718-06-01785-6).  The k in 0, ..., 2^m - 1 are 0 and, for
# b = 1, ..., m, 2^(m-b) times the odd numbers below 2^b, so that one correlation per b gives the merits for all m.
# The candidate chosen minimises the maximum over m = FIRST, ..., LAST of e_m^2 divided by that of the best candidate
# for this m.
#
# The weights of the first EQUAL axes are the same; those of the other axes decrease like 1/j^2.  With equal weights
# for a hundred axes, products of many factors would dominate the figure of merit, at the expense of the projections
# onto few axes, which matter for the functions that lattices integrate well in so many dimensions.

FIRST <- 8L
LAST  <- 26L
AXES  <- 100L
EQUAL <- 12L
W     <- 0.3 * pmin(1, EQUAL / seq_len(AXES))^2

# The first axes.  The construction alone would choose between two candidates of equal merit for the second axis, a
# number and its inverse, by rounding errors.
GIVEN <- c(1, 19313785, 6603937, 44455449, 40318125, 6888769, 41235905, 17176149, 37987477, 2660609, 6202785, 20775485)

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

# Returns the vector that continues `given`.
construct <- function(weights, first, last, given = 1) {
  .C("construct", length(weights), as.double(weights), first, last,
     z = c(given, double(length(weights) - length(given))), ratio = double(length(weights)))$z
}

# --- checks -------------------------------------------------------------------------------

# Returns e_m(z)^2 by its definition.
merit_of <- function(z, weights, m) {
  k <- seq_len(2^m) - 1
  product <- 1
  for (j in seq_along(z)) product <- product * (1 + weights[j] * omega((k * (z[j] %% 2^m)) %% 2^m / 2^m))
  mean(product) - 1
}

# Constructs a vector by the definition, in O(s n^2) operations.
construct_directly <- function(weights, first, last) {
  candidates <- powers(last)
  z <- 1
  for (axis in seq_along(weights)[-1L]) {
    merit <- vapply(first:last, function(m) {
      each <- vapply(candidates, function(one) merit_of(c(z, one), weights, m), 0)
      each / min(each)
    }, candidates)
    z <- c(z, candidates[which.min(apply(merit, 1L, max))])
  }
  z
}

# The two constructions may choose different candidates of equal merit, so the merits are compared.
check_construction <- function(axes = 6L, first = 6L, last = 9L) {
  weights <- W[seq_len(axes)] / seq_len(axes)
  fast <- construct(weights, first, last)
  direct <- construct_directly(weights, first, last)
  merits <- function(z) vapply(first:last, function(m) merit_of(z, weights, m), 0)
  stopifnot(isTRUE(all.equal(merits(fast), merits(direct), tolerance = 1e-9)))
  message("The fast construction agrees with the direct one: ", paste(fast, collapse = ", "))
}

# Compares the worst-case errors of the vector in the source with those of random vectors, which a vector constructed
# component by component does not exceed for any m alone, and only slightly for all m together.
check_source <- function(file = "src/quadrature/monte_carlo/lattice_points.h", levels = c(8L, 12L, 16L)) {
  text <- paste(readLines(file), collapse = " ")
  z <- sub("\\}.*", "", sub(".*lattice_generator\\[AXES_MAX\\] = \\{", "", text))
  z <- as.numeric(strsplit(gsub("[u ]", "", z), ",")[[1L]])
  stopifnot(length(z) == AXES, z %% 2 == 1, z < 2^LAST, !anyDuplicated(pmin(z, 2^LAST - z)))
  for (s in c(12L, 50L, 100L)) for (m in levels) {
    weights <- W[seq_len(s)]
    random <- replicate(10L, merit_of(2 * floor(runif(s, 0, 2^(m - 1))) + 1, weights, m))
    own <- merit_of(z[seq_len(s)], weights, m)
    message(sprintf("%3d axes, 2^%d points: error %.4g, of random vectors %.4g", s, m, sqrt(own), sqrt(mean(random))))
    stopifnot(own < 1.05 * mean(random))
  }
}

source("data-raw/load-c.R")
load_c("data-raw/lattice.c", PKG_CFLAGS = "-O3")
check_construction()
if ("check" %in% commandArgs(TRUE)) check_source() else {
  z <- construct(W, FIRST, LAST, GIVEN)
  cat(paste0(format(z, scientific = FALSE, trim = TRUE), "u", collapse = ", "), "\n")
}
