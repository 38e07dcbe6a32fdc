# The evidence for the manual pages of devices, threads, caches, workers and options, and of the package
# (tools/check-claims).

# Returns what lines of code with this package write in a new R process with these environment variables.
objects$in_new_r <- function(..., variables = character()) {
  program <- tempfile()
  writeLines(c("library(stablecl)", ...), program)
  set <- c("-u", "OMP_NUM_THREADS", "-u", "OMP_THREAD_LIMIT", variables, file.path(R.home("bin"), "Rscript"), program)
  system2("env", set, stdout = TRUE, stderr = FALSE)
}

# --- backend ---
manual("stable_backend")
takes("which: what to compute with, one string;", {
        preference <- stable_backend()$preference
        before <- stable_backend("cpu")
        now <- stable_backend(NULL)$preference
        stable_backend(before)
        now == "cpu" && stable_backend()$preference == preference
      }, not = c(stable_backend(3), stable_backend("no such device"), stable_backend(c("cpu", "auto"))))
tested("envir: the frame on whose exit", "device-backend: local_stable_backend() lasts until its frame ends")
shown("`stable_backend()` returns an object", {
  now <- stable_backend()
  inherits(now, "stable_backend") && all(c("preference", "source", "backend", "devices", "open", "crossover",
      "given_up", "wrong",
                                           "forked") %in% names(now)) &&
                                             now$source %in% c("call", "option", "environment", "default") &&
    now$backend %in% c("cpu", "opencl")
})
shown("The element `wish`, the former name", "wish" %in% names(stable_backend()) &&
      identical(stable_backend()$wish, stable_backend()$preference))
tested("With an argument, it returns invisibly",
       "device-backend: stable_backend() sets the backend and returns the previous setting")
tested("Gets or sets where to compute:",
       "device-backend: stable_backend() sets the backend and returns the previous setting",
       "device-backend: a device gives the values of the CPU")
tested("Results differ by no more than their errors.", "device-backend: a device gives the values of the CPU")
introduction("The possible values of `which` are")
tested("`\"auto\"`: (the default)", "device-auto: auto uses the device only above the crossover",
       "device-auto: auto does not use CPU-type")
tested("The number of elements from which the device",
       "device-auto: the crossover is measured once a job is large enough, and is kept",
       code = "src/run/run.c: #define DEVICE_START_SECONDS 0.5")
tested("While a program is being compiled",
       "device-builds: under auto, the CPU computes while programs are being built")
tested("While a package is being checked (R CMD check) `\"auto\"`",
       "device-list: the default loads no driver while a package is checked")
shown("`\"cpu\"`: the CPU.", {
  selected <- function() {
    local_stable_backend("cpu")
    stable_backend()$backend
  }
  selected() == "cpu"
})
tested("`\"opencl\"`: the first usable device;",
       "device-backend: devices are selected by number, by name, or all together")
tested("`\"gpu\"`: the first usable device that",
       "device-backend: \\\"gpu\\\" selects the first usable device that is not a CPU")
tested("`\"opencl:2\"`: the device in row 2",
       "device-backend: devices are selected by number, by name, or all together")
tested("`\"opencl:all\"`: all usable devices",
       "device-backend: devices are selected by number, by name, or all together")
tested("They share every large job",
       "device-several: two devices share every large job, and the results are those of one")
tested("part of a name:", "device-backend: devices are selected by number, by name, or all together")
tested("`\"default\"`: no preference:",
       "device-backend: stable_backend() takes precedence over the option, and the option over")
tested("Without a call to this function the preference",
       "device-backend: stable_backend() takes precedence over the option, and the option")
tested("`local_stable_backend()` sets the backend", "device-backend: local_stable_backend() lasts until its frame ends")
tested("A device is tested when it is first used", "device-faults: the self-test detects corrupted results",
       "device-faults: any call of the first use may fail, including device discovery and the self-test")
tested("If this test or any later computation fails",
       "device-auto: when the device fails, the CPU finishes the call with one warning")
tested("A device that was requested by name raises",
       "device-faults: errors of a device selected by name have a class, and state the device")
tested("A device without double precision can be selected, but is used",
       "device-precision: a device without double precision can be selected")
tested("A computation that devices do not support",
       "device-inventory: every estimator computes its sums on the device, or fails with a")
coded("`vignette(\"devices\")` lists these", "vignettes/devices.Rmd: CPU computes")
tested("The CPU also computes everything in forked",
       "device-fork: a forked child of a process that uses a device computes on the CPU")
raises("`\"stablecl_error_device\"`: no device matches", stable_backend("no such device"))
tested("Later calls raise it if the device fails;", "device-faults: errors of a device selected by name have a class")
raises("`\"stablecl_error_unsupported\"`: raised by later",
       tests = "device-inventory: every estimator computes its sums on the device, or fails")
raises("`\"stablecl_error_argument\"`: `which` is not one string", stable_backend(3), local_stable_backend(),
       local_stable_backend("cpu", 3))
raises("Under `\"auto\"` the failure of a device",
       tests = "device-auto: the device warning has a class, and can be an error")

manual("stable_devices")
shown("A data frame of class `stable_devices`", {
  named <- gsub("`", "", regmatches(sentence, gregexpr("`[a-z_0-9]+`", sentence))[[1]])
  devices <- stable_devices()
  setequal(named, c("stable_devices", names(devices))) && inherits(devices, "stable_devices") &&
    all(devices$type %in% c("GPU", "CPU", "accelerator", "other")) &&
    identical(nzchar(devices$why_not), !devices$usable)
})
tested("Lists the OpenCL devices of this machine",
       "device-list: the table of devices has its columns, with or without rows")
tested("The search for the OpenCL library and", "device-list: drivers are not loaded until they are needed")
tested("On a machine without OpenCL, which is common",
       "device-list: without an OpenCL library everything is computed on the CPU")
tested("A device is usable if it is available",
       "device-list: the table of devices has its columns, with or without rows",
       "device-precision: a device without double precision is listed as one for single precision only")
tested("A device without double precision, like many",
       "device-precision: a device without double precision can be selected, and refuses")
tested("The environment variable `STABLECL_OPENCL_LIBRARY`",
       "device-list: the path of the OpenCL library must be absolute")
raises("`\"stablecl_error_argument\"`: raised by `print()`", print(stable_devices(), nonsense = 1),
       print(stable_devices(), n = ))
tested("There is no error if OpenCL, a driver",
       "device-list: without an OpenCL library everything is computed on the CPU, without",
       "device-list: a shared library without OpenCL functions is rejected")

# --- threads ---
manual("stable_threads")
takes("n: number of threads, from 1 to 65536", {
  before <- stable_threads(1)
  now <- stable_threads()
  stable_threads(before)
  now == 1
}, is.numeric(stable_threads(NULL)), not = c(stable_threads(-1), stable_threads(65537)))
tested("The number of threads in force before",
       "threads: stable_threads() gets and sets the number of threads, and returns the previous")
tested("Gets or sets the number of threads",
       "threads: stable_threads() gets and sets the number of threads, and returns")
tested("Results do not depend on it.", "threads: results do not depend on the number of threads")
tested("Without a call to this function the number", "threads: the option is used unless stable_threads() was called",
       "threads: environment variables set or limit the number of threads")
tested("A number set by `stable_threads(n)`", "threads: the option is used unless stable_threads() was called")
tested("Whatever its origin, the number is limited",
       "threads: environment variables set or limit the number of threads")
shown("Environment variables are read when the package", {
  in_new_r('before <- stable_threads()', 'Sys.setenv(STABLECL_THREADS = before + 1, OMP_THREAD_LIMIT = 1)',
           'cat(before > 1 && stable_threads() == before)', variables = "STABLECL_THREADS=3") == "TRUE"
})
coded("The setting affects this package only.", "src/base/parallel.c: num_threads(")
shown("A job gets one thread for about every 4", {
  source_has("src/base/parallel.c", "#define SHARE         4e-3") && (!dir.exists("/proc/self/task") || in_new_r(
    'stable_backend("cpu"); stable_threads(2)',
    'threads <- function(y) { force(y); length(list.files("/proc/self/task")) }',
    'few <- max(threads(dstable(seq(-3, 3, length.out = 390000), 1.5, 0.5)), threads(qstable(1:3900 / 3901, 1.2, 0)),',
    '           threads(dstable(1, seq(1.1, 1.9, length.out = 2600), 0)))',
    'more <- threads(dstable(1, seq(1.1, 1.9, length.out = 2800), 0))',
    'cat(few, more)') == "1 2")
})
tested("One thread is also used in forked", "threads: a forked process computes on one thread and does not hang")
raises("`\"stablecl_error_argument\"`: `n` is not", stable_threads(-1), stable_threads("a"))

# --- caches ---
manual("stable_cache")
takes("limit: limit of the interpolants:", {
  before <- stable_cache(0)
  now <- stable_cache()$limit
  stable_cache(before)
  now == 0 && stable_cache()$limit == before$limit
}, not = c(stable_cache(-1), stable_cache(2^51)))
shown("The default limit is 32 MB.", stable_cache()$limit == 32 * 2^20)
shown("Whatever the limit, those of at most 256", {
  before <- stable_cache(2^30)
  for (k in 1:260) dstable(seq(-1, 1, length.out = 5000), 1 + k / 300, 0.1)
  kept <- nrow(stable_cache()$laws)
  stable_cache(before)
  kept == 256
})
tested("A value of `stable_cache()` restores both",
       "interpolant-cache: stable_cache() takes and returns limits in bytes")
takes("programs: limit of the programs on disk", is.numeric(stable_cache()$programs$limit),
      not = c(stable_cache(programs = "all"),
      stable_cache(programs = -1)))
shown("The default limit is 64 MB.", stable_cache()$programs$limit == 64 * 2^20)
shown("A new limit applies until R ends.", {
  before <- stable_cache(1e6)
  there <- in_new_r("cat(stable_cache()$limit)")
  here <- stable_cache(before)$limit
  here == 1e6 && as.numeric(there) == 32 * 2^20
})
shown("A list of class `\"stable_cache\"`:", {
  now <- stable_cache()
  inherits(now, "stable_cache") && all(c("limit", "bytes", "laws", "programs") %in% names(now)) &&
    all(c("alpha", "beta", "bytes", "quantiles") %in% names(now$laws)) &&
    all(c("folder", "limit", "bytes", "files", "trouble") %in% names(now$programs))
})
tested("If a limit is given, the list describes", "interpolant-cache: stable_cache() takes and returns limits in bytes")
tested("Reports two caches, and limits their sizes",
       "interpolant-cache: the least recently used distribution is evicted first",
       "device-programs: the least recently used programs are removed beyond the limit, and other files never")
shown("A call of 5000 elements or more with one", {
  before <- stable_cache(0)
  stable_cache(before)
  dstable(seq(-1, 1, length.out = 4999), 1.2345, 0.1)
  few <- 1.2345 %in% stable_cache()$laws$alpha
  dstable(seq(-1, 1, length.out = 5000), 1.2345, 0.1)
  !few && 1.2345 %in% stable_cache()$laws$alpha
})
tested("Instead, piecewise polynomials that interpolate",
       "interpolant: interpolants agree with exact evaluation, including special",
       "interpolant: quantile interpolants are as accurate as exact quantiles")
measured("Building them takes about 2 milliseconds;", {
  x <- seq(-1, 1, length.out = 5000)
  seconds(for (k in 1:20) dstable(x, 1.3 + k / 1000, 0.1)) / 20 - seconds(for (k in 1:20) dstable(x, 1.301, 0.1)) / 20
}, {
  before <- stable_cache(0)
  x <- seq(-4, 4, length.out = 2000)
  exact <- dstable(x, 1.37, 0.2)
  stable_cache(before)
  dstable(rep(x, 3), 1.37, 0.2)
  identical(dstable(x[-1], 1.37, 0.2), exact[-1]) && !identical(dstable(x, 1.37, 0.2), exact)
})
tested("Results agree with those of small calls",
       "interpolant: interpolants agree with exact evaluation, including special values")
tested("When the limit is reached, the least recently used",
       "interpolant-cache: the least recently used distribution is evicted first")
tested("With a limit of 0 the CPU builds", "interpolant-cache: without a cache everything is computed exactly")
tested("Interpolants for the devices of",
       "device-interpolant: cached interpolants are not used for other distributions")
tested("The same limit applies to them",
       "device-interpolant: density and quantiles of one distribution alternate on a device",
       "device-interpolant: cached interpolants are not used for other distributions",
       code = c("src/run/device/copies.c: return cache_build(&a->interpolants, &a->shape_pool, l->alpha, l->beta);",
                "src/interpolant/cache.c: while (n > 1 && bytes_of(s) > cache_limit()) evict_last(s, n--);"))
tested("The driver of a device compiles the programs",
       "device-programs: a later session builds its programs from binaries",
       "device-builds: a build that takes long is reported")
tested("The compiled programs are kept on disk", "device-programs: the default folder is that of tools::R_user_dir()",
       "device-programs: a later session builds its programs from binaries, with the same results")
tested("While a package is being checked (R CMD check), and",
       "device-programs: an option selects the folder, and no folder is used by default",
       "device-programs: programs of PoCL, which keeps them itself, are not added to the default folder")
shown("`tools::R_user_dir()` reads its environment variables", {
  in_new_r('one <- stable_cache()$programs$folder', 'Sys.setenv(R_USER_CACHE_DIR = "/another")',
           'cat(one, stable_cache()$programs$folder)', variables = "R_USER_CACHE_DIR=/some") ==
    "/some/R/stablecl /some/R/stablecl"
})
tested("A program is used only for the source text",
       "device-programs: a file that is corrupt, truncated, or of another program is ignored")
tested("A file that is incomplete or altered",
       "device-programs: a file that is corrupt, truncated, or of another program is ignored",
       "device-programs: files and folders that others can change are ignored",
         "device-programs: files of another user are ignored")
tested("When the limit is reached, the programs that",
       "device-programs: the least recently used programs are removed beyond the limit",
       code = "src/opencl/binaries.h: #define BINARIES_DAYS  90")
tested("Other files in the folder are not touched.",
       "device-programs: the least recently used programs are removed beyond the limit, and")
tested("`stable_cache(programs = 0)` removes all",
       "device-programs: the least recently used programs are removed beyond the limit")
raises("`\"stablecl_error_argument\"`: `limit` or `programs`", stable_cache(-1), stable_cache(programs = "all"))
tested("A folder that cannot be used is not an error;",
       "device-programs: files and folders that others can change are ignored, and the state")

# --- options ---
effects <- c("options: options and variables have the documented effects",
             "options: every option and variable is documented, and the variables are shown by stable_sitrep()")
manual("stablecl-options")
tested("All settings that are not arguments of functions.", effects)
tested("None of them changes a result by more", "threads: results do not depend on the number of threads",
       "device-backend: a device gives the values of the CPU")
tested("They are read at each call;", effects[1])
tested("`stablecl.threads`:", "threads: the option is used unless stable_threads() was called", effects[1])
tested("Default: not set, so that `STABLECL_THREADS`",
       "threads: environment variables set or limit the number of threads")
tested("`stable_threads()` with a number takes", "threads: the option is used unless stable_threads() was called")
tested("`stablecl.backend`:", "device-backend: stable_backend() takes precedence over the option", effects[1])
tested("Default: not set, so that `STABLECL_BACKEND`",
       "device-backend: stable_backend() takes precedence over the option")
raises("A device that does not exist is an error", (function() {
  old <- options(stablecl.backend = "no such device")
  on.exit(options(old))
  dstable(0, 1.5, 0)
})())
tested("`stable_backend()` with a string takes", "device-backend: stable_backend() takes precedence over the option")
tested("`stablecl.programs`:",
       "device-programs: an option selects the folder, and no folder is used by default during a check")
tested("The folder is created when it is first needed.",
       "device-programs: a later session builds its programs from binaries, with the same results")
tested("Default: not set, which means `tools::R_user_dir",
       "device-programs: the default folder is that of tools::R_user_dir()",
       "device-programs: an option selects the folder, and no folder is used by default during a check")
shown("`digits`: R's option for the number", {
  with_digits <- function(n) {
    old <- options(digits = n)
    on.exit(options(old))
    identical(format(integral), format(integral, digits = n)) &&
      identical(format(fit), format(fit, digits = max(3, n - 3)))
  }
  with_digits(4) && with_digits(9)
})
tested("Those for threads and backend are read", "threads: environment variables set or limit the number of threads",
       "device-backend: stable_backend() takes precedence over the option")
tested("`STABLECL_THREADS`:", "threads: environment variables set or limit the number of threads")
shown("Default: half the logical processors", {
  Sys.unsetenv(c("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "STABLECL_THREADS"))
  got <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote("cat(stablecl::stable_threads())")),
                 stdout = TRUE)
  as.integer(got) == max(1L, parallel::detectCores() %/% 2L)
})
tested("`STABLECL_BACKEND`:",
       "device-backend: stable_backend() takes precedence over the option, and the option over the environment")
tested("Default: `\"auto\"`.",
       "device-backend: stable_backend() takes precedence over the option, and the option over the environment")
tested("`OMP_NUM_THREADS`:", "threads: environment variables set or limit the number of threads")
tested("Default: no limit.", "threads: environment variables set or limit the number of threads")
tested("`OMP_THREAD_LIMIT`:", "threads: environment variables set or limit the number of threads")
shown("_R_CHECK_LIMIT_CORES_, _R_CHECK_PACKAGE_NAME_:", {
  threads <- function(variable) in_new_r("cat(stable_threads())", variables = c("STABLECL_THREADS=3", variable))
  threads("_R_CHECK_LIMIT_CORES_=false") == "3" && threads("_R_CHECK_LIMIT_CORES_=TRUE") == "2" &&
    threads("_R_CHECK_PACKAGE_NAME_=some") == "2" &&
    source_has("src/run/selection.c", "if (process_is_checked() && !cpu_allowed) return 0;") &&
    is_test("device-list: the default loads no driver while a package is checked")
})
tested("`STABLECL_OPENCL_LIBRARY`:", "device-list: the path of the OpenCL library must be absolute")
tested("With a relative path there are no devices", "device-list: the path of the OpenCL library must be absolute")
shown("`R_USER_CACHE_DIR`, `XDG_CACHE_HOME`:", {
  folder <- function(...) in_new_r('one <- stable_cache()$programs$folder',
                                   'Sys.setenv(R_USER_CACHE_DIR = "/another")',
                                   'cat(one, stable_cache()$programs$folder)',
                                   variables = c(...))
  twice <- function(path) paste(path, path)
  folder("R_USER_CACHE_DIR=/some", "XDG_CACHE_HOME=/other") == twice("/some/R/stablecl") &&
    folder("R_USER_CACHE_DIR=", "XDG_CACHE_HOME=/other") == twice("/other/R/stablecl")
})
shown("Default: the system's folder for caches.", grepl("stablecl$", tools::R_user_dir("stablecl", "cache")))
coded("`STABLECL_CPPFLAGS`:", "src/Makevars.win: STABLECL_CPPFLAGS")
coded("Default: none, and no devices.", "src/Makevars.win: $(STABLECL_CPPFLAGS)")
shown("On systems other than Windows, `install.packages(", {
  text <- paste(readLines("configure"), collapse = "\n")
  all(vapply(c("--with-opencl=", "--without-opencl", "--without-openmp", "--without-clones"), grepl, NA, text,
             fixed = TRUE))
})
coded("Compiler and flags are those of R", "configure: CC=$(variable CC)", "configure: R_MAKEVARS_USER R_MAKEVARS_SITE")
tested("`stable_threads()`, `stable_backend()` and", "threads: stable_threads() gets and sets the number of threads",
       "interpolant-cache: stable_cache() takes and returns limits in bytes")
tested("`stable_sitrep()` shows the settings", "device-sitrep: the report shows options and changes no settings")

# --- sitrep ---
manual("stable_sitrep")
takes("timeout: time limit for drivers in seconds", inherits(report, "stable_sitrep"),
      not = c(stable_sitrep(timeout = -1), stable_sitrep(timeout = "a")))
tested("Programs that a driver builds for the first", "device-builds: a build that takes long is reported")
shown("A list of class `\"stable_sitrep\"`, whose", {
  all(c("package", "R", "system", "built", "processors", "threads", "options", "environment", "preference", "given_up",
        "cache", "check",
        "library", "devices", "trouble") %in% names(report))
})
tested("An item that could not be determined", "device-sitrep: an invalid option is part of the report",
       "device-sitrep: a driver that hangs or crashes is reported, and this process survives")
shown("`format()` returns the printed lines.", identical(format(report), utils::capture.output(print(report))))
tested("A one-screen summary of this installation:", "device-sitrep: the report shows all its items",
       "device-sitrep: known digits agree with")
tested("Another R process examines the devices",
       "device-sitrep: a driver that hangs or crashes is reported, and this process survives")
shown("Only programs on disk", {
  loads_driver <- function() file.exists("/proc/self/maps") && any(grepl("libOpenCL", readLines("/proc/self/maps")))
  state <- function() list(.Random.seed, options(), stable_threads(), stable_backend()$preference,
                           stable_cache()[c("limit", "bytes", "laws")], loads_driver())
  set.seed(1)
  before <- state()
  found <- stable_sitrep()
  identical(state(), before) && inherits(found, "stable_sitrep") &&
    in_new_r("report <- stable_sitrep()", "maps <- '/proc/self/maps'",
             "cat(file.exists(maps) && any(grepl('libOpenCL', readLines(maps))))") == "FALSE"
})
tested("Errors become part of the report.", "device-sitrep: an invalid option is part of the report")
raises("`\"stablecl_error_argument\"`: `timeout` is not", stable_sitrep(timeout = -1), print(report, nonsense = 1),
       format(report, 3))
tested("Other errors become part of the report.", "device-sitrep: an invalid option is part of the report",
       "device-sitrep: a driver that hangs or crashes is reported, and this process survives")

# --- workers ---
manual("stablecl-workers")
tested("`stablefit()` of many samples, `gintegrate()`",
       "workers: results do not depend on the number of workers of package future",
       "workers: integrals do not depend on the number of workers",
         "workers: bootstraps by workers are those of one process")
tested("If package future is loaded with a plan",
       "workers: results do not depend on the number of workers of package future")
tested("Otherwise the daemons of package mirai",
       "workers: daemons that connect over TCP give the results of one process")
shown("Without either the calling process computes", nrow(coef(many)) == 3 && !"future" %in% loadedNamespaces())
shown("The same version of this package must be installed", {
  failure <- stablecl:::failed_worker("there is no package called stablecl")$error
  inherits(failure, "stablecl_error_worker") && grepl("the same version of stablecl", conditionMessage(failure))
})
tested("The work is divided into chunks",
       "workers: chunks are consecutive, and grow to the time that a chunk should take")
shown("The first chunks are small;", {
  size <- function(seconds, cost, size = 1000) {
    state <- list2env(list(count = 1e6, started = 0, size = size, units = 1000, seconds = seconds, cost = cost))
    stablecl:::chunk_size(state, list(is_here = FALSE, workers = function() 2L))
  }
  # of units of 1 ms, in chunks that start in 1 ms or in a second
  size(1, 0.001) == 1000 && size(1, 1) == 8000 && near(size(1, 1, 1e5), 9000) &&
    is_test("workers: chunks are consecutive, and grow to the time that a chunk should take")
})
tested("The results are those of a single process",
       "workers: results do not depend on the number of workers of package future",
       "workers: bootstraps by workers are those of one process",
         "workers: integrals do not depend on the number of workers")
shown("A worker of future uses the number of threads", {
  count <- function(threads) stablecl:::run_chunk(list(backend = NULL, seat = 1L, threads = threads, job = list(
    work = "call_function_of_job", f = function(job) stablecl::stable_threads(), job = NULL)))$result
  count(NULL) == parallelly::availableCores() && count(1L) == 1 &&
    source_has("R/workers.R", "backend = backend, threads = 1L)") && source_has("R/workers.R", "threads = NULL)")
})
tested("Each uses the backend that",
       "workers: workers use the backend that the user has chosen, each a device of its own")
tested("With `\"opencl\"` or `\"opencl:all\"` each",
       "workers: workers use the backend that the user has chosen, each a device of its own")
tested("A chunk whose worker died or lost",
       "workers: a chunk whose worker of package future was killed is computed by another one",
       "workers: a chunk that kills every worker is an error", "workers: it is an error if no worker is left",
       code = c("R/workers.R: chunk_runs <- 3L",
                "R/workers.R: worker_timeout <- 60"))
tested("If a chunk repeatedly cannot be sent", "workers: this process computes what cannot be sent to a worker")
tested("With package cli a progress bar appears",
       "quadrature-batch: the progress function is called during long computations",
       code = c("R/workers.R: progress_delay <- 2 ", "R/workers.R: cli::cli_progress_bar(what, total = total"))
tested("If package progressr is loaded, the progress", "workers: package progressr receives the progress")
tested("Other errors that occur in a worker", "workers: errors and warnings of workers are those of one process")
tested("An interrupt ends the computation; what",
       "workers: an interrupt keeps the chunks that are finished, and the workers stay usable")
tested("Chunks that are still in progress are cancelled",
       "workers: an interrupt keeps the chunks that are finished, and the workers stay usable",
       code = "R/workers.R: if (\"cancel\" %in% getNamespaceExports(\"future\"))")
coded("An interrupt while a message to or from", "R/workers.R: leaves the connection to a worker unusable")

# --- the package ---
manual("stablecl-package")
tested("Density, distribution function, quantile function and random generation for alpha-stable (heavy-tailed",
       "stable-reference: density and both tails are as accurate",
         "threads: results do not depend on the number of threads",
       "device-inventory: every exported function computes on the device", "fit-recovery: maximum likelihood recovers")
tested("Also mode, characteristic function, conversion", "stable-mode: modes respect", "stable-cf: stable_cf() agrees",
       "stable-convert: S0 and S1", "fit-recovery: maximum likelihood recovers",
       "fit-regression: the log-likelihood is exact", "mv-fit: the fit is a maximum of the likelihood")
reference("`dstable()`, `pstable()`, `qstable()` and", "`stablefit()` fits samples, `stable_lm()`",
          "`gintegrate()` computes integrals", "`stable_backend()` selects where")
found("If the package was installed with vignettes", "vignettes/getting-started.Rmd")
tested("Ordinary R functions are translated and integrated", "quadrature-batch: each integral of a batch is identical",
       "quadrature-device: errors on a device are within their estimates for known integrals")
tested("The interface is that of R's own distributions",
       "conventions-density: dstable() follows the conventions of dnorm()",
       "conventions-density: the order of the arguments is that of stabledist")
tested("The parametrisations follow Nolan", "stable-convert: S0 and S1 differ by the shift in their definitions",
       "stable-random: samples have the right characteristic function", "philox: Philox4x32-10 gives its known answers")
shown("Error messages state the requirement and the value", grepl("0 to 22.*23", message_of(print(fit, digits = 23))))
introduction("Errors have the class `\"stablecl_error\"` and one of")
raises("`\"stablecl_error_argument\"`: an argument does not", dstable(0, 1.5, 0, pm = 7))
raises("`\"stablecl_error_data\"`: a sample cannot be", stablefit(1:3))
raises("`\"stablecl_error_device\"`: a requested device", stable_backend("no such device"))
raises("`\"stablecl_error_memory\"`: memory is exhausted;",
       tests = "memory: a failed allocation gives a memory error or the right value")
raises("`\"stablecl_error_integral\"`: an integral has not converged, and",
       gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE))
raises("`\"stablecl_error_untranslatable\"`: an integrand cannot", gtranslate(function(x) rnorm(1)))
raises("`\"stablecl_error_translation\"`: a translation and",
       tests = "quadrature-conventions: a translation that differs from the function in R")
raises("`\"stablecl_error_unsupported\"`: devices do not support the requested",
       tests = "device-precision: a device selected by name refuses what")
raises("`\"stablecl_error_interrupted\"`: an interrupt has ended a call",
       tests = "interrupts: a bootstrap that is interrupted before its first fit")
raises("Warnings have the class `\"stablecl_warning\"`", stableMode(1.5, 0), gintegrate(function(x) 1 / x, 0, 1),
       stablefit(c(rep(0, 30), sample)),
       tests = c("manual: the page of the package lists all classes of conditions in the code",
                 "device-auto: the device warning has a class, and can be an error"))
shown("For non-numeric vectors, and for `NaN`", {
  own <- function(f) tryCatch(f("a", 1, 0), error = identity)
  !inherits(own(dstable), "stablecl_error") && identical(conditionMessage(own(dstable)),
      tryCatch(dnorm("a"), error = conditionMessage)) &&
    identical(tryCatch(dstable(0, 3, 0), warning = conditionMessage),
              tryCatch(dnorm(0, 0, -1), warning = conditionMessage))
})
tested("The compiled code of other packages can call",
       "c-interface: values are bitwise identical to those of the R functions",
       "c-interface: random numbers are those of rstable() for its key")
coded("Such a package has `Imports: stablecl`", "tests/testthat/client/DESCRIPTION: Imports: stablecl",
      "tests/testthat/client/DESCRIPTION: LinkingTo: stablecl",
        "tests/testthat/client/NAMESPACE: importFrom(stablecl, dstable)")
tested("Every thread may have its own evaluator;",
       "c-interface: threads with one evaluator each give the results of a single thread",
       "c-interface: failures return codes with messages, and the evaluator stays usable")
