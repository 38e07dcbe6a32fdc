# Problems of a translation, collected until its end and reported together.

# Adds a problem with the call or name `what`; `...`: the advice.  Returns an unknown value.
problem <- function(tr, what, ...) {
  text <- paste(deparse(what, width.cutoff = 60L), collapse = " ")
  if (nchar(text) > 70L) text <- paste0(substr(text, 1L, 67L), "...")
  place <- paste0(if (!is.null(tr$within)) paste0("in ", tr$within, "(), "), tr$place)
  new <- list(call = text, place = place, advice = paste0(...))
  same <- vapply(tr$problems, function(p) identical(p[c("call", "advice")], new[c("call", "advice")]), NA)
  if (!any(same)) tr$problems <- c(tr$problems, list(new))
  unknown_value()
}

# Stops a translation that would take too long.
translation_stop <- function(tr, ...) {
  problem(tr, tr$current, ...)
  raise_untranslatable(tr)
}

raise_untranslatable <- function(tr) {
  call <- vapply(tr$problems, `[[`, "", "call")
  place <- vapply(tr$problems, function(p) if (is.null(p$place)) "" else p$place, "")
  advice <- vapply(tr$problems, `[[`, "", "advice")
  lines <- paste0("  ", place, ifelse(nzchar(place), ": ", ""), call, ": ", advice)
  stop(structure(
    class = c("gintegrate_untranslatable", "stablecl_error_untranslatable", "stablecl_error", "error", "condition"),
    list(message = paste(c("The integrand cannot be translated:", lines), collapse = "\n"), call = tr$user_call,
         problems = data.frame(call = call, place = place, advice = advice))))
}
