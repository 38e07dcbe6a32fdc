# Algorithm 3 of Thuerck et al. (2014) as printed in the paper.  Returns the value and the number of points.  The
# integrand may have a pole at the first point.
algorithm3 <- function(f, a, b, low, high) {
  h <- low
  p <- a
  last <- f(p)
  probe <- f(p + 0.1 * h)
  if (!is.finite(last)) last <- probe
  hill <- (probe - last) / (0.1 * h)
  q <- 0
  count <- 2
  while (p < b) {
    if (p + (1 + 1e-6) * h >= b) h <- b - p
    p <- if (h < b - p) p + h else b
    this <- f(p)
    count <- count + 1
    q <- q + h * (this + last) / 2
    now <- abs(this - last) / h
    d <- max(abs((now - hill) / now), abs(now - hill))
    h <- low + exp(-d) * (high - low)
    last <- this
    hill <- now
  }
  c(q, count)
}
