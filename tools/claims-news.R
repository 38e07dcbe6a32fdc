# The evidence for each sentence of NEWS.md (tools/check-claims).

page("NEWS.md")
no_claim("First version", "`stable_gof()`:", "Vignettes:", "`system.file(")

# --- stable distributions ---
tested("`dstable()`, `pstable()`, `qstable()`, `rstable()`:",
       "conventions-density: dstable() follows the conventions of dnorm()",
       "conventions-density: the order of the arguments is that of stabledist",
       "stable-reference: density and both tails are as accurate as promised",
       "stable-reference: quantiles are as accurate as promised")
tested("Large calls with one pair", "interpolant: interpolants agree with exact evaluation",
       "interpolant-cache: large calls cache a distribution",
       "interpolant-cache: stable_cache() takes and returns limits")
tested("Elements with the same `alpha`", "stable-groups: grouped elements have the values of single elements")
shown("The values themselves", {
  rows <- strsplit(grep("this version", readLines("bench/value-errors.md"), value = TRUE)[1:4], "|", fixed = TRUE)
  share <- floor(as.numeric(vapply(rows, `[`, "", 9)))
  says(sentence, "%s%% of the densities, %s%% of the tail probabilities and %s%% of the quantiles", share[1],
       min(share[2:3]), share[4])
})
shown("Where each element has its own", {
  rows <- grep("^[|] density", readLines("bench/elements.md"), value = TRUE)
  times <- as.numeric(vapply(strsplit(rows, "|", fixed = TRUE), `[`, "", 4))
  says(sentence, "%s to %s microseconds on one thread", min(times), max(times))
})
tested("A random number depends only", "conventions-random: a sample does not depend on the number of threads",
       "conventions-random: a longer sample begins with the shorter one", "philox: element i of a sample uses block i")
tested("`stable_eval()`:", "stable-eval: stable_eval() returns the values of the single functions")
tested("`stable_mode()`, `stable_cf()`", "stable-mode: the density is lower on both sides of the mode",
       "stable-cf: stable_cf() agrees with closed forms", "stable-convert: conversions between")
tested("`stable_es()`:", "stable-es: shortfalls respect scale, location, parametrisation and reflection",
       "stable-es: the shortfalls of both tails add up to the mean", "stable-es: tails without a mean")
tested("`dist_stable()`:", "stable-distributional: methods of vectors of stable distributions return",
       "stable-distributional: functions of package distributional apply to")
tested("`stable_score()`:", "stable-score: scores agree with all reference values",
       "stable-score: scores at the bounds of the parameters are limits from inside")
tested("`stable_quick()`:", "stable-approximate: log densities have errors below 1e-9",
       "stable-approximate: scores agree with stable_score()")
tested("`dmvstable()`, `rmvstable()`:", "mv-density: in one dimension the density is dstable()",
       "mv-density: the series and the quadrature agree", "mv-random: projections have the stable distribution")
tested("The error of the log density", "mv-density: the radial density agrees with reference values by two",
       "mv-density: many points and single ones agree")

# --- fits ---
shown("`stablefit()`: fits stable distributions", {
  page <- readLines("bench/fit.md")
  median <- sub(".*median ([0-9.]+) ms.*", "\\1", grep("^Over all shapes and samples", page, value = TRUE))
  says(sentence, "1000 values in %s ms in the median over 20 pairs", median)
})
tested("`summary()`, `confint()` (Wald", "fit-methods: confint() gives Wald intervals",
       "fit-methods: predict() returns quantiles", "fit-methods: residuals are normal scores",
       "fit-methods: simulate() is reproducible", "fit-methods: update() repeats",
       "fit-methods: plot() draws every plot", "fit-intervals: at the ends of a profile interval",
       "fit-intervals: bootstrap intervals are quantiles", "fit-anova: anova() compares one fit",
       "fit-tidy: tidy() returns a row", "fit-tidy: glance() returns one row", "fit-tidy: augment() keeps the order",
       "fit-plots: autoplot() makes")
tested("`summary()` reports a search", "fit-summary: summary() reports a search that stopped early",
       "fit-summary: summary() reports a flat direction", "fit-summary: summary() reports estimates at bounds")
tested("`stablefit()` of a matrix", "fit-many: matrices, data frames, lists and grouped data frames hold data sets",
       "fit-many-methods: each fit of a batch is identical to the single fit, by each method",
       "workers: results do not depend on the number of workers of package future",
       "device-fits: device and CPU fits agree")
tested("The row of a data set", "fit-many-methods: the error of a method for one data set is stored in its row",
       "fit-many: after an interrupt the finished fits are returned")
tested("Workers of packages future", "workers: chunks are consecutive, and grow",
       "workers: a chunk whose daemon was killed", "workers: a chunk whose worker of package future was killed",
       "workers: results do not depend", "workers: integrals do not depend on the number of workers",
       "workers: bootstraps by workers are those of one process")
tested("Progress is signalled", "workers: package progressr is told of the progress")
tested("`stablefit(x, width = , by = )`", "fit-windows: each row is the fit of its window")
tested("`predict()` of these fits, and of those of many", "fit-many-methods: predict() of many fits has the predictions",
       "fit-many-methods: statistics of many fits are", "fit-many-methods: update() of many fits, and of one of them")
tested("`stable_chunks()`:", "fit-chunks: a fit in chunks is the fit in memory",
       "fit-chunks: samples in a database are read by a query")
shown("`stablefit()` of one takes about 7 passes", {
  set.seed(1)
  x <- rstable(4e5, 1.6, 0.2)
  passes <- at <- 0
  chunks <- stable_chunks(function(reset) {
    if (reset) {
      passes <<- passes + 1
      at <<- 0
    } else if (at < length(x)) {
      at <<- at + 25000
      x[at - 24999:0]
    }
  })
  fit <- stablefit(chunks)
  passes >= 6 && passes <= 8 && isTRUE(all.equal(coef(fit), coef(stablefit(x)), tolerance = 1e-6))
})
tested("A device selected by name computes the sums",
       "device-fits: a device selected by name computes all sums of single fits",
       "device-fits: a device selected by name computes the sums of fits with weights")
shown("`vignette(\"devices\")` lists what the CPU computes.",
      any(grepl("CPU computes", readLines("vignettes/devices.Rmd"))))
found("Method `\"grid\"` is compiled", "src/fit/grid.c")
shown("It fits quadratic functions", {
  set.seed(2)
  counts <- vapply(1:10, function(i) stablefit(rstable(1000, 1.5, 0.3), method = "grid")$convergence$evaluations, 0)
  median(counts) > 300 && median(counts) < 500
})
tested("It stays inside the parameter space", "fit-grid: no distribution outside the parameter space is tried",
       "fit-grid: the grid finds the maximum of samples that are nearly Gaussian")
tested("`convergence` counts", "fit-grid: a fit by grids needs few evaluations")
tested("`ggplot2::autoplot()` draws objects", "fit-plots: autoplot() draws many fits, windows and tests of fit")
tested("All plots can be read in grey", "plot-colours: marks of one kind differ in lightness",
       "plot-colours: statuses have symbols of their own", "plot-colours: lightness decreases along the scale")
tested("Kolmogorov-Smirnov, Anderson-Darling", "fit-gof: statistics agree with their definitions",
       "fit-gof: p-values are uniform for the given distribution", "fit-gof: p-values of a fit come from refits")
tested("`stable_lm(y ~ x, scale = ~ z, alpha = ~ w, beta = ~ u)`",
       "fit-regression-parameters: the log-likelihood is exact, and its gradient",
       "fit-regression-parameters: rows may be permuted, and weights of 2",
       "fit-regression-parameters: offsets shift the predictors",
       "fit-regression-parameters: fixed coefficients are held",
       "fit-regression-parameters: print, summary, tests of terms",
       "fit-regression-parameters: standard errors of quantiles",
       "fit-regression-parameters: scores are the derivatives",
       "fit-regression-parameters: package emmeans computes marginal means")
tested("`stablefit(y ~ x, data)`", "fit-regression: the log-likelihood is exact",
       "fit-rounding: probabilities of intervals add up")
tested("`pmvstable()`:", "mv-probability: probabilities of orthants are those of the normal distribution",
       "mv-probability: probabilities agree with an independent integral of the density")
tested("`mvstable_projection()`:", "mv-probability: linear combinations have the distribution of the projection")
tested("`mvstablefit()`:", "mv-fit: the fit is a maximum of the likelihood in all parameters",
       "mv-fit: projections recover the parameters", "mv-fit: a hundred dimensions are fitted",
       "mv-fit: standard errors are those of repeated samples")
tested("`dmvstable()`, `pmvstable()`, `rmvstable()` and", "mv-spectral: fits of elliptical distributions are accepted",
       "mv-probability: linear combinations have the distribution of the projection")
tested("`mvstable_spectral()`:", "mv-spectral: projections agree with the characteristic function of the spectral",
       "mv-spectral: projections are continuous in alpha at 1 and exact next to it",
       "mv-spectral: random vectors have the characteristic function of the measure")
tested("`mvspectralfit()` estimates", "mv-spectral: masses are estimated from large samples",
       "mv-spectral: projections are estimated with directions by default")
tested("`mvspectralfit(R = )` returns", "mv-spectral: standard errors of masses are those of samples")

# --- integrals ---
tested("`gintegrate()`: integrals of ordinary R functions", "quadrature-batch: each integral of a batch is identical",
       "quadrature-batch: a hard integral does not change",
       "quadrature-batch: results do not depend on the number of threads")
tested("In one dimension, including infinite limits", "quadrature-reference: no error is larger than its estimate",
       "quadrature-forward: the error decreases with the steps, and the bound is that of Theorem 1",
       "quadrature-blockcut: block-cutting agrees with the algorithm of the paper",
       "quadrature-simpson: infinite limits, breaks and singular ends")
tested("In several dimensions: cubature", "quadrature-cubature: integrals that converge have errors within",
       "quadrature-monte-carlo: integrals that converge are within four standard errors")
tested("Limits of `gintegrate()` may be infinite", "quadrature-infinite: correlated normal densities integrate to 1",
       "quadrature-infinite: limits may be reversed, empty and different for each integral",
       "quadrature-infinite: devices compute the same integrals")
tested("The integrand is transformed to a finite box", "quadrature-infinite: densities far from the origin")
tested("`\"vegas\"`, `\"lattice\"` and `\"auto\"` take up to 100",
       "quadrature-dimensions: products and sums in up to 100", "quadrature-dimensions: Asian options with 64 dates",
       "quadrature-dimensions: expectations over 13 and 50",
       "quadrature-dimensions: a device returns the same in many dimensions")
tested("One integral, or a few, whose integrand", "quadrature-long: the result of a long integral does not depend",
       "quadrature-long: a device evaluates the points", "quadrature-long: long integrals of Fourier type")
tested("The variants `\"PSCAQ\"`", "quadrature-device-published: side-cutting uses the same intervals",
       "quadrature-device-published: a device cuts all parts of a range in a few launches")
tested("`\"forward\"` computes few integrals", "quadrature-device-published: a device steps through all lines")
tested("With the new option `blocks`", "quadrature-device-published: the blocks of a range are stepped through",
       "quadrature-forward: the blocks of a range are those of separate integrals")
tested("On the CPU all threads share", "quadrature-forward: threads share the lines and parts")
shown("In several dimensions `\"auto\"` allots up to 40%", {
  r <- gintegrate(function(x) sin(sum(x)), rep(0, 6), rep(10, 6), rel.tol = 1e-6)
  true <- Im(((exp(10i) - 1) / 1i)^6)
  r$status == "converged" && abs(r$value - true) <= 1e-6 * abs(true) && round(r$evaluations / 1e6, 1) <= 3.7 &&
    round(r$evaluations / 1e6, 1) >= 3.6
})
tested("By default `max.eval`", "quadrature-stages: the default limit on evaluations follows")
tested("`gintegrate(n.value = k)`", "quadrature-components: components agree with calls for each of them",
       "quadrature-components: each component has its own status")
tested("The methods `\"gk\"`, `\"simpson\"`, `\"cubature\"` and", "quadrature-components: moments of an exponential",
       "quadrature-components: Genz functions over a box are right and share",
       "quadrature-components: simpson shares points", "quadrature-components: lattices serve components",
       "quadrature-components: a device computes the same values")
tested("`gintegrate(method = \"fourier\")`",
       "quadrature-fourier: a batch equals single integrals, on threads and a device")
tested("`control = list(symmetric = TRUE)`", "quadrature-monte-carlo: one importance map for all axes")
shown("This saves time, more with", {
  ratios <- function(file, method) {
    rows <- strsplit(grep(sprintf("\\| %s \\|", method), readLines(file), value = TRUE), " *\\| *")
    median(vapply(rows, function(row) as.numeric(row[9]), 0))
  }
  all(vapply(c("bench/mcubes-symmetric.md", "bench/gpu/mcubes-symmetric.md"), function(file)
    ratios(file, "vegas") > 1 && ratios(file, "lattice") >= ratios(file, "vegas"), NA))
})
shown("Method `\"product\"` integrates `cos(1 + sum(x))`", {
  r <- gintegrate(function(x) cos(1 + sum(x)), rep(0, 4), 1, rel.tol = 1e-12, method = "product")
  r$status == "converged" && r$evaluations < 1e4 && abs(r$value - Re(exp(1i) * ((exp(1i) - 1) / 1i)^4)) < 1e-12
})
shown("Its stated errors are too small", {
  row <- "| all |"
  page <- "bench/product-errors.md"
  says(sentence, "for %s of %s results", cell(page, row, 6), cell(page, row, 2))
})
tested("Product rules locate kinks and jumps",
       "quadrature-monte-carlo: the product rule integrates between kinks and jumps")
shown("Of 300 random integrals of Genz's families", {
  row <- "| gintegrate() | 1e-08 |"
  says(sentence, "families, %s converge", cell("bench/genz.md", row, 3)) && cell("bench/genz.md", row, 4) == "0"
})
tested("Method `\"product\"` tries a sparse product", "quadrature-stages: waves in 7 and 8 dimensions",
       "quadrature-sparse: sparse products integrate waves in 7 and 8 dimensions to 1e-8 with")
tested("A jump of the integrand close to the end", "quadrature-literature: a jump near a singular point is not taken",
       "quadrature-literature: a jump between a cluster of intervals and the next one")
tested("Singular points inside a range", "quadrature-literature: two singular points inside the range")
tested("`control = list(iterations =", "quadrature-monte-carlo: users may choose iterations")
tested("`control = list(precision = \"single\")`", "quadrature-device-single: lattices in single precision agree",
       "quadrature-device-single: strata in single precision agree",
       "quadrature-device-single: devices without double precision",
       "quadrature-device-single: the error includes rounding")
tested("Integrands may hold matrices", "integrand-matrices: elements, rows and parts of captured matrices",
       "integrand-matrices: interpolation on grids", "integrand-matrices: systems of equations and determinants",
       "integrand-matrices: Cholesky factors", "integrand-matrices: functions over elements")
tested("Complex results are refused", "integrand-matrices: complex results are refused by name")
tested("The options of single methods (`symmetric`", "quadrature-options: each option is accepted by name and has an effect")
tested("As arguments they still work", "quadrature-options: former arguments give the same results and warn once")
tested("`gtranslate()` shows the translation", "integrand-language: print() shows the operations",
       "integrand-language: the error lists every problem",
       "integrand-cache: a function without translation is evaluated in R")
tested("Integrands may contain loops", "integrand-language: long loops become loops of the program",
       "integrand-language: interpolating functions agree with R", "integrand-distributions: densities agree with R",
       "integrand-operations: Bessel functions", "integrand-distributions: stable distributions agree")
tested("Repeated calls of `gintegrate()`",
       "integrand-cache: a function that uses only functions of R is translated once",
       "integrand-cache: between other limits a function of vectors is called with one vector of points")
tested("Functions that cannot be translated are recognised",
       "integrand-cache: a function without translation is evaluated in R")
found("Most of the translation itself is done", "src/integrand/assembly.c", "src/integrand/ssa.c")
tested("`gintegrate(function(x) sin(x) / x", "quadrature-oscillation: slowly decaying sines and cosines converge")
tested("Integrals over infinite ranges do not depend on the unit",
       "quadrature-infinite: integrals do not depend on the unit of the variables")
tested("`\"auto\"` discards a result that contradicts", "quadrature-stages: a method that misses a peak")
shown("Peaks far out on infinite ranges are found", {
  r <- gintegrate(function(x) dnorm(x, 1000), -Inf, Inf)
  r$status == "converged" && abs(r$value - 1) < 1e-8
})
shown("Integrals with algebraic and logarithmic", {
  row <- "| gintegrate() | 1e-08 | 347 |"
  says(sentence, "of 347 integrals of the literature %s meet", cell("bench/literature.md", row, 4))
})
tested("Cubature finds peaks, ridges", "quadrature-cubature: no part of a peak is lost at the face of a box",
       "quadrature-cubature: a ridge across the axes and a thin ring are found entirely",
       "quadrature-cubature: where one peak is found, the rest of the range is examined for others")
tested("Where one narrow feature", "quadrature-error-estimates: narrow peaks are found where others have been found")
shown("For integrands with a jump or a kink inside", {
  share <- function(column) vapply(c("| a jump at u |", "| a kink at u |"), function(row)
    as.numeric(sub("%", "", cell("bench/errors.md", row, column))), 0)
  max(share(2)) < 0.1 && min(share(5)) >= 6
})
tested("Results of `gintegrate()` take part", "quadrature-arithmetic: operators combine integrals",
       "quadrature-arithmetic: mathematical functions and summaries")
tested("Like those of `integrate()`,", "quadrature-conventions: code for results of integrate() finds the components")
tested("They share limits", "quadrature-conventions: results keep no copies",
       "quadrature-plot: data frames of integrals contain")
tested("`summary()` shows how many", "quadrature-plot: summaries show where the evaluations went")
tested("`plot()` shows the evaluation points", "quadrature-plot: every plot is drawn",
       "quadrature-plot: plots restore all graphical parameters and take one figure of several")
tested("`ggplot2::autoplot()` returns", "quadrature-plot: autoplot() makes the same plots")

# --- devices ---
tested("Values, sums for fits, and integrals", "device-backend: a device gives the values of the CPU",
       "device-fits: device and CPU fits agree", "quadrature-device: errors on a device are within their estimates",
       "quadrature-device-laws: distributions of one shape have the values of the CPU")
tested("`stable_devices()` lists", "device-list: the table of devices",
       "device-backend: stable_backend() sets the backend", "device-backend: local_stable_backend() lasts")
tested("By default this is the CPU", "device-auto: auto uses the device only above the crossover",
       "device-auto: when the device fails, the CPU finishes the call with one warning")
tested("`\"opencl:all\"` distributes", "device-several: two devices share every large job")
tested("`stable_data()` keeps", "fit-large: a stable_data() object has the same fit on a device")
tested("`dstable()`, `pstable()` and `qstable()` have",
       "device-precision: values in single precision have relative errors")
tested("`rstable()` has it, too", "device-precision: random numbers in single precision are those of double precision")
tested("With it `stable_loglik()` sends",
       "device-precision: log-likelihoods in single precision meet the stated bounds",
       "device-precision: log-likelihoods in single precision do not depend on chunks, on devices")
tested("A device without double precision", "device-precision: a device without double precision can be selected",
       "device-precision: a device without double precision is listed")
tested("A device that is selected by name", "device-inventory: every exported function computes on the device",
       "device-inventory: every estimator computes its sums on the device")
shown("`vignette(\"devices\")` lists what the CPU computes within",
      any(grepl("CPU computes", readLines("vignettes/devices.Rmd"))))
tested("The first call on a device builds", "device-programs: a session builds only the programs",
       "device-programs: long integrands are functions of their own")
tested("The code for values of `dstable()` and",
       "device-programs: only integrals that need values beyond the interpolants")
shown("On an H200 the first `dstable()` takes", {
  first <- function(call) sprintf("%.1f", as.numeric(cell("bench/gpu/first-call.md", call, 2)))
  says(sentence, "first `dstable()` takes %s s", first("first dstable")) &&
    says(sentence, "first `gintegrate()` %s s", first("first gintegrate"))
})
tested("Programs of devices are compiled", "device-builds: a build that takes long is reported",
       "device-builds: an interrupted build goes on", "device-builds: under auto, the CPU computes")
tested("The compiled programs of devices", "device-programs: a later session builds its programs from binaries",
       "device-programs: an option selects the folder", "device-programs: the least recently used programs")
tested("Those of PoCL", "device-programs: programs of PoCL, which keeps them itself, are not added to the default folder")
tested("Devices compute `stable_score()`", "device-values: scores on a device", "device-values: modes on a device",
       "device-values: stable_quick() on a device", "device-values: values with pm = 2 and a shape per element")
tested("`qstable()` of 100000 or more",
       "device-interpolant: quantiles of large jobs come from the quantile interpolant")

# --- infrastructure ---
shown("The repository contains the reference values", {
  made <- readLines("data-raw/reference/Makefile")
  scripts <- strsplit(sub("SCRIPTS = ", "", grep("^SCRIPTS = ", made, value = TRUE)), " ")[[1L]]
  all(file.exists("data-raw/tables/density-tails.csv.xz", "data-raw/tables/quantiles.csv.xz",
                  "data-raw/reference/nolan_integrand.c", "data-raw/reference/contour.c", "data-raw/reference/scores.c",
                  sprintf("data-raw/%s.R", scripts))) && "score-reference" %in% scripts
})
shown("Results of 8 MB or more", {
  text <- readLines("src/base/memory.c")
  any(grepl("#define LARGE_BLOCK ((size_t)1 << 23)", text, fixed = TRUE)) && any(grepl("bytes >= LARGE_BLOCK", text)) &&
    any(grepl("MADV_HUGEPAGE", text))
})
tested("`stable_sitrep()`:", "device-sitrep: the report shows all its items",
       "options: every option and variable is documented", "threads: stable_threads() gets and sets")
tested("`stable_backend()` and `stable_sitrep()` return", "device-backend: stable_backend() sets the backend")
tested("Errors and warnings state the offending value", "messages: distributions",
       "messages: samples and arguments of fits", "messages: integrals", "messages: conditions have the classes")
tested("`stablecl_error_argument`", "messages: conditions have the classes",
       "manual: error classes on the manual pages")
tested("`stablecl.h`:", "c-interface: values are bitwise identical", "c-interface: threads with one evaluator each",
       "c-interface: random numbers are those of rstable()")
shown("`getting-started`, `stabledist`", {
  named <- regmatches(sentence, gregexpr("`[a-z-]+`", sentence))[[1L]]
  setequal(gsub("`", "", named), sub("[.]Rmd$", "", list.files("vignettes", "[.]Rmd$"))) &&
    setequal(list.files("inst/cheatsheet"), c("stablecl.pdf", "stablecl-letter.pdf"))
})
shown("The manual of `gintegrate()` has pages", {
  topics <- c("integrands", "methods", "control", "status", "devices")
  all(file.exists(sprintf("man/gintegrate-%s.Rd", topics))) &&
    !any(grepl("doi", readLines("man/gintegrate.Rd"))) && any(grepl("doi", readLines("man/gintegrate-methods.Rd")))
})

# --- robustness ---
tested("The package can be unloaded", "unload: a handle can be collected after the package is unloaded",
       "unload: functions that a user has kept work", "c-interface: the function table and its evaluators keep working")
tested("If memory runs out", "memory: a failed allocation gives a memory error or the right value")
tested("`STABLECL_OPENCL_LIBRARY` must be an absolute path",
       "device-list: the path of the OpenCL library must be absolute")
shown("On Windows, too", any(grepl("-ffp-contract=off", readLines("src/Makevars.win"), fixed = TRUE)))
tested("A time limit of `setTimeLimit()`", "interrupts: a time limit is an error that can be caught",
       "interrupts: a time limit ends fits by every method with R's own error")
tested("Interrupts and time limits end loops", "interrupts: a time limit ends loops in an integrand")
tested("The first values of every integrand",
       "device-faults: under \\\"auto\\\" the CPU takes over with one warning when a device")
tested("Kernel launches are limited", "interrupts: the CPU computes loops that are too long for a device")
tested("`stablefit()` also starts", "fit-starts: no other start gives a higher likelihood",
       "fit-hard: no optimisation from a random start")
shown("It finds the highest maximum", {
  x <- faithful$eruptions
  starts <- expand.grid(c(0.3, 0.8, 1.3, 1.9), c(-0.9, 0, 0.9), c(0.05, 0.3, 1), c(2, 4.5))
  best <- as.numeric(logLik(suppressWarnings(stablefit(x))))
  minus <- function(v) {
    value <- -sum(dstable(x, 2 / (1 + exp(-v[1])), tanh(v[2]), exp(v[3]), v[4], log = TRUE))
    if (is.finite(value)) value else 1e10
  }
  found <- apply(starts, 1, function(s) -optim(c(qlogis(s[[1]] / 2), atanh(s[[2]]), log(s[[3]]), s[[4]]), minus)$value)
  max(found[found < 0]) <= best + 1e-6
})
tested("`method = \"ecf\"` regularises", "fit-ecf: ecf neither fails nor diverges for ordinary samples")
tested("It and `\"logmoment\"`", "fit-ecf: many samples are fitted as one is, whatever the number of threads")
tested("Unknown arguments are an error", "unknown-arguments: every registered method rejects",
       "unknown-arguments: the message suggests", "unknown-arguments: every argument of predict() is checked")
tested("`stableMode()` works", "stable-mode: stableMode(), which scripts for stabledist use, warns")
tested("While R checks a package", "device-list: the default loads no driver while a package is checked")
tested("`stable_backend()` loads drivers", "device-list: drivers are not loaded until they are needed")
tested("The status `\"converged\"` means", "quadrature-status: no other method reports a divergent integral",
       "quadrature-device: every status is the same on a device and the CPU")
shown("Divergent integrals (`x^3` over the line", {
  status <- function(...) {
    r <- suppressWarnings(gintegrate(...))
    if (is.nan(r$value)) as.character(r$status) else "a value"
  }
  odd <- suppressWarnings(gintegrate(function(x) sin(x)^3 * exp(-x^2), -3, 3, abs.tol = 0))
  status(function(x) x^3, -Inf, Inf) == "divergent" && status(function(x) 1 / x, -1, 1) == "divergent" &&
    status(function(x) x * dstable(x, 0.9, 0), -Inf, Inf) == "divergent" && odd$status == "roundoff"
})
tested("`gintegrate()` caches a translation only if", "integrand-fallback: values that a function reads besides",
       "integrand-fallback: active bindings", "integrand-fallback: 0 and -0 are different")
tested("Translations follow R", "integrand-fallback: arguments of functions have the same meaning",
       "integrand-fallback: integers overflow", "integrand-fallback: default arguments are evaluated when",
       "integrand-fallback: a condition that is NA gives NaN", "integrand-fallback: redefined syntax",
       "integrand-fallback: a captured vector is indexed correctly")
tested("Sums of thousands of terms", "integrand-fallback: long sums, deep calls and many branches")
tested("Small `alpha`:", "stable-small-alpha: the density is 0 at the end of the support",
       "stable-small-alpha: the density at zeta agrees", "stable-small-alpha: the median of a symmetric",
       "stable-small-alpha: the location of S2 is the mode", "stable-small-alpha: S2 has quantiles and random numbers")
tested("Fits of samples with many equal values", "fit-ties: many equal values cause a warning and a note",
       "fit-ties: fits do not converge where equal values")
found("`make lib` builds the numerical core", "tools/check-library", "lib/example.c", "lib/stablecl.py")
tested("`stable_compare()` fits normal", "fit-compare: fits are maxima", "fit-compare: the table follows",
       "fit-compare: the test decides where models differ", "fit-compare: comparisons are printed")
tested("Fits have methods for `deviance()`", "fit-methods: deviance, degrees of freedom, criteria",
       "fit-methods: summary() and tidy() test only", "fit-many-methods: glance() of many fits")
tested("`profile()` of a fit", "fit-profile: profiles are those of the intervals", "fit-profile: profiles are drawn")
tested("`stablefit()` fits censored data", "fit-censored: normal and Cauchy fits are those of fitdistrplus",
       "fit-censored: truncated and binned normal and Cauchy fits maximise",
       "fit-censored: objects of class Surv of all types", "fit-censored: scores are derivatives of the log-likelihood")
tested("`confint()` and `predict()` of fits, and", "fit-auto: method \\\"auto\\\" computes Wald's intervals where",
       "fit-auto: method \\\"auto\\\" uses the bootstrap", "fit-auto: method \\\"auto\\\" chooses for regressions",
       "fit-auto: the method and its reasons are printed")
tested("The automatic profile intervals of samples", "fit-auto: the deviance at the ends of an automatic interval is",
       "fit-auto: automatic intervals of quantiles in small samples", "fit-auto: method \\\"auto\\\" chooses for regressions")
tested("`method = \"auto\"` counts censored, truncated and",
       "fit-auto: method \\\"auto\\\" counts the information in censored, truncated and binned observations")
tested("The profile interval of an expected shortfall",
       "fit-auto: the interval of a shortfall that is estimated as infinite is bounded on one side")
tested("Profile intervals of densities and", "fit-auto: the interval of a probability that is estimated as 0",
       "fit-auto: the interval of a probability that is small only because beta")
tested("`confint()` and `predict()` of fits draw", "fit-blocks: intervals are the quantiles of the estimates of blocks",
       "fit-blocks: blocks of a series with a changing scale",
       "fit-blocks: intervals are the quantiles of the estimates of simulated series")
shown("`vignette(\"series\")` compares standard errors", {
  text <- readLines("vignettes/series.Rmd")
  any(grepl("fit_garch(dax)", text, fixed = TRUE)) && any(grepl("block = 60", text, fixed = TRUE))
})
tested("`predict()` computes profile", "fit-auto: at the ends of profile intervals of quantities",
       "fit-auto: the profile interval of a density", "fit-auto: bootstrap intervals of predictions",
       "fit-auto: at the ends of profile intervals of regressions", "fit-auto: bootstrap intervals of regressions",
       "fit-auto: profile intervals of quantities of censored data")
tested("Intervals that do not exist", "fit-auto: intervals that do not exist have a reason",
       "fit-auto: the interval of a shortfall is unbounded")
tested("`predict(type", "fit-bands: value at risk is the quantile")
tested("`vcov(type", "fit-sandwich: the covariance under dependence is that of the scores between",
       "fit-long-run: small autocorrelations that decrease slowly are not omitted",
       "fit-sandwich: intervals under dependence are Wald's with that covariance")
tested("Methods for `estfun()` and `bread()`", "fit-sandwich: scores sum to 0", "fit-sandwich: package sandwich computes",
       "fit-sandwich: standard errors under dependence")
tested("A missing argument is an error", "conditions: each exported function names its first missing argument",
       "conditions: missing and empty arguments of exported functions give",
       "conditions: missing and empty arguments of methods give",
       "conditions: arguments without elements give a value or a classed error")
tested("Every manual page of a function has a section", "manual: every page of functions has a section Errors",
       "manual: a call for each page raises a documented condition", "manual: links in See Also are mutual")
tested("A variable that `stable_lm()` does not find", "conditions: a variable of a formula that does not exist",
       "fit-regression-predict: variables of new data must have the classes of those of the fit",
       "fit-regression-predict: missing variables and unknown levels of new data are named")
tested("`stable_backend(\"gpu\")`", "device-backend: \\\"gpu\\\" selects the first usable device that is not a CPU")
tested("Results of OpenCL devices are compared", "device-values: under \\\"auto\\\" the CPU takes over",
       "device-fits: corrupted sums")
tested("A wrong value counts as a failure", "device-values: under \\\"auto\\\" the CPU takes over with one warning")
tested("Under `\"auto\"` the CPU takes over", "device-values: under \\\"auto\\\" the CPU takes over with one warning")
