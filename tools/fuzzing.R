# The engine of tools/fuzz-*.R: runs many trials in worker processes and reports their findings.
#
# A fuzzer is a script that sources this file, defines
#
#   trial(i)     one trial; all its randomness comes from R's generator, which is seeded for each trial.  It calls
#                announce() before any call that may crash, count_call() for each call of the package that it makes
#                and checks, and finding() for each fault,
#
# and ends with fuzz("name", trial, setup).  Its command line is
#
#   Rscript tools/fuzz-name.R [N] [SEED]               runs trials until N calls are made
#   Rscript tools/fuzz-name.R --only I SEED            runs trial I alone, in this process
#
# The last line printed is "fuzz-name: N calls, M findings", and the exit status is 1 if there are findings.
#
# A worker writes the number of its current trial and the number of its calls so far to a file.  If a worker crashes, or
# spends more than `limit` seconds on one trial, a new worker continues with the next trial, and the lost trial becomes
# a finding.  Text on stderr is also a finding: R reports an unbalanced protection stack only there.

fuzz_library <- "build/library"
if (dir.exists(fuzz_library)) .libPaths(c(normalizePath(fuzz_library), .libPaths()))
Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))

fuzz_state <- new.env()
fuzz_state$findings <- list()
fuzz_state$describe <- FALSE
fuzz_state$calls <- 0

count_call <- function(n = 1) fuzz_state$calls <- fuzz_state$calls + n

# Returns an environment with the exported functions of the package, wrapped to count their calls.
counting_functions <- function() {
  names <- getNamespaceExports("stablecl")
  counting <- function(f) {
    force(f)
    function(...) {
      count_call()
      f(...)
    }
  }
  list2env(lapply(stats::setNames(names, names), function(name) counting(getExportedValue("stablecl", name))))
}

# Prints the call that the trial is about to make; `text` is evaluated only if it is printed (--only).
announce <- function(text) if (fuzz_state$describe) cat(text, sep = "\n")

# Records a finding.  kind: a description of the fault, the same for all cases with one cause; text: a minimal
# reproduction.
finding <- function(kind, text) {
  fuzz_state$findings[[length(fuzz_state$findings) + 1L]] <- list(kind = kind, text = paste(text, collapse = "\n"))
}

trial_seed <- function(seed, i) as.integer((seed * 7919 + i * 2) %% .Machine$integer.max)

run_trial <- function(trial, i, seed) {
  set.seed(trial_seed(seed, i), "Mersenne-Twister", "Inversion", "Rejection")
  fuzz_state$findings <- list()
  problem <- tryCatch({ trial(i); NULL }, error = function(e) e, interrupt = function(e) e)
  if (!is.null(problem)) {
    call <- paste(deparse(conditionCall(problem)), collapse = " ")
    finding(paste("the fuzzer itself fails:", conditionMessage(problem)), paste("in", call))
  }
  fuzz_state$findings
}

# --- a worker ---------------------------------------------------------------------------------

# Runs the trials from, from + by, ... until `calls` calls are made, including `made` calls by former workers.  Writes
# the files "now" and "found" in `folder`.
work <- function(trial, seed, from, by, made, calls, folder, noise) {
  now <- file(file.path(folder, "now"), "wb")
  found <- file(file.path(folder, "found"), "a")
  tell <- function(i, pid) {
    seek(now, 0, rw = "write")
    writeBin(as.double(c(i, pid, fuzz_state$calls)), now)
    flush(now)
  }
  size <- file.size(noise)
  fuzz_state$calls <- made
  pid <- Sys.getpid()
  i <- from
  while (fuzz_state$calls < calls) {
    tell(i, pid)
    findings <- run_trial(trial, i, seed)
    flush(stderr())
    if (!identical(file.size(noise), size)) {
      text <- readBin(noise, "raw", 1e6)[-seq_len(size)]
      size <- file.size(noise)
      findings <- c(findings, list(list(kind = paste("text on stderr:", substr(rawToChar(text), 1, 200)), text = "")))
    }
    for (one in findings) {
      writeLines(paste(c(i, deparse(one$kind, 500L)[1L], deparse(one$text, 500L)[1L]), collapse = "\t"), found)
      flush(found)
    }
    i <- i + by
  }
  tell(Inf, 0)
  close(now)
  close(found)
}

# --- the main process ----------------------------------------------------------------------------

fuzz_script <- function() sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])

start_worker <- function(folder, seed, from, by, made, calls, memory) {
  unlink(file.path(folder, "now"))
  noise <- file.path(folder, "noise")
  command <- sprintf(
    "ulimit -c 0; ulimit -v %.0f; exec Rscript %s --work %s %d %.0f %d %.0f %.0f >> %s 2>> %s < /dev/null &",
    memory, shQuote(fuzz_script()), shQuote(folder), seed, from, by, made, calls,
    shQuote(file.path(folder, "output")), shQuote(noise))
  file.create(noise)
  system2("sh", c("-c", shQuote(command)))
  Sys.time()
}

# Returns c(number of the current trial, process id, calls so far), or NULL if the worker has not started.
now_of <- function(folder) {
  value <- tryCatch(suppressWarnings(readBin(file.path(folder, "now"), "double", 3L)), error = function(e) NULL)
  if (length(value) == 3L) value
}

# Returns the CPU seconds a process has used; NA if there is no such process, or no /proc.
cpu_seconds <- function(pid) {
  text <- tryCatch(suppressWarnings(readLines(sprintf("/proc/%.0f/stat", pid), 1L)), error = function(e) character())
  if (!length(text)) return(NA_real_)
  fields <- strsplit(sub(".*\\) ", "", text), " ")[[1L]]
  if (fields[1L] == "Z") return(NA_real_)
  sum(as.numeric(fields[12:13])) / 100
}

is_alive <- function(pid) if (dir.exists("/proc/self")) !is.na(cpu_seconds(pid)) else tools::pskill(pid, 0L)

describe_trial <- function(i, seed) {
  out <- suppressWarnings(system2("sh", c("-c", shQuote(sprintf(
    "ulimit -c 0; exec timeout 60 Rscript %s --only %.0f %d 2>&1 < /dev/null", shQuote(fuzz_script()), i, seed))),
    stdout = TRUE))
  paste(utils::head(out, 12L), collapse = "\n")
}

# Checks one worker: marks it as done, or replaces it if it has died or exceeds its time limit.  Returns its new state.
watch <- function(w, seed, limit, by, memory) {
  now <- now_of(w$folder)
  if (is.null(now)) {
    if (difftime(Sys.time(), w$started, units = "secs") > 300) stop("a worker does not start: ",
                                                                   paste(readLines(file.path(w$folder, "noise")),
                                                                       collapse = "\n"))
    return(w)
  }
  if (is.infinite(now[1L])) {
    w$done <- TRUE
    w$made <- now[3L]
    return(w)
  }
  cpu <- cpu_seconds(now[2L])
  died <- !is_alive(now[2L])
  if (died && is.infinite(now_of(w$folder)[1L])) return(w)
  if (!identical(now[1L], w$at)) {
    w$at <- now[1L]
    w$since <- Sys.time()
    w$cpu <- cpu
  }
  elapsed <- as.numeric(difftime(Sys.time(), w$since, units = "secs"))
  hangs <- elapsed > limit && (is.na(cpu) || cpu - w$cpu > limit) || elapsed > 20 * limit
  if (!died && !hangs) return(w)
  if (hangs) tools::pskill(now[2L], 9L)
  w$lost[[length(w$lost) + 1L]] <- list(i = w$at, kind = if (hangs) sprintf("runs for more than %g s", limit)
                                         else "the process dies")
  if (length(w$lost) > 50L) stop("50 workers were lost; the last one at trial ", w$at)
  w$made <- now[3L] + 1
  w$started <- start_worker(w$folder, seed, w$at + by, by, w$made, w$calls, memory)
  w$at <- NULL
  w
}

read_found <- function(folder) {
  path <- file.path(folder, "found")
  lines <- if (file.exists(path)) strsplit(readLines(path), "\t", fixed = TRUE) else list()
  lapply(lines, function(f) list(i = as.numeric(f[1L]), kind = eval(str2lang(f[2L])), text = eval(str2lang(f[3L]))))
}

# Prints the first finding of each kind and the number of such findings; returns the number of kinds.
report <- function(found, name, n, seed) {
  kinds <- vapply(found, `[[`, "", "kind")
  first <- which(!duplicated(kinds))
  for (k in first) {
    one <- found[[k]]
    cat("\n", one$kind, "\n  ", gsub("\n", "\n  ", one$text), "\n  (", sum(kinds == one$kind),
        " such; Rscript tools/fuzz-",
        name, ".R --only ", format(one$i, scientific = FALSE), " ", seed, ")\n", sep = "")
  }
  cat(sprintf("fuzz-%s: %.0f calls, %d findings\n", name, n, length(first)))
  length(first)
}

# Runs a fuzzer according to the command line.
#
#   default   number of calls if the command line does not state it
#   limit     CPU seconds that one trial may take
#   memory    KiB of address space for a worker
#   workers   number of worker processes; the environment variable MC_CORES limits them
fuzz <- function(name, trial, setup = function() NULL, default = 5000, limit = 5, memory = 6 * 2^20,
                 workers = as.integer(Sys.getenv("MC_CORES", parallel::detectCores()))) {
  args <- commandArgs(trailingOnly = TRUE)
  if (length(args) && args[1L] == "--work") {
    setup()
    number <- as.numeric(args[3:7])
    work(trial, number[1L], number[2L], number[3L], number[4L], number[5L], args[2L], file.path(args[2L], "noise"))
    return(invisible())
  }
  if (length(args) && args[1L] == "--only") {
    setup()
    fuzz_state$describe <- TRUE
    findings <- run_trial(trial, as.numeric(args[2L]), as.numeric(args[3L]))
    for (one in findings) cat("\n", one$kind, "\n  ", gsub("\n", "\n  ", one$text), "\n", sep = "")
    cat(length(findings), "findings\n")
    return(invisible())
  }
  n <- if (length(args) >= 1L) as.numeric(args[1L]) else default
  seed <- if (length(args) >= 2L) as.integer(args[2L]) else 1L
  if (!isTRUE(n >= 1) || is.na(seed)) stop("Usage: Rscript tools/fuzz-", name, ".R [N] [SEED]")
  workers <- min(workers, n)
  pool <- lapply(seq_len(workers), function(k) {
    folder <- tempfile(paste0("fuzz-", name))
    dir.create(folder)
    calls <- ceiling(n / workers)
    list(folder = folder, started = start_worker(folder, seed, k, workers, 0, calls, memory), calls = calls, made = 0,
         lost = list(), done = FALSE)
  })
  while (!all(vapply(pool, `[[`, NA, "done"))) {
    Sys.sleep(0.2)
    pool <- lapply(pool, function(w) if (w$done) w else watch(w, seed, limit, workers, memory))
  }
  found <- unlist(lapply(pool, function(w) read_found(w$folder)), recursive = FALSE)
  lost <- unlist(lapply(pool, `[[`, "lost"), recursive = FALSE)
  lost <- lapply(lost, function(one) {
    one$text <- describe_trial(one$i, seed)
    one$kind <- paste0(one$kind, ": ", sub("\n.*", "", substr(one$text, 1, 60)))
    one
  })
  quit(status = report(c(lost, found), name, sum(vapply(pool, `[[`, 0, "made")), seed) > 0)
}
