# The first line of a page of measurements, for the scripts of this folder and of bench/gpu.

# Returns the statement of the command that made a page: the script with the arguments that it was given.
made_by <- function(script, page = sub("[.]R$", ".md", script), arguments = commandArgs(trailingOnly = TRUE))
  sprintf("Made by `%s > %s`", paste(c("Rscript", script, arguments), collapse = " "), page)
