# Makes vignettes/tables/other-packages.csv: results of libstable4u, scipy and fBasics, each beside the call of this
# package that vignette("stabledist") gives as its equivalent.
#
#     Rscript data-raw/other-packages.R
#
# PYTHON names the interpreter that has scipy (default: python3).

FILE <- "vignettes/tables/other-packages.csv"

dax <- as.vector(100 * diff(log(EuStockMarkets[, "DAX"])))

numbers <- function(values) paste(sprintf("%.17g", as.numeric(values)), collapse = " ")

# Returns rows for calls of an R package and the calls of this package.
rows_of <- function(package, calls) {
  value <- vapply(names(calls), function(code) {
    utils::capture.output(value <- eval(parse(text = code), list(dax = dax), asNamespace(package)))
    numbers(value)
  }, "")
  data.frame(package = paste(package, packageVersion(package)), call = names(calls), value, stablecl = unname(calls))
}

LIBSTABLE <- c(
  "stable_pdf(0.5, c(1.3, 0.5, 2, 1))" = "dstable(0.5, 1.3, 0.5, 2, 1)",
  "stable_cdf(0.5, c(1.3, 0.5, 2, 1))" = "pstable(0.5, 1.3, 0.5, 2, 1)",
  "stable_q(0.3, c(1.3, 0.5, 2, 1))" = "qstable(0.3, 1.3, 0.5, 2, 1)",
  "stable_pdf(0.5, c(1.3, 0.5, 2, 1), 1)" = "dstable(0.5, 1.3, 0.5, 2, 1, pm = 1)",
  "stable_pdf(0.5, c(1, 0.5, 2, 1), 1)" = "dstable(0.5, 1, 0.5, 2, 1, pm = 1)",
  "stable_fit_init(dax)" = "coef(stablefit(dax, \"quantile\"))",
  "stable_fit_koutrouvelis(dax)" = "coef(stablefit(dax, \"ecf\"))",
  "stable_fit_mle(dax)" = "coef(stablefit(dax))",
  "stable_fit_mle(dax, parametrization = 1)" = "coef(stablefit(dax, pm = 1))",
  "stable_fit_mle2d(dax)" = "coef(stablefit(dax, \"mle2d\"))")

# The search of fBasics takes minutes.
FBASICS <- c("stableFit(dax, doplot = FALSE)@fit$estimate" = "coef(stablefit(dax, \"quantile\"))",
             "stableFit(dax, type = \"mle\", doplot = FALSE)@fit$estimate" = "coef(stablefit(dax))")

# Calls of scipy.stats.levy_stable in its default parametrisation S1, and in S0.
S1 <- c("pdf(0.5, 1.3, 0.5, 1, 2)" = "dstable(0.5, 1.3, 0.5, 2, 1, pm = 1)",
        "cdf(0.5, 1.3, 0.5, 1, 2)" = "pstable(0.5, 1.3, 0.5, 2, 1, pm = 1)",
        "sf(0.5, 1.3, 0.5, 1, 2)" = "pstable(0.5, 1.3, 0.5, 2, 1, pm = 1, lower.tail = FALSE)",
        "ppf(0.3, 1.3, 0.5, 1, 2)" = "qstable(0.3, 1.3, 0.5, 2, 1, pm = 1)",
        "isf(0.3, 1.3, 0.5, 1, 2)" = "qstable(0.3, 1.3, 0.5, 2, 1, pm = 1, lower.tail = FALSE)",
        "cdf(0.5, 1, 0.5, 1, 2)" = "pstable(0.5, 1, 0.5, 2, 1, pm = 1)",
        "sf(0.5, 1, 0.5, 1, 2)" = "pstable(0.5, 1, 0.5, 2, 1, pm = 1, lower.tail = FALSE)",
        "ppf(0.3, 1, 0.5, 1, 2)" = "qstable(0.3, 1, 0.5, 2, 1, pm = 1)")
S0 <- c("pdf(0.5, 1.3, 0.5, 1, 2)" = "dstable(0.5, 1.3, 0.5, 2, 1)",
        "pdf(0.5, 1.004, 0.5)" = "dstable(0.5, 1.004, 0.5)")

scipy_rows <- function(parametrisation, calls) {
  script <- c("import scipy", "from scipy.stats import levy_stable",
              sprintf("levy_stable.parameterization = '%s'", parametrisation), "print(scipy.__version__)",
              sprintf("print('%%.17g' %% levy_stable.%s)", names(calls)))
  file <- tempfile(fileext = ".py")
  on.exit(unlink(file))
  writeLines(script, file)
  printed <- system2(Sys.getenv("PYTHON", "python3"), file, stdout = TRUE)
  data.frame(package = sprintf("scipy %s (%s)", printed[1], parametrisation), call = names(calls), value = printed[-1],
             stablecl = unname(calls))
}

table <- rbind(rows_of("libstable4u", LIBSTABLE), scipy_rows("S1", S1), scipy_rows("S0", S0),
               rows_of("fBasics", FBASICS))
head <- c("Results of other packages, in parametrisations as stated, and the equivalent calls.",
          sprintf("Made by data-raw/other-packages.R, %s; dax: 100 * diff(log(EuStockMarkets[, \"DAX\"])).",
                  Sys.Date()))
writeLines(paste("#", head), FILE)
suppressWarnings(write.table(table, FILE, append = TRUE, sep = ",", row.names = FALSE, qmethod = "double"))
