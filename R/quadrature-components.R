# Integrands with several components: `n.value` in gintegrate().
#
# The compiled code evaluates all components at the same points if the method can (struct quadrature_method:
# shares_points); with the other methods, run_each_component() computes one component after the other.  A problem has
# the element `components` if there are several.  A state has a number of evaluations for each integral, and its other
# vectors hold the results of all integrals for each component in turn: component k of integral i has the index (k - 1)
# n + i.

components_most <- 1000L

# TRUE if `n.value` is an argument of `f` itself.
takes_n_value <- function(f) is.function(f) && "n.value" %in% names(arguments_of(f))

# Returns the number of components.
check_components <- function(value, ready, call) {
  if (is.null(value)) return(1L)
  good <- is.numeric(value) && !is.object(value) && length(value) == 1L && is.finite(value) &&
    value == round(value) && value >= 1 && value <= components_most
  if (!good)
    stop_with(call, "argument", "`n.value`, the number of components, must be one whole number from 1 to ",
              components_most, ", not ", value_text(value), ".")
  if (ready && value > 1)
    stop_with(call, "argument", "With `n.value`, `f` must be a function, not a translation.")
  as.integer(value)
}

components_of <- function(p) if (is.null(p$components)) 1L else p$components

# Returns the values of component k of those of all components in turn.
component_values <- function(values, k, components) {
  if (components == 1L) return(values)
  n <- length(values) / components
  values[(k - 1L) * n + seq_len(n)]
}

# Returns the values of the integrand of a problem at points, all components in turn.
integrand_values <- function(p, inputs) {
  if (is.function(p$integrand)) p$integrand(inputs) else .Call(C_values, p$integrand, inputs)
}

# Returns the problem of component k alone.
component_problem <- function(p, k) {
  components <- p$components
  all <- p$integrand
  p$components <- NULL
  p$integrand <- if (is.function(all)) function(inputs) component_values(all(inputs), k, components)
                 else replace(all, "result", list(all$result[k]))
  p
}

# Returns the problem of the sum of the absolute values of the components, which is as large as the largest of them.
size_problem <- function(p) {
  size <- function(inputs) rowSums(abs(matrix(integrand_values(p, inputs), ncol = p$components)))
  replace(p, c("components", "integrand"), list(NULL, size))
}

# --- the run --------------------------------------------------------------------------------

per_component <- c("value", "error", "status", "bound", "chi.squared", "df", "rule")

# Returns the state of component k of n integrals.
component_state <- function(state, k, n) {
  parts <- intersect(per_component, names(state))
  state[parts] <- lapply(state[parts], function(v) if (length(v)) v[(k - 1L) * n + seq_len(n)] else v)
  state
}

# Returns the state with that of component k replaced.
with_component <- function(state, k, one) {
  at <- (k - 1L) * length(one$status) + seq_along(one$status)
  for (part in intersect(per_component, names(state))) if (length(one[[part]])) state[[part]][at] <- one[[part]]
  state
}

# Runs a problem with several components on a finite box if the method requires it, and sets the final statuses.
compute_components <- function(p, method, n, backend) {
  judged <- p
  looked <- 0
  if (needs_finite_box(p, method)) {
    judged <- on_finite_box(p, with_scale(new_map(p), p))
    p <- on_finite_box(p)
    looked <- ceiling(p$evaluations * min(n, integrals_examined) / n)
  }
  state <- if (is.null(p$stages)) run_components(p, method, n, backend) else run_component_stages(p, n, backend)
  state$evaluations <- state$evaluations + looked
  for (k in seq_len(p$components)) {
    one <- with_final_statuses(component_state(state, k, n), component_problem(judged, k), method)
    state <- with_component(state, k, one)
  }
  state
}

run_components <- function(p, method, n, backend) {
  if (method != "auto") return(run_once(p, method, n, backend))
  state <- run_once(p, "gk", n, backend)
  shared <- state$evaluations
  for (k in seq_len(p$components)) {
    one <- replace(component_state(state, k, n), "evaluations", list(shared))
    one <- finish_component(one, component_problem(p, k), n, backend)
    state <- with_component(state, k, one)
    state$evaluations <- state$evaluations + one$evaluations - shared
    state$on_device <- state$on_device || one$on_device
  }
  state
}

# TRUE if all components are evaluated at the same points.  Samples on a device are an exception.
shares_points <- function(method, backend) {
  methods <- integral_methods()
  methods$shares[[method]] && !(methods$samples[[method]] && is_device(backend))
}

# Computes what "gk" has not finished of one component by the methods that "auto" has for a single component.
finish_component <- function(state, p, n, backend) {
  if (is.null(oscillation_of(p, n))) return(try_tanhsinh(state, p, backend))
  left <- .Call(C_unfinished, state$status)
  if (!length(left) || any(state$status == not_done())) return(state)
  better_of(state, left, run_auto(pick_integrals(p, left), "auto", length(left), backend))
}

# Computes one component after the other, those that are not done already, with the same random numbers.
run_each_component <- function(p, method, n, backend) {
  if (is.null(p$options$seed) && !is.null(integral_methods()$options[[method]]$seed)) p$options$seed <- draw_key()
  state <- new_state(n, method, p$components)
  done <- matrix(seq_along(state$status) %in% p$done, n)
  state$status[done] <- 0L
  for (k in seq_len(p$components)) {
    rows <- which(!done[, k])
    if (!length(rows)) next
    one <- run_once(pick_integrals(replace(component_problem(p, k), "done", list(NULL)), rows), method, length(rows),
                    backend)
    at <- (k - 1L) * n + rows
    for (part in intersect(per_component, names(state))) if (length(one[[part]])) state[[part]][at] <- one[[part]]
    state$evaluations[rows] <- state$evaluations[rows] + ifelse(one$status == not_done(), 0, one$evaluations)
    state$on_device <- state$on_device || one$on_device
  }
  state
}

# Runs the stages of a problem: each computes the components that the stages before it have not finished.
run_component_stages <- function(p, n, backend) {
  stages <- p$stages$method
  state <- with_stage(run_stage(p, 1L, n, backend), stages[1L])
  used <- state$evaluations
  for (k in seq_along(stages)[-1L]) {
    open <- matrix(state$status != 0L, n)
    rows <- which(rowSums(open) > 0L)
    if (!length(rows) || any(state$status == not_done())) break
    most <- p$stages$share[k - 1L] * p$tolerance$max.eval
    used_parts <- min(ceiling(evaluation_parts * max(used) / most), evaluation_parts)
    p <- with_rest(p, k - 1L, 1 - used_parts / evaluation_parts)
    some <- replace(pick_integrals(p, rows), "done", list(which(!open[rows, ])))
    now <- run_stage(some, k, length(rows), backend)
    state <- better_components(with_stage(state, stages[k], now), open, rows, now)
    used <- now$evaluations
  }
  state
}

# Merges the results of the integrals `rows` into those of all, taking the better one for each component.  open: a
# matrix that is TRUE for the components that were computed again.
better_components <- function(state, open, rows, now) {
  from <- which(open[rows, ])
  at <- matrix(seq_along(open), nrow(open))[rows, ][from]
  parts <- c("value", "error", "status", "rule")
  one <- without_contradictions(lapply(now[parts], `[`, from), state, at)
  better <- is_better(one$status, one$error, state$error[at])
  for (part in parts) state[[part]][at[better]] <- one[[part]][better]
  stopped <- one$status == not_done()
  state$status[at[stopped]] <- not_done()
  state$evaluations[rows] <- state$evaluations[rows] + now$evaluations
  state$on_device <- state$on_device || now$on_device
  state
}

# --- the result -------------------------------------------------------------------------------

# The parts of a result that have an element for each component.
component_parts <- c("value", "abs.error", "status", "bound", "chi.squared", "df", "Q", "rule")

# Returns a result with its values for each component as matrices with a row for each integral, if there are several.
with_component_shape <- function(result, n) {
  for (part in intersect(component_parts, names(result)))
    dim(result[[part]]) <- if (n != 1L) c(n, result$problem$components)
  result
}

# Returns the integrals i of component k of a result.
component_result <- function(x, k) {
  y <- unclass(x)
  n <- length(x)
  if (is.null(y$problem$components)) return(x)
  for (part in intersect(component_parts, names(y))) y[[part]] <- as_vector(y[[part]])[(k - 1L) * n + seq_len(n)]
  y$problem <- component_problem(y$problem, k)
  y$stages <- NULL                                            # of all components
  structure(with_message(y), class = "gintegral")
}

# Returns a vector without dimensions; a factor remains one.
as_vector <- function(v) {
  dim(v) <- NULL
  v
}
