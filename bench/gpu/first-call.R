# Measures the first calls on a device, which build programs: without any cache, and with the programs that an earlier
# process has kept on disk (?stable_cache).
#
#     Rscript bench/gpu/first-call.R [DEVICE [SECONDS]] > bench/gpu/first-call.md          (from the checkout)
#
# DEVICE as for stable_backend(), default "opencl"; integrands that would begin after SECONDS (default 140) are omitted,
# which the page states.  Every row of the first table, and every list of integrands, is a fresh R process with the
# driver's own caches disabled (CUDA_CACHE_DISABLE=1 and an empty POCL_CACHE_DIR) and an empty folder for the package's
# programs, repeated with the folder that it has filled.  Results are compared with the CPU's; the script stops if they
# disagree.

arguments <- commandArgs(trailingOnly = TRUE)
is_worker <- identical(arguments[1], "--worker")
INTEGRALS <- 200
RANDOM    <- 30

# ---- integrands ------------------------------------------------------------------------

# One integrand for each function of the translator whose code is long; w is a parameter between 1 and 2.
special <- list(
  gamma = function(x, w) gamma(x + w), lgamma = function(x, w) lgamma(x + w), beta = function(x, w) beta(x + 1, w),
  digamma = function(x, w) digamma(1 + x + w), trigamma = function(x, w) trigamma(x + w),
  choose = function(x, w) choose(10 * w, 3 + x), lchoose = function(x, w) lchoose(10 * w, 3 + x),
  besselJ = function(x, w) besselJ(10 * w * x, 0), besselY = function(x, w) besselY(1 + w * x, 1),
  pnorm = function(x, w) pnorm(x * w), pgamma = function(x, w) pgamma(x, w), pbeta = function(x, w) pbeta(x, w, 2),
  pt = function(x, w) pt(x, w), pf = function(x, w) pf(x, w, 3), pbinom = function(x, w) pbinom(2, 6, x / w),
  ppois = function(x, w) ppois(2, x * w), dgamma = function(x, w) dgamma(x, w), dbeta = function(x, w) dbeta(x, w, 2),
  dt = function(x, w) dt(x, w), dbinom = function(x, w) dbinom(2, 6, x / w), dnorm = function(x, w) dnorm(x * w),
  dstable = function(x, w) dstable(x * w, 1.5, 0.5), pstable = function(x, w) pstable(x * w, 1.5, 0.5),
  `dstable of varying shape` = function(x, w) dstable(x, w, 0.5),
  power = function(x, w) x^w, remainder = function(x, w) (10 * x) %% w,
  loop = function(x, w) {
    s <- 0
    for (j in 1:60) s <- s + sin(j * x) / (j + w)
    s
  },
  branch = function(x, w) if (x * w < 0.7) exp(x) else log(x + w))

# Returns a random integrand, a composition of elementary functions that is smooth on (0, 1).
random_integrand <- function() {
  inner <- function() sprintf("(%.2f * x + %.2f * w)", stats::runif(1, 0.2, 3), stats::runif(1, 0, 2))
  forms <- c("exp(-%s^2)", "sin(%s)", "cos(%s)", "log1p(%s)", "sqrt(%s)", "tanh(%s)", "atan(%s)", "1 / (1 + %s^2)",
             "exp(-%s)", "sinh(%s / 4)", "asinh(%s)", "%s^1.5")
  term <- function(depth) {
    argument <- if (depth > 0 && stats::runif(1) < 0.4) paste0("(2 + ", term(depth - 1), ")") else inner()
    form <- sample(forms, 1L)
    sub("%s", argument, form, fixed = TRUE)
  }
  text <- paste(vapply(seq_len(sample(2:5, 1L)), function(k) term(1), ""), collapse = sample(c(" + ", " * "), 1L))
  eval(parse(text = paste("function(x, w)", text)), globalenv())
}

random_integrands <- function() {
  set.seed(1)
  all <- lapply(seq_len(RANDOM), function(k) random_integrand())
  stats::setNames(all, sprintf("random %d", seq_along(all)))
}

# ---- in a worker -------------------------------------------------------------------------

# Returns the seconds of a call, and stops if its values differ from those of the CPU.
timed <- function(name, call) {
  right <- call("cpu")
  before <- as.numeric(Sys.time())
  got <- call(device)
  seconds <- as.numeric(Sys.time()) - before
  gap <- max(abs(got$value - right$value) - got$error - right$error - 1e-9 * abs(right$value))
  if (!isTRUE(gap <= 0)) stop(name, ": results of device and CPU differ")
  cat(sprintf("%s\t%.4f\n", name, seconds), file = to, append = TRUE)
}

density_call <- function(backend) {
  local_stable_backend(backend)
  list(value = dstable(seq(-5, 5, length.out = 2000), 1.5, 0.5), error = 0)
}

integral_call <- function(f) function(backend) {
  y <- suppressWarnings(gintegrate(f, 0, 1, params = data.frame(w = seq(1, 2, length.out = INTEGRALS)), method = "gk",
                                   backend = backend))
  list(value = y$value, error = y$abs.error)
}

# Calls at most `most` integrands, and none from the time `until` on.
run_task <- function(task, until, most) {
  if (task == "dstable") return(timed("first dstable() of 2000 values", density_call))
  integrands <- switch(task, gintegrate = list(`first gintegrate()` = function(x, w) exp(-w * x^2)),
                       random = random_integrands(), special = special)
  if (task != "gintegrate") integral_call(function(x, w) x + w)(device)          # opens the device
  for (name in utils::head(names(integrands), most))
    if (as.numeric(Sys.time()) < until) timed(name, integral_call(integrands[[name]]))
}

if (is_worker) {
  suppressPackageStartupMessages(library(stablecl))
  device <- arguments[3]
  to <- arguments[4]
  run_task(arguments[2], as.numeric(arguments[5]), as.numeric(arguments[6]))
  quit("no")
}

# ---- the script that starts workers -------------------------------------------------------

suppressPackageStartupMessages(library(stablecl))
source("bench/cores.R")                                  # host_cores(), beside()
source("bench/page.R")                                   # made_by()
device <- c(arguments, "opencl")[1]
began <- as.numeric(Sys.time())
allowed <- as.numeric(c(arguments[-1], 140)[1])
FIRST <- c(dstable = 1, gintegrate = 1, special = 0.5, random = 0.7)        # part of the time until which each is begun
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
folder <- tempfile("first-call")
dir.create(folder)

# Runs a task in a fresh process, with at most `most` integrands, begun in this part of the time.  Returns seconds by
# name.
worker <- function(task, kept, part, most = Inf) {
  out <- tempfile(tmpdir = folder)
  env <- c("CUDA_CACHE_DISABLE=1", paste0("POCL_CACHE_DIR=", tempfile("driver", folder)),
           paste0("R_USER_CACHE_DIR=", kept), "STABLECL_BACKEND=",
           paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep)))
  status <- system2(file.path(R.home("bin"), "Rscript"),
                    c("--vanilla", script, "--worker", task, shQuote(device), out,
                      sprintf("%.0f", began + part * allowed), most), env = env)
  if (status != 0) stop("the process for ", task, " failed")
  if (!file.exists(out)) return(stats::setNames(numeric(), character()))
  lines <- strsplit(readLines(out), "\t")
  stats::setNames(as.numeric(vapply(lines, `[`, "", 2)), vapply(lines, `[`, "", 1))
}

tasks <- c("dstable", "gintegrate", "special", "random")
folders <- stats::setNames(file.path(folder, paste0("kept-", tasks)), tasks)
without <- sapply(tasks, function(task) worker(task, folders[[task]], FIRST[[task]]), simplify = FALSE)
with_kept <- sapply(tasks, function(task) worker(task, folders[[task]], 1, length(without[[task]])), simplify = FALSE)

stable_backend(device)
used <- stable_backend()$devices
bytes <- sum(file.size(list.files(folder, "[.]program$", recursive = TRUE, full.names = TRUE)))
files <- length(list.files(folder, "[.]program$", recursive = TRUE))

row <- function(name, a, b) cat(sprintf("| %s | %s | %s |\n", name, a, b), sep = "")
number <- function(x) ifelse(is.na(x), "", sprintf("%.2f", x))
spread <- function(x) if (length(x)) sprintf("%.2f, %.2f", stats::median(x), max(x)) else ""

cat("# The first call on a device\n\n", made_by("bench/gpu/first-call.R"), ".\n\n",
    "* Date: ", format(Sys.time(), "%Y-%m-%d %H:%M UTC", tz = "UTC"), "\n",
    sprintf("* Device: %s, driver %s\n", used$device, used$driver),
    sprintf("* Host threads: %d, of %d processors that R may use\n", stable_threads(), host_cores()),
    sprintf("%s\n", beside()),
    sprintf("* Programs on disk: %d files, %.1f MB\n", files, bytes / 1e6),
    "\nSeconds of calls in fresh R processes without the driver's cache: the first process also has no programs on ",
    "disk, the\nsecond one has those of the first. All results agree with those of the CPU. Integrals are ", INTEGRALS,
    " in a call, by\n`\"gk\"`.\n\n## The first call of a session\n\n| call | no programs kept | programs kept |\n",
    "|---|---|---|\n", sep = "")
for (task in c("dstable", "gintegrate"))
  row(names(without[[task]]), number(without[[task]]), number(with_kept[[task]][names(without[[task]])]))
cat("\n## A new integrand in an open session\n\n| integrand | no programs kept | programs kept |\n|---|---|---|\n",
    sep = "")
row(sprintf("median and maximum of %d random integrands", length(without$random)), spread(without$random),
    spread(with_kept$random))
row(sprintf("median and maximum of %d long functions", length(without$special)), spread(without$special),
    spread(with_kept$special))
for (name in names(without$special)) row(name, number(without$special[[name]]), number(with_kept$special[name]))
omitted <- RANDOM + length(special) - length(without$random) - length(without$special)
if (omitted > 0) cat(sprintf("\n%d integrands were omitted because time was short.\n", omitted))
unlink(folder, recursive = TRUE)
