# tan(pi alpha/2) near its pole.  With e = 1 - alpha, which is exact for alpha
# in [1/2, 2], the tangent is cot(pi e/2); the products below stay finite at
# e = 0.

# cos(pi e/2), exactly 0 at alpha = 2.
cos_half_pi <- function(alpha) sinpi(pmin(alpha, 2 - alpha) / 2)

# e tan(pi alpha/2), which is 2/pi at alpha = 1.
scaled_tangent <- function(alpha) {
  e <- 1 - alpha
  ifelse(e == 0, 2 / pi, e * cos_half_pi(alpha) / sinpi(e / 2))
}

# tan(pi alpha/2) (exp(e l) - 1), which is (2/pi) l at alpha = 1.
tangent_expm1 <- function(alpha, l) {
  d <- (1 - alpha) * l
  slope <- ifelse(d == 0, 1, expm1(d) / d)
  scaled_tangent(alpha) * l * slope
}
