# Prints the table of values in README.md: results of this package and of others for a few calls, with the correct
# values.
#
#     Rscript bench/peer-values.R
#
# Correct values: 25 digits by ball arithmetic (Arb), two independent methods each.

suppressPackageStartupMessages(library(stablecl))

CALLS <- list(
  list("dstable(-44, 1, 0.1)", "stable_pdf(-44, c(1, 0.1, 1, 0))", 1.466944931631589e-4),
  list("dstable(0.5, 1 + 1e-14, 0.5)", "stable_pdf(0.5, c(1 + 1e-14, 0.5, 1, 0))", 0.2254422185992874),
  list("dstable(20, 1.9995, 0)", "stable_pdf(20, c(1.9995, 0, 1, 0))", 6.451652032979890e-8),
  list("dstable(1e20, 0.9, 0.8)", "stable_pdf(1e20, c(0.9, 0.8, 1, 0))", 5.442668754174957e-39),
  list("pstable(0.3, 0.75, -0.5)", "stable_cdf(0.3, c(0.75, -0.5, 1, 0))", 0.6688722765845702),
  list("pstable(-50, 1.8, 0.9)", "stable_cdf(-50, c(1.8, 0.9, 1, 0))", 7.958376474795522e-6),
  list("pstable(1e3, 1.5, 0, lower.tail = FALSE)", "1 - stable_cdf(1e3, c(1.5, 0, 1, 0))",
       6.308149628734965e-6),
  list("dstable(-15, 1.6, 1, log = TRUE)", "log(stable_pdf(-15, c(1.6, 1, 1, 0)))",
       -187.1444262678505),
  list("qstable(1e-6, 1.5, 0.5)", "stable_q(1e-6, c(1.5, 0.5, 1, 0))", -2150.169444792042),
  list("qstable(1, 1.5, 0.5)", "stable_q(1, c(1.5, 0.5, 1, 0))", Inf))

# Returns the value of `code` in a package, formatted to `digits` digits; "error" if it fails.
value_in <- function(code, package, digits) {
  if (!requireNamespace(package, quietly = TRUE)) return("(not installed)")
  value <- tryCatch(suppressWarnings(eval(parse(text = code), asNamespace(package))),
                    error = function(e) "error")
  if (is.numeric(value)) format(value, digits = digits) else value
}

cat("| call | correct | stablecl | stabledist | libstable4u |\n|---|---|---|---|---|\n")
for (call in CALLS)
  cat(sprintf("| `%s` | %s | %s | %s | %s |\n", call[[1]], format(call[[3]], digits = 14),
              value_in(call[[1]], "stablecl", 14), value_in(call[[1]], "stabledist", 8),
              value_in(call[[2]], "libstable4u", 8)))
