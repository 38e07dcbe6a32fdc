# What the vignettes set before they begin.

# Margins of a picture; the chunk option `narrow` is the one at the top, in lines (NULL: R's own margins).
knitr::knit_hooks$set(narrow = function(before, options, envir)
  if (before) par(mar = c(4.2, 4.8, options$narrow, 1), mgp = c(3.1, 0.7, 0), las = 1))

knitr::opts_chunk$set(collapse = TRUE, comment = "#>", fig.width = 7, fig.height = 4, narrow = 1.6)

source("tables/draw.R", local = TRUE)
