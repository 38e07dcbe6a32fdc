# Compiles a C file with R's C compiler in a temporary folder and loads it.  ...: variables for R CMD SHLIB, such as
# PKG_CFLAGS.
load_c <- function(file, ...) {
  folder <- tempfile("load")
  dir.create(folder)
  file.copy(file, folder)
  Sys.setenv(...)
  library_file <- file.path(folder, paste0(tools::file_path_sans_ext(basename(file)), .Platform$dynlib.ext))
  log <- suppressWarnings(system2(file.path(R.home("bin"), "R"),
                                  c("CMD", "SHLIB", "-o", shQuote(library_file),
                                    shQuote(file.path(folder, basename(file)))), stdout = TRUE, stderr = TRUE))
  if (!file.exists(library_file)) stop(paste(c(paste(basename(file), "cannot be compiled:"), log), collapse = "\n"))
  dyn.load(library_file)
}
