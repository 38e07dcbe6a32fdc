# The evidence for the manual pages of the methods of integration, statuses and translations (tools/check-claims).

# --- methods: choice ---
manual("gintegrate-methods")
reference("Which method `gintegrate()` uses")
shown("`method = \"auto\"`, the default, chooses", identical(eval(formals(gintegrate)$method)[1], "auto"))
found("`vignette(\"integration\", package", "vignettes/integration.Rmd")
shown("`\"auto\"` uses `\"gk\"`.", {
  direct <- gintegrate(exp, 0, 1, method = "gk")
  identical(gintegrate(exp, 0, 1)$evaluations, direct$evaluations) &&
    identical(gintegrate(exp, 0, 1)$value, direct$value)
})
shown("Integrals that do not converge are computed by `\"tanhsinh\"`", {
  r <- suppressWarnings(gintegrate(function(x) sin(1e4 / x), 0, 1, max.eval = 2000))
  identical(names(r$stages), c("gk", "tanhsinh")) && r$stages[["tanhsinh"]] <= 4000
})
tested("If the range is infinite and the translation",
       "quadrature-oscillation: slowly decaying sines and cosines converge under",
       "quadrature-oscillation: the frequency is found in a program, or there is none",
       code = c("R/quadrature-oscillation.R: bisected_first <- 1000",
                "R/quadrature-oscillation.R: fourier_most <- 5000"))
shown("With `breaks`, `\"gk\"` alone is used.", {
  is.null(suppressWarnings(gintegrate(function(x) sin(1e4 / x), 0, 1, breaks = 0.5, max.eval = 2000))$stages)
})
tested("`\"auto\"` uses several methods in turn", "quadrature-monte-carlo: auto chooses the cheapest sufficient method")
introduction("Each method may use a share of")
plans <- "manual: the pages about gintegrate() name every method, status and option, and the shares of"
tested("2 to 8 dimensions:", plans)
tested("the same, with `rel.tol` below 1e-6", plans)
tested("5 to 8 dimensions, with", plans)
tested("9 to 12 dimensions:", plans)
tested("13 to 100 dimensions:", plans)
shown("with `max.eval` below 1e5:", {
  stages <- function(d) names(suppressWarnings(gintegrate(function(x) abs(sum(x) - 1.3)^0.3, rep(0, d), 1,
      rel.tol = 1e-9, max.eval = 2e4))$stages)
  is.null(stages(3)) && is.null(stages(10)) &&
    gintegrate(function(x) sum(x), rep(0, 3), 1, max.eval = 2e4)$rule %in% "cubature" &&
    suppressWarnings(gintegrate(function(x) sum(x), rep(0, 10), 1, max.eval = 2e4)$rule) %in% "lattice"
})
tested("Evaluations that a method does not use",
       "quadrature-stages: evaluations that a product rule leaves are used by later",
       "quadrature-monte-carlo: the product rule is exact for polynomials, and stops early for jumps")
tested("The result is the first that converges",
       "quadrature-monte-carlo: auto chooses the cheapest sufficient method, and its error",
       "quadrature-stages: a product rule that needs many points is completed")
shown("Here the error of `\"lattice\"` and", {
  f <- function(x) prod(1 + 0.3 * sin(7 * x))
  auto <- gintegrate(f, rep(0, 13), 1, rel.tol = 1e-2, control = list(seed = 1))
  direct <- gintegrate(f, rep(0, 13), 1, rel.tol = 1e-2, method = "lattice", control = list(seed = 1))
  auto$rule == "lattice" && auto$abs.error / auto$value <= 1e-2 && auto$abs.error >= direct$abs.error
})

# --- methods for one variable ---
coded("`\"gk\"`: globally adaptive", "src/quadrature/adaptive/gauss_kronrod_nodes.h: #define GK_POINTS 21")
coded("Each round divides the intervals with", "src/quadrature/adaptive/gauss_kronrod.h: #define GK_NEAR        0.125",
      "src/quadrature/adaptive/refinement.h: #define PARTS_MOST    4")
shown("The error estimate of an interval comes from ten", {
  text <- paste(readLines("src/quadrature/adaptive/gauss_kronrod_nodes.h"), collapse = "\n")
  grepl("#define GK_PAIRS  5", text) && 2 * 5 == 10          # pairs of an even and an odd rule
})
tested("Next to a singular point, where bisection",
       "quadrature-conventions: singularities next to which doubles are sparse are",
       "quadrature-literature: singularities inside the range converge",
         "quadrature-conventions: extrapolation is checked by points nearer")
shown("A range starts as 4 intervals.", gintegrate(function(x) x, 0, 1, method = "gk")$evaluations == 4 * 21)
coded("If any becomes shorter than 1/24", "src/quadrature/adaptive/gauss_kronrod.h: #define GK_NARROW (1.0 / 24.0)",
      "src/quadrature/adaptive/gauss_kronrod.h: #define GK_WIDE   (1.0 / 12.0)")
shown("A range on which all values are 0 is examined once more at 5376", {
  256 * 21 == 5376 && gintegrate(function(x) 0 * x, 0, 1, method = "gk")$evaluations == 84 + 5376
})
shown("A half-line from a is split at", {
  seen <- NULL
  f <- function(x) {
    seen <<- c(seen, x)
    exp(-x) * strtoi("1")
  }
  suppressMessages(gintegrate(f, 2, Inf, method = "gk", max.eval = 400))
  all(seen > 2) && max(seen) > 1000 && sum(seen < 3) > 20
})
shown("Accuracy: `integrate()` underestimates", {
  row <- "| a jump at u |"
  page <- "bench/errors.md"
  share <- function(k) as.numeric(sub("%", "", cell(page, row, k)))
  says(sentence, "the error of %d%% of", round(share(5))) && says(sentence, "that of %.2f%%", share(2)) &&
    says(sentence, "within %s%% of", format(share(3)))
})
tested("`\"tanhsinh\"`: double exponential quadrature",
       "quadrature-error-estimates: a singular end other than 0 is approached without",
       "quadrature-rounding: an integral that needs the limit of the double exponential rule")
shown("For other integrands it converges slowly", {
  as.numeric(sub("%", "", cell("bench/errors.md", "| tanhsinh | a jump at u | 1e-08", 4))) < 1
})
tested("`\"fourier\"`: the double exponential formula", "quadrature-fourier: the phase is exact far from 0",
       "quadrature-fourier: the sign of omega, reflection and the order of the limits")
shown("`f` is the function without that factor", {
  r <- gintegrate(function(x) exp(-x), 0, Inf, method = "fourier", control = list(omega = 3, weight = "sin"))
  near(r$value, 3 / 10)
})
tested("`f` may decay as slowly as", "quadrature-fourier: divergent integrals are reported as such",
       "quadrature-fourier: kinks and jumps deceive the estimate seldom")
shown("It is evaluated up to a distance of at least 166", {
  seen <- NULL
  f <- function(x) {
    seen <<- c(seen, x)
    exp(-x) * strtoi("1")
  }
  suppressMessages(gintegrate(f, 0, Inf, method = "fourier", control = list(omega = 2, weight = "cos")))
  max(seen) >= 166 / 2
})
shown("Accuracy: on 43 integrals with closed", {
  code <- parse("tests/testthat/test-quadrature-fourier.R")
  frame <- new.env(parent = globalenv())
  for (part in as.list(code)) if (is.call(part) && identical(part[[1]], as.name("<-"))) eval(part, frame)
  few <- vapply(frame$cases, function(k) stats::median(frame$fourier(k$f, k$lower, k$upper, k$weight, frame$omegas,
                                                                     rel.tol = 1e-8)$evaluations), 0)
  length(frame$cases) == 43 && length(frame$omegas) == 6 && identical(range(frame$omegas), c(1e-3, 1e4)) &&
    median(few) < 600 &&
    source_has("tests/testthat/test-quadrature-fourier.R", "the error is never underestimated in 252 integrals")
})

# --- methods for several variables ---
tested("`\"cubature\"`: adaptive subdivision", "quadrature-cubature: the rule is exact for polynomials of degree 7")
shown("A box is bisected along the axis", {
  points <- gintegrate(function(x, y) exp(-400 * (x - 0.3)^2), c(0, 0), c(1, 1), method = "cubature", rel.tol = 1e-6)
  bad <- gintegrate(function(x, y) exp(-400 * (y - 0.3)^2), c(0, 0), c(1, 1), method = "cubature", rel.tol = 1e-6)
  points$evaluations == bad$evaluations && points$status == "converged" && points$evaluations < 1e4
})
coded("The error of two halves is no less", "src/quadrature/adaptive/bisection.h: HALVES_RATIO")
tested("Two additional points on each axis",
       "quadrature-cubature: jumps and kinks between the outermost points and a face")
tested("A range on which all values are 0 is examined once more, at about",
       "quadrature-cubature: a range is sampled again if all values",
       code = "src/quadrature/adaptive/genz_malik.h: #define GENZ_MALIK_ZEROS  4096")
shown("Accuracy: of 2000 integrals over the square", {
  as.numeric(sub("%", "", cell("bench/errors.md", "| a jump at x = a | 2 | 1e-06", 5))) / 100 * 2000 == 1
})
tested("`\"product\"`: a product of Gauss-Legendre",
       "quadrature-monte-carlo: the product rule is exact for polynomials",
       "quadrature-monte-carlo: the product rule converges for oscillating integrands",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps along the axes",
       code = c("src/quadrature/tensor/product_rules.h: #define PRODUCT_NODES 32",
                "src/quadrature/tensor/product_rules.h: #define PRODUCT_PIECES 4"))
coded("The number of nodes follows from", "src/quadrature/tensor/product_rules.h: #define PRODUCT_NODES 32",
      "src/quadrature/tensor/lines.c: PRODUCT_LINES")
tested("Kinks and jumps at the same places",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps along")
tested("For other integrands the method stops",
       "quadrature-monte-carlo: the product rule is exact for polynomials, and stops early",
       "quadrature-monte-carlo: breaks that lines suggest for oblique or curved discontinuities are given up soon")
tested("The error is the larger of two estimates",
       "quadrature-monte-carlo: the product rule does not underestimate errors for Gaussians",
       "quadrature-error-estimates: products of Gauss rules state errors near the true ones")
tested("In many dimensions a sparse product is tried",
       "quadrature-sparse: sparse products integrate waves in 7 and 8 dimensions",
       "quadrature-sparse: sparse products integrate a product of peaks in 7 dimensions",
       code = "src/quadrature/tensor/patterson_nodes.h: #define PATTERSON_LEVELS 5")
tested("Its error is the larger of four times",
       "quadrature-sparse: errors allow for terms in several variables that lines do not",
       "quadrature-sparse: a sparse product ends with its share of the evaluations, and states an error that holds")
coded("`\"lattice\"`: 16 copies", "src/quadrature/monte_carlo/monte_carlo.h: #define LATTICE_SHIFTS 16",
      "src/quadrature/monte_carlo/lattice_points.h: #define LATTICE_MOST  26")
shown("It needs far fewer points than `\"vegas\"`", {
  count <- function(m) gintegrate(function(x) exp(-sum((x - 0.5)^2)), rep(0, 5), 1, method = m, rel.tol = 1e-6,
      control = list(seed = 1))$evaluations
  count("lattice") < count("vegas") / 5
})
shown("Accuracy: of 100 runs with", {
  rows <- grep("| lattice |", readLines("bench/mcubes-accuracy.md"), value = TRUE, fixed = TRUE)
  column <- function(k) vapply(strsplit(rows, " *[|] *"), function(row) as.numeric(sub("%", "", row[k + 1])), 0)
  length(rows) == 14 && says(sentence, "%d%% to %d%% were", min(column(7)), max(column(7))) &&
    says(sentence, "%d%% to %d%% within two", min(column(8)), max(column(8))) &&
      says(sentence, "was %.1f standard", max(column(9)))
})
shown("At singularities the method underestimates", {
  row <- "| x^-0.4 | lattice | 0.001"
  page <- "bench/errors.md"
  says(sentence, "%s of 200 runs", cell(page, row, 7)) && says(sentence, "largest error %s of them", cell(page, row, 8))
})
coded("`\"vegas\"`: stratified sampling", "src/quadrature/monte_carlo/importance_map.h: #define MAP_BINS 256",
      "src/quadrature/monte_carlo/subcubes.h: #define STRATA_POINTS 4")
coded("In more than 12 dimensions only the first", "src/quadrature/monte_carlo/subcubes.h: #define STRATA_AXES   12",
      "src/quadrature/monte_carlo/importance_map.c: #define FEW_AXES  12")
tested("Preliminary rounds of points adapt",
       "quadrature-monte-carlo: users may choose iterations, rounds, bins and samples",
       "quadrature-monte-carlo: chi-squared and Q are returned and printed")
tested("The options `iterations`, `adjust`",
       "quadrature-monte-carlo: users may choose iterations, rounds, bins and samples as in",
       "quadrature-monte-carlo: one importance map for all axes is accurate for symmetric integrands")
shown("Accuracy: where a few points near a singularity", {
  page <- "bench/errors.md"
  says(sentence, "%s were within two standard errors", cell(page, "| x^-0.4 | vegas | 0.001", 7)) &&
    says(sentence, "was %s standard errors", cell(page, "| x^-0.4 | vegas | 0.001", 8)) &&
    says(sentence, "1e-4, %s and %s.", cell(page, "| x^-0.45 | vegas | 0.0001", 7),
         cell(page, "| x^-0.45 | vegas | 0.0001", 8))
})
shown("`\"product\"`, `\"lattice\"` and `\"vegas\"` also", {
  all(vapply(c("product", "lattice", "vegas"), function(m) abs(gintegrate(exp, 0, 1, method = m,
      rel.tol = 1e-3)$value - exp(1) + 1) < 0.01, NA))
})

# --- published algorithms, infinite ranges, random numbers ---
tested("`\"simpson\"`: adaptive Simpson",
       "quadrature-simpson: polynomials of degree 5 are exact with the smallest number of points")
tested("The two halves of a bisected interval reuse",
       "quadrature-simpson: bisection reuses the values of the whole interval")
coded("A range starts as 7 intervals", "src/quadrature/adaptive/simpson.h: #define SIMPSON_INTERVALS      7",
      "src/quadrature/adaptive/bisection.h: HALVES_RATIO")
tested("A non-finite value at a limit or break",
       "quadrature-simpson: infinite limits, breaks and singular ends are handled")
tested("`\"forward\"`: heuristic forward",
       "quadrature-forward: forward quadrature agrees with the algorithm of the paper",
       "quadrature-forward: straight lines are exact, and steps stay within their limits")
tested("There is no refinement: the error estimate",
       "quadrature-forward: a tolerance that the steps do not reach gives a warning")
tested("In several dimensions the method applies Fubini",
       "quadrature-forward: integrals in several dimensions are computed by Fubini's")
tested("A step depends on those before it;",
       "quadrature-forward: the blocks of a range are those of separate integrals with the")
tested("The result has a component `bound`",
       "quadrature-forward: the error decreases with the steps, and the bound is that of Theorem")
tested("`\"blockcut\"`: block-cutting", "quadrature-blockcut: block-cutting agrees with the algorithm of the paper")
tested("`variant` selects related algorithms",
       "quadrature-blockcut: every variant converges with an error within its estimate",
       "quadrature-blockcut: expansion by the logarithm saves evaluations, and BCAQ gives the value of PBCAQ")
shown("The error estimate is far too large", {
  r <- suppressWarnings(gintegrate(exp, 0, 1, method = "blockcut", rel.tol = 1e-6))
  r$abs.error > 100 * abs(r$value - exp(1) + 1) && r$evaluations > 10 * gintegrate(exp, 0, 1, method = "gk")$evaluations
})
tested("In several dimensions, and for `\"vegas\"`", "quadrature-infinite: correlated normal densities integrate to 1",
       "quadrature-infinite: sampling methods take infinite limits of one axis")
tested("Along each axis g(t)",
       "quadrature-infinite: algebraic tails and singularities at the finite end of a half-line")
coded("The origin o is the finite limit", "R/quadrature-infinite.R: stands for the origin o, which is the finite limit")
tested("For axes that are whole lines, o and",
       "quadrature-infinite: densities far from the origin, wide and narrow ones are located")
tested("A normal density therefore needs no",
       "quadrature-infinite: correlated normal densities integrate to 1 in 2 to 6 dimensions")
coded("Location and scale follow from medians", "R/quadrature-location.R: points_per_axis <- 1024L",
      "R/quadrature-location.R: correlations")
coded("They are the same for all integrals of a call", "R/quadrature-infinite.R: integrals_examined <- 4L")
tested("A peak that is narrow compared with its distance",
       "quadrature-infinite: divergent integrals, and integrands whose peak is not found")
tested("`\"vegas\"` and `\"lattice\"` use a counter-based",
       "quadrature-monte-carlo: results do not depend on the number of threads",
       "quadrature-monte-carlo: results are reproducible with a seed or set.seed()")
tested("Without a `seed` the key comes from",
       "quadrature-monte-carlo: results are reproducible with a seed or set.seed()")
coded("As with any method of this kind, a peak is missed",
      "src/quadrature/monte_carlo/importance_rounds.c: #define PILOT    14",
      "src/quadrature/monte_carlo/importance_map.h: #define LINE_POINTS 256")

# --- status ---
manual("gintegrate-status")
reference("The meaning of `status` and `abs.error`")
shown("The status `\"converged\"` means", {
  checks <- function(r, tol) r$status == "converged" && is.finite(r$value) && r$abs.error <= max(tol, 0) * abs(r$value)
  checks(integral, 1e-8) && checks(area, 1e-8) && gintegrate(sin, 0, 1, abs.tol = 0.1, rel.tol = 0)$abs.error <= 0.1
})
introduction("Any other integral has one of these:")
status_of <- function(...) as.character(suppressWarnings(gintegrate(...))$status)
objects$status_of <- status_of
shown("`\"max.eval\"`: the evaluations", status_of(function(x) sin(1e5 * x^2), 0, 1, max.eval = 500,
    method = "gk") == "max.eval")
shown("Remedy: a larger `max.eval`", status_of(function(x) sin(1e3 * x^2), 0, 1, max.eval = 1e5) == "converged" &&
        status_of(function(x) sin(1e3 * x^2), 0, 1, max.eval = 500, method = "gk") == "max.eval")
tested("`\"roundoff\"`: rounding keeps the error",
       "quadrature-status: an error above the tolerance gives the status roundoff, not converged",
       "quadrature-rounding: the rounding of points limits rapidly oscillating integrands")
shown("Remedy: a positive `abs.tol`.", status_of(sin, -1, 1) == "roundoff" &&
      status_of(sin, -1, 1, abs.tol = 1e-8) == "converged")
tested("`\"stuck\"`: intervals are as narrow",
       "quadrature-conventions: refinement ends as stuck if the error of narrow intervals",
       "quadrature-infinite: divergent integrals, and integrands whose peak is not found, are not claimed")
tested("`\"not finite\"`: the integrand has", "quadrature-conventions: NaN on a whole subinterval is reported")
tested("On an infinite range non-finite values count",
       "quadrature-infinite: products of 0 and infinity far out count as 0")
tested("`\"divergent\"`: the integral of",
       "quadrature-status: divergent integrals are reported as divergent, and convergent ones never")
shown("The value is `NaN`.", is.nan(divergent$value) && divergent$status == "divergent")
shown("`\"coarse\"`: the given steps", status_of(function(x) sin(50 * x), 0, 1, method = "forward",
    rel.tol = 1e-9) == "coarse")
tested("`\"inconsistent\"`: the iterations",
       "quadrature-monte-carlo: inconsistent iterations do not count as converged")
tested("`\"interrupted\"`: the integral was", "quadrature-batch: after an interrupt finished integrals are kept")
raises("One warning of class `\"gintegrate_warning_status\"`", gintegrate(function(x) 1 / x, 0, c(1, 2)),
       gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE))
shown("With `rel.tol` below 50 eps", {
  eps <- .Machine$double.eps
  !warns(r <- gintegrate(exp, 0, 1, rel.tol = 40 * eps)) && r$status %in% c("roundoff", "converged") &&
    inherits(gintegrate(sin, -1, 1, rel.tol = 10 * eps, stop.on.error = TRUE), "gintegral")
})
shown("`abs.error` is a conservative estimate", {
  table <- read.csv("tests/testthat/data/integrals.csv", comment.char = "#", colClasses = "character")
  boxes <- read.csv("tests/testthat/data/boxes.csv", comment.char = "#", colClasses = "character")
  nrow(table) == 45 && nrow(boxes) == 36 && identical(range(as.integer(boxes$dim)), c(2L, 8L)) &&
    source_has("tests/testthat/test-quadrature-reference.R", "no error is larger than its estimate") &&
    source_has("tests/testthat/test-quadrature-cubature.R",
               "integrals that converge have errors within their estimates")
})
tested("For integrals that use up their evaluations",
       "quadrature-cubature: integrals that converge have errors within their estimates")
shown("Refinement also ends where the error", {
  r <- suppressWarnings(gintegrate(sin, -1, 1))
  r$abs.error <= 100 * .Machine$double.eps * 2 * (1 - cos(1)) && r$evaluations < 1000
})
tested("For `\"vegas\"` and `\"lattice\"`, `abs.error`",
       "quadrature-coverage: one standard error covers two thirds, two cover most")
shown("The standard error is compared with the tolerance.", {
  r <- gintegrate(exp, 0, 1, method = "lattice", rel.tol = 1e-4, control = list(seed = 1))
  r$abs.error <= 1e-4 * r$value
})
coded("For `\"lattice\"` it follows from", "src/quadrature/monte_carlo/lattice.c: qt(pnorm(1), SHIFTS - 1)")
tested("For `\"vegas\"` it follows from the variances",
       "quadrature-monte-carlo: chi-squared and Q are returned and printed")
coded("If `Q` is below 0.001", "src/quadrature/monte_carlo/vegas.c: probability 1e-",
      "src/quadrature/monte_carlo/vegas.c: #define FORGET     4.0")
tested("In one dimension the standard error is at least",
       "quadrature-monte-carlo: VEGAS on one axis claims errors that allow for jumps")
tested("Divergence is detected from the growth", "quadrature-status: divergent integrals are reported as divergent",
       "quadrature-status: divergent integrals over boxes are reported")
tested("Integrals that have not converged are examined",
       "quadrature-status: no other method reports a divergent integral as converged")
shown("A principal value is not an integral", {
  status_of(function(x) x^3, -Inf, Inf) == "divergent" && status_of(function(x) 1 / x, -1, 1) == "divergent"
})
coded("An examination of points is not a proof", "R/quadrature-divergence.R: 1e-4 else 4e-3")
tested("After an interrupt the call returns", "interrupts: an interrupt keeps finished integrals",
       "interrupts: a time limit is an error that")
tested("Neither ends the build of a kernel.",
       "device-builds: an interrupted build goes on, and the next call takes its result")
tested("With package cli, computations of more",
       "quadrature-batch: the progress function is called during long computations")

# --- devices ---
manual("gintegrate-devices")
reference("When `gintegrate()` uses an OpenCL device", "With `backend = \"auto\"` the choice")
tested("If that is also `\"auto\"`, the processor starts", "quadrature-device: under \\\"auto\\\"",
       "quadrature-device-published: under \\\"auto\\\"",
       code = "src/quadrature/dispatch.c: #define SAMPLE 1024")
tested("If the device fails, the processor continues",
       "quadrature-device-boxes: a device failure between rounds is an error if")
tested("The first values of every integrand on",
       "device-faults: integrands that are sensitive to rounding do not count as device",
       "device-faults: under \\\"auto\\\"")
tested("A device that is named (`\"opencl\"`",
       "quadrature-device-boxes: a device failure between rounds is an error if selected by",
       "quadrature-device-adaptive: a device selected by name computes a single integral over a box")
tested("In any case the processor computes the few",
       "quadrature-device-adaptive: the CPU computes an integral that exceeds the storage",
       "quadrature-device-adaptive: short kernel launches leave integrals to the CPU and change no decision",
       code = "src/quadrature/dispatch.c: #define CAPACITY_DEEP    65536")
tested("In forked processes it computes", "quadrature-device: a forked process integrates on the CPU")
tested("All methods also run on devices",
       "quadrature-device: integrals in several chunks do not affect each other, and numbers",
       "quadrature-device-published: block-cutting uses the same regions as on the CPU",
       "quadrature-device-published: the CPU computes the sequential variants")
tested("Devices choose the same intervals",
       "quadrature-device-adaptive: Simpson's rule uses the same intervals on a device and",
       "quadrature-device: every status is the same on a device and the CPU",
         "quadrature-device: stratified samples are the same")
tested("A device computes integrals one after",
       "quadrature-device-boxes: the whole device finishes integrals of a batch that exceed",
       "quadrature-device-boxes: one integral uses the same boxes as on the CPU, and is correct")
tested("`\"vegas\"`, `\"lattice\"`, `\"product\"` and the variant",
       "quadrature-device-published: a device cuts all parts of a range in a few",
       "quadrature-device-monte-carlo: lattices, importance maps and strata on a device are those of the CPU")
tested("`\"cubature\"` does so for up to 8", "quadrature-device-boxes: a few integrals do not affect each other",
       code = "src/quadrature/dispatch.c: #define FEW              8")
tested("`\"gk\"`, `\"tanhsinh\"`, `\"fourier\"`, `\"simpson\"` and",
       "quadrature-long: a device evaluates the points of a few long integrals",
       "quadrature-long: long integrals of Fourier type are computed by all threads and on a device",
       code = c("src/quadrature/dispatch.c: #define FEW              8",
                "src/quadrature/method.h: #define LONG_WORK 1000.0"))
tested("`\"forward\"` in several dimensions or with",
       "quadrature-device-published: a device steps through all lines along an axis")
tested("Otherwise `\"forward\"` uses one",
       "quadrature-device-published: forward quadrature along one axis takes the same steps")
tested("With several components, the processor divides", "quadrature-components: a device computes the same values")
tested("With `precision = \"single\"` in `control` and",
       "quadrature-device-single: lattices in single precision agree with those in")
tested("Random numbers, the importance grid and",
       "quadrature-device-single: strata in single precision agree with those in double",
       "quadrature-device-single: limits, parameters, infinite ranges and refined maps are those of double precision")
tested("Devices without double precision can be used",
       "quadrature-device-single: devices without double precision integrate in single")
coded("The CPU always computes in double precision, also",
      "src/quadrature/monte_carlo/subcubes.c: #define COMPARED_LEAST 16")
coded("8192 points of a lattice are evaluated", "src/quadrature/monte_carlo/subcubes.c: #define COMPARED       64",
      "src/quadrature/monte_carlo/monte_carlo.c: #define SINGLE_ROUNDING 0x1p-23")
tested("If that exceeds the tolerance the status",
       "quadrature-device-single: the error includes rounding, whose tolerance cannot be met")
coded("Single precision is not possible if this error",
      "src/quadrature/monte_carlo/monte_carlo.c: #define FAR_FROM_DOUBLE 1e-2")
tested("Then the CPU computes the integral in double",
       "quadrature-device-single: functions without single precision, other methods and",
       "quadrature-device-single: values beyond the range of single precision are errors or correct")
tested("If workers of package future or mirai are set up in the session",
       "workers: long batches of integrals are computed by the workers")
tested("The results are the same.", "workers: integrals do not depend on the number of workers",
       "workers: integrals of several components and killed workers give the results of one process")
tested("Functions without translation are evaluated in",
       "workers: long batches of integrals are computed by the workers, short ones here")
introduction("If a device is named, these are errors:")
raises("`\"stablecl_error_device\"`: the device does not exist", gintegrate(sin, 0, 1, backend = "no such device"))
raises("`\"stablecl_error_untranslatable\"`: the integrand has no",
       tests = "quadrature-device: unsupported requests are errors if a device is")
raises("`\"stablecl_error_unsupported\"`: devices do not support the computation: other variants",
       tests = c("quadrature-device-published: the CPU computes the sequential variants",
                 "quadrature-device-laws: the CPU computes modes that differ from point to point"))
raises("A worker process that fails is an error", tests = "workers: a chunk that kills every worker is an error")

# --- gtranslate ---
manual("gtranslate")
takes("f: a function.", inherits(gtranslate(sin), "gtranslation"), not = gtranslate(3))
takes("dim: number of variables.", gtranslate(function(x) sum(x), dim = 3)$dim == 3, not = gtranslate(sin, dim = 0))
takes("By default the number of arguments without", gtranslate(function(x, y, a = 1) a * x * y)$dim == 2,
      gtranslate(function(x) x[3] + x[1])$dim == 3,
      gtranslate(function(x, a) a * x, params = "a")$dim == 1, gtranslate(function(x, b) b * x, b = 2)$dim == 1)
takes("params: names of the arguments", identical(gtranslate(function(x, a) a * x, params = "a")$parameters, "a"),
      identical(gtranslate(function(x, a) a * x, params = data.frame(a = 1))$parameters, "a"),
        not = gtranslate(function(x, a) a * x, params = 1))
takes("x: a value of `gtranslate()`.", prints(gtranslate(function(x) exp(x)), "exp"))
shown("An object of class `\"gtranslation\"`", {
  t <- gtranslate(function(x) exp(2 * x))
  inherits(t, "gtranslation") && all(c("program", "dim", "parameters", "work", "text", "source") %in% names(t)) &&
    t$work == 2
})
tested("Translates an R function to the list", "integrand-language: print() shows the operations")
shown("`gtranslate()` translates the closure's", near(gintegrate(gtranslate(function(x) if (x > 0.5) 1 else 3), 0,
    1)$value, 2, 1e-6))
tested("R evaluates once, in the closure's environment",
       "integrand-language: R evaluates expressions that do not depend on the variable")
tested("Captured numbers, vectors and matrices", "integrand-language: captured values are not part of the program")
introduction("The rest may consist of")
tested("the variable:", "integrand-language: vectors, matrices and indices are translated")
tested("+ - * / ^ %%", "integrand-operations: operations on two arguments agree with R",
       "integrand-operations: remainders and integer quotients",
       "integrand-operations: logical operations treat NA as R does")
tested("`if`/else, `ifelse`, `switch`", "integrand-language: branches are taken as in R",
       "integrand-language: long loops become loops of",
       "integrand-language: loops whose passes differ are unrolled if they are short, and errors otherwise",
       code = c("R/integrand-loop.R: loop_unrolled <- 32L",
                "R/integrand-loop.R: loop_passes <- 1e6"))
listed <- "integrand-language: the manual lists every function that has a translation"
tested("abs sign sqrt exp", listed, "integrand-operations: functions of one argument agree with R",
       "integrand-operations: Bessel functions agree")
tested("over vectors, which have fixed lengths", listed,
       "integrand-language: vectors, matrices and indices are translated")
tested("matrices and arrays of fixed extent", listed, "integrand-matrices: matrices are arranged as in R",
       "integrand-matrices: systems of equations and determinants agree with R",
       code = "R/integrand-matrices.R: elimination_most <- 12L")
tested("elements by `[` and", listed, "integrand-matrices: elements, rows and parts of captured matrices and arrays",
       "integrand-matrices: findInterval() agrees with R for all combinations of its arguments")
tested("functions over elements:", listed, "integrand-matrices: functions over elements agree with R")
tested("densities and distribution functions", listed, "integrand-distributions: densities agree with R",
       "integrand-distributions: distribution functions agree with R, including upper tails and logarithms")
tested("`dstable()` and `pstable()`: fast for",
       "integrand-distributions: stable distributions agree with dstable() and pstable()",
       "integrand-distributions: the parameters of a stable distribution may be variables")
tested("functions made by `approxfun()`", "integrand-language: interpolating functions agree with R")
tested("calls of other closures", "integrand-language: closures are inlined with their defaults and environments")
tested("An index that depends on the point", "integrand-matrices: elements, rows and parts of captured matrices")
tested("Where a vector has no such element",
       "integrand-matrices: an index out of range is an error of arrays, NA of vectors")
tested("R drops elements at negative indices",
       "integrand-matrices: an index out of range is an error of arrays, NA of vectors")
tested("`solve()` and `det()` eliminate",
       "integrand-matrices: systems of equations and determinants agree with R, whichever rows",
       "integrand-matrices: singular matrices are refused where R refuses them")
tested("Names of elements, rows and columns",
       "integrand-matrices: complex results are refused by name, and complex arithmetic is left to R")
tested("In one dimension `sum(x)` and similar",
       "integrand-language: integrands that R would interpret differently are errors")
tested("Arguments are matched as R matches them.",
       "integrand-fallback: arguments of functions have the same meaning as in R")
takes("These have no translation: arguments", not = c(gtranslate(function(x) mean(c(x, 1), trim = 0.1)),
    gtranslate(function(x) dt(x, 3, ncp = 1)),
      gtranslate(function(x) x * rnorm(1)), gtranslate(function(x) x * as.numeric(Sys.time()))))
tested("Integers overflow to `NA` as in R.", "integrand-fallback: integers overflow to NA")
tested("Where a condition of `if` is `NA`", "integrand-fallback: a condition that is NA gives NaN")
coded("An integrand has at most 50000", "R/integrand-ssa.R: node_limit <- 50000L",
      "R/integrand-expression.R: step_limit <- 100000L")
tested("Each element of a vector takes operations",
       "integrand-language: a loop takes the operations of one pass, a vector those of all its")
tested("`gtranslate()` compares the translation with",
       "integrand-fallback: a translation is compared with its function when it is made",
       "quadrature-conventions: a translation that differs from the function in R is an error that names the point",
       code = c("R/integrand-gtranslate.R: min(8L, points_to_compare",
                "R/quadrature-gintegrate.R: 16L else if (work > 1e9) 0L"))
shown("The result contains the function together", {
  a <- 3
  t <- gtranslate(function(x) a * x)
  a <- 5
  file <- tempfile()
  saveRDS(t, file)
  near(gintegrate(readRDS(file), 0, 1)$value, 1.5)
})
tested("Densities and distribution functions differ", "integrand-tails: gamma tails agree with R",
       "integrand-tails: beta tails agree with R",
       "integrand-tails: discrete distributions agree with R",
         "integrand-tails: densities agree with R for large and small parameters")
tested("The error of Bessel functions is at most",
       "integrand-operations: Bessel functions agree with R, also close to their first zeros")
raises("`\"stablecl_error_untranslatable\"`: the function cannot", gtranslate(function(x) rnorm(1)))
shown("The condition, whose class is also", {
  failure <- tryCatch(gtranslate(function(x) rnorm(1) + x), error = identity)
  inherits(failure, "gintegrate_untranslatable") && identical(names(failure$problems), c("call", "place", "advice"))
})
raises("`\"stablecl_error_argument\"`: an argument is missing, empty or invalid;", gtranslate(), gtranslate(sin, 1, ),
       gtranslate(sin, dim = -1))
raises("`\"stablecl_error_translation\"`: the function and its",
       tests = "integrand-fallback: a translation is compared with its function when it is made")
