# Prints the table of features of README.md for this package, stabledist, libstable4u, scipy and STABLE.
#
#     Rscript bench/features.R
#
# A cell of the first four is the result of a call made here: TRUE becomes "yes", FALSE and errors become "no", text is
# copied; a literal FALSE marks features for which there is no function to call.  scipy is called through python3, or
# the interpreter named by the environment variable PYTHON.  STABLE is commercial and was not run: its column follows
# its public user manuals (5.1 to 5.3; for intervals the user's guide to STABLE 4.0), with "not stated" for features
# that they do not mention.

suppressPackageStartupMessages(library(stablecl))

close_to <- function(value, right) isTRUE(abs(value / right - 1) < 1e-6)
has <- function(package, pattern) any(grepl(pattern, getNamespaceExports(package)))
licence_of <- function(package) sub(" \\+ file LICENSE| \\[.*", "", utils::packageDescription(package)$License)
X <- c(1.3, -0.2, 0.4, 5, -1, 0.1, -2.5, 0.9, 0.3, -0.6, 12, -0.4)

# Correct values: ball arithmetic (Arb), two independent methods each.
NEAR_ONE <- 0.2254856937110047      # density at 0.5, alpha = 1.0005, beta = 0.5
NEAR_TWO <- 6.451652032979890e-8    # density at 20, alpha = 1.9995, beta = 0
TAIL     <- 6.308149628734965e-6    # P(X > 1000), alpha = 1.5, beta = 0
LIGHT    <- -104458.4895878836      # log density at -11, alpha = 1.05, beta = 1

PYTHON <- c("import numpy as np, scipy, warnings", "from scipy.stats import levy_stable as s",
            "warnings.simplefilter('ignore')", "s.parameterization = 'S0'",
            "close = lambda v, r: bool(abs(v/r - 1) < 1e-6)",
            "all_finite = lambda v: bool(np.all(np.isfinite(list(v))))",
            "def pdf_in(name):", "    s.parameterization = name", "    return s.pdf(1, 1.5, .5)",
            "def cell(f):", "    try: print(f())", "    except Exception: print(False)")

# Returns a row: the feature; the code to evaluate with stablecl, stabledist, libstable4u and in Python; the cell for
# STABLE according to its manuals.
row <- function(feature, stablecl, stabledist, libstable4u, scipy, STABLE = "not stated")
  list(feature = feature, stablecl = substitute(stablecl), stabledist = substitute(stabledist),
       libstable4u = substitute(libstable4u), scipy = scipy, STABLE = STABLE)

FEATURES <- list(
  row("version tested", paste(packageVersion("stablecl")), paste(packageVersion("stabledist")),
      paste(packageVersion("libstable4u")), "scipy.__version__", "5.3"),
  row("density, distribution function, quantiles, random numbers",
      all(is.finite(c(dstable(1, 1.5, 0.5), pstable(1, 1.5, 0.5), qstable(0.3, 1.5, 0.5), rstable(1, 1.5, 0.5)))),
      all(is.finite(c(dstable(1, 1.5, 0.5), pstable(1, 1.5, 0.5), qstable(0.3, 1.5, 0.5), rstable(1, 1.5, 0.5)))),
      all(is.finite(c(stable_pdf(1, c(1.5, 0.5, 1, 0)), stable_cdf(1, c(1.5, 0.5, 1, 0)),
                      stable_q(0.3, c(1.5, 0.5, 1, 0)), stable_rnd(1, c(1.5, 0.5, 1, 0))))),
      "all_finite([s.pdf(1, 1.5, .5), s.cdf(1, 1.5, .5), s.ppf(.3, 1.5, .5), s.rvs(1.5, .5)])", "yes"),
  row("parametrisations",
      paste(sprintf("S%d", Filter(function(pm) is.finite(dstable(1, 1.5, 0.5, pm = pm)), 0:2)), collapse = ", "),
      paste(sprintf("S%d", Filter(function(pm) is.finite(dstable(1, 1.5, 0.5, pm = pm)), 0:2)), collapse = ", "),
      paste(sprintf("S%d", Filter(function(pm) is.finite(stable_pdf(1, c(1.5, 0.5, 1, 0), pm)), 0:1)), collapse = ", "),
      "'S0, S1' if all_finite(pdf_in(name) for name in ('S1', 'S0')) else False"),
  row("vectors of `alpha` and `beta` in a call", length(dstable(1, c(1.2, 1.5), c(0, 0.5))) == 2,
      length(dstable(1, c(1.2, 1.5), c(0, 0.5))) == 2, FALSE, "len(s.pdf(1, [1.2, 1.5], [0, .5])) == 2"),
  row("density next to `alpha = 1`: 6 digits at `(0.5; 1.0005, 0.5)`", close_to(dstable(0.5, 1.0005, 0.5), NEAR_ONE),
      close_to(dstable(0.5, 1.0005, 0.5), NEAR_ONE), close_to(stable_pdf(0.5, c(1.0005, 0.5, 1, 0)), NEAR_ONE),
      sprintf("close(s.pdf(.5, 1.0005, .5), %.17g)", NEAR_ONE)),
  row("next to `alpha = 2`: 6 digits at `(20; 1.9995, 0)`", close_to(dstable(20, 1.9995, 0), NEAR_TWO),
      close_to(dstable(20, 1.9995, 0), NEAR_TWO), close_to(stable_pdf(20, c(1.9995, 0, 1, 0)), NEAR_TWO),
      sprintf("close(s.pdf(20, 1.9995, 0), %.17g)", NEAR_TWO)),
  row("upper tail: 6 digits of P(X > 1000) at `(1.5, 0)`",
      close_to(pstable(1000, 1.5, 0, lower.tail = FALSE), TAIL),
      close_to(pstable(1000, 1.5, 0, lower.tail = FALSE), TAIL), close_to(1 - stable_cdf(1000, c(1.5, 0, 1, 0)), TAIL),
      sprintf("close(s.sf(1000, 1.5, 0), %.17g)", TAIL)),
  row("log density where the density underflows", close_to(dstable(-11, 1.05, 1, log = TRUE), LIGHT),
      close_to(dstable(-11, 1.05, 1, log = TRUE), LIGHT), close_to(log(stable_pdf(-11, c(1.05, 1, 1, 0))), LIGHT),
      sprintf("close(s.logpdf(-11, 1.05, 1), %.17g)", LIGHT)),
  row("`NA` in, `NA` out", is.na(dstable(NA, 1.5, 0.5)), is.na(dstable(NA, 1.5, 0.5)),
      is.na(stable_pdf(NA_real_, c(1.5, 0.5, 1, 0))), "bool(np.isnan(s.pdf(np.nan, 1.5, .5)))"),
  row("error estimate with every value", stable_eval(1, 1.5, 0.5)$error > 0, FALSE, FALSE, "False"),
  row("characteristic function", has("stablecl", "^stable_cf$"), has("stabledist", "cf|char"),
      has("libstable4u", "cf|char"), "hasattr(s, 'cf')"),
  row("mode", has("stablecl", "mode"), has("stabledist", "Mode"), has("libstable4u", "mode"), "hasattr(s, 'mode')"),
  row("conversion of parameters", has("stablecl", "convert"), has("stabledist", "convert"),
      has("libstable4u", "convert"), "hasattr(s, 'convert')"),
  row("derivatives of the log density", if (ncol(stable_score(1, 1.5, 0.5)) >= 4) "x, all parameters" else FALSE,
      has("stabledist", "score|deriv"), has("libstable4u", "score|deriv"), "hasattr(s, 'score')", "x only"),
  row("fits", paste(eval(formals(stablefit)$method), collapse = ", "), has("stabledist", "fit"),
      "mle, mle2d, ecf, quantile"[has("libstable4u", "fit_koutrouvelis")], "'mle' if callable(s.fit) else False",
      "mle and others"),
  row("standard errors, confidence intervals", all(is.finite(confint(stablefit(X))[c("alpha", "gamma"), ])),
      has("stabledist", "confint|vcov"), has("libstable4u", "confint|vcov"), "hasattr(s, 'vcov')", "yes"),
  row("goodness of fit", has("stablecl", "gof"), has("stabledist", "gof"), has("libstable4u", "gof"),
      "'for any distribution' if hasattr(scipy.stats, 'goodness_of_fit') else False", "yes"),
  row("regression with stable errors", has("stablecl", "lm$"), has("stabledist", "lm$"), has("libstable4u", "lm$"),
      "False", "yes"),
  row("many samples in one call", nrow(coef(stablefit(list(X, 2 * X)))) == 2, FALSE, FALSE, "False"),
  row("expected shortfall", has("stablecl", "es$"), has("stabledist", "es$"), has("libstable4u", "es$"),
      "hasattr(s, 'es')"),
  row("rounded data", is.finite(logLik(stablefit(X ~ 1, rounding = 0.1))), FALSE, FALSE, "False", "yes"),
  row("multivariate stable distributions", has("stablecl", "^dmvstable$"), has("stabledist", "mv"),
      has("libstable4u", "mv"), "False", "yes"),
  row("threads", "any number"[stable_threads() >= 1], "1", "12", "'1'"),
  row("graphics cards", "OpenCL"[has("stablecl", "^stable_devices$")], FALSE, FALSE, "False"),
  row("licence", licence_of("stablecl"), licence_of("stabledist"), licence_of("libstable4u"), "'BSD'", "commercial"))

shown <- function(value) {
  if (length(value) != 1 || is.na(value)) return("no")
  if (is.logical(value)) return(if (value) "yes" else "no")
  value
}

# Evaluates a call in the namespace of a package, with access to the helpers and constants above; returns the cell.
cell_in <- function(package, call) {
  if (!requireNamespace(package, quietly = TRUE)) return("(not installed)")
  scope <- new.env(parent = asNamespace(package))
  for (name in c("close_to", "has", "licence_of", "X", "NEAR_ONE", "NEAR_TWO", "TAIL", "LIGHT"))
    assign(name, get(name, globalenv()), scope)
  shown(tryCatch(suppressWarnings(eval(call, scope)), error = function(e) FALSE))
}

scipy_cells <- function(codes) {
  script <- c(PYTHON, sprintf("cell(lambda: %s)", codes))
  out <- suppressWarnings(system2(Sys.getenv("PYTHON", "python3"), "-", input = script, stdout = TRUE, stderr = FALSE))
  if (length(out) != length(codes)) return(rep("(not installed)", length(codes)))
  ifelse(out == "True", "yes", ifelse(out == "False", "no", out))
}

scipy <- scipy_cells(vapply(FEATURES, `[[`, "", "scipy"))
cat("| feature | stablecl | stabledist | libstable4u | scipy `levy_stable` | STABLE (manuals) |\n",
    "|---|---|---|---|---|---|\n", sep = "")
for (k in seq_along(FEATURES)) {
  feature <- FEATURES[[k]]
  cells <- vapply(c("stablecl", "stabledist", "libstable4u"), function(name) cell_in(name, feature[[name]]), "")
  cat(sprintf("| %s |\n", paste(c(feature$feature, cells, scipy[k], feature$STABLE), collapse = " | ")))
}
cat(sprintf("\nGenerated by `bench/features.R` on %s.\n", Sys.Date()))
