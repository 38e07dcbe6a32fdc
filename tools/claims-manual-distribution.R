# The evidence for the manual pages of the distribution functions (tools/check-claims).

# --- arguments of several pages ---
manual("stable", "stable_cf", "stable_convert", "stable_es", "stable_eval", "stable_mode", "stable_score")
takes("alpha: index of stability, 0 <", is.finite(dstable(0.5, 1e-3, 0)), is.finite(dstable(0, 2, 0)),
      is_nan_with_warning(dstable(0, c(0, 2.1), 0)))
takes("beta: skewness, -1", is.finite(dstable(0, 1.5, c(-1, 1))), is_nan_with_warning(dstable(0, 1.5, c(-1.1, 1.1))))
takes("gamma: scale", near(dstable(3 * 2, 1.5, 0.3, gamma = 3) * 3, dstable(2, 1.5, 0.3)),
      is.finite(pstable(1, 1.5, 0, gamma = 0)), is_nan_with_warning(dstable(0, 1.5, 0, gamma = -1)))
takes("delta: location", near(pstable(2 + 1e3, 1.5, 0.3, delta = 1e3), pstable(2, 1.5, 0.3)),
      near(pstable(-7, 1.5, 0.3, delta = -9), pstable(2, 1.5, 0.3)))
takes("pm: parametrisation:", all(mapply(identical, lapply(0:2, function(k) dstable(1, 1.5, 0.3, pm = k)),
                                         lapply(paste0("S", 0:2), function(k) dstable(1, 1.5, 0.3, pm = k)))),
      not = c(dstable(1, 1.5, 0, pm = 3), dstable(1, 1.5, 0, pm = "s0")))
takes("n: number of observations", length(rstable(3, 1.5, 0)) == 3, length(rstable(c(9, 9), 1.5, 0)) == 2)
takes("lower.tail: logical; if `TRUE` (default), probabilities", near(pstable(1, 1.5, 0.3) + pstable(1, 1.5, 0.3,
      lower.tail = FALSE), 1), pstable(1, 1.5, 0.3) == pstable(1, 1.5, 0.3, lower.tail = TRUE),
      pstable(9, 1.5, 0.3, lower.tail = FALSE) < 0.1)
takes("precision: precision in which OpenCL devices compute:", eval(formals(dstable)$precision)[[1]] == "double",
      dstable(0, 1.5, 0, precision = "single") > 0, not = dstable(0, 1.5, 0, precision = "half"))

manual("stable", "stable_cf", "stable_es", "stable_mode", "stable_score", "stable_quick")
tested("Parameters outside their domain give `NaN` with a warning.", "stable-cf: stable_cf() of many points equals",
       "stable-mode: stable_mode() follows the conventions", "stable-score: stable_score() follows the conventions",
       "stable-es: stable_es() follows the conventions")

# --- stable: arguments, value, parametrisations ---
manual("stable")
takes("x, q: vector of quantiles", dstable(c(-Inf, -1e300, 0, 1e300), 1.5, 0) >= 0,
      near(pstable(60, 1.5, 0.3, 10, 20), pstable(4, 1.5, 0.3)))
takes("log, log.p: logical;", near(dstable(1, 1.5, 0.3, log = TRUE), log(dstable(1, 1.5, 0.3))),
      is.finite(dstable(1e250, 1.5, 0.3, log = TRUE)), dstable(1e250, 1.5, 0.3) == 0,
      is.finite(pstable(-1e4, 1.5, 1, log.p = TRUE)), pstable(-1e4, 1.5, 1) == 0)
tested("...: the tuning arguments", "conventions-density: tuning arguments of stabledist are ignored",
       "stabledist-scripts: tuning arguments of stabledist are accepted and have no effect")
takes("p: vector of probabilities from 0 to 1", qstable(c(0, 1), 1.5, 0) == c(-Inf, Inf),
      near(qstable(log(0.3), 1.5, 0.2, log.p = TRUE), qstable(0.3, 1.5, 0.2)),
      is_nan_with_warning(qstable(c(-0.1, 1.1), 1.5, 0)))
shown("A numeric vector: `dstable()` gives", {
  x <- c(-1, 2)
  slope <- (pstable(x + 1e-4, 1.5, 0.3) - pstable(x - 1e-4, 1.5, 0.3)) / 2e-4
  near(slope, dstable(x, 1.5, 0.3), 1e-7) && near(qstable(pstable(x, 1.5, 0.3), 1.5, 0.3), x) &&
    is.double(rstable(3, 1.5, 0.3)) && length(rstable(3, 1.5, 0.3)) == 3
})
tested("Density, distribution function, quantile function and random generation for the alpha-stable distributions, ",
       "stable-reference: density and both tails are as accurate as promised", "stable-reference: quantiles are as")
definition("Let ")
shown("The standard S0 variable", {
  t <- c(-2, 0.7, 3)
  log_cf <- function(alpha, beta) -abs(t)^alpha - 1i * beta * tan(pi * alpha / 2) * sign(t) * (abs(t) - abs(t)^alpha)
  cauchy <- function(beta) -abs(t) - 1i * beta * 2 / pi * t * log(abs(t))
  near(stable_cf(t, 1.5, 0.3), exp(log_cf(1.5, 0.3))) && near(stable_cf(t, 1, 0.3), exp(cauchy(0.3)))
})
introduction("The argument `pm` selects")
shown("`0` or `\"S0\"`:", {
  near(pstable(7, 1.5, 0.3, 2, 3), pstable(2, 1.5, 0.3)) && near(dstable(1, 1 + 1e-12, 0.5), dstable(1, 1, 0.5)) &&
    near(dstable(1, 1.5, 1e-12), dstable(1, 1.5, 0))
})
shown("`1` or `\"S1\"`:", {
  zeta <- -0.3 * tan(pi * 0.75)
  near(pstable(2 * (1 - zeta) + 3, 1.5, 0.3, 2, 3, pm = 1), pstable(1, 1.5, 0.3)) &&
    near(pstable(2 * 1 + 3 + 0.3 * 2 * 2 / pi * log(2), 1, 0.3, 2, 3, pm = 1), pstable(1, 1, 0.3))
})
shown("`2` or `\"S2\"`:", {
  m <- stable_mode(1.5, 0.3)
  near(pstable(2 * 1.5^(-1 / 1.5) * (1 - m) + 3, 1.5, 0.3, 2, 3, pm = 2), pstable(1, 1.5, 0.3)) &&
    near(stable_mode(1.5, 0.3, 2, 3, pm = 2), 3) && near(pstable(5, 2, 0, 3, 1, pm = 2), pnorm(5, 1, 3)) &&
    near(pstable(5, 1, 0, 3, 1, pm = 2), pcauchy(5, 1, 3))
})
shown("At `alpha = 2` the distribution is normal", {
  x <- c(-3, 0, 2)
  near(dstable(x, 2, 0.7, 3), dnorm(x, 0, 3 * sqrt(2))) && near(dstable(x, 2, -0.7, 3, pm = 1),
      dnorm(x, 0, 3 * sqrt(2)))
})
tested("All vector arguments are recycled", "conventions-density: dstable() follows the conventions of dnorm()",
       "conventions-distribution: pstable() follows the conventions",
         "conventions-quantile: qstable() follows the conven")
tested("Parameters outside 0 <", "peers-interface: parameters outside the domain give NaN and one warning",
       "peers-interface: only probabilities outside [0, 1] give NaN")
shown("`gamma = 0` is a point mass", {
  identical(pstable(c(2.9, 3), 1.5, 0, 0, 3), c(0, 1)) && identical(dstable(c(2.9, 3), 1.5, 0, 0, 3), c(0, Inf)) &&
    identical(rstable(2, 1.5, 0, 0, 3), c(3, 3))
})
shown("The quantiles of 0 and 1", {
  identical(qstable(0:1, 0.7, 0.5), c(-Inf, Inf)) && identical(qstable(0:1, 1.2, 1), c(-Inf, Inf)) &&
    near(qstable(0, 0.7, 1), -tan(pi * 0.35)) && qstable(1, 0.7, 1) == Inf && near(qstable(1, 0.7, -1), tan(pi * 0.35))
})

# --- stable: accuracy, devices, precision ---
tested("Errors are measured on the logarithmic scale, as", "stable-reference: the error measures of helper-accuracy.R")
tested("The aim is 1e-12 for all valid", "stable-reference: density and both tails are as accurate as promised",
       "stable-reference: values at scattered points and in extremely light tails are as accurate as promised",
       "stable-small-alpha: values for small alpha agree with ball arithmetic",
       "stable-small-alpha: values for alpha next to 0 are those of the limit")
tested("The error of a quantile `q`", "stable-reference: quantiles are as accurate as promised",
       "stable-reference: quantiles by log.p and by the other tail")
shown("No parameter is rounded", {
  change <- dstable(2, 1 + c(1e-10, 0, -1e-10), 0.5)
  length(unique(change)) == 3 && near((change[1] - change[3]) / 2e-10, stable_score(2, 1, 0.5)[, "alpha"] * change[2],
      1e-4)
})
shown("The smaller tail probability is computed directly", {
  near(pstable(1e20, 1.5, 0.3, lower.tail = FALSE) * 1e30, (1 + 0.3) / 2 * 2 * sin(pi * 0.75) * gamma(1.5) / pi) &&
    stable_eval(1e20, 1.5, 0.3)$error < 1e-12
})
shown("Densities, probabilities and quantiles of 5000", {
  exactly <- function(f) {
    before <- stable_cache(0)
    on.exit(stable_cache(before))
    f()
  }
  set.seed(2)
  differences <- replicate(12, {
    alpha <- runif(1, 0.3, 2)
    beta <- runif(1, -1, 1)
    p <- rep_len(c(10^-runif(2000, 0, 9), runif(2000)), 5000)
    x <- qstable(p, alpha, beta)
    q <- abs(x - exactly(function() qstable(p, alpha, beta))) / (1e-12 * abs(x) + 4 * .Machine$double.eps +
                                                                  100 * .Machine$double.eps * p / dstable(x, alpha,
                                                                      beta))
    logs <- function() cbind(dstable(x, alpha, beta, log = TRUE), pstable(x, alpha, beta, log.p = TRUE))
    exact <- exactly(logs)
    c(max(abs(logs() - exact) / pmax(1, abs(exact))), max(q))
  })
  max(differences[1, ]) < 6e-14 && max(differences[1, ]) > 1e-14 && max(differences[2, ]) < 2 &&
    source_has("src/run/device/copies.c", "#define BUILD_INTERPOLANT 100000")
})
tested("With `stable_backend()` `\"auto\"`", "device-auto: auto uses the device only above the crossover",
       "device-auto: the crossover is measured once a job is large enough")
tested("A device runs the same code", "stable-reference: density and both tails are as accurate as promised",
       "stable-reference: quantiles are as accurate as promised",
       "device-backend: a device gives the values of the CPU")
shown("With `pm = 2` and more than one shape", {
  bands <- c("0.1 to 0.5", "0.5 to 0.9", "0.9 to 1.1", "1.1 to 1.9", "1.9 to 2")
  densities <- as.numeric(vapply(bands, function(band)
    cell("bench/gpu/elements.md", sprintf("| density | %s", band), 5), ""))
  ratio <- densities / as.numeric(cell("bench/gpu/quantities.md", "| dstable(), S2, a shape per element", 6))
  min(ratio) > 25 && max(ratio) < 200
})
tested("With `precision = \"single\"`, which is never chosen silently, an OpenCL device evaluates the interpolant",
       "device-precision: values in single precision have relative errors below 1e-6",
       "device-precision: a device selected by name refuses what it does not compute in single precision")
coded("The position of each point within the interpolant", "src/run/device/single.c: const uint32 *)c->stream->column[0]")
coded("The device returns another number of four bytes", "src/run/device/single.c: (const float *)c->stream->out.host")
tested("Densities and probabilities have relative errors below 1e-6",
       "device-precision: values in single precision have relative errors below 1e-6, also in far tails")
tested("A test checks these bounds against double",
       "device-precision: values in single precision have relative errors below 1e-6")
tested("Points outside the interpolant, and",
       "device-precision: location, scale, parametrisation, recycling and special",
       "device-precision: values in single precision have relative errors below 1e-6, also in far tails")
tested("`rstable()` of one distribution with `alpha` of 0.1",
       "device-precision: random numbers in single precision are",
       "device-precision: location and scale of random numbers", "device-precision: random numbers that devices do not")
tested("Numbers `x` of the standard",
       "device-precision: random numbers in single precision are those of double precision")
tested("With `pm = 1`, and `alpha` below 0.9",
       "device-precision: random numbers in single precision are those of double")
tested("For `alpha` below 0.5 both bounds", "device-precision: random numbers in single precision are those of double")
tested("A test checks these bounds for 40000",
       "device-precision: random numbers in single precision are those of double")
shown("On an H200 it takes longer", {
  page <- "bench/gpu/precision.md"
  any(grepl("H200", readLines(page))) && all(vapply(c("density", "probability", "quantile", "random numbers"),
      function(what)
    as.numeric(cell(page, sprintf("| %s |", what), 5)) < 1, NA))
})
tested("Single precision makes devices without",
       "device-precision: each job in single precision runs on a device without")
tested("A device that was selected by name raises an error of class `\"stablecl_error_unsupported\"` for other calls",
       "device-precision: a device selected by name refuses what it does not compute in single precision")
tested("Under `\"auto\"` a device is used for a million or more",
       "device-precision: the CPU computes in double precision, and \\\"auto\\\"",
       code = "src/run/run.c: #define SINGLE_MIN 1e6")
shown("The CPU always computes in double precision: there", {
  with_backend <- function(...) {
    local_stable_backend("cpu")
    dstable(c(-1, 3), 1.5, 0.3, ...)
  }
  identical(with_backend(precision = "single"), with_backend())
})
tested("Element `i` of a sample is a function", "philox: element i of a sample uses block i",
       "conventions-random: a longer sample begins with the shorter one", "conventions-random: set.seed() determines")
tested("`set.seed()` therefore determines", "conventions-random: set.seed() determines the sample",
       "conventions-random: a sample does not depend on the number of threads")
tested("The transformation is that of Chambers", "stable-random-digits: random numbers agree with reference values",
       "stable-random: random numbers are continuous in alpha, especially at alpha = 1")
raises("`\"stablecl_error_argument\"`: an argument is missing, empty or unknown, or `pm` or `precision`",
       qstable(0.5, 1.5), dstable(0, 1.5, 0, , , , , ), pstable(0, 1.5, 0, speed = 1), rstable(1, 1.5, 0, pm = 7),
       dstable(0, 1.5, 0, precision = "half"))
raises("`\"stablecl_error_unsupported\"`: a device that is selected by name (`stable_backend()`) does not support the "
       , tests = "device-precision: a device selected by name refuses what it does not compute in single precision")
raises("`\"stablecl_error_device\"`: this device does not exist, or has failed;",
       tests = c("device-backend: an unknown backend name is an error",
                 "device-faults: errors of a device selected by name have a class"))
tested("`rstable()` treats `n`", "conventions-random: n is treated as in rnorm()")
tested("Long calculations can be interrupted.", "interrupts: an interrupt ends a call, and the next call works")

# --- stable_cf ---
manual("stable_cf")
takes("t: vector of real arguments", near(stable_cf(1:2, 1.5, 0.3, 10), stable_cf(10 * 1:2, 1.5, 0.3)))
shown("A complex vector, with the arguments recycled", {
  value <- stable_cf(1:4, c(1, 1.5), 0)
  is.complex(value) && length(value) == 4 && near(value[4], stable_cf(4, 1.5, 0))
})
tested("\\phi(t) = E", "stable-cf: stable_cf() is continuous in alpha at 1 without loss of digits",
       "stable-cf: stable_cf() agrees with closed forms")
shown("With u = \\gamma|t| the S0", {
  t <- c(-3, 0.4, 2)
  u <- 2 * abs(t)
  log_cf <- -u^1.3 * (1 + 1i * 0.4 * sign(t) * tan(pi * 0.65) * (u^-0.3 - 1)) + 1i * 5 * t
  near(stable_cf(t, 1.3, 0.4, 2, 5), exp(log_cf))
})
shown("The product of the tangent and the bracket", {
  u <- c(0.2, 3)
  bracket <- (log(stable_cf(u, 1 + 1e-13, 1)) / -u - 1) / 1i
  near(Re(log(stable_cf(u, 1, 1))), -u) && near(bracket, 2 / pi * log(u) * c(1, 1), 1e-9)
})
shown("|\\phi - \\phi^*|", {
  set.seed(1)
  alpha <- c(runif(200, 0.1, 2), 1 + sample(c(-1, 1), 200, TRUE) * 10^-runif(200, 1, 14))
  beta <- runif(400, -1, 1)
  u <- 10^runif(400, -3, 0.5)
  # tan(pi alpha/2) (u^(1 - alpha) - 1), in which alpha - 1 is a double
  bracket <- -expm1((1 - alpha) * log(u)) / tan(pi / 2 * (alpha - 1))
  exponent <- -u^alpha * (1 + 1i * beta * bracket)
  all(Mod(stable_cf(u, alpha, beta) - exp(exponent)) <= 2e-15 * exp(Re(exponent)) * pmax(1, Mod(exponent)))
})
raises("`\"stablecl_error_argument\"`: an argument is missing, or `pm`", stable_cf(1), stable_cf(1, 1.5, 0, pm = 7))
shown("Vectors that are not numeric raise an error without", {
  failure <- tryCatch(stable_cf("a", 1.5, 0), error = identity)
  !inherits(failure, "stablecl_error") && conditionMessage(failure) ==
    conditionMessage(tryCatch(log("a"),
                              error = function(e) simpleError("Non-numeric argument to mathematical function")))  ||
    conditionMessage(failure) == tryCatch(dnorm("a"), error = conditionMessage)
})

# --- stable_convert ---
manual("stable_convert")
takes("from, to: parametrisations", identical(stable_convert(1.5, 0.3, from = "S0", to = "S2"),
      stable_convert(1.5, 0.3, from = 0, to = 2)), not = c(stable_convert(1.5, 0, from = 3),
          stable_convert(1.5, 0, to = "s1")))
shown("A data frame with the columns `alpha`, `beta`, `gamma` and `delta`, one row per distribution", {
  value <- stable_convert(c(1, 1.5), 0.3, gamma = 1:4)
  is.data.frame(value) && identical(names(value), c("alpha", "beta", "gamma", "delta")) && nrow(value) == 4
})
shown("Converts the parameters", {
  now <- stable_convert(1.5, 0.3, 2, 5, from = 1, to = 2)
  near(pstable(4, 1.5, 0.3, 2, 5, pm = 1), pstable(4, now$alpha, now$beta, now$gamma, now$delta, pm = 2)) &&
    now$gamma != 2 && now$delta != 5
})
shown("With \\tau = ", {
  s1 <- stable_convert(c(1.5, 1), 0.3, 2, 5, from = 0, to = 1)
  s2 <- stable_convert(1.5, 0.3, 2, 5, from = 0, to = 2)
  near(s1$delta, 5 - 0.3 * 2 * c(tan(pi * 0.75), 2 / pi * log(2))) && near(s2$gamma, 1.5^(1 / 1.5) * 2) &&
    near(s2$delta, 5 + 2 * stable_mode(1.5, 0.3))
})
shown("S1 is not continuous at `alpha = 1`", {
  near_one <- stable_convert(1 + c(-1e-9, 1e-9), 0.5, from = 0, to = 1)$delta
  back <- stable_convert(1 + 1e-9, 0.5, 1, stable_convert(1 + 1e-9, 0.5, 1, 1 / 3, to = 1)$delta, from = 1,
                         to = 0)$delta
  near_one[1] < -1e8 && near_one[2] > 1e8 && abs(back - 1 / 3) > 1e-13
})
raises("`\"stablecl_error_argument\"`: an argument is missing, or `from` or `to`", stable_convert(1.5),
       stable_convert(1.5, 0, from = 9), stable_convert(1.5, 0, to = 9))
manual("stable_convert", "stable_es", "stable_eval", "stable_mode", "stableMode", "stable_score", "stable_quick")
raises("`\"stablecl_error_device\"`, `\"stablecl_error_unsupported\"`: a device that is selected by name",
       tests = c("device-inventory: every exported function computes on the device, fails with a class",
                 "device-faults: errors of a device selected by name have a class"))

# --- stable_es ---
manual("stable_es")
takes("p: vector of tail probabilities", is.finite(stable_es(c(0.01, 1), 1.5, 0)),
      is_nan_with_warning(stable_es(c(-1, 2), 1.5, 0)))
shown("lower.tail: logical; if `TRUE` (default), E[X", {
  set.seed(1)
  x <- rstable(1e5, 1.9, 0.3)
  near(stable_es(0.2, 1.9, 0.3), mean(x[x <= qstable(0.2, 1.9, 0.3)]), 0.03) &&
    near(stable_es(0.2, 1.9, 0.3, lower.tail = FALSE), mean(x[x > qstable(0.8, 1.9, 0.3)]), 0.03)
})
shown("A numeric vector with the attributes that `qnorm()`", {
  p <- matrix(1:4 / 10, 2, dimnames = list(c("a", "b"), NULL))
  identical(attributes(stable_es(p, 1.5, 0)), attributes(qnorm(p)))
})
shown("`NA` and `NaN` are passed on.", {
  value <- stable_es(c(NA, NaN), 1.5, 0)
  is.na(value[1]) && !is.nan(value[1]) && is.nan(value[2])
})
tested("The mean of a stable distribution beyond",
       "stable-es: the expected shortfall is the mean of the quantiles below p",
       "stable-es: the shortfall agrees with a large sample")
tested("Values have the unit and the sign",
       "stable-es: shortfalls respect scale, location, parametrisation and reflection")
shown("A tail has a finite mean if", all(is.finite(stable_es(0.1, c(1.01, 1.01, 1.01, 2), c(-1, 0, 0.5, 0)))))
tested("For `alpha <= 1` the lower tail gives", "stable-es: tails without a mean give an infinite value or NaN",
       "stable-es: the expected shortfall is the mean of the quantiles below p")
shown("For `p = 1` the value is the mean", {
  near(stable_es(1, c(1.01, 1.6), 0.4, 3, -7, pm = 1), -7) && near(stable_es(1, 1.6, 0.4), -0.4 * tan(0.8 * pi)) &&
    identical(stable_es(1, c(0.5, 1, 0.5, 1), c(1, 1, -1, -1)), c(Inf, Inf, -Inf, -Inf)) &&
    is_nan_with_warning(stable_es(1, c(0.5, 1), c(0.9, 0)))
})
shown("For `p = 0` it is the end of the support.", {
  identical(stable_es(0, c(1.5, 0.5), c(0.5, 1)), qstable(0, c(1.5, 0.5), c(0.5, 1)))
})
shown("With F the distribution function, E[X", {
  q <- qstable(0.2, 1.7, 0.3)
  below <- integrate(function(t) pstable(t, 1.7, 0.3), -Inf, q, rel.tol = 1e-9)$value
  near(stable_es(0.2, 1.7, 0.3), q - below / 0.2, 1e-7) && source_has("R/stable-risk.R", "legendre_16$x")
})
shown("Stoyanov et al. (2006)", {
  by_angle <- function(p, alpha, beta) {
    q <- qstable(p, alpha, beta, pm = 1)
    a <- atan(sign(q) * beta * tan(pi * alpha / 2)) / alpha
    power <- alpha / (alpha - 1)
    integrand <- function(t) {
      s <- sin(alpha * (a + t))
      V <- cos(alpha * a)^(1 / (alpha - 1)) * (cos(t) / s)^power * cos(alpha * a + (alpha - 1) * t) / cos(t)
      (sin(alpha * (a + t) - 2 * t) / s - alpha * cos(t)^2 / s^2) * exp(-abs(q)^power * V)
    }
    power / (pi * p) * abs(q) * integrate(integrand, -a, pi / 2, rel.tol = 1e-9)$value
  }
  near(c(by_angle(0.05, 1.3, 0.5), by_angle(0.01, 1.7, -0.2)),
       stable_es(c(0.05, 0.01), c(1.3, 1.7), c(0.5, -0.2), pm = 1))
})
shown("The error is below 1e-10", {
  table <- read.csv("tests/testthat/data/shortfall.csv", comment.char = "#")
  p <- c(0.01, 0.3, 0.49)
  q <- 1 / qnorm(p / 2)^2
  levy <- (sqrt(2 * q / pi) * exp(-1 / (2 * q)) - 2 * pnorm(-1 / sqrt(q))) / p
  error <- abs(stable_es(table$sf, table$alpha, table$beta, lower.tail = FALSE) / table$es - 1)
  min(table$alpha) == 1.3 && max(error) < 1e-13 && near(stable_es(p, 0.5, 1, pm = 1), levy, 1e-12) &&
    near(stable_es(p, 2, 0), -sqrt(2) * dnorm(qnorm(p)) / p, 1e-12)
})
shown("Beyond the median two terms", {
  rule <- stablecl:::gauss_legendre(20)
  integral <- function(f, from, to, panels) {
    half <- (to - from) / panels / 2
    nodes <- outer(half * rule$x, from + half * (2 * seq_len(panels) - 1), "+")
    half * sum(rule$w * matrix(f(as.vector(nodes)), 20))
  }
  # the integral of F to the quantile, with the tail beyond exp(460), where it is a power
  right <- function(p, alpha, beta) {
    q <- qstable(p, alpha, beta)
    F <- function(t) pstable(t, alpha, beta)
    area <- integral(F, -100, q, 300) + integral(function(u) exp(u) * F(-exp(u)), log(100), 460, 600) +
      exp(460) * F(-exp(460)) / (alpha - 1)
    q - area / p
  }
  errors <- mapply(function(p, alpha, beta) abs(stable_es(p, alpha, beta) - right(p, alpha, beta)) * (alpha - 1),
                   c(0.6, 0.9, 0.6, 0.9), c(1.001, 1.01, 1.1, 1.5), c(0, -0.5, 0.7, 0.3))
  max(errors) < 1e-12
})
measured("A value takes less than a millisecond.", seconds(stable_es(1:200 / 500, 1.5, 0.3)) / 200)
raises("`\"stablecl_error_argument\"`: an argument is missing, or `pm` or a flag", stable_es(0.1),
       stable_es(0.1, 1.5, 0, pm = 7),
       stable_es(0.1, 1.5, 0, lower.tail = NA))

# --- stable_eval ---
manual("stable_eval")
takes("x: vector of quantiles.", nrow(stable_eval(1:3, 1.5, 0)) == 3)
takes("what: which columns", identical(names(stable_eval(0, 1.5, 0, what = c("sf", "error"))), c("sf", "error")),
      all(c("pdf", "cdf", "sf", "error") %in% eval(formals(stable_eval)$what)),
        not = stable_eval(0, 1.5, 0, what = "tail"))
shown("log: logical; if `TRUE`, `pdf`, `cdf` and `sf`", {
  plain <- stable_eval(1:3, 1.5, 0)
  logs <- stable_eval(1:3, 1.5, 0, log = TRUE)
  near(as.matrix(log(plain[c("pdf", "cdf", "sf")])), as.matrix(logs[c("pdf", "cdf", "sf")])) &&
    identical(plain$error, logs$error)
})
shown("A data frame with one row per point and", {
  value <- stable_eval(1:3, 1.5, 0, what = c("cdf", "pdf"))
  is.data.frame(value) && nrow(value) == 3 && identical(names(value), c("cdf", "pdf"))
})
shown("Arguments are recycled as in `dstable()`; attributes", {
  value <- stable_eval(c(a = 1, b = 2), c(1.5, 1.6, 1.7, 1.8), 0)
  nrow(value) == 4 && is.null(names(value$pdf)) && near(value$pdf[3], dstable(1, 1.7, 0))
})
tested("Column `error` estimates", "stable-reference: errors do not exceed their estimates by more than",
       "stable-reference: error estimates are small for random parameters and points")
tested("No true error of more than twice", "stable-reference: errors do not exceed their estimates by more than")
measured("The density, the distribution function and the upper tail", {
  alpha <- seq(0.5, 1.9, length.out = 2000)
  time <- function(f) min(replicate(3, seconds(f(-1:2, alpha, 0.3))))
  time(stable_eval) / (time(dstable) + time(pstable) + time(function(...) pstable(..., lower.tail = FALSE)))
}, identical(names(stable_eval(0, 1.5, 0)), c("pdf", "cdf", "sf", "error")))
tested("This function computes any combination of them",
       "stable-eval: stable_eval() returns the values of the single functions",
       "stable-eval: stable_eval() returns the requested columns in the requested order")
raises("`\"stablecl_error_argument\"`: an argument is missing or empty, or `what`", stable_eval(0), stable_eval(0, , 0),
       stable_eval(0, 1.5, 0, what = "tail"), stable_eval(0, 1.5, 0, pm = 7))

# --- stable_mode, stableMode ---
manual("stable_mode")
shown("A numeric vector with the attributes that `dnorm()`", {
  alpha <- c(a = 1.2, b = 1.5)
  identical(attributes(stable_mode(alpha, 0.3)), attributes(dnorm(alpha))) && is.double(stable_mode(1.5, 0.3))
})
shown("In S2 the mode is `delta`.", identical(stable_mode(c(0.7, 1.5), 0.3, 2, 5, pm = 2), c(5, 5)))
tested("The point at which the density of a stable", "stable-mode: the density is lower on both sides of the mode")
shown("Every stable distribution has exactly one mode", {
  x <- seq(-4, 4, 0.01)
  rises <- function(alpha, beta) sum(diff(sign(diff(dstable(x, alpha, beta)))) != 0)
  all(mapply(rises, c(0.8, 1.2, 1.7), c(0.5, -0.9, 1)) == 1) && identical(stable_mode(c(0.7, 2), c(0, 0.9)), c(0, 0)) &&
    near(stable_mode(1.3, -0.4), -stable_mode(1.3, 0.4)) && near(stable_mode(0.02, 0.5), -0.5 * tan(pi * 0.01), 1e-6)
})
tested("The error for `gamma = 1` and `delta = 0` in S0", "stable-mode: modes agree with the zeros of slopes")
tested("A device computes modes if", "device-values: modes on a device agree with the CPU, for every parametrisation")

manual("stableMode")
shown("beta.max, tol: ignored", {
  suppressWarnings(stableMode(1.5, 1, beta.max = 0.9, tol = 1) == stable_mode(1.5, 1)) &&
    any(grepl("Accuracy", readLines("man/stable_mode.Rd")))
})
tested("The value of `stable_mode()` for",
       "stable-mode: stableMode(), which scripts for stabledist use, warns and returns")
tested("For scripts that use the package stabledist", "stable-mode: stableMode(), which scripts for stabledist use")
shown("Deprecated: use `stable_mode()`", {
  identical(setdiff(names_of(stable_mode), names_of(stableMode)), c("gamma", "delta", "pm")) &&
    warns(stableMode(1.5, 0))
})
raises("A call gives a warning of class `\"stablecl_warning_deprecated\"`.", stableMode(1.5, 0))
raises("`\"stablecl_error_argument\"`: an argument is missing;", stableMode(beta = 0))

# --- dist_stable ---
manual("dist_stable")
tested("Vectors of stable distributions for package",
       "stable-distributional: vectors of stable distributions have means",
       "stable-distributional: functions of package distributional apply to")
shown("A vector of class `\"distribution\"`", {
  d <- dist_stable(c(1.5, 0.7, 2), 0)
  inherits(d, "distribution") && length(d) == 3
})
tested("`density()`, `cdf()`, `quantile()` and",
       "stable-distributional: methods of vectors of stable distributions return",
       "stable-distributional: vectors of stable distributions have means")
shown("Missing parameters give", {
  d <- dist_stable(c(1.5, NA), 0)
  identical(is.na(density(d, 0)), c(FALSE, TRUE)) && identical(is.na(mean(d)), c(FALSE, TRUE))
})
raises("`\"stablecl_error_argument\"`: an argument is missing or outside its domain, or", dist_stable(1.5),
       dist_stable(2.5, 0))

# --- stable_score ---
manual("stable_score")
shown("A numeric matrix with one row per element and", {
  value <- stable_score(1:3, 1.5, 0.2)
  is.double(value) && nrow(value) == 3 && identical(colnames(value), c("alpha", "beta", "gamma", "delta", "x"))
})
shown("Arguments are recycled as in `dstable()`; the rows", {
  value <- stable_score(c(a = 1, b = 2), c(1.5, 1.6), 0)
  identical(rownames(value), c("a", "b")) && near(value[2, ], stable_score(2, 1.6, 0))
})
tested("The derivatives of the log density of a stable", "stable-score: scores agree with all reference values",
       "stable-score: scores at the bounds of the parameters are limits from inside")
shown("With l(z; \\alpha, \\beta) the log density", {
  log_f <- function(pm) dstable(2, 1.5, 0.3, 2, 1, pm = pm, log = TRUE)
  standard <- function(s, m) dstable(1 / s + m, 1.5, 0.3, log = TRUE) - log(s)
  s2 <- 2 * 1.5^(-1 / 1.5)
  near(log_f(0), standard(2, 0)) && near(log_f(1), standard(2, -0.3 * tan(pi * 0.75))) &&
    near(log_f(2), standard(s2, stable_mode(1.5, 0.3))) &&
    near(dstable(2, 1, 0.3, 2, 1, pm = 1, log = TRUE), dstable(0.5 - 0.3 * 2 / pi * log(2), 1, 0.3,
        log = TRUE) - log(2))
})
shown("The columns are ", {
  theta <- c(alpha = 1.5, beta = 0.3, gamma = 2, delta = 1, x = 3)
  slope <- function(k, pm) {
    at <- function(h) {
      t <- replace(theta, k, theta[k] + h)
      dstable(t[5], t[1], t[2], t[3], t[4], pm = pm, log = TRUE)
    }
    (at(1e-5) - at(-1e-5)) / 2e-5
  }
  all(vapply(0:2, function(pm) near(stable_score(3, 1.5, 0.3, 2, 1, pm = pm)[1, ], vapply(1:5, slope, 0, pm), 1e-7),
             NA))
})
tested("At `alpha = 2` and `abs(beta) == 1`",
       "stable-score: scores at the bounds of the parameters are limits from inside",
       "stable-score: scores of the normal, Cauchy and Levy")
shown("There a score can be as large", stable_score(200, 2, 0)[, "alpha"] == -Inf &&
      stable_score(10, 2, 0)[, "alpha"] < -1e5)
coded("l_\\alpha and l_\\beta", "src/stable/differences.h: #define DIFFERENCE_NODES 10",
      "src/stable/score_rule.h: int near = s->alpha < SCORE_BY_DISTANCE, either = !near && s->alpha < 1.0;")
coded("Longer and shorter intervals follow",
      "src/stable/score_rule.h: if (slope_relative_error(best) <= SLOPE_TOLERANCE) return best;",
      "src/stable/score_rule.h: level == 1 ? SCORE_WIDER : level == 2 ? SCORE_WIDEST : pow(SCORE_SHRINK, level - 2)",
      "src/stable/score_rule.h: d = score_by_sum(s, h);",
      "src/stable/score_rule.h: d = slope_more_accurate(d, score_by_centre(s, h));",
      "src/stable/score_rule.h: slope_more_accurate(d, score_by_difference(s, h, enough))")
coded("Every score is computed with an estimate", "src/stable/score.h: #define SCORE_ERROR 1e-9",
      "src/stable/score.h: return s.error <= SCORE_ERROR * (size > 1.0 ? size : 1.0) ? s.value : NAN;")
tested("Errors against reference values are below", "stable-score: scores agree with all reference values")
introduction("A score is `NaN`, with a warning,")
shown("where the log density is not defined", {
  is_nan_with_warning(stable_score(-9, 0.5, 1, pm = 1)) && is_nan_with_warning(stable_score(Inf, 1.5, 0)) &&
    is_nan_with_warning(stable_score(1, 1.5, 0, gamma = c(0, Inf))) &&
      is_nan_with_warning(stable_score(1, 1.5, 0, delta = Inf))
})
tested("in column `alpha` for `pm = 1`", "stable-score: S1 has no score in alpha at alpha = 1 with beta != 0")
tested("where the error may exceed", "stable-score: scores are NaN only in the regions that the manual page states")
shown("where `(x - delta)/gamma` is beyond", {
  is_nan_with_warning(stable_score(2.2e301, 1.5, 0)) && !anyNA(stable_score(2e301, 1.5, 0))
})
measured("Scores at points of one distribution take 20 to 50 times", {
  x <- seq(-5, 5, length.out = 1000)
  time <- function(f) min(replicate(3, seconds(for (k in 1:5) f(x, 1.5 + k * 1e-6, 0.3))))
  time(stable_score) / time(dstable)
})
shown("The CPU uses the number of threads", {
  before <- stable_threads(7)
  on.exit(stable_threads(before))
  stable_score(seq(-5, 5, length.out = 5000), 1.4, 0.1)
  threads <- length(list.files("/proc/self/task"))                     # of a process on Linux
  threads >= 7 || threads == 0
})
tested("A device computes scores if", "device-values: scores on a device agree with the CPU, for every parametrisation")
shown("On an H200 a score with a shape of its own", {
  bands <- c("0.1 to 0.5", "0.5 to 0.9", "0.9 to 1.1", "1.1 to 1.9", "1.9 to 2")
  densities <- as.numeric(vapply(bands, function(band)
    cell("bench/gpu/elements.md", sprintf("| density | %s", band), 5), ""))
  scores <- function(row) as.numeric(cell("bench/gpu/quantities.md", sprintf("| stable_score(), %s", row), 6))
  min(densities / scores("a shape per element")) > 40 && max(densities / scores("a shape per element")) < 200 &&
    min(densities / scores("S2, a shape per element")) > 1000
})

# --- stable_quick ---
manual("stable_quick")
shown("A numeric matrix with one row per element of `x`", {
  value <- stable_quick(1:3, 1.5, 0.2)
  is.double(value) && nrow(value) == 3 && identical(colnames(value), c("logpdf", "alpha", "beta", "gamma", "delta"))
})
shown("Parameters outside their domain give `NaN` with a warning, as do", {
  is_nan_with_warning(stable_quick(1, 3, 0)) && warns(value <- stable_quick(0, 1, 0.5, pm = 1)) &&
    is.nan(value[, "alpha"]) && is.finite(value[, "logpdf"])
})
measured("The log density of a stable distribution and its derivatives with respect to the four", {
  set.seed(1)
  shapes <- cbind(runif(200, 0.5, 1.9), runif(200, -0.9, 0.9))
  x <- c(-1, 0.3, 2)
  seconds(quick <- apply(shapes, 1, function(s) stable_quick(x, s[1], s[2])[, 1])) / 200
}, max(abs(quick - apply(shapes, 1, function(s) dstable(x, s[1], s[2], log = TRUE)))) < 1e-9)
tested("For 0.3", "stable-approximate: the cells of the tables cover all shapes without a gap",
       code = c("data-raw/quick-tables.R: from exact",
                "src/interpolant/table_layout.h: as a function of alpha, beta and x."))
shown("For given parameters they are contracted", {
  set.seed(1)
  gaps <- replicate(20, {
    shape <- c(runif(1, 0.4, 1.9), runif(1, -0.9, 0.9))
    x <- qstable(runif(5, 0.02, 0.98), shape[1], shape[2])
    slope <- function(k) {
      at <- function(h) stable_quick(x, shape[1] + h * (k == 1), shape[2] + h * (k == 2))[, 1]
      h <- 1e-3
      (45 * (at(h) - at(-h)) - 9 * (at(2 * h) - at(-2 * h)) + (at(3 * h) - at(-3 * h))) / (60 * h)
    }
    quick <- stable_quick(x, shape[1], shape[2])[, 2:3]
    c(abs(cbind(slope(1), slope(2)) - quick), abs(quick - stable_score(x, shape[1], shape[2])[, 1:2]))
  })
  median(gaps[1:10, ]) < 1e-3 * median(gaps[11:20, ])        # closer to differences of its own values than to the exact
})
shown("Values outside these tables - shapes", {
  exact <- function(x, ...) stable_quick(x, ...)[, 1] == dstable(x, ..., log = TRUE)
  p <- 10^-seq(7, 300, length.out = 200)
  shares <- mapply(function(alpha, beta) {
    u <- c(seq(5e-7, 2e-3, 1e-6), seq(0.0025, 0.9975, 1e-3), 1 - seq(5e-7, 2e-3, 1e-6))
    weight <- rep(c(1e-6, 1e-3, 1e-6), c(2000, 996, 2000))
    sum(weight[exact(qstable(u, alpha, beta), alpha, beta)])
  }, c(0.5, 0.8, 1, 1.3, 1.7, 1.99, 1.99), c(1, 0.5, 1, 0.99, -1, 1, 0.95))
  all(exact(-3:3, 0.29, 0.3), exact(-3:3, 1.5, 0.3, pm = 2), exact(qstable(p / 10, 1.3, 0.5), 1.3, 0.5)) &&
    !any(exact(qstable(3e-6, 0.6, 0), 0.6, 0), exact(qstable(3e-6, 1.6, 0), 1.6, 0)) && max(shares) > 1e-4 &&
    max(shares) < 0.001
})
shown("The log density is within 1e-9", {
  page <- "bench/quick.md"
  count <- as.numeric(c(sub(" .*", "", cell(page, "anywhere |", 1)), sub(" .*", "", cell(page, "5000 close", 1))))
  largest <- max(as.numeric(cell(page, "anywhere |", 4)), as.numeric(cell(page, "5000 close", 4)))
  says(sentence, "%d random distributions, %d of", sum(count), count[2]) &&
    says(sentence, "was %s.", format(largest, digits = 1))
})
shown("Scores are within 1e-6", {
  page <- "bench/quick.md"
  names <- c("alpha", "beta", "gamma", "delta")
  inside <- vapply(names, function(p) as.numeric(cell(page, sprintf("| %s anywhere", p), 4)), 0)
  all(inside < 1e-6) && as.numeric(cell(page, "| beta close to a border", 4)) <= 1e-5
})
shown("More than half of the errors of scores", {
  set.seed(1)
  errors <- replicate(100, {
    a <- runif(1, 0.3, 2)
    b <- runif(1, -1, 1)
    s <- stable_score(c(-2, 0.1, 3), a, b)[, 1:4]
    abs(stable_quick(c(-2, 0.1, 3), a, b)[, -1] - s) / pmax(1, abs(s))
  })
  median(errors) < 1e-8
})
tested("A device computes the values, inside and outside",
       "device-values: stable_quick() on a device computes all elements")
tested("The log-likelihood, its gradient and the information",
       "stable-approximate: sums agree with the sums of the rows",
       "interplay: a sample that is read in parts has the same fit as the whole sample")
shown("The last example starts from", {
  x <- seeded(1, rstable(4e4, 1.7, 0.4))
  parts <- split(x, rep(1:4, each = 1e4))
  theta <- coef(stablefit(parts[[1]], "quantile"))
  passes <- 0
  repeat {
    passes <- passes + 1
    sums <- 0
    for (part in parts) {
      q <- stable_quick(part, theta[1], theta[2], theta[3], theta[4])
      sums <- sums + c(colSums(q), crossprod(q[, -1]))
    }
    step <- solve(matrix(sums[-(1:5)], 4), sums[2:5])
    theta <- theta + step
    if (sum(step * sums[2:5]) < 1e-10) break
  }
  whole <- stablefit(x)
  passes %in% 4:6 && max(abs(theta - coef(whole)) / sqrt(diag(vcov(whole)))) < 1e-4
})
shown("Where `alpha` is near 2 or `beta` near a border, shorten", {
  is_nan_with_warning(stable_quick(1, 2.001, 0)) && is_nan_with_warning(stable_quick(1, 1.5, 1.001))
})
raises("`\"stablecl_error_argument\"`: an argument is missing, `pm` is invalid, or a parameter", stable_quick(1, 1.5),
       stable_quick(1, 1.5, 0, pm = 7), stable_quick(1, 1:2, 0))
raises("`\"stablecl_error_data\"`: `x` is not numeric;", stable_quick("a", 1.5, 0))
