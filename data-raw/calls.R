# Makes vignettes/tables/calls.csv, the results of stabledist for calls that both packages accept with the correct
# values, and vignettes/tables/edge-cases.csv, its results for edge cases.
#
#     Rscript data-raw/calls.R
#
# The correct values are those of data-raw/reference.

source("data-raw/reference/values.R")

FILES <- c(calls = "vignettes/tables/calls.csv", edge_cases = "vignettes/tables/edge-cases.csv")

# Returns a row: the call; alpha, beta and x or p for the reference program; which of its results is the correct value;
# a factor for it.
number <- function(call, alpha, beta, at, what, factor = 1)
  data.frame(call, alpha, beta, at, what, factor)

CALLS <- rbind(
  number("dstable(0, 1.5, 0.5)", 1.5, 0.5, 0, "pdf"),
  number("dstable(3, 0.7, -0.4)", 0.7, -0.4, 3, "pdf"),
  number("dstable(7, 1.5, 0.5, gamma = 2, delta = 1)", 1.5, 0.5, 3, "pdf", 0.5),
  number("dstable(0.2, 1.01, -0.9)", 1.01, -0.9, 0.2, "pdf"),
  number("dstable(100, 1.5, 0.5, log = TRUE)", 1.5, 0.5, 100, "logpdf"),
  number("pstable(1, 1.5, 0.5)", 1.5, 0.5, 1, "cdf"),
  number("pstable(0.3, 0.75, -0.5)", 0.75, -0.5, 0.3, "cdf"),
  number("pstable(10, 1.5, 0.5, lower.tail = FALSE)", 1.5, 0.5, 10, "sf"),
  number("pstable(1000, 1.5, 0, lower.tail = FALSE)", 1.5, 0, 1000, "sf"),
  number("pstable(-50, 1.8, 0.9)", 1.8, 0.9, -50, "cdf"),
  number("qstable(0.95, 1.5, 0.5)", 1.5, 0.5, 0.95, "q"),
  number("qstable(0.01, 1.7, 0)", 1.7, 0, 0.01, "q"),
  number("qstable(1e-6, 1.5, 0.5)", 1.5, 0.5, 1e-6, "q"),
  number("dstable(-44, 1, 0.1)", 1, 0.1, -44, "pdf"),
  number("dstable(0.5, 1 + 1e-14, 0.5)", 1 + 1e-14, 0.5, 0.5, "pdf"),
  number("dstable(20, 1.9995, 0)", 1.9995, 0, 20, "pdf"),
  number("dstable(1e20, 0.9, 0.8)", 0.9, 0.8, 1e20, "pdf"))

EDGE_CASES <- c("dstable(1:3, c(1.5, 1.6, 1.7), 0)", "dstable(c(0, NA), 1.5, 0.5)", "dstable(1, 2.5, 0)",
               "dim(dstable(matrix(1:4, 2), 1.5, 0.5))", "dstable(Inf, 1.5, 0.5)", "qstable(c(0, 1), 1.5, 0.5)",
               "pstable(1e300, 1.5, 0.5, lower.tail = FALSE, log.p = TRUE)", "{ set.seed(1); rstable(5, 1, 0.5) }")

right_value <- function(row) {
  values <- if (row$what == "q") reference_quantiles else reference_points
  value <- values(row$alpha, row$beta, row$at, 35)[[row$what]]
  stopifnot(!is.na(as.numeric(value)))
  if (row$factor == 1) value else sprintf("%.17g", as.numeric(value) * row$factor)
}

# Returns the value of `code` evaluated in a package, or its error message, and the number of warnings.
outcome_in <- function(package, code) {
  warned <- 0
  value <- tryCatch(
    withCallingHandlers(eval(parse(text = code), new.env(parent = asNamespace(package))), warning = function(w) {
      warned <<- warned + 1
      invokeRestart("muffleWarning")
    }), error = function(e) paste("error:", gsub("\\s+", " ", conditionMessage(e))))
  shown <- if (is.numeric(value)) paste(format(value, digits = 6, trim = TRUE), collapse = " ") else
    if (is.null(value)) "NULL" else value
  if (warned) shown <- sprintf("%s (%d warning%s)", shown, warned, if (warned > 1) "s" else "")
  shown
}

value_in <- function(package, code)
  sprintf("%.17g", suppressWarnings(eval(parse(text = code), asNamespace(package))))

write_table <- function(table, file, first) {
  certificate <- c(first, sprintf("Made by data-raw/calls.R, %s, with stabledist %s.", Sys.Date(),
                                  packageVersion("stabledist")))
  writeLines(paste("#", certificate), file)
  suppressWarnings(write.table(table, file, append = TRUE, sep = ",", row.names = FALSE))
}

calls <- data.frame(call = CALLS$call,
                    right = vapply(split(CALLS, seq_len(nrow(CALLS))), right_value, ""),
                    stabledist = vapply(CALLS$call, function(code) value_in("stabledist", code), ""))
write_table(calls, FILES[["calls"]], "Right values: ball arithmetic (Arb), two independent methods each.")
edge_cases <- data.frame(call = EDGE_CASES,
                         stabledist = vapply(EDGE_CASES, function(code) outcome_in("stabledist", code), ""))
write_table(edge_cases, FILES[["edge_cases"]], "Results of calls for edge cases.")
print(calls, row.names = FALSE, right = FALSE)
print(edge_cases, row.names = FALSE, right = FALSE)
