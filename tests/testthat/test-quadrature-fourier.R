# Fourier integrals, against closed forms and values of mpmath 1.3.0 with 40 digits.

omegas <- c(1e-3, 0.1, 1, 3, 100, 1e4)

fourier <- function(f, lower, upper, weight, omega, ...) {
  suppressWarnings(gintegrate(f, lower, upper, method = "fourier", control = list(omega = omega, weight = weight), ...))
}

case <- function(f, weight, true, lower = 0, upper = Inf) {
  list(f = f, weight = weight, lower = lower, upper = upper, true = if (is.function(true)) true(omegas) else true)
}

# Returns the integral of u^(p - 1) exp(i w (a + u)) over u > 0.
shifted_power <- function(w, a, p) exp(1i * (w * a + pi * p / 2)) * gamma(p) / w^p

root_exp <- function(w) sqrt(pi / (-1i * w)) * exp(-2 * sqrt(-1i * w))

cases <- list(
  "x^-0.9 cos" = case(function(x) x^-0.9, "cos", function(w) gamma(0.1) * cos(0.05 * pi) / w^0.1),
  "x^-0.5 cos" = case(function(x) 1 / sqrt(x), "cos", function(w) sqrt(pi / 2 / w)),
  "x^-0.1 cos" = case(function(x) x^-0.1, "cos", function(w) gamma(0.9) * cos(0.45 * pi) / w^0.9),
  "x^-1.5 sin" = case(function(x) x^-1.5, "sin", function(w) sqrt(2 * pi * w)),
  "x^-1 sin" = case(function(x) 1 / x, "sin", function(w) pi / 2 + 0 * w),
  "x^-0.5 sin" = case(function(x) 1 / sqrt(x), "sin", function(w) sqrt(pi / 2 / w)),
  "x^-0.1 sin" = case(function(x) x^-0.1, "sin", function(w) gamma(0.9) * sin(0.45 * pi) / w^0.9),
  "log(x)/x sin" = case(function(x) log(x) / x, "sin", function(w) -pi / 2 * (-digamma(1) + log(w))),
  "log(x)/sqrt(x) cos" = case(function(x) log(x) / sqrt(x), "cos",
                              function(w) sqrt(pi / 2 / w) * (digamma(0.5) - pi / 2 - log(w))),
  "log(x)/sqrt(x) sin" = case(function(x) log(x) / sqrt(x), "sin",
                              function(w) sqrt(pi / 2 / w) * (digamma(0.5) + pi / 2 - log(w))),
  "1/(1 + x^2) cos" = case(function(x) 1 / (1 + x^2), "cos", function(w) pi / 2 * exp(-w)),
  "1/(1 + x^2) sin" = case(function(x) 1 / (1 + x^2), "sin",
                           c(0.0073305409747261673, 0.2731303940804107, 0.64676112277913007, 0.37833007080197987,
                             0.010002002407240688, 0.00010000000200000024)),
  "x/(1 + x^2) sin" = case(function(x) x / (1 + x^2), "sin", function(w) pi / 2 * exp(-w)),
  "x/(1 + x^2)^2 sin" = case(function(x) x / (1 + x^2)^2, "sin", function(w) pi / 4 * w * exp(-w)),
  "1/(1 + x^2)^2 cos" = case(function(x) 1 / (1 + x^2)^2, "cos", function(w) pi / 4 * (1 + w) * exp(-w)),
  "1/(1 + x^4) cos" = case(function(x) 1 / (1 + x^4), "cos", function(w) {
    v <- w / sqrt(2)
    pi / 2 / sqrt(2) * exp(-v) * (cos(v) + sin(v))
  }),
  "log(x^2/(1 + x^2)) cos" = case(function(x) -log1p(1 / x^2), "cos", function(w) pi * expm1(-w) / w),
  "1/(1 + x) cos" = case(function(x) 1 / (1 + x), "cos",
                         c(6.3321064948761432, 1.8660764089090893, 0.34337796155642703, 0.079221521164364044,
                           9.9940119499589493e-5, 9.99999940000012e-9)),
  "1/(1 + x) sin" = case(function(x) 1 / (1 + x), "sin",
                         c(1.5634650031433635, 1.2910047283091012, 0.62144962423581336, 0.29195771069207877,
                           0.0099980023928399618, 9.999999800000024e-5)),
  "exp(-x) cos" = case(function(x) exp(-x), "cos", function(w) 1 / (1 + w^2)),
  "exp(-x) sin" = case(function(x) exp(-x), "sin", function(w) w / (1 + w^2)),
  "exp(-100 x) sin" = case(function(x) exp(-100 * x), "sin", function(w) w / (1e4 + w^2)),
  "exp(-x/100) cos" = case(function(x) exp(-x / 100), "cos", function(w) 0.01 / (1e-4 + w^2)),
  "exp(-x)/sqrt(x) cos" = case(function(x) exp(-x) / sqrt(x), "cos", function(w) Re(sqrt(pi) / sqrt(1 - 1i * w))),
  "exp(-x)/sqrt(x) sin" = case(function(x) exp(-x) / sqrt(x), "sin", function(w) Im(sqrt(pi) / sqrt(1 - 1i * w))),
  "exp(-1/x)/sqrt(x) cos" = case(function(x) exp(-1 / x) / sqrt(x), "cos", function(w) Re(root_exp(w))),
  "exp(-1/x)/sqrt(x) sin" = case(function(x) exp(-1 / x) / sqrt(x), "sin", function(w) Im(root_exp(w))),
  "exp(-x^2) cos" = case(function(x) exp(-x^2), "cos", function(w) sqrt(pi) / 2 * exp(-w^2 / 4)),
  "1/(exp(x) + 1) sin" = case(function(x) 1 / (exp(x) + 1), "sin",
                             c(0.00082246608639226929, 0.081309427389667804, 0.36398547250893342, 0.1664131416534685,
                               0.005, 5e-5)),
  "1/cosh(x) cos" = case(function(x) 1 / cosh(x), "cos", function(w) pi / 2 / cosh(pi * w / 2)),
  "1/x from 7 cos" = case(function(x) 1 / x, "cos",
                          c(4.3846417150002805, -0.10051470700889788, -0.076695278482184518, -0.04089050015469237,
                            -0.00077881001273975634, 1.1764030395795132e-5), 7),
  "1/x from 7 sin" = case(function(x) 1 / x, "sin",
                          c(1.5637963458504242, 0.88957408767828527, 0.11619971254680303, -0.024094641274762702,
                            -0.0011976054425949514, 8.1048887330377042e-6), 7),
  "1/x from 1000 cos" = case(function(x) 1 / x, "cos",
                             c(-0.33740392290096815, 0.0051488251426104443, -0.00082631551109068228,
                               -7.3171717585714658e-5, -3.5758791572935136e-7, -4.205478839178127e-8), 1000),
  "1/x from 1000 sin" = case(function(x) 1 / x, "sin",
                             c(0.62471325642771359, 0.008570859905840354, 0.00056320482612540108,
                               -0.00032520297326390692, -9.9936044975036078e-6, -9.072703441269421e-8), 1000),
  "1/sqrt(x - 2) from 2 cos" = case(function(x) 1 / sqrt(x - 2), "cos", function(w) Re(shifted_power(w, 2, 0.5)), 2),
  "1/sqrt(x + 3) from -3 sin" = case(function(x) 1 / sqrt(x + 3), "sin", function(w) Im(shifted_power(w, -3, 0.5)), -3),
  "exp(x) to 1 cos" = case(exp, "cos", function(w) Re(exp(1 + 1i * w) / (1 + 1i * w)), -Inf, 1),
  "exp(x) to -2 sin" = case(exp, "sin", function(w) Im(exp(-2 - 2i * w) / (1 + 1i * w)), -Inf, -2),
  "exp(-x^2) on the line" = case(function(x) exp(-x^2), "cos", function(w) sqrt(pi) * exp(-w^2 / 4), -Inf),
  "1/(1 + (x - 3)^2) on the line, cos" = case(function(x) 1 / (1 + (x - 3)^2), "cos",
                                              function(w) pi * exp(-w) * cos(3 * w), -Inf),
  "1/(1 + (x - 3)^2) on the line, sin" = case(function(x) 1 / (1 + (x - 3)^2), "sin",
                                              function(w) pi * exp(-w) * sin(3 * w), -Inf),
  "1/x on the line" = case(function(x) 1 / x, "sin", function(w) pi + 0 * w, -Inf),
  "abs(x)^-0.5 on the line" = case(function(x) 1 / sqrt(abs(x)), "cos", function(w) sqrt(2 * pi / w), -Inf))

# Small relative errors are out of reach of doubles where the integral is small by cancellation, and next to a singular
# point other than 0.
is_hard <- function(name, true) abs(true) < 1e-3 / pmax(1, omegas) | grepl("sqrt\\(x [-+] [23]", name)

run_case <- function(k, ...) fourier(k$f, k$lower, k$upper, k$weight, omegas, ...)

for (backend in c("cpu", "opencl")) test_that(paste("the error is never underestimated in 258 integrals:", backend), {
  if (backend == "opencl") skip_without_device()
  local_fast_builds()
  for (tol in if (backend == "cpu") 10^-c(4, 8, 12) else 1e-8) for (name in names(cases)) {
    k <- cases[[name]]
    r <- run_case(k, rel.tol = tol, backend = backend)
    label <- paste(name, tol)
    expect_true(all(abs(r$value - k$true) <= r$abs.error + 4e-16 * abs(k$true)), label = label)
    good <- r$status == "converged"
    expect_true(all(abs(r$value - k$true)[good] <= tol * abs(k$true)[good]), label = label)
    if (tol >= 1e-8) expect_true(all(good | is_hard(name, k$true)), label = label)
    expect_lt(stats::median(r$evaluations), 6000, label = label)
  }
})

test_that("kernels of Bessel functions are integrated where they oscillate more slowly than the weight", {
  r <- fourier(function(x) besselJ(x, 0), 0, Inf, "sin", c(1.5, 3, 100))
  expect_close(r$value, 1 / sqrt(c(1.5, 3, 100)^2 - 1), 1e-9)
  expect_true(all(r$status == "converged"))
  expect_lt(abs(fourier(function(x) besselJ(x, 0), 0, Inf, "cos", 3)$value), 1e-13)
  expect_false(fourier(function(x) besselJ(x, 0), 0, Inf, "cos", 0.1, max.eval = 1e4)$status == "converged")
  r <- suppressMessages(fourier(function(x) besselK(x, 0), 0, Inf, "cos", c(0.1, 1, 30)))
  expect_close(r$value, pi / 2 / sqrt(1 + c(0.1, 1, 30)^2), 1e-9)
})

test_that("the sign of omega, reflection and the order of the limits act as they should", {
  f <- function(x) 1 / (2 + x)
  value <- function(weight, omega, lower, upper, g = f) fourier(g, lower, upper, weight, omega)$value
  expect_identical(value("cos", -3, 1, Inf), value("cos", 3, 1, Inf))
  expect_identical(value("sin", -3, 1, Inf), -value("sin", 3, 1, Inf))
  expect_identical(value("sin", 3, Inf, 1), -value("sin", 3, 1, Inf))
  mirror <- function(x) 1 / (2 - x)
  expect_close(value("cos", 3, -Inf, -1, mirror), value("cos", 3, 1, Inf), 1e-13)
  expect_close(value("sin", 3, -Inf, -1, mirror), -value("sin", 3, 1, Inf), 1e-13)
  expect_identical(value("sin", 3, Inf, Inf), 0)
  parts <- value("cos", 3, 1, Inf) + gintegrate(function(x) cos(3 * x) / (2 + x), 0, 1, rel.tol = 1e-13)$value
  expect_close(parts, value("cos", 3, 0, Inf), 1e-12)
})

test_that("the phase is exact far from 0", {
  r <- fourier(function(x) 1 / x, 1e9 + 0.3, Inf, "cos", 7)              # -Ci(7 a)
  expect_close(1e11 * r$value, 2.0135254278561825, 1e-12)
})

test_that("divergent integrals are reported as such", {
  divergent <- function(f, weight = "sin", lower = 0) {
    as.character(fourier(f, lower, Inf, weight, 2, max.eval = 1e4)$status)
  }
  for (f in list(function(x) x^2, function(x) 0 * x + 1, function(x) x / (1 + x), function(x) log(x), sqrt, exp,
                 function(x) 1 / x^2, function(x) sin(x)))
    expect_identical(divergent(f), "divergent", label = deparse(body(f)))
  expect_identical(divergent(function(x) 1 / x, "cos"), "divergent")
  expect_identical(divergent(function(x) 1 / (x - 3), "sin", 3), "divergent")
  expect_identical(divergent(function(x) 1 / x, "cos", -Inf), "divergent")
  for (f in list(function(x) 1 / log(2 + x), function(x) x^-0.01, function(x) 1 / x^1.9, function(x) cos(x) / (1 + x)))
    expect_false(divergent(f) == "divergent", label = deparse(body(f)))
})

test_that("errors seldom exceed their estimates at kinks and jumps", {
  set.seed(7)
  n <- 1000
  v <- runif(n, 0, 10)
  w <- 10^runif(n, -1, 1)
  z <- 1i * w
  r <- fourier(function(x, v) exp(-abs(x - v)), 0, Inf, "cos", w, params = data.frame(v), rel.tol = 1e-3,
               max.eval = 2e4)
  true <- Re((exp(z * v) - exp(-v)) / (1 + z) + exp(z * v) / (1 - z))
  good <- r$status == "converged"
  expect_gt(sum(good), 200)
  expect_lte(sum(abs(r$value - true)[good] > r$abs.error[good]), 10)
  expect_lte(sum(abs(r$value - true)[good] > 1e-3 * abs(true)[good]), 5)
})

test_that("peaks far out and functions that are 0 at first are found", {
  expect_close(fourier(function(x) exp(-(x - 50)^2), -Inf, Inf, "cos", 1)$value,
               sqrt(pi) * exp(-0.25) * cos(50), 1e-9)
  r <- fourier(function(x) 1 / (1 + (x - 1000)^2), 0, Inf, "cos", 1, rel.tol = 1e-6)
  expect_close(r$value, pi * exp(-1) * cos(1000), 1e-5)
  expect_identical(fourier(function(x) 0 * x, 0, Inf, "cos", 1)$value, 0)
  expect_close(fourier(function(x) if (x < 600) 0 else exp(600 - x), 0, Inf, "cos", 1, rel.tol = 1e-2)$value,
               Re(exp(600i) / (1 - 1i)), 5e-2)
})

test_that("values that are not finite count as 0 only where that is harmless", {
  status <- function(f, lower = 0) as.character(fourier(f, lower, Inf, "cos", 0.01)$status)
  expect_identical(status(function(x) exp(x) / (1 + exp(2 * x))), "converged")        # Inf/Inf beyond zeros
  expect_identical(status(function(x) if (x == 3) NaN else exp(-x), 3), "converged")
  expect_identical(status(function(x) exp(-x) * sqrt(50 - x)), "not finite")
  expect_identical(status(function(x) NaN * x), "not finite")
})

test_that("max.eval is an upper bound", {
  f <- function(x) exp(-abs(x - 2))
  for (most in c(300, 1000, 12345, 1e5)) {
    r <- fourier(f, c(0, -1, -Inf), Inf, "cos", 2, rel.tol = 1e-13, max.eval = most)
    expect_true(all(r$evaluations <= most))
    expect_true(all(r$evaluations >= most / 4))
    expect_true(all(r$status == "max.eval"))
  }
  expect_true(all(fourier(f, 0, Inf, "cos", 2, max.eval = 1)$evaluations < 60))     # the first level
})

test_that("a batch equals single integrals, on threads and a device", {
  p <- data.frame(a = 10^seq(-1, 1, length.out = 60))
  f <- function(x, a) 1 / (a + sqrt(abs(x)))
  lower <- rep(c(0, 1, -Inf, -2), 15)
  omega <- rep(c(0.5, -20, 3), 20)
  many <- fourier(f, lower, Inf, "sin", omega, params = p)
  one <- lapply(1:60, function(i) fourier(f, lower[i], Inf, "sin", omega[i], params = p[i, , drop = FALSE]))
  for (part in c("value", "abs.error", "evaluations"))
    expect_identical(many[[part]], vapply(one, `[[`, 0, part), label = part)
  expect_identical(as.data.frame(many)$status, do.call(c, lapply(one, `[[`, "status")))
  r <- gintegrate(f, 0, Inf, a = 2, method = "fourier", control = list(omega = omega, weight = "cos"))
  expect_length(r, 60L)
  expect_identical(r$value[1:3], r$value[58:60])
  skip_without_device()
  device <- fourier(f, lower, Inf, "sin", omega, params = p, backend = "opencl")
  expect_identical(device$backend, "opencl")
  expect_same_integrals(unclass(device), unclass(many), 1e-10)
})

test_that("devices return the same statuses as the CPU", {
  skip_without_device()
  on_both <- function(...) lapply(c("opencl", "cpu"), function(backend) unclass(fourier(..., backend = backend)))
  same <- function(both, tolerance) expect_same_integrals(both[[1L]], both[[2L]], tolerance)
  same(on_both(function(x, a) exp(-abs(x - a)), 0, Inf, "cos", 2, params = data.frame(a = c(0, 0.5, 2, NaN)),
               max.eval = 5000), 1e-9)
  same(on_both(function(x) 1 / sqrt(x - 1), c(1, 5, Inf), Inf, "cos", c(1, 2, 3)), 1e-6)
  same(on_both(function(x) exp(-x) * sqrt(50 - x), 0, Inf, "cos", 0.01), 1e-13)
  same(on_both(function(x) x^2, 0, Inf, "cos", 1, max.eval = 1e4), 1e-13)
})

test_that("omega, weight and limits are checked", {
  run <- function(control, lower = 0, upper = Inf, ...)
    gintegrate(exp, lower, upper, method = "fourier", control = control, ...)
  refused <- function(text, ...) expect_error(run(...), text, class = "stablecl_error_argument")
  refused("requires `omega`", list(weight = "cos"))
  refused("requires `weight`", list(omega = 1))
  refused("`weight` must be", list(omega = 1, weight = "tan"))
  refused("`omega` must be finite", list(omega = Inf, weight = "cos"))
  refused("`omega` must be finite", list(omega = NA_real_, weight = "cos"))
  refused("`omega` must be finite", list(omega = "1", weight = "cos"))
  refused("`omega` must not be 0", list(omega = c(1, 0), weight = "cos"))
  refused("must have 1 or 3 values", list(omega = 1:2, weight = "cos"), 1:3)
  refused("over half-lines and the whole line", list(omega = 1, weight = "cos"), 0, c(Inf, 1))
  refused("`breaks` are supported", list(omega = 1, weight = "cos"), breaks = 1)
  expect_error(gintegrate(function(x, y) x * y, c(0, 0), 1, method = "fourier"), "`method` must be",
               class = "stablecl_error_argument")
})

test_that("integrals can be printed, selected and plotted", {
  r <- fourier(function(x) 1 / (1 + x), 0, Inf, "sin", c(1, 3))
  expect_output(print(r), "2 integrals by \"fourier\"", fixed = TRUE)
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(r[2L]))
  expect_silent(plot(r))
  expect_silent(plot(r[2L], "convergence"))
})
