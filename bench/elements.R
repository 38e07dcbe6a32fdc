# bench/elements.R: measures densities, probabilities and quantiles of which every element has parameters of its own.
#
#     Rscript bench/elements.R > bench/elements.md
#
# CPU times (user and system) of one thread, so that other programs affect them less.  libstable4u, if it is installed,
# is called once for each element, because its functions take the parameters of one distribution.
library(stablecl)
stable_backend("cpu")
stable_threads(1)
set.seed(1)

n <- 20000                    # elements in a call
few <- 200                    # elements for the peer
rounds <- 7
bands <- data.frame(from = c(0.1, 0.5, 0.9, 1.1, 1.9), to = c(0.5, 0.9, 1.1, 1.9, 2))

cpu <- function(f) {
  before <- proc.time()
  f()
  sum((proc.time() - before)[c("user.self", "sys.self")])
}

microseconds <- function(f, n) 1e6 * median(replicate(rounds, cpu(f))) / n

elements_of <- function(band) {
  alpha <- runif(n, band$from, band$to)
  beta <- runif(n, -1, 1)
  data.frame(alpha, beta, x = rstable(n, alpha, beta), p = runif(n))
}

calls <- list(density = function(e) dstable(e$x, e$alpha, e$beta),
              distribution = function(e) pstable(e$x, e$alpha, e$beta),
              quantile = function(e) qstable(e$p, e$alpha, e$beta))

# Returns the values of calls with one distribution each.
one_by_one <- function(call, e) vapply(seq_len(nrow(e)), function(k) call(e[k, ]), 0)

peers <- if (requireNamespace("libstable4u", quietly = TRUE)) {
  peer <- function(f, name) function(e) vapply(seq_len(nrow(e)), function(k)
    f(e[[name]][k], c(e$alpha[k], e$beta[k], 1, 0), 0L), 0)
  list(density = peer(libstable4u::stable_pdf, "x"), distribution = peer(libstable4u::stable_cdf, "x"),
       quantile = peer(libstable4u::stable_q, "p"))
}

shown <- function(v) format(signif(v, 2), scientific = FALSE)
cat("# Elements with parameters of their own\n\nMade by `Rscript bench/elements.R > bench/elements.md`, ",
    format(Sys.Date()), ", ", R.version.string, ".\n\nMicroseconds of CPU time per element on one thread: median of ",
    rounds, " calls with ", n, " elements; alpha is uniform in the band, beta in (-1, 1), x a draw from the ",
    "distribution, p uniform.  Difference: the largest relative one (of quantiles: to max(1, |q|)) from ", few,
    " calls with one element.  ", if (is.null(peers)) "libstable4u is not installed.\n\n" else
      paste0("libstable4u: one call for each of ", few, " elements, in which it starts 12 threads, and the median ",
             "relative difference from it.\n\n"),
    "A density takes about 60 nodes with five elementary functions each.  With 1.2 ns for a function in a vector ",
    "lane, which is assumed and not measured, that is a floor of 0.4 microseconds.\n\n",
    "| call | alpha | microseconds | difference | libstable4u | times as long | difference |\n",
    "|---|---|---|---|---|---|---|\n",
    sep = "")
for (name in names(calls)) for (k in seq_len(nrow(bands))) {
  e <- elements_of(bands[k, ])
  some <- e[seq_len(few), ]
  values <- calls[[name]](e)
  single <- one_by_one(calls[[name]], some)
  apart <- function(a, b) abs(a - b) / (if (name == "quantile") pmax(1, abs(b)) else abs(b))
  gap <- max(apart(values[seq_len(few)], single))
  if (!(gap < 1e-11)) stop(name, " differs by ", gap, " between calls")
  own <- microseconds(function() calls[[name]](e), n)
  theirs <- if (!is.null(peers)) {
    found <- suppressWarnings(peers[[name]](some))
    took <- microseconds(function() suppressWarnings(peers[[name]](some)), few)
    c(shown(took), shown(took / own), sprintf("%.1e", median(apart(found, single), na.rm = TRUE)))
  } else c("", "", "")
  cat("|", paste(c(name, sprintf("%g to %g", bands$from[k], bands$to[k]), shown(own), sprintf("%.1e", gap), theirs),
                 collapse = " | "), "|\n")
}
