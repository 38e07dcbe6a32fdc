# Matrices, arrays, their elements, and functions over lists in integrands: values of R at random points.

set.seed(1)
columns <- lapply(1:3, function(k) runif(40, 0.02, 0.98))
S <- matrix(c(2, 0.5, 0.3, 0.5, 1, 0.2, 0.3, 0.2, 3), 3)
M <- matrix(c(0.3, -1, 2, 5, 7, -4, 0.1, 8, 9), 3)
A <- array(sin(1:24), c(2, 3, 4))
Long <- matrix(seq(0.1, 2, length.out = 180), 60)
breaks <- c(0, 0.25, 0.5, 0.5, 1)

by_r <- function(f, columns) {
  vapply(seq_along(columns[[1]]), function(k) as.double(f(vapply(columns, `[`, 0, k))), 0)
}

expect_agrees <- function(f, columns_of_f = columns, tolerance = 1e-12) {
  expect_equal(translated_at(f, columns_of_f), by_r(f, columns_of_f), tolerance = tolerance,
               label = paste(deparse(body(f)), collapse = " "))
}

test_that("elements, rows and parts of captured matrices and arrays at indices that depend on the point", {
  for (f in list(function(x) M[floor(3 * x[1]) + 1, 2], function(x) M[2, 3 * x[1] + 1],
                 function(x) M[3 * x[1] + 1, 3 * x[2] + 1], function(x) M[[3 * x[1] + 1, 3 * x[2] + 1]],
                 function(x) sum(M[3 * x[1] + 1, ] * x), function(x) sum(M[, 3 * x[1] + 1] * (1:3)),
                 function(x) sum(M[3 * x[1] + 1, -1]), function(x) sum(M[3 * x[1] + 1, c(TRUE, FALSE, TRUE)]),
                 function(x) M[9 * x[1] + 1], function(x) M[cbind(3 * x[1] + 1, 3 * x[2] + 1)],
                 function(x) sum(M[3 * x[1] + 1, , drop = FALSE] %*% x), function(x) A[1, 3 * x[1] + 1, 4 * x[3] + 1],
                 function(x) sum(A[2 * x[2] + 1, , 4 * x[3] + 1] * c(1, 2, 5)),
                 function(x) sum(A[, 3 * x[1] + 1, 2:3] * matrix(1:4, 2)), function(x) A[cbind(2, 3 * x[1] + 1, 4)],
                 function(x) { i <- 2 * x[1] + 1; sum(M[i + 0:1, 2] * c(1, x[2])) },
                 function(x) { W <- x %*% t(x); W[3 * x[1] + 1, 2] + W[[2, 3 * x[2] + 1]] + x[3 * x[3] + 1] },
                 function(x) { s <- 0; for (i in 1:3) for (j in 1:3) s <- s + M[i, j] * x[i]; s },
                 function(x) sum(dim(M[3 * x[1] + 1, , drop = FALSE])),
                 function(x) { s <- 0; for (i in 1:60) s <- s + Long[i, 2] * x[1]^Long[i, 3 * x[2] + 1]; s }))
    expect_agrees(f)
})

test_that("an index out of range is an error of arrays, NA of vectors, and refused if it is known", {
  at <- function(f, x) translated_at(f, list(x))
  tab <- c(5, 7, 11)
  expect_equal(at(function(x) M[x, 1], c(0.5, 1, 3.9, 4, NaN)), c(NaN, 0.3, 2, NaN, NaN))
  expect_equal(at(function(x) if (is.na(M[sqrt(x), 1])) 9 else 1, c(9, 16, -1)), c(1, NaN, 9))
  expect_equal(at(function(x) if (x >= 1 && is.na(tab[x])) 9 else 1, c(3, 4)), c(1, 9))
  expect_equal(at(function(x) if (is.na(tab[[sqrt(x)]])) 9 else 1, c(9, 16, -1)), c(1, NaN, NaN))
  expect_equal(at(function(x) if (x > 3) 1 else M[x, 1], c(2, 4)), c(-1, 1))
  expect_equal(at(function(x) ifelse(x > 3, 1, M[x, 1]), c(2, 4)), c(-1, 1))
  for (f in list(function(x) M[4, x], function(x) M[-x, 1], function(x) M[x > 1, 1],
                 function(x) M[x, 1, 1], function(x) M[x, "a"], function(x) M[1, 4] + x, function(x) M[[x, 1:2]]))
    expect_error(gtranslate(f, dim = 1), class = "gintegrate_untranslatable")
})

test_that("findInterval() agrees with R for all combinations of its arguments", {
  x <- c(-1, breaks, 0.1, 0.25 + 1e-12, 0.7, 2, Inf, -Inf, NaN)
  for (closed in c(FALSE, TRUE)) for (inside in c(FALSE, TRUE)) for (open in c(FALSE, TRUE))
    for (vec in list(breaks, c(0, 1), 0.5, c(-Inf, 0, 0.5, Inf), c(0, 0.5, 1, 1))) {
      if (inside && length(vec) == 1L) next
      f <- function(x) findInterval(x, vec, closed, inside, open) + 0
      theirs <- as.double(f(x))
      expect_equal(translated(f, x), ifelse(is.na(theirs), NaN, theirs), label = paste(closed, inside, open))
    }
  expect_identical(translated(function(x) (findInterval(x, breaks) + 2147483640L > 0) + 0, 2), 1)
  expect_error(gtranslate(function(x) findInterval(x, c(2, 1))), "must be sorted", class = "gintegrate_untranslatable")
  expect_error(gtranslate(function(x) findInterval(0.5, c(0, x))), "known at translation",
               class = "gintegrate_untranslatable")
  expect_agrees(function(x) sum(findInterval(x, breaks) * c(1, 10, 100)))
})

gx <- c(0, 0.2, 0.5, 0.6, 1)
gy <- seq(0, 1, 0.25)
gz <- c(0, 0.3, 1)
Z2 <- outer(gx, gy, function(a, b) exp(-a) * sin(3 * b))
Z3 <- outer(Z2, cos(gz))

bilinear <- function(x) {
  i <- findInterval(x[1], gx, all.inside = TRUE)
  j <- findInterval(x[2], gy, all.inside = TRUE)
  u <- (x[1] - gx[i]) / (gx[i + 1] - gx[i])
  v <- (x[2] - gy[j]) / (gy[j + 1] - gy[j])
  (1 - u) * ((1 - v) * Z2[i, j] + v * Z2[i, j + 1]) + u * ((1 - v) * Z2[i + 1, j] + v * Z2[i + 1, j + 1])
}

trilinear <- function(x) {
  i <- pmin(pmax(findInterval(x[1], gx), 1), length(gx) - 1)
  j <- min(max(floor(4 * x[2]) + 1, 1), 4)
  k <- findInterval(x[3], gz, rightmost.closed = TRUE)
  w <- list(c(gx[i + 1] - x[1], x[1] - gx[i]) / (gx[i + 1] - gx[i]), c(gy[j + 1] - x[2], x[2] - gy[j]) / 0.25,
            c(gz[k + 1] - x[3], x[3] - gz[k]) / (gz[k + 1] - gz[k]))
  sum(Z3[i + 0:1, j + 0:1, k + 0:1] * outer(outer(w[[1]], w[[2]]), w[[3]]))
}

test_that("interpolation on grids agrees with R, and indices within the table are not checked", {
  expect_agrees(bilinear)
  expect_agrees(trilinear)
  expect_agrees(function(x) {
    i <- findInterval(x[1:2], gy, all.inside = TRUE)
    u <- 4 * x[1:2] - i + 1
    drop(c(1 - u[1], u[1]) %*% Z2[i[1] + 0:1, i[2] + 0:1] %*% c(1 - u[2], u[2]))
  })
  expect_false(any(grepl("required", gtranslate(bilinear, dim = 2)$text)))
  expect_true(any(grepl("required", gtranslate(trilinear, dim = 3)$text)))
})

test_that("matrices are arranged as in R", {
  for (f in list(function(x) sum(matrix(x, 1) %*% S), function(x) matrix(c(x, 1:3), 2, byrow = TRUE)[2, 1],
                 function(x) sum(array(x, c(1, 3, 2))[1, 2, ]), function(x) sum(rbind(x, 1:3)[2, ] * x),
                 function(x) sum(cbind(x, S, deparse.level = 0) %*% c(x, 1)), function(x) sum(diag(x) %*% S),
                 function(x) sum(diag(x %*% t(x))), function(x) diag(x[1], 2)[2, 2] + diag(x[2], nrow = 3)[1, 2],
                 function(x) sum(rep(x, 2) * (1:6)), function(x) sum(rep(x, each = 2)[2:4]), function(x) rev(x)[1],
                 function(x) sum(rep(x, times = 1:3)), function(x) rep_len(x, 5)[5],
                 function(x) head(x, 1) + tail(x, 1),
                 function(x) aperm(array(c(x, x + 1), c(1, 3, 2)), c(3, 2, 1))[2, 3, 1],
                 function(x) { W <- S; diag(W) <- x; sum(W %*% x) }, function(x) { dim(x) <- c(1, 3); sum(x %*% S) },
                 function(x) { W <- S; W[upper.tri(W)] <- x; sum(W %*% x) },
                 function(x) { W <- x %*% t(x); sum(W[lower.tri(W)]) + nrow(W) + ncol(W) + length(dim(W)) },
                 function(x) { s <- 0; for (i in 1:length(x)) s <- s + x[i]^i; s },
                 function(x) { W <- outer(x, 1:2); for (i in seq_len(ncol(W))) W[, i] <- W[, i] * i; sum(W^2) },
                 function(x) sum(rowSums(S * x)^2) + sum(colMeans(S * x)) + sum(colSums(x * S) * rowMeans(x * S))))
    expect_agrees(f)
  for (f in list(function(x) diag(x), function(x) matrix(1:3, x), function(x) matrix(c(x, 1, 2), 2)[1, 1]))
    expect_error(suppressWarnings(gtranslate(f, dim = 1)), class = "gintegrate_untranslatable")
})

test_that("products of matrices agree with R", {
  for (f in list(function(x) drop(t(x) %*% S %*% x), function(x) exp(-crossprod(x, S %*% x) / 2),
                 function(x) sum(tcrossprod(x)), function(x) sum(tcrossprod(S, t(x))), function(x) sum(crossprod(S, x)),
                 function(x) sum(outer(x, x, "+")), function(x) sum(outer(x, 1:2, function(a, b) a^b)),
                 function(x) sum((x %o% 1:2)[2, ]), function(x) sum(outer(x, 1:2, `-`) %*% c(1, 2)),
                 function(x) sum(outer(S, x[1:2])[, 2, 1])))
    expect_agrees(f)
})

test_that("systems of equations and determinants agree with R, whichever rows are the pivots", {
  for (f in list(function(x) sum(solve(S, x) * (1:3)), function(x) solve(S + diag(x))[2, 3],
                 function(x) sum(solve(S + diag(x), x) * (1:3)), function(x) sum(solve(outer(x, 1:3, "^"), M)[, 2]),
                 function(x) solve(x[1], x[2]), function(x) det(S + diag(x)), function(x) det(outer(x, 1:3, "^")),
                 function(x) det(matrix(c(x[1], 2, x[2], x[3]), 2)), function(x) det(matrix(x[1] - 0.5)),
                 function(x) det(rbind(c(0, x[1], 1), c(x[2], 0, 2), c(1, x[3], 0))),
                 function(x) exp(-drop(x %*% solve(S + diag(x), x)) / 2) / sqrt(det(S + diag(x)))))
    expect_agrees(f)
  n <- 6
  B <- matrix(rnorm(n^2), n)
  wide <- lapply(1:n, function(k) rnorm(40))
  expect_agrees(function(x) det(B + outer(x, x)), wide)
  expect_agrees(function(x) sum(solve(B + diag(x), rev(x)) * x), wide, tolerance = 1e-10)
})

test_that("Cholesky factors and triangular systems agree with R", {
  for (f in list(function(x) sum(chol(S + diag(x)) * M), function(x) prod(diag(chol(S + outer(x, x)))),
                 function(x) sum(backsolve(chol(S), x, transpose = TRUE)^2),
                 function(x) sum(backsolve(chol(S + diag(x)), x) * (1:3)),
                 function(x) sum(forwardsolve(S * x[2], M)[, 3]),
                 function(x) sum(forwardsolve(S, x, transpose = TRUE)),
                 function(x) sum(backsolve(S, x, upper.tri = FALSE) * x), function(x) chol(x[1])[1, 1]))
    expect_agrees(f)
  at <- function(f, x) translated_at(f, list(x))
  expect_equal(at(function(x) chol(rbind(c(1, x), c(x, 1)))[2, 2], c(0.6, 1, 2)), c(0.8, NaN, NaN))
  expect_equal(at(function(x) backsolve(rbind(c(x, 1), c(0, 2)), c(1, 1))[1], c(0, 1)), c(NaN, 0.5))
})

test_that("singular matrices are refused where R refuses them, and have determinant 0", {
  at <- function(f, x) translated_at(f, list(x))
  expect_equal(at(function(x) solve(rbind(c(1, x), c(2, 4)), c(1, 1))[1], c(2, 3)), c(NaN, -0.5))
  expect_equal(at(function(x) sum(solve(diag(c(1, x)))), c(0, 1e-20, 1e-10)), c(NaN, NaN, 1 + 1e10))
  expect_equal(at(function(x) sum(solve(diag(c(1, x)), tol = 1e-30)), c(0, 1e-20)), c(NaN, 1 + 1e20))
  expect_equal(at(function(x) if (x > 1) drop(solve(x - 2)) else 5, c(0, 2, 3)), c(5, NaN, 1))
  expect_identical(at(function(x) 1 / det(rbind(c(x, -1), c(-x, 1))), 2), Inf)
  expect_equal(at(function(x) det(diag(c(1e200, 1e200, x))), c(1e-300, 0)), c(1e100, 0))
  expect_identical(at(function(x) det(rbind(c(0, x), c(0, 1))), c(Inf, 2)), c(0, 0))
  expect_error(gtranslate(function(x) det(rbind(1:2, x)[, 1, drop = FALSE])), "square",
               class = "gintegrate_untranslatable")
  expect_error(gtranslate(function(x) det(diag(x, 13))), "at most 12", class = "gintegrate_untranslatable")
})

test_that("functions over elements agree with R", {
  power <- function(a, b = 2) a^b
  for (f in list(function(x) sum(vapply(1:3, function(i) x[i]^i, 0)), function(x) Reduce(`+`, x),
                 function(x) Reduce(function(a, b) a * b + 1, x, 1), function(x) Reduce("-", x, right = TRUE),
                 function(x) Reduce(function(a, b) a - 2 * b, x, 5, right = TRUE),
                 function(x) sum(Reduce(`+`, x, accumulate = TRUE) * (1:3)),
                 function(x) sum(Reduce(`-`, x, accumulate = TRUE, right = TRUE) * (1:3)),
                 function(x) Reduce("+", lapply(1:3, function(i) x[i]^i)), function(x) sum(mapply(power, x, 1:3)),
                 function(x) sum(mapply(function(a, b) c(a, b * a), a = x, b = 2)[2, ]),
                 function(x) Reduce("+", Map(function(a, b) a * b, x, 1:3)),
                 function(x) sum(unlist(Map(power, x, 3:1)) * (1:3)), function(x) sum(sapply(x, power, b = 3)),
                 function(x) sum(Filter(function(i) i > 1, 1:3) * x[1:2]),
                 function(x) Filter(function(k) k$w > 1, list(list(w = 1, v = x[1]), list(w = 2, v = x[2])))[[1]]$v,
                 function(x) sum(Reduce(`%*%`, list(t(x), S, x))),
                 function(x) do.call(sum, list(x[1], x[2])), function(x) do.call("power", list(a = x[1], b = 3)),
                 function(x) sum(do.call(rbind, lapply(1:3, function(i) x * i))[3, ]),
                 function(x) if (length(x) > 2) x[length(x) - 1] else nothing(x),
                 function(x) { p <- list(a = x[1], b = x[2:3]); p$a * sum(p[["b"]]) + p[[2]][1] + length(p) },
                 function(x) { s <- 0; for (v in list(x[1:2], x)) s <- s + sum(v) * length(v); s },
                 function(x) sum(unlist(list(x[1], list(x[2:3], 4)))), function(x) list(f = power)$f(x[1], 3),
                 function(x) sum(apply(x %*% t(x), 1, max)),
                 function(x) sum(apply(S * x, 2, function(v) v / sum(v))[1, ])))
    expect_agrees(f)
  expect_error(gtranslate(function(x) Reduce(`+`, x)), "in one dimension", class = "gintegrate_untranslatable")
  for (f in list(function(x) sum(Filter(function(v) v > 0.5, x)), function(x) list(x[1], x[2]),
                 function(x) if (x[1] > 0) list(x[1]) else 2, function(x) Reduce(`+`, x, accumulate = x[2] > 0)))
    expect_error(gtranslate(f, dim = 3), class = "gintegrate_untranslatable")
})

test_that("a function that is named by a text is read in every call", {
  g <- function(u) u
  f <- function(x) do.call("g", list(x))
  expect_equal(gintegrate(f, 0, 1)$value, 0.5)
  g <- function(u) 3 * u
  expect_equal(gintegrate(f, 0, 1)$value, 1.5)
  expect_error(gtranslate(function(x) x + do.call("runif", list(1))), "deterministic",
               class = "gintegrate_untranslatable")
})

test_that("complex results are refused by name, and complex arithmetic is left to R", {
  for (f in list(function(x) exp(1i * x), function(x) complex(real = x), function(x) x + 0i))
    expect_error(suppressMessages(gintegrate(f, 0, 1)), "complex.*Re\\(f\\(x\\)\\)", class = "stablecl_error_argument")
  r <- suppressMessages(gintegrate(function(x) Re(exp(1i * x)) + Mod(complex(real = x, imaginary = 1)), 0, 1))
  expect_equal(r$value, sin(1) + integrate(function(x) sqrt(x^2 + 1), 0, 1, rel.tol = 1e-10)$value)
  expect_equal(r$backend, "R")
  expect_error(gtranslate(function(x) 1i * x), "complex numbers have no translation",
               class = "gintegrate_untranslatable")
})

test_that("integrals of tables and systems of equations", {
  expect_equal(gintegrate(bilinear, c(0, 0), 1, method = "vegas", rel.tol = 1e-2)$value, 0.435, tolerance = 0.1)
  cells <- outer(diff(gx), diff(gy))
  means <- (Z2[-1, -1] + Z2[-5, -1] + Z2[-1, -5] + Z2[-5, -5]) / 4
  expect_equal(gintegrate(bilinear, c(0, 0), 1, rel.tol = 1e-5)$value, sum(cells * means), tolerance = 1e-5)
  f <- function(x, y) 1 / det(matrix(c(2 + x, y, y, 2), 2))
  expect_equal(gintegrate(f, c(0, 0), 1)$value, integrate(function(y) log((6 - y^2) / (4 - y^2)) / 2, 0, 1)$value)
})

test_that("devices compute the same tables and eliminations", {
  skip_without_device()
  f <- function(x) bilinear(x[1:2]) + trilinear(x) + det(S + diag(x)) + sum(solve(S + outer(x, x), x)) +
    M[3 * x[1] + 1, 2] + findInterval(x[2], breaks, left.open = TRUE)
  integral <- function(backend) gintegrate(f, rep(0, 3), 1, method = "vegas", rel.tol = 1e-2, control = list(seed = 4),
                                           backend = backend)
  cpu <- integral("cpu")
  device <- integral("opencl")
  expect_match(device$backend, "opencl")
  expect_equal(device$value, cpu$value, tolerance = 1e-9)
})
