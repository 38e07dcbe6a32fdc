# tools/fuzz-arguments.R [N] [SEED]: calls every exported function and S3 method with arbitrary R objects in one or two
# of its arguments, and with unknown, missing or abbreviated arguments.  Functions, methods and arguments come from
# NAMESPACE and formals(); only valid values of arguments and one object of every class are listed by hand.
#
# A call may return a value or stop with a message intended for users: a condition of class "stablecl_error", or one of
# R's own messages for wrong arguments.  Anything else is a finding: a message that exposes the internals of a function,
# an additional warning by R, a changed argument, a changed state of the session, an error attributed to another
# function than the one called, a crash, or a call that takes longer than five seconds.

source("tools/fuzzing.R")

# --- objects ----------------------------------------------------------------------------------

odd_objects <- expression(
  NULL, NA, NA_integer_, NA_real_, NA_character_, NA_complex_, NaN, Inf, -Inf, -0, c(1, NA, NaN, Inf, -Inf),
  logical(), integer(), numeric(), character(), complex(), raw(), list(), expression(), TRUE, FALSE, c(TRUE, NA),
  0L, 1L, -1L, 2L, .Machine$integer.max, -.Machine$integer.max, 2^31, -2^31, 2^53, 1e10, 1e300, -1e300, 1e-320, 0.5,
  -1, 2, 3, 1.5, c(0.5, 1.5), c(2, 1), 1:3, c(a = 1, b = 2), c(a = 1, a = 2), seq(0.1, 0.9, 0.2), 1:1e9,
  "", "a", "1.5", "cpu", "mle", "S1", c("a", "b"), c("ks", NA), strrep("long", 1e5), "\u00fc\u4e2d\U1F600",
  iconv("\u00fc", "UTF-8", "latin1"), `Encoding<-`("bytes\xff", "bytes"), "not UTF-8: \xff", "%s %d %n", "alpha",
    "x", "gamma",
  factor("a"), factor(c(1.5, 2)), factor(character()), ordered(1:3), as.Date("2020-01-01"), as.Date(NA),
  as.POSIXct("2020-01-01", tz = "UTC"), as.POSIXlt("2020-01-01", tz = "UTC"), as.difftime(1, units = "hours"),
    numeric_version("1.2"),
  list(1), list(1, 2, 3), list(a = 1, b = "x"), list(list(1), NULL), list(NULL), list(alpha = 1.5),
    list(alpha = NULL),
  list(alpha = 1.5, alpha = 1), list(1.5, beta = 0), c(alpha = 1.5), c(beta = NA), pairlist(a = 1), list(maxit = NA),
  data.frame(), data.frame(x = 1:3), data.frame(x = numeric()), data.frame(a = 1, b = "x"),
  data.frame(m = I(matrix(1:4, 2))), data.frame(l = I(list(1, "a"))), data.frame(row.names = c("a", "b")),
  data.frame(x = 1, x = 2, check.names = FALSE), matrix(1:6, 2), matrix(numeric(), 0, 3), matrix(list(1, "a"), 1),
  matrix("a"), array(1:8, c(2, 2, 2)), array(0.5, 1), array(1, c(1, 1, 1)), matrix(0.5, dimnames = list("r", "c")),
  table(c(1, 1, 2)), ts(c(1, 2, 3), start = 2000), 1i, c(1 + 0i, 2), as.raw(1:3), function(x) x, function() NULL,
  function(...) stop("of the user"), sum, `if`, quote, .Primitive("["), globalenv(), emptyenv(),
  new.env(), y ~ x, ~x, y ~ ., y ~ 1 | z, quote(a), quote(f(x)), quote(if (TRUE) 1), expression(a, b), quote(expr = ),
  new("odd_class", slot = 1), new("odd_number", 1.5), structure(1.5, class = "odd_s3"),
    structure(list(), class = "odd_s3"),
  structure(1.5, class = c("odd_s3", "numeric")), structure(c(1.5, 2), units = "m", class = "units"),
  structure(0.5, comment = "c", odd = list(1)), structure(list(1), class = "data.frame"),
  structure(list(a = 1:2), class = "data.frame"), structure(list(), class = "stablefit"),
  structure(list(), class = "gintegral"), structure(list(), class = "gtranslation"),
    structure(1, class = "stable_data"),
  structure(1, class = "factor"), structure(1.5, class = "integer64"), structure(list(), class = "stable_backend"),
  structure(list(), class = "stable_cache"), stats:::C_rnorm$address,
    structure(~a, class = c("quosure", "formula")), 1e5L, c(1e-300, 1e300), rep(1, 20), rev(1:20) / 3,
  c(rep(0, 30), 1), c(-Inf, 1:20), letters, as.list(1:20), I(1.5), I("a"), noquote("mle"), bitwAnd(5L, 3L),
  structure(1:3, dim = 3L), structure(c(a = 0.5), dim = 1L, dimnames = list("a")), .5 + 1e-17, 1 - 1e-16, 2 + 1e-15
)

methods::setClass("odd_class", representation(slot = "numeric"))
methods::setClass("odd_number", contains = "numeric")

# Creates the samples and data from which the objects below are made.
prepare_objects <- function(env) {
  set.seed(20)
  env$sample <- stablecl::rstable(40, 1.6, 0.3)
  env$data <- data.frame(y = env$sample, z = seq(-1, 1, length.out = 40), g = gl(2, 20))
  env$next_chunk <- chunk_reader(env$sample)
}

# Returns a source of stable_chunks() that returns all values in one chunk.
chunk_reader <- function(values) {
  left <- FALSE
  function(reset) {
    chunk <- if (!reset && left) values
    left <<- reset
    chunk
  }
}

# One or more objects of every class that has methods.
objects <- alist(
  stablefit = list(stablefit(sample), stablefit(sample, "ecf", pm = 1), stablefit(sample, fixed = list(beta = 0)),
                   stablefit(c(-2:5, 9), "quantile", se = FALSE)),
  stablefit_lm = list(stable_lm(y ~ z, data), stable_lm(y ~ g, data), stable_lm(y ~ z, data, scale = ~ g),
                      suppressWarnings(stable_lm(y ~ z, data, alpha = ~ g, weights = abs(z)))),
  stablefit_censored = list(stablefit(data.frame(left = sample, right = sample + 1)),
                            stablefit(hist(sample, plot = FALSE), fixed = list(beta = 0), truncation = c(-1e3, Inf))),
  stablewindows = list(stablefit(sample, "quantile", width = 20, by = 5)),
  stablefits = list(stablefit(list(a = sample, b = -sample, c = "none")), stablefit(matrix(sample, 20), "quantile"),
                    stablefit(sample, "quantile", width = 20, by = 5)),
  gintegral = list(gintegrate(function(x) x^2, 0, 1), gintegrate(function(x) c(x, x^2), 0, 1, n.value = 2),
                   gintegrate(function(x, a) a * x, 0, 1:3, params = data.frame(a = 1:3)),
                   gintegrate(function(x, y) x * y, c(0, 0), c(1, 1)),
                   gintegrate(function(x) x, 0, 1, method = "vegas", control = list(seed = 1))),
  gtranslation = list(gtranslate(function(x) x^2)),
  stable_chunks = list(stable_chunks(next_chunk)),
  stable_data = list(stable_data(sample)),
  stable_backend = list(stable_backend()),
  stable_cache = list(stable_cache()),
  stable_devices = list(stable_devices()),
  stable_gof = list(stable_gof(sample, 1.6, 0.3), stable_gof(stablefit(sample, "quantile"), R = 3)),
  mvstable_spectral = list(mvstable_spectral(1.5, 1:3, 1), mvspectralfit(cbind(sample, rev(sample)), 8)),
  mvstablefit = list(mvstablefit(cbind(sample, rev(sample)))),
  summary.mvstablefit = list(summary(mvstablefit(cbind(sample, rev(sample))))),
  summary.mvstable_spectral = list(summary(mvspectralfit(cbind(sample, rev(sample)), directions = 8))),
  stable_comparison = list(stable_compare(stablefit(sample), "t")),
  stable_numbers = list(confint(stablefit(sample, fixed = list(beta = 0)), method = "bootstrap", R = 3),
                        pmvstable(-1, 1, 1.5, diag(2))),
  stable_profile = list(profile(stablefit(sample), "delta", points = 1)),
  stable_sitrep = list(stable_sitrep()),
  summary.gintegral = list(summary(gintegrate(function(x) x^2, 0, 1))),
  summary.stablefit = list(summary(stablefit(sample))),
  summary.stablefits = list(summary(stablefit(list(sample, -sample), "quantile"))),
  default = list(sample)
)

# Valid values by argument name; entries "function:argument" take precedence.  An optional argument that is not listed
# takes one of the choices in its default, or its default.
numbers <- expression(0, 1, c(-1, 0.3, 2), c(a = -1, b = 3), matrix(1:4, 2), 1e5, -20L)
shares <- expression(0.5, c(0.01, 0.5, 0.99), 0, 1, c(a = 0.1))
functions <- expression(function(x) x^2, function(x) exp(-x^2), dnorm, function(x) dstable(x, 1.5, 0), sin)
valid <- list(
  x = numbers, q = numbers, t = numbers, p = shares, probs = shares, n = expression(1, 3, 0, 1:4),
  alpha = expression(1.5, 1, 2, 0.7, c(1.2, 0.8)), beta = expression(0, 0.5, -1, 1), gamma = expression(1, 2, 0),
  delta = expression(0, -1), pm = expression(0, 1, 2, "S0", "S1"), from = expression(0, 1, 2),
    to = expression(0, 1, 2),
  log = expression(TRUE, FALSE), lower.tail = expression(TRUE, FALSE), log.p = expression(TRUE, FALSE),
  "stable_gof.default:gamma" = expression(1, 2), "stablefit:x" = expression(sample, data["y"], list(sample, -sample),
                                                                          stable_chunks(next_chunk),
                                                                          data.frame(left = sample,
                                                                                     right = sample + 1)),
  "stable_data:x" = expression(sample), "stable_gof.default:x" = expression(sample), method = NULL,
  "stablefit:method" = expression("mle", "quantile", "ecf", "logmoment", "quantile", "quantile"),
  "gintegrate:method" = expression("gk", "tanhsinh", "simpson", "auto", "vegas", "forward", "blockcut", "lattice"),
  start = expression(NULL, "quantile", c(alpha = 1.5)), fixed = expression(list(), list(beta = 0), c(alpha = 1.5)),
  control = expression(list(), list(maxit = 20)), weights = expression(NULL, rep(1, 40)),
  "gintegrate:control" = expression(list(), list(seed = 1), list(seed = 42L), list(cells = 16), list(fallback = "R"),
                                    list(expand = "log", cells = 16), list(variant = "SCAQ", cells = 16),
                                    list(h_min = 1e-3, h_max = 0.1), list(symmetric = FALSE)),
    se = expression(TRUE, FALSE),
  na.action = expression(na.omit, na.fail), formula = expression(y ~ z, y ~ g), data = expression(data),
  f = functions, lower = expression(0, -1), upper = expression(1, 2), params = expression(NULL),
  max.eval = expression(NULL, 1e4), dim = expression(NULL, 1), seed = expression(NULL, 1, 42L),
  breaks = expression(NULL, 0.5), level = expression(0.9, 0.5), conf.level = expression(0.9), R = expression(2, 3),
  nsim = expression(1, 2), i = expression(1, TRUE), j = 1, which = NULL,
  "stable_backend:which" = expression("cpu", NULL), "local_stable_backend:which" = expression("cpu"),
  directions = expression(c(0, 1, 3), rbind(c(1, 0), c(1, 1), c(-1, 2))), mass = expression(1, c(1, 2, 0.5)),
  "mvstable_spectral:beta" = expression(1, c(0, 1, -0.5)), "mvspectralfit:x" = expression(cbind(sample, rev(sample))),
  "mvstable_projection:alpha" = expression(1.5, mvstable_spectral(1.5, 0:1, 1)),
  timeout = expression(20), limit = expression(NULL, 1e6, 0),
  parm = expression("alpha", 1:2), digits = expression(3, 7), newdata = expression(data), at = expression(sample, 0),
  rounding = expression(NULL, 0.5), envir = NULL, width = expression(NULL, NULL, 20), by = expression(1, 7),
  truncation = expression(NULL, NULL, c(-1e9, Inf)), chunks = expression(stable_chunks(next_chunk)),
  source = expression(next_chunk), size = expression(10),
  query = expression(NULL, "SELECT 1"), "stable_each:f" = expression(function(x) NULL)
)

# --- functions ----------------------------------------------------------------------------------

# Cost of one call of a function relative to dstable(): expensive functions are called less often.
costs <- c(stablefit = 60, stable_lm = 300, gintegrate = 10, gtranslate = 10, stable_gof = 20, stable_sitrep = 2e4,
           confint.stablefit = 300, anova.stablefit = 300, stable_gof.stablefit = 100, stable_gof.default = 10,
           tidy.stablefit = 100, autoplot.stablefit = 1000, autoplot.stablefit_lm = 1000, autoplot.stablefits = 1000,
           autoplot.stablewindows = 1000, autoplot.stable_gof = 1000, plot.stablefit = 100, plot.stablefit_lm = 100,
           plot.stablefits = 20, plot.stable_gof = 5, plot.gintegral = 100, print.stable_sitrep = 5,
           predict.stablefit = 10, predict.stablefits = 20, update.stablefit = 60, predict.stablefit_lm = 20,
           stable_es = 20, stable_score = 5, summary.stablefit = 5,
           mvstablefit = 300, mvspectralfit = 300, stable_compare = 100, profile.stablefit = 300, pmvstable = 100,
           dmvstable = 20,
           plot.stable_comparison = 100, autoplot.stable_comparison = 1000, plot.stable_profile = 20,
           autoplot.stable_profile = 300, plot.stablefit_censored = 100, autoplot.stablefit_censored = 1000,
           format.stablefit = 5, print.stablefit = 5, print.stablefits = 5)

# Returns each function as list(name, call, formals, class): `call` is the function as a user writes it, `class` the
# class of the first argument (methods only).
list_functions <- function() {
  spec <- parseNamespaceFile("stablecl", dirname(system.file(package = "stablecl")))
  ns <- asNamespace("stablecl")
  exported <- lapply(setdiff(spec$exports, "stable_gof"), function(name)
    list(name = name, call = as.name(name), formals = formals(get(name, ns))))
  # Users do not call the groups by these names, nor the methods that packages emmeans and distributional call, and have
  # no object of the class that holds the data of windows.
  omitted <- spec$S3methods[, 1L] %in% c("Math", "Ops", "Summary") |
    spec$S3methods[, 2L] %in% c("series_windows", "dist_stable") | spec$S3methods[, 4L] %in% "emmeans"
  spec$S3methods <- spec$S3methods[!omitted, , drop = FALSE]
  methods <- lapply(seq_len(nrow(spec$S3methods)), function(k) {
    generic <- spec$S3methods[k, 1L]
    class <- spec$S3methods[k, 2L]
    package <- if (!is.na(spec$S3methods[k, 4L])) spec$S3methods[k, 4L]
    if (!is.null(package) && !requireNamespace(package, quietly = TRUE)) return(NULL)
    if (!class %in% names(objects)) stop("tools/fuzz-arguments.R has no object of class ", class)
    list(name = paste0(generic, ".", class), formals = formals(get(paste0(generic, ".", class), ns)), class = class,
         call = if (is.null(package)) as.name(generic) else call("::", as.name(package), as.name(generic)))
  })
  c(exported, Filter(Negate(is.null), methods))
}

is_given <- function(default) !identical(default, quote(expr = ))

# Returns a list with one valid value of an argument, as an expression; NULL or an empty list to omit the argument.
valid_value <- function(fun, argument) {
  key <- paste0(fun$name, ":", argument)
  default <- if (is_given(fun$formals[[argument]])) fun$formals[[argument]]
  choices <- if (key %in% names(valid)) valid[[key]] else valid[[argument]]
  if (is.null(choices) && is.call(default) && identical(default[[1L]], quote(c))) choices <- as.list(default)[-1L]
  if (!length(choices)) return(if (is.logical(default)) sample(c(TRUE, FALSE), 1L))
  as.list(choices)[sample.int(length(choices), 1L)]
}

# TRUE if the value is a valid number of samples or replicates with which the call would take hours.
takes_hours <- function(argument, value) {
  if (isTRUE(length(value) > 1e6)) return(FALSE)
  argument %in% c("R", "nsim", "max.eval", "n", "subdivisions", "timeout") && is.numeric(value) &&
    length(value) >= 1L && isTRUE(any(value > 1000)) && !(argument == "n" && is.null(value))
}

# --- a call -----------------------------------------------------------------------------------

# Returns valid arguments of a call as a list of expressions, each wrapped in list() so that NULL can be an element.  R
# is always given, because fits to its default number of samples take seconds by the methods that are written in R.
draw_arguments <- function(fun) {
  names <- setdiff(names(fun$formals), "...")
  args <- list()
  for (name in names) {
    first <- name == names[1L] && !is.null(fun$class)
    required <- !is_given(fun$formals[[name]])
    if (!first && !required && name != "R" && stats::runif(1L) < 0.75) next
    value <- if (first) as.list(objects[[fun$class]])[-1L] else valid_value(fun, name)
    if (first) value <- value[sample.int(length(value), 1L)]
    if (length(value)) args[name] <- list(value)
  }
  list(args = args, first = if (!is.null(fun$class)) names[1L], names = names)
}

# Replaces one or two arguments by arbitrary objects; sometimes adds, drops, abbreviates or unnames arguments.
spoil_arguments <- function(drawn, fun) {
  open <- setdiff(drawn$names, if (is.null(drawn$first) || fun$class == "default") character() else drawn$first)
  count <- min(length(open), sample.int(2L, 1L, prob = c(0.7, 0.3)))
  for (name in open[sample.int(length(open), count)]) {
    drawn$args[name] <- list(as.list(odd_objects)[sample.int(length(odd_objects), 1L)])
  }
  drawn$unknown <- FALSE
  u <- stats::runif(1L)
  if (u < 0.04 || !length(open)) {
    extra <- sample(c("foo", "", "gama", "colour", "x1", "na.rm", "inteval", "conf.level"), 1L)
    if (!extra %in% names(fun$formals)) {
      drawn$args <- c(drawn$args, stats::setNames(list(as.list(odd_objects)[sample.int(length(odd_objects), 1L)]),
                                                  extra))
      drawn$unknown <- nzchar(extra)
    }
  } else if (u < 0.07) {
    drop <- sample.int(length(drawn$args), 1L)
    if (!identical(names(drawn$args)[drop], drawn$first)) drawn$args[drop] <- NULL
  } else if (u < 0.12) {
    k <- sample.int(length(drawn$args), 1L)
    names(drawn$args)[k] <- substr(names(drawn$args)[k], 1L, sample.int(nchar(names(drawn$args)[k]), 1L))
  } else if (u < 0.2) {
    names(drawn$args)[seq_len(sample.int(length(drawn$args), 1L))] <- ""
  }
  if (!is.null(drawn$first)) names(drawn$args)[names(drawn$args) == drawn$first] <- ""
  drawn
}

is_operator <- function(fun) identical(fun$call, as.name("[")) || identical(fun$call, as.name("[["))

# Returns the call of a function with the given arguments.
make_call <- function(fun, args) {
  if (is_operator(fun)) names(args) <- NULL
  as.call(c(list(fun$call), unname_if_empty(args)))
}

unname_if_empty <- function(args) {
  args <- lapply(args, function(a) if (is.list(a)) a[[1L]] else a)
  if (is.null(names(args)) || !any(nzchar(names(args)))) names(args) <- NULL
  args
}

# Returns the object that an expression of `odd_objects` or `objects` describes; each is created once, with a copy to
# detect changes.
object_of <- function(expression) {
  key <- paste(deparse(expression, 500L), collapse = "")
  known <- fuzz_state$made[[key]]
  if (is.null(known)) {
    make <- function() list(eval(expression, fuzz_state$home))
    known <- list(value = make(), copy = make())
    known$same <- isTRUE(length(known$value[[1L]]) < 1e6) && same_object(known$value, known$copy)
    fuzz_state$made[[key]] <- known
  }
  known$key <- key
  known
}

same_object <- function(a, b) {
  identical(a, b, num.eq = FALSE, single.NA = FALSE, attrib.as.set = FALSE, ignore.bytecode = FALSE,
            ignore.environment = TRUE,
            ignore.srcref = TRUE)
}

# --- faults of an outcome ---------------------------------------------------------------------

# R's own messages for wrong arguments.
base_phrases <- paste(c(
  '^argument ".*" is missing, with no default$', "^unused argument",
    "^[Nn]on-numeric argument to mathematical function$",
  "^formal argument .* matched by multiple", "^argument [0-9]+ matches multiple formal arguments$",
  "^cannot allocate vector", "^invalid arguments$", "^missing values in object$", "^of the user$",
  "^promise already under evaluation"),
    collapse = "|")

# R's messages for any object: of `[` about an index, length() and others about a second argument, data.frame() about
# row names, `if` as the function that is called with each chunk.
base_phrases_of <- c("[" = "^invalid subscript type|^incorrect number of",
                     "[[" = "^invalid subscript type|^incorrect number of",
                     length = "arguments? passed to 'length'", names = "arguments? passed to 'names'",
                     is.na = "arguments? passed to 'is.na'", xtfrm = "arguments? passed to 'xtfrm'",
                     as.data.frame = "^duplicate row.names", stable_each = "^the condition has length")

# Messages of dnorm() about flags such as `log = "a"` and of rnorm() about numbers such as `n = "a"`, which this package
# adopts.
flag_phrases <- paste(c("^NAs introduced by coercion", "^imaginary parts discarded", "^invalid multibyte string at",
                        "^unimplemented type '.*' in 'asInteger'"), collapse = "|")
has_flags <- function(fun) fun$name %in% c("dstable", "pstable", "qstable", "rstable", "stable_eval")

# Messages of R's print() and plot() about arguments that a method passes on to them.
passed_phrases <- paste(c("^invalid (printing )?digits", "^invalid '?(xlim|ylim|col|pch|xlab|ylab|main|lty)'?",
                          "^invalid color",
                          "^invalid plot title", "^invalid graphics parameter", "^need finite '[xy]lim' values$",
                          "^numerical color values must be", "^environments cannot be coerced",
                          "^invalid (text|label|plotting)", "must be a valid",
                          "^no method for coercing this S4 class", "^malformed factor$",
                          "^cannot coerce type '.*' to vector of type 'character'$",
                          "^only NA allowed in logical plotting symbol$",
                            "^invalid .*[gG]raphical parameter", "^plot type",
                          "^invalid (quote|right|max|na.print|zero.print|tag|'?na.print'?|print.gap)"),
                            collapse = "|")

# Messages of model.frame() about formulas and data.
model_phrases <- paste(c("^object '.*' not found$", "^could not find function",
                         "^attempt to apply non-function$", "^variable lengths differ",
                         "^invalid type \\(.*\\) for variable",
                         "^'data' must be a data.frame", "^'.' in formula and no 'data' argument",
                           "^contrasts can be applied",
                         "^invalid model formula", "^argument is not a valid model$",
                         "^cannot coerce class .* to a data.frame$", "^arguments imply differing number of rows"),
                       collapse = "|")

# Warnings of plot() about colours, labels and objects that a method passes on to it.
passed_warnings <- paste(c("^supplied color is neither numeric nor character", "^NAs introduced by coercion",
                           "^conversion failure on", "^font (metrics|width) unknown",
                           "^pch value '.*' is invalid in this locale$"), collapse = "|")

base_warnings <- "^NaNs produced$|is not a graphical parameter$|^NAs produced$"

# Functions that by default use R's random numbers.
random <- c("rstable", "rmvstable", "pmvstable", "simulate.mvstable_spectral", "simulate.mvstablefit",
            "simulate.stablefit", "simulate.stablefit_lm", "simulate.stablefit_censored", "stable_gof.stablefit",
            "confint.stablefit", "anova.stablefit", "tidy.stablefit",
            "gintegrate")
# Functions that change settings of the package.
setters <- c("stable_threads", "stable_backend", "local_stable_backend", "stable_cache")

# Returns the parts of the session's state that a call of `fun` must not change.
session_state <- function(fun) {
  c(list(options = options()[fuzz_state$options], folder = getwd(), devices = grDevices::dev.list(),
         sinks = sink.number(),
         objects = ls(globalenv(), all.names = TRUE)),
    if (grepl("plot", fun$name)) list(par = graphics::par(no.readonly = TRUE)[c("mfrow", "mar", "mgp", "ask",
        "las", "xpd")]),
    if (!fun$name %in% random) list(generator = get(".Random.seed", globalenv())),
    if (!fun$name %in% setters) list(threads = stablecl::stable_threads()))
}

# Evaluates a call; returns list(error, warnings, value) with the conditions raised.
outcome_of <- function(call, env) {
  warnings <- list()
  error <- NULL
  value <- NULL
  visible <- withCallingHandlers(
    tryCatch({ value <- eval(call, env); NULL }, error = function(e) error <<- e,
             interrupt = function(e) error <<- e),
    warning = function(w) { warnings[[length(warnings) + 1L]] <<- w; invokeRestart("muffleWarning") },
    message = function(m) invokeRestart("muffleMessage"))
  list(error = error, warnings = warnings, value = value)
}

squeeze <- function(text) substr(gsub("[0-9]+", "#", gsub("[[:space:]]+", " ", enc2utf8(text))), 1L, 150L)

# Returns a description of each fault of an outcome.
faults_of <- function(outcome, fun, drawn) {
  faults <- character()
  e <- outcome$error
  if (!is.null(e)) {
    text <- conditionMessage(e)
    own <- inherits(e, "stablecl_error")
    special <- base_phrases_of[sub("[.][^.]*$", "", fun$name)]
    phrases <- paste(c(base_phrases, special[!is.na(special)], if (has_flags(fun)) flag_phrases,
                       if (passes_on(fun)) passed_phrases,
                       if (fun$name %in% c("stable_lm", "stablefit", "predict.stablefit_lm")) model_phrases),
                         collapse = "|")
    if (!own && !grepl(phrases, text, useBytes = TRUE)) faults <- c(faults, paste("error:", squeeze(text)))
    if (nchar(text, "bytes") > 2000L) faults <- c(faults, paste("a message of more than 2000 bytes:", squeeze(text)))
    if (own && !identical(blamed(e), "user")) faults <- c(faults,
                                                          paste("the error blames", blamed(e), "-", squeeze(text)))
  } else if (drawn$unknown && !passes_on(fun)) {
    faults <- c(faults, "an unknown argument is ignored")
  }
  phrases <- paste(c(base_warnings, if (has_flags(fun) || passes_on(fun)) flag_phrases,
                     if (passes_on(fun)) passed_warnings), collapse = "|")
  for (w in outcome$warnings) {
    if (!inherits(w, "stablecl_warning") && !grepl(phrases, conditionMessage(w), useBytes = TRUE))
      faults <- c(faults, paste("warning:", squeeze(conditionMessage(w))))
  }
  faults
}

# Returns "user" if the call of a condition is one that a user can have made, "nobody" if it has no call, otherwise the
# name of the function called.
blamed <- function(e) {
  call <- conditionCall(e)
  if (is.null(call)) return("nobody")
  name <- paste(deparse(call[[1L]]), collapse = "")
  name <- sub("^stablecl::", "", name)
  if (name %in% fuzz_state$known) "user" else substr(name, 1L, 60L)
}

# TRUE if a method may pass unknown arguments to R's print(), format() or plot(), or if the function has no `...`.
passes_on <- function(fun) grepl("^(print|format|plot|autoplot)[.]", fun$name) || !"..." %in% names(fun$formals)

# --- a trial ----------------------------------------------------------------------------------

setup <- function() {
  Sys.setenv(OCL_ICD_VENDORS = tempdir())                  # hide devices: their messages and times vary
  suppressMessages(library(stablecl))
  fuzz_state$home <- new.env(parent = globalenv())
  prepare_objects(fuzz_state$home)
  fuzz_state$made <- new.env(parent = emptyenv())
  fuzz_state$functions <- list_functions()
  names <- vapply(fuzz_state$functions, `[[`, "", "name")
  cost <- ifelse(names %in% names(costs), costs[names], 1)
  fuzz_state$chance <- 1 / (1 + cost)
  spec <- vapply(fuzz_state$functions, function(f) sub(".*::", "", paste(deparse(f$call), collapse = "")), "")
  fuzz_state$known <- unique(c(names, spec, "stable_gof"))
  fuzz_state$options <- setdiff(names(options()), c("error", "warn"))
  options(warn = 0, device = function(...) grDevices::pdf(NULL))
  grDevices::pdf(NULL)
  fuzz_state$screen <- file(if (.Platform$OS.type == "windows") "nul" else "/dev/null", "w")
}

evaluate <- function(fun, args) {
  env <- new.env(parent = fuzz_state$home)
  made <- lapply(args, function(a) object_of(a[[1L]]))
  for (k in seq_along(made)) assign(paste0("a", k), made[[k]]$value[[1L]], envir = env)
  call <- make_call(fun, stats::setNames(lapply(seq_along(args), function(k) list(as.name(paste0("a", k)))),
                                         names(args)))
  before <- session_state(fun)
  count_call()
  sink(fuzz_state$screen)
  on.exit(while (sink.number() > before$sinks) sink())
  outcome <- outcome_of(call, env)
  outcome$before <- before
  outcome$after <- session_state(fun)
  outcome$after$sinks <- outcome$after$sinks - 1L              # the sink opened by this function
  outcome$changed <- Filter(function(m) m$same && !same_object(m$value, m$copy), made)
  outcome
}

# Returns the faults of an outcome, including changed arguments and changed session state.
all_faults <- function(outcome, fun, drawn) {
  differs <- names(outcome$before)[!mapply(identical, outcome$before, outcome$after)]
  c(faults_of(outcome, fun, drawn),
    if (length(outcome$changed)) "an argument is changed",
    if (length(differs)) paste("left changed:", paste(differs, collapse = ", ")))
}

# Restores the objects and settings that a call has changed.
restore <- function(outcome, fun) {
  for (m in outcome$changed) rm(list = m$key, envir = fuzz_state$made)
  if (fun$name %in% setters) {
    stablecl::stable_threads(0)
    stablecl::stable_backend("default")
    stablecl::stable_cache(2^27)
  }
  options(outcome$before$options)
  for (d in setdiff(grDevices::dev.list(), outcome$before$devices)) grDevices::dev.off(d)
}

# Returns the arguments without those that are not needed to reproduce a fault.
shorten <- function(args, fun, drawn, fault) {
  k <- length(args)
  while (k >= 1L) {
    fewer <- args[-k]
    outcome <- tryCatch(evaluate(fun, fewer), error = function(e) NULL)
    if (!is.null(outcome)) {
      if (fault %in% all_faults(outcome, fun, drawn)) args <- fewer
      restore(outcome, fun)
    }
    k <- k - 1L
  }
  args
}

show_call <- function(fun, args) {
  args <- lapply(args, `[[`, 1L)
  if (is_operator(fun)) names(args) <- NULL
  deparse(as.call(c(list(fun$call), args)), 110L)
}

trial <- function(i) {
  fun <- fuzz_state$functions[[sample.int(length(fuzz_state$functions), 1L, prob = fuzz_state$chance)]]
  drawn <- spoil_arguments(draw_arguments(fun), fun)
  args <- drawn$args
  values <- lapply(args, function(a) object_of(a[[1L]])$value[[1L]])
  if (any(mapply(takes_hours, names(args), values))) return()
  announce(show_call(fun, args))
  outcome <- evaluate(fun, args)
  faults <- all_faults(outcome, fun, drawn)
  restore(outcome, fun)
  for (fault in faults) {
    short <- if (is.null(fuzz_state$seen[[paste(fun$name, fault)]]) && !drawn$unknown) shorten(args, fun, drawn,
        fault) else args
    fuzz_state$seen[[paste(fun$name, fault)]] <- TRUE
    finding(paste0(fun$name, ": ", fault), show_call(fun, short))
  }
}
fuzz_state$seen <- list()

fuzz("arguments", trial, setup, default = 8000, memory = 3 * 2^20)
