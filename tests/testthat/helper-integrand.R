# Values of a translated function of one variable, and of one whose arguments are given as columns.

translated <- function(f, x, ...) {
  made <- gtranslate(f, dim = 1, ...)
  .Call(stablecl:::C_values, made$program, list(as.double(x)))
}

translated_at <- function(f, columns, ...) {
  made <- gtranslate(f, dim = length(columns), ...)
  .Call(stablecl:::C_values, made$program, lapply(columns, as.double))
}

# Returns the largest relative difference; NA and NaN count as equal, as do equal infinities.
differs_by <- function(ours, theirs) {
  same <- is.nan(ours) & is.na(theirs) | ours == theirs
  miss <- abs(ours - theirs) / pmax(abs(theirs), 1e-300)
  miss[!is.na(same) & same] <- 0
  miss[is.na(miss)] <- Inf
  max(miss)
}

ordinary <- c(-1e6, -123.75, -7, -3, -2.5, -2, -1.5, -1, -0.75, -0.5, -1e-3, -1e-200, 0, 1e-300, 1e-9, 0.1, 0.25, 0.5,
              0.999, 1, 1.5, 2, 2.5, 3, 4.75, 10, 37.5, 170, 700, 12345.678, 1e15)
extreme <- c(NaN, -Inf, Inf, -1.7e308, 1.7e308, 4.9e-324, -4.9e-324, 2^53 + 2, 1e22)
