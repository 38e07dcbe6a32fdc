# The evidence for each sentence of README.md and DESCRIPTION (tools/check-claims).

suite <- function(name) file.path("tests/testthat", name)

page("README.md")

# --- first lines ---
tested("**Alpha-stable distributions with full accuracy", "stable-reference: density and both tails are as accurate",
       "quadrature-batch: each integral of a batch is identical to the single integral")
tested("Density, distribution function, quantiles", "stable-reference: density and both tails are as accurate",
       "stable-reference: quantiles are as accurate", "fit-recovery: maximum likelihood recovers the true parameters")
shown("The code is written in C and multithreaded, by default", {
  script <- "cat(stablecl::stable_threads())"
  Sys.unsetenv(c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT"))
  by_default <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), stdout = TRUE)
  identical(as.integer(by_default), max(1L, parallel::detectCores() %/% 2L))
})
found("*Correct digits of `dstable(x, alpha, 0.5)` in three packages", "data-raw/plane-reference.R",
      "vignettes/tables/plane.csv")

# --- example ---
shown("A Lévy flight is a random walk whose steps have random directions", {
  set.seed(7)
  steps <- rmvstable(1e4, alpha = 1.5, Q = diag(2))
  direction <- atan2(steps[, 2], steps[, 1])
  long <- rank(-rowSums(steps^2)) <= 1000                     # most of those of independent steps are on an axis
  uniform <- function(x) ks.test(x, "punif", -pi, pi)$p.value
  min(uniform(direction), uniform(direction[long]), stable_gof(steps[, 2], 1.5, 0, 1, 0)$p.value) > 0.01
})
shown("A fit recovers the distribution of a coordinate", {
  set.seed(7)
  steps <- rmvstable(1e4, alpha = 1.5, Q = diag(2))
  fit <- stablefit(steps[, 1])
  errors <- abs(coef(fit) - c(1.5, 0, 1, 0)) / sqrt(diag(vcov(fit)))
  p <- c(stable = stable_gof(fit, R = 99, seed = 1)$p.value[[1]], normal = shapiro.test(steps[1:5000, 1])$p.value)
  max(errors) < 3 && p[["stable"]] > 0.05 && p[["normal"]] < 1e-10
})

shown("The functions of the distribution, and an integral for each", {
  values <- gintegrate(function(x, k) exp(-x^2) * cos(k * x), -Inf, Inf, params = data.frame(k = (1:1000) / 200))
  length(values) == 1000 && all(abs(values$value - sqrt(pi) * exp(-((1:1000) / 200)^2 / 4)) < 1e-8)
})

# --- installation ---
no_claim("From a checkout, with the vignettes:", "`?stablecl`, and after an installation")
found("Two things are optional", "configure", "tools/check-installs")
shown("The vignettes need the R packages", {
  builder <- read.dcf("DESCRIPTION", "VignetteBuilder")[[1]]
  heads <- lapply(list.files("vignettes", "[.]Rmd$", full.names = TRUE), readLines, n = 20)
  builder == "knitr" && all(vapply(heads, function(head) any(grepl("rmarkdown::html_vignette", head)), NA))
})
shown("A source package is also installed by `install.packages(", {
  says(sentence, "stablecl_%s.tar.gz", read.dcf("DESCRIPTION", "Version")[[1]])
})
shown("Compilation takes one to two minutes on one core", {
  length(list.files("src", "[.]c$", recursive = TRUE)) > 100              # many files, which make compiles side by side
})
shown("The package requires R 4.0 or later, a C compiler and make, nothing else", {
  fields <- read.dcf("DESCRIPTION")[1, ]
  needed <- unlist(lapply(fields[names(fields) %in% c("Depends", "Imports", "LinkingTo")], strsplit, ",[[:space:]]*"))
  base <- rownames(installed.packages(priority = "base"))
  identical(fields[["Depends"]], "R (>= 4.0)") && all(setdiff(needed, fields[["Depends"]]) %in% base)
})
found("Drivers are located at run time", "src/opencl/devices.c", "tools/check-installs")
found("Compiler and flags are those of R", "configure", "tools/check-installs")
shown("`R CMD INSTALL --configure-args=\"...\"` accepts", {
  text <- paste(readLines("configure"), collapse = "\n")
  all(vapply(c("--with-opencl=", "--without-opencl", "--without-openmp", "--without-clones"), grepl, NA, text,
             fixed = TRUE))
})
coded("On Windows, where no `configure` runs, OpenCL is enabled by",
      "src/Makevars.win: STABLECL_CPPFLAGS=\"-DSTABLECL_OPENCL -I...\"", "src/opencl/entries.h: #    include <CL/cl.h>")
shown("`make demo` fits stable distributions to the four indices", {
  any(grepl("EuStockMarkets", readLines("inst/scripts/demo.R")))
})
shown("`make test` builds, checks and runs the whole test suite", {
  all(vapply(c("STEPS = package ", "tools/check-", "tools/run-tests.R"),
             function(s) any(grepl(s, readLines("Makefile"), fixed = TRUE)), NA))
})
shown("As root on Debian or Ubuntu they first list", any(grepl("SETUP", readLines("tools/setup"))))

# --- features ---
tested("Scripts written for the CRAN package `stabledist`", "conventions-density: the order of the arguments",
       "stabledist-scripts: tuning arguments of stabledist are accepted")
tested("Messages, warnings and random streams differ", "conventions-density: ignored tuning arguments are mentioned")
tested("Behaves like `dnorm()` and its family", "conventions-density: dstable() follows the conventions of dnorm()",
       "conventions-density: alpha and beta are recycled", "peers-interface: dim and names are kept",
       "peers-interface: parameters outside the domain give NaN and one warning")
tested("Multivariate distributions: density, random numbers and fits", "mv-density: the radial density agrees with",
       "mv-probability: probabilities of orthants", "mv-fit: the fit is a maximum",
       "mv-spectral: projections agree with",
       "mv-spectral: masses are estimated from large samples")
no_claim("No rounding of parameters:", "Integrals:", "Helpers:", "Other languages:")
found("`make lib` builds the numerical core without R", "tools/check-library", "lib/example.c", "lib/stablecl.py",
      suite("test-c-interface.R"))
tested("`alpha` close to 1 or 2, `beta` close to 0 or 1", "stable-reference: density and both tails are as accurate",
       "stable-random: random numbers are continuous in alpha")
tested("Results, random numbers included, do not depend on the number of threads",
       "threads: results do not depend on the number of threads")
tested("The random numbers of a call are a stream", "stable-relations: a sample depends only on the seed")
shown("`c(rstable(5, 1.5, 0), rstable(5, 1.5, 0))`", {
  set.seed(1)
  a <- rstable(10, 1.5, 0)
  set.seed(1)
  b <- c(rstable(5, 1.5, 0), rstable(5, 1.5, 0))
  identical(a[1:5], b[1:5]) && !any(a[6:10] == b[6:10])
})
found("Fits by maximum likelihood (bench/fit.md", "bench/fit.md", "bench/estimators.md", "bench/efficiency.md",
      "bench/series.md")
tested("Scores: the derivatives of the log density", "stable-score: scores agree with all reference values",
       "stable-score: scores at the bounds of the parameters are limits from inside",
       "stable-approximate: log densities have errors below 1e-9")
tested("`gintegrate` translates an ordinary R function",
       "quadrature-dimensions: products and sums in up to 100 dimensions",
       "integrand-fallback: arguments of functions have the same meaning as in R",
       "quadrature-batch: each integral of a batch is identical to the single integral")
shown("`stable_es` (expected shortfall)", {
  all(c("stable_es", "stable_mode", "stable_cf", "stable_convert", "stable_eval", "stable_threads") %in%
        getNamespaceExports("stablecl"))
})
shown("No dependencies beyond R", !"LinkingTo" %in% colnames(read.dcf("DESCRIPTION")))
shown("MIT licence", identical(read.dcf("DESCRIPTION")[, "License"][[1]], "MIT + file LICENSE"))

# --- comparison, accuracy, speed ---
found("The script contains the calls", "bench/features.R")
coded("STABLE (Robust Analysis, Inc.) was not run", "bench/features.R: STABLE is commercial and was not run")
no_claim("To select a device:", "Use S0", "x is a double")
tested("The error of a value v is measured on the log scale",
       "stable-reference: the error measures of helper-accuracy.R")
tested("For quantiles it is the relative error", "stable-reference: quantiles are as accurate")
tested("The documented bound is 1e-12, or",
       "stable-reference: values at scattered points and in extremely light tails")
found("The reference values were computed in ball arithmetic", suite("data"), "data-raw/reference/main.c",
      "data-raw/tables/density-tails.csv.xz")
found("The table lists the largest errors among", "bench/accuracy.R", "bench/update-readme.R")
shown("At 44 further points in the test suite", {
  source("tests/testthat/helper-accuracy.R", local = TRUE)
  table <- read_reference("tests/testthat/data/light-tails.csv")
  judged <- judge_density(table)
  nrow(table) == 44 && max(judged$err[judged$what == "pdf"]) <= 1.1e-13
})
found("Generated by `bench/peer-values.R`", "bench/peer-values.R")
found("bench/README.md has other parameters", "bench/README.md", "bench/gpu/README.md", "bench/threads.md",
      "bench/paper2017/README.md")

# --- devices, limits ---
tested("No configuration is required", "device-auto: auto uses the device only above the crossover",
       "device-auto: the crossover is measured once a job is large enough")
tested("The option `stablecl.backend` and the environment variable `STABLECL_BACKEND` hold",
       "device-backend: stable_backend() takes precedence over the option, and the option over")
tested("If the GPU fails, the CPU completes the call",
       "device-auto: when the device fails, the CPU finishes the call with one warning")
shown("In S1 (`pm = 1`) the location diverges", {
  zeta <- function(alpha) -0.5 * tan(pi * alpha / 2)
  location <- vapply(c(0.99, 0.9999, 1 - 1e-8), function(a) qstable(0.5, a, 0.5, pm = 1), 0)
  all(abs(location) > 0.5 * abs(zeta(c(0.99, 0.9999, 1 - 1e-8))))
})
shown("For small alpha, values next to zeta", {
  zeta <- -0.5 * tan(pi * 0.05 / 2)
  density <- dstable(zeta * (1 + (-1:1) * 2^-52), 0.05, 0.5)
  max(density) > 4 * min(density)
})
tested("Devices compute density, distribution function",
       "device-inventory: every exported function computes on the device, fails with a class, or is book-keeping")
found("The steps of a fit between these sums", "src/fit/lockstep.c")
tested("Methods `\"ecf\"` and `\"logmoment\"` have no kernel",
       "device-inventory: every estimator computes its sums on the device, or fails with a class")
coded("If none is, a fit of one sample of fewer than 131072 values", "src/fit/evaluate.h: #define SHARED 131072")
found("Different alpha and beta for each point", "bench/gpu/README.md")
tested("Large calls with one alpha and beta", "interpolant: interpolants agree with exact evaluation",
       "interpolant: quantile interpolants are as accurate as exact quantiles")
tested("The accuracy was verified at the points of reference tables",
       "stable-reference: density and both tails are as accurate",
       "stable-relations: the density is the derivative of the distribution function",
       "stable-relations: the quantile inverts the distribution function")
tested("By default, standard errors, tests and intervals assume independent",
       "fit-sandwich: standard errors under dependence are larger where observations repeat",
       "fit-blocks: blocks of a series with a changing scale give wider intervals")
tested("A parameter at its bound has no standard error",
       "fit-covariance: Gaussian data give alpha = 2, an unidentified beta")
shown("Multivariate stable distributions have a density and probabilities", {
  spectral <- mvstable_spectral(1.5, diag(2), mass = c(1, 1))
  inherits(try(dmvstable(c(1, 1), spectral), silent = TRUE), "try-error") &&
    inherits(try(pmvstable(0, 1, spectral), silent = TRUE), "try-error") && dmvstable(c(1, 1), 1.5, diag(2)) > 0
})
shown("Censored and truncated samples are fitted by maximum likelihood only", {
  refused <- function(method) inherits(try(stablefit(1:9, method, truncation = c(0, 10)), silent = TRUE), "try-error")
  all(vapply(setdiff(eval(formals(stablefit)$method), "mle"), refused, NA)) &&
    stablefit(qstable(1:99 / 100, 1.5, 0), truncation = c(-100, 100))$nobs == 99
})

page("DESCRIPTION")
tested("Alpha-Stable Distributions with Full Accuracy", "stable-reference: density and both tails are as accurate")
tested("Density, distribution function, quantile function and random generation",
       "stable-reference: values at scattered points and in extremely light tails",
       "threads: results do not depend on the number")
tested("Also mode, characteristic function, conversion", "stable-mode: the density is lower on both sides of the mode",
       "stable-cf: stable_cf() agrees with closed forms",
       "stable-convert: S0 and S1 differ by the shift in their definitions",
       "fit-recovery: maximum likelihood recovers the true parameters", "fit-regression: the log-likelihood is exact",
       "mv-fit: the fit is a maximum of the likelihood")
tested("Ordinary R functions are translated and integrated",
       "quadrature-batch: each integral of a batch is identical to the single integral",
       "quadrature-device: errors on a device are within their estimates")
tested("The interface is that of R's own distributions", "conventions-density: dstable() follows the conventions",
       "conventions-density: the order of the arguments is that of stabledist")
tested("The parametrisations follow Nolan", "stable-convert: S0 and S1 differ by the shift in their definitions",
       "stable-random: samples have the right characteristic", "philox: Philox4x32-10 gives its known answers")
