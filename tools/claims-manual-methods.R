# The evidence for the manual pages of the methods of integration, statuses and translations (tools/check-claims).

# Calls of R functions by method "gk": the points of each round; and the intervals, a matrix of limits for each round.
objects$rounds_of <- function(f, rel.tol = 1e-6) {
  seen <- list()
  g <- function(x) {
    seen[[length(seen) + 1L]] <<- x
    f(x) * strtoi("1")                                     # which has no translation
  }
  suppressMessages(suppressWarnings(gintegrate(g, 0, 1, method = "gk", rel.tol = rel.tol)))
  Filter(function(x) length(x) %% 21 == 0, seen)
}
objects$intervals_of <- function(rounds) lapply(rounds, function(x) {
  ends <- matrix(x, ncol = 21)[, c(1, 21), drop = FALSE]
  half <- (ends[, 2] - ends[, 1]) / 2 / 0.995657163025808080735527280689
  rowMeans(ends) + outer(half, c(-1, 1))
})
# A problem as stablecl:::located() takes it.
objects$problem_over <- function(f, dim, lower = -Inf, upper = Inf)
  list(integrand = gtranslate(f, dim = dim)$program, lower = rep(list(lower), dim), upper = rep(list(upper), dim),
       columns = list(), breaks = double(), options = list(),
       tolerance = list(rel.tol = 1e-6, abs.tol = 0, max.eval = 1e6))
# Values of a translated function at points x, or at columns, NaN included.
objects$values_at <- function(f, x) {
  columns <- if (is.list(x)) x else list(x)
  .Call(stablecl:::C_values, gtranslate(f, dim = length(columns))$program, lapply(columns, as.double))
}
objects$refuses <- function(f) inherits(tryCatch(gtranslate(f), error = identity), "gintegrate_untranslatable")
# Are all functions that a sentence lists translated?
objects$all_listed <- function(sentence) {
  text <- sub("^[^:]*: ", "", sub(";$", "", gsub("`[^`]*`|of up to .*", "", sentence)))
  all(strsplit(text, "[, ;]+")[[1L]] %in% ls(stablecl:::supported_functions))
}
# Does method "auto" take the steps that a sentence states, in each of these dimensions?
objects$has_plan <- function(sentence, dims, rel.tol, abs.tol = 0) {
  text <- regmatches(sentence, gregexpr("`\"[a-z]+\"` [0-9]+%( \\(at most [0-9e]+)?", sentence))[[1L]]
  stated <- list(method = sub("`\"([a-z]+).*", "\\1", text), share = as.numeric(sub(".* ([0-9]+)%.*", "\\1", text)),
                 most = as.numeric(ifelse(grepl("most", text), sub(".*most ", "", text), Inf)))
  hard <- function(x) abs(sum(sin(3 * x)) - 1.3)^0.3
  all(vapply(dims, function(dim) {
    plan <- stablecl:::auto_stages(dim, list(rel.tol = rel.tol, abs.tol = abs.tol, max.eval = 1e5))
    plan$share <- 100 * plan$share
    taken <- names(suppressWarnings(gintegrate(hard, rep(0, dim), 1, rel.tol = rel.tol, abs.tol = abs.tol,
                                               max.eval = 1e5))$stages)
    isTRUE(all.equal(plan, stated)) && length(taken) > 1L && identical(taken, stated$method[seq_along(taken)])
  }, NA))
}

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
  gap <- suppressWarnings(gintegrate(function(x) if (x > 0.3 && x < 0.31) NaN else x, 0, 1))
  identical(names(r$stages), c("gk", "tanhsinh")) && r$stages[["tanhsinh"]] <= 4000 && is.null(gap$stages) &&
    gap$status == "not finite"
})
shown("If the range is infinite, `\"gk\"` first", {
  stages <- function(f, ...) names(suppressWarnings(gintegrate(f, 0, Inf, rel.tol = 1e-8, max.eval = 2e4, ...))$stages)
  r <- gintegrate(function(x) sin(x) / x, 0, Inf)
  late <- suppressWarnings(gintegrate(function(x) if (x > 2) sin(x) / x else 0, 0, Inf, max.eval = 2e4))
  identical(names(r$stages), c("gk", "fourier")) && r$stages[["gk"]] <= 1000 && late$stages[["fourier"]] <= 5000 &&
    late$stages[["fourier"]] > 4000 && "fourier" %in% stages(function(x) sin(x) * exp(sin(x^2)) / x) &&
    !any(c(stages(function(x) (sin(x) + cos(x)) / sqrt(x)), stages(function(x) (sin(x) + sin(2 * x)) / x),
           stages(function(x) sin(x^2) / x),
           stages(function(x) { s <- 0; for (i in 1:50) s <- s + sin(x) / i; s / x })) == "fourier")
})
tested("A result of the second or third method that contradicts", "quadrature-stages: a method that misses a peak")
shown("With `breaks`, `\"gk\"` alone is used.", {
  is.null(suppressWarnings(gintegrate(function(x) sin(1e4 / x), 0, 1, breaks = 0.5, max.eval = 2000))$stages)
})
shown("`\"auto\"` uses several methods in turn", {
  f <- function(x, y, z, w) if (w == 0) x * y else abs(x + y - 1.01 + z)^0.3
  r <- suppressWarnings(gintegrate(f, c(0, 0, 0), 1, params = data.frame(w = 0:1), max.eval = 1e5))
  easy <- gintegrate(f, c(0, 0, 0), 1, params = data.frame(w = 0), max.eval = 1e5)
  length(r$stages) > 1 && is.null(easy$stages) && r$evaluations[1] == easy$evaluations &&
    sum(r$evaluations) == sum(r$stages)
})
introduction("Each method may use a share of")
plans <- "manual: the pages about gintegrate() name every method, status and option, and the shares of"
shown("2 to 8 dimensions:", has_plan(sentence, c(2, 8), 1e-5) && has_plan(sentence, 4, 1e-3) &&
        has_plan(sentence, 3, 1e-9, 1e-12))
shown("the same, with `rel.tol` below 1e-6", has_plan(sentence, c(2, 8), 9e-7))
shown("5 to 8 dimensions, with", has_plan(sentence, c(5, 8), 1e-4) && !has_plan(sentence, 5, 9e-5))
shown("9 to 12 dimensions:", has_plan(sentence, c(9, 12), 1e-4) && has_plan(sentence, 9, 1e-9))
shown("13 to 100 dimensions:", has_plan(sentence, 13, 1e-6) && identical(
  stablecl:::auto_stages(100, list(rel.tol = 1e-6, abs.tol = 0, max.eval = 1e6)), stablecl:::stages_many))
shown("with `max.eval` below 1e5:", {
  stages <- function(d) names(suppressWarnings(gintegrate(function(x) abs(sum(x) - 1.3)^0.3, rep(0, d), 1,
      rel.tol = 1e-9, max.eval = 2e4))$stages)
  is.null(stages(3)) && is.null(stages(10)) &&
    gintegrate(function(x) sum(x), rep(0, 3), 1, max.eval = 2e4)$rule %in% "cubature" &&
    suppressWarnings(gintegrate(function(x) sum(x), rep(0, 10), 1, max.eval = 2e4)$rule) %in% "lattice"
})
shown("Evaluations that a method does not use", {
  run <- function(f, dim, tol) suppressWarnings(gintegrate(f, rep(0, dim), 1, rel.tol = tol, max.eval = 2e5))
  jump <- run(function(x, y, z) if (x + y * z > 0.7) 0 else exp(x), 3, 1e-9)
  waves <- run(function(x) sin(sum(50 * x)), 5, 1e-7)
  max(jump$stages[["product"]], waves$stages[["product"]]) < 0.02 * 2e5 && min(jump$evaluations,
    waves$evaluations) > 0.8 * 2e5 && jump$stages[[3]] > (0.38 + 0.4) * 2e5
})
shown("The result is the first that converges", {
  done <- gintegrate(function(x) sin(sum(x)), rep(0, 6), 10, rel.tol = 1e-6)
  done$rule == "product" && names(done$stages)[length(done$stages)] == "product" &&
    is_test("quadrature-stages: a method that misses a peak does not replace the result")
})
shown("If there is none, the result is the one with the smallest error", {
  hard <- function(x) abs(sum(sin(3 * x)) - 1.3)^0.3
  run <- function(...) suppressWarnings(gintegrate(hard, rep(0, 13), 1, control = list(seed = 1), ...))
  auto <- run(max.eval = 1e5, rel.tol = 1e-8)
  lattice <- run(max.eval = 6e4, rel.tol = 2.5e-9, method = "lattice")
  vegas <- run(max.eval = 4e4, rel.tol = 2.5e-9, method = "vegas")
  identical(names(auto$stages), c("lattice", "vegas")) && auto$rule == "lattice" &&
    near(auto$abs.error, 4 * lattice$abs.error) && lattice$abs.error < vegas$abs.error
})
shown("The component `rule` names its method", {
  identical(as.character(gintegrate(function(x, y) exp(x * y), c(0, 0), 1)$rule), "cubature")
})
shown("Here the error of `\"lattice\"` and", {
  f <- function(x) prod(1 + 0.3 * sin(7 * x))
  auto <- gintegrate(f, rep(0, 13), 1, rel.tol = 1e-2, control = list(seed = 1))
  direct <- gintegrate(f, rep(0, 13), 1, rel.tol = 1e-2, method = "lattice", control = list(seed = 1))
  auto$rule == "lattice" && auto$abs.error / auto$value <= 1e-2 && auto$abs.error >= direct$abs.error
})

# --- methods for one variable ---
shown("`\"gk\"`: globally adaptive", {
  nodes <- rounds_of(function(x) exp(x))[[1]][1:21 * 4 - 3]          # of the first of 4 intervals
  near(range(nodes), 0.125 * (1 + c(-1, 1) * 0.995657163025808080735527280689)) && near(nodes[11], 0.125)
})
shown("Each round divides the intervals with", {
  second <- function(f) intervals_of(rounds_of(f))[[2]]
  end <- second(function(x) sqrt(x))
  peak <- second(function(x) 1 / ((x - 0.3)^2 + 1e-3))
  jump <- second(function(x) floor(2.7 * x))
  near(end, rbind(c(0, 1 / 32), c(1 / 32, 1 / 4))) && near(peak, rbind(c(0.25, 0.375), c(0.375, 0.5))) &&
    near(jump, cbind(4:11, 5:12) / 16)
})
shown("The error estimate of an interval comes from ten", {
  text <- paste(readLines("src/quadrature/adaptive/gauss_kronrod_nodes.h"), collapse = "\n")
  grepl("#define GK_PAIRS  5", text) && 2 * 5 == 10          # pairs of an even and an odd rule
})
tested("Next to a singular point, where bisection",
       "quadrature-conventions: singularities next to which doubles are sparse are",
       "quadrature-literature: singularities inside the range converge",
         "quadrature-conventions: extrapolation is checked by points nearer")
shown("A range starts as 4 intervals.", gintegrate(function(x) x, 0, 1, method = "gk")$evaluations == 4 * 21)
shown("If any becomes shorter than 1/24", {
  rounds <- lapply(intervals_of(rounds_of(function(x) floor(2.7 * x))), function(r) r[, 2] - r[, 1])
  narrow <- vapply(rounds, function(w) any(w < 1 / 24), NA)
  # the intervals of 1/4 whose values are constant are not divided before
  which(narrow)[1] == 3 && near(unlist(rounds[2:3]), rep(c(1, 1 / 4), each = 8) / 16) &&
    near(rounds[[4]], rep(1 / 16, 8))
})
shown("If all values were 0 and the translation of `f` contains linear functions", {
  gintegrate(function(x) exp(-((x - 0.3) / 1e-6)^2), 0, 1)$value > 1e-6 && gintegrate(function(x) exp(-((x^2 - 0.09) / 1e-6)^2), 0, 1)$value == 0
})
shown("Where it is not 0, intervals of twice the distance", {
  p <- list(integrand = gtranslate(function(x) abs(x - 3) <= 1.5)$program, lower = list(-Inf), upper = list(Inf),
            columns = list(), breaks = double())
  identical(stablecl:::parts_around(p, list(row = 1, x = 3)), list(row = c(1, 1), lower = c(1, 3), upper = c(3, 5))) &&
    source_has("R/quadrature-missed.R", "missed_octaves <- seq(-1074, 1022)")
})
tested("Peaks and boxes that are far away or much narrower than the range",
       "quadrature-status: peaks that all points miss are found at the zeros of linear functions",
       "quadrature-status: boxes and triangles that all points miss are found at comparisons and between them")
shown("A range on which all values are 0 is examined once more at 6720", {
  320 * 21 == 6720 && gintegrate(function(x) 0 * x, 0, 1, method = "gk")$evaluations == 84 + 6720 &&
    near(gintegrate(function(x) 1e40 * exp(-1e40 * x), 0, 1, method = "gk")$value, 1)
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
shown("`\"tanhsinh\"`: double exponential quadrature", {
  run <- function(f) suppressWarnings(gintegrate(f, 0, 1, method = "tanhsinh"))
  at_0 <- run(function(x) log(x) / sqrt(x))
  at_1 <- run(function(x) log(1 - x) / sqrt(1 - x))
  at_0$status == "converged" && near(at_0$value, -4, 1e-13) && at_0$evaluations < 200 && at_1$abs.error > 1e-8
})
shown("For other integrands it converges slowly", {
  as.numeric(sub("%", "", cell("bench/errors.md", "| tanhsinh | a jump at u | 1e-08", 4))) < 1
})
shown("`\"fourier\"`: the double exponential formula", {
  run <- function(f, lower, weight)
    gintegrate(f, lower, Inf, method = "fourier", control = list(omega = 2, weight = weight))$value
  near(run(function(x) 1 / (1 + x^2), -Inf, "cos"), pi * exp(-2)) && near(run(function(x) exp(-x), 0, "cos"), 1 / 5) &&
    near(run(function(x) x / (1 + x^2), -Inf, "sin"), pi * exp(-2)) && near(run(function(x) exp(-x), 0, "sin"), 2 / 5)
})
shown("`f` is the function without that factor", {
  r <- gintegrate(function(x) exp(-x), 0, Inf, method = "fourier", control = list(omega = 3, weight = "sin"))
  near(r$value, 3 / 10)
})
shown("`f` may decay as slowly as", {
  run <- function(f, lower = 0, ...) suppressWarnings(gintegrate(f, lower, Inf, method = "fourier", max.eval = 2e4, ...,
      control = list(omega = 2, weight = "cos")))
  at_0 <- run(function(x) x^-0.5)
  # 1/log(2 + x) by integration by parts, which leaves an integrand that decays faster than 1/x
  rest <- gintegrate(function(x) sin(2 * x) / (2 * (2 + x) * log(2 + x)^2), 0, Inf, rel.tol = 1e-7)
  slow <- run(function(x) 1 / log(2 + x))
  status <- function(f) as.character(run(f)$status)
  near(at_0$value, sqrt(pi) / 2, 1e-12) && abs(slow$value - rest$value) <= slow$abs.error + rest$abs.error &&
    slow$abs.error < 1e-9 && run(function(x) (x - 1)^-0.5, 1)$abs.error > 1e-9 &&
    status(function(x) exp(-abs(x - 3))) != "converged" && status(function(x) cos(5 * x) / (1 + x)) != "converged"
})
shown("It is evaluated up to a distance of about 160", {
  reach <- function(omega, evaluations, weight = "cos") {
    seen <- NULL
    f <- function(x) {
      seen <<- c(seen, x)
      exp(-x) * strtoi("1")
    }
    r <- suppressMessages(gintegrate(f, 0, Inf, method = "fourier", control = list(omega = omega, weight = weight)))
    # the test for divergence follows
    if (r$evaluations > evaluations || length(seen) - r$evaluations > 10) NaN
    else max(seen[seq_len(r$evaluations)]) * omega
  }
  near(c(reach(2, 300), reach(50, 300, "sin")), 160, 0.03) && near(reach(0.01, 600), 320, 0.03)
})
shown("Accuracy: on 43 integrals with closed", {
  code <- parse("tests/testthat/test-quadrature-fourier.R")
  frame <- new.env(parent = globalenv())
  for (part in as.list(code)) if (is.call(part) && identical(part[[1]], as.name("<-"))) eval(part, frame)
  few <- vapply(frame$cases, function(k) stats::median(frame$fourier(k$f, k$lower, k$upper, k$weight, frame$omegas,
                                                                     rel.tol = 1e-8)$evaluations), 0)
  length(frame$cases) == 43 && length(frame$omegas) == 6 && identical(range(frame$omegas), c(1e-3, 1e4)) &&
    median(few) < 600 &&
    source_has("tests/testthat/test-quadrature-fourier.R", "the error is never underestimated in 258 integrals")
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
shown("A range on which all values are 0 is examined once more, divided", {
  count <- function(d, level) gintegrate(function(x) level + 0 * sum(x), rep(0, d), 1, method = "cubature")$evaluations
  more <- vapply(2:8, function(d) count(d, 0) - count(d, 1), 0)
  points <- c(21, 39, 65, 103, 161, 255, 417)                             # of the rule in 2 to 8 dimensions
  boxes <- vapply(2:8, count, 0, 0) / points - 1
  min(more) >= 4000 && max(more) <= 8000 && identical(range(boxes), c(16, 256))
})
shown("Once any box is smaller than a sixteenth", {
  count <- function(width) gintegrate(function(x, y, w) exp(-((x - 0.3)^2 + (y - 0.4)^2) / w^2), c(0, 0), 1, w = width,
                                      method = "cubature", rel.tol = 1e-3)$evaluations
  source_has("src/quadrature/adaptive/genz_malik.h", "#define GENZ_MALIK_UNEVEN 0.0625") && 0.0625 == 1 / 16 &&
    count(0.2) < 256 * 21 && count(0.002) > 256 * 21
})
tested("A peak next to a face may lie between", "quadrature-cubature: no part of a peak is lost at the face of a box")
shown("The error of a box is therefore increased", {
  source_has("src/quadrature/adaptive/box_neighbours.h", "#define NEIGHBOURS_RATIO  8.0") &&
    source_has("src/quadrature/adaptive/box_neighbours.h", "#define NEIGHBOURS_DENSER 8.0") &&
    source_has("src/quadrature/adaptive/box_neighbours.c", "l->missing += n->subregion.size * w->at[t->dim + axis]")
})
tested("The box is then bisected along that axis", "quadrature-cubature: a ridge across the axes and a thin ring are found")
shown("Accuracy: of 2000 integrals over the square", {
  as.numeric(sub("%", "", cell("bench/errors.md", "| a jump at x = a | 2 | 1e-06", 5))) / 100 * 2000 == 1
})
tested("`\"product\"`: a product of Gauss-Legendre",
       "quadrature-monte-carlo: the product rule is exact for polynomials",
       "quadrature-monte-carlo: the product rule converges for oscillating integrands",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps along the axes",
       code = c("src/quadrature/tensor/product_rules.h: #define PRODUCT_NODES 32",
                "src/quadrature/tensor/product_rules.h: #define PRODUCT_PIECES 4"))
shown("The number of nodes follows from", {
  seen <- NULL
  f <- function(x, y) {
    seen <<- rbind(seen, cbind(x, y))
    exp(x * y) * strtoi("1")
  }
  suppressMessages(gintegrate(f, c(0, 0), 1, method = "product"))
  fixed <- function(k) table(utils::head(seen[, k], 2048))
  # 64 points on each line; on a line along one axis the other variable is constant
  sum(fixed(1) == 64) == 16 && sum(fixed(2) == 64) == 16
})
tested("Kinks and jumps at the same places",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps along")
tested("For other integrands the method stops",
       "quadrature-monte-carlo: the product rule is exact for polynomials, and stops early",
       "quadrature-monte-carlo: breaks that lines suggest for oblique or curved discontinuities are abandoned soon")
tested("The error is the larger of two estimates",
       "quadrature-monte-carlo: the product rule does not underestimate errors for Gaussians",
       "quadrature-error-estimates: products of Gauss rules state errors near the true ones",
       code = c("src/quadrature/tensor/product.c: fmax(series_error(p, noise), lines_error(c, sums, nodes))",
                "src/quadrature/tensor/product.c: SAFETY * change * ratio / (1.0 - ratio)",
                "src/quadrature/tensor/product.c: #define SAFETY  4.0"))
tested("In many dimensions a sparse product is tried",
       "quadrature-sparse: sparse products integrate waves in 7 and 8 dimensions",
       "quadrature-sparse: sparse products integrate a product of peaks in 7 dimensions",
       code = "src/quadrature/tensor/patterson_nodes.h: #define PATTERSON_LEVELS 5")
tested("Its error is at least four times",
       "quadrature-sparse: errors allow for terms in several variables that lines do not",
       "quadrature-sparse: a sparse product ends with its share of the evaluations, and states an error that holds",
       code = c("src/quadrature/tensor/sparse.c: fmax(SAFETY * largest_ratio(s, now.value) * now.boundary, left_out)",
                "src/quadrature/tensor/sparse.c: #define SAFETY 4.0",
                "src/quadrature/tensor/product.c: fabs(sums->sum - r->value) - lines_error(c, sums, l.nodes)"))
coded("`\"lattice\"`: 16 copies", "src/quadrature/monte_carlo/monte_carlo.h: #define LATTICE_SHIFTS 16",
      "src/quadrature/monte_carlo/lattice_points.h: #define LATTICE_MAX   26")
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
shown("`\"vegas\"`: stratified sampling", {
  run <- function(dim, n, seed) suppressWarnings(gintegrate(function(x) exp(sum(x)), rep(0, dim), 1, method = "vegas",
      rel.tol = 1e-14, max.eval = n, control = list(seed = seed)))
  rate <- function(dim) {
    r <- lapply(c(1e4, 8e4), function(n) lapply(1:7, function(seed) run(dim, n, seed)))
    of <- function(k, part) median(vapply(r[[k]], `[[`, 0, part))
    log(of(2, "abs.error") / of(1, "abs.error")) / log(of(2, "evaluations") / of(1, "evaluations"))
  }
  all(vapply(2:4, rate, 0) < -0.9 * (1 / 2 + 2 / 2:4)) && vegas_with(bins = 256)$value == vegas_with()$value &&
    source_has("src/quadrature/monte_carlo/importance_map.h", "#define MAP_BINS 256") &&
    source_has("src/quadrature/monte_carlo/subcubes.h", "#define STRATA_POINTS 4")
})
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
shown("A range starts as 7 intervals", {
  # 5 points for each interval and 2 new ones for each half
  gintegrate(function(x) 1 + x, 0, 1, method = "simpson")$evaluations == 7 * 5 + 14 * 2 &&
    source_has("src/quadrature/adaptive/bisection.h", "fabs(h->before - h->value)")
})
tested("A non-finite value at a limit or break",
       "quadrature-simpson: infinite limits, breaks and singular ends are handled")
tested("`\"forward\"`: heuristic forward",
       "quadrature-forward: forward quadrature agrees with the algorithm of the paper",
       "quadrature-forward: straight lines are exact, and steps stay within their limits")
tested("There is no refinement: the error estimate",
       "quadrature-forward: a tolerance that the steps do not reach gives a warning")
shown("In several dimensions the method applies Fubini", {
  seen <- NULL
  f <- function(x, y) {
    seen <<- rbind(seen, cbind(x, y))
    exp(x * y) * strtoi("1")
  }
  steps <- list(h_min = 0.1, h_max = 0.3)
  suppressMessages(gintegrate(f, c(0, 0), 1, method = "forward", rel.tol = 0.1, control = steps))
  first <- unique(seen[seq_len(which(seen[, 2] != 0.5)[1] - 1), 1])
  setequal(unique(seen[, 1]), union(first, seen[, 1])) && all(seen[seen[, 2] != 0.5, 1] %in% first)
})
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
shown("Along each axis g(t)", {
  map <- stablecl:::new_map(problem_over(function(x) exp(-x^2), 1))
  map$scale[] <- 1
  t <- c(-0.9, 0.2, 0.5)
  x <- function(light) stablecl:::transform_points(replace(map, "light", light), list(t))$x[[1]]
  is_light <- function(f) any(stablecl:::located(map, problem_over(f, 1))$light)
  near(x(FALSE), t / (1 - t^2)) && near(x(TRUE), log((1 + t) / (1 - t))) && is_light(function(x) exp(-x^2)) &&
    !is_light(function(x) exp(-abs(x))) && !is_light(function(x) 1 / (1 + x^2))
})
shown("The origin o is the finite limit", {
  map <- function(f, ...) {
    p <- problem_over(f, 1, ...)
    stablecl:::located(stablecl:::new_map(p), p)
  }
  far <- map(function(x) exp(-(x - 5)^2 / 1e4), 2, Inf)
  close <- map(function(x) exp(-(x - 5)^2), -Inf, 4)
  far$axes[[1]]$origin == 2 && close$axes[[1]]$origin == 4 && far$matrix[1, 1] > 10 && close$matrix[1, 1] < 3
})
shown("For axes that are whole lines, o and", {
  p <- problem_over(function(x, y) exp(-((x - 3)^2 / 4 + (y + 5)^2 - 0.8 * (x - 3) * (y + 5)) / 1.68), 2)
  map <- stablecl:::located(stablecl:::new_map(p), p)
  covariance <- solve(matrix(c(0.25, -0.4, -0.4, 1), 2) / 0.84)
  origin <- vapply(map$axes, `[[`, 0, "origin")
  map$matrix[1, 2] == 0 && all(abs(tcrossprod(map$matrix) / covariance - 1) < 0.05) &&
    all(abs(origin - c(3, -5)) < 0.2 * sqrt(diag(covariance)))
})
shown("In up to 8 dimensions a normal density therefore", {
  is_one <- function(f, dim, ...) abs(gintegrate(f, rep(-Inf, dim), Inf, rel.tol = 1e-3, ...)$value - 1) < 1e-3
  narrow <- function(x, y, s, r) {
    u <- x - 10
    v <- (y + 10 * s) / s
    exp(-(u^2 - 2 * r * u * v + v^2) / (2 * (1 - r^2))) / (2 * pi * s * sqrt(1 - r^2))
  }
  all(vapply(c(2, 3, 8), function(d) is_one(function(x) prod(dnorm(x - 10)), d), NA)) &&
    all(mapply(function(s, r) is_one(narrow, 2, s = s, r = r), c(1e-3, 1, 1, 1e3), c(0.5, -0.9, 0.999, 0.9)))
})
tested("In up to 12 dimensions, 501 points along each half-axis",
       "quadrature-infinite: integrals do not depend on the unit of the variables")
shown("Location and scale follow from medians", {
  steps <- function(f, dim) {
    p <- problem_over(f, dim)
    (stablecl:::located(stablecl:::new_map(p), p)$evaluations - 501 * 2 * dim) / (1024 * dim)
  }
  wide <- steps(function(x, y) exp(-x^2 - (x - y)^2), 2)
  narrow <- steps(function(x, y) exp(-1e5 * ((x - 1)^2 + (x - y)^2)), 2) - 65536 / 2048
  none <- steps(function(x) exp(-sum((x - 100)^2)), 5)
  wide == 3 && narrow > 3 && narrow <= 12 && none == 1 + 65536 / (5 * 1024) &&
    gintegrate(function(x, y) exp(-x^2 - y^2), c(-Inf, -Inf), Inf)$evaluations > 3 * 2048
})
shown("All of these points count as evaluations", {
  gintegrate(function(x, y) exp(-x^2 - y^2), c(-Inf, -Inf), Inf, method = "cubature")$evaluations > 4 * 501 + 3 * 2048
})
shown("In more than 12 dimensions location and scale follow", {
  each <- vapply(c(13, 40), function(dim) {
    many <- problem_over(function(x) exp(-sum((x - 1)^2)), dim)
    stablecl:::located(stablecl:::new_map(many), many)$evaluations / dim
  }, 0)
  all(each > 300 & each < 700) && source_has("R/quadrature-mode.R", "few_axes <- 12L")
})
shown("Location and scale are common to all integrals of a call", {
  p <- problem_over(function(x, y) exp(-x^2 - y^2), 2)
  p$columns <- list(1:9)
  length(stablecl:::examined_integrals(p)$rows) == 4 &&
    source_has("R/quadrature-mode.R", "located_at_mode <- function(map, q, scaled, row = 1L)")
})
tested("In up to three dimensions these are the integrals",
       "quadrature-infinite: integrals of one call may have very different scales and correlations",
       code = c("R/quadrature-location.R: suitability_axes <- 3L", "R/quadrature-location.R: suitability_points <- 256L"))
shown("In more dimensions they are all integrals", {
  suits <- function(centre, scale) vapply(c(4L, 13L), function(dim) {
    p <- problem_over(function(x) 0, dim)
    normal <- function(x, m, s) exp(-sum((x - m)^2) / (2 * s^2))
    p$integrand <- gtranslate(normal, dim = dim, params = c("m", "s"))$program
    map <- stablecl:::located(stablecl:::new_map(p), replace(p, "columns", list(list(0, 1))))
    stablecl:::suitable_integrals(map, replace(p, "columns", list(list(c(0, centre), c(1, scale)))), 2L)[1L]
  }, NA)
  all(suits(1, 1)) && !any(suits(2, 1)) && all(suits(0, 1.6), suits(0, 0.65)) && !any(suits(0, 2.6), suits(0, 0.3))
})
tested("Integrals that location and scale do not suit are divided",
       "quadrature-infinite: integrals of one call in many dimensions may have different locations and scales")
tested("A peak that is narrow compared with its distance",
       "quadrature-infinite: divergent integrals, and integrands whose peak is not found")
tested("`\"vegas\"` and `\"lattice\"` use a counter-based",
       "quadrature-monte-carlo: results do not depend on the number of threads",
       "quadrature-monte-carlo: results are reproducible with a seed or set.seed()")
tested("Without a `seed` the key comes from",
       "quadrature-monte-carlo: results are reproducible with a seed or set.seed()")
shown("As with any method of this kind, a peak is missed", {
  peak <- function(x0) gintegrate(function(x, y) exp(-1e8 * ((x - x0)^2 + (y - 0.7177)^2)), c(0, 0), 1,
                                  method = "vegas", rel.tol = 1e-3, control = list(seed = 1))$value * 1e8 / pi
  peak(0.3123) < 1e-100 && abs(peak(0.5) - 1) < 0.01
})

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
shown("`\"stuck\"`: intervals are as narrow", {
  status_of(function(x) sin(1 / x) / x, 0, 1, max.eval = 1e5) == "stuck" &&
    status_of(function(x) 1 / (x * log(x / 2)^2), 0, 1, method = "gk", rel.tol = 1e-6) == "stuck" &&
    status_of(function(x, y) exp(-(x - 1e4)^2 - (y - 3e4)^2), c(-Inf, -Inf), Inf) == "stuck"
})
tested("`\"not finite\"`: the integrand has", "quadrature-conventions: NaN on a whole subinterval is reported")
shown("On an infinite range non-finite values count", {
  logistic <- gintegrate(function(x) exp(x) / (1 + exp(x))^2, -Inf, Inf)
  both <- gintegrate(function(x, y) exp(x) / (1 + exp(x))^2 * exp(-y^2), c(-Inf, -Inf), Inf, rel.tol = 1e-6)
  near(logistic$value, 1) && near(both$value, sqrt(pi), 1e-6) &&
    status_of(function(x) if (x > 30) NaN else exp(-abs(x)), -Inf, Inf) == "not finite" &&
    status_of(function(x, y) ifelse(x > 30, NaN, exp(-abs(x) - y^2)), c(-Inf, -Inf), Inf) != "converged"
})
tested("`\"divergent\"`: the integral of",
       "quadrature-status: divergent integrals are reported as divergent, and convergent ones never")
shown("The value is `NaN`.", is.nan(divergent$value) && divergent$status == "divergent")
tested("An integral that converges although", "quadrature-status: methods that sample report an infinite integral")
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
shown("For integrals that use up their evaluations", {
  w <- 10^seq(2, 5, length.out = 100)
  r <- suppressWarnings(gintegrate(function(x, w) 1 / (1 + w^2 * (x - 0.37)^2), 0, 1, params = data.frame(w),
                                   max.eval = 90, method = "gk"))
  wrong <- abs(r$value - (atan(0.63 * w) + atan(0.37 * w)) / w) > r$abs.error
  all(r$status == "max.eval") && any(wrong) && !all(wrong)
})
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
shown("For `\"lattice\"` it follows from", {
  # a standard normal distribution has the quantile 1 for the probability for which that of Student's t is this factor
  factor <- qt(pnorm(1), 15)
  text <- paste(readLines("src/quadrature/monte_carlo/lattice.c"), collapse = "\n")
  stated <- as.numeric(sub(".*#define STUDENT +([0-9.]+).*", "\\1", text))
  abs(stated / factor - 1) < 1e-3 && 
    grepl("STUDENT s/sqrt(SHIFTS) (1 + max(|g| - SKEWED, 0))", text, fixed = TRUE)
})
tested("For `\"vegas\"` it follows from the variances",
       "quadrature-monte-carlo: chi-squared and Q are returned and printed")
tested("If `Q` is below 0.001", "quadrature-monte-carlo: inconsistent iterations do not count as converged",
       code = c("src/quadrature/monte_carlo/vegas.c: #define RESTART_GROWTH 4.0",
                "src/quadrature/monte_carlo/vegas.c: if (inconsistent) v.count = before = from = 0;"))
shown("In one dimension the standard error is at least", {
  u <- seq(0.0011, 0.999, length.out = 50)
  r <- gintegrate(function(x, u) ifelse(x < u, 1, 2), 0, 1, params = data.frame(u), method = "vegas", rel.tol = 1e-3,
                  control = list(seed = 1))
  # chi-squared/df of about 1 shows that the errors are those of the differences
  all(r$chi.squared <= 1.000001 * r$df) && all(r$Q > 0.1) && max(abs(r$value - (2 - u)) / r$abs.error) < 10
})
tested("Divergence is detected from the growth", "quadrature-status: divergent integrals are reported as divergent",
       "quadrature-status: divergent integrals over boxes are reported")
shown("Integrals that have not converged are examined", {
  uncounted <- function(f, ...) {
    n <- 0
    g <- function(x) {
      n <<- n + length(x)
      f(x) * strtoi("1")
    }
    r <- suppressMessages(suppressWarnings(gintegrate(g, 0, 1, ...)))
    n - r$evaluations
  }
  inside <- uncounted(function(x) abs(x - 1 / 3)^-1)
  limits <- uncounted(function(x) sin(1e4 / x), max.eval = 1000)
  breaks <- uncounted(function(x) sin(1e4 / x), max.eval = 1000, breaks = c(0.2, 0.5))
  uncounted(exp) == 0 && limits > 0 && limits <= 2 * 200 && breaks > limits && breaks <= 4 * 200 && inside > limits &&
    inside <= 2 * 200 + 800 && uncounted(function(x) 1 / (x * log(x / 2)^2)) > 0
})
shown("A principal value is not an integral", {
  status_of(function(x) x^3, -Inf, Inf) == "divergent" && status_of(function(x) 1 / x, -1, 1) == "divergent"
})
shown("An examination of points is not a proof", {
  status_of(function(x) x^-0.99995, 0, 1) == "divergent" && status_of(function(x) x^-0.9998, 0, 1) != "divergent" &&
    status_of(function(x) (x - 1)^-0.9998, 1, 2) != "divergent" &&
    is_test("quadrature-status: exponents next to -1 are distinguished")
})
shown("After an interrupt the call returns", {
  limited <- function() {
    on.exit(setTimeLimit())
    setTimeLimit(elapsed = 0.1, transient = TRUE)
    f <- function(x) { Sys.sleep(0.01); sin(1e4 / x) }
    tryCatch(suppressMessages(gintegrate(f, 0, 1)), error = conditionMessage)
  }
  grepl("time limit", limited()) &&
    is_test("interrupts: an interrupt keeps finished integrals") &&
    is_test("quadrature-batch: after an interrupt finished integrals are kept")
})
tested("Neither ends the build of a kernel.",
       "device-builds: an interrupted build goes on, and the next call takes its result")
tested("With package cli, computations of more",
       "quadrature-batch: the progress function is called during long computations",
       code = c("R/workers.R: progress_delay <- 2 ", "R/workers.R: cli::cli_progress_bar(what, total = total"))

# --- devices ---
manual("gintegrate-devices")
reference("When `gintegrate()` uses an OpenCL device", "With `backend = \"auto\"` the choice")
tested("If that is also `\"auto\"`, the CPU starts", "quadrature-device: under \\\"auto\\\"",
       "quadrature-device-published: under \\\"auto\\\"",
       code = "src/quadrature/dispatch.c: #define SAMPLE 1024")
tested("If the device fails, the CPU continues",
       "quadrature-device-boxes: a device failure between rounds is an error if")
tested("The first values of every integrand on",
       "device-faults: integrands that are sensitive to rounding do not count as device",
       "device-faults: under \\\"auto\\\"")
tested("A device that is named (`\"opencl\"`",
       "quadrature-device-boxes: a device failure between rounds is an error if selected by",
       "quadrature-device-adaptive: a device selected by name computes a single integral over a box")
tested("In any case the CPU computes the few",
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
tested("With several components, the CPU divides", "quadrature-components: a device computes the same values")
tested("With `precision = \"single\"` in `control` and",
       "quadrature-device-single: lattices in single precision agree with those in")
tested("Random numbers, the importance grid and",
       "quadrature-device-single: strata in single precision agree with those in double",
       "quadrature-device-single: limits, parameters, infinite ranges and refined maps are those of double precision")
tested("Devices without double precision can be used",
       "quadrature-device-single: devices without double precision integrate in single")
coded("The CPU always computes in double precision, also",
      "src/quadrature/monte_carlo/subcubes.c: #define COMPARED_MIN   16")
coded("8192 points of a lattice are evaluated", "src/quadrature/monte_carlo/subcubes.c: #define COMPARED       64",
      "src/quadrature/monte_carlo/monte_carlo.c: #define SINGLE_ROUNDING 0x1p-23")
tested("If that exceeds the tolerance the status",
       "quadrature-device-single: the error includes rounding, whose tolerance cannot be met")
tested("Single precision is not possible if this error",
       "quadrature-device-single: functions without single precision, other methods and other values are errors",
       "quadrature-device-single: values beyond the range of single precision are errors or correct",
       code = "src/quadrature/monte_carlo/monte_carlo.c: #define FAR_FROM_DOUBLE 1e-2")
tested("Then the CPU computes the integral in double",
       "quadrature-device-single: functions without single precision, other methods and",
       "quadrature-device-single: values beyond the range of single precision are errors or correct")
tested("If workers of package future or mirai are set up in the session",
       "workers: long batches of integrals are computed by the workers",
       code = c("R/quadrature-workers.R: integrals_here <- 64L", "R/quadrature-workers.R: least_for_workers <- 1 "))
tested("The results are the same.", "workers: integrals do not depend on the number of workers",
       "workers: integrals of several components and killed workers give the results of one process")
shown("Functions without translation are evaluated in", {
  # with workers of package mirai, had there been any
  for_workers <- stablecl:::is_for_workers
  environment(for_workers) <- list2env(list(has_mirai_workers = function() TRUE), parent = asNamespace("stablecl"))
  problem <- list(integrand = gtranslate(exp)$program)
  for_workers(problem, 2) && !for_workers(list(integrand = exp), 2)
})
introduction("If a device is named, these are errors:")
raises("`\"stablecl_error_device\"`: the device does not exist", gintegrate(sin, 0, 1, backend = "no such device"))
raises("`\"stablecl_error_untranslatable\"`: the integrand has no",
       tests = "quadrature-device: unsupported requests are errors if a device is")
raises("`\"stablecl_error_unsupported\"`: devices do not support the computation: other variants",
       tests = c("quadrature-device-published: the CPU computes the sequential variants",
                 "quadrature-device: unsupported requests are errors if a device is selected by name",
                 "quadrature-device-laws: the CPU computes modes that differ from point to point",
                 "quadrature-device-single: functions without single precision, other methods and other values"))
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
shown("`if`/else, `ifelse`, `switch`", {
  size <- function(count) length(gtranslate(eval(bquote(function(x) {
    s <- 0
    for (i in 1:.(count)) s <- s + sin(i * x)
    s
  })))$program$code)
  value <- values_at(function(x) {
    v <- c(x, 2 * x)
    if (x > 1) v[2] <- 7
    k <- "b"
    w <- switch(k, a = 1, b = ifelse(x > 1.5, 3, 4), 5)
    if (x < 0) return(-1)
    sum(v) + w
  }, c(0.5, 1.2, 2, -1))
  differing <- function(x) { v <- numeric(60); for (i in 1:60) v[i] <- x^i; sum(v) }
  near(value, c(1.5 + 4, 8.2 + 4, 9 + 3, -1)) && size(32) > 30 * 15 && size(33) < 50 && size(1000) < 50 &&
    near(values_at(differing, 0.5), differing(0.5)) && length(gtranslate(differing)$program$code) > 60 * 5 &&
    refuses(function(x) { s <- 0; for (i in 1:1000001) s <- s + sin(i * x); s }) &&
    refuses(function(x) { while (x > 1) x <- x / 2; x })
})
listed <- "integrand-language: the manual lists every function that has a translation"
tested("abs sign sqrt exp", listed, "integrand-operations: functions of one argument agree with R",
       "integrand-operations: Bessel functions agree")
shown("over vectors, which have fixed lengths", {
  agrees <- function(f)
    near(values_at(f, cols), vapply(1:3, function(k) as.double(f(c(cols[[1]][k], cols[[2]][k]))), 0))
  cols <- list(c(0.3, 1, 2), c(0.5, 2, 0.1))
  all_listed(sentence) && all(vapply(list(
    function(x) sum(c(x, 1:3)) + prod(x) + mean(x) + min(x, 0.4) + max(x) + range(x)[2] + any(x > 1) + all(x > 0.2),
    function(x) cumsum(x)[2] + cumprod(c(x, 2))[3] + length(x) + sum(seq_along(x) * x) + rev(x)[1],
    function(x) rep(x, 2)[3] + rep_len(x, 5)[4] + rep.int(x, 2)[4] + head(x, 1) + tail(c(x, 7), 2)[1],
    function(x) sum(as.numeric(x > 1)) + as.double(x[1]) + as.vector(x)[2] + drop(x)[1] + unname(x)[1] +
      identity(x)[2] + sum(invisible(x)), function(x) sum(c(x, x) * x)), agrees, NA))
})
shown("matrices and arrays of fixed extent", {
  all_listed(sentence) &&
    is_test("integrand-matrices: matrices are arranged as in R") &&
    is_test("integrand-matrices: systems of equations and determinants agree with R") &&
    near(values_at(function(x) sum(chol(rbind(c(4, x), c(x, 3)))), 1), sum(chol(rbind(c(4, 1), c(1, 3))))) &&
    near(values_at(function(x) backsolve(rbind(c(2, x), c(0, 4)), c(1, x))[1], 3), 0.5 * (1 - 9 / 4)) &&
    near(values_at(function(x) forwardsolve(rbind(c(2, 0), c(x, 4)), c(1, x))[2], 3), (3 - 1.5) / 4) &&
    near(values_at(function(x) det(diag(x, 12)), 2), 2^12) && refuses(function(x) det(diag(x, 13)))
})
tested("elements by `[` and", listed, "integrand-matrices: elements, rows and parts of captured matrices and arrays",
       "integrand-matrices: findInterval() agrees with R for all combinations of its arguments")
tested("functions over elements:", listed, "integrand-matrices: functions over elements agree with R")
shown("densities and distribution functions", {
  arguments <- list(norm = c(0.2, 2), lnorm = c(0.1, 0.9), unif = c(-1, 9), exp = 0.7, cauchy = c(1, 2),
                    logis = c(1, 2), weibull = c(1.5, 2), gamma = c(2.5, 0.7), chisq = 3.3, beta = c(2, 3), t = 4.5,
                    f = c(3, 7), pois = 2.5, binom = c(9, 0.3), nbinom = c(3, 0.4), geom = 0.3)
  laws <- paste(names(arguments), collapse = "|")
  names <- regmatches(sentence, gregexpr(sprintf("\\b[dp](%s)\\b", laws), sentence))[[1]]
  x <- c(0.2, 0.9, 2, 5)
  of <- function(name, ...) {
    body <- as.call(c(list(as.name(name), quote(x)), arguments[[substring(name, 2)]], ...))
    f <- as.function(c(alist(x = ), list(body)), globalenv())
    ours <- values_at(f, x)
    theirs <- suppressWarnings(f(x))
    all(ours == theirs | abs(ours - theirs) < 1e-12)
  }
  length(names) == 32 && all(vapply(names, function(name) {
    is_density <- startsWith(name, "d")
    of(name) && if (is_density) of(name, log = TRUE) else of(name, lower.tail = FALSE, log.p = TRUE)
  }, NA)) && refuses(function(x) dt(x, 3, ncp = 1)) && refuses(function(x) pnorm(x, lower.tail = x > 0)) &&
    refuses(function(x) dnorm(x, log = x > 0)) && refuses(function(x) pnorm(x, log.p = x > 0))
})
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
shown("`solve()` and `det()` eliminate", {
  pivot <- function(x) det(rbind(c(0, x), c(2, 1)))
  near(values_at(pivot, 3), -6) &&
    is.nan(values_at(function(x) solve(rbind(c(1, x), c(2, 4)), c(1, 1))[1], 2)) &&
    is.nan(values_at(function(x) chol(rbind(c(1, x), c(x, 1)))[2, 2], 2)) &&
    is_test("integrand-matrices: systems of equations and determinants agree with R, whichever rows")
})
shown("Names of elements, rows and columns", {
  refuses(function(x) c(a = x)["a"]) && refuses(function(x) 1i * x) &&
    gintegrate(function(x) Re(exp(1i * x)), 0, 1)$backend == "R" &&
    near(gintegrate(function(x) c(a = 2)["a"] * x, 0, 1)$value, 1) &&
    inherits(tryCatch(gintegrate(function(x) exp(1i * x), 0, 1), error = identity), "stablecl_error_argument")
})
tested("In one dimension `sum(x)` and similar",
       "integrand-language: integrands that R would interpret differently are errors")
tested("Arguments are matched as R matches them.",
       "integrand-fallback: arguments of functions have the same meaning as in R")
takes("These have no translation: arguments", not = c(gtranslate(function(x) mean(c(x, 1), trim = 0.1)),
    gtranslate(function(x) dt(x, 3, ncp = 1)),
      gtranslate(function(x) x * rnorm(1)), gtranslate(function(x) x * as.numeric(Sys.time()))))
shown("Integers overflow to `NA`", {
  suppressWarnings(is.na(2L * .Machine$integer.max)) &&
    all(is.nan(c(values_at(function(x) (x > 0) + .Machine$integer.max, 1),
                 values_at(function(x) { s <- 1L; for (i in 1:50) s <- s * 2L; s + x }, 1),
                 values_at(function(x) { s <- 0L; for (i in 1:100000) s <- s + i; s + x }, 1))))
})
tested("Where a condition of `if` is `NA`", "integrand-fallback: a condition that is NA gives NaN")
shown("An integrand has at most 50000", {
  f <- function(count) eval(bquote(function(x, y) sum(sin((1:.(count)) * x * y))))
  text <- message_of(gtranslate(f(13000)))
  gtranslate(f(100))$work %in% (4 * 100 + -1:1) && grepl("more than 50000 operations", text) &&
    source_has("R/integrand-expression.R", "step_limit <- 100000L") &&
    suppressMessages(gintegrate(f(13000), c(0, 0), 1e-4, rel.tol = 0.1, max.eval = 1000))$backend == "R"
})
tested("Each element of a vector takes operations",
       "integrand-language: a loop takes the operations of one pass, a vector those of all its")
shown("`gtranslate()` compares the translation with", {
  n <- 0
  seen <- NULL
  zero <- function() {
    n <<- n + 1
    if (n > 1) difference else 0                           # R evaluates this once, then for each comparison
  }
  difference <- 0
  made <- gtranslate(function(x) x * (1 + zero()))
  first <- n - 1
  gintegrate(made, 0, 1)
  both <- n - 1
  translates <- function(d) {
    n <<- 0
    difference <<- d
    is.null(tryCatch({ gtranslate(function(x) x * (1 + zero())); NULL }, stablecl_error_translation = identity))
  }
  first == 8 && both - first <= 17 && both - first >= 16 && translates(5e-10) && !translates(3e-9) &&
    source_has("R/quadrature-gintegrate.R", "else if (work > 1e9) 0L")
})
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
shown("The error of Bessel functions is less", {
  # by mpmath with 30 digits, at points with large errors, next to zeros, and at small and large ones
    x <- c(0.001, 0.8935769662791675, 2.404825557695773, 7.956447181572719, 7.981912630421014, 7.991409496983233,
    30.5, 10000.0)
    j0 <- c(0.99999975000001562, 0.81012385935356426, -6.1087652597367304e-17, 0.18173149177449895,
    0.17587123620117657, 0.17366117370113541, -0.019389754517762152, -0.0070961603533888015)
    j1 <- c(0.00049999993750000261, 0.4036537406955804, 0.51914749728946676, 0.22820344454731248, 0.23202154554520298,
    0.23340456819321166, -0.14349430015097094, 0.0036474507555295803)
    y0 <- c(-4.4714166113759233, -2.3389279284062103e-17, 0.50992438344847907, 0.21640854017171902,
    0.22062292124565256, 0.22215470719696692, -0.14315731617410765, 0.0036478055589866059)
    y1 <- c(-636.62216723113941, -0.8794208024971948, 0.1027466824382596, -0.16853378736824996, -0.16244001627700868,
    -0.16014570567997819, 0.017046142883876454, 0.0070963427525364951)
  error <- function(f, true) max(abs(values_at(f, x) - true) / pmax(pmin(1, sqrt(2 / (pi * x))), abs(true)))
  max(error(function(x) besselJ(x, 0), j0), error(function(x) besselJ(x, 1), j1), error(function(x) besselY(x, 0), y0),
      error(function(x) besselY(x, 1), y1)) < 1e-14
})
raises("`\"stablecl_error_untranslatable\"`: the function cannot", gtranslate(function(x) rnorm(1)))
shown("The condition, whose class is also", {
  failure <- tryCatch(gtranslate(function(x) rnorm(1) + x), error = identity)
  inherits(failure, "gintegrate_untranslatable") && identical(names(failure$problems), c("call", "place", "advice"))
})
raises("`\"stablecl_error_argument\"`: an argument is missing, empty or invalid;", gtranslate(), gtranslate(sin, 1, ),
       gtranslate(sin, dim = -1))
raises("`\"stablecl_error_translation\"`: the function and its",
       tests = "integrand-fallback: a translation is compared with its function when it is made")
