# The table of supported functions: each name is mapped to the function to which it must refer, and to the translator of
# its calls.  The table is built on first use, from the table of operations and from the lists below.

supported_functions <- NULL             # .onLoad() makes it an active binding that builds the table on first use

supported_entries <- new.env(parent = emptyenv())

# Adds a function to the table, with the translator of its calls and further entries.
support <- function(name, translate, ..., package = "base") {
  fun <- get(name, envir = asNamespace(package))
  assign(name, list(fun = fun, translate = translate, ...), envir = supported_entries)
}

# Adds operations under their R names.  src/r_translate.c combines single numbers if `is_plain` or `is_power` is TRUE.
# Functions whose arguments are matched by name follow the loop.
support_operations <- function() {
  ops <- operations()
  ops <- data.frame(ops[c("name", "in_r", "arity")])[ops$in_r %in% ls(baseenv(), all.names = TRUE), ]
  for (name in unique(ops$in_r)) {
    mine <- ops[ops$in_r == name, ]
    support(name, translate_elementwise, op = stats::setNames(as.list(mine$name), mine$arity),
            combine = combine_elementwise, is_plain = TRUE)
  }
  support("+", translate_elementwise, op = list("1" = "SAME", "2" = "ADD"), combine = combine_elementwise,
          is_plain = TRUE)
  support("&&", translate_and_or, op = "AND")
  support("||", translate_and_or, op = "OR")
  support("is.na", translate_elementwise, op = list("1" = "ISNAN"), combine = combine_elementwise)
  support("^", translate_elementwise, combine = combine_power, is_power = TRUE)
  support("log", translate_log)
  support("round", translate_round)
  support("ifelse", translate_ifelse)
  support("xor", translate_named, op = "XOR", formals = c("x", "y"))
  support("atan2", translate_named, op = "ATAN2", formals = c("y", "x"))
  support("lbeta", translate_named, op = "LBETA", formals = c("a", "b"))
  support("choose", translate_named, op = "CHOOSE", formals = c("n", "k"))
  support("lchoose", translate_named, op = "LCHOOSE", formals = c("n", "k"))
  support("besselJ", translate_bessel, op = c("J0", "J1"))
  support("besselY", translate_bessel, op = c("Y0", "Y1"))
  for (name in c("pmin", "pmax")) support(name, translate_pairwise, op = if (name == "pmin") "MIN" else "MAX")
}

translate_pairwise <- function(tr, frame, call, entry) {
  values <- all_values(tr, frame, call)
  if (!length(values) || any(vapply(values, is_unknown, NA))) return(unknown_value())
  Reduce(function(a, b) elementwise_op(tr, call, list(a, b), entry$op), values)
}

support_vectors <- function() {
  reductions <- c(sum = "ADD", prod = "MUL", mean = "ADD", min = "MIN", max = "MAX", any = "OR", all = "AND")
  for (name in names(reductions))
    support(name, translate_reduction, op = reductions[[name]], truth = name %in% c("any", "all"),
            mean = name == "mean")
  support("range", translate_range)
  support("length", translate_length, along = FALSE)
  support("seq_along", translate_length, along = TRUE)
  support("c", translate_combine)
  for (name in c("as.numeric", "as.double")) support(name, translate_same, keeps = "none", type = "double")
  support("as.vector", translate_same, keeps = "none")
  support("drop", translate_same, keeps = "longer")
  for (name in c("identity", "invisible", "unname")) support(name, translate_same, keeps = "all")
  support("cumsum", translate_cumulative, op = "ADD")
  support("cumprod", translate_cumulative, op = "MUL")
  support("findInterval", translate_find_interval)
}

support_lists <- function() {
  for (name in c("sapply", "vapply", "lapply")) support(name, translate_apply, list = name == "lapply")
  for (name in c("mapply", "Map")) support(name, translate_map, list = name == "Map")
  support("apply", translate_margin)
  support("Reduce", translate_reduce)
  support("Filter", translate_filter)
  support("do.call", translate_do_call)
  support("list", translate_list)
  support("unlist", translate_unlist)
  for (name in c("[", "[[")) support(name, translate_index)
  support("$", translate_dollar)
}

support_matrices <- function() {
  for (name in c("matrix", "array")) support(name, translate_arranged, data = "data")
  for (name in c("rbind", "cbind")) support(name, translate_arranged, data = "...", flags = "deparse.level")
  for (name in c("t", "diag", "rev", "rep_len", "rep.int")) support(name, translate_arranged, data = "x")
  support("aperm", translate_arranged, data = "a")
  support("rep", translate_arranged, data = "x", formals = function(x, times, length.out, each) NULL)
  for (name in c("head", "tail"))
    support(name, translate_arranged, data = "x", formals = function(x, n) NULL, package = "utils")
  for (name in c("dim", "nrow", "ncol", "NROW", "NCOL", "row", "col", "upper.tri", "lower.tri"))
    support(name, translate_shape)
  for (name in c("rowSums", "colSums", "rowMeans", "colMeans"))
    support(name, translate_margin_sums, margin = if (grepl("row", name)) 1L else 2L, mean = grepl("Means", name))
  support("%*%", translate_product)
  support("crossprod", translate_crossprod, transposed = FALSE)
  support("tcrossprod", translate_crossprod, transposed = TRUE)
  for (name in c("outer", "%o%")) support(name, translate_outer)
  support("solve", translate_solve)
  support("det", translate_det)
  support("chol", translate_chol)
  for (name in c("backsolve", "forwardsolve")) support(name, translate_triangular)
}

# Translates a function by a template, a body in the language of integrands.  Arguments are matched to those of R's
# function; an argument that the template lacks has no translation.
translate_template <- function(tr, frame, call, entry) {
  problems <- length(tr$problems)
  given <- matched_arguments(tr, call, entry$fun)
  if (length(tr$problems) > problems) return(unknown_value())
  odd <- setdiff(names(given), names(formals(entry$template)))
  if (length(odd)) return(problem(tr, call, "its argument ", odd[1L], " is not supported"))
  if (all(c("rate", "scale") %in% names(given))) return(problem(tr, call, "only one of rate and scale can be given"))
  new <- bind_arguments(tr, frame, as.call(c(call[[1L]], given)), entry$template, NULL)
  if (is.null(new)) return(unknown_value())
  for (name in intersect(c("log", "lower.tail", "log.p"), names(formals(entry$template)))) {
    v <- translate(tr, new, as.name(name))
    if (!v$known || is.null(known_flag(v))) return(problem(tr, call, "`", name, "` must be known at translation"))
  }
  place <- tr$place
  tr$quiet <- tr$quiet + 1L
  on.exit({
    tr$place <- place
    tr$quiet <- tr$quiet - 1L
  })
  translate_vectorized(tr, new, call, entry$template)
}

# Translates functions that require exactly one of two arguments, which determine each other.
translate_one_of <- function(tr, frame, call, entry) {
  given <- value_or(names(match.call(entry$fun, without_dots(call))), function(e) NULL)
  if (sum(entry$either %in% given) != 1L)
    return(problem(tr, call, "exactly one of ", paste(entry$either, collapse = " and "), " must be given"))
  translate_template(tr, frame, call, entry)
}

# Applies a template, which is written for single numbers, to each element.
translate_vectorized <- function(tr, frame, call, template) {
  names <- names(formals(template))
  values <- lapply(stats::setNames(names, names), function(name) translate(tr, frame, as.name(name)))
  if (any(vapply(values, is_unknown, NA))) return(unknown_value())
  lengths <- vapply(values, value_length, 0L)
  n <- if (any(lengths == 0L)) 0L else max(lengths)
  if (n == 0L || any(n %% lengths != 0L))
    return(problem(tr, call, "the lengths of its arguments are incompatible"))
  ids <- vapply(seq_len(n), function(k) {
    one <- frame_new(tr, environment(template))
    for (name in names) assign(name, value_element(values[[name]], (k - 1L) %% lengths[[name]] + 1L), envir = one$vars)
    value_nodes(tr, translate_body(tr, one, body(template)), call)[1L]
  }, 0L)
  dims <- Filter(Negate(is.null), lapply(values, value_dim))
  node_value(ids, if (length(dims)) dims[[1L]])
}

# Returns element number k of a vector, as `[` does.
value_element <- function(v, k) {
  if (!v$known) return(node_value(v$id[k], NULL, v$type, v$bound))
  known_value(v$value[[k]], if (!is.null(v$label)) paste0(v$label, "[", k, "]"))
}

support_templates <- function() {
  for (name in names(gamma_templates)) support(name, translate_template, template = gamma_templates[[name]])
  templates <- c(density_templates, tail_templates)
  for (name in names(templates)) support(name, translate_template, template = templates[[name]], package = "stats")
  for (name in c("dnbinom", "pnbinom"))
    support(name, translate_one_of, template = templates[[name]], either = c("prob", "mu"), package = "stats")
  for (name in names(inner_operations))
    support(name, translate_elementwise, package = "stablecl",
            op = stats::setNames(list(toupper(sub("op_", "", name))), inner_operations[[name]]),
            combine = combine_elementwise)
  support("dstable", translate_stable, pdf = TRUE, package = "stablecl")
  support("pstable", translate_stable, pdf = FALSE, package = "stablecl")
}

all_supported_functions <- function() {
  support_operations()
  support_vectors()
  support_lists()
  support_matrices()
  support_templates()
  supported_entries
}
