# tools/fuzz-translate.R [N] [SEED]: compares random integrands evaluated by R and by their translation.
#
# Each integrand is a random expression of translatable constructs in a variable x and parameters a and b, evaluated at
# points that include zeros of both signs, negative integers, huge and tiny numbers, infinities and NaN.  A finding is a
# value whose relative difference exceeds 1e-9 and whose absolute difference exceeds the effect of changing the points
# or the intermediate results by a few units in the last place; a number where R gives NA, NaN or an error; or NaN where
# R gives a number.

source("tools/fuzzing.R")

one_of <- function(...) sample(c(...), 1L)
tab <- c(2, 3, 5, 7, 11)
whole <- c(4L, 1L, 9L)
mat <- matrix(c(2, -1, 0.5, 3, 1, 7), 2)
cube <- array(sin(1:12), c(2, 3, 2))
known <- function(u) if (is.na(u)) 0.5 else u
knots <- c(-2, -0.5, 0, 1, 1, 4)
line <- stats::approxfun(c(-2, 0, 1, 4), c(1, -1, 2, 0), rule = 2)
curve <- stats::splinefun(c(-2, 0, 1, 4), c(1, -1, 2, 0))
square_plus <- function(u, power = 2, shift = u) u^power + shift
early <- function(u, k = u + 1) { if (u > 1) return(k); u <- 2 * u; u - k }
steps <- c("floor", "ceiling", "trunc", "round")

math <- c("abs", "sign", "sqrt", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos",
          "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "factorial", steps)
pairs <- c("atan2", "beta", "pmin", "pmax")
# Functions with which R loses digits: near the zeros and the poles of the gamma family, and choose(n, k) for k >= 30,
# which R computes from differences of large lgamma() values.  For choose(sqrt(3), 1e10) R gives 1.79904e-28; the
# translation gives 1.7989329845e-28, in agreement with
# gamma(n + 1) sin(pi (k - n)) / pi * k^(-n - 1) * (1 + n (n + 1) / (2 k)).
careful <- c("choose(%s, pmin(%s, 29))", "(10 + lgamma(%s))", "(10 + lfactorial(%s))",
             "lchoose(40 + abs(tanh(%s)), 3)", "(3 + lbeta(%s, %s))", "(3 + digamma(0.01 + abs(%s)))",
             "trigamma(0.01 + abs(%s))", "(3 + digamma(-0.3 - floor(abs(%s))))")
laws <- c("dnorm(%s, %s, 1.5)", "pnorm(%s, %s)", "dexp(%s, 2)", "dgamma(%s, 2.5, 1.5)", "pgamma(%s, 2, scale = 3)",
          "dbeta(%s, 2, 3)", "pbeta(%s, 2, 3, lower.tail = FALSE)", "dt(%s, 4)", "pt(%s, 3)", "dcauchy(%s, %s)",
          "pcauchy(%s, %s)", "dlogis(%s)", "plogis(%s, %s, log.p = TRUE)", "dunif(%s, -1, 2)", "punif(%s, -1, 2)",
          "dlnorm(%s)", "plnorm(%s)", "dweibull(%s, 2, 3)", "pweibull(%s, 2)", "dchisq(%s, 3)", "pchisq(%s, 3)",
          "df(%s, 3, 5)", "pf(%s, 3, 5)", "dpois(floor(abs(%s)), 2)", "ppois(%s, 2)", "dbinom(floor(abs(%s)), 6, 0.3)",
          "pbinom(%s, 6, 0.3)", "pexp(%s, 2, log.p = TRUE)", "dgeom(floor(abs(%s)), 0.3)", "pgeom(%s, 0.3)")

# Elements of tables.  Indices are at least 1, as R drops elements at negative indices, and at most 10: beyond 2^31, an
# index of an array is NA for R, not an error.  R rounds remainders of huge numbers, hence 1e6.
elements <- gsub("AT", "1 + pmin(abs(%s), 9)", gsub("abs(%s) %%", "pmin(abs(%s), 1e6) %%", fixed = TRUE, c(
  "mat[AT, 2]", "mat[2, AT]", "mat[1 + abs(%s) %% 2, 1 + abs(%s) %% 3]", "sum(mat[1 + abs(%s) %% 2, ] * c(1, 2, %s))",
  "cube[1, 1 + abs(%s) %% 3, AT]", "mat[cbind(1 + abs(%s) %% 2, 3)]", "tab[[AT]]", "c(%s, %s)[1 + abs(%s) %% 2]",
  "sum(mat[findInterval(%s, knots, all.inside = TRUE) %% 2 + 1, 2:3])", "findInterval(%s, knots)",
  "findInterval(%s, knots, TRUE, left.open = TRUE)", "findInterval(%s, c(0, 1), all.inside = TRUE)",
  "mat[pmin(findInterval(%s, knots, all.inside = TRUE), 2), 1]")))
# Values of matrices that depend on the point.  Systems of equations are well-conditioned, and determinants have no NaN,
# which the search of LAPACK for a pivot passes over: det() may then be 0.
matrices <- c("det(matrix(c(known(%s), known(%s), known(%s), 2), 2))",
              "det(matrix(c(known(%s), 1, known(%s), 0, known(%s), 2, 1, known(%s), 3), 3))",
              "sum(solve(matrix(c(3, tanh(%s), sin(1 + tanh(%s)), 4), 2), c(%s, 1)))",
              "solve(diag(5, 3) + matrix(tanh(c(%s, 2, %s)), 3, 3))[2, 3]",
              "drop(c(%s, %s) %*% mat[, 2:3] %*% c(%s, 1))",
              "sum(crossprod(c(%s, 2), mat))", "rowSums(rbind(c(%s, %s), c(1, %s)))[2]", "cbind(1, c(%s, %s))[2, 2]",
              "sum(diag(c(%s, %s)) %*% mat)", "outer(c(%s, 2), c(1, %s), `-`)[2, 2]",
              "sum(backsolve(chol(matrix(c(3, 1, 1, 4), 2) + diag(exp(-abs(c(%s, %s))))), c(%s, 1)))",
              "diag(tcrossprod(c(%s, %s)))[2]")
over_elements <- c("Reduce(`-`, c(%s, %s, %s))", "Reduce(function(p, q) p * 2 + q, list(%s, %s), %s, right = TRUE)",
                   "sum(mapply(function(p, q) p + q, c(%s, %s), 1:2))", "do.call(pmin, list(%s, %s, 1))",
                   "sum(unlist(Map(function(p, q) p * q, c(%s, 1), c(%s, %s))))",
                   "sum(unlist(lapply(1:3, function(i) i * %s)))", "list(p = %s, q = %s)$q",
                   "sum(apply(cbind(c(%s, 1), %s), 1, max))",
                   "sum(sapply(Filter(function(i) i > 1, 1:3), function(i) i - %s))")

# Replaces each %s in `text` by a random operand.
filled <- function(text, depth) {
  while (grepl("%s", text, fixed = TRUE)) text <- sub("%s", number(depth), text, fixed = TRUE)
  text
}

leaf <- function() {
  sample(c("x", "x", "x", "a", "b", "0", "1", "2", "0.5", "-1", "3L", "2L", "pi", "1e10", "1e-10", "-0.25", "tab[2]",
           "whole[3]", "sum(whole)", "TRUE", "Inf", "NaN", "NA"), 1L,
         prob = c(rep(3, 5), rep(1, 15), 0.3, 0.3, 0.3))
}

truth <- function(depth) {
  kind <- sample(8L, 1L)
  if (depth <= 0L || kind <= 3L)
    return(paste0("(", number(depth - 1L), one_of(" < ", " <= ", " > ", " >= ", " == ", " != "), number(depth - 1L),
                  ")"))
  switch(kind - 3L, paste0("!", truth(depth - 1L)),
         paste0("(", truth(depth - 1L), one_of(" & ", " | "), truth(depth - 1L), ")"),
         paste0("(", truth(depth - 1L), one_of(" && ", " || "), truth(depth - 1L), ")"),
         paste0("xor(", truth(depth - 1L), ", ", truth(depth - 1L), ")"),
         paste0(one_of("is.na", "is.finite", "is.infinite"), "(", number(depth - 1L), ")"))
}

vector <- function(depth) {
  n <- number
  switch(sample(9L, 1L), paste0("c(", n(depth - 1L), ", ", n(depth - 1L), ", ", n(depth - 1L), ")"),
         paste0("(", n(depth - 1L), " * whole)"),
         paste0("(tab[1:3] ", one_of("+", "-", "*", "/"), " ", n(depth - 1L), ")"),
         paste0("rev(c(", n(depth - 1L), ", 2L))"), paste0("cumsum(c(", n(depth - 1L), ", ", n(depth - 1L), "))"),
         paste0("sapply(1:3, function(i) i * ", n(depth - 1L), ")"),
         paste0("ifelse(c(", truth(depth - 1L), ", TRUE), ", n(depth - 1L), ", c(1, 2, 3))"),
         paste0("(whole %/% 2L + c(", n(depth - 1L), ", 1, 2))"),
         paste0("drop(matrix(1:4, 2) %*% c(", n(depth - 1L), ", ", n(depth - 1L), "))"))
}

number <- function(depth) {
  if (depth <= 0L) return(leaf())
  if (runif(1) < 0.15) return(filled(sample(c(elements, matrices, over_elements), 1L), depth - 1L))
  n <- function() number(depth - 1L)
  switch(sample(16L, 1L), leaf(), paste0("(", n(), one_of(" + ", " - ", " * ", " / "), n(), ")"),
         paste0("(", n(), one_of(" + ", " - ", " * ", " / "), n(), ")"),
         paste0("(", n(), ")^", one_of("2", "3", "-1", "0.5", "-2", "1.5", "0", "7", paste0("(", n(), ")"))),
         paste0("(pmin(pmax(", n(), ", -1e6), 1e6)", one_of(" %% ", " %/% "), one_of("2", "0.7", "-3L", "Inf", "0"),
                ")"),
         paste0("(-", n(), ")"),
         paste0(sample(math, 1L), "(", n(), ")"), if (runif(1) < 0.3) filled(sample(careful, 1L), depth - 1L)
           else paste0(sample(math, 1L), "(", n(), ")"),
         paste0(sample(pairs, 1L), "(", n(), ", ", n(), ")"), paste0("(", truth(depth - 1L), " + 0)"),
         paste0("(if (", truth(depth - 1L), ") ", n(), " else ", n(), ")"),
         paste0("ifelse(", truth(depth - 1L), ", ", n(), ", ", n(), ")"),
         paste0(one_of("sum((", "min((", "max((", "mean((", "prod(sign("), vector(depth - 1L), "))"),
         filled(sample(laws, 1L), depth - 1L), paste0(one_of("line", "curve", "square_plus", "early"), "(", n(), ")"),
         paste0(vector(depth - 1L), "[", one_of("1", "2", "-1", "c(TRUE, FALSE)"), "]"))
}

body_text <- function() {
  switch(sample(7L, 1L), number(3L), number(4L),
         paste0("{ y <- ", number(2L), "; if (", truth(1L), ") y <- ", number(2L), "; y + ", number(2L), " }"),
         paste0("{ if (", truth(1L), ") return(", number(2L), "); z <- ", number(2L), "; z * ", number(1L), " }"),
         paste0("{ s <- ", one_of("0", "0L", "1L", "x"), "; for (i in 1:", one_of("3", "7", "40", "50000"), ") s <- s ",
                one_of("+ i", "* 2L", "+ i * x / 1e3", "- i * i", "+ tab[2] * i"), "; s + ", number(1L), " }"),
         paste0("{ if (", truth(1L), ") { if (", truth(1L), ") return(", number(1L), ") else x <- ", number(1L),
                " }; x + ", number(2L), " }"),
         paste0("{ v <- ", vector(2L), "; v[2] <- ", number(2L), "; sum(v) + length(v) + ", truth(1L), " }"))
}

# --- the comparison -------------------------------------------------------------------

finite_points <- c(0.37, -0.61, 1.9, 4.2, -3.7, 0, -0, 1, -1, 2, -2, -7, 30, 1e-9, 1e-300, 1e10, -1e10, 1e200)
parameter_points <- c(finite_points, Inf, -Inf, NaN)

at_points <- function() {
  n <- 24L
  list(x = sample(finite_points, n, TRUE), a = sample(parameter_points, n, TRUE), b = sample(parameter_points, n, TRUE))
}

# Returns R's values of f at the points; NaN also represents an error.
by_r <- function(f, points) {
  one <- function(x, a, b) {
    y <- tryCatch(f(x, a, b), error = function(e) NaN)
    if (length(y) != 1L || !(is.numeric(y) || is.logical(y))) NaN else as.double(y)
  }
  suppressWarnings(mapply(one, points$x, points$a, points$b, USE.NAMES = FALSE))
}

near <- function(points, ulps) lapply(points, function(p) p * (1 + ulps * .Machine$double.eps) + ulps * 1e-320)

# Names of the functions and operations whose results are rounded.
exact <- c(steps, "abs", "sign", "pmin", "pmax")
rounded <- setdiff(c(math, pairs, all.names(parse(text = gsub("%s", "1", c(careful, laws))), unique = TRUE),
                     "+", "-", "*", "/", "^", "%*%", "solve", "det", "line", "curve"), c(exact, "("))

# Returns f with every rounded result changed by two units in the last place, up or down at random, also within the
# functions `square_plus` and `early`.  That shows how sensitive its values are to rounding (for example
# sqrt(1) - gamma(1)).
perturbed <- function(f) {
  change <- function(g) {
    force(g)
    function(...) {
      y <- g(...)
      if (is.double(y)) y * (1 + sample(c(-2, 2), length(y), TRUE) * .Machine$double.eps) else y
    }
  }
  changed <- lapply(stats::setNames(nm = rounded), function(name) change(get(name, environment(f), mode = "function")))
  # For a just below 0, rounding decides whether a %% b is close to b or to 0.
  for (name in c("%%", "%/%")) changed[[name]] <- local({
    g <- get(name, baseenv())
    function(e1, e2) g(e1 + e2 * sample(c(-2, 2), 1L) * .Machine$double.eps, e2)
  })
  # R adds in long double where the machine has it, a translation in double.
  for (name in c("sum", "mean")) changed[[name]] <- local({
    g <- get(name, baseenv())
    function(...) {
      x <- c(...)
      g(x * (1 + sample(c(-2, 2), length(x), TRUE) * .Machine$double.eps))
    }
  })
  changed <- list2env(changed, parent = environment(f))
  relocated <- function(g) {
    environment(g) <- changed
    g
  }
  for (name in c("square_plus", "early")) assign(name, relocated(get(name, environment(f))), changed)
  relocated(f)
}

# Returns the indices of the points where the translation differs from R by more than rounding explains.
different <- function(ours, theirs, f, points) {
  same <- ours == theirs | is.na(ours) & is.na(theirs) |
    abs(ours - theirs) <= 1e-9 * pmax(abs(ours), abs(theirs)) + 1e-300
  bad <- which(!same | is.na(same))
  keep <- vapply(bad, function(k) {
    here <- lapply(points, `[`, k)
    # R's values at neighbouring points, to which other branches or roundings may apply
    around <- vapply(c(-64, -8, 8, 64), function(u) by_r(f, near(here, u)), 0)
    around <- c(around, replicate(4L, by_r(perturbed(f), here)))
    own <- c(theirs[k], around)
    if (is.na(ours[k])) return(!anyNA(own))
    if (anyNA(own)) return(all(is.na(own)))
    abs(ours[k] - theirs[k]) > 8 * max(abs(around - theirs[k]))
  }, NA)
  bad[keep %in% TRUE]
}

program_values <- function(f, points) {
  made <- stablecl:::translate_integrand(f, 1L, list(), c("a", "b"), NULL)
  .Call(stablecl:::C_values, made$program, unname(points))
}

# --- a trial --------------------------------------------------------------------------

trial <- function(i) {
  text <- paste0("function(x, a, b) ", body_text())
  announce(text)
  f <- eval(parse(text = text, keep.source = FALSE))
  points <- at_points()
  count_call()
  ours <- tryCatch(suppressWarnings(program_values(f, points)), gintegrate_untranslatable = function(e) NULL,
                   error = identity)
  if (is.null(ours)) return()
  if (inherits(ours, "error")) return(finding(paste("the translation stops:", conditionMessage(ours)), text))
  theirs <- by_r(f, points)
  bad <- different(ours, theirs, f, points)
  if (!length(bad)) return()
  k <- bad[1L]
  finding("a translation differs from R", c(text, sprintf("%s: R has %s, the translation %s",
          paste(names(points), "=", vapply(points, function(p) deparse(p[k]), ""), collapse = ", "),
          format(theirs[k], digits = 17), format(ours[k], digits = 17))))
}

setup <- function() suppressMessages(library(stablecl))

fuzz("translate", trial, setup, default = 2000, limit = 20)
