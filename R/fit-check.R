# Checks of the arguments of stablefit().

fit_parameters <- c("alpha", "beta", "gamma", "delta")
fit_least_n <- 8L

fit_control <- list(alpha.min = 0.01, maxit = 200L, tol = 1e-8, grid = 4)

# Returns a checked list with the elements of `known`, its defaults.
check_fit_control <- function(control, call, known = fit_control) {
  control <- with_defaults(control, known, call)
  least <- control$alpha.min
  if (!is.numeric(least) || length(least) != 1L || !(least >= 0.001 && least < 1))
    stop_with(call, "argument", "`control$alpha.min` must be one number, at least 0.001 and below 1, not ",
              value_text(least), ".")
  for (name in c("maxit", "tol"))
    if (!is.numeric(control[[name]]) || length(control[[name]]) != 1L || !isTRUE(control[[name]] > 0))
      stop_with(call, "argument", "`control$", name, "` must be one positive number, not ",
                value_text(control[[name]]), ".")
  if ("grid" %in% names(known) && !identical(as.numeric(control$grid), 2) && !identical(as.numeric(control$grid), 4))
    stop_with(call, "argument", "`control$grid` must be 2 or 4, not ", value_text(control$grid), ".")
  control
}

# Returns `control` supplemented by the defaults `known`, or raises an error if it has other elements.
with_defaults <- function(control, known, call) {
  odd <- setdiff(names(control), names(known))
  if (!is.list(control) || length(odd) || length(control) && is.null(names(control)))
    stop_with(call, "argument", "`control` must be a named list with elements from ",
              paste(names(known), collapse = ", "),
              if (length(odd)) paste0("; ", sQuote(odd[1L], FALSE), " is not one of them"), ".")
  utils::modifyList(known, control)
}

# FALSE for functions, environments, calls, S4 objects and pointers, which as.list() would decompose or reject.
is_list_or_vector <- function(value) is.null(value) || is.list(value) || is.atomic(value)

# Returns values, a list or vector with unique names among `known`, as a named list, which may be empty.
named_values <- function(values, known, arg, call) {
  if (is_list_or_vector(values)) values <- as.list(values)
  if (!length(values)) return(stats::setNames(list(), character()))
  odd <- if (is.list(values)) setdiff(names(values), known)
  if (!is.list(values) || is.null(names(values)) || length(odd) || anyDuplicated(names(values)))
    stop_with(call, "argument", "`", arg, "` must have unique names among ", paste(known, collapse = ", "),
              if (length(odd)) paste0("; ", sQuote(odd[1L], FALSE), " is not one of them"), ".")
  if (arg == "start") values[!is.na(values)] else values   # beta is NA in coef() of a Gaussian fit
}

# Returns a named list or vector of parameter values as a named numeric vector, which may be empty.
check_fit_parameters <- function(values, arg, call) {
  values <- named_values(values, fit_parameters, arg, call)
  for (name in names(values)) check_fit_value(values[[name]], name, arg, call)
  stats::setNames(as.numeric(values), names(values))
}

# Returns checked start values, or the name of a method.
check_fit_start <- function(start, call) {
  if (!is.character(start)) return(check_fit_parameters(start, "start", call))
  methods <- eval(formals(stablefit)$method)
  if (length(start) != 1L || !start %in% methods)
    stop_with(call, "argument", "`start` must contain parameter values or be one of ",
              paste0('"', methods, '"', collapse = ", "), ", not ", value_text(start), ".")
  start
}

# kind: the parameter whose domain the value must be in.
check_fit_value <- function(value, name, arg, call, kind = name) {
  good <- is.numeric(value) && length(value) == 1L && is.finite(value)
  good <- good && switch(kind,
    alpha = value > 0 && value <= 2, beta = abs(value) <= 1, gamma = value > 0, delta = TRUE)
  if (good) return(invisible())
  range <- c(alpha = "one number in (0, 2]", beta = "one number in [-1, 1]",
             gamma = "one positive number", delta = "one finite number")
  what <- if (is.null(arg)) name else paste0(arg, "$", name)
  stop_with(call, "argument", "`", what, "` must be ", range[[kind]], ", not ", value_text(value), ".")
}

# Raises an error if delta of S1 or S2, or gamma of S2, is fixed.  They depend on the other parameters, so that fixing
# them would impose an unintended constraint on alpha and beta.
check_fixed_meaning <- function(fixed, pm, call) {
  tied <- intersect(names(fixed), switch(pm + 1L, character(), "delta", c("gamma", "delta")))
  if (length(tied))
    stop_with(call, "argument", "`fixed$", tied[1L], "` requires pm = 0: with pm = ", pm, ", ", tied[1L],
              " depends on alpha and beta.")
}

# Raises an error if alpha is fixed at, or starts from, less than the least value considered.
check_fixed_alpha <- function(fixed, least, call, arg = "fixed") {
  if ("alpha" %in% names(fixed) && fixed[["alpha"]] < least)
    stop_with(call, "argument", "`", arg, "$alpha` must be at least `control$alpha.min`, ", value_text(least), ", not ",
              value_text(fixed[["alpha"]]), ".")
}

# Returns the fixed parameters, including beta = 0.
make_symmetric <- function(fixed, call) {
  if ("beta" %in% names(fixed) && fixed[["beta"]] != 0)
    stop_with(call, "argument", "`fixed$beta` must be 0 or omitted, not ", fixed[["beta"]],
              ": method \"logmoment\" fits symmetric distributions only.")
  replace(fixed, "beta", 0)
}

# Returns the function that na.action is or names, or raises an error.
na_function <- function(na.action, call) {
  if (is.null(na.action)) return(stats::na.pass)
  by_name <- is.character(na.action) && length(na.action) == 1L && nchar(na.action, "bytes") < 1000L
  f <- if (is.function(na.action)) na.action else if (by_name) get0(na.action, parent.frame(2L), mode = "function")
  if (is.null(f))
    stop_with(call, "argument", "`na.action` must be a function such as na.omit, or its name, not ",
              value_text(na.action), ".")
  f
}

# Returns x as a double vector without attributes, or raises an error.  NA alone is logical in R.
as_numbers <- function(x, call) {
  if (is.logical(x) && all(is.na(x))) storage.mode(x) <- "double"
  if (!is.numeric(x) || is.object(x) && !inherits(x, c("ts", "zoo", "xts", "integer64")))
    stop_with(call, "data", "`x` must be numeric, not ", class(x)[1L], ".")
  if (length(dim(x)) > 2L)
    stop_with(call, "data", "`x` must be a vector or a matrix, not an array of ", length(dim(x)), " dimensions.")
  as.vector(x, "double")
}

# Returns the sample after na.action as finite numbers, or raises an error.
fit_sample <- function(x, na.action, call) {
  n <- length(x)
  x <- as_numbers(x, call)
  if (anyNA(x)) x <- na_function(na.action, call)(x)
  if (n > 0L && length(x) == 0L)
    stop_with(call, "data", "All ", n, " elements of `x` are missing.")
  bad <- if (is.finite(sum(x))) integer() else which(!is.finite(x))       # the sum is fast, but may overflow
  if (length(bad))
    stop_with(call, "data", "`x` must be finite, but element ", bad[1L], " is ", x[bad[1L]], " (non-finite elements: ",
              length(bad), "). Remove them with x[is.finite(x)].")
  if (length(x) < fit_least_n)
    stop_with(call, "data", "Fitting a stable distribution requires at least ", fit_least_n,
              " observations; `x` has ", length(x), ".")
  x
}

# TRUE if fit_sample() would return x unchanged.  FALSE also if that would take longer to determine.
is_plain_sample <- function(x) is.double(x) && is.null(attributes(x)) && length(x) >= fit_least_n && is.finite(sum(x))

# Returns NULL, or one nonnegative number for each element of x.
check_fit_weights <- function(weights, x, method, call) {
  if (is.null(weights)) return(NULL)
  if (method != "mle")
    stop_with(call, "argument", "`weights` require method = \"mle\", not \"", method, "\".")
  if (!is.numeric(weights) || length(weights) != length(x))
    stop_with(call, "argument", "`weights` must be ", length(x), " numbers, one for each element of `x`, not ",
              value_text(weights), ".")
  bad <- which(!(is.finite(weights) & weights >= 0))
  if (length(bad))
    stop_with(call, "argument", "`weights` must be finite and non-negative, but element ", bad[1L], " is ",
              weights[bad[1L]], " (invalid elements: ", length(bad), ").")
  as.double(weights)
}

# Returns the weights, if any, of the remaining sample: those that are not 0, without those of the values that na.action
# has dropped.
remaining_weights <- function(weights, x) {
  if (is.null(weights)) return(NULL)
  weights <- weights[weights > 0]
  gone <- attr(x, "na.action")
  if (is.null(gone)) weights else weights[-gone]
}

# Returns the rows that are left out, as na.action does: those of weight 0, and those of the others that na.action has
# dropped, `gone`.
omitted_rows <- function(weights, gone, na.action, call) {
  if (is.null(weights) || all(weights > 0)) return(gone)
  is_excluded <- if (is.null(gone)) identical(na_function(na.action, call), stats::na.exclude) else
    inherits(gone, "exclude")
  structure(sort(c(which(weights == 0), which(weights > 0)[gone])), class = if (is_excluded) "exclude" else "omit")
}

check_replicates <- function(R, call) {
  good <- is.numeric(R) && length(R) == 1L && is.finite(R) && R >= 1
  if (!good) stop_with(call, "argument", "`R` must be one number of replicates, at least 1, not ", value_text(R), ".")
  as.integer(R)
}

check_level <- function(level, call) {
  good <- is.numeric(level) && length(level) == 1L && !is.na(level) && level > 0 && level < 1
  if (!good) stop_with(call, "argument", "`level` must be one number between 0 and 1, not ", value_text(level), ".")
  as.double(level)
}

check_numeric_values <- function(value, name, call) {
  if (!is_numeric_or_logical(value))
    stop_with(call, "argument", "`", name, "` must be numeric, not ", value_text(value), ".")
  value
}

check_flag <- function(value, name, call) {
  if (!isTRUE(value) && !isFALSE(value))
    stop_with(call, "argument", "`", name, "` must be TRUE or FALSE, not ", value_text(value), ".")
  value
}
