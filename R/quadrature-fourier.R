# The method "fourier" of gintegrate(), for f(x) cos(omega x) and f(x) sin(omega x)
# (src/quadrature/double_exponential/fourier.h).

# Checks what the table of methods does not: omega is not 0, and the ranges are infinite.
check_fourier <- function(lower, upper, omega, call) {
  if (any(omega == 0))
    stop_with(call, "argument", "`omega` must not be 0, for which the integrand does not oscillate; use \"auto\".")
  if (any(is.finite(lower) & is.finite(upper)))
    stop_with(call, "argument", "The method \"fourier\" integrates over half-lines and the whole line. For a finite ",
              "range use \"gk\", with the oscillating factor in `f`.")
}
