# Computes the 18 integrals in Table 2 of Kern and Alaghband (2013) by PBCAQ with its four expansion steps, PSCAQ, SCAQ
# and CAQ.
#
#     Rscript bench/kern2013.R > bench/kern2013.md          also writes bench/kern2013.png
#
# Errors are relative to the values in tests/testthat/data/integrals.csv.  Times are CPU milliseconds on one thread.

suppressPackageStartupMessages(library(stablecl))

TOLERANCE <- 1e-6
MOST      <- 2e7

reference <- read.csv("tests/testthat/data/integrals.csv", comment.char = "#", colClasses = "character")
rows <- reference[grepl("^ka", reference$id), ]
integrand <- function(k) eval(parse(text = paste("function(x)", rows$formula[k])), globalenv())

RUNS <- list(
  "PBCAQ" = list(control = list(variant = "PBCAQ")),
  "PBCAQr" = list(control = list(variant = "PBCAQ", expand = "coin")),
  "PBCAQs" = list(control = list(variant = "PBCAQ", expand = "slope")),
  "PBCAQg" = list(control = list(variant = "PBCAQ", expand = "log")),
  "PSCAQ" = list(control = list(variant = "PSCAQ", cells = 256)),
  "SCAQ" = list(control = list(variant = "SCAQ", cells = 1)),
  "CAQ" = list(control = list(variant = "CAQ", cells = 1)), "gk" = list(method = "gk"))

run <- function(k, name) {
  set.seed(1)
  args <- RUNS[[name]]
  if (is.null(args$method)) args$method <- "blockcut"
  call <- c(list(integrand(k), as.numeric(rows$lower[k]), as.numeric(rows$upper[k]), rel.tol = TOLERANCE,
                 max.eval = MOST), args)
  seconds <- sum(system.time(r <- suppressWarnings(do.call(gintegrate, call)))[1:2])
  true <- as.numeric(rows$value[k])
  data.frame(id = rows$id[k], run = name, error = abs(r$value - true) / abs(true), status = as.character(r$status),
             false = r$status == "converged" && abs(r$value - true) > max(r$abs.error, 1e-14 * abs(true)),
             evaluations = r$evaluations, ms = 1e3 * seconds)
}

before <- stable_threads(1)
all <- do.call(rbind, lapply(seq_len(nrow(rows)), function(k) do.call(rbind, lapply(names(RUNS), run, k = k))))
stable_threads(before)
cell <- function(part, text) {
  vapply(rows$id, function(id) {
    one <- all[all$id == id, ]
    paste0("| ", id, " | ", paste0(sprintf(text, one[[part]]), ifelse(one$status == "converged", "", "*"),
                                   collapse = " | "), " |")
  }, "")
}

png("bench/kern2013.png", width = 1100, height = 700, res = 120)
par(mar = c(4, 5, 2.5, 8), xpd = NA)
colours <- hcl.colors(length(RUNS), "Dark 3")
at <- match(all$id, rows$id)
plot(all$evaluations, nrow(rows) + 1 - at, log = "x", yaxt = "n", xlab = "evaluations", ylab = "", pch = 19,
     col = colours[match(all$run, names(RUNS))], main = sprintf("Kern and Alaghband's integrals to %g", TOLERANCE))
axis(2, nrow(rows):1, rows$id, las = 1, cex.axis = 0.7)
legend("right", names(RUNS), col = colours, pch = 19, inset = -0.2, bty = "n")
invisible(dev.off())

heading <- c(paste0("| integral | ", paste(names(RUNS), collapse = " | "), " |"),
             paste0("|", strrep("---|", length(RUNS) + 1)))
cat(sep = "\n",
  "# Kern and Alaghband (2013), Table 2", "", "Made by `Rscript bench/kern2013.R > bench/kern2013.md`.", "",
  sprintf("* Date: %s", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC")),
  sprintf("* %s, stablecl %s", R.version.string, packageVersion("stablecl")), "",
  sprintf("Relative tolerance %g, at most %g evaluations (* where these did not do).  PBCAQ and its r, s, g (coin,",
          TOLERANCE, MOST),
  "slope, log) in regions of 2048 intervals, PSCAQ in 256 parts at once, SCAQ and CAQ from one interval as in the",
  "paper.  The paper's text at hand has no figures for single integrals: speed-ups \"as high as 211\" of PBCAQ on a",
  "GPU over its sequential relatives.", "",
  sprintf("Errors beyond what is claimed, among the runs that converged: %d of %d.", sum(all$false), nrow(all)), "",
  "## Relative error", "", heading, cell("error", "%.0e"), "",
  "## Evaluations", "", heading, cell("evaluations", "%.2g"), "",
  "## CPU milliseconds on one thread, single runs under load", "", heading, cell("ms", "%.0f"), "",
  "![Evaluations](kern2013.png)")
