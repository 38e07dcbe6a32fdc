# Draws inst/cheatsheet/stablecl.pdf and stablecl-letter.pdf: the package on one page, A4 and US letter, landscape.
#
#     Rscript data-raw/cheatsheet.R
#
# First runs every line of code on the page, in order, to verify that it works, except lines that need a device or open
# a help page.  Sizes are in millimetres.

library(stablecl)

# The second page has the proportions of US letter, to which ghostscript scales it.
PAGES  <- list("inst/cheatsheet/stablecl.pdf" = c(297, 210), "inst/cheatsheet/stablecl-letter.pdf" = c(297, 229.5))
MARGIN <- 6
GAP    <- 3
COLUMNS <- 4
LINE   <- 3.75                       # height of a line of text
MONO   <- "DejaVu Sans Mono"
INK    <- c(title = "#0B3C5D", code = "#0B3C5D", text = "#303030", rule = "#D55E00", card = "#F4F6F8")
LINES  <- c("#000000", "#5A1080", "#D55E00", "#F0C000")                 # they differ in lightness
STABLE <- LINES[3]
DATA   <- "#005B8E"

# ---- the contents of the page ----------------------------------------------------------------

# A row: code and a description; run = FALSE if the code is not to be run.
row <- function(code, text = "", run = TRUE) list(code = code, text = text, run = run)
card <- function(title, ..., picture = NULL, height = 0)
  list(title = title, rows = list(...), picture = picture, height = height)

laws <- card("One distribution",
  row("dstable(x, 1.5, 0.5)", "density"),
  row("pstable(x, 1.5, 0.5)", "P(X <= x)"),
  row("qstable(p, 1.5, 0.5)", "quantiles"),
  row("rstable(10, 1.5, 0.5)", "random numbers"),
  row("", "Index 0 < alpha <= 2 (2 is normal), skewness -1 <= beta <= 1, scale gamma = 1, location delta = 0."),
  row("dstable(1, c(1.2, 1.7), 0:1)", "all arguments are recycled"),
  picture = function() {
    x <- seq(-5, 5, length.out = 401)
    curves <- cbind(dstable(x, 0.6, 0), dstable(x, 1, 0), dstable(x, 1.5, 1), dstable(x, 2, 0))
    frame_of(c(-5, 5), c(0, 0.5), "x", "density", seq(-4, 4, 2), c(0, 0.2, 0.4))
    for (k in 1:4) lines(x, pmin(curves[, k], 0.52), col = LINES[k], lwd = 1.4)
    legend("topright", c("0.6, 0", "1, 0", "1.5, 1", "2, 0"), title = "alpha, beta", col = LINES, lwd = 1.4, bty = "n",
           cex = 0.85, seg.len = 1.2, y.intersp = 0.9)
  }, height = 30)

parametrisations <- card("Which parametrisation?",
  row("dstable(x, 1.5, 0.5, pm = 0)", "S0, the default: continuous in all four; for fits"),
  row("dstable(x, 1.5, 0.5, pm = 1)", "S1, of textbooks: delta is the mean if alpha > 1"),
  row("dstable(x, 1.5, 0.5, pm = 2)", "S2: delta is the mode"),
  row("stable_convert(1.5, 0.5, from = 0, to = 1)"),
  row("", "In S1 the location diverges as alpha approaches 1."))

tails <- card("Tails and logarithms",
  row("pstable(1e9, 1.5, 0, lower.tail = FALSE)", "P(X > x), not 1 - P(X <= x)"),
  row("dstable(-11, 1.05, 1, log = TRUE)", "where the density underflows"),
  row("pstable(-1e300, 1.5, 0, log.p = TRUE)", "log P(X <= x)"),
  row("qstable(-500, 1.5, 0, log.p = TRUE)", "quantile of exp(-500)"),
  picture = function() {
    x <- 10^seq(-0.5, 3, length.out = 300)
    frame_of(c(-0.5, 3), c(-15, 0), "log10(x)", "log10 P(X > x)", 0:3, c(-15, -10, -5, 0))
    alpha <- c(1.2, 1.7, 1.99, 2)
    for (k in 1:4) lines(log10(x), pstable(x, alpha[k], 0, lower.tail = FALSE, log.p = TRUE) / log(10), col = LINES[k],
                         lwd = 1.4)
    legend("bottomleft", format(alpha), title = "alpha", col = LINES, lwd = 1.4, bty = "n", cex = 0.85, seg.len = 1.2,
           y.intersp = 0.9)
  }, height = 30)

more <- card("Further quantities",
  row("stable_eval(x, 1.5, 0.5)", "density, both tails, error estimate"),
  row("stable_score(x, 1.5, 0.5)", "derivatives of the log density"),
  row("stable_quick(x, 1.5, 0.5)", "log density and scores to 9 digits, fast"),
  row("stable_es(0.01, 1.5, 0.5)", "expected shortfall"),
  row("stable_mode(1.5, 0.5)", "mode"),
  row("stable_cf(t, 1.5, 0.5)", "characteristic function"))

fits <- card("Fit",
  row("fit <- stablefit(y)", "maximum likelihood"),
  row("stablefit(y, \"quantile\")", "also ecf, logmoment, mle2d, grid"),
  row("stablefit(y, fixed = c(beta = 0))", "symmetric"),
  row("stablefit(y, weights = w)", "weighted"),
  row("stablefit(u, truncation = c(0, 9))", "truncated"),
  row("stablefit(y, width = 500, by = 50)", "windows"),
  row("stablefit(stable_chunks(source))", "large data"),
  row("stable_lm(y ~ z)", "regression with stable errors"),
  row("stablefit(y ~ 1, rounding = 0.1)", "rounded data"),
  row("all <- stablefit(Y)", "matrix, list, data frame: many fits"),
  row("as.data.frame(all); all[[1]]"))

use <- card("Use a fit",
  row("summary(fit); coef(fit); vcov(fit)"),
  row("confint(fit, method = \"auto\")", "or wald, profile, bootstrap"),
  row("predict(fit, 0.01, type = \"var\")", "or \"es\""),
  row("predict(fit, 0.01, interval = \"confidence\")"),
  row("predict(fit, type = \"probability\", at = -5)"),
  row("anova(fit)", "against normal, Cauchy, symmetric"),
  row("stable_compare(fit)", "with t, NIG and others"),
  row("stable_gof(fit, R = 99)", "KS, Anderson-Darling, Cramer-von Mises"),
  row("residuals(fit); simulate(fit, 3)"),
  row("plot(fit, c(\"density\", \"tails\", \"qq\", \"pp\"))"),
  picture = function() {
    away <- sort(abs(y - median(y)), decreasing = TRUE)
    share <- seq_along(away) / length(away)
    frame_of(c(0, 1.6), c(-3.5, -0.3), "log10 of distance", "log10 of share", c(0, 0.5, 1, 1.5), -3:-1)
    points(log10(away), log10(share), cex = 0.25, col = DATA)
    at <- 10^seq(-0.2, 1.6, length.out = 100)
    beyond <- function(x, ...) predict(fit, type = "probability", at = x, ...)
    both <- beyond(median(y) + at, lower.tail = FALSE) + beyond(median(y) - at)
    lines(log10(at), log10(both), col = STABLE, lwd = 1.4)
    lines(log10(at), log10(2 * pnorm(-at, sd = sd(y))), lty = 2)
    legend("bottomleft", c("data", "stable", "normal"), col = c(DATA, STABLE, "black"), lty = c(NA, 1, 2),
           pch = c(1, NA, NA), pt.cex = 0.4, bty = "n", cex = 0.85, seg.len = 1.4, y.intersp = 0.9)
  }, height = 28)

integrals <- card("Integrate",
  row("gintegrate(function(x) exp(-x^2), -Inf, Inf)"),
  row("gintegrate(function(x, y) x * y, c(0, 0), 1)", "a box"),
  row("f <- function(x, k) cos(k * x)"),
  row("many <- gintegrate(f, 0, 1,\nparams = data.frame(k = 1:1000))", "1000"),
  row("many$value; summary(many); plot(many[1])"),
  row("gtranslate(function(x) exp(-x))", "translate, or list what prevents it"),
  row("", "breaks = jumps and kinks; rel.tol, abs.tol, max.eval"),
  picture = function() {
    k <- seq(0.2, 30, by = 0.2)
    value <- gintegrate(function(x, k) cos(k * x) / (1 + x), 0, 1, params = data.frame(k = k))$value
    frame_of(c(0, 30), c(-0.15, 0.75), "k", "integral", c(0, 10, 20, 30), c(0, 0.3, 0.6))
    points(k, value, pch = 16, cex = 0.35, col = DATA)
    text(30, 0.62, "cos(k x) / (1 + x) over (0, 1)", adj = c(1, 0.5), cex = 0.9, col = INK[["text"]])
  }, height = 26)

dimensions <- card("Several dimensions",
  row("dmvstable(rbind(1:2), 1.5, diag(2))", "density"),
  row("rmvstable(9, 1.5, diag(2))", "random vectors"),
  row("mvstablefit(Y)", "fit of the rows of a matrix"))

machines <- card("Threads and devices",
  row("stable_threads()", "their number; stable_threads(4) sets it"),
  row("stable_devices()", "available devices"),
  row("stable_backend(\"opencl\")", "or \"gpu\", \"cpu\", \"auto\"", run = FALSE),
  row("stable_backend()", "current selection"),
  row("kept <- stable_data(y)", "a sample kept on the device"),
  row("stable_cache()", "interpolants kept for large calls"),
  row("", "set.seed() gives the same sample for any number of threads, up to rounding on devices, too."))

guides <- card("Documentation",
  row("vignette(package = \"stablecl\")", paste("getting-started, stabledist, fitting, risk, regression, series,",
                                                "integration, devices, methods, cookbook, faq")),
  row("?dstable; ?stablefit; ?gintegrate", "", run = FALSE),
  row("", "Calls for package stabledist need no changes."))

special <- card("Missing and invalid values",
  row("dstable(c(a = 0, b = NA), 1.5, 0.5)", "NA stays; names and dim are kept"),
  row("dstable(0, alpha = 3, beta = 0)", "NaN, and one warning"),
  row("dstable(0, 1.5, 0, gamma = 0)", "a point mass at delta"),
  row("qstable(0:1, 0.5, 1)", "the ends of the support"))

PLAN <- list(list(laws, parametrisations, special), list(tails, more, guides), list(fits, use),
             list(integrals, machines, dimensions))

# ---- decision trees ----------------------------------------------------------------------------

# A node: a question, and the nodes or methods that follow from its answers, which are their names.
node <- function(question, ...) list(question = question, answers = list(...))

trees <- list(
  "Which method of gintegrate()?" = node("dimensions?",
    "1" = node("integrand?", "smooth, peaks, jumps" = "auto: \"gk\"",
               "singular at an end" = "auto: \"gk\", \"tanhsinh\"",
               "cos(w x) times f, infinite range" = "auto, or \"fourier\""),
    "2 to 8" = "auto: \"cubature\", \"product\", \"lattice\"",
    "9 to 12" = node("integrand?", "smooth" = "auto: \"product\", \"lattice\"", "sharp peaks" = "\"vegas\""),
    "13 to 100" = "auto: \"lattice\", then \"vegas\""),
  "Which method of stablefit()?" = node("purpose?",
    "estimates, tests, intervals" = "\"mle\", the default",
    "published results" = node("whose?", "McCulloch" = "\"quantile\"", "Koutrouvelis" = "\"ecf\""),
    "symmetric, approximate" = "\"logmoment\"",
    "many samples" = "stablefit(matrix or list)"))

leaves_of <- function(node) if (is.list(node)) sum(vapply(node$answers, leaves_of, 0)) else 1

# Draws a node whose subtree begins at the height `y`; returns the height of its middle.
draw_node <- function(node, left, y, line) {
  middle <- y - leaves_of(node) * line / 2
  if (!is.list(node)) {
    text(left, middle, node, adj = c(0, 0.5), family = MONO, cex = 0.92, col = INK[["code"]])
    return(middle)
  }
  text(left, middle, node$question, adj = c(0, 0.5), font = 2, col = INK[["text"]])
  from <- left + wide(node$question, "", 1.1) + 1.5
  labels <- names(node$answers)
  to <- from + 5 + max(wide(labels, "", 1)) + 2
  for (k in seq_along(labels)) {
    at <- draw_node(node$answers[[k]], to + 1, y, line)
    segments(from, middle, from + 4, at, col = INK[["rule"]], lwd = 0.8)
    text(from + 5, at, labels[k], adj = c(0, 0.5), col = INK[["text"]])
    y <- y - leaves_of(node$answers[[k]]) * line
  }
  middle
}

draw_trees <- function(top) {
  width <- (PAGE[1] - 2 * MARGIN - GAP) / 2
  for (k in seq_along(trees)) {
    left <- MARGIN + (k - 1) * (width + GAP)
    rect(left, MARGIN, left + width, top, col = INK[["card"]], border = NA)
    segments(left, top, left + width, top, col = INK[["rule"]], lwd = 2)
    text(left + 2, top - 3.4, names(trees)[k], adj = c(0, 0.5), font = 2, cex = 1.25, col = INK[["title"]])
    line <- min(1.5 * LINE, (top - 6.5 - MARGIN - 1) / leaves_of(trees[[k]]))
    draw_node(trees[[k]], left + 2, top - 6.5, line)
  }
}

# ---- running the code --------------------------------------------------------------------------

set.seed(1)
x <- c(-1, 0, 2)
p <- c(0.01, 0.5)
t <- c(0.5, 1)
y <- rstable(2000, 1.7, -0.2, 0.6, 0.05)
u <- y[y > 0 & y < 9]
w <- rep(1, length(y))
z <- seq_along(y) / length(y)
# Returns the chunks of y, one in each call.
source <- local({
  position <- 0
  function(reset) {
    position <<- if (reset) 0 else position + 1
    if (position %in% 1:2) y[seq_len(1000) + 1000 * (position - 1)]
  }
})
Y <- 100 * diff(log(EuStockMarkets))

run_all <- function() {
  grDevices::pdf(NULL)
  on.exit(dev.off())
  for (column in PLAN) for (card in column) for (row in card$rows)
    if (nzchar(row$code) && row$run) for (call in parse(text = row$code)) suppressWarnings(eval(call, globalenv()))
}

# ---- drawing -----------------------------------------------------------------------------------

wide <- function(text, family, cex) strwidth(text, family = family, cex = cex)

# Splits text into lines no wider than `width`.
in_lines <- function(text, width, cex) {
  lines <- character()
  now <- ""
  for (word in strsplit(text, " ")[[1]]) {
    longer <- if (nzchar(now)) paste(now, word) else word
    if (nzchar(now) && wide(longer, "", cex) > width) {
      lines <- c(lines, now)
      now <- word
    } else now <- longer
  }
  c(lines, now)
}

# Starts a small plot with axes.
frame_of <- function(xlim, ylim, xlab, ylab, xat, yat) {
  plot.new()
  plot.window(xlim, ylim)
  axis(1, xat, lwd = 0.5, cex.axis = 0.85, tcl = -0.2, mgp = c(1, 0.05, 0))
  axis(2, yat, lwd = 0.5, cex.axis = 0.85, tcl = -0.2, mgp = c(1, 0.3, 0), las = 1)
  title(xlab = xlab, cex.lab = 0.9, line = 0.9)
  title(ylab = ylab, cex.lab = 0.9, line = 1.5)
  box(bty = "l", lwd = 0.5)
}

# Returns the printed lines of a row: code, text, indentation, and the position of the text.
lines_of <- function(row) {
  inner <- WIDTH - 4
  out <- list()
  if (nzchar(row$code)) for (line in strsplit(row$code, "\n")[[1]]) {
    shift <- if (length(out)) 3 else 0
    if (wide(line, MONO, 0.92) + shift > inner) stop("too wide: ", line)
    out[[length(out) + 1]] <- list(code = line, text = "", shift = shift)
  }
  if (!nzchar(row$text)) return(out)
  used <- if (length(out)) wide(out[[length(out)]]$code, MONO, 0.92) + out[[length(out)]]$shift + 2 else Inf
  if (length(out) && used + wide(row$text, "", 1) <= inner) {
    out[[length(out)]]$text <- row$text
    out[[length(out)]]$at <- used
    return(out)
  }
  shift <- if (length(out)) 3 else 0
  for (line in in_lines(row$text, inner - shift, 1))
    out[[length(out) + 1]] <- list(code = "", text = line, shift = shift, at = shift)
  out
}

height_of <- function(card, lines) 7 + sum(lengths(lines)) * LINE + 0.7 * length(lines) + card$height + 1

# Draws a card with its top at y; returns its bottom and the rectangle of its picture.
draw_card <- function(card, left, y) {
  lines <- lapply(card$rows, lines_of)
  bottom <- y - height_of(card, lines)
  rect(left, bottom, left + WIDTH, y, col = INK[["card"]], border = NA)
  segments(left, y, left + WIDTH, y, col = INK[["rule"]], lwd = 2)
  text(left + 2, y - 3.4, card$title, adj = c(0, 0.5), font = 2, cex = 1.25, col = INK[["title"]])
  at <- y - 7.8
  for (row in lines) {
    for (line in row) {
      if (nzchar(line$code)) text(left + 2 + line$shift, at, line$code, adj = c(0, 0.5), family = MONO, cex = 0.92,
                                  col = INK[["code"]])
      if (nzchar(line$text)) text(left + 2 + line$at, at, line$text, adj = c(0, 0.5), col = INK[["text"]])
      at <- at - LINE
    }
    at <- at - 0.7
  }
  list(bottom = bottom, place = c(left + 1, left + WIDTH - 1, bottom + 0.5, bottom + 0.5 + card$height))
}

draw_page <- function() {
  par(mar = rep(0, 4), xaxs = "i", yaxs = "i", cex = 0.96)
  plot.new()
  plot.window(c(0, PAGE[1]), c(0, PAGE[2]))
  text(MARGIN, PAGE[2] - 8, "stablecl: stable distributions and integrals", adj = c(0, 0.5), font = 2, cex = 2.4,
       col = INK[["title"]])
  text(PAGE[1] - MARGIN, PAGE[2] - 8, paste("version", packageVersion("stablecl")), adj = c(1, 0.5), cex = 1.1,
       col = INK[["text"]])
  pictures <- list()
  lowest <- Inf
  for (k in seq_along(PLAN)) {
    y <- PAGE[2] - 14
    for (card in PLAN[[k]]) {
      drawn <- draw_card(card, MARGIN + (k - 1) * (WIDTH + GAP), y)
      if (!is.null(card$picture)) pictures[[length(pictures) + 1]] <- list(draw = card$picture, place = drawn$place)
      y <- drawn$bottom - GAP
    }
    lowest <- min(lowest, y)
  }
  if (lowest < MARGIN + 30) stop("the columns are too long by ", round(MARGIN + 30 - lowest, 1), " mm")
  draw_trees(lowest)
  for (picture in pictures) {
    par(fig = picture$place / rep(PAGE, each = 2), new = TRUE, mar = c(1.9, 2.6, 0.4, 0.4), xaxs = "i", yaxs = "i")
    picture$draw()
  }
}

run_all()
dir.create(dirname(names(PAGES)[1]), showWarnings = FALSE, recursive = TRUE)
for (file in names(PAGES)) {
  PAGE <- PAGES[[file]]
  WIDTH <- (PAGE[1] - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
  grDevices::cairo_pdf(file, width = PAGE[1] / 25.4, height = PAGE[2] / 25.4, pointsize = 8, family = "Liberation Sans")
  draw_page()
  invisible(dev.off())
  if (grepl("letter", file)) {
    scaled <- tempfile(fileext = ".pdf")
    system2("gs", c("-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-dDEVICEWIDTHPOINTS=792",
                    "-dDEVICEHEIGHTPOINTS=612", "-dFIXEDMEDIA", "-dPDFFitPage", paste0("-sOutputFile=", scaled), file))
    file.copy(scaled, file, overwrite = TRUE)
  }
  cat("wrote", file, "\n")
}
