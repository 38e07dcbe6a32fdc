# Integrands with several components: gintegrate(n.value = ).

# Expects that each component is within the sum of its error and that of a call for this component alone, and that the
# status agrees.  each: functions of the components.
expect_as_alone <- function(each, lower, upper, ..., f = NULL) {
  all <- if (is.null(f)) function(x) vapply(each, function(g) g(x), 0) else f
  together <- suppressWarnings(gintegrate(all, lower, upper, n.value = length(each), ...))
  alone <- lapply(each, function(g) suppressWarnings(gintegrate(g, lower, upper, ...)))
  for (k in seq_along(each)) {
    expect_identical(as.character(together$status)[k], as.character(alone[[k]]$status), info = k)
    claim <- if (together$method == "lattice") 4 else 1                   # errors of lattices are standard errors
    if (together$status[k] == "converged")
      expect_lte(abs(together$value[k] - alone[[k]]$value), claim * (together$abs.error[k] + alone[[k]]$abs.error))
  }
  invisible(list(together = together, alone = alone))
}

evaluations_alone <- function(both) vapply(both$alone, `[[`, 0, "evaluations")

right_within_error <- function(result, right) all(abs(as.vector(result$value) - right) <= as.vector(result$abs.error))

test_that("moments of an exponential distribution are right and share their points", {
  moments <- gintegrate(function(x) c(exp(-x), x * exp(-x), x^2 * exp(-x)), 0, Inf, n.value = 3)
  expect_s3_class(moments, "gintegral")
  expect_true(all(moments$status == "converged"))
  expect_true(right_within_error(moments, c(1, 1, 2)))
  expect_length(moments$evaluations, 1L)
  alone <- vapply(0:2, function(k) gintegrate(function(x) x^k * exp(-x), 0, Inf)$evaluations, 0)
  expect_lte(moments$evaluations, 1.5 * max(alone))
  expect_lt(moments$evaluations, 0.6 * sum(alone))
})

test_that("moments of a normal distribution over the line are right", {
  m <- gintegrate(function(x) x^(0:4) * dnorm(x), -Inf, Inf, n.value = 5, abs.tol = 1e-10)
  expect_true(all(m$status == "converged"))
  expect_true(right_within_error(m, c(1, 0, 1, 0, 3)))
})

test_that("the sequence of a captured vector makes the components", {
  rates <- c(0.5, 1, 3, 10, 40)
  several <- gintegrate(function(x) exp(-rates * x), 0, 2, n.value = 5)
  expect_true(right_within_error(several, (1 - exp(-2 * rates)) / rates))
  expect_lt(max(abs(several$value - (1 - exp(-2 * rates)) / rates)), 1e-9)
})

test_that("components agree with calls for each of them", {
  both <- expect_as_alone(list(function(x) cos(20 * x), function(x) exp(-x), function(x) 1 / (1 + x^2)), 0, 3,
                          f = function(x) c(cos(20 * x), exp(-x), 1 / (1 + x^2)))
  expect_lte(both$together$evaluations, 1.2 * max(evaluations_alone(both)))
})

test_that("singular components are extrapolated and the others are not disturbed", {
  both <- expect_as_alone(list(function(x) 1 / sqrt(x), log, function(x) sin(x), function(x) abs(x - 0.3)), 0, 1,
                          f = function(x) c(1 / sqrt(x), log(x), sin(x), abs(x - 0.3)))
  right <- c(2, -1, 1 - cos(1), 0.29)
  expect_true(right_within_error(both$together, right))
  expect_lt(both$together$evaluations, sum(evaluations_alone(both)))
})

test_that("each component has its own status", {
  expect_warning(mixed <- gintegrate(function(x) c(1 / x, x, if (x > 0.5) NaN else 1, 0), 0, 1, n.value = 4),
                 "2 of 4 components have not converged", class = "gintegrate_warning_status")
  expect_identical(as.character(mixed$status), c("divergent", "converged", "not finite", "converged"))
  expect_identical(mixed$value[c(1, 4)], c(NaN, 0))
  expect_equal(mixed$value[2], 0.5)
  expect_error(gintegrate(function(x) c(1 / x, x), 0, 1, n.value = 2, stop.on.error = TRUE),
               class = "stablecl_error_integral")
})

test_that("an oscillating component over a half-line is completed by itself", {
  both <- gintegrate(function(x) c(sin(3 * x) / (x + 1), exp(-x)), 0, Inf, n.value = 2)
  alone <- gintegrate(function(x) sin(3 * x) / (x + 1), 0, Inf)
  expect_true(all(both$status == "converged"))
  expect_lte(abs(both$value[1] - alone$value), both$abs.error[1] + alone$abs.error)
  expect_lte(abs(both$value[2] - 1), both$abs.error[2])
})

test_that("a component that is 0 except in a narrow part is found", {
  both <- expect_as_alone(list(function(x) dnorm(x, 0.7123, 1e-3), function(x) x), 0, 1,
                          f = function(x) c(dnorm(x, 0.7123, 1e-3), x))
  expect_equal(both$together$value, c(1, 0.5), tolerance = 1e-7)
})

test_that("several integrals have a matrix of values", {
  k <- c(1, 2, 5, 10)
  many <- gintegrate(function(x, k) c(exp(-k * x), cos(k * x), k), 0, 1:4, n.value = 3, params = data.frame(k = k))
  expect_identical(dim(many$value), c(4L, 3L))
  expect_identical(dim(many$abs.error), c(4L, 3L))
  expect_identical(dim(many$status), c(4L, 3L))
  expect_length(many$evaluations, 4L)
  right <- cbind((1 - exp(-k * 1:4)) / k, sin(k * 1:4) / k, k * 1:4)
  expect_true(all(abs(many$value - right) <= many$abs.error))
  for (i in 1:4) {
    one <- gintegrate(function(x, k) c(exp(-k * x), cos(k * x), k), 0, i, n.value = 3, k = k[i])
    expect_equal(many$value[i, ], one$value, tolerance = 1e-14)
    expect_identical(many$evaluations[i], one$evaluations)
  }
})

test_that("limits may be reversed, equal, or missing", {
  odd <- suppressWarnings(gintegrate(function(x) c(x, x^2), c(1, 2, NA), c(0, 2, 1), n.value = 2))
  expect_equal(odd$value[1, ], c(-1 / 2, -1 / 3))
  expect_identical(odd$value[2, ], c(0, 0))
  expect_true(all(is.na(odd$value[3, ])))
})

test_that("breaks apply to all components", {
  step <- gintegrate(function(x) c(if (x < 1/3) 1 else 5, x), 0, 1, n.value = 2, breaks = 1/3)
  expect_equal(step$value, c(1/3 + 10/3, 0.5))
  expect_lt(step$evaluations, 400)
})

test_that("Genz functions over a box are right and share their points", {
  a <- c(2, 1, 1.5)
  u <- c(0.3, 0.6, 0.45)
  genz <- function(x) c(cos(2 * pi * 0.2 + sum(a * x)), prod(1 / (a^-2 + (x - u)^2)), (1 + sum(a * x))^-4,
                        exp(-sum(a^2 * (x - u)^2)))
  corners <- as.matrix(expand.grid(0:1, 0:1, 0:1))
  right <- c(Re(exp(0.4i * pi) * prod((exp(1i * a) - 1) / (1i * a))), prod(a * (atan(a * (1 - u)) + atan(a * u))),
             sum((-1)^rowSums(corners) / (1 + corners %*% a)) / (6 * prod(a)),
             prod(sqrt(pi) / a * (pnorm(a * (1 - u) * sqrt(2)) - pnorm(-a * u * sqrt(2)))))
  for (method in c("auto", "cubature", "product", "lattice")) {
    together <- gintegrate(genz, c(0, 0, 0), 1, n.value = 4, rel.tol = 1e-5, method = method, control = list(seed = 2))
    expect_true(all(together$status == "converged"), info = method)
    claim <- if (method == "lattice") 5 else 1
    expect_true(all(abs(together$value - right) <= claim * together$abs.error), info = method)
  }
  each <- list(function(x) cos(2 * pi * 0.2 + sum(a * x)), function(x) prod(1 / (a^-2 + (x - u)^2)),
               function(x) (1 + sum(a * x))^-4, function(x) exp(-sum(a^2 * (x - u)^2)))
  for (method in c("cubature", "lattice")) {
    both <- expect_as_alone(each, c(0, 0, 0), c(1, 1, 1), f = genz, method = method, rel.tol = 1e-5, dim = 3,
                            control = list(seed = 2))
    expect_lt(both$together$evaluations, 0.8 * sum(evaluations_alone(both)))
  }
})

test_that("lattices serve components of different shapes", {
  both <- gintegrate(function(x) c(prod(dnorm(x, 0.2, 0.05)), prod(x), 0, sum(x)), rep(0, 6), 1, n.value = 4,
                     method = "lattice", rel.tol = 1e-3, control = list(seed = 1))
  right <- c((pnorm(16) - pnorm(-4))^6, 2^-6, 0, 3)
  expect_true(all(both$status == "converged"))
  expect_true(all(abs(both$value - right) <= 5 * both$abs.error))
  bad <- suppressWarnings(gintegrate(function(x) c(if (x[1] < 0.5) NaN else 1, prod(x)), rep(0, 4), 1, n.value = 2,
                                     method = "lattice", rel.tol = 1e-3, control = list(seed = 1)))
  expect_identical(as.character(bad$status), c("not finite", "converged"))
})

test_that("moments of a bivariate normal distribution over the plane are right", {
  s <- matrix(c(2, 0.6, 0.6, 0.5), 2)
  q <- solve(s)
  norm <- 1 / (2 * pi * sqrt(det(s)))
  f <- function(x) c(1, x[1]^2, x[1] * x[2], x[2]^2) * exp(-sum(x * (q %*% x)) / 2) * norm
  moments <- gintegrate(f, c(-Inf, -Inf), Inf, n.value = 4, rel.tol = 1e-6)
  expect_true(all(moments$status == "converged"))
  expect_true(right_within_error(moments, c(1, s[c(1, 2, 4)])))
})

test_that("methods that do not share points compute one component after the other", {
  f <- function(x) c(exp(-x), x * exp(-x))
  for (method in c("tanhsinh", "blockcut", "vegas", "product")) {
    set.seed(1)
    together <- gintegrate(f, 0, 2, n.value = 2, method = method, rel.tol = 1e-4, control = list(seed = 4))
    alone <- lapply(list(function(x) exp(-x), function(x) x * exp(-x)), gintegrate, 0, 2, method = method,
                    rel.tol = 1e-4, control = list(seed = 4))
    expect_identical(together$value, vapply(alone, `[[`, 0, "value"), info = method)
    expect_identical(together$evaluations, sum(vapply(alone, `[[`, 0, "evaluations")), info = method)
  }
  expect_length(gintegrate(f, 0, 2, n.value = 2, method = "vegas", rel.tol = 1e-2)$chi.squared, 2L)
  expect_length(suppressWarnings(gintegrate(f, 0, 2, n.value = 2, method = "forward"))$bound, 2L)
})

test_that("simpson shares points", {
  both <- expect_as_alone(list(function(x) exp(-x), function(x) x * exp(-x)), 0, 2,
                          f = function(x) c(exp(-x), x * exp(-x)), method = "simpson", rel.tol = 1e-6)
  expect_lte(both$together$evaluations, 1.3 * max(evaluations_alone(both)))
})

test_that("functions without a translation are evaluated by R", {
  calls <- 0
  f <- function(x) {
    calls <<- calls + 1
    c(exp(-x), x * exp(-x))
  }
  by_r <- suppressMessages(gintegrate(f, 0, Inf, n.value = 2))
  expect_identical(by_r$backend, "R")
  expect_true(right_within_error(by_r, c(1, 1)))
  expect_lt(calls, by_r$evaluations + 100)
  translated <- gintegrate(function(x) c(exp(-x), x * exp(-x)), 0, Inf, n.value = 2)
  expect_equal(by_r$value, translated$value, tolerance = 1e-14)
  expect_identical(by_r$evaluations, translated$evaluations)
  # a function that accepts vectors returns a matrix with a row for each component
  calls <- 0
  g <- function(x) {
    calls <<- calls + 1
    rbind(exp(-x), x * exp(-x))
  }
  at_once <- suppressMessages(gintegrate(g, 0, Inf, n.value = 2))
  expect_identical(at_once$value, by_r$value)
  expect_lt(calls, 50)
  h <- function(x) {
    calls <<- 1
    c(x[1] + x[2], x[1] * x[2])
  }
  in_box <- suppressMessages(gintegrate(h, c(0, 0), 1, n.value = 2))
  expect_equal(in_box$value, c(1, 0.25))
})

test_that("arguments are checked", {
  refused <- function(expr, text) expect_error(expr, text, class = "stablecl_error_argument")
  f <- function(x) c(x, x^2)
  for (bad in list(0, 1.5, -1, NA, "2", c(1, 2), Inf, TRUE, 1001, NULL)[1:9])
    refused(gintegrate(f, 0, 1, n.value = bad), "n.value")
  refused(suppressMessages(gintegrate(f, 0, 1, n.value = 3)), "must return 3 numbers at each point; at .* it returns")
  refused(suppressMessages(gintegrate(function(x) x, 0, 1, n.value = 2)), "must return 2 numbers")
  refused(suppressMessages(gintegrate(function(x) list("a", "b"), 0, 1, n.value = 2)), "must return 2 numbers")
  refused(gintegrate(gtranslate(function(x) x), 0, 1, n.value = 2), "not a translation")
  expect_identical(gintegrate(function(x) x, 0, 1, n.value = 1)$value, gintegrate(function(x) x, 0, 1)$value)
  expect_length(formals(gintegrate), 14L)
  # an argument of the integrand with this name keeps its meaning
  expect_equal(gintegrate(function(x, n.value) n.value * x, 0, 1, n.value = 3)$value, 1.5)
})

test_that("values that are not finite concern their component only", {
  some <- suppressWarnings(gintegrate(function(x) c(NA_real_ * x, x), 0, 1, n.value = 2))
  expect_identical(as.character(some$status), c("not finite", "converged"))
  expect_equal(some$value[2], 0.5)
})

test_that("methods for results treat components", {
  x <- gintegrate(function(x, k) c(exp(-k * x), cos(k * x)), 0, 1, n.value = 2, params = data.frame(k = 1:3))
  expect_length(x, 3L)
  table <- as.data.frame(x)
  expect_identical(names(table), c("k", "component", "value", "abs.error", "evaluations", "status"))
  expect_identical(table$k, rep(1:3, each = 2))
  expect_identical(table$component, rep(1:2, 3))
  expect_identical(table$value, as.vector(t(x$value)))
  expect_identical(x[2:3]$value, x$value[2:3, ])
  expect_identical(x[2]$value, x$value[2, ])
  expect_identical(as.character(x[2:3]$status), as.character(x$status)[c(2, 3, 5, 6)])
  second <- x[, 2]
  expect_identical(second$value, x$value[, 2])
  expect_null(second$problem$components)
  expect_identical(format(x[1, 2]), format(second[1]))
  expect_error(x[, 3], "from 1 to 2", class = "stablecl_error_argument")
  expect_identical(2 * x, 2 * x$value)
  expect_match(paste(capture.output(print(x)), collapse = "\n"), "3 integrals of 2 components.*\\[3, 2\\]")
  expect_match(paste(capture.output(print(summary(x))), collapse = "\n"), "components by status: converged 6")
  expect_match(format(x[1]), "^\\[[12]\\] ")
  pdf(NULL)
  on.exit(dev.off())
  expect_invisible(plot(x[1]))
  expect_invisible(plot(second))
  expect_invisible(plot(x[1, 2], "points"))
  expect_invisible(plot(x[1, 2], "convergence"))
  expect_error(plot(x), "x[, 1]", fixed = TRUE, class = "stablecl_error_argument")
})

test_that("results do not depend on the number of threads", {
  f <- function(x, k) c(abs(sin(k * x)), 1 / sqrt(abs(x - 0.3)), exp(-x))
  run <- function(threads) {
    before <- stable_threads(threads)
    on.exit(stable_threads(before))
    many <- gintegrate(f, 0, 1, n.value = 3, params = data.frame(k = 1:60), rel.tol = 1e-6)
    one <- gintegrate(function(x) c(prod(abs(x - 0.3)), exp(-sum(x))), rep(0, 4), 1, n.value = 2, rel.tol = 1e-4,
                      control = list(seed = 3))
    list(many$value, many$abs.error, many$evaluations, one$value, one$evaluations)
  }
  expect_identical(run(1), run(4))
})

test_that("few evaluations end all components", {
  short <- suppressWarnings(gintegrate(function(x) c(abs(sin(100 * x)), cos(300 * x)), 0, 1, n.value = 2, method = "gk",
                                       max.eval = 500))
  expect_true(all(short$status == "max.eval"))
  expect_lte(short$evaluations, 500)
})

test_that("a device computes the same values", {
  skip_without_device()
  f <- function(x, k) c(exp(-k * x), cos(k * x) / (1 + x), abs(x - 0.3))
  run <- function(backend) {
    list(gintegrate(function(x, k) c(exp(-k * x), 1 / (1 + x)^2, x * exp(-x)), 0, Inf, n.value = 3, k = 1,
                    backend = backend),
         gintegrate(f, 0, 2, n.value = 3, params = data.frame(k = 1:3), backend = backend),
         gintegrate(function(x) c(exp(-sum(x)), prod(x), cos(sum(x))), c(0, 0, 0), 1, n.value = 3, rel.tol = 1e-5,
                    method = "cubature", backend = backend),
         gintegrate(function(x) c(exp(-sum(x)), prod(x)), rep(0, 3), 1, n.value = 2, rel.tol = 1e-3,
                    control = list(seed = 1), method = "lattice", backend = backend),
         gintegrate(function(x) c(exp(-x), x^2), 0, 1, n.value = 2, method = "tanhsinh", backend = backend))
  }
  cpu <- suppressWarnings(run("cpu"))
  device <- suppressWarnings(run("opencl"))
  for (k in seq_along(cpu)) {
    expect_identical(device[[k]]$backend, "opencl", info = k)
    expect_equal(device[[k]]$status, cpu[[k]]$status, info = k)
    expect_true(all(abs(device[[k]]$value - cpu[[k]]$value) <= device[[k]]$abs.error + cpu[[k]]$abs.error), info = k)
  }
  for (k in 2:3) expect_equal(device[[k]]$evaluations, cpu[[k]]$evaluations)
})

test_that("components find the same narrow features", {
  f <- function(x) c(exp(-5000 * ((x[1] - 0.26)^2 + (x[2] - 0.51)^2)),
                     exp(-5000 * ((x[1] - 0.74)^2 + (x[2] - 0.249)^2)))
  r <- gintegrate(f, c(0, 0), 1, n.value = 2, dim = 2, method = "cubature", rel.tol = 1e-6, abs.tol = 0)
  expect_true(all(r$status == "converged"))
  expect_equal(r$value, rep(pi / 5000, 2), tolerance = 1e-6)
})
