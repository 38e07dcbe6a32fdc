# Small versions of every job that runs on a device, and tests in which OpenCL calls fail one at a time.

# Functions without arguments whose results are numbers, computed by the current backend.
opencl_jobs <- function() {
  alpha <- rep(c(0.5, 1, 1.5), length.out = 40)
  beta <- rep(c(-0.3, 0.8), length.out = 40)
  data <- c(1e6, seq(-6, 30, length.out = 4000))
  samples <- lapply(1:18, function(i) fit_sample_of(40, 1.5, 0, seed = i))
  line <- function(method, ...) {
    force(method)
    function() suppressWarnings(gintegrate(function(x, w) 1 / ((x - 0.3)^2 + w), 0, 1, method = method,
                                           params = data.frame(w = c(10^seq(0, -3, length.out = 40), NaN)), ...))$value
  }
  box <- function(method, ...) {
    force(method)
    function() suppressWarnings(gintegrate(function(x, y) exp(-20 * (x - 0.3)^2 - y), c(0, 0), 1, method = method,
                                           rel.tol = 1e-2, ...))$value
  }
  list(
    density = function() dstable(seq(-4, 4, length.out = 300), 1.5, 0.5),
    density_varying = function() dstable(1:40, alpha, beta),
    distribution = function() pstable(seq(-4, 4, length.out = 300), 1.5, 0.5, lower.tail = FALSE),
    quantile = function() qstable((1:200) / 201, 1.3, -0.5),
    quantile_varying = function() qstable(0.3, alpha, beta),
    mode = function() stable_mode(alpha, beta, 2, 1, 1),
    mode_one_shape = function() stable_mode(1.5, 0.5, 1:40),
    score = function() stable_score(c(-3, 0, 2), 1.5, 0.5),
    score_varying = function() suppressWarnings(stable_score(1, alpha, beta, 2, 1, 1)),
    score_of_s2 = function() stable_score(c(-3, 2), 1.5, 0.5, pm = 2),
    quick_rows = function() stable_quick(c(1e6, -2:2), 1.5, 0.5),
    s2_varying = function() dstable(1:40, alpha, beta, pm = 2),
    random = function() {
      set.seed(5)
      rstable(500, 1.7, 0.2)
    },
    density_single = function() dstable(seq(-4, 4, length.out = 300), 1.5, 0.5, precision = "single"),
    quantile_single = function() qstable((1:200) / 201, 1.3, -0.5, precision = "single"),
    random_single = function() {
      set.seed(5)
      rstable(500, 1.7, 0.2, precision = "single")
    },
    loglik_single = function() stable_loglik(data, 1.5, 0.5, precision = "single"),
    random_varying = function() {
      set.seed(5)
      rstable(40, alpha, beta)
    },
    loglik = function() stablecl:::stable_data_loglik(stablecl:::stable_data_put(data), 1.5, 0.5, calls = 50),
    kept_data = function() {
      kept <- stablecl:::stable_data_put(data)
      vapply(c(1.4, 1.5), function(a) stablecl:::stable_data_loglik(kept, a, 0.5, calls = 50), 0)
    },
    quick = function() stablecl:::stable_data_quick(stablecl:::stable_data_put(data), 1.5, 0.5)$gradient,
    many_fits = function() {
      before <- stable_threads(2)
      on.exit(stable_threads(before))
      coef(stablefit(samples, fixed = list(alpha = 1.5, beta = 0, gamma = 1), control = list(tol = 1)))[, "delta"]
    },
    gk = line("gk"), tanhsinh = line("tanhsinh"), simpson = line("simpson"), forward = line("forward", rel.tol = 1e-3),
    blockcut = line("blockcut"), pscaq = line("blockcut", control = list(variant = "PSCAQ", cells = 64)),
    fourier = function() {
      gintegrate(function(x, w) 1 / (w + sqrt(x)), 0, Inf, method = "fourier", params = data.frame(w = (1:40) / 10),
                 control = list(omega = 3, weight = "sin"))$value
    },
    cubature_many = function() {
      suppressWarnings(gintegrate(function(x, y, w) exp(-20 * (x - w)^2 - y), c(0, 0), 1, method = "cubature", dim = 2,
                                  rel.tol = 1e-3, params = data.frame(w = (1:20) / 20)))$value
    },
    cubature = box("cubature"), forward_lines = box("forward"), vegas = box("vegas", control = list(seed = 3)),
    lattice = box("lattice", control = list(seed = 3)),
    lattice_single = box("lattice", control = list(seed = 3, precision = "single")),
    vegas_single = box("vegas", control = list(seed = 3, precision = "single")),
    product = box("product"),
    components = function() {
      gintegrate(function(x) c(exp(-x), x * exp(-x), sqrt(x)), 0, 2, n.value = 3, method = "gk")$value
    },
    # the first program is replaced by one that computes values beyond the interpolant, too
    far_tail = function() {
      gintegrate(function(x) pstable(1 / x, 1.5, 0.5, lower.tail = FALSE), 0, 1, method = "tanhsinh")$value
    },
    distributions = function() gintegrate(function(x) dstable(x, 1.5, 0.3) * pstable(x, 0.8 + 0 * x, 0), -2, 2)$value)
}

# Lets OpenCL call k fail (of one device; see inject_faults()).  Returns `findings`, a text for each fault found,
# and `failed`, TRUE if the job failed.
try_fault <- function(run, right, k, device = NULL) {
  findings <- character()
  note <- function(...) findings <<- c(findings, paste0("call ", k, ": ", ...))
  is_right <- function(y) is.numeric(y) && isTRUE(all.equal(y, right, tolerance = 1e-6))
  inject_faults(k, device = device)
  before <- objects_alive()
  got <- tryCatch(run(), error = identity)
  close_devices()
  left <- objects_alive() - before
  if (left != 0) note(left, " objects are left")
  failed <- inherits(got, "error")
  if (failed && !inherits(got, "stablecl_error_device")) note("an error of class ", class(got)[1L], ": ",
                                                              conditionMessage(got))
  if (!failed && !is_right(got)) note("the answer is wrong")
  count_calls()
  after <- tryCatch(run(), error = identity)
  if (inherits(after, "error")) note("the next call fails: ", conditionMessage(after))
  else if (!is_right(after)) note("the answer of the next call is wrong")
  list(findings = findings, failed = failed)
}

# Tries all OpenCL calls, or a random sample of `most`, for at most about `seconds` seconds: those of a job on
# `backend`, or only those of one of its devices (see inject_faults()).
sweep_faults <- function(run, most = Inf, seconds = Inf, backend = "opencl", device = NULL) {
  on.exit({
    no_faults()
    stable_backend("default")
  })
  stable_backend("cpu")
  right <- run()
  stable_backend(backend)
  run()                                           # runs the self-test, so that it is not counted
  inject_faults(1, 0, device = device)
  run()
  calls <- calls_so_far()
  tried <- if (most < calls) sort(sample.int(calls, most)) else seq_len(calls)
  began <- Sys.time()
  report <- list(calls = calls, tried = 0, errors = 0, findings = character())
  for (k in tried) {
    if (as.numeric(Sys.time() - began, units = "secs") > seconds) break
    one <- try_fault(run, right, k, device)
    report$tried <- report$tried + 1
    report$errors <- report$errors + one$failed
    report$findings <- c(report$findings, one$findings)
  }
  if (calls < 5) report$findings <- c(report$findings, "the device is not used")
  report
}
