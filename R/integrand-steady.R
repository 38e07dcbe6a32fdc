# Expressions that can be evaluated once, because their value does not change between evaluations.

# Functions whose value may differ between calls, that have side effects, or that depend on where they are called.
impure_functions <- c("runif", "rnorm", "rexp", "rgamma", "rbeta", "rt", "rchisq", "rf", "rcauchy", "rlogis", "rlnorm",
                      "rweibull", "rpois", "rbinom", "rgeom", "rnbinom", "rhyper", "rmultinom", "rsignrank", "rwilcox",
                      "rWishart", "r2dtable", "rstable", "sample", "sample.int", "set.seed", "simulate", "jitter",
                      "Sys.time", "Sys.Date", "date", "proc.time", "system.time", "gc", "tempfile", "readline", "file",
                      "url", "pipe", "fifo", "gzfile", "socketConnection", "textConnection", "open", "close",
                      "Sys.sleep", "Sys.setenv", "options", "<<-", "->>", "assign", "delayedAssign",
                      "makeActiveBinding", "rm", "attach", "detach", "print", "cat", "message", "warning", "system",
                      "system2", "environment", "parent.frame", "parent.env", "sys.call", "sys.calls", "sys.function",
                      "sys.frame", "sys.frames", "sys.nframe", "sys.parent", "sys.parents", "sys.on.exit",
                      "match.call", "match.arg", "nargs", "on.exit", "Recall", "local", "eval", "evalq", "eval.parent",
                      "get", "get0", "mget", "dynGet", "exists", "substitute", "UseMethod", "NextMethod", "browser",
                      "invokeRestart", "...length", "...elt")
bound <- c("<-", "=", "<<-", "return", "break", "next", "for", "while", "repeat", "missing", "function", "...")
unfoldable <- list2env(as.list(stats::setNames(nm = c(bound, impure_functions))), parent = emptyenv())

# TRUE if a name that is not local has the same value whenever it is read, and, if it is a function, always returns the
# same value for the same arguments.
is_steady <- function(tr, frame, name) {
  key <- paste(name, frame$id)
  known <- tr$steady[[key]]
  if (!is.null(known)) return(known)
  answer <- is_steady_name(name, frame$env, list())
  assign(key, answer, envir = tr$steady)
  answer
}

is_steady_name <- function(name, env, seen) {
  while (!identical(env, emptyenv()) && !exists(name, envir = env, inherits = FALSE)) env <- parent.env(env)
  if (identical(env, emptyenv()) || identical(env, baseenv()) || identical(env, .BaseNamespaceEnv)) return(TRUE)
  if (bindingIsActive(as.name(name), env)) return(FALSE)
  value <- get0(name, envir = env)
  !is.function(value) || is_steady_function(value, seen)
}

functions_most <- 100L

# A closure is steady if neither it nor a function that it calls uses an impure function.  It may store values by <<-:
# if that changes its results, the comparison of the translation with the function detects it.
is_steady_function <- function(fun, seen) {
  if (is_of_r_or_primitive(fun) || is_table_function(fun)) return(TRUE)
  for (one in seen) if (identical(one, fun)) return(TRUE)
  if (length(seen) >= functions_most) return(FALSE)
  names <- unique(c(all.names(body(fun)), unlist(lapply(formals(fun), all.names))))
  if (any(setdiff(names, "<<-") %in% impure_functions)) return(FALSE)
  seen <- c(seen, list(fun))
  for (name in setdiff(names, c(names(formals(fun)), "")))
    if (!is_steady_name(name, environment(fun), seen)) return(FALSE)
  TRUE
}

# The functions of R's syntax.  If one of them is redefined, the integrand has no translation.
syntax_functions <- c("(", "{", "if", "for", "while", "repeat", "<-", "=", "<<-", "function", "return", "switch", "&&",
                      "||", "break", "next")

check_forms <- function(tr, fun, frame) {
  if (.Call(C_forms_are_base, frame, body(fun), syntax_functions)) return(invisible())
  used <- intersect(syntax_functions, all.names(body(fun)))
  mine <- c(names(formals(fun)), assigned_names(body(fun)))
  for (word in used)
    if (word %in% mine || !is.null(frame_find(frame, word)) ||
        !identical(get0(word, envir = frame$env, mode = "function"), get0(word, envir = baseenv())))
      problem(tr, as.name(word), "it is redefined here")
}
