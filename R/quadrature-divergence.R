# Tests whether an integral diverges, that is, whether the integral of |f| is infinite.
#
# No finite sample proves divergence, but the behaviour of f near a point e reveals it if f behaves like a power there,
# times a power of the logarithm.  Let d be the distance from e, and let o count octaves towards e: d = L 2^-o near a
# finite e, d = 2^o near an infinite one.  The integral of |f| over one octave is about s = |f| d^m, with m = 1 (in
# several dimensions m = 1 for a face and the number of axes for a corner), so that the integral converges at e if
# and only if the sum of s over the octaves converges.  The test fits
#
#     log2(s) = c - a o - q log2(o'),      o' = |log2(d)|,
#
# over the outer half of the octaves: s falls geometrically if a > 0, the integral diverges if a < 0, and if a = 0,
# where s is o'^-q, it diverges if q <= 1 (1/x has a = q = 0; 1/(x log(x)) has q = 1, 1/(x log(x)^2) has q = 2).  Near 0
# and infinity there are about 1000 octaves, near any other number about 48.  Exponents are known to 1e-4, because the
# distances d of the rounded points are exact, but only to 8e-3 if f is singular next to a number, as 1/(x^2 - 2) is.
#
# Underflow and overflow cut off many integrands early: x/(1 + x^2) becomes 0 where x^2 overflows, 1/x^2 becomes
# infinite where x^2 underflows.  If all values beyond some octave are infinite, and fewer than 64 octaves precede it,
# the integral counts as divergent if s grew over these; after 64 octaves or more the fit decides.  Values that become 0
# count as cut off by arithmetic if s fell neither over the 64 octaves before nor in the last four of them: exponential
# decay is never that abrupt.  Otherwise zeros are taken as zeros.
#
# Where f changes its sign in the outer half the integral may converge conditionally.  Half a period contributes about
# M^2/D, where M is the largest |f| and D the largest |f'| nearby (with respect to u = d or 1/d, which grows to
# infinity); unless this tends to 0 Cauchy's criterion fails, as it does for sin(x) and x^2 sin(x), but not for
# sin(x)/x and sin(x^2).  Methods that sample need a finite integral of |f|, without which the mean does not converge.
#
# With the method "fourier" a factor cos(w x) or sin(w x) multiplies f.  At infinity the integral converges if f tends
# to 0 (Dirichlet's test, for f that is monotonic far out): there m = 0, and as 2^s need only tend to 0, the integral
# diverges if a < 0, or a = 0 and q <= 0.  At 0, where the line is divided, a sine contributes a factor d: m = 2.
#
# The two halves of a line, and the two sides of a point, are examined separately: infinities of opposite signs do not
# cancel, and a principal value is not an integral.  Where a rule in one dimension ended with intervals as narrow as
# the floating-point numbers allow, or used many evaluations, the point with the largest |f| is found by sampling, and
# both of its sides are examined.
#
# Integrals that have not converged are examined, except those with status "coarse", whose given steps are too long to
# reveal anything.  Integrals that have converged, or are limited by rounding with a small error, are first screened at
# two octaves.  Integrals that converged under a bisecting rule with so few evaluations that it cannot have approached a
# singular point are not examined at all.

octave_count <- 96L
spare_least <- 6                        # octaves between the end of a path and the spacing of numbers,
spare_inside <- 12                      # and next to points whose position is found by sampling
further_least <- 2                      # octaves beyond the end of a path in which growth must not end
octaves_deep <- 1000                    # doubles have 1022 octaves on either side of 1
octaves_cut <- 64                       # least number of octaves before a cut-off by arithmetic
octaves_subnormal <- 30                 # octaves before a cut-off in which numbers may be subnormal
clean_fit <- 0.02                       # root mean square of the residuals of a fit without noise, in octaves,
exact_fit <- 1e-6                       # and of one next to a singularity that is a floating-point number
least_slope <- 0.05                     # smallest significant slope of noisy values

examined_in_box <- 5000                 # in several dimensions, integrals that converged with fewer are not examined
resolved_evaluations <- 1e4
error_rounded <- 1e-4                   # largest relative error that rounding alone may cause
screened_rows <- 10000L                 # rows in one portion
examined_rows <- 500L

# Returns `state` with the final statuses: "converged" requires a finite value and an error within the tolerance,
# and divergent integrals get the status "divergent" and the value NaN.
with_final_statuses <- function(state, p, method) {
  enough <- if (!is.null(p$evaluations)) 0
            else if (length(p$lower) > 1L) examined_in_box
            else integral_methods()$trusted[[if (method == "auto") "gk" else method]]
  count <- .Call(C_judge, state, p$tolerance, enough)
  if (!is.null(p$evaluations)) state$status[is_all_zero(state, p)] <- status_number("stuck")
  if (count == 0) return(state)
  if (method == "fourier") p$factor <- method_options()$weight$choices[p$options$weight + 1]
  p$absolute <- method %in% sampling_methods
  rows <- rows_to_examine(state, p, enough)
  found <- rows[in_portions(rows, examined_rows, function(some) {
    status <- state$status[some]
    is_resolved <- status %in% vapply(c("stuck", "not finite", "roundoff"), status_number, 0L) |
      status != 0L & state$evaluations[some] > resolved_evaluations
    diverges(p, some, is_resolved)
  })]
  if (!length(found)) return(state)                      # without copies of the vectors
  state$status[found] <- status_number("divergent")
  state$value[found] <- NaN
  state$error[found] <- Inf
  state
}

# Returns the integrals over infinite ranges with the value 0 and the error 0: no point met the peaks of the integrand.
is_all_zero <- function(state, p) {
  empty <- Reduce(`|`, Map(function(low, high) low == high, p$lower, p$upper))
  at <- .Call(C_zero_integrals, state)
  at[!empty[(at - 1) %% length(empty) + 1]]
}

# Applies a function to consecutive portions of `rows` and concatenates the results.
in_portions <- function(rows, size, fun) {
  if (length(rows) <= size) return(if (length(rows)) fun(rows) else logical())
  unlist(lapply(split(rows, (seq_along(rows) - 1L) %/% size), fun), use.names = FALSE)
}

# Returns the integrals to be examined, without those that have a value and whose convergence is not in doubt, judged by
# two octaves of each path.  Compiled code screens translated integrands over one axis, as there may be millions of
# integrals.
rows_to_examine <- function(state, p, enough) {
  if (length(p$lower) == 1L && !is.function(p$integrand) && is.null(p$factor))
    return(.Call(C_screen, p$integrand, p$lower[[1L]], p$upper[[1L]], p$columns, as.double(p$breaks), state,
                 c(enough, resolved_evaluations, error_rounded)))
  rows <- .Call(C_examined, state, enough)
  status <- state$status[rows]
  has_value <- status == 0L | status == status_number("roundoff") & state$evaluations[rows] <= resolved_evaluations &
    state$error[rows] <= error_rounded * abs(state$value[rows])
  examined <- !has_value
  examined[has_value] <- in_portions(rows[has_value], screened_rows, function(some) are_doubtful(p, some))
  rows[examined]
}

are_doubtful <- function(p, rows) {
  q <- problem_rows(p, rows)
  paths <- paths_to_limits(q)
  replace(logical(length(rows)), paths$row[is_doubtful(q, paths)], TRUE)
}

# TRUE for each of the integrals `rows` that diverges.  is_resolved: TRUE if there were enough evaluations to locate a
# singular point inside the range.
diverges <- function(p, rows, is_resolved) {
  q <- problem_rows(p, rows)
  paths <- paths_to_limits(q)
  found <- replace(logical(length(rows)), paths$row[paths_diverge(q, paths)], TRUE)
  inside <- which(is_resolved & !found)
  if (q$dim > 1L || !length(inside) || !is.null(q$factor)) return(found)
  paths <- paths_to_peaks(q, inside)
  paths <- pick_paths(paths, paths_diverge(q, paths))
  replace(found, paths$row[growth_continues(q, paths, spare_inside - spare_least)], TRUE)
}

# Returns the lower and upper limits (in increasing order) and parameters of the integrals `rows` as matrices with a row
# for each integral.
problem_rows <- function(p, rows) {
  table <- function(columns) {
    values <- lapply(columns, function(v) v[(rows - 1) %% length(v) + 1])
    matrix(as.double(unlist(values, use.names = FALSE)), length(rows), length(columns))
  }
  one <- table(p$lower)
  other <- table(p$upper)
  list(low = pmin(one, other), high = pmax(one, other), parameters = table(p$columns),
       breaks = if (is.null(p$factor)) p$breaks else 0, factor = p$factor, dim = length(p$lower),
       integrand = p$integrand, absolute = isTRUE(p$absolute))
}

# Returns the values of the integrand at points (a matrix with a column for each axis) of the integrals `row`; NaN if
# the integrand fails.
values_at <- function(q, x, row) {
  inputs <- c(lapply(seq_len(q$dim), function(k) x[, k]),
              lapply(seq_len(ncol(q$parameters)), function(k) q$parameters[row, k]))
  if (!is.function(q$integrand)) return(.Call(C_values, q$integrand, inputs))
  value_or(suppressWarnings(q$integrand(inputs)), function(e) rep(NaN, length(row)))
}

# --- paths ----------------------------------------------------------------------------
#
# A path leads from inside the range to a point or to infinity.  Its points are from + step 2^-o in the first case and
# from + step 2^o in the second (outward = TRUE).  row: index of the integral; depth: number of octaves; weight: the
# exponent m above.

# Returns paths, without those that are too short or not finite.
new_paths <- function(row, from, step, outward, depth, weight) {
  is_good <- is.finite(rowSums(from)) & is.finite(rowSums(step)) & depth >= 10
  paths <- list(row = row, from = from, step = step, outward = rep_len(outward, length(row)), depth = depth,
                weight = rep_len(weight, length(row)))
  if (all(is_good)) paths else pick_paths(paths, which(is_good))
}

pick_paths <- function(paths, at) {
  list(row = paths$row[at], from = paths$from[at, , drop = FALSE], step = paths$step[at, , drop = FALSE],
       outward = paths$outward[at], depth = paths$depth[at], weight = paths$weight[at])
}

join_paths <- function(paths) {
  part <- function(name, join) do.call(join, lapply(paths, `[[`, name))
  list(row = part("row", c), from = part("from", rbind), step = part("step", rbind), outward = part("outward", c),
       depth = part("depth", c), weight = part("weight", c))
}

# Returns the number of octaves from a distance `step` to the spacing of the floating-point numbers at `from` (2^-1020
# at 0), less `spare`.
depth_to <- function(from, step, spare = spare_least) {
  pmin(octaves_deep, log2(abs(step)) + pmin(1020, 52 - spare - log2(abs(from))))
}

paths_to_limits <- function(q) if (q$dim == 1L) paths_on_line(q) else paths_in_box(q)

# Returns the paths to both limits, and to the breaks from both sides.  If a factor multiplies f, 0 is the only break.
paths_on_line <- function(q) {
  row <- seq_len(nrow(q$low))
  low <- q$low[, 1L]
  high <- q$high[, 1L]
  inner <- lapply(q$breaks, function(at) {
    here <- row[low < at & at < high]
    paths_around(here, rep(at, length(here)), pmin(at - low, high - at)[here], spare_least)
  })
  paths <- join_paths(c(list(paths_to_end(row, low, high, 1), paths_to_end(row, high, low, -1)), inner))
  if (!is.null(q$factor))
    paths$weight <- ifelse(paths$outward, 0, 1 + (q$factor == "sin" & paths$from[, 1L] == 0))
  paths
}

# Returns the paths to the limits `end`; `way` is 1 or -1, the direction from there into the range.
paths_to_end <- function(row, end, other, way) {
  outward <- is.infinite(end)
  opposite <- is.finite(other)
  from <- replace(end, outward, 0)
  from[outward & opposite] <- other[outward & opposite]
  step <- pmax(abs(end), 1)
  step[opposite] <- abs(end - other)[opposite]
  step <- replace(way * step, outward, -way)
  new_paths(row, cbind(from), cbind(step), outward, replace(depth_to(from, step), outward, octaves_deep), 1)
}

paths_around <- function(row, at, length, spare) {
  length <- pmin(length, pmax(abs(at), 1))
  join_paths(lapply(c(-1, 1), function(way) {
    new_paths(row, cbind(at), cbind(way * length), FALSE, depth_to(at, length, spare), 1)
  }))
}

corners_most <- 16L

# Returns the paths to corners of the box, and to two points of each face.
paths_in_box <- function(q) {
  kept <- paste0("box.paths.", q$dim)
  if (is.null(session_cache[[kept]])) session_cache[[kept]] <- box_paths(q$dim)
  shape <- session_cache[[kept]]
  count <- length(shape$weight)
  row <- rep(seq_len(nrow(q$low)), each = count)
  path <- rep(seq_len(count), nrow(q$low))
  low <- q$low[row, , drop = FALSE]
  high <- q$high[row, , drop = FALSE]
  from <- shape$low[path, , drop = FALSE] * low + shape$high[path, , drop = FALSE] * high
  step <- shape$step[path, , drop = FALSE] * (high - low)
  depth <- matrix(depth_to(from, step), nrow(from))
  depth[step == 0] <- octaves_deep
  least <- depth[cbind(seq_along(row), max.col(-depth, "first"))]
  new_paths(row, from, step, FALSE, least, shape$weight[path])
}

# Returns the paths of a box of `dim` axes, a row for each.  A path approaches the point low * (lower limits) +
# high * (upper limits) in the direction of -step * (widths).  That point is a corner, approached along all axes
# (weight: their number), or one of two points of a face, approached along one axis.
box_paths <- function(dim) {
  corner <- as.matrix(expand.grid(rep(list(0:1), min(dim, log2(corners_most)))))
  corner <- cbind(corner, matrix(0, nrow(corner), dim - ncol(corner)))
  k <- seq_len(4L * dim) - 1L
  side <- unname(rbind(corner, matrix(k %% 2L, length(k), dim)))
  moves <- rbind(1 + 0 * unname(corner), 1 * outer(k %/% 4L + 1L, seq_len(dim), `==`))
  place <- c(numeric(nrow(corner)), c(0.3819660, 0.5857864)[k %/% 2L %% 2L + 1L])
  high <- moves * side + (1 - moves) * (outer(place, seq_len(dim) + 1) %% 1)
  list(low = 1 - high, high = high, step = moves * (1 - 2 * side), weight = rowSums(moves))
}

# Returns the octaves of each path: all of them if there are few, otherwise the first 16 and equally spaced ones.
octaves_of <- function(depth) {
  few <- 16L
  more <- octave_count - few
  outer(seq_len(octave_count), depth, function(j, d) {
    ifelse(d <= octave_count, 1 + (j - 1) * (d - 1) / (octave_count - 1),
           ifelse(j <= few, j, few + (j - few) * (d - few) / more))
  }) + 0.3071
}

# Returns the points at a matrix of octaves, a row for each octave of each path in turn and a column for each axis.
points_on <- function(q, paths, octaves) {
  every <- function(v) rep(v, each = nrow(octaves))
  share <- 2^(every(2 * paths$outward - 1) * as.vector(octaves))
  x <- vapply(seq_len(q$dim), function(k) every(paths$from[, k]) + every(paths$step[, k]) * share, share)
  matrix(x, length(share))
}

# Returns the values at a matrix of octaves, with a column for each path.
values_on <- function(q, paths, octaves) {
  matrix(values_at(q, points_on(q, paths, octaves), rep(paths$row, each = nrow(octaves))), nrow(octaves))
}

# Returns the octaves of the points after rounding, which matters close to a point that is not 0.  The difference of
# neighbouring numbers is exact.
rounded_octaves <- function(q, paths, octaves) {
  inward <- which(!paths$outward)
  if (q$dim > 1L || !length(inward)) return(octaves)
  some <- octaves[, inward, drop = FALSE]
  every <- function(v) rep(v[inward], each = nrow(octaves))
  distance <- abs(points_on(q, pick_paths(paths, inward), some) - every(paths$from)) / abs(every(paths$step))
  octaves[, inward] <- -log2(distance)
  octaves
}

# Returns log2(s) at these octaves, up to an additive constant.
log_shells <- function(f, octaves, outward, weight) log2(abs(f)) + (2 * outward - 1) * weight * octaves

# --- decisions ------------------------------------------------------------------------

# TRUE for each path along which s falls so slowly between two octaves that convergence is not certain.
is_doubtful <- function(q, paths) {
  if (!length(paths$row)) return(logical())
  is_deep <- paths$depth > 100
  octaves <- rbind(8, 80 * is_deep + 0.9 * paths$depth * !is_deep) + 0.3071
  f <- values_on(q, paths, octaves)
  s <- function(k) log_shells(f[k, ], octaves[k, ], paths$outward, paths$weight)
  change <- s(2L) - s(1L)
  !is.nan(change) & change > -least_slope * (octaves[2L, ] - octaves[1L, ])
}

# Returns the indices of the paths along which the integral of |f| is infinite, or f oscillates without a limit.
paths_diverge <- function(q, paths) {
  if (!length(paths$row)) return(integer())
  octaves <- octaves_of(paths$depth)
  f <- values_on(q, paths, octaves)
  octaves <- rounded_octaves(q, paths, octaves)
  verdict <- vapply(seq_along(paths$row), function(k) {
    path_verdict(f[, k], octaves[, k], paths$outward[k], paths$weight[k], log2(max(abs(paths$step[k, ]))))
  }, "")
  confirm <- function(what, test) {
    at <- which(verdict == what)
    if (length(at)) at[test(q, pick_paths(paths, at), f[, at, drop = FALSE], octaves[, at, drop = FALSE])] else at
  }
  grows <- function(q, paths, ...) paths$outward | growth_continues(q, paths, further_least)
  c(confirm("diverges", grows), confirm("cut off", is_cut_by_arithmetic), confirm("oscillates", is_undefined),
    if (q$absolute) confirm("oscillates", grows_on_average))
}

# Classifies one path: "no", "diverges", "cut off" (divergent, provided that arithmetic causes the zeros beyond) or
# "oscillates".
path_verdict <- function(f, octaves, outward, weight, length) {
  usable <- which(is.finite(f) & f != 0)
  if (length(usable) < 3L) return("no")
  last <- usable[length(usable)]
  first <- max(0L, which(!seq_len(last) %in% usable)) + 1L
  beyond <- f[-seq_len(last)]
  grows <- length(beyond) && all(is.infinite(beyond))
  cut <- length(beyond) && !grows
  run <- first:last
  s <- log_shells(f[run], octaves[run], outward, weight)
  o <- octaves[run]
  wide <- o[length(o)] - o[1L]
  outer <- o >= max(o[1L], (o[1L] + o[length(o)]) / 2)
  if (length(unique(sign(f[run][outer]))) > 1L) return(if (cut) "no" else "oscillates")
  if (length(beyond)) {
    has_grown <- grows && all(diff(s[outer]) > 0) && s[length(s)] - s[1L] >= 10
    if (wide < octaves_cut) return(if (has_grown) "diverges" else "no")
    outer <- outer & o <= o[length(o)] - octaves_subnormal
  }
  distance <- abs(if (outward) o else length - o)
  if (sum(outer) < 5L || !sum_is_infinite(s[outer], o[outer], distance[outer], weight > 0)) "no" else if (cut) "cut off"
  else "diverges"
}

# TRUE if the sum of 2^s over all octaves diverges; with `summed` = FALSE, if 2^s does not tend to 0.
sum_is_infinite <- function(s, octave, distance, summed) {
  log_distance <- log2(pmax(distance, 1))
  fit <- stats::.lm.fit(cbind(1, octave, log_distance), s)
  residual <- sqrt(mean(fit$residuals^2))
  if (residual <= clean_fit) {
    slope <- fit$coefficients[2L]
    is_precise <- max(octave) > 200 || residual <= exact_fit
    if (fit$rank < 3L || abs(slope) > if (is_precise) 1e-4 else 8e-3) return(slope > 0)
    return(stats::.lm.fit(cbind(1, log_distance), s)$coefficients[2L] >= -summed - clean_fit)
  }
  fit <- stats::.lm.fit(cbind(1, octave), s)
  centred <- octave - mean(octave)
  error <- sqrt(sum(fit$residuals^2) / max(1, length(s) - 2) / sum(centred^2))
  last <- octave >= octave[1L] + (octave[length(octave)] - octave[1L]) * 2 / 3
  fit$coefficients[2L] - 3 * error > least_slope &&
    stats::.lm.fit(cbind(1, octave[last]), s[last])$coefficients[2L] > least_slope
}

# TRUE for each path towards a point unless s stops growing in `further` octaves beyond those that are fitted.  The
# position of the point is uncertain by its rounding, and s levels off, and then falls, next to a narrow peak such as
# that of 1/((x - e)^2 + 1e-24).
growth_continues <- function(q, paths, further) {
  if (!length(paths$row)) return(logical())
  octaves <- outer(c(-spare_inside, 0, further), paths$depth, `+`)
  s <- log_shells(values_on(q, paths, octaves), octaves, rep(paths$outward, each = 3L), rep(paths$weight, each = 3L))
  s <- matrix(s, 3L)
  growth <- further / spare_inside * (s[2L, ] - s[1L, ])
  !(s[3L, ] - s[2L, ] < 0.5 * pmax(growth, 0) - 1) %in% TRUE
}

# TRUE for each path along which s does not fall before the first zero, whose octave is located by bisection.
is_cut_by_arithmetic <- function(q, paths, f, octaves) {
  n <- length(paths$row)
  last <- vapply(seq_len(n), function(k) max(which(is.finite(f[, k]) & f[, k] != 0)), 0L)
  low <- octaves[cbind(last, seq_len(n))]
  high <- octaves[cbind(last + 1L, seq_len(n))]
  before <- log_shells(f[cbind(last, seq_len(n))], low, paths$outward, paths$weight)
  for (step in 1:10) {
    middle <- (low + high) / 2
    y <- values_on(q, paths, rbind(middle))[1L, ]
    is_there <- is.finite(y) & y != 0
    low <- ifelse(is_there, middle, low)
    high <- ifelse(is_there, high, middle)
  }
  near <- outer(seq(0, 4, length.out = 12L), low, function(back, o) o - back)
  y <- values_on(q, paths, near)
  vapply(seq_len(n), function(k) {
    s <- log_shells(y[, k], near[, k], paths$outward[k], paths$weight[k])
    all(is.finite(s)) && min(s) >= before[k] - 10
  }, NA)
}

# --- oscillation ------------------------------------------------------------------------

# TRUE for each path along which s grows towards its end, so that the integral of |f| is infinite.
grows_on_average <- function(q, paths, f, octaves) {
  vapply(seq_along(paths$row), function(k) {
    usable <- is.finite(f[, k]) & f[, k] != 0
    outer <- usable & octaves[, k] >= max(octaves[usable, k]) / 2
    s <- log_shells(f[outer, k], octaves[outer, k], paths$outward[k], paths$weight[k])
    sum(outer) >= 5L && sum_is_infinite(s, octaves[outer, k], abs(octaves[outer, k]), TRUE)
  }, NA)
}

oscillation_octaves <- 4:10
oscillation_points <- 16L

# TRUE for each one-dimensional path along which the contribution of half a period does not fall towards its end.
is_undefined <- function(q, paths, f, octaves) {
  if (q$dim > 1L) return(logical(length(paths$row)))
  vapply(seq_along(paths$row), function(k) {
    usable <- is.finite(f[, k]) & f[, k] != 0
    outer <- usable & octaves[, k] >= max(octaves[usable, k]) / 2
    amplitude <- log_shells(f[outer, k], octaves[outer, k], paths$outward[k], if (paths$outward[k]) 0 else 2)
    if (sum(outer) < 5L) return(FALSE)
    slope <- stats::.lm.fit(cbind(1, octaves[outer, k]), amplitude)$coefficients[2L]
    slope > -least_slope && half_periods_stay(q, pick_paths(paths, k))
  }, NA)
}

# TRUE if the contribution of half a period does not fall along one path.
half_periods_stay <- function(q, path) {
  start <- if (path$outward) 0 else -log2(abs(path$step[1L]))
  octave <- rep(oscillation_octaves + start, each = oscillation_points)
  u <- 2^(octave + (seq_along(octave) * 0.6180340) %% 1)
  h <- function(u) {
    x <- path$from[1L] + if (path$outward) path$step[1L] * u else sign(path$step[1L]) / u
    values_at(q, cbind(x), rep(path$row, length(u))) / if (path$outward) 1 else u^2
  }
  slope <- function(step) tapply(abs(h(u + u * step) - h(u - u * step)) / (2 * u * step), octave, max)
  largest <- tapply(abs(h(u)), octave, max)
  fine <- slope(2^-25)
  half_period <- log2(largest^2 / fine)
  n <- sum(cumprod(is.finite(half_period) & abs(slope(2^-22) - fine) <= 0.2 * fine))
  n >= 4L && stats::.lm.fit(cbind(1, seq_len(n)), half_period[seq_len(n)])$coefficients[2L] > -0.1
}

# --- inside a range ---------------------------------------------------------------------

# Returns the numbers next to `at` with the largest |f|.
nearest_peak <- function(q, rows, at) {
  near <- outer(-8:8, at, function(k, x) x + k * 2^-53 * abs(x))
  f <- abs(values_at(q, cbind(as.vector(near)), rep(rows, each = nrow(near))))
  f[is.na(f)] <- -1
  near[cbind(max.col(t(matrix(f, nrow(near))), "first"), seq_along(at))]
}

# Returns the paths, from both sides, to the point with the largest |f| that sampling finds.
paths_to_peaks <- function(q, rows) {
  low <- q$low[rows, 1L]
  high <- q$high[rows, 1L]
  cells <- 256L
  share <- rep(0.5, length(rows))
  width <- 0.5
  while (width > 2^-52) {
    inner <- (seq_len(cells) - 0.5 + 0.0719) / cells
    shares <- outer(2 * width * inner - width, share, `+`)
    x <- inside(rep(low, each = cells), rep(high, each = cells), as.vector(shares))
    f <- abs(values_at(q, cbind(x), rep(rows, each = cells)))
    f[is.na(f) | shares <= 0 | shares >= 1] <- -1
    best <- max.col(t(matrix(f, cells)), "first")
    share <- shares[cbind(best, seq_along(rows))]
    at <- x[best + cells * (seq_along(rows) - 1L)]
    width <- 2 * width / cells
    cells <- 16L
  }
  size <- pmax(ifelse(is.finite(low), abs(low), 1), ifelse(is.finite(high), abs(high), 1))
  at <- nearest_peak(q, rows, at)
  at[abs(at) < 2^-45 * size & low < 0 & high > 0] <- 0
  paths_around(rows, at, pmin(at - low, high - at) / 2, spare_inside)
}
