# Integrals with known values (data/integrals.csv).

reference <- utils::read.csv(test_path("data", "integrals.csv"), comment.char = "#", colClasses = "character")

integrand_of_row <- function(k) eval(parse(text = paste("function(x)", reference$formula[k])), globalenv())
limit_of_row <- function(k, which) eval(parse(text = reference[[which]][k]))

test_that("no error is larger than its estimate", {
  for (method in c("gk", "tanhsinh", "simpson", "forward", "blockcut", "auto")) for (k in seq_len(nrow(reference))) {
    r <- suppressWarnings(gintegrate(integrand_of_row(k), limit_of_row(k, "lower"), limit_of_row(k, "upper"),
                                     method = method))
    true <- as.numeric(reference$value[k])
    if (method == "blockcut" && r$status == "max.eval") next             # the error estimate is unreliable
    if (method == "forward" && reference$id[k] == "n_peak6") {          # the peak lies between points: status "coarse"
      expect_equal(as.character(r$status), "coarse")
      next
    }
    expect_lte(abs(r$value - true), max(r$abs.error, 1e-14 * max(1, abs(true))), label = paste(method, reference$id[k]))
    expect_equal(r$backend, "threads")
  }
})

test_that("all integrals but one converge to the tolerance", {
  for (k in seq_len(nrow(reference))) {
    r <- suppressWarnings(gintegrate(integrand_of_row(k), limit_of_row(k, "lower"), limit_of_row(k, "upper")))
    true <- as.numeric(reference$value[k])
    # the integral of sin(x) over (-pi, pi) is 0, so that no error satisfies the relative tolerance
    status <- switch(reference$id[k], n_sinrec = "stuck", n_zero = "roundoff", "converged")
    expect_equal(as.character(r$status), status, label = reference$id[k])
    if (status != "stuck") expect_lte(abs(r$value - true), 1e-8 * abs(true) + 1e-14, label = reference$id[k])
  }
})

test_that("functions that cannot be translated give the same results", {
  for (k in which(reference$id %in% c("th_log", "ka2_1000", "bs_100", "n_step"))) {
    f <- integrand_of_row(k)
    opaque <- function(x) as.numeric(format(f(x), digits = 17))
    r <- suppressMessages(gintegrate(opaque, limit_of_row(k, "lower"), limit_of_row(k, "upper"), method = "gk"))
    fast <- gintegrate(f, limit_of_row(k, "lower"), limit_of_row(k, "upper"), method = "gk")
    expect_equal(r$backend, "R")
    expect_equal(r$value, fast$value, tolerance = 1e-9)
    expect_equal(r$evaluations, fast$evaluations)
  }
})
