# Integrals of the literature (literature.csv; `bench/literature.R` compares other functions on them): no result that is
# claimed to be accurate to rel.tol is wrong.

literature <- utils::read.csv(test_path("literature.csv"), colClasses = "character")

# Returns the ids of the integrals that converge to rel.tol, but whose true error is larger.
wrongly_converged <- function(rel.tol) {
  wrong <- vapply(seq_len(nrow(literature)), function(k) {
    row <- literature[k, ]
    f <- eval(parse(text = paste("function(x)", row$formula)), globalenv())
    limit <- function(text) eval(parse(text = text), globalenv())
    r <- try(suppressMessages(suppressWarnings(gintegrate(f, limit(row$lower), limit(row$upper), rel.tol = rel.tol))),
             silent = TRUE)
    true <- as.numeric(row$value)
    !inherits(r, "try-error") && r$status == "converged" && abs(r$value - true) > (rel.tol + 1e-15) * abs(true)
  }, NA)
  literature$id[wrong]
}

# Known failures, with the reason.
PEAK_MISSED <- c("k21", "r_norm_mean_1000", "r_norm_mean_10000")
KNOWN <- list(c(PEAK_MISSED), c(PEAK_MISSED), c(PEAK_MISSED))

test_that("no converged result is wrong, except for known failures", {
  for (k in 1:3) {
    rel.tol <- c(1e-4, 1e-8, 1e-12)[k]
    expect_setequal(wrongly_converged(rel.tol), KNOWN[[k]])
  }
})
