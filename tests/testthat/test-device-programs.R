# The compiled programs that are kept on disk (src/opencl/binaries.h, ?stable_cache).

# Evaluates `code` with programs kept in a new folder, whose path it receives.
with_programs <- function(code) {
  folder <- file.path(tempfile("programs"), "below", "another")
  before <- options(stablecl.programs = folder)
  limit <- stable_cache()
  on.exit({
    options(before)
    stable_cache(limit)
    no_faults()
    close_devices()
    stable_backend("default")
    unlink(dirname(dirname(folder)), recursive = TRUE)
  })
  stable_backend("opencl")
  dstable(1, 1.5, 0.5)                            # runs the self-test, so that it is not counted
  code(folder)
}

# Opens a new session, which builds one program; returns the values, and the numbers of programs made from binaries and
# from source.
run_density <- function() {
  count_calls()                                   # closes the session
  y <- dstable(-3:3, 1.5, 0.5)
  list(value = y, binary = calls_by_name("CreateProgramWithBinary"), source = calls_by_name("CreateProgramWithSource"))
}

files_of <- function(folder) sort(list.files(folder, "[.]program$", full.names = TRUE))

expect_built <- function(got, source, value) {
  expect_identical(got$source, source)
  expect_identical(got$value, value)
}

test_that("a later session builds its programs from binaries, with the same results", {
  skip_without_device()
  with_programs(function(folder) {
    integral <- function() gintegrate(function(x, w) exp(-w * x^2), 0, 1, params = data.frame(w = 1:3), method = "gk")
    unlink(folder, recursive = TRUE)
    first <- run_density()
    expect_identical(c(first$binary, first$source), c(0, 1))
    area <- integral()
    expect_identical(calls_by_name("CreateProgramWithBinary", "CreateProgramWithSource"), c(0, 2))
    expect_length(files_of(folder), 2)
    second <- run_density()
    expect_identical(c(second$binary, second$source), c(1, 0))
    expect_identical(integral()$value, area$value)
    expect_identical(calls_by_name("CreateProgramWithBinary", "CreateProgramWithSource"), c(2, 0))
    expect_identical(second$value, first$value)
    # another integrand needs another program
    gintegrate(function(x, w) exp(-w * x^3), 0, 1, params = data.frame(w = 1:3), method = "gk")
    expect_identical(calls_by_name("CreateProgramWithSource"), 1)
    if (.Platform$OS.type != "windows") {
      expect_identical(format(file.mode(folder)), "700")
      expect_identical(unique(format(file.mode(files_of(folder)))), "600")
    }
  })
})

test_that("another process builds its programs from binaries", {
  skip_without_device()
  skip_on_cran()
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    code <- c(sprintf("options(stablecl.programs = %s)", deparse(folder)), "stable_backend('opencl')",
              "invisible(.Call(stablecl:::C_fault, 1, 0, 0L, FALSE, NULL))", "y <- dstable(-3:3, 1.5, 0.5)",
              "calls <- .Call(stablecl:::C_fault_calls)",
              "cat(calls[c('CreateProgramWithBinary', 'CreateProgramWithSource')], format(sum(y), digits = 15))")
    right <- run_density()
    unlink(folder, recursive = TRUE)
    one <- strsplit(in_another_r(code, "R_USER_CACHE_DIR="), " ")[[1]]
    two <- strsplit(in_another_r(code), " ")[[1]]
    built <- as.numeric(one[2])
    expect_gt(built, 0)
    expect_identical(one[1:2], c("0", one[2]))
    expect_identical(two, c(one[2], "0", format(sum(right$value), digits = 15)))
    expect_identical(one[3], two[3])
  })
})

test_that("a file that is corrupt, truncated, or of another program is ignored and replaced", {
  skip_without_device()
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    right <- run_density()$value
    file <- files_of(folder)
    good <- readBin(file, "raw", file.size(file))
    start <- head(grepRaw("\n\n", good), 1) + 2              # of the binary
    flip <- function(at) replace(good, at, xor(good[at], as.raw(1)))
    bad <- list(empty = raw(), header = good[seq_len(start - 1)], short = head(good, -1), longer = c(good, as.raw(0)),
                device = flip(60), hash = flip(start - 5), first = flip(start), last = flip(length(good)),
                foreign = charToRaw("not a program"))
    for (name in names(bad)) {
      writeBin(bad[[name]], file)
      expect_built(run_density(), 1, right)
      expect_identical(readBin(file, "raw", 2 * length(good)), good, label = name)
      expect_built(run_density(), 0, right)
    }
    # a valid file under the name of another program
    gintegrate(function(x) exp(-x), 0, 1:3, method = "gk")
    other <- setdiff(files_of(folder), file)
    file.copy(other, file, overwrite = TRUE)
    expect_built(run_density(), 1, right)
  })
})

test_that("files and folders that others can change are ignored, and the state names the reason", {
  skip_without_device()
  skip_on_os("windows")
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    right <- run_density()$value
    file <- files_of(folder)
    Sys.chmod(file, "602", use_umask = FALSE)
    expect_built(run_density(), 1, right)
    expect_identical(format(file.mode(file)), "600")             # it has been replaced
    moved <- tempfile("moved")
    file.rename(file, moved)
    file.symlink(moved, file)
    expect_built(run_density(), 1, right)
    expect_identical(Sys.readlink(file), "")
    Sys.chmod(folder, "770", use_umask = FALSE)
    expect_built(run_density(), 1, right)
    expect_match(stable_cache()$programs$trouble, "can be changed by others")
    expect_output(print(stable_cache()), "can be changed by others")
    Sys.chmod(folder, "700", use_umask = FALSE)
    expect_built(run_density(), 0, right)
    expect_identical(stable_cache()$programs$trouble, "")
    # a link to a folder, and a file in its place
    options(stablecl.programs = link <- tempfile("link"))
    file.symlink(folder, link)
    expect_built(run_density(), 1, right)
    options(stablecl.programs = moved)
    expect_built(run_density(), 1, right)
    expect_match(stable_cache()$programs$trouble, "not a folder")
    unlink(c(link, moved))
  })
})

test_that("files of another user are ignored", {
  skip_without_device()
  skip_on_os("windows")
  skip_if_not(identical(unname(Sys.info()["effective_user"]), "root"), "only root can give files away")
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    right <- run_density()$value
    for (path in c(files_of(folder), folder)) {
      system2("chown", c("65534", shQuote(path)))
      expect_built(run_density(), 1, right)
    }
    expect_match(stable_cache()$programs$trouble, "another user")
  })
})

test_that("the least recently used programs are removed beyond the limit, and other files never", {
  skip_without_device()
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    integrands <- list(function(x) exp(-x), function(x) sin(x), function(x) x * x, function(x) cos(x))
    integral <- function(k) gintegrate(integrands[[k]], 0, 1:3, method = "gk")
    run_density()
    density <- files_of(folder)
    for (k in 1:3) integral(k)
    all <- files_of(folder)
    expect_length(all, 4)
    stray <- file.path(folder, c("notes.txt", "0123.program", paste0(strrep("a", 32), ".programs")))
    for (path in stray) writeLines("mine", path)
    state <- stable_cache()$programs
    expect_identical(state[c("folder", "files", "bytes")],
                     list(folder = folder, files = 4L, bytes = sum(file.size(all))))
    Sys.setFileTime(all, Sys.time() - 1000 * seq_along(all))
    expect_built(run_density(), 0, run_density()$value)          # now the most recently used one
    oldest <- setdiff(all, density)[3]
    stable_cache(programs = state$bytes - 1)
    expect_setequal(files_of(folder), c(setdiff(all, oldest), stray[2]))
    integral(4)                                   # removes others to make room
    expect_lte(stable_cache()$programs$bytes, state$bytes - 1)
    # one not used for 90 days, and the remains of a process that died while it wrote
    abandoned <- paste0(density, ".12345")
    file.copy(density, abandoned)
    Sys.setFileTime(c(density, abandoned), Sys.time() - 91 * 86400)
    stable_cache(programs = 2^26)
    expect_false(any(file.exists(c(density, abandoned))))
    before <- stable_cache(programs = 0)
    expect_identical(before$programs$limit, 2^26)
    expect_setequal(list.files(folder, full.names = TRUE), stray)
    expect_identical(run_density()$source, 1)
    expect_identical(stable_cache()$programs[c("files", "bytes", "limit")], list(files = 0L, bytes = 0, limit = 0))
    expect_invisible(stable_cache(before))
    expect_identical(stable_cache()$programs$limit, 2^26)
    # a program larger than the limit is not kept
    stable_cache(programs = 1000)
    run_density()
    expect_identical(stable_cache()$programs$files, 0L)
  })
})

test_that("an option selects the folder, and no folder is used by default during a check", {
  skip_without_device()
  with_programs(function(folder) {
    options(stablecl.programs = FALSE)
    count_calls()
    dstable(1, 1.5, 0.5)
    expect_identical(calls_by_name("GetProgramInfo", "CreateProgramWithBinary"), c(0, 0))
    expect_identical(stable_cache()$programs$folder, "")
    expect_output(print(stable_cache()), "no programs of devices are kept on disk")
    options(stablecl.programs = "~/somewhere")
    expect_identical(stable_cache()$programs$folder, path.expand("~/somewhere"))
  })
  where <- "cat(stable_cache()$programs$folder)"
  expect_identical(in_another_r(where, "R_USER_CACHE_DIR=/some/folder"), "/some/folder/R/stablecl")
  expect_identical(in_another_r(where, "R_USER_CACHE_DIR=/some/folder", "_R_CHECK_PACKAGE_NAME_=another"), character())
  for (wrong in c("TRUE", "NA_character_", "c('a', 'b')", "7"))
    expect_identical(in_another_r(c(sprintf("options(stablecl.programs = %s)", wrong), where),
                                  "R_USER_CACHE_DIR=/some/folder"), "/some/folder/R/stablecl")
  expect_error(stable_cache(programs = -1), "`programs` must be one number of bytes", class = "stablecl_error_argument")
  expect_error(stable_cache(programs = "a"), "`programs` must be", class = "stablecl_error_argument")
})

test_that("programs of PoCL, which keeps them itself, are not added to the default folder", {
  skip_without_device()
  skip_if_not("Portable Computing Language" %in% stable_devices()$platform, "PoCL is not installed")
  cache <- tempfile("cache")
  on.exit(unlink(cache, recursive = TRUE))
  code <- c("device <- which(stable_devices()$platform == 'Portable Computing Language')[1]",
            "stable_backend(stable_devices()$device[device])", "y <- dstable(1, 1.5, 0.5)",
            "cat(stable_cache()$programs$files)")
  expect_identical(in_another_r(code, paste0("R_USER_CACHE_DIR=", cache)), "0")
})

test_that("the default folder is that of tools::R_user_dir()", {
  skip_if(!dir.exists(path.expand("~")), "no home directory")
  variables <- c("R_USER_CACHE_DIR", "XDG_CACHE_HOME")
  before <- Sys.getenv(variables, NA)
  on.exit({
    Sys.unsetenv(variables)
    for (name in names(before)[!is.na(before)]) do.call(Sys.setenv, as.list(before[name]))
  })
  for (given in list(c(), c("one", ""), c("", "two"), c("one", "two"))) {
    Sys.unsetenv(variables)
    if (length(given)) do.call(Sys.setenv, stats::setNames(as.list(given), variables))
    expect_identical(stablecl:::cache_folder(), tools::R_user_dir("stablecl", "cache"))
  }
})

test_that("failures of the calls that concern binaries cause no error, and leak nothing", {
  skip_without_device()
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    right <- run_density()$value
    survives <- function(k) {
      inject_faults(k, k, -42L)                   # CL_INVALID_BINARY
      before <- objects_alive()
      y <- tryCatch(dstable(-3:3, 1.5, 0.5), stablecl_error_device = identity)
      made <- calls_by_name("CreateProgramWithBinary", "CreateProgramWithSource")
      close_devices()
      expect_identical(objects_alive() - before, 0)
      if (!inherits(y, "error")) expect_identical(y, right)
      list(made = made, fails = inherits(y, "error"))
    }
    run_density()
    refused <- integer()
    for (k in seq_len(calls_so_far())) {
      got <- survives(k)
      if (!identical(got$made, c(1, 1))) next
      expect_false(got$fails)                     # the program has been built from source instead
      refused <- c(refused, k)
    }
    expect_identical(refused, refused[1] + 0:1)   # clCreateProgramWithBinary and clBuildProgram
    # without a file: clCreateProgramWithSource, clBuildProgram, clGetProgramInfo twice
    for (k in 0:3) {
      unlink(folder, recursive = TRUE)
      got <- survives(refused[1] + k)
      expect_identical(got, list(made = c(0, 1), fails = k < 2))
      expect_length(files_of(folder), 0)
    }
    inject_faults(Inf)
    expect_identical(dstable(-3:3, 1.5, 0.5), right)
  })
})

test_that("two processes can write and read the same programs at the same time", {
  skip_without_device()
  skip_on_cran()
  with_programs(function(folder) {
    unlink(folder, recursive = TRUE)
    right <- run_density()$value
    code <- c(sprintf("options(stablecl.programs = %s)", deparse(folder)), "stable_backend('opencl')",
              "until <- Sys.time() + 4",
              "repeat {",
              "  .Call(stablecl:::C_close_devices, FALSE)",
              "  y <- dstable(-3:3, 1.5, 0.5)",
              "  unlink(list.files(stable_cache()$programs$folder, '[.]program$', full.names = TRUE))",
              "  if (Sys.time() > until) break",
              "}",
              "cat(format(sum(y), digits = 15), stable_cache()$programs$files)")
    script <- tempfile(fileext = ".R")
    out <- tempfile(c("one", "two"))
    writeLines(c("library(stablecl)", code), script)
    for (path in out) system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = path, stderr = path,
                              env = paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)), wait = FALSE)
    until <- Sys.time() + 100
    while (any(file.size(out) == 0) && Sys.time() < until) Sys.sleep(0.1)
    Sys.sleep(0.5)
    for (path in out) expect_match(readLines(path, warn = FALSE), format(sum(right), digits = 15), fixed = TRUE)
    expect_identical(list.files(folder, "[.][0-9]+$"), character())
    unlink(c(script, out))
  })
})

# --- the programs that a call needs ---------------------------------------------------------------

test_that("a session builds only the programs that its calls need", {
  skip_without_device()
  on.exit({
    no_faults()
    close_devices(forget = TRUE)
    stable_backend("default")
  })
  stable_backend("opencl")
  close_devices(forget = TRUE)
  peak <- function(x, w) 1 / ((x - 0.3)^2 + w)
  integrals <- function(w) gintegrate(peak, 0, 1, params = data.frame(w = w), method = "gk")
  count_calls()
  built <- function() calls_by_name("CreateProgramWithSource")
  smooth <- integrals(1 + (1:20))
  expect_identical(built(), 1)                    # no self-test of other programs, and nothing to refine
  narrow <- integrals(10^-(1:6))
  expect_identical(built(), 2)
  expect_identical(integrals(1 + (1:20))$value, smooth$value)
  rstable(10, 1.5, 0.5)
  expect_identical(built(), 3)
  dstable(1, 1.5, 0.5)
  qstable(0.3, c(1.5, 1.2), 0.5)
  expect_identical(built(), 5)
  # integrals that several chunks compute have the same results
  many <- integrals(rep(c(10^-(1:6), 1 + (1:20)), length.out = 2600))
  expect_identical(built(), 5)
  expect_identical(many$value[1:26], c(narrow$value, smooth$value))
  right <- gintegrate(peak, 0, 1, params = data.frame(w = 10^-(1:6)), method = "gk", backend = "cpu")
  expect_close(narrow$value, right$value)
})

test_that("long integrands are functions of their own, and their loops are not unrolled", {
  text <- function(f) .Call(stablecl:::C_source, gtranslate(f, dim = 1)$program, FALSE)
  expect_match(text(function(x) exp(-x^2)), "\nFN double integrand(const double *x", fixed = TRUE)
  for (f in list(function(x) gamma(x) + 1, function(x) besselJ(x, 0) + x, function(x) pgamma(x, 2),
                 function(x) dstable(x, 1.5, 0.5) + 1, function(x) sum(sin(x * 1:20))))
    expect_match(text(f), "\nNOINLINE double integrand(const double *x", fixed = TRUE)
  loop <- text(function(x) {
    s <- 0
    for (j in 1:3000) s <- s + x / j
    s
  })
  expect_match(loop, "#pragma unroll 1\n *for ")
})

# --- values of distributions that no interpolant covers -----------------------------------------------

# Evaluates `code` with programs that are kept in memory only.
without_programs <- function(code) {
  before <- options(stablecl.programs = FALSE)
  on.exit({
    no_faults()
    options(before)
    close_devices()
    stable_backend("default")
  })
  code
}

# The interpolant of this distribution ends near x = 2e5.
test_that("only integrals that need values beyond the interpolants build the program that computes these", {
  skip_without_device()
  without_programs({
    tail_at <- function(x) pstable(x, 1.5, 0.5, lower.tail = FALSE)
    # d: 1, or 0 for arguments that tend to infinity at 0
    jobs <- list(
      # points that the kernel chooses: those of tanhsinh come close to 0, those compared with the CPU do not
      integrals = function(d, ...)
        gintegrate(function(x, d) tail_at(1 / (x + d)), 0, 1, params = data.frame(d = rep(d, 3)), method = "tanhsinh",
                   ...),
      box = function(d, ...)
        gintegrate(function(x, y, d) tail_at(1 / (x * x + d)) * y, c(0, 0), 1, params = data.frame(d = d), dim = 2,
                   method = "lattice", max.eval = 2e4, control = list(seed = 1), ...),
      # points that the host chooses, of several components
      points = function(d, ...)
        gintegrate(function(x, d) c(tail_at(1 / (x^3 + d)), x), 0, 1, params = data.frame(d = d), n.value = 2,
                   method = "gk", ...),
      # already among the points that are compared with the CPU
      compared = function(d, ...)
        gintegrate(function(x, w) tail_at(w * (1 + x)), 0, 1, params = data.frame(w = 10^(9 - 9 * d)),
                   method = "tanhsinh", ...))
    for (name in names(jobs)) {
      run <- function(d) {
        got <- suppressWarnings(jobs[[name]](d, backend = "opencl"))
        right <- suppressWarnings(jobs[[name]](d, backend = "cpu"))
        expect_identical(got$backend, "opencl", label = name)
        expect_true(all(is.finite(got$value) & got$value > 0), label = paste("values are finite in", name))
        expect_equal(got$value, right$value, tolerance = 1e-12, label = name)
        expect_identical(got$evaluations, right$evaluations, label = paste("evaluations of", name))
        calls_by_name("CreateProgramWithSource")
      }
      count_calls()
      expect_identical(run(1), 1, label = paste("programs of", name))
      expect_identical(run(0), 2, label = paste("programs of", name, "beyond the interpolant"))
      expect_identical(run(1), 2, label = paste("programs of", name, "afterwards"))
    }
  })
})

# Their state is the input of the next launch, so that a launch cannot be repeated with another program.
test_that("programs that advance steppers compute all values from the first launch on", {
  skip_without_device()
  without_programs({
    f <- function(x, d) pstable(1 / (x^3 + d), 1.5, 0.5, lower.tail = FALSE)
    run <- function(d, backend) suppressWarnings(
      gintegrate(f, 0, 1, params = data.frame(d = d), method = "blockcut", control = list(variant = "SCAQ"),
                 backend = backend))
    count_calls()
    for (d in 1:0) {
      got <- run(d, "opencl")
      expect_identical(got$backend, "opencl")
      expect_equal(got$value, run(d, "cpu")$value, tolerance = 1e-12)
      # one program of steppers; that which evaluates points is replaced
      expect_identical(calls_by_name("CreateProgramWithSource"), 3 - d)
    }
  })
})
