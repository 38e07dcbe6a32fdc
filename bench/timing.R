# Timing of calls, for the scripts of this folder and of bench/gpu, which set REPEATS.

now <- function() as.numeric(Sys.time())

seconds <- function(f) {
  before <- now()
  f()
  now() - before
}

median_seconds <- function(f) median(replicate(REPEATS, seconds(f)))
