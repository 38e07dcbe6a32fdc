# data-raw/quick-tables.R: makes inst/tables/quick.rds, the tables of src/interpolant/table_layout.h, from exact
# densities of the installed package.  Takes a quarter of an hour on two cores.  Run it from the project's
# root.
#
# A cell is a rectangle of the (alpha, beta) plane.  Its range of u, where the density is at s sinh(u), is
# divided into bases of equal width, and each base into 1, 2, 4, ... pieces.  On each piece log f is
# approximated by a polynomial in (alpha, beta, u) of fixed degree.  A base is divided further if pieces
# whose error exceeds `tolerance` contain more than a negligible probability.  A cell is accepted if the
# pieces that still miss the tolerance contain less than `may_miss` of the probability; otherwise it is
# bisected in the direction with the larger last coefficients.
library(stablecl)

terms <- c(beta = 12L, alpha = 16L, u = 16L)     # TABLE_BETA, TABLE_ALPHA, TABLE_U
step <- 2^-35                                    # TABLE_STEP
low_bits <- 31                                   # TABLE_HIGH is 2^31 steps
tolerance <- 4e-10                               # of log f; rounding to steps adds about 3e-10
negligible <- 1.5 * step
may_miss <- 1e-3
tail <- 1e-6                                     # probability beyond each end of the range of u
base_width <- 1.5                                # times 1/alpha
most_cuts <- 7L
early <- 5L                                      # cuts after which the last coefficients decide about bisection
zeta_end <- 0.8                                  # in cells of smaller alpha, y is relative to zeta

# --- Chebyshev polynomials -------------------------------------------------------------------------

nodes <- function(n) cos(pi * (seq_len(n) - 0.5) / n)
chebyshev <- function(n, r) outer(r, 0:(n - 1L), function(r, k) cos(k * acos(pmin(1, pmax(-1, r)))))
to_coefficients <- function(n) {
  m <- t(chebyshev(n, nodes(n))) * 2 / n
  m[1L, ] <- m[1L, ] / 2
  m
}

# Transforms the first dimension of v from values to Chebyshev coefficients, and makes it the last dimension.
transform_first <- function(v) {
  d <- dim(v)
  v <- array(to_coefficients(d[1L]) %*% matrix(v, d[1L]), d)
  aperm(v, c(seq_along(d)[-1L], 1L))
}

# --- cells ------------------------------------------------------------------------------------------

# Returns the map from r in [-1, 1] to a parameter: linear in log(top - value), or in the value if the range ends at
# the top.
parameter <- function(range, top) {
  if (range[2L] >= top) return(function(r) mean(range) + diff(range) / 2 * r)
  ends <- log(top - range)
  function(r) top - exp(mean(ends) + diff(ends) / 2 * r)
}

# Returns the scale of the finest structure of f near zeta, where its Taylor coefficients are of order
# Gamma((k + 1)/alpha)/(k! Gamma(1/alpha)); see structure() in src/interpolant/build.c.
structure_scale <- function(alpha, degree = 12) {
  size <- (log(1e-10) + (2 * degree - 1) * log(2) - lgamma((degree + 1) / alpha) + lgamma(1 / alpha) +
             lgamma(degree + 1)) / (degree * log(2))
  2^min(0, size)
}

spread <- function(alpha, beta) (1 + (beta * tanpi(alpha / 2))^2)^(1 / (2 * alpha))

new_cell <- function(alpha, beta) {
  at_zeta <- alpha[2L] <= zeta_end
  cell <- list(alpha = alpha, beta = beta, at_zeta = at_zeta, width = base_width / mean(alpha),
               log_s = if (at_zeta) log(c(structure_scale(alpha[1L]), structure_scale(alpha[2L]))) else c(0, 0),
               alpha_at = parameter(alpha, 2), beta_at = parameter(beta, 1))
  corners <- expand.grid(r = c(-1, 1), beta = beta)
  corners$alpha <- ifelse(corners$r < 0, alpha[1L], alpha[2L])
  s <- mapply(function(r, a, b) scale_at(cell, r, a, b), corners$r, corners$alpha, corners$beta)
  ends <- function(lower) qstable(tail, corners$alpha, corners$beta, pm = pm_of(cell), lower.tail = lower) / s
  u <- asinh(c(min(ends(TRUE)), max(ends(FALSE))))
  cell$bases <- floor(u[1L] / cell$width):(ceiling(u[2L] / cell$width) - 1)
  cell
}

pm_of <- function(cell) if (cell$at_zeta) 1 else 0
scale_at <- function(cell, r, alpha, beta) {
  exp(mean(cell$log_s) + diff(cell$log_s) / 2 * r) * if (cell$at_zeta) spread(alpha, beta) else 1
}
log_density <- function(cell, y, alpha, beta) {
  suppressWarnings(dstable(y, alpha, beta, pm = pm_of(cell), log = TRUE))
}

# --- pieces, given by their left ends and their width ------------------------------------------------------

# Returns sinh(u) at the coordinates r of each piece.
places <- function(left, width, r) sinh(as.vector(outer((r + 1) / 2 * width, left, `+`)))

# Returns the Chebyshev coefficients of log f as an array beta x alpha x u x piece.
coefficients_of <- function(cell, left, width) {
  r <- nodes(terms[["alpha"]])
  alpha <- cell$alpha_at(r)
  beta <- cell$beta_at(nodes(terms[["beta"]]))
  sinh_u <- places(left, width, nodes(terms[["u"]]))
  v <- array(0, c(terms[["u"]], length(left), length(alpha), length(beta)))
  for (i in seq_along(alpha)) for (j in seq_along(beta))
    v[, , i, j] <- log_density(cell, scale_at(cell, r[i], alpha[i], beta[j]) * sinh_u, alpha[i], beta[j])
  v <- aperm(transform_first(v), c(2, 3, 4, 1))          # alpha, beta, u, piece
  v <- aperm(transform_first(v), c(1, 4, 2, 3))          # beta, alpha, u, piece
  d <- dim(v)
  array(to_coefficients(d[1L]) %*% matrix(v, d[1L]), d)
}

check_u <- c(-0.995, -0.55, 0.03, 0.6, 0.99)

# Returns the largest error and the largest probability of each piece over several (alpha, beta) in the cell: points
# near its four corners, and random ones.
judge <- function(cell, v, left, width, shapes = 10L) {
  r <- cbind(runif(shapes, -1, 1), runif(shapes, -1, 1))
  r[1:4, ] <- as.matrix(expand.grid(c(-0.985, 0.985), c(-0.985, 0.985)))
  sinh_u <- places(left, width, check_u)
  each <- lapply(seq_len(shapes), function(k) {
    alpha <- cell$alpha_at(r[k, 1L])
    beta <- cell$beta_at(r[k, 2L])
    s <- scale_at(cell, r[k, 1L], alpha, beta)
    drawn <- contract(v, chebyshev(terms[["beta"]], r[k, 2L]), chebyshev(terms[["alpha"]], r[k, 1L]))
    miss <- abs(chebyshev(terms[["u"]], check_u) %*% drawn - log_density(cell, s * sinh_u, alpha, beta))
    miss[is.na(miss)] <- Inf
    at <- list(s * sinh(left), s * sinh(left + width))
    p <- lapply(at, pstable, alpha, beta, pm = pm_of(cell))
    q <- lapply(at, pstable, alpha, beta, pm = pm_of(cell), lower.tail = FALSE)
    list(miss = apply(miss, 2L, max), mass = ifelse(p[[1L]] < 0.5, p[[2L]] - p[[1L]], q[[1L]] - q[[2L]]))
  })
  list(miss = do.call(pmax, lapply(each, `[[`, "miss")), mass = do.call(pmax, lapply(each, `[[`, "mass")))
}

# Returns the coefficients in u at one (alpha, beta), given by its Chebyshev polynomials.
contract <- function(v, beta, alpha) {
  v <- matrix(as.vector(beta) %*% matrix(v, terms[["beta"]]), terms[["alpha"]])
  matrix(as.vector(alpha) %*% v, terms[["u"]])
}

# Returns the largest of the last two coefficients in beta and in alpha.
last_coefficients <- function(v) {
  v[!is.finite(v)] <- 0
  b <- terms[["beta"]]
  a <- terms[["alpha"]]
  c(beta = max(abs(v[(b - 1):b, , , ])), alpha = max(abs(v[, (a - 1):a, , ])))
}

# --- the pieces of a cell --------------------------------------------------------------------------------------

# Returns the approximation on a cell and the probability of the pieces that miss the tolerance; or, if that is too
# much, missed = 1 and the last coefficients, which decide about bisection.
draw_cell <- function(alpha, beta) {
  cell <- new_cell(alpha, beta)
  todo <- cell$bases
  drawn <- list()
  missed <- 0
  last <- c(beta = 0, alpha = 0)
  for (cut in 0:most_cuts) {
    if (!length(todo)) break
    width <- cell$width / 2^cut
    left <- as.vector(t(outer(todo * cell$width, (seq_len(2^cut) - 1) * width, `+`)))
    base <- rep(todo, each = 2^cut)
    v <- coefficients_of(cell, left, width)
    found <- judge(cell, v, left, width)
    bad <- !(found$miss < tolerance)
    heavy <- bad & found$mass > may_miss / 30
    if (cut >= early && any(heavy)) last <- last_coefficients(v[, , , heavy, drop = FALSE])
    if (max(last) > 4 * tolerance && sum(found$mass[heavy]) > may_miss) return(list(missed = 1, last = last))
    todo <- if (cut < most_cuts) unique(base[bad & found$mass > may_miss / 300]) else numeric()
    for (b in setdiff(base, todo)) {
      at <- which(base == b)
      drawn[[as.character(b)]] <- list(base = b, cut = cut, pieces = lapply(at, function(k) if (!bad[k]) v[, , , k]))
      missed <- missed + sum(found$mass[at][bad[at]])
    }
  }
  list(cell = cell, missed = missed, last = last, drawn = drawn[order(vapply(drawn, `[[`, 0, "base"))])
}

# Returns the point at which to bisect a range: its middle in the coordinate of the cell, or the upper quarter point if
# the range ends at the top.
halfway <- function(range, top) {
  if (range[2L] >= top) top - diff(range) / 4 else top - sqrt(prod(top - range))
}

# Returns the cells that cover a rectangle of the parameter space.
draw <- function(alpha, beta) {
  done <- draw_cell(alpha, beta)
  if (done$missed < may_miss) return(list(done))
  at_one <- beta[2L] >= 1 && diff(beta) < may_miss / 2          # the light tail is negligible there
  if (done$last[["beta"]] > done$last[["alpha"]] && !at_one) {
    m <- halfway(beta, 1)
    return(c(draw(alpha, c(beta[1L], m)), draw(alpha, c(m, beta[2L]))))
  }
  m <- halfway(alpha, 2)
  c(draw(c(alpha[1L], m), beta), draw(c(m, alpha[2L]), beta))
}

# --- the file --------------------------------------------------------------------------------------------------

# Returns a piece as counts and the low and high parts of its coefficients, in units of `step`; coefficients are grouped
# in fours, padded with zeros.
pack_piece <- function(v) {
  n <- apply(abs(v) > negligible, c(1, 2), function(big) max(0L, which(big)))
  whole <- round(v / step)
  high <- round(whole / 2^low_bits)
  low <- whole - high * 2^low_bits
  wide <- apply(high != 0, c(1, 2), function(big) max(0L, which(big)))
  n <- pmax(n, wide)
  fours <- function(count) ceiling(count / 4)
  n <- fours(n)
  wide <- fours(wide)
  across <- apply(n > 0, 1, function(some) max(0L, which(some)))
  pairs <- do.call(rbind, lapply(which(across > 0), function(j) cbind(j, seq_len(across[j]))))
  take <- function(part, count) unlist(lapply(seq_len(nrow(pairs)), function(k)
    part[pairs[k, 1L], pairs[k, 2L], seq_len(4 * count[pairs[k, , drop = FALSE]])]))
  list(count = as.raw(c(across, n[pairs] + 8L * wide[pairs])), low = as.integer(take(low, n)),
       high = as.integer(take(high, wide)))
}

# Returns integers in rows of `lengths` as bytes in the code of src/interpolant/coefficient_code.h.
encode <- function(whole, lengths, longest = 20) {
  if (!length(whole)) return(raw())
  v <- ifelse(whole >= 0, 2 * as.double(whole), -2 * as.double(whole) - 1)
  firsts <- (cumsum(c(1L, lengths))[seq_along(lengths)])[lengths > 0L]
  before <- c(0, v[-length(v)])
  before[firsts] <- c(0, v[firsts[-length(firsts)]])
  e <- pmax(0, ifelse(before > 0, floor(log2(before)) + 1, 0) - 2)
  zeros <- floor(v / 2^e)
  short <- zeros < longest
  zeros <- pmin(zeros, longest)
  e[!short] <- 32
  ones <- as.integer(short)                              # the one between the zeros and the remainder
  at <- cumsum(c(0, zeros + ones + e))                   # number of bits before each coefficient
  bits <- logical(8 * ceiling(at[length(at)] / 8))
  at <- at[-length(at)] + zeros
  bits[at[short] + 1] <- TRUE
  for (k in 0:31) {
    some <- which(e > k & floor(v / 2^k) %% 2 == 1)
    bits[at[some] + ones[some] + k + 1] <- TRUE
  }
  packBits(bits, "raw")
}

# Returns the codes of all cells and the indices at which they begin, as elements named `name`_code and `name`_start;
# whole[[k]] and rows[[k]] are the arguments of encode() for cell k.
encode_cells <- function(name, whole, rows) {
  codes <- Map(encode, whole, rows)
  structure(list(unlist(codes, use.names = FALSE), as.integer(cumsum(c(0, lengths(codes))))),
            names = paste0(name, c("_code", "_start")))
}

# Returns the tables in the layout of src/interpolant/table_layout.h.
pack <- function(cells) {
  bases <- do.call(c, lapply(cells, `[[`, "drawn"))
  pieces <- do.call(c, lapply(bases, `[[`, "pieces"))
  packed <- lapply(pieces, function(v) if (!is.null(v)) pack_piece(v))
  lengths_of <- function(what) vapply(packed, function(p) length(p[[what]]), 0L)
  at <- function(what) cumsum(c(0L, lengths_of(what)))[seq_along(packed)]
  present <- !vapply(packed, is.null, NA)
  cut <- vapply(bases, `[[`, 0, "cut")
  cell <- rep(seq_along(cells), vapply(cells, function(c) sum(lengths(lapply(c$drawn, `[[`, "pieces"))), 0))
  groups <- lapply(packed, function(p) as.integer(p$count[-seq_len(terms["beta"])]))               # of each row
  of_cells <- function(x) lapply(split(x, cell), unlist)
  coded <- function(part, rows) encode_cells(part, of_cells(lapply(packed, `[[`, part)), of_cells(lapply(groups, rows)))
  low <- coded("low", function(g) 4L * g %% 8L)
  high <- coded("high", function(g) 4L * g %/% 8L)
  start <- cumsum(c(0, vapply(cells, function(c) length(c$drawn), 0)))[seq_along(cells)]
  tables <- list(
    cells = vapply(seq_along(cells), function(k) with(cells[[k]]$cell, c(
      alpha, beta, at_zeta, log_s, width, bases[1L], length(bases), start[k])), numeric(11)),
    bases = rbind(as.integer(cumsum(c(0, 2^cut))[seq_along(cut)]), as.integer(cut)),
    pieces = unname(rbind(ifelse(present, at("count"), -1L), at("low"), at("high"))),
    count = unlist(lapply(packed, `[[`, "count"), use.names = FALSE))
  c(tables, low["low_start"], high["high_start"], low["low_code"], high["high_code"])
}

parts <- list(list(c(0.3, zeta_end), c(0, 1)), list(c(zeta_end, 1.3), c(0, 1)), list(c(1.3, 1.7), c(0, 1)),
              list(c(1.7, 2), c(0, 1)))
stable_threads(1)
RNGkind("L'Ecuyer-CMRG")
set.seed(1)
cells <- do.call(c, parallel::mclapply(parts, function(p) draw(p[[1L]], p[[2L]]), mc.cores = 2, mc.preschedule = FALSE))
tables <- pack(cells)
dir.create("inst/tables", showWarnings = FALSE)
# The codes, five sixths of the file, do not compress, and it would take longer to decompress them than to decode them.
saveRDS(tables, "inst/tables/quick.rds", compress = FALSE)
cat(sprintf("%d cells, %d bases, %d pieces, %d of them drawn, %.0f bytes\n", ncol(tables$cells), ncol(tables$bases),
            ncol(tables$pieces), sum(tables$pieces[1L, ] >= 0), file.size("inst/tables/quick.rds")))
