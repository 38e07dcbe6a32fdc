# Batches of integrals by several processes (R/workers.R).  A run of the compiled code is divided, after the method, the
# transformation of the range and the key of the random numbers have been chosen for all integrals together: each
# integral is then computed as in a single process.

integrals_here <- 64L                   # integrals that this process computes to measure their time
least_for_workers <- 1                  # seconds that the other integrals must take for the use of workers

# TRUE if workers may compute some of n integrals of a problem.  Functions without translation may need objects of this
# session.
is_for_workers <- function(p, n) {
  n > 1L && is.null(p$first) && is.null(p$done) && is.list(p$integrand) && (has_future_workers() || has_mirai_workers())
}

# Runs a method for n integrals: the first ones here, the others by workers if that takes long enough.  Returns a state
# as run_once() does.
run_by_workers <- function(p, method, n, backend) {
  p <- p[intersect(c("lower", "upper", "columns", "breaks", "tolerance", "options", "integrand", "components"),
                   names(p))]
  state <- new_state(n, method, components_of(p))
  began <- seconds_now()
  few <- min(n, integrals_here)
  state <- with_part(state, seq_len(few), run_part(p, seq_len(few), method, backend))
  rest <- (n - few) * (seconds_now() - began) / few
  if (n == few || any(state$status[seq_len(few)] == not_done())) return(state)
  if (rest < least_for_workers) return(with_part(state, (few + 1L):n, run_part(p, (few + 1L):n, method, backend)))
  job <- function(at) list(work = "integrate_chunk", problem = part_of_problem(p, few + at), n = length(at),
                           method = method, backend = backend)
  run <- map_units(n - few, job, integrals_here, "Integrals", call_of_gintegrate())
  at <- few
  for (part in run$parts) {
    count <- length(part$evaluations)
    state <- with_part(state, few + run$units[at - few + seq_len(count)], part)
    at <- at + count
  }
  state
}

# Returns the problem of consecutive integrals.
part_of_problem <- function(p, at) c(pick_integrals(p, at), list(first = at[1L] - 1))

# Runs a method for consecutive integrals of a problem in this process.
run_part <- function(p, at, method, backend) run_once(part_of_problem(p, at), method, length(at), backend)

# Computes a chunk of integrals in a worker.
integrate_chunk <- function(job) run_once(job$problem, job$method, job$n, device_of_worker(job$backend))

# Returns the state with the results of the integrals `at` replaced; components follow each other.
with_part <- function(state, at, part) {
  n <- length(state$evaluations)
  for (name in setdiff(names(state), "on_device")) {
    components <- length(state[[name]]) / n
    if (components < 1) next
    rows <- rep(at, components) + rep((seq_len(components) - 1) * n, each = length(at))
    state[[name]][rows] <- part[[name]]
  }
  state$on_device <- state$on_device || part$on_device
  state
}

# Returns the call of gintegrate() that is being evaluated.
call_of_gintegrate <- function() {
  for (k in rev(seq_len(sys.nframe()))) if (identical(sys.function(k), gintegrate)) return(sys.call(k))
}
