# Computations by several processes (R/workers.R).

worker_samples <- function(count, n = 60) {
  lapply(seq_len(count), function(i) fit_sample_of(n + i, 0.5 + 1.5 * i / count, sin(i), 2, 5, seed = i))
}

# Fits of one process and of the workers that are set up, both without the call.
fit_all <- function(samples, ...) {
  fits <- suppressWarnings(stablefit(samples, ...))
  fits$call <- fits$request$call <- NULL
  fits
}

# Ends the workers.  Those that were killed are written to when R collects their connections, which is an error.
end_workers <- function() {
  future::plan(future::sequential)
  for (i in 1:2) try(gc(), silent = TRUE)
}

# Sets up a plan of package future until the end of the caller, also with more workers than cores.
local_plan <- function(..., envir = parent.frame()) {
  limit <- options(parallelly.maxWorkers.localhost = Inf)
  on.exit(options(limit))
  do.call(future::plan, list(...))                        # plan() quotes its argument
  do.call(on.exit, list(call("do.call", end_workers, list()), add = TRUE), envir = envir)
}

skip_without_future <- function() {
  skip_on_cran()
  skip_if_not_installed("future")
}

# Starts `count` daemons of package mirai that connect to a port of this machine, until the end of the caller.
local_daemons <- function(count, envir = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed("mirai")
  url <- tryCatch(mirai::local_url(tcp = TRUE), error = function(e) skip(conditionMessage(e)))
  mirai::daemons(url = url, dispatcher = TRUE)
  do.call(on.exit, list(quote(mirai::daemons(0)), add = TRUE), envir = envir)
  mirai::launch_local(count)
  for (i in 1:300) if (stablecl:::mirai_connections() < count) Sys.sleep(0.1)
  stopifnot(stablecl:::mirai_connections() == count)
}

# Returns twice the numbers of the units.  Kills its worker if `victim` is among them and `file` exists, which it
# removes first; without a file it always does.
deadly <- function(job) {
  Sys.sleep(job$seconds)
  if (job$victim %in% job$at && Sys.getpid() != job$here && (is.null(job$file) || file.exists(job$file))) {
    if (!is.null(job$file)) unlink(job$file)
    tools::pskill(Sys.getpid(), tools::SIGKILL)
    Sys.sleep(60)
  }
  job$at * 2
}

map_deadly <- function(count, victim, file = NULL, seconds = 0) {
  environment(deadly) <- globalenv()                      # so that a worker can use it
  job <- function(at) {
    list(work = "call_function_of_job", f = deadly,
         job = list(at = at, victim = victim, file = file, seconds = seconds, here = Sys.getpid()))
  }
  stablecl:::map_units(count, job, 1, "Units", quote(caller()))
}

# Computes units of which one kills its worker once.
expect_chunk_repeated <- function() {
  file <- tempfile()
  file.create(file)
  run <- map_deadly(40L, victim = 11L, file = file, seconds = 0.02)
  expect_false(file.exists(file))
  expect_identical(run$units, 1:40)
  expect_identical(unlist(run$parts), 2 * (1:40))
}

test_that("chunks are consecutive, and grow to the time that a chunk should take", {
  sizes <- integer()
  job <- function(at) {
    sizes <<- c(sizes, length(at))
    list(work = "call_function_of_job", f = function(job) Sys.sleep(0.002 * length(job$at)), job = list(at = at))
  }
  run <- stablecl:::map_units(1000L, job, 1, "Units", NULL)
  expect_identical(run$units, 1:1000)
  expect_identical(sizes[1:3], c(1L, 8L, 64L))
  expect_true(all(sizes <= 1.2 * 0.5 / 0.002))
  expect_length(stablecl:::map_units(0L, job, 1, "Units", NULL)$units, 0)
})

test_that("results do not depend on the number of workers of package future", {
  skip_without_future()
  samples <- c(worker_samples(30), list(rep(1, 9)))
  series <- unlist(samples[1:3])
  here <- fit_all(samples)
  by_ecf <- fit_all(samples[1:9], method = "ecf")
  windows <- fit_all(series, width = 60)
  for (workers in 1:3) {
    local_plan(future::cluster, workers = workers)
    expect_true(stablecl:::has_future_workers())
    expect_identical(fit_all(samples), here)
  }
  expect_identical(fit_all(samples[1:9], method = "ecf"), by_ecf)
  expect_identical(fit_all(series, width = 60), windows)
})

test_that("daemons that connect over TCP give the results of one process", {
  samples <- c(worker_samples(30), list(rep(1, 9)))
  here <- fit_all(samples)
  local_daemons(2)
  expect_true(stablecl:::has_mirai_workers())
  expect_identical(fit_all(samples), here)
})

test_that("a chunk whose worker of package future was killed is computed by another one", {
  skip_without_future()
  skip_on_os("windows")
  for (plan in list(future::multisession, future::cluster)) {
    local_plan(plan, workers = 2)
    expect_chunk_repeated()
    samples <- worker_samples(10)                         # with the worker that is left
    expect_identical(fit_all(samples), {
      future::plan(future::sequential)
      fit_all(samples)
    })
  }
})

test_that("a chunk whose daemon was killed is computed by another one", {
  skip_on_os("windows")
  local_daemons(2)
  expect_chunk_repeated()
  for (i in 1:50) if (stablecl:::mirai_connections() > 1L) Sys.sleep(0.1)
  expect_identical(stablecl:::mirai_connections(), 1L)
})

test_that("fits continue when a worker is killed in the middle", {
  skip_without_future()
  skip_on_os("windows")
  local_plan(future::multisession, workers = 2)
  pid <- future::value(future::future(Sys.getpid(), seed = NULL))
  samples <- worker_samples(60, 200)
  system(sprintf("(sleep 1; kill -KILL %d) &", pid))
  there <- fit_all(samples, method = "mle2d")
  future::plan(future::sequential)
  expect_identical(there, fit_all(samples, method = "mle2d"))
})

test_that("a chunk that kills every worker is an error", {
  skip_without_future()
  skip_on_os("windows")
  local_plan(future::multisession, workers = 4)
  expect_error(map_deadly(20L, victim = 3L), "was ended 3 times by the loss of its worker",
               class = "stablecl_error_worker")
})

test_that("it is an error if no worker is left", {
  skip_without_future()
  skip_on_os("windows")
  local_plan(future::multisession, workers = 2)
  expect_error(map_deadly(20L, victim = 3L), "no future worker left: 2 died.*future::plan|was ended 3 times",
               class = "stablecl_error_worker")                       # newer versions of future replace workers
})

test_that("this process computes what cannot be sent to a worker", {
  skip_without_future()
  skip_on_os("windows")
  local_plan(future::multisession, workers = 2)
  pids <- lapply(1:2, function(i) future::future(Sys.getpid(), seed = NULL))
  for (pid in future::value(pids)) tools::pskill(pid, tools::SIGKILL)
  Sys.sleep(0.5)
  run <- withCallingHandlers(map_deadly(10L, victim = 0L), stablecl_warning_worker = function(w) {
    expect_match(conditionMessage(w), "cannot be reached")
    invokeRestart("muffleWarning")
  })
  expect_identical(unlist(run$parts), 2 * (1:10))
})

test_that("errors and warnings of workers are those of one process", {
  skip_without_future()
  local_plan(future::multisession, workers = 2)
  fail <- function(at) list(work = "call_function_of_job", job = list(), f = function(job)
    stop(structure(class = c("stablecl_error_device", "stablecl_error", "error", "condition"),
                   list(message = "no such device", call = quote(inner())))))
  err <- expect_error(stablecl:::map_units(3L, fail, 1, "Units", quote(outer())), "no such device",
                      class = "stablecl_error_device")
  expect_identical(conditionCall(err), quote(outer()))
  warn <- function(at) list(work = "call_function_of_job", job = list(), f = function(job) {
    stablecl:::warn_with(sys.call(), "device", "the device failed")
    1
  })
  told <- list()
  run <- withCallingHandlers(stablecl:::map_units(6L, warn, 1, "Units", NULL), warning = function(w) {
    told <<- c(told, list(w))
    invokeRestart("muffleWarning")
  })
  expect_identical(unlist(run$parts), rep(1, length(run$parts)))
  expect_length(told, 1)                                  # once, not from each chunk
  expect_s3_class(told[[1]], "stablecl_warning_device")
})

# Results of gintegrate() without the call, the time and the problem.
integrals_of <- function(...) {
  result <- unclass(suppressWarnings(gintegrate(...)))
  result[setdiff(names(result), c("call", "time", "problem"))]
}

# Lets workers compute integrals however short they take, until the end of the caller.
use_workers_always <- function(envir = parent.frame()) {
  least <- stablecl:::least_for_workers
  utils::assignInNamespace("least_for_workers", 0, "stablecl")
  do.call(on.exit, list(bquote(utils::assignInNamespace("least_for_workers", .(least), "stablecl")), add = TRUE),
          envir = envir)
}

test_that("integrals do not depend on the number of workers", {
  skip_without_future()
  use_workers_always()
  one <- gtranslate(function(x, a) exp(-a * x^2) * abs(sin(5 * x)), params = "a")
  two <- gtranslate(function(x, y, a) exp(-a * (x + y)^2), dim = 2, params = "a")
  params <- data.frame(a = seq(0.1, 3, length.out = 200))
  jobs <- list(
    gk = list(one, 0, 1, params = params), line = list(one, -Inf, Inf, params = params),
    limits = list(one, 0, seq(0.5, 2, length.out = 200), params = params, method = "simpson", rel.tol = 1e-5),
    vegas = list(two, c(0, 0), 1, params = params, method = "vegas", rel.tol = 1e-2, control = list(seed = 7)),
    lattice = list(two, c(0, 0), 1, params = params, method = "lattice", rel.tol = 1e-2, control = list(seed = 7)),
    box = list(two, c(0, 0), Inf, params = params[1:100, , drop = FALSE], rel.tol = 1e-3))
  here <- lapply(jobs, function(job) do.call(integrals_of, job))
  local_plan(future::cluster, workers = 3)
  there <- lapply(jobs, function(job) do.call(integrals_of, job))
  for (name in names(jobs)) expect_identical(there[[name]], here[[name]], label = name)
})

test_that("long batches of integrals are computed by the workers, short ones here", {
  skip_without_future()
  local_plan(future::multisession, workers = 2)
  sent <- double()
  compute <- stablecl:::part_of_problem
  utils::assignInNamespace("part_of_problem", function(p, at) {
    sent <<- c(sent, length(at))
    compute(p, at)
  }, "stablecl")
  on.exit(utils::assignInNamespace("part_of_problem", compute, "stablecl"), add = TRUE)
  cheap <- function(x, a) exp(-a * x^2)
  params <- data.frame(a = 1:1000 / 100)
  gintegrate(cheap, 0, 1, params = params)
  expect_identical(sent, c(64, 936))
  sent <- double()
  use_workers_always()
  gintegrate(cheap, 0, 1, params = params)
  expect_gt(length(sent), 3)
  expect_identical(sum(sent), 1000)
})

test_that("integrals of several components and killed workers give the results of one process", {
  skip_without_future()
  skip_on_os("windows")
  use_workers_always()
  f <- function(x, a) {
    s <- 0
    for (i in 1:2000) s <- s + sin(a * i * x) / i
    c(s, s^2)
  }
  params <- data.frame(a = 1:300 / 100)
  here <- integrals_of(f, 0, 0.1, params = params, n.value = 2, method = "gk", rel.tol = 1e-3)
  local_plan(future::multisession, workers = 2)
  pid <- future::value(future::future(Sys.getpid(), seed = NULL))
  system(sprintf("(sleep 1; kill -KILL %d) &", pid))
  there <- suppressWarnings(integrals_of(f, 0, 0.1, params = params, n.value = 2, method = "gk", rel.tol = 1e-3))
  expect_identical(there, here)
})

test_that("bootstraps by workers are those of one process", {
  skip_without_future()
  fit <- stablefit(fit_sample_of(60, 1.5, 0.3))
  all <- function() list(confint(fit, method = "bootstrap", R = 19, seed = 1), stable_gof(fit, R = 19, seed = 2),
                         anova(fit, test = "bootstrap", R = 9, seed = 3))
  here <- suppressWarnings(all())
  local_plan(future::multisession, workers = 2)
  expect_identical(suppressWarnings(all()), here)
})

test_that("package progressr receives the progress", {
  skip_on_cran()
  skip_if_not_installed("progressr")
  seen <- 0
  note <- function(p) {
    if (p$type == "update") seen <<- seen + p$amount
  }
  shown <- function(code) progressr::with_progress(code, handlers = progressr::handler_void(), enable = TRUE)
  withCallingHandlers(shown(suppressWarnings(stablefit(worker_samples(10), "ecf"))), progression = note)
  expect_equal(seen, 10)
  unloadNamespace("progressr")
})

# After an error by SIGPIPE, such as those of the workers killed above, R keeps this signal blocked, and a driver whose
# handler of SIGINT unblocks it makes the interrupt an error (process_keep_handlers()).
test_that("an interrupt keeps the chunks that are finished, and the workers stay usable", {
  skip_without_future()
  skip_on_os("windows")
  local_plan(future::multisession, workers = 2)
  samples <- worker_samples(100, 300)
  here <- fit_all(samples[1:2], method = "mle2d")
  interrupt_in_call("take_chunk", 2)
  expect_warning(fits <- stablefit(samples, method = "mle2d"), "Interrupted", class = "stablecl_warning_interrupted")
  done <- which(as.data.frame(fits)$error == "")
  expect_gt(length(done), 0)
  expect_lt(length(done), length(samples))
  expect_identical(coef(fits)[1:2, ], coef(here))
  expect_identical(fit_all(samples[1:2], method = "mle2d"), here)
})

test_that("workers use the backend that the user has chosen, each a device of its own", {
  skip_without_future()
  skip_without_device()
  local_plan(future::multisession, workers = 2)
  local_stable_backend("opencl")
  where <- function(at) list(work = "call_function_of_job", job = list(), f = function(job) {
    Sys.sleep(0.2)
    c(Sys.getpid(), as.integer(sub("opencl:", "", stablecl::stable_backend()$preference)))
  })
  run <- do.call(rbind, stablecl:::map_units(12L, where, 1, "Units", NULL)$parts)
  usable <- which(stable_devices()$usable)
  seats <- unique(run)
  expect_identical(nrow(seats), length(unique(run[, 1])))                # a worker keeps its device
  expect_true(all(seats[, 2] %in% usable))
  expect_identical(length(unique(seats[, 2])), min(nrow(seats), length(usable)))
})

# --- sizes of chunks ------------------------------------------------------------------------------

# Returns the size of the next chunk of 1e5 units.  each: seconds of a unit, as measured; cost: seconds that a chunk
# takes besides its computation; started: units that are in earlier chunks; size: the largest of these.
size_of_next <- function(workers, each = 0, cost = 0, started = 0L, size = 1000, first = 1e5) {
  engine <- list(is_here = workers == 0, workers = function() workers)
  state <- stablecl:::chunk_state(1e5, first, engine, NULL)
  state$started <- started
  if (each > 0) {
    state$units <- 10
    state$seconds <- 10 * each
    state$size <- size
    state$cost <- cost
  }
  stablecl:::chunk_size(state, engine)
}

test_that("chunks take about a second of measured cost, or longer if sending them takes long, and end together", {
  # before a cost is known: a quarter of what each worker gets, or what the caller allows
  expect_identical(size_of_next(4), 6250L)
  expect_identical(size_of_next(4, first = 32), 32L)
  expect_identical(size_of_next(0), 100000L)
  # one second for a worker, half a second in this process
  expect_identical(size_of_next(4, each = 0.01), 100L)
  expect_identical(size_of_next(0, each = 0.01), 50L)
  # at most a tenth of the time of a chunk is not computation
  expect_identical(size_of_next(4, each = 0.01, cost = 0.5), 450L)
  expect_identical(size_of_next(0, each = 0.01, cost = 0.5), 50L)
  # no more than eight times an earlier chunk
  expect_identical(size_of_next(4, each = 0.0001, size = 20), 160L)
  # the last chunks are half of what would occupy all workers
  expect_identical(size_of_next(4, each = 0.001, started = 99200L), 100L)
  expect_identical(size_of_next(0, each = 0.001, started = 99200L), 500L)
  # at least one unit, and no more than there are
  expect_identical(size_of_next(4, each = 60, started = 99999L), 1L)
  expect_identical(size_of_next(4, each = 0.001, started = 99999L), 1L)
  expect_identical(size_of_next(0, each = 0.001, started = 99990L), 10L)
})
