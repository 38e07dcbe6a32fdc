# A separate R process examines the devices, so that a driver that hangs or crashes does not affect the calling process.

# Writes the report after each step, so that earlier results survive if a driver hangs.
report_devices <- function(file, preference) {
  report <- list(devices = stable_devices(), library = .Call(C_situation)$library)
  report$check <- ifelse(report$devices$usable, "no response", "not usable")
  saveRDS(report, file)
  report$chosen <- tryCatch({
    if (nzchar(preference)) stable_backend(preference)
    .Call(C_backend_state)$devices
  }, error = function(e) integer())
  for (i in which(report$devices$usable)) {
    saveRDS(report, file)
    report$check[i] <- tryCatch({
      stable_backend(paste0("opencl:", i))
      check_selected_backend()
    }, error = function(e) paste("FAILS:", conditionMessage(e)))
  }
  report$complete <- TRUE
  saveRDS(report, file)
}

# Returns the script of the child process, which uses the options, libraries and backend (by call) of this process; it
# inherits the environment.
child_script <- function(report, preference) {
  options <- options()[startsWith(names(options()), "stablecl.")]
  c(sprintf("options(%s)", sub("^list\\((.*)\\)$", "\\1", paste(deparse(options), collapse = ""))),
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    sprintf("loadNamespace(\"stablecl\", lib.loc = %s)", deparse(dirname(system.file(package = "stablecl")))),
    sprintf("stablecl:::report_devices(%s, %s)", deparse(report), deparse(preference)))
}

# Returns the report of the child process, with an element `trouble` if that process did not finish.
query_in_child <- function(preference, timeout) {
  script <- tempfile("stablecl", fileext = ".R")
  report <- tempfile("stablecl", fileext = ".rds")
  on.exit(unlink(c(script, report)))
  writeLines(child_script(report, preference), script)
  command <- file.path(R.home("bin"), "Rscript")
  output <- suppressWarnings(system2(command, c("--vanilla", shQuote(script)), stdout = TRUE, stderr = TRUE,
                                     timeout = timeout))
  got <- if (file.exists(report)) value_or(readRDS(report), function(e) NULL)
  if (!isTRUE(got$complete)) got$trouble <- child_failure(output, timeout)
  got
}

# Returns the reason why the child process did not finish, given its output.
child_failure <- function(output, timeout) {
  status <- attr(output, "status")
  if (identical(status, 124L)) return(sprintf("a driver did not respond within %g seconds", timeout))
  said <- output[nzchar(trimws(output)) & !grepl("^(Execution halted|Calls:)", output)]
  last <- trimws(utils::tail(said, 1L))
  paste0("the R process that queried the drivers terminated abnormally",
         if (!is.null(status)) sprintf(" (exit status %d)", status), if (length(last)) paste0(": ", last))
}
