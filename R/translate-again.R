# An integrand that was translated before.  A translation depends on nothing but the function's text, on the arguments
# it is given and on what the names in it mean: it is kept where all of them mean what R's own packages say.  So do its
# values: `compared` holds the points at which they last were those of the function.

translations <- new.env(parent = emptyenv())
translations_most <- 16L

translate_or_recall <- function(f, dim, fixed, parameters, call) {
  if (is.primitive(f) || !all(vapply(fixed, is_numeric_or_logical, NA)))
    return(translate_integrand(f, dim, fixed, parameters, call))
  key <- list(formals(f), body(f), dim, fixed, parameters)
  for (kept in translations$kept)
    if (identical(kept$key, key) && are_base(kept$names, environment(f))) return(kept$made)
  made <- translate_integrand(f, dim, fixed, parameters, call)
  names <- names_in(f)
  if (!are_base(names, environment(f))) return(made)
  made$compared <- new.env(parent = emptyenv())
  translations$kept <- utils::head(c(list(list(key = key, names = names, made = made)), translations$kept),
                                   translations_most)
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
