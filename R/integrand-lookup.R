# Functions that are lookup tables: the values of approxfun(), splinefun(), stepfun() and ecdf(), captured vectors at an
# index that depends on the point, and the stable distributions, whose interpolants are another kind of table.

# Returns the number of a kind of table: "linear", "constant", "spline" or "index".
table_kind <- function(name) {
  if (is.null(session_cache$table_kinds)) session_cache$table_kinds <- .Call(C_table_kinds)
  match(name, session_cache$table_kinds) - 1L
}

# Returns a lookup table as src/integrand/program.h describes it.
table_new <- function(kind, x = double(), y, b = double(), c = double(), d = double(), left = NA_real_,
                      right = NA_real_, share = 0, periodic = FALSE, natural = FALSE) {
  list(kind = table_kind(kind), x = as.double(x), y = as.double(y), b = as.double(b), c = as.double(c),
       d = as.double(d), left = as.double(left), right = as.double(right), share = as.double(share),
       periodic = periodic, natural = natural)
}

has_index_table <- function(program) {
  any(vapply(program$tables, function(table) table$kind == table_kind("index"), NA))
}

approx_body <- body(stats::approxfun(1:2, 1:2))
spline_body <- body(stats::splinefun(1:2, 1:2))

is_table_function <- function(fun) {
  is.function(fun) && (identical(body(fun), approx_body) || identical(body(fun), spline_body))
}

# Returns the table inside such a function, or NULL if it has missing values, which tables cannot hold.
table_of <- function(fun) {
  env <- environment(fun)
  if (identical(body(fun), spline_body)) {
    z <- env$z
    return(table_new("spline", z$x, z$y, z$b, z$c, z$d, periodic = z$method == 1L, natural = z$method == 2L))
  }
  if (anyNA(env$x) || anyNA(env$y)) return(NULL)
  table_new(if (env$method == 1L) "linear" else "constant", env$x, env$y, left = env$yleft, right = env$yright,
            share = env$f)
}

translate_lookup <- function(tr, frame, call, fun) {
  spline <- identical(body(fun), spline_body)
  args <- call_values(tr, frame, call, fun)
  if (is.null(args) || is.null(args[[1L]])) return(unknown_value())
  if (!is.null(args$deriv) && !identical(known_number(args$deriv), 0))
    return(problem(tr, call, "derivatives of splines are not supported; create a spline of the derivative"))
  table <- table_of(fun)
  if (is.null(table)) return(problem(tr, call, "the table contains missing values"))
  label <- paste(deparse(call[[1L]]), "@", frame$id)
  at <- value_nodes(tr, args[[1L]], call)
  node_value(vapply(at, function(a) node_special(tr, "LOOKUP", a, "tables", table, label), 0L))
}

# Translates findInterval(), a step function: R computes its values at the breaks and beyond them.  If intervals are
# open on the left, the axis is reversed.
translate_find_interval <- function(tr, frame, call, entry) {
  args <- call_values(tr, frame, call, entry$fun, needed = c("x", "vec"))
  if (is.null(args)) return(unknown_value())
  flags <- Filter(Negate(is.null), args[-(1:2)])
  if (!is_number(args$vec) || !all(vapply(flags, function(v) v$known, NA)))
    return(problem(tr, call, "all its arguments but x must be known at translation"))
  breaks <- as.double(args$vec$value)
  index <- value_or(do.call(entry$fun, c(list(c(breaks, -Inf, Inf), breaks), lapply(flags, `[[`, "value"))), identity)
  if (inherits(index, "error")) return(problem(tr, call, "R reports the error: ", conditionMessage(index)))
  n <- length(breaks)
  if (!n) return(problem(tr, call, "vec is empty"))
  is_reversed <- isTRUE(as.logical(flags$left.open$value))
  at_breaks <- index[seq_len(n)]
  before <- index[n + 1L]
  behind <- index[n + 2L]
  table <- if (is_reversed) table_new("constant", -rev(breaks), rev(at_breaks), left = behind, right = before)
    else table_new("constant", breaks, at_breaks, left = before, right = behind)
  label <- paste("interval", if (is.null(args$vec$label)) paste(deparse(call), collapse = " ") else args$vec$label)
  at <- value_nodes(tr, args$x, call)
  if (is_reversed) at <- vapply(at, function(a) node(tr, "NEG", a), 0L)
  ids <- vapply(at, function(a) node_special(tr, "LOOKUP", a, "tables", table, label), 0L)
  for (id in as.character(ids)) tr$ranges[[id]] <- list(low = min(index), high = max(index), whole = TRUE)
  node_value(ids, NULL, "integer", n)
}

translate_stable <- function(tr, frame, call, entry) {
  new <- bind_arguments(tr, frame, call, entry$fun, NULL)
  if (is.null(new)) return(unknown_value())
  arg <- function(name) translate(tr, new, as.name(name))
  at <- arg(if (entry$pdf) "x" else "q")
  law <- lapply(c("alpha", "beta", "gamma", "delta"), arg)
  flags <- lapply(if (entry$pdf) "log" else c("lower.tail", "log.p"), arg)
  pm <- arg("pm")
  if (is_unknown(at) || any(vapply(law, is_unknown, NA))) return(unknown_value())
  nodes <- vapply(law, function(v) if (value_length(v) == 1L) value_nodes(tr, v, call) else NA_integer_, 0L)
  if (anyNA(nodes)) return(problem(tr, call, "alpha, beta, gamma and delta must be single numbers"))
  if (!pm$known || !all(vapply(flags, function(v) v$known, NA)))
    return(problem(tr, call, "pm, log, lower.tail and log.p must be known at translation"))
  if (any(vapply(flags, function(v) is.null(known_flag(v)), NA)))
    return(problem(tr, call, "log, lower.tail and log.p must be TRUE or FALSE"))
  use <- list(pdf = entry$pdf, lower = entry$pdf || isTRUE(flags[[1L]]$value), pm = check_parametrisation(pm$value),
              log = isTRUE(flags[[length(flags)]]$value), constant = nodes)
  label <- paste(c("law", unlist(use)), collapse = " ")
  law_node <- function(a) node_special(tr, "STABLE", a, "laws", use, label, nodes)
  node_value(vapply(value_nodes(tr, at, call), law_node, 0L),
             value_dim(at))
}
