# Rscript data-raw/badges.R [FOLDER]: draws the badges at the top of README.md, with the facts that DESCRIPTION states,
# in FOLDER (default man/figures), so that they need no other site.
folder <- c(commandArgs(trailingOnly = TRUE), "man/figures")[1]
description <- read.dcf("DESCRIPTION")[1, ]
of_r <- rownames(installed.packages(priority = "base"))
imported <- sub(" .*", "", strsplit(description[["Imports"]], ",[[:space:]]*")[[1]])
other <- length(setdiff(imported, of_r))
badges <- list(version = c("version", description[["Version"]]),
               r = c("R", sub("R \\((.*)\\)", "\\1", description[["Depends"]])),
               licence = c("licence", sub(" [+].*", "", description[["License"]])),
               packages = c("packages needed", if (other) other else "none"))

# Two boxes with text of 11 pixels, for which 6.6 pixels a character suffice.
draw <- function(name, left, right) {
  width <- ceiling(6.6 * nchar(c(left, right))) + 12
  text <- gsub(">", "&gt;", c(left, right))
  writeLines(c(
    sprintf("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='20' role='img'>", sum(width)),
    sprintf("<title>%s: %s</title>", text[1], text[2]),
    sprintf("<rect width='%d' height='20' rx='3' fill='#1f4e79'/>", sum(width)),
    sprintf("<rect width='%d' height='20' rx='3' fill='#555555'/>", width[1]),
    sprintf("<rect x='%d' width='4' height='20' fill='#555555'/>", width[1] - 4),
    "<g fill='#ffffff' text-anchor='middle' font-family='Verdana,DejaVu Sans,sans-serif' font-size='11'>",
    sprintf("<text x='%.1f' y='14'>%s</text>", c(width[1] / 2, width[1] + width[2] / 2), text),
    "</g></svg>"), file.path(folder, sprintf("badge-%s.svg", name)))
}
for (name in names(badges)) draw(name, badges[[name]][1], badges[[name]][2])
