# Copies the tables that the vignettes show from bench/ to vignettes/tables/, each with the date and hardware stated in
# its file: a built package contains vignettes/, but not bench/.
#
#     Rscript bench/vignette-tables.R

# Returns the first table after `heading` as a data frame of text.
table_after <- function(lines, heading = NULL) {
  if (length(heading)) lines <- lines[-seq_len(match(heading, lines))]
  starts <- grep("^\\|", lines)
  stopifnot(length(starts) > 2)
  rows <- lines[starts[1]:(starts[1] + rle(diff(starts) == 1)$lengths[1])]
  cells <- lapply(strsplit(rows[-2], "|", fixed = TRUE), function(cell) trimws(cell[-1]))
  width <- length(cells[[1]])
  body <- lapply(cells[-1], function(cell) c(cell, rep("", width - length(cell))))
  stats::setNames(as.data.frame(do.call(rbind, body)), cells[[1]])
}

# Returns date, hardware and versions: the list at the start of the file, otherwise the sentence with the date.
circumstances <- function(lines) {
  facts <- grep("^\\* (Date|Processor|Device|Host threads|Logical cores|R|stablecl|stabledist|libstable4u)\\b", lines,
                value = TRUE)
  if (length(facts)) return(sub("^\\* ", "", facts))
  grep("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]", lines, value = TRUE)[1]
}

write_table <- function(table, name, file, lines) {
  to <- sprintf("vignettes/tables/%s.csv", name)
  writeLines(paste("#", c(sprintf("From %s by bench/vignette-tables.R", file), circumstances(lines))), to)
  suppressWarnings(utils::write.table(table, to, append = TRUE, sep = ",", row.names = FALSE))
  cat(to, nrow(table), "rows\n")
}

copy_table <- function(name, file, heading = NULL, columns = TRUE) {
  lines <- readLines(file)
  write_table(table_after(lines, heading)[columns], name, file, lines)
}

lines <- readLines("bench/README.md")
times <- lapply(c("dstable", "pstable", "qstable", "rstable"), function(name)
  cbind("function" = name, table_after(lines, paste("##", name))))
write_table(do.call(rbind, times), "speed-cpu", "bench/README.md", lines)
copy_table("speed-threads", "bench/threads.md")
copy_table("speed-gpu", "bench/gpu/README.md", columns = c("call", "n", "agreement", "kernel", "R to R", "host"))
copy_table("speed-gpu-one", "bench/gpu/README.md", "## Calls with one element")
copy_table("speed-gpu-first", "bench/gpu/first-call.md", "## The first call of a session")
copy_table("speed-gpu-fit", "bench/gpu/fits.md", "## One large sample")
copy_table("speed-gpu-fits", "bench/gpu/fits.md", "## Many small samples")
copy_table("speed-gpu-integrals", "bench/gpu/integrate.md", columns = c("integrand", "n", "evaluations", "first call",
                                                                        "device", "host", "ratio"))
