# The evidence for each sentence of NEWS.md (tools/check-claims).

page("NEWS.md")
no_claim("First version", "`stable_gof()`:", "Vignettes:", "`system.file(")

# --- stable distributions ---
tested("`dstable()`, `pstable()`, `qstable()`, `rstable()`: density",
       "stable-reference: density and both tails are as accurate as promised",
       "stable-reference: quantiles are as accurate as promised",
       "stable-small-alpha: values for alpha next to 0 are those of the limit")
tested("They behave like R's own", "conventions-density: dstable() follows the conventions of dnorm()",
       "conventions-density: alpha and beta are recycled", "threads: results do not depend on the number of threads")
tested("Names, arguments and defaults", "conventions-density: the order of the arguments is that of stabledist")
tested("`stable_eval()`:", "stable-eval: stable_eval() returns the values of the single functions")
tested("`stable_mode()`, `stable_cf()`, `stable_es()`", "stable-mode: the density is lower on both sides of the mode",
       "stable-cf: stable_cf() agrees with closed forms", "stable-convert: conversions between",
       "stable-es: the shortfalls of both tails add up to the mean")
tested("`stable_score()`:", "stable-score: scores agree with all reference values")
tested("`stable_quick()`:", "stable-approximate: log densities have errors below 1e-9",
       "stable-approximate: scores agree with stable_score()")
tested("`dist_stable()`:", "stable-distributional: methods of vectors of stable distributions return",
       "stable-distributional: functions of package distributional apply to")
tested("Random numbers depend on the seed", "conventions-random: a sample does not depend on the number of threads",
       "stable-relations: a sample depends only on the seed")
tested("Those of a device may differ", "device-backend: a device gives the values of the CPU")
tested("Calls with 5000 or more values", "interpolant: interpolants agree with exact evaluation",
       "interpolant-cache: large calls cache a distribution",
       "interpolant-cache: stable_cache() takes and returns limits")

# --- several dimensions ---
tested("`dmvstable()`, `rmvstable()`, `pmvstable()`:", "mv-density: in one dimension the density is dstable()",
       "mv-random: projections have the stable distribution",
       "mv-probability: probabilities agree with an independent integral of the density")
tested("`mvstablefit()` fits them", "mv-fit: the fit is a maximum of the likelihood in all parameters",
       "mv-fit: projections recover the parameters", "mv-fit: a hundred dimensions are fitted",
       "mv-fit: standard errors are those of repeated samples")
tested("`mvstable_projection()`:", "mv-probability: linear combinations have the distribution of the projection")
tested("`mvstable_spectral()`:", "mv-spectral: projections agree with the characteristic function of the spectral",
       "mv-spectral: random vectors have the characteristic function of the measure")
tested("`mvspectralfit()` estimates", "mv-spectral: masses are estimated from large samples",
       "mv-spectral: standard errors of masses are those of samples")

# --- fits ---
tested("`stablefit()`: fits by maximum likelihood", "fit-recovery: maximum likelihood recovers the true parameters",
       "fit-many-methods: each fit of a batch is identical to the single fit, by each method",
       "fit-covariance: standard errors agree with the spread")
tested("The usual methods work on a fit", "fit-methods: confint() gives Wald intervals",
       "fit-methods: predict() returns quantiles", "fit-methods: residuals are normal scores",
       "fit-methods: simulate() is reproducible", "fit-methods: update() repeats",
       "fit-methods: plot() draws every plot", "fit-anova: anova() compares one fit",
       "fit-profile: profiles are those of the intervals", "fit-tidy: tidy() returns a row",
       "fit-tidy: glance() returns one row", "fit-tidy: augment() keeps the order", "fit-plots: autoplot() makes")
tested("`summary()` reports a search", "fit-summary: summary() reports a search that stopped early",
       "fit-summary: summary() reports a flat direction", "fit-summary: summary() reports estimates at bounds")
tested("Samples with many equal values", "fit-ties: many equal values cause a warning and a note")
tested("`predict()`:", "fit-bands: value at risk is the quantile",
       "fit-bands: standard errors are those of the delta method, for every type")
tested("Confidence intervals of parameters", "fit-intervals: at the ends of a profile interval",
       "fit-intervals: bootstrap intervals are quantiles", "fit-auto: at the ends of profile intervals of quantities",
       "fit-auto: bootstrap intervals of predictions",
       "fit-blocks: intervals are the quantiles of the estimates of blocks",
       "fit-blocks: intervals are the quantiles of the estimates of simulated series",
       "fit-sandwich: intervals under dependence are Wald's with that covariance")
tested("`method = \"auto\"` chooses", "fit-auto: method \\\"auto\\\" computes Wald's intervals where",
       "fit-auto: method \\\"auto\\\" uses the bootstrap", "fit-auto: the method and its reasons are printed")
tested("Kolmogorov-Smirnov, Anderson-Darling", "fit-gof: statistics agree with their definitions",
       "fit-gof: p-values are uniform for the given distribution", "fit-gof: p-values of a fit come from refits")
tested("`stable_compare()`:", "fit-compare: fits are maxima", "fit-compare: the table follows",
       "fit-compare: the test decides where models differ")
tested("`stablefit()` of a matrix", "fit-many: matrices, data frames, lists and grouped data frames hold data sets",
       "fit-windows: each row is the fit of its window", "fit-many: fits do not depend on the number of threads",
       "workers: results do not depend on the number of workers of package future",
       "device-fits: device and CPU fits agree")
tested("The row of a data set", "fit-many-methods: the error of a method for one data set is stored in its row")
tested("`stablefit()` also fits censored data", "fit-censored: objects of class Surv of all types",
       "fit-censored: truncated and binned normal and Cauchy fits maximise",
       "fit-chunks: a fit in chunks is the fit in memory", "fit-chunks: samples in a database are read by a query")
tested("`stable_lm()`:", "fit-regression: the log-likelihood is exact",
       "fit-regression-parameters: the log-likelihood is exact, and its gradient",
       "fit-rounding: probabilities of intervals add up")
tested("Methods for `estfun()` and `bread()`", "fit-sandwich: package sandwich computes",
       "fit-regression-parameters: package emmeans computes marginal means")

# --- integrals ---
tested("`gintegrate()`: integrals of ordinary R functions", "quadrature-batch: each integral of a batch is identical",
       "quadrature-batch: results do not depend on the number of threads",
       "quadrature-dimensions: products and sums in up to 100")
tested("Limits may be infinite", "quadrature-infinite: correlated normal densities integrate to 1",
       "quadrature-infinite: limits may be reversed, empty and different for each integral")
tested("Methods for one variable:", "quadrature-reference: no error is larger than its estimate",
       "quadrature-literature: two singular points inside the range",
       "quadrature-simpson: infinite limits, breaks and singular ends",
       "quadrature-oscillation: slowly decaying sines and cosines converge")
tested("Methods for several:", "quadrature-cubature: integrals that converge have errors within",
       "quadrature-monte-carlo: integrals that converge are within four standard errors",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps")
tested("The algorithms of Thuerck et al.",
       "quadrature-forward: the error decreases with the steps, and the bound is that of Theorem 1",
       "quadrature-blockcut: block-cutting agrees with the algorithm of the paper")
tested("`\"auto\"`, the default, chooses", "quadrature-stages: a method that misses a peak")
tested("`gtranslate()` shows the translation", "integrand-language: print() shows the operations",
       "integrand-language: the error lists every problem",
       "integrand-cache: a function without translation is evaluated in R")
tested("Integrands may contain conditions", "integrand-language: long loops become loops of the program",
       "integrand-language: interpolating functions agree with R",
       "integrand-matrices: elements, rows and parts of captured matrices",
       "integrand-distributions: densities agree with R", "integrand-operations: Bessel functions",
       "integrand-distributions: stable distributions agree")
tested("`gintegrate(n.value = k)`", "quadrature-components: components agree with calls for each of them")
tested("The status `\"converged\"` means", "quadrature-status: no other method reports a divergent integral",
       "quadrature-device: every status is the same on a device and the CPU")
shown("Integrals that appear to diverge", {
  status <- function(...) {
    r <- suppressWarnings(gintegrate(...))
    if (is.nan(r$value)) as.character(r$status) else "a value"
  }
  status(function(x) x^3, -Inf, Inf) == "divergent" && status(function(x) 1 / x, -1, 1) == "divergent" &&
    status(function(x) x * dstable(x, 0.9, 0), -Inf, Inf) == "divergent"
})
tested("Results take part in arithmetic", "quadrature-arithmetic: operators combine integrals",
       "quadrature-arithmetic: mathematical functions and summaries",
       "quadrature-conventions: code for results of integrate() finds the components")
tested("`plot()` shows the evaluation points", "quadrature-plot: every plot is drawn")

# --- devices ---
tested("Values, sums for fits, and integrals", "device-backend: a device gives the values of the CPU",
       "device-fits: device and CPU fits agree", "quadrature-device: errors on a device are within their estimates")
tested("`stable_devices()` lists", "device-list: the table of devices",
       "device-backend: stable_backend() sets the backend", "device-backend: local_stable_backend() lasts")
tested("By default this is the CPU", "device-auto: auto uses the device only above the crossover",
       "device-auto: when the device fails, the CPU finishes the call with one warning")
tested("`\"opencl:all\"` distributes", "device-several: two devices share every large job")
tested("`stable_data()` keeps", "fit-large: a stable_data() object has the same fit on a device")
tested("`precision = \"single\"`", "device-precision: values in single precision have relative errors",
       "device-precision: a device without double precision can be selected",
       "quadrature-device-single: lattices in single precision agree")
tested("Compiled programs of devices", "device-programs: a later session builds its programs from binaries",
       "device-programs: the least recently used programs")
tested("The results of a device are compared", "device-values: under \\\"auto\\\" the CPU takes over",
       "device-faults: the self-test detects corrupted results", "device-fits: corrupted sums")

# --- infrastructure ---
tested("`stable_threads()`:", "threads: stable_threads() gets and sets")
tested("`?stablecl-options`:", "options: every option and variable is documented")
tested("`stable_sitrep()`:", "device-sitrep: the report shows all its items")
tested("Errors and warnings state the offending value", "messages: distributions",
       "messages: samples and arguments of fits", "messages: integrals", "messages: conditions have the classes",
       "manual: every page of functions has a section Errors")
tested("`stablecl.h`:", "c-interface: values are bitwise identical",
       "c-interface: random numbers are those of rstable()")
found("`make lib` builds the same functions", "tools/check-library", "lib/example.c", "lib/stablecl.py")
shown("`getting-started`, `stabledist`", {
  named <- regmatches(sentence, gregexpr("`[a-z-]+`", sentence))[[1L]]
  setequal(gsub("`", "", named), sub("[.]Rmd$", "", list.files("vignettes", "[.]Rmd$"))) &&
    setequal(list.files("inst/cheatsheet"), c("stablecl.pdf", "stablecl-letter.pdf"))
})

# --- deprecated ---
tested("`stableMode()` works", "stable-mode: stableMode(), which scripts for stabledist use, warns")
tested("The options of single methods (`symmetric`",
       "quadrature-options: each option is accepted by name and has an effect")
tested("As arguments they still work", "quadrature-options: former arguments give the same results and warn once")
tested("`stable_backend()` and `stable_sitrep()` return", "device-backend: stable_backend() sets the backend")
