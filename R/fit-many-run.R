# Runs the fits of many data sets: in this process, in slices after which progress is shown, or by the workers of
# package future or mirai if the user has set some up.

slice_seconds <- 0.5                    # between updates of the progress
show_after <- 2                         # seconds before progress is shown

# Returns `done`, the number of samples that were fitted before an interrupt, and their results.
run_everywhere <- function(samples, request) {
  parts <- list()
  done <- 0L
  progress <- fit_progress(length(samples))
  keep <- function(results, count) {
    parts[[length(parts) + 1L]] <<- results
    done <<- done + count
    progress$update(done)
  }
  run <- if (has_future_workers()) run_by_future else if (has_mirai_workers()) run_by_mirai else run_here
  tryCatch(if (length(samples)) run(samples, request, keep), interrupt = function(condition) NULL)
  progress$end()
  list(done = done, results = join_results(parts))
}

join_results <- function(parts) {
  sapply(names(result_rows), function(name) unlist(lapply(parts, `[[`, name)), simplify = FALSE)
}

run_here <- function(samples, request, keep) {
  size <- if (is_other_method(request$method)) 1L else as.integer(max(16, min(256, 1e5 / mean(lengths(samples)))))
  from <- 1L
  while (from <= length(samples)) {
    to <- min(length(samples), from + size - 1L)
    begin <- proc.time()[["elapsed"]]
    keep(fit_samples(samples[from:to], NULL, request), to - from + 1L)
    each <- (proc.time()[["elapsed"]] - begin) / (to - from + 1L)
    size <- as.integer(max(1, min(8 * size, slice_seconds / max(each, 1e-6))))
    from <- to + 1L
  }
}

# Returns consecutive samples in about four parts per worker, so that workers that finish early get more parts.
shares <- function(count, workers) {
  parts <- min(count, 4L * max(1L, workers))
  split(seq_len(count), sort(rep_len(seq_len(parts), count)))
}

# Fits samples in a worker process, with the given number of threads.
work_on_fits <- function(samples, request, threads) {
  before <- stable_threads(threads)
  on.exit(stable_threads(before))
  fit_samples(samples, NULL, request)
}

has_future_workers <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), "sequential")
}

run_by_future <- function(samples, request, keep) {
  workers <- future::nbrOfWorkers()
  parts <- shares(length(samples), if (is.finite(workers)) workers else 16L)
  jobs <- lapply(parts, function(at) {
    some <- samples[at]
    future::future(work_on_fits(some, request, parallelly::availableCores()), packages = "stablecl", seed = NULL,
                   globals = list(work_on_fits = work_on_fits, some = some, request = request))
  })
  for (k in seq_along(jobs)) keep(future::value(jobs[[k]]), length(parts[[k]]))
}

has_mirai_workers <- function() {
  isNamespaceLoaded("mirai") && isTRUE(mirai::status()$connections > 0)
}

run_by_mirai <- function(samples, request, keep) {
  parts <- shares(length(samples), mirai::status()$connections)
  work <- work_on_fits
  jobs <- lapply(parts, function(at) {
    mirai::mirai(work(samples, request, 1L), work = work, samples = samples[at], request = request)
  })
  for (k in seq_along(jobs)) {
    results <- mirai::call_mirai(jobs[[k]])$data
    if (mirai::is_error_value(results))
      stop_with(NULL, "worker", "A mirai worker failed; check that stablecl is installed in its library (R_LIBS): ",
                results)
    keep(results, length(parts[[k]]))
  }
}

# Returns functions that update and end a progress bar, shown if package cli is installed and the fits take longer than
# show_after.
fit_progress <- function(total, what = "Fitting stable distributions") {
  begin <- proc.time()[["elapsed"]]
  here <- environment()
  bar <- NULL
  list(
    update = function(done) {
      if (is.null(bar) && proc.time()[["elapsed"]] - begin < show_after) return(invisible())
      if (!requireNamespace("cli", quietly = TRUE)) return(invisible())
      if (is.null(bar)) bar <<- cli::cli_progress_bar(what, total = total, auto_terminate = FALSE, .envir = here)
      cli::cli_progress_update(set = done, id = bar, .envir = here)
    },
    end = function() if (!is.null(bar)) cli::cli_progress_done(id = bar, .envir = here))
}
