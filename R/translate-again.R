# An integrand that was translated before.  A translation depends on nothing but the function's text, on the arguments
# it is given and on what the names in it mean: it is kept where all of them mean what R's own packages say.  So do its
# values: `compared` holds where they last were those of the function.  The number of variables follows from the text,
# the arguments and the shape of the limits: to find it takes as long as a small integral.

translations <- new.env(parent = emptyenv())
dimensions <- new.env(parent = emptyenv())
kept_most <- 16L

recall <- function(all, key) {
  for (kept in all$kept) if (identical(kept$key, key)) return(kept)
}

keep <- function(all, entry) all$kept <- utils::head(c(list(entry), all$kept), kept_most)

dim_or_recall <- function(dim, f, fixed, parameters, lower, upper, call) {
  if (is.primitive(f)) return(check_dim(dim, f, fixed, parameters, lower, upper, call))
  key <- list(formals(f), body(f), fixed, parameters, dim, length(lower), length(upper), attr(lower, "dim"),
              attr(upper, "dim"))
  kept <- recall(dimensions, key)
  if (!is.null(kept)) return(kept$dim)
  dim <- check_dim(dim, f, fixed, parameters, lower, upper, call)
  keep(dimensions, list(key = key, dim = dim))
  dim
}

# A translation, or the condition that says why there is none.
translate_or_recall <- function(f, dim, fixed, parameters, call) {
  translate <- function()
    tryCatch(translate_integrand(f, dim, fixed, parameters, call), gintegrate_untranslatable = identity)
  if (is.primitive(f) || !all(vapply(fixed, is_numeric_or_logical, NA))) return(translate())
  key <- list(formals(f), body(f), dim, fixed, parameters)
  kept <- recall(translations, key)
  if (!is.null(kept) && are_base(kept$names, environment(f))) return(kept$made)
  made <- translate()
  names <- names_in(f)
  if (!inherits(made, "gtranslation") || !are_base(names, environment(f))) return(made)
  made$compared <- new.env(parent = emptyenv())
  keep(translations, list(key = key, names = names, made = made))
  made
}

# All but those of its arguments.
names_in <- function(f) {
  names <- unique(c(all.names(body(f)), unlist(lapply(formals(f), all.names))))
  setdiff(names, c(names(formals(f)), ""))
}

are_base <- function(names, env) {
  for (name in names) if (!is_base(name, env)) return(FALSE)
  TRUE
}
