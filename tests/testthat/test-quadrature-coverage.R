# Do the standard errors of "vegas" and "lattice" cover the true value as often as those of a normal distribution?
#
# If so, the number of results within one (two) standard errors is binomial over 100 seeds, with probability
# 0.683 (0.954).  ALARM is the probability that the count is then below the bound.  With 34 such tests, this file fails
# for a correct implementation with one choice of seeds in 3e4.  The seeds are fixed, so the outcome is reproducible.

ALARM <- 1e-6
SEEDS <- 100

boxes <- utils::read.csv(test_path("data", "boxes.csv"), comment.char = "#", colClasses = "character")

deviations <- function(id, method, rel.tol) {
  k <- match(id, boxes$id)
  f <- gtranslate(eval(parse(text = paste("function(x)", boxes$formula[k])), globalenv()),
                  dim = as.integer(boxes$dim[k]))
  limit <- function(which) eval(parse(text = boxes[[which]][k]))
  vapply(seq_len(SEEDS), function(seed) {
    r <- gintegrate(f, limit("lower"), limit("upper"), method = method, rel.tol = rel.tol, control = list(seed = seed))
    (r$value - as.numeric(boxes$value[k])) / r$abs.error
  }, 0)
}

expect_covered <- function(z, what) {
  for (sigmas in 1:2) {
    least <- qbinom(ALARM, length(z), pnorm(sigmas) - pnorm(-sigmas))
    expect_gte(sum(abs(z) <= sigmas), least, label = paste(what, "within", sigmas))
  }
  expect_lte(abs(mean(z)), qnorm(1 - ALARM / 2) * max(sd(z), 1) / sqrt(length(z)), label = paste(what, "mean"))
}

test_that("one standard error covers two thirds, two cover most, and the mean is unbiased", {
  skip_on_cran()
  for (method in c("vegas", "lattice")) {
    all <- double()
    for (id in c("f2_3", "f3_3", "f3_8", "f4_5", "f6_5")) {
      z <- deviations(id, method, 1e-2)
      expect_covered(z, paste(method, id))
      all <- c(all, z)
    }
    expect_covered(all, method)
    if (method == "vegas") expect_lte(sum(abs(all) <= 1), qbinom(1 - ALARM, length(all), 0.683))
  }
})
