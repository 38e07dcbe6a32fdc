# Runs the test scripts of CRAN's stabledist with the functions of this package.
#
#     Rscript bench/stabledist-scripts.R [TARBALL]
#
# Without TARBALL the source package is downloaded from CRAN.  The scripts run unchanged,
# expression by expression, with the functions of stablecl masking those of stabledist; its
# internal helpers (dPareto, ...) and the test tools of package Matrix are used as they are.
# Reports every expression that failed, and the warnings.  The exit status is 1 if anything
# failed except assertions of incorrect values.

suppressPackageStartupMessages({
  library(stabledist)
  library(stablecl)
})

SCRIPTS <- c("dstab-ex.R", "pstab-ex.R", "tails.R")

# Assertions of incorrect values: a string that identifies the expression, and the true
# value, from ball arithmetic with 30 digits by two independent methods.
WRONG <- list(
  c("0.6688726496", "pstable(0.3, 0.75, -0.5) = 0.668872276584570172"),
  c("-0.2505743952946", "mode at (0.3, 0.5) = -0.250574393839054"),
  c("2.6364265731", "qstable(0.6, 0.5, 1) = 2.63641788208581634 (Levy law: closed form)"))

source_package <- function(tarball) {
  if (is.na(tarball)) {
    options(repos = c(CRAN = "https://cloud.r-project.org"))
    tarball <- utils::download.packages("stabledist", tempdir(), type = "source", quiet = TRUE)[, 2]
  }
  utils::untar(tarball, exdir = tempdir())
  file.path(tempdir(), "stabledist")
}

known_wrong <- function(code) {
  for (w in WRONG) if (any(grepl(w[1], code, fixed = TRUE))) return(w[2])
  NA_character_
}

# Evaluates one expression; returns NULL, or the error message.
try_expression <- function(expression, env, on_warning) {
  withCallingHandlers(
    tryCatch({
      eval(expression, env)
      NULL
    }, error = conditionMessage),
    warning = function(w) {
      on_warning(conditionMessage(w))
      invokeRestart("muffleWarning")
    })
}

# Runs a script; returns the lines of the report and the number of failures.
run_script <- function(file) {
  warnings <- inside_try <- report <- character()
  failed <- 0
  env <- new.env(parent = globalenv())
  env$stableMode <- function(alpha, beta, ...) stable_mode(alpha, beta)
  # Expressions on which stabledist itself may fail are inside try(): count their failures as well.
  env$try <- function(expr, ...)
    tryCatch(expr, error = function(e) inside_try <<- c(inside_try, conditionMessage(e)))
  expressions <- as.list(parse(file, keep.source = FALSE))
  seconds <- system.time(for (expression in expressions) {
    failure <- try_expression(expression, env, function(w) warnings <<- c(warnings, w))
    if (is.null(failure)) next
    code <- deparse(expression)
    truth <- known_wrong(code)
    failed <- failed + is.na(truth)
    report <- c(report,
                paste0("  ", if (is.na(truth)) "FAILED: " else "asserts a wrong value: ",
                       paste(trimws(utils::head(code, 3)), collapse = " ")),
                paste0("    ", if (is.na(truth)) failure else paste("true:", truth)))
  })[["elapsed"]]
  summary <- sprintf("%s: %d expressions in %.1f s, %d failed, %d failed inside try(), %d warnings",
                     basename(file), length(expressions), seconds, failed, length(inside_try),
                     length(warnings))
  list(bad = failed + length(inside_try),
       report = c(summary, report, paste("    in try():", inside_try)[seq_along(inside_try)],
                  paste("    warning:", unique(warnings))[seq_along(unique(warnings))]))
}

folder <- file.path(source_package(commandArgs(trailingOnly = TRUE)[1]), "tests")
setwd(tempdir())                       # the scripts write their plots to the working directory
bad <- 0
for (script in SCRIPTS) {
  utils::capture.output(result <- suppressMessages(run_script(file.path(folder, script))))
  grDevices::graphics.off()
  writeLines(result$report)
  bad <- bad + result$bad
}
quit(status = as.integer(bad > 0))
