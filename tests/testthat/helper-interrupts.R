# Replaces function `name` of this package, until the calling test ends, by one that interrupts this process at its
# n-th call and then does the same.  The interrupt takes effect at R's next poll.  Unlike one that is sent after some
# seconds, it comes in the middle of the work on machines of any speed.
interrupt_in_call <- function(name, n, envir = parent.frame()) {
  original <- utils::getFromNamespace(name, "stablecl")
  calls <- 0
  utils::assignInNamespace(name, function(...) {
    calls <<- calls + 1
    if (calls == n) tools::pskill(Sys.getpid(), tools::SIGINT)
    original(...)
  }, "stablecl")
  do.call(on.exit, list(bquote(utils::assignInNamespace(.(name), .(original), "stablecl")), add = TRUE), envir = envir)
}
