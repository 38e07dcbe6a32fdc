# The options of the methods of gintegrate(), which are the elements of `control`.

# Returns all options as a named list.  Each is a list of the members of struct method_option in
# src/quadrature/method.h; a `default` of NULL leaves the value to the method or to the random generator, and NA means
# that there is none.  Options with the same name are the same in all methods.
method_options <- function() {
  if (is.null(session_cache$options)) {
    all <- do.call(c, unname(integral_methods()$options))
    session_cache$options <- all[!duplicated(names(all))]
  }
  session_cache$options
}

fallbacks <- c("R", "none")

# Returns the names of the elements that `control` may have.
control_names <- function() {
  c("fallback", names(Filter(function(option) option$kind != "key", method_options())))
}

check_control <- function(control, call) {
  if (!length(control) && is.list(control)) return(control)
  given <- names(control)
  if (!is.list(control) || is.object(control) || is.null(given))
    stop_with(call, "argument", "`control` must be a named list of options, not ", value_text(control), ".")
  unknown <- which(!given %in% control_names())
  if (length(unknown))
    stop_with(call, "argument", "`control` has an unknown element ", dQuote(given[unknown[1L]], FALSE),
              suggestion(given[unknown[1L]], control_names(), character(), "options"))
  if (anyDuplicated(given))
    stop_with(call, "argument", "`", given[anyDuplicated(given)], "` is given twice.")
  if (!is.null(control$fallback)) control$fallback <- check_choice(control$fallback, fallbacks, "fallback", call)
  control
}

# Arguments of former versions, which are elements of `control` now.
former_arguments <- c("fallback", "symmetric", "seed", "h_min", "h_max", "expand", "variant", "cells")

# Returns `control` with the former arguments among those in `...`, of which each is reported once per session.
with_former_arguments <- function(control, given, call) {
  former <- given[names(given) %in% former_arguments]
  for (name in names(former)) {
    seen <- paste0("former.", name)
    if (is.null(session_cache[[seen]]))
      warn_with(call, "deprecated", "`", name, "` is now an element of `control`: write control = list(", name,
                " = ...). (This message is shown once per session.)")
    session_cache[[seen]] <- TRUE
  }
  c(former, control)
}

# Returns the options among the elements of `control` for the compiled code: a list of doubles, in which choices are
# indices from 0 on and seeds two words.  Options of other methods are checked, too, and have no effect.
check_options <- function(control, method, call) {
  for (name in integral_methods()$needed[[method]]) if (is.null(control[[name]]))
    stop_with(call, "argument", "The method \"", method, "\" requires `", name, "` in `control`.")
  if (!length(control)) return(control)
  given <- Filter(Negate(is.null), control[names(control) != "fallback"])
  options <- lapply(stats::setNames(nm = names(given)), function(name) check_option(given[[name]], name, call))
  for (name in names(options)) {
    most <- method_options()[[name]]$at_most
    if (!is.null(most) && !is.null(options[[most]]) && options[[name]] > options[[most]])
      stop_with(call, "argument", "`", name, "` must not be larger than `", most, "`.")
    above <- method_options()[[name]]$below
    if (!is.null(above) && !is.null(options[[above]]) && options[[name]] >= options[[above]])
      stop_with(call, "argument", "`", name, "` must be smaller than `", above, "`.")
  }
  c(options, drawn_keys(method, options))
}

# Returns the value of one option for the compiled code.
check_option <- function(value, name, call) {
  option <- method_options()[[name]]
  switch(option$kind,
    number = check_numbers_option(value, name, call, 1L),
    "positive number" = check_positive(value, name, call),
    flag = as.double(check_flag(value, name, call)),
    count = check_count(value, name, option, call),
    choice = match(check_choice(value, option$choices, name, call), option$choices) - 1,
    seed = check_seed(value, call),
    numbers = check_numbers_option(value, name, call, Inf))
}

# Checks a whole number within the limits of an option, one of its choices if it has any.
check_count <- function(value, name, option, call) {
  good <- is.numeric(value) && !is.object(value) && length(value) == 1L && is.finite(value) && value == round(value) &&
    value >= option$least && value <= option$most
  if (!good || length(option$choices) && !value %in% as.numeric(option$choices))
    stop_with(call, "argument", "`", name, "` must be ",
              if (length(option$choices)) paste("one of", paste(option$choices, collapse = ", "))
              else paste("one whole number from", option$least, "to", option$most), ", not ", value_text(value), ".")
  as.double(value)
}

check_numbers_option <- function(value, name, call, most) {
  if (!is.numeric(value) || is.object(value) || !length(value) || length(value) > most || !all(is.finite(value)))
    stop_with(call, "argument", "`", name, "` must be ", if (most == 1L) "one finite number" else
              "finite numbers, one or as many as there are integrals", ", not ", value_text(value), ".")
  as.double(value)
}

# Returns the seed as two 32-bit words.
check_seed <- function(seed, call) {
  if (!is.numeric(seed) || length(seed) != 1L || is.na(seed) || seed < 0 || seed != round(seed) || seed >= 2^53)
    stop_with(call, "argument", "`seed` must be one whole number from 0 to 2^53 - 1, or NULL, not ", value_text(seed),
              ".")
  c(seed %% 2^32, seed %/% 2^32)
}

# Returns a key of two 32-bit words from R's generator, which set.seed() controls.
draw_key <- function() floor(stats::runif(2L) * 2^32)

# Returns the keys that the choices among the options require, as a named list.
drawn_keys <- function(method, options) {
  choices <- unlist(lapply(names(options), function(name) {
    option <- method_options()[[name]]
    if (option$kind == "choice") option$choices[options[[name]] + 1]
  }))
  keys <- Filter(function(option) option$kind == "key" && option$drawn_for %in% choices,
                 integral_methods()$options[[method]])
  lapply(keys, function(option) draw_key())
}

# Returns the options with one number for each integral.
each_options <- function(options) {
  options[vapply(names(options), function(name) method_options()[[name]]$kind == "numbers", NA)]
}

# Returns the items of the options for the manual page.
describe_options <- function() {
  by_method <- integral_methods()$options
  code <- function(text) paste0("`", text, "`")
  item <- function(name) {
    option <- method_options()[[name]]
    methods <- names(Filter(function(options) name %in% names(options), by_method))
    stated <- if (!is.null(option$default))
      if (is.na(option$default)) ".  Required" else paste0(".  Default: ", code(deparse(option$default)))
    texts <- if (option$kind == "choice") dQuote(option$choices, FALSE) else option$choices
    values <- if (length(texts)) paste0(": ", paste(code(texts), collapse = ", "))
    paste0("\\item{", code(name), "}{", paste(code(dQuote(methods, FALSE)), collapse = ", "), ": ", option$help, values,
           stated, ".}")
  }
  paste(vapply(setdiff(control_names(), "fallback"), item, ""), collapse = "\n")
}
