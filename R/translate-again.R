# An integrand that was translated before.  A translation depends on nothing but the function's text, on the arguments
# it is given and on what the names in it mean: it is kept where all of them mean what R's own packages say.

translations <- new.env(parent = emptyenv())
translations_most <- 16L

translate_or_recall <- function(f, dim, fixed, parameters, call) {
  if (!is_self_contained(f, fixed)) return(translate_integrand(f, dim, fixed, parameters, call))
  key <- list(formals(f), body(f), dim, fixed, parameters)
  for (kept in translations$kept) if (identical(kept$key, key)) return(kept$made)
  made <- translate_integrand(f, dim, fixed, parameters, call)
  translations$kept <- utils::head(c(list(list(key = key, made = made)), translations$kept), translations_most)
  made
}

is_self_contained <- function(f, fixed) {
  if (is.primitive(f) || !all(vapply(fixed, is_numeric_or_logical, NA))) return(FALSE)
  names <- unique(c(all.names(body(f)), unlist(lapply(formals(f), all.names))))
  for (name in setdiff(names, c(names(formals(f)), "")))
    if (!exists(name, envir = environment(f)) || !is_base(name, environment(f))) return(FALSE)
  TRUE
}
