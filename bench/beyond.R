# Measures fits and integrals by several processes, and fits of data larger than memory.
#
#     Rscript bench/beyond.R [WORKERS] [ROWS] [future] [mirai] [workers] [database] > bench/beyond.md
#
# (from the checkout.)  With "workers" or "database" only that part is measured, so that two machines can share them.
# WORKERS: numbers of workers, "1,2,16" by default; ROWS: rows of the database, 1e8 by default (1e6 for a trial).
# Results of workers are compared with those of this process first, and must be identical; the fit of the database is
# compared with that in memory, if ROWS is at most 1e7.  Times are elapsed seconds, medians of REPEATS calls after a
# first one.  Each worker uses one thread, and so does this process, so that the ratios show what the workers add.  The
# database is a file in the temporary folder (TMPDIR), of about 20 bytes a row.

library(stablecl)
source("bench/cores.R")                                  # host_cores()
source("bench/page.R")                                   # made_by()

REPEATS <- 3
words <- commandArgs(trailingOnly = TRUE)
engines <- intersect(c("future", "mirai"), words)
parts <- intersect(c("workers", "database"), words)
if (!length(parts)) parts <- c("workers", "database")
if (!length(engines)) engines <- "future"
words <- setdiff(words, c(engines, parts))
WORKERS <- as.integer(strsplit(c(words[grepl(",|^[0-9]{1,3}$", words)], "1,2,16")[1], ",")[[1]])
ROWS <- as.numeric(c(words[grepl("e|^[0-9]{4,}$", words)], 1e8)[1])
Sys.setenv(STABLECL_THREADS = 1, OMP_NUM_THREADS = 1)       # also of the workers
stable_threads(1)
scale <- if (ROWS < 1e7) 0.05 else 1                       # a trial is smaller throughout

source("bench/timing.R")                                 # now(), seconds(), median_seconds()

set.seed(41)
samples <- lapply(seq_len(5e3 * scale), function(i) rstable(1000, 1.2 + 0.7 * (i %% 100) / 100, sin(i) / 2))
few <- samples[seq_len(400 * scale)]
fit <- stablefit(few[[1]])
oscillating <- gtranslate(function(x, a) {
  s <- 0
  for (i in 1:500) s <- s + sin(a * i * x) / i
  s
}, params = "a")
params <- data.frame(a = seq(0.1, 5, length.out = 2e4 * scale))
numbers <- function(y) unclass(y)[c("value", "abs.error", "evaluations", "status")]
JOBS <- list(
  "fits by mle, 1000 values" = function() coef(stablefit(samples, se = FALSE)),
  "fits by mle2d, 1000 values" = function() coef(stablefit(few, "mle2d", se = FALSE)),
  "bootstrap of confint(), R = 999" = function() confint(fit, method = "bootstrap", R = 999, seed = 1),
  "integrals of 500 sines" = function() numbers(gintegrate(oscillating, 0, 1, params = params)))

# Sets up workers of an engine; returns a function that ends them.
start <- function(engine, workers) {
  if (engine == "future") {
    options(parallelly.maxWorkers.localhost = Inf)
    future::plan(future::cluster, workers = workers)
    return(function() future::plan(future::sequential))
  }
  mirai::daemons(url = mirai::local_url(tcp = TRUE))
  mirai::launch_local(workers)
  while (mirai::status()$connections < workers) Sys.sleep(0.1)
  function() mirai::daemons(0)
}

measure <- function(engine, workers, here) {
  end <- start(engine, workers)
  on.exit(end())
  do.call(rbind, lapply(names(JOBS), function(job) {
    same <- identical(JOBS[[job]](), here[[job]]$result)
    if (!same) stop(job, ": ", workers, " workers of ", engine, " give other results than this process")
    data.frame(job = job, engine = engine, workers = workers, seconds = median_seconds(JOBS[[job]]),
               here = here[[job]]$seconds)
  }))
}

# Writes the database in blocks of a million rows; returns the values if they are few.
fill <- function(db, rows) {
  block <- 1e6
  kept <- list()
  for (from in seq(0, rows - 1, by = block)) {
    x <- rstable(min(block, rows - from), 1.7, 0.2, 0.01, 0)
    DBI::dbWriteTable(db, "returns", data.frame(r = x), append = TRUE)
    if (rows <= 1e7) kept <- c(kept, list(x))
  }
  unlist(kept)
}

database <- function(rows) {
  stable_threads(0)
  file <- tempfile(fileext = ".sqlite")
  db <- DBI::dbConnect(RSQLite::SQLite(), file)
  on.exit({
    DBI::dbDisconnect(db)
    unlink(file)
  })
  set.seed(42)
  x <- fill(db, rows)
  passes <- 0
  fitted <- NULL
  source <- stable_chunks(db, "SELECT r FROM returns")
  read <- source$reader
  source$reader <- function() {
    passes <<- passes + 1
    read()
  }
  reading <- seconds(function() stable_each(source, length))
  passes <- 0
  invisible(gc(reset = TRUE))
  fitting <- seconds(function() fitted <<- stablefit(source))
  used <- sum(gc()[, 6])
  gap <- if (is.null(x)) NA else max(abs(coef(fitted) - coef(stablefit(x))) / sqrt(diag(vcov(fitted))))
  data.frame(rows = rows, bytes = file.size(file), reading, fitting, passes, used, gap,
             off = max(abs(coef(fitted) - c(1.7, 0.2, 0.01, 0)) / sqrt(diag(vcov(fitted)))))
}

cat("# Several processes, and data larger than memory\n\n", made_by("bench/beyond.R"), ", ", format(Sys.Date()), ".\n",
    sep = "")
if ("workers" %in% parts) {
  here <- lapply(JOBS, function(job) list(result = job(), seconds = median_seconds(job)))
  table <- do.call(rbind, lapply(engines, function(engine) {
    do.call(rbind, lapply(WORKERS, function(workers) measure(engine, workers, here)))
  }))
  cat("\n## Several processes\n\nOn a host with ", host_cores(), " logical processors. Results of all workers are ",
      "identical to those of one process.\nOne thread for each worker and for the single process; median of ", REPEATS,
      " calls.\n\n", sep = "")
  cat("| job | engine | workers | seconds | one process | ratio |\n|---|---|---:|---:|---:|---:|\n")
  cat(sprintf("| %s | %s | %d | %.2f | %.2f | %.2f |\n", table$job, table$engine, table$workers, table$seconds,
              table$here, table$here / table$seconds), sep = "")
}
if ("database" %in% parts) {
  data <- database(ROWS)
  cat("\n## A database of ", format(data$rows, big.mark = ","), " rows in RSQLite\n\nOn a host with ", host_cores(),
      " logical processors, ", stable_threads(), " threads.\n\n", sep = "")
  cat("| file | one pass without computation | fit | passes of the fit | largest memory of R | gap to a fit in memory ",
      "| distance from the truth |\n|---:|---:|---:|---:|---:|---:|---:|\n", sep = "")
  cat(sprintf("| %.2f GB | %.1f s | %.1f s | %d | %.0f MB | %s | %.1f standard errors |\n", data$bytes / 1e9,
              data$reading, data$fitting, data$passes, data$used, if (is.na(data$gap)) "not measured" else
                sprintf("%.1e standard errors", data$gap), data$off))
}
