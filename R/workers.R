# Maps computations over worker processes: those of package future, if its plan is not sequential, or else the daemons
# of package mirai; without either, this process computes everything.
#
# A computation consists of independent units numbered from 1, such as data sets.  Workers are given chunks of
# consecutive units.  The first chunks are small; the time that they take determines the size of the next ones.  The
# result of a unit does not depend on the chunk that contains it, so that results do not depend on the number of
# workers.  A chunk whose worker died is computed again by another one.

#' Computation by several processes and machines
#'
#' [stablefit()] of many samples, [gintegrate()] of many integrals, and the bootstraps of
#' [confint()][confint.stablefit], [stable_gof()] and [anova()][anova.stablefit] divide their work among the workers of
#' package \pkg{future} or \pkg{mirai}, if they are set up in the session: on the same machine, on other machines, or as
#' jobs of a cluster.
#'
#' @section Workers:
#' If package \pkg{future} is loaded with a plan other than `sequential`, its workers are used:
#' `future::plan(future::multisession)` starts processes on this machine, `future::plan(future::cluster, workers =
#' hosts)` uses other machines, such as the nodes of an allocation, and
#' `future::plan(future.batchtools::batchtools_slurm)` makes each part of the work a job of Slurm.  Otherwise the
#' daemons of package \pkg{mirai} are used, if the session has any: those of `mirai::daemons(4)` on this machine, or
#' those that connect over TCP to the address given to `mirai::daemons(url = )`.  Without either the calling process
#' computes everything.  The same version of this package must be installed on the workers.
#'
#' @section Division of the work:
#' The work is divided into chunks of consecutive data sets or integrals.  The first chunks are small; the next ones
#' are made to take about a second, or longer if starting a chunk takes more than a tenth of a second (as for jobs
#' of Slurm), by the times measured so far.  The results are those of a single process, whatever the number of
#' workers: random numbers depend on the seed and the number of the integral only, and the samples of a bootstrap
#' are drawn in the calling process.
#'
#' A worker of future uses the number of threads that `parallelly::availableCores()` returns there; a daemon of mirai
#' uses one thread.  Each uses the backend that [stable_backend()] or the option `stablecl.backend` has selected in the
#' calling process, else its own default.  With `"opencl"` or `"opencl:all"` each worker uses one device; if a
#' machine has several, its workers use different ones.
#'
#' @section Workers that die:
#' A chunk whose worker died or lost its connection is computed again by another one, three times in all; then it is an
#' error of class `"stablecl_error_worker"`, as it is if no worker is left, if a worker cannot load the package, or if
#' there has been no worker for 60 seconds.  If a chunk repeatedly cannot be sent to a worker, because a plan of future
#' contains one that died before, the calling process computes it, with a warning of class `"stablecl_warning_worker"`.
#'
#' @section Progress:
#' With package \pkg{cli} a progress bar appears after two seconds.  If package \pkg{progressr} is loaded, the progress
#' is signalled to it instead, and shown as its handlers determine, for example by `progressr::with_progress()`.
#'
#' @section Errors:
#' Other errors that occur in a worker are raised as in a single process.  An interrupt ends the computation; what has
#' been computed by then is returned, where the page of the function states this.  Chunks that are still in progress are
#' cancelled if the installed version of the package allows it, otherwise their workers finish them.  An interrupt while
#' a message to or from a worker of package future is under way cuts this worker off; the others compute later calls,
#' until `future::plan()` sets up all of them again.
#' @seealso [stablefit()], [gintegrate()], [gintegrate-devices], [stable_threads()], [stable_backend()].
#' @examples
#' \donttest{
#' if (requireNamespace("future", quietly = TRUE)) {
#'   old <- future::plan(future::multisession, workers = 2)
#'   stablefit(diff(log(EuStockMarkets)))
#'   future::plan(old)
#' }
#' }
#' @name stablecl-workers
NULL

seconds_of_chunk <- c(here = 0.5, worker = 1)       # what a chunk should take
transfer_share <- 0.1                               # largest part of the time of a chunk that is not computation
chunk_growth <- 8                                   # largest ratio of the size of a chunk to that of an earlier one
chunk_runs <- 3L                                    # attempts to compute a chunk whose workers die
worker_timeout <- 60                                # seconds to wait while there is no worker
unlimited_workers <- 64L                            # chunks in progress if the plan has no limit
progress_delay <- 2                                 # seconds before progress is shown

# Computes `count` units.  job(at) returns what a worker needs to compute the units `at`, as a list, of which `work` is
# the name of the function of this package that computes their results from the list.  The first chunks have at most
# `first` units.  Returns `units`, the numbers of the units that were computed before an interrupt, and `parts`, the
# results of consecutive chunks of them.
map_units <- function(count, job, first, what, call) {
  engine <- worker_engine()
  state <- chunk_state(count, first, engine, call)
  progress <- show_progress(count, what)
  on.exit(progress$end())
  tryCatch(
    while (state$finished < count) {
      start_chunks(state, engine, job)
      if (take_chunks(state, engine)) progress$update(state$finished)
    },
    interrupt = function(condition) NULL,
    finally = for (chunk in state$running) engine$cancel(chunk$handle))
  done <- state$done[order(vapply(state$done, `[[`, 0L, "from"))]
  state$raise_warnings()
  list(units = unlist(lapply(done, function(chunk) chunk$from:chunk$to)), parts = lapply(done, `[[`, "result"))
}

# --- chunks ---------------------------------------------------------------------------------

# Returns the state of a computation.  seconds / units estimates the time of a unit; `cost` is the smallest time seen
# between the start of a chunk and its result that was not computation.
chunk_state <- function(count, first, engine, call) {
  state <- list2env(list(count = count, call = call, running = list(), again = list(), done = list(), started = 0L,
                         finished = 0L, not_sent = 0L, pause = 0, seconds = 0, units = 0, cost = Inf, lost = 0L,
                         warnings = list()))
  state$size <- max(1, min(first, if (engine$is_here) Inf else count / (4 * engine$workers())))
  state$since <- seconds_now()                      # the last time at which a chunk was in progress, or finished
  state$raise_warnings <- function() {
    for (condition in unique(state$warnings)) warning(condition)
  }
  state
}

seconds_now <- function() proc.time()[["elapsed"]]

has_chunk <- function(state) length(state$again) > 0L || state$started < state$count

# Returns a chunk that is to be computed: one whose worker died, or the next units.
next_chunk <- function(state, engine) {
  if (length(state$again)) {
    chunk <- state$again[[1L]]
    state$again <- state$again[-1L]
    return(chunk)
  }
  size <- chunk_size(state, engine)
  chunk <- list(from = state$started + 1L, to = state$started + size, runs = 0L)
  state$started <- chunk$to
  chunk
}

# Returns the size of the next chunk.  The last chunks are smaller, so that all workers end at about the same time.
chunk_size <- function(state, engine) {
  rest <- state$count - state$started
  size <- state$size
  if (state$units > 0) {
    seconds <- seconds_of_chunk[["here"]]
    if (!engine$is_here) {
      seconds <- max(seconds_of_chunk[["worker"]], (1 / transfer_share - 1) * state$cost)
      rest <- ceiling(rest / (2 * max(1, engine$workers())))
    }
    size <- min(chunk_growth * size, seconds / max(state$seconds / state$units, 1e-6))
  }
  max(1L, as.integer(min(size, rest, state$count - state$started)))
}

# Starts chunks while there is a worker for them.
start_chunks <- function(state, engine, job) {
  while (has_chunk(state) && has_place(state, engine)) {
    chunk <- next_chunk(state, engine)
    order <- job(chunk$from:chunk$to)
    chunk$seat <- setdiff(seq_len(length(state$running) + 1L), vapply(state$running, `[[`, 0L, "seat"))[1L]
    chunk$began <- seconds_now()
    handle <- tryCatch(engine$start(order, chunk$seat), FutureError = identity, error = broken_pipe)
    if (inherits(handle, "error")) {
      queue_unsent(state, chunk, order, handle)
    } else {
      state$not_sent <- 0L
      chunk$runs <- chunk$runs + 1L
      chunk$handle <- handle
      state$running <- c(state$running, list(chunk))
    }
  }
}

# Returns R's error about a write to a worker that died.  As R writes to it when it collects the connection, the error
# may occur in any call.  Other errors are raised again.
broken_pipe <- function(e) {
  if (identical(conditionMessage(e), gettext("ignoring SIGPIPE signal", domain = "R"))) e else stop(e)
}

# TRUE if a chunk can be started.  If there is no worker for long, it is an error.  A worker that is alive may be busy
# with a chunk of a call that was interrupted.
has_place <- function(state, engine) {
  if (engine$has_place(length(state$running), state$lost)) return(TRUE)
  patience <- if (state$lost >= engine$workers()) 5 else worker_timeout
  if (!length(state$running) && seconds_now() - state$since > patience)
    stop_with(state$call, "worker", "There is no ", engine$name, " worker",
              if (state$lost) sprintf(" left: %d died", state$lost), ". ", engine$remedy)
  FALSE
}

# Queues a chunk that could not be sent to a worker.  If this happens repeatedly (a plan may offer a worker that died
# between two chunks again and again), this process computes the chunk, unless it may be the reason why workers died.
queue_unsent <- function(state, chunk, order, reason) {
  state$not_sent <- state$not_sent + 1L
  state$again <- c(list(chunk), state$again)
  if (state$not_sent < chunk_runs) return(invisible())
  if (chunk$runs) stop_lost(state, chunk, reason)
  state$again <- state$again[-1L]
  state$warnings <- c(state$warnings, list(unreachable_worker))
  take_chunk(state, chunk, local_engine()$value(order))
}

unreachable_worker <- structure(
  class = c("stablecl_warning_worker", "stablecl_warning", "warning", "condition"),
  list(message = paste("A worker cannot be reached: this process has computed a part in its place.  Set up the workers",
                       "again with future::plan()."), call = NULL))

# Takes the results of the chunks that are finished; waits a moment if there are none.  TRUE if a chunk was finished.
take_chunks <- function(state, engine) {
  ready <- vapply(state$running, function(chunk) engine$is_ready(chunk$handle), NA)
  if (!any(ready)) {
    state$pause <- min(0.02, 1.2 * max(0.001, state$pause))
    Sys.sleep(state$pause)
    check_workers(state, engine)
    return(FALSE)
  }
  state$pause <- 0
  state$since <- seconds_now()
  chunks <- state$running[ready]
  state$running <- state$running[!ready]
  for (chunk in chunks) take_chunk(state, chunk, engine$value(chunk$handle))
  TRUE
}

# Raises an error if chunks have been in progress for long without any worker.
check_workers <- function(state, engine) {
  if (!length(state$running) || seconds_now() - state$since < worker_timeout) return(invisible())
  if (engine$workers() < 1)
    stop_with(state$call, "worker", "There has been no ", engine$name, " worker for ", worker_timeout, " seconds. ",
              engine$remedy)
  state$since <- seconds_now()
}

# Stores the result of a chunk, and updates the estimate of the time of a unit.
take_chunk <- function(state, chunk, reply) {
  if (inherits(reply, "lost_worker")) return(repeat_chunk(state, chunk, reply))
  if (!is.null(reply$error)) {
    reply$error$call <- state$call
    stop(reply$error)
  }
  units <- chunk$to - chunk$from + 1L
  state$done <- c(state$done, list(list(from = chunk$from, to = chunk$to, result = reply$result)))
  state$finished <- state$finished + units
  state$units <- state$units / 2 + units
  state$seconds <- state$seconds / 2 + reply$seconds
  state$size <- max(state$size, units)
  state$cost <- min(state$cost, max(0, seconds_now() - chunk$began - reply$seconds))
  state$warnings <- c(state$warnings, reply$warnings)
}

# Queues a chunk whose worker died, unless that has happened too often.
repeat_chunk <- function(state, chunk, loss) {
  state$lost <- state$lost + 1L
  if (chunk$runs >= chunk_runs) stop_lost(state, chunk, loss$reason)
  state$again <- c(state$again, list(chunk))
}

stop_lost <- function(state, chunk, reason) {
  stop_with(state$call, "worker", "The computation of units ", chunk$from, " to ", chunk$to, " of ", state$count,
            " was ended ", chunk$runs, ngettext(chunk$runs, " time", " times"), " by the loss of its worker; it may ",
            "need more memory than is available. The last reason was: ", reason_text(reason))
}

# Returns the first line of a condition or string as a sentence.
reason_text <- function(reason) {
  sentence(sub("\n.*", "", if (inherits(reason, "condition")) conditionMessage(reason) else as.character(reason)))
}

# Returns the reply for a chunk whose worker died.
lost_worker <- function(reason) structure(list(reason = reason_text(reason)), class = "lost_worker")

# --- engines --------------------------------------------------------------------------------

# Returns the functions that run chunks: workers() is the number of workers; has_place(n, lost) is TRUE if a further
# chunk can be started while n are in progress, after the loss of `lost` workers; start() returns a handle of a
# chunk in progress; is_ready() is TRUE if value(), which returns the reply of run_chunk() or that of lost_worker(),
# does not wait; cancel() ends the computation if the engine can.
worker_engine <- function() {
  if (has_future_workers()) future_engine() else if (has_mirai_workers()) mirai_engine() else local_engine()
}

local_engine <- function() {
  list(name = "local", is_here = TRUE, workers = function() 1L, has_place = function(running, lost) running == 0L,
       start = function(job, seat) job, is_ready = function(handle) TRUE, cancel = function(handle) NULL,
       value = function(job) {
         began <- seconds_now()
         list(result = do_job(job), seconds = seconds_now() - began)
       })
}

has_future_workers <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), "sequential")
}

# Futures of computations that were interrupted, whose workers package future counts as busy until they are collected.
unfinished <- new.env(parent = emptyenv())
unfinished$futures <- list()

# Collects the interrupted futures that have finished by now.
collect_unfinished <- function() {
  unfinished$futures <- Filter(function(handle) {
    is_over <- tryCatch(future::resolved(handle), error = function(e) TRUE)
    if (is_over) tryCatch(future::value(handle), error = function(e) NULL)
    !is_over
  }, unfinished$futures)
}

# An interrupt in the middle of a message leaves the connection to a worker unusable: interrupts wait for its end,
# except while R waits for the socket, where it accepts interrupts always.  The worker then counts as one that died.
future_engine <- function() {
  workers <- function() {
    count <- future::nbrOfWorkers()
    if (is.finite(count)) as.integer(count) else unlimited_workers
  }
  backend <- backend_for_workers()
  list(
    name = "future", is_here = FALSE, workers = workers,
    remedy = "Set up the workers again with future::plan().",
    # a future that is started waits for those of the user; but those of dead workers never end
    has_place = function(running, lost) {
      suspendInterrupts(collect_unfinished())
      suspendInterrupts(running < workers() && (running == 0L && lost == 0L || future::nbrOfFreeWorkers() > 0))
    },
    start = function(job, seat) {
      chunk <- list(job = job, seat = seat, backend = backend, threads = NULL)
      suspendInterrupts(future::future(chunk_caller(chunk), globals = list(chunk_caller = chunk_caller, chunk = chunk),
                                       seed = NULL, packages = character()))
    },
    is_ready = function(handle)
      suspendInterrupts(tryCatch(future::resolved(handle), FutureError = function(e) TRUE, error = function(e) {
        broken_pipe(e)
        FALSE
      })),
    value = function(handle)
      suspendInterrupts(tryCatch(future::value(handle), FutureError = lost_worker, error = failed_worker)),
    cancel = function(handle) {
      if ("cancel" %in% getNamespaceExports("future")) getExportedValue("future", "cancel")(handle)
      unfinished$futures <- c(unfinished$futures, list(handle))
    })
}

has_mirai_workers <- function() isNamespaceLoaded("mirai") && mirai_connections() > 0

mirai_connections <- function() {
  count <- mirai::status()$connections
  if (is.numeric(count)) as.integer(count) else 0L
}

# Two chunks for each daemon, so that none waits for the next one.
mirai_engine <- function() {
  backend <- backend_for_workers()
  count <- mirai_connections()
  list(
    name = "mirai", is_here = FALSE, remedy = "Set up the daemons again with mirai::daemons().",
    workers = function() count <<- mirai_connections(),
    has_place = function(running, lost) running < 2L * count,
    start = function(job, seat) {
      chunk <- list(job = job, seat = seat, backend = backend, threads = 1L)
      mirai::mirai(chunk_caller(chunk), chunk_caller = chunk_caller, chunk = chunk)
    },
    is_ready = function(handle) !mirai::unresolved(handle),
    value = function(handle) {
      value <- mirai::call_mirai(handle)$data
      if (mirai::is_mirai_error(value)) return(failed_worker(value))
      if (mirai::is_error_value(value)) lost_worker(paste("mirai error value", as.integer(value))) else value
    },
    cancel = function(handle) mirai::stop_mirai(handle))
}

# Returns the reply for a chunk that its worker could not begin.
failed_worker <- function(reason) {
  message <- paste0("A worker failed; the same version of stablecl must be installed in its library (R_LIBS): ",
                    reason_text(reason))
  list(error = structure(class = c("stablecl_error_worker", "stablecl_error", "error", "condition"),
                         list(message = message, call = NULL)))
}

# --- in the worker --------------------------------------------------------------------------

# Calls run_chunk() in a worker, to which this function is copied.
chunk_caller <- function(chunk) get("run_chunk", envir = asNamespace("stablecl"))(chunk)
environment(chunk_caller) <- globalenv()

# Computes a job by the function that it names.
do_job <- function(job) get(job$work)(job)

# Computes a job by the function that it contains.
call_function_of_job <- function(job) job$f(job$job)

# Computes a chunk in a worker, with the given number of threads (NULL: that of parallelly::availableCores()) and
# backend.  Returns its result and its time in seconds, or the error that ended it, and the warnings of this package.
run_chunk <- function(chunk) {
  before <- stable_threads(if (is.null(chunk$threads)) parallelly::availableCores() else chunk$threads)
  on.exit(stable_threads(before))
  use_worker_backend(chunk$backend, chunk$seat)
  warnings <- list()
  note <- function(condition) {
    condition["call"] <- list(NULL)
    warnings <<- c(warnings, list(condition))
    invokeRestart("muffleWarning")
  }
  began <- seconds_now()
  reply <- tryCatch(list(result = withCallingHandlers(do_job(chunk$job), stablecl_warning = note)),
                    error = function(e) list(error = e))
  reply$seconds <- seconds_now() - began
  reply$warnings <- warnings
  reply
}

# Returns the user's preference for a backend, or NULL if stable_backend() and the option have not set one.
backend_for_workers <- function() {
  state <- .Call(C_backend_state)
  if (state$source %in% c("call", "option")) state$preference
}

worker_state <- new.env(parent = emptyenv())

# Sets the backend in a worker.  Workers that compute at the same time have different seats; each keeps that of its
# first chunk.  With "opencl" and "opencl:all", the worker uses one device, whose number follows from the seat.
use_worker_backend <- function(backend, seat) {
  if (is.null(worker_state$seat)) worker_state$seat <- seat
  if (is.null(backend) || identical(backend, worker_state$backend)) return(invisible())
  worker_state$backend <- backend
  stable_backend(device_of_worker(backend))
}

# Returns a backend with the device of this worker in place of "opencl" and "opencl:all".
device_of_worker <- function(backend) {
  usable <- if (backend %in% c("opencl", "opencl:all")) which(stable_devices()$usable)
  if (!length(usable)) return(backend)
  paste0("opencl:", usable[(worker_state$seat - 1L) %% length(usable) + 1L])
}

# --- progress -------------------------------------------------------------------------------

# Returns functions that update and end a progress bar, shown if package cli is installed and the computation takes
# longer than progress_delay.  If package progressr is loaded, its handlers show the progress
# instead.
show_progress <- function(total, what) {
  if (isNamespaceLoaded("progressr") && total > 0) return(signal_progress(total, what))
  begin <- seconds_now()
  here <- environment()
  bar <- NULL
  list(
    update = function(done) {
      if (is.null(bar) && seconds_now() - begin < progress_delay) return(invisible())
      if (!requireNamespace("cli", quietly = TRUE)) return(invisible())
      if (is.null(bar)) bar <<- cli::cli_progress_bar(what, total = total, auto_terminate = FALSE, .envir = here)
      cli::cli_progress_update(set = done, id = bar, .envir = here)
    },
    end = function() if (!is.null(bar)) cli::cli_progress_done(id = bar, .envir = here))
}

signal_progress <- function(total, what) {
  step <- progressr::progressor(steps = total, message = what, on_exit = FALSE, envir = environment())
  known <- 0
  list(
    update = function(done) {
      if (done > known) step(amount = done - known)
      known <<- done
    },
    end = function() if (known < total) step(type = "finish"))
}
