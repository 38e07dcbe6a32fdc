# Caches of translations and dimensions of integrands.  A translation is cached if it depends on nothing but the
# function's text, the given arguments, R functions whose value depends on their arguments alone (pure_functions()), and
# captured vectors and functions of the user, which are compared in each call; options, files, the environment and the
# clock are read each time.  `compared` holds the points of the last comparison of the translation with the function,
# and a point at which they are compared in every call.  A function without translation is cached, too; if values that
# its text does not show have changed since, so that it could be translated now, R continues to evaluate it.  The number
# of variables follows from the text, the arguments and the shape of the limits; to determine it takes as long as a
# small integral.

translations <- new.env(parent = emptyenv())
refusals <- new.env(parent = emptyenv())
dimensions <- new.env(parent = emptyenv())
caches <- list(dimensions, translations, refusals, session_cache)  # for C_recalled
entries_most <- 16L

# Returns the first element of a key: most keys of other functions differ from it in the first number.
text_hash <- function(f) .Call(C_expression_hash, formals(f), body(f))

# Returns the entry with this key, or NULL.  0 and -0 are different keys.
find_entry <- function(all, key) {
  for (entry in all$entries) if (identical(entry$key, key, num.eq = FALSE)) return(entry)
}

# Adds an entry, in place of that with the same key.
store_entry <- function(all, entry) {
  others <- Filter(function(e) !identical(e$key, entry$key, num.eq = FALSE), all$entries)
  all$entries <- utils::head(c(list(entry), others), entries_most)
}

remove_entry <- function(all, made) all$entries <- Filter(function(entry) !identical(entry$made, made), all$entries)

cached_dim <- function(dim, f, fixed, parameters, lower, upper, call) {
  if (is.primitive(f)) return(check_dim(dim, f, fixed, parameters, lower, upper, call))
  key <- list(text_hash(f), formals(f), body(f), fixed, parameters, dim, length(lower), length(upper),
              attr(lower, "dim"), attr(upper, "dim"))
  entry <- find_entry(dimensions, key)
  if (!is.null(entry)) return(entry$dim)
  dim <- check_dim(dim, f, fixed, parameters, lower, upper, call)
  store_entry(dimensions, list(key = key, dim = dim))
  dim
}

# Returns a translation, or the condition that gives the reasons why the integrand has none.  reasons: TRUE if these
# reasons must be up to date.
cached_translation <- function(f, dim, fixed, parameters, call, reasons = FALSE, components = 1L) {
  translate <- function()
    tryCatch(translate_integrand(f, dim, fixed, parameters, call, components), gintegrate_untranslatable = identity)
  if (is.primitive(f) || length(fixed) && !all(vapply(fixed, is_numeric_or_logical, NA))) return(translate())
  key <- list(text_hash(f), formals(f), body(f), c(dim, if (components > 1L) components), fixed, parameters)
  entry <- find_entry(translations, key)
  if (!is.null(entry) && is_current(entry, environment(f))) return(entry$made)
  refused <- if (!reasons && is.null(entry)) find_entry(refusals, key)
  if (!is.null(refused) && is_current(refused, environment(f))) return(refused$made)
  made <- translate()
  if (!inherits(made, "gtranslation")) return(store_refusal(made, key, f, fixed))
  scopes <- if (is_of_base_packages(f)) list() else scopes_of(f)
  if (is.null(scopes)) return(made)
  own <- if (length(scopes)) scopes[[1L]] else list(names = character(), values = list())
  made$compared <- new.env(parent = emptyenv())
  store_entry(translations, list(key = key, names = own$names, values = own$values, made = made, others = scopes[-1L]))
  made
}

captured_most <- 1e5                    # elements of captured vectors that an entry may keep in memory

# Returns what a translation depends on besides the text of `f`: the names in it with their values and the environment
# where they are found, and the same for each of the user's functions that it calls.  Returns NULL if it depends on
# more.  known: functions that are being examined.
scopes_of <- function(f, known = list()) {
  names <- names_in(f)
  values <- values_of(names, environment(f))
  pure <- names %in% pure_functions()
  called <- !pure & !names %in% names_not_called(f)
  is_users <- vapply(values, is_users_function, NA)
  if (any(names %in% impure_functions) || !are_base(names[pure], environment(f)) ||
      !all(vapply(values[called & !is_users], is.null, NA)) ||
      !all(vapply(values[!pure & !called & !is_users], is_constant, NA)) ||
      sum(lengths(unlist(values[!pure & !is_users], FALSE))) > captured_most) return()
  all <- list(list(env = environment(f), names = names, values = values))
  known <- c(known, f)
  for (g in values[!pure & is_users]) {
    if (any(vapply(known, identical, NA, g))) next
    inner <- scopes_of(g, known)
    if (is.null(inner)) return()
    all <- c(all, inner)
  }
  all
}

# Returns the names in the text of `f` that are neither called nor parts of texts.
names_not_called <- function(f) {
  names_of <- function(functions) unlist(lapply(c(list(body(f)), formals(f)), all.names, functions = functions))
  data <- names_of(FALSE)
  names <- unique(data)
  count <- function(all) tabulate(match(all, names), length(names))
  setdiff(names[count(data) == count(names_of(TRUE))], .Call(C_texts_in, body(f)))
}

# TRUE for a closure that is not defined in a package.
is_users_function <- function(v) is.function(v) && !is.primitive(v) && !isNamespace(environment(v))

# TRUE for a vector, a list of vectors, or NULL, which stands for a name without a value; also for a function of R,
# whose name may be that of an element of a list or of a variable in `f`.
is_constant <- function(v) {
  if (is.function(v)) is.primitive(v) || getNamespaceName(environment(v)) %in% base_packages
  else is.null(v) || is.atomic(v) || is.list(v) && all(vapply(v, is.atomic, NA))
}

# TRUE if all names that an entry depends on have the values that they had.
is_current <- function(entry, env) {
  for (scope in c(list(list(env = env, names = entry$names, values = entry$values)), entry$others))
    if (!identical(values_of(scope$names, scope$env), scope$values, num.eq = FALSE)) return(FALSE)
  TRUE
}

# Returns the reasons why `f` has no translation, with the value of may_return_vectors(); is_evaluated_at_once: may R
# evaluate it without checks, from the second call on?  They are cached unless this would keep data of the user in
# memory.
store_refusal <- function(reasons, key, f, fixed) {
  names <- names_in(f)
  values <- values_of(names, environment(f))
  is_kept <- function(v) {
    if (is.function(v)) is.primitive(v) || isNamespace(environment(v)) || identical(environment(v), globalenv())
    else is.null(v) || is.atomic(v) && length(v) <= 100L
  }
  reasons$may_return_vectors <- may_return_vectors(f, fixed)
  reasons$is_evaluated_at_once <- !reasons$may_return_vectors && !any(names %in% impure_functions)
  if (all(vapply(values, is_kept, NA)))
    store_entry(refusals, list(key = key, names = names, values = values, made = reasons))
  reasons
}

# --- repeated calls -------------------------------------------------------------------

# Returns the result of gintegrate() for a call that src/r_integral.c has left to R: `made` is a translation that has
# not yet been compared with its function between these limits, or the value of store_refusal().  Returns NULL if the
# call needs the checks of gintegrate(), "interrupted" if the evaluation of the function by R was interrupted.
cached_integral <- function(made, f, lower, upper, rel.tol, abs.tol, max.eval, method, call) {
  if (inherits(made, "condition")) {
    integrand <- closure_integrand(f, 1L, list(), NULL, call)$blocks
    return(without_conditions(.Call(C_integral, integrand, NULL, f, lower, upper, rel.tol, abs.tol, max.eval, method,
                                    integral_statuses(), call), "interrupted"))
  }
  made <- unclass(made)
  agrees <- agrees_between(made, if (is.function(f)) f else made$source, lower, upper)
  if (!isTRUE(agrees)) return(if (is.na(agrees)) "interrupted")
  made$compared$where <- list(list(), list(lower), list(upper))
  .Call(C_integral, made$program, made$compared$where, f, lower, upper, rel.tol, abs.tol, max.eval, method,
        integral_statuses(), call)
}

# TRUE if a translation clearly agrees with its function (a value of gtranslate(): with its `source`) at the points of
# compare_where_new(); if not, that function decides.  NA if the function was interrupted.  A function that accepts
# vectors is called once: it was compared at single points before.
agrees_between <- function(made, f, lower, upper) {
  if (is.list(f)) {
    if (length(f$fixed)) return(FALSE)
    f <- f$f
  }
  agrees <- function(singly) {
    without_conditions(.Call(C_agrees, made$program, f, lower, upper, check_shares, singly), "interrupted")
  }
  together <- agrees(FALSE)
  if (is.null(together)) together <- agrees(TRUE)
  if (identical(together, "interrupted")) NA else isTRUE(together)
}

# TRUE if a translation clearly agrees with its function at the points of compare_where_new(), one by one, and all at
# once unless the function then fails.
agrees_everywhere <- function(program, f, lower, upper) {
  isTRUE(without_conditions(.Call(C_agrees, program, f, lower, upper, check_shares, TRUE))) &&
    !isFALSE(without_conditions(.Call(C_agrees, program, f, lower, upper, check_shares, FALSE)))
}

# Returns the value of an expression without warnings; NULL after an error, and `interrupted`, unless that is NULL,
# after an interrupt.  Evaluating `leave` or `stopped` returns from this function, which takes a third of the time of
# tryCatch().
without_conditions <- function(expr, interrupted = NULL, leave = return(NULL), stopped = return(interrupted)) {
  withCallingHandlers(expr, warning = function(w) tryInvokeRestart("muffleWarning"),
                      error = function(e) if (!is_external_failure(e)) leave,
                      interrupt = function(e) if (!is.null(interrupted)) stopped)
}

# TRUE if `f` is a function of R itself that has a translation.
is_of_base_packages <- function(f) {
  isNamespace(environment(f)) && getNamespaceName(environment(f)) %in% base_packages &&
    !identical(call_of_supported(f), f)
}

# Returns the names in the text of `f` except those of its arguments; a text in it may be the name of a function, as in
# do.call("g", ...).
names_in <- function(f) {
  names <- unique(c(all.names(body(f)), unlist(lapply(formals(f), all.names)), .Call(C_texts_in, body(f))))
  setdiff(names, c(names(formals(f)), ""))
}

values_of <- function(names, env) mget(names, envir = env, ifnotfound = list(NULL), inherits = TRUE)

are_base <- function(names, env) {
  for (name in names) if (!is_base(name, env)) return(FALSE)
  TRUE
}

# Returns the names of functions and constants of R whose value depends on their arguments alone: those that have a
# translation, and further ones that R may evaluate at translation.
pure_functions <- function() {
  if (is.null(session_cache$pure)) {
    own <- c(inner_operations, dstable = 1L, pstable = 1L)
    quantiles <- paste0("q", c("norm", "unif", "exp", "gamma", "beta", "t", "chisq", "f", "cauchy", "logis", "lnorm",
                               "weibull", "pois", "binom", "nbinom", "geom"))
    translated <- setdiff(ls(supported_functions, all.names = TRUE), names(own))
    session_cache$pure <- c(translated, names(special_forms), quantiles, "(", "return", "pi", "T", "F", ":", "seq",
                            "seq_len", "numeric", "double", "integer", "logical", "which", "which.max", "which.min",
                            "sort", "order", "diff", "is.null", "isTRUE", "isFALSE", "nchar", "as.integer",
                            "as.logical", "var", "sd", "median", "besselI", "besselK", "bitwAnd", "bitwOr", "signif",
                            ".Machine", "poly", "is.numeric", "psigamma")
  }
  session_cache$pure
}
