# The integrals of Table 1 of Thuerck et al. (2014), with what the paper states, and its baseline, for the scripts
# bench/thuerck2014.R and bench/gpu/speedup.R.

# Function, integral over (0, 1); from the paper: relative error, absolute error, evaluations relative to Matlab's quad.
TABLE1 <- list(
  list("sin(x)", function(x) sin(x), 1 - cos(1), "0.01", "-0.01", "48%"),
  list("sinh(x)", function(x) sinh(x), cosh(1) - 1, "0.01", "0.02", "48%"),
  list("x^8 + x^4 + x^3 + x + 1", function(x) x^8 + x^4 + x^3 + x + 1, 371 / 180, "0.0", "0.18", "37%"),
  list("exp(-x)", function(x) exp(-x), 1 - exp(-1), "0.01", "0.01", "65%"),
  list("sin(x)/x", function(x) sin(x) / x, 0.9460830703671830, "0.0", "0.0", "64%"),
  list("log(x)", function(x) log(x), -1, "-0.15", "-0.09", "21%"),
  list("sqrt(x)", function(x) sqrt(x), 2 / 3, "0.0", "-0.01", "27%"))
STEPS <- list(c(0.01, 0.05), c(0.05, 0.25))

# Returns the number of evaluations of the adaptive Simpson scheme of Gander and Gautschi (2000),
# doi:10.1023/A:1022318402393, on which Matlab's quad, the baseline of the paper, is based.  It starts with seven points
# that define three intervals, at unequal distances so that a periodic integrand is not sampled at its period, and adds
# two points for each bisection.  An interval is accepted if the sum over its halves and its extrapolation,
# halves + (halves - whole) / 15, differ by at most `tol`.  An infinite value at a limit is replaced by the value at a
# point next to it.
quad_evaluations <- function(f, a, b, tol = 1e-5) {
  count <- 0
  value <- function(x) {
    count <<- count + 1
    f(x)
  }
  refine <- function(x, y) {                       # x: left end, midpoint, right end of an interval; y: values at x
    new <- c(mean(x[1:2]), mean(x[2:3]))
    middle <- c(value(new[1]), value(new[2]))
    h <- x[3] - x[1]
    whole <- h / 6 * sum(c(1, 4, 1) * y)
    halves <- h / 12 * sum(c(1, 4, 2, 4, 1) * c(y[1], middle[1], y[2], middle[2], y[3]))
    if (abs(halves - whole) / 15 <= tol || h < 1024 * .Machine$double.eps) return(invisible())
    refine(c(x[1], new[1], x[2]), c(y[1], middle[1], y[2]))
    refine(c(x[2], new[2], x[3]), c(y[2], middle[2], y[3]))
  }
  x <- a + (b - a) * c(0, 0.13579, 0.27158, 0.5, 0.72842, 0.86421, 1)
  y <- vapply(x, value, 0)
  if (!is.finite(y[1])) y[1] <- value(a + .Machine$double.eps * (b - a))
  if (!is.finite(y[7])) y[7] <- value(b - .Machine$double.eps * (b - a))
  for (k in c(1, 3, 5)) refine(x[k + 0:2], y[k + 0:2])
  count
}
