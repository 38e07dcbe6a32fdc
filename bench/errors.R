# Measures how reliable the error estimates of integrals are: how often they are smaller than the true error, for
# families of integrals with known values.
#
#     Rscript bench/errors.R > bench/errors.md
#
# Nothing is timed.  Takes some minutes.  Environment variables: STABLECL_RUNS is the number of runs of the sampling
# methods; STABLECL_PEERS is a library with package cubature, if the default libraries lack it.

.libPaths(c(Sys.getenv("STABLECL_PEERS"), .libPaths()))
suppressPackageStartupMessages(library(stablecl))

RUNS <- as.integer(Sys.getenv("STABLECL_RUNS", "200"))
N <- 1e5
N_R <- 20000                            # for integrate(), which is called in a loop
TOL <- 1e-8
N_BOX <- 2000
N_H <- 200                              # for hcubature()
BOX_EVAL <- 1e5

# --- families with one parameter, uniform in a range ------------------------------------------

FAMILIES <- list(
  list("a jump at u", function(x, u) ifelse(x < u, 1, exp(-x)), c(0, 1), function(u) u + exp(-u) - exp(-1), 1),
  list("a kink at u", function(x, u) abs(x - u), c(0, 1), function(u) (u^2 + (1 - u)^2) / 2, 1),
  list("sqrt(abs(x - u))", function(x, u) sqrt(abs(x - u)), c(0, 1), function(u) 2 / 3 * (u^1.5 + (1 - u)^1.5), 1),
  list("cos(u x) exp(-x)", function(x, u) cos(u * x) * exp(-x), c(1, 400),
       function(u) (1 + exp(-1) * (u * sin(u) - cos(u))) / (1 + u^2), 1),
  list("cos(u x) exp(-x), to infinity", function(x, u) cos(u * x) * exp(-x), c(0, 20), function(u) 1 / (1 + u^2), Inf),
  list("a peak of width u", function(x, u) 1 / ((x - 0.3)^2 + u^2), c(1e-4, 0.1),
       function(u) (atan(0.7 / u) + atan(0.3 / u)) / u, 1))

# TRUE if the true error exceeds the claimed error by more than rounding explains.
too_little <- function(value, claimed, true) abs(value - true) > pmax(claimed, 4e-14 * abs(true))

by_integrate <- function(family, u) {
  found <- vapply(u, function(one) {
    f <- function(x) family[[2]](x, one)
    r <- try(stats::integrate(f, 0, family[[5]], rel.tol = TOL, subdivisions = 1000), silent = TRUE)
    if (inherits(r, "try-error")) c(NA, NA) else c(r$value, r$abs.error)
  }, numeric(2))
  missed <- too_little(found[1, ], found[2, ], family[[4]](u))
  sprintf("%.2f%% | %.2f%%", 100 * mean(missed, na.rm = TRUE), 100 * mean(is.na(missed)))
}

family_row <- function(family) {
  set.seed(1)
  u <- stats::runif(N, family[[3]][1], family[[3]][2])
  r <- suppressWarnings(gintegrate(family[[2]], 0, family[[5]], params = data.frame(u), method = "gk", rel.tol = TOL))
  true <- family[[4]](u)
  missed <- too_little(r$value, r$abs.error, true)
  at_end <- if (any(missed)) max(pmin(u, 1 - u)[missed]) else NA
  message(family[[1]])
  sprintf("| %s | %.3f%% | %s | %.1e | %s |", family[[1]], 100 * mean(missed),
          if (family[[1]] == "a jump at u" && !is.na(at_end)) sprintf("%.3f%%", 100 * at_end) else "",
          max(abs(r$value - true) / abs(true)), by_integrate(family, u[seq_len(N_R)]))
}

# --- other rules ------------------------------------------------------------------------------

rule_row <- function(method, family, tol) {
  set.seed(1)
  u <- stats::runif(N_R, family[[3]][1], family[[3]][2])
  r <- suppressWarnings(gintegrate(family[[2]], 0, family[[5]], params = data.frame(u), method = method, rel.tol = tol))
  done <- r$status == "converged"
  missed <- done & too_little(r$value, r$abs.error, family[[4]](u))
  message(method, " ", family[[1]], " ", tol)
  sprintf("| %s | %s | %g | %.1f%% | %.2f%% | %.0f |", method, family[[1]], tol, 100 * mean(done),
          100 * sum(missed) / max(sum(done), 1), mean(r$evaluations))
}

SINGULAR_INSIDE <- list("abs(x - u)^-0.6", function(x, u) abs(x - u)^-0.6, c(0, 1),
                        function(u) (u^0.4 + (1 - u)^0.4) / 0.4, 1)

rule_rows <- c(rule_row("gk", SINGULAR_INSIDE, 1e-4),
               unlist(lapply(c("simpson", "tanhsinh"), function(method) lapply(FAMILIES, function(family) {
                 vapply(c(1e-4, 1e-8), function(tol) rule_row(method, family, tol), "")
               }))))

# --- boxes: the unit cube; parameters a, b, c, uniform in ranges --------------------------------

uniform <- function(...) lapply(list(...), function(range) stats::runif(N_BOX, range[1], range[2]))

# The integral of exp(-(x - a)^2 / (2 w^2)) over (0, 1).
gaussian_integral <- function(a, w) w * sqrt(2 * pi) * (stats::pnorm((1 - a) / w) - stats::pnorm(-a / w))

BOXES <- list(
  list("a jump at x = a", 2, function(x, a) ifelse(x[1] < a, 1 + x[2], 0), function() uniform(a = c(0, 1)),
       function(p) 1.5 * p$a),
  list("a jump at x = a", 3, function(x, a) ifelse(x[1] < a, 1 + x[2] * x[3], 0), function() uniform(a = c(0, 1)),
       function(p) 1.25 * p$a),
  list("jumps at x = a, y = b", 2, function(x, a, b) ifelse(x[1] < a && x[2] < b, exp(x[1] + x[2]), 0),
       function() uniform(a = c(0, 1), b = c(0, 1)), function(p) expm1(p$a) * expm1(p$b)),
  list("a kink at x = a", 2, function(x, a) abs(x[1] - a) * exp(x[2]), function() uniform(a = c(0, 1)),
       function(p) (p$a^2 + (1 - p$a)^2) / 2 * expm1(1)),
  list("kinks at a, b, c", 3, function(x, a, b, c) exp(-3 * (abs(x[1] - a) + abs(x[2] - b) + abs(x[3] - c))),
       function() uniform(a = c(0, 1), b = c(0, 1), c = c(0, 1)),
       function(p) Reduce(`*`, lapply(p, function(u) (2 - exp(-3 * u) - exp(-3 * (1 - u))) / 3))),
  list("a half-plane x + y < a", 2, function(x, a) ifelse(x[1] + x[2] < a, 1 + x[1], 0),
       function() uniform(a = c(0, 1)), function(p) p$a^2 / 2 + p$a^3 / 6),
  list("a disc around (a, b), radius c", 2, function(x, a, b, c) ifelse((x[1] - a)^2 + (x[2] - b)^2 < c^2, 1, 0),
       function() uniform(a = c(0.3, 0.7), b = c(0.3, 0.7), c = c(0.05, 0.3)), function(p) pi * p$c^2),
  list("a Gaussian of width 0.003 at (a, b)", 2, function(x, a, b) exp(-((x[1] - a)^2 + (x[2] - b)^2) / 1.8e-5),
       function() uniform(a = c(0, 1), b = c(0, 1)),
       function(p) Reduce(`*`, lapply(p, gaussian_integral, 0.003))),
  list("a Gaussian of width 0.01 at (a, b, c)", 3,
       function(x, a, b, c) exp(-5000 * ((x[1] - a)^2 + (x[2] - b)^2 + (x[3] - c)^2)),
       function() uniform(a = c(0, 1), b = c(0, 1), c = c(0, 1)),
       function(p) Reduce(`*`, lapply(p, gaussian_integral, 0.01))),
  list("two Gaussians of width 0.01", 2,
       function(x, a, b, c, d) exp(-5000 * ((x[1] - a)^2 + (x[2] - b)^2)) + exp(-5000 * ((x[1] - c)^2 + (x[2] - d)^2)),
       function() uniform(a = c(0, 1), b = c(0, 1), c = c(0, 1), d = c(0, 1)),
       function(p) gaussian_integral(p$a, 0.01) * gaussian_integral(p$b, 0.01) +
         gaussian_integral(p$c, 0.01) * gaussian_integral(p$d, 0.01)),
  list("a ridge of width 0.002 along x - y = a", 2, function(x, a) exp(-125000 * (x[1] - x[2] - a)^2),
       function() uniform(a = c(0.1, 0.7)), function(p) 0.002 * sqrt(2 * pi) * (1 - p$a)),
  list("a ring of width 0.002, radius c", 2,
       function(x, a, b, c) exp(-125000 * (sqrt((x[1] - a)^2 + (x[2] - b)^2) - c)^2),
       function() uniform(a = c(0.4, 0.6), b = c(0.4, 0.6), c = c(0.1, 0.3)),
       function(p) 2 * pi * p$c * 0.002 * sqrt(2 * pi)))

by_hcubature <- function(family, p, tol) {
  if (!requireNamespace("cubature", quietly = TRUE)) return(" | ")
  f <- family[[3]]
  found <- vapply(seq_len(N_H), function(i) {
    own <- lapply(p, `[`, i)
    r <- cubature::hcubature(function(x) do.call(f, c(list(x), own)), rep(0, family[[2]]), rep(1, family[[2]]),
                             tol = tol, maxEval = BOX_EVAL)
    c(r$integral, r$error)
  }, numeric(2))
  done <- found[2, ] <= tol * abs(found[1, ])
  missed <- done & too_little(found[1, ], found[2, ], family[[5]](lapply(p, `[`, seq_len(N_H))))
  sprintf("%.0f%% | %.1f%%", 100 * mean(done), 100 * sum(missed) / max(sum(done), 1))
}

box_row <- function(family, tol) {
  set.seed(1)
  p <- family[[4]]()
  r <- suppressWarnings(gintegrate(family[[3]], rep(0, family[[2]]), 1, params = as.data.frame(p), dim = family[[2]],
                                   method = "cubature", rel.tol = tol, max.eval = BOX_EVAL))
  true <- family[[5]](p)
  done <- r$status == "converged"
  missed <- done & too_little(r$value, r$abs.error, true)
  by_ten <- missed & abs(r$value - true) > 10 * r$abs.error
  message(family[[1]], " ", tol)
  sprintf("| %s | %d | %g | %.0f%% | %.2f%% | %.2f%% | %s |", family[[1]], family[[2]], tol, 100 * mean(done),
          100 * sum(missed) / max(sum(done), 1), 100 * sum(by_ten) / max(sum(done), 1), by_hcubature(family, p, tol))
}

box_rows <- unlist(lapply(BOXES, function(family) vapply(c(1e-3, 1e-6), function(tol) box_row(family, tol), "")))

# --- sampling methods, with singularities -------------------------------------------------------

SINGULAR <- list(
  list("x^-0.3", function(x) x^-0.3, 1, 1 / 0.7),
  list("x^-0.4", function(x) x^-0.4, 1, 1 / 0.6),
  list("x^-0.45", function(x) x^-0.45, 1, 1 / 0.55),
  list("abs(x - 1/3)^-0.4", function(x) abs(x - 1/3)^-0.4, 1, ((1/3)^0.6 + (2/3)^0.6) / 0.6),
  list("log(x)^2", function(x) log(x)^2, 1, 2),
  list("x^-0.4 y^-0.3", function(x) x[1]^-0.4 * x[2]^-0.3, 2, 1 / 0.6 / 0.7))

singular_row <- function(case, method, tol) {
  f <- gtranslate(case[[2]], dim = case[[3]])
  found <- vapply(seq_len(RUNS), function(seed) {
    r <- suppressWarnings(gintegrate(f, rep(0, case[[3]]), 1, method = method, rel.tol = tol,
                                     control = list(seed = seed)))
    c((r$value - case[[4]]) / r$abs.error, abs(r$value / case[[4]] - 1), r$evaluations, r$status == "converged")
  }, numeric(4))
  message(case[[1]], " ", method, " ", tol)
  z <- abs(found[1, ])
  sprintf("| %s | %s | %g | %.0f%% | %.2f | %.0f%% | %.0f%% | %.1f | %.1e | %.1e |", case[[1]], method, tol,
          100 * mean(found[4, ]), stats::sd(found[1, ]), 100 * mean(z <= 1), 100 * mean(z <= 2), max(z),
          max(found[2, ]), stats::median(found[3, ]))
}

singular_rows <- unlist(lapply(SINGULAR, function(case) {
  c(vapply(c(1e-2, 1e-3, 1e-4), function(tol) singular_row(case, "vegas", tol), ""),
    singular_row(case, "lattice", 1e-3))
}))

cat("# Errors that are claimed\n\nMade by `Rscript bench/errors.R > bench/errors.md`; stablecl ",
    as.character(utils::packageVersion("stablecl")), ", ", R.version.string, ".\n\n## One dimension\n\n",
    sprintf("%g integrals over (0, 1), u uniform, by \"gk\" to %g; integrate() for the first %d of them, too.", N, TOL,
            N_R), "\n\"Too little\": the true error is larger than the claim, and than 4e-14 of the value.\n\n",
    "| integrand | too little | jumps that are missed: their distance from a limit, at most |",
    " worst true relative error | integrate(): too little | gives up |\n|---|---|---|---|---|---|\n",
    paste0(vapply(FAMILIES, family_row, ""), "\n"),
    sprintf("\nThe same by other rules, %d integrals each. Too little: of those that converge.\n\n", N_R),
    "| method | integrand | tau | converged | too little | evaluations |\n|---|---|---|---|---|---|\n",
    paste0(rule_rows, "\n"),
    sprintf("\n## Boxes\n\n%d integrals over (0, 1)^d by \"cubature\", parameters uniform, at most %g evaluations;",
            N_BOX, BOX_EVAL),
    sprintf("\nhcubature() of package cubature for the first %d of them, too. Too little: of those that", N_H),
    " converge, the ones\nwith a larger error than the claim, or than ten times that.\n\n",
    "| integrand | axes | tau | converged | too little | by ten | hcubature(): converged | too little |\n",
    "|---|---|---|---|---|---|---|---|\n", paste0(box_rows, "\n"),
    "\n## Samples at singularities\n\n", RUNS, " runs with seeds of their own. Errors in units of the claim, one ",
    "standard error: their standard deviation,\nthe shares within one and two, the largest.\n\n",
    "| integrand | method | tau | converged | sd | within 1 | within 2 | largest | worst true relative error |",
    " evaluations |\n|---|---|---|---|---|---|---|---|---|---|\n", paste0(singular_rows, "\n"), sep = "")
