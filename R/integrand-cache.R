# Caches of translations and dimensions of integrands.  A translation is cached if it depends on nothing but the
# function's text, the given arguments, and R functions whose value depends on their arguments alone (pure_functions());
# captured values, options, files, the environment and the clock are read each time.  `compared` holds the points of the
# last comparison of the translation with the function, and a point at which they are compared in every call.  The
# number of variables follows from the text, the arguments and the shape of the limits; to determine it takes as long
# as a small integral.

translations <- new.env(parent = emptyenv())
dimensions <- new.env(parent = emptyenv())
entries_most <- 16L

# Returns the entry with this key, or NULL.  0 and -0 are different keys.
recall <- function(all, key) {
  for (entry in all$entries) if (identical(entry$key, key, num.eq = FALSE)) return(entry)
}

keep <- function(all, entry) all$entries <- utils::head(c(list(entry), all$entries), entries_most)

forget <- function(all, made) all$entries <- Filter(function(entry) !identical(entry$made, made), all$entries)

dim_or_recall <- function(dim, f, fixed, parameters, lower, upper, call) {
  if (is.primitive(f)) return(check_dim(dim, f, fixed, parameters, lower, upper, call))
  key <- list(formals(f), body(f), fixed, parameters, dim, length(lower), length(upper), attr(lower, "dim"),
              attr(upper, "dim"))
  entry <- recall(dimensions, key)
  if (!is.null(entry)) return(entry$dim)
  dim <- check_dim(dim, f, fixed, parameters, lower, upper, call)
  keep(dimensions, list(key = key, dim = dim))
  dim
}

# Returns a translation, or the condition that gives the reasons why the integrand has none.
translate_or_recall <- function(f, dim, fixed, parameters, call) {
  translate <- function()
    tryCatch(translate_integrand(f, dim, fixed, parameters, call), gintegrate_untranslatable = identity)
  if (is.primitive(f) || length(fixed) && !all(vapply(fixed, is_numeric_or_logical, NA))) return(translate())
  key <- list(formals(f), body(f), dim, fixed, parameters)
  entry <- recall(translations, key)
  if (!is.null(entry) && identical(values_of(entry$names, environment(f)), entry$values)) return(entry$made)
  made <- translate()
  names <- if (is_of_base_packages(f)) character() else names_in(f)
  if (!inherits(made, "gtranslation") || !all(names %in% pure_functions()) || !are_base(names, environment(f)))
    return(made)
  made$compared <- new.env(parent = emptyenv())
  keep(translations, list(key = key, names = names, values = values_of(names, environment(f)), made = made))
  made
}

# Returns the result of gintegrate() if it needs none of its checks: for the same function, or translation, between the
# same limits as before, and if the integral converges after few evaluations; otherwise NULL.
recalled_integral <- function(f, lower, upper, method, rel.tol, abs.tol, max.eval, control, backend, call) {
  if (!identical(backend, "auto") || !identical(control, list())) return()
  made <- if (inherits(f, "gtranslation")) unclass(f)
    else if (typeof(f) == "closure")
      .Call(C_recall, dimensions$entries, translations$entries, formals(f), body(f), environment(f))
  compared <- made$compared
  if (is.null(compared$where) || !is.null(compared$value) && !agrees_as_before(compared, f)) return()
  .Call(C_integral, made, compared$where, f, lower, upper, rel.tol, abs.tol, max.eval, method, once$statuses, call)
}

# TRUE if `f` is a function of R itself that has a translation.
is_of_base_packages <- function(f) {
  isNamespace(environment(f)) && getNamespaceName(environment(f)) %in% base_packages &&
    !identical(call_of_supported(f), f)
}

# Returns the names in the text of `f` except those of its arguments.
names_in <- function(f) {
  names <- unique(c(all.names(body(f)), unlist(lapply(formals(f), all.names))))
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
  if (is.null(once$pure)) {
    own <- c(inner_operations, dstable = 1L, pstable = 1L)
    quantiles <- paste0("q", c("norm", "unif", "exp", "gamma", "beta", "t", "chisq", "f", "cauchy", "logis", "lnorm",
                               "weibull", "pois", "binom", "nbinom", "geom"))
    once$pure <- c(setdiff(ls(supported_functions, all.names = TRUE), names(own)), names(special_forms), "(", "return",
                   quantiles, "pi", "T", "F", ":", "seq", "seq_len", "rep", "rep_len", "rep.int", "numeric", "double",
                   "integer", "logical", "matrix", "diag", "det", "solve", "nrow", "ncol", "NROW", "NCOL", "dim",
                   "which", "which.max", "which.min", "sort", "order", "diff", "is.null", "isTRUE", "isFALSE", "nchar",
                   "as.integer", "as.logical", "var", "sd", "median", "besselI", "besselK", "bitwAnd", "bitwOr",
                   "signif", "tcrossprod", "rowSums", "colSums", "cbind", "rbind", ".Machine", "poly", "list", "unlist",
                   "is.numeric", "psigamma")
  }
  once$pure
}
