# Compares stable distributions in two dimensions with packages mvpd and alphastable: accuracy of densities, random
# vectors, fits of elliptical distributions and of discrete spectral measures, coverage of intervals, and times.
#
#     Rscript bench/mv.R > bench/mv.md
#
# Packages are taken from R's libraries, or from the library STABLECL_PEERS if that is set; a package that is not
# installed is left out.  Agreement is checked before anything is timed.  Times are processor times, medians of repeated
# calls that alternate between packages, with one thread in stablecl.  Slow functions have few points and samples, which
# the page states.

suppressPackageStartupMessages(library(stablecl))
stable_backend("cpu")
stable_threads(1)
peers <- Sys.getenv("STABLECL_PEERS")
if (nzchar(peers)) .libPaths(c(peers, .libPaths()))
packages <- Filter(function(name) requireNamespace(name, quietly = TRUE), c("mvpd", "alphastable"))
# alphastable calls functions of these packages, which a user has to attach
for (name in c("stabledist", "mvtnorm", "nnls"))
  if ("alphastable" %in% packages) suppressPackageStartupMessages(library(name, character.only = TRUE))

Q <- matrix(c(1, 0.5, 0.5, 2), 2)
DELTA <- c(1, -1)
quiet <- function(code) {
  utils::capture.output(value <- suppressWarnings(suppressMessages(code)))
  value
}
has <- function(name) name %in% packages
of <- function(name, f) if (has(name)) getExportedValue(name, f)

processor <- function() sum(proc.time()[1:2])

# Returns the median processor seconds of each of some functions without arguments, called in turn, each as often as
# 0.1 seconds allow.
seconds <- function(calls, times = 5) {
  one <- function(call) {
    began <- processor()
    count <- 0
    while (processor() - began < 0.1) {
      call()
      count <- count + 1
    }
    (processor() - began) / count
  }
  runs <- vapply(seq_len(times), function(k) quiet(vapply(calls, one, 0)), double(length(calls)))
  apply(matrix(runs, length(calls)), 1, stats::median)
}

# Returns the mean processor seconds of fits, and their estimates in columns.
fits_of <- function(fit, samples) {
  began <- processor()
  estimate <- do.call(cbind, lapply(samples, function(x) as.numeric(fit(x))))
  list(estimate = estimate, seconds = (processor() - began) / length(samples))
}

prose <- function(...) cat(strwrap(paste(...), 115), "", sep = "\n")
row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
head_of <- function(...) {
  row(...)
  row(rep("---", length(c(...))))
}
text_of <- function(v, digits = 2) trimws(formatC(v, digits = digits, format = "g"))

cat("# Several dimensions\n\nMade by `Rscript bench/mv.R > bench/mv.md`.\n\n* Date:",
    format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"))
cat("\n*", R.version.string)
for (name in c("stablecl", packages)) cat(", ", name, " ", as.character(utils::packageVersion(name)), sep = "")
for (name in setdiff(c("mvpd", "alphastable"), packages)) cat(";", name, "is not installed")
cat("\n\n")
prose("Two dimensions, `Q = matrix(c(1, 0.5, 0.5, 2), 2)`.  Times are processor times with one thread in stablecl;",
      "mvpd uses the threads of libstable4u.")

# --- densities ---------------------------------------------------------------------------------

densities <- Filter(Negate(is.null), list(
  "stablecl, `dmvstable()`" = function(x, alpha) dmvstable(x, alpha, Q),
  "mvpd, `dmvss()`" = if (has("mvpd")) function(x, alpha)
    apply(x, 1, function(one) mvpd::dmvss(one, alpha, Q)$value),
  "mvpd, `dmvss_mat()`" = if (has("mvpd")) function(x, alpha) mvpd::dmvss_mat(x, alpha, Q)$integral,
  "alphastable, `mdstab.elliptical()`" = if (has("alphastable")) function(x, alpha)
    apply(x, 1, function(one) alphastable::mdstab.elliptical(one, alpha, Q, c(0, 0)))))

# Errors are those of the density; a failure counts as an infinite error.
reference <- subset(utils::read.csv("tests/testthat/data/mv-radial.csv", comment.char = "#"), dim == 2 & alpha >= 0.8)
points_at <- function(r) cbind(r * cos(0.7), r * sin(0.7)) %*% chol(Q)
cat("## Accuracy of densities\n\n")
prose("The largest relative error at", nrow(reference) / length(unique(reference$alpha)), "points with distances",
      paste(text_of(unique(reference$r), 4), collapse = ", "), "from the centre, against",
      "`tests/testthat/data/mv-radial.csv` (inversion of the characteristic function and series, which agree to 17",
      "digits), with default tolerances.")
head_of("alpha", names(densities))
for (alpha in unique(reference$alpha)) {
  at <- reference[reference$alpha == alpha, ]
  true <- exp(at$log_density) / sqrt(det(Q))
  error <- vapply(densities, function(f) max(vapply(seq_along(true), function(k)
    tryCatch(abs(quiet(f(points_at(at$r[k]), alpha)) / true[k] - 1), error = function(e) Inf), 0)), 0)
  row(alpha, ifelse(is.finite(error), text_of(error), "error message"))
}

if (has("alphastable")) {
  set.seed(1)
  x <- rmvstable(100, 1.5, Q)
  theirs <- quiet(densities[["alphastable, `mdstab.elliptical()`"]](x, 1.5))
  ratio <- stats::median(theirs / (2 * dmvstable(x, 1.5, 2 * Q)))
  cat("\n")
  prose("The help page of `mdstab.elliptical()` says that it uses a series or a Monte Carlo approximation.  For",
        "`alpha` = 1.5 its values are about twice the density for the matrix 2 `Q`: the median of their ratio at 100",
        "points is", paste0(text_of(ratio, 3), "."))
} else cat("\n")
cat("## Time of densities\n\n")
prose("Microseconds per point, at points drawn from the distribution.  Agreement is the median relative difference",
      "from stablecl.  The first call of `dmvstable()` has another `alpha` each time, so that everything that it",
      "computes for one `alpha` is included; ratios are to the first call with as many points.")
head_of("alpha", "function", "points", "agreement", "microseconds per point", "ratio to the first call of stablecl")
sizes <- c(1000, 5, 200, 100)[match(names(densities), c("stablecl, `dmvstable()`", "mvpd, `dmvss()`",
                                                          "mvpd, `dmvss_mat()`", "alphastable, `mdstab.elliptical()`"))]
for (alpha in c(0.8, 1.5, 1.9)) {
  set.seed(1)
  x <- rmvstable(1000, alpha, Q)
  k <- 0
  fresh <- function(n) function() dmvstable(x[seq_len(n), ], alpha + 1e-6 * (k <<- k + 1), Q)
  for (j in seq_along(densities)) {
    n <- sizes[j]
    own <- densities[[1]](x[seq_len(n), ], alpha)
    f <- densities[[j]]
    agreement <- tryCatch(stats::median(abs(quiet(f(x[seq_len(n), ], alpha)) / own - 1)), error = function(e) NA)
    if (is.na(agreement)) {
      row(alpha, names(densities)[j], n, "error message", "", "")
      next
    }
    time <- seconds(list(function() f(x[seq_len(n), ], alpha), fresh(n)), if (j == 1) 5 else 1) / n * 1e6
    if (j == 1) row(alpha, "stablecl, first call", n, "0", text_of(time[2], 3), "1")
    row(alpha, if (j == 1) "stablecl, repeated call" else names(densities)[j], n, text_of(agreement),
        text_of(time[1], 3), text_of(time[1] / time[2], 3))
  }
}

# --- random vectors ----------------------------------------------------------------------------

# The location vector of mrstab() is that of the parametrisation S1.
MASS <- c(1, 0.5, 0.2, 0.5)
measure <- function(alpha) {
  p <- mvstable_projection(diag(2), mvstable_spectral(alpha, 2 * pi * (0:3) / 4, MASS))
  mvstable_spectral(alpha, 2 * pi * (0:3) / 4, MASS, delta = p$beta * p$gamma * tan(pi * alpha / 2))
}
samplers <- list(
  list("elliptical", "stablecl, `rmvstable()`", function(n, alpha) rmvstable(n, alpha, Q)),
  if (has("mvpd")) list("elliptical", "mvpd, `rmvss()`", function(n, alpha) mvpd::rmvss(n, alpha, Q)),
  if (has("alphastable")) list("elliptical", "alphastable, `mrstab.elliptical()`", function(n, alpha)
    alphastable::mrstab.elliptical(n, alpha, 2 * Q, c(0, 0))),
  list("four masses", "stablecl, `rmvstable()`", function(n, alpha) rmvstable(n, measure(alpha))),
  if (has("alphastable")) list("four masses", "alphastable, `mrstab()`", function(n, alpha)
    alphastable::mrstab(n, 4, alpha, MASS, c(0, 0))))
cat("\n## Random vectors\n\n")
prose("Nanoseconds per vector in samples of 20000.  Agreement is the smallest p-value of Kolmogorov-Smirnov tests of",
      "three projections.  `mrstab.elliptical()` is called with 2 `Q`.  The four masses", paste(MASS, collapse = ", "),
      "are at directions with equal angles.")
head_of("distribution", "alpha", "function", "agreement", "nanoseconds", "ratio to stablecl")
for (kind in c("elliptical", "four masses")) for (alpha in c(0.8, 1.5)) {
  now <- Filter(function(s) !is.null(s) && s[[1]] == kind, samplers)
  time <- seconds(lapply(now, function(s) function() s[[3]](20000, alpha)), 3) / 20000 * 1e9
  for (k in seq_along(now)) {
    set.seed(2)
    y <- quiet(now[[k]][[3]](20000, alpha))
    w <- cbind(c(1, 0), c(0.5, 0.5), c(1, -2))
    law <- if (kind == "elliptical") mvstable_projection(w, alpha, Q) else mvstable_projection(w, measure(alpha))
    p <- vapply(1:3, function(j) suppressWarnings(stats::ks.test(drop(y %*% w[, j]), "pstable", alpha, law$beta[j],
                                                                 law$gamma[j], law$delta[j]))$p.value, 0)
    row(kind, alpha, now[[k]][[2]], text_of(min(p)), text_of(time[k], 3), text_of(time[k] / time[1], 3))
  }
}

# --- elliptical fits -----------------------------------------------------------------------------

# Each returns alpha, delta, Q[1, 1], Q[2, 1] and Q[2, 2].  The matrix of mfitstab.elliptical() is 2 Q.
intervals <- list()
by_likelihood <- function(x) {
  fit <- mvstablefit(x)
  intervals[[length(intervals) + 1]] <<- confint(fit)
  coef(fit)
}
by_projection <- function(x) coef(mvstablefit(x, "projection"))
by_mvpd <- function(x) {
  fit <- quiet(mvpd::fit_mvss(x))
  c(fit$mult_alpha, fit$univ_deltas, fit$mult_Q_posdef[c(1, 2, 4)])
}
by_alphastable <- function(x) {
  fit <- quiet(alphastable::mfitstab.elliptical(x, 1.5, diag(2), c(0, 0)))
  c(fit$alpha, fit$Mu, fit$Sigma[c(1, 2, 4)] / 2)
}
fits <- Filter(Negate(is.null), list(
  list("stablecl, `mvstablefit()`", by_likelihood, 100),
  list("stablecl, `mvstablefit(, \"projection\")`", by_projection, 100),
  if (has("mvpd")) list("mvpd, `fit_mvss()`", by_mvpd, 30),
  if (has("alphastable")) list("alphastable, `mfitstab.elliptical()`", by_alphastable, 2)))
N <- 500
sample_number <- function(k, alpha) {
  set.seed(1000 + k)
  rmvstable(N, alpha, Q, DELTA)
}
cat("\n## Elliptical fits\n\n")
prose("Samples of", N, "with location (1, -1), the same for all functions.  Root mean square errors of the estimates,",
      "divided by the standard errors of `vcov()` at the true parameters (the Cramer-Rao bound), and seconds of one",
      "fit.  `fit_mvss()` takes locations from univariate fits with free `beta`.  `mfitstab.elliptical()` estimates",
      "2 `Q`, which is halved.")
parameters <- c("alpha", "delta[1]", "delta[2]", "Q[1,1]", "Q[2,1]", "Q[2,2]")
head_of("alpha", "function", "samples", parameters, "seconds", "ratio")
coverage <- NULL
for (alpha in c(1, 1.5, 1.9)) {
  truth <- c(alpha, DELTA, Q[c(1, 2, 4)])
  exact <- mvstablefit(sample_number(0, alpha))
  exact[c("alpha", "Q", "delta")] <- list(alpha, Q, DELTA)
  exact$information <- get("radial_information", asNamespace("stablecl"))(alpha, 2, FALSE)
  bound <- sqrt(diag(vcov(exact)))
  first <- NULL
  intervals <- list()
  for (fit in fits) if (alpha == 1.5 || !startsWith(fit[[1]], "alphastable")) {
    run <- fits_of(fit[[2]], lapply(seq_len(fit[[3]]), sample_number, alpha))
    if (is.null(first)) first <- run$seconds
    row(alpha, fit[[1]], fit[[3]], text_of(sqrt(rowMeans((run$estimate - truth)^2)) / bound, 3), text_of(run$seconds),
        text_of(run$seconds / first, 3))
  }
  inside <- vapply(intervals, function(ci) as.numeric(ci[, 1] <= truth & truth <= ci[, 2]), double(6))
  coverage <- rbind(coverage, c(alpha, rowSums(inside, na.rm = TRUE), sum(is.na(inside[1, ]))))
}

cat("\n## Coverage\n\n")
prose("How many of 100 intervals by `confint()` of `mvstablefit()`, with level 0.95, contain the true value: if",
      sprintf("coverage is exact, between 90 and 99 with probability %.2f.", diff(stats::pbinom(c(89, 99), 100, 0.95))),
      "Intervals of `alpha` that do not exist, because the estimate is 2, count as not containing it.")
head_of("alpha", parameters, "fits with alpha = 2")
for (k in seq_len(nrow(coverage))) row(coverage[k, ])

# --- spectral measures ---------------------------------------------------------------------------

spectral_fits <- Filter(Negate(is.null), list(
  list("stablecl, `mvspectralfit()`", function(x) {
    fit <- mvspectralfit(x, 4)
    c(fit$alpha, fit$mass)
  }),
  if (has("alphastable")) list("alphastable, `mfitstab.ustat(method = 1)`", function(x)
    unlist(quiet(alphastable::mfitstab.ustat(x, 4, 1)))),
  if (has("alphastable")) list("alphastable, `mfitstab.ustat(method = 2)`", function(x)
    unlist(quiet(alphastable::mfitstab.ustat(x, 4, 2))))))
cat("\n## Spectral measures\n\n")
prose("The four masses above, samples of 500: root mean square errors, and seconds of one fit.  `mfitstab.ustat()`",
      "assumes that the location in S1 is 0, as it is; `mvspectralfit()` estimates it.")
head_of("alpha", "function", "samples", "alpha", paste("mass", MASS), "seconds", "ratio")
for (alpha in c(0.8, 1.3, 1.7)) {
  first <- NULL
  for (fit in spectral_fits) {
    run <- fits_of(fit[[2]], lapply(1:40, function(k) {
      set.seed(k)
      rmvstable(500, measure(alpha))
    }))
    if (is.null(first)) first <- run$seconds
    row(alpha, fit[[1]], 40, text_of(sqrt(rowMeans((run$estimate - c(alpha, MASS))^2))), text_of(run$seconds),
        text_of(run$seconds / first, 3))
  }
}
