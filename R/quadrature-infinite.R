# Infinite limits of several axes, and of methods whose points are spread over a box: the integrand is transformed to a
# finite box, so that all methods and backends compute it like any other.
#
# Along an axis with an infinite limit, t = 0 stands for the origin o, which is the finite limit or, on a whole line,
# lies where |f| is large, and t = 1 and -1 for Inf and -Inf.  The transformation is x = o + A g(t), with a matrix A and
# for each axis
#
#     g(t) = t / (1 - t^2),           g'(t) = (1 + t^2) / (1 - t^2)^2    in general,
#     g(t) = log((1 + t)/(1 - t)),    g'(t) = 2 / (1 - t^2)              where |f| falls faster than exponentially.
#
# The first, which the documentation of S. G. Johnson's library Cubature recommends, turns an algebraic tail |x|^-p into
# |1 - t|^(p - 2), smooth for p = 2, 3, ....  The second suits Gauss rules better: for a normal density their error is
# 3e-9 instead of 3e-4 with 16 points.  The lower triangular A is the Cholesky factor of the covariance matrix of |f|,
# regarded as a density (quadrature-location.R).  The integral does not depend on A and o, its numerical error does.
#
# 1 - t^2 is computed as (1 - t)(1 + t), without cancellation.  There, |t| is at most 1 - 2^-52, or so much less over
# several axes that the product of all g'(t) does not overflow, but at least 1 - 2^-30: points that are so close to the
# ends of many axes do not occur.
#
# Where only some of the integrals have an infinite limit along an axis, c t replaces t in the formulas, except for the
# numerator of g, with a parameter c that is 1 for these integrals and 0 for the others: then g(t) = t and g'(t) = 1.
#
# Functions such as x^2 exp(-x^2) have no value far out, where 0 is multiplied by infinity.  Values that are not finite
# count as 0 beyond the distance from the origin at which the integrand was 0 (zero_distance()).

# TRUE if the limits are infinite and the method requires finite ones.
needs_finite_box <- function(p, method) {
  takes_infinite <- length(p$lower) == 1L && (method == "auto" || !integral_methods()$samples[[method]])
  !takes_infinite && any(is.infinite(unlist(p[c("lower", "upper")], use.names = FALSE)))
}

# Returns the problem with an integrand over a finite box.
on_finite_box <- function(p, map = located(new_map(p), p)) {
  map$zero <- zero_distance(map, p)
  columns <- length(p$columns)
  for (k in seq_along(map$axes)) for (part in c("origin", "infinite")) {
    values <- map$axes[[k]][[part]]
    if (length(values) < 2L) next
    p$columns <- c(p$columns, list(values))
    map$axes[[k]][[part]] <- list(column = length(p$columns))
  }
  p[c("lower", "upper")] <- list(lapply(map$axes, `[[`, "lower"), lapply(map$axes, `[[`, "upper"))
  p$integrand <- if (is.function(p$integrand)) transformed_closure(p$integrand, map, columns)
                 else transformed_program(p$integrand, map, length(p$columns) - columns)
  p$evaluations <- map$evaluations
  p
}

# --- the transformation -------------------------------------------------------------------

# Factors of g for a standard deviation of 1.  In many dimensions they make the density of the points nearly equal to
# that of a normal or a Cauchy distribution: the mean square of the ratio of |f| to it is a product over all axes.
scale_general <- 2
scale_light <- 1.5
scale_many <- c(general = 1, light = 0.6)

# Returns the transformation for the limits of a problem, a list of
#   axes         a list for each axis (new_axis())
#   transformed  the numbers of the axes with an infinite limit
#   matrix       A without the factors `scale`: the identity, until the location of |f| is known
#   light        TRUE for axes whose g is the logarithm
#   top          the largest |t|
#   zero         the distance from the origin beyond which values that are not finite count as 0
#   evaluations  those that have been made to find the location and scale of |f|
#   scale        the factors of both functions g.
new_map <- function(p) {
  axes <- Map(new_axis, p$lower, p$upper)
  dim <- length(axes)
  list(axes = axes, transformed = which(vapply(axes, function(axis) any(axis$infinite != 0), NA)), matrix = diag(dim),
       light = logical(dim), top = 1 - 2^-min(52, max(30, floor(500 / dim))), zero = Inf, evaluations = 0,
       scale = if (dim > few_axes) scale_many else c(general = scale_general, light = scale_light))
}

# Returns the limits in t of an axis, its origin (0 for a whole line) and c (`infinite`), each one number or one for
# each integral.  whole: TRUE if the range is a whole line for all integrals; scaled: TRUE if it is so for all, or a
# half-line for all.
new_axis <- function(lower, upper) {
  n <- max(length(lower), length(upper))
  a <- rep_len(lower, n)
  b <- rep_len(upper, n)
  infinite <- is.infinite(a) | is.infinite(b)
  if (!any(infinite))
    return(list(lower = lower, upper = upper, origin = 0, infinite = 0, whole = FALSE, scaled = FALSE))
  whole <- is.infinite(a) & is.infinite(b)
  origin <- ifelse(!infinite | whole, 0, ifelse(is.infinite(a), b, a))
  in_t <- function(limit) ifelse(is.infinite(limit), sign(limit), ifelse(infinite, 0, limit))
  one <- function(v) if (length(unique(v)) == 1L) v[1L] else v
  list(lower = in_t(a), upper = in_t(b), origin = one(origin), infinite = one(as.double(infinite)), whole = all(whole),
       scaled = all(whole) || all(infinite & !whole))
}

# Returns the matrix of x = o + A g(t).
map_matrix <- function(map) {
  scaled <- vapply(map$axes, `[[`, NA, "scaled")
  factor <- map$scale[ifelse(map$light, "light", "general")]
  map$matrix %*% diag(ifelse(scaled, factor, 1), length(scaled))
}

# Returns for columns t a list of columns x, dx/dt, and the largest |g|.  number: a function that returns the values of
# `origin` or `infinite` at these points.
transform_points <- function(map, t, number = identity) {
  rate <- abs(det(map_matrix(map)))
  distance <- 0
  g <- t
  for (k in map$transformed) {
    axis <- map$axes[[k]]
    v <- pmax(pmin(number(axis$infinite) * t[[k]], map$top), -map$top)
    d <- (1 - v) * (1 + v)
    g[[k]] <- if (map$light[k]) log1p(2 * v / (1 - v)) else t[[k]] / d
    rate <- rate * if (map$light[k]) 2 / d else (1 + v^2) / d^2
    distance <- pmax(distance, abs(if (map$light[k]) g[[k]] else v / d))
  }
  list(x = origin_plus(map, g, number), rate = rate, distance = distance)
}

# Returns the columns of o + A g.
origin_plus <- function(map, g, number) {
  a <- map_matrix(map)
  x <- g
  for (k in map$transformed) {
    x[[k]] <- number(map$axes[[k]]$origin)
    for (j in which(a[k, ] != 0)) x[[k]] <- x[[k]] + a[k, j] * g[[j]]
  }
  x
}

# Returns a function of columns: t along each axis, the parameters, and those of the transformation.  Several components
# follow each other.
transformed_closure <- function(f, map, columns) {
  force(f)
  dim <- length(map$axes)
  function(inputs) {
    number <- function(part) if (is.list(part)) inputs[[dim + part$column]] else part
    at <- transform_points(map, inputs[seq_len(dim)], number)
    y <- f(c(at$x, inputs[dim + seq_len(columns)]))
    y[!is.finite(y) & at$distance > map$zero] <- 0
    y * at$rate
  }
}

# --- programs ---------------------------------------------------------------------------------

# Returns a program that transforms the points, runs the given one, and multiplies its value by dx/dt.  The `added`
# columns follow its former inputs; its registers behind them move up, and new ones follow these.
transformed_program <- function(program, map, added) {
  out <- program_writer(program, program$registers + added)
  made <- write_transformation(out, map)
  moved <- function(at) {
    at[at >= program$inputs] <- at[at >= program$inputs] + added
    k <- match(at, map$transformed - 1L)
    ifelse(is.na(k), at, made$x[k])
  }
  own <- moved_code(program$code, moved, out$count())
  before <- out$code()
  if (is.finite(map$zero)) far <- out$emit("GT", made$distance, out$constant(map$zero))
  program$result <- vapply(program$result, function(result) {
    y <- moved(result)
    if (is.finite(map$zero))
      y <- out$emit("SELECT", out$emit("ISFINITE", y), y, out$emit("SELECT", far, out$constant(0), y))
    as.integer(out$emit("MUL", y, made$rate))
  }, 0L)
  code <- out$code()
  program$code <- c(before, own, code[-seq_along(before)])
  program$work <- operations_of(program$code)
  program$constants <- out$constants()
  program$registers <- out$registers()
  program$inputs <- program$inputs + added
  program$laws <- lapply(program$laws, function(law) replace(law, "operand", list(moved(law$operand))))
  program
}

# Returns an instruction as src/integrand/program.h describes it.
instruction <- function(op, r, args) {
  code <- match(op, operations()$name) - 1L
  as.integer(c(code, r, args, rep(0L, 3L - length(args))))
}

# Writes instructions, each with its own register from number `first` on, and appends constants.
program_writer <- function(program, first) {
  code <- list()
  constants <- program$constants
  list(
    emit = function(op, ...) {
      register <- first + length(code)
      code[[length(code) + 1L]] <<- instruction(op, register, c(...))
      register
    },
    constant = function(value) {
      constants <<- c(constants, value)
      -length(constants)
    },
    count = function() length(code), code = function() unlist(code), constants = function() constants,
    registers = function() first + length(code)
  )
}

# Writes the formulas of transform_points().  Returns the registers of x for each transformed axis, of dx/dt and of the
# distance.
write_transformation <- function(out, map) {
  emit <- out$emit
  dim <- length(map$axes)
  operand <- function(part) if (is.list(part)) dim + part$column - 1L else out$constant(part)
  one <- out$constant(1)
  top <- out$constant(map$top)
  bottom <- out$constant(-map$top)
  a <- map_matrix(map)
  rate <- out$constant(abs(det(a)) * 2^sum(map$light))
  distance <- NULL
  g <- seq_len(dim) - 1L
  for (k in map$transformed) {
    axis <- map$axes[[k]]
    t <- k - 1L
    v <- if (is.list(axis$infinite)) emit("MUL", t, operand(axis$infinite)) else t
    v <- emit("MAX", emit("MIN", v, top), bottom)
    below <- emit("SUB", one, v)
    above <- emit("ADD", one, v)
    d <- emit("MUL", below, above)
    if (!map$light[k]) rate <- emit("MUL", rate, emit("DIV", emit("ADD", one, emit("MUL", v, v)), d))
    rate <- emit("DIV", rate, d)
    g[k] <- if (!map$light[k]) emit("DIV", t, d)
            else if (axis$whole) emit("LOG", emit("DIV", above, below))
            else emit("LOG1P", emit("DIV", emit("ADD", v, v), below))     # accurate next to a finite limit
    if (is.finite(map$zero)) {
      reach <- emit("ABS", if (is.list(axis$infinite)) emit("DIV", v, d) else g[k])
      distance <- if (is.null(distance)) reach else emit("MAX", distance, reach)
    }
  }
  x <- vapply(map$transformed, function(k) {
    sum <- operand(map$axes[[k]]$origin)
    for (j in which(a[k, ] != 0)) sum <- emit("ADD", sum, emit("MUL", out$constant(a[k, j]), g[j]))
    as.integer(sum)
  }, 0L)
  list(x = x, rate = rate, distance = distance)
}

jump_operations <- c("SKIP", "LOOP", "NEXT")

# Returns the code of a program with its registers and its targets of jumps moved.
moved_code <- function(code, moved, by) {
  code <- matrix(code, 5L)
  ops <- operations()
  name <- ops$name[code[1L, ] + 1L]
  count <- ops$arity[code[1L, ] + 1L]
  code[2L, name != "SKIP"] <- moved(code[2L, name != "SKIP"])
  for (k in 1:3) code[k + 2L, count >= k] <- moved(code[k + 2L, count >= k])
  jumps <- name %in% jump_operations
  code[4L, jumps] <- code[4L, jumps] + by
  as.integer(code)
}

# --- rays ---------------------------------------------------------------------------------------

integrals_examined <- 4L                # integrals of which the values determine the transformation
ray_octaves <- seq(0, 52, by = 0.5)

# Returns the integrals that determine the transformation, as problem_rows() does, and their numbers.
examined_integrals <- function(p) {
  n <- max(lengths(c(p$lower, p$upper, p$columns)))
  rows <- unique(round(seq(1, n, length.out = min(n, integrals_examined))))
  c(problem_rows(if (is.null(p$components)) p else size_problem(p), rows), list(rows = rows))
}

# Returns the rays of integral number `row` of q to its infinite limits: their directions, a row for each, and |f| at
# the points g = from + reach * direction, a column for each.
rays_of <- function(map, q, row, reach, direction = ray_directions(q$low[row, ], q$high[row, ]),
                    from = numeric(q$dim)) {
  number <- function(part) part[(q$rows[row] - 1L) %% length(part) + 1L]
  middle <- (q$low[row, ] + q$high[row, ]) / 2
  from <- ifelse(is.finite(middle), middle, from)
  count <- length(reach) * nrow(direction)
  g <- lapply(seq_len(q$dim), function(k) from[k] + as.vector(outer(reach, direction[, k])))
  x <- do.call(cbind, lapply(origin_plus(map, g, number), rep_len, count))
  list(direction = direction, value = matrix(abs(values_at(q, x, rep(row, count))), length(reach)))
}

# Returns for each axis of integral number `row` of q the direction of a half-line, 1 or -1; 1 for whole lines, and 0
# for finite ranges.
infinite_way <- function(q, row) ifelse(q$high[row, ] %in% Inf, 1, ifelse(q$low[row, ] %in% -Inf, -1, 0))

# Returns the largest |g| on rays from the origin at which the outermost finite value lies, if that value is 0; values
# that are not finite count as 0 beyond.  Inf if all values are finite, or another value precedes.
zero_distance <- function(map, p) {
  q <- examined_integrals(p)
  last <- unlist(lapply(seq_along(q$rows), function(row) {
    apply(rays_of(map, q, row, 2^ray_octaves)$value, 2L, function(f) {
      at <- max(0L, which(is.finite(f)))
      if (at == length(f)) NULL else if (at == 0L || f[at] != 0) Inf else 2^ray_octaves[at]
    })
  }))
  if (length(last)) max(last) else Inf
}

# Returns rows of -1, 0 and 1: along each axis to its infinite limits, and along all of these axes together.
ray_directions <- function(low, high) {
  ends <- Map(function(a, b) c(if (is.infinite(a)) -1, if (is.infinite(b)) 1), low, high)
  axes <- which(lengths(ends) > 0L)
  single <- diag(length(low))[rep(axes, lengths(ends)[axes]), , drop = FALSE] * unlist(ends)
  corners <- as.matrix(expand.grid(ends[utils::head(axes, log2(corners_most))]))
  all <- matrix(0, nrow(corners), length(low))
  all[, axes] <- rep(vapply(ends[axes], `[`, 0, 1L), each = nrow(corners))
  all[, axes[seq_len(ncol(corners))]] <- corners
  rbind(single, all)
}
