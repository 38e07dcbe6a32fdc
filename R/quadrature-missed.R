# Peaks that all points of bisection have missed: "auto" in one dimension examines an integral with the value 0 and the
# error 0 again if the translated integrand is not 0 at the zero m of a linear function of x that it contains, such as
# that of exp(-((x - m)/s)^2).  Peaks of formulas lie there, however narrow they are and however far away.  Integrands
# with comparisons, such as x > m, may be 0 at m and not 0 beside it or between two zeros.  The distance beyond which
# the values next to m are 0 gives the intervals over which bisection integrates the peak.

missed_octaves <- seq(-1074, 1022)      # binary logarithms of the distances from m
missed_portion <- 256L                  # points m that are examined at a time

# Runs bisection, and adds these peaks.
run_gk <- function(p, n, backend) with_missed_peaks(run_once(p, "gk", n, backend), p, backend)

# Returns the results `state` of bisection with these peaks.
with_missed_peaks <- function(state, p, backend) {
  if (is.function(p$integrand) || length(p$breaks)) return(state)
  rows <- .Call(C_zero_integrals, state)                 # without copies of the vectors
  if (!length(rows) || any(state$status == not_done())) return(state)
  m <- nonzero_points(p, rows)
  parts <- if (length(m$row)) parts_around(p, m)
  if (!length(parts$row)) return(state)
  q <- pick_integrals(p, parts$row)
  q[c("lower", "upper")] <- list(list(parts$lower), list(parts$upper))
  q$tolerance$max.eval <- ceiling(p$tolerance$max.eval / max(table(parts$row)))
  found <- run_once(q, "gk", length(parts$row), backend)
  at <- unique(parts$row)
  if (any(found$status == not_done())) {                                      # interrupted
    state$status[at] <- not_done()
    return(state)
  }
  sums <- rowsum(cbind(found$value, found$error, found$evaluations), parts$row, reorder = FALSE)
  state$value[at] <- ifelse(rep_len(p$lower[[1L]] > p$upper[[1L]], max(at))[at], -sums[, 1L], sums[, 1L])
  state$error[at] <- sums[, 2L]
  state$evaluations[at] <- state$evaluations[at] + sums[, 3L]
  state$on_device <- state$on_device || found$on_device
  worst <- order(found$status == 0L)
  is_small <- sums[, 2L] <= pmax(p$tolerance$abs.tol, p$tolerance$rel.tol * abs(sums[, 1L]))
  state$status[at] <- ifelse(is_small %in% TRUE, 0L, found$status[worst][match(at, parts$row[worst])])
  state
}

# Returns points inside the ranges of the integrals `rows` at which the integrand is not 0: vectors `row` and `x`.  They
# are zeros of linear functions, or, if it is 0 there, middles between neighbouring zeros, or numbers beside zeros.
nonzero_points <- function(p, rows) {
  lines <- unique(Filter(Negate(is.null), lines_of(p$integrand, p$columns)))
  if (!length(lines)) return(NULL)
  q <- problem_rows(p, rows)
  is_nonzero <- function(x) {
    at <- which(is.finite(x) & x > as.vector(q$low) & x < as.vector(q$high))
    found <- logical(length(x))
    found[at] <- are_nonzero(values_at(q, matrix(x[at]), (at - 1L) %% length(rows) + 1L))
    matrix(found, length(rows))
  }
  zeros <- lapply(lines, function(line) rep_len(-line$intercept / line$slope, max(rows))[rows])
  m <- matrix(unlist(zeros), length(rows))
  m <- matrix(m[order(row(m), m)], length(rows), byrow = TRUE)
  at_zero <- is_nonzero(m)
  none <- matrix(FALSE, length(rows), 1L)
  first <- seq_len(ncol(m) - 1L)
  middle <- m[, first, drop = FALSE] / 2 + m[, first + 1L, drop = FALSE] / 2
  at_middle <- is_nonzero(middle) & !at_zero[, first] & !at_zero[, first + 1L]
  step <- pmax(abs(m) * 2^-52, 2^-1022)
  below <- is_nonzero(m - step) & !at_zero & !cbind(none, at_middle)
  above <- is_nonzero(m + step) & !at_zero & !cbind(at_middle, none)
  list(row = rows[c(row(m)[at_zero], row(middle)[at_middle], row(m)[below], row(m)[above])],
       x = c(m[at_zero], middle[at_middle], (m - step)[below], (m + step)[above]))
}

are_nonzero <- function(f) !is.na(f) & f != 0

# Returns the intervals between the points m and those beyond which the values next to them are 0: vectors `row`,
# `lower` and `upper`.
parts_around <- function(p, m) {
  portion <- (seq_along(m$row) - 1L) %/% missed_portion
  parts <- lapply(split(seq_along(m$row), portion), function(at) {
    q <- problem_rows(p, m$row[at])
    distance <- rep(2^missed_octaves, each = length(at))
    nonzero <- function(x) {
      f <- values_at(q, matrix(pmin(pmax(x, q$low), q$high)), rep_len(seq_along(at), length(x)))
      is.finite(x) & x != m$x[at] & are_nonzero(f)
    }
    far <- ifelse(nonzero(m$x[at] - distance) | nonzero(m$x[at] + distance), distance, 0)
    far <- 2 * apply(matrix(far, length(at)), 1L, max)
    data.frame(row = m$row[at], x = c(m$x[at], pmax(m$x[at] - far, q$low), pmin(m$x[at] + far, q$high)))
  })
  ends <- unique(do.call(rbind, parts))
  ends <- ends[order(ends$row, ends$x), ]
  first <- which(diff(ends$row) == 0)
  list(row = ends$row[first], lower = ends$x[first], upper = ends$x[first + 1L])
}
